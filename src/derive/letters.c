#include "derive/letters.h"

#include "base/arena.h"
#include "base/buf.h"
#include "model/post/post.h"
#include "text/url.h"

enum { TITLE_MAX = 120 }; /* bytes, of what has no title */

static const struct letter_kind *const kinds[] = {
    &letter_note,
    &letter_week,
    &letter_subscriber_post,
    &letter_subscriber_week,
};

const struct letter_kind *
letter_kind_find(struct str what)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_eq(kinds[i]->what, what))
			return kinds[i];
	return NULL;
}

/* --- What they have in common ------------------------------------------------------------------------ */

struct str
letter_to_member(struct arena *arena, struct str username)
{
	return STR_CONCAT(arena, STR("U"), username);
}

struct str
letter_member(const struct letter *letter)
{
	return str_starts(letter->to, STR("U")) ? str_sub(letter->to, 1, letter->to.len) : STR("");
}

bool
letter_is_subscribers(const struct letter *letter)
{
	return str_starts(letter->to, STR("S"));
}

bool
letter_address(struct letter_writing *w, const struct user *user)
{
	w->mail.to = user->email;
	return user->status == USER_ACTIVE && user->email.len != 0;
}

struct str
letter_post_url(struct letter_writing *w, const struct post *post)
{
	return url_join(
	    w->call->arena, STR_CONCAT(w->call->arena, w->site, STR("/post/")), post->slug);
}

struct str
letter_cut(struct arena *arena, struct str text, size_t max)
{
	size_t at = 0, next = 0;

	while (next < text.len && next <= max) {
		at = next;
		(void)str_rune(text, &next);
	}
	return next <= max ? text : STR_CONCAT(arena, str_sub(text, 0, at), STR("…"));
}

struct str
letter_post_title(struct arena *arena, const struct post *post)
{
	struct str rest, line;

	if (post->title.len != 0)
		return post->title;
	line = str_cut(post->excerpt, '\n', &rest);
	return line.len != 0 ? letter_cut(arena, line, TITLE_MAX)
			     : STR_CONCAT(arena, STR("A note by "), post->author_name);
}

struct str
letter_byline(struct arena *arena, const struct post *post)
{
	struct str names = STR_CONCAT(arena, STR("by "), post->author_name);

	for (size_t i = 0; i < post->other_count; i++)
		names = STR_CONCAT(arena, names,
		    i + 1 == post->other_count ? STR(" and ") : STR(", "), post->others[i].name);
	return names;
}

void
letter_put_post(struct letter_writing *w, struct buf *text, const struct post *post)
{
	buf_fmt(text, "\n%.*s\n%.*s\n%.*s\n", STR_ARGS(letter_post_title(w->call->arena, post)),
	    STR_ARGS(letter_byline(w->call->arena, post)), STR_ARGS(letter_post_url(w, post)));
}

void
letter_sign(struct letter_writing *w, struct buf *text, const struct user *user,
    enum unsubscribe what, const char *why)
{
	struct arena *arena = w->call->arena;

	w->mail.unsubscribe = STR_CONCAT(arena, w->site, STR("/letters/"),
	    unsubscribe_token(arena, w->clock, w->keys, user->username, what));
	buf_fmt(text, "\n-- \n%s\n%.*s\n", why, STR_ARGS(w->mail.unsubscribe));
	w->mail.text = buf_str(text);
	w->outcome = LETTER_WRITTEN;
}
