#ifndef MODEL_PEOPLE_PASSWORD_H
#define MODEL_PEOPLE_PASSWORD_H

#include "base/str.h"

struct arena;
struct clock;
struct limiter_watcher;

/*
 * Passwords, hashed with Argon2id. One hash is meant to be dear: 64 MiB and a tenth of a second. So that
 * signing in does not become an attack, a limiter lets a few be made at once and a few more wait; whoever
 * comes then is sent away (503). A limiter is for all threads of a process.
 */
struct password_limiter;

struct password_cost {
	unsigned long long operations;
	size_t memory;
};

/* libsodium's "interactive". */
extern const struct password_cost password_cost_usual;

enum { PASSWORD_MIN = 10, PASSWORD_MAX = 128 }; /* characters */

enum password_rc {
	PASSWORD_RIGHT, /* or: hashed */
	PASSWORD_WRONG,
	PASSWORD_BUSY, /* too many at once, or no memory: try again in a moment */
};

/* `at_once` are hashed together and `waiting` may queue. password_limiter_free() ends it. */
struct password_limiter *password_limiter_new(
    const struct password_cost *cost, unsigned at_once, unsigned waiting);
void password_limiter_free(struct password_limiter *limiter);

/* As limiter_watch(). */
unsigned password_limiter_watch(
    struct password_limiter *limiter, const struct limiter_watcher *watcher);

/*
 * Asks `fits` before each hash whether there is memory for it, as it may be that whoever takes more is killed. NULL, as
 * at first: nobody is asked.
 */
void password_limiter_ask(struct password_limiter *limiter, bool (*fits)(size_t bytes));

/* Was the last PASSWORD_BUSY for want of memory? For who says why. */
bool password_limiter_lacks_memory(struct password_limiter *limiter);

/* How many hashes were made so far: for tests, which count them instead of taking the time. */
uint64_t password_limiter_count(struct password_limiter *limiter);

/* *stored is what the table keeps, in the arena. PASSWORD_RIGHT or PASSWORD_BUSY. */
enum password_rc password_hash(
    struct password_limiter *limiter, struct arena *arena, struct str password, struct str *stored);

/*
 * Is it the password of this hash? An empty `stored` (nobody has the name, or no password was set) is
 * always wrong and costs the same. *stale, when right: it was made at another cost and should be made
 * anew. Takes as long whatever differs.
 */
enum password_rc password_check(
    struct password_limiter *limiter, struct str stored, struct str password, bool *stale);

/*
 * As slow a hash of something that has no item of its own in which a salt would stand, such as one of several codes: the
 * same text and salt give the same 64 hexadecimal digits, in the arena. PASSWORD_RIGHT or PASSWORD_BUSY.
 */
enum { PASSWORD_SALT_BYTES = 16 };
enum password_rc password_stretch(struct password_limiter *limiter, struct arena *arena,
    struct str text, const unsigned char salt[PASSWORD_SALT_BYTES], struct str *out);

/* Whose a password is to be, and where: names that are no secret. Each may be empty. */
struct password_owner {
	struct str username, email, display_name, site_name, site_address;
};

/*
 * What is wrong with a password that somebody chooses, as a sentence, or NULL: too short, too long, one
 * of those that everybody tries first, a pattern, or made of one of these names.
 */
const char *password_error(struct str password, const struct password_owner *owner);

/* A password that nobody chose: five groups of four letters and digits, 100 bits. In the arena. */
struct str password_make(struct arena *arena, struct clock *clock);

#endif
