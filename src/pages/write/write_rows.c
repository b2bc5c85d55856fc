#include "pages/write/write_rows.h"

#include "base/arena.h"
#include "model/text_rule.h"
#include "web/form/form.h"
#include "web/form/form_text.h"

#include <inttypes.h>
#include <string.h>

/* What rows are made of, and how long each may be. */
static const struct {
	const char *first, *second, *says;
	int64_t max;
	bool lines;
} kinds_of_rows[ROWS_KINDS] = {
    [ROWS_MATERIALS] = {"material", "amount", "Material", 200, false},
    [ROWS_TOOLS] = {"tool", NULL, "Tool", 200, false},
    [ROWS_STEPS] = {"step", NULL, "Step", 6000, true},
};

const char *
rows_name(enum rows_of of)
{
	return kinds_of_rows[of].first;
}

const char *
rows_second_name(enum rows_of of)
{
	return kinds_of_rows[of].second;
}

size_t
rows_bytes_max(void)
{
	size_t bytes = 0;

	for (int of = 0; of < ROWS_KINDS; of++) {
		const char *second = kinds_of_rows[of].second;
		size_t name = strlen(kinds_of_rows[of].first) + strlen("=&");
		size_t row = name + (size_t)kinds_of_rows[of].max * FORM_LETTER_BYTES;

		bytes += ROWS_MAX * row;
		if (second != NULL)
			bytes += ROWS_MAX * (row + strlen(second));
	}
	return bytes;
}

void
rows_begin(struct arena *arena, struct rows *rows)
{
	*rows = (struct rows){.rows = ARENA_ARRAY(arena, ROWS_MAX + 1, struct row)};
}

void
rows_add(struct rows *rows, struct str first, struct str second)
{
	if (rows->count == ROWS_MAX)
		rows->error = "These are too many rows: 50 at most.";
	else
		rows->rows[rows->count++] = (struct row){first, second};
}

/* What was typed into one, as text; what is wrong with it is said of the whole. */
static struct str
row_text(struct arena *arena, enum rows_of of, struct rows *rows, struct str raw)
{
	int64_t most = kinds_of_rows[of].max;
	struct str text = STR("");
	const char *wrong = NULL;

	if (!str_utf8(raw) || text_has_control(text = text_lines(arena, raw)))
		wrong = "has a character that is not text";
	else if (text_length(text) > most)
		wrong =
		    str_fmt(arena, "is too long: it may have %" PRId64 " characters", most).base;
	else if (!kinds_of_rows[of].lines && str_find(text, '\n') != text.len)
		wrong = "must be one line";
	if (wrong != NULL)
		rows->error =
		    str_fmt(arena, "%s %zu %s.", kinds_of_rows[of].says, rows->count + 1, wrong)
			.base;
	return kinds_of_rows[of].lines ? text_trim_lines(text) : str_trim(text);
}

/* The n-th input of a name; empty when there is none. */
static struct str
nth(const struct parts *inputs, const char *name, size_t n)
{
	for (size_t i = 0; i < inputs->count; i++)
		if (str_eq(inputs->parts[i].name, str_of(name)) && n-- == 0)
			return inputs->parts[i].content;
	return STR("");
}

void
rows_read(struct arena *arena, enum rows_of of, const struct parts *inputs, struct rows *rows)
{
	const char *first = kinds_of_rows[of].first, *second = kinds_of_rows[of].second;
	size_t n = 0;

	rows_begin(arena, rows);
	for (size_t i = 0; i < inputs->count; i++) {
		struct str other = STR("");

		if (!str_eq(inputs->parts[i].name, str_of(first)))
			continue;
		if (second != NULL)
			other = row_text(arena, of, rows, nth(inputs, second, n));
		rows_add(rows, row_text(arena, of, rows, inputs->parts[i].content), other);
		n++;
	}
}

static size_t
full_rows(const struct rows *rows)
{
	size_t count = rows->count;

	while (count != 0 && rows->rows[count - 1].first.len == 0 &&
	       rows->rows[count - 1].second.len == 0)
		count--;
	return count;
}

bool
rows_same(const struct rows *a, const struct rows *b)
{
	size_t count = full_rows(a);

	if (count != full_rows(b))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!str_eq(a->rows[i].first, b->rows[i].first) ||
		    !str_eq(a->rows[i].second, b->rows[i].second))
			return false;
	return true;
}

static void
swap(struct row *a, struct row *b)
{
	struct row was = *a;

	*a = *b;
	*b = was;
}

bool
rows_do(struct rows all[ROWS_KINDS], struct str button)
{
	struct str rest, what = str_cut(button, '-', &rest), place,
			 name = str_cut(rest, '-', &place);
	struct rows *rows = NULL;
	int64_t n = 0;
	size_t i;

	for (int of = 0; of < ROWS_KINDS; of++)
		if (str_eq(name, str_of(rows_name((enum rows_of)of))))
			rows = &all[of];
	if (rows == NULL)
		return false;
	if (str_eq(what, STR("add")) && place.len == 0) {
		rows_add(rows, STR(""), STR(""));
		return true;
	}
	if (!str_int(place, &n) || n < 1 || (size_t)n > rows->count)
		return false;
	i = (size_t)n - 1;
	if (str_eq(what, STR("remove"))) {
		for (; i + 1 < rows->count; i++)
			rows->rows[i] = rows->rows[i + 1];
		rows->count--;
	} else if (str_eq(what, STR("up")) && i > 0) {
		swap(&rows->rows[i], &rows->rows[i - 1]);
	} else if (str_eq(what, STR("down")) && i + 1 < rows->count) {
		swap(&rows->rows[i], &rows->rows[i + 1]);
	}
	return true;
}
