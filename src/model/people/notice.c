#include "model/people/notice.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"

static const struct str names[NOTICES] = {
    [NOTICE_SIGN_IN] = STR_INIT("sign-in"),
    [NOTICE_PASSWORD] = STR_INIT("password"),
    [NOTICE_EMAIL] = STR_INIT("email"),
    [NOTICE_TWO_STEP_ON] = STR_INIT("two-step-on"),
    [NOTICE_TWO_STEP_OFF] = STR_INIT("two-step-off"),
    [NOTICE_RECOVERY_CODES] = STR_INIT("recovery-codes"),
    [NOTICE_CODES_GUESSED] = STR_INIT("codes-guessed"),
};

struct write
notice_put(struct arena *arena, struct clock *clock, struct str username, enum notice what,
    struct str browser, int64_t now)
{
	struct write put = {.kind = WRITE_PUT};

	key_set(arena, &put.item, key_notice(arena, username, id_new(arena, clock)), ITEM_NOTICE);
	item_set(arena, &put.item, STR("What"), value_string(names[what]));
	if (browser.len != 0)
		item_set(arena, &put.item, STR("Browser"), value_string(browser));
	item_set(arena, &put.item, STR("CreatedAt"), value_string(time_format(arena, now)));
	item_set(arena, &put.item, TABLE_EXPIRES, value_number(now / 1000 + NOTICE_SECONDS));
	return put;
}

struct read
notices_read(struct arena *arena, struct str username)
{
	struct read read = {.kind = READ_QUERY, .query = query_notices_of(arena, username)};

	read.query.descending = true;
	read.query.limit = NOTICES_SHOWN;
	return read;
}

void
notice_from_item(const struct item *item, struct notice_entry *out)
{
	struct str what = item_string(item, STR("What"));

	*out = (struct notice_entry){
	    .what = NOTICE_SIGN_IN, .browser = item_string(item, STR("Browser"))};
	while (out->what < NOTICES && !str_eq(names[out->what], what))
		out->what++;
	(void)time_parse(item_string(item, STR("CreatedAt")), &out->created);
}
