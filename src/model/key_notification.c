/* The keys of notifications: see key.h. */
#include "model/key_notification.h"

#include "base/arena.h"
#include "base/clock.h"

#define NOTE STR("NOTE#")
#define TOLD STR("TOLD#")
/* It sorts after every digit. */
#define LASTING STR("~")

enum { DAY_LEN = 10 };

static struct str
of_user(struct arena *arena, struct str username)
{
	return STR_CONCAT(arena, STR("USER#"), username);
}

static struct str
place_of(struct arena *arena, struct str when, struct str what, struct str target)
{
	return STR_CONCAT(arena, NOTE, when, STR("#"), what, STR("#"), target);
}

static struct str
day_of(struct arena *arena, int64_t at)
{
	return str_sub(time_format(arena, at), 0, DAY_LEN);
}

struct str
key_note_place(struct arena *arena, int64_t at, struct str what, struct str target)
{
	return place_of(arena, day_of(arena, at), what, target);
}

struct str
key_note_place_lasting(struct arena *arena, struct str what, struct str target)
{
	return place_of(arena, LASTING, what, target);
}

struct key
key_note(struct arena *arena, struct str username, struct str place)
{
	return (struct key){of_user(arena, username), place};
}

bool
key_is_note_place(struct str place)
{
	return str_starts(place, NOTE);
}

struct key
key_messages(struct arena *arena, struct str username)
{
	return (struct key){of_user(arena, username), STR("MESSAGES")};
}

struct key
key_note_settings(struct arena *arena, struct str username)
{
	return (struct key){of_user(arena, username), STR("NOTIFICATIONS")};
}

struct key
key_told(struct arena *arena, struct str subject)
{
	struct str both = STR_CONCAT(arena, TOLD, subject);

	return (struct key){both, both};
}

static struct str
page_of(struct arena *arena, int64_t list)
{
	return str_fmt(arena, "PAGE#%05lld#", (long long)list);
}

struct key
key_told_page(struct arena *arena, struct str subject, int64_t list, struct str first)
{
	return (struct key){
	    STR_CONCAT(arena, TOLD, subject), STR_CONCAT(arena, page_of(arena, list), first)};
}

struct query
query_told_pages(struct arena *arena, struct str subject, int64_t list)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = STR_CONCAT(arena, TOLD, subject),
	    .op = SORT_BETWEEN,
	    .low = page_of(arena, list),
	    .high = STR("PAGE#~")};
}

struct str
key_told_subject(struct key key)
{
	return str_sub(key.pk, TOLD.len, key.pk.len);
}

void
key_index_note(struct arena *arena, struct item *item, struct str username, int64_t at,
    struct str what, struct str target)
{
	item_set(arena, item, table_pk_name(TABLE_GSI1), value_string(of_user(arena, username)));
	item_set(arena, item, table_sk_name(TABLE_GSI1),
	    value_string(place_of(arena, time_format(arena, at), what, target)));
}

struct query
query_notes_of(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_GSI1,
	    .partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = NOTE};
}

struct query
query_notes_since(struct arena *arena, struct str username, int64_t since)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = of_user(arena, username),
	    .op = SORT_BETWEEN,
	    .low = since != 0 ? STR_CONCAT(arena, NOTE, day_of(arena, since)) : NOTE,
	    .high = STR_CONCAT(arena, NOTE, LASTING, LASTING)};
}
