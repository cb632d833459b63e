/* talker_mind.h - what one talker remembers, and the jobs its files share.
 *
 * For:    talker*.c only:
 *             talker.c        answers asks; decides what to say next and puts it into words
 *             talker_judge.c  hears what others say, keeps results, weighs suspicion, chooses
 *             talker_words.c  the phrases of both languages
 * Memory: one plain struct per seat, about 2 KB, in the caller's block.
 * Thread: the game's.
 * Source: docs/spec/nlp-division.md 5, 10, 11.1.
 */
#ifndef WARG_BOT_TALKER_MIND_H
#define WARG_BOT_TALKER_MIND_H

#include "bot/bot.h"
#include "bot/pick.h"
#include "bot/talker_words.h"

#define TALKER_NEWS_MAX   4
#define TALKER_ASKED_MAX  4
#define TALKER_HEARD_MAX  256 /* utterances of others that are not said again */
#define TALKER_OWN_MAX    128 /* of its own: a game of twenty days */
#define TALKER_TEXT_BYTES 1024

/* A result to be told: found, or invented. */
typedef struct TalkerNews {
    SeatNo target;
    bool wolf;
} TalkerNews;

/* Somebody has spoken to me and gets an answer. */
typedef struct TalkerAsked {
    SeatNo by;
    bool accused; /* it called me a wolf in the same breath */
    bool role;    /* it wants to know what I am */
} TalkerAsked;

/* Whom I suspect, and which line says why, with whose help. */
typedef struct TalkerSuspicion {
    SeatNo seat;
    Line why;
    SeatNo because; /* of what this seat said; or SEAT_NONE */
    int32_t score;
} TalkerSuspicion;

typedef struct Talker {
    Rng rng;
    TalkerLanguage language;
    bool begun;
    Role role;
    Role stance; /* SEER or MEDIUM: argues as one, truly or not; else VILLAGER */
    bool out;    /* has claimed its stance */
    uint8_t noise[SEAT_MAX + 1];

    /* what was said; sets of speakers by whom it is about */
    Role claim[SEAT_MAX + 1]; /* by speaker */
    SeatSet called_wolf[SEAT_MAX + 1];
    SeatSet called_human[SEAT_MAX + 1];
    SeatSet buried_wolf[SEAT_MAX + 1]; /* by mediums */
    SeatSet buried_human[SEAT_MAX + 1];
    SeatSet doubts[SEAT_MAX + 1]; /* today */
    SeatSet victims;

    /* own results, true or invented */
    SeatSet found_wolf;
    SeatSet found_human;
    uint8_t news_count;
    TalkerNews news[TALKER_NEWS_MAX];

    /* today */
    uint16_t day;
    uint32_t talk_heard;
    uint32_t whisper_heard;
    uint8_t words[SEAT_MAX + 1];
    SeatSet finished;  /* said Over */
    SeatSet addressed; /* I spoke to them: they answer me, and do not ask */
    SeatSet answered;  /* I answered them */
    uint8_t asked_count;
    TalkerAsked asked[TALKER_ASKED_MAX];
    uint8_t said;
    uint8_t whispered;
    uint8_t waited; /* asks let pass where they stand open, since I spoke */
    bool greeted;
    bool mourned;
    bool denied;
    bool inquired;
    SeatNo suspect;             /* I said so */
    SeatNo declared;            /* I said that I vote for it */
    SeatNo proposed;            /* a mate wants to attack it */
    SeatNo prey;                /* I said that we attack it */
    SeatNo standing[ASK_COUNT]; /* the answer that stands */

    /* Hashes, the oldest are overwritten. */
    uint32_t heard_count;
    uint32_t own_count;
    uint32_t heard[TALKER_HEARD_MAX];
    uint32_t own[TALKER_OWN_MAX];
    char text[TALKER_TEXT_BYTES];
} Talker;

/* ---- talker_judge.c ---- */

/* Takes in whatever is new: the morning, results, talk. */
void talker_notice(Talker *self, const View *view);

/* Of others who are alive the one it suspects most; seat is SEAT_NONE when there is nobody. */
TalkerSuspicion talker_suspicion(const Talker *self, const View *view);
/* How much this seat is suspected. */
int32_t talker_score(const Talker *self, const View *view, SeatNo seat);
SeatNo talker_divine(Talker *self, const View *view);
SeatNo talker_guard(Talker *self, const View *view);
SeatNo talker_attack(Talker *self, const View *view);

/* Whether this was said in this game, spaces aside; and that this seat says it now. */
bool talker_was_said(const Talker *self, Str text);
void talker_remember(Talker *self, Str text);

#endif
