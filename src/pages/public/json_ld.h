#ifndef PAGES_PUBLIC_JSON_LD_H
#define PAGES_PUBLIC_JSON_LD_H

#include "model/post/post.h"
#include "model/reader/comment.h"
#include "pages/shared/layout.h"

struct user;

/*
 * What a page is, for machines that read: JSON-LD in the words of schema.org. Every `<` in it is written
 * as \u003c, so that no text in it can end the element that holds it.
 */
struct html json_ld_breadcrumbs(
    struct request *rq, const struct breadcrumbs *trail, struct str here, struct str path);
/* A person, with the way to them. */
struct html json_ld_profile(
    struct request *rq, const struct user *user, const struct breadcrumbs *trail, struct str path);
/* Article, HowTo with its steps, or a review of a link with its rating; with the way to it. */
struct html json_ld_post(struct request *rq, const struct post *post, struct str picture,
    const struct post_body *body, const struct breadcrumbs *trail);

#endif
