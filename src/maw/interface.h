/* interface.h - an interface agent: UserInterface or ModelInterface of the document. Questions of
 *               one player come in, one answer to each goes out; who decides is the caller's.
 *
 * For:    person/maw_interface.h.
 * Memory: a MawInterface owns its texts; a question is borrowed until the next call.
 * Thread: one at a time. Time is an argument.
 * Source: docs/spec/maw.md 2.1, 2.3 to 2.5, 3, 4; seed 002 3.3, 3.4, tables 2, 3, 10, 11, 17 to 19.
 *
 *   IDLE --get_input of its player--> OPEN --maw_interface_answer--> IDLE
 *                                      |  \--maw_interface_fail----> IDLE   (model-error ...)
 *                                      |  \--its time is over------> IDLE   (user-, model-timeout)
 *                                      +--a newer get_input--------> OPEN   (nothing is said)
 *
 * It serves one player: the account, or the one client of it, that it is for; of a whole domain the
 * first that asks. Others are not answered, and are said once. What it was asked already it is not
 * asked again: the same message gets the same answer.
 */
#ifndef WARG_MAW_INTERFACE_H
#define WARG_MAW_INTERFACE_H

#include "base/time_us.h"
#include "wire/maw_message.h"

typedef struct MawInterface MawInterface;

typedef enum MawInterfaceKind {
    INTERFACE_USER,
    INTERFACE_MODEL,
} MawInterfaceKind;

typedef struct MawQuestion {
    bool named; /* it says what is wanted; who knows only the document does not */
    bool name;  /* a name */
    Str phase;  /* "day", "night"; empty: not told */
    const Str *targets;
    uint32_t target_count;
    Str messages; /* of a model: the chat's entries, a JSON array of role and content */
    TimeUs ends;  /* no answer is of use then; TIME_US_NEVER: not told */
} MawQuestion;

typedef struct MawInterfaceOut {
    void (*send)(void *user, const MawStanza *stanza);
    /* A question is open, in place of the one before. May answer at once. */
    void (*asked)(void *user, const MawQuestion *question, TimeUs now);
    /* Its time is over, and that has been said; or what came in its place is no question. */
    void (*expired)(void *user, TimeUs now);
    /* A player of ours tells what it was told: the stanza as it came to it, at `at`. May be NULL.
     */
    void (*told)(void *user, const MawStanza *stanza, TimeUs at, TimeUs now);
    void (*note)(void *user, Str line); /* for the operator */
    void *user;
} MawInterfaceOut;

typedef struct MawInterfaceSetup {
    MawInterfaceKind kind;
    Str owner; /* whom it is for: name@domain, with a resource, or a domain; copied */
    uint64_t nonce;
    MawInterfaceOut out;
} MawInterfaceSetup;

/* Errors: ERR_RULE (an address that is none), ERR_MEMORY. */
int maw_interface_new(const MawInterfaceSetup *setup, MawInterface **ret_interface, Err *err);
MawInterface *maw_interface_free(MawInterface *interface); /* takes NULL */

void maw_interface_receive(MawInterface *interface, const MawStanza *stanza, TimeUs now);
/* The link is back: what was told meanwhile is asked for. */
void maw_interface_linked(MawInterface *interface, TimeUs now);

bool maw_interface_is_open(const MawInterface *interface);
/* The answer to the open question: vote, chat, listen or name; of a name the form that its player
 * understands. False when none is open. */
bool maw_interface_answer(MawInterface *interface, const MawMessage *answer);
/* There is none: "model-error", "user-timeout". */
void maw_interface_fail(MawInterface *interface, const char *code, Str text);

TimeUs maw_interface_deadline(const MawInterface *interface);
void maw_interface_tick(MawInterface *interface, TimeUs now);

/* How many questions were answered, and to how many it was said that there is no answer. */
void maw_interface_figures(const MawInterface *interface, uint32_t *ret_answers,
                           uint32_t *ret_failures);
/* The bare address of the player that it serves; empty before a domain's first has asked. */
Str maw_interface_player(const MawInterface *interface);

#endif
