#ifndef T_PAGES_SUBMIT_H
#define T_PAGES_SUBMIT_H

#include "browser.h"

/*
 * Sends the form `action` of a page as a browser would: all of its fields as they stand there, but for the pairs of
 * names and values that are filled in, to NULL. Where the page has no such form, its button alone. What is asked once
 * more, whether one is sure, is answered with yes. The page is fetched twice, so that it is no longer the one which
 * reads what all pages share.
 */
enum http_status submit_form(
    struct browser *b, const char *page, const char *action, const char *const *fields);

#endif
