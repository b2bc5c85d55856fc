#include "model/site/settings.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/permission.h"
#include "model/post/media.h"
#include "model/site/moderation_log.h"

#include <stdlib.h>
#include <string.h>

static const char *const registrations[] = {"closed", "open", "invitation", "approval", NULL};

static const char *const two_steps[] = {
    "nobody", "admins", "editors", "authors", "everybody", NULL};

static const struct binding chosen_bindings[] = {
    BIND_BOOLEAN(WRITTEN, "Leads", struct chosen_post, leads),
    BIND_TEXT(WRITTEN, "Post", struct chosen_post, post, TEXT_SLUG),
    BIND_TIME(WRITTEN, "Until", struct chosen_post, until),
};
static const struct binding_table chosen_table = BINDINGS(chosen_bindings);

static const struct binding bindings[] = {
    BIND_MAPS(WRITTEN, "Chosen", struct settings, chosen, chosen_count, &chosen_table),
    BIND_TEXT(WRITTEN, "Colour", struct settings, colour, TEXT_COLOUR),
    BIND_BOOLEAN(WRITTEN, "CommentsOff", struct settings, comments_off),
    BIND_TIME(RECORDED, "CreatedAt", struct settings, created),
    BIND_TEXT(WRITTEN, "Description", struct settings, description, TEXT_LINES),
    BIND_BOOLEAN(WRITTEN, "FollowsOff", struct settings, follows_off),
    BIND_STRING(WRITTEN, "Footer", struct settings, footer),
    BIND_STRING(WRITTEN, "Language", struct settings, language),
    BIND_BOOLEAN(WRITTEN, "MailPaused", struct settings, mail_paused),
    BIND_MAP(WRITTEN, "Moderation", struct settings, moderation, &moderation_bindings),
    BIND_TEXT(WRITTEN, "Name", struct settings, name, TEXT_LINE),
    BIND_TEXT(WRITTEN, "Nameplate", struct settings, nameplate, TEXT_PICTURE),
    BIND_TEXT(WRITTEN, "Picture", struct settings, picture, TEXT_PICTURE),
    BIND_NUMBER(WRITTEN, "PicturesMB", struct settings, pictures_mb),
    BIND_NUMBER(WRITTEN, "PostsPerPage", struct settings, posts_per_page),
    BIND_TEXT(WRITTEN, "PriceCurrency", struct settings, price_currency, TEXT_CURRENCY),
    BIND_TEXT(WRITTEN, "PriceReads", struct settings, reads_price, TEXT_AMOUNT),
    BIND_TEXT(WRITTEN, "PriceWrites", struct settings, writes_price, TEXT_AMOUNT),
    BIND_BOOLEAN(WRITTEN, "RatingsOff", struct settings, ratings_off),
    BIND_CHOICE(WRITTEN, "Registration", struct settings, registration, registrations),
    BIND_NUMBER(WRITTEN, "SearchNewness", struct settings, search_newness),
    BIND_BOOLEAN(WRITTEN, "SubscribersPaused", struct settings, subscribers_paused),
    BIND_TEXT(WRITTEN, "Tagline", struct settings, tagline, TEXT_LINE),
    BIND_STRING(WRITTEN, "TimeZone", struct settings, time_zone),
    BIND_CHOICE(WRITTEN, "TwoStepFor", struct settings, two_step_for, two_steps),
    BIND_BOOLEAN(WRITTEN, "VotesOff", struct settings, votes_off),
};
const struct binding_table settings_bindings = BINDINGS(bindings);

static int
compare_names(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static void
sort_names(struct arena *arena, struct strings_value *names)
{
	struct str *sorted;

	if (names->count == 0)
		return;
	sorted = arena_copy(arena, names->strings, names->count * sizeof(*sorted));
	qsort(sorted, names->count, sizeof(*sorted), compare_names);
	names->strings = sorted;
}

bool
settings_verify(const struct settings *settings, struct str username)
{
	return settings->verified.count != 0 &&
	       bsearch(&username, settings->verified.strings, settings->verified.count,
		   sizeof(username), compare_names) != NULL;
}

void
settings_mark(struct plan *plan, struct str username, bool verified)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, 3, struct change);

	changes[0] = (struct change){verified ? CHANGE_SET_ADD : CHANGE_SET_DELETE, STR("Verified"),
	    value_set(arena, &username, 1)};
	/* Whoever saves the settings is to have read it. */
	changes[1] = (struct change){
	    CHANGE_SET, STR("UpdatedAt"), value_string(time_format(arena, plan->now))};
	changes[2] = (struct change){CHANGE_SET_IF_ABSENT, STR("Type"), kind_type(ITEM_SITE)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_site_settings(),
		.changes = changes,
		.change_count = 3},
	    PLAN_CHANGED);
}

/* Whatever wrote it: each post once, one lead. */
static void
keep_sound(struct arena *arena, struct settings *out)
{
	struct chosen_post *kept = ARENA_ARRAY(arena, SETTINGS_CHOSEN_MAX, struct chosen_post);
	size_t count = 0;

	for (size_t i = 0; i < out->chosen_count && count < SETTINGS_CHOSEN_MAX; i++) {
		bool good = out->chosen[i].post.len != 0;

		for (size_t n = 0; n < count; n++)
			good = good && !str_eq(kept[n].post, out->chosen[i].post) &&
			       !(kept[n].leads && out->chosen[i].leads);
		if (good)
			kept[count++] = out->chosen[i];
	}
	out->chosen = kept;
	out->chosen_count = count;
}

void
settings_from_item(struct arena *arena, const struct item *item, struct settings *out)
{
	*out = (struct settings){.posts_per_page = 20,
	    .pictures_mb = SETTINGS_PICTURES_MB,
	    .search_newness = SETTINGS_NEWNESS};
	moderation_defaults(&out->moderation);
	if (item != NULL) {
		bind_read(arena, &settings_bindings, item, out);
		out->verified.strings =
		    item_strings(arena, item, STR("Verified"), &out->verified.count);
	}
	if (out->name.len == 0)
		out->name = STR("Broadsheet");
	if (out->language.len == 0)
		out->language = STR("en");
	if (out->posts_per_page < 1 || out->posts_per_page > 100)
		out->posts_per_page = 20;
	if (out->pictures_mb < 1 || out->pictures_mb > SETTINGS_PICTURES_MB_MAX)
		out->pictures_mb = SETTINGS_PICTURES_MB;
	if (out->search_newness < 0 || out->search_newness > SETTINGS_NEWNESS_MAX)
		out->search_newness = SETTINGS_NEWNESS;
	sort_names(arena, &out->verified);
	keep_sound(arena, out);
}

const char *
registration_name(enum registration registration)
{
	return registrations[registration];
}

const char *
two_step_for_name(enum two_step_for whom)
{
	return two_steps[whom];
}

bool
settings_show(const struct settings *settings, struct str hash)
{
	const struct str pictures[] = {settings->nameplate, settings->picture};
	struct media_address address;

	for (size_t i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++)
		if (media_address_read(pictures[i], STR(""), &address) && str_eq(address.hash, hash))
			return true;
	return false;
}

bool
settings_ask_two_step(enum two_step_for whom, enum role role)
{
	return whom != TWO_STEP_OF_NOBODY &&
	       (int)role >= (int)ROLE_ADMIN + TWO_STEP_OF_ADMINS - (int)whom;
}

static struct str
on_off(bool off)
{
	return off ? STR("off") : STR("on");
}

/* The change, for the log. */
static struct str
difference(struct arena *arena, const struct settings *was, const struct settings *is)
{
	struct str said = audit_change(arena, STR(""), "name", was->name, is->name);

	said = audit_change(arena, said, "tagline", was->tagline, is->tagline);
	said = audit_change(arena, said, "description", was->description, is->description);
	said = audit_change(arena, said, "language", was->language, is->language);
	said =
	    audit_change(arena, said, "registration", str_of(registration_name(was->registration)),
		str_of(registration_name(is->registration)));
	said =
	    audit_change(arena, said, "two steps of", str_of(two_step_for_name(was->two_step_for)),
		str_of(two_step_for_name(is->two_step_for)));
	said = audit_change(arena, said, "posts a page",
	    str_fmt(arena, "%d", (int)was->posts_per_page),
	    str_fmt(arena, "%d", (int)is->posts_per_page));
	said = audit_change(arena, said, "MB of pictures",
	    str_fmt(arena, "%lld", (long long)was->pictures_mb),
	    str_fmt(arena, "%lld", (long long)is->pictures_mb));
	said = audit_change(arena, said, "percent for what is new",
	    str_fmt(arena, "%d", (int)was->search_newness),
	    str_fmt(arena, "%d", (int)is->search_newness));
	said = audit_change(arena, said, "picture", was->picture, is->picture);
	said = audit_change(arena, said, "nameplate", was->nameplate, is->nameplate);
	said = audit_change(arena, said, "colour", was->colour, is->colour);
	said = audit_change(arena, said, "time zone", was->time_zone, is->time_zone);
	said = audit_change(
	    arena, said, "comments", on_off(was->comments_off), on_off(is->comments_off));
	said = audit_change(arena, said, "votes", on_off(was->votes_off), on_off(is->votes_off));
	said =
	    audit_change(arena, said, "ratings", on_off(was->ratings_off), on_off(is->ratings_off));
	said =
	    audit_change(arena, said, "follows", on_off(was->follows_off), on_off(is->follows_off));
	said = audit_change(
	    arena, said, "letters", on_off(was->mail_paused), on_off(is->mail_paused));
	said = audit_change(arena, said, "letters to subscribers", on_off(was->subscribers_paused),
	    on_off(is->subscribers_paused));
	said = audit_change(arena, said, "price of reads", was->reads_price, is->reads_price);
	said = audit_change(arena, said, "price of writes", was->writes_price, is->writes_price);
	said = audit_change(arena, said, "currency of prices", was->price_currency, is->price_currency);
	return audit_change(arena, said, "footer", was->footer, is->footer);
}

/* Nobody else has changed it since it was read. */
static struct condition
unchanged(const struct item *was)
{
	struct str updated = was != NULL ? item_string(was, STR("UpdatedAt")) : STR("");

	if (was == NULL)
		return plan_absent;
	return (struct condition){.op = updated.len != 0 ? COND_EQ : COND_MISSING,
	    .name = STR("UpdatedAt"),
	    .value = value_string(updated)};
}

/* What readers may do no more, or again, for them to see. */
static void
note_switches(struct plan *plan, unsigned was, unsigned is)
{
	static const struct {
		enum site_off off;
		enum moderated thing;
	} switches[] = {
	    {OFF_COMMENTS, MODERATED_SITE_COMMENTS},
	    {OFF_VOTES, MODERATED_SITE_VOTES},
	    {OFF_RATINGS, MODERATED_SITE_RATINGS},
	    {OFF_FOLLOWS, MODERATED_SITE_FOLLOWS},
	};

	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++)
		if (((was ^ is) & switches[i].off) != 0)
			moderation_log_staff(plan, switches[i].thing,
			    (is & switches[i].off) != 0 ? "turned off" : "turned on", STR(""), 0);
}

/* What is saved: one of these parts; the others stay as they are. */
struct part {
	const struct settings *is;
	const struct moderation *moderation;
	const struct chosen_post *choice;
	struct str title;
	const struct str *nameplate;
};

/* The chosen posts after a choice. False: so many are pinned already. */
static bool
choose(struct plan *plan, const struct settings *was, const struct chosen_post *choice,
    struct settings *whole)
{
	struct chosen_post *chosen =
	    ARENA_ARRAY(plan->call->arena, was->chosen_count + 1, struct chosen_post);
	size_t count = 0, pinned = 0;

	for (size_t i = 0; i < was->chosen_count; i++) {
		const struct chosen_post *old = &was->chosen[i];
		bool over = old->until <= plan->now || str_eq(old->post, choice->post) ||
			    (old->leads && choice->leads && choice->until != 0);

		if (over)
			continue;
		pinned += !old->leads;
		chosen[count++] = *old;
	}
	if (choice->until != 0 && !choice->leads && pinned == SETTINGS_PINNED_MAX)
		return false;
	if (choice->until != 0)
		chosen[count++] = *choice;
	whole->chosen = chosen;
	whole->chosen_count = count;
	return true;
}

static struct str
choice_said(struct arena *arena, const struct chosen_post *choice, struct str title)
{
	struct str until = time_format(arena, choice->until);

	if (choice->until == 0)
		return STR_CONCAT(arena, STR("front page: without “"), title, STR("”"));
	return STR_CONCAT(arena, choice->leads ? STR("front page: led by “") : STR("front page: with “"),
	    title, STR("” until "), str_sub(until, 0, 10));
}

static enum plan_rc
save(struct plan *plan, const struct part *part)
{
	struct arena *arena = plan->call->arena;
	struct condition same;
	struct media_address plate;
	struct settings was, whole;
	struct item *old = NULL, item = {.count = 0};
	struct str said;
	enum table_rc rc = table_get(plan->table, plan->call, key_site_settings(), &old);

	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	same = unchanged(old);
	settings_from_item(arena, old, &was);
	whole = part->is != NULL ? *part->is : was;
	whole.moderation = part->moderation != NULL ? *part->moderation : was.moderation;
	whole.nameplate = part->nameplate != NULL ? *part->nameplate : was.nameplate;
	whole.chosen = was.chosen;
	whole.chosen_count = was.chosen_count;
	if (part->choice != NULL && !choose(plan, &was, part->choice, &whole))
		return PLAN_FULL;
	said = part->is != NULL || part->nameplate != NULL ? difference(arena, &was, &whole)
	       : part->choice != NULL ? choice_said(arena, part->choice, part->title)
				      : moderation_difference(arena, &was.moderation, part->moderation);
	if (said.len == 0)
		return PLAN_DONE;
	whole.created = was.created != 0 ? was.created : plan->now;
	key_set(arena, &item, key_site_settings(), ITEM_SITE);
	bind_write(arena, &settings_bindings, &whole, &item);
	item_set(arena, &item, STR("UpdatedAt"), value_string(time_format(arena, plan->now)));
	if (was.verified.count != 0)
		item_set(arena, &item, STR("Verified"),
		    value_set(arena, was.verified.strings, was.verified.count));
	plan_add(plan, (struct write){.kind = WRITE_PUT, .item = item, .condition = &same},
	    PLAN_CHANGED);
	if (part->nameplate != NULL && media_address_read(whole.nameplate, STR(""), &plate))
		plan_add(plan, media_hold(arena, plate.hash), PLAN_NOT_THERE);
	audit_log(plan, AUDIT_SETTINGS, STR(""), said);
	note_switches(plan, settings_off(&was), settings_off(&whole));
	return plan_commit(plan);
}

enum plan_rc
settings_save(struct plan *plan, const struct settings *is)
{
	return save(plan, &(struct part){.is = is});
}

enum plan_rc
settings_save_nameplate(struct plan *plan, struct str address)
{
	return save(plan, &(struct part){.nameplate = &address});
}

enum plan_rc
settings_save_moderation(struct plan *plan, const struct moderation *is)
{
	return save(plan, &(struct part){.moderation = is});
}

enum plan_rc
settings_choose(struct plan *plan, const struct chosen_post *choice, struct str title)
{
	return save(plan, &(struct part){.choice = choice, .title = title});
}

unsigned
settings_off(const struct settings *settings)
{
	return (settings->comments_off ? OFF_COMMENTS : 0u) |
	       (settings->votes_off ? OFF_VOTES : 0u) | (settings->ratings_off ? OFF_RATINGS : 0u) |
	       (settings->follows_off ? OFF_FOLLOWS : 0u);
}

static bool
is_of_zone(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '+';
}

bool
time_zone_valid(struct str name)
{
	struct str rest = name, part;

	if (name.len > 64 || (!str_eq(name, STR("UTC")) && str_find(name, '/') == name.len))
		return false;
	for (bool more = true; more; rest = part) {
		struct str word = str_cut(rest, '/', &part);

		more = word.len < rest.len;
		if (word.len < 2 || word.len > 30)
			return false;
		for (size_t i = 0; i < word.len; i++)
			if (!is_of_zone(word.base[i]))
				return false;
	}
	return true;
}
