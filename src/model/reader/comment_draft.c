#include "model/reader/comment_draft.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_comment.h"
#include "model/kinds.h"

enum { KEPT_SECONDS = 30 * 86400 };

struct read
comment_drafts_read(struct arena *arena, struct str username)
{
	struct read read = {
	    .kind = READ_QUERY, .query = query_comment_drafts(arena, username)};

	/* Two windows may have stored one more each. */
	read.query.limit = 2 * COMMENT_DRAFTS_MAX;
	return read;
}

static struct comment_draft
draft_of(const struct item *item)
{
	struct comment_draft draft = {.post = item_string(item, STR("Post")),
	    .form = item_string(item, STR("Form")),
	    .markdown = item_string(item, STR("Markdown"))};

	(void)time_parse(item_string(item, STR("SavedAt")), &draft.saved);
	return draft;
}

static bool
is_of_form(const struct comment_draft *a, struct str post, struct str form)
{
	return str_eq(a->post, post) && str_eq(a->form, form);
}

bool
comment_draft_find(
    const struct read *drafts, struct str post, struct str form, struct comment_draft *out)
{
	for (size_t i = 0; i < drafts->found_count; i++) {
		*out = draft_of(&drafts->found[i]);
		if (is_of_form(out, post, form))
			return true;
	}
	return false;
}

static void
remove_item(struct plan *plan, const struct item *item)
{
	plan_add(
	    plan, (struct write){.kind = WRITE_DELETE, .key = item_key(item)}, PLAN_CHANGED);
}

/* The oldest of another form, if there are as many as may be. */
static void
make_room(struct plan *plan, const struct read *drafts, const struct comment_draft *draft)
{
	const struct item *oldest = NULL;
	size_t others = 0;
	int64_t since = 0;

	for (size_t i = 0; i < drafts->found_count; i++) {
		struct comment_draft other = draft_of(&drafts->found[i]);

		if (is_of_form(&other, draft->post, draft->form))
			continue;
		others++;
		if (oldest == NULL || other.saved < since) {
			oldest = &drafts->found[i];
			since = other.saved;
		}
	}
	if (others >= COMMENT_DRAFTS_MAX)
		remove_item(plan, oldest);
}

enum plan_rc
comment_draft_keep(
    struct plan *plan, const struct read *drafts, const struct comment_draft *draft)
{
	struct arena *arena = plan->call->arena;
	struct comment_draft was;
	struct item item = {.count = 0};

	if (draft->markdown.len == 0)
		return comment_draft_drop(plan, drafts, draft);
	if (comment_draft_find(drafts, draft->post, draft->form, &was) &&
	    str_eq(was.markdown, draft->markdown))
		return PLAN_DONE;
	key_set(arena, &item, key_comment_draft(arena, plan->by, draft->post, draft->form),
	    ITEM_COMMENT_DRAFT);
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + KEPT_SECONDS));
	item_set(arena, &item, STR("Form"), value_string(draft->form));
	item_set(arena, &item, STR("Markdown"), value_string(draft->markdown));
	item_set(arena, &item, STR("Post"), value_string(draft->post));
	item_set(arena, &item, STR("SavedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, STR("Username"), value_string(plan->by));
	plan_put(plan, item);
	make_room(plan, drafts, draft);
	return plan_commit(plan);
}

enum plan_rc
comment_draft_drop(
    struct plan *plan, const struct read *drafts, const struct comment_draft *draft)
{
	for (size_t i = 0; i < drafts->found_count; i++) {
		struct comment_draft other = draft_of(&drafts->found[i]);

		if (is_of_form(&other, draft->post, draft->form) ||
		    (str_eq(other.post, draft->post) && str_eq(other.markdown, draft->markdown)))
			remove_item(plan, &drafts->found[i]);
	}
	return plan_commit(plan);
}
