/* The kind of an item, by its Type or its key. */
#include "base/clock.h"
#include "model/kinds.h"

enum { TIME_LEN = 24 };

const struct kind *
kind_of(const struct item *item)
{
	struct str type = item_string(item, STR("Type"));

	for (size_t i = 0; i < ITEM_KINDS; i++)
		if (str_eq(item_kinds[i].type, type))
			return &item_kinds[i];
	return NULL;
}

bool
kind_is(const struct item *item, enum item_kind kind)
{
	return str_eq(item_string(item, STR("Type")), item_kinds[kind].type);
}

struct value
kind_type(enum item_kind kind)
{
	return value_string(item_kinds[kind].type);
}

bool
kind_derived_by(const struct kind *kind, struct str derivation)
{
	for (const struct str *name = kind->derived_by; name->len != 0; name++)
		if (str_eq(*name, derivation))
			return true;
	return false;
}

/* Does the value fit the placeholder of that name? */
static bool
value_fits(struct str name, struct str value)
{
	struct str rest, digits = str_cut(name, ' ', &rest);
	int64_t number;

	if (str_eq(name, STR("t")))
		return value.len == TIME_LEN && time_parse(value, &number);
	if (!str_eq(rest, STR("digits")))
		return value.len != 0;
	for (size_t i = 0; i < value.len; i++)
		if (value.base[i] < '0' || value.base[i] > '9')
			return false;
	return str_int(digits, &number) && value.len == (size_t)number;
}

static bool
text_fits(struct str pattern, struct str text)
{
	while (pattern.len != 0) {
		size_t literal = str_find(pattern, '<');
		struct str rest, value;

		if (!str_starts(text, str_sub(pattern, 0, literal)))
			return false;
		text = str_sub(text, literal, text.len);
		if (literal == pattern.len)
			break;
		pattern = str_sub(pattern, literal + 1, pattern.len);
		pattern = str_cut(pattern, '>', &rest);
		value = rest.len != 0 ? str_sub(text, 0, str_find(text, '#')) : text;
		if (!value_fits(pattern, value))
			return false;
		pattern = rest;
		text = str_sub(text, value.len, text.len);
	}
	return text.len == 0;
}

bool
item_place_fits(const struct item_place *place, struct str pk, struct str sk)
{
	return text_fits(place->pk, pk) && text_fits(place->sk, sk);
}

const struct kind *
kind_of_key(struct key key)
{
	for (size_t i = 0; i < ITEM_KINDS; i++)
		for (const struct item_place *p = item_kinds[i].places;
		     p->index == TABLE_PRIMARY && p->pk.len != 0; p++)
			if (item_place_fits(p, key.pk, key.sk))
				return &item_kinds[i];
	return NULL;
}

bool
kind_unseen(struct key key)
{
	const struct kind *kind = kind_of_key(key);

	return kind != NULL && kind->pages == PAGES_NEVER_SEE;
}

const char *
kind_violation(const struct item *item, struct str *name)
{
	const struct kind *kind = kind_of(item);
	const char *wants = NULL;

	if (kind == NULL || kind->load != LOAD_BY_RULES)
		return NULL;
	for (size_t i = 0; kind->bindings[i] != NULL && wants == NULL; i++)
		wants = bind_violation(kind->bindings[i], item, name);
	return wants;
}
