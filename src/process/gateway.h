#ifndef PROCESS_GATEWAY_H
#define PROCESS_GATEWAY_H

#include "web/request.h"
#include "web/response.h"

struct arena;
struct fcgi;
struct log_lines;

/*
 * Between FastCGI and the web layer: parameters into a request_input, and the line in the log. What
 * is passed is decided by nginx/broadsheet_fastcgi.conf; the two lists must agree.
 */

/* Fills *in but its body. Slices are libfcgi's, valid until fcgi_end(). */
void gateway_input(const struct fcgi *fcgi, struct request_input *in);

/*
 * One line about an answered request, made in the arena. The address is last; it may hold spaces, as does
 * why=, which tells what the table said of a failure and stands in quotes.
 */
void gateway_log(struct log_lines *lines, struct arena *arena, const struct request_input *in,
    const struct response *rs);

#endif
