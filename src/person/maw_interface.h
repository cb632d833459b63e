/* maw_interface.h - an interface agent behind an XMPP account: a person at this terminal, a model,
 *                   or chance, decides for a player elsewhere.
 *
 * For:    `warg join --interface`.
 * Memory: the setup is borrowed for the call.
 * Thread: main thread; runs a loop of its own.
 * Source: docs/spec/maw.md 2.5; seed 002 3.3, 3.4.
 */
#ifndef WARG_PERSON_MAW_INTERFACE_H
#define WARG_PERSON_MAW_INTERFACE_H

#include "llm/llm_arg.h"
#include "maw/interface.h"
#include "net/xmpp_client.h"

typedef struct MawInterfaceRun {
    XmppClientSetup account; /* its events and user are set here */
    MawInterfaceKind kind;
    Str owner;          /* as in MawInterfaceSetup */
    const LlmSpec *llm; /* of a model; NULL: votes by chance, and nothing else */
    bool plain;
    bool japanese;
    bool quiet;
    TimeUs timeout_us; /* to connect */
    uint64_t seed;
    uint64_t nonce; /* unlike that of an earlier life: the time */
} MawInterfaceRun;

/* 0: the session of its player is over. Errors: ERR_IO, ERR_INTERRUPTED, ERR_USAGE, ERR_RULE,
 * ERR_MEMORY. */
int maw_interface_run(const MawInterfaceRun *setup, Err *err);

#endif
