/* person_state.h - the inside of a Person, for person.c, person_look.c and person_command.c.
 *
 * For:    those three.
 * Memory: as person.h says.
 * Thread: the loop's.
 * Source: person.h.
 */
#ifndef WARG_PERSON_PERSON_STATE_H
#define WARG_PERSON_PERSON_STATE_H

#include "base/arena.h"
#include "game/ask_targets.h"
#include "person/person.h"
#include "person/person_words.h"

#define PERSON_KEPT_MAX 1000

/* A line of a script that waits for its ask. */
typedef struct PersonKept {
    AskKind kind;
    bool any_room; /* Skip, Over: for TALK or WHISPER */
    Buf text;
} PersonKept;

/* What was said of the game already. */
typedef struct PersonTold {
    bool day_known;
    uint16_t day;
    uint32_t talk;
    uint32_t whisper;
    VoteLog votes;
    VoteLog attack_votes;
    SeatSet dead;
    bool my_death;
    uint16_t divined; /* day of the judgement + 1 */
    uint16_t identified;
    uint16_t guarded;
} PersonTold;

struct Person {
    PersonSetup setup;
    Arena arena;      /* for one sentence */
    const View *view; /* NULL before the first game */
    bool in_game;
    bool asked;
    bool waited; /* in a lobby */
    Ask ask;
    TimeUs until;     /* of the ask; TIME_US_NEVER: no limit was told */
    TimeUs wait_told; /* when it is told why no game begins; TIME_US_NEVER: not any more */
    TimeUs next_kept; /* standing asks: when the next line of a script may go */
    bool input_ended;
    bool said_over; /* of the standing ask, behind the end of input */
    PersonKept kept[PERSON_KEPT_MAX];
    uint32_t kept_count;
    PersonTold told;
    uint64_t games;
    uint64_t wins;
};

/* Shows a text with up to three arguments; use the macro. A text of several lines is several. */
void person_tell_these(const Person *person, ScreenStyle style, PersonWord word,
                       const Str arguments[static 3]);
#define person_tell(person, style, word, ...)                                                      \
    person_tell_these((person), (style), (word), (const Str[3]){__VA_ARGS__})

/* What a kind of ask is called: "vote". */
const char *person_ask_name(const Person *person, AskKind kind);
/* The status line and the prompt. */
void person_show_state(const Person *person, TimeUs now);
/* "Anna, Bob": the names of a set. */
void person_add_names(const Person *person, SeatSet seats, Buf *out);
bool person_tell_votes(const Person *person, PersonWord word, const VoteLog *votes);
/* person_command.c: a line with '/' that answers no ask. */
void person_command(Person *person, Str command, TimeUs now);

#endif
