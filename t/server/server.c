/*
 * A server for serve.t: the real process side with an application that does what its address says.
 *
 *   server SOCKET|- THREADS TRANSFER_SECONDS DRAIN_SECONDS [FAIL_FILE]
 *
 * A worker can't start while FAIL_FILE exists. Where FAIL_FILE.stand-in exists at the start, there are stand-ins, which
 * are not ready before it is gone; and a worker is not ready while FAIL_FILE.wait exists. Addresses:
 *
 *   /slow?MS  /crash  /large?MB /echo as they say; /large has a megabyte, or so many
 *   /busy                             how many of /slow are under way
 *   /input                            the request's fields, a line each
 *   /count  /secret                   how many requests it has had; a page for all, a page for nobody
 *   /same  /asked                     a page that never changes, with an ETag; how often it was asked for
 *   /quick                            "quick", at hand
 *   /limiter                             "through", behind a limiter: one may be inside, and one more wait
 *   /shut  /open                      whether who is inside has to stay there
 *   /full                             "yes" when both are there
 *   all else                          the worker's process id
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/limiter.h"
#include "base/log.h"
#include "server/serve.h"
#include "web/http/request.h"
#include "web/http/response.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_uint requests, same;
static atomic_int at_limiter, slow;
static atomic_bool opened;
static struct limiter *limiter;

enum { BODY_MAX = 256 * 1024, LARGE = 1000 * 1000 };

static void
pause_ms(int64_t ms)
{
	const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&pause, NULL);
}

static bool
is_there(const char *fail_file, const char *ending)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s%s", fail_file, ending);
	return access(path, F_OK) == 0;
}

static struct site *
open_site(void *context)
{
	const char *fail_file = context;

	while (is_there(fail_file, ".wait"))
		pause_ms(1);
	limiter = limiter_new(&(struct limiter_bounds){.at_once = 1, .waiting = 1});
	/* Nobody looks into the site, so anything that is not NULL will do. */
	return is_there(fail_file, "") ? NULL : context;
}

static struct site *
fallback(void *context)
{
	while (is_there(context, ".stand-in"))
		pause_ms(1);
	limiter = limiter_new(&(struct limiter_bounds){.at_once = 1});
	return context;
}

/* As a site whose own threads come to an end, which write until then. */
static void
close_site(struct site *site)
{
	(void)site;
	if (limiter_enter(limiter, STR("")))
		limiter_leave(limiter, STR(""));
	limiter_free(limiter);
}

static void
count_held(void *who, bool begins)
{
	const struct limiter_watcher *server = who;

	server->held(server->who, begins);
	atomic_fetch_add(&at_limiter, begins ? 1 : -1);
}

static unsigned
watch_limiter(struct site *site, const struct limiter_watcher *watcher)
{
	static struct limiter_watcher server;

	(void)site;
	server = *watcher;
	return limiter_watch(limiter, &(struct limiter_watcher){count_held, &server});
}

static size_t
body_max(struct site *site, const struct request_input *in, struct arena *arena)
{
	(void)site, (void)in, (void)arena;
	return BODY_MAX;
}

static struct str
wait_at_limiter(void)
{
	if (!limiter_enter(limiter, STR("")))
		return STR("too many");
	while (!atomic_load(&opened))
		pause_ms(1);
	limiter_leave(limiter, STR(""));
	return STR("through");
}

static struct str
show_input(const struct request_input *in, struct arena *arena)
{
	const struct {
		const char *name;
		struct str value;
	} fields[] = {
	    {"method", in->method},
	    {"uri", in->uri},
	    {"scheme", in->scheme},
	    {"host", in->host},
	    {"remote_addr", in->remote_addr},
	    {"request_id", in->request_id},
	    {"content_type", in->content_type},
	    {"cookie", in->cookie},
	    {"origin", in->origin},
	    {"referer", in->referer},
	    {"sec_fetch_site", in->sec_fetch_site},
	    {"accept_encoding", in->accept_encoding},
	    {"if_none_match", in->if_none_match},
	    {"if_modified_since", in->if_modified_since},
	    {"user_agent", in->user_agent},
	    {"body", in->body},
	};
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		buf_fmt(&out, "%s: %.*s\n", fields[i].name, STR_ARGS(fields[i].value));
	buf_fmt(&out, "content_length: %" PRId64 "\n", in->content_length);
	return buf_str(&out);
}

static struct str
answer_body(const struct request_input *in, struct arena *arena)
{
	struct str rest, query;
	int64_t number = 0;

	str_cut(in->uri, '?', &query);
	str_int(query, &number);
	rest = str_cut(in->uri, '?', &query);
	if (in->body_too_large)
		return STR("too large");
	if (str_eq(rest, STR("/slow"))) {
		atomic_fetch_add(&slow, 1);
		pause_ms(number);
		atomic_fetch_sub(&slow, 1);
	}
	if (str_eq(rest, STR("/busy")))
		return str_fmt(arena, "%d", atomic_load(&slow));
	if (str_eq(rest, STR("/limiter")))
		return wait_at_limiter();
	if (str_eq(rest, STR("/full")))
		return atomic_load(&at_limiter) == 2 ? STR("yes") : STR("no");
	if (str_eq(rest, STR("/open")) || str_eq(rest, STR("/shut")))
		atomic_store(&opened, str_eq(rest, STR("/open")));
	if (str_eq(rest, STR("/crash")))
		raise(SIGKILL);
	if (str_eq(rest, STR("/echo")))
		return in->body_short ? STR("short") : in->body;
	if (str_eq(rest, STR("/large"))) {
		size_t size = LARGE * (number > 0 ? (size_t)number : 1);
		char *bytes = arena_alloc(arena, size);

		memset(bytes, 'x', size);
		return (struct str){bytes, size};
	}
	if (str_eq(rest, STR("/input")))
		return show_input(in, arena);
	if (str_eq(rest, STR("/count")) || str_eq(rest, STR("/secret")))
		return str_fmt(arena, "%u", atomic_fetch_add(&requests, 1) + 1);
	if (str_eq(rest, STR("/same")))
		atomic_fetch_add(&same, 1);
	if (str_eq(rest, STR("/asked")))
		return str_fmt(arena, "%u", atomic_load(&same));
	return str_fmt(arena, "pid %d", (int)getpid());
}

/* What takes no time, and says so by saying nothing of it. */
static void
respond_at_once(struct response *out)
{
	memset(out, 0, sizeof(*out));
	out->status = HTTP_OK;
	out->bytes = STR("Status: 200 OK\r\nContent-Length: 5\r\n\r\nquick");
}

static void
respond_in_time(const struct request_input *in, struct arena *arena, struct response *out)
{
	struct str body = answer_body(in, arena);
	bool secret = str_starts(in->uri, STR("/secret")) || str_starts(in->uri, STR("/asked"));
	bool tagged = str_eq(in->uri, STR("/same"));
	bool good = tagged && str_eq(in->if_none_match, STR("\"same\""));
	struct str head = str_fmt(arena,
	    "Status: %s\r\nContent-Type: text/html\r\nContent-Length: %zu\r\n"
	    "%sCache-Control: %s\r\nVary: Accept-Encoding, Cookie\r\n\r\n",
	    good ? "304 Not Modified" : "200 OK", good ? 0 : body.len,
	    tagged ? "ETag: \"same\"\r\nLast-Modified: Wed, 18 Nov 2026 09:30:00 GMT\r\n" : "",
	    secret ? "no-store" : "no-cache");

	memset(out, 0, sizeof(*out));
	out->status = good ? HTTP_NOT_MODIFIED : HTTP_OK;
	out->bytes = good ? head : STR_CONCAT(arena, head, body);
}

static void
respond(
    struct site *site, const struct request_input *in, struct arena *arena, struct response *out)
{
	(void)site;
	if (str_eq(in->uri, STR("/quick"))) {
		respond_at_once(out);
		return;
	}
	request_takes_time(in);
	respond_in_time(in, arena, out);
}

static void
release(struct response *rs)
{
	(void)rs;
}

int
main(int argc, char **argv)
{
	static char nothing[] = "/nonexistent";
	struct log_sink sink;
	struct log log = {.fd = STDERR_FILENO, .level = LOG_INFO};
	struct serve_options options = {.log = &log};

	if (argc < 5)
		return 2;
	options.socket = strcmp(argv[1], "-") == 0 ? NULL : argv[1];
	options.threads = (unsigned)atoi(argv[2]);
	options.transfer_seconds = atoi(argv[3]);
	options.drain_seconds = atoi(argv[4]);
	log_wait_for_nobody(&log, &sink);
	options.app = (struct serve_app){
	    .context = argc > 5 ? argv[5] : nothing,
	    .open = open_site,
	    .fallback = argc > 5 && is_there(argv[5], ".stand-in") ? fallback : NULL,
	    .close = close_site,
	    .watch = watch_limiter,
	    .body_max = body_max,
	    .respond = respond,
	    .release = release,
	};
	return serve(&options);
}
