#ifndef WEB_FORM_FORM_TEXT_H
#define WEB_FORM_FORM_TEXT_H

#include "base/str.h"

struct arena;

/*
 * Pure functions on typed-in text: the shapes that fields ask for. None allocates but where it has
 * an arena.
 */

/* CRLF and a lone CR into LF; the text itself when it has no CR. */
struct str text_lines(struct arena *arena, struct str text);

/* Is there anything in it that one can see? White space of any kind and what only joins or turns letters is nothing. */
bool text_is_seen(struct str text);

/* Without line ends before it and white space behind it; the first line's indent stays. */
struct str text_trim_lines(struct str text);

/* How many code points well-formed UTF-8 has. */
int64_t text_length(struct str text);

/* [a-z0-9_]+ */
bool text_is_name(struct str text);

#endif
