/* ask_targets.h - whom an answer may name, as far as a seat knows.
 *
 * For:    people and models in the AIWolf divisions; the server judges it anyway.
 * Memory: values.
 * Thread: pure.
 * Source: docs/spec/protocol-division.md 3.3 to 3.5, docs/spec/nlp-division.md 4.
 */
#ifndef WARG_GAME_ASK_TARGETS_H
#define WARG_GAME_ASK_TARGETS_H

#include "game/game.h"

static inline bool ask_is_speech(AskKind kind)
{
    return kind == ASK_TALK || kind == ASK_WHISPER;
}

/* The living that the rules let it name. */
SeatSet ask_targets(const View *view, AskKind kind);

#endif
