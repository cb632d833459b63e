/* interface_text.h - from a model's text to the answer that an interface agent gives.
 *
 * For:    person/maw_interface.c.
 * Memory: the answer borrows from an InterfaceText, which its owner frees.
 * Thread: pure.
 * Source: docs/spec/maw.md 2.5, 5.6, 5.7; seed 002 3.4, 3.5.
 */
#ifndef WARG_MAW_INTERFACE_TEXT_H
#define WARG_MAW_INTERFACE_TEXT_H

#include "llm/decision.h"
#include "maw/interface.h"

typedef struct InterfaceText {
    LlmDecision decision;
    Buf text;
} InterfaceText;

void interface_text_done(InterfaceText *text);

/* The scene of a question, as far as that tells it. Borrows from the question. */
void interface_scene(const MawQuestion *question, LlmLanguage language, LlmScene *ret_scene);

/* Reads any text. A vote for somebody of whom nobody said that it may be voted for is taken as it
 * is, where the question has no targets: its player knows. Errors: ERR_RULE, ERR_SYNTAX: nothing in
 * it is an answer; the message says why. */
int interface_text_read(Str said, const MawQuestion *question, LlmLanguage language,
                        InterfaceText *text, MawMessage *ret_answer, Err *err);

/* A decision as an answer. */
MawMessage interface_answer_of(const LlmDecision *decision);

#endif
