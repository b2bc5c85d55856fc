/*
 * How long a page takes to render: a post of 17 KB with 20 comments, all of whose text is escaped.
 *
 *	make bench/template && bench/template
 *	valgrind --tool=callgrind bench/template 100    (a number of pages, for counting instructions)
 */
#include "text/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct comment_view {
	struct str id, author, name, time, text;
	int64_t ups;
	bool own;
};

struct post_view {
	struct str site, title, author, time;
	struct html body;
	const struct comment_view *pinned;
	LIST_OF(struct comment_view) comments;
};

VIEW_FIELDS(comment_view, STRING(id), STRING(author), STRING(name), STRING(time), STRING(text),
    NUMBER(ups), FLAG(own))
VIEW_FIELDS(post_view, STRING(site), STRING(title), STRING(author), STRING(time), HTML(body),
    OPTION(pinned, comment_view), LIST(comments, comment_view))

static const struct str layout = STR_INIT(
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<title>{{$title}}{{site}}{{/title}}</title>\n"
    "<link rel=\"stylesheet\" href=\"/static/site.css\">\n</head>\n<body>\n"
    "<header><a href=\"/\">{{site}}</a><nav><a href=\"/categories\">Categories</a> "
    "<a href=\"/authors\">Authors</a> <a href=\"/archive\">Archive</a></nav></header>\n"
    "<main>\n{{$main}}\n{{/main}}\n</main>\n<footer>{{site}}</footer>\n</body>\n</html>\n");

static const struct str post = STR_INIT(
    "{{<layout}}\n{{$title}}{{title}} – {{site}}{{/title}}\n{{$main}}\n<article>\n"
    "<h1>{{title}}</h1>\n<p class=\"by\">By {{author}}, {{time}}</p>\n{{{body}}}\n</article>\n"
    "{{#pinned}}{{>comment}}{{/pinned}}\n"
    "<h2>{{comments.count}} comments</h2>\n<ol>\n{{#comments}}\n{{>comment}}\n{{/comments}}\n"
    "</ol>\n{{^comments}}<p>None yet.</p>{{/comments}}\n{{/main}}\n{{/layout}}\n");

static const struct str comment = STR_INIT(
    "<li id=\"c{{id}}\">\n<p class=\"by\"><a href=\"/author/{{author}}\">{{name}}</a> "
    "<time datetime=\"{{time}}\">{{time}}</time>{{#own}} <a href=\"/comment/{{id}}/edit\">edit</a>"
    "{{/own}}</p>\n<div class=\"text\">{{text}}</div>\n"
    "<form method=\"post\" action=\"/comment/{{id}}/vote\"><button name=\"vote\" value=\"up\">"
    "{{ups}}{{^ups}}no{{/ups}} votes</button></form>\n</li>\n");

static struct post_view
view_of_page(struct arena *arena)
{
	struct buf body = {.arena = arena};
	struct comment_view *comments = ARENA_ARRAY(arena, 20, struct comment_view);

	while (body.len < 6000)
		BUF_PUT(&body, "<p>It had rained all night, and the bakery was warm.</p>\n");
	for (int i = 0; i < 20; i++)
		comments[i] = (struct comment_view){
		    .id = str_fmt(arena, "01HF7YAT00000%c", 'a' + i),
		    .author = STR("ada"),
		    .name = STR("Ada Lovelace"),
		    .time = STR("2026-11-18T09:30:00.123Z"),
		    .text =
			STR("I tried this yesterday & it works, but only when the oven is really "
			    "hot: \"as hot as it gets\", as you say. Ours isn't, so it took half "
			    "an hour longer than you write. The crust was all the better for it."),
		    .ups = i,
		    .own = i % 4 == 0,
		};
	return (struct post_view){
	    .site = STR("Broadsheet"),
	    .title = STR("A long night at the bakery"),
	    .author = STR("Ada Lovelace"),
	    .time = STR("18 November 2026"),
	    .body = html_trusted(buf_str(&body)),
	    .comments = {comments, 20},
	};
}

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	long pages = argc > 1 ? strtol(argv[1], NULL, 10) : 100000;
	struct arena *arena = arena_new(), *request = arena_new();
	struct memory_library memory = memory_library(arena, false);
	struct template_fault fault = {.arena = arena};
	struct post_view view = view_of_page(arena);
	const struct template_program *program;
	size_t bytes = 0;
	double begin;

	memory_library_add(&memory, STR("layout"), layout);
	memory_library_add(&memory, STR("post"), post);
	memory_library_add(&memory, STR("comment"), comment);
	program = template_compile(arena, &memory.library, STR("post"), &post_view_type, &fault);
	if (program == NULL) {
		fprintf(stderr, "%s\n", fault.text.base);
		return 1;
	}
	begin = seconds();
	for (long i = 0; i < pages; i++) {
		struct buf out = {.arena = request};

		template_run(program, &view, &out);
		bytes = out.len;
		arena_reset(request);
	}
	printf("%zu bytes in %zu operations: %.2f us a page\n", bytes, program->count,
	    (seconds() - begin) * 1e6 / (double)pages);
	arena_free(request);
	arena_free(arena);
	return 0;
}
