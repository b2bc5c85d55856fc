#include "server/mail.h"

#include "base/arena.h"
#include "server/config.h"
#include "web/mail/mail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PASSWORD_BYTES_MAX = 1000 };

/* The first line of the file. */
static bool
read_password(const char *path, struct arena *arena, struct str *out, struct str *why)
{
	char *text = arena_alloc(arena, PASSWORD_BYTES_MAX);
	struct str rest;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, text, PASSWORD_BYTES_MAX) : -1;

	if (got < 0)
		*why = str_fmt(arena, "smtp-password-file: %s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (got < 0)
		return false;
	*out = str_dup(arena, str_cut((struct str){text, (size_t)got}, '\n', &rest));
	return true;
}

/* Without a sender of its own: one at the site's host, without its port. */
static struct str
usual_sender(const struct config *config, struct arena *arena)
{
	struct str rest, host = config->origin;

	host = str_sub(host, str_find(host, '/') + 2, host.len);
	return STR_CONCAT(arena, STR("noreply@"), str_cut(host, ':', &rest));
}

bool
mail_of(
    const struct config *config, struct arena *arena, struct mail_transport *out, struct str *why)
{
	*out = (struct mail_transport){
	    .send = mail_smtp,
	    .url = config->smtp_url,
	    .from = config->smtp_from.len != 0 ? config->smtp_from : usual_sender(config, arena),
	    .user = config->smtp_user,
	    .password = STR(""),
	};
	if (!mail_available) {
		*why = STR("smtp-url is set, but this broadsheet was built without libcurl");
		return false;
	}
	return config->smtp_password_file.len == 0 ||
	       read_password(config->smtp_password_file.base, arena, &out->password, why);
}
