/*
 * Strangers who guess at a name do not lock its owner out on a known device, which has a limit of
 * its own. And what counts as one stranger: an address, a network; correct attempts do not count.
 */
#include "signing.h"

#include "lib/tap.h"

/*
 * Wrong passwords from that many networks, five from each, which is as many as are allowed without
 * waiting.
 */
static void
guess_from_everywhere(struct seeded *s, const char *name, int networks)
{
	for (int i = 0; i < networks; i++) {
		struct browser b =
		    browser(s, str_cstring(s->arena, str_fmt(s->arena, "203.0.%d.7", i)));

		for (int n = 0; n < 5; n++)
			sign_in(&b, name, "not this one");
	}
}

/* The same device, signed out: it has the one cookie that stays. */
static struct browser
signed_out(const struct browser *b)
{
	struct browser out = *b;

	out.session = STR("");
	return out;
}

static void
cookie(struct seeded *s, struct browser *owner)
{
	struct str head;

	is_int(sign_in(owner, "kofi", PASSWORD), HTTP_SEE_OTHER, "somebody signs in");
	head = owner->last.head;
	ok(owner->device.len != 0, "... and the device is remembered,");
	ok(!holds(owner->device, STR("kofi")), "... sealed, so that nobody reads who it was");
	head = part(head, "__Host-device=", "\n");
	ok(holds(head, STR("; HttpOnly")) && holds(head, STR("; SameSite=Lax")) &&
		holds(head, STR("; Secure")) && holds(head, STR("Max-Age=31536000")),
	    "... where no script, no other site and no plain connection has it, for a year");
	get(owner, "/account");
	is_int(SUBMIT(owner, "/logout", "x", "y"), HTTP_SEE_OTHER, "signing out");
	ok(owner->session.len == 0 && owner->device.len != 0, "... leaves it");
	is_int(get(owner, "/account"), HTTP_SEE_OTHER, "... and it lets nobody in");
	(void)s;
}

static void
locked(struct seeded *s, struct browser *owner)
{
	struct browser stranger = browser(s, "198.51.100.1"), other, b;
	int tries = 0;

	guess_from_everywhere(s, "kofi", 20);
	is_int(sign_in(&stranger, "kofi", PASSWORD), HTTP_TOO_MANY,
	    "a hundred guesses from everywhere use up a name");
	ok(says(&stranger, "Your e-mail address works as well as your name."),
	    "... and it is said what works all the same");
	is_int(sign_in(&stranger, "kofi@example.org", PASSWORD), HTTP_SEE_OTHER, "... and does");
	b = signed_out(owner);
	is_int(sign_in(&b, "kofi", PASSWORD), HTTP_SEE_OTHER,
	    "on the device that knows them its owner gets in");
	guess_from_everywhere(s, "kofi@example.org", 20);
	b = signed_out(owner);
	is_int(sign_in(&b, "kofi@example.org", PASSWORD), HTTP_SEE_OTHER,
	    "... by either name, whichever is used up");
	b = signed_out(owner);
	while (tries < 50 && sign_in(&b, "kofi", "not this one") == HTTP_UNPROCESSABLE)
		tries++;
	is_int(tries, 5, "what is tried on it counts there");
	is_str(header(&b.last, "Retry-After"), STR("15"), "... and slows down there");
	other = signed_out(owner);
	guess_from_everywhere(s, "noor", 20);
	is_int(sign_in(&other, "noor", PASSWORD), HTTP_TOO_MANY,
	    "it is known for whoever has signed in on it, and nobody else");
	s->clock.fixed_now += 600000;
	is_int(
	    sign_in(&other, "noor", PASSWORD), HTTP_SEE_OTHER, "another one signs in on it, too");
	guess_from_everywhere(s, "kofi", 20);
	guess_from_everywhere(s, "noor", 20);
	b = signed_out(&other);
	is_int(sign_in(&b, "kofi", PASSWORD), HTTP_SEE_OTHER, "... then it knows both: the first");
	b = signed_out(&b);
	is_int(sign_in(&b, "noor", PASSWORD), HTTP_SEE_OTHER, "... and the second");
}

/*
 * A new password makes devices forget the person, as it ends sessions; the one on which it was set
 * remains.
 */
static void
forgotten(struct seeded *s, struct browser *owner)
{
	struct browser here = browser(s, "198.51.100.2"), there;

	s->clock.fixed_now += 600000;
	sign_in(&here, "kofi", PASSWORD);
	get(&here, "/account");
	is_int(SUBMIT(&here, "/account/password", "old_password", PASSWORD, "new_password",
		   "four other words now"),
	    HTTP_SEE_OTHER, "another password");
	guess_from_everywhere(s, "kofi", 20);
	there = signed_out(owner);
	is_int(sign_in(&there, "kofi", "four other words now"), HTTP_TOO_MANY,
	    "... is one that devices from before do not know");
	here = signed_out(&here);
	is_int(sign_in(&here, "kofi", "four other words now"), HTTP_SEE_OTHER,
	    "... but the one where it was chosen does");
	here = signed_out(&here);
	here.device = str_fmt(s->arena, "%.*sA", STR_ARGS(here.device));
	is_int(sign_in(&here, "kofi", "four other words now"), HTTP_TOO_MANY,
	    "a cookie that is not ours is none");
}

/*
 * Many known devices give no more attempts than a few: somebody who got in once may have made many.
 */
static void
many_devices(struct seeded *s)
{
	struct browser devices[12];
	int tried = 0;

	s->clock.fixed_now += 600000;
	for (int i = 0; i < 12; i++) {
		devices[i] = browser(s, "198.51.100.3");
		sign_in(&devices[i], "ingrid", PASSWORD);
		devices[i] = signed_out(&devices[i]);
	}
	for (int i = 0; i < 12; i++)
		for (int n = 0; n < 5; n++)
			tried +=
			    sign_in(&devices[i], "ingrid", "not this one") == HTTP_UNPROCESSABLE;
	is_int(tried, 30, "all devices of a person have thirty tries together");
}

/* A customer of IPv6 has 65,536 networks, one of IPv4 may have 256 addresses. */
static void
networks(struct seeded *s)
{
	struct browser b;
	int six = 0, four = 0;

	s->clock.fixed_now += 600000;
	for (int i = 0; i < 40; i++) {
		b = browser(s, str_cstring(s->arena, str_fmt(s->arena, "2001:db8:5:%x::1", i)));
		six += sign_in(&b, "marta", "not this one") == HTTP_UNPROCESSABLE;
		b = browser(s, str_cstring(s->arena, str_fmt(s->arena, "203.0.113.%d", i)));
		four += sign_in(&b, "pascal", "not this one") == HTTP_UNPROCESSABLE;
	}
	is_int(six, 20, "a name has twenty tries from one /48, whatever networks are in it");
	is_int(four, 20, "... and from one /24");
	b = browser(s, "2001:db8:6::1");
	is_int(sign_in(&b, "marta", PASSWORD), HTTP_SEE_OTHER, "... and from another one more");
	six = 0;
	for (int i = 0; i < 200; i++) {
		b = browser(s, str_cstring(s->arena, str_fmt(s->arena, "2001:db8:7:%x::1", i)));
		six += sign_in(&b, str_cstring(s->arena, str_fmt(s->arena, "guess%d", i)),
			   "not this one") == HTTP_UNPROCESSABLE;
	}
	is_int(six, 120, "whatever names are tried, one /48 has a hundred and twenty");
}

static void
right(struct seeded *s)
{
	struct browser b;
	int in = 0;

	s->clock.fixed_now += 600000;
	for (int i = 0; i < 150; i++) {
		b = browser(s, "198.51.100.9");
		in += sign_in(&b, "lowri", PASSWORD) == HTTP_SEE_OTHER;
	}
	is_int(
	    in, 150, "who is right guesses nothing: all of 150 sign-ins in ten minutes are let in");
}

int
main(void)
{
	struct browser owner;
	struct seeded s;

	everybody_opens(&s);
	owner = browser(&s, "192.0.2.1");
	cookie(&s, &owner);
	locked(&s, &owner);
	forgotten(&s, &owner);
	many_devices(&s);
	networks(&s);
	right(&s);
	browsers_close(&s);
	return tap_done();
}
