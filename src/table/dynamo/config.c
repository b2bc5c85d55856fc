#include "table/dynamo/config.h"

#include "base/arena.h"
#include "table/dynamo/profile.h"
#include "table/dynamo/source.h"

#include <sys/stat.h>
#include <unistd.h>

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

/* It becomes a part of a host's name. */
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

/* Nothing but a slash may follow it. */
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
	/* A server of one's own answers for both services; only Amazon's have an endpoint each. */
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

/* NULL when a file can be read there. The library would read a folder without end. */
static const char *
file_flaw(const char *path)
{
	struct stat st;

	if (access(path, R_OK) != 0 || stat(path, &st) != 0)
		return "can't be read";
	return S_ISDIR(st.st_mode) ? "are a folder, not a file" : NULL;
}

/*
 * The certificates are looked at now: without them every request would fail, and slowly. What gives credentials may
 * want them, too, even where the endpoints do not.
 */
static bool
ca_file_find(struct arena *arena, dynamo_environment *environment, struct dynamo_config *out,
    const char **why)
{
	struct str named = FIRST_OF(environment, "AWS_CA_BUNDLE");
	const char *flaw;

	if (named.len > 0) {
		out->ca_file = str_dup(arena, named);
		flaw = file_flaw(out->ca_file.base);
		if (flaw == NULL)
			return true;
		*why =
		    str_fmt(arena, "the certificates in %s %s: correct AWS_CA_BUNDLE or unset it",
			out->ca_file.base, flaw)
			.base;
		return false;
	}
	for (size_t i = 0; i < sizeof(ca_files) / sizeof(ca_files[0]); i++) {
		if (file_flaw(ca_files[i]) == NULL) {
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
