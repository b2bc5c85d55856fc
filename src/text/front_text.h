#ifndef TEXT_FRONT_TEXT_H
#define TEXT_FRONT_TEXT_H

#include "base/buf.h"

/*
 * Single texts of a front matter as they are written in a file: plain, quoted, or as a block of lines. Of
 * the functions that can fail, each returns NULL or why, as a static phrase.
 */

/*
 * Takes a text from the beginning of *rest, which moves behind it and the white space there. Within a
 * list in brackets a plain text ends at its comma or bracket; elsewhere with the line or at " #".
 */
const char *front_text_take(struct arena *arena, struct str *rest, bool in_list, struct str *out);

/* Is there nothing, or a comment? */
bool front_is_end(struct str rest);

/* Does the text mean itself when it stands there without quotes? */
bool front_is_plain(struct str text, bool in_list);

/* Can it be a block of lines? */
bool front_is_block(struct str text);

/* A block, line by line: begin with its header ("|-"), then each line as it is in the file. */
struct front_block {
	struct arena *arena;
	size_t indent; /* of its lines; 0 until the first that is not blank */
	bool folded;   /* ">": line ends are spaces */
	char chomp;    /* '-': no line end at the end; '+': all; 0: one */
	struct buf out;
	size_t ends; /* line ends that wait for what follows */
	bool spaced; /* the last line began with white space: it is not folded */
};
const char *front_block_begin(struct front_block *block, struct str header);
void front_block_line(struct front_block *block, struct str line);
struct str front_block_end(struct front_block *block);

#endif
