/* maw_terminal.h - a person at this terminal as a MAW player's driver: screen and seat in one.
 *
 * For:    `warg maw --me`, `warg join --me`.
 * Memory: a MawTerminal owns screen and seat; the player is borrowed.
 * Thread: the loop's.
 * Source: docs/spec/maw.md 6.1.
 */
#ifndef WARG_PERSON_MAW_TERMINAL_H
#define WARG_PERSON_MAW_TERMINAL_H

#include "person/maw_person.h"

typedef struct MawTerminal MawTerminal;

typedef struct MawTerminalSetup {
    bool plain;   /* lines only, also without a terminal */
    bool watched; /* plain, and nothing is typed: a bot or a model plays */
    PersonLanguage language;
    /* A line that was typed, before it means anything at the table; true: it is dealt with. May be
     * NULL. */
    bool (*typed)(void *user, Str line, TimeUs now);
    /* Something was typed: what the player sent has to be delivered, deadlines have changed. */
    void (*acted)(void *user);
    /* The person has left the table; the player said so already. */
    void (*left)(void *user, TimeUs now);
    void *user;
} MawTerminalSetup;

int maw_terminal_new(Loop *loop, const MawTerminalSetup *setup, MawTerminal **ret, Err *err);
/* The terminal is as it was before; of a whole screen the rounds' ends and points stay there. Takes
 * NULL, returns NULL. */
MawTerminal *maw_terminal_free(MawTerminal *terminal);

void maw_terminal_take(MawTerminal *terminal, MawPlayer *player, TimeUs now);
void maw_terminal_news(MawTerminal *terminal, const MawNews *news, TimeUs now);
void maw_terminal_tick(MawTerminal *terminal, TimeUs now);
TimeUs maw_terminal_deadline(const MawTerminal *terminal);
/* On a whole screen, which is gone when the terminal is freed: at the end wait for the person. */
bool maw_terminal_is_full(const MawTerminal *terminal);
/* A line as if it were typed now, at the table. */
void maw_terminal_enter(MawTerminal *terminal, Str line, TimeUs now);
/* A line for the operator, among the others. */
void maw_terminal_note(MawTerminal *terminal, Str line);

#endif
