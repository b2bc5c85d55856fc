/*
 * Code in colours: comments, strings, keywords and numbers, in spans of the classes c, s, k and n, whose colours are in the style
 * sheet. A language is a row of languages.def: what its comments, strings and keywords look like. That is no grammar; where it
 * is wrong, a word has another colour. Every character is looked at once, so that no code can take long; and behind SPANS_MAX
 * spans the rest of a text's code has none, so that its HTML is not much larger than it.
 */
#include "base/arena.h"
#include "text/escape.h"
#include "text/markdown_private.h"

#include <string.h>

enum { SPANS_MAX = 3000, QUOTES_MAX = 4 };

enum {
	ANY_CASE = 1, /* keywords may be in capitals, too */
	LONG = 2,     /* strings may go on over lines */
	TRIPLE = 4,   /* three quotes begin a string of many lines */
	MARKUP = 8,   /* only what is in < and > is code */
	LINES = 16,   /* a line's first character says what it is, as in a diff */
	SPACED = 32,  /* what begins a comment has a blank before it, or is the first of its line */
	DASHED = 64,  /* a name may have hyphens */
};

struct language {
	const char *names;     /* between blanks, with one at both ends */
	const char *comment;   /* from here to the line's end; or "" */
	const char *other;     /* the same */
	const char *from, *to; /* around a comment of many lines; or "" */
	const char *quotes;    /* each is around strings */
	unsigned flags;
	const char *keywords; /* as the names */
};

#define LANGUAGE(names, comment, other, from, to, quotes, flags, keywords) \
	{" " names " ", comment, other, from, to, quotes, flags, " " keywords " "},
static const struct language languages[] = {
#include "text/languages.def"
};
#undef LANGUAGE

struct painter {
	struct writer *w;
	const struct language *language;
	struct str code;
	size_t at;
};

/* Is the word in a list of words between blanks? */
static bool
is_in(const char *list, struct str word, bool any_case)
{
	struct str rest = str_of(list);

	while (rest.len != 0) {
		struct str one = str_cut(rest, ' ', &rest);

		if (one.len == word.len &&
		    (any_case ? str_eq_nocase(one, word) : str_eq(one, word)))
			return true;
	}
	return false;
}

static const struct language *
language_of(struct str name)
{
	for (size_t i = 0; name.len != 0 && i < sizeof(languages) / sizeof(languages[0]); i++)
		if (is_in(languages[i].names, name, false))
			return &languages[i];
	return NULL;
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (unsigned char)c >= 0x80;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char
peek(const struct painter *p, size_t at)
{
	return at < p->code.len ? p->code.base[at] : '\0';
}

static bool
starts(const struct painter *p, size_t at, const char *what)
{
	size_t len = strlen(what);

	return len != 0 && p->code.len - at >= len && memcmp(p->code.base + at, what, len) == 0;
}

static size_t
end_of_line(const struct painter *p, size_t at)
{
	return at + str_find(str_sub(p->code, at, p->code.len), '\n');
}

/* Where what ends with `end` is over; the end of the code when nothing ends it. */
static size_t
end_behind(const struct painter *p, size_t at, const char *end)
{
	const char *found =
	    at < p->code.len ? memmem(p->code.base + at, p->code.len - at, end, strlen(end)) : NULL;

	return found == NULL ? p->code.len : (size_t)(found - p->code.base) + strlen(end);
}

/* Writes the code to `end`, of that class, or of none (0). */
static void
paint(struct painter *p, size_t end, char class)
{
	struct str part = str_sub(p->code, p->at, end - p->at);

	p->at = end;
	if (class == 0 || part.len == 0 || p->w->spans == SPANS_MAX) {
		escape_html(p->w->out, part);
		return;
	}
	p->w->spans++;
	buf_fmt(p->w->out, "<span class=\"%c\">", class);
	escape_html(p->w->out, part);
	BUF_PUT(p->w->out, "</span>");
}

/* Where the comment that begins there ends; the same place: there is none. */
static size_t
comment_end(const struct painter *p, size_t at)
{
	const struct language *l = p->language;
	char before = at != 0 ? p->code.base[at - 1] : '\n';

	if (starts(p, at, l->from))
		return end_behind(p, at + strlen(l->from), l->to);
	if ((l->flags & SPACED) != 0 && before != '\n' && before != ' ' && before != '\t')
		return at;
	return starts(p, at, l->comment) || starts(p, at, l->other) ? end_of_line(p, at) : at;
}

/* The same of a string. One that nothing ends is over with its line, or with the code. */
static size_t
string_end(const struct painter *p, size_t at)
{
	const struct language *l = p->language;
	char quote = peek(p, at);
	bool lines = (l->flags & LONG) != 0 || quote == '`';
	size_t i = at + 1;

	if (quote == '\0' || strchr(l->quotes, quote) == NULL)
		return at;
	if ((l->flags & TRIPLE) != 0 && peek(p, at + 1) == quote && peek(p, at + 2) == quote) {
		const char three[] = {quote, quote, quote, '\0'};

		return end_behind(p, at + 3, three);
	}
	for (; i < p->code.len; i++) {
		char c = p->code.base[i];

		if (c == quote)
			return i + 1;
		if (c == '\\' && i + 1 < p->code.len)
			i++;
		else if (c == '\n' && !lines)
			return i;
	}
	return p->code.len;
}

static size_t
word_end(const struct painter *p, size_t at)
{
	bool dashed = (p->language->flags & DASHED) != 0;

	while (at < p->code.len && (is_letter(p->code.base[at]) || is_digit(p->code.base[at]) ||
				       (dashed && p->code.base[at] == '-')))
		at++;
	return at;
}

static size_t
number_end(const struct painter *p, size_t at)
{
	while (at < p->code.len && (is_letter(p->code.base[at]) || is_digit(p->code.base[at]) ||
				       (p->code.base[at] == '.' && is_digit(peek(p, at + 1)))))
		at++;
	return at;
}

/* What begins here: where it ends, and its class. */
static size_t
token(const struct painter *p, size_t at, char *class)
{
	char c = p->code.base[at];
	size_t end = comment_end(p, at);

	*class = 'c';
	if (end != at)
		return end;
	*class = 's';
	end = string_end(p, at);
	if (end != at)
		return end;
	*class = 'n';
	if (is_digit(c))
		return number_end(p, at);
	*class = 0;
	if (!is_letter(c) && c != '@' && c != '#')
		return at + 1;
	end = word_end(p, at + 1);
	if (is_in(p->language->keywords, str_sub(p->code, at, end - at),
		(p->language->flags & ANY_CASE) != 0))
		*class = 'k';
	return end;
}

static void
paint_code(struct painter *p, size_t end)
{
	size_t at = p->at;

	while (at < end) {
		char class;
		size_t next = token(p, at, &class);

		next = next < end ? next : end;
		if (class != 0) {
			paint(p, at, 0);
			paint(p, next, class);
		}
		at = next;
	}
	paint(p, end, 0);
}

/* Tags: their names are keywords. Between them there is text. */
static void
paint_markup(struct painter *p)
{
	size_t at = 0;

	while (at < p->code.len) {
		char next = peek(p, at + 1);
		size_t end = comment_end(p, at);

		if (end != at) {
			paint(p, at, 0);
			paint(p, end, 'c');
		} else if (p->code.base[at] == '<' &&
			   (is_letter(next) || next == '/' || next == '!' || next == '?')) {
			end = at + 1 + (is_letter(next) ? 0 : 1);
			paint(p, end, 0);
			while (end < p->code.len && strchr(" \t\n/>", p->code.base[end]) == NULL)
				end++;
			paint(p, end, 'k');
			while (end < p->code.len && p->code.base[end] != '>') {
				size_t string = string_end(p, end);

				if (string != end) {
					paint(p, end, 0);
					paint(p, string, 's');
				}
				end = string != end ? string : end + 1;
			}
		} else {
			end = at + 1;
		}
		at = end;
	}
	paint(p, at, 0);
}

static void
paint_lines(struct painter *p)
{
	while (p->at < p->code.len) {
		size_t end = end_of_line(p, p->at);
		char c = p->code.base[p->at];

		paint(p, end, c == '+' ? 's' : c == '-' ? 'k' : c == '@' ? 'c' : 0);
		paint(p, end < p->code.len ? end + 1 : end, 0);
	}
}

void
code_put(struct writer *w, struct str language, struct str code)
{
	struct painter p = {.w = w, .language = language_of(language), .code = code};

	if (p.language == NULL)
		escape_html(w->out, code);
	else if ((p.language->flags & LINES) != 0)
		paint_lines(&p);
	else if ((p.language->flags & MARKUP) != 0)
		paint_markup(&p);
	else
		paint_code(&p, code.len);
}
