#include "mail_server.h"

#include "store.h"
#include "tap.h"

#include "base/arena.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PYTHON "/usr/bin/python3"

enum { LETTERS_MAX = 10000, STARTS_MAX = 6000, START_US = 10 * 1000 };

static struct sockaddr_in
loopback(uint16_t port)
{
	return (struct sockaddr_in){
	    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static uint16_t
free_port(void)
{
	struct sockaddr_in address = loopback(0);
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (struct sockaddr *)&address, len) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) != 0)
		bail_out("no port for a mail server");
	close(fd);
	return ntohs(address.sin_port);
}

static bool
answers(uint16_t port)
{
	struct sockaddr_in address = loopback(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool there = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;

	close(fd);
	return there;
}

bool
mail_server_start(struct mail_server *server)
{
	char at[32], box[sizeof(server->folder) + 8];

	if (system(PYTHON " -c 'import aiosmtpd' 2>/dev/null") != 0)
		return false;
	snprintf(server->folder, sizeof(server->folder), "%s/letters-XXXXXX", test_folder());
	if (mkdtemp(server->folder) == NULL)
		bail_out("no folder for letters");
	server->port = free_port();
	snprintf(at, sizeof(at), "127.0.0.1:%u", server->port);
	snprintf(box, sizeof(box), "%s/box", server->folder);
	fflush(NULL);
	server->pid = fork();
	if (server->pid == 0) {
		dup2(open("/dev/null", O_RDWR), STDIN_FILENO);
		execl(PYTHON, PYTHON, "-m", "aiosmtpd", "-n", "-l", at, "-c",
		    "aiosmtpd.handlers.Mailbox", box, NULL);
		_exit(127);
	}
	for (int i = 0; i < STARTS_MAX && !answers(server->port); i++)
		usleep(START_US);
	return true;
}

void
mail_server_stop(struct mail_server *server)
{
	char command[128];

	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
	snprintf(command, sizeof(command), "rm -rf '%s'", server->folder);
	if (system(command) != 0)
		printf("# %s stays\n", server->folder);
}

static struct str
read_file(struct arena *arena, int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	struct stat about;
	char *text;

	if (fd < 0 || fstat(fd, &about) != 0)
		bail_out("a letter can't be read");
	text = arena_alloc(arena, (size_t)about.st_size + 1);
	if (read(fd, text, (size_t)about.st_size) != about.st_size)
		bail_out("a letter can't be read");
	close(fd);
	return (struct str){text, (size_t)about.st_size};
}

size_t
mail_server_letters(const struct mail_server *server, struct arena *arena, struct str **out)
{
	char path[sizeof(server->folder) + 16];
	struct dirent *entry;
	size_t count = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "%s/box/new", server->folder);
	folder = opendir(path);
	*out = ARENA_ARRAY(arena, LETTERS_MAX, struct str);
	while (folder != NULL && (entry = readdir(folder)) != NULL && count < LETTERS_MAX)
		if (entry->d_name[0] != '.')
			(*out)[count++] = read_file(arena, dirfd(folder), entry->d_name);
	if (folder != NULL)
		closedir(folder);
	return count;
}
