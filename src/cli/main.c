/* broadsheet: the table of commands, and finding the one that is asked for. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/clock.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

static const struct command commands[] = {
    {
	.name = "serve",
	.arguments = "",
	.summary = "answer requests behind a web server",
	.details =
	    "Listens for FastCGI at a UNIX socket until SIGTERM or SIGINT ends it. SIGHUP starts\n"
	    "a new worker with settings and templates as they are now, and lets the old one\n"
	    "finish what it has begun; socket, threads and log-level count from the next start.\n"
	    "A table that is not there is not made: its disk may not be mounted.",
	.settings = SETTINGS_ALL,
	.options = serve_command_options,
	.run = cmd_serve,
    },
    {
	.name = "reload",
	.arguments = "PID",
	.summary = "have a server read settings and templates anew",
	.details = "Sends SIGHUP to the server, whose process is PID, and waits for what becomes "
		   "of it. When\n"
		   "the new worker can't start, this fails, and the old one goes on.",
	.least = 1,
	.most = 1,
	.run = cmd_reload,
    },
    {
	.name = "seed",
	.arguments = "[DIR]",
	.summary = "load a small publication to develop with",
	.details =
	    "Reads every *.jsonl in DIR (default: " PKGDATADIR "/seed) into a table without\n"
	    "content, which is made if need be. Times in the files count from now, and Markdown\n"
	    "is rendered. A mistake in a file leaves the table as it was.",
	.most = 1,
	.settings = SETTINGS_STORE,
	.options = seed_options,
	.run = cmd_seed,
    },
    {
	.name = "export",
	.arguments = "[FILE] | posts DIR",
	.summary = "write the whole table as JSON lines, or the posts as Markdown",
	.details =
	    "Writes one item a line, in DynamoDB's JSON, to FILE or standard output. FILE appears\n"
	    "when it is complete, readable by this user only: it holds the hashes of "
	    "passwords.\n"
	    "The site's secret is not in it: copy its file apart. On a table in a file, all of it\n"
	    "shows one moment.\n\n"
	    "posts DIR writes a Markdown file for each post, and the pictures that they show, for\n"
	    "import posts DIR to read. What is deleted is left out.",
	.most = 2,
	.settings = SETTINGS_STORE,
	.options = export_options,
	.run = cmd_export,
    },
    {
	.name = "import",
	.arguments = "FILE | posts DIR",
	.summary = "write JSON lines, or posts from Markdown files, into the table",
	.details =
	    "Reads what export wrote; - is standard input. Every line is checked before the first\n"
	    "is written, so a mistake leaves the table as it was. A table with content needs\n"
	    "--replace or --merge.\n\n"
	    "posts DIR reads every *.md in DIR, a post each. New ones are added, those that the\n"
	    "table has as they are stay; where it has another text, --merge is needed. Authors "
	    "and\n"
	    "categories that are not there are made.",
	.least = 1,
	.most = 2,
	.settings = SETTINGS_STORE,
	.options = import_options,
	.run = cmd_import,
    },
    {
	.name = "get",
	.arguments = "PK SK",
	.summary = "show one item",
	.details = "",
	.least = 2,
	.most = 2,
	.settings = SETTINGS_STORE,
	.options = get_options,
	.run = cmd_get,
    },
    {
	.name = "query",
	.arguments = "PARTITION",
	.summary = "show the items of a partition, of the table or of an index",
	.details =
	    "Of the conditions on the sort key one is allowed, or --from together with --to.",
	.least = 1,
	.most = 1,
	.settings = SETTINGS_STORE,
	.options = query_options,
	.run = cmd_query,
    },
    {
	.name = "check",
	.arguments = "",
	.summary = "would it start? settings, templates, static files, pictures, table",
	.details =
	    "Shows every setting and where it comes from, compiles the templates, looks at the\n"
	    "static files and at where pictures go, and reads the whole table.",
	.settings = SETTINGS_ALL,
	.run = cmd_check,
    },
    {
	.name = "backup",
	.arguments = "FILE",
	.summary = "copy the table to a new file while the site goes on",
	.details = "The copy shows one moment. FILE appears when it is complete and on the disk, "
		   "readable\n"
		   "by this user only. The site's secret is not in it: copy its file apart.",
	.least = 1,
	.most = 1,
	.settings = SETTINGS_STORE,
	.run = cmd_backup,
    },
    {
	.name = "restore",
	.arguments = "FILE",
	.summary = "put a backup back",
	.details =
	    "In one transaction: who reads meanwhile sees the table as it was or as it will be.",
	.least = 1,
	.most = 1,
	.settings = SETTINGS_STORE,
	.options = restore_options,
	.run = cmd_restore,
    },
    {
	.name = "table",
	.arguments = "create|describe|upgrade|confirm-clock|release|delete [NAME]",
	.summary = "make the table, look at it as a whole, upgrade it, delete it",
	.details =
	    "  create              makes it, empty; a DynamoDB table with its indexes and stream\n"
	    "  describe            what it is and how much it holds\n"
	    "  upgrade             carries items of older versions over, while the site runs\n"
	    "  confirm-clock       the clock is right although it is far ahead: sweep again\n"
	    "  release --yes       a copy, or what was handed over, takes writes: the other is gone\n"
	    "  delete --yes NAME   removes a DynamoDB table; NAME is its name once more",
	.least = 1,
	.most = 2,
	.settings = SETTINGS_STORE,
	.options = table_options,
	.run = cmd_table,
    },
    {
	.name = "copy",
	.arguments = "FROM TO",
	.summary = "copy the table of one store into another",
	.details =
	    "FROM and TO are sqlite:PATH or dynamodb:TABLE. A table in a file is made if need be;\n"
	    "one with content needs --replace or --resume. Both are read and compared at the end;\n"
	    "what is written meanwhile may be missing. Every ten seconds, and when the copy is\n"
	    "broken off, a line on standard error has the cursor with which to go on.\n\n"
	    "With --follow, the site goes on: TO is kept a copy, seconds behind, until a signal\n"
	    "ends it, and the same command goes on from there. On a line \"hand over\", or SIGUSR1,\n"
	    "the site moves to TO: nobody can write for a second or two, while the last changes\n"
	    "pass. `serve` goes on there by itself if its setting next-store names TO.",
	.least = 2,
	.most = 2,
	.options = copy_options,
	.run = cmd_copy,
    },
    {
	.name = "work",
	.arguments = "",
	.summary = "derive what follows from changes: counts, copies of names, HTML",
	.details = "`serve` does this, too, unless stream-worker is no. One process works at a time, and any\n"
		   "number stand by. A signal ends it between two batches.",
	.settings = SETTINGS_ALL,
	.options = work_options,
	.run = cmd_work,
    },
    {
	.name = "rebuild",
	.arguments = "[NAME]...",
	.summary = "make anew what is derived, while the site goes on",
	.details = "NAME is a derivation, of which `broadsheet work --status` has the list; without one, all\n"
		   "of them. What is broken off is continued by the worker, or by the same command.",
	.most = 16,
	.settings = SETTINGS_ALL,
	.options = rebuild_options,
	.run = cmd_rebuild,
    },
    {
	.name = "search",
	.arguments = "[WORD]...",
	.summary = "find posts, as readers do",
	.details = "Words, \"phrases\", -without, author:, tag:, category:, kind:, lang:, stars:>3, after:2024,\n"
		   "before:2025, in:comments, sort:newest. Quote what your shell would take for itself.\n\n"
		   "With --run, FOLDER has docs.tsv.gz (id, title, text) and queries.tsv (id, query): the\n"
		   "documents are indexed in a table of their own, and for each query a line\n"
		   "\"QUERY DOCUMENT\" is printed for what is found, best first, at most 1,000.",
	.most = 1000,
	.settings = SETTINGS_STORE,
	.options = search_command_options,
	.run = cmd_search,
    },
    {
	.name = "user",
	.arguments = "ACTION [ARGUMENT]...",
	.summary = "who may sign in: the first admin, a new password, a role",
	.details = "  create NAME EMAIL   registers somebody and prints a password, once\n"
		   "  list                everybody: name, role, status, e-mail address\n"
		   "  reset NAME...       prints a new password and ends all sessions\n"
		   "  role NAME ROLE      reader, author, editor or admin\n"
		   "  disable NAME        lets them in no more; what they wrote stays\n"
		   "  enable NAME         lets them in again, or in for the first time\n"
		   "  one-step NAME       turns two-step sign-in off for them\n"
		   "  invite              prints a link by which one person may register",
	.least = 1,
	.most = 17,
	.settings = SETTINGS_ALL,
	.options = user_options,
	.run = cmd_user,
    },
    {
	.name = "secret",
	.arguments = "rotate|adopt",
	.summary = "another key for what is sealed; a new start where the secret is lost",
	.details =
	    "The site's secret opens what lies sealed in the table. It is a file, secret-file, "
	    "made\n"
	    "at the first start; no backup or export of the table has it.\n\n"
	    "  rotate              puts another key in front, which seals from then on, and seals\n"
	    "                      anew what the table holds; older keys go on opening. Processes\n"
	    "                      that run notice by themselves. On several machines: --prepare\n"
	    "                      first, copy the file to the others, rotate, copy it once more\n"
	    "  adopt --yes         the secret is lost: goes on with the file that is there, or a "
	    "new\n"
	    "                      one. Names those whose second step can't be opened any more",
	.least = 1,
	.most = 1,
	.settings = SETTINGS_ALL,
	.options = secret_options,
	.run = cmd_secret,
    },
    {
	.name = "version",
	.arguments = "",
	.summary = "the version of this program and of its libraries",
	.details = "",
	.run = cmd_version,
    },
    {
	.name = "help",
	.arguments = "[COMMAND]",
	.summary = "what there is, or more about one command",
	.details = "",
	.most = 1,
	.run = cmd_help,
    },
    {NULL},
};

static enum outcome
run(struct invocation *in, char **environment)
{
	enum outcome outcome;
	struct str why;

	if (in->help) {
		help_command(in->command);
		return finish_output() ? OUTCOME_DONE : OUTCOME_FAILED;
	}
	in->input = (struct config_input){.file = in->config_file,
	    .flags = in->flags,
	    .flag_count = in->flag_count,
	    .environment = environment};
	if (in->command->settings != SETTINGS_NONE &&
	    !config_load(&in->input, in->arena, &in->config, &why)) {
		complain("%.*s", STR_ARGS(why));
		return OUTCOME_CONFIG;
	}
	outcome = in->command->run(in);
	if (!finish_output() && outcome == OUTCOME_DONE)
		return OUTCOME_FAILED;
	return outcome;
}

/* The name of the command; "--help" and "--version" are commands too. */
static const char *
command_name(const char *word)
{
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return "help";
	if (strcmp(word, "--version") == 0)
		return "version";
	return word;
}

int
main(int argc, char **argv, char **environment)
{
	struct clock clock = clock_system();
	struct invocation in = {.commands = commands, .clock = &clock};
	enum outcome outcome = OUTCOME_USAGE;

	if (argc < 2) {
		complain("a command is missing; see `broadsheet help`");
		return OUTCOME_USAGE;
	}
	if (sodium_init() < 0) {
		complain("libsodium can't start");
		return OUTCOME_FAILED;
	}
	in.command = command_find(commands, command_name(argv[1]));
	if (in.command == NULL)
		return OUTCOME_USAGE;
	in.arena = arena_new();
	if (options_read(&in, (const char *const *)argv + 2, (size_t)argc - 2))
		outcome = run(&in, environment);
	arena_free(in.arena);
	return (int)outcome;
}
