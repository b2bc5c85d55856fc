#ifndef T_MODEL_PERSON_H
#define T_MODEL_PERSON_H

#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/people/account.h"

/* What the tests of people share: a table with some of them, and a moment. */

static const int64_t NOW = 1795000000000;

struct place {
	struct arena *arena;
	struct clock clock;
	struct table *table;
	struct table_call call;
	struct plan plan;
};

static inline enum plan_rc
create(struct plan *plan, const char *name, const char *email, enum role role)
{
	const struct new_account new = {.username = str_of(name),
	    .email = str_of(email),
	    .password = STR("hash"),
	    .role = role,
	    .status = USER_ACTIVE};

	return account_create(plan, &new);
}

static inline struct account
found(struct place *p, const char *typed)
{
	struct account account = {.password = STR("")};

	if (account_find(&p->plan, str_of(typed), &account) != PLAN_DONE)
		bail_out("%s is not there", typed);
	return account;
}

#endif
