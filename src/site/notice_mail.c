#include "site/notice_mail.h"

#include "base/date_text.h"
#include "base/digest.h"
#include "base/json.h"

#define LINE_BYTES 76 /* of base64 in a mail */
#define WORD_BYTES 45 /* of a subject, in one encoded word: 60 of base64 */
#define MAIL_MAX   254
#define URL_MAX    2000

bool notice_mail_is_address(Str text)
{
    size_t at = 0;

    if (text.len > MAIL_MAX || !str_find(text, STR("@"), &at) || at == 0 || at + 1 >= text.len ||
        text.bytes[0] == '-')
        return false;
    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.bytes[i];
        if (c <= ' ' || c == 0x7f || strchr(",;:<>()[]\"\\", c) || (c == '@' && i != at))
            return false;
    }
    return true;
}

/* "Thu, 01 Apr 2027 09:00:00 +0000" */
static void add_date(int64_t ms, Buf *out)
{
    static const char *const days[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const int64_t seconds = ms / 1000;
    int year, month, day;

    date_text_day(seconds / 86400, &year, &month, &day);
    buf_printf(out, "%s, %02d %s %04d %02d:%02d:%02d +0000", days[seconds / 86400 % 7], day,
               months[month - 1], year, (int)(seconds / 3600 % 24), (int)(seconds / 60 % 60),
               (int)(seconds % 60));
}

static bool is_plain_ascii(Str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.bytes[i] < ' ' || text.bytes[i] == 0x7f)
            return false;
    return true;
}

/* How much of a text fits into one encoded word without cutting a character. */
static size_t word_length(Str text)
{
    size_t length = text.len < WORD_BYTES ? text.len : WORD_BYTES;

    while (length < text.len && length > 0 && ((unsigned char)text.bytes[length] & 0xc0) == 0x80)
        length--;
    return length ? length : text.len;
}

static void add_subject(Str subject, Buf *out)
{
    buf_add(out, STR("Subject: "));
    if (is_plain_ascii(subject) && subject.len <= LINE_BYTES) {
        buf_add(out, subject);
        buf_add_char(out, '\n');
        return;
    }
    for (bool first = true; subject.len; first = false) {
        const size_t length = word_length(subject);
        buf_add(out, first ? STR("=?UTF-8?B?") : STR(" =?UTF-8?B?"));
        base64_encode(str_part(subject, 0, length), false, out);
        buf_add(out, STR("?=\n"));
        subject = str_part(subject, length, subject.len);
    }
}

static void add_text(Str text, Buf *out)
{
    CLEANUP(buf_done) Buf packed = {0};

    base64_encode(text, false, &packed);
    for (Str rest = buf_str(&packed); rest.len; rest = str_part(rest, LINE_BYTES, rest.len)) {
        buf_add(out, str_part(rest, 0, LINE_BYTES));
        buf_add_char(out, '\n');
    }
    if (buf_failed(&packed))
        buf_fail(out);
}

int notice_mail_write(const NoticeMail *mail, Buf *out, Err *err)
{
    if (!notice_mail_is_address(mail->to) || !notice_mail_is_address(mail->from))
        return err_set(err, ERR_RULE, "mail: one address is expected");
    buf_printf(out, "From: %.*s\nTo: %.*s\n", STR_ARG(mail->from), STR_ARG(mail->to));
    add_subject(mail->subject, out);
    buf_add(out, STR("Date: "));
    add_date(mail->at_ms, out);
    buf_printf(out, "\nMessage-ID: <warg-notice-%lld@%.*s>\n", (long long)mail->id,
               STR_ARG(mail->host));
    buf_add(out, STR("Auto-Submitted: auto-generated\nMIME-Version: 1.0\n"
                     "Content-Type: text/plain; charset=utf-8\n"
                     "Content-Transfer-Encoding: base64\n\n"));
    add_text(mail->text, out);
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "mail: out of memory") : 0;
}

/* ---- webhooks ---- */

int notice_hook_write(const NoticeHook *hook, Buf *body, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(body);
    char id[24], room[DATE_TEXT_ROOM];

    snprintf(id, sizeof(id), "%lld", (long long)hook->id);
    buf_printf(&text, "%.*s\n%.*s", STR_ARG(hook->subject), STR_ARG(hook->text));
    json_open(&json, '{');
    json_add_str(&json, "id", str_of(id));
    json_add_str(&json, "kind", hook->kind);
    json_add_str(&json, "contest", hook->contest);
    json_add_str(&json, "at", date_text_write(hook->at_ms, room));
    json_add_str(&json, "text", buf_str(&text));
    json_key(&json, STR("words"));
    json_put_raw(&json, hook->words.len ? hook->words : STR("{}"));
    json_add_str(&json, "checkpoint", hook->checkpoint);
    json_close(&json);
    return buf_failed(body) || buf_failed(&text)
               ? err_set(err, ERR_MEMORY, "webhook: out of memory")
               : 0;
}

int notice_hook_sign(Str secret, Str body, char ret_header[static NOTICE_SIGNATURE_BYTES], Err *err)
{
    unsigned char mac[DIGEST_BYTES_MAX];
    size_t length = 0;
    int rc = hmac_sha(256, secret, body, mac, &length, err);

    if (rc)
        return rc;
    int used = snprintf(ret_header, NOTICE_SIGNATURE_BYTES, "X-Warg-Signature: sha256=");
    for (size_t i = 0; i < length; i++)
        used += snprintf(ret_header + used, NOTICE_SIGNATURE_BYTES - (size_t)used, "%02x", mac[i]);
    return 0;
}

int notice_hook_judge(Str url, Err *err)
{
    const bool secure = str_starts(url, STR("https://"));
    Str rest = str_part(url, secure ? 8 : 7, url.len);
    bool good = url.len <= URL_MAX && (secure || str_starts(url, STR("http://"))) && rest.len &&
                rest.bytes[0] != '/';

    for (size_t i = 0; good && i < url.len; i++)
        good = url.bytes[i] > ' ' && url.bytes[i] <= '~' && !strchr("\"<>\\^`{|}#", url.bytes[i]);
    const Str host = str_cut(&rest, '/');
    if (good && !memchr(host.bytes, '@', host.len))
        return 0;
    return err_set(err, ERR_RULE, "webhook: a URL as https://hooks.example.org/x is expected");
}
