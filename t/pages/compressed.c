/*
 * Which pages are compressed, and for whom; and why that is safe: the tokens of their forms differ
 * on each page, so the sizes of many pages reveal nothing.
 */
#include "browser.h"

#include "lib/tap.h"
#include "web/http/asset.h"

#include <string.h>
#include <zlib.h>

#define PASSWORD "four words in a row"
#define POST "/post/the-tide-in-forty-lines-of-c"

static bool
is_packed(const struct browser *b)
{
	return str_eq(header(&b->last, "Content-Encoding"), STR("gzip"));
}

/* The last page as its reader sees it. */
static struct str
unpacked(const struct browser *b)
{
	enum { MOST = 1024 * 1024 };
	struct str packed = b->last.body;
	char *page = arena_alloc(b->s->arena, MOST);
	z_stream z = {.next_in = (Bytef *)(uintptr_t)packed.base,
	    .avail_in = (uInt)packed.len,
	    .next_out = (Bytef *)page,
	    .avail_out = MOST};

	if (inflateInit2(&z, 15 + 16) != Z_OK || inflate(&z, Z_FINISH) != Z_STREAM_END)
		bail_out("what can't be unpacked");
	inflateEnd(&z);
	return (struct str){page, MOST - z.avail_out};
}

static void
pages(struct seeded *s)
{
	static const struct {
		const char *name, *address;
		bool packed;
	} cases[] = {
	    {"pascal", "/", true},
	    {"pascal", POST, true},
	    {"pascal", "/account", true},
	    {"lowri", "/desk", true},
	    {"lowri", "/write/article", true},
	    {"lowri", "/edit/fog-a-first-attempt", true},
	    {"lowri", "/share/fog-a-first-attempt", true},
	    {"marta", "/admin/users?q=k", true},
	    {"marta", "/admin/invitations", true},
	    {"pascal", "/account/two-step", false},
	    {"pascal", "/post/there-is-none", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct browser b = browser_of(s, cases[i].name);
		struct str plain;

		get(&b, cases[i].address);
		ok(!is_packed(&b), "%s is plain for a browser that wants it so", cases[i].address);
		plain = b.last.body;
		b.encoding = STR("gzip, br");
		get(&b, cases[i].address);
		ok(is_packed(&b) == cases[i].packed, "... and %s for others",
		    cases[i].packed ? "compressed" : "plain");
		if (cases[i].packed)
			ok(b.last.body.len < plain.len / 2 && unpacked(&b).len == plain.len,
			    "... %zu bytes of %zu", b.last.body.len, plain.len);
	}
}

/* Another site that sends a browser there may choose the address, and so what is in the page. */
static void
from_elsewhere(struct seeded *s)
{
	static const struct {
		const char *site;
		bool packed;
	} cases[] = {{"same-origin", true}, {"none", true}, {"same-site", false},
	    {"cross-site", false}, {"", false}};
	struct browser b = browser_of(s, "marta");

	b.encoding = STR("gzip");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		b.site = str_of(cases[i].site);
		is_int(
		    get(&b, "/admin/users?q=kofi"), HTTP_OK, "a search from \"%s\"", cases[i].site);
		ok(is_packed(&b) == cases[i].packed, "... is %s",
		    cases[i].packed ? "compressed" : "not");
		get(&b, POST);
		ok(is_packed(&b) == cases[i].packed, "... so is what everybody may read");
	}
	b = browser(s, "192.0.2.1");
	b.encoding = STR("gzip");
	b.site = STR("cross-site");
	get(&b, POST);
	ok(is_packed(&b), "a stranger's page has no secret, wherever they come from");
	get(&b, "/login");
	ok(!is_packed(&b), "... but a form's has");
}

/* A browser has a page in the form in which it came first. */
static void
again(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal");
	struct str etags[2];

	for (size_t i = 0; i < 2; i++) {
		b.encoding = i == 0 ? STR("") : STR("gzip");
		get(&b, POST);
		etags[i] = header(&b.last, "ETag");
	}
	ok(etags[0].len != 0 && !str_eq(etags[0], etags[1]), "each form has its ETag");
	for (size_t i = 0; i < 2; i++) {
		b.known = etags[i];
		b.site = STR("same-origin");
		is_int(get(&b, POST), HTTP_NOT_MODIFIED, "who has one of them has the page");
		is_str(header(&b.last, "ETag"), etags[i], "... and keeps it under its name");
		b.site = STR("cross-site");
		is_int(get(&b, POST), HTTP_NOT_MODIFIED, "... also when they come from elsewhere");
	}
}

static struct str
token_of(const struct browser *b)
{
	struct str page = is_packed(b) ? unpacked(b) : b->last.body;

	return str_dup(b->s->arena, part(page, "name=\"csrf\" value=\"", "\""));
}

static enum http_status
save_with(struct browser *b, struct str token)
{
	struct buf body = {.arena = b->s->arena};

	put_field(&body, STR("csrf"), token);
	put_field(&body, STR("display_name"), STR("Pascal"));
	return fetch(b, "POST", "/account/profile", buf_str(&body));
}

/* The token of a form is another one each time, and does not make another page of it. */
static void
again_with_form(struct seeded *s)
{
	static const char *const pages[] = {POST, "/account"};

	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct browser b = browser_of(s, "pascal"), other = browser_of(s, "pascal");
		struct str token, etag;

		get(&b, pages[i]);
		token = token_of(&b);
		etag = header(&b.last, "ETag");
		get(&b, pages[i]);
		ok(!str_eq(token_of(&b), token), "%s has another token the next time", pages[i]);
		is_str(header(&b.last, "ETag"), etag, "... and the same ETag");
		b.known = other.known = etag;
		is_int(get(&b, pages[i]), etag.len != 0 ? HTTP_NOT_MODIFIED : HTTP_OK,
		    "... so that the same session is told that it has it");
		is_int(get(&other, pages[i]), HTTP_OK,
		    "another session of the same person gets the page");
		is_int(save_with(&b, token), HTTP_SEE_OTHER, "the token of the copy is still good");
		ok(save_with(&other, token) == HTTP_FORBIDDEN, "... but not for the other session");
	}
}

/* What is shown once answers a form. */
static void
shown_once(struct seeded *s)
{
	static const struct {
		const char *name, *form, *input, *value, *page, *shows;
	} cases[] = {
	    {"lowri", "/share/fog-a-first-attempt", "days", "1", "/share/fog-a-first-attempt",
		"/draft/"},
	    {"marta", "/admin/users/kofi/reset", "reset", "1", "/admin/users/kofi", "/reset/"},
	    {"marta", "/admin/invitations", "invite", "1", "/admin/invitations",
		"/register?invitation="},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct browser b = browser_of(s, cases[i].name);
		const char *pairs[] = {cases[i].input, cases[i].value, NULL};

		get(&b, cases[i].page);
		b.encoding = STR("gzip");
		is_int(submit(&b, cases[i].form, pairs), HTTP_OK, "%s", cases[i].form);
		ok(!is_packed(&b) && says(&b, cases[i].shows), "... shows its link, uncompressed");
	}
}

static void
secret_address(struct seeded *s)
{
	struct browser b = browser_of(s, "lowri");
	struct str link;

	get(&b, "/share/fog-a-first-attempt");
	SUBMIT(&b, "/share/fog-a-first-attempt", "days", "1");
	link = part(b.last.body, "class=\"secret\" href=\"https://slack.example", "\"");
	b.encoding = STR("gzip");
	is_int(get(&b, str_cstring(s->arena, link)), HTTP_OK, "a draft by its link");
	ok(!is_packed(&b), "... is not compressed");
}

static void
recovery_codes(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.2");

	give_password(s, "noor", PASSWORD);
	sign_in(&b, "noor", PASSWORD);
	get(&b, "/account/two-step");
	b.encoding = STR("gzip");
	is_int(SUBMIT(&b, "/account/two-step", "code", app_code(s, app_secret(&b), 0), "password",
		   PASSWORD),
	    HTTP_OK, "a second step");
	ok(!is_packed(&b) && holds(b.last.body, STR("<ul class=\"codes\">")),
	    "... shows its codes, uncompressed");
}

/* --- Tokens ----------------------------------------------------------------------------------------- */

/* The longest text that both hold. */
static size_t
in_common(struct str a, struct str b)
{
	size_t most = 0;

	for (size_t i = 0; i < a.len; i++)
		for (size_t j = 0; j < b.len; j++) {
			size_t n = 0;

			while (i + n < a.len && j + n < b.len && a.base[i + n] == b.base[j + n])
				n++;
			most = n > most ? n : most;
		}
	return most;
}

static void
tokens(struct seeded *s)
{
	enum { PAGES = 12, TOKEN = 64, MASKED = 22 };
	struct browser b = browser_of(s, "pascal"), other = browser_of(s, "pascal");
	struct str seen[PAGES];
	size_t common = 0, taken = 0;

	b.encoding = STR("gzip");
	for (size_t i = 0; i < PAGES; i++) {
		get(&b, "/account");
		seen[i] = token_of(&b);
		for (size_t j = 0; j < i; j++) {
			size_t n = in_common(seen[i], seen[j]);

			common = n > common ? n : common;
		}
	}
	ok(is_packed(&b) && seen[0].len == TOKEN, "each page has a token, which is compressed");
	/* Of 66 pairs, by chance two have eight of 64 letters in common once in a billion tests. */
	ok(common < 8, "no two of one session have more than %zu letters in common", common);
	for (size_t i = 0; i < PAGES; i++)
		taken += save_with(&b, seen[i]) == HTTP_SEE_OTHER;
	is_int((int64_t)taken, PAGES, "each is good");
	get(&other, "/account");
	is_int(save_with(&b, token_of(&other)), HTTP_FORBIDDEN,
	    "that of another session of the same person is not");
	taken = 0;
	for (size_t i = 0; i < TOKEN; i++) {
		char *changed = arena_copy(s->arena, seen[0].base, TOKEN);

		changed[i] = changed[i] == 'A' ? 'B' : 'A';
		taken += save_with(&b, (struct str){changed, TOKEN}) != HTTP_FORBIDDEN;
	}
	is_int((int64_t)taken, 0, "nor is one in which a letter was changed");
	is_int(save_with(&b, STR_CONCAT(s->arena, str_sub(seen[0], 0, MASKED),
				 str_sub(seen[1], MASKED, TOKEN))),
	    HTTP_FORBIDDEN, "nor the mask of one with the rest of another");
	is_int(save_with(&b, str_sub(seen[0], 0, TOKEN - 1)), HTTP_FORBIDDEN, "nor a part of one");
}

/* The script of comments, as web servers send it. */
static void
script(struct seeded *s)
{
	struct str content;
	Bytef packed[16 * 1024];
	uLongf size = sizeof(packed);

	if (!asset_find(s->site.assets, asset_url(s->site.assets, STR("comments.js")), &content) ||
	    compress(packed, &size, (const Bytef *)content.base, (uLong)content.len) != Z_OK)
		bail_out("there is no script of comments");
	ok(size < 6000 && content.len < 6000,
	    "commenting in place takes a script of %d bytes, %d compressed", (int)content.len,
	    (int)size);
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	pages(&s);
	from_elsewhere(&s);
	again(&s);
	again_with_form(&s);
	shown_once(&s);
	secret_address(&s);
	recovery_codes(&s);
	tokens(&s);
	script(&s);
	browsers_close(&s);
	return tap_done();
}
