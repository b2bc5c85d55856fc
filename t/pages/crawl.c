#include "crawl.h"

#include <stdio.h>

/*
 * The path of a link on this site, without its fragment; empty when it leads elsewhere or to a
 * file.
 */
static struct str
local(struct seeded *s, struct str link)
{
	struct str rest, url = unescaped(s->arena, str_cut(link, '#', &rest));

	if (str_starts(url, SEEDED_ORIGIN))
		url = str_sub(url, SEEDED_ORIGIN.len, url.len);
	if (!str_starts(url, STR("/")) || str_starts(url, STR("/static/")) ||
	    str_starts(url, STR("/media/")) || str_starts(url, STR("//")))
		return STR("");
	return url;
}

static void
collect(struct seeded *s, struct crawl *c, struct str text, struct str begin, struct str end)
{
	struct str link, rest;

	while (between(&text, begin, end, &link)) {
		struct str url = local(s, link);

		/* As programs do: what is for people who sign in says so, or this finds it broken. */
		if (url.len != 0 && !holds(str_cut(text, '>', &rest), STR("nofollow")) && !list_has(&c->addresses, url))
			list_add(s->arena, &c->addresses, url);
	}
}

void
crawl(struct seeded *s, struct crawl *c)
{
	static const char *const from[] = {
	    "/", "/sitemap.xml", "/sitemap/fixed.xml", "/robots.txt", "/no-such-page", "/?after=x"};

	*c = (struct crawl){.all = {.arena = s->arena}};
	for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); i++)
		list_add(s->arena, &c->addresses, str_of(from[i]));
	for (; c->done < c->addresses.count; c->done++) {
		struct str address = c->addresses.strings[c->done];
		struct answer page = visit(s, address);

		/* A form's token is another one each time. */
		list_add(s->arena, &c->bodies,
		    header(&page, "Set-Cookie").len == 0 ? page.body : STR(""));
		buf_put(&c->all, page.head);
		/* Of a book no text can be read: its bytes may be anything. */
		if (!holds(header(&page, "Content-Type"), STR("application/epub+zip")))
			buf_put(&c->all, unescaped(s->arena, page.body));
		collect(s, c, page.body, STR("href=\""), STR("\""));
		collect(s, c, page.body, STR("src=\""), STR("\""));
		collect(s, c, page.body, STR("<loc>"), STR("</loc>"));
		c->html += holds(header(&page, "Content-Type"), STR("text/html"));
		/* The way back to a list's first page leads to its one address. */
		if (page.status == HTTP_SEE_OTHER && holds(address, STR("?before=")))
			continue;
		if (page.status != HTTP_OK && c->done >= sizeof(from) / sizeof(from[0])) {
			c->broken++;
			fprintf(stderr, "# %.*s is %d\n", STR_ARGS(address), (int)page.status);
		}
	}
}
