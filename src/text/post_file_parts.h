#ifndef TEXT_POST_FILE_PARTS_H
#define TEXT_POST_FILE_PARTS_H

#include "model/post/post_fields.h"
#include "text/post_file.h"

/* How a field of a post is written into a file and read from it. Only for post_file.c. */
struct part_type {
	/* Writes it, key and all; nothing when there is nothing to say. */
	void (*write)(
	    const struct post_field *field, const struct post_file *file, struct buf *out);
	/* Takes it. NULL, or a phrase: what it should be. */
	const char *(*read)(struct arena *arena, const struct post_field *field,
	    const struct front_value *value, struct post_file *file);
};

/* NULL: nobody has said how. */
const struct part_type *part_type(const struct post_field *field);

#endif
