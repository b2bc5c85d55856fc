#include "base/zip.h"

#include "base/arena.h"
#include "base/clock.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

enum {
	LOCAL = 0x04034b50,
	CENTRAL = 0x02014b50,
	END = 0x06054b50,
	VERSION = 20,
	STORED = 0,
	DEFLATED = 8,
	RAW = -15, /* zlib's window, without a header of its own */
	MEMORY = 8,
};

static void
put16(struct buf *out, uint32_t n)
{
	buf_putc(out, (char)(n & 0xff));
	buf_putc(out, (char)(n >> 8 & 0xff));
}

static void
put32(struct buf *out, uint32_t n)
{
	put16(out, n & 0xffff);
	put16(out, n >> 16);
}

void
zip_begin(struct zip *zip, struct buf *out, int64_t ms)
{
	struct date d = time_date(ms);

	*zip = (struct zip){.out = out, .begin = out->len, .directory = {.arena = out->arena}};
	/* Years from 1980 on, and every other second. */
	if (d.year < 1980)
		d = (struct date){.year = 1980, .month = 1, .day = 1};
	zip->date = (uint16_t)((d.year - 1980) << 9 | d.month << 5 | d.day);
	zip->time = (uint16_t)(d.hour << 11 | d.minute << 5 | d.second / 2);
}

/* What both headers of a file say alike. */
static void
put_file(struct buf *out, const struct zip *zip, struct str name, uint32_t how, uint32_t crc,
    size_t packed, size_t plain)
{
	put16(out, VERSION);
	put16(out, 0);
	put16(out, how);
	put16(out, zip->time);
	put16(out, zip->date);
	put32(out, crc);
	put32(out, (uint32_t)packed);
	put32(out, (uint32_t)plain);
	put16(out, (uint32_t)name.len);
	put16(out, 0);
}

/* False: it would be no smaller. */
static bool
deflate_into(struct arena *arena, struct str bytes, struct str *out)
{
	z_stream z = {.next_in = (unsigned char *)bytes.base, .avail_in = (unsigned)bytes.len};
	char *room = arena_alloc(arena, bytes.len);
	int rc;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	z.next_out = (unsigned char *)room;
	z.avail_out = (unsigned)bytes.len;
	rc = deflate(&z, Z_FINISH);
	*out = (struct str){room, bytes.len - z.avail_out};
	deflateEnd(&z);
	return rc == Z_STREAM_END;
}

void
zip_add(struct zip *zip, struct str name, struct str bytes, bool deflated)
{
	uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)bytes.base, (unsigned)bytes.len);
	uint32_t at = (uint32_t)(zip->out->len - zip->begin);
	struct str packed = bytes;
	uint32_t how = STORED;

	assert(zip->count < UINT16_MAX && bytes.len <= UINT32_MAX);
	if (deflated && bytes.len != 0 && deflate_into(zip->out->arena, bytes, &packed))
		how = DEFLATED;
	else
		packed = bytes;
	put32(zip->out, LOCAL);
	put_file(zip->out, zip, name, how, crc, packed.len, bytes.len);
	buf_put(zip->out, name);
	buf_put(zip->out, packed);

	put32(&zip->directory, CENTRAL);
	put16(&zip->directory, VERSION);
	put_file(&zip->directory, zip, name, how, crc, packed.len, bytes.len);
	put16(&zip->directory, 0); /* no comment */
	put16(&zip->directory, 0); /* on this disk */
	put16(&zip->directory, 0); /* attributes, two kinds of them */
	put32(&zip->directory, 0);
	put32(&zip->directory, at);
	buf_put(&zip->directory, name);
	zip->count++;
}

void
zip_end(struct zip *zip)
{
	uint32_t at = (uint32_t)(zip->out->len - zip->begin);

	buf_put(zip->out, buf_str(&zip->directory));
	put32(zip->out, END);
	put16(zip->out, 0);
	put16(zip->out, 0);
	put16(zip->out, zip->count);
	put16(zip->out, zip->count);
	put32(zip->out, (uint32_t)zip->directory.len);
	put32(zip->out, at);
	put16(zip->out, 0);
}
