/*
 * bench/search FOLDER [LANGUAGE] [FOLDER LANGUAGE]...: how well searches find.
 *
 * Each folder is a test collection as `broadsheet search --run` takes it, with qrels.txt (query, 0, document, relevance). Shown are,
 * as means over all queries that have a relevant document:
 *
 *	nDCG@10  with what is relevant or not, MAP, and the share of what is relevant among the first 100
 *	plain    nDCG@10, when the queries are typed without accents
 *
 * and of 1,000 words of five letters and more, with one letter changed, dropped, doubled or swapped so that the word is not there: of how
 * many the right one is offered first, of how many something is found all the same (their stem is there), so that nothing is
 * offered.
 *
 *	script/build opt bench/search && build/opt/bench/search collections/a en collections/b de
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/unicode.h"
#include "cli/corpus.h"
#include "server/folder.h"
#include "text/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST = 10, HUNDRED = 100, WORDS = 1000, FILE_MAX_BYTES = 1 << 28 };

struct bench {
	struct corpus corpus;
	struct arena *arena; /* of the collection */
	struct clock clock;
	struct str *relevant; /* "query\tdocument", sorted */
	size_t relevant_count;
};

static int
compare(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* --- What is relevant --------------------------------------------------------------------------------- */

static struct str
next_field(struct str *line)
{
	struct str field;

	do
		field = str_cut(*line, ' ', line);
	while (field.len == 0 && line->len != 0);
	return field;
}

static void
read_relevant(struct bench *b, const char *folder)
{
	struct str text, *all;
	size_t lines = 1;

	if (!file_read(
		b->arena, str_fmt(b->arena, "%s/qrels.txt", folder).base, FILE_MAX_BYTES, &text))
		bail_out("%s/qrels.txt can't be read", folder);
	for (size_t i = 0; i < text.len; i++)
		lines += text.base[i] == '\n';
	b->relevant = all = ARENA_ARRAY(b->arena, lines, struct str);
	b->relevant_count = 0;
	while (text.len != 0) {
		struct str line = str_cut(text, '\n', &text);
		struct str query = next_field(&line), document;

		(void)next_field(&line);
		document = next_field(&line);
		if (document.len != 0 && !str_eq(str_trim(line), STR("0")))
			all[b->relevant_count++] = STR_CONCAT(b->arena, query, STR("\t"), document);
	}
	qsort(all, b->relevant_count, sizeof(*all), compare);
}

static bool
is_relevant(const struct bench *b, struct str query, struct str document, struct arena *arena)
{
	struct str wanted = STR_CONCAT(arena, query, STR("\t"), document);

	return bsearch(&wanted, b->relevant, b->relevant_count, sizeof(wanted), compare) != NULL;
}

static size_t
relevant_for(const struct bench *b, struct str query)
{
	size_t count = 0;

	for (size_t i = 0; i < b->relevant_count; i++)
		count +=
		    str_starts(b->relevant[i], query) && b->relevant[i].base[query.len] == '\t';
	return count;
}

/* --- How well it is found ----------------------------------------------------------------------------- */

struct quality {
	double ndcg, map, recall;
	size_t queries;
};

static const struct search_results *
ask(struct bench *b, struct arena *arena, struct str typed, unsigned hits)
{
	struct table_call call = {.arena = arena};
	const struct search_results *results;

	if (corpus_ask(&b->corpus, &call, typed, hits, &results) != TABLE_OK)
		bail_out("a search fails: %s", call.why);
	table_release(b->corpus.table, &call);
	return results;
}

/* One query's part of the sums. */
static void
judge(struct bench *b, struct arena *arena, const struct corpus_query *query, struct str typed,
    struct quality *q)
{
	size_t relevant = relevant_for(b, query->id), hits = 0, in_hundred = 0;
	double gain = 0, ideal = 0, precision = 0;
	const struct search_results *results;

	if (relevant == 0)
		return;
	results = ask(b, arena, typed, SEARCH_RUN_MAX);
	for (size_t i = 0; i < results->hit_count; i++) {
		if (!is_relevant(
			b, query->id, corpus_document(&b->corpus, &results->hits[i].post), arena))
			continue;
		gain += i < FIRST ? 1 / log2((double)i + 2) : 0;
		precision += (double)++hits / (double)(i + 1);
		in_hundred += i < HUNDRED;
	}
	for (size_t i = 0; i < FIRST && i < relevant; i++)
		ideal += 1 / log2((double)i + 2);
	q->ndcg += gain / ideal;
	q->map += precision / (double)relevant;
	q->recall += (double)in_hundred / (double)relevant;
	q->queries++;
}

/* As on a keyboard that has no accents. */
static struct str
without_accents(struct arena *arena, struct str text)
{
	struct buf out = {.arena = arena};
	char bytes[4];

	for (size_t at = 0; at < text.len;) {
		uint32_t rune = str_rune(text, &at), parts[UNICODE_COMPAT_MAX];
		size_t count = rune < 0x80 ? 0 : unicode_compat(rune, parts);

		if (count == 0) {
			parts[0] = rune;
			count = 1;
		}
		for (size_t i = 0; i < count; i++)
			if (!unicode_is_mark(parts[i]))
				buf_put(&out, str_of_rune(bytes, parts[i]));
	}
	return buf_str(&out);
}

static struct quality
measure(struct bench *b, bool plain)
{
	struct arena *arena = arena_new();
	struct quality q = {0};

	for (size_t i = 0; i < b->corpus.query_count; i++) {
		const struct corpus_query *query = &b->corpus.queries[i];

		judge(
		    b, arena, query, plain ? without_accents(arena, query->text) : query->text, &q);
		arena_reset(arena);
	}
	arena_free(arena);
	q.ndcg /= (double)q.queries;
	q.map /= (double)q.queries;
	q.recall /= (double)q.queries;
	return q;
}

/* --- Misspelled words --------------------------------------------------------------------------------- */

/* All words of the documents, each once and sorted. */
static struct str *
vocabulary(struct bench *b, size_t *count)
{
	struct words *words = words_new(STR(""));
	struct str *all, text = b->corpus.file;
	struct word word;
	size_t capacity = text.len / 2 + 1, n = 0, kept = 0;

	all = ARENA_ARRAY(b->arena, capacity, struct str);
	for (words_begin(words, text); words_next(words, &word);)
		if (!word.pair && n < capacity)
			all[n++] = str_dup(b->arena, word.folded);
	words_free(words);
	qsort(all, n, sizeof(*all), compare);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || !str_eq(all[kept - 1], all[i]))
			all[kept++] = all[i];
	*count = kept;
	return all;
}

static uint64_t
chance(struct bench *b, uint64_t below)
{
	uint64_t bits;

	b->clock.random(&b->clock, &bits, sizeof(bits));
	return bits % below;
}

/* Five letters and more, all of ASCII, so that bytes are letters. */
static bool
is_to_be_misspelled(struct str word)
{
	for (size_t i = 0; i < word.len; i++)
		if (word.base[i] < 'a' || word.base[i] > 'z')
			return false;
	return word.len >= 5 && word.len <= 30;
}

static struct str
misspelled(struct bench *b, struct arena *arena, struct str word)
{
	size_t at = chance(b, word.len);
	struct str before = str_sub(word, 0, at), letter = str_sub(word, at, 1);
	struct str after = str_sub(word, at + 1, word.len);
	char other = (char)('a' + chance(b, 26));

	switch (chance(b, 4)) {
	case 0: return STR_CONCAT(arena, before, ((struct str){&other, 1}), after);
	case 1: return STR_CONCAT(arena, before, after);
	case 2: return STR_CONCAT(arena, before, letter, letter, after);
	default:
		return STR_CONCAT(
		    arena, before, str_sub(after, 0, 1), letter, str_sub(after, 1, after.len));
	}
}

static void
measure_spelling(struct bench *b)
{
	struct arena *arena = arena_new();
	size_t count, right = 0, found = 0, tried = 0;
	struct str *words = vocabulary(b, &count);

	while (tried < WORDS && count != 0) {
		struct str word = words[chance(b, count)], typed;
		const struct search_results *results;

		arena_reset(arena);
		if (!is_to_be_misspelled(word))
			continue;
		typed = misspelled(b, arena, word);
		if (bsearch(&typed, words, count, sizeof(typed), compare) != NULL)
			continue;
		results = ask(b, arena, typed, FIRST);
		right += results->meant != NULL && str_eq(results->meant->text, word);
		found += results->meant == NULL && results->hit_count != 0;
		tried++;
	}
	arena_free(arena);
	printf("  misspelled: %zu of %d words offered first, %zu more found by their stem\n", right,
	    WORDS, found);
}

static void
run(const char *folder, const char *language)
{
	struct bench b = {.arena = arena_new(), .clock = clock_fixed(1763510400000, 1)};
	struct quality q, plain;
	struct str why;

	if (!corpus_open(&b.corpus, folder, str_of(language), &b.clock, b.arena, &why))
		bail_out("%.*s", STR_ARGS(why));
	read_relevant(&b, folder);
	q = measure(&b, false);
	plain = measure(&b, true);
	printf("%s: %zu queries, %zu documents\n", folder, q.queries, b.corpus.document_count);
	printf("  nDCG@10 %.4f, MAP %.4f, of the relevant among 100 %.4f, plain nDCG@10 %.4f\n",
	    q.ndcg, q.map, q.recall, plain.ndcg);
	measure_spelling(&b);
	fflush(stdout);
	corpus_close(&b.corpus);
	arena_free(b.arena);
}

int
main(int argc, char **argv)
{
	if (argc < 2)
		bail_out("usage: bench/search FOLDER [LANGUAGE] [FOLDER LANGUAGE]...");
	for (int i = 1; i < argc; i += 2)
		run(argv[i], argv[i + 1]);
	return 0;
}
