/*
 * Markdown: whatever the source, the HTML contains nothing but what is allowed. A checker that
 * knows the allowed tags and attributes reads all of it; see markdown_check.h.
 */
#include "text/markdown.h"

#include "base/clock.h"
#include "lib/tap.h"
#include "markdown_check.h"
#include "markdown_hostile.h"

/* What somebody tried, and how many links and images may remain of it. */
struct attack {
	const char *source;
	size_t links, images;
};

static const struct attack attacks[] = {
    /* Pictures of our own, and addresses that are not. */
    {"![a](/media/0123456789abcdef0123456789abcdef-1200x901.png)", 0, 1},
    {"![a](/media/0123456789abcdef0123456789abcdef-1200x901.png\"onload=)", 0, 1},
    /* Schemes, as they are and in disguise. */
    {"[a](javascript:alert(1))"},
    {"[a](JaVaScRiPt:alert(1))"},
    {"[a](javascript&colon;alert(1))"},
    {"[a](javascript&#58;alert(1))"},
    {"[a](javascript&#x3A;alert(1))"},
    {"[a](javascript&#0000058alert(1))", 1}, /* no reference without its semicolon: a path */
    {"[a](&#106;avascript:alert(1))"},
    {"[a](&#x6A;&#x61;vascript:alert(1))"},
    {"[a](java&Tab;script:alert(1))"},
    {"[a](java&NewLine;script:alert(1))"},
    {"[a](java&#13;script:alert(1))"},
    {"[a](java&#0;script:alert(1))"},
    {"[a](java\\script:alert(1))"},
    {"[a](j\\avascript\\:alert(1))"},
    {"[a](<java\tscript:alert(1)>)"},
    {"[a](< javascript:alert(1)>)"},
    {"[a](<\tjavascript:alert(1)>)"},
    {"[a](&#1;javascript:alert(1))"},
    {"[a](&#x20;javascript:alert(1))"},
    {"[a](&#xA0;javascript:alert(1))"},
    {"[a](&#xFEFF;javascript:alert(1))"},
    {"[a](&#xFDD0;javascript:alert(1))"},
    {"[a](java&#xFDD0;script:alert(1))"},
    {"[a](java\xef\xb7\x90script:alert(1))"},
    {"[a](javascript\\|:alert(1))"},
    {"[a](\xe2\x80\xaejavascript:alert(1))"},
    {"[a](javascript%3Aalert(1))", 1}, /* a path, to every browser */
    {"[a](vbscript:msgbox(1))"},
    {"[a](data:text/html,<script>alert(1)</script>)"},
    {"[a](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)"},
    {"[a](DATA:image/svg+xml,<svg/onload=alert(1)>)"},
    {"[a](blob:https://our.example/1)"},
    {"[a](feed:javascript:alert(1))"},
    {"[a](feed:https://b.example)"},
    {"[a](view-source:javascript:alert(1))"},
    {"[a](file:///etc/passwd)"},
    {"[a](filesystem:https://our.example/a)"},
    {"[a](about:blank)"},
    {"[a](ws://b.example)"},
    {"[a](ftp://b.example/)"},
    {"[a](tel:1)"},
    {"[a](x:y)"},
    {"[a](:javascript:alert(1))"},
    {"[a](1http://b.example)"},
    {"[a]: javascript:alert(1)\n\n[a]"},
    {"[a]: <java&Tab;script:alert(1)>\n\n[b][a]"},
    {"<javascript:alert(1)>"},
    {"<JAVASCRIPT:alert(1)>"},
    {"<data:text/html,a>"},
    {"<feed:javascript:alert(1)>"},
    {"<view-source:https://a.example>"},
    /* Other hosts. */
    {"[a](//b.example)"},
    {"[a](/\\b.example)"},
    {"[a](\\/\\/b.example)"},
    {"[a](&#47;/b.example)"},
    {"[a](/&#92;b.example)"},
    {"[a](\\\\\\\\b.example)"},
    {"[a](/&Tab;/b.example)"},
    {"[a](&sol;&sol;b.example)"},
    {"[a](https:b.example)"},
    {"[a](https:/b.example)"},
    {"[a](https:///b.example)"},
    {"[a](https:\\\\b.example)"},
    {"[a](https://)"},
    {"[a](https://our.example@b.example)"},
    {"[a](https://our.example%40b.example)"},
    {"[a](https://our.example\\@b.example)"},
    {"[a](https://our.example:x@b.example/)"},
    {"[a](mailto:)"},
    /* Out of an attribute, a tag, a text. */
    {"[a](/b\"onmouseover=\"alert(1))", 1},
    {"[a](/b'onmouseover='alert(1))", 1},
    {"[a](</b\" onmouseover=\"alert(1)>)", 1},
    {"[a](/b \"c\\\" onmouseover=alert(1) d=\\\"\")", 1},
    {"[a](/b '\"><script>alert(1)</script>')", 1},
    {"[a](/b&quot;&gt;&lt;script&gt;)", 1},
    {"[\"><script>alert(1)</script>](/b)", 1},
    {"![\" onerror=\"alert(1)](/b.png)", 0, 1},
    {"![a](/b.png '\" onload=\"alert(1)')", 0, 1},
    {"![a](/b.png\"onerror=\"alert(1))", 0, 1},
    {"![a](javascript:alert(1))"},
    {"![a](data:image/svg+xml,<svg onload=alert(1)>)"},
    {"![a](//b.example/c.png)"},
    {"![a](mailto:b@c.example)"},
    {"![![\"onerror=alert(1)](/b)](/c)", 0, 1},
    {"[![a](javascript:alert(1))](javascript:alert(1))"},
    {"[a [b](/c) d](javascript:alert(1))", 1},
    {"# <script>alert(1)</script>\n\n# \" onclick=\"alert(1)"},
    {"# &quot;&gt;&lt;script&gt;"},
    {"``` x\"onmouseover=\"alert(1)\na\n```"},
    {"``` x&quot;y\na\n```"},
    {"``` </code></pre><script>alert(1)</script>\na\n```"},
    {"`</code><script>alert(1)</script>`"},
    {"    </code></pre><script>alert(1)</script>"},
    {"\"> | <b>\n:-: | -\n<script> | `</td><script>`"},
    {"&lt;script&gt;alert(1)&lt;/script&gt;"},
    {"&#60;script&#62;alert(1)&#60;/script&#62;"},
    /* What CommonMark does not have. */
    {"a https://b.example/\"onmouseover=\"alert(1)", 1},
    {"a https://b.example/'onmouseover='alert(1)", 1},
    {"a www.b.example/<script>alert(1)</script>", 1},
    {"a https://our.example@b.example/"},
    {"a https://our.example%40b.example/"},
    {"a https://our.example\\@b.example/"},
    {"a javascript:https://b.example/%0aalert(1)"},
    {"https://b.example/\"><script>alert(1)</script>", 1},
    {"~~<script>alert(1)</script>~~"},
    {"- [x] <script>alert(1)</script>"},
    {"\"><script>\n: <script>alert(1)</script>"},
    {"> [!note]<script>alert(1)</script>"},
    {"> [!\"><script>alert(1)</script>]"},
    {"[^\"><script>]: <script>alert(1)</script>"},
    /* HTML, which is not read at all. */
    {"<script>alert(1)</script>"},
    {"a <script>alert(1)</script>"},
    {"<img src=x onerror=alert(1)>"},
    {"<svg/onload=alert(1)>"},
    {"<a href=\"javascript:alert(1)\">a</a>"},
    {"<iframe srcdoc='<script>alert(1)</script>'></iframe>"},
    {"<style>@import '//b.example';</style>"},
    {"<base href=//b.example>"},
    {"<meta http-equiv=refresh content='0;url=//b.example'>"},
    {"<form action=//b.example><button>a"},
    {"<!--><script>alert(1)</script>-->"},
    {"<!-- a --><script>alert(1)</script>"},
    {"<!--\n--><img src=x onerror=alert(1)>"},
    {"a <!-- b --><script>alert(1)</script>"},
    {"<br onclick=alert(1)>"},
    {"<br\n/onclick=alert(1)>"},
    {"<?a ?><script>alert(1)</script>"},
    {"<![CDATA[><script>alert(1)</script>]]>"},
    {"<!DOCTYPE a><script>"},
    {"</p></div></main><script>"},
    {"<scr<script>ipt>alert(1)</scr</script>ipt>"},
    {"\\<script>alert(1)\\</script>"},
};

static const struct markdown_options trusts[] = {
    [MARKDOWN_AUTHOR] = {.trust = MARKDOWN_AUTHOR,
	.site = STR_INIT("https://our.example"),
	.language = STR_INIT("en")},
    [MARKDOWN_READER] = {.trust = MARKDOWN_READER, .site = STR_INIT("https://our.example")},
};

/* Renders and checks; *check then knows what was seen. */
static const char *
error_of(struct arena *arena, struct str source, const struct markdown_options *options,
    struct check *check)
{
	struct markdown out;

	*check = (struct check){.prefix = STR("h-"), .first_level = 2, .arena = arena};
	markdown_render(arena, source, options, &out);
	check->html = out.html.text;
	return check_html(check);
}

static void
tell(const struct check *check, const char *error)
{
	if (error != NULL)
		fprintf(stderr, "# %s at %zu\n", error, check->at);
	tap_show("html", str_sub(check->html, check->at > 80 ? check->at - 80 : 0, 200));
}

static void
test_attacks(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(attacks) / sizeof(attacks[0]); i++) {
		const struct attack *attack = &attacks[i];

		for (size_t trust = 0; trust < 2; trust++) {
			struct check check;
			const char *error =
			    error_of(arena, str_of(attack->source), &trusts[trust], &check);
			size_t images = trust == MARKDOWN_AUTHOR ? attack->images : 0;

			if (!ok(error == NULL && check.links == attack->links &&
				    check.images == images,
				"attack %zu does nothing, by %s", i + 1,
				trust == MARKDOWN_AUTHOR ? "an author" : "a reader"))
				tell(&check, error);
		}
	}
}

/* The checker is worth nothing when it finds nothing. */
static void
test_checker(struct arena *arena)
{
	static const char *const invalid[] = {
	    "<script>",
	    "<p>a",
	    "a",
	    "<p>a</em></p>",
	    "<p onclick=\"a\">a</p>",
	    "<p>\"</p>",
	    "<p>&nbsp;</p>",
	    "<p><a href=\"javascript:a\">a</a></p>",
	    "<p><a href=\"//a\">a</a></p>",
	    "<p><a href=\"/a\"><a href=\"/a\">a</a></a></p>",
	    "<p><a href=\"/a b\">a</a></p>",
	    "<p><img src=\"mailto:a\"></p>",
	    "<p><img src=\"/a\" onload=\"b\"></p>",
	    "<p><p>a</p></p>",
	    "<h3 id=\"h-a\">a</h3>",
	    "<h2 id=\"content\">a</h2>",
	    "<li>a</li>",
	    "<p><hr></p>",
	    "<p><a href=\"/a\" href=\"/b\">a</a></p>",
	    "<p><code class=\"a\">a</code></p>",
	    "<p><a href='/a'>a</a></p>",
	    "<ul>a</ul>",
	    "<p>\x01</p>",
	    "<p>\xff</p>",
	};

	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		struct check check = {.html = str_of(invalid[i]),
		    .prefix = STR("h-"),
		    .first_level = 2,
		    .arena = arena};

		ok(check_html(&check) != NULL, "the checker objects to error %zu", i + 1);
	}
}

static void
test_bounds(void)
{
	for (size_t i = 0; i < HOSTILE_COUNT; i++) {
		struct arena *arena = arena_new();
		struct str source = hostile_make(arena, &hostile[i], 10000);
		struct check check;
		const char *error = error_of(arena, source, &trusts[MARKDOWN_AUTHOR], &check);

		/* Sixty-four containers, what may be in a paragraph, and a table around it. */
		if (!ok(error == NULL && check.deepest <= 64 + 2 + 32 + 6,
			"%s: well formed, %zu deep", hostile[i].name, check.deepest))
			tell(&check, error);
		arena_free(arena);
	}
}

/* What exceeds a limit becomes text and is not lost: each letter of the source is there. */
static void
test_nothing_lost(void)
{
	static const struct {
		const char *says, *unit, *kept;
	} cases[] = {
	    {"quotes", "> ", "&gt;"},
	    {"lists", "+ ", "+"},
	    {"images", "![", "!["},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct buf source = {.arena = arena};
		struct markdown out;
		size_t times = 2000, found = 0;

		for (size_t k = 0; k < times; k++)
			buf_put(&source, str_of(cases[i].unit));
		BUF_PUT(&source, "end");
		markdown_render(arena, buf_str(&source), &trusts[MARKDOWN_AUTHOR], &out);
		for (size_t at = 0; at < out.html.text.len; at++)
			found += str_starts(str_sub(out.html.text, at, 8), str_of(cases[i].kept));
		ok(found >= times - 64 &&
			memmem(out.html.text.base, out.html.text.len, "end", 3) != NULL,
		    "%s too deep are shown as text, and what is in them: %zu", cases[i].says,
		    found);
		ok(memmem(out.html.text.base, out.html.text.len, "\xef\xb7", 2) == NULL,
		    "... and the guard's marks are not");
		arena_free(arena);
	}
}

static void
test_random(void)
{
	static const char *const pieces[] = {"*", "_", "`", "[", "]", "(", ")", "<", ">", "!", "&",
	    "\\", "\n", "\n\n", "- ", "> ", "1. ", "    ", "\t", "#", "|", "-|-\n", "a", " ", "\"",
	    "'", "https://b.example", "javascript:", "/c", "&#", ";", "\xff", "\xc3\xa4",
	    "\xef\xb7\x90", "<!--", "-->", "```", ":", "@", "\\|", "[a]: /b\n", "<br>", "=\n", "\r",
	    "~~", "~", "www.b.example", "[^a]", "\n[^a]: ", "- [ ] ", "- [x] ",
	    "\n: ", "> [!pull] ", "> [!note]\n", "...", "--", "```c\n", "/*", "//"};
	struct clock chance = clock_fixed(0, 17);
	size_t bad = 0;

	for (size_t i = 0; i < 3000; i++) {
		struct arena *arena = arena_new();
		struct buf source = {.arena = arena};
		unsigned char dice[200];
		struct check check;
		const char *error;

		chance.random(&chance, dice, sizeof(dice));
		for (size_t k = 0; k < dice[0] && k < sizeof(dice); k++) {
			if (i % 4 == 0)
				buf_putc(&source, (char)dice[k]);
			else
				buf_put(&source,
				    str_of(pieces[dice[k] % (sizeof(pieces) / sizeof(pieces[0]))]));
		}
		error = error_of(arena, buf_str(&source), &trusts[i % 2], &check);
		if (error != NULL && bad++ == 0) {
			tap_show("source", buf_str(&source));
			tell(&check, error);
		}
		arena_free(arena);
	}
	is_int((int64_t)bad, 0, "nothing made by chance comes out malformed");
}

int
main(void)
{
	struct arena *arena = arena_new();

	test_checker(arena);
	test_attacks(arena);
	test_bounds();
	test_nothing_lost();
	test_random();
	arena_free(arena);
	return tap_done();
}
