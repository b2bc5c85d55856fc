#include "model/permission.h"

#include "model/post/collection.h"
#include "model/post/media.h"
#include "model/post/post.h"
#include "model/reader/comment.h"
#include "model/reader/rating.h"
#include "model/reader/restriction.h"

static const struct {
	enum permission bit;
	const char *name;
} permissions[] = {
    {PERMISSION_POSTS_PUBLISH, "posts.publish"},
    {PERMISSION_POSTS_EDIT, "posts.edit"},
    {PERMISSION_PAGES_EDIT, "pages.edit"},
    {PERMISSION_CATEGORIES_EDIT, "categories.edit"},
    {PERMISSION_COMMENTS_MODERATE, "comments.moderate"},
    {PERMISSION_USERS_INVITE, "users.invite"},
};

unsigned
permission_of(struct str name)
{
	for (size_t i = 0; i < sizeof(permissions) / sizeof(permissions[0]); i++)
		if (str_eq(str_of(permissions[i].name), name))
			return permissions[i].bit;
	return 0;
}

const char *
permission_name(enum permission permission)
{
	for (size_t i = 0; i < sizeof(permissions) / sizeof(permissions[0]); i++)
		if (permissions[i].bit == permission)
			return permissions[i].name;
	return NULL;
}

unsigned
permissions_of_role(enum role role)
{
	switch (role) {
	case ROLE_READER: return 0;
	case ROLE_AUTHOR: return PERMISSION_POSTS_PUBLISH;
	case ROLE_EDITOR:
	case ROLE_ADMIN: return PERMISSIONS_ALL;
	}
	return 0;
}

static bool
has(const struct viewer *viewer, unsigned permission)
{
	return viewer != NULL && !viewer->suspended && (viewer->permissions & permission) != 0;
}

static bool
is_own(const struct viewer *viewer, struct str owner)
{
	return viewer != NULL && owner.len != 0 && str_eq(viewer->user.username, owner);
}

static bool
is_admin(const struct viewer *viewer)
{
	return viewer != NULL && !viewer->suspended && viewer->user.role == ROLE_ADMIN;
}

static bool
is_member(const struct viewer *viewer, struct str group)
{
	for (size_t i = 0; viewer != NULL && i < viewer->group_count; i++)
		if (str_eq(viewer->groups[i].name, group))
			return true;
	return false;
}

static bool
may_on_site(const struct viewer *viewer, enum action action)
{
	switch (action) {
	case MAY_VISIT: return true;
	case MAY_TAKE_PART: return viewer != NULL;
	case MAY_SEND: return viewer == NULL || (!viewer->suspended && !viewer->shut_out);
	case MAY_WRITE: return has(viewer, PERMISSION_POSTS_PUBLISH);
	case MAY_WRITE_PAGES: return has(viewer, PERMISSION_PAGES_EDIT);
	case MAY_ORDER_CATEGORIES: return has(viewer, PERMISSION_CATEGORIES_EDIT);
	case MAY_MODERATE: return has(viewer, PERMISSION_COMMENTS_MODERATE);
	case MAY_INVITE: return has(viewer, PERMISSION_USERS_INVITE);
	case MAY_MANAGE: return is_admin(viewer);
	case MAY_OVERSEE:
		return has(viewer, PERMISSION_POSTS_EDIT | PERMISSION_PAGES_EDIT |
				       PERMISSION_CATEGORIES_EDIT | PERMISSION_USERS_INVITE |
				       PERMISSION_COMMENTS_MODERATE);
	case MAY_ARRANGE: return has(viewer, PERMISSION_POSTS_EDIT);
	case MAY_OVERSEE_POSTS: return has(viewer, PERMISSION_POSTS_EDIT | PERMISSION_PAGES_EDIT);
	default: return false;
	}
}

/* Are they an author or a coauthor of it? */
static bool
is_writer(const struct viewer *viewer, const struct post *post)
{
	return viewer != NULL && post_written_by(post, viewer->user.username);
}

/* The permission by which somebody may edit a post that is not theirs. */
static unsigned
office_of(const struct post *post)
{
	return post->kind == KIND_PAGE ? PERMISSION_PAGES_EDIT : PERMISSION_POSTS_EDIT;
}

/* May they work on it, as an author or by a permission? No permission covers private posts. */
static bool
holds_pen(const struct viewer *viewer, const struct post *post)
{
	bool writer = is_writer(viewer, post);

	return (has(viewer, office_of(post)) && (writer || !post_is_private(post))) ||
	       (post->kind != KIND_PAGE && writer && has(viewer, PERMISSION_POSTS_PUBLISH));
}

struct str
group_that_permits(const struct viewer *viewer, const struct post *post)
{
	unsigned office = office_of(post);

	if (is_writer(viewer, post) || (permissions_of_role(viewer->user.role) & office) != 0)
		return STR("");
	for (size_t i = 0; i < viewer->group_count; i++)
		if ((viewer->groups[i].permissions & office) != 0)
			return viewer->groups[i].name;
	return STR("");
}

/* Have they been asked to be a coauthor? */
static bool
is_asked(const struct viewer *viewer, const struct post *post)
{
	return viewer != NULL && post_asks(post, viewer->user.username);
}

/*
 * A former author still sees what they wrote, and those asked to be coauthors see what they are
 * asked about.
 */
static bool
may_read_post(const struct viewer *viewer, const struct post *post, int64_t now, bool followed)
{
	if (post->status == STATUS_DELETED)
		return false;
	if (holds_pen(viewer, post) || is_writer(viewer, post) || is_asked(viewer, post))
		return true;
	if (post->status != STATUS_PUBLISHED || post->published == 0 || post->published > now)
		return false;
	return post->visibility == VISIBILITY_PUBLIC ||
	       (post->visibility == VISIBILITY_GROUP && is_member(viewer, post->group)) ||
	       (post->visibility == VISIBILITY_FOLLOWERS && viewer != NULL && followed);
}

/* Once it is published. Authors don't react to their own posts, but may bookmark them. */
static bool
may_judge(const struct viewer *viewer, const struct thing *thing, bool own)
{
	const struct post *post = thing->post;

	return viewer != NULL && (own || !is_writer(viewer, post)) &&
	       post->status == STATUS_PUBLISHED && post->published != 0 &&
	       post->published <= thing->now &&
	       may_read_post(viewer, post, thing->now, thing->followed);
}

static bool
may_post(const struct viewer *viewer, enum action action, const struct thing *thing)
{
	const struct post *post = thing->post;

	switch (action) {
	case MAY_READ: return may_read_post(viewer, post, thing->now, thing->followed);
	case MAY_EDIT:
	case MAY_DELETE: return post->status != STATUS_DELETED && holds_pen(viewer, post);
	case MAY_PUBLISH:
		return post->status != STATUS_DELETED && post->restricted == RESTRICTED_NOT &&
		       holds_pen(viewer, post);
	/* No permission covers private posts. */
	case MAY_HIDE:
		return post->status == STATUS_PUBLISHED && !post_is_private(post) &&
		       has(viewer, office_of(post)) && !is_writer(viewer, post);
	case MAY_SHOW:
		return post->status == STATUS_UNPUBLISHED && post->restricted != RESTRICTED_NOT &&
		       !post_is_private(post) && has(viewer, office_of(post)) &&
		       !is_writer(viewer, post);
	case MAY_RESTORE: return post->status == STATUS_DELETED && holds_pen(viewer, post);
	case MAY_TAKE_DOWN:
		return post->status != STATUS_DELETED && post_is_private(post) &&
		       has(viewer, office_of(post)) && !is_writer(viewer, post);
	case MAY_TURN_COMMENTS:
		return post->kind != KIND_PAGE && post->status != STATUS_DELETED &&
		       holds_pen(viewer, post);
	case MAY_CLOSE:
		return post->kind != KIND_PAGE && has(viewer, PERMISSION_COMMENTS_MODERATE) &&
		       may_read_post(viewer, post, thing->now, thing->followed);
	case MAY_COMMENT:
		return viewer != NULL && post_takes_comments(post, thing->now) &&
		       !post->comments_off &&
		       (!post->comments_closed || has(viewer, PERMISSION_COMMENTS_MODERATE)) &&
		       may_read_post(viewer, post, thing->now, thing->followed);
	case MAY_FLAG:
		return viewer != NULL && post->status == STATUS_PUBLISHED &&
		       !is_writer(viewer, post) &&
		       may_read_post(viewer, post, thing->now, thing->followed);
	case MAY_SETTLE:
		return has(viewer, PERMISSION_COMMENTS_MODERATE) && !is_writer(viewer, post);
	case MAY_REACT:
		return reaction_fits(post, thing->reaction) &&
		       may_judge(viewer, thing, reaction_kinds[thing->reaction].own);
	case MAY_RATE: return post_takes_ratings(post) && may_judge(viewer, thing, false);
	case MAY_HOLD_NOTE:
		return (is_writer(viewer, post) || has(viewer, PERMISSION_COMMENTS_MODERATE)) &&
		       may_read_post(viewer, post, thing->now, thing->followed);
	case MAY_SEE_MARKS: return is_writer(viewer, post);
	case MAY_SEE_LIKERS:
		return reaction_fits(post, REACTION_LIKE) &&
		       (is_writer(viewer, post) ||
			   has(viewer, PERMISSION_POSTS_EDIT | PERMISSION_COMMENTS_MODERATE)) &&
		       may_read_post(viewer, post, thing->now, thing->followed);
	case MAY_ACCEPT: return post->status != STATUS_DELETED && is_asked(viewer, post);
	case MAY_STEP_BACK:
		return post->status != STATUS_DELETED && !is_own(viewer, post->author) &&
		       (is_writer(viewer, post) || is_asked(viewer, post));
	default: return false;
	}
}

static bool
may_collection(const struct viewer *viewer, enum action action, const struct collection *collection)
{
	bool own = is_own(viewer, collection->owner);
	bool decides = has(viewer, PERMISSION_COMMENTS_MODERATE) && !own;

	switch (action) {
	case MAY_READ:
		return collection->is_public || own ||
		       (collection->restricted != RESTRICTED_NOT && decides);
	case MAY_HIDE:
		return decides &&
		       (collection->is_public || collection->restricted == RESTRICTED_HELD);
	case MAY_SHOW: return decides && collection->restricted != RESTRICTED_NOT;
	case MAY_SETTLE: return decides;
	case MAY_EDIT: return own;
	case MAY_DELETE: return own || (collection->is_public && is_admin(viewer));
	case MAY_FLAG: return viewer != NULL && collection->is_public && !own;
	default: return false;
	}
}

/* Under their own post, what the staff have neither said nor decided on. */
static bool
may_host(const struct viewer *viewer, enum action action, const struct thing *thing)
{
	const struct comment *comment = thing->comment;

	if (thing->under == NULL || !is_writer(viewer, thing->under) ||
	    !holds_pen(viewer, thing->under) || is_own(viewer, comment->author) || comment->staff)
		return false;
	switch (action) {
	case MAY_READ: return comment->by_author && comment->status != COMMENT_DELETED;
	case MAY_HOLD: return comment->status == COMMENT_VISIBLE && !comment->settled;
	case MAY_TAKE_DOWN:
		return !comment->settled &&
		       (comment->status == COMMENT_VISIBLE ||
			   (comment->status == COMMENT_HELD && comment->by_author));
	case MAY_RESTORE: return comment->status == COMMENT_HIDDEN && comment->by_author;
	case MAY_PUBLISH: return comment->status == COMMENT_HELD && comment->by_author;
	default: return false;
	}
}

static bool
may_comment(const struct viewer *viewer, enum action action, const struct thing *thing)
{
	const struct comment *comment = thing->comment;
	bool own = is_own(viewer, comment->author);
	bool moderates = has(viewer, PERMISSION_COMMENTS_MODERATE);
	bool decides = moderates && !own;

	if (may_host(viewer, action, thing))
		return true;
	switch (action) {
	case MAY_READ:
		return comment->status == COMMENT_VISIBLE ||
		       (comment->status != COMMENT_DELETED && (own || moderates));
	case MAY_COMMENT: return viewer != NULL && comment->status == COMMENT_VISIBLE;
	case MAY_REACT: return viewer != NULL && comment->status == COMMENT_VISIBLE && !own;
	case MAY_EDIT:
		return own &&
		       (comment->status == COMMENT_HELD || comment->status == COMMENT_VISIBLE);
	case MAY_PUBLISH: return comment->status == COMMENT_HELD && decides;
	case MAY_DELETE: return comment->status != COMMENT_DELETED && (own || moderates);
	case MAY_TAKE_DOWN:
		return decides && (comment->status == COMMENT_HELD ||
				      comment->status == COMMENT_VISIBLE);
	case MAY_RESTORE: return decides && comment->status == COMMENT_HIDDEN;
	case MAY_SETTLE: return decides;
	case MAY_FLAG: return viewer != NULL && comment->status == COMMENT_VISIBLE && !own;
	case MAY_ANSWER:
		return own && comment->answered == 0 &&
		       (comment->status == COMMENT_HIDDEN ||
			   (comment->status == COMMENT_HELD && comment->by_author));
	case MAY_MARK: return own && moderates && comment->status == COMMENT_VISIBLE;
	default: return false;
	}
}

static bool
may_person(
    const struct viewer *viewer, enum action action, const struct user *person, bool followed)
{
	bool own = is_own(viewer, person->username);

	switch (action) {
	case MAY_READ:
		/*
		 * A disabled person can be found if they have published: their posts name them and
		 * link to them.
		 */
		return person->status == USER_ACTIVE || is_admin(viewer) ||
		       (person->status == USER_DISABLED && person->posts > 0 &&
			   person->display_name.len != 0);
	case MAY_SEE_PROFILE:
		return is_admin(viewer) ||
		       (person->status == USER_ACTIVE &&
			   (!person->is_private || own || (viewer != NULL && followed)));
	/* Whether they have blocked the viewer is not known here; the write checks it. */
	case MAY_FOLLOW:
	case MAY_BLOCK:
	case MAY_FLAG: return viewer != NULL && !own && person->status == USER_ACTIVE;
	case MAY_SUSPEND:
		return !own && person->role != ROLE_ADMIN &&
		       (is_admin(viewer) || (person->role == ROLE_READER &&
						has(viewer, PERMISSION_COMMENTS_MODERATE)));
	case MAY_HIDE:
		return person->profile != RESTRICTED_HIDDEN &&
		       may_person(viewer, MAY_SUSPEND, person, followed);
	case MAY_SHOW:
		return person->profile != RESTRICTED_NOT &&
		       may_person(viewer, MAY_SUSPEND, person, followed);
	case MAY_SETTLE: return has(viewer, PERMISSION_COMMENTS_MODERATE) && !own;
	case MAY_EDIT: return own;
	case MAY_DELETE: return own || is_admin(viewer);
	default: return false;
	}
}

/* The note of a rating; whether its post may be read is checked separately. */
static bool
may_review(const struct viewer *viewer, enum action action, const struct rating *review)
{
	bool own = is_own(viewer, review->author);
	bool decides = has(viewer, PERMISSION_COMMENTS_MODERATE) && !own;

	switch (action) {
	case MAY_FLAG: return viewer != NULL && !own;
	case MAY_HIDE: return decides && review->note.len != 0 && review->status != RATING_HIDDEN;
	case MAY_SHOW: return decides && review->note.len != 0 && review->status != RATING_VISIBLE;
	case MAY_SETTLE: return decides;
	default: return false;
	}
}

/*
 * A picture's file is public to all who know its address; this is about its page and actions there.
 */
static bool
may_media(const struct viewer *viewer, enum action action, const struct media *media)
{
	switch (action) {
	case MAY_READ:
	case MAY_DELETE: return is_own(viewer, media->owner) || has(viewer, PERMISSION_POSTS_EDIT);
	default: return false;
	}
}

bool
turned_off(unsigned off, enum action action, struct thing thing)
{
	switch (action) {
	case MAY_COMMENT: return (off & OFF_COMMENTS) != 0;
	case MAY_REACT: return (off & OFF_VOTES) != 0 && thing.reaction != REACTION_BOOKMARK;
	case MAY_RATE: return (off & OFF_RATINGS) != 0;
	case MAY_FOLLOW: return (off & OFF_FOLLOWS) != 0;
	default: return false;
	}
}

bool
may(const struct viewer *viewer, enum action action, struct thing thing)
{
	if (viewer != NULL && turned_off(viewer->off, action, thing))
		return false;
	/* A viewer who has been disabled is treated as a stranger. */
	if (viewer != NULL && viewer->user.status != USER_ACTIVE)
		viewer = NULL;
	switch (thing.kind) {
	case THING_NONE: return may_on_site(viewer, action);
	case THING_POST: return may_post(viewer, action, &thing);
	case THING_COLLECTION: return may_collection(viewer, action, thing.collection);
	case THING_COMMENT: return may_comment(viewer, action, &thing);
	case THING_PERSON: return may_person(viewer, action, thing.person, thing.followed);
	case THING_MEDIA: return may_media(viewer, action, thing.media);
	case THING_RESTRICTION:
		/* What nobody has decided on just waits. */
		return action == MAY_ANSWER && is_own(viewer, thing.restriction->owner) &&
		       (thing.restriction->state == RESTRICTED_HIDDEN ||
			   (thing.restriction->state == RESTRICTED_HELD &&
			       thing.restriction->why.len != 0)) &&
		       thing.restriction->answered == 0;
	case THING_REVIEW: return may_review(viewer, action, thing.review);
	}
	return false;
}
