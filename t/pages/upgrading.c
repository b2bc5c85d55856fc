/*
 * An older table, carried over by `broadsheet table upgrade` (model/site/upgrade.h): the seed, with its items rewritten to
 * the form that they had before there were counters of their own, becomes what it was; in one go, in parts, and while
 * readers write.
 */
#include "counted.h"
#include "past.h"
#include "signing.h"

#include "lib/failing_table.h"

#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_follow.h"
#include "model/key_post.h"
#include "model/kinds.h"
#include "model/post/count.h"
#include "model/site/format.h"
#include "model/site/upgrade.h"

/* --- The old form --------------------------------------------------------------------------------------- */

static void
drop(struct seeded *s, const struct item *item)
{
	struct table_call call = {.arena = s->arena};
	struct write write = {.kind = WRITE_DELETE, .key = item_key(item)};

	if (table_write(s->table, &call, &write) != TABLE_OK)
		bail_out("an item can't be dropped");
	table_release(s->table, &call);
}

static const struct item *
among(const struct all *all, struct key key)
{
	for (size_t i = 0; i < all->count; i++)
		if (str_eq(item_string(&all->items[i], STR("PK")), key.pk) &&
		    str_eq(item_string(&all->items[i], STR("SK")), key.sk))
			return &all->items[i];
	return NULL;
}

static void
copy_number(struct arena *arena, struct item *to, const struct item *from, struct str name)
{
	if (from != NULL && item_get(from, name) != NULL)
		item_set(arena, to, name, *item_get(from, name));
}

static void
without_keys(struct item *item, enum table_index index)
{
	item_remove(item, table_pk_name(index));
	item_remove(item, table_sk_name(index));
}

/* Is it an item of which there was none? */
static bool
is_new(const struct item *item)
{
	static const char *const new[] = {
	    "Count", "Fold", "Tally", "CommentVotes", "PersonCounts", "CategoryCount",
	    "TableFormat", NULL};

	for (size_t i = 0; new[i] != NULL; i++)
		if (is_type(item, new[i]))
			return true;
	return false;
}

/* As it was before. */
static void
old_form(struct seeded *s, const struct all *all, struct item *item)
{
	const struct item *beside;

	*item = item_shallow(s->arena, item);
	if (is_type(item, "Stats")) {
		item_remove(item, STR("Shards"));
		item_remove(item, STR("Threads"));
	} else if (is_type(item, "Comment")) {
		beside = among(all,
		    key_comment_votes(s->arena, item_string(item, STR("Post")),
			key_comment_path(item_key(item).sk)));
		copy_number(s->arena, item, beside, STR("Ups"));
		copy_number(s->arena, item, beside, STR("Downs"));
		if (str_eq(item_string(item, table_pk_name(TABLE_GSI3)), STR("SAID")))
			without_keys(item, TABLE_GSI3);
	} else if (is_type(item, "Vote")) {
		item_remove(item, STR("Path"));
	} else if (is_type(item, "Rating")) {
		without_keys(item, TABLE_GSI4);
	} else if (is_type(item, "User")) {
		beside =
		    among(all, key_person_counts(s->arena, item_string(item, STR("Username"))));
		copy_number(s->arena, item, beside, STR("Followers"));
		copy_number(s->arena, item, beside, STR("Following"));
		copy_number(s->arena, item, beside, STR("Posts"));
	} else if (is_type(item, "Follow")) {
		if (str_eq(item_string(item, STR("Status")), STR("blocked"))) {
			without_keys(item, TABLE_GSI1);
			without_keys(item, TABLE_GSI2);
		} else if (str_eq(item_string(item, STR("Follower")), STR("noor")) &&
			   str_eq(item_string(item, STR("Followed")), STR("pascal"))) {
			item_set(s->arena, item, STR("Status"), value_string(STR("muted")));
		}
	} else if (is_type(item, "Category")) {
		copy_number(s->arena, item,
		    among(all, key_category_count(item_string(item, STR("Slug")))), STR("Posts"));
	} else if (is_type(item, "Tag")) {
		struct str tag = item_string(item, STR("Tag"));

		item_set(s->arena, item, STR("PK"),
		    value_string(STR_CONCAT(s->arena, STR("TAG#"), tag)));
		item_set(s->arena, item, STR("SK"), value_string(STR("METADATA")));
		item_set(s->arena, item, table_pk_name(TABLE_GSI3), value_string(STR("TAG")));
		item_set(s->arena, item, table_sk_name(TABLE_GSI3), value_string(tag));
	} else if (is_type(item, "Hidden")) {
		item_remove(item, STR("Muted"));
		item_remove(item, STR("Blocked"));
	}
}

static void
make_old(struct seeded *s, const struct all *all)
{
	struct all now = all_of(s);

	for (size_t i = 0; i < now.count; i++)
		if (is_new(&now.items[i]) || is_type(&now.items[i], "Tag"))
			drop(s, &now.items[i]);
	for (size_t i = 0; i < all->count; i++) {
		struct item item = all->items[i];

		if (is_new(&item))
			continue;
		old_form(s, all, &item);
		if (!item_eq(&item, &all->items[i]))
			seeded_put(s, &item, 1);
	}
}

/* Somebody whom somebody has blocked: the seed has none. */
static void
put_block(struct seeded *s)
{
	const struct str by = STR("noor"), who = STR("tobias"), at = STR("2026-11-01T09:30:00.000Z");
	struct item follow = {.count = 0}, hidden = seeded_item(s, "USER#noor", "MEMO#HIDDEN");

	key_set(s->arena, &follow, key_follow(s->arena, by, who), ITEM_FOLLOW);
	key_index_block(s->arena, &follow, by, who, at);
	item_set(s->arena, &follow, STR("CreatedAt"), value_string(at));
	item_set(s->arena, &follow, STR("Followed"), value_string(who));
	item_set(s->arena, &follow, STR("Follower"), value_string(by));
	item_set(s->arena, &follow, STR("Status"), value_string(STR("blocked")));
	hidden = item_shallow(s->arena, &hidden);
	item_set(s->arena, &hidden, STR("Blocked"), value_set(s->arena, &who, 1));
	seeded_put(s, &follow, 1);
	seeded_put(s, &hidden, 1);
}

/* --- Carrying over ---------------------------------------------------------------------------------------- */

struct running {
	struct seeded *s;
	struct upgrade upgrade;
	unsigned pages, stop_after; /* 0: does not stop */
	bool writes;                /* a reader does something after each page */
	struct browser reader;
	unsigned done;
};

static void
read_and_write(struct running *r)
{
	static const char *const posts[] = {"the-town-at-three", "the-hour-when-nothing-moves",
	    "bread-for-a-wet-week", "in-praise-of-the-scarf", "what-a-redshank-knows"};
	struct str post = str_of(posts[r->pages % 5]), id;
	const char *page = str_cstring(r->s->arena, str_fmt(r->s->arena, "/post/%.*s", STR_ARGS(post)));
	const char *react = str_cstring(r->s->arena, str_fmt(r->s->arena, "/react/%.*s", STR_ARGS(post)));
	const char *vote = str_cstring(r->s->arena, str_fmt(r->s->arena, "/vote/%.*s", STR_ARGS(post)));
	const char *comment = str_cstring(r->s->arena, str_fmt(r->s->arena, "%s/comment", page));

	get(&r->reader, page);
	r->done += SUBMIT(&r->reader, react, "like", "like") == HTTP_SEE_OTHER;
	get(&r->reader, page);
	id = part(r->reader.last.body, "form=\"vote\" name=\"comment\" value=\"", ":");
	r->done += SUBMIT(&r->reader, vote, "comment", str_cstring(r->s->arena, STR_CONCAT(r->s->arena, id, STR(":up")))) == HTTP_SEE_OTHER;
	r->s->clock.fixed_now += 60 * 1000;
	get(&r->reader, comment);
	r->done += SUBMIT(&r->reader, comment, "do", "send", "text",
		       str_cstring(r->s->arena, str_fmt(r->s->arena, "Number %u.", r->pages))) ==
		   HTTP_SEE_OTHER;
}

static void
after_page(void *context, uint64_t items)
{
	struct running *r = context;

	(void)items;
	r->pages++;
	if (r->writes)
		read_and_write(r);
	r->upgrade.stop = r->stop_after != 0 && r->pages >= r->stop_after;
}

static enum table_rc
run(struct running *r)
{
	r->pages = 0;
	r->upgrade = (struct upgrade){
	    .table = r->s->table, .progress = after_page, .context = r};
	return upgrade_run(&r->upgrade, r->s->arena);
}

static struct format
format_of(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct format format;

	if (format_get(s->table, &call, &format) != TABLE_OK)
		bail_out("the format can't be read");
	table_release(s->table, &call);
	return format;
}

static void
fold_all(struct seeded *s)
{
	size_t folded = 1;

	while (folded != 0) {
		struct table_call call = {.arena = s->arena};

		if (count_fold_marked(s->table, &call, &folded) != TABLE_OK)
			bail_out("the counts can't be folded");
		table_release(s->table, &call);
	}
}

static uint64_t
changed(const struct upgrade *upgrade)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < UPGRADE_KINDS; i++)
		sum += upgrade->changed[i];
	return sum;
}

/* --- Comparing ---------------------------------------------------------------------------------------------- */

/* But for how often the counts of a post were folded. */
static bool
is_same(struct arena *arena, const struct item *a, const struct item *b)
{
	struct item one = item_shallow(arena, a), other = item_shallow(arena, b);

	item_remove(&one, STR("Folds"));
	item_remove(&other, STR("Folds"));
	return item_eq(&one, &other);
}

/* How many items differ, besides the shards: all from before is in the first one. */
static size_t
differing(struct seeded *s, const struct all *before, const struct all *after)
{
	size_t differ = 0, left = 0, counts = 0;

	for (size_t i = 0; i < before->count; i++) {
		const struct item *item = &before->items[i], *now;

		if (is_type(item, "Count")) {
			counts++;
			continue;
		}
		now = among(after, item_key(item));
		left++;
		if (now != NULL && is_same(s->arena, now, item))
			continue;
		fprintf(stderr, "# %.*s / %.*s %s\n", STR_ARGS(item_key(item).pk),
		    STR_ARGS(item_key(item).sk), now == NULL ? "is not there" : "differs");
		differ++;
	}
	for (size_t i = 0; i < after->count; i++)
		left -= !is_type(&after->items[i], "Count");
	return differ + (left != 0) + (counts == 0);
}

/* How many numbers of posts are not what readers did, added up over the shards. */
static size_t
misfolded(struct seeded *s, const struct all *all)
{
	size_t wrong = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct item *stats = &all->items[i];

		if (!is_type(stats, "Stats"))
			continue;
		for (size_t n = 0; n < post_stats_bindings.count; n++) {
			struct str name = post_stats_bindings.bindings[n].name;
			int64_t sum = 0;

			for (size_t k = 0; k < all->count; k++) {
				const struct kind *kind = kind_of(&all->items[k]);
				struct item_counters c = {.count = 0};

				if (kind != NULL && kind->counted != counted_nowhere &&
				    str_eq(item_string(&all->items[k], STR("Post")),
					item_string(stats, STR("Post"))))
					c = kind->counted(s->arena, &all->items[k]);
				for (size_t m = 0; m < c.count; m++)
					if (c.counters[m].post.len != 0 &&
					    str_eq(c.counters[m].name, name))
						sum += c.counters[m].by;
			}
			/* the notes that quote a post have it in no attribute of that name */
			if (str_eq(name, STR("Shares")) || item_number(stats, name) == sum)
				continue;
			fprintf(stderr, "# %.*s: %.*s is %lld, and there are %lld\n",
			    STR_ARGS(item_string(stats, STR("Post"))), STR_ARGS(name),
			    (long long)item_number(stats, name), (long long)sum);
			wrong++;
		}
	}
	return wrong;
}

/* Threads of posts that no stranger sees. */
static size_t
hidden_tallies(struct seeded *s, const struct all *all)
{
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct item *head;

		if (!is_type(&all->items[i], "Tally"))
			continue;
		head = among(all, key_post(s->arena, item_string(&all->items[i], STR("Post"))));
		count += head != NULL && item_get(head, table_pk_name(TABLE_GSI3)) == NULL;
	}
	return count;
}

/* Some numbers that are 0 are left out until they are folded or carried over. */
static void
fold_each(struct seeded *s)
{
	const struct all all = all_of(s);
	struct table_call call = {.arena = s->arena};
	bool done = true;

	for (size_t i = 0; i < all.count && done; i++) {
		struct item tally = all.items[i];

		if (is_type(&tally, "Tally") && item_get(&tally, STR("Replies")) == NULL) {
			tally = item_shallow(s->arena, &tally);
			item_set(s->arena, &tally, STR("Replies"), value_number(0));
			seeded_put(s, &tally, 1);
		}
		if (is_type(&all.items[i], "Stats") &&
		    count_fold_post(s->table, &call, item_string(&all.items[i], STR("Post")), &done) !=
			TABLE_OK)
			bail_out("a post can't be folded");
	}
	table_release(s->table, &call);
}

/* A comment under a post that is for followers. */
static void
say_in_private(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal");

	get(&b, "/post/before-the-deadline/comment");
	is_int(SUBMIT(&b, "/post/before-the-deadline/comment", "do", "send", "text", "Between us."),
	    HTTP_SEE_OTHER, "somebody comments on what is for followers");
}

/* --- Tests ---------------------------------------------------------------------------------------------------- */

static void
whole(struct seeded *s, const struct all *before)
{
	struct running r = {.s = s};
	struct all after;

	make_old(s, before);
	is_int(format_of(s).format, 1, "a table without a format is of the first one");
	is_int(run(&r), TABLE_OK, "it is carried over");
	ok(changed(&r.upgrade) > 200 && r.upgrade.late == 0 && !r.upgrade.resumed,
	    "%u things of it", (unsigned)changed(&r.upgrade));
	is_int(format_of(s).carried, FORMAT_NOW, "... and says so");
	fold_all(s);
	after = all_of(s);
	is_int((int64_t)differing(s, before, &after), 0, "all is as it would be in a new table");
	is_int((int64_t)misfolded(s, &after), 0, "all numbers of posts are right");
	ok(hidden_tallies(s, &after) > 0, "posts that are not public have tallies, too");
	is_int(run(&r), TABLE_OK, "once more");
	is_int((int64_t)changed(&r.upgrade), 0, "... changes nothing");
}

/* What pages list is carried over before an older table is served. */
static void
served(struct seeded *s, const struct all *before)
{
	uint64_t carried = 0;
	struct str page;

	make_old(s, before);
	is_int(upgrade_names(s->table, &carried), TABLE_OK, "before an older table is served");
	ok(carried > 30, "... %u categories and tags are carried over", (unsigned)carried);
	seeded_restart(s, 0);
	page = visit(s, STR("/tags")).body;
	ok(holds(page, STR("/tag/baking")) && holds(page, STR("3 posts")), "they are listed");
	page = visit(s, STR("/categories")).body;
	ok(!holds(page, STR(">0 posts<")), "... with their numbers");
	is_int(upgrade_names(s->table, &carried), TABLE_OK, "once more");
	is_int((int64_t)carried, 0, "... there is nothing to do");
}

/* Somebody else counts between the read of an item and its write: nothing is lost, and nothing twice. */
static void
overtaken(struct seeded *s, const struct all *before)
{
	const struct change more = {CHANGE_ADD, STR("Posts"), value_number(1)};
	const struct write behind = {.kind = WRITE_UPDATE,
	    .key = key_category(s->arena, STR("water")),
	    .changes = &more,
	    .change_count = 1};
	const struct item *was = among(before, key_category_count(STR("water")));
	struct failing_table failing;
	struct item number;
	uint64_t carried;

	make_old(s, before);
	failing_table_begin(&failing, s->table);
	failing.behind = &behind;
	failing.behind_skips = 1; /* the query; then the first category */
	is_int(upgrade_names(&failing.table, &carried), TABLE_OK, "overtaken");
	number = seeded_item(s, "CATEGORIES", "water");
	is_int(item_number(&number, STR("Posts")), item_number(was, STR("Posts")) + 1,
	    "what was counted meanwhile is carried over, too");
	number = seeded_item(s, "CATEGORY#water", "METADATA");
	ok(item_get(&number, STR("Posts")) == NULL, "... all of it");
}

static void
in_parts(struct seeded *s, const struct all *before)
{
	struct running r = {.s = s, .stop_after = 3};
	unsigned runs = 0;
	struct all after;

	make_old(s, before);
	is_int(run(&r), TABLE_OK, "it is stopped");
	is_int(format_of(s).format, FORMAT_NOW, "... and is for no older program any more");
	ok(format_of(s).carried < FORMAT_NOW && format_of(s).cursor.len != 0,
	    "... but not carried over, and knows where to go on");
	for (; runs < 50 && format_of(s).carried < FORMAT_NOW; runs++)
		if (run(&r) != TABLE_OK || !r.upgrade.resumed)
			break;
	ok(runs > 1, "it goes on where it stopped, %u times", runs);
	is_int(format_of(s).carried, FORMAT_NOW, "... until all is done");
	fold_all(s);
	after = all_of(s);
	is_int((int64_t)differing(s, before, &after), 0, "all is as it would be in a new table");
}

static void
while_written(struct seeded *s, const struct all *before)
{
	struct running r = {.s = s, .writes = true, .reader = browser_of(s, "lowri")};
	struct all after;

	make_old(s, before);
	is_int(run(&r), TABLE_OK, "it is carried over while somebody reads and writes");
	ok(r.done > 2 * r.pages, "... who did %u things, after %u pages", r.done, r.pages);
	is_int((int64_t)r.upgrade.late, 0, "... and was in nobody's way");
	fold_all(s);
	after = all_of(s);
	is_int((int64_t)misfolded(s, &after), 0, "all numbers of posts are right");
	is_int((int64_t)miscounts_besides(s, "Count"), 0, "... and all other counters");
}

int
main(void)
{
	struct seeded s;
	struct all before;

	browsers_open(&s);
	put_block(&s);
	say_in_private(&s);
	fold_all(&s);
	fold_each(&s);
	before = all_of(&s);
	whole(&s, &before);
	served(&s, &before);
	overtaken(&s, &before);
	in_parts(&s, &before);
	while_written(&s, &before);
	browsers_close(&s);
	return tap_done();
}
