#include "image/confine.h"

#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum { MEMORY = 1024 * 1024 * 1024, FILE_SIZE = 64 * 1024 * 1024 };

static bool
limit(int resource, rlim_t most)
{
	const struct rlimit both = {most, most};

	return setrlimit((__rlimit_resource_t)resource, &both) == 0;
}

static bool
limit_resources(unsigned seconds)
{
	return limit(RLIMIT_AS, MEMORY) && limit(RLIMIT_CPU, seconds) &&
	       limit(RLIMIT_FSIZE, FILE_SIZE) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, 0) &&
	       limit(RLIMIT_NPROC, 0);
}

/*
 * Allows what malloc() and stdio need, reading, writing and exiting. Anything else kills the
 * process.
 */
static bool
limit_calls(void)
{
	static const int calls[] = {SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(lseek),
	    SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(munmap), SCMP_SYS(mremap),
	    SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(exit), SCMP_SYS(exit_group),
	    SCMP_SYS(rt_sigreturn)};
	const struct scmp_arg_cmp not_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	bool good = filter != NULL;

	for (size_t i = 0; good && i < sizeof(calls) / sizeof(calls[0]); i++)
		good = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0) == 0;
	good = good && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, not_code) == 0 &&
	       seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, not_code) == 0 &&
	       seccomp_load(filter) == 0;
	seccomp_release(filter);
	return good;
}

bool
confine(unsigned seconds)
{
	/* It is killed when the server ends, for whatever reason. */
	return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && prctl(PR_SET_DUMPABLE, 0) == 0 &&
	       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && limit_resources(seconds) &&
	       limit_calls();
}
