#include "model/people/name.h"

#include "base/arena.h"
#include "base/confusable.h"
#include "base/unicode.h"
#include "model/key.h"

enum { FOUND_MAX = 20, AT_ONCE = 40, NAMES = 2 };

/* --- Whose name is guarded, and which names nobody takes ---------------------------------------------- */

bool
name_is_guarded(const struct user *user)
{
	return user->role >= ROLE_AUTHOR || user->has_published;
}

bool
name_is_like(struct arena *arena, struct str a, struct str b)
{
	struct str skeleton = confusable_skeleton(arena, a);

	return skeleton.len != 0 && str_eq(skeleton, confusable_skeleton(arena, b));
}

static bool
is_digit_or_gap(char c)
{
	return (c >= '0' && c <= '9') || c == '_' || c == ' ' || c == '-' || c == '.';
}

/* Without digits and separators at its ends: "admin_1" is "admin". */
static struct str
bare(struct str name)
{
	while (name.len != 0 && is_digit_or_gap(name.base[name.len - 1]))
		name.len--;
	while (name.len != 0 && is_digit_or_gap(name.base[0]))
		name = str_sub(name, 1, name.len);
	return name;
}

bool
name_is_reserved(struct arena *arena, struct str name)
{
	/*
	 * Names of the site's staff and of its machines (RFC 2142 and the like), and words for
	 * nobody.
	 */
	static const char *const words[] = {"abuse", "admin", "administrator", "administration",
	    "admins", "anonymous", "author", "authors", "broadsheet", "command_line", "contact",
	    "daemon", "deleted", "editor", "editorial", "editors", "everybody", "everyone", "guest",
	    "help", "helpdesk", "hostmaster", "info", "mailer_daemon", "me", "mod", "moderation",
	    "moderator", "moderators", "mods", "news", "nobody", "no_reply", "official", "operator",
	    "owner", "postmaster", "press", "publisher", "root", "security", "site_admin", "staff",
	    "superuser", "support", "support_team", "sysadmin", "system", "team", "the_admin",
	    "unknown", "webmaster"};
	struct str whole = confusable_skeleton(arena, name);
	struct str ends = confusable_skeleton(arena, bare(name));

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct str word = confusable_skeleton(arena, str_of(words[i]));

		if (str_eq(word, whole) || str_eq(word, ends))
			return true;
	}
	return false;
}

/* --- What is wrong with a name by itself --------------------------------------------------------------- */

/* Scripts that use joiners have their letters above these. */
static bool
may_be_joined(uint32_t rune)
{
	return rune > 0x58f && unicode_is_word(rune);
}

/*
 * Is there an invisible character? A joiner between letters of a script that uses joiners does not
 * count.
 */
static bool
has_unseen(struct str name)
{
	uint32_t before = 0;

	for (size_t i = 0; i < name.len;) {
		uint32_t rune = str_rune(name, &i);
		size_t behind = i;
		bool joiner = rune == 0x200c || rune == 0x200d;

		if (unicode_is_ignorable(rune) &&
		    !(joiner && may_be_joined(before) && may_be_joined(str_rune(name, &behind))))
			return true;
		before = rune;
	}
	return false;
}

const char *
name_error(struct arena *arena, struct str name)
{
	size_t from = 0, at = 0;

	if (!text_keeps(TEXT_LINE, name) || has_unseen(name))
		return "This name has a character that nobody sees. Type it again without it.";
	while (at < name.len) {
		size_t end = at;
		bool word = unicode_is_word(str_rune(name, &at));

		if (word && at < name.len)
			continue;
		end = word ? at : end;
		if (end > from && confusable_is_mixed(str_sub(name, from, end - from)))
			return str_cstring(arena,
			    str_fmt(arena,
				"“%.*s” mixes letters of different scripts that look alike. Write "
				"each word in one.",
				STR_ARGS(str_sub(name, from, end - from))));
		from = at;
	}
	return NULL;
}

/* --- Guards ------------------------------------------------------------------------------------------ */

static struct item
guard_of(struct arena *arena, struct str skeleton, struct str username)
{
	struct item item = {.count = 0};

	key_set(arena, &item, key_name_guard(arena, skeleton, username), ITEM_NAME_GUARD);
	item_set(arena, &item, STR("Username"), value_string(username));
	return item;
}

static void
drop_guard(struct plan *plan, struct str skeleton, struct str username)
{
	plan_add(plan,
	    (struct write){
		.kind = WRITE_DELETE, .key = key_name_guard(plan->call->arena, skeleton, username)},
	    PLAN_CHANGED);
}

/* The skeletons of a person's names, without duplicates. */
static size_t
skeletons_of(struct arena *arena, const struct user *user, struct str out[NAMES])
{
	const struct str names[] = {user->username, user->display_name};
	size_t count = 0;

	for (size_t i = 0; i < NAMES; i++) {
		struct str skeleton = confusable_skeleton(arena, names[i]);

		if (skeleton.len != 0 && (count == 0 || !str_eq(skeleton, out[0])))
			out[count++] = skeleton;
	}
	return count;
}

void
name_guard(struct plan *plan, const struct user *user)
{
	struct arena *arena = plan->call->arena;
	struct str skeletons[NAMES];
	size_t all = skeletons_of(arena, user, skeletons);

	for (size_t i = 0; i < all; i++)
		plan_put(plan, guard_of(arena, skeletons[i], user->username));
}

void
name_unguard(struct plan *plan, const struct user *user)
{
	struct str skeletons[NAMES];
	size_t all = skeletons_of(plan->call->arena, user, skeletons);

	for (size_t i = 0; i < all; i++)
		drop_guard(plan, skeletons[i], user->username);
}

void
name_guard_change(struct plan *plan, const struct user *user, struct str new_name)
{
	struct arena *arena = plan->call->arena;
	struct str username = confusable_skeleton(arena, user->username);
	struct str old = confusable_skeleton(arena, user->display_name);
	struct str new = confusable_skeleton(arena, new_name);

	if (str_eq(old, new))
		return;
	if (old.len != 0 && !str_eq(old, username))
		drop_guard(plan, old, user->username);
	if (new.len != 0 && !str_eq(new, username))
		plan_put(plan, guard_of(arena, new, user->username));
}

/* --- Looking ------------------------------------------------------------------------------------------ */

struct read
name_read(struct arena *arena, struct str name)
{
	struct query query = query_names(arena, confusable_skeleton(arena, name));

	query.limit = FOUND_MAX;
	return (struct read){.kind = READ_QUERY, .query = query};
}

/* Does this person still have that name, and is it still to be guarded? */
static bool
is_theirs(struct arena *arena, const struct item *item, struct str name)
{
	struct user user;

	if (item == NULL)
		return false;
	user_from_item(arena, item, &user);
	return name_is_guarded(&user) && (name_is_like(arena, user.username, name) ||
					     name_is_like(arena, user.display_name, name));
}

enum table_rc
name_is_theirs(struct table *table, struct table_call *call, const struct read *read,
    struct str name, struct str self, bool *theirs)
{
	struct key keys[FOUND_MAX];
	struct read people = {.kind = READ_BATCH, .batch = {keys, 0}};
	enum table_rc rc;

	*theirs = false;
	for (size_t i = 0; i < read->found_count; i++) {
		struct str username = item_string(&read->found[i], STR("Username"));

		if (!str_eq(username, self))
			keys[people.batch.count++] = key_user(call->arena, username);
	}
	if (people.batch.count == 0)
		return TABLE_OK;
	rc = table_read(table, call, &people, 1);
	for (size_t i = 0; rc == TABLE_OK && i < people.batch.count; i++)
		*theirs = *theirs || is_theirs(call->arena, people.items[i], name);
	return rc;
}

/* --- All of them ---------------------------------------------------------------------------------------- */

/* Guards the names of a page of people that are not guarded yet. */
static enum table_rc
guard_page(struct plan *plan, const struct item *people, size_t count, size_t *added)
{
	struct arena *arena = plan->call->arena;
	struct item guards[AT_ONCE * NAMES];
	struct key keys[AT_ONCE * NAMES];
	struct read there = {.kind = READ_BATCH, .batch = {keys, 0}};
	size_t missing;
	enum table_rc rc;

	for (size_t i = 0; i < count; i++) {
		struct str skeletons[NAMES];
		struct user user;
		size_t names;

		user_from_item(arena, &people[i], &user);
		names = name_is_guarded(&user) ? skeletons_of(arena, &user, skeletons) : 0;
		for (size_t n = 0; n < names; n++) {
			struct item guard = guard_of(arena, skeletons[n], user.username);

			guards[there.batch.count] = guard;
			keys[there.batch.count++] = item_key(&guard);
		}
	}
	if (there.batch.count == 0)
		return TABLE_OK;
	rc = table_read(plan->table, plan->call, &there, 1);
	for (size_t i = 0; rc == TABLE_OK && i < there.batch.count; i++)
		if (there.items[i] == NULL)
			plan_put(plan, guards[i]);
	if (rc != TABLE_OK)
		return rc;
	missing = plan->count;
	if (plan_commit(plan) == PLAN_DONE)
		*added += missing;
	return plan->failed;
}

/*
 * Guards a list of people, a page at a time. Arenas alternate, since the cursor points into the
 * page before.
 */
static enum table_rc
guard_list(struct table *table, struct query query, struct arena *const arenas[2], size_t *added)
{
	enum table_rc rc;
	int turn = 0;

	query.limit = AT_ONCE;
	do {
		struct table_call call = {.arena = arenas[turn]};
		struct plan plan = {.table = table, .call = &call};
		struct item *found;
		size_t count;

		rc = table_query(table, &call, &query, &found, &count, &query.cursor);
		if (rc == TABLE_OK)
			rc = guard_page(&plan, found, count, added);
		table_release(table, &call);
		turn = !turn;
		arena_reset(arenas[turn]);
	} while (rc == TABLE_OK && query.cursor.len != 0);
	return rc;
}

enum table_rc
names_guard_all(struct table *table, size_t *added)
{
	struct arena *keys = arena_new(), *arenas[2] = {arena_new(), arena_new()};
	const struct query lists[] = {query_people(keys, STR("admin"), STR("")),
	    query_people(keys, STR("editor"), STR("")), query_people(keys, STR("author"), STR("")),
	    query_people(keys, STR("disabled"), STR("")), query_authors()};
	enum table_rc rc = TABLE_OK;

	*added = 0;
	for (size_t i = 0; rc == TABLE_OK && i < sizeof(lists) / sizeof(lists[0]); i++)
		rc = guard_list(table, lists[i], arenas, added);
	arena_free(keys);
	arena_free(arenas[0]);
	arena_free(arenas[1]);
	return rc;
}
