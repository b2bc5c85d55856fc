#ifndef PAGES_WRITE_LINK_TITLE_H
#define PAGES_WRITE_LINK_TITLE_H

#include "base/str.h"

struct arena;

/*
 * A title from what was pasted of the page that a link leads to: its <title> if that is HTML, its references read,
 * else its first line; empty when neither says anything. Nothing is fetched from anywhere. In the arena.
 */
struct str link_title(struct arena *arena, struct str source);

#endif
