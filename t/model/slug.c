/* Slugs from titles in many languages: valid, never empty, cut between words. */
#include "../tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/post.h"
#include "model/slug.h"

static const struct {
	const char *title, *slug;
} titles[] = {
    {"Low tide", "low-tide"},
    {"  --Low   tide!? ", "low-tide"},
    {"Don't panic, it’s 4 o'clock", "dont-panic-its-4-oclock"},
    {"C++20 & Rust/2", "c-20-rust-2"},
    {"“Quoted” — and «this» …", "quoted-and-this"},
    /* Portuguese */
    {"Ação, coração e pão à mão: São João às três", "acao-coracao-e-pao-a-mao-sao-joao-as-tres"},
    {"Avó e avô; lingüiça", "avo-e-avo-lingueica"},
    {"1.º e 2.ª vez", "1-o-e-2-a-vez"},
    /* German */
    {"Übergrößen für Ärzte: Fußmaß", "uebergroessen-fuer-aerzte-fussmass"},
    {"STRAẞE", "strasse"},
    /* Polish */
    {"Zażółć gęślą jaźń", "zazolc-gesla-jazn"},
    {"ŁÓDŹ Ćma Śnieg Żaba Ńja Ęą", "lodz-cma-snieg-zaba-nja-ea"},
    /* Cyrillic: Russian, Ukrainian, Bulgarian, Serbian, Belarusian */
    {"Съешь ещё этих мягких французских булок", "sesh-eshchyo-etikh-myagkikh-frantsuzskikh-bulok"},
    {"ЩУКА, ЖУРАВЛЬ И ЁЖ", "shchuka-zhuravl-i-yozh"},
    {"Україна: Їжак є ґанок", "ukrayina-yizhak-ye-ganok"},
    {"Ђоковић, Љубљана и Њујорк", "djokovic-ljubljana-i-njujork"},
    {"Ўладзімір", "uladzimir"},
    /* Greek */
    {"Ελλάδα και ουρανός", "ellada-kai-ouranos"},
    {"ΨΑΡΙ ΘΑΛΑΣΣΑ ΟΥΖΟ", "psari-thalassa-ouzo"},
    {"Ευχαριστώ, αύριο στους αγγέλους", "evcharisto-avrio-stous-angelous"},
    {"Ἀθῆναι", "athinai"},
    /* Other Latin */
    {"Příliš žluťoučký kůň", "prilis-zlutoucky-kun"},
    {"Ærø, Þór, Ðorđe, Ångström", "aero-thor-dorde-angstroem"},
    {"İstanbul'da ışık", "istanbulda-isik"},
    {"Việt Nam ướt", "viet-nam-uot"},
    {"Îles à l’œuvre: où çà?", "iles-a-loeuvre-ou-ca"},
    {"Győr, tűz és víz", "gyor-tuz-es-viz"},
    {"ŉ ĳs ǆ ŋ ſ", "n-ijs-dz-ng-s"},
    {"ﬁnal ﬂow eﬃcient", "final-flow-efficient"},
    {"Ｆｕｌｌ　ｗｉｄｔｈ １", "full-width-1"},
    {"№ 5, x², CO₂, € 3", "no-5-x2-co2-eur-3"},
    {"soft\xc2\xadhyphen zero\xe2\x80\x8bwidth \xef\xbb\xbfmark", "softhyphen-zerowidth-mark"},
    /* Marks apart from their letters */
    {"A\xcc\x88rger o\xcc\x88 U\xcc\x88 a\xcc\x81 c\xcc\xa7", "aerger-oe-ue-a-c"},
    {"\xd0\xb8\xcc\x86\xd0\xbe\xd0\xb4 \xd0\x95\xcc\x88\xd0\xb6", "yod-yozh"},
    /* Nothing to go by */
    {"", "post"},
    {"!?…", "post"},
    {"東京", "post"},
    {"東京 2020", "2020"},
    {"🎉", "post"},
    {"\xff\xfe\x80", "post"},
    {"\xcc\x81", "post"},
    {"ьъ", "post"},
};

static void
languages(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		struct str slug = slug_from_title(arena, str_of(titles[i].title));

		is_str(slug, str_of(titles[i].slug), "\"%s\" has the slug %s", titles[i].title,
		    titles[i].slug);
		is_str(slug_from_title(arena, slug), slug, "... which is its own slug");
	}
}

static void
lengths(struct arena *arena)
{
	struct buf words = {.arena = arena}, one = {.arena = arena};
	struct str slug;

	for (int i = 0; i < 40; i++)
		BUF_PUT(&words, "seven77 ");
	for (int i = 0; i < 300; i++)
		BUF_PUT(&one, "ß");
	slug = slug_from_title(arena, buf_str(&words));
	is_int(
	    (int64_t)slug.len, 12 * 8 - 1, "A long title is cut to 100 characters, between words.");
	ok(str_ends(slug, STR("-seven77")), "... so its last word is whole.");
	is_int((int64_t)slug_from_title(arena, buf_str(&one)).len, 100,
	    "A word that is longer than all of it is cut.");
	is_str(
	    slug_of(arena, STR("abc def"), 3, STR("")), STR("abc"), "A word that just fits stays.");
	is_str(slug_of(arena, STR("abc def"), 4, STR("")), STR("abc"), "... without a hyphen.");
	is_str(slug_of(arena, STR("São Paulo"), TAG_MAX, STR("")), STR("sao-paulo"),
	    "A tag is made the same way.");
	is_str(
	    slug_of(arena, STR("東京"), TAG_MAX, STR("")), STR(""), "... and may have no letters.");
	is_str(
	    slug_numbered(arena, STR("low-tide"), 2), STR("low-tide-2"), "A slug takes a number.");
	slug = slug_numbered(arena, slug_from_title(arena, buf_str(&words)), 123456);
	ok(slug_valid(slug) && str_ends(slug, STR("seven77-123456")),
	    "... and a long one makes room for it, between words.");
	slug = slug_numbered(arena, slug_from_title(arena, buf_str(&one)), 42);
	ok(slug.len == 100 && str_ends(slug, STR("ss-42")), "... or in its only word.");
}

/* Whatever bytes a title has. */
static void
chance(struct arena *arena)
{
	struct clock clock = clock_fixed(0, 7);
	unsigned char bytes[160];
	unsigned bad = 0;

	for (int i = 0; i < 20000; i++) {
		struct str slug;
		size_t len;

		clock.random(&clock, bytes, sizeof(bytes));
		len = bytes[0] % sizeof(bytes);
		/* Half of them well-formed, from all of the rows. */
		if (i % 2 == 0) {
			for (size_t j = 1; j + 3 <= len; j += 3) {
				bytes[j] = (unsigned char)(0xe0 | (bytes[j] & 15));
				bytes[j + 1] = (unsigned char)(0x80 | (bytes[j + 1] & 63));
				bytes[j + 2] = (unsigned char)(0x80 | (bytes[j + 2] & 63));
			}
		}
		slug = slug_from_title(arena, (struct str){(const char *)bytes, len});
		if (!slug_valid(slug) || slug.base[0] == '-' || slug.base[slug.len - 1] == '-' ||
		    !str_eq(slug_from_title(arena, slug), slug))
			bad++;
		arena_reset(arena);
	}
	is_int(bad, 0, "Of 20,000 texts by chance, each has a valid slug that is its own slug.");
	for (uint32_t rune = 0x80; rune < 0x20000; rune++) {
		char utf8[4];
		size_t n = rune < 0x800 ? 2 : rune < 0x10000 ? 3 : 4;
		uint32_t rest = rune;

		for (size_t j = n - 1; j > 0; j--, rest >>= 6)
			utf8[j] = (char)(0x80 | (rest & 63));
		utf8[0] = (char)((n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0) | rest);
		bad += !slug_valid(slug_from_title(arena, (struct str){utf8, n}));
		arena_reset(arena);
	}
	is_int(bad, 0, "... and so has every single character.");
}

int
main(void)
{
	struct arena *arena = arena_new();

	languages(arena);
	lengths(arena);
	chance(arena);
	arena_free(arena);
	return tap_done();
}
