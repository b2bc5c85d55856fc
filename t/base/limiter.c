/* Who may run, who waits and who is refused; and that callers of different names take turns. */
#include "base/limiter.h"

#include "lib/aborts.h"
#include "lib/tap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { COMERS_MAX = 8 };

/* A caller, who notes when it is their turn, and stays until they may leave. */
struct comer {
	struct limiter *limiter;
	struct str who;
	pthread_t thread;
	atomic_bool go, began, sent_away;
	char *order; /* the first letters of those who began, in order */
	atomic_size_t *begun;
};

static void
a_moment(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void *
come(void *arg)
{
	struct comer *c = arg;

	if (!limiter_enter(c->limiter, c->who)) {
		atomic_store(&c->sent_away, true);
		return NULL;
	}
	c->order[atomic_fetch_add(c->begun, 1)] = c->who.base[0];
	atomic_store(&c->began, true);
	while (!atomic_load(&c->go))
		a_moment();
	limiter_leave(c->limiter, c->who);
	return NULL;
}

struct crowd {
	struct limiter *limiter;
	struct comer comers[COMERS_MAX];
	size_t count;
	char order[COMERS_MAX + 1];
	atomic_size_t begun;
};

/* One more comes; returns when they work, wait or were sent away. */
static struct comer *
comes(struct crowd *crowd, const char *who)
{
	struct comer *c = &crowd->comers[crowd->count++];
	unsigned waiting = limiter_waiting(crowd->limiter);

	*c = (struct comer){.limiter = crowd->limiter,
	    .who = str_of(who),
	    .order = crowd->order,
	    .begun = &crowd->begun};
	pthread_create(&c->thread, NULL, come, c);
	while (!atomic_load(&c->began) && !atomic_load(&c->sent_away) &&
	       limiter_waiting(crowd->limiter) == waiting)
		a_moment();
	return c;
}

/* All run and leave, one after another. */
static void
finish(struct crowd *crowd)
{
	for (size_t done = 0; done < crowd->count;) {
		done = 0;
		for (size_t i = 0; i < crowd->count; i++) {
			struct comer *c = &crowd->comers[i];

			if (atomic_load(&c->began))
				atomic_store(&c->go, true);
			done += atomic_load(&c->go) || atomic_load(&c->sent_away);
		}
		a_moment();
	}
	for (size_t i = 0; i < crowd->count; i++)
		pthread_join(crowd->comers[i].thread, NULL);
}

static void
crowd_of(struct crowd *crowd, const struct limiter_bounds *bounds)
{
	*crowd = (struct crowd){.limiter = limiter_new(bounds)};
}

static void
places(void)
{
	struct crowd crowd;

	crowd_of(&crowd, &(struct limiter_bounds){.at_once = 1, .waiting = 2});
	ok(atomic_load(&comes(&crowd, "a")->began), "the first one works");
	ok(!atomic_load(&comes(&crowd, "b")->began), "the second one waits");
	comes(&crowd, "c");
	is_int(limiter_waiting(crowd.limiter), 2, "... and so does the third");
	ok(atomic_load(&comes(&crowd, "d")->sent_away), "the fourth one is sent away");
	finish(&crowd);
	is_str(str_of(crowd.order), STR("abc"), "who has come first is first");
	is_int((int64_t)limiter_count(crowd.limiter), 3, "three have entered");
	limiter_free(crowd.limiter);
}

static void
turns(void)
{
	struct crowd crowd;

	crowd_of(&crowd, &(struct limiter_bounds){.at_once = 1, .waiting = 6});
	for (int i = 0; i < 4; i++)
		comes(&crowd, "a");
	comes(&crowd, "b");
	comes(&crowd, "b");
	comes(&crowd, "c");
	finish(&crowd);
	is_str(str_of(crowd.order), STR("abcabaa"),
	    "those of one name take turns with the others, however many there are");
	limiter_free(crowd.limiter);
}

static void
one_name(void)
{
	struct crowd crowd;

	crowd_of(&crowd, &(struct limiter_bounds){.at_once = 2, .waiting = 4, .of_one = 2});
	comes(&crowd, "a");
	ok(!atomic_load(&comes(&crowd, "a")->began),
	    "one of a name works, though there is a place");
	ok(atomic_load(&comes(&crowd, "a")->sent_away),
	    "... one waits, and the third is sent away");
	ok(atomic_load(&comes(&crowd, "b")->began), "another name has the place");
	ok(!atomic_load(&comes(&crowd, "b")->sent_away), "... and waits beside the first");
	comes(&crowd, "c");
	atomic_store(&crowd.comers[0].go, true);
	while (!atomic_load(&crowd.comers[5].began))
		a_moment();
	is_str(str_of(crowd.order), STR("abc"), "whose turn is next works when a place is free");
	finish(&crowd);
	is_int((int64_t)crowd.begun, 5, "all who were not sent away have worked");
	limiter_free(crowd.limiter);
}

/* A caller in a place of their own does not keep others from a free one. */
static void
full_queue(void)
{
	struct crowd crowd;

	crowd_of(&crowd, &(struct limiter_bounds){.at_once = 2, .waiting = 1, .of_one = 2});
	comes(&crowd, "a");
	comes(&crowd, "a");
	ok(atomic_load(&comes(&crowd, "b")->began),
	    "who need not wait comes in, though as many wait as may");
	ok(atomic_load(&comes(&crowd, "c")->sent_away), "who had to is sent away");
	finish(&crowd);
	limiter_free(crowd.limiter);
}

static void
timeout(void)
{
	struct crowd crowd;

	crowd_of(&crowd, &(struct limiter_bounds){.at_once = 1, .waiting = 2, .timeout_ms = 10});
	comes(&crowd, "a");
	comes(&crowd, "b");
	while (!atomic_load(&crowd.comers[1].sent_away))
		a_moment();
	ok(limiter_waiting(crowd.limiter) == 0, "who has waited too long is sent away");
	finish(&crowd);
	limiter_free(crowd.limiter);
}

static void
leave_unasked(void *arg)
{
	limiter_leave(arg, STR("a"));
}

static void
leave_with_somebody_inside(void *arg)
{
	limiter_enter(arg, STR("a"));
	limiter_free(arg);
}

/* What a caller gets wrong ends the program where it is wrong. */
static void
mistakes(void)
{
	struct limiter *limiter = limiter_new(&(struct limiter_bounds){.at_once = 1});

	aborts(leave_unasked, limiter, false, "who leaves has entered");
	aborts(leave_with_somebody_inside, limiter, false, "a limiter ends when nobody is inside");
	limiter_free(limiter);
}

int
main(void)
{
	places();
	turns();
	one_name();
	full_queue();
	timeout();
	mistakes();
	return tap_done();
}
