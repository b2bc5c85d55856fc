#ifndef TABLE_DYNAMO_EXCHANGE_H
#define TABLE_DYNAMO_EXCHANGE_H

#include "table/dynamo/http.h"

/*
 * One HTTP request and its answer, for which a thread of ours waits. While it waits it does the
 * client's work, in a lane (lane.h), or leaves that to the client's threads. One thread can
 * wait for many at once, in a group.
 *
 * The library can neither limit the time of an exchange nor cancel one. So an exchange is abandoned
 * instead: from then on the waiting side must not touch it, and the thread that does the client's
 * work when it ends frees it. That is why everything that they use is in the exchange itself and in
 * the group, and nothing in an arena.
 */
struct exchange_group;
struct exchange;

/* Where an exchange stands. */
enum exchange_stage {
	EXCHANGE_CONNECTING, /* waits for credentials and a connection */
	EXCHANGE_SENT,       /* the request is on its way; whether it arrived is not known */
	EXCHANGE_ANSWERING,  /* the answer's beginning has come */
	EXCHANGE_DONE,       /* the answer is whole */
	EXCHANGE_FAILED,     /* broken while CONNECTING: the request was not sent */
	EXCHANGE_LOST,       /* broken later: the request may have been carried out */
};

struct exchange_request {
	enum dynamo_service service;
	struct str target; /* "DynamoDB_20120810.GetItem" */
	struct str body;
};

/* Slices live until exchange_free(). */
struct exchange_answer {
	enum exchange_stage stage; /* one of the last three */
	int status;                /* after DONE */
	struct str body;           /* after DONE */
	const char *why;           /* after FAILED and LOST: a phrase for the log, static */
};

/*
 * A group for one waiting thread, mostly for exchanges with this service: the waiting thread does their
 * work itself where it can, so nobody else may use the group. The thread ends it with exchange_group_leave().
 */
struct exchange_group *exchange_group_new(struct dynamo_http *http, enum dynamo_service service);
void exchange_group_leave(struct exchange_group *group);

/* Starts an exchange; the request is copied. The caller ends it with exchange_free() or abandons it. */
struct exchange *exchange_start(
    struct dynamo_http *http, struct exchange_group *group, const struct exchange_request *request);

/*
 * Waits until an exchange of the group may have made progress or the time (of CLOCK_MONOTONIC, in
 * milliseconds) has come.
 */
void exchange_wait(struct exchange_group *group, int64_t until);

/* The stage and since when, by the same clock. */
enum exchange_stage exchange_stage(struct exchange *exchange, int64_t *since);

/* The result of an exchange in one of its last three stages. */
struct exchange_answer exchange_answer(const struct exchange *exchange);

/* Frees an exchange that has ended. */
void exchange_free(struct exchange *exchange);

/* Ends the exchange for the caller at any stage, and closes its connection. */
void exchange_abandon(struct exchange *exchange);

/* Milliseconds of CLOCK_MONOTONIC: the time that exchange_wait() counts in. */
int64_t exchange_now(void);

#endif
