/* The rules of texts and addresses for every kind of input, and how violations are shown. */
#include "model/text_rule.h"

#include "base/arena.h"
#include "lib/tap.h"

static const struct {
	enum text_rule rule;
	const char *text, *shown; /* NULL: it keeps the rule, and is shown as it is */
} cases[] = {
    {TEXT_LINE, "Low tide", NULL},
    {TEXT_LINE, "", NULL},
    {TEXT_LINE, "مدّ \xe2\x80\x8f(low)", NULL},
    {TEXT_LINE, "a\tb\nc", "a b c"},
    {TEXT_LINE, "a\x01\x7f\xc2\x85z", "az"},
    {TEXT_LINE,
	"evil\xe2\x80\xae"
	"gpj.exe",
	"evilgpj.exe"},
    {TEXT_LINE, "\xe2\x81\xa6x\xe2\x81\xa9", "x"},
    {TEXT_LINES, "a\tb\nc", NULL},
    {TEXT_LINES, "a\x1b[1mb", "a[1mb"},
    {TEXT_LINK, "https://example.org/a?b#c", NULL},
    {TEXT_LINK, "http://example.org", NULL},
    {TEXT_LINK, "https://bücher.example/ü", NULL},
    {TEXT_LINK, "javascript:alert(1)", ""},
    {TEXT_LINK, "JavaScript:alert(1)", ""},
    {TEXT_LINK, " javascript:alert(1)", ""},
    {TEXT_LINK, "data:text/html,x", ""},
    {TEXT_LINK, "vbscript:x", ""},
    {TEXT_LINK, "//example.org/", ""},
    {TEXT_LINK, "/local", ""},
    {TEXT_LINK, "https://", ""},
    {TEXT_LINK, "https:///x", ""},
    {TEXT_LINK, "https://bank.example@evil.example/", ""},
    {TEXT_LINK, "https://e\nvil.example/", ""},
    {TEXT_LINK, "https://a.example/\xe2\x80\xaex", ""},
    {TEXT_LINK, "https://a.example/\">x", ""},
    {TEXT_PICTURE, "/media/0-1x1.jpg", NULL},
    {TEXT_PICTURE, "https://example.org/a.jpg", NULL},
    {TEXT_PICTURE, "http://example.org/a.jpg", ""},
    {TEXT_PICTURE, "//example.org/a.jpg", ""},
    {TEXT_PICTURE, "/\\example.org/a.jpg", ""},
    {TEXT_PICTURE, "/\t/example.org/a.jpg", ""},
    {TEXT_PICTURE, "/a\nb.jpg", ""},
    {TEXT_PICTURE, "a.jpg", ""},
    {TEXT_PICTURE, "data:image/png;base64,x", ""},
    {TEXT_PICTURE, "javascript:x", ""},
    {TEXT_AMOUNT, "12", NULL},
    {TEXT_AMOUNT, "0.5", NULL},
    {TEXT_AMOUNT, "12.50", NULL},
    {TEXT_AMOUNT, "12.", "12."},
    {TEXT_AMOUNT, ".5", ".5"},
    {TEXT_AMOUNT, "-1", "-1"},
    {TEXT_AMOUNT, "1.-5", "1.-5"},
    {TEXT_AMOUNT, "1.234", "1.234"},
    {TEXT_AMOUNT, "about\nfive", "about five"},
    {TEXT_CURRENCY, "EUR", NULL},
    {TEXT_CURRENCY, "eur", "eur"},
    {TEXT_CURRENCY, "EURO", "EURO"},
    {TEXT_SLUG, "low-tide", NULL},
    {TEXT_SLUG, "潮", NULL},
    {TEXT_SLUG, "Low tide", "Low tide"},
    {TEXT_ANY, "a\x01", NULL},
};

int
main(void)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str text = str_of(cases[i].text);
		bool good = cases[i].shown == NULL;

		ok(text_keeps(cases[i].rule, text) == good, "case %zu %s", i,
		    good ? "keeps its rule" : "breaks its rule");
		is_str(text_shown(arena, cases[i].rule, text), good ? text : str_of(cases[i].shown),
		    "... and is shown so that it can do no harm");
	}
	ok(!text_keeps(TEXT_LINE, STR("\xff")), "What is no UTF-8 keeps none.");
	arena_free(arena);
	return tap_done();
}
