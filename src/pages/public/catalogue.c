/*
 * GET /links: the rated links, by up to three tags at once, by their stars, newest or best rated first. GET /howtos: how-tos by
 * tags, difficulty, time and cost; with ?have=, by how many of their materials somebody has.
 *
 * The first trip reads the lists of the catalogue (model/post/catalogue.h), the second the heads of what is shown.
 */
#include "base/arena.h"
#include "model/key_catalogue.h"
#include "model/post/tag.h"
#include "pages/public/indexes.h"
#include "pages/public/json_ld.h"
#include "pages/routes.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/material.h"
#include "text/url.h"
#include "web/http/query.h"

#include <assert.h>
#include <stdlib.h>

enum { SHOWN = 20, TAGS_MAX = 3, NARROW_MAX = 16, THINGS_MAX = 10, TERMS_MAX = 24, FIELDS_MAX = 7 };

struct catalogue_post_view {
	struct post_card_view card;
	struct str note_text;
};

struct catalogue_view {
	struct layout_view layout;
	struct str title, description, action_url;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct field_view) fields;
	LIST_OF(struct counted_link_view) tags;
	LIST_OF(struct catalogue_post_view) posts;
	struct str empty_text;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(catalogue_post_view, VIEW(card, post_card_view), STRING(note_text))
VIEW_FIELDS(catalogue_view, VIEW(layout, layout_view), STRING(title), STRING(description), STRING(action_url),
    LIST(breadcrumbs, link_view), LIST(fields, field_view), LIST(tags, counted_link_view), LIST(posts, catalogue_post_view),
    STRING(empty_text), OPTION(pagination, pagination_view))
TEMPLATE(catalogue_template, "catalogue", catalogue_view)

/* --- What is asked for -------------------------------------------------------------------------------- */

struct asked {
	enum post_kind kind;
	struct strings_value tags; /* TAGS_MAX at most */
	bool tags_left;            /* there were more */
	enum catalogue_order order;
	int64_t stars; /* at least so many, in tenths; 0: any */
	enum difficulty difficulty;
	int64_t minutes, cents;        /* at most; -1: any */
	struct str things[THINGS_MAX]; /* what they have */
	size_t thing_count;
	bool things_left;
};

static const struct option_view orders[CATALOGUE_ORDERS] = {
    [CATALOGUE_NEWEST] = {STR_INIT("newest"), STR_INIT("Newest"), false},
    [CATALOGUE_BEST] = {STR_INIT("best"), STR_INIT("Best rated"), false},
    [CATALOGUE_QUICKEST] = {STR_INIT("quickest"), STR_INIT("Quickest"), false},
    [CATALOGUE_CHEAPEST] = {STR_INIT("cheapest"), STR_INIT("Cheapest"), false},
};
static const struct option_view stars[] = {
    {STR_INIT(""), STR_INIT("Any"), false},
    {STR_INIT("5"), STR_INIT("5 stars"), false},
    {STR_INIT("4"), STR_INIT("4 and more"), false},
    {STR_INIT("3"), STR_INIT("3 and more"), false},
    {STR_INIT("2"), STR_INIT("2 and more"), false},
};
static const struct option_view difficulties[] = {
    {STR_INIT(""), STR_INIT("Any"), false},
    {STR_INIT("easy"), STR_INIT("Easy"), false},
    {STR_INIT("medium"), STR_INIT("Medium"), false},
    {STR_INIT("hard"), STR_INIT("Hard"), false},
};
static const struct option_view times[] = {
    {STR_INIT(""), STR_INIT("Any"), false},
    {STR_INIT("15"), STR_INIT("15 minutes at most"), false},
    {STR_INIT("30"), STR_INIT("30 minutes at most"), false},
    {STR_INIT("60"), STR_INIT("an hour at most"), false},
    {STR_INIT("180"), STR_INIT("three hours at most"), false},
    {STR_INIT("480"), STR_INIT("a day’s work at most"), false},
};

/* A number of the address; `none` where there is none that makes sense. */
static int64_t
number_asked(struct request *rq, const char *name, int64_t least, int64_t most, int64_t none)
{
	int64_t number;

	return str_int(str_trim(request_query(rq, name)), &number) && number >= least && number <= most
		   ? number
		   : none;
}

static void
parse_things(struct request *rq, struct asked *asked)
{
	struct str rest = request_query(rq, "have");

	while (rest.len != 0) {
		struct str thing = str_cut(rest, ',', &rest), *words;

		if (material_words(rq->arena, STR(""), thing, &words) == 0)
			continue;
		if (asked->thing_count == THINGS_MAX)
			asked->things_left = true;
		else
			asked->things[asked->thing_count++] = thing;
	}
}

static void
parse(struct request *rq, enum post_kind kind, struct asked *out)
{
	struct str tags = request_query(rq, "tags"), sort = request_query(rq, "sort"), none;
	struct str cost = str_trim(request_query(rq, "cost"));
	int difficulty = choice_of(post_difficulties, request_query(rq, "difficulty"));

	*out = (struct asked){.kind = kind, .minutes = -1, .cents = -1};
	out->tags = tags_of(rq->arena, &tags, 1, &none);
	out->tags_left = out->tags.count > TAGS_MAX;
	if (out->tags_left)
		out->tags.count = TAGS_MAX;
	for (enum catalogue_order order = 0; order < CATALOGUE_ORDERS; order++)
		if (str_eq(sort, orders[order].value) && (kind == KIND_HOWTO || order < CATALOGUE_QUICKEST))
			out->order = order;
	out->stars = 10 * number_asked(rq, "stars", 1, 5, 0);
	if (kind != KIND_HOWTO)
		return;
	out->difficulty = difficulty > 0 ? (enum difficulty)difficulty : DIFFICULTY_NONE;
	out->minutes = number_asked(rq, "minutes", 0, 100000, -1);
	if (cost.len != 0 && text_keeps(TEXT_AMOUNT, cost))
		out->cents = catalogue_cents(cost);
	parse_things(rq, out);
}

/* --- Which of them pass -------------------------------------------------------------------------------- */

static bool
has_tag(const struct catalogue_entry *entry, struct str tag)
{
	for (size_t i = 0; i < entry->tags.count; i++)
		if (str_eq(entry->tags.strings[i], tag))
			return true;
	return false;
}

/* A how-to that does not say how long it takes, or what it costs, is not among those of which that is asked. */
static bool
passes(const struct catalogue_entry *entry, const void *context)
{
	const struct asked *asked = context;

	for (size_t i = 0; i < asked->tags.count; i++)
		if (!has_tag(entry, asked->tags.strings[i]))
			return false;
	return entry->stars >= asked->stars &&
	       (asked->difficulty == DIFFICULTY_NONE || entry->difficulty == asked->difficulty) &&
	       (asked->minutes < 0 || (entry->minutes > 0 && entry->minutes <= asked->minutes)) &&
	       (asked->cents < 0 ||
		   (entry->cost.len != 0 && catalogue_cents(entry->cost) <= asked->cents));
}

/* --- Lists by tags ------------------------------------------------------------------------------------- */

/* What a page shows: posts that are named, and of each what is said of it. */
struct found {
	struct read list, heads; /* of the same count */
	const struct str *notes; /* NULL: none */
	const struct tag_count *tags;
	size_t tag_count;
	struct read tag_items;
	struct str next;
	bool more_tags; /* there are posts whose tags were not counted */
};

static enum http_status
find_by_tags(struct request *rq, const struct asked *asked, struct found *out)
{
	struct catalogue_query query = {
	    .order = asked->order, .limit = SHOWN, .passes = passes, .context = asked};
	struct read reads[CATALOGUE_LISTS_MAX];
	struct catalogue shown, all;
	enum http_status status;

	if (!list_cursor_of(rq, "after", &query.cursor))
		return HTTP_BAD_REQUEST;
	for (size_t i = 0; i < asked->tags.count; i++)
		query.lists[query.count++] =
		    catalogue_kind(rq->arena, asked->kind, asked->tags.strings[i]);
	if (query.count == 0)
		query.lists[query.count++] = catalogue_kind(rq->arena, asked->kind, STR(""));
	catalogue_prepare(rq->arena, &query, reads);
	status = page_read(rq, reads, query.count);
	if (status != HTTP_OK)
		return status;
	catalogue_take(rq->arena, &query, reads, &shown);
	query.limit = CATALOGUE_READ;
	catalogue_take(rq->arena, &query, reads, &all);
	out->tags = catalogue_tags(
	    rq->arena, all.entries, all.count, &asked->tags, NARROW_MAX, &out->tag_count);
	out->more_tags = all.next.len != 0 || query.cursor.len != 0;
	out->list = (struct read){.found = shown.items, .found_count = shown.count};
	out->next = shown.next;
	return HTTP_OK;
}

/* --- What can be made with what somebody has ------------------------------------------------------------ */

/* A list that is read: of a thing that they have a word, by its stem in one of the languages. */
struct stem {
	size_t thing, word;
	struct str term;
};

/* A how-to in such a list: which of its materials are meant by that. */
struct use {
	struct str post;
	const struct stem *stem;
	int64_t which;
	const struct item *item;
};

struct makeable {
	const struct item *item;
	struct str place;
	int64_t materials, had;
};

/* Stems are in the order of things, and of their words. */
static int
by_post_and_stem(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = str_cmp(x->post, y->post);

	return order != 0 ? order : x->stem < y->stem ? -1 : x->stem > y->stem;
}

/* What lacks least first, then what needs most of what is there, then the newest. */
static int
by_what_lacks(const void *a, const void *b)
{
	const struct makeable *x = a, *y = b;
	int64_t lacks = (x->materials - x->had) - (y->materials - y->had);

	if (lacks != 0)
		return lacks < 0 ? -1 : 1;
	if (x->had != y->had)
		return x->had > y->had ? -1 : 1;
	return str_cmp(y->place, x->place);
}

/* The stems of a thing, of a word each once; how many. False: there are more than `most`. */
static bool
stems_of_thing(struct request *rq, struct str thing, size_t number,
    const struct str languages[SEARCH_LANGUAGES_MAX], struct stem *stems, size_t most, size_t *count)
{
	struct str *words[SEARCH_LANGUAGES_MAX];
	size_t n = 0;

	*count = 0;
	for (size_t l = 0; l < SEARCH_LANGUAGES_MAX; l++)
		n = material_words(rq->arena, languages[l], thing, &words[l]);
	for (size_t w = 0; w < n; w++)
		for (size_t l = 0; l < SEARCH_LANGUAGES_MAX; l++) {
			bool known = l != 0 && languages[l].len == 0;

			for (size_t k = 0; k < l; k++)
				known = known || str_eq(words[k][w], words[l][w]);
			if (known)
				continue;
			if (*count == most)
				return false;
			stems[(*count)++] = (struct stem){number, w, words[l][w]};
		}
	return true;
}

/* The stems of all things; how many. Things that have no room are left away, each whole: half of one would be something else. */
static size_t
stems_of(struct request *rq, struct asked *asked, const struct str languages[SEARCH_LANGUAGES_MAX],
    struct stem stems[TERMS_MAX])
{
	size_t count = 0, more;

	for (size_t i = 0; i < asked->thing_count; i++, count += more) {
		if (stems_of_thing(rq, asked->things[i], i, languages, &stems[count], TERMS_MAX - count, &more))
			continue;
		asked->thing_count = i;
		asked->things_left = true;
		break;
	}
	return count;
}

/* How many of the words are of this thing: a material has to have all of them. */
static size_t
words_of_thing(const struct stem *stems, size_t count, size_t thing)
{
	size_t words = 0;

	for (size_t i = 0; i < count; i++)
		words += stems[i].thing == thing && (i == 0 || stems[i - 1].thing != thing || stems[i - 1].word != stems[i].word);
	return words;
}

/*
 * From uses of one post, sorted: which of its materials somebody has. A material is a thing if it has each of its
 * words, by one stem.
 */
static int64_t
materials_had(const struct use *uses, size_t count, const struct stem *stems, size_t stem_count)
{
	int64_t had = 0;

	for (size_t i = 0; i < count;) {
		size_t thing = uses[i].stem->thing, words = 0;
		int64_t all = -1;

		while (i < count && uses[i].stem->thing == thing) {
			size_t word = uses[i].stem->word;
			int64_t either = 0;

			for (; i < count && uses[i].stem->thing == thing && uses[i].stem->word == word; i++)
				either |= uses[i].which;
			all &= either;
			words++;
		}
		if (words == words_of_thing(stems, stem_count, thing))
			had |= all;
	}
	return had;
}

static struct makeable *
gather(struct request *rq, const struct asked *asked, const struct read *reads,
    const struct stem *stems, size_t stem_count, size_t *count)
{
	struct makeable *all;
	struct use *uses;
	size_t total = 0, n = 0;

	for (size_t i = 0; i < stem_count; i++)
		total += reads[i].found_count;
	uses = ARENA_ARRAY(rq->arena, total, struct use);
	all = ARENA_ARRAY(rq->arena, total, struct makeable);
	for (size_t i = 0; i < stem_count; i++)
		for (size_t j = 0; j < reads[i].found_count; j++) {
			const struct item *item = &reads[i].found[j];

			uses[n++] = (struct use){item_string(item, STR("Post")), &stems[i],
			    item_number(item, STR("Which")), item};
		}
	qsort(uses, n, sizeof(*uses), by_post_and_stem);
	*count = 0;
	for (size_t i = 0, end; i < n; i = end) {
		struct catalogue_entry entry;
		int64_t had;

		for (end = i; end < n && str_eq(uses[end].post, uses[i].post);)
			end++;
		had = materials_had(&uses[i], end - i, stems, stem_count);
		catalogue_entry_from_item(rq->arena, uses[i].item, &entry);
		if (had == 0 || !passes(&entry, asked))
			continue;
		all[(*count)++] = (struct makeable){uses[i].item,
		    item_string(uses[i].item, table_sk_name(reads[0].query.index)), entry.materials,
		    __builtin_popcountll((unsigned long long)had)};
	}
	qsort(all, *count, sizeof(*all), by_what_lacks);
	return all;
}

static struct str
had_text(struct request *rq, const struct makeable *m)
{
	if (m->had >= m->materials)
		return m->materials == 1 ? STR("You have the material")
					 : str_fmt(rq->arena, "You have all %d materials", (int)m->materials);
	return str_fmt(rq->arena, "You have %d of %d materials", (int)m->had, (int)m->materials);
}

static enum http_status
find_makeable(struct request *rq, struct asked *asked, struct found *out)
{
	struct read reads[TERMS_MAX];
	struct stem stems[TERMS_MAX];
	struct str languages[SEARCH_LANGUAGES_MAX];
	size_t stem_count, count;
	struct makeable *all;
	struct str *notes;
	struct item *items;
	enum http_status status = publication_languages(rq, languages);

	if (status != HTTP_OK)
		return status;
	stem_count = stems_of(rq, asked, languages, stems);
	for (size_t i = 0; i < stem_count; i++) {
		struct catalogue_query one = {
		    .lists = {catalogue_material(rq->arena, stems[i].term)}, .count = 1};

		catalogue_prepare(rq->arena, &one, &reads[i]);
	}
	status = page_read(rq, reads, stem_count);
	if (status != HTTP_OK)
		return status;
	all = gather(rq, asked, reads, stems, stem_count, &count);
	if (count > SHOWN)
		count = SHOWN;
	items = ARENA_ARRAY(rq->arena, count, struct item);
	notes = ARENA_ARRAY(rq->arena, count, struct str);
	for (size_t i = 0; i < count; i++) {
		items[i] = *all[i].item;
		notes[i] = had_text(rq, &all[i]);
	}
	out->list = (struct read){.found = items, .found_count = count};
	out->notes = notes;
	return HTTP_OK;
}

/* --- Showing ------------------------------------------------------------------------------------------- */

static void
field(struct request *rq, struct field_view *out, const char *name, const char *label, const char *hint)
{
	*out = (struct field_view){.id = STR_CONCAT(rq->arena, STR("by-"), str_of(name)),
	    .name = str_of(name),
	    .label = str_of(label),
	    .hint = str_of(hint),
	    .type = STR("text"),
	    .value = request_query(rq, name)};
}

static void
choose(struct request *rq, struct field_view *out, const char *name, const char *label,
    const struct option_view *options, size_t count)
{
	struct option_view *copy = ARENA_ARRAY(rq->arena, count, struct option_view);

	field(rq, out, name, label, "");
	for (size_t i = 0; i < count; i++) {
		copy[i] = options[i];
		copy[i].chosen = str_eq(options[i].value, out->value);
	}
	out->options.items = copy;
	out->options.count = count;
}

#define CHOICES(options) (options), sizeof(options) / sizeof((options)[0])

static void
fill_fields(struct request *rq, const struct asked *asked, struct catalogue_view *view)
{
	struct field_view *fields = ARENA_ARRAY(rq->arena, FIELDS_MAX, struct field_view);
	bool howto = asked->kind == KIND_HOWTO;
	size_t count = 0;

	if (howto) {
		field(rq, &fields[count], "have", "What you have, such as “oak, paint”", "");
		if (asked->things_left && asked->thing_count == 0)
			fields[count].error = STR("These are too many words for one thing. Put commas between the things you have.");
		else if (asked->things_left)
			fields[count].hint = str_fmt(rq->arena, "Only the first %zu count.", asked->thing_count);
		count++;
	}
	field(rq, &fields[count++], "tags", "Tags, up to three",
	    asked->tags_left ? "Only the first three count." : "");
	if (howto) {
		choose(rq, &fields[count++], "difficulty", "Difficulty", CHOICES(difficulties));
		choose(rq, &fields[count++], "minutes", "Time", CHOICES(times));
		field(rq, &fields[count], "cost", "Cost at most", "");
		if (fields[count].value.len != 0 && asked->cents < 0)
			fields[count].error = STR("Write an amount, such as 12 or 12.50.");
		count++;
	} else {
		choose(rq, &fields[count++], "stars", "Stars", CHOICES(stars));
	}
	if (asked->thing_count == 0)
		choose(rq, &fields[count++], "sort", "Order", orders,
		    howto ? CATALOGUE_ORDERS : CATALOGUE_QUICKEST);
	assert(count <= FIELDS_MAX);
	view->fields.items = fields;
	view->fields.count = count;
}

/* The address of this page with one more tag. */
static struct str
narrower(struct request *rq, const struct asked *asked, struct str path, struct str tag)
{
	struct pair *pairs = ARENA_ARRAY(rq->arena, rq->query.count + 1, struct pair);
	struct pairs query = {pairs, 0};
	struct str tags = str_join(rq->arena, asked->tags.strings, asked->tags.count, STR(","));
	struct buf url = {.arena = rq->arena};

	pairs[query.count++] = (struct pair){STR("tags"),
	    tags.len == 0 ? tag : STR_CONCAT(rq->arena, tags, STR(","), tag)};
	for (size_t i = 0; i < rq->query.count; i++) {
		struct str name = rq->query.pairs[i].name;

		if (!str_eq(name, STR("tags")) && !str_eq(name, STR("after")))
			pairs[query.count++] = rq->query.pairs[i];
	}
	buf_put(&url, path);
	query_put(&url, &query);
	return buf_str(&url);
}

static void
fill_tags(struct request *rq, const struct asked *asked, const struct found *found,
    struct catalogue_view *view)
{
	struct counted_link_view *tags =
	    ARENA_ARRAY(rq->arena, found->tag_count, struct counted_link_view);
	size_t count = 0;

	for (size_t i = 0; i < found->tag_count; i++) {
		if (!tag_counted_shown(rq, &found->tag_items, i))
			continue;
		tags[count++] = (struct counted_link_view){
		    asked->tags.count < TAGS_MAX
			? narrower(rq, asked, view->action_url, found->tags[i].tag)
			: url_join(rq->arena, STR("/tag/"), found->tags[i].tag),
		    found->tags[i].tag,
		    str_fmt(rq->arena, "%zu%s", found->tags[i].count, found->more_tags ? "+" : "")};
	}
	view->tags.items = tags;
	view->tags.count = count;
}

/* Those whose heads say that everybody may read them. */
static void
fill_posts(struct request *rq, const struct found *found, struct catalogue_view *view)
{
	struct catalogue_post_view *posts =
	    ARENA_ARRAY(rq->arena, found->list.found_count, struct catalogue_post_view);
	size_t count = 0;

	for (size_t i = 0; i < found->list.found_count; i++) {
		struct post post;

		if (found->heads.items[i] == NULL)
			continue;
		post_from_item(rq->arena, found->heads.items[i], &post);
		if (!post_visible_to(&post, NULL, rq->now))
			continue;
		card_fill(rq, &post, &posts[count].card);
		posts[count++].note_text = found->notes != NULL ? found->notes[i] : STR("");
	}
	view->posts.items = posts;
	view->posts.count = count;
}

/* The heads of what was found, and the numbers of the tags. */
static enum http_status
read_named(struct request *rq, struct found *found)
{
	struct read reads[2];
	bool posts = posts_heads(rq->arena, &found->list, &reads[0]);
	bool tags = tags_counted_prepare(rq, found->tags, found->tag_count, &reads[posts]);
	enum http_status status = page_read(rq, reads, (size_t)posts + tags);

	if (posts)
		found->heads = reads[0];
	if (tags)
		found->tag_items = reads[posts];
	return status;
}

/* What each page says of itself. */
struct told {
	struct str path, title, description, empty;
};

static enum http_status
show(struct request *rq, struct response *rs, enum post_kind kind, const struct told *told)
{
	struct catalogue_view *view = ARENA_NEW(rq->arena, struct catalogue_view);
	struct page_frame frame = {.title = told->title,
	    .description = told->description,
	    .path = told->path,
	    .noindex = rq->query.count != 0};
	struct found found = {.next = STR("")};
	struct asked asked;
	enum http_status status;

	parse(rq, kind, &asked);
	status = asked.thing_count != 0 ? find_makeable(rq, &asked, &found)
					: find_by_tags(rq, &asked, &found);
	if (status == HTTP_OK)
		status = read_named(rq, &found);
	if (status != HTTP_OK)
		return status;
	view->title = told->title;
	view->description = told->description;
	view->action_url = told->path;
	view->empty_text = found.next.len != 0 ? STR("Nothing of these: there may be some further down.")
			   : rq->query.count != 0 ? STR("Nothing like this is here. Ask for less, or for something else.")
						  : told->empty;
	view->breadcrumbs = trail_home(rq);
	frame.json_ld = json_ld_breadcrumbs(rq, &view->breadcrumbs, told->title, told->path);
	fill_fields(rq, &asked, view);
	fill_tags(rq, &asked, &found, view);
	fill_posts(rq, &found, view);
	view->pagination = pagination_onward(rq, found.next);
	list_fresh(rq, rs);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(catalogue_template, view));
}

static enum http_status
show_links(struct request *rq, struct response *rs)
{
	static const struct told told = {STR_INIT("/links"), STR_INIT("Links"),
	    STR_INIT("Pages elsewhere that are worth a visit, with what readers think of them."),
	    STR_INIT("Nobody has added a link yet.")};

	return show(rq, rs, KIND_LINK, &told);
}

static enum http_status
show_howtos(struct request *rq, struct response *rs)
{
	static const struct told told = {STR_INIT("/howtos"), STR_INIT("How-tos"),
	    STR_INIT("Things to make, by what they take, and by what you have."),
	    STR_INIT("Nobody has written a how-to yet.")};

	return show(rq, rs, KIND_HOWTO, &told);
}

PAGE(links, .get = show_links, .typed = true, .query = QUERY("tags", "stars", "sort", "after"))
PAGE(howtos, .get = show_howtos, .typed = true,
    .query = QUERY("tags", "have", "difficulty", "minutes", "cost", "sort", "after"))
