#ifndef TABLE_DYNAMO_SOURCE_H
#define TABLE_DYNAMO_SOURCE_H

#include "table/dynamo/config.h"
#include "table/dynamo/profile.h"

/* The profile that counts: AWS_PROFILE, else `default`. */
struct str dynamo_profile_name(dynamo_environment *environment);

/* The text of a file of profiles, AWS_CONFIG_FILE or AWS_SHARED_CREDENTIALS_FILE; empty when there is none. */
struct str dynamo_profiles_read(
    struct arena *arena, dynamo_environment *environment, enum dynamo_profiles kind);

/*
 * Where credentials come from, all of it in the arena. False, *why a sentence that says what to do, when it is a
 * profile that wants what nobody here can do: sign in with SSO, ask for a code.
 */
bool dynamo_source_read(struct arena *arena, dynamo_environment *environment,
    struct dynamo_source *out, const char **why);

#endif
