#include "pages/admin/comment_rows.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_moderation.h"
#include "model/key_rating.h"
#include "model/post/collection.h"
#include "model/post/post.h"
#include "model/reader/rating.h"
#include "model/site/settings.h"
#include "model/slug.h"
#include "pages/admin/decide.h"
#include "pages/public/comment.h"
#include "pages/public/thread_view.h"
#include "pages/shared/card.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { BATCHES = 5, KEYS_MAX = BATCHES * TABLE_BATCH_MAX, PEOPLE_MAX = 20, FLAGGED_MAX = 20 };
enum { FLAGS_SHOWN = 10 };
enum { CONTEXT_MAX = 300, NOTES_MAX = 3 + FLAGS_SHOWN };

struct comment_rows {
	struct request *rq;
	struct key keys[KEYS_MAX];
	size_t key_count;
	struct str people[PEOPLE_MAX];
	size_t people_count;
	struct str flagged[FLAGGED_MAX];
	size_t flagged_count;
	struct read *reads; /* the batches; then for each person TRUST_READS; then the flags of each thing */
	size_t batches;
	size_t shown, dismissed; /* rows so far that can be decided, and those whose flags can be */
};

struct comment_rows *
comment_rows(struct request *rq)
{
	struct comment_rows *rows = ARENA_NEW(rq->arena, struct comment_rows);

	*rows = (struct comment_rows){.rq = rq};
	return rows;
}

/* --- Reads ------------------------------------------------------------------------------------ */

static size_t
key_at(const struct comment_rows *rows, struct key key)
{
	size_t k = 0;

	while (k < rows->key_count &&
	       !(str_eq(rows->keys[k].pk, key.pk) && str_eq(rows->keys[k].sk, key.sk)))
		k++;
	return k;
}

static void
want(struct comment_rows *rows, struct key key)
{
	size_t k = key_at(rows, key);

	if (k == rows->key_count && k < KEYS_MAX)
		rows->keys[rows->key_count++] = key;
}

static const struct item *
got(const struct comment_rows *rows, struct key key)
{
	size_t k = key_at(rows, key);

	return k < rows->key_count ? rows->reads[k / TABLE_BATCH_MAX].items[k % TABLE_BATCH_MAX]
				   : NULL;
}

static void
want_person(struct comment_rows *rows, struct str username)
{
	size_t i = 0;

	if (username.len == 0)
		return;
	want(rows, key_user(rows->rq->arena, username));
	while (i < rows->people_count && !str_eq(rows->people[i], username))
		i++;
	if (i == rows->people_count && i < PEOPLE_MAX)
		rows->people[rows->people_count++] = username;
}

void
comment_rows_add(struct comment_rows *rows, const struct item *item)
{
	struct arena *arena = rows->rq->arena;
	struct comment comment;
	struct key parent;

	comment_from_item(arena, item, &comment);
	want(rows, key_post(arena, comment.post));
	if (key_comment_parent(item_key(item), &parent))
		want(rows, parent);
	want_person(rows, comment.author);
}

void
comment_rows_add_text(struct comment_rows *rows, const struct item *item)
{
	want(rows, key_post(rows->rq->arena, item_string(item, STR("Post"))));
}

/* A flagged or restricted thing. */
static void
want_target(struct comment_rows *rows, const struct flag_target *target)
{
	struct arena *arena = rows->rq->arena;
	struct key key, parent;

	if (target->post.len != 0)
		want(rows, key_post(arena, target->post));
	if (target->what == FLAG_COMMENT) {
		key = key_comment(arena, target->post, target->path);
		want(rows, key);
		if (key_comment_parent(key, &parent))
			want(rows, parent);
	} else {
		want(rows, key_restriction(arena, key_flag_target(arena, target)));
	}
	if (target->what == FLAG_REVIEW)
		want(rows, key_rating(arena, target->person, target->post));
	if (target->what == FLAG_COLLECTION)
		want(rows, key_collection(arena, target->collection));
	want_person(rows, target->person);
}

void
comment_rows_add_flagged(struct comment_rows *rows, const struct item *item)
{
	struct flagged flagged;

	flagged_from_item(rows->rq->arena, item, &flagged);
	if (rows->flagged_count == FLAGGED_MAX)
		return;
	rows->flagged[rows->flagged_count++] = flagged.name;
	want_target(rows, &flagged.target);
}

void
comment_rows_add_restricted(struct comment_rows *rows, const struct item *item)
{
	struct restriction restriction;

	restriction_from_item(rows->rq->arena, item, &restriction);
	want_target(rows, &restriction.target);
}

enum http_status
comment_rows_read(struct comment_rows *rows)
{
	struct arena *arena = rows->rq->arena;
	size_t count = 0;

	rows->reads = ARENA_ARRAY(
	    arena, BATCHES + rows->people_count * TRUST_READS + rows->flagged_count, struct read);
	if (rows->key_count == 0)
		return HTTP_OK;
	for (size_t i = 0; i < rows->key_count; i += TABLE_BATCH_MAX) {
		size_t left = rows->key_count - i;

		rows->reads[count++] = (struct read){.kind = READ_BATCH,
		    .batch = {&rows->keys[i], left < TABLE_BATCH_MAX ? left : TABLE_BATCH_MAX}};
	}
	rows->batches = count;
	for (size_t i = 0; i < rows->people_count; i++, count += TRUST_READS)
		trust_reads(arena, rows->people[i], &rows->reads[count]);
	for (size_t i = 0; i < rows->flagged_count; i++, count++) {
		rows->reads[count] = flags_read(arena, rows->flagged[i]);
		rows->reads[count].query.limit = FLAGS_SHOWN;
	}
	return page_read(rows->rq, rows->reads, count);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static void
note(struct comment_rows *rows, struct admin_row_view *row, struct str text)
{
	struct admin_note_view *notes;

	if (text.len == 0)
		return;
	notes = ARENA_ARRAY(rows->rq->arena, row->notes.count + 1, struct admin_note_view);
	for (size_t i = 0; i < row->notes.count; i++)
		notes[i] = row->notes.items[i];
	notes[row->notes.count++].text = text;
	row->notes.items = notes;
}

/* "Noor, trusted, here since 3 May 2025, 2 wait" */
static struct str
person_words(struct comment_rows *rows, struct str username, struct str name)
{
	struct request *rq = rows->rq;
	const struct item *item = got(rows, key_user(rq->arena, username));
	const struct read *reads;
	struct user user;
	size_t i = 0, waiting;

	while (i < rows->people_count && !str_eq(rows->people[i], username))
		i++;
	if (item == NULL || i == rows->people_count)
		return name;
	user_from_item(rq->arena, item, &user);
	reads = &rows->reads[rows->batches + i * TRUST_READS];
	waiting = reads[TRUST_WAITING].found_count;
	return STR_CONCAT(rq->arena, name, STR(", "),
	    user.role != ROLE_READER
		? str_of(role_name(user.role))
		: str_of(trust_name(trust_of_person(
		      &rq->settings->moderation, &user, reads, rq->now))),
	    STR(", here since "), words_date(rq, user.created),
	    waiting > 1 ? STR_CONCAT(rq->arena, STR(", "),
			      words_count(rq->arena, (int64_t)waiting, "waits", "wait"))
			: STR(""),
	    reads[TRUST_HIDDEN].found_count != 0 ? STR(", something of theirs was hidden")
						 : STR(""));
}

/* Why there are no buttons. */
static void
note_own(struct comment_rows *rows, struct admin_row_view *row)
{
	note(rows, row, STR("It is yours: somebody else who moderates decides."));
}

/* The comment that it answers, abbreviated. */
static void
note_parent(struct comment_rows *rows, struct admin_row_view *row, struct key key)
{
	struct arena *arena = rows->rq->arena;
	const struct item *item;
	struct comment parent;
	struct str text;
	size_t end = 0, letters = 0;

	if (!key_comment_parent(key, &key))
		return;
	item = got(rows, key);
	if (item == NULL)
		return;
	comment_from_item(arena, item, &parent);
	if (!may(rows->rq->viewer, MAY_READ, thing_comment(&parent)))
		return;
	text = markdown_text(arena, parent.markdown);
	while (end < text.len && letters++ < CONTEXT_MAX)
		str_rune(text, &end);
	note(rows, row,
	    STR_CONCAT(arena, STR("In answer to "), parent.author_name, STR(": “"),
		str_sub(text, 0, end), end < text.len ? STR("…”") : STR("”")));
}

static void
note_flags(struct comment_rows *rows, struct admin_row_view *row, struct str name)
{
	struct arena *arena = rows->rq->arena;
	const struct read *read =
	    &rows->reads[rows->batches + rows->people_count * TRUST_READS];
	size_t i = 0;

	while (i < rows->flagged_count && !str_eq(rows->flagged[i], name))
		i++;
	for (size_t f = 0; i < rows->flagged_count && f < read[i].found_count; f++) {
		struct flag flag;

		if (!kind_is(&read[i].found[f], ITEM_FLAG))
			continue;
		flag_from_item(arena, &read[i].found[f], &flag);
		note(rows, row,
		    STR_CONCAT(arena, STR("Flagged by "), flag.author,
			flag.trusted ? STR(", trusted: ") : STR(": "),
			str_of(flag_reason_label(flag.reason)),
			flag.note.len != 0 ? STR(". ") : STR(""), flag.note));
	}
}

/* Its name for buttons, and for choosing it among others. */
static struct str
value_of(struct comment_rows *rows, const struct comment *comment, int64_t flags)
{
	const struct flag_target target = {
	    .what = FLAG_COMMENT, .post = comment->post, .path = comment->path};

	return decided_value(
	    rows->rq, &target, time_format(rows->rq->arena, comment->updated), flags);
}

static void
add_buttons(struct comment_rows *rows, const struct comment *comment, struct admin_row_view *row)
{
	struct request *rq = rows->rq;
	struct str value = value_of(rows, comment, 0);
	bool first = rows->shown++ == 0;
	struct admin_button_view *button;

	if (may(rq->viewer, MAY_PUBLISH, thing_comment(comment))) {
		button = admin_button(rq, row, "approve", value, "Approve");
		button->key = first ? STR("a") : STR("");
	} else if (comment->status == COMMENT_HELD) {
		note_own(rows, row);
	}
	if (may(rq->viewer, MAY_RESTORE, thing_comment(comment)) &&
	    comment_restorable(comment, rq->now))
		admin_button(rq, row, "restore", value, "Restore");
	if (comment->answer.len != 0 && may(rq->viewer, MAY_RESTORE, thing_comment(comment)))
		admin_button(rq, row, "keep", value, "Keep it hidden");
	if (!may(rq->viewer, MAY_TAKE_DOWN, thing_comment(comment)))
		return;
	for (size_t i = 0; hiding_reasons[i].word != NULL; i++) {
		button = admin_button(rq, row, "hide",
		    STR_CONCAT(rq->arena, str_of(hiding_reasons[i].word), STR(" "), value),
		    hiding_reasons[i].label);
		button->key = first && i == 0 ? STR("h") : STR("");
	}
}

/* Why it is held, or why and by whom it was hidden, and its author's answer. */
static void
note_state(struct comment_rows *rows, const struct comment *comment, struct admin_row_view *row)
{
	struct arena *arena = rows->rq->arena;

	if (comment->status == COMMENT_HELD && comment->held_for.len != 0)
		note(rows, row, STR_CONCAT(arena, STR("Waits: "), comment->held_for));
	if (comment->status == COMMENT_HIDDEN)
		note(rows, row,
		    STR_CONCAT(arena, STR("Hidden by "), comment->hidden_by,
			comment->by_author ? STR(", an author of the post, ") : STR(", "),
			words_moment(rows->rq, comment->hidden), STR(": "), comment->hidden_why));
	if (comment->answer.len != 0)
		note(rows, row, STR_CONCAT(arena, STR("Their answer: "), comment->answer));
}

bool
comment_row(struct comment_rows *rows, const struct item *item, struct admin_row_view *out)
{
	struct request *rq = rows->rq;
	const struct item *head;
	struct comment comment;
	struct post post;

	comment_from_item(rq->arena, item, &comment);
	head = got(rows, key_post(rq->arena, comment.post));
	if (head == NULL || comment.status == COMMENT_DELETED)
		return false;
	post_from_item(rq->arena, head, &post);
	if (!may(rq->viewer, MAY_READ, thing_post(&post, rq->now)))
		return false;
	note_confidential(rq, &post);
	*out = (struct admin_row_view){
	    .url = comment.status == COMMENT_HIDDEN
		? comment_decide_url(rq, post.id, comment.path)
		: comment_permalink(rq, &post, comment.path),
	    .name = words_title(&post),
	    .text = STR_CONCAT(rq->arena,
		person_words(rows, comment.author, comment.author_name), STR(" · "),
		words_moment(rq, comment.created)),
	    .has_body = true,
	    .body_html = stored_comment_html(rq, &comment),
	    .way_url = url_join(rq->arena, STR("/admin/person/"), comment.author),
	    .way_text = STR_CONCAT(
		rq->arena, STR("All of what "), comment.author_name, STR(" did"))};
	out->pick = value_of(rows, &comment, 0);
	note_parent(rows, out, item_key(item));
	note_state(rows, &comment, out);
	add_buttons(rows, &comment, out);
	return true;
}

bool
comment_row_text(struct comment_rows *rows, const struct item *item, struct admin_row_view *out)
{
	struct request *rq = rows->rq;
	const struct item *head = got(rows, key_post(rq->arena, item_string(item, STR("Post"))));
	struct post post;
	int64_t until = 0;

	if (head == NULL)
		return false;
	post_from_item(rq->arena, head, &post);
	if (!may(rq->viewer, MAY_READ, thing_post(&post, rq->now)))
		return false;
	note_confidential(rq, &post);
	(void)time_parse(item_string(item, STR("CreatedAt")), &until);
	*out = (struct admin_row_view){.url = post_path(rq->arena, &post),
	    .name = words_title(&post),
	    .text = STR_CONCAT(rq->arena, STR("Until "), words_moment(rq, until)),
	    .has_body = true,
	    .body_html = stored_html(
		rq, MARKDOWN_READER, item_string(item, STR("Markdown")), STR(""), 0)};
	return true;
}

/* The post, of which the thing is the note of a review, or which is the thing. False: the viewer may not read it. */
static bool
post_row(struct comment_rows *rows, struct restrictable *thing, struct post *post, struct admin_row_view *row)
{
	struct request *rq = rows->rq;

	thing->item = got(rows, key_post(rq->arena, thing->target.post));
	if (thing->item == NULL)
		return false;
	post_from_item(rq->arena, thing->item, post);
	if (!may(rq->viewer, MAY_READ, thing_post(post, rq->now)))
		return false;
	note_confidential(rq, post);
	*row = (struct admin_row_view){.url = post_path(rq->arena, post),
	    .name = words_title(post),
	    .text = STR_CONCAT(rq->arena, STR("A post by "), post->author_name)};
	return true;
}

static bool
review_row(struct comment_rows *rows, struct restrictable *thing, struct admin_row_view *row)
{
	const struct flag_target *target = &thing->target;
	struct arena *arena = rows->rq->arena;
	struct rating review;

	thing->item = got(rows, key_rating(arena, target->person, target->post));
	if (thing->item == NULL)
		return false;
	rating_from_item(arena, thing->item, &review);
	row->text = STR_CONCAT(arena, STR("A review by "), person_words(rows, target->person, review.author_name), STR(": "),
	    review.note);
	return true;
}

static bool
profile_row(struct comment_rows *rows, struct restrictable *thing, struct user *user, struct admin_row_view *row)
{
	struct arena *arena = rows->rq->arena;
	struct str name = thing->target.person, words;

	thing->item = got(rows, key_user(arena, name));
	if (thing->item == NULL)
		return false;
	user_from_item(arena, thing->item, user);
	words = profile_words(arena, user);
	*row = (struct admin_row_view){.url = author_path(arena, name),
	    .name = name,
	    .text = STR_CONCAT(arena, STR("The profile of "), person_words(rows, name, user->display_name),
		words.len != 0 ? STR(": ") : STR(""), words),
	    .way_url = user->cover_url,
	    .way_text = STR("The cover of their page")};
	return true;
}

static bool
collection_row(
    struct comment_rows *rows, struct restrictable *thing, struct collection *collection, struct admin_row_view *row)
{
	struct arena *arena = rows->rq->arena;

	thing->item = got(rows, key_collection(arena, thing->target.collection));
	if (thing->item == NULL)
		return false;
	collection_from_item(arena, thing->item, collection);
	*row = (struct admin_row_view){.url = url_join(arena, STR("/collection/"), collection->id),
	    .name = collection->name,
	    .text = STR_CONCAT(arena, STR("A collection by "), collection->owner_name,
		collection->description.len != 0 ? STR(": ") : STR(""), collection->description)};
	return may(rows->rq->viewer, MAY_READ, thing_collection(collection));
}

/* A thing that is not a comment: a link to it, and a few words. */
static bool
thing_row(struct comment_rows *rows, const struct flag_target *target, struct restrictable *thing,
    struct admin_row_view *row)
{
	struct arena *arena = rows->rq->arena;
	struct post *post = ARENA_NEW(arena, struct post);
	struct collection *collection = ARENA_NEW(arena, struct collection);
	struct user *user = ARENA_NEW(arena, struct user);

	*thing = (struct restrictable){.target = *target,
	    .restriction = got(rows, key_restriction(arena, key_flag_target(arena, target))),
	    .post = post,
	    .collection = collection,
	    .user = user};
	switch (target->what) {
	case FLAG_POST: return post_row(rows, thing, post, row);
	case FLAG_REVIEW: return post_row(rows, thing, post, row) && review_row(rows, thing, row);
	case FLAG_PROFILE: return profile_row(rows, thing, user, row);
	case FLAG_COLLECTION: return collection_row(rows, thing, collection, row);
	case FLAG_COMMENT:
	case FLAG_WHATS: break;
	}
	return false;
}

/* What can be decided on such a thing. */
static void
add_thing_buttons(struct comment_rows *rows, const struct restrictable *thing, struct str value,
    struct admin_row_view *row)
{
	struct request *rq = rows->rq;
	struct restriction r;

	restriction_from_item(rq->arena, thing->restriction, &r);
	if (r.state != RESTRICTED_NOT && decided_may(rq, MAY_SHOW, thing)) {
		if (r.state == RESTRICTED_HELD)
			admin_button(rq, row, "approve", value, "Approve");
		else if (restriction_restorable(&r, rq->now))
			admin_button(rq, row, "restore", value, "Restore");
		if (r.answered != 0 && r.state == RESTRICTED_HIDDEN)
			admin_button(rq, row, "keep", value, "Keep it hidden");
	}
	if (r.state == RESTRICTED_HIDDEN || !decided_may(rq, MAY_HIDE, thing))
		return;
	for (size_t i = 0; hiding_reasons[i].word != NULL; i++)
		admin_button(rq, row, "hide",
		    STR_CONCAT(rq->arena, str_of(hiding_reasons[i].word), STR(" "), value),
		    hiding_reasons[i].label);
}

bool
comment_row_restricted(
    struct comment_rows *rows, const struct item *item, struct admin_row_view *out)
{
	struct request *rq = rows->rq;
	struct restrictable thing;
	struct restriction r;

	restriction_from_item(rq->arena, item, &r);
	if (!thing_row(rows, &r.target, &thing, out))
		return false;
	thing.restriction = item;
	if (r.why.len == 0)
		note(rows, out, STR_CONCAT(rq->arena, STR("Waits: "), r.held_for));
	else
		note(rows, out,
		    STR_CONCAT(rq->arena,
			r.state == RESTRICTED_HELD ? STR("Held back by ") : STR("Hidden by "), r.by, STR(", "),
			words_moment(rq, r.created), STR(": "), r.why));
	if (r.answer.len != 0)
		note(rows, out, STR_CONCAT(rq->arena, STR("Their answer: "), r.answer));
	out->pick = decided_value(rq, &r.target, decided_shown(thing.item, item), 0);
	add_thing_buttons(rows, &thing, out->pick, out);
	return true;
}

/* Nothing is shown of a post that the viewer may not read. */
static bool
may_read_post(struct comment_rows *rows, struct str id)
{
	const struct item *item = got(rows, key_post(rows->rq->arena, id));
	struct post post;

	if (item == NULL)
		return true;
	post_from_item(rows->rq->arena, item, &post);
	return may(rows->rq->viewer, MAY_READ, thing_post(&post, rows->rq->now));
}

static void
add_flag_buttons(struct comment_rows *rows, const struct item *comment, struct str value,
    struct admin_row_view *row)
{
	struct admin_button_view *button;

	if (comment == NULL || !str_eq(item_string(comment, STR("Status")), STR("held"))) {
		button = admin_button(rows->rq, row, "dismiss", value, "Dismiss the flags");
		button->key = rows->dismissed++ == 0 ? STR("d") : STR("");
	}
	if (comment == NULL)
		admin_button(rows->rq, row, "uphold", value, "They were right, and it is seen to");
}

bool
comment_row_flagged(
    struct comment_rows *rows, const struct item *item, struct admin_row_view *out)
{
	struct request *rq = rows->rq;
	const struct item *comment = NULL;
	struct restrictable thing;
	struct flagged flagged;
	struct comment c;
	struct str value;
	bool there;

	flagged_from_item(rq->arena, item, &flagged);
	if (flagged.target.what == FLAG_COMMENT)
		comment = got(
		    rows, key_comment(rq->arena, flagged.target.post, flagged.target.path));
	if (flagged.target.post.len != 0 && !may_read_post(rows, flagged.target.post))
		return false;
	there = comment != NULL ? comment_row(rows, comment, out)
				: thing_row(rows, &flagged.target, &thing, out);
	if (!there)
		*out = (struct admin_row_view){.name = STR("It is not there any more")};
	note_flags(rows, out, flagged.name);
	if (comment != NULL)
		comment_from_item(rq->arena, comment, &c);
	value = decided_value(rq, &flagged.target,
	    comment != NULL ? time_format(rq->arena, c.updated)
	    : there	    ? decided_shown(thing.item, thing.restriction)
			    : STR(""),
	    flagged.flags);
	out->pick = value;
	if (there && comment == NULL)
		add_thing_buttons(rows, &thing, value, out);
	if (!there || decided_may_settle(rq, comment != NULL ? &c : NULL, &thing))
		add_flag_buttons(rows, comment, value, out);
	else if (comment == NULL || c.status != COMMENT_HELD)
		note_own(rows, out);
	return true;
}
