#include "pages/shared/listed.h"

#include "base/arena.h"
#include "model/permission.h"
#include "model/reader/word_list.h"
#include "model/site/settings.h"
#include "pages/shared/stored.h"

struct str
listed_in(struct request *rq, struct str markdown)
{
	struct str found = word_list_found(rq->arena, &rq->settings->moderation,
	    STR_CONCAT(rq->arena, markdown, STR("\n"), markdown_text(rq->arena, markdown)));

	return found.len != 0 ? STR_CONCAT(rq->arena, STR("it has "), found) : found;
}

struct str
listed_of_viewer(struct request *rq, struct str markdown)
{
	return may(rq->viewer, MAY_MODERATE, NO_THING) ? STR("") : listed_in(rq, markdown);
}
