#ifndef TEXT_FRONT_MATTER_H
#define TEXT_FRONT_MATTER_H

#include "base/buf.h"

/*
 * A text file that begins with what is known of it, between two lines "---", in a small part of YAML
 * (docs/posts.md tells which part):
 *
 *	---
 *	title: "Bread: a beginning"
 *	tags: [bread, flour]
 *	materials:
 *	  - name: Flour
 *	    amount: 500 g
 *	excerpt: |-
 *	  Two lines
 *	  of text
 *	---
 *
 *	The text itself.
 *
 * A value is a text, a list or a map, in each other to FRONT_DEPTH; what a text means (a number, a time)
 * is its reader's affair. What YAML has besides is refused, never misread.
 */
enum { FRONT_DEPTH = 8 };

enum front_kind { FRONT_TEXT, FRONT_LIST, FRONT_MAP };

struct front_entry;

struct front_value {
	enum front_kind kind;
	uint32_t line; /* from 1 */
	struct str text;
	struct front_entry *entries; /* of a list or map */
	size_t count;
};

struct front_entry {
	struct str key; /* of a map's: letters, digits, "_" and "-"; no key twice */
	uint32_t line;
	struct front_value value;
};

struct front_matter {
	struct front_value map;
	struct str
	    text; /* behind the second "---", without an empty line there and the last line end */
};

/* Why a file can't be read: a phrase for people, in the arena or static. */
struct front_fault {
	uint32_t line;
	struct str why;
};

/*
 * Reads a file. A byte order mark is skipped, and CRLF is a line end. False for what is not of this form,
 * or not UTF-8, with *fault. All is in the arena or points into `file`.
 */
bool front_matter_read(
    struct arena *arena, struct str file, struct front_matter *out, struct front_fault *fault);

/* The value of a key, or NULL. */
const struct front_value *front_find(const struct front_value *map, struct str key);

/* --- Writing: what front_matter_read() reads back as it was, whatever is in it -------------------- */

void front_begin(struct buf *out);
/* "key: text": plain, quoted, or as a block of lines, whatever it takes. `indent` spaces before it. */
void front_put_text(struct buf *out, size_t indent, struct str key, struct str text);
/* "key: [a, b]" */
void front_put_texts(struct buf *out, struct str key, const struct str *texts, size_t count);
/* "key:", before a list or map on lines of its own. */
void front_put_key(struct buf *out, struct str key);
/* "- key: text", the first of a map in a list; others follow with front_put_text(), `indent` + 2. */
void front_put_first(struct buf *out, size_t indent, struct str key, struct str text);
/* "- text" */
void front_put_item(struct buf *out, size_t indent, struct str text);
/* Can it be the text behind the front matter? One with a CR can't: it would be taken for a line end's. */
bool front_text_fits(struct str text);
/* Ends it with the text. */
void front_end(struct buf *out, struct str text);

#endif
