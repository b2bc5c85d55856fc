#ifndef PAGES_ACCOUNT_CONFIRM_EMAIL_H
#define PAGES_ACCOUNT_CONFIRM_EMAIL_H

#include "web/http/dispatch.h"

/*
 * With mail, an e-mail address is confirmed before it is valid: requests the letter with the link,
 * or, if the address is another account's, one that tells its owner about the attempt. Whoever
 * entered it can't find out which of the two. Failures to send are logged; the letter can be
 * requested again.
 */
void confirm_email_letter(
    struct request *rq, struct str username, struct str email, struct str code);

#endif
