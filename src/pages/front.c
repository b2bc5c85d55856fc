#include "pages/pages.h"

enum http_status
page_front(struct request *rq, struct response *rs)
{
	(void)rq;
	BUF_PUT(&rs->body,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<title>Broadsheet</title>\n</head>\n<body>\n<main>\n<h1>Broadsheet</h1>\n"
	    "<p>Nothing has been published yet.</p>\n</main>\n</body>\n</html>\n");
	return HTTP_OK;
}
