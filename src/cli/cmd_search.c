/*
 * broadsheet search WORDS: what a reader would find, and with --explain, why it stands in that order.
 *
 * With --run FOLDER the queries of a test collection (cli/corpus.h) are asked, and what they find is printed for a program
 * that counts how good that is.
 */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/zone.h"
#include "cli/corpus.h"
#include "model/key_search.h"
#include "model/site/settings.h"
#include "web/search/search.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LIMIT = 20 };

const struct option search_command_options[] = {
    {"explain", NULL, "say what was understood, and what each word adds to each hit"},
    {"limit", "NUMBER", "at most so many, up to 200 (default: 20)"},
    {"run", "FOLDER", "ask the queries of a test collection instead"},
    {"language", "LANG", "with --run: the language of its texts"},
    {NULL},
};

/* --- What is asked ------------------------------------------------------------------------------------ */

struct asking {
	struct invocation *in;
	struct table *table;
	struct table_call call;
	struct search_query query;
	struct search_options options;
	const struct search_results *results;
};

/* The site's zone, how much it prefers what is new, and the languages that it is written in. */
static enum table_rc
read_site(struct asking *a)
{
	struct arena *arena = a->in->arena;
	struct read reads[2] = {
	    {.kind = READ_GET, .key = key_site_settings()},
	    {.kind = READ_QUERY, .query = query_search_state()},
	};
	struct settings settings;
	enum table_rc rc;

	reads[1].query.limit = TABLE_QUERY_MAX;
	rc = table_read(a->table, &a->call, reads, 2);
	if (rc != TABLE_OK)
		return rc;
	settings_from_item(arena, reads[0].item, &settings);
	a->options.newness = (int)settings.search_newness;
	a->options.zone = zone_load(arena, settings.time_zone);
	search_languages(reads[1].found, reads[1].found_count, a->options.languages);
	return TABLE_OK;
}

static enum table_rc
ask(struct asking *a)
{
	struct arena *arena = a->in->arena;
	struct buf words = {.arena = arena};
	enum table_rc rc = read_site(a);

	if (rc != TABLE_OK)
		return rc;
	for (size_t i = 0; i < a->in->argument_count; i++)
		buf_fmt(&words, i == 0 ? "%s" : " %s", a->in->arguments[i]);
	search_query_parse(arena, buf_str(&words), a->options.zone, &a->query);
	a->options.query = &a->query;
	a->options.now = clock_now(a->in->clock);
	return search_run(a->table, &a->call, &a->options, &a->results);
}

/* --- What is printed ---------------------------------------------------------------------------------- */

/* What somebody wrote, in one line and without what a terminal would obey. */
static void
print_text(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		putchar(
		    (unsigned char)text.base[i] < ' ' || text.base[i] == 0x7f ? ' ' : text.base[i]);
}

static void
print_reasons(const struct search_hit *hit)
{
	double newness = hit->score;

	for (size_t i = 0; i < hit->reason_count; i++) {
		const struct search_reason *reason = &hit->reasons[i];

		newness -= reason->weight;
		printf("     %6.3f  %.*s, as %.*s: %u times here, in %" PRId64 " texts\n",
		    reason->weight, STR_ARGS(reason->word), STR_ARGS(reason->term),
		    reason->frequency, reason->texts);
	}
	if (hit->reason_count != 0 && newness > 0.0005)
		printf("     %6.3f  as it is new\n", newness);
}

static void
print_hit(const struct asking *a, const struct search_hit *hit, size_t number)
{
	struct date day = zone_date(a->options.zone, hit->post.published);

	printf("%3zu  %s", number, colour(1, COLOUR_BOLD));
	print_text(hit->post.title);
	printf("%s\n     /post/%.*s, %s by %.*s, %04d-%02d-%02d\n", colour(1, COLOUR_NONE),
	    STR_ARGS(hit->post.slug),
	    hit->comment != NULL ? "comment" : post_kind_name(hit->post.kind),
	    STR_ARGS(hit->comment != NULL ? hit->comment->author : hit->post.author), day.year,
	    day.month, day.day);
	if (hit->passage.len != 0) {
		printf(hit->cut_before ? "     … " : "     ");
		print_text(hit->passage);
		printf(hit->cut_after ? " …\n" : "\n");
	}
	if (a->options.explain) {
		printf("     score %.3f\n", hit->score);
		print_reasons(hit);
	}
}

static void
print_results(const struct asking *a)
{
	const struct search_results *results = a->results;

	if (a->options.explain)
		printf("%.*s\n",
		    STR_ARGS(search_query_said(a->in->arena, &a->query, a->options.zone)));
	if (results->without_phrases)
		printf("nothing has these phrases; what follows has their words\n");
	for (size_t i = 0; i < results->hit_count; i++)
		print_hit(a, &results->hits[i], i + 1);
	printf("%s%" PRId64 " found\n", results->at_least ? "at least " : "", results->total);
	if (results->meant != NULL)
		printf("did you mean: %.*s\n",
		    STR_ARGS(search_query_write(a->in->arena, results->meant, a->options.zone)));
	if (a->options.explain)
		printf("read: %zu postings in %zu blocks, %u requests in %u round trips\n",
		    results->postings, results->blocks, a->call.cost.requests,
		    a->call.cost.round_trips);
}

/* --- Test collections --------------------------------------------------------------------------------- */

/* A line for each hit: the query, and the document. */
static enum table_rc
print_run(struct corpus *c)
{
	struct arena *arena = arena_new();
	enum table_rc rc = TABLE_OK;

	for (size_t q = 0; rc == TABLE_OK && q < c->query_count; q++) {
		struct table_call call = {.arena = arena};
		const struct search_results *results;

		rc = corpus_ask(c, &call, c->queries[q].text, SEARCH_RUN_MAX, &results);
		for (size_t i = 0; rc == TABLE_OK && i < results->hit_count; i++)
			printf("%.*s %.*s\n", STR_ARGS(c->queries[q].id),
			    STR_ARGS(corpus_document(c, &results->hits[i].post)));
		table_release(c->table, &call);
		arena_reset(arena);
	}
	arena_free(arena);
	return rc;
}

static enum outcome
run(struct invocation *in, const char *folder)
{
	const char *language = option_given(in, "language");
	enum outcome outcome = OUTCOME_FAILED;
	struct corpus corpus;
	struct str why;

	if (!corpus_open(&corpus, folder, str_of(language), in->clock, in->arena, &why)) {
		complain("search: %.*s", STR_ARGS(why));
	} else {
		enum table_rc rc = print_run(&corpus);

		outcome = rc == TABLE_OK ? OUTCOME_DONE : table_failed(rc, NULL);
	}
	corpus_close(&corpus);
	return outcome;
}

static bool
usage_ok(const struct invocation *in)
{
	bool runs = option_given(in, "run") != NULL;

	if (runs ? in->argument_count != 0 : in->argument_count == 0)
		complain(runs ? "search: --run takes no words, as the queries are in the folder"
			      : "search: there are no words to look for");
	else if (!runs && option_given(in, "language") != NULL)
		complain("search: --language goes with --run; in a query it is lang:de");
	else
		return true;
	return false;
}

enum outcome
cmd_search(struct invocation *in)
{
	struct asking a = {.in = in, .call = {.arena = in->arena}};
	enum outcome outcome;
	int64_t limit = LIMIT;
	enum table_rc rc;

	if (!usage_ok(in) || !option_number(in, "limit", 1, SEARCH_HITS_MAX, &limit))
		return OUTCOME_USAGE;
	if (option_given(in, "run") != NULL)
		return run(in, option_given(in, "run"));
	a.options.count = (unsigned)limit;
	a.options.explain = option_given(in, "explain") != NULL;
	outcome = open_store(in, TABLE_OPEN_EXISTING, &a.table);
	if (outcome != OUTCOME_DONE)
		return outcome;
	rc = ask(&a);
	if (rc == TABLE_OK)
		print_results(&a);
	else
		outcome = table_failed(rc, a.call.why);
	table_release(a.table, &a.call);
	table_close(a.table);
	return finish_output() ? outcome : OUTCOME_FAILED;
}
