#include "xml.h"

#include <string.h>

enum { DEPTH_MAX = 16, ATTRIBUTES_MAX = 8 };

struct scan {
	struct str text;
	size_t at;
	const char *error;
	struct str open[DEPTH_MAX];
	size_t depth;
};

static bool
fault(struct scan *in, const char *error)
{
	if (in->error == NULL)
		in->error = error;
	return false;
}

static char
look(const struct scan *in)
{
	return in->at < in->text.len ? in->text.base[in->at] : '\0';
}

static bool
take(struct scan *in, const char *what)
{
	size_t len = strlen(what);

	if (!str_starts(str_sub(in->text, in->at, len), str_of(what)))
		return false;
	in->at += len;
	return true;
}

static void
skip_space(struct scan *in)
{
	while (look(in) == ' ' || look(in) == '\n' || look(in) == '\t' || look(in) == '\r')
		in->at++;
}

static struct str
name(struct scan *in)
{
	size_t from = in->at;

	while ((look(in) >= 'a' && look(in) <= 'z') || (look(in) >= 'A' && look(in) <= 'Z') ||
	       (in->at > from && (look(in) == ':' || look(in) == '-' || (look(in) >= '0' && look(in) <= '9'))))
		in->at++;
	return str_sub(in->text, from, in->at - from);
}

static bool
reference(struct scan *in)
{
	static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#39;"};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (take(in, known[i]))
			return true;
	return fault(in, "an unknown reference");
}

/* One character of a text or a value. */
static bool
character(struct scan *in)
{
	uint32_t rune;

	if (look(in) == '&')
		return reference(in);
	rune = str_rune(in->text, &in->at);
	if (rune == '<')
		return fault(in, "a bare <");
	if ((rune < 0x20 && rune != '\t' && rune != '\n' && rune != '\r') || rune == 0xfffe ||
	    rune == 0xffff)
		return fault(in, "a character that XML does not allow");
	return true;
}

static bool
attributes(struct scan *in)
{
	struct str seen[ATTRIBUTES_MAX];
	size_t count = 0;

	for (skip_space(in); look(in) != '>' && look(in) != '/' && look(in) != '?';
	     skip_space(in)) {
		struct str one = name(in);

		if (one.len == 0 || !take(in, "=\"") || count == ATTRIBUTES_MAX)
			return fault(in, "an attribute is wrong");
		for (size_t i = 0; i < count; i++)
			if (str_eq(seen[i], one))
				return fault(in, "an attribute twice");
		seen[count++] = one;
		while (look(in) != '"')
			if (in->at >= in->text.len || !character(in))
				return fault(in, "a value has no end");
		in->at++;
	}
	return true;
}

static bool
tag(struct scan *in)
{
	struct str one;

	if (take(in, "</")) {
		one = name(in);
		if (in->depth == 0 || !str_eq(in->open[--in->depth], one) || !take(in, ">"))
			return fault(in, "an element ends that has not begun");
		return true;
	}
	in->at++;
	one = name(in);
	if (one.len == 0 || !attributes(in))
		return fault(in, "a tag is wrong");
	if (take(in, "/>"))
		return true;
	if (in->depth == DEPTH_MAX || !take(in, ">"))
		return fault(in, "a tag has no end");
	in->open[in->depth++] = one;
	return true;
}

const char *
xml_error(struct str text, size_t *at)
{
	struct scan in = {.text = text};

	if (!str_utf8(text))
		return "it is not UTF-8";
	if (!take(&in, "<?xml") || !attributes(&in) || !take(&in, "?>"))
		fault(&in, "it does not begin as XML");
	skip_space(&in);
	if (in.error == NULL && tag(&in) && in.depth == 0)
		fault(&in, "the root is empty");
	while (in.error == NULL && in.depth != 0 && in.at < text.len)
		if (look(&in) == '<')
			tag(&in);
		else
			character(&in);
	skip_space(&in);
	if (in.depth != 0)
		fault(&in, "an element has no end");
	if (in.at != text.len)
		fault(&in, "something follows the root");
	*at = in.at;
	return in.error;
}
