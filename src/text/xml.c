#include "text/xml.h"

#include "text/escape.h"

/* How many bytes from here on XML can't contain; 0: none. */
static size_t
forbidden(struct str rest)
{
	unsigned char c = (unsigned char)rest.base[0];

	if (c < 0x20)
		return c != '\t' && c != '\n' && c != '\r';
	return str_starts(rest, STR("\xef\xbf\xbe")) || str_starts(rest, STR("\xef\xbf\xbf")) ? 3
											      : 0;
}

static void
put(struct buf *out, struct str text, void (*how)(struct buf *out, struct str text))
{
	size_t from = 0, skipped;

	for (size_t i = 0; i < text.len; i += skipped != 0 ? skipped : 1) {
		skipped = forbidden(str_sub(text, i, text.len));
		if (skipped != 0) {
			how(out, str_sub(text, from, i - from));
			from = i + skipped;
		}
	}
	how(out, str_sub(text, from, text.len));
}

void
xml_text(struct buf *out, struct str text)
{
	put(out, text, escape_html);
}

/* --- HTML as XML ------------------------------------------------------------------------------------ */

static bool
is_void(struct str name)
{
	static const struct str names[] = {STR_INIT("br"), STR_INIT("hr"), STR_INIT("img"), STR_INIT("col")};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_eq(name, names[i]))
			return true;
	return false;
}

/* The next attribute of a tag, whose value is in quotation marks, or its name when it has none. False: that was all. */
static bool
next_attribute(struct str *rest, struct str *name, struct str *value)
{
	size_t end = 0;

	while (rest->len != 0 && (rest->base[0] == ' ' || rest->base[0] == '\n'))
		*rest = str_sub(*rest, 1, rest->len);
	while (end < rest->len && rest->base[end] != '=' && rest->base[end] != ' ')
		end++;
	*name = str_sub(*rest, 0, end);
	*value = *name;
	*rest = str_sub(*rest, end, rest->len);
	if (str_starts(*rest, STR("=\"")))
		*value = str_cut(str_sub(*rest, 2, rest->len), '"', rest);
	return name->len != 0;
}

static void
put_attribute(struct buf *out, struct str name, struct str before, struct str value)
{
	buf_putc(out, ' ');
	buf_put(out, name);
	BUF_PUT(out, "=\"");
	xml_text(out, before);
	put(out, value, buf_put);
	BUF_PUT(out, "\"");
}

static void
put_picture(struct buf *out, struct str attributes, const struct xhtml_rules *rules)
{
	struct str name, value, alt = STR(""), file = STR("");

	while (next_attribute(&attributes, &name, &value)) {
		if (str_eq(name, STR("src")))
			file = rules->picture(rules->context, value);
		if (str_eq(name, STR("alt")))
			alt = value;
	}
	if (file.len == 0) {
		put(out, alt, buf_put);
		return;
	}
	BUF_PUT(out, "<img");
	put_attribute(out, STR("src"), STR(""), file);
	put_attribute(out, STR("alt"), STR(""), alt);
	BUF_PUT(out, "/>");
}

static void
put_tag(struct buf *out, struct str tag, const struct xhtml_rules *rules)
{
	size_t end = 0;
	struct str element, attributes, name, value;

	while (end < tag.len && tag.base[end] != ' ' && tag.base[end] != '\n')
		end++;
	element = str_sub(tag, 0, end);
	attributes = str_sub(tag, end, tag.len);
	if (str_eq(element, STR("img"))) {
		put_picture(out, attributes, rules);
		return;
	}
	buf_putc(out, '<');
	buf_put(out, element);
	while (next_attribute(&attributes, &name, &value)) {
		struct str site = str_eq(name, STR("href")) && str_starts(value, STR("/")) ? rules->site : STR("");

		put_attribute(out, name, site, value);
	}
	buf_put(out, is_void(element) ? STR("/>") : STR(">"));
}

void
xhtml_put(struct buf *out, struct html html, const struct xhtml_rules *rules)
{
	struct str rest = html.text;

	while (rest.len != 0) {
		struct str text = str_cut(rest, '<', &rest);

		put(out, text, buf_put);
		/* A ">" of a text or of a value is a reference. */
		if (rest.len != 0)
			put_tag(out, str_cut(rest, '>', &rest), rules);
	}
}
