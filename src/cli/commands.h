#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/command.h"

/* What the rows of main.c's table name: each in its own file, cmd_<name>.c. */

enum outcome cmd_backup(struct invocation *in);
enum outcome cmd_check(struct invocation *in);
enum outcome cmd_copy(struct invocation *in);
enum outcome cmd_export(struct invocation *in);
enum outcome cmd_get(struct invocation *in);
enum outcome cmd_help(struct invocation *in);
enum outcome cmd_import(struct invocation *in);
enum outcome cmd_query(struct invocation *in);
enum outcome cmd_rebuild(struct invocation *in);
enum outcome cmd_restore(struct invocation *in);
enum outcome cmd_reload(struct invocation *in);
enum outcome cmd_search(struct invocation *in);
enum outcome cmd_secret(struct invocation *in);
enum outcome cmd_seed(struct invocation *in);
enum outcome cmd_serve(struct invocation *in);
enum outcome cmd_table(struct invocation *in);
enum outcome cmd_user(struct invocation *in);
enum outcome cmd_work(struct invocation *in);
enum outcome cmd_version(struct invocation *in);

extern const struct option copy_options[];
extern const struct option export_options[];
extern const struct option get_options[];
extern const struct option import_options[];
extern const struct option query_options[];
extern const struct option rebuild_options[];
extern const struct option restore_options[];
extern const struct option search_command_options[];
extern const struct option secret_options[];
extern const struct option seed_options[];
extern const struct option serve_command_options[];
extern const struct option table_options[];
extern const struct option user_options[];
extern const struct option work_options[];

#endif
