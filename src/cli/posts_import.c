/*
 * broadsheet import posts DIR: a folder of Markdown files into the table.
 *
 * All files are read, checked against each other and compared with the table before anything is
 * written, so that a mistake in one of them leaves the table as it was. Then each post is a
 * transaction of its own, so an interrupted import is completed by running it again.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "cli/command.h"
#include "cli/posts.h"
#include "cli/posts_people.h"
#include "model/key.h"
#include "model/post/writing.h"
#include "model/reader/mention.h"
#include "server/folder.h"
#include "table/retry.h"
#include "text/markdown.h"
#include "text/post_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Pairs ------------------------------------------------------------------------------------ */

/*
 * A file, and the post in the table that it is of. Errors are reported with the name of the file
 * and the line, and counted.
 */
enum { PAIR_SLUGS = DRAFT_SLUGS_MAX, FAULTS_SHOWN = 20 };

/* The folder, and the table. */
struct import_source {
	struct invocation *in;
	struct table *table;
	const char *folder;
	struct arena *arena; /* of one file; reset before the next */
	size_t faults;       /* of all files; after FAULTS_SHOWN they are only counted */
};

struct post_pair {
	struct post_file file, stored;
	struct written written;
	bool there; /* the post exists in the table */
};

enum { FILE_MAX_BYTES = 2 * 1024 * 1024 };

static void
import_fault(struct import_source *from, const char *name, uint32_t line, struct str why)
{
	if (from->faults++ >= FAULTS_SHOWN)
		return;
	if (line != 0)
		complain("%s/%s:%u: %.*s", from->folder, name, line, STR_ARGS(why));
	else
		complain("%s/%s: %.*s", from->folder, name, STR_ARGS(why));
}

/* Reads a file; false, and an error, when it is not a post. */
static bool
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

/* A file's addresses: its slug, its id, and its old slugs. */
static size_t
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

/* The post that claims the address; empty: none. */
static struct str
claimed_by(const struct item *claim)
{
	return claim != NULL ? item_string(claim, STR("Post")) : STR("");
}

/*
 * Finds the post that the file is of: by its id, or else by its slug. A slug that belongs to
 * another post is an error.
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

/* Old slugs that the post already has are in both. */
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

/* Would the import change nothing? */
static bool
pair_same(struct import_source *from, const struct post_pair *pair)
{
	struct buf a = {.arena = from->arena}, b = {.arena = from->arena};
	struct post_file file = pair->file, stored = pair->stored;

	settle_slugs(from->arena, pair, &file);
	settle_slugs(from->arena, pair, &stored);
	/* The author's name is a copy of the person's, so the file does not change it. */
	file.post.author_name = stored.post.author_name;
	post_file_write(&file, &a);
	post_file_write(&stored, &b);
	return str_eq(buf_str(&a), buf_str(&b));
}

/* Compares what can't be changed by an import. */
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

/*
 * Reads the file and the stored post; afterwards the file is complete. TABLE_OK, also on an error
 * in the file, or how the table failed.
 */
static enum table_rc
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

/* --- The import ------------------------------------------------------------------------------- */

enum fate { FATE_NEW, FATE_SAME, FATE_CHANGED, FATES };

struct import {
	struct import_source from;
	const char **names; /* of the files */
	size_t count;
	enum fate *fates;
	struct people people;
	size_t of[FATES];
};

/* --- Before anything is written -------------------------------------------------------------------- */

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

/* Reads all files once; no two may have the same address. */
static void
check_files(struct import *im)
{
	struct arena *arena = im->from.in->arena;
	struct used_slug *used = ARENA_ARRAY(arena, im->count * PAIR_SLUGS, struct used_slug);
	size_t count = 0;

	for (size_t i = 0; i < im->count; i++) {
		struct post_file file;
		struct str slugs[PAIR_SLUGS];
		size_t own;

		if (pair_parse(&im->from, im->names[i], &file)) {
			own = pair_slugs(&file, slugs);
			for (size_t j = 0; j < own; j++)
				used[count++] =
				    (struct used_slug){str_dup(arena, slugs[j]), im->names[i]};
		}
		arena_reset(im->from.arena);
	}
	if (count != 0)
		qsort(used, count, sizeof(*used), compare_used);
	for (size_t i = 1; i < count; i++)
		if (str_eq(used[i - 1].slug, used[i].slug))
			import_fault(&im->from, used[i].name, 0,
			    str_fmt(arena, "the address \"%.*s\" is that of %s as well",
				STR_ARGS(used[i].slug), used[i - 1].name));
}

static enum outcome
compare_all(struct import *im)
{
	struct progress progress = {.what = "checking", .unit = "posts"};
	enum outcome outcome = OUTCOME_DONE;

	for (size_t i = 0; i < im->count && outcome == OUTCOME_DONE; i++) {
		struct table_call call = {.arena = im->from.arena};
		struct post_pair pair;
		enum table_rc rc = pair_load(&im->from, im->names[i], &call, &pair);

		table_release(im->from.table, &call);
		if (rc != TABLE_OK)
			outcome = table_failed(rc, call.why);
		else
			im->fates[i] = !pair.there                   ? FATE_NEW
				       : pair_same(&im->from, &pair) ? FATE_SAME
								     : FATE_CHANGED;
		im->of[im->fates[i]]++;
		if (rc == TABLE_OK && im->fates[i] != FATE_SAME)
			people_need(&im->people, &pair.file.post);
		arena_reset(im->from.arena);
		progress_show(&progress, i + 1, im->count);
	}
	progress_end(&progress);
	return outcome;
}

/* --- Writing --------------------------------------------------------------------------------------- */

static const char *
failure(enum plan_rc rc)
{
	switch (rc) {
	case PLAN_TAKEN: return "its address is another post's";
	case PLAN_NO_CATEGORY: return "its category is not there";
	case PLAN_NO_AUTHOR: return "one of its authors is not there";
	case PLAN_TOO_LONG: return "it is too long for the table";
	default: return "somebody changed it just now; import it again";
	}
}

/* Renders the text; a note links to the people whom it names. */
static enum table_rc
render(struct import *im, struct table_call *call, struct draft *draft)
{
	struct arena *arena = im->from.arena;
	struct str text = draft->body.markdown;
	struct strings_value names = {NULL, 0};
	struct read people;
	enum table_rc rc = TABLE_OK;

	if (draft->post.kind == KIND_NOTE)
		names = markdown_mentions(arena, text);
	if (mention_read(arena, draft->post.author, names, &people)) {
		rc = table_read(im->from.table, call, &people, 1);
		if (rc != TABLE_OK)
			return rc;
		names = mention_take(arena, &people);
	}
	markdown_prepare(arena, &draft->post, STR(""), names, &draft->body);
	markdown_body(arena, im->from.in->config.origin, &draft->body, &draft->post);
	return rc;
}

static enum plan_rc
save_post(struct import *im, struct post_pair *pair, struct plan *plan)
{
	struct str slugs[PAIR_SLUGS];
	struct draft draft = {.post = pair->file.post,
	    .body = pair->file.body,
	    .keeps_times = true,
	    .what = STR("imported")};
	size_t count = pair_slugs(&pair->file, slugs);
	enum table_rc rc;

	/* The first is its slug, which is claimed in any case. */
	draft.slugs = (struct strings_value){slugs + 1, count - 1};
	if (!pair->there)
		people_name(&im->people, im->from.arena, &draft.post);
	plan->by = pair->file.post.author;
	plan->by_name = draft.post.author_name;
	draft.post.version = pair->written.post.version;
	if (pair->there && !post_file_gives(&pair->file, "updated"))
		draft.post.updated = 0;
	rc = render(im, plan->call, &draft);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	return pair->there ? writing_save(plan, &pair->written, &draft)
			   : writing_create(plan, &draft);
}

static enum outcome
write_post(struct import *im, const char *name, struct table_call *call)
{
	struct retry retry = {0};
	enum plan_rc rc;
	struct plan plan;

	do {
		struct post_pair pair;
		enum table_rc read = pair_load(&im->from, name, call, &pair);
		enum outcome outcome;

		if (read != TABLE_OK)
			return table_failed(read, call->why);
		if (im->from.faults != 0)
			return OUTCOME_FAILED; /* the file was changed meanwhile */
		/* A failed attempt may have been committed all the same. */
		if (retry.tries != 0 && pair.there && pair_same(&im->from, &pair))
			return OUTCOME_DONE;
		outcome = people_pictures(&im->people, im->from.arena, im->from.folder, &pair.file);
		if (outcome != OUTCOME_DONE)
			return outcome;
		plan = (struct plan){
		    .table = im->from.table, .call = call, .now = clock_now(im->from.in->clock)};
		rc = save_post(im, &pair, &plan);
	} while (rc == PLAN_TABLE && retry_again(&retry, plan.failed));
	if (rc == PLAN_DONE)
		return OUTCOME_DONE;
	if (rc == PLAN_TABLE)
		return table_failed(plan.failed, call->why);
	complain("%s/%s: %s", im->from.folder, name, failure(rc));
	return OUTCOME_FAILED;
}

static enum outcome
write_all(struct import *im)
{
	struct progress progress = {.what = "import", .unit = "posts"};
	enum outcome outcome = people_make(&im->people);

	for (size_t i = 0; i < im->count && outcome == OUTCOME_DONE; i++) {
		struct table_call call = {.arena = im->from.arena};

		if (im->fates[i] == FATE_SAME)
			continue;
		outcome = write_post(im, im->names[i], &call);
		table_release(im->from.table, &call);
		arena_reset(im->from.arena);
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
	bool dry = option_given(im->from.in, "dry-run") != NULL;
	enum outcome outcome;

	check_files(im);
	outcome = im->from.faults != 0 ? OUTCOME_FAILED : compare_all(im);
	if (im->from.faults > FAULTS_SHOWN)
		complain("and %zu mistakes more", im->from.faults - FAULTS_SHOWN);
	if (outcome != OUTCOME_DONE || im->from.faults != 0)
		return outcome != OUTCOME_DONE ? outcome : OUTCOME_FAILED;
	if (im->of[FATE_CHANGED] != 0 && option_given(im->from.in, "merge") == NULL && !dry) {
		for (size_t i = 0; i < im->count; i++)
			if (im->fates[i] == FATE_CHANGED)
				complain("%s/%s: the table has another text of it", im->from.folder,
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
	struct import im = {.from = {.in = in, .table = table, .folder = folder}};
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
	im.from.arena = arena_new();
	people_begin(&im.people, in, table);
	outcome = import_all(&im);
	arena_free(im.from.arena);
	return outcome;
}
