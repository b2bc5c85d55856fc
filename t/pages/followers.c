/*
 * What is for followers: a post that only they find, without an additional trip, and a profile that
 * shows others only a name.
 */
#include "browser.h"

#include "lib/tap.h"

enum { STRANGER, FOLLOWER, MUTER, BLOCKED, MEMBER, AUTHOR, ADMIN, PEOPLE };

/* People who have no part in the follows of the seed. */
static const char *const names[PEOPLE] = {
    NULL, "follower", "muter", "blocked", "member", "ingrid", "marta"};

static struct browser people[PEOPLE];

static void
add_person(struct seeded *s, const char *name, const char *status)
{
	struct str pk = str_fmt(s->arena, "USER#%s", name);
	struct item user = {.count = 0}, follow = {.count = 0};

	item_set(s->arena, &user, STR("PK"), value_string(pk));
	item_set(s->arena, &user, STR("SK"), value_string(STR("METADATA")));
	item_set(s->arena, &user, STR("Type"), value_string(STR("User")));
	item_set(s->arena, &user, STR("Username"), value_string(str_of(name)));
	item_set(s->arena, &user, STR("Role"), value_string(STR("reader")));
	item_set(s->arena, &user, STR("Status"), value_string(STR("active")));
	seeded_put(s, &user, 1);
	if (status == NULL)
		return;
	item_set(s->arena, &follow, STR("PK"), value_string(pk));
	item_set(s->arena, &follow, STR("SK"), value_string(STR("FOLLOWING#ingrid")));
	item_set(s->arena, &follow, STR("Type"), value_string(STR("Follow")));
	item_set(s->arena, &follow, STR("Follower"), value_string(str_of(name)));
	item_set(s->arena, &follow, STR("Followed"), value_string(STR("ingrid")));
	item_set(s->arena, &follow, STR("Status"), value_string(str_of(status)));
	seeded_put(s, &follow, 1);
}

/* A post of ingrid's for her followers. */
static void
add_post(struct seeded *s, const char *id, const char *slug)
{
	struct item head = {.count = 0}, claim = {.count = 0}, old = {.count = 0};
	struct str pk = str_fmt(s->arena, "POST#%s", id), at = STR("2026-11-17T09:30:00.000Z");
	struct str key = str_fmt(s->arena, "SLUG#%s", slug),
		   first = str_fmt(s->arena, "SLUG#%s", id);

	item_set(s->arena, &head, STR("PK"), value_string(pk));
	item_set(s->arena, &head, STR("SK"), value_string(STR("METADATA")));
	item_set(s->arena, &head, STR("Type"), value_string(STR("Post")));
	item_set(s->arena, &head, STR("Id"), value_string(str_of(id)));
	item_set(s->arena, &head, STR("Slug"), value_string(str_of(slug)));
	item_set(s->arena, &head, STR("Kind"), value_string(STR("note")));
	item_set(s->arena, &head, STR("Title"), value_string(STR("Among us")));
	item_set(s->arena, &head, STR("Author"), value_string(STR("ingrid")));
	item_set(s->arena, &head, STR("Status"), value_string(STR("published")));
	item_set(s->arena, &head, STR("Visibility"), value_string(STR("followers")));
	item_set(s->arena, &head, STR("PublishedAt"), value_string(at));
	item_set(s->arena, &head, STR("CreatedAt"), value_string(at));
	item_set(s->arena, &head, STR("UpdatedAt"), value_string(at));
	seeded_put(s, &head, 1);
	item_set(s->arena, &claim, STR("PK"), value_string(key));
	item_set(s->arena, &claim, STR("SK"), value_string(key));
	item_set(s->arena, &claim, STR("Type"), value_string(STR("SlugClaim")));
	item_set(s->arena, &claim, STR("Post"), value_string(str_of(id)));
	seeded_put(s, &claim, 1);
	old = item_shallow(s->arena, &claim);
	item_set(s->arena, &old, STR("PK"), value_string(first));
	item_set(s->arena, &old, STR("SK"), value_string(first));
	seeded_put(s, &old, 1);
}

/* What each of the people gets: '+' the answer, '-' 404. */
static void
row(struct seeded *s, const char *says, const char *address, enum http_status answer,
    const char *wanted)
{
	char got[PEOPLE + 1] = {0};

	(void)s;
	for (int i = 0; i < PEOPLE; i++) {
		enum http_status status = get(&people[i], address);

		got[i] = status == answer ? '+' : status == HTTP_NOT_FOUND ? '-' : '?';
	}
	is_str(str_of(got), str_of(wanted), "%s", says);
}

/* Who of them sees ingrid's biography on that page. */
static void
bio_row(const char *says, const char *address, const char *bio, const char *wanted)
{
	char got[PEOPLE + 1] = {0};

	for (int i = 0; i < PEOPLE; i++) {
		get(&people[i], address);
		got[i] =
		    people[i].last.status == HTTP_OK &&
			    holds(unescaped(people[i].s->arena, people[i].last.body), str_of(bio))
			? '+'
			: '-';
	}
	is_str(str_of(got), str_of(wanted), "%s", says);
}

int
main(void)
{
	struct item ingrid;
	const char *bio;
	struct seeded s;

	browsers_open(&s);
	add_person(&s, "follower", "active");
	add_person(&s, "muter", "muted");
	add_person(&s, "blocked", "blocked");
	add_person(&s, "member", NULL);
	people[STRANGER] = browser(&s, "192.0.2.1");
	for (int i = 1; i < PEOPLE; i++)
		people[i] = browser_of(&s, names[i]);
	add_post(&s, "among-us", "among-us");
	add_post(&s, "first-name", "second-name");

	row(&s, "a post for followers is there for those who follow, its author and the staff",
	    "/post/among-us", HTTP_OK, "-++--++");
	row(&s, "... no address that leads to it tells others that it is there", "/page/among-us",
	    HTTP_MOVED, "-++--++");
	row(&s, "... renamed", "/post/second-name", HTTP_OK, "-++--++");
	row(&s, "... at its old address", "/post/first-name", HTTP_MOVED, "-++--++");
	for (int i = BLOCKED; i <= MEMBER; i++) {
		static const char *const hidden[] = {
		    "/post/among-us", "/post/second-name", "/post/first-name", "/post/of-nobody"};
		uint32_t trips[4];

		for (int n = 0; n < 4; n++) {
			get(&people[i], hidden[n]);
			trips[n] = people[i].last.cost.round_trips;
		}
		ok(trips[0] == trips[3] && trips[1] == trips[3] && trips[2] == trips[3],
		    "%s waits for it as for what is not there", names[i]);
	}
	get(&people[FOLLOWER], "/post/among-us");
	is_int(people[FOLLOWER].last.cost.round_trips, 3,
	    "whether they follow comes with the rest: who it is, and two trips");
	get(&people[FOLLOWER], "/post/first-brent-geese");
	is_int(people[FOLLOWER].last.cost.round_trips, 3, "... as a public post takes");
	get(&people[FOLLOWER], "/post/among-us");
	is_str(header(&people[FOLLOWER].last, "Cache-Control"), STR("no-store"),
	    "no browser stores what is not for everybody");
	ok(header(&people[FOLLOWER].last, "ETag").len == 0, "... so there is nothing to ask again");
	get(&people[FOLLOWER], "/post/first-brent-geese");
	is_str(header(&people[FOLLOWER].last, "Cache-Control"), STR("private, no-cache"),
	    "... as they store what is");
	get(&people[STRANGER], "/");
	ok(!says(&people[STRANGER], "Among us"), "no list shows it");

	ingrid = seeded_item(&s, "USER#ingrid", "METADATA");
	bio = str_cstring(s.arena, str_sub(item_string(&ingrid, STR("Bio")), 0, 20));
	bio_row("a profile is for all", "/author/ingrid", bio, "+++++++");
	item_set(s.arena, &ingrid, STR("Private"), value_boolean(true));
	seeded_put(&s, &ingrid, 1);
	bio_row("a private one is for those who follow, the person, and admins", "/author/ingrid",
	    bio, "-++--++");
	get(&people[FOLLOWER], "/author/ingrid");
	is_str(header(&people[FOLLOWER].last, "Cache-Control"), STR("no-store"),
	    "... and for no browser's disk");
	row(&s, "... the name is for all", "/author/ingrid", HTTP_OK, "+++++++");
	bio_row("... in the list of authors it is for the person and admins", "/authors", bio,
	    "-----++");
	bio_row("... in their feed for nobody", "/author/ingrid/feed.atom", bio, "-------");
	browsers_close(&s);
	return tap_done();
}
