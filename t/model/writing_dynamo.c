/* Writing over DynamoDB Local. */
#include "../table/dynamo_local.h"
#include "writing_cases.h"

int
main(void)
{
	struct harness harness;

	dynamo_local_need();
	harness = dynamo_harness();
	return writing_cases(&harness);
}
