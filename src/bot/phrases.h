/* phrases.h - what talkers at a MAW table say: kinds of lines, each with many wordings.
 *
 * For:    maw/talker_voice.c, which speaks them; maw/driver_talker.c, which hears them; tests.
 * Memory: constant tables; texts are written into the caller's bytes.
 * Thread: pure.
 * Source: docs/spec/models.md 4.9: at least 40 wordings a kind in each language.
 *
 * A wording is a head and a tail: "Ann voted for Bo. And Bo was murdered." + "I suspect Ann." Every
 * head goes with every tail of its kind, and no two wordings of a language are alike. A tail may be
 * empty, and kinds may share their tails.
 *
 * To add a wording: a head or a tail in its list in phrases_en.c and phrases_ja.c. To add a kind: a
 * value here, a row in both, and in tests/maw/test_talkers.c what must be true for it to be said.
 */
#ifndef WARG_BOT_PHRASES_H
#define WARG_BOT_PHRASES_H

#include "bot/talker_words.h"

/* {a} is whom it is about, {b} somebody else. */
typedef enum Phrase {
    PHRASE_HELLO,       /* the session's first round */
    PHRASE_AGAIN,       /* a later one */
    PHRASE_VICTIM,      /* {a} was murdered last night */
    PHRASE_QUIET_NIGHT, /* nobody was */
    PHRASE_EXECUTED,    /* {a} was executed yesterday */
    PHRASE_ASK,         /* {b}, whom do you suspect? */
    PHRASE_ANSWER_NONE, /* to {b}, who asked: nobody yet */
    PHRASE_ANSWER,      /* to {b}, who asked: {a} */
    PHRASE_DENY,        /* to {b}, who spoke against me */
    PHRASE_SEER_WOLF,   /* I am the Seer, {a} is a wolf */
    PHRASE_SEER_HUMAN,  /* ... {a} is none */
    PHRASE_BELIEVE,     /* {a} claims to be the Seer, and I believe it */
    PHRASE_VOUCH,       /* {a} is accused, and I don't believe it */
    PHRASE_TRUST,       /* {a} and {b} spoke against each other: hardly both wolves */
    /* Reasons to suspect {a}. */
    PHRASE_TEST,           /* none yet: somebody must begin */
    PHRASE_FIRST,          /* was the first of today to name a suspect */
    PHRASE_SILENT,         /* has said nothing today */
    PHRASE_NO_NAME,        /* has spoken today, but against nobody */
    PHRASE_SCATTERS,       /* has spoken against two or more today */
    PHRASE_NO_VOTE,        /* did not vote yesterday */
    PHRASE_ACCUSED_ME,     /* spoke against me today */
    PHRASE_VOTED_ME,       /* voted for me in this round */
    PHRASE_VOTED_VICTIM,   /* voted for {b}, who was murdered */
    PHRASE_VICTIM_ACCUSED, /* {b} was against it and was murdered in the night after */
    PHRASE_CONTRADICTS,    /* spoke against {b} yesterday and voted for somebody else */
    PHRASE_TURNED,         /* spoke for {b} in this round, and later against {b} */
    PHRASE_CLASH,          /* as Seers it and {b} call the same player a wolf and none */
    PHRASE_REFUTED,        /* as the Seer it called {b} a wolf, and {b} was murdered */
    PHRASE_CHANGED,        /* took its vote away from {b} today */
    PHRASE_ALIKE,          /* voted yesterday as {b} did */
    PHRASE_SPARED,         /* was never against {b} nor {b} against it */
    PHRASE_AGREE,          /* {b} is against it today */
    PHRASE_SEER_SAYS,      /* {b} claims to be the Seer and calls it a wolf */
    PHRASE_RIVALS,         /* claims to be the Seer as {b} does */
    PHRASE_VOTE,           /* I vote for {a} */
    PHRASE_CHANGE,         /* ... no longer for {b} */
    /* In the hideout. */
    PHRASE_WOLF_HELLO,
    PHRASE_ATTACK,     /* let us kill {a} */
    PHRASE_ATTACK_TOO, /* agreed: {a} */
    PHRASE_STORY,      /* by day let us speak against {a} */
    PHRASE_COUNT,
} Phrase;

/* Which wording of a kind. */
typedef struct Wording {
    Phrase phrase;
    unsigned head;
    unsigned tail;
} Wording;

/* How many heads and tails a kind has. */
unsigned phrase_heads(TalkerLanguage language, Phrase phrase);
unsigned phrase_tails(TalkerLanguage language, Phrase phrase);

/* The first kind with the same tails, that a reader knows again in both. */
Phrase phrase_tail_list(TalkerLanguage language, Phrase phrase);

/* Whether a wording is its head alone. */
bool phrase_ends_early(TalkerLanguage language, Wording wording);

/* Puts names into a wording; 0 when `room` is too small, else the bytes written. */
size_t phrase_write(TalkerLanguage language, Wording wording, Str a, Str b, char *out, size_t room);

/* A line that was read back. Numbers of seats, from 1; SEAT_NONE where it names nobody. */
typedef struct PhraseRead {
    TalkerLanguage language;
    Wording wording;
    SeatNo a;
    SeatNo b;
} PhraseRead;

/* The wording that `text` is, with names out of names[1..seat_count]. False when it is none. */
bool phrase_read(Str text, const Str *names, SeatNo seat_count, PhraseRead *ret);

/* Whether it speaks against {a}. */
bool phrase_accuses(Phrase phrase);
/* ... and only as somebody else has, or the speaker itself. */
bool phrase_repeats(Phrase phrase);
/* Whether it speaks for {a}. */
bool phrase_vouches(Phrase phrase);
/* Whether it gives a reason for suspecting {a}. */
bool phrase_is_reason(Phrase phrase);

/* ---- for phrases.c: the tables, lists that end with NULL; no tails: the head is all ---- */

typedef struct PhraseRow {
    const char *const *heads;
    const char *const *tails;
} PhraseRow;

extern const PhraseRow phrases_english[PHRASE_COUNT];
extern const PhraseRow phrases_japanese[PHRASE_COUNT];

#endif
