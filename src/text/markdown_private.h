#ifndef TEXT_MARKDOWN_PRIVATE_H
#define TEXT_MARKDOWN_PRIVATE_H

#include "base/buf.h"
#include "text/markdown.h"

#include <cmark.h>

/* What the files of the renderer share. Nobody else includes this. */

enum {
	CONTENTS_MAX = 200, /* headings in a table of contents; more have an id but no entry */
	DEPTH_MAX = 32, /* elements within each other in the HTML; what is deeper loses its mark */
	LANGUAGE_MAX = 32,   /* bytes in the name of a code block's language */
	SLUGS_MAX = 2000,    /* headings with an id; more have none */
	SLUG_RUNES_MAX = 60, /* characters of a heading's id behind its prefix */
};

/* --- markdown_guard.c: what cmark is given --- */

/*
 * A mark of the guard's, which no text has: behind what means nothing here but itself, since a backslash was before it, and
 * before the colon of a note, which else would be a reference of cmark's. U+FDD0, a noncharacter.
 */
#define GUARD_STOP "\xef\xb7\x90"

/* The source with marks in it that bound cmark's time. */
struct str guard_source(struct arena *arena, struct str source);

/*
 * What cmark read, without those marks; `pipe` stands for an escaped pipe: "|" in text, "\|" where
 * backslashes mean nothing. What no XML may hold, and a feed is XML, becomes U+FFFD. The text itself when
 * there is nothing to change.
 */
struct str guard_undo(struct arena *arena, struct str text, struct str pipe);

/* --- markdown_notes.c --- */

struct note {
	struct str label;
	size_t place;     /* among all */
	cmark_node *body; /* a paragraph outside of the document */
	int64_t number;   /* 0: nothing has referred to it yet */
	struct note *next;
};

struct notes {
	struct arena *arena;
	struct note **all, **sorted;
	size_t count, capacity;
	int64_t numbered;
	struct note *waiting, *last; /* referred to, and not written yet */
};

/* The length of "[^label]" there, if a colon follows; else 0. */
size_t notes_definition(struct str text, size_t at);

/* Takes all notes out of the document; notes_free() frees them. */
void notes_take(struct notes *notes, cmark_node *document);
void notes_free(struct notes *notes);

/* The note that is referred to there, and how long that is; NULL: none is. */
struct note *notes_find(const struct notes *notes, struct str text, size_t at, size_t *len);

struct writer;

void notes_put_reference(struct writer *writer, struct note *note);
/* Writes the notes that have been referred to since the last time. */
void notes_put_waiting(struct writer *writer);
void notes_put_unused(struct writer *writer);

/* --- markdown_extend.c: what CommonMark does not have --- */

enum extension_kind {
	EXTENSION_NONE,
	EXTENSION_DELETED,
	EXTENSION_ADDRESS,   /* a link made of a bare address */
	EXTENSION_CARD,      /* a paragraph of nothing else */
	EXTENSION_REFERENCE, /* to a note */
	EXTENSION_TASK,
	EXTENSION_DONE, /* an item of a list */
	EXTENSION_DEFINITIONS,
	EXTENSION_TERM,
	EXTENSION_MEANING,
	/* Quotes. */
	EXTENSION_PULL,
	EXTENSION_NOTE,
	EXTENSION_TIP,
	EXTENSION_IMPORTANT,
	EXTENSION_WARNING,
	EXTENSION_CAUTION,
};

/* What the node is beside its type. */
enum extension_kind extension_of(cmark_node *node);
/* The note that a reference leads to. */
struct note *extension_note(cmark_node *node);

/* A text as cmark and we have read it. */
struct document {
	struct arena *arena;
	bool author; /* it has notes, remarks, pull quotes and cards, too */
	cmark_node *root;
	struct notes notes;
};

void document_read(
    struct arena *arena, struct str source, enum markdown_trust trust, struct document *out);
void document_free(struct document *document);

/* --- markdown_heading.c: levels, ids, contents --- */

struct outline {
	struct arena *arena;
	struct str prefix; /* of every id */
	int first_level;
	int open[6], depth; /* the source's levels of the headings that the current one is under */
	struct slug *slugs; /* a hash table of all ids */
	size_t slug_count, slug_capacity;
	struct heading *contents;
	size_t count;
};

/* The next heading in the order of the text: its level in the HTML and its id, of its own or empty. */
struct heading outline_add(struct outline *outline, int source_level, struct str title);

/* Puts it into the contents. */
void outline_list(struct outline *outline, struct heading heading);

/* --- markdown_write.c: the tree as HTML --- */

struct writer {
	struct buf *out;
	const struct markdown_options *options;
	struct outline *outline;
	cmark_iter *iter;
	int depth;        /* of inline elements that are open */
	int heading;      /* the level of the one that is open */
	cmark_node *link; /* the one that is open, or NULL */
	bool cell;        /* of a table is open */
	struct notes *notes;
	int spans; /* of colours in code, so far */
};

/* Writes the node and all under it. */
void markdown_write(struct writer *writer, cmark_node *node);

/* Appends what is under the node in one line, the marks left out. */
void text_put(struct buf *out, cmark_node *node);

enum address_kind {
	ADDRESS_REFUSED,
	ADDRESS_LOCAL,   /* on our own site */
	ADDRESS_FOREIGN, /* http or https, another host */
	ADDRESS_MAIL,
};

/* The kind of a destination as cmark gives it, with entities and escapes decoded. */
enum address_kind address_kind(struct str url, struct str site);
/* Appends an address that was not refused, for an attribute in double quotes. */
void address_put(struct buf *out, struct str url);

/* A text of cmark's; `pipe` replaces an escaped pipe. */
struct str said(struct writer *writer, const char *text, struct str pipe);
/* The text of the node, for where there can be no markup. */
struct str plain(struct writer *writer, cmark_node *node);
/* Appends an attribute, unless it is empty. */
void put_attribute(struct buf *out, const char *name, struct str value);
/* The attributes after "<a" of a link, or of an image shown as one. */
void put_destination(
    struct writer *writer, cmark_node *node, struct str url, enum address_kind kind);
/* Continues after the node, whose children were handled. */
void skip(struct writer *writer, cmark_node *node);

/* --- markdown_pictures.c --- */

/* Writes an image that stands among words. */
void pictures_put_one(struct writer *writer, cmark_node *image);
/* Writes a paragraph of pictures, and of a note those behind it. False: it is another one. */
bool pictures_put(struct writer *writer, cmark_node *paragraph);

/* --- markdown_smart.c --- */

/*
 * Gives the texts quotation marks, dashes and apostrophes of the language; of one that it does not know, those that
 * were typed.
 */
void markdown_smart(struct document *document, struct str language);

/* --- markdown_code.c --- */

/* Writes code of that language, empty or any name, in its colours if it is one that we know. */
void code_put(struct writer *writer, struct str language, struct str code);

/* --- markdown_names.c --- */

/* Writes a text, in which hashtags and mentions are links. */
void names_put(struct writer *writer, struct str text);

/* --- markdown_table.c --- */

/* Writes the paragraph as a table, if it is one. */
bool markdown_table(struct writer *writer, cmark_node *paragraph);

#endif
