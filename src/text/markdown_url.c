#include "text/escape.h"
#include "text/markdown_private.h"

/*
 * An address is written only if everybody who reads it reads the same. So a scheme must be one of three,
 * and what browsers repair in silence (a backslash for a slash, tabs and line ends inside, white space at
 * the ends) is refused or written as %XX. That leaves no way to spell another scheme or another host.
 */

static bool
is_control(struct str url)
{
	for (size_t i = 0; i < url.len;) {
		uint32_t rune = str_rune(url, &i);

		if (rune < 0x20 || (rune >= 0x7f && rune < 0xa0))
			return true;
	}
	return false;
}

/* What stands before the first colon, when that comes before any slash, question mark or hash. */
static bool
has_scheme(struct str url, struct str *scheme, struct str *rest)
{
	for (size_t i = 0; i < url.len; i++) {
		char c = url.base[i];

		if (c == '/' || c == '?' || c == '#')
			return false;
		if (c == ':') {
			*scheme = str_sub(url, 0, i);
			*rest = str_sub(url, i + 1, url.len);
			return true;
		}
	}
	return false;
}

/* Behind "http:" there must be a host, and no name with a password before it to pass for one. */
static bool
has_host(struct str rest)
{
	size_t i = 2;

	if (!str_starts(rest, STR("//")))
		return false;
	for (; i < rest.len; i++) {
		char c = rest.base[i];

		if (c == '@' || c == '\\' || c == ' ' || c == '%')
			return false;
		if (c == '/' || c == '?' || c == '#')
			break;
	}
	return i > 2 && rest.base[2] != ':';
}

/* Is the address the site's own: the site itself, and then nothing, a slash, a query or a fragment? */
static bool
is_site(struct str url, struct str site)
{
	return site.len != 0 && str_eq_nocase(str_sub(url, 0, site.len), site) &&
	       (url.len == site.len || url.base[site.len] == '/' || url.base[site.len] == '?' ||
		   url.base[site.len] == '#');
}

enum address_kind
address_kind(struct str url, struct str site)
{
	struct str scheme, rest;

	if (url.len == 0 || url.base[0] == ' ' || url.base[url.len - 1] == ' ' || is_control(url))
		return ADDRESS_REFUSED;
	if (has_scheme(url, &scheme, &rest)) {
		if (str_eq_nocase(scheme, STR("mailto")))
			return rest.len != 0 ? ADDRESS_MAIL : ADDRESS_REFUSED;
		if (!str_eq_nocase(scheme, STR("https")) && !str_eq_nocase(scheme, STR("http")))
			return ADDRESS_REFUSED;
		if (!has_host(rest))
			return ADDRESS_REFUSED;
		return is_site(url, site) ? ADDRESS_LOCAL : ADDRESS_FOREIGN;
	}
	/* Two slashes, in whatever way they lean, begin another host's address. */
	if (url.len >= 2 && (url.base[0] == '/' || url.base[0] == '\\') &&
	    (url.base[1] == '/' || url.base[1] == '\\'))
		return ADDRESS_REFUSED;
	return ADDRESS_LOCAL;
}

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* What RFC 3986 lets stand in an address, apart from the brackets that only an IPv6 host needs. */
static bool
may_stand(struct str url, size_t i)
{
	static const char marks[] = "-._~:/?#@!$&'()*+,;=";
	char c = url.base[i];

	if (c == '%')
		return url.len - i > 2 && is_hex(url.base[i + 1]) && is_hex(url.base[i + 2]);
	for (const char *mark = marks; *mark != '\0'; mark++)
		if (c == *mark)
			return true;
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void
address_put(struct buf *out, struct str url)
{
	for (size_t i = 0; i < url.len; i++) {
		if (may_stand(url, i))
			escape_html(out, str_sub(url, i, 1));
		else
			buf_fmt(out, "%%%02X", (unsigned char)url.base[i]);
	}
}
