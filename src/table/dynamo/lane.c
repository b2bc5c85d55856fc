/*
 * `lock` guards which lanes are taken, and with that who owns their loops: whoever sets `taken`, a
 * waiting thread or the keeper, is alone in the lane's loop until it is unset. The first free lane
 * is taken, so that the few that are needed have warm connections, and the others lose theirs.
 */
#include "table/dynamo/lane.h"

#include "base/arena.h"
#include "base/thread.h"
#include "table/dynamo/loop.h"

#include <aws/http/connection_manager.h>
#include <aws/io/channel_bootstrap.h>
#include <aws/io/event_loop.h>

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { LIVELY_MS = 250, QUIET_MS = 1000, CLOSING_MS = 2, TURNS = 32 };

struct dynamo_lanes {
	bool (*equip)(struct dynamo_lane *lane, void *data);
	void *data;
	unsigned most;

	pthread_mutex_t lock;
	pthread_cond_t hurry;
	pthread_t keeper;
	unsigned count;
	bool kept; /* the keeper thread runs: since the first lane */
	bool closing, stopping;
	struct place {
		bool taken;
		struct dynamo_lane lane;
	} places[];
};

struct dynamo_lanes *
dynamo_lanes_new(unsigned most, bool (*equip)(struct dynamo_lane *lane, void *data), void *data)
{
	struct dynamo_lanes *lanes = calloc(1, sizeof(*lanes) + most * sizeof(lanes->places[0]));

	if (lanes == NULL)
		out_of_memory();
	lanes->equip = equip;
	lanes->data = data;
	lanes->most = most;
	pthread_mutex_init(&lanes->lock, NULL);
	pthread_cond_init(&lanes->hurry, NULL);
	return lanes;
}

unsigned
dynamo_lanes_count(const struct dynamo_lanes *lanes)
{
	return lanes->count;
}

/* --- The keeper ------------------------------------------------------------------------------- */

/* Does what is due in a loop of this thread, without waiting. */
static void
catch_up(struct dynamo_loop *loop)
{
	for (int i = 0; i < TURNS && dynamo_loop_hear(loop, 0); i++)
		dynamo_loop_run(loop);
	dynamo_loop_run(loop);
}

/* With the lock held, which it releases meanwhile. Returns whether there are connections. */
static bool
look_after(struct dynamo_lanes *lanes, struct place *place)
{
	bool lively;

	place->taken = true;
	pthread_mutex_unlock(&lanes->lock);
	dynamo_loop_enter(place->lane.loop);
	catch_up(place->lane.loop);
	lively = dynamo_loop_sockets(place->lane.loop) > 0;
	dynamo_loop_leave(place->lane.loop);
	pthread_mutex_lock(&lanes->lock);
	place->taken = false;
	return lively;
}

static void
rest(struct dynamo_lanes *lanes, long milliseconds)
{
	const struct timespec until = thread_deadline(milliseconds);

	pthread_cond_clockwait(&lanes->hurry, &lanes->lock, CLOCK_MONOTONIC, &until);
}

static void *
keep(void *data)
{
	struct dynamo_lanes *lanes = data;
	bool last;

	pthread_mutex_lock(&lanes->lock);
	do {
		bool lively = false;

		/* When stopping, once more, for what has arrived since. */
		last = lanes->stopping;
		for (unsigned i = 0; i < lanes->count; i++)
			lively |= lanes->places[i].taken || look_after(lanes, &lanes->places[i]);
		if (!last && !lanes->stopping)
			rest(lanes, lanes->closing ? CLOSING_MS : lively ? LIVELY_MS : QUIET_MS);
	} while (!last);
	pthread_mutex_unlock(&lanes->lock);
	return NULL;
}

/* --- Taking one --------------------------------------------------------------------------------- */

/* With the lock held. NULL when there can't be more. */
static struct place *
add_lane(struct dynamo_lanes *lanes)
{
	struct place *place = &lanes->places[lanes->count];

	if (lanes->count == lanes->most || lanes->closing)
		return NULL;
	lanes->kept = lanes->kept || pthread_create(&lanes->keeper, NULL, keep, lanes) == 0;
	/* If it fails, the existing lanes have to suffice for now. */
	if (!lanes->kept || !lanes->equip(&place->lane, lanes->data))
		return NULL;
	lanes->count++;
	return place;
}

struct dynamo_lane *
dynamo_lane_take(struct dynamo_lanes *lanes)
{
	struct place *place = NULL;

	pthread_mutex_lock(&lanes->lock);
	for (unsigned i = 0; i < lanes->count && place == NULL; i++)
		place = lanes->places[i].taken ? NULL : &lanes->places[i];
	if (place == NULL)
		place = add_lane(lanes);
	if (place != NULL)
		place->taken = true;
	pthread_mutex_unlock(&lanes->lock);
	if (place == NULL)
		return NULL;
	dynamo_loop_enter(place->lane.loop);
	/* So that no connection is used that the server has closed. */
	catch_up(place->lane.loop);
	return &place->lane;
}

void
dynamo_lane_leave(struct dynamo_lanes *lanes, struct dynamo_lane *lane)
{
	struct place *place = AWS_CONTAINER_OF(lane, struct place, lane);

	assert(place->taken);
	dynamo_loop_run(lane->loop);
	dynamo_loop_leave(lane->loop);
	pthread_mutex_lock(&lanes->lock);
	place->taken = false;
	pthread_mutex_unlock(&lanes->lock);
}

/* --- Closing ---------------------------------------------------------------------------------- */

void
dynamo_lanes_close(struct dynamo_lanes *lanes)
{
	pthread_mutex_lock(&lanes->lock);
	lanes->closing = true;
	pthread_cond_signal(&lanes->hurry);
	pthread_mutex_unlock(&lanes->lock);
	for (unsigned i = 0; i < lanes->count; i++) {
		aws_http_connection_manager_release(lanes->places[i].lane.pool);
		aws_client_bootstrap_release(lanes->places[i].lane.bootstrap);
	}
}

void
dynamo_lanes_stop(struct dynamo_lanes *lanes)
{
	if (!lanes->kept)
		return;
	pthread_mutex_lock(&lanes->lock);
	lanes->stopping = true;
	pthread_cond_signal(&lanes->hurry);
	pthread_mutex_unlock(&lanes->lock);
	pthread_join(lanes->keeper, NULL);
}

void
dynamo_lanes_free(struct dynamo_lanes *lanes)
{
	for (unsigned i = 0; i < lanes->count; i++) {
		dynamo_signer_clear(&lanes->places[i].lane.signer);
		aws_event_loop_group_release(lanes->places[i].lane.loops);
	}
	pthread_cond_destroy(&lanes->hurry);
	pthread_mutex_destroy(&lanes->lock);
	free(lanes);
}
