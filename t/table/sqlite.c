/* The suite on the embedded engine. */
#include "sqlite_harness.h"

int
main(void)
{
	struct sqlite_place place;
	const struct harness harness = sqlite_harness(&place);

	return conformance(&harness);
}
