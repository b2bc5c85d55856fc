#include "lib/tap.h"

#include "suite.h"

/* --- Checks: tap.h counts in its own file, so all parts report through here. ------------------- */

bool
suite_check(bool passed, const char *file, int line, const char *sentence, ...)
{
	va_list args;

	va_start(args, sentence);
	tap_line(passed, file, line, sentence, args);
	va_end(args);
	return passed;
}

bool
suite_is_text(
    const char *got, const char *wanted, const char *file, int line, const char *sentence, ...)
{
	bool same = strcmp(got, wanted) == 0;
	va_list args;

	va_start(args, sentence);
	tap_line(same, file, line, sentence, args);
	va_end(args);
	if (!same)
		fprintf(stderr, "#     got %s\n#  wanted %s\n", got, wanted);
	return same;
}

bool
suite_is_rc(
    enum table_rc got, enum table_rc wanted, const char *file, int line, const char *sentence, ...)
{
	va_list args;

	va_start(args, sentence);
	tap_line(got == wanted, file, line, sentence, args);
	va_end(args);
	if (got != wanted)
		fprintf(stderr, "#     got %s\n#  wanted %s\n", spell_rc(got), spell_rc(wanted));
	return got == wanted;
}

bool
suite_is_number(int64_t got, int64_t wanted, const char *file, int line, const char *sentence, ...)
{
	va_list args;

	va_start(args, sentence);
	tap_line(got == wanted, file, line, sentence, args);
	va_end(args);
	if (got != wanted)
		fprintf(stderr, "#     got %" PRId64 "\n#  wanted %" PRId64 "\n", got, wanted);
	return got == wanted;
}

/* --- Requests --------------------------------------------------------------------------------- */

struct key
key_of(const char *pk, const char *sk)
{
	return (struct key){str_of(pk), str_of(sk)};
}

struct value
value_of(struct suite *s, const char *text)
{
	return unspell_value(s->arena, text);
}

struct change
change_of(struct suite *s, enum change_op op, const char *name, const char *value)
{
	struct change change = {.op = op, .name = str_of(name)};

	if (value != NULL)
		change.value = value_of(s, value);
	return change;
}

const struct condition *
condition_of(struct suite *s, enum condition_op op, const char *name, const char *value)
{
	struct condition *condition = ARENA_NEW(s->arena, struct condition);

	*condition = (struct condition){.op = op, .name = str_of(name)};
	if (value != NULL)
		condition->value = value_of(s, value);
	return condition;
}

struct write
put_of(struct suite *s, const char *item, const struct condition *if_)
{
	return (struct write){
	    .kind = WRITE_PUT, .item = unspell_item(s->arena, item), .condition = if_};
}

struct write
delete_of(const char *pk, const char *sk, const struct condition *if_)
{
	return (struct write){.kind = WRITE_DELETE, .key = key_of(pk, sk), .condition = if_};
}

struct write
check_of(const char *pk, const char *sk, const struct condition *if_)
{
	return (struct write){.kind = WRITE_CHECK, .key = key_of(pk, sk), .condition = if_};
}

struct write
update_of(const char *pk, const char *sk, const struct change *changes, size_t count)
{
	return (struct write){
	    .kind = WRITE_UPDATE, .key = key_of(pk, sk), .changes = changes, .change_count = count};
}

/* --- Calls ------------------------------------------------------------------------------------ */

enum table_rc
do_write(struct suite *s, struct write *write)
{
	return table_write(s->table, &s->call, write);
}

enum table_rc
try_put(struct suite *s, struct item item)
{
	return table_put(s->table, &s->call, item);
}

void
put(struct suite *s, const char *text)
{
	enum table_rc rc = try_put(s, unspell_item(s->arena, text));

	if (rc != TABLE_OK)
		check(false, "put %s: %s, %s", text, spell_rc(rc),
		    s->call.why != NULL ? s->call.why : "without a reason");
}

enum table_rc
try_update(
    struct suite *s, const char *pk, const char *sk, const struct change *changes, size_t count)
{
	struct write write = update_of(pk, sk, changes, count);

	return do_write(s, &write);
}

enum table_rc
transact(struct suite *s, struct write *writes, size_t count, const char *token)
{
	return table_transact(s->table, &s->call, writes, count, str_of(token));
}

const char *
text_of(struct suite *s, const struct item *item)
{
	struct buf out = {.arena = s->arena};

	spell_item(&out, item);
	return str_cstring(s->arena, buf_str(&out));
}

const char *
saw(struct suite *s, const char *pk, const char *sk)
{
	struct read read = {.kind = READ_GET, .key = key_of(pk, sk), .consistent = true};
	enum table_rc rc = table_read(s->table, &s->call, &read, 1);

	return rc == TABLE_OK ? text_of(s, read.item) : spell_rc(rc);
}

static void
put_page(struct buf *out, const struct read *read)
{
	for (size_t i = 0; i < read->found_count; i++) {
		struct buf text = {.arena = out->arena};

		if (i != 0)
			buf_putc(out, ' ');
		spell_string(&text, item_key(&read->found[i]).sk);
		buf_put(out, str_sub(buf_str(&text), 1, text.len - 2));
	}
}

const char *
pages_of(struct suite *s, struct query query)
{
	struct buf out = {.arena = s->arena};
	struct read read = {.kind = READ_QUERY, .query = query};

	/* A query that does not end would otherwise take the test with it. */
	for (int page = 0; page < 1000; page++) {
		enum table_rc rc = table_read(s->table, &s->call, &read, 1);

		if (rc != TABLE_OK)
			return spell_rc(rc);
		put_page(&out, &read);
		if (read.next.len == 0)
			return str_cstring(s->arena, buf_str(&out));
		BUF_PUT(&out, " | ");
		query.cursor = read.next;
		read = (struct read){.kind = READ_QUERY, .query = query};
	}
	return "a query without an end";
}

struct str
many(struct suite *s, char c, size_t count)
{
	char *base = arena_alloc(s->arena, count + 1);

	memset(base, c, count);
	return (struct str){base, count};
}

void
pass(struct suite *s, int64_t ms)
{
	s->clock.fixed_now += ms;
}

/* --- The parts ---------------------------------------------------------------------------------- */

/* Each part gets an empty table and an arena of its own. */
static void
run(const struct harness *harness, const char *name, void (*part)(struct suite *))
{
	struct suite s = {.harness = harness, .clock = clock_fixed(SUITE_NOW, 1)};

	printf("# %s: %s\n", harness->name, name);
	s.arena = arena_new();
	s.table = harness->open(harness->context, &s.clock);
	if (s.table == NULL)
		bail_out("no table of %s", harness->name);
	s.call = (struct table_call){.arena = s.arena};
	part(&s);
	table_release(s.table, &s.call);
	table_close(s.table);
	if (harness->closed != NULL)
		harness->closed(harness->context);
	arena_free(s.arena);
}

int
conformance(const struct harness *harness)
{
	static const struct {
		const char *name;
		void (*part)(struct suite *);
	} parts[] = {
	    {"gets, puts, deletes, batches", conform_basics},
	    {"conditions", conform_conditions},
	    {"updates", conform_updates},
	    {"limits", conform_limits},
	    {"queries", conform_queries},
	    {"cursors", conform_cursors},
	    {"indexes", conform_indexes},
	    {"expiry", conform_expiry},
	    {"transactions", conform_transactions},
	    {"tokens", conform_tokens},
	    {"the stream", conform_stream},
	    {"the walk", conform_walk},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		run(harness, parts[i].name, parts[i].part);
	return tap_done();
}
