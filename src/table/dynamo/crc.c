/*
 * A CRC is the remainder of the bytes, as a polynomial, after division by another one, of degree 32. So bytes
 * may be replaced by any others with the same remainder: sixteen of them that come n bits before others can be
 * multiplied by x^n modulo the divisor and added to those. The processor multiplies 64 by 64 bits without
 * carry; the two halves of sixteen bytes take a factor each, and the bits being stored in the other
 * order, it is x^(n+32) for the first half and x^(n-32) for the second one, reflected. zlib does the
 * rest: sixteen bytes and those that do not fill a block.
 */
#include "table/dynamo/crc.h"

#include <zlib.h>

#ifdef __x86_64__
#include <immintrin.h>

enum { LANE = 16, LANES = 4, BLOCK = LANES * LANE };

__attribute__((target("pclmul,sse2"))) static inline __m128i
moved(__m128i bytes, __m128i factors)
{
	return _mm_xor_si128(
	    _mm_clmulepi64_si128(bytes, factors, 0x00), _mm_clmulepi64_si128(bytes, factors, 0x11));
}

__attribute__((target("pclmul,sse2"))) static inline __m128i
loaded(const unsigned char *from)
{
	return _mm_loadu_si128((const __m128i *)from);
}

/* At least a block. */
__attribute__((target("pclmul,sse2"))) static uint32_t
folded(const unsigned char *at, size_t len)
{
	const __m128i by_block = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
	const __m128i by_lane = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
	__m128i lanes[LANES], last;
	unsigned char rest[LANE];

	for (int i = 0; i < LANES; i++)
		lanes[i] = loaded(at + i * LANE);
	/* A CRC begins with the complement of its first 32 bits. */
	lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128(-1));
	for (at += BLOCK, len -= BLOCK; len >= BLOCK; at += BLOCK, len -= BLOCK)
		for (int i = 0; i < LANES; i++)
			lanes[i] = _mm_xor_si128(moved(lanes[i], by_block), loaded(at + i * LANE));
	last = lanes[0];
	for (int i = 1; i < LANES; i++)
		last = _mm_xor_si128(moved(last, by_lane), lanes[i]);
	for (; len >= LANE; at += LANE, len -= LANE)
		last = _mm_xor_si128(moved(last, by_lane), loaded(at));
	_mm_storeu_si128((__m128i *)rest, last);
	/* All ones: the final complement is zlib's. */
	return (uint32_t)crc32(crc32(UINT32_MAX, rest, sizeof(rest)), at, (uInt)len);
}
#endif

uint32_t
dynamo_crc(const void *bytes, size_t len)
{
#ifdef __x86_64__
	if (len >= BLOCK && __builtin_cpu_supports("pclmul"))
		return folded(bytes, len);
#endif
	return (uint32_t)crc32(0, bytes, (uInt)len);
}
