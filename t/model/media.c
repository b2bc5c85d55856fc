/* Pictures: their addresses, their sizes, and the record of what uses them. */
#include "model/post/media.h"

#include "base/arena.h"
#include "base/buf.h"
#include "lib/tap.h"
#include "model/permission.h"

#define HASH "0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210"

static void
addresses(struct arena *arena)
{
	static const struct {
		const char *url;
		bool good;
	} table[] = {
	    {"/media/" HASH "-1600x1067.jpg", true},
	    {"https://our.example/media/" HASH "-1x16000.webp", true},
	    {"/media/" HASH "-480x320.png", true},
	    {"https://their.example/media/" HASH "-480x320.png", false},
	    {"media/" HASH "-480x320.png", false},
	    {"/media/" HASH "-480x320.gif", false},
	    {"/media/" HASH "-480x320.jpg?a", false},
	    {"/media/" HASH "-480x320", false},
	    {"/media/" HASH "-480.jpg", false},
	    {"/media/" HASH "-0480x320.jpg", false},
	    {"/media/" HASH "-480x-320.jpg", false},
	    {"/media/" HASH "-16001x320.jpg", false},
	    {"/media/" HASH "0-480x320.jpg", false},
	    {"/media/0123456789ABCDEF0123456789abcdef-480x320.jpg", false},
	    {"/media/../" HASH "-480x320.jpg", false},
	    {"/media/", false},
	    {"", false},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct str url = str_of(table[i].url), path = url;
		struct media_address address;
		bool good = media_address_read(url, STR("https://our.example"), &address);

		ok(good == table[i].good, "%s a picture's address: %s",
		    table[i].good ? "this is" : "this is not", table[i].url);
		if (str_starts(url, STR("https://our.example")))
			path = str_sub(url, 19, url.len);
		if (good)
			is_str(
			    media_path(arena, &address), path, "... and is written as it was read");
	}
}

static void
sizes(struct arena *arena)
{
	static const struct {
		struct media_size sent, whole;
		const char *srcset;
	} table[] = {
	    {{6000, 4000}, {1600, 1067}, "480x320 480w, 960x640 960w, 1600x1067 1600w"},
	    {{1600, 1000}, {1600, 1000}, "480x300 480w, 960x600 960w, 1600x1000 1600w"},
	    {{1200, 1201}, {1200, 1201}, "480x480 480w, 960x961 960w, 1200x1201 1200w"},
	    {{1199, 10}, {1199, 10}, "480x4 480w, 1199x10 1199w"},
	    {{600, 16000}, {600, 16000}, "480x12800 480w, 600x16000 600w"},
	    {{599, 1}, {599, 1}, ""},
	    {{16000, 1}, {1600, 1}, "480x1 480w, 960x1 960w, 1600x1 1600w"},
	    {{1, 1}, {1, 1}, ""},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct media_address address = {STR(HASH), media_whole(table[i].sent, false), MEDIA_JPEG};
		struct buf said = {.arena = arena};
		struct str srcset = media_srcset(arena, &address), rest;

		while (srcset.len != 0) {
			struct str one = str_cut(srcset, ',', &srcset),
				   name = str_cut(one, '-', &rest);

			buf_fmt(&said, "%s%.*s%.*s", said.len != 0 ? ", " : "",
			    STR_ARGS(str_sub(rest, 0, str_find(rest, '.'))),
			    STR_ARGS(str_sub(rest, str_find(rest, ' '), rest.len)));
			ok(str_ends(name, STR("/media/" HASH)), "... at the picture's own name");
		}
		ok(address.size.width == table[i].whole.width &&
			address.size.height == table[i].whole.height,
		    "%d by %d is kept as %d by %d", (int)table[i].sent.width,
		    (int)table[i].sent.height, (int)table[i].whole.width,
		    (int)table[i].whole.height);
		is_str(buf_str(&said), str_of(table[i].srcset), "... with what is narrower");
	}
}

static void
names(struct arena *arena)
{
	static const struct {
		const char *name, *alt;
	} table[] = {{"old-harbour_at dawn.JPG", "old harbour at dawn"}, {"IMG_1234.jpg", ""},
	    {"boat", "boat"}, {".png", ""}, {"", ""}, {"a]b.png", "a b"}};
	static const unsigned char key[MEDIA_KEY_BYTES] = "one", other[MEDIA_KEY_BYTES] = "another";
	struct str mine = media_hash(arena, key, STR("noor"), STR("bytes"));

	ok(media_hash_valid(mine), "a name is made of what was sent");
	is_str(media_hash(arena, key, STR("noor"), STR("bytes")), mine, "... always the same,");
	ok(!str_eq(media_hash(arena, key, STR("kofi"), STR("bytes")), mine),
	    "... another one for somebody else,");
	ok(!str_eq(media_hash(arena, other, STR("noor"), STR("bytes")), mine),
	    "... another one on another site,");
	ok(!str_eq(media_hash_before(arena, STR("noor"), STR("bytes")), mine),
	    "... and not what anybody can compute who has the file and knows the name,");
	ok(!str_eq(media_hash(arena, key, STR("noo"), STR("rbytes")), mine),
	    "... nor one for a name and a file that only together are the same,");
	ok(!str_eq(media_hash(arena, key, STR("noor"), STR("bytes ")), mine),
	    "... and another one for something else");
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct media media = {.name = str_of(table[i].name)};

		is_str(media_alt(arena, &media), str_of(table[i].alt),
		    "\"%s\" says something or nothing", table[i].name);
	}
}

static void
items(struct arena *arena)
{
	const struct media media = {
	    STR(HASH), STR("noor"), STR("a.png"), MEDIA_PNG, 640, 480, 99, 1763458200123};
	struct write put = media_put(arena, &media);
	struct media read;

	is_str(item_string(&put.item, STR("PK")), STR("MEDIA#" HASH), "a picture's item");
	is_str(
	    item_string(&put.item, STR("GSI1PK")), STR("USER#noor"), "... is found by its owner");
	is_str(item_string(&put.item, STR("GSI1SK")), STR("MEDIA#2025-11-18T09:30:00.123Z#" HASH),
	    "... in the order of time");
	media_from_item(arena, &put.item, &read);
	ok(str_eq(read.hash, media.hash) && str_eq(read.owner, media.owner) &&
		str_eq(read.name, media.name) && read.format == media.format && read.width == 640 &&
		read.height == 480 && read.bytes == 99 && read.created == media.created,
	    "... and reads as it was written");
}

/* What the writes do, as words: "+0123 -fedc" by the first digits of the pictures. */
static struct str
done(struct arena *arena, const struct media_uses *old, const struct media_uses *new)
{
	struct write writes[MEDIA_USE_WRITES_MAX];
	size_t count = media_use_writes(arena, old, new, writes);
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < count; i++) {
		bool put = writes[i].kind == WRITE_PUT;
		struct key key = put ? item_key(&writes[i].item) : writes[i].key;

		buf_fmt(&out, "%s%.4s %.*s ", put ? "+" : "-", key.pk.base + 6, STR_ARGS(key.sk));
	}
	return str_trim(buf_str(&out));
}

static void
uses(struct arena *arena)
{
	struct post post = {.id = STR("a"), .title = STR("A"), .author = STR("noor")};
	const struct step steps[] = {{.markdown = STR("![](/media/" OTHER "-1x1.png)")}};
	struct post_body body = {
	    .markdown = STR("x ![a](/media/" HASH "-1x1.png) and again /media/" HASH
			    "-480x1.png, /media/" HASH ".png /media/0123 /media/")};
	struct media_uses none = {.post = STR("a")}, text, more, many, later;
	struct buf lots = {.arena = arena};
	struct write writes[MEDIA_USE_WRITES_MAX];

	media_uses_of(arena, &post, &body, &text);
	is_int((int64_t)text.hashes.count, 1, "a picture is found in a text, once");
	is_str(text.hashes.strings[0], STR(HASH), "... by its name");
	body.steps = steps;
	body.step_count = 1;
	media_uses_of(arena, &post, &body, &more);
	is_int((int64_t)more.hashes.count, 2, "steps count too");
	body = (struct post_body){.markdown = STR("")};
	post.thumbnail.url = STR("https://our.example/media/" OTHER "-480x360.png");
	media_uses_of(arena, &post, &body, &later);
	is_int((int64_t)later.hashes.count, 1, "... and so does the thumbnail");

	body = (struct post_body){.html = STR("<p><img src=\"/media/" HASH "-1600x400.svg\" alt=\"\"> and "
					      "<img src=\"/media/" OTHER "-9x9.png\" alt=\"\"></p>")};
	is_str(media_first(&body), STR("/media/" OTHER "-9x9.png"), "an SVG is not the picture of a post");
	body = (struct post_body){.html = STR("<img src=\"/media/" HASH "-1600x400.svg?x#y\" alt=\"\">")};
	is_str(media_first(&body), STR(""), "... nor is one with something behind its address");

	is_str(done(arena, &none, &more), STR("+0123 POST#a +fedc POST#a"), "what comes is noted");
	is_str(done(arena, &more, &more), STR(""), "what stays is not written again");
	is_str(done(arena, &more, &text), STR("-fedc POST#a"), "what goes is taken away");
	is_str(done(arena, &text, &later), STR("+fedc POST#a -0123 POST#a"), "both at once");
	later = more;
	later.title = STR("B");
	is_str(done(arena, &more, &later), STR("+0123 POST#a +fedc POST#a"),
	    "another title is noted everywhere");

	for (int i = 0; i < MEDIA_USES_MAX + 9; i++)
		buf_fmt(&lots, "/media/%032x-1x1.jpg ", (unsigned)i + 1);
	body.markdown = buf_str(&lots);
	post.thumbnail.url = STR("");
	media_uses_of(arena, &post, &body, &many);
	is_int(
	    (int64_t)many.hashes.count, MEDIA_USES_MAX, "of very many, the first ones are noted");
	is_int((int64_t)media_use_writes(arena, &more, &many, writes), MEDIA_USES_MAX + 2,
	    "... and the writes have their bound");
}

static void
permissions(void)
{
	struct media media = {.hash = STR(HASH), .owner = STR("noor")};
	struct viewer viewer = {.user = {.status = USER_ACTIVE}};

	static const struct {
		const char *name;
		enum role role;
		bool may;
	} table[] = {{"noor", ROLE_AUTHOR, true}, {"noor", ROLE_READER, true},
	    {"kofi", ROLE_AUTHOR, false}, {"kofi", ROLE_READER, false}, {"ed", ROLE_EDITOR, true},
	    {"ad", ROLE_ADMIN, true}};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		viewer.user.username = str_of(table[i].name);
		viewer.user.role = table[i].role;
		viewer.permissions = permissions_of_role(table[i].role);
		ok(may(&viewer, MAY_DELETE, thing_media(&media)) == table[i].may &&
			may(&viewer, MAY_READ, thing_media(&media)) == table[i].may,
		    "%s, %s: %s", table[i].name, role_name(table[i].role),
		    table[i].may ? "may delete noor's picture" : "may not even see its page");
	}
	ok(!may(NULL, MAY_READ, thing_media(&media)), "a stranger may not");
	ok(!may(&viewer, MAY_EDIT, thing_media(&media)), "nobody changes a picture");
}

int
main(void)
{
	struct arena *arena = arena_new();

	addresses(arena);
	sizes(arena);
	names(arena);
	items(arena);
	uses(arena);
	permissions();
	arena_free(arena);
	return tap_done();
}
