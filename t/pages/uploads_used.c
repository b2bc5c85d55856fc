/*
 * What uses a picture: its owner is told before deleting it, others' drafts are not named, a picture that a post shows
 * outlives the account of its owner, and a portrait goes with the next one.
 */
#include "pictures.h"

#include "lib/picture.h"
#include "submit.h"
#include "writer.h"

#include "model/key.h"
#include "model/people/leaving.h"
#include "model/post/media.h"
#include "model/site/settings.h"
#include "web/media/media_store.h"

static void
is_used(struct seeded *s)
{
	struct browser b = browser_of(s, "noor"), asked;
	struct str hash;
	struct write writes[MEDIA_USE_WRITES_MAX];
	struct item items[2];
	const char *page, *away;
	size_t before;

	UPLOAD(&b, NULL, {"used.png", picture_png(s->arena, 50, 10, 5)});
	get(&b, "/uploads");
	hash = first_hash(&b);
	for (size_t i = 0; i < 2; i++) {
		struct media_uses none = {.post = STR("")};
		struct media_uses uses = {.post = i == 0 ? STR("mine") : STR("theirs"),
		    .title = i == 0 ? STR("My <own> post") : STR("A secret of theirs"),
		    .author = i == 0 ? STR("noor") : STR("kofi"),
		    .open = true,
		    .hashes = {&hash, 1}};

		media_use_writes(s->arena, &none, &uses, writes);
		items[i] = writes[0].item;
	}
	seeded_put(s, items, 2);
	get(&b, "/uploads");
	ok(says(&b, "<a href=\"/edit/mine\">My <own> post</a>"),
	    "a picture names the posts that show it");
	ok(!says(&b, "secret") && says(&b, "1 post of somebody else"),
	    "... but no titles of others' drafts");
	page = first_picture(&b);
	get(&b, page);
	ok(says(&b, "My <own> post") && !says(&b, "secret"), "... nor does its own page");
	away = behind(&b, page, "/delete");
	before = picture_files(s);
	is_int(submit(&b, away, (const char *const[]){NULL}), HTTP_OK, "one that is used");
	ok(says(&b, "It is in “My <own> post” and 1 post of somebody else.") && !says(&b, "secret"),
	    "... is not deleted before its owner is told where,");
	is_int((int64_t)picture_files(s), (int64_t)before, "... and is still there,");
	ok(holds(b.last.body, STR("class=\"button\" href=\"/uploads/")), "... with a way back");
	asked = b;
	b = browser_of(s, "tobias");
	get(&b, str_cstring(s->arena, STR_CONCAT(s->arena, STR("/uploads/"), hash)));
	ok(says(&b, "A secret of theirs"), "an editor may know");
	is_int(submit(&asked, away, (const char *const[]){NULL}), HTTP_SEE_OTHER,
	    "who is sure deletes it");
	is_int(get(&asked, page), HTTP_NOT_FOUND, "... and then it is gone");
}

/* Where "More posts" leads; nowhere on the last page. */
static struct str
more_of(const struct browser *b)
{
	struct str rest = b->last.body, item;

	while (between(&rest, STR("<li><a href=\""), STR("</a></li>"), &item))
		if (holds(item, STR("\">More posts")))
			return str_sub(item, 0, str_find(item, '"'));
	return STR("");
}

/* More posts show it than a page names: all of them can be found before it is deleted. */
static void
is_used_much(struct seeded *s)
{
	enum { USES = 120 };
	struct browser b = browser_of(s, "noor");
	struct write writes[MEDIA_USE_WRITES_MAX];
	struct item items[USES];
	struct str hash, next, seen = STR("");
	size_t pages = 0, found = 0;
	const char *page;

	UPLOAD(&b, NULL, {"much.png", picture_png(s->arena, 52, 10, 5)});
	get(&b, "/uploads");
	page = first_picture(&b);
	hash = str_sub(str_of(page), 9, 99);
	for (size_t i = 0; i < USES; i++) {
		struct media_uses none = {.post = STR("")};
		struct media_uses uses = {.post = str_fmt(s->arena, "used-%03zu", i),
		    .title = str_fmt(s->arena, "Used in %03zu", i),
		    .author = STR("noor"),
		    .hashes = {&hash, 1}};

		media_use_writes(s->arena, &none, &uses, writes);
		items[i] = writes[0].item;
	}
	seeded_put(s, items, USES);
	get(&b, "/uploads");
	ok(says(&b, "Used in 009") && !says(&b, "Used in 010"),
	    "of many posts the first are named");
	ok(holds(b.last.body, str_fmt(s->arena, "<a href=\"%s\">More posts</a>", page)),
	    "... with a way to the others");
	for (next = str_of(page); next.len != 0 && pages < 9; pages++) {
		get(&b, str_cstring(s->arena, next));
		seen = STR_CONCAT(s->arena, seen, b.last.body);
		next = unescaped(s->arena, more_of(&b));
	}
	for (size_t i = 0; i < USES; i++)
		found += holds(seen, str_fmt(s->arena, "Used in %03zu", i));
	is_int((int64_t)found, USES, "the picture's page has all of them, in %zu pages", pages);
	is_int(get(&b, behind(&b, page, "?after=made-up")), HTTP_BAD_REQUEST,
	    "a cursor that was made up is none");
	get(&b, page);
	is_int(submit(&b, behind(&b, page, "/delete"), (const char *const[]){NULL}), HTTP_OK,
	    "whoever deletes it");
	ok(says(&b, "and in more, which its page names"), "... is told where to look");
}

/* An address that was typed by hand, of a size that the picture does not have. */
static void
has_a_size(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct str markdown, hash;

	UPLOAD(&b, NULL, {"sized.png", picture_png(s->arena, 900, 450, 5)});
	get(&b, "/uploads");
	markdown = part(b.last.body, "readonly value=\"", "\"");
	hash = first_hash(&b);
	get(&b, "/write/note");
	SUBMIT(&b, "/write/note", "do", "preview", "markdown", str_cstring(s->arena, markdown));
	ok(holds(b.last.body, hash) && !says(&b, "is not there."), "a picture that is there");
	markdown = str_fmt(s->arena, "![x](/media/%.*s-480x240.png)", STR_ARGS(hash));
	SUBMIT(&b, "/write/note", "do", "preview", "markdown", str_cstring(s->arena, markdown));
	ok(!says(&b, "is not there."), "... in a smaller size");
	markdown = str_fmt(s->arena, "![x](/media/%.*s-900x451.png)", STR_ARGS(hash));
	SUBMIT(&b, "/write/note", "do", "preview", "markdown", str_cstring(s->arena, markdown));
	ok(says(&b, "-900x451.png is not there."), "... but not in one that was made up");
}

static size_t
cleared(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	size_t before = picture_files(s);
	bool more = true;

	/* What is to be swept from now on. */
	s->clock.fixed_now++;
	while (more)
		if (media_store_clear(s->site.media, s->table, &call, s->clock.fixed_now, &more) !=
		    TABLE_OK)
			bail_out("clearing failed");
	table_release(s->table, &call);
	return before - picture_files(s);
}

/* Sends a picture to the form of a page; the last page is the answer. */
static enum http_status
send_to(struct browser *b, const char *page, const char *form, const char *name, struct str bytes)
{
	struct str token;

	get(b, page);
	token = str_dup(b->s->arena, part(b->last.body, "name=\"csrf\" value=\"", "\""));
	return upload_files_to(b, form, token, NULL, (const struct upload[]){{name, bytes}, {NULL}});
}

static enum http_status
send_portrait(struct browser *b, const char *name, struct str bytes)
{
	return send_to(b, "/account", "/account/portrait", name, bytes);
}

static enum http_status
send_nameplate(struct browser *b, const char *name, const char *bytes)
{
	return send_to(b, "/admin/settings", "/admin/nameplate", name, str_of(bytes));
}

static void
portraits(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal");
	struct str png = picture_png(s->arena, 1200, 600, 1),
		   high = picture_png(s->arena, 500, 1000, 1);
	struct str large = {arena_alloc(s->arena, 1024 * 1024 + 1), 1024 * 1024 + 1}, shown;
	enum http_status status = HTTP_OK;
	int64_t before;

	ok(get(&b, "/uploads") == HTTP_FORBIDDEN, "a reader has no pictures");
	get(&b, "/account/portrait");
	ok(says(&b, "Your portrait") && !says(&b, "Or one of your pictures"),
	    "... but may have a portrait");
	(void)cleared(s);
	before = (int64_t)picture_files(s);
	is_int(send_portrait(&b, "me.png", png), HTTP_SEE_OTHER, "it is sent");
	is_str(leads_to(&b), STR("/account?done=portrait"), "... from the page of their account");
	is_int((int64_t)picture_files(s), before + 1, "... and kept in one small file");
	get(&b, "/account?done=portrait");
	shown = str_dup(s->arena, part(b.last.body, "class=\"avatar\" src=\"", "\""));
	ok(says(&b, "Your portrait is changed.") && str_ends(shown, STR("-480x240.png")),
	    "... which is shown there");
	ok(stranger_sees(s, "/author/pascal", str_cstring(s->arena, shown)),
	    "... and where others see who they are");
	is_int(send_portrait(&b, "me.txt", STR("x")), HTTP_UNPROCESSABLE, "what is no picture");
	ok(says(&b, "me.txt is no JPEG, PNG or WebP, whatever its name says.") &&
		says(&b, str_cstring(s->arena, shown)),
	    "... is said, and the portrait stays");
	is_int(send_portrait(&b, "me.png", large), HTTP_UNPROCESSABLE, "what is too large");
	ok(says(&b, "me.png has more than 1 MB."), "... is said");
	is_int(send_portrait(&b, "half.png", str_sub(png, 0, 60)), HTTP_UNPROCESSABLE,
	    "what is damaged");
	ok(says(&b, "half.png is damaged"), "... is said");
	s->clock.fixed_now += 40 * INT64_C(86400000);
	is_int((int64_t)cleared(s), 0, "as long as it is theirs it stays");
	b = browser_of(s, "pascal");
	is_int(send_portrait(&b, "high.png", high), HTTP_SEE_OTHER, "another one");
	get(&b, "/account");
	ok(holds(b.last.body, STR("-240x480.png\"")), "... takes its place");
	is_int((int64_t)cleared(s), 1, "... and the old one is swept");
	is_int(send_portrait(&b, "high.png", high), HTTP_SEE_OTHER, "the same again");
	is_int((int64_t)cleared(s), 0, "... is the same");
	get(&b, "/account");
	is_int(SUBMIT(&b, "/account/portrait", "do", "remove"), HTTP_SEE_OTHER, "it is removed");
	ok(!stranger_sees(s, "/author/pascal", "class=\"avatar\""), "... for everybody");
	is_int((int64_t)cleared(s), 1, "... and swept");
	is_int((int64_t)picture_files(s), before, "... so that nothing is left");
	get(&b, "/account");
	is_int(SUBMIT(&b, "/account/portrait", NULL), HTTP_UNPROCESSABLE, "nothing is chosen");
	ok(says(&b, "Choose a picture: none came with the form."), "... which is said");
	for (int i = 0; i < 25 && status != HTTP_TOO_MANY; i++)
		status = send_portrait(&b, "again.txt", STR("x"));
	is_int(status, HTTP_TOO_MANY, "there is an end of how often");
	ok(says(&b, "again.txt was not kept: 20 portraits in a day are the most."), "... which is said");
}

/* What an upload leaves that did not become a portrait. */
static void
half_way(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	const struct media_upload upload = {.owner = STR("pascal"),
	    .key = s->site.picture_key,
	    .name = STR("me.png"),
	    .bytes = picture_png(s->arena, 200, 100, 7),
	    .now = s->clock.fixed_now,
	    .portrait = true};
	enum table_rc failed;
	struct media media;

	is_int(media_store_add(s->site.media, s->table, &call, &upload, &media, &failed),
	    MEDIA_DONE, "a portrait that was sent and not set");
	table_release(s->table, &call);
	is_int((int64_t)cleared(s), 0, "... waits for a day");
	s->clock.fixed_now += 2 * INT64_C(86400000);
	is_int((int64_t)cleared(s), 1, "... and is swept");
}

/* A portrait, which goes with the next one, is not offered for posts. */
static void
is_no_upload(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	const char *shown;

	is_int(send_portrait(&b, "face.png", picture_png(s->arena, 300, 300, 9)), HTTP_SEE_OTHER,
	    "an author’s portrait");
	get(&b, "/account");
	shown = str_cstring(s->arena, part(b.last.body, "class=\"avatar\" src=\"", "\""));
	get(&b, "/uploads");
	ok(!says(&b, shown) && !says(&b, "face.png"), "... is not among the pictures");
	get(&b, "/write/article");
	ok(!says(&b, shown), "... nor among the covers");
}

/* An author chooses one of their pictures, which stays theirs. */
static void
chosen_portrait(struct seeded *s)
{
	struct browser b = browser_of(s, "noor"), kofi = browser_of(s, "kofi");
	struct str elsewhere = STR("https://pictures.example/noor.png");
	struct item item = seeded_item(s, "USER#noor", "METADATA");
	const char *page, *url, *away;

	item_set(s->arena, &item, STR("AvatarURL"), value_string(elsewhere));
	seeded_put(s, &item, 1);
	ok(!stranger_sees(s, "/author/noor", "pictures.example"),
	    "a portrait elsewhere calls nobody");
	get(&b, "/account");
	ok(says(&b, "Yours is at https://pictures.example/noor.png, and not shown any more"),
	    "... of which its owner is told");
	UPLOAD(&b, NULL, {"chosen.png", picture_png(s->arena, 1000, 500, 3)});
	get(&b, "/uploads");
	page = first_picture(&b);
	url = str_cstring(s->arena, part(b.last.body, "value=\"![](", ")"));
	get(&kofi, "/account");
	is_int(SUBMIT(&kofi, "/account/portrait", "picture", url), HTTP_UNPROCESSABLE,
	    "a picture of somebody else");
	ok(says(&kofi, "This picture is not there any more."), "... is nobody’s portrait");
	get(&b, "/account");
	ok(says(&b, "Or one of your pictures") && says(&b, url),
	    "an author has pictures to choose");
	is_int(SUBMIT(&b, "/account/portrait", "picture", url), HTTP_SEE_OTHER, "... one of them");
	ok(stranger_sees(s, "/author/noor", "-480x240.png\" alt"),
	    "... is shown in its small size");
	get(&b, page);
	ok(says(&b, "Your portrait"), "it says that it is");
	away = behind(&b, page, "/delete");
	is_int(submit(&b, away, (const char *const[]){NULL}), HTTP_OK, "who deletes it");
	ok(says(&b, "It is your portrait: you will have none."), "... is told what goes with it");
	is_int(submit(&b, away, (const char *const[]){NULL}), HTTP_SEE_OTHER, "... and is sure");
	ok(!stranger_sees(s, "/author/noor", "class=\"avatar\""), "then nobody shows it");
	item = seeded_item(s, "USER#noor", "METADATA");
	is_str(item_string(&item, STR("AvatarURL")), STR(""), "... and no address is left");
}

/* Sends the form of the cover; the last page is the answer. */
static enum http_status
send_cover(struct browser *b, const char *picture, const char *alt, const char *button)
{
	get(b, "/account");
	return submit(b, "/account/portrait?which=cover",
	    (const char *const[]){"picture", picture, "alt", alt, "do", button, NULL});
}

/* Whoever decides on one that waits is shown it, and what it shows. */
static void
waits(struct seeded *s, struct browser *author, const char *url)
{
	struct browser admin = browser_of(s, "marta");
	struct buf look = {.arena = s->arena};
	struct str value;

	is_int(submit_form(&admin, "/admin/moderation", "/admin/moderation",
		   (const char *const[]){"words", "casino", NULL}),
	    HTTP_SEE_OTHER, "a word is listed");
	is_int(send_cover(author, "", "The casino at night", ""), HTTP_SEE_OTHER, "a cover in such words");
	get(&admin, "/admin/comments");
	ok(says(&admin, "Their cover shows: The casino at night") &&
		says(&admin, text_in(s, "<a href=\"%s\">The cover of their page</a>", url)),
	    "... waits, and an admin sees it");
	value = part(part(admin.last.body, "Their cover shows", "</li>"), "name=\"approve\" value=\"", "\"");
	value = unescaped(s->arena, value);
	put_field(&look, STR("csrf"), part(admin.last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&look, STR("action"), STR("approve"));
	put_field(&look, STR("pick"), value);
	is_int(fetch(&admin, "POST", "/admin/comments/bulk", buf_str(&look)), HTTP_OK, "... or chooses it among others");
	ok(says(&admin, "Their cover shows: The casino at night"), "... which says so, too");
	get(&admin, "/admin/comments");
	is_int(SUBMIT(&admin, "/admin/comments", "approve", str_cstring(s->arena, value)), HTTP_SEE_OTHER,
	    "... who approves it");
}

/* So many letters of four bytes each. */
static struct str
letters(struct seeded *s, size_t count)
{
	struct buf text = {.arena = s->arena};

	for (size_t i = 0; i < count; i++)
		buf_put(&text, STR("\xf0\x90\x8c\xb0"));
	return buf_str(&text);
}

/* Whatever a browser sends, a cover is one file: the first. */
static void
two_files(struct seeded *s, struct browser *b)
{
	struct str token;

	get(b, "/account");
	token = str_dup(s->arena, part(b->last.body, "name=\"csrf\" value=\"", "\""));
	is_int(upload_files_to(b, "/account/portrait?which=cover", token, NULL,
		   (const struct upload[]){{"tide.png", picture_png(s->arena, 900, 300, 7)}, {"x.png", STR("x")}, {NULL}}),
	    HTTP_SEE_OTHER, "of two files the first is the cover");
	is_int(upload_files_to(b, "/account/portrait?which=cover", token, NULL,
		   (const struct upload[]){{"x.png", STR("x")}, {"tide.png", picture_png(s->arena, 900, 300, 7)}, {NULL}}),
	    HTTP_UNPROCESSABLE, "... and if it is no picture");
	ok(says(b, "x.png is no JPEG, PNG or WebP"), "... that is said");
}

/* An author's page has one of their pictures as its cover, which stays as long as it is. */
static void
covers(struct seeded *s)
{
	struct browser b = browser_of(s, "lowri"), pascal = browser_of(s, "pascal");
	const char *url, *page;
	struct str token;

	get(&pascal, "/account");
	ok(!says(&pascal, "The cover of your page"), "who writes nothing has no cover");
	token = str_dup(s->arena, part(pascal.last.body, "name=\"csrf\" value=\"", "\""));
	is_int(upload_files_to(&pascal, "/account/portrait?which=cover", token, NULL,
		   (const struct upload[]){{"x.png", STR("x")}, {NULL}}),
	    HTTP_FORBIDDEN, "... whatever they send");
	UPLOAD(&b, NULL, {"quay.png", picture_png(s->arena, 1000, 400, 4)});
	get(&b, "/uploads");
	url = str_cstring(s->arena, part(b.last.body, "value=\"![](", ")"));
	(void)send_cover(&b, "", "", "remove");
	is_int(send_portrait(&b, "face.png", picture_png(s->arena, 90, 90, 6)), HTTP_SEE_OTHER, "a portrait");
	get(&b, "/account");
	is_int(send_cover(&b, str_cstring(s->arena, part(b.last.body, "class=\"avatar\" src=\"", "\"")), "", ""),
	    HTTP_UNPROCESSABLE, "... is no cover");
	ok(says(&b, "This is a portrait"), "... which is said");
	is_int(send_cover(&b, "", "", ""), HTTP_UNPROCESSABLE, "a cover is a picture");
	is_int(send_cover(&b, url, "The quay\nat night", ""), HTTP_UNPROCESSABLE,
	    "... that is described in a line");
	ok(says(&b, "Say what it shows in one line"), "... which is said");
	is_int(send_cover(&b, url, str_cstring(s->arena, letters(s, 301)), ""), HTTP_UNPROCESSABLE,
	    "... of 300 characters at most");
	ok(says(&b, "not more than 300 characters"), "... which is said");
	is_int(send_cover(&b, url, str_cstring(s->arena, letters(s, 300)), ""), HTTP_SEE_OTHER, "... however many bytes");
	is_int(send_cover(&b, url, "The quay", ""), HTTP_SEE_OTHER, "it is chosen");
	is_str(leads_to(&b), STR("/account?done=cover"), "... which is said");
	ok(stranger_sees(s, "/author/lowri", "class=\"cover\"") &&
		stranger_sees(s, "/author/lowri", "alt=\"The quay\"") && stranger_sees(s, "/author/lowri", url),
	    "... and at the head of the page, with what it shows");
	is_int(send_cover(&b, "", "The quay at night", ""), HTTP_SEE_OTHER, "it is described anew");
	ok(stranger_sees(s, "/author/lowri", "alt=\"The quay at night\"") &&
		stranger_sees(s, "/author/lowri", url),
	    "... and is the same picture");
	get(&b, "/uploads");
	ok(says(&b, "/account#cover"), "the picture says that it is the cover");
	page = first_picture(&b);
	get(&b, page);
	is_int(submit(&b, behind(&b, page, "/delete"), (const char *const[]){NULL}), HTTP_OK,
	    "who deletes it");
	ok(says(&b, "It is the cover of your page, which will have none."), "... is told what goes with it");
	waits(s, &b, url);
	is_int(send_cover(&b, url, "The casino at night", ""), HTTP_SEE_OTHER, "the same again, in the same words");
	is_int(send_cover(&b, "", "The casino at night", ""), HTTP_SEE_OTHER, "... with no picture chosen");
	get(&b, "/account/restricted");
	ok(says(&b, "Nothing is held or hidden."), "... waits for nobody");
	two_files(s, &b);
	become(s, "lowri", "reader");
	get(&b, "/account");
	ok(says(&b, "Remove the cover") && !says(&b, "Save the cover") && !says(&b, "id=\"cover-file\""),
	    "who may not write any more can only remove theirs");
	is_int(send_cover(&b, url, "The quay", ""), HTTP_FORBIDDEN, "... whatever they send");
	is_int(send_cover(&b, "", "A casino", "remove"), HTTP_SEE_OTHER, "it is removed");
	get(&b, "/account/restricted");
	ok(says(&b, "Nothing is held or hidden."), "... and waits for nobody, whatever was typed beside it");
	ok(!stranger_sees(s, "/author/lowri", "class=\"cover\""), "... for everybody");
}

/* The site's, which alone may be a drawing. */
static void
nameplate(struct seeded *s)
{
	static const char hostile[] = "<svg viewBox='0 0 8 2' onload='x()'><script>y()</script><path d='M0 0h8v2z'/></svg>",
			  clean[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1600\" height=\"400\" viewBox=\"0 0 8 2\">"
				    "<path d=\"M0 0h8v2z\"/></svg>";
	struct browser b = browser_of(s, "marta");
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .clock = &s->clock, .now = s->clock.fixed_now};
	struct media_address address;
	struct str plate, kept;
	const char *page;

	UPLOAD(&b, NULL, {"plate.svg", str_of(hostile)});
	ok(says(&b, "plate.svg is an SVG: the nameplate may be one, in the settings of the site, and nothing else."),
	    "an SVG is no picture of a post, which is said");
	is_int(send_portrait(&b, "plate.svg", str_of(hostile)), HTTP_UNPROCESSABLE, "... nor a portrait");
	is_int(send_nameplate(&b, "plate.svg", "<svg viewBox='0 0 8 2'><g></svg>"), HTTP_UNPROCESSABLE,
	    "one that is damaged");
	ok(says(&b, "plate.svg is damaged") && has_value(&b, "name", "Slack Water"), "... is said where it was chosen");
	is_int(send_nameplate(&b, "plate.svg", "<svg viewBox='0 0 8 2'><style>a{}</style></svg>"), HTTP_UNPROCESSABLE,
	    "one that has nothing to be seen");
	ok(says(&b, "plate.svg is an SVG of which nothing can be shown."), "... too");
	is_int(send_nameplate(&b, "plate.svg", "<svg viewBox='0 0 8 2'><g id='a'><use href='#a'/><path d='M0 0'/></g></svg>"),
	    HTTP_UNPROCESSABLE, "one that draws itself");
	ok(says(&b, "256 KB, 5,000 elements with all copies, 1,000 uses, clips and masks, 8 of these within each other, 64 levels of "
		    "nesting."),
	    "... and how much one may have");
	is_int(send_nameplate(&b, "plate.svg", hostile), HTTP_SEE_OTHER, "one with a script");
	is_str(leads_to(&b), STR("/admin/settings?done=nameplate"), "... becomes the nameplate");
	plate = str_dup(s->arena, part(visit(s, STR("/tags")).body, "class=\"plate\" src=\"", "\""));
	ok(stranger_sees(s, "/", "alt=\"Slack Water\" width=\"1600\" height=\"400\""), "... with its size, and the name as its text");
	ok(media_address_read(plate, STR(""), &address) &&
		media_store_read(s->site.media, s->arena, &address, sizeof(hostile) * 4, &kept),
	    "... is kept");
	is_str(kept, str_of(clean), "... without the script");
	get(&b, "/uploads");
	ok(says(&b, "plate.svg") && !holds(b.last.body, STR_CONCAT(s->arena, STR("![]("), plate)),
	    "it is listed without a line for texts");
	get(&b, "/write/article");
	ok(!holds(b.last.body, STR_CONCAT(s->arena, STR("name=\"thumbnail_url\" value=\""), plate)), "... and is no cover");
	get(&b, "/account");
	ok(!holds(b.last.body, STR_CONCAT(s->arena, STR("name=\"picture\" value=\""), plate)), "... nor a portrait");
	is_int(SUBMIT(&b, "/account/portrait", "picture", str_cstring(s->arena, plate)), HTTP_UNPROCESSABLE, "... whoever tries");
	get(&b, "/admin/settings");
	is_int(SUBMIT(&b, "/admin/settings", "name", "High Water", "language", "en", "registration", "open", "posts_per_page",
		   "7", "time_zone", "UTC"),
	    HTTP_SEE_OTHER, "the settings are saved");
	ok(stranger_sees(s, "/tags", str_cstring(s->arena, plate)), "... beside it");
	is_int(send_nameplate(&b, "plain.svg", clean), HTTP_SEE_OTHER, "the same without the script");
	ok(stranger_sees(s, "/tags", str_cstring(s->arena, plate)), "... is the same");
	is_int(send_nameplate(&b, "laughs.svg", "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>"), HTTP_UNPROCESSABLE,
	    "one that declares entities");
	ok(says(&b, "declares entities: save it as a plain SVG"), "... is refused");
	get(&b, "/admin/settings");
	is_int(SUBMIT(&b, "/admin/settings", "name", "High Water", "language", "en", "registration", "open", "posts_per_page",
		   "7", "time_zone", "UTC", "picture", str_cstring(s->arena, plate)),
	    HTTP_UNPROCESSABLE, "it is no picture for links");
	ok(says(&b, "An SVG can be the nameplate of the site, and nothing else."), "... which is said");
	is_int(SUBMIT(&b, "/admin/settings", "name", "High Water", "language", "en", "registration", "open", "posts_per_page",
		   "7", "time_zone", "UTC", "picture", str_cstring(s->arena, STR_CONCAT(s->arena, plate, STR("?x#y")))),
	    HTTP_UNPROCESSABLE, "... whatever stands behind its address");
	get(&b, "/admin/nameplate");
	is_int(SUBMIT(&b, "/admin/nameplate", "do", "remove"), HTTP_SEE_OTHER, "it is taken away");
	ok(!stranger_sees(s, "/tags", "class=\"plate\""), "... from every page");
	get(&b, "/admin/settings");
	is_int(SUBMIT(&b, "/admin/nameplate", "picture", str_cstring(s->arena, plate)), HTTP_SEE_OTHER,
	    "... and chosen again among one's pictures");
	get(&b, "/admin/settings");
	is_int(SUBMIT(&b, "/admin/nameplate", "picture", "/media/0123456789abcdef0123456789abcdef-400x80.png"),
	    HTTP_UNPROCESSABLE, "what is nobody's picture is not");
	ok(says(&b, "This picture is not there any more."), "... which is said");
	is_int(settings_save_nameplate(&plan, STR("/media/0123456789abcdef0123456789abcdef-400x80.png")), PLAN_NOT_THERE,
	    "... nor one that is deleted while it is chosen");
	page = str_cstring(s->arena, str_fmt(s->arena, "/uploads/%.*s", STR_ARGS(address.hash)));
	get(&b, page);
	ok(says(&b, "An SVG can be the nameplate of the site"), "its page says what it can be");
	is_int(submit(&b, behind(&b, page, "/delete"), (const char *const[]){NULL}), HTTP_OK, "who deletes it is asked");
}

static void
leaves(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), tobias;
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	struct item user = seeded_item(s, "USER#ingrid", "METADATA");
	struct str shown = picture_png(s->arena, 80, 10, 8),
		   idle = picture_png(s->arena, 82, 10, 8);
	struct str hash = media_hash(s->arena, s->site.picture_key, STR("ingrid"), shown);
	struct media_uses none = {.post = STR("")},
			  uses = {.post = STR("a-post"), .hashes = {&hash, 1}};
	struct write writes[MEDIA_USE_WRITES_MAX];
	struct user ingrid;
	bool done = false;

	UPLOAD(&b, NULL, {"shown.png", shown}, {"idle.png", idle});
	media_use_writes(s->arena, &none, &uses, writes);
	seeded_put(s, &writes[0].item, 1);
	user_from_item(s->arena, &user, &ingrid);
	if (account_leave(&plan, &s->clock, &ingrid, true) != PLAN_DONE)
		bail_out("she can't leave");
	while (!done)
		if (leaving_round(&plan, STR("ingrid"), &done) != PLAN_DONE)
			bail_out("what she left can't be worked off");
	table_release(s->table, &call);
	tobias = browser_of(s, "tobias");
	get(&tobias, str_cstring(s->arena, STR_CONCAT(s->arena, STR("/uploads/"), hash)));
	ok(holds(tobias.last.body, STR("/author/left-")),
	    "the pictures of who has left are nobody's");
	is_int((int64_t)cleared(s), 0, "... and stay for a day");
	s->clock.fixed_now += 2 * INT64_C(86400000);
	is_int((int64_t)cleared(s), 1, "then those go that no post shows");
	is_int((int64_t)cleared(s), 0, "... and the others stay");
	if (table_write(s->table, &call,
		&(struct write){.kind = WRITE_DELETE,
		    .key = key_media_use(s->arena, hash, STR("a-post"))}) != TABLE_OK)
		bail_out("a use can't be removed");
	table_release(s->table, &call);
	is_int((int64_t)cleared(s), 0, "... for a month more when their post goes");
	s->clock.fixed_now += 40 * INT64_C(86400000);
	is_int((int64_t)cleared(s), 1, "... at most");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	pictures_open(&s);
	is_used(&s);
	is_used_much(&s);
	has_a_size(&s);
	portraits(&s);
	half_way(&s);
	is_no_upload(&s);
	chosen_portrait(&s);
	covers(&s);
	nameplate(&s);
	leaves(&s);
	pictures_close(&s);
	browsers_close(&s);
	return tap_done();
}
