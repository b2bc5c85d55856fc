#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/*
 * Ctrl-C and similar signals, deferred while something has to be cleaned up first. The signal stays
 * pending: long work asks for it, cleans up, and interrupt_release() lets it end the program.
 */
void interrupt_hold(void);
bool interrupted(void);
void interrupt_release(void);

/* Defers SIGUSR1 as well, for who waits for it. */
void interrupt_hold_word(void);

/* Waits for one of them, or for the word, which then is no longer pending. True: it was the word. Both are held. */
bool interrupt_wait(void);

#endif
