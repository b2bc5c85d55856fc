#include "base/arena.h"
#include "text/escape.h"
#include "text/markdown_private.h"

/*
 * Pipe tables. cmark reads one as a paragraph: its lines are rows, the second says how the columns are
 * aligned, and pipes in its text separate the cells. An inline element (emphasis, code, a link) is in one
 * cell, pipes included. A row with too many cells keeps the rest in its last one.
 *
 *	Tide   | Height          <div class="table" …><table>
 *	------ | -----:          <thead><tr><th scope="col">Tide</th>…
 *	spring | 5.2 m           <tbody><tr><td>spring</td><td class="right">5.2 m</td></tr>
 */
enum { COLUMNS_MAX = 32 };

enum token_kind { TOKEN_TEXT, TOKEN_NODE, TOKEN_PIPE, TOKEN_ROW };

struct token {
	enum token_kind kind;
	struct str text;
	cmark_node *node;
};

struct table {
	struct writer *writer;
	struct token *tokens;
	size_t count, capacity;
	const char *aligned[COLUMNS_MAX]; /* a class, or NULL */
	size_t columns;
};

/* --- Tokens --- */

static bool
is_break(cmark_node *node)
{
	return node != NULL && (cmark_node_get_type(node) == CMARK_NODE_SOFTBREAK ||
				   cmark_node_get_type(node) == CMARK_NODE_LINEBREAK);
}

static void
add_token(struct table *t, struct token token)
{
	if (t->count == t->capacity) {
		size_t capacity = t->capacity != 0 ? t->capacity * 2 : 64;

		t->tokens = arena_grow(t->writer->out->arena, t->tokens,
		    t->capacity * sizeof(*t->tokens), capacity * sizeof(*t->tokens));
		t->capacity = capacity;
	}
	t->tokens[t->count++] = token;
}

static void
add_text(struct table *t, struct str text)
{
	for (;;) {
		struct str rest, part = str_cut(text, '|', &rest);

		if (part.len != 0)
			add_token(t, (struct token){.kind = TOKEN_TEXT, .text = part});
		if (part.len == text.len)
			return;
		add_token(t, (struct token){.kind = TOKEN_PIPE});
		text = rest;
	}
}

/*
 * Adds the tokens of one line of the paragraph, from `node` on; returns the break after it, or
 * NULL.
 */
static cmark_node *
add_row(struct table *t, cmark_node *node)
{
	for (; node != NULL && !is_break(node); node = cmark_node_next(node)) {
		if (cmark_node_get_type(node) == CMARK_NODE_TEXT)
			add_text(t, str_of(cmark_node_get_literal(node)));
		else
			add_token(t, (struct token){.kind = TOKEN_NODE, .node = node});
	}
	add_token(t, (struct token){.kind = TOKEN_ROW});
	return node;
}

/* The number of cells of the row that begins at the token. */
static size_t
count_cells(const struct table *t, size_t at)
{
	size_t cells = 1;

	if (t->tokens[at].kind == TOKEN_PIPE)
		at++;
	for (; t->tokens[at].kind != TOKEN_ROW; at++)
		if (t->tokens[at].kind == TOKEN_PIPE && t->tokens[at + 1].kind != TOKEN_ROW)
			cells++;
	return cells;
}

/* --- The delimiter row --- */

/* ":---", "---:", ":---:" or "---" into a class; false for anything else. */
static bool
read_alignment(struct str cell, const char **class)
{
	bool left = str_starts(cell, STR(":")), right = cell.len > 1 && str_ends(cell, STR(":"));
	size_t dashes = cell.len - left - right;

	for (size_t i = left; i < left + dashes; i++)
		if (cell.base[i] != '-')
			return false;
	*class = left && right ? "center" : left ? "left" : right ? "right" : NULL;
	return dashes != 0;
}

static bool
read_delimiters(struct table *t, struct str line)
{
	bool more = true;

	line = str_trim(line);
	if (str_find(line, '|') == line.len)
		return false;
	if (str_starts(line, STR("|")))
		line = str_sub(line, 1, line.len);
	if (str_ends(line, STR("|")))
		line = str_sub(line, 0, line.len - 1);
	while (more) {
		struct str rest, cell = str_cut(line, '|', &rest);

		more = cell.len != line.len;
		if (t->columns == COLUMNS_MAX ||
		    !read_alignment(str_trim(cell), &t->aligned[t->columns++]))
			return false;
		line = rest;
	}
	return true;
}

/* --- Rows --- */

/* A pipe in the last column is text, unless the line ends with it. */
static bool
ends_cell(const struct token *token, bool last)
{
	return token->kind == TOKEN_ROW ||
	       (token->kind == TOKEN_PIPE && (!last || token[1].kind == TOKEN_ROW));
}

/* Is there nothing in the cell that begins at the token? */
static bool
is_empty(const struct token *token)
{
	if (token->kind == TOKEN_TEXT && str_trim(token->text).len == 0)
		token++;
	return ends_cell(token, false);
}

/* Blanks at the ends of a cell are not part of it. */
static struct str
trim(struct str text, bool start, bool end)
{
	while (start && text.len != 0 && text.base[0] == ' ')
		text = str_sub(text, 1, text.len);
	while (end && text.len != 0 && text.base[text.len - 1] == ' ')
		text.len--;
	return text;
}

/*
 * Writes a cell; returns the index of the token after it: the pipe that ends it, or the row's end.
 */
static size_t
write_cell(struct table *t, size_t at, bool last)
{
	struct writer *w = t->writer;
	bool first = true;

	for (; !ends_cell(&t->tokens[at], last); at++, first = false) {
		const struct token *token = &t->tokens[at];

		if (token->kind == TOKEN_PIPE) {
			buf_putc(w->out, '|');
		} else if (token->kind == TOKEN_NODE) {
			markdown_write(w, token->node);
		} else {
			struct str text = trim(token->text, first, ends_cell(token + 1, last));

			escape_html(w->out, guard_undo(w->out->arena, text, STR("|")));
		}
	}
	return at;
}

/* Writes a row; returns the token after it. An empty head is left out. */
static size_t
write_row(struct table *t, size_t at, bool head)
{
	struct buf *out = t->writer->out;
	size_t column;

	BUF_PUT(out, "<tr>");
	if (t->tokens[at].kind == TOKEN_PIPE)
		at++;
	for (column = 0; column < t->columns && t->tokens[at].kind != TOKEN_ROW; column++) {
		bool heads = head && !is_empty(&t->tokens[at]);

		buf_put(out, heads ? STR("<th scope=\"col\"") : STR("<td"));
		if (t->aligned[column] != NULL)
			buf_fmt(out, " class=\"%s\"", t->aligned[column]);
		buf_putc(out, '>');
		at = write_cell(t, at, column + 1 == t->columns);
		buf_put(out, heads ? STR("</th>") : STR("</td>"));
		if (t->tokens[at].kind == TOKEN_PIPE)
			at++;
	}
	if (column < t->columns)
		buf_fmt(out, "<td colspan=\"%zu\"></td>", t->columns - column);
	BUF_PUT(out, "</tr>\n");
	return at + 1;
}

bool
markdown_table(struct writer *w, cmark_node *paragraph)
{
	struct table t = {.writer = w};
	cmark_node *node = cmark_node_first_child(paragraph), *second, *after;
	size_t at;

	/* Most paragraphs end here: their second line is text, not dashes in cells. */
	for (second = node; second != NULL && !is_break(second);)
		second = cmark_node_next(second);
	second = second != NULL ? cmark_node_next(second) : NULL;
	if (second == NULL || cmark_node_get_type(second) != CMARK_NODE_TEXT)
		return false;
	after = cmark_node_next(second);
	if ((after != NULL && !is_break(after)) ||
	    !read_delimiters(&t, str_of(cmark_node_get_literal(second))))
		return false;
	add_row(&t, node);
	if (count_cells(&t, 0) != t.columns)
		return false;
	while (after != NULL)
		after = add_row(&t, cmark_node_next(after));

	/* On a narrow screen the div scrolls, so it must be focusable and have a name. */
	BUF_PUT(w->out, "<div class=\"table\" role=\"group\" tabindex=\"0\" aria-label=\"Table\">\n"
			"<table>\n<thead>\n");
	w->cell = true;
	at = write_row(&t, 0, true);
	BUF_PUT(w->out, "</thead>\n");
	if (at < t.count) {
		BUF_PUT(w->out, "<tbody>\n");
		while (at < t.count)
			at = write_row(&t, at, false);
		BUF_PUT(w->out, "</tbody>\n");
	}
	w->cell = false;
	BUF_PUT(w->out, "</table>\n</div>\n");
	return true;
}
