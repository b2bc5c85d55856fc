/*
 * The store of pictures when its program, its folder or its table fails, when a picture is deleted,
 * and when many come at once: answers are true, and nothing is left half done.
 */
#include "lib/failing_table.h"
#include "lib/picture.h"
#include "media_place.h"

#include "model/key.h"
#include "model/post/media.h"

#include <pthread.h>
#include <stdatomic.h>

static const unsigned char picture_key[MEDIA_KEY_BYTES] = "a key";

static enum table_rc
take_away(struct place *p, const struct media *media)
{
	struct plan plan = {.table = p->table, .call = &p->call};

	return media_store_remove(p->store, &plan, media);
}

/* --- When something is broken ------------------------------------------------------------------------- */

static struct str
program_path(struct place *p)
{
	return str_fmt(p->arena, "%s/program", p->sqlite.folder);
}

/* A program of these lines of a shell, in the place of the real one. */
static void
program(struct place *p, const char *lines)
{
	FILE *script = fopen(program_path(p).base, "w");

	fprintf(script, "#!/bin/sh\n%s\n", lines);
	fchmod(fileno(script), 0755);
	fclose(script);
}

static void
other_programs(struct place *p)
{
	static const struct {
		const char *says, *script;
		enum media_rc rc;
		int64_t timeout_ms;
	} table[] = {
	    {"a program that finds the disk full", "echo half >&3; exit 11", MEDIA_NO_ROOM},
	    {"a program that calls it damaged", "exit 10", MEDIA_DAMAGED},
	    {"a program that falls over", "echo half >&3; kill -SEGV $$", MEDIA_TOO_MUCH_WORK},
	    {"a program that never ends", "echo half >&3; while :; do :; done", MEDIA_TOO_MUCH_WORK,
		.timeout_ms = 2000},
	    {"a program that is wrong", "exit 1", MEDIA_BROKEN},
	    {"a program that makes nothing", "exit 0", MEDIA_BROKEN},
	    {"a program that sees more than it should",
		"test ! -e /proc/self/fd/4 -a -z \"$HOME\" -a -z \"$(env | grep -v -e PWD -e SHLVL "
		"-e _=)\" || exit 10; "
		"exit 11",
		MEDIA_NO_ROOM},
	};
	struct str path = program_path(p);
	struct str png = picture_png(p->arena, 30, 20, 5);

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		program(p, table[i].script);
		reopen(p, path.base, table[i].timeout_ms);
		ok(media_store_ready(p->store), "there is a program");
		refused(p, table[i].says, png, table[i].rc);
	}
	unlink(path.base);
	ok(!media_store_ready(p->store), "without the program nothing is taken");
	refused(p, "... and whoever tries is told", png, MEDIA_BROKEN);
	reopen(p, p->program, 0);
}

static void
no_directory(struct place *p)
{
	struct str png = picture_png(p->arena, 30, 20, 6);
	struct media media;

	clear(p);
	rmdir(p->media);
	is_int(add(p, png, &media), MEDIA_BROKEN, "a directory that is gone");
	reopen(p, p->program, 0);
	is_int(add(p, png, &media), MEDIA_DONE, "... is made at the next start");
}

static void
table_fails(struct place *p)
{
	struct failing_table failing;
	struct table *real = p->table;
	struct str png = picture_png(p->arena, 30, 20, 7);
	struct media media;

	failing_table_begin(&failing, real);
	p->table = &failing.table;
	for (unsigned n = 1; n <= 2; n++) {
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		refused(p, n == 1 ? "a table that can't be read" : "a table that can't be written",
		    png, MEDIA_TABLE);
	}
	failing_table_arm(&failing, 0, TABLE_OK);
	is_int(add(p, png, &media), MEDIA_DONE, "... and then can");
	failing_table_arm(&failing, 1, TABLE_UNAVAILABLE);
	is_int(take_away(p, &media), TABLE_UNAVAILABLE, "a picture that can't be deleted");
	is_int((int64_t)files(p), 1, "... keeps its file");
	p->table = real;
}

static void
deleted(struct place *p)
{
	struct str png = picture_png(p->arena, 2000, 20, 8);
	struct item *item = NULL;
	struct media media;

	clear(p);
	add(p, png, &media);
	is_int((int64_t)files(p), 3, "a picture");
	is_int(take_away(p, &media), TABLE_OK, "is deleted");
	is_int((int64_t)files(p), 0, "... with all its files");
	table_get(p->table, &p->call, key_media(p->arena, media.hash), &item);
	ok(item == NULL, "... and its item");
	is_int(take_away(p, &media), TABLE_OK, "... which is no harm when it was gone");
	is_int(add(p, png, &media), MEDIA_DONE, "... and it can come again");
	clear(p);
	is_int(add(p, png, &media), MEDIA_DONE, "one whose files are lost");
	is_int((int64_t)files(p), 3, "... gets them again when it is sent again");
}

/* What one person's pictures may take together; what was there before anybody counted is in it. */
static void
bounded(struct place *p)
{
	struct media first, second,
	    old = {.hash = STR("0123456789abcdef0123456789abcdef"),
		.owner = STR("lowri"),
		.bytes = 5000};
	struct media_upload upload = {.owner = STR("lowri"),
	    .key = picture_key,
	    .name = STR("a.png"),
	    .bytes = picture_png(p->arena, 60, 60, 3),
	    .now = NOW};
	struct write put = media_put(p->arena, &old);
	struct item *item = NULL;
	enum table_rc failed;
	size_t before;

	clear(p);
	table_write(p->table, &p->call, &put);
	is_int(media_store_add(p->store, p->table, &p->call, &upload, &first, &failed), MEDIA_DONE,
	    "without a limit a picture is taken");
	table_get(p->table, &p->call, media_quota_key(p->arena, STR("lowri")), &item);
	is_int(media_quota_from_item(p->arena, item).bytes, 5000 + first.bytes,
	    "... and counted, with what was there before");
	before = files(p);
	upload.bytes = picture_png(p->arena, 61, 60, 4);
	upload.most = 5000 + first.bytes + 1;
	is_int(media_store_add(p->store, p->table, &p->call, &upload, &second, &failed), MEDIA_FULL,
	    "one that does not fit any more is not");
	is_int((int64_t)files(p), (int64_t)before, "... and nothing is left of it");
	upload.most = 100;
	is_int(media_store_add(p->store, p->table, &p->call, &upload, &second, &failed), MEDIA_FULL,
	    "nor where there is no room at all");
	take_away(p, &first);
	upload.most = 5000 + first.bytes + 1;
	is_int(media_store_add(p->store, p->table, &p->call, &upload, &second, &failed), MEDIA_DONE,
	    "where another was deleted there is room again");
	table_get(p->table, &p->call, media_quota_key(p->arena, STR("lowri")), &item);
	is_int(media_quota_from_item(p->arena, item).bytes, 5000 + second.bytes,
	    "... and the counter is what is there");
	upload.most = 1;
	is_int(media_store_add(p->store, p->table, &p->call, &upload, &second, &failed), MEDIA_DONE,
	    "the same picture again takes no room");
	take_away(p, &second);
	take_away(p, &second);
	table_get(p->table, &p->call, media_quota_key(p->arena, STR("lowri")), &item);
	is_int(media_quota_from_item(p->arena, item).bytes, 5000,
	    "one that is gone is not counted twice");
}

/* --- At once ------------------------------------------------------------------------------------------ */

enum { CROWD = 8 };

struct sender {
	struct place *place;
	const char *who;
	unsigned number;
	pthread_t thread;
	atomic_size_t *refused; /* how many were, so far */
	enum media_rc rc;
};

static void *
send(void *data)
{
	struct sender *s = data;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct media media;
	enum table_rc failed;
	/* Every other one sends the same picture. */
	struct str png = picture_png(arena, 900, 900, (char)(s->number % 2 ? s->number : 99));
	const struct media_upload upload = {.key = picture_key,
	    .owner = str_of(s->who),
	    .name = STR("a.png"),
	    .bytes = png,
	    .now = NOW};

	s->rc = media_store_add(s->place->store, s->place->table, &call, &upload, &media, &failed);
	if (s->rc == MEDIA_BUSY)
		atomic_fetch_add(s->refused, 1);
	table_release(s->place->table, &call);
	arena_free(arena);
	return NULL;
}

static void
send_all(
    struct place *p, const char *who, atomic_size_t *refused, struct sender *senders, size_t count)
{
	for (unsigned i = 0; i < count; i++) {
		senders[i] =
		    (struct sender){.place = p, .who = who, .number = i, .refused = refused};
		pthread_create(&senders[i].thread, NULL, send, &senders[i]);
	}
}

static void
at_once(struct place *p)
{
	struct sender senders[CROWD];
	size_t done = 0, busy = 0;
	atomic_size_t refused = 0;

	clear(p);
	send_all(p, "noor", &refused, senders, CROWD);
	for (unsigned i = 0; i < CROWD; i++) {
		pthread_join(senders[i].thread, NULL);
		done += senders[i].rc == MEDIA_DONE;
		busy += senders[i].rc == MEDIA_BUSY;
	}
	ok(done >= 1 && done + busy == CROWD,
	    "of many at once, each is taken or told to come again");
	ok(files(p) % 2 == 0 && files(p) != 0, "... and nothing is left half made");
}

/* While one sends all that they can, the others' pictures are taken. */
static void
flooded(struct place *p)
{
	enum { OTHERS = 3 };
	static const char *const others[OTHERS] = {"lowri", "kofi", "ingrid"};
	struct str go = str_fmt(p->arena, "%s/go", p->sqlite.folder);
	struct sender flood[CROWD], own[OTHERS];
	atomic_size_t refused = 0, none = 0;

	clear(p);
	program(p, str_fmt(p->arena,
		       "while [ ! -e %.*s ]; do sleep 0.01; done\n"
		       "echo picture >&3; echo picture >&4",
		       STR_ARGS(go))
		       .base);
	reopen(p, program_path(p).base, 0);
	send_all(p, "noor", &refused, flood, CROWD);
	while (atomic_load(&refused) < CROWD - 2)
		usleep(1000);
	for (size_t i = 0; i < OTHERS; i++)
		send_all(p, others[i], &none, &own[i], 1);
	fclose(fopen(go.base, "w"));
	for (size_t i = 0; i < CROWD; i++)
		pthread_join(flood[i].thread, NULL);
	is_int((int64_t)atomic_load(&refused), CROWD - 2,
	    "of one person's many, one is in work and one waits");
	for (size_t i = 0; i < OTHERS; i++) {
		pthread_join(own[i].thread, NULL);
		is_int(own[i].rc, MEDIA_DONE, "... and %s's is taken", others[i]);
	}
	unlink(go.base);
	unlink(program_path(p).base);
	reopen(p, p->program, 0);
}

int
main(void)
{
	struct place p;

	place_open(&p);
	other_programs(&p);
	no_directory(&p);
	table_fails(&p);
	deleted(&p);
	bounded(&p);
	at_once(&p);
	flooded(&p);
	place_close(&p);
	return tap_done();
}
