#ifndef TABLE_DYNAMO_LANE_H
#define TABLE_DYNAMO_LANE_H

#include "table/dynamo/sign.h"

#include <stdatomic.h>

struct aws_client_bootstrap;
struct aws_event_loop_group;
struct aws_http_connection_manager;
struct dynamo_loop;

/*
 * Lanes: each is an event loop with a few connections, for one thread at a time. A thread that
 * talks to DynamoDB takes one and runs its loop while it waits, so that no other thread has to be
 * woken. Events in lanes that nobody has taken (closed connections, abandoned exchanges) are
 * handled by a thread that checks four times a second while there are connections.
 */
enum { LANE_CONNECTIONS = 2 };

struct dynamo_lane {
	struct dynamo_loop *loop;
	struct aws_event_loop_group *loops; /* of one */
	struct aws_client_bootstrap *bootstrap;
	struct aws_http_connection_manager *pool;
	struct dynamo_signer signer; /* only for whose loop it is */
	atomic_uint
	    under_way; /* exchanges over its connections that have not ended, abandoned ones too */
};

struct dynamo_lanes;

/* At most so many lanes. `equip` fills one in, or gives false and leaves nothing of it. */
struct dynamo_lanes *dynamo_lanes_new(
    unsigned most, bool (*equip)(struct dynamo_lane *lane, void *data), void *data);

/* Takes a lane for the calling thread, until it leaves it. NULL: all are taken. */
struct dynamo_lane *dynamo_lane_take(struct dynamo_lanes *lanes);
void dynamo_lane_leave(struct dynamo_lanes *lanes, struct dynamo_lane *lane);

/*
 * The end, when no lane is taken any more. First the pools and the bootstraps are let go; what comes of it goes
 * on until dynamo_lanes_stop(), before which they have to be gone: of two attempts to connect, at a host with two
 * addresses, the one that lost may outlive its pool. Then dynamo_lanes_free() lets go of the loops.
 */
void dynamo_lanes_close(struct dynamo_lanes *lanes);
void dynamo_lanes_stop(struct dynamo_lanes *lanes);
void dynamo_lanes_free(struct dynamo_lanes *lanes);

/* How many there are. */
unsigned dynamo_lanes_count(const struct dynamo_lanes *lanes);

#endif
