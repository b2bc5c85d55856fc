#ifndef CLI_POSTS_PEOPLE_H
#define CLI_POSTS_PEOPLE_H

#include "cli/posts.h"

/*
 * What posts that are imported lean on: their authors, their categories and their pictures. Who or what is
 * not in the table is made: an author as one who cannot sign in until `broadsheet user reset`, a category
 * with its slug for a name, a picture as its author's.
 */
struct needed {
	struct str slug, name;
	bool there;
};

struct needs {
	struct needed *all;
	size_t count;
};

struct people {
	struct invocation *in; /* whose arena holds it all */
	struct table *table;
	struct needs authors, categories;
	uint64_t pictures;
};

void people_begin(struct people *people, struct invocation *in, struct table *table);

/* Notes what the post leans on. */
void people_need(struct people *people, const struct post *post);

/* Finds out who and what is there already; people_make() makes the rest. */
enum outcome people_look(struct people *people);
enum outcome people_make(struct people *people);

/*
 * Calls the post's authors what they are called: in the table, where they are there; what the file says is for those
 * who have to be made. Once people_look() has looked.
 */
void people_name(const struct people *people, struct arena *arena, struct post *post);

/* Brings the post's pictures from the folder into the site's media directory, and notes them. */
enum outcome people_pictures(
    struct people *people, struct arena *arena, const char *folder, const struct post_file *file);

/* Says what was, or would be, made. */
void people_tell(const struct people *people, bool dry);

#endif
