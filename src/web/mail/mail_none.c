/* In place of mail_smtp.c when libcurl is missing. */
#include "web/mail/mail.h"

const bool mail_available = false;

const char *
mail_smtp(const struct mail_transport *t, const struct mail *mail, struct arena *arena)
{
	(void)t;
	(void)arena;
	if (mail->watch != NULL)
		mail->watch->end = MAIL_DOWN;
	return "this broadsheet was built without libcurl";
}

void
mail_hang_up(struct mail_watch *watch)
{
	(void)watch;
}
