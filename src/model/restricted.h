#ifndef MODEL_RESTRICTED_H
#define MODEL_RESTRICTED_H

/*
 * Whether a thing is there for others: it waits for an editor, or the staff have hidden it. The rest of it, as why, is in an
 * item of its own (model/reader/restriction.h).
 */
enum restricted { RESTRICTED_NOT, RESTRICTED_HELD, RESTRICTED_HIDDEN };

/* "", "held", "hidden", as they are stored; ended by NULL. */
extern const char *const restricted_words[];

#endif
