/* broadsheet query PARTITION: the items of one partition, of the table or of an index, in their order. */
#include "cli/commands.h"

#include "base/arena.h"
#include "cli/print_item.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { LIMIT = 100 };

const struct option query_options[] = {
    {"index", "INDEX", "gsi1, gsi2, gsi3 or gsi4; without it, the table itself"},
    {"equals", "KEY", "only the sort key that is KEY"},
    {"begins", "PREFIX", "only sort keys that begin so"},
    {"from", "KEY", "only sort keys from KEY on, itself included"},
    {"to", "KEY", "only sort keys up to KEY, itself included"},
    {"after", "KEY", "only sort keys behind KEY"},
    {"before", "KEY", "only sort keys before KEY"},
    {"desc", NULL, "the last first"},
    {"limit", "NUMBER", "at most so many, up to 1000 (default: 100)"},
    {"cursor", "CURSOR", "go on where the query ended that printed it"},
    {"pretty", NULL, "one attribute a line"},
    {NULL},
};

static bool
read_index(const struct invocation *in, struct query *query)
{
	const char *name = option_given(in, "index");

	if (name == NULL)
		return true;
	if (strlen(name) == 4 && strncasecmp(name, "gsi", 3) == 0 && name[3] >= '1' &&
	    name[3] <= '4') {
		query->index = (enum table_index)(TABLE_GSI1 + (name[3] - '1'));
		return true;
	}
	complain("query: --index is \"%s\", but should be gsi1, gsi2, gsi3 or gsi4", name);
	return false;
}

/* At most one condition on the sort key; --from and --to together are one. */
static bool
read_condition(const struct invocation *in, struct query *query)
{
	static const struct {
		const char *name;
		enum sort_op op;
	} conditions[] = {
	    {"equals", SORT_EQ},
	    {"begins", SORT_BEGINS},
	    {"from", SORT_GE},
	    {"to", SORT_LE},
	    {"after", SORT_GT},
	    {"before", SORT_LT},
	};

	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
		const char *value = option_given(in, conditions[i].name);

		if (value == NULL)
			continue;
		if (query->op == SORT_GE && conditions[i].op == SORT_LE) {
			query->op = SORT_BETWEEN;
			query->high = str_of(value);
		} else if (query->op == SORT_ANY) {
			query->op = conditions[i].op;
			query->low = str_of(value);
		} else {
			complain("query: --%s does not go together with another condition",
			    conditions[i].name);
			return false;
		}
	}
	return true;
}

/* A cursor is bytes; it is printed in base 64. */
static bool
read_cursor(const struct invocation *in, struct query *query)
{
	const char *text = option_given(in, "cursor");
	unsigned char *bytes;
	size_t len;

	if (text == NULL)
		return true;
	bytes = arena_alloc(in->arena, strlen(text) + 1);
	if (sodium_base642bin(bytes, strlen(text), text, strlen(text), NULL, &len, NULL,
		sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
	    len == 0) {
		complain("query: --cursor is not one that a query printed");
		return false;
	}
	query->cursor = (struct str){(const char *)bytes, len};
	return true;
}

static void
tell_cursor(const struct invocation *in, struct str cursor)
{
	const int variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
	size_t size = sodium_base64_encoded_len(cursor.len, variant);
	char *text = arena_alloc(in->arena, size);

	sodium_bin2base64(text, size, (const unsigned char *)cursor.base, cursor.len, variant);
	fflush(stdout);
	fprintf(stderr, "more with --cursor %s\n", text);
}

static enum outcome
run_query(struct invocation *in, struct table *table, const struct query *query)
{
	struct table_call call = {.arena = in->arena};
	struct item *found;
	enum table_rc rc;
	struct str next;
	size_t count;

	rc = table_query(table, &call, query, &found, &count, &next);
	if (rc == TABLE_BAD_CURSOR) {
		complain("query: --cursor belongs to another query");
		return OUTCOME_FAILED;
	}
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	for (size_t i = 0; i < count; i++)
		print_item(in->arena, &found[i], option_given(in, "pretty") != NULL);
	if (next.len != 0)
		tell_cursor(in, next);
	return OUTCOME_DONE;
}

enum outcome
cmd_query(struct invocation *in)
{
	struct query query = {
	    .partition = str_of(in->arguments[0]),
	    .descending = option_given(in, "desc") != NULL,
	};
	int64_t limit = LIMIT;
	enum outcome outcome;
	struct table *table;

	if (!read_index(in, &query) || !read_condition(in, &query) || !read_cursor(in, &query) ||
	    !option_number(in, "limit", 1, TABLE_QUERY_MAX, &limit))
		return OUTCOME_USAGE;
	query.limit = (uint32_t)limit;
	outcome = open_store(in, TABLE_OPEN_EXISTING, &table);
	if (outcome != OUTCOME_DONE)
		return outcome;
	outcome = run_query(in, table, &query);
	table_close(table);
	return outcome;
}
