#include "text/diff.h"

#include "base/arena.h"
#include "text/sequence.h"

#include <stdlib.h>

enum {
	LINES_MOST = 512, /* how far sequence_compare() looks: see there */
	WORDS_MOST = 128,
	ALIKE = 3, /* of so many bytes one must stay, or the lines are changed as a whole */
};

/* One text in parts: lines, or words. */
struct parts {
	struct str *parts;
	size_t count;
	struct sequence sequence;
};

/* --- Numbers for parts: the same part, the same number ------------------------------------------ */

struct entry {
	struct str part;
	uint32_t *number;
};

static int
compare_entries(const void *a, const void *b)
{
	return str_cmp(((const struct entry *)a)->part, ((const struct entry *)b)->part);
}

/* By sorting, which nobody can slow down by the texts that they choose. */
static void
number_parts(struct arena *arena, struct parts *old, struct parts *new)
{
	struct parts *both[] = {old, new};
	size_t total = old->count + new->count, at = 0;
	struct entry *entries = ARENA_ARRAY(arena, total, struct entry);
	uint32_t number = 0;

	for (int i = 0; i < 2; i++) {
		uint32_t *numbers = ARENA_ARRAY(arena, both[i]->count, uint32_t);

		both[i]->sequence = (struct sequence){.elements = numbers,
		    .count = both[i]->count,
		    .changed = ARENA_ARRAY(arena, both[i]->count, bool)};
		for (size_t j = 0; j < both[i]->count; j++)
			entries[at++] = (struct entry){both[i]->parts[j], &numbers[j]};
	}
	if (total != 0)
		qsort(entries, total, sizeof(*entries), compare_entries);
	for (size_t i = 0; i < total; i++) {
		if (i != 0 && compare_entries(&entries[i - 1], &entries[i]) != 0)
			number++;
		*entries[i].number = number;
	}
}

/* --- Words ---------------------------------------------------------------------------------------- */

enum sort_of { IN_WORD, SPACE, ALONE };

/*
 * Letters and digits make words, blanks make gaps; anything else stands alone: punctuation, line ends,
 * and the signs of scripts that do not part their words.
 */
static enum sort_of
sort_of(uint32_t rune)
{
	if (rune == ' ' || rune == '\t' || rune == 0xa0)
		return SPACE;
	if (rune < 0x80)
		return (rune >= 'a' && rune <= 'z') || (rune >= 'A' && rune <= 'Z') ||
			       (rune >= '0' && rune <= '9')
			   ? IN_WORD
			   : ALONE;
	if (rune < 0xc0 || (rune >= 0x2000 && rune < 0x2c00) || rune >= 0x2e80)
		return ALONE;
	return IN_WORD;
}

/* The first word of the text, which moves behind it. */
static struct str
take_word(struct str *text)
{
	size_t end = 0;
	enum sort_of sort = sort_of(str_rune(*text, &end));
	struct str word;

	for (size_t next = end; sort != ALONE && next < text->len; end = next)
		if (sort_of(str_rune(*text, &next)) != sort)
			break;
	word = str_sub(*text, 0, end);
	*text = str_sub(*text, end, text->len - end);
	return word;
}

/* All words of a text. False: they are too many. */
static bool
split_words(struct arena *arena, struct str text, struct parts *out)
{
	struct str rest = text;

	*out = (struct parts){.count = 0};
	while (rest.len != 0 && out->count <= DIFF_WORDS) {
		take_word(&rest);
		out->count++;
	}
	if (rest.len != 0)
		return false;
	out->parts = ARENA_ARRAY(arena, out->count, struct str);
	for (size_t i = 0; i < out->count; i++)
		out->parts[i] = take_word(&text);
	return true;
}

/* Is it blank, or a line end? */
static bool
is_gap(struct str word)
{
	size_t at = 0;

	return word.base[0] == '\n' || sort_of(str_rune(word, &at)) == SPACE;
}

/* A gap between two changed words is changed too, so that they read as one. */
static void
join_changes(struct parts *words)
{
	bool *changed = words->sequence.changed;

	for (size_t i = 1; i + 1 < words->count; i++)
		if (is_gap(words->parts[i]) && changed[i - 1] && changed[i + 1])
			changed[i] = true;
}

/* How many bytes of words stay, gaps aside. */
static size_t
staying(const struct parts *words)
{
	size_t bytes = 0;

	for (size_t i = 0; i < words->count; i++)
		if (!words->sequence.changed[i] && !is_gap(words->parts[i]))
			bytes += words->parts[i].len;
	return bytes;
}

/* Hands the words of some neighbouring lines out to them, as pieces. */
static void
give_pieces(struct arena *arena, const struct parts *words, struct diff_line *lines, size_t count)
{
	struct diff_piece *pieces = ARENA_ARRAY(arena, words->count, struct diff_piece);
	size_t used = 0, word = 0;

	for (size_t i = 0; i < count; i++, word++) {
		const char *end = lines[i].text.base + lines[i].text.len;

		lines[i].pieces = &pieces[used];
		for (; word < words->count && words->parts[word].base < end; word++) {
			bool changed = words->sequence.changed[word];

			if (lines[i].piece_count != 0 && pieces[used - 1].changed == changed) {
				pieces[used - 1].text.len += words->parts[word].len;
				continue;
			}
			pieces[used++] = (struct diff_piece){words->parts[word], changed};
			lines[i].piece_count++;
		}
	}
}

/* From the first of some neighbouring lines to the last. */
static struct str
span(const struct diff_line *lines, size_t count)
{
	const struct str *last = &lines[count - 1].text;

	return (struct str){
	    lines[0].text.base, (size_t)(last->base + last->len - lines[0].text.base)};
}

/* Compares the lines that go in one place with those that come there. */
static void
compare_words(struct arena *arena, struct diff_line *going, size_t going_count, size_t coming_count)
{
	struct diff_line *coming = going + going_count;
	struct parts old, new;
	struct str before, after;
	size_t stay;

	if (going_count == 0 || coming_count == 0)
		return;
	before = span(going, going_count);
	after = span(coming, coming_count);
	if (!split_words(arena, before, &old) || !split_words(arena, after, &new))
		return;
	number_parts(arena, &old, &new);
	sequence_compare(arena, &old.sequence, &new.sequence, WORDS_MOST);
	stay = staying(&old);
	if (stay == 0 || (stay * ALIKE < before.len && stay * ALIKE < after.len))
		return;
	join_changes(&old);
	join_changes(&new);
	give_pieces(arena, &old, going, going_count);
	give_pieces(arena, &new, coming, coming_count);
}

/* --- Lines ----------------------------------------------------------------------------------------- */

/* Empty lines too are slices of the text, at their place. */
static void
split_lines(struct arena *arena, struct str text, struct parts *out)
{
	size_t count = 1, from = 0;

	for (size_t i = 0; i < text.len && count < DIFF_LINES; i++)
		count += text.base[i] == '\n';
	out->count = count;
	out->parts = ARENA_ARRAY(arena, count, struct str);
	for (size_t i = 0; i + 1 < count; i++) {
		size_t end = from;

		while (text.base[end] != '\n')
			end++;
		out->parts[i] = (struct str){text.base + from, end - from};
		from = end + 1;
	}
	out->parts[count - 1] = (struct str){text.base + from, text.len - from};
}

/* The lines of one text from *at on that are changed, behind the others of the result. */
static size_t
take_changed(const struct parts *lines, size_t *at, enum diff_mark mark, struct diff_line *out)
{
	size_t count = 0;

	for (; *at < lines->count && lines->sequence.changed[*at]; count++) {
		uint32_t number = (uint32_t)++ * at;

		out[count] = (struct diff_line){.mark = mark,
		    .old_number = mark == DIFF_GOES ? number : 0,
		    .new_number = mark == DIFF_COMES ? number : 0,
		    .text = lines->parts[number - 1]};
	}
	return count;
}

void
diff_texts(struct arena *arena, struct str old_text, struct str new_text, struct diff *out)
{
	struct parts old, new;
	struct diff_line *lines;
	size_t count = 0, i = 0, j = 0;

	*out = (struct diff){.count = 0};
	split_lines(arena, old_text, &old);
	split_lines(arena, new_text, &new);
	number_parts(arena, &old, &new);
	sequence_compare(arena, &old.sequence, &new.sequence, LINES_MOST);
	lines = ARENA_ARRAY(arena, old.count + new.count, struct diff_line);
	while (i < old.count || j < new.count) {
		size_t going = take_changed(&old, &i, DIFF_GOES, &lines[count]);
		size_t coming = take_changed(&new, &j, DIFF_COMES, &lines[count + going]);

		compare_words(arena, &lines[count], going, coming);
		out->going += going;
		out->coming += coming;
		count += going + coming;
		/* Between the changes the two go along together. */
		for (; i < old.count && !old.sequence.changed[i] && !new.sequence.changed[j];
		     i++, j++)
			lines[count++] = (struct diff_line){.mark = DIFF_STAYS,
			    .old_number = (uint32_t)i + 1,
			    .new_number = (uint32_t)j + 1,
			    .text = new.parts[j]};
	}
	out->lines = lines;
	out->count = count;
}
