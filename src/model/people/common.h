#ifndef MODEL_PEOPLE_COMMON_H
#define MODEL_PEOPLE_COMMON_H

#include "base/str.h"

/*
 * The words that people choose as passwords, and that are tried first: leaked passwords, names, common words. The list
 * is Debian's (script/bootstrap-passwords); the build makes 64-bit hashes of it, so that a word that is not in the list
 * is taken for one in about one of 10^14 cases. A build without the list has none.
 */

/* FNV-1a. The program that makes the list hashes with it, too. */
static inline uint64_t
common_hash(struct str word)
{
	uint64_t hash = 0xcbf29ce484222325U;

	for (size_t i = 0; i < word.len; i++)
		hash = (hash ^ (unsigned char)word.base[i]) * 0x100000001b3U;
	return hash;
}

/* Made by the build: sorted, each once. */
extern const uint64_t common_hashes[];
extern const size_t common_count;

#endif
