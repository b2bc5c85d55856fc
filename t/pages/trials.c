#include "trials.h"

#include "lib/tap.h"

/* Is it a 503 with the failing table's message in the log, whatever succeeded afterwards? */
static bool
is_told(const struct answer *answer)
{
	return answer->status == HTTP_UNAVAILABLE &&
	       str_eq(str_of(answer->why), str_of(table_rc_text(TABLE_UNAVAILABLE)));
}

/* --- Pages -------------------------------------------------------------------------------------------- */

void
trial_costs(
    struct seeded *s, struct failing_table *failing, const struct trial_page *pages, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct browser b =
		    pages[i].who != NULL ? browser_of(s, pages[i].who) : browser(s, "192.0.2.1");

		seeded_restart(s, 0);
		get(&b, "/categories");
		failing_table_arm(failing, 0, TABLE_OK);
		get(&b, pages[i].address);
		is_int(b.last.cost.requests, pages[i].requests, "%s, %s: %u requests",
		    pages[i].address, pages[i].who != NULL ? pages[i].who : "a stranger",
		    pages[i].requests);
		is_int(b.last.cost.round_trips, pages[i].trips, "... in %u trips", pages[i].trips);
		is_int(failing->writes, 0, "... and nothing is written");
	}
}

void
trial_pages(
    struct seeded *s, struct failing_table *failing, const struct trial_page *pages, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct browser b =
		    pages[i].who != NULL ? browser_of(s, pages[i].who) : browser(s, "192.0.2.1");
		enum http_status right = get(&b, pages[i].address);
		unsigned wrong = 0, n = 1;

		for (bool more = true; more; n++) {
			seeded_restart(s, 0);
			failing_table_arm(failing, n, TABLE_UNAVAILABLE);
			get(&b, pages[i].address);
			more = failing->calls >= n;
			wrong += more && !is_told(&b.last);
		}
		failing_table_arm(failing, 0, TABLE_OK);
		is_int(wrong, 0, "%s: 503 when one of its %u calls fails", pages[i].address, n - 2);
		is_int(get(&b, pages[i].address), right, "... and then it is as it was");
	}
}

/* --- Forms -------------------------------------------------------------------------------------------- */

/* Everything in the table but tries, as one number. */
static uint64_t
digest(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct walk_page page = {.next = STR("")};
	uint64_t sum = 0;

	do {
		struct str cursor = page.next;

		if (table_walk(s->table, &call, cursor, 500, &page) != TABLE_OK)
			bail_out("the walk failed");
		for (size_t i = 0; i < page.count; i++) {
			struct str bytes = item_encode(s->arena, &page.items[i]);
			uint64_t hash = 14695981039346656037u;

			if (str_eq(item_string(&page.items[i], STR("Type")), STR("RateLimit")))
				continue;
			for (size_t n = 0; n < bytes.len; n++)
				hash = (hash ^ (unsigned char)bytes.base[n]) * 1099511628211u;
			sum += hash;
		}
	} while (page.next.len != 0);
	table_release(s->table, &call);
	return sum;
}

/* One run of a form: true when its n-th call was there to fail. */
static bool
run_form(struct seeded *s, struct failing_table *failing, const struct trial_form *form,
    void *context, unsigned n, unsigned *wrong)
{
	struct browser b = form->who != NULL ? browser_of(s, form->who) : browser(s, "192.0.2.2");
	unsigned fails = form->whole == 0 || n <= form->whole ? n : 0;
	uint64_t before;

	s->clock.fixed_now += 600000;
	get(&b, form->page);
	before = digest(s);
	failing_table_arm(failing, fails, TABLE_UNAVAILABLE);
	if (form->send != NULL)
		form->send(context, &b);
	else
		submit(&b, form->action, form->pairs);
	if (fails == 0 || failing->calls < n) {
		failing_table_arm(failing, 0, TABLE_OK);
		is_int(b.last.status, form->right, "%s is done when none of %u calls fails",
		    form->says, n - 1);
		return false;
	}
	failing_table_arm(failing, 0, TABLE_OK);
	if (!is_told(&b.last) || digest(s) != before) {
		fprintf(stderr, "# call %u: %d\n", n, (int)b.last.status);
		++*wrong;
	}
	return true;
}

void
trial_forms(struct seeded *s, struct failing_table *failing, const struct trial_form *forms,
    size_t count, void *context)
{
	for (size_t i = 0; i < count; i++) {
		unsigned wrong = 0, n = 1;

		while (run_form(s, failing, &forms[i], context, n, &wrong))
			n++;
		is_int(wrong, 0, "... when one does, it says so and nothing has changed");
	}
}

int
trials_done(void)
{
	return tap_done();
}
