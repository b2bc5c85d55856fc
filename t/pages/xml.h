#ifndef T_PAGES_XML_H
#define T_PAGES_XML_H

#include "base/str.h"

/*
 * Is it well-formed XML, as far as the program uses it: a declaration, one root, properly nested
 * elements, quoted and unique attributes, predefined entities, allowed characters? NULL, or what is
 * wrong; *at is where.
 */
const char *xml_error(struct str text, size_t *at);

#endif
