/*
 * GET /edition/<week>/book.epub, /author/<username>/book.epub and /collection/<id>/book.epub: the posts of a week, the newest of
 * an author, and the first of a collection or a series in its order, as a book to take along: EPUB 3. Like a feed it has what
 * everybody may see, whoever asks. The first trip reads the list, the second the texts.
 *
 * A book is a ZIP file: mimetype, META-INF/container.xml, and in EPUB/ the package (book.opf), the contents (nav.xhtml), a
 * stylesheet, a file for each post (p1.xhtml …), and the pictures of this site that are JPEG or PNG, 960 pixels wide or so.
 * It is bounded: TEXTS_MAX posts, some megabytes of text and of pictures; for a picture beyond that stands its description. The
 * same posts are the same bytes.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "base/zip.h"
#include "model/key.h"
#include "model/language.h"
#include "model/people/person_counts.h"
#include "model/post/media.h"
#include "model/site/settings.h"
#include "pages/public/collection.h"
#include "pages/public/edition.h"
#include "pages/public/profile.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/texts.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "text/xml.h"
#include "web/media/media_store.h"

enum {
	WIDTH_MAX = 1000,
	PICTURES_MAX = 100,
	PICTURES_BYTES = 4 << 20,
	TEXT_BYTES = 2 << 20,
};

struct picture {
	struct str file, bytes;
	enum media_format format;
};

struct book {
	struct str title, author, description; /* the last two may be empty */
	struct str address; /* of the page that it is the book of: it identifies it */
	struct str file;    /* how it is called when it is saved: ASCII, without ".epub" */
	const struct whole_post *posts;
	size_t count;
};

/* A book that is being written. */
struct writing {
	struct request *rq;
	struct zip zip;
	const struct book *book;
	struct picture pictures[PICTURES_MAX];
	size_t picture_count, picture_bytes;
	size_t chapters, text_bytes;
};

/* --- Pictures --------------------------------------------------------------------------------------- */

/* The widest of its sizes that a page of a book needs. */
static void
choose_size(struct media_address *address)
{
	struct media_size sizes[MEDIA_SIZES_MAX];
	size_t count = media_sizes(address->size, address->format, sizes);

	address->size = sizes[0];
	for (size_t i = 1; i < count && sizes[i].width <= WIDTH_MAX; i++)
		address->size = sizes[i];
}

/* Puts a picture into the book, once: the name of its file; empty: it is none of this site's, or there is no room. */
static struct str
take_picture(void *context, struct str url)
{
	struct writing *w = context;
	const struct site *site = w->rq->site;
	struct media_address address;
	struct picture picture;

	if (!media_address_read(url, site->origin, &address))
		return STR("");
	/* E-readers need to know no others. */
	if (address.format != MEDIA_JPEG && address.format != MEDIA_PNG)
		return STR("");
	choose_size(&address);
	picture.file = media_file(w->rq->arena, &address);
	picture.format = address.format;
	for (size_t i = 0; i < w->picture_count; i++)
		if (str_eq(w->pictures[i].file, picture.file))
			return picture.file;
	if (site->media == NULL || w->picture_count == PICTURES_MAX ||
	    !media_store_read(site->media, w->rq->arena, &address,
		PICTURES_BYTES - w->picture_bytes, &picture.bytes))
		return STR("");
	w->picture_bytes += picture.bytes.len;
	w->pictures[w->picture_count++] = picture;
	return picture.file;
}

/* --- A post ----------------------------------------------------------------------------------------- */

static void
element(struct buf *out, const char *name, struct str text)
{
	if (text.len == 0)
		return;
	buf_fmt(out, "<%s>", name);
	xml_text(out, text);
	buf_fmt(out, "</%s>\n", str_cstring(out->arena, str_cut(str_of(name), ' ', &(struct str){0})));
}

/* The beginning of a file of the book, up to its body. */
static void
begin_page(struct buf *out, struct str title, struct str language)
{
	BUF_PUT(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE html>\n"
		     "<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" lang=\"");
	xml_text(out, language);
	BUF_PUT(out, "\" xml:lang=\"");
	xml_text(out, language);
	BUF_PUT(out, "\" dir=\"");
	xml_text(out, language_direction(language));
	BUF_PUT(out, "\">\n<head>\n");
	element(out, "title", title);
	BUF_PUT(out, "<link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\"/>\n</head>\n<body>\n");
}

static void
put_html(struct writing *w, struct buf *out, struct html html)
{
	const struct xhtml_rules rules = {w->rq->site->origin, take_picture, w};

	xhtml_put(out, html, &rules);
}

static struct str
authors_of(struct arena *arena, const struct post *post)
{
	struct buf names = {.arena = arena};

	buf_put(&names, post->author_name);
	for (size_t i = 0; i < post->other_count; i++) {
		buf_put(&names, i + 1 == post->other_count ? STR(" and ") : STR(", "));
		buf_put(&names, post->others[i].name);
	}
	return buf_str(&names);
}

static void
put_head(struct writing *w, struct buf *out, const struct post *post)
{
	struct str file = take_picture(w, post->thumbnail.url);
	struct str address = absolute(w->rq, post_path(w->rq->arena, post));

	element(out, "h1", words_title(post));
	if (post->kind != KIND_NOTE)
		element(out, "p class=\"deck\"", post->excerpt);
	BUF_PUT(out, "<p class=\"by\">By ");
	xml_text(out, authors_of(w->rq->arena, post));
	BUF_PUT(out, ", ");
	xml_text(out, words_date(w->rq, post->published));
	BUF_PUT(out, ". <a href=\"");
	xml_text(out, address);
	BUF_PUT(out, "\">");
	xml_text(out, address);
	BUF_PUT(out, "</a></p>\n");
	if (file.len == 0)
		return;
	BUF_PUT(out, "<p class=\"picture\"><img src=\"");
	xml_text(out, file);
	BUF_PUT(out, "\" alt=\"");
	xml_text(out, post->thumbnail.alt);
	BUF_PUT(out, "\"/></p>\n");
}

static void
put_needs(struct buf *out, const struct post_body *body)
{
	if (body->material_count != 0)
		BUF_PUT(out, "<h2>Materials</h2>\n<ul>\n");
	for (size_t i = 0; i < body->material_count; i++)
		element(out, "li",
		    STR_CONCAT(out->arena, body->materials[i].name, STR(" "), body->materials[i].amount));
	if (body->material_count != 0)
		BUF_PUT(out, "</ul>\n");
	if (body->tools.count != 0)
		BUF_PUT(out, "<h2>Tools</h2>\n<ul>\n");
	for (size_t i = 0; i < body->tools.count; i++)
		element(out, "li", body->tools.strings[i]);
	if (body->tools.count != 0)
		BUF_PUT(out, "</ul>\n");
}

static void
put_steps(struct writing *w, struct buf *out, const struct post_body *body)
{
	if (body->step_count == 0)
		return;
	BUF_PUT(out, "<h2>Steps</h2>\n<ol>\n");
	for (size_t i = 0; i < body->step_count; i++) {
		BUF_PUT(out, "<li>");
		put_html(w, out, stored_html(w->rq, MARKDOWN_AUTHOR, body->steps[i].markdown,
				     body->steps[i].html, body->renderer));
		BUF_PUT(out, "</li>\n");
	}
	BUF_PUT(out, "</ol>\n");
}

static struct str
chapter_file(struct arena *arena, size_t n)
{
	return str_fmt(arena, "p%zu.xhtml", n + 1);
}

static void
add(struct writing *w, struct str name, const struct buf *bytes)
{
	zip_add(&w->zip, STR_CONCAT(w->rq->arena, STR("EPUB/"), name), buf_str(bytes), true);
}

/* The size of a post's rendered text. */
static size_t
html_bytes(const struct post_body *body)
{
	size_t bytes = body->html.len;

	for (size_t i = 0; i < body->step_count; i++)
		bytes += body->steps[i].html.len;
	return bytes;
}

static void
add_chapter(struct writing *w, size_t n)
{
	const struct whole_post *whole = &w->book->posts[n];
	const struct post *post = &whole->post;
	struct buf out = {.arena = w->rq->arena};

	begin_page(&out, words_title(post),
	    post->language.len != 0 ? post->language : w->rq->settings->language);
	BUF_PUT(&out, "<section epub:type=\"chapter\">\n");
	put_head(w, &out, post);
	if (post->kind == KIND_HOWTO)
		element(&out, "p", facts_text(w->rq->arena, post));
	if (post->kind == KIND_LINK) {
		BUF_PUT(&out, "<p><a href=\"");
		xml_text(&out, post->url);
		BUF_PUT(&out, "\">");
		xml_text(&out, post->url);
		BUF_PUT(&out, "</a></p>\n");
	}
	put_needs(&out, &whole->body);
	put_html(w, &out, stored_body_html(w->rq, &whole->body));
	put_steps(w, &out, &whole->body);
	BUF_PUT(&out, "</section>\n</body>\n</html>\n");
	add(w, chapter_file(w->rq->arena, n), &out);
}

/* --- The rest of the book --------------------------------------------------------------------------- */

static void
add_contents(struct writing *w)
{
	const struct book *book = w->book;
	struct buf out = {.arena = w->rq->arena};

	begin_page(&out, book->title, w->rq->settings->language);
	element(&out, "h1", book->title);
	element(&out, "p class=\"by\"", book->author);
	element(&out, "p class=\"deck\"", book->description);
	BUF_PUT(&out, "<nav epub:type=\"toc\" id=\"toc\">\n<h2>Contents</h2>\n<ol>\n");
	for (size_t i = 0; i < w->chapters; i++) {
		buf_fmt(&out, "<li><a href=\"%s\">", str_cstring(out.arena, chapter_file(out.arena, i)));
		xml_text(&out, words_title(&book->posts[i].post));
		BUF_PUT(&out, "</a></li>\n");
	}
	BUF_PUT(&out, "</ol>\n</nav>\n<p class=\"by\"><a href=\"");
	xml_text(&out, absolute(w->rq, book->address));
	BUF_PUT(&out, "\">");
	xml_text(&out, absolute(w->rq, book->address));
	BUF_PUT(&out, "</a></p>\n</body>\n</html>\n");
	add(w, STR("nav.xhtml"), &out);
}

static void
put_manifest(struct writing *w, struct buf *out)
{
	BUF_PUT(out, "<manifest>\n"
		     "<item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>\n"
		     "<item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>\n");
	for (size_t i = 0; i < w->chapters; i++)
		buf_fmt(out, "<item id=\"p%zu\" href=\"p%zu.xhtml\" media-type=\"application/xhtml+xml\"/>\n", i + 1, i + 1);
	for (size_t i = 0; i < w->picture_count; i++)
		buf_fmt(out, "<item id=\"i%zu\" href=\"%.*s\" media-type=\"%s\"%s/>\n", i + 1,
		    STR_ARGS(w->pictures[i].file), media_type(w->pictures[i].format),
		    i == 0 ? " properties=\"cover-image\"" : "");
	BUF_PUT(out, "</manifest>\n<spine>\n<itemref idref=\"nav\"/>\n");
	for (size_t i = 0; i < w->chapters; i++)
		buf_fmt(out, "<itemref idref=\"p%zu\"/>\n", i + 1);
	BUF_PUT(out, "</spine>\n");
}

static void
add_package(struct writing *w, int64_t modified)
{
	const struct book *book = w->book;
	struct buf out = {.arena = w->rq->arena};
	struct str time = time_format(w->rq->arena, modified);

	BUF_PUT(&out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
		      "<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"id\">\n"
		      "<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n");
	element(&out, "dc:identifier id=\"id\"", absolute(w->rq, book->address));
	element(&out, "dc:title", book->title);
	element(&out, "dc:language", w->rq->settings->language);
	element(&out, "dc:creator", book->author);
	element(&out, "dc:publisher", w->rq->settings->name);
	element(&out, "dc:description", book->description);
	/* Without milliseconds. */
	element(&out, "meta property=\"dcterms:modified\"",
	    STR_CONCAT(w->rq->arena, str_sub(time, 0, 19), STR("Z")));
	BUF_PUT(&out, "</metadata>\n");
	put_manifest(w, &out);
	BUF_PUT(&out, "</package>\n");
	add(w, STR("book.opf"), &out);
}

static void
add_style(struct writing *w)
{
	struct buf out = {.arena = w->rq->arena};

	BUF_PUT(&out, "h1 { text-align: center; line-height: 1.15; margin: 1em 0 .5em; }\n"
		      ".deck { font-style: italic; text-align: center; }\n"
		      ".by { font-size: .8em; text-align: center; }\n"
		      ".picture { text-align: center; text-indent: 0; }\n"
		      "p { margin: 0; }\np + p { text-indent: 1.2em; }\n"
		      "h1 + p, .by, .deck, .by + p { text-indent: 0; }\n"
		      "h2, h3 { margin: 1.2em 0 .4em; line-height: 1.2; }\n"
		      "ul, ol, pre, blockquote, figure, table, .by, .deck, .picture { margin: .8em 0; }\n"
		      "ul, ol { padding: 0 0 0 1.5em; }\nblockquote { padding: 0 1.5em; font-style: italic; }\n"
		      "img { max-width: 100%; }\npre { font-size: .75em; white-space: pre-wrap; }\n"
		      "table { border-collapse: collapse; font-size: .85em; }\nth, td { padding: .2em .8em .2em 0; text-align: left; }\n"
		      ".footnote { font-size: .85em; margin: .8em 0; }\n"
		      ".link-card, .pull, .callout { margin: .8em 0; text-indent: 0; }\n"
		      ".link-card a { display: block; padding: .4em .8em; border: 1px solid; text-decoration: none; }\n"
		      ".link-card b { display: block; }\n"
		      ".pull { font-size: 1.2em; text-align: center; }\n"
		      ".callout { padding: 0 .8em; border-left: 3px solid; font-style: normal; }\n");
	add(w, STR("style.css"), &out);
}

/* When the newest of its posts was changed. */
static int64_t
changed(const struct book *book)
{
	int64_t last = 0;

	for (size_t i = 0; i < book->count; i++) {
		const struct post *post = &book->posts[i].post;

		last = post->published > last ? post->published : last;
		last = post->updated > last ? post->updated : last;
	}
	return last;
}

/* Answers with the book; HTTP_NOT_FOUND when there is nothing in it. */
static enum http_status
book_respond(struct request *rq, struct response *rs, const struct book *book)
{
	struct writing *w = ARENA_NEW(rq->arena, struct writing);

	if (book->count == 0)
		return HTTP_NOT_FOUND;
	w->rq = rq;
	w->book = book;
	zip_begin(&w->zip, &rs->body, changed(book));
	zip_add(&w->zip, STR("mimetype"), STR("application/epub+zip"), false);
	zip_add(&w->zip, STR("META-INF/container.xml"),
	    STR("<?xml version=\"1.0\"?>\n"
		"<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\n"
		"<rootfiles><rootfile full-path=\"EPUB/book.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles>\n"
		"</container>\n"),
	    true);
	for (; w->chapters < book->count; w->chapters++) {
		w->text_bytes += html_bytes(&book->posts[w->chapters].body);
		if (w->chapters != 0 && w->text_bytes > TEXT_BYTES)
			break;
		add_chapter(w, w->chapters);
	}
	add_contents(w);
	add_style(w);
	add_package(w, changed(book));
	for (size_t i = 0; i < w->picture_count; i++)
		zip_add(&w->zip, STR_CONCAT(rq->arena, STR("EPUB/"), w->pictures[i].file),
		    w->pictures[i].bytes, false);
	zip_end(&w->zip);
	rs->content_type = STR("application/epub+zip");
	rs->packed = true;
	response_header(rs, STR("Content-Disposition"),
	    str_fmt(rq->arena, "attachment; filename=\"%.*s.epub\"", STR_ARGS(book->file)));
	list_fresh(rq, rs);
	return HTTP_OK;
}

/* --- The pages -------------------------------------------------------------------------------------- */

/* The address of the page beside the book's. */
static struct str
page_of(struct request *rq)
{
	return str_sub(rq->path, 0, rq->path.len - strlen("/book.epub"));
}

/* Reads the texts of these posts into the book. */
static enum http_status
read_texts(struct request *rq, const struct str *ids, size_t count, struct book *book)
{
	struct whole_post *posts;
	enum http_status status = texts_read(rq, ids, count, &posts, &book->count);

	book->posts = posts;
	book->address = page_of(rq);
	return status;
}

static enum http_status
book_of_week(struct request *rq, struct response *rs)
{
	struct str ids[TEXTS_MAX];
	struct book book = {.author = STR("")};
	struct whole_post *posts;
	struct week week;
	enum http_status status = week_read(rq, rs, &week);

	if (status == HTTP_OK)
		status = texts_read(rq, ids, texts_chosen(&week.posts, ids), &posts, &book.count);
	if (status != HTTP_OK)
		return status;
	edition_sort(rq->arena, posts, book.count);
	book.posts = posts;
	book.address = page_of(rq);
	book.title = STR_CONCAT(rq->arena, rq->settings->name, STR(", "), week_days(rq, week.span));
	book.description = rq->settings->description;
	book.file = span_text(rq->arena, week.span);
	return book_respond(rq, rs, &book);
}

static enum http_status
book_of_author(struct request *rq, struct response *rs)
{
	struct str name = request_param(rq, "username"), ids[TEXTS_MAX];
	struct posts_query query = {.of = POSTS_OF_AUTHOR, .name = name, .limit = TEXTS_MAX};
	struct book book = {.file = name};
	struct read reads[3];
	struct posts posts;
	struct user user;
	enum http_status status;

	if (!username_valid(name))
		return HTTP_NOT_FOUND;
	reads[0] = (struct read){.kind = READ_GET, .key = key_user(rq->arena, name)};
	reads[1] = person_counts_read(rq->arena, name);
	if (!posts_prepare(rq->arena, &query, rq->now, &reads[2]))
		return HTTP_NOT_FOUND;
	status = page_read(rq, reads, 3);
	if (status == HTTP_OK)
		status = profile_take_public(rq, reads, &user);
	if (status != HTTP_OK)
		return status;
	posts_take(rq->arena, &query, &reads[2], NULL, rq->now, &posts);
	status = read_texts(rq, ids, texts_chosen(&posts, ids), &book);
	if (status != HTTP_OK)
		return status;
	book.title = STR_CONCAT(rq->arena, user.display_name, STR(" in "), rq->settings->name);
	book.author = user.display_name;
	book.description = user.bio;
	return book_respond(rq, rs, &book);
}

static enum http_status
book_of_collection(struct request *rq, struct response *rs)
{
	struct str ids[TEXTS_MAX];
	struct book book = {.count = 0};
	struct collection c;
	struct read list;
	enum http_status status = collection_read_public(rq, TEXTS_MAX, false, &c, &list);

	if (status != HTTP_OK)
		return status;
	posts_once(&list);
	for (size_t i = 0; i < list.found_count; i++)
		ids[i] = item_string(&list.found[i], STR("Post"));
	status = read_texts(rq, ids, list.found_count, &book);
	if (status != HTTP_OK)
		return status;
	book.title = c.name;
	book.author = c.owner_name;
	book.description = markdown_plain(
	    rq->arena, stored_html(rq, MARKDOWN_READER, c.description, c.html, c.renderer));
	book.file = STR_CONCAT(rq->arena, STR("collection-"), c.id);
	return book_respond(rq, rs, &book);
}

PAGE(edition_book, .get = book_of_week)
PAGE(author_book, .get = book_of_author)
PAGE(collection_book, .get = book_of_collection)
