#include "pages/public/profile.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/zone.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/key_ranking.h"
#include "model/people/person_counts.h"
#include "model/people/portrait.h"
#include "model/permission.h"
#include "pages/public/flag.h"
#include "pages/public/json_ld.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"

VIEW_FIELDS(profile_view, STRING(name), STRING(username), STRING(bio), STRING(avatar_url),
    STRING(link_url), STRING(link_host), STRING(joined), STRING(joined_text), FLAG(verified), OPTION(cover, image_view), STRING(posts_text),
    STRING(words_text), STRING(rating_text),
    STRING(followers_text), STRING(followers_url), STRING(following_text), STRING(following_url),
    STRING(feed_url), STRING(book_url), STRING(flag_url), LIST(buttons, follow_button_view), LIST(breadcrumbs, link_view),
    LIST(tabs, nav_link_view))

/* In the order of the tabs; those without a name are linked by their numbers. */
static const struct {
	enum profile_tab tab;
	const char *path, *name;
} tabs[] = {
    {PROFILE_POSTS, "", "Posts"},
    {PROFILE_COMMENTS, "/comments", "Comments"},
    {PROFILE_REVIEWS, "/reviews", "Reviews"},
    {PROFILE_COLLECTIONS, "/collections", "Collections"},
    {PROFILE_FOLLOWERS, "/followers", NULL},
    {PROFILE_FOLLOWING, "/following", NULL},
};
enum { TABS = sizeof(tabs) / sizeof(tabs[0]) };

/* --- Reading ---------------------------------------------------------------------------------------- */

bool
profile_prepare(struct request *rq, struct read *reads, size_t *count)
{
	struct str name = request_param(rq, "username");

	if (!username_valid(name))
		return false;
	reads[0] = (struct read){.kind = READ_GET, .key = key_user(rq->arena, name)};
	reads[1] = person_counts_read(rq->arena, name);
	if (rq->viewer != NULL)
		reads[2] = follow_read(rq->arena, rq->viewer->user.username, name);
	*count = rq->viewer != NULL ? 3 : 2;
	return true;
}

/* The person with their numbers. False: there is nobody whom a stranger may see. */
static bool
take_user(struct request *rq, const struct read *reads, struct user *out)
{
	if (reads[0].item == NULL)
		return false;
	user_from_item(rq->arena, reads[0].item, out);
	person_counts_add(reads[1].item, out);
	out->posts -= scheduled_by(rq, out->username);
	return user_visible(out);
}

enum http_status
profile_take_public(struct request *rq, const struct read *reads, struct user *out)
{
	if (!take_user(rq, reads, out))
		return HTTP_NOT_FOUND;
	if (!may(NULL, MAY_SEE_PROFILE, thing_person(out)))
		user_hide(out);
	user_withhold(out);
	return HTTP_OK;
}

enum http_status
profile_take(struct request *rq, const struct read *reads, struct profile *out)
{
	struct user *user = &out->user;

	*out = (struct profile){.follow = NULL};
	if (!take_user(rq, reads, user))
		return HTTP_NOT_FOUND;
	if (rq->viewer != NULL)
		out->follow = reads[2].item;
	out->shown = may_show_profile(rq, user, follow_counts(follow_status(out->follow)));
	if (!out->shown)
		user_hide(user);
	if (rq->viewer == NULL || !str_eq(rq->viewer->user.username, user->username))
		user_withhold(user);
	return HTTP_OK;
}

enum http_status
profiles_counted(struct request *rq, const struct read *lists, size_t list_count,
    struct user **out, size_t *count)
{
	struct user *users;
	struct read *reads;
	struct key *keys;
	size_t all = 0, batches;
	enum http_status status;

	for (size_t i = 0; i < list_count; i++)
		all += lists[i].found_count;
	*count = all;
	batches = (all + TABLE_BATCH_MAX - 1) / TABLE_BATCH_MAX;
	*out = users = ARENA_ARRAY(rq->arena, all, struct user);
	keys = ARENA_ARRAY(rq->arena, all, struct key);
	reads = ARENA_ARRAY(rq->arena, batches, struct read);
	all = 0;
	for (size_t i = 0; i < list_count; i++)
		for (size_t n = 0; n < lists[i].found_count; n++, all++) {
			user_from_item(rq->arena, &lists[i].found[n], &users[all]);
			keys[all] = key_person_counts(rq->arena, users[all].username);
		}
	/* What is shown depends on the lists, and on all posts: not on each of these partitions. */
	for (size_t i = 0; i < all; i++) {
		struct read *read = &reads[i / TABLE_BATCH_MAX];

		if (i % TABLE_BATCH_MAX == 0)
			*read = (struct read){.kind = READ_BATCH, .unnoted = true, .batch = {&keys[i], 0}};
		read->batch.count++;
	}
	status = page_read(rq, reads, batches);
	for (size_t i = 0; status == HTTP_OK && i < all; i++)
		person_counts_add(reads[i / TABLE_BATCH_MAX].items[i % TABLE_BATCH_MAX], &users[i]);
	return status;
}

/* --- Showing ---------------------------------------------------------------------------------------- */

static struct str
path_of(struct request *rq, const struct user *user, enum profile_tab tab)
{
	size_t i = 0;

	while (tabs[i].tab != tab)
		i++;
	return STR_CONCAT(rq->arena, author_path(rq->arena, user->username), str_of(tabs[i].path));
}

static void
fill_joined(struct request *rq, int64_t created, struct profile_view *view)
{
	struct date joined = zone_date(rq->zone, created);

	view->joined = str_sub(time_format(rq->arena, zone_local(rq->zone, created)), 0, 10);
	view->joined_text = words_month(rq->arena, joined.year, joined.month);
}

static void
fill_person(struct request *rq, const struct user *user, struct profile_view *view)
{
	view->name = user->display_name;
	view->username = user->username;
	view->verified = is_verified(rq, user->username);
	view->posts_text = words_count(rq->arena, user->posts, "post", "posts");
	if (user->created != 0)
		fill_joined(rq, user->created, view);
	view->bio = user->bio;
	view->avatar_url = portrait_of(rq->arena, rq->site->origin, user);
	view->cover = image_of(rq->arena,
	    &(const struct image){.url = user->cover_url, .alt = user->cover_alt});
	view->followers_text = words_some(rq->arena, user->followers, "follower", "followers");
	view->followers_url = path_of(rq, user, PROFILE_FOLLOWERS);
	if (user->following > 0)
		view->following_text = STR_CONCAT(
		    rq->arena, STR("Follows "), words_number(rq->arena, user->following));
	view->following_url = path_of(rq, user, PROFILE_FOLLOWING);
	view->link_url = user->link;
	view->link_host = words_host(user->link);
}

struct read
profile_figures_read(struct request *rq)
{
	return (struct read){.kind = READ_GET,
	    .key = key_person_figures(rq->arena, request_param(rq, "username"))};
}

void
profile_figures_fill(struct request *rq, const struct profile *profile, const struct item *figures,
    struct profile_view *view)
{
	struct scheduled_figures scheduled;
	int64_t ratings;

	if (!profile->shown || figures == NULL)
		return;
	scheduled = scheduled_figures_by(rq, profile->user.username);
	ratings = item_number(figures, STR("Ratings")) - scheduled.ratings;
	view->words_text =
	    words_some(rq->arena, item_number(figures, STR("Words")) - scheduled.words, "word", "words");
	if (ratings > 0)
		view->rating_text = STR_CONCAT(rq->arena, STR("Rated "),
		    words_mean(rq->arena, item_number(figures, STR("Stars")) - scheduled.stars, ratings),
		    STR(" of 5 in "), words_count(rq->arena, ratings, "rating", "ratings"));
}

static void
fill_tabs(
    struct request *rq, const struct user *user, enum profile_tab tab, struct profile_view *view)
{
	struct nav_link_view *links = ARENA_ARRAY(rq->arena, TABS, struct nav_link_view);

	for (size_t i = 0; i < TABS; i++)
		if (tabs[i].name != NULL)
			links[view->tabs.count++] =
			    (struct nav_link_view){path_of(rq, user, tabs[i].tab),
				str_of(tabs[i].name), tabs[i].tab == tab};
	view->tabs.items = links;
}

void
profile_fill(struct request *rq, struct response *rs, const struct profile *profile,
    enum profile_tab tab, struct profile_view *view, struct page_frame *frame)
{
	const struct user *user = &profile->user;
	struct follow_buttons *buttons = ARENA_NEW(rq->arena, struct follow_buttons);
	struct str home = author_path(rq->arena, user->username);

	fill_person(rq, user, view);
	follow_buttons_fill(rq, rs, user, profile->follow, buttons);
	view->buttons.items = buttons->items;
	view->buttons.count = buttons->count;
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, STR("/authors"), STR("Authors"));
	view->feed_url = STR_CONCAT(rq->arena, home, STR("/feed.atom"));
	if (user->posts > 0)
		view->book_url = STR_CONCAT(rq->arena, home, STR("/book.epub"));
	if (user->status == USER_ACTIVE)
		view->flag_url = flag_url(rq,
		    &(struct flag_target){.what = FLAG_PROFILE, .person = user->username},
		    may(rq->viewer, MAY_FLAG, thing_person(user)));
	if (profile->shown)
		fill_tabs(rq, user, tab, view);
	frame->path = path_of(rq, user, tab);
	frame->feed_path = view->feed_url;
	frame->feed_title = user->display_name;
	frame->picture = view->cover != NULL ? view->cover->src : view->avatar_url;
	frame->picture_alt = view->cover != NULL ? view->cover->alt : STR("");
	frame->og_type = "profile";
	/* Empty pages, and lists of names, are not for search engines. */
	frame->noindex = tab != PROFILE_POSTS &&
			 (!profile->shown || tab == PROFILE_FOLLOWERS || tab == PROFILE_FOLLOWING);
	if (tab == PROFILE_POSTS) {
		frame->title = user->display_name;
		frame->description = user->bio;
		frame->json_ld = json_ld_profile(rq, user, &view->breadcrumbs, home);
	}
}
