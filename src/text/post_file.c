/*
 * Posts as files, by the table of their fields (model/post/post_fields.h), which serves both
 * writing and reading, so that the two can't differ.
 */
#include "text/post_file.h"

#include "base/arena.h"
#include "model/post/writing.h"
#include "model/slug.h"
#include "text/post_file_parts.h"

#include <assert.h>

/* --- Writing ------------------------------------------------------------------------------------- */

/*
 * A head has no fields of other kinds; a body does not know its kind, and what it has is written.
 */
static bool
has(const struct post *post, const struct post_field *field)
{
	return post_field_in_body(field) || post_field_of(field, post->kind);
}

void
post_file_write(const struct post_file *file, struct buf *out)
{
	struct post_file shown = *file;

	/* A draft has no time of publication, whatever the table holds. */
	if (shown.post.status == STATUS_DRAFT)
		shown.post.published = 0;
	else
		shown.post.planned = 0;
	front_begin(out);
	for (size_t i = 0; i < post_field_count; i++)
		if (has(&shown.post, &post_fields[i]))
			part_type(&post_fields[i])->write(&post_fields[i], &shown, out);
	front_end(out, front_text_fits(shown.body.markdown) ? shown.body.markdown : STR(""));
}

const char *
post_file_error(struct arena *arena)
{
	for (size_t i = 0; i < post_field_count; i++)
		if (part_type(&post_fields[i]) == NULL)
			return str_cstring(
			    arena, str_fmt(arena, "no file can have the field %s of a post",
				       post_fields[i].key));
	return NULL;
}

/* --- Reading ------------------------------------------------------------------------------------- */

static bool
fail(struct front_fault *fault, uint32_t line, const char *why)
{
	*fault = (struct front_fault){line, str_of(why)};
	return false;
}

static uint64_t
bit(const struct post_field *field)
{
	assert(field != NULL && field < post_fields + 64);
	return UINT64_C(1) << (field - post_fields);
}

bool
post_file_gives(const struct post_file *file, const char *key)
{
	return (file->given & bit(post_field(str_of(key)))) != 0;
}

static bool
unknown(struct arena *arena, const struct front_entry *entry, struct front_fault *fault)
{
	*fault = (struct front_fault){
	    entry->line, str_fmt(arena, "there is no key \"%.*s\"", STR_ARGS(entry->key))};
	return false;
}

/*
 * A post that is not public is also marked in the way by which other programs leave a post out. The
 * status is more precise, so if a file has both, they must agree: otherwise somebody has changed
 * one of them and would be surprised.
 */
static bool
settle_word(struct post_file *file, uint32_t line, struct front_fault *fault)
{
	struct post *post = &file->post;

	if (file->word == WORD_NONE)
		return true;
	if (!post_file_gives(file, "status"))
		post->status = file->word == WORD_HIDDEN ? STATUS_DRAFT : STATUS_PUBLISHED;
	else if (file->word == WORD_SHOWN ? post->status != STATUS_PUBLISHED : post_is_public(post))
		return fail(fault, line,
		    "draft (or published) and status say different things: correct one of them, "
		    "or leave one out");
	return true;
}

/* Checks that concern several fields. */
static bool
check(const struct post_file *file, const struct front_matter *matter, struct front_fault *fault)
{
	const struct post *post = &file->post;
	uint32_t line = matter->map.line;

	if (post->title.len == 0 && post->kind != KIND_NOTE)
		return fail(fault, line, "the title is missing");
	if (post->kind == KIND_LINK && post->url.len == 0)
		return fail(fault, line, "a link needs its url");
	if (post->kind == KIND_PAGE && (post->category.len != 0 || post->tags.count != 0))
		return fail(fault, line, "a page has no category and no tags");
	if (post->visibility == VISIBILITY_GROUP && post->group.len == 0)
		return fail(fault, line, "for which group? the key group is missing");
	if (front_find(&matter->map, STR("markdown")) != NULL && matter->text.len != 0)
		return fail(fault, line, "the text is there twice: as markdown, and below");
	return true;
}

bool
post_file_read(struct arena *arena, struct str name, struct str text, struct post_file *out,
    struct front_fault *fault)
{
	struct front_matter matter;

	*out = (struct post_file){.post = {.visibility = VISIBILITY_PUBLIC}};
	if (!front_matter_read(arena, text, &matter, fault))
		return false;
	out->body.markdown = matter.text;
	for (size_t i = 0; i < matter.map.count; i++) {
		const struct front_entry *entry = &matter.map.entries[i];
		const struct post_field *field = post_field(entry->key);
		const char *why;

		if (field == NULL)
			return unknown(arena, entry, fault);
		why = part_type(field)->read(arena, field, &entry->value, out);
		if (why != NULL) {
			*fault = (struct front_fault){entry->value.line,
			    str_fmt(arena, "%.*s: %s", STR_ARGS(entry->key), why)};
			return false;
		}
		out->given |= bit(field);
	}
	if (out->post.slug.len == 0)
		out->post.slug = slug_of(arena, name, SLUG_MAX, STR("post"));
	if (out->post.id.len == 0)
		out->post.id = out->post.slug;
	return settle_word(out, matter.map.line, fault) && check(out, &matter, fault);
}

/* --- Fields that a file may omit -------------------------------------------------------------- */

static bool
says_when(const struct post_file *file)
{
	return file->post.published != 0;
}

static bool
says_status(const struct post_file *file)
{
	return post_file_gives(file, "status") || file->word != WORD_NONE;
}

/* Written fields are what the file says; a missing one is empty. */
static bool
stays(const struct post_file *file, const struct post_field *field)
{
	bool draft = file->post.status == STATUS_DRAFT;

	if (post_field_binding(field) == NULL || post_field_written(field))
		return false;
	if (post_field_is(field, "status"))
		return !says_status(file);
	if (post_field_is(field, "date"))
		return !says_when(file) && !draft;
	return !post_file_gives(file, field->key) && (draft || !post_field_is(field, "planned"));
}

void
post_file_keep(struct post_file *file, const struct post_file *stored)
{
	struct post *post = &file->post;

	/* The status is set before the times that follow from it. */
	for (size_t i = 0; i < post_field_count; i++)
		if (stays(file, &post_fields[i]))
			bind_copy(post_field_binding(&post_fields[i]), &stored->post, post);
	/* The file names the authors; other people stay asked. */
	post->asked = stored->post.asked;
	post->asked_count = stored->post.asked_count;
}

void
post_file_settle(struct post_file *file, struct str author, int64_t now)
{
	struct post *post = &file->post;

	if (!post_file_gives(file, "author"))
		post->author = author;
	if (post->author_name.len == 0)
		post->author_name = post->author;
	if (!says_status(file))
		post->status = post->published != 0 ? STATUS_PUBLISHED : STATUS_DRAFT;
	if (post->status == STATUS_PUBLISHED && post->published == 0)
		post->published = now;
	if (post->created == 0)
		post->created =
		    post->published != 0 && post->published < now ? post->published : now;
	if (post->updated == 0)
		post->updated = post->created;
}
