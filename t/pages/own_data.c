/* The download of one's data: everything and no secret, in parts if need be. */
#include "past.h"
#include "signing.h"

#include "table/json.h"

/* How many lines are of that type. */
static size_t
lines_of(struct str text, const char *type)
{
	char mark[64];

	snprintf(mark, sizeof(mark), "\"Type\":\"%s\"", type);
	return count_of(text, str_of(mark));
}

static bool
liked_by(const struct item *item, const char *name)
{
	return is_type(item, "Like") && str_eq(item_string(item, STR("Author")), str_of(name));
}

/* With others, too. */
static bool
closed_by(const struct item *item, const char *name)
{
	return (is_type(item, "Post") || is_type(item, "PostCopy")) &&
	       str_starts(item_string(item, STR("GSI1PK")), STR("USER#")) &&
	       str_eq(str_sub(item_string(item, STR("GSI1PK")), 5, SIZE_MAX), str_of(name)) &&
	       !(str_eq(item_string(item, STR("Status")), STR("published")) &&
		   str_eq(item_string(item, STR("Visibility")), STR("public")));
}

/* Is every line a JSON object? */
static bool
is_json(struct seeded *s, struct str text)
{
	while (text.len != 0) {
		struct str line = str_cut(text, '\n', &text);
		struct json_reader in = json_reader(s->arena, line);

		if (json_peek(&in) != JSON_OBJECT || !json_skip(&in) || !json_end(&in))
			return false;
	}
	return true;
}

static void
taking(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct item noor;
	struct str all;

	give_password(s, "noor", PASSWORD);
	noor = seeded_item(s, "USER#noor", "METADATA");
	item_set(s->arena, &noor, STR("SecondKey"), value_binary(STR("sealed")));
	item_set(s->arena, &noor, STR("RecoveryCodes"),
	    value_set(s->arena, (struct str[]){STR("5ec0ec0de5")}, 1));
	seeded_put(s, &noor, 1);
	get(&b, "/account/data");
	is_int(SUBMIT(&b, "/account/export", "x", "y"), HTTP_OK, "the download");
	all = b.last.body;
	is_str(header(&b.last, "Content-Disposition"), STR("attachment; filename=\"noor.jsonl\""),
	    "... is a file");
	is_str(header(&b.last, "Cache-Control"), STR("no-store"), "... that nobody keeps");
	ok(is_json(s, all), "each line is JSON");
	is_int((int64_t)lines_of(all, "User"), 1, "who she is");
	ok(holds(all, STR("\"Email\":\"noor@example.org\"")), "... with her address");
	is_int((int64_t)lines_of(all, "Post"), (int64_t)stored(s, written_by, "noor"),
	    "all of her posts, drafts too");
	is_int((int64_t)count_of(all, STR("\"Draft\":true")), (int64_t)stored(s, closed_by, "noor"),
	    "... of which those say that they are drafts that are not for everybody");
	is_int((int64_t)lines_of(all, "Body"),
	    (int64_t)lines_of(all, "Post") + (int64_t)lines_of(all, "PostCopy"),
	    "... with their text");
	is_int((int64_t)lines_of(all, "Comment"), (int64_t)stored(s, commented_by, "noor"),
	    "her comments");
	is_int((int64_t)lines_of(all, "Rating"), (int64_t)stored(s, rated_by, "noor"),
	    "ratings, once each");
	is_int((int64_t)lines_of(all, "Like"), (int64_t)stored(s, liked_by, "noor"), "likes");
	is_int((int64_t)lines_of(all, "Session"), 1, "sessions");
	ok(lines_of(all, "Membership") != 0 && lines_of(all, "Follow") != 0, "groups and follows");
	is_int((int64_t)lines_of(all, "End"), 1, "it says where it ends");
	ok(!holds(all, STR("argon2id")) && !holds(all, STR("PasswordHash")) &&
		!holds(all, STR("\"PK\"")) && !holds(all, STR("GSI")) &&
		!holds(all, STR("SESSION#")) && !holds(all, STR("\"HTML\"")) &&
		!holds(all, STR("Second")) && !holds(all, STR("5ec0ec0de5")),
	    "no key and no hash is in it");
	b = browser(s, "192.0.2.1");
	is_int(get(&b, "/account/data"), HTTP_SEE_OTHER, "a stranger has none");
}

/* More long drafts than fit into one part. */
static void
parts(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), eve = browser_of(s, "pascal");
	struct str draft = STR(""), next;
	size_t posts = 0, count = 0;
	char *text = arena_alloc(s->arena, 100001);

	memset(text, 'x', 100000);
	put_drafts(s, "ingrid", 50, (struct str){text, 100000});
	get(&b, "/account/data");
	do {
		SUBMIT(&b, "/account/export", "x", "y");
		count++;
		posts += lines_of(b.last.body, "Post");
		draft = b.last.body;
		next = part(draft, "\"Address\":\"https://slack.example", "\"");
		if (next.len != 0) {
			get(&eve, str_cstring(s->arena, next));
			is_int(SUBMIT(&eve, "/account/export", "x", "y"), HTTP_BAD_REQUEST,
			    "somebody else's next part is none of yours");
			get(&b, str_cstring(s->arena, next));
			ok(says(&b, "Download the next part"), "the page offers the next part");
		}
	} while (next.len != 0 && count < 20);
	ok(count > 1, "what is long comes in %zu parts", count);
	is_int((int64_t)posts, (int64_t)stored(s, written_by, "ingrid"),
	    "... that together have all of it");
	is_int((int64_t)lines_of(draft, "End"), 1, "... and an end");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	taking(&s);
	parts(&s);
	browsers_close(&s);
	return tap_done();
}
