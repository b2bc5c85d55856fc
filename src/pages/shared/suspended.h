#ifndef PAGES_SHARED_SUSPENDED_H
#define PAGES_SHARED_SUSPENDED_H

#include "web/http/dispatch.h"

/* What a suspended viewer is told, in a sentence or two: until when, and why. In the arena. */
struct str suspended_text(struct request *rq);

/* What somebody is told from whose network nobody writes just now. */
extern const char shut_out_text[];

#endif
