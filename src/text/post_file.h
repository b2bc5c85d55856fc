#ifndef TEXT_POST_FILE_H
#define TEXT_POST_FILE_H

#include "model/post/post.h"
#include "text/front_matter.h"

/*
 * A post as a file: what is known of it as front matter, then its Markdown. docs/posts.md describes it
 * for those who write such files by hand.
 *
 * post_file_write() puts down all that was written, and nothing that the table counts or renders; what it
 * wrote is read back as it was, and written again it is the same, byte for byte.
 */
/* What a file says in other programs' words, `draft` and `published: false`. */
enum post_file_word { WORD_NONE, WORD_HIDDEN, WORD_SHOWN };

struct post_file {
	struct post post;
	struct post_body body;          /* not rendered */
	struct strings_value old_slugs; /* addresses that lead to it, beside its id and its slug */
	enum post_file_word word;
	uint64_t given; /* which parts the file had */
};

void post_file_write(const struct post_file *file, struct buf *out);

/* Which field of a post nobody has said how to write into a file, in the arena; NULL: none. */
const char *post_file_error(struct arena *arena);

/*
 * Reads a file. `name` is its own, without ".md": the slug, where the file says no other. False, and why
 * and in which line, for what is no post. All is in the arena or points into `text`.
 */
bool post_file_read(struct arena *arena, struct str name, struct str text, struct post_file *out,
    struct front_fault *fault);

/* Did the file have this key? */
bool post_file_gives(const struct post_file *file, const char *key);

/*
 * Of what a file need not say (who wrote it, when, in which state it is), gives it what the stored post
 * has, where it did not.
 */
void post_file_keep(struct post_file *file, const struct post_file *stored);

/* And where there is none: published at `published` if a time says so, else a draft; public; made now. */
void post_file_settle(struct post_file *file, struct str author, int64_t now);

#endif
