#ifndef MODEL_TEXT_RULE_H
#define MODEL_TEXT_RULE_H

#include "base/str.h"

struct arena;

/*
 * The rules for texts and addresses that people enter: one set for all ways in. Fields of forms,
 * keys of posts' files and attributes of items (model/bind.h) refer to them. An older text in the
 * table that breaks a rule is read so that a page can show it (text_shown()).
 */
enum text_rule {
	TEXT_ANY,
	TEXT_LINE,  /* one line: no control characters, and no bidi controls */
	TEXT_LINES, /* no control characters but tab and line feed */
	TEXT_LINK, /* an address that begins with http:// or https://, and a host without a user before it */
	TEXT_PICTURE,  /* one that begins with https://, or a path on this site */
	TEXT_AMOUNT,   /* of money: 12 or 12.50 */
	TEXT_CURRENCY, /* three capital letters */
	TEXT_COLOUR,   /* #1f4e79 */
	TEXT_SLUG,     /* model/slug.h */
	TEXT_RULES
};

/* Does a text keep a rule? The empty one keeps all. */
bool text_keeps(enum text_rule rule, struct str text);

/* What it wants: "one line of text without control characters". */
const char *text_wants(enum text_rule rule);

/*
 * A stored text as a page may show it: without the characters that break its rule, or, of an address that does, nothing.
 * In the arena where it is another text.
 */
struct str text_shown(struct arena *arena, enum text_rule rule, struct str text);

/* Has it a control character other than tab and line feed? */
bool text_has_control(struct str text);

/*
 * Has it a bidi control that affects the text after it on a page? U+200E and U+200F, which affect
 * only neighbouring characters, don't.
 */
bool text_turns(struct str text);

/*
 * Is it an address on this site, path and all, that a redirect or a picture may have? It begins with one slash and has
 * nothing in it by which a browser would take it for another host's, or another header.
 */
bool url_is_local(struct str address);

/*
 * May a page show a picture of another site that has this address? Only over https: browsers load no other, for
 * the Content-Security-Policy of every page says so (web/http/response.c). It need not be a good address otherwise.
 */
bool url_shows_picture(struct str address);

#endif
