#include "base/suggest.h"

enum { LONGEST = 63 };

static size_t
least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

size_t
str_distance(struct str a, struct str b)
{
	size_t rows[3][LONGEST + 1]; /* rows i - 2, i - 1 and i, in rotation */

	if (a.len > LONGEST || b.len > LONGEST)
		return SIZE_MAX;
	for (size_t j = 0; j <= b.len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a.len; i++) {
		const size_t *before = rows[(i + 1) % 3], *above = rows[(i - 1) % 3];
		size_t *row = rows[i % 3];

		row[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			size_t changed = above[j - 1] + (a.base[i - 1] != b.base[j - 1]);

			row[j] = least(changed, above[j] + 1, row[j - 1] + 1);
			if (i > 1 && j > 1 && a.base[i - 1] == b.base[j - 2] &&
			    a.base[i - 2] == b.base[j - 1] && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
	}
	return rows[a.len % 3][b.len];
}

void
suggest_word(struct suggestion *suggestion, const char *known)
{
	size_t limit = suggestion->typed.len / 4 + 2;
	size_t distance = str_distance(suggestion->typed, str_of(known));

	/*
	 * Any two words of two letters are similar by distance; their first letters must agree as
	 * well.
	 */
	if (suggestion->typed.len == 0 ||
	    (distance >= suggestion->typed.len && known[0] != suggestion->typed.base[0]))
		return;
	if (distance >= limit || (suggestion->nearest != NULL && distance >= suggestion->distance))
		return;
	suggestion->nearest = known;
	suggestion->distance = distance;
}
