#ifndef PROCESS_POST_FILE_PARTS_H
#define PROCESS_POST_FILE_PARTS_H

#include "process/post_file.h"
#include "model/text_rule.h"

/* How each part of a post is written into a file and read from it. Only for post_file.c. */
struct post_part;

struct part_type {
	/* Writes it, key and all; nothing when there is nothing to say. */
	void (*write)(const struct post_part *part, const struct post_file *file, struct buf *out);
	/* Takes it. NULL, or a phrase: what it should be. */
	const char *(*read)(struct arena *arena, const struct post_part *part,
	    const struct front_value *value, struct post_file *file);
};

struct post_part {
	const char *key;
	const struct part_type *type;
	size_t offset;       /* of the member, where the type is for several */
	unsigned of;         /* bits of the kinds of posts that have it; 0: all */
	enum text_rule rule; /* of a text */
};

#define WANTS_TEXT "expected a text"
#define WANTS_LIST "expected a list"
#define WANTS_TEXTS "expected a list of texts"
#define WANTS_MAP "expected a map"
#define WANTS_MAPS "expected a list of maps"

/* What a text that breaks its rule should be. */
const char *part_wants(struct arena *arena, enum text_rule rule);

extern const struct part_type part_text, part_username, part_language, part_category, part_slug,
    part_id, part_number, part_time, part_published, part_draft, part_kind, part_status,
    part_visibility, part_difficulty, part_old_slugs, part_tags, part_tools, part_coauthors,
    part_thumbnail, part_materials, part_steps, part_markdown;

#endif
