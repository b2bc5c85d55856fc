#include "table/dynamo/config.h"

#include "base/arena.h"
#include "base/buf.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Servers ---------------------------------------------------------------------------------- */

/* Reads `[address]`, of IPv6, and what follows it; the host is without the brackets. */
static bool
literal_read(struct arena *arena, struct str authority, struct str *host, struct str *rest)
{
	size_t end = str_find(authority, ']');
	struct in6_addr address;

	*host = str_dup(arena, str_sub(authority, 1, end - 1));
	*rest = str_sub(authority, end + 1, authority.len);
	return end < authority.len && inet_pton(AF_INET6, host->base, &address) == 1;
}

static bool
name_good(struct str host)
{
	for (size_t i = 0; i < host.len; i++) {
		if (host.base[i] <= ' ' || host.base[i] == '@' || host.base[i] == '?')
			return false;
	}
	return host.len > 0;
}

/*
 * Reads `https://host[:port]` or `http://…`, where the host may be `[::1]`; *path is what follows,
 * with its slash, or empty. All of it is in the arena. False for any other text.
 */
static bool
dynamo_endpoint_read(
    struct arena *arena, struct str url, struct dynamo_endpoint *out, struct str *path)
{
	struct str authority, rest;
	size_t slash;
	int64_t port;

	if (str_starts(url, STR("https://")))
		out->tls = true;
	else if (str_starts(url, STR("http://")))
		out->tls = false;
	else
		return false;
	url = str_sub(url, out->tls ? 8 : 7, url.len);
	slash = str_find(url, '/');
	authority = str_sub(url, 0, slash);
	*path = str_dup(arena, str_sub(url, slash, url.len));
	if (str_starts(authority, STR("["))) {
		if (!literal_read(arena, authority, &out->host, &rest))
			return false;
	} else {
		size_t colon = str_find(authority, ':');

		out->host = str_dup(arena, str_sub(authority, 0, colon));
		rest = str_sub(authority, colon, authority.len);
		if (!name_good(out->host))
			return false;
	}
	port = out->tls ? 443 : 80;
	if (rest.len > 1 && !str_int(str_sub(rest, 1, rest.len), &port))
		return false;
	out->port = (uint16_t)port;
	return (rest.len == 0 || rest.base[0] == ':') && port >= 1 && port <= 65535;
}

/* --- Amazon's files of profiles --------------------------------------------------------------- */

/* Amazon's two configuration files: `~/.aws/config` and `~/.aws/credentials`. */
enum dynamo_profiles { PROFILES_CONFIG, PROFILES_CREDENTIALS };

/* Is this line, `[profile name]` or `[name]`, the header of the profile's section? */
static bool
is_head_of(struct str line, enum dynamo_profiles kind, struct str profile)
{
	size_t end = str_find(line, ']');
	struct str rest, word, inside = str_trim(str_sub(line, 1, end - 1));

	if (end == line.len)
		return false;
	if (kind == PROFILES_CREDENTIALS)
		return str_eq(inside, profile);
	word = str_cut(inside, ' ', &rest);
	if (str_eq(word, STR("profile")) && rest.len != 0)
		return str_eq(str_trim(rest), profile);
	return str_eq(inside, STR("default")) && str_eq(profile, STR("default"));
}

/* White space followed by # or ; begins a comment. */
static struct str
without_comment(struct str value)
{
	for (size_t i = 1; i < value.len; i++)
		if ((value.base[i] == '#' || value.base[i] == ';') &&
		    (value.base[i - 1] == ' ' || value.base[i - 1] == '\t'))
			return str_trim(str_sub(value, 0, i));
	return value;
}

/*
 * A setting of a profile in the text of such a file; a slice of the text, empty when there is none. In the file of
 * configuration the section of the profile `default` is `[default]` or `[profile default]`, of any other
 * `[profile NAME]`; in that of credentials it is `[NAME]`. Indented lines belong to a setting above, and those that
 * begin with # or ; are comments; of repeated settings and sections the last one counts.
 */
static struct str
dynamo_profile_setting(
    struct str text, enum dynamo_profiles kind, struct str profile, struct str name)
{
	struct str found = STR("");
	bool inside = false;

	while (text.len != 0) {
		struct str value, line = str_cut(text, '\n', &text), key;

		if (line.len == 0 || line.base[0] == '#' || line.base[0] == ';' ||
		    line.base[0] == ' ' || line.base[0] == '\t')
			continue;
		if (line.base[0] == '[') {
			inside = is_head_of(line, kind, profile);
			continue;
		}
		key = str_trim(str_cut(line, '=', &value));
		if (inside && str_eq(key, name))
			found = without_comment(str_trim(value));
	}
	return found;
}

/* Does the file have a section of the profile? */
static bool
dynamo_profile_is_there(struct str text, enum dynamo_profiles kind, struct str profile)
{
	while (text.len != 0) {
		struct str line = str_cut(text, '\n', &text);

		if (str_starts(line, STR("[")) && is_head_of(line, kind, profile))
			return true;
	}
	return false;
}

/* --- Where credentials come from -------------------------------------------------------------- */

/*
 * Where credentials come from. The library's chain looks in the environment, in profiles with keys or with a role, for
 * a web identity, at the container's host and at the machine's own service. It runs no command of a profile, and knows
 * no file with the token for the container's host: both are therefore done here. It ignores
 * parts of some profiles, and the name of one that is missing: these are reported.
 */

enum { PROFILES_MAX = 1024 * 1024 };

/* A profile, as in both files. */
struct profile {
	struct str name;
	struct str texts[2];
};

static struct str
variable(dynamo_environment *environment, const char *name)
{
	return str_of(environment(name));
}

/* The profile in use: AWS_PROFILE, or `default`. */
static struct str
dynamo_profile_name(dynamo_environment *environment)
{
	struct str name = variable(environment, "AWS_PROFILE");

	return name.len != 0 ? name : STR("default");
}

/* The text of a file of profiles, AWS_CONFIG_FILE or AWS_SHARED_CREDENTIALS_FILE; empty when there is none. */
static struct str
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

/* The file of credentials takes precedence. */
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

/*
 * A feature that the profile needs and neither the library nor this program has; NULL when there is
 * none.
 */
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

/* What to check if the library's chain finds no credentials. */
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

/*
 * A profile that was named and is in neither file is a mistake: the next source may be another
 * account's.
 */
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

/* The container's host, if a file has the token for it and no other source takes precedence. */
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

/*
 * Where credentials come from, in the arena. False, with advice in *why, when the profile needs
 * what is not supported: SSO, or a code that somebody types.
 */
static bool
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
	/* Keys take precedence over a command. */
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

/* --- The environment -------------------------------------------------------------------------- */

enum { DEFAULT_ATTEMPTS = 4, DEFAULT_CONNECTIONS = 256 };

/* Where systems keep the certificates that they trust. */
static const char *const ca_files[] = {
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
};

/* The first of the variables that is set and not empty. */
static struct str
first_of(dynamo_environment *environment, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct str value = str_of(environment(names[i]));

		if (value.len > 0)
			return value;
	}
	return STR("");
}

#define FIRST_OF(environment, ...)                                  \
	first_of((environment), (const char *const[]){__VA_ARGS__}, \
	    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* What DynamoDB accepts: 3 to 255 letters, digits, '_', '-', '.'. */
static bool
table_name_good(struct str name)
{
	if (name.len < 3 || name.len > 255)
		return false;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.base[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
		    c != '_' && c != '-' && c != '.')
			return false;
	}
	return true;
}

/* It becomes a part of a host name. */
static bool
region_good(struct str region)
{
	for (size_t i = 0; i < region.len; i++) {
		char c = region.base[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-')
			return false;
	}
	return region.len > 0 && region.len <= 63;
}

/* Only a slash may follow it. */
static bool
endpoint_parse(struct arena *arena, struct str url, struct dynamo_endpoint *out)
{
	struct str path;

	return dynamo_endpoint_read(arena, url, out, &path) && path.len <= 1;
}

/* Amazon's own endpoint of a service in a region. */
static struct dynamo_endpoint
endpoint_of(struct arena *arena, const char *service, struct str region)
{
	const char *domain = str_starts(region, STR("cn-")) ? "amazonaws.com.cn" : "amazonaws.com";

	return (struct dynamo_endpoint){
	    .host = str_fmt(arena, "%s.%.*s.%s", service, STR_ARGS(region), domain),
	    .port = 443,
	    .tls = true,
	};
}

static bool
endpoints_read(struct arena *arena, dynamo_environment *environment, struct dynamo_config *out,
    const char **why)
{
	struct str items = FIRST_OF(environment, "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL");
	/* A server of one's own answers for both services; Amazon's have an endpoint each. */
	struct str streams = FIRST_OF(environment, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS",
	    "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL");

	out->items = endpoint_of(arena, "dynamodb", out->region);
	out->streams = endpoint_of(arena, "streams.dynamodb", out->region);
	if ((items.len > 0 && !endpoint_parse(arena, items, &out->items)) ||
	    (streams.len > 0 && !endpoint_parse(arena, streams, &out->streams))) {
		*why = "the endpoint is no address: set AWS_ENDPOINT_URL_DYNAMODB to "
		       "http://host:port or https://host, or unset it";
		return false;
	}
	return true;
}

/* NULL when the file can be read. The library would read a directory forever. */
static const char *
file_error(const char *path)
{
	struct stat st;

	if (access(path, R_OK) != 0 || stat(path, &st) != 0)
		return "can't be read";
	return S_ISDIR(st.st_mode) ? "are a folder, not a file" : NULL;
}

/*
 * The certificates are checked now: without them every request would fail, and slowly. The source
 * of credentials may need them as well, even where the endpoints do not.
 */
static bool
ca_file_find(struct arena *arena, dynamo_environment *environment, struct dynamo_config *out,
    const char **why)
{
	struct str named = FIRST_OF(environment, "AWS_CA_BUNDLE");
	const char *error;

	if (named.len > 0) {
		out->ca_file = str_dup(arena, named);
		error = file_error(out->ca_file.base);
		if (error == NULL)
			return true;
		*why =
		    str_fmt(arena, "the certificates in %s %s: correct AWS_CA_BUNDLE or unset it",
			out->ca_file.base, error)
			.base;
		return false;
	}
	for (size_t i = 0; i < sizeof(ca_files) / sizeof(ca_files[0]); i++) {
		if (file_error(ca_files[i]) == NULL) {
			out->ca_file = str_of(ca_files[i]);
			return true;
		}
	}
	if (!out->items.tls && !out->streams.tls)
		return true;
	*why = "there are no trusted certificates: install ca-certificates or set AWS_CA_BUNDLE";
	return false;
}

/* The region of the environment, else of the profile that it names. */
static bool
region_read(struct arena *arena, dynamo_environment *environment, struct dynamo_config *out,
    const char **why)
{
	struct str profile = dynamo_profile_name(environment);

	out->region = FIRST_OF(environment, "AWS_REGION", "AWS_DEFAULT_REGION");
	if (out->region.len == 0)
		out->region = dynamo_profile_setting(
		    dynamo_profiles_read(arena, environment, PROFILES_CONFIG), PROFILES_CONFIG,
		    profile, STR("region"));
	out->region = str_dup(arena, out->region);
	if (region_good(out->region))
		return true;
	*why = str_fmt(arena,
	    "no region is named: set AWS_REGION, to eu-central-1 for one, or the region of the "
	    "profile %.*s",
	    STR_ARGS(profile))
		   .base;
	return false;
}

static bool
count_read(dynamo_environment *environment, const char *name, unsigned fallback, unsigned most,
    unsigned *out)
{
	struct str text = FIRST_OF(environment, name);
	int64_t n = fallback;

	if (text.len > 0 && (!str_int(text, &n) || n < 1 || n > most))
		return false;
	*out = (unsigned)n;
	return true;
}

bool
dynamo_config_read(struct arena *arena, dynamo_environment *environment, struct str table,
    struct dynamo_config *out, const char **why)
{
	*out = (struct dynamo_config){.table = table};
	if (table.len == 0)
		out->table = FIRST_OF(environment, "DYNAMODB_TABLE");
	if (!table_name_good(out->table)) {
		*why =
		    out->table.len == 0
			? "no table is named: say dynamodb:TABLE or set DYNAMODB_TABLE"
			: "that is no name for a table: 3 to 255 letters, digits, '_', '-' and '.'";
		return false;
	}
	out->table = str_dup(arena, out->table);
	if (!region_read(arena, environment, out, why) ||
	    !endpoints_read(arena, environment, out, why) ||
	    !ca_file_find(arena, environment, out, why) ||
	    !dynamo_source_read(arena, environment, &out->source, why))
		return false;
	if (!count_read(environment, "AWS_MAX_ATTEMPTS", DEFAULT_ATTEMPTS, 20, &out->attempts)) {
		*why = "AWS_MAX_ATTEMPTS must be a number from 1 to 20";
		return false;
	}
	if (!count_read(environment, "DYNAMODB_CONNECTIONS", DEFAULT_CONNECTIONS, 1000,
		&out->connections)) {
		*why = "DYNAMODB_CONNECTIONS must be a number from 1 to 1000";
		return false;
	}
	return true;
}
