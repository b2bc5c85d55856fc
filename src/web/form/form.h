#ifndef WEB_FORM_FORM_H
#define WEB_FORM_FORM_H

#include "base/check.h"
#include "web/form/multipart.h"
#include "web/http/pairs.h"

#include <stddef.h>

struct arena;

/*
 * A form is declared, as a const table of its fields; a handler sees typed values that keep the
 * declaration, or none:
 *
 *	struct post_form {
 *		struct str title, markdown;
 *		struct strings tags;
 *		bool pinned;
 *	};
 *	static const struct field post_fields[] = {
 *		{FIELD_LINE(struct post_form, title), .label = "Title", .required = true, .max = 200,
 *		    .missing = "Write a title.", .hint = "What stands at its head.", .focus = true},
 *		{FIELD_TEXT(struct post_form, markdown), .label = "Text", .max = 100000},
 *		{FIELD_LIST(struct post_form, tags), .label = "Tags", .max = 40, .count_max = 10},
 *		{FIELD_FLAG(struct post_form, pinned), .label = "Keep on top"},
 *	};
 *	const struct form post_form = FORM("post", struct post_form, post_fields, .button = "Save");
 *
 * The input's name is the member's. Text is UTF-8 without control characters but tab and line feed
 * (CRLF and CR become LF). A line has no mark that turns what stands behind it, and one in which there is nothing to
 * see is empty. White space at its ends is dropped; not so the indent of the first of
 * several lines, which means something in Markdown. Lengths count characters, not bytes. Unknown
 * inputs are ignored. One that comes twice where one is wanted is an error of its field.
 */
enum field_kind {
	FIELD_KIND_LINE,     /* struct str: one line; tabs and line ends are an error */
	FIELD_KIND_TEXT,     /* struct str: any number of lines */
	FIELD_KIND_PASSWORD, /* struct str: as typed, ends not trimmed; never shown again */
	FIELD_KIND_NUMBER,   /* int64_t: min to max; 0 when left empty */
	FIELD_KIND_CHOICE,   /* int64_t: a choice's value; the first one's when it may be empty */
	FIELD_KIND_SLUG,     /* struct str: as slug_typed() has it (model/slug.h) */
	FIELD_KIND_NAME,     /* struct str: a username, [a-z0-9_]; capitals fold */
	FIELD_KIND_EMAIL,    /* struct str: as email_normal() has it, in small letters */
	FIELD_KIND_URL,      /* struct str: http:// or https:// with a host */
	FIELD_KIND_PICTURE,  /* struct str: an address on this site, or https:// with a host */
	FIELD_KIND_LANGUAGE, /* struct str: a language's tag (model/language.h) */
	FIELD_KIND_TIME, /* int64_t: 2026-11-18T09:30, as milliseconds as if it were UTC; 0 when left empty */
	FIELD_KIND_FLAG, /* bool: a check box */
	FIELD_KIND_LIST, /* struct strings: lines of min to max, in order; empty ones are dropped */
	FIELD_KIND_FILE, /* struct part: max is in bytes; only in a form with `files` */
};

/* Strings one after another. */
struct strings {
	struct str *strings;
	size_t count;
};

struct choice {
	struct str name; /* what the browser sends */
	const char *label;
	int64_t value;
};

struct field {
	struct str name;
	enum field_kind kind;
	size_t offset; /* of the typed value in the form's struct */
	const char *label;
	/* The sentence when it is required and empty; NULL: the kind's own, and of a choice the first is chosen then. */
	const char *missing;
	const char *wrong;   /* the sentence for what is not of the kind; NULL: the kind's own */
	bool required;
	int64_t min, max; /* characters; a number's range; a file's bytes. max 0: the kind's own */
	uint32_t count_max;           /* LIST: so many at most; 0: 20 */
	const struct choice *choices; /* CHOICE: ended by an empty name */

	/* How a page shows it. */
	const char *hint, *autocomplete; /* NULL: none */
	const char *type;                /* of the input, where the kind's own does not do */
	bool focus;                      /* it has the cursor when the page comes */
	int rows;                        /* of a text; 0: 5 */
};

struct form {
	const char *name; /* in the page: its id, and what those of its fields begin with */
	const struct field *fields;
	size_t count;
	size_t size; /* of the struct of typed values */
	bool files;  /* sent as multipart/form-data */
	bool destroys; /* its button takes something away for good, and looks it */
	const char *heading, *intro, *action,
	    *button; /* how a page shows it; NULL: the page says */
};

/* The most bytes that a character takes in a body: four, each sent as %XX. */
enum { FORM_LETTER_BYTES = 4 * 3 };

/* Text fields that are longer than this are refused whatever the field says. */
enum { FORM_LINE_MAX = 500, FORM_TEXT_MAX = 200 * 1000, FORM_LIST_MAX = 20, FORM_INPUTS_MAX = 500 };

/* What one field was sent as, and what is wrong with it. */
struct field_result {
	const struct field *field;
	struct strings raw; /* what was typed, to show it again; none of a password or a file */
	const char *error;  /* a sentence, or NULL */
};

/* The result of reading a form. Everything is in the arena. */
struct form_result {
	const struct form *form;
	struct arena *arena;
	bool valid;                  /* no field has an error */
	void *values;                /* the form's struct; a field with an error is zero in it */
	struct field_result *fields; /* one for each of form->fields, in their order */
	size_t error_count; /* of fields with one; a summary walks `fields`, linking to #name */
};

/* Reads inputs, in whichever way they came; what is no file is text. */
void form_read(struct arena *arena, const struct form *form, const struct parts *parts,
    struct form_result *out);

/* A form that nobody has filled in yet: no errors, empty raw values. */
void form_empty(struct arena *arena, const struct form *form, struct form_result *out);

/*
 * The largest urlencoded body of the form: each field at its maximum, of four-byte characters, each
 * byte of which is sent as three. Of files only their own size.
 */
size_t form_bytes_max(const struct form *form);

/* Gives an empty form a text to begin with, such as a stored title; *result stays valid. */
void form_fill(struct form_result *result, const char *name, struct str text);

/* One more text of a list. */
void form_fill_more(struct form_result *result, const char *name, struct str text);

/* An error that only the handler could find: `form_refuse(f, "slug", "This address is taken.")`. */
void form_refuse(struct form_result *result, const char *name, const char *sentence);

/* The first raw text of a field; empty when there is none. */
struct str form_raw(const struct form_result *result, const char *name);

/* The field's error, or NULL. */
const char *form_error(const struct form_result *result, const char *name);

/* --- For declaring ---------------------------------------------------------------------------- */

#define FORM_FIELD(type, member, k, wanted) \
	.name = STR_INIT(#member), .kind = (k), .offset = OFFSET_OF(type, member, wanted)
#define FIELD_LINE(type, member) FORM_FIELD(type, member, FIELD_KIND_LINE, struct str)
#define FIELD_TEXT(type, member) FORM_FIELD(type, member, FIELD_KIND_TEXT, struct str)
#define FIELD_PASSWORD(type, member) FORM_FIELD(type, member, FIELD_KIND_PASSWORD, struct str)
#define FIELD_NUMBER(type, member) FORM_FIELD(type, member, FIELD_KIND_NUMBER, int64_t)
#define FIELD_CHOICE(type, member) FORM_FIELD(type, member, FIELD_KIND_CHOICE, int64_t)
#define FIELD_SLUG(type, member) FORM_FIELD(type, member, FIELD_KIND_SLUG, struct str)
#define FIELD_NAME(type, member) FORM_FIELD(type, member, FIELD_KIND_NAME, struct str)
#define FIELD_EMAIL(type, member) FORM_FIELD(type, member, FIELD_KIND_EMAIL, struct str)
#define FIELD_URL(type, member) FORM_FIELD(type, member, FIELD_KIND_URL, struct str)
#define FIELD_PICTURE(type, member) FORM_FIELD(type, member, FIELD_KIND_PICTURE, struct str)
#define FIELD_LANGUAGE(type, member) FORM_FIELD(type, member, FIELD_KIND_LANGUAGE, struct str)
#define FIELD_TIME(type, member) FORM_FIELD(type, member, FIELD_KIND_TIME, int64_t)
#define FIELD_FLAG(type, member) FORM_FIELD(type, member, FIELD_KIND_FLAG, bool)
#define FIELD_LIST(type, member) FORM_FIELD(type, member, FIELD_KIND_LIST, struct strings)
#define FIELD_FILE(type, member) FORM_FIELD(type, member, FIELD_KIND_FILE, struct part)

/* Arguments after the table are further members of the form: how it is shown. */
#define FORM(form_name, type, table, ...)                                                      \
	{                                                                                      \
		.name = (form_name), .fields = (table),                                        \
		.count = sizeof(table) / sizeof((table)[0]), .size = sizeof(type), __VA_ARGS__ \
	}

#endif
