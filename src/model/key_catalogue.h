#ifndef MODEL_KEY_CATALOGUE_H
#define MODEL_KEY_CATALOGUE_H

#include "model/key.h"
#include "model/post/catalogue.h"

/* The part of the key schema that is about the catalogue: lists of posts by what they are. */

/* The entry of a post in a list, and all of its entries. */
struct key key_catalogued(struct arena *arena, struct str post, struct str list);
struct query query_catalogued(struct arena *arena, struct str post);

/* The post of such an entry; empty: the key is none. */
struct str key_catalogued_post(struct key key);

/*
 * The names of lists: all links or how-tos, and those of a kind with a tag; how-tos with a word (text/material.h) in the name
 * of a material; links to an address, as url_likened() returns it.
 */
struct str catalogue_kind(struct arena *arena, enum post_kind kind, struct str tag);
struct str catalogue_material(struct arena *arena, struct str word);
struct str catalogue_address(struct arena *arena, struct str likened);

/* Where the entry of a list stands, in each order that it has. */
void key_index_catalogued(struct arena *arena, struct item *item, struct str list,
    enum catalogue_order order, const struct post *post);

/* The list, newest, best, quickest or cheapest first. Not bounded. */
struct query query_catalogue(struct arena *arena, struct str list, enum catalogue_order order);

#endif
