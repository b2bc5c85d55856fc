/* The heads of pictures: whatever comes, a size within bounds or none. */
#include "fuzz.h"

#include "web/media/image_head.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image_head head;
	struct media_size seen;

	switch (image_head_read(fuzz_str(data, size), &head)) {
	case IMAGE_GOOD:
		seen = image_head_seen(&head);
		MUST(seen.width >= 1 && seen.width <= MEDIA_SIDE_MAX);
		MUST(seen.height >= 1 && seen.height <= MEDIA_SIDE_MAX);
		MUST(seen.width * seen.height <= MEDIA_PIXELS_MAX);
		MUST(head.orientation >= 1 && head.orientation <= 8);
		MUST(size >= 20);
		break;
	case IMAGE_LARGE:
		MUST(head.stored.width > MEDIA_SIDE_MAX || head.stored.height > MEDIA_SIDE_MAX ||
		     head.stored.width * head.stored.height > MEDIA_PIXELS_MAX);
		break;
	case IMAGE_EMPTY: MUST(size == 0); break;
	case IMAGE_OTHER:
	case IMAGE_ANIMATED:
	case IMAGE_DAMAGED: break;
	}
	return 0;
}
