/* Writing over the embedded table. */
#include "../table/sqlite_harness.h"
#include "writing_cases.h"

int
main(void)
{
	struct sqlite_place place;
	struct harness harness = sqlite_harness(&place);

	return writing_cases(&harness);
}
