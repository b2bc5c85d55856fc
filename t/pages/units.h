#ifndef T_PAGES_UNITS_H
#define T_PAGES_UNITS_H

#include "browser.h"

/*
 * What docs/costs.md is measured with: for each row of the table of routes one use of it, or several when its form has
 * several buttons. They come in the order of the routes, and each depends on what the ones before it did.
 *
 * A row needs no sample when its address is its pattern, with the values of `captures`, when a stranger, or an admin
 * where somebody must be signed in, may come there, and when its form, if it is one, stands at its own address and is
 * sent as it stands.
 */
enum { SAMPLE_FIELDS = 12 };

struct sample {
	const char *route;   /* as the document names it */
	const char *who;     /* NULL: a stranger or an admin, whoever may */
	const char *address; /* NULL: the pattern's own */
	const char *page;    /* of a POST: the page with its form; NULL: its own address */
	/* What is filled into that form: names and values, to NULL. */
	const char *fields[SAMPLE_FIELDS];
	const char *button;                 /* of a form with several: the value of `do` */
	void (*prepare)(struct browser *b); /* what has to be there first */
	enum http_status (*send)(
	    struct browser *b); /* in place of all that; its last request counts */
};

extern const struct sample samples[];
extern const size_t sample_count;

/* The value for a captured segment; the segment itself when it is not a capture. */
struct str sample_capture(struct str segment);

/* What the samples need besides the seed; the other takes away what they left outside of the table. */
void samples_open(struct seeded *s);
void samples_close(struct seeded *s);

#endif
