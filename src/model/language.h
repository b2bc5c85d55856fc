#ifndef MODEL_LANGUAGE_H
#define MODEL_LANGUAGE_H

#include "base/str.h"

/*
 * Languages by their tags, as BCP 47 (RFC 5646) has them: "en", "pt-BR", "zh-Hant-TW", "de-1996". Of that standard as
 * much as texts are written in: a language, then, each if need be and in this order, a script, a region and variants.
 */
enum { LANGUAGE_MAX = 35 };

/* Is it such a tag? In capitals or small letters. Whether anybody speaks it, it does not know. */
bool language_valid(struct str tag);

/* "rtl" for what is written from right to left, by its script or, where that is not said, its language; else "ltr". */
struct str language_direction(struct str tag);

#endif
