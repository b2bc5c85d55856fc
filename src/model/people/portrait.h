#ifndef MODEL_PEOPLE_PORTRAIT_H
#define MODEL_PEOPLE_PORTRAIT_H

#include "model/people/user.h"
#include "model/plan.h"
#include "model/post/media.h"

/*
 * The portrait of a person: one picture of this site, named by their AvatarURL. It is one of their uploads, or one that was
 * uploaded to be a portrait (media.portrait): small, and theirs only as long as it is in use. That it is in use stands in the
 * person's item and nowhere else; who sweeps pictures looks there (web/media/media_store.h).
 *
 * An address elsewhere, which could be typed once, is kept and not shown: whoever reads would call that server.
 */

/* Its address, in the smallest size there is; empty: none. `site` is its origin. In the arena. */
struct str portrait_of(struct arena *arena, struct str site, const struct user *user);

/* Is this picture their portrait; is it their cover? */
bool portrait_is(const struct user *user, struct str hash);
bool cover_is(const struct user *user, struct str hash);

/*
 * In place of the one that was read, which is let go; `media` NULL: none. PLAN_CHANGED: they have another one meanwhile;
 * PLAN_NOT_THERE: the new one is gone.
 */
enum plan_rc portrait_set(
    struct plan *plan, const struct user *user, const struct media *media, enum restricted profile);

/*
 * The cover of their page: one of their uploads, at its address, with what it shows; empty: none. As of a portrait,
 * that it is in use stands in the person's item. The same in other words needs no picture to be there. Ends as
 * portrait_set().
 */
enum plan_rc cover_set(struct plan *plan, const struct user *user, struct str url, struct str alt,
    enum restricted profile);

/* Adds that the picture at this address is let go: if it was uploaded to be their portrait, the sweeper takes it away. */
void portrait_let_go(struct plan *plan, struct str username, struct str address);

/* Adds that it is neither their portrait nor their cover, if it still is: it is going to be deleted. */
void pictures_drop(struct plan *plan, const struct user *user, struct str hash);

#endif
