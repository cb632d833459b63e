/* maw_join.h - one MAW player behind an XMPP account, until its session is over.
 *
 * For:    `warg join`.
 * Memory: the setup is borrowed for the call.
 * Thread: main thread; runs a loop of its own.
 * Source: docs/spec/maw.md 2.3, 3.5, 3.6, 8.1.
 */
#ifndef WARG_PERSON_MAW_JOIN_H
#define WARG_PERSON_MAW_JOIN_H

#include "llm/llm_arg.h"
#include "maw/driver.h"
#include "net/xmpp_client.h"

typedef struct MawJoinSetup {
    XmppClientSetup account; /* its events and user are set by maw_join */
    Str game_master;
    Str name;
    bool only_name;     /* when it is taken no other is tried */
    const LlmSpec *llm; /* NULL: none */
    MawBot bot;
    bool person; /* decides at this terminal */
    Str asked;   /* the interface agent that decides; empty: none */
    MawAsks asks;
    bool plain;
    bool japanese;
    bool quiet;
    TimeUs timeout_us; /* to get a seat */
    uint64_t seed;
    uint64_t nonce; /* unlike that of an earlier life: the time */
} MawJoinSetup;

/* 0: the session is over. 1: it got no seat, or lost it. Errors: ERR_IO (no server, a wrong
 * password), ERR_INTERRUPTED, ERR_USAGE, ERR_MEMORY. */
int maw_join(const MawJoinSetup *setup, Err *err);

#endif
