#ifndef SERVER_GATEWAY_H
#define SERVER_GATEWAY_H

#include "web/http/request.h"
#include "web/http/response.h"

struct arena;
struct log_lines;

/*
 * Between FastCGI and the web layer: converts parameters to a request_input, and writes the line in
 * the log. nginx/broadsheet_fastcgi.conf decides what is passed; the two lists must agree.
 */

/*
 * Fills *in but its body from the parameters, of which its slices are parts. False when these are torn or
 * have no REQUEST_METHOD. Of two with one name, the last counts.
 */
bool gateway_input(struct str params, struct request_input *in);

/*
 * One line about an answered request, made in the arena. The address is last; it may hold spaces, as does
 * why=, which tells what the table said of a failure and stands in quotes.
 */
void gateway_log(struct log_lines *lines, struct arena *arena, const struct request_input *in,
    const struct response *rs);

#endif
