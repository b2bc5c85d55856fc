#include "table/item_names.h"

const struct str item_names[ITEM_NAMES] = {
    STR_INIT("AddedAt"),
    STR_INIT("AddedBy"),
    STR_INIT("Alt"),
    STR_INIT("Amount"),
    STR_INIT("Author"),
    STR_INIT("AuthorName"),
    STR_INIT("AvatarURL"),
    STR_INIT("Bio"),
    STR_INIT("Bookmarks"),
    STR_INIT("Category"),
    STR_INIT("Collection"),
    STR_INIT("Comment"),
    STR_INIT("Comments"),
    STR_INIT("Contents"),
    STR_INIT("Cost"),
    STR_INIT("CreatedAt"),
    STR_INIT("Currency"),
    STR_INIT("Description"),
    STR_INIT("Difficulty"),
    STR_INIT("DisplayName"),
    STR_INIT("Downs"),
    STR_INIT("Email"),
    STR_INIT("Excerpt"),
    STR_INIT("ExpiresAt"),
    STR_INIT("Feeling"),
    STR_INIT("Followed"),
    STR_INIT("Follower"),
    STR_INIT("Followers"),
    STR_INIT("Following"),
    STR_INIT("Footer"),
    STR_INIT("GSI1PK"),
    STR_INIT("GSI1SK"),
    STR_INIT("GSI2PK"),
    STR_INIT("GSI2SK"),
    STR_INIT("GSI3PK"),
    STR_INIT("GSI3SK"),
    STR_INIT("GSI4PK"),
    STR_INIT("GSI4SK"),
    STR_INIT("Group"),
    STR_INIT("HTML"),
    STR_INIT("Height"),
    STR_INIT("Id"),
    STR_INIT("Instructions"),
    STR_INIT("Key"),
    STR_INIT("Kind"),
    STR_INIT("Language"),
    STR_INIT("Laughs"),
    STR_INIT("Level"),
    STR_INIT("Likes"),
    STR_INIT("Link"),
    STR_INIT("Loves"),
    STR_INIT("Markdown"),
    STR_INIT("Materials"),
    STR_INIT("Minutes"),
    STR_INIT("Name"),
    STR_INIT("Note"),
    STR_INIT("Notify"),
    STR_INIT("Order"),
    STR_INIT("Owner"),
    STR_INIT("OwnerName"),
    STR_INIT("PK"),
    STR_INIT("Parent"),
    STR_INIT("PasswordHash"),
    STR_INIT("Permissions"),
    STR_INIT("Position"),
    STR_INIT("Post"),
    STR_INIT("PostTitle"),
    STR_INIT("Posts"),
    STR_INIT("PostsPerPage"),
    STR_INIT("Private"),
    STR_INIT("PublishedAt"),
    STR_INIT("Ratings"),
    STR_INIT("Registration"),
    STR_INIT("Renderer"),
    STR_INIT("Replies"),
    STR_INIT("Role"),
    STR_INIT("SK"),
    STR_INIT("Slug"),
    STR_INIT("Source"),
    STR_INIT("Stars"),
    STR_INIT("Stars1"),
    STR_INIT("Stars2"),
    STR_INIT("Stars3"),
    STR_INIT("Stars4"),
    STR_INIT("Stars5"),
    STR_INIT("Status"),
    STR_INIT("Tag"),
    STR_INIT("Tagline"),
    STR_INIT("Tags"),
    STR_INIT("Thumbnail"),
    STR_INIT("TimeZone"),
    STR_INIT("Title"),
    STR_INIT("Tools"),
    STR_INIT("Type"),
    STR_INIT("URL"),
    STR_INIT("UpdatedAt"),
    STR_INIT("Ups"),
    STR_INIT("Username"),
    STR_INIT("Value"),
    STR_INIT("Visibility"),
    STR_INIT("Width"),
    STR_INIT("Words"),
};

/* the length of the longest name */
enum { LONGEST = 12 };

size_t
item_name_code(struct str name)
{
	size_t low = 0, high = name.len <= LONGEST ? ITEM_NAMES : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = str_cmp(item_names[middle], name);

		if (order == 0)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return ITEM_NAMES;
}
