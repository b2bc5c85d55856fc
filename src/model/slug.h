#ifndef MODEL_SLUG_H
#define MODEL_SLUG_H

#include "base/str.h"

struct arena;

/*
 * Slugs, which are what posts, tags, categories and groups are called in addresses: small letters, marks and digits of
 * any script, and single hyphens between words. They are in Unicode's normalization form C and case-folded, so that of
 * all ways to write one there is one that is stored, and others lead to it (path_canonical()).
 *
 * From what people write: Latin letters lose their marks (German umlauts become two letters, as Germans write them then),
 * Cyrillic and Greek ones are transliterated, apostrophes vanish, letters of all other scripts stay, and whatever else
 * there is parts words. Names that differ in signs alone are told apart: "C++" is cpp, "C#" is csharp, "F#" is fsharp (one
 * letter and a sharp), ".NET" is dotnet. A letter and its mark as two characters give the same as the one that is both.
 */
enum {
	SLUG_MAX = 100,      /* characters */
	SLUG_BYTES_MAX = 200 /* so that a file name can have a suffix */
};

/*
 * The slug of a text, of at most `most` characters and twice as many bytes, cut between words where that can be;
 * `fallback` when there is no letter or digit in it. In the arena. It is slug_valid() when the fallback is, and its own
 * slug.
 */
struct str slug_of(struct arena *arena, struct str text, size_t most, struct str fallback);

/*
 * The same slug with a number, for when it is taken: "low-tide-2"; truncated if necessary. In the
 * arena.
 */
struct str slug_numbered(struct arena *arena, struct str slug, unsigned number);

/*
 * Is it a slug? Hyphens at the ends and next to each other are allowed: imported posts keep their
 * addresses. Letters that slug_of() transliterates are allowed for the same reason.
 */
bool slug_valid(struct str slug);

/*
 * A slug as entered: letters and digits, with single hyphens between them. Capitals are folded, and
 * letters transliterated as in slug_of(). False for anything else. In the arena.
 */
bool slug_typed(struct arena *arena, struct str text, struct str *out);

#endif
