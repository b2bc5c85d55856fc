#include "pages/shared/done.h"

#include "base/arena.h"
#include "web/http/response.h"

#include <assert.h>

static const char welcome[] = "Welcome. Look into your mail: the link in it confirms your address.";

/* By the address of the page and of those below it; the first match counts. */
static const struct {
	const char *path, *name, *says;
} sentences[] = {
    {"/account", "profile", "Saved."},
    {"/account", "portrait", "Your portrait is changed."},
    {"/account", "no-portrait", "Your portrait is removed."},
    {"/account", "cover", "The cover of your page is changed."},
    {"/account", "no-cover", "The cover of your page is removed."},
    {"/admin/settings", "nameplate", "The nameplate is changed."},
    {"/admin/settings", "no-nameplate", "The name stands at the head of every page again."},
    {"/account/bookmarks", "tagged", "The tags are saved."},
    {"/account", "email", "Your e-mail address is changed."},
    {"/account", "registered", welcome},
    {"/account", "letter",
	"Look into your mail: the link in it confirms the address. Until then nothing changes."},
    {"/account", "password", "Your password is changed, and you are signed out everywhere else."},
    {"/account", "session", "It is signed out."},
    {"/account", "two-step-off", "Your password alone signs you in again."},
    {"/account/following", "unfollowed", "You do not follow them any more."},
    {"/account/following", "told", "You are going to be told of their new posts."},
    {"/account/following", "untold", "You are not told of their new posts any more."},
    {"/account/notifications", "read", "Marked as read."},
    {"/account/notifications", "settings", "Saved."},
    {"/account/watching", "unwatched", "You do not follow it any more."},
    {"/account/followers", "approved", "They follow you now."},
    {"/account/followers", "all-approved", "All of them follow you now."},
    {"/account/followers", "refused", "They do not follow you, and are not told."},
    {"/account/followers", "removed", "They do not follow you any more, and are not told."},
    {"/account/letters", "letters", "Saved."},
    {"/account/muted", "unmuted", "Unmuted."},
    {"/account/blocked", "unblocked", "They are not blocked any more."},
    {"/account/suspension", "answered", "Sent. The staff read it."},
    {"/account/restricted", "answered", "Sent. The editors read it."},
    {"/account/ratings", "withdrawn", "Your rating is withdrawn."},
    {"/account", "others", "You are signed out everywhere else."},

    {"/admin/posts", "unpublished", "It is unpublished. Its authors find it on their desk."},
    {"/admin/posts", "deleted", "It is deleted. Its authors can have it back for 30 days."},
    {"/admin/front", "chosen", "It stands there from now on."},
    {"/admin/front", "left", "It stands where its date puts it."},
    {"/admin/comments", "approved", "It is there for everybody."},
    {"/admin/person", "noted", "The note is kept."},
    {"/admin/person", "removed", "The note is gone."},
    {"/admin/comments", "hidden", "It is hidden. It can be restored for 30 days."},
    {"/admin/comments", "restored", "It is there for everybody again."},
    {"/admin/comments", "kept", "It stays hidden."},
    {"/admin/comments", "dismissed", "The flags are dismissed."},
    {"/admin/comments", "upheld", "The flags are settled."},
    {"/admin/moderation", "rules", "Saved. It holds from now on."},
    {"/admin/reviews", "approved", "The note is there for everybody."},
    {"/admin/reviews", "hidden", "The note is hidden. The stars stay. It can be restored for 30 days."},
    {"/admin/subscribers", "removed", "Removed. No letter goes there any more."},
    {"/admin/settings", "settings", "Saved, and on every page from now on."},
    {"/admin/categories", "merged", "They are one."},
    {"/admin/categories", "part", "A part of the posts has moved. Go on until none is left."},
    {"/admin/users", "role", "The role is changed. It holds from their next page on."},
    {"/admin/users", "verified", "They have the mark, on every page from now on."},
    {"/admin/users", "unverified", "They have the mark no more."},
    {"/admin/users", "in", "They may sign in now."},
    {"/admin/users", "out", "They are out, and signed out everywhere."},
    {"/admin/users", "sessions", "They are signed out everywhere."},
    {"/admin/users", "purged", "Their account is disabled, and what they have left is going."},
    {"/admin/users", "restored", "It is coming back, and they may sign in."},
    {"/admin/users", "worked", "Another part is done."},
    {"/admin/users", "suspended", "They are suspended, and told so with their next page."},
    {"/admin/users", "suspension-ended", "The suspension is over."},
    {"/admin/addresses", "blocked", "Blocked. They can read."},
    {"/admin/addresses", "unblocked", "Not blocked any more."},
    {"/admin/appeals", "settled", "Settled."},
    {"/admin", "in", "They may sign in now."},
    {"/admin", "out", "They are declined. You can let them in later: they are among the disabled accounts."},
    {"/admin", "joined", "They are in the group, from their next click on."},
    {"/admin", "left", "They are in the group no more."},
    {"/admin/groups", "ending", "A part of it is done. Go on until it is gone."},
    {"/admin", "registered", welcome},
    {"/desk", "registered", welcome},
    {"/admin", "saved", "Saved."},
    {"/admin", "made", "It is made."},
    {"/admin", "deleted", "It is deleted."},

    {"/account/collections", "collection-deleted", "The collection is deleted."},
    {"/collection", "made", "It is made."},
    {"/collection", "saved", "Saved."},
    {"/collection", "added", "It is in the collection."},
    {"/collection", "removed", "It is taken out of the collection."},

    {"/desk", "deleted", "Deleted. You can have it back for 30 days."},
    {"/desk", "left", "Your name is taken off it."},
    {"/desk", "accepted", "You are named as one of its authors."},
    {"/desk", "declined", "You are not named, and not asked again for this post."},
    {"/desk", "thrown", "Thrown away."},
    {"/edit", "saved", "Saved."},
    {"/edit", "waits", "Saved. It waits for an editor: until then nobody else sees it."},
    {"/edit", "scheduled", "Scheduled. It appears by itself."},
    {"/edit", "unpublished", "Taken back. Nobody else sees it now."},
    {"/edit", "restored", "It is back, as it was."},
    {"/post", "hidden", "It is hidden. Its author is told why."},
    {"/post", "held", "It is held back. Its author is told why, and an editor looks at it."},
    {"/post", "off", "Comments are turned off."},
    {"/post", "on", "Comments are turned on."},
    {"/post", "close", "Closed."},
    {"/post", "reopen", "Open again."},
    {"/post", "pin", "Pinned. It stands first."},
    {"/post", "unpin", "Not pinned any more."},
    {"/revisions", "restored", "It is restored. What it said before is here, too."},
    {"/share", "revoked", "That link leads nowhere any more."},
    {"/uploads", "uploaded", "Your pictures are here."},
    {"/uploads", "deleted", "The picture is deleted."},
};

static bool
is_below(struct str path, struct str of)
{
	return str_starts(path, of) && (path.len == of.len || path.base[of.len] == '/');
}

static const char *
sentence(struct str path, struct str name)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++)
		if (str_eq(name, str_of(sentences[i].name)) &&
		    is_below(path, str_of(sentences[i].path)))
			return sentences[i].says;
	return NULL;
}

enum http_status
redirect_done(struct request *rq, struct response *rs, struct str path, const char *what)
{
	assert(sentence(path, str_of(what)) != NULL);
	return redirect(rs, HTTP_SEE_OTHER,
	    STR_CONCAT(rq->arena, path,
		str_find(path, '?') < path.len ? STR("&done=") : STR("?done="), str_of(what)));
}

const char *
done_says(const struct request *rq)
{
	return rq->method == METHOD_GET ? sentence(rq->path, request_query(rq, "done")) : NULL;
}
