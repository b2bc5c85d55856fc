/* Trees out of flat lists: categories by their parents, comments by their paths. */
#include "base/arena.h"
#include "base/buf.h"
#include "lib/tap.h"
#include "model/post/category.h"
#include "model/reader/comment.h"

static struct item
item_with(struct arena *arena, const char *const *pairs)
{
	struct item item = {0};

	for (; pairs[0] != NULL; pairs += 2)
		if (pairs[1] != NULL)
			item_set(arena, &item, str_of(pairs[0]), value_string(str_of(pairs[1])));
	return item;
}

/* --- Categories: "slug<parent slug<parent …" in, "slug/depth/below …" out --- */

struct forest {
	const char *says;
	struct {
		const char *slug, *parent;
	} in[6];
	const char *out;
};

static const struct forest forests[] = {
    {"no categories", {{0}}, ""},
    {"a row", {{"a"}, {"b"}}, "a/0/0 b/0/0"},
    {"children follow their parent, in the order of the row",
	{{"a"}, {"b"}, {"c", "a"}, {"d", "a"}, {"e", "c"}}, "a/0/3 c/1/1 e/2/0 d/1/0 b/0/0"},
    {"a child that comes before its parent", {{"a", "b"}, {"b"}}, "b/0/1 a/1/0"},
    {"a parent that is missing: at the top", {{"a", "gone"}, {"b", "a"}}, "a/0/1 b/1/0"},
    {"its own parent: at the top", {{"a", "a"}, {"b", "a"}}, "a/0/1 b/1/0"},
    {"a circle begins with its first", {{"x"}, {"a", "c"}, {"b", "a"}, {"c", "b"}},
	"x/0/0 a/0/2 b/1/1 c/2/0"},
};

static void
test_categories(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(forests) / sizeof(forests[0]); i++) {
		struct item items[6];
		struct buf out = {.arena = arena};
		struct category_tree tree;
		size_t count = 0;
		bool linked = true;

		for (; count < 6 && forests[i].in[count].slug != NULL; count++)
			items[count] = item_with(
			    arena, (const char *const[]){"Slug", forests[i].in[count].slug,
				       "Parent", forests[i].in[count].parent, NULL});
		tree = category_tree(arena, items, count, NULL, 0);
		for (size_t k = 0; k < tree.count; k++) {
			const struct category *c = &tree.categories[k];

			buf_fmt(&out, "%s%.*s/%u/%zu", k != 0 ? " " : "", STR_ARGS(c->slug),
			    c->depth, c->below);
			linked = linked && (c->depth == 0) == (c->parent == NULL) &&
				 (c->parent == NULL || str_eq(c->parent->slug, c->parent_slug)) &&
				 category_find(&tree, c->slug) == c;
		}
		is_str(buf_str(&out), str_of(forests[i].out), "%s", forests[i].says);
		ok(linked, "... each knows its parent");
	}
}

/* --- Threads: paths and a letter for the status in, "path/below …" out --- */

struct talk {
	const char *says;
	const char *in; /* in reading order; v visible, h held, d deleted, x of no known status */
	const char *out;
};

static const struct talk talks[] = {
    {"no comments", "", ""},
    {"a thread", "a v a.b v a.b.c v a.d v e v", "a/3 a.b/1 a.b.c/0 a.d/0 e/0"},
    {"what is held goes with all under it", "a v a.b h a.b.c v a.b.c.d v a.e v", "a/1 a.e/0"},
    {"... also at the root", "a h a.b v c v", "c/0"},
    {"what has no known status is held", "a x b v", "b/0"},
    {"deleted with a visible reply: its place is kept", "a d a.b v", "a/1 a.b/0"},
    {"deleted without one: gone", "a v a.b d c d", "a/0"},
    {"deleted down to the end: all gone", "a d a.b d a.b.c d d v", "d/0"},
    {"deleted over what is held: gone", "a d a.b h a.b.c v", ""},
    {"deleted between: kept as long as something is under it", "a v a.b d a.b.c d a.b.d v e d",
	"a/2 a.b/1 a.b.d/0"},
};

static struct thread
thread_of(struct arena *arena, const char *in)
{
	struct str rest = str_of(in);
	struct item items[8];
	size_t count = 0;

	while (rest.len != 0) {
		struct str path = str_cut(rest, ' ', &rest), status = str_cut(rest, ' ', &rest);
		char *sort = str_cstring(arena, STR_CONCAT(arena, STR("COMMENT#"), path));
		char letter = status.base[0];

		items[count++] =
		    item_with(arena, (const char *const[]){"PK", "POST#p", "SK", sort, "Id",
					 str_cstring(arena, path), "Author", "ann", "Markdown",
					 "text", "HTML", "<p>text</p>", "Status",
					 letter == 'v'   ? "visible"
					 : letter == 'h' ? "held"
					 : letter == 'd' ? "deleted"
							 : "strange",
					 NULL});
	}
	return thread_from_items(arena, items, count, NULL);
}

static void
test_threads(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(talks) / sizeof(talks[0]); i++) {
		struct thread thread = thread_of(arena, talks[i].in);
		struct buf out = {.arena = arena};
		bool silent = true;

		for (size_t k = 0; k < thread.count; k++) {
			const struct comment *c = &thread.comments[k];

			buf_fmt(&out, "%s%.*s/%zu", k != 0 ? " " : "", STR_ARGS(c->id), c->below);
			if (c->status == COMMENT_DELETED)
				silent = silent && c->html.len == 0 && c->markdown.len == 0 &&
					 c->author.len == 0 && c->author_name.len == 0;
		}
		is_str(buf_str(&out), str_of(talks[i].out), "%s", talks[i].says);
		ok(silent, "... and nothing of what was deleted is there");
	}
}

int
main(void)
{
	struct arena *arena = arena_new();

	test_categories(arena);
	test_threads(arena);
	arena_free(arena);
	return tap_done();
}
