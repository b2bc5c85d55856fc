#include "text/template_scan.h"

#include <string.h>

enum { DELIMITER_MAX = 16 };

static const size_t NOWHERE = SIZE_MAX;

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

static struct str
rest_of(struct str text, size_t from)
{
	return str_sub(text, from, text.len);
}

static size_t
find(struct str text, size_t from, struct str needle)
{
	const char *hit;

	if (from >= text.len)
		return NOWHERE;
	hit = memmem(text.base + from, text.len - from, needle.base, needle.len);
	return hit != NULL ? (size_t)(hit - text.base) : NOWHERE;
}

/* Where the blanks that begin at `from` end. */
static size_t
skip_blanks(struct str text, size_t from)
{
	while (from < text.len && is_blank(text.base[from]))
		from++;
	return from;
}

struct template_scan
template_scan(struct str text)
{
	return (struct template_scan){text, STR("{{"), STR("}}"), 0, 1};
}

unsigned
template_scan_line(struct template_scan *scan, size_t offset)
{
	for (; scan->counted < offset; scan->counted++)
		if (scan->text.base[scan->counted] == '\n')
			scan->line++;
	for (; scan->counted > offset; scan->counted--)
		if (scan->text.base[scan->counted - 1] == '\n')
			scan->line--;
	return scan->line;
}

size_t
template_scan_next_line(const struct template_scan *scan, size_t from)
{
	size_t end = find(scan->text, from, STR("\n"));

	return end != NOWHERE ? end + 1 : scan->text.len;
}

struct str
template_scan_indent(const struct template_scan *scan, size_t from)
{
	for (;;) {
		size_t end = skip_blanks(scan->text, from);

		if (end == scan->text.len || !is_space(scan->text.base[end]))
			return str_sub(scan->text, from, end - from);
		from = end + 1;
	}
}

static void
look_around(struct str text, struct template_tag *tag)
{
	size_t begin = tag->begin, end = skip_blanks(text, tag->end);

	while (begin > 0 && is_blank(text.base[begin - 1]))
		begin--;
	tag->leads = begin == 0 || text.base[begin - 1] == '\n';
	if (tag->leads)
		tag->lead = str_sub(text, begin, tag->begin - begin);
	if (end < text.len && text.base[end] == '\r')
		end++;
	tag->ends = end == text.len || text.base[end] == '\n';
	tag->next_line = end < text.len ? end + 1 : end;
}

/* What is between the delimiters, from behind the type on; sets the tag's end. */
static bool
read_content(const struct template_scan *scan, size_t from, struct template_tag *tag)
{
	/* {{{name}}} and {{=<% %>=}} have an end of their own before the delimiter. */
	struct str before = tag->type == '{' ? STR("}") : tag->type == '=' ? STR("=") : STR("");
	size_t end = find(scan->text, from, before.len != 0 ? before : scan->close);

	if (end == NOWHERE || !str_starts(rest_of(scan->text, end + before.len), scan->close))
		return false;
	tag->name = str_trim(str_sub(scan->text, from, end - from));
	tag->end = end + before.len + scan->close.len;
	look_around(scan->text, tag);
	return true;
}

static bool
is_word(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (is_space(s.base[i]) || s.base[i] == '\0')
			return false;
	return s.len != 0;
}

bool
template_scan_tag(
    struct template_scan *scan, size_t from, struct template_tag *tag, const char **why)
{
	size_t begin = find(scan->text, from, scan->open);

	*why = NULL;
	if (begin == NOWHERE)
		return false;
	*tag = (struct template_tag){.begin = begin, .line = template_scan_line(scan, begin)};
	from = begin + scan->open.len;
	while (from < scan->text.len && is_space(scan->text.base[from]))
		from++;
	if (str_find(STR("{=!&#^/><$"), from < scan->text.len ? scan->text.base[from] : 'x') < 10)
		tag->type = scan->text.base[from++];
	if (!read_content(scan, from, tag)) {
		*why = "this tag has no end";
		return false;
	}
	if (tag->type != '!' && tag->type != '=' && !is_word(tag->name)) {
		*why = "the name in a tag has to be one word";
		return false;
	}
	return true;
}

bool
template_scan_delimiters(struct template_scan *scan, const struct template_tag *tag)
{
	size_t end = 0;
	struct str open, close;

	while (end < tag->name.len && !is_space(tag->name.base[end]))
		end++;
	open = str_sub(tag->name, 0, end);
	close = str_trim(rest_of(tag->name, end));
	if (!is_word(open) || !is_word(close) || open.len > DELIMITER_MAX ||
	    close.len > DELIMITER_MAX)
		return false;
	scan->open = open;
	scan->close = close;
	return true;
}
