/*
 * A table of counters by post and host of the page from where the reader came. To add them, another, empty table takes its
 * place, so that nobody waits. It has a bound: when it is full, what is not in it yet is counted for the site alone, and
 * long before, the thread that adds is called.
 */
#include "web/views/views.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/zone.h"
#include "model/key.h"
#include "model/post/figures.h"
#include "web/http/request.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	SLOTS = 4096, /* a power of two */
	COUNTERS_MAX = SLOTS / 2,
	COUNTERS_MANY = SLOTS / 4,
	TOLD_AGAIN_MS = 60 * 60 * 1000,
};

/* --- Who reads ----------------------------------------------------------------------------------- */

enum { WORDS_OF_LETTER = 3, LETTERS = 32 };
#define LETTER(c) [(c) & (LETTERS - 1)]

/*
 * What names itself so is no reader: an address or a mailbox in it is of whoever runs a program. By the last five bits of their
 * first letters, in small letters.
 */
static const char *const words[LETTERS][WORDS_OF_LETTER] = {
    LETTER('@') = {"@"},
    LETTER('a') = {"archive"},
    LETTER('b') = {"bot"},
    LETTER('c') = {"crawl"},
    LETTER('f') = {"feed", "fetch"},
    LETTER('h') = {"headless", "http:", "https:"},
    LETTER('l') = {"lighthouse"},
    LETTER('m') = {"monitor"},
    LETTER('p') = {"preview"},
    LETTER('s') = {"scan", "slurp", "spider"},
};
/* With these the names of browsers begin. */
static const struct str browsers[] = {STR_INIT("Mozilla/"), STR_INIT("Opera/"), STR_INIT("Lynx/"),
    STR_INIT("w3m/"), STR_INIT("Links "), STR_INIT("ELinks/"), STR_INIT("Dillo/"),
    STR_INIT("NetSurf/")};
enum { BROWSERS = sizeof(browsers) / sizeof(browsers[0]) };

static char
small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool
begins(struct str text, const char *word)
{
	size_t i = 0;

	while (i < text.len && word[i] != '\0' && small(text.base[i]) == word[i])
		i++;
	return word[i] == '\0';
}

bool
views_by_reader(struct str agent)
{
	bool reader = false;

	for (size_t i = 0; i < BROWSERS && !reader; i++)
		reader = str_starts(agent, browsers[i]);
	for (size_t i = 0; reader && i < agent.len; i++) {
		const char *const *of_letter = words[agent.base[i] & (LETTERS - 1)];

		for (size_t w = 0; w < WORDS_OF_LETTER && of_letter[w] != NULL && reader; w++)
			reader = !begins(str_sub(agent, i, agent.len), of_letter[w]);
	}
	return reader;
}

/* Loaded ahead of time, whether anybody will read it or not. */
static bool
is_ahead(const struct request_input *in)
{
	return str_starts(in->sec_purpose, STR("prefetch")) || str_eq(in->purpose, STR("prefetch"));
}

/* A host without its port and "www." */
static struct str
bare_host(struct str host)
{
	struct str rest;

	if (!str_starts(host, STR("[")))
		host = str_cut(host, ':', &rest);
	return str_starts(host, STR("www.")) ? str_sub(host, 4, host.len) : host;
}

struct str
views_host(struct str referer, struct str own, struct str asked, char *room)
{
	static const struct str schemes[] = {STR_INIT("https://"), STR_INIT("http://")};
	struct str host = STR("");

	for (size_t i = 0; i < 2 && host.len == 0; i++)
		if (str_starts(referer, schemes[i]))
			host = str_sub(referer, schemes[i].len, referer.len);
	host.len = str_find(host, '/');
	host.len = str_find(host, '?');
	if (host.len == 0 || host.len > FIGURES_HOST_BYTES)
		return STR("");
	for (size_t i = 0; i < host.len; i++) {
		char c = small(host.base[i]);

		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
			c == ':' || c == '[' || c == ']'))
			return STR("");
		room[i] = c;
	}
	host = bare_host((struct str){room, host.len});
	return str_eq_nocase(host, bare_host(own)) || str_eq_nocase(host, bare_host(asked))
		   ? STR("")
		   : host;
}

/* --- Counting -------------------------------------------------------------------------------------- */

struct counter {
	struct str post, host; /* empty: no post's; from nowhere */
	int64_t views;         /* 0: the slot is free */
};

struct counts {
	struct counter slots[SLOTS];
	size_t used;
	int64_t left_out; /* views of posts for which there was no slot */
	int64_t deeds[DEEDS];
	struct arena *arena;
};

struct views {
	struct table *table;
	const struct log *log;
	struct str own; /* the site's own host */
	int every_ms;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	struct counts *counts; /* with the mutex */
	bool stop, many;       /* with the mutex */
	struct counts *spare;  /* of whoever adds, as all below: one at a time */
	pthread_mutex_t adding;
	struct arena *arena, *zone_arena;
	struct str zone_name;
	const struct zone *zone;
	int64_t complain_at; /* on the monotonic clock */
	pthread_t thread;
	bool started;
};

static uint64_t
hash_of(uint64_t hash, struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		hash = (hash ^ (unsigned char)s.base[i]) * UINT64_C(0x100000001b3);
	return (hash ^ 0xff) * UINT64_C(0x100000001b3);
}

/* Their slot, or a free one. There is always one. */
static struct counter *
find(struct counts *counts, struct str post, struct str host)
{
	uint64_t hash = hash_of(hash_of(UINT64_C(0xcbf29ce484222325), post), host);
	struct counter *c;

	for (size_t i = hash >> 32;; i++) {
		c = &counts->slots[i & (SLOTS - 1)];
		if (c->views == 0 || (str_eq(c->post, post) && str_eq(c->host, host)))
			return c;
	}
}

/* With the mutex. */
static void
count(struct counts *counts, struct str post, struct str host, int64_t views)
{
	struct counter *c = find(counts, post, host);

	assert(counts->used <= COUNTERS_MAX);
	if (c->views == 0 && counts->used == COUNTERS_MAX && host.len != 0) {
		host = STR("");
		c = find(counts, post, host);
	}
	if (c->views == 0 && counts->used == COUNTERS_MAX) {
		counts->left_out += views;
		return;
	}
	if (c->views == 0) {
		*c =
		    (struct counter){str_dup(counts->arena, post), str_dup(counts->arena, host), 0};
		counts->used++;
	}
	c->views += views;
}

void
views_note(struct views *views, const struct request_input *in, struct str post)
{
	char room[FIGURES_HOST_BYTES];
	struct str host;

	if (views == NULL || !str_eq(in->method, STR("GET")) || is_ahead(in) ||
	    !views_by_reader(in->user_agent))
		return;
	host = views_host(in->referer, views->own, in->host, room);
	pthread_mutex_lock(&views->mutex);
	count(views->counts, post, host, 1);
	if (views->counts->used >= COUNTERS_MANY && !views->many) {
		views->many = true;
		pthread_cond_signal(&views->wake);
	}
	pthread_mutex_unlock(&views->mutex);
}

void
views_count(void *who, struct str counter, int64_t by)
{
	enum deed deed = deed_counted(counter);
	struct views *views = who;

	if (deed == DEEDS)
		return;
	pthread_mutex_lock(&views->mutex);
	views->counts->deeds[deed] += by;
	pthread_mutex_unlock(&views->mutex);
}

/* --- Adding ------------------------------------------------------------------------------------------ */

static int
by_post(const void *a, const void *b)
{
	const struct counter *one = *(const struct counter *const *)a;
	const struct counter *other = *(const struct counter *const *)b;
	int order = str_cmp(one->post, other->post);

	return order != 0 ? order : str_cmp(one->host, other->host);
}

static int
by_host(const void *a, const void *b)
{
	return str_cmp(((const struct views_of *)a)->name, ((const struct views_of *)b)->name);
}

/* All counters, those of one post together; those of no post first. */
static const struct counter **
sorted(struct arena *arena, const struct counts *counts)
{
	const struct counter **all = ARENA_ARRAY(arena, counts->used, const struct counter *);
	size_t n = 0;

	for (size_t i = 0; i < SLOTS; i++)
		if (counts->slots[i].views != 0)
			all[n++] = &counts->slots[i];
	assert(n == counts->used);
	qsort(all, n, sizeof(*all), by_post);
	return all;
}

/* The counters of one post, from the first one on; how many these are. */
static size_t
take_post(
    struct arena *arena, const struct counter *const *all, size_t left, struct counted_views *out)
{
	struct views_of *hosts;
	size_t n = 0;

	while (n < left && str_eq(all[n]->post, all[0]->post))
		n++;
	hosts = ARENA_ARRAY(arena, n, struct views_of);
	*out = (struct counted_views){.post = all[0]->post, .hosts = hosts};
	for (size_t i = 0; i < n; i++) {
		out->views += all[i]->views;
		if (all[i]->host.len != 0)
			hosts[out->host_count++] = (struct views_of){all[i]->host, all[i]->views};
	}
	return n;
}

/* What is to be added for the site: room for all hosts and posts. */
struct site_sum {
	struct views_of *hosts, *posts;
	struct counted_views counted;
};

static void
sum_up(struct site_sum *sum, const struct counted_views *post)
{
	struct counted_views *site = &sum->counted;

	site->views += post->views;
	for (size_t i = 0; i < post->host_count; i++)
		sum->hosts[site->host_count++] = post->hosts[i];
	if (post->post.len == 0)
		return;
	site->post_views += post->views;
	sum->posts[site->post_count++] = (struct views_of){post->post, post->today};
}

/* Each host once. */
static void
join_hosts(struct site_sum *sum)
{
	size_t n = 0;

	qsort(sum->hosts, sum->counted.host_count, sizeof(*sum->hosts), by_host);
	for (size_t i = 0; i < sum->counted.host_count; i++) {
		if (n != 0 && str_eq(sum->hosts[n - 1].name, sum->hosts[i].name))
			sum->hosts[n - 1].views += sum->hosts[i].views;
		else
			sum->hosts[n++] = sum->hosts[i];
	}
	sum->counted.host_count = n;
	sum->counted.hosts = sum->hosts;
	sum->counted.posts = sum->posts;
}

/* The day of the site's time zone. */
static enum table_rc
find_day(struct views *views, struct table_call *call, struct str *day)
{
	struct item *settings;
	enum table_rc rc = table_get(views->table, call, key_site_settings(), &settings);
	struct str name = settings != NULL ? item_string(settings, STR("TimeZone")) : STR("");
	struct date date;

	if (rc != TABLE_OK)
		return rc;
	if (!str_eq(name, views->zone_name)) {
		arena_reset(views->zone_arena);
		views->zone_name = str_dup(views->zone_arena, name);
		views->zone = zone_load(views->zone_arena, name);
	}
	date = zone_date(views->zone, clock_now(views->table->clock));
	*day = str_fmt(call->arena, "%04d-%02d-%02d", date.year, date.month, date.day);
	return TABLE_OK;
}

/* What became of the counters, as they are sorted. */
struct outcome {
	size_t pages; /* the first of them are of no post, and are added with the site */
	size_t posts; /* up to here, those of posts are added, or nobody knows whether they are */
	bool site;    /* the same of the site */
};

/* Adds the posts, a round at a time, up to the first that fails. */
static enum table_rc
add_posts(struct views *views, struct table_call *call, struct str day, const struct counts *counts,
    const struct counter *const *all, struct site_sum *sum, struct outcome *outcome)
{
	struct counted_views *round = ARENA_ARRAY(call->arena, FIGURES_ROUND, struct counted_views);
	enum table_rc rc = TABLE_OK;
	size_t at = outcome->posts;

	while (at < counts->used && rc == TABLE_OK) {
		size_t n = 0;

		while (n < FIGURES_ROUND && at < counts->used)
			at += take_post(call->arena, all + at, counts->used - at, &round[n++]);
		call->unsure = false;
		rc = figures_add(views->table, call, day, round, n);
		if (rc == TABLE_OK || call->unsure)
			outcome->posts = at;
		for (size_t i = 0; i < n && rc == TABLE_OK; i++)
			sum_up(sum, &round[i]);
	}
	return rc;
}

/* Adds the posts, and then to the site what was added of them. */
static enum table_rc
add_all(struct views *views, struct table_call *call, const struct counts *counts,
    const struct counter *const *all, struct outcome *outcome)
{
	struct site_sum sum = {.hosts = ARENA_ARRAY(call->arena, counts->used, struct views_of),
	    .posts = ARENA_ARRAY(call->arena, counts->used, struct views_of),
	    .counted = {.views = counts->left_out}};
	struct counted_views pages = {.views = 0};
	enum table_rc rc, site_rc;
	struct str day;

	if (counts->used != 0 && all[0]->post.len == 0)
		outcome->pages = take_post(call->arena, all, counts->used, &pages);
	outcome->posts = outcome->pages;
	rc = find_day(views, call, &day);
	if (rc != TABLE_OK)
		return rc;
	sum_up(&sum, &pages);
	memcpy(sum.counted.deeds, counts->deeds, sizeof(counts->deeds));
	rc = add_posts(views, call, day, counts, all, &sum, outcome);
	join_hosts(&sum);
	call->unsure = false;
	site_rc = figures_add(views->table, call, day, &sum.counted, 1);
	outcome->site = site_rc == TABLE_OK || call->unsure;
	return rc != TABLE_OK ? rc : site_rc;
}

/* What is not added is counted on. */
static void
put_back(struct views *views, const struct counts *counts, const struct counter *const *all,
    const struct outcome *outcome)
{
	pthread_mutex_lock(&views->mutex);
	for (size_t i = 0; i < counts->used; i++)
		if (i < outcome->pages ? !outcome->site : i >= outcome->posts)
			count(views->counts, all[i]->post, all[i]->host, all[i]->views);
	if (!outcome->site)
		views->counts->left_out += counts->left_out;
	for (enum deed deed = 0; deed < DEEDS && !outcome->site; deed++)
		views->counts->deeds[deed] += counts->deeds[deed];
	pthread_mutex_unlock(&views->mutex);
}

static void
complain(struct views *views, const struct table_call *call, enum table_rc rc)
{
	int64_t now = clock_monotonic(views->table->clock);

	if (views->log == NULL || (views->complain_at != 0 && now < views->complain_at))
		return;
	views->complain_at = now + TOLD_AGAIN_MS;
	log_line(views->log, LOG_WARNING, "Views that were counted can't be added: %s.",
	    call->why != NULL ? call->why : table_rc_text(rc));
}

/* Those that are being counted; an empty table takes their place. */
static struct counts *
exchange(struct views *views)
{
	struct counts *counts;

	pthread_mutex_lock(&views->mutex);
	counts = views->counts;
	views->counts = views->spare;
	views->many = false;
	pthread_mutex_unlock(&views->mutex);
	return counts;
}

static bool
has_some(const struct counts *counts)
{
	bool some = counts->used != 0 || counts->left_out != 0;

	for (enum deed deed = 0; deed < DEEDS; deed++)
		some |= counts->deeds[deed] != 0;
	return some;
}

static void
empty(struct counts *counts)
{
	for (size_t i = 0; i < SLOTS; i++)
		counts->slots[i] = (struct counter){.views = 0};
	counts->used = 0;
	counts->left_out = 0;
	memset(counts->deeds, 0, sizeof(counts->deeds));
	arena_reset(counts->arena);
}

bool
views_flush(struct views *views)
{
	struct table_call call = {.arena = views->arena, .background = true};
	const struct counter **all;
	struct counts *counts;
	enum table_rc rc = TABLE_OK;
	struct outcome outcome = {.pages = 0};

	pthread_mutex_lock(&views->adding);
	counts = exchange(views);
	arena_reset(views->arena);
	all = sorted(views->arena, counts);
	if (has_some(counts))
		rc = add_all(views, &call, counts, all, &outcome);
	table_release(views->table, &call);
	if (rc != TABLE_OK) {
		complain(views, &call, rc);
		put_back(views, counts, all, &outcome);
	}
	empty(counts);
	views->spare = counts;
	pthread_mutex_unlock(&views->adding);
	return rc == TABLE_OK;
}

/* --- The thread --------------------------------------------------------------------------------------- */

static struct counts *
counts_new(void)
{
	struct counts *counts = calloc(1, sizeof(*counts));

	if (counts == NULL)
		out_of_memory();
	counts->arena = arena_new();
	return counts;
}

static void
counts_free(struct counts *counts)
{
	arena_free(counts->arena);
	free(counts);
}

struct views *
views_new(struct table *table, struct str origin, const struct log *log)
{
	struct views *views = calloc(1, sizeof(*views));
	size_t scheme = str_find(origin, '/') + 2; /* "https://" */

	if (views == NULL)
		out_of_memory();
	views->table = table;
	views->log = log;
	views->own = str_sub(origin, scheme, origin.len);
	views->counts = counts_new();
	views->spare = counts_new();
	views->arena = arena_new();
	views->zone_arena = arena_new();
	pthread_mutex_init(&views->mutex, NULL);
	pthread_mutex_init(&views->adding, NULL);
	pthread_cond_init(&views->wake, NULL);
	return views;
}

/* Waits for the next time, or until there are many. True: it is to end. */
static bool
rest(struct views *views, int ms)
{
	const struct timespec until = thread_deadline(ms);
	bool stop;

	pthread_mutex_lock(&views->mutex);
	while (!views->stop && !views->many &&
	       pthread_cond_clockwait(&views->wake, &views->mutex, CLOCK_MONOTONIC, &until) !=
		   ETIMEDOUT)
		;
	stop = views->stop;
	pthread_mutex_unlock(&views->mutex);
	return stop;
}

static void *
run(void *context)
{
	struct views *views = context;

	while (!rest(views, views->every_ms))
		views_flush(views);
	return NULL;
}

bool
views_start(struct views *views, int every_ms)
{
	int error;

	views->every_ms = every_ms;
	error = thread_start(&views->thread, run, views);
	views->started = error == 0;
	if (error != 0)
		log_line(views->log, LOG_WARNING, "No thread to add views: %s.", strerror(error));
	return views->started;
}

void
views_stop(struct views *views)
{
	if (views == NULL)
		return;
	pthread_mutex_lock(&views->mutex);
	views->stop = true;
	pthread_cond_signal(&views->wake);
	pthread_mutex_unlock(&views->mutex);
	if (views->started)
		pthread_join(views->thread, NULL);
	views_flush(views);
	pthread_cond_destroy(&views->wake);
	pthread_mutex_destroy(&views->adding);
	pthread_mutex_destroy(&views->mutex);
	arena_free(views->zone_arena);
	arena_free(views->arena);
	counts_free(views->spare);
	counts_free(views->counts);
	free(views);
}
