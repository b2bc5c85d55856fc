#include "pages/routes.h"

#include "model/key.h"

/* The service is healthy if the table answers. */
static enum http_status
answer(struct request *rq, struct response *rs)
{
	struct item *item;
	enum table_rc rc;

	rc = table_get(rq->table, &rq->call, key_site_settings(), &item);
	if (rc != TABLE_OK)
		return status_of(rc);
	rs->content_type = STR("text/plain; charset=utf-8");
	BUF_PUT(&rs->body, "ok\n");
	return HTTP_OK;
}

PAGE(health, .get = answer)
