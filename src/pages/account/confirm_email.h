#ifndef PAGES_ACCOUNT_CONFIRM_EMAIL_H
#define PAGES_ACCOUNT_CONFIRM_EMAIL_H

#include "web/http/dispatch.h"

/*
 * Where mail is set up, an e-mail address is confirmed before it counts: asks for the letter with the link, or, where
 * the address is another account's, for one that tells its owner that somebody tried. Which of the two, nobody who
 * named it learns. What can't be sent is logged; whoever named it can do so again.
 */
void confirm_email_letter(
    struct request *rq, struct str username, struct str email, struct str code);

#endif
