#include "model/reader/trust.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/permission.h"

#define DAY_MS INT64_C(86400000)

void
trust_reads(struct arena *arena, struct str username, struct read reads[TRUST_READS])
{
	const struct query queries[TRUST_READS] = {
	    [TRUST_SAID] = query_comments_of(arena, username),
	    [TRUST_WAITING] = query_comments_held_of(arena, username),
	    [TRUST_HIDDEN] = query_comments_hidden_of(arena, username),
	};

	for (size_t i = 0; i < TRUST_READS; i++) {
		reads[i] = (struct read){.kind = READ_QUERY, .query = queries[i]};
		reads[i].query.limit = MODERATION_APPROVED_MAX;
		reads[i].query.descending = true;
	}
}

/* Was a comment of theirs hidden in the last days, by the staff? What the author of a post hides there is between them. */
static bool
was_upheld(const struct moderation *m, const struct read *hidden, int64_t now)
{
	int64_t when;

	for (size_t i = 0; i < hidden->found_count; i++)
		if (!item_boolean(&hidden->found[i], STR("ByAuthor")) &&
		    time_parse(item_string(&hidden->found[i], STR("HiddenAt")), &when) &&
		    when > now - m->upheld_days * DAY_MS)
			return true;
	return false;
}

enum trust
trust_of_person(const struct moderation *m, const struct user *user,
    const struct read reads[TRUST_READS], int64_t now)
{
	size_t approved = reads[TRUST_SAID].found_count;

	if (user->role != ROLE_READER)
		return TRUST_TRUSTED;
	if (approved == 0)
		return TRUST_NEW;
	return (int64_t)approved >= m->trusted_after &&
			       user->created <= now - m->trusted_days * DAY_MS &&
			       !was_upheld(m, &reads[TRUST_HIDDEN], now)
		   ? TRUST_TRUSTED
		   : TRUST_KNOWN;
}

enum trust
trust_of(const struct moderation *m, const struct viewer *viewer,
    const struct read reads[TRUST_READS], int64_t now)
{
	return may(viewer, MAY_MODERATE, NO_THING)
		   ? TRUST_TRUSTED
		   : trust_of_person(m, &viewer->user, reads, now);
}

const char *
trust_name(enum trust trust)
{
	static const char *const names[TRUST_LEVELS] = {"new", "known", "trusted"};

	return names[trust];
}

struct rate
trust_rate(const struct moderation *m, enum trust trust, enum trust_act act, struct str username)
{
	const struct trust_numbers numbers = moderation_numbers(m, trust);
	struct rate rate = {.who = username, .window = RATE_DAY_SECONDS};

	switch (act) {
	case TRUST_REACT:
		rate.what = STR("react");
		rate.most = numbers.reactions;
		break;
	case TRUST_FOLLOW:
		rate.what = STR("follow");
		rate.most = numbers.follows;
		break;
	case TRUST_FLAG:
		rate.what = STR("flag");
		rate.most = numbers.flags;
		break;
	}
	return rate;
}
