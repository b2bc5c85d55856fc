#include "cli/seed_text.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/post/ranking.h"

enum { DIGITS_MOST = 9, CHANCE_MOST = 0x3fffff, SECOND = 1000 };

/* What may stand between the @ and the brace. */
enum placeholder { TIME, ID, HOT, PLACEHOLDERS };
static const struct str openings[PLACEHOLDERS] = {
    [TIME] = STR_INIT("@{"), [ID] = STR_INIT("@id{"), [HOT] = STR_INIT("@hot{")};

/* Up to `most` digits at the front of *text, which is moved past them. */
static bool
take_number(struct str *text, int64_t most, int64_t *out)
{
	size_t digits = 0;

	while (digits < text->len && text->base[digits] >= '0' && text->base[digits] <= '9')
		digits++;
	if (digits == 0 || digits > DIGITS_MOST || !str_int(str_sub(*text, 0, digits), out))
		return false;
	*text = str_sub(*text, digits, text->len);
	return *out <= most;
}

/* "-3d4h12m": the offset in milliseconds. */
static bool
read_offset(struct str text, int64_t *out)
{
	static const struct {
		char letter;
		int64_t seconds;
	} units[] = {{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
	int64_t sign, total = 0, number;
	size_t unit = 0;

	if (text.len < 2 || (text.base[0] != '-' && text.base[0] != '+'))
		return false;
	sign = text.base[0] == '-' ? -1 : 1;
	text = str_sub(text, 1, text.len);
	while (text.len > 0) {
		if (!take_number(&text, INT32_MAX, &number) || text.len == 0)
			return false;
		while (unit < 4 && units[unit].letter != text.base[0])
			unit++;
		if (unit == 4)
			return false;
		total += number * units[unit++].seconds;
		text = str_sub(text, 1, text.len);
	}
	*out = sign * total * SECOND;
	return true;
}

/* Replaces what is in the braces. */
static bool
replace(struct arena *arena, enum placeholder what, struct str inside, int64_t now, struct buf *out)
{
	struct str rest, offset_text = str_cut(inside, ':', &rest);
	int64_t offset, number = 0;

	if (!read_offset(offset_text, &offset))
		return false;
	if (what == TIME && offset_text.len < inside.len)
		return false;
	if (what != TIME &&
	    (!take_number(&rest, what == ID ? CHANCE_MOST : INT32_MAX, &number) || rest.len != 0))
		return false;
	switch (what) {
	case TIME: buf_put(out, time_format(arena, now + offset)); break;
	case ID: buf_put(out, id_make(arena, now + offset, (uint32_t)number)); break;
	case HOT: buf_put(out, ranking_hot(arena, now + offset, number)); break;
	case PLACEHOLDERS: return false;
	}
	return true;
}

static enum placeholder
opening_of(struct str text)
{
	enum placeholder what = TIME;

	while (what < PLACEHOLDERS && !str_starts(text, openings[what]))
		what++;
	return what;
}

bool
seed_expand_text(
    struct arena *arena, int64_t now, struct str text, struct str *out, struct str *why)
{
	struct buf result = {.arena = arena};
	size_t at;

	*out = text;
	if (str_find(text, '@') == text.len)
		return true;
	for (; (at = str_find(text, '@')) < text.len;) {
		struct str rest = str_sub(text, at, text.len);
		enum placeholder what = opening_of(rest);
		size_t close = str_find(rest, '}');
		size_t used = 1;

		buf_put(&result, str_sub(text, 0, at));
		if (what == PLACEHOLDERS) {
			buf_putc(&result, '@');
			/*
			 * The first of two @ is removed where the second would begin a placeholder.
			 */
			if (opening_of(str_sub(rest, 1, rest.len)) != PLACEHOLDERS)
				used = 2;
		} else {
			size_t open = openings[what].len;

			used = close + 1;
			if (close == rest.len ||
			    !replace(
				arena, what, str_sub(rest, open, close - open), now, &result)) {
				*why = str_fmt(arena, "\"%.*s\" is no placeholder that can be read",
				    STR_ARGS(str_sub(rest, 0, used < 40 ? used : 40)));
				return false;
			}
		}
		text = str_sub(rest, used, rest.len);
	}
	buf_put(&result, text);
	*out = buf_str(&result);
	return true;
}

static bool
expand_value(struct arena *arena, int64_t now, struct value *value, struct str *why)
{
	switch (value->kind) {
	case VALUE_STRING: return seed_expand_text(arena, now, value->string, &value->string, why);
	case VALUE_MAP: return seed_expand(arena, now, &value->map, why);
	case VALUE_LIST:
		for (size_t i = 0; i < value->list.count; i++)
			if (!expand_value(arena, now, &value->list.values[i], why))
				return false;
		return true;
	case VALUE_STRING_SET:
		for (size_t i = 0; i < value->set.count; i++)
			if (!seed_expand_text(
				arena, now, value->set.members[i], &value->set.members[i], why))
				return false;
		*value = value_set(arena, value->set.members, value->set.count);
		return true;
	case VALUE_NUMBER:
	case VALUE_BOOLEAN:
	case VALUE_NULL:
	case VALUE_BINARY: return true;
	}
	return true;
}

bool
seed_expand(struct arena *arena, int64_t now, struct item *item, struct str *why)
{
	for (size_t i = 0; i < item->count; i++)
		if (!expand_value(arena, now, &item->attributes[i].value, why))
			return false;
	return true;
}
