#include "server/notify.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

void
notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char message[128];
	struct timespec now;
	int fd, len;

	if (path == NULL || path[0] == '\0' || strlen(path) >= sizeof(address.sun_path))
		return;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	memcpy(address.sun_path, path, strlen(path));
	/* An address that begins with @ is in the abstract name space: a NUL and no file. */
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	/* systemd tells an old message from a new one by the time, and wants it for a reload. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	len = snprintf(message, sizeof(message), "%s\nMONOTONIC_USEC=%" PRId64, state,
	    (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000);
	/* A manager that doesn't listen is no reason to fail. */
	(void)!sendto(fd, message, (size_t)len, MSG_NOSIGNAL, (const struct sockaddr *)&address,
	    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path)));
	close(fd);
}
