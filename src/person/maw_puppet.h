/* maw_puppet.h - the player as its user interface sees it: what it was told makes it up again, and
 *                what a person does with it becomes answers to its questions.
 *
 * For:    person/maw_interface.c: with it the person's screen is that of who plays here.
 * Memory: a MawPuppet owns its player and the answers that wait.
 * Thread: the loop's.
 * Source: docs/spec/maw.md 2.5.
 *
 *     told{from, act, thread, body} -> the player's stanza -> MawPlayer -> news, what is known
 *     MawPlayer's acts (chat, vote, ...) -> the answer to the open question, or to the next one
 */
#ifndef WARG_PERSON_MAW_PUPPET_H
#define WARG_PERSON_MAW_PUPPET_H

#include "maw/interface.h"
#include "maw/player.h"

typedef struct MawPuppet MawPuppet;

typedef struct MawPuppetSetup {
    MawInterface *interface;                                 /* borrowed */
    void (*born)(void *user, MawPlayer *player, TimeUs now); /* it is known who it is */
    void (*news)(void *user, const MawNews *news, TimeUs now);
    void *user;
} MawPuppetSetup;

int maw_puppet_new(const MawPuppetSetup *setup, MawPuppet **ret_puppet, Err *err); /* ERR_MEMORY */
MawPuppet *maw_puppet_free(MawPuppet *puppet);

/* NULL before anything was told. */
MawPlayer *maw_puppet_player(const MawPuppet *puppet);

void maw_puppet_told(MawPuppet *puppet, const MawStanza *stanza, TimeUs at, TimeUs now);
/* A question is open: what was done since the last one answers it. False when there is nothing. */
bool maw_puppet_answer(MawPuppet *puppet);
void maw_puppet_tick(MawPuppet *puppet, TimeUs now);
TimeUs maw_puppet_deadline(const MawPuppet *puppet);

#endif
