#ifndef T_TABLE_BAD_NETWORK_H
#define T_TABLE_BAD_NETWORK_H

#include "child.h"

/*
 * The server that behaves as badly as a network, t/fault/dynamodb.js, in front of the one that the environment names;
 * from then on the environment names this one. With TEST_TLS, a folder that has localhost.pem, a certificate for that
 * name, and localhost.key, it speaks TLS. A test program that can't have it ends here, skipped.
 */
void bad_network_begin(struct child *server);

/* Tells it a line, such as "fault stall 100". The test ends where it does not obey. */
void bad_network_tell(struct child *server, const char *line);

/* The same for a line whose answer is a number. */
int bad_network_number(struct child *server, const char *line);

#endif
