/* Ranges of addresses: their one form, what is none, and which addresses are in them. */
#include "lib/tap.h"

#include "base/arena.h"
#include "model/site/address_block.h"

static const struct {
	const char *typed, *is; /* NULL: it is none */
} forms[] = {
    {"192.0.2.0/24", "192.0.2.0/24"},
    {" 192.0.2.77/24 ", "192.0.2.0/24"},
    {"192.0.2.77", "192.0.2.77/32"},
    {"10.255.1.2/9", "10.128.0.0/9"},
    {"10.0.0.0/8", "10.0.0.0/8"},
    {"0.0.0.0/0", NULL},
    {"10.0.0.0/7", NULL},
    {"192.0.2.0/33", NULL},
    {"192.0.2.0/", NULL},
    {"192.0.2.0/-1", NULL},
    {"192.0.2.0/2x", NULL},
    {"192.0.2.0/0024", NULL},
    {"192.0.2", NULL},
    {"", NULL},
    {"/24", NULL},
    {"example.org", NULL},
    {"2001:DB8::/32", "2001:db8::/32"},
    {"2001:db8:1:2:3::4/48", "2001:db8:1::/48"},
    {"2001:db8::1", "2001:db8::1/128"},
    {"2001::/16", "2001::/16"},
    {"2001::/15", NULL},
    {"::/0", NULL},
    {"2001:db8::/129", NULL},
    {"::ffff:192.0.2.7", "192.0.2.7/32"},
};

static const struct {
	const char *address, *range;
	bool in;
} members[] = {
    {"192.0.2.0", "192.0.2.0/24", true},
    {"192.0.2.255", "192.0.2.0/24", true},
    {"192.0.3.0", "192.0.2.0/24", false},
    {"192.0.1.255", "192.0.2.0/24", false},
    {"10.128.0.1", "10.128.0.0/9", true},
    {"10.127.255.255", "10.128.0.0/9", false},
    {"192.0.2.7", "192.0.2.7/32", true},
    {"192.0.2.8", "192.0.2.7/32", false},
    {"::ffff:192.0.2.9", "192.0.2.0/24", true},
    {"2001:db8::1", "2001:db8::/32", true},
    {"2001:db9::1", "2001:db8::/32", false},
    {"2001:db8:0:1::", "2001:db8::/63", true},
    {"2001:db8:0:2::", "2001:db8::/63", false},
    {"2001:db8::1", "2001:db8::1/128", true},
    {"2001:db8::2", "2001:db8::1/128", false},
    {"192.0.2.1", "2001:db8::/32", false},
    {"2001:db8::1", "192.0.2.0/24", false},
    {"", "192.0.2.0/24", false},
    {"unknown", "192.0.2.0/24", false},
    {"192.0.2.1", "", false},
    {"192.0.2.1", "nonsense", false},
};

int
main(void)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct str out = STR("none");
		bool is = address_range_normal(arena, str_of(forms[i].typed), &out);

		ok(is == (forms[i].is != NULL) && (!is || str_eq(out, str_of(forms[i].is))),
		    "the range “%s” is %s", forms[i].typed,
		    forms[i].is != NULL ? forms[i].is : "none");
	}
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		ok(address_in_range(arena, str_of(members[i].address), str_of(members[i].range)) ==
			members[i].in,
		    "“%s” is %sin “%s”", members[i].address, members[i].in ? "" : "not ",
		    members[i].range);
	arena_free(arena);
	return tap_done();
}
