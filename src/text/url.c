#include "text/url.h"

#include "base/arena.h"

#include <string.h>

enum { BEYOND_ASCII = 0x80, NONE = 0x100 };

static bool
is_unreserved(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '.' || c == '_' || c == '~';
}

/* Encodes all but unreserved characters, the bytes of `also`, and those from `high` on. */
static void
put(struct buf *out, struct str text, const char *also, unsigned high)
{
	static const char hex[] = "0123456789ABCDEF";
	char *end = buf_room(out, text.len * 3);

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.base[i];

		if (is_unreserved(c) || c >= high || (c != '\0' && strchr(also, c) != NULL)) {
			*end++ = (char)c;
			continue;
		}
		*end++ = '%';
		*end++ = hex[c >> 4];
		*end++ = hex[c & 15];
	}
	out->len = (size_t)(end - out->base);
}

void
url_put_segment(struct buf *out, struct str segment)
{
	put(out, segment, "", NONE);
}

void
url_put_path(struct buf *out, struct str path)
{
	put(out, path, "/", NONE);
}

void
url_put_query(struct buf *out, struct str text)
{
	put(out, text, "", NONE);
}

void
url_put_carried(struct buf *out, struct str text)
{
	/* Invalid UTF-8 is escaped. */
	put(out, text, "", str_utf8(text) ? BEYOND_ASCII : NONE);
}

struct str
url_join(struct arena *arena, struct str prefix, struct str segment)
{
	struct buf out = {.arena = arena};
	size_t plain = 0;

	/* Most segments are slugs and names, which need no escapes. */
	while (plain < segment.len && is_unreserved((unsigned char)segment.base[plain]))
		plain++;
	if (plain == segment.len)
		return STR_CONCAT(arena, prefix, segment);
	buf_put(&out, prefix);
	url_put_segment(&out, segment);
	return buf_str(&out);
}

/* The value of a hexadecimal digit, or -1. */
static int
digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool
url_decode(struct arena *arena, struct str text, bool plus, struct str *out)
{
	char *base, *end;
	size_t i = 0;

	while (i < text.len && text.base[i] != '%' && !(plus && text.base[i] == '+'))
		i++;
	if (i == text.len) {
		*out = text;
		return true;
	}
	base = arena_copy(arena, text.base, text.len);
	end = base + i;
	for (; i < text.len; i++) {
		int high, low;

		if (text.base[i] == '+' && plus) {
			*end++ = ' ';
			continue;
		}
		if (text.base[i] != '%') {
			*end++ = text.base[i];
			continue;
		}
		if (text.len - i < 3)
			return false;
		high = digit(text.base[i + 1]);
		low = digit(text.base[i + 2]);
		if (high < 0 || low < 0)
			return false;
		*end++ = (char)(high << 4 | low);
		i += 2;
	}
	*out = (struct str){base, (size_t)(end - base)};
	return true;
}

/* --- Likening ----------------------------------------------------------------------------------------- */

/* Parameters that say where a visitor came from, not what is shown. */
static bool
is_for_counting(struct str parameter)
{
	static const struct str names[] = {STR_INIT("fbclid"), STR_INIT("gclid"), STR_INIT("dclid"),
	    STR_INIT("msclkid"), STR_INIT("yclid"), STR_INIT("igshid"), STR_INIT("mc_cid"), STR_INIT("mc_eid")};
	struct str value, name = str_cut(parameter, '=', &value);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_eq_nocase(name, names[i]))
			return true;
	return name.len == 0 || (name.len >= 4 && str_eq_nocase(str_sub(name, 0, 4), STR("utm_")));
}

static struct str
host_likened(struct arena *arena, struct str host)
{
	static const struct str ports[] = {STR_INIT(":80"), STR_INIT(":443")};

	host = str_lower(arena, host);
	for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++)
		if (str_ends(host, ports[i]))
			host.len -= ports[i].len;
	return str_starts(host, STR("www.")) ? str_sub(host, 4, host.len) : host;
}

struct str
url_likened(struct arena *arena, struct str url)
{
	struct buf out = {.arena = arena};
	struct str rest, query, path, scheme = str_cut(str_trim(url), ':', &rest);
	char joint = '?';

	if (!(str_eq_nocase(scheme, STR("http")) || str_eq_nocase(scheme, STR("https"))) ||
	    !str_starts(rest, STR("//")))
		return STR("");
	rest = str_cut(str_sub(rest, 2, rest.len), '#', &query);
	path = str_cut(rest, '?', &query);
	buf_put(&out, host_likened(arena, str_sub(path, 0, str_find(path, '/'))));
	path = str_sub(path, str_find(path, '/'), path.len);
	while (str_ends(path, STR("/")))
		path.len--;
	buf_put(&out, path);
	while (query.len != 0) {
		struct str parameter = str_cut(query, '&', &query);

		if (is_for_counting(parameter))
			continue;
		buf_putc(&out, joint);
		buf_put(&out, parameter);
		joint = '&';
	}
	return buf_str(&out);
}
