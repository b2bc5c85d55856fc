/*
 * Who may do what: for each action a table with a column for each kind of person, written down by hand, so
 * that a rule that changes by accident is seen. A column of "y" and "n", in the order of `people`.
 */
#include "lib/tap.h"

#include "model/permission.h"
#include "model/post/collection.h"
#include "model/post/post.h"
#include "model/reader/comment.h"
#include "model/reader/rating.h"

static const int64_t NOW = 1795000000000;

#define PERSON(name, of, bits)                                                             \
	{                                                                                  \
		.user = {.username = STR_INIT(name), .role = (of), .status = USER_ACTIVE}, \
		.permissions = (bits)                                                      \
	}

static const struct viewer_group circle = {STR_INIT("circle"), STR_INIT("Circle")};
static const struct viewer people[] = {
    PERSON("reader", ROLE_READER, 0),
    {.user = {.username = STR_INIT("member"), .role = ROLE_READER, .status = USER_ACTIVE},
	.groups = &circle,
	.group_count = 1},
    PERSON("owner", ROLE_AUTHOR, PERMISSION_POSTS_PUBLISH),
    PERSON("author", ROLE_AUTHOR, PERMISSION_POSTS_PUBLISH),
    PERSON("proof", ROLE_READER, PERMISSION_POSTS_EDIT),
    PERSON("pages", ROLE_READER, PERMISSION_PAGES_EDIT),
    PERSON("order", ROLE_READER, PERMISSION_CATEGORIES_EDIT),
    PERSON("watch", ROLE_READER, PERMISSION_COMMENTS_MODERATE),
    PERSON("host", ROLE_READER, PERMISSION_USERS_INVITE),
    PERSON("editor", ROLE_EDITOR, PERMISSIONS_ALL),
    PERSON("admin", ROLE_ADMIN, PERMISSIONS_ALL),
    {.user = {.username = STR_INIT("owner"), .role = ROLE_ADMIN, .status = USER_DISABLED},
	.permissions = PERMISSIONS_ALL},
};
enum { PEOPLE = sizeof(people) / sizeof(people[0]) };

/* A stranger first, then everybody in turn. */
static void
row(const char *says, enum action action, struct thing thing, const char *wanted)
{
	char got[PEOPLE + 2] = {0};

	got[0] = may(NULL, action, thing) ? 'y' : 'n';
	for (size_t i = 0; i < PEOPLE; i++)
		got[i + 1] = may(&people[i], action, thing) ? 'y' : 'n';
	is_str(str_of(got), str_of(wanted), "%s", says);
}

static void
on_site(void)
{
	/*                               stranger, reader, member, owner, author, proof, pages, order,
	 *                               watch, host, editor, admin, disabled */
	row("anybody may visit", MAY_VISIT, NO_THING, "yyyyyyyyyyyyy");
	row("whoever is signed in takes part", MAY_TAKE_PART, NO_THING, "nyyyyyyyyyyyn");
	row("authors write", MAY_WRITE, NO_THING, "nnnyynnnnnyyn");
	row("pages.edit", MAY_WRITE_PAGES, NO_THING, "nnnnnnynnnyyn");
	row("categories.edit", MAY_ORDER_CATEGORIES, NO_THING, "nnnnnnnynnyyn");
	row("comments.moderate", MAY_MODERATE, NO_THING, "nnnnnnnnynyyn");
	row("users.invite", MAY_INVITE, NO_THING, "nnnnnnnnnyyyn");
	row("admins manage", MAY_MANAGE, NO_THING, "nnnnnnnnnnnyn");
	row("whoever has a page of the staff's oversees", MAY_OVERSEE, NO_THING, "nnnnnyyyyyyyn");
	row("posts.edit", MAY_ARRANGE, NO_THING, "nnnnnynnnnyyn");
	row("posts.edit and pages.edit", MAY_OVERSEE_POSTS, NO_THING, "nnnnnyynnnyyn");
	row("reading needs a thing", MAY_READ, NO_THING, "nnnnnnnnnnnnn");
}

static void
on_posts(void)
{
	struct post post = {.author = STR("owner"),
	    .group = STR("circle"),
	    .status = STATUS_PUBLISHED,
	    .visibility = VISIBILITY_PUBLIC,
	    .published = NOW};
	struct thing thing = thing_post(&post, NOW);

	row("a public post is read by all", MAY_READ, thing, "yyyyyyyyyyyyy");
	row("... edited by its author and posts.edit", MAY_EDIT, thing, "nnnynynnnnyyn");
	row("... published by them", MAY_PUBLISH, thing, "nnnynynnnnyyn");
	row("... deleted by them", MAY_DELETE, thing, "nnnynynnnnyyn");
	row("... and not restored, as it is there", MAY_RESTORE, thing, "nnnnnnnnnnnnn");
	row("nobody manages a post", MAY_MANAGE, thing, "nnnnnnnnnnnnn");
	post.visibility = VISIBILITY_GROUP;
	row("a group's post is its members'", MAY_READ, thing, "nnyynynnnnyyn");
	post.visibility = VISIBILITY_FOLLOWERS;
	row("a post for followers", MAY_READ, thing, "nnnynynnnnyyn");
	row("... to one who follows", MAY_READ, thing_followed(thing, true), "nyyyyyyyyyyyn");
	row("... who reads it and no more", MAY_EDIT, thing_followed(thing, true), "nnnynynnnnyyn");
	post.visibility = VISIBILITY_PRIVATE;
	row("a private post to one who follows", MAY_READ, thing_followed(thing, true),
	    "nnnynnnnnnnnn");
	row("... edited by its author", MAY_EDIT, thing, "nnnynnnnnnnnn");
	row("... taken down by posts.edit", MAY_TAKE_DOWN, thing, "nnnnnynnnnyyn");
	post.status = STATUS_UNPUBLISHED;
	row("... unpublished, it stays so", MAY_READ, thing, "nnnynnnnnnnnn");
	post.status = STATUS_DELETED;
	row("... deleted, it is its author's to restore", MAY_RESTORE, thing, "nnnynnnnnnnnn");
	post.status = STATUS_DRAFT;
	row("... a draft of one is like all drafts", MAY_READ, thing, "nnnynynnnnyyn");
	row("... and not taken down", MAY_TAKE_DOWN, thing, "nnnnnnnnnnnnn");
	post.status = STATUS_PUBLISHED;
	post.visibility = VISIBILITY_FOLLOWERS;
	post.published = NOW + 1;
	row("a scheduled one for followers", MAY_READ, thing_followed(thing, true),
	    "nnnynynnnnyyn");
	post.published = NOW;
	post.visibility = VISIBILITY_PUBLIC;
	post.published = NOW + 1;
	row("a scheduled post", MAY_READ, thing, "nnnynynnnnyyn");
	post.status = STATUS_DRAFT;
	row("a draft", MAY_READ, thing, "nnnynynnnnyyn");
	post.status = STATUS_DELETED;
	row("a deleted post is read by nobody", MAY_READ, thing, "nnnnnnnnnnnnn");
	row("... not edited", MAY_EDIT, thing, "nnnnnnnnnnnnn");
	row("... but restored", MAY_RESTORE, thing, "nnnynynnnnyyn");
	post.status = STATUS_DRAFT;
	post.kind = KIND_PAGE;
	row("a static page is for pages.edit", MAY_EDIT, thing, "nnnnnnynnnyyn");
	row("... its draft is read by whoever wrote it, too", MAY_READ, thing, "nnnynnynnnyyn");
}

static void
on_others(void)
{
	struct collection collection = {.owner = STR("owner"), .is_public = true};
	struct comment comment = {.author = STR("owner"), .status = COMMENT_VISIBLE};
	struct user person = {.username = STR("owner"), .status = USER_ACTIVE};

	row("a public collection", MAY_READ, thing_collection(&collection), "yyyyyyyyyyyyy");
	row("... is its owner's", MAY_EDIT, thing_collection(&collection), "nnnynnnnnnnnn");
	row("... an admin takes it down", MAY_DELETE, thing_collection(&collection),
	    "nnnynnnnnnnyn");
	collection.is_public = false;
	row("a private one", MAY_READ, thing_collection(&collection), "nnnynnnnnnnnn");
	row("... nobody else deletes", MAY_DELETE, thing_collection(&collection), "nnnynnnnnnnnn");
	row("a comment", MAY_READ, thing_comment(&comment), "yyyyyyyyyyyyy");
	row("... is edited by its author", MAY_EDIT, thing_comment(&comment), "nnnynnnnnnnnn");
	row("... deleted by moderators, too", MAY_DELETE, thing_comment(&comment), "nnnynnnnynyyn");
	row("... and let through once only", MAY_PUBLISH, thing_comment(&comment), "nnnnnnnnnnnnn");
	comment.status = COMMENT_HELD;
	row("a held comment", MAY_READ, thing_comment(&comment), "nnnynnnnynyyn");
	row("... is let through", MAY_PUBLISH, thing_comment(&comment), "nnnnnnnnynyyn");
	comment.author = STR("watch");
	row("... by another moderator", MAY_PUBLISH, thing_comment(&comment), "nnnnnnnnnnyyn");
	row("... or hidden", MAY_TAKE_DOWN, thing_comment(&comment), "nnnnnnnnnnyyn");
	row("... whose author deletes it", MAY_DELETE, thing_comment(&comment), "nnnnnnnnynyyn");
	comment.author = STR("owner");
	comment.status = COMMENT_DELETED;
	row("a deleted comment", MAY_READ, thing_comment(&comment), "nnnnnnnnnnnnn");
	row("... stays deleted", MAY_EDIT, thing_comment(&comment), "nnnnnnnnnnnnn");
	row("a person", MAY_READ, thing_person(&person), "yyyyyyyyyyyyy");
	row("... edits themself", MAY_EDIT, thing_person(&person), "nnnynnnnnnnnn");
	row("... shows a profile", MAY_SEE_PROFILE, thing_person(&person), "yyyyyyyyyyyyy");
	person.is_private = true;
	row("a private profile", MAY_SEE_PROFILE, thing_person(&person), "nnnynnnnnnnyn");
	row("... is for followers", MAY_SEE_PROFILE, thing_followed(thing_person(&person), true),
	    "nyyyyyyyyyyyn");
	row("... the person is there for all", MAY_READ, thing_person(&person), "yyyyyyyyyyyyy");
	person.status = USER_DISABLED;
	row("a disabled person", MAY_READ, thing_person(&person), "nnnnnnnnnnnyn");
	person.posts = 1;
	row("... who left under no name", MAY_READ, thing_person(&person), "nnnnnnnnnnnyn");
	person.display_name = STR("Owner");
	row("... who has published", MAY_READ, thing_person(&person), "yyyyyyyyyyyyy");
	person.is_private = false;
	row("... shows no profile", MAY_SEE_PROFILE, thing_person(&person), "nnnnnnnnnnnyn");
	person.status = USER_WAITING;
	row("a person who waits", MAY_READ, thing_person(&person), "nnnnnnnnnnnyn");
}

/* Moderators settle flags, but nobody those of what is theirs. */
static void
on_flags(void)
{
	struct post post = {.author = STR("watch"), .status = STATUS_PUBLISHED, .published = NOW};
	struct collection collection = {.owner = STR("watch"), .is_public = true};
	struct comment comment = {.author = STR("watch"), .status = COMMENT_VISIBLE};
	struct user person = {.username = STR("watch"), .status = USER_ACTIVE};
	struct rating review = {.author = STR("watch"), .note = STR("Dull.")};
	const char *others = "nnnnnnnnnnyyn", *all = "nnnnnnnnynyyn";

	row("flags of a post", MAY_SETTLE, thing_post(&post, NOW), others);
	row("... of a collection", MAY_SETTLE, thing_collection(&collection), others);
	row("... of a comment", MAY_SETTLE, thing_comment(&comment), others);
	row("... of a profile", MAY_SETTLE, thing_person(&person), others);
	row("... of a review", MAY_SETTLE, thing_review(&review), others);
	post.author = collection.owner = comment.author = person.username = review.author =
	    STR("owner");
	row("flags of another's post", MAY_SETTLE, thing_post(&post, NOW), all);
	row("... collection", MAY_SETTLE, thing_collection(&collection), all);
	row("... comment", MAY_SETTLE, thing_comment(&comment), all);
	row("... profile", MAY_SETTLE, thing_person(&person), all);
	row("... review", MAY_SETTLE, thing_review(&review), all);
}

static void
names(void)
{
	unsigned all = 0;

	for (unsigned bit = 1; bit < PERMISSIONS_ALL; bit <<= 1) {
		const char *name = permission_name((enum permission)bit);

		ok(name != NULL && permission_of(str_of(name)) == bit, "%s is a permission", name);
		all |= bit;
	}
	is_int(all, PERMISSIONS_ALL, "these are all");
	is_int(permission_of(STR("posts")), 0, "an unknown name gives nothing");
	is_int(permissions_of_role(ROLE_READER), 0, "a reader has none");
	is_int(permissions_of_role(ROLE_AUTHOR), PERMISSION_POSTS_PUBLISH, "an author publishes");
	is_int(permissions_of_role(ROLE_EDITOR), PERMISSIONS_ALL, "an editor has all");
}

int
main(void)
{
	on_site();
	on_posts();
	on_others();
	on_flags();
	names();
	return tap_done();
}
