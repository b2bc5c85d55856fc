#include "table/dynamo/shards.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "table/dynamo/exchange.h"
#include "table/dynamo/response.h"
#include "table/json.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* --- Cached iterators ------------------------------------------------------------------------- */

enum { REMEMBERED = 64, ITERATOR_MS = 5 * 60 * 1000 };

struct remembered {
	char *key; /* shard, space, place */
	char *iterator;
	bool whole; /* it starts at the shard's beginning, though its place is `@` */
	int64_t since;
};

struct shard_iterators {
	pthread_mutex_t lock;
	struct remembered slots[REMEMBERED];
	size_t next; /* the oldest slot */
};

struct shard_iterators *
shard_iterators_new(void)
{
	struct shard_iterators *iterators = calloc(1, sizeof(*iterators));

	if (iterators == NULL)
		out_of_memory();
	pthread_mutex_init(&iterators->lock, NULL);
	return iterators;
}

void
shard_iterators_free(struct shard_iterators *iterators)
{
	if (iterators == NULL)
		return;
	for (size_t i = 0; i < REMEMBERED; i++) {
		free(iterators->slots[i].key);
		free(iterators->slots[i].iterator);
	}
	pthread_mutex_destroy(&iterators->lock);
	free(iterators);
}

/* With the lock held; NULL when there is none. */
static struct remembered *
slot_of(struct shard_iterators *iterators, struct str key)
{
	for (size_t i = 0; i < REMEMBERED; i++) {
		if (iterators->slots[i].key != NULL && str_eq(str_of(iterators->slots[i].key), key))
			return &iterators->slots[i];
	}
	return NULL;
}

static struct str
key_of(struct arena *arena, struct str shard, struct str place)
{
	return STR_CONCAT(arena, shard, STR(" "), place);
}

/* Gives the read a valid iterator cached for its position, if there is one, in the arena. */
static void
shard_iterators_recall(
    struct shard_iterators *iterators, struct arena *arena, struct shard_read *read)
{
	struct str key = key_of(arena, read->shard, read->place);
	struct remembered *slot;

	pthread_mutex_lock(&iterators->lock);
	slot = slot_of(iterators, key);
	if (slot != NULL && exchange_now() - slot->since < ITERATOR_MS) {
		read->iterator = str_dup(arena, str_of(slot->iterator));
		read->whole = slot->whole;
	}
	pthread_mutex_unlock(&iterators->lock);
}

/* Caches an iterator for a position in the read's shard. */
static void
shard_iterators_remember(struct shard_iterators *iterators, struct arena *arena,
    const struct shard_read *read, struct str place, struct str iterator)
{
	struct str key = key_of(arena, read->shard, place);
	struct remembered *slot;

	pthread_mutex_lock(&iterators->lock);
	slot = slot_of(iterators, key);
	if (slot == NULL) {
		slot = &iterators->slots[iterators->next];
		iterators->next = (iterators->next + 1) % REMEMBERED;
	}
	free(slot->key);
	free(slot->iterator);
	slot->key = strndup(key.base, key.len);
	slot->iterator = strndup(iterator.base, iterator.len);
	if (slot->key == NULL || slot->iterator == NULL)
		out_of_memory();
	slot->whole = read->whole;
	slot->since = exchange_now();
	pthread_mutex_unlock(&iterators->lock);
}

enum { LISTS_MAX = 1000, SKEW_MS = 90 * 1000 };

static const int64_t KEPT_MS =
    INT64_C(24) * 60 * 60 * 1000; /* how long the service keeps a record */
static const int64_t STAMP_MS = 60 * 60 * 1000;

/* --- The shards there are ------------------------------------------------------------------------ */

struct listing {
	struct shards *out;
	struct str last; /* there are more shards after this one; empty at the end */
};

static void
read_shard(struct json_reader *in, struct shards *out)
{
	struct shard shard = {0};
	struct str name, text;

	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("ShardId"))) {
			json_string(in, &shard.id);
		} else if (str_eq(name, STR("ParentShardId"))) {
			json_string(in, &shard.parent);
		} else if (str_eq(name, STR("SequenceNumberRange"))) {
			json_object(in);
			while (json_name(in, &name)) {
				if (str_eq(name, STR("StartingSequenceNumber")))
					json_string(in, &shard.first);
				else if (str_eq(name, STR("EndingSequenceNumber")))
					shard.closed = json_string(in, &text);
				else
					json_skip(in);
			}
		} else {
			json_skip(in);
		}
	}
	if (out->count == out->capacity) {
		size_t want = out->capacity != 0 ? out->capacity * 2 : 16;

		out->base = arena_grow(
		    in->arena, out->base, out->capacity * sizeof(shard), want * sizeof(shard));
		out->capacity = want;
	}
	out->base[out->count++] = shard;
}

static enum turn
hear_listing(struct talk *talk, struct str answer)
{
	struct listing *listing = talk->about;
	struct json_reader in = json_reader(talk->call->arena, answer);
	struct str name;

	listing->last = STR("");
	json_object(&in);
	while (json_name(&in, &name)) {
		json_object(&in);
		while (json_name(&in, &name)) {
			if (str_eq(name, STR("LastEvaluatedShardId"))) {
				json_string(&in, &listing->last);
			} else if (str_eq(name, STR("Shards"))) {
				json_array(&in);
				while (json_element(&in))
					read_shard(&in, listing->out);
			} else {
				json_skip(&in);
			}
		}
	}
	if (!json_end(&in)) {
		talk->rc = TABLE_CORRUPT;
		talk->why = in.error.why;
	}
	return TURN_END;
}

static void
put_field(struct buf *body, const char *name, struct str value)
{
	buf_fmt(body, "%s\"%s\":", body->len > 1 ? "," : "", name);
	json_put_string(body, value);
}

enum table_rc
shards_list(struct dynamo *db, struct table_call *call, struct shards *out)
{
	struct listing listing = {.out = out};
	enum table_rc rc = TABLE_OK;

	*out = (struct shards){0};
	for (int i = 0; rc == TABLE_OK && (i == 0 || listing.last.len > 0) && i < LISTS_MAX; i++) {
		struct buf body = {.arena = call->arena};
		struct talk talk = {.service = DYNAMO_STREAMS,
		    .operation = "DescribeStream",
		    .hear = hear_listing,
		    .about = &listing};

		BUF_PUT(&body, "{");
		put_field(&body, "StreamArn", db->stream);
		if (listing.last.len > 0)
			put_field(&body, "ExclusiveStartShardId", listing.last);
		BUF_PUT(&body, "}");
		talk.body = buf_str(&body);
		rc = dynamo_talk(db, call, &talk, 1);
	}
	return rc;
}

/* --- Getting iterators ------------------------------------------------------------------------ */

static enum turn
hear_iterator(struct talk *talk, struct str answer)
{
	struct shard_read *read = talk->about;
	struct json_reader in = json_reader(talk->call->arena, answer);
	struct str name;

	json_object(&in);
	while (json_name(&in, &name)) {
		if (str_eq(name, STR("ShardIterator")))
			json_string(&in, &read->iterator);
		else
			json_skip(&in);
	}
	if (!json_end(&in) || read->iterator.len == 0) {
		talk->rc = TABLE_CORRUPT;
		talk->why = "DynamoDB's answer holds no iterator";
		return TURN_END;
	}
	shard_iterators_remember(
	    talk->db->iterators, talk->call->arena, read, read->place, read->iterator);
	return TURN_END;
}

static void
refused_shard(struct talk *talk, const struct dynamo_refusal *refusal)
{
	struct shard_read *read = talk->about;

	if (str_eq(refusal->code, STR("ExpiredIteratorException"))) {
		read->stale = true;
		talk->rc = TABLE_OK;
	} else if (str_eq(refusal->code, STR("ResourceNotFoundException"))) {
		/* A shard disappears when its last record is a day old. */
		talk->rc = TABLE_TRIMMED;
	} else if (str_eq(refusal->code, STR("ValidationException")) &&
		   str_starts(read->place, STR("="))) {
		/* It accepts only numbers of existing records: then from the oldest one. */
		read->place = STR("-");
		read->stale = true;
		talk->rc = TABLE_OK;
	}
}

static struct talk
iterator_talk(struct dynamo *db, struct table_call *call, struct shard_read *read, bool latest)
{
	struct buf body = {.arena = call->arena};
	char first = read->place.len > 0 ? read->place.base[0] : '-';

	BUF_PUT(&body, "{");
	put_field(&body, "StreamArn", db->stream);
	put_field(&body, "ShardId", read->shard);
	if (latest) {
		put_field(&body, "ShardIteratorType", STR("LATEST"));
	} else if (first == '-' || first == '@') {
		put_field(&body, "ShardIteratorType", STR("TRIM_HORIZON"));
		read->whole = first == '@';
	} else if (first == '=') {
		put_field(&body, "ShardIteratorType", STR("AT_SEQUENCE_NUMBER"));
		put_field(&body, "SequenceNumber", str_sub(read->place, 1, read->place.len));
	} else {
		put_field(&body, "ShardIteratorType", STR("AFTER_SEQUENCE_NUMBER"));
		put_field(&body, "SequenceNumber", read->place);
	}
	BUF_PUT(&body, "}");
	return (struct talk){.service = DYNAMO_STREAMS,
	    .operation = "GetShardIterator",
	    .body = buf_str(&body),
	    .hear = hear_iterator,
	    .refused = refused_shard,
	    .about = read};
}

/* The age of the time in a place `@ms` or `-ms`; -1 for any other. */
static int64_t
age_of(struct str place)
{
	struct clock real = clock_system();
	int64_t since;

	if (!str_starts(place, STR("@")) && !str_starts(place, STR("-")))
		return -1;
	return str_int(str_sub(place, 1, place.len), &since) ? clock_now(&real) - since : -1;
}

/*
 * Without an iterator, a place `@ms` or `-ms` is read from the oldest record on. If the time is a
 * day ago, records may have been dropped, which nobody can know, so it is reported.
 */
static bool
too_late(const struct shard_read *read)
{
	return age_of(read->place) > KEPT_MS - SKEW_MS;
}

/*
 * The place after a page without records from a shard's beginning. It skips nothing, since an empty
 * page says nothing about the next one; but what is not read from now on is reported a day later.
 * The time, and the iterator under it, are kept for an hour.
 */
static struct str
still_nothing(struct arena *arena, struct str place)
{
	struct clock real = clock_system();
	int64_t age = age_of(place);

	if (!str_starts(place, STR("-")) || (age >= 0 && age < STAMP_MS))
		return place;
	return str_fmt(arena, "-%lld", (long long)clock_now(&real));
}

/* Gets an iterator for every read that has none. */
static enum table_rc
find_iterators(
    struct dynamo *db, struct table_call *call, struct shard_read *reads, size_t count, bool latest)
{
	struct talk *talks = ARENA_ARRAY(call->arena, count, struct talk);
	size_t missing = 0;

	for (size_t i = 0; i < count; i++) {
		if (!latest && !reads[i].stale)
			shard_iterators_recall(db->iterators, call->arena, &reads[i]);
		if (reads[i].iterator.len == 0 || reads[i].stale) {
			if (!latest && too_late(&reads[i]))
				return TABLE_TRIMMED;
			talks[missing++] = iterator_talk(db, call, &reads[i], latest);
		}
		reads[i].stale = false;
	}
	return missing > 0 ? dynamo_talk(db, call, talks, missing) : TABLE_OK;
}

enum table_rc
shards_mark(struct dynamo *db, struct table_call *call, struct shard_read *reads, size_t count)
{
	return find_iterators(db, call, reads, count, true);
}

/* --- Records ------------------------------------------------------------------------------------------ */

static void
keep_record(struct arena *arena, struct shard_read *read, const struct change_record *record)
{
	if (read->count == read->capacity) {
		size_t want = read->capacity != 0 ? read->capacity * 2 : 16;

		read->records = arena_grow(
		    arena, read->records, read->capacity * sizeof(*record), want * sizeof(*record));
		read->capacity = want;
	}
	read->records[read->count++] = *record;
}

/*
 * A place `@ms` whose iterator was dropped from the cache is read from the shard's beginning. The
 * service's times may be whole minutes, and are of its own clock; better some records twice than
 * one not at all.
 */
static bool
too_early(const struct shard_read *read, const struct change_record *record)
{
	int64_t since;

	return read->whole && str_int(str_sub(read->place, 1, read->place.len), &since) &&
	       record->time < since - SKEW_MS;
}

static enum turn
hear_records(struct talk *talk, struct str answer)
{
	struct shard_read *read = talk->about;
	struct arena *arena = talk->call->arena;
	struct json_reader in = json_reader(arena, answer);
	struct str name, iterator = STR("");

	read->next = still_nothing(arena, read->place);
	json_object(&in);
	while (json_name(&in, &name)) {
		if (str_eq(name, STR("NextShardIterator")) && json_peek(&in) == JSON_STRING) {
			json_string(&in, &iterator);
		} else if (str_eq(name, STR("Records"))) {
			json_array(&in);
			while (json_element(&in)) {
				struct change_record record = dynamo_record_read(&in, &read->next);

				if (!too_early(read, &record))
					keep_record(arena, read, &record);
			}
		} else {
			json_skip(&in);
		}
	}
	if (!json_end(&in)) {
		talk->rc = TABLE_CORRUPT;
		talk->why = in.error.why;
		return TURN_END;
	}
	read->exhausted = iterator.len == 0;
	if (!read->exhausted)
		shard_iterators_remember(talk->db->iterators, arena, read, read->next, iterator);
	return TURN_END;
}

static enum table_rc
get_records(struct dynamo *db, struct table_call *call, struct shard_read *reads, size_t count,
    bool only_stale)
{
	struct talk *talks = ARENA_ARRAY(call->arena, count, struct talk);
	size_t asked = 0;

	for (size_t i = 0; i < count; i++) {
		struct buf body = {.arena = call->arena};

		if (only_stale ? reads[i].next.len > 0 : reads[i].stale)
			continue;
		BUF_PUT(&body, "{");
		put_field(&body, "ShardIterator", reads[i].iterator);
		buf_fmt(&body, ",\"Limit\":%u}", reads[i].limit);
		talks[asked++] = (struct talk){.service = DYNAMO_STREAMS,
		    .operation = "GetRecords",
		    .body = buf_str(&body),
		    .hear = hear_records,
		    .refused = refused_shard,
		    .about = &reads[i]};
	}
	return asked > 0 ? dynamo_talk(db, call, talks, asked) : TABLE_OK;
}

enum table_rc
shards_read(struct dynamo *db, struct table_call *call, struct shard_read *reads, size_t count)
{
	enum table_rc rc = find_iterators(db, call, reads, count, false);

	if (rc == TABLE_OK)
		rc = get_records(db, call, reads, count, false);
	/* Some iterators may have expired meanwhile, or were refused; gets new ones. */
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		if (!reads[i].stale)
			continue;
		rc = find_iterators(db, call, reads, count, false);
		if (rc == TABLE_OK)
			rc = get_records(db, call, reads, count, true);
	}
	return rc;
}
