/* decision_clean.h - a model's line as it may be said: one paragraph, no prefix, not too long.
 *
 * For:    decision.c, the demo model.
 * Memory: texts are appended to the caller's Buf.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.7 steps 1 and 6, A35 (characters of a line).
 */
#ifndef WARG_LLM_DECISION_CLEAN_H
#define WARG_LLM_DECISION_CLEAN_H

#include "llm/scene.h"

/* What is left of an answer without byte order mark, what a model thought aloud, marks of its
 * template and fences; a part of `text`. */
Str clean_answer(Str text);

/* Appends the text as one paragraph of valid UTF-8: line ends and tabs become blanks, runs of
 * blanks one, control and invisible characters go. */
void clean_paragraph(Str text, Buf *out);

/* Appends the line as `scene->me` may say it, cut to the scene's length; may append nothing. A
 * sentence of the protocol language is not cut, for a part of it would say something else. */
void clean_own_line(Str text, const LlmScene *scene, Buf *out);

/* The text without quotes, brackets, marks and blanks around it. */
Str clean_around(Str text);

/* At most `chars` characters and `bytes` bytes of a line, up to the end of a sentence if there is
 * one, else of a word. */
Str clean_cut(Str line, size_t chars, size_t bytes);

/* At the first or last byte of a sentence's end (. ! ? and Japanese ones): its bytes; else 0. */
size_t clean_sentence_end(Str rest);

#endif
