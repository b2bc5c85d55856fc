#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static sigset_t
all(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&set, signals[i]);
	return set;
}

void
interrupt_hold(void)
{
	const sigset_t set = all();

	sigprocmask(SIG_BLOCK, &set, NULL);
}

void
interrupt_hold_word(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

bool
interrupted(void)
{
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigismember(&pending, signals[i]) == 1)
			return true;
	return false;
}

bool
interrupt_wait(void)
{
	sigset_t set = all();
	int signal;

	sigaddset(&set, SIGUSR1);
	sigwait(&set, &signal);
	return signal == SIGUSR1;
}

void
interrupt_release(void)
{
	const sigset_t set = all();

	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
