#ifndef MODEL_SITE_COLOUR_H
#define MODEL_SITE_COLOUR_H

#include "base/str.h"

struct arena;

/*
 * Colours that admins choose, of text, by TEXT_COLOUR. They choose what stands on light paper; on dark paper a lighter one
 * takes its place. The papers are those of static/style.css.
 */

/* How it contrasts with light paper, in hundredths: 450 is 4.5 to 1, which is what text needs (WCAG 2.2, AA). */
enum { COLOUR_CONTRAST_MIN = 450 };
int colour_contrast(struct str colour);

/* The same colour, darker or lighter, until it can be read on light, or on dark paper. In the arena. */
struct str colour_for_light(struct arena *arena, struct str colour);
struct str colour_for_dark(struct arena *arena, struct str colour);

#endif
