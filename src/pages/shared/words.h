#ifndef PAGES_SHARED_WORDS_H
#define PAGES_SHARED_WORDS_H

#include "base/str.h"
#include "model/post/post.h"

struct arena;
struct request;

/*
 * Times, counts and other values as texts for people, ready to be shown. All in the arena. Times are those of the
 * site's zone, rq->zone: after page_read().
 */

/* "18 November 2026" */
struct str words_date(struct request *rq, int64_t ms);
/* The same without the year when that is this year. */
struct str words_date_near(struct request *rq, int64_t ms);
/* "18 November 2026, 09:30 CET" */
struct str words_moment(struct request *rq, int64_t ms);
/* "Wednesday, 18 November 2026" */
struct str words_day(struct request *rq, int64_t ms);
/* Whose time that is: "UTC", or "Lisbon time". */
struct str words_zone(const struct request *rq);
/* "November 2026" */
struct str words_month(struct arena *arena, int year, int month);
const char *words_month_name(int month);

/* "1,234" */
struct str words_number(struct arena *arena, int64_t n);
/* "1 comment", "3 comments"; "No comments" for 0. */
struct str words_count(struct arena *arena, int64_t n, const char *one, const char *many);
/* The same, but empty for 0. */
struct str words_some(struct arena *arena, int64_t n, const char *one, const char *many);

/* "6 min read"; empty for a text that is read at a glance. */
struct str words_reading(struct arena *arena, int64_t words);
/* "45 minutes", "1 hour 30 minutes" */
struct str words_duration(struct arena *arena, int64_t minutes);
/* "€12.50"; the code in front where the currency has no sign that all know. */
struct str words_money(struct arena *arena, struct str amount, struct str currency);
/* "4.3" from a sum of stars and how many gave them. */
struct str words_mean(struct arena *arena, int64_t sum, int64_t count);
/* "★★★★☆" for 1 to 5; nothing else is one. */
struct str words_stars(int64_t stars);
/* "lwn.net" of an address, without "www." */
struct str words_host(struct str url);
/* "Easy"; empty when there is none. */
struct str words_difficulty(enum difficulty difficulty);
/* Of all times of a post, the one that says most about it: "Appears 19 November 2026, 09:30 CET". */
struct str words_when(struct request *rq, const struct post *post, int64_t *time);
/* What a post is called where it needs a name: its title, else how its text begins, else “Untitled”. */
struct str words_title(const struct post *post);
/* "How-to" */
struct str words_kind(enum post_kind kind);
/* With a capital at the beginning: ASCII only. */
struct str words_capital(struct arena *arena, struct str s);

#endif
