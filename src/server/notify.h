#ifndef SERVER_NOTIFY_H
#define SERVER_NOTIFY_H

/*
 * Tells systemd the state of the service, if it asks for that (NOTIFY_SOCKET): "READY=1",
 * "RELOADING=1", "STOPPING=1". Does nothing otherwise.
 */
void notify(const char *state);

#endif
