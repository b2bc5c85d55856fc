/*
 * FastCGI records as anybody with access to the socket may send them: any input stays within
 * limits, and the result does not depend on how it was split into reads. Parameters are filled in
 * as the program does.
 */
#include "fuzz.h"

#include "base/arena.h"
#include "base/buf.h"
#include "server/gateway.h"
#include "server/records.h"

static void
check_input(struct str params)
{
	struct request_input in;

	if (!gateway_input(params, &in))
		return;
	MUST(in.method.len > 0 && in.method.base >= params.base &&
	     in.method.base + in.method.len <= params.base + params.len);
	MUST(in.content_length >= -1);
}

/* All events from here on, up to the one that asks for more; false when there is no going on. */
static bool
put_events(struct records *records, struct buf *trace)
{
	enum records_event event;
	struct str text;

	while ((event = records_next(records, &text)) != RECORDS_MORE) {
		buf_putc(trace, (char)('0' + event));
		if (event == RECORDS_WHOLE)
			continue;
		MUST(text.len <= FCGI_MAX_LENGTH);
		buf_put(trace, text);
		if (event == RECORDS_PARAMS)
			check_input(text);
		if (event == RECORDS_WRONG)
			return false;
		if (event == RECORDS_REPLY || event == RECORDS_ENDED)
			MUST(text.len >= FCGI_HEADER_LEN && text.len <= RECORDS_REPLY_MAX);
	}
	return true;
}

/*
 * Pieces of `piece` bytes; 0: each of a different length, and the buffer filled as far as possible.
 */
static struct str
feed(struct arena *arena, struct str bytes, size_t piece)
{
	static struct records kept;
	struct records *records = &kept;
	struct buf trace = {.arena = arena};

	records_begin(records);
	for (size_t n = 1; bytes.len > 0; n++) {
		size_t room, len;
		void *to = records_room(records, &room);

		MUST(room > 0);
		len = piece > 0 ? piece : n * 37 % 101 + 1;
		len = len < room ? len : room;
		len = len < bytes.len ? len : bytes.len;
		memcpy(to, bytes.base, len);
		records_add(records, len);
		bytes = str_sub(bytes, len, bytes.len);
		if (!put_events(records, &trace))
			break;
	}
	return buf_str(&trace);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct str bytes = fuzz_str(data, size), whole = feed(arena, bytes, SIZE_MAX);

	MUST(str_eq(whole, feed(arena, bytes, 1)));
	MUST(str_eq(whole, feed(arena, bytes, 0)));
	check_input(bytes);
	arena_free(arena);
	return 0;
}
