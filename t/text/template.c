/* Templates with views of our own: their output, and the errors that prevent the start. */
#include "lib/tap.h"

#include "base/arena.h"
#include "library.h"

struct person_view {
	struct str name;
	struct str link;
};

struct rating_view {
	int64_t stars;
	struct person_view author;
};

struct comment_view {
	struct str text;
	bool held;
	LIST_OF(struct comment_view) replies;
};

struct post_view {
	struct str title;
	struct html body;
	bool closed;
	int64_t likes;
	struct person_view author;
	const struct rating_view *rating;
	LIST_OF(struct comment_view) comments;
	LIST_OF(struct str) tags;
};

VIEW_FIELDS(person_view, STRING(name), STRING(link))
VIEW_FIELDS(rating_view, NUMBER(stars), VIEW(author, person_view))
VIEW_FIELDS(comment_view, STRING(text), FLAG(held), LIST(replies, comment_view))
VIEW_FIELDS(post_view, STRING(title), HTML(body), FLAG(closed), NUMBER(likes),
    VIEW(author, person_view), OPTION(rating, rating_view), LIST(comments, comment_view),
    STRINGS(tags))

static const struct comment_view answers[] = {
    {.text = STR_INIT("b")},
    {.text = STR_INIT("c"), .held = true},
};
static const struct comment_view comments[] = {
    {.text = STR_INIT("a"), .replies = {answers, 2}},
    {.text = STR_INIT("d")},
};
static const struct str tags[] = {STR_INIT("tea"), STR_INIT("<milk>")};
static const struct rating_view rating = {5, {STR_INIT("Eve"), STR_INIT("")}};

static const struct post_view full = {
    .title = STR_INIT("A & \"B\" <'c'>"),
    .body = {STR_INIT("<p>Hello</p>")},
    .closed = true,
    .likes = -12,
    .author = {STR_INIT("Ada"), STR_INIT("/author/ada")},
    .rating = &rating,
    .comments = {comments, 2},
    .tags = {tags, 2},
};
static const struct post_view empty;

/* Ten sections in one another. */
#define TEN                                                  \
	"{{#title}}{{#title}}{{#title}}{{#title}}{{#title}}" \
	"{{#title}}{{#title}}{{#title}}{{#title}}{{#title}}"
#define NET                                                  \
	"{{/title}}{{/title}}{{/title}}{{/title}}{{/title}}" \
	"{{/title}}{{/title}}{{/title}}{{/title}}{{/title}}"

/* Eight lists and four options, not in one another. */
#define LISTS                                                                           \
	"{{#tags}}.{{/tags}}{{#tags}}.{{/tags}}{{#rating}}{{stars}}{{/rating}}"         \
	"{{#tags}}.{{/tags}}{{#tags}}.{{/tags}}{{rating.stars}}"                        \
	"{{#tags}}.{{/tags}}{{#tags}}.{{/tags}}{{#rating.stars}}{{.}}{{/rating.stars}}" \
	"{{#tags}}.{{/tags}}{{#tags}}.{{/tags}}{{rating.stars}}"

/* Templates that others include. */
static const struct {
	struct str name, text;
} partials[] = {
    {STR_INIT("name"), STR_INIT("<b>{{name}}</b>")},
    {STR_INIT("thread"),
	STR_INIT("({{text}}{{#replies}}{{>thread}}{{/replies}}{{^replies}}.{{/replies}})")},
    {STR_INIT("endless"), STR_INIT("x{{>endless}}")},
    {STR_INIT("outside"), STR_INIT("{{text}} on {{title}};{{#replies}}{{>outside}}{{/replies}}")},
    {STR_INIT("between"), STR_INIT("{{likes}}{{stars}}{{#author}}{{>between}}{{/author}}")},
    {STR_INIT("lines"), STR_INIT("<ul>\n\n{{#tags}}\n  <li>{{.}}\n{{/tags}}\n</ul>\n")},
    {STR_INIT("layout"), STR_INIT("<title>{{$title}}Site{{/title}}</title>\n<main>\n  {{$main}}\n  "
				  "{{/main}}\n</main>\n")},
    {STR_INIT("wide"), STR_INIT("{{<layout}}\n{{$title}}Wide{{/title}}\n{{$main}}\n<div>{{$inner}}"
				"{{/inner}}</div>\n{{/main}}\n{{/layout}}\n")},
    {STR_INIT("frame"), STR_INIT("<i>\n{{$in}}{{/in}}</i>\n")},
    {STR_INIT("framed"), STR_INIT("{{<frame}}\n{{/frame}}\n.\n")},
    {STR_INIT("inline"), STR_INIT("a {{<frame}}{{/frame}}b\n")},
    {STR_INIT("twice"), STR_INIT("x{{>twice}}{{>twice}}")},
    {STR_INIT("deep"), STR_INIT(TEN TEN "{{.}}" NET NET)},
    {STR_INIT("loop"), STR_INIT("{{<loop}}{{/loop}}")},
    {STR_INIT("broken"), STR_INIT("fine\n{{#title}}\n")},
};

static struct memory_library
library(struct arena *arena, struct str text)
{
	struct memory_library library = memory_library(arena, false);

	for (size_t i = 0; i < sizeof(partials) / sizeof(partials[0]); i++)
		memory_library_add(&library, partials[i].name, partials[i].text);
	memory_library_add(&library, STR("t"), text);
	return library;
}

static const struct {
	const char *sentence;
	struct str text;
	const struct post_view *view;
	struct str wanted;
} shown[] = {
    {"text is escaped, both kinds of quotes too", STR_INIT("{{title}}"), &full,
	STR_INIT("A &amp; &quot;B&quot; &lt;&#39;c&#39;&gt;")},
    {"struct html is shown as it is", STR_INIT("{{{body}}}|{{&body}}"), &full,
	STR_INIT("<p>Hello</p>|<p>Hello</p>")},
    {"a number is decimal", STR_INIT("{{likes}} {{comments.count}}"), &full, STR_INIT("-12 2")},
    {"an empty view shows its text only", STR_INIT("[{{title}}{{{body}}}{{likes}}]"), &empty,
	STR_INIT("[0]")},
    {"a flag decides about its section",
	STR_INIT("{{#closed}}yes{{/closed}}{{^closed}}no{{/closed}}"), &full, STR_INIT("yes")},
    {"a flag that is not set shows what is inverted",
	STR_INIT("{{#closed}}yes{{/closed}}{{^closed}}no{{/closed}}"), &empty, STR_INIT("no")},
    {"a string is a section when it is not empty, and {{.}} in it",
	STR_INIT("{{#author.link}}<a href=\"{{.}}\">{{/author.link}}"), &full,
	STR_INIT("<a href=\"/author/ada\">")},
    {"an empty string is no section", STR_INIT("{{#title}}x{{/title}}{{^title}}none{{/title}}"),
	&empty, STR_INIT("none")},
    {"HTML is a section when it is not empty", STR_INIT("{{#body}}[{{{.}}}]{{/body}}"), &full,
	STR_INIT("[<p>Hello</p>]")},
    {"a number is a section when it is not 0", STR_INIT("{{#likes}}{{.}} likes{{/likes}}"), &full,
	STR_INIT("-12 likes")},
    {"0 is no section", STR_INIT("{{#likes}}{{.}} likes{{/likes}}"), &empty, STR_INIT("")},
    {"a list's count is a section around it",
	STR_INIT("{{#tags.count}}<ul>{{#tags}}<li>{{.}}{{/tags}}</ul>{{/tags.count}}"), &full,
	STR_INIT("<ul><li>tea<li>&lt;milk&gt;</ul>")},
    {"an empty list is no section",
	STR_INIT("{{#tags.count}}<ul>{{/tags.count}}{{#tags}}{{.}}{{/tags}}{{^tags}}none{{/tags}}"),
	&empty, STR_INIT("none")},
    {"a view inside is a section", STR_INIT("{{#author}}{{name}} {{link}}{{/author}}"), &full,
	STR_INIT("Ada /author/ada")},
    {"a dot reaches into a view, and through an option",
	STR_INIT("{{author.name}} {{rating.stars}} {{rating.author.name}}"), &full,
	STR_INIT("Ada 5 Eve")},
    {"an option that is there is a section",
	STR_INIT("{{#rating}}{{stars}}{{/rating}}{{^rating}}none{{/rating}}"), &full,
	STR_INIT("5")},
    {"an option that is not there is none",
	STR_INIT("{{#rating}}{{stars}}{{/rating}}{{^rating}}none{{/rating}}"), &empty,
	STR_INIT("none")},
    {"through an option that is not there, nothing is shown",
	STR_INIT("[{{rating.stars}}{{#rating.author}}x{{/rating.author}}]"), &empty,
	STR_INIT("[]")},
    {"and what is inverted is shown", STR_INIT("{{^rating.stars}}none{{/rating.stars}}"), &empty,
	STR_INIT("none")},
    {"what is inverted is not shown through an option that is there",
	STR_INIT("[{{^rating.stars}}none{{/rating.stars}}]"), &full, STR_INIT("[]")},
    {"names that a view has not are looked for outside it",
	STR_INIT(
	    "{{#comments}}{{text}}{{#author}} to {{name}}, {{likes}};{{/author}}{{/comments}}"),
	&full, STR_INIT("a to Ada, -12;d to Ada, -12;")},
    {"lists in lists",
	STR_INIT(
	    "{{#comments}}{{#replies}}{{text}}{{#tags}}{{.}}{{/tags}}{{/replies}}{{/comments}}"),
	&full, STR_INIT("btea&lt;milk&gt;ctea&lt;milk&gt;")},
    {"two loops over one list", STR_INIT("{{#tags}}{{#tags}}{{.}}{{/tags}},{{/tags}}"), &full,
	STR_INIT("tea&lt;milk&gt;,tea&lt;milk&gt;,")},
    {"a partial sees the views around it", STR_INIT("{{#author}}{{>name}}{{/author}}"), &full,
	STR_INIT("<b>Ada</b>")},
    {"a partial that includes itself shows a tree",
	STR_INIT("{{#comments}}{{>thread}}{{/comments}}"), &full, STR_INIT("(a(b.)(c.))(d.)")},
    {"and sees the page's view at every depth", STR_INIT("{{#comments}}{{>outside}}{{/comments}}"),
	&full,
	STR_INIT("a on A &amp; &quot;B&quot; &lt;&#39;c&#39;&gt;;b on A &amp; &quot;B&quot; "
		 "&lt;&#39;c&#39;&gt;;c on A &amp; &quot;B&quot; &lt;&#39;c&#39;&gt;;d on A &amp; "
		 "&quot;B&quot; &lt;&#39;c&#39;&gt;;")},
    {"a partial alone on its line is indented, but not its empty lines", STR_INIT("  {{>lines}}\n"),
	&full, STR_INIT("  <ul>\n\n    <li>tea\n    <li>&lt;milk&gt;\n  </ul>\n")},
    {"a tab is indentation too", STR_INIT("\t{{>framed}}\n"), &full,
	STR_INIT("\t<i>\n\t</i>\n\t.\n")},
    {"a layout within a line is not indented with it", STR_INIT("  {{>inline}}\n"), &full,
	STR_INIT("  a <i>\n</i>\nb\n")},
    {"as many lists and options after one another as one likes",
	STR_INIT(LISTS LISTS LISTS LISTS "{{rating.stars}}{{^rating.stars}}{{/rating.stars}}"),
	&full,
	STR_INIT("....5....5....5....5....5....5....5....5"
		 "....5....5....5....5....5....5....5....55")},
    {"a layout shows its own blocks", STR_INIT("{{<layout}}\n{{/layout}}\n"), &full,
	STR_INIT("<title>Site</title>\n<main>\n</main>\n")},
    {"a page puts its own into a layout, indented as the layout says",
	STR_INIT("{{<layout}}\n{{$title}}{{author.name}}{{/title}}\n{{$main}}\n<h1>\n  Hi\n</h1>\n"
		 "{{/main}}\n{{/layout}}\n"),
	&full, STR_INIT("<title>Ada</title>\n<main>\n  <h1>\n    Hi\n  </h1>\n</main>\n")},
    {"a layout has a layout, and the page overrides both",
	STR_INIT("{{<wide}}\n{{$title}}Mine{{/title}}\n{{$inner}}{{likes}}{{/inner}}\n{{/wide}}\n"),
	&full, STR_INIT("<title>Mine</title>\n<main>\n  <div>-12</div>\n</main>\n")},
    {"blanks may stand in a tag", STR_INIT("{{ author.name }}{{# closed }}!{{/ closed }}"), &full,
	STR_INIT("Ada!")},
};

static void
check_shown(void)
{
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		struct arena *arena = arena_new();
		struct memory_library memory = library(arena, shown[i].text);
		struct template_fault fault = {.arena = arena};
		struct buf out = {.arena = arena};
		const struct template_program *program =
		    template_compile(arena, &memory.library, STR("t"), &post_view_type, &fault);

		if (program != NULL)
			template_run(program, shown[i].view, &out);
		is_str(program != NULL ? buf_str(&out) : fault.text, shown[i].wanted, "%s",
		    shown[i].sentence);
		arena_free(arena);
	}
}

static const struct {
	const char *sentence;
	struct str text, wanted;
} refused[] = {
    {"an unknown name, with the line and what may have been meant", STR_INIT("<p>\n\n{{titel}}"),
	STR_INIT("t:3: unknown name \"titel\" in post_view; did you mean \"title\"?")},
    {"an unknown name in several views",
	STR_INIT("{{#comments}}{{#author}}\n{{nam}}{{/author}}{{/comments}}"),
	STR_INIT(
	    "t:2: unknown name \"nam\" in person_view, comment_view or post_view; did you mean "
	    "\"name\"?")},
    {"an unknown name like no other", STR_INIT("{{#unheard}}{{/unheard}}"),
	STR_INIT("t:1: unknown name \"unheard\" in post_view")},
    {"an unknown name behind a dot", STR_INIT("{{author.nme}}"),
	STR_INIT("t:1: unknown name \"nme\" in person_view; did you mean \"name\"?")},
    {"a name inside a flag", STR_INIT("{{closed.name}}"),
	STR_INIT("t:1: \"closed\" is a flag: nothing is inside")},
    {"a name inside a string", STR_INIT("{{title.name}}"),
	STR_INIT("t:1: unknown name \"name\" in a string")},
    {"a name that ends in a dot", STR_INIT("{{author.}}"),
	STR_INIT("t:1: \"author.\" ends in a dot")},
    {"{{.}} where there is no plain value", STR_INIT("{{#author}}{{.}}{{/author}}"),
	STR_INIT("t:1: unknown name \".\" in person_view or post_view")},
    {"{{.}} inside a view, although a plain value is around it",
	STR_INIT("{{#tags}}{{#author}}{{.}}{{/author}}{{/tags}}"),
	STR_INIT("t:1: unknown name \".\" in person_view, a string or post_view")},
    {"sections in one another across files", STR_INIT(TEN TEN "\n{{>deep}}" NET NET),
	STR_INIT("deep:1: more than 32 sections in one another")},
    {"a string as HTML", STR_INIT("{{title}}\n{{{title}}}"),
	STR_INIT("t:2: {{{title}}} shows HTML as it is, but \"title\" is not struct html")},
    {"a string as HTML, with &", STR_INIT("{{&title}}"),
	STR_INIT("t:1: {{{title}}} shows HTML as it is, but \"title\" is not struct html")},
    {"a number as HTML", STR_INIT("{{{likes}}}"),
	STR_INIT("t:1: {{{likes}}} shows HTML as it is, but \"likes\" is not struct html")},
    {"an element of a list of strings as HTML", STR_INIT("{{#tags}}{{{.}}}{{/tags}}"),
	STR_INIT("t:1: {{{.}}} shows HTML as it is, but \".\" is not struct html")},
    {"HTML as text", STR_INIT("{{body}}"), STR_INIT("t:1: \"body\" is HTML: {{{body}}} shows it")},
    {"a flag as text", STR_INIT("{{closed}}"),
	STR_INIT("t:1: \"closed\" cannot be printed: use it as {{#closed}}")},
    {"a list as text", STR_INIT("{{tags}}"),
	STR_INIT("t:1: \"tags\" cannot be printed: use it as {{#tags}}")},
    {"a view that is never absent, inverted", STR_INIT("{{^author}}{{/author}}"),
	STR_INIT("t:1: \"author\" is always there, so this is never shown")},
    {"a partial that there is not", STR_INIT("\n{{>nowhere}}"),
	STR_INIT("t:2: there is no template \"nowhere\"")},
    {"a layout that there is not", STR_INIT("{{<nowhere}}{{/nowhere}}"),
	STR_INIT("t:1: there is no template \"nowhere\"")},
    {"a partial that is itself wrong", STR_INIT("{{>broken}}"),
	STR_INIT("broken:2: \"title\" is opened here and never ended")},
    {"a partial in the wrong view, named by its own line", STR_INIT("{{>thread}}"),
	STR_INIT("thread:1: unknown name \"text\" in post_view")},
    {"a partial that includes itself and needs a view between",
	STR_INIT("{{#rating}}{{>between}}{{/rating}}"),
	STR_INIT("between:1: unknown name \"stars\" in person_view or post_view; did you mean "
		 "\"tags\"?")},
    {"a layout that is its own layout", STR_INIT("{{<loop}}{{/loop}}"),
	STR_INIT("loop:1: too many files in one another: does \"loop\" include itself?")},
    {"text beside the blocks of a layout", STR_INIT("{{<layout}}\nlost\n{{/layout}}"),
	STR_INIT("t:2: what stands in {{<layout}} outside its {{$blocks}} is never shown")},
    {"a value beside the blocks of a layout", STR_INIT("{{<layout}}{{title}}{{/layout}}"),
	STR_INIT("t:1: what stands in {{<layout}} outside its {{$blocks}} is never shown")},
    {"a block that the layout does not have", STR_INIT("{{<wide}}\n{{$mian}}{{/mian}}\n{{/wide}}"),
	STR_INIT("t:2: \"wide\" has no block \"mian\"")},
    {"a section without an end", STR_INIT("a\n{{#title}}\nb"),
	STR_INIT("t:2: \"title\" is opened here and never ended")},
    {"an end without a section", STR_INIT("a\n{{/title}}"),
	STR_INIT("t:2: {{/title}} ends nothing: no section is open")},
    {"sections that cross", STR_INIT("{{#title}}\n{{#author}}\n{{/title}}{{/author}}"),
	STR_INIT("t:3: {{/title}} where {{/author}} has to come, which line 2 opened")},
    {"a tag without an end", STR_INIT("a\nb {{title\n\n"), STR_INIT("t:2: this tag has no end")},
    {"a triple tag with an end too short", STR_INIT("{{{body}}"),
	STR_INIT("t:1: this tag has no end")},
    {"a tag without a name", STR_INIT("{{ }}"),
	STR_INIT("t:1: the name in a tag has to be one word")},
    {"a tag with two names", STR_INIT("{{title author}}"),
	STR_INIT("t:1: the name in a tag has to be one word")},
    {"one delimiter", STR_INIT("\n{{=<%=}}"),
	STR_INIT("t:2: delimiters are two words, as in {{=<% %>=}}")},
    {"delimiters without an end", STR_INIT("{{=<% %>}}"), STR_INIT("t:1: this tag has no end")},
};

static void
check_refused(void)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct arena *arena = arena_new();
		struct memory_library memory = library(arena, refused[i].text);
		struct template_fault fault = {.arena = arena};

		template_compile(arena, &memory.library, STR("t"), &post_view_type, &fault);
		is_str(fault.text, refused[i].wanted, "refused: %s", refused[i].sentence);
		arena_free(arena);
	}
}

/* Templates are trusted, but a mistake in one must end in a message, not in an endless page. */
static void
check_limits(void)
{
	static const struct {
		const char *sentence;
		struct str text;
		int64_t wanted;
	} limits[] = {
	    {"a partial that includes itself without a condition ends at the greatest depth",
		STR_INIT("{{>endless}}"), TEMPLATE_DEPTH_MAX},
	    {"one that does so twice ends at the greatest number", STR_INIT("{{>twice}}"),
		TEMPLATE_STEPS_MAX},
	    {"beside one another there may be more than in one another",
		STR_INIT("{{#comments}}{{>thread}}{{/comments}}"), 3 * (TEMPLATE_DEPTH_MAX + 100)},
	};
	static const struct comment_view many[TEMPLATE_DEPTH_MAX + 100];
	const struct post_view view = {.comments = {many, TEMPLATE_DEPTH_MAX + 100}};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct arena *arena = arena_new();
		struct memory_library memory = library(arena, limits[i].text);
		struct template_fault fault = {.arena = arena};
		struct buf out = {.arena = arena};
		const struct template_program *program =
		    template_compile(arena, &memory.library, STR("t"), &post_view_type, &fault);

		if (program != NULL)
			template_run(program, &view, &out);
		is_int((int64_t)out.len, limits[i].wanted, "%s", limits[i].sentence);
		arena_free(arena);
	}
}

static void
check_nesting(void)
{
	struct arena *arena = arena_new();
	struct template_fault fault = {.arena = arena};
	struct buf text = {.arena = arena};
	struct memory_library memory;

	for (int i = 0; i <= TEMPLATE_NESTING_MAX; i++)
		BUF_PUT(&text, "{{#closed}}");
	memory = library(arena, buf_str(&text));
	template_compile(arena, &memory.library, STR("t"), &post_view_type, &fault);
	is_str(fault.text, STR("t:1: more than 32 sections in one another"),
	    "refused: too many sections in one another");
	arena_free(arena);
}

int
main(void)
{
	check_shown();
	check_refused();
	check_nesting();
	check_limits();
	return tap_done();
}
