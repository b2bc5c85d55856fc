#ifndef T_TABLE_BAD_NETWORK_H
#define T_TABLE_BAD_NETWORK_H

#include "child.h"

/*
 * Starts the server that misbehaves like a network, t/fault/dynamodb.js, in front of the one that
 * the environment names; from then on the environment names this one. With TEST_TLS, a folder that
 * has localhost.pem, a certificate for that name, and localhost.key, it uses TLS. Without the
 * server the test program ends here, skipped.
 */
void bad_network_begin(struct child *server);

/* Sends it a line, such as "fault stall 100". The test ends if it does not obey. */
void bad_network_tell(struct child *server, const char *line);

/* The same for a line whose answer is a number. */
int bad_network_number(struct child *server, const char *line);

/*
 * How many times as long as on an idle machine everything takes now, as a piece of work of our own does; at least what
 * it was before, at first 1.
 */
double bad_network_slowness(double before);

#endif
