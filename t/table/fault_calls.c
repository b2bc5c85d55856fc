/*
 * The calls are replaced by way of SQLite's own table of them (xSetSystemCall). It holds neither fsync nor
 * fdatasync; those are defined here, and the linker takes the program's in place of the C library's.
 */
#include "fault_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What is armed. The replaced calls have no context, so it is the program's. */
static struct {
	pthread_mutex_t lock;
	enum fault_calls which;
	int error;
	unsigned left, struck;
	unsigned again; /* after a failure: how many calls to the next; 0: no next one */
	unsigned memory_left;
	sqlite3_mem_methods memory;
} faults = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Is it this call's turn to fail? */
static bool
strike(enum fault_calls kind)
{
	bool strikes = false;
	int error;

	pthread_mutex_lock(&faults.lock);
	if (faults.left != 0 &&
	    (faults.which == kind || (faults.which == FAULT_ANY && kind != FAULT_LOCK)))
		strikes = --faults.left == 0;
	if (strikes) {
		faults.left = faults.again;
		faults.struck++;
	}
	error = faults.error;
	pthread_mutex_unlock(&faults.lock);
	if (strikes)
		errno = error;
	return strikes;
}

static void
arm(enum fault_calls which, int error, unsigned n, unsigned again)
{
	pthread_mutex_lock(&faults.lock);
	faults.which = which;
	faults.error = error;
	faults.left = n;
	faults.again = again;
	faults.struck = 0;
	pthread_mutex_unlock(&faults.lock);
}

void
faults_arm(enum fault_calls which, int error, unsigned n, bool on)
{
	arm(which, error, n, on ? 1 : 0);
}

void
faults_arm_every(enum fault_calls which, int error, unsigned n)
{
	arm(which, error, n, n);
}

unsigned
faults_disarm(void)
{
	unsigned struck;

	pthread_mutex_lock(&faults.lock);
	faults.left = 0;
	struck = faults.struck;
	pthread_mutex_unlock(&faults.lock);
	return struck;
}

/* --- The calls ------------------------------------------------------------------------------------ */

static int
faulty_open(const char *path, int flags, int mode)
{
	return strike(FAULT_ANY) ? -1 : open(path, flags, mode);
}

static int
faulty_fstat(int fd, struct stat *st)
{
	return strike(FAULT_ANY) ? -1 : fstat(fd, st);
}

static int
faulty_stat(const char *path, struct stat *st)
{
	return strike(FAULT_ANY) ? -1 : stat(path, st);
}

static int
faulty_ftruncate(int fd, off_t size)
{
	return strike(FAULT_WRITE) ? -1 : ftruncate(fd, size);
}

/* Taking a lock may fail; giving it back is nothing that a system refuses. */
static int
faulty_fcntl(int fd, int command, ...)
{
	va_list args;
	void *argument;

	va_start(args, command);
	argument = va_arg(args, void *);
	va_end(args);
	if (command == F_SETLK && ((struct flock *)argument)->l_type != F_UNLCK &&
	    strike(FAULT_LOCK))
		return -1;
	return fcntl(fd, command, argument);
}

static ssize_t
faulty_read(int fd, void *bytes, size_t size)
{
	return strike(FAULT_ANY) ? -1 : read(fd, bytes, size);
}

static ssize_t
faulty_pread(int fd, void *bytes, size_t size, off_t at)
{
	return strike(FAULT_ANY) ? -1 : pread(fd, bytes, size, at);
}

static ssize_t
faulty_write(int fd, const void *bytes, size_t size)
{
	return strike(FAULT_WRITE) ? -1 : write(fd, bytes, size);
}

/* A disk that fills up takes the first half. */
static ssize_t
faulty_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	if (!strike(FAULT_WRITE))
		return pwrite(fd, bytes, size, at);
	if (faults.error == ENOSPC && size > 1 && pwrite(fd, bytes, size / 2, at) < 0)
		return -1;
	errno = faults.error;
	return -1;
}

static int
faulty_fallocate(int fd, off_t at, off_t size)
{
	return strike(FAULT_WRITE) ? faults.error : posix_fallocate(fd, at, size);
}

static int
faulty_unlink(const char *path)
{
	return strike(FAULT_ANY) ? -1 : unlink(path);
}

static void *
faulty_mmap(void *base, size_t size, int protection, int flags, int fd, off_t at)
{
	return strike(FAULT_ANY) ? MAP_FAILED : mmap(base, size, protection, flags, fd, at);
}

/* Declared by unistd.h, defined here for SQLite. */
int
fsync(int fd)
{
	return strike(FAULT_SYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int
fdatasync(int fd)
{
	return strike(FAULT_SYNC) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

/* --- Memory ---------------------------------------------------------------------------------------- */

void
faults_arm_memory(unsigned n)
{
	faults.memory_left = n;
}

static bool
memory_strikes(void)
{
	if (faults.memory_left > 1)
		faults.memory_left--;
	else if (faults.memory_left == 1)
		return true;
	return false;
}

static void *
faulty_malloc(int size)
{
	return memory_strikes() ? NULL : faults.memory.xMalloc(size);
}

static void *
faulty_realloc(void *old, int size)
{
	return memory_strikes() ? NULL : faults.memory.xRealloc(old, size);
}

/* --- Putting them in place -------------------------------------------------------------------------- */

void
faults_install(void)
{
	static const struct {
		const char *name;
		sqlite3_syscall_ptr call;
	} calls[] = {
	    {"open", (sqlite3_syscall_ptr)faulty_open},
	    {"stat", (sqlite3_syscall_ptr)faulty_stat},
	    {"fstat", (sqlite3_syscall_ptr)faulty_fstat},
	    {"ftruncate", (sqlite3_syscall_ptr)faulty_ftruncate},
	    {"fcntl", (sqlite3_syscall_ptr)faulty_fcntl},
	    {"read", (sqlite3_syscall_ptr)faulty_read},
	    {"pread", (sqlite3_syscall_ptr)faulty_pread},
	    {"pread64", (sqlite3_syscall_ptr)faulty_pread},
	    {"write", (sqlite3_syscall_ptr)faulty_write},
	    {"pwrite", (sqlite3_syscall_ptr)faulty_pwrite},
	    {"pwrite64", (sqlite3_syscall_ptr)faulty_pwrite},
	    {"fallocate", (sqlite3_syscall_ptr)faulty_fallocate},
	    {"unlink", (sqlite3_syscall_ptr)faulty_unlink},
	    {"mmap", (sqlite3_syscall_ptr)faulty_mmap},
	};
	sqlite3_mem_methods methods;
	sqlite3_vfs *vfs;

	sqlite3_config(SQLITE_CONFIG_GETMALLOC, &faults.memory);
	methods = faults.memory;
	methods.xMalloc = faulty_malloc;
	methods.xRealloc = faulty_realloc;
	sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
	sqlite3_initialize();
	vfs = sqlite3_vfs_find("unix");
	/* A call that this build of SQLite does not make is no harm. */
	for (size_t i = 0; vfs != NULL && i < sizeof(calls) / sizeof(calls[0]); i++)
		vfs->xSetSystemCall(vfs, calls[i].name, calls[i].call);
}
