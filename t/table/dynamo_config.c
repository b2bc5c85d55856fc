/* The environment that configures the DynamoDB engine, valid and invalid. */
#include "lib/tap.h"

#include "base/arena.h"
#include "table/dynamo/config.h"

#include <unistd.h>

/* The environment of a case: pairs of name and value. */
static const char *const *pairs;

static const char *
look(const char *name)
{
	for (size_t i = 0; pairs[i] != NULL; i += 2) {
		if (strcmp(pairs[i], name) == 0)
			return pairs[i + 1];
	}
	return NULL;
}

#define REGION "AWS_REGION", "eu-central-1"
/* Any readable file will do for the certificates. */
#define BUNDLE "AWS_CA_BUNDLE", "/dev/null"

static const struct {
	const char *sentence;
	const char *environment[9];
	const char *table;
	const char *items;   /* scheme, host and port; NULL: refused */
	const char *streams; /* the same; or a part of the complaint */
} cases[] = {
    {"a region makes the endpoints", {REGION, BUNDLE}, "news",
	"https://dynamodb.eu-central-1.amazonaws.com:443",
	"https://streams.dynamodb.eu-central-1.amazonaws.com:443"},
    {"China has a domain of its own", {"AWS_REGION", "cn-north-1", BUNDLE}, "news",
	"https://dynamodb.cn-north-1.amazonaws.com.cn:443",
	"https://streams.dynamodb.cn-north-1.amazonaws.com.cn:443"},
    {"AWS_DEFAULT_REGION stands in", {"AWS_DEFAULT_REGION", "us-east-1", BUNDLE}, "news",
	"https://dynamodb.us-east-1.amazonaws.com:443",
	"https://streams.dynamodb.us-east-1.amazonaws.com:443"},
    {"AWS_REGION goes before", {REGION, "AWS_DEFAULT_REGION", "us-east-1", BUNDLE}, "news",
	"https://dynamodb.eu-central-1.amazonaws.com:443",
	"https://streams.dynamodb.eu-central-1.amazonaws.com:443"},
    {"an empty variable is none", {"AWS_REGION", "", "AWS_DEFAULT_REGION", "us-east-1", BUNDLE},
	"news", "https://dynamodb.us-east-1.amazonaws.com:443",
	"https://streams.dynamodb.us-east-1.amazonaws.com:443"},
    {"an endpoint is for both", {REGION, "AWS_ENDPOINT_URL", "http://127.0.0.1:8000"}, "news",
	"http://127.0.0.1:8000", "http://127.0.0.1:8000"},
    {"the service's own goes before",
	{REGION, "AWS_ENDPOINT_URL", "http://a", "AWS_ENDPOINT_URL_DYNAMODB", "http://b:81/"},
	"news", "http://b:81", "http://b:81"},
    {"the stream may have its own",
	{REGION, "AWS_ENDPOINT_URL_DYNAMODB", "http://a", "AWS_ENDPOINT_URL_DYNAMODB_STREAMS",
	    "http://b"},
	"news", "http://a:80", "http://b:80"},
    {"the table may be in the environment",
	{REGION, "DYNAMODB_TABLE", "news", "AWS_ENDPOINT_URL", "https://a", BUNDLE}, "",
	"https://a:443", "https://a:443"},
    {"an address of IPv6", {REGION, "AWS_ENDPOINT_URL", "http://[::1]:8000"}, "news",
	"http://::1:8000", "http://::1:8000"},
    {"an address of IPv6 without a port",
	{REGION, BUNDLE, "AWS_ENDPOINT_URL", "https://[fd00:ec2::23]/"}, "news",
	"https://fd00:ec2::23:443", "https://fd00:ec2::23:443"},
    {"without a region", {BUNDLE}, "news", NULL, "set AWS_REGION"},
    {"a region that is none", {"AWS_REGION", "eu/../x", BUNDLE}, "news", NULL, "set AWS_REGION"},
    {"without a table", {REGION, BUNDLE}, "", NULL, "DYNAMODB_TABLE"},
    {"a table's name too short", {REGION, BUNDLE}, "ab", NULL, "no name for a table"},
    {"a table's name with a slash", {REGION, BUNDLE}, "a/bc", NULL, "no name for a table"},
    {"an endpoint without a scheme", {REGION, "AWS_ENDPOINT_URL", "localhost:8000"}, "news", NULL,
	"the endpoint is no address"},
    {"an endpoint with a path", {REGION, "AWS_ENDPOINT_URL", "http://a/b"}, "news", NULL,
	"the endpoint is no address"},
    {"an endpoint with a name and password", {REGION, "AWS_ENDPOINT_URL", "http://me:x@a"}, "news",
	NULL, "the endpoint is no address"},
    {"an endpoint with a bad port", {REGION, "AWS_ENDPOINT_URL", "http://a:65536"}, "news", NULL,
	"the endpoint is no address"},
    {"an endpoint without a host", {REGION, "AWS_ENDPOINT_URL", "http://"}, "news", NULL,
	"the endpoint is no address"},
    {"an address of IPv6 without its end", {REGION, "AWS_ENDPOINT_URL", "http://[::1"}, "news",
	NULL, "the endpoint is no address"},
    {"an address of IPv6 with more behind it", {REGION, "AWS_ENDPOINT_URL", "http://[::1]8000"},
	"news", NULL, "the endpoint is no address"},
    {"brackets around a name", {REGION, "AWS_ENDPOINT_URL", "http://[localhost]"}, "news", NULL,
	"the endpoint is no address"},
    {"an address of IPv6 without brackets", {REGION, "AWS_ENDPOINT_URL", "http://::1"}, "news",
	NULL, "the endpoint is no address"},
    {"certificates that are not there", {REGION, "AWS_CA_BUNDLE", "/nowhere/ca.pem"}, "news", NULL,
	"correct AWS_CA_BUNDLE"},
    {"certificates in a folder", {REGION, "AWS_CA_BUNDLE", "/"}, "news", NULL,
	"the certificates in / are a folder, not a file: correct AWS_CA_BUNDLE"},
    {"no attempts at all", {REGION, BUNDLE, "AWS_MAX_ATTEMPTS", "0"}, "news", NULL,
	"AWS_MAX_ATTEMPTS"},
    {"attempts in words", {REGION, BUNDLE, "AWS_MAX_ATTEMPTS", "many"}, "news", NULL,
	"AWS_MAX_ATTEMPTS"},
    {"connections without number", {REGION, BUNDLE, "DYNAMODB_CONNECTIONS", "x"}, "news", NULL,
	"DYNAMODB_CONNECTIONS"},
};

static struct str
address(struct arena *arena, const struct dynamo_endpoint *endpoint)
{
	return str_fmt(arena, "%s://%.*s:%u", endpoint->tls ? "https" : "http",
	    STR_ARGS(endpoint->host), (unsigned)endpoint->port);
}

/* --- Profiles ----------------------------------------------------------------------------------- */

static const char profiles[] = "; Amazon's file\n"
			       "region = none\n"
			       "[default]\n"
			       "region = us-east-1\n"
			       "output=json\n"
			       "[ profile  news ]\n"
			       "s3 =\n"
			       "    region = no-setting-1\n"
			       "# region = no-comment-1\n"
			       "region=eu-west-1   # near\n"
			       "[profile other\n"
			       "region = no-end-1\n"
			       "[news]\n"
			       "region = no-profile-1\n"
			       "[profile twice]\nregion = a\n[profile twice]\nregion = eu-north-1";

static const struct {
	const char *sentence;
	const char *environment[7];
	const char *region; /* empty: refused */
} from_profiles[] = {
    {"the default profile's", {BUNDLE}, "us-east-1"},
    {"the default profile's by its name", {BUNDLE, "AWS_PROFILE", "default"}, "us-east-1"},
    {"another profile's", {BUNDLE, "AWS_PROFILE", "news"}, "eu-west-1"},
    {"a profile's that goes on later", {BUNDLE, "AWS_PROFILE", "twice"}, "eu-north-1"},
    {"the environment's first", {BUNDLE, "AWS_PROFILE", "news", REGION}, "eu-central-1"},
    {"none of a profile that is not there", {BUNDLE, "AWS_PROFILE", "nobody"}, ""},
    {"none of one without an end", {BUNDLE, "AWS_PROFILE", "other"}, ""},
};

static const char *config_file;

static const char *
look_with_file(const char *name)
{
	return strcmp(name, "AWS_CONFIG_FILE") == 0 ? config_file : look(name);
}

static void
regions_of_profiles(struct arena *arena)
{
	char path[] = "/tmp/broadsheet-profiles-XXXXXX";
	int fd = mkstemp(path);
	struct dynamo_config config;
	const char *why = "";

	if (fd < 0 || write(fd, profiles, sizeof(profiles) - 1) < 0)
		bail_out("no temporary file");
	close(fd);
	config_file = path;
	for (size_t i = 0; i < sizeof(from_profiles) / sizeof(from_profiles[0]); i++) {
		struct str region = STR("");

		pairs = from_profiles[i].environment;
		if (dynamo_config_read(arena, look_with_file, STR("news"), &config, &why))
			region = config.region;
		is_str(region, str_of(from_profiles[i].region), "the region is %s",
		    from_profiles[i].sentence);
	}
	ok(strstr(why, "the region of the profile other") != NULL, "which is told: %s", why);
	unlink(path);
}

int
main(void)
{
	static const char *const numbers[] = {
	    REGION, BUNDLE, "AWS_MAX_ATTEMPTS", "7", "DYNAMODB_CONNECTIONS", "9", NULL};
	struct arena *arena = arena_new();
	struct dynamo_config config;
	const char *why;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool good;

		why = "";
		pairs = cases[i].environment;
		good = dynamo_config_read(arena, look, str_of(cases[i].table), &config, &why);
		if (cases[i].items == NULL) {
			ok(!good && strstr(why, cases[i].streams) != NULL, "%s: %s",
			    cases[i].sentence, why);
			continue;
		}
		if (!ok(good, "%s", cases[i].sentence)) {
			fprintf(stderr, "# %s\n", why);
			continue;
		}
		is_str(config.table, STR("news"), "the table has its name");
		is_str(address(arena, &config.items), str_of(cases[i].items), "its endpoint");
		is_str(
		    address(arena, &config.streams), str_of(cases[i].streams), "and its stream's");
		ok(config.ca_file.len > 0 || !(config.items.tls || config.streams.tls),
		    "with certificates for TLS");
	}
	pairs = numbers;
	ok(dynamo_config_read(arena, look, STR("news"), &config, &why), "numbers are read");
	is_int(config.attempts, 7, "of attempts");
	is_int(config.connections, 9, "and of connections");
	regions_of_profiles(arena);
	arena_free(arena);
	return tap_done();
}
