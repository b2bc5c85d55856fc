#include "table/dynamo/endpoint.h"

#include "base/arena.h"

#include <arpa/inet.h>

/* `[address]`, of IPv6, and what follows it; the host is without the brackets. */
static bool
literal_read(struct arena *arena, struct str authority, struct str *host, struct str *rest)
{
	size_t end = str_find(authority, ']');
	struct in6_addr address;

	*host = str_dup(arena, str_sub(authority, 1, end - 1));
	*rest = str_sub(authority, end + 1, authority.len);
	return end < authority.len && inet_pton(AF_INET6, host->base, &address) == 1;
}

static bool
name_good(struct str host)
{
	for (size_t i = 0; i < host.len; i++) {
		if (host.base[i] <= ' ' || host.base[i] == '@' || host.base[i] == '?')
			return false;
	}
	return host.len > 0;
}

bool
dynamo_endpoint_read(
    struct arena *arena, struct str url, struct dynamo_endpoint *out, struct str *path)
{
	struct str authority, rest;
	size_t slash;
	int64_t port;

	if (str_starts(url, STR("https://")))
		out->tls = true;
	else if (str_starts(url, STR("http://")))
		out->tls = false;
	else
		return false;
	url = str_sub(url, out->tls ? 8 : 7, url.len);
	slash = str_find(url, '/');
	authority = str_sub(url, 0, slash);
	*path = str_dup(arena, str_sub(url, slash, url.len));
	if (str_starts(authority, STR("["))) {
		if (!literal_read(arena, authority, &out->host, &rest))
			return false;
	} else {
		size_t colon = str_find(authority, ':');

		out->host = str_dup(arena, str_sub(authority, 0, colon));
		rest = str_sub(authority, colon, authority.len);
		if (!name_good(out->host))
			return false;
	}
	port = out->tls ? 443 : 80;
	if (rest.len > 1 && !str_int(str_sub(rest, 1, rest.len), &port))
		return false;
	out->port = (uint16_t)port;
	return (rest.len == 0 || rest.base[0] == ':') && port >= 1 && port <= 65535;
}
