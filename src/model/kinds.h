#ifndef MODEL_KINDS_H
#define MODEL_KINDS_H

#include "model/bind.h"
#include "model/item_counter.h"
#include "table/table.h"

/*
 * The kinds of item that the one table holds: for each Type a row that answers every question that the program asks
 * about an item without knowing it. kinds.c, with a section in each kinds_*.def, is the document of the table as code;
 * docs/table.md says the same in words, and t/model/kinds_written.t that it does.
 *
 * A row that leaves a question open does not start (kinds_check()), since no answer is 0; but for who derives it, which a
 * derivation that writes it is held to.
 */
enum item_kind {
	/* The publication */
	ITEM_SITE,
	ITEM_SECRET,
	ITEM_PICTURE_KEY,
	ITEM_TABLE_FORMAT,
	ITEM_BACKUP,
	ITEM_ADDRESS_BLOCK,
	ITEM_SUBSCRIBER,
	ITEM_SUBSCRIBER_COUNTS,
	ITEM_MAILING,
	ITEM_MAILING_STATE,
	/* People */
	ITEM_USER,
	ITEM_EMAIL_CLAIM,
	ITEM_NAME_GUARD,
	ITEM_SESSION,
	ITEM_INVITATION,
	ITEM_FIRST_ADMIN,
	ITEM_NOTICE,
	ITEM_NOTIFICATION,
	ITEM_MESSAGES,
	ITEM_NOTIFICATION_SETTINGS,
	ITEM_RESET,
	ITEM_GROUP,
	ITEM_MEMBERSHIP,
	ITEM_FOLLOW,
	ITEM_WATCH,
	ITEM_PERSON_COUNTS,
	ITEM_HIDDEN,
	ITEM_APPEAL,
	ITEM_PURGE,
	ITEM_PURGED,
	/* Posts, and the order among them */
	ITEM_CATEGORY,
	ITEM_CATEGORY_COUNT,
	ITEM_TAG,
	ITEM_POST_TAG,
	ITEM_POST,
	ITEM_BODY,
	ITEM_SLUG_CLAIM,
	ITEM_STATS,
	ITEM_COUNT,
	ITEM_FOLD,
	ITEM_POST_COPY,
	ITEM_POST_REQUEST,
	ITEM_DECLINED,
	ITEM_REVISION,
	ITEM_ONCE,
	ITEM_AUTOSAVE,
	ITEM_UNSAVED,
	ITEM_DRAFT_LINK,
	ITEM_TOP,
	ITEM_DISCUSSED,
	ITEM_STARS,
	ITEM_DISPUTE,
	ITEM_COUNTED,
	ITEM_MONTH,
	ITEM_WEEK,
	ITEM_PERSON_FIGURES,
	ITEM_RANK_ZONE,
	ITEM_CATALOGUE_ENTRY,
	ITEM_VIEWS_TOTAL, /* before the days, whose keys have the same form */
	ITEM_DAY_VIEWS,
	ITEM_SITE_VIEWS,
	/* What readers do */
	ITEM_TALLY,
	ITEM_COMMENT_VOTES, /* before comments, whose keys have the same prefix */
	ITEM_COMMENT,
	ITEM_COMMENT_TEXT,
	ITEM_COMMENT_DRAFT,
	ITEM_RATING,
	ITEM_RATING_MOVE,
	ITEM_VOTE,
	ITEM_READ_MARK,
	ITEM_LIKE,
	ITEM_BOOKMARK,
	ITEM_BOOKMARK_TAG,
	ITEM_OWN_TAG,
	ITEM_FLAG,
	ITEM_FLAGGED,
	ITEM_RESTRICTION,
	ITEM_STAFF_NOTE,
	ITEM_MODERATION_ACT,
	ITEM_COLLECTION,
	ITEM_COLLECTION_POST,
	ITEM_SERIES_PART,
	/* Pictures */
	ITEM_MEDIA,
	ITEM_PICTURE_QUOTA,
	ITEM_MEDIA_USE,
	/* What the worker and the guards keep */
	ITEM_FEED_STATE,
	ITEM_FEED_FILL,
	ITEM_FEED_ENTRY,
	ITEM_FEED_PUSH,
	ITEM_FEED_MERGED,
	ITEM_LETTER,
	ITEM_DIGEST,
	ITEM_TOLD,
	ITEM_TOLD_PAGE,
	ITEM_SEARCH_TERM,
	ITEM_SEARCH_TEXT,
	ITEM_SEARCH_INDEXED,
	ITEM_SEARCH_WAITING,
	ITEM_SEARCH_STATE,
	ITEM_SEARCH_SITE,
	ITEM_SEARCH_LANGUAGE,
	ITEM_AUDIT_ENTRY,
	ITEM_KNOWN_WORD,
	ITEM_SPELLING,
	ITEM_RATE_LIMIT,
	ITEM_LOADING,
	ITEM_LEASE,
	ITEM_KNOWN_TIME,
	ITEM_COPIED,
	ITEM_DUE,
	ITEM_WORK_STATE,
	ITEM_WORK_DERIVED,
	ITEM_WORK_REBUILD,
	ITEM_WORK_PARKED,
	ITEM_SENDER_STATE,
	ITEM_UNITS,
	ITEM_TABLE_MOVE,
	ITEM_MOVE_MARK,
	ITEM_KINDS,
};

/*
 * Where an item lies (of the table itself), or stands in an index. Text in angle brackets stands for a value: "<t>" for a
 * time, "<8 digits>" for so many digits, all else for anything without "#"; the last one of a key may have that, too.
 */
struct item_place {
	enum table_index index;
	struct str pk, sk;
};

/* Do pages that are kept show it? What is in doubt is seen. */
enum kind_pages { PAGES_SEE = 1, PAGES_NEVER_SEE };

/* What a new one tells whoever reads the stream of changes. */
enum kind_stream {
	STREAM_NOTHING = 1,
	STREAM_SAVED, /* that somebody saved a post (model/site/last_known_time.h) */
};

/* Is one that comes from a file held to the rules of forms (bind_violation())? */
enum kind_load { LOAD_BY_RULES = 1, LOAD_AS_IT_IS };

/* Whose Markdown does it have, to be rendered when it is saved or loaded? */
enum kind_markdown {
	MARKDOWN_NONE = 1,
	MARKDOWN_OF_AUTHOR,
	MARKDOWN_OF_READER,
	MARKDOWN_IN_DESCRIPTION, /* a reader's, as the attribute of this name */
	MARKDOWN_IN_NOTE,        /* the same; there may be none */
};

/*
 * How it is exported with the data of the person in whose partition it lies, or in whose activity (GSI1) it stands: once,
 * without keys, and without what is derived or secret.
 */
enum kind_own {
	OWN_NOT = 1, /* it lies and stands nowhere of theirs */
	OWN_AS_IT_IS,
	OWN_HEAD,          /* a post's head, which says whether the post is for everybody */
	OWN_HEAD_AND_TEXT, /* and behind it the text */
	OWN_AND_CONTENT,   /* and behind it what a collection has in it */
	OWN_WITH_HEAD,     /* such a text or content */
};

/* What becomes of it when the person leaves for good in whose partition it lies, or in whose activity it stands. */
enum kind_leave {
	LEAVE_NOT_THEIRS = 1, /* nothing: it is not one person's */
	LEAVE_WITH_HEAD,  /* what becomes of the post, collection or picture that it lies beside */
	LEAVE_AT_ONCE,    /* it goes in the transaction by which they leave */
	LEAVE_TO_EXPIRE,  /* it goes by itself, and nothing of theirs leads to it */
	LEAVE_LAST,       /* the person: it goes when nothing else is left */
	LEAVE_DROP,       /* it goes */
	LEAVE_COUNT_DOWN, /* it goes, and what counts it counts down */
	LEAVE_MOVE,       /* from their partition to the same place in the pseudonym's */
	LEAVE_HAND_OVER,  /* it stays where it is, and its Author is the pseudonym */
	LEAVE_POST,       /* handed over, deleted or erased (model/post/writing.h) */
	LEAVE_PICTURE,    /* handed over, until no post shows it */
	LEAVE_COLLECTION, /* handed over while it is public and they want it; else it goes with its content */
};

enum { KIND_PLACES_MAX = 12, KIND_BINDINGS_MAX = 4, KIND_DERIVATIONS_MAX = 2 };

struct kind {
	struct str type;                           /* its Type */
	struct item_place places[KIND_PLACES_MAX]; /* first where it lies; ended by an empty one */
	const struct binding_table
	    *bindings[KIND_BINDINGS_MAX + 1]; /* all of its attributes; ended by NULL */
	/* What counts it; counted_nowhere(): nothing. */
	struct item_counters (*counted)(struct arena *arena, const struct item *item);
	enum kind_pages pages;
	enum kind_stream stream;
	enum kind_load load;
	enum kind_markdown markdown;
	enum kind_own own;
	enum kind_leave leave;
	/* The derivations (derive/derivations.c) that add and remove it; ended by an empty one. None: it is a fact. */
	struct str derived_by[KIND_DERIVATIONS_MAX + 1];
	/* What a seed tells of how many there are, in the words of who reads the site; empty: nothing. */
	struct {
		const char *one, *many;
	} told;
};

extern const struct kind item_kinds[ITEM_KINDS];

/* The kind of a Type; NULL: none that this program knows. */
const struct kind *kind_of(const struct item *item);
bool kind_is(const struct item *item, enum item_kind kind);

/* The Type of a kind, as a value of an item. */
struct value kind_type(enum item_kind kind);

/* The first kind that lies in such a place; NULL: none does. Kinds of the same place have the same `pages` and `stream`. */
const struct kind *kind_of_key(struct key key);
bool item_place_fits(const struct item_place *place, struct str pk, struct str sk);

/*
 * Is it something that no page for strangers shows, nor what all pages share: sessions, tries, links that were given
 * out, the log, what is typed and not saved, what a post once was? What is kept of such pages stays good when it changes;
 * it is what struct table calls unseen.
 */
bool kind_unseen(struct key key);

/* Does this derivation add and remove items of this kind? */
bool kind_derived_by(const struct kind *kind, struct str derivation);

/*
 * For items that come from a file: the first attribute that breaks a rule to which forms hold everybody
 * (model/text_rule.h). *name is which, and the result what is wanted of it; NULL: none does. A kind of item that people
 * write nothing into has no rules, and neither has one that nobody knows.
 */
const char *kind_violation(const struct item *item, struct str *name);

/* What is wrong with a table of kinds, and with which; NULL: nothing. */
const char *kinds_check(const struct kind *kinds, size_t count, const struct kind **wrong);
/* The same of item_kinds, for the program's start: a sentence, in the arena. */
const char *kinds_error(struct arena *arena);

#endif
