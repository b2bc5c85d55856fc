/* Test collections: each document is a post that is found, by the id that it has in its file. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "cli/corpus.h"

#include <stdio.h>
#include <unistd.h>

static void
write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
		bail_out("%s is not written", path);
}

int
main(void)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct clock clock = clock_fixed(1763510400000, 1);
	const struct search_results *results = NULL;
	char folder[] = "/tmp/corpus-XXXXXX";
	struct corpus corpus;
	struct str why;

	if (mkdtemp(folder) == NULL)
		bail_out("no folder is made");
	write_file(str_fmt(arena, "%s/docs.tsv", folder).base,
	    "a\tTides\tThe tide turns.\nb\tBoats\tA boat in the tide.\nc\t\tNo title.\n");
	write_file(str_fmt(arena, "%s/queries.tsv", folder).base, "1\ttides\n2\tboat\n");
	ok(corpus_open(&corpus, folder, STR("en"), &clock, arena, &why), "A folder is read.");
	is_int((int64_t)corpus.document_count, 3, "... with its documents");
	is_int((int64_t)corpus.query_count, 2, "... and its queries.");
	is_str(corpus.queries[1].text, STR("boat"), "A query has a text.");
	ok(corpus_ask(&corpus, &call, corpus.queries[0].text, 10, &results) == TABLE_OK &&
		results->hit_count == 2,
	    "It finds what has its word");
	is_str(corpus_document(&corpus, &results->hits[0].post), STR("a"),
	    "... by the document's own id, the title first.");
	corpus_close(&corpus);
	ok(access(corpus.folder, F_OK) != 0, "The table is removed.");
	unlink(str_fmt(arena, "%s/docs.tsv", folder).base);
	ok(!corpus_open(&corpus, folder, STR("en"), &clock, arena, &why) && why.len != 0,
	    "Without documents it says why there is nothing.");
	corpus_close(&corpus);
	unlink(str_fmt(arena, "%s/queries.tsv", folder).base);
	rmdir(folder);
	arena_free(arena);
	return tap_done();
}
