#ifndef T_TABLE_FAULT_CALLS_H
#define T_TABLE_FAULT_CALLS_H

#include <stdbool.h>

/*
 * Makes SQLite's system calls fail: the n-th from now, or that and all after it, or every n-th. For
 * the whole program, because that is what SQLite's table of system calls is for; calls may come
 * from many threads, arming from one.
 */
enum fault_calls {
	FAULT_ANY, /* any call of these but locks, for which SQLite waits as if they were taken */
	FAULT_LOCK,
	FAULT_WRITE, /* those that need space on a disk */
	FAULT_SYNC,  /* fsync and fdatasync */
};

/* Once, before SQLite is used. */
void faults_install(void);

/* From now on the n-th call of the kind fails with this errno; `on`: all later ones too. */
void faults_arm(enum fault_calls which, int error, unsigned n, bool on);

/* From now on every n-th call of the kind fails. */
void faults_arm_every(enum fault_calls which, int error, unsigned n);

/* No call fails any more; how many did. */
unsigned faults_disarm(void);

/* The same for SQLite's allocations: the n-th from now fails, and all after it. 0: none. */
void faults_arm_memory(unsigned n);

#endif
