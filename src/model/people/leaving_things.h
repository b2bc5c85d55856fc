#ifndef MODEL_PEOPLE_LEAVING_THINGS_H
#define MODEL_PEOPLE_LEAVING_THINGS_H

#include "model/people/account.h"
#include "model/post/post.h"

/* What becomes of each thing that somebody leaves behind. Only for model/people/leaving.c. */
struct leaver {
	struct plan *plan;
	struct str username;
	struct coauthor to; /* the pseudonym */
	bool keeps_posts;
};

/*
 * One item of their own partition, or among their doings. *left counts it when there was something to do. That
 * somebody else did it, or is at it, is TABLE_OK: the next round sees what is left.
 */
enum table_rc leaving_own(struct leaver *l, const struct item *item, size_t *left);
enum table_rc leaving_doing(struct leaver *l, const struct item *item, size_t *left);

#endif
