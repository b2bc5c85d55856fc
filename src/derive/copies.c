/*
 * Names of people and titles of posts stand in many items as copies, so that a list is one query. When somebody changes
 * their name, or a post its title, the copies follow; and what was written meanwhile by somebody who had read the old
 * name is put right when its own record comes.
 *
 * The subjects are a person (U<username>), a post (P<id>), and any other item that has copies (I<key>). What was last
 * copied everywhere is kept as a hash in COPIED#<subject>: most changes of a person or a post leave the name alone, and
 * then nothing else is read.
 */
#include "derive/rows.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/key_work.h"
#include "model/key_post.h"
#include "model/kinds.h"
#include "model/people/common.h"

#include <inttypes.h>
#include <string.h>

/* Copies, and the attribute that names whose they are. */
static const struct copied {
	struct str copy, whose;
} copied[] = {
    {STR_INIT("AuthorName"), STR_INIT("Author")},
    {STR_INIT("ByName"), STR_INIT("By")},
    {STR_INIT("OwnerName"), STR_INIT("Owner")},
};
static const struct str people[] = {STR_INIT("Asked"), STR_INIT("Coauthors")}; /* lists of maps */
static const struct str title = STR_INIT("PostTitle"), title_of = STR_INIT("Post");

enum { COPIED_COUNT = sizeof(copied) / sizeof(copied[0]), PEOPLE_COUNT = 2, NAMES_MAX = 64 };

/* --- Whom a change concerns -------------------------------------------------------------------------- */

static bool
copies(const struct kind *kind, struct str attribute)
{
	const struct binding *binding = bind_find(kind->bindings, attribute);

	return binding != NULL && binding->mark == MARK_COPIED;
}

/*
 * A revision has the names that there were. Where a picture is used no list of the post leads to: the save that changes the
 * title writes that, too.
 */
static bool
has_copies(const struct kind *kind)
{
	bool some = copies(kind, title);

	for (size_t i = 0; i < COPIED_COUNT; i++)
		some = some || copies(kind, copied[i].copy);
	return some && kind != &item_kinds[ITEM_REVISION] && kind != &item_kinds[ITEM_MEDIA_USE];
}

/* A post's head, and what is the same as it for each of its other authors. */
static bool
is_head(const struct kind *kind)
{
	return kind == &item_kinds[ITEM_POST] || kind == &item_kinds[ITEM_POST_COPY] ||
	       kind == &item_kinds[ITEM_POST_REQUEST];
}

struct str
copies_subject(struct arena *arena, struct key key, const struct kind *kind)
{
	if (kind == &item_kinds[ITEM_USER])
		return STR_CONCAT(arena, STR("U"), key_name(key));
	if (kind == NULL || !has_copies(kind))
		return STR("");
	if (is_head(kind))
		return STR_CONCAT(arena, STR("P"), key_name(key));
	return STR_CONCAT(arena, STR("I"), subject_of_key(arena, key));
}

/* --- Names -------------------------------------------------------------------------------------------- */

/* What has been read for a subject, so that it is read once. */
struct names {
	struct key keys[NAMES_MAX];
	struct str found[NAMES_MAX];
	size_t count;
	struct arena *arena;
};

/* What to copy from a person or a post; empty when there is none. */
static enum table_rc
look_up(struct derive *d, struct names *names, struct key key, struct str attribute, struct str *out)
{
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};
	enum table_rc rc;

	for (size_t i = 0; i < names->count; i++) {
		*out = names->found[i];
		if (str_eq(names->keys[i].pk, key.pk) && str_eq(names->keys[i].sk, key.sk))
			return TABLE_OK;
	}
	rc = table_read(d->table, d->call, &read, 1);
	if (rc != TABLE_OK)
		return rc;
	*out = read.item != NULL ? str_dup(names->arena, item_string(read.item, attribute)) : STR("");
	if (names->count == NAMES_MAX)
		names->count = 0;
	names->keys[names->count] = (struct key){str_dup(names->arena, key.pk), str_dup(names->arena, key.sk)};
	names->found[names->count++] = *out;
	return TABLE_OK;
}

static enum table_rc
name_of(struct derive *d, struct names *names, struct str username, struct str *out)
{
	*out = STR("");
	if (username.len == 0)
		return TABLE_OK;
	return look_up(d, names, key_user(d->call->arena, username), STR("DisplayName"), out);
}

/* --- An item ------------------------------------------------------------------------------------------ */

/* The copies of names in a list of people. */
static enum table_rc
put_people(struct derive *d, struct names *names, struct str attribute, struct item *wanted)
{
	const struct value *list = item_get(wanted, attribute);
	struct value after;

	if (list == NULL || list->kind != VALUE_LIST)
		return TABLE_OK;
	after = value_copy(d->call->arena, list);
	for (size_t i = 0; i < after.list.count; i++) {
		struct value *one = &after.list.values[i];
		struct str name;
		enum table_rc rc;

		if (one->kind != VALUE_MAP)
			continue;
		rc = name_of(d, names, item_string(&one->map, STR("Username")), &name);
		if (rc != TABLE_OK)
			return rc;
		if (name.len != 0)
			item_set(d->call->arena, &one->map, STR("Name"), value_string(name));
	}
	item_set(d->call->arena, wanted, attribute, after);
	return TABLE_OK;
}

/*
 * What nobody has any more, as that of somebody who is gone, stays as it is. So do names in what no list of a person
 * leads to, as what was deleted: a new name does not find it.
 */
static enum table_rc
put_right(struct derive *d, struct names *names, const struct item *item)
{
	struct item wanted = item_shallow(d->call->arena, item);
	bool found = item_get(item, STR("GSI1PK")) != NULL;
	enum table_rc rc = TABLE_OK;
	struct str name;

	for (size_t i = 0; found && rc == TABLE_OK && i < COPIED_COUNT; i++) {
		if (item_get(item, copied[i].copy) == NULL)
			continue;
		rc = name_of(d, names, item_string(item, copied[i].whose), &name);
		if (rc == TABLE_OK && name.len != 0)
			item_set(d->call->arena, &wanted, copied[i].copy, value_string(name));
	}
	for (size_t i = 0; found && rc == TABLE_OK && i < PEOPLE_COUNT; i++)
		rc = put_people(d, names, people[i], &wanted);
	if (rc == TABLE_OK && item_get(item, title) != NULL && item_get(item, title_of) != NULL) {
		rc = look_up(d, names, key_post(d->call->arena, item_string(item, title_of)),
		    STR("Title"), &name);
		if (rc == TABLE_OK && name.len != 0)
			item_set(d->call->arena, &wanted, title, value_string(name));
	}
	return rc == TABLE_OK ? derive_item(d, item, &wanted) : rc;
}

/* --- Everywhere --------------------------------------------------------------------------------------- */

/* The item as it is now, since an index may be behind. */
static enum table_rc
put_right_at(struct derive *d, struct names *names, struct key key)
{
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};
	enum table_rc rc = table_read(d->table, d->call, &read, 1);

	return rc == TABLE_OK && read.item != NULL ? put_right(d, names, read.item) : rc;
}

/* A post, and beside it the same for its other authors. */
static void
read_heads(struct arena *arena, struct str post, struct read reads[2])
{
	reads[0] = (struct read){
	    .kind = READ_GET, .key = key_post(arena, post), .consistent = true};
	reads[1] = (struct read){.kind = READ_QUERY, .query = query_post_copies(arena, post)};
	reads[1].query.limit = TABLE_BATCH_MAX;
	reads[1].query.consistent = true;
}

static enum table_rc
put_heads_right(struct derive *d, struct names *names, const struct read reads[2])
{
	enum table_rc rc = reads[0].item != NULL ? put_right(d, names, reads[0].item) : TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < reads[1].found_count; i++)
		rc = put_right(d, names, &reads[1].found[i]);
	return rc;
}

static enum table_rc
visit(struct derive *d, const struct item *item, void *context)
{
	const struct kind *kind = kind_of(item);
	struct read reads[2];
	enum table_rc rc;

	if (kind == NULL || !has_copies(kind))
		return TABLE_OK;
	if (!is_head(kind))
		return put_right_at(d, context, item_key(item));
	read_heads(d->call->arena, key_name(item_key(item)), reads);
	rc = table_read(d->table, d->call, reads, 2);
	return rc == TABLE_OK ? put_heads_right(d, context, reads) : rc;
}

static struct str
hash_of(struct arena *arena, struct str name)
{
	return str_fmt(arena, "%016" PRIx64, common_hash(name));
}

/* Notes what was copied everywhere; of what is gone, nothing. */
static enum table_rc
note(struct derive *d, const struct item *was, struct str subject, struct str name)
{
	struct item is = {0};

	if (name.len == 0)
		return derive_item(d, was, NULL);
	key_set(d->call->arena, &is, key_copied(d->call->arena, subject), ITEM_COPIED);
	item_set(d->call->arena, &is, STR("Hash"), value_string(hash_of(d->call->arena, name)));
	return derive_item(d, was, &is);
}

/* Of a person what they did; of a post what others did with it. */
static enum table_rc
copy_everywhere(struct derive *d, struct names *names, struct str subject)
{
	struct arena *arena = d->call->arena;
	struct str of = str_sub(subject, 1, subject.len);
	enum table_rc rc;

	if (subject.base[0] == 'U')
		return derive_each(d, query_activity(arena, of), visit, names);
	rc = derive_each(d, query_comments(arena, of), visit, names);
	return rc == TABLE_OK ? derive_each(d, query_about(arena, of), visit, names) : rc;
}

/* Copies the name of a person or a post everywhere, unless that was done. */
static enum table_rc
derive_named(struct derive *d, struct names *names, struct str subject, const struct item *item,
    struct str attribute, const struct item *noted)
{
	struct str name = item != NULL ? item_string(item, attribute) : STR("");
	enum table_rc rc = TABLE_OK;

	if (name.len != 0 && (noted == NULL || !str_eq(item_string(noted, STR("Hash")),
						   hash_of(d->call->arena, name))))
		rc = copy_everywhere(d, names, subject);
	return rc == TABLE_OK ? note(d, noted, subject, name) : rc;
}

enum table_rc
copies_derive(struct derive *d, struct str subject)
{
	struct str of = str_sub(subject, 1, subject.len);
	struct names names = {.arena = d->call->arena};
	struct read reads[3];
	enum table_rc rc;

	if (subject.base[0] == 'I')
		return put_right_at(d, &names, subject_key(of));
	reads[0] = (struct read){.kind = READ_GET,
	    .key = key_copied(d->call->arena, subject),
	    .consistent = true};
	if (subject.base[0] == 'U') {
		reads[1] = (struct read){.kind = READ_GET,
		    .key = key_user(d->call->arena, of),
		    .consistent = true};
		rc = table_read(d->table, d->call, reads, 2);
		return rc == TABLE_OK ? derive_named(d, &names, subject, reads[1].item,
					    STR("DisplayName"), reads[0].item)
				      : rc;
	}
	read_heads(d->call->arena, of, reads + 1);
	rc = table_read(d->table, d->call, reads, 3);
	if (rc == TABLE_OK)
		rc = put_heads_right(d, &names, reads + 1);
	return rc == TABLE_OK
		   ? derive_named(d, &names, subject, reads[1].item, STR("Title"), reads[0].item)
		   : rc;
}
