/* maw_words.h - what a person at a MAW table is told, in English and Japanese.
 *
 * For:    maw_person.c, maw_person_tell.c.
 * Memory: constant text.
 * Thread: any.
 * Source: docs/spec/maw.md 6.1. To add a text: a value here, a row in maw_words.c.
 */
#ifndef WARG_PERSON_MAW_WORDS_H
#define WARG_PERSON_MAW_WORDS_H

#include "person/person_text.h"

typedef enum MawWord {
    MAW_SAY_JOINED,      /* name */
    MAW_SAY_LOBBY,       /* text */
    MAW_SAY_ALONE,       /* in the lobby */
    MAW_SAY_SEATS,       /* taken, all */
    MAW_SAY_HAVE_JOINED, /* names, taken, all */
    MAW_SAY_ROUND,       /* round, players, wolves */
    MAW_SAY_ROUND_ONLY,  /* likewise, where nothing can be typed */
    MAW_ROUND_OF,        /* round, rounds */
    MAW_SAY_DAY,         /* day, hint */
    MAW_SAY_NIGHT,       /* night, hint */
    MAW_HINT_DAY,        /* votes that execute */
    MAW_NEEDED,          /* likewise, beside the votes */
    MAW_HINT_NIGHT_WOLF,
    MAW_HINT_ASLEEP,
    MAW_SAY_EXECUTED, /* name */
    MAW_SAY_MURDERED, /* name */
    MAW_SAY_LEFT,     /* name */
    MAW_SAY_NOBODY,
    MAW_SAY_TIE,
    MAW_SAY_I_DIED,      /* cause */
    MAW_SAY_ROLE_WAS,    /* name, role: of who was executed */
    MAW_SAY_WON,         /* team, round */
    MAW_SAY_NO_WINNER,   /* round */
    MAW_SAY_ROLES,       /* list */
    MAW_SAY_SCORES,      /* list */
    MAW_SAY_WHISPER,     /* name, text */
    MAW_SAY_ROLE_ANSWER, /* name, role */
    MAW_SAY_REFUSED,     /* text */
    MAW_SAY_ABSENT,
    MAW_SAY_LINK_LOST,
    MAW_SAY_LINK_BACK,
    MAW_SAY_OVER, /* text */
    MAW_SAY_OUT,  /* text: for this player alone */
    MAW_SAY_I_LEFT,
    MAW_ROOM_MARK, /* room */
    MAW_ROOM_VILLAGE,
    MAW_ROOM_HIDEOUT,
    MAW_ROOM_LOBBY,
    MAW_ROOM_GRAVEYARD,
    MAW_CAUSE_EXECUTED,
    MAW_CAUSE_MURDERED,
    MAW_CAUSE_LEFT,
    MAW_TEAM_VILLAGERS,
    MAW_TEAM_WEREWOLVES,
    MAW_ROLE_IS,   /* role */
    MAW_MATES_ARE, /* names */
    MAW_ROLE_UNKNOWN,
    MAW_ROLE_HIDDEN,
    MAW_ROLE_SHOWN,
    MAW_WHO_LINE, /* name, state, more */
    MAW_ALIVE,
    MAW_DEAD,
    MAW_YOU,
    MAW_ME, /* in the tally */
    MAW_NO_VOTES,
    MAW_MY_VOTE, /* name */
    MAW_MY_VOTE_NONE,
    MAW_VOTE_SENT, /* name */
    MAW_VOTE_TAKEN_BACK,
    MAW_WHISPER_SENT, /* name, text */
    MAW_TIME_LEFT,    /* time */
    MAW_TIME_NONE,
    MAW_TOLD_CLOSED,
    MAW_TOLD_NO_LINK,
    MAW_TOLD_PAUSED,
    MAW_TOLD_DEAD,
    MAW_TOLD_OVER,
    MAW_TOLD_ASLEEP,
    MAW_TOLD_NO_ROUND,
    MAW_TOLD_TOO_LONG, /* characters, most */
    MAW_TOLD_BAD_NAME, /* typed, names */
    MAW_TOLD_BAD_VOTE, /* typed, names */
    MAW_TOLD_NO_SEER,
    MAW_TOLD_NO_WOLF,
    MAW_TOLD_MOVED,      /* the phase has changed while it was typed */
    MAW_TOLD_NO_HIDEOUT, /* it is day */
    MAW_TOLD_NO_NAME,    /* command, names */
    MAW_TOLD_NOT_NOW,    /* command */
    MAW_TOLD_UNKNOWN,    /* command, suggestion */
    MAW_TOLD_TOO_MANY,
    MAW_STATUS_JOIN,
    MAW_STATUS_LOBBY,
    MAW_STATUS_DAY,    /* day, my vote, my role */
    MAW_STATUS_NIGHT,  /* night, my vote, my role */
    MAW_STATUS_VOTE,   /* how the vote stands in these two, or the role */
    MAW_STATUS_ASLEEP, /* night, nothing, my role */
    MAW_STATUS_DEAD,   /* day */
    MAW_STATUS_DEAD_NIGHT,
    MAW_STATUS_GRAVEYARD, /* day: dead, and heard by the dead */
    MAW_STATUS_GRAVEYARD_NIGHT,
    MAW_STATUS_OVER,
    MAW_STATUS_OUT,
    MAW_LEAVE_QUESTION,
    MAW_HELP, /* several lines */
    MAW_CHAT_HELLO,
    MAW_ASKED_WAITS, /* as its interface, for a player */
    MAW_ASKED_NAME,
    MAW_ASKED_ACT,
    MAW_ASKED_HELP,
    MAW_WORD_COUNT,
} MawWord;

const char *maw_word(MawWord word, PersonLanguage language);

/* What the game master or the player says in English: a refusal of this code, a text. In another
 * language as far as it is known, else as it came. */
Str maw_said(Str code, Str text, PersonLanguage language);

#endif
