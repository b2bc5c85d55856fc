#include "seeded.h"

#include "lib/tap.h"

#include "lib/paths.h"
#include "model/key.h"
#include "model/kinds.h"
#include "model/site/load.h"
#include "model/site/secret.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "text/template.h"
#include "web/http/asset.h"

/* --- The site --------------------------------------------------------------------------------------- */

void
seeded_put(struct seeded *s, const struct item *items, size_t count)
{
	struct loader loader;
	enum table_rc rc = TABLE_OK;

	loader_begin(&loader, s->table);
	for (size_t i = 0; i < count && rc == TABLE_OK; i++)
		rc = loader_put(&loader, &items[i]);
	if (rc == TABLE_OK)
		rc = loader_flush(&loader);
	if (rc != TABLE_OK)
		bail_out("loading: %s: %s", table_rc_text(rc), loader.why);
	loader_end(&loader);
}

static void
open_table(struct seeded *s)
{
	struct str why = STR("");

	s->table = test_store_open(&s->store, &s->clock);
	s->table->unseen = kind_unseen;
	if (!seed_read(s->arena, TOP_SRCDIR "/migrations-free-seed", s->clock.fixed_now,
		SEEDED_ORIGIN, &s->seed, &why))
		bail_out("%.*s", STR_ARGS(why));
	seeded_put(s, s->seed.items, s->seed.count);
	s->clock.random(&s->clock, s->site.secrets.keys[0], SECRET_BYTES);
	s->site.secrets.count = 1;
}

void
seeded_open(struct seeded *s)
{
	struct str why = STR("");
	int64_t now = 0;

	*s = (struct seeded){.arena = arena_new()};
	time_parse(SEEDED_NOW, &now);
	s->clock = clock_fixed(now, 1);
	s->site = (struct site){.clock = &s->clock,
	    .routes = site_routes,
	    .route_count = site_route_count,
	    .origin = SEEDED_ORIGIN,
	    .deadline_ms = 120000, /* a busy machine is no failure */
	    .render_error = page_error,
	    .finished = publication_drop,
	    .page_data = publications_new()};
	open_table(s);
	s->site.table = s->table;
	s->site.templates = templates_load(TOP_SRCDIR "/templates", s->arena, &why);
	s->site.assets = assets_load(TOP_SRCDIR "/static", s->arena, &why);
	if (s->site.templates == NULL || s->site.assets == NULL)
		bail_out("%.*s", STR_ARGS(why));
	if (site_start(&s->site) != NULL)
		bail_out("the site does not start");
}

void
seeded_restart(struct seeded *s, size_t cache_bytes)
{
	site_end(&s->site);
	publications_free(s->site.page_data);
	s->site.page_data = publications_new();
	s->site.cache_bytes = cache_bytes;
	if (site_start(&s->site) != NULL)
		bail_out("the site does not start");
}

/* --- Kinds ------------------------------------------------------------------------------------------- */

/* Is it a value of the kind that the binding reads and writes? */
static bool
fits(const struct binding *binding, const struct value *value)
{
	switch (binding->kind) {
	case BINDING_STRING:
	case BINDING_TIME:
	case BINDING_CHOICE: return value->kind == VALUE_STRING;
	case BINDING_NUMBER: return value->kind == VALUE_NUMBER;
	case BINDING_BOOLEAN: return value->kind == VALUE_BOOLEAN;
	case BINDING_STRINGS: return value->kind == VALUE_LIST || value->kind == VALUE_STRING_SET;
	case BINDING_MAP: return value->kind == VALUE_MAP;
	case BINDING_MAPS: return value->kind == VALUE_LIST;
	case BINDING_NAMED: return value->kind == binding->holds;
	}
	return false;
}

/* What is wrong with the attributes of an item or of a map in one; NULL: nothing. */
static const char *
fields_wrong(const struct binding_table *const *tables, const struct item *fields, struct str *name)
{
	const char *wrong = NULL;

	for (size_t i = 0; i < fields->count && wrong == NULL; i++) {
		const struct value *value = &fields->attributes[i].value;
		const struct binding *b = bind_find(tables, fields->attributes[i].name);
		const struct binding_table *of[] = {b != NULL ? b->of : NULL, NULL};

		*name = fields->attributes[i].name;
		if (str_eq(*name, STR("PK")) || str_eq(*name, STR("SK")) ||
		    str_eq(*name, STR("Type")) || str_starts(*name, STR("GSI")))
			continue;
		if (b == NULL)
			return "no binding names it";
		if (!fits(b, value))
			return "its binding is of another kind of value";
		if (value->kind == VALUE_MAP)
			wrong = fields_wrong(of, &value->map, name);
		for (size_t n = 0;
		     b->of != NULL && value->kind == VALUE_LIST && n < value->list.count; n++)
			if (wrong == NULL)
				wrong = fields_wrong(of, &value->list.values[n].map, name);
	}
	return wrong;
}

/* Does it lie, or stand in this index, where its kind says? */
static bool
has_place(const struct kind *kind, const struct item *item, enum table_index index)
{
	struct str pk = item_string(item, table_pk_name(index));
	struct str sk = item_string(item, table_sk_name(index));

	for (size_t i = 0; i < KIND_PLACES_MAX; i++)
		if (kind->places[i].pk.len != 0 && kind->places[i].index == index &&
		    item_place_fits(&kind->places[i], pk, sk))
			return true;
	return index != TABLE_PRIMARY && (pk.len == 0 || sk.len == 0);
}

const char *
seeded_kind_wrong(const struct item *item, struct str *name)
{
	const struct kind *kind = kind_of(item);

	*name = item_string(item, STR("Type"));
	if (kind == NULL)
		return "no kind has its Type";
	for (enum table_index index = TABLE_PRIMARY; index <= TABLE_GSI4; index++) {
		*name = table_sk_name(index);
		if (!has_place(kind, item, index))
			return "its kind does not say that it is there";
	}
	return fields_wrong(kind->bindings, item, name);
}

/* Whatever a test has done: each item of the table is what its kind says (model/kinds.h). */
static void
check_kinds(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct walk_page page = {.next = STR("")};
	size_t wrong = 0;

	do {
		struct str cursor = page.next;

		if (table_walk(s->table, &call, cursor, 500, &page) != TABLE_OK)
			bail_out("the walk failed");
		for (size_t i = 0; i < page.count; i++) {
			struct key key = item_key(&page.items[i]);
			struct str name;
			const char *why = seeded_kind_wrong(&page.items[i], &name);

			if (why == NULL || wrong++ >= 5)
				continue;
			fprintf(stderr, "# %.*s / %.*s: %.*s: %s\n", STR_ARGS(key.pk),
			    STR_ARGS(key.sk), STR_ARGS(name), why);
		}
	} while (page.next.len != 0);
	table_release(s->table, &call);
	if (wrong != 0)
		bail_out("%zu items are not what their kinds say", wrong);
}

void
seeded_close(struct seeded *s)
{
	check_kinds(s);
	site_end(&s->site);
	publications_free(s->site.page_data);
	templates_free(s->site.templates);
	assets_free(s->site.assets);
	test_store_close(&s->store);
	seed_free(&s->seed);
	arena_free(s->arena);
}

struct item
seeded_item(struct seeded *s, const char *pk, const char *sk)
{
	struct table_call call = {.arena = s->arena};
	struct item *item = NULL;
	enum table_rc rc = table_get(s->table, &call, (struct key){str_of(pk), str_of(sk)}, &item);

	if (rc != TABLE_OK || item == NULL)
		bail_out("%s %s is not in the table", pk, sk);
	table_release(s->table, &call);
	return item_shallow(s->arena, item);
}

void
seeded_page_size(struct seeded *s, int64_t posts)
{
	struct item settings = seeded_item(s, "SITE", "SETTINGS");

	item_set(s->arena, &settings, STR("PostsPerPage"), value_number(posts));
	seeded_put(s, &settings, 1);
	/* What is kept of the publication is read again before the next page needs it. */
	visit(s, STR("/categories"));
}

struct answer
visit_as(struct seeded *s, const struct request_input *in)
{
	struct response rs;
	struct answer answer;
	struct str all;

	site_respond(&s->site, in, s->arena, &rs);
	all = str_dup(s->arena, rs.bytes);
	answer = (struct answer){.status = rs.status,
	    .head = str_sub(all, 0, rs.head_len),
	    .body = str_sub(all, rs.head_len, all.len),
	    .cost = rs.cost,
	    .cached = rs.cached,
	    .why = rs.why};
	if (http_is_failure(rs.status) != (rs.why != NULL) && rs.status != HTTP_FAILED &&
	    rs.status != HTTP_TOO_MANY)
		bail_out("status %d, and the log says why: %s", (int)rs.status,
		    rs.why != NULL ? rs.why : "nothing");
	response_release(&rs);
	return answer;
}

struct answer
visit(struct seeded *s, struct str address)
{
	struct request_input in = {.method = STR("GET"),
	    .uri = address,
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .content_length = -1};

	return visit_as(s, &in);
}

struct str
header(const struct answer *answer, const char *name)
{
	struct str head = answer->head;

	while (head.len != 0) {
		struct str value, line = str_cut(head, '\n', &head);

		line = str_cut(line, ':', &value);
		if (str_eq_nocase(line, str_of(name)))
			return str_trim(value);
	}
	return STR("");
}

/* --- Reading what came ---------------------------------------------------------------------------- */

bool
between(struct str *rest, struct str begin, struct str end, struct str *found)
{
	const char *from, *to;
	size_t left;

	if (rest->len == 0)
		return false;
	from = memmem(rest->base, rest->len, begin.base, begin.len);
	if (from == NULL)
		return false;
	from += begin.len;
	left = rest->len - (size_t)(from - rest->base);
	to = memmem(from, left, end.base, end.len);
	if (to == NULL)
		return false;
	*found = (struct str){from, (size_t)(to - from)};
	*rest = (struct str){to, left - found->len};
	return true;
}

struct str
part(struct str text, const char *begin, const char *end)
{
	struct str found = STR("");

	between(&text, str_of(begin), str_of(end), &found);
	return found;
}

size_t
count_of(struct str text, struct str what)
{
	size_t count = 0;
	const char *at;

	while (text.len >= what.len && what.len != 0 &&
	       (at = memmem(text.base, text.len, what.base, what.len)) != NULL) {
		count++;
		text = str_sub(text, (size_t)(at - text.base) + what.len, text.len);
	}
	return count;
}

struct str
unescaped(struct arena *arena, struct str text)
{
	static const struct {
		struct str reference;
		char means;
	} table[] = {{STR_INIT("&amp;"), '&'}, {STR_INIT("&lt;"), '<'}, {STR_INIT("&gt;"), '>'},
	    {STR_INIT("&quot;"), '"'}, {STR_INIT("&#39;"), '\''}};
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < text.len;) {
		struct str rest = str_sub(text, i, text.len);
		size_t j = 0;

		while (
		    j < sizeof(table) / sizeof(table[0]) && !str_starts(rest, table[j].reference))
			j++;
		if (j == sizeof(table) / sizeof(table[0])) {
			buf_putc(&out, text.base[i++]);
			continue;
		}
		buf_putc(&out, table[j].means);
		i += table[j].reference.len;
	}
	return buf_str(&out);
}

void
list_add(struct arena *arena, struct list *list, struct str string)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity != 0 ? list->capacity * 2 : 32;

		list->strings = arena_grow(arena, list->strings, list->capacity * sizeof(string),
		    capacity * sizeof(string));
		list->capacity = capacity;
	}
	list->strings[list->count++] = string;
}

bool
list_has(const struct list *list, struct str string)
{
	for (size_t i = 0; i < list->count; i++)
		if (str_eq(list->strings[i], string))
			return true;
	return false;
}

static int
compare(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

void
list_sort(struct list *list)
{
	if (list->count != 0)
		qsort(list->strings, list->count, sizeof(*list->strings), compare);
}

struct str
list_text(struct arena *arena, const struct list *list)
{
	return str_join(arena, list->strings, list->count, STR("\n"));
}

struct list
listed(struct arena *arena, struct str page)
{
	struct list posts = {.count = 0};
	struct str content = part(page, "<main id=\"content\">", "</main>"), heading;

	/* A heading begins with its level: "2><a href=…". */
	while (between(&content, STR("<h"), STR("</h"), &heading)) {
		struct str url = part(heading, "><a href=\"", "\"");

		if (str_starts(url, STR("/post/")) || str_starts(url, STR("/page/")))
			list_add(arena, &posts, url);
	}
	return posts;
}

/* --- What the seed says ----------------------------------------------------------------------------- */

bool
every_post(const struct item *post, const char *name)
{
	(void)post;
	(void)name;
	return true;
}

bool
by_author(const struct item *post, const char *name)
{
	return str_eq(item_string(post, STR("Author")), str_of(name));
}

bool
with_tag(const struct item *post, const char *name)
{
	const struct value *tags = item_get(post, STR("Tags"));

	for (size_t i = 0; tags != NULL && i < tags->list.count; i++)
		if (str_eq(tags->list.values[i].string, str_of(name)))
			return true;
	return false;
}

bool
in_category(const struct item *post, const char *name)
{
	return str_eq(item_string(post, STR("Category")), str_of(name));
}

static bool
is_public(const struct item *item, struct str now)
{
	struct str time = item_string(item, STR("PublishedAt"));

	return str_eq(item_string(item, STR("Type")), STR("Post")) &&
	       str_eq(item_string(item, STR("Status")), STR("published")) &&
	       str_eq(item_string(item, STR("Visibility")), STR("public")) &&
	       !str_eq(item_string(item, STR("Kind")), STR("page")) && str_cmp(time, now) <= 0;
}

static int
newest_first(const void *a, const void *b)
{
	return str_cmp(item_string(*(struct item *const *)b, STR("PublishedAt")),
	    item_string(*(struct item *const *)a, STR("PublishedAt")));
}

struct list
wanted_posts(
    struct seeded *s, bool (*chosen)(const struct item *post, const char *name), const char *name)
{
	struct str now = time_format(s->arena, s->clock.fixed_now);
	const struct item **posts = ARENA_ARRAY(s->arena, s->seed.count, const struct item *);
	struct list list = {.count = 0};
	size_t count = 0;

	for (size_t i = 0; i < s->seed.count; i++)
		if (is_public(&s->seed.items[i], now) && chosen(&s->seed.items[i], name))
			posts[count++] = &s->seed.items[i];
	qsort(posts, count, sizeof(*posts), newest_first);
	for (size_t i = 0; i < count; i++)
		list_add(s->arena, &list,
		    STR_CONCAT(s->arena, STR("/post/"), item_string(posts[i], STR("Slug"))));
	return list;
}
