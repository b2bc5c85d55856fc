#include "model/post/media.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/user.h"

#include <inttypes.h>
#include <sodium.h>
#include <string.h>

static const int64_t DAY_MS = 86400000, MONTH_MS = INT64_C(31) * 86400000;

static const struct condition absent = {.op = COND_MISSING, .name = STR_INIT("PK")};
static const struct condition present = {.op = COND_EXISTS, .name = STR_INIT("PK")};
static const struct condition swept = {.op = COND_EXISTS, .name = STR_INIT("GSI3SK")};

static const char *const formats[] = {"jpeg", "png", "webp", "svg", NULL};

static const struct binding media_rows[] = {
    BIND_NUMBER(RECORDED, "Bytes", struct media, bytes),
    BIND_TIME(RECORDED, "CreatedAt", struct media, created),
    BIND_CHOICE(RECORDED, "Format", struct media, format, formats),
    BIND_STRING(RECORDED, "Hash", struct media, hash),
    BIND_NUMBER(RECORDED, "Height", struct media, height),
    BIND_TEXT(WRITTEN, "Name", struct media, name, TEXT_LINE),
    BIND_STRING(RECORDED, "Owner", struct media, owner),
    BIND_BOOLEAN(RECORDED, "Portrait", struct media, portrait),
    BIND_NUMBER(RECORDED, "Width", struct media, width),
};
const struct binding_table media_bindings = BINDINGS(media_rows);

static const struct binding use_rows[] = {
    BIND_STRING(RECORDED, "Author", struct media_use, author),
    BIND_BOOLEAN(RECORDED, "Open", struct media_use, open),
    BIND_STRING(RECORDED, "Post", struct media_use, post),
    BIND_TEXT(COPIED, "PostTitle", struct media_use, title, TEXT_LINE),
};
const struct binding_table media_use_bindings = BINDINGS(use_rows);

/* --- The item ----------------------------------------------------------------------------------------- */

void
media_from_item(struct arena *arena, const struct item *item, struct media *out)
{
	*out = (struct media){.format = MEDIA_JPEG};
	bind_read(arena, &media_bindings, item, out);
}

static bool
take_key(const struct item *item, unsigned char key[MEDIA_KEY_BYTES])
{
	const struct value *value = item_get(item, STR("Key"));
	bool is =
	    value != NULL && value->kind == VALUE_BINARY && value->string.len == MEDIA_KEY_BYTES;

	if (is)
		memcpy(key, value->string.base, MEDIA_KEY_BYTES);
	return is;
}

enum table_rc
media_key_get(struct table *table, struct table_call *call, struct clock *clock,
    unsigned char key[MEDIA_KEY_BYTES])
{
	struct write put = {.kind = WRITE_PUT, .condition = &absent};
	struct item *item = NULL;
	enum table_rc rc = table_get(table, call, key_site_picture_key(), &item);

	if (rc != TABLE_OK || item != NULL)
		return rc != TABLE_OK || take_key(item, key) ? rc : TABLE_CORRUPT;
	clock->random(clock, key, MEDIA_KEY_BYTES);
	key_set(call->arena, &put.item, key_site_picture_key(), ITEM_PICTURE_KEY);
	item_set(call->arena, &put.item, STR("Key"),
	    value_binary(
		(struct str){arena_copy(call->arena, key, MEDIA_KEY_BYTES), MEDIA_KEY_BYTES}));
	rc = table_write(table, call, &put);
	/* Another process was faster. */
	if (rc == TABLE_CONDITION)
		rc = put.failed != NULL && take_key(put.failed, key) ? TABLE_OK : TABLE_CONFLICT;
	return rc;
}

struct str
media_hash(struct arena *arena, const unsigned char key[MEDIA_KEY_BYTES], struct str owner,
    struct str bytes)
{
	unsigned char hash[MEDIA_HASH_LEN / 2];
	char *text = arena_alloc(arena, MEDIA_HASH_LEN + 1);
	crypto_generichash_state state;

	crypto_generichash_init(&state, key, MEDIA_KEY_BYTES, sizeof(hash));
	crypto_generichash_update(&state, (const unsigned char *)owner.base, owner.len);
	/* A separator that no name contains: "ab" and "c" is not "a" and "bc". */
	crypto_generichash_update(&state, (const unsigned char *)"", 1);
	crypto_generichash_update(&state, (const unsigned char *)bytes.base, bytes.len);
	crypto_generichash_final(&state, hash, sizeof(hash));
	sodium_bin2hex(text, MEDIA_HASH_LEN + 1, hash, sizeof(hash));
	return (struct str){text, MEDIA_HASH_LEN};
}

struct str
media_hash_before(struct arena *arena, struct str owner, struct str bytes)
{
	unsigned char hash[MEDIA_HASH_LEN / 2];
	char *text = arena_alloc(arena, MEDIA_HASH_LEN + 1);

	/* A username is shorter than the longest key. */
	crypto_generichash(hash, sizeof(hash), (const unsigned char *)bytes.base, bytes.len,
	    (const unsigned char *)owner.base, owner.len);
	sodium_bin2hex(text, MEDIA_HASH_LEN + 1, hash, sizeof(hash));
	return (struct str){text, MEDIA_HASH_LEN};
}

struct media_address
media_address_of(const struct media *media)
{
	return (struct media_address){media->hash, {media->width, media->height}, media->format};
}

struct str
media_alt(struct arena *arena, const struct media *media)
{
	size_t len = media->name.len;
	struct str words;

	while (len > 0 && media->name.base[len - 1] != '.')
		len--;
	words = str_dup(arena, str_sub(media->name, 0, len > 0 ? len - 1 : media->name.len));
	for (size_t i = 0; i < words.len; i++) {
		char *c = (char *)words.base + i;

		if (*c >= '0' && *c <= '9')
			return STR("");
		if (*c == '-' || *c == '_' || *c == '[' || *c == ']' || *c == '\\')
			*c = ' ';
	}
	return str_trim(words);
}

struct write
media_put(struct arena *arena, const struct media *media)
{
	struct write put = {.kind = WRITE_PUT, .condition = &absent};

	key_set(arena, &put.item, key_media(arena, media->hash), ITEM_MEDIA);
	key_index_media(arena, &put.item, media->owner, media->created, media->hash);
	if (media->portrait)
		key_index_left_media(arena, &put.item, media->created + DAY_MS, media->hash);
	bind_write(arena, &media_bindings, media, &put.item);
	return put;
}

struct write
media_delete(struct arena *arena, struct str hash)
{
	return (struct write){
	    .kind = WRITE_DELETE, .key = key_media(arena, hash), .condition = &present};
}

struct read
media_left(struct arena *arena, int64_t now)
{
	struct read read = {.kind = READ_QUERY, .query = query_left_media(arena, now)};

	read.query.limit = MEDIA_LEFT_AT_ONCE;
	return read;
}

struct write
media_left_later(struct arena *arena, const struct media *media, int64_t now)
{
	struct change *change = ARENA_NEW(arena, struct change);
	struct item place = {.count = 0};

	key_index_left_media(arena, &place, now + MONTH_MS, media->hash);
	*change = (struct change){
	    CHANGE_SET, table_sk_name(TABLE_GSI3), *item_get(&place, table_sk_name(TABLE_GSI3))};
	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_media(arena, media->hash),
	    .changes = change,
	    .change_count = 1,
	    .condition = &swept};
}

struct write
media_sweep(struct arena *arena, struct str hash)
{
	return (struct write){
	    .kind = WRITE_DELETE, .key = key_media(arena, hash), .condition = &swept};
}

struct write
media_hold(struct arena *arena, struct str hash)
{
	struct change *changes = ARENA_ARRAY(arena, 2, struct change);

	changes[0] = (struct change){CHANGE_REMOVE, table_pk_name(TABLE_GSI3), value_null()};
	changes[1] = (struct change){CHANGE_REMOVE, table_sk_name(TABLE_GSI3), value_null()};
	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_media(arena, hash),
	    .changes = changes,
	    .change_count = 2,
	    .condition = &present};
}

struct write
media_let_go(struct arena *arena, struct str hash, struct str owner, int64_t now)
{
	struct change *changes = ARENA_ARRAY(arena, 2, struct change);
	struct condition *both = ARENA_ARRAY(arena, 3, struct condition);
	struct item place = {.count = 0};

	key_index_left_media(arena, &place, now, hash);
	for (size_t i = 0; i < place.count; i++)
		changes[i] = (struct change){
		    CHANGE_SET, place.attributes[i].name, place.attributes[i].value};
	both[0] = (struct condition){.op = COND_ALL, .children = &both[1], .count = 2};
	both[1] = (struct condition){
	    .op = COND_EQ, .name = STR("Portrait"), .value = value_boolean(true)};
	both[2] = (struct condition){
	    .op = COND_EQ, .name = STR("Owner"), .value = value_string(owner)};
	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_media(arena, hash),
	    .changes = changes,
	    .change_count = place.count,
	    .condition = both};
}

/* --- What uses it ------------------------------------------------------------------------------------- */

void
media_use_from_item(struct arena *arena, const struct item *item, struct media_use *out)
{
	*out = (struct media_use){.post = STR("")};
	bind_read(arena, &media_use_bindings, item, out);
}

static bool
is_among(const struct media_uses *uses, struct str hash)
{
	for (size_t i = 0; i < uses->hashes.count; i++)
		if (str_eq(uses->hashes.strings[i], hash))
			return true;
	return false;
}

/*
 * Adds every picture whose address is in the text, whether or not Markdown makes an image of it:
 * one picture too many costs an item, one too few is missing in a page.
 */
static void
find_in(struct media_uses *out, struct str *hashes, struct str text)
{
	const struct str prefix = STR("/media/");
	const char *at;

	while (out->hashes.count < MEDIA_USES_MAX && text.len > prefix.len &&
	       (at = memmem(text.base, text.len, prefix.base, prefix.len)) != NULL) {
		struct str hash;

		text = str_sub(text, (size_t)(at - text.base) + prefix.len, text.len);
		hash = str_sub(text, 0, MEDIA_HASH_LEN);
		if (!media_hash_valid(hash) || text.len == hash.len || text.base[hash.len] != '-' ||
		    is_among(out, hash))
			continue;
		hashes[out->hashes.count++] = hash;
	}
}

void
media_uses_of(struct arena *arena, const struct post *post, const struct post_body *body,
    struct media_uses *out)
{
	struct str *hashes = ARENA_ARRAY(arena, MEDIA_USES_MAX, struct str);

	*out = (struct media_uses){.post = post->id,
	    .title = post->title,
	    .author = post->author,
	    .open = !post_is_private(post)};
	out->hashes.strings = hashes;
	find_in(out, hashes, post->thumbnail.url);
	find_in(out, hashes, body->markdown);
	for (size_t i = 0; i < body->step_count; i++)
		find_in(out, hashes, body->steps[i].markdown);
}

static struct str
first_in(struct str html)
{
	static const struct str tag = STR_INIT("<img src=\""),
				begin = STR_INIT("<img src=\"/media/");
	const char *at;

	while (html.len != 0 && (at = memmem(html.base, html.len, begin.base, begin.len)) != NULL) {
		struct str url = str_cut(str_sub(html, (size_t)(at - html.base) + tag.len, html.len), '"', &html);

		if (!media_is_no_picture(url))
			return url;
	}
	return STR("");
}

struct str
media_first(const struct post_body *body)
{
	struct str first = first_in(body->html);

	for (size_t i = 0; first.len == 0 && i < body->step_count; i++)
		first = first_in(body->steps[i].html);
	return first;
}

static struct write
use_put(struct arena *arena, const struct media_uses *uses, struct str hash)
{
	struct write put = {.kind = WRITE_PUT};
	const struct media_use use = {uses->post, uses->title, uses->author, uses->open};

	key_set(arena, &put.item, key_media_use(arena, hash, uses->post), ITEM_MEDIA_USE);
	bind_write(arena, &media_use_bindings, &use, &put.item);
	if (uses->ends != 0)
		item_set(arena, &put.item, TABLE_EXPIRES, value_number(uses->ends));
	return put;
}

size_t
media_use_writes(struct arena *arena, const struct media_uses *old, const struct media_uses *new,
    struct write *writes)
{
	bool renamed = !str_eq(old->title, new->title) || !str_eq(old->author, new->author) ||
		       old->ends != new->ends || old->open != new->open;
	size_t count = 0;

	for (size_t i = 0; i < new->hashes.count; i++)
		if (renamed || !is_among(old, new->hashes.strings[i]))
			writes[count++] = use_put(arena, new, new->hashes.strings[i]);
	for (size_t i = 0; i < old->hashes.count; i++)
		if (!is_among(new, old->hashes.strings[i]))
			writes[count++] = (struct write){.kind = WRITE_DELETE,
			    .key = key_media_use(arena, old->hashes.strings[i], old->post)};
	return count;
}

/* --- Addresses, and the sizes of pictures ----------------------------------------------------- */

#define PREFIX STR("/media/")

enum { STEP = 5 }; /* a size must be narrower than the next by at least a fifth */

static const int64_t widths[] = {480, 960};

static const char *const extensions[] = {"jpg", "png", "webp", "svg", NULL};

const char *
media_extension(enum media_format format)
{
	return extensions[format];
}

const char *
media_type(enum media_format format)
{
	static const char *const types[MEDIA_FORMATS] = {
	    [MEDIA_JPEG] = "image/jpeg", [MEDIA_PNG] = "image/png", [MEDIA_WEBP] = "image/webp", [MEDIA_SVG] = "image/svg+xml"};

	return types[format];
}

bool
media_is_picture(enum media_format format)
{
	return format != MEDIA_SVG;
}

bool
media_hash_valid(struct str hash)
{
	for (size_t i = 0; i < hash.len; i++)
		if (!(hash.base[i] >= '0' && hash.base[i] <= '9') &&
		    !(hash.base[i] >= 'a' && hash.base[i] <= 'f'))
			return false;
	return hash.len == MEDIA_HASH_LEN;
}

/* Width or height in canonical form: no leading zero, no sign, within bounds. */
static bool
read_side(struct str text, int64_t *out)
{
	return text.len != 0 && text.base[0] >= '1' && text.base[0] <= '9' && str_int(text, out) &&
	       *out <= MEDIA_SIDE_MAX;
}

bool
media_address_read(struct str url, struct str site, struct media_address *out)
{
	struct str rest, size, extension, height;
	int format;

	if (site.len != 0 && str_starts(url, site))
		url = str_sub(url, site.len, url.len);
	if (!str_starts(url, PREFIX))
		return false;
	out->hash = str_cut(str_sub(url, PREFIX.len, url.len), '-', &rest);
	size = str_cut(rest, '.', &extension);
	if (!media_hash_valid(out->hash) ||
	    !read_side(str_cut(size, 'x', &height), &out->size.width) ||
	    !read_side(height, &out->size.height))
		return false;
	format = choice_of(extensions, extension);
	out->format = format >= 0 ? (enum media_format)format : MEDIA_JPEG;
	return format >= 0;
}

struct str
media_file(struct arena *arena, const struct media_address *address)
{
	return str_fmt(arena, "%.*s-%" PRId64 "x%" PRId64 ".%s", STR_ARGS(address->hash),
	    address->size.width, address->size.height, extensions[address->format]);
}

struct str
media_path(struct arena *arena, const struct media_address *address)
{
	return STR_CONCAT(arena, PREFIX, media_file(arena, address));
}

bool
media_is_no_picture(struct str url)
{
	const char *at = url.len != 0 ? memmem(url.base, url.len, PREFIX.base, PREFIX.len) : NULL;
	struct str path = at != NULL ? str_sub(url, (size_t)(at - url.base), url.len) : STR(""), rest;
	struct media_address address;

	return media_address_read(str_cut(str_cut(path, '#', &rest), '?', &rest), STR(""), &address) &&
	       !media_is_picture(address.format);
}

/* The size of that width with the aspect ratio of `whole`. */
static struct media_size
scaled(struct media_size whole, int64_t width)
{
	int64_t height = (whole.height * width + whole.width / 2) / whole.width;

	return (struct media_size){width, height > 0 ? height : 1};
}

struct media_size
media_whole(struct media_size sent, bool portrait)
{
	int64_t width = portrait ? MEDIA_PORTRAIT_SIDE : MEDIA_WIDTH_MAX;

	if (portrait && sent.height > sent.width)
		width = MEDIA_PORTRAIT_SIDE * sent.width / sent.height;
	if (width == 0)
		return (struct media_size){1, MEDIA_PORTRAIT_SIDE};
	return sent.width <= width ? sent : scaled(sent, width);
}

size_t
media_sizes(
    struct media_size whole, enum media_format format, struct media_size sizes[MEDIA_SIZES_MAX])
{
	size_t count = 0;

	for (size_t i = 0; format != MEDIA_SVG && i < sizeof(widths) / sizeof(widths[0]); i++)
		if (widths[i] * STEP <= whole.width * (STEP - 1))
			sizes[count++] = scaled(whole, widths[i]);
	sizes[count++] = whole;
	return count;
}

struct str
media_srcset(struct arena *arena, const struct media_address *address)
{
	struct media_size sizes[MEDIA_SIZES_MAX];
	size_t count = media_sizes(address->size, address->format, sizes);
	struct buf out = {.arena = arena};

	for (size_t i = 0; count > 1 && i < count; i++) {
		const struct media_address one = {address->hash, sizes[i], address->format};

		if (i != 0)
			BUF_PUT(&out, ", ");
		buf_put(&out, media_path(arena, &one));
		buf_fmt(&out, " %" PRId64 "w", sizes[i].width);
	}
	return buf_str(&out);
}

/* --- The quota of a person’s pictures ---------------------------------------------------------- */

enum { ADDED_AT_ONCE = 500, TRIES = 5 };

static const struct binding bindings[] = {
    BIND_NUMBER(COUNTED, "Bytes", struct media_quota, bytes),
    BIND_BOOLEAN(RECORDED, "Counted", struct media_quota, counted),
};
const struct binding_table media_quota_bindings = BINDINGS(bindings);

struct key
media_quota_key(struct arena *arena, struct str owner)
{
	return key_pictures(arena, owner);
}

struct media_quota
media_quota_from_item(struct arena *arena, const struct item *item)
{
	struct media_quota quota = {.bytes = 0};

	if (item != NULL)
		bind_read(arena, &media_quota_bindings, item, &quota);
	return quota;
}

bool
media_quota_has(struct str owner)
{
	return username_valid(owner);
}

/* The total of a person's pictures. */
static enum table_rc
add_up(struct table *t, struct table_call *call, struct str owner, int64_t *bytes)
{
	struct query query = query_media_of(call->arena, owner);
	enum table_rc rc = TABLE_OK;
	bool more = true;

	*bytes = 0;
	query.limit = ADDED_AT_ONCE;
	while (rc == TABLE_OK && more) {
		struct item *found;
		size_t count = 0;

		rc = table_query(t, call, &query, &found, &count, &query.cursor);
		for (size_t i = 0; rc == TABLE_OK && i < count; i++)
			*bytes += item_number(&found[i], STR("Bytes"));
		more = query.cursor.len != 0;
	}
	return rc;
}

/* Stores the sum, unless a picture was added or removed meanwhile. */
static enum table_rc
note(struct table *t, struct table_call *call, struct str owner, const struct item *was,
    int64_t bytes)
{
	const struct value *old = was != NULL ? item_get(was, STR("Bytes")) : NULL;
	const struct condition same = {.op = old != NULL ? COND_EQ : COND_MISSING,
	    .name = STR("Bytes"),
	    .value = old != NULL ? *old : value_number(0)};
	const struct change changes[] = {
	    {CHANGE_SET, STR("Bytes"), value_number(bytes)},
	    {CHANGE_SET, STR("Counted"), value_boolean(true)},
	    {CHANGE_SET, STR("Type"), kind_type(ITEM_PICTURE_QUOTA)},
	};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = media_quota_key(call->arena, owner),
	    .changes = changes,
	    .change_count = sizeof(changes) / sizeof(changes[0]),
	    .condition = &same};

	return table_write(t, call, &write);
}

enum table_rc
media_quota_count(
    struct table *t, struct table_call *call, struct str owner, struct media_quota *quota)
{
	enum table_rc rc = TABLE_CONDITION;
	struct item *was;

	for (int i = 0; i < TRIES && (rc == TABLE_CONDITION || rc == TABLE_CONFLICT); i++) {
		rc = table_get(t, call, media_quota_key(call->arena, owner), &was);
		if (rc != TABLE_OK)
			return rc;
		*quota = media_quota_from_item(call->arena, was);
		if (quota->counted)
			return TABLE_OK;
		rc = add_up(t, call, owner, &quota->bytes);
		if (rc == TABLE_OK)
			rc = note(t, call, owner, was, quota->bytes);
	}
	return rc == TABLE_CONDITION ? TABLE_CONFLICT : rc;
}

struct write
media_quota_change(struct arena *arena, struct str owner, int64_t bytes, int64_t most)
{
	struct change *changes = ARENA_ARRAY(arena, 2, struct change);
	struct condition *fits = ARENA_NEW(arena, struct condition);

	changes[0] = (struct change){CHANGE_ADD, STR("Bytes"), value_number(bytes)};
	changes[1] = (struct change){CHANGE_SET, STR("Type"), kind_type(ITEM_PICTURE_QUOTA)};
	*fits = (struct condition){
	    .op = COND_LE, .name = STR("Bytes"), .value = value_number(most - bytes)};
	return (struct write){.kind = WRITE_UPDATE,
	    .key = media_quota_key(arena, owner),
	    .changes = changes,
	    .change_count = 2,
	    .condition = most != 0 ? fits : NULL};
}
