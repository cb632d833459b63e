/* criterion.h - what judges judge games of the natural-language division by, and what they see for
 *               it.
 *
 * For:    sheets, prompts of model judges, scores.
 * Memory: constant tables.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 10.1; docs/spec/nlp-division.md 11.1.
 *
 * A judge rates a game by one criterion after the other, in the order of criterion_place: what a
 * later one shows (roles, votes) would colour an earlier one.
 */
#ifndef WARG_JUDGING_CRITERION_H
#define WARG_JUDGING_CRITERION_H

#include "game/role.h"

typedef enum Criterion {
    CRITERION_A, /* natural expression */
    CRITERION_B, /* natural in context */
    CRITERION_C, /* consistent */
    CRITERION_D, /* actions reflect the dialogue */
    CRITERION_E, /* rich, fits the profile */
    CRITERION_F, /* teamwork */
    CRITERION_COUNT,
} Criterion;

/* What a sheet shows beside who talks, or-ed. The result is never shown. */
typedef enum SheetShows {
    SHOWS_GONE = 1 << 0,     /* who is no longer there, each morning */
    SHOWS_ROLES = 1 << 1,    /* each seat's */
    SHOWS_RESULTS = 1 << 2,  /* what seer and medium learnt */
    SHOWS_VOTES = 1 << 3,    /* by each seat */
    SHOWS_ACTS = 1 << 4,     /* divinations, guards, attack votes, by each seat */
    SHOWS_WHISPERS = 1 << 5, /* of the werewolves */
    SHOWS_PROFILES = 1 << 6, /* of the characters */
} SheetShows;

unsigned criterion_shows(Criterion criterion);
/* Whether games of so many players are judged by it: F only where werewolves have a team, with 9
 * or more. */
bool criterion_fits(Criterion criterion, SeatNo players);
/* 0 for the one that is rated first. */
unsigned criterion_place(Criterion criterion);

/* "A"; "" for CRITERION_COUNT. */
const char *criterion_letter(Criterion criterion);
bool criterion_of(Str letter, Criterion *ret_criterion);
/* The question, as the regulations word it. */
const char *criterion_text(Criterion criterion, bool japanese);
/* What else has to be known of this one, a sentence or two; empty when there is nothing. */
const char *criterion_note(Criterion criterion, bool japanese);
/* What is no ground for any of them, and what counts against a player. */
const char *criterion_manner(bool japanese);

#endif
