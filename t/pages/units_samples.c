/* What docs/costs.md is measured with, row by row: see units.h. */
#include "pictures.h"
#include "units.h"
#include "units_acts.h"

#include "base/log.h"
#include "derive/stream_worker.h"
#include "web/mail/mail.h"

/* What stands for a captured segment. */
static const struct {
	const char *name, *value;
} captures[] = {
    {":slug", "the-tide-in-forty-lines-of-c"},
    {":username", "kofi"},
    {":tag", "tides"},
    {":year", "2026"},
    {":week", "2026-w47"},
    {":month", "11"},
    {":day", "18"},
    {":id", "the-tide-in-forty-lines-of-c"},
    {":kind", "note"},
    {":span", "year"},
    {":section", "published"},
    {":group", "proofreaders"},
    {":code", "none"},
    {":hash", "none"},
    {":stars", "5"},
    {":feed", "rss"},
    {":file", "days.csv"},
};

struct str
sample_capture(struct str segment)
{
	for (size_t i = 0; i < sizeof(captures) / sizeof(captures[0]); i++)
		if (str_eq(str_of(captures[i].name), segment))
			return str_of(captures[i].value);
	return segment;
}

/* --- The rows --------------------------------------------------------------------------------------- */

#define CATEGORY "/admin/categories/rigging"
#define MERGED "/admin/categories/kitchen"
#define OTHER "/admin/users/pascal"
#define COMPARED "/revisions/" POST_ID "/compare?from=1&to=2"
#define NEW_POST(title_) "title", title_, "markdown", "Text.", "tags", "tides", "category", "tides"
#define PERSON "/admin/users/kofi"

const struct sample samples[] = {
    {"GET /post/:slug/likes", ADMIN, .address = "/post/" POST_ID "/likes"},
    {"GET /react/:id", ADMIN, .address = "/react/" POST_ID "?like=laugh"},
    {"POST /react/:id", "pascal", .button = "like", .send = like},
    {"POST /react/:id", "pascal", .button = "vote", .send = vote},
    {"POST /react/:id", "pascal", .button = "bookmark", .send = bookmark},
    {"GET /vote/:id", "noor", .send = ask_for_vote},
    {"POST /vote/:id", "noor", .send = vote_on_comment},
    {"GET /account/bookmark/:id", "pascal", .address = "/account/bookmark/" POST_ID},
    {"POST /account/bookmark/:id", "pascal", .send = tag_bookmark},
    {"GET /account/bookmarks/:tag", "pascal", .address = "/account/bookmarks/later"},
    {"GET /page/:slug", .address = "/page/about"},
    {"GET /post/:slug/reviews", .address = "/post/noaa-tides-and-currents/reviews"},
    {"GET /post/:id/rating", ADMIN, .address = RATED},
    {"POST /post/:id/rating", "pascal", .button = "a note of 500 bytes", .send = rate},
    {"POST /post/:id/rating", "pascal", .button = "other stars", .send = rate_otherwise},
    {"GET /post/:id/rating/withdraw", "pascal", .address = RATED "/withdraw"},
    {"GET /post/:id/rating/hold", ADMIN, .address = RATED "/hold?of=noor"},
    {"POST /post/:id/rating/hold", ADMIN, .send = hold_note},
    {"POST /admin/reviews", .send = approve_note},
    {"POST /post/:id/rating/withdraw", "pascal", .send = withdraw},
    {"GET /author/:username/reviews", .address = "/author/lowri/reviews"},
    {"GET /category/:slug", .address = "/category/kitchen"},
    {"GET /category/:slug/feed.atom", .address = "/category/kitchen/feed.atom"},
    {"GET /search", .address = "/search?q=tide"},
    {"GET /search/feed.atom", .address = "/search/feed.atom?q=tide"},
    {"GET /search/suggest", .address = "/search/suggest?q=dou"},
    {"GET /post/:slug/thread/:path", .send = see_thread},
    {"GET /post/:slug/thread/:path/feed.atom", .send = see_thread_feed},
    {"GET /comment/:id", .send = see_comment},
    {"GET /collection/:id", .send = see_collection},
    {"GET /collection/:id/feed.atom", .send = see_collection_feed},
    {"GET /collection/:id/book.epub", .send = see_collection_book},
    {"POST /account/collections", "noor", .page = "/account/collections",
	.fields = {"name", "A sample"}},
    {"GET /collection/:id/edit", "noor", .send = see_own_collection},
    {"POST /collection/:id/edit", "noor", .send = save_collection},
    {"POST /collection/:id/posts", "noor", .send = arrange_collection},
    {"GET /collection/:id/delete", "noor", .send = ask_to_delete_collection},
    {"POST /collection/:id/delete", "noor", .send = delete_collection},
    {"POST /collect/:id", "noor", .address = "/collect/" POST_ID, .page = "/collect/" POST_ID,
	.fields = {"collection", "", "name", "A sample"}},
    {"GET /flag/:what/:id", "noor", .address = "/flag/profile/kofi"},
    {"POST /flag/:what/:id", "noor", .address = "/flag/profile/kofi",
	.page = "/flag/profile/kofi", .fields = {"reason", "unkind", "note", "Look at it."}},
    {"GET /sitemap/:file", .address = "/sitemap/2026-11.xml"},
    {"GET /static/:file", .send = see_style},
    {"POST /login", .page = "/login", .fields = {"name", "noor", "password", PASSWORD}},
    {"POST /login/code", .send = second_step},
    {"POST /logout", "noor", .page = "/account"},
    {"POST /register", .page = "/register",
	.fields = {"username", "newcomer", "email", "newcomer@example.org", "password", PASSWORD}},
    {"POST /forgot", .send = forgot},
    {"GET /reset/:code", .send = see_reset},
    {"POST /reset/:code", .send = reset},
    {"GET /confirm/:code", .send = see_confirm},
    {"POST /confirm/:code", .send = confirm_address},
    {"POST /subscribe", .send = subscribe},
    {"GET /subscribe/:code", .send = see_subscription},
    {"POST /subscribe/:code", .send = confirm_subscription},
    {"POST /admin/subscribers", ADMIN, .page = "/admin/subscribers",
	.prepare = one_subscribes, .fields = {"address", "reader@example.org"}},
    {"POST /admin/subscribers/export", ADMIN, .page = "/admin/subscribers"},
    {"POST /admin/subscribers/remove", ADMIN, .send = remove_subscriber},
    {"GET /subscribe/:code/end", .send = see_subscription_end},
    {"POST /subscribe/:code/end", .send = end_subscription},
    {"POST /account/profile", "noor", .page = "/account", .fields = {"bio", "Bread."}},
    {"POST /account/email", "noor", .page = "/account",
	.fields = {"email", "bread@example.org", "email_password", PASSWORD}},
    {"POST /account/password", "noor", .page = "/account",
	.fields = {"old_password", PASSWORD, "new_password", PASSWORD " more"}},
    {"POST /account/sessions", "noor", .page = "/account",
	.fields = {"session", "others", "sessions_password", PASSWORD " more"}},
    {"POST /author/:username/follow", "noor", .address = "/author/ingrid/follow",
	.page = "/author/ingrid", .fields = {"do", "follow"}},
    {"POST /author/:username/block", "noor", .page = "/author/tobias/block",
	.fields = {"do", "block"}},
    {"POST /account/following", ADMIN, .page = "/account/following",
	.fields = {"unfollow", "noor"}},
    {"POST /account/followers", ADMIN, .page = "/account/followers", .fields = {"remove", "noor"}},
    {"POST /account/blocked", "noor", .send = unblock},
    {"POST /author/:username/mute", "noor", .address = "/author/tobias/mute",
	.page = "/author/tobias", .fields = {"do", "mute"}},
    {"POST /tag/:tag/mute", "noor", .address = "/tag/tides/mute", .page = "/tag/tides",
	.fields = {"do", "mute"}},
    {"GET /follow/:what/:name", "noor", .address = "/follow/tag/boats"},
    {"POST /follow/:what/:name", "noor", .button = "post", .address = "/follow/post/" POST_ID,
	.page = "/post/" POST_ID, .fields = {"do", "follow"}},
    {"POST /follow/:what/:name", "noor", .button = "tag", .address = "/follow/tag/boats",
	.page = "/tag/boats", .fields = {"do", "follow"}},
    {"POST /account/notifications", "noor", .send = read_notifications},
    {"POST /account/notifications/settings", "noor", .page = "/account/notifications/settings",
	.fields = {"page", "reply"}},
    {"POST /account/watching", "noor", .page = "/account/watching",
	.fields = {"undo", "tag/boats/"}},
    {"POST /account/letters", "noor", .page = "/account/letters", .fields = {"week", "1"}},
    {"GET /letters/:token", .send = see_end_letters},
    {"POST /letters/:token", .send = end_letters},
    {"POST /account/muted", "noor", .page = "/account/muted", .fields = {"person", "pascal"}},
    {"GET /admin/users/:username/trace", ADMIN, .address = "/admin/users/pascal/trace"},
    {"GET /admin/users/:username/purge", ADMIN, .address = "/admin/users/pascal/purge"},
    {"POST /admin/users/:username/purge", ADMIN, .send = purge_and_restore},
    {"POST /admin/users/:username/suspend", ADMIN, .address = "/admin/users/pascal/suspend",
	.page = "/admin/users/pascal/suspend", .fields = {"days", "3", "why", "A pause."}},
    {"GET /account/suspension", "pascal", .send = see_suspension},
    {"POST /account/suspension", "pascal", .send = answer_suspension},
    {"POST /admin/addresses", ADMIN, .page = "/admin/addresses",
	.fields = {"range", "203.0.113.0/24", "hours", "24"}},
    {"POST /admin/appeals", ADMIN, .send = settle_appeal},
    {"POST /uploads", ADMIN, .send = send_picture},
    {"GET /uploads/:hash", ADMIN, .send = see_picture},
    {"POST /uploads/:hash/delete", ADMIN, .send = delete_picture},
    {"POST /account/portrait", ADMIN, .send = send_portrait},
    {"POST /admin/nameplate", ADMIN, .send = send_nameplate},
    {"POST /account/export", "noor", .page = "/account/data"},
    {"POST /account/delete", "noor", .page = "/account/data",
	.fields = {"delete_password", PASSWORD " more", "posts", "keep"}},
    {"POST /account/two-step", ADMIN, .send = enrol},
    {"POST /account/two-step/codes", ADMIN, .page = "/account/two-step",
	.fields = {"codes_password", PASSWORD}},
    {"POST /account/two-step/off", ADMIN, .page = "/account/two-step",
	.fields = {"off_password", PASSWORD}},
    {"POST /admin/front", ADMIN, .page = "/admin/front?post=the-fog-had-edges",
	.fields = {"post", "the-fog-had-edges", "place", "lead"}},
    {"POST /admin/posts", .send = take_down_private},
    {"POST /post/:id/comment", "pascal", .button = "preview", .fields = {"text", "A *preview*."}},
    {"POST /post/:id/comment", "pascal", .button = "draft", .fields = {"text", "A *draft*."}},
    {"POST /post/:id/comment", "pascal", .button = "discard"},
    {"POST /post/:id/comment", "pascal", .send = comment_on_post},
    {"POST /post/:id/comment", "pascal", .send = reply},
    {"POST /post/:id/comment", "pascal", .send = edit_comment},
    {"GET /post/:id/comment/delete", "pascal", .send = ask_to_delete},
    {"GET /post/:id/comment/answer", "pascal", .send = see_answer},
    {"POST /post/:id/comment/answer", "pascal", .send = answer_editors},
    {"POST /post/:id/comment/delete", "pascal", .send = delete_comment},
    {"GET /post/:id/comment/decide", "kofi", .send = see_decision},
    {"POST /post/:id/comment/decide", "kofi", .button = "restore", .send = restore_comment},
    {"GET /post/:id/discussion", ADMIN, .address = COMMENTED_WHOLE},
    {"POST /post/:id/discussion", ADMIN, .address = COMMENTED_WHOLE, .button = "off"},
    {"POST /post/:id/discussion", ADMIN, .address = COMMENTED_WHOLE, .button = "on"},
    {"POST /admin/comments", .send = approve_comment},
    {"GET /account/restricted/answer", "pascal", .send = see_restriction},
    {"POST /account/restricted/answer", "pascal", .send = answer_restriction},
    {"POST /admin/comments/bulk", .send = decide_on_several},
    {"GET /admin/person/:username", .address = "/admin/person/pascal"},
    {"POST /admin/person/:username", .address = "/admin/person/pascal",
	.page = "/admin/person/pascal", .fields = {"text", "Sells ships."}},
    {"POST /admin/categories", .page = "/admin/categories",
	.fields = {"name", "A sample", "slug", "a-sample"}},
    {"POST /admin/category-order", .page = "/admin/categories", .fields = {"up", "kitchen"}},
    {"GET /admin/categories/:slug", .address = CATEGORY},
    {"POST /admin/categories/:slug", .address = CATEGORY},
    {"POST /admin/categories/:slug/merge", .address = MERGED "/merge", .page = MERGED,
	.fields = {"into", "town"}},
    {"POST /admin/categories/:slug/move", .address = MERGED "/move", .page = MERGED,
	.prepare = leave_one_behind},
    {"GET /admin/categories/:slug/delete", .address = "/admin/categories/a-sample/delete"},
    {"POST /admin/categories/:slug/delete", .address = "/admin/categories/a-sample/delete"},
    {"POST /admin/users/:username/role", .page = PERSON, .fields = {"role", "editor"}},
    {"POST /admin/users/:username/enable", .page = PERSON},
    {"POST /admin/users/:username/sessions", .page = PERSON},
    {"POST /admin/users/:username/reset", .page = PERSON},
    {"POST /admin/users/:username/verify", .page = PERSON, .fields = {"verify", "yes"}},
    {"POST /admin/users/:username/groups", .address = OTHER "/groups", .page = OTHER,
	.fields = {"group", "proofreaders"}},
    {"POST /admin/users/:username/leave", .address = OTHER "/leave", .page = OTHER,
	.fields = {"leave", "proofreaders"}},
    {"POST /admin/groups", .page = "/admin/groups",
	.fields = {"name", "sample", "title", "A sample"}},
    {"POST /admin/groups/:group/members", .page = "/admin/groups/proofreaders",
	.fields = {"username", "pascal"}},
    {"POST /admin/groups/:group/leave", .page = "/admin/groups/proofreaders",
	.fields = {"username", "pascal"}},
    {"POST /admin/moderation", .fields = {"close_days", "30"}},
    {"POST /admin/moderation/try", .fields = {"text", "Buy it."}},
    {"POST /admin/settings", .fields = {"name", "High Water"}},
    {"GET /revisions/:id", .prepare = make_revisions},
    {"GET /revisions/:id/compare", .address = COMPARED},
    {"POST /revisions/:id/restore", .page = COMPARED, .fields = {"number", "1"}},
    {"GET /share/:id", .address = "/share/" DRAFT_ID},
    {"POST /share/:id", .address = "/share/" DRAFT_ID, .fields = {"days", "7"}},
    {"POST /share/:id/revoke", .send = revoke_link},
    {"GET /draft/:code", .send = see_draft},
    {"POST /write/page", .button = "publish",
	.fields = {"title", "A sample page", "slug", "a-sample-page", "markdown", "Text."}},
    {"POST /write/:kind", .button = "autosave", .fields = {NEW_POST("One")}},
    {"POST /write/:kind", .button = "preview", .fields = {NEW_POST("One")}},
    {"POST /write/:kind", .button = "save", .fields = {NEW_POST("One")}},
    {"POST /write/:kind", .button = "publish", .fields = {NEW_POST("Another")}},
    {"POST /edit/:id", .button = "autosave", .fields = {"title", "A tide"}},
    {"POST /edit/:id", .button = "preview", .fields = {"title", "A tide"}},
    {"POST /edit/:id", .button = "save", .fields = {"title", "A tide"}},
    {"POST /edit/:id", .button = "unpublish"},
    {"POST /edit/:id", .button = "publish"},
    {"POST /edit/:id/accept", "tobias", .address = "/edit/" DRAFT_ID "/accept",
	.page = "/desk/requests", .prepare = name_tobias},
    {"POST /edit/:id/leave", "tobias", .address = "/edit/" DRAFT_ID "/leave", .page = "/desk"},
};
const size_t sample_count = sizeof(samples) / sizeof(samples[0]);

/*
 * What the stream worker makes of the seed: pages show it. One subject after another, as how the search's blocks are
 * divided, and what reading them costs, depends on the order.
 */
static void
derive_all(struct seeded *s)
{
	static const struct log quiet = {.fd = -1, .level = LOG_ERROR};
	const struct table_engine *engine = s->table->engine;
	struct table_engine in_order = *engine;
	struct stream_worker *w;

	in_order.at_once = 1;
	s->table->engine = &in_order;
	w = stream_worker_open(&(struct stream_worker_options){
	    .table = s->table, .log = &quiet, .site = SEEDED_ORIGIN});
	while (stream_worker_turn(w) != STREAM_IDLE)
		;
	stream_worker_close(w);
	s->table->engine = engine;
}

void
samples_open(struct seeded *s)
{
	static const struct mail_transport transport = {.send = keep_letter};

	derive_all(s);
	give_password(s, "noor", PASSWORD);
	give_password(s, "tobias", PASSWORD);
	give_password(s, ADMIN, PASSWORD);
	s->site.mailer = mailer_start(&transport, &s->site, NULL);
}

void
samples_close(struct seeded *s)
{
	mailer_stop(s->site.mailer);
	pictures_close(s);
}
