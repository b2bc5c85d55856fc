#ifndef T_WEB_MARKDOWN_CHECK_H
#define T_WEB_MARKDOWN_CHECK_H

#include "base/arena.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

/*
 * Accepts HTML as the renderer of Markdown may write it, and nothing else: every tag and attribute
 * that is not in the tables below, every invalid value, every misplaced tag is an error. It was
 * written from what is allowed, not from the renderer, to judge its output for any input.
 */
enum { CHECK_DEPTH_MAX = 160 };

struct check_tag {
	const char *name;
	const char *inside; /* the tags that it may be in, each between spaces; "/" is the top */
	const char *attributes;
	bool empty; /* has no end tag */
};

#define CHECK_FLOW " / blockquote li div "
#define CHECK_PHRASE " p li h2 h3 h4 h5 h6 em strong del a th td dt dd figcaption "

static const struct check_tag check_tags[] = {
    {"p", CHECK_FLOW "aside ", " class "},
    {"h2", CHECK_FLOW, " id "},
    {"h3", CHECK_FLOW, " id "},
    {"h4", CHECK_FLOW, " id "},
    {"h5", CHECK_FLOW, " id "},
    {"h6", CHECK_FLOW, " id "},
    {"ul", CHECK_FLOW, ""},
    {"ol", CHECK_FLOW, " start "},
    {"li", " ul ol ", " class "},
    {"dl", CHECK_FLOW, ""},
    {"dt", " dl ", ""},
    {"dd", " dl ", ""},
    {"blockquote", CHECK_FLOW, " class "},
    {"aside", " / ", " class id role "},
    {"pre", CHECK_FLOW, " tabindex role aria-label "},
    {"hr", CHECK_FLOW, "", true},
    {"figure", CHECK_FLOW "figure ", " class "},
    {"figcaption", " figure ", ""},
    {"div", CHECK_FLOW, " class role tabindex aria-label "},
    {"table", " div ", ""},
    {"thead", " table ", ""},
    {"tbody", " table ", ""},
    {"tr", " thead tbody ", ""},
    {"th", " tr ", " scope class "},
    {"td", " tr ", " class colspan "},
    {"code", CHECK_PHRASE "pre ", " class "},
    {"span", " li code ", " class role aria-label "},
    {"b", " a ", ""},
    {"sup", CHECK_PHRASE, ""},
    {"del", CHECK_PHRASE, ""},
    {"em", CHECK_PHRASE, ""},
    {"strong", CHECK_PHRASE, ""},
    {"a", CHECK_PHRASE "sup ", " class id href title rel role aria-label "},
    {"img", CHECK_PHRASE "figure ", " src alt title width height srcset sizes loading decoding ",
	true},
    {"br", CHECK_PHRASE, "", true},
};

struct check {
	struct str html;
	size_t at;
	const struct check_tag *open[CHECK_DEPTH_MAX];
	size_t depth, deepest;
	int level; /* of the last heading */
	int first_level;
	struct str prefix; /* of ids */
	size_t links, images;
	struct arena *arena;
};

static inline bool
check_listed(const char *list, struct str word)
{
	char spaced[64];

	if (word.len > 40)
		return false;
	snprintf(spaced, sizeof(spaced), " %.*s ", STR_ARGS(word));
	return strstr(list, spaced) != NULL;
}

static inline bool
check_all(struct str s, const char *set)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.base[i] == '\0' || strchr(set, s.base[i]) == NULL)
			return false;
	return s.len != 0;
}

/* Where a link leads; `url` has its references undone. */
static inline const char *
check_address(struct str url, bool image)
{
	size_t colon = str_find(url, ':');

	for (size_t i = 0; i < url.len; i++)
		if (url.base[i] <= ' ' || url.base[i] > '~' ||
		    strchr("\\<>\"`{}|^", url.base[i]) != NULL)
			return "an address with a character that it may not have";
	if (url.len == 0 || str_starts(url, STR("//")))
		return "an address that is empty or another host's";
	for (size_t i = 0; i < colon; i++)
		if (strchr("/?#", url.base[i]) != NULL)
			return NULL;
	if (colon == url.len || str_eq_nocase(str_sub(url, 0, 8), STR("https://")))
		return NULL;
	if (!image && (str_eq_nocase(str_sub(url, 0, 7), STR("http://")) ||
			  str_eq_nocase(str_sub(url, 0, 7), STR("mailto:"))))
		return NULL;
	return "an address of another scheme";
}

/* A reference at `at` is one of five; its length, or 0. */
static inline size_t
check_reference(struct str s, size_t at, char *c)
{
	static const struct {
		struct str text;
		char c;
	} references[] = {{STR_INIT("&amp;"), '&'}, {STR_INIT("&lt;"), '<'},
	    {STR_INIT("&gt;"), '>'}, {STR_INIT("&quot;"), '"'}, {STR_INIT("&#39;"), '\''}};

	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++)
		if (str_starts(str_sub(s, at, s.len), references[i].text)) {
			*c = references[i].c;
			return references[i].text.len;
		}
	return 0;
}

/* Text, or a value, with its references undone, in the arena; a base of NULL when it is not escaped. */
static inline struct str
check_unescape(struct arena *arena, struct str s)
{
	char *out = arena_alloc(arena, s.len + 1);
	size_t len = 0;

	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.base[i];

		if (c == '&') {
			size_t reference = check_reference(s, i, &out[len]);

			if (reference == 0)
				return (struct str){NULL, 0};
			i += reference - 1;
			len++;
			continue;
		}
		if (strchr("<>\"'", c) != NULL || (c < ' ' && c != '\n' && c != '\t'))
			return (struct str){NULL, 0};
		out[len++] = (char)c;
	}
	return (struct str){out, len};
}

/* What screen readers say. */
static inline bool
check_label(struct str value)
{
	static const char *const numbered[] = {"Note ", "Back from note "};

	for (size_t i = 0; i < 2; i++)
		if (str_starts(value, str_of(numbered[i])) &&
		    check_all(str_sub(value, strlen(numbered[i]), value.len), "0123456789"))
			return true;
	return str_eq(value, STR("Table")) || str_eq(value, STR("Code")) ||
	       str_eq(value, STR("Done")) || str_eq(value, STR("To do"));
}

static inline const char *
check_value(struct check *c, const struct check_tag *tag, struct str name, struct str value)
{
	static const char digits[] = "0123456789",
			  small[] = "abcdefghijklmnopqrstuvwxyz0123456789+-";
	struct str rest;

	if (str_eq(name, STR("href")) || str_eq(name, STR("src")))
		return check_address(value, tag->empty);
	if (str_eq(name, STR("title")) || str_eq(name, STR("alt")))
		return NULL;
	if (str_eq(name, STR("id")))
		return str_starts(value, c->prefix) && value.len > c->prefix.len &&
			       str_find(value, ' ') == value.len &&
			       str_find(value, '\n') == value.len
			   ? NULL
			   : "an id that is not a heading's";
	if (str_eq(name, STR("rel")))
		return str_eq(value, STR("noopener")) || str_eq(value, STR("nofollow ugc noopener"))
			   ? NULL
			   : "another rel";
	if (str_eq(name, STR("class")) && strcmp(tag->name, "code") == 0) {
		rest = str_sub(value, 9, value.len);
		return str_starts(value, STR("language-")) && check_all(rest, small)
			   ? NULL
			   : "another class";
	}
	if (str_eq(name, STR("class")) && str_eq(value, STR("pictures wide")))
		return strcmp(tag->name, "figure") == 0 ? NULL : "another class";
	if (str_eq(name, STR("class")))
		return check_listed(strcmp(tag->name, "div") == 0          ? " table callout "
				    : strcmp(tag->name, "p") == 0          ? " link-card label "
				    : strcmp(tag->name, "figure") == 0     ? " pictures wide "
				    : strcmp(tag->name, "a") == 0          ? " picture "
				    : strcmp(tag->name, "li") == 0         ? " task "
				    : strcmp(tag->name, "blockquote") == 0 ? " pull "
				    : strcmp(tag->name, "aside") == 0      ? " footnote "
				    : strcmp(tag->name, "span") == 0       ? " c s k n "
									   : " left center right ",
			   value)
			   ? NULL
			   : "another class";
	if (str_eq(name, STR("aria-label")))
		return check_label(value) ? NULL : "another label";
	if (check_listed(" start colspan width height ", name))
		return check_all(value, digits) ? NULL : "not a number";
	if (str_eq(name, STR("sizes")))
		return str_starts(value, STR("(min-width: ")) &&
			       check_all(value, "0123456789(min-width:) px,v")
			   ? NULL
			   : "other sizes";
	/* Pictures of our own, in several widths. */
	if (str_eq(name, STR("srcset"))) {
		static const char of_srcset[] = "0123456789abcdefghijklmnopqrstuvwxyz/-., ";

		return str_starts(value, STR("/media/")) && check_all(value, of_srcset)
			   ? NULL
			   : "another srcset";
	}
	if (check_listed(" role=group role=img role=doc-noteref role=doc-footnote "
			 "role=doc-backlink tabindex=0 scope=col "
			 "loading=lazy decoding=async ",
		str_fmt(c->arena, "%.*s=%.*s", STR_ARGS(name), STR_ARGS(value))))
		return NULL;
	return "an attribute with another value";
}

/* The attributes after a tag's name, and its end. */
static inline const char *
check_attributes(struct check *c, const struct check_tag *tag)
{
	char seen[256] = " ";

	while (c->at < c->html.len && c->html.base[c->at] == ' ') {
		struct str rest = str_sub(c->html, c->at + 1, c->html.len), name, value;
		const char *error;

		name = str_sub(rest, 0, str_find(rest, '='));
		if (!check_listed(tag->attributes, name) || check_listed(seen, name))
			return "an attribute that may not be here";
		snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%.*s ", STR_ARGS(name));
		rest = str_sub(rest, name.len, rest.len);
		if (!str_starts(rest, STR("=\"")))
			return "an attribute without a value in double quotes";
		value = str_sub(rest, 2, str_find(str_sub(rest, 2, rest.len), '"'));
		c->at += 1 + name.len + 2 + value.len + 1;
		value = check_unescape(c->arena, value);
		if (value.base == NULL)
			return "a value that is not escaped";
		error = check_value(c, tag, name, value);
		if (error != NULL)
			return error;
	}
	if (c->at >= c->html.len || c->html.base[c->at] != '>')
		return "a tag that does not end";
	c->at++;
	return NULL;
}

static inline const char *
check_start_tag(struct check *c)
{
	const struct check_tag *tag = NULL;
	const char *parent = c->depth != 0 ? c->open[c->depth - 1]->name : "/";
	size_t len = 0;

	while (c->at + 1 + len < c->html.len && c->html.base[c->at + 1 + len] != ' ' &&
	       c->html.base[c->at + 1 + len] != '>')
		len++;
	for (size_t i = 0; i < sizeof(check_tags) / sizeof(check_tags[0]); i++)
		if (str_eq(str_of(check_tags[i].name), str_sub(c->html, c->at + 1, len)))
			tag = &check_tags[i];
	if (tag == NULL)
		return "a tag that may not be";
	if (!check_listed(tag->inside, str_of(parent)))
		return "a tag out of place";
	for (size_t i = 0; i < c->depth; i++)
		if (tag->name[0] == 'a' && c->open[i] == tag)
			return "a link inside a link";
	if (tag->name[0] == 'h' && tag->name[1] != 'r') {
		int level = tag->name[1] - '0';

		if (level > (c->level != 0 ? c->level : c->first_level - 1) + 1 ||
		    level < c->first_level)
			return "a heading that skips a level";
		c->level = level;
	}
	c->links += strcmp(tag->name, "a") == 0;
	c->images += strcmp(tag->name, "img") == 0;
	c->at += 1 + len;
	if (!tag->empty) {
		if (c->depth == CHECK_DEPTH_MAX)
			return "nested too deeply";
		c->open[c->depth++] = tag;
		c->deepest = c->depth > c->deepest ? c->depth : c->deepest;
	}
	return check_attributes(c, tag);
}

static inline const char *
check_end_tag(struct check *c)
{
	struct str rest = str_sub(c->html, c->at + 2, c->html.len);
	struct str name = str_sub(rest, 0, str_find(rest, '>'));

	if (c->depth == 0 || !str_eq(name, str_of(c->open[c->depth - 1]->name)) ||
	    name.len == rest.len)
		return "an end tag that ends nothing";
	c->depth--;
	c->at += 2 + name.len + 1;
	return NULL;
}

/* Text is where text may be; between blocks there are line ends only. */
static inline const char *
check_text(struct check *c)
{
	struct str rest = str_sub(c->html, c->at, c->html.len);
	struct str text = str_sub(rest, 0, str_find(rest, '<'));
	const char *parent = c->depth != 0 ? c->open[c->depth - 1]->name : "/";

	if (check_unescape(c->arena, text).base == NULL)
		return "text that is not escaped";
	if (!check_listed(CHECK_PHRASE "code span b sup ", str_of(parent)) &&
	    str_trim(text).len != 0)
		return "text out of place";
	c->at += text.len;
	return NULL;
}

/* What is wrong with the HTML, or NULL; c->at is where. */
static inline const char *
check_html(struct check *c)
{
	const char *error = str_utf8(c->html) ? NULL : "not UTF-8";

	while (error == NULL && c->at < c->html.len) {
		struct str rest = str_sub(c->html, c->at, c->html.len);

		if (str_starts(rest, STR("</")))
			error = check_end_tag(c);
		else if (str_starts(rest, STR("<")))
			error = check_start_tag(c);
		else
			error = check_text(c);
	}
	return error == NULL && c->depth != 0 ? "a tag is left open" : error;
}

#endif
