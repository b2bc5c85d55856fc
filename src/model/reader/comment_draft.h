#ifndef MODEL_READER_COMMENT_DRAFT_H
#define MODEL_READER_COMMENT_DRAFT_H

#include "model/plan.h"

/*
 * The draft of a comment: what was typed into a form and is not a comment yet, so that neither an expired session nor a
 * closed browser loses it. There is one for each form, of ten a person at most: then the oldest makes room. It is removed
 * when the comment is there, or after 30 days.
 *
 *	USER#<u> / COMMENTDRAFT#<post>#<form>        Form, Markdown, Post, SavedAt, Username
 *
 * The form is "new", "to.<path>" or "edit.<path>".
 */
struct comment_draft {
	struct str post, form, markdown;
	int64_t saved;
};

enum { COMMENT_DRAFTS_MAX = 10 };

/* All drafts of a person: what the following take. */
struct read comment_drafts_read(struct arena *arena, struct str username);

/* That of a form; false: there is none. */
bool comment_draft_find(
    const struct read *drafts, struct str post, struct str form, struct comment_draft *out);

/* Stores one, in place of the form's former one; nothing typed removes that. What is stored already writes nothing. */
enum plan_rc comment_draft_keep(
    struct plan *plan, const struct read *drafts, const struct comment_draft *draft);

/* Removes that of the form, and those under the same post that say the same; without any it writes nothing. */
enum plan_rc comment_draft_drop(
    struct plan *plan, const struct read *drafts, const struct comment_draft *draft);

#endif
