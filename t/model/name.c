/* Names: which are confusable, which are reserved, and which are invalid. */
#include "model/people/name.h"

#include "base/arena.h"
#include "lib/tap.h"

#define ZERO_WIDTH "\xe2\x80\x8b"

static const struct {
	const char *a, *b;
	bool alike;
} pairs[] = {
    {"marta", "Marta", true},
    {"marta", "_marta", true},
    {"marta", "marta_", true},
    {"marta", "rnarta", true},
    {"marta", "m4rta", true},
    {"marta", "М\xd0\xb0rta", true}, /* with a Cyrillic М and а */
    {"marta", "ｍａｒｔａ", true},
    {"Marta Salgueiro", "Marta  Salgueiro", true},
    {"Marta Salgueiro", "Marta\xc2\xa0Salgueiro", true},
    {"Marta Salgueiro", "Marta" ZERO_WIDTH " Salgueiro", true},
    {"Marta Salgueiro", "marta_salgueiro", true},
    {"Marta Salgueiro", "Mártâ Salgueiro", true},
    {"Ingrid", "lngrid", true},
    {"Ingrid", "1ngrid", true},
    {"kofi", "k0fi", true},
    {"Owen", "Ovven", true},
    {"Søren", "Soren", true},
    {"marta", "marten", false},
    {"marta", "Marta Salgueiro", false},
    {"潮", "汐", false},
    {"潮", "潮", true},
    {"Иван", "Ivan", false},
    {"🎉", "🎉", false}, /* there is no letter */
    {"", "", false},
};

static const struct {
	const char *name;
	bool reserved;
} reserved[] = {
    {"admin", true},
    {"adm1n", true},
    {"ADMIN", true},
    {"_admin_", true},
    {"admin2026", true},
    {"the_admin", true},
    {"administrator", true},
    {"root", true},
    {"r00t", true},
    {"support", true},
    {"5upport", true},
    {"moderator", true},
    {"rnoderator", true},
    {"staff", true},
    {"anonymous", true},
    {"command_line", true},
    {"commandline", true},
    {"broadsheet", true},
    {"postmaster", true},
    {"abuse", true},
    {"security", true},
    {"Support Team", true},
    {"аdmin", true}, /* with a Cyrillic а */
    {"adminah", false},
    {"marta", false},
    {"rooted", false},
    {"broadsheets", false},
    {"tess", false},
    {"teammate", false},
    {"12345", false},
    {"___", false},
};

static const struct {
	const char *name;
	bool good;
} names[] = {
    {"Marta Salgueiro", true},
    {"Jean-Luc O’Neill", true},
    {"Иван Петров", true},
    {"山田太郎", true},
    {"タロー Yamada太郎", true},
    {"علی\xe2\x80\x8cرضا", true}, /* Persian is written with a joiner */
    {"हिन्दी", true},
    {"Δημήτρης (Dimitris)", true},
    {"René 2", true},
    {"🎉", true},
    {"Marta" ZERO_WIDTH "Salgueiro", false},
    {"Mar\xe2\x80\x8cta", false},
    {"Marta\xe2\x80\x8f", false},
    {"\xe2\x80\xaeMarta", false},
    {"Mar\xc2\xadta", false},
    {"M\xd0\xb0rta", false},
    {"Marta Sаlgueiro", false}, /* a Cyrillic а in the second word */
    {"Μarta", false},           /* a Greek Μ */
    {"a\nb", false},
};

int
main(void)
{
	struct arena *arena = arena_new();
	char many[400];

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		ok(name_is_like(arena, str_of(pairs[i].a), str_of(pairs[i].b)) == pairs[i].alike,
		    "\"%s\" and \"%s\" %s", pairs[i].a, pairs[i].b,
		    pairs[i].alike ? "look alike" : "are two names");
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		ok(name_is_reserved(arena, str_of(reserved[i].name)) == reserved[i].reserved,
		    "\"%s\" is %s", reserved[i].name, reserved[i].reserved ? "reserved" : "free");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ok((name_error(arena, str_of(names[i].name)) == NULL) == names[i].good,
		    "name %zu is %s", i, names[i].good ? "good" : "refused");
	/* The longest that a form takes, of what grows most. */
	for (size_t i = 0; i < 80; i++)
		memcpy(many + i * 3, "\xef\xb7\xba", 3);
	ok(name_is_like(arena, (struct str){many, 240}, (struct str){many, 240}),
	    "A name of eighty ligatures has a skeleton.");
	ok(!name_is_like(arena, STR("\xff\xfe"), STR("\xff\xfe")), "What is no text has none.");
	arena_free(arena);
	return tap_done();
}
