#ifndef WEB_HTTP_DISPATCH_H
#define WEB_HTTP_DISPATCH_H

#include "model/permission.h"
#include "model/site/secret.h"
#include "web/form/form.h"
#include "web/http/request.h"
#include "web/http/response.h"

struct assets;
struct cache;
struct limiter;
struct gzip_pool;
struct log;
struct mailer;
struct media_store;
struct password_limiter;
struct secret_watch;
struct template_spec;
struct templates;
struct spending;
struct views;

/*
 * From a request to a response, by one const table of routes.
 *
 * An address has one form. Its path has no double slash, no slash at its end, no needless escapes,
 * and ASCII letters are small (unless the route keeps case); other forms of a path that a route has
 * are answered with 301 (a POST with 308) to the one. Query parameters that the route does not know
 * change no page, nor do all but the first of those it knows. They never reach the page cache's key:
 * a page that others may keep is answered with 301 to its address without them. Other pages, and those with a search form,
 * are shown as if they were not there, because browsers send the empty fields of a form, too.
 */

/* The handlers of an address. A missing method is answered with 405. */
struct page {
	enum http_status (*get)(struct request *rq, struct response *rs);
	/* With a form it runs only if every field is valid; rq->form has their values. */
	enum http_status (*post)(struct request *rq, struct response *rs);
	/* Of a POST with a form: shows the form again, with its errors, as 422. */
	enum http_status (*refused)(struct request *rq, struct response *rs);
	const struct form *form;
	const char *const *query; /* the parameters it knows, in order, ended by NULL; or NULL */
	/*
	 * Its parameters are what people type into a form and look for: whatever they are, they are answered, and not
	 * led elsewhere.
	 */
	bool typed;
	size_t (*body_max)(void); /* of a POST; NULL: its form's fields and 64 KB besides */
	bool
	    proves; /* its POST asks for the password again: that limit is read together with the viewer */
};

/* An address and its page. Of rows that match, the first counts: "/post/new" stands before "/post/:slug". */
struct route {
	/*
	 * ":name" captures a segment, "*name" at the end all the rest; a pattern is in canonical
	 * form.
	 */
	const char *pattern;
	const struct page *page;
	enum action needs;        /* the permission that it requires, of the site; else MAY_VISIT */
	enum cache_policy policy; /* of a GET; a POST's answer is kept by nobody */
	bool keeps_case;          /* of what its path captures */
	bool
	    without_table; /* a GET open to everybody, answered also while the table is unavailable */
	/* Its address is a secret: the log has the pattern, and requests from its page have no Referer. */
	bool secret;
	bool before_two_step; /* open to people who must set up a second step first */
	bool while_suspended; /* accepts a POST of suspended people: one that others never see */
	bool without_csrf;    /* takes a POST from anywhere; say why where you set it */
};

/*
 * What all requests share. The process creates one, fills the first group, and calls site_start().
 */
struct site {
	struct table *table;
	struct clock *clock;
	const struct log *log;
	bool log_addresses; /* of whoever is refused */
	const struct route *routes;
	size_t route_count;
	struct str origin; /* "https://example.org", no slash at the end: for absolute addresses */
	struct secrets secrets;     /* every other key derives from them */
	struct secret_watch *watch; /* where they are read again when their file changes; or NULL */
	unsigned char picture_key[32]; /* media_key_get()'s: in the names of pictures */
	size_t cache_bytes;            /* of the page cache; 0: none */
	int64_t deadline_ms; /* milliseconds that a request may wait for the table; 0: 5,000 */
	struct templates *templates; /* compiled at start; NULL: plain pages only */
	/*
	 * Writes an error page to rs->body; false, or NULL here: the plain one. Must not use the
	 * table.
	 */
	bool (*render_error)(struct request *rq, struct response *rs, enum http_status status);
	/*
	 * Finds the session of the request: sets rq->viewer, or leaves it; may give the browser a
	 * new token. HTTP_OK, or why it could not be found out. NULL: everybody is a stranger.
	 */
	enum http_status (*load_viewer)(struct request *rq, struct response *rs);
	/*
	 * Somebody who is signed in may have to do something else first: HTTP_OK, or a redirect
	 * there, or a refusal. NULL: never.
	 */
	enum http_status (*lead_first)(struct request *rq, struct response *rs);
	/*
	 * A stranger has sent a form that requires a session, as when theirs has ended: asks them
	 * to sign in and keeps the pending form, rq->inputs, for site_resume(). NULL: 403.
	 */
	enum http_status (*sign_in_first)(struct request *rq, struct response *rs);
	/*
	 * Called at the end of each request that reached a route: releases what handlers hold. Or
	 * NULL.
	 */
	void (*finished)(struct request *rq);
	void *page_data;       /* what the pages keep for all requests; theirs alone */
	const char *away;      /* why every page is a 503, for the log; NULL: no page is */
	struct assets *assets; /* the static files' addresses; NULL: they lead nowhere */
	struct password_limiter *passwords; /* where passwords are hashed */
	struct mailer *mailer;              /* sends letters; NULL: nobody does */
	struct limiter *large;              /* for work on large texts; NULL: no limit */
	struct spending *spending; /* counts what routes cost; NULL: nobody does */
	struct views *views;       /* counts what is read; NULL: nobody does */
	/* How the program is set up, for those who look after the site: nothing that is secret. */
	struct site_facts {
		struct str version;
		const char *no_backup; /* why the program makes none of this store; NULL: it does */
		const struct site_fact {
			struct str name, value;
		} *settings;
		size_t count;
	} facts;
	struct media_store *media; /* where uploaded pictures are stored; NULL: no uploads */

	/* Made by site_start(). */
	struct cache *cache;
	struct gzip_pool *gzip;
};

/*
 * Creates what the site needs and checks the routes. NULL on success; otherwise a static sentence
 * that says what is wrong with the table of routes, and the program must not start.
 */
const char *site_start(struct site *site);

/* Frees what site_start() made; no request may be in progress, no response unreleased. */
void site_end(struct site *site);

/*
 * How large a body this request may have, judging by its headers; 0 if none is read. A server reads
 * no more than that, and sets body_too_large if more was announced. At most REQUEST_BODY_MAX. A
 * body larger than SITE_BODY_OF_ANYBODY is read only from people who have the route's permission,
 * which asks the table who they are.
 */
enum {
	SITE_BODY_USUAL = 64 * 1024, /* for other inputs of a form than its fields */
	SITE_BODY_OF_ANYBODY = 8 * 1024 * 1024
};
size_t site_body_max(struct site *site, const struct request_input *in, struct arena *arena);

/*
 * Answers a request: always with a complete response, whatever came. A ready page from the page cache takes no time;
 * before all else, request_takes_time(). `out` needs no preparation;
 * its bytes lie in the arena or in the page cache and are good until response_release(out), which
 * the caller owes exactly once, before it resets the arena. Safe for threads, each with its own
 * arena.
 */
void site_respond(
    struct site *site, const struct request_input *in, struct arena *arena, struct response *out);

/*
 * Renders a page to rs->body and counts the time: `return respond(rq, rs,
 * TEMPLATE_WITH(post_template, &view));` HTTP_OK.
 */
enum http_status respond(
    struct request *rq, struct response *rs, const struct template_spec *spec, const void *view);

/*
 * For the page that has just signed somebody in: processes the pending form that sign_in_first()
 * kept, as if it was sent now. `body` is urlencoded. Only for routes that require a session; the
 * form that contains it has passed csrf_check() itself.
 */
enum http_status site_resume(
    struct request *rq, struct response *rs, struct str address, struct str body);

/*
 * The keys for one purpose, "cursor" or "csrf", derived from the site's secret: the first seals,
 * each opens. They stay the same until the secret is rotated, which adds another one at the front.
 */
void site_keys(const struct site *site, const char *purpose, struct secret_keys *keys);
/* The first of them, for what is sealed. */
void site_key(const struct site *site, const char *purpose, unsigned char key[SECRET_BYTES]);

#endif
