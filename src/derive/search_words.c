/*
 * What the index keeps of a text for passages, and what the dictionary is told of it: the words that have come, and those that have
 * gone. What it had before says what is kept of it. So that is put only when the dictionary has been told: who is killed
 * before tells it once more.
 */
#include "derive/search_private.h"

#include "base/arena.h"

#include <stdlib.h>

/* Words, each once and sorted. */
struct word_set {
	struct arena *arena;
	struct str *words;
	size_t count, capacity;
};

static void
add_words(struct word_set *set, struct words *plain, struct str text)
{
	struct word word;

	for (words_begin(plain, text); words_next(plain, &word);) {
		if (word.pair)
			continue;
		if (set->count == set->capacity) {
			size_t capacity = set->capacity != 0 ? 2 * set->capacity : 256;

			set->words = arena_grow(set->arena, set->words,
			    set->capacity * sizeof(struct str), capacity * sizeof(struct str));
			set->capacity = capacity;
		}
		set->words[set->count++] = str_dup(set->arena, word.folded);
	}
}

static int
compare(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static struct word_set
words_in(struct arena *arena, struct words *plain, struct str title, struct str text)
{
	struct word_set set = {.arena = arena};
	size_t kept = 0;

	add_words(&set, plain, title);
	add_words(&set, plain, text);
	if (set.count != 0)
		qsort(set.words, set.count, sizeof(*set.words), compare);
	for (size_t i = 0; i < set.count; i++)
		if (kept == 0 || !str_eq(set.words[kept - 1], set.words[i]))
			set.words[kept++] = set.words[i];
	set.count = kept;
	return set;
}

struct uses {
	struct word_use *all;
	size_t count, capacity;
};

/* The words of a set that another has not; all of them, if it is NULL. */
static void
add_uses(struct arena *arena, struct uses *uses, const struct word_set *of,
    const struct word_set *but, uint64_t number)
{
	for (size_t i = 0, j = 0; i < of->count; i++) {
		while (but != NULL && j < but->count && str_cmp(but->words[j], of->words[i]) < 0)
			j++;
		if (but != NULL && j < but->count && str_eq(but->words[j], of->words[i]))
			continue;
		if (uses->count == uses->capacity) {
			size_t capacity = uses->capacity != 0 ? 2 * uses->capacity : 512;

			uses->all = arena_grow(arena, uses->all,
			    uses->capacity * sizeof(*uses->all), capacity * sizeof(*uses->all));
			uses->capacity = capacity;
		}
		uses->all[uses->count++] = (struct word_use){of->words[i], number};
	}
}

/* --- A text ------------------------------------------------------------------------------------------- */

/* One of those that are told together. */
struct telling {
	struct derive *d;
	struct words *plain;
	struct uses come; /* of those of which nothing has gone */
	struct write *writes;
	size_t write_count;
};

static bool
is_post(const struct search_text *text)
{
	return key_search_space(text->fact) == SEARCH_POSTS;
}

/* Is something kept of it that may have other words now? Of one that the index never held there is nothing. */
static bool
was_kept(const struct search_text *text)
{
	return !text->told && (text->is.there || text->is.count != 0);
}

bool
search_words_leave(const struct search_text *text)
{
	return is_post(text) && was_kept(text);
}

/* Pages have no key by the time of their publication, by which a witness is found. */
static bool
is_witness(const struct search_text *text)
{
	return is_post(text) && text->wanted.there && text->wanted.kind != KIND_PAGE;
}

static struct key
key_kept(struct arena *arena, const struct search_text *text, uint64_t number)
{
	return key_search_text(arena, number, key_search_id(text->fact));
}

/* What was kept of each, NULL for none. */
static enum table_rc
read_kept(struct derive *d, const struct search_text *texts, size_t count, struct item **out)
{
	struct arena *arena = d->call->arena;
	struct read *reads = ARENA_ARRAY(arena, count + 1, struct read);
	size_t *of = ARENA_ARRAY(arena, count + 1, size_t), n = 0;
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; i < count; i++) {
		if (!was_kept(&texts[i]))
			continue;
		of[n] = i;
		reads[n++] = (struct read){.kind = READ_GET,
		    .key = key_kept(arena, &texts[i], texts[i].is.number),
		    .consistent = true};
	}
	if (n != 0)
		rc = table_read(d->table, d->call, reads, n);
	for (size_t i = 0; rc == TABLE_OK && i < n; i++)
		out[of[i]] = reads[i].item;
	return rc;
}

/* What is to be kept of it; false: that is there already. */
static bool
keep(
    struct arena *arena, const struct search_text *text, const struct item *kept, struct write *out)
{
	if (!text->wanted.there) {
		*out = (struct write){
		    .kind = WRITE_DELETE, .key = key_kept(arena, text, text->is.number)};
		return kept != NULL;
	}
	*out = (struct write){.kind = WRITE_PUT};
	key_set(arena, &out->item, key_kept(arena, text, text->wanted.number), ITEM_SEARCH_TEXT);
	item_set(arena, &out->item, STR("Text"), value_string(text->text));
	if (text->title.len != 0)
		item_set(arena, &out->item, STR("Title"), value_string(text->title));
	return kept == NULL || !item_eq(kept, &out->item);
}

/* One of which words have gone is told by itself, so that no other one is told that this is still their witness. */
static enum table_rc
tell_text(struct telling *t, const struct search_text *text, const struct item *kept)
{
	struct derive *d = t->d;
	struct arena *arena = d->call->arena;
	struct word_set before = {0}, now = {0};
	struct uses gone = {0}, come = {0};
	struct write write;
	bool differs = keep(arena, text, kept, &write);
	enum table_rc rc;

	if (is_post(text) && kept != NULL)
		before = words_in(arena, t->plain, item_string(kept, STR("Title")),
		    item_string(kept, STR("Text")));
	if (is_witness(text))
		now = words_in(arena, t->plain, text->title, text->text);
	add_uses(arena, &gone, &before, &now, text->is.number);
	/* A rebuild trusts nothing: all words are to be there. */
	add_uses(arena, gone.count != 0 ? &come : &t->come, &now, d->whole ? NULL : &before,
	    text->wanted.number);
	if (gone.count == 0) {
		if (differs)
			t->writes[t->write_count++] = write;
		return TABLE_OK;
	}
	rc = spelling_leave(d, gone.all, gone.count);
	if (rc == TABLE_OK)
		rc = spelling_enter(d, come.all, come.count);
	return rc == TABLE_OK && differs ? derive_writes(d, &write, 1) : rc;
}

static enum table_rc
tell_texts(struct derive *d, const struct search_text *texts, size_t count)
{
	struct arena *arena = d->call->arena;
	struct telling t = {.d = d, .writes = ARENA_ARRAY(arena, count + 1, struct write)};
	struct item **kept = ARENA_ARRAY(arena, count + 1, struct item *);
	enum table_rc rc = read_kept(d, texts, count, kept);

	t.plain = words_new(STR(""));
	for (size_t i = 0; rc == TABLE_OK && i < count; i++)
		if (!texts[i].told && (!texts[i].settled || d->whole))
			rc = tell_text(&t, &texts[i], kept[i]);
	words_free(t.plain);
	if (rc == TABLE_OK)
		rc = spelling_enter(d, t.come.all, t.come.count);
	return rc == TABLE_OK ? derive_writes_apart(d, t.writes, t.write_count) : rc;
}

enum table_rc
search_tell_words(struct derive *d, const struct search_text *texts, size_t count)
{
	struct arena *outer = d->call->arena;
	struct str first = d->first;
	enum table_rc rc;

	d->call->arena = arena_new();
	rc = tell_texts(d, texts, count);
	d->first = first.len != 0 ? first : str_dup(outer, d->first);
	if (d->call->why != NULL)
		d->call->why = str_cstring(outer, str_of(d->call->why));
	table_release(d->table, d->call);
	arena_free(d->call->arena);
	d->call->arena = outer;
	return rc;
}
