#ifndef TEXT_MARKDOWN_H
#define TEXT_MARKDOWN_H

#include "base/str.h"
#include "model/post/post.h"
#include "table/item.h"
#include "text/view.h"

struct item;

/*
 * Markdown into HTML that is safe as it stands: CommonMark as cmark reads it, and what docs/markdown.md lists. What may
 * come out is decided here, node by node and attribute by attribute, not by filtering what cmark wrote:
 *
 *	p h2-h6 ul ol li dl dt dd blockquote pre code em strong del sup a img br hr, figures, a table in a div that scrolls,
 *	spans in code and before tasks, asides with notes, and divs with remarks.
 *
 * Raw HTML is shown as it was typed, comments are left out. A link leads to http, https, mailto or into
 * our own site; one that leads elsewhere becomes its text, and an image its description. An image that no browser would
 * show, since it is not on https, becomes a link to it, of the class "picture".
 *
 * An image that was uploaded here comes in several widths, from which the browser takes one, and with its
 * size, so that the text does not move when it comes: model/post/media.h tells how its address says all that.
 *
 * Nothing here fails: bytes that are no UTF-8 and NUL become U+FFFD, what is nested too deeply is shown
 * as plain text, and so is the whole of a source that would take too long.
 *
 * Time is bounded by that: see bench/markdown for the worst that a source of a given size can cost.
 */

/* The version of what markdown_render() makes. Stored HTML of a lower one is stale. */
enum { MARKDOWN_RENDERER = 5 };

/*
 * In bytes; of a Body's Markdown and that of its Instructions together. What is longer is not parsed but shown as it
 * was typed. That is for previews: it has more HTML than source, and both are in one item, which holds no more than
 * twice this. So whoever saves it is told that it is too long.
 */
enum { MARKDOWN_SOURCE_MAX = ITEM_SIZE_MAX / 2 };

enum markdown_trust {
	MARKDOWN_AUTHOR, /* who may publish here */
	MARKDOWN_READER, /* anybody: no images, no headings, links that search engines don't follow */
};

struct markdown_options {
	enum markdown_trust trust;
	/* Where our own site is, "https://example.org": links to it are not foreign. May be empty. */
	struct str site;
	/* What the ids of headings begin with, so that they are never a page's own. Empty: "h-". */
	struct str anchor;
	/* The level of the first heading, 2 to 6. 0: 2, under the page's title. */
	int first_level;
	/* As it was typed, since it is a part of what is too long. */
	bool plain;
	/* Whose quotation marks, dashes and apostrophes it has: a tag (model/language.h). Empty: those that were typed. */
	struct str language;
	/* Words behind a "#" that become links to these tags: slugs; and names behind an "@", of these people. */
	struct strings_value hashtags, mentions;
	/* Pictures with nothing but line ends and blank lines between them stand side by side. */
	bool gallery;
};

/*
 * The tags that a text names with "#", as slugs and each once, in their order: a word of any script with at least one letter,
 * behind white space or punctuation; not in code, links and pictures. In the arena.
 */
struct strings_value markdown_hashtags(struct arena *arena, struct str source);

/*
 * The same of people, as usernames: "@noor", not noor@example.org, @noor@example.org or @noor.example.org. Whether there is
 * such a person is another question (model/reader/mention.h).
 */
struct strings_value markdown_mentions(struct arena *arena, struct str source);

/*
 * Into the body, as what follows is rendered: the post's language, or that of the site (empty: the worker finds out). Of a
 * note, which of its tags and of these people its text names, to be links; and that several pictures stand side by side.
 */
void markdown_prepare(struct arena *arena, const struct post *post, struct str site_language,
    struct strings_value people, struct post_body *body);

struct markdown {
	struct html html;
	const struct heading *contents; /* headings that are not inside of quotes and lists */
	size_t contents_count;
	int64_t words; /* what white space separates in the source */
	bool plain;    /* the source was over a bound, and is shown as it was typed */
};

/* Everything of *out is in the arena. */
void markdown_render(struct arena *arena, struct str source, const struct markdown_options *options,
    struct markdown *out);

/*
 * HTML that markdown_render() made, with a prefix to all of its anchors and to what leads to them: for a page with several
 * texts. In the arena.
 */
struct html markdown_anchored(struct arena *arena, struct html html, struct str prefix);

/*
 * HTML that was kept in the table, with the number of the renderer that made it: under HTML nothing else is put
 * there. False when it is stale, and the source has to be rendered again.
 */
bool markdown_kept(struct str html, int64_t renderer, struct html *out);

/*
 * What the source says, without its marks, in one line: for excerpts, descriptions and the search. Not
 * escaped. In the arena.
 */
struct str markdown_text(struct arena *arena, struct str source);

/*
 * The same from HTML that markdown_render() made, without reading any Markdown: for pages, whose
 * readers should not wait for that. An image has no words here.
 */
struct str markdown_plain(struct arena *arena, struct html html);

/*
 * Gives an item that carries Markdown what is rendered from it: a Body HTML, Renderer, Contents and the
 * HTML of each of its Instructions; a Comment and a Collection HTML and Renderer. What was there of these is replaced. The
 * item's arrays are changed in place, new ones are in the arena. False, and the item untouched, when its
 * Type has no Markdown.
 */
bool markdown_store(struct arena *arena, struct item *item, struct str site);

/*
 * The same for the body of a post that somebody has written: renders all of it, to be saved or previewed, and gives the
 * post what its head has from the text: how many words it is, and how it begins, where there is no excerpt. In the arena.
 */
void markdown_body(
    struct arena *arena, struct str site, struct post_body *body, struct post *post);

/* The words of a Body: those of its Markdown and of its Instructions; the Words of its post. */
int64_t markdown_words(const struct item *body);

#endif
