#include "table/retry.h"

#include "base/clock.h"

#include <time.h>

enum { PAUSE_MS = 50, PAUSE_MAX_MS = 5000, DOUBLED_MAX = 7, LASTS_MS = 60 * 1000 };

static bool
passing(enum table_rc rc)
{
	return rc == TABLE_THROTTLED || rc == TABLE_DEADLINE || rc == TABLE_CONFLICT ||
	       rc == TABLE_UNAVAILABLE;
}

static int64_t
pause_of(unsigned tries)
{
	int64_t ms = (int64_t)PAUSE_MS << (tries < DOUBLED_MAX ? tries : DOUBLED_MAX);

	return ms < PAUSE_MAX_MS ? ms : PAUSE_MAX_MS;
}

bool
retry_again(struct retry *retry, enum table_rc rc)
{
	struct clock clock = clock_system();
	int64_t ms, now;

	if (!passing(rc))
		return false;
	now = clock_monotonic(&clock);
	if (retry->until == 0)
		retry->until = now + LASTS_MS;
	if (now >= retry->until)
		return false;
	ms = pause_of(++retry->tries);
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
	return true;
}
