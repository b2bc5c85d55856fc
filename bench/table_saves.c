/*
 * What a save of a post writes: into the write-ahead log, which every byte of it goes through and is flushed with, and
 * into the file, which grows by what stays. Counted, not timed: the figures are the same on every machine.
 */
#include "table.h"

#include "base/buf.h"
#include "model/key.h"
#include "model/kinds.h"
#include "model/people/account.h"
#include "model/post/writing.h"
#include "table/sqlite/sqlite_private.h"
#include "text/markdown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { POSTS = 300, SAVES = 200, TEXT = 7600, WORDS = 600 };

#define NOW INT64_C(1795000000000)

struct saving {
	struct bench *b;
	struct table_call call;
	struct plan plan;
	uint64_t state;
};

static uint64_t
chance(struct saving *s, uint64_t below)
{
	s->state = s->state * 6364136223846793005U + 1442695040888963407U;
	return (s->state >> 33) % below;
}

/* Paragraphs of made-up words, the short ones more often, as in any language: they compress as prose does. */
static struct str
prose(struct saving *s)
{
	struct buf text = {.arena = s->b->arena};

	for (size_t n = 1; text.len < TEXT; n++) {
		uint64_t word = chance(s, 1 + chance(s, WORDS)) + 1;

		for (uint64_t rest = word * 7919; rest != 0; rest /= 20)
			buf_putc(&text, "etaoinshrdlucmfwypvb"[rest % 20]);
		buf_put(&text, str_of(n % 90 == 0 ? ".\n\n" : n % 13 == 0 ? ", " : " "));
	}
	return buf_str(&text);
}

static struct draft
draft_of(struct saving *s, int n)
{
	static const struct str tags[] = {
	    STR_INIT("harbour"), STR_INIT("history"), STR_INIT("boats")};
	struct arena *a = s->b->arena;
	struct draft draft = {
	    .post = {.slug = str_fmt(a, "the-title-of-post-%04d", n),
		.title = STR("The ferry that nobody ordered, and the town that kept it"),
		.excerpt = STR("In the winter of the long fog a ferry came up the river without a "
			       "pilot, and for eleven years it has been the only way across."),
		.author = STR("margarida"),
		.author_name = STR("Margarida Sousa"),
		.category = STR("tides"),
		.tags = {tags, 3},
		.status = STATUS_PUBLISHED,
		.visibility = VISIBILITY_PUBLIC,
		.published = NOW - INT64_C(3600000) * (n * 37 % POSTS)},
	    .body = {.markdown = prose(s), .renderer = MARKDOWN_RENDERER}};
	struct markdown_options options = {.trust = MARKDOWN_AUTHOR};
	struct markdown made;

	markdown_render(a, draft.body.markdown, &options, &made);
	draft.body.html = made.html.text;
	return draft;
}

static void
begin(struct saving *s)
{
	struct plan plan = {.table = s->b->table, .call = &s->call, .now = NOW};
	const struct new_account person = {.username = STR("margarida"),
	    .email = STR("margarida@example.org"),
	    .password = STR("hash"),
	    .role = ROLE_AUTHOR,
	    .status = USER_ACTIVE};
	struct item category = {0};

	key_set(s->b->arena, &category, key_category(s->b->arena, STR("tides")), ITEM_CATEGORY);
	item_set(s->b->arena, &category, STR("Slug"), value_string(STR("tides")));
	if (table_put(s->b->table, &s->call, category) != TABLE_OK ||
	    account_create(&plan, &person) != PLAN_DONE)
		die("a person and a category", s->call.why);
	for (int i = 0; i < POSTS; i++) {
		struct draft draft = draft_of(s, i);

		if (writing_create(&s->plan, &draft) != PLAN_DONE)
			die("a post", s->call.why);
	}
}

static int64_t
size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

static void
empty_log(struct bench *b)
{
	log_empty(((struct sqlite_table *)b->table)->writer);
}

/* One save of another text; the bytes that it wrote to the log. */
static int64_t
save(struct saving *s, const char *log, int n)
{
	struct draft draft = draft_of(s, n);
	struct written old;
	bool there;

	if (written_get(&s->plan, draft.post.slug, &old, &there) != TABLE_OK || !there)
		die("the post", s->call.why);
	draft.post.id = old.post.id;
	draft.post.version = old.post.version;
	empty_log(s->b);
	s->plan.now += 60000;
	if (writing_save(&s->plan, &old, &draft) != PLAN_DONE)
		die("a save", s->call.why);
	return size_of(log);
}

/* Counts of which trees the pages of the last save are. */
static void
count_pages(struct bench *b, const char *log, sqlite3_stmt *count)
{
	struct sqlite_table *t = (struct sqlite_table *)b->table;
	int64_t page = sqlite_ask(t->writer->db, "PRAGMA page_size");
	FILE *in = fopen(log, "r");
	unsigned char head[24];

	if (in == NULL)
		die(log, NULL);
	fseek(in, 32, SEEK_SET);
	while (fread(head, sizeof(head), 1, in) == 1) {
		sqlite3_bind_int(count, 1, head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3]);
		sqlite3_step(count);
		sqlite3_reset(count);
		fseek(in, (long)page, SEEK_CUR);
	}
	fclose(in);
}

static const char counting[] =
    "INSERT INTO temp.pages SELECT coalesce((SELECT name || ', ' || pagetype FROM dbstat"
    " WHERE pageno = ?1), 'free'), 1 WHERE true ON CONFLICT(name) DO UPDATE SET count = count + 1";

static sqlite3_stmt *
counter(struct bench *b)
{
	sqlite3 *db = ((struct sqlite_table *)b->table)->writer->db;
	sqlite3_stmt *st = NULL;

	sqlite3_exec(
	    db, "CREATE TEMP TABLE pages(name TEXT PRIMARY KEY, count INTEGER)", NULL, NULL, NULL);
	if (sqlite3_prepare_v2(db, counting, -1, &st, NULL) != SQLITE_OK)
		die("dbstat", sqlite3_errmsg(db));
	return st;
}

static void
print_pages(struct bench *b)
{
	sqlite3 *db = ((struct sqlite_table *)b->table)->writer->db;
	sqlite3_stmt *st;

	if (sqlite3_prepare_v2(db, "SELECT name, count FROM temp.pages ORDER BY count DESC", -1,
		&st, NULL) != SQLITE_OK)
		die("pages", sqlite3_errmsg(db));
	printf("\npages that a save writes to the log\n");
	while (sqlite3_step(st) == SQLITE_ROW)
		printf("  %-24s %6.2f\n", sqlite3_column_text(st, 0),
		    sqlite3_column_double(st, 1) / SAVES);
	sqlite3_finalize(st);
}

void
saves(const char *dir, bool explained)
{
	struct arena *a = arena_new();
	struct bench b = {.clock = clock_fixed(NOW, 7),
	    .arena = arena_new(),
	    .path = str_cstring(a, str_fmt(a, "%s/bench-saves.db", dir))};
	const char *log = str_cstring(a, str_fmt(a, "%s-wal", b.path));
	struct saving s = {.b = &b, .call = {.arena = b.arena}, .state = 1};
	int64_t logged = 0, before;
	sqlite3_stmt *count = NULL;
	struct str why;

	remove_files(b.path);
	if (table_sqlite_open(b.path, TABLE_OPEN_CREATE, &b.clock, a, &b.table, &why) != TABLE_OK)
		die("open", why.base);
	b.table->unseen = kind_unseen;
	s.plan = (struct plan){.table = b.table,
	    .call = &s.call,
	    .now = NOW,
	    .by = STR("margarida"),
	    .by_name = STR("Margarida Sousa")};
	begin(&s);
	empty_log(&b);
	before = size_of(b.path);
	if (explained)
		count = counter(&b);
	for (int i = 0; i < SAVES; i++) {
		arena_reset(b.arena);
		logged += save(&s, log, i * 7919 % POSTS);
		if (explained)
			count_pages(&b, log, count);
	}
	sqlite3_finalize(count);
	if (explained)
		print_pages(&b);
	empty_log(&b);
	printf("\na save of %.1f KB of text writes %.1f KB to the log, and the file grows by %.1f "
	       "KB\n",
	    TEXT / 1e3, (double)logged / SAVES / 1e3,
	    (double)(size_of(b.path) - before) / SAVES / 1e3);
	table_close(b.table);
	remove_files(b.path);
	arena_free(b.arena);
	arena_free(a);
}
