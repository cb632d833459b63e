/* asker.h - a player's side of its interface agent: one question at a time, answered once, in time,
 *           by nobody else.
 *
 * For:    maw/asked.h, which has a driver or a model's seat ask.
 * Memory: a MawAsker owns its texts; what it tells is borrowed for the call.
 * Thread: one at a time. Time is an argument.
 * Source: docs/spec/maw.md 2.5, 3.1 to 3.3, 4; seed 002 tables 2, 3, 14, 16 to 19.
 *
 *   QUIET --maw_asker_ask--> OPEN --the interface's answer to this question--> QUIET (ANSWERED)
 *                             |  \--its error, its message that came back----> QUIET (why)
 *                             |  \--`ends`---------------------------------> QUIET (TIMEOUT)
 *                             +--asked anew, cancelled--------------------> (nothing is told)
 *
 * As long as nothing was ever heard of the interface, the open question is sent again every five
 * seconds, the same one: it may have been lost on the way.
 *
 * What comes from others, to another question, twice, too late, or is too long changes nothing; it
 * is counted, and said once of each kind. An answer names its question by in-reply-to; by
 * reply-with, when it kept all metadata of the question (SPADE's make_reply); or by the thread,
 * which is the question's own. One that names none counts when it comes from the interface while a
 * question is open, but from a model not before as many as it still owes: what was thought in the
 * night must not be said by day.
 */
#ifndef WARG_MAW_ASKER_H
#define WARG_MAW_ASKER_H

#include "base/time_us.h"
#include "wire/maw_message.h"

typedef struct MawAsker MawAsker;

typedef enum MawAsks {
    ASKS_USER,
    ASKS_MODEL,
} MawAsks;

typedef enum AskedOutcome {
    ASKED_ANSWERED,
    ASKED_TIMEOUT, /* user-timeout, model-timeout, or nothing at all */
    ASKED_FAILED,  /* model-error, and whatever else went wrong there */
    ASKED_REFUSED, /* not-a-bot, not-a-human: asking again is of no use */
    ASKED_GONE,    /* nobody is there: the question came back */
} AskedOutcome;

typedef struct MawAnswered {
    AskedOutcome outcome;
    /* ANSWERED: by a user one of vote, chat, listen, name, whisper, query_role, show_score; by a
     * model NULL when its body is none of them. */
    const MawMessage *message;
    Str body; /* ANSWERED: as it came */
    Str code; /* else, as the interface says; may be empty */
    Str text; /* for people */
} MawAnswered;

typedef struct MawAskerSetup {
    Str jid;       /* the player's, as it sends; copied */
    Str interface; /* bare, or with the resource that alone may answer; copied */
    MawAsks kind;
    uint64_t nonce; /* unlike that of an earlier life */
    void (*send)(void *user, const MawStanza *stanza);
    void (*answered)(void *user, const MawAnswered *answered, TimeUs now);
    void (*note)(void *user, Str line); /* for the operator; may be NULL */
    void *user;
} MawAskerSetup;

#define MAW_ANSWER_BYTES_MAX ((size_t)16 * 1024) /* of an answer's body */

/* Errors: ERR_RULE (an address that is none), ERR_MEMORY. */
int maw_asker_new(const MawAskerSetup *setup, MawAsker **ret_asker, Err *err);
MawAsker *maw_asker_free(MawAsker *asker); /* takes NULL */

/* Asks; what was open is open no more, without a word. `question`: a get_input. */
void maw_asker_ask(MawAsker *asker, const MawMessage *question, TimeUs now, TimeUs ends);
bool maw_asker_is_open(const MawAsker *asker);
/* No answer is wanted any more. */
void maw_asker_cancel(MawAsker *asker);
TimeUs maw_asker_deadline(const MawAsker *asker);
void maw_asker_tick(MawAsker *asker, TimeUs now);

/* True: it came from the interface's account, and is dealt with. */
bool maw_asker_receive(MawAsker *asker, const MawStanza *stanza, TimeUs now);

/* The player was told this by the game master or a room: shown to an interface that has asked for
 * it (subscribe), at once or when it asks. A model's is told of the session's end alone. */
void maw_asker_tell(MawAsker *asker, const MawStanza *stanza, MawType type, TimeUs now);

/* How many stanzas of the interface's, and of who is not, changed nothing. */
uint32_t maw_asker_ignored(const MawAsker *asker);

#endif
