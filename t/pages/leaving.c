/*
 * Leaving for good: afterwards nothing says who the person was, all counters are right, and nobody
 * can take their name.
 */
#include "counted.h"
#include "past.h"
#include "signing.h"

#include "lib/failing_table.h"

#include "model/key.h"
#include "model/kinds.h"
#include "model/people/account.h"
#include "model/people/leaving.h"
#include "model/people/purge.h"
#include "model/reader/comment_write.h"

#include <pthread.h>

/* Is the name in it: as a value, or as a part of a key? */
static bool
names(const struct value *value, struct str name)
{
	struct str rest;

	switch (value->kind) {
	case VALUE_STRING:
		for (rest = value->string; rest.len != 0;)
			if (str_eq(str_cut(rest, '#', &rest), name))
				return true;
		return false;
	case VALUE_LIST:
		for (size_t i = 0; i < value->list.count; i++)
			if (names(&value->list.values[i], name))
				return true;
		return false;
	case VALUE_MAP:
		for (size_t i = 0; i < value->map.count; i++)
			if (names(&value->map.attributes[i].value, name))
				return true;
		return false;
	default: return false;
	}
}

/* In how many items the name still is; the limits and the log know it for a while. */
static size_t
traces(struct seeded *s, const char *name)
{
	struct all all = all_of(s);
	size_t found = 0;

	for (size_t i = 0; i < all.count; i++) {
		const struct value value = value_map(all.items[i]);
		struct key key = item_key(&all.items[i]);

		if (is_type(&all.items[i], "RateLimit") || is_type(&all.items[i], "AuditEntry") ||
		    !names(&value, str_of(name)))
			continue;
		if (found++ < 5)
			printf("# %s: %.*s %.*s\n", name, STR_ARGS(key.pk), STR_ARGS(key.sk));
	}
	return found;
}

static void
refusals(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");

	give_password(s, "marta", PASSWORD);
	get(&b, "/account/data");
	is_int(SUBMIT(&b, "/account/delete", "posts", "keep", "delete_password", "not this one"),
	    HTTP_UNPROCESSABLE, "leaving needs the password");
	get(&b, "/account/data");
	is_int(SUBMIT(&b, "/account/delete", "posts", "keep", "delete_password", PASSWORD),
	    HTTP_UNPROCESSABLE, "the last admin can't leave");
	ok(says(&b, "You are the only admin"), "... and is told why");
	is_int(get(&b, "/account"), HTTP_OK, "... and is still there");
}

static bool
has_unsaved(const struct item *item, const char *text)
{
	const struct value value = value_map(*item);

	return is_type(item, "Autosave") && names(&value, str_of(text));
}

/* Something typed and not saved of a post, and a link to it. */
static void
begin_work(struct browser *b, const char *id)
{
	struct seeded *s = b->s;
	const char *edit = str_cstring(s->arena, str_fmt(s->arena, "/edit/%s", id));
	const char *share = str_cstring(s->arena, str_fmt(s->arena, "/share/%s", id));

	get(b, edit);
	is_int(SUBMIT(b, edit, "do", "autosave", "markdown", id), HTTP_OK,
	    "what is typed of %s is kept", id);
	get(b, share);
	is_int(SUBMIT(b, share, "days", "30"), HTTP_OK, "... and there is a link to it");
}

/* She is asked to be an author of two posts, and does not want to be of one; of hers she asks somebody. */
static void
ask_her(struct seeded *s, struct browser *noor)
{
	struct browser kofi = browser_of(s, "kofi");

	for (int i = 0; i < 2; i++) {
		get(&kofi, "/write/note");
		is_int(SUBMIT(&kofi, "/write/note", "do", "save", "title", "Asked", "slug",
			   i == 0 ? "asked-one" : "asked-two", "others", "noor"),
		    HTTP_SEE_OTHER, "she is asked to be an author");
	}
	get(noor, "/desk/requests");
	is_int(SUBMIT(noor, "/edit/asked-two/leave", "x", "y"), HTTP_SEE_OTHER, "... and declines");
	get(noor, "/write/note");
	is_int(SUBMIT(noor, "/write/note", "do", "publish-anyway", "title", "With kofi", "markdown",
		   "Us.", "slug", "with-kofi", "others", "kofi"),
	    HTTP_SEE_OTHER, "she asks somebody");
}

static void
leaving(struct seeded *s)
{
	struct browser b = browser_of(s, "noor"), other = browser_of(s, "noor");
	int64_t comments = (int64_t)stored(s, commented_by, "noor");
	size_t wrong = miscounts(s);
	struct item scheduled;

	ok(comments > 0 && stored(s, rated_by, "noor") > 0, "noor has commented and rated");
	is_int((int64_t)wrong, 0, "all counters are right");
	give_password(s, "noor", PASSWORD);
	begin_work(&b, "ferrymans-rye");
	begin_work(&b, "wax-a-jacket");
	ask_her(s, &b);
	get(&b, "/account/data");
	is_int(SUBMIT(&b, "/account/delete", "posts", "keep", "delete_password", PASSWORD), HTTP_OK,
	    "she leaves, and her posts stay");
	ok(says(&b, "Goodbye") && b.session.len == 0, "... goodbye");
	is_int(get(&other, "/account"), HTTP_SEE_OTHER, "all of her sessions are over");
	is_int(sign_in(&b, "noor", PASSWORD), HTTP_UNPROCESSABLE, "... and she can't come back");
	is_int(
	    (int64_t)traces(s, "noor"), 1, "her name is nowhere but where it keeps others from it");
	is_int((int64_t)traces(s, "Noor Haddad"), 0, "... nor is what she was called");
	is_int((int64_t)traces(s, "noor@example.org"), 0, "... nor her address");
	is_int((int64_t)miscounts(s), 0, "all counters are right still");
	is_int(get(&b, "/author/noor"), HTTP_NOT_FOUND, "her page is gone");
	is_int(get(&b, "/post/ferrymans-rye"), HTTP_OK, "a post of hers stays");
	ok(says(&b, "Somebody who has left") && !says(&b, "Noor Haddad") &&
		!says(&b, "/author/left"),
	    "... by somebody who has left, whose page nothing leads to");
	scheduled = seeded_item(s, "POST#wax-a-jacket", "METADATA");
	is_str(item_string(&scheduled, STR("Status")), STR("deleted"),
	    "what was scheduled does not appear any more");
	get(&b, "/register");
	is_int(SUBMIT(&b, "/register", "username", "noor", "email", "noor@example.org", "password",
		   PASSWORD),
	    HTTP_UNPROCESSABLE, "nobody can be noor again");
	is_int(SUBMIT(&b, "/register", "username", "noor_again", "email", "noor@example.org",
		   "password", PASSWORD),
	    HTTP_SEE_OTHER, "... but her address is free");
}

static void
removing(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), editor = browser_of(s, "marta");

	give_password(s, "kofi", PASSWORD);
	ok(stored(s, written_by, "kofi") > 2, "kofi has written");
	is_int(get(&b, "/post/the-tide-in-forty-lines-of-c"), HTTP_OK, "... this");
	begin_work(&b, "the-tide-in-forty-lines-of-c");
	begin_work(&editor, "the-tide-in-forty-lines-of-c");
	get(&b, "/account/data");
	is_int(SUBMIT(&b, "/account/delete", "posts", "remove", "delete_password", PASSWORD),
	    HTTP_OK, "he leaves, and takes it with him");
	is_int(get(&b, "/post/the-tide-in-forty-lines-of-c"), HTTP_GONE, "it is gone");
	is_int((int64_t)traces(s, "kofi"), 1, "his name is nowhere");
	is_int((int64_t)stored(s, has_unsaved, "the-tide-in-forty-lines-of-c"), 0,
	    "... nor what anybody had typed of it");
	is_int((int64_t)stored(s, is_type, "DraftLink"), 0, "... nor a link to it");
	is_int((int64_t)miscounts(s), 0, "all counters are right");
}

/* The table fails at each call in turn: whatever was done stays done, and the rest is done later. */
static void
broken_off(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	struct failing_table failing;
	struct account account;
	struct item user;
	struct str next;
	unsigned rounds = 0, failures = 0;
	bool done = false;

	/* More than one round takes. */
	put_drafts(s, "ingrid", 50, STR("Not yet."));
	account_find(&plan, STR("ingrid"), &account);
	is_int(account_leave(&plan, &s->clock, &account.user, true), PLAN_DONE, "ingrid leaves");
	leaving_next(&plan, &next);
	is_str(next, STR("ingrid"), "... and is found by whoever works it off");
	is_int(account_leave(&plan, &s->clock, &account.user, true), PLAN_CHANGED, "... once");
	ok(!holds(visit(s, STR("/sitemap.xml")).body, STR("/author/ingrid")),
	    "... and is among the authors no more");
	user = seeded_item(s, "USER#ingrid", "METADATA");
	is_str(item_string(&user, STR("GSI4PK")), STR(""), "... by no key either");
	is_int(account_set_role_and_status(&plan, STR("ingrid"), ROLE_READER, USER_ACTIVE),
	    PLAN_CHANGED, "nobody calls her back");
	failing_table_begin(&failing, s->table);
	plan.table = &failing.table;
	for (unsigned n = 1; rounds < 3000 && !done; n++, rounds++) {
		failing_table_arm(&failing, n % 23 + 1, TABLE_UNAVAILABLE);
		failures += leaving_round(&plan, STR("ingrid"), &done) == PLAN_TABLE;
	}
	ok(done && failures > 10, "the table fails %u times in %u rounds, and it is done", failures,
	    rounds);
	is_int((int64_t)traces(s, "ingrid"), 1, "her name is nowhere");
	is_int((int64_t)miscounts(s), 0, "all counters are right");
	plan.table = s->table;
	leaving_next(&plan, &next);
	is_str(next, STR(""), "nobody is on their way");
	leaving_round(&plan, STR("ingrid"), &done);
	ok(done, "a round too many does nothing");
	is_int(account_set_role_and_status(&plan, STR("ingrid"), ROLE_READER, USER_ACTIVE),
	    PLAN_CHANGED, "whoever has left is not let in again");
	table_release(s->table, &call);
}

static void
count_told(void *context, struct str sentence)
{
	*(unsigned *)context += holds(sentence, STR("USER#pascal / HOLOGRAM#1"));
}

/*
 * An item that only another version of the program knows: dropping it would not update its
 * counters.
 */
static void
strangers(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	struct item strange = {.count = 0};
	struct key key = {STR("USER#pascal"), STR("HOLOGRAM#1")};
	struct account account;
	unsigned told = 0;
	bool done = false;

	key_set(s->arena, &strange, key, ITEM_NOTICE);
	item_set(s->arena, &strange, STR("Type"), value_string(STR("Hologram")));
	seeded_put(s, &strange, 1);
	/* As an index that lags shows it: he handed it over a moment ago. */
	strange = seeded_item(s, "POST#ferrymans-rye", "METADATA");
	item_set(s->arena, &strange, STR("GSI1PK"), value_string(STR("USER#pascal")));
	seeded_put(s, &strange, 1);
	account_find(&plan, STR("pascal"), &account);
	is_int(account_leave(&plan, &s->clock, &account.user, true), PLAN_DONE, "pascal leaves");
	s->table->tell = count_told;
	s->table->tell_context = &told;
	for (int i = 0; i < 100 && !done; i++)
		is_int(leaving_round(&plan, STR("pascal"), &done), PLAN_DONE, "... a round");
	s->table->tell = NULL;
	ok(done, "... and is gone");
	strange = seeded_item(s, "USER#pascal", "HOLOGRAM#1");
	is_int(told, 1, "what no kind knows stays, and that is told");
	strange = seeded_item(s, "POST#ferrymans-rye", "METADATA");
	ok(pseudonym_valid(item_string(&strange, STR("Author"))),
	    "so does a post that is somebody else's already");
	is_int((int64_t)miscounts(s), 0, "all counters are right");
	table_write(s->table, &call, &(struct write){.kind = WRITE_DELETE, .key = key});
	table_release(s->table, &call);
}

/* --- The purge of a spam account --------------------------------------------------------------------- */

#define BELL "the-bell-that-nobody-rings"
#define PURGE "/admin/users/lowri/purge"
enum { WRITERS = 8, COMMENTS_EACH = 12 };

/* What of somebody's is there for others to see or to count. */
static size_t
left_by(struct seeded *s, const char *name)
{
	struct all all = all_of(s);
	size_t count = 0;

	for (size_t i = 0; i < all.count; i++) {
		const struct item *item = &all.items[i];
		struct str who = kind_is(item, ITEM_FOLLOW)
				     ? item_string(item, STR("Follower"))
				     : item_string(item, STR("Author"));

		count += str_eq(who, str_of(name)) && purge_takes(item, 0);
	}
	return count;
}

static void
purges(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta"), lowri = browser_of(s, "lowri");
	size_t before = left_by(s, "lowri");

	is_int(get(&marta, "/admin/users/lowri/trace"), HTTP_OK, "what somebody has left");
	ok(says(&marta, "What they have said") && says(&marta, "comments ·") &&
		says(&marta, PURGE),
	    "... is on one page");
	get(&marta, PURGE);
	ok(says(&marta, " comments") && says(&marta, "whom they follow"), "a purge says what would go");
	is_int(SUBMIT(&marta, PURGE, "hours", "all", "name", "kofi"), HTTP_UNPROCESSABLE,
	    "it wants the name of the person");
	is_int((int64_t)left_by(s, "lowri"), (int64_t)before, "... and does nothing without");
	is_int(SUBMIT(&marta, PURGE, "hours", "hour", "name", "lowri"), HTTP_SEE_OTHER,
	    "the last hour is purged");
	ok(left_by(s, "lowri") + 5 > before, "... in which there was little");
	is_int(get(&lowri, "/account"), HTTP_SEE_OTHER, "... but they are out");
	get(&marta, PURGE);
	is_int(SUBMIT(&marta, PURGE, "do", "restore"), HTTP_SEE_OTHER, "restored");
	get(&marta, PURGE);
	is_int(SUBMIT(&marta, PURGE, "hours", "all", "name", "lowri"), HTTP_SEE_OTHER,
	    "all is purged");
	for (int i = 0; i < 20 && left_by(s, "lowri") != 0; i++) {
		get(&marta, PURGE);
		SUBMIT(&marta, PURGE, "do", "on");
	}
	is_int((int64_t)left_by(s, "lowri"), 0, "... and nothing is left");
	ok(!holds(visit(s, STR("/post/eel-elver-glass")).body, STR("/author/lowri\"")),
	    "... for nobody to see");
	is_int((int64_t)miscounts(s), 0, "all counters are right");
	get(&marta, PURGE);
	is_int(SUBMIT(&marta, PURGE, "do", "restore"), HTTP_SEE_OTHER, "it is restored");
	for (int i = 0; i < 20 && left_by(s, "lowri") != before; i++) {
		get(&marta, PURGE);
		SUBMIT(&marta, PURGE, "do", "on");
	}
	is_int((int64_t)left_by(s, "lowri"), (int64_t)before, "... as it was");
	is_int((int64_t)miscounts(s), 0, "all counters are right");
	ok(holds(visit(s, STR("/post/eel-elver-glass")).body, STR("/author/lowri\"")), "... to be seen");
}

struct spammer {
	pthread_t thread;
	struct seeded *s;
	struct post post;
	pthread_barrier_t *start;
	unsigned seed;
	size_t written;
};

static void *
spam(void *context)
{
	struct spammer *spammer = context;
	struct arena *arena = arena_new();
	struct clock clock = clock_fixed(spammer->s->clock.fixed_now, 7000 + spammer->seed);

	pthread_barrier_wait(spammer->start);
	for (int i = 0; i < COMMENTS_EACH; i++) {
		struct table_call call = {.arena = arena};
		struct plan plan = {.table = spammer->s->table,
		    .call = &call,
		    .clock = &clock,
		    .now = clock.fixed_now,
		    .by = STR("lowri"),
		    .by_name = STR("Lowri")};
		struct new_comment comment = {.post = &spammer->post,
		    .markdown = STR("Buy this."),
		    .html = STR("<p>Buy this.</p>"),
		    .renderer = 1};

		clock.fixed_now++;
		spammer->written += comment_create(&plan, &comment) == PLAN_DONE;
		table_release(plan.table, &call);
	}
	arena_free(arena);
	return NULL;
}

/* Comments that come while the purge is at work: none is left, and the counters are right. */
static void
purge_against_comments(struct seeded *s)
{
	struct spammer spammers[WRITERS];
	struct browser marta = browser_of(s, "marta");
	struct item head = seeded_item(s, "POST#" BELL, "METADATA");
	pthread_barrier_t start;
	size_t written = 0;

	pthread_barrier_init(&start, NULL, WRITERS + 1);
	for (unsigned i = 0; i < WRITERS; i++) {
		spammers[i] = (struct spammer){.s = s, .start = &start, .seed = i};
		post_from_item(s->arena, &head, &spammers[i].post);
		if (pthread_create(&spammers[i].thread, NULL, spam, &spammers[i]) != 0)
			bail_out("no thread");
	}
	get(&marta, PURGE);
	pthread_barrier_wait(&start);
	is_int(SUBMIT(&marta, PURGE, "hours", "all", "name", "lowri"), HTTP_SEE_OTHER,
	    "purged while they write");
	for (unsigned i = 0; i < WRITERS; i++) {
		pthread_join(spammers[i].thread, NULL);
		written += spammers[i].written;
	}
	pthread_barrier_destroy(&start);
	printf("# %zu of %d were written\n", written, WRITERS * COMMENTS_EACH);
	spammers[0].written = 0;
	pthread_barrier_init(&start, NULL, 1);
	spam(&spammers[0]);
	is_int((int64_t)spammers[0].written, 0, "who is purged writes no more");
	pthread_barrier_destroy(&start);
	for (int i = 0; i < 40; i++) {
		get(&marta, PURGE);
		if (!says(&marta, "at work"))
			break;
		SUBMIT(&marta, PURGE, "do", "on");
		if (left_by(s, "lowri") == 0)
			s->clock.fixed_now += 61000;
	}
	is_int((int64_t)left_by(s, "lowri"), 0, "nothing of theirs is left");
	is_int((int64_t)miscounts(s), 0, "all counters are right");
}

/* After 30 days the account is closed, by the sweeper's step. */
static void
erases(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .clock = &s->clock};
	struct str who;
	bool done;

	s->clock.fixed_now += INT64_C(31) * 86400000;
	plan.now = s->clock.fixed_now;
	is_int(purge_next(&plan, &who), PLAN_DONE, "after 30 days");
	is_str(who, STR("lowri"), "... there is something to do");
	is_int(purge_round(&plan, who, &done), PLAN_DONE, "... which is done");
	is_int(leaving_next(&plan, &who), PLAN_DONE, "the account is closed");
	is_str(who, STR("lowri"), "... as if they had left");
	is_int(purge_next(&plan, &who), PLAN_DONE, "and nothing more");
	is_str(who, STR(""), "... is to be done");
	table_release(s->table, &call);
}

int
main(void)
{
	struct item settings;
	struct seeded s;

	browsers_open(&s);
	settings = seeded_item(&s, "SITE", "SETTINGS");
	item_set(s.arena, &settings, STR("Registration"), value_string(STR("open")));
	seeded_put(&s, &settings, 1);
	refusals(&s);
	leaving(&s);
	removing(&s);
	broken_off(&s);
	strangers(&s);
	purges(&s);
	purge_against_comments(&s);
	erases(&s);
	browsers_close(&s);
	return tap_done();
}
