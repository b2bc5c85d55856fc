#ifndef T_PAGES_SUBMIT_H
#define T_PAGES_SUBMIT_H

#include "browser.h"

/*
 * Sends the form `action` of a page as a browser would: all of its fields unchanged, except for the
 * given pairs of names and values, to NULL. If the page has no such form, only its button. A
 * confirmation is answered with yes. The page is fetched twice, so that it is not the one which
 * reads the publication.
 */
enum http_status submit_form(
    struct browser *b, const char *page, const char *action, const char *const *fields);

#endif
