#ifndef DERIVE_SEARCH_PRIVATE_H
#define DERIVE_SEARCH_PRIVATE_H

#include "derive/derivation.h"
#include "model/key_search.h"
#include "model/post/post.h"
#include "model/reader/comment.h"
#include "text/postings.h"
#include "text/term_list.h"
#include "text/words.h"

/* What the files of the search's derivation share: search.c describes it. */

/* What the index should hold, or holds, of a post or a comment. */
struct search_record {
	bool there;   /* else nothing */
	bool whole;   /* all of it is in the index; else some of it may be */
	bool counted; /* it is in the sums of the whole index: with these words, in this language */
	uint64_t number;
	uint8_t kind, length; /* as its postings have them */
	int32_t after;
	struct term_use *uses; /* by term, each once */
	size_t count;
	struct str language;  /* of the stemmer; empty: none */
	int64_t words;        /* of its length */
	uint64_t facts;       /* a hash of all that this was made of */
	int64_t version;      /* of its item; 0: there is none */
	int64_t waiting;      /* bytes of the item that waits in place of its postings; 0: there is none */
};

/* What is kept of a text for passages. */
struct search_shown {
	struct str title, text;
};

/* Stemmers, which are kept for the next text: of as many languages as a site commonly has. */
enum { SEARCH_STEMMERS = 4 };
struct search_stemmers {
	struct {
		struct str language;
		struct words *words;
	} each[SEARCH_STEMMERS];
	size_t next;
};
void search_stemmers_free(struct search_stemmers *stemmers);

/* The facts about a post; `language` is the site's. */
struct search_post {
	const struct post *post;
	const struct post_body *body;
	struct str language;
};

/* Those about a comment. */
struct search_comment {
	const struct comment *comment;
	const struct post *post;
	struct str language;
	int64_t appeared;
};

/* A hash of all that the following make something of. */
uint64_t search_post_facts(const struct search_post *facts);
uint64_t search_comment_facts(const struct search_comment *facts);

/* What the index should hold of one that everybody may see, but for the version, and what is shown. In the arena. */
void search_describe_post(struct arena *arena, struct search_stemmers *stemmers,
    const struct search_post *facts, struct search_record *out,
    struct search_shown *shown);
void search_describe_comment(struct arena *arena, struct search_stemmers *stemmers,
    const struct search_comment *facts, struct search_record *out, struct search_shown *shown);

struct search_record search_record_copy(struct arena *arena, const struct search_record *record);

/* As an item, SearchIndexed or SearchWaiting, and back. */
void search_record_from_item(
    struct arena *arena, const struct item *item, struct search_record *out);
struct item search_record_to_item(struct arena *arena, struct key key, enum item_kind kind,
    const struct search_record *record);

/* The terms of both, each once, with the frequencies of the second; in the arena. */
struct term_use *search_record_union(struct arena *arena, const struct search_record *a,
    const struct search_record *b, size_t *count);

/*
 * Texts whose postings are written together: one, when a little of it has changed, all that wait (search_waiting.c), or some hundreds,
 * when the index is made anew, so that each block is written once for all of them.
 *
 * What the index holds of a text says its record (SearchIndexed). It is changed in three steps:
 *
 *	1. The record has all terms, of before and of after, and is not Whole.
 *	2. The blocks are edited: each posting is put or removed, which may be done any number of times.
 *	3. The record is Whole, with the terms of after, in one transaction with the sums of the index, if it is what 1 has left.
 *
 * So after a kill anywhere the record names all postings that there can be, the next try makes them what they should be, and
 * the sums are those of the records. When 3 finds another record, somebody else was there, and may have been
 * between our edits: the text is done once more, with what we have put under suspicion.
 *
 * A text that waits does without step 2 for the time being: what 1 and 3 write is one write, in one transaction with an item that
 * has the terms of after (SearchWaiting). A search takes that in place of what the blocks say of the text.
 * Of a new one, 1 is written before, without terms: the text that is kept of it for passages can be found by its number alone.
 */
struct search_text {
	struct key fact; /* the head of a post, or a comment */
	struct search_record is, wanted;
	struct str title, text; /* for passages */
	bool settled;    /* its record says that nothing is to be done; the blocks may say otherwise */
	bool again;      /* its number has changed: what is there is removed first, so it is to be added once more */
	bool waits;      /* its postings are not written now */
	bool told;       /* it has waited: what is kept of it, and the dictionary, are as they should be */
};

struct search_edit {
	struct str term;
	enum search_space space;
	struct posting_edit edit;
};

struct search_group {
	struct derive *d;
	struct arena *arena; /* of all that follows; its own */
	struct search_stemmers stemmers;
	struct search_text *texts;
	size_t count, capacity;
	struct search_edit *edits;
	size_t edit_count, edit_capacity;
};

void search_group_begin(struct search_group *group, struct derive *d);
void search_group_end(struct search_group *group);

/*
 * Adds what differs of a text: `is` as it was read. `suspects`: postings that may be there as well; NULL: there are none. All
 * is copied. */
void search_group_add(struct search_group *group, struct key fact, const struct search_record *is,
    const struct search_record *wanted, struct search_shown shown, const struct search_record *suspects);

/*
 * Steps 1, 2 (*done edits are made, and so many more at least) and 3, of some texts. They fail late (search_is_late()) if somebody
 * else has changed a record.
 */
enum { SEARCH_SETTLED_MAX = 24 }; /* with two writes and two languages each, and the sums, in a transaction */
_Static_assert(4 * SEARCH_SETTLED_MAX + 1 <= TABLE_BATCH_MAX, "a transaction takes them");
enum table_rc search_group_announce(struct search_group *group);
enum table_rc search_group_edit(struct search_group *group, size_t *done, size_t some);
enum table_rc search_group_settle(struct search_group *group, size_t first, size_t count);

static inline bool
search_is_late(enum table_rc rc)
{
	return rc == TABLE_CONDITION || rc == TABLE_CANCELLED || rc == TABLE_CONFLICT;
}

/* Takes all postings of a record out of the index. */
enum table_rc search_withdraw(struct derive *d, enum search_space space, const struct search_record *record);

/* search_words.c: puts what is kept of texts whose postings are done, and tells the dictionary. */
enum table_rc search_tell_words(struct derive *d, const struct search_text *texts, size_t count);
/* May words of the dictionary lose their witness by it? */
bool search_words_leave(const struct search_text *text);

/* --- search_waiting.c --- */

/* Is the one text of a group to wait, as so much of it has changed that it costs less together with others? */
bool search_waits(const struct search_group *group);
/* By the sums of the index: do so many wait that no more may, and all are to be written to the blocks? */
bool search_waiting_full(const struct item *state, enum search_space space);
/* Adds the texts that wait; but in a rebuild, only takes away what waits for nothing. */
enum table_rc search_add_waiting(struct search_group *group, enum search_space space);

/* --- spelling.c --- */

/*
 * The dictionary (text/spelling.h), kept by the derivation of the search's index. A word has come into, or gone from, the text
 * that the index keeps of a public post (FOUND#<number>). Both are hints: what is there is read, so they may be given twice, and for
 * words that are no words of the dictionary. They come when the post's postings are as they should be, or are about to wait, and
 * before its text is noted as done, so that a killed worker gives them again.
 */
struct word_use {
	struct str word; /* folded, not stemmed */
	uint64_t number; /* of the post */
};

enum table_rc spelling_enter(struct derive *d, const struct word_use *uses, size_t count);
/* A word that stands nowhere else leaves; of another, another post becomes the witness. */
enum table_rc spelling_leave(struct derive *d, const struct word_use *uses, size_t count);
/* For a rebuild, and a check: a word of which an item is missing, or names no post that has it, gets another witness, or goes. */
enum table_rc spelling_mend(struct derive *d, struct str word);

#endif
