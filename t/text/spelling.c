/*
 * Spelling: which words are of the dictionary, that whatever one error leaves of a word leads to it, and which of several is
 * the likeliest.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "text/spelling.h"

static const char *const known[] = {"harbour", "harbours", "barbour", "tides", "tidal", "sailing",
    "failing", "mailing", "receive", "relieve", "weather", "feather", "leather", "whether", "abcde",
    "abxde", "zürich", "ебутим", "отлив", "отливы", "accommodation", "commendation"};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

/* What was typed, and the word that is offered first; NULL: none. */
static const struct {
	const char *typed, *first;
} cases[] = {
    {"harbuor", "harbour"},
    {"harbor", "harbour"},
    {"arbour", "barbour"},
    {"harbourr", "harbour"},
    {"hharbour", "harbour"},
    {"harboux", "harbour"},
    {"recieve", "receive"},
    {"accomodation", "accommodation"},
    {"acommodation", "accommodation"},
    {"saling", "sailing"},
    {"wheather", "whether"},
    {"weathr", "weather"},
    {"tidess", "tides"},
    {"tide", "tides"},
    {"itdes", "tides"},
    {"abde", "abcde"},
    {"abcxde", "abcde"},
    {"zürihc", "zürich"},
    {"отлви", "отлив"},
    {"отливв", "отлив"},
    {"hrabuor", NULL},
    {"har", NULL},
    {"x", NULL},
    {"", NULL},
    {"harbourharbourharbourharbourharbourharbour", NULL},
};

/* What a table would answer: the known words that have one of the keys. */
static size_t
look_up(struct arena *arena, struct str typed, struct read *reads)
{
	size_t count = spelling_reads(arena, typed, reads);

	for (size_t r = 0; r < count; r++) {
		reads[r].found = ARENA_ARRAY(arena, KNOWN, struct item);
		for (size_t i = 0; i < KNOWN; i++) {
			struct key keys[SPELLING_KEYS];
			size_t n = spelling_keys(arena, str_of(known[i]), keys);

			for (size_t k = 1; k < n; k++) {
				struct item *item = &reads[r].found[reads[r].found_count];

				if (!str_eq(keys[k].pk, reads[r].query.partition))
					continue;
				item_set(arena, item, STR("PK"), value_string(keys[k].pk));
				item_set(arena, item, STR("SK"), value_string(keys[k].sk));
				item_set(arena, item, STR("Found"), value_number((int64_t)i));
				reads[r].found_count++;
			}
		}
	}
	return count;
}

static struct str
first_of(struct arena *arena, struct str typed)
{
	struct read reads[SPELLING_QUERIES];
	struct known_word best[SPELLING_BEST];
	size_t count = look_up(arena, typed, reads);

	count = spelling_best(typed, reads, count, best);
	return count != 0 ? best[0].word : STR("");
}

/* Each error at each place of a word: the word is among the best, and nothing is offered twice. */
static bool
is_among(struct arena *arena, struct str typed, struct str word)
{
	struct read reads[SPELLING_QUERIES];
	struct known_word best[SPELLING_BEST];
	size_t count = look_up(arena, typed, reads), times = 0;

	count = spelling_best(typed, reads, count, best);
	for (size_t i = 0; i < count; i++)
		times += str_eq(best[i].word, word);
	return times == 1 || str_eq(typed, word);
}

static void
check_errors(struct arena *arena)
{
	bool all = true;

	for (size_t k = 0; k < KNOWN; k++) {
		struct str word = str_of(known[k]);

		/* Bytes are letters here. */
		for (size_t i = 0; (word.base[0] & 0x80) == 0 && k != 16 && i < word.len; i++) {
			struct str before = str_sub(word, 0, i), from = str_sub(word, i, word.len);
			struct str after = str_sub(word, i + 1, word.len);
			struct str letter = str_sub(word, i, 1), next = str_sub(word, i + 1, 1);
			const struct str typed[] = {STR_CONCAT(arena, before, after),
			    STR_CONCAT(arena, before, letter, from),
			    STR_CONCAT(arena, before, STR("q"), after),
			    STR_CONCAT(arena, before, next, letter, str_sub(after, 1, after.len))};

			for (size_t t = 0; t < sizeof(typed) / sizeof(typed[0]); t++) {
				if (is_among(arena, typed[t], word))
					continue;
				all = false;
				fprintf(stderr, "# %.*s does not lead to %s\n", STR_ARGS(typed[t]),
				    known[k]);
			}
		}
	}
	ok(all, "A letter that is missing, doubled, wrong or swapped leads to the word.");
}

int
main(void)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(first_of(arena, str_of(cases[i].typed)), str_of(cases[i].first),
		    "“%s” means %s.", cases[i].typed,
		    cases[i].first != NULL ? cases[i].first : "nothing");
	check_errors(arena);
	ok(spelling_is_word(STR("tea")) && spelling_is_word(STR("b52s")),
	    "A word has three letters, and may have digits.");
	ok(!spelling_is_word(STR("te")) && !spelling_is_word(STR("2024")) &&
		!spelling_is_word(STR("c++")) && !spelling_is_word(STR("")),
	    "... but is no number, nothing shorter, and has no signs.");
	ok(!spelling_is_word(STR("harbourharbourharbourharbourharbourharbour")),
	    "... and has forty letters at most.");
	arena_free(arena);
	return tap_done();
}
