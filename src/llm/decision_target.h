/* decision_target.h - whom a model means.
 *
 * For:    decision.c.
 * Memory: names are those of the scene.
 * Thread: pure.
 * Source: docs/spec/maw.md 4.18: address, exact name, name without case, unique beginning.
 */
#ifndef WARG_LLM_DECISION_TARGET_H
#define WARG_LLM_DECISION_TARGET_H

#include "llm/scene.h"

typedef enum TargetFound {
    TARGET_VALID,
    TARGET_DEAD,
    TARGET_SELF,
    TARGET_MATE,    /* living, but no target, and one of my wolves */
    TARGET_NOT_NOW, /* living, but no target */
    TARGET_UNKNOWN,
} TargetFound;

/* The player that a text names: "bo", "Bo.", "@Bo", "bo@localhost", "Boさん", "Agent 3" for
 * Agent[03], "Bo (the quiet one)". *ret_name: as the scene spells it, unless it is unknown. */
TargetFound target_of(Str text, const LlmScene *scene, Str *ret_name);

/* The only valid target that a sentence speaks of; false when there is none or another, or when
 * the sentence says no. */
bool target_in(Str sentence, const LlmScene *scene, Str *ret_name);

#endif
