#ifndef TABLE_DYNAMO_RESPONSE_H
#define TABLE_DYNAMO_RESPONSE_H

#include "table/json.h"
#include "table/table.h"

/*
 * DynamoDB's answers: read in one pass into the arena. Strings point into the answer's text, which must
 * live as long as what was made of it.
 */

/* Items that grow in an arena while an answer is read. */
struct dynamo_items {
	struct item *base;
	size_t count, capacity;
};

/* Whatever a good answer of any of the table's requests holds; what it does not hold is empty. */
struct dynamo_response {
	struct item *item; /* of a get: `Item`; of a write: `Attributes`. NULL when there is none */
	struct dynamo_items items; /* of a query or scan: `Items`; of a batch get: `Responses` */
	struct item *last;         /* `LastEvaluatedKey`: there is more after it. NULL at the end */
	struct dynamo_items unprocessed; /* of a batch get: keys to ask for again */
	struct str unwritten;            /* of a batch write: what to send again, as it came; empty: nothing */
	uint32_t half_units;             /* consumed, in halves */
};

/* False, *why a phrase, when the text is no such answer or holds what an item can't. */
bool dynamo_response_read(
    struct arena *arena, struct str text, struct dynamo_response *out, const char **why);

/* What is wrong with one action of a transaction. */
struct dynamo_reason {
	enum table_rc rc;         /* TABLE_OK: nothing */
	struct item *item;        /* after TABLE_CONDITION: the item; NULL when there is none */
	struct str code, message; /* as in struct dynamo_refusal */
};

enum refusal_remedy {
	REMEDY_NONE,
	REMEDY_AGAIN, /* the same request may succeed a little later */
	REMEDY_RENEW, /* with other credentials */
};

/* A refusal: an answer with another status than 200. */
struct dynamo_refusal {
	enum table_rc rc;
	enum refusal_remedy remedy;
	bool unsure; /* the request may have been carried out nevertheless */
	struct str code;
	struct str
	    message; /* its first line; empty where it may repeat what was signed, or a token */
	const char *advice; /* for the operator, static; NULL when there is none */
	struct item *item;  /* as in struct dynamo_reason */
	bool has_item;      /* the answer has it; otherwise `item` is NULL because it is unknown */
	struct dynamo_reason *reasons; /* one for each action of a transaction that was cancelled */
	size_t reason_count;
};

/* Parses a refusal; an unreadable one counts as a server error. */
void dynamo_refusal_read(
    struct arena *arena, int status, struct str text, struct dynamo_refusal *out);

/* --- The stream's records --------------------------------------------------------------------- */

/*
 * Reads one record of DynamoDB Streams, in the reader's arena; *sequence becomes its sequence number and
 * stays as it is without one. Whether all went well, the reader knows.
 */
struct change_record dynamo_record_read(struct json_reader *in, struct str *sequence);

#endif
