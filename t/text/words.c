/*
 * What the search's index is made of: the words of texts, what is one, how it is folded, and its stem in the language of the text; and
 * blocks of postings.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "text/postings.h"
#include "text/words.h"

#include <stdlib.h>

/* A text in a language, and its terms. */
static const struct {
	const char *language, *text, *terms;
} cases[] = {
    {"", "The tide, turns.", "the tide turns"},
    {"en", "The tides turned; turning", "the tide turn turn"},
    {"de", "Häfen am Hafen", "haf am haf"},
    {"es", "canción canciones", "cancion cancion"},
    {"xx", "Häfen", "hafen"},
    {"pt-BR", "marés", "mar"},
    {"", "Zürich ZURICH Straße strasse", "zurich zurich strasse strasse"},
    {"", "ŁÓDŹ smørrebrød æon þorn", "lodz smorrebrod aeon thorn"},
    {"", "c++ C# d3.js x a1", "c++ c# d3 js x a1"},
    {"", "l'eau don't rock’n’roll", "eau don rock roll"},
    {"", "ﬁne ２０２４ ŀl", "fine 2024 ll"},
    {"", "東京タワー", "東京 京タ タワ ワー"},
    {"", "йод Йод", "йод йод"},
    {"", "low\377tide\1x", "low tide x"},
    {"", " ... -- \"\" ", ""},
    {"tr", "r\xe8\x80\x80r", "r 耀 r"},
};

/* Each language that Snowball has: a word, and another form of it, typed without its accents. */
static const struct {
	const char *language, *one, *other;
} stems[] = {
    {"ar", "الكتاب", "كتاب"},
    {"ca", "pàgines", "pagina"},
    {"da", "bøgerne", "boger"},
    {"de", "Häusern", "hauses"},
    {"el", "θάλασσα", "θαλασσες"},
    {"en", "boats", "boat"},
    {"es", "canción", "canciones"},
    {"eu", "etxeak", "etxeek"},
    {"fi", "järvellä", "jarvelta"},
    {"fr", "élèves", "eleve"},
    {"ga", "bhád", "bad"},
    {"hi", "लड़के", "लड़का"},
    {"hu", "könyvek", "konyv"},
    {"hy", "քաղաքներ", "քաղաք"},
    {"id", "perahunya", "perahu"},
    {"it", "isolà", "isole"},
    {"lt", "ežerą", "ezeras"},
    {"nb", "været", "vaer"},
    {"ne", "किताबहरू", "किताब"},
    {"nl", "boten", "boot"},
    {"nn", "båtene", "bater"},
    {"no", "båtene", "bater"},
    {"pt", "máquinas", "maquina"},
    {"ro", "pădurile", "paduri"},
    {"ru", "лодками", "лодка"},
    {"sr", "brodovi", "brodova"},
    {"sv", "båtarna", "batar"},
    {"ta", "படகுகள்", "படகு"},
    {"tr", "kitaplar", "kitap"},
    {"yi", "בוימער", "בוים"},
};

static struct str
terms_of(struct arena *arena, const char *language, const char *text)
{
	struct words *words = words_new(str_of(language));
	struct buf out = {.arena = arena};
	size_t count;
	struct word *list = words_list(words, arena, str_of(text), &count);

	for (size_t i = 0; i < count; i++) {
		if (i != 0)
			buf_putc(&out, ' ');
		buf_put(&out, list[i].term);
	}
	words_free(words);
	return buf_str(&out);
}

/* --- Blocks ------------------------------------------------------------------------------------------- */

enum { ROUNDS = 3000, EDITS_MAX = 100, ALL_MAX = POSTINGS_MAX + EDITS_MAX };

static uint64_t
any(uint64_t *state, uint64_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (*state >> 20) % below;
}

static int
by_number(const void *a, const void *b)
{
	const struct posting_edit *one = a, *other = b;

	return (one->posting.number > other->posting.number) - (one->posting.number < other->posting.number);
}

/* Edits of some that are there and of others, near and far, or now and then those that leave nothing; by number, each once. */
static size_t
any_edits(uint64_t *state, const struct posting *there, size_t count, struct posting_edit *out)
{
	size_t wanted = 1 + any(state, EDITS_MAX), kept = 0;

	if (count != 0 && count <= EDITS_MAX && any(state, 10) == 0) {
		for (size_t i = 0; i < count; i++)
			out[i] = (struct posting_edit){.posting = there[i], .remove = true};
		return count;
	}
	for (size_t i = 0; i < wanted; i++) {
		const struct posting *near = count != 0 ? &there[any(state, count)] : NULL;

		out[i] = (struct posting_edit){.remove = any(state, 4) == 0,
		    .posting = {.number = (near != NULL ? near->number : 1) +
					  any(state, (uint64_t)1 << any(state, 40)) * any(state, 2),
			.frequency = (uint16_t)(1 + any(state, POSTING_FREQUENCY_MAX)),
			.kind = (uint8_t)any(state, POSTING_KINDS),
			.length = (uint8_t)any(state, 256)}};
	}
	qsort(out, wanted, sizeof(*out), by_number);
	for (size_t i = 0; i < wanted; i++)
		if (kept == 0 || out[kept - 1].posting.number != out[i].posting.number)
			out[kept++] = out[i];
	return kept;
}

/* What should be there: each posting that no edit names, and each that one puts. */
static size_t
edited(const struct posting *there, size_t count, const struct posting_edit *edits, size_t edit_count,
    struct posting *out)
{
	size_t n = 0, e = 0;

	for (size_t i = 0; i < count || e < edit_count;) {
		if (e < edit_count && (i == count || edits[e].posting.number <= there[i].number)) {
			i += i < count && there[i].number == edits[e].posting.number;
			if (!edits[e].remove)
				out[n++] = edits[e].posting;
			e++;
		} else {
			out[n++] = there[i++];
		}
	}
	return n;
}

static bool
same_posting(const struct posting *a, const struct posting *b)
{
	return a->number == b->number && a->frequency == b->frequency && a->kind == b->kind &&
	       a->length == b->length;
}

/* Are these blocks the postings, in their order, and is each one small enough, and not empty? */
static bool
hold(const struct str *blocks, size_t block_count, const struct posting *postings, size_t count)
{
	struct posting read[POSTINGS_MAX];
	bool good = true;
	size_t at = 0;

	for (size_t b = 0; good && b < block_count; b++) {
		size_t n = postings_read(blocks[b], read);

		good = n != 0 && blocks[b].len <= POSTINGS_BYTES && n <= count - at;
		for (size_t i = 0; good && i < n; i++)
			good = same_posting(&read[i], &postings[at++]);
	}
	return good && at == count;
}

/* A block is edited, and one of those that it becomes is edited again. */
static void
blocks_round_trip(void)
{
	struct arena *arena = arena_new(), *next = arena_new(), *swapped;
	struct str block = STR("");
	uint64_t state = 15;
	size_t wrong = 0, split = 0, emptied = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct posting there[POSTINGS_MAX], wanted[ALL_MAX];
		struct posting_edit edits[EDITS_MAX];
		size_t count = postings_read(block, there), edit_count, wanted_count, n;
		struct str *blocks;

		edit_count = any_edits(&state, there, count, edits);
		wanted_count = edited(there, count, edits, edit_count, wanted);
		n = postings_edit(next, block, edits, edit_count, &blocks);
		wrong += !hold(blocks, n, wanted, wanted_count);
		split += n > 1;
		emptied += n == 0;
		block = n != 0 ? blocks[any(&state, n)] : STR("");
		swapped = arena;
		arena = next;
		next = swapped;
		arena_reset(next);
	}
	is_int((int64_t)wrong, 0, "blocks hold what was put into them, and nothing that was removed");
	ok(split > 10 && emptied > 0, "... when they are split (%zu) and when nothing is left (%zu)", split, emptied);
	arena_free(arena);
	arena_free(next);
}

static void
languages(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++) {
		struct str stem = terms_of(arena, stems[i].language, stems[i].one);

		is_str(terms_of(arena, stems[i].language, stems[i].other), stem, "%s: “%s” finds “%s”",
		    stems[i].language, stems[i].other, stems[i].one);
		ok(!str_eq(terms_of(arena, "", stems[i].one), terms_of(arena, "", stems[i].other)),
		    "... which it would not without its stem");
	}
}

int
main(void)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(terms_of(arena, cases[i].language, cases[i].text), str_of(cases[i].terms),
		    "%s: “%s”.", cases[i].language[0] != '\0' ? cases[i].language : "no language",
		    cases[i].terms);
	languages(arena);
	blocks_round_trip();
	arena_free(arena);
	return tap_done();
}
