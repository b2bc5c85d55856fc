#ifndef SERVER_MEDIA_H
#define SERVER_MEDIA_H

#include "server/config.h"
#include "web/media/media_store.h"

/* The store of pictures that the settings name. The caller ends it with media_store_free(). */
struct media_store *media_open(const struct config *config, struct arena *arena);

#endif
