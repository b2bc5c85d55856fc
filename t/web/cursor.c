/* Cursors as browsers see them. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "text/url.h"
#include "web/http/cursor.h"

#include <sodium.h>

static const unsigned char key[CURSOR_KEY_BYTES] = "a key of thirty-two bytes, 01234";
static const unsigned char other_key[CURSOR_KEY_BYTES] = "a key of thirty-two bytes, 01235";

static void
comes_back(struct arena *arena)
{
	struct clock clock = clock_fixed(0, 7);
	unsigned wrong = 0, odd = 0;

	for (size_t len = 1; len < 400; len++) {
		char *bytes = arena_alloc(arena, len);
		struct str text, back, encoded;
		struct buf out = {.arena = arena};

		clock.random(&clock, bytes, len);
		text = cursor_seal(arena, key, STR("posts"), (struct str){bytes, len});
		wrong += !cursor_open(arena, key, STR("posts"), text, &back) ||
			 !str_eq(back, (struct str){bytes, len});
		url_put_query(&out, text);
		encoded = buf_str(&out);
		odd += !str_eq(encoded, text);
	}
	is_int(wrong, 0, "a cursor of any bytes comes back");
	is_int(odd, 0, "and needs no encoding in an address");
}

static void
is_refused(struct arena *arena)
{
	struct str text = cursor_seal(arena, key, STR("category:books"), STR("2026#x")),
		   out = STR("?");
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \n%";
	unsigned taken = 0;

	for (size_t i = 0; i < text.len; i++)
		for (const char *d = digits; *d != '\0'; d++) {
			struct str copy = str_dup(arena, text);

			if (copy.base[i] == *d)
				continue;
			((char *)(uintptr_t)copy.base)[i] = *d;
			taken += cursor_open(arena, key, STR("category:books"), copy, &out);
		}
	is_int(taken, 0, "no change of one character is taken");
	for (size_t len = 1; len < text.len; len++)
		taken +=
		    cursor_open(arena, key, STR("category:books"), str_sub(text, 0, len), &out) +
		    cursor_open(
			arena, key, STR("category:books"), str_sub(text, len, text.len), &out);
	is_int(taken, 0, "no part of one is taken");
	ok(!cursor_open(arena, key, STR("category:book"), STR_CONCAT(arena, text), &out),
	    "another list's cursor is refused");
	ok(!cursor_open(arena, other_key, STR("category:books"), text, &out),
	    "another key's cursor is refused");
	ok(!cursor_open(arena, key, STR("category:books"), STR_CONCAT(arena, text, STR("A")), &out),
	    "one with more behind it is refused");
	is_str(out, STR("?"), "and nothing is given out");
	/*
	 * Context and cursor are hashed one after the other: a shift between them must be detected.
	 */
	text = cursor_seal(arena, key, STR("ab"), STR("cd"));
	ok(!cursor_open(arena, key, STR("abc"), text, &out), "the context's end is fixed");
}

int
main(void)
{
	struct arena *arena = arena_new();
	struct str out = STR("?");

	if (sodium_init() < 0)
		bail_out("libsodium can't start");
	comes_back(arena);
	is_refused(arena);
	is_str(
	    cursor_seal(arena, key, STR("x"), STR("")), STR(""), "the end of a list has no cursor");
	ok(cursor_open(arena, key, STR("x"), STR(""), &out) && out.len == 0,
	    "no cursor is the start of a list");
	arena_free(arena);
	return tap_done();
}
