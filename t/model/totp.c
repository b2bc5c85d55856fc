/* One-time codes: those of RFC 6238, what is accepted as one, and that none is valid twice. */
#include "lib/tap.h"

#include "base/arena.h"
#include "model/people/totp.h"

#define SECRET STR("12345678901234567890")

/* The appendix of the RFC has eight digits; ours are their last six. */
static const struct {
	int64_t second;
	uint32_t code;
} known[] = {{59, 287082}, {1111111109, 81804}, {1111111111, 50471}, {1234567890, 5924},
    {2000000000, 279037}, {INT64_C(20000000000), 353130}};

static const struct {
	const char *says, *typed;
	int64_t last, off; /* steps: the last one used; how far the clock is off */
	bool match;
} typings[] = {
    {"as it is", "279037", 0, 0, true},
    {"with spaces", " 279 037 ", 0, 0, true},
    {"half a minute late", "279037", 0, 1, true},
    {"half a minute early", "279037", 0, -1, false},
    {"a minute late", "279037", 0, 2, false},
    {"a minute early", "279037", 0, -2, false},
    {"a second time", "279037", 66666666, 0, false},
    {"after a later one", "279037", 66666667, 0, false},
    {"after an earlier one", "279037", 66666665, 0, true},
    {"with a digit too few", "27903", 0, 0, false},
    {"with a digit too many", "2790370", 0, 0, false},
    {"with letters", "27903a", 0, 0, false},
    {"empty", "", 0, 0, false},
    {"wrong", "279038", 0, 0, false},
};

int
main(void)
{
	struct arena *arena = arena_new();
	const int64_t now = INT64_C(2000000000000);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		is_int(totp_code(SECRET, known[i].second / 30), known[i].code, "the code at %lld",
		    (long long)known[i].second);
	for (size_t i = 0; i < sizeof(typings) / sizeof(typings[0]); i++)
		is_int(totp_match(SECRET, str_of(typings[i].typed),
			   now + typings[i].off * TOTP_STEP_MS, typings[i].last),
		    typings[i].match ? now / TOTP_STEP_MS : 0, "a code typed %s", typings[i].says);
	is_int(totp_match(STR("short"), STR("279037"), now, 0), 0,
	    "a secret of another length has no codes");
	is_str(totp_base32(arena, SECRET), STR("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"), "base32");
	is_str(totp_base32(arena, STR("foob")), STR("MZXW6YQ"), "... of an odd length");
	is_str(totp_address(arena, STR("Slack Water: \xc3\xa9"), STR("noor"), SECRET),
	    STR("otpauth://totp/"
		"Slack%20Water%3A%20%C3%A9:noor?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&"
		"issuer=Slack%20Water%3A%20%C3%A9"),
	    "the address for an app");
	is_str(totp_address(arena, STR("0123456789012345678901234567890123456789xyz"), STR("a_b"),
		   STR("foo")),
	    STR("otpauth://totp/0123456789012345678901234567890123456789:a_b?secret=MZXW6&issuer="
		"0123456789012345678901234567890123456789"),
	    "... cuts a long name");
	arena_free(arena);
	return tap_done();
}
