/* notice_mail.h - a notice as a mail, and as what a webhook gets.
 *
 * For:    site/notice_sender.c.
 * Memory: appends to the caller's buffers.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 15; RFC 5322, 2045, 2047. No header holds anybody's text
 * but one address, which is looked at again; the text is base64, so that no line of it is a line of
 * the mail.
 */
#ifndef WARG_SITE_NOTICE_MAIL_H
#define WARG_SITE_NOTICE_MAIL_H

#include "base/buf.h"
#include "base/err.h"

typedef struct NoticeMail {
    int64_t id; /* of the notice: the mail's, too, each time it is tried */
    Str host;   /* of public_url, behind the '@' of the mail's id */
    Str from, to;
    Str subject; /* UTF-8 */
    Str text;
    int64_t at_ms;
} NoticeMail;

/* Errors: ERR_RULE for an address that is not exactly one; ERR_MEMORY. */
int notice_mail_write(const NoticeMail *mail, Buf *out, Err *err);

/* Whether it is one address and nothing else: what may stand behind "To:". */
bool notice_mail_is_address(Str text);

typedef struct NoticeHook {
    int64_t id;
    Str kind, contest;
    Str subject, text;
    Str words;      /* the notice's body: a JSON object */
    Str checkpoint; /* of the contest's ledger; may be empty */
    int64_t at_ms;
} NoticeHook;

#define NOTICE_SIGNATURE_BYTES 96

/* {"id","kind","contest","at","text","words","checkpoint"}; `text` is what Slack and its like show.
 * Errors: ERR_MEMORY. */
int notice_hook_write(const NoticeHook *hook, Buf *body, Err *err);

/* "X-Warg-Signature: sha256=HEX" of HMAC-SHA256(secret, body). Errors: ERR_MEMORY. */
int notice_hook_sign(Str secret, Str body, char ret_header[static NOTICE_SIGNATURE_BYTES],
                     Err *err);

/* Whether a URL can be a webhook's: http or https, no name or password in it, at most 2000 bytes of
 * ASCII. Errors: ERR_RULE with the field. */
int notice_hook_judge(Str url, Err *err);

#endif
