#ifndef MODEL_READER_TRUST_H
#define MODEL_READER_TRUST_H

#include "model/site/moderation.h"
#include "model/site/rate.h"

struct viewer;

/*
 * A person's trust level, by their earlier comments: the one place that decides it. A reader
 * without approved comments is new, and their comments are held; then they are known, and after
 * some comments and some days trusted, unless a comment of theirs was hidden lately. Authors and
 * the staff are trusted.
 */

/* The reads for it: their visible, held and hidden comments, each the newest first. */
enum { TRUST_SAID, TRUST_WAITING, TRUST_HIDDEN, TRUST_READS };
void trust_reads(struct arena *arena, struct str username, struct read reads[TRUST_READS]);

enum trust trust_of(const struct moderation *m, const struct viewer *viewer,
    const struct read reads[TRUST_READS], int64_t now);

/* The level of another person, by their item. */
struct user;
enum trust trust_of_person(const struct moderation *m, const struct user *user,
    const struct read reads[TRUST_READS], int64_t now);

/* "new" */
const char *trust_name(enum trust trust);

/* How often a person may do something in a day; to be counted in the transaction that does it. */
enum trust_act { TRUST_REACT, TRUST_FOLLOW, TRUST_FLAG };
struct rate trust_rate(
    const struct moderation *m, enum trust trust, enum trust_act act, struct str username);

#endif
