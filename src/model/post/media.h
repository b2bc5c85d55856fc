#ifndef MODEL_POST_MEDIA_H
#define MODEL_POST_MEDIA_H

#include "model/post/post.h"
#include "table/table.h"

struct clock;

/*
 * Uploaded pictures. The upload itself is not kept: files are made from it, in a few widths, which
 * nginx serves. The name of a picture is a hash of the upload and of the person, so that the same
 * file again is the same picture, and each picture belongs to one person.
 *
 * An address says all that a page needs to know about its picture,
 *
 * /media/<hash>-1600x1067.jpg
 *
 * its size, and from that the smaller ones: no page reads the table for them.
 */
enum media_format {
	MEDIA_JPEG,
	MEDIA_PNG,
	MEDIA_WEBP,
	MEDIA_SVG, /* the nameplate alone: written anew by web/media/drawing.c, and kept in one size */
	MEDIA_FORMATS,
};

/*
 * May it be chosen for a post, a person or a link; what is said if not. A line of Markdown that somebody writes by hand
 * shows any.
 */
bool media_is_picture(enum media_format format);
#define MEDIA_NO_PICTURE "An SVG can be the nameplate of the site, and nothing else."

enum {
	MEDIA_HASH_LEN = 32,                 /* hexadecimal digits */
	MEDIA_WIDTH_MAX = 1600,              /* of what is kept */
	MEDIA_SIDE_MAX = 16000,              /* of what is taken, in pixels */
	MEDIA_PIXELS_MAX = 50 * 1000 * 1000, /* in all */
	MEDIA_SIZES_MAX = 3,
	MEDIA_USES_MAX = 40, /* pictures of a post that are noted as used by it */
	MEDIA_PORTRAIT_SIDE = 480, /* of what is kept of a portrait */
	MEDIA_ALT_MAX = 300,       /* characters that say what a cover shows */
};

struct media_size {
	int64_t width, height;
};

/* --- Addresses ---------------------------------------------------------------------------------------- */

struct media_address {
	struct str hash;
	struct media_size size;
	enum media_format format;
};

/*
 * Reads an address of this site, from its path on, or one that begins with `site` ("https://example.org",
 * may be empty). False when it is no picture's. out->hash points into `url`.
 */
bool media_address_read(struct str url, struct str site, struct media_address *out);

/*
 * Does it lead to an upload that media_is_picture() refuses? Whether it begins with the address of the site or not, and
 * whatever stands behind it.
 */
bool media_is_no_picture(struct str url);

/* "/media/<hash>-<width>x<height>.<ext>", in the arena. */
struct str media_path(struct arena *arena, const struct media_address *address);

/* The same without "/media/": the name of the file. */
struct str media_file(struct arena *arena, const struct media_address *address);

/*
 * In which sizes a picture is kept whose largest one is `whole`: narrower ones first, `whole` last. A
 * width is left out that is not a fifth narrower than the whole. Returns how many.
 */
size_t media_sizes(
    struct media_size whole, enum media_format format, struct media_size sizes[MEDIA_SIZES_MAX]);

/* The largest size that is kept of a picture that has `sent` pixels: it is never enlarged. Of a portrait both sides are small. */
struct media_size media_whole(struct media_size sent, bool portrait);

/*
 * What `srcset` says: "/media/…-480x320.jpg 480w, …", in the arena; empty for one that has no smaller
 * ones.
 */
struct str media_srcset(struct arena *arena, const struct media_address *address);

/* The word that the format is stored as, and the end of a file's name: "jpg". */
const char *media_extension(enum media_format format);

/* "image/jpeg" */
const char *media_type(enum media_format format);

/* --- The item ----------------------------------------------------------------------------------------- */

struct media {
	struct str hash, owner;
	struct str name; /* of the file, as it was called where it came from */
	enum media_format format;
	int64_t width, height; /* of the largest size */
	int64_t bytes;         /* of all sizes */
	int64_t created;
	bool portrait; /* uploaded to be the portrait of its owner: goes when it is not (model/people/portrait.h) */
};

void media_from_item(struct arena *arena, const struct item *item, struct media *out);

/*
 * The site's key for the names of pictures, so that nobody who has a file and knows a name can tell whether, and by whom,
 * it was uploaded. Made when there is none; of several who make it at once all get the same. It never changes, as the
 * same file of one person is to be the same picture for good. So it lies in the table: with it go all machines, copies and
 * backups, and whoever has the table has all addresses anyhow.
 */
enum { MEDIA_KEY_BYTES = 32 };
enum table_rc media_key_get(struct table *table, struct table_call *call, struct clock *clock,
    unsigned char key[MEDIA_KEY_BYTES]);

/* The name of what somebody uploads, in the arena. */
struct str media_hash(struct arena *arena, const unsigned char key[MEDIA_KEY_BYTES],
    struct str owner, struct str bytes);
/* The name that it had before there was a key: older pictures keep theirs. */
struct str media_hash_before(struct arena *arena, struct str owner, struct str bytes);
bool media_hash_valid(struct str hash);

struct media_address media_address_of(const struct media *media);

/*
 * What its owner's list of pictures says of it, from the file's name, in the arena: "old-harbour.jpg" is of an old
 * harbour. Empty when the name says nothing, as those that cameras give: what has a digit in it does not count. It is no
 * description for readers: those are written by hand.
 */
struct str media_alt(struct arena *arena, const struct media *media);

/*
 * Puts it, on the condition that it does not exist: if it does, it is the same picture. A portrait is swept a day later,
 * unless it is held.
 */
struct write media_put(struct arena *arena, const struct media *media);

/* Removes it, on the condition that it exists. */
struct write media_delete(struct arena *arena, struct str hash);

/*
 * Pictures that are swept: of owners who have left, and portraits that are in no use any more. Each stays as long as a post
 * or its owner shows it. The first makes the read of those that are due for a check, the second the write that checks again
 * a month later; the third sweeps one, if it is to be swept still.
 */
enum { MEDIA_LEFT_AT_ONCE = 20 };
struct read media_left(struct arena *arena, int64_t now);
struct write media_left_later(struct arena *arena, const struct media *media, int64_t now);
struct write media_sweep(struct arena *arena, struct str hash);

/* Not to be swept, on the condition that it exists; to be swept, if it is a portrait of this owner. */
struct write media_hold(struct arena *arena, struct str hash);
struct write media_let_go(struct arena *arena, struct str hash, struct str owner, int64_t now);

/* --- What uses it ------------------------------------------------------------------------------------- */

/*
 * That a post shows a picture is an item beside the picture, MEDIA#<hash> / POST#<id>, written in the
 * transaction that saves the post (writing_commit.c); it follows all that becomes of the post.
 *
 * Nothing is written for what has not changed: of most saves these are no writes at all. A post that is
 * deleted keeps its uses for as long as it can be restored (`ends`).
 */
struct media_uses {
	struct str post, title, author;
	bool open;                   /* who edits others' posts may know of which post it is */
	struct strings_value hashes; /* each once */
	int64_t ends; /* of a post that is deleted: when its text goes, in seconds; 0: it stays */
};

/*
 * What the post shows: in its text, its steps, and as its thumbnail. Of more than MEDIA_USES_MAX
 * pictures the first ones.
 */
void media_uses_of(struct arena *arena, const struct post *post, const struct post_body *body,
    struct media_uses *out);

/*
 * The address of the first picture of this site in its rendered text and steps; empty: there is none. It stands in for
 * a picture that the post has not.
 */
struct str media_first(const struct post_body *body);

/* Room for the writes of one post: all its pictures go, and as many others come. */
enum { MEDIA_USE_WRITES_MAX = 2 * MEDIA_USES_MAX };

/* Appends the writes that turn `old` into `new`; returns how many. */
size_t media_use_writes(struct arena *arena, const struct media_uses *old,
    const struct media_uses *new, struct write *writes);

/* One post that uses a picture. */
struct media_use {
	struct str post, title, author;
	bool open; /* not of a private post; from before it was noted: not known to be open */
};
void media_use_from_item(struct arena *arena, const struct item *item, struct media_use *out);

extern const struct binding_table media_bindings, media_use_bindings;

/* --- The quota ------------------------------------------------------------------------------------------- */

/*
 * The quota of a person's pictures: their total size is a counter next to the person, USER#<u> /
 * PICTURES, changed in the transaction that adds or removes a picture. So nobody has to add them
 * up. A pseudonym, who adds none any more, has no counter.
 */
struct media_quota {
	int64_t bytes;
	bool counted; /* all that were there before the counter are in it */
};

/* Its key; what an item says, NULL being one that is not there yet. */
struct key media_quota_key(struct arena *arena, struct str owner);
struct media_quota media_quota_from_item(struct arena *arena, const struct item *item);

/* Initialises the counter once for pictures that are older than it. Returns the table's result. */
enum table_rc media_quota_count(
    struct table *table, struct table_call *call, struct str owner, struct media_quota *quota);

/*
 * The write that counts added or removed (< 0) bytes. `most` 0: unconditional; otherwise its
 * condition is that the total does not exceed that.
 */
struct write media_quota_change(struct arena *arena, struct str owner, int64_t bytes, int64_t most);

/* Is it counted at all? Not for a pseudonym. */
bool media_quota_has(struct str owner);

extern const struct binding_table media_quota_bindings;

#endif
