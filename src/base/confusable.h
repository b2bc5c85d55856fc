#ifndef BASE_CONFUSABLE_H
#define BASE_CONFUSABLE_H

#include "base/str.h"

/* Which texts look alike, by the data of Unicode's UTS #39, which ICU has. Texts are well-formed UTF-8. */

/*
 * The skeleton of a name: two names that people may take for one another have the same. Case, marks on letters, spaces
 * and signs make no difference, nor what is not seen; "rn" is "m", "vv" is "w", and digits are the letters for which
 * they stand in "adm1n" and "r00t". At most CONFUSABLE_MAX bytes, in the arena; empty when there is no letter or digit.
 */
enum { CONFUSABLE_MAX = 500 };
struct str confusable_skeleton(struct arena *arena, struct str name);

/* Does a word mix scripts whose letters look alike, such as Latin and Cyrillic? */
bool confusable_is_mixed(struct str word);

#endif
