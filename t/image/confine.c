/* What broadsheet-image may do once it is confined: only compute, within limits. */
#include "image/confine.h"

#include "lib/tap.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool
compute(void)
{
	return write(1, "", 0) == 0;
}

static bool
take_memory(void)
{
	void *got =
	    mmap(NULL, (size_t)2 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return got == MAP_FAILED;
}

static bool
open_a_file(void)
{
	return open("/etc/passwd", O_RDONLY) >= 0;
}

static bool
make_a_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool
make_a_process(void)
{
	return syscall(SYS_fork) >= 0;
}

static bool
become_another_program(void)
{
	char *const arguments[] = {NULL};

	return execve("/bin/true", arguments, arguments) == 0;
}

static bool
map_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
	       MAP_FAILED;
}

static bool
make_code(void)
{
	return mprotect((void *)((uintptr_t)&tap & ~(uintptr_t)4095), 4096,
		   PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
}

static bool
end_another(void)
{
	return kill(getppid(), 0) == 0;
}

static bool
run_for_ever(void)
{
	volatile bool for_ever = true;

	while (for_ever)
		continue;
	return true;
}

static const struct {
	const char *says;
	bool (*what)(void);
	int signal; /* 0: it may */
} table[] = {
    {"it may write to what it was handed", compute, 0},
    {"it gets no more than a gibibyte of memory", take_memory, 0},
    {"it opens no file", open_a_file, SIGSYS},
    {"it makes no socket", make_a_socket, SIGSYS},
    {"it makes no process", make_a_process, SIGSYS},
    {"it does not become another program", become_another_program, SIGSYS},
    {"it maps no code", map_code, SIGSYS},
    {"it makes no data into code", make_code, SIGSYS},
    {"it ends nobody else", end_another, SIGSYS},
    {"it does not compute for ever", run_for_ever, SIGKILL},
};

int
main(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		pid_t pid = fork();
		int status = 0;

		if (pid == 0)
			_exit(!confine(1) ? 2 : table[i].what() ? 0 : 1);
		waitpid(pid, &status, 0);
		if (table[i].signal == 0)
			ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s", table[i].says);
		else if (table[i].signal == SIGKILL)
			ok(WIFSIGNALED(status), "%s", table[i].says);
		else
			ok(WIFSIGNALED(status) && WTERMSIG(status) == table[i].signal, "%s",
			    table[i].says);
	}
	return tap_done();
}
