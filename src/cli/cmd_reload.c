/*
 * broadsheet reload PID: asks a server to load new settings and templates, and waits until it has
 * succeeded or failed. With SIGHUP alone the sender would not learn the result.
 */
#include "cli/commands.h"

#include "server/reload.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TIMEOUT_S = 80 }; /* systemd's is 90 */

/*
 * The server replies with a signal, and may not send one to a process of root: so this becomes the
 * server's user.
 */
static bool
become_owner(int64_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%lld", (long long)pid);
	if (geteuid() != 0 || stat(path, &st) != 0 || st.st_uid == 0)
		return true;
	return setgid(st.st_gid) == 0 && setuid(st.st_uid) == 0;
}

enum outcome
cmd_reload(struct invocation *in)
{
	const struct timespec timeout = {.tv_sec = TIMEOUT_S};
	const union sigval value = {.sival_int = RELOAD_ANSWERED};
	sigset_t answers;
	siginfo_t info;
	int64_t pid;
	int signal;

	if (!str_int(str_of(in->arguments[0]), &pid) || pid <= 1 || pid > INT32_MAX) {
		complain("reload: \"%s\" is no process", in->arguments[0]);
		return OUTCOME_USAGE;
	}
	sigemptyset(&answers);
	sigaddset(&answers, RELOAD_DONE);
	sigaddset(&answers, RELOAD_FAILED);
	sigprocmask(SIG_BLOCK, &answers, NULL);
	if (!become_owner(pid) || sigqueue((pid_t)pid, SIGHUP, value) != 0) {
		complain("reload: process %lld: %s", (long long)pid, strerror(errno));
		return OUTCOME_FAILED;
	}
	do
		signal = sigtimedwait(&answers, &info, &timeout);
	while ((signal < 0 && errno == EINTR) || (signal > 0 && info.si_pid != (pid_t)pid));
	if (signal == RELOAD_DONE)
		return OUTCOME_DONE;
	complain(signal == RELOAD_FAILED
		     ? "reload: the new worker could not start, and the old one "
		       "goes on; the server's log says why"
		     : "reload: the server has not answered");
	return OUTCOME_FAILED;
}
