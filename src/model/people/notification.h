#ifndef MODEL_PEOPLE_NOTIFICATION_H
#define MODEL_PEOPLE_NOTIFICATION_H

#include "model/bind.h"
#include "model/plan.h"
#include "model/reader/hidden.h"
#include "model/site/moderation_log.h"

/*
 * Notifications: what a person is told of what others do. They are derived from comments, follows and posts
 * (derive/notifications.c); only what moderators decide, and that somebody lets one follow them, is written in the
 * transaction of that, as nothing else lasts of it.
 *
 * What is of one sort, about one thing and of one day (UTC) is one notification, a group: of whom, in `of`, each
 * "<fact>#<actor>". Replies and mentions stay single, as their target is the comment.
 *
 * Whether something is shown is decided when it is read: by the person's settings, by whom they have muted or blocked
 * (note_is_told()), and by whether they may see what it is about.
 */
enum note_what {
	NOTE_REPLY,    /* to a comment of theirs */
	NOTE_MENTION,  /* in a comment, or in a note */
	NOTE_COMMENT,  /* under a post of theirs */
	NOTE_THREAD,   /* in a thread, or under a post, that they follow */
	NOTE_FOLLOWER,
	NOTE_REQUEST,  /* to follow them */
	NOTE_APPROVED, /* they may follow somebody whom they have asked */
	NOTE_POST,     /* of an author whom they follow, and want to hear of */
	NOTE_TAG,      /* a post with a tag that they follow */
	NOTE_CATEGORY, /* a post in such a category */
	NOTE_COAUTHOR, /* somebody asks to name them as an author */
	NOTE_DECISION, /* of moderators, on something of theirs */
	NOTE_QUEUE,    /* something waits for the moderators, of whom they are one */
	NOTE_WHATS,
};

enum {
	NOTE_KEPT_DAYS = 90,
	NOTE_OF_MAX = 50,    /* in a group */
	NOTE_UNREAD_MAX = 99 /* what is more is not counted */
};

/* What is older is not told any more: after a long stop of the worker, or of a table that begins to have notifications. */
#define NOTE_LATE_MS (INT64_C(14) * 86400000)

/* So much older than the newest one may be what is counted as unread. */
#define NOTE_COUNTED_MS (INT64_C(30) * 86400000)

struct notification {
	struct str place; /* its sort key */
	enum note_what what;
	struct str target, post, comment; /* comment: the path of a single one */
	struct strings_value of;          /* in order, so a comment's with the newest last */
	bool full;                        /* there were more */
	int64_t at;                       /* when the newest was */
	int64_t read;                     /* it was read as far as that; 0: not by itself */
	int64_t count;                    /* of a queue: how many wait */
	enum moderated thing;             /* of a decision */
	struct str deed, why;             /* "hidden", "approved"; as it was told */
};

/* "reply". */
struct str note_word(enum note_what what);
/* False: none is called so. */
bool note_of_word(struct str word, enum note_what *out);

void note_from_item(struct arena *arena, const struct item *item, struct notification *out);

/* Who stands in `of`, each once, the latest first, without those whom `hidden` has. */
struct strings_value note_actors(
    struct arena *arena, const struct notification *note, const struct hidden *hidden);

/* --- Settings ---------------------------------------------------------------------------------------- */

/* What a person wants to be told of, and how: bits of enum note_what. */
struct note_settings {
	unsigned page, mail;
};

enum {
	NOTE_ALL = (1 << NOTE_WHATS) - 1,
	/* Of these there are letters, unless they are not wanted (derive/letters.h). */
	NOTE_MAILABLE = 1 << NOTE_REPLY | 1 << NOTE_MENTION,
};

/* From the item, or none (NULL): all on the page, and all by mail of which there are letters. */
void note_settings_from_item(const struct item *item, struct note_settings *out);
struct read note_settings_read(struct arena *arena, struct str username);
/* Of who acts. */
enum plan_rc note_settings_set(struct plan *plan, const struct note_settings *settings);

/* This person wants no letters about these any more: bits of enum note_what. */
enum plan_rc note_settings_end_mail(struct plan *plan, struct str username, unsigned notes);

/* Is it shown to a person with these settings, who has muted and blocked these? */
bool note_is_told(struct arena *arena, const struct notification *note,
    const struct note_settings *settings, const struct hidden *hidden);

/* --- Unread ------------------------------------------------------------------------------------------ */

/*
 * How many are unread, and until when all were read: an item of which every page of theirs knows (model/viewer.h). It expires
 * before anything that it counts.
 */
struct messages {
	int64_t unread; /* NOTE_UNREAD_MAX + 1: more than that */
	int64_t seen;
};
void messages_from_item(const struct item *item, struct messages *out);
/* When it does, in seconds, if the newest notification, or what they have read, is of that time. */
int64_t messages_expire(int64_t at);

bool note_is_unread(const struct notification *note, int64_t seen);

/* Who acts has read all until then. `now` is what their viewer says. */
enum plan_rc note_read_all(struct plan *plan, const struct messages *now, int64_t until);
/* ... this one, as far as it was then. PLAN_NOT_THERE: it is gone. */
enum plan_rc note_read_one(
    struct plan *plan, const struct messages *now, struct str place, int64_t until);

/* --- What is told in the transaction of what it tells --------------------------------------------------- */

/* What moderators, or an author of a post, have decided on something of that person; not if they did so themselves. */
void note_add_decision(struct plan *plan, struct str to, const struct moderation_act *act);
/* Who acts lets this person follow them. */
void note_add_approved(struct plan *plan, struct str to);

extern const struct binding_table notification_bindings, decision_bindings;

#endif
