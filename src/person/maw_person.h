/* maw_person.h - a person drives a MAW player from the terminal: news become lines, typed lines
 *                acts.
 *
 * For:    `warg maw --me`, `warg join --me`: what maw/driver.h is for bots and models.
 * Memory: a MawSeat owns what it keeps; the screen and the player are borrowed.
 * Thread: the loop's. Time is an argument.
 * Source: docs/spec/maw.md 6.1, 7.2, 7.3; seed 002 3.3.
 *
 *     ScreenSetup.entered -> maw_person_entered    MawPlayerOut.news -> maw_person_news
 *     ScreenSetup.names   -> maw_person_names      at maw_person_deadline: maw_person_tick
 *     ScreenSetup.left    -> maw_person_input_ended when screen_input_ended(), else
 *                            maw_player_leave
 *
 * At the keyboard a line is said or refused at once. The lines of a script, which may all be there
 * at once, are done one after the other, each as soon as it can be: speech and votes when a room
 * is open for this player (to the dead the graveyard, if there is one), the others when a round has
 * begun. /wait has those behind it wait for the next phase. The end of the input, and /quit in a
 * script, change nothing: the player stays.
 */
#ifndef WARG_PERSON_MAW_PERSON_H
#define WARG_PERSON_MAW_PERSON_H

#include "maw/player.h"
#include "person/person_text.h"
#include "terminal/screen.h"

typedef struct MawSeat MawSeat;

typedef struct MawPersonSetup {
    Screen *screen;
    PersonLanguage language;
    /* Somebody else decides and this is read only: roles at once, nothing about commands. */
    bool watched;
    TimeUs line_pause; /* between two lines of a script; A36: a line a second: 1.1 s */
    /* /quit at the keyboard, behind maw_player_leave; may be NULL. */
    void (*quit)(void *user, TimeUs now);
    void *user;
} MawPersonSetup;

int maw_person_new(const MawPersonSetup *setup, MawSeat **ret_seat, Err *err); /* ERR_MEMORY */
MawSeat *maw_person_free(MawSeat *seat);

/* The player it drives: to be called before anything else. */
void maw_person_take(MawSeat *seat, MawPlayer *player, TimeUs now);
/* MawPlayerOut.news goes here. */
void maw_person_news(MawSeat *seat, const MawNews *news, TimeUs now);

void maw_person_entered(MawSeat *seat, Str line, TimeUs now);
void maw_person_input_ended(MawSeat *seat, TimeUs now);
uint32_t maw_person_names(const MawSeat *seat, Str *ret); /* at most 64 */

void maw_person_tick(MawSeat *seat, TimeUs now);
TimeUs maw_person_deadline(const MawSeat *seat);

/* How the rounds ended and the points, lines for the terminal when the screen is gone; empty before
 * the first end. Borrowed until the next news. */
Str maw_person_outcome(MawSeat *seat);

/* Whether a round has ended, and whether the session is over. */
bool maw_person_round_ended(const MawSeat *seat);
bool maw_person_over(const MawSeat *seat);

#endif
