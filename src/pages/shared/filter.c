#include "pages/shared/filter.h"

#include "base/arena.h"
#include "base/unicode.h"

#include <string.h>

struct filter
filter_of(struct request *rq)
{
	struct filter filter = {.typed = str_trim(request_query(rq, "q"))};
	struct str rest = unicode_fold(rq->arena, filter.typed);

	while (rest.len != 0 && filter.count < FILTER_WORDS_MAX) {
		struct str word = str_cut(rest, ' ', &rest);

		if (word.len != 0)
			filter.words[filter.count++] = word;
	}
	return filter;
}

bool
filter_passes(struct request *rq, const struct filter *filter, const struct post *post)
{
	struct str text;

	if (filter->count == 0)
		return true;
	text = unicode_fold(rq->arena,
	    STR_CONCAT(rq->arena, post->title, STR("\n"), post->excerpt, STR("\n"),
		str_join(rq->arena, post->tags.strings, post->tags.count, STR("\n"))));
	for (size_t i = 0; i < filter->count; i++)
		if (memmem(text.base, text.len, filter->words[i].base, filter->words[i].len) == NULL)
			return false;
	return true;
}
