/* A thread that gets no signals, and times in the future. */
#include "lib/tap.h"

#include "base/thread.h"

#include <signal.h>

static void *
look(void *context)
{
	bool *blocked = context;
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	*blocked = sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGHUP) == 1 &&
		   sigismember(&mask, SIGUSR2) == 1;
	return NULL;
}

static void
starting(void)
{
	bool blocked = false;
	pthread_t thread;
	sigset_t before, after;

	pthread_sigmask(SIG_SETMASK, NULL, &before);
	if (thread_start(&thread, look, &blocked) != 0)
		bail_out("no thread");
	pthread_join(thread, NULL);
	ok(blocked, "a thread blocks all signals");
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	ok(sigismember(&before, SIGTERM) == sigismember(&after, SIGTERM),
	    "whoever started it gets those that they got before");
}

static int64_t
nanoseconds(struct timespec time)
{
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void
deadlines(void)
{
	static const int64_t waits[] = {0, 1, 999, 1000, 1001, 86400999};

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		int64_t least = nanoseconds(thread_deadline(0)) + waits[i] * 1000000;
		struct timespec time = thread_deadline(waits[i]);
		int64_t most = nanoseconds(thread_deadline(0)) + waits[i] * 1000000;

		ok(nanoseconds(time) >= least && nanoseconds(time) <= most && time.tv_nsec >= 0 &&
			time.tv_nsec < 1000000000,
		    "in %lld ms", (long long)waits[i]);
	}
}

int
main(void)
{
	starting();
	deadlines();
	return tap_done();
}
