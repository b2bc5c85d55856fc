#include "counted.h"

#include "past.h"

#include "model/key_post.h"
#include "model/kinds.h"

/* What all items together count in one counter. */
struct sum {
	struct key key;
	struct str type, name;
	int64_t sum;
};

struct sums {
	struct sum *sums;
	size_t count;
};

static const struct item *
item_at(const struct all *all, enum table_index index, struct key key)
{
	for (size_t i = 0; i < all->count; i++)
		if (str_eq(item_string(&all->items[i], table_pk_name(index)), key.pk) &&
		    str_eq(item_string(&all->items[i], table_sk_name(index)), key.sk))
			return &all->items[i];
	return NULL;
}

/* Adds the item to what counts it, if that exists: a post that is gone for good counts nothing. */
static void
add_up(struct seeded *s, const struct all *all, const struct item *item, struct sums *sums)
{
	const struct kind *kind = kind_of(item);
	struct item_counters counters = {.count = 0};

	if (kind != NULL)
		counters = kind->counted(s->arena, item);
	for (size_t i = 0; i < counters.count; i++) {
		const struct item_counter *c = &counters.counters[i];
		const struct item *in = item_at(all, c->index, c->key);
		struct key key = in != NULL ? item_key(in) : c->key;
		size_t n = 0;

		/* A shard is there with its first item. */
		if (in == NULL && (c->post.len == 0 || item_at(all, TABLE_PRIMARY,
							   key_post(s->arena, c->post)) == NULL))
			continue;
		while (n < sums->count && (!str_eq(sums->sums[n].key.pk, key.pk) ||
					      !str_eq(sums->sums[n].key.sk, key.sk) ||
					      !str_eq(sums->sums[n].name, c->name)))
			n++;
		if (n == sums->count)
			sums->sums[sums->count++] = (struct sum){
			    key, in != NULL ? item_string(in, STR("Type")) : STR(""), c->name, 0};
		sums->sums[n].sum += c->by;
	}
}

/* Of those that something counts in, by what kinds say. */
static bool
is_counter(const struct sums *sums, struct str type, struct str name)
{
	for (size_t i = 0; i < sums->count; i++)
		if (str_eq(sums->sums[i].type, type) && str_eq(sums->sums[i].name, name))
			return true;
	return false;
}

static int64_t
sum_of(const struct sums *sums, struct key key, struct str name)
{
	for (size_t i = 0; i < sums->count; i++)
		if (str_eq(sums->sums[i].key.pk, key.pk) && str_eq(sums->sums[i].key.sk, key.sk) &&
		    str_eq(sums->sums[i].name, name))
			return sums->sums[i].sum;
	return 0;
}

size_t
miscounts_besides(struct seeded *s, const char *type)
{
	struct all all = all_of(s);
	struct sums sums = {ARENA_ARRAY(s->arena, all.count * 2, struct sum), 0};
	size_t wrong = 0, right = 0;

	for (size_t i = 0; i < all.count; i++)
		add_up(s, &all, &all.items[i], &sums);
	for (size_t i = 0; i < sums.count; i++) {
		if (item_at(&all, TABLE_PRIMARY, sums.sums[i].key) != NULL ||
		    str_eq(kind_of_key(sums.sums[i].key)->type, str_of(type)))
			continue;
		fprintf(stderr, "# %.*s is not there\n", STR_ARGS(sums.sums[i].key.pk));
		wrong++;
	}
	for (size_t i = 0; i < all.count; i++)
		for (size_t n = 0; n < all.items[i].count; n++) {
			struct key key = item_key(&all.items[i]);
			struct str name = all.items[i].attributes[n].name;

			if (is_type(&all.items[i], type) ||
			    !is_counter(&sums, item_string(&all.items[i], STR("Type")), name))
				continue;
			if (item_number(&all.items[i], name) == sum_of(&sums, key, name)) {
				right++;
				continue;
			}
			fprintf(stderr, "# %.*s / %.*s: %.*s is %lld, and there are %lld\n",
			    STR_ARGS(key.pk), STR_ARGS(key.sk), STR_ARGS(name),
			    (long long)item_number(&all.items[i], name),
			    (long long)sum_of(&sums, key, name));
			wrong++;
		}
	if (right < 150)
		bail_out("too few counters");
	return wrong;
}

size_t
miscounts(struct seeded *s)
{
	return miscounts_besides(s, "");
}
