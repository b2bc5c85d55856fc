/* For bench/writers, which loads it before the program: a disk that takes 0.4 s to flush. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int
slowly(long call, int fd)
{
	const struct timespec pause = {.tv_nsec = 400000000};

	nanosleep(&pause, NULL);
	return (int)syscall(call, fd);
}

int
fdatasync(int fd)
{
	return slowly(SYS_fdatasync, fd);
}

int
fsync(int fd)
{
	return slowly(SYS_fsync, fd);
}
