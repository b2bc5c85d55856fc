/*
 * GET /uploads: one's own pictures, newest first. POST /uploads: uploads more. Each file of a form
 * is accepted or refused by itself; a script gets the same as JSON. GET /uploads/<hash>: one
 * picture, and page by page all that uses it; POST …/delete deletes it.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/portrait.h"
#include "model/post/media.h"
#include "model/site/audit.h"
#include "model/site/settings.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/done.h"
#include "pages/shared/filter.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/upload.h"
#include "pages/shared/words.h"
#include "table/json.h"
#include "text/template.h"
#include "text/url.h"
#include "text/view.h"
#include "web/http/dispatch.h"
#include "web/media/media_store.h"
#include "web/session/csrf.h"

#include <inttypes.h>

enum {
	SHOWN = 24,
	MB = 1024 * 1024,
};

enum { USES_OF_ONE = 50 };

enum { USES_SHOWN = 10 };

/* An uploaded picture, in the list and on its own page. */
struct upload_view {
	struct str url, name, src, srcset, alt, address, markdown, unusable, facts_text, date, date_text,
	    delete_url;
	int64_t width, height;
	LIST_OF(struct link_view) uses; /* posts that the viewer may edit */
	struct str others_text;         /* "2 posts of others"; or empty */
	struct str more_url;            /* where the other posts are listed; empty: these are all */
	bool portrait, cover;           /* the viewer's */
};

VIEW_FIELDS(upload_view, STRING(url), STRING(name), STRING(src), STRING(srcset), STRING(alt),
    STRING(address), STRING(markdown), STRING(unusable), STRING(facts_text), STRING(date), STRING(date_text),
    STRING(delete_url), NUMBER(width), NUMBER(height), LIST(uses, link_view), STRING(others_text),
    STRING(more_url), FLAG(portrait),
    FLAG(cover))

struct uploads_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str title, intro, notice, token, accept, hint, missing;
	bool filters;
	struct str filter, empty_text;
	LIST_OF(struct str) errors;
	LIST_OF(struct upload_view) uploads;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(uploads_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view), STRING(title),
    STRING(intro), STRING(notice), STRING(token), STRING(accept), STRING(hint), STRING(missing), FLAG(filters), STRING(filter),
    STRING(empty_text), STRINGS(errors), LIST(uploads, upload_view), OPTION(pagination, pagination_view))
TEMPLATE(uploads_template, "uploads", uploads_view)

struct one_upload_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str title, owner_url, token;
	struct upload_view upload;
};

VIEW_FIELDS(one_upload_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view), STRING(title),
    STRING(owner_url), STRING(token), VIEW(upload, upload_view))
TEMPLATE(upload_template, "upload", one_upload_view)

/* --- A picture --------------------------------------------------------------------------------- */

/* The read of what uses a picture, for upload_fill(): the first page of uses. */
static struct read
upload_uses(struct request *rq, struct str hash)
{
	struct read read = {.kind = READ_QUERY, .query = query_media_uses(rq->arena, hash)};

	read.query.limit = USES_SHOWN;
	return read;
}

/* "![An old harbour](/media/…)", to be copied into a text. */
static struct str
upload_markdown(struct arena *arena, const struct media *media)
{
	const struct media_address address = media_address_of(media);

	return STR_CONCAT(arena, STR("![]("), media_path(arena, &address), STR(")"));
}

/* "1,600 × 1,067 pixels, 312 KB" */
static struct str
facts_of(struct arena *arena, const struct media *media)
{
	enum { KB = 1024 };
	struct str width = words_number(arena, media->width),
		   height = words_number(arena, media->height),
		   kb = words_number(arena, (media->bytes + KB - 1) / KB);

	return str_fmt(
	    arena, "%.*s × %.*s pixels, %.*s KB", STR_ARGS(width), STR_ARGS(height), STR_ARGS(kb));
}

/* Posts of others that the viewer may not edit are only counted. */
static void
fill_uses(struct request *rq, const struct read *uses, struct upload_view *out)
{
	struct link_view *links = ARENA_ARRAY(rq->arena, uses->found_count, struct link_view);
	int64_t others = 0;

	for (size_t i = 0; i < uses->found_count; i++) {
		struct media_use use;
		struct post post = {.status = STATUS_DRAFT, .visibility = VISIBILITY_PRIVATE};

		media_use_from_item(rq->arena, &uses->found[i], &use);
		post.author = use.author;
		if (!use.open)
			post.status = STATUS_PUBLISHED;
		if (!may(rq->viewer, MAY_EDIT, thing_post(&post, rq->now))) {
			others++;
			continue;
		}
		links[out->uses.count++] = (struct link_view){
		    url_join(rq->arena, STR("/edit/"), use.post),
		    use.title.len != 0 ? use.title : use.post,
		};
	}
	out->uses.items = links;
	out->others_text =
	    words_some(rq->arena, others, "post of somebody else", "posts of others");
}

/* Fills it; `uses` is the answered read. */
static void
upload_fill(
    struct request *rq, const struct media *media, const struct read *uses, struct upload_view *out)
{
	struct media_address address = media_address_of(media);
	struct media_size sizes[MEDIA_SIZES_MAX];

	*out = (struct upload_view){
	    .url = url_join(rq->arena, STR("/uploads/"), media->hash),
	    .name = media->name,
	    .srcset = media_srcset(rq->arena, &address),
	    .alt = media_alt(rq->arena, media),
	    .address = media_path(rq->arena, &address),
	    .unusable = media_is_picture(media->format) ? STR("") : STR(MEDIA_NO_PICTURE),
	    .facts_text = facts_of(rq->arena, media),
	    .date = time_format(rq->arena, media->created),
	    .date_text = words_date_near(rq, media->created),
	    .width = media->width,
	    .height = media->height,
	    .portrait = portrait_is(&rq->viewer->user, media->hash),
	    .cover = cover_is(&rq->viewer->user, media->hash),
	};
	if (out->unusable.len == 0)
		out->markdown = upload_markdown(rq->arena, media);
	out->delete_url = STR_CONCAT(rq->arena, out->url, STR("/delete"));
	if (uses->next.len != 0)
		out->more_url = out->url;
	/* The narrowest size is enough for a list. */
	media_sizes(address.size, address.format, sizes);
	address.size = sizes[0];
	out->src = media_path(rq->arena, &address);
	fill_uses(rq, uses, out);
}

/* --- The list --------------------------------------------------------------------------------- */

static void
fill_words(struct request *rq, const struct upload_batch *batch, const struct media_quota *quota,
    struct uploads_view *view)
{
	struct str *errors = ARENA_ARRAY(rq->arena, batch->count + 1, struct str);

	view->title = STR("Your pictures");
	view->intro =
	    STR("Copy the line under a picture into your text, where it is to be. Whoever "
		"knows a picture’s address can see it.");
	view->accept = upload_accept(rq, UPLOAD_FOR_POSTS);
	view->missing = upload_missing(rq);
	if (view->missing.len == 0)
		view->hint = str_fmt(rq->arena,
		    "%s, up to %zu MB each and 30 MB together. They are made "
		    "smaller, and what the camera wrote into them is taken out.",
		    upload_formats(UPLOAD_FOR_POSTS), media_store_file_max(rq->site->media) / MB);
	if (view->missing.len == 0 && quota->counted)
		view->hint = str_fmt(rq->arena, "%.*s Yours take %lld MB of %lld.",
		    STR_ARGS(view->hint), (long long)((quota->bytes + MB - 1) / MB),
		    (long long)rq->settings->pictures_mb);
	view->notice = str_of(done_says(rq));
	for (size_t i = 0; i < batch->count; i++) {
		const char *error = upload_error(rq, UPLOAD_FOR_POSTS, batch->sent[i].rc);

		if (error != NULL)
			errors[view->errors.count++] =
			    STR_CONCAT(rq->arena, batch->sent[i].name, STR(" "), str_of(error));
	}
	if (rq->method == METHOD_POST && batch->count == 0)
		errors[view->errors.count++] = STR("Choose a picture: none came with the form.");
	if (view->errors.count != 0 && batch->good != 0)
		view->notice = STR("The others are here.");
	view->errors.items = errors;
}

/* The pictures of the answer, with what uses each: the page's second round trip. */
static enum http_status
fill_uploads(struct request *rq, const struct read *list, struct uploads_view *view)
{
	struct upload_view *uploads = ARENA_ARRAY(rq->arena, list->found_count, struct upload_view);
	struct media *media = ARENA_ARRAY(rq->arena, list->found_count, struct media);
	struct read *uses = ARENA_ARRAY(rq->arena, list->found_count, struct read);
	enum http_status status = HTTP_OK;
	size_t count = 0;

	for (size_t i = 0; i < list->found_count; i++) {
		media_from_item(rq->arena, &list->found[i], &media[count]);
		/* It goes with the next one, and is no picture for a post. */
		if (media[count].portrait)
			continue;
		uses[count] = upload_uses(rq, media[count].hash);
		count++;
	}
	if (count != 0)
		status = page_read(rq, uses, count);
	for (size_t i = 0; status == HTTP_OK && i < count; i++)
		upload_fill(rq, &media[i], &uses[i], &uploads[i]);
	view->uploads.items = uploads;
	view->uploads.count = count;
	return status;
}

static struct str
file_name(struct request *rq, const struct item *item)
{
	struct media media;

	media_from_item(rq->arena, item, &media);
	return media.name;
}

static enum http_status
show_pictures(struct request *rq, struct response *rs, const struct upload_batch *batch)
{
	struct uploads_view *view = ARENA_NEW(rq->arena, struct uploads_view);
	struct page_frame frame = {.title = STR("Your pictures"), .noindex = true};
	struct str own = rq->viewer->user.username;
	struct read reads[2] = {{.kind = READ_QUERY, .query = query_media_of(rq->arena, own)},
	    {.kind = READ_GET, .key = media_quota_key(rq->arena, own)}};
	const struct filter filter = filter_of(rq);
	struct media_quota quota;
	enum http_status status;
	bool newer;

	if (!list_cursor(rq, &reads[0].query.cursor, &newer))
		return HTTP_BAD_REQUEST;
	filter_limit(&filter, SHOWN, &reads[0]);
	reads[0].query.descending = true;
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	quota = media_quota_from_item(rq->arena, reads[1].item);
	view->filters = reads[0].found_count != 0 || filter.count != 0;
	view->filter = filter.typed;
	filter_keep(rq, &filter, SHOWN, file_name, &reads[0]);
	view->empty_text = filter_empty(&filter, &reads[0], "No pictures yet. Choose some above.");
	status = fill_uploads(rq, reads, view);
	if (status != HTTP_OK)
		return status;
	view->pagination = pagination_of(rq, STR(""), reads[0].next);
	view->token = csrf_token(rq, rs);
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, STR("/desk"), STR("Your desk"));
	fill_words(rq, batch, &quota, view);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(uploads_template, view));
}

static enum http_status
show_all(struct request *rq, struct response *rs)
{
	const struct upload_batch none = {.count = 0};

	return show_pictures(rq, rs, &none);
}

/* --- What is sent ------------------------------------------------------------------------------ */

/* A script requests it by an additional input, so that it needs no header. */
static bool
wants_json(const struct request *rq)
{
	return str_eq(input_of(rq, "answer"), STR("json"));
}

/* {"files":[{"name":"a.jpg","markdown":"![](/media/…)","address":"/media/…"},{"name":"b.txt","error":"b.txt is no …"}]} */
static void
put_json(struct request *rq, struct response *rs, const struct upload_batch *batch)
{
	rs->content_type = STR("application/json");
	BUF_PUT(&rs->body, "{\"files\":[");
	for (size_t i = 0; i < batch->count; i++) {
		const struct upload_sent *sent = &batch->sent[i];
		const char *error = upload_error(rq, UPLOAD_FOR_POSTS, sent->rc);
		struct media_address address;

		if (i != 0)
			BUF_PUT(&rs->body, ",");
		BUF_PUT(&rs->body, "{\"name\":");
		json_put_string(&rs->body, sent->name);
		if (error != NULL) {
			BUF_PUT(&rs->body, ",\"error\":");
			json_put_string(
			    &rs->body, STR_CONCAT(rq->arena, sent->name, STR(" "), str_of(error)));
		} else {
			BUF_PUT(&rs->body, ",\"markdown\":");
			json_put_string(&rs->body, upload_markdown(rq->arena, &sent->media));
			address = media_address_of(&sent->media);
			BUF_PUT(&rs->body, ",\"address\":");
			json_put_string(&rs->body, media_path(rq->arena, &address));
		}
		BUF_PUT(&rs->body, "}");
	}
	BUF_PUT(&rs->body, "]}\n");
}

static enum http_status
take_files(struct request *rq, struct response *rs)
{
	struct upload_batch batch;
	enum http_status status, shown;

	if (!media_store_ready(rq->site->media)) {
		rs->error_text = "Pictures can’t be uploaded here.";
		return HTTP_NOT_IMPLEMENTED;
	}
	/* The settings have the quota of a person. */
	status = page_read(rq, NULL, 0);
	if (status != HTTP_OK)
		return status;
	upload_take(rq, UPLOAD_FOR_POSTS, &batch);
	status = upload_status(rs, &batch);
	if (wants_json(rq)) {
		put_json(rq, rs, &batch);
		rs->own_error = true;
		return status;
	}
	if (status == HTTP_OK)
		return redirect_done(rq, rs, STR("/uploads"), "uploaded");
	if (batch.failed != TABLE_OK)
		return status;
	shown = show_pictures(rq, rs, &batch);
	rs->own_error = shown == HTTP_OK;
	return shown == HTTP_OK ? status : shown;
}

/* --- One picture, with all that shows it ------------------------------------------------------ */

/*
 * The picture of the address, if the viewer may do this; and, in the same round trip, what uses it.
 * For everybody else it does not exist.
 */
static enum http_status
find_picture(struct request *rq, enum action action, struct media *media, struct read *uses)
{
	struct str hash = request_param(rq, "hash");
	struct read reads[2] = {
	    {.kind = READ_GET, .key = key_media(rq->arena, hash)}, upload_uses(rq, hash)};
	enum http_status status;
	bool newer;

	if (!media_hash_valid(hash))
		return HTTP_NOT_FOUND;
	if (rq->method == METHOD_GET) {
		reads[1].query.limit = USES_OF_ONE;
		if (!list_cursor(rq, &reads[1].query.cursor, &newer))
			return HTTP_BAD_REQUEST;
	}
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	media_from_item(rq->arena, reads[0].item, media);
	*uses = reads[1];
	return may(rq->viewer, action, thing_media(media)) ? HTTP_OK : HTTP_NOT_FOUND;
}

static enum http_status
show_one(struct request *rq, struct response *rs)
{
	struct one_upload_view *view = ARENA_NEW(rq->arena, struct one_upload_view);
	struct page_frame frame = {.noindex = true};
	struct media media;
	struct read uses;
	enum http_status status = find_picture(rq, MAY_READ, &media, &uses);

	if (status != HTTP_OK)
		return status;
	upload_fill(rq, &media, &uses, &view->upload);
	view->upload.more_url = older_url(rq, uses.next);
	view->title = media.name.len != 0 ? media.name : STR("A picture");
	if (!str_eq(media.owner, rq->viewer->user.username))
		view->owner_url = url_join(rq->arena, STR("/author/"), media.owner);
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, STR("/desk"), STR("Your desk"));
	breadcrumb(rq, &view->breadcrumbs, STR("/uploads"), STR("Your pictures"));
	view->token = csrf_token(rq, rs);
	frame.title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(upload_template, view));
}

/*
 * "“Foghorns”, “Knots” and 2 posts of others": what the viewer may know about posts that show it.
 */
static struct str
shown_by(struct request *rq, const struct upload_view *upload)
{
	size_t count = upload->uses.count + (upload->others_text.len != 0);
	struct buf out = {.arena = rq->arena};

	for (size_t i = 0; i < count; i++) {
		if (i != 0)
			buf_put(&out, i + 1 == count ? STR(" and ") : STR(", "));
		if (i < upload->uses.count)
			buf_fmt(&out, "“%.*s”", STR_ARGS(upload->uses.items[i].name));
		else
			buf_put(&out, upload->others_text);
	}
	return buf_str(&out);
}

/* What its owner loses, who has it as their portrait or at the head of their page. */
static struct str
owner_loses(struct request *rq, const struct media *media, const struct user *owner)
{
	bool own = str_eq(owner->username, rq->viewer->user.username);

	return STR_CONCAT(rq->arena,
	    !portrait_is(owner, media->hash) ? STR("")
	    : own			     ? STR("It is your portrait: you will have none. ")
					     : STR("It is the portrait of its owner, who will have none. "),
	    !cover_is(owner, media->hash) ? STR("")
	    : own			  ? STR("It is the cover of your page, which will have none. ")
					  : STR("It is the cover of its owner’s page, which will have none. "));
}

/* Posts that show it would lose the picture, and so would the page of who has it as their portrait or cover. */
static enum http_status
ask_to_delete(struct request *rq, struct response *rs, const struct media *media,
    const struct read *uses, const struct user *owner, bool site)
{
	struct confirmation ask = {
	    .title = uses->found_count != 0 ? STR("Posts show this picture")
		     : site		    ? STR("The site shows this picture")
		     : portrait_is(owner, media->hash) ? STR("This picture is a portrait")
						       : STR("This picture is the cover of a page"),
	    .button = "Delete it anyway",
	    .destroys = true,
	    .sure = true};
	struct upload_view upload;

	upload_fill(rq, media, uses, &upload);
	if (site)
		ask.message = STR("It stands at the head of every page, or beside links to the site. ");
	if (uses->found_count != 0)
		ask.message = STR_CONCAT(rq->arena, ask.message, STR("It is in "), shown_by(rq, &upload),
		    uses->next.len != 0 ? STR(", and in more, which its page names") : STR(""),
		    STR(". There, its description will stand in its place. "));
	ask.message = STR_CONCAT(
	    rq->arena, ask.message, owner_loses(rq, media, owner), STR("It can’t be restored."));
	ask.cancel_url = upload.url;
	ask.action_url = upload.delete_url;
	return confirm(rq, rs, &ask);
}

/* Whose picture it is, of whom it may be the portrait or the cover: the viewer's, as a rule. */
static enum http_status
find_owner(struct request *rq, const struct media *media, struct user *owner)
{
	struct read read = {.kind = READ_GET, .key = key_user(rq->arena, media->owner)};
	enum http_status status;

	*owner = rq->viewer->user;
	if (str_eq(media->owner, owner->username))
		return HTTP_OK;
	status = page_read(rq, &read, 1);
	*owner = (struct user){.username = media->owner};
	if (status == HTTP_OK && read.item != NULL)
		user_from_item(rq->arena, read.item, owner);
	return status;
}

static enum http_status
delete_upload(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct media media;
	struct user owner;
	struct read uses;
	enum http_status status = find_picture(rq, MAY_DELETE, &media, &uses);
	bool owned, site;
	enum table_rc rc;

	if (status != HTTP_OK)
		return status;
	if (rq->site->media == NULL)
		return HTTP_NOT_IMPLEMENTED;
	status = find_owner(rq, &media, &owner);
	if (status != HTTP_OK)
		return status;
	owned = portrait_is(&owner, media.hash) || cover_is(&owner, media.hash);
	site = settings_show(rq->settings, media.hash);
	if ((uses.found_count != 0 || owned || site) && !confirmed(rq))
		return ask_to_delete(rq, rs, &media, &uses, &owner, site);
	if (!str_eq(media.owner, plan.by))
		audit_log(
		    &plan, AUDIT_MEDIA, media.hash, STR_CONCAT(rq->arena, STR("of "), media.owner));
	pictures_drop(&plan, &owner, media.hash);
	rc = media_store_remove(rq->site->media, &plan, &media);
	if (rc != TABLE_OK)
		return status_of(rc);
	return redirect_done(rq, rs, STR("/uploads"), "deleted");
}

PAGE(uploads, .get = show_all, .post = take_files, .query = QUERY("after", "done", "q"),
    .body_max = upload_body_max)
PAGE(upload, .get = show_one, .query = QUERY("after"))
PAGE(upload_delete, .post = delete_upload)
