/* Forms: inputs become values that fit the declaration, or an error message for each field. */
#include "lib/aborts.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "web/form/form.h"

enum kind { KIND_ARTICLE = 7, KIND_LINK = 9 };

static const struct choice kind_choices[] = {
    {STR_INIT("article"), "Article", KIND_ARTICLE},
    {STR_INIT("link"), "Link", KIND_LINK},
    {{NULL, 0}, NULL, 0},
};

struct sample {
	struct str title, text, password, slug, username, email, url, portrait, language;
	int64_t stars, any, kind, at;
	bool pinned;
	struct strings tags;
	struct part picture;
};

static const struct field sample_fields[] = {
    {FIELD_LINE(struct sample, title), .label = "Title", .min = 2, .max = 5},
    {FIELD_TEXT(struct sample, text), .label = "Text", .max = 12},
    {FIELD_PASSWORD(struct sample, password), .label = "Password", .min = 3},
    {FIELD_SLUG(struct sample, slug), .label = "Address"},
    {FIELD_NAME(struct sample, username), .label = "Name"},
    {FIELD_EMAIL(struct sample, email), .label = "E-mail"},
    {FIELD_URL(struct sample, url), .label = "Link"},
    {FIELD_NUMBER(struct sample, stars), .label = "Stars", .min = 1, .max = 5},
    {FIELD_NUMBER(struct sample, any), .label = "Number", .wrong = "Not that."},
    {FIELD_CHOICE(struct sample, kind), .label = "Kind", .choices = kind_choices},
    {FIELD_TIME(struct sample, at), .label = "Time"},
    {FIELD_FLAG(struct sample, pinned), .label = "Pinned"},
    {FIELD_LIST(struct sample, tags), .label = "Tags", .max = 5, .count_max = 3},
    {FIELD_FILE(struct sample, picture), .label = "Picture", .max = 4096},
    {FIELD_PICTURE(struct sample, portrait), .label = "Portrait"},
    {FIELD_LANGUAGE(struct sample, language), .label = "Language"},
};
static const struct form sample = FORM("sample", struct sample, sample_fields, .files = true);

/* Reads `text` as a query is written, but with bytes as they are and `|` between inputs. */
static void
read_inputs(struct arena *arena, const struct form *form, struct str text, struct form_result *out)
{
	struct part parts[20] = {{.file = false}};
	struct parts inputs = {parts, 0};

	while (text.len != 0) {
		struct str piece = str_cut(text, '|', &text);

		parts[inputs.count].name = str_cut(piece, '=', &parts[inputs.count].content);
		inputs.count++;
	}
	form_read(arena, form, &inputs, out);
}

/* One field's typed value, as text. */
static struct str
value_of(struct arena *arena, const struct form_result *result, const struct field *field)
{
	const void *value = (const char *)result->values + field->offset;
	struct buf out = {.arena = arena};

	switch (field->kind) {
	case FIELD_KIND_NUMBER:
	case FIELD_KIND_CHOICE:
	case FIELD_KIND_TIME: return str_fmt(arena, "%" PRId64, *(const int64_t *)value);
	case FIELD_KIND_FLAG: return *(const bool *)value ? STR("true") : STR("false");
	case FIELD_KIND_LIST:
		for (size_t i = 0; i < ((const struct strings *)value)->count; i++)
			buf_fmt(&out, "%s%.*s", i != 0 ? "," : "",
			    STR_ARGS(((const struct strings *)value)->strings[i]));
		return buf_str(&out);
	case FIELD_KIND_FILE: return ((const struct part *)value)->content;
	default: return *(const struct str *)value;
	}
}

#define PICTURE_WRONG "Write an address that begins with https://, or that of one of your pictures."

static const struct {
	struct str inputs; /* the first input's field is looked at */
	struct str value;  /* or the error, when `bad` */
	bool bad;
} cases[] = {
    {STR_INIT("title=abc"), STR_INIT("abc"), false},
    {STR_INIT("title=  \t "), STR_INIT(""), false},
    {STR_INIT("title=\xc2\xa0\xe2\x80\x8b"), STR_INIT(""), false}, /* nothing to see */
    {STR_INIT("title=\xe3\x85\xa4\xef\xb8\x8f"), STR_INIT(""), false},
    {STR_INIT("title=\xe2\x80\x8f\xd7\x90\xe2\x80\x8f"),
	STR_INIT("\xe2\x80\x8f\xd7\x90\xe2\x80\x8f"), false},
    {STR_INIT("text=a\xe2\x80\xae"), STR_INIT("a\xe2\x80\xae"), false}, /* a text may */
    {STR_INIT("title=\n ab \n"), STR_INIT("ab"), false},
    {STR_INIT("title=äöüßé"), STR_INIT("äöüßé"), false},
    {STR_INIT("title=äöüßé1"), STR_INIT("Title may have 5 characters at most; this has 6."), true},
    {STR_INIT("title=a"), STR_INIT("Title needs 2 characters at least; this has 1."), true},
    {STR_INIT("title=a\nb"), STR_INIT("Title must be one line."), true},
    {STR_INIT("title=a\rb"), STR_INIT("Title must be one line."), true},
    {STR_INIT("title=a\tb"), STR_INIT("Title must be one line."), true},
    {STR_INIT("title=a\xff"), STR_INIT("Title has a character that is not text."), true},
    {STR_INIT("title=a\0b"), STR_INIT("Title has a character that is not text."), true},
    {STR_INIT("title=a\x1b["), STR_INIT("Title has a character that is not text."), true},
    {STR_INIT("title=a\xc2\x85"), STR_INIT("Title has a character that is not text."), true},
    {STR_INIT("title=a\xe2\x80\xae"), STR_INIT("Title has a character that is not text."), true},
    {STR_INIT("title=a\xe2\x81\xa6"), STR_INIT("Title has a character that is not text."), true},
    {STR_INIT("title=ab|title=ab"), STR_INIT("Title was sent more than once."), true},
    {STR_INIT("text=a\r\nb\rc\n\n"), STR_INIT("a\nb\nc"), false},
    {STR_INIT("text=\n \n    code\n"), STR_INIT("    code"), false},
    {STR_INIT("text=\ta"), STR_INIT("\ta"), false},
    {STR_INIT("text=\r\n\r\n"), STR_INIT(""), false},
    {STR_INIT("text=1\r\n3\r\n5\r\n7\r\n9\r\n1\r\n3"),
	STR_INIT("Text may have 12 characters at most; this has 13."), true},
    {STR_INIT("password=  ab "), STR_INIT("  ab "), false},
    {STR_INIT("password=ab"), STR_INIT("Password needs 3 characters at least; this has 2."), true},
    {STR_INIT("slug=a-b-2"), STR_INIT("a-b-2"), false},
    {STR_INIT("slug=A-b"), STR_INIT("a-b"), false},
    {STR_INIT("slug=a--b"), STR_INIT("Use letters, digits, and single hyphens between them."),
	true},
    {STR_INIT("slug=-a"), STR_INIT("Use letters, digits, and single hyphens between them."), true},
    {STR_INIT("slug=a-"), STR_INIT("Use letters, digits, and single hyphens between them."), true},
    {STR_INIT("slug=a/b"), STR_INIT("Use letters, digits, and single hyphens between them."), true},
    {STR_INIT("username=Ada_1"), STR_INIT("ada_1"), false},
    {STR_INIT("username=ad"), STR_INIT("Name needs 3 characters at least; this has 2."), true},
    {STR_INIT("username=a-da"), STR_INIT("Use letters from a to z, digits and underscores."), true},
    {STR_INIT("email=Ada.L+x@Example.ORG"), STR_INIT("ada.l+x@example.org"), false},
    {STR_INIT("email=ada%2500@x.y"), STR_INIT("This is not an e-mail address."), true},
    {STR_INIT("email=ada@localhost"), STR_INIT("This is not an e-mail address."), true},
    {STR_INIT("email=ada@x..y"), STR_INIT("This is not an e-mail address."), true},
    {STR_INIT("email=ada@-x.y"), STR_INIT("This is not an e-mail address."), true},
    {STR_INIT("email=ada@x.y."), STR_INIT("This is not an e-mail address."), true},
    {STR_INIT("email=@x.y"), STR_INIT("This is not an e-mail address."), true},
    {STR_INIT("email=a b@x.y"), STR_INIT("This is not an e-mail address."), true},
    {STR_INIT("email=a..b@x.y"), STR_INIT("This is not an e-mail address."), true},
    {STR_INIT("email=a@b@x.y"), STR_INIT("This is not an e-mail address."), true},
    {STR_INIT("url=https://x.example/a?b#c"), STR_INIT("https://x.example/a?b#c"), false},
    {STR_INIT("url=http://[::1]:80"), STR_INIT("http://[::1]:80"), false},
    {STR_INIT("url=javascript:alert(1)"),
	STR_INIT("Write a whole address that begins with https:// or http://."), true},
    {STR_INIT("url=https://"),
	STR_INIT("Write a whole address that begins with https:// or http://."), true},
    {STR_INIT("url=https://bank.example@evil.example/"),
	STR_INIT("Write a whole address that begins with https:// or http://."), true},
    {STR_INIT("url=https://x/\"onclick"),
	STR_INIT("Write a whole address that begins with https:// or http://."), true},
    {STR_INIT("portrait=/media/x.jpg"), STR_INIT("/media/x.jpg"), false},
    {STR_INIT("portrait=https://x.example/y"), STR_INIT("https://x.example/y"), false},
    {STR_INIT("portrait=http://x.example/y"), STR_INIT(PICTURE_WRONG), true},
    {STR_INIT("portrait=//x.example/y"), STR_INIT(PICTURE_WRONG), true},
    {STR_INIT("portrait=data:image/png,x"), STR_INIT(PICTURE_WRONG), true},
    {STR_INIT("language= pt-BR"), STR_INIT("pt-BR"), false},
    {STR_INIT("language="), STR_INIT(""), false},
    {STR_INIT("language=english"), STR_INIT("Write a language tag, such as en or pt-BR."), true},
    {STR_INIT("stars=5"), STR_INIT("5"), false},
    {STR_INIT("stars= 1 "), STR_INIT("1"), false},
    {STR_INIT("stars="), STR_INIT("0"), false},
    {STR_INIT("stars=0"), STR_INIT("Stars must be a whole number from 1 to 5."), true},
    {STR_INIT("stars=1.5"), STR_INIT("Stars must be a whole number from 1 to 5."), true},
    {STR_INIT("stars=99999999999999999999"), STR_INIT("Stars must be a whole number from 1 to 5."),
	true},
    {STR_INIT("any=-9000000000"), STR_INIT("-9000000000"), false},
    {STR_INIT("any=x"), STR_INIT("Not that."), true},
    {STR_INIT("kind=link"), STR_INIT("9"), false},
    {STR_INIT("kind="), STR_INIT("7"), false},
    {STR_INIT("kind=Link"), STR_INIT("Choose one of these."), true},
    {STR_INIT("at=2026-11-18T09:30"), STR_INIT("1794994200000"), false},
    {STR_INIT("at=2026-11-18T09:30:01"), STR_INIT("1794994201000"), false},
    {STR_INIT("at=2026-02-30T09:30"),
	STR_INIT("Write a date and a time, such as 2026-11-18T09:30."), true},
    {STR_INIT("pinned=on"), STR_INIT("true"), false},
    {STR_INIT("pinned=0"), STR_INIT("false"), false},
    {STR_INIT("tags=b|tags= a |tags=|tags=b"), STR_INIT("b,a,b"), false},
    {STR_INIT("tags=a|tags=b|tags=c|tags=d"), STR_INIT("Tags: 3 at most."), true},
    {STR_INIT("tags=a|tags=123456"), STR_INIT("Tags may have 5 characters at most; this has 6."),
	true},
    {STR_INIT("picture=not a file"), STR_INIT(""), false},
};

/* Bytes that a sentence of a test can't have, as people write them. */
static struct str
spelled(struct arena *arena, struct str s)
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < s.len; i++) {
		if (s.base[i] == '\n')
			BUF_PUT(&out, "\\n");
		else if ((unsigned char)s.base[i] < 0x20 || s.base[i] == '\xff')
			buf_fmt(&out, "\\x%02x", (unsigned char)s.base[i]);
		else
			buf_putc(&out, s.base[i]);
	}
	return buf_str(&out);
}

static void
fields(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct form_result result;
		struct str rest, name = str_cut(cases[i].inputs, '=', &rest);
		const struct field_result *f = NULL;

		read_inputs(arena, &sample, cases[i].inputs, &result);
		for (size_t n = 0; n < sample.count; n++)
			if (str_eq(sample_fields[n].name, name))
				f = &result.fields[n];
		if (f == NULL)
			bail_out("no field of that name");
		is_str(cases[i].bad ? str_of(f->error) : value_of(arena, &result, f->field),
		    cases[i].value, "%.*s", STR_ARGS(spelled(arena, cases[i].inputs)));
		ok(result.valid == !cases[i].bad && result.error_count == cases[i].bad, "... is %s",
		    cases[i].bad ? "one error" : "good");
	}
}

static void
required(struct arena *arena)
{
	struct wanted {
		struct str title, text;
		bool agreed;
		struct strings tags;
		int64_t kind;
		struct part picture;
	};
	static const struct field wanted_fields[] = {
	    {FIELD_LINE(struct wanted, title), .label = "Title", .required = true,
		.missing = "Write a title."},
	    {FIELD_TEXT(struct wanted, text), .label = "Text", .required = true},
	    {FIELD_FLAG(struct wanted, agreed), .label = "Agreed", .required = true},
	    {FIELD_LIST(struct wanted, tags), .label = "Tags", .required = true},
	    {FIELD_CHOICE(struct wanted, kind), .label = "Kind", .required = true,
		.choices = kind_choices},
	    {FIELD_FILE(struct wanted, picture), .label = "Picture", .required = true},
	};
	static const struct form wanted =
	    FORM("wanted", struct wanted, wanted_fields, .files = true);
	static const char *const sentences[] = {"Write a title.", "Text must not be empty.",
	    "Tick this to go on.", "Tags must not be empty.", "Choose one of these.",
	    "Choose a file."};
	struct form_result result;

	read_inputs(arena, &wanted, STR("title= |tags= "), &result);
	is_int((int64_t)result.error_count, 6, "every required field that is missing is an error");
	for (size_t i = 0; i < wanted.count; i++)
		is_str(str_of(result.fields[i].error), str_of(sentences[i]),
		    "... with a sentence of its own");
}

static void
shown_again(struct arena *arena)
{
	struct form_result result;

	read_inputs(arena, &sample,
	    STR("title=far too long|password=secret|tags=a|tags=b c|nobody=knows|text=\xff"),
	    &result);
	ok(!result.valid, "a form with an error is not valid");
	is_str(form_raw(&result, "title"), STR("far too long"), "what was typed is kept");
	is_str(form_raw(&result, "password"), STR(""), "but never a password");
	is_str(form_raw(&result, "text"), STR(""), "and nothing that is not text");
	is_int((int64_t)result.fields[12].raw.count, 2, "a list keeps all that was typed");
	is_str(((struct sample *)result.values)->title, STR(""), "a wrong field has no value");
	is_str(((struct sample *)result.values)->password, STR("secret"), "a good one has");
	is_str(form_raw(&result, "nobody"), STR(""), "an unknown input is ignored");
}

static void
by_handlers(struct arena *arena)
{
	struct form_result result;

	read_inputs(arena, &sample, STR("slug=taken"), &result);
	form_refuse(&result, "slug", "This address is taken.");
	ok(!result.valid && result.error_count == 1, "a handler can refuse a field");
	is_str(str_of(form_error(&result, "slug")), STR("This address is taken."),
	    "... with its sentence");
	is_str(form_raw(&result, "slug"), STR("taken"), "... and what was typed stays");
	form_refuse(&result, "slug", "Again.");
	is_int((int64_t)result.error_count, 1, "a field counts once, however often refused");
	form_empty(arena, &sample, &result);
	form_fill(&result, "title", STR("Old"));
	form_fill_more(&result, "tags", STR("a"));
	form_fill_more(&result, "tags", STR("b"));
	form_fill_more(&result, "tags", STR("c"));
	ok(result.valid && str_eq(form_raw(&result, "title"), STR("Old")) &&
		result.fields[12].raw.count == 3 &&
		str_eq(result.fields[12].raw.strings[2], STR("c")),
	    "a form can begin with what is stored");
}

static void
files(struct arena *arena)
{
	static const char bytes[5000] = "GIF89a";
	struct part sent[] = {
	    {.name = STR_INIT("title"), .content = STR_INIT("abc")},
	    {.name = STR_INIT("picture"),
		.filename = STR_INIT("a.gif"),
		.content = {bytes, 4096},
		.file = true},
	};
	const struct parts parts = {sent, 2};
	struct form_result result;
	const struct sample *values;

	form_read(arena, &sample, &parts, &result);
	values = result.values;
	ok(result.valid && values->picture.content.len == 4096 &&
		str_eq(values->picture.filename, STR("a.gif")) && str_eq(values->title, STR("abc")),
	    "a file and a text come together");
	sent[1].content.len = 4097;
	form_read(arena, &sample, &parts, &result);
	is_str(str_of(form_error(&result, "picture")), STR("This file is larger than 4 KB."),
	    "a file that is too large is refused");
	sent[1].content.len = 0;
	sent[1].filename.len = 0;
	form_read(arena, &sample, &parts, &result);
	values = result.values;
	ok(result.valid && !values->picture.file, "a file that was not chosen is none");
}

static void
show_empty(void *arg)
{
	struct arena *arena = arena_new();
	struct form_result result;

	form_empty(arena, arg, &result);
}

static void
declarations(void)
{
	struct field twice[] = {sample_fields[0], sample_fields[0]}, far = sample_fields[1];
	struct form forms[] = {sample, sample};

	far.offset = sizeof(struct sample);
	forms[0].fields = twice;
	forms[0].count = 2;
	forms[1].fields = &far;
	forms[1].count = 1;
	aborts(show_empty, &forms[0], true, "a form has each field once");
	aborts(show_empty, &forms[1], true, "a field's value lies in the form's struct");
}

int
main(void)
{
	struct arena *arena = arena_new();

	fields(arena);
	required(arena);
	shown_again(arena);
	by_handlers(arena);
	files(arena);
	declarations();
	arena_free(arena);
	return tap_done();
}
