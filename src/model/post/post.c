#include "model/post/post.h"

#include "model/permission.h"
#include "model/post/post_fields.h"

#include <assert.h>

static const struct binding stats_rows[] = {
    BIND_NUMBER(COUNTED, "Bookmarks", struct post_stats, bookmarks),
    BIND_NUMBER(COUNTED, "Comments", struct post_stats, comments),
    BIND_NUMBER(COUNTED, "Downs", struct post_stats, downs),
    BIND_NUMBER(COUNTED, "Laughs", struct post_stats, laughs),
    BIND_NUMBER(COUNTED, "Likes", struct post_stats, likes),
    BIND_NUMBER(COUNTED, "Loves", struct post_stats, loves),
    BIND_NUMBER(COUNTED, "Shares", struct post_stats, shares),
    BIND_NUMBER(COUNTED, "Stars1", struct post_stats, stars[0]),
    BIND_NUMBER(COUNTED, "Stars2", struct post_stats, stars[1]),
    BIND_NUMBER(COUNTED, "Stars3", struct post_stats, stars[2]),
    BIND_NUMBER(COUNTED, "Stars4", struct post_stats, stars[3]),
    BIND_NUMBER(COUNTED, "Stars5", struct post_stats, stars[4]),
    BIND_NUMBER(COUNTED, "Ups", struct post_stats, ups),
};
const struct binding_table post_stats_bindings = BINDINGS(stats_rows);

void
post_from_item(struct arena *arena, const struct item *item, struct post *out)
{
	*out = (struct post){.kind = KIND_ARTICLE};
	bind_read(arena, &post_head_bindings, item, out);
	if (out->author_name.len == 0)
		out->author_name = out->author;
}

size_t
post_body_bytes(const struct post_body *body)
{
	size_t bytes = body->markdown.len + body->source.len;

	for (size_t i = 0; i < body->step_count; i++)
		bytes += body->steps[i].markdown.len;
	return bytes;
}

void
post_body_from_item(struct arena *arena, const struct item *item, struct post_body *out)
{
	*out = (struct post_body){.renderer = 0};
	bind_read(arena, &post_body_bindings, item, out);
}

void
post_stats_from_item(struct arena *arena, const struct item *item, struct post_stats *out)
{
	*out = (struct post_stats){.likes = 0};
	if (item != NULL)
		bind_read(arena, &post_stats_bindings, item, out);
}

int64_t *
post_stats_number(struct post_stats *stats, struct str counter)
{
	const struct binding *binding =
	    bind_find((const struct binding_table *const[]){&post_stats_bindings, NULL}, counter);

	assert(binding != NULL && binding->kind == BINDING_NUMBER);
	return (int64_t *)((char *)stats + binding->offset);
}

/* --- Into items ----------------------------------------------------------------------------------- */

void
post_to_item(struct arena *arena, const struct post *post, struct item *item)
{
	bind_rewrite(arena, &post_head_bindings, post, item);
	for (size_t i = 0; i < post_field_count; i++)
		if (post_fields[i].attribute != NULL && !post_field_of(&post_fields[i], post->kind))
			item_remove(item, str_of(post_fields[i].attribute));
	if (post->difficulty == DIFFICULTY_NONE)
		item_remove(item, STR("Difficulty"));
	if (post->thumbnail.url.len == 0)
		item_remove(item, STR("Thumbnail"));
}

void
post_body_to_item(struct arena *arena, const struct post_body *body, struct item *item)
{
	bind_rewrite(arena, &post_body_bindings, body, item);
}

void
post_stats_to_item(struct arena *arena, const struct post_stats *stats, struct item *item)
{
	bind_rewrite(arena, &post_stats_bindings, stats, item);
}

/* --- Who sees it ------------------------------------------------------------------------------------ */

bool
post_is_public(const struct post *post)
{
	return post->status == STATUS_PUBLISHED && post->visibility == VISIBILITY_PUBLIC;
}

bool
post_is_private(const struct post *post)
{
	bool draft = post->status == STATUS_DRAFT ||
		     (post->status == STATUS_DELETED &&
			 str_eq(post->before, str_of(post_status_name(STATUS_DRAFT))));

	return post->visibility == VISIBILITY_PRIVATE && !draft;
}

bool
post_written_by(const struct post *post, struct str username)
{
	if (username.len == 0)
		return false;
	for (size_t i = 0; i < post->other_count; i++)
		if (str_eq(post->others[i].username, username))
			return true;
	return str_eq(post->author, username);
}

bool
post_has_picture(const struct post *post)
{
	return post->thumbnail.url.len != 0 || post->first_picture.len != 0;
}

bool
post_asks(const struct post *post, struct str username)
{
	for (size_t i = 0; username.len != 0 && i < post->asked_count; i++)
		if (str_eq(post->asked[i].username, username))
			return true;
	return false;
}

bool
post_visible_to(const struct post *post, const struct viewer *viewer, int64_t now)
{
	return may(viewer, MAY_READ, thing_post(post, now));
}

bool
post_visible_to_followers(const struct post *post, const struct viewer *viewer, int64_t now)
{
	return may(viewer, MAY_READ, thing_followed(thing_post(post, now), true));
}

bool
post_takes_comments(const struct post *post, int64_t now)
{
	return post->kind != KIND_PAGE && post->status == STATUS_PUBLISHED &&
	       post->published != 0 && post->published <= now;
}

bool
post_takes_ratings(const struct post *post)
{
	return post->kind == KIND_LINK;
}

bool
post_gone(const struct post *post, int64_t now)
{
	/* A post that was deleted before its time was never public. */
	return post->status == STATUS_DELETED && post->published != 0 && post->published <= now &&
	       (post->deleted == 0 || post->published <= post->deleted) &&
	       post->visibility == VISIBILITY_PUBLIC;
}
