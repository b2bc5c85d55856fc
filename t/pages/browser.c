#include "browser.h"

#include "lib/tap.h"

#include "model/people/session.h"
#include "model/people/totp.h"
#include "model/people/user.h"
#include "text/url.h"
#include "web/session/session.h"

#include <string.h>

static const struct password_cost cheap = {1, 8192};

void
browsers_open(struct seeded *s)
{
	seeded_open(s);
	s->site.load_viewer = session_load;
	s->site.sign_in_first = page_sign_in_first;
	s->site.lead_first = page_two_step_first;
	s->site.passwords = password_limiter_new(&cheap, 2, 4);
}

void
browsers_close(struct seeded *s)
{
	password_limiter_free(s->site.passwords);
	seeded_close(s);
}

static void
keep_cookies(struct browser *b)
{
	struct str head = b->last.head;

	while (head.len != 0) {
		struct str value, line = str_cut(head, '\n', &head), rest;
		struct str name = str_cut(line, ':', &value), *into;

		if (!str_eq(name, STR("Set-Cookie")))
			continue;
		value = str_cut(str_trim(value), ';', &rest);
		name = str_cut(value, '=', &value);
		into = str_eq(name, STR("__Host-session"))  ? &b->session
		       : str_eq(name, STR("__Host-visit"))  ? &b->visit
		       : str_eq(name, STR("__Host-device")) ? &b->device
							    : NULL;
		if (into == NULL)
			bail_out("a cookie of another name");
		*into = value;
	}
}

enum http_status
fetch_as(
    struct browser *b, const char *method, const char *address, struct str type, struct str body)
{
	struct request_input in = {.method = str_of(method),
	    .uri = str_of(address),
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .remote_addr = b->address,
	    .user_agent = STR("Test/1"),
	    .sec_fetch_site = b->site,
	    .accept_encoding = b->encoding,
	    .if_none_match = b->known,
	    .referer = b->referer,
	    .content_length = -1};
	struct buf cookie = {.arena = b->s->arena};

	if (b->session.len != 0)
		buf_fmt(&cookie, "__Host-session=%.*s; ", STR_ARGS(b->session));
	if (b->visit.len != 0)
		buf_fmt(&cookie, "__Host-visit=%.*s; ", STR_ARGS(b->visit));
	if (b->device.len != 0)
		buf_fmt(&cookie, "__Host-device=%.*s", STR_ARGS(b->device));
	in.cookie = buf_str(&cookie);
	if (in.method.base[0] == 'P') {
		in.content_type = type;
		in.body = body;
		in.content_length = (int64_t)body.len;
	}
	b->last = visit_as(b->s, &in);
	keep_cookies(b);
	return b->last.status;
}

enum http_status
fetch(struct browser *b, const char *method, const char *address, struct str body)
{
	return fetch_as(b, method, address, STR("application/x-www-form-urlencoded"), body);
}

enum http_status
get(struct browser *b, const char *address)
{
	return fetch(b, "GET", address, STR(""));
}

void
put_field(struct buf *body, struct str name, struct str value)
{
	if (body->len != 0)
		buf_putc(body, '&');
	url_put_query(body, name);
	buf_putc(body, '=');
	url_put_query(body, value);
}

/* Sends the form `action` of the last page: its hidden fields, and pairs of names and values, to NULL. */
enum http_status
submit(struct browser *b, const char *action, const char *const *pairs)
{
	struct arena *arena = b->s->arena;
	struct buf body = {.arena = arena};
	struct str form = part(
	    b->last.body, str_cstring(arena, str_fmt(arena, "method=\"post\" action=\"%s\"", action)), "</form>");
	struct str field;

	if (form.len == 0)
		bail_out("no form for %s", action);
	while (between(&form, STR("<input type=\"hidden\" name=\""), STR("\">"), &field)) {
		struct str value, name = str_cut(field, '"', &value);

		put_field(&body, name, unescaped(arena, str_sub(value, 8, value.len)));
	}
	for (; *pairs != NULL; pairs += 2)
		put_field(&body, str_of(pairs[0]), str_of(pairs[1]));
	return fetch(b, "POST", action, buf_str(&body));
}

struct browser
browser(struct seeded *s, const char *address)
{
	return (struct browser){.s = s, .address = str_of(address), .site = STR("same-origin")};
}

enum http_status
sign_in(struct browser *b, const char *name, const char *password)
{
	get(b, "/login");
	return SUBMIT(b, "/login", "name", name, "password", password);
}

bool
says(const struct browser *b, const char *text)
{
	return holds(unescaped(b->s->arena, b->last.body), str_of(text));
}

struct str
leads_to(const struct browser *b)
{
	return header(&b->last, "Location");
}

struct browser
browser_of(struct seeded *s, const char *username)
{
	struct browser b = browser(s, "192.0.2.100");
	struct table_call call = {.arena = s->arena};
	struct str token = session_token(s->arena, &s->clock);
	struct item item = seeded_item(
	    s, str_cstring(s->arena, str_fmt(s->arena, "USER#%s", username)), "METADATA");
	struct session session = {.hash = session_hash(s->arena, token),
	    .username = str_of(username),
	    .agent = STR("Test/1"),
	    .created = s->clock.fixed_now,
	    .used = s->clock.fixed_now};
	struct write write;
	struct user user;

	user_from_item(s->arena, &item, &user);
	session.era = user.era;
	session.role = str_of(role_name(user.role));
	write = session_put(s->arena, &session);
	if (table_write(s->table, &call, &write) != TABLE_OK)
		bail_out("no session for %s", username);
	table_release(s->table, &call);
	b.session = str_fmt(s->arena, "%s.%.*s", username, STR_ARGS(token));
	return b;
}

void
give_password(struct seeded *s, const char *name, const char *password)
{
	struct item user =
	    seeded_item(s, str_cstring(s->arena, str_fmt(s->arena, "USER#%s", name)), "METADATA");
	struct str hash;

	password_hash(s->site.passwords, s->arena, str_of(password), &hash);
	item_set(s->arena, &user, STR("PasswordHash"), value_string(hash));
	seeded_put(s, &user, 1);
}

struct str
app_secret(const struct browser *b)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	struct str text = part(b->last.body, "?secret=", "&amp;");
	struct buf out = {.arena = b->s->arena};
	unsigned held = 0, bits = 0;

	for (size_t i = 0; i < text.len; i++) {
		held = held << 5 | (unsigned)(strchr(alphabet, text.base[i]) - alphabet);
		for (bits += 5; bits >= 8; bits -= 8)
			buf_putc(&out, (char)(held >> (bits - 8) & 0xff));
	}
	return buf_str(&out);
}

const char *
app_code(struct seeded *s, struct str secret, int64_t steps)
{
	int64_t step = s->clock.fixed_now / TOTP_STEP_MS + steps;

	return str_cstring(s->arena, str_fmt(s->arena, "%06u", (unsigned)totp_code(secret, step)));
}

static void
put_text(struct buf *body, const char *name, struct str value)
{
	buf_fmt(body, "--BOUND\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n", name);
	buf_put(body, value);
	BUF_PUT(body, "\r\n");
}

enum http_status
upload_files(struct browser *b, struct str token, const char *answer, const struct upload *sent)
{
	return upload_files_to(b, "/uploads", token, answer, sent);
}

enum http_status
upload_files_to(struct browser *b, const char *address, struct str token, const char *answer,
    const struct upload *sent)
{
	struct buf body = {.arena = b->s->arena};

	/* So that the last one is the newest. */
	b->s->clock.fixed_now += 1000;
	put_text(&body, "csrf", token);
	if (answer != NULL)
		put_text(&body, "answer", str_of(answer));
	for (; sent->name != NULL; sent++) {
		buf_fmt(&body,
		    "--BOUND\r\nContent-Disposition: form-data; name=\"files\"; filename=\"%s\"\r\n"
		    "Content-Type: image/jpeg\r\n\r\n",
		    sent->name);
		buf_put(&body, sent->bytes);
		BUF_PUT(&body, "\r\n");
	}
	BUF_PUT(&body, "--BOUND--\r\n");
	return fetch_as(
	    b, "POST", address, STR("multipart/form-data; boundary=BOUND"), buf_str(&body));
}
