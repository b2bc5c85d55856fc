#ifndef T_PAGES_BROWSER_H
#define T_PAGES_BROWSER_H

#include "seeded.h"

#include "model/people/password.h"
#include "pages/routes.h"

/* The pages as a browser uses them: with cookies, and with forms that are read from their pages. */
struct browser {
	struct seeded *s;
	struct str session, visit, device; /* its cookies */
	struct str address;                /* where it connects from */
	struct str site;                   /* what Sec-Fetch-Site says */
	struct str encoding;               /* what Accept-Encoding says */
	struct str known;                  /* for If-None-Match */
	struct str referer;                /* what Referer says */
	struct answer last;
};

/* A seeded site in which people can sign in; their passwords are hashed at nearly no cost. */
void browsers_open(struct seeded *s);
void browsers_close(struct seeded *s);

/* A stranger's. */
struct browser browser(struct seeded *s, const char *address);

/* One in which that person of the table is signed in already, without their password. */
struct browser browser_of(struct seeded *s, const char *username);

/* Lets one of the table's people sign in with a password. */
void give_password(struct seeded *s, const char *name, const char *password);

/* Requests; `last` is the answer. */
enum http_status fetch(struct browser *b, const char *method, const char *address, struct str body);
/* The same with a body of another type. */
enum http_status fetch_as(
    struct browser *b, const char *method, const char *address, struct str type, struct str body);
enum http_status get(struct browser *b, const char *address);
enum http_status sign_in(struct browser *b, const char *name, const char *password);

/* Sends the form `action` of the last page: its hidden fields, and pairs of names and values, to NULL. */
enum http_status submit(struct browser *b, const char *action, const char *const *pairs);
#define SUBMIT(b, action, ...) submit((b), (action), (const char *const[]){__VA_ARGS__, NULL})

/* An app for the second step: the secret as it reads it from the last page, and its code, steps from now. */
struct str app_secret(const struct browser *b);
const char *app_code(struct seeded *s, struct str secret, int64_t steps);

/* Files that are sent to the page of uploads, ended by one without a name. `answer` is "json" or NULL. */
struct upload {
	const char *name;
	struct str bytes;
};
enum http_status upload_files(
    struct browser *b, struct str token, const char *answer, const struct upload *sent);
enum http_status upload_files_to(struct browser *b, const char *address, struct str token,
    const char *answer, const struct upload *sent);

/* One more pair of an urlencoded body. */
void put_field(struct buf *body, struct str name, struct str value);

/* Does the last page say this, its references undone? Where does its answer lead? */
bool says(const struct browser *b, const char *text);
struct str leads_to(const struct browser *b);

#endif
