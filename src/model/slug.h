#ifndef MODEL_SLUG_H
#define MODEL_SLUG_H

#include "base/str.h"

struct arena;

/*
 * Addresses from what people write: small ASCII letters, digits, and single hyphens between words. Latin
 * letters lose their marks (German umlauts become two letters, as Germans write them then), Cyrillic and
 * Greek ones are transliterated, apostrophes vanish, and whatever else there is parts words. A letter and
 * its mark as two characters give the same as the one that is both, where that matters.
 */
enum { SLUG_MAX = 100, TAG_MAX = 60 };

/*
 * The slug of a text, at most `most` characters, cut between words where that can be; `fallback` when
 * there is no letter or digit in it that has a transliteration. In the arena. Never longer, and of the
 * form of slug_valid() when the fallback is.
 */
struct str slug_of(struct arena *arena, struct str text, size_t most, struct str fallback);

/* That of a post's title: never empty, and slug_valid(). "post" when the title has no letters for it. */
struct str slug_from_title(struct arena *arena, struct str title);

/* The same slug with a number, for when it is taken: "low-tide-2"; cut to make room. In the arena. */
struct str slug_numbered(struct arena *arena, struct str slug, unsigned number);

#endif
