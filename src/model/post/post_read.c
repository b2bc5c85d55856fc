#include "model/post/post_read.h"

#include "model/key_post.h"

enum { TRIES = 5 };

void
post_reads(struct arena *arena, struct str id, bool consistent, struct read reads[POST_READS])
{
	const struct key keys[] = {
	    [POST_HEAD] = key_post(arena, id),
	    [POST_STATS] = key_post_stats(arena, id),
	    [POST_BODY] = key_post_body(arena, id),
	};

	for (size_t i = 0; i < POST_READS; i++)
		reads[i] =
		    (struct read){.kind = READ_GET, .key = keys[i], .consistent = consistent};
}

/* A text from a seed has no number of revisions. */
bool
post_torn(int64_t revisions, const struct item *body)
{
	int64_t of = body != NULL ? item_number(body, STR("Revision")) : 0;

	return of != 0 && of != revisions;
}

static bool
torn(const struct read reads[POST_READS])
{
	const struct item *head = reads[POST_HEAD].item;

	return head != NULL &&
	       post_torn(item_number(head, STR("Revisions")), reads[POST_BODY].item);
}

enum table_rc
post_mend(struct table *table, struct table_call *call, struct read reads[POST_READS])
{
	for (int i = 0; torn(reads); i++) {
		enum table_rc rc;

		if (i == TRIES)
			return TABLE_CONFLICT;
		for (size_t r = 0; r < POST_READS; r++)
			reads[r].consistent = true;
		rc = table_read(table, call, reads, POST_READS);
		if (rc != TABLE_OK)
			return rc;
	}
	return TABLE_OK;
}
