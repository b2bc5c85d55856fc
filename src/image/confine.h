#ifndef IMAGE_CONFINE_H
#define IMAGE_CONFINE_H

#include <stdbool.h>

/*
 * Shuts this process in: from here on it can compute, read and write what it has open, and end; a gibibyte
 * of memory and so many seconds of the processor are all that it gets. It opens no file, makes no process,
 * reaches no network, and maps no memory that can be executed. Whoever takes it over has these means and no
 * other. What goes too far ends it. False when that can't be had; then nothing should be read.
 */
bool confine(unsigned seconds);

#endif
