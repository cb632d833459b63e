/* notice_sender.h - sends notices by mail and to webhooks, at least once each.
 *
 * For:    `warg contest serve`.
 * Memory: a NoticeSender owns what is under way; free it before its loop, HttpClient and store.
 * Thread: the loop's, which is the store's. Nothing waits: a peer that hangs costs a place for as
 *         long as its deadline, and delays nobody else.
 * Source: docs/spec/contest-operations.md 15; O46.
 *
 *   row due -> one at a time for each address, for each webhook -> sent, or later again: 8 tries
 *   within 24 h. To one address at most 20 mails an hour; what comes beyond waits and goes as one.
 */
#ifndef WARG_SITE_NOTICE_SENDER_H
#define WARG_SITE_NOTICE_SENDER_H

#include "net/http_client.h"
#include "site/notice.h"

#define NOTICE_MAILS_PER_HOUR 20

typedef struct NoticeSender NoticeSender;

/* Borrowed for its life. */
typedef struct NoticeSenderSetup {
    Db *db;
    Loop *loop;
    HttpClient *http;
    const char *data;         /* mails on their way are files in DATA/outgoing */
    Str host;                 /* of public_url */
    const char *mail_command; /* "" = no mail is sent */
    const char *mail_from;
    const char *hook_url; /* the organisers' webhook; "" = none */
    const char *hook_secret;
    bool any_hook;             /* webhooks of teams may lead to addresses that are not public */
    uint32_t mail_ms, hook_ms; /* deadlines; 0 = 60 s, 10 s */
} NoticeSenderSetup;

/* Notes in the store whether the organisers have a webhook. Errors: ERR_IO, ERR_MEMORY; the
 * store's. */
int notice_sender_new(const NoticeSenderSetup *setup, NoticeSender **ret_sender, Err *err);
/* What is under way is given up, and sent by the next one. Takes NULL, returns NULL. */
NoticeSender *notice_sender_free(NoticeSender *sender);

/* Begins what is due. Call it each second. Errors: those of the store. */
int notice_sender_tick(NoticeSender *sender, int64_t now_ms, Err *err);

typedef struct NoticeSenderCounts {
    uint64_t sent, failed; /* deliveries */
    uint32_t under_way;
} NoticeSenderCounts;
NoticeSenderCounts notice_sender_counts(const NoticeSender *sender);

#endif
