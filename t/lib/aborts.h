#ifndef T_LIB_ABORTS_H
#define T_LIB_ABORTS_H

#include "lib/tap.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Does it end a process by an assertion? It runs in a child. `whole`: assert_whole() is what finds
 * it; in builds without --enable-checks nothing does.
 */
static inline void
aborts(void (*breaks)(void *arg), void *arg, bool whole, const char *sentence)
{
	int status = 0;
	pid_t child;

#ifdef NDEBUG
	return;
#endif
#ifndef ENABLE_CHECKS
	if (whole)
		return;
#endif
	(void)whole;
	fflush(NULL);
	child = fork();
	if (child < 0)
		bail_out("no process");
	if (child == 0) {
		signal(SIGABRT, SIG_DFL);
		close(STDERR_FILENO);
		breaks(arg);
		_exit(0);
	}
	waitpid(child, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s", sentence);
}

#endif
