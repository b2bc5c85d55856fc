#include "pages/shared/scheduled.h"

#include "pages/shared/publication.h"

/*
 * Counts those still to come: what was scheduled when the publication was read may be public by
 * now.
 */
static int64_t
count(const struct request *rq, bool (*chosen)(const struct scheduled *one, const void *by),
    const void *by)
{
	const struct publication *p = publication_with_scheduled(rq);
	int64_t found = 0;

	for (size_t i = 0; i < p->scheduled_count; i++)
		found += p->scheduled[i].post.published > rq->now && chosen(&p->scheduled[i], by);
	return found;
}

static bool
has_tag(const struct scheduled *one, const void *tag)
{
	for (size_t i = 0; i < one->post.tags.count; i++)
		if (str_eq(one->post.tags.strings[i], *(const struct str *)tag))
			return true;
	return false;
}

static bool
is_by(const struct scheduled *one, const void *username)
{
	return post_written_by(&one->post, *(const struct str *)username);
}

static bool
lies_in(const struct scheduled *one, const void *by)
{
	return one->category == by;
}

/* In the array of the tree, descendants directly follow their category. */
static bool
lies_under(const struct scheduled *one, const void *by)
{
	const struct category *top = by;

	return one->category >= top && one->category <= top + top->below;
}

static bool
stands_on(const struct scheduled *one, const void *slug)
{
	return str_eq(one->post.category, *(const struct str *)slug);
}

static bool
comes_between(const struct scheduled *one, const void *times)
{
	const int64_t *ends = times;

	return one->post.published >= ends[0] && one->post.published < ends[1];
}

int64_t
scheduled_with(const struct request *rq, struct str tag)
{
	return count(rq, has_tag, &tag);
}

int64_t
scheduled_by(const struct request *rq, struct str username)
{
	return count(rq, is_by, &username);
}

int64_t
scheduled_in(const struct request *rq, const struct category *category)
{
	return count(rq, lies_in, category);
}

int64_t
scheduled_under(const struct request *rq, const struct category *category)
{
	return count(rq, lies_under, category);
}

int64_t
scheduled_on(const struct request *rq, struct str slug)
{
	return count(rq, stands_on, &slug);
}

int64_t
scheduled_between(const struct request *rq, int64_t from, int64_t to)
{
	const int64_t ends[] = {from, to};

	return count(rq, comes_between, ends);
}

struct scheduled_figures
scheduled_figures_by(const struct request *rq, struct str username)
{
	const struct publication *p = publication_with_scheduled(rq);
	struct scheduled_figures figures = {0};

	for (size_t i = 0; i < p->scheduled_count; i++) {
		const struct post *post = &p->scheduled[i].post;

		if (post->published <= rq->now || !is_by(&p->scheduled[i], &username))
			continue;
		figures.words += post->words;
		figures.ratings += post->ratings;
		figures.stars += post->stars;
	}
	return figures;
}
