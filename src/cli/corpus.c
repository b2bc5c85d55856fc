#include "cli/corpus.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "derive/rebuild.h"
#include "model/key_post.h"
#include "model/key_search.h"
#include "model/kinds.h"
#include "model/site/load.h"
#include "server/folder.h"
#include "table/driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum { FILE_MAX = 1 << 30, AT_ONCE = 500 };

/* --- Files -------------------------------------------------------------------------------------------- */

/* The whole of a file, which may be compressed. */
static bool
read_file(struct arena *arena, const char *path, struct str *out, struct str *why)
{
	enum { PIECE = 1 << 20 };
	gzFile file = gzopen(path, "rb");
	struct buf text = {.arena = arena};
	int got = 0;

	while (file != NULL && text.len < FILE_MAX &&
	       (got = gzread(file, buf_room(&text, PIECE), PIECE)) > 0)
		text.len += (size_t)got;
	if (file == NULL || got < 0 || text.len >= FILE_MAX)
		*why = str_fmt(arena, "%s: %s", path,
		    file == NULL ? strerror(errno) : "it can't be read to its end");
	if (file != NULL)
		gzclose(file);
	*out = buf_str(&text);
	return why->len == 0;
}

static size_t
count_lines(struct str text)
{
	size_t count = 1;

	for (size_t i = 0; i < text.len; i++)
		count += text.base[i] == '\n';
	return count;
}

static bool
read_queries(struct corpus *c, const char *folder, struct str *why)
{
	struct str text;
	struct corpus_query *queries;

	if (!read_file(c->arena, str_fmt(c->arena, "%s/queries.tsv", folder).base, &text, why))
		return false;
	c->queries = queries = ARENA_ARRAY(c->arena, count_lines(text), struct corpus_query);
	while (text.len != 0) {
		struct str query, id = str_cut(str_cut(text, '\n', &text), '\t', &query);

		if (id.len != 0)
			queries[c->query_count++] = (struct corpus_query){id, str_trim(query)};
	}
	return true;
}

/* --- Posts -------------------------------------------------------------------------------------------- */

/* A document among the others; a second lies between two. */
struct document {
	struct str id, title, text;
	size_t number;
};

/* Its text is no Markdown: signs that mean something there are taken as they are. */
static struct str
as_markdown(struct arena *arena, struct str text)
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < text.len; i++) {
		if (strchr("\\`*_{}[]()<>#+-.!|~&", text.base[i]) != NULL && text.base[i] != '\0')
			buf_putc(&out, '\\');
		buf_putc(&out, text.base[i]);
	}
	return buf_str(&out);
}

static enum table_rc
put_document(
    struct corpus *c, struct loader *loader, struct arena *arena, const struct document *document)
{
	int64_t now = clock_now(c->clock);
	struct post post = {.id = str_fmt(arena, "document-%zu", document->number),
	    .title = document->title,
	    .author = STR("collection"),
	    .status = STATUS_PUBLISHED,
	    .visibility = VISIBILITY_PUBLIC,
	    .language = c->language,
	    .published = now - (int64_t)(document->number + 1) * 1000,
	    .version = 1};
	struct item *items = ARENA_ARRAY(arena, 2, struct item);
	enum table_rc rc;

	post.slug = post.id;
	key_set(arena, &items[0], key_post(arena, post.id), ITEM_POST);
	post_to_item(arena, &post, &items[0]);
	key_index_post(arena, &items[0], &post);
	key_set(arena, &items[1], key_post_body(arena, post.id), ITEM_BODY);
	item_set(
	    arena, &items[1], STR("Markdown"), value_string(as_markdown(arena, document->text)));
	rc = loader_put(loader, &items[0]);
	return rc == TABLE_OK ? loader_put(loader, &items[1]) : rc;
}

static enum table_rc
put_documents(struct corpus *c, struct loader *loader, struct str text)
{
	struct str *ids = ARENA_ARRAY(c->arena, count_lines(text), struct str);
	struct arena *some = arena_new();
	enum table_rc rc = TABLE_OK;

	c->documents = ids;
	while (rc == TABLE_OK && text.len != 0) {
		struct document document = {.number = c->document_count};
		struct str rest;

		document.id = str_cut(str_cut(text, '\n', &text), '\t', &rest);
		document.title = str_cut(rest, '\t', &document.text);
		if (document.id.len == 0)
			continue;
		ids[c->document_count++] = document.id;
		rc = put_document(c, loader, some, &document);
		if (rc == TABLE_OK && (c->document_count % AT_ONCE == 0 || text.len == 0)) {
			rc = loader_flush(loader);
			arena_reset(some);
		}
	}
	if (rc == TABLE_OK)
		rc = loader_flush(loader);
	arena_free(some);
	return rc;
}

/* --- The index ---------------------------------------------------------------------------------------- */

static enum table_rc
index_documents(struct corpus *c, struct table_call *call)
{
	static const struct str name = STR_INIT("search");
	struct derive derive = {.table = c->table, .call = call, .clock = c->clock};
	struct rebuild *rebuild = ARENA_NEW(c->arena, struct rebuild);
	enum table_rc rc = TABLE_OK;
	bool done = false;

	*rebuild = (struct rebuild){.derive = &derive, .arena = arena_new()};
	rebuild->state = rebuild_all(c->arena, clock_now(c->clock));
	rebuild->state.names = (struct strings_value){&name, 1};
	while (rc == TABLE_OK && !done)
		rc = rebuild_step(rebuild, &done);
	rebuild_drop(rebuild);
	arena_free(rebuild->arena);
	return rc;
}

static enum table_rc
read_languages(struct corpus *c, struct table_call *call)
{
	struct query query = query_search_state();
	struct item *found;
	size_t count;
	struct str next;
	enum table_rc rc;

	query.limit = TABLE_QUERY_MAX;
	rc = table_query(c->table, call, &query, &found, &count, &next);
	if (rc == TABLE_OK)
		search_languages(found, count, c->languages);
	return rc;
}

/* --- All of it ---------------------------------------------------------------------------------------- */

static bool
open_table(struct corpus *c, struct str *why)
{
	const char *below = getenv("TMPDIR");
	const struct table_driver *driver;
	struct str name;

	snprintf(c->folder, sizeof(c->folder), "%s/broadsheet-search-XXXXXX",
	    below != NULL && below[0] != '\0' ? below : "/tmp");
	if (mkdtemp(c->folder) == NULL) {
		*why = str_fmt(c->arena, "%s: %s", c->folder, strerror(errno));
		c->folder[0] = '\0';
		return false;
	}
	driver = table_driver_of(str_fmt(c->arena, "sqlite:%s/table", c->folder), &name);
	return driver->open(name, TABLE_OPEN_CREATE, c->clock, c->arena, &c->table, why) ==
	       TABLE_OK;
}

bool
corpus_open(struct corpus *c, const char *folder, struct str language, struct clock *clock,
    struct arena *arena, struct str *why)
{
	struct table_call call = {.arena = arena};
	struct loader loader;
	struct str text;
	const char *path = str_fmt(arena, "%s/docs.tsv.gz", folder).base;
	enum table_rc rc;

	*c = (struct corpus){.arena = arena, .clock = clock, .language = language};
	*why = STR("");
	if (access(path, F_OK) != 0)
		path = str_fmt(arena, "%s/docs.tsv", folder).base;
	if (!read_queries(c, folder, why) || !read_file(arena, path, &text, why) ||
	    !open_table(c, why))
		return false;
	c->file = text;
	loader_begin(&loader, c->table);
	rc = put_documents(c, &loader, text);
	if (rc != TABLE_OK)
		call.why = str_cstring(arena, str_of(loader.why));
	loader_end(&loader);
	if (rc == TABLE_OK)
		rc = index_documents(c, &call);
	if (rc == TABLE_OK)
		rc = read_languages(c, &call);
	if (rc != TABLE_OK)
		*why = str_fmt(
		    arena, "%s: %s", c->folder, call.why != NULL ? call.why : table_rc_text(rc));
	return rc == TABLE_OK;
}

void
corpus_close(struct corpus *c)
{
	const char **names;
	size_t count;

	table_close(c->table);
	if (c->folder[0] == '\0' || !folder_list(c->arena, c->folder, "", &names, &count))
		return;
	for (size_t i = 0; i < count; i++)
		unlink(str_fmt(c->arena, "%s/%s", c->folder, names[i]).base);
	rmdir(c->folder);
}

enum table_rc
corpus_ask(struct corpus *c, struct table_call *call, struct str typed, unsigned hits,
    const struct search_results **results)
{
	struct search_query query;
	struct search_options options = {
	    .query = &query, .now = clock_now(c->clock), .count = hits, .heads_only = true};

	search_query_parse(call->arena, typed, NULL, &query);
	memcpy(options.languages, c->languages, sizeof(options.languages));
	return search_run(c->table, call, &options, results);
}

struct str
corpus_document(const struct corpus *c, const struct post *post)
{
	struct str number;
	int64_t at = -1;

	(void)str_cut(post->id, '-', &number);
	return str_int(number, &at) && at >= 0 && (size_t)at < c->document_count ? c->documents[at]
										 : STR("");
}
