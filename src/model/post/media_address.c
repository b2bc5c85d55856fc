/* Addresses of pictures, and what follows from them: the sizes in which each is kept. */
#include "model/post/media.h"

#include "base/arena.h"
#include "base/buf.h"

#include <inttypes.h>

#define PREFIX STR("/media/")

enum { STEP = 5 }; /* a size narrower than another by less than a fifth is not worth a file */

static const int64_t widths[] = {480, 960};

static const char *const extensions[] = {"jpg", "png", "webp", NULL};

const char *
media_extension(enum media_format format)
{
	return extensions[format];
}

bool
media_hash_valid(struct str hash)
{
	for (size_t i = 0; i < hash.len; i++)
		if (!(hash.base[i] >= '0' && hash.base[i] <= '9') &&
		    !(hash.base[i] >= 'a' && hash.base[i] <= 'f'))
			return false;
	return hash.len == MEDIA_HASH_LEN;
}

/* A side of a picture in its one form: no zero before it, no sign, within bounds. */
static bool
read_side(struct str text, int64_t *out)
{
	return text.len != 0 && text.base[0] >= '1' && text.base[0] <= '9' && str_int(text, out) &&
	       *out <= MEDIA_SIDE_MAX;
}

bool
media_address_read(struct str url, struct str site, struct media_address *out)
{
	struct str rest, size, extension, height;
	int format;

	if (site.len != 0 && str_starts(url, site))
		url = str_sub(url, site.len, url.len);
	if (!str_starts(url, PREFIX))
		return false;
	out->hash = str_cut(str_sub(url, PREFIX.len, url.len), '-', &rest);
	size = str_cut(rest, '.', &extension);
	if (!media_hash_valid(out->hash) ||
	    !read_side(str_cut(size, 'x', &height), &out->size.width) ||
	    !read_side(height, &out->size.height))
		return false;
	format = choice_of(extensions, extension);
	out->format = format >= 0 ? (enum media_format)format : MEDIA_JPEG;
	return format >= 0;
}

struct str
media_file(struct arena *arena, const struct media_address *address)
{
	return str_fmt(arena, "%.*s-%" PRId64 "x%" PRId64 ".%s", STR_ARGS(address->hash),
	    address->size.width, address->size.height, extensions[address->format]);
}

struct str
media_path(struct arena *arena, const struct media_address *address)
{
	return STR_CONCAT(arena, PREFIX, media_file(arena, address));
}

/* The size of that width, with the shape of `whole`. */
static struct media_size
scaled(struct media_size whole, int64_t width)
{
	int64_t height = (whole.height * width + whole.width / 2) / whole.width;

	return (struct media_size){width, height > 0 ? height : 1};
}

struct media_size
media_whole(struct media_size sent)
{
	return sent.width <= MEDIA_WIDTH_MAX ? sent : scaled(sent, MEDIA_WIDTH_MAX);
}

size_t
media_sizes(struct media_size whole, struct media_size sizes[MEDIA_SIZES_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		if (widths[i] * STEP <= whole.width * (STEP - 1))
			sizes[count++] = scaled(whole, widths[i]);
	sizes[count++] = whole;
	return count;
}

struct str
media_srcset(struct arena *arena, const struct media_address *address)
{
	struct media_size sizes[MEDIA_SIZES_MAX];
	size_t count = media_sizes(address->size, sizes);
	struct buf out = {.arena = arena};

	for (size_t i = 0; count > 1 && i < count; i++) {
		const struct media_address one = {address->hash, sizes[i], address->format};

		if (i != 0)
			BUF_PUT(&out, ", ");
		buf_put(&out, media_path(arena, &one));
		buf_fmt(&out, " %" PRId64 "w", sizes[i].width);
	}
	return buf_str(&out);
}
