/* Slugs from titles in many languages: valid, never empty, cut between words. What is one, and what tags are typed. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/post/tag.h"
#include "model/slug.h"

static const struct {
	const char *title, *slug;
} titles[] = {
    {"Low tide", "low-tide"},
    {"  --Low   tide!? ", "low-tide"},
    {"Don't panic, it’s 4 o'clock", "dont-panic-its-4-oclock"},
    {"C++20 & Rust/2", "cpp20-rust-2"},
    /* Names that differ in signs alone */
    {"C", "c"},
    {"C++", "cpp"},
    {"C#", "csharp"},
    {"F#", "fsharp"},
    {"C# 12, F# and C++", "csharp-12-fsharp-and-cpp"},
    {".NET", "dotnet"},
    {"ASP.NET", "asp-net"},
    {"The .net, or .network?", "the-dotnet-or-network"},
    {"d3.js & Node.js", "d3-js-node-js"},
    {"Notepad++", "notepadpp"},
    {"1 + 2, a ++ b, #1, item#2, C#m", "1-2-a-b-1-item-2-c-m"},
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
    /* Scripts that keep their letters */
    {"東京 2020", "東京-2020"},
    {"潮が引く。夜に。", "潮が引く-夜に"},
    {"海と風、そして\"石\"", "海と風-そして-石"},
    {"か\xe3\x82\x99", "が"},
    {"ｶﾞﾗｽ", "ガラス"},
    {"한국어 문서", "한국어-문서"},
    {"\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "한"},
    {"المدّ والجزر", "المدّ-والجزر"},
    {"ﺑﺤﺮ ٢٠٢٦", "بحر-٢٠٢٦"},
    {"בית־ספר", "בית-ספר"},
    {"हिन्दी में", "हिन्दी-में"},
    {"ภาษาไทย", "ภาษาไทย"},
    {"தமிழ் எழுத்து", "தமிழ்-எழுத்து"},
    {"ՀԱՅԱՍՏԱՆ", "հայաստան"},
    {"საქართველო", "საქართველო"},
    {"ᎠᎡ", "ᎠᎡ"},
    {"𐐔𐐯𐑅", "𐐼𐐯𐑅"},
    {"𝐓𝐢𝐝𝐞 ᵃ", "tide-a"},
    {"می\xe2\x80\x8cخواهم", "میخواهم"},
    {"潮 Low tide 夜", "潮-low-tide-夜"},
    /* Nothing to go by */
    {"", "post"},
    {"!?…", "post"},
    {"🎉", "post"},
    {"\xff\xfe\x80", "post"},
    {"\xcc\x81", "post"},
    {"ьъ", "post"},
};

static struct str
made(struct arena *arena, struct str title)
{
	return slug_of(arena, title, SLUG_MAX, STR("post"));
}

static void
languages(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		struct str slug = made(arena, str_of(titles[i].title));

		is_str(slug, str_of(titles[i].slug), "\"%s\" has the slug %s", titles[i].title,
		    titles[i].slug);
		is_str(made(arena, slug), slug, "... which is its own slug");
	}
}

static void
lengths(struct arena *arena)
{
	struct buf words = {.arena = arena}, one = {.arena = arena}, wide = {.arena = arena},
		   marked = {.arena = arena};
	struct str slug;

	for (int i = 0; i < 40; i++)
		BUF_PUT(&words, "seven77 ");
	for (int i = 0; i < 300; i++)
		BUF_PUT(&one, "ß");
	slug = made(arena, buf_str(&words));
	is_int(
	    (int64_t)slug.len, 12 * 8 - 1, "A long title is cut to 100 characters, between words.");
	ok(str_ends(slug, STR("-seven77")), "... so its last word is whole.");
	is_int((int64_t)made(arena, buf_str(&one)).len, 100,
	    "A word that is longer than all of it is cut.");
	is_str(
	    slug_of(arena, STR("abc def"), 3, STR("")), STR("abc"), "A word that just fits stays.");
	is_str(slug_of(arena, STR("abc def"), 4, STR("")), STR("abc"), "... without a hyphen.");
	is_str(slug_of(arena, STR("🎉!"), SLUG_MAX, STR("")), STR(""), "There may be no letters.");
	is_str(
	    slug_numbered(arena, STR("low-tide"), 2), STR("low-tide-2"), "A slug takes a number.");
	slug = slug_numbered(arena, made(arena, buf_str(&words)), 123456);
	ok(slug_valid(slug) && str_ends(slug, STR("seven77-123456")),
	    "... and a long one makes room for it, between words.");
	slug = slug_numbered(arena, made(arena, buf_str(&one)), 42);
	ok(slug.len == 100 && str_ends(slug, STR("ss-42")), "... or in its only word.");
	for (int i = 0; i < 90; i++)
		BUF_PUT(&wide, "潮");
	slug = made(arena, buf_str(&wide));
	is_int(
	    (int64_t)slug.len, 198, "Of letters of three bytes there are as many as fit into 200.");
	slug = slug_numbered(arena, slug, 4000000000U);
	ok(slug_valid(slug) && str_ends(slug, STR("潮-4000000000")), "... with a number, too.");
	for (int i = 0; i < 90; i++)
		BUF_PUT(&marked, "कि");
	slug = made(arena, buf_str(&marked));
	ok(slug.len == 198 && str_ends(slug, STR("कि")), "No letter is cut off its mark.");
}

/* What is allowed in an address, and what may be typed for one; what that becomes. */
static const struct {
	const char *text;
	bool valid;
	const char *typed;
} forms[] = {
    {"low-tide", true, "low-tide"},
    {"Low-Tide", false, "low-tide"},
    {"-old--one-", true, NULL},
    {"low tide", false, NULL},
    {"low_tide", false, NULL},
    {"a/b", false, NULL},
    {"a#b", false, NULL},
    {"", false, NULL},
    {"潮-2", true, "潮-2"},
    {"ՀԱՅ", false, "հայ"},
    {"café", true, "cafe"},
    {"CAFE\xcc\x81", false, "cafe"},
    {"か\xe3\x82\x99", false, "が"},
    {"\xe3\x82\x99", false, NULL},
    {"a-\xe0\xa4\xbf", false, NULL},
    {"zero\xe2\x80\x8bwidth", false, NULL},
    {"\xe2\x80\xae"
     "abc",
	false, NULL},
    {"🎉", false, NULL},
    {"潮。", false, NULL},
    {"\xff", false, NULL},
    {"a\xe6\xbd", false, NULL},
};

static void
what_is_one(struct arena *arena)
{
	struct buf wide = {.arena = arena}, narrow = {.arena = arena};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct str text = str_of(forms[i].text), typed = STR("");

		ok(slug_valid(text) == forms[i].valid, "\"%s\" is %s slug", forms[i].text,
		    forms[i].valid ? "a" : "no");
		ok(slug_typed(arena, text, &typed) == (forms[i].typed != NULL) &&
			(forms[i].typed == NULL || str_eq(typed, str_of(forms[i].typed))),
		    "... and typed, it is %s", forms[i].typed != NULL ? forms[i].typed : "refused");
	}
	for (int i = 0; i < 67; i++)
		BUF_PUT(&wide, "潮");
	for (int i = 0; i < 101; i++)
		BUF_PUT(&narrow, "a");
	ok(!slug_valid(buf_str(&wide)) && slug_valid(str_sub(buf_str(&wide), 0, 198)),
	    "A slug has 200 bytes at most");
	ok(!slug_valid(buf_str(&narrow)) && slug_valid(str_sub(buf_str(&narrow), 0, 100)),
	    "... and 100 characters.");
}

static const struct {
	const char *typed, *tags, *strange;
} typed_tags[] = {
    {"sea, wind", "sea wind", ""},
    {"sea,wind , sea,, Wind", "sea wind", ""},
    {"海，風、石､海,﹐x", "海 風 石 x", ""},
    {"بحر، ريح", "بحر ريح", ""},
    {"C, C++, C#, F#", "c cpp csharp fsharp", ""},
    {"हिन्दी", "हिन्दी", ""},
    {"low tide; São Paulo", "low-tide-sao-paulo", ""},
    {"sea, !?, 🎉", "sea", "!?"},
    {" , ", "", ""},
    {"", "", ""},
};

static void
tags(struct arena *arena)
{
	const struct str texts[] = {STR("sea, wind"), STR(""), STR("wind,stone")};
	struct str strange;
	struct strings_value read = tags_of(arena, texts, 3, &strange);

	is_str(str_join(arena, read.strings, read.count, STR(" ")), STR("sea wind stone"),
	    "Tags stand in several fields, each once.");
	for (size_t i = 0; i < sizeof(typed_tags) / sizeof(typed_tags[0]); i++) {
		struct str text = str_of(typed_tags[i].typed);

		read = tags_of(arena, &text, 1, &strange);
		is_str(str_join(arena, read.strings, read.count, STR(" ")),
		    str_of(typed_tags[i].tags), "\"%s\" are the tags %s", typed_tags[i].typed,
		    typed_tags[i].tags);
		is_str(strange, str_of(typed_tags[i].strange), "... and what is none is told.");
	}
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
		slug = made(arena, (struct str){(const char *)bytes, len});
		if (!slug_valid(slug) || slug.base[0] == '-' || slug.base[slug.len - 1] == '-' ||
		    !str_eq(made(arena, slug), slug))
			bad++;
		arena_reset(arena);
	}
	is_int(bad, 0, "Of 20,000 texts by chance, each has a valid slug that is its own slug.");
	for (uint32_t rune = 0x80; rune < 0x20000; rune++) {
		char utf8[4];
		struct str slug = made(arena, str_of_rune(utf8, rune));

		bad += !slug_valid(slug) || !str_eq(made(arena, slug), slug);
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
	what_is_one(arena);
	tags(arena);
	chance(arena);
	arena_free(arena);
	return tap_done();
}
