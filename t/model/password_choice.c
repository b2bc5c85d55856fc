/*
 * Which passwords are accepted: not those that are tried first, and any sequence of words. The
 * words below are in all lists of leaked passwords.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "model/people/common.h"
#include "model/people/password.h"

static const char *const common[] = {"1q2w3e4r5t", "1q2w3e4r5t6y", "1qaz2wsx3edc", "q1w2e3r4t5",
    "qwertyuiop", "qwerty12345", "qwertyqwerty", "qazwsxedcrfv", "zaq12wsxcde3", "qazwsx12345",
    "asdfghjkl1", "asdfghjkl;", "zxcvbnm123", "zxcvbnm,./", "1234567890", "0123456789",
    "0987654321", "12345678910", "a123456789", "123456789q", "1234567890a", "123456abcdef",
    "123abc123abc", "abc123abc123", "0000000000", "1122334455", "1357924680", "147258369000",
    "1029384756", "9876543210", "password12", "password123", "password1234", "password2024",
    "Password01!", "P@ssw0rd123", "passwordpassword", "mypassword", "mypassword1", "newpassword",
    "thepassword", "drowssap123", "basketball1", "baseball12", "baseball2024", "football123",
    "football2023!", "volleyball", "manchester1", "manutd1999", "liverpool1", "liverpoolfc",
    "barcelona1", "barcelona10", "juventus1897", "christopher", "christopher1", "alexander1",
    "alexandra1", "alexandria", "elizabeth123", "katherine1", "jacqueline", "jacqueline1",
    "stephanie1", "charlotte1", "gabriella1", "maximilian", "michelle123", "nicole1234",
    "jonathan123", "anthony123", "strawberry1", "blueberry1", "cheesecake", "cheeseburger",
    "chocolate1", "chocolate123", "butterfly7", "dragonball", "dragonballz", "dragon1234",
    "pokemon123", "naruto1234", "starwars123", "starwars77!", "startrek123", "superman123",
    "superman99!", "spiderman1", "spiderman123", "minecraft1", "minecraft123", "counterstrike",
    "terminator", "slipknot666", "nirvana1994", "summer2024!", "winter2024", "Winter2025!",
    "spring2024", "december25", "september1", "september11", "november11", "february14",
    "january2024", "sunshine12", "sunshine123", "princess123", "princess12", "iloveyou12",
    "iloveyou123", "iloveyousomuch", "iloveyou4ever", "loveyou123", "letmein123", "letmein2024!",
    "welcome123", "welcome1234", "admin12345", "admin123456", "administrator", "Admin@12345",
    "changeme123", "secret1234", "master1234", "shadow1234", "whatever123", "computer123",
    "internet123", "google1234", "facebook123", "portugal123", "australia1", "california1",
    "washington", "philadelphia", "motorcycle", "mustang1967", "harleydavidson", "lamborghini",
    "aaaaaaaaaa", "abcdefghijk", "abcd123456", "abcdef1234", "helloworld", "helloworld1",
    "hello12345", "testtest123", "trustno1234", "blink182182", "correcthorsebatterystaple",
    "jesuschrist", "jesus12345", "anaconda12", "qwertz12345", "azertyuiop", "passwort123",
    "hallo12345", "basketball", "manchester", "strawberry"};

/* Known without the list, too: patterns, and little about a word of our own. */
static const char *const patterns[] = {"1q2w3e4r5t", "1qaz2wsx3edc", "qwertyuiop", "Qwertyuiop12",
    "q1w2e3r4t5", "asdfasdfasdf", "zaq12wsxcde3", "qwertz12345", "azertyuiop", "!QAZ2wsx#EDC",
    "aaaaaaaaaaaa", "abababababab", "abcdefghijkl", "9876543210", "1029384756", "147258369000",
    "31.12.1999", "passwordpassword", "testtest123", "abc123abc123", "bananabanana7", "summer2024!",
    "Winter2025!!", "2024summer", "december25", "P@ssw0rd!23", "drowssap123", "i.love.you.2",
    "correct horse battery staple"};

static const char *const good[] = {"four words in a row", "correct lamp under water",
    "the tide turns at nine", "purple kettle seven boats", "Marta drinks cold tea",
    "my aunt's blue bicycle", "salt-wind-lantern-oak", "lantern.oak.salt.wind",
    "wet stones smell of iron", "nobody feeds the heron", "xkgq7vbn2mtw", "T7#kq!m2Zp9x",
    "h4-vexing-quilt", "seventeen grey gulls", "we were here before them",
    "when rivers freeze over", "quilt vexing harbour", "thunder behind the mill",
    "Bread, butter and rope", "eleven lazy ferrymen", "jumping over puddles", "dark roast and rain",
    "zwölf blaue Fahrräder", "o barco azul da Marta", "três gatos no telhado",
    "le vent tourne au nord", "ein Hut aus Papier", "twelve-monkeys-knitting",
    "iron apple candle fox", "v8kd-2msq-x7hp-t4nw", "abc fish under moon",
    "candle wax on paper maps", "password is a silly word", "summer came late to us",
    "football bores my sister", "printed on yellow paper", "two coins for the ferry",
    "old maps lie politely", "moss grows on the bell", "a pocket full of chalk",
    "lighthouse-breakfast-41", "gR8-fog-over-Porto", "Rope4Bread7Candle", "wooden spoons sing",
    "umbrella theft season", "the fourth left turning", "juniper kettle drum",
    "slow trains to Faro", "seagull union strikes", "мы шли по льду", "海辺の古い灯台で待つ"};

/* Made of what others know. The owner is below. */
static const struct {
	const char *password;
	bool good;
} named[] = {
    {"ingrid2026", false},
    {"1ngr1d-2026", false},
    {"Ingrid2026!!", false},
    {"2026_INGRID", false},
    {"boats2026!", false},
    {"b0ats.b0ats", false},
    {"boats@example.org", false},
    {"sandvik1999", false},
    {"slackwater", false},
    {"Sl4ckw4ter2026", false},
    {"slack-water-26", false},
    {"theslackwaterlog", false},
    {"tidal.example", false},
    {"tidal12345", false},
    {"xingridxwritesxatxnight", true},
    {"the boats of slackwater harbour", true},
    {"sandbanks move at night", true},
};

static const struct password_owner nobody;

static void
all(const char *const *passwords, size_t count, bool taken, size_t at_least, const char *what)
{
	size_t right = 0;

	for (size_t i = 0; i < count; i++) {
		bool is_taken = password_error(str_of(passwords[i]), &nobody) == NULL;

		right += is_taken == taken;
		if (is_taken != taken)
			printf("# %s is %s\n", passwords[i], is_taken ? "taken" : "refused");
	}
	ok(right >= at_least, "of %zu %s %zu are %s", count, what, right,
	    taken ? "taken" : "refused");
}
#define ALL(list, taken, at_least, what) \
	all(list, sizeof(list) / sizeof((list)[0]), taken, at_least, what)

static void
names(void)
{
	const struct password_owner owner = {.username = STR("ingrid"),
	    .email = STR("boats@example.org"),
	    .display_name = STR("Ingrid Sandvik"),
	    .site_name = STR("The Slackwater Log"),
	    .site_address = STR("https://tidal.example")};

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		ok((password_error(str_of(named[i].password), &owner) == NULL) == named[i].good,
		    "\"%s\" is %s", named[i].password, named[i].good ? "taken" : "refused");
	ok(strstr(password_error(STR("slackwater"), &owner), "this site’s name") != NULL,
	    "of the site's name it is said that it is that");
	ok(strstr(password_error(STR("ingrid2026"), &owner), "your own name") != NULL,
	    "... and of one's own");
}

static void
lengths(void)
{
	char many[130];

	ok(password_error(STR("ninechars"), &nobody) != NULL, "nine characters are too few");
	ok(password_error(STR("tén-chars!"), &nobody) == NULL, "ten are enough, whatever they are");
	for (size_t i = 0; i < sizeof(many); i++)
		many[i] = (char)('a' + i * 7 % 26);
	ok(password_error((struct str){many, 128}, &nobody) == NULL, "128 are taken");
	ok(password_error((struct str){many, 129}, &nobody) != NULL, "... and no more");
	ok(password_error(STR("4829173650284756"), &nobody) == NULL, "so are sixteen digits");
}

/* What a build without the list can't know is not asked of it. */
static void
listed(void)
{
	if (common_count == 0) {
		printf("# This build has no list of well-known passwords.\n");
		return;
	}
	ALL(common, false, sizeof(common) / sizeof(common[0]) - 8, "well-known ones");
	ok(common_count > 50000, "the list has %zu words", common_count);
}

int
main(void)
{
	ALL(patterns, false, sizeof(patterns) / sizeof(patterns[0]), "patterns");
	listed();
	ALL(good, true, sizeof(good) / sizeof(good[0]), "rows of words");
	names();
	lengths();
	return tap_done();
}
