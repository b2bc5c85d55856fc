#ifndef MODEL_SITE_MODERATION_H
#define MODEL_SITE_MODERATION_H

#include "model/bind.h"

/*
 * The rules for readers that admins set: a part of the settings (model/site/settings.h). A person
 * is new, known or trusted (model/reader/trust.h); each level has numbers of its own.
 */
enum trust { TRUST_NEW, TRUST_KNOWN, TRUST_TRUSTED, TRUST_LEVELS };

/* The limits of a level. */
struct trust_numbers {
	int64_t comments; /* in ten minutes; for new people: held ones */
	int64_t pause;    /* seconds between two comments */
	int64_t links, mentions; /* in a comment: with more it is held */
	int64_t reactions, follows, flags; /* a day */
};

struct moderation {
	int64_t new_comments, new_pause, new_links, new_mentions, new_reactions, new_follows,
	    new_flags;
	int64_t known_comments, known_pause, known_links, known_mentions, known_reactions,
	    known_follows, known_flags;
	int64_t trusted_comments, trusted_pause, trusted_links, trusted_mentions, trusted_reactions,
	    trusted_follows, trusted_flags;
	int64_t trusted_after;   /* approved comments that make a person trusted */
	int64_t trusted_days;    /* ... and days since their registration */
	int64_t upheld_days;     /* ... and days since a comment of theirs was hidden */
	int64_t first_day;       /* comments on the day of registration */
	int64_t network;         /* comments from a network in ten minutes */
	int64_t registrations;   /* from a network, a day */
	int64_t flags_hold;      /* flags of trusted people that hold a comment; 0: never */
	int64_t flags_days;      /* ... if the flags are no older than that */
	int64_t heat_minutes;    /* between two replies of a person in a flagged thread */
	int64_t close_days;      /* days after which a post takes no more comments; 0: never */
	struct str words, links, domains; /* one a line: a comment with one of them is held */
	bool name_staff, name_people;     /* in the public log */
};

/* At most so many approved comments are counted. */
enum { MODERATION_APPROVED_MAX = 10, MODERATION_LIST_MAX = 10000 };

void moderation_defaults(struct moderation *out);

struct trust_numbers moderation_numbers(const struct moderation *m, enum trust trust);

/* Is a post that was published then too old for comments? */
bool moderation_over(const struct moderation *m, int64_t published, int64_t now);

/* The description of a change for the staff's log. In the arena. */
struct str moderation_difference(
    struct arena *arena, const struct moderation *was, const struct moderation *is);

extern const struct binding_table moderation_bindings;

#endif
