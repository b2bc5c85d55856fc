#ifndef TEXT_TEMPLATE_SCAN_H
#define TEXT_TEMPLATE_SCAN_H

#include "text/template_parse.h"

/*
 * Finds the tags in a template's text: what delimiters, lines and white space mean. For the parser.
 */

struct template_scan {
	struct str text;
	struct str open, close; /* the delimiters now */
	size_t counted;         /* `line` is the line of this offset */
	unsigned line;
};

/* A tag, from its first delimiter to behind its last, and what stands around it on its lines. */
struct template_tag {
	unsigned line;
	size_t begin, end;
	size_t next_line; /* behind the line on which it ends */
	char type;        /* the character behind the delimiter, or 0 */
	struct str name;  /* one word; of comments and delimiters, all they contain */
	struct str lead;  /* the white space before it, when only that is before it on its line */
	bool leads;       /* is it? */
	bool ends;        /* only white space behind it on its line */
};

struct template_scan template_scan(struct str text);

/*
 * The first tag at or behind `from`. NULL in *why and false when there is none; a sentence in *why
 * and false when there is one that is wrong, with *tag's line.
 */
bool template_scan_tag(
    struct template_scan *scan, size_t from, struct template_tag *tag, const char **why);

/* Takes the delimiters from a tag of type '='. False when they are not two words. */
bool template_scan_delimiters(struct template_scan *scan, const struct template_tag *tag);

/* The line of an offset, from 1. */
unsigned template_scan_line(struct template_scan *scan, size_t offset);

/* The offset behind the line end at or behind `from`, or of the end of the text. */
size_t template_scan_next_line(const struct template_scan *scan, size_t from);

/* How the first line at or behind `from` that is not empty is indented. */
struct str template_scan_indent(const struct template_scan *scan, size_t from);

#endif
