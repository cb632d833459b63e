/* notice.h - what people are told: written in the transaction of its cause, sent afterwards.
 *
 * For:    whatever happens on a contest site; site/notice_sender.h sends it, pages show it.
 * Memory: a Notice borrows its texts.
 * Thread: the store's.
 * Source: docs/spec/contest-operations.md 15.
 *
 * A notice is kept as its kind and its words; the text is made when it is sent or shown, in the
 * reader's language. To add a kind: a word below, a row in notice_words.c.
 */
#ifndef WARG_SITE_NOTICE_H
#define WARG_SITE_NOTICE_H

#include "base/json.h"
#include "store/db.h"

typedef enum NoticeKind {
    /* teams; which words a kind has stands behind it, beside `contest` which all have */
    NOTICE_VERSION_RECEIVED,  /* team version */
    NOTICE_VERSION_PASSED,    /* team version */
    NOTICE_VERSION_REFUSED,   /* team version why */
    NOTICE_VERSION_SUSPENDED, /* team version why */
    NOTICE_FINDING,           /* team rule text */
    NOTICE_STRIKE,            /* team rule count */
    NOTICE_RULING,            /* team decision reason */
    NOTICE_ROUND,             /* team stage round text */
    NOTICE_FINALIST,          /* team */
    NOTICE_OUT,               /* team why */
    NOTICE_DEADLINE,          /* what rest date */
    NOTICE_TOKEN_ENDS,        /* label date */
    NOTICE_MISSING,           /* team text */
    NOTICE_FAILING,           /* team text; organisers, too */
    NOTICE_ADDRESSED,         /* team text; organisers, too */
    NOTICE_AMENDED,           /* reason digest */
    NOTICE_ANNOUNCEMENT,      /* text, and text_ja when there is one */
    NOTICE_APPEAL_CLOSED,     /* team decision answer */
    NOTICE_STATE,             /* state text: the contest goes on */
    /* organisers */
    NOTICE_MOVED,      /* from to */
    NOTICE_WAITS,      /* text: what a date that is over waits for */
    NOTICE_JOB_FAILED, /* job what why */
    NOTICE_DISK,       /* text */
    NOTICE_APPEAL,     /* team about text */
    NOTICE_AWAITED,    /* text */
    NOTICE_EXCUSED,    /* stage text */
    NOTICE_PROPOSED,   /* team rule: a finding to rule on */
    NOTICE_SAME_TREE,  /* team others */
    NOTICE_TEAM_WAITS, /* team: to be approved */
    /* one account; these hold a link that is a secret: it is gone from the store once it is sent */
    NOTICE_RESET,  /* link */
    NOTICE_INVITE, /* link team */
    NOTICE_MAIL,   /* link */
    NOTICE_KINDS,
} NoticeKind;

typedef enum NoticeTo {
    TO_ACCOUNT,    /* `id` is an account */
    TO_TEAM,       /* `id` is a team: all its members, and its webhook */
    TO_TEAMS,      /* all teams of the contest that wait or are in */
    TO_ORGANISERS, /* of the contest, else the server's admins; and the server's webhook */
} NoticeTo;

typedef struct NoticeWord {
    const char *name;
    Str value; /* may be anybody's text: it is shown as text and nothing else */
} NoticeWord;

typedef struct Notice {
    NoticeKind kind;
    NoticeTo to;
    int64_t id;
    int64_t contest; /* 0: the server's own */
    const NoticeWord *words;
    size_t word_count;
    const char *mark; /* what is told only once has a name: of two with one mark the first counts.
                       * NULL: each time */
} Notice;

#define NOTICE_TRIES      8
#define NOTICE_NO_MAIL    "no mail is sent from this site" /* a mail's error: the site has it */
#define NOTICE_BODY_BYTES (64 * 1024)

/* Adds a row for each who is told and each way: "site", "mail" for who has an address, "hook" for a
 * team, or a server, with a webhook (`hook` of meta). Inside the caller's transaction. What a
 * team's captain has switched off is left out, but for announcements and conduct. Errors: those of
 * db_step.
 */
int notice_put(Db *db, const Notice *notice, int64_t now_ms, Err *err);

/* What could not be done, and stands as it was until somebody has seen to it. */
typedef struct FailedJob {
    int64_t contest;
    Str job;  /* its id */
    Str what; /* it is of: a kind, a stage, a rule */
    Str why;
    const char *mark; /* as that of a notice */
} FailedJob;

/* Tells organisers. As notice_put. */
int notice_job_failed(Db *db, const FailedJob *failed, int64_t now_ms, Err *err);

/* What goes by mail or webhook and has not gone. */
typedef struct NoticesUnsent {
    uint32_t waiting; /* for their next try */
    uint32_t failed;  /* were tried NOTICE_TRIES times, and are not tried again */
} NoticesUnsent;

/* Those of a contest; with 0 all that there are. A mail where no mail is sent is none. Errors:
 * those of db_step. */
int notices_unsent_count(Db *db, int64_t contest, NoticesUnsent *ret_unsent, Err *err);

/* "version-passed", as the store has it; "" for NOTICE_KINDS. */
const char *notice_kind_name(NoticeKind kind);
bool notice_kind_of(Str name, NoticeKind *ret_kind);
/* Whether a captain may switch it off. */
bool notice_may_be_off(NoticeKind kind);
bool notice_is_secret(NoticeKind kind);

/* Subject and text of a row: `kind` and `body` are its columns. Neither has anything but what
 * stands in our tables and the words' values; the subject has no word of anybody's. A kind that is
 * not known gives its name. Errors: ERR_MEMORY. */
int notice_text(Str kind, Str body, bool japanese, Buf *subject, Buf *text, Err *err);

/* The newest `limit` in-site notices of a team (or, with `team` 0, of an account), newest first, as
 * an array of {"id","at","kind","contest","subject","text"}. Errors: those of db_step. */
int notice_write(Db *db, int64_t team, int64_t account, uint32_t limit, bool japanese, Json *json,
                 Err *err);

#endif
