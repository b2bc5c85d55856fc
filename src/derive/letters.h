#ifndef DERIVE_LETTERS_H
#define DERIVE_LETTERS_H

#include "derive/derivation.h"
#include "model/site/outbox.h"
#include "model/site/settings.h"
#include "model/site/unsubscribe.h"
#include "web/mail/mail.h"

struct buf;
struct post;

/*
 * The kinds of letter. A derivation adds letters by derive_letters(); when one is sent its kind writes it, from the facts as
 * they are then. A new kind is one function and its row in letters.c.
 */

/* Adds letters to the outbox (model/site/outbox.h), those that are not there yet. */
enum table_rc derive_letters(struct derive *d, const struct letter *letters, size_t count);

enum letter_outcome {
	LETTER_NOTHING,   /* there is nothing to say any more */
	LETTER_WRITTEN,   /* w->mail */
	LETTER_POSTPONED, /* until w->later */
};

/* What a letter is written from; what is written is in the arena of the call. */
struct letter_writing {
	struct table *table;
	struct table_call *call;
	struct clock *clock;
	struct str site; /* its address */
	const struct settings *settings;
	/* Seals the links that end such letters. */
	const struct secret_keys *keys;
	/* letters[0] is due. A kind may add others to the same recipient that its mail tells as well; LETTERS_AT_ONCE in all. */
	struct letter *letters;
	size_t count;

	enum letter_outcome outcome;
	struct mail mail; /* its id and watch are the sender's */
	int64_t later;
};

/* --- What kinds have in common ------------------------------------------------------------------------ */

/* "U<username>", and back: empty for somebody who is no member. */
struct str letter_to_member(struct arena *arena, struct str username);
struct str letter_member(const struct letter *letter);

/* Is it to a subscriber? */
bool letter_is_subscribers(const struct letter *letter);

/* May this person be written to? Then the mail is addressed to them. */
bool letter_address(struct letter_writing *w, const struct user *user);

/* Where a post is: "https://example.org/post/tides". */
struct str letter_post_url(struct letter_writing *w, const struct post *post);

/* What it is called, or how its text begins, on one line; who wrote it; and a text, cut. In the arena. */
struct str letter_post_title(struct arena *arena, const struct post *post);
struct str letter_byline(struct arena *arena, const struct post *post);
struct str letter_cut(struct arena *arena, struct str text, size_t max);

/* A post in a list: what it is called, by whom, and where it is. */
void letter_put_post(struct letter_writing *w, struct buf *text, const struct post *post);

/* Ends the text: why they get it, and by which link no more of them. The mail has the text then. */
void letter_sign(struct letter_writing *w, struct buf *text, const struct user *user,
    enum unsubscribe what, const char *why);

/* --- The kinds ---------------------------------------------------------------------------------------- */

struct letter_kind {
	struct str what;
	enum table_rc (*write)(struct letter_writing *w);
};

/* letter_note.c: `comment` is a path, or empty. */
extern const struct letter_kind letter_note;
struct str letter_note_thing(
    struct arena *arena, struct str post, struct str comment, struct str place);

/* letter_week.c */
extern const struct letter_kind letter_week;

/* Adds the letters of the week that are due, and moves on when the next ones are. *busy: there may be more. */
enum table_rc letter_week_add(struct table *table, struct table_call *call, struct clock *clock,
    const struct settings *settings, bool *busy);

/* letter_subscriber.c */
extern const struct letter_kind letter_subscriber_post, letter_subscriber_week;

/* The kind of this name; NULL: there is none. */
const struct letter_kind *letter_kind_find(struct str what);

#endif
