/* person_words.h - what a person in the AIWolf divisions is told, in English and Japanese.
 *
 * For:    person.c and its parts.
 * Memory: constant text.
 * Thread: any.
 * Source: docs/spec/maw.md 6.1. To add a text: a value here, a row in person_words.c.
 */
#ifndef WARG_PERSON_PERSON_WORDS_H
#define WARG_PERSON_PERSON_WORDS_H

#include "person/person_text.h"

typedef enum PersonWord {
    SAY_GAME,         /* name, number of players */
    SAY_ROLE,         /* role */
    SAY_MATES,        /* names */
    SAY_SHORT_LIMIT,  /* milliseconds */
    SAY_DAY,          /* day */
    SAY_EXECUTED,     /* name */
    SAY_NOT_EXECUTED, /* nobody */
    SAY_KILLED,       /* name, by night */
    SAY_PEACE,        /* nobody died by night */
    SAY_GONE,         /* name, for a reason that is not told */
    SAY_I_DIED,
    SAY_VOTES,        /* of a day: list */
    SAY_ATTACK_VOTES, /* list */
    SAY_DIVINED,      /* name, species */
    SAY_IDENTIFIED,   /* name, species */
    SAY_GUARDED,      /* name */
    SAY_ATTACKED,     /* name */
    SAY_WON,          /* side */
    SAY_DRAW,
    SAY_ROLES, /* list */
    SAY_MY_END_WON,
    SAY_MY_END_LOST,
    SAY_WHISPER_MARK,
    ASK_STATUS,  /* day, what: + of kinds */
    WAIT_STATUS, /* day */
    LOBBY_STATUS,
    SAY_STILL_WAITING,
    OVER_STATUS,
    NAME_OF_ASK, /* and the six that follow, in the order of AskKind */
    NAME_OF_TALK,
    NAME_OF_WHISPER,
    NAME_OF_VOTE,
    NAME_OF_DIVINE,
    NAME_OF_GUARD,
    NAME_OF_ATTACK,
    TURN_VOTE, /* and those that follow: what to type; names */
    TURN_DIVINE,
    TURN_GUARD,
    TURN_ATTACK,
    TOLD_LATE,        /* the time limit has passed: what was answered */
    TOLD_NOT_ASKED,   /* kind */
    TOLD_NOT_NOW,     /* speech */
    TOLD_BAD_NAME,    /* typed, names */
    TOLD_BAD_TARGET,  /* name, names */
    TOLD_NO_SENTENCE, /* column, reason */
    TOLD_UNKNOWN,     /* command, suggestion */
    TOLD_TOO_MANY,
    TOLD_NO_GAME,
    TOLD_SENT, /* kind, name */
    LIST_WHO,  /* name, alive or dead, role */
    WORD_ALIVE,
    WORD_DEAD,
    WORD_YOU,
    NO_VOTES,
    TIME_LEFT, /* time */
    TIME_NONE,
    SCORE_LINE, /* games, won */
    LEAVE_QUESTION,
    HELP, /* several lines */
    HELP_PROTOCOL,
    HELP_NLP,
    PERSON_WORD_COUNT,
} PersonWord;

const char *person_word(PersonWord word, PersonLanguage language);

#endif
