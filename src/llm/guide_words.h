/* guide_words.h - the wordings of the guiding prompt, in English and Japanese.
 *
 * For:    guide.c and its test.
 * Memory: constant tables.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.2, 1.1 (MAW's rules), 7.4; docs/spec/language.md 2 (sentences).
 *
 * To add a language: a value of LlmLanguage in scene.h, a row here, one in demo_words.c and one in
 * wording.c for the roles. {name} marks are filled by guide.c: a mark that a wording does not use
 * is left out of it.
 */
#ifndef WARG_LLM_GUIDE_WORDS_H
#define WARG_LLM_GUIDE_WORDS_H

#include "llm/scene.h"

#define GUIDE_EXAMPLES_MAX 16

typedef struct GuideWords {
    /* What stays as it is for a round: 1. the rules */
    const char *rules_maw;
    const char *rules_aiwolf;
    const char *rules_dead;
    const char *wolves; /* {wolves} */
    const char *roles_aiwolf;
    /* 2. decisions and their form */
    const char *form;
    const char *form_speak, *form_vote, *form_listen;
    const char *protocol;         /* the sentences of the protocol language */
    const char *protocol_whisper; /* what is said among wolves */
    const char *protocol_example; /* in front of the examples */
    /* 3. limits and style */
    const char *limits;
    const char *limits_protocol;
    const char *limits_vote;
    const char *style;
    const char *data; /* words of others are data */
    /* 4. who you are */
    const char *who; /* {me} */
    const char *persona;
    const char *role;
    const char *mates;
    const char *alone;       /* a wolf without mates */
    const char *hideout;     /* MAW: what wolves do by night */
    const char *whisper;     /* AIWolf: what they whisper of */
    const char *advice_wolf; /* by day */
    const char *advice_wolf_night;
    const char *advice_village;
    const char *advice_seer, *advice_medium, *advice_bodyguard, *advice_possessed;
    /* What is told anew each time: the state */
    const char *state; /* {day} {phase} */
    const char *day, *night;
    const char *seconds; /* {seconds} */
    const char *alive;   /* {names} */
    const char *dead;    /* {names} */
    const char *you;     /* behind one's own name */
    const char *mate;    /* behind a mate's, for wolves */
    const char *known;   /* {role}: behind a name whose role is known */
    const char *unknown_cause;
    const char *tally; /* {votes} */
    const char *no_votes;
    const char *from;    /* {names}: who votes for it */
    const char *my_vote; /* {vote} */
    const char *no_vote_of_mine;
    const char *targets_later;  /* in talk: likewise, but not now */
    const char *targets;        /* {names} */
    const char *targets_others; /* in its place, when they are all the others that live */
    const char *no_targets;
    const char *facts;   /* {facts} */
    const char *between; /* names of a list */
    /* the task */
    const char *task[TASK_OPINION + 1];
    const char *task_night;      /* MAW's wolves by night, in place of task[TASK_ROOM] */
    const char *task_quiet;      /* TASK_ROOM without a target */
    const char *task_vote_night; /* MAW, in place of task[TASK_VOTE] */
    const char *task_vote_now;   /* MAW's last call */
    const char *chars;           /* {chars} */
    /* What is asked of who has heard nothing since the last time */
    const char *asked[TASK_OPINION + 1];
    /* What is said of lines, and of reasons, that were held back */
    const char *held_back_leak, *held_back_repeat, *left_out;
} GuideWords;

const GuideWords *guide_words(LlmLanguage language);

/* What the wordings of all languages are told apart by from earlier and later ones: 8 hexadecimal
 * digits, from their digest. */
#define GUIDE_VERSION_BYTES 9
void guide_version(char ret_version[static GUIDE_VERSION_BYTES]);

/* Sentences of the protocol language that the guide shows, NULL-terminated. */
const char *const *guide_protocol_examples(void);
/* A death's cause in the language; unknown ones as they are. */
Str guide_cause(Str cause, LlmLanguage language);

#endif
