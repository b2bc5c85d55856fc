#ifndef T_WEB_MARKDOWN_HOSTILE_H
#define T_WEB_MARKDOWN_HOSTILE_H

#include "base/buf.h"

/*
 * Sources of any size made to keep a parser of Markdown busy: `head` once, `first` and then `second`
 * again and again, and `tail` once. With `grow`, the n-th repetition of `first` has n of it before it.
 * They are for the tests, which look at what comes out, and for bench/markdown, which takes the time. Of
 * anything that must not take long, the one that took longest belongs here.
 */
struct hostile {
	const char *name, *head, *first, *second, *tail, *grow;
};

static const struct hostile hostile[] = {
    {"quotes", .first = "> ", .tail = "a"},
    {"quotes without blanks", .first = ">", .tail = "a"},
    {"a quote and lazy lines", .head = "> > > > > > > > a\n", .first = "a\n"},
    {"lists on one line", .first = "- ", .tail = "a"},
    {"numbered lists on one line", .first = "1. ", .tail = "a"},
    {"lists by tabs", .first = "-\t", .tail = "a"},
    {"lists line by line", .first = "* a\n", .grow = "  "},
    {"lists, then blank lines", .first = "- ", .second = "\n"},
    {"lists, an item, then blank lines", .first = "- ", .second = "\n", .tail = "a"},
    {"lists in a quote, then blank lines", .head = "> ", .first = "- ", .second = "\n>"},
    {"lists of another mark, then blank lines", .first = "+ ", .second = "\n"},
    {"lists as deep as they may be, then blank lines",
	.head = "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - a", .first = "\n"},
    {"lists and blank lines in turn", .first = "- - - - - - - - - - - - - - - - a\n\n\n\n"},
    {"lists behind a byte order mark", .head = "\xef\xbb\xbf", .first = "- ", .second = "\n"},
    {"lists, carriage returns", .first = "- ", .second = "\r"},
    {"quotes, then emphasis", .first = ">", .second = "a*"},
    {"rules that are none", .first = "* * * * * * * * a\n"},
    {"stars", .first = "*"},
    {"stars and a letter", .first = "**a"},
    {"emphasis that opens", .first = "_a "},
    {"emphasis that closes", .first = "a_ "},
    {"emphasis that does not match", .first = "*a_ "},
    {"emphasis in turns", .first = "*a_b"},
    {"emphasis nested", .first = "*a **a ", .second = "b** c* "},
    {"emphasis opened, then wrong", .first = "*a ", .second = "_a*_ "},
    {"emphasis by threes", .head = "a**b", .first = "c* "},
    {"brackets", .first = "[", .second = "]"},
    {"brackets that open", .first = "[a"},
    {"brackets that close", .first = "a]"},
    {"images that open", .first = "![", .tail = "a"},
    {"images in lines", .first = "![a](b)\n"},
    {"images in paragraphs", .first = "![a](b)\n\n"},
    {"images with captions", .first = "![a](b 'c')\n\n"},
    {"images with a line below", .first = "![a](b)\n*c*\n\n"},
    {"images in a line", .first = "![a](b#wide) "},
    {"an image and lines that are no caption", .head = "![a](b)\n", .first = "*c*\n"},
    {"images nested", .first = "![", .second = "](a)"},
    {"images that open around links", .first = "![[]()"},
    {"images that do not end, and emphasis", .first = "![](_*"},
    {"... the other way round", .first = "_![](*"},
    {"links and emphasis", .first = "[ a_"},
    {"links without an end", .first = "[a](b"},
    {"links in brackets without an end", .first = "[a](<b"},
    {"links with a title without an end", .first = "[a](b 'c"},
    {"links and parentheses", .first = "[a](((((((((("},
    {"brackets and parentheses", .first = "[ (]("},
    {"references", .first = "[a]: b\n"},
    {"references to one", .head = "[a]: /bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb 'c'\n\n",
	.first = "[a]"},
    {"references that are none", .first = "[a]: b 'c\n\n"},
    {"a reference with a long title", .head = "[a]: b '", .first = "\nc"},
    {"backticks", .first = "e", .grow = "`"},
    {"code that opens", .first = "`a``b```c"},
    {"entities", .first = "&amp;"},
    {"entities that are none", .first = "&a"},
    {"numbers that are no entities", .first = "&#1"},
    {"tags that open", .first = "<a "},
    {"tags with attributes", .head = "a <a", .first = " b='c'"},
    {"tags with quotes", .first = "<a b='"},
    {"tags in lines", .first = "<a\n"},
    {"comments that open", .head = "a", .first = "<!--"},
    {"instructions that open", .head = "a", .first = "<?"},
    {"sections that open", .head = "a", .first = "<![CDATA["},
    {"declarations that open", .head = "a", .first = "<!A "},
    {"blocks of HTML", .first = "<div>\n\n"},
    {"addresses", .first = "<a:b>"},
    {"addresses of mail that are none", .head = "<", .first = "a", .second = "@"},
    {"headings", .first = "# a\n"},
    {"empty headings", .first = "#\n"},
    {"headings underlined", .first = "a\n-\n"},
    {"headings that are their own lines", .first = "=\n"},
    {"a heading closed again and again", .head = "# a", .first = " #"},
    {"fences", .first = "```\n"},
    {"lines of code", .first = "     a\n"},
    {"tabs", .first = "\t"},
    {"a long line", .first = "a"},
    {"lines", .first = "a\n"},
    {"blanks before line ends", .first = "a      \n"},
    {"empty lines", .first = "\n"},
    {"backslashes", .first = "\\"},
    {"NULs", .first = "a\xff"},
    {"a table of many rows", .head = "a|b|c|d\n-|-|-|-\n", .first = "|a\n"},
    {"a table of many columns", .head = "|", .first = "a|", .second = "-|"},
    {"a table of pipes", .head = "a|b\n-|-\n", .first = "|"},
    {"tables", .first = "a|b\n-|-\nc|d\n\n"},
    {"escaped pipes", .first = "\\|"},
    {"hashtags", .first = "#aaa "},
    {"hashtags that are none", .first = "#-"},
    {"a hashtag without an end", .head = "#", .first = "a-"},
    {"mentions", .first = "@aaa "},
    {"mentions in turns with hashtags", .first = "@aaa#aaa"},
    {"mentions that are addresses", .first = "@aaa.a"},
    {"a mention without an end", .head = "@", .first = "a"},
    {"marks of mentions", .first = "@"},
    {"tildes", .first = "~"},
    {"tildes that open", .first = "~~a "},
    {"tildes that close", .first = "a~~ "},
    {"tildes in turns", .first = "~~a~~"},
    {"tildes and emphasis", .first = "~~*a"},
    {"tildes and emphasis nested", .first = "~~a *a ", .second = "b* b~~ "},
    {"escaped tildes", .first = "\\~"},
    {"bare addresses", .first = "https://a.b "},
    {"bare addresses side by side", .first = "https://a.b,"},
    {"bare addresses without a dot", .first = "http://a,"},
    {"bare addresses in brackets", .first = "(www.a.b"},
    {"a bare address and brackets", .head = "https://a.b/", .first = "(", .second = ")"},
    {"a bare address and what ends a sentence", .head = "https://a.b/", .first = "!)"},
    {"a host without an end", .head = "https://", .first = "a."},
    {"what a bare address may begin with", .first = "www."},
    {"addresses by themselves", .first = "https://a.b\n\n"},
    {"tasks", .first = "- [ ] a\n"},
    {"definitions", .first = "a\n: b\n\n"},
    {"a term of many meanings", .head = "a\n", .first = ": b\n"},
    {"many terms", .first = "a\n", .tail = ": b\n"},
    {"notes", .first = "[^a]: b\n"},
    {"notes that are paragraphs", .first = "[^a]: b\n\n"},
    {"references to a note", .head = "[^a]: b\n\n", .first = "[^a]"},
    {"references to none", .head = "[^a]: b\n\n", .first = "[^b]"},
    {"references that open", .head = "[^a]: b\n\n", .first = "[^"},
    {"references without an end", .head = "[^a]: b\n\n",
	.first = "[^aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    {"a note that refers to itself", .head = "[^a]\n\n[^a]: ", .first = "[^a]"},
    {"remarks", .first = "> [!note]\n\n"},
    {"pull quotes within each other", .first = "> ", .tail = "[!pull]"},
    {"code of strings", .head = "```js\n", .first = "'a'"},
    {"code of strings that nothing ends", .head = "```js\n", .first = "'"},
    {"code of strings in lines", .head = "```js\n", .first = "'\n"},
    {"code of escaped quotes", .head = "```js\n'", .first = "\\'"},
    {"code of three quotes", .head = "```python\n", .first = "'''"},
    {"code of comments", .head = "```c\n", .first = "/**/"},
    {"code of comments that nothing ends", .head = "```c\n", .first = "/*"},
    {"code of slashes", .head = "```c\n", .first = "/"},
    {"code of words", .head = "```typescript\n", .first = "a "},
    {"code of keywords", .head = "```sql\n", .first = "USING "},
    {"code of numbers", .head = "```c\n", .first = "1 "},
    {"code of a long number", .head = "```c\n", .first = "1"},
    {"code of tags", .head = "```html\n", .first = "<a>"},
    {"code of tags that open", .head = "```html\n", .first = "<"},
    {"code of a tag without an end", .head = "```html\n<a", .first = "'"},
    {"code of differences", .head = "```diff\n", .first = "+\n"},
    {"blocks of code", .first = "```c\nint\n```\n"},
    {"single quotes that open", .first = "'a "},
    {"single quotes that close", .first = "a' "},
    {"single quotes in turns", .first = "'a' "},
    {"single quotes nested", .first = "'a ", .second = "b' "},
    {"double quotes", .first = "\"a\" "},
    {"signs alone", .first = "'\""},
    {"hyphens", .first = "a-"},
    {"a row of dots", .first = "."},
    {"blanks before signs", .first = "a ! "},
    {"dashes in lines", .first = "-|\n"},
    {"letters of many bytes", .first = "\xc3\xa4*"},
};

/* What people write, for comparison. */
static const struct hostile harmless = {"an ordinary post",
    .first = "## Where the water goes\n\nStand on the *ferry steps* at the top of a spring tide "
	     "and watch "
	     "the moored boats. For **most of the day** they all point the same way; see [the "
	     "table](https://example.org/tide 'Tides'), or `tide --now`.\n\n- Come an hour "
	     "before.\n- Walk "
	     "beside it.\n\n> A tide table tells you what the moon intends.\n\nHour | "
	     "Rise\n-----|-----:\n"
	     "first | 0.3 m\nsecond | 0.6 m\n\n```text\nhour   rise\nfirst  0.3\n```\n\n"};

enum { HOSTILE_COUNT = sizeof(hostile) / sizeof(hostile[0]) };

/* A source of the kind, of `size` bytes or a little less. In the arena. */
static inline struct str
hostile_make(struct arena *arena, const struct hostile *kind, size_t size)
{
	struct str head = str_of(kind->head), first = str_of(kind->first),
		   second = str_of(kind->second), tail = str_of(kind->tail),
		   grow = str_of(kind->grow);
	size_t room = size - head.len - tail.len, half, times = 0;
	struct buf out = {.arena = arena};

	half = second.len != 0 ? room * first.len / (first.len + second.len) : room;
	buf_put(&out, head);
	while (out.len + first.len + times * grow.len <= head.len + half) {
		for (size_t i = 0; i < times && grow.len != 0; i++)
			buf_put(&out, grow);
		buf_put(&out, first);
		times++;
	}
	for (size_t i = 0; i < times && second.len != 0; i++)
		buf_put(&out, second);
	buf_put(&out, tail);
	return buf_str(&out);
}

#endif
