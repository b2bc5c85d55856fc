/* Escaping text for HTML: for any length and content, the result is that of a plain loop. */
#include "lib/tap.h"

#include "base/arena.h"
#include "text/escape.h"

enum { LONGEST = 70 };

static void
put_plainly(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		switch (text.base[i]) {
		case '&': BUF_PUT(out, "&amp;"); break;
		case '<': BUF_PUT(out, "&lt;"); break;
		case '>': BUF_PUT(out, "&gt;"); break;
		case '"': BUF_PUT(out, "&quot;"); break;
		case '\'': BUF_PUT(out, "&#39;"); break;
		default: buf_putc(out, text.base[i]);
		}
	}
}

/*
 * After existing text, as in a page. The text has its own memory, so that the sanitizer sees a read
 * beyond it.
 */
static bool
is_right(struct str text)
{
	struct arena *arena = arena_new();
	struct buf is = {.arena = arena}, wanted = {.arena = arena};
	bool same;

	text.base = arena_copy(arena, text.base, text.len);
	BUF_PUT(&is, "<p>");
	BUF_PUT(&wanted, "<p>");
	escape_html(&is, text);
	put_plainly(&wanted, text);
	same = str_eq(buf_str(&is), buf_str(&wanted));
	arena_free(arena);
	return same;
}

int
main(void)
{
	char text[LONGEST];
	int plain = 0, one = 0, every = 0;
	struct arena *arena = arena_new();

	for (size_t i = 0; i < LONGEST; i++)
		text[i] = (char)('A' + i % 26);
	for (size_t len = 0; len <= LONGEST; len++)
		plain += !is_right((struct str){text, len});
	is_int(plain, 0, "a text with nothing to escape comes out as it is");
	for (size_t len = 1; len <= LONGEST; len++) {
		for (size_t at = 0; at < len; at++) {
			char was = text[at];

			for (const char *c = "&<>\"'"; *c != '\0'; c++) {
				text[at] = *c;
				one += !is_right((struct str){text, len});
			}
			text[at] = was;
		}
	}
	is_int(one, 0, "a special character is escaped wherever it stands");
	for (int byte = 0; byte < 256; byte++) {
		text[5] = text[40] = (char)byte;
		every += !is_right((struct str){text, 11}) + !is_right((struct str){text, LONGEST});
	}
	is_int(every, 0, "five bytes are special, and no other");
	is_str(escape_json(arena, STR("{\"a\":\"</script><b>\"}<")).text,
	    STR("{\"a\":\"\\u003c/script>\\u003cb>\"}\\u003c"), "JSON cannot end its script");
	arena_free(arena);
	return tap_done();
}
