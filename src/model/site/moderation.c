#include "model/site/moderation.h"

#include "base/arena.h"
#include "model/site/audit.h"

#define NUMBER(attribute, member) BIND_NUMBER(WRITTEN, attribute, struct moderation, member)
static const struct binding bindings[] = {
    NUMBER("CloseDays", close_days),
    BIND_TEXT(WRITTEN, "Domains", struct moderation, domains, TEXT_LINES),
    NUMBER("FirstDay", first_day),
    NUMBER("FlagsDays", flags_days),
    NUMBER("FlagsHold", flags_hold),
    NUMBER("HeatMinutes", heat_minutes),
    NUMBER("KnownComments", known_comments),
    NUMBER("KnownFlags", known_flags),
    NUMBER("KnownFollows", known_follows),
    NUMBER("KnownLinks", known_links),
    NUMBER("KnownMentions", known_mentions),
    NUMBER("KnownPause", known_pause),
    NUMBER("KnownReactions", known_reactions),
    BIND_TEXT(WRITTEN, "Links", struct moderation, links, TEXT_LINES),
    BIND_BOOLEAN(WRITTEN, "NamePeople", struct moderation, name_people),
    BIND_BOOLEAN(WRITTEN, "NameStaff", struct moderation, name_staff),
    NUMBER("Network", network),
    NUMBER("NewComments", new_comments),
    NUMBER("NewFlags", new_flags),
    NUMBER("NewFollows", new_follows),
    NUMBER("NewLinks", new_links),
    NUMBER("NewMentions", new_mentions),
    NUMBER("NewPause", new_pause),
    NUMBER("NewReactions", new_reactions),
    NUMBER("Registrations", registrations),
    NUMBER("TrustedAfter", trusted_after),
    NUMBER("TrustedComments", trusted_comments),
    NUMBER("TrustedDays", trusted_days),
    NUMBER("TrustedFlags", trusted_flags),
    NUMBER("TrustedFollows", trusted_follows),
    NUMBER("TrustedLinks", trusted_links),
    NUMBER("TrustedMentions", trusted_mentions),
    NUMBER("TrustedPause", trusted_pause),
    NUMBER("TrustedReactions", trusted_reactions),
    NUMBER("UpheldDays", upheld_days),
    BIND_TEXT(WRITTEN, "Words", struct moderation, words, TEXT_LINES),
};
const struct binding_table moderation_bindings = BINDINGS(bindings);

void
moderation_defaults(struct moderation *out)
{
	*out = (struct moderation){
	    .new_comments = 3, .new_pause = 60, .new_links = 0, .new_mentions = 2,
	    .new_reactions = 50, .new_follows = 20, .new_flags = 3,
	    .known_comments = 6, .known_pause = 5, .known_links = 2, .known_mentions = 7,
	    .known_reactions = 200, .known_follows = 100, .known_flags = 10,
	    .trusted_comments = 20, .trusted_pause = 5, .trusted_links = 10,
	    .trusted_mentions = 10, .trusted_reactions = 400, .trusted_follows = 500,
	    .trusted_flags = 20,
	    .trusted_after = 5, .trusted_days = 7, .upheld_days = 30,
	    .first_day = 10, .network = 10, .registrations = 3,
	    .flags_hold = 3, .flags_days = 7, .heat_minutes = 2,
	};
}

#define OF(level, m)                                                              \
	{                                                                         \
		.comments = (m)->level##_comments, .pause = (m)->level##_pause,   \
		.links = (m)->level##_links, .mentions = (m)->level##_mentions,   \
		.reactions = (m)->level##_reactions,                              \
		.follows = (m)->level##_follows, .flags = (m)->level##_flags,     \
	}

struct trust_numbers
moderation_numbers(const struct moderation *m, enum trust trust)
{
	const struct trust_numbers all[TRUST_LEVELS] = {[TRUST_NEW] = OF(new, m),
	    [TRUST_KNOWN] = OF(known, m),
	    [TRUST_TRUSTED] = OF(trusted, m)};

	return all[trust];
}

bool
moderation_over(const struct moderation *m, int64_t published, int64_t now)
{
	return m->close_days != 0 && published + m->close_days * INT64_C(86400000) <= now;
}

static struct str
said_of(struct arena *arena, const struct binding *b, const struct moderation *m)
{
	const char *member = (const char *)m + b->offset;

	switch (b->kind) {
	case BINDING_NUMBER: return str_fmt(arena, "%lld", (long long)*(const int64_t *)member);
	case BINDING_BOOLEAN: return *(const bool *)member ? STR("yes") : STR("no");
	default: return *(const struct str *)member;
	}
}

struct str
moderation_difference(
    struct arena *arena, const struct moderation *was, const struct moderation *is)
{
	struct str said = STR("");

	for (size_t i = 0; i < moderation_bindings.count; i++) {
		const struct binding *b = &moderation_bindings.bindings[i];

		said = audit_change(arena, said, str_cstring(arena, b->name),
		    said_of(arena, b, was), said_of(arena, b, is));
	}
	return said;
}
