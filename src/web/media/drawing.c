/*
 * The grammar is that of XML 1.0 without what drawings do without: a DOCTYPE is passed over and may declare nothing,
 * the five named and the numeric references are all there are, comments and processing instructions say nothing. An
 * element that is not on the list is left away with all that is in it. Values are decoded, compared with the form that
 * their attribute allows, and written escaped, so that nothing depends on how somebody else would have read what was
 * sent.
 *
 * References lead to parts of the same drawing. What is drawn again by them, also in what is drawn again, is counted in
 * the end, as otherwise a few lines would make a million shapes, or one that has itself in it.
 */
#include "web/media/drawing.h"

#include "base/arena.h"
#include "text/escape.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ID_MAX = 64 };

/* --- What is on the list --- */

enum { SHAPE = 1, WORDS = 2, LINKS = 4, COPIES = 8 };

static const struct element {
	const char *name, *as;
	int is;
} elements[] = {
    {"g", "g", 0}, {"a", "g", 0}, {"switch", "g", 0}, {"defs", "defs", 0},
    {"path", "path", SHAPE}, {"rect", "rect", SHAPE}, {"circle", "circle", SHAPE}, {"ellipse", "ellipse", SHAPE},
    {"line", "line", SHAPE}, {"polyline", "polyline", SHAPE}, {"polygon", "polygon", SHAPE},
    {"text", "text", SHAPE | WORDS}, {"tspan", "tspan", WORDS}, {"clipPath", "clipPath", 0},
    {"mask", "mask", 0}, {"use", "use", LINKS | COPIES},
    {"linearGradient", "linearGradient", LINKS}, {"radialGradient", "radialGradient", LINKS}, {"stop", "stop", 0},
};

static const struct element root = {"svg", "svg", 0};

enum form { ID, NUMBERS, MOVES, WORD, FAMILY, PAINT, PART, WHOLE_PART };

static const struct known_attribute {
	const char *name;
	enum form form;
} attributes[] = {
    {"id", ID}, {"x", NUMBERS}, {"y", NUMBERS}, {"width", NUMBERS}, {"height", NUMBERS}, {"cx", NUMBERS}, {"cy", NUMBERS},
    {"r", NUMBERS}, {"rx", NUMBERS}, {"ry", NUMBERS}, {"x1", NUMBERS}, {"y1", NUMBERS}, {"x2", NUMBERS}, {"y2", NUMBERS},
    {"fx", NUMBERS}, {"fy", NUMBERS}, {"fr", NUMBERS}, {"dx", NUMBERS}, {"dy", NUMBERS}, {"d", NUMBERS}, {"points", NUMBERS},
    {"offset", NUMBERS}, {"transform", MOVES}, {"gradientTransform", MOVES}, {"gradientUnits", WORD}, {"clipPathUnits", WORD}, {"maskUnits", WORD},
    {"maskContentUnits", WORD}, {"mask-type", WORD},
    {"spreadMethod", WORD}, {"fill", PAINT}, {"stroke", PAINT}, {"stop-color", PAINT}, {"color", PAINT},
    {"fill-opacity", NUMBERS}, {"stroke-opacity", NUMBERS}, {"stop-opacity", NUMBERS}, {"opacity", NUMBERS},
    {"stroke-width", NUMBERS}, {"stroke-dasharray", NUMBERS}, {"stroke-dashoffset", NUMBERS}, {"stroke-miterlimit", NUMBERS}, {"font-size", NUMBERS}, {"letter-spacing", NUMBERS},
    {"font-weight", WORD}, {"font-style", WORD}, {"font-family", FAMILY}, {"text-anchor", WORD}, {"fill-rule", WORD},
    {"clip-rule", WORD}, {"stroke-linecap", WORD}, {"stroke-linejoin", WORD}, {"visibility", WORD}, {"display", WORD},
    {"clip-path", PART}, {"mask", PART}, {"href", WHOLE_PART},
};
enum { ATTRIBUTES = sizeof(attributes) / sizeof(attributes[0]) };

/* --- Values --- */

static bool
made_of(struct str value, const char *others)
{
	for (size_t i = 0; i < value.len; i++)
		if (!isalnum((unsigned char)value.base[i]) && (value.base[i] == '\0' || strchr(others, value.base[i]) == NULL))
			return false;
	return value.len != 0;
}

static bool
is_id(struct str value)
{
	return value.len <= ID_MAX && made_of(value, "_.-") && !isdigit((unsigned char)value.base[0]) &&
	       value.base[0] != '-' && value.base[0] != '.';
}

/* "url(#a)", with quotation marks or without: the id. Empty: it is something else. */
static struct str
part_named(struct str value)
{
	struct str inner;

	if (!str_starts(value, STR("url(")) || !str_ends(value, STR(")")))
		return STR("");
	inner = str_trim(str_sub(value, 4, value.len - 5));
	if (inner.len > 2 && (inner.base[0] == '"' || inner.base[0] == '\'') && inner.base[inner.len - 1] == inner.base[0])
		inner = str_sub(inner, 1, inner.len - 2);
	if (!str_starts(inner, STR("#")) || !is_id(str_sub(inner, 1, inner.len)))
		return STR("");
	return str_sub(inner, 1, inner.len);
}

/* A colour by name, number or function: any other function, as url(), would lead somewhere. */
static bool
is_colour(struct str value)
{
	size_t open = str_find(value, '(');

	if (open == value.len)
		return made_of(value, "#");
	return (str_starts(value, STR("rgb")) || str_starts(value, STR("hsl"))) && open <= 4 &&
	       str_ends(value, STR(")")) &&
	       made_of(str_sub(value, open + 1, value.len - open - 2), " .,%-/");
}

/* The value as it is written; empty: it has not the form that it should. */
static struct str
value_of(struct arena *arena, enum form form, struct str value)
{
	struct str part;

	value = str_trim(value);
	switch (form) {
	case ID: return is_id(value) ? value : STR("");
	case NUMBERS: return made_of(value, " \t\r\n.,+-%") ? value : STR("");
	case MOVES: return made_of(value, " \t\r\n.,+-()") ? value : STR("");
	case WORD: return made_of(value, "-") ? value : STR("");
	case FAMILY: return made_of(value, " ,-'\"") ? value : STR("");
	case PAINT:
		if (is_colour(value))
			return value;
		/* fallthrough */
	case PART:
		part = part_named(value);
		return part.len != 0 ? STR_CONCAT(arena, STR("url(#"), part, STR(")")) : STR("");
	case WHOLE_PART:
		return str_starts(value, STR("#")) && is_id(str_sub(value, 1, value.len)) ? value : STR("");
	}
	return STR("");
}

/* --- Reading --- */

struct open {
	struct str name;
	const struct element *kept; /* NULL: it is left away, and so is what is in it */
	struct part *part;          /* NULL: it has no name */
};

/* What can be named: elements that are kept, from one to before another; and that one of them draws such a part. */
struct part {
	struct str id;
	size_t from, to;
};
struct copy {
	size_t at;
	struct str of;
	const struct part *part; /* the first that is named so; NULL: there is none */
};

struct reader {
	struct str in;
	size_t at;
	struct buf *out;
	struct arena *arena;
	struct open open[DRAWING_DEPTH_MAX];
	struct part parts[DRAWING_ELEMENTS_MAX];
	struct copy copies[DRAWING_COPIES_MAX];
	size_t depth, elements, shapes, kept, part_count, copy_count;
	bool rooted, styled, classed, sized;
	struct media_size size;
	enum drawing_verdict wrong;
};

static bool
fail(struct reader *r, enum drawing_verdict why)
{
	r->wrong = why;
	return false;
}

static struct str
rest(const struct reader *r)
{
	return str_sub(r->in, r->at, r->in.len);
}

/* Passes over everything up to the end of this, which has to come. */
static bool
pass(struct reader *r, const char *end)
{
	struct str left = rest(r);
	const char *found = left.len != 0 ? memmem(left.base, left.len, end, strlen(end)) : NULL;

	if (found == NULL)
		return fail(r, DRAWING_DAMAGED);
	r->at += (size_t)(found - left.base) + strlen(end);
	return true;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void
pass_blanks(struct reader *r)
{
	while (r->at < r->in.len && is_blank(r->in.base[r->at]))
		r->at++;
}

/* The name that stands here, or nothing: letters, digits and the few signs that names of XML have. */
static struct str
take_name(struct reader *r)
{
	size_t from = r->at;

	while (r->at < r->in.len) {
		unsigned char c = (unsigned char)r->in.base[r->at];

		if (!isalnum(c) && c < 0x80 && (c == '\0' || strchr("_:.-", c) == NULL))
			break;
		r->at++;
	}
	return str_sub(r->in, from, r->at - from);
}

/* XML has none of the signs that control something but for those of blank space, nor the two that are no letters. */
static bool
is_rune(uint32_t rune)
{
	return rune < ' ' ? rune != 0 && strchr("\t\n\r", (int)rune) != NULL : rune != 0xfffe && rune != 0xffff;
}

/* Of a reference, without its & and ;. 0: there is none of that name. */
static uint32_t
rune_of(struct str name)
{
	static const struct {
		const char *name;
		char is;
	} named[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
	bool hex = str_starts(name, STR("#x"));
	struct str digits = str_sub(name, hex ? 2 : 1, name.len);
	uint32_t rune = 0;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (str_eq(name, str_of(named[i].name)))
			return (uint32_t)named[i].is;
	if (!str_starts(name, STR("#")) || digits.len == 0 || digits.len > 7)
		return 0;
	for (size_t i = 0; i < digits.len; i++) {
		unsigned char c = (unsigned char)digits.base[i];

		if (!(hex ? isxdigit(c) : isdigit(c)))
			return 0;
		rune = rune * (hex ? 16 : 10) + (uint32_t)(isdigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return !is_rune(rune) || (rune >= 0xd800 && rune < 0xe000) || rune > 0x10ffff ? 0 : rune;
}

/* Text with its references put in their place. */
static bool
decode(struct reader *r, struct str text, struct str *out)
{
	struct buf buf = {.arena = r->arena};

	*out = text;
	if (str_find(text, '&') == text.len)
		return true;
	while (text.len != 0) {
		struct str before = str_sub(text, 0, str_find(text, '&'));
		char bytes[4];
		uint32_t rune;
		struct str name;

		buf_put(&buf, before);
		if (before.len == text.len)
			break;
		text = str_sub(text, before.len + 1, text.len);
		if (str_find(text, ';') == text.len)
			return fail(r, DRAWING_DAMAGED);
		name = str_cut(text, ';', &text);
		rune = rune_of(name);
		if (rune == 0)
			return fail(r, DRAWING_DAMAGED);
		buf_put(&buf, str_of_rune(bytes, rune));
	}
	*out = buf_str(&buf);
	return true;
}

/* --- Attributes --- */

struct values {
	struct str of[ATTRIBUTES]; /* decoded; base NULL: it is not there */
	struct str view_box, style;
};

/*
 * `style` is what its declarations say as attributes, which it outdoes: the last of each that has its form, as a browser, too,
 * passes over what it does not know.
 */
static void
take_style(struct reader *r, struct values *values)
{
	struct str style = values->style;

	while (style.len != 0) {
		struct str value, importance, name = str_trim(str_cut(str_cut(style, ';', &style), ':', &value));

		value = str_cut(value, '!', &importance);
		for (size_t i = 0; i < ATTRIBUTES; i++)
			if (attributes[i].form != ID && attributes[i].form != WHOLE_PART &&
			    str_eq(name, str_of(attributes[i].name)) && value_of(r->arena, attributes[i].form, value).len != 0)
				values->of[i] = value;
	}
}

static bool
take_value(struct reader *r, struct str name, struct str value, struct values *out)
{
	struct str local = str_ends(name, STR(":href")) ? STR("href") : name;

	for (size_t i = 0; i < ATTRIBUTES; i++)
		if (str_eq(local, str_of(attributes[i].name))) {
			if (out->of[i].base != NULL && attributes[i].form != WHOLE_PART)
				return fail(r, DRAWING_DAMAGED);
			out->of[i] = value;
		}
	if (str_eq(name, STR("viewBox")))
		out->view_box = value;
	if (str_eq(name, STR("style")))
		out->style = value;
	r->classed |= str_eq(name, STR("class"));
	return true;
}

/* name="value" …, up to the sign behind the last. */
static bool
take_attributes(struct reader *r, struct values *out)
{
	for (;;) {
		size_t before = r->at;
		struct str name, value, left;
		char quote;

		pass_blanks(r);
		name = take_name(r);
		if (name.len == 0)
			break;
		if (r->at == before + name.len)
			return fail(r, DRAWING_DAMAGED);
		pass_blanks(r);
		if (!str_starts(rest(r), STR("=")))
			return fail(r, DRAWING_DAMAGED);
		r->at++;
		pass_blanks(r);
		left = rest(r);
		quote = left.len != 0 ? left.base[0] : ' ';
		left = str_sub(left, 1, left.len);
		value = str_sub(left, 0, str_find(left, quote));
		if ((quote != '"' && quote != '\'') || value.len == left.len || str_find(value, '<') != value.len)
			return fail(r, DRAWING_DAMAGED);
		r->at += value.len + 2;
		if (!decode(r, value, &value) || !take_value(r, name, value, out))
			return false;
	}
	take_style(r, out);
	return true;
}

/* This element draws what is named so. */
static bool
note_copy(struct reader *r, struct str id)
{
	if (r->copy_count == DRAWING_COPIES_MAX)
		return fail(r, DRAWING_LARGE);
	r->copies[r->copy_count++] = (struct copy){r->kept - 1, id, NULL};
	return true;
}

static bool
put_attributes(struct reader *r, const struct element *element, const struct values *values)
{
	for (size_t i = 0; i < ATTRIBUTES; i++) {
		enum form form = attributes[i].form;
		struct str value = value_of(r->arena, form, values->of[i]);

		if (value.len == 0 || (form == WHOLE_PART && (element->is & LINKS) == 0))
			continue;
		if (form == PART && !note_copy(r, part_named(value)))
			return false;
		if (form == WHOLE_PART && (element->is & COPIES) != 0 && !note_copy(r, str_sub(value, 1, value.len)))
			return false;
		buf_fmt(r->out, " %s=\"", attributes[i].name);
		escape_html(r->out, value);
		buf_putc(r->out, '"');
	}
	return true;
}

static void
find_parts(struct reader *r)
{
	for (size_t i = 0; i < r->copy_count; i++)
		for (size_t p = 0; p < r->part_count && r->copies[i].part == NULL; p++)
			if (str_eq(r->parts[p].id, r->copies[i].of))
				r->copies[i].part = &r->parts[p];
}

/* How much more may be drawn, after all of this part; 0: it is too much. */
static size_t
draw(const struct reader *r, size_t from, size_t to, unsigned deep, size_t left)
{
	if (deep > DRAWING_COPIES_DEEP || left <= to - from)
		return 0;
	left -= to - from;
	for (size_t i = 0; i < r->copy_count && left != 0; i++) {
		const struct copy *copy = &r->copies[i];

		if (copy->part != NULL && copy->at >= from && copy->at < to)
			left = draw(r, copy->part->from, copy->part->to, deep + 1, left);
	}
	return left;
}

/* --- The root --- */

/* A number at the beginning of *text, which is cut off with what separates it from the next. */
static bool
take_number(struct arena *arena, struct str *text, double *out)
{
	char *begin = str_cstring(arena, str_trim(*text)), *end;
	size_t used;

	*out = strtod(begin, &end);
	used = (size_t)(end - begin);
	*text = str_trim(str_sub(str_trim(*text), used, text->len));
	if (str_starts(*text, STR(",")))
		*text = str_sub(*text, 1, text->len);
	return used != 0 && isfinite(*out);
}

static struct str
value_named(const struct values *values, const char *name)
{
	for (size_t i = 0; i < ATTRIBUTES; i++)
		if (strcmp(attributes[i].name, name) == 0)
			return values->of[i];
	return STR("");
}

/* In pixels; 0: it says so otherwise, or not. */
static double
pixels(struct arena *arena, struct str text)
{
	double number;

	if (!take_number(arena, &text, &number) || (text.len != 0 && !str_eq(text, STR("px"))))
		return 0;
	return number;
}

/* Four numbers, of which the last two are the sides; else its width and height. Writes them in their plain form. */
static bool
take_size(struct reader *r, const struct values *values, double box[4])
{
	struct str text = values->view_box;
	double longer;

	for (size_t i = 0; i < 4; i++)
		if (!take_number(r->arena, &text, &box[i]))
			box[3] = 0;
	if (values->view_box.len == 0) {
		box[0] = box[1] = 0;
		box[2] = pixels(r->arena, value_named(values, "width"));
		box[3] = pixels(r->arena, value_named(values, "height"));
	}
	for (size_t i = 0; i < 4; i++) {
		if (!(fabs(box[i]) < 1e6))
			return false;
		/* As it is written, so that its size is that of what is written. */
		box[i] = strtod(str_fmt(r->arena, "%g", box[i]).base, NULL);
	}
	if (!(box[2] > 0.001) || !(box[3] > 0.001))
		return false;
	longer = box[2] > box[3] ? box[2] : box[3];
	r->size.width = (int64_t)ceil(box[2] / longer * MEDIA_WIDTH_MAX);
	r->size.height = (int64_t)ceil(box[3] / longer * MEDIA_WIDTH_MAX);
	return true;
}

/* Its size is that of its address: a browser that is told less shows some of them not at all. */
static bool
put_root(struct reader *r, struct values *values)
{
	double box[4] = {0};

	r->sized = take_size(r, values, box);
	/* Those of shapes are not its own. */
	for (size_t i = 0; i < ATTRIBUTES; i++)
		if (attributes[i].form == NUMBERS && strchr(attributes[i].name, '-') == NULL &&
		    strcmp(attributes[i].name, "opacity") != 0)
			values->of[i] = STR("");
	buf_fmt(r->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%lld\" height=\"%lld\" viewBox=\"%g %g %g %g\"",
	    (long long)r->size.width, (long long)r->size.height, box[0], box[1], box[2], box[3]);
	return put_attributes(r, &root, values);
}

/* --- Elements --- */

static struct str
local_name(struct str name)
{
	return str_starts(name, STR("svg:")) ? str_sub(name, 4, name.len) : name;
}

static const struct element *
element_of(struct str name)
{
	for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++)
		if (str_eq(name, str_of(elements[i].name)))
			return &elements[i];
	return NULL;
}

/* Is what stands here left away, with all that is in it? */
static bool
is_lost(const struct reader *r)
{
	return r->depth != 0 && r->open[r->depth - 1].kept == NULL;
}

static bool
put_element(struct reader *r, const struct element *element, const struct values *values)
{
	buf_fmt(r->out, "<%s", element->as);
	return put_attributes(r, element, values);
}

static bool
begin(struct reader *r)
{
	struct str name = take_name(r), local = local_name(name);
	struct values values = {0};
	struct open *open = &r->open[r->depth];
	bool ends;

	if (name.len == 0 || !take_attributes(r, &values))
		return fail(r, DRAWING_DAMAGED);
	ends = str_starts(rest(r), STR("/>"));
	if (!ends && !str_starts(rest(r), STR(">")))
		return fail(r, DRAWING_DAMAGED);
	r->at += ends ? 2 : 1;
	if (r->depth == DRAWING_DEPTH_MAX || ++r->elements > DRAWING_ELEMENTS_MAX)
		return fail(r, DRAWING_LARGE);
	if (r->depth == 0 && (r->rooted || !str_eq(local, STR("svg"))))
		return fail(r, DRAWING_DAMAGED);
	*open = (struct open){name, r->depth == 0 ? &root : is_lost(r) ? NULL : element_of(local), NULL};
	r->styled |= str_eq(local, STR("style"));
	r->rooted = true;
	if (open->kept != NULL) {
		struct str id = value_of(r->arena, ID, value_named(&values, "id"));

		r->kept++;
		r->shapes += (open->kept->is & SHAPE) != 0;
		if (id.len != 0) {
			open->part = &r->parts[r->part_count++];
			*open->part = (struct part){id, r->kept - 1, r->kept};
		}
		if (open->kept == &root ? !put_root(r, &values) : !put_element(r, open->kept, &values))
			return false;
		buf_put(r->out, ends ? STR("/>") : STR(">"));
	}
	r->depth += !ends;
	return true;
}

static bool
end(struct reader *r)
{
	struct str name = take_name(r);
	const struct open *open;

	pass_blanks(r);
	if (r->depth == 0 || !str_starts(rest(r), STR(">")) || !str_eq(name, r->open[r->depth - 1].name))
		return fail(r, DRAWING_DAMAGED);
	r->at++;
	open = &r->open[--r->depth];
	if (open->kept != NULL)
		buf_fmt(r->out, "</%s>", open->kept->as);
	if (open->part != NULL)
		open->part->to = r->kept;
	return true;
}

/* Words are kept where there is room for them. Around the drawing there is none for any. */
static bool
text(struct reader *r, struct str words, bool as_it_is)
{
	if (!as_it_is && !decode(r, words, &words))
		return false;
	if (r->depth == 0)
		return str_trim(words).len == 0 || fail(r, DRAWING_DAMAGED);
	if (!is_lost(r) && (r->open[r->depth - 1].kept->is & WORDS) != 0)
		escape_html(r->out, words);
	return true;
}

/* One thing that begins with "<". */
static bool
markup(struct reader *r)
{
	struct str left = rest(r);
	size_t from;

	if (str_starts(left, STR("<!--"))) {
		r->at += 4;
		return pass(r, "-->");
	}
	if (str_starts(left, STR("<?")))
		return pass(r, "?>");
	if (str_starts(left, STR("<![CDATA["))) {
		from = r->at += 9;
		return pass(r, "]]>") && text(r, str_sub(r->in, from, r->at - 3 - from), true);
	}
	if (str_starts(left, STR("<!DOCTYPE"))) {
		from = r->at;
		if (r->rooted || !pass(r, ">"))
			return fail(r, DRAWING_DAMAGED);
		left = str_sub(r->in, from, r->at - from);
		return str_find(left, '[') == left.len || fail(r, DRAWING_ENTITIES);
	}
	r->at++;
	if (!str_starts(rest(r), STR("/")))
		return begin(r);
	r->at++;
	return end(r);
}

/* --- All of it --- */

static bool
is_text(struct str bytes)
{
	for (size_t i = 0; i < bytes.len; i++) {
		struct str three = str_sub(bytes, i, 3);
		unsigned char c = (unsigned char)bytes.base[i];

		if (c < 0x80 ? !is_rune(c) : str_eq(three, STR("\xef\xbf\xbe")) || str_eq(three, STR("\xef\xbf\xbf")))
			return false;
	}
	return str_utf8(bytes);
}

static struct str
without_mark(struct str bytes)
{
	return str_starts(bytes, STR("\xef\xbb\xbf")) ? str_sub(bytes, 3, bytes.len) : bytes;
}

bool
drawing_is(struct str bytes)
{
	enum { LOOKED_AT = 4096 };
	struct str head = str_trim(str_sub(without_mark(bytes), 0, LOOKED_AT));

	return str_starts(head, STR("<")) && (memmem(head.base, head.len, "<svg", 4) != NULL ||
					      memmem(head.base, head.len, "<!DOCTYPE svg", 13) != NULL);
}

enum drawing_verdict
drawing_clean(struct str bytes, struct buf *out, struct media_size *size)
{
	struct reader *r = ARENA_NEW(out->arena, struct reader);

	*r = (struct reader){.in = without_mark(bytes), .out = out, .arena = out->arena};
	if (bytes.len > DRAWING_BYTES_MAX)
		return DRAWING_LARGE;
	if (!is_text(r->in))
		return DRAWING_DAMAGED;
	while (r->at < r->in.len) {
		struct str words = str_sub(rest(r), 0, str_find(rest(r), '<'));

		r->at += words.len;
		if (!text(r, words, false) || (r->at < r->in.len && !markup(r)))
			return r->wrong;
	}
	if (r->depth != 0 || !r->rooted)
		return DRAWING_DAMAGED;
	if (!r->sized || r->shapes == 0 || (r->styled && r->classed))
		return DRAWING_BARE;
	find_parts(r);
	/* A quotation mark has six bytes once it is written. */
	if (draw(r, 0, r->kept, 0, DRAWING_ELEMENTS_MAX + 1) == 0 || out->len > DRAWING_BYTES_MAX)
		return DRAWING_LARGE;
	*size = r->size;
	return DRAWING_GOOD;
}
