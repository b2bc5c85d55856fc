#include "pages/write/write_form.h"

#include "base/arena.h"
#include "base/zone.h"
#include "pages/shared/form_view.h"
#include "pages/write/write_draft.h"
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

/* A draft may be incomplete; what a post needs to be published is asked when it is. */
static const struct field fields[] = {
    {FIELD_LINE(struct write_values, title), .label = "Title", .max = 200},
    {FIELD_TEXT(struct write_values, excerpt), .label = "Excerpt", .max = 500, .rows = 2},
    {FIELD_TEXT(struct write_values, markdown), .label = "Text", .rows = 24},
    {FIELD_SLUG(struct write_values, slug), .label = "Address",
	.hint = "Left empty, it is made from the title. Old addresses lead to a new one."},
    {FIELD_LINE(struct write_values, category), .label = "Category", .max = 60},
    {FIELD_PICTURE(struct write_values, thumbnail_url), .label = "Picture",
	.hint = "The address of one of your pictures, or one that begins with https://."},
    {FIELD_LINE(struct write_values, thumbnail_alt), .label = "What it shows", .max = 300,
	.hint = "For those who do not see it."},
    {FIELD_URL(struct write_values, canonical), .label = "First appeared at", .max = 500,
	.hint = "Where it appeared before, if it did: search engines are sent there."},
    {FIELD_LANGUAGE(struct write_values, language), .label = "Language",
	.hint = "If it is not the site’s: a language tag, such as de or ar."},
    {FIELD_LINE(struct write_values, group), .label = "Group", .max = 60,
	.hint = "If it is for the members of one."},
    {FIELD_LINE(struct write_values, others), .label = "Written with", .max = 200},
    {FIELD_URL(struct write_values, url), .label = "Address of the link",
	.hint = "With https://, as in the browser’s bar."},
    {FIELD_TEXT(struct write_values, source), .label = "What stands there", .max = 20000, .rows = 4,
	.hint = "Paste something of the page: the title is taken from its first line."},
    {FIELD_LINE(struct write_values, cost), .label = "Cost", .max = 12},
    {FIELD_LINE(struct write_values, currency), .label = "Currency", .max = 3,
	.hint = "Such as EUR."},
    {FIELD_LIST(struct write_values, tag), .label = "Tags", .count_max = WRITING_TAGS_MAX},
    {FIELD_CHOICE(struct write_values, visibility), .label = "Who may read it",
	.choices = visibilities,
	.hint = "Editors read drafts, and what is for some. Of what is published for its authors "
		"alone they see only that it is there, whose it is and how long."},
    {FIELD_CHOICE(struct write_values, difficulty), .label = "Difficulty", .choices = difficulties},
    {FIELD_NUMBER(struct write_values, minutes), .label = "Minutes", .max = 100000,
	.wrong = "Write how many minutes it takes, as a number."},
    {FIELD_TIME(struct write_values, when), .label = "Publish at", .type = "datetime-local"},
    {FIELD_NUMBER(struct write_values, version), .label = "Version"},
};
static const struct form form = FORM("write", struct write_values, fields);

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
	form_read_parts(rq->arena, &form, inputs, &out->form);
	for (int i = 0; i < ROWS_KINDS; i++)
		rows_read(rq->arena, (enum rows_of)i, inputs, &out->rows[i]);
}

/* Those whose names begin with a prefix, without it. */
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
	if (parts_get(inputs, STR(MEANWHILE)).len == 0)
		return;
	mine = inputs_behind(rq->arena, inputs, STR(MEANWHILE_MINE));
	out->mine = ARENA_NEW(rq->arena, struct typed);
	read_inputs(rq, kind, &mine, out->mine);
}

/* As an input of datetime-local wants it, on the site's clock. */
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

void
typed_fill(struct request *rq, const struct written *w, struct typed *out)
{
	const struct post *post = &w->post;
	struct buf others = {.arena = rq->arena};
	int64_t when = post->status == STATUS_DRAFT ? post->planned : post->published;
	struct str minutes = str_fmt(rq->arena, "%" PRId64, post->minutes);

	typed_empty(rq, post->kind, out);
	for (size_t i = 0; i < post->other_count + post->asked_count; i++) {
		if (i != 0)
			BUF_PUT(&others, ", ");
		buf_put(&others, i < post->other_count
				     ? post->others[i].username
				     : post->asked[i - post->other_count].username);
	}
	form_fill(&out->form, "title", post->title);
	if (post->kind != KIND_NOTE || post->title.len != 0 ||
	    !str_eq(post->excerpt, note_beginning(rq, w->body.markdown)))
		form_fill(&out->form, "excerpt", post->excerpt);
	form_fill(&out->form, "markdown", w->body.markdown);
	form_fill(&out->form, "slug", post->slug);
	form_fill(&out->form, "category", post->category);
	form_fill(&out->form, "thumbnail_url", post->thumbnail.url);
	form_fill(&out->form, "thumbnail_alt", post->thumbnail.alt);
	form_fill(&out->form, "canonical", post->canonical);
	form_fill(&out->form, "language", post->language);
	form_fill(&out->form, "group", post->group);
	form_fill(&out->form, "others", buf_str(&others));
	form_fill(&out->form, "url", post->url);
	form_fill(&out->form, "source", w->body.source);
	form_fill(&out->form, "cost", post->cost);
	form_fill(&out->form, "currency", post->currency);
	form_fill(&out->form, "visibility", str_of(post_visibility_name(post->visibility)));
	form_fill(&out->form, "difficulty", difficulties[post->difficulty].name);
	form_fill(&out->form, "minutes", post->minutes != 0 ? minutes : STR(""));
	form_fill(&out->form, "when", time_text(rq, when));
	form_fill(&out->form, "version", str_fmt(rq->arena, "%" PRId64, post->version));
	for (size_t i = 0; i < post->tags.count; i++)
		form_fill_more(&out->form, "tag", post->tags.strings[i]);
	fill_rows(w, out);
}

/* What a field says, for comparing: without line ends' ways and what is empty. */
static struct str
said(struct request *rq, const struct strings *raw)
{
	struct buf out = {.arena = rq->arena};

	for (size_t i = 0; i < raw->count; i++) {
		buf_put(&out, str_trim(text_lines(rq->arena, raw->strings[i])));
		buf_putc(&out, '\n');
	}
	return str_trim(buf_str(&out));
}

bool
typed_same(struct request *rq, const struct typed *sent, const struct typed *stored)
{
	for (size_t i = 0; i < form.count; i++)
		if (sent->form.fields[i].raw.count != 0 &&
		    !str_eq(form.fields[i].name, STR("version")) &&
		    !str_eq(
			said(rq, &sent->form.fields[i].raw), said(rq, &stored->form.fields[i].raw)))
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
	return str_eq(name, CSRF_INPUT) || str_eq(name, STR("do"));
}

struct strings_value
typed_inputs(struct request *rq)
{
	struct str *all = ARENA_ARRAY(rq->arena, rq->inputs.count * 2, struct str);
	size_t count = 0;

	for (size_t i = 0; i < rq->inputs.count; i++) {
		const struct part *input = &rq->inputs.parts[i];

		/* What is no text the table would refuse, and all with it. */
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

/* --- Looking at it --------------------------------------------------------------------------------- */

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

bool
typed_valid(const struct typed *typed)
{
	for (int i = 0; i < ROWS_KINDS; i++)
		if (typed->rows[i].error != NULL)
			return false;
	return typed->form.valid;
}
