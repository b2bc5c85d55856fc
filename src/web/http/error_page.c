#include "web/http/error_page.h"

#include "text/escape.h"

const char *
error_sentence(enum http_status status)
{
	switch (status) {
	case HTTP_BAD_REQUEST:
		return "This address or form is not one that this site made. Go back and try "
		       "again.";
	case HTTP_FORBIDDEN: return "You may not do this.";
	case HTTP_NOT_FOUND: return "There is nothing at this address.";
	case HTTP_METHOD_NOT_ALLOWED: return "This address can't be used in this way.";
	case HTTP_CONFLICT:
		return "Somebody else changed this at the same time. Go back, reload, and try "
		       "again.";
	case HTTP_GONE: return "What was at this address has been removed.";
	case HTTP_LENGTH_REQUIRED: return "What was sent did not say how long it is.";
	case HTTP_TOO_LARGE: return "What you sent is too large.";
	case HTTP_URI_TOO_LONG: return "This address is too long.";
	case HTTP_UNSUPPORTED_TYPE: return "This site does not understand what was sent.";
	case HTTP_UNPROCESSABLE: return "Something in the form needs to be put right.";
	case HTTP_TOO_MANY:
		return "That was too often in a short time. Wait a little and try again.";
	case HTTP_NOT_IMPLEMENTED: return "This site does not know such requests.";
	case HTTP_UNAVAILABLE:
		return "The site can't reach its data at the moment. Try again in a little while.";
	default: return "Something went wrong on our side. Try again later.";
	}
}

void
error_page_plain(struct response *rs)
{
	struct str title = http_reason(rs->status);

	response_clear(rs);
	BUF_PUT(&rs->body, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			   "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	escape_html(&rs->body, title);
	BUF_PUT(&rs->body, "</title>\n</head>\n<body>\n<main>\n<h1>");
	escape_html(&rs->body, title);
	BUF_PUT(&rs->body, "</h1>\n<p>");
	escape_html(&rs->body,
	    str_of(rs->error_text != NULL ? rs->error_text : error_sentence(rs->status)));
	BUF_PUT(&rs->body,
	    "</p>\n<p><a href=\"/\">To the front page</a></p>\n</main>\n</body>\n</html>\n");
}
