/*
 * The reader of json.h: one pass over the text, without a tree. The callers' own nesting is the stack;
 * `fresh` alone tells whether a comma must come, because whoever leaves an object or an array has read
 * at least one element of what is around it.
 */
#include "table/json.h"

struct json_reader
json_reader(struct arena *arena, struct str text)
{
	return (struct json_reader){
	    .arena = arena,
	    .text = text,
	    .at = text.base,
	    .end = text.len != 0 ? text.base + text.len : text.base,
	};
}

bool
json_fail(struct json_reader *in, const char *why)
{
	if (in->error.why == NULL) {
		in->error.why = why;
		in->error.offset = in->text.len - (size_t)(in->end - in->at);
	}
	/* With nothing left to read, everything that follows fails by itself. */
	in->at = in->end;
	return false;
}

/* The next byte that is not white space, or -1 at the end. */
static int
next(struct json_reader *in)
{
	while (in->at != in->end) {
		char c = *in->at;

		if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
			return (unsigned char)c;
		in->at++;
	}
	return -1;
}

/* Moves behind this byte, if it comes next. */
static bool
take(struct json_reader *in, char c, const char *why)
{
	if (next(in) != c)
		return json_fail(in, why);
	in->at++;
	return true;
}

enum json_kind
json_peek(struct json_reader *in)
{
	int c = next(in);

	switch (c) {
	case '{': return JSON_OBJECT;
	case '[': return JSON_ARRAY;
	case '"': return JSON_STRING;
	case 't':
	case 'f': return JSON_BOOLEAN;
	case 'n': return JSON_NULL;
	default: return c == '-' || (c >= '0' && c <= '9') ? JSON_NUMBER : JSON_NOTHING;
	}
}

bool
json_end(struct json_reader *in)
{
	if (in->error.why != NULL)
		return false;
	return next(in) == -1 || json_fail(in, "there is more behind the end");
}

/* --- Objects and arrays ---------------------------------------------------------------------- */

bool
json_object(struct json_reader *in)
{
	in->fresh = true;
	return take(in, '{', "an object must be here");
}

bool
json_array(struct json_reader *in)
{
	in->fresh = true;
	return take(in, '[', "an array must be here");
}

/* Is there one more before `close`? Moves behind the comma, or behind `close`. */
static bool
more(struct json_reader *in, char close)
{
	bool fresh = in->fresh;
	int c = next(in);

	in->fresh = false;
	if (c == close) {
		in->at++;
		return false;
	}
	return fresh || take(in, ',', "a comma or the end must be here");
}

bool
json_name(struct json_reader *in, struct str *name)
{
	return more(in, '}') && json_string(in, name) && take(in, ':', "a colon must be here");
}

bool
json_element(struct json_reader *in)
{
	/* A comma promises an element; who reads it will find a bracket in its place. */
	return more(in, ']') && (next(in) != -1 || json_fail(in, "the text ends in an array"));
}

/* --- Other scalars --------------------------------------------------------------------------- */

static size_t
digits(struct json_reader *in)
{
	const char *start = in->at;

	while (in->at != in->end && *in->at >= '0' && *in->at <= '9')
		in->at++;
	return (size_t)(in->at - start);
}

/* Moves behind this byte if it is here. */
static bool
optional(struct json_reader *in, char c)
{
	if (in->at == in->end || *in->at != c)
		return false;
	in->at++;
	return true;
}

bool
json_number(struct json_reader *in, struct str *out)
{
	const char *start;
	bool good;

	*out = (struct str){NULL, 0};
	next(in);
	start = in->at;
	optional(in, '-');
	good = optional(in, '0') || digits(in) != 0;
	if (good && optional(in, '.'))
		good = digits(in) != 0;
	if (good && (optional(in, 'e') || optional(in, 'E'))) {
		if (!optional(in, '-'))
			optional(in, '+');
		good = digits(in) != 0;
	}
	if (!good)
		return json_fail(in, "a number must be here");
	*out = (struct str){start, (size_t)(in->at - start)};
	return true;
}

bool
json_int(struct json_reader *in, int64_t *out)
{
	struct str number;

	*out = 0;
	return json_number(in, &number) &&
	       (str_int(number, out) || json_fail(in, "a number is not whole or not of 64 bits"));
}

static bool
word(struct json_reader *in, struct str text)
{
	next(in);
	if (!str_starts((struct str){in->at, (size_t)(in->end - in->at)}, text))
		return false;
	in->at += text.len;
	return true;
}

bool
json_boolean(struct json_reader *in, bool *out)
{
	*out = word(in, STR("true"));
	return *out || word(in, STR("false")) || json_fail(in, "true or false must be here");
}

bool
json_null(struct json_reader *in)
{
	return word(in, STR("null")) || json_fail(in, "null must be here");
}

/* --- Skipping -------------------------------------------------------------------------------- */

static bool
skip(struct json_reader *in, unsigned depth)
{
	struct str ignored;
	bool flag;

	switch (json_peek(in)) {
	case JSON_STRING: return json_string(in, &ignored);
	case JSON_NUMBER: return json_number(in, &ignored);
	case JSON_BOOLEAN: return json_boolean(in, &flag);
	case JSON_NULL: return json_null(in);
	case JSON_NOTHING: return json_fail(in, "a value must be here");
	case JSON_OBJECT:
	case JSON_ARRAY: break;
	}
	if (depth == JSON_SKIP_DEPTH)
		return json_fail(in, "objects and arrays are nested too deep");
	if (json_peek(in) == JSON_OBJECT) {
		json_object(in);
		while (json_name(in, &ignored))
			skip(in, depth + 1);
	} else {
		json_array(in);
		while (json_element(in))
			skip(in, depth + 1);
	}
	return in->error.why == NULL;
}

bool
json_skip(struct json_reader *in)
{
	return skip(in, 0);
}
