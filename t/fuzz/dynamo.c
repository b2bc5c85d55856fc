/*
 * DynamoDB's answers, refusals and stream records: any bytes are either read or reported, and items
 * are valid.
 */
#include "fuzz.h"

#include "base/arena.h"
#include "table/dynamo/response.h"

static void
sound(const struct item *item)
{
	MUST(item == NULL || item_error(item) == NULL);
}

static void
refusals(struct arena *arena, struct str text)
{
	static const int statuses[] = {400, 403, 429, 500, 503};

	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct dynamo_refusal refusal;

		dynamo_refusal_read(arena, statuses[i], text, &refusal);
		MUST(refusal.rc != TABLE_OK && refusal.reason_count <= TABLE_BATCH_MAX);
		sound(refusal.item);
		for (size_t j = 0; j < refusal.reason_count; j++)
			sound(refusal.reasons[j].item);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct str text = fuzz_str(data, size), sequence = {0};
	struct json_reader in = json_reader(arena, text);
	struct dynamo_response response;
	struct change_record record;
	const char *why = NULL;

	if (dynamo_response_read(arena, text, &response, &why)) {
		sound(response.item);
		sound(response.last);
		for (size_t i = 0; i < response.items.count; i++)
			sound(&response.items.base[i]);
		for (size_t i = 0; i < response.unprocessed.count; i++)
			sound(&response.unprocessed.base[i]);
	} else {
		MUST(why != NULL && response.item == NULL && response.items.count == 0);
	}
	refusals(arena, text);
	record = dynamo_record_read(&in, &sequence);
	if (json_end(&in))
		MUST(record.key.pk.len + record.key.sk.len <= size);
	arena_free(arena);
	return 0;
}
