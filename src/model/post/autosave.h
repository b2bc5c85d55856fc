#ifndef MODEL_POST_AUTOSAVE_H
#define MODEL_POST_AUTOSAVE_H

#include "model/post/post.h"
#include "table/table.h"

/*
 * An autosave: the inputs of a form that were not saved, separate from the post, valid or not, so
 * that all of it can be shown again. There is one for each author of a post, and one for each form
 * for a new post, so that two tabs do not overwrite each other; the next one of the same form does.
 * It is removed by the next save, or after 30 days.
 */
struct autosave {
	struct str username;
	struct str post; /* its id; empty: a new post of `kind` */
	enum post_kind kind;
	struct str
	    form; /* of a new post: the name of its form, "once"; that of the kind where it has none */
	int64_t version; /* of the post, when the writer began */
	int64_t saved;
	struct strings_value inputs; /* a name and its value in turn */
};

/* Its key, for reading it. */
struct key autosave_key(struct arena *arena, const struct autosave *autosave);

void autosave_from_item(struct arena *arena, const struct item *item, struct autosave *out);

/*
 * Says that there is an autosave of a stored post, in a few bytes among what is its writer's: so the desk tells of all of
 * them without reading one, nor knowing the posts first. It is written and removed with the autosave; older autosaves have
 * none, and are offered by the form alone.
 */
struct unsaved {
	struct str post, title; /* its id; what is typed as its title, or its first words */
	enum post_kind kind;
	int64_t saved;
};

void unsaved_from_item(struct arena *arena, const struct item *item, struct unsaved *out);

/*
 * The writes: in place of the one before; no more; and how many. They can be made apart (table_write_each()): what is said of an
 * autosave that is not there leads to the form as it is stored. `title` is that of struct unsaved; `now` says when.
 */
enum { AUTOSAVE_WRITES = 2 };
size_t autosave_put(struct arena *arena, const struct autosave *autosave, struct str title, int64_t now,
    struct write out[AUTOSAVE_WRITES]);
size_t autosave_drop(
    struct arena *arena, const struct autosave *autosave, struct write out[AUTOSAVE_WRITES]);

extern const struct binding_table autosave_bindings, unsaved_bindings;

#endif
