#include "model/kinds.h"

#include "model/people/digest.h"
#include "model/people/group.h"
#include "model/people/notification.h"
#include "model/people/purge.h"
#include "model/people/session.h"
#include "model/people/staff_note.h"
#include "model/people/suspension.h"
#include "model/people/user.h"
#include "model/post/autosave.h"
#include "model/post/catalogue.h"
#include "model/post/category.h"
#include "model/post/collection.h"
#include "model/post/draft_link.h"
#include "model/post/figures.h"
#include "model/post/media.h"
#include "model/post/post_fields.h"
#include "model/post/revision.h"
#include "model/post/tag.h"
#include "model/reader/bookmark.h"
#include "model/reader/comment.h"
#include "model/reader/flag.h"
#include "model/reader/rating.h"
#include "model/reader/restriction.h"
#include "model/reader/watch.h"
#include "model/site/address_block.h"
#include "model/site/audit.h"
#include "model/site/mailing.h"
#include "model/site/moderation_log.h"
#include "model/site/outbox.h"
#include "model/site/move.h"
#include "model/site/settings.h"
#include "model/site/subscriber.h"
#include "model/site/work.h"

/* clang-format off */
#define PLACE(index, partition, sort) {index, STR_INIT(partition), STR_INIT(sort)}
#define LIES(partition, sort) PLACE(TABLE_PRIMARY, partition, sort)
#define GSI1(partition, sort) PLACE(TABLE_GSI1, partition, sort)
#define GSI2(partition, sort) PLACE(TABLE_GSI2, partition, sort)
#define GSI3(partition, sort) PLACE(TABLE_GSI3, partition, sort)
#define GSI4(partition, sort) PLACE(TABLE_GSI4, partition, sort)

/* Attributes that no struct has. */
#define HAS(mark, attribute, value) BIND_NAMED(mark, attribute, value)
#define FIELDS(...) &(const struct binding_table){(const struct binding[]){__VA_ARGS__}, \
	sizeof((const struct binding[]){__VA_ARGS__}) / sizeof(struct binding)}
#define EXPIRES HAS(RECORDED, "ExpiresAt", NUMBER)

/* What the program writes for itself: nothing counts it, no cached page shows it, and nobody types it. */
#define OF_THE_PROGRAM \
	.counted = counted_nowhere, .pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, \
	.load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE
#define NOT_TOLD {"", ""}

const struct kind item_kinds[ITEM_KINDS] = {
#include "model/kinds_people.def"
#include "model/kinds_posts.def"
#include "model/kinds_readers.def"
#include "model/kinds_work.def"
};
/* clang-format on */
