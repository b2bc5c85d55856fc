/* The cover of a post, a portrait, a nameplate: one of one's own pictures, chosen by looking at them. */
#include "pages/shared/cover.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/post/media.h"
#include "model/text_rule.h"
#include "model/viewer.h"
#include "text/view.h"
#include "web/http/dispatch.h"

enum { SHOWN = 24 };

VIEW_FIELDS(
    cover_view, STRING(url), STRING(src), STRING(name), NUMBER(width), NUMBER(height), FLAG(chosen))
VIEW_FIELDS(
    covers_view, STRING(label), STRING(hint), STRING(error), FLAG(none), LIST(covers, cover_view))

struct read
covers_read(struct request *rq)
{
	struct read read = {
	    .kind = READ_QUERY, .query = query_media_of(rq->arena, rq->viewer->user.username)};

	read.query.limit = SHOWN;
	read.query.descending = true;
	return read;
}

/* The narrowest of its files is enough to look at. */
static struct cover_view
of_address(struct arena *arena, struct media_address address)
{
	struct cover_view view = {.url = media_path(arena, &address)};
	struct media_size sizes[MEDIA_SIZES_MAX];

	media_sizes(address.size, address.format, sizes);
	address.size = sizes[0];
	view.src = media_path(arena, &address);
	view.width = address.size.width;
	view.height = address.size.height;
	return view;
}

/* What the form has, whatever it is: what can be no picture is shown by its words. */
static struct cover_view
of_value(struct request *rq, struct str value)
{
	struct media_address address;
	struct cover_view view = {.url = value};

	if (media_address_read(value, rq->site->origin, &address))
		view = of_address(rq->arena, address);
	else if (text_keeps(TEXT_PICTURE, value))
		view.src = value;
	view.url = value;
	/* It may not be there any more: then a browser shows these words. */
	view.name = STR("The picture that is chosen");
	view.chosen = true;
	return view;
}

void
covers_fill(struct request *rq, const struct field_view *field, const struct read *found,
    bool drawings, struct covers_view *out)
{
	size_t count = found != NULL ? found->found_count : 0;
	struct cover_view *covers = ARENA_ARRAY(rq->arena, count + 1, struct cover_view);
	bool known = field->value.len == 0;

	*out = (struct covers_view){
	    .label = field->label, .hint = field->hint, .error = field->error, .none = known};
	out->covers.items = covers;
	covers++; /* the first is for what is not among them */
	for (size_t i = 0; i < count; i++) {
		struct cover_view *cover = &covers[out->covers.count];
		struct media media;

		media_from_item(rq->arena, &found->found[i], &media);
		/* It goes with the next one, and is no picture for a post. */
		if (media.portrait || (!media_is_picture(media.format) && !drawings))
			continue;
		*cover = of_address(rq->arena, media_address_of(&media));
		cover->name = media.name.len != 0 ? media.name : STR("A picture");
		cover->chosen = str_eq(cover->url, field->value);
		known = known || cover->chosen;
		out->covers.count++;
	}
	if (known) {
		out->covers.items = covers;
		return;
	}
	covers[-1] = of_value(rq, field->value);
	out->covers.count++;
}
