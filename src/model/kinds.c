#include "model/kinds.h"

#include "model/people/group.h"
#include "model/people/purge.h"
#include "model/people/session.h"
#include "model/people/staff_note.h"
#include "model/people/suspension.h"
#include "model/people/user.h"
#include "model/post/autosave.h"
#include "model/post/category.h"
#include "model/post/collection.h"
#include "model/post/draft_link.h"
#include "model/post/media.h"
#include "model/post/post_fields.h"
#include "model/post/revision.h"
#include "model/post/tag.h"
#include "model/reader/bookmark.h"
#include "model/reader/comment.h"
#include "model/reader/flag.h"
#include "model/reader/rating.h"
#include "model/site/address_block.h"
#include "model/site/audit.h"
#include "model/site/moderation_log.h"
#include "model/site/settings.h"

#define LIES(partition, sort)                                      \
	{                                                          \
		TABLE_PRIMARY, STR_INIT(partition), STR_INIT(sort) \
	}
#define GSI1(partition, sort)                                   \
	{                                                       \
		TABLE_GSI1, STR_INIT(partition), STR_INIT(sort) \
	}
#define GSI2(partition, sort)                                   \
	{                                                       \
		TABLE_GSI2, STR_INIT(partition), STR_INIT(sort) \
	}
#define GSI3(partition, sort)                                   \
	{                                                       \
		TABLE_GSI3, STR_INIT(partition), STR_INIT(sort) \
	}
#define GSI4(partition, sort)                                   \
	{                                                       \
		TABLE_GSI4, STR_INIT(partition), STR_INIT(sort) \
	}

/* Attributes that no struct has. */
#define HAS(mark, attribute, value) BIND_NAMED(mark, attribute, value)
#define FIELDS(...)                                                                        \
	&(const struct binding_table)                                                      \
	{                                                                                  \
		(const struct binding[]){__VA_ARGS__},                                     \
		    sizeof((const struct binding[]){__VA_ARGS__}) / sizeof(struct binding) \
	}
#define EXPIRES HAS(RECORDED, "ExpiresAt", NUMBER)

#define NOT_TOLD       \
	{              \
		"", "" \
	}

/* clang-format off */
const struct kind item_kinds[ITEM_KINDS] = {

    /* --- The publication --- */

    [ITEM_SITE] = {
	.type = STR_INIT("Site"), .told = NOT_TOLD,
	.places = {LIES("SITE", "SETTINGS")},
	.bindings = {&settings_bindings, FIELDS(HAS(RECORDED, "UpdatedAt", STRING),
	    HAS(DERIVED, "Verified", STRING_SET))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_SECRET] = {
	.type = STR_INIT("Secret"), .told = NOT_TOLD,
	.places = {LIES("SITE", "SECRET")},
	.bindings = {FIELDS(HAS(SECRET, "Key", BINARY), HAS(RECORDED, "KeyId", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_PICTURE_KEY] = {
	.type = STR_INIT("PictureKey"), .told = NOT_TOLD,
	.places = {LIES("SITE", "PICTUREKEY")},
	.bindings = {FIELDS(HAS(SECRET, "Key", BINARY))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_ADDRESS_BLOCK] = {
	.type = STR_INIT("AddressBlock"), .told = NOT_TOLD,
	.places = {LIES("ADDRESSBLOCK", "<range>")},
	.bindings = {&address_block_bindings, FIELDS(EXPIRES)},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
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
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_LAST,
    },
    [ITEM_EMAIL_CLAIM] = {
	.type = STR_INIT("EmailClaim"), .told = NOT_TOLD,
	.places = {LIES("USEREMAIL#<address>", "USEREMAIL#<address>")},
	.bindings = {FIELDS(HAS(RECORDED, "Username", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_AT_ONCE,
    },
    [ITEM_NAME_GUARD] = {
	.type = STR_INIT("NameGuard"), .told = NOT_TOLD,
	.places = {LIES("NAME#<skeleton>", "<u>")},
	.bindings = {FIELDS(HAS(RECORDED, "Username", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_AT_ONCE,
    },
    [ITEM_SESSION] = {
	.type = STR_INIT("Session"), .told = NOT_TOLD,
	.places = {LIES("SESSION#<hash>", "SESSION#<hash>"), GSI1("USER#<u>", "SESSION#<t>#<hash>")},
	.bindings = {&session_bindings, FIELDS(EXPIRES)},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_INVITATION] = {
	.type = STR_INIT("Invitation"), .told = NOT_TOLD,
	.places = {LIES("INVITATION#<hash>", "INVITATION#<hash>"),
	    GSI1("USER#<u>", "INVITATION#<t>#<hash>")},
	.bindings = {FIELDS(HAS(RECORDED, "CreatedAt", STRING), EXPIRES, HAS(RECORDED, "InvitedBy", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_NOTICE] = {
	.type = STR_INIT("Notice"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "NOTICE#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Browser", STRING), HAS(RECORDED, "CreatedAt", STRING), EXPIRES,
	    HAS(RECORDED, "What", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_RESET] = {
	.type = STR_INIT("Reset"), .told = NOT_TOLD,
	.places = {LIES("RESET#<hash>", "RESET#<hash>")},
	.bindings = {FIELDS(HAS(SECRET, "AddressHash", STRING), HAS(RECORDED, "CreatedAt", STRING),
	    HAS(SECRET, "Era", NUMBER), EXPIRES, HAS(RECORDED, "Role", STRING),
	    HAS(RECORDED, "Username", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_GROUP] = {
	.type = STR_INIT("Group"), .told = NOT_TOLD,
	.places = {LIES("GROUP#<g>", "METADATA"), GSI3("GROUP", "<g>")},
	.bindings = {&group_bindings,
	    FIELDS(HAS(RECORDED, "Gone", BOOLEAN), HAS(WRITTEN, "Permissions", STRING_SET))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_MEMBERSHIP] = {
	.type = STR_INIT("Membership"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "MEMBERSHIP#<g>"), GSI2("GROUP#<g>", "USER#<u>")},
	.bindings = {&membership_bindings},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
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
    /*
     * A stranger's page is made anew each minute (list_fresh()), which limits how stale the number
     * is.
     */
    [ITEM_PERSON_COUNTS] = {
	.type = STR_INIT("PersonCounts"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "COUNTS")},
	.bindings = {FIELDS(HAS(COUNTED, "Followers", NUMBER), HAS(COUNTED, "Following", NUMBER))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_HIDDEN] = {
	.type = STR_INIT("Hidden"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "MEMO#HIDDEN")},
	.bindings = {FIELDS(HAS(RECORDED, "Blocked", STRING_SET), HAS(RECORDED, "Muted", STRING_SET),
	    HAS(RECORDED, "MutedTags", STRING_SET))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_APPEAL] = {
	.type = STR_INIT("Appeal"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "APPEAL#<about>"), GSI3("APPEAL", "<t>#<u>")},
	.bindings = {&appeal_bindings},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_PURGE] = {
	.type = STR_INIT("Purge"), .told = NOT_TOLD,
	.places = {LIES("PURGE#<u>", "METADATA"), GSI3("PURGE", "<t>#<u>")},
	.bindings = {&purge_bindings},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_PURGED] = {
	.type = STR_INIT("Purged"), .told = NOT_TOLD,
	.places = {LIES("PURGE#<u>", "ITEM#<key>")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "Item", STRING), HAS(RECORDED, "Username", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },

    /* --- Posts, and the order among them --- */

    [ITEM_CATEGORY] = {
	.type = STR_INIT("Category"), .told = {"category", "categories"},
	.places = {LIES("CATEGORY#<slug>", "METADATA"), GSI3("CATEGORY", "<4 digits>#<slug>"),
	    GSI3("CATEGORY", "~<slug>")},
	.bindings = {&category_bindings, &category_merged_bindings,
	    FIELDS(HAS(RECORDED, "CreatedAt", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_TAG] = {
	.type = STR_INIT("Tag"), .told = {"tag", "tags"},
	.places = {LIES("TAG#<tag>", "METADATA"), GSI3("TAG", "<tag>")},
	.bindings = {&tag_bindings},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_POST_TAG] = {
	.type = STR_INIT("PostTag"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "TAG#<tag>"), GSI2("TAG#<tag>", "<t>#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Post", STRING), HAS(RECORDED, "PublishedAt", STRING),
	    HAS(RECORDED, "Tag", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
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
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_OF_AUTHOR,
	.own = OWN_WITH_HEAD, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_SLUG_CLAIM] = {
	.type = STR_INIT("SlugClaim"), .told = NOT_TOLD,
	.places = {LIES("SLUG#<slug>", "SLUG#<slug>")},
	.bindings = {FIELDS(HAS(RECORDED, "Post", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_STATS] = {
	.type = STR_INIT("Stats"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "STATS"), GSI4("TOP", "<10 digits>#<t>#<id>")},
	.bindings = {&post_stats_bindings, FIELDS(HAS(RECORDED, "Post", STRING), HAS(RECORDED, "Shards", BOOLEAN),
	    HAS(RECORDED, "Threads", BOOLEAN))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    /* Cached pages show the folded numbers, not these. */
    [ITEM_COUNT] = {
	.type = STR_INIT("Count"), .told = NOT_TOLD,
	.places = {LIES("COUNT#<id>#<1 digits>", "N")},
	.bindings = {&post_stats_bindings},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_FOLD] = {
	.type = STR_INIT("Fold"), .told = NOT_TOLD,
	.places = {LIES("FOLD#<1 digits>", "<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Changes", NUMBER))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    /* The head is counted for all authors, so copies are not. */
    [ITEM_POST_COPY] = {
	.type = STR_INIT("PostCopy"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "AUTHOR#<u>"), GSI1("USER#<u>", "POST#<t>#<id>"),
	    GSI1("USER#<u>", "PAGE#<t>#<id>"), GSI1("USER#<u>", "CLOSED#<t>#<id>"),
	    GSI1("USER#<u>", "DRAFT#<t>#<id>"), GSI1("USER#<u>", "UNPUBLISHED#<t>#<id>"),
	    GSI1("USER#<u>", "GONE#<t>#<id>")},
	.bindings = {&post_head_bindings, FIELDS(EXPIRES)},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_HEAD_AND_TEXT, .leave = LEAVE_POST,
    },
    [ITEM_POST_REQUEST] = {
	.type = STR_INIT("PostRequest"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "AUTHOR#<u>"), GSI1("USER#<u>", "ASKED#<t>#<id>")},
	.bindings = {&post_head_bindings},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_HEAD, .leave = LEAVE_POST,
    },
    [ITEM_DECLINED] = {
	.type = STR_INIT("Declined"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "DECLINED#<id>")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "Post", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_REVISION] = {
	.type = STR_INIT("Revision"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "REVISION#<8 digits>")},
	.bindings = {&revision_bindings, &post_head_bindings, &post_body_bindings, FIELDS(EXPIRES)},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_SAVED, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_ONCE] = {
	.type = STR_INIT("Once"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "ONCE#<form>")},
	.bindings = {FIELDS(HAS(RECORDED, "Comment", STRING), EXPIRES, HAS(RECORDED, "Post", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    /* An autosave of a post is removed with the post; one of a new post is its writer's alone. */
    [ITEM_AUTOSAVE] = {
	.type = STR_INIT("Autosave"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "AUTOSAVE#<u>"), LIES("USER#<u>", "AUTOSAVE#<kind>#<form>"),
	    LIES("USER#<u>", "AUTOSAVE#<kind>")},
	.bindings = {&autosave_bindings, FIELDS(EXPIRES, HAS(RECORDED, "Kind", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_DRAFT_LINK] = {
	.type = STR_INIT("DraftLink"), .told = NOT_TOLD,
	.places = {LIES("DRAFTLINK#<hash>", "DRAFTLINK#<hash>"), GSI1("USER#<u>", "DRAFTLINK#<t>#<hash>"),
	    GSI2("ABOUT#<id>", "DRAFTLINK#<hash>")},
	.bindings = {&draft_link_bindings},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_STARS] = {
	.type = STR_INIT("Stars"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "STARS"), GSI4("RATED", "<10 digits>#<t>#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Post", STRING), HAS(COUNTED, "Ratings", NUMBER),
	    HAS(COUNTED, "Stars", NUMBER))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_DISPUTE] = {
	.type = STR_INIT("Dispute"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "DISPUTE"), GSI4("DISPUTED", "<10 digits>#<t>#<id>")},
	.bindings = {FIELDS(HAS(COUNTED, "Downs", NUMBER), HAS(RECORDED, "Post", STRING),
	    HAS(COUNTED, "Ups", NUMBER))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },

    /* --- What readers do --- */

    [ITEM_TALLY] = {
	.type = STR_INIT("Tally"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "TALLY#<root>"), GSI3("THREADS#<id>", "<root>"),
	    GSI4("BEST#<id>", "<6 digits>#<root>")},
	.bindings = {FIELDS(HAS(RECORDED, "LastAt", STRING), HAS(RECORDED, "Post", STRING),
	    HAS(COUNTED, "Replies", NUMBER))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    /* Cached pages show them once they are folded, or after a minute. */
    [ITEM_COMMENT_VOTES] = {
	.type = STR_INIT("CommentVotes"), .told = NOT_TOLD,
	.places = {LIES("POST#<id>", "COMMENT#<path>#VOTES"), GSI4("BEST", "<6 digits>#<comment>")},
	.bindings = {FIELDS(HAS(COUNTED, "Downs", NUMBER), HAS(COUNTED, "Ups", NUMBER))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_COMMENT] = {
	.type = STR_INIT("Comment"), .told = {"comment", "comments"},
	.places = {LIES("POST#<id>", "COMMENT#<path>"), GSI1("USER#<u>", "COMMENT#<t>#<comment>"),
	    GSI1("USER#<u>", "HELD#<t>#<comment>"), GSI1("USER#<u>", "HIDDEN#<t>#<comment>"),
	    GSI2("COMMENT#<comment>", "METADATA"), GSI3("HELD", "<t>#<comment>"),
	    GSI3("SAID", "<t>#<comment>"), GSI3("HIDDEN", "<t>#<comment>"), GSI3("ANSWERED", "<t>#<comment>")},
	.bindings = {&comment_bindings},
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
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
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
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
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
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
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
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_MODERATION_ACT] = {
	.type = STR_INIT("ModerationAct"), .told = NOT_TOLD,
	.places = {LIES("MODERATION#<month>", "<id>")},
	.bindings = {&moderation_act_bindings, FIELDS(EXPIRES)},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    /* Not in the person's partition: they may not see it. */
    [ITEM_STAFF_NOTE] = {
	.type = STR_INIT("StaffNote"), .told = NOT_TOLD,
	.places = {LIES("NOTES#<u>", "<id>")},
	.bindings = {&staff_note_bindings, FIELDS(EXPIRES)},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_COLLECTION] = {
	.type = STR_INIT("Collection"), .told = {"collection", "collections"},
	.places = {LIES("COLLECTION#<id>", "METADATA"), GSI1("USER#<u>", "COLLECTION#<t>#<id>"),
	    GSI3("COLLECTION", "<t>#<id>")},
	.bindings = {&collection_bindings, FIELDS(HAS(WRITTEN, "Visibility", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_BY_RULES, .markdown = MARKDOWN_IN_DESCRIPTION,
	.own = OWN_AND_CONTENT, .leave = LEAVE_COLLECTION,
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
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_MEDIA_USE] = {
	.type = STR_INIT("MediaUse"), .told = NOT_TOLD,
	.places = {LIES("MEDIA#<hash>", "POST#<id>")},
	.bindings = {&media_use_bindings, FIELDS(EXPIRES)},
	.counted = counted_nowhere,
	.pages = PAGES_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },

    /* --- What the worker and the guards keep --- */

    [ITEM_FEED_ENTRY] = {
	.type = STR_INIT("FeedEntry"), .told = NOT_TOLD,
	.places = {LIES("FEED#<u>", "<t>#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Author", STRING), EXPIRES, HAS(RECORDED, "Post", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_NOTIFICATION] = {
	.type = STR_INIT("Notification"), .told = NOT_TOLD,
	.places = {LIES("USER#<u>", "NOTIFICATION#<notification>")},
	.bindings = {FIELDS(HAS(RECORDED, "Actor", STRING), HAS(RECORDED, "Comment", STRING),
	    HAS(RECORDED, "CreatedAt", STRING), EXPIRES, HAS(RECORDED, "Id", STRING),
	    HAS(RECORDED, "Post", STRING), HAS(RECORDED, "Read", BOOLEAN), HAS(RECORDED, "What", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_AS_IT_IS, .leave = LEAVE_DROP,
    },
    [ITEM_SEARCH_TERM] = {
	.type = STR_INIT("SearchTerm"), .told = NOT_TOLD,
	.places = {LIES("SEARCH#<term>", "<weight>#<t>#<id>")},
	.bindings = {FIELDS(HAS(RECORDED, "Post", STRING), HAS(RECORDED, "Weight", NUMBER))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_WITH_HEAD,
    },
    [ITEM_DAY_POST] = {
	.type = STR_INIT("DayPost"), .told = NOT_TOLD,
	.places = {LIES("DAY#<day>", "POST#<id>")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "Post", STRING), HAS(COUNTED, "Reads", NUMBER),
	    HAS(COUNTED, "Views", NUMBER))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_AUDIT_ENTRY] = {
	.type = STR_INIT("AuditEntry"), .told = NOT_TOLD,
	.places = {LIES("AUDIT#<month>", "<id>")},
	.bindings = {&audit_bindings},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_RATE_LIMIT] = {
	.type = STR_INIT("RateLimit"), .told = NOT_TOLD,
	.places = {LIES("RATE#<what>#<who>", "<window>")},
	.bindings = {FIELDS(HAS(COUNTED, "Count", NUMBER), EXPIRES, HAS(RECORDED, "TriedAt", STRING))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_TO_EXPIRE,
    },
    [ITEM_LOADING] = {
	.type = STR_INIT("Loading"), .told = NOT_TOLD,
	.places = {LIES("LEASE", "seed"), LIES("LEASE", "import")},
	.bindings = {FIELDS(HAS(RECORDED, "Now", NUMBER), HAS(RECORDED, "Replaces", BOOLEAN))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_LEASE] = {
	.type = STR_INIT("Lease"), .told = NOT_TOLD,
	.places = {LIES("LEASE", "<work>")},
	.bindings = {FIELDS(EXPIRES, HAS(RECORDED, "Holder", STRING), HAS(RECORDED, "Until", NUMBER))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
    [ITEM_KNOWN_TIME] = {
	.type = STR_INIT("KnownTime"), .told = NOT_TOLD,
	.places = {LIES("TIME", "KNOWN")},
	.bindings = {FIELDS(HAS(RECORDED, "Time", NUMBER))},
	.counted = counted_nowhere,
	.pages = PAGES_NEVER_SEE, .stream = STREAM_NOTHING, .load = LOAD_AS_IT_IS, .markdown = MARKDOWN_NONE,
	.own = OWN_NOT, .leave = LEAVE_NOT_THEIRS,
    },
};
/* clang-format on */
