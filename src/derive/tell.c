#include "derive/tell.h"

#include "base/arena.h"
#include "base/clock.h"
#include "derive/letters.h"
#include "model/key.h"
#include "model/key_notification.h"
#include "model/people/leaving.h"
#include "model/permission.h"
#include "model/post/post.h"
#include "model/reader/follow.h"
#include "model/viewer.h"

#include <stdlib.h>

#define TO STR("To")
#define DONE STR("Done")
#define LIST STR("List")
#define CURSOR STR("Cursor")
#define PLACE STR("Place")

enum { PAGES_AT_ONCE = 2 };

bool
told_too_late(struct derive *d, int64_t at)
{
	return at < clock_now(d->clock) - NOTE_LATE_MS;
}

static int64_t
expires(int64_t at)
{
	return at / 1000 + (int64_t)NOTE_KEPT_DAYS * 86400;
}

/* --- Whom to tell ------------------------------------------------------------------------------------- */

static struct str
place_of(struct arena *arena, const struct tell *tell, int64_t at)
{
	return key_note_place(arena, at, note_word(tell->what), tell->target);
}

static void
add(struct derive *d, struct tells *tells, const struct tell *tell, struct str place)
{
	if (tells->count == tells->capacity) {
		struct tell *more =
		    ARENA_ARRAY(d->call->arena, 2 * tells->capacity + 8, struct tell);

		for (size_t i = 0; i < tells->count; i++)
			more[i] = tells->all[i];
		tells->all = more;
		tells->capacity = 2 * tells->capacity + 8;
	}
	tells->all[tells->count] = *tell;
	tells->all[tells->count++].place = place;
}

/* Who acts, who is nobody, and who is told already. */
static bool
is_left_out(const struct tells *tells, struct str to)
{
	bool out = to.len == 0 || str_eq(to, tells->actor) || pseudonym_valid(to);

	for (size_t i = 0; !out && i < tells->count; i++)
		out = str_eq(tells->all[i].to, to);
	return out;
}

void
tells_add(struct derive *d, struct tells *tells, struct tell tell)
{
	if (!is_left_out(tells, tell.to))
		add(d, tells, &tell, place_of(d->call->arena, &tell, tells->at));
}

void
tells_keep(struct derive *d, struct tells *tells, const struct item *told)
{
	size_t count = 0;
	const struct str *entries =
	    told != NULL ? item_strings(d->call->arena, told, TO, &count) : NULL;

	for (size_t i = 0; i < count; i++) {
		struct tell tell;
		struct str place, rest;

		tell.to = str_cut(entries[i], '\t', &place);
		(void)str_cut(place, '#', &rest);
		(void)str_cut(rest, '#', &rest);
		if (!note_of_word(str_cut(rest, '#', &tell.target), &tell.what) ||
		    pseudonym_valid(tell.to))
			continue;
		add(d, tells, &tell, place);
	}
}

/* --- A notification ----------------------------------------------------------------------------------- */

/* What a fact stands as in `of`. */
static struct str
member_of(struct arena *arena, const struct tells *fact)
{
	return STR_CONCAT(arena, fact->fact, STR("#"), fact->actor);
}

static int
by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Takes the fact out of `of`, whoever did it; and puts it in, if there is room. */
static void
set_member(struct arena *arena, struct notification *note, const struct tells *fact, bool in)
{
	struct str prefix = STR_CONCAT(arena, fact->fact, STR("#"));
	struct str *of = ARENA_ARRAY(arena, note->of.count + 1, struct str);
	size_t count = 0;

	for (size_t i = 0; i < note->of.count; i++)
		if (!str_starts(note->of.strings[i], prefix))
			of[count++] = note->of.strings[i];
	/* What was left out once stays so: else it would depend on the order in which the others go. */
	if (in && (note->full ? count < note->of.count : count < NOTE_OF_MAX))
		of[count++] = member_of(arena, fact);
	else if (in)
		note->full = true;
	qsort(of, count, sizeof(*of), by_name);
	note->of = (struct strings_value){of, count};
}

/* Is its target the comment itself? */
static bool
is_single(enum note_what what)
{
	return what == NOTE_REPLY || what == NOTE_MENTION;
}

/* The notification as it should be; NULL: there is nothing left to tell. */
static const struct item *
wanted_note(struct derive *d, const struct item *is, const struct tells *fact, struct str to,
    struct str place, const struct tell *tell)
{
	struct arena *arena = d->call->arena;
	struct item *wanted = ARENA_NEW(arena, struct item);
	struct notification note = {.at = 0};

	*wanted = is != NULL ? item_shallow(arena, is) : (struct item){.count = 0};
	if (is != NULL)
		note_from_item(arena, is, &note);
	set_member(arena, &note, fact, tell != NULL);
	if (note.of.count == 0)
		return NULL;
	if (tell != NULL) {
		note.what = tell->what;
		note.target = tell->target;
		note.post = fact->post;
		note.comment = is_single(tell->what) ? fact->comment : STR("");
		note.at = fact->at > note.at ? fact->at : note.at;
		key_set(arena, wanted, key_note(arena, to, place), ITEM_NOTIFICATION);
		key_index_note(arena, wanted, to, note.at, note_word(note.what), note.target);
		item_set(arena, wanted, TABLE_EXPIRES, value_number(expires(note.at)));
	}
	bind_rewrite(arena, &notification_bindings, &note, wanted);
	return wanted;
}

/* What stands single is told by a letter, too. */
static enum table_rc
write_to(struct derive *d, const struct tells *fact, struct str to, struct str place,
    const struct tell *tell)
{
	const struct letter letter = {.to = letter_to_member(d->call->arena, to),
	    .what = letter_note.what,
	    .thing = letter_note_thing(d->call->arena, fact->post, fact->comment, place),
	    .made = fact->at};

	return is_single(tell->what) ? derive_letters(d, &letter, 1) : TABLE_OK;
}

static enum table_rc
tell_in(struct derive *d, const struct tells *fact, struct str to, struct str place,
    const struct tell *tell)
{
	struct read read = {
	    .kind = READ_GET, .key = key_note(d->call->arena, to, place), .consistent = true};
	enum table_rc rc = table_read(d->table, d->call, &read, 1);

	if (rc != TABLE_OK || (read.item == NULL && tell == NULL))
		return rc;
	rc = derive_item(d, read.item, wanted_note(d, read.item, fact, to, place, tell));
	return rc == TABLE_OK && tell != NULL ? write_to(d, fact, to, place, tell) : rc;
}

enum table_rc
tell_one(
    struct derive *d, const struct tells *fact, struct str to, enum note_what what, struct str target)
{
	const struct tell tell = {.to = to, .what = what, .target = target};

	if (is_left_out(fact, to))
		return TABLE_OK;
	return tell_in(d, fact, to, place_of(d->call->arena, &tell, fact->at), &tell);
}

/* --- Pages of people ----------------------------------------------------------------------------------- */

/* A page may be asked about twice, from another beginning, or with somebody more: nobody who stands in it is dropped. */
enum table_rc
told_page_note(
    struct derive *d, struct str subject, const struct tells *fact, const struct told_page *page)
{
	struct arena *arena = d->call->arena;
	const struct tell tell = {.what = page->what, .target = page->target};
	struct read read = {.kind = READ_GET, .consistent = true};
	struct item item = {.count = 0};
	const struct str *was = NULL;
	struct str *all;
	size_t was_count = 0;
	enum table_rc rc;

	if (page->count == 0)
		return TABLE_OK;
	read.key = key_told_page(arena, subject, page->list, page->to[0]);
	rc = table_read(d->table, d->call, &read, 1);
	if (rc != TABLE_OK)
		return rc;
	if (read.item != NULL)
		was = item_strings(arena, read.item, TO, &was_count);
	all = ARENA_ARRAY(arena, was_count + page->count, struct str);
	for (size_t i = 0; i < was_count; i++)
		all[i] = was[i];
	for (size_t i = 0; i < page->count; i++)
		all[was_count + i] = page->to[i];
	key_set(arena, &item, read.key, ITEM_TOLD_PAGE);
	item_set(arena, &item, PLACE, value_string(place_of(arena, &tell, fact->at)));
	item_set(arena, &item, TO, value_set(arena, all, was_count + page->count));
	item_set(arena, &item, TABLE_EXPIRES, value_number(expires(fact->at)));
	return derive_item(d, read.item, &item);
}

static enum table_rc
untell_page(struct derive *d, const struct tells *fact, const struct item *page)
{
	size_t count;
	const struct str *to = item_strings(d->call->arena, page, TO, &count);
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < count; i++)
		rc = tell_in(d, fact, to[i], item_string(page, PLACE), NULL);
	return rc == TABLE_OK ? derive_item(d, page, NULL) : rc;
}

enum table_rc
untell_pages(struct derive *d, struct str subject, const struct tells *fact, int64_t list, bool *left)
{
	struct read read = {
	    .kind = READ_QUERY, .query = query_told_pages(d->call->arena, subject, list)};
	enum table_rc rc;

	read.query.consistent = true;
	read.query.limit = PAGES_AT_ONCE;
	rc = table_read(d->table, d->call, &read, 1);
	for (size_t i = 0; rc == TABLE_OK && i < read.found_count; i++)
		rc = untell_page(d, fact, &read.found[i]);
	*left = rc == TABLE_OK && read.next.len != 0;
	return rc;
}

enum table_rc
tell_may_read(struct derive *d, const struct post *post, struct str to, bool *out)
{
	struct read reads[2];
	struct viewer viewer;
	struct thing thing = thing_post(post, clock_now(d->clock));
	enum table_rc rc;

	*out = may(NULL, MAY_READ, thing);
	if (*out)
		return TABLE_OK;
	reads[0] = viewer_read(d->call->arena, to);
	reads[1] = follow_read(d->call->arena, to, post->author);
	rc = table_read(d->table, d->call, reads, 2);
	if (rc == TABLE_OK && viewer_take(d->call->arena, &reads[0], &viewer))
		*out = may(&viewer, MAY_READ, thing_followed(thing, follow_holds(&reads[1])));
	return rc;
}

/* --- What was told ------------------------------------------------------------------------------------ */

/* No username has a tab, and no place. */
static struct str
entry_of(struct arena *arena, const struct tell *tell)
{
	return STR_CONCAT(arena, tell->to, STR("\t"), tell->place);
}

struct read
told_read(struct derive *d, struct str subject)
{
	return (struct read){
	    .kind = READ_GET, .key = key_told(d->call->arena, subject), .consistent = true};
}

int64_t
told_at(const struct item *told)
{
	int64_t at = 0;

	if (told != NULL)
		(void)time_parse(item_string(told, STR("At")), &at);
	return at;
}

bool
told_is_done(const struct item *told)
{
	return told != NULL && item_boolean(told, DONE);
}

void
told_begin(struct derive *d, struct item *item, struct str subject, int64_t at)
{
	struct arena *arena = d->call->arena;

	key_set(arena, item, key_told(arena, subject), ITEM_TOLD);
	item_set(arena, item, STR("At"), value_string(time_format(arena, at)));
	item_set(arena, item, TABLE_EXPIRES, value_number(expires(at)));
}

void
told_set_cursor(struct arena *arena, struct item *item, struct str cursor)
{
	if (cursor.len != 0)
		item_set(arena, item, CURSOR, value_binary(cursor));
	else
		item_set(arena, item, DONE, value_boolean(true));
}

struct str
told_cursor(const struct item *told)
{
	const struct value *cursor = told != NULL ? item_get(told, CURSOR) : NULL;

	return cursor != NULL && cursor->kind == VALUE_BINARY ? cursor->string : STR("");
}

static struct item
told_item(struct derive *d, struct str subject, const struct item *is, int64_t at)
{
	struct item item = {.count = 0};

	if (is != NULL)
		return item_shallow(d->call->arena, is);
	told_begin(d, &item, subject, at);
	return item;
}

enum table_rc
told_part_load(struct derive *d, struct str subject, struct told_part *out)
{
	struct read read = told_read(d, subject);
	enum table_rc rc = table_read(d->table, d->call, &read, 1);

	*out = (struct told_part){.cursor = STR("")};
	if (rc == TABLE_OK && read.item != NULL) {
		out->list = item_number(read.item, LIST);
		out->cursor = told_cursor(read.item);
	}
	return rc;
}

enum table_rc
told_part_store(struct derive *d, struct str subject, int64_t at, const struct told_part *part)
{
	struct arena *arena = d->call->arena;
	struct read read = told_read(d, subject);
	enum table_rc rc = table_read(d->table, d->call, &read, 1);
	struct item item;

	if (rc != TABLE_OK)
		return rc;
	item = told_item(d, subject, read.item, at);
	item_remove(&item, CURSOR);
	item_remove(&item, LIST);
	if (part == NULL) {
		item_set(arena, &item, DONE, value_boolean(true));
		return derive_item(d, read.item, &item);
	}
	item_set(arena, &item, LIST, value_number(part->list));
	if (part->cursor.len != 0)
		item_set(arena, &item, CURSOR, value_binary(part->cursor));
	return derive_item(d, read.item, &item);
}

enum table_rc
told_part_forget(struct derive *d, const struct item *told, const struct item **out)
{
	struct item *item = ARENA_NEW(d->call->arena, struct item);

	*item = item_shallow(d->call->arena, told);
	item_remove(item, CURSOR);
	item_remove(item, LIST);
	item_remove(item, DONE);
	*out = item;
	return derive_item(d, told, item);
}

/* The item with these people; NULL: it says nothing. */
static const struct item *
told_of(struct derive *d, struct str subject, const struct item *is, const struct tells *tells,
    const struct str *to, size_t count)
{
	struct arena *arena = d->call->arena;
	struct item *item = ARENA_NEW(arena, struct item);

	if (count == 0 && !tells->once && (is == NULL || item_get(is, LIST) == NULL))
		return NULL;
	*item = told_item(d, subject, is, tells->at);
	if (count != 0)
		item_set(arena, item, TO, value_set(arena, to, count));
	else
		item_remove(item, TO);
	if (tells->once)
		item_set(arena, item, DONE, value_boolean(true));
	return item;
}

/* What should be told there; NULL: nothing. */
static const struct tell *
find(struct derive *d, const struct tells *tells, struct str entry)
{
	for (size_t i = 0; i < tells->count; i++)
		if (str_eq(entry_of(d->call->arena, &tells->all[i]), entry))
			return &tells->all[i];
	return NULL;
}

enum table_rc
tell_all(struct derive *d, struct str subject, const struct item *told, const struct tells *tells)
{
	struct arena *arena = d->call->arena;
	struct str *wanted = ARENA_ARRAY(arena, tells->count, struct str), *both;
	const struct item *now;
	const struct str *was = NULL;
	size_t was_count = 0;
	struct value all;
	enum table_rc rc;

	if (told == NULL && (told_too_late(d, tells->at) || (tells->count == 0 && !tells->once)))
		return TABLE_OK;
	if (told != NULL)
		was = item_strings(arena, told, TO, &was_count);
	both = ARENA_ARRAY(arena, was_count + tells->count, struct str);
	for (size_t i = 0; i < was_count; i++)
		both[i] = was[i];
	for (size_t i = 0; i < tells->count; i++)
		both[was_count + i] = wanted[i] = entry_of(arena, &tells->all[i]);
	all = value_set(arena, both, was_count + tells->count);
	now = told_of(d, subject, told, tells, all.set.members, all.set.count);
	rc = derive_item(d, told, now);
	for (size_t i = 0; rc == TABLE_OK && i < all.set.count; i++) {
		struct str place, to = str_cut(all.set.members[i], '\t', &place);

		rc = tell_in(d, tells, to, place, find(d, tells, all.set.members[i]));
	}
	if (rc != TABLE_OK || all.set.count == tells->count)
		return rc;
	return derive_item(d, now, told_of(d, subject, now, tells, wanted, tells->count));
}
