/* Templates in a directory: changes and errors of files. */
#include "lib/tap.h"

#include "base/arena.h"
#include "text/template.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

struct name_view {
	struct str name;
};

struct page_view {
	struct str title;
	LIST_OF(struct name_view) names;
};

VIEW_FIELDS(name_view, STRING(name))
VIEW_FIELDS(page_view, STRING(title), LIST(names, name_view))

TEMPLATE(test_template, "page", page_view)
TEMPLATE(other_template, "other", name_view)

static const struct name_view names[] = {{STR_INIT("Ada")}, {STR_INIT("Eve")}};
static const struct page_view view = {STR_INIT("Names"), {names, 2}};

static void
write_template(const char *directory, const char *name, const char *text)
{
	struct arena *arena = arena_new();
	struct str path = str_fmt(arena, "%s/%s.mustache", directory, name);
	struct str fresh = str_fmt(arena, "%s/fresh", directory);
	FILE *file = fopen(fresh.base, "w");

	/* As editors do: another file with the same name. It says that it is old. */
	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0 ||
	    rename(fresh.base, path.base) != 0)
		bail_out("cannot write %s", path.base);
	utimensat(AT_FDCWD, path.base, (struct timespec[2]){{1, 0}, {1, 0}}, 0);
	arena_free(arena);
}

/* The same file with another content of the same size. */
static void
write_in_place(const char *directory, const char *name, const char *text)
{
	struct arena *arena = arena_new();
	struct str path = str_fmt(arena, "%s/%s.mustache", directory, name);
	FILE *file = fopen(path.base, "w");

	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
		bail_out("cannot write %s", path.base);
	arena_free(arena);
}

static struct str
rendered(struct arena *arena, struct templates *templates)
{
	struct buf out = {.arena = arena};

	template_render(templates, TEMPLATE_WITH(test_template, &view), &out);
	return buf_str(&out);
}

static void
check_refresh(const char *directory, struct arena *arena, struct templates *templates)
{
	struct str error = {0};

	ok(templates_refresh(templates, arena, &error), "a refresh without a change is fine");
	write_template(directory, "part", "changed");
	is_str(rendered(arena, templates), STR("page "), "nothing changes without a refresh");
	ok(templates_refresh(templates, arena, &error), "a changed partial is read again");
	is_str(rendered(arena, templates), STR("page changed"), "and shown");

	write_template(directory, "part", "{{titel}}");
	ok(!templates_refresh(templates, arena, &error), "a broken one is an error");
	is_str(str_sub(error, strlen(directory), error.len),
	    STR("/part.mustache:1: unknown name \"titel\" in page_view; did you mean \"title\"?"),
	    "with file and line");
	is_str(rendered(arena, templates), STR("page changed"),
	    "and the last one that was right is shown");
	ok(!templates_refresh(templates, arena, &error), "it stays an error until it is mended");
	write_template(directory, "part", "mended!");
	ok(templates_refresh(templates, arena, &error), "and is none when it is");
	is_str(rendered(arena, templates), STR("page mended!"), "and shown");
	write_in_place(directory, "part", "written");
	ok(templates_refresh(templates, arena, &error), "a file of the same size is read again");
	is_str(rendered(arena, templates), STR("page written"), "and shown");
}

/* --- Rendering while templates change. ----------------------------------------------------------- */

struct reader {
	struct templates *templates;
	atomic_bool done;
	atomic_int wrong, pages;
};

static void *
read_pages(void *argument)
{
	struct reader *reader = argument;

	while (!atomic_load(&reader->done)) {
		struct arena *arena = arena_new();
		struct str page = rendered(arena, reader->templates);

		if (!str_eq(page, STR("page 1")) && !str_eq(page, STR("page 2")))
			atomic_fetch_add(&reader->wrong, 1);
		atomic_fetch_add(&reader->pages, 1);
		arena_free(arena);
	}
	return NULL;
}

static void
check_threads(const char *directory, struct arena *arena, struct templates *templates)
{
	struct reader reader = {.templates = templates};
	pthread_t threads[2];
	struct str error;

	write_template(directory, "part", "1");
	templates_refresh(templates, arena, &error);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, read_pages, &reader);
	for (int i = 0; i < 40 || atomic_load(&reader.pages) < 100; i++) {
		write_template(directory, "part", i % 2 == 0 ? "2" : "1");
		templates_refresh(templates, arena, &error);
	}
	atomic_store(&reader.done, true);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	is_int(reader.wrong, 0, "threads that render meanwhile see the old or the new");
}

static void
check_disk(void)
{
	char directory[] = "/tmp/broadsheet-template-XXXXXX";
	struct arena *arena = arena_new();
	struct templates *templates;
	struct str error = {0};

	if (mkdtemp(directory) == NULL)
		bail_out("cannot make a directory");
	write_template(directory, "page", "page {{>part}}");
	write_template(directory, "other", "{{name}}");
	templates = templates_load(directory, arena, &error);
	ok(templates == NULL, "a page without its partial does not load");
	is_str(str_sub(error, strlen(directory), error.len),
	    STR("/page.mustache:1: there is no template \"part\""), "and the error has the path");
	write_template(directory, "part", "");
	unlink(str_fmt(arena, "%s/other.mustache", directory).base);
	ok(templates_load(directory, arena, &error) == NULL, "nor without a page");
	is_str(str_sub(error, strlen(directory), error.len),
	    STR("/other.mustache:1: there is no such file"), "which the error names");
	write_template(directory, "other", "caf\xe9");
	ok(templates_load(directory, arena, &error) == NULL, "nor what is not UTF-8");
	write_template(directory, "other", "{{name}}");
	templates = templates_load(directory, arena, &error);
	if (ok(templates != NULL, "when all is there, it does")) {
		is_str(rendered(arena, templates), STR("page "), "and renders");
		check_refresh(directory, arena, templates);
		check_threads(directory, arena, templates);
	}
	templates_free(templates);
	for (size_t i = 0; i < 3; i++) {
		static const char *const files[] = {"page", "part", "other"};

		unlink(str_fmt(arena, "%s/%s.mustache", directory, files[i]).base);
	}
	rmdir(directory);
	arena_free(arena);
}

int
main(void)
{
	check_disk();
	return tap_done();
}
