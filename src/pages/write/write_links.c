#include "pages/write/write_links.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/people/user.h"
#include "model/post/category.h"
#include "model/slug.h"
#include "pages/shared/publication.h"
#include "pages/write/scheduled.h"
#include "web/http/route.h"

#include <assert.h>
#include <string.h>

enum {
	KEYS_OF_A_LINK = 2,
	KEYS_MAX = TARGETS_MAX * KEYS_OF_A_LINK,
	BATCHES_MAX = KEYS_MAX / TABLE_BATCH_MAX + 1
};

/* --- Without asking the table ------------------------------------------------------------------------ */

static bool
is_missing_category(struct request *rq, struct str path)
{
	static const struct str prefix = STR_INIT("/category/");
	struct str slug = str_sub(path, prefix.len, path.len);

	return str_starts(path, prefix) && str_find(slug, '/') == slug.len &&
	       category_find(&rq->publication->categories, slug) == NULL;
}

/* What the table need not be asked: an address that no page has, a category, a heading of this very text. */
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

/* --- What the table says ----------------------------------------------------------------------------- */

/* What is behind a path, of the pages that are made of items: its keys, or none of these. */
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
		return 1;
	}
	if (str_eq(first, STR("tag")) && slug_valid(name)) {
		keys[0] = key_tag(rq->arena, name);
		return 1;
	}
	return 0;
}

/* A picture has files of its own sizes alone, whatever an address says. */
static bool
is_file_of(struct arena *arena, struct str path, const struct item *item)
{
	struct media_size sizes[MEDIA_SIZES_MAX];
	struct media_address address;
	struct media media;
	size_t count;

	media_from_item(arena, item, &media);
	address = media_address_of(&media);
	count = media_sizes(address.size, sizes);
	for (size_t i = 0; i < count; i++) {
		address.size = sizes[i];
		if (str_eq(path, media_path(arena, &address)))
			return true;
	}
	return false;
}

/* What leads to something that this writer may not know leads nowhere, as what leads to nothing does. */
static const char *
trouble(struct request *rq, struct str path, const struct item *const *items, size_t count,
    const struct post *own)
{
	struct str type = items[0] != NULL ? item_string(items[0], STR("Type")) : STR("");
	struct post post;
	struct user user;

	if (str_eq(type, STR("Tag")))
		return item_number(items[0], STR("Posts")) >
			       scheduled_with(rq, item_string(items[0], STR("Tag")))
			   ? NULL
			   : "leads nowhere";
	if (str_eq(type, STR("Media")))
		return is_file_of(rq->arena, path, items[0]) ? NULL : "leads nowhere";
	if (str_eq(type, STR("User"))) {
		user_from_item(rq->arena, items[0], &user);
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

/* The heads of posts that were renamed lie where the claims of their addresses say. False: the table failed. */
static bool
read_renamed(struct request *rq, const size_t *counts, size_t count, const struct item **items)
{
	struct arena *arena = rq->arena;
	struct key keys[TARGETS_MAX];
	struct read read = {.kind = READ_BATCH, .batch = {keys, 0}};
	size_t of[TARGETS_MAX], at = 0;

	for (size_t i = 0; i < count; at += counts[i++]) {
		size_t n = 0;

		of[i] = TARGETS_MAX;
		if (counts[i] < KEYS_OF_A_LINK || items[at] == NULL || items[at + 1] != NULL)
			continue;
		keys[read.batch.count] = key_post(arena, item_string(items[at], STR("Post")));
		while (!str_eq(keys[n].pk, keys[read.batch.count].pk))
			n++;
		of[i] = n;
		read.batch.count += n == read.batch.count;
	}
	if (read.batch.count == 0)
		return true;
	if (table_read(rq->table, &rq->call, &read, 1) != TABLE_OK)
		return false;
	at = 0;
	for (size_t i = 0; i < count; at += counts[i++])
		if (of[i] != TARGETS_MAX)
			items[at + 1] = read.items[of[i]];
	return true;
}

/* All of them in one round trip. False: the table failed. */
static bool
read_all(struct request *rq, const struct key *keys, size_t count, const struct item **items)
{
	struct read reads[BATCHES_MAX];
	size_t batches = 0;

	for (size_t at = 0; at < count; at += TABLE_BATCH_MAX) {
		size_t left = count - at;

		reads[batches++] = (struct read){.kind = READ_BATCH,
		    .batch = {keys + at, left < TABLE_BATCH_MAX ? left : TABLE_BATCH_MAX}};
	}
	if (batches == 0 || table_read(rq->table, &rq->call, reads, batches) != TABLE_OK)
		return false;
	for (size_t i = 0; i < count; i++)
		items[i] = reads[i / TABLE_BATCH_MAX].items[i % TABLE_BATCH_MAX];
	return true;
}

void
links_follow(struct request *rq, const struct post *own, struct str page, struct target *targets,
    size_t count)
{
	const struct item *items[KEYS_MAX];
	struct key keys[KEYS_MAX];
	size_t counts[TARGETS_MAX] = {0}, total = 0;

	assert(count <= TARGETS_MAX);
	for (size_t i = 0; i < count; i++) {
		targets[i].trouble = plain_trouble(rq, page, targets[i].path);
		if (targets[i].trouble != NULL)
			continue;
		counts[i] = keys_behind(rq, targets[i].path, keys + total);
		/* The post and the page of one slug are the same claim. */
		for (size_t k = 0; counts[i] != 0 && k < total; k++)
			if (str_eq(keys[k].pk, keys[total].pk) &&
			    str_eq(keys[k].sk, keys[total].sk))
				counts[i] = 0;
		total += counts[i];
	}
	if (!read_all(rq, keys, total, items) || !read_renamed(rq, counts, count, items))
		return;
	for (size_t i = 0, at = 0; i < count; at += counts[i++])
		if (counts[i] != 0)
			targets[i].trouble =
			    trouble(rq, targets[i].path, items + at, counts[i], own);
}
