/*
 * Urlencoded forms: for any input, a field has either a value that fits its declaration or an
 * error.
 */
#include "fuzz.h"

#include "base/arena.h"
#include "model/language.h"
#include "model/people/user.h"
#include "model/slug.h"
#include "model/text_rule.h"
#include "web/form/form.h"
#include "web/form/form_text.h"

struct sample {
	struct str a, b, c, d, e, f, o, p;
	int64_t n, t, k;
	bool g;
	struct strings l;
};

static const struct choice choices[] = {
    {STR_INIT("x"), "X", 1},
    {STR_INIT("y"), "Y", 2},
    {{NULL, 0}, NULL, 0},
};

static const struct field fields[] = {
    {FIELD_LINE(struct sample, a), .label = "a", .required = true, .min = 2, .max = 8},
    {FIELD_TEXT(struct sample, b), .label = "b", .max = 40},
    {FIELD_SLUG(struct sample, c), .label = "c"},
    {FIELD_NAME(struct sample, d), .label = "d"},
    {FIELD_EMAIL(struct sample, e), .label = "e"},
    {FIELD_URL(struct sample, f), .label = "f"},
    {FIELD_LANGUAGE(struct sample, o), .label = "o"},
    {FIELD_PASSWORD(struct sample, p), .label = "p", .min = 3},
    {FIELD_NUMBER(struct sample, n), .label = "n", .min = -5, .max = 5},
    {FIELD_TIME(struct sample, t), .label = "t"},
    {FIELD_CHOICE(struct sample, k), .label = "k", .choices = choices},
    {FIELD_FLAG(struct sample, g), .label = "g"},
    {FIELD_LIST(struct sample, l), .label = "l", .max = 4, .count_max = 3},
};
static const struct form form = FORM("sample", struct sample, fields);

static void
check_values(struct arena *arena, const struct form_result *result)
{
	const struct sample *v = result->values;
	struct str again;

	MUST(v->a.len == 0 || (text_length(v->a) >= 2 && text_length(v->a) <= 8));
	MUST(str_find(v->a, '\n') == v->a.len && str_utf8(v->a) && !text_has_control(v->a));
	MUST(text_length(v->b) <= 40 && str_find(v->b, '\r') == v->b.len && str_utf8(v->b));
	MUST(v->c.len == 0 ||
	     (slug_valid(v->c) && slug_typed(arena, v->c, &again) && str_eq(again, v->c)));
	MUST(v->d.len == 0 || (text_is_name(v->d) && v->d.len <= 30));
	MUST(v->e.len == 0 || (email_normal(arena, v->e, &again) && str_eq(again, v->e)));
	MUST(v->f.len == 0 || text_keeps(TEXT_LINK, v->f));
	MUST(v->o.len == 0 || language_valid(v->o));
	MUST(v->n >= -5 && v->n <= 5 && v->k >= 0 && v->k <= 2);
	MUST(v->l.count <= 3);
	for (size_t i = 0; i < v->l.count; i++)
		MUST(v->l.strings[i].len != 0 && text_length(v->l.strings[i]) <= 4);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct pairs_limits limits = {.count = 50, .name_size = 10, .value_size = 300};
	struct arena *arena = arena_new();
	struct form_result result;
	struct parts parts;
	struct pairs pairs;
	size_t errors = 0;

	if (pairs_parse(arena, fuzz_str(data, size), &limits, &pairs) == PAIRS_OK) {
		MUST(pairs.count <= limits.count);
		for (size_t i = 0; i < pairs.count; i++)
			MUST(str_utf8(pairs.pairs[i].name) && str_utf8(pairs.pairs[i].value));
		parts = (struct parts){ARENA_ARRAY(arena, pairs.count, struct part), pairs.count};
		for (size_t i = 0; i < pairs.count; i++) {
			parts.parts[i].name = pairs.pairs[i].name;
			parts.parts[i].content = pairs.pairs[i].value;
		}
		form_read(arena, &form, &parts, &result);
		for (size_t i = 0; i < form.count; i++)
			errors += result.fields[i].error != NULL;
		MUST(errors == result.error_count && result.valid == (errors == 0));
		check_values(arena, &result);
	} else {
		MUST(pairs.count == 0);
	}
	arena_free(arena);
	return 0;
}
