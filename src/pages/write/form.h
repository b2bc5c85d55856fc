#ifndef PAGES_WRITE_FORM_H
#define PAGES_WRITE_FORM_H

#include "model/post/autosave.h"
#include "model/post/post_fields.h"
#include "model/post/writing.h"
#include "web/form/form.h"
#include "web/http/dispatch.h"

/*
 * The form for writing posts, of all kinds: its inputs, valid or not, and the conversions between
 * inputs, a post and an autosave. None of them loses input.
 */

/*
 * The validated values. An input whose value is stored as it is has it in the member of `post` or `body`; the others are
 * converted by draft_fill(). A kind's page shows only the inputs that it has; the others are empty.
 */
struct write_values {
	struct post post;
	struct post_body body;
	int64_t difficulty, visibility, when, version, thumbnail_focus;
	struct strings tag;
	struct str thumbnail_url, thumbnail_alt, others;
};

/* --- A how-to's rows: materials, tools and steps, as many as its writer wants ------------------------ */

enum rows_of { ROWS_MATERIALS, ROWS_TOOLS, ROWS_STEPS, ROWS_KINDS };
enum { ROWS_MAX = 50 };

/* What the rows of a kind are called in inputs and buttons, and how the page shows them. */
struct rows_kind {
	const char *name, *second; /* "material", "amount"; NULL: a row is one text */
	const char *label, *second_label;
	const char *legend, *hint, *add_label;
	int64_t max; /* letters of a text */
	bool lines;
};
extern const struct rows_kind rows_kinds[ROWS_KINDS];

struct row {
	struct str first, second; /* a material's name and amount; else only the first */
};

struct rows {
	struct row *rows; /* room for ROWS_MAX + 1 */
	size_t count;
	const char *error; /* what is wrong with one of them, or NULL */
};

/*
 * Does what a button beside a row says: "add-step", "remove-step-3", "up-step-3", "down-step-3". False: it
 * is no such button.
 */
bool rows_do(struct rows all[ROWS_KINDS], struct str button);

/* --- What is typed ------------------------------------------------------------------------------------- */

struct typed {
	enum post_kind kind;
	struct form_result form;
	struct rows rows[ROWS_KINDS];
	/* Of a post that was saved meanwhile, what gave way to another's text (conflict.h); else NULL. */
	struct typed *mine;
};

/* Of an autosave: this window has had one kept before. */
#define AUTOSAVE_AGAIN "again"
/* The input that says that there is one, and how the names of its inputs begin. */
#define CONFLICT_INPUT "meanwhile"
#define MEANWHILE_MINE "mine-"

/*
 * The largest body in which such a form comes: all that its fields and rows may have, and what was set aside of them
 * for another’s (conflict.h), which is stored. That is more than an item holds, so that whoever writes too much
 * is told so in the form, with their text in it. No more than SITE_BODY_OF_ANYBODY: it may come without a session.
 */
size_t write_body_max(void);

/* Nothing yet; what was sent; what is stored; what was autosaved. */
void typed_empty(struct request *rq, enum post_kind kind, struct typed *out);
void typed_read(
    struct request *rq, enum post_kind kind, const struct parts *inputs, struct typed *out);
void typed_fill(struct request *rq, const struct written *written, struct typed *out);
void typed_resume(struct request *rq, const struct autosave *autosave, struct typed *out);

/* Is there no input worth keeping? A choice among offered values is not. */
bool typed_blank(const struct typed *typed);

/* Does a form that was sent say what the stored post says? A field that it did not have is as it was. */
bool typed_same(struct request *rq, const struct typed *sent, const struct typed *stored);

/* What an autosave is called in a list: its title, or its first words, or “Untitled”. */
struct str autosave_title(struct request *rq, const struct autosave *autosave);

/* All inputs of the form but those that belong to one sending of it, for an autosave. */
struct strings_value typed_inputs(struct request *rq);

/*
 * The usernames that are typed as coauthors, each once and without the author's: whether they are anybody's
 * is the table's to say. One more than there may be is too many.
 */
size_t typed_others(struct request *rq, const struct typed *typed, struct str author,
    struct str names[WRITING_OTHERS_MAX + 1]);

/* Is anything wrong? Counts the rows' errors, too. */
bool typed_valid(const struct typed *typed);

/*
 * What heads a note in the lists when it has neither a title nor an excerpt: how its text begins. It is stored as
 * its excerpt, and the form shows none. In the request's arena.
 */
struct str note_beginning(struct request *rq, struct str markdown);

/* --- The fields of a post in it ------------------------------------------------------------------------ */

/* The name under which a field is shown everywhere: the label of its input, "Title". */
struct str write_label(const struct post_field *field);

/* The field whose value an input holds unconverted; NULL: it is converted, or is no field. */
const struct post_field *write_plain(const struct field *input);

/* Which field has no input, or which input no field, as a sentence in the arena; NULL: none. */
const char *write_form_error(struct arena *arena);

/* --- From inputs to a draft: draft.c -------------------------------------------------------------- */

/*
 * From inputs to a draft to be saved. Errors are attached to their fields; valid values are in the
 * draft in any case, so that a preview can be made.
 */

/* What is to become of the post. */
enum wish {
	WISH_SAVE, /* its state stays */
	WISH_PUBLISH,
	WISH_UNPUBLISH,
};

/* What was read of whom and what a form names. */
struct named {
	const struct read *people;    /* those of typed_others(); NULL: nobody */
	const struct item *quoted;    /* the head of the post that a note quotes; NULL: none, or it is not there */
	const struct read *mentioned; /* those of typed_mentions(); NULL: nobody */
};

/* Fills the draft, its text rendered. `old` is NULL for a new post. After page_read(). */
void draft_fill(struct request *rq, struct typed *typed, const struct written *old,
    const struct named *named, enum wish wish, struct draft *out);

/*
 * Whom a note names with "@". A text that is large (web/http/large.h) names nobody: it is not looked at before its turn.
 */
struct strings_value typed_mentions(struct request *rq, const struct typed *typed);

/* The slug of the post that a note is to quote; empty: none, or it is no slug. */
struct str typed_quotes(const struct typed *typed);

#endif
