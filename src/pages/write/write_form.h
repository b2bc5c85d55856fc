#ifndef PAGES_WRITE_WRITE_FORM_H
#define PAGES_WRITE_WRITE_FORM_H

#include "model/post/autosave.h"
#include "model/post/writing.h"
#include "pages/write/write_rows.h"
#include "web/form/form.h"
#include "web/http/dispatch.h"

/*
 * The form in which posts are written, of whatever kind: what is typed into it, right or wrong, and the
 * ways between that, a post, and an autosave. Nothing that was typed is lost on any of them.
 */

/* The declared fields. A kind's page shows those that it has; the others come empty. */
struct write_values {
	struct str title, excerpt, markdown, slug, category, thumbnail_url, thumbnail_alt,
	    canonical, language;
	struct str group, others, url, source, cost, currency;
	struct strings tag;
	int64_t visibility, difficulty, minutes, when, version;
};

struct typed {
	enum post_kind kind;
	struct form_result form;
	struct rows rows[ROWS_KINDS];
	/* Of a post that was saved meanwhile, what gave way to another's text (write_meanwhile.h); else NULL. */
	struct typed *mine;
};

/* The input that says that there is one, and how the names of its inputs begin. */
#define MEANWHILE "meanwhile"
#define MEANWHILE_MINE "mine-"

/*
 * The largest body in which such a form comes: all that its fields and rows may have, and what was set aside of them
 * for another’s (write_meanwhile.h), which is stored. That is more than an item holds, so that whoever writes too much
 * is told so in the form, with their text in it. No more than SITE_BODY_OF_ANYBODY: it may come without a session.
 */
size_t write_body_max(void);

/* Nothing yet; what was sent; what is stored; what was autosaved. */
void typed_empty(struct request *rq, enum post_kind kind, struct typed *out);
void typed_read(
    struct request *rq, enum post_kind kind, const struct parts *inputs, struct typed *out);
void typed_fill(struct request *rq, const struct written *written, struct typed *out);
void typed_resume(struct request *rq, const struct autosave *autosave, struct typed *out);

/* Is nothing typed that somebody would miss? What was only chosen from what is offered is no loss. */
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

#endif
