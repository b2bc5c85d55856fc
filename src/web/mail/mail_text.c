/* A letter as it goes over the wire (RFC 5322, MIME): ASCII, lines of CRLF, none longer than 76 characters. */
#include "web/mail/mail.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"

#include <sodium.h>

enum { COLUMNS = 76, WORD_BYTES = 45 };

static bool
is_plain(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.base[i] < 0x20 || text.base[i] > 0x7e)
			return false;
	return text.len <= COLUMNS && text.len != 0;
}

/* A header's text; what is not ASCII as words in base64, split between characters (RFC 2047). */
static void
put_header_text(struct buf *out, struct str text)
{
	char word[sodium_base64_ENCODED_LEN(WORD_BYTES, sodium_base64_VARIANT_ORIGINAL)];
	size_t at = 0, next, end;

	if (is_plain(text)) {
		buf_put(out, text);
		return;
	}
	while (at < text.len) {
		for (end = next = at; next < text.len; end = next) {
			str_rune(text, &next);
			if (next - at > WORD_BYTES)
				break;
		}
		sodium_bin2base64(word, sizeof(word), (const unsigned char *)text.base + at,
		    end - at, sodium_base64_VARIANT_ORIGINAL);
		buf_fmt(out, "%s=?UTF-8?B?%s?=", at != 0 ? "\r\n " : "", word);
		at = end;
	}
}

/* "Wed, 18 Nov 2026 09:30:00 +0000" */
static void
put_date(struct buf *out, int64_t now)
{
	static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char months[][4] = {
	    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	struct date d = time_date(now);

	buf_fmt(out, "%s, %d %s %d %02d:%02d:%02d +0000", days[d.weekday], d.day,
	    months[d.month - 1], d.year, d.hour, d.minute, d.second);
}

/* Quoted-printable: a byte that is not plain, and white space at a line's end, as "=20". */
static void
put_quoted(struct buf *out, struct str text)
{
	size_t column = 0;

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.base[i];
		bool last = i + 1 == text.len || text.base[i + 1] == '\n';
		bool plain = c >= 0x20 && c <= 0x7e && c != '=' && !(c == ' ' && last);

		if (c == '\n') {
			BUF_PUT(out, "\r\n");
			column = 0;
			continue;
		}
		if (column + (plain ? 1 : 3) > COLUMNS - 1) {
			BUF_PUT(out, "=\r\n");
			column = 0;
		}
		if (plain)
			buf_putc(out, (char)c);
		else
			buf_fmt(out, "=%02X", c);
		column += plain ? 1 : 3;
	}
}

struct str
mail_text(struct arena *arena, struct str from, const struct mail *mail, int64_t now, struct str id)
{
	struct buf out = {.arena = arena};
	struct str host;

	str_cut(from, '@', &host);
	BUF_PUT(&out, "Date: ");
	put_date(&out, now);
	buf_fmt(&out, "\r\nFrom: <%.*s>\r\nTo: <%.*s>\r\nSubject: ", STR_ARGS(from),
	    STR_ARGS(mail->to));
	put_header_text(&out, mail->subject);
	buf_fmt(&out, "\r\nMessage-ID: <%.*s@%.*s>\r\n", STR_ARGS(id), STR_ARGS(host));
	BUF_PUT(&out, "MIME-Version: 1.0\r\n"
		      "Content-Type: text/plain; charset=utf-8\r\n"
		      "Content-Transfer-Encoding: quoted-printable\r\n"
		      "Auto-Submitted: auto-generated\r\n\r\n");
	put_quoted(&out, mail->text);
	return buf_str(&out);
}
