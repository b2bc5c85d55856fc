#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/*
 * Ctrl-C and its kin, held back while something has to be tidied up first. The signal stays pending: who
 * works asks for it, tidies up, and interrupt_release() lets it end the program as it would have.
 */
void interrupt_hold(void);
bool interrupted(void);
void interrupt_release(void);

#endif
