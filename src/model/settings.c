#include "model/settings.h"

static const char *const registrations[] = {"closed", "open", "invitation", "approval", NULL};

static const struct binding bindings[] = {
    BIND_TIME("CreatedAt", struct settings, created),
    BIND_STRING("Description", struct settings, description),
    BIND_STRING("Footer", struct settings, footer),
    BIND_STRING("Language", struct settings, language),
    BIND_STRING("Name", struct settings, name),
    BIND_NUMBER("PostsPerPage", struct settings, posts_per_page),
    BIND_CHOICE("Registration", struct settings, registration, registrations),
    BIND_STRING("Tagline", struct settings, tagline),
    BIND_STRING("TimeZone", struct settings, time_zone),
};
static const struct binding_table table = BINDINGS(bindings);

void
settings_from_item(struct arena *arena, const struct item *item, struct settings *out)
{
	*out = (struct settings){.posts_per_page = 20};
	if (item != NULL)
		bind_read(arena, &table, item, out);
	if (out->name.len == 0)
		out->name = STR("Broadsheet");
	if (out->language.len == 0)
		out->language = STR("en");
	if (out->posts_per_page < 1 || out->posts_per_page > 100)
		out->posts_per_page = 20;
}
