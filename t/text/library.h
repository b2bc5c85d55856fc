#ifndef T_WEB_LIBRARY_H
#define T_WEB_LIBRARY_H

#include "base/arena.h"
#include "text/template_program.h"

/* Templates in memory, for tests of the compiler. A broken one is parsed, and fails, each time. */
struct memory_file {
	struct template_file file;
	struct str text;
	bool parsed;
	struct memory_file *next;
};

struct memory_library {
	struct template_library library;
	struct arena *arena;
	struct memory_file *files;
};

static inline const struct template_file *
memory_library_find(struct template_library *library, struct str name, struct template_fault *fault)
{
	struct memory_library *memory = (struct memory_library *)library;

	for (struct memory_file *f = memory->files; f != NULL; f = f->next)
		if (str_eq(f->file.name, name)) {
			if (!f->parsed)
				f->parsed = template_parse(
				    memory->arena, f->text, library->lenient, &f->file, fault);
			return f->parsed ? &f->file : NULL;
		}
	return NULL;
}

static inline struct memory_library
memory_library(struct arena *arena, bool lenient)
{
	return (struct memory_library){{memory_library_find, lenient}, arena, NULL};
}

static inline void
memory_library_add(struct memory_library *memory, struct str name, struct str text)
{
	struct memory_file *file = ARENA_NEW(memory->arena, struct memory_file);

	*file = (struct memory_file){{.name = name, .path = name}, text, false, memory->files};
	memory->files = file;
}

#endif
