#include "pages/shared/filter.h"

#include "base/arena.h"
#include "base/unicode.h"
#include "table/cursor_key.h"

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
filter_has(struct request *rq, const struct filter *filter, struct str text)
{
	if (filter->count == 0)
		return true;
	text = unicode_fold(rq->arena, text);
	for (size_t i = 0; i < filter->count; i++)
		if (memmem(text.base, text.len, filter->words[i].base, filter->words[i].len) == NULL)
			return false;
	return true;
}

bool
filter_passes(struct request *rq, const struct filter *filter, const struct post *post)
{
	return filter_has(rq, filter,
	    STR_CONCAT(rq->arena, post->title, STR("\n"), post->excerpt, STR("\n"),
		str_join(rq->arena, post->tags.strings, post->tags.count, STR("\n"))));
}

void
filter_limit(const struct filter *filter, uint32_t shown, struct read *read)
{
	read->query.limit = filter->count != 0 ? (uint32_t)FILTER_READ : shown;
}

void
filter_keep(struct request *rq, const struct filter *filter, size_t shown,
    struct str (*text_of)(struct request *rq, const struct item *item), struct read *read)
{
	size_t count = 0, i = 0;

	if (filter->count == 0)
		return;
	for (; i < read->found_count && count < shown; i++)
		if (filter_has(rq, filter, text_of(rq, &read->found[i])))
			read->found[count++] = read->found[i];
	if (i < read->found_count)
		read->next = cursor_key_write(rq->arena, &read->query, &read->found[count - 1]);
	read->found_count = count;
}

struct str
filter_empty(const struct filter *filter, const struct read *read, const char *none)
{
	if (filter->count == 0)
		return str_of(none);
	return read->next.len != 0 ? STR("Not among these: there are more, further down.")
				   : STR("Nothing here has all of these words.");
}
