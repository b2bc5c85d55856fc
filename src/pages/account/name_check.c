#include "pages/account/name_check.h"

#include "model/people/name.h"
#include "pages/shared/publication.h"
#include "web/form/form.h"

size_t
names_read(struct request *rq, const struct asked_name *names, size_t count, struct read *reads)
{
	size_t asked = 0;

	for (size_t i = 0; i < count; i++)
		if (names[i].name.len != 0)
			reads[asked++] = name_read(rq->arena, names[i].name);
	return asked;
}

/* What can be found without the table; NULL: nothing. */
static const char *
error_of(struct request *rq, struct str name, bool staff)
{
	const char *error = name_error(rq->arena, name);

	if (error == NULL && !staff &&
	    (name_is_reserved(rq->arena, name) ||
		(rq->settings != NULL && name_is_like(rq->arena, name, rq->settings->name))))
		error = "This name is reserved: people would take you for the site’s staff.";
	return error;
}

enum http_status
names_refuse(struct request *rq, const struct asked_name *names, size_t count,
    const struct read *reads, struct str self, bool staff)
{
	for (size_t i = 0; i < count; i++) {
		const char *error;
		bool theirs = false;
		enum table_rc rc;

		if (names[i].name.len == 0)
			continue;
		error = error_of(rq, names[i].name, staff);
		rc = name_is_theirs(rq->table, &rq->call, reads++, names[i].name, self, &theirs);
		if (rc != TABLE_OK)
			return status_of(rc);
		if (error == NULL && theirs)
			error =
			    "People would take you for somebody who writes here. Choose another "
			    "name.";
		if (error != NULL)
			form_refuse(rq->form, names[i].field, error);
	}
	return HTTP_OK;
}
