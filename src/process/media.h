#ifndef PROCESS_MEDIA_H
#define PROCESS_MEDIA_H

#include "process/config.h"
#include "web/media_store.h"

/* The store of pictures that the settings name. The caller ends it with media_store_free(). */
struct media_store *media_open(const struct config *config, struct arena *arena);

#endif
