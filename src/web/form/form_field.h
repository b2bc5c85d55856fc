#ifndef WEB_FORM_FORM_FIELD_H
#define WEB_FORM_FORM_FIELD_H

#include "web/form/form.h"

/*
 * One field of a form: from the inputs that were sent under its name to a typed value. For form.c.
 *
 * Writes the value to `out`, which is zero and of the kind's type. NULL when all is well, else the
 * sentence that says what is wrong; then what `out` holds means nothing.
 */
const char *field_read(struct arena *arena, const struct field *field, const struct part *inputs,
    size_t count, void *out);

/* How many bytes a browser sends for it at most, its name and what parts it from the next one included. */
size_t field_bytes_max(const struct field *field);

/* How many bytes the kind's type has. */
size_t field_size(enum field_kind kind);

#endif
