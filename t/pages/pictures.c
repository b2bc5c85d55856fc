#include "pictures.h"

#include "lib/tap.h"

#include "web/media/media_store.h"
#include "lib/paths.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM TOP_BUILDDIR "/broadsheet-image"

/* Not every store gives a seeded site a folder of its own. */
static char folder[] = "/tmp/broadsheet-pictures-XXXXXX";

static const char *
media_directory(struct seeded *s)
{
	return str_fmt(s->arena, "%s/media", folder).base;
}

static void
use_program(struct seeded *s, const char *program)
{
	const struct media_store_options options = {
	    .directory = media_directory(s), .program = program, .file_max = 1024 * 1024};

	media_store_free(s->site.media);
	s->site.media = media_store_new(&options);
	media_store_prepare(s->site.media);
}

static const char *
script_path(struct seeded *s)
{
	return str_fmt(s->arena, "%s/program", folder).base;
}

void
pictures_program(struct seeded *s, const char *line)
{
	FILE *script;

	if (line != NULL) {
		script = fopen(script_path(s), "w");
		if (script == NULL)
			bail_out("no program for pictures");
		fprintf(script, "#!/bin/sh\n%s\n", line);
		fchmod(fileno(script), 0755);
		fclose(script);
	}
	use_program(s, line != NULL ? script_path(s) : NULL);
}

/* With `gone`, they are removed. */
static size_t
count_files(struct seeded *s, bool gone)
{
	DIR *directory = opendir(media_directory(s));
	struct dirent *entry;
	size_t count = 0;

	while (directory != NULL && (entry = readdir(directory)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		count++;
		if (gone)
			unlinkat(dirfd(directory), entry->d_name, 0);
	}
	if (directory != NULL)
		closedir(directory);
	return count;
}

size_t
picture_files(struct seeded *s)
{
	return count_files(s, false);
}

void
pictures_open(struct seeded *s)
{
	if (mkdtemp(folder) == NULL)
		bail_out("no folder for the test");
	use_program(s, PROGRAM);
}

void
pictures_close(struct seeded *s)
{
	media_store_free(s->site.media);
	s->site.media = NULL;
	count_files(s, true);
	rmdir(media_directory(s));
	unlink(script_path(s));
	rmdir(folder);
}

struct str
upload_token(struct browser *b)
{
	get(b, "/uploads");
	return str_dup(b->s->arena, part(b->last.body, "name=\"csrf\" value=\"", "\""));
}

enum http_status
upload(struct browser *b, const char *answer, const struct upload *sent)
{
	return upload_files(b, upload_token(b), answer, sent);
}

const char *
first_picture(const struct browser *b)
{
	return str_cstring(b->s->arena, part(b->last.body, "class=\"thumb\" href=\"", "\""));
}

struct str
first_hash(const struct browser *b)
{
	return str_dup(b->s->arena, part(b->last.body, "class=\"thumb\" href=\"/uploads/", "\""));
}

const char *
behind(struct browser *b, const char *address, const char *end)
{
	return STR_CONCAT(b->s->arena, str_of(address), str_of(end)).base;
}
