#ifndef MODEL_PEOPLE_NAME_H
#define MODEL_PEOPLE_NAME_H

#include "model/plan.h"
#include "model/people/user.h"
#include "table/table.h"

/*
 * Whose name somebody may not take: that of the site, one that sounds like its staff, and one that people may take for
 * that of somebody who writes here. Names are compared by their skeletons (base/confusable.h).
 *
 * The names of authors and staff are guarded: an item NAME#<skeleton> / <username> says that somebody is called so, by
 * username or display name. It is written in the transaction that makes somebody an author or gives them a name, and
 * goes with the name and with the person. It is a hint: whoever finds one looks at the person. So what is left of one
 * who is no author any more does no harm; and what is missing (in an old table, of people who came with a load, of
 * readers who published something) the sweeper adds once a day, names_guard_all().
 */

/* Is the name of this person guarded? Of authors and staff, and of who has something public. */
bool name_is_guarded(const struct user *user);

/* One of the words that sound like the staff's or the program's; however it is spelled, and with digits at its ends. */
bool name_is_reserved(struct arena *arena, struct str name);

/* Do people take one for the other? */
bool name_is_like(struct arena *arena, struct str a, struct str b);

/*
 * What is wrong with a display name by itself, as a sentence for its field: a character that nobody sees, or a word of
 * letters that look alike and are of different scripts. NULL: nothing.
 */
const char *name_error(struct arena *arena, struct str name);

/* --- Guards ----------------------------------------------------------------------------------------- */

/* In this plan somebody's names become guarded, or are not any more. */
void name_guard(struct plan *plan, const struct user *user);
void name_unguard(struct plan *plan, const struct user *user);

/* That of another display name: what was guarded of the old one goes. */
void name_guard_change(struct plan *plan, const struct user *user, struct str new_name);

/* Finds the guards of a name, in the same trip as whatever else is read. */
struct read name_read(struct arena *arena, struct str name);

/*
 * Is it like the name of anybody but `self` (a username, or empty) whose name is guarded? `read` is name_read() of it,
 * read. One more trip, when there is a guard.
 */
enum table_rc name_is_theirs(struct table *table, struct table_call *call, const struct read *read,
    struct str name, struct str self, bool *theirs);

/* Guards the names of all whose names are to be, where they are not yet; *added says how many there were. */
enum table_rc names_guard_all(struct table *table, size_t *added);

#endif
