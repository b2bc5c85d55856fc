#ifndef TABLE_DYNAMO_PROFILE_H
#define TABLE_DYNAMO_PROFILE_H

#include "base/str.h"

/* Amazon's two configuration files: `~/.aws/config` and `~/.aws/credentials`. */
enum dynamo_profiles { PROFILES_CONFIG, PROFILES_CREDENTIALS };

/*
 * A setting of a profile in the text of such a file; a slice of the text, empty when there is none. In the file of
 * configuration the section of the profile `default` is `[default]` or `[profile default]`, of any other
 * `[profile NAME]`; in that of credentials it is `[NAME]`. Lines that are indented belong to a setting above, and those that
 * begin with # or ; are comments; of settings and sections that come twice the last counts.
 */
struct str dynamo_profile_setting(
    struct str text, enum dynamo_profiles kind, struct str profile, struct str name);

/* Has the profile a section there? */
bool dynamo_profile_is_there(struct str text, enum dynamo_profiles kind, struct str profile);

#endif
