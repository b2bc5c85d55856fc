#include "model/people/notification.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_notification.h"
#include "model/people/leaving.h"

/* As they are stored: in keys, in items, and in the names of forms' fields. */
static const char *const words[] = {[NOTE_REPLY] = "reply",
    [NOTE_MENTION] = "mention",
    [NOTE_COMMENT] = "comment",
    [NOTE_THREAD] = "thread",
    [NOTE_FOLLOWER] = "follower",
    [NOTE_REQUEST] = "request",
    [NOTE_APPROVED] = "approved",
    [NOTE_POST] = "post",
    [NOTE_TAG] = "tag",
    [NOTE_CATEGORY] = "category",
    [NOTE_COAUTHOR] = "coauthor",
    [NOTE_DECISION] = "decision",
    [NOTE_QUEUE] = "queue",
    [NOTE_WHATS] = NULL};

static const struct binding bindings[] = {
    BIND_TIME(RECORDED, "At", struct notification, at),
    BIND_STRING(RECORDED, "Comment", struct notification, comment),
    BIND_BOOLEAN(RECORDED, "Full", struct notification, full),
    BIND_STRINGS(RECORDED, "Of", struct notification, of),
    BIND_STRING(RECORDED, "Post", struct notification, post),
    BIND_TIME(RECORDED, "ReadAt", struct notification, read),
    BIND_STRING(RECORDED, "Target", struct notification, target),
    BIND_CHOICE(RECORDED, "What", struct notification, what, words),
};
const struct binding_table notification_bindings = BINDINGS(bindings);

/* What only a decision has. */
static const struct binding of_decisions[] = {
    BIND_STRING(RECORDED, "Deed", struct notification, deed),
    BIND_CHOICE(RECORDED, "Thing", struct notification, thing, moderated_words),
    BIND_TEXT(RECORDED, "Why", struct notification, why, TEXT_LINES),
};
const struct binding_table decision_bindings = BINDINGS(of_decisions);

struct str
note_word(enum note_what what)
{
	return str_of(words[what]);
}

bool
note_of_word(struct str word, enum note_what *out)
{
	int what = choice_of(words, word);

	if (what >= 0)
		*out = (enum note_what)what;
	return what >= 0;
}

void
note_from_item(struct arena *arena, const struct item *item, struct notification *out)
{
	*out = (struct notification){.at = 0};
	bind_read(arena, &notification_bindings, item, out);
	bind_read(arena, &decision_bindings, item, out);
	out->count = item_number(item, STR("Count"));
	out->place = item_key(item).sk;
}

struct strings_value
note_actors(struct arena *arena, const struct notification *note, const struct hidden *hidden)
{
	struct str *names = ARENA_ARRAY(arena, note->of.count, struct str);
	struct strings_value actors = {.strings = names};

	for (size_t i = note->of.count; i-- > 0;) {
		struct str name;

		str_cut(note->of.strings[i], '#', &name);
		if (!hidden_has(&actors, name) && !hidden_has(&hidden->muted, name) &&
		    !hidden_has(&hidden->blocked, name))
			names[actors.count++] = name;
	}
	return actors;
}

/* --- Settings ---------------------------------------------------------------------------------------- */

#define PAGE_OFF STR("PageOff")
#define MAIL_OFF STR("MailOff")

static unsigned
bits_of(const struct item *item, struct str attribute)
{
	const struct value *set = item != NULL ? item_get(item, attribute) : NULL;
	unsigned bits = 0;
	enum note_what what;

	if (set == NULL || set->kind != VALUE_STRING_SET)
		return 0;
	for (size_t i = 0; i < set->set.count; i++)
		if (note_of_word(set->set.members[i], &what))
			bits |= 1U << what;
	return bits;
}

/* What they do not want is stored: so a sort that there was not yet is told. */
void
note_settings_from_item(const struct item *item, struct note_settings *out)
{
	out->page = NOTE_ALL & ~bits_of(item, PAGE_OFF);
	out->mail = NOTE_MAILABLE & ~bits_of(item, MAIL_OFF);
}

struct read
note_settings_read(struct arena *arena, struct str username)
{
	return (struct read){
	    .kind = READ_GET, .key = key_note_settings(arena, username), .consistent = true};
}

static void
set_bits(struct arena *arena, struct item *item, struct str attribute, unsigned bits)
{
	struct str *members = ARENA_ARRAY(arena, NOTE_WHATS, struct str);
	size_t count = 0;

	for (unsigned what = 0; what < NOTE_WHATS; what++)
		if (bits & 1U << what)
			members[count++] = note_word((enum note_what)what);
	if (count != 0)
		item_set(arena, item, attribute, value_set(arena, members, count));
}

enum plan_rc
note_settings_set(struct plan *plan, const struct note_settings *settings)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_note_settings(arena, plan->by), ITEM_NOTIFICATION_SETTINGS);
	set_bits(arena, &item, PAGE_OFF, NOTE_ALL & ~settings->page);
	set_bits(arena, &item, MAIL_OFF, NOTE_MAILABLE & ~settings->mail);
	plan_put(plan, item);
	return plan_commit(plan);
}

enum plan_rc
note_settings_end_mail(struct plan *plan, struct str username, unsigned notes)
{
	struct arena *arena = plan->call->arena;
	struct str ended[NOTE_WHATS];
	struct change changes[2];
	struct value set;
	size_t count = 0;

	for (unsigned what = 0; what < NOTE_WHATS; what++)
		if ((notes & 1U << what) != 0)
			ended[count++] = note_word((enum note_what)what);
	set = value_set(arena, ended, count);
	changes[0] = (struct change){CHANGE_SET_ADD, MAIL_OFF, set};
	changes[1] = (struct change){
	    CHANGE_SET, STR("Type"), kind_type(ITEM_NOTIFICATION_SETTINGS)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_note_settings(arena, username),
		.changes = changes,
		.change_count = 2},
	    PLAN_DONE);
	return plan_commit(plan);
}

/* Does somebody stand behind it whom they want to meet? */
static bool
has_somebody(struct arena *arena, const struct notification *note, const struct hidden *hidden)
{
	return note->of.count == 0 || note_actors(arena, note, hidden).count != 0;
}

bool
note_is_told(struct arena *arena, const struct notification *note,
    const struct note_settings *settings, const struct hidden *hidden)
{
	return settings->page & 1U << note->what && has_somebody(arena, note, hidden);
}

/* --- Unread ------------------------------------------------------------------------------------------ */

#define SEEN STR("SeenAt")
#define UNREAD STR("Unread")

void
messages_from_item(const struct item *item, struct messages *out)
{
	*out = (struct messages){.unread = item != NULL ? item_number(item, UNREAD) : 0};
	if (item != NULL)
		(void)time_parse(item_string(item, SEEN), &out->seen);
}

int64_t
messages_expire(int64_t at)
{
	return at / 1000 + (int64_t)NOTE_KEPT_DAYS * 86400 - NOTE_COUNTED_MS / 1000;
}

bool
note_is_unread(const struct notification *note, int64_t seen)
{
	return note->at > seen && note->at > note->read;
}

/* The worker counts anew a moment later; until then this is what their next page says. */
enum plan_rc
note_read_all(struct plan *plan, const struct messages *now, int64_t until)
{
	struct arena *arena = plan->call->arena;
	struct str at = time_format(arena, until < plan->now ? until : plan->now);
	const struct change changes[] = {
	    {CHANGE_SET, TABLE_EXPIRES, value_number(messages_expire(plan->now))},
	    {CHANGE_SET, SEEN, value_string(at)},
	    {CHANGE_SET, STR("Type"), kind_type(ITEM_MESSAGES)},
	    {CHANGE_SET, UNREAD, value_number(0)},
	};
	const struct condition either[] = {{.op = COND_MISSING, .name = SEEN},
	    {.op = COND_LT, .name = SEEN, .value = value_string(at)}};
	const struct condition later = {.op = COND_ANY, .children = either, .count = 2};

	if (until <= now->seen)
		return plan->rc = PLAN_DONE;
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_messages(arena, plan->by),
		.changes = changes,
		.change_count = sizeof(changes) / sizeof(changes[0]),
		.condition = &later},
	    PLAN_DONE);
	return plan_commit(plan);
}

enum plan_rc
note_read_one(struct plan *plan, const struct messages *now, struct str place, int64_t until)
{
	struct arena *arena = plan->call->arena;
	const struct change read = {CHANGE_SET, STR("ReadAt"),
	    value_string(time_format(arena, until < plan->now ? until : plan->now))};
	const struct change one_less = {CHANGE_ADD, UNREAD, value_number(-1)};
	const struct condition as_read = {
	    .op = COND_EQ, .name = UNREAD, .value = value_number(now->unread)};

	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_note(arena, plan->by, place),
		.changes = &read,
		.change_count = 1,
		.condition = &plan_present},
	    PLAN_NOT_THERE);
	if (now->unread > 0 && now->unread <= NOTE_UNREAD_MAX)
		plan_add(plan,
		    (struct write){.kind = WRITE_UPDATE,
			.key = key_messages(arena, plan->by),
			.changes = &one_less,
			.change_count = 1,
			.condition = &as_read},
		    PLAN_DONE);
	return plan_commit(plan);
}

/* --- What is told in the transaction of what it tells --------------------------------------------------- */

/* Nobody is told what they did themselves; who has left is in no need of it, and their pseudonym is nobody's name. */
static bool
is_told_of(const struct plan *plan, struct str to)
{
	return to.len != 0 && !str_eq(to, plan->by) && !pseudonym_valid(to);
}

static void
add(struct plan *plan, struct str to, struct notification *note)
{
	struct arena *arena = plan->call->arena;
	struct str word = note_word(note->what);
	struct item item = {.count = 0};

	note->at = plan->now;
	note->place = key_note_place(arena, note->at, word, note->target);
	key_set(arena, &item, key_note(arena, to, note->place), ITEM_NOTIFICATION);
	bind_write(arena, &notification_bindings, note, &item);
	if (note->what == NOTE_DECISION)
		bind_write(arena, &decision_bindings, note, &item);
	key_index_note(arena, &item, to, note->at, word, note->target);
	item_set(arena, &item, TABLE_EXPIRES,
	    value_number(note->at / 1000 + (int64_t)NOTE_KEPT_DAYS * 86400));
	plan_put(plan, item);
}

void
note_add_decision(struct plan *plan, struct str to, const struct moderation_act *act)
{
	struct notification note = {.what = NOTE_DECISION,
	    .post = act->post,
	    .thing = act->thing,
	    .deed = act->what,
	    .why = act->why};

	if (!is_told_of(plan, to))
		return;
	note.target = id_new(plan->call->arena, plan->clock);
	add(plan, to, &note);
}

void
note_add_approved(struct plan *plan, struct str to)
{
	struct str *of = ARENA_NEW(plan->call->arena, struct str);
	struct notification note = {
	    .what = NOTE_APPROVED, .target = plan->by, .of = {.strings = of, .count = 1}};

	if (!is_told_of(plan, to))
		return;
	*of = STR_CONCAT(plan->call->arena, plan->by, STR("#"), plan->by);
	add(plan, to, &note);
}
