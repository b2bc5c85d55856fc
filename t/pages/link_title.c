/* The title of a link that is suggested from the text pasted from its page. */
#include "lib/tap.h"

#include "base/arena.h"
#include "pages/write/link_title.h"

int
main(void)
{
	static const struct {
		const char *source, *title;
	} cases[] = {
	    {"", ""},
	    {"  A first line \nand more", "A first line"},
	    {"<p>No title</p>", ""},
	    {"<html><head><TITLE lang=en>\n Salt &amp; <b>bread</b> </TITLE>",
		"Salt & <b>bread</b>"},
	    {"<title>It&rsquo;s 5&nbsp;o&#8217;clock &#x2014; AT&T; &unknown; &#0; &#xd800; "
	     "&</title>",
		"It’s 5 o’clock — AT&T; &unknown; &#0; &#xd800; &"},
	    {"<title>&#233;&#x1F986;</title>", "é🦆"},
	    {"<title>Two\nlines</title>", "Two"},
	    {"<title>&lt;script&gt;</title>", "<script>"},
	    {"<title>Never closed", "Never closed"},
	    {"<title", ""},
	    {"<title>", ""},
	    {"<title>&#x202e;txt.exe</title>", ""},
	    {"<title>&#99999999999999999999;</title>", "&#99999999999999999999;"},
	    {"Tab\tin it", ""},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(link_title(arena, str_of(cases[i].source)), str_of(cases[i].title),
		    "what number %zu is called", i + 1);
	arena_free(arena);
	return tap_done();
}
