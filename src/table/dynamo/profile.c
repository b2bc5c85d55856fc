#include "table/dynamo/profile.h"

/* Is this line, `[profile name]` or `[name]`, the head of the profile's section? */
static bool
is_head_of(struct str line, enum dynamo_profiles kind, struct str profile)
{
	size_t end = str_find(line, ']');
	struct str rest, word, inside = str_trim(str_sub(line, 1, end - 1));

	if (end == line.len)
		return false;
	if (kind == PROFILES_CREDENTIALS)
		return str_eq(inside, profile);
	word = str_cut(inside, ' ', &rest);
	if (str_eq(word, STR("profile")) && rest.len != 0)
		return str_eq(str_trim(rest), profile);
	return str_eq(inside, STR("default")) && str_eq(profile, STR("default"));
}

/* What follows white space and # or ; is a comment. */
static struct str
without_comment(struct str value)
{
	for (size_t i = 1; i < value.len; i++)
		if ((value.base[i] == '#' || value.base[i] == ';') &&
		    (value.base[i - 1] == ' ' || value.base[i - 1] == '\t'))
			return str_trim(str_sub(value, 0, i));
	return value;
}

struct str
dynamo_profile_setting(
    struct str text, enum dynamo_profiles kind, struct str profile, struct str name)
{
	struct str found = STR("");
	bool inside = false;

	while (text.len != 0) {
		struct str value, line = str_cut(text, '\n', &text), key;

		if (line.len == 0 || line.base[0] == '#' || line.base[0] == ';' ||
		    line.base[0] == ' ' || line.base[0] == '\t')
			continue;
		if (line.base[0] == '[') {
			inside = is_head_of(line, kind, profile);
			continue;
		}
		key = str_trim(str_cut(line, '=', &value));
		if (inside && str_eq(key, name))
			found = without_comment(str_trim(value));
	}
	return found;
}

bool
dynamo_profile_is_there(struct str text, enum dynamo_profiles kind, struct str profile)
{
	while (text.len != 0) {
		struct str line = str_cut(text, '\n', &text);

		if (str_starts(line, STR("[")) && is_head_of(line, kind, profile))
			return true;
	}
	return false;
}
