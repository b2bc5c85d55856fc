/*
 * Words of the dictionary come and go with the posts that they stand in. There is no count of these, as most words of most posts
 * are there already: reading that costs half a unit, a count would cost one or two. Instead an entry names one post, its
 * witness; when the word leaves that one, another is looked for among the postings of its stems.
 */
#include "derive/search_private.h"

#include "base/arena.h"
#include "model/key_search.h"
#include "model/key_spelling.h"
#include "model/kinds.h"
#include "text/postings.h"
#include "text/spelling.h"
#include "text/words.h"

#include <stdlib.h>

enum {
	AT_ONCE = 20 * TABLE_BATCH_MAX,
	WORDS = TABLE_BATCH_MAX / (SPELLING_KEYS - 1), /* that are written at once */
};

/* --- What is there ------------------------------------------------------------------------------------ */

/* A word with its items, which two texts that enter it at once may have written one of each. */
struct entry {
	struct word_use use;
	struct key keys[SPELLING_KEYS];
	struct item *items[SPELLING_KEYS]; /* NULL: it is not there; the first says that all are */
	size_t count;
};

static int
by_word(const void *a, const void *b)
{
	return str_cmp(((const struct entry *)a)->use.word, ((const struct entry *)b)->use.word);
}

/* Of these the words of the dictionary, each once; how many. */
static size_t
take_words(struct arena *arena, const struct word_use *uses, size_t count, struct entry **out)
{
	struct entry *entries = ARENA_ARRAY(arena, count + 1, struct entry);
	size_t taken = 0, kept = 0;

	for (size_t i = 0; i < count; i++)
		if (spelling_is_word(uses[i].word))
			entries[taken++].use = uses[i];
	qsort(entries, taken, sizeof(*entries), by_word);
	for (size_t i = 0; i < taken; i++)
		if (kept == 0 || !str_eq(entries[kept - 1].use.word, entries[i].use.word))
			entries[kept++] = entries[i];
	*out = entries;
	return kept;
}

/* What the dictionary has of each: all of its items, or up to so many. */
static enum table_rc
read_words(struct derive *d, struct entry *entries, size_t count, size_t most)
{
	struct arena *arena = d->call->arena;
	struct key *keys = ARENA_ARRAY(arena, count * SPELLING_KEYS + 1, struct key);
	struct read *reads;
	size_t key_count = 0, batches, k = 0;
	enum table_rc rc;

	for (size_t i = 0; i < count; i++) {
		struct entry *entry = &entries[i];

		entry->count = spelling_keys(arena, entry->use.word, entry->keys);
		for (size_t n = 0; n < entry->count && n < most; n++)
			keys[key_count++] = entry->keys[n];
	}
	batches = (key_count + TABLE_BATCH_MAX - 1) / TABLE_BATCH_MAX;
	reads = ARENA_ARRAY(arena, batches + 1, struct read);
	for (size_t i = 0; i < batches; i++) {
		size_t first = i * TABLE_BATCH_MAX, left = key_count - first;

		reads[i] = (struct read){.kind = READ_BATCH, .consistent = true};
		reads[i].batch.keys = &keys[first];
		reads[i].batch.count = left < TABLE_BATCH_MAX ? left : TABLE_BATCH_MAX;
	}
	rc = key_count != 0 ? table_read(d->table, d->call, reads, batches) : TABLE_OK;
	if (rc != TABLE_OK)
		return rc;
	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < entries[i].count && n < most; n++, k++)
			entries[i].items[n] = reads[k / TABLE_BATCH_MAX].items[k % TABLE_BATCH_MAX];
	return TABLE_OK;
}

/* 0: there is no such item. */
static uint64_t
witness_of(const struct item *item)
{
	return item != NULL ? (uint64_t)known_word_of(item).found : 0;
}

/* --- What is written ---------------------------------------------------------------------------------- */

/*
 * Words, and their beginnings and ends. A word's own item says that all are there, so it is written behind them: when only some
 * are, as after a failure, they are written once more.
 */
struct writing {
	struct derive *d;
	struct write words[WORDS], ends[(SPELLING_KEYS - 1) * WORDS];
	size_t word_count, end_count;
};

static enum table_rc
flush(struct writing *w)
{
	enum table_rc rc = derive_writes_apart(w->d, w->ends, w->end_count);

	if (rc == TABLE_OK)
		rc = derive_writes_apart(w->d, w->words, w->word_count);
	w->word_count = w->end_count = 0;
	return rc;
}

/* Puts a word with a witness; 0: takes it away. */
static enum table_rc
write_word(struct writing *w, const struct entry *entry, uint64_t witness)
{
	struct arena *arena = w->d->call->arena;

	for (size_t i = 0; i < entry->count; i++) {
		struct write *write = i == 0 ? &w->words[w->word_count++] : &w->ends[w->end_count++];

		*write = (struct write){.kind = WRITE_DELETE, .key = entry->keys[i]};
		if (witness == 0)
			continue;
		*write = (struct write){.kind = WRITE_PUT};
		key_set(arena, &write->item, entry->keys[i], i == 0 ? ITEM_KNOWN_WORD : ITEM_SPELLING);
		item_set(arena, &write->item, STR("Found"), value_number((int64_t)witness));
	}
	return w->word_count == WORDS ? flush(w) : TABLE_OK;
}

enum table_rc
spelling_enter(struct derive *d, const struct word_use *uses, size_t count)
{
	struct writing w = {.d = d};
	struct entry *entries;
	size_t n = take_words(d->call->arena, uses, count, &entries);
	enum table_rc rc = read_words(d, entries, n, 1);

	for (size_t i = 0; rc == TABLE_OK && i < n; i++)
		if (entries[i].items[0] == NULL)
			rc = write_word(&w, &entries[i], entries[i].use.number);
	return rc == TABLE_OK ? flush(&w) : rc;
}

/* --- Another witness ---------------------------------------------------------------------------------- */

enum { BLOCKS = 20, LANGUAGES = 50, TEXTS = 200 /* that are looked through; then the word is taken for gone */ };

/* Posts that wait for their place in the blocks: read when a word has no witness in these, once for all words. */
struct waiting_posts {
	struct arena *arena;
	struct {
		uint64_t number;
		struct str terms; /* a list of terms */
	} *each;
	size_t count, capacity;
	bool read;
};

/* A post with this word is looked for, which has another number. */
struct search {
	struct derive *d;
	struct waiting_posts *waiting;
	struct str word;
	uint64_t except, witness; /* witness: 0: none yet */
	struct words *plain;      /* reads texts, without stems */
	struct str terms[LANGUAGES]; /* that the word can be */
	size_t term_count;
	unsigned tried;
};

static bool
text_has(struct words *words, struct str text, struct str word)
{
	struct word next;
	bool has = false;

	words_begin(words, text);
	while (!has && words_next(words, &next))
		has = str_eq(next.folded, word);
	return has;
}

/* Does a text with this number have the word? There may be two with the same one. */
static enum table_rc
try_number(struct search *search, uint64_t number)
{
	struct derive *d = search->d;
	struct query query = query_search_texts(d->call->arena, number);
	struct item *found;
	size_t count;
	struct str next;
	enum table_rc rc;

	query.limit = TABLE_BATCH_MAX;
	query.consistent = true;
	rc = table_query(d->table, d->call, &query, &found, &count, &next);
	for (size_t i = 0; rc == TABLE_OK && search->witness == 0 && i < count; i++)
		if (text_has(search->plain, item_string(&found[i], STR("Text")), search->word) ||
		    text_has(search->plain, item_string(&found[i], STR("Title")), search->word))
			search->witness = number;
	return rc;
}

/* In the posts of a block, the newest first. */
static enum table_rc
try_block(struct search *search, const struct item *block)
{
	const struct value *value = item_get(block, STR("Postings"));
	struct posting postings[POSTINGS_MAX];
	size_t count = 0;
	enum table_rc rc = TABLE_OK;

	if (value != NULL && value->kind == VALUE_BINARY)
		count = postings_read(value->string, postings);
	while (rc == TABLE_OK && search->witness == 0 && search->tried < TEXTS && count-- > 0)
		if (postings[count].number != search->except && postings[count].kind != KIND_PAGE &&
		    search->tried++ < TEXTS)
			rc = try_number(search, postings[count].number);
	return rc;
}

/* In the posts of a term, until one has the word: that one has the term in another form is rare. */
static enum table_rc
try_term(struct search *search, struct str term)
{
	struct derive *d = search->d;
	struct query query = query_search_term(d->call->arena, SEARCH_POSTS, term);
	enum table_rc rc;

	query.limit = BLOCKS;
	query.consistent = true;
	do {
		struct item *blocks;
		size_t count;

		rc = table_query(d->table, d->call, &query, &blocks, &count, &query.cursor);
		for (size_t i = 0; rc == TABLE_OK && search->witness == 0 && i < count; i++)
			rc = try_block(search, &blocks[i]);
	} while (rc == TABLE_OK && search->witness == 0 && search->tried < TEXTS && query.cursor.len != 0);
	return rc;
}

static enum table_rc
keep_waiting(struct derive *d, const struct item *item, void *context)
{
	struct waiting_posts *w = context;

	(void)d;
	if (w->count == w->capacity) {
		size_t capacity = w->capacity != 0 ? 2 * w->capacity : 64;

		w->each = arena_grow(
		    w->arena, w->each, w->capacity * sizeof(*w->each), capacity * sizeof(*w->each));
		w->capacity = capacity;
	}
	w->each[w->count].number = (uint64_t)item_number(item, STR("Number"));
	w->each[w->count++].terms = str_dup(w->arena, item_binary(item, STR("Terms")));
	return TABLE_OK;
}

static bool
has_term(const struct search *search, struct term_list *list)
{
	while (term_list_next(list))
		for (size_t t = 0; t < search->term_count; t++)
			if (str_eq(list->use.term, search->terms[t]))
				return true;
	return false;
}

static enum table_rc
try_waiting(struct search *search)
{
	struct waiting_posts *w = search->waiting;
	struct query query = query_waiting(SEARCH_POSTS);
	struct term_list list;
	enum table_rc rc = TABLE_OK;

	query.limit = TABLE_BATCH_MAX;
	query.consistent = true;
	if (!w->read)
		rc = derive_each(search->d, query, keep_waiting, w);
	w->read = rc == TABLE_OK;
	for (size_t i = 0; rc == TABLE_OK && search->witness == 0 && i < w->count; i++) {
		term_list_begin(&list, w->each[i].terms);
		if (w->each[i].number != search->except && list.kind != KIND_PAGE && has_term(search, &list))
			rc = try_number(search, w->each[i].number);
	}
	return rc;
}

/* The stem of a word in a language, "" for none; in the arena. */
static struct str
stem_of(struct arena *arena, struct str word, struct str language)
{
	struct words *words = words_new(language);
	size_t count;
	struct word *list = words_list(words, arena, word, &count);

	words_free(words);
	return count == 1 ? list[0].term : word;
}

/* The terms that a word can be in the languages in use; how many. */
static enum table_rc
terms_of(struct derive *d, struct str word, struct str terms[LANGUAGES], size_t *count)
{
	struct arena *arena = d->call->arena;
	struct query query = query_search_state();
	struct item *found;
	size_t items;
	struct str next;
	enum table_rc rc;

	query.limit = LANGUAGES;
	query.consistent = true;
	rc = table_query(d->table, d->call, &query, &found, &items, &next);
	terms[0] = word;
	*count = 1;
	for (size_t i = 0; rc == TABLE_OK && i < items && *count < LANGUAGES; i++) {
		struct str tag = key_search_language_tag(item_key(&found[i]).sk), term;
		bool known = false;

		if (tag.len == 0)
			continue;
		term = stem_of(arena, word, tag);
		for (size_t t = 0; t < *count; t++)
			known = known || str_eq(terms[t], term);
		if (!known)
			terms[(*count)++] = term;
	}
	return rc;
}

static enum table_rc
find_witness(struct search *search)
{
	enum table_rc rc = terms_of(search->d, search->word, search->terms, &search->term_count);

	for (size_t i = 0; rc == TABLE_OK && search->witness == 0 && i < search->term_count; i++)
		rc = try_term(search, search->terms[i]);
	if (rc == TABLE_OK && search->witness == 0)
		rc = try_waiting(search);
	return rc;
}

/* Another one than this, or none. What is read meanwhile is freed. */
static enum table_rc
replace_witness(struct writing *w, struct waiting_posts *waiting, struct words *plain,
    const struct entry *entry, uint64_t except)
{
	struct derive *d = w->d;
	struct arena *outer = d->call->arena;
	struct search search = {
	    .d = d, .waiting = waiting, .word = entry->use.word, .except = except, .plain = plain};
	enum table_rc rc;

	d->call->arena = arena_new();
	rc = find_witness(&search);
	if (d->call->why != NULL)
		d->call->why = str_cstring(outer, str_of(d->call->why));
	arena_free(d->call->arena);
	d->call->arena = outer;
	return rc == TABLE_OK ? write_word(w, entry, search.witness) : rc;
}

static bool
names(const struct entry *entry, uint64_t witness)
{
	for (size_t i = 0; i < entry->count; i++)
		if (entry->items[i] != NULL && witness_of(entry->items[i]) == witness)
			return true;
	return false;
}

enum table_rc
spelling_leave(struct derive *d, const struct word_use *uses, size_t count)
{
	struct writing w = {.d = d};
	struct waiting_posts waiting = {.arena = d->call->arena};
	struct words *plain = words_new(STR(""));
	struct entry *entries;
	size_t n = take_words(d->call->arena, uses, count, &entries);
	enum table_rc rc = read_words(d, entries, n, SPELLING_KEYS);

	for (size_t i = 0; rc == TABLE_OK && i < n; i++)
		if (names(&entries[i], entries[i].use.number))
			rc = replace_witness(&w, &waiting, plain, &entries[i], entries[i].use.number);
	words_free(plain);
	return rc == TABLE_OK ? flush(&w) : rc;
}

/* Is each item there, and names a post that has the word? Of two that entered it at once, it may be one each. */
static enum table_rc
look_at_word(struct search *is, const struct entry *entry, bool *good)
{
	uint64_t witness = 0;
	enum table_rc rc = TABLE_OK;

	*good = true;
	for (size_t i = 0; rc == TABLE_OK && *good && i < entry->count; i++) {
		if (entry->items[i] != NULL && witness_of(entry->items[i]) == witness)
			continue;
		witness = witness_of(entry->items[i]);
		is->witness = 0;
		rc = witness != 0 ? try_number(is, witness) : TABLE_OK;
		*good = is->witness != 0;
	}
	return rc;
}

enum table_rc
spelling_mend(struct derive *d, struct str word)
{
	struct writing w = {.d = d};
	struct waiting_posts waiting = {.arena = d->call->arena};
	const struct word_use use = {.word = word};
	struct search is = {.d = d, .word = word, .plain = words_new(STR(""))};
	struct entry *entry;
	bool good = true;
	size_t n = take_words(d->call->arena, &use, 1, &entry);
	enum table_rc rc = read_words(d, entry, n, SPELLING_KEYS);

	if (rc == TABLE_OK && n != 0)
		rc = look_at_word(&is, entry, &good);
	if (rc == TABLE_OK && !good)
		rc = replace_witness(&w, &waiting, is.plain, entry, 0);
	words_free(is.plain);
	return rc == TABLE_OK ? flush(&w) : rc;
}
