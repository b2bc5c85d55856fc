#ifndef T_PAGES_UNITS_ACTS_H
#define T_PAGES_UNITS_ACTS_H

#include "browser.h"

/* Samples that need more than an address and a form: what somebody does, of which the last request counts. */

#define PASSWORD "four words in a row"
#define ADMIN "marta"
#define POST_ID "the-tide-in-forty-lines-of-c"
#define DRAFT_ID "fog-a-first-attempt"
#define COMMENTED "/post/" POST_ID "/comment"
#define COMMENTED_WHOLE "/post/" POST_ID "/discussion"
#define RATED "/post/dates-that-sort/rating"

/* --- What readers do: units_readers.c --- */

enum http_status see_collection(struct browser *b);
enum http_status see_collection_feed(struct browser *b);
enum http_status see_collection_book(struct browser *b);
enum http_status see_thread(struct browser *b);
enum http_status see_thread_feed(struct browser *b);
enum http_status see_comment(struct browser *b);
enum http_status see_own_collection(struct browser *b);
enum http_status save_collection(struct browser *b);
enum http_status arrange_collection(struct browser *b);
enum http_status ask_to_delete_collection(struct browser *b);
enum http_status delete_collection(struct browser *b);
enum http_status rate(struct browser *b);
enum http_status rate_otherwise(struct browser *b);
enum http_status hold_note(struct browser *b);
enum http_status approve_note(struct browser *b);
enum http_status withdraw(struct browser *b);
enum http_status comment_on_post(struct browser *b);
enum http_status reply(struct browser *b);
enum http_status edit_comment(struct browser *b);
enum http_status ask_to_delete(struct browser *b);
enum http_status see_answer(struct browser *b);
enum http_status answer_editors(struct browser *b);
enum http_status delete_comment(struct browser *b);
enum http_status see_decision(struct browser *b);
enum http_status restore_comment(struct browser *b);
enum http_status decide(struct browser *b, const char *button);
enum http_status approve_comment(struct browser *b);
enum http_status decide_on_several(struct browser *b);
enum http_status see_restriction(struct browser *b);
enum http_status answer_restriction(struct browser *b);
enum http_status react(struct browser *b, const char *post, const char *name, const char *value);
enum http_status like(struct browser *b);
enum http_status vote(struct browser *b);
enum http_status bookmark(struct browser *b);
enum http_status vote_on_comment(struct browser *b);
enum http_status ask_for_vote(struct browser *b);
enum http_status tag_bookmark(struct browser *b);

/* --- Accounts, letters, authors and the staff: units_members.c --- */

enum http_status send_picture(struct browser *b);
enum http_status send_portrait(struct browser *b);
enum http_status send_nameplate(struct browser *b);
enum http_status see_picture(struct browser *b);
enum http_status delete_picture(struct browser *b);
enum http_status see_style(struct browser *b);
enum http_status second_step(struct browser *b);
enum http_status enrol(struct browser *b);
enum http_status read_notifications(struct browser *b);
enum http_status unblock(struct browser *b);
enum http_status purge_and_restore(struct browser *b);
enum http_status see_suspension(struct browser *b);
enum http_status answer_suspension(struct browser *b);
enum http_status settle_appeal(struct browser *b);
struct mail;
struct mail_transport;
const char *keep_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena);
enum http_status forgot(struct browser *b);
enum http_status see_reset(struct browser *b);
enum http_status reset(struct browser *b);
enum http_status see_confirm(struct browser *b);
enum http_status confirm_address(struct browser *b);
enum http_status subscribe(struct browser *b);
enum http_status see_subscription(struct browser *b);
enum http_status confirm_subscription(struct browser *b);
enum http_status see_subscription_end(struct browser *b);
enum http_status end_subscription(struct browser *b);
void one_subscribes(struct browser *b);
enum http_status remove_subscriber(struct browser *b);
enum http_status see_end_letters(struct browser *b);
enum http_status end_letters(struct browser *b);
void leave_one_behind(struct browser *b);
void make_revisions(struct browser *b);
enum http_status revoke_link(struct browser *b);
enum http_status take_down_private(struct browser *b);
enum http_status see_draft(struct browser *b);
void name_tobias(struct browser *b);

#endif
