/*
 * Accounts: names and addresses that are one person's alone in a race, what ends
 * sessions, the last admin, invitations, limits; and sessions by the clock.
 */
#include "../store.h"
#include "../tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/account.h"
#include "model/key.h"
#include "model/leaving.h"
#include "model/rate.h"
#include "model/session.h"
#include "model/viewer.h"

#include <pthread.h>
#include <sodium.h>

static const int64_t NOW = 1795000000000;
enum { CROWD = 64, TRIES = 50, PATIENCE_MS = 30 * 1000 };

struct place {
	struct arena *arena;
	struct clock clock;
	struct table *table;
	struct table_call call;
	struct accounts accounts;
};

static enum account_rc
create(struct accounts *a, const char *name, const char *email, enum role role)
{
	const struct new_account new = {.username = str_of(name),
	    .email = str_of(email),
	    .password = STR("hash"),
	    .role = role,
	    .status = USER_ACTIVE};

	return account_create(a, &new);
}

static struct account
found(struct place *p, const char *typed)
{
	struct account account = {.password = STR("")};

	if (account_find(&p->accounts, str_of(typed), &account) != ACCOUNT_DONE)
		bail_out("%s is not there", typed);
	return account;
}

/* --- Races ------------------------------------------------------------------------------------------- */

struct racer {
	struct place *place;
	pthread_barrier_t *start;
	unsigned number;
	bool same_name; /* else the same address */
	enum account_rc rc;
	bool refused; /* the address was none */
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
	struct accounts a = {.table = racer->place->table, .call = &call, .now = NOW};
	struct str name = str_fmt(arena, "racer%02u", racer->number), email;

	racer->refused = !email_normal(arena, typed_address(arena, racer->number), &email);
	if (racer->same_name) {
		name = STR("winner");
		email = str_fmt(arena, "r%u@example.org", racer->number);
		racer->refused = false;
	}
	pthread_barrier_wait(racer->start);
	/* Where many fall over one another the table may tell some to come again; so they do. */
	for (int tries = 0; tries < TRIES && racer->rc == ACCOUNT_TABLE && !racer->refused;
	     tries++) {
		call.deadline = clock_monotonic(&racer->place->clock) + PATIENCE_MS;
		racer->rc = create(&a, name.base, str_cstring(arena, email), ROLE_READER);
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
	enum account_rc loss = same_name ? ACCOUNT_NAME_TAKEN : ACCOUNT_EMAIL_TAKEN;

	pthread_barrier_init(&start, NULL, CROWD);
	for (unsigned i = 0; i < CROWD; i++) {
		racers[i] = (struct racer){p, &start, i, same_name, ACCOUNT_TABLE, false};
		pthread_create(&threads[i], NULL, race, &racers[i]);
	}
	for (unsigned i = 0; i < CROWD; i++) {
		pthread_join(threads[i], NULL);
		if (racers[i].refused) {
			refused++;
			continue;
		}
		won += racers[i].rc == ACCOUNT_DONE;
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

	is_int(create(&p->accounts, "marta", "marta@example.org", ROLE_ADMIN), ACCOUNT_DONE,
	    "a person");
	is_str(found(p, " Marta ").user.username, STR("marta"), "found by name, however typed");
	is_str(found(p, "MARTA@example.org").user.username, STR("marta"), "... by address");
	is_str(found(p, "marta").password, STR("hash"), "... with the password's hash");
	is_int(account_find(&p->accounts, STR("nobody"), &account), ACCOUNT_NOT_THERE, "nobody");
	is_int(account_find(&p->accounts, STR("a@b.example"), &account), ACCOUNT_NOT_THERE,
	    "... has an address");
	is_int(account_find(&p->accounts, STR("#\xff"), &account), ACCOUNT_NOT_THERE,
	    "what is neither is nobody");
}

static void
addresses(struct place *p)
{
	struct user marta = found(p, "marta").user, kofi, imported;

	create(&p->accounts, "kofi", "kofi@example.org", ROLE_AUTHOR);
	kofi = found(p, "kofi").user;
	is_int(account_set_email(&p->accounts, &kofi, STR("marta@example.org")),
	    ACCOUNT_EMAIL_TAKEN, "somebody else's address can't be had");
	is_str(found(p, "kofi@example.org").user.username, STR("kofi"), "... one's own stays");
	is_int(account_set_email(&p->accounts, &marta, STR("m@example.org")), ACCOUNT_DONE,
	    "another address");
	is_str(found(p, "m@example.org").user.email, STR("m@example.org"), "... is found");
	is_int(account_set_email(&p->accounts, &kofi, STR("marta@example.org")), ACCOUNT_DONE,
	    "... and the old one is free");
	is_int(account_set_email(&p->accounts, &marta, STR("x@example.org")), ACCOUNT_CHANGED,
	    "who has not seen the last change does not undo it");
	kofi = found(p, "kofi").user;
	is_int(account_end_sessions(&p->accounts, &kofi, NULL), ACCOUNT_DONE,
	    "whose sessions end meanwhile");
	is_int(account_set_email(&p->accounts, &kofi, STR("k@example.org")), ACCOUNT_CHANGED,
	    "... changes no address by the password from before");
	create(&p->accounts, "import", "", ROLE_AUTHOR);
	imported = found(p, "import").user;
	is_int(account_set_email(&p->accounts, &imported, STR("import@example.org")), ACCOUNT_DONE,
	    "who came without an address gets one");
	is_str(found(p, "import@example.org").user.username, STR("import"), "... and is found");
	create(&p->accounts, "another", "", ROLE_AUTHOR);
	imported = found(p, "another").user;
	is_int(account_leave(&p->accounts, &p->clock, &imported, true), ACCOUNT_DONE,
	    "... and can leave without one");
}

/* Is the session of that token good at `now`? */
static bool
lets_in(struct place *p, const struct session *session, const char *name, int64_t now)
{
	struct user user = found(p, name).user;

	return session_good(session, &user, now);
}

static void
eras(struct place *p)
{
	struct user user = found(p, "kofi").user;
	struct session old = {.hash = STR("a"),
	    .username = STR("kofi"),
	    .created = NOW,
	    .used = NOW,
	    .era = user.era};
	struct session stays = old;

	stays.hash = STR("b");
	ok(lets_in(p, &old, "kofi", NOW), "a session is good");
	ok(!lets_in(p, &old, "marta", NOW), "... for its own person alone");
	is_int(account_set_password(&p->accounts, &user, STR("new"), &stays), ACCOUNT_DONE,
	    "another password");
	ok(!lets_in(p, &old, "kofi", NOW), "... ends the sessions");
	ok(lets_in(p, &stays, "kofi", NOW), "... but the one that goes on");
	is_int(account_set_password(&p->accounts, &user, STR("newer"), NULL), ACCOUNT_CHANGED,
	    "two at once: the second is told");
	is_str(found(p, "kofi").password, STR("new"), "... and changes nothing");
	old = stays;
	user = found(p, "kofi").user;
	account_end_sessions(&p->accounts, &user, NULL);
	ok(!lets_in(p, &old, "kofi", NOW), "signing out everywhere ends them");
	old.era = found(p, "kofi").user.era;
	account_set_standing(&p->accounts, STR("kofi"), ROLE_EDITOR, USER_ACTIVE);
	ok(lets_in(p, &old, "kofi", NOW), "another role does not");
	old.role = STR("reader");
	user = found(p, "kofi").user;
	ok(session_outdated(&old, &user), "... but their tokens are of another role");
	old.role = STR("editor");
	ok(!session_outdated(&old, &user), "... until they are given anew");
	account_set_standing(&p->accounts, STR("kofi"), ROLE_EDITOR, USER_DISABLED);
	ok(!lets_in(p, &old, "kofi", NOW), "whoever is disabled is out");
	old.era = found(p, "kofi").user.era;
	ok(!lets_in(p, &old, "kofi", NOW), "... in any era");
	account_set_standing(&p->accounts, STR("kofi"), ROLE_EDITOR, USER_ACTIVE);
	is_int(account_rehash(&p->accounts, STR("kofi"), STR("new"), STR("same")), ACCOUNT_DONE,
	    "the same password, hashed anew");
	is_int(account_rehash(&p->accounts, STR("kofi"), STR("new"), STR("late")), ACCOUNT_CHANGED,
	    "... not over another one");
}

static void
by_the_clock(struct place *p)
{
	struct user user = found(p, "marta").user;
	struct session s = {.hash = STR("c"),
	    .username = STR("marta"),
	    .created = NOW,
	    .used = NOW,
	    .era = user.era};

	ok(session_good(&s, &user, NOW + SESSION_IDLE_MS - 1), "unused for a while it is good");
	ok(!session_good(&s, &user, NOW + SESSION_IDLE_MS), "... for two weeks it is not");
	s.used = NOW + SESSION_AGE_MS - 1;
	ok(session_good(&s, &user, s.used), "used all the time it is good for long");
	ok(!session_good(&s, &user, NOW + SESSION_AGE_MS), "... and ends all the same");
	ok(!session_stale(&s, s.used + SESSION_TOUCH_MS - 1) &&
		session_stale(&s, s.used + SESSION_TOUCH_MS),
	    "it is written down once an hour");
}

static void
touching(struct place *p)
{
	struct session s = {
	    .hash = STR("d"), .username = STR("marta"), .created = NOW, .used = NOW};
	struct write put = session_put(p->arena, &s), touch = session_touch(p->arena, &s, NOW + 5);
	struct write steal = session_delete(p->arena, STR("d"), STR("kofi")),
		     end = session_delete(p->arena, STR("d"), STR("marta"));
	struct item *item;

	is_int(table_write(p->table, &p->call, &put), TABLE_OK, "a session is put");
	is_int(table_write(p->table, &p->call, &touch), TABLE_OK, "... used");
	is_int(table_write(p->table, &p->call, &steal), TABLE_CONDITION,
	    "... not ended by somebody else");
	is_int(table_write(p->table, &p->call, &end), TABLE_OK, "... and ended");
	is_int(table_write(p->table, &p->call, &touch), TABLE_CONDITION,
	    "what has ended does not come back by being used");
	table_get(p->table, &p->call, key_session(p->arena, STR("d")), &item);
	ok(item == NULL, "... it is not there");
}

/* --- The last admin ---------------------------------------------------------------------------------- */

/* A table before whose first transaction something else happens: a race that is won each time. */
struct slow_table {
	struct table table;
	struct place *place;
	bool happened;
};

static enum table_rc
slow_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	return table_read(((struct slow_table *)table)->place->table, call, reads, count);
}

static enum table_rc
slow_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct slow_table *slow = (struct slow_table *)table;

	if (!slow->happened) {
		slow->happened = true;
		is_int(account_set_standing(
			   &slow->place->accounts, STR("kofi"), ROLE_READER, USER_ACTIVE),
		    ACCOUNT_DONE, "one of two admins is removed");
	}
	return table_transact(slow->place->table, call, writes, count, token);
}

static const struct table_engine slow_engine = {
    .name = "slow", .deadline_ms = 1000, .read = slow_read, .transact = slow_transact};

static void
last_admin(struct place *p)
{
	struct slow_table slow = {.table = {&slow_engine, &p->clock}, .place = p};
	struct table_call call = {.arena = p->arena};
	struct accounts meanwhile = {.table = &slow.table, .call = &call, .now = NOW};

	is_int(account_set_standing(&p->accounts, STR("marta"), ROLE_EDITOR, USER_ACTIVE),
	    ACCOUNT_LAST_ADMIN, "the last admin can't become an editor");
	is_int(account_set_standing(&p->accounts, STR("marta"), ROLE_ADMIN, USER_DISABLED),
	    ACCOUNT_LAST_ADMIN, "... nor be disabled");
	is_int(account_set_standing(&p->accounts, STR("kofi"), ROLE_READER, USER_ACTIVE),
	    ACCOUNT_DONE, "... while others can");
	is_int(account_set_standing(&p->accounts, STR("nobody"), ROLE_READER, USER_ACTIVE),
	    ACCOUNT_NOT_THERE, "nobody can't");
	account_set_standing(&p->accounts, STR("kofi"), ROLE_ADMIN, USER_ACTIVE);
	is_int(account_set_standing(&meanwhile, STR("marta"), ROLE_READER, USER_ACTIVE),
	    ACCOUNT_CHANGED, "... in the moment in which the other is removed, too: she stays");
	is_int(found(p, "marta").user.role, ROLE_ADMIN, "... an admin");
	account_set_standing(&p->accounts, STR("kofi"), ROLE_ADMIN, USER_ACTIVE);
	slow.happened = false;
	is_int(account_set_standing(&meanwhile, STR("kofi"), ROLE_EDITOR, USER_ACTIVE),
	    ACCOUNT_CHANGED, "two who change one person: the second is told");
}

/* --- Coming in --------------------------------------------------------------------------------------- */

static void
admission(void)
{
	static const enum admission wanted[4][3] = {
	    [REGISTRATION_CLOSED] = {ADMISSION_NO, ADMISSION_NO, ADMISSION_YES},
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
	struct new_account new = {.username = STR("guest"),
	    .email = STR("guest@example.org"),
	    .invitation = STR("code"),
	    .status = USER_ACTIVE};
	bool there = true;

	account_invited(&p->accounts, STR("code"), &there);
	ok(!there, "no invitation is none");
	is_int(account_create(&p->accounts, &new), ACCOUNT_NOT_INVITED, "... and lets nobody in");
	account_invite(&p->accounts, STR("code"), STR("marta"));
	account_invited(&p->accounts, STR("code"), &there);
	ok(there, "an invitation is there");
	p->accounts.now = NOW + 8 * INT64_C(86400000);
	is_int(account_create(&p->accounts, &new), ACCOUNT_NOT_INVITED, "... for a week");
	p->accounts.now = NOW;
	is_int(account_create(&p->accounts, &new), ACCOUNT_DONE, "... and lets one in");
	new.username = STR("other");
	new.email = STR("other@example.org");
	is_int(account_create(&p->accounts, &new), ACCOUNT_NOT_INVITED, "... and only one");
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
	is_str(rate_address(p->arena, STR("192.0.2.7")), STR("192.0.2.7"), "an IPv4 address");
	is_str(rate_address(p->arena, STR("2001:db8:1:2:3::9")), STR("2001:db8:1:2::"),
	    "of an IPv6 address, the customer's network");
	is_str(rate_address(p->arena, STR("::ffff:192.0.2.7")), STR("192.0.2.7"),
	    "an IPv4 address that came by IPv6 is itself, not the network of all of them");
	is_str(rate_address(p->arena, STR("unix:")), STR("unknown"), "what is no address");
}

/* --- The log ----------------------------------------------------------------------------------------- */

static size_t
logged(struct place *p, struct audit_entry *last)
{
	struct query query = query_audit(p->arena, str_sub(time_format(p->arena, NOW), 0, 7));
	struct item *found;
	size_t count;
	struct str next;

	query.limit = 100;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("no log");
	if (count != 0)
		audit_from_item(p->arena, &found[count - 1], last);
	return count;
}

/* Those of a standing, by their names. */
static struct str
people(struct place *p, const char *standing)
{
	struct query query = query_people(p->arena, str_of(standing), STR(""));
	struct buf names = {.arena = p->arena};
	struct item *found;
	size_t count;
	struct str next;

	query.limit = 100;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("no people");
	for (size_t i = 0; i < count; i++)
		buf_fmt(&names, "%.*s ", STR_ARGS(item_string(&found[i], STR("Username"))));
	return buf_str(&names);
}

static void
staff_acts(struct place *p, struct clock *clock)
{
	const struct audit marta = {p->arena, clock, STR("marta")};
	struct audit_entry last = {.created = 0};
	struct user kofi;

	is_int((int64_t)logged(p, &last), 0, "what people do on their own is not logged");
	p->accounts.audit = &marta;
	account_set_standing(&p->accounts, STR("kofi"), ROLE_AUTHOR, USER_DISABLED);
	is_int((int64_t)logged(p, &last), 1, "what the staff do is");
	is_str(last.actor, STR("marta"), "... who");
	is_str(str_of(audit_action_name(last.action)), STR("user.standing"), "... what");
	is_str(last.target, STR("kofi"), "... to whom");
	is_str(last.change, STR("status: active → disabled"), "... and what changed");
	is_str(people(p, "author"), STR(""), "whoever is disabled is no author to the staff");
	is_str(people(p, "disabled"), STR("kofi "), "... but disabled");
	is_int(account_set_standing(&p->accounts, STR("marta"), ROLE_READER, USER_ACTIVE),
	    ACCOUNT_LAST_ADMIN, "what is refused");
	is_int((int64_t)logged(p, &last), 1, "... is not logged");
	clock->fixed_now++;
	account_set_standing(&p->accounts, STR("kofi"), ROLE_EDITOR, USER_ACTIVE);
	is_int((int64_t)logged(p, &last), 2, "the next");
	is_str(last.change, STR("role: author → editor; status: disabled → active"), "... in turn");
	is_str(people(p, "editor"), STR("kofi "), "an editor");
	clock->fixed_now++;
	kofi = found(p, "kofi").user;
	account_set_password(&p->accounts, &kofi, STR("top secret"), NULL);
	logged(p, &last);
	is_str(str_of(audit_action_name(last.action)), STR("user.password"), "a new password");
	is_str(last.change, STR(""), "... is not told");
	p->accounts.audit = NULL;
}

static void
viewers(struct place *p)
{
	struct item member = {.count = 0}, group = {.count = 0};
	struct str names[] = {STR("posts.edit"), STR("no.such")};
	struct viewer viewer;
	struct read read = viewer_read(p->arena, STR("guest")), groups;

	item_set(p->arena, &member, STR("PK"), value_string(STR("USER#guest")));
	item_set(p->arena, &member, STR("SK"), value_string(STR("MEMBERSHIP#proof")));
	item_set(p->arena, &member, STR("Group"), value_string(STR("proof")));
	item_set(p->arena, &group, STR("PK"), value_string(STR("GROUP#proof")));
	item_set(p->arena, &group, STR("SK"), value_string(STR("METADATA")));
	item_set(p->arena, &group, STR("Permissions"), value_set(p->arena, names, 2));
	table_put(p->table, &p->call, member);
	table_put(p->table, &p->call, group);
	table_read(p->table, &p->call, &read, 1);
	ok(viewer_take(p->arena, &read, &viewer), "a person with a group");
	ok(viewer_groups(p->arena, &viewer, &groups), "... which is read");
	table_read(p->table, &p->call, &groups, 1);
	viewer_permit(p->arena, &groups, &viewer);
	is_int(viewer.permissions, PERMISSION_POSTS_EDIT, "... and permits what it names");
	read = viewer_read(p->arena, STR("marta"));
	table_read(p->table, &p->call, &read, 1);
	ok(viewer_take(p->arena, &read, &viewer) && !viewer_groups(p->arena, &viewer, &groups),
	    "who is in no group needs no second read");
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
	p.accounts = (struct accounts){.table = p.table, .call = &p.call, .now = NOW};
	races(&p, false);
	races(&p, true);
	test_store_close(&store);

	p.table = test_store_open(&store, &fixed);
	p.accounts.table = p.table;
	finding(&p);
	addresses(&p);
	eras(&p);
	by_the_clock(&p);
	touching(&p);
	admission();
	invitations(&p);
	limits(&p);
	viewers(&p);
	test_store_close(&store);

	p.table = test_store_open(&store, &p.clock);
	p.accounts.table = p.table;
	create(&p.accounts, "marta", "marta@example.org", ROLE_ADMIN);
	create(&p.accounts, "kofi", "kofi@example.org", ROLE_AUTHOR);
	staff_acts(&p, &fixed);
	account_set_standing(&p.accounts, STR("kofi"), ROLE_AUTHOR, USER_ACTIVE);
	last_admin(&p);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}
