#ifndef MODEL_PERMISSION_H
#define MODEL_PERMISSION_H

#include "model/people/notification.h"
#include "model/people/user.h"
#include "model/reader/hidden.h"
#include "model/reader/reaction.h"

struct collection;
struct comment;
struct media;
struct post;
struct rating;
struct restriction;

/*
 * Permissions: one function, may(), decides them everywhere: for what a route requires, for which
 * posts and collections are shown, and for every form.
 *
 * A role has permissions for all of its holders; a group gives single permissions to people of any
 * role. An editor has all permissions, an admin also has people, groups and settings.
 */

/* What a group can give: the closed list of docs/table.md, as bits. */
enum permission {
	PERMISSION_POSTS_PUBLISH = 1 << 0, /* write posts of one's own and publish them */
	PERMISSION_POSTS_EDIT =
	    1 << 1, /* everybody's posts, drafts too, but for published private ones */
	PERMISSION_PAGES_EDIT = 1 << 2,        /* the static pages */
	PERMISSION_CATEGORIES_EDIT = 1 << 3,   /* the tree of categories */
	PERMISSION_COMMENTS_MODERATE = 1 << 4, /* let comments through, take them down */
	PERMISSION_USERS_INVITE = 1 << 5,      /* let others register */
	PERMISSIONS_ALL = (1 << 6) - 1,
};

/* The bit of a name, "posts.edit"; 0 for what is none, which gives nothing. */
unsigned permission_of(struct str name);

/* The name of a single bit. */
const char *permission_name(enum permission permission);

/* What an admin can turn off for the whole site, as bits: nobody does it then; what was done stays. */
enum site_off {
	OFF_COMMENTS = 1 << 0,
	OFF_VOTES = 1 << 1, /* and likes */
	OFF_RATINGS = 1 << 2,
	OFF_FOLLOWS = 1 << 3,
};

/* Somebody who is signed in. */
struct viewer_group {
	struct str name, title;
	unsigned permissions; /* what it gives */
};

struct viewer {
	struct user user;
	const struct item
	    *person; /* the item that `user` is of; what else it holds is for nobody's eyes */
	const struct viewer_group *groups;
	size_t group_count;
	unsigned permissions; /* what the role and all groups give */
	unsigned off;         /* what is turned off: once the settings are read */
	bool suspended;       /* at the time of the request */
	bool shut_out;        /* of a POST: it comes from where nobody writes just now */
	struct hidden hidden; /* whom and what they do not want to meet */
	struct messages messages; /* what others did that they have not read of */
};

/* The permissions of a role without any group. */
unsigned permissions_of_role(enum role role);

/*
 * By which of their groups they may edit this post, where they are none of its authors and their role does not say so;
 * empty: by none.
 */
struct str group_that_permits(const struct viewer *viewer, const struct post *post);

/* Everything that can be asked. */
enum action {
	/* Of the site: what a route names. There is no thing to it. */
	MAY_VISIT,     /* everybody */
	MAY_TAKE_PART, /* whoever is signed in */
	/* A form: everybody except suspended people and those in a blocked network, unless the route allows them. */
	MAY_SEND,
	MAY_WRITE,     /* posts of one's own: authors; posts.publish */
	MAY_WRITE_PAGES,      /* pages.edit */
	MAY_ORDER_CATEGORIES, /* categories.edit */
	MAY_MODERATE,         /* comments.moderate */
	MAY_INVITE,           /* users.invite */
	MAY_MANAGE,           /* people, groups and settings: admins */
	MAY_OVERSEE,          /* the staff's start page: whoever may see one of the others */
	MAY_ARRANGE,          /* which posts lead the front page: posts.edit */
	MAY_OVERSEE_POSTS,    /* the list of everybody's posts: posts.edit; of pages: pages.edit */

	/* Of a thing. Whose MAY_READ is refused is not to learn that it is there: 404. */
	MAY_READ,
	MAY_EDIT,
	MAY_PUBLISH,
	MAY_DELETE,
	MAY_RESTORE, /* of what is deleted */
	/*
	 * What they may not read: a private post, of which the staff know only that it is there. Of a comment: hide
	 * it; as for restoring and approving it, authors of its post may as well, with thing_comment_under().
	 */
	MAY_TAKE_DOWN,
	MAY_TURN_COMMENTS, /* of a post off and on: whoever may edit it */
	MAY_CLOSE,       /* its comments or a thread of them, and pin one: moderators */
	MAY_COMMENT,     /* on a post, or in answer to a comment that they may read */
	MAY_REACT,       /* to a post, with thing_reaction(), as its kind allows; to a comment by a vote */
	MAY_RATE,        /* a post of another's, as its kind allows */
	MAY_HOLD_NOTE,   /* the note of somebody's rating: the post's authors, and moderators */
	MAY_SEE_LIKERS,  /* who likes it: its authors and the staff */
	MAY_SEE_MARKS,   /* how many have bookmarked it: its authors */
	MAY_ACCEPT,      /* to be named as one of its authors, who were asked */
	MAY_STEP_BACK,   /* from being one of them, or from being asked */
	MAY_SEE_PROFILE, /* of a person: more than the name and what is published */
	MAY_FOLLOW,      /* a person, or to ask a private one */
	MAY_BLOCK,       /* a person */
	MAY_SUSPEND, /* to suspend a person, or purge what they have left: readers; for admins everybody except admins */
	MAY_FLAG,        /* things that they may read and that are not theirs */
	MAY_HOLD,        /* a comment, until an editor decides: the authors of its post */
	MAY_MARK,        /* one of their own as the staff's: moderators */
	MAY_HIDE,        /* a thing that is no comment, from others */
	MAY_SHOW,        /* such a thing that is restricted, to others again */
	MAY_SETTLE,      /* what readers have flagged it for: moderators, of what is not their own */
	MAY_ANSWER,      /* the hiding of their own comment, once */
};

enum thing_kind {
	THING_NONE,
	THING_POST,
	THING_COLLECTION,
	THING_COMMENT,
	THING_PERSON,
	THING_MEDIA,
	THING_REVIEW,
	THING_RESTRICTION
};

/* What an action is done to. */
struct thing {
	enum thing_kind kind;
	union {
		const struct post *post;
		const struct collection *collection;
		const struct comment *comment;
		const struct user *person;
		const struct media *media;
		const struct rating *review;
		const struct restriction *restriction;
	};
	int64_t now;            /* a post's: what is published later is not yet public */
	enum reaction reaction; /* MAY_REACT: which */
	const struct post *under; /* a comment's post, where its authors may be who acts; or NULL */
	bool followed; /* the viewer follows its author, or this person: model/reader/follow.h */
};

#define NO_THING ((struct thing){.kind = THING_NONE})

static inline struct thing
thing_post(const struct post *post, int64_t now)
{
	return (struct thing){.kind = THING_POST, .post = post, .now = now};
}

static inline struct thing
thing_collection(const struct collection *collection)
{
	return (struct thing){.kind = THING_COLLECTION, .collection = collection};
}

static inline struct thing
thing_comment(const struct comment *comment)
{
	return (struct thing){.kind = THING_COMMENT, .comment = comment};
}

static inline struct thing
thing_comment_under(const struct comment *comment, const struct post *post)
{
	return (struct thing){.kind = THING_COMMENT, .comment = comment, .under = post};
}

static inline struct thing
thing_person(const struct user *person)
{
	return (struct thing){.kind = THING_PERSON, .person = person};
}

static inline struct thing
thing_media(const struct media *media)
{
	return (struct thing){.kind = THING_MEDIA, .media = media};
}

/* A reaction to a post. */
static inline struct thing
thing_reaction(const struct post *post, enum reaction what, int64_t now)
{
	return (struct thing){.kind = THING_POST, .post = post, .now = now, .reaction = what};
}

static inline struct thing
thing_review(const struct rating *review)
{
	return (struct thing){.kind = THING_REVIEW, .review = review};
}

static inline struct thing
thing_restriction(const struct restriction *restriction)
{
	return (struct thing){.kind = THING_RESTRICTION, .restriction = restriction};
}

/* The same thing, with whether the viewer follows its author; otherwise they don't. */
static inline struct thing
thing_followed(struct thing thing, bool followed)
{
	thing.followed = followed;
	return thing;
}

/* Is this turned off for the whole site? For what strangers are offered; may() knows it of who is signed in. */
bool turned_off(unsigned off, enum action action, struct thing thing);

/*
 * Is this permitted? `viewer` is NULL for a stranger. An action on the site has no thing and one on
 * a thing has one; whatever has no rule is refused. Pure: it reads nothing.
 */
bool may(const struct viewer *viewer, enum action action, struct thing thing);

#endif
