/* Tags of languages: which are some, and which way they are written. */
#include "lib/tap.h"

#include "model/language.h"

static const struct {
	const char *tag;
	bool valid;
} tags[] = {
    {"en", true}, {"EN", true}, {"gsw", true}, {"pt-BR", true}, {"pt-br", true}, {"es-419", true},
    {"zh-Hant", true}, {"zh-Hant-TW", true}, {"de-1996", true}, {"sl-IT-rozaj-biske", true},
    {"ca-valencia", true}, {"de-Latn-DE-1996-abcdefgh-ijklmnop", true}, {"", false}, {"e", false},
    {"english", false}, {"en_US", false}, {"en-", false}, {"-en", false}, {"en--US", false},
    {"en-US-", false}, {"12", false}, {"e1", false}, {"en-U1", false}, {"en-41", false},
    {"en-4190", true}, /* as a variant */
    {"en-a190", false}, {"zh-TW-Hant", false}, {"zh-Hant-Hans", false}, {"pt-BR-PT", false},
    {"de-1996-DE", false}, {"en-x-mine", false}, {"en-u-ca-gregory", false}, {"i-klingon", false},
    {"en US", false}, {"d\xc3\xa9", false}, {"en\"", false}, {"de-abcdefghi", false},
    {"de-Latn-DE-1996-abcdefgh-ijklmnop-qr", false},
    {"de-Latn-DE-abcdefgh-ijklmnop-qrstuv1", false}, /* too long */
};

static const struct {
	const char *tag, *direction;
} directions[] = {
    {"en", "ltr"},
    {"ar", "rtl"},
    {"AR", "rtl"},
    {"ar-EG", "rtl"},
    {"ar-Latn", "ltr"},
    {"he", "rtl"},
    {"fa-IR", "rtl"},
    {"ur", "rtl"},
    {"yi", "rtl"},
    {"az", "ltr"},
    {"az-arab", "rtl"},
    {"az-Latn-IR", "ltr"},
    {"arn", "ltr"}, /* Mapudungun */
    {"zh-Hant-TW", "ltr"},
    {"", "ltr"},
};

int
main(void)
{
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		ok(language_valid(str_of(tags[i].tag)) == tags[i].valid, "'%s' is %s", tags[i].tag,
		    tags[i].valid ? "a tag" : "none");
	ok(!language_valid((struct str){"en\0", 3}), "nor is one with a NUL");
	for (size_t i = 0; i < sizeof(directions) / sizeof(directions[0]); i++)
		is_str(language_direction(str_of(directions[i].tag)),
		    str_of(directions[i].direction), "'%s' is written %s", directions[i].tag,
		    directions[i].direction);
	return tap_done();
}
