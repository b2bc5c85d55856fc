#include "pages/write_checks.h"

#include "base/arena.h"
#include "model/category.h"
#include "model/key.h"
#include "pages/publication.h"
#include "web/url.h"

#include <string.h>

enum {
	LINKS_MAX = 40,
	KEYS_OF_A_LINK = 2,
	ADVICE_MAX = LINKS_MAX + 5,
	HEAVY = 100 * 1024,
	PICTURES_MANY = 20
};

struct checks {
	struct request *rq;
	struct form_error_view advice[ADVICE_MAX];
	size_t count;
	struct str links[LINKS_MAX]; /* to pages of this site, each once */
	size_t link_count;
	size_t pictures, undescribed;
	size_t bytes;
};

static void
advise(struct checks *c, const char *field, struct str sentence)
{
	if (c->count < ADVICE_MAX)
		c->advice[c->count++] = (struct form_error_view){
		    .id = STR_CONCAT(c->rq->arena, STR("write-"), str_of(field)),
		    .error = sentence};
}

/* --- What the text has in it ------------------------------------------------------------------------ */

/* The path of an address of this site, without what follows it; empty for another's. */
static struct str
own_path(const struct request *rq, struct str address)
{
	struct str origin = rq->site->origin, rest;

	if (origin.len != 0 && str_starts(address, origin))
		address = str_sub(address, origin.len, address.len);
	if (!url_is_local(address))
		return STR("");
	return str_cut(str_cut(address, '#', &rest), '?', &rest);
}

static void
note_link(struct checks *c, struct str address)
{
	struct str path = own_path(c->rq, address);

	for (size_t i = 0; i < c->link_count; i++)
		if (str_eq(c->links[i], path))
			return;
	if (path.len != 0 && c->link_count < LINKS_MAX)
		c->links[c->link_count++] = path;
}

/* The HTML is our renderer's own: its tags and attributes have one form. */
static void
look_at(struct checks *c, struct str html)
{
	static const struct str link = STR_INIT("<a href=\""), picture = STR_INIT("<img ");

	c->bytes += html.len;
	for (size_t i = 0; i < html.len; i++) {
		struct str here, rest;

		i += str_find(str_sub(html, i, html.len), '<');
		here = str_sub(html, i, html.len);
		if (str_starts(here, link))
			note_link(c, str_cut(str_sub(here, link.len, here.len), '"', &rest));
		if (!str_starts(here, picture))
			continue;
		here = str_cut(here, '>', &rest);
		c->pictures++;
		c->undescribed += memmem(here.base, here.len, " alt=\"\"", 7) != NULL;
	}
}

/* --- Where its links lead --------------------------------------------------------------------------- */

/* What is behind a path, of the pages that are made of items: its keys, or none of these. */
static size_t
keys_behind(struct request *rq, struct str path, struct key keys[KEYS_OF_A_LINK])
{
	struct str name, first = str_cut(str_sub(path, 1, path.len), '/', &name);

	if (name.len == 0 || str_find(name, '/') != name.len)
		return 0;
	if ((str_eq(first, STR("post")) || str_eq(first, STR("page"))) && slug_valid(name)) {
		keys[0] = key_slug(rq->arena, name);
		keys[1] = key_post(rq->arena, name);
		return 2;
	}
	if (str_eq(first, STR("author")) && username_valid(name)) {
		keys[0] = key_user(rq->arena, name);
		return 1;
	}
	if (str_eq(first, STR("tag")) && slug_valid(name)) {
		keys[0] = key_tag(rq->arena, name);
		return 1;
	}
	return 0;
}

/* A renamed post's head lies elsewhere: of that the claim is enough. */
static const char *
trouble(struct request *rq, const struct item *const *items, size_t count, const struct post *own)
{
	struct post post;

	if (items[0] == NULL)
		return "leads nowhere";
	if (count < KEYS_OF_A_LINK || items[1] == NULL)
		return NULL;
	post_from_item(rq->arena, items[1], &post);
	if (str_eq(post.id, own->id) || post_visible_to(&post, NULL, rq->now))
		return NULL;
	if (post_gone(&post, rq->now))
		return "leads to a post that was deleted";
	/* Of what this writer may not know, it is not told that it is there. */
	return post_visible_to(&post, rq->viewer, rq->now)
		   ? "leads to a post that readers do not see yet"
		   : "leads nowhere";
}

static void
complain(struct checks *c, struct str path, const char *what)
{
	advise(c, "markdown",
	    STR_CONCAT(c->rq->arena, STR("The link to "), path, STR(" "), str_of(what), STR(".")));
}

static bool
is_missing_category(struct request *rq, struct str path)
{
	static const struct str prefix = STR_INIT("/category/");
	struct str slug = str_sub(path, prefix.len, path.len);

	return str_starts(path, prefix) && str_find(slug, '/') == slug.len &&
	       category_find(&rq->publication->categories, slug) == NULL;
}

static void
follow_links(struct checks *c, const struct post *own)
{
	struct key keys[LINKS_MAX * KEYS_OF_A_LINK];
	size_t counts[LINKS_MAX] = {0}, count = 0;
	struct read read = {.kind = READ_BATCH};

	for (size_t i = 0; i < c->link_count; i++) {
		counts[i] = keys_behind(c->rq, c->links[i], keys + count);
		/* The post and the page of one slug are the same claim. */
		for (size_t k = 0; counts[i] != 0 && k < count; k++)
			if (str_eq(keys[k].pk, keys[count].pk) &&
			    str_eq(keys[k].sk, keys[count].sk))
				counts[i] = 0;
		count += counts[i];
		if (is_missing_category(c->rq, c->links[i]))
			complain(c, c->links[i], "leads to a category that is not there");
	}
	read.batch.keys = keys;
	read.batch.count = count;
	if (count == 0 || table_read(c->rq->table, &c->rq->call, &read, 1) != TABLE_OK)
		return;
	for (size_t i = 0, at = 0; i < c->link_count; at += counts[i++]) {
		const char *what = counts[i] != 0
				       ? trouble(c->rq, (const struct item *const *)read.items + at,
					     counts[i], own)
				       : NULL;

		if (what != NULL)
			complain(c, c->links[i], what);
	}
}

/* --- All of it -------------------------------------------------------------------------------------- */

struct advice
write_checks(struct request *rq, const struct draft *draft)
{
	struct checks *c = ARENA_NEW(rq->arena, struct checks);
	const struct post *post = &draft->post;

	c->rq = rq;
	look_at(c, draft->body.html);
	for (size_t i = 0; i < draft->body.step_count; i++)
		look_at(c, draft->body.steps[i].html);
	if (post->excerpt.len == 0 && post->kind != KIND_NOTE && post->kind != KIND_PAGE)
		advise(c, "excerpt", STR("There is no excerpt: lists show the title alone."));
	if (post->thumbnail.url.len != 0 && post->thumbnail.alt.len == 0)
		advise(c, "thumbnail_alt", STR("Nobody has said what the post’s picture shows."));
	if (c->undescribed != 0)
		advise(c, "markdown",
		    c->undescribed == 1 ? STR("A picture in the text has no description: write it "
					      "between its brackets.")
					: str_fmt(rq->arena,
					      "%zu pictures in the text have no description: write "
					      "it between their brackets.",
					      c->undescribed));
	if (c->bytes > HEAVY)
		advise(c, "markdown",
		    str_fmt(rq->arena, "The text weighs %zu KB: two posts may be better than one.",
			c->bytes / 1024));
	if (c->pictures > PICTURES_MANY)
		advise(c, "markdown",
		    str_fmt(rq->arena, "There are %zu pictures: whoever has a slow line will wait.",
			c->pictures));
	follow_links(c, post);
	return (struct advice){c->advice, c->count};
}
