#ifndef MODEL_SITE_MODERATION_H
#define MODEL_SITE_MODERATION_H

#include "model/bind.h"

/*
 * What admins choose of how readers are held to rules: a part of the settings (model/site/settings.h). Who writes is new,
 * known or trusted (model/reader/trust.h); each level has numbers of its own.
 */
enum trust { TRUST_NEW, TRUST_KNOWN, TRUST_TRUSTED, TRUST_LEVELS };

/* What one of a level may do. */
struct trust_numbers {
	int64_t comments; /* in ten minutes; of who is new: that wait for an editor */
	int64_t pause;    /* seconds between two of them */
	int64_t links, mentions; /* of a comment: with more it is held */
	int64_t reactions, follows, flags; /* a day */
};

struct moderation {
	int64_t new_comments, new_pause, new_links, new_mentions, new_reactions, new_follows,
	    new_flags;
	int64_t known_comments, known_pause, known_links, known_mentions, known_reactions,
	    known_follows, known_flags;
	int64_t trusted_comments, trusted_pause, trusted_links, trusted_mentions, trusted_reactions,
	    trusted_follows, trusted_flags;
	int64_t trusted_after;   /* so many comments that were approved */
	int64_t trusted_days;    /* and so long since they registered */
	int64_t upheld_days;     /* and so long since something of theirs was hidden */
	int64_t first_day;       /* comments on the day on which somebody registers */
	int64_t network;         /* comments of a network in ten minutes */
	int64_t registrations;   /* of a network, a day */
	int64_t flags_hold;      /* so many flags of trusted people hold a comment; 0: none do */
	int64_t flags_days;      /* if they are no older than that */
	int64_t heat_minutes;    /* between two replies of a person in a thread that was flagged */
	int64_t close_days;      /* after which nobody comments on a post any more; 0: never */
	struct str words, links, domains; /* a line for each: what has one of them is held */
	bool name_staff, name_people;     /* in the log that readers see */
};

/* At most so many approved comments are looked for. */
enum { MODERATION_APPROVED_MAX = 10, MODERATION_LIST_MAX = 10000 };

void moderation_defaults(struct moderation *out);

struct trust_numbers moderation_numbers(const struct moderation *m, enum trust trust);

/* What the staff's log says of a change. In the arena. */
struct str moderation_difference(
    struct arena *arena, const struct moderation *was, const struct moderation *is);

extern const struct binding_table moderation_bindings;

#endif
