#ifndef TEXT_TEMPLATE_H
#define TEXT_TEMPLATE_H

#include "base/buf.h"
#include "text/view.h"

struct arena;

/*
 * Mustache templates, compiled when the program starts. Each template that a page answers with is
 * compiled against that page's view, with its layout and all its partials: names become offsets, and
 * rendering looks nothing up. A name that the view does not have, a partial that does not exist,
 * `{{{x}}}` on what is not HTML: the program does not start, and says file and line.
 *
 * docs/templates.md tells how to write one.
 */

/* A template that a page answers with. Its name is the file's, without directory and ".mustache". */
struct template_spec {
	const char *name;
	const struct view_type *view;
};

/* The linker puts all that are declared one after another, where templates_load() finds them. */
#define TEMPLATE_DECLARED __attribute__((section("templates"), used))

/*
 * Declares one beside its page: TEMPLATE(post_template, "post", post_view) defines `const struct
 * template_spec post_template`. TEMPLATE_WITH(post_template, &view) stands for two arguments of a
 * call, the specification and the view, and the compiler checks that they belong together.
 */
#define TEMPLATE(id, file, of)                              \
	struct id##_view {                                  \
		const struct of *view;                      \
	};                                                  \
	extern const struct template_spec id;               \
	const struct template_spec id = {file, &of##_type}; \
	static const struct template_spec *const id##_declared TEMPLATE_DECLARED = &id;
#define TEMPLATE_WITH(id, pointer) &id, ((struct id##_view){pointer}).view

/* All templates of the program. Safe for threads; one for each process. */
struct templates;

/*
 * Reads and compiles every template that the program declares, and what they include, from
 * `directory`. NULL when anything is wrong, and *error says what in words for people: "templates/post.mustache:12: unknown name
 * "titel" in post_view; did you mean "title"?". The text lives in `arena`. templates_free() ends the
 * result.
 */
struct templates *templates_load(const char *directory, struct arena *arena, struct str *error);

void templates_free(struct templates *templates);

/*
 * For development, at the beginning of a request: reads again what has changed on disk. False when
 * that is broken: *error says where, in `arena`, and is what the developer should see; rendering goes
 * on with the last templates that were right. Other threads may be rendering meanwhile.
 */
bool templates_refresh(struct templates *templates, struct arena *arena, struct str *error);

/*
 * Renders to the end of `out`. `spec` is what TEMPLATE() declared, and `view` points to the struct
 * that its view describes. Cannot fail.
 */
void template_render(struct templates *templates, const struct template_spec *spec,
    const void *view, struct buf *out);

#endif
