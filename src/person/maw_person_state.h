/* maw_person_state.h - the inside of a MawSeat, for maw_person.c and maw_person_tell.c.
 *
 * For:    those two.
 * Memory: as maw_person.h says.
 * Thread: the loop's.
 * Source: maw_person.h.
 */
#ifndef WARG_PERSON_MAW_PERSON_STATE_H
#define WARG_PERSON_MAW_PERSON_STATE_H

#include "person/maw_person.h"
#include "person/maw_words.h"

#define MAW_KEPT_MAX 1000

struct MawSeat {
    MawPersonSetup setup;
    MawPlayer *player;
    Buf kept[MAW_KEPT_MAX]; /* of a script, the first is next */
    uint32_t kept_count;
    TimeUs next_line; /* of a script */
    TimeUs moved_at;  /* the last phase of a round that another one was before */
    TimeUs show_at;   /* what an act has changed is shown again */
    bool waiting;     /* /wait: for a phase that is another than this one */
    uint32_t wait_round, wait_phase;
    bool script_over; /* /quit in it */
    bool role_hidden; /* not in the status line */
    Buf joined;       /* who has joined and was not told of yet */
    uint32_t joined_count;
    Buf joined_of; /* "3 of 6" as the last of these lines has it: two numbers, a blank between */
    TimeUs joined_at;
    bool round_ended;
    Buf outcome; /* of the rounds so far, a line each, the newest */
    Buf points;  /* the last that were told */
    bool over;
    bool out; /* for this player alone */
};

void maw_tell_these(const MawSeat *seat, ScreenStyle style, MawWord word,
                    const Str arguments[static 3]);
/* Shows a text with up to three arguments. A text of several lines is several. */
#define maw_tell(seat, style, word, ...)                                                           \
    maw_tell_these((seat), (style), (word), (const Str[3]){__VA_ARGS__})

/* The status line, the tally and the prompt. */
void maw_show_state(const MawSeat *seat, TimeUs now);
void maw_tell_who(const MawSeat *seat);
void maw_tell_role(const MawSeat *seat);
void maw_tell_votes(const MawSeat *seat);
void maw_tell_scores(const MawSeat *seat);
/* Those who have joined since, in one line. */
void maw_tell_joined(MawSeat *seat);
void maw_tell_time(const MawSeat *seat, TimeUs now);

#endif
