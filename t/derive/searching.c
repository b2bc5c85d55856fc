/*
 * What is found: no more than its public keys lead to, however stale the index is; the words of the dictionary, of which each
 * names a post that has it; and the same on both stores.
 */
#include "lib/failing_table.h"
#include "searched.h"

#include "base/thread.h"
#include "model/key_spelling.h"
#include "text/spelling.h"

#include <semaphore.h>
#include <stdlib.h>

static void
finds(struct seeded *s)
{
	struct state states[] = {
	    post_of(s, "a-quux", "Plain", "The xylodon grows on zzyzx roads. Nothing else."),
	    post_of(s, "b-quux", "Xylodon", "Roads and zzyzx."),
	    post_of(s, "c-quux", "German", "Die Zzyzxstraßen sind naß."),
	    post_of(s, "d-quux", "Signs", "We write c++ and c# here, zzyzx."),
	};
	struct state page = post_of(s, "f-quux", "A page", "A plover."), note = post_of(s, "g-quux", "A note", "Plovers: a plover.");
	static const struct {
		const char *query, *hits;
	} cases[] = {
	    {"xylodons", "b-quux: Roads and zzyzx. | a-quux: The [xylodon] grows on zzyzx roads. Nothing else."},
	    {"\"xylodon grows\"", "a-quux: The [xylodon] [grows] on zzyzx roads. Nothing else."},
	    {"xylodon -nothing", "b-quux: Roads and zzyzx."},
	    {"ZZYZXSTRASSEN", "c-quux: Die [Zzyzxstraßen] sind naß."},
	    {"c++", "d-quux: We write [c++] and c# here, zzyzx."},
	    {"in:titles xylodon", "b-quux: Roads and zzyzx."},
	    {"kind:note zzyzx", ""},
	    {"xylo*", "b-quux: Roads and zzyzx. | a-quux: The [xylodon] grows on zzyzx roads. Nothing else."},
	    {"nowherewordatall", ""},
	};

	states[2].post.language = STR("de");
	for (size_t i = 0; i < 4; i++)
		write_one(s, &states[i]);
	work(s);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(hits_text(s, found(s, cases[i].query)), str_of(cases[i].hits), "%s finds what it should",
		    cases[i].query);
	is_int(found(s, "\"grows xylodon\"")->without_phrases, true, "a phrase that nothing has is told");
	is_int((int64_t)found(s, "\"grows xylodon\"")->hit_count, 1, "... and what has its words is found");
	is_int(found(s, "zzyzx kind:article")->total, 3, "... and how many there are in all");
	ok(str_eq(found(s, "zzyzx")->years[0].value, STR("2026")), "... in which year");

	is_str(found(s, "xylodom")->meant->text, STR("xylodon"), "a word with a wrong letter is corrected");
	page.post.kind = KIND_PAGE;
	write_one(s, &page);
	work(s);
	ok(found(s, "plovfr")->meant == NULL && found(s, "plover")->total == 1, "one of a page alone is found, and not suggested");
	write_one(s, &note);
	work(s);
	is_str(found(s, "plovfr")->meant->text, STR("plover"), "... and is, when a post has it, too");

	/* The index is not told. */
	states[0].post.visibility = VISIBILITY_FOLLOWERS;
	write_one(s, &states[0]);
	states[1].there = false;
	write_one(s, &states[1]);
	is_str(hits_text(s, found(s, "xylodon")), STR(""), "what lost its public key is not found, however stale the index is");
	is_int(found(s, "xylodon")->total, 0, "... nor counted");
	is_int(found(s, "xylodom")->meant == NULL, true, "... nor suggested");
	is_int((int64_t)found(s, "xylodon")->kinds[0].count, 0, "... nor by kind");
}

/* --- The dictionary ----------------------------------------------------------------------------------- */

static void
set_witness(struct seeded *s, const struct key *keys, size_t count, const struct post *post)
{
	for (size_t i = 0; i < count; i++)
		set(s, keys[i], STR("Found"),
		    value_number((int64_t)key_search_number(post->published, post->id)));
}

/* What a rebuild makes of a word, or a check finds; how much differs. */
static int64_t
mended(struct seeded *s, const char *word, bool check)
{
	struct table_call call = {.arena = s->arena};
	struct key key = key_word(s->arena, str_of(word));
	struct derive derive = {.table = s->table,
	    .call = &call,
	    .clock = &s->clock,
	    .site = SEEDED_ORIGIN,
	    .check = check,
	    .whole = true};

	if (derive_subject(&derive, derivation_find(STR("search")),
		STR_CONCAT(s->arena, key.pk, STR("\t"), key.sk)) != TABLE_OK)
		bail_out("a word is not looked at: %s", call.why);
	return derive.differences;
}

/* When two posts enter a word at once, its items can name one of them each. */
static void
has_witnesses(struct seeded *s)
{
	struct state one = post_of(s, "h-quux", "One", "The wombat."), other = post_of(s, "i-quux", "Other", "Wombat, too.");
	struct key keys[SPELLING_KEYS];
	size_t count = spelling_keys(s->arena, STR("wombat"), keys);

	write_one(s, &one);
	write_one(s, &other);
	work(s);
	set_witness(s, keys, 1, &one.post);
	set_witness(s, keys + 1, count - 1, &other.post);
	is_int(mended(s, "wombat", true), 0, "the items of a word may name different posts");
	other.there = false;
	write_one(s, &other);
	work(s);
	is_str(found(s, "wombaz")->meant->text, STR("wombat"), "... and when one of them goes, it stays known");
	set_witness(s, keys + 1, 1, &other.post);
	is_int(mended(s, "wombat", true), (int64_t)count, "a check sees a word of which an item names a post that is gone");
	is_int(mended(s, "wombat", false), (int64_t)count, "... a rebuild finds it another one");
	is_int(mended(s, "wombat", true), 0, "... and then a check finds nothing");
	is_str(found(s, "wombaz")->meant->text, STR("wombat"), "... and it is known");
	one.there = false;
	write_one(s, &one);
	work(s);
	ok(stored(s, keys[0]) == NULL && stored(s, keys[count - 1]) == NULL, "of a word that is nowhere nothing is left");
}

/* --- Two posts at once -------------------------------------------------------------------------------- */

/* While one post is derived, another thread derives another, from the first read of a partition on. */
struct at_once {
	struct failing_table front;
	struct table_engine engine;
	struct seeded *s;
	struct str seen, other;
	pthread_t thread;
	sem_t done;
	bool began;
};

static void *
derive_other(void *context)
{
	struct at_once *both = context;

	derive_one(both->s, both->s->table, both->other);
	sem_post(&both->done);
	return NULL;
}

static bool
is_read(const struct read *read, struct str partition)
{
	bool is = (read->kind == READ_QUERY && str_eq(read->query.partition, partition)) ||
		  (read->kind == READ_GET && str_eq(read->key.pk, partition));

	for (size_t i = 0; read->kind == READ_BATCH && !is && i < read->batch.count; i++)
		is = str_eq(read->batch.keys[i].pk, partition);
	return is;
}

/* The other one is not waited for in earnest: it may have to wait for us. */
static enum table_rc
read_at_once(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	enum { PATIENCE_MS = 200 };
	struct at_once *both = (struct at_once *)table;
	enum table_rc rc = table_read(both->s->table, call, reads, count);
	struct timespec until;

	if (both->began || !is_read(&reads[0], both->seen))
		return rc;
	both->began = true;
	if (thread_start(&both->thread, derive_other, both) != 0)
		bail_out("there is no thread");
	until = thread_deadline(PATIENCE_MS);
	(void)sem_clockwait(&both->done, CLOCK_MONOTONIC, &until);
	return rc;
}

static void
derive_both(struct seeded *s, const struct state *one, struct str seen, const struct state *other)
{
	struct at_once both = {.s = s, .seen = seen, .other = other->post.id};

	failing_table_begin(&both.front, s->table);
	both.engine = *both.front.table.engine;
	both.engine.read = read_at_once;
	both.front.table.engine = &both.engine;
	sem_init(&both.done, 0, 0);
	derive_one(s, &both.front.table, one->post.id);
	if (!both.began)
		bail_out("%.*s was not read", STR_ARGS(seen));
	pthread_join(both.thread, NULL);
	sem_destroy(&both.done);
}

/* A word's witness is no post that leaves the index just then; and a word is known that a post has which comes just then. */
static void
come_and_go_at_once(struct seeded *s)
{
	struct state one = post_of(s, "j-quux", "One", "The quokka."), other = post_of(s, "k-quux", "Other", "Quokka, too.");
	uint64_t number = key_search_number(other.post.published, other.post.id);
	struct key keys[SPELLING_KEYS];
	size_t count = spelling_keys(s->arena, STR("quokka"), keys);

	write_one(s, &one);
	work(s);
	write_one(s, &other);
	work(s);
	set_witness(s, keys, count, &one.post);
	one.there = other.there = false;
	write_one(s, &one);
	write_one(s, &other);
	derive_both(s, &one, query_search_texts(s->arena, number).partition, &other);
	ok(stored(s, keys[0]) == NULL && stored(s, keys[count - 1]) == NULL,
	    "of two posts that leave a word at once, none becomes its witness");

	work(s);
	one.there = other.there = true;
	write_one(s, &one);
	work(s);
	one.there = false;
	write_one(s, &one);
	write_one(s, &other);
	derive_both(s, &other, keys[0].pk, &one);
	is_int(mended(s, "quokka", true), 0, "where one leaves a word and one comes at once, this one becomes its witness");
	ok(stored(s, keys[0]) != NULL && stored(s, keys[count - 1]) != NULL, "... and it is known");
	other.there = false;
	write_one(s, &other);
	work(s);

	/* Nothing is written of a text that waits, before it is told: it is read in one snapshot until then. */
	one.there = other.there = true;
	one.text = STR_CONCAT(s->arena, long_text(s, "zq"), STR(" quokka"));
	write_one(s, &one);
	work(s);
	write_one(s, &other);
	work(s);
	set_witness(s, keys, count, &one.post);
	one.text = long_text(s, "zr");
	other.there = false;
	write_one(s, &one);
	write_one(s, &other);
	derive_both(s, &one, key_post(s->arena, one.post.id).pk, &other);
	ok(stored(s, key_waiting(s->arena, key_post(s->arena, one.post.id))) != NULL && stored(s, keys[0]) == NULL,
	    "what left meanwhile is seen by one that waits, too");
	one.there = false;
	write_one(s, &one);
	work(s);
}

/* --- Comments ----------------------------------------------------------------------------------------- */

/* Comments by themselves, and only under what is public. */
static void
finds_comments(struct seeded *s)
{
	struct state state = post_of(s, "e-quux", "Comments", "Text.");

	state.comment = STR("I saw a plugh there.");
	write_one(s, &state);
	work(s);
	is_str(hits_text(s, found(s, "in:comments plugh")),
	    str_fmt(s->arena, "%.*s: I saw a [plugh] there.", STR_ARGS(comment_id(s, &state))),
	    "a comment is found among comments");
	is_int(found(s, "plugh")->total, 0, "... and not among posts");
	state.post.visibility = VISIBILITY_FOLLOWERS;
	write_one(s, &state);
	is_str(hits_text(s, found(s, "in:comments plugh")), STR(""), "... and not under what is for followers, stale or not");
	is_int(found(s, "in:comments plugh")->total, 0, "... nor counted");
	work(s);
	ok(!holds(index_text(s), STR("#plugh")), "... and leaves the index");
}

/* --- On both stores ----------------------------------------------------------------------------------- */

/* On DynamoDB: what SQLite finds, in an index that was made there of the same facts, is the same in the same order. */
static void
same_on_both(struct seeded *s)
{
	static const char *const typed[] = {"tide", "the tide in forty lines", "harbour boats ropes", "\"the tide\"",
	    "knots -rope", "rope kind:howto", "author:kofi", "lang:pt", "stars:>3", "in:titles the", "in:comments the",
	    "tid*", "the of and a", "tide sort:newest", "avo lingua", "weather after:2026", "weather before:2026",
	    "harbuor", "xylodon zzyzx", "c++", "nowherewordatall"};
	struct seeded other;
	struct test_store store;

	if (getenv("TEST_STORE") == NULL || strcmp(getenv("TEST_STORE"), "dynamodb") != 0)
		return;
	other = made_elsewhere(s, &store);
	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++)
		is_str(answer_text(&other, typed[i]), answer_text(s, typed[i]), "both stores answer “%s” alike", typed[i]);
	test_store_close(&store);
}

int
main(void)
{
	struct seeded s;

	seeded_open(&s);
	work(&s);
	is_int(differences(&s), 0, "the seed is in the index");
	finds(&s);
	has_witnesses(&s);
	come_and_go_at_once(&s);
	finds_comments(&s);
	same_on_both(&s);
	seeded_close(&s);
	return tap_done();
}
