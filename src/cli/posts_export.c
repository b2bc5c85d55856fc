/*
 * broadsheet export posts DIR: a file for each post that is not deleted, and the pictures that they
 * show.
 */
#include "cli/posts.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/kinds.h"
#include "model/post/media.h"
#include "model/post/writing.h"
#include "model/site/load.h"
#include "model/slug.h"
#include "server/folder.h"
#include "cli/out_file.h"
#include "table/retry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PICTURE_MAX = 256 * 1024 * 1024 };

/* A post's slug; an empty one is for its head. */
struct address {
	struct str post, slug;
};

struct export
{
	struct invocation *in;
	struct table *table;
	const char *folder;
	struct arena *arena; /* of one post */
	struct address *addresses;
	size_t count, capacity;
	uint64_t posts, written;
};

/* --- Which posts there are ---------------------------------------------------------------------- */

static void
note(struct export *e, struct str post, struct str slug)
{
	if (e->count == e->capacity) {
		size_t size = sizeof(*e->addresses);

		e->capacity = e->capacity != 0 ? 2 * e->capacity : 256;
		e->addresses =
		    arena_grow(e->in->arena, e->addresses, e->count * size, e->capacity * size);
	}
	e->addresses[e->count++] =
	    (struct address){str_dup(e->in->arena, post), str_dup(e->in->arena, slug)};
}

static void
note_item(struct export *e, const struct item *item)
{
	if (kind_is(item, ITEM_POST)) {
		note(e, item_string(item, STR("Id")), STR(""));
		e->posts++;
	} else if (kind_is(item, ITEM_SLUG_CLAIM)) {
		note(e, item_string(item, STR("Post")), key_name(item_key(item)));
	}
}

static int
compare(const void *a, const void *b)
{
	const struct address *x = a, *y = b;
	int order = str_cmp(x->post, y->post);

	return order != 0 ? order : str_cmp(x->slug, y->slug);
}

/* Sorted, so that a post's head precedes its slugs. */
static enum outcome
find_posts(struct export *e)
{
	enum outcome outcome = OUTCOME_DONE;
	enum table_rc rc;
	struct walk walk;
	bool more;

	walk_begin(&walk, e->table);
	while ((rc = walk_next(&walk, &more)) == TABLE_OK && more)
		for (size_t i = 0; i < walk.page.count; i++)
			note_item(e, &walk.page.items[i]);
	if (rc != TABLE_OK)
		outcome = table_failed(rc, walk.call.why);
	walk_end(&walk);
	if (e->count != 0)
		qsort(e->addresses, e->count, sizeof(*e->addresses), compare);
	return outcome;
}

/* --- Pictures ------------------------------------------------------------------------------------ */

static bool
copy_file(struct arena *arena, const char *from, const char *to)
{
	struct out_file out;
	struct str bytes, why;

	if (access(to, F_OK) == 0)
		return true;
	if (!file_read_here(arena, from, PICTURE_MAX, &bytes) ||
	    !out_file_open(&out, to, arena, &why))
		return false;
	fwrite(bytes.base, 1, bytes.len, out.stream);
	/* The web server has to be able to read pictures. */
	fchmod(fileno(out.stream), 0644);
	return out_file_commit(&out, &why);
}

bool
posts_copy_picture(
    struct arena *arena, const char *from, const char *to, struct str hash, size_t *copied)
{
	const char **names;
	size_t count;

	*copied = 0;
	if (!folder_list(arena, from, "", &names, &count))
		return errno == ENOENT;
	for (size_t i = 0; i < count; i++) {
		struct media_address address;

		if (!media_address_read(
			STR_CONCAT(arena, STR("/media/"), str_of(names[i])), STR(""), &address) ||
		    !str_eq(address.hash, hash))
			continue;
		if (mkdir(to, 0755) != 0 && errno != EEXIST)
			return false;
		if (!copy_file(arena, str_cstring(arena, str_fmt(arena, "%s/%s", from, names[i])),
			str_cstring(arena, str_fmt(arena, "%s/%s", to, names[i]))))
			return false;
		++*copied;
	}
	return true;
}

static enum outcome
export_pictures(struct export *e, const struct post_file *file)
{
	const char *to = str_cstring(e->arena, str_fmt(e->arena, "%s/media", e->folder));
	const char *from = str_cstring(e->arena, e->in->config.media);
	struct media_uses uses;

	media_uses_of(e->arena, &file->post, &file->body, &uses);
	for (size_t i = 0; i < uses.hashes.count; i++) {
		size_t copied;

		if (!posts_copy_picture(e->arena, from, to, uses.hashes.strings[i], &copied)) {
			complain("%s: %s", to, strerror(errno));
			return OUTCOME_FAILED;
		}
		if (copied == 0)
			warn("%.*s: its picture %.*s is not in %s", STR_ARGS(file->post.slug),
			    STR_ARGS(uses.hashes.strings[i]), from);
	}
	return OUTCOME_DONE;
}

/* --- Posts ---------------------------------------------------------------------------------------- */

/* The old slugs from `at` on: neither the id nor the present slug. */
static void
take_old_slugs(const struct export *e, size_t at, struct post_file *file)
{
	struct str *slugs = ARENA_ARRAY(e->arena, e->count - at, struct str);
	size_t count = 0;

	for (; at < e->count && str_eq(e->addresses[at].post, file->post.id); at++) {
		struct str slug = e->addresses[at].slug;

		if (slug.len != 0 && !str_eq(slug, file->post.id) && !str_eq(slug, file->post.slug))
			slugs[count++] = slug;
	}
	file->old_slugs = (struct strings_value){slugs, count};
}

static enum outcome
write_file(struct export *e, const struct post_file *file)
{
	const char *path = str_cstring(
	    e->arena, str_fmt(e->arena, "%s/%.*s.md", e->folder, STR_ARGS(file->post.slug)));
	struct buf text = {.arena = e->arena};
	struct out_file out;
	struct str why;

	post_file_write(file, &text);
	if (!out_file_open(&out, path, e->arena, &why)) {
		complain("%.*s", STR_ARGS(why));
		return OUTCOME_FAILED;
	}
	fwrite(text.base, 1, text.len, out.stream);
	if (!out_file_commit(&out, &why)) {
		complain("%.*s", STR_ARGS(why));
		return OUTCOME_FAILED;
	}
	e->written++;
	return OUTCOME_DONE;
}

/* Exports the post whose head is at `at`. */
static enum outcome
export_post(struct export *e, size_t at)
{
	struct table_call call = {.arena = e->arena};
	struct plan plan = {.table = e->table, .call = &call};
	struct post_file file = {.given = 0};
	struct retry retry = {0};
	struct written written;
	enum outcome outcome;
	enum table_rc rc;
	bool there;

	do
		rc = written_get(&plan, e->addresses[at].post, &written, &there);
	while (retry_again(&retry, rc));
	table_release(e->table, &call);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	if (!there || written.post.status == STATUS_DELETED || !slug_valid(written.post.slug))
		return OUTCOME_DONE;
	file.post = written.post;
	file.body = written.body;
	take_old_slugs(e, at, &file);
	outcome = write_file(e, &file);
	return outcome == OUTCOME_DONE ? export_pictures(e, &file) : outcome;
}

static enum outcome
export_all(struct export *e)
{
	struct progress progress = {.what = "export", .unit = "posts"};
	enum outcome outcome = find_posts(e);
	uint64_t done = 0;

	for (size_t i = 0; i < e->count && outcome == OUTCOME_DONE; i++) {
		if (e->addresses[i].slug.len != 0)
			continue;
		outcome = export_post(e, i);
		arena_reset(e->arena);
		progress_show(&progress, ++done, e->posts);
	}
	progress_end(&progress);
	return outcome;
}

/* A folder with files in it is written to only with --merge. */
static bool
folder_ready(struct invocation *in, const char *folder)
{
	const char **names;
	size_t count;

	if (mkdir(folder, 0755) != 0 && errno != EEXIST) {
		complain("%s: %s", folder, strerror(errno));
		return false;
	}
	if (!folder_list(in->arena, folder, "", &names, &count)) {
		complain("%s: %s", folder, strerror(errno));
		return false;
	}
	if (count == 0 || option_given(in, "merge") != NULL)
		return true;
	complain(
	    "%s has files already; --merge writes beside them, and over those of the same names",
	    folder);
	return false;
}

enum outcome
posts_export(struct invocation *in, struct table *table, const char *folder)
{
	struct export e = {.in = in, .table = table, .folder = folder};
	enum outcome outcome = OUTCOME_FAILED;
	char number[32];

	if (!folder_ready(in, folder))
		return outcome;
	e.arena = arena_new();
	outcome = export_all(&e);
	arena_free(e.arena);
	if (outcome != OUTCOME_DONE)
		return outcome;
	printf("Wrote %s %s to %s\n", grouped(e.written, number), e.written == 1 ? "post" : "posts",
	    folder);
	return OUTCOME_DONE;
}
