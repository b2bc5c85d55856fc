#include "web/cache/page_cache.h"

#include "base/arena.h"
#include "web/http/conditional.h"
#include "web/http/dispatch.h"
#include "web/http/gzip.h"

#include <string.h>

void
page_cache_answer(struct cache_entry *entry, const struct request_input *in, struct response *out)
{
	const struct cache_page *page = cache_entry_page(entry);
	enum cache_form form = page->full[CACHE_GZIP].len != 0 && gzip_accepted(in->accept_encoding)
				   ? CACHE_GZIP
				   : CACHE_PLAIN;

	*out = (struct response){.status = HTTP_OK, .cached = true, .entry = entry};
	if (is_not_modified(
		in->if_none_match, in->if_modified_since, page->etag[form], page->last_modified)) {
		out->status = HTTP_NOT_MODIFIED;
		out->bytes = page->not_modified[form];
		out->head_len = out->bytes.len;
		return;
	}
	out->bytes = page->full[form];
	out->head_len = page->head_len[form];
	if (str_eq(in->method, STR("HEAD")))
		out->bytes.len = out->head_len;
}

/*
 * May strangers share it? A cookie is for one reader alone. And only what is there is kept: of addresses that
 * are not, or lead elsewhere, anybody can think up enough to push all pages out.
 */
static bool
is_shared(const struct response *rs)
{
	if (rs->status != HTTP_OK || rs->policy < CACHE_PAGE)
		return false;
	for (size_t i = 0; i < rs->header_count; i++)
		if (str_eq_nocase(rs->headers[i].name, STR("Set-Cookie")))
			return false;
	return true;
}

/* The Server-Timing of a page that was ready; how long in all is not in it, as it is kept with the page. */
#define TIMING_OF_A_HIT                                                                    \
	STR("cache;desc=\"hit\", requests;desc=\"0\", trips;desc=\"0\", table;dur=0.000, " \
	    "markdown;dur=0.000, template;dur=0.000")

/*
 * One form of the page. The head goes in front of the body, where response_finish() puts its own
 * later.
 */
static void
add_form(struct cache_page *page, enum cache_form form, struct response *rs, const struct buf *body)
{
	bool gzip = form == CACHE_GZIP;
	struct str head =
	    response_head(rs, HTTP_OK, gzip, body->len - RESPONSE_HEAD_ROOM, TIMING_OF_A_HIT);

	page->head_len[form] = head.len;
	page->full[form] = response_join(rs->arena, head, body);
	page->etag[form] = response_etag(rs, gzip);
	/* Without it, as short as can be: nginx reads each byte of it for each reader who comes back. */
	page->not_modified[form] = response_head(rs, HTTP_NOT_MODIFIED, gzip, 0, STR(""));
}

static void
compress(struct response *rs, const struct request *rq)
{
	buf_room(&rs->gzip, RESPONSE_HEAD_ROOM);
	rs->gzip.len = RESPONSE_HEAD_ROOM;
	if (!gzip_put(rq->site->gzip, &rs->gzip, response_body(rs)))
		rs->gzip.len = 0;
}

void
page_cache_without(struct response *rs, const struct request *rq)
{
	if (is_shared(rs) && gzip_accepted(rq->in->accept_encoding))
		compress(rs, rq);
}

void
page_cache_file(
    struct cache *cache, struct cache_look *look, struct response *rs, const struct request *rq)
{
	struct cache_page page = {
	    .fresh_until = rs->fresh_until, .version = rq->version, .made = rq->now};

	if (!is_shared(rs)) {
		cache_give_up(cache, look);
		return;
	}
	page.last_modified = rs->last_modified = cache_since(look, rs->etag, rq->now);
	compress(rs, rq);
	add_form(&page, CACHE_PLAIN, rs, &rs->body);
	if (rs->gzip.len != 0)
		add_form(&page, CACHE_GZIP, rs, &rs->gzip);
	cache_file(cache, look, &page);
}
