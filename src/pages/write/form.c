#include "pages/write/form.h"

#include "base/arena.h"
#include "base/zone.h"
#include "model/post/media.h"
#include "model/slug.h"
#include "model/text_rule.h"
#include "pages/shared/form_view.h"
#include "text/markdown.h"
#include "text/text.h"
#include "web/form/form_text.h"
#include "web/session/csrf.h"

#include <inttypes.h>
#include <string.h>

static const struct choice visibilities[] = {
    {STR_INIT("public"), "Everybody", VISIBILITY_PUBLIC},
    {STR_INIT("followers"), "My followers", VISIBILITY_FOLLOWERS},
    {STR_INIT("group"), "The members of a group", VISIBILITY_GROUP},
    {STR_INIT("private"), "Nobody but its authors", VISIBILITY_PRIVATE},
    {{NULL, 0}, NULL, 0},
};

static const struct choice difficulties[] = {
    {STR_INIT("none"), "Not said", DIFFICULTY_NONE},
    {STR_INIT("easy"), "Easy", DIFFICULTY_EASY},
    {STR_INIT("medium"), "Medium", DIFFICULTY_MEDIUM},
    {STR_INIT("hard"), "Hard", DIFFICULTY_HARD},
    {{NULL, 0}, NULL, 0},
};

/* As image_focuses. */
static const struct choice focuses[] = {
    {STR_INIT("middle"), "The middle", 0},
    {STR_INIT("top-left"), "Top left", 1},
    {STR_INIT("top"), "Top", 2},
    {STR_INIT("top-right"), "Top right", 3},
    {STR_INIT("left"), "Left", 4},
    {STR_INIT("right"), "Right", 5},
    {STR_INIT("bottom-left"), "Bottom left", 6},
    {STR_INIT("bottom"), "Bottom", 7},
    {STR_INIT("bottom-right"), "Bottom right", 8},
    {{NULL, 0}, NULL, 0},
};

/* Inputs whose value is stored as it is, in the head or body of a post. */
#define HELD(in, member, k, wanted)             \
	.name = STR_INIT(#member), .kind = (k), \
	.offset = OFFSET_OF(struct write_values, in.member, wanted)
#define POST_LINE(member) HELD(post, member, FIELD_KIND_LINE, struct str)
#define POST_TEXT(member) HELD(post, member, FIELD_KIND_TEXT, struct str)
#define POST_SLUG(member) HELD(post, member, FIELD_KIND_SLUG, struct str)
#define POST_URL(member) HELD(post, member, FIELD_KIND_URL, struct str)
#define POST_LANGUAGE(member) HELD(post, member, FIELD_KIND_LANGUAGE, struct str)
#define POST_NUMBER(member) HELD(post, member, FIELD_KIND_NUMBER, int64_t)
#define BODY_TEXT(member) HELD(body, member, FIELD_KIND_TEXT, struct str)

/*
 * In the order of the page. A draft may be incomplete; what a post needs is checked when it is
 * published.
 */
static const struct field fields[] = {
    {POST_LINE(title), .label = "Title", .max = 200},
    {POST_URL(url), .label = "Link", .hint = "With https://, as in the browser’s bar."},
    {POST_SLUG(quotes), .label = "Quotes",
	.hint = "The last part of the address of a post here: it is shown below the text."},
    {BODY_TEXT(source), .label = "Source", .max = 20000, .rows = 4,
	.hint = "Paste something of the page: the title is taken from its first line."},
    {POST_TEXT(excerpt), .label = "Excerpt", .max = 500, .rows = 2},
    {FIELD_CHOICE(struct write_values, difficulty), .label = "Difficulty", .choices = difficulties},
    {POST_NUMBER(minutes), .label = "Time", .max = 100000, .hint = "In minutes.",
	.wrong = "Write how many minutes it takes, as a number."},
    {POST_LINE(cost), .label = "Cost", .max = 12},
    {POST_LINE(currency), .label = "Currency", .max = 3, .hint = "Such as EUR."},
    {BODY_TEXT(markdown), .label = "Text", .rows = 24},
    {POST_LINE(category), .label = "Category", .max = 60},
    {FIELD_LIST(struct write_values, tag), .label = "Tags", .max = WRITING_TAGS_MAX * (SLUG_MAX + 2),
	.count_max = WRITING_TAGS_MAX},
    {FIELD_PICTURE(struct write_values, thumbnail_url), .label = "Cover",
	.hint = "Lists show the first picture of the text where there is none."},
    {FIELD_LINE(struct write_values, thumbnail_alt), .label = "Image description",
	.max = MEDIA_ALT_MAX, .hint = "What it shows, for those who do not see it."},
    {FIELD_CHOICE(struct write_values, thumbnail_focus), .label = "Focal point",
	.choices = focuses, .hint = "Lists cut covers to one shape: this part is always shown."},
    {FIELD_CHOICE(struct write_values, visibility), .label = "Who may read it",
	.choices = visibilities,
	.hint = "Editors read drafts, and what is for some. Of what is published for its authors "
		"alone they see only that it is there, whose it is and how long."},
    {POST_LINE(group), .label = "Group", .max = 60, .hint = "If it is for the members of one."},
    {FIELD_TIME(struct write_values, when), .label = "Publish at", .type = "datetime-local"},
    {POST_SLUG(slug), .label = "Address",
	.hint = "Left empty, it is made from the title. Old addresses lead to a new one."},
    {FIELD_LINE(struct write_values, others), .label = "Co-authors", .max = 200},
    {POST_URL(canonical), .label = "Canonical address", .max = 500,
	.hint = "Where it appeared before, if it did: search engines are sent there."},
    {POST_LANGUAGE(language), .label = "Language",
	.hint = "If it is not the site’s: a language tag, such as de or ar."},
    {FIELD_NUMBER(struct write_values, version), .label = "Version"},
};
static const struct form form = FORM("write", struct write_values, fields);

const struct rows_kind rows_kinds[ROWS_KINDS] = {
    [ROWS_MATERIALS] = {.name = "material",
	.second = "amount",
	.label = "Material",
	.second_label = "Amount",
	.legend = "Materials",
	.add_label = "Add a material",
	.max = 200},
    [ROWS_TOOLS] =
	{.name = "tool", .label = "Tool", .legend = "Tools", .add_label = "Add a tool", .max = 200},
    [ROWS_STEPS] = {.name = "step",
	.label = "Step",
	.legend = "Steps",
	.hint = "One thing to do at a time, in Markdown.",
	.add_label = "Add a step",
	.max = 6000,
	.lines = true},
};

/* --- Which field of a post an input is ------------------------------------------------------------------ */

/* Inputs that pages/write/draft.c converts, and those that belong to another field or to none. */
static const char *const by_rule[] = {"tag", "thumbnail_url", "others", "when", NULL};
static const char *const beside[] = {"thumbnail_alt", "thumbnail_focus", "version", NULL};

/* A value that violates the rule of its attribute would be saved, but not shown. */
static bool
keeps(const struct field *input, enum text_rule rule)
{
	switch (rule) {
	case TEXT_LINE: return input->kind != FIELD_KIND_TEXT;
	case TEXT_LINK: return input->kind == FIELD_KIND_URL;
	case TEXT_SLUG: return input->kind == FIELD_KIND_SLUG;
	default: return true;
	}
}

static bool
holds(const struct field *input, const struct binding *binding)
{
	switch (binding->kind) {
	case BINDING_STRING:
		return keeps(input, binding->rule) && input->kind != FIELD_KIND_NUMBER &&
		       input->kind != FIELD_KIND_CHOICE && input->kind != FIELD_KIND_TIME &&
		       input->kind != FIELD_KIND_FLAG && input->kind != FIELD_KIND_LIST &&
		       input->kind != FIELD_KIND_FILE;
	case BINDING_NUMBER: return input->kind == FIELD_KIND_NUMBER;
	case BINDING_CHOICE: return input->kind == FIELD_KIND_CHOICE;
	default: return false;
	}
}

static const struct post_field *
field_of(struct str input)
{
	for (size_t i = 0; i < post_field_count; i++) {
		const char *name = post_field_input(&post_fields[i]);

		if (name != NULL && str_eq(input, str_of(name)))
			return &post_fields[i];
	}
	return NULL;
}

const struct post_field *
write_plain(const struct field *input)
{
	const struct post_field *field = field_of(input->name);

	return field != NULL && holds(input, post_field_binding(field)) ? field : NULL;
}

static const struct field *
input_of_field(const struct post_field *field)
{
	const char *name = post_field_input(field);

	for (size_t i = 0; name != NULL && i < form.count; i++)
		if (str_eq(form.fields[i].name, str_of(name)))
			return &form.fields[i];
	return NULL;
}

static const struct rows_kind *
rows_of_field(const struct post_field *field)
{
	const char *name = post_field_input(field);

	for (int of = 0; name != NULL && of < ROWS_KINDS; of++)
		if (strcmp(rows_kinds[of].name, name) == 0)
			return &rows_kinds[of];
	return NULL;
}

struct str
write_label(const struct post_field *field)
{
	const struct field *input = input_of_field(field);
	const struct rows_kind *rows = rows_of_field(field);

	return str_of(input != NULL ? input->label : rows != NULL ? rows->legend : NULL);
}

const char *
write_form_error(struct arena *arena)
{
	for (size_t i = 0; i < post_field_count; i++) {
		const struct field *input = input_of_field(&post_fields[i]);
		const char *name = post_field_input(&post_fields[i]);

		if (name == NULL || rows_of_field(&post_fields[i]) != NULL)
			continue;
		if (input == NULL ||
		    (write_plain(input) == NULL && choice_of(by_rule, input->name) < 0))
			return str_cstring(arena, str_fmt(arena,
						      "the form of writing has no input %s that "
						      "holds the field %s of a post",
						      name, post_fields[i].key));
	}
	for (size_t i = 0; i < form.count; i++)
		if (field_of(form.fields[i].name) == NULL &&
		    choice_of(beside, form.fields[i].name) < 0)
			return str_cstring(arena,
			    str_fmt(arena,
				"the input %.*s of the form of writing is no field of a post",
				STR_ARGS(form.fields[i].name)));
	return NULL;
}

/* --- Rows ----------------------------------------------------------------------------------------------- */

static size_t
rows_bytes_max(void)
{
	size_t bytes = 0;

	for (int of = 0; of < ROWS_KINDS; of++) {
		const char *second = rows_kinds[of].second;
		size_t name = strlen(rows_kinds[of].name) + strlen("=&");
		size_t row = name + (size_t)rows_kinds[of].max * FORM_LETTER_BYTES;

		bytes += ROWS_MAX * row;
		if (second != NULL)
			bytes += ROWS_MAX * (row + strlen(second));
	}
	return bytes;
}

static void
rows_begin(struct arena *arena, struct rows *rows)
{
	*rows = (struct rows){.rows = ARENA_ARRAY(arena, ROWS_MAX + 1, struct row)};
}

static void
rows_add(struct rows *rows, struct str first, struct str second)
{
	if (rows->count == ROWS_MAX)
		rows->error = "These are too many rows: 50 at most.";
	else
		rows->rows[rows->count++] = (struct row){first, second};
}

/* The text of a row; errors are reported for the whole. */
static struct str
row_text(struct arena *arena, enum rows_of of, struct rows *rows, struct str raw)
{
	int64_t most = rows_kinds[of].max;
	struct str text = STR("");
	const char *wrong = NULL;

	if (!str_utf8(raw) || text_has_control(text = text_lines(arena, raw)))
		wrong = "has a character that is not text";
	else if (text_length(text) > most)
		wrong =
		    str_fmt(arena, "is too long: it may have %" PRId64 " characters", most).base;
	else if (!rows_kinds[of].lines && str_find(text, '\n') != text.len)
		wrong = "must be one line";
	if (wrong != NULL)
		rows->error =
		    str_fmt(arena, "%s %zu %s.", rows_kinds[of].label, rows->count + 1, wrong).base;
	return rows_kinds[of].lines ? text_trim_lines(text) : str_trim(text);
}

/* The n-th input of a name, or empty. */
static struct str
nth(const struct parts *inputs, const char *name, size_t n)
{
	for (size_t i = 0; i < inputs->count; i++)
		if (str_eq(inputs->parts[i].name, str_of(name)) && n-- == 0)
			return inputs->parts[i].content;
	return STR("");
}

static void
rows_read(struct arena *arena, enum rows_of of, const struct parts *inputs, struct rows *rows)
{
	const char *first = rows_kinds[of].name, *second = rows_kinds[of].second;
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
rows_full(const struct rows *rows)
{
	size_t count = rows->count;

	while (count != 0 && rows->rows[count - 1].first.len == 0 &&
	       rows->rows[count - 1].second.len == 0)
		count--;
	return count;
}

/* A step of a file ends with its line, one of a form does not. */
static bool
rows_same(const struct rows *a, const struct rows *b)
{
	size_t count = rows_full(a);

	if (count != rows_full(b))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!str_eq(str_trim(a->rows[i].first), str_trim(b->rows[i].first)) ||
		    !str_eq(str_trim(a->rows[i].second), str_trim(b->rows[i].second)))
			return false;
	return true;
}

/* --- The typed form --------------------------------------------------------------------------- */

size_t
write_body_max(void)
{
	return SITE_BODY_USUAL + form_bytes_max(&form) + rows_bytes_max() +
	       (size_t)ITEM_SIZE_MAX * 3;
}

void
typed_empty(struct request *rq, enum post_kind kind, struct typed *out)
{
	*out = (struct typed){.kind = kind};
	form_empty(rq->arena, &form, &out->form);
	for (int i = 0; i < ROWS_KINDS; i++)
		rows_begin(rq->arena, &out->rows[i]);
}

static void
read_inputs(struct request *rq, enum post_kind kind, const struct parts *inputs, struct typed *out)
{
	*out = (struct typed){.kind = kind};
	form_read(rq->arena, &form, inputs, &out->form);
	for (int i = 0; i < ROWS_KINDS; i++)
		rows_read(rq->arena, (enum rows_of)i, inputs, &out->rows[i]);
}

/* The inputs whose names begin with a prefix, without it. */
static struct parts
inputs_behind(struct arena *arena, const struct parts *inputs, struct str prefix)
{
	struct parts behind = {ARENA_ARRAY(arena, inputs->count, struct part), 0};

	for (size_t i = 0; i < inputs->count; i++) {
		struct part *part = &behind.parts[behind.count];

		*part = inputs->parts[i];
		if (!str_starts(part->name, prefix))
			continue;
		part->name = str_sub(part->name, prefix.len, part->name.len);
		behind.count++;
	}
	return behind;
}

void
typed_read(struct request *rq, enum post_kind kind, const struct parts *inputs, struct typed *out)
{
	struct parts mine;

	read_inputs(rq, kind, inputs, out);
	if (parts_get(inputs, STR(CONFLICT_INPUT)).len == 0)
		return;
	mine = inputs_behind(rq->arena, inputs, STR(MEANWHILE_MINE));
	out->mine = ARENA_NEW(rq->arena, struct typed);
	read_inputs(rq, kind, &mine, out->mine);
}

/* For an input of type datetime-local, in the site's zone. */
static struct str
time_text(struct request *rq, int64_t ms)
{
	return ms != 0 ? str_sub(time_format(rq->arena, zone_local(rq->zone, ms)), 0, 16) : STR("");
}

static void
fill_rows(const struct written *w, struct typed *out)
{
	for (size_t i = 0; i < w->body.material_count; i++)
		rows_add(&out->rows[ROWS_MATERIALS], w->body.materials[i].name,
		    w->body.materials[i].amount);
	for (size_t i = 0; i < w->body.tools.count; i++)
		rows_add(&out->rows[ROWS_TOOLS], w->body.tools.strings[i], STR(""));
	for (size_t i = 0; i < w->body.step_count; i++)
		rows_add(&out->rows[ROWS_STEPS], w->body.steps[i].markdown, STR(""));
}

struct str
note_beginning(struct request *rq, struct str markdown)
{
	enum { BEGINNING = 80 };

	return text_excerpt(rq->arena, markdown_text(rq->arena, markdown), BEGINNING);
}

/* The stored value as the form shows it. */
static struct str
stored_text(struct request *rq, const struct field *input, const struct post_field *field,
    const struct written *w)
{
	const void *value = post_field_value(field, &w->post, &w->body);
	const struct choice *choice = input->choices;

	switch (input->kind) {
	case FIELD_KIND_NUMBER:
		return *(const int64_t *)value != 0
			   ? str_fmt(rq->arena, "%" PRId64, *(const int64_t *)value)
			   : STR("");
	case FIELD_KIND_CHOICE:
		while (choice->value != *(const int *)value)
			choice++;
		return choice->name;
	default: return *(const struct str *)value;
	}
}

static struct str
usernames(struct request *rq, const struct post *post)
{
	struct buf out = {.arena = rq->arena};

	for (size_t i = 0; i < post->other_count + post->asked_count; i++) {
		if (i != 0)
			BUF_PUT(&out, ", ");
		buf_put(&out, i < post->other_count ? post->others[i].username
						    : post->asked[i - post->other_count].username);
	}
	return buf_str(&out);
}

static bool
names_tag(const struct post_body *body, struct str tag)
{
	for (size_t i = 0; i < body->hashtags.count; i++)
		if (str_eq(body->hashtags.strings[i], tag))
			return true;
	return false;
}

void
typed_fill(struct request *rq, const struct written *w, struct typed *out)
{
	const struct post *post = &w->post;
	int64_t when = post->status == STATUS_DRAFT ? post->planned : post->published;
	bool made = post->kind == KIND_NOTE && post->title.len == 0 &&
		    str_eq(post->excerpt, note_beginning(rq, w->body.markdown));

	typed_empty(rq, post->kind, out);
	for (size_t i = 0; i < form.count; i++) {
		const struct field *input = &form.fields[i];
		const struct post_field *field = write_plain(input);

		if (field != NULL && !(made && post_field_is(field, "excerpt")))
			form_fill(&out->form, input->name.base, stored_text(rq, input, field, w));
	}
	form_fill(&out->form, "thumbnail_url", post->thumbnail.url);
	form_fill(&out->form, "thumbnail_alt", post->thumbnail.alt);
	form_fill(&out->form, "thumbnail_focus",
	    post->thumbnail.focus.len != 0 ? post->thumbnail.focus : focuses->name);
	form_fill(&out->form, "others", usernames(rq, post));
	form_fill(&out->form, "when", time_text(rq, when));
	form_fill(&out->form, "version", str_fmt(rq->arena, "%" PRId64, post->version));
	/* Those that the text names go with the text. */
	for (size_t i = 0; i < post->tags.count; i++)
		if (!names_tag(&w->body, post->tags.strings[i]))
			form_fill_more(&out->form, "tag", post->tags.strings[i]);
	fill_rows(w, out);
}

/*
 * The value of a field for comparison: with normalised line ends and without empty parts. Those of a list are the same in one
 * input, with commas between them, and in several.
 */
static struct str
said(struct request *rq, const struct field *input, const struct strings *raw)
{
	bool several = input->kind == FIELD_KIND_LIST;
	struct buf out = {.arena = rq->arena};

	for (size_t i = 0; i < raw->count; i++) {
		struct str rest = text_lines(rq->arena, raw->strings[i]);

		while (rest.len != 0) {
			struct str part = rest;

			rest = STR("");
			if (several)
				part = str_cut(part, ',', &rest);
			buf_put(&out, str_trim(part));
			buf_putc(&out, '\n');
		}
	}
	return str_trim(buf_str(&out));
}

bool
typed_same(struct request *rq, const struct typed *sent, const struct typed *stored)
{
	for (size_t i = 0; i < form.count; i++)
		if (sent->form.fields[i].raw.count != 0 &&
		    !str_eq(form.fields[i].name, STR("version")) &&
		    !str_eq(said(rq, &form.fields[i], &sent->form.fields[i].raw),
			said(rq, &form.fields[i], &stored->form.fields[i].raw)))
			return false;
	for (int of = 0; of < ROWS_KINDS; of++)
		if (!rows_same(&sent->rows[of], &stored->rows[of]))
			return false;
	return true;
}

bool
typed_blank(const struct typed *typed)
{
	for (size_t i = 0; i < form.count; i++) {
		const struct strings *raw = &typed->form.fields[i].raw;
		enum field_kind kind = form.fields[i].kind;
		bool chosen = kind == FIELD_KIND_CHOICE || kind == FIELD_KIND_NUMBER;

		for (size_t n = 0; !chosen && n < raw->count; n++)
			if (str_trim(raw->strings[n]).len != 0)
				return false;
	}
	for (int of = 0; of < ROWS_KINDS; of++)
		for (size_t i = 0; i < typed->rows[of].count; i++)
			if (typed->rows[of].rows[i].first.len != 0 ||
			    typed->rows[of].rows[i].second.len != 0)
				return false;
	return true;
}

/* --- Autosaves ------------------------------------------------------------------------------------- */

static bool
is_of_one_sending(struct str name)
{
	return str_eq(name, CSRF_INPUT) || str_eq(name, STR("do")) || str_eq(name, STR(AUTOSAVE_AGAIN));
}

struct strings_value
typed_inputs(struct request *rq)
{
	struct str *all = ARENA_ARRAY(rq->arena, rq->inputs.count * 2, struct str);
	size_t count = 0;

	for (size_t i = 0; i < rq->inputs.count; i++) {
		const struct part *input = &rq->inputs.parts[i];

		/* The table would refuse invalid text, and with it all the rest. */
		if (input->file || is_of_one_sending(input->name) || !str_utf8(input->name) ||
		    !str_utf8(input->content))
			continue;
		all[count++] = input->name;
		all[count++] = input->content;
	}
	return (struct strings_value){all, count};
}

void
typed_resume(struct request *rq, const struct autosave *autosave, struct typed *out)
{
	size_t count = autosave->inputs.count / 2;
	struct parts inputs = {ARENA_ARRAY(rq->arena, count, struct part), count};

	for (size_t i = 0; i < count; i++) {
		inputs.parts[i].name = autosave->inputs.strings[2 * i];
		inputs.parts[i].content = autosave->inputs.strings[2 * i + 1];
	}
	typed_read(rq, autosave->kind, &inputs, out);
}

struct str
autosave_title(struct request *rq, const struct autosave *autosave)
{
	static const char *const names[] = {
	    "title", "markdown", "excerpt", "source", "url", "step", NULL};
	enum { WORDS = 60, LOOKED_AT = 400 };
	const struct strings_value *inputs = &autosave->inputs;

	for (size_t n = 0; names[n] != NULL; n++)
		for (size_t i = 0; i + 1 < inputs->count; i += 2) {
			struct str text = str_sub(inputs->strings[i + 1], 0, LOOKED_AT);

			while (!str_utf8(text))
				text = str_sub(text, 0, text.len - 1);
			if (n != 0)
				text = markdown_text(rq->arena, text);
			if (str_eq(inputs->strings[i], str_of(names[n])) && str_trim(text).len != 0)
				return text_excerpt(rq->arena, str_trim(text), WORDS);
		}
	return STR("Untitled");
}

/* --- Errors ----------------------------------------------------------------------------------- */

size_t
typed_others(struct request *rq, const struct typed *typed, struct str author,
    struct str names[WRITING_OTHERS_MAX + 1])
{
	struct str rest = str_lower(rq->arena, form_raw(&typed->form, "others"));
	size_t count = 0;

	while (rest.len != 0 && count <= WRITING_OTHERS_MAX) {
		struct str name = str_trim(str_cut(rest, ',', &rest));
		bool known = name.len == 0 || str_eq(name, author);

		for (size_t i = 0; i < count; i++)
			known = known || str_eq(names[i], name);
		if (!known)
			names[count++] = name;
	}
	return count;
}

struct str
typed_quotes(const struct typed *typed)
{
	struct str slug = str_trim(form_raw(&typed->form, "quotes"));

	return typed->kind == KIND_NOTE && slug_valid(slug) ? slug : STR("");
}

bool
typed_valid(const struct typed *typed)
{
	for (int i = 0; i < ROWS_KINDS; i++)
		if (typed->rows[i].error != NULL)
			return false;
	return typed->form.valid;
}

/* --- The buttons of rows ---------------------------------------------------------------------- */

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
		if (str_eq(name, str_of(rows_kinds[of].name)))
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
