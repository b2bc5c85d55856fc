#include "model/key_post.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/post/ranking.h"

#include <inttypes.h>

/* added to a score, so that none is negative */
static const int64_t TOP_ZERO = 5000000000;

/* --- Single items ----------------------------------------------------------------------------------- */

static struct str
of_post(struct arena *arena, struct str id)
{
	return STR_CONCAT(arena, STR("POST#"), id);
}

static struct str
of_user(struct arena *arena, struct str username)
{
	return STR_CONCAT(arena, STR("USER#"), username);
}

struct key
key_revision(struct arena *arena, struct str post, int64_t number)
{
	return (struct key){of_post(arena, post), str_fmt(arena, "REVISION#%08" PRId64, number)};
}

struct key
key_autosave(struct arena *arena, struct str post, struct str username)
{
	return (struct key){of_post(arena, post), STR_CONCAT(arena, STR("AUTOSAVE#"), username)};
}

struct key
key_unsaved(struct arena *arena, struct str username, struct str post)
{
	return (struct key){of_user(arena, username), STR_CONCAT(arena, STR("UNSAVED#"), post)};
}

/* Older tables have one for each kind, whose form is named like the kind. */
struct key
key_autosave_new(struct arena *arena, struct str username, enum post_kind kind, struct str form)
{
	struct str name = str_of(post_kind_name(kind));
	struct str sk = STR_CONCAT(arena, STR("AUTOSAVE#"), name);

	if (!str_eq(form, name))
		sk = STR_CONCAT(arena, sk, STR("#"), form);
	return (struct key){of_user(arena, username), sk};
}

struct key
key_once(struct arena *arena, struct str username, struct str once)
{
	return (struct key){of_user(arena, username), STR_CONCAT(arena, STR("ONCE#"), once)};
}

struct key
key_reaction(struct arena *arena, struct str username, struct str post, const char *what)
{
	return (struct key){of_user(arena, username),
	    STR_CONCAT(arena, STR("POST#"), post, STR("#"), str_of(what))};
}

struct key
key_own_tag(struct arena *arena, struct str username, struct str tag)
{
	return (struct key){
	    of_user(arena, username), STR_CONCAT(arena, STR("BOOKMARKTAG#"), tag)};
}

struct query
query_bookmarks_of_tag(struct arena *arena, struct str username, struct str tag)
{
	return (struct query){.partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR_CONCAT(arena, STR("BOOKMARKS#"), tag, STR("#"))};
}

struct query
query_own_tags(struct arena *arena, struct str username)
{
	return (struct query){.partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR("BOOKMARKTAG#")};
}

struct query
query_reactions(struct arena *arena, struct str username, struct str post)
{
	return (struct query){.partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR_CONCAT(arena, STR("POST#"), post, STR("#"))};
}

struct query
query_reactions_about(struct arena *arena, struct str post, const char *what)
{
	return (struct query){.index = TABLE_GSI2,
	    .partition = STR_CONCAT(arena, STR("ABOUT#"), post),
	    .op = SORT_BEGINS,
	    .low = STR_CONCAT(arena, str_of(what), STR("#"))};
}

struct query
query_reactions_of(struct arena *arena, struct str username, const char *what)
{
	return (struct query){.index = TABLE_GSI1,
	    .partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR_CONCAT(arena, str_of(what), STR("#"))};
}

struct key
key_count(struct arena *arena, struct str post, unsigned shard)
{
	char digit = (char)('0' + shard);

	return (struct key){
	    STR_CONCAT(arena, STR("COUNT#"), post, STR("#"), ((struct str){&digit, 1})), STR("N")};
}

struct key
key_views(struct arena *arena, struct str post, struct str day)
{
	return (struct key){
	    post.len != 0 ? STR_CONCAT(arena, STR("VIEWS#"), post) : STR("VIEWS"), day};
}

struct key
key_views_total(struct arena *arena, struct str post)
{
	return key_views(arena, post, STR("TOTAL"));
}

struct key
key_fold(struct arena *arena, struct str post, unsigned shard)
{
	return (struct key){str_fmt(arena, "FOLD#%u", shard), post};
}

struct query
query_folds(struct arena *arena, unsigned shard)
{
	return (struct query){.partition = str_fmt(arena, "FOLD#%u", shard), .op = SORT_ANY};
}

struct key
key_post_tag(struct arena *arena, struct str post, struct str tag)
{
	return (struct key){of_post(arena, post), STR_CONCAT(arena, STR("TAG#"), tag)};
}

struct key
key_post_coauthor(struct arena *arena, struct str post, struct str username)
{
	return (struct key){of_post(arena, post), STR_CONCAT(arena, STR("AUTHOR#"), username)};
}

struct key
key_declined(struct arena *arena, struct str username, struct str post)
{
	return (struct key){of_user(arena, username), STR_CONCAT(arena, STR("DECLINED#"), post)};
}

struct key
key_draft_link(struct arena *arena, struct str hash)
{
	struct str both = STR_CONCAT(arena, STR("DRAFTLINK#"), hash);

	return (struct key){both, both};
}

/* --- Queries ---------------------------------------------------------------------------------------- */

/* Items next to a post's head, by the beginning of their sort keys. */
static struct query
beside(struct arena *arena, struct str post, const char *prefix)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = of_post(arena, post),
	    .op = SORT_BEGINS,
	    .low = str_of(prefix)};
}

struct query
query_revisions(struct arena *arena, struct str post)
{
	return beside(arena, post, "REVISION#");
}

struct query
query_post_copies(struct arena *arena, struct str post)
{
	return beside(arena, post, "AUTHOR#");
}

struct query
query_about(struct arena *arena, struct str post)
{
	return (struct query){
	    .index = TABLE_GSI2, .partition = STR_CONCAT(arena, STR("ABOUT#"), post)};
}

struct query
query_draft_links(struct arena *arena, struct str post)
{
	return (struct query){.index = TABLE_GSI2,
	    .partition = STR_CONCAT(arena, STR("ABOUT#"), post),
	    .op = SORT_BEGINS,
	    .low = STR("DRAFTLINK#")};
}

struct query
query_autosaves(struct arena *arena, struct str post)
{
	return beside(arena, post, "AUTOSAVE#");
}

struct query
query_unsaved(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR("UNSAVED#")};
}

struct query
query_autosaves_new(struct arena *arena, struct str username, const enum post_kind *kind)
{
	struct str of = kind != NULL ? str_of(post_kind_name(*kind)) : STR("");

	return (struct query){.index = TABLE_PRIMARY,
	    .partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR_CONCAT(arena, STR("AUTOSAVE#"), of)};
}

struct query
query_desk(struct arena *arena, struct str username, enum desk section, int64_t now)
{
	struct query query = {
	    .index = TABLE_GSI1, .partition = of_user(arena, username), .op = SORT_BEGINS};
	/* "#" follows a time, "$" sorts after "#", and "~" after all of it. */
	struct str behind_now = STR_CONCAT(arena, time_format(arena, now), STR("$"));

	switch (section) {
	case DESK_DRAFTS: query.low = STR("DRAFT#"); return query;
	case DESK_ASKED: query.low = STR("ASKED#"); return query;
	case DESK_UNPUBLISHED: query.low = STR("UNPUBLISHED#"); return query;
	case DESK_PAGES: query.low = STR("PAGE#"); return query;
	case DESK_SCHEDULED:
	case DESK_CLOSED_SCHEDULED:
		query.low = STR_CONCAT(
		    arena, section == DESK_SCHEDULED ? STR("POST#") : STR("CLOSED#"), behind_now);
		query.high = section == DESK_SCHEDULED ? STR("POST#~") : STR("CLOSED#~");
		break;
	case DESK_PUBLISHED:
	case DESK_CLOSED:
		query.low = section == DESK_PUBLISHED ? STR("POST#") : STR("CLOSED#");
		query.high = STR_CONCAT(arena, query.low, behind_now);
		break;
	case DESK_DELETED:
		query.low =
		    STR_CONCAT(arena, STR("GONE#"), time_format(arena, now - DELETED_KEPT_MS));
		query.high = STR("GONE#~");
		break;
	}
	query.op = SORT_BETWEEN;
	return query;
}

struct query
query_scheduled(struct arena *arena, int64_t now)
{
	return (struct query){.index = TABLE_GSI3,
	    .partition = STR("POST"),
	    .op = SORT_GT,
	    .low = STR_CONCAT(arena, time_format(arena, now), STR("$"))};
}

/* --- Places in the indexes -------------------------------------------------------------------------- */

static void
stand(struct arena *arena, struct item *item, enum table_index index, struct str pk, struct str sk)
{
	item_set(arena, item, table_pk_name(index), value_string(pk));
	item_set(arena, item, table_sk_name(index), value_string(sk));
}

static void
stand_nowhere(struct item *item)
{
	for (enum table_index index = TABLE_GSI1; index <= TABLE_GSI4; index++) {
		item_remove(item, table_pk_name(index));
		item_remove(item, table_sk_name(index));
	}
}

/* "<t>#<id>" */
static struct str
place(struct arena *arena, int64_t time, struct str id)
{
	return STR_CONCAT(arena, time_format(arena, time), STR("#"), id);
}

bool
post_in_lists(const struct post *post)
{
	return post_is_public(post) && post->kind != KIND_PAGE;
}

/* The sort key in its authors' activity; empty: it is not in there. */
static struct str
doing(struct arena *arena, const struct post *post)
{
	const char *prefix = "POST#";
	int64_t time = post->published;

	switch (post->status) {
	case STATUS_DRAFT:
	case STATUS_UNPUBLISHED:
		prefix = post->status == STATUS_DRAFT ? "DRAFT#" : "UNPUBLISHED#";
		time = post->updated;
		break;
	case STATUS_DELETED:
		/* Its place can't be restored without the time of its deletion. */
		if (post->deleted == 0)
			return STR("");
		prefix = "GONE#";
		time = post->deleted;
		break;
	case STATUS_PUBLISHED:
		if (!post_is_public(post))
			prefix = "CLOSED#";
		else if (post->kind == KIND_PAGE)
			prefix = "PAGE#";
		break;
	}
	return STR_CONCAT(arena, str_of(prefix), place(arena, time, post->id));
}

void
key_index_coauthor(
    struct arena *arena, struct item *item, const struct post *post, struct str username)
{
	struct str where = doing(arena, post);

	stand_nowhere(item);
	if (where.len != 0)
		stand(arena, item, TABLE_GSI1, of_user(arena, username), where);
}

void
key_index_asked(
    struct arena *arena, struct item *item, const struct post *post, struct str username)
{
	stand_nowhere(item);
	stand(arena, item, TABLE_GSI1, of_user(arena, username),
	    STR_CONCAT(arena, STR("ASKED#"), place(arena, post->created, post->id)));
}

void
key_index_post(struct arena *arena, struct item *item, const struct post *post)
{
	struct str where = place(arena, post->published, post->id);

	key_index_coauthor(arena, item, post, post->author);
	if (!post_is_public(post))
		return;
	if (post->kind == KIND_PAGE) {
		stand(arena, item, TABLE_GSI3, STR("PAGE"), post->slug);
		return;
	}
	if (post->category.len != 0)
		stand(arena, item, TABLE_GSI2, STR_CONCAT(arena, STR("CATEGORY#"), post->category),
		    where);
	stand(arena, item, TABLE_GSI3, STR("POST"), where);
	stand(arena, item, TABLE_GSI4, STR("HOT"),
	    STR_CONCAT(arena,
		ranking_hot(arena, post->published, ranking_engagement(post)), STR("#"), where));
}

void
key_index_post_tag(struct arena *arena, struct item *item, const struct post *post, struct str tag)
{
	stand(arena, item, TABLE_GSI2, STR_CONCAT(arena, STR("TAG#"), tag),
	    place(arena, post->published, post->id));
}

void
key_index_stats(
    struct arena *arena, struct item *item, const struct post *post, const struct post_stats *stats)
{
	int64_t score =
	    TOP_ZERO + stats->likes + stats->loves + stats->laughs + stats->ups - stats->downs;

	stand_nowhere(item);
	if (post_in_lists(post))
		stand(arena, item, TABLE_GSI4, STR("TOP"),
		    STR_CONCAT(arena, str_fmt(arena, "%010" PRId64 "#", score),
			place(arena, post->published, post->id)));
}

void
key_index_draft_link(struct arena *arena, struct item *item, const struct draft_link *link)
{
	stand(arena, item, TABLE_GSI1, of_user(arena, link->by),
	    STR_CONCAT(
		arena, STR("DRAFTLINK#"), time_format(arena, link->created), STR("#"), link->hash));
	stand(arena, item, TABLE_GSI2, STR_CONCAT(arena, STR("ABOUT#"), link->post),
	    STR_CONCAT(arena, STR("DRAFTLINK#"), link->hash));
}

struct key
key_bookmark_tag(
    struct arena *arena, struct str username, struct str tag, int64_t created, struct str post)
{
	return (struct key){of_user(arena, username),
	    STR_CONCAT(arena, STR("BOOKMARKS#"), tag, STR("#"), place(arena, created, post))};
}

void
key_index_reaction(struct arena *arena, struct item *item, struct str username, int64_t created,
    struct str post, const char *what)
{
	stand(arena, item, TABLE_GSI1, of_user(arena, username),
	    STR_CONCAT(arena, str_of(what), STR("#"), place(arena, created, post)));
	stand(arena, item, TABLE_GSI2, STR_CONCAT(arena, STR("ABOUT#"), post),
	    STR_CONCAT(arena, str_of(what), STR("#"), username));
}
