/* Markdown: the HTML of sources; headings, tables, plain text, and what is stored. */
#include "text/markdown.h"

#include "base/arena.h"
#include "base/buf.h"
#include "lib/tap.h"
#include "table/item.h"
#include "text/text.h"

#define PICTURE "/media/0123456789abcdef0123456789abcdef"

static const struct markdown_options author = {
    .trust = MARKDOWN_AUTHOR, .site = STR_INIT("https://our.example")};
static const struct markdown_options reader = {
    .trust = MARKDOWN_READER, .site = STR_INIT("https://our.example")};

struct example {
	const char *says, *markdown, *html;
};

static const struct example of_authors[] = {
    {"nothing", "", ""},
    {"a paragraph", "a\nb\n\nc", "<p>a\nb</p>\n<p>c</p>\n"},
    {"what HTML means something by", "a < b & c > d \"e\" 'f'",
	"<p>a &lt; b &amp; c &gt; d &quot;e&quot; &#39;f&#39;</p>\n"},
    {"entities are read", "&copy; &amp; &#65; &nosuch;", "<p>© &amp; A &amp;nosuch;</p>\n"},
    {"emphasis", "*a* **b** ***c***",
	"<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em></p>\n"},
    {"line breaks", "a  \nb\\\nc<br>d", "<p>a<br>\nb<br>\nc<br>\nd</p>\n"},
    {"quotes and dashes stay as typed", "\"a\" -- b...", "<p>&quot;a&quot; -- b...</p>\n"},
    {"code", "`a < b` ``c`d``", "<p><code>a &lt; b</code> <code>c`d</code></p>\n"},
    {"a block of code", "    a\n     b\n",
	"<pre role=\"group\" tabindex=\"0\" aria-label=\"Code\"><code>a\n b\n</code></pre>\n"},
    {"code in a language", "~~~ Objective-C++ x\na\n~~~",
	"<pre role=\"group\" tabindex=\"0\" aria-label=\"Code\"><code "
	"class=\"language-objective-c++\">a\n</code></pre>\n"},
    {"a language of other letters has no class", "``` c\"x\na\n```",
	"<pre role=\"group\" tabindex=\"0\" aria-label=\"Code\"><code>a\n</code></pre>\n"},
    {"a rule", "***", "<hr>\n"},
    {"a quote", "> a\n> > b",
	"<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n"},
    {"a list, tight", "- a\n- b\n  - c",
	"<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n"},
    {"a list, loose", "- a\n\n- b", "<ul>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ul>\n"},
    {"numbers from one", "1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n"},
    {"numbers from elsewhere", "7) a", "<ol start=\"7\">\n<li>a</li>\n</ol>\n"},
    {"raw HTML is shown", "a <b>c</b>", "<p>a &lt;b&gt;c&lt;/b&gt;</p>\n"},
    {"so are blocks of it", "<div>\na & b\n</div>",
	"<p>&lt;div&gt;\na &amp; b\n&lt;/div&gt;</p>\n"},
    {"comments are not", "a<!-- b -->c\n\n<!-- d\n\ne -->\nf", "<p>ac</p>\n<p>f</p>\n"},
    {"a link abroad", "[a](https://other.example/b?c=d&e#f 'g \"h\"')",
	"<p><a href=\"https://other.example/b?c=d&amp;e#f\" title=\"g &quot;h&quot;\" "
	"rel=\"noopener\">a</a></p>\n"},
    {"a link at home", "[a](/b) [c](https://our.example/d) [e](https://our.example)",
	"<p><a href=\"/b\">a</a> <a href=\"https://our.example/d\">c</a> "
	"<a href=\"https://our.example\">e</a></p>\n"},
    {"a host that begins like ours", "[a](https://our.example.org/)",
	"<p><a href=\"https://our.example.org/\" rel=\"noopener\">a</a></p>\n"},
    {"a link to mail", "<a@b.example>", "<p><a href=\"mailto:a@b.example\">a@b.example</a></p>\n"},
    {"an address in brackets", "<https://a.example/?b=c&d>",
	"<p><a href=\"https://a.example/?b=c&amp;d\" "
	"rel=\"noopener\">https://a.example/?b=c&amp;d</a>"
	"</p>\n"},
    {"letters and signs in an address", "[a](</ä b%20c%zz\\|[d]>)",
	"<p><a href=\"/%C3%A4%20b%20c%25zz%7C%5Bd%5D\">a</a></p>\n"},
    {"a link without words shows where it leads", "[](/a)", "<p><a href=\"/a\">/a</a></p>\n"},
    {"a link to a heading", "[a](#b) [c](#h-d)",
	"<p><a href=\"#h-b\">a</a> <a href=\"#h-d\">c</a></p>\n"},
    {"an address in a link", "[a <https://b.example>](/c)",
	"<p><a href=\"/c\">a https://b.example</a></p>\n"},
    {"a reference", "[a][b]\n\n[b]: /c (d)", "<p><a href=\"/c\" title=\"d\">a</a></p>\n"},
    {"an image among words", "e ![a *b*](/c.jpg 'd')",
	"<p>e <img src=\"/c.jpg\" alt=\"a b\" title=\"d\" loading=\"lazy\" "
	"decoding=\"async\"></p>\n"},
    {"an image that was uploaded has its size", "![](" PICTURE "-400x300.jpg)",
	"<p><img src=\"" PICTURE "-400x300.jpg\" alt=\"\" width=\"400\" height=\"300\" "
	"loading=\"lazy\" decoding=\"async\"></p>\n"},
    {"a wide one comes in several widths", "![a](https://our.example" PICTURE "-1200x901.png)",
	"<p><img src=\"https://our.example" PICTURE "-1200x901.png\" alt=\"a\" width=\"1200\" "
	"height=\"901\" srcset=\"" PICTURE "-480x360.png 480w, " PICTURE
	"-960x721.png 960w, " PICTURE
	"-1200x901.png 1200w\" sizes=\"(min-width: 640px) 612px, 100vw\" loading=\"lazy\" "
	"decoding=\"async\"></p>\n"},
    {"what only looks like one has neither", "![](" PICTURE "-0x300.jpg)",
	"<p><img src=\"" PICTURE
	"-0x300.jpg\" alt=\"\" loading=\"lazy\" decoding=\"async\"></p>\n"},
    {"an image in a link", "[![a](/b.jpg)](/c)",
	"<p><a href=\"/c\"><img src=\"/b.jpg\" alt=\"a\" loading=\"lazy\" "
	"decoding=\"async\"></a></p>\n"},
    {"an image that is not on https is a link to it", "![a *b*](http://b.example/c.jpg 'd')",
	"<p><a class=\"picture\" href=\"http://b.example/c.jpg\" title=\"d\" rel=\"noopener\">a "
	"b</a></p>\n"},
    {"... whatever its letters, without a description too", "![](HTTP://b.example/c)",
	"<p><a class=\"picture\" href=\"HTTP://b.example/c\" "
	"rel=\"noopener\">HTTP://b.example/c</a></p>\n"},
    {"... and in a link its words", "[![a](http://b.example/c)](/d) [![](http://b.example/c)](/d)",
	"<p><a href=\"/d\">a</a> <a href=\"/d\">http://b.example/c</a></p>\n"},
    {"one on https is none", "![a](HTTPS://b.example/c)",
	"<p><img src=\"HTTPS://b.example/c\" alt=\"a\" loading=\"lazy\" decoding=\"async\"></p>\n"},
    {"NUL and what is no UTF-8", "a\xff\xc0\x80z &#0; &#1;",
	"<p>a\xef\xbf\xbd\xef\xbf\xbdz \xef\xbf\xbd \xef\xbf\xbd</p>\n"},
    {"a byte order mark", "\xef\xbb\xbf# a", "<h2 id=\"h-a\">a</h2>\n"},

    {"headings begin under the page's", "# a\n## b\n# c",
	"<h2 id=\"h-a\">a</h2>\n<h3 id=\"h-b\">b</h3>\n<h2 id=\"h-c\">c</h2>\n"},
    {"... wherever they begin", "### a\n##### b\n#### c\n# d",
	"<h2 id=\"h-a\">a</h2>\n<h3 id=\"h-b\">b</h3>\n<h3 id=\"h-c\">c</h3>\n<h2 "
	"id=\"h-d\">d</h2>\n"},
    {"... and end at the sixth", "# a\n## b\n### c\n#### d\n##### e\n###### f",
	"<h2 id=\"h-a\">a</h2>\n<h3 id=\"h-b\">b</h3>\n<h4 id=\"h-c\">c</h4>\n<h5 "
	"id=\"h-d\">d</h5>\n"
	"<h6 id=\"h-e\">e</h6>\n<h6 id=\"h-f\">f</h6>\n"},
    {"ids of letters and digits", "# It's *6* o'clock: `tea`?",
	"<h2 id=\"h-its-6-oclock-tea\">It&#39;s <em>6</em> o&#39;clock: <code>tea</code>?</h2>\n"},
    {"ids in other alphabets", "# ÄGYPTEN – Ελλάδα, Москва 東京、日本 🌊",
	"<h2 id=\"h-ägypten-ελλάδα-москва-東京-日本\">ÄGYPTEN – Ελλάδα, Москва 東京、日本 "
	"🌊</h2>\n"},
    {"ids of their own", "# a\n# a\n# a 2\n# a\n# a-2",
	"<h2 id=\"h-a\">a</h2>\n<h2 id=\"h-a-2\">a</h2>\n<h2 id=\"h-a-2-2\">a 2</h2>\n"
	"<h2 id=\"h-a-3\">a</h2>\n<h2 id=\"h-a-2-3\">a-2</h2>\n"},
    {"ids without letters", "# ...\n# !",
	"<h2 id=\"h-section\">...</h2>\n<h2 id=\"h-section-2\">!</h2>\n"},
    {"an empty heading is none", "#\n\na\n\n##   ##", "<p>a</p>\n"},
    {"a heading of an image alone is none", "# ![](/a.png)",
	"<p><strong><img src=\"/a.png\" alt=\"\" loading=\"lazy\" "
	"decoding=\"async\"></strong></p>\n"},

    {"a table", "a | b\n--- | ---\nc | d",
	"<div class=\"table\" role=\"group\" tabindex=\"0\" "
	"aria-label=\"Table\">\n<table>\n<thead>\n"
	"<tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr>\n</thead>\n<tbody>\n"
	"<tr><td>c</td><td>d</td></tr>\n</tbody>\n</table>\n</div>\n"},
    {"... aligned, with marks and escaped pipes",
	"| a | *b|* | `c\\|d` |\n|:-:|:--|--:|\n| \\| | | e",
	"<div class=\"table\" role=\"group\" tabindex=\"0\" "
	"aria-label=\"Table\">\n<table>\n<thead>\n"
	"<tr><th scope=\"col\" class=\"center\">a</th><th scope=\"col\" "
	"class=\"left\"><em>b|</em></th>"
	"<th scope=\"col\" class=\"right\"><code>c|d</code></th></tr>\n</thead>\n<tbody>\n"
	"<tr><td class=\"center\">|</td><td class=\"left\"></td><td class=\"right\">e</td></tr>\n"
	"</tbody>\n</table>\n</div>\n"},
    {"... with rows too short and too long", "a | b | c\n-|-|-\nd\ne | f | g | h |",
	"<div class=\"table\" role=\"group\" tabindex=\"0\" "
	"aria-label=\"Table\">\n<table>\n<thead>\n"
	"<tr><th scope=\"col\">a</th><th scope=\"col\">b</th><th "
	"scope=\"col\">c</th></tr>\n</thead>\n"
	"<tbody>\n<tr><td>d</td><td colspan=\"2\"></td></tr>\n"
	"<tr><td>e</td><td>f</td><td>g | h</td></tr>\n</tbody>\n</table>\n</div>\n"},
    {"... whose head has an empty cell, and no rows", "| | a |\n|-|-|",
	"<div class=\"table\" role=\"group\" tabindex=\"0\" "
	"aria-label=\"Table\">\n<table>\n<thead>\n"
	"<tr><td></td><th scope=\"col\">a</th></tr>\n</thead>\n</table>\n</div>\n"},
    {"no table: the second line has other cells", "a | b\n-|-|-", "<p>a | b\n-|-|-</p>\n"},
    {"no table: nothing parts the columns", "a\n:-:", "<p>a\n:-:</p>\n"},
    {"escaped pipes elsewhere", "a \\| b `c\\|d` \\\\| e\n\n    f\\|g",
	"<p>a | b <code>c\\|d</code> \\| e</p>\n<pre role=\"group\" tabindex=\"0\" "
	"aria-label=\"Code\"><code>f\\|g\n</code></pre>\n"},
};

static const struct example of_readers[] = {
    {"links are not followed by search engines", "[a](http://b.example/)",
	"<p><a href=\"http://b.example/\" rel=\"nofollow ugc noopener\">a</a></p>\n"},
    {"... but at home they are", "[a](/b)", "<p><a href=\"/b\">a</a></p>\n"},
    {"... and lead to any place on the page", "[a](#c-1)", "<p><a href=\"#c-1\">a</a></p>\n"},
    {"images are their descriptions", "![a *b*](/c.jpg)", "<p>a b</p>\n"},
    {"headings are bold", "# a *b*\n\nc\n-",
	"<p><strong>a <em>b</em></strong></p>\n<p><strong>c</strong></p>\n"},
    {"the rest is the same", "- `a`\n\n> b",
	"<ul>\n<li><code>a</code></li>\n</ul>\n<blockquote>\n<p>b</p>\n</blockquote>\n"},
};

/* What CommonMark does not have. */
static const struct example extensions[] = {
    {"what is no longer true", "~~a *b*~~ c~~d~~",
	"<p><del>a <em>b</em></del> c<del>d</del></p>\n"},
    {"... over lines, in emphasis, in links", "~~a\nb~~ *~~c~~* [~~d~~](/e)",
	"<p><del>a\nb</del> <em><del>c</del></em> <a href=\"/e\"><del>d</del></a></p>\n"},
    {"... of the nearest signs", "~~a ~~b~~ c", "<p>~~a <del>b</del> c</p>\n"},
    {"... not of others, nor of escaped ones, nor in code",
	"~a~ ~~ b ~~ ~~~c~~~ d~~ ~~e \\~~f~~ `~~g~~`",
	"<p>~a~ ~~ b ~~ ~~~c~~~ d~~ <del>e ~~f</del> <code>~~g~~</code></p>\n"},
    {"... half of it elsewhere", "*a ~~b* c~~", "<p><em>a ~~b</em> c~~</p>\n"},

    {"bare addresses", "See https://a.example/b_c?d=e&f, (http://g.example/(h)) or www.i.example.",
	"<p>See <a href=\"https://a.example/b_c?d=e&amp;f\" rel=\"noopener\">"
	"https://a.example/b_c?d=e&amp;f</a>, (<a href=\"http://g.example/(h)\" rel=\"noopener\">"
	"http://g.example/(h)</a>) or <a href=\"https://www.i.example\" rel=\"noopener\">"
	"www.i.example</a>.</p>\n"},
    {"... in other scripts", "「https://例え.example/道」 „https://a.example“",
	"<p>「<a href=\"https://%E4%BE%8B%E3%81%88.example/%E9%81%93\" rel=\"noopener\">"
	"https://例え.example/道</a>」 „<a href=\"https://a.example\" rel=\"noopener\">"
	"https://a.example</a>“</p>\n"},
    {"... at home", "at https://our.example/a.",
	"<p>at <a href=\"https://our.example/a\">https://our.example/a</a>.</p>\n"},
    {"no addresses",
	"xhttps://a.example https://a https:// www. feed:https://b.example `https://c.example`",
	"<p>xhttps://a.example https://a https:// www. feed:https://b.example "
	"<code>https://c.example</code></p>\n"},
    {"... none that could lead elsewhere", "b https://our.example@b.example/",
	"<p>b https://our.example@b.example/</p>\n"},
    {"... none in a link", "[https://a.example](/b)",
	"<p><a href=\"/b\">https://a.example</a></p>\n"},

    {"tasks", "- [ ] a\n- [x] *b*\n- [X]\n- [y] c\n- [ ]d",
	"<ul>\n<li class=\"task\"><span role=\"img\" aria-label=\"To do\">☐</span> a</li>\n"
	"<li class=\"task\"><span role=\"img\" aria-label=\"Done\">☑</span> <em>b</em></li>\n"
	"<li>[X]</li>\n<li>[y] c</li>\n<li>[ ]d</li>\n</ul>\n"},

    {"definitions", "a *b*\n: c\nd\n: e `f`\n\ng\nh\n:\ti",
	"<dl>\n<dt>a <em>b</em></dt>\n<dd>c\nd</dd>\n<dd>e <code>f</code></dd>\n"
	"<dt>g</dt>\n<dt>h</dt>\n<dd>i</dd>\n</dl>\n"},
    {"no definitions", "a\n:b\n\n: c", "<p>a\n:b</p>\n<p>: c</p>\n"},
    {"definitions in a list", "- a\n  : b",
	"<ul>\n<li><dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>\n</li>\n</ul>\n"},
};

#define PRE(language)                                                                             \
	"<pre role=\"group\" tabindex=\"0\" aria-label=\"Code\"><code class=\"language-" language \
	"\">"
#define C(text) "<span class=\"c\">" text "</span>"
#define S(text) "<span class=\"s\">" text "</span>"
#define K(text) "<span class=\"k\">" text "</span>"
#define N(text) "<span class=\"n\">" text "</span>"
#define END "\n</code></pre>\n"

/* Code in colours. */
static const struct example code[] = {
    {"C", "```c\n#include <a.h>\nint a1 = 0x1f; /* b\n\"c\" */ char d = '\\''; // e\nf1.5\n```",
	PRE("c") K("#include") " &lt;a.h&gt;\n" K("int") " a1 = " N("0x1f") "; " C(
	    "/* b\n&quot;c&quot; "
	    "*/") " " K("char") " d = " S("&#39;\\&#39;&#39;") "; " C("// e") "\nf1." N("5") END},
    {"Python", "~~~ Python x\ndef a(): # b\n  \"\"\"c\n d\"\"\"\n  return 'e' + None\n~~~",
	PRE("python") K("def") " a(): " C("# b") "\n  " S(
	    "&quot;&quot;&quot;c\n "
	    "d&quot;&quot;&quot;") "\n  " K("return") " " S("&#39;e&#39;") " + " K("None") END},
    {"SQL", "```sql\nSELECT a FROM b -- c\nwhere d='e''f'\n```",
	PRE("sql") K("SELECT") " a " K("FROM") " b " C("-- c") "\n" K("where") " d=" S(
	    "&#39;e&#39;") S("&#39;f&#39;") END},
    {"shells", "```sh\nif [ $# = 1 ]; then # a\n\techo \"b\nc\"\n```",
	PRE("sh") K("if") " [ $# = " N("1") " ]; " K("then") " " C("# a") "\n\t" K("echo") " " S(
	    "&quot;b\nc&quot;") END},
    {"HTML", "```html\n<!-- <a> --><a href='b>c' d>it's</a>\n```",
	PRE("html") C("&lt;!-- &lt;a&gt; --&gt;") "&lt;" K("a") " href=" S(
	    "&#39;b&gt;c&#39;") " d&gt;it&#39;s&lt;/" K("a") "&gt;" END},
    {"CSS", "```css\n@media print { a { url(https://b) } }\n```",
	PRE("css") K("@media") " print { a { url(https://b) } }" END},
    {"differences", "```diff\n@@ a\n-b\n+c\n d\n```",
	PRE("diff") C("@@ a") "\n" K("-b") "\n" S("+c") "\n d" END},
    {"a language that we do not know", "```brainfuck\nif \"a\" 1\n```",
	PRE("brainfuck") "if &quot;a&quot; 1" END},
    {"a string that nothing ends", "```c\n\"a\nint\n```", PRE("c") S("&quot;a") "\n" K("int") END},
    {"a comment that nothing ends", "```c\n/* a\n```", PRE("c") C("/* a\n") "</code></pre>\n"},
};

static const struct example extensions_of_authors[] = {
    {"a card", "https://www.a.example/b?c=d",
	"<p class=\"link-card\"><a href=\"https://www.a.example/b?c=d\" rel=\"noopener\">"
	"<b>a.example</b> /b?c=d</a></p>\n"},
    {"a card of a host", "a\n\nhttp://a.example\n\nb",
	"<p>a</p>\n<p class=\"link-card\"><a href=\"http://a.example\" rel=\"noopener\">"
	"<b>a.example</b></a></p>\n<p>b</p>\n"},
    {"no card: where it leads is not sure", "https://a.example@b.example/",
	"<p>https://a.example@b.example/</p>\n"},
    {"no card: in a list", "- https://a.example",
	"<ul>\n<li><a href=\"https://a.example\" "
	"rel=\"noopener\">https://a.example</a></li>\n</ul>\n"},

    {"a pull quote", "> [!pull] a *b*\n> c",
	"<blockquote class=\"pull\">\n<p>a <em>b</em>\nc</p>\n</blockquote>\n"},
    {"... with its text below", "> [!PULL]\n> a\n>\n> b",
	"<blockquote class=\"pull\">\n<p>a</p>\n<p>b</p>\n</blockquote>\n"},
    {"remarks", "> [!NOTE]\n> a\n\n> [!warning]\n>\n> - b\n",
	"<div class=\"callout\">\n<p class=\"label\">Note</p>\n<p>a</p>\n</div>\n"
	"<div class=\"callout\">\n<p "
	"class=\"label\">Warning</p>\n<ul>\n<li>b</li>\n</ul>\n</div>\n"},
    {"no remark", "> [!no]\n> a", "<blockquote>\n<p>[!no]\na</p>\n</blockquote>\n"},

#define REF(n, id)                                                                               \
	"<sup><a" id " href=\"#h-note_" n "\" role=\"doc-noteref\" aria-label=\"Note " n "\">" n \
	"</a></sup>"
#define ID(n) " id=\"h-ref_" n "\""
#define NOTE(n, text)                                                                    \
	"<aside class=\"footnote\" id=\"h-note_" n "\" role=\"doc-footnote\"><p><sup>" n \
	"</sup> " text " <a href=\"#h-ref_" n                                            \
	"\" role=\"doc-backlink\" aria-label=\"Back from note " n                        \
	"\">\xe2\x86\xa9\xef\xb8\x8e</a></p></aside>\n"
    {"notes, in the order of the text", "a[^x] b[^1]\n\nc[^x]\n\n[^1]: One\n[^x]: *Two*\nmore",
	"<p>a" REF("1", ID("1")) " b" REF("2", ID("2")) "</p>\n" NOTE("1", "<em>Two</em>\nmore")
	    NOTE("2", "One") "<p>c" REF("1", "") "</p>\n"},
    {"a note's own notes", "> - a[^1]\n\n[^1]: b[^2]\n\n[^2]: https://c.example",
	"<blockquote>\n<ul>\n<li>a" REF("1", ID("1")) "</li>\n</ul>\n</blockquote>\n" NOTE(
	    "1", "b" REF("2", ID("2")))
	    NOTE("2", "<a href=\"https://c.example\" rel=\"noopener\">https://c.example</a>")},
    {"notes in headings and tables", "# a[^1]\n\nb[^1] | c\n-|-\n\n[^1]: d",
	"<h2 id=\"h-a\">a" REF("1", ID("1")) "</h2>\n" NOTE(
	    "1", "d") "<div class=\"table\" role=\"group\" tabindex=\"0\" "
		      "aria-label=\"Table\">\n<table>\n<thead>\n"
		      "<tr><th scope=\"col\">b" REF(
			  "1", "") "</th><th scope=\"col\">c</th></tr>\n</thead>\n"
				   "</table>\n</div>\n"},
    {"a note that is a single word", "[^1]\n\n[^1]: /a",
	"<p>" REF("1", ID("1")) "</p>\n" NOTE("1", "/a")},
    {"no notes: nothing refers to them, or they are none",
	"a [^1] [^ 2] [b[^3]](/c)\n\n[^3]: d\n\n- [^4]: e",
	"<p>a [^1] [^ 2] <a href=\"/c\">b[^3]</a></p>\n<ul>\n<li>[^4]: e</li>\n</ul>\n<p>[^3]: "
	"d</p>\n"},
    {"references in code are none", "`[^1]:` and\n\n    [^1]: a\n",
	"<p><code>[^1]:</code> and</p>\n<pre role=\"group\" tabindex=\"0\" "
	"aria-label=\"Code\"><code>[^1]: a\n</code></pre>\n"},
};

static const struct example extensions_of_readers[] = {
    {"a comment has no notes, cards and pull quotes",
	"[^1]\n\n[^1]: a\n\nhttps://b.example\n\n> [!pull] c",
	"<p>[^1]</p>\n<p>[^1]: a</p>\n<p><a href=\"https://b.example\" rel=\"nofollow ugc "
	"noopener\">"
	"https://b.example</a></p>\n<blockquote>\n<p>[!pull] c</p>\n</blockquote>\n"},
};

static void
test_examples(struct arena *arena, const struct example *examples, size_t count,
    const struct markdown_options *options)
{
	for (size_t i = 0; i < count; i++) {
		struct markdown out;

		markdown_render(arena, str_of(examples[i].markdown), options, &out);
		is_str(out.html.text, str_of(examples[i].html), "%s", examples[i].says);
	}
}

static void
test_nul(struct arena *arena)
{
	struct markdown out;

	markdown_render(arena, STR("a\0b `\0`"), &author, &out);
	is_str(out.html.text,
	    STR("<p>a\xef\xbf\xbd"
		"b <code>\xef\xbf\xbd</code></p>\n"),
	    "a NUL is seen, and ends nothing");
}

static void
test_contents(struct arena *arena)
{
	static const struct heading wanted[] = {
	    {STR_INIT("h-one"), STR_INIT("One"), 2},
	    {STR_INIT("h-two-three"), STR_INIT("Two & three"), 3},
	};
	struct buf many = {.arena = arena};
	struct markdown out;

	markdown_render(
	    arena, STR("# One\n\na b  c\n\n## *Two* &amp; `three`\n\n> # Quoted\n"), &author, &out);
	is_int((int64_t)out.contents_count, 2, "contents: headings, but not those in quotes");
	for (size_t i = 0; i < 2 && i < out.contents_count; i++) {
		is_str(out.contents[i].id, wanted[i].id, "... the id of heading %zu", i + 1);
		is_str(out.contents[i].title, wanted[i].title, "... its title, without marks");
		is_int(out.contents[i].level, wanted[i].level, "... its level");
	}
	is_int(out.words, 12, "words are what white space separates in the source");
	markdown_render(arena, STR("# One"), &reader, &out);
	is_int((int64_t)out.contents_count, 0, "a reader's text has no contents");
	for (int i = 0; i < 300; i++)
		buf_fmt(&many, "# %d\n", i);
	markdown_render(arena, buf_str(&many), &author, &out);
	is_int((int64_t)out.contents_count, 200, "a table of contents has an end");
	many.len = 0;
	for (int i = 0; i < 2001; i++)
		BUF_PUT(&many, "> # a\n\n");
	BUF_PUT(&many, "# b\n");
	markdown_render(arena, buf_str(&many), &author, &out);
	ok(memmem(out.html.text.base, out.html.text.len, "id=\"h-a-2000\"", 13) != NULL &&
		memmem(out.html.text.base, out.html.text.len, "id=\"h-a-2001\"", 13) == NULL &&
		str_ends(out.html.text, STR("<h2>b</h2>\n")) && out.contents_count == 0,
	    "so have ids: what is behind them has none, and is in no contents");
}

static void
test_long(struct arena *arena)
{
	size_t len = MARKDOWN_SOURCE_MAX + 1;
	char *source = arena_alloc(arena, len);
	struct markdown out;

	memset(source, '<', len);
	markdown_render(arena, (struct str){source, len}, &author, &out);
	ok(out.plain, "what is too long is not parsed");
	is_int((int64_t)out.html.text.len,
	    (int64_t)(len * 4 + strlen("<pre class=\"typed\"><code></code></pre>\n")),
	    "... but shown as it was typed");
	ok((size_t)len + out.html.text.len > ITEM_SIZE_MAX,
	    "... for a preview: with its HTML it is more than an item");
}

/* How long it takes is up to all of it. */
static void
test_long_steps(struct arena *arena)
{
	static const struct item empty;
	char *half = arena_alloc(arena, MARKDOWN_SOURCE_MAX / 2 + 1);

	memset(half, '*', MARKDOWN_SOURCE_MAX / 2 + 1);
	for (size_t more = 0; more < 2; more++) {
		struct str text = {half, MARKDOWN_SOURCE_MAX / 2 + more};
		struct item body = empty, step = empty;
		struct value *steps = ARENA_ARRAY(arena, 1, struct value);
		bool plain;

		item_set(arena, &step, STR("Markdown"), value_string(text));
		steps[0] = value_map(step);
		item_set(arena, &body, STR("Type"), value_string(STR("Body")));
		item_set(arena, &body, STR("Markdown"), value_string(text));
		item_set(arena, &body, STR("Instructions"),
		    (struct value){.kind = VALUE_LIST, .list = {steps, 1}});
		markdown_store(arena, &body, STR(""));
		plain = str_starts(item_string(&body, STR("HTML")), STR("<pre class=\"typed\">"));
		steps = item_get(&body, STR("Instructions"))->list.values;
		ok(plain == (more != 0) &&
			plain == str_starts(item_string(&steps[0].map, STR("HTML")),
				     STR("<pre class=\"typed\">")),
		    "a text and its steps are %s", more != 0 ? "too long together" : "rendered");
	}
}

static void
test_text(struct arena *arena)
{
	static const struct {
		const char *markdown, *text;
	} texts[] = {
	    {"", ""},
	    {"# A *b*\n\nc\nd\n\n- e\n- [f](g)\n\n![h](i) <b>j</b>\n\n    k < l\n\n***\n\nm",
		"A b c d e f h j k < l m"},
	    {"a | b\n-|-\nc\\|d | e", "a | b -|- c|d | e"},
	    {"<div>\n\n</div>", ""},
	    {"~~a~~ b[^1] www.c.example\n\nd\n: e\n\n[^1]: f", "a b www.c.example d e f"},
	};
	static const struct {
		const char *text;
		size_t most;
		const char *excerpt;
	} excerpts[] = {
	    {"", 10, ""},
	    {"  one\n two ", 10, "one two"},
	    {"one two", 7, "one two"},
	    {"one two", 6, "one…"},
	    {"one two three", 8, "one two…"},
	    {"one two three", 7, "one…"},
	    {"äöü äöü", 4, "äöü…"},
	    {"abcdefgh", 4, "abc…"},
	    {"one, two", 7, "one…"},
	    {"one", 0, ""},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		is_str(markdown_text(arena, str_of(texts[i].markdown)), str_of(texts[i].text),
		    "plain text %zu", i + 1);
	for (size_t i = 0; i < sizeof(excerpts) / sizeof(excerpts[0]); i++)
		is_str(text_excerpt(arena, str_of(excerpts[i].text), excerpts[i].most),
		    str_of(excerpts[i].excerpt), "an excerpt of \"%s\" in %zu characters",
		    excerpts[i].text, excerpts[i].most);
	is_str(text_beginning(arena, STR(" one  two\nthree four"), 3), STR("one two three…"),
	    "the first three words");
	is_str(text_beginning(arena, STR("one two three"), 3), STR("one two three"), "... if there are more");
}

static void
test_plain(struct arena *arena)
{
	struct markdown out;

	markdown_render(arena,
	    STR("# A *b*\n\nc & d\n\"e\"[^1]  \nf\n\n[^1]: z\n\n- g\n- [h](i)\n\n![j](k)\n\na | "
		"b\n-|-\n1 | 2\n"),
	    &author, &out);
	is_str(markdown_plain(arena, out.html), STR("A b c & d \"e\" f z ↩\uFE0E g h a b 1 2"),
	    "the words of what was rendered");
}

static struct item
item_of(struct arena *arena, const char *type, const char *markdown)
{
	struct item item = {0};

	item_set(arena, &item, STR("Type"), value_string(str_of(type)));
	item_set(arena, &item, STR("Markdown"), value_string(str_of(markdown)));
	return item;
}

static void
test_store(struct arena *arena)
{
	struct item body = item_of(arena, "Body", "# a\n\n![b](/c)");
	struct item comment = item_of(arena, "Comment", "# a\n\n![b](/c)");
	struct item post = item_of(arena, "Post", "a");
	struct item step = {0}, before;
	struct value steps[2];
	struct post_body out;

	item_set(arena, &step, STR("Markdown"), value_string(STR("# d\n\ne f")));
	steps[0] = steps[1] = value_map(step);
	item_set(arena, &body, STR("Instructions"),
	    (struct value){.kind = VALUE_LIST, .list = {.values = steps, .count = 2}});
	ok(markdown_store(arena, &body, STR("")), "a Body is rendered");
	ok(item_error(&body) == NULL, "... and is valid");
	post_body_from_item(arena, &body, &out);
	is_str(out.html,
	    STR("<h2 id=\"h-a\">a</h2>\n<p><img src=\"/c\" alt=\"b\" loading=\"lazy\" "
		"decoding=\"async\"></p>\n"),
	    "... with its HTML");
	is_int(out.renderer, MARKDOWN_RENDERER, "... and what made it");
	is_int((int64_t)out.contents_count, 1, "... its contents");
	is_str(
	    out.steps[1].html, STR("<h3 id=\"h-2-d\">d</h3>\n<p>e f</p>\n"), "... and its steps");
	is_int(markdown_words(&body), 3 + 2 * 4, "... the words of all are counted");

	before = item_copy(arena, &body);
	markdown_store(arena, &body, STR(""));
	ok(item_eq(&body, &before), "once more changes nothing");
	item_set(arena, &body, STR("Markdown"), value_string(STR("a")));
	markdown_store(arena, &body, STR(""));
	ok(item_get(&body, STR("Contents")) == NULL,
	    "contents go when there are no headings any more");

	ok(markdown_store(arena, &comment, STR("")), "a Comment is rendered");
	is_str(item_string(&comment, STR("HTML")), STR("<p><strong>a</strong></p>\n<p>b</p>\n"),
	    "... as a reader's");
	before = item_copy(arena, &post);
	ok(!markdown_store(arena, &post, STR("")) && item_eq(&post, &before), "a Post is not");
}

#define IMG(name) "<img src=\"/" name "\" alt=\"" name "\" loading=\"lazy\" decoding=\"async\">"
#define CAPTION(text) "\n<figcaption>" text "</figcaption>\n"

/* A paragraph of pictures and nothing else: with captions, wide, side by side. */
static void
test_figures(struct arena *arena)
{
	static const struct example examples[] = {
	    {"a title is a caption", "![a](/a \"b & c\")",
		"<figure>\n" IMG("a") CAPTION("b &amp; c") "</figure>\n"},
	    {"so is a line of emphasis below", "![a](/a)\n*b [c](/d)*",
		"<figure>\n" IMG("a") CAPTION("b <a href=\"/d\">c</a>") "</figure>\n"},
	    {"of both the line is", "![a](/a 'b')  \n_c_",
		"<figure>\n<img src=\"/a\" alt=\"a\" title=\"b\" loading=\"lazy\" "
		"decoding=\"async\">" CAPTION("c") "</figure>\n"},
	    {"a note in a caption stands behind the picture", "![a](/a)\n*b[^1]*\n\n[^1]: c",
		"<figure>\n" IMG("a") CAPTION(
		    "b<sup><a id=\"h-ref_1\" href=\"#h-note_1\" role=\"doc-noteref\" "
		    "aria-label=\"Note 1\">1</a></sup>") "</figure>\n"
							 "<aside class=\"footnote\" "
							 "id=\"h-note_1\" "
							 "role=\"doc-footnote\"><p><sup>1</sup> c "
							 "<a href=\"#h-ref_1\" "
							 "role=\"doc-backlink\" aria-label=\"Back "
							 "from note 1\">"
							 "↩︎</a></p></aside>\n"},
	    {"a picture wider than the text", "![a](/a#wide)",
		"<figure class=\"wide\">\n" IMG("a") "\n</figure>\n"},
	    {"... in one's own widths", "![a](" PICTURE "-600x400.jpg#wide)",
		"<figure class=\"wide\">\n<img src=\"" PICTURE "-600x400.jpg\" alt=\"a\" "
		"width=\"600\" height=\"400\" srcset=\"" PICTURE "-480x320.jpg 480w, " PICTURE
		"-600x400.jpg 600w\" sizes=\"(min-width: 900px) 864px, 100vw\" loading=\"lazy\" "
		"decoding=\"async\">\n</figure>\n"},
	    {"among words that means nothing", "b ![a](/a#wide)", "<p>b " IMG("a") "</p>\n"},
	    {"another fragment stays", "![a](/a#widest)",
		"<p><img src=\"/a#widest\" alt=\"a\" loading=\"lazy\" decoding=\"async\"></p>\n"},
	    {"two side by side", "![a](/a) ![b](/b)",
		"<figure class=\"pictures\">\n" IMG("a") "\n" IMG("b") "\n</figure>\n"},
	    {"... each with a caption, both with one, and wide", "![a](/a 'c')\n![b](/b#wide)\n*d*",
		"<figure class=\"pictures wide\">\n<figure>\n" IMG("a")
		    CAPTION("c") "</figure>\n" IMG("b") CAPTION("d") "</figure>\n"},
	    {"a caption that goes on is none", "![a](/a)\n*b* c",
		"<p>" IMG("a") "\n<em>b</em> c</p>\n"},
	    {"nor is one on the line of the picture", "![a](/a) *b*",
		"<p>" IMG("a") " <em>b</em></p>\n"},
	    {"nor one of two lines of emphasis", "![a](/a)\n*b*\n*c*",
		"<p>" IMG("a") "\n<em>b</em>\n<em>c</em></p>\n"},
	    {"emphasis without a picture is emphasis", "*b*", "<p><em>b</em></p>\n"},
	    {"what is no picture has no caption", "![a](http://b.example/c 'd')",
		"<p><a class=\"picture\" href=\"http://b.example/c\" title=\"d\" "
		"rel=\"noopener\">a</a></p>\n"},
	    {"pictures in links stay in their line", "[![a](/a)](/b) [![a](/a)](/b)",
		"<p><a href=\"/b\">" IMG("a") "</a> <a href=\"/b\">" IMG("a") "</a></p>\n"},
	    {"in a quote", "> ![a](/a 'b')",
		"<blockquote>\n<figure>\n" IMG("a") CAPTION("b") "</figure>\n</blockquote>\n"},
	};

	test_examples(arena, examples, sizeof(examples) / sizeof(examples[0]), &author);
}

/* Of a note, pictures that follow each other are one figure; of other texts they are not. */
static void
test_gallery(struct arena *arena)
{
	static const struct example examples[] = {
	    {"two in lines", "x\n\n![a](/a)\n![b](/b)\n\ny",
		"<p>x</p>\n<figure class=\"pictures\">\n" IMG("a") "\n" IMG(
		    "b") "\n</figure>\n<p>y</p>\n"},
	    {"three in paragraphs", "![a](/a)\n\n![b](/b)\n\n![a](/a)\n*c*\n\n![b](/b)",
		"<figure class=\"pictures\">\n" IMG("a") "\n" IMG("b") "\n" IMG("a")
		    CAPTION("c") "</figure>\n<p>" IMG("b") "</p>\n"},
	    {"one alone", "![a](/a)\n\nx\n\n![b](/b)",
		"<p>" IMG("a") "</p>\n<p>x</p>\n<p>" IMG("b") "</p>\n"},
	    {"pictures among words", "x ![a](/a)\n![b](/b)",
		"<p>x " IMG("a") "\n" IMG("b") "</p>\n"},
	    {"one in a list", "- ![a](/a)\n- ![b](/b)",
		"<ul>\n<li>" IMG("a") "</li>\n<li>" IMG("b") "</li>\n</ul>\n"},
	};
	struct markdown_options note = author;
	struct markdown out;

	note.gallery = true;
	test_examples(arena, examples, sizeof(examples) / sizeof(examples[0]), &note);
	markdown_render(arena, STR("![a](/a)\n\n![b](/b)"), &author, &out);
	is_str(out.html.text, STR("<p>" IMG("a") "</p>\n<p>" IMG("b") "</p>\n"),
	    "an article’s stand by themselves");
}

/* Signs as they are set in a language. */
static void
test_smart(struct arena *arena)
{
	static const struct {
		const char *language, *markdown, *html;
	} cases[] = {
	    {"en", "\"a 'b' *c*\" -- it's 'd *e*' the dogs' bowl '90s",
		"“a ‘b’ <em>c</em>” – it’s ‘d <em>e</em>’ the dogs’ bowl ’90s"},
	    {"en-GB", "(\"a\")---\"b,\" *\"c\"* \"*d*\" \"`e`\".",
		"(“a”)—“b,” <em>“c”</em> “<em>d</em>” “<code>e</code>”."},
	    {"en", "6' 2\" and 5'10\" a...b .... a--b 1--2 ---- --help <-- -->",
		"6&#39; 2&quot; and 5’10&quot; a…b .... a–b 1–2 ---- --help &lt;-- --&gt;"},
	    {"en", "\\\"a\\\" \\'b\\' c\\-- d\\... `\"e\" --` <b class=\"f\">",
		"&quot;a&quot; &#39;b&#39; c-- d... <code>&quot;e&quot; --</code> &lt;b "
		"class=&quot;f&quot;&gt;"},
	    {"en", "https://a.example/b--c'd <https://a.example/--> [\"e\"](/f--g)",
		"<a href=\"https://a.example/b--c&#39;d\" "
		"rel=\"noopener\">https://a.example/b--c&#39;d</a> "
		"<a href=\"https://a.example/--\" rel=\"noopener\">https://a.example/--</a> <a "
		"href=\"/f--g\">“e”</a>"},
	    {"de", "\"a 'b'\" geht's", "„a ‚b‘“ geht’s"},
	    {"de-CH", "\"a\"", "«a»"},
	    {"de-AT", "\"a\"", "„a“"},
	    {"fr", "\"a 'b'\" ; l'eau ! c : \"d\" ? 8:30 « e »",
		"«\u202fa “b”\u202f»\u202f; l’eau\u202f! c\u00a0: «\u202fd\u202f»\u202f? 8:30 "
		"«\u202fe\u202f»"},
	    {"es", "\"a\"", "«a»"},
	    {"sv", "\"a\" 'b'", "”a” ’b’"},
	    {"pl", "\"a 'b'\"", "„a «b»”"},
	    {"ja", "\"a\" -- it's", "&quot;a&quot; -- it&#39;s"},
	    {"", "\"a\"", "&quot;a&quot;"},
	};
	struct markdown_options options = author;
	struct markdown out;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		options.language = str_of(cases[i].language);
		markdown_render(arena, str_of(cases[i].markdown), &options, &out);
		is_str(out.html.text, str_fmt(arena, "<p>%s</p>\n", cases[i].html),
		    "signs of \"%s\", case %zu", cases[i].language, i + 1);
	}
	options.language = STR("en");
	markdown_render(arena,
	    STR("# It's \"a\"\n\nb | c\n--- | ---\n\"d\" | '\n\ne[^1]\n: \"f\"\n\n[^1]: \"g\""),
	    &options, &out);
	is_str(out.contents[0].title, STR("It’s “a”"), "a heading has them in the contents, too");
	is_str(out.contents[0].id, STR("h-its-a"), "... but its address does not change");
	ok(memmem(out.html.text.base, out.html.text.len, "<td>“d”</td>", 16) != NULL,
	    "a table stays one, and its cells have them");
	ok(memmem(out.html.text.base, out.html.text.len, "<dd>“f”</dd>", 16) != NULL &&
		memmem(out.html.text.base, out.html.text.len, "“g”", 7) != NULL,
	    "... and so have definitions and notes");
}

/* Names behind "@" and "#"; `links` are those of them that become links. */
static void
test_names(struct arena *arena)
{
	static const struct {
		const char *markdown, *people, *tags;
	} cases[] = {
	    {"@noor, (@kofi) and *@Lowri*: @noor!", "noor kofi lowri", ""},
	    {"@noor’s, @noor. And @noor", "noor", ""},
	    {"noor@example.org <noor@example.org> a.@noor a-@noor a+@noor _@noor_ x_@noor", "noor",
		""},
	    {"@noor@example.org @noor.example.org @noor.", "noor", ""},
	    {"`@noor` [@kofi](/a) ![@lowri](/b) https://a.example/@noor", "", ""},
	    {"    @noor\n\n~~~\n@kofi\n~~~", "", ""},
	    {"@ab @abc @abcdefghijklmnopqrstuvwxyzabcd @abcdefghijklmnopqrstuvwxyzabcde",
		"abc abcdefghijklmnopqrstuvwxyzabcd", ""},
	    {"@noorü ü@noor @@noor @no\\_or @noör", "no_or", ""},
	    {"#tides#moon #1 #Ünder-way #tides-", "", "tides uender-way"},
	    {"#tides@noor @noor#tides #@noor @#tides", "noor", "tides"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str text = str_of(cases[i].markdown);
		struct strings_value people = markdown_mentions(arena, text);
		struct strings_value tags = markdown_hashtags(arena, text);

		is_str(str_join(arena, people.strings, people.count, STR(" ")),
		    str_of(cases[i].people), "whom text %zu names", i);
		is_str(str_join(arena, tags.strings, tags.count, STR(" ")), str_of(cases[i].tags),
		    "... and which tags");
	}
}

/* Only those names are links that the text's item has. */
static void
test_linked_names(struct arena *arena)
{
	static const struct str people[] = {STR_INIT("noor")}, tags[] = {STR_INIT("noor")};
	struct markdown_options options = {.trust = MARKDOWN_READER, .mentions = {people, 1}};
	struct markdown out;

	markdown_render(arena, STR("@Noor, @kofi, #noor, `@noor` & [@noor](/b)"), &options, &out);
	is_str(out.html.text,
	    STR("<p><a href=\"/author/noor\">@Noor</a>, @kofi, #noor, <code>@noor</code> &amp; "
		"<a href=\"/b\">@noor</a></p>\n"),
	    "who is known becomes a link");
	options = (struct markdown_options){.trust = MARKDOWN_AUTHOR, .hashtags = {tags, 1}};
	markdown_render(arena, STR("@noor #noor"), &options, &out);
	is_str(out.html.text, STR("<p>@noor <a href=\"/tag/noor\">#noor</a></p>\n"),
	    "... and so does a tag");
}

static void
test_stored_names(struct arena *arena)
{
	static const struct str people[] = {STR_INIT("noor")};
	struct item comment = item_of(arena, "Comment", "@noor @kofi");

	item_set(arena, &comment, STR("Mentions"), value_strings(arena, people, 1));
	markdown_store(arena, &comment, STR(""));
	is_str(item_string(&comment, STR("HTML")),
	    STR("<p><a href=\"/author/noor\">@noor</a> @kofi</p>\n"),
	    "a Comment links to whom its item names");
}

int
main(void)
{
	struct arena *arena = arena_new();

#define TEST(examples, options) \
	test_examples(arena, examples, sizeof(examples) / sizeof(examples[0]), options)
	TEST(of_authors, &author);
	TEST(of_readers, &reader);
	TEST(extensions, &author);
	TEST(code, &author);
	TEST(extensions_of_authors, &author);
	TEST(extensions_of_readers, &reader);
	test_nul(arena);
	test_contents(arena);
	test_long(arena);
	test_long_steps(arena);
	test_text(arena);
	test_plain(arena);
	test_store(arena);
	test_smart(arena);
	test_figures(arena);
	test_gallery(arena);
	test_names(arena);
	test_linked_names(arena);
	test_stored_names(arena);
	arena_free(arena);
	return tap_done();
}
