/* agent_model.h - a language model as an agent of a contest: this program, started as a player.
 *
 * For:    `--agent llm:SPEC`, `llm:` of a contest file.
 * Memory: texts are the plan's.
 * Thread: any.
 * Source: docs/spec/models.md 3; llm/llm_arg.h has what a model is named by.
 */
#ifndef WARG_CONTEST_AGENT_MODEL_H
#define WARG_CONTEST_AGENT_MODEL_H

#include "base/buf.h"
#include "base/yaml.h"
#include "llm/manner.h"
#include "match/plan.h"

/* Makes the agent the model of a spec: command, variables, and a name when it has none.
 * Errors: ERR_USAGE of llm_spec_read; ERR_LIMIT, ERR_MEMORY, ERR_IO. */
int agent_model_fill(Plan *plan, Str spec, PlanAgent *agent, Err *err);

/* The models of the plan are asked for opinions beside the game, also when another time was said
 * before. Errors: ERR_USAGE when there are none. */
int agent_model_opinions(Plan *plan, LlmOpinions opinions, Err *err);

/* Has sets not counted in which a model decides nothing itself, if there are models. Not in a
 * `trial`, which is judged game by game. */
void agent_model_needs_own(Plan *plan, bool trial);

/* Appends the spec that a value says: "demo", a spec as text, or a map with the spec's parts as
 * keys, `url` among them; hyphens may be written as underscores, and parts that stand several times
 * are lists. Errors: ERR_SYNTAX with line and column. */
int agent_model_text(const YamlNode *node, Buf *out, Err *err);

#endif
