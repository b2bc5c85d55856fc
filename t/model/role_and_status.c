/*
 * What the staff do to people: one active admin remains, in a race as well, and every action is in
 * the log.
 */
#include "person.h"

#include "base/buf.h"
#include "model/key.h"

static size_t
logged(struct place *p, struct audit_entry *last)
{
	struct query query = query_audit(p->arena, str_sub(time_format(p->arena, NOW), 0, 7));
	struct item *found;
	size_t count;
	struct str next;

	query.limit = 100;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("no log");
	if (count != 0)
		audit_from_item(p->arena, &found[count - 1], last);
	return count;
}

/* Those of a role or status, by their names. */
static struct str
people(struct place *p, const char *role_or_status)
{
	struct query query = query_people(p->arena, str_of(role_or_status), STR(""));
	struct buf names = {.arena = p->arena};
	struct item *found;
	size_t count;
	struct str next;

	query.limit = 100;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("no people");
	for (size_t i = 0; i < count; i++)
		buf_fmt(&names, "%.*s ", STR_ARGS(item_string(&found[i], STR("Username"))));
	return buf_str(&names);
}

static void
staff_acts(struct place *p, struct clock *clock)
{
	struct audit_entry last = {.created = 0};
	struct user kofi;

	is_int((int64_t)logged(p, &last), 0, "what people do on their own is not logged");
	p->plan.clock = clock;
	p->plan.by = STR("marta");
	p->plan.audited = true;
	account_set_role_and_status(&p->plan, STR("kofi"), ROLE_AUTHOR, USER_DISABLED);
	is_int((int64_t)logged(p, &last), 1, "what the staff do is");
	is_str(last.actor, STR("marta"), "... who");
	is_int(last.action, AUDIT_USER_STANDING, "... what");
	is_str(last.target, STR("kofi"), "... to whom");
	is_str(last.change, STR("status: active → disabled"), "... and what changed");
	is_str(people(p, "author"), STR(""), "whoever is disabled is no author to the staff");
	is_str(people(p, "disabled"), STR("kofi "), "... but disabled");
	is_int(account_set_role_and_status(&p->plan, STR("marta"), ROLE_READER, USER_ACTIVE),
	    PLAN_LAST_ADMIN, "what is refused");
	is_int((int64_t)logged(p, &last), 1, "... is not logged");
	clock->fixed_now++;
	account_set_role_and_status(&p->plan, STR("kofi"), ROLE_EDITOR, USER_ACTIVE);
	is_int((int64_t)logged(p, &last), 2, "the next");
	is_str(last.change, STR("role: author → editor; status: disabled → active"), "... in turn");
	is_str(people(p, "editor"), STR("kofi "), "an editor");
	clock->fixed_now++;
	kofi = found(p, "kofi").user;
	account_set_password(&p->plan, &kofi, STR("top secret"), NULL);
	logged(p, &last);
	is_int(last.action, AUDIT_USER_PASSWORD, "a new password");
	is_str(last.change, STR(""), "... is not told");
	p->plan.audited = false;
}

/* A table before whose first transaction something else happens: a race that is won each time. */
struct slow_table {
	struct table table;
	struct place *place;
	bool happened;
};

static enum table_rc
slow_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	return table_read(((struct slow_table *)table)->place->table, call, reads, count);
}

static enum table_rc
slow_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct slow_table *slow = (struct slow_table *)table;

	if (!slow->happened) {
		slow->happened = true;
		is_int(account_set_role_and_status(
			   &slow->place->plan, STR("kofi"), ROLE_READER, USER_ACTIVE),
		    PLAN_DONE, "one of two admins is removed");
	}
	return table_transact(slow->place->table, call, writes, count, token);
}

static const struct table_engine slow_engine = {
    .name = "slow", .deadline_ms = 1000, .read = slow_read, .transact = slow_transact};

static void
last_admin(struct place *p)
{
	struct slow_table slow = {.table = {&slow_engine, &p->clock}, .place = p};
	struct table_call call = {.arena = p->arena};
	struct plan plan = {.table = &slow.table, .call = &call, .now = NOW};

	is_int(account_set_role_and_status(&p->plan, STR("marta"), ROLE_EDITOR, USER_ACTIVE),
	    PLAN_LAST_ADMIN, "the last admin can't become an editor");
	is_int(account_set_role_and_status(&p->plan, STR("marta"), ROLE_ADMIN, USER_DISABLED),
	    PLAN_LAST_ADMIN, "... nor be disabled");
	is_int(account_set_role_and_status(&p->plan, STR("kofi"), ROLE_READER, USER_ACTIVE),
	    PLAN_DONE, "... while others can");
	is_int(account_set_role_and_status(&p->plan, STR("nobody"), ROLE_READER, USER_ACTIVE),
	    PLAN_NOT_THERE, "nobody can't");
	account_set_role_and_status(&p->plan, STR("kofi"), ROLE_ADMIN, USER_ACTIVE);
	is_int(account_set_role_and_status(&plan, STR("marta"), ROLE_READER, USER_ACTIVE),
	    PLAN_CHANGED, "... in the moment in which the other is removed, too: she stays");
	is_int(found(p, "marta").user.role, ROLE_ADMIN, "... an admin");
	account_set_role_and_status(&p->plan, STR("kofi"), ROLE_ADMIN, USER_ACTIVE);
	slow.happened = false;
	is_int(account_set_role_and_status(&plan, STR("kofi"), ROLE_EDITOR, USER_ACTIVE),
	    PLAN_CHANGED, "two who change one person: the second is told");
}

int
main(void)
{
	struct place p = {.arena = arena_new(), .clock = clock_system()};
	struct test_store store;
	struct clock fixed = clock_fixed(NOW, 1);

	p.table = test_store_open(&store, &p.clock);
	p.call = (struct table_call){.arena = p.arena};
	p.plan = (struct plan){.table = p.table, .call = &p.call, .now = NOW};
	create(&p.plan, "marta", "marta@example.org", ROLE_ADMIN);
	create(&p.plan, "kofi", "kofi@example.org", ROLE_AUTHOR);
	staff_acts(&p, &fixed);
	account_set_role_and_status(&p.plan, STR("kofi"), ROLE_AUTHOR, USER_ACTIVE);
	last_admin(&p);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}
