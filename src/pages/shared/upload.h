#ifndef PAGES_SHARED_UPLOAD_H
#define PAGES_SHARED_UPLOAD_H

#include "web/http/dispatch.h"
#include "web/media/media_store.h"

/*
 * Pictures that come with a form: those of posts (write/uploads.c), one's portrait or the cover of one's page
 * (account/portrait.c), and the site's nameplate (admin/nameplate.c), which alone may be an SVG.
 */
enum upload_use { UPLOAD_FOR_POSTS, UPLOAD_COVER, UPLOAD_PORTRAIT, UPLOAD_NAMEPLATE };

/* The result for one file. */
struct upload_sent {
	struct str name;
	enum media_rc rc;
	struct media media;
};

struct upload_batch {
	struct upload_sent *sent;
	size_t count, good;
	enum table_rc failed; /* of the table; TABLE_OK: it did not fail */
	uint32_t wait;        /* seconds, when there were too many; otherwise 0 */
};

/* Takes the files of the form's input "files"; for posts all, else the first one alone. Each is accepted or refused by itself. */
void upload_take(struct request *rq, enum upload_use use, struct upload_batch *batch);

/* The status of the whole answer, with its headers: HTTP_OK when every file was accepted. */
enum http_status upload_status(struct response *rs, const struct upload_batch *batch);

/* What is wrong with an upload, as a sentence after its name; NULL: nothing. */
const char *upload_error(struct request *rq, enum upload_use use, enum media_rc rc);

/* What is taken: in words, "JPEG, PNG or WebP", and for the form's input "files". */
const char *upload_formats(enum upload_use use);
struct str upload_accept(struct request *rq, enum upload_use use);

/* Why nothing can be uploaded here; empty: it can. */
struct str upload_missing(const struct request *rq);

/* The limit of a form with pictures. nginx allows as much, at their addresses only. */
size_t upload_body_max(void);

#endif
