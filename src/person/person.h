/* person.h - a person's seat in the AIWolf divisions: told by a View, answers an Ask.
 *
 * For:    play_aiwolf.c and play_nlp.c, which bring packets and send answers.
 * Memory: a Person owns what it keeps; the screen and the view are borrowed.
 * Thread: the loop's. Time is an argument.
 * Source: docs/spec/maw.md 6.1 for the commands; docs/spec/protocol-division.md 1.4,
 *         docs/spec/nlp-division.md 6.
 *
 *   IDLE --person_ask--> ASKED --typed | time limit | end of input--> IDLE
 *
 * Lines that are typed answer what is asked at that moment, or are refused: nothing is ever said
 * at another occasion than it was typed for. A script, whose lines may all be there at once, can't
 * wait; its lines are kept until they are asked for, each kind in its order: speech (and /skip,
 * /over), /whisper, /vote, /divine, /guard, /attack. When its input has ended (or /quit has come),
 * what is asked beyond that is answered at once as if the time was over.
 */
#ifndef WARG_PERSON_PERSON_H
#define WARG_PERSON_PERSON_H

#include "game/game.h"
#include "person/person_text.h"
#include "terminal/screen.h"

typedef struct Person Person;

typedef struct PersonSetup {
    Screen *screen;
    PersonLanguage language;
    bool protocol; /* speech must be a sentence of the protocol language */
    /* The answer to what is asked; its text is borrowed for the call. Must not call back. */
    void (*answer)(void *user, const Ask *ask, const Answer *answer);
    /* /quit. */
    void (*quit)(void *user);
    void *user;
} PersonSetup;

int person_new(const PersonSetup *setup, Person **ret_person, Err *err); /* ERR_MEMORY */
Person *person_free(Person *person);

/* It stands in a server's lobby. Where no game has begun ten seconds later, person_tick says once
 * why that may be; called again, this changes nothing. */
void person_wait(Person *person, TimeUs now);
/* A game begins. The view is borrowed until the next call with a view, or person_free. */
void person_begin(Person *person, const View *view, TimeUs now);
/* Says what is new in the view. */
void person_look(Person *person, const View *view, TimeUs now);
/* It is asked; an ask before it is over. The answer may come within the call. */
void person_ask(Person *person, const Ask *ask, const View *view, TimeUs now);
/* Nothing is asked any more. */
void person_unask(Person *person, TimeUs now);
/* The game is over, view->winner and view->roles tell how. */
void person_end(Person *person, const View *view, Side winner, TimeUs now);

/* ScreenSetup.entered, and its names. */
void person_entered(Person *person, Str line, TimeUs now);
uint32_t person_names(const Person *person, Str *ret);
/* No line comes any more. */
void person_input_ended(Person *person, TimeUs now);

/* Time limits; call it at person_deadline. */
void person_tick(Person *person, TimeUs now);
TimeUs person_deadline(const Person *person);

uint64_t person_games(const Person *person);
uint64_t person_wins(const Person *person);

#endif
