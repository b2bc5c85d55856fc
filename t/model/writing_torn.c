/*
 * A table that reads each item at a different moment: what was read of a post may be of two
 * moments, and a save must neither lose what came in between nor leave a hidden post where
 * everybody finds it.
 */
#include "writing_shared.h"

#include "base/arena.h"
#include "lib/failing_table.h"

/* Answers that many times with an earlier text. */
struct torn_table {
	struct failing_table failing; /* the first member, whose other calls stay */
	struct item *body;
	unsigned times, reads;
};

static enum table_rc
torn_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct torn_table *torn = (struct torn_table *)table;
	struct table *inner = torn->failing.inner;
	enum table_rc rc = inner->engine->read(inner, call, reads, count);

	torn->reads++;
	if (rc == TABLE_OK && torn->times != 0) {
		torn->times--;
		reads[POST_BODY].item = torn->body;
	}
	return rc;
}

static struct item *
body_of(struct desk_place *p, const char *id)
{
	struct item *body = NULL;

	table_get(p->table, &p->call, key_post_body(p->arena, str_of(id)), &body);
	return body;
}

static void
torn_texts(struct desk_place *p)
{
	static const struct {
		const char *says;
		unsigned times, reads;
		enum table_rc rc;
	} cases[] = {
	    {"a whole post is read once", 0, 1, TABLE_OK},
	    {"one with the text of an earlier save is read again", 1, 2, TABLE_OK},
	    {"... and again", 3, 4, TABLE_OK},
	    {"... but not for ever", 1000, 6, TABLE_CONFLICT},
	};
	struct draft draft = draft_of("torn", KIND_NOTE);
	struct torn_table torn = {.times = 0};
	struct table_engine engine;
	struct plan plan = p->plan;
	struct written now;

	writing_create(&p->plan, &draft);
	torn.body = body_of(p, "torn");
	now = stored(p, "torn");
	draft = draft_from(&now);
	draft.body.markdown = STR("Second.\n");
	is_int(writing_save(&p->plan, &now, &draft), PLAN_DONE, "a post is saved twice");
	failing_table_begin(&torn.failing, p->table);
	engine = *torn.failing.table.engine;
	engine.read = torn_read;
	torn.failing.table.engine = &engine;
	plan.table = &torn.failing.table;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool there;

		torn.times = cases[i].times;
		torn.reads = 0;
		is_int(written_get(&plan, STR("torn"), &now, &there), cases[i].rc, "%s",
		    cases[i].says);
		is_int(torn.reads, cases[i].reads, "... in so many reads");
		if (cases[i].rc == TABLE_OK)
			is_str(
			    now.body.markdown, STR("Second.\n"), "... with the text of its head");
	}
}

/* The figures as they were before, beside the head of after. */
static void
torn_figures(struct desk_place *p)
{
	struct draft draft = draft_of("figures", KIND_NOTE);
	const struct item *figures;
	struct written hidden, shown;
	struct post post;

	writing_create(&p->plan, &draft);
	hidden = stored(p, "figures");
	publish(&p->plan, &hidden, p->plan.now, &post);
	shown = stored(p, "figures");
	figures = shown.stats_item;
	shown.stats_item = hidden.stats_item;
	is_int(writing_unpublish(&p->plan, &shown, post.version, &post), PLAN_DONE,
	    "a post is hidden by somebody who saw it shown, but its figures before that");
	is_whole(p, "that");
	hidden = stored(p, "figures");
	hidden.stats_item = figures;
	is_int(publish(&p->plan, &hidden, p->plan.now, &post), PLAN_DONE, "... and shown again");
	is_whole(p, "that, too");
}

void
writing_torn(struct desk_place *p)
{
	torn_texts(p);
	torn_figures(p);
}
