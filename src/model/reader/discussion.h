#ifndef MODEL_READER_DISCUSSION_H
#define MODEL_READER_DISCUSSION_H

#include "model/plan.h"
#include "model/post/post.h"

struct comment;

/*
 * Where readers may comment: whoever may edit a post turns its comments off, moderators close them, or a thread, and pin
 * threads, which stand first. All of it is in the post's head, so that every page that shows comments knows it at no cost,
 * and each comment is written on the condition that it may be. These changes leave the post's version alone: nobody who is
 * editing it has to begin again.
 */
enum { DISCUSSION_PINNED_MAX = 3, DISCUSSION_CLOSED_MAX = 40 };

/* Why nobody writes there. */
enum discussion { DISCUSSION_OPEN, DISCUSSION_OFF, DISCUSSION_CLOSED, DISCUSSION_THREAD_CLOSED };

/* Of what stands at this path, or would be a new thread (empty). `moderates`: whoever asks does. */
enum discussion discussion_of(const struct post *post, struct str path, bool moderates);

/* Is this root among them? */
bool discussion_has(const struct strings_value *roots, struct str root);

/*
 * Adds to a plan that the post is published and something may be written there; PLAN_NOT_THERE if not, and then plan->found
 * is the post's head.
 */
void discussion_add_open(struct plan *plan, struct str post, struct str path, bool moderates);

/*
 * Each of them is done also when it was done already. `head` is as it was read. PLAN_NOT_THERE: the post is deleted.
 * PLAN_FULL: there are as many as may be. PLAN_CHANGED: another one was closed or pinned meanwhile.
 */
enum plan_rc discussion_turn(struct plan *plan, const struct item *head, bool off);
enum plan_rc discussion_close(struct plan *plan, const struct item *head, bool closed);
enum plan_rc discussion_close_thread(
    struct plan *plan, const struct item *head, const struct comment *root, bool closed);
enum plan_rc discussion_pin(
    struct plan *plan, const struct item *head, const struct comment *root, bool pinned);

#endif
