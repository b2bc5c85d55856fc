#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "server/config.h"
#include "server/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct clock;
struct invocation;

/* How a command ends: the exit status of the program. man/broadsheet.1 tells the same. */
enum outcome {
	OUTCOME_DONE = 0,
	OUTCOME_FAILED = 1, /* the operation failed, or there is no such item */
	OUTCOME_USAGE = 2,  /* the command line is wrong */
	OUTCOME_CONFIG = 3, /* a setting is wrong */
	OUTCOME_TABLE = 4,  /* the table is unavailable, corrupt, or full */
};

/* An option of a command: "--limit N". Those of all commands (--help, the settings) are in no list. */
struct option {
	const char *name;
	const char *value; /* what stands for its value in the help; NULL: it takes none */
	const char *summary;
};

/* Which of the settings a command takes as flags. All of them are read and checked if it takes any. */
enum command_settings { SETTINGS_NONE, SETTINGS_STORE, SETTINGS_ALL };

/* A row of the table of commands in main.c. Each command is a file, cmd_<name>.c. */
struct command {
	const char *name;
	const char *arguments; /* as its usage shows them: "PK SK"; "" for none */
	const char *summary;   /* one line */
	const char *details;   /* what else its help says; lines of at most 80 */
	unsigned least, most;  /* how many arguments */
	enum command_settings settings;
	const struct option *options; /* ended by one without a name; NULL: none */
	enum outcome (*run)(struct invocation *in);
};

/* A command as it was called. */
struct invocation {
	const struct command *command;
	const struct command *commands; /* all of them, ended by one without a name */
	struct arena *arena;
	struct clock *clock;
	struct config config;      /* when the command takes settings */
	struct config_input input; /* where they came from, to read them again */
	const char *const *arguments;
	size_t argument_count;
	const char **given;        /* for each of the command's options: its value, or NULL */
	const char *config_file;   /* of --config, or NULL */
	struct config_flag *flags; /* settings */
	size_t flag_count;
	bool help; /* --help was given */
};

/* What was given for an option of the command: its value ("" for one without), or NULL. */
const char *option_given(const struct invocation *in, const char *name);

/*
 * Reads what stands behind a command's name. False when it is wrong; it has said so, with a suggestion.
 * Options and arguments may be mixed; "--" ends the options, and "-" is an argument.
 */
bool options_read(struct invocation *in, const char *const *words, size_t count);

/* Help to standard output: of one command, or (NULL) of the program. */
void help_command(const struct command *command);
void help_program(const struct command *commands);

/* The command of this name, or NULL, and it has complained. */
const struct command *command_find(const struct command *commands, const char *name);

/* --- For commands: what many of them say --------------------------------------------------------- */

/* Complains of a failure of the table and gives the outcome for it. `why` may be NULL. */
enum outcome table_failed(enum table_rc rc, const char *why);

/*
 * Opens the table that some settings name, as store_open() does, for a command: its calls may take far longer than
 * those of pages, which somebody waits for.
 */
enum table_rc command_store(struct invocation *in, const struct config *config, enum table_open how,
    struct table **table, struct str *why);

/* The same with the settings of the invocation; complains when it can't. The caller ends it with table_close(). */
enum outcome open_store(struct invocation *in, enum table_open how, struct table **table);

/* Before a command writes what people would: notes its format in the table (model/site/format.h). */
enum outcome note_format(struct invocation *in, struct table *table);

/* An option's value as a number within bounds; false, and it has complained, when it is none. */
bool option_number(
    const struct invocation *in, const char *name, int64_t least, int64_t most, int64_t *out);

/*
 * What commands say to the person in front of them. Results go to standard output, all else to standard
 * error. Colour only on a terminal, and never when NO_COLOR is set.
 */

/* "broadsheet: …" and a line's end, to standard error; control characters are made visible. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum colour { COLOUR_NONE, COLOUR_BOLD, COLOUR_DIM, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW };

/* The sequence that begins a colour on this descriptor, or "" where there are none; COLOUR_NONE ends it. */
const char *colour(int fd, enum colour which);

/* Writes what standard output still holds. False, and it has complained, when that failed. */
bool finish_output(void);

/*
 * Progress of long work, to standard error: "importing: 12,000 items" on a terminal a few times a second,
 * elsewhere a line every few seconds. Begin with `{.what = "importing", .unit = "items"}`.
 */
struct progress {
	const char *what, *unit;
	int64_t last; /* when it was last shown; 0: not begun */
	bool shown;
};

/* `total` is 0 when it is not known. */
void progress_show(struct progress *progress, uint64_t done, uint64_t total);

/* Clears the line on a terminal. */
void progress_end(struct progress *progress);

/* A number with commas between its thousands, in `out`, of at least 32 bytes. Returns `out`. */
const char *grouped(uint64_t number, char *out);

#endif
