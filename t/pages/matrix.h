#ifndef T_PAGES_MATRIX_H
#define T_PAGES_MATRIX_H

#include "browser.h"

/*
 * Everybody who may come, and things of one of them: what the matrix of permissions is made of. A column of letters is
 * in the order of `people`: stranger, reader, owner, author, editor, admin, member of the circle, follower of the owner;
 * then the groups: publish, edit, pages, order, watch, host.
 */
enum { PEOPLE = 14 };

struct matrix_person {
	const char *name; /* NULL: a stranger */
	const char *role;
	const char *group; /* that they are in, beside its one permission; NULL: none */
	const char *permission;
};
extern const struct matrix_person people[PEOPLE];

/* The owner's collections, and picture. */
#define OPEN_ID "00000000000001"
#define CLOSED_ID "00000000000002"
#define HELD_ID "0000000000000h"
#define HIDDEN_ID "0000000000000j"
/* What the owner says of themselves, which is hidden. */
#define HIDDEN_BIO "Words that were hidden."
/* The reader's comments on two of the posts. */
#define COMMENT_ID "00000000000003"
#define PICTURE "0123456789abcdef0123456789abcdef"

/* Everybody and everything; and all that is theirs as it was. */
void set_stage(struct seeded *s);
void put_things(struct seeded *s);

/* A browser of this person, with a session or a visit of its own. */
struct browser browser_for(struct seeded *s, size_t person);

/* Sends nothing but the token of a form that the person was shown before. */
void post_nothing(struct browser *b, const char *address);

/* Whether the last answer was 'n' for somebody who may not, or 'y'. */
char letter_of(const struct browser *b);

#endif
