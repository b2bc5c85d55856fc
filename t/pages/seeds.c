/*
 * docs/seeds.md says what became of the five systems from which the table comes. Here each of its rows is tried: the page
 * is there and takes as many requests and round trips as it says, and each attribute and index that it names exists.
 */
#include "browser.h"
#include "t/derive/worker.h"

#include "lib/paths.h"
#include "lib/tap.h"

#include "model/kinds.h"

enum { CELLS = 8, DOCUMENTS = 5 };

static struct str
read_file(struct arena *arena, const char *path)
{
	FILE *file = fopen(path, "r");
	struct buf text = {.arena = arena};
	int c;

	if (file == NULL)
		bail_out("%s can't be read", path);
	while ((c = getc(file)) != EOF)
		buf_putc(&text, (char)c);
	fclose(file);
	return buf_str(&text);
}

static struct str
trimmed(struct str s)
{
	while (s.len != 0 && s.base[0] == ' ')
		s = str_sub(s, 1, s.len);
	while (s.len != 0 && s.base[s.len - 1] == ' ')
		s = str_sub(s, 0, s.len - 1);
	return s;
}

/* The cells of a row of a table; how many. */
static size_t
cells_of(struct str line, struct str cells[CELLS])
{
	size_t count = 0;

	if (!str_starts(line, STR("| ")))
		return 0;
	line = str_sub(line, 2, line.len);
	while (line.len != 0 && count < CELLS)
		cells[count++] = trimmed(str_cut(line, '|', &line));
	return count;
}

/* What stands between backticks, if that is all of a cell. */
static bool
is_code(struct str cell, struct str *code)
{
	*code = cell.len > 2 ? str_sub(cell, 1, cell.len - 2) : STR("");
	return cell.len > 2 && cell.base[0] == '`' && cell.base[cell.len - 1] == '`' &&
	       str_find(*code, '`') == code->len;
}

/* --- Access patterns -------------------------------------------------------------------------------- */

/* A page, as somebody has it who has been there before. */
static void
check_get(struct seeded *s, struct str cells[CELLS], struct str address)
{
	bool stranger = str_eq(cells[4], STR("a stranger"));
	struct browser b =
	    stranger ? browser(s, "192.0.2.9") : browser_of(s, str_cstring(s->arena, cells[4]));
	const char *path = str_cstring(s->arena, address);

	get(&b, path);
	is_int(get(&b, path), HTTP_OK, "%.*s, %.*s: it is there", STR_ARGS(cells[0]),
	    STR_ARGS(cells[1]));
	is_str(str_fmt(s->arena, "%u | %u", b.last.cost.requests, b.last.cost.round_trips),
	    STR_CONCAT(s->arena, cells[5], STR(" | "), cells[6]),
	    "... %s for %.*s, in requests and round trips", path, STR_ARGS(cells[4]));
}

/* A form, or a page whose address the test can't know: t/pages/units.c measures it, and writes it down. */
static void
check_costs(struct seeded *s, struct str costs, struct str cells[CELLS])
{
	struct str begin = STR_CONCAT(s->arena, STR("| "), cells[3]), line, of[CELLS];

	while (costs.len != 0) {
		line = str_cut(costs, '\n', &costs);
		if (!str_starts(line, begin) || cells_of(line, of) < 5)
			continue;
		is_str(STR_CONCAT(s->arena, of[3], STR(" | "), of[4]),
		    STR_CONCAT(s->arena, cells[5], STR(" | "), cells[6]),
		    "%.*s: %.*s, in requests and round trips", STR_ARGS(cells[0]),
		    STR_ARGS(cells[3]));
		return;
	}
	ok(false, "%.*s: docs/costs.md has %.*s", STR_ARGS(cells[0]), STR_ARGS(cells[3]));
}

static bool
is_later(struct str cell)
{
	return str_starts(cell, STR("later: search")) || str_starts(cell, STR("not built: "));
}

/* What was later once, and is there now, says so. */
static void
check_later(struct str text)
{
	size_t wrong = count_of(text, STR("later")) - count_of(text, STR("later: search"));
	is_int((int64_t)wrong, 0, "nothing but search is for later");
}

static void
check_pattern(struct seeded *s, struct str costs, struct str cells[CELLS])
{
	struct str code;

	if (!is_code(cells[3], &code)) {
		ok(is_later(cells[3]), "%.*s: %.*s", STR_ARGS(cells[0]), STR_ARGS(cells[3]));
		return;
	}
	if (str_starts(code, STR("GET ")) && str_find(code, ':') == code.len)
		check_get(s, cells, str_sub(code, 4, code.len));
	else
		check_costs(s, costs, cells);
}

/* Those of each document are numbered from 1, without a gap. */
static void
check_patterns(struct seeded *s, struct str text, struct str costs)
{
	int64_t counted[DOCUMENTS + 1] = {0};

	while (text.len != 0) {
		struct str cells[CELLS], line = str_cut(text, '\n', &text), rest;
		int64_t document, number;

		if (cells_of(line, cells) < 7 ||
		    !str_int(str_cut(cells[0], '.', &rest), &document) || !str_int(rest, &number) ||
		    document < 1 || document > DOCUMENTS)
			continue;
		if (number != ++counted[document])
			ok(false, "%.*s is the next one", STR_ARGS(cells[0]));
		check_pattern(s, costs, cells);
	}
	for (int i = 1; i <= DOCUMENTS; i++)
		ok(counted[i] >= 4, "the patterns of document %d are there", i);
}

/* --- Entities and indexes --------------------------------------------------------------------------- */

/* "User.Email" */
static bool
has_attribute(struct str type, struct str attribute)
{
	for (size_t i = 0; i < ITEM_KINDS; i++)
		if (str_eq(item_kinds[i].type, type))
			return bind_find(item_kinds[i].bindings, attribute) != NULL ||
			       str_eq(attribute, STR("Type"));
	return false;
}

/* The text before what stands for a value: "USER#" of "USER#<u>". */
static struct str
fixed(struct str key)
{
	return str_sub(key, 0, str_find(key, '<'));
}

/* "GSI2 CATEGORY#<slug>" */
static bool
has_index(struct str index, struct str partition)
{
	for (size_t i = 0; i < ITEM_KINDS; i++)
		for (const struct item_place *p = item_kinds[i].places; p->pk.len != 0; p++)
			if (p->index != TABLE_PRIMARY &&
			    str_eq(str_sub(table_pk_name(p->index), 0, 4), index) &&
			    str_eq(fixed(p->pk), fixed(partition)))
				return true;
	return false;
}

static bool
is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* Each piece of code in the document that looks like one of the two. */
static void
check_names(struct seeded *s, struct str text)
{
	size_t attributes = 0, indexes = 0, wrong = 0;
	struct str code;

	(void)s;
	while (between(&text, STR("`"), STR("`"), &code)) {
		struct str rest, first;
		bool right = true;

		if (str_starts(code, STR("GSI")) && str_find(code, ' ') < code.len) {
			first = str_cut(code, ' ', &rest);
			right = has_index(first, rest);
			indexes++;
		} else if (is_capital(code.base[0]) && str_find(code, '.') < code.len &&
			   str_find(code, ' ') == code.len) {
			first = str_cut(code, '.', &rest);
			right = has_attribute(first, rest);
			attributes++;
		}
		if (!right)
			fprintf(stderr, "# there is no %.*s\n", STR_ARGS(code));
		wrong += !right;
	}
	is_int((int64_t)wrong, 0, "all attributes and indexes that it names exist");
	ok(attributes > 80 && indexes > 20, "... %zu attributes and %zu indexes", attributes,
	    indexes);
}

int
main(void)
{
	struct str text, costs;
	struct seeded s;

	browsers_open(&s);
	work(&s);
	text = read_file(s.arena, TOP_SRCDIR "/docs/seeds.md");
	costs = read_file(s.arena, TOP_SRCDIR "/docs/costs.md");
	check_patterns(&s, text, costs);
	check_names(&s, text);
	check_later(text);
	browsers_close(&s);
	return tap_done();
}
