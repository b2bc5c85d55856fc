/*
 * /links and /howtos: what is asked for is what is shown, of those that everybody may see, whatever the worker knows yet; the tags
 * seen together with a tag; and what has the address of a link already.
 */
#include "t/derive/worker.h"

#include "model/key_post.h"
#include "model/key_search.h"

/* A thing of three words that nothing has. */
#define THREE "kwk+lwl+mwm,"

/* A post, as its author leaves it. */
static struct post
put(struct seeded *s, const char *id, enum post_kind kind, const char *published, const char *const *tags)
{
	struct str *list = ARENA_ARRAY(s->arena, 4, struct str);
	struct post post = {.id = str_of(id),
	    .slug = str_of(id),
	    .title = str_of(id),
	    .author = STR("kofi"),
	    .kind = kind,
	    .status = STATUS_PUBLISHED,
	    .visibility = VISIBILITY_PUBLIC,
	    .tags = {list, 0}};

	for (; tags[post.tags.count] != NULL; post.tags.count++)
		list[post.tags.count] = str_of(tags[post.tags.count]);
	(void)time_parse(str_of(published), &post.published);
	return post;
}

static void
store(struct seeded *s, const struct post *post)
{
	struct item items[8] = {{0}};
	size_t count = 1;

	key_set(s->arena, &items[0], key_post(s->arena, post->id), ITEM_POST);
	post_to_item(s->arena, post, &items[0]);
	key_index_post(s->arena, &items[0], post);
	for (size_t i = 0; i < post->tags.count; i++) {
		struct item *tag = &items[count++], *placed;

		key_set(s->arena, tag, key_tag(post->tags.strings[i]), ITEM_TAG);
		item_set(s->arena, tag, STR("Tag"), value_string(post->tags.strings[i]));
		/* Of x-sun there is one post. */
		item_set(s->arena, tag, STR("Posts"),
		    value_number(!str_eq(post->tags.strings[i], STR("x-sun")) ? 4
				 : post->status == STATUS_PUBLISHED	     ? 1
									     : 0));
		if (post->status != STATUS_PUBLISHED)
			continue;
		placed = &items[count++];
		key_set(s->arena, placed, key_post_tag(s->arena, post->id, post->tags.strings[i]), ITEM_POST_TAG);
		key_index_post_tag(s->arena, placed, post, post->tags.strings[i]);
		item_set(s->arena, placed, STR("Post"), value_string(post->id));
		item_set(s->arena, placed, STR("Tag"), value_string(post->tags.strings[i]));
	}
	seeded_put(s, items, count);
}

/* The posts of a page that are ours, in their order: "x-a x-b". */
static struct str
shown(struct seeded *s, const char *address)
{
	struct answer page = visit(s, str_of(address));
	struct list posts = listed(s->arena, page.body);
	struct str text = STR("");

	is_int(page.status, HTTP_OK, "%s is there", address);
	for (size_t i = 0; i < posts.count; i++)
		if (str_starts(posts.strings[i], STR("/post/x-")))
			text = STR_CONCAT(s->arena, text, STR(" "),
			    str_sub(posts.strings[i], sizeof("/post/") - 1, posts.strings[i].len));
	return text;
}

static void
links(struct seeded *s)
{
	static const char *const both[] = {"x-sea", "x-sky", NULL}, *const sea[] = {"x-sea", NULL},
				 *const all[] = {"x-sea", "x-sky", "x-sun", NULL};
	struct post a = put(s, "x-a", KIND_LINK, "2026-01-01T10:00:00Z", both);
	struct post b = put(s, "x-b", KIND_LINK, "2026-01-02T10:00:00Z", sea);
	struct post c = put(s, "x-c", KIND_LINK, "2026-01-03T10:00:00Z", all);
	struct post d = put(s, "x-d", KIND_ARTICLE, "2026-01-04T10:00:00Z", both);
	struct post later = put(s, "x-later", KIND_LINK, "2027-01-04T10:00:00Z", both);
	struct answer page;

	a.ratings = 4, a.stars = 20;
	b.ratings = 4, b.stars = 12;
	a.url = STR("https://www.example.org/sea/?utm_source=x");
	store(s, &a);
	store(s, &b);
	store(s, &c);
	store(s, &d);
	store(s, &later);
	work(s);
	is_str(shown(s, "/links?tags=x-sea"), STR(" x-c x-b x-a"), "links with a tag, newest first");
	is_str(shown(s, "/links?tags=x-sea,x-sky"), STR(" x-c x-a"), "... with two");
	is_str(shown(s, "/links?tags=x-sea,%20x-sky,X-SUN"), STR(" x-c"), "... with three, however they are written");
	is_str(shown(s, "/links?tags=x-sea&sort=best"), STR(" x-a x-b x-c"), "the best rated first");
	is_str(shown(s, "/links?tags=x-sea&stars=4"), STR(" x-a"), "those with four stars and more");
	is_str(shown(s, "/links?tags=x-nothing"), STR(""), "none with a tag that nothing has");
	is_str(shown(s, "/links?tags=x-sea,x-sky,x-sun,x-more"), STR(" x-c"), "a fourth tag is left out");
	ok(holds(visit(s, STR("/links?tags=a,b,c,d")).body, STR("Only the first three count.")), "... and told so");
	is_str(shown(s, "/links?tags=x-sea&stars=many&sort=odd"), STR(" x-c x-b x-a"),
	    "what makes no sense asks for nothing");
	is_int(visit(s, STR("/links?after=nonsense")).status, HTTP_BAD_REQUEST, "a cursor that is none is refused");
	page = visit(s, STR("/links?tags=x-sea"));
	ok(holds(page.body, STR("href=\"/links?tags=x-sea%2Cx-sky\"")), "a tag that is seen with it narrows the list");
	ok(holds(page.body, STR("noindex")) && !holds(visit(s, STR("/links")).body, STR("noindex")),
	    "search engines get the whole list only");

	page = visit(s, STR("/tag/x-sea"));
	ok(holds(page.body, STR("href=\"/tag/x-sky\"")) && holds(page.body, STR("href=\"/tag/x-sun\"")),
	    "a tag's page has the tags that are seen with it");
	ok(holds(page.body, STR("href=\"/links?tags=x-sea\"")), "... and leads to its links");

	/* The worker does not know yet. */
	c.status = STATUS_UNPUBLISHED;
	store(s, &c);
	is_str(shown(s, "/links?tags=x-sea"), STR(" x-b x-a"), "what was withdrawn is not shown");
	ok(!holds(visit(s, STR("/tag/x-sea")).body, STR("x-sun")), "... nor named are tags that it alone had");
	ok(!holds(visit(s, STR("/links?tags=x-sea")).body, STR("x-sun")), "... anywhere");
	work(s);
	is_str(shown(s, "/links?tags=x-sea"), STR(" x-b x-a"), "... nor when it does");
}

static void
howtos(struct seeded *s)
{
	static const char *const none[] = {NULL};
	const struct material dough[] = {{STR("Flour, strong"), STR("500 g")}, {STR("Sea salt"), STR("10 g")},
	    {STR("Water"), STR("3 dl")}},
	    glue[] = {{STR("Flour"), STR("a little")}, {STR("Water"), STR("a little")}};
	struct post quick = put(s, "x-glue", KIND_HOWTO, "2026-02-01T10:00:00Z", none);
	struct post slow = put(s, "x-bread", KIND_HOWTO, "2026-02-02T10:00:00Z", none);
	struct post_body bodies[] = {{.materials = glue, .material_count = 2}, {.materials = dough, .material_count = 3}};
	struct answer page;

	quick.minutes = 10, quick.difficulty = DIFFICULTY_EASY, quick.cost = STR("0.50"), quick.currency = STR("EUR");
	slow.minutes = 240, slow.difficulty = DIFFICULTY_HARD, slow.cost = STR("3"), slow.currency = STR("EUR");
	store(s, &quick);
	store(s, &slow);
	for (size_t i = 0; i < 2; i++) {
		struct item body = {0};

		key_set(s->arena, &body, key_post_body(s->arena, i == 0 ? quick.id : slow.id), ITEM_BODY);
		post_body_to_item(s->arena, &bodies[i], &body);
		seeded_put(s, &body, 1);
	}
	work(s);
	is_str(shown(s, "/howtos"), STR(" x-bread x-glue"), "how-tos, newest first");
	is_str(shown(s, "/howtos?difficulty=easy"), STR(" x-glue"), "... the easy ones");
	is_str(shown(s, "/howtos?minutes=30"), STR(" x-glue"), "... those of half an hour");
	is_str(shown(s, "/howtos?minutes=300&cost=3"), STR(" x-bread x-glue"), "... by time and cost");
	is_str(shown(s, "/howtos?cost=2.99"), STR(" x-glue"), "... by cost");
	is_str(shown(s, "/howtos?sort=quickest"), STR(" x-glue x-bread"), "the quickest first");
	is_str(shown(s, "/howtos?sort=cheapest"), STR(" x-glue x-bread"), "the cheapest first");
	ok(holds(visit(s, STR("/howtos?cost=much")).body, STR("Write an amount, such as 12 or 12.50.")),
	    "a cost that is none is told");
	is_str(shown(s, "/howtos?have=flour,+water"), STR(" x-glue x-bread"), "what lacks least comes first");
	page = visit(s, STR("/howtos?have=FLOUR,water"));
	ok(holds(page.body, STR("You have all 2 materials")) && holds(page.body, STR("You have 2 of 3 materials")),
	    "... with what is there of each");
	is_str(shown(s, "/howtos?have=strong+flour"), STR(" x-bread"), "all words of a thing are to be those of one material");
	is_str(shown(s, "/howtos?have=strong+salt"), STR(""), "... not of two");
	is_str(shown(s, "/howtos?have=waters,+strongest+FLOURS"), STR(" x-glue x-bread"), "words are compared by their stems");
	is_str(shown(s, "/howtos?have=flour,water&difficulty=hard"), STR(" x-bread"), "... and the rest counts, too");
	page = visit(s, STR("/howtos?have=" THREE THREE THREE THREE THREE THREE THREE "kwk+lwl,strong+salt"));
	ok(!holds(page.body, STR("/post/x-bread")) && holds(page.body, STR("Only the first 8 count.")),
	    "a thing for which there is no room is left away whole, and that is said");
	page = visit(s, STR("/howtos?have=bka+bkb+bkc+bkd+bke+bkf+bkg+bkh+bki+bkj+bkk+bkl+bkm+bkn+bko+bkp+bkq+bkr+bks+bkt+bku+bkv+bkw+bkx+bky"));
	ok(page.status == HTTP_OK && holds(page.body, STR("Put commas between the things you have.")) &&
		!holds(page.body, STR("Only the first")),
	    "one thing of too many words is asked to be several");
	is_str(shown(s, "/howtos?have=12,+%2C,mm"), STR(" x-bread x-glue"), "what says nothing is nothing");
	quick.visibility = VISIBILITY_FOLLOWERS;
	store(s, &quick);
	is_str(shown(s, "/howtos?have=flour"), STR(" x-bread"), "what is for followers is not shown, before the worker knows");
	work(s);
	is_str(shown(s, "/howtos?have=flour"), STR(" x-bread"), "... nor when it does");
}

/* As the search's index tells it, when that is in the new language. */
static void
gets_another_language(struct seeded *s)
{
	const struct material screws = {STR("Schrauben"), STR("12")};
	const struct post_body body = {.materials = &screws, .material_count = 1};
	struct item item = {0}, mark = {0};

	key_set(s->arena, &item, key_post_body(s->arena, STR("x-bread")), ITEM_BODY);
	post_body_to_item(s->arena, &body, &item);
	seeded_put(s, &item, 1);
	work(s);
	is_str(shown(s, "/howtos?have=Schraube"), STR(""), "stems are those of the site's language");
	set(s, key_site_settings(), STR("Language"), value_string(STR("de")));
	key_set(s->arena, &mark, key_search_site(), ITEM_SEARCH_SITE);
	item_set(s->arena, &mark, STR("Language"), value_string(STR("de")));
	seeded_put(s, &mark, 1);
	work(s);
	is_str(shown(s, "/howtos?have=Schraube"), STR(" x-bread"), "... when that is another, of the other");
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	seeded_open(&s);
	work(&s);
	links(&s);
	howtos(&s);
	gets_another_language(&s);
	is_int(differences(&s), 0, "nothing differs from what should be derived");
	seeded_close(&s);
	return tap_done();
}
