#include "cli/posts_pair.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "server/folder.h"
#include "table/retry.h"

#include <errno.h>
#include <string.h>

enum { FILE_MAX_BYTES = 2 * 1024 * 1024 };

void
import_fault(struct import_source *from, const char *name, uint32_t line, struct str why)
{
	if (from->faults++ >= FAULTS_SHOWN)
		return;
	if (line != 0)
		complain("%s/%s:%u: %.*s", from->folder, name, line, STR_ARGS(why));
	else
		complain("%s/%s: %.*s", from->folder, name, STR_ARGS(why));
}

bool
pair_parse(struct import_source *from, const char *name, struct post_file *out)
{
	const char *path = str_fmt(from->arena, "%s/%s", from->folder, name).base;
	struct front_fault why;
	struct str text;

	if (!file_read_here(from->arena, path, FILE_MAX_BYTES, &text)) {
		import_fault(from, name, 0, str_of(strerror(errno)));
		return false;
	}
	if (!post_file_read(
		from->arena, str_sub(str_of(name), 0, strlen(name) - 3), text, out, &why)) {
		import_fault(from, name, why.line, why.why);
		return false;
	}
	return true;
}

size_t
pair_slugs(const struct post_file *file, struct str slugs[PAIR_SLUGS])
{
	size_t count = 0;

	slugs[count++] = file->post.slug;
	if (!str_eq(file->post.id, file->post.slug))
		slugs[count++] = file->post.id;
	for (size_t i = 0; i < file->old_slugs.count && count < PAIR_SLUGS; i++)
		if (!str_eq(file->old_slugs.strings[i], file->post.slug) &&
		    !str_eq(file->old_slugs.strings[i], file->post.id))
			slugs[count++] = file->old_slugs.strings[i];
	return count;
}

/* Whose a claimed address is; empty: nobody's. */
static struct str
claimed_by(const struct item *claim)
{
	return claim != NULL ? item_string(claim, STR("Post")) : STR("");
}

/*
 * Finds the post that the file is of: by its id, or else by its address. That an address is another
 * post's is a fault.
 */
static enum table_rc
find_stored(
    struct import_source *from, const char *name, struct table_call *call, struct post_pair *pair)
{
	struct plan plan = {.table = from->table, .call = call};
	struct post_file *file = &pair->file;
	struct str slugs[PAIR_SLUGS], *kept = ARENA_ARRAY(from->arena, PAIR_SLUGS, struct str);
	struct key *keys = ARENA_ARRAY(from->arena, PAIR_SLUGS, struct key);
	size_t count = pair_slugs(file, slugs), kept_count = 0;
	struct read claims = {.kind = READ_BATCH, .batch = {keys, count}, .consistent = true};
	struct retry retry = {0};
	enum table_rc rc;

	for (size_t i = 0; i < count; i++)
		keys[i] = key_slug(from->arena, slugs[i]);
	do
		rc = table_read(from->table, call, &claims, 1);
	while (retry_again(&retry, rc));
	if (rc != TABLE_OK)
		return rc;
	if (!post_file_gives(file, "id") && claimed_by(claims.items[0]).len != 0)
		file->post.id = claimed_by(claims.items[0]);
	for (size_t i = 0; i < count; i++) {
		struct str owner = claimed_by(claims.items[i]);

		if (owner.len != 0 && !str_eq(owner, file->post.id))
			import_fault(from, name, 0,
			    str_fmt(from->arena, "the address \"%.*s\" is that of another post",
				STR_ARGS(slugs[i])));
		else if (owner.len != 0)
			kept[kept_count++] = slugs[i];
	}
	do
		rc = written_get(&plan, file->post.id, &pair->written, &pair->there);
	while (retry_again(&retry, rc));
	pair->stored = (struct post_file){.post = pair->written.post,
	    .body = pair->written.body,
	    .old_slugs = {kept, kept_count}};
	return rc;
}

/* Both name the same old addresses where those are the post's already. */
static void
settle_slugs(struct arena *arena, const struct post_pair *pair, struct post_file *side)
{
	struct str *slugs = ARENA_ARRAY(arena, side->old_slugs.count, struct str);
	size_t count = 0;

	for (size_t i = 0; i < side->old_slugs.count; i++)
		if (!str_eq(side->old_slugs.strings[i], pair->file.post.id) &&
		    !str_eq(side->old_slugs.strings[i], pair->file.post.slug))
			slugs[count++] = side->old_slugs.strings[i];
	side->old_slugs = (struct strings_value){slugs, count};
}

bool
pair_same(struct import_source *from, const struct post_pair *pair)
{
	struct buf a = {.arena = from->arena}, b = {.arena = from->arena};
	struct post_file file = pair->file, stored = pair->stored;

	settle_slugs(from->arena, pair, &file);
	settle_slugs(from->arena, pair, &stored);
	/* A name is a copy of what somebody is called: that is not the file's to say. */
	file.post.author_name = stored.post.author_name;
	post_file_write(&file, &a);
	post_file_write(&stored, &b);
	return str_eq(buf_str(&a), buf_str(&b));
}

/* What of a stored post nobody can change. */
static void
check_pair(struct import_source *from, const char *name, const struct post_pair *pair)
{
	const struct post *new = &pair->file.post, *old = &pair->stored.post;

	if (old->status == STATUS_DELETED)
		import_fault(from, name, 0, STR("this post was deleted"));
	else if (new->kind != old->kind)
		import_fault(
		    from, name, 0, STR("a post stays of its kind, and the table has another"));
	else if (!str_eq(new->author, old->author))
		import_fault(
		    from, name, 0, STR("a post stays its author's, and the table has another"));
}

enum table_rc
pair_load(
    struct import_source *from, const char *name, struct table_call *call, struct post_pair *pair)
{
	const char *author = option_given(from->in, "author");
	enum table_rc rc;

	*pair = (struct post_pair){.there = false};
	if (!pair_parse(from, name, &pair->file))
		return TABLE_OK;
	rc = find_stored(from, name, call, pair);
	if (rc != TABLE_OK)
		return rc;
	if (pair->there) {
		post_file_keep(&pair->file, &pair->stored);
		check_pair(from, name, pair);
		return TABLE_OK;
	}
	post_file_settle(&pair->file, str_of(author), clock_now(from->in->clock));
	if (pair->file.post.author.len == 0)
		import_fault(from, name, 1,
		    STR("who wrote it? Say author:, or --author NAME for all files"));
	return TABLE_OK;
}
