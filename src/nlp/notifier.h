/* notifier.h - sends notices for the organisers to a Slack-compatible webhook.
 *
 * For:    serve/server.c: quarantines, aborted games, stalls, milestones, start and shutdown.
 * Memory: a Notifier owns what waits; free it before its loop and its HttpClient.
 * Thread: the loop's. Never waits for the network: at most NOTIFIER_QUEUE_MAX notices wait, further
 *         ones are dropped and counted, and the next one sent says how many.
 * Source: docs/spec/nlp-division.md 7.5, "Slack notices".
 */
#ifndef WARG_NLP_NOTIFIER_H
#define WARG_NLP_NOTIFIER_H

#include "net/http_client.h"
#include "nlp/config.h"

#define NOTIFIER_QUEUE_MAX 64
#define NOTIFIER_TEXT_MAX  3000 /* bytes of a notice; what is longer is cut */

typedef struct Notifier Notifier;

typedef struct NotifierCounts {
    uint64_t sent;    /* the webhook took them */
    uint64_t failed;  /* it did not answer, or not with 2xx */
    uint64_t dropped; /* the queue was full, or the end came first */
} NotifierCounts;

/* A notifier; one that does nothing when it isn't enabled or has no webhook. `config` is borrowed
 * for its life. `note` gets a line for the server's log when a notice could not be sent; it may be
 * NULL. Errors: ERR_MEMORY. */
int notifier_new(Alarms *alarms, HttpClient *http, const ConfigNotifier *config,
                 void (*note)(void *user, Str line), void *user, Notifier **ret_notifier, Err *err);
Notifier *notifier_free(Notifier *notifier); /* takes NULL, returns NULL */

/* Says `text` (copied) if notices of this kind are wanted. Start and shutdown of the server are of
 * the kind NOTICE_MILESTONE. */
void notifier_say(Notifier *notifier, ConfigNotice kind, Str text, TimeUs now);

/* How it stands, at every change: games decided so far, games running, and who is connected and who
 * is missing, for the notice of a stall ({NULL, 0}: no further game is awaited, so nothing can
 * stall). `totals`: how it stands in all, the end of a sentence, for both kinds. Milestones and
 * stalls follow from it; the first call says where counting starts. */
void notifier_progress(Notifier *notifier, uint64_t decided, uint32_t running, Str totals,
                       Str waiting, TimeUs now);

/* The end is near: what waits is sent without min_interval. `flushed` is called once, from the
 * loop, when all of it went out or `limit_ms` have passed; what waits then is dropped. */
void notifier_flush(Notifier *notifier, uint32_t limit_ms, void (*flushed)(void *user), void *user,
                    TimeUs now);

NotifierCounts notifier_counts(const Notifier *notifier);

#endif
