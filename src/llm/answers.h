/* answers.h - what a model's server has answered to one seat, kept, and given again in its place.
 *
 * For:    llm/seat.c, which keeps or takes them; who plays something recorded again: maw_table.c,
 *         thinker/model_bots.c.
 * Memory: an LlmAnswers owns its file and its texts; an answer that is taken is borrowed until the
 *         next one is.
 * Thread: one at a time.
 * Source: docs/spec/models.md 2. Headers, and so keys, are no part of it.
 *
 *     {"question":7,"task":"vote","outcome":"answered","latency_us":812345,"retries":0,
 *      "tokens":[900,0,40,0],"lost":[0,0,0,0],"text":"{...}","reasoning":"...","finish":"stop",
 *      "model":"llama3.1:8b","why":""}
 *
 *     {"type":"seat","seed":"7",...}   {"type":"decision",...}   only beside a protocol's seat
 *
 *     {"type":"unanswered","question":9,"sent":1}   requests that nobody waited for to the end
 *
 * A line for each request of a question, in the order in which they were answered; "outcome":"late"
 * when nothing had come by the time a rule had to decide. Texts that are empty are left out. Of
 * requests that the server got, "sent", where they are not one more than "retries". Of
 * tokens: the prompt's, those of it that were cached, the answer's, those of it that were thoughts.
 */
#ifndef WARG_LLM_ANSWERS_H
#define WARG_LLM_ANSWERS_H

#include "llm/endpoint.h"
#include "llm/manner.h"

typedef struct LlmAnswers LlmAnswers;

/* Keeps them in the file at `path`, behind what it holds; only its owner can read it. Errors:
 * ERR_IO, ERR_MEMORY. */
int llm_answers_keep(const char *path, LlmAnswers **ret_answers, Err *err);
/* The same by a descriptor that is open for writing: taken, also when it fails. */
int llm_answers_keep_in(int take_file, const char *name, LlmAnswers **ret_answers, Err *err);
/* Reads all of them, to be given again. Errors: ERR_IO; ERR_SYNTAX with file and line; ERR_MEMORY.
 */
int llm_answers_load(const char *path, LlmAnswers **ret_answers, Err *err);
/* The same by a descriptor, which stays open. */
int llm_answers_load_from(int file, const char *name, LlmAnswers **ret_answers, Err *err);
/* The same of a text in memory; `name` is what errors call it. */
int llm_answers_read(Str text, const char *name, LlmAnswers **ret_answers, Err *err);
LlmAnswers *llm_answers_free(LlmAnswers *answers); /* takes NULL, returns NULL */

/* Whether they are given, not kept. */
bool llm_answers_are_given(const LlmAnswers *answers);
/* The same of some that may be NULL. */
bool llm_answers_replays(const LlmAnswers *answers);

/* Keeps one; NULL: none came in time. A disk that fails ends the file, and llm_answers_failed says
 * so. */
void llm_answers_add(LlmAnswers *answers, uint32_t question, Str task, const LlmAnswer *answer);

/* Keeps something else beside them, a JSON object with a "type": what the seat is, a decision. It
 * is not given again. */
void llm_answers_note(LlmAnswers *answers, Str json);
/* What comes of given answers: a decision, as one was kept beside them. The first that is another
 * one than then is an error, with file and line. Nothing where no decisions were kept. */
void llm_answers_compare(LlmAnswers *answers, Str decision);
/* What the line of "type":"seat" says of its seed; false without one. */
bool llm_answers_seed(const LlmAnswers *answers, uint64_t *ret_seed);
/* And of when it was asked for opinions. */
LlmOpinions llm_answers_opinions(const LlmAnswers *answers);

/* Requests of a question that were sent, and had no answer when it was over: kept, and given. Those
 * of earlier ones that are not asked again (opinions that nobody gave) are given with it. */
void llm_answers_add_unanswered(LlmAnswers *answers, uint32_t question, uint32_t sent);
uint32_t llm_answers_take_unanswered(LlmAnswers *answers, uint32_t question);

/* Whether the next one is for this question: what was cancelled has none. */
bool llm_answers_has(const LlmAnswers *answers, uint32_t question);
/* Whether the next one is for no other question. */
bool llm_answers_has_for(const LlmAnswers *answers, uint32_t question);
/* The next one, for this question; `*ret` is NULL where none had come in time. Errors: ERR_RULE
 * with file and line when the next is for another question or task, or there are no more. */
int llm_answers_take(LlmAnswers *answers, uint32_t question, Str task, const LlmAnswer **ret,
                     Err *err);

/* The first thing that went wrong, or 0: a file that could not be written, a question that does not
 * fit. */
int llm_answers_failed(const LlmAnswers *answers, Err *err);
/* Errors: ERR_RULE with file and line when there are more than were asked for. */
int llm_answers_end(const LlmAnswers *answers, Err *err);

#endif
