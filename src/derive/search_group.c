#include "derive/search_private.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/plan.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum {
	TERMS_AT_ONCE = 100, /* of which the blocks are read in one round trip */
	BLOCKS_AT_ONCE = 16, /* of a term with several edits; more are read one page after another */
	TRIES = 20,
	PAUSE_NS = 2 * 1000 * 1000,
};

static const struct str postings_name = STR_INIT("Postings"), version_name = STR_INIT("Version");

void
search_group_begin(struct search_group *group, struct derive *d)
{
	*group = (struct search_group){.d = d, .arena = arena_new()};
}

void
search_group_end(struct search_group *group)
{
	search_stemmers_free(&group->stemmers);
	arena_free(group->arena);
}

/* --- What is to be written ---------------------------------------------------------------------------- */

static void
add_edit(struct search_group *g, enum search_space space, const struct search_record *of,
    const struct term_use *use, bool remove)
{
	if (g->edit_count == g->edit_capacity) {
		size_t capacity = g->edit_capacity != 0 ? 2 * g->edit_capacity : 512;

		g->edits = arena_extend(g->arena, g->edits, g->edit_count * sizeof(*g->edits),
		    g->edit_capacity * sizeof(*g->edits), capacity * sizeof(*g->edits));
		g->edit_capacity = capacity;
	}
	g->edits[g->edit_count++] = (struct search_edit){.term = use->term,
	    .space = space,
	    .edit = {.posting = {.number = of->number,
			 .frequency = (uint16_t)use->frequency,
			 .kind = of->kind,
			 .length = of->length,
			 .after = of->after},
		.remove = remove}};
}

/* The edits that lead from one record to another of the same number. */
static void
add_edits(struct search_group *g, enum search_space space, const struct search_record *is,
    const struct search_record *wanted)
{
	bool same = is->whole && is->kind == wanted->kind && is->length == wanted->length &&
		    is->after == wanted->after && !g->d->whole;
	size_t i = 0, j = 0;

	while (i < is->count || j < wanted->count) {
		int order = i == is->count       ? 1
			    : j == wanted->count ? -1
						 : str_cmp(is->uses[i].term, wanted->uses[j].term);

		if (order < 0)
			add_edit(g, space, is, &is->uses[i], true);
		else if (order > 0 || !same || is->uses[i].frequency != wanted->uses[j].frequency)
			add_edit(g, space, wanted, &wanted->uses[j], false);
		i += order <= 0;
		j += order >= 0;
	}
}

void
search_group_add(struct search_group *g, struct key fact, const struct search_record *is,
    const struct search_record *wanted, struct search_shown shown, const struct search_record *suspects)
{
	struct search_text *t;

	if (g->count == g->capacity) {
		size_t capacity = g->capacity != 0 ? 2 * g->capacity : 16;

		g->texts = arena_grow(
		    g->arena, g->texts, g->capacity * sizeof(*t), capacity * sizeof(*t));
		g->capacity = capacity;
	}
	t = &g->texts[g->count++];
	*t = (struct search_text){.fact = {str_dup(g->arena, fact.pk), str_dup(g->arena, fact.sk)},
	    .is = search_record_copy(g->arena, is),
	    .wanted = search_record_copy(g->arena, wanted),
	    .text = str_dup(g->arena, shown.text),
	    .title = str_dup(g->arena, shown.title)};
	if (suspects != NULL && (!is->there || is->number == suspects->number)) {
		t->is.uses = search_record_union(g->arena, suspects, is, &t->is.count);
		t->is.number = suspects->number;
		t->is.whole = false;
	}
	if (t->is.number != t->wanted.number && (t->is.there || t->is.count != 0) && t->wanted.there) {
		t->again = true;
		t->wanted = (struct search_record){0};
	}
	t->settled = t->is.there == t->wanted.there && t->is.count == t->wanted.count &&
		     (!t->is.there || (t->is.whole && t->is.counted && t->is.facts == t->wanted.facts));
	add_edits(g, key_search_space(fact), &t->is, &t->wanted);
}

/* --- Sending ------------------------------------------------------------------------------------------ */

/* Writes of which some belong together: `first` begins such a unit. */
struct sending {
	struct write *writes;
	bool *first;
	size_t count, capacity;
};

static void
sending_add(struct arena *arena, struct sending *s, struct write write, bool first)
{
	if (s->count == s->capacity) {
		size_t capacity = s->capacity != 0 ? 2 * s->capacity : 128;

		s->writes = arena_grow(arena, s->writes, s->capacity * sizeof(*s->writes),
		    capacity * sizeof(*s->writes));
		s->first = arena_grow(
		    arena, s->first, s->capacity * sizeof(bool), capacity * sizeof(bool));
		s->capacity = capacity;
	}
	s->writes[s->count] = write;
	s->first[s->count++] = first;
}

/* How many writes from here on: whole units, of which `apart` says that each has but one write. */
static size_t
next_part(const struct sending *s, size_t at, bool *apart)
{
	size_t to = at, end = at;

	*apart = true;
	for (size_t i = at + 1; i <= s->count && i - at <= TABLE_BATCH_MAX; i++) {
		bool unit_ends = i == s->count || s->first[i];

		if (!unit_ends)
			continue;
		/* What belongs together goes by itself. */
		if (i - end > 1 && end != at)
			break;
		*apart = i - end == 1;
		to = end = i;
		if (!*apart)
			break;
	}
	assert(to > at);
	return to;
}

/* Counts them as differences, and sends them: those of a unit together. */
static enum table_rc
send(struct derive *d, struct sending *s)
{
	enum table_rc rc = TABLE_OK;
	size_t to;
	bool apart;

	if (s->count != 0 && d->first.len == 0) {
		struct key key = s->writes[0].kind == WRITE_PUT ? item_key(&s->writes[0].item) : s->writes[0].key;

		d->first = STR_CONCAT(d->call->arena, key.pk, STR(" / "), key.sk);
	}
	d->differences += (int64_t)s->count;
	for (size_t at = 0; !d->check && rc == TABLE_OK && at < s->count; at = to) {
		to = next_part(s, at, &apart);
		rc = apart ? table_write_each(d->table, d->call, &s->writes[at], to - at)
			   : table_transact(d->table, d->call, &s->writes[at], to - at, STR(""));
	}
	return rc;
}

static const struct condition *
is_still(struct arena *arena, struct str name, struct value value)
{
	struct condition *condition = ARENA_NEW(arena, struct condition);

	*condition = (struct condition){COND_EQ, .name = name, .value = value};
	return condition;
}

/* --- Step 1 ------------------------------------------------------------------------------------------- */

static const struct condition *
of_version(struct arena *arena, int64_t version)
{
	return version != 0 ? is_still(arena, version_name, value_number(version)) : &plan_absent;
}

/* What follows a version; a record that is made anew has none of an earlier one. */
static int64_t
next_version(const struct derive *d, int64_t version)
{
	return version != 0 ? version + 1 : clock_now(d->clock);
}

/*
 * The record with the terms of before and of after, of which nobody believes that it was made of its facts; of a text that
 * waits, with those of before.
 */
static struct item
announced(struct search_group *g, const struct search_text *t)
{
	struct search_record both = t->wanted.there ? t->wanted : t->is;

	both.uses = search_record_union(g->arena, &t->is, t->waits ? &t->is : &t->wanted, &both.count);
	both.whole = false;
	both.facts = 0;
	both.counted = t->is.counted;
	both.words = t->is.words;
	both.language = t->is.language;
	both.waiting = t->is.waiting;
	both.version = next_version(g->d, t->is.version);
	return search_record_to_item(g->arena, key_indexed(g->arena, t->fact), ITEM_SEARCH_INDEXED, &both);
}

enum table_rc
search_group_announce(struct search_group *g)
{
	struct sending sending = {0};

	for (size_t i = 0; i < g->count; i++) {
		struct search_text *t = &g->texts[i];
		struct write write = {.kind = WRITE_PUT, .condition = of_version(g->arena, t->is.version)};

		if (t->settled)
			continue;
		write.item = announced(g, t);
		sending_add(g->arena, &sending, write, true);
		t->is.version = item_number(&write.item, version_name);
	}
	return send(g->d, &sending);
}

/* --- Step 2 ------------------------------------------------------------------------------------------- */

static int
by_term(const void *a, const void *b)
{
	const struct search_edit *one = a, *other = b;
	int order = one->space != other->space ? (one->space < other->space ? -1 : 1)
					       : str_cmp(one->term, other->term);

	if (order != 0)
		return order;
	return one->edit.posting.number < other->edit.posting.number ? -1
								      : one->edit.posting.number > other->edit.posting.number;
}

/* The edits of one term, and what was read of its blocks, the newest first. */
struct term_edits {
	const struct search_edit *edits;
	size_t count;
	struct item *blocks;
	size_t block_count;
};

static struct write
put_block(struct arena *arena, const struct search_edit *of, uint64_t number, struct str block)
{
	struct write write = {.kind = WRITE_PUT, .condition = &plan_absent};

	key_set(arena, &write.item, key_search_block(arena, of->space, of->term, number), ITEM_SEARCH_TERM);
	item_set(arena, &write.item, postings_name, value_binary(block));
	return write;
}

static uint64_t
first_of(struct str block)
{
	struct posting postings[POSTINGS_MAX];
	size_t count = postings_read(block, postings);

	assert(count != 0);
	return postings[0].number;
}

/* Edits of one block; NULL: there is none that they belong to, so it begins with the lowest number. */
static void
edit_block(struct arena *arena, struct sending *s, const struct item *old,
    const struct search_edit *edits, size_t count)
{
	struct str before = old != NULL ? item_binary(old, postings_name) : STR(""), *blocks;
	struct posting_edit *each = arena_room(arena, count * sizeof(*each));
	size_t written, kept = 0;
	bool alone = false;

	/* Two texts may have the same number: one posting stands for both. */
	for (size_t i = 0; i < count; i++) {
		if (kept != 0 && each[kept - 1].posting.number == edits[i].edit.posting.number)
			kept--;
		each[kept++] = edits[i].edit;
	}
	written = postings_edit(arena, before, each, kept, &blocks);
	if (old == NULL && written != 0) {
		sending_add(arena, s, put_block(arena, edits, 0, blocks[0]), true);
	} else if (old != NULL && (written == 0 || !str_eq(blocks[0], before))) {
		struct write write = {.kind = written == 0 ? WRITE_DELETE : WRITE_UPDATE,
		    .key = item_key(old),
		    .condition = is_still(arena, postings_name, value_binary(before))};
		struct change *change = ARENA_NEW(arena, struct change);

		*change = (struct change){CHANGE_SET, postings_name, value_binary(written != 0 ? blocks[0] : before)};
		write.changes = change;
		write.change_count = written != 0;
		sending_add(arena, s, write, true);
	} else {
		alone = true; /* what is full stays as it is, and another one begins */
	}
	for (size_t i = 1; i < written; i++)
		sending_add(arena, s, put_block(arena, edits, first_of(blocks[i]), blocks[i]), alone && i == 1);
}

static void
edit_term(struct arena *arena, struct sending *s, const struct term_edits *of)
{
	size_t to = of->count;

	for (size_t b = 0; b < of->block_count && to != 0; b++) {
		uint64_t number;
		size_t from = to;

		if (!key_search_block_number(item_key(&of->blocks[b]).sk, &number))
			continue;
		while (from != 0 && of->edits[from - 1].edit.posting.number >= number)
			from--;
		if (from != to)
			edit_block(arena, s, &of->blocks[b], of->edits + from, to - from);
		to = from;
	}
	if (to != 0)
		edit_block(arena, s, NULL, of->edits, to);
}

/* Reads on until the block is there in which the first edit belongs. */
static enum table_rc
read_on(struct derive *d, const struct read *read, struct term_edits *of)
{
	struct arena *arena = d->call->arena;
	struct query query = read->query;
	enum table_rc rc = TABLE_OK;

	of->blocks = read->found;
	of->block_count = read->found_count;
	query.cursor = read->next;
	query.limit = TABLE_QUERY_MAX;
	while (rc == TABLE_OK && query.cursor.len != 0) {
		struct item *found, *all;
		uint64_t number;
		size_t count;

		if (key_search_block_number(item_key(&of->blocks[of->block_count - 1]).sk, &number) &&
		    number <= of->edits[0].edit.posting.number)
			break;
		rc = table_query(d->table, d->call, &query, &found, &count, &query.cursor);
		if (rc != TABLE_OK)
			break;
		all = ARENA_ARRAY(arena, of->block_count + count + 1, struct item);
		memcpy(all, of->blocks, of->block_count * sizeof(*all));
		memcpy(all + of->block_count, found, count * sizeof(*all));
		of->blocks = all;
		of->block_count += count;
	}
	return rc;
}

/* The edits of up to TERMS_AT_ONCE terms: as they are read, changed and written. */
static enum table_rc
edit_terms(struct derive *d, struct term_edits *terms, size_t count)
{
	struct arena *arena = d->call->arena;
	struct read *reads = ARENA_ARRAY(arena, count, struct read);
	struct sending sending = {0};
	enum table_rc rc;

	for (size_t i = 0; i < count; i++) {
		const struct search_edit *last = &terms[i].edits[terms[i].count - 1];

		reads[i] = (struct read){.kind = READ_QUERY,
		    .query = query_search_block(arena, last->space, last->term, last->edit.posting.number)};
		reads[i].query.limit = terms[i].count == 1 ? 1 : BLOCKS_AT_ONCE;
		reads[i].query.consistent = true;
	}
	rc = table_read(d->table, d->call, reads, count);
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		rc = read_on(d, &reads[i], &terms[i]);
		if (rc == TABLE_OK)
			edit_term(arena, &sending, &terms[i]);
	}
	return rc == TABLE_OK ? send(d, &sending) : rc;
}

/* Which edits come next, by their terms; how many edits. */
static size_t
next_terms(const struct search_group *g, size_t from, struct term_edits *terms, size_t *count)
{
	size_t at = from;

	for (*count = 0; at < g->edit_count; at++) {
		const struct search_edit *edit = &g->edits[at];
		struct term_edits *last = *count != 0 ? &terms[*count - 1] : NULL;

		if (last != NULL && last->edits->space == edit->space && str_eq(last->edits->term, edit->term)) {
			last->count++;
			continue;
		}
		if (*count == TERMS_AT_ONCE)
			break;
		terms[(*count)++] = (struct term_edits){.edits = edit, .count = 1};
	}
	return at - from;
}

/* In an arena of their own, again when somebody else has changed a block meanwhile. */
static enum table_rc
edit_some(struct search_group *g, size_t *done)
{
	struct derive *d = g->d;
	struct arena *outer = d->call->arena, *arena = arena_new();
	struct term_edits terms[TERMS_AT_ONCE];
	size_t count, edits = next_terms(g, *done, terms, &count);
	enum table_rc rc = TABLE_CONFLICT;

	for (int i = 0; i < TRIES && search_is_late(rc); i++) {
		struct str first = d->first;
		int64_t before = d->differences;

		arena_reset(arena);
		d->call->arena = arena;
		rc = edit_terms(d, terms, count);
		table_release(d->table, d->call);
		d->call->arena = outer;
		if (d->call->why != NULL)
			d->call->why = str_cstring(outer, str_of(d->call->why));
		if (rc != TABLE_OK)
			d->differences = before;
		d->first = first.len != 0 || rc != TABLE_OK ? first : str_dup(outer, d->first);
	}
	arena_free(arena);
	*done += rc == TABLE_OK ? edits : 0;
	return rc;
}

enum table_rc
search_group_edit(struct search_group *g, size_t *done, size_t some)
{
	size_t until = *done + some;
	enum table_rc rc = TABLE_OK;

	if (*done == 0 && g->edit_count != 0)
		qsort(g->edits, g->edit_count, sizeof(*g->edits), by_term);
	while (rc == TABLE_OK && *done < g->edit_count && *done < until)
		rc = edit_some(g, done);
	return rc;
}

enum table_rc
search_withdraw(struct derive *d, enum search_space space, const struct search_record *record)
{
	struct search_group group;
	size_t done = 0;
	enum table_rc rc;

	search_group_begin(&group, d);
	for (size_t i = 0; i < record->count; i++)
		add_edit(&group, space, record, &record->uses[i], true);
	rc = search_group_edit(&group, &done, SIZE_MAX / 2);
	search_group_end(&group);
	return rc;
}

/* --- Step 3 ------------------------------------------------------------------------------------------- */

/* What the sums change by. */
struct sums {
	int64_t texts[SEARCH_SPACES], words[SEARCH_SPACES], waiting[SEARCH_SPACES];
	struct {
		struct str language;
		int64_t texts;
	} languages[2 * SEARCH_SETTLED_MAX];
	size_t language_count;
};

static void
sum_language(struct sums *sums, struct str language, int64_t by)
{
	size_t i = 0;

	if (language.len == 0)
		return;
	while (i < sums->language_count && !str_eq(sums->languages[i].language, language))
		i++;
	if (i == sums->language_count) {
		sums->languages[i].language = language;
		sums->languages[i].texts = 0;
		sums->language_count++;
	}
	sums->languages[i].texts += by;
}

static void
sum_record(struct sums *sums, enum search_space space, const struct search_record *record, int64_t by)
{
	sums->waiting[space] += by * record->waiting;
	if (!record->counted)
		return;
	sums->texts[space] += by;
	sums->words[space] += by * record->words;
	sum_language(sums, record->language, by);
}

static struct write
add_numbers(struct arena *arena, struct key key, enum item_kind kind, const struct str *names,
    const int64_t *numbers, size_t count)
{
	struct change *changes = ARENA_ARRAY(arena, count + 1, struct change);
	struct write write = {.kind = WRITE_UPDATE, .key = key, .changes = changes};

	for (size_t i = 0; i < count; i++)
		if (numbers[i] != 0)
			changes[write.change_count++] =
			    (struct change){CHANGE_ADD, names[i], value_number(numbers[i])};
	if (write.change_count != 0)
		changes[write.change_count++] = (struct change){CHANGE_SET, STR("Type"), kind_type(kind)};
	return write;
}

static void
put_sums(struct arena *arena, struct sending *s, const struct sums *sums)
{
	static const struct str names[] = {STR_INIT("Posts"), STR_INIT("Comments"), STR_INIT("Words"),
	    STR_INIT("CommentWords"), STR_INIT("PostsWaiting"), STR_INIT("CommentsWaiting")},
				texts = STR_INIT("Texts");
	const int64_t numbers[] = {sums->texts[0], sums->texts[1], sums->words[0], sums->words[1],
	    sums->waiting[0], sums->waiting[1]};
	struct write write = add_numbers(arena, key_search_state(), ITEM_SEARCH_STATE, names, numbers,
	    sizeof(names) / sizeof(names[0]));

	if (write.change_count != 0)
		sending_add(arena, s, write, false);
	for (size_t i = 0; i < sums->language_count; i++) {
		write = add_numbers(arena, key_search_language(arena, sums->languages[i].language),
		    ITEM_SEARCH_LANGUAGE, &texts, &sums->languages[i].texts, 1);
		if (write.change_count != 0)
			sending_add(arena, s, write, false);
	}
}

/*
 * Where several are settled at once, the sums are changed by all of them, which a distributed table refuses for the moment: then
 * once more. A record that is another's stays so.
 */
static enum table_rc
settle(struct derive *d, struct sending *s)
{
	enum table_rc rc = send(d, s);

	for (int i = 1; i < TRIES && (rc == TABLE_CANCELLED || rc == TABLE_CONFLICT); i++) {
		const struct timespec pause = {.tv_nsec = (long)i * PAUSE_NS};
		int64_t differences = d->differences;

		for (size_t w = 0; w < s->count; w++)
			if (s->writes[w].rc == TABLE_CONDITION)
				return rc;
		nanosleep(&pause, NULL);
		rc = send(d, s);
		d->differences = differences;
	}
	return rc;
}

/* What waits of a text: comes, or goes. */
static void
put_waiting(struct arena *arena, struct sending *s, struct search_text *t)
{
	struct write write = {.kind = WRITE_DELETE, .key = key_waiting(arena, t->fact)};

	if (!t->waits && t->is.waiting == 0)
		return;
	if (t->waits) {
		write = (struct write){.kind = WRITE_PUT,
		    .item = search_record_to_item(arena, write.key, ITEM_SEARCH_WAITING, &t->wanted)};
		t->wanted.waiting = (int64_t)item_size(&write.item);
	}
	sending_add(arena, s, write, false);
}

/* The record of a text: as it should be or, while that waits, with all that the blocks may have of it. */
static void
put_record(struct derive *d, struct sending *s, struct search_text *t)
{
	struct arena *arena = d->call->arena;
	struct write write = {.kind = WRITE_DELETE, .key = key_indexed(arena, t->fact)};
	struct search_record record;

	t->wanted.version = next_version(d, t->is.version);
	put_waiting(arena, s, t);
	record = t->wanted;
	if (t->waits) {
		record.uses = search_record_union(arena, &t->is, &t->wanted, &record.count);
		record.whole = false;
	}
	if (record.there)
		write = (struct write){.kind = WRITE_PUT,
		    .item = search_record_to_item(arena, write.key, ITEM_SEARCH_INDEXED, &record)};
	write.condition = of_version(arena, t->is.version);
	sending_add(arena, s, write, false);
}

static enum table_rc
settle_some(struct search_group *g, size_t first, size_t count)
{
	struct derive *d = g->d;
	struct sending sending = {0};
	struct sums sums = {0};
	enum table_rc rc = search_tell_words(d, &g->texts[first], count);

	if (rc != TABLE_OK || d->check)
		return rc;
	for (size_t i = first; i < first + count; i++) {
		struct search_text *t = &g->texts[i];
		enum search_space space = key_search_space(t->fact);

		if (t->settled)
			continue;
		put_record(d, &sending, t);
		sum_record(&sums, space, &t->is, -1);
		sum_record(&sums, space, &t->wanted, 1);
	}
	put_sums(d->call->arena, &sending, &sums);
	return settle(d, &sending);
}

/*
 * From what the dictionary is told of texts to what is kept of them, no other thread takes words out of it: of two posts that
 * leave a word at once each could else name the other as its witness, and one that comes with a word would not be seen yet.
 */
static pthread_rwlock_t words_leave = PTHREAD_RWLOCK_INITIALIZER;

enum table_rc
search_group_settle(struct search_group *g, size_t first, size_t count)
{
	bool leaves = false;
	enum table_rc rc;

	assert(count <= SEARCH_SETTLED_MAX);
	for (size_t i = first; i < first + count; i++)
		leaves = leaves || search_words_leave(&g->texts[i]);
	if (leaves)
		pthread_rwlock_wrlock(&words_leave);
	else
		pthread_rwlock_rdlock(&words_leave);
	table_release(g->d->table, g->d->call); /* what is read from here on is as the others left it */
	rc = settle_some(g, first, count);
	pthread_rwlock_unlock(&words_leave);
	return rc;
}
