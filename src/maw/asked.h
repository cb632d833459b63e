/* asked.h - an agent elsewhere decides for a player of ours: a person's interface, or a model's.
 *
 * For:    `warg join --ask-user`, `--ask-model`, and maw_table.c, which pass stanzas on; the driver
 *         is maw_user_driver_new, or maw_model_driver_new over a seat of its endpoint.
 * Memory: a MawAsked owns its questions and, of a model, the endpoint. Freed behind the driver and
 *         the seat that use it.
 * Thread: one at a time. Time is an argument (base/alarms.h).
 * Source: docs/spec/maw.md 2.3, 2.5, 5.6; seed 002 tables 14, 16 to 19.
 *
 * A model's interface is asked as a models' server is: the seat writes the chat completion, sees to
 * the context, has a bad answer repaired, tries again, and falls back on a rule. Only the way there
 * is another: get_input and its answer in place of a request over HTTP.
 */
#ifndef WARG_MAW_ASKED_H
#define WARG_MAW_ASKED_H

#include "llm/endpoint.h"
#include "maw/asker.h"
#include "maw/player.h"

typedef struct MawAsked MawAsked;

typedef struct MawAskedSetup {
    Alarms *alarms; /* borrowed */
    Str jid;        /* as in MawAskerSetup, as are the next two */
    Str interface;
    MawAsks kind;
    uint64_t seed; /* of waits, and of the tokens that the interface sees: no secret; unlike that of
                    * an earlier life */
    void (*send)(void *user, const MawStanza *stanza);
    void (*note)(void *user, Str line); /* may be NULL */
    void *user;
} MawAskedSetup;

/* Errors: those of maw_asker_new. */
int maw_asked_new(const MawAskedSetup *setup, MawAsked **ret_asked, Err *err);
MawAsked *maw_asked_free(MawAsked *asked); /* takes NULL */

/* The player that is decided for: its targets and phase stand in what is asked. */
void maw_asked_take(MawAsked *asked, const MawPlayer *player);

/* A stanza to the player; true: it came from the interface, and is no business of the player's. */
bool maw_asked_receive(MawAsked *asked, const MawStanza *stanza, TimeUs now);
/* MawPlayerOut.heard goes here. */
void maw_asked_heard(MawAsked *asked, const MawStanza *stanza, MawType type, TimeUs now);

/* GetName: asks up to three times for a name that can be one, also of an interface that comes
 * later; `named` comes once, at `ends` at the latest, empty when there is none. */
void maw_asked_name(MawAsked *asked, bool japanese, TimeUs now, TimeUs ends,
                    void (*named)(void *user, Str name, TimeUs now), void *user);

/* Of a model: what its seat asks. NULL of a user. */
LlmEndpoint *maw_asked_endpoint(const MawAsked *asked);

/* Of a user: one question, until the phase's end; `answered` comes once unless it is cancelled. */
void maw_asked_act(MawAsked *asked, TimeUs now,
                   void (*answered)(void *user, const MawAnswered *answered, TimeUs now),
                   void *user);
void maw_asked_cancel(MawAsked *asked);
bool maw_asked_is_open(const MawAsked *asked);

#endif
