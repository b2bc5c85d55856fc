#ifndef TABLE_DYNAMO_PROFILE_H
#define TABLE_DYNAMO_PROFILE_H

#include "base/str.h"

/*
 * A setting of a profile in the text of Amazon's configuration file (`~/.aws/config`); a slice of the
 * text, empty when there is none. The section of the profile `default` is `[default]` or `[profile
 * default]`, of any other `[profile NAME]`. Lines that are indented belong to a setting above, and those that
 * begin with # or ; are comments; of settings and sections that come twice the last counts.
 */
struct str dynamo_profile_setting(struct str text, struct str profile, struct str name);

#endif
