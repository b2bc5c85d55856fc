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
#include "pages/shared/card.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { KEYS_MAX = TABLE_BATCH_MAX, PEOPLE_MAX = 20, FLAGGED_MAX = 20, FLAGS_SHOWN = 10 };
enum { CONTEXT_MAX = 300, NOTES_MAX = 3 + FLAGS_SHOWN };

/* The reasons for hiding. */
static const struct {
	const char *word, *label, *says;
} reasons[] = {
    {"spam", "Hide: advertising", "It is advertising."},
    {"unkind", "Hide: unkind", "It is unkind."},
    {"off-topic", "Hide: off topic", "It is off topic."},
    {"rules", "Hide: other", "It does not keep to the rules here."},
};
enum { REASONS = sizeof(reasons) / sizeof(reasons[0]) };

struct comment_rows {
	struct request *rq;
	struct key keys[KEYS_MAX];
	size_t key_count;
	struct str people[PEOPLE_MAX];
	size_t people_count;
	struct str flagged[FLAGGED_MAX];
	size_t flagged_count;
	struct read *reads; /* the batch; then for each person TRUST_READS; then the flags of each thing */
	size_t shown, dismissed; /* rows so far that can be decided, and those whose flags can be */
};

struct comment_rows *
comment_rows(struct request *rq)
{
	struct comment_rows *rows = ARENA_NEW(rq->arena, struct comment_rows);

	*rows = (struct comment_rows){.rq = rq};
	return rows;
}

const char *
comment_row_reason(struct str word)
{
	for (size_t i = 0; i < REASONS; i++)
		if (str_eq(str_of(reasons[i].word), word))
			return reasons[i].says;
	return NULL;
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

	return k < rows->key_count ? rows->reads[0].items[k] : NULL;
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
comment_rows_add_flagged(struct comment_rows *rows, const struct item *item)
{
	struct arena *arena = rows->rq->arena;
	struct flagged flagged;
	struct key key, parent;

	flagged_from_item(arena, item, &flagged);
	if (rows->flagged_count == FLAGGED_MAX)
		return;
	rows->flagged[rows->flagged_count++] = flagged.name;
	if (flagged.target.post.len != 0)
		want(rows, key_post(arena, flagged.target.post));
	if (flagged.target.what == FLAG_COMMENT) {
		key = key_comment(arena, flagged.target.post, flagged.target.path);
		want(rows, key);
		if (key_comment_parent(key, &parent))
			want(rows, parent);
	}
	if (flagged.target.what == FLAG_REVIEW)
		want(rows, key_rating(arena, flagged.target.person, flagged.target.post));
	if (flagged.target.what == FLAG_COLLECTION)
		want(rows, key_collection(arena, flagged.target.collection));
	want_person(rows, flagged.target.person);
}

enum http_status
comment_rows_read(struct comment_rows *rows)
{
	struct arena *arena = rows->rq->arena;
	size_t count = 1;

	rows->reads = ARENA_ARRAY(
	    arena, 1 + rows->people_count * TRUST_READS + rows->flagged_count, struct read);
	rows->reads[0] =
	    (struct read){.kind = READ_BATCH, .batch = {rows->keys, rows->key_count}};
	if (rows->key_count == 0)
		return HTTP_OK;
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
	reads = &rows->reads[1 + i * TRUST_READS];
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
	const struct read *read = &rows->reads[1 + rows->people_count * TRUST_READS];
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

struct str
comment_row_value(struct request *rq, const struct comment *comment)
{
	return STR_CONCAT(rq->arena, comment->post, STR(" "), comment->path, STR(" "),
	    time_format(rq->arena, comment->updated));
}

bool
comment_row_parse(struct str value, struct str *post, struct str *path, struct str *shown)
{
	struct str rest;

	*post = str_cut(value, ' ', &rest);
	*path = str_cut(rest, ' ', shown);
	return slug_valid(*post) && comment_path_valid(*path);
}

static void
add_buttons(struct comment_rows *rows, const struct comment *comment, struct admin_row_view *row)
{
	struct request *rq = rows->rq;
	struct str value = comment_row_value(rq, comment);
	bool first = rows->shown++ == 0;
	struct admin_button_view *button;

	if (may(rq->viewer, MAY_PUBLISH, thing_comment(comment))) {
		button = admin_button(rq, row, "approve", value, "Approve");
		button->key = first ? STR("a") : STR("");
	}
	if (may(rq->viewer, MAY_RESTORE, thing_comment(comment)) &&
	    comment_restorable(comment, rq->now))
		admin_button(rq, row, "restore", value, "Restore");
	if (comment->status == COMMENT_HIDDEN && comment->answer.len != 0)
		admin_button(rq, row, "keep", value, "Keep it hidden");
	if (!may(rq->viewer, MAY_TAKE_DOWN, thing_comment(comment)))
		return;
	for (size_t i = 0; i < REASONS; i++) {
		button = admin_button(rq, row, "hide",
		    STR_CONCAT(rq->arena, str_of(reasons[i].word), STR(" "), value),
		    reasons[i].label);
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
	if (comment->status != COMMENT_HIDDEN)
		return;
	note(rows, row,
	    STR_CONCAT(arena, STR("Hidden by "), comment->hidden_by, STR(", "),
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
	    .url = STR_CONCAT(rq->arena, post_path(rq->arena, &post), STR("#c-"), comment.id),
	    .name = words_title(&post),
	    .text = STR_CONCAT(rq->arena,
		person_words(rows, comment.author, comment.author_name), STR(" · "),
		words_moment(rq, comment.created)),
	    .has_body = true,
	    .body_html = stored_html(
		rq, MARKDOWN_READER, comment.markdown, comment.html, comment.renderer),
	    .way_url = url_join(rq->arena, STR("/admin/person/"), comment.author),
	    .way_text = STR_CONCAT(
		rq->arena, STR("All of what "), comment.author_name, STR(" did"))};
	note_parent(rows, out, item_key(item));
	note_state(rows, &comment, out);
	add_buttons(rows, &comment, out);
	return true;
}

/* A thing that is not a comment: a link to it, and a few words. */
static bool
thing_row(struct comment_rows *rows, const struct flag_target *target, struct admin_row_view *row)
{
	struct request *rq = rows->rq;
	const struct item *item = NULL;
	struct post post = {.id = STR_INIT("")};
	struct collection collection;
	struct rating review;

	if (target->post.len != 0) {
		item = got(rows, key_post(rq->arena, target->post));
		if (item == NULL)
			return false;
		post_from_item(rq->arena, item, &post);
		if (!may(rq->viewer, MAY_READ, thing_post(&post, rq->now)))
			return false;
		note_confidential(rq, &post);
		*row = (struct admin_row_view){
		    .url = post_path(rq->arena, &post), .name = words_title(&post)};
	}
	switch (target->what) {
	case FLAG_POST: row->text = STR_CONCAT(rq->arena, STR("A post by "), post.author_name); return true;
	case FLAG_REVIEW:
		item = got(rows, key_rating(rq->arena, target->person, target->post));
		if (item == NULL)
			return false;
		rating_from_item(rq->arena, item, &review);
		row->text = STR_CONCAT(rq->arena, STR("A review by "),
		    person_words(rows, target->person, review.author_name), STR(": "), review.note);
		return true;
	case FLAG_PROFILE:
		*row = (struct admin_row_view){.url = author_path(rq->arena, target->person),
		    .name = target->person,
		    .text = STR_CONCAT(rq->arena, STR("The profile of "),
			person_words(rows, target->person, target->person))};
		return true;
	case FLAG_COLLECTION:
		item = got(rows, key_collection(rq->arena, target->collection));
		if (item == NULL)
			return false;
		collection_from_item(rq->arena, item, &collection);
		*row = (struct admin_row_view){
		    .url = url_join(rq->arena, STR("/collection/"), collection.id),
		    .name = collection.name,
		    .text = STR_CONCAT(
			rq->arena, STR("A collection by "), collection.owner_name)};
		return may(rq->viewer, MAY_READ, thing_collection(&collection));
	case FLAG_COMMENT:
	case FLAG_WHATS: break;
	}
	return false;
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

bool
comment_row_flagged(
    struct comment_rows *rows, const struct item *item, struct admin_row_view *out)
{
	struct request *rq = rows->rq;
	const struct item *comment = NULL;
	struct flagged flagged;
	struct str value;
	bool there;

	flagged_from_item(rq->arena, item, &flagged);
	if (flagged.target.what == FLAG_COMMENT)
		comment = got(
		    rows, key_comment(rq->arena, flagged.target.post, flagged.target.path));
	if (flagged.target.post.len != 0 && !may_read_post(rows, flagged.target.post))
		return false;
	there = comment != NULL ? comment_row(rows, comment, out)
				: thing_row(rows, &flagged.target, out);
	if (!there)
		*out = (struct admin_row_view){.name = STR("It is not there any more")};
	note_flags(rows, out, flagged.name);
	value = STR_CONCAT(rq->arena, flagged.name, STR(" "),
	    str_fmt(rq->arena, "%lld", (long long)flagged.flags));
	if (!str_eq(item_string(comment != NULL ? comment : item, STR("Status")), STR("held"))) {
		struct admin_button_view *button =
		    admin_button(rq, out, "dismiss", value, "Dismiss the flags");

		button->key = rows->dismissed++ == 0 ? STR("d") : STR("");
	}
	if (comment == NULL)
		admin_button(rq, out, "uphold", value, "They were right, and it is seen to");
	return true;
}
