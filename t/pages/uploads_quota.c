/* The quota of a person's pictures, and how many they may send at once. */
#include "pictures.h"

#include "lib/picture.h"

#include "model/key.h"
#include "model/post/media.h"
#include "model/site/rate.h"

/* The quota of the settings, and the message that names it. */
static void
runs_full(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), admin = browser_of(s, "marta");
	struct item item = seeded_item(s, "USER#ingrid", "PICTURES");
	const int64_t before = item_number(&item, STR("Bytes"));
	struct media_quota room;
	const char *page;

	UPLOAD(&b, NULL, {"one.png", picture_png(s->arena, 300, 300, 7)});
	get(&b, "/uploads");
	ok(says(&b, "Yours take 1 MB of 1000."), "one hears how much one's pictures take");
	item = seeded_item(s, "USER#ingrid", "PICTURES");
	room = media_quota_from_item(s->arena, &item);
	ok(room.counted && room.bytes > before && room.bytes < before + 100000,
	    "... which is counted");
	get(&admin, "/admin/settings");
	is_int(SUBMIT(&admin, "/admin/settings", "name", "Slack Water", "language", "en",
		   "registration", "open", "posts_per_page", "20", "time_zone", "Europe/Dublin",
		   "pictures_mb", "2"),
	    HTTP_SEE_OTHER, "an admin says how much it may be");
	item_set(s->arena, &item, STR("Bytes"), value_number(2 * 1024 * 1024 - 10));
	seeded_put(s, &item, 1);
	is_int(UPLOAD(&b, NULL, {"two.png", picture_png(s->arena, 301, 300, 8)}),
	    HTTP_UNPROCESSABLE, "what does not fit");
	ok(says(&b, "two.png was not kept: one person’s pictures may have 2 MB together"),
	    "... is named, and why");
	ok(says(&b, "Yours take 2 MB of 2."), "... beside how much there is");
	is_int(UPLOAD(&b, "json", {"two.png", picture_png(s->arena, 301, 300, 8)}),
	    HTTP_UNPROCESSABLE, "the script is told as well");
	ok(says(&b, "two.png was not kept: one person"), "... in its own way");
	item_set(s->arena, &item, STR("Bytes"), value_number(room.bytes));
	seeded_put(s, &item, 1);
	is_int(UPLOAD(&b, NULL, {"two.png", picture_png(s->arena, 301, 300, 8)}), HTTP_SEE_OTHER,
	    "when there is room again it is taken");
	get(&b, "/uploads");
	page = first_picture(&b);
	get(&b, page);
	is_int(submit(&b, behind(&b, page, "/delete"), (const char *const[]){NULL}), HTTP_SEE_OTHER,
	    "and deleted");
	item = seeded_item(s, "USER#ingrid", "PICTURES");
	is_int(item_number(&item, STR("Bytes")), room.bytes, "... which gives its room back");
	get(&b, "/uploads");
	page = first_picture(&b);
	get(&b, page);
	submit(&b, behind(&b, page, "/delete"), (const char *const[]){NULL});
	item = seeded_item(s, "USER#ingrid", "PICTURES");
	is_int(item_number(&item, STR("Bytes")), before, "... to the last byte");
}

/* Whoever sends picture after picture has to wait; others do not. */
static void
too_often(struct seeded *s)
{
	struct browser b = browser_of(s, "lowri"), other = browser_of(s, "kofi");
	struct str first = picture_png(s->arena, 90, 10, 9);
	struct item count = {.count = 0};
	struct key key;
	size_t before;

	/*
	 * The clock advances with each upload: back to the window's beginning, so that these are in
	 * one.
	 */
	s->clock.fixed_now -= s->clock.fixed_now % (RATE_WINDOW_SECONDS * 1000);
	s->clock.fixed_now += RATE_WINDOW_SECONDS * 1000;
	key = key_rate(
	    s->arena, STR("upload"), STR("lowri"), s->clock.fixed_now / 1000 / RATE_WINDOW_SECONDS);
	key_set(s->arena, &count, key, ITEM_RATE_LIMIT);
	item_set(s->arena, &count, STR("Count"), value_number(99));
	seeded_put(s, &count, 1);
	before = picture_files(s);
	is_int(
	    UPLOAD(&b, NULL, {"last.png", first}, {"more.png", picture_png(s->arena, 91, 10, 9)}),
	    HTTP_TOO_MANY, "one picture too many");
	ok(says(&b, "more.png was not kept: 100 pictures in ten minutes are the most."),
	    "... is named");
	ok(says(&b, "The others are here.") && says(&b, "last.png"), "... the one before is here");
	is_int((int64_t)(picture_files(s) - before), 1, "... alone");
	ok(header(&b.last, "Retry-After").len == 3, "... and it is said when to try again");
	is_int(UPLOAD(&b, "json", {"more.png", first}), HTTP_TOO_MANY, "the script is told, too");
	ok(says(&b, "more.png was not kept"), "... in its own way");
	is_int(
	    UPLOAD(&other, NULL, {"mine.png", first}), HTTP_SEE_OTHER, "somebody else's is taken");
	s->clock.fixed_now += RATE_WINDOW_SECONDS * 1000;
	is_int(UPLOAD(&b, NULL, {"more.png", first}), HTTP_SEE_OTHER, "later it is taken");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	pictures_open(&s);
	runs_full(&s);
	too_often(&s);
	pictures_close(&s);
	browsers_close(&s);
	return tap_done();
}
