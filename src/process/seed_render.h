#ifndef PROCESS_SEED_RENDER_H
#define PROCESS_SEED_RENDER_H

#include "table/item.h"

/*
 * `origin` is the address of the site itself. Adds to a Body or a Comment what is rendered from its Markdown: HTML, Renderer, a Body's Contents, and
 * the HTML of each of its Instructions. Leaves other items alone.
 */
void seed_render(struct arena *arena, struct item *item, struct str origin);

#endif
