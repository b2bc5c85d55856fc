/* The words of texts, as search compares them: what is one, how it is folded, and its stem in the language of the text. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "text/words.h"

/* A text in a language, and its terms. */
static const struct {
	const char *language, *text, *terms;
} cases[] = {
    {"", "The tide, turns.", "the tide turns"},
    {"en", "The tides turned; turning", "the tide turn turn"},
    {"de", "Häfen am Hafen", "haf am haf"},
    {"es", "canción canciones", "cancion cancion"},
    {"xx", "Häfen", "hafen"},
    {"pt-BR", "marés", "mar"},
    {"", "Zürich ZURICH Straße strasse", "zurich zurich strasse strasse"},
    {"", "ŁÓDŹ smørrebrød æon þorn", "lodz smorrebrod aeon thorn"},
    {"", "c++ C# d3.js x a1", "c++ c# d3 js x a1"},
    {"", "l'eau don't rock’n’roll", "eau don rock roll"},
    {"", "ﬁne ２０２４ ŀl", "fine 2024 ll"},
    {"", "東京タワー", "東京 京タ タワ ワー"},
    {"", "йод Йод", "йод йод"},
    {"", "low\377tide\1x", "low tide x"},
    {"", " ... -- \"\" ", ""},
    {"tr", "r\xe8\x80\x80r", "r 耀 r"},
};

static struct str
terms_of(struct arena *arena, const char *language, const char *text)
{
	struct words *words = words_new(str_of(language));
	struct buf out = {.arena = arena};
	size_t count;
	struct word *list = words_list(words, arena, str_of(text), &count);

	for (size_t i = 0; i < count; i++) {
		if (i != 0)
			buf_putc(&out, ' ');
		buf_put(&out, list[i].term);
	}
	words_free(words);
	return buf_str(&out);
}

int
main(void)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(terms_of(arena, cases[i].language, cases[i].text), str_of(cases[i].terms),
		    "%s: “%s”.", cases[i].language[0] != '\0' ? cases[i].language : "no language",
		    cases[i].terms);
	arena_free(arena);
	return tap_done();
}
