/* What there is to choose from in the form of writing: categories, groups, tags. What is chosen stays choosable. */
#include "pages/write/write_view.h"

#include "base/arena.h"
#include "model/post/tag.h"
#include "model/viewer.h"
#include "pages/shared/publication.h"
#include "pages/write/scheduled.h"
#include "text/template.h"

enum { TAGS_SHOWN_MIN = 4 };

/* --- Categories and groups ------------------------------------------------------------------------- */

/* The tree of categories, each under its parent's. */
static void
offer_categories(struct request *rq, struct write_view *view)
{
	static const struct publication none;
	const struct publication *p = publication_any(rq);
	const struct category_tree *tree = &(p != NULL ? p : &none)->categories;
	struct option_view *options = ARENA_ARRAY(rq->arena, tree->count + 2, struct option_view);
	const struct category *stored = category_find(tree, view->category.value);
	size_t count = 0;

	options[count++] = (struct option_view){STR(""), STR("None"), false};
	for (size_t i = 0; i < tree->count; i++) {
		const struct category *c = &tree->categories[i];
		struct buf label = {.arena = rq->arena};

		for (unsigned d = 0; d < c->depth; d++)
			BUF_PUT(&label, "\u2003");
		buf_put(&label, c->name);
		/* One that was merged is the other by its old name. */
		options[count++] = (struct option_view){
		    c == stored ? view->category.value : c->slug, buf_str(&label), false};
	}
	/* What is stored, or was typed, stays choosable when it is gone. */
	if (view->category.value.len != 0 && stored == NULL)
		options[count++] =
		    (struct option_view){view->category.value, view->category.value, false};
	form_field_offer(rq, &view->category, options, count);
}

/* Who is in no group can write for none. */
static void
offer_no_group(struct request *rq, struct write_view *view)
{
	const struct option_view *all = view->visibility.options.items;
	struct option_view *options =
	    ARENA_ARRAY(rq->arena, view->visibility.options.count, struct option_view);
	size_t count = 0;

	for (size_t i = 0; i < view->visibility.options.count; i++)
		if (!str_eq(all[i].value, STR("group")))
			options[count++] = all[i];
	view->visibility.options.items = options;
	view->visibility.options.count = count;
	view->group.name = STR("");
}

static void
offer_groups(struct request *rq, struct write_view *view)
{
	const struct viewer *viewer = rq->viewer;
	struct option_view *options =
	    ARENA_ARRAY(rq->arena, viewer->group_count + 2, struct option_view);
	struct str typed = view->group.value;
	size_t count = 0;

	options[count++] = (struct option_view){STR(""), STR("None"), false};
	for (size_t i = 0; i < viewer->group_count; i++) {
		struct str name = viewer->groups[i].name;

		options[count++] =
		    (struct option_view){name, viewer_group_title(viewer, name), false};
		if (str_eq(name, typed))
			typed = STR("");
	}
	if (typed.len != 0)
		options[count++] = (struct option_view){typed, typed, false};
	form_field_offer(rq, &view->group, options, count);
	if (count == 1 && !str_eq(view->visibility.value, STR("group")))
		offer_no_group(rq, view);
}

/* --- Tags ------------------------------------------------------------------------------------------ */

static const struct strings *
raw_of(const struct form_result *f, const char *name)
{
	size_t i = 0;

	while (!str_eq(f->form->fields[i].name, str_of(name)))
		i++;
	return &f->fields[i].raw;
}

/* The tags that readers see somewhere: one that waits for its post would tell what it is about. */
static void
offer_tags(struct request *rq, const struct read *found, struct write_view *view)
{
	struct str *names = ARENA_ARRAY(rq->arena, found->found_count, struct str);
	size_t count = 0;

	for (size_t i = 0; i < found->found_count; i++) {
		struct tag tag;

		tag_from_item(rq->arena, &found->found[i], &tag);
		if (tag.posts - scheduled_with(rq, tag.name) > 0)
			names[count++] = tag.name;
	}
	view->known_tags.items = names;
	view->known_tags.count = count;
}

/* What is typed, and room for more. */
static void
fill_tags(struct request *rq, const struct write_page *page, struct write_view *view)
{
	const struct strings *typed = raw_of(&page->typed->form, "tag");
	struct str *tags = ARENA_ARRAY(rq->arena, typed->count + WRITING_TAGS_MAX, struct str);
	size_t count = 0;

	for (size_t i = 0; i < typed->count; i++)
		if (str_trim(typed->strings[i]).len != 0)
			tags[count++] = typed->strings[i];
	do
		tags[count++] = STR("");
	while (count < TAGS_SHOWN_MIN);
	view->tags.items = tags;
	view->tags.count = count <= WRITING_TAGS_MAX ? count : WRITING_TAGS_MAX;
	if (count - 1 > WRITING_TAGS_MAX)
		view->tags.count = count - 1;
	if (page->known_tags != NULL && rq->publication != NULL)
		offer_tags(rq, page->known_tags, view);
	view->tags_error = str_of(form_error(&page->typed->form, "tag"));
}

void
write_offer(struct request *rq, const struct write_page *page, struct write_view *view)
{
	offer_categories(rq, view);
	offer_groups(rq, view);
	fill_tags(rq, page, view);
}
