#include "model/password.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/gate.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 4 * PASSWORD_MAX };

const struct password_cost password_cost_usual = {
    crypto_pwhash_argon2id_OPSLIMIT_INTERACTIVE, crypto_pwhash_argon2id_MEMLIMIT_INTERACTIVE};

struct password_gate {
	struct gate *gate;
	struct password_cost cost;
	/* What is checked where there is no hash: nobody's password, at the usual cost. */
	char nobody[crypto_pwhash_STRBYTES];
};

struct password_gate *
password_gate_new(const struct password_cost *cost, unsigned at_once, unsigned waiting)
{
	struct password_gate *gate = calloc(1, sizeof(*gate));

	if (gate == NULL)
		out_of_memory();
	gate->gate = gate_new(at_once, waiting);
	gate->cost = *cost;
	snprintf(gate->nobody, sizeof(gate->nobody),
	    "$argon2id$v=19$m=%zu,t=%llu,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
	    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	    cost->memory / 1024, cost->operations);
	return gate;
}

void
password_gate_free(struct password_gate *gate)
{
	if (gate == NULL)
		return;
	gate_free(gate->gate);
	free(gate);
}

unsigned
password_gate_watch(struct password_gate *gate, const struct gate_watcher *watcher)
{
	return gate_watch(gate->gate, watcher);
}

uint64_t
password_gate_count(struct password_gate *gate)
{
	return gate_count(gate->gate);
}

enum password_rc
password_hash(
    struct password_gate *gate, struct arena *arena, struct str password, struct str *stored)
{
	char *text = arena_alloc(arena, crypto_pwhash_STRBYTES);
	int failed;

	if (!gate_enter(gate->gate))
		return PASSWORD_BUSY;
	failed = crypto_pwhash_str_alg(text, password.base, password.len, gate->cost.operations,
	    gate->cost.memory, crypto_pwhash_ALG_ARGON2ID13);
	gate_leave(gate->gate);
	*stored = str_of(text);
	return failed ? PASSWORD_BUSY : PASSWORD_RIGHT;
}

enum password_rc
password_check(struct password_gate *gate, struct str stored, struct str password, bool *stale)
{
	char text[crypto_pwhash_STRBYTES];
	bool known = stored.len != 0 && stored.len < sizeof(text);
	int wrong;

	memcpy(text, gate->nobody, sizeof(text));
	if (known) {
		memset(text, 0, sizeof(text));
		memcpy(text, stored.base, stored.len);
	}
	if (!gate_enter(gate->gate))
		return PASSWORD_BUSY;
	wrong = crypto_pwhash_str_verify(text, password.base, password.len);
	gate_leave(gate->gate);
	*stale = !wrong && crypto_pwhash_str_needs_rehash(
			       text, gate->cost.operations, gate->cost.memory) != 0;
	return wrong || !known ? PASSWORD_WRONG : PASSWORD_RIGHT;
}

/* --- Choosing one ----------------------------------------------------------------------------------- */

/* What passwords that everybody tries begin with; digits and signs behind make none of them better. */
static const char *const common[] = {"password", "passwort", "passw0rd", "p@ssword", "p@ssw0rd",
    "senha", "contraseña", "motdepasse", "qwerty", "qwertz", "azerty", "qwertyuiop", "asdfghjkl",
    "zxcvbnm", "letmein", "iloveyou", "welcome", "willkommen", "bemvindo", "admin", "administrator",
    "changeme", "default", "secret", "dragon", "monkey", "master", "superman", "batman", "starwars",
    "football", "baseball", "liverpool", "sunshine", "princess", "michael", "jennifer", "charlie",
    "trustno", "whatever", "computer", "internet", "broadsheet", "newspaper", "abc", "abcd",
    "abcdef", "test", "testtest", "login", "hello", "helloworld", "correcthorse",
    "correcthorsebatterystaple", "passwordpassword", "iloveyouiloveyou", NULL};

static int64_t
characters(struct str s)
{
	int64_t count = 0;

	for (size_t i = 0; i < s.len; count++)
		str_rune(s, &i);
	return count;
}

static char
small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_letter(char c)
{
	return (small(c) >= 'a' && small(c) <= 'z') || (unsigned char)c >= 0x80;
}

/* Letters of a common password, with nothing but digits and signs behind them. */
static bool
is_common(struct str password)
{
	for (const char *const *word = common; *word != NULL; word++) {
		struct str begin = str_of(*word);
		bool letters = false;

		if (!str_eq_nocase(str_sub(password, 0, begin.len), begin))
			continue;
		for (size_t i = begin.len; i < password.len; i++)
			letters |= is_letter(password.base[i]);
		if (!letters)
			return true;
	}
	return false;
}

/* A few characters over and over, a run of the alphabet, or of digits, up or down. */
static bool
is_simple(struct str password)
{
	bool seen[256] = {false};
	size_t different = 0, steps = 0;

	for (size_t i = 0; i < password.len; i++) {
		unsigned char c = (unsigned char)small(password.base[i]);
		int step = i != 0 ? c - (unsigned char)small(password.base[i - 1]) : 0;

		different += !seen[c];
		seen[c] = true;
		/* 0 follows 9 on the keyboard. */
		steps += step == 1 || step == -1 || step == '0' - '9' || step == '9' - '0';
	}
	return different < 5 || steps + 3 >= password.len;
}

static bool
holds(struct str text, struct str part)
{
	for (size_t i = 0; i + part.len <= text.len; i++)
		if (str_eq_nocase(str_sub(text, i, part.len), part))
			return true;
	return false;
}

/* Is it their name or address, with little else? */
static bool
is_own(struct str password, struct str name)
{
	return name.len >= 3 && holds(password, name) && password.len < name.len + 6;
}

const char *
password_flaw(struct str password, struct str username, struct str email)
{
	struct str domain, mailbox = str_cut(email, '@', &domain);
	int64_t length = characters(password);

	if (length < PASSWORD_MIN)
		return "A password needs 10 characters at least. Four words in a row make a good "
		       "one.";
	if (length > PASSWORD_MAX || password.len > BYTES_MAX)
		return "A password may have 128 characters at most.";
	if (is_common(password) || is_simple(password))
		return "This is one of the passwords that are tried first. Four words in a row "
		       "make a "
		       "good one.";
	if (is_own(password, username) || is_own(password, mailbox) || is_own(password, email))
		return "This is made of your own name, which others know.";
	return NULL;
}

struct str
password_make(struct arena *arena, struct clock *clock)
{
	/* Without the letters and digits that are taken for one another. */
	static const char alphabet[] = "abcdefghijkmnpqrstuvwxyz23456789";
	enum { LETTERS = 20, GROUP = 4 };
	unsigned char chance[LETTERS];
	char *text = arena_alloc(arena, LETTERS + LETTERS / GROUP);
	size_t len = 0;

	_Static_assert(sizeof(alphabet) == 32 + 1, "five bits choose a letter");
	clock->random(clock, chance, sizeof(chance));
	for (size_t i = 0; i < LETTERS; i++) {
		if (i != 0 && i % GROUP == 0)
			text[len++] = '-';
		text[len++] = alphabet[chance[i] % 32];
	}
	sodium_memzero(chance, sizeof(chance));
	return (struct str){text, len};
}
