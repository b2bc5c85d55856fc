/*
 * Groups: their members, their permissions and from when on they apply, and their deletion in
 * steps, whatever the number of members.
 */
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/account.h"
#include "model/people/group.h"
#include "model/viewer.h"

static const int64_t NOW = 1795000000000;
enum { CROWD = 950 }; /* more than one call takes out of a group */

struct place {
	struct arena *arena;
	struct clock clock;
	struct table *table;
	struct table_call call;
	struct plan plan;
};

/* Somebody with what their role and groups give them, as a request would find out. */
static struct viewer
viewer_of(struct place *p, const char *username)
{
	struct read read = viewer_read(p->arena, str_of(username)), groups;
	struct viewer viewer;

	if (table_read(p->table, &p->call, &read, 1) != TABLE_OK ||
	    !viewer_take(p->arena, &read, &viewer))
		bail_out("%s is not there", username);
	if (viewer_groups(p->arena, &viewer, &groups)) {
		table_read(p->table, &p->call, &groups, 1);
		viewer_permit(p->arena, &groups, &viewer);
	}
	return viewer;
}

static unsigned
given(struct place *p, const char *username)
{
	return viewer_of(p, username).permissions;
}

/* Whose posts for their members somebody sees. */
static size_t
groups_of(struct place *p, const char *username)
{
	return viewer_of(p, username).group_count;
}

static struct item
membership_of(struct place *p, const char *username, const char *group)
{
	struct item member = {.count = 0};
	const struct membership m = {.group = str_of(group), .username = str_of(username)};

	key_set(p->arena, &member, key_membership(p->arena, m.username, m.group), ITEM_MEMBERSHIP);
	key_index_membership(p->arena, &member, m.group, m.username);
	item_set(p->arena, &member, STR("Group"), value_string(m.group));
	item_set(p->arena, &member, STR("Username"), value_string(m.username));
	return member;
}

static size_t
count_of(struct place *p, struct query query, struct item **found)
{
	size_t count;
	struct str next;

	query.limit = TABLE_QUERY_MAX;
	if (table_query(p->table, &p->call, &query, found, &count, &next) != TABLE_OK)
		bail_out("a query failed");
	return count;
}

static size_t
members(struct place *p, const char *group)
{
	struct item *found;

	return count_of(p, query_members(p->arena, str_of(group)), &found);
}

/* The last line of the log. */
static struct audit_entry
logged(struct place *p, size_t *count)
{
	struct audit_entry last = {.created = 0};
	struct item *found;

	*count = count_of(p, query_audit(p->arena, STR("2026-11")), &found);
	if (*count != 0)
		audit_from_item(p->arena, &found[*count - 1], &last);
	return last;
}

static const struct item *
kept(struct place *p, const char *name)
{
	struct item *item;

	if (table_get(p->table, &p->call, key_group(p->arena, str_of(name)), &item) != TABLE_OK)
		bail_out("no table");
	return item;
}

static struct group
stored(struct place *p, const char *name)
{
	struct group group = {.title = STR("")};
	const struct item *item = kept(p, name);

	if (item != NULL)
		group_from_item(p->arena, item, &group);
	return group;
}

static void
making(struct place *p)
{
	struct group proof = {.name = STR("proof"),
	    .title = STR("Proofreaders"),
	    .permissions = PERMISSION_POSTS_EDIT | PERMISSION_PAGES_EDIT};
	struct group is;
	struct audit_entry last;
	size_t count;

	is_int(group_create(&p->plan, &proof), PLAN_DONE, "a group");
	is_int(group_create(&p->plan, &proof), PLAN_TAKEN, "... of this name there is one");
	is = stored(p, "proof");
	is_str(is.name, STR("proof"), "... it has a name");
	is_str(is.title, STR("Proofreaders"), "... a title");
	is_int(is.permissions, proof.permissions, "... and gives what was said");
	last = logged(p, &count);
	is_int((int64_t)count, 1, "what was refused is not logged");
	is_str(last.change, STR("posts.edit, pages.edit"), "... what was done is");
	proof = is;
	is.permissions = PERMISSION_POSTS_EDIT;
	is.title = STR("Readers of proofs");
	p->clock.fixed_now++;
	is_int(group_edit(&p->plan, &proof, &is), PLAN_DONE, "a group is changed");
	last = logged(p, &count);
	is_str(last.change,
	    STR("name: Proofreaders → Readers of proofs; permissions: posts.edit, pages.edit → "
		"posts.edit"),
	    "... as the log says");
	proof.name = STR("nothing");
	is_int(group_edit(&p->plan, &proof, &is), PLAN_NOT_THERE, "one that is not there is not");
	is_str(stored(p, "nothing").title, STR(""), "... and does not come to be");
}

static void
joining(struct place *p)
{
	struct audit_entry last;
	struct item *found;
	struct membership membership;
	struct group was, is;
	size_t count;

	is_int(given(p, "kofi"), PERMISSION_POSTS_PUBLISH, "an author");
	is_int(group_join(&p->plan, STR("proof"), STR("kofi")), PLAN_DONE, "... joins a group");
	is_int(given(p, "kofi"), PERMISSION_POSTS_PUBLISH | PERMISSION_POSTS_EDIT,
	    "... and is given more at once");
	is_int(
	    group_join(&p->plan, STR("proof"), STR("kofi")), PLAN_TAKEN, "... nobody joins twice");
	is_int(
	    group_join(&p->plan, STR("none"), STR("kofi")), PLAN_NOT_THERE, "... nor what is not");
	is_int(
	    group_join(&p->plan, STR("proof"), STR("nobody")), PLAN_NOBODY, "... nor does nobody");
	is_int((int64_t)members(p, "proof"), 1, "there is one member");
	count_of(p, query_members(p->arena, STR("proof")), &found);
	membership_from_item(p->arena, &found[0], &membership);
	is_str(membership.added_by, STR("marta"), "... added by whom");
	is_int(membership.added, NOW, "... and when");
	was = is = stored(p, "proof");
	is.permissions = 0;
	group_edit(&p->plan, &was, &is);
	is_int(given(p, "kofi"), PERMISSION_POSTS_PUBLISH, "what a group gives no more is gone");
	group_edit(&p->plan, &is, &was);
	p->clock.fixed_now++;
	is_int(group_leave(&p->plan, STR("proof"), STR("kofi")), PLAN_DONE, "somebody is put out");
	is_int(given(p, "kofi"), PERMISSION_POSTS_PUBLISH, "... and given no more");
	is_int(group_leave(&p->plan, STR("proof"), STR("kofi")), PLAN_NOT_THERE, "... once");
	last = logged(p, &count);
	is_int(last.action, AUDIT_GROUP_LEAVE, "... as the log says");
	is_str(last.change, STR("kofi"), "... of them");
	is_str(last.target, STR("proof"), "... and of the group");
}

static void
too_many(struct place *p)
{
	for (int i = 0; i < GROUPS_OF_PERSON_MAX; i++) {
		struct group group = {.name = str_fmt(p->arena, "many-%03d", i)};

		group_create(&p->plan, &group);
		if (group_join(&p->plan, group.name, STR("noor")) != PLAN_DONE)
			bail_out("no member of %d", i);
	}
	is_int(group_join(&p->plan, STR("proof"), STR("noor")), PLAN_FULL,
	    "somebody is in a hundred groups, and in no more");
	given(p, "noor");
}

static void
ending(struct place *p)
{
	struct audit_entry last;
	struct item *found;
	struct group group;
	size_t before, after;

	group_join(&p->plan, STR("proof"), STR("kofi"));
	for (int i = 0; i < CROWD; i++) {
		const char *name = str_cstring(p->arena, str_fmt(p->arena, "crowd%03d", i));

		if (table_put(p->table, &p->call, membership_of(p, name, "proof")) != TABLE_OK)
			bail_out("no member");
	}
	p->clock.fixed_now++;
	is_int(
	    group_delete(&p->plan, STR("none")), PLAN_NOT_THERE, "what is not there does not end");
	logged(p, &before);
	is_int(group_delete(&p->plan, STR("proof")), PLAN_MORE, "a large group ends in steps");
	group = stored(p, "proof");
	ok(group.ending, "... it says so meanwhile");
	is_int(given(p, "kofi"), PERMISSION_POSTS_PUBLISH, "... and gives nothing any more");
	is_int((int64_t)groups_of(p, "kofi"), 0, "... nor are the posts for it for its members");
	is_int(group_join(&p->plan, STR("proof"), STR("marta")), PLAN_NOT_THERE,
	    "... and takes nobody in");
	is_int(group_edit(&p->plan, &group, &group), PLAN_NOT_THERE, "... and is not changed");
	ok(members(p, "proof") != 0, "... some are in it still");
	is_int(group_delete(&p->plan, STR("proof")), PLAN_DONE, "the rest");
	is_int((int64_t)members(p, "proof"), 0, "... nobody is in it");
	ok(!group_is_there(kept(p, "proof")), "... it is gone");
	is_int(group_delete(&p->plan, STR("proof")), PLAN_NOT_THERE, "... once");
	group = (struct group){.name = STR("proof")};
	is_int(group_create(&p->plan, &group), PLAN_TAKEN, "... and its name is no other's");
	is_int(group_join(&p->plan, STR("proof"), STR("marta")), PLAN_NOT_THERE,
	    "... and takes nobody in");
	is_int((int64_t)count_of(p, query_groups(), &found), GROUPS_OF_PERSON_MAX,
	    "... nor is it listed");
	/* On a distributed table the list of members may lag, and one may be left. */
	if (table_put(p->table, &p->call, membership_of(p, "kofi", "proof")) != TABLE_OK)
		bail_out("no member");
	is_int((int64_t)groups_of(p, "kofi"), 0, "... and who is left in it is in none");
	last = logged(p, &after);
	is_int((int64_t)(after - before), 1, "... which is logged once");
	is_int(last.action, AUDIT_GROUP_DELETE, "... as what it was");
}

int
main(void)
{
	struct place p = {.arena = arena_new(), .clock = clock_fixed(NOW, 1)};
	struct test_store store;
	struct plan plan;
	static const char *const names[] = {"marta", "kofi", "noor"};

	p.table = test_store_open(&store, &p.clock);
	p.call = (struct table_call){.arena = p.arena};
	p.plan = (struct plan){.table = p.table,
	    .call = &p.call,
	    .now = NOW,
	    .clock = &p.clock,
	    .by = STR("marta"),
	    .audited = true};
	plan = (struct plan){.table = p.table, .call = &p.call, .now = NOW};
	for (size_t i = 0; i < 3; i++) {
		const struct new_account new = {.username = str_of(names[i]),
		    .email = str_fmt(p.arena, "%s@example.org", names[i]),
		    .role = ROLE_AUTHOR,
		    .status = USER_ACTIVE};

		account_create(&plan, &new);
	}
	making(&p);
	joining(&p);
	too_many(&p);
	ending(&p);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}
