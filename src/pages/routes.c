#include "pages/routes.h"

#include "pages/lists.h"

#define GET METHOD_GET
#define LIST .policy = CACHE_PAGE, .query = list_parameters
#define PAGE .policy = CACHE_PAGE
#define OPEN .policy = CACHE_HOUR

const struct route site_routes[] = {
    {GET, "/", page_front, LIST},
    {GET, "/post/:slug", page_post, LIST},
    {GET, "/page/:slug", page_static, LIST},
    {GET, "/categories", page_categories, PAGE},
    {GET, "/category/:slug", page_category, LIST},
    {GET, "/category/:slug/feed.atom", page_category_feed, OPEN},
    {GET, "/authors", page_authors, LIST},
    {GET, "/author/:username", page_author, LIST},
    {GET, "/author/:username/feed.atom", page_author_feed, OPEN},
    {GET, "/tags", page_tags, LIST},
    {GET, "/tag/:tag", page_tag, LIST},
    {GET, "/tag/:tag/feed.atom", page_tag_feed, OPEN},
    {GET, "/archive", page_archive, PAGE},
    {GET, "/archive/:year/:month", page_archive_month, LIST},
    {GET, "/archive/:year/:month/:day", page_archive_day, LIST},
    {GET, "/collections", page_collections, LIST},
    {GET, "/collection/:id", page_collection, LIST},

    {GET, "/feed.atom", page_feed, OPEN},
    {GET, "/feed", page_feed_alias, OPEN},
    {GET, "/feed.xml", page_feed_alias, OPEN},
    {GET, "/rss", page_feed_alias, OPEN},
    {GET, "/rss.xml", page_feed_alias, OPEN},
    {GET, "/atom", page_feed_alias, OPEN},
    {GET, "/atom.xml", page_feed_alias, OPEN},
    {GET, "/index.xml", page_feed_alias, OPEN},
    {GET, "/sitemap.xml", page_sitemap, OPEN},
    {GET, "/sitemap/:file", page_sitemap_month, OPEN},
    {GET, "/robots.txt", page_robots, OPEN},
    {GET, "/healthz", page_health},
};
const size_t site_route_count = sizeof(site_routes) / sizeof(site_routes[0]);

extern const struct template_spec archive_month_template, archive_template, article_template,
    author_template, authors_template, categories_template, category_template, collection_template,
    collections_template, error_template, front_template, howto_template, link_template,
    note_template, page_template, tag_template, tags_template;

const struct template_spec *const site_templates[] = {
    &archive_month_template,
    &archive_template,
    &article_template,
    &author_template,
    &authors_template,
    &categories_template,
    &category_template,
    &collection_template,
    &collections_template,
    &error_template,
    &front_template,
    &howto_template,
    &link_template,
    &list_template,
    &note_template,
    &page_template,
    &tag_template,
    &tags_template,
};
const size_t site_template_count = sizeof(site_templates) / sizeof(site_templates[0]);
