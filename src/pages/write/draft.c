#include "pages/write/form.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/zone.h"
#include "model/key_post.h"
#include "model/people/user.h"
#include "model/post/media.h"
#include "model/post/tag.h"
#include "model/reader/follow.h"
#include "model/reader/mention.h"
#include "model/slug.h"
#include "model/text_rule.h"
#include "pages/shared/publication.h"
#include "pages/write/link_title.h"
#include "text/markdown.h"
#include "text/text.h"
#include "web/http/large.h"

#include <assert.h>

/*
 * Limits for the date of a post: a page lists all years from the first one, and keys have four
 * digits.
 */
enum { YEAR_FIRST = 1900, YEAR_LAST = 2999 };

/* How many people a note names. */
enum { MENTIONS_MAX = 10 };

static const struct write_values *
values(const struct typed *typed)
{
	return typed->form.values;
}

/* --- Fields that are stored as typed ---------------------------------------------------------- */

static void
put_value(const struct post_field *field, const void *typed, void *member)
{
	switch (post_field_binding(field)->kind) {
	case BINDING_STRING: *(struct str *)member = *(const struct str *)typed; return;
	case BINDING_NUMBER: *(int64_t *)member = *(const int64_t *)typed; return;
	case BINDING_CHOICE: *(int *)member = (int)*(const int64_t *)typed; return;
	default: assert(false);
	}
}

/* All fields of this kind of post. Those with rules of their own follow. */
static void
fill_plain(const struct typed *typed, struct draft *out)
{
	const struct form *form = typed->form.form;

	for (size_t i = 0; i < form->count; i++) {
		const struct post_field *field = write_plain(&form->fields[i]);

		if (field != NULL && post_field_of(field, typed->kind))
			put_value(field, (const char *)typed->form.values + form->fields[i].offset,
			    post_field_member(field, &out->post, &out->body));
	}
}

/* --- Title and address ----------------------------------------------------------------------------- */

static void
fill_title(struct request *rq, struct typed *typed, struct post *post)
{
	struct str suggested;

	if (typed->kind != KIND_LINK || form_raw(&typed->form, "title").len != 0)
		return;
	suggested = link_title(rq->arena, values(typed)->body.source);
	if (suggested.len == 0)
		return;
	form_fill(&typed->form, "title", suggested);
	post->title = suggested;
}

/* The text from which a slug is made if none was chosen. */
static struct str
slug_for(struct request *rq, const struct post *post, struct str markdown)
{
	struct str text = post->title;

	if (text.len == 0)
		text = post->excerpt;
	if (text.len == 0)
		text = str_sub(markdown_text(rq->arena, str_sub(markdown, 0, 300)), 0, 60);
	while (!str_utf8(text))
		text = str_sub(text, 0, text.len - 1);
	return slug_of(rq->arena, text, SLUG_MAX, str_of(post_kind_name(post->kind)));
}

/* A chosen slug is kept. A generated one follows the title until the post is published. */
static void
fill_slug(
    struct request *rq, const struct typed *typed, const struct written *old, struct draft *out)
{
	struct str chosen = values(typed)->post.slug;
	bool made = chosen.len == 0;

	if (old != NULL && old->post.status == STATUS_DRAFT && str_eq(chosen, old->post.slug) &&
	    !str_eq(old->post.title, out->post.title) &&
	    str_starts(chosen, slug_for(rq, &old->post, old->body.markdown)))
		made = true;
	out->post.slug = made ? slug_for(rq, &out->post, out->body.markdown) : chosen;
	out->any_slug = made;
	/* It keeps its slug, possibly with a number. */
	if (made && old != NULL && str_starts(old->post.slug, out->post.slug) &&
	    str_eq(old->post.title, out->post.title))
		out->post.slug = old->post.slug;
}

/* --- Category and visibility ------------------------------------------------------------------ */

/* What the text of a note names with "#" is a tag of it, too. */
static void
add_hashtags(struct request *rq, struct str markdown, struct post *post)
{
	struct strings_value found = markdown_hashtags(rq->arena, markdown);
	struct str *all = ARENA_ARRAY(rq->arena, post->tags.count + found.count, struct str);
	size_t count = 0;

	for (; count < post->tags.count; count++)
		all[count] = post->tags.strings[count];
	for (size_t i = 0; i < found.count; i++) {
		size_t n = 0;

		while (n < count && !str_eq(all[n], found.strings[i]))
			n++;
		if (n == count)
			all[count++] = found.strings[i];
	}
	post->tags = (struct strings_value){all, count};
}

static void
fill_tags(struct request *rq, struct typed *typed, struct str markdown, struct post *post)
{
	const struct strings *tags = &values(typed)->tag;
	struct str strange;

	post->tags = (struct strings_value){NULL, 0};
	if (!post_field_of(post_field(STR("tags")), typed->kind))
		return;
	post->tags = tags_of(rq->arena, tags->strings, tags->count, &strange);
	if (post->kind == KIND_NOTE)
		add_hashtags(rq, markdown, post);
	if (strange.len != 0)
		form_refuse(&typed->form, "tag",
		    str_cstring(rq->arena,
			str_fmt(rq->arena, "“%.*s” has no letter and no digit to make a tag of.",
			    STR_ARGS(strange))));
	else if (post->tags.count > WRITING_TAGS_MAX)
		form_refuse(&typed->form, "tag",
		    post->kind == KIND_NOTE
			? "These are too many, with those of the text: ten at most."
			: "These are too many: ten at most.");
}

static void
fill_category(struct request *rq, struct typed *typed, struct post *post)
{
	const struct category *category;

	if (post->category.len == 0)
		return;
	category = category_find(&publication_of(rq)->categories, post->category);
	if (category != NULL)
		post->category = category->slug; /* the new one, if it was merged */
	else
		form_refuse(&typed->form, "category", "This category is not there any more.");
}

/* A post can be for a group of its writer; an editor may keep the group that it has. */
static void
fill_visibility(
    struct request *rq, struct typed *typed, const struct written *old, struct post *post)
{
	const struct write_values *v = values(typed);
	bool known = old != NULL && str_eq(old->post.group, v->post.group);

	post->visibility = form_raw(&typed->form, "visibility").len != 0
			       ? (enum visibility)v->visibility
			       : VISIBILITY_PUBLIC;
	post->group = post->visibility == VISIBILITY_GROUP ? v->post.group : STR("");
	if (post->visibility != VISIBILITY_GROUP)
		return;
	for (size_t i = 0; i < rq->viewer->group_count; i++)
		known = known || str_eq(rq->viewer->groups[i].name, v->post.group);
	if (v->post.group.len == 0 || !known)
		form_refuse(&typed->form, "group", "Choose one of your groups.");
}

/* The item that was read at a key. */
static const struct item *
item_at(const struct read *people, struct key key)
{
	for (size_t i = 0; people != NULL && i < people->batch.count; i++)
		if (str_eq(people->batch.keys[i].pk, key.pk) &&
		    str_eq(people->batch.keys[i].sk, key.sk))
			return people->items[i];
	return NULL;
}

/* The person of that name in a list, or NULL. */
static const struct coauthor *
named(const struct coauthor *people, size_t count, struct str username)
{
	for (size_t i = 0; i < count; i++)
		if (str_eq(people[i].username, username))
			return &people[i];
	return NULL;
}

/* To be asked is to be told: nobody is by whom they have blocked. */
static bool
has_blocked(struct request *rq, const struct read *people, struct str name)
{
	struct key key = follow_read(rq->arena, name, rq->viewer->user.username).key;

	return follow_status(item_at(people, key)) == FOLLOW_BLOCKED;
}

/* Reports an error with a name. */
static void
refuse_other(struct request *rq, struct typed *typed, const char *before, struct str name,
    const char *behind)
{
	form_refuse(&typed->form, "others",
	    str_cstring(rq->arena, STR_CONCAT(rq->arena, str_of(before), name, str_of(behind))));
}

/*
 * Authors remain authors, and people who were asked remain asked; anybody else is asked from now
 * on, except oneself. Only forms ask; an operator's import names authors directly.
 */
static void
fill_others(struct request *rq, struct typed *typed, const struct written *old,
    const struct read *people, struct post *post)
{
	static const struct post nothing;
	const struct post *was = old != NULL ? &old->post : &nothing;
	struct str names[WRITING_OTHERS_MAX + 1];
	size_t count = typed_others(rq, typed, post->author, names);
	struct coauthor *others = ARENA_ARRAY(rq->arena, WRITING_OTHERS_MAX, struct coauthor);
	struct coauthor *asked = ARENA_ARRAY(rq->arena, WRITING_OTHERS_MAX, struct coauthor);

	post->others = others;
	post->asked = asked;
	post->other_count = post->asked_count = 0;
	if (count > WRITING_OTHERS_MAX) {
		form_refuse(&typed->form, "others", "These are too many: five at most.");
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const struct item *item = item_at(people, key_user(rq->arena, names[i]));
		const struct coauthor *is = named(was->others, was->other_count, names[i]);
		struct user user = {.status = USER_DISABLED};
		struct coauthor one;

		if (item != NULL)
			user_from_item(rq->arena, item, &user);
		one = (struct coauthor){user.username, user.display_name};
		if (user.status != USER_ACTIVE && is == NULL)
			refuse_other(rq, typed, "Nobody here is called “", names[i],
			    "”. Write their usernames, with commas between them.");
		else if (is != NULL || str_eq(names[i], rq->viewer->user.username))
			others[post->other_count++] = user.status == USER_ACTIVE ? one : *is;
		else if (!post_asks(was, names[i]) &&
			 writing_declined(
			     item_at(people, key_declined(rq->arena, names[i], was->id)), rq->now))
			refuse_other(rq, typed, "", names[i],
			    " was asked, or named, and does not want to be. Leave their name out.");
		else if (!post_asks(was, names[i]) && has_blocked(rq, people, names[i]))
			refuse_other(
			    rq, typed, "", names[i], " can’t be asked. Leave their name out.");
		else
			asked[post->asked_count++] = one;
	}
}

/* --- The rest of the head -------------------------------------------------------------------------- */

static void
fill_picture(
    struct request *rq, const struct typed *typed, const struct written *old, struct post *post)
{
	const struct write_values *v = values(typed);
	struct media_address address;
	struct image *image = &post->thumbnail;

	*image = (struct image){.url = v->thumbnail_url,
	    .alt = v->thumbnail_alt,
	    .focus = str_of(image_focuses[v->thumbnail_focus])};
	if (image->url.len == 0)
		return;
	if (media_address_read(image->url, rq->site->origin, &address)) {
		image->width = address.size.width;
		image->height = address.size.height;
	} else if (old != NULL && str_eq(old->post.thumbnail.url, image->url)) {
		image->width = old->post.thumbnail.width;
		image->height = old->post.thumbnail.height;
	}
}

/* "12", "12.5", "12,50" as "12.50"; false for anything else. */
static bool
amount_read(struct request *rq, struct str typed, struct str *out)
{
	struct str part,
	    whole = str_cut(typed, str_find(typed, '.') < typed.len ? '.' : ',', &part);

	*out = whole.len < typed.len ? STR_CONCAT(rq->arena, whole, STR("."), part,
					   part.len == 1 ? STR("0") : STR(""))
				     : typed;
	return text_keeps(TEXT_AMOUNT, *out);
}

static void
fill_cost(struct request *rq, struct typed *typed, struct post *post)
{
	const struct write_values *v = values(typed);
	char *letters;

	post->cost = post->currency = STR("");
	if (v->post.cost.len == 0)
		return;
	if (!amount_read(rq, v->post.cost, &post->cost))
		form_refuse(&typed->form, "cost", "Write an amount, such as 12 or 12.50.");
	letters = str_cstring(rq->arena, v->post.currency);
	for (size_t i = 0; i < v->post.currency.len; i++)
		if (letters[i] >= 'a' && letters[i] <= 'z')
			letters[i] = (char)(letters[i] - 32);
	post->currency = (struct str){letters, v->post.currency.len};
	if (post->currency.len == 0 || !text_keeps(TEXT_CURRENCY, post->currency))
		form_refuse(
		    &typed->form, "currency", "Write a currency’s three letters, such as EUR.");
}

/*
 * What was typed, in the site's zone. A form has only minutes, and does not say which of the two
 * when clocks are set back: if the stored time would look the same, it is kept.
 */
static int64_t
exact(const struct zone *zone, int64_t typed, int64_t stored)
{
	if (typed / 60000 == zone_local(zone, stored) / 60000)
		return stored;
	return zone_utc(zone, typed);
}

static void
fill_state(struct request *rq, struct typed *typed, const struct written *old, enum wish wish,
    struct post *post)
{
	int64_t when = values(typed)->when;
	int64_t was = old != NULL ? old->post.published : 0;
	int64_t planned = old != NULL ? old->post.planned : 0;

	if (when != 0 && (time_date(when).year < YEAR_FIRST || time_date(when).year > YEAR_LAST)) {
		form_refuse(&typed->form, "when", "Write a year from 1900 to 2999.");
		when = 0;
	}
	post->status = old != NULL ? old->post.status : STATUS_DRAFT;
	if (wish == WISH_PUBLISH)
		post->status = STATUS_PUBLISHED;
	/* An unpublished post can't be withdrawn: it stays as it is. */
	if (wish == WISH_UNPUBLISH && post->status == STATUS_PUBLISHED)
		post->status = was <= rq->now ? STATUS_UNPUBLISHED : STATUS_DRAFT;
	post->planned = when != 0 ? exact(rq->zone, when, planned) : 0;
	post->published = when != 0 ? exact(rq->zone, when, was) : was;
}

/* --- Rows ------------------------------------------------------------------------------------------ */

static void
fill_rows(struct request *rq, const struct typed *typed, struct post_body *body)
{
	const struct rows *materials = &typed->rows[ROWS_MATERIALS];
	const struct rows *tools = &typed->rows[ROWS_TOOLS], *steps = &typed->rows[ROWS_STEPS];
	struct material *m = ARENA_ARRAY(rq->arena, materials->count, struct material);
	struct str *t = ARENA_ARRAY(rq->arena, tools->count, struct str);
	struct step *s = ARENA_ARRAY(rq->arena, steps->count, struct step);

	body->materials = m;
	body->steps = s;
	for (size_t i = 0; i < materials->count; i++)
		if (materials->rows[i].first.len != 0 || materials->rows[i].second.len != 0)
			m[body->material_count++] =
			    (struct material){materials->rows[i].first, materials->rows[i].second};
	for (size_t i = 0; i < tools->count; i++)
		if (tools->rows[i].first.len != 0)
			t[body->tools.count++] = tools->rows[i].first;
	body->tools.strings = t;
	for (size_t i = 0; i < steps->count; i++)
		if (steps->rows[i].first.len != 0)
			s[body->step_count++].markdown = steps->rows[i].first;
}

/* What a post needs before it is published. */
static void
check_complete(struct typed *typed, const struct draft *draft)
{
	bool text = draft->body.markdown.len != 0;

	if (typed->kind != KIND_NOTE && draft->post.title.len == 0)
		form_refuse(&typed->form, "title", "A title is missing.");
	if (typed->kind == KIND_LINK && draft->post.url.len == 0)
		form_refuse(&typed->form, "url",
		    "Write the whole address that it leads to, with https://.");
	if (typed->kind == KIND_HOWTO && !text && draft->body.step_count == 0)
		form_refuse(&typed->form, "markdown",
		    "Say how it is made: there is neither a text nor a step.");
	if (typed->kind != KIND_LINK && typed->kind != KIND_HOWTO && !text)
		form_refuse(&typed->form, "markdown", "There is no text yet.");
}

/*
 * A note quotes what its writer may read, by the id, which never changes; what it has quoted so far it may quote still. What
 * the writer may not read is answered as what is not there.
 */
static void
fill_quotes(struct request *rq, struct typed *typed, const struct written *old,
    const struct item *quoted, struct post *post)
{
	struct post other;

	if (post->kind != KIND_NOTE || post->quotes.len == 0)
		return;
	if (quoted != NULL) {
		post_from_item(rq->arena, quoted, &other);
		post->quotes = other.id;
	}
	if (old != NULL && str_eq(old->post.quotes, post->quotes))
		return;
	if (quoted == NULL || other.kind == KIND_PAGE || str_eq(other.id, post->id) ||
	    !post_visible_to(&other, rq->viewer, rq->now))
		form_refuse(&typed->form, "quotes", "There is no such post to quote.");
}

struct strings_value
typed_mentions(struct request *rq, const struct typed *typed)
{
	struct str text = form_raw(&typed->form, "markdown");

	if (typed->kind != KIND_NOTE || text.len >= LARGE_BYTES)
		return (struct strings_value){NULL, 0};
	return markdown_mentions(rq->arena, text);
}

/*
 * Its tags and people become links. Who edits what others wrote names nobody more: it is the writer whom people may have
 * blocked.
 */
static void
fill_mentions(struct request *rq, struct typed *typed, const struct written *old,
    const struct read *mentioned, struct draft *out)
{
	struct strings_value people = mention_take(rq->arena, mentioned);

	if (old != NULL && !post_written_by(&old->post, rq->viewer->user.username))
		people = old->body.mentions;
	markdown_prepare(rq->arena, &out->post, rq->settings->language, people, &out->body);
	if (out->body.mentions.count > MENTIONS_MAX)
		form_refuse(&typed->form, "markdown", "It names too many people with @: ten at most.");
}

void
draft_fill(struct request *rq, struct typed *typed, const struct written *old,
    const struct named *named, enum wish wish, struct draft *out)
{
	const struct user *user = &rq->viewer->user;
	struct post *post = &out->post;

	*out = (struct draft){
	    .post = {
		.kind = typed->kind, .author = user->username, .author_name = user->display_name}};
	if (old != NULL)
		*post = old->post;
	post->version = values(typed)->version;
	fill_plain(typed, out);
	fill_title(rq, typed, post);
	fill_tags(rq, typed, out->body.markdown, post);
	fill_quotes(rq, typed, old, named->quoted, post);
	fill_category(rq, typed, post);
	fill_visibility(rq, typed, old, post);
	fill_others(rq, typed, old, named->people, post);
	fill_picture(rq, typed, old, post);
	fill_cost(rq, typed, post);
	fill_state(rq, typed, old, wish, post);
	fill_rows(rq, typed, &out->body);
	if (post->kind == KIND_NOTE && post->title.len == 0 && post->excerpt.len == 0)
		post->excerpt = note_beginning(rq, out->body.markdown);
	fill_slug(rq, typed, old, out);
	fill_mentions(rq, typed, old, named->mentioned, out);
	markdown_body(rq->arena, rq->site->origin, &out->body, post);
	if (post->status == STATUS_PUBLISHED)
		check_complete(typed, out);
	/* It would disappear for whoever does this. */
	if (post_is_private(post) && !post_written_by(post, user->username))
		form_refuse(&typed->form, "visibility",
		    "Only one of its authors can publish it for its authors alone.");
}
