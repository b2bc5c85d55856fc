/* broadsheet version: versions of the program and its libraries, for bug reports. */
#include "cli/commands.h"

#include <config.h>
#include "table/driver.h"

#include <cmark.h>
#include <sodium.h>
#include <stdio.h>
#include <unicode/uvernum.h>
#include <zlib.h>

enum outcome
cmd_version(struct invocation *in)
{
	(void)in;
	printf("broadsheet %s\n", PACKAGE_VERSION);
	for (const struct table_driver *const *driver = table_drivers; *driver != NULL; driver++)
		if ((*driver)->library != NULL)
			printf("%s %s\n", (*driver)->prefix, (*driver)->library());
	printf("cmark %s\n", cmark_version_string());
	printf("libsodium %s\n", sodium_version_string());
	printf("zlib %s\n", zlibVersion());
	printf("icu %s\n", U_ICU_VERSION);
	return OUTCOME_DONE;
}
