#include "model/people/name.h"

#include "base/arena.h"
#include "base/confusable.h"
#include "base/unicode.h"
#include "model/key.h"

enum { FOUND_MAX = 20, AT_ONCE = 40 };

/* --- Whose name is guarded, and which names nobody takes ---------------------------------------------- */

bool
name_is_guarded(const struct user *user)
{
	return user->role >= ROLE_AUTHOR || user->posts > 0;
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

/* Without digits and what parts words at its ends: "admin_1" is "admin". */
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
	/* Of the site's staff, of its machines (RFC 2142 and its like), and of nobody. */
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

/* Scripts that are written with joiners have their letters beyond these. */
static bool
may_be_joined(uint32_t rune)
{
	return rune > 0x58f && unicode_is_word(rune);
}

/* Is there a character that nobody sees? A joiner between letters whose script is written with it is none. */
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
name_flaw(struct arena *arena, struct str name)
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

static struct write
put_guard(struct arena *arena, struct str skeleton, struct str username)
{
	struct write put = {.kind = WRITE_PUT};

	key_set(arena, &put.item, key_name_guard(arena, skeleton, username), STR("NameGuard"));
	item_set(arena, &put.item, STR("Username"), value_string(username));
	return put;
}

static struct write
drop_guard(struct arena *arena, struct str skeleton, struct str username)
{
	return (struct write){
	    .kind = WRITE_DELETE, .key = key_name_guard(arena, skeleton, username)};
}

/* The skeletons of somebody's names, each once. */
static size_t
skeletons_of(struct arena *arena, const struct user *user, struct str out[NAME_WRITES_MAX])
{
	const struct str names[] = {user->username, user->display_name};
	size_t count = 0;

	for (size_t i = 0; i < NAME_WRITES_MAX; i++) {
		struct str skeleton = confusable_skeleton(arena, names[i]);

		if (skeleton.len != 0 && (count == 0 || !str_eq(skeleton, out[0])))
			out[count++] = skeleton;
	}
	return count;
}

void
name_guard(struct arena *arena, const struct user *user, struct write *writes, size_t *count)
{
	struct str skeletons[NAME_WRITES_MAX];
	size_t all = skeletons_of(arena, user, skeletons);

	for (size_t i = 0; i < all; i++)
		writes[(*count)++] = put_guard(arena, skeletons[i], user->username);
}

void
name_unguard(struct arena *arena, const struct user *user, struct write *writes, size_t *count)
{
	struct str skeletons[NAME_WRITES_MAX];
	size_t all = skeletons_of(arena, user, skeletons);

	for (size_t i = 0; i < all; i++)
		writes[(*count)++] = drop_guard(arena, skeletons[i], user->username);
}

void
name_guard_change(struct arena *arena, const struct user *user, struct str new_name,
    struct write *writes, size_t *count)
{
	struct str username = confusable_skeleton(arena, user->username);
	struct str old = confusable_skeleton(arena, user->display_name);
	struct str new = confusable_skeleton(arena, new_name);

	if (str_eq(old, new))
		return;
	if (old.len != 0 && !str_eq(old, username))
		writes[(*count)++] = drop_guard(arena, old, user->username);
	if (new.len != 0 && !str_eq(new, username))
		writes[(*count)++] = put_guard(arena, new, user->username);
}

/* --- Looking ------------------------------------------------------------------------------------------ */

struct read
name_read(struct arena *arena, struct str name)
{
	struct query query = query_names(arena, confusable_skeleton(arena, name));

	query.limit = FOUND_MAX;
	return (struct read){.kind = READ_QUERY, .query = query};
}

/* Is this person still one whose name is guarded, and still called so? */
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

/* Guards those of a page of people who are not yet. */
static enum table_rc
guard_page(struct table *table, struct table_call *call, const struct item *people, size_t count,
    size_t *added)
{
	struct write writes[AT_ONCE * NAME_WRITES_MAX];
	struct key keys[AT_ONCE * NAME_WRITES_MAX];
	struct read there = {.kind = READ_BATCH, .batch = {keys, 0}};
	size_t all = 0, missing = 0;
	enum table_rc rc;

	for (size_t i = 0; i < count; i++) {
		struct user user;

		user_from_item(call->arena, &people[i], &user);
		if (name_is_guarded(&user))
			name_guard(call->arena, &user, writes, &all);
	}
	for (size_t i = 0; i < all; i++)
		keys[i] = item_key(&writes[i].item);
	there.batch.count = all;
	if (all == 0)
		return TABLE_OK;
	rc = table_read(table, call, &there, 1);
	for (size_t i = 0; rc == TABLE_OK && i < all; i++)
		if (there.items[i] == NULL)
			writes[missing++] = writes[i];
	if (rc == TABLE_OK && missing != 0)
		rc = table_transact(table, call, writes, missing, STR(""));
	*added += rc == TABLE_OK ? missing : 0;
	return rc;
}

/* A list of people, a page at a time, each with an arena of its own: the cursor lies in that of the page before. */
static enum table_rc
guard_list(struct table *table, struct query query, struct arena *const arenas[2], size_t *added)
{
	enum table_rc rc;
	int turn = 0;

	query.limit = AT_ONCE;
	do {
		struct table_call call = {.arena = arenas[turn]};
		struct item *found;
		size_t count;

		rc = table_query(table, &call, &query, &found, &count, &query.cursor);
		if (rc == TABLE_OK)
			rc = guard_page(table, &call, found, count, added);
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
