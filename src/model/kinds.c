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

    /* --- The publication --- */

    [ITEM_SITE] = {
	.type = STR_INIT("Site"), .told = NOT_TOLD,
	.places = {LIES("SITE", "SETTINGS")},
	.bindings = {&settings_bindings, FIELDS(HAS(RECORDED, "UpdatedAt", STRING),
	    HAS(DERIVED, "Verified", STRING_SET))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_SECRET] = {
	.type = STR_INIT("Secret"), .told = NOT_TOLD, .places = {LIES("SITE", "SECRET")},
	.bindings = {FIELDS(HAS(SECRET, "Key", BINARY), HAS(RECORDED, "KeyId", STRING))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_PICTURE_KEY] = {
	.type = STR_INIT("PictureKey"), .told = NOT_TOLD, .places = {LIES("SITE", "PICTUREKEY")},
	.bindings = {FIELDS(HAS(SECRET, "Key", BINARY))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_TABLE_FORMAT] = {
	.type = STR_INIT("TableFormat"), .told = NOT_TOLD, .places = {LIES("SITE", "FORMAT")},
	.bindings = {FIELDS(HAS(RECORDED, "Carried", NUMBER), HAS(RECORDED, "Cursor", BINARY),
	HAS(RECORDED, "Format", NUMBER))}, OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_ADDRESS_BLOCK] = {
	.type = STR_INIT("AddressBlock"), .told = NOT_TOLD,
	.places = {LIES("ADDRESSBLOCK", "<range>")},
	.bindings = {&address_block_bindings, FIELDS(EXPIRES)},
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },

    [ITEM_SUBSCRIBER] = {
	.type = STR_INIT("Subscriber"), .told = NOT_TOLD,
	.places = {LIES("SUBSCRIBER#<hash>", "METADATA"), GSI3("SUBSCRIBERS#<list>", "<t>#<hash>")},
	.bindings = {&subscriber_bindings, FIELDS(EXPIRES)}, .counted = counted_subscriber,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_SUBSCRIBER_COUNTS] = {
	.type = STR_INIT("SubscriberCounts"), .told = NOT_TOLD, .places = {LIES("SUBSCRIBERS", "COUNTS")},
	.bindings = {FIELDS(HAS(COUNTED, "Each", NUMBER), HAS(COUNTED, "Weekly", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_MAILING] = {
	.type = STR_INIT("Mailing"), .told = NOT_TOLD,
	.places = {LIES("MAILING#<what>", "<thing>"), GSI3("MAILED", "<t>#<thing>")}, .bindings = {&mailing_bindings},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_MAILING_STATE] = {
	.type = STR_INIT("MailingState"), .told = NOT_TOLD, .places = {LIES("MAILING", "STATE")},
	.bindings = {&mailing_state_bindings}, OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },

    /* --- People --- */

    [ITEM_USER] = {
	.type = STR_INIT("User"), .told = {"person", "people"},
	.places = {LIES("USER#<u>", "METADATA"), GSI2("PEOPLE#<standing>", "<u>"), GSI3("USER", "<u>"),
	    GSI3("LEAVING", "<u>"), GSI4("AUTHOR", "<u>")},
	.bindings = {&user_bindings,
	    FIELDS(HAS(RECORDED, "KeepsPosts", BOOLEAN), HAS(SECRET, "NewEmailHash", STRING),
		HAS(SECRET, "NewEmailUntil", NUMBER), HAS(SECRET, "PasswordHash", STRING),
		HAS(RECORDED, "Pseudonym", STRING), HAS(SECRET, "RecoveryCodes", STRING_SET),
		HAS(SECRET, "RecoverySalt", BINARY), HAS(SECRET, "ResetHash", STRING),
		HAS(SECRET, "SecondKey", BINARY), HAS(SECRET, "SecondLast", NUMBER))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_AS_IT_IS, .leave = LEAVE_LAST,
    },
    [ITEM_EMAIL_CLAIM] = {
	.type = STR_INIT("EmailClaim"), .told = NOT_TOLD,
	.places = {LIES("USEREMAIL#<address>", "USEREMAIL#<address>")},
	.bindings = {FIELDS(HAS(RECORDED, "Username", STRING))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_AT_ONCE,
    },
    [ITEM_NAME_GUARD] = {
	.type = STR_INIT("NameGuard"), .told = NOT_TOLD, .places = {LIES("NAME#<skeleton>", "<u>")},
	.bindings = {FIELDS(HAS(RECORDED, "Username", STRING))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_AT_ONCE,
    },
    [ITEM_SESSION] = {
	.type = STR_INIT("Session"), .told = NOT_TOLD,
	.places = {LIES("SESSION#<hash>", "SESSION#<hash>"), GSI1("USER#<u>", "SESSION#<t>#<hash>")},
	.bindings = {&session_bindings, FIELDS(EXPIRES)},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_INVITATION] = {
	.type = STR_INIT("Invitation"), .told = NOT_TOLD,
	.places = {LIES("INVITATION#<hash>", "INVITATION#<hash>"),
	    GSI1("USER#<u>", "INVITATION#<t>#<hash>")},
	.bindings = {FIELDS(HAS(RECORDED, "CreatedAt", STRING), EXPIRES, HAS(RECORDED, "InvitedBy", STRING))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_NOTICE] = {
	.type = STR_INIT("Notice"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "NOTICE#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Browser", STRING), HAS(RECORDED, "CreatedAt", STRING), EXPIRES,
	    HAS(RECORDED, "What", STRING))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_NOTIFICATION] = {
	.type = STR_INIT("Notification"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "NOTE#<day>#<what>#<target>"), GSI1("USER#<u>", "NOTE#<t>#<what>#<target>")},
	.bindings = {&notification_bindings, &decision_bindings,
	    FIELDS(HAS(DERIVED, "Count", NUMBER), EXPIRES)},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_MESSAGES] = {
	.type = STR_INIT("Messages"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "MESSAGES")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "SeenAt", STRING), HAS(DERIVED, "Unread", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_NOTIFICATION_SETTINGS] = {
	.type = STR_INIT("NotificationSettings"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "NOTIFICATIONS")},
	.bindings = {FIELDS(HAS(WRITTEN, "MailOff", STRING_SET), HAS(WRITTEN, "PageOff", STRING_SET))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_RESET] = {
	.type = STR_INIT("Reset"), .told = NOT_TOLD,
	.places = {LIES("RESET#<hash>", "RESET#<hash>")},
	.bindings = {FIELDS(HAS(SECRET, "AddressHash", STRING), HAS(RECORDED, "CreatedAt", STRING),
	    HAS(SECRET, "Era", NUMBER), EXPIRES, HAS(RECORDED, "Role", STRING),
	    HAS(RECORDED, "Username", STRING))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_GROUP] = {
	.type = STR_INIT("Group"), .told = NOT_TOLD,
	.places = {LIES("GROUP#<g>", "METADATA"), GSI3("GROUP", "<g>")},
	.bindings = {&group_bindings,
	    FIELDS(HAS(RECORDED, "Gone", BOOLEAN), HAS(WRITTEN, "Permissions", STRING_SET))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_MEMBERSHIP] = {
	.type = STR_INIT("Membership"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "MEMBERSHIP#<g>"), GSI2("GROUP#<g>", "USER#<u>")},
	.bindings = {&membership_bindings},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_FOLLOW] = {
	.type = STR_INIT("Follow"), .told = NOT_TOLD,
	.places = {LIES("USER#<a>", "FOLLOWING#<b>"), GSI1("USER#<b>", "FOLLOWER#<t>#<a>"),
	    GSI1("USER#<b>", "REQUEST#<t>#<a>"), GSI1("BLOCKED#<b>", "<t>#<a>"),
	    GSI2("BLOCKING#<a>", "<t>#<b>")},
	.bindings = {FIELDS(HAS(RECORDED, "CreatedAt", STRING), HAS(RECORDED, "Followed", STRING),
	    HAS(RECORDED, "Follower", STRING), HAS(WRITTEN, "Notify", BOOLEAN),
	    HAS(RECORDED, "Status", STRING))},
	.counted = counted_follow,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_COUNT_DOWN,
    },
    [ITEM_WATCH] = {
	.type = STR_INIT("Watch"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "WATCH#<what>#<name>"), LIES("USER#<u>", "POST#<id>#WATCH"),
	    LIES("USER#<u>", "POST#<id>#WATCH#<root>"), GSI1("USER#<u>", "WATCH#<t>#<what>#<name>"),
	    GSI2("WATCHERS#<what>#<name>", "<u>")},
	.bindings = {&watch_bindings},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    /*
     * A stranger's page is made anew each minute (list_fresh()), which limits how stale the number of followers is. A
     * number of posts is on pages that depend on all posts (pages/shared/scheduled.h), as nothing else changes it.
     */
    [ITEM_PERSON_COUNTS] = {
	.type = STR_INIT("PersonCounts"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "COUNTS")},
	.bindings = {FIELDS(HAS(COUNTED, "Followers", NUMBER), HAS(COUNTED, "Following", NUMBER),
	    HAS(COUNTED, "Posts", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_HIDDEN] = {
	.type = STR_INIT("Hidden"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "MEMO#HIDDEN")},
	.bindings = {FIELDS(HAS(RECORDED, "Blocked", STRING_SET), HAS(RECORDED, "Muted", STRING_SET),
	    HAS(RECORDED, "MutedTags", STRING_SET))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_APPEAL] = {
	.type = STR_INIT("Appeal"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "APPEAL#<about>"), GSI3("APPEAL", "<t>#<u>")},
	.bindings = {&appeal_bindings},
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_PURGE] = {
	.type = STR_INIT("Purge"), .told = NOT_TOLD,
	.places = {LIES("PURGE#<u>", "METADATA"), GSI3("PURGE", "<t>#<u>")},
	.bindings = {&purge_bindings},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_PURGED] = {
	.type = STR_INIT("Purged"), .told = NOT_TOLD,
	.places = {LIES("PURGE#<u>", "ITEM#<key>")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "Item", STRING), HAS(RECORDED, "Username", STRING))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },

    /* --- Posts, and the order among them --- */

    [ITEM_CATEGORY] = {
	.type = STR_INIT("Category"), .told = {"category", "categories"},
	.places = {LIES("CATEGORY#<slug>", "METADATA"), GSI3("CATEGORY", "<4 digits>#<slug>"),
	    GSI3("CATEGORY", "~<slug>")},
	.bindings = {&category_bindings, &category_merged_bindings,
	    FIELDS(HAS(RECORDED, "CreatedAt", STRING))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    /* Its numbers are on pages that depend on all posts (pages/shared/scheduled.h), as nothing else changes them. */
    [ITEM_CATEGORY_COUNT] = {
	.type = STR_INIT("CategoryCount"), .told = NOT_TOLD, .places = {LIES("CATEGORIES", "<slug>")},
	.bindings = {FIELDS(HAS(COUNTED, "Posts", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_TAG] = {
	.type = STR_INIT("Tag"), .told = {"tag", "tags"},
	.places = {LIES("TAGS", "<tag>"), LIES("TAG#<tag>", "METADATA"), GSI3("TAG", "<tag>")},
	.bindings = {&tag_bindings},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_POST_TAG] = {
	.type = STR_INIT("PostTag"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "TAG#<tag>"), GSI2("TAG#<tag>", "<t>#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Post", STRING), HAS(RECORDED, "PublishedAt", STRING),
	    HAS(RECORDED, "Tag", STRING))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_POST] = {
	.type = STR_INIT("Post"), .told = {"post", "posts"},
	.places = {LIES("POST#<id>", "METADATA"), GSI1("USER#<u>", "POST#<t>#<id>"),
	    GSI1("USER#<u>", "PAGE#<t>#<id>"), GSI1("USER#<u>", "CLOSED#<t>#<id>"),
	    GSI1("USER#<u>", "DRAFT#<t>#<id>"), GSI1("USER#<u>", "UNPUBLISHED#<t>#<id>"),
	    GSI1("USER#<u>", "GONE#<t>#<id>"), GSI2("CATEGORY#<slug>", "<t>#<id>"),
	    GSI3("POST", "<t>#<id>"), GSI3("PAGE", "<slug>"), GSI4("HOT", "<12 digits>#<t>#<id>")},
	.bindings = {&post_head_bindings},
	.counted = counted_post,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_HEAD_AND_TEXT, .leave = LEAVE_POST,
    },
    [ITEM_BODY] = {
	.type = STR_INIT("Body"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "BODY")},
	.bindings = {&post_body_bindings, FIELDS(EXPIRES)},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_OF_AUTHOR,
	.counted = counted_nowhere, .own = OWN_WITH_HEAD, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_SLUG_CLAIM] = {
	.type = STR_INIT("SlugClaim"), .told = NOT_TOLD,
	.places = {LIES("SLUG#<slug>", "SLUG#<slug>")},
	.bindings = {FIELDS(HAS(RECORDED, "Post", STRING))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_STATS] = {
	.type = STR_INIT("Stats"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "STATS"), GSI4("TOP", "<10 digits>#<t>#<id>")},
	.bindings = {&post_stats_bindings, FIELDS(HAS(RECORDED, "Post", STRING), HAS(RECORDED, "Shards", BOOLEAN),
	    HAS(RECORDED, "Threads", BOOLEAN))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    /* Cached pages show the folded numbers, not these. */
    [ITEM_COUNT] = {
	.type = STR_INIT("Count"), .told = NOT_TOLD,
	.places = {LIES("COUNT#<id>#<1 digits>", "N")},
	.bindings = {&post_stats_bindings},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_FOLD] = {
	.type = STR_INIT("Fold"), .told = NOT_TOLD,
	.places = {LIES("FOLD#<1 digits>", "<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Changes", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    /* The head is counted for all authors, so copies are not. */
    [ITEM_POST_COPY] = {
	.type = STR_INIT("PostCopy"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "AUTHOR#<u>"), GSI1("USER#<u>", "POST#<t>#<id>"),
	    GSI1("USER#<u>", "PAGE#<t>#<id>"), GSI1("USER#<u>", "CLOSED#<t>#<id>"),
	    GSI1("USER#<u>", "DRAFT#<t>#<id>"), GSI1("USER#<u>", "UNPUBLISHED#<t>#<id>"),
	    GSI1("USER#<u>", "GONE#<t>#<id>")},
	.bindings = {&post_head_bindings, FIELDS(EXPIRES)},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_HEAD_AND_TEXT, .leave = LEAVE_POST,
    },
    [ITEM_POST_REQUEST] = {
	.type = STR_INIT("PostRequest"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "AUTHOR#<u>"), GSI1("USER#<u>", "ASKED#<t>#<id>")},
	.bindings = {&post_head_bindings},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_HEAD, .leave = LEAVE_POST,
    },
    [ITEM_DECLINED] = {
	.type = STR_INIT("Declined"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "DECLINED#<id>")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "Post", STRING))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_REVISION] = {
	.type = STR_INIT("Revision"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "REVISION#<8 digits>")},
	.bindings = {&revision_bindings, &post_head_bindings, &post_body_bindings, FIELDS(EXPIRES)},
	.pages = PAGES_NEVER_SEE, .stream = STREAM_SAVED, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_ONCE] = {
	.type = STR_INIT("Once"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "ONCE#<form>")},
	.bindings = {FIELDS(HAS(RECORDED, "Comment", STRING), EXPIRES, HAS(RECORDED, "Post", STRING))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    /* An autosave of a post is removed with the post; one of a new post is its writer's alone. */
    [ITEM_AUTOSAVE] = {
	.type = STR_INIT("Autosave"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "AUTOSAVE#<u>"), LIES("USER#<u>", "AUTOSAVE#<kind>#<form>"),
	    LIES("USER#<u>", "AUTOSAVE#<kind>")},
	.bindings = {&autosave_bindings, FIELDS(EXPIRES, HAS(RECORDED, "Kind", STRING))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_DRAFT_LINK] = {
	.type = STR_INIT("DraftLink"), .told = NOT_TOLD,
	.places = {LIES("DRAFTLINK#<hash>", "DRAFTLINK#<hash>"), GSI1("USER#<u>", "DRAFTLINK#<t>#<hash>"),
	    GSI2("ABOUT#<id>", "DRAFTLINK#<hash>")},
	.bindings = {&draft_link_bindings},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    /* The places of a post in the rankings, made of its head by derive/rankings.c. */
    [ITEM_TOP] = {
	.type = STR_INIT("Top"), .told = NOT_TOLD,
	.places = {LIES("RANKED#<id>", "TOP"), GSI1("TOP#<day>", "<10 digits>#<t>#<id>"),
	    GSI2("TOP#<week>", "<10 digits>#<t>#<id>"), GSI3("TOP#<month>", "<10 digits>#<t>#<id>"),
	    GSI4("TOP#<year>", "<10 digits>#<t>#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Post", STRING))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_DISCUSSED] = {
	.type = STR_INIT("Discussed"), .told = NOT_TOLD,
	.places = {LIES("RANKED#<id>", "DISCUSSED"), GSI1("DISCUSSED#<year>", "<10 digits>#<t>#<id>"),
	    GSI2("DISCUSSED#<week>", "<10 digits>#<t>#<id>"), GSI3("DISCUSSED#<month>", "<10 digits>#<t>#<id>"),
	    GSI4("DISCUSSED", "<10 digits>#<t>#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Post", STRING))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_STARS] = {
	.type = STR_INIT("Stars"), .told = NOT_TOLD,
	.places = {LIES("RANKED#<id>", "STARS"), GSI4("RATED", "<10 digits>#<t>#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Post", STRING), HAS(COUNTED, "Ratings", NUMBER),
	    HAS(COUNTED, "Stars", NUMBER))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_DISPUTE] = {
	.type = STR_INIT("Dispute"), .told = NOT_TOLD,
	.places = {LIES("RANKED#<id>", "DISPUTE"), GSI4("DISPUTED", "<10 digits>#<t>#<id>")},
	.bindings = {FIELDS(HAS(COUNTED, "Downs", NUMBER), HAS(RECORDED, "Post", STRING),
	    HAS(COUNTED, "Ups", NUMBER))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_RANK_ZONE] = {
	.type = STR_INIT("RankZone"), .told = NOT_TOLD,
	.places = {LIES("RANKED", "ZONE")},
	.bindings = {FIELDS(HAS(RECORDED, "TimeZone", STRING))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_VIEWS_TOTAL] = {
	.type = STR_INIT("ViewsTotal"), .told = NOT_TOLD,
	.places = {LIES("VIEWS#<id>", "TOTAL"), LIES("VIEWS", "TOTAL")},
	.bindings = {FIELDS(HAS(RECORDED, "Views", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_DAY_VIEWS] = {
	.type = STR_INIT("DayViews"), .told = NOT_TOLD,
	.places = {LIES("VIEWS#<id>", "<day>")},
	.bindings = {&day_views_bindings, FIELDS(EXPIRES)},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_SITE_VIEWS] = {
	.type = STR_INIT("SiteViews"), .told = NOT_TOLD,
	.places = {LIES("VIEWS", "<day>")},
	.bindings = {&site_day_views_bindings, FIELDS(EXPIRES)},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },

    /* --- What readers do --- */

    [ITEM_TALLY] = {
	.type = STR_INIT("Tally"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "TALLY#<root>"), GSI3("THREADS#<id>", "<root>"),
	    GSI4("BEST#<id>", "<6 digits>#<root>")},
	.bindings = {FIELDS(HAS(RECORDED, "GoneAt", STRING), HAS(RECORDED, "LastAt", STRING),
	    HAS(RECORDED, "Post", STRING), HAS(COUNTED, "Replies", NUMBER))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    /* Cached pages show them once they are folded, or after a minute. */
    [ITEM_COMMENT_VOTES] = {
	.type = STR_INIT("CommentVotes"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "COMMENT#<path>#VOTES"), GSI4("BEST", "<6 digits>#<comment>")},
	.bindings = {FIELDS(HAS(COUNTED, "Downs", NUMBER), HAS(COUNTED, "Ups", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_COMMENT] = {
	.type = STR_INIT("Comment"), .told = {"comment", "comments"},
	.places = {LIES("POST#<id>", "COMMENT#<path>"), GSI1("USER#<u>", "COMMENT#<t>#<comment>"),
	    GSI1("USER#<u>", "HELD#<t>#<comment>"), GSI1("USER#<u>", "HIDDEN#<t>#<comment>"),
	    GSI2("COMMENT#<comment>", "METADATA"), GSI3("HELD", "<t>#<comment>"),
	    GSI3("SAID", "<t>#<comment>"), GSI3("HIDDEN", "<t>#<comment>"), GSI3("ANSWERED", "<t>#<comment>"),
	    GSI4("HIDDEN#<id>", "<t>#<comment>")},
	.bindings = {&comment_bindings, FIELDS(HAS(COUNTED, "Replies", NUMBER))},
	.counted = counted_comment,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_OF_READER,
	.own = OWN_AS_IT_IS, .leave = LEAVE_HAND_OVER,
    },
    [ITEM_COMMENT_TEXT] = {
	.type = STR_INIT("CommentText"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "WAS#<comment>#<t>"), GSI1("USER#<u>", "WAS#<t>#<comment>")},
	.bindings = {FIELDS(HAS(RECORDED, "Author", STRING), HAS(RECORDED, "Comment", STRING),
	    HAS(RECORDED, "CreatedAt", STRING), EXPIRES, HAS(WRITTEN, "Markdown", STRING),
	    HAS(RECORDED, "Post", STRING))},
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_COMMENT_DRAFT] = {
	.type = STR_INIT("CommentDraft"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "COMMENTDRAFT#<id>#<form>")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "Form", STRING), HAS(WRITTEN, "Markdown", STRING),
	    HAS(RECORDED, "Post", STRING), HAS(RECORDED, "SavedAt", STRING), HAS(RECORDED, "Username", STRING))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_RATING] = {
	.type = STR_INIT("Rating"), .told = {"rating", "ratings"},
	.places = {LIES("USER#<u>", "POST#<id>#RATING"), GSI1("USER#<u>", "RATING#<t>#<id>"),
	    GSI2("ABOUT#<id>", "RATING#<t>#<u>"), GSI3("STARS#<stars>", "<t>#<id>#<u>"),
	    GSI3("HELDNOTE", "<t>#<id>#<u>"), GSI4("REVIEWS#<id>", "<1 digits>#<t>#<u>")},
	.bindings = {&rating_bindings},
	.counted = counted_rating,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_IN_NOTE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_COUNT_DOWN,
    },
    [ITEM_RATING_MOVE] = {
	.type = STR_INIT("RatingMove"), .told = NOT_TOLD,
	.places = {LIES("RATINGMOVE", "<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "At", NUMBER), HAS(RECORDED, "Cursor", BINARY),
	    HAS(RECORDED, "Looked", BOOLEAN))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_VOTE] = {
	.type = STR_INIT("Vote"), .told = {"vote", "votes"},
	.places = {LIES("USER#<u>", "POST#<id>#VOTE"), LIES("USER#<u>", "POST#<id>#VOTE#<comment>"),
	    GSI1("USER#<u>", "VOTE#<t>#<id>"), GSI1("USER#<u>", "VOTE#<t>#<id>#<comment>"),
	    GSI2("ABOUT#<id>", "VOTE#<u>"), GSI2("ABOUT#<id>", "VOTE#<comment>#<u>")},
	.bindings = {FIELDS(HAS(RECORDED, "Author", STRING), HAS(RECORDED, "Comment", STRING),
	    HAS(RECORDED, "CreatedAt", STRING), HAS(RECORDED, "Path", STRING), HAS(RECORDED, "Post", STRING),
	    HAS(WRITTEN, "Value", NUMBER))},
	.counted = counted_vote,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_MOVE,
    },
    [ITEM_READ_MARK] = {
	.type = STR_INIT("ReadMark"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "POST#<id>#READ")},
	.bindings = {FIELDS(HAS(RECORDED, "Before", STRING), EXPIRES, HAS(RECORDED, "Post", STRING),
	    HAS(RECORDED, "Seen", STRING))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_LIKE] = {
	.type = STR_INIT("Like"), .told = {"like", "likes"},
	.places = {LIES("USER#<u>", "POST#<id>#LIKE"), GSI1("USER#<u>", "LIKE#<t>#<id>"),
	    GSI2("ABOUT#<id>", "LIKE#<u>")},
	.bindings = {FIELDS(HAS(RECORDED, "Author", STRING), HAS(COPIED, "AuthorName", STRING),
	    HAS(RECORDED, "CreatedAt", STRING), HAS(WRITTEN, "Feeling", STRING), HAS(RECORDED, "Post", STRING),
	    HAS(COPIED, "PostTitle", STRING))},
	.counted = counted_reaction,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_MOVE,
    },
    [ITEM_BOOKMARK] = {
	.type = STR_INIT("Bookmark"), .told = {"bookmark", "bookmarks"},
	.places = {LIES("USER#<u>", "POST#<id>#BOOKMARK"), GSI1("USER#<u>", "BOOKMARK#<t>#<id>"),
	    GSI2("ABOUT#<id>", "BOOKMARK#<u>")},
	.bindings = {&bookmark_bindings, FIELDS(HAS(RECORDED, "Author", STRING), HAS(COPIED, "PostTitle", STRING))},
	.counted = counted_reaction,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_COUNT_DOWN,
    },
    [ITEM_BOOKMARK_TAG] = {
	.type = STR_INIT("BookmarkTag"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "BOOKMARKS#<tag>#<t>#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Author", STRING), HAS(RECORDED, "CreatedAt", STRING),
	    HAS(RECORDED, "Post", STRING), HAS(WRITTEN, "Tag", STRING))},
	.counted = counted_bookmark_tag,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_COUNT_DOWN,
    },
    [ITEM_OWN_TAG] = {
	.type = STR_INIT("OwnTag"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "BOOKMARKTAG#<tag>")},
	.bindings = {FIELDS(HAS(COUNTED, "Bookmarks", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_FLAG] = {
	.type = STR_INIT("Flag"), .told = NOT_TOLD,
	.places = {LIES("FLAGS#<target>", "FLAG#<u>"), GSI1("USER#<u>", "FLAG#<t>#<target>")},
	.bindings = {&flag_bindings, FIELDS(HAS(RECORDED, "Target", STRING))},
	.counted = counted_flag,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_COUNT_DOWN,
    },
    [ITEM_FLAGGED] = {
	.type = STR_INIT("Flagged"), .told = NOT_TOLD,
	.places = {LIES("FLAGS#<target>", "TARGET"), GSI3("FLAG", "<t>#<target>")},
	.bindings = {&flagged_bindings},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_RESTRICTION] = {
	.type = STR_INIT("Restriction"), .told = NOT_TOLD,
	.places = {LIES("FLAGS#<target>", "RESTRICTION"), GSI1("USER#<u>", "RESTRICTED#<t>#<target>"),
	    GSI3("THINGHELD", "<t>#<target>"), GSI3("THINGHIDDEN", "<t>#<target>"),
	    GSI3("THINGANSWERED", "<t>#<target>")},
	.bindings = {&restriction_bindings},
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_MODERATION_ACT] = {
	.type = STR_INIT("ModerationAct"), .told = NOT_TOLD,
	.places = {LIES("MODERATION#<month>", "<id>")},
	.bindings = {&moderation_act_bindings, FIELDS(EXPIRES)},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    /* Not in the person's partition: they may not see it. */
    [ITEM_STAFF_NOTE] = {
	.type = STR_INIT("StaffNote"), .told = NOT_TOLD,
	.places = {LIES("NOTES#<u>", "<id>")},
	.bindings = {&staff_note_bindings, FIELDS(EXPIRES)},
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_COLLECTION] = {
	.type = STR_INIT("Collection"), .told = {"collection", "collections"},
	.places = {LIES("COLLECTION#<id>", "METADATA"), GSI1("USER#<u>", "COLLECTION#<t>#<id>"),
	    GSI3("COLLECTION", "<t>#<id>")},
	.bindings = {&collection_bindings, FIELDS(HAS(WRITTEN, "Visibility", STRING))},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_IN_DESCRIPTION,
	.counted = counted_nowhere, .own = OWN_AND_CONTENT, .leave = LEAVE_COLLECTION,
    },
    [ITEM_COLLECTION_POST] = {
	.type = STR_INIT("CollectionPost"), .told = NOT_TOLD,
	.places = {LIES("COLLECTION#<id>", "POST#<4 digits>#<id>"), GSI2("ABOUT#<id>", "COLLECTION#<id>")},
	.bindings = {&collected_bindings, FIELDS(HAS(RECORDED, "Collection", STRING))},
	.counted = counted_collection_post,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_WITH_HEAD, .leave = LEAVE_WITH_HEAD,
    },

    /* --- Pictures --- */

    /* A picture keeps the name of its file, for which no form has a rule. */
    [ITEM_MEDIA] = {
	.type = STR_INIT("Media"), .told = NOT_TOLD,
	.places = {LIES("MEDIA#<hash>", "METADATA"), GSI1("USER#<u>", "MEDIA#<t>#<hash>"),
	    GSI3("LEFTMEDIA", "<t>#<hash>")},
	.bindings = {&media_bindings},
	.counted = counted_media,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_PICTURE,
    },
    [ITEM_PICTURE_QUOTA] = {
	.type = STR_INIT("PictureRoom"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "PICTURES")},
	.bindings = {&media_quota_bindings},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_MEDIA_USE] = {
	.type = STR_INIT("MediaUse"), .told = NOT_TOLD,
	.places = {LIES("MEDIA#<hash>", "POST#<id>")},
	.bindings = {&media_use_bindings, FIELDS(EXPIRES)},
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.counted = counted_nowhere, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },

    /* --- What the worker and the guards keep --- */

    [ITEM_FEED_STATE] = {
	.type = STR_INIT("FeedState"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "FEED")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "SeenAt", STRING))},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_FEED_FILL] = {
	.type = STR_INIT("FeedFill"), .told = NOT_TOLD,
	.places = {LIES("FEED#<u>", "FILLED")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "FilledAt", STRING), HAS(DERIVED, "From", STRING))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_FEED_ENTRY] = {
	.type = STR_INIT("FeedEntry"), .told = NOT_TOLD,
	.places = {LIES("FEED#<u>", "<t>#<id>")},
	.bindings = {FIELDS(HAS(DERIVED, "Authors", STRING_SET), EXPIRES, HAS(DERIVED, "Post", STRING))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_FEED_PUSH] = {
	.type = STR_INIT("FeedPush"), .told = NOT_TOLD,
	.places = {LIES("FED#<id>", "FED#<id>")},
	.bindings = {FIELDS(HAS(DERIVED, "Authors", STRING_SET), HAS(RECORDED, "Begun", BOOLEAN),
	    HAS(DERIVED, "Closed", BOOLEAN), EXPIRES, HAS(DERIVED, "PublishedAt", STRING))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_FEED_MERGED] = {
	.type = STR_INIT("FeedMerged"), .told = NOT_TOLD,
	.places = {LIES("FEEDS", "MERGED")},
	.bindings = {FIELDS(HAS(DERIVED, "Authors", STRING_SET))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_TOLD] = {
	.type = STR_INIT("Told"), .told = NOT_TOLD,
	.places = {LIES("TOLD#<subject>", "TOLD#<subject>")},
	.bindings = {FIELDS(HAS(DERIVED, "At", STRING), HAS(DERIVED, "Cursor", BINARY),
	    HAS(DERIVED, "Done", BOOLEAN), EXPIRES, HAS(DERIVED, "List", NUMBER),
	    HAS(DERIVED, "To", STRING_SET))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_LETTER] = {
	.type = STR_INIT("Letter"), .told = NOT_TOLD,
	.places = {LIES("OUTBOX#<to>", "<what>#<thing>"), GSI3("OUTBOX", "<t>#<letter>")},
	.bindings = {&letter_bindings, FIELDS(EXPIRES)},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_DIGEST] = {
	.type = STR_INIT("Digest"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "DIGEST"), GSI3("DIGEST", "<t>#<u>")}, .bindings = {&digest_bindings},
	OF_THE_PROGRAM, .own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_SEARCH_TERM] = {
	.type = STR_INIT("SearchTerm"), .told = NOT_TOLD,
	.places = {LIES("SEARCH#<term>", "<weight>#<t>#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Post", STRING), HAS(RECORDED, "Weight", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_AUDIT_ENTRY] = {
	.type = STR_INIT("AuditEntry"), .told = NOT_TOLD,
	.places = {LIES("AUDIT#<month>", "<id>")},
	.bindings = {&audit_bindings},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_RATE_LIMIT] = {
	.type = STR_INIT("RateLimit"), .told = NOT_TOLD,
	.places = {LIES("RATE#<what>#<who>", "<window>")},
	.bindings = {FIELDS(HAS(COUNTED, "Count", NUMBER), EXPIRES, HAS(RECORDED, "TriedAt", STRING))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_LOADING] = {
	.type = STR_INIT("Loading"), .told = NOT_TOLD,
	.places = {LIES("LEASE", "seed"), LIES("LEASE", "import")},
	.bindings = {FIELDS(HAS(RECORDED, "Now", NUMBER), HAS(RECORDED, "Replaces", BOOLEAN))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_LEASE] = {
	.type = STR_INIT("Lease"), .told = NOT_TOLD, .places = {LIES("LEASE", "<work>")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "Holder", STRING), HAS(RECORDED, "Until", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_KNOWN_TIME] = {
	.type = STR_INIT("KnownTime"), .told = NOT_TOLD, .places = {LIES("TIME", "KNOWN")},
	.bindings = {FIELDS(HAS(RECORDED, "Time", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_COPIED] = {
	.type = STR_INIT("Copied"), .told = NOT_TOLD, .places = {LIES("COPIED#<subject>", "COPIED#<subject>")},
	.bindings = {FIELDS(HAS(DERIVED, "Hash", STRING))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_DUE] = {
	.type = STR_INIT("Due"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "DUE"), GSI3("DUE", "<t>#<id>")},
	.bindings = {FIELDS(HAS(DERIVED, "Post", STRING), HAS(DERIVED, "PublishedAt", STRING))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_WORK_STATE] = {
	.type = STR_INIT("WorkState"), .told = NOT_TOLD, .places = {LIES("WORK", "STATE")},
	.bindings = {&work_state_bindings}, OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_WORK_DERIVED] = {
	.type = STR_INIT("WorkDerived"), .told = NOT_TOLD, .places = {LIES("WORK", "DERIVED#<name>")},
	.bindings = {&work_derived_bindings}, OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_WORK_REBUILD] = {
	.type = STR_INIT("WorkRebuild"), .told = NOT_TOLD, .places = {LIES("WORK", "REBUILD")},
	.bindings = {&work_rebuild_bindings, FIELDS(HAS(RECORDED, "Cursor", BINARY))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_WORK_PARKED] = {
	.type = STR_INIT("WorkParked"), .told = NOT_TOLD, .places = {LIES("PARKED", "<name>#<subject>")},
	.bindings = {&work_parked_bindings}, OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_SENDER_STATE] = {
	.type = STR_INIT("SenderState"), .told = NOT_TOLD, .places = {LIES("WORK", "MAIL")},
	.bindings = {&sender_state_bindings}, OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_UNITS] = {
	.type = STR_INIT("Units"), .told = NOT_TOLD, .places = {LIES("UNITS#<period>", "<route>")},
	.bindings = {FIELDS(EXPIRES, HAS(COUNTED, "Reads", NUMBER), HAS(COUNTED, "Requests", NUMBER),
	    HAS(COUNTED, "Writes", NUMBER))},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_TABLE_MOVE] = {
	.type = STR_INIT("TableMove"), .told = NOT_TOLD, .places = {LIES("MOVE", "STATE")},
	.bindings = {&move_bindings, FIELDS(HAS(RECORDED, "Cursor", BINARY), EXPIRES)},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_MOVE_MARK] = {
	.type = STR_INIT("MoveMark"), .told = NOT_TOLD, .places = {LIES("MOVE#<n>", "MARK#<holder>")},
	.bindings = {FIELDS(EXPIRES)},
	OF_THE_PROGRAM, .own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
};
/* clang-format on */
