/*
 * What the search finds a post or a comment by, from the facts: docs/search.md has the list.
 *
 * What somebody says counts: the title three times, the excerpt (unless the text begins so), the text, steps, materials and
 * tools. So do the names of its authors, tags and category, but for the length. Fields are terms of their own, with a colon, which no
 * word has: "author:anna", "title:harbour".
 */
#include "derive/search_private.h"

#include "base/arena.h"
#include "base/buf.h"
#include "text/markdown.h"

#include <stdlib.h>

enum {
	TITLE = 3,        /* a word of the title counts so often */
	KEPT = 16 * 1000, /* bytes of a text that are kept for passages */
	FIRST_SLOTS = 1024,
	FORM = 1, /* of what is made of the facts: another one makes all of it anew */
};

/* --- Hashes ------------------------------------------------------------------------------------------- */

static void
hash_bytes(uint64_t *hash, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < len; i++)
		*hash = (*hash ^ at[i]) * 1099511628211u;
	*hash = (*hash ^ 0xff) * 1099511628211u;
}

static void
hash_str(uint64_t *hash, struct str s)
{
	hash_bytes(hash, s.base, s.len);
}

static void
hash_number(uint64_t *hash, int64_t number)
{
	hash_bytes(hash, &number, sizeof(number));
}

static void
hash_strings(uint64_t *hash, const struct strings_value *strings)
{
	for (size_t i = 0; i < strings->count; i++)
		hash_str(hash, strings->strings[i]);
	hash_number(hash, (int64_t)strings->count);
}

/* Whole stars, rounded down; -1: nobody has rated it. */
static int64_t
stars_of(const struct post *post)
{
	return post->ratings > 0 ? post->stars / post->ratings : -1;
}

static void
hash_body(uint64_t *hash, const struct post_body *body)
{
	hash_str(hash, body->markdown);
	hash_str(hash, body->source);
	for (size_t i = 0; i < body->step_count; i++)
		hash_str(hash, body->steps[i].markdown);
	hash_number(hash, (int64_t)body->step_count);
	for (size_t i = 0; i < body->material_count; i++) {
		hash_str(hash, body->materials[i].name);
		hash_str(hash, body->materials[i].amount);
	}
	hash_strings(hash, &body->tools);
}

uint64_t
search_post_facts(const struct search_post *facts)
{
	const struct post *post = facts->post;
	uint64_t hash = 14695981039346656037u;

	hash_number(&hash, FORM);
	hash_str(&hash, post->language.len != 0 ? post->language : facts->language);
	hash_str(&hash, post->title);
	hash_str(&hash, post->excerpt);
	hash_str(&hash, post->author);
	hash_str(&hash, post->author_name);
	for (size_t i = 0; i < post->other_count; i++) {
		hash_str(&hash, post->others[i].username);
		hash_str(&hash, post->others[i].name);
	}
	hash_str(&hash, post->category);
	hash_strings(&hash, &post->tags);
	hash_number(&hash, post->kind);
	hash_number(&hash, post->published);
	hash_number(&hash, stars_of(post));
	hash_body(&hash, facts->body);
	return hash;
}

uint64_t
search_comment_facts(const struct search_comment *facts)
{
	uint64_t hash = 14695981039346656037u;

	hash_number(&hash, FORM);
	hash_str(&hash, facts->language);
	hash_str(&hash, facts->comment->author);
	hash_str(&hash, facts->comment->markdown);
	hash_number(&hash, facts->appeared);
	hash_number(&hash, facts->post->published);
	return hash;
}

/* --- Stemmers ----------------------------------------------------------------------------------------- */

static struct words *
stemmer_of(struct search_stemmers *stemmers, struct str language)
{
	struct str name = words_language(language);
	size_t at;

	for (size_t i = 0; i < SEARCH_STEMMERS; i++)
		if (stemmers->each[i].words != NULL && str_eq(stemmers->each[i].language, name))
			return stemmers->each[i].words;
	at = stemmers->next++ % SEARCH_STEMMERS;
	words_free(stemmers->each[at].words);
	stemmers->each[at].language = name;
	return stemmers->each[at].words = words_new(name);
}

void
search_stemmers_free(struct search_stemmers *stemmers)
{
	for (size_t i = 0; i < SEARCH_STEMMERS; i++)
		words_free(stemmers->each[i].words);
}

/* --- Terms of a text ---------------------------------------------------------------------------------- */

/* Terms with how often they are there. */
struct bag {
	struct arena *arena;
	struct words *words;
	struct term_use *slots; /* as many as a power of two; an empty term: free */
	size_t slot_count, count;
	int64_t length;
};

static struct term_use *
slot_of(struct term_use *slots, size_t slot_count, struct str term)
{
	uint64_t hash = 14695981039346656037u;
	size_t at;

	for (size_t i = 0; i < term.len; i++)
		hash = (hash ^ (unsigned char)term.base[i]) * 1099511628211u;
	at = (size_t)(hash ^ hash >> 29) & (slot_count - 1);
	while (slots[at].term.len != 0 && !str_eq(slots[at].term, term))
		at = (at + 1) & (slot_count - 1);
	return &slots[at];
}

static void
grow(struct bag *bag)
{
	size_t count = bag->slot_count != 0 ? 2 * bag->slot_count : FIRST_SLOTS;
	struct term_use *slots = ARENA_ARRAY(bag->arena, count, struct term_use);

	for (size_t i = 0; i < bag->slot_count; i++)
		if (bag->slots[i].term.len != 0)
			*slot_of(slots, count, bag->slots[i].term) = bag->slots[i];
	bag->slots = slots;
	bag->slot_count = count;
}

static void
add_term(struct bag *bag, struct str term, uint32_t times)
{
	struct term_use *slot;

	if (2 * bag->count >= bag->slot_count)
		grow(bag);
	slot = slot_of(bag->slots, bag->slot_count, term);
	if (slot->term.len == 0) {
		slot->term = str_dup(bag->arena, term);
		bag->count++;
	}
	slot->frequency += times;
	if (slot->frequency > POSTING_FREQUENCY_MAX)
		slot->frequency = POSTING_FREQUENCY_MAX;
}

/* A text whose words count so often; counted: its length, too. */
static void
add_text(struct bag *bag, struct str text, uint32_t times, bool counted)
{
	struct word word;

	for (words_begin(bag->words, text); words_next(bag->words, &word);) {
		add_term(bag, word.term, times);
		if (counted)
			bag->length += times;
	}
}

static void
add_field(struct bag *bag, const char *field, struct str value)
{
	if (value.len != 0)
		add_term(bag, STR_CONCAT(bag->arena, str_of(field), STR(":"), value), 1);
}

static int
by_term(const void *a, const void *b)
{
	return str_cmp(((const struct term_use *)a)->term, ((const struct term_use *)b)->term);
}

/* The terms, sorted. */
static void
take_uses(struct bag *bag, struct search_record *out)
{
	out->uses = ARENA_ARRAY(bag->arena, bag->count + 1, struct term_use);
	out->count = 0;
	for (size_t i = 0; i < bag->slot_count; i++)
		if (bag->slots[i].term.len != 0)
			out->uses[out->count++] = bag->slots[i];
	qsort(out->uses, out->count, sizeof(*out->uses), by_term);
	out->words = bag->length;
	out->length = postings_length_code(bag->length);
}

/* --- Posts -------------------------------------------------------------------------------------------- */

static void
put_part(struct buf *text, struct str part)
{
	part = str_trim(part);
	if (part.len == 0)
		return;
	if (text->len != 0)
		buf_putc(text, '\n');
	buf_put(text, part);
}

/* Is it the beginning of the text, maybe with an ellipsis? */
static bool
begins_so(struct str text, struct str excerpt)
{
	if (str_ends(excerpt, STR("…")))
		excerpt.len -= STR("…").len;
	return str_starts(text, str_trim(excerpt));
}

/* All that it says, in lines. */
static struct str
text_of(struct arena *arena, const struct search_post *facts)
{
	const struct post_body *body = facts->body;
	struct str main = markdown_text(arena, body->markdown);
	struct buf text = {.arena = arena};

	if (!begins_so(main, facts->post->excerpt))
		put_part(&text, facts->post->excerpt);
	put_part(&text, main);
	for (size_t i = 0; i < body->material_count; i++)
		put_part(&text, STR_CONCAT(arena, body->materials[i].amount, STR(" "), body->materials[i].name));
	for (size_t i = 0; i < body->tools.count; i++)
		put_part(&text, body->tools.strings[i]);
	for (size_t i = 0; i < body->step_count; i++)
		put_part(&text, markdown_text(arena, body->steps[i].markdown));
	put_part(&text, body->source);
	return buf_str(&text);
}

/* At most so many bytes, of whole characters. */
static struct str
kept_of(struct str text)
{
	if (text.len <= KEPT)
		return text;
	text.len = KEPT;
	while (text.len > 0 && ((unsigned char)text.base[text.len] & 0xc0) == 0x80)
		text.len--;
	return text;
}

static void
add_authors(struct bag *bag, const struct post *post)
{
	add_field(bag, "author", post->author);
	add_text(bag, post->author_name, 1, false);
	for (size_t i = 0; i < post->other_count; i++) {
		add_field(bag, "author", post->others[i].username);
		add_text(bag, post->others[i].name, 1, false);
	}
}

/* "pt-BR" is found as "pt", too. */
static void
add_language(struct bag *bag, struct str language)
{
	struct str small = str_lower(bag->arena, language), first = str_sub(small, 0, str_find(small, '-'));

	add_field(bag, "lang", small);
	if (first.len != small.len)
		add_field(bag, "lang", first);
}

static void
add_fields(struct bag *bag, const struct post *post, struct str language)
{
	struct word word;

	for (words_begin(bag->words, post->title); words_next(bag->words, &word);)
		add_field(bag, "title", word.term);
	add_authors(bag, post);
	add_field(bag, "category", post->category);
	add_text(bag, post->category, 1, false);
	for (size_t i = 0; i < post->tags.count; i++) {
		add_field(bag, "tag", post->tags.strings[i]);
		add_text(bag, post->tags.strings[i], 1, false);
	}
	add_language(bag, language);
	if (stars_of(post) >= 0)
		add_field(bag, "stars", str_fmt(bag->arena, "%d", (int)stars_of(post)));
}

void
search_describe_post(struct arena *arena, struct search_stemmers *stemmers,
    const struct search_post *facts, struct search_record *out, struct search_shown *shown)
{
	const struct post *post = facts->post;
	struct str language = post->language.len != 0 ? post->language : facts->language;
	struct bag bag = {.arena = arena, .words = stemmer_of(stemmers, language)};
	struct str whole = text_of(arena, facts);

	*out = (struct search_record){.there = true,
	    .whole = true,
	    .counted = true,
	    .number = key_search_number(post->published, post->id),
	    .kind = (uint8_t)post->kind,
	    .language = words_language(language),
	    .facts = search_post_facts(facts)};
	add_text(&bag, post->title, TITLE, true);
	add_text(&bag, whole, 1, true);
	add_fields(&bag, post, language);
	take_uses(&bag, out);
	*shown = (struct search_shown){post->title, kept_of(whole)};
}

/* A posting of a comment leads to its post, which is found by the second in which that appeared; a page is not. */
static void
add_after(const struct search_comment *facts, struct search_record *out)
{
	int64_t after = key_search_second(out->number) -
			key_search_second(key_search_number(facts->post->published, facts->post->id));

	if (facts->post->kind == KIND_PAGE || after > INT32_MAX || after < INT32_MIN)
		return;
	out->kind = POSTING_ANSWERS;
	out->after = (int32_t)after;
}

void
search_describe_comment(struct arena *arena, struct search_stemmers *stemmers,
    const struct search_comment *facts, struct search_record *out, struct search_shown *shown)
{
	struct bag bag = {.arena = arena, .words = stemmer_of(stemmers, facts->language)};
	struct str whole = markdown_text(arena, facts->comment->markdown);

	*out = (struct search_record){.there = true,
	    .whole = true,
	    .counted = true,
	    .number = key_search_number(facts->appeared, facts->comment->id),
	    .language = words_language(facts->language),
	    .facts = search_comment_facts(facts)};
	add_after(facts, out);
	add_text(&bag, whole, 1, true);
	add_field(&bag, "author", facts->comment->author);
	add_language(&bag, facts->language);
	take_uses(&bag, out);
	*shown = (struct search_shown){.text = kept_of(whole)};
}
