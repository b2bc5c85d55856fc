/*
 * Letters at once: that somebody has answered or named one. Each follows from a notification (derive/tell.c); of one thread at
 * most one is sent in a quarter of an hour, with all that has come meanwhile. What one has read on the site by then, or does
 * not want by mail, is not sent.
 *
 * The thing of such a letter is "<post>#<root of the thread, or nothing>#<place of the notification>".
 */
#include "derive/letters.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_notification.h"
#include "model/people/notification.h"
#include "model/post/post.h"
#include "model/reader/comment.h"
#include "model/reader/follow.h"
#include "model/viewer.h"
#include "text/url.h"

enum {
	TOLD_MAX = 20,     /* in one letter */
	LETTERS_READ = 100,
	TEXT_MAX = 2000,   /* bytes of what was said */
	QUARTER_MS = 15 * 60 * 1000,
};

/* What a letter is about, and who reads it. */
struct telling {
	struct str username, post_id, thread; /* thread: the beginning of the things of its letters */
	struct viewer viewer;
	struct note_settings settings;
	struct post post;
	struct notification notes[TOLD_MAX];
	struct comment comments[TOLD_MAX]; /* empty: of a mention in the post itself */
	size_t count;
};

struct str
letter_note_thing(struct arena *arena, struct str post, struct str comment, struct str place)
{
	return STR_CONCAT(arena, post, STR("#"), comment_path_root(comment), STR("#"), place);
}

static struct str
place_of(const struct letter *letter)
{
	struct str rest;

	str_cut(letter->thing, '#', &rest);
	str_cut(rest, '#', &rest);
	return rest;
}

/* --- Reading ----------------------------------------------------------------------------------------- */

/* *may: they are there, have an address, and may read the post. */
static enum table_rc
read_person(struct letter_writing *w, struct telling *t, bool *may_read)
{
	struct arena *arena = w->call->arena;
	struct read reads[] = {viewer_read(arena, t->username),
	    {.kind = READ_GET, .key = key_note_settings(arena, t->username), .consistent = true},
	    {.kind = READ_GET, .key = key_post(arena, t->post_id), .consistent = true}};
	struct read follow;
	enum table_rc rc = table_read(w->table, w->call, reads, 3);

	*may_read = false;
	if (rc != TABLE_OK || reads[2].item == NULL ||
	    !viewer_take(arena, &reads[0], &t->viewer) || !letter_address(w, &t->viewer.user))
		return rc;
	note_settings_from_item(reads[1].item, &t->settings);
	post_from_item(arena, reads[2].item, &t->post);
	follow = follow_read(arena, t->username, t->post.author);
	rc = table_read(w->table, w->call, &follow, 1);
	*may_read = rc == TABLE_OK &&
		    may(&t->viewer, MAY_READ,
			thing_followed(
			    thing_post(&t->post, clock_now(w->clock)), follow_holds(&follow)));
	return rc;
}

/* Adds what waits of the same thread. *last: when the last letter about it was sent. */
static enum table_rc
gather(struct letter_writing *w, const struct telling *t, int64_t *last)
{
	struct letter *all;
	size_t count;
	enum table_rc rc = outbox_of(w->table, w->call, w->letters[0].to, w->letters[0].what,
	    t->thread, LETTERS_READ, &all, &count);

	*last = 0;
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		if (all[i].status != LETTER_WAITING && all[i].handed > *last)
			*last = all[i].handed;
		if (all[i].status == LETTER_WAITING && w->count < TOLD_MAX &&
		    !str_eq(all[i].thing, w->letters[0].thing))
			w->letters[w->count++] = all[i];
	}
	return rc;
}

static bool
is_told(struct letter_writing *w, const struct telling *t, const struct notification *note)
{
	return (t->settings.mail & 1U << note->what) != 0 &&
	       note_actors(w->call->arena, note, &t->viewer.hidden).count != 0 &&
	       note_is_unread(note, t->viewer.messages.seen);
}

/* The notifications of these letters, and the comments that they are about, as far as both are to be told. */
static enum table_rc
read_notes(struct letter_writing *w, struct telling *t)
{
	struct arena *arena = w->call->arena;
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < w->count; i++) {
		struct read note = {.kind = READ_GET,
		    .consistent = true,
		    .key = key_note(arena, t->username, place_of(&w->letters[i]))};
		struct read comment = {.kind = READ_GET, .consistent = true};

		rc = table_read(w->table, w->call, &note, 1);
		if (rc != TABLE_OK || note.item == NULL)
			continue;
		note_from_item(arena, note.item, &t->notes[t->count]);
		if (!is_told(w, t, &t->notes[t->count]))
			continue;
		t->comments[t->count] = (struct comment){.path = STR("")};
		if (t->notes[t->count].comment.len != 0) {
			comment.key = key_comment(arena, t->post_id, t->notes[t->count].comment);
			rc = table_read(w->table, w->call, &comment, 1);
			if (rc != TABLE_OK || comment.item == NULL)
				continue;
			comment_from_item(arena, comment.item, &t->comments[t->count]);
			if (t->comments[t->count].status != COMMENT_VISIBLE)
				continue;
		}
		t->count++;
	}
	return rc;
}

/* --- Writing ----------------------------------------------------------------------------------------- */

/* Each line behind a ">". */
static void
put_quote(struct buf *text, struct str said)
{
	bool cut = said.len > TEXT_MAX;
	size_t at = 0, next = 0;
	struct str rest;

	while (cut && next <= TEXT_MAX) {
		at = next;
		(void)str_rune(said, &next);
	}
	rest = cut ? str_sub(said, 0, at) : said;
	while (rest.len != 0) {
		struct str line = str_cut(rest, '\n', &rest);

		buf_fmt(text, "> %.*s%s\n", STR_ARGS(line), rest.len == 0 && cut ? " …" : "");
	}
}

static const char *
did(enum note_what what)
{
	return what == NOTE_REPLY ? "replied to you" : "named you";
}

static struct str
title_of(const struct post *post)
{
	return post->title.len != 0 ? post->title : STR("a note");
}

static struct str
url_of(struct letter_writing *w, const struct telling *t, const struct comment *comment)
{
	struct arena *arena = w->call->arena;

	if (comment->id.len == 0)
		return letter_post_url(w, &t->post);
	return url_join(arena, STR_CONCAT(arena, w->site, STR("/comment/")), comment->id);
}

static struct str
name_of(const struct telling *t, size_t i)
{
	return t->comments[i].id.len != 0 ? t->comments[i].author_name : t->post.author_name;
}

static void
put_note(struct letter_writing *w, struct buf *text, const struct telling *t, size_t i)
{
	const struct comment *comment = &t->comments[i];

	buf_fmt(text, "\n%.*s %s in “%.*s”:\n", STR_ARGS(name_of(t, i)),
	    did(t->notes[i].what), STR_ARGS(title_of(&t->post)));
	if (comment->id.len != 0) {
		BUF_PUT(text, "\n");
		put_quote(text, comment->markdown);
	}
	buf_fmt(text, "\n%.*s\n", STR_ARGS(url_of(w, t, comment)));
}

static void
write_notes(struct letter_writing *w, const struct telling *t)
{
	struct arena *arena = w->call->arena;
	struct buf text = {.arena = arena};

	buf_fmt(&text, "Hello %.*s,\n", STR_ARGS(t->viewer.user.display_name));
	for (size_t i = 0; i < t->count; i++)
		put_note(w, &text, t, i);
	w->mail.subject =
	    t->count == 1
		? str_fmt(arena, "%.*s %s in “%.*s”", STR_ARGS(name_of(t, 0)), did(t->notes[0].what),
		      STR_ARGS(title_of(&t->post)))
		: str_fmt(arena, "%zu answers in “%.*s”", t->count, STR_ARGS(title_of(&t->post)));
	letter_sign(w, &text, &t->viewer.user, UNSUBSCRIBE_ANSWERS,
	    str_fmt(arena,
		"You get this from %.*s because somebody has answered or named you there. This ends "
		"such letters:",
		STR_ARGS(w->settings->name))
		.base);
}

static enum table_rc
write(struct letter_writing *w)
{
	struct telling *t = ARENA_NEW(w->call->arena, struct telling);
	struct str rest;
	int64_t last, now = clock_now(w->clock);
	bool may_read;
	enum table_rc rc;

	t->username = letter_member(&w->letters[0]);
	t->post_id = str_cut(w->letters[0].thing, '#', &rest);
	t->thread = str_sub(
	    w->letters[0].thing, 0, w->letters[0].thing.len - place_of(&w->letters[0]).len);
	rc = read_person(w, t, &may_read);
	if (rc != TABLE_OK || !may_read)
		return rc;
	/* First itself: what is not to be told need not wait. */
	rc = read_notes(w, t);
	if (rc != TABLE_OK || t->count == 0)
		return rc;
	rc = gather(w, t, &last);
	if (rc != TABLE_OK)
		return rc;
	if (last + QUARTER_MS > now) {
		w->count = 1;
		w->later = last + QUARTER_MS;
		w->outcome = LETTER_POSTPONED;
		return TABLE_OK;
	}
	t->count = 0;
	rc = read_notes(w, t);
	if (rc == TABLE_OK && t->count != 0)
		write_notes(w, t);
	return rc;
}

const struct letter_kind letter_note = {STR_INIT("note"), write};
