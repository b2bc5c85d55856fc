#ifndef MODEL_PEOPLE_OWN_DATA_H
#define MODEL_PEOPLE_OWN_DATA_H

#include "base/buf.h"
#include "table/table.h"

/*
 * Everything that is somebody's, for them to take along: JSON Lines, an object a line, whose Type says what it
 * is (docs/table.md, Items). Posts, drafts too, with their text; comments, ratings, votes, likes, bookmarks, whom
 * they follow and who follows them, collections with what is in them, groups, sessions, pictures, and the person.
 *
 * Keys are left out, and so is what proves who somebody is (hashes of passwords, codes and sessions), and HTML,
 * which is made from what is there.
 *
 * It comes in parts, so that neither memory nor time grows with how much there is.
 */

/* About so many bytes are a part; at most what forty posts at their longest are more. */
enum { OWN_DATA_PART = 2 * 1024 * 1024 };

/*
 * Appends the part at *position, which is empty at the beginning, and moves it behind that: empty at the end. A
 * position that is none of this person's is TABLE_BAD_CURSOR.
 */
enum table_rc own_data(struct table *table, struct table_call *call, struct str username,
    struct str *position, struct buf *out);

#endif
