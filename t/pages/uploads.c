/*
 * Pages of pictures: what is accepted and what is refused, one by one; who sees and deletes them;
 * and that a failing table, or a missing program, is reported and leaves nothing behind.
 */
#include "pictures.h"

#include "lib/failing_table.h"
#include "lib/picture.h"

#include "model/key.h"
#include "model/post/media.h"
#include "model/site/rate.h"
#include "web/media/media_store.h"

/* --- What is taken ------------------------------------------------------------------------------------ */

static void
takes(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct str png = picture_png(s->arena, 1200, 600, 1);
	const char *page;
	int64_t before;

	get(&b, "/write/article");
	ok(holds(b.last.body, STR("<a href=\"/uploads\" target=\"_blank\">upload them in another")),
	    "the form of writing says how a picture comes into the text");
	is_int(get(&b, "/uploads"), HTTP_OK, "an author has a page for pictures");
	ok(says(&b, "Copy the line under a picture into your text"), "... which says it, too");
	before = (int64_t)count_of(b.last.body, STR("class=\"thumb\""));
	is_str(header(&b.last, "Cache-Control"), STR("no-store"), "... which nobody keeps");
	is_int(UPLOAD(&b, NULL, {"old harbour.png", png}), HTTP_SEE_OTHER, "a picture is taken");
	is_str(leads_to(&b), STR("/uploads?done=uploaded"), "... and leads back");
	is_int((int64_t)picture_files(s), 3, "... in three files");
	is_int(get(&b, "/uploads?done=uploaded"), HTTP_OK, "the page");
	ok(says(&b, "Your pictures are here.") && says(&b, "1,200 × 600 pixels") &&
		says(&b, "old harbour.png") && says(&b, "In no post"),
	    "... says what it is");
	ok(says(&b, "value=\"![](/media/") && says(&b, "-1200x600.png)\""),
	    "... and what to write into a text");
	page = first_picture(&b);
	is_int(get(&b, page), HTTP_OK, "the picture has a page of its own");
	ok(holds(b.last.body, STR("-480x240.png 480w, /media/")), "... in all its widths");

	is_int(UPLOAD(&b, NULL, {"again.png", png}), HTTP_SEE_OTHER, "the same picture again");
	get(&b, "/uploads");
	is_int(
	    (int64_t)count_of(b.last.body, STR("class=\"thumb\"")), before + 1, "... is the same");
}

static void
refuses(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct str png = picture_png(s->arena, 20, 10, 2), html = STR("<script>alert(1)</script>");
	struct str large = {arena_alloc(s->arena, 1024 * 1024 + 1), 1024 * 1024 + 1};
	struct buf bomb = {.arena = s->arena};
	size_t before = picture_files(s);

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
	is_int((int64_t)(picture_files(s) - before), 1, "... alone");
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
	is_int((int64_t)(picture_files(s) - before), 1, "... nothing at all");
}

static void
for_the_script(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct str png = picture_png(s->arena, 30, 10, 3),
		   hash = media_hash(s->arena, s->site.picture_key, STR("noor"), png);

	is_int(UPLOAD(&b, "json", {"dawn.png", png}), HTTP_OK, "the script is answered");
	is_str(header(&b.last, "Content-Type"), STR("application/json"), "... in JSON");
	is_str(b.last.body,
	    str_fmt(s->arena,
		"{\"files\":[{\"name\":\"dawn.png\",\"markdown\":\"![](/media/"
		"%.*s-30x10.png)\",\"address\":\"/media/%.*s-30x10.png\"}]}\n",
		STR_ARGS(hash), STR_ARGS(hash)),
	    "... with what to write");
	is_int(UPLOAD(&b, "json", {"x\\y\\\"q.txt", STR("x")}, {"dawn.png", png}),
	    HTTP_UNPROCESSABLE, "what is wrong");
	is_str(b.last.body,
	    str_fmt(s->arena,
		"{\"files\":[{\"name\":\"y\\\"q.txt\",\"error\":\"y\\\"q.txt is no JPEG, PNG or "
		"WebP, whatever its "
		"name "
		"says.\"},{\"name\":\"dawn.png\",\"markdown\":\"![](/media/"
		"%.*s-30x10.png)\",\"address\":\"/media/%.*s-30x10.png\"}]}\n",
		STR_ARGS(hash), STR_ARGS(hash)),
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
	get(&noor, "/uploads?q=nowhere.png");
	ok(!says(&noor, "mine.png") && says(&noor, "Nothing here has all of these words."), "pictures are looked for by the names of their files");
	get(&noor, "/uploads?q=MINE");
	page = first_picture(&noor);
	away = behind(&noor, page, "/delete");
	before = picture_files(s);
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
		   str_fmt(s->arena, "csrf=%.*s", STR_ARGS(upload_token(&ingrid)))),
	    HTTP_NOT_FOUND, "... and don't delete it");
	is_int((int64_t)picture_files(s), (int64_t)before, "... it is still there");
	is_int(get(&tobias, page), HTTP_OK, "an editor sees it");
	ok(holds(tobias.last.body, STR("<a href=\"/author/noor\">")), "... and whose it is");
	get(&noor, page);
	is_int(submit(&noor, away, (const char *const[]){NULL}), HTTP_SEE_OTHER,
	    "its owner deletes it");
	is_str(leads_to(&noor), STR("/uploads?done=deleted"), "... which is said");
	is_int((int64_t)(before - picture_files(s)), 1, "... and its file is gone");
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

/*
 * A body of many pictures is read only from people who are signed in; others are still asked to
 * sign in.
 */
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

/* --- Many --------------------------------------------------------------------------------------------- */

static void
many(struct seeded *s)
{
	struct browser b = browser_of(s, "tobias");
	struct item items[30];
	struct str older;
	int64_t before;

	get(&b, "/uploads");
	before = (int64_t)count_of(b.last.body, STR("class=\"thumb\""));
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
	/* The session, the list and the quota, what uses each. */
	ok(b.last.cost.round_trips <= 3, "... in three trips, the session's included: %u",
	    b.last.cost.round_trips);
	is_int(b.last.cost.requests, 2 + 2 + 24, "... a request for each picture's uses");
	older = unescaped(s->arena, part(b.last.body, "class=\"older\" href=\"", "\""));
	is_int(get(&b, str_cstring(s->arena, older)), HTTP_OK, "the others");
	is_int((int64_t)count_of(b.last.body, STR("class=\"thumb\"")), 6 + before,
	    "... are on the next");
	is_int(
	    get(&b, "/uploads?after=nonsense"), HTTP_BAD_REQUEST, "a place that nobody gave out");
}

/* --- When something is broken -------------------------------------------------------------------------- */

static void
table_fails(struct seeded *s)
{
	struct failing_table failing;
	struct browser b = browser_of(s, "noor");
	struct str token = upload_token(&b);
	enum http_status status = HTTP_UNAVAILABLE;
	struct upload sent[] = {{"d.png", picture_png(s->arena, 60, 10, 6)}, {NULL}};
	size_t before = picture_files(s);
	unsigned n = 1;

	failing_table_begin(&failing, s->table);
	s->site.table = &failing.table;
	for (; n < 20 && status == HTTP_UNAVAILABLE; n++) {
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		status = upload_files(&b, token, NULL, sent);
		if (status == HTTP_UNAVAILABLE && picture_files(s) != before)
			ok(false, "after call %u failed, something is left", n);
	}
	is_int(status, HTTP_SEE_OTHER,
	    "whichever call fails, it is a 503, and nothing is left; then it is taken");
	ok(n > 3, "... of %u calls", n - 2);
	failing_table_arm(&failing, 2, TABLE_UNAVAILABLE);
	is_int(get(&b, "/uploads"), HTTP_UNAVAILABLE, "a list that can't be read");
	s->site.table = s->table;
}

/* How many pictures of somebody are counted in this window of time. */
static int64_t
counted(struct seeded *s, const char *who)
{
	struct table_call call = {.arena = s->arena};
	struct item *item = NULL;
	int64_t window = s->clock.fixed_now / 1000 / RATE_WINDOW_SECONDS;

	table_get(s->table, &call, key_rate(s->arena, STR("upload"), str_of(who), window), &item);
	return item != NULL ? item_number(item, STR("Count")) : 0;
}

static void
program_fails(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct upload sent[] = {{"e.png", picture_png(s->arena, 70, 10, 7)}, {NULL}};
	size_t before = picture_files(s);
	int64_t before_it;

	pictures_program(s, "echo half >&3; exit 11");
	is_int(upload(&b, NULL, sent), HTTP_UNAVAILABLE, "when the disk is full");
	ok(says(&b, "e.png was not kept: the disk is full."), "... that is said");
	is_str(header(&b.last, "Retry-After"), STR("5"), "... and when to try again");
	is_int(upload(&b, "json", sent), HTTP_UNAVAILABLE, "... to the script as well");
	ok(says(&b, "the disk is full"), "... in a sentence");
	is_int((int64_t)picture_files(s), (int64_t)before, "... and nothing is left");
	before_it = counted(s, "noor");
	pictures_program(s, "sleep 1; exit 10");
	is_int(
	    upload(&b, NULL, sent), HTTP_UNPROCESSABLE, "a picture that is long work for nothing");
	ok(counted(s, "noor") >= before_it + 1 + 4,
	    "... counts as one more for each quarter of a second");
	pictures_program(s, NULL);
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

	browsers_open(&s);
	pictures_open(&s);
	if (media_store_ready(s.site.media)) {
		takes(&s);
		refuses(&s);
		for_the_script(&s);
		belongs(&s);
		of_nobody(&s);
		many(&s);
		table_fails(&s);
	}
	program_fails(&s);
	pictures_close(&s);
	browsers_close(&s);
	return tap_done();
}
