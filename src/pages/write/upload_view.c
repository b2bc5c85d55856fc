#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/site/settings.h"
#include "pages/shared/words.h"
#include "pages/write/uploads.h"
#include "text/url.h"

#include <inttypes.h>

enum { USES_SHOWN = 10 };

VIEW_FIELDS(upload_view, STRING(url), STRING(name), STRING(src), STRING(srcset), STRING(alt),
    STRING(address), STRING(markdown), STRING(facts_text), STRING(date), STRING(date_text),
    STRING(delete_url), NUMBER(width), NUMBER(height), LIST(uses, link_view), STRING(others_text),
    STRING(more_url))

struct read
upload_uses(struct request *rq, struct str hash)
{
	struct read read = {.kind = READ_QUERY, .query = query_media_uses(rq->arena, hash)};

	read.query.limit = USES_SHOWN;
	return read;
}

struct str
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

/* Of a post that somebody else writes, and that they may not edit as a draft or private one, only its being there is said. */
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

void
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
	    .markdown = upload_markdown(rq->arena, media),
	    .facts_text = facts_of(rq->arena, media),
	    .date = time_format(rq->arena, media->created),
	    .date_text = words_date_near(rq, media->created),
	    .width = media->width,
	    .height = media->height,
	};
	out->delete_url = STR_CONCAT(rq->arena, out->url, STR("/delete"));
	if (uses->next.len != 0)
		out->more_url = out->url;
	/* The narrowest does as a picture in a list. */
	media_sizes(address.size, sizes);
	address.size = sizes[0];
	out->src = media_path(rq->arena, &address);
	fill_uses(rq, uses, out);
}

const char *
upload_error(struct request *rq, enum media_rc rc)
{
	enum { MB = 1024 * 1024 };

	switch (rc) {
	case MEDIA_DONE: return NULL;
	case MEDIA_EMPTY: return "is empty.";
	case MEDIA_TOO_LARGE:
		return str_fmt(
		    rq->arena, "has more than %zu MB.", media_store_file_max(rq->site->media) / MB)
		    .base;
	case MEDIA_OTHER_TYPE: return "is no JPEG, PNG or WebP, whatever its name says.";
	case MEDIA_ANIMATED: return "is animated; only still pictures are taken.";
	case MEDIA_TOO_MANY_PIXELS:
		return "has too many pixels: 50 million are the most, and 16,000 on a side.";
	case MEDIA_DAMAGED: return "is damaged: it can’t be read to its end.";
	case MEDIA_TOO_MUCH_WORK: return "takes too much work to read, and was given up.";
	case MEDIA_FULL:
		return str_fmt(rq->arena,
		    "was not kept: one person’s pictures may have %lld MB together, and there is "
		    "no "
		    "room for it any more. Delete what no post shows.",
		    (long long)rq->settings->pictures_mb)
		    .base;
	case MEDIA_NO_ROOM:
		return "was not kept: the disk is full. Whoever runs this site has to know.";
	case MEDIA_BUSY:
		return "was not kept: too many pictures came at once. Send it again in a moment.";
	case MEDIA_TOO_OFTEN:
		return str_fmt(rq->arena,
		    "was not kept: %d pictures in ten minutes are the most. Send it again a little "
		    "later.",
		    UPLOADS_IN_A_WINDOW)
		    .base;
	case MEDIA_TABLE:
	case MEDIA_BROKEN: break;
	}
	return "was not kept: something is broken here. Nothing is wrong with it.";
}
