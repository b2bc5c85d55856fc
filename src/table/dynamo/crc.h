#ifndef TABLE_DYNAMO_CRC_H
#define TABLE_DYNAMO_CRC_H

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of some bytes, as zlib's crc32() gives it; with the processor's help where it has any. */
uint32_t dynamo_crc(const void *bytes, size_t len);

#endif
