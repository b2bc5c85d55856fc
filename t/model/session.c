/*
 * Sessions: what ends them, by an action or by the clock; and the viewer of one, with their groups.
 */
#include "person.h"

#include "model/key.h"
#include "model/people/session.h"
#include "model/viewer.h"

/* Is the session of that token good at `now`? */
static bool
lets_in(struct place *p, const struct session *session, const char *name, int64_t now)
{
	struct user user = found(p, name).user;

	return session_good(session, &user, now);
}

static void
eras(struct place *p)
{
	struct user user = found(p, "kofi").user;
	struct session old = {.hash = STR("a"),
	    .username = STR("kofi"),
	    .created = NOW,
	    .used = NOW,
	    .era = user.era};
	struct session stays = old;

	stays.hash = STR("b");
	ok(lets_in(p, &old, "kofi", NOW), "a session is good");
	ok(!lets_in(p, &old, "marta", NOW), "... for its own person alone");
	is_int(account_set_password(&p->plan, &user, STR("new"), &stays), PLAN_DONE,
	    "another password");
	ok(!lets_in(p, &old, "kofi", NOW), "... ends the sessions");
	ok(lets_in(p, &stays, "kofi", NOW), "... but the one that goes on");
	is_int(account_set_password(&p->plan, &user, STR("newer"), NULL), PLAN_CHANGED,
	    "two at once: the second is told");
	is_str(found(p, "kofi").password, STR("new"), "... and changes nothing");
	old = stays;
	user = found(p, "kofi").user;
	account_end_sessions(&p->plan, &user, NULL);
	ok(!lets_in(p, &old, "kofi", NOW), "signing out everywhere ends them");
	old.era = found(p, "kofi").user.era;
	account_set_role_and_status(&p->plan, STR("kofi"), ROLE_EDITOR, USER_ACTIVE);
	ok(lets_in(p, &old, "kofi", NOW), "another role does not");
	old.role = STR("reader");
	user = found(p, "kofi").user;
	ok(session_outdated(&old, &user), "... but their tokens are of another role");
	old.role = STR("editor");
	ok(!session_outdated(&old, &user), "... until they are given anew");
	account_set_role_and_status(&p->plan, STR("kofi"), ROLE_EDITOR, USER_DISABLED);
	ok(!lets_in(p, &old, "kofi", NOW), "whoever is disabled is out");
	old.era = found(p, "kofi").user.era;
	ok(!lets_in(p, &old, "kofi", NOW), "... in any era");
	account_set_role_and_status(&p->plan, STR("kofi"), ROLE_EDITOR, USER_ACTIVE);
	is_int(account_rehash(&p->plan, STR("kofi"), STR("new"), STR("same")), PLAN_DONE,
	    "the same password, hashed anew");
	is_int(account_rehash(&p->plan, STR("kofi"), STR("new"), STR("late")), PLAN_CHANGED,
	    "... not over another one");
}

static void
by_the_clock(struct place *p)
{
	struct user user = found(p, "marta").user;
	struct session s = {.hash = STR("c"),
	    .username = STR("marta"),
	    .created = NOW,
	    .used = NOW,
	    .era = user.era};

	ok(session_good(&s, &user, NOW + SESSION_IDLE_MS - 1), "unused for a while it is good");
	ok(!session_good(&s, &user, NOW + SESSION_IDLE_MS), "... for two weeks it is not");
	s.used = NOW + SESSION_AGE_MS - 1;
	ok(session_good(&s, &user, s.used), "used all the time it is good for long");
	ok(!session_good(&s, &user, NOW + SESSION_AGE_MS), "... and ends all the same");
	ok(!session_stale(&s, s.used + SESSION_TOUCH_MS - 1) &&
		session_stale(&s, s.used + SESSION_TOUCH_MS),
	    "it is written down once an hour");
}

static void
touching(struct place *p)
{
	struct session s = {
	    .hash = STR("d"), .username = STR("marta"), .created = NOW, .used = NOW};
	struct write put = session_put(p->arena, &s), touch = session_touch(p->arena, &s, NOW + 5);
	struct write steal = session_delete(p->arena, STR("d"), STR("kofi")),
		     end = session_delete(p->arena, STR("d"), STR("marta"));
	struct item *item;

	is_int(table_write(p->table, &p->call, &put), TABLE_OK, "a session is put");
	is_int(table_write(p->table, &p->call, &touch), TABLE_OK, "... used");
	is_int(table_write(p->table, &p->call, &steal), TABLE_CONDITION,
	    "... not ended by somebody else");
	is_int(table_write(p->table, &p->call, &end), TABLE_OK, "... and ended");
	is_int(table_write(p->table, &p->call, &touch), TABLE_CONDITION,
	    "what has ended does not come back by being used");
	table_get(p->table, &p->call, key_session(p->arena, STR("d")), &item);
	ok(item == NULL, "... it is not there");
}

static void
viewers(struct place *p)
{
	struct item member = {.count = 0}, group = {.count = 0};
	struct str names[] = {STR("posts.edit"), STR("no.such")};
	struct viewer viewer;
	struct read read = viewer_read(p->arena, STR("guest")), groups;

	item_set(p->arena, &member, STR("PK"), value_string(STR("USER#guest")));
	item_set(p->arena, &member, STR("SK"), value_string(STR("MEMBERSHIP#proof")));
	item_set(p->arena, &member, STR("Type"), kind_type(ITEM_MEMBERSHIP));
	item_set(p->arena, &member, STR("Group"), value_string(STR("proof")));
	item_set(p->arena, &group, STR("PK"), value_string(STR("GROUP#proof")));
	item_set(p->arena, &group, STR("SK"), value_string(STR("METADATA")));
	item_set(p->arena, &group, STR("Permissions"), value_set(p->arena, names, 2));
	table_put(p->table, &p->call, member);
	table_put(p->table, &p->call, group);
	table_read(p->table, &p->call, &read, 1);
	ok(viewer_take(p->arena, &read, &viewer), "a person with a group");
	ok(viewer_groups(p->arena, &viewer, &groups), "... which is read");
	table_read(p->table, &p->call, &groups, 1);
	viewer_permit(p->arena, &groups, &viewer);
	is_int(viewer.permissions, PERMISSION_POSTS_EDIT, "... and permits what it names");
	read = viewer_read(p->arena, STR("marta"));
	table_read(p->table, &p->call, &read, 1);
	ok(viewer_take(p->arena, &read, &viewer) && !viewer_groups(p->arena, &viewer, &groups),
	    "who is in no group needs no second read");
}

int
main(void)
{
	struct place p = {.arena = arena_new(), .clock = clock_fixed(NOW, 1)};
	struct test_store store;

	p.table = test_store_open(&store, &p.clock);
	p.call = (struct table_call){.arena = p.arena};
	p.plan = (struct plan){.table = p.table, .call = &p.call, .now = NOW};
	create(&p.plan, "marta", "marta@example.org", ROLE_ADMIN);
	create(&p.plan, "kofi", "kofi@example.org", ROLE_AUTHOR);
	create(&p.plan, "guest", "guest@example.org", ROLE_READER);
	eras(&p);
	by_the_clock(&p);
	touching(&p);
	viewers(&p);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}
