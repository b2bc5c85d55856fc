#include "spell.h"

#include "base/arena.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text being parsed, and the position. */
struct reader {
	struct arena *arena;
	const char *text, *at;
};

_Noreturn static void
give_up(struct reader *reader)
{
	fprintf(
	    stderr, "no item in a test's notation: %s\nstopped at: %s\n", reader->text, reader->at);
	abort();
}

/* Is `word` next? Then it is read. */
static bool
accept(struct reader *reader, const char *word)
{
	while (*reader->at == ' ')
		reader->at++;
	if (strncmp(reader->at, word, strlen(word)) != 0)
		return false;
	reader->at += strlen(word);
	return true;
}

static void
expect(struct reader *reader, const char *word)
{
	if (!accept(reader, word))
		give_up(reader);
}

static struct str
read_string(struct reader *reader)
{
	struct buf out = {.arena = reader->arena};

	expect(reader, "'");
	while (*reader->at != '\'') {
		if (*reader->at == '\0')
			give_up(reader);
		if (strncmp(reader->at, "\\x", 2) == 0) {
			char digits[3] = {reader->at[2], reader->at[3], '\0'};

			buf_putc(&out, (char)strtoul(digits, NULL, 16));
			reader->at += 4;
		} else {
			buf_putc(&out, *reader->at++);
		}
	}
	reader->at++;
	return buf_str(&out);
}

static struct str
read_name(struct reader *reader)
{
	const char *from;

	while (*reader->at == ' ')
		reader->at++;
	if (*reader->at == '\'')
		return read_string(reader);
	from = reader->at;
	while (isalnum((unsigned char)*reader->at))
		reader->at++;
	return str_dup(reader->arena, (struct str){from, (size_t)(reader->at - from)});
}

static struct value read_value(struct reader *reader);

static struct item
read_item(struct reader *reader)
{
	struct item item = {0};

	expect(reader, "{");
	while (!accept(reader, "}")) {
		struct str name = read_name(reader);

		expect(reader, ":");
		item_set(reader->arena, &item, name, read_value(reader));
		accept(reader, ",");
	}
	return item;
}

static struct value
read_list(struct reader *reader)
{
	struct value list = {.kind = VALUE_LIST};
	size_t size = 0;

	while (!accept(reader, "]")) {
		list.list.values = arena_grow(
		    reader->arena, list.list.values, size, size + sizeof(list.list.values[0]));
		size += sizeof(list.list.values[0]);
		list.list.values[list.list.count++] = read_value(reader);
		accept(reader, ",");
	}
	return list;
}

/* As it is written: neither sorted nor rid of repeats, for tests of just that. */
static struct value
read_set(struct reader *reader)
{
	struct value set = {.kind = VALUE_STRING_SET};
	size_t size = 0;

	while (!accept(reader, ")")) {
		set.set.members = arena_grow(
		    reader->arena, set.set.members, size, size + sizeof(set.set.members[0]));
		size += sizeof(set.set.members[0]);
		set.set.members[set.set.count++] = read_string(reader);
		accept(reader, ",");
	}
	return set;
}

static struct value
read_value(struct reader *reader)
{
	char *end;
	int64_t number;

	if (accept(reader, "true"))
		return value_boolean(true);
	if (accept(reader, "false"))
		return value_boolean(false);
	if (accept(reader, "null"))
		return value_null();
	if (accept(reader, "binary"))
		return value_binary(read_string(reader));
	if (accept(reader, "set("))
		return read_set(reader);
	if (accept(reader, "["))
		return read_list(reader);
	if (*reader->at == '{')
		return value_map(read_item(reader));
	if (*reader->at == '\'')
		return value_string(read_string(reader));
	number = strtoll(reader->at, &end, 10);
	if (end == reader->at)
		give_up(reader);
	reader->at = end;
	return value_number(number);
}

struct item
unspell_item(struct arena *arena, const char *text)
{
	struct reader reader = {arena, text, text};

	return read_item(&reader);
}

struct value
unspell_value(struct arena *arena, const char *text)
{
	struct reader reader = {arena, text, text};

	return read_value(&reader);
}
