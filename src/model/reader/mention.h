#ifndef MODEL_READER_MENTION_H
#define MODEL_READER_MENTION_H

#include "model/bind.h"
#include "table/table.h"

/*
 * Who is named in a text with "@". Names are looked up when the text is written, in the trip of what it is about, and its
 * item says who is named (Mentions). So pages render it without a look-up, and whoever tells people that they were named
 * finds them there.
 */
enum { MENTIONS_READ = 50 };

/*
 * The read of these people, in a text of `by`. What is more than MENTIONS_READ of them is not read, and named by nobody.
 * False: there is nobody to read.
 */
bool mention_read(struct arena *arena, struct str by, struct strings_value names, struct read *out);

/* Those of them whose page everybody may see, and who have not blocked who writes. `answer` may be NULL. */
struct strings_value mention_take(struct arena *arena, const struct read *answer);

#endif
