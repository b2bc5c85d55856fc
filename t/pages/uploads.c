/*
 * Pictures, as their pages have them: what is taken and what is refused, one by one; who sees and deletes them;
 * what uses them; and that a table that fails, or a program that is missing, is said and leaves nothing behind.
 */
#include "browser.h"

#include "../failing_table.h"
#include "../picture.h"

#include "model/key.h"
#include "model/leaving.h"
#include "model/media.h"
#include "model/media_room.h"
#include "model/rate.h"
#include "pages/uploads.h"
#include "web/media_store.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct media_store_options usual = {
    .program = TOP_BUILDDIR "/broadsheet-image", .file_max = 1024 * 1024};

/* --- The directory ------------------------------------------------------------------------------------ */

/* The test's own folder; a seeded site has none of its own on every store. */
static char folder[] = "/tmp/broadsheet-uploads-XXXXXX";

static const char *
media_directory(struct seeded *s)
{
	return str_cstring(s->arena, str_fmt(s->arena, "%s/media", folder));
}

static void
open_media(struct seeded *s, const char *program)
{
	struct media_store_options options = usual;

	options.directory = media_directory(s);
	options.program = program;
	media_store_free(s->site.media);
	s->site.media = media_store_new(&options);
	media_store_prepare(s->site.media);
}

/* How many files there are; with `gone`, they are no more afterwards. */
static size_t
files(struct seeded *s, bool gone)
{
	DIR *directory = opendir(media_directory(s));
	struct dirent *entry;
	size_t count = 0;

	while (directory != NULL && (entry = readdir(directory)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		count++;
		if (gone)
			unlinkat(dirfd(directory), entry->d_name, 0);
	}
	if (directory != NULL)
		closedir(directory);
	return count;
}

/* --- Sending ------------------------------------------------------------------------------------------ */

static struct str
token_of(struct browser *b)
{
	get(b, "/uploads");
	return str_dup(b->s->arena, part(b->last.body, "name=\"csrf\" value=\"", "\""));
}

static enum http_status
upload(struct browser *b, const char *answer, const struct upload *sent)
{
	return upload_files(b, token_of(b), answer, sent);
}
#define UPLOAD(b, answer, ...) upload((b), (answer), (const struct upload[]){__VA_ARGS__, {NULL}})

/* The address of the page of the first picture that a page lists. */
static const char *
first_of(struct browser *b)
{
	struct str found = part(b->last.body, "class=\"thumb\" href=\"", "\"");

	return str_cstring(b->s->arena, found);
}

static const char *
behind(struct browser *b, const char *address, const char *end)
{
	return str_cstring(b->s->arena, STR_CONCAT(b->s->arena, str_of(address), str_of(end)));
}

/* --- What is taken ------------------------------------------------------------------------------------ */

static void
takes(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct str png = picture_png(s->arena, 1200, 600, 1);
	const char *page;

	get(&b, "/write/article");
	ok(holds(b.last.body, STR("<a href=\"/uploads\" target=\"_blank\">upload them in another")),
	    "the form of writing says how a picture comes into the text");
	is_int(get(&b, "/uploads"), HTTP_OK, "an author has a page for pictures");
	ok(says(&b, "Copy the line under a picture into your text"), "... which says it, too");
	ok(says(&b, "No pictures yet."), "... with none on it");
	is_str(header(&b.last, "Cache-Control"), STR("no-store"), "... which nobody keeps");
	is_int(UPLOAD(&b, NULL, {"old harbour.png", png}), HTTP_SEE_OTHER, "a picture is taken");
	is_str(leads_to(&b), STR("/uploads?done=uploaded"), "... and leads back");
	is_int((int64_t)files(s, false), 3, "... in three files");
	is_int(get(&b, "/uploads?done=uploaded"), HTTP_OK, "the page");
	ok(says(&b, "Your pictures are here.") && says(&b, "1,200 × 600 pixels") &&
		says(&b, "old harbour.png") && says(&b, "In no post"),
	    "... says what it is");
	ok(says(&b, "value=\"![old harbour](/media/") && says(&b, "-1200x600.png)\""),
	    "... and what to write into a text");
	page = first_of(&b);
	is_int(get(&b, page), HTTP_OK, "the picture has a page of its own");
	ok(holds(b.last.body, STR("-480x240.png 480w, /media/")), "... in all its widths");

	is_int(UPLOAD(&b, NULL, {"again.png", png}), HTTP_SEE_OTHER, "the same picture again");
	get(&b, "/uploads");
	is_int((int64_t)count_of(b.last.body, STR("class=\"thumb\"")), 1, "... is the same");
}

static void
refuses(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct str png = picture_png(s->arena, 20, 10, 2), html = STR("<script>alert(1)</script>");
	struct str large = {arena_alloc(s->arena, 1024 * 1024 + 1), 1024 * 1024 + 1};
	struct buf bomb = {.arena = s->arena};
	size_t before = files(s, false);

	picture_png_head(&bomb, 50000, 50000);
	picture_chunk(&bomb, "IEND", STR(""));
	is_int(UPLOAD(&b, NULL, {"a.png", png}, {"page.jpg", html}, {"large.png", large},
		   {"bomb.png", buf_str(&bomb)}, {"half.png", str_sub(png, 0, 40)},
		   {"none.png", STR("")}),
	    HTTP_UNPROCESSABLE, "good ones and bad ones together");
	ok(says(&b, "page.jpg is no JPEG, PNG or WebP, whatever its name says."),
	    "... what is none,");
	ok(says(&b, "large.png has more than 1 MB."), "... what is too large,");
	ok(says(&b, "bomb.png has too many pixels"), "... has too many pixels,");
	ok(says(&b, "half.png is damaged"), "... is damaged,");
	ok(says(&b, "none.png is empty."), "... or empty is named");
	ok(says(&b, "The others are here.") && says(&b, "20 × 10 pixels"),
	    "... and the good one is in");
	is_int((int64_t)(files(s, false) - before), 1, "... alone");
	is_int(UPLOAD(&b, NULL, {"", STR("")}), HTTP_UNPROCESSABLE, "when nothing is chosen");
	ok(says(&b, "Choose a picture"), "... that is said");
	is_int(UPLOAD(&b, NULL, {"\"><script>alert(1)</script>.txt", STR("x")}), HTTP_BAD_REQUEST,
	    "a name that breaks out of its quotes");
	is_int(
	    UPLOAD(&b, NULL, {"<b>&.txt", STR("x")}), HTTP_UNPROCESSABLE, "a name with HTML in it");
	ok(holds(b.last.body, STR("&lt;b&gt;&amp;.txt is no JPEG")), "... is shown, not obeyed");
	is_int(upload_files(&b, STR("wrong"), NULL,
		   (const struct upload[]){{"b.png", picture_png(s->arena, 21, 10, 2)}, {NULL}}),
	    HTTP_FORBIDDEN, "without the token of a page of ours nothing is taken");
	is_int((int64_t)(files(s, false) - before), 1, "... nothing at all");
}

static void
for_the_script(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct str png = picture_png(s->arena, 30, 10, 3),
		   hash = media_hash(s->arena, STR("noor"), png);

	is_int(UPLOAD(&b, "json", {"dawn.png", png}), HTTP_OK, "the script is answered");
	is_str(header(&b.last, "Content-Type"), STR("application/json"), "... in JSON");
	is_str(b.last.body,
	    str_fmt(s->arena,
		"{\"files\":[{\"name\":\"dawn.png\",\"markdown\":\"![dawn](/media/"
		"%.*s-30x10.png)\"}]}\n",
		STR_ARGS(hash)),
	    "... with what to write");
	is_int(UPLOAD(&b, "json", {"x\\y\\\"q.txt", STR("x")}, {"dawn.png", png}),
	    HTTP_UNPROCESSABLE, "what is wrong");
	is_str(b.last.body,
	    str_fmt(s->arena,
		"{\"files\":[{\"name\":\"y\\\"q.txt\",\"error\":\"y\\\"q.txt is no JPEG, PNG or "
		"WebP, whatever its "
		"name "
		"says.\"},{\"name\":\"dawn.png\",\"markdown\":\"![dawn](/media/"
		"%.*s-30x10.png)\"}]}\n",
		STR_ARGS(hash)),
	    "... is said for each");
}

/* --- Whose they are ----------------------------------------------------------------------------------- */

static void
belongs(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor"), ingrid = browser_of(s, "ingrid"),
		       tobias = browser_of(s, "tobias"), marta = browser_of(s, "marta"),
		       stranger = browser(s, "192.0.2.9");
	struct buf endless = {.arena = s->arena};
	const char *page, *away;
	size_t before;

	UPLOAD(&noor, NULL, {"mine.png", picture_png(s->arena, 40, 10, 4)});
	get(&noor, "/uploads");
	page = first_of(&noor);
	away = behind(&noor, page, "/delete");
	before = files(s, false);
	is_int(get(&stranger, "/uploads"), HTTP_SEE_OTHER, "a stranger has to sign in");
	is_int(upload_files(&stranger, STR(""), NULL,
		   (const struct upload[]){{"c.png", picture_png(s->arena, 41, 10, 4)}, {NULL}}),
	    HTTP_UNPROCESSABLE, "... also whose session ended over an upload");
	ok(says(&stranger, "You were signed out. Files can’t be kept: choose them once more"),
	    "... is told that files are not kept,");
	ok(holds(stranger.last.body, STR("name=\"next\" value=\"/uploads\"")),
	    "... and is then led back");
	for (size_t i = 0; i < (size_t)3 * 1024 * 1024; i++)
		buf_putc(&endless, '\x01');
	is_int(upload_files(&stranger, STR(""), str_cstring(s->arena, buf_str(&endless)),
		   (const struct upload[]){{NULL}}),
	    HTTP_TOO_LARGE, "... but with no more than a form is carried");
	ok(says(&stranger, "too much to be kept") && stranger.last.body.len < 20000,
	    "... which is said in few words");
	get(&ingrid, "/uploads");
	ok(!says(&ingrid, "mine.png"), "others don't see it among theirs");
	is_int(get(&ingrid, page), HTTP_NOT_FOUND, "... nor its page");
	get(&ingrid, "/uploads");
	is_int(SUBMIT(&ingrid, "/uploads", "answer", ""), HTTP_UNPROCESSABLE,
	    "(a form without files)");
	is_int(fetch(&ingrid, "POST", away,
		   str_fmt(s->arena, "csrf=%.*s", STR_ARGS(token_of(&ingrid)))),
	    HTTP_NOT_FOUND, "... and don't delete it");
	is_int((int64_t)files(s, false), (int64_t)before, "... it is still there");
	is_int(get(&tobias, page), HTTP_OK, "an editor sees it");
	ok(holds(tobias.last.body, STR("<a href=\"/author/noor\">")), "... and whose it is");
	get(&noor, page);
	is_int(submit(&noor, away, (const char *const[]){NULL}), HTTP_SEE_OTHER,
	    "its owner deletes it");
	is_str(leads_to(&noor), STR("/uploads?done=deleted"), "... which is said");
	is_int((int64_t)(before - files(s, false)), 1, "... and its file is gone");
	is_int(get(&noor, page), HTTP_NOT_FOUND, "... and so is its page");

	UPLOAD(&noor, NULL, {"mine.png", picture_png(s->arena, 40, 10, 4)});
	get(&tobias, page);
	is_int(submit(&tobias, away, (const char *const[]){NULL}), HTTP_SEE_OTHER,
	    "an editor deletes it, too");
	get(&marta, "/admin/log");
	ok(says(&marta, "tobias deleted the picture") && says(&marta, "of noor"),
	    "... which the log of the staff has");
	ok(!says(&marta, "noor deleted the picture"), "... as it has not what owners do");
	is_int(get(&noor, "/uploads/0123456789abcdef0123456789abcdef"), HTTP_NOT_FOUND,
	    "one that never was is not found");
	is_int(get(&noor, "/uploads/anything"), HTTP_NOT_FOUND, "nor is what is no name");
}

/* A body of many pictures is read only of somebody who is signed in, and the others are told to sign in all the same. */
static void
of_nobody(struct seeded *s)
{
	enum { MB = 1024 * 1024 };
	struct browser b = browser_of(s, "noor");
	struct request_input in = {.method = STR("POST"),
	    .uri = STR("/uploads"),
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .remote_addr = STR("192.0.2.9"),
	    .sec_fetch_site = STR("same-origin"),
	    .content_type = STR("multipart/form-data; boundary=BOUND"),
	    .content_length = (int64_t)20 * MB};
	struct answer answer;

	in.cookie = STR_CONCAT(s->arena, STR("__Host-session="), b.session);
	is_int(
	    (int64_t)(site_body_max(&s->site, &in, s->arena) / MB), 32, "an author may send 32 MB");
	in.cookie = STR("__Host-session=noor.0123456789012345678901234567890123456789012");
	is_int((int64_t)(site_body_max(&s->site, &in, s->arena) / MB), 8,
	    "of whose session is none it is not read");
	in.cookie = STR("");
	is_int((int64_t)(site_body_max(&s->site, &in, s->arena) / MB), 8, "... nor of a stranger");
	in.body_too_large = true;
	answer = visit_as(s, &in);
	is_int(answer.status, HTTP_UNPROCESSABLE, "... who is asked to sign in");
	ok(holds(answer.body, STR("choose them once more")), "... and to choose the files again");
	in.sec_fetch_site = STR("cross-site");
	is_int(
	    visit_as(s, &in).status, HTTP_FORBIDDEN, "... unless another site made them send it");
	in.content_length = (int64_t)33 * MB;
	in.sec_fetch_site = STR("same-origin");
	is_int(visit_as(s, &in).status, HTTP_TOO_LARGE, "more than that nobody may send");
}

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
	hash = str_sub(str_of(first_of(&b)), 9, 99);
	for (size_t i = 0; i < 2; i++) {
		struct media_uses none = {.post = STR("")};
		struct media_uses uses = {.post = i == 0 ? STR("mine") : STR("theirs"),
		    .title = i == 0 ? STR("My <own> post") : STR("A secret of theirs"),
		    .author = i == 0 ? STR("noor") : STR("kofi"),
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
	page = first_of(&b);
	get(&b, page);
	ok(says(&b, "My <own> post") && !says(&b, "secret"), "... nor does its own page");
	away = behind(&b, page, "/delete");
	before = files(s, false);
	is_int(submit(&b, away, (const char *const[]){NULL}), HTTP_OK, "one that is used");
	ok(says(&b, "It is in “My <own> post” and 1 post of somebody else.") && !says(&b, "secret"),
	    "... is not deleted before its owner is told where,");
	is_int((int64_t)files(s, false), (int64_t)before, "... and is still there,");
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

/* More posts show it than a page names: all of them can be found before it goes. */
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
	page = first_of(&b);
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
	ok(says(&b, "Used in 009") && !says(&b, "Used in 010"), "of many posts the first are named");
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
	hash = str_sub(str_of(first_of(&b)), 9, 99);
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

/* What the settings let one person have, who is told how much that is. */
static void
runs_full(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), admin = browser_of(s, "marta");
	struct media_room room;
	const char *page;
	struct item item;

	UPLOAD(&b, NULL, {"one.png", picture_png(s->arena, 300, 300, 7)});
	get(&b, "/uploads");
	ok(says(&b, "Yours take 1 MB of 1000."), "one hears how much one's pictures take");
	item = seeded_item(s, "USER#ingrid", "PICTURES");
	room = media_room_from_item(s->arena, &item);
	ok(room.counted && room.bytes > 0 && room.bytes < 100000, "... which is counted");
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
	page = first_of(&b);
	get(&b, page);
	is_int(submit(&b, behind(&b, page, "/delete"), (const char *const[]){NULL}), HTTP_SEE_OTHER,
	    "and deleted");
	item = seeded_item(s, "USER#ingrid", "PICTURES");
	is_int(item_number(&item, STR("Bytes")), room.bytes, "... which gives its room back");
	get(&b, "/uploads");
	page = first_of(&b);
	get(&b, page);
	submit(&b, behind(&b, page, "/delete"), (const char *const[]){NULL});
	item = seeded_item(s, "USER#ingrid", "PICTURES");
	is_int(item_number(&item, STR("Bytes")), 0, "... to the last byte");
}

/* Whoever sends picture after picture is told to wait; the others are not. */
static void
too_often(struct seeded *s)
{
	struct browser b = browser_of(s, "lowri"), other = browser_of(s, "kofi");
	struct str first = picture_png(s->arena, 90, 10, 9);
	struct item count = {.count = 0};
	struct key key;
	size_t before;

	/* The clock goes on with each upload: to the window's beginning, so that these are in one. */
	s->clock.fixed_now -= s->clock.fixed_now % (RATE_WINDOW_SECONDS * 1000);
	s->clock.fixed_now += RATE_WINDOW_SECONDS * 1000;
	key = key_rate(
	    s->arena, STR("upload"), STR("lowri"), s->clock.fixed_now / 1000 / RATE_WINDOW_SECONDS);
	key_set(s->arena, &count, key, STR("RateLimit"));
	item_set(s->arena, &count, STR("Count"), value_number(UPLOADS_IN_A_WINDOW - 1));
	seeded_put(s, &count, 1);
	before = files(s, false);
	is_int(
	    UPLOAD(&b, NULL, {"last.png", first}, {"more.png", picture_png(s->arena, 91, 10, 9)}),
	    HTTP_TOO_MANY, "one picture too many");
	ok(says(&b, "more.png was not kept: 100 pictures in ten minutes are the most."),
	    "... is named");
	ok(says(&b, "The others are here.") && says(&b, "last.png"), "... the one before is here");
	is_int((int64_t)(files(s, false) - before), 1, "... alone");
	ok(header(&b.last, "Retry-After").len == 3, "... and it is said when to try again");
	is_int(UPLOAD(&b, "json", {"more.png", first}), HTTP_TOO_MANY, "the script is told, too");
	ok(says(&b, "more.png was not kept"), "... in its own way");
	is_int(
	    UPLOAD(&other, NULL, {"mine.png", first}), HTTP_SEE_OTHER, "somebody else's is taken");
	s->clock.fixed_now += RATE_WINDOW_SECONDS * 1000;
	is_int(UPLOAD(&b, NULL, {"more.png", first}), HTTP_SEE_OTHER, "later it is taken");
}

/* --- Many --------------------------------------------------------------------------------------------- */

static void
many(struct seeded *s)
{
	struct browser b = browser_of(s, "tobias");
	struct item items[30];
	struct str older;

	for (int i = 0; i < 30; i++) {
		struct media media = {.hash = str_fmt(s->arena, "%032x", (unsigned)i + 1),
		    .owner = STR("tobias"),
		    .name = str_fmt(s->arena, "number %c%c.png", 'a' + i / 10, 'a' + i % 10),
		    .width = 10,
		    .height = 10,
		    .created = s->clock.fixed_now - 1000 * i};

		items[i] = media_put(s->arena, &media).item;
	}
	seeded_put(s, items, 30);
	get(&b, "/categories");
	get(&b, "/uploads");
	is_int(
	    (int64_t)count_of(b.last.body, STR("class=\"thumb\"")), 24, "a page has 24 pictures");
	ok(says(&b, "number aa.png") && !says(&b, "number cj.png"), "... the newest ones");
	/* The session, the list and how much room they take, what uses each. */
	ok(b.last.cost.round_trips <= 3, "... in three trips, the session's included: %u",
	    b.last.cost.round_trips);
	is_int(b.last.cost.requests, 2 + 2 + 24, "... a request for each picture's uses");
	older = unescaped(s->arena, part(b.last.body, "class=\"older\" href=\"", "\""));
	is_int(get(&b, str_cstring(s->arena, older)), HTTP_OK, "the others");
	is_int((int64_t)count_of(b.last.body, STR("class=\"thumb\"")), 6, "... are on the next");
	is_int(
	    get(&b, "/uploads?after=nonsense"), HTTP_BAD_REQUEST, "a place that nobody gave out");
}

/* --- When somebody leaves ------------------------------------------------------------------------------- */

static size_t
cleared(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	size_t before = files(s, false);
	bool more = true;

	while (more)
		if (media_store_clear(s->site.media, s->table, &call, s->clock.fixed_now, &more) !=
		    TABLE_OK)
			bail_out("clearing failed");
	table_release(s->table, &call);
	return before - files(s, false);
}

static void
leaves(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), tobias;
	struct table_call call = {.arena = s->arena};
	struct accounts accounts = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	struct item user = seeded_item(s, "USER#ingrid", "METADATA");
	struct str shown = picture_png(s->arena, 80, 10, 8),
		   idle = picture_png(s->arena, 82, 10, 8);
	struct str hash = media_hash(s->arena, STR("ingrid"), shown);
	struct media_uses none = {.post = STR("")},
			  uses = {.post = STR("a-post"), .hashes = {&hash, 1}};
	struct write writes[MEDIA_USE_WRITES_MAX];
	struct user ingrid;
	bool done = false;

	UPLOAD(&b, NULL, {"shown.png", shown}, {"idle.png", idle});
	media_use_writes(s->arena, &none, &uses, writes);
	seeded_put(s, &writes[0].item, 1);
	user_from_item(s->arena, &user, &ingrid);
	if (account_leave(&accounts, &s->clock, &ingrid, true) != ACCOUNT_DONE)
		bail_out("she can't leave");
	while (!done)
		if (leaving_round(&accounts, STR("ingrid"), &done) != ACCOUNT_DONE)
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

/* --- When something is broken -------------------------------------------------------------------------- */

static void
table_fails(struct seeded *s)
{
	struct failing_table failing;
	struct browser b = browser_of(s, "noor");
	struct str token = token_of(&b);
	enum http_status status = HTTP_UNAVAILABLE;
	struct upload sent[] = {{"d.png", picture_png(s->arena, 60, 10, 6)}, {NULL}};
	size_t before = files(s, false);
	unsigned n = 1;

	failing_table_begin(&failing, s->table);
	s->site.table = &failing.table;
	for (; n < 20 && status == HTTP_UNAVAILABLE; n++) {
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		status = upload_files(&b, token, NULL, sent);
		if (status == HTTP_UNAVAILABLE && files(s, false) != before)
			ok(false, "after call %u failed, something is left", n);
	}
	is_int(status, HTTP_SEE_OTHER,
	    "whichever call fails, it is a 503, and nothing is left; then it is taken");
	ok(n > 3, "... of %u calls", n - 2);
	failing_table_arm(&failing, 2, TABLE_UNAVAILABLE);
	is_int(get(&b, "/uploads"), HTTP_UNAVAILABLE, "a list that can't be read");
	s->site.table = s->table;
}

static void
program_fails(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct str path = str_fmt(s->arena, "%s/full", folder);
	FILE *script = fopen(path.base, "w");
	struct upload sent[] = {{"e.png", picture_png(s->arena, 70, 10, 7)}, {NULL}};
	size_t before = files(s, false);

	fputs("#!/bin/sh\necho half >&3\nexit 11\n", script);
	fchmod(fileno(script), 0755);
	fclose(script);
	open_media(s, path.base);
	is_int(upload(&b, NULL, sent), HTTP_UNAVAILABLE, "when the disk is full");
	ok(says(&b, "e.png was not kept: the disk is full."), "... that is said");
	is_str(header(&b.last, "Retry-After"), STR("5"), "... and when to try again");
	is_int(upload(&b, "json", sent), HTTP_UNAVAILABLE, "... to the script as well");
	ok(says(&b, "the disk is full"), "... in a sentence");
	is_int((int64_t)files(s, false), (int64_t)before, "... and nothing is left");
	unlink(path.base);
	open_media(s, NULL);
	is_int(get(&b, "/uploads"), HTTP_OK, "without the program the page is there");
	ok(says(&b, "Pictures can’t be uploaded here") && !holds(b.last.body, STR("type=\"file\"")),
	    "... and says so");
	b.last.body = STR("name=\"csrf\" value=\"\"");
	get(&b, "/account");
	is_int(upload_files(&b, part(b.last.body, "name=\"csrf\" value=\"", "\""), NULL, sent),
	    HTTP_NOT_IMPLEMENTED, "... as does whoever tries");
	media_store_free(s->site.media);
	s->site.media = NULL;
	is_int(
	    get(&b, "/uploads"), HTTP_OK, "a site without a place for pictures has the page, too");
}

int
main(void)
{
	struct seeded s;

	if (mkdtemp(folder) == NULL)
		bail_out("no folder for the test");
	browsers_open(&s);
	open_media(&s, usual.program);
	if (media_store_ready(s.site.media)) {
		takes(&s);
		refuses(&s);
		for_the_script(&s);
		belongs(&s);
		of_nobody(&s);
		is_used(&s);
		is_used_much(&s);
		has_a_size(&s);
		too_often(&s);
		runs_full(&s);
		many(&s);
		leaves(&s);
		table_fails(&s);
	}
	program_fails(&s);
	files(&s, true);
	rmdir(media_directory(&s));
	rmdir(folder);
	browsers_close(&s);
	return tap_done();
}
