/* talker_words.h - what the talker bots can say, in two languages, and what they understand.
 *
 * For:    talker.c and its test.
 * Memory: constant tables; texts are written into the caller's bytes.
 * Thread: pure.
 * Source: docs/spec/nlp-division.md 3.4 (mentions), 10.7 (no half-width comma), 11.1 (no mechanical
 *         repetition: each line has several wordings).
 *
 * To add a wording: add it to its list in talker_words.c, without a comma, at most 50 characters
 * with a name of nine characters put in. To add something that is understood: a row of `phrases`.
 */
#ifndef WARG_BOT_TALKER_WORDS_H
#define WARG_BOT_TALKER_WORDS_H

#include "game/role.h"

typedef enum TalkerLanguage {
    TALKER_ENGLISH,
    TALKER_JAPANESE,
    TALKER_LANGUAGES,
} TalkerLanguage;

/* What there is to say. {a} is whom it is about, {b} somebody else: who asked, who said so. */
typedef enum Line {
    LINE_HELLO,
    LINE_VICTIM,       /* {a} was attacked */
    LINE_QUIET_NIGHT,  /* nobody died */
    LINE_ASK,          /* a question for {b} */
    LINE_SEER_WOLF,    /* I am the seer, {a} is a wolf */
    LINE_SEER_HUMAN,   /* ... {a} is human */
    LINE_MEDIUM_WOLF,  /* I am the medium, {a} was a wolf */
    LINE_MEDIUM_HUMAN, /* ... {a} was human */
    LINE_DENY,         /* {b} accuses me */
    LINE_RESULT,       /* suspects {a}: my own result */
    LINE_ACCUSED_ME,   /* ... it falsely called me a wolf */
    LINE_LIAR,         /* ... its results do not fit */
    LINE_RIVAL,        /* ... it claims my role */
    LINE_DIVINED,      /* ... {b} divined it */
    LINE_AGREE,        /* ... {b} suspects it too */
    LINE_SILENT,       /* ... it says nothing */
    LINE_FEELING,      /* ... no good reason */
    LINE_REPLY_EARLY,  /* to {b}: I know nothing yet */
    LINE_REPLY_THINK,  /* to {b}: I suspect {a} */
    LINE_REPLY_ROLE,   /* to {b}: I am a villager */
    LINE_REPLY_OUT,    /* to {b}: I have told my results */
    LINE_VOTE,         /* I vote for {a} */
    LINE_CHANGE,       /* I vote for {a} after all */
    LINE_WOLVES_HELLO, /* among wolves */
    LINE_ATTACK,       /* let us attack {a} */
    LINE_ATTACK_TOO,   /* agreed: {a} */
    LINE_COUNT,
} Line;

/* Wording `index` of a line, NULL beyond the last; there are at most WORDINGS_MAX. */
#define WORDINGS_MAX 6
const char *talker_wording(TalkerLanguage language, Line line, unsigned index);

/* Puts names into a wording; 0 when `room` is too small, else the bytes written. */
size_t talker_write(const char *wording, Str a, Str b, char *out, size_t room);

/* What somebody's words mean, as far as they are understood. */
typedef enum Meaning {
    MEANS_NOTHING,
    MEANS_SEER,   /* the speaker is the seer */
    MEANS_MEDIUM, /* the speaker is the medium */
    MEANS_WOLF,   /* `about` is or was a wolf */
    MEANS_HUMAN,  /* `about` is or was human */
    MEANS_DOUBT,  /* `about` is suspicious */
    MEANS_VOTE,   /* the speaker votes for `about` */
    MEANS_ATTACK, /* the wolves should attack `about` */
} Meaning;

typedef struct Understood {
    Meaning meaning;
    SeatNo about;
} Understood;

#define UNDERSTOOD_MAX 8

/* The meanings found in the first 2 KiB of `text`, from left to right; returns how many. */
unsigned talker_understand(Str text, const Str *names, SeatNo seat_count,
                           Understood ret[static UNDERSTOOD_MAX]);

/* Whether the text speaks to somebody of this name: `@name`. */
bool talker_mentions(Str text, Str name);

/* The language for a game with these names: kana or kanji in one of them means Japanese. */
TalkerLanguage talker_language_of(const Str *names, SeatNo seat_count);

#endif
