#ifndef MODEL_POST_POST_FIELDS_H
#define MODEL_POST_POST_FIELDS_H

#include "model/post/post.h"

/*
 * The fields of a post, each declared once. A field's binding says where it is stored and whether people write it; its
 * row in post_fields[] says what it is called elsewhere. Revisions, comparisons, the form, drafts and files are derived
 * from these two.
 *
 * An incomplete declaration is reported at start: post_fields_error() finds a binding without a row and a row without a
 * binding, write_form_error() a field without an input and an input without a field.
 */
struct post_field {
	const char *attribute; /* of the head or the body; NULL: only files have it */
	const char *key;       /* in the front matter of a file */
	const char *input;     /* in the form; NULL: the key if people write it, else none */
	unsigned kinds;        /* bits of the kinds of posts that have it; 0: all */
	const char *with;      /* comparisons show it in one text with the field of this key */
	const char *before;    /* comparisons show it before the field of this key */
	bool once;             /* chosen when the post is created; the form can't change it */
};

extern const struct binding_table post_head_bindings, post_body_bindings;

/* In the order in which a file contains them. */
extern const struct post_field post_fields[];
extern const size_t post_field_count;

/* The field of that key, or NULL. */
const struct post_field *post_field(struct str key);

bool post_field_is(const struct post_field *field, const char *key);

/* Does a post of this kind have it? */
bool post_field_of(const struct post_field *field, enum post_kind kind);

/* Do only posts of this kind have it? */
bool post_field_only_of(const struct post_field *field, enum post_kind kind);

/* Its binding, in the head or the body; NULL: only files have it. */
const struct binding *post_field_binding(const struct post_field *field);
bool post_field_in_body(const struct post_field *field);

/* Do people write it, so that revisions keep it? */
bool post_field_written(const struct post_field *field);

/* The name of its input in the editor's form; NULL: it has none. */
const char *post_field_input(const struct post_field *field);

/* The member in which it is, of the head or the body. The field must have a binding. */
const void *post_field_value(
    const struct post_field *field, const struct post *post, const struct post_body *body);
void *post_field_member(const struct post_field *field, struct post *post, struct post_body *body);

/*
 * Copies what people write, from the head of one post to that of another, except its kind and slug. What it points to
 * is not copied.
 */
void post_take_written(const struct post *from, struct post *to);

/* What is wrong with the declarations, as a sentence in the arena; NULL: nothing. */
const char *post_fields_error(struct arena *arena);

#endif
