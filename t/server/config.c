/* Settings: the file's syntax, precedence, and messages about errors. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/suggest.h"
#include "server/config.h"

#include <unistd.h>

static void
file_form(void)
{
	static const struct {
		struct str text;
		size_t count;
		unsigned wrong_line; /* 0: it is right */
		struct str why;
	} cases[] = {
	    {STR_INIT(""), 0, 0, STR_INIT("")},
	    {STR_INIT("\n\n  \n"), 0, 0, STR_INIT("")},
	    {STR_INIT("# nothing\n   # either"), 0, 0, STR_INIT("")},
	    {STR_INIT("store = sqlite:/x"), 1, 0, STR_INIT("")},
	    {STR_INIT("\tstore=sqlite:/x\r\n"), 1, 0, STR_INIT("")},
	    {STR_INIT("a = 1\n\nb-c = 2\n"), 2, 0, STR_INIT("")},
	    {STR_INIT("origin =\n"), 1, 0, STR_INIT("")},
	    {STR_INIT("a = b = c # d"), 1, 0, STR_INIT("")},
	    {STR_INIT("a = \xc3\xa9"), 1, 0, STR_INIT("")},
	    {STR_INIT("a = 1\nstore sqlite:/x\n"), 1, 2,
		STR_INIT("not of the form `name = value`")},
	    {STR_INIT("= x"), 0, 1, STR_INIT("a name is made of small letters and hyphens")},
	    {STR_INIT("Store = x"), 0, 1, STR_INIT("a name is made of small letters and hyphens")},
	    {STR_INIT("log_level = x"), 0, 1,
		STR_INIT("a name is made of small letters and hyphens")},
	    {STR_INIT("a = 1\n# 2\na = 3"), 1, 3, STR_INIT("this name is set twice")},
	    {STR_INIT("a = \x01"), 0, 1, STR_INIT("a character that is not text")},
	    {STR_INIT("a = x\0y"), 0, 1, STR_INIT("a character that is not text")},
	    {STR_INIT("a = \xff"), 0, 1, STR_INIT("a character that is not text")},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct config_lines lines;
		bool good = config_parse(arena, cases[i].text, &lines);

		ok(good == (cases[i].wrong_line == 0) && lines.count == cases[i].count &&
			lines.wrong_line == cases[i].wrong_line &&
			str_eq(str_of(lines.why), cases[i].why),
		    "file %zu: %zu settings%s%.*s", i, cases[i].count,
		    cases[i].why.len != 0 ? ", then: " : "", STR_ARGS(cases[i].why));
		arena_free(arena);
	}
}

static void
file_values(void)
{
	struct arena *arena = arena_new();
	struct config_lines lines;

	ok(config_parse(arena, STR("\n# x\n store =  a = b # c  \r\nthreads\t=\t4"), &lines),
	    "a file with two settings is read");
	is_int(lines.lines[0].number, 3, "the first stands in its line");
	is_str(lines.lines[0].name, STR("store"), "... has its name");
	is_str(lines.lines[0].value, STR("a = b # c"), "... and all that follows the first =");
	is_int(lines.lines[1].number, 4, "the second stands in its line");
	is_str(lines.lines[1].value, STR("4"), "... without the white space around it");
	arena_free(arena);
}

/* --- Loading ------------------------------------------------------------------------------------ */

/* A file with this text, in `path`. */
static void
write_file(char *path, const char *text)
{
	int fd;

	strcpy(path, "/tmp/broadsheet-config.XXXXXX");
	fd = mkstemp(path);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		bail_out("no file can be written in /tmp");
	close(fd);
}

static struct config_value
value_of(const struct config *config, const char *name)
{
	for (size_t i = 0; i < config_setting_count; i++)
		if (strcmp(config_settings[i].name, name) == 0)
			return config->values[i];
	bail_out("there is no setting %s", name);
}

static void
places(void)
{
	char path[64], none[] = "PATH=/bin";
	char store[] = "BROADSHEET_STORE=sqlite:/environment";
	char level[] = "BROADSHEET_LOG_LEVEL=debug";
	char *const environment[] = {none, store, level, NULL};
	const struct config_flag flags[] = {{"store", "sqlite:/flag"}};
	struct config_input in = {.file = path, .flags = flags, .environment = environment};
	struct arena *arena = arena_new();
	struct config config;
	struct str why;

	write_file(path, "store = sqlite:/file\nlog-level = error\ncache = 3M\n");
	in.flag_count = 1;
	ok(config_load(&in, arena, &config, &why), "flag, environment and file are read together");
	is_str(config.store, STR("/flag"), "a flag wins over all");
	is_str(value_of(&config, "store").where, STR("--store"), "... and is named as the place");
	is_int(config.log_level, LOG_DEBUG, "the environment wins over the file");
	is_str(value_of(&config, "log-level").where, STR("BROADSHEET_LOG_LEVEL"),
	    "... and is named as the place");
	is_int(config.cache_bytes, 3 * 1024 * 1024, "the file wins over the default");
	is_str(value_of(&config, "cache").where, str_fmt(arena, "%s:3", path),
	    "... and is named as the place, with the line");
	is_int(value_of(&config, "threads").source, CONFIG_DEFAULT, "what nobody sets is default");
	in.flag_count = 0;
	ok(config_load(&in, arena, &config, &why) && str_eq(config.store, STR("/environment")),
	    "without the flag, the environment wins");
	in.environment = NULL;
	ok(config_load(&in, arena, &config, &why) && str_eq(config.store, STR("/file")),
	    "without that, the file wins");
	unlink(path);
	ok(!config_load(&in, arena, &config, &why) && str_starts(why, str_of(path)),
	    "a file that was named and is not there is an error");
	arena_free(arena);
}

/* Where a thread mostly waits, there are more of them. */
static void
threads_by_store(void)
{
	static const struct {
		const char *store, *threads;
		unsigned least, most;
	} cases[] = {
	    {"sqlite:/a", "auto", 4, 65536},
	    {"sqlite:/a", "3", 3, 3},
	    {"dynamodb:a", "auto", 64, 65536},
	    {"dynamodb:a", "3", 3, 3},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct config_flag flags[] = {
		    {"store", cases[i].store}, {"threads", cases[i].threads}};
		const struct config_input in = {.flags = flags, .flag_count = 2};
		struct config config;
		struct str why;
		bool right = config_load(&in, arena, &config, &why) &&
			     config_threads(&config) >= cases[i].least &&
			     config_threads(&config) <= cases[i].most;

		ok(right, "%s with %s threads has as many as are good for it", cases[i].store,
		    cases[i].threads);
	}
	arena_free(arena);
}

static void
file_from_environment(void)
{
	char path[64], variable[128];
	char *const environment[] = {variable, NULL};
	const struct config_input in = {.environment = environment};
	struct arena *arena = arena_new();
	struct config config;
	struct str why;

	write_file(path, "threads = 7\n");
	snprintf(variable, sizeof(variable), "BROADSHEET_CONFIG=%s", path);
	ok(config_load(&in, arena, &config, &why) && config.threads == 7,
	    "BROADSHEET_CONFIG names the file");
	is_str(config.file, str_of(path), "... and it is known which was read");
	unlink(path);
	ok(!config_load(&in, arena, &config, &why), "... and it must be there");
	arena_free(arena);
}

static void
defaults(void)
{
	struct arena *arena = arena_new();
	struct config config;
	struct str why;

	for (size_t i = 0; i < config_setting_count; i++)
		ok(config_settings[i].read(arena, str_of(config_settings[i].fallback), &config),
		    "the default of %s is a right value", config_settings[i].name);
	for (size_t i = 0; i < config_setting_count; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(config_settings[i].name, config_settings[j].name) == 0)
				ok(false, "%s is there twice", config_settings[i].name);
	is_str(setting_variable(arena, &config_settings[0]), STR("BROADSHEET_STORE"),
	    "a variable is the setting's name in capitals");
	(void)why;
	arena_free(arena);
}

/* Values, right and wrong. */
static void
values(void)
{
	static const struct {
		const char *name, *value;
		bool good;
	} cases[] = {
	    {"store", "sqlite:/var/x.db", true},
	    {"store", "sqlite:x", true},
	    {"store", "dynamodb:site", true},
	    {"store", "dynamodb:", true},
	    {"store", "sqlite:", false},
	    {"store", "sqlite", false},
	    {"store", "dynamodb", false},
	    {"store", "/var/x.db", false},
	    {"store", "mysql:x", false},
	    {"store", "", false},
	    {"socket", "-", true},
	    {"socket", "/run/x", true},
	    {"socket", "", false},
	    {"threads", "auto", true},
	    {"threads", "1", true},
	    {"threads", "512", true},
	    {"threads", "0", false},
	    {"threads", "513", false},
	    {"threads", "-1", false},
	    {"table-timeout", "auto", true},
	    {"table-timeout", "1", true},
	    {"table-timeout", "600", true},
	    {"table-timeout", "0", false},
	    {"table-timeout", "601", false},
	    {"threads", "4x", false},
	    {"threads", "", false},
	    {"origin", "https://example.org", true},
	    {"origin", "http://127.0.0.1:8080", true},
	    {"origin", "http://[::1]:8080", true},
	    {"origin", "https://example.org/", false},
	    {"origin", "https://example.org/blog", false},
	    {"origin", "https://ada@example.org", false},
	    {"origin", "https://", false},
	    {"origin", "ftp://example.org", false},
	    {"origin", "example.org", false},
	    {"origin", "https://exa mple.org", false},
	    {"origin", "https://example.org\"><", false},
	    {"cache", "0", true},
	    {"cache", "1000", true},
	    {"cache", "64M", true},
	    {"cache", "64G", true},
	    {"cache", "65G", false},
	    {"cache", "9223372036854775807G", false},
	    {"cache", "-1", false},
	    {"cache", "M", false},
	    {"cache", "64 M", false},
	    {"cache", "64m", false},
	    {"log-level", "debug", true},
	    {"log-level", "loud", false},
	    {"log-level", "", false},
	    {"log-addresses", "no", true},
	    {"log-addresses", "maybe", false},
	    {"development", "yes", true},
	    {"development", "no", true},
	    {"development", "true", false},
	    {"templates", "/x", true},
	    {"templates", "", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct config_flag flag = {cases[i].name, cases[i].value};
		const struct config_input in = {
		    .file = "/dev/null", .flags = &flag, .flag_count = 1};
		struct arena *arena = arena_new();
		struct config config;
		struct str why = {0};

		ok(config_load(&in, arena, &config, &why) == cases[i].good, "%s \"%s\" is %s",
		    cases[i].name, cases[i].value, cases[i].good ? "right" : "wrong");
		if (!cases[i].good && !str_starts(why, str_fmt(arena, "--%s: ", cases[i].name)))
			ok(false, "... but the complaint names the flag: %.*s", STR_ARGS(why));
		arena_free(arena);
	}
}

static void
complaints(void)
{
	static const struct {
		const char *file, *variable, *why; /* %s in `why` is the file */
	} cases[] = {
	    {"\nstor = sqlite:/x\n", NULL,
		"%s:2: there is no setting \"stor\"; did you mean \"store\"?"},
	    {"quite-another = x\n", NULL, "%s:1: there is no setting \"quite-another\""},
	    {"# x\n\nthreads = many\n", NULL,
		"%s:3: threads is \"many\", but should be a number from 1 to 512, or auto"},
	    {"threads: 4\n", NULL, "%s:1: not of the form `name = value`"},
	    {"", "BROADSHEET_THREADS=0",
		"BROADSHEET_THREADS: threads is \"0\", but should be a number from 1 to 512, or "
		"auto"},
	    {"", "BROADSHEET_LOG_LEVEL=all",
		"BROADSHEET_LOG_LEVEL: log-level is \"all\", but should be error, warning, "
		"notice, info or debug"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char path[64], variable[64] = "X=";
		char *const environment[] = {variable, NULL};
		const struct config_input in = {.file = path, .environment = environment};
		struct arena *arena = arena_new();
		struct str why = {0}, rest, wanted = str_of(cases[i].why);
		struct config config;

		write_file(path, cases[i].file);
		if (cases[i].variable != NULL)
			strcpy(variable, cases[i].variable);
		if (str_starts(wanted, STR("%s"))) {
			rest = str_sub(wanted, 2, wanted.len);
			wanted = STR_CONCAT(arena, str_of(path), rest);
		}
		ok(!config_load(&in, arena, &config, &why), "complaint %zu is made", i);
		is_str(why, wanted, "... in these words");
		unlink(path);
		arena_free(arena);
	}
}

static void
strays(void)
{
	static const struct {
		char variable[32];
		const char *meant;
		bool stray;
	} cases[] = {
	    {"BROADSHEET_STROE=x", "BROADSHEET_STORE", true},
	    {"BROADSHEET_STORE=x", NULL, false},
	    {"BROADSHEET_CONFIG=x", NULL, false},
	    {"BROADSHEET_XYZZYPLUGH=x", NULL, true},
	    {"HOME=x", NULL, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char variable[32];
		char *const environment[] = {variable, NULL};
		struct arena *arena = arena_new();
		const char *meant = NULL;
		bool stray;

		memcpy(variable, cases[i].variable, sizeof(variable));
		stray = config_stray_variable(environment, arena, &meant) != NULL;
		ok(stray == cases[i].stray && str_eq(str_of(meant), str_of(cases[i].meant)),
		    "%s %s", variable, stray ? "sets nothing" : "is nothing to warn of");
		arena_free(arena);
	}
}

static void
distances(void)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} cases[] = {
	    {"", "", 0},
	    {"seed", "seed", 0},
	    {"", "seed", 4},
	    {"sed", "seed", 1},
	    {"sede", "seed", 1},
	    {"seek", "seed", 1},
	    {"kitten", "sitting", 3},
	    {"export", "import", 2},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		is_int((int64_t)str_distance(str_of(cases[i].a), str_of(cases[i].b)),
		    (int64_t)cases[i].distance, "\"%s\" is %zu letters from \"%s\"", cases[i].a,
		    cases[i].distance, cases[i].b);
		is_int((int64_t)str_distance(str_of(cases[i].b), str_of(cases[i].a)),
		    (int64_t)cases[i].distance, "... and the way back is as long");
	}
}

int
main(void)
{
	file_form();
	file_values();
	places();
	threads_by_store();
	file_from_environment();
	defaults();
	values();
	complaints();
	strays();
	distances();
	return tap_done();
}
