/*
 * What the search finds (docs/search.md): postings, texts for passages, and how much there is in all, derived from posts and
 * comments that everybody may see.
 *
 * The subjects are a post (its id), a comment (its key), the language of the site (the key of the settings), in which posts
 * are that do not say theirs, what waits to be written (the key of the sums) and, for rebuilds alone, a word of the dictionary
 * (its key). A comment is in the index only while its post is: so when a post enters or leaves it, its comments are derived
 * before it is.
 *
 * search_private.h describes how the index is kept whole.
 */
#include "derive/rows.h"

#include "base/arena.h"
#include "base/clock.h"
#include "derive/search_private.h"
#include "model/key_ranking.h"
#include "model/key_spelling.h"

#include <pthread.h>
#include <stdlib.h>

enum {
	TRIES = 5,
	BULK_EDITS = 400 * 1000, /* that are in memory */
	BULK_STEP = 5000,        /* edits of one step */
};

static const struct str language_name = STR_INIT("Language");

static bool
is_settings(struct key key)
{
	return str_eq(key.pk, key_site_settings().pk) && str_eq(key.sk, key_site_settings().sk);
}

/* A post's subject is its id alone. */
static struct str
subject_of_fact(struct arena *arena, struct key fact)
{
	return key_search_space(fact) == SEARCH_POSTS ? key_name(fact) : subject_of_key(arena, fact);
}

struct str
search_subject(struct arena *arena, struct key key, const struct kind *kind)
{
	if (kind == &item_kinds[ITEM_POST] || kind == &item_kinds[ITEM_BODY])
		return key_name(key);
	if (kind == &item_kinds[ITEM_COMMENT])
		return subject_of_key(arena, key);
	if (kind == &item_kinds[ITEM_SEARCH_INDEXED])
		return subject_of_fact(arena, key_indexed_fact(arena, key));
	if (kind == &item_kinds[ITEM_SITE] || kind == &item_kinds[ITEM_KNOWN_WORD])
		return subject_of_key(arena, key);
	if (kind == &item_kinds[ITEM_SEARCH_SITE])
		return subject_of_key(arena, key_site_settings());
	if (kind == &item_kinds[ITEM_SEARCH_WAITING])
		return subject_of_key(arena, key_search_state());
	return STR("");
}

/* --- What should be there ----------------------------------------------------------------------------- */

struct look {
	struct key fact;
	struct search_record is, wanted;
	struct search_shown shown;
	bool same;  /* the record says that it was made of these facts */
	bool doubt; /* which is not believed */
	bool full;  /* no more may wait */
};

enum { HEAD, FACT, INDEXED, SETTINGS, SUMS, READS };

static bool
is_public(const struct derive *d, const struct post *post)
{
	return post_is_public(post) && post->published <= clock_now(d->clock);
}

/* A rebuild looks at all postings; a check believes the record, as there are very many. */
static bool
is_same(const struct derive *d, const struct look *look, uint64_t facts)
{
	return look->is.there && (look->is.whole || look->is.waiting != 0) && look->is.counted &&
	       look->is.facts == facts && (!d->whole || d->check) && !look->doubt;
}

static void
look_at_post(struct derive *d, struct search_stemmers *stemmers, const struct read *reads,
    const struct post *post, struct str language, struct look *out)
{
	struct arena *arena = d->call->arena;
	struct post_body body = {0};
	const struct search_post facts = {post, &body, language};

	if (!is_public(d, post))
		return;
	if (reads[FACT].item != NULL)
		post_body_from_item(arena, reads[FACT].item, &body);
	out->same = is_same(d, out, search_post_facts(&facts));
	if (!out->same)
		search_describe_post(arena, stemmers, &facts, &out->wanted, &out->shown);
}

static void
look_at_comment(struct derive *d, struct search_stemmers *stemmers, const struct read *reads,
    const struct post *post, struct str language, struct look *out)
{
	struct arena *arena = d->call->arena;
	struct comment comment;
	struct search_comment facts = {
	    &comment, post, post->language.len != 0 ? post->language : language, 0};

	if (!is_public(d, post) || reads[FACT].item == NULL ||
	    !key_appeared(reads[FACT].item, &facts.appeared))
		return;
	comment_from_item(arena, reads[FACT].item, &comment);
	if (comment.status != COMMENT_VISIBLE)
		return;
	out->same = is_same(d, out, search_comment_facts(&facts));
	if (!out->same)
		search_describe_comment(arena, stemmers, &facts, &out->wanted, &out->shown);
}

/* Reads the facts about a subject, and what the index holds of it. */
static enum table_rc
look_at(struct derive *d, struct search_stemmers *stemmers, struct str subject, bool doubt,
    struct look *out)
{
	struct arena *arena = d->call->arena;
	bool is_comment = str_find(subject, '\t') != subject.len;
	struct key comment = subject_key(subject);
	struct str id = is_comment ? key_name(comment) : subject;
	struct read reads[READS] = {
	    [HEAD] = {.kind = READ_GET, .key = key_post(arena, id), .consistent = true},
	    [FACT] = {.kind = READ_GET, .consistent = true},
	    [INDEXED] = {.kind = READ_GET, .consistent = true},
	    [SETTINGS] = {.kind = READ_GET, .key = key_site_settings(), .consistent = true},
	    [SUMS] = {.kind = READ_GET, .key = key_search_state(), .consistent = true}};
	struct post post = {.status = STATUS_DRAFT};
	struct str language = STR("");
	enum table_rc rc;

	*out = (struct look){.fact = is_comment ? comment : key_post(arena, id), .doubt = doubt};
	reads[FACT].key = is_comment ? comment : key_post_body(arena, id);
	reads[INDEXED].key = key_indexed(arena, out->fact);
	rc = table_read(d->table, d->call, reads, READS);
	if (rc != TABLE_OK)
		return rc;
	if (reads[HEAD].item != NULL)
		post_from_item(arena, reads[HEAD].item, &post);
	if (reads[SETTINGS].item != NULL)
		language = item_string(reads[SETTINGS].item, language_name);
	out->full = search_waiting_full(reads[SUMS].item, key_search_space(out->fact));
	search_record_from_item(arena, reads[INDEXED].item, &out->is);
	(is_comment ? look_at_comment : look_at_post)(d, stemmers, reads, &post, language, out);
	return TABLE_OK;
}

/* --- One text ----------------------------------------------------------------------------------------- */

/* A new text that waits is announced, too, as what is kept of it has its number in its key. */
static enum table_rc
write_group(struct search_group *group)
{
	const struct search_text *text = &group->texts[0];
	size_t done = 0;
	enum table_rc rc = TABLE_OK;

	if (!text->waits || !text->is.there)
		rc = search_group_announce(group);
	if (rc == TABLE_OK && !text->waits)
		rc = search_group_edit(group, &done, SIZE_MAX / 2);
	return rc == TABLE_OK ? search_group_settle(group, 0, group->count) : rc;
}

/*
 * Somebody else was there, and what we have put may be there still. It is looked at next time, or if that has another number,
 * it goes now.
 */
static enum table_rc
suspect(struct derive *d, struct str subject, const struct search_text *text, struct search_record *suspects)
{
	enum search_space space = key_search_space(text->fact);
	struct search_stemmers stemmers = {0};
	struct look now;
	enum table_rc rc = look_at(d, &stemmers, subject, true, &now);

	search_stemmers_free(&stemmers);
	*suspects = search_record_copy(d->call->arena, &text->wanted);
	if (rc == TABLE_OK && suspects->there && now.is.there && now.is.number != suspects->number)
		rc = search_withdraw(d, space, suspects);
	return rc;
}

/*
 * What waits already is replaced there, however much waits: so its record goes on naming all that may be put for it
 * meanwhile. Where somebody else was at work, the blocks are made right now: else those who write what waits would put it
 * back, again and again.
 */
static bool
may_wait(const struct look *look, const struct search_record *suspects)
{
	return (!look->full || look->is.waiting != 0) && !suspects->there;
}

static enum table_rc derive_comments(struct derive *d, struct str post);

/* One try. *again: there is something left to do. */
static enum table_rc
try_text(struct derive *d, struct str subject, struct search_record *suspects, bool *again)
{
	struct search_group group;
	struct look look;
	enum table_rc rc;

	*again = false;
	search_group_begin(&group, d);
	rc = look_at(d, &group.stemmers, subject, suspects->there, &look);
	if (rc == TABLE_OK && !look.same) {
		if (key_search_space(look.fact) == SEARCH_POSTS && look.is.there != look.wanted.there)
			rc = derive_comments(d, subject);
		search_group_add(&group, look.fact, &look.is, &look.wanted, look.shown,
		    suspects->there ? suspects : NULL);
		group.texts[0].waits = may_wait(&look, suspects) && search_waits(&group);
		if (rc == TABLE_OK)
			rc = write_group(&group);
		*again = group.texts[0].again && !d->check;
		if (search_is_late(rc)) {
			*again = true;
			if (group.texts[0].waits)
				rc = TABLE_OK; /* nothing was put */
			else
				rc = suspect(d, subject, &group.texts[0], suspects);
		}
	}
	search_group_end(&group);
	return rc;
}

static enum table_rc
derive_text(struct derive *d, struct str subject, struct search_record suspects)
{
	bool again = true;
	enum table_rc rc = TABLE_OK;

	for (int i = 0; i < TRIES && again && rc == TABLE_OK; i++)
		rc = try_text(d, subject, &suspects, &again);
	return rc == TABLE_OK && again ? TABLE_CONFLICT : rc;
}

static const struct search_record no_suspects;

static enum table_rc
visit_comment(struct derive *d, const struct item *item, void *context)
{
	(void)context;
	if (!kind_is(item, ITEM_COMMENT))
		return TABLE_OK;
	return derive_text(d, subject_of_key(d->call->arena, item_key(item)), no_suspects);
}

static enum table_rc
derive_comments(struct derive *d, struct str post)
{
	struct query query = query_comments(d->call->arena, post);

	query.consistent = true;
	return derive_each(d, query, visit_comment, NULL);
}

/*
 * What waits is written to the blocks as it was read, and in this process no text is derived meanwhile: of one that leaves
 * the index then, or gets another number, postings would be put that no record names, to stay for good if the worker was
 * killed before it knows.
 */
static pthread_rwlock_t waiting_as_read = PTHREAD_RWLOCK_INITIALIZER;

/* A text, and the comments on it or not. */
static enum table_rc
derive_locked(struct derive *d, struct str subject, bool comments)
{
	enum table_rc rc;

	pthread_rwlock_rdlock(&waiting_as_read);
	rc = derive_text(d, subject, no_suspects);
	if (rc == TABLE_OK && comments)
		rc = derive_comments(d, subject);
	pthread_rwlock_unlock(&waiting_as_read);
	return rc;
}

/* --- The language of the site --------------------------------------------------------------------------- */

static enum table_rc
visit_post(struct derive *d, const struct item *item, void *context)
{
	(void)context;
	return derive_locked(d, key_name(item_key(item)), true);
}

/* What is written meanwhile has the new language already; the mark comes last. The first mark changes nothing. */
static enum table_rc
derive_site(struct derive *d)
{
	struct read reads[2] = {{.kind = READ_GET, .key = key_site_settings(), .consistent = true},
	    {.kind = READ_GET, .key = key_search_site(), .consistent = true}};
	struct item wanted = {0};
	struct str language = STR("");
	enum table_rc rc = table_read(d->table, d->call, reads, 2);

	if (rc != TABLE_OK)
		return rc;
	if (reads[0].item != NULL)
		language = item_string(reads[0].item, language_name);
	if (reads[1].item != NULL && str_eq(item_string(reads[1].item, language_name), language))
		return TABLE_OK;
	if (reads[1].item != NULL) {
		rc = derive_each(d, query_all_posts(), visit_post, NULL);
		if (rc == TABLE_OK)
			rc = derive_each(d, query_pages(), visit_post, NULL);
	}
	if (rc != TABLE_OK)
		return rc;
	key_set(d->call->arena, &wanted, key_search_site(), ITEM_SEARCH_SITE);
	item_set(d->call->arena, &wanted, language_name, value_string(language));
	return derive_item(d, reads[1].item, &wanted);
}

static enum table_rc derive_waiting(struct derive *d);

/* The subjects that are no texts; *text: it is one. What tells the dictionary has seen to a word already, but of a rebuild. */
static enum table_rc
derive_other(struct derive *d, struct str subject, bool *text)
{
	struct key key = subject_key(subject);

	*text = false;
	if (is_settings(key))
		return derive_site(d);
	if (kind_of_key(key) == &item_kinds[ITEM_SEARCH_STATE])
		return derive_waiting(d);
	if (kind_of_key(key) == &item_kinds[ITEM_KNOWN_WORD])
		return d->whole ? spelling_mend(d, key_word_of(key)) : TABLE_OK;
	*text = true;
	return TABLE_OK;
}

enum table_rc
search_derive(struct derive *d, struct str subject)
{
	bool text;
	enum table_rc rc = derive_other(d, subject, &text);

	return rc == TABLE_OK && text ? derive_locked(d, subject, false) : rc;
}

/* --- Many together ------------------------------------------------------------------------------------- */

/* Texts that a rebuild has come across, in memory, until there are enough to write. */
struct bulk {
	struct search_group group;
	enum { BULK_GATHERS, BULK_EDITS_BLOCKS, BULK_SETTLES, BULK_SINGLY } phase;
	size_t done; /* of the edits, or of the texts */
};

static void *
bulk_begin(struct derive *d)
{
	struct bulk *bulk = calloc(1, sizeof(*bulk));

	if (bulk == NULL)
		out_of_memory();
	search_group_begin(&bulk->group, d);
	return bulk;
}

static void
bulk_end(void *context)
{
	struct bulk *bulk = context;

	search_group_end(&bulk->group);
	free(bulk);
}

static bool
has_fact(const struct search_group *group, struct key fact)
{
	for (size_t i = 0; i < group->count; i++)
		if (str_eq(group->texts[i].fact.pk, fact.pk) && str_eq(group->texts[i].fact.sk, fact.sk))
			return true;
	return false;
}

static enum table_rc
bulk_add(void *context, struct derive *d, struct str subject, bool *full)
{
	struct bulk *bulk = context;
	struct look look;
	bool text;
	enum table_rc rc = derive_other(d, subject, &text);

	bulk->group.d = d;
	if (!text)
		return rc;
	rc = look_at(d, &bulk->group.stemmers, subject, false, &look);
	if (rc == TABLE_OK && (look.is.there || look.wanted.there) && !has_fact(&bulk->group, look.fact))
		search_group_add(&bulk->group, look.fact, &look.is, &look.wanted, look.shown, NULL);
	*full = bulk->group.edit_count >= BULK_EDITS;
	return rc;
}

static enum table_rc
derive_again(struct bulk *bulk, struct derive *d, size_t text, bool suspected)
{
	const struct search_text *t = &bulk->group.texts[text];
	struct str subject = subject_of_fact(d->call->arena, t->fact);
	struct search_record suspects = no_suspects;
	enum table_rc rc = suspected ? suspect(d, subject, t, &suspects) : TABLE_OK;

	return rc == TABLE_OK ? derive_text(d, subject, suspects) : rc;
}

/* Some records: where another process has changed one, its text is done again, by itself. */
static enum table_rc
bulk_settle(struct bulk *bulk, struct derive *d)
{
	struct search_group *g = &bulk->group;
	size_t first = bulk->done, left = g->count - first;
	size_t some = left < SEARCH_SETTLED_MAX ? left : SEARCH_SETTLED_MAX;
	enum table_rc rc = search_group_settle(g, first, some);
	bool together = rc == TABLE_OK;

	if (search_is_late(rc))
		rc = TABLE_OK;
	for (size_t i = first; rc == TABLE_OK && i < first + some; i++) {
		if (!together)
			rc = search_group_settle(g, i, 1);
		if (search_is_late(rc) || (rc == TABLE_OK && g->texts[i].again && !d->check))
			rc = derive_again(bulk, d, i, rc != TABLE_OK);
	}
	if (rc == TABLE_OK)
		bulk->done += some;
	return rc;
}

static enum table_rc
bulk_announce(struct bulk *bulk)
{
	enum table_rc rc = search_group_announce(&bulk->group);

	if (rc != TABLE_OK && !search_is_late(rc))
		return rc;
	bulk->phase = rc == TABLE_OK ? BULK_EDITS_BLOCKS : BULK_SINGLY;
	return TABLE_OK;
}

static enum table_rc
bulk_step(void *context, struct derive *d, bool *done)
{
	struct bulk *bulk = context;
	struct search_group *g = &bulk->group;
	enum table_rc rc = TABLE_OK;

	g->d = d;
	*done = false;
	switch (bulk->phase) {
	case BULK_GATHERS: return bulk_announce(bulk);
	case BULK_EDITS_BLOCKS:
		rc = search_group_edit(g, &bulk->done, BULK_STEP);
		if (rc == TABLE_OK && bulk->done >= g->edit_count) {
			bulk->phase = BULK_SETTLES;
			bulk->done = 0;
		}
		return rc;
	case BULK_SETTLES:
		rc = bulk->done < g->count ? bulk_settle(bulk, d) : TABLE_OK;
		break;
	case BULK_SINGLY:
		if (bulk->done < g->count)
			rc = derive_again(bulk, d, bulk->done, false);
		bulk->done += rc == TABLE_OK;
		break;
	}
	*done = rc == TABLE_OK && bulk->done >= g->count;
	return rc;
}

/* --- What waits --------------------------------------------------------------------------------------- */

/* Their records were announced when they began to wait. */
static enum table_rc
write_waiting(struct derive *d, enum search_space space)
{
	struct bulk bulk = {.phase = BULK_EDITS_BLOCKS};
	bool done;
	enum table_rc rc;

	search_group_begin(&bulk.group, d);
	rc = search_add_waiting(&bulk.group, space);
	done = bulk.group.count == 0;
	while (rc == TABLE_OK && !done)
		rc = bulk_step(&bulk, d, &done);
	search_group_end(&bulk.group);
	return rc;
}

static enum table_rc
derive_waiting(struct derive *d)
{
	struct read read = {.kind = READ_GET, .key = key_search_state(), .consistent = true};
	enum table_rc rc = table_read(d->table, d->call, &read, 1);

	for (int space = 0; rc == TABLE_OK && space < SEARCH_SPACES; space++)
		if (d->whole || search_waiting_full(read.item, (enum search_space)space)) {
			pthread_rwlock_wrlock(&waiting_as_read);
			rc = write_waiting(d, (enum search_space)space);
			pthread_rwlock_unlock(&waiting_as_read);
		}
	return rc;
}

const struct derivation_bulk search_bulk = {
    .begin = bulk_begin, .add = bulk_add, .step = bulk_step, .end = bulk_end};
