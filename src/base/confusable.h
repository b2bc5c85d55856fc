#ifndef BASE_CONFUSABLE_H
#define BASE_CONFUSABLE_H

#include "base/str.h"

/* Which texts look alike, according to Unicode's UTS #39, from ICU. Texts are well-formed UTF-8. */

/*
 * The skeleton of a name: two names that people may confuse have the same one. Case, marks on
 * letters, spaces, punctuation and invisible characters are ignored; "rn" is "m", "vv" is "w", and
 * digits are read as letters, as in "adm1n" and "r00t". At most CONFUSABLE_MAX bytes, in the arena;
 * empty if there is no letter or digit.
 */
enum { CONFUSABLE_MAX = 500 };
struct str confusable_skeleton(struct arena *arena, struct str name);

/* Does a word mix scripts whose letters look alike, such as Latin and Cyrillic? */
bool confusable_is_mixed(struct str word);

#endif
