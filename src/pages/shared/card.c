#include "pages/shared/card.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/language.h"
#include "model/people/user.h"
#include "model/post/media.h"
#include "model/site/settings.h"
#include "model/viewer.h"
#include "pages/shared/layout.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

VIEW_FIELDS(image_view, STRING(src), STRING(alt), STRING(srcset), STRING(position), NUMBER(width), NUMBER(height))
VIEW_FIELDS(byline_other_view, STRING(joint), STRING(url), STRING(name), FLAG(verified))
VIEW_FIELDS(post_card_view, STRING(url), STRING(title), STRING(excerpt), STRING(kind),
    STRING(kind_label), STRING(section), STRING(category_url), STRING(category_name), STRING(author_url),
    STRING(author_name), FLAG(author_verified), LIST(others, byline_other_view), STRING(date),
    STRING(date_text), STRING(reading_text), STRING(comments_text), STRING(link_host),
    STRING(rating_text), STRING(facts_text), STRING(language), STRING(direction),
    OPTION(thumbnail, image_view))

struct str
post_path(struct arena *arena, const struct post *post)
{
	return url_join(arena, post->kind == KIND_PAGE ? STR("/page/") : STR("/post/"), post->slug);
}

struct str
author_path(struct arena *arena, struct str username)
{
	/* A pseudonym is not a valid username, so it has no page. */
	return username_valid(username) ? url_join(arena, STR("/author/"), username) : STR("");
}

const struct image_view *
image_of(struct arena *arena, const struct image *image)
{
	struct media_address address;
	struct image_view *view;

	if (image->url.len == 0)
		return NULL;
	view = ARENA_NEW(arena, struct image_view);
	*view = (struct image_view){
	    .src = image->url, .alt = image->alt, .width = image->width, .height = image->height};
	if (choice_of(image_focuses, image->focus) > 0)
		view->position = STR_CONCAT(arena, STR("at-"), image->focus);
	/* The address of an uploaded picture contains its size, and there are narrower files. */
	if (media_address_read(image->url, STR(""), &address)) {
		view->srcset = media_srcset(arena, &address);
		view->width = address.size.width;
		view->height = address.size.height;
	}
	return view;
}

/* For lists: its own, or the first of its text. */
static const struct image_view *
post_picture(struct arena *arena, const struct post *post)
{
	const struct image first = {.url = post->first_picture};

	return image_of(arena, post->thumbnail.url.len != 0 ? &post->thumbnail : &first);
}

bool
is_verified(const struct request *rq, struct str username)
{
	return rq->settings != NULL && !viewer_blocks(rq->viewer, username) &&
	       settings_verify(rq->settings, username);
}

bool
unname(struct request *rq, struct str username, struct str *name, struct str *url)
{
	if (!viewer_blocks(rq->viewer, username))
		return false;
	*name = STR("somebody you have blocked");
	*url = STR("");
	return true;
}

const struct byline_other_view *
byline_others(struct request *rq, const struct post *post, bool in_list)
{
	size_t count = post->other_count;
	struct byline_other_view *others = ARENA_ARRAY(rq->arena, count, struct byline_other_view);

	for (size_t i = 0; i < count; i++) {
		others[i] = (struct byline_other_view){
		    .joint = i + 1 < count ? STR(", ") : STR(" and "),
		    .url = author_path(rq->arena, post->others[i].username),
		    .name = post->others[i].name,
		    .verified = is_verified(rq, post->others[i].username),
		};
		if (in_list)
			unname(rq, post->others[i].username, &others[i].name, &others[i].url);
	}
	return others;
}

struct str
facts_text(struct arena *arena, const struct post *post)
{
	const struct str all[] = {words_difficulty(post->difficulty),
	    words_duration(arena, post->minutes), words_money(arena, post->cost, post->currency)};
	struct str said[3];
	size_t count = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].len != 0)
			said[count++] = all[i];
	return str_join(arena, said, count, STR(", "));
}

void
post_language(
    struct request *rq, const struct post *post, struct str *language, struct str *direction)
{
	bool own =
	    post->language.len != 0 && !str_eq_nocase(post->language, rq->settings->language);

	*language = own ? post->language : STR("");
	*direction = own ? language_direction(post->language) : STR("");
}

void
note_confidential(struct request *rq, const struct post *post)
{
	if (!post_visible_to(post, NULL, rq->now))
		rq->confidential = true;
}

bool
may_show_profile(struct request *rq, const struct user *user, bool followed)
{
	bool shown = may(rq->viewer, MAY_SEE_PROFILE, thing_followed(thing_person(user), followed));

	rq->confidential = rq->confidential || (shown && user->is_private);
	return shown;
}

void
card_fill(struct request *rq, const struct post *post, struct post_card_view *out)
{
	struct arena *arena = rq->arena;
	const struct category *category =
	    post->category.len != 0 ? category_find(&publication_of(rq)->categories, post->category)
				    : NULL;

	note_confidential(rq, post);
	*out = (struct post_card_view){
	    .url = post_path(arena, post),
	    .title = post->title,
	    .excerpt = post->excerpt.len != 0 ? post->excerpt : post->beginning,
	    .kind = str_of(post_kind_name(post->kind)),
	    .kind_label = words_kind(post->kind),
	    .author_url = author_path(arena, post->author),
	    .author_name = post->author_name,
	    .author_verified = is_verified(rq, post->author),
	    .date = time_format(arena, post->published),
	    .date_text = words_date_near(rq, post->published),
	    .comments_text = words_some(arena, post->comments, "comment", "comments"),
	    .thumbnail = post_picture(arena, post),
	};
	post_language(rq, post, &out->language, &out->direction);
	unname(rq, post->author, &out->author_name, &out->author_url);
	out->others.items = byline_others(rq, post, true);
	out->others.count = post->other_count;
	if (category != NULL) {
		out->category_url = url_join(arena, STR("/category/"), category->slug);
		out->category_name = category->name;
		out->section = section_coloured(category);
	}
	if (post->kind == KIND_ARTICLE)
		out->reading_text = words_reading(arena, post->words);
	if (post->kind == KIND_LINK) {
		out->link_host = words_host(post->url);
		if (post->ratings != 0)
			out->rating_text = STR_CONCAT(
			    arena, words_mean(arena, post->stars, post->ratings), STR(" of 5"));
	}
	if (post->kind == KIND_HOWTO)
		out->facts_text = facts_text(arena, post);
	if (post->title.len == 0 && post->excerpt.len == 0)
		out->title = words_kind(post->kind);
}

const struct post_card_view *
cards_of(struct request *rq, const struct post *posts, size_t count)
{
	struct post_card_view *cards = arena_room(rq->arena, count * sizeof(*cards));

	for (size_t i = 0; i < count; i++)
		card_fill(rq, &posts[i], &cards[i]);
	return cards;
}
