/*
 * GET /static/<name>.<hash>.<type>: a static file of this version of the site; those of other
 * versions are not found. And the icon at the addresses where browsers, phones and feed readers
 * look for it by themselves.
 */
#include "pages/routes.h"
#include "web/http/asset.h"

static const struct {
	struct str ending, type;
} types[] = {
    {STR_INIT(".css"), STR_INIT("text/css; charset=utf-8")},
    {STR_INIT(".js"), STR_INIT("text/javascript; charset=utf-8")},
    {STR_INIT(".svg"), STR_INIT("image/svg+xml")},
    {STR_INIT(".png"), STR_INIT("image/png")},
    {STR_INIT(".webp"), STR_INIT("image/webp")},
    {STR_INIT(".jpg"), STR_INIT("image/jpeg")},
    {STR_INIT(".ico"), STR_INIT("image/x-icon")},
    {STR_INIT(".woff2"), STR_INIT("font/woff2")},
};

static enum http_status
send(struct request *rq, struct response *rs)
{
	struct str content;

	if (!asset_find(rq->site->assets, rq->path, &content))
		return HTTP_NOT_FOUND;
	rs->policy = CACHE_FOREVER;
	rs->content_type = STR("application/octet-stream");
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_ends(rq->path, types[i].ending))
			rs->content_type = types[i].type;
	buf_put(&rs->body, content);
	return HTTP_OK;
}

static enum http_status
lead_to_icon(struct request *rq, struct response *rs)
{
	return redirect(rs, HTTP_MOVED, asset_url(rq->site->assets, STR("icon.png")));
}

PAGE(asset, .get = send)
PAGE(icon, .get = lead_to_icon)
