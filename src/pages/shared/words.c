#include "pages/shared/words.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/zone.h"
#include "model/site/settings.h"
#include "web/http/request.h"

enum { WORDS_A_MINUTE = 230 };

static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December"};
static const char *const days[] = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

/* Without printf, because a page has dozens of numbers. */
static struct str
decimal(struct arena *arena, int64_t n)
{
	char *end = (char *)arena_room(arena, STR_DECIMAL) + STR_DECIMAL;
	const char *begin = str_put_decimal(end, n);

	return (struct str){begin, (size_t)(end - begin)};
}

const char *
words_month_name(int month)
{
	return months[month - 1];
}

static struct str
date_text(struct arena *arena, const struct date *d, bool year)
{
	struct str day = decimal(arena, d->day), month = str_of(months[d->month - 1]);

	return year ? STR_CONCAT(arena, day, STR(" "), month, STR(" "), decimal(arena, d->year))
		    : STR_CONCAT(arena, day, STR(" "), month);
}

struct str
words_date(struct request *rq, int64_t ms)
{
	struct date d = zone_date(rq->zone, ms);

	return date_text(rq->arena, &d, true);
}

struct str
words_date_near(struct request *rq, int64_t ms)
{
	struct date d = zone_date(rq->zone, ms);

	if (rq->year == 0)
		rq->year = zone_date(rq->zone, rq->now).year;
	return date_text(rq->arena, &d, d.year != rq->year);
}

struct str
words_moment(struct request *rq, int64_t ms)
{
	struct date d = zone_date(rq->zone, ms);

	return str_fmt(rq->arena, "%d %s %d, %02d:%02d %.*s", d.day, months[d.month - 1], d.year,
	    d.hour, d.minute, STR_ARGS(zone_abbreviation(rq->arena, rq->zone, ms)));
}

struct str
words_day(struct request *rq, int64_t ms)
{
	struct date d = zone_date(rq->zone, ms);

	return STR_CONCAT(
	    rq->arena, str_of(days[d.weekday]), STR(", "), date_text(rq->arena, &d, true));
}

struct str
words_zone(const struct request *rq)
{
	struct str rest, place;
	char *text;

	if (rq->zone == NULL)
		return STR("UTC");
	for (rest = place = rq->settings->time_zone; rest.len != 0;)
		place = str_cut(rest, '/', &rest);
	text = str_cstring(rq->arena, place);
	for (size_t i = 0; i < place.len; i++)
		if (text[i] == '_')
			text[i] = ' ';
	return STR_CONCAT(rq->arena, str_of(text), STR(" time"));
}

struct str
words_month(struct arena *arena, int year, int month)
{
	return str_fmt(arena, "%s %d", months[month - 1], year);
}

struct str
words_number(struct arena *arena, int64_t n)
{
	struct str digits = decimal(arena, n);
	struct buf out = {.arena = arena};

	if (n < 1000 && n > -1000)
		return digits;
	for (size_t i = 0; i < digits.len; i++) {
		if (i != 0 && (digits.len - i) % 3 == 0 && digits.base[i - 1] != '-')
			buf_putc(&out, ',');
		buf_putc(&out, digits.base[i]);
	}
	return buf_str(&out);
}

struct str
words_some(struct arena *arena, int64_t n, const char *one, const char *many)
{
	if (n <= 0)
		return STR("");
	return STR_CONCAT(arena, words_number(arena, n), STR(" "), str_of(n == 1 ? one : many));
}

struct str
words_count(struct arena *arena, int64_t n, const char *one, const char *many)
{
	return n > 0 ? words_some(arena, n, one, many) : str_fmt(arena, "No %s", many);
}

struct str
words_reading(struct arena *arena, int64_t words)
{
	int64_t minutes = (words + WORDS_A_MINUTE / 2) / WORDS_A_MINUTE;

	return minutes < 1 ? STR("") : STR_CONCAT(arena, decimal(arena, minutes), STR(" min read"));
}

struct str
words_duration(struct arena *arena, int64_t minutes)
{
	struct str parts[3];
	size_t count = 0;

	if (minutes >= 1440)
		parts[count++] = words_some(arena, minutes / 1440, "day", "days");
	if (minutes % 1440 >= 60)
		parts[count++] = words_some(arena, minutes % 1440 / 60, "hour", "hours");
	if (minutes % 60 != 0)
		parts[count++] = words_some(arena, minutes % 60, "minute", "minutes");
	return str_join(arena, parts, count, STR(" "));
}

struct str
words_money(struct arena *arena, struct str amount, struct str currency)
{
	static const struct {
		struct str code;
		const char *sign;
	} signs[] = {{STR_INIT("EUR"), "€"}, {STR_INIT("USD"), "$"}, {STR_INIT("GBP"), "£"},
	    {STR_INIT("JPY"), "¥"}};

	if (amount.len == 0)
		return STR("");
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (str_eq(signs[i].code, currency))
			return STR_CONCAT(arena, str_of(signs[i].sign), amount);
	return currency.len != 0 ? STR_CONCAT(arena, amount, STR(" "), currency) : amount;
}

struct str
words_mean(struct arena *arena, int64_t sum, int64_t count)
{
	int64_t tenths;

	if (count <= 0)
		return STR("");
	tenths = (sum * 20 + count) / (count * 2);
	return STR_CONCAT(
	    arena, decimal(arena, tenths / 10), STR("."), decimal(arena, tenths % 10));
}

struct str
words_stars(int64_t stars)
{
	static const struct str all = STR_INIT("★★★★★☆☆☆☆☆");
	enum { ONE = 3, FIVE = 5 }; /* bytes of a star in UTF-8 */

	if (stars < 0 || stars > FIVE)
		return STR("");
	return str_sub(all, (size_t)(FIVE - stars) * ONE, FIVE * ONE);
}

struct str
words_host(struct str url)
{
	struct str host, rest;

	str_cut(url, ':', &rest);
	while (rest.len != 0 && rest.base[0] == '/')
		rest = str_sub(rest, 1, rest.len);
	host = str_cut(rest, '/', &rest);
	host = str_cut(host, '?', &rest);
	if (str_starts(host, STR("www.")))
		host = str_sub(host, 4, host.len);
	return host;
}

struct str
words_difficulty(enum difficulty difficulty)
{
	static const struct str names[] = {
	    STR_INIT(""), STR_INIT("Easy"), STR_INIT("Medium"), STR_INIT("Hard")};

	return names[difficulty];
}

struct str
words_when(struct request *rq, const struct post *post, int64_t *time)
{
	const char *what = "Published";

	*time = post->published;
	if (post->status == STATUS_DRAFT || post->status == STATUS_UNPUBLISHED) {
		*time = post->updated;
		what = "Changed";
	} else if (post->status == STATUS_DELETED) {
		*time = post->deleted;
		what = "Deleted";
	} else if (post->published > rq->now) {
		what = "Appears";
	}
	return STR_CONCAT(rq->arena, str_of(what), STR(" "), words_moment(rq, *time));
}

struct str
words_title(const struct post *post)
{
	if (post->title.len != 0)
		return post->title;
	return post->excerpt.len != 0 ? post->excerpt : STR("Untitled");
}

struct str
words_kind(enum post_kind kind)
{
	static const struct str names[] = {STR_INIT("Article"), STR_INIT("Link"),
	    STR_INIT("How-to"), STR_INIT("Note"), STR_INIT("")};

	return names[kind];
}

struct str
words_capital(struct arena *arena, struct str s)
{
	char *copy = str_cstring(arena, s);

	if (s.len != 0 && copy[0] >= 'a' && copy[0] <= 'z')
		copy[0] = (char)(copy[0] - 'a' + 'A');
	return (struct str){copy, s.len};
}
