/*
 * Books: the posts of a week, an author, a collection and a series as EPUB. What is in them and in which order, what is not for
 * strangers and so in none, and whatever an author writes, it stays well-formed XML. epubcheck, which knows the whole
 * standard, looks at one with all of it.
 */
#include "seeded.h"
#include "xml.h"

#include "lib/paths.h"
#include "lib/tap.h"

#include "base/buf.h"
#include "model/key.h"
#include "web/media/media_store.h"

#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#define STRANGE "the-tide-in-forty-lines-of-c"
#define EPUBCHECK "/usr/share/java/epubcheck.jar"

/* All that Markdown can do, and what XML can't. */
static const char strange[] =
    "Text[^1] & <b>tags</b> \"quotes\" it's ~~gone~~ `a < b && c` www.example.org/?a=1&b=2 a  \nbreak\x01\x0c\n\n"
    "[^1]: A note, [with a link](/tag/tides) and *more*.\n\n## A & B\n\n[up](#h-a-b) <noor@example.org>\n\n"
    "- [ ] open\n- [x] done\n\n1. one\n   - two\n\n7) seven\n\nTerm\n: what it means\n: or that\n\n> [!pull] Pulled.\n\n"
    "> [!note]\n> A remark with `code`.\n\n> quoted\n> > twice\n\nhttps://example.org/card?x=1&y=<2>\n\nhttps://example.org/a?b&c\n\n---\n\n"
    "a | b\n--- | :-:\n1 | 2\n\n```c\nint main(void) { return 1 < 2 && \"s\"; }\n```\n\n"
    "![Bread & rain](/media/846c01ec286295fddacde184498282a7-960x640.png \"A <caption>\")\n\n"
    "![A](/media/05a42dd81a0a09598e9baf20ecc58e80-960x640.png#wide)\n"
    "![B](/media/0c82391cf93835ac4609257226ed6920-960x640.png)\n\n"
    "![elsewhere](https://example.org/a.png) ![gone](/media/00000000000000000000000000000000-960x640.png)\n"
    "![webp](/media/00000000000000000000000000000001-960x640.webp)\n\n<!-- -- --> ]]> &nbsp; &copy; <br> <div>\n\n"
    "\xef\xbf\xbe \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d\n";

/* --- Reading a ZIP file ------------------------------------------------------------------------------- */

static uint32_t
number(struct str bytes, size_t at, size_t size)
{
	uint32_t n = 0;

	for (size_t i = size; i-- > 0;)
		n = n << 8 | (unsigned char)bytes.base[at + i];
	return n;
}

/* A file of the book, unpacked; *stored: it was not packed. Empty: there is none, or it is damaged. */
static struct str
entry(struct arena *arena, struct str zip, const char *wanted, bool *stored)
{
	for (size_t at = 0; at + 30 < zip.len && number(zip, at, 4) == 0x04034b50;) {
		size_t packed = number(zip, at + 18, 4), size = number(zip, at + 22, 4);
		struct str name = str_sub(zip, at + 30, number(zip, at + 26, 2));
		struct str bytes = str_sub(zip, at + 30 + name.len, packed);
		unsigned char *out = arena_alloc(arena, size + 1);
		z_stream z = {.next_in = (unsigned char *)bytes.base,
		    .avail_in = (unsigned)packed,
		    .next_out = out,
		    .avail_out = (unsigned)size};

		at += 30 + name.len + packed;
		if (!str_eq(name, str_of(wanted)))
			continue;
		*stored = number(zip, at - 30 - name.len - packed + 8, 2) == 0;
		if (*stored)
			return bytes;
		if (inflateInit2(&z, -15) != Z_OK || inflate(&z, Z_FINISH) != Z_STREAM_END)
			return STR("");
		inflateEnd(&z);
		return (struct str){(char *)out, size};
	}
	return STR("");
}

static struct str
file_of(struct seeded *s, struct str zip, const char *name)
{
	bool stored;

	return entry(s->arena, zip, name, &stored);
}

/* As the program writes it, but for the type of document, which the checker does not know. */
static void
well_formed(struct seeded *s, struct str zip, const char *name)
{
	struct str text = file_of(s, zip, name), type = STR("<!DOCTYPE html>\n");
	size_t at = 0;
	const char *error;

	for (size_t i = 0; i + type.len < text.len; i++)
		if (str_starts(str_sub(text, i, text.len), type)) {
			text = STR_CONCAT(s->arena, str_sub(text, 0, i), str_sub(text, i + type.len, text.len));
			break;
		}
	error = xml_error(text, &at);
	ok(error == NULL, "%s is well-formed", name);
	if (error != NULL)
		fprintf(stderr, "# %s at %zu: %.*s\n", error, at, STR_ARGS(str_sub(text, at > 80 ? at - 80 : 0, 160)));
}

/* --- The books ---------------------------------------------------------------------------------------- */

static struct str
book_of(struct seeded *s, const char *address)
{
	struct answer answer = visit(s, str_of(address));

	is_int(answer.status, HTTP_OK, "%s is a book", address);
	return answer.body;
}

static void
of_a_week(struct seeded *s)
{
	struct answer answer = visit(s, STR("/edition/2026-w47/book.epub"));
	struct str contents, zip = answer.body, again;
	bool stored;

	is_str(header(&answer, "Content-Type"), STR("application/epub+zip"), "a book says what it is");
	is_str(header(&answer, "Content-Disposition"), STR("attachment; filename=\"2026-w47.epub\""),
	    "... and how it is called");
	is_str(entry(s->arena, zip, "mimetype", &stored), STR("application/epub+zip"), "it begins with its type");
	ok(stored && number(zip, 0, 4) == 0x04034b50 && number(zip, 26, 2) == 8, "... first, and not packed");
	contents = file_of(s, zip, "EPUB/nav.xhtml");
	ok(holds(part(contents, "p1.xhtml\">", "</a>"), STR("Bread for a wet week")), "what leads comes first");
	ok(holds(contents, STR("The bell that nobody rings")) && holds(contents, STR("Forty-one brents")),
	    "... and all that the week has follows");
	ok(!holds(contents, STR("Thursday, before the deadline")) && !holds(contents, STR("longest low water")),
	    "... but what is for followers, or yet to come");
	ok(holds(file_of(s, zip, "EPUB/book.opf"), STR(">2026-11-18T")), "it says when it was changed last");
	well_formed(s, zip, "EPUB/book.opf");
	well_formed(s, zip, "EPUB/nav.xhtml");
	well_formed(s, zip, "EPUB/p1.xhtml");
	again = visit(s, STR("/edition/2026-w47/book.epub")).body;
	ok(str_eq(zip, again), "the same posts are the same bytes");
}

static void
of_others(struct seeded *s)
{
	struct str page = visit(s, STR("/post/eel-elver-glass")).body;
	struct str id = part(visit(s, STR("/author/lowri/collections")).body, "href=\"/collection/", "\"");
	struct str zip, contents;

	zip = book_of(s, "/author/lowri/book.epub");
	ok(holds(file_of(s, zip, "EPUB/book.opf"), STR("<dc:creator>Lowri Bevan</dc:creator>")), "... of its author");
	ok(holds(page, STR("/collection/")) &&
		holds(visit(s, STR("/author/lowri")).body, STR("href=\"/author/lowri/book.epub\"")) &&
		holds(visit(s, STR("/edition/2026-w47")).body, STR("href=\"/edition/2026-w47/book.epub\"")),
	    "... and pages lead to theirs");
	zip = book_of(s, str_cstring(s->arena, STR_CONCAT(s->arena, STR("/collection/"), id, STR("/book.epub"))));
	contents = file_of(s, zip, "EPUB/nav.xhtml");
	ok(holds(part(contents, "p1.xhtml\">", "</a>"), STR("A year on Pin Point")) &&
		holds(part(contents, "p2.xhtml\">", "</a>"), STR("Eel, elver, glass")),
	    "... in its owner's order");
	is_int(visit(s, STR("/edition/2020-w53/book.epub")).status, HTTP_NOT_FOUND, "an empty week has no book");
	is_int(visit(s, STR("/edition/2026-w54/book.epub")).status, HTTP_NOT_FOUND, "... nor has what is none");
	is_int(visit(s, STR("/author/pascal/book.epub")).status, HTTP_NOT_FOUND, "... nor who has written nothing");
	is_int(visit(s, STR("/author/nobody/book.epub")).status, HTTP_NOT_FOUND, "... nor nobody");
	is_int(visit(s, STR("/collection/00000000000000/book.epub")).status, HTTP_NOT_FOUND, "... nor what is not there");
}

static void
write_strange(struct seeded *s)
{
	struct item body = seeded_item(s, "POST#" STRANGE, "BODY"), head = seeded_item(s, "POST#" STRANGE, "METADATA");

	item_set(s->arena, &body, STR("Markdown"), value_string(str_of(strange)));
	item_set(s->arena, &body, STR("Renderer"), value_number(0));
	seeded_put(s, &body, 1);
	item_set(s->arena, &head, STR("Title"), value_string(STR("Tides & <currents>")));
	seeded_put(s, &head, 1);
}

/* Java takes seconds: once is enough. */
static void
look_closely(struct seeded *s, struct str zip)
{
	char path[] = "/tmp/broadsheet-book-XXXXXX.epub";
	int fd = getenv("TEST_STORE") == NULL && access(EPUBCHECK, R_OK) == 0 ? mkstemps(path, 5) : -1;
	char *command = str_cstring(s->arena, str_fmt(s->arena, "java -jar " EPUBCHECK " %s >&2", path));

	if (fd < 0)
		return;
	if (write(fd, zip.base, zip.len) != (ssize_t)zip.len || close(fd) != 0)
		bail_out("the book can't be written");
	is_int(system(command), 0, "epubcheck finds nothing wrong");
	unlink(path);
}

static void
of_strange_texts(struct seeded *s)
{
	struct str zip, text;

	write_strange(s);
	zip = book_of(s, "/author/kofi/book.epub");
	for (int i = 1; i <= 9; i++) {
		char name[32];

		snprintf(name, sizeof(name), "EPUB/p%d.xhtml", i);
		if (holds(file_of(s, zip, name), STR("Tides &amp; &lt;currents&gt;</h1>")))
			text = file_of(s, zip, name);
		well_formed(s, zip, name);
	}
	ok(holds(text, STR("<img src=\"846c01ec286295fddacde184498282a7-960x640.png\" alt=\"Bread &amp; rain\"/>")),
	    "a picture is in the book");
	ok(file_of(s, zip, "EPUB/846c01ec286295fddacde184498282a7-960x640.png").len > 1000, "... with its bytes");
	ok(holds(text, STR("gone")) && !holds(text, STR("00000000000000")), "... for one that is not here its words stand");
	ok(holds(text, STR("href=\"https://slack.example/tag/tides\"")), "links lead out of it");
	ok(holds(text, STR("class=\"link-card\"")) &&
		holds(file_of(s, zip, "EPUB/style.css"), STR(".link-card a {")),
	    "an address by itself is a card, as on the page");
	look_closely(s, zip);
}

int
main(void)
{
	const struct media_store_options pictures = {.directory = TOP_SRCDIR "/migrations-free-seed/media"};
	struct seeded s;

	seeded_open(&s);
	s.site.media = media_store_new(&pictures);
	of_a_week(&s);
	of_others(&s);
	of_strange_texts(&s);
	media_store_free(s.site.media);
	s.site.media = NULL;
	seeded_close(&s);
	return tap_done();
}
