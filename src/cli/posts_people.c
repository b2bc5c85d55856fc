#include "cli/posts_people.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/account.h"
#include "model/people/leaving.h"
#include "model/people/user.h"
#include "model/post/category.h"
#include "model/post/media.h"
#include "server/folder.h"
#include "table/retry.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { CATEGORIES_MAX = TABLE_QUERY_MAX };

void
people_begin(struct people *people, struct invocation *in, struct table *table)
{
	*people = (struct people){.in = in, .table = table};
}

static void
need(struct arena *arena, struct needs *needs, struct str slug, struct str name)
{
	size_t size = sizeof(*needs->all);

	for (size_t i = 0; i < needs->count; i++)
		if (str_eq(needs->all[i].slug, slug))
			return;
	if ((needs->count & (needs->count - 1)) == 0)
		needs->all = arena_grow(arena, needs->all, needs->count * size,
		    (needs->count != 0 ? 2 * needs->count : 1) * size);
	needs->all[needs->count++] =
	    (struct needed){.slug = str_dup(arena, slug), .name = str_dup(arena, name)};
}

/* "small-boats" is called "Small boats" until somebody names it. */
static struct str
name_of_slug(struct arena *arena, struct str slug)
{
	char *name = str_cstring(arena, slug);

	for (size_t i = 0; i < slug.len; i++)
		name[i] = name[i] == '-' ? ' ' : name[i];
	if (name[0] >= 'a' && name[0] <= 'z')
		name[0] = (char)(name[0] - 'a' + 'A');
	return (struct str){name, slug.len};
}

void
people_need(struct people *people, const struct post *post)
{
	struct arena *arena = people->in->arena;

	if (post->author.len != 0)
		need(arena, &people->authors, post->author, post->author_name);
	for (size_t i = 0; i < post->other_count; i++)
		need(arena, &people->authors, post->others[i].username, post->others[i].name);
	if (post->category.len != 0)
		need(arena, &people->categories, post->category,
		    name_of_slug(arena, post->category));
}

/* --- Who and what is there ------------------------------------------------------------------------- */

static enum table_rc
look_for_authors(struct people *people, struct table_call *call)
{
	struct needs *authors = &people->authors;

	for (size_t i = 0; i < authors->count; i++) {
		struct item *item;
		enum table_rc rc = table_get(
		    people->table, call, key_user(call->arena, authors->all[i].slug), &item);

		if (rc != TABLE_OK)
			return rc;
		authors->all[i].there = item != NULL;
		if (item != NULL) {
			struct user user;

			user_from_item(call->arena, item, &user);
			authors->all[i].name = str_dup(people->in->arena, user.display_name);
		}
	}
	return TABLE_OK;
}

static struct str
called(const struct needs *authors, struct str username, struct str said)
{
	for (size_t i = 0; i < authors->count; i++)
		if (authors->all[i].there && str_eq(authors->all[i].slug, username))
			return authors->all[i].name;
	return said;
}

void
people_name(const struct people *people, struct arena *arena, struct post *post)
{
	struct coauthor *others = ARENA_ARRAY(arena, post->other_count, struct coauthor);

	post->author_name = called(&people->authors, post->author, post->author_name);
	for (size_t i = 0; i < post->other_count; i++)
		others[i] = (struct coauthor){post->others[i].username,
		    called(&people->authors, post->others[i].username, post->others[i].name)};
	post->others = others;
}

static enum table_rc
read_tree(struct people *people, struct table_call *call, struct category_tree *tree)
{
	struct query query = query_categories();
	struct item *found;
	struct str next;
	enum table_rc rc;
	size_t count;

	query.limit = CATEGORIES_MAX;
	rc = table_query(people->table, call, &query, &found, &count, &next);
	if (rc == TABLE_OK)
		*tree = category_tree(call->arena, found, count, NULL, 0);
	return rc;
}

enum outcome
people_look(struct people *people)
{
	struct table_call call = {.arena = people->in->arena};
	struct needs *categories = &people->categories;
	struct retry retry = {0};
	struct category_tree tree;
	enum table_rc rc;

	do {
		rc = look_for_authors(people, &call);
		if (rc == TABLE_OK)
			rc = read_tree(people, &call, &tree);
	} while (retry_again(&retry, rc));
	for (size_t i = 0; rc == TABLE_OK && i < categories->count; i++)
		categories->all[i].there = category_find(&tree, categories->all[i].slug) != NULL;
	table_release(people->table, &call);
	return rc == TABLE_OK ? OUTCOME_DONE : table_failed(rc, call.why);
}

/* --- Making the rest ------------------------------------------------------------------------------- */

static struct plan
plan_of(struct people *people, struct table_call *call)
{
	return (struct plan){.table = people->table,
	    .call = call,
	    .clock = people->in->clock,
	    .now = clock_now(people->in->clock),
	    .by = STR("command line"),
	    .audited = true};
}

static enum outcome
make_author(struct people *people, const struct needed *author, struct table_call *call)
{
	struct plan plan = plan_of(people, call);
	const struct new_account new = {.username = author->slug,
	    .display_name = author->name,
	    .role = ROLE_AUTHOR,
	    .status = USER_ACTIVE};
	struct retry retry = {0};
	enum plan_rc rc;

	do
		rc = pseudonym_valid(author->slug) ? pseudonym_make(&plan, author->slug)
						   : account_create(&plan, &new);
	while (rc == PLAN_TABLE && retry_again(&retry, plan.failed));
	if (rc == PLAN_TABLE)
		return table_failed(plan.failed, call->why);
	/* Created by somebody else meanwhile: that will do. */
	return OUTCOME_DONE;
}

static enum outcome
make_category(struct people *people, const struct needed *category, struct table_call *call)
{
	struct plan plan = plan_of(people, call);
	const struct category_text text = {.name = category->name};
	struct retry retry = {0};
	struct category_tree tree;
	enum plan_rc rc;

	do {
		plan.failed = read_tree(people, call, &tree);
		rc = plan.failed != TABLE_OK ? PLAN_TABLE : PLAN_DONE;
		/* It may exist by now: created by somebody else, or by a failed attempt. */
		if (rc == PLAN_DONE && category_find(&tree, category->slug) == NULL)
			rc = category_create(&plan, &tree, category->slug, &text);
	} while (rc == PLAN_TABLE && retry_again(&retry, plan.failed));
	if (rc == PLAN_TABLE)
		return table_failed(plan.failed, call->why);
	if (rc == PLAN_DONE)
		return OUTCOME_DONE;
	complain("the category \"%.*s\" can't be made", STR_ARGS(category->slug));
	return OUTCOME_FAILED;
}

enum outcome
people_make(struct people *people)
{
	const struct needs *needs[] = {&people->authors, &people->categories};
	enum outcome outcome = OUTCOME_DONE;

	for (int kind = 0; kind < 2; kind++) {
		for (size_t i = 0; i < needs[kind]->count && outcome == OUTCOME_DONE; i++) {
			const struct needed *one = &needs[kind]->all[i];
			struct table_call call = {.arena = people->in->arena};

			if (!one->there)
				outcome = kind == 0 ? make_author(people, one, &call)
						    : make_category(people, one, &call);
			table_release(people->table, &call);
		}
	}
	return outcome;
}

/* --- Pictures -------------------------------------------------------------------------------------- */

/* What the files say of a picture, in its largest size. False: there are none. */
static bool
measure(struct arena *arena, const char *folder, struct str hash, struct media *out)
{
	const char **names;
	size_t count;

	if (!folder_list(arena, folder, "", &names, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct media_address address;
		struct stat about;

		if (!media_address_read(
			STR_CONCAT(arena, STR("/media/"), str_of(names[i])), STR(""), &address) ||
		    !str_eq(address.hash, hash) || !media_is_picture(address.format))
			continue;
		if (stat(str_cstring(arena, str_fmt(arena, "%s/%s", folder, names[i])), &about) ==
		    0)
			out->bytes += about.st_size;
		if (address.size.width <= out->width)
			continue;
		out->width = address.size.width;
		out->height = address.size.height;
		out->format = address.format;
	}
	return out->width != 0;
}

static enum outcome
bring(
    struct people *people, struct arena *arena, const char *from, struct str hash, struct str owner)
{
	const char *to = str_cstring(arena, people->in->config.media);
	struct media media = {
	    .hash = hash, .owner = owner, .created = clock_now(people->in->clock)};
	struct table_call call = {.arena = arena};
	struct retry retry = {0};
	struct write writes[2];
	enum table_rc rc;
	size_t copied;

	if (!posts_copy_picture(arena, from, to, hash, &copied)) {
		complain("%s: %s", to, strerror(errno));
		return OUTCOME_FAILED;
	}
	if (copied == 0 || !measure(arena, from, hash, &media))
		return OUTCOME_DONE;
	writes[0] = media_put(arena, &media);
	writes[1] = media_quota_change(arena, owner, media.bytes, 0);
	do
		rc = table_transact(
		    people->table, &call, writes, media_quota_has(owner) ? 2 : 1, STR(""));
	while (retry_again(&retry, rc));
	if (rc == TABLE_CANCELLED && writes[0].rc == TABLE_CONDITION)
		rc = TABLE_CONDITION;
	table_release(people->table, &call);
	people->pictures += rc == TABLE_OK;
	return rc == TABLE_OK || rc == TABLE_CONDITION ? OUTCOME_DONE : table_failed(rc, call.why);
}

enum outcome
people_pictures(
    struct people *people, struct arena *arena, const char *folder, const struct post_file *file)
{
	const char *from = str_cstring(arena, str_fmt(arena, "%s/media", folder));
	enum outcome outcome = OUTCOME_DONE;
	struct media_uses uses;

	media_uses_of(arena, &file->post, &file->body, &uses);
	for (size_t i = 0; i < uses.hashes.count && outcome == OUTCOME_DONE; i++)
		outcome = bring(people, arena, from, uses.hashes.strings[i], file->post.author);
	return outcome;
}

/* --- Telling --------------------------------------------------------------------------------------- */

static void
tell(const struct needs *needs, const char *what, const char *behind)
{
	bool first = true;

	for (size_t i = 0; i < needs->count; i++) {
		/* An account that was closed does not come back, so there is nothing to report. */
		if (needs->all[i].there || pseudonym_valid(needs->all[i].slug))
			continue;
		printf("%s%.*s", first ? what : ", ", STR_ARGS(needs->all[i].slug));
		first = false;
	}
	if (!first)
		printf("%s\n", behind);
}

void
people_tell(const struct people *people, bool dry)
{
	tell(&people->authors, dry ? "Would make authors: " : "Made authors: ",
	    "; `broadsheet user reset NAME` gives one a password");
	tell(&people->categories, dry ? "Would make categories: " : "Made categories: ", "");
	if (people->pictures != 0)
		printf("Brought %llu pictures\n", (unsigned long long)people->pictures);
}
