/*
 * A post as a file, by one table of its parts, which is read for writing and for reading: so the two
 * can't differ. The parts stand in the order in which they are written.
 */
#include "process/post_file.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/slug.h"
#include "model/writing.h"
#include "process/post_file_parts.h"

#include <stddef.h>

#define POST(member) offsetof(struct post_file, post.member)
#define BODY(member) offsetof(struct post_file, body.member)

static const struct post_part parts[] = {
    {"title", &part_text, POST(title), .rule = TEXT_LINE},
    {"kind", &part_kind, 0},
    {"id", &part_id, POST(id), .rule = TEXT_SLUG},
    {"slug", &part_slug, POST(slug), .rule = TEXT_SLUG},
    {"old_slugs", &part_old_slugs, 0},
    {"author", &part_username, POST(author)},
    {"author_name", &part_text, POST(author_name), .rule = TEXT_LINE},
    {"coauthors", &part_coauthors, 0},
    {"category", &part_category, POST(category), .rule = TEXT_SLUG},
    {"tags", &part_tags, 0},
    {"status", &part_status, 0},
    {"visibility", &part_visibility, 0},
    {"group", &part_category, POST(group), .rule = TEXT_SLUG},
    {"draft", &part_draft, 0},
    {"published", &part_published, POST(published)},
    {"date", &part_time, POST(published)},
    {"planned", &part_time, POST(planned)},
    {"created", &part_time, POST(created)},
    {"updated", &part_time, POST(updated)},
    {"canonical", &part_text, POST(canonical), .rule = TEXT_LINK},
    {"language", &part_language, POST(language)},
    {"excerpt", &part_text, POST(excerpt), .rule = TEXT_LINES},
    {"thumbnail", &part_thumbnail, 0},
    {"url", &part_text, POST(url), .of = 1U << KIND_LINK, .rule = TEXT_LINK},
    {"source", &part_text, BODY(source)},
    {"difficulty", &part_difficulty, 0, .of = 1U << KIND_HOWTO},
    {"minutes", &part_number, POST(minutes), .of = 1U << KIND_HOWTO},
    {"cost", &part_text, POST(cost), .of = 1U << KIND_HOWTO, .rule = TEXT_AMOUNT},
    {"currency", &part_text, POST(currency), .of = 1U << KIND_HOWTO, .rule = TEXT_CURRENCY},
    {"materials", &part_materials, 0},
    {"tools", &part_tools, 0},
    {"steps", &part_steps, 0},
    {"markdown", &part_markdown, 0},
};
enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

/* --- Writing ------------------------------------------------------------------------------------- */

void
post_file_write(const struct post_file *file, struct buf *out)
{
	struct post_file shown = *file;

	/* What its state does not have is not there, whatever the table holds. */
	if (shown.post.status == STATUS_DRAFT)
		shown.post.published = 0;
	else
		shown.post.planned = 0;
	front_begin(out);
	for (size_t i = 0; i < PARTS; i++)
		if (parts[i].of == 0 || (parts[i].of & 1U << shown.post.kind) != 0)
			parts[i].type->write(&parts[i], &shown, out);
	front_end(out, front_text_fits(shown.body.markdown) ? shown.body.markdown : STR(""));
}

/* --- Reading ------------------------------------------------------------------------------------- */

static bool
fail(struct front_fault *fault, uint32_t line, const char *why)
{
	*fault = (struct front_fault){line, str_of(why)};
	return false;
}

static size_t
part_of(struct str key)
{
	size_t i = 0;

	while (i < PARTS && !str_eq(str_of(parts[i].key), key))
		i++;
	return i;
}

bool
post_file_gives(const struct post_file *file, const char *key)
{
	return (file->given & UINT64_C(1) << part_of(str_of(key))) != 0;
}

static bool
unknown(struct arena *arena, const struct front_entry *entry, struct front_fault *fault)
{
	*fault = (struct front_fault){
	    entry->line, str_fmt(arena, "there is no key \"%.*s\"", STR_ARGS(entry->key))};
	return false;
}

/*
 * What is not for everybody is written with the words by which other programs leave a post out. The status says more,
 * so where a file has both, the words must not say otherwise: somebody changed one of them and would be surprised.
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

/* What the parts alone can't see. */
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
		size_t part = part_of(entry->key);
		const char *why;

		if (part == PARTS)
			return unknown(arena, entry, fault);
		why = parts[part].type->read(arena, &parts[part], &entry->value, out);
		if (why != NULL) {
			*fault = (struct front_fault){entry->value.line,
			    str_fmt(arena, "%.*s: %s", STR_ARGS(entry->key), why)};
			return false;
		}
		out->given |= UINT64_C(1) << part;
	}
	if (out->post.slug.len == 0)
		out->post.slug = slug_of(arena, name, SLUG_MAX, STR("post"));
	if (out->post.id.len == 0)
		out->post.id = out->post.slug;
	return settle_word(out, matter.map.line, fault) && check(out, &matter, fault);
}

/* --- What a file need not say --------------------------------------------------------------------- */

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

void
post_file_keep(struct post_file *file, const struct post_file *stored)
{
	struct post *post = &file->post;
	const struct post *was = &stored->post;

	if (!post_file_gives(file, "author"))
		post->author = was->author;
	if (!post_file_gives(file, "author_name"))
		post->author_name = was->author_name;
	if (!post_file_gives(file, "coauthors")) {
		post->others = was->others;
		post->other_count = was->other_count;
	}
	/* Whom the file names is named; who was asked besides still is. */
	post->asked = was->asked;
	post->asked_count = was->asked_count;
	if (!says_status(file))
		post->status = was->status;
	if (!post_file_gives(file, "visibility"))
		post->visibility = was->visibility;
	if (!post_file_gives(file, "group"))
		post->group = was->group;
	if (!says_when(file) && post->status != STATUS_DRAFT)
		post->published = was->published;
	if (!post_file_gives(file, "planned") && post->status == STATUS_DRAFT)
		post->planned = was->planned;
	if (!post_file_gives(file, "created"))
		post->created = was->created;
	if (!post_file_gives(file, "updated"))
		post->updated = was->updated;
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
