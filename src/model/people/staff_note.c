#include "model/people/staff_note.h"

#include "base/clock.h"
#include "model/key_moderation.h"

enum { KEPT_SECONDS = 2 * 365 * 86400 };

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "About", struct staff_note, about),
    BIND_STRING(RECORDED, "Author", struct staff_note, author),
    BIND_TIME(RECORDED, "CreatedAt", struct staff_note, created),
    BIND_STRING(RECORDED, "Id", struct staff_note, id),
    BIND_TEXT(WRITTEN, "Text", struct staff_note, text, TEXT_LINES),
};
const struct binding_table staff_note_bindings = BINDINGS(bindings);

void
staff_note_from_item(struct arena *arena, const struct item *item, struct staff_note *out)
{
	*out = (struct staff_note){.created = 0};
	bind_read(arena, &staff_note_bindings, item, out);
}

enum plan_rc
staff_note_add(struct plan *plan, struct str about, struct str text)
{
	struct arena *arena = plan->call->arena;
	const struct staff_note note = {.id = id_new(arena, plan->clock),
	    .about = about,
	    .author = plan->by,
	    .text = text,
	    .created = plan->now};
	struct item item = {.count = 0};

	key_set(arena, &item, key_staff_note(arena, about, note.id), ITEM_STAFF_NOTE);
	bind_write(arena, &staff_note_bindings, &note, &item);
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + KEPT_SECONDS));
	plan_create(plan, item, PLAN_CHANGED);
	return plan_commit(plan);
}

enum plan_rc
staff_note_remove(struct plan *plan, struct str about, struct str id)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_staff_note(plan->call->arena, about, id),
		.condition = &plan_present},
	    PLAN_TAKEN);
	return plan_commit(plan);
}
