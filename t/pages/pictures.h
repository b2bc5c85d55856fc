#ifndef T_PAGES_PICTURES_H
#define T_PAGES_PICTURES_H

#include "browser.h"

/* Shared by tests of pictures: a seeded site with a folder for them. */

/* With the program that reads pictures; where that was not built, media_store_ready() is false. */
void pictures_open(struct seeded *s);
void pictures_close(struct seeded *s);

/* From now on with a program that runs this line of a shell, or (NULL) with none. */
void pictures_program(struct seeded *s, const char *line);

/* How many files there are. */
size_t picture_files(struct seeded *s);

/* Sends files from the page of uploads, as upload_files() has them. */
struct str upload_token(struct browser *b);
enum http_status upload(struct browser *b, const char *answer, const struct upload *sent);
#define UPLOAD(b, answer, ...) upload((b), (answer), (const struct upload[]){__VA_ARGS__, {NULL}})

/*
 * The address of the page of the first picture that the last page lists, its hash, and the content
 * of an address.
 */
const char *first_picture(const struct browser *b);
struct str first_hash(const struct browser *b);
const char *behind(struct browser *b, const char *address, const char *end);

#endif
