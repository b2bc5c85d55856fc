#ifndef MODEL_POST_POST_FIELDS_H
#define MODEL_POST_POST_FIELDS_H

#include "model/post/post.h"

/*
 * The fields of a post, each declared once: its binding says where it lies and whether people write it, its row in
 * post_fields[] what it is called elsewhere. From these two follow what a revision keeps and gives back, what is
 * compared, what the form of writing is filled with and what a draft takes from it, and what a file has and in which
 * order.
 *
 * What is forgotten is told at start: a binding that people write without a row and a row without a binding by
 * post_fields_flaw(), an input without a field and a field without an input by write_form_flaw().
 */
struct post_field {
	const char *attribute; /* of the head or the body; NULL: only files have it */
	const char *key;       /* in the front matter of a file */
	const char
	    *input;     /* of the form; NULL: as the key where people write it, else it has none */
	unsigned kinds; /* bits of the kinds of posts that have it; 0: all */
	const char *with; /* it is compared in one text with the field of this key */
	const char
	    *before; /* it is compared before the field of this key, not where its row stands */
	bool once;   /* chosen when the post is begun: no input changes it */
};

extern const struct binding_table post_head_bindings, post_body_bindings;

/* In the order in which files have them. */
extern const struct post_field post_fields[];
extern const size_t post_field_count;

/* The field of that key, or NULL. */
const struct post_field *post_field(struct str key);

bool post_field_is(const struct post_field *field, const char *key);

/* Does a post of this kind have it? */
bool post_field_of(const struct post_field *field, enum post_kind kind);

/* And none of another? */
bool post_field_only_of(const struct post_field *field, enum post_kind kind);

/* How it is bound, in the head or the body; NULL: only files have it. */
const struct binding *post_field_binding(const struct post_field *field);
bool post_field_in_body(const struct post_field *field);

/* Do people write it, so that revisions keep it? */
bool post_field_written(const struct post_field *field);

/* The name of its input in the form of writing; NULL: it has none. */
const char *post_field_input(const struct post_field *field);

/* The member that is bound: in which struct, and where. The field is bound. */
const void *post_field_value(
    const struct post_field *field, const struct post *post, const struct post_body *body);
void *post_field_member(const struct post_field *field, struct post *post, struct post_body *body);

/*
 * Makes the head of a post say what another one says: all that people write of it but its kind and its address, which stay.
 * Strings are not copied.
 */
void post_take_written(const struct post *from, struct post *to);

/* What is wrong with the declarations, in the arena; NULL: nothing. */
const char *post_fields_flaw(struct arena *arena);

#endif
