#ifndef SERVER_NOTIFY_H
#define SERVER_NOTIFY_H

/*
 * Tells systemd how the service is, when it asked to be told (NOTIFY_SOCKET): "READY=1",
 * "RELOADING=1", "STOPPING=1". Does nothing else, and nothing when nobody asked.
 */
void notify(const char *state);

#endif
