#ifndef WEB_MEDIA_IMAGE_CHILD_H
#define WEB_MEDIA_IMAGE_CHILD_H

#include "web/media/image_head.h"

/*
 * Pictures are decoded by a program of its own, broadsheet-image, which runs for one picture, shut in and
 * limited (image/confine.h): whatever a picture does to its decoder, it does it there. It gets the
 * bytes on standard input and writes to descriptors that it is handed; it needs no name of any file.
 */

/* How it ends. */
enum image_exit {
	IMAGE_EXIT_DONE = 0,
	IMAGE_EXIT_DAMAGED = 10, /* the picture is broken, or is not what its head said */
	IMAGE_EXIT_FULL = 11,    /* there is no space for the result */
	IMAGE_EXIT_BROKEN =
	    12, /* the program is not there, or could not be shut in, or was called wrongly */
	IMAGE_EXIT_KILLED = 13, /* it took too much of something; seen by whoever waits only */
};

struct image_job {
	const char *program; /* the path of broadsheet-image */
	unsigned seconds;    /* of the processor */
	int64_t timeout_ms;  /* until it is killed, whatever it does */
	struct str bytes;
	const struct image_head *head;
	/* What is to be made, the largest first, and where to. The descriptors stay the caller's. */
	const struct media_size *sizes;
	const int *outs;
	size_t count; /* at most MEDIA_SIZES_MAX */
};

/* Runs it and waits. Safe in a process with threads: nothing of this one runs on the other side. */
enum image_exit image_child_run(const struct image_job *job);

#endif
