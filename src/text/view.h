#ifndef TEXT_VIEW_H
#define TEXT_VIEW_H

#include "base/str.h"

/*
 * A view is what a template sees: a struct that a page fills, and a table that gives each of its
 * members a name and a kind. The table is checked twice: the compiler proves that each member has
 * the C type of its kind, and every template is compiled against it before the program answers
 * anybody.
 *
 *	struct post_view {
 *		struct str title;
 *		struct html body;
 *		bool closed;
 *		int64_t likes;
 *		struct person_view author;
 *		const struct rating_view *rating;
 *		LIST_OF(struct comment_view) comments;
 *		LIST_OF(struct str) tags;
 *	};
 *
 *	VIEW_FIELDS(post_view, STRING(title), HTML(body), FLAG(closed), NUMBER(likes),
 *	    VIEW(author, person_view), OPTION(rating, rating_view), LIST(comments, comment_view),
 *	    STRINGS(tags))
 *
 * defines `const struct view_type post_view_type`. It stands in one .c file, at file level and
 * without a semicolon; a view that several pages share has its struct and an `extern const struct
 * view_type` in a header. A view may hold a list of itself: a thread of comments does.
 *
 * What a view points to belongs to whoever filled it and has to live until the page is rendered.
 */

/*
 * HTML that is safe as it stands, and the only thing that `{{{name}}}` accepts. Two functions make it, by
 * html_trusted(), each of which says why its text can be trusted: one of the Markdown renderer, and escape_json().
 * t/layers.t sees to it that there is no third.
 */
struct html {
	struct str text;
};

static inline struct html
html_trusted(struct str text)
{
	return (struct html){text};
}

enum view_kind {
	VIEW_STRING, /* struct str: {{x}} escapes; a section when not empty, in which {{.}} is it */
	VIEW_HTML,   /* struct html: {{{x}}}; a section when not empty, in which {{{.}}} is it */
	VIEW_NUMBER, /* int64_t: {{x}} in decimal; a section when not 0, in which {{.}} is it */
	VIEW_COUNT,  /* size_t, like a number: what {{list.count}} is */
	VIEW_FLAG,   /* bool: a section when true; cannot be printed */
	VIEW_LIST,   /* struct view_list: a section for each element, inside that element */
	VIEW_VIEW, /* a struct in the struct: a section, always shown, inside it; {{a.b}} reaches in */
	VIEW_OPTION, /* a pointer to a struct: the same when it is not NULL */
};

struct view_field {
	const char *name; /* as templates write it; "." in the types of plain values */
	enum view_kind kind;
	size_t offset;                /* in the view's struct */
	const struct view_type *type; /* of a view, an option, or a list's elements; else NULL */
};

struct view_type {
	const char *name; /* for messages to whoever writes templates */
	size_t size;
	const struct view_field *fields;
	size_t count;
	/* Of a struct whose members are declared elsewhere, in place of a table. False: it has none of that name. */
	bool (*find)(struct str name, struct view_field *out);
};

/* What LIST_OF() looks like to those who do not know the element. */
struct view_list {
	const void *items;
	size_t count;
};

/* A list as a member of a view: `view.comments.items = array; view.comments.count = n;`. */
#define LIST_OF(element)              \
	struct {                      \
		const element *items; \
		size_t count;         \
	}

/* The views of plain values, each with the one field ".": elements of lists, insides of sections. */
extern const struct view_type view_of_string, view_of_html, view_of_number, view_of_count;

/* The field of that name. False: there is none. */
bool view_find(const struct view_type *type, struct str name, struct view_field *out);

#define VIEW_FIELDS(view, ...)                                                           \
	extern const struct view_type view##_type;                                       \
	static const struct view_field view##_fields[] = {                               \
	    VIEW_EACH(VIEW_FIELD, view, __VA_ARGS__)};                                   \
	const struct view_type view##_type = {#view, sizeof(struct view), view##_fields, \
	    sizeof(view##_fields) / sizeof(view##_fields[0]), NULL};

/* --- What VIEW_FIELDS() is made of. ------------------------------------------------------------- */

/* The kinds of fields: how to check the member's C type, and the type of what is inside. */
#define VIEW_AS_STRING(member) member, VIEW_STRING, VIEW_IS, struct str, NULL
#define VIEW_AS_HTML(member) member, VIEW_HTML, VIEW_IS, struct html, NULL
#define VIEW_AS_NUMBER(member) member, VIEW_NUMBER, VIEW_IS, int64_t, NULL
#define VIEW_AS_FLAG(member) member, VIEW_FLAG, VIEW_IS, bool, NULL
#define VIEW_AS_VIEW(member, of) member, VIEW_VIEW, VIEW_IS, struct of, &of##_type
#define VIEW_AS_OPTION(member, of) member, VIEW_OPTION, VIEW_IS, const struct of *, &of##_type
#define VIEW_AS_LIST(member, of) member, VIEW_LIST, VIEW_LISTS, const struct of *, &of##_type
#define VIEW_AS_STRINGS(member) member, VIEW_LIST, VIEW_LISTS, const struct str *, &view_of_string

#define VIEW_FIELD(view, field) VIEW_FIELD_AS(view, VIEW_AS_##field)
#define VIEW_FIELD_AS(view, ...) VIEW_FIELD_MADE(view, __VA_ARGS__)
#define VIEW_FIELD_MADE(view, member, kind, check, wanted, of) \
	{#member, kind, offsetof(struct view, member) + check(struct view, member, wanted), of},

/* 0, or an error of the compiler: is the member, or the element of the list, of that C type? */
#define VIEW_IS(of, member, wanted) \
	VIEW_CHECK(__typeof__(((of *)NULL)->member), wanted, #member " is not " #wanted)
#define VIEW_LISTS(of, member, wanted) \
	VIEW_CHECK(__typeof__(((of *)NULL)->member.items), wanted, #member ".items is not " #wanted)
#define VIEW_CHECK(has, wanted, message)                                            \
	(0 * sizeof(struct {                                                        \
		_Static_assert(__builtin_types_compatible_p(has, wanted), message); \
		int unused;                                                         \
	}))

/* macro(arg, x) for each x, 64 at most: a round of VIEW_REPEAT lets the preprocessor take one step. */
#define VIEW_EACH(macro, arg, ...) VIEW_REPEAT(VIEW_STEP(macro, arg, __VA_ARGS__))
#define VIEW_STEP(macro, arg, first, ...) \
	macro(arg, first) __VA_OPT__(VIEW_STEP_AGAIN VIEW_PARENS(macro, arg, __VA_ARGS__))
#define VIEW_PARENS ()
#define VIEW_STEP_AGAIN() VIEW_STEP
#define VIEW_REPEAT(...) VIEW_REPEAT_3(VIEW_REPEAT_3(VIEW_REPEAT_3(VIEW_REPEAT_3(__VA_ARGS__))))
#define VIEW_REPEAT_3(...) VIEW_REPEAT_2(VIEW_REPEAT_2(VIEW_REPEAT_2(VIEW_REPEAT_2(__VA_ARGS__))))
#define VIEW_REPEAT_2(...) VIEW_REPEAT_1(VIEW_REPEAT_1(VIEW_REPEAT_1(VIEW_REPEAT_1(__VA_ARGS__))))
#define VIEW_REPEAT_1(...) __VA_ARGS__

#endif
