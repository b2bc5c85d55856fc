#ifndef PAGES_ADMIN_CATEGORIES_H
#define PAGES_ADMIN_CATEGORIES_H

#include "model/post/category_write.h"
#include "pages/admin/admin.h"

/* What the page of the tree and that of one category share. */
struct category_form {
	struct str name, description;
	struct str parent; /* a slug; empty: at the top */
	struct str slug;   /* of a new one only; empty: made of its name */
};
extern const struct form admin_category_form;

/* All categories but what lies in one (NULL: none), to choose from, each as deep as it lies; first `none`. */
void offer_categories(struct request *rq, struct form_view *view, const struct form_result *result,
    const char *field, const struct category *without, const char *none);

/* What the form says of a category. */
struct category_text category_text_of(const struct category_form *in);

/*
 * Refuses a field for what went wrong. False when it has nothing to do with one: the answer is that of
 * plan_refused().
 */
bool category_refuse(struct request *rq, enum plan_rc rc);

/*
 * How many posts it has, or one that was merged has left; less what is to come where the viewer only puts the tree in
 * order and does not oversee that.
 */
int64_t category_posts_known(struct request *rq, const struct category *c);
int64_t category_left_known(struct request *rq, const struct merged_category *m);

/* "/admin/categories/<slug>" */
struct str admin_category_path(struct request *rq, struct str slug);

#endif
