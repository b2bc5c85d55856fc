#ifndef MODEL_PEOPLE_STAFF_NOTE_H
#define MODEL_PEOPLE_STAFF_NOTE_H

#include "model/bind.h"
#include "model/plan.h"

/*
 * A note by which the staff inform each other about a person, who does not see it. It expires after
 * two years.
 */
struct staff_note {
	struct str id, about, author, text;
	int64_t created;
};

void staff_note_from_item(struct arena *arena, const struct item *item, struct staff_note *out);

enum plan_rc staff_note_add(struct plan *plan, struct str about, struct str text);
/* PLAN_TAKEN: it was removed already. */
enum plan_rc staff_note_remove(struct plan *plan, struct str about, struct str id);

extern const struct binding_table staff_note_bindings;

#endif
