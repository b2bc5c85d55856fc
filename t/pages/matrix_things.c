/*
 * Everybody × whose thing it is: what they get of a thing and what they may do to it. What is expected stands here in small
 * tables, written by hand and not asked of may().
 */
#include "matrix.h"

#include "lib/tap.h"

/*
 * What is answered, of each thing: "y" 200; "r" 301; "g" 410, gone; "n" 403; "-" 404, as if there was nothing. A
 * stranger is not told either where one has to sign in anyhow.
 */
static const struct {
	const char *address, *answers;
} things[] = {
    {"/post/m-public", "yyyyyyyyyyyyyy"},
    {"/post/m-scheduled", "--y-yy---y----"},
    {"/post/m-draft", "--y-yy---y----"},
    {"/post/m-unpublished", "--y-yy---y----"},
    {"/post/m-held", "--y-yy---y----"},
    {"/post/m-hidden", "--y-yy---y----"},
    {"/post/m-hidden-circle", "--y-yy---y----"}, /* none of the circle */
    {"/post/m-hidden/comment", "n-------------"},
    {"/post/m-hidden/feed.atom", "--------------"},
    {"/edit/m-hidden", "n-y-yy---y----"},
    {"/post/m-private", "--y-----------"}, /* whoever edits others' posts, not this one */
    {"/post/m-private-soon", "--y-----------"},
    {"/post/m-private-taken-back", "--y-----------"},
    {"/post/m-private-draft", "--y-yy---y----"},
    {"/post/m-followers", "--y-yy-y-y----"},
    {"/post/m-circle", "--y-yyy--y----"},
    {"/post/m-deleted", "gggggggggggggg"},
    {"/post/m-deleted-draft", "--------------"},
    {"/post/m-page", "rrrrrrrrrrrrrr"}, /* its address is another */
    {"/post/m-page-draft", "--r-rr----r---"},
    {"/page/m-page", "yyyyyyyyyyyyyy"},
    {"/page/m-page-draft", "--y-yy----y---"},
    {"/post/m-public/comment", "nyyyyyyyyyyyyy"},
    {"/post/m-scheduled/comment", "n-------------"},
    {"/post/m-draft/comment", "n-------------"},
    {"/post/m-unpublished/comment", "n-------------"},
    {"/post/m-private/comment", "n-y-----------"},
    {"/post/m-public/comment?edit=" COMMENT_ID, "ny------------"},
    {"/post/m-circle/comment?edit=" COMMENT_ID,
	"n-------------"}, /* whose post is not theirs now */
    {"/post/m-public/comment?to=" COMMENT_ID, "nyyyyyyyyyyyyy"},
    {"/post/m-circle/comment?to=" COMMENT_ID, "n-y-yyy--y----"},
    {"/post/m-public/comment/delete?at=" COMMENT_ID, "nynnyynnnnnnyn"},
    {"/post/m-circle/comment/delete?at=" COMMENT_ID, "nyn-yyn--n----"},
    {"/post/m-public/comment/decide?at=" COMMENT_ID, "nnynyynnnnnnyn"},
    {"/post/m-circle/comment/decide?at=" COMMENT_ID, "n-y-yyn--n----"},
    {"/post/m-public/discussion", "nnynyynnnynnyn"},
    {"/post/m-followers/discussion", "n-y-yy-n-y----"},
    {"/post/m-circle/discussion", "n-y-yyn--y----"},
    {"/post/m-private/discussion", "n-y-----------"},
    {"/post/m-draft/discussion", "n-y-yy---y----"},
    {"/post/m-deleted/discussion", "nggggggggggggg"},
    {"/post/m-page/discussion", "n-------------"},
    {"/post/m-public/feed.atom", "yyyyyyyyyyyyyy"},
    {"/post/m-circle/feed.atom", "--------------"}, /* a feed is for everybody */
    {"/post/m-draft/feed.atom", "--------------"},
    {"/post/m-deleted/feed.atom", "gggggggggggggg"},
    {"/post/m-public/thread/" COMMENT_ID, "yyyyyyyyyyyyyy"},
    {"/post/m-circle/thread/" COMMENT_ID, "--y-yyy--y----"},
    {"/post/m-private/thread/" COMMENT_ID, "--------------"}, /* nobody has said anything there */
    {"/post/m-followers/comment", "n-y-yy-y-y----"},
    {"/post/m-circle/comment", "n-y-yyy--y----"},
    {"/post/m-deleted/comment", "nggggggggggggg"},
    {"/post/m-page/comment", "n-------------"},
    {"/post/m-link/reviews", "yyyyyyyyyyyyyy"},
    {"/post/m-link-followers/reviews", "--y-yy-y-y----"},
    {"/post/m-link-circle/reviews", "--y-yyy--y----"},
    {"/post/m-link-private/reviews", "--y-----------"},
    {"/post/m-link-draft/reviews", "--y-yy---y----"},
    {"/post/m-public/reviews", "--------------"}, /* a note is not rated */
    {"/post/m-deleted/reviews", "gggggggggggggg"},
    {"/post/m-link/rating", "nynyyyyyyyyyyy"}, /* nobody rates what they wrote */
    {"/post/m-link-followers/rating", "n-n-yy-y-y----"},
    {"/post/m-link-circle/rating", "n-n-yyy--y----"},
    {"/post/m-link-private/rating", "n-n-----------"},
    {"/post/m-link-draft/rating", "n-n-----------"},
    {"/post/m-public/rating", "n-------------"},
    {"/post/m-link/rating/withdraw", "nyyyyyyyyyyyyy"},
    {"/post/m-link/rating/hold?of=m_reader", "nnynyynnnnnnyn"},
    {"/post/m-link-circle/rating/hold?of=m_reader", "n-y-yyn--n----"},
    {"/post/m-link/rating/hold?of=m_author", "nn-n--nnnnnn-n"}, /* who has not rated it */
    {"/author/m_reader/reviews", "yyyyyyyyyyyyyy"},
    {"/author/m_disabled/reviews", "--------------"},
    {"/edit/m-public", "nnynyynnnynnnn"},
    {"/edit/m-scheduled", "n-y-yy---y----"},
    {"/edit/m-draft", "n-y-yy---y----"},
    {"/edit/m-unpublished", "n-y-yy---y----"},
    {"/edit/m-private", "n-y-----------"},
    {"/edit/m-private-soon", "n-y-----------"},
    {"/edit/m-private-taken-back", "n-y-----------"},
    {"/edit/m-private-draft", "n-y-yy---y----"},
    {"/edit/m-private-page", "n-n-----------"},
    {"/edit/m-private/delete", "n-y-----------"},
    {"/edit/m-followers", "n-y-yy---y----"}, /* nobody is asked here whom they follow */
    {"/edit/m-circle", "n-y-yyn--y----"},
    {"/edit/m-deleted", "n-g-gg---g----"}, /* so long ago that it can't be had back */
    {"/edit/m-page", "nnnnyynnnnynnn"},
    {"/edit/m-page-draft", "n-n-yy----y---"},
    {"/edit/m-draft/delete", "n-y-yy---y----"},
    {"/edit/m-public/delete", "nnynyynnnynnnn"},
    {"/author/m_owner", "yyyyyyyyyyyyyy"},
    {"/author/m_disabled", "--------------"},
    {"/author/m_waiting", "--------------"},
    {"/author/m_owner/comments", "yyyyyyyyyyyyyy"},
    {"/author/m_disabled/comments", "--------------"},
    {"/author/m_waiting/comments", "--------------"},
    {"/author/m_disabled/collections", "--------------"},
    {"/author/m_disabled/followers", "--------------"},
    {"/author/m_disabled/following", "--------------"},
    {"/author/m_owner/follow", "ny-yyyyyyyyyyy"}, /* nobody follows themselves */
    {"/author/m_owner/block", "ny-yyyyyyyyyyy"},
    {"/author/m_disabled/follow", "n-------------"},
    {"/author/m_disabled/block", "n-------------"},
    {"/author/m_waiting/follow", "n-------------"},
    {"/author/m_nobody/follow", "n-------------"},
    {"/collection/" OPEN_ID, "yyyyyyyyyyyyyy"},
    {"/collection/" CLOSED_ID, "--y-----------"},
    {"/collection/" HELD_ID, "--y-yy------y-"}, /* and who decides on it */
    {"/collection/" HIDDEN_ID, "--y-yy------y-"},
    {"/collection/" HELD_ID "/feed.atom", "--------------"},
    {"/collection/" HIDDEN_ID "/feed.atom", "--------------"},
    {"/collection/" HIDDEN_ID "/edit", "n-y-nn------n-"},
    {"/collection/" OPEN_ID "/feed.atom", "yyyyyyyyyyyyyy"},
    {"/collection/" CLOSED_ID "/feed.atom", "--------------"},
    {"/collection/" HELD_ID "/book.epub", "--------------"},
    {"/collection/" HIDDEN_ID "/book.epub", "--------------"},
    {"/collection/" CLOSED_ID "/book.epub", "--------------"},
    {"/collection/" OPEN_ID "/edit", "nnynnnnnnnnnnn"},
    {"/collection/" CLOSED_ID "/edit", "n-y-----------"},
    {"/collection/" OPEN_ID "/delete", "nnynnnnnnnnnnn"},
    {"/collection/" CLOSED_ID "/delete", "n-y-----------"},
    {"/follow/post/m-public", "nyyyyyyyyyyyyy"},
    {"/follow/post/m-followers", "n-y-yy-y-y----"},
    {"/follow/post/m-circle", "n-y-yyy--y----"},
    {"/follow/post/m-private", "n-y-----------"},
    {"/follow/post/m-scheduled", "n-------------"}, /* nobody says anything there yet */
    {"/follow/post/m-draft", "n-------------"},
    {"/follow/post/m-page", "n-------------"},
    {"/collect/m-public", "nyyyyyyyyyyyyy"},
    {"/collect/m-draft", "n-y-yy---y----"},
    {"/collect/m-followers", "n-y-yy-y-y----"},
    {"/react/m-public?like=like", "nynyyyyyyyyyyy"}, /* that is for others to say */
    {"/react/m-public?bookmark=on", "nyyyyyyyyyyyyy"},
    {"/react/m-draft?bookmark=on", "n-n-nn---n----"}, /* before it has appeared */
    {"/react/m-private?bookmark=on", "n-y-----------"},
    {"/react/m-followers?like=like", "n-n-yy-y-y----"},
    {"/react/m-circle?like=like", "n-n-yyy--y----"},
    {"/react/m-page?bookmark=on", "nnnnnnnnnnnnnn"},
    {"/post/m-public/likes", "--y-yy---y--y-"}, /* its authors, and the staff */
    {"/post/m-circle/likes", "--y-yy---y----"},
    {"/post/m-private/likes", "--y-----------"},
    {"/share/m-public", "n-y-yy---y----"},
    {"/share/m-draft", "n-y-yy---y----"},
    {"/share/m-private", "n-y-----------"},
    {"/share/m-deleted", "n-------------"},
    {"/share/m-page-draft", "n---yy----y---"},
    {"/figures/m-public", "n-y-yy---y----"}, /* who may edit it */
    {"/figures/m-public/hosts.csv", "n-y-yy---y----"},
    {"/figures/m-private", "n-y-----------"},
    {"/figures/m-circle", "n-y-yy---y----"},
    {"/figures/m-deleted", "n-------------"},
    {"/figures/m-page", "n---yy----y---"},
    {"/revisions/m-public", "n-y-yy---y----"},
    {"/revisions/m-scheduled", "n-y-yy---y----"},
    {"/revisions/m-draft", "n-y-yy---y----"},
    {"/revisions/m-unpublished", "n-y-yy---y----"},
    {"/revisions/m-private", "n-y-----------"},
    {"/revisions/m-private/compare?from=0&to=1", "n-------------"},
    {"/revisions/m-private-taken-back", "n-y-----------"},
    {"/page/m-private-page", "--y-----------"},
    {"/revisions/m-followers", "n-y-yy---y----"},
    {"/revisions/m-circle", "n-y-yy---y----"},
    {"/revisions/m-deleted", "n-------------"},
    {"/revisions/m-page", "n---yy----y---"},
    {"/revisions/m-page-draft", "n---yy----y---"},
    {"/uploads/" PICTURE, "nny-yynn-nnnnn"},
};
enum { THINGS = sizeof(things) / sizeof(things[0]) };

/* The same of what is done to them by POST, where "y" is whatever is not refused. Each time they are put back. */
static const struct {
	const char *address, *answers;
} deeds[] = {
    {"/post/m-public/comment", "nyyyyyyyyyyyyy"},
    {"/post/m-draft/comment", "n-------------"},
    {"/post/m-private/comment", "n-y-----------"},
    {"/post/m-public/comment/delete?at=" COMMENT_ID, "nynnyynnnnnnyn"},
    {"/post/m-circle/comment/delete?at=" COMMENT_ID, "nyn-yyn--n----"},
    {"/post/m-public/comment/decide?at=" COMMENT_ID, "nnynyynnnnnnyn"},
    {"/post/m-circle/comment/decide?at=" COMMENT_ID, "n-y-yyn--n----"},
    {"/post/m-public/discussion", "nnynyynnnynnyn"},
    {"/post/m-circle/discussion", "n-y-yyn--y----"},
    {"/post/m-private/discussion", "n-y-----------"},
    {"/post/m-followers/comment", "n-y-yy-y-y----"},
    {"/post/m-circle/comment", "n-y-yyy--y----"},
    {"/post/m-link/rating", "nynyyyyyyyyyyy"},
    {"/post/m-link-followers/rating", "n-n-yy-y-y----"},
    {"/post/m-link-circle/rating", "n-n-yyy--y----"},
    {"/post/m-link-draft/rating", "n-n-----------"},
    {"/post/m-link/rating/withdraw", "nyyyyyyyyyyyyy"},
    {"/post/m-link/rating/hold?of=m_reader", "nnynyynnnnnnyn"},
    {"/post/m-link-circle/rating/hold?of=m_reader", "n-y-yyn--n----"},
    {"/edit/m-public", "nnynyynnnynnnn"},
    {"/edit/m-scheduled", "n-y-yy---y----"},
    {"/edit/m-draft", "n-y-yy---y----"},
    {"/edit/m-circle", "n-y-yyn--y----"},
    {"/edit/m-followers", "n-y-yy---y----"},
    {"/edit/m-page-draft", "n-n-yy----y---"},
    {"/edit/m-hidden", "n-y-yy---y----"},
    {"/react/m-hidden", "n-y-yy---y----"},
    {"/edit/m-public/delete", "nnynyynnnynnnn"},
    {"/edit/m-scheduled/delete", "n-y-yy---y----"},
    {"/edit/m-draft/delete", "n-y-yy---y----"},
    {"/edit/m-private", "n-y-----------"},
    {"/edit/m-private/delete", "n-y-----------"},
    {"/edit/m-private-taken-back/delete", "n-y-----------"},
    {"/share/m-private", "n-y-----------"},
    {"/edit/m-circle/delete", "n-y-yyn--y----"},
    {"/edit/m-followers/delete", "n-y-yy---y----"},
    {"/edit/m-page/delete", "nnnnyynnnnynnn"},
    {"/edit/m-page-draft/delete", "n-n-yy----y---"},
    {"/edit/m-public/undelete", "nnnnnnnnnnnnnn"}, /* what is there is not had back */
    {"/edit/m-just-deleted/undelete", "n-y-yy---y----"},
    {"/share/m-draft", "n-y-yy---y----"},
    {"/share/m-public", "n-y-yy---y----"},
    {"/collection/" OPEN_ID "/edit", "nnynnnnnnnnnnn"},
    {"/collection/" CLOSED_ID "/edit", "n-y-----------"},
    {"/collection/" OPEN_ID "/posts", "nnynnnnnnnnnnn"},
    {"/collection/" CLOSED_ID "/posts", "n-y-----------"},
    {"/collection/" OPEN_ID "/delete", "n-y-----------"}, /* what is not theirs is not there */
    {"/collection/" CLOSED_ID "/delete", "n-y-----------"},
    {"/uploads/" PICTURE "/delete", "nny-yynn-nnnnn"},
    {"/react/m-private", "n-y-----------"},
    {"/react/m-followers", "n-y-yy-y-y----"},
    {"/account/bookmark/m-public", "n-------------"}, /* which none of them has */
};
enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };

static char
thing_letter_of(const struct browser *b)
{
	switch (b->last.status) {
	case HTTP_MOVED: return 'r';
	case HTTP_GONE: return 'g';
	case HTTP_NOT_FOUND: return '-';
	default: return letter_of(b);
	}
}

static void
check_thing(struct seeded *s, size_t i)
{
	char got[PEOPLE + 1] = {0};

	for (size_t p = 0; p < PEOPLE; p++) {
		struct browser b = browser_for(s, p);

		get(&b, things[i].address);
		got[p] = thing_letter_of(&b);
	}
	is_str(str_of(got), str_of(things[i].answers), "%s", things[i].address);
}

static void
check_deed(struct seeded *s, size_t i)
{
	char got[PEOPLE + 1] = {0};

	for (size_t p = 0; p < PEOPLE; p++) {
		struct browser b = browser_for(s, p);

		post_nothing(&b, deeds[i].address);
		got[p] = thing_letter_of(&b);
		if (got[p] == 'y')
			put_things(s);
	}
	is_str(str_of(got), str_of(deeds[i].answers), "POST %s", deeds[i].address);
}

/* A hidden profile: everybody finds the person, and who reads what it says? */
static void
check_hidden_profile(struct seeded *s)
{
	static const char *const pages[] = {
	    "/author/m_owner", "/author/m_owner/comments", "/author/m_owner/collections"};

	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		char got[PEOPLE + 1] = {0};

		for (size_t p = 0; p < PEOPLE; p++) {
			struct browser b = browser_for(s, p);

			get(&b, pages[i]);
			got[p] = b.last.status != HTTP_OK ? '-' : says(&b, HIDDEN_BIO) ? 'y' : 'n';
		}
		is_str(str_of(got), STR("nnynnnnnnnnnnn"), "what is hidden of %s", pages[i]);
	}
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	set_stage(&s);
	for (size_t i = 0; i < THINGS; i++)
		check_thing(&s, i);
	check_hidden_profile(&s);
	for (size_t i = 0; i < DEEDS; i++)
		check_deed(&s, i);
	browsers_close(&s);
	return tap_done();
}
