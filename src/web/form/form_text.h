#ifndef WEB_FORM_FORM_TEXT_H
#define WEB_FORM_FORM_TEXT_H

#include "base/str.h"

struct arena;

/*
 * Pure functions on input text: the formats that fields require. None allocates except those with
 * an arena.
 */

/* CRLF and a lone CR into LF; the text itself when it has no CR. */
struct str text_lines(struct arena *arena, struct str text);

/*
 * Does it have anything visible? White space of any kind, joiners and marks of direction are not.
 */
bool text_is_seen(struct str text);

/* Without leading line breaks and trailing white space; the first line's indent stays. */
struct str text_trim_lines(struct str text);

/* How many code points well-formed UTF-8 has. */
int64_t text_length(struct str text);

/* [a-z0-9_]+ */
bool text_is_name(struct str text);

#endif
