#include "base/clock.h"
#include "text/template.h"
#include "web/http/dispatch.h"

enum http_status
respond(struct request *rq, struct response *rs, const struct template_spec *spec, const void *view)
{
	int64_t begun = clock_micros();

	template_render(rq->site->templates, spec, view, &rs->body);
	rq->cost.template += clock_micros() - begun;
	return HTTP_OK;
}
