#ifndef T_PAGES_XML_H
#define T_PAGES_XML_H

#include "base/str.h"

/*
 * Is it well-formed XML, as far as the program's own files go: a declaration, one root, elements that close in
 * their order, quoted attributes that no element has twice, references that XML itself knows, characters that
 * it allows? NULL, or a phrase; *at is where.
 */
const char *xml_error(struct str text, size_t *at);

#endif
