#include "model/item_breach.h"

#include "model/people/group.h"
#include "model/people/user.h"
#include "model/post/category.h"
#include "model/post/collection.h"
#include "model/post/post.h"
#include "model/post/tag.h"
#include "model/reader/comment.h"
#include "model/reader/rating.h"
#include "model/site/settings.h"

static const struct {
	struct str type;
	const struct binding_table *bindings;
} kinds[] = {
    {STR_INIT("Category"), &category_bindings},
    {STR_INIT("Collection"), &collection_bindings},
    {STR_INIT("Comment"), &comment_bindings},
    {STR_INIT("Group"), &group_bindings},
    {STR_INIT("Rating"), &rating_bindings},
    {STR_INIT("Site"), &settings_bindings},
    {STR_INIT("Tag"), &tag_bindings},
    {STR_INIT("User"), &user_bindings},
};

const char *
item_breach(const struct item *item, struct str *name)
{
	static const struct str of_posts[] = {STR_INIT("Post"), STR_INIT("PostCopy"),
	    STR_INIT("PostRequest"), STR_INIT("Body"), STR_INIT("Revision")};
	struct str type = item_string(item, STR("Type"));

	for (size_t i = 0; i < sizeof(of_posts) / sizeof(of_posts[0]); i++)
		if (str_eq(type, of_posts[i]))
			return post_breach(item, name);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_eq(type, kinds[i].type))
			return bind_breach(kinds[i].bindings, item, name);
	return NULL;
}
