#include "model/post/figures.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/kinds.h"

#include <assert.h>
#include <stdlib.h>

enum { TRIES = 5, DAY_SECONDS = 24 * 60 * 60 };

static const struct binding host_bindings[] = {
    BIND_STRING(RECORDED, "Host", struct views_of, name),
    BIND_NUMBER(RECORDED, "Views", struct views_of, views),
};
static const struct binding_table host_table = BINDINGS(host_bindings);

static const struct binding post_bindings[] = {
    BIND_STRING(RECORDED, "Post", struct views_of, name),
    BIND_NUMBER(RECORDED, "Views", struct views_of, views),
};
static const struct binding_table post_table = BINDINGS(post_bindings);

static const struct binding day_bindings[] = {
    BIND_NUMBER(RECORDED, "Adds", struct day_views, adds),
    BIND_MAPS(RECORDED, "Hosts", struct day_views, hosts, host_count, &host_table),
    BIND_NUMBER(RECORDED, "Views", struct day_views, views),
};
const struct binding_table day_views_bindings = BINDINGS(day_bindings);

static const struct binding site_bindings[] = {
    BIND_NUMBER(RECORDED, "Adds", struct day_views, adds),
    BIND_NUMBER(RECORDED, "Bookmarks", struct day_views, deeds[DEED_BOOKMARK]),
    BIND_NUMBER(RECORDED, "Comments", struct day_views, deeds[DEED_COMMENT]),
    BIND_MAPS(RECORDED, "Hosts", struct day_views, hosts, host_count, &host_table),
    BIND_NUMBER(RECORDED, "PostViews", struct day_views, post_views),
    BIND_MAPS(RECORDED, "Posts", struct day_views, posts, post_count, &post_table),
    BIND_NUMBER(RECORDED, "Reactions", struct day_views, deeds[DEED_REACTION]),
    BIND_NUMBER(RECORDED, "Views", struct day_views, views),
};
const struct binding_table site_day_views_bindings = BINDINGS(site_bindings);

enum deed
deed_counted(struct str counter)
{
	static const struct {
		struct str begins; /* each number of stars has a counter of its own */
		enum deed deed;
	} counters[] = {{STR_INIT("Bookmarks"), DEED_BOOKMARK},
	    {STR_INIT("Comments"), DEED_COMMENT}, {STR_INIT("Downs"), DEED_REACTION},
	    {STR_INIT("Laughs"), DEED_REACTION}, {STR_INIT("Likes"), DEED_REACTION},
	    {STR_INIT("Loves"), DEED_REACTION}, {STR_INIT("Stars"), DEED_REACTION},
	    {STR_INIT("Ups"), DEED_REACTION}};

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		if (str_starts(counter, counters[i].begins))
			return counters[i].deed;
	return DEEDS;
}

void
day_views_from_item(struct arena *arena, const struct item *item, struct day_views *out)
{
	*out = (struct day_views){.views = 0};
	bind_read(arena,
	    kind_is(item, ITEM_SITE_VIEWS) ? &site_day_views_bindings : &day_views_bindings, item,
	    out);
	out->day = item_string(item, STR("SK"));
}

struct query
query_views(struct arena *arena, struct str post, struct str from)
{
	/* The total sorts behind all days. */
	return (struct query){.partition = key_views(arena, post, from).pk,
	    .op = SORT_BETWEEN,
	    .low = from,
	    .high = STR("9999-99-99"),
	    .limit = FIGURES_DAYS_KEPT};
}

/* --- Adding ---------------------------------------------------------------------------------------- */

static int
by_views(const void *a, const void *b)
{
	const struct views_of *one = a, *other = b;

	if (one->views != other->views)
		return one->views < other->views ? 1 : -1;
	return str_cmp(one->name, other->name);
}

void
views_sort(struct views_of *items, size_t count)
{
	if (count != 0)
		qsort(items, count, sizeof(*items), by_views);
}

/* Two lists as one, without what is beyond `most`. Of a name in both: the sum, or (`latest`) the larger number. */
static size_t
merge(struct arena *arena, const struct views_of *old, size_t old_count,
    const struct views_of *more, size_t more_count, bool latest, size_t most,
    const struct views_of **out)
{
	struct views_of *all = ARENA_ARRAY(arena, old_count + more_count, struct views_of);
	size_t count = old_count;

	for (size_t i = 0; i < old_count; i++)
		all[i] = old[i];
	for (size_t i = 0; i < more_count; i++) {
		size_t at = 0;

		while (at < old_count && !str_eq(all[at].name, more[i].name))
			at++;
		if (at == old_count)
			all[count++] = more[i];
		else if (!latest)
			all[at].views += more[i].views;
		else if (all[at].views < more[i].views)
			all[at].views = more[i].views;
	}
	views_sort(all, count);
	*out = all;
	return count < most ? count : most;
}

/* The day with what was counted, to be put in its place. */
static struct item
added(struct arena *arena, struct key key, const struct item *was, int64_t expires,
    struct counted_views *counted)
{
	bool of_site = counted->post.len == 0;
	struct day_views day = {.views = 0};
	struct item item = {0};

	if (was != NULL)
		day_views_from_item(arena, was, &day);
	day.views += counted->views;
	day.post_views += counted->post_views;
	day.adds++;
	for (enum deed deed = 0; deed < DEEDS; deed++)
		day.deeds[deed] += counted->deeds[deed];
	day.host_count = merge(arena, day.hosts, day.host_count, counted->hosts,
	    counted->host_count, false, FIGURES_HOSTS, &day.hosts);
	day.post_count = merge(arena, day.posts, day.post_count, counted->posts,
	    counted->post_count, true, FIGURES_POSTS, &day.posts);
	counted->today = day.views;
	key_set(arena, &item, key, of_site ? ITEM_SITE_VIEWS : ITEM_DAY_VIEWS);
	bind_write(arena, of_site ? &site_day_views_bindings : &day_views_bindings, &day, &item);
	item_set(arena, &item, TABLE_EXPIRES, value_number(expires));
	return item;
}

/* The day is as it was read. */
static const struct condition *
unchanged(struct arena *arena, const struct item *was)
{
	struct condition condition = {.op = COND_MISSING, .name = STR("PK")};

	if (was != NULL)
		condition = (struct condition){.op = COND_EQ,
		    .name = STR("Adds"),
		    .value = value_number(item_number(was, STR("Adds")))};
	return arena_copy(arena, &condition, sizeof(condition));
}

static struct write
total_write(struct arena *arena, const struct counted_views *counted)
{
	const struct change changes[] = {
	    {CHANGE_SET, STR("Type"), kind_type(ITEM_VIEWS_TOTAL)},
	    {CHANGE_ADD, STR("Views"), value_number(counted->views)},
	};

	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_views_total(arena, counted->post),
	    .changes = arena_copy(arena, changes, sizeof(changes)),
	    .change_count = sizeof(changes) / sizeof(changes[0])};
}

static enum table_rc
add_once(struct table *table, struct table_call *call, struct str day,
    struct counted_views *counted, size_t count)
{
	struct key *keys = ARENA_ARRAY(call->arena, count, struct key);
	struct write *writes = ARENA_ARRAY(call->arena, 2 * count, struct write);
	struct read read = {.kind = READ_BATCH, .consistent = true, .batch = {keys, count}};
	int64_t expires = clock_now(table->clock) / 1000 + FIGURES_DAYS_KEPT * DAY_SECONDS;
	enum table_rc rc;

	for (size_t i = 0; i < count; i++)
		keys[i] = key_views(call->arena, counted[i].post, day);
	rc = table_read(table, call, &read, 1);
	if (rc != TABLE_OK)
		return rc;
	for (size_t i = 0; i < count; i++) {
		const struct item *was = read.items[i];

		writes[2 * i] = (struct write){.kind = WRITE_PUT,
		    .item = added(call->arena, keys[i], was, expires, &counted[i]),
		    .condition = unchanged(call->arena, was)};
		writes[2 * i + 1] = total_write(call->arena, &counted[i]);
	}
	return table_transact(table, call, writes, 2 * count, id_new(call->arena, table->clock));
}

enum table_rc
figures_add(struct table *table, struct table_call *call, struct str day,
    struct counted_views *counted, size_t count)
{
	enum table_rc rc = TABLE_CONFLICT;

	assert(count != 0 && count <= FIGURES_ROUND);
	for (int i = 0; i < TRIES && (rc == TABLE_CONFLICT || rc == TABLE_CANCELLED); i++)
		rc = add_once(table, call, day, counted, count);
	return rc;
}
