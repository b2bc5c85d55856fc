/*
 * The catalogue (model/post/catalogue.h): the entries of a public post, from its head and, of a how-to, from the names of its
 * materials. A post has none before its time.
 *
 *	article, note   one for each tag: which tags are seen together
 *	link            one among all links, one for each tag, one for its address
 *	how-to          one among all how-tos, one for each tag, one for each word of its materials
 *
 * The words of materials are stemmed in the language of the post, or of the site. When that changes, the index of the
 * search is made for the other language; its mark (SearchSite) leads to all how-tos.
 *
 * Else the subject is the post. Readers' stars move it among the best; what else they do changes nothing here.
 */
#include "derive/rows.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_catalogue.h"
#include "model/key_search.h"
#include "text/material.h"
#include "text/url.h"

enum { WORDS_MAX = 100, ENTRIES_MAX = 40 + WORDS_MAX, SPARE = 200 };

/* What is wanted of a post. */
struct entries {
	struct arena *arena;
	const struct post *post;
	struct catalogue_entry said; /* in all of them */
	struct item items[ENTRIES_MAX];
	size_t count;
};

struct str
catalogue_subject(struct arena *arena, struct key key, const struct kind *kind)
{
	if (kind == &item_kinds[ITEM_SEARCH_SITE])
		return subject_of_key(arena, key);
	if (kind == &item_kinds[ITEM_POST] || kind == &item_kinds[ITEM_BODY])
		return key_name(key);
	return key_catalogued_post(key);
}

/* --- The lists of a post ------------------------------------------------------------------------------ */

static void
enter(struct entries *e, struct str list, const struct catalogue_entry *entry, enum catalogue_order orders)
{
	struct item *item;

	if (e->count == ENTRIES_MAX)
		return;
	item = &e->items[e->count++];
	*item = (struct item){0};
	key_set(e->arena, item, key_catalogued(e->arena, e->post->id, list), ITEM_CATALOGUE_ENTRY);
	catalogue_entry_to_item(e->arena, entry, item);
	for (enum catalogue_order order = CATALOGUE_NEWEST; order < orders; order++)
		if ((order != CATALOGUE_QUICKEST || entry->minutes > 0) &&
		    (order != CATALOGUE_CHEAPEST || entry->cost.len != 0))
			key_index_catalogued(e->arena, item, list, order, e->post);
}

/* Of its kind, of which a text has no list, and of its kind with each tag. */
static void
enter_kind(struct entries *e)
{
	bool listed = e->post->kind == KIND_LINK || e->post->kind == KIND_HOWTO;
	enum catalogue_order orders = !listed                       ? CATALOGUE_BEST
				      : e->post->kind == KIND_HOWTO ? CATALOGUE_ORDERS
								    : CATALOGUE_QUICKEST;

	if (listed)
		enter(e, catalogue_kind(e->arena, e->post->kind, STR("")), &e->said, orders);
	for (size_t i = 0; i < e->post->tags.count; i++)
		enter(e, catalogue_kind(e->arena, e->post->kind, e->post->tags.strings[i]), &e->said,
		    orders);
}

static void
enter_address(struct entries *e)
{
	struct str address = url_likened(e->arena, e->post->url);

	if (address.len != 0)
		enter(e, catalogue_address(e->arena, address), &e->said, CATALOGUE_BEST);
}

/* A word of a material, in which of them it is. */
struct word {
	struct str text;
	int64_t which;
};

static void
note_word(struct word *words, size_t *count, struct str text, size_t material)
{
	size_t i = 0;

	while (i < *count && !str_eq(words[i].text, text))
		i++;
	if (i == WORDS_MAX)
		return;
	if (i == *count)
		words[(*count)++] = (struct word){text, 0};
	words[i].which |= (int64_t)1 << material;
}

static void
enter_materials(struct entries *e, const struct post_body *body, struct str language)
{
	struct word words[WORDS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < body->material_count && i < CATALOGUE_MATERIALS_MAX; i++) {
		struct str *of_name;
		size_t n = material_words(e->arena, language, body->materials[i].name, &of_name);

		for (size_t k = 0; k < n; k++)
			note_word(words, &count, of_name[k], i);
	}
	for (size_t i = 0; i < count; i++) {
		struct catalogue_entry entry = e->said;

		entry.which = words[i].which;
		enter(e, catalogue_material(e->arena, words[i].text), &entry, CATALOGUE_BEST);
	}
}

static void
enter_all(struct entries *e, const struct post_body *body, struct str language)
{
	size_t materials = body->material_count;

	catalogue_entry_of(e->post, &e->said);
	if (e->post->kind == KIND_HOWTO)
		e->said.materials =
		    (int64_t)(materials < CATALOGUE_MATERIALS_MAX ? materials : CATALOGUE_MATERIALS_MAX);
	enter_kind(e);
	if (e->post->kind == KIND_LINK)
		enter_address(e);
	if (e->post->kind == KIND_HOWTO)
		enter_materials(e, body, e->post->language.len != 0 ? e->post->language : language);
}

/* --- A post ------------------------------------------------------------------------------------------- */

enum { HEAD, THERE, BODY, SETTINGS, READS };

static enum table_rc
derive_post(struct derive *d, struct str subject)
{
	struct arena *arena = d->call->arena;
	struct read reads[READS] = {
	    [HEAD] = {.kind = READ_GET, .key = key_post(arena, subject), .consistent = true},
	    [THERE] = {.kind = READ_QUERY, .query = query_catalogued(arena, subject)},
	    [BODY] = {.kind = READ_GET, .key = key_post_body(arena, subject), .consistent = true},
	    [SETTINGS] = {.kind = READ_GET, .key = key_site_settings(), .consistent = true}};
	struct entries *entries = ARENA_NEW(arena, struct entries);
	struct post_body body = {.material_count = 0};
	struct post post = {.status = STATUS_DRAFT};
	struct str language = STR("");
	enum table_rc rc;

	reads[THERE].query.limit = ENTRIES_MAX + SPARE;
	reads[THERE].query.consistent = true;
	rc = table_read(d->table, d->call, reads, BODY);
	if (rc != TABLE_OK)
		return rc;
	if (reads[HEAD].item != NULL)
		post_from_item(arena, reads[HEAD].item, &post);
	entries->arena = arena;
	entries->post = &post;
	if (post_visible_to(&post, NULL, clock_now(d->clock)) && post.kind != KIND_PAGE) {
		if (post.kind == KIND_HOWTO)
			rc = table_read(d->table, d->call, &reads[BODY], READS - BODY);
		if (rc == TABLE_OK && reads[BODY].item != NULL)
			post_body_from_item(arena, reads[BODY].item, &body);
		if (rc == TABLE_OK && reads[SETTINGS].item != NULL)
			language = item_string(reads[SETTINGS].item, STR("Language"));
		enter_all(entries, &body, language);
	}
	return rc == TABLE_OK ? derive_items(d, reads[THERE].found, reads[THERE].found_count,
				    entries->items, entries->count)
			      : rc;
}

static enum table_rc
visit_howto(struct derive *d, const struct item *entry, void *context)
{
	(void)context;
	return derive_post(d, item_string(entry, STR("Post")));
}

enum table_rc
catalogue_derive(struct derive *d, struct str subject)
{
	struct key key = subject_key(subject);
	struct str howtos = catalogue_kind(d->call->arena, KIND_HOWTO, STR(""));

	if (!str_eq(key.sk, key_search_site().sk))
		return derive_post(d, subject);
	/* A rebuild comes across each of them. */
	return d->whole ? TABLE_OK
			: derive_each(d, query_catalogue(d->call->arena, howtos, CATALOGUE_NEWEST), visit_howto, NULL);
}
