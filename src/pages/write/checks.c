#include "pages/write/checks.h"

#include "base/arena.h"
#include "model/key_catalogue.h"
#include "model/key_follow.h"
#include "model/kinds.h"
#include "model/people/person_counts.h"
#include "model/post/category.h"
#include "model/post/media.h"
#include "model/post/posts.h"
#include "model/slug.h"
#include "model/text_rule.h"
#include "pages/public/post_view.h"
#include "pages/shared/listed.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/http/gzip.h"
#include "web/http/route.h"

#include <assert.h>
#include <string.h>

enum {
	LINKS_MAX = 40,
	ALIKE_MAX = 5,
	TARGETS_MAX = LINKS_MAX + MEDIA_USES_MAX,
	KEYS_OF_A_LINK = 2,
	KEYS_MAX = TARGETS_MAX * KEYS_OF_A_LINK,
	BATCHES_MAX = KEYS_MAX / TABLE_BATCH_MAX + 1,
	ADVICE_MAX = TARGETS_MAX + ALIKE_MAX + 6,
	HEAVY =
	    20 * 1024, /* compressed; every page of the site should be lighter (t/e2e/browser.t) */
	PICTURES_MANY = 20,
	DIGITS_OF_A_CAMERA = 4, /* in a row, in a file's name */
};

/* A link or picture in the text. */
struct target {
	struct str path;   /* in canonical form, or "#heading" */
	const char *field; /* of the form, in which it is */
	bool picture;
	const char *trouble; /* "leads nowhere", …; NULL: none known */
};

struct checks {
	struct request *rq;
	struct form_error_view advice[ADVICE_MAX];
	size_t count;
	struct target targets[TARGETS_MAX]; /* without duplicates */
	size_t target_count;
	size_t pictures, undescribed;
	bool linked;     /* a picture that browsers would not show */
	struct str page; /* as readers will get it */
	struct read alike, alike_heads; /* a link's: who has the same address; no partition: it is not asked */
};

static void
advise(struct checks *c, const char *field, struct str sentence)
{
	if (c->count < ADVICE_MAX)
		c->advice[c->count++] = (struct form_error_view){
		    .id = STR_CONCAT(c->rq->arena, STR("write-"), str_of(field)),
		    .error = sentence};
}

/* --- What it weighs --------------------------------------------------------------------------------- */

/*
 * The page as a stranger will get it, without what others add: comments, and links to more posts.
 */
static struct str
render(struct request *rq, const struct draft *draft)
{
	struct request stranger = *rq;
	struct response *page = ARENA_NEW(rq->arena, struct response);
	struct post_shown *shown = ARENA_NEW(rq->arena, struct post_shown);
	struct post_view *view = ARENA_NEW(rq->arena, struct post_view);

	stranger.viewer = NULL;
	shown->post = draft->post;
	shown->body = draft->body;
	shown->post.status = STATUS_PUBLISHED;
	if (shown->post.published == 0)
		shown->post.published = rq->now;
	response_init(page, rq->arena);
	post_view_fill_page(&stranger, shown, view);
	if (post_respond(&stranger, page, draft->post.kind, view) != HTTP_OK)
		return STR("");
	return response_body(page);
}

static void
weigh(struct checks *c)
{
	struct buf packed = {.arena = c->rq->arena};
	size_t weight = c->page.len;

	if (gzip_put(c->rq->site->gzip, &packed, c->page, GZIP_FOR_MANY))
		weight = packed.len;
	if (weight > HEAVY)
		advise(c, "markdown",
		    str_fmt(c->rq->arena,
			"The page weighs %zu KB, compressed and without its pictures: over %d, two "
			"posts may be better than one.",
			(weight + 1023) / 1024, HEAVY / 1024));
	if (c->pictures > PICTURES_MANY)
		advise(c, "markdown",
		    str_fmt(c->rq->arena,
			"There are %zu pictures: whoever has a slow line will wait.", c->pictures));
}

/* --- Links and pictures of the text ----------------------------------------------------------- */

/* The path of an address on this site, without query and fragment; empty for other sites. */
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

/* The number of links is limited so that there is space for pictures. */
static void
note(struct checks *c, struct target target)
{
	size_t alike = 0;

	for (size_t i = 0; i < c->target_count; i++) {
		if (str_eq(c->targets[i].path, target.path))
			return;
		alike += c->targets[i].picture == target.picture;
	}
	if (alike < (target.picture ? (size_t)MEDIA_USES_MAX : (size_t)LINKS_MAX))
		c->targets[c->target_count++] = target;
}

static void
note_address(struct checks *c, struct str address, const char *field, bool picture)
{
	struct arena *arena = c->rq->arena;
	struct str path = own_path(c->rq, address), decoded;

	if (str_starts(address, STR("#")))
		note(c, (struct target){address, field, picture});
	else if (path.len != 0 && path_decode(arena, path, &decoded) == HTTP_OK)
		note(c, (struct target){path_canonical(arena, decoded, true), field, picture});
}

/* The value of an attribute of a tag. */
static struct str
attribute(struct str tag, const char *mark)
{
	size_t len = strlen(mark);
	const char *at = memmem(tag.base, tag.len, mark, len);
	struct str rest;

	if (at == NULL)
		return STR("");
	return str_cut(str_sub(tag, (size_t)(at - tag.base) + len, tag.len), '"', &rest);
}

/* Does it say what a picture shows? The name of a file does not, such as a camera's: "harbour.jpg", "IMG_2041". */
static bool
is_description(struct arena *arena, struct str alt)
{
	static const char *const ends[] = {".jpg", ".jpeg", ".png", ".webp", ".gif", ".heic"};
	size_t digits = 0, most = 0;
	bool letters = false;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (str_ends(str_lower(arena, alt), str_of(ends[i])))
			return false;
	for (size_t i = 0; i < alt.len; i++) {
		bool digit = alt.base[i] >= '0' && alt.base[i] <= '9';

		if (alt.base[i] == ' ')
			return true;
		letters = letters || !digit;
		digits = digit ? digits + 1 : 0;
		most = digits > most ? digits : most;
	}
	return alt.len != 0 && !(letters && most >= DIGITS_OF_A_CAMERA);
}

/* The HTML is made by our own renderer, so tags and attributes have one form. */
static void
look_at(struct checks *c, struct str html)
{
	static const struct str link = STR_INIT("<a href=\""), picture = STR_INIT("<img ");

	for (size_t i = 0; i < html.len; i++) {
		struct str tag, rest;

		i += str_find(str_sub(html, i, html.len), '<');
		tag = str_cut(str_sub(html, i, html.len), '>', &rest);
		c->linked = c->linked || str_starts(tag, STR("<a class=\"picture\""));
		if (str_starts(tag, link))
			note_address(c, attribute(tag, link.base), "markdown", false);
		if (!str_starts(tag, picture))
			continue;
		c->pictures++;
		c->undescribed += !is_description(c->rq->arena, attribute(tag, " alt=\""));
		note_address(c, attribute(tag, " src=\""), "markdown", true);
	}
}

/* --- Where it leads --------------------------------------------------------------------------------- */

/*
 * Does a link within the site lead anywhere? For what the writer may not see, the answer is that of
 * a missing page. First what does not need the table.
 */

static bool
is_missing_category(struct request *rq, struct str path)
{
	static const struct str prefix = STR_INIT("/category/");
	struct str slug = str_sub(path, prefix.len, path.len);

	return str_starts(path, prefix) && str_find(slug, '/') == slug.len &&
	       category_find(&publication_of(rq)->categories, slug) == NULL;
}

/* An address without a page, a category, a heading of this text. */
static const char *
plain_trouble(struct request *rq, struct str page, struct str path)
{
	const struct site *site = rq->site;
	struct str id = STR_CONCAT(rq->arena, STR(" id=\""), str_sub(path, 1, path.len), STR("\""));
	struct media_address picture;

	if (str_starts(path, STR("#")))
		return memmem(page.base, page.len, id.base, id.len) == NULL
			   ? "leads nowhere in this text"
			   : NULL;
	if (str_starts(path, STR("/static/")) || media_address_read(path, STR(""), &picture))
		return NULL;
	if ((route_find(rq->arena, site->routes, site->route_count, METHOD_GET, path).methods &
		METHOD_GET) == 0)
		return "leads nowhere";
	return is_missing_category(rq, path) ? "leads to a category that is not there" : NULL;
}

/* The keys of the item behind a path, for pages that are made of one; 0: none. */
static size_t
keys_behind(struct request *rq, struct str path, struct key keys[KEYS_OF_A_LINK])
{
	struct str name, first = str_cut(str_sub(path, 1, path.len), '/', &name);
	struct media_address picture;

	if (media_address_read(path, STR(""), &picture)) {
		keys[0] = key_media(rq->arena, picture.hash);
		return 1;
	}
	if (name.len == 0 || str_find(name, '/') != name.len)
		return 0;
	if ((str_eq(first, STR("post")) || str_eq(first, STR("page"))) && slug_valid(name)) {
		keys[0] = key_slug(rq->arena, name);
		keys[1] = key_post(rq->arena, name);
		return 2;
	}
	if (str_eq(first, STR("author")) && username_valid(name)) {
		keys[0] = key_user(rq->arena, name);
		keys[1] = key_person_counts(rq->arena, name);
		return 2;
	}
	if (str_eq(first, STR("tag")) && slug_valid(name)) {
		keys[0] = key_tag(name);
		return 1;
	}
	return 0;
}

/* A picture has files of its own sizes only, whatever the address says. */
static bool
is_file_of(struct arena *arena, struct str path, const struct item *item)
{
	struct media_size sizes[MEDIA_SIZES_MAX];
	struct media_address address;
	struct media media;
	size_t count;

	media_from_item(arena, item, &media);
	address = media_address_of(&media);
	count = media_sizes(address.size, address.format, sizes);
	for (size_t i = 0; i < count; i++) {
		address.size = sizes[i];
		if (str_eq(path, media_path(arena, &address)))
			return true;
	}
	return false;
}

/* A link to something that this writer may not see is reported like a link to nothing. */
static const char *
trouble(struct request *rq, struct str path, const struct item *const *items, size_t count,
    const struct post *own)
{
	const struct kind *kind = items[0] != NULL ? kind_of(items[0]) : NULL;
	struct post post;
	struct user user;

	if (kind == &item_kinds[ITEM_TAG])
		return item_number(items[0], STR("Posts")) >
			       scheduled_with(rq, item_string(items[0], STR("Tag")))
			   ? NULL
			   : "leads nowhere";
	if (kind == &item_kinds[ITEM_MEDIA])
		return is_file_of(rq->arena, path, items[0]) ? NULL : "leads nowhere";
	if (kind == &item_kinds[ITEM_USER]) {
		user_from_item(rq->arena, items[0], &user);
		person_counts_add(items[1], &user);
		user.posts -= scheduled_by(rq, user.username);
		return user_visible(&user) ? NULL : "leads nowhere";
	}
	if (items[0] == NULL || items[count - 1] == NULL)
		return "leads nowhere";
	if (count < KEYS_OF_A_LINK)
		return NULL;
	post_from_item(rq->arena, items[1], &post);
	if (str_eq(post.id, own->id) || post_visible_to(&post, NULL, rq->now))
		return NULL;
	if (post_gone(&post, rq->now))
		return "leads to a post that was deleted";
	return post_visible_to(&post, rq->viewer, rq->now)
		   ? "leads to a post that readers do not see yet"
		   : "leads nowhere";
}

/*
 * Reads the heads of renamed posts by the claims of their slugs, and of those that have the same address. False: the table
 * failed.
 */
static bool
read_renamed(struct checks *c, const size_t *counts, size_t count, const struct item **items)
{
	struct request *rq = c->rq;
	struct arena *arena = rq->arena;
	struct key keys[TARGETS_MAX];
	struct read reads[2] = {{.kind = READ_BATCH, .batch = {keys, 0}}}, *read = &reads[0];
	size_t of[TARGETS_MAX], at = 0;
	bool renamed, alike = posts_heads(arena, &c->alike, &c->alike_heads);

	for (size_t i = 0; i < count; at += counts[i++]) {
		size_t n = 0;

		of[i] = TARGETS_MAX;
		if (counts[i] < KEYS_OF_A_LINK || items[at] == NULL || items[at + 1] != NULL ||
		    !kind_is(items[at], ITEM_SLUG_CLAIM))
			continue;
		keys[read->batch.count] = key_post(arena, item_string(items[at], STR("Post")));
		while (!str_eq(keys[n].pk, keys[read->batch.count].pk))
			n++;
		of[i] = n;
		read->batch.count += n == read->batch.count;
	}
	renamed = read->batch.count != 0;
	reads[renamed] = alike ? c->alike_heads : reads[renamed];
	if (!renamed && !alike)
		return true;
	if (table_read(rq->table, &rq->call, reads, (size_t)renamed + alike) != TABLE_OK)
		return false;
	if (alike)
		c->alike_heads = reads[renamed];
	at = 0;
	for (size_t i = 0; i < count; at += counts[i++])
		if (of[i] != TARGETS_MAX)
			items[at + 1] = read->items[of[i]];
	return true;
}

/* All of them in one round trip, and what has the same address. False: the table failed. */
static bool
read_all(struct checks *c, const struct key *keys, size_t count, const struct item **items)
{
	struct request *rq = c->rq;
	struct read reads[BATCHES_MAX + 1];
	size_t batches = 0, alike = c->alike.query.partition.len != 0;

	for (size_t at = 0; at < count; at += TABLE_BATCH_MAX) {
		size_t left = count - at;

		reads[batches++] = (struct read){.kind = READ_BATCH,
		    .batch = {keys + at, left < TABLE_BATCH_MAX ? left : TABLE_BATCH_MAX}};
	}
	reads[batches] = c->alike;
	if (batches + alike == 0 || table_read(rq->table, &rq->call, reads, batches + alike) != TABLE_OK)
		return false;
	if (alike)
		c->alike = reads[batches];
	for (size_t i = 0; i < count; i++)
		items[i] = reads[i / TABLE_BATCH_MAX].items[i % TABLE_BATCH_MAX];
	return true;
}

/*
 * Finds what is wrong with each link of the post, TARGETS_MAX at most. Takes a round trip, another one when posts were
 * renamed, and none when nothing has to be read. If the table fails, links that depend on it are not reported.
 */
static void
links_follow(struct checks *c, const struct post *own)
{
	struct request *rq = c->rq;
	struct target *targets = c->targets;
	size_t count = c->target_count;
	const struct item *items[KEYS_MAX];
	struct key keys[KEYS_MAX];
	size_t counts[TARGETS_MAX] = {0}, total = 0;

	assert(count <= TARGETS_MAX);
	for (size_t i = 0; i < count; i++) {
		targets[i].trouble = plain_trouble(rq, c->page, targets[i].path);
		if (targets[i].trouble != NULL)
			continue;
		counts[i] = keys_behind(rq, targets[i].path, keys + total);
		/* A post and a page of the same slug have the same claim. */
		for (size_t k = 0; counts[i] != 0 && k < total; k++)
			if (str_eq(keys[k].pk, keys[total].pk) &&
			    str_eq(keys[k].sk, keys[total].sk))
				counts[i] = 0;
		total += counts[i];
	}
	if (!read_all(c, keys, total, items) || !read_renamed(c, counts, count, items))
		return;
	for (size_t i = 0, at = 0; i < count; at += counts[i++])
		if (counts[i] != 0)
			targets[i].trouble =
			    trouble(rq, targets[i].path, items + at, counts[i], own);
}

/* --- All of it -------------------------------------------------------------------------------------- */

static void
follow_links(struct checks *c, const struct post *own)
{
	struct arena *arena = c->rq->arena;

	links_follow(c, own);
	for (size_t i = 0; i < c->target_count; i++) {
		const struct target *t = &c->targets[i];

		if (t->trouble == NULL)
			continue;
		advise(c, t->field,
		    t->picture
			? STR_CONCAT(arena, STR("The picture "), t->path, STR(" is not there."))
			: STR_CONCAT(arena, STR("The link to "), t->path, STR(" "),
			      str_of(t->trouble), STR(".")));
	}
}

/* A link that is here already: its writer may want to say something there. */
static void
tell_alike(struct checks *c, const struct post *own)
{
	for (size_t i = 0; i < c->alike.found_count && c->alike_heads.items != NULL; i++) {
		const struct item *head = c->alike_heads.items[i];
		struct post post;

		if (head == NULL)
			continue;
		post_from_item(c->rq->arena, head, &post);
		if (str_eq(post.id, own->id) || !post_visible_to(&post, NULL, c->rq->now))
			continue;
		advise(c, "url", STR("There is a link to this address already:"));
		c->advice[c->count - 1].url = post_path(c->rq->arena, &post);
		c->advice[c->count - 1].url_text = words_title(&post);
	}
}

static void
ask_alike(struct checks *c, const struct post *post)
{
	struct str address = url_likened(c->rq->arena, post->url);

	if (post->kind != KIND_LINK || address.len == 0)
		return;
	c->alike = (struct read){.kind = READ_QUERY,
	    .query = query_catalogue(
		c->rq->arena, catalogue_address(c->rq->arena, address), CATALOGUE_NEWEST)};
	c->alike.query.limit = ALIKE_MAX;
}

static void
look_through(struct checks *c, const struct draft *draft)
{
	look_at(c, draft->body.html);
	for (size_t i = 0; i < draft->body.step_count; i++)
		look_at(c, draft->body.steps[i].html);
	note_address(c, draft->post.thumbnail.url, "thumbnail_url", true);
}

struct advice
write_missing_pictures(struct request *rq, const struct draft *draft)
{
	struct checks *c = ARENA_NEW(rq->arena, struct checks);
	size_t count;

	c->rq = rq;
	look_through(c, draft);
	count = c->target_count;
	c->target_count = 0;
	for (size_t i = 0; i < count; i++)
		if (c->targets[i].picture)
			c->targets[c->target_count++] = c->targets[i];
	follow_links(c, &draft->post);
	return (struct advice){c->advice, c->count};
}

struct advice
write_checks(struct request *rq, const struct draft *draft)
{
	struct checks *c = ARENA_NEW(rq->arena, struct checks);
	const struct post *post = &draft->post;

	c->rq = rq;
	c->page = render(rq, draft);
	look_through(c, draft);
	if (post->excerpt.len == 0 && post->kind != KIND_NOTE && post->kind != KIND_PAGE)
		advise(c, "excerpt", STR("There is no excerpt: lists show how the text begins."));
	if (post->thumbnail.url.len != 0 && !is_description(rq->arena, post->thumbnail.alt))
		advise(c, "thumbnail_alt", STR("Nobody has said what the post’s picture shows."));
	if (c->undescribed != 0)
		advise(c, "markdown",
		    c->undescribed == 1 ? STR("A picture in the text has no description: write it "
					      "between its brackets.")
					: str_fmt(rq->arena,
					      "%zu pictures in the text have no description: write "
					      "it between their brackets.",
					      c->undescribed));
	if (c->linked)
		advise(c, "markdown",
		    STR("A picture in the text is shown as a link, for browsers load one only from "
			"an address that begins with https://."));
	weigh(c);
	ask_alike(c, post);
	follow_links(c, post);
	tell_alike(c, post);
	return (struct advice){c->advice, c->count};
}

/* --- What waits --------------------------------------------------------------------------------------- */

struct str
write_held_for(struct request *rq, const struct post *post, struct str markdown)
{
	if (post->kind != KIND_NOTE || post->status != STATUS_PUBLISHED ||
	    post->visibility == VISIBILITY_PRIVATE)
		return STR("");
	return listed_of_viewer(rq, STR_CONCAT(rq->arena, post->title, STR("\n"), markdown));
}
