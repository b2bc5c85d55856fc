/* In place of mail_smtp.c when libcurl is missing. */
#include "web/mail/mail.h"

const bool mail_available = false;

const char *
mail_smtp(const struct mail_transport *t, const struct mail *mail, struct arena *arena)
{
	(void)t;
	(void)mail;
	(void)arena;
	return "this broadsheet was built without libcurl";
}
