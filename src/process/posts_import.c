/*
 * broadsheet import posts DIR: a folder of Markdown files into the table.
 *
 * All files are read, checked against each other and compared with the table before anything is written:
 * a mistake in one leaves the table as it was. Then each post is a transaction of its own, so an import
 * that was broken off is gone on with by doing it again.
 */
#include "process/posts.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/writing.h"
#include "process/folder.h"
#include "process/posts_people.h"
#include "web/markdown.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX_BYTES = 2 * 1024 * 1024, FAULTS_SHOWN = 20, SLUGS = DRAFT_SLUGS_MAX };

enum fate { FATE_NEW, FATE_SAME, FATE_CHANGED, FATES };

struct import {
	struct invocation *in;
	struct table *table;
	const char *folder;
	const char **names;
	size_t count;
	enum fate *fates;
	struct arena *arena; /* of one file */
	struct people people;
	size_t faults, of[FATES];
};

/* A post that a file is to become, beside what the table has of it. */
struct pair {
	struct post_file file, stored;
	struct written written;
	bool there;
};

static void
fault(struct import *im, const char *name, uint32_t line, struct str why)
{
	if (im->faults++ >= FAULTS_SHOWN)
		return;
	if (line != 0)
		complain("%s/%s:%u: %.*s", im->folder, name, line, STR_ARGS(why));
	else
		complain("%s/%s: %.*s", im->folder, name, STR_ARGS(why));
}

/* --- Files ----------------------------------------------------------------------------------------- */

static bool
parse(struct import *im, const char *name, struct post_file *out)
{
	const char *path = str_cstring(im->arena, str_fmt(im->arena, "%s/%s", im->folder, name));
	struct front_fault why;
	struct str text;

	if (!file_read_here(im->arena, path, FILE_MAX_BYTES, &text)) {
		fault(im, name, 0, str_of(strerror(errno)));
		return false;
	}
	if (!post_file_read(
		im->arena, str_sub(str_of(name), 0, strlen(name) - 3), text, out, &why)) {
		fault(im, name, why.line, why.why);
		return false;
	}
	return true;
}

/* Its addresses: the slug, the id, and the old ones, which may hold them, too. */
static size_t
slugs_of(const struct post_file *file, struct str slugs[SLUGS])
{
	size_t count = 0;

	slugs[count++] = file->post.slug;
	if (!str_eq(file->post.id, file->post.slug))
		slugs[count++] = file->post.id;
	for (size_t i = 0; i < file->old_slugs.count && count < SLUGS; i++)
		if (!str_eq(file->old_slugs.strings[i], file->post.slug) &&
		    !str_eq(file->old_slugs.strings[i], file->post.id))
			slugs[count++] = file->old_slugs.strings[i];
	return count;
}

struct used_slug {
	struct str slug;
	const char *name;
};

static int
compare_used(const void *a, const void *b)
{
	const struct used_slug *x = a, *y = b;
	int order = str_cmp(x->slug, y->slug);

	return order != 0 ? order : strcmp(x->name, y->name);
}

/* Reads all files once; no two may want the same address. */
static void
check_files(struct import *im)
{
	struct arena *arena = im->in->arena;
	struct used_slug *used = ARENA_ARRAY(arena, im->count * SLUGS, struct used_slug);
	size_t count = 0;

	for (size_t i = 0; i < im->count; i++) {
		struct post_file file;
		struct str slugs[SLUGS];
		size_t own;

		if (parse(im, im->names[i], &file)) {
			own = slugs_of(&file, slugs);
			for (size_t j = 0; j < own; j++)
				used[count++] =
				    (struct used_slug){str_dup(arena, slugs[j]), im->names[i]};
		}
		arena_reset(im->arena);
	}
	if (count != 0)
		qsort(used, count, sizeof(*used), compare_used);
	for (size_t i = 1; i < count; i++)
		if (str_eq(used[i - 1].slug, used[i].slug))
			fault(im, used[i].name, 0,
			    str_fmt(arena, "the address \"%.*s\" is that of %s as well",
				STR_ARGS(used[i].slug), used[i - 1].name));
}

/* --- Comparing with the table --------------------------------------------------------------------- */

/* Whose a claimed address is; empty: nobody's. */
static struct str
claimed_by(const struct item *claim)
{
	return claim != NULL ? item_string(claim, STR("Post")) : STR("");
}

/*
 * Finds the post that the file is of: by its id, or else by its address. False when the table failed, or
 * an address is another post's, which is a fault.
 */
static enum table_rc
find_stored(struct import *im, const char *name, struct table_call *call, struct pair *pair)
{
	struct writings w = {.table = im->table, .call = call};
	struct post_file *file = &pair->file;
	struct str slugs[SLUGS], *kept = ARENA_ARRAY(im->arena, SLUGS, struct str);
	struct key *keys = ARENA_ARRAY(im->arena, SLUGS, struct key);
	size_t count = slugs_of(file, slugs), kept_count = 0;
	struct read claims = {.kind = READ_BATCH, .batch = {keys, count}, .consistent = true};
	enum table_rc rc;

	for (size_t i = 0; i < count; i++)
		keys[i] = key_slug(im->arena, slugs[i]);
	rc = table_read(im->table, call, &claims, 1);
	if (rc != TABLE_OK)
		return rc;
	if (!post_file_gives(file, "id") && claimed_by(claims.items[0]).len != 0)
		file->post.id = claimed_by(claims.items[0]);
	for (size_t i = 0; i < count; i++) {
		struct str owner = claimed_by(claims.items[i]);

		if (owner.len != 0 && !str_eq(owner, file->post.id))
			fault(im, name, 0,
			    str_fmt(im->arena, "the address \"%.*s\" is that of another post",
				STR_ARGS(slugs[i])));
		else if (owner.len != 0)
			kept[kept_count++] = slugs[i];
	}
	rc = written_get(&w, file->post.id, &pair->written, &pair->there);
	pair->stored = (struct post_file){.post = pair->written.post,
	    .body = pair->written.body,
	    .old_slugs = {kept, kept_count}};
	return rc;
}

/* Both name the same old addresses where those are the post's already. */
static void
settle_slugs(struct arena *arena, const struct pair *pair, struct post_file *side)
{
	struct str *slugs = ARENA_ARRAY(arena, side->old_slugs.count, struct str);
	size_t count = 0;

	for (size_t i = 0; i < side->old_slugs.count; i++)
		if (!str_eq(side->old_slugs.strings[i], pair->file.post.id) &&
		    !str_eq(side->old_slugs.strings[i], pair->file.post.slug))
			slugs[count++] = side->old_slugs.strings[i];
	side->old_slugs = (struct strings_value){slugs, count};
}

static bool
same(struct import *im, const struct pair *pair)
{
	struct buf a = {.arena = im->arena}, b = {.arena = im->arena};
	struct post_file file = pair->file, stored = pair->stored;

	settle_slugs(im->arena, pair, &file);
	settle_slugs(im->arena, pair, &stored);
	/* A name is a copy of what somebody is called: that is not the file's to say. */
	file.post.author_name = stored.post.author_name;
	post_file_write(&file, &a);
	post_file_write(&stored, &b);
	return str_eq(buf_str(&a), buf_str(&b));
}

/* What of a stored post nobody can change. */
static void
check_pair(struct import *im, const char *name, const struct pair *pair)
{
	const struct post *new = &pair->file.post, *old = &pair->stored.post;

	if (old->status == STATUS_DELETED)
		fault(im, name, 0, STR("this post was deleted"));
	else if (new->kind != old->kind)
		fault(im, name, 0, STR("a post stays of its kind, and the table has another"));
	else if (!str_eq(new->author, old->author))
		fault(im, name, 0, STR("a post stays its author's, and the table has another"));
}

/* The file and what the table has; the file says all afterwards. A fault is noted. */
static enum table_rc
load(struct import *im, const char *name, struct table_call *call, struct pair *pair)
{
	const char *author = option_given(im->in, "author");
	enum table_rc rc;

	*pair = (struct pair){.there = false};
	if (!parse(im, name, &pair->file))
		return TABLE_OK;
	rc = find_stored(im, name, call, pair);
	if (rc != TABLE_OK)
		return rc;
	if (pair->there) {
		post_file_keep(&pair->file, &pair->stored);
		check_pair(im, name, pair);
		return TABLE_OK;
	}
	post_file_settle(&pair->file, str_of(author), clock_now(im->in->clock));
	if (pair->file.post.author.len == 0)
		fault(
		    im, name, 1, STR("who wrote it? Say author:, or --author NAME for all files"));
	return TABLE_OK;
}

static enum outcome
compare_all(struct import *im)
{
	struct progress progress = {.what = "checking", .unit = "posts"};
	enum outcome outcome = OUTCOME_DONE;

	for (size_t i = 0; i < im->count && outcome == OUTCOME_DONE; i++) {
		struct table_call call = {.arena = im->arena};
		struct pair pair;
		enum table_rc rc = load(im, im->names[i], &call, &pair);

		table_release(im->table, &call);
		if (rc != TABLE_OK)
			outcome = table_failed(rc, call.why);
		else
			im->fates[i] = !pair.there       ? FATE_NEW
				       : same(im, &pair) ? FATE_SAME
							 : FATE_CHANGED;
		im->of[im->fates[i]]++;
		if (rc == TABLE_OK && im->fates[i] != FATE_SAME)
			people_need(&im->people, &pair.file.post);
		arena_reset(im->arena);
		progress_show(&progress, i + 1, im->count);
	}
	progress_end(&progress);
	return outcome;
}

/* --- Writing --------------------------------------------------------------------------------------- */

static const char *
failure(enum writing_rc rc)
{
	switch (rc) {
	case WRITING_SLUG_TAKEN: return "its address is another post's";
	case WRITING_NO_CATEGORY: return "its category is not there";
	case WRITING_NO_AUTHOR: return "one of its authors is not there";
	case WRITING_TOO_LONG: return "it is too long for the table";
	default: return "somebody changed it just now; import it again";
	}
}

static enum outcome
write_post(struct import *im, const char *name, struct pair *pair, struct table_call *call)
{
	struct str slugs[SLUGS];
	struct writings w = {.table = im->table,
	    .call = call,
	    .now = clock_now(im->in->clock),
	    .by = pair->file.post.author};
	struct draft draft = {.post = pair->file.post,
	    .body = pair->file.body,
	    .keeps_times = true,
	    .what = STR("imported")};
	size_t count = slugs_of(&pair->file, slugs);
	enum writing_rc rc;

	/* The first is its slug, which is claimed anyhow. */
	draft.slugs = (struct strings_value){slugs + 1, count - 1};
	if (!pair->there)
		people_name(&im->people, im->arena, &draft.post);
	w.by_name = draft.post.author_name;
	draft.post.version = pair->written.post.version;
	if (pair->there && !post_file_gives(&pair->file, "updated"))
		draft.post.updated = 0;
	markdown_body(im->arena, im->in->config.origin, &draft.body, &draft.post.words);
	rc = pair->there ? writing_save(&w, &pair->written, &draft) : writing_create(&w, &draft);
	if (rc == WRITING_DONE)
		return OUTCOME_DONE;
	if (rc == WRITING_TABLE)
		return table_failed(w.failed, call->why);
	complain("%s/%s: %s", im->folder, name, failure(rc));
	return OUTCOME_FAILED;
}

static enum outcome
write_all(struct import *im)
{
	struct progress progress = {.what = "import", .unit = "posts"};
	enum outcome outcome = people_make(&im->people);

	for (size_t i = 0; i < im->count && outcome == OUTCOME_DONE; i++) {
		struct table_call call = {.arena = im->arena};
		struct pair pair;
		enum table_rc rc;

		if (im->fates[i] == FATE_SAME)
			continue;
		rc = load(im, im->names[i], &call, &pair);
		if (rc != TABLE_OK)
			outcome = table_failed(rc, call.why);
		else if (im->faults != 0)
			outcome = OUTCOME_FAILED; /* somebody changed the file meanwhile */
		if (outcome == OUTCOME_DONE)
			outcome = people_pictures(&im->people, im->arena, im->folder, &pair.file);
		if (outcome == OUTCOME_DONE)
			outcome = write_post(im, im->names[i], &pair, &call);
		table_release(im->table, &call);
		arena_reset(im->arena);
		progress_show(&progress, i + 1, im->count);
	}
	progress_end(&progress);
	return outcome;
}

/* --- All of it ------------------------------------------------------------------------------------- */

static void
tell(const struct import *im, bool dry)
{
	char number[32];

	printf("%s %s new %s", dry ? "Would write" : "Wrote", grouped(im->of[FATE_NEW], number),
	    im->of[FATE_NEW] == 1 ? "post" : "posts");
	printf(", %s", grouped(im->of[FATE_CHANGED], number));
	printf(" changed; %s are as they are in the table\n", grouped(im->of[FATE_SAME], number));
	people_tell(&im->people, dry);
}

static enum outcome
import_all(struct import *im)
{
	bool dry = option_given(im->in, "dry-run") != NULL;
	enum outcome outcome;

	check_files(im);
	outcome = im->faults != 0 ? OUTCOME_FAILED : compare_all(im);
	if (im->faults > FAULTS_SHOWN)
		complain("and %zu mistakes more", im->faults - FAULTS_SHOWN);
	if (outcome != OUTCOME_DONE || im->faults != 0)
		return outcome != OUTCOME_DONE ? outcome : OUTCOME_FAILED;
	if (im->of[FATE_CHANGED] != 0 && option_given(im->in, "merge") == NULL && !dry) {
		for (size_t i = 0; i < im->count; i++)
			if (im->fates[i] == FATE_CHANGED)
				complain("%s/%s: the table has another text of it", im->folder,
				    im->names[i]);
		complain(
		    "nothing was written; --merge writes what the files say, as new revisions");
		return OUTCOME_FAILED;
	}
	outcome = people_look(&im->people);
	if (outcome == OUTCOME_DONE && !dry)
		outcome = write_all(im);
	if (outcome == OUTCOME_DONE)
		tell(im, dry);
	return outcome;
}

enum outcome
posts_import(struct invocation *in, struct table *table, const char *folder)
{
	struct import im = {.in = in, .table = table, .folder = folder};
	enum outcome outcome = OUTCOME_FAILED;

	if (!folder_list(in->arena, folder, ".md", &im.names, &im.count)) {
		complain("%s: %s", folder, strerror(errno));
		return OUTCOME_FAILED;
	}
	if (im.count == 0) {
		complain("%s: holds no *.md", folder);
		return OUTCOME_FAILED;
	}
	im.fates = ARENA_ARRAY(in->arena, im.count, enum fate);
	im.arena = arena_new();
	people_begin(&im.people, in, table);
	outcome = import_all(&im);
	arena_free(im.arena);
	return outcome;
}
