/*
 * Accounts: unique names and addresses in a race, finding people, invitations, limits. Sessions are
 * in session.c, what the staff do in role_and_status.c.
 */
#include "person.h"

#include "model/key.h"
#include "model/people/leaving.h"
#include "model/people/portrait.h"
#include "model/site/rate.h"

#include <pthread.h>
#include <sodium.h>

enum { CROWD = 64, TRIES = 50, TIMEOUT_MS = 120 * 1000 };

/* --- Races ------------------------------------------------------------------------------------------- */

struct racer {
	struct place *place;
	pthread_barrier_t *start;
	unsigned number;
	bool same_name; /* else the same address */
	enum plan_rc rc;
	bool refused; /* the address was invalid */
};

/* The same address as people type it; those of the last row are others, which are no addresses here. */
static struct str
typed_address(struct arena *arena, unsigned number)
{
	static const char *const forms[] = {"noor@example.org", "NOOR@EXAMPLE.ORG",
	    " Noor@Example.Org ", "nOOr@example.ORG\n", "noor@example.org", "Noor@example.org",
	    "\xef\xbd\x8eoor@example.org", "noo\xcc\x81r@example.org"};

	return str_dup(arena, str_of(forms[number % 8]));
}

static void *
race(void *data)
{
	struct racer *racer = data;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = racer->place->table, .call = &call, .now = NOW};
	struct str name = str_fmt(arena, "racer%02u", racer->number), email;

	racer->refused = !email_normal(arena, typed_address(arena, racer->number), &email);
	if (racer->same_name) {
		name = STR("winner");
		email = str_fmt(arena, "r%u@example.org", racer->number);
		racer->refused = false;
	}
	pthread_barrier_wait(racer->start);
	/* With many at once the table may ask some to retry; so they do. */
	for (int tries = 0; tries < TRIES && racer->rc == PLAN_TABLE && !racer->refused; tries++) {
		call.deadline = clock_monotonic(&racer->place->clock) + TIMEOUT_MS;
		racer->rc = create(&plan, name.base, str_cstring(arena, email), ROLE_READER);
	}
	arena_free(arena);
	return NULL;
}

static void
races(struct place *p, bool same_name)
{
	struct racer racers[CROWD];
	pthread_t threads[CROWD];
	pthread_barrier_t start;
	unsigned won = 0, lost = 0, refused = 0;
	enum plan_rc loss = same_name ? PLAN_TAKEN : PLAN_EMAIL_TAKEN;

	pthread_barrier_init(&start, NULL, CROWD);
	for (unsigned i = 0; i < CROWD; i++) {
		racers[i] = (struct racer){p, &start, i, same_name, PLAN_TABLE, false};
		pthread_create(&threads[i], NULL, race, &racers[i]);
	}
	for (unsigned i = 0; i < CROWD; i++) {
		pthread_join(threads[i], NULL);
		if (racers[i].refused) {
			refused++;
			continue;
		}
		won += racers[i].rc == PLAN_DONE;
		lost += racers[i].rc == loss;
	}
	pthread_barrier_destroy(&start);
	is_int(won, 1, "of 64 who take one %s at once, one wins", same_name ? "name" : "address");
	is_int(lost, same_name ? CROWD - 1 : CROWD * 6 / 8 - 1, "... and others learn why not");
	if (!same_name)
		is_int(refused, CROWD * 2 / 8, "... look-alikes are no addresses");
}

/* --- Finding and changing ---------------------------------------------------------------------------- */

static void
finding(struct place *p)
{
	struct account account;

	is_int(create(&p->plan, "marta", "marta@example.org", ROLE_ADMIN), PLAN_DONE, "a person");
	is_str(found(p, " Marta ").user.username, STR("marta"), "found by name, however typed");
	is_str(found(p, "MARTA@example.org").user.username, STR("marta"), "... by address");
	is_str(found(p, "marta").password, STR("hash"), "... with the password's hash");
	is_int(account_find(&p->plan, STR("nobody"), &account), PLAN_NOT_THERE, "nobody");
	is_int(account_find(&p->plan, STR("a@b.example"), &account), PLAN_NOT_THERE,
	    "... has an address");
	is_int(account_find(&p->plan, STR("#\xff"), &account), PLAN_NOT_THERE,
	    "what is neither is nobody");
}

static void
addresses(struct place *p)
{
	struct user marta = found(p, "marta").user, kofi, imported;

	create(&p->plan, "kofi", "kofi@example.org", ROLE_AUTHOR);
	kofi = found(p, "kofi").user;
	is_int(account_set_email(&p->plan, &kofi, STR("marta@example.org")), PLAN_EMAIL_TAKEN,
	    "somebody else's address can't be had");
	is_str(found(p, "kofi@example.org").user.username, STR("kofi"), "... one's own stays");
	is_int(account_set_email(&p->plan, &marta, STR("m@example.org")), PLAN_DONE,
	    "another address");
	is_str(found(p, "m@example.org").user.email, STR("m@example.org"), "... is found");
	is_int(account_set_email(&p->plan, &kofi, STR("marta@example.org")), PLAN_DONE,
	    "... and the old one is free");
	is_int(account_set_email(&p->plan, &marta, STR("x@example.org")), PLAN_CHANGED,
	    "who has not seen the last change does not undo it");
	kofi = found(p, "kofi").user;
	is_int(
	    account_end_sessions(&p->plan, &kofi, NULL), PLAN_DONE, "whose sessions end meanwhile");
	is_int(account_set_email(&p->plan, &kofi, STR("k@example.org")), PLAN_CHANGED,
	    "... changes no address by the password from before");
	create(&p->plan, "import", "", ROLE_AUTHOR);
	imported = found(p, "import").user;
	is_int(account_set_email(&p->plan, &imported, STR("import@example.org")), PLAN_DONE,
	    "who came without an address gets one");
	is_str(found(p, "import@example.org").user.username, STR("import"), "... and is found");
	create(&p->plan, "another", "", ROLE_AUTHOR);
	imported = found(p, "another").user;
	is_int(account_leave(&p->plan, &p->clock, &imported, true), PLAN_DONE,
	    "... and can leave without one");
}

/* --- Coming in --------------------------------------------------------------------------------------- */

static void
admission(void)
{
	static const enum admission wanted[4][3] = {
	    [REGISTRATION_CLOSED] = {ADMISSION_NO, ADMISSION_YES, ADMISSION_YES},
	    [REGISTRATION_OPEN] = {ADMISSION_YES, ADMISSION_YES, ADMISSION_YES},
	    [REGISTRATION_INVITATION] = {ADMISSION_INVITE, ADMISSION_YES, ADMISSION_YES},
	    [REGISTRATION_APPROVAL] = {ADMISSION_WAIT, ADMISSION_YES, ADMISSION_YES},
	};

	for (int policy = 0; policy < 4; policy++)
		for (int way = 0; way < 3; way++)
			is_int(account_admission((enum registration)policy, (enum way_in)way),
			    wanted[policy][way], "policy %d, way %d", policy, way);
}

static void
invitations(struct place *p)
{
	struct invitation made = {.hash = STR("code"), .by = STR("marta")}, found;
	struct new_account new = {.username = STR("guest"),
	    .email = STR("guest@example.org"),
	    .invitation = &made,
	    .status = USER_ACTIVE};

	is_int(invitation_find(&p->plan, STR("code"), &found), PLAN_NOT_INVITED,
	    "no invitation is none");
	is_int(account_create(&p->plan, &new), PLAN_NOT_INVITED, "... and lets nobody in");
	account_invite(&p->plan, &made);
	is_int(invitation_find(&p->plan, STR("code"), &found), PLAN_DONE, "an invitation is there");
	is_int(found.role, ROLE_READER, "... for a reader");
	p->plan.now = NOW + 8 * INT64_C(86400000);
	is_int(account_create(&p->plan, &new), PLAN_NOT_INVITED, "... for a week");
	p->plan.now = NOW;
	is_int(account_create(&p->plan, &new), PLAN_DONE, "... and lets one in");
	new.username = STR("other");
	new.email = STR("other@example.org");
	is_int(account_create(&p->plan, &new), PLAN_NOT_INVITED, "... and only one");
}

/* A role is given by who is an admin still; and the first admin has a link of their own, while there is none. */
static void
invited_to_more(struct place *p)
{
	struct invitation made = {
	    .hash = STR("more"), .by = STR("guest"), .whom = STR("Ada"), .role = ROLE_EDITOR}, found;
	struct new_account new = {.username = STR("ada"),
	    .email = STR("ada@example.org"),
	    .role = ROLE_EDITOR,
	    .invitation = &found,
	    .status = USER_ACTIVE};
	struct clock clock = clock_system();
	struct str first, next;
	bool wanted;

	account_invite(&p->plan, &made);
	invitation_find(&p->plan, STR("more"), &found);
	is_int(found.role, ROLE_EDITOR, "an invitation has a role");
	is_str(found.whom, STR("Ada"), "... and for whom it is");
	is_int(account_create(&p->plan, &new), PLAN_NOT_INVITED,
	    "... which nobody gives who is no admin (any more)");
	is_int(first_admin_wanted(&p->plan, &wanted), PLAN_DONE, "asking for admins");
	ok(wanted, "... there is none");
	first_admin_begin(&p->plan, &clock, &first);
	first_admin_begin(&p->plan, &clock, &next);
	is_int(invitation_find(&p->plan, session_hash(p->plan.call->arena, first), &found), PLAN_NOT_INVITED,
	    "the next link of the first admin takes the place of the one before");
	invitation_find(&p->plan, session_hash(p->plan.call->arena, next), &found);
	is_int(found.role, ROLE_ADMIN, "... and is for an admin");
	new.role = ROLE_ADMIN;
	p->plan.now = NOW + 2 * INT64_C(86400000);
	is_int(account_create(&p->plan, &new), PLAN_NOT_INVITED, "... for a day");
	p->plan.now = NOW;
	is_int(account_create(&p->plan, &new), PLAN_DONE, "... and makes one");
	first_admin_wanted(&p->plan, &wanted);
	ok(!wanted, "... then there is one");
	first_admin_begin(&p->plan, &clock, &next);
	is_int(invitation_find(&p->plan, session_hash(p->plan.call->arena, next), &found), PLAN_NOT_INVITED,
	    "... and no link makes another");
}

/* Six tries, of which the last one waits; and what is right takes no place but begins anew. */
static void
slowing(struct place *p)
{
	const int64_t begin = NOW - NOW % (RATE_WINDOW_SECONDS * 1000);
	const struct rate rate = {STR("s"), STR("noor"), 6, .slows = true};
	uint32_t wait = 0;

	for (int i = 0; i < RATE_FREE; i++)
		rate_take(p->table, &p->call, &rate, 1, begin, &wait);
	is_int(rate_take(p->table, &p->call, &rate, 1, begin + 1000, &wait), TABLE_CONDITION,
	    "behind five tries one waits");
	is_int(wait, RATE_DELAY_SECONDS - 1, "... from the last of them");
	is_int(rate_take_right(p->table, &p->call, &rate, 1, begin + 1000, &wait), TABLE_CONDITION,
	    "... whoever is right, too");
	is_int(rate_take(p->table, &p->call, &rate, 1, begin + 15000, &wait), TABLE_OK,
	    "... and may try then");
	is_int(rate_take(p->table, &p->call, &rate, 1, begin + 590000, &wait), TABLE_CONDITION,
	    "as often as there may be");
	is_int(wait, 10, "... in a window");
	is_int(rate_take_right(p->table, &p->call, &rate, 1, begin + 600000, &wait), TABLE_OK,
	    "in the next one all begins anew");
	for (int i = 0; i < RATE_FREE - 1; i++)
		rate_take(p->table, &p->call, &rate, 1, begin + 600000, &wait);
	rate_take_right(p->table, &p->call, &rate, 1, begin + 600000, &wait);
	for (int i = 0; i < RATE_FREE; i++)
		rate_take(p->table, &p->call, &rate, 1, begin + 600000, &wait);
	rate_take(p->table, &p->call, &rate, 1, begin + 600000, &wait);
	is_int(wait, RATE_DELAY_SECONDS, "... as it does for who was right");
	is_int(rate_take(p->table, &p->call, &rate, 1, begin + 1195000, &wait), TABLE_OK,
	    "long after it");
}

/*
 * The proof of a password, when others have used up the attempts since the limit was read: nothing
 * is done, and the result is not revealed, not even that there is nothing to do.
 */
/* Whoever acts has proved their password, which is counted with what they do. */
static struct plan *
proved(struct place *p, const struct rate *limit)
{
	rate_add(&p->plan, limit, 1, true);
	return &p->plan;
}

static void
proofs(struct place *p)
{
	const struct rate limit = {STR("prove"), STR("sole"), RATE_FREE, .slows = true};
	const struct account account = found(p, "sole"), other = found(p, "proved");
	struct session session = {.hash = STR("s"), .username = STR("sole")};
	uint32_t wait = 0;

	is_int(account_set_email(proved(p, &limit), &account.user, account.user.email), PLAN_DONE,
	    "the same address again");
	for (int i = 0; i < RATE_FREE; i++)
		rate_take(p->table, &p->call, &limit, 1, NOW, &wait);
	is_int(account_set_email(proved(p, &limit), &account.user, account.user.email),
	    PLAN_TOO_MANY, "... not when the tries are used up");
	is_int(account_set_email(proved(p, &limit), &account.user, other.user.email), PLAN_TOO_MANY,
	    "... nor that an address is taken");
	is_int(account_set_email(proved(p, &limit), &account.user, STR("new@example.org")),
	    PLAN_TOO_MANY, "... or free");
	is_int(account_set_password(proved(p, &limit), &account.user, STR("another"), &session),
	    PLAN_TOO_MANY, "... no other password");
	is_int(account_leave(proved(p, &limit), &p->clock, &account.user, true), PLAN_TOO_MANY,
	    "... nor who is the only admin");
	p->plan.now = NOW + RATE_DELAY_SECONDS * 1000;
	is_int(account_leave(proved(p, &limit), &p->clock, &account.user, true), PLAN_TOO_MANY,
	    "a limit that is reached stays so");
	p->plan.now = NOW + RATE_WINDOW_SECONDS * 1000;
	is_int(account_leave(proved(p, &limit), &p->clock, &account.user, true), PLAN_LAST_ADMIN,
	    "... for a while");
	is_int(account_set_password(proved(p, &limit), &account.user, STR("another"), &session),
	    PLAN_DONE, "... then all is as it was");
	p->plan.now = NOW;
}

static void
limits(struct place *p)
{
	const struct rate rates[] = {{STR("t"), STR("192.0.2.1"), 3}, {STR("t"), STR("noor"), 5}};
	uint32_t wait = 0;

	for (int i = 0; i < 3; i++)
		is_int(rate_take(p->table, &p->call, rates, 2, NOW, &wait), TABLE_OK, "try %d", i);
	is_int(rate_take(p->table, &p->call, rates, 2, NOW + 1000, &wait), TABLE_CONDITION,
	    "the fourth is too much");
	is_int(wait, RATE_WINDOW_SECONDS - NOW / 1000 % RATE_WINDOW_SECONDS - 1,
	    "... until the window is over");
	is_int(rate_take(p->table, &p->call, rates + 1, 1, NOW, &wait), TABLE_OK,
	    "what was refused did not count for the other limit");
	is_int(rate_take(p->table, &p->call, rates, 2, NOW + wait * INT64_C(1000) + 1000, &wait),
	    TABLE_OK, "then all begins anew");
	slowing(p);
	is_str(rate_address(p->arena, STR("192.0.2.7")), STR("192.0.2.7"), "an IPv4 address");
	is_str(rate_address(p->arena, STR("2001:db8:1:2:3::9")), STR("2001:db8:1:2::"),
	    "of an IPv6 address, the customer's network");
	is_str(rate_address(p->arena, STR("::ffff:192.0.2.7")), STR("192.0.2.7"),
	    "an IPv4 address that came by IPv6 is itself, not the network of all of them");
	is_str(rate_address(p->arena, STR("unix:")), STR("unknown"), "what is no address");
}

/* What was read before the staff hid a profile shows it to nobody again. */
static void
hidden_meanwhile(struct place *p)
{
	const struct profile says = {.display_name = STR("Proved"), .bio = STR("Buy awnings.")};
	struct account was = found(p, "proved");
	struct item *item;

	if (table_get(p->table, &p->call, key_user(p->arena, STR("proved")), &item) != TABLE_OK)
		bail_out("they are not there");
	is_int(account_restrict_profile(&p->plan, item, RESTRICTED_HIDDEN), PLAN_DONE, "a profile is hidden");
	is_int(account_set_profile(&p->plan, &was.user, &says, RESTRICTED_NOT), PLAN_CHANGED,
	    "... while other words are saved");
	is_int(portrait_set(&p->plan, &was.user, NULL, RESTRICTED_NOT), PLAN_CHANGED, "... or a portrait");
	is_int(cover_set(&p->plan, &was.user, STR(""), STR(""), RESTRICTED_NOT), PLAN_CHANGED, "... or a cover");
	was = found(p, "proved");
	is_int(was.user.profile, RESTRICTED_HIDDEN, "... and stays hidden");
	is_int(account_set_profile(&p->plan, &was.user, &says, RESTRICTED_HELD), PLAN_DONE,
	    "whoever knows that it is saves what they say");
	was = found(p, "proved");
	is_int(was.user.profile, RESTRICTED_HELD, "... which waits");
}

int
main(void)
{
	struct place p = {.arena = arena_new(), .clock = clock_system()};
	struct test_store store;
	struct clock fixed = clock_fixed(NOW, 1);

	if (sodium_init() < 0)
		bail_out("libsodium can't start");
	p.table = test_store_open(&store, &p.clock);
	p.call = (struct table_call){.arena = p.arena};
	p.plan = (struct plan){.table = p.table, .call = &p.call, .now = NOW};
	races(&p, false);
	races(&p, true);
	test_store_close(&store);

	p.table = test_store_open(&store, &fixed);
	p.plan.table = p.table;
	finding(&p);
	addresses(&p);
	admission();
	invitations(&p);
	limits(&p);
	test_store_close(&store);

	p.table = test_store_open(&store, &fixed);
	p.plan.table = p.table;
	invited_to_more(&p);
	test_store_close(&store);

	p.table = test_store_open(&store, &fixed);
	p.plan.table = p.table;
	create(&p.plan, "sole", "sole@example.org", ROLE_ADMIN);
	create(&p.plan, "proved", "proved@example.org", ROLE_READER);
	proofs(&p);
	hidden_meanwhile(&p);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}
