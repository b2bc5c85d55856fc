/*
 * The setup of the matrix: its people, in the order of its columns, and what belongs to the owner.
 */
#include "matrix.h"

const struct matrix_person people[PEOPLE] = {
    {NULL, NULL, NULL, NULL},
    {"m_reader", "reader", NULL, NULL},
    {"m_owner", "author", NULL, NULL}, /* whose things these are */
    {"m_author", "author", NULL, NULL},
    {"m_editor", "editor", NULL, NULL},
    {"m_admin", "admin", NULL, NULL},
    {"m_member", "reader", "circle", NULL}, /* of the group that a post is for */
    {"m_follower", "reader", NULL, NULL},   /* of the owner */
    {"m_publish", "reader", "g-publish", "posts.publish"},
    {"m_edit", "reader", "g-edit", "posts.edit"},
    {"m_pages", "reader", "g-pages", "pages.edit"},
    {"m_order", "reader", "g-order", "categories.edit"},
    {"m_watch", "reader", "g-watch", "comments.moderate"},
    {"m_host", "reader", "g-host", "users.invite"},
};

static const struct {
	const char *id, *kind, *status, *visibility;
	int days; /* when it is or was published, from now */
	const char *restricted;
} posts[] = {
    {"m-public", "note", "published", "public", -1},
    {"m-scheduled", "note", "published", "public", 1},
    {"m-draft", "note", "draft", "public", 0},
    {"m-unpublished", "note", "unpublished", "public", -1},
    {"m-held", "note", "unpublished", "public", -1, "held"},
    {"m-hidden", "note", "unpublished", "public", -1, "hidden"},
    {"m-hidden-circle", "note", "unpublished", "group", -1, "hidden"},
    {"m-private", "note", "published", "private", -1},
    {"m-private-soon", "note", "published", "private", 1},
    {"m-private-taken-back", "note", "unpublished", "private", -1},
    {"m-private-draft", "note", "draft", "private", 0},
    {"m-private-page", "page", "published", "private", -1},
    {"m-followers", "note", "published", "followers", -1},
    {"m-circle", "note", "published", "group", -1},
    {"m-deleted", "note", "deleted", "public", -1},
    {"m-deleted-draft", "note", "deleted", "private", 0},
    {"m-just-deleted", "note", "deleted", "public", -2},
    {"m-page", "page", "published", "public", -1},
    {"m-page-draft", "page", "draft", "public", 0},
    {"m-link", "link", "published", "public", -1},
    {"m-link-followers", "link", "published", "followers", -1},
    {"m-link-circle", "link", "published", "group", -1},
    {"m-link-private", "link", "published", "private", -1},
    {"m-link-draft", "link", "draft", "public", 0},
};

struct stage {
	struct seeded *s;
	struct item items[128];
	size_t count;
};

/* One more item, of pairs of names and texts to NULL; an empty text is left out. */
static struct item *
add(struct stage *stage, const char *const *pairs)
{
	struct item *item = &stage->items[stage->count++];

	*item = (struct item){.count = 0};
	for (; *pairs != NULL; pairs += 2)
		if (*pairs[1] != '\0')
			item_set(stage->s->arena, item, str_of(pairs[0]),
			    value_string(str_of(pairs[1])));
	return item;
}
#define ADD(stage, ...) add((stage), (const char *const[]){__VA_ARGS__, NULL})

static const char *
join(struct stage *stage, const char *a, const char *b)
{
	return str_cstring(stage->s->arena, STR_CONCAT(stage->s->arena, str_of(a), str_of(b)));
}

static void
add_person(struct stage *stage, const char *name, const char *role, const char *status)
{
	ADD(stage, "PK", join(stage, "USER#", name), "SK", "METADATA", "Type", "User", "Username",
	    name, "Email", join(stage, name, "@example.org"), "Role", role, "Status", status,
	    "CreatedAt", "2026-01-01T00:00:00.000Z", "GSI3PK", "USER", "GSI3SK", name);
}

/* The editors have hidden what they say of themselves. */
static void
hide_profile(struct stage *stage, struct item *person)
{
	item_set(stage->s->arena, person, STR("Bio"), value_string(STR(HIDDEN_BIO)));
	item_set(stage->s->arena, person, STR("ProfileStatus"), value_string(STR("hidden")));
}

static void
add_group(struct stage *stage, const char *name, const char *permission, const char *member)
{
	struct str given = str_of(permission);
	struct item *group = ADD(stage, "PK", join(stage, "GROUP#", name), "SK", "METADATA", "Type",
	    "Group", "Name", name, "GSI3PK", "GROUP", "GSI3SK", name);

	if (permission != NULL)
		item_set(stage->s->arena, group, STR("Permissions"),
		    value_set(stage->s->arena, &given, 1));
	ADD(stage, "PK", join(stage, "USER#", member), "SK", join(stage, "MEMBERSHIP#", name),
	    "Type", "Membership", "Group", name, "Username", member, "GSI2PK",
	    join(stage, "GROUP#", name), "GSI2SK", join(stage, "USER#", member));
}

static void
add_post(struct stage *stage, size_t i)
{
	struct arena *arena = stage->s->arena;
	const char *pk = join(stage, "POST#", posts[i].id);
	const char *time = str_cstring(arena,
	    time_format(arena, stage->s->clock.fixed_now + (int64_t)posts[i].days * 86400000));
	const char *slug = join(stage, "SLUG#", posts[i].id);

	ADD(stage, "PK", pk, "SK", "METADATA", "Type", "Post", "Id", posts[i].id, "Slug",
	    posts[i].id, "Kind", posts[i].kind, "Title", posts[i].id, "Author", "m_owner",
	    "AuthorName", "Owner", "Status", posts[i].status, "Visibility", posts[i].visibility,
	    "Group", strcmp(posts[i].visibility, "group") == 0 ? "circle" : "", "PublishedAt",
	    posts[i].days != 0 ? time : "", "CreatedAt", time, "UpdatedAt", time);
	if (posts[i].restricted != NULL)
		item_set(arena, &stage->items[stage->count - 1], STR("Restricted"),
		    value_string(str_of(posts[i].restricted)));
	if (strcmp(posts[i].id, "m-just-deleted") == 0)
		item_set(arena, &stage->items[stage->count - 1], STR("DeletedAt"),
		    value_string(str_of(time)));
	ADD(stage, "PK", pk, "SK", "BODY", "Type", "Body", "Markdown", "Text.");
	ADD(stage, "PK", slug, "SK", slug, "Type", "SlugClaim", "Post", posts[i].id);
}

/* The reader's, of an hour ago. */
static void
add_comment(struct stage *stage, const char *post)
{
	const char *time = str_cstring(
	    stage->s->arena, time_format(stage->s->arena, stage->s->clock.fixed_now - 3600000));

	ADD(stage, "PK", join(stage, "POST#", post), "SK", "COMMENT#" COMMENT_ID, "Type", "Comment",
	    "Id", COMMENT_ID, "Post", post, "Author", "m_reader", "AuthorName", "Reader",
	    "Markdown", "Text.", "Status", "visible", "CreatedAt", time, "UpdatedAt", time);
}

/* One may have rated what one can't read any more. */
static void
add_rating(struct stage *stage, const char *post)
{
	struct item *item;
	struct str time = time_format(stage->s->arena, stage->s->clock.fixed_now - 3600000);
	const char *created = str_cstring(stage->s->arena, time);
	const char *place = str_cstring(stage->s->arena,
	    STR_CONCAT(stage->s->arena, STR("RATING#"), time, STR("#"), str_of(post)));

	item = ADD(stage, "PK", "USER#m_reader", "SK",
	    str_cstring(stage->s->arena,
		STR_CONCAT(stage->s->arena, STR("POST#"), str_of(post), STR("#RATING"))),
	    "Type", "Rating", "Post", post, "Author", "m_reader", "AuthorName", "Reader", "Note",
	    "A note.", "CreatedAt", created, "UpdatedAt", created, "GSI1PK", "USER#m_reader",
	    "GSI1SK", place);
	item_set(stage->s->arena, item, STR("Stars"), value_number(4));
}

static void
add_collection(struct stage *stage, const char *id, const char *visibility)
{
	ADD(stage, "PK", join(stage, "COLLECTION#", id), "SK", "METADATA", "Type", "Collection",
	    "Id", id, "Owner", "m_owner", "OwnerName", "Owner", "Name", id, "Visibility",
	    visibility);
}

/* All that is theirs, as it was. */
void
put_things(struct seeded *s)
{
	struct stage *stage = ARENA_NEW(s->arena, struct stage);

	stage->s = s;
	for (size_t i = 0; i < sizeof(posts) / sizeof(posts[0]); i++)
		add_post(stage, i);
	add_comment(stage, "m-public");
	add_comment(stage, "m-circle");
	add_rating(stage, "m-link");
	add_rating(stage, "m-link-circle");
	add_collection(stage, OPEN_ID, "public");
	add_collection(stage, CLOSED_ID, "private");
	add_collection(stage, HELD_ID, "held");
	add_collection(stage, HIDDEN_ID, "hidden");
	ADD(stage, "PK", "MEDIA#" PICTURE, "SK", "METADATA", "Type", "Media", "Hash", PICTURE,
	    "Owner", "m_owner", "Format", "jpeg", "Name", "a.jpg");
	seeded_put(s, stage->items, stage->count);
}

void
set_stage(struct seeded *s)
{
	struct stage *stage = ARENA_NEW(s->arena, struct stage);

	stage->s = s;
	for (size_t i = 1; i < PEOPLE; i++) {
		add_person(stage, people[i].name, people[i].role, "active");
		if (strcmp(people[i].name, "m_owner") == 0)
			hide_profile(stage, &stage->items[stage->count - 1]);
		if (people[i].group != NULL)
			add_group(stage, people[i].group, people[i].permission, people[i].name);
	}
	add_person(stage, "m_disabled", "admin", "disabled");
	add_person(stage, "m_waiting", "reader", "waiting");
	ADD(stage, "PK", "USER#m_follower", "SK", "FOLLOWING#m_owner", "Type", "Follow", "Follower",
	    "m_follower", "Followed", "m_owner", "Status", "active");
	seeded_put(s, stage->items, stage->count);
	put_things(s);
}

/* A browser of this person, with a session or a visit of its own. */
struct browser
browser_for(struct seeded *s, size_t person)
{
	return people[person].name != NULL ? browser_of(s, people[person].name)
					   : browser(s, "192.0.2.77");
}

/* Sends nothing but the token of a form that the person was shown before. */
void
post_nothing(struct browser *b, const char *address)
{
	struct buf body = {.arena = b->s->arena};

	get(b, b->session.len != 0 ? "/account" : "/login");
	put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	fetch(b, "POST", address, buf_str(&body));
}

char
letter_of(const struct browser *b)
{
	if (b->last.status == HTTP_SEE_OTHER &&
	    str_starts(header(&b->last, "Location"), STR("/login?next=")))
		return 'n';
	/* A form of a stranger's that waits until they have signed in. */
	if (b->session.len == 0 && b->last.status == HTTP_UNPROCESSABLE &&
	    holds(b->last.body, STR("name=\"waiting-for\"")))
		return 'n';
	return b->last.status == HTTP_FORBIDDEN ? 'n' : 'y';
}
