#ifndef IMAGE_CONFINE_H
#define IMAGE_CONFINE_H

#include <stdbool.h>

/*
 * Sandboxes this process: from then on it can compute, read and write open files, and exit, with a
 * gibibyte of memory and so many seconds of CPU time. It can't open a file, create a process, use
 * the network, or map executable memory; neither can an attacker who takes it over. Exceeding a
 * limit kills it. False if the sandbox is not available; then nothing should be read.
 */
bool confine(unsigned seconds);

#endif
