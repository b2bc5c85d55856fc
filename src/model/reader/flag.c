/*
 * The number of flags in the summary of a thing serves as its version: adding a flag, and settling
 * them, has the number that was read as its condition.
 */
#include "model/reader/flag.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_moderation.h"
#include "model/reader/comment_write.h"

enum { TRIES = 4, ID_LEN = 14 };
#define DAY_MS INT64_C(86400000)

static const char *const whats[] = {"post", "comment", "review", "profile", "collection", NULL};
static const char *const reasons[] = {"spam", "unkind", "off-topic", "illegal", "other", NULL};
static const char *const statuses[] = {"open", "dismissed", "upheld", NULL};

static const struct binding flag_rows[] = {
    BIND_STRING(RECORDED, "Author", struct flag, author),
    BIND_TIME(RECORDED, "CreatedAt", struct flag, created),
    BIND_TEXT(WRITTEN, "Note", struct flag, note, TEXT_LINES),
    BIND_CHOICE(WRITTEN, "Reason", struct flag, reason, reasons),
    BIND_BOOLEAN(RECORDED, "Trusted", struct flag, trusted),
};
const struct binding_table flag_bindings = BINDINGS(flag_rows);

static const struct binding flagged_rows[] = {
    BIND_STRING(RECORDED, "Collection", struct flagged, target.collection),
    BIND_TIME(RECORDED, "CreatedAt", struct flagged, created),
    BIND_NUMBER(COUNTED, "Flags", struct flagged, flags),
    BIND_STRING(RECORDED, "Path", struct flagged, target.path),
    BIND_STRING(RECORDED, "Person", struct flagged, target.person),
    BIND_STRING(RECORDED, "Post", struct flagged, target.post),
    BIND_TIME(RECORDED, "SettledAt", struct flagged, settled),
    BIND_STRING(RECORDED, "SettledBy", struct flagged, settled_by),
    BIND_CHOICE(RECORDED, "Status", struct flagged, status, statuses),
    BIND_STRING(RECORDED, "Target", struct flagged, name),
    BIND_TIME(RECORDED, "UpdatedAt", struct flagged, updated),
    BIND_CHOICE(RECORDED, "What", struct flagged, target.what, whats),
};
const struct binding_table flagged_bindings = BINDINGS(flagged_rows);

const char *
flag_what_name(enum flag_what what)
{
	return whats[what];
}

int
flag_what_of(struct str name)
{
	return choice_of(whats, name);
}

const char *
flag_reason_label(enum flag_reason reason)
{
	static const char *const labels[FLAG_REASONS] = {"Spam or advertising", "Unkind",
	    "Off topic", "Against the law", "Something else"};

	return labels[reason];
}

void
flag_from_item(struct arena *arena, const struct item *item, struct flag *out)
{
	*out = (struct flag){.reason = FLAG_SPAM};
	bind_read(arena, &flag_bindings, item, out);
}

void
flagged_from_item(struct arena *arena, const struct item *item, struct flagged *out)
{
	*out = (struct flagged){.status = FLAGGED_OPEN};
	bind_read(arena, &flagged_bindings, item, out);
}

/* --- Reading ---------------------------------------------------------------------------------------- */

struct read
flags_read(struct arena *arena, struct str name)
{
	struct read read = {.kind = READ_QUERY, .query = query_flags(arena, name)};

	/* The summary is the last item. */
	read.query.descending = true;
	read.query.limit = FLAGS_READ;
	read.query.consistent = true;
	return read;
}

const struct item *
flags_target_item(const struct read *answer)
{
	return answer->found_count != 0 && kind_is(&answer->found[0], ITEM_FLAGGED)
		   ? &answer->found[0]
		   : NULL;
}

const struct item *
flags_of(const struct read *answer, struct str username)
{
	for (size_t i = 0; i < answer->found_count; i++)
		if (kind_is(&answer->found[i], ITEM_FLAG) &&
		    str_eq(item_string(&answer->found[i], STR("Author")), username))
			return &answer->found[i];
	return NULL;
}

size_t
flags_above(struct arena *arena, struct str path, struct key keys[])
{
	size_t count = 0;

	for (size_t end = ID_LEN; end <= path.len; end += ID_LEN + 1) {
		const struct flag_target target = {
		    .what = FLAG_COMMENT, .path = str_sub(path, 0, end)};

		keys[count++] = key_flagged(arena, key_flag_target(arena, &target));
	}
	return count;
}

int64_t
flags_counted(
    struct arena *arena, const struct moderation *m, const struct read *batch, int64_t now)
{
	int64_t count = 0;

	for (size_t i = 0; i < batch->batch.count; i++) {
		struct flagged flagged;

		if (batch->items[i] == NULL)
			continue;
		flagged_from_item(arena, batch->items[i], &flagged);
		if (flagged.status != FLAGGED_DISMISSED &&
		    flagged.updated > now - m->flags_days * DAY_MS)
			count += flagged.flags;
	}
	return count;
}

/* --- Writing ---------------------------------------------------------------------------------------- */

static void
add_flag(struct plan *plan, const struct new_flag *flag, struct str name)
{
	struct arena *arena = plan->call->arena;
	const struct flag stored = {.author = plan->by,
	    .note = flag->note,
	    .reason = flag->reason,
	    .trusted = flag->trust == TRUST_TRUSTED,
	    .created = plan->now};
	struct item item = {.count = 0};

	key_set(arena, &item, key_flag(arena, name, plan->by), ITEM_FLAG);
	key_index_flag(arena, &item, plan->by, plan->now, name);
	item_set(arena, &item, STR("Target"), value_string(name));
	bind_write(arena, &flag_bindings, &stored, &item);
	plan_create(plan, item, PLAN_ALREADY);
}

/* It has as many flags as when it was read. */
static const struct condition *
has_flags(struct arena *arena, const struct item *flagged)
{
	struct condition *condition = ARENA_NEW(arena, struct condition);

	*condition = flagged == NULL
			 ? plan_absent
			 : (struct condition){.op = COND_EQ,
			       .name = STR("Flags"),
			       .value = value_number(item_number(flagged, STR("Flags")))};
	return condition;
}

/* Adds a flag; a settled thing is open again, and its earlier flags do not count. */
static void
count_flag(struct plan *plan, const struct new_flag *flag, struct str name,
    const struct item *stored)
{
	struct arena *arena = plan->call->arena;
	struct flagged flagged = {.status = FLAGGED_DISMISSED};
	struct item item = {.count = 0};
	struct change *changes;
	size_t count = 0;

	if (stored != NULL)
		flagged_from_item(arena, stored, &flagged);
	if (flagged.status != FLAGGED_OPEN || flagged.created == 0)
		flagged.created = plan->now;
	flagged.name = name;
	flagged.target = *flag->target;
	flagged.status = FLAGGED_OPEN;
	flagged.updated = plan->now;
	item_set(arena, &item, STR("Type"), kind_type(ITEM_FLAGGED));
	bind_write(arena, &flagged_bindings, &flagged, &item);
	key_index_flagged(arena, &item, flagged.created, name);
	changes = ARENA_ARRAY(arena, item.count + 1, struct change);
	for (size_t i = 0; i < item.count; i++)
		if (!str_eq(item.attributes[i].name, STR("Flags")))
			changes[count++] = (struct change){
			    CHANGE_SET, item.attributes[i].name, item.attributes[i].value};
	changes[count++] = (struct change){CHANGE_ADD, STR("Flags"), value_number(1)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_flagged(arena, name),
		.changes = changes,
		.change_count = count,
		.condition = has_flags(arena, stored)},
	    PLAN_CHANGED);
}

/* With this one, are there enough flags of trusted people to hold the comment? */
static bool
holds(struct plan *plan, const struct new_flag *flag, const struct read *read,
    const struct item *stored)
{
	const struct moderation *m = flag->moderation;
	int64_t since = plan->now - m->flags_days * DAY_MS, count = 1;
	struct flagged flagged = {.settled = 0};

	if (flag->comment == NULL || flag->trust != TRUST_TRUSTED || m->flags_hold == 0)
		return false;
	if (stored != NULL)
		flagged_from_item(plan->call->arena, stored, &flagged);
	since = flagged.settled > since ? flagged.settled : since;
	for (size_t i = 0; i < read->found_count; i++) {
		struct flag one;

		if (!kind_is(&read->found[i], ITEM_FLAG))
			continue;
		flag_from_item(plan->call->arena, &read->found[i], &one);
		count += one.trusted && one.created > since;
	}
	return count >= m->flags_hold;
}

static enum plan_rc
create(struct plan *plan, const struct new_flag *flag, const struct read *read)
{
	struct arena *arena = plan->call->arena;
	struct str name = key_flag_target(arena, flag->target);
	const struct item *stored = flags_target_item(read);
	const struct rate rate = trust_rate(flag->moderation, flag->trust, TRUST_FLAG, plan->by);

	if (flags_of(read, plan->by) != NULL)
		return PLAN_DONE;
	add_flag(plan, flag, name);
	count_flag(plan, flag, name, stored);
	rate_add(plan, &rate, 1, false);
	if (holds(plan, flag, read, stored))
		comment_add_hold(plan, flag->comment, STR("flags"));
	else if (flag->comment != NULL)
		comment_add_visible(plan, flag->comment);
	return plan_commit(plan);
}

enum plan_rc
flag_create(struct plan *plan, const struct new_flag *flag)
{
	struct read read = *flag->flags;
	enum plan_rc rc = PLAN_CHANGED;

	for (int i = 0; i < TRIES && rc == PLAN_CHANGED; i++) {
		enum table_rc done =
		    i > 0 ? table_read(plan->table, plan->call, &read, 1) : TABLE_OK;

		if (done != TABLE_OK)
			return plan_failed(plan, done);
		rc = create(plan, flag, &read);
	}
	return rc == PLAN_ALREADY ? PLAN_DONE : rc;
}

void
flag_settle(struct plan *plan, const struct item *flagged, bool upheld)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, 5, struct change);
	enum flagged_status status = upheld ? FLAGGED_UPHELD : FLAGGED_DISMISSED;

	changes[0] =
	    (struct change){CHANGE_SET, STR("Status"), value_string(str_of(statuses[status]))};
	changes[1] = (struct change){
	    CHANGE_SET, STR("SettledAt"), value_string(time_format(arena, plan->now))};
	changes[2] = (struct change){CHANGE_SET, STR("SettledBy"), value_string(plan->by)};
	changes[3] = (struct change){.op = CHANGE_REMOVE, .name = table_pk_name(TABLE_GSI3)};
	changes[4] = (struct change){.op = CHANGE_REMOVE, .name = table_sk_name(TABLE_GSI3)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(flagged),
		.changes = changes,
		.change_count = 5,
		.condition = has_flags(arena, flagged)},
	    PLAN_CHANGED);
}
