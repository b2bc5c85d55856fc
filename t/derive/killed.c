/*
 * `broadsheet work` as a process, killed hundreds of times, at its start, in batches and in rebuilds, while people go on
 * writing: at the end all that is derived is what a worker makes that never was killed.
 */
#include "lib/paths.h"
#include "lib/tap.h"
#include "t/pages/seeded.h"

#include "base/log.h"
#include "derive/rebuild.h"
#include "derive/stream_worker.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/key_post.h"
#include "model/key_ranking.h"
#include "model/key_work.h"
#include "model/people/user.h"
#include "model/post/post.h"
#include "model/post/writing.h"
#include "model/reader/comment_write.h"
#include "model/reader/follow.h"
#include "model/reader/reaction.h"
#include "model/site/work.h"
#include "text/markdown.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	ROUNDS = 200,
	ROUNDS_ON_DYNAMODB = 40,
	ACTS = 3,            /* before and during each round */
	LIFE_MICROS = 50000, /* the longest of a worker */
	PROGRESS_EVERY = 5,  /* rounds: one worker that gets on before it is killed, however slow the machine */
	LOOK_NS = 5 * 1000 * 1000,
	LOOKS_MAX = 20000,
	REBUILD_EVERY = 7,
	KNOWN_MAX = 32,
	TURNS_MAX = 100000,
};

extern char **environ;

struct soak {
	struct seeded s;
	struct str people[KNOWN_MAX], posts[KNOWN_MAX];
	size_t people_count, post_count;
	int acted;
	int64_t handled; /* changes, by workers that were killed */
};

static size_t
draw(struct soak *k, size_t below)
{
	uint32_t number;

	k->s.clock.random(&k->s.clock, &number, sizeof(number));
	return number % below;
}

/* --- What people do ----------------------------------------------------------------------------------- */

/* The last parts of the first sort keys of a partition of GSI3. */
static size_t
ids(struct soak *k, struct query query, struct str attribute, struct str out[KNOWN_MAX])
{
	struct table_call call = {.arena = k->s.arena};
	struct item *found;
	struct str next;
	size_t count;

	query.limit = KNOWN_MAX;
	if (table_query(k->s.table, &call, &query, &found, &count, &next) != TABLE_OK || count == 0)
		bail_out("the seed can't be read");
	for (size_t i = 0; i < count; i++)
		out[i] = str_dup(k->s.arena, item_string(&found[i], attribute));
	return count;
}

static struct item *
get(struct soak *k, struct arena *arena, struct key key)
{
	struct table_call call = {.arena = arena};
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};

	if (table_read(k->s.table, &call, &read, 1) != TABLE_OK)
		bail_out("a read fails");
	return read.item;
}

static void
rename_one(struct soak *k, struct plan *plan, struct key key, struct str attribute)
{
	const struct change change = {CHANGE_SET, attribute,
	    value_string(str_fmt(plan->call->arena, "Name %d", k->acted))};

	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE, .key = key, .changes = &change, .change_count = 1,
		.condition = &plan_present},
	    PLAN_NOT_THERE);
	(void)plan_commit(plan);
}

static void
follows(struct soak *k, struct plan *plan)
{
	struct str other = k->people[draw(k, k->people_count)];
	const struct rate limit = {.what = STR_INIT("follow"), .who = plan->by, .most = 100000, .window = 86400};
	struct item *item = get(k, plan->call->arena, key_user(plan->call->arena, other));
	struct user user;

	if (item == NULL || str_eq(other, plan->by))
		return;
	user_from_item(plan->call->arena, item, &user);
	if (draw(k, 3) == 0)
		(void)follow_end(plan, plan->by, other);
	else
		(void)follow_begin(plan, &user, &limit);
}

static bool
post_of(struct plan *plan, struct str id, struct written *out)
{
	bool there;

	if (written_get(plan, id, out, &there) != TABLE_OK)
		bail_out("a post can't be read");
	return there;
}

static void
comments(struct plan *plan, struct str id)
{
	struct written of;
	struct new_comment comment = {.markdown = STR("Well said."),
	    .html = STR("<p>Well said.</p>\n"),
	    .renderer = MARKDOWN_RENDERER};

	if (!post_of(plan, id, &of))
		return;
	comment.post = &of.post;
	(void)comment_create(plan, &comment);
}

static void
likes(struct soak *k, struct plan *plan, struct str id)
{
	struct written of;
	struct read answer = reaction_read(plan->call->arena, plan->by, id, REACTION_LIKE);
	const struct rate limit = {.what = STR_INIT("react"), .who = plan->by, .most = 100000, .window = 86400};
	uint32_t wait;

	if (!post_of(plan, id, &of) || !reaction_fits(&of.post, REACTION_LIKE))
		return;
	answer.consistent = true;
	if (table_read(k->s.table, plan->call, &answer, 1) != TABLE_OK)
		bail_out("a read fails");
	(void)reaction_set(plan, &of.post, REACTION_LIKE,
	    draw(k, 3) == 0 ? OPINION_OFF : OPINION_LOVE, &answer, &limit, &wait);
}

/* Takes a post back, or publishes it. */
static void
turns(struct plan *plan, struct str id)
{
	struct written of;
	struct draft draft;
	struct post post;

	if (!post_of(plan, id, &of))
		return;
	plan->by = of.post.author;
	if (of.post.status == STATUS_PUBLISHED) {
		(void)writing_unpublish(plan, &of, of.post.version, &post);
		return;
	}
	draft = (struct draft){.post = of.post, .body = of.body};
	draft.post.status = STATUS_PUBLISHED;
	(void)writing_save(plan, &of, &draft);
}

static void
act(struct soak *k)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = k->s.table, .call = &call, .clock = &k->s.clock, .now = clock_now(&k->s.clock)};
	struct str post = k->posts[draw(k, k->post_count)];

	plan.by = plan.by_name = k->people[draw(k, k->people_count)];
	k->acted++;
	switch (draw(k, 8)) {
	case 0: rename_one(k, &plan, key_user(arena, plan.by), STR("DisplayName")); break;
	case 1: rename_one(k, &plan, key_post(arena, post), STR("Title")); break;
	case 2:
	case 3: follows(k, &plan); break;
	case 4: turns(&plan, post); break;
	case 5: comments(&plan, post); break;
	default: likes(k, &plan, post); break;
	}
	table_release(k->s.table, &call);
	arena_free(arena);
}

/* --- A worker and its end ------------------------------------------------------------------------------ */

static void
write_item(struct soak *k, struct write write)
{
	struct table_call call = {.arena = k->s.arena};

	if (table_write(k->s.table, &call, &write) != TABLE_OK)
		bail_out("a write fails");
}

/* What killed workers leave: a lease, which would be waited for. */
static void
free_lease(struct soak *k)
{
	write_item(k, (struct write){.kind = WRITE_DELETE, .key = key_lease(WORK_LEASE)});
}

/* If there is one yet. */
static void
lose_position(struct soak *k)
{
	const struct change lost = {CHANGE_SET, STR("Position"), value_string(STR("nowhere"))};

	if (k->handled != 0)
		write_item(k, (struct write){.kind = WRITE_UPDATE,
				  .key = key_work_state(),
				  .changes = &lost,
				  .change_count = 1});
}

static int64_t
handled(struct soak *k)
{
	struct table_call call = {.arena = k->s.arena};
	struct work work;

	if (work_load(k->s.table, &call, &work) != TABLE_OK)
		bail_out("the worker's state can't be read");
	return work.state.handled;
}

/* Lets one work for a moment, and kills it. False: it had ended by itself. */
static bool
kill_one(struct soak *k, bool gets_on)
{
	const struct timespec look = {.tv_nsec = LOOK_NS};
	static char *const words[] = {"broadsheet", "work", NULL};
	const struct timespec life = {.tv_nsec = (long)draw(k, LIFE_MICROS) * 1000};
	posix_spawn_file_actions_t files;
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&pid, TOP_BUILDDIR "/broadsheet", &files, NULL, words, environ) != 0)
		bail_out("broadsheet work does not start");
	posix_spawn_file_actions_destroy(&files);
	for (int i = 0; i < ACTS; i++)
		act(k);
	for (int i = 0; gets_on && i < LOOKS_MAX && handled(k) <= k->handled; i++)
		nanosleep(&look, NULL);
	nanosleep(&life, NULL);
	kill(pid, SIGKILL);
	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status);
}

/* --- What is right at the end ---------------------------------------------------------------------------- */

static const struct log quiet = {.fd = -1, .level = LOG_ERROR};

static void
work_to_the_end(struct soak *k)
{
	struct stream_worker *w = stream_worker_open(&(struct stream_worker_options){
	    .table = k->s.table, .log = &quiet, .site = SEEDED_ORIGIN});
	int i = 0;

	while (i++ < TURNS_MAX && stream_worker_turn(w) != STREAM_IDLE)
		;
	if (i >= TURNS_MAX)
		bail_out("the worker finds no end");
	stream_worker_close(w);
}

/*
 * Words of the dictionary don't count: when two posts that have a word leave at once, it may name the other one, until a rebuild
 * (docs/search.md).
 */
static void
tell(void *context, const struct derivation *derivation, struct str subject, struct str first)
{
	int64_t *count = context;

	if (str_starts(subject, STR("WORDS#")))
		return;
	++*count;
	fprintf(stderr, "# %.*s of %.*s differs: %.*s\n", STR_ARGS(derivation->name), STR_ARGS(subject),
	    STR_ARGS(first));
}

/* How many subjects differ from what should be derived, and which. */
static int64_t
differences(struct soak *k)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = k->s.arena};
	struct derive derive = {.table = k->s.table,
	    .call = &call,
	    .clock = &k->s.clock,
	    .site = SEEDED_ORIGIN,
	    .check = true};
	int64_t count = 0;
	struct rebuild r = {.derive = &derive,
	    .arena = arena,
	    .state = rebuild_all(k->s.arena, 1),
	    .tell = tell,
	    .context = &count};
	bool done = false;

	while (!done)
		if (rebuild_step(&r, &done) != TABLE_OK)
			bail_out("a check fails: %s", call.why != NULL ? call.why : "");
	arena_free(arena);
	return count;
}

static void
settings_of_the_program(struct soak *k)
{
	struct str store = k->s.store.name[0] != '\0'
			       ? STR_CONCAT(k->s.arena, STR("dynamodb:"), str_of(k->s.store.name))
			       : STR_CONCAT(k->s.arena, STR("sqlite:"), str_of(k->s.store.folder), STR("/table.db"));

	setenv("BROADSHEET_STORE", str_cstring(k->s.arena, store), 1);
	setenv("BROADSHEET_ORIGIN", str_cstring(k->s.arena, SEEDED_ORIGIN), 1);
}

int
main(void)
{
	static struct soak k;
	struct table_call call;
	struct work work;
	int killed = 0, rounds;

	seeded_open(&k.s);
	k.s.clock = clock_system(); /* as the program has it */
	call = (struct table_call){.arena = k.s.arena};
	settings_of_the_program(&k);
	rounds = k.s.store.name[0] != '\0' ? ROUNDS_ON_DYNAMODB : ROUNDS;
	k.people_count = ids(&k, query_users(), STR("Username"), k.people);
	k.post_count = ids(&k, query_all_posts(), STR("Id"), k.posts);
	for (int i = 0; i < rounds; i++) {
		if (i % REBUILD_EVERY == REBUILD_EVERY - 1)
			lose_position(&k);
		for (int n = 0; n < ACTS; n++)
			act(&k);
		free_lease(&k);
		killed += kill_one(&k, i % PROGRESS_EVERY == 0);
		k.handled = handled(&k);
	}
	is_int(killed, rounds, "a worker was killed %d times", rounds);
	ok(k.handled > 0, "... and they handled %" PRId64 " changes before", k.handled);
	free_lease(&k);
	work_to_the_end(&k);
	is_int(differences(&k), 0, "and at the end nothing differs from what is made anew");
	ok(work_load(k.s.table, &call, &work) == TABLE_OK && work.parked_count == 0, "nothing was parked");
	seeded_close(&k.s);
	return tap_done();
}
