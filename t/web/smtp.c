/*
 * How letters reach a mail server: what the sender is told of each way in which one answers, and that it is asked
 * right before the last byte. The server here says what a test wants; t/cli/letters.t has a real one.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "web/mail/mail.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- The server --------------------------------------------------------------------------------------- */

/* Its answers to one letter; NULL: it says nothing any more and hangs up. */
struct answers {
	const char *greeting, *from, *to, *data, *end;
	bool silent; /* it says nothing at all, and does not hang up either */
};
#define FINE "250 fine"
#define GREETING "220 test"
#define GO_ON "354 go on"

static struct {
	int listener;
	uint16_t port;
	pthread_t thread;
	pthread_mutex_t mutex;
	struct answers answers;
	unsigned connections, ends; /* ends: how often the last byte of a letter has come */
	char letter[64 * 1024];
	size_t len;
} server = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct answers
answers(void)
{
	struct answers now;

	pthread_mutex_lock(&server.mutex);
	now = server.answers;
	pthread_mutex_unlock(&server.mutex);
	return now;
}

static unsigned
ends(void)
{
	unsigned now;

	pthread_mutex_lock(&server.mutex);
	now = server.ends;
	pthread_mutex_unlock(&server.mutex);
	return now;
}

/* False: it hangs up. */
static bool
say(FILE *client, const char *line)
{
	return line != NULL && fprintf(client, "%s\r\n", line) > 0 && fflush(client) == 0;
}

static bool
take_letter(FILE *in, FILE *out)
{
	char line[2048];

	server.len = 0;
	while (fgets(line, sizeof(line), in) != NULL) {
		size_t len = strlen(line);

		if (strcmp(line, ".\r\n") == 0) {
			pthread_mutex_lock(&server.mutex);
			server.ends++;
			pthread_mutex_unlock(&server.mutex);
			return say(out, answers().end);
		}
		if (server.len + len < sizeof(server.letter)) {
			memcpy(server.letter + server.len, line, len + 1);
			server.len += len;
		}
	}
	return false;
}

static void
serve_client(FILE *in, FILE *out)
{
	char line[2048];

	if (answers().silent) {
		while (fgets(line, sizeof(line), in) != NULL)
			;
		return;
	}
	if (!say(out, answers().greeting))
		return;
	while (fgets(line, sizeof(line), in) != NULL) {
		struct answers now = answers();
		bool go_on;

		if (strncmp(line, "MAIL", 4) == 0)
			go_on = say(out, now.from);
		else if (strncmp(line, "RCPT", 4) == 0)
			go_on = say(out, now.to);
		else if (strncmp(line, "DATA", 4) == 0)
			go_on = say(out, now.data) && (now.data[0] != '3' || take_letter(in, out));
		else
			go_on = say(out, FINE);
		if (!go_on)
			return;
	}
}

static void *
serve(void *context)
{
	int fd;

	(void)context;
	while ((fd = accept(server.listener, NULL, NULL)) >= 0) {
		FILE *in = fdopen(fd, "r"), *out = fdopen(dup(fd), "w");

		pthread_mutex_lock(&server.mutex);
		server.connections++;
		pthread_mutex_unlock(&server.mutex);
		serve_client(in, out);
		fclose(in);
		fclose(out);
	}
	return NULL;
}

static void
begin(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);

	server.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(server.listener, (struct sockaddr *)&address, len) != 0 ||
	    listen(server.listener, 5) != 0 ||
	    getsockname(server.listener, (struct sockaddr *)&address, &len) != 0)
		bail_out("no server");
	server.port = ntohs(address.sin_port);
	if (pthread_create(&server.thread, NULL, serve, NULL) != 0)
		bail_out("no thread");
}

/* --- Who watches -------------------------------------------------------------------------------------- */

struct watcher {
	struct mail_watch watch; /* first: what the transport gets */
	unsigned handed, ends_before;
	bool refuses, stops;
};

static bool
hand(struct mail_watch *watch)
{
	struct watcher *w = (struct watcher *)watch;

	w->handed++;
	w->ends_before = ends();
	return !w->refuses;
}

static bool
stopped(struct mail_watch *watch)
{
	return ((struct watcher *)watch)->stops;
}

static const char *
send_one(struct arena *arena, struct watcher *w)
{
	const struct mail_transport transport = {.send = mail_smtp,
	    .url = str_fmt(arena, "smtp://127.0.0.1:%u", server.port),
	    .from = STR("desk@example.org"),
	    .user = STR(""),
	    .password = STR("")};
	const struct mail mail = {.to = STR("noor@example.org"),
	    .subject = STR("Hello"),
	    .text = STR("One\n.\n..two\n"),
	    .id = STR("letter"),
	    .unsubscribe = STR("https://example.org/unsubscribe/x"),
	    .watch = &w->watch};

	return transport.send(&transport, &mail, arena);
}

static struct watcher
watcher(void)
{
	return (struct watcher){.watch = {.hand = hand, .stopped = stopped}};
}

static const struct {
	const char *says;
	struct answers answers;
	enum mail_end end;
	unsigned handed;
	const char *why; /* begins so; NULL: nothing is said */
} cases[] = {
    {"that takes it", {GREETING, FINE, FINE, GO_ON, FINE}, MAIL_SENT, 1, NULL},
    {"that knows no such mailbox", {GREETING, FINE, "550 who?", GO_ON, FINE}, MAIL_REFUSED, 0,
	"the mail server answered 550 to RCPT"},
    {"that keeps a list of who came before", {GREETING, FINE, "451 later", GO_ON, FINE}, MAIL_LATER, 0,
	"the mail server answered 451 to RCPT"},
    {"that wants no more data", {GREETING, FINE, FINE, "452 full", FINE}, MAIL_LATER, 0,
	"the mail server answered 452 to DATA"},
    {"that dislikes what it has read", {GREETING, FINE, FINE, GO_ON, "554 spam"}, MAIL_REFUSED, 1,
	"the mail server answered 554 to the letter"},
    {"that has no room for what it has read", {GREETING, FINE, FINE, GO_ON, "452 full"}, MAIL_LATER, 1,
	"the mail server answered 452 to the letter"},
    {"that hangs up on the last byte", {GREETING, FINE, FINE, GO_ON, NULL}, MAIL_UNSURE, 1, ""},
    {"that hangs up before", {GREETING, FINE, FINE, NULL, NULL}, MAIL_LATER, 0, ""},
    {"that hangs up on whoever comes", {NULL, NULL, NULL, NULL, NULL}, MAIL_DOWN, 0, ""},
    {"that is closed", {"554 closed", FINE, FINE, GO_ON, FINE}, MAIL_DOWN, 0, ""},
    {"that is busy", {"421 busy", FINE, FINE, GO_ON, FINE}, MAIL_DOWN, 0, ""},
    {"that does not let us write", {GREETING, "550 not you", FINE, GO_ON, FINE}, MAIL_DOWN, 0,
	"the mail server answered 550 to MAIL"},
};

static void
answers_of_all_sorts(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct watcher w = watcher();
		const char *why;

		server.answers = cases[i].answers;
		why = send_one(arena, &w);
		is_int(w.watch.end, cases[i].end, "a server %s", cases[i].says);
		is_int(w.handed, cases[i].handed, "... the letter is %s", cases[i].handed != 0
			? "handed over, once" : "not handed over");
		if (cases[i].why == NULL)
			ok(why == NULL, "... and nothing is to be said");
		else
			ok(why != NULL && str_starts(str_of(why), str_of(cases[i].why)), "... %s",
			    why != NULL ? why : "(no reason)");
		mail_hang_up(&w.watch);
	}
}

static void
in_order(struct arena *arena)
{
	struct watcher w = watcher();
	unsigned before, connections;

	server.answers = cases[0].answers;
	before = ends();
	connections = server.connections;
	(void)send_one(arena, &w);
	ok(w.ends_before == before && ends() == before + 1,
	    "a letter is handed over before its last byte is sent");
	ok(strstr(server.letter, "\r\n..\r\n...two\r\n") != NULL,
	    "lines that begin with a dot get another one");
	ok(strstr(server.letter, "\r\nMessage-ID: <letter@example.org>\r\n") != NULL,
	    "its Message-ID is what was said");
	ok(strstr(server.letter, "\r\nList-Unsubscribe: <https://example.org/unsubscribe/x>\r\n"
				 "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n") != NULL,
	    "... and so is what ends such letters");
	(void)send_one(arena, &w);
	is_int(w.watch.end, MAIL_SENT, "a second letter is sent");
	is_int(server.connections, connections + 1, "... by the same connection");
	w.refuses = true;
	before = ends();
	(void)send_one(arena, &w);
	is_int(w.watch.end, MAIL_STOPPED, "who watches refuses to hand it over");
	mail_hang_up(&w.watch);
	w = watcher();
	(void)send_one(arena, &w);
	is_int(ends(), before + 1, "... and the server never sees the end of it");
	mail_hang_up(&w.watch);
}

static void
is_stopped(struct arena *arena)
{
	struct watcher w = watcher();

	server.answers = (struct answers){.silent = true};
	w.stops = true;
	(void)send_one(arena, &w);
	is_int(w.watch.end, MAIL_STOPPED, "a server that says nothing is left when all is to stop");
	is_int(w.handed, 0, "... with nothing handed over");
	mail_hang_up(&w.watch);
}

static void
nobody_there(struct arena *arena)
{
	struct watcher w = watcher();

	shutdown(server.listener, SHUT_RDWR);
	close(server.listener);
	pthread_join(server.thread, NULL);
	(void)send_one(arena, &w);
	is_int(w.watch.end, MAIL_DOWN, "no server at all");
	mail_hang_up(&w.watch);
	mail_hang_up(&w.watch);
}

int
main(void)
{
	struct arena *arena = arena_new();

	if (!mail_available) {
		printf("1..0 # SKIP built without libcurl\n");
		return 0;
	}
	begin();
	answers_of_all_sorts(arena);
	in_order(arena);
	is_stopped(arena);
	nobody_there(arena);
	arena_free(arena);
	return tap_done();
}
