/*
 * Where credentials come from. The library's chain looks in the environment, in profiles with keys or with a role, for
 * a web identity, at the container's host and at the machine's own service. It runs no command of a profile, and knows
 * no file with the token for the container's host: both are therefore done here. Some profiles it reads as if half of
 * what they say were not there, and one that is missing as if none were named: these are told.
 */
#include "table/dynamo/source.h"

#include "base/arena.h"
#include "base/buf.h"

#include <stdio.h>

enum { PROFILES_MAX = 1024 * 1024 };

/* A profile, in both files. */
struct profile {
	struct str name;
	struct str texts[2];
};

static struct str
variable(dynamo_environment *environment, const char *name)
{
	return str_of(environment(name));
}

struct str
dynamo_profile_name(dynamo_environment *environment)
{
	struct str name = variable(environment, "AWS_PROFILE");

	return name.len != 0 ? name : STR("default");
}

struct str
dynamo_profiles_read(
    struct arena *arena, dynamo_environment *environment, enum dynamo_profiles kind)
{
	bool config = kind == PROFILES_CONFIG;
	struct str path =
	    variable(environment, config ? "AWS_CONFIG_FILE" : "AWS_SHARED_CREDENTIALS_FILE");
	struct str home = variable(environment, "HOME");
	struct buf text = {.arena = arena};
	FILE *file;

	path = path.len != 0 ? str_dup(arena, path)
			     : STR_CONCAT(arena, home,
				   config ? STR("/.aws/config") : STR("/.aws/credentials"));
	file = fopen(path.base, "r");
	if (file == NULL)
		return STR("");
	buf_room(&text, PROFILES_MAX);
	text.len = fread(text.base, 1, PROFILES_MAX, file);
	fclose(file);
	return buf_str(&text);
}

/* What is in the file of credentials goes before. */
static struct str
setting(const struct profile *profile, const char *name)
{
	struct str value = dynamo_profile_setting(profile->texts[PROFILES_CREDENTIALS],
	    PROFILES_CREDENTIALS, profile->name, str_of(name));

	return value.len != 0 ? value
			      : dynamo_profile_setting(profile->texts[PROFILES_CONFIG],
				    PROFILES_CONFIG, profile->name, str_of(name));
}

static bool
has(const struct profile *profile, const char *name)
{
	return setting(profile, name).len != 0;
}

static bool
has_web_identity(dynamo_environment *environment, const struct profile *profile)
{
	return variable(environment, "AWS_WEB_IDENTITY_TOKEN_FILE").len != 0 ||
	       has(profile, "web_identity_token_file");
}

/* What the profile wants that neither the library nor we can do; NULL when there is nothing. */
static const char *
beyond_us(const struct profile *profile)
{
	struct profile source = *profile;

	if (has(profile, "sso_session") || has(profile, "sso_start_url"))
		return "signs in with SSO";
	if (!has(profile, "role_arn"))
		return NULL;
	if (has(profile, "mfa_serial"))
		return "asks for a code (mfa_serial)";
	if (has(profile, "external_id"))
		return "takes a role by an external_id";
	if (str_eq_nocase(setting(profile, "credential_source"), STR("EcsContainer")))
		return "takes a role by credential_source EcsContainer";
	source.name = setting(profile, "source_profile");
	if (source.name.len != 0 && !has(&source, "aws_access_key_id"))
		return "takes a role by a source_profile that has no keys of its own";
	return NULL;
}

/* For what the chain finds by itself: what to look at when it does not. */
static struct str
advice(struct arena *arena, dynamo_environment *environment, const struct profile *profile)
{
	if (has(profile, "role_arn") && !has(profile, "web_identity_token_file"))
		return str_fmt(arena,
		    "no credentials come for the role of the profile %.*s: look at its role_arn, "
		    "at its "
		    "source_profile or credential_source, and at whom the role trusts",
		    STR_ARGS(profile->name));
	if (has_web_identity(environment, profile))
		return STR("no credentials come for the web identity: look at AWS_ROLE_ARN, "
			   "AWS_WEB_IDENTITY_TOKEN_FILE, and at whom the role trusts");
	if (variable(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE").len != 0)
		return STR("no credentials come from the container's host: look at "
			   "AWS_CONTAINER_CREDENTIALS_FULL_URI, at "
			   "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE and at the container's role");
	if (variable(environment, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI").len != 0 ||
	    variable(environment, "AWS_CONTAINER_CREDENTIALS_FULL_URI").len != 0)
		return STR("no credentials come from the container's host: look at "
			   "AWS_CONTAINER_CREDENTIALS_FULL_URI and at the container's role");
	return STR("no credentials were found: set AWS_ACCESS_KEY_ID and "
		   "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give the machine a role");
}

/* A name that was given and is in neither file is a slip: whatever comes next may be another account's. */
static bool
is_there(struct arena *arena, dynamo_environment *environment, const struct profile *profile,
    const char **why)
{
	if (variable(environment, "AWS_PROFILE").len == 0)
		return true;
	for (int kind = PROFILES_CONFIG; kind <= PROFILES_CREDENTIALS; kind++) {
		if (dynamo_profile_is_there(
			profile->texts[kind], (enum dynamo_profiles)kind, profile->name))
			return true;
	}
	*why = str_fmt(arena,
	    "there is no profile %.*s in ~/.aws/config or ~/.aws/credentials: correct AWS_PROFILE, "
	    "AWS_CONFIG_FILE or AWS_SHARED_CREDENTIALS_FILE, or unset it",
	    STR_ARGS(profile->name))
		   .base;
	return false;
}

/* The container's host, where a file has the token for it and nothing goes before. */
static bool
container_read(struct arena *arena, dynamo_environment *environment, struct dynamo_source *out,
    const char **why)
{
	struct str relative = variable(environment, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
	struct str url = variable(environment, "AWS_CONTAINER_CREDENTIALS_FULL_URI");

	if (relative.len != 0)
		url = STR_CONCAT(arena, STR("http://169.254.170.2"), relative);
	if (url.len == 0)
		return true;
	out->token_file =
	    str_dup(arena, variable(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"));
	if (out->token_file.len == 0 ||
	    (dynamo_endpoint_read(arena, url, &out->container, &out->container_path) &&
		out->container_path.len != 0))
		return true;
	*why = "the address of the container's host is none: correct "
	       "AWS_CONTAINER_CREDENTIALS_FULL_URI";
	return false;
}

bool
dynamo_source_read(struct arena *arena, dynamo_environment *environment, struct dynamo_source *out,
    const char **why)
{
	struct profile profile = {.name = dynamo_profile_name(environment)};
	const char *beyond;

	for (int kind = PROFILES_CONFIG; kind <= PROFILES_CREDENTIALS; kind++)
		profile.texts[kind] =
		    dynamo_profiles_read(arena, environment, (enum dynamo_profiles)kind);
	*out = (struct dynamo_source){.missing = advice(arena, environment, &profile)};
	if (variable(environment, "AWS_ACCESS_KEY_ID").len != 0 &&
	    variable(environment, "AWS_SECRET_ACCESS_KEY").len != 0)
		return true;
	if (!is_there(arena, environment, &profile, why))
		return false;
	/* What goes before a command. */
	if (has(&profile, "aws_access_key_id"))
		return true;
	out->command = str_dup(arena, setting(&profile, "credential_process"));
	if (out->command.len != 0) {
		out->missing = str_fmt(arena,
		    "no credentials come from the command of the profile %.*s: try its "
		    "credential_process by hand",
		    STR_ARGS(profile.name));
		return true;
	}
	beyond = beyond_us(&profile);
	if (beyond != NULL && variable(environment, "AWS_WEB_IDENTITY_TOKEN_FILE").len == 0) {
		*why = str_fmt(arena,
		    "the profile %.*s %s, which Broadsheet can't do: set AWS_PROFILE to one with "
		    "credential_process = aws configure export-credentials --profile %.*s",
		    STR_ARGS(profile.name), beyond, STR_ARGS(profile.name))
			   .base;
		return false;
	}
	return has(&profile, "role_arn") || has_web_identity(environment, &profile) ||
	       container_read(arena, environment, out, why);
}
