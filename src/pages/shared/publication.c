#include "pages/shared/publication.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/zone.h"
#include "model/key.h"
#include "model/key_post.h"
#include "model/key_search.h"
#include "model/people/common.h"
#include "model/post/post_read.h"
#include "model/site/colour.h"
#include "model/slug.h"
#include "model/text_rule.h"
#include "table/slots.h"
#include "text/markdown.h"
#include "web/http/dispatch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	BLIND_MS = 1000, /* how long one is valid if the table can't tell whether it has changed */
	OWN_READS = 5,   /* settings, categories, pages, how many posts are where, what is scheduled */
	CATEGORIES_MAX = TABLE_QUERY_MAX,
	PAGES_MAX = 20,
	LANGUAGE_TAG_MAX = 40,
	LANGUAGES_READ = 200,
	LANGUAGES_KEPT_MS = 5 * 60 * 1000,
	WAITING_COUNTED = 20,
};

/*
 * A publication with its memory, as a request's page_data; counted, because requests may use it
 * after a newer one is made.
 */
struct edition {
	struct publication publication;
	struct arena *arena;
	unsigned holders; /* requests, and one for being the newest */
	uint64_t
	    version; /* of the table, from before it was read, or when it was last found unchanged */
	/*
	 * What it was made of: what most pages show of it, and scheduled posts, which change when
	 * others edit them.
	 */
	struct read_set reads, scheduled;
	int64_t made;
};

/* A zone of some publication, or one that could not be read: kept forever, as there are few. */
struct kept_zone {
	struct str name;
	const struct zone *zone;
	struct kept_zone *next;
};

/* The languages of the index, which change seldom, and may be some minutes old. */
struct kept_languages {
	char tags[SEARCH_LANGUAGES_MAX][LANGUAGE_TAG_MAX];
	int64_t until;
};

/* How many have registered and wait for an admin, of that version of the table. */
struct kept_waiting {
	struct read_set reads;
	uint64_t version;
	int64_t made; /* 0: never */
	size_t count;
};

struct publications {
	pthread_mutex_t mutex;
	struct kept_waiting waiting;
	struct kept_languages languages;
	struct edition *newest;
	struct kept_zone *zones;
	struct arena *zone_arena; /* used with the mutex held; its contents never change */
};

struct publications *
publications_new(void)
{
	struct publications *p = calloc(1, sizeof(*p));

	if (p == NULL)
		out_of_memory();
	pthread_mutex_init(&p->mutex, NULL);
	p->zone_arena = arena_new();
	return p;
}

/* Called with the mutex held. */
static void
let_go(struct edition *edition)
{
	if (edition == NULL || --edition->holders != 0)
		return;
	arena_free(edition->arena);
	free(edition);
}

void
publications_free(struct publications *p)
{
	if (p == NULL)
		return;
	let_go(p->newest);
	arena_free(p->zone_arena);
	pthread_mutex_destroy(&p->mutex);
	free(p);
}

/* The zone of that name, loaded when it is first used and not for every publication. */
static const struct zone *
zone_of(struct publications *p, struct str name)
{
	struct kept_zone *kept;

	pthread_mutex_lock(&p->mutex);
	kept = p->zones;
	while (kept != NULL && !str_eq(kept->name, name))
		kept = kept->next;
	if (kept == NULL) {
		kept = ARENA_NEW(p->zone_arena, struct kept_zone);
		*kept = (struct kept_zone){
		    str_dup(p->zone_arena, name), zone_load(p->zone_arena, name), p->zones};
		p->zones = kept;
	}
	pthread_mutex_unlock(&p->mutex);
	return kept->zone;
}

/* Is it still valid by the table's version? With the mutex. */
static bool
is_good(struct edition *e, const struct request *rq, uint64_t version)
{
	const struct slots *slots = rq->table->slots;

	if (version == 0 && rq->now - e->made >= BLIND_MS)
		return false;
	if (e->version == version)
		return true;
	if (!slots_unchanged(slots, &e->reads, e->version, version) ||
	    !slots_unchanged(slots, &e->scheduled, e->version, version))
		return false;
	if (e->version < version)
		e->version = version;
	return true;
}

/* Gives the request what it needs of its edition. With the mutex. */
static void
give(struct request *rq, struct edition *e)
{
	read_set_join(rq->call.noted, &e->reads);
	rq->page_data = e;
	rq->settings = &e->publication.settings;
	if (rq->viewer != NULL && rq->viewer->off != settings_off(rq->settings)) {
		struct viewer *viewer = arena_copy(rq->arena, rq->viewer, sizeof(*viewer));

		viewer->off = settings_off(rq->settings);
		rq->viewer = viewer;
	}
	rq->zone = e->publication.zone;
	rq->year = 0;
}

/* Makes the request hold the newest; with `good`, only if that is still valid. */
static bool
hold(struct request *rq, bool good)
{
	struct publications *p = rq->site->page_data;
	uint64_t version = good ? table_version(rq->table) : 0;
	struct edition *e;

	pthread_mutex_lock(&p->mutex);
	e = p->newest;
	if (e != NULL && good && !is_good(e, rq, version))
		e = NULL;
	if (e != NULL) {
		e->holders++;
		give(rq, e);
		/*
		 * A possibly stale one is on no cached page, and says nothing about the version of
		 * what is read next.
		 */
		if (good && e->version < rq->version)
			rq->version = e->version;
	}
	pthread_mutex_unlock(&p->mutex);
	return e != NULL;
}

void
publication_drop(struct request *rq)
{
	struct publications *p = rq->site->page_data;

	if (rq->page_data == NULL)
		return;
	pthread_mutex_lock(&p->mutex);
	let_go(rq->page_data);
	pthread_mutex_unlock(&p->mutex);
	rq->page_data = NULL;
	rq->settings = NULL;
	rq->zone = NULL;
}

const struct publication *
publication_of(const struct request *rq)
{
	const struct edition *e = rq->page_data;

	return e != NULL ? &e->publication : NULL;
}

const struct publication *
publication_with_scheduled(const struct request *rq)
{
	const struct edition *e = rq->page_data;

	read_set_join(rq->call.noted, &e->scheduled);
	return &e->publication;
}

const struct publication *
publication_any(struct request *rq)
{
	if (rq->page_data == NULL && rq->site->page_data != NULL)
		hold(rq, false);
	return publication_of(rq);
}

static void
own_reads(struct request *rq, struct read *reads)
{
	reads[0] = (struct read){.kind = READ_GET, .key = key_site_settings()};
	reads[1] = (struct read){.kind = READ_QUERY, .query = query_categories()};
	reads[1].query.limit = CATEGORIES_MAX;
	reads[2] = (struct read){.kind = READ_QUERY, .query = query_pages()};
	reads[2].query.limit = PAGES_MAX;
	reads[3] = (struct read){.kind = READ_QUERY, .query = query_category_counts()};
	reads[3].query.limit = CATEGORIES_MAX;
	reads[3].unnoted = true;
	reads[4] = (struct read){.kind = READ_QUERY, .query = query_scheduled(rq->arena, rq->now)};
	reads[4].query.limit = TABLE_QUERY_MAX;
	reads[4].unnoted = true;
}

/*
 * Reads what a query has beyond its first answer: a trip for each thousand scheduled posts, so that
 * counts are exact.
 */
static enum table_rc
read_rest(struct request *rq, struct read *read)
{
	enum table_rc rc = TABLE_OK;

	while (rc == TABLE_OK && read->next.len != 0) {
		struct read more = {
		    .kind = READ_QUERY, .query = read->query, .unnoted = read->unnoted};
		size_t count = read->found_count;
		struct item *all;

		more.query.cursor = read->next;
		rc = table_read(rq->table, &rq->call, &more, 1);
		if (rc != TABLE_OK)
			break;
		all = ARENA_ARRAY(rq->arena, count + more.found_count, struct item);
		for (size_t i = 0; i < count; i++)
			all[i] = read->found[i];
		for (size_t i = 0; i < more.found_count; i++)
			all[count + i] = more.found[i];
		read->found = all;
		read->found_count += more.found_count;
		read->next = more.next;
	}
	return rc;
}

/* What a query found, copied. */
static struct item *
copies(struct arena *arena, const struct read *read)
{
	struct item *items = ARENA_ARRAY(arena, read->found_count, struct item);

	for (size_t i = 0; i < read->found_count; i++)
		items[i] = item_copy(arena, &read->found[i]);
	return items;
}

static void
take_pages(struct edition *e, const struct read *read)
{
	struct static_page *pages = ARENA_ARRAY(e->arena, read->found_count, struct static_page);

	for (size_t i = 0; i < read->found_count; i++) {
		pages[i].slug = str_dup(e->arena, item_string(&read->found[i], STR("Slug")));
		pages[i].title = str_dup(e->arena,
		    text_shown(e->arena, TEXT_LINE, item_string(&read->found[i], STR("Title"))));
	}
	e->publication.pages = pages;
	e->publication.page_count = read->found_count;
}

static void
take_scheduled(struct edition *e, const struct read *read)
{
	struct publication *p = &e->publication;
	const struct item *items = copies(e->arena, read);
	struct scheduled *scheduled = ARENA_ARRAY(e->arena, read->found_count, struct scheduled);

	for (size_t i = 0; i < read->found_count; i++) {
		post_from_item(e->arena, &items[i], &scheduled[i].post);
		scheduled[i].category = category_find(&p->categories, scheduled[i].post.category);
	}
	p->scheduled = scheduled;
	p->scheduled_count = read->found_count;
}

/* A colour of what this selects, on light paper and on dark. */
static void
put_colour(struct buf *out, struct str selector, struct str colour)
{
	struct str dark = colour_for_dark(out->arena, colour);

	buf_fmt(out, "%.*s { --second: %.*s; --section: %.*s; }\n", STR_ARGS(selector), STR_ARGS(colour),
	    STR_ARGS(colour));
	buf_fmt(out, "@media (prefers-color-scheme: dark) { %.*s { --second: %.*s; --section: %.*s; } }\n",
	    STR_ARGS(selector), STR_ARGS(dark), STR_ARGS(dark));
}

static void
make_colours(struct arena *arena, struct publication *p)
{
	struct buf out = {.arena = arena};

	if (p->settings.colour.len != 0)
		put_colour(&out, STR(":root"), p->settings.colour);
	for (size_t i = 0; i < p->categories.count; i++) {
		const struct category *c = &p->categories.categories[i];

		if (c->depth == 0 && c->colour.len != 0 && slug_valid(c->slug))
			put_colour(&out,
			    STR_CONCAT(arena, STR("[data-section=\""), c->slug, STR("\"]")), c->colour);
	}
	p->colours = buf_str(&out);
	if (p->colours.len != 0)
		p->colours_url = str_fmt(arena, "/colours.css?v=%016" PRIx64, common_hash(p->colours));
}

/* Makes an edition of the reads, copied into memory of its own. */
static struct edition *
make(struct request *rq, const struct read *reads)
{
	struct edition *e = calloc(1, sizeof(*e));
	struct publication *p;
	struct item *settings = NULL;
	struct markdown footer;

	if (e == NULL)
		out_of_memory();
	p = &e->publication;
	e->arena = arena_new();
	e->version = rq->version;
	e->made = rq->now;
	for (size_t i = 0; i < OWN_READS; i++)
		read_set_note(reads[i].unnoted ? &e->scheduled : &e->reads, &reads[i]);
	if (reads[0].item != NULL) {
		settings = ARENA_NEW(e->arena, struct item);
		*settings = item_copy(e->arena, reads[0].item);
	}
	settings_from_item(e->arena, settings, &p->settings);
	p->zone = zone_of(rq->site->page_data, p->settings.time_zone);
	p->categories = category_tree(e->arena, copies(e->arena, &reads[1]), reads[1].found_count,
	    copies(e->arena, &reads[3]), reads[3].found_count);
	make_colours(e->arena, p);
	take_pages(e, &reads[2]);
	take_scheduled(e, &reads[4]);
	markdown_render(e->arena, p->settings.footer,
	    &(struct markdown_options){.site = rq->site->origin, .anchor = STR("footer-")},
	    &footer);
	p->footer = footer.html;
	return e;
}

/* Makes it the newest, held by the request as well. */
static void
publish(struct request *rq, struct edition *e)
{
	struct publications *p = rq->site->page_data;

	e->holders = 2;
	pthread_mutex_lock(&p->mutex);
	let_go(p->newest);
	p->newest = e;
	give(rq, e);
	pthread_mutex_unlock(&p->mutex);
}

/* --- Who waits to be let in ----------------------------------------------------------------------------- */

/* Is the number to be read? Only for those who decide; *version is the table's of just now. */
static bool
waiting_asked(struct request *rq, uint64_t *version)
{
	struct publications *p = rq->site->page_data;
	const struct kept_waiting *is = &p->waiting;
	bool good;

	if (!may(rq->viewer, MAY_MANAGE, NO_THING))
		return false;
	*version = table_version(rq->table);
	pthread_mutex_lock(&p->mutex);
	good = is->made != 0 && (*version != 0 || rq->now - is->made < BLIND_MS) &&
	       (is->version == *version ||
		   slots_unchanged(rq->table->slots, &is->reads, is->version, *version));
	pthread_mutex_unlock(&p->mutex);
	return !good;
}

static struct read
waiting_read(struct request *rq)
{
	struct read read = {.kind = READ_QUERY,
	    .unnoted = true,
	    .query =
		query_people(rq->arena, str_of(user_status_name(USER_WAITING)), STR(""))};

	read.query.limit = WAITING_COUNTED;
	return read;
}

static void
waiting_keep(struct request *rq, const struct read *read, uint64_t version)
{
	struct publications *p = rq->site->page_data;
	struct kept_waiting is = {
	    .version = version, .made = rq->now, .count = read->found_count + (read->next.len != 0)};

	read_set_note(&is.reads, read);
	pthread_mutex_lock(&p->mutex);
	p->waiting = is;
	pthread_mutex_unlock(&p->mutex);
}

struct str
publication_waiting(const struct request *rq)
{
	struct publications *p = rq->site->page_data;
	size_t count = 0;

	if (p != NULL && may(rq->viewer, MAY_MANAGE, NO_THING)) {
		pthread_mutex_lock(&p->mutex);
		count = p->waiting.count;
		pthread_mutex_unlock(&p->mutex);
	}
	if (count == 0)
		return STR("");
	return count > WAITING_COUNTED ? str_fmt(rq->arena, "%d+", WAITING_COUNTED)
				       : str_fmt(rq->arena, "%zu", count);
}

/* --- Reading -------------------------------------------------------------------------------------------- */

enum http_status
page_read(struct request *rq, struct read *reads, size_t count)
{
	struct read *all = reads;
	uint64_t version = 0;
	bool own = rq->page_data == NULL && !hold(rq, true), waiting = waiting_asked(rq, &version);
	size_t own_count = own ? OWN_READS : 0;
	enum table_rc rc;

	if (own || waiting) {
		all = ARENA_ARRAY(rq->arena, count + own_count + 1, struct read);
		for (size_t i = 0; i < count; i++)
			all[i] = reads[i];
		if (own)
			own_reads(rq, all + count);
		all[count + own_count] = waiting_read(rq);
	}
	if (count == 0 && all == reads)
		return HTTP_OK;
	rc = table_read(rq->table, &rq->call, all, count + own_count + waiting);
	if (rc == TABLE_OK && own)
		rc = read_rest(rq, &all[count + OWN_READS - 1]);
	if (rc != TABLE_OK)
		return status_of(rc);
	for (size_t i = 0; i < count && all != reads; i++)
		reads[i] = all[i];
	if (own)
		publish(rq, make(rq, all + count));
	if (waiting)
		waiting_keep(rq, &all[count + own_count], version);
	return HTTP_OK;
}

enum http_status
page_read_post(struct request *rq, struct read *reads, size_t count)
{
	enum http_status status = page_read(rq, reads, count);

	return status == HTTP_OK ? status_of(post_mend(rq->table, &rq->call, reads)) : status;
}

enum http_status
page_post_for(struct request *rq, const struct read *head, enum action action, struct post *out)
{
	if (head->item == NULL)
		return HTTP_NOT_FOUND;
	post_from_item(rq->arena, head->item, out);
	return may(rq->viewer, action, thing_post(out, rq->now)) ? HTTP_OK : HTTP_NOT_FOUND;
}

/* --- The languages of the search ----------------------------------------------------------------------- */

/* False: they are to be read. */
static bool
languages_kept(struct request *rq, struct kept_languages *out)
{
	struct publications *p = rq->site->page_data;
	bool good;

	pthread_mutex_lock(&p->mutex);
	*out = p->languages;
	good = rq->now < out->until && rq->now >= out->until - LANGUAGES_KEPT_MS;
	pthread_mutex_unlock(&p->mutex);
	return good;
}

static void
languages_keep(struct request *rq, const struct read *read, struct kept_languages *out)
{
	struct publications *p = rq->site->page_data;
	struct str tags[SEARCH_LANGUAGES_MAX];
	size_t count = search_languages(read->found, read->found_count, tags);

	*out = (struct kept_languages){.until = rq->now + LANGUAGES_KEPT_MS};
	for (size_t i = 0; i < count; i++)
		snprintf(out->tags[i], LANGUAGE_TAG_MAX, "%.*s", STR_ARGS(tags[i]));
	pthread_mutex_lock(&p->mutex);
	p->languages = *out;
	pthread_mutex_unlock(&p->mutex);
}

enum http_status
publication_languages(struct request *rq, struct str out[SEARCH_LANGUAGES_MAX])
{
	/* A page of results depends on the lists of its words; these only say which lists. */
	struct read read = {.kind = READ_QUERY, .unnoted = true, .query = query_search_state()};
	struct kept_languages kept;
	enum http_status status;
	size_t count = 1;
	bool good = languages_kept(rq, &kept);

	read.query.limit = LANGUAGES_READ;
	status = page_read(rq, &read, good ? 0 : 1);
	if (status != HTTP_OK)
		return status;
	if (!good)
		languages_keep(rq, &read, &kept);
	out[0] = rq->settings->language;
	for (size_t i = 0; i < SEARCH_LANGUAGES_MAX && count < SEARCH_LANGUAGES_MAX; i++) {
		struct str tag = str_dup(rq->arena, str_of(kept.tags[i]));

		if (tag.len != 0 && !str_eq(tag, out[0]))
			out[count++] = tag;
	}
	for (; count < SEARCH_LANGUAGES_MAX; count++)
		out[count] = STR("");
	return HTTP_OK;
}
