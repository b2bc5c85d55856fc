#ifndef DERIVE_TELL_H
#define DERIVE_TELL_H

#include "derive/derivation.h"
#include "model/people/notification.h"

/*
 * Notifications from a derivation: whom a fact is told, brought in line with what follows from it now.
 *
 * Beside the notifications there is for each fact what was told of it (Told: the people, and where in their partitions; of those
 * who follow something, who may be very many, a ToldPage for each page of their list). So what was told of a comment or a
 * post that is gone is found, and taken back; and whom to tell is asked once, when the fact comes to be: who becomes an
 * author of its post afterwards, or begins to follow it, is not told of what was said before. It is written before the
 * first notification, and cut to what is true behind the last, so whatever is killed in between leaves nothing that is not
 * found again.
 *
 * A fact that is older than NOTE_LATE_MS and was not told is not told any more.
 */
struct tell {
	struct str to; /* a username */
	enum note_what what;
	struct str target; /* what it is about: notes of one sort, target and day are one */
	struct str place;  /* set by tells_add() */
};

struct tells {
	struct str fact;    /* its name in a group: no other fact of the same target has it; without "#" */
	struct str actor;   /* who did it: a username */
	struct str post;    /* where; or empty */
	struct str comment; /* its path: of what stands single */
	int64_t at;         /* when */
	bool once;          /* it was asked whom to tell, and is not again */
	struct tell *all;
	size_t count, capacity;
};

/*
 * One more, of strings that last as long as the call's arena. Left out: who acts, who is nobody, and who is told of this
 * fact already: so what concerns a person most goes first.
 */
void tells_add(struct derive *d, struct tells *tells, struct tell tell);
/* All who were told. */
void tells_keep(struct derive *d, struct tells *tells, const struct item *told);

/*
 * The Told item of a subject, to be read before; and all of it in line: `told` is that item, NULL: there is none. The
 * record of the item has to lead to the subject as well.
 */
struct read told_read(struct derive *d, struct str subject);
enum table_rc tell_all(
    struct derive *d, struct str subject, const struct item *told, const struct tells *tells);

/* When it was told first; 0: it was not. For facts that don't say when they came to be. */
int64_t told_at(const struct item *told);

/* --- What any number of people are told --------------------------------------------------------------- */

/* A page of a list of people, of several that follow from a fact. */
struct told_page {
	int64_t list;
	enum note_what what;
	struct str target;
	const struct str *to;
	size_t count;
};

/* Notes that they are told, or may be: to be called before the first of them is. */
enum table_rc told_page_note(
    struct derive *d, struct str subject, const struct tells *fact, const struct told_page *page);

/*
 * Adds the fact to the notification of one of them, if it is not in there and they are not left out (tells_add()). The caller
 * notes that all were told (told_part_store()).
 */
enum table_rc tell_one(
    struct derive *d, const struct tells *fact, struct str to, enum note_what what, struct str target);

/*
 * The other way round: the fact is not to be seen any more by those who were told as of that list or a later one. Some pages
 * at a time; *left: there are more, to which the records of these lead.
 */
enum table_rc untell_pages(
    struct derive *d, struct str subject, const struct tells *fact, int64_t list, bool *left);

/* May this person read the post? Of one that is for everybody nothing is asked. */
struct post;
enum table_rc tell_may_read(struct derive *d, const struct post *post, struct str to, bool *out);

/* Was it asked whom to tell, and were they told? */
bool told_is_done(const struct item *told);

/* A Told item of a subject, for what is done in parts; and how far that is: empty when it is done. */
void told_begin(struct derive *d, struct item *item, struct str subject, int64_t at);
void told_set_cursor(struct arena *arena, struct item *item, struct str cursor);
struct str told_cursor(const struct item *told);

/*
 * How far that is, for what is told to very many: they are told in parts, so that nothing else waits for all of them. Each
 * part notes how far it came in the Told item, whose record leads to the next one.
 */
struct told_part {
	int64_t list;      /* of those that follow from the fact, one after another */
	struct str cursor; /* in it */
};
enum table_rc told_part_load(struct derive *d, struct str subject, struct told_part *out);
/* NULL: all were told. */
enum table_rc told_part_store(
    struct derive *d, struct str subject, int64_t at, const struct told_part *part);

/* Nobody was asked yet: as `told` is then, which the caller goes on with. */
enum table_rc told_part_forget(
    struct derive *d, const struct item *told, const struct item **out);

/* Is it too old to be told for the first time? */
bool told_too_late(struct derive *d, int64_t at);

#endif
