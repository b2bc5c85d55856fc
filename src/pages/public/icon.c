/* The icon, where browsers, phones and feed readers look for it without having asked any page. */
#include "pages/routes.h"
#include "web/http/asset.h"

static enum http_status
lead_to_icon(struct request *rq, struct response *rs)
{
	return redirect(rs, HTTP_MOVED, asset_url(rq->site->assets, STR("icon.png")));
}

PAGE(icon, .get = lead_to_icon)
