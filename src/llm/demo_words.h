/* demo_words.h - what the demo model says: a table of phrases in two languages.
 *
 * For:    demo.c and its test.
 * Memory: constant tables.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.7 (a session must finish without a model), 5.2 (style).
 *
 * A line claims nothing that the demo model can't know, as that somebody is quiet, in a hurry or
 * changes the story.
 *
 * To add a wording: a line in its row of demo_words.c, at most DEMO_WORDINGS_MAX; {me} is the
 * speaker, {a} whom it is about, {b} somebody else. To add an occasion: a DemoLine, a row in each
 * language, a branch in demo.c.
 */
#ifndef WARG_LLM_DEMO_WORDS_H
#define WARG_LLM_DEMO_WORDS_H

#include "llm/scene.h"

typedef enum DemoLine {
    DEMO_HELLO,        /* the first day */
    DEMO_MOURN,        /* {a} was killed at night */
    DEMO_EXECUTED,     /* {a} was executed */
    DEMO_DEFEND,       /* {a} accuses me */
    DEMO_ANSWER,       /* {a} asked me; I suspect {b} */
    DEMO_REPLY,        /* {a} spoke to me and asked nothing; I suspect {b} */
    DEMO_SUSPECT,      /* I suspect {a} */
    DEMO_FOLLOW,       /* {b} accuses {a}, and so do I */
    DEMO_FOLLOW_VOTE,  /* {b} votes for {a}, and so do I */
    DEMO_FOUND,        /* I am the Seer, and {a} is a wolf */
    DEMO_CLEARED,      /* I am the Seer, and {a}, who is blamed, is human */
    DEMO_QUESTION,     /* a question to {a} */
    DEMO_DOUBT,        /* {b} accuses {a}; why? */
    DEMO_URGE,         /* time is short */
    DEMO_WOLVES,       /* among wolves: let us take {a} */
    DEMO_WOLVES_TOO,   /* among wolves: {b} proposed {a}, agreed */
    DEMO_REASON,       /* a reason for a vote for {a} */
    DEMO_REASON_VOTES, /* the same, when others vote for {a} too */
    DEMO_REASON_NIGHT,
    DEMO_LINES,
} DemoLine;

#define DEMO_WORDINGS_MAX 8

/* Wording `index`, NULL beyond the last. */
const char *demo_wording(LlmLanguage language, DemoLine line, uint32_t index);
/* The same in the protocol language; NULL where it can't be said. */
const char *demo_sentence(DemoLine line, uint32_t index);
/* Words of an accusation, in both languages; NULL-terminated. */
const char *const *demo_accusing(void);

#endif
