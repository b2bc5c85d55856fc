#include "text/template.h"

#include "base/arena.h"
#include "text/template_program.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 1 << 20 };

/* What TEMPLATE() has declared: the linker provides the section's start and end. */
extern const struct template_spec *const __start_templates[] __attribute__((weak));
extern const struct template_spec *const __stop_templates[] __attribute__((weak));

/* A file as it was read. */
struct source {
	struct template_file file;
	struct stat seen;
	struct source *next;
};

/* Everything from one reading of the directory. */
struct template_set {
	struct arena *arena;
	const struct source *sources;
	const struct template_program **programs; /* in the order of the declarations */
	struct template_set *older;               /* the list of replaced sets */
};

struct templates {
	const char *directory;
	_Atomic(struct template_set *) current;
	atomic_size_t rendering; /* the number of threads: see let_go() */
	pthread_mutex_t refreshing;
	struct template_set *replaced;
};

struct disk_library {
	struct template_library library;
	struct arena *arena;
	const char *directory;
	struct source *sources;
};

/* Names are file names below the directory, and can't leave it. */
static bool
is_file_name(struct str name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.base[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_' && c != '-' &&
		    c != '/')
			return false;
	}
	return name.len != 0 && name.base[0] != '/';
}

/* Reads a whole open file. False with errno on failure; EFBIG when it is too large. */
static bool
read_all(int fd, struct buf *text, struct stat *seen)
{
	ssize_t got;

	if (fstat(fd, seen) == -1)
		return false;
	do {
		if (text->len > FILE_MAX) {
			errno = EFBIG;
			return false;
		}
		got = read(fd, buf_room(text, 16384), 16384);
		if (got > 0)
			text->len += (size_t)got;
	} while (got > 0 || (got == -1 && errno == EINTR));
	return got == 0;
}

static struct str
path_of(const struct disk_library *disk, struct str name)
{
	return str_fmt(disk->arena, "%s/%.*s.mustache", disk->directory, STR_ARGS(name));
}

static const struct template_file *
read_file(struct disk_library *disk, struct str name, struct template_fault *fault)
{
	struct source *source = ARENA_NEW(disk->arena, struct source);
	struct str path = path_of(disk, name);
	struct buf text = {.arena = disk->arena};
	int fd = open(path.base, O_RDONLY | O_CLOEXEC);

	if (fd == -1 && errno == ENOENT)
		return NULL;
	if (fd == -1 || !read_all(fd, &text, &source->seen))
		template_fail(fault, path, 1, "cannot be read: %s", strerror(errno));
	else if (!str_utf8(buf_str(&text)))
		template_fail(fault, path, 1, "is not UTF-8");
	if (fd != -1)
		close(fd);
	source->file = (struct template_file){.name = str_dup(disk->arena, name), .path = path};
	source->next = disk->sources;
	disk->sources = source;
	if (fault->text.len != 0 ||
	    !template_parse(disk->arena, buf_str(&text), false, &source->file, fault))
		return NULL;
	return &source->file;
}

static const struct template_file *
find_on_disk(struct template_library *library, struct str name, struct template_fault *fault)
{
	struct disk_library *disk = (struct disk_library *)library;

	if (!is_file_name(name))
		return NULL;
	for (struct source *source = disk->sources; source != NULL; source = source->next)
		if (str_eq(source->file.name, name))
			return &source->file;
	return read_file(disk, name, fault);
}

static void
set_free(struct template_set *set)
{
	if (set != NULL)
		arena_free(set->arena);
}

static size_t
declared_count(void)
{
	return (size_t)(__stop_templates - __start_templates);
}

/* Reads and compiles all templates. NULL, with the fault, on any error. */
static struct template_set *
set_new(const struct templates *templates, struct template_fault *fault)
{
	struct arena *arena = arena_new();
	struct template_set *set = ARENA_NEW(arena, struct template_set);
	struct disk_library disk = {{find_on_disk, false}, arena, templates->directory, NULL};

	set->arena = arena;
	set->programs = arena_array(arena, declared_count(), sizeof(set->programs[0]));
	for (size_t i = 0; i < declared_count() && fault->text.len == 0; i++) {
		const struct template_spec *spec = __start_templates[i];
		struct str name = str_of(spec->name);

		if (find_on_disk(&disk.library, name, fault) == NULL)
			template_fail(fault, path_of(&disk, name), 1, "there is no such file");
		set->programs[i] = template_compile(arena, &disk.library, name, spec->view, fault);
	}
	set->sources = disk.sources;
	if (fault->text.len == 0)
		return set;
	set_free(set);
	return NULL;
}

struct templates *
templates_load(const char *directory, struct arena *arena, struct str *error)
{
	struct templates *templates = calloc(1, sizeof(*templates));
	struct template_fault fault = {.arena = arena};
	struct template_set *set;

	if (templates == NULL || (templates->directory = strdup(directory)) == NULL)
		out_of_memory();
	pthread_mutex_init(&templates->refreshing, NULL);
	set = set_new(templates, &fault);
	atomic_init(&templates->current, set);
	if (set != NULL)
		return templates;
	*error = fault.text;
	templates_free(templates);
	return NULL;
}

/* Frees the replaced sets, unless somebody may still be rendering from one. */
static void
let_go(struct templates *templates)
{
	/*
	 * A thread that begins to render increments the count first and then reads the current set.
	 */
	if (atomic_load(&templates->rendering) != 0)
		return;
	while (templates->replaced != NULL) {
		struct template_set *set = templates->replaced;

		templates->replaced = set->older;
		set_free(set);
	}
}

void
templates_free(struct templates *templates)
{
	if (templates == NULL)
		return;
	let_go(templates);
	set_free(atomic_load(&templates->current));
	pthread_mutex_destroy(&templates->refreshing);
	free((char *)(uintptr_t)templates->directory);
	free(templates);
}

/* By the inode's change time, which nobody can set: copies may keep the file's own. */
static bool
has_changed(const struct template_set *set)
{
	struct stat now;

	for (const struct source *s = set->sources; s != NULL; s = s->next)
		if (stat(s->file.path.base, &now) == -1 || now.st_size != s->seen.st_size ||
		    now.st_ino != s->seen.st_ino || now.st_ctim.tv_sec != s->seen.st_ctim.tv_sec ||
		    now.st_ctim.tv_nsec != s->seen.st_ctim.tv_nsec)
			return true;
	return false;
}

bool
templates_refresh(struct templates *templates, struct arena *arena, struct str *error)
{
	struct template_fault fault = {.arena = arena};

	pthread_mutex_lock(&templates->refreshing);
	/* A broken file differs from the current set, so it is compiled again each time. */
	if (has_changed(atomic_load(&templates->current))) {
		struct template_set *set = set_new(templates, &fault);

		if (set != NULL) {
			struct template_set *old = atomic_exchange(&templates->current, set);

			old->older = templates->replaced;
			templates->replaced = old;
		}
	}
	let_go(templates);
	pthread_mutex_unlock(&templates->refreshing);
	*error = fault.text;
	return fault.text.len == 0;
}

void
template_render(struct templates *templates, const struct template_spec *spec, const void *view,
    struct buf *out)
{
	const struct template_set *set;
	size_t i = 0;

	while (i < declared_count() && __start_templates[i] != spec)
		i++;
	/* Only a programming error renders an undeclared template. */
	assert(i < declared_count());
	atomic_fetch_add(&templates->rendering, 1);
	set = atomic_load(&templates->current);
	template_run(set->programs[i], view, out);
	atomic_fetch_sub(&templates->rendering, 1);
}
