/* The suite on the distributed engine, against DynamoDB Local. */
#include "dynamo_local.h"

int
main(void)
{
	struct harness harness;

	dynamo_local_need();
	harness = dynamo_harness();
	return conformance(&harness);
}
