/* GET /colours.css: the colours that admins have chosen, of the site and of its sections. Its address has a hash of them. */
#include "base/arena.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"

static enum http_status
show(struct request *rq, struct response *rs)
{
	enum http_status status = page_read(rq, NULL, 0);
	const struct publication *p = publication_of(rq);

	if (status != HTTP_OK)
		return status;
	/* Another process may know newer ones already, and have told their address. */
	if (!str_eq(p->colours_url, STR_CONCAT(rq->arena, STR("/colours.css?v="), request_query(rq, "v"))))
		rs->policy = CACHE_PAGE;
	rs->content_type = STR("text/css; charset=utf-8");
	buf_put(&rs->body, p->colours);
	return HTTP_OK;
}

PAGE(colours, .get = show, .query = QUERY("v"))
