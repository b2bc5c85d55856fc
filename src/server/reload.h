#ifndef SERVER_RELOAD_H
#define SERVER_RELOAD_H

#include <signal.h>

/*
 * A SIGHUP that was queued with this value is answered: by one of these to its sender, when the new worker is ready or
 * when it has failed. One that was sent by kill is not.
 */
enum { RELOAD_ANSWERED = 0x6272 };
#define RELOAD_DONE SIGUSR1
#define RELOAD_FAILED SIGUSR2

#endif
