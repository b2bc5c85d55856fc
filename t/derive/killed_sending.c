/*
 * Letters to a real mail server by senders that are killed again and again, wherever they are: each letter arrives once. But
 * for those of which a sender was killed between their last byte and the server's answer, which are noted as unsure: these
 * arrive once or not at all.
 *
 * The senders are processes of their own: this program, called with the name of the table.
 */
#include "lib/mail_server.h"
#include "worker.h"

#include "base/log.h"
#include "derive/letters.h"
#include "derive/sender.h"
#include "model/key_outbox.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LETTERS = 600, KILLS = 120, LIVES_US = 150 * 1000, LATER_MS = 2 * 60 * 1000 };

static const struct log quiet = {.fd = -1, .level = LOG_ERROR};

static struct sender *
sender_of(struct arena *arena, struct table *table, const char *port)
{
	static struct mail_transport transport;
	static const struct secrets secrets = {.count = 1};

	transport = (struct mail_transport){.send = mail_smtp,
	    .url = str_fmt(arena, "smtp://127.0.0.1:%s", port),
	    .from = STR("desk@slack.example"),
	    .user = STR(""),
	    .password = STR("")};
	return sender_start(&(struct sender_options){.table = table,
	    .log = &quiet,
	    .transport = &transport,
	    .secrets = &secrets,
	    .site = SEEDED_ORIGIN,
	    .idle_ms = 1});
}

/* A sender in a process of its own, until it is killed: folder and name of the store, port, time, and chance. */
static _Noreturn void
child(char **argv)
{
	struct arena *arena = arena_new();
	struct clock clock = clock_fixed(atoll(argv[4]), (uint64_t)atoll(argv[5]));
	struct test_store store = {.name = ""};

	snprintf(store.folder, sizeof(store.folder), "%s", argv[1]);
	snprintf(store.name, sizeof(store.name), "%s", argv[2]);
	(void)sender_of(arena, test_store_again(&store, &clock), argv[3]);
	for (;;)
		pause();
}

static pid_t
start(struct seeded *s, const char *program, const struct mail_server *server, unsigned number)
{
	char *const argv[] = {str_cstring(s->arena, str_of(program)), s->store.folder, s->store.name,
	    str_cstring(s->arena, str_fmt(s->arena, "%u", server->port)),
	    str_cstring(s->arena, str_fmt(s->arena, "%lld", (long long)s->clock.fixed_now)),
	    str_cstring(s->arena, str_fmt(s->arena, "%u", number + 2)), NULL};
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	return pid;
}

static void
end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static struct letter
letter_of(struct seeded *s, int n)
{
	return (struct letter){.to = STR("Unoor"),
	    .what = STR("week"),
	    .thing = str_fmt(s->arena, "%03d", n),
	    .made = clock_now(&s->clock)};
}

static void
add(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct letter letters[LETTERS];
	size_t added;

	for (int i = 0; i < LETTERS; i++)
		letters[i] = letter_of(s, i);
	if (outbox_add(s->table, &call, letters, LETTERS, clock_now(&s->clock), false, &added) !=
		TABLE_OK || added != LETTERS)
		bail_out("letters are not added");
}

static size_t
waiting(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct query query = query_outbox();
	struct item *found;
	struct str next;
	size_t count;

	query.limit = TABLE_QUERY_MAX;
	if (table_query(s->table, &call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("the outbox can't be read");
	return count;
}

/* How often a letter has arrived. */
static size_t
arrived(const struct str *letters, size_t count, struct str id)
{
	size_t times = 0;

	for (size_t i = 0; i < count; i++)
		times += str_eq(part(letters[i], "Message-ID: <", "@"), id);
	return times;
}

static void
compare(struct seeded *s, const struct mail_server *server)
{
	struct table_call call = {.arena = s->arena};
	struct str *letters;
	size_t taken = mail_server_letters(server, s->arena, &letters);
	unsigned twice = 0, lost = 0, sent = 0, unsure = 0, unsure_there = 0;

	for (int i = 0; i < LETTERS; i++) {
		struct letter letter = letter_of(s, i);
		struct item *item;
		size_t times = arrived(letters, taken, letter_id(s->arena, &letter));

		if (table_get(s->table, &call,
			key_letter(s->arena, letter.to, letter.what, letter.thing), &item) != TABLE_OK)
			bail_out("a letter is not there");
		bind_read(s->arena, &letter_bindings, item, &letter);
		twice += times > 1;
		lost += letter.status != LETTER_UNSURE && times == 0;
		sent += letter.status == LETTER_SENT;
		unsure += letter.status == LETTER_UNSURE;
		unsure_there += letter.status == LETTER_UNSURE && times == 1;
	}
	is_int(twice, 0, "no letter arrived twice");
	is_int(lost, 0, "none was lost that is not noted as unsure");
	is_int((int64_t)sent + unsure, LETTERS, "all are sent, or unsure");
	printf("# of %d letters %u are unsure, of which %u arrived; %d kills\n", LETTERS, unsure,
	    unsure_there, KILLS);
	ok(sent > LETTERS / 4, "... and many are sent (%u)", sent);
}

int
main(int argc, char **argv)
{
	struct mail_server server;
	struct seeded s;
	pid_t pid;

	if (argc > 1)
		child(argv);
	if (!mail_available || !mail_server_start(&server)) {
		printf("1..0 # SKIP there is no mail server (python3-aiosmtpd)\n");
		return 0;
	}
	seeded_open(&s);
	worker_begins(&s);
	add(&s);
	srand(1);
	for (unsigned i = 0; i < KILLS && waiting(&s) != 0; i++) {
		pid = start(&s, argv[0], &server, i);
		usleep((useconds_t)(rand() % LIVES_US));
		end(pid);
		/* The lease of the one that was killed is over. */
		s.clock.fixed_now += LATER_MS;
	}
	s.clock.fixed_now += LETTER_ANSWER_MS;
	pid = start(&s, argv[0], &server, KILLS);
	while (waiting(&s) != 0)
		usleep(LIVES_US);
	end(pid);
	compare(&s, &server);
	seeded_close(&s);
	mail_server_stop(&server);
	return tap_done();
}
