#ifndef PAGES_WRITE_WRITE_WORK_H
#define PAGES_WRITE_WRITE_WORK_H

#include "pages/write/write_draft.h"
#include "pages/write/write_view.h"

/* A form of the page of writing that was sent, on its way through the button that sent it. */
struct work {
	struct request *rq;
	struct response *rs;
	struct typed typed;
	struct written *old; /* NULL: a new post */
	struct draft draft;
	const struct read *people; /* NULL: no coauthors are named */
	bool anyway;               /* whoever publishes it knows what write_checks() says */
};

/* Is it of a new post? By its address. */
bool work_is_new(const struct request *rq);

/* Does its address name what can be no post? An id is a slug: anything else may be longer than a key. */
bool work_is_nowhere(const struct request *rq);

/* Of a new post, the name of its form; else empty. */
struct str work_form(struct request *rq);

/* The read of the tags that there are to choose from. */
struct read work_read_tags(void);

/*
 * The form again, with all that was typed. The second says why it is shown once more, with that status; the
 * third that the table failed, perhaps before it told what post this is: then the form itself knows.
 */
enum http_status work_again(struct work *work, struct write_page *page);
enum http_status work_again_as(struct work *work, struct write_page *page, enum http_status why);
enum http_status work_failed(struct work *work, enum http_status why);

/* Before anything is made of what was typed; as large_enter(). Who has to come again finds the form as it was. */
enum http_status work_enter(struct work *work);

/* Notes what is typed, apart from the post. Of an empty form for a new one there is nothing to note. */
enum table_rc work_autosave(struct work *work);

/*
 * Saves it, and does with its state what is wished. What is about to be published, and of which write_checks()
 * has something to say, is not saved yet but shown with that: its writer publishes it anyway, or changes it.
 */
enum http_status work_save(struct work *work, enum wish wish);

#endif
