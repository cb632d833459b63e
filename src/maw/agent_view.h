/* agent_view.h - what a MAW player knows, as a View of the AIWolf protocol division.
 *
 * For:    driver_agent.c: an AIWolf agent that sits at a MAW table. An adapter, not rules: what
 *         MAW does not have (turns, medium, bodyguard, possessed) is absent or made up here.
 * Memory: an AgentView owns all that its View points to; borrowed until the next call. Rules are
 *         copied.
 * Thread: pure.
 * Source: docs/spec/maw.md 7.4; docs/spec/protocol-division.md 2 and 3.
 *
 *   seats   the round's players in the order in which they were told: Agent[01], Agent[02], ...
 *   days    day 0 is the time before the first phase; day n is MAW's day n with the night after it
 *   talk    the village's lines of the day; `turn` is the speaker's own count
 *   whisper the hideout's lines of the night
 *   votes   standing votes, as they are when the view is looked at; at a phase's end the last ones
 */
#ifndef WARG_MAW_AGENT_VIEW_H
#define WARG_MAW_AGENT_VIEW_H

#include "maw/player.h"

#define AGENT_LINES_MAX   10 /* utterances an agent has for a day and for a night, as in contests */
#define AGENT_SKIPS_MAX   2  /* in a row, in a silent room: then it is through with talking */
#define AGENT_REVOTES_MAX 3  /* by night; by day one */

typedef struct AgentView AgentView;

/* `rules` are the MAW table's; `limit_ms` is what the agent is told of its time.
 * Errors: ERR_MEMORY. */
int agent_view_new(const Ruleset *rules, int32_t limit_ms, AgentView **ret_view, Err *err);
AgentView *agent_view_free(AgentView *view);

/* A round begins: seats, roles, day 0. False when the table has no place for this player among
 * SEAT_MAX seats; the view is of no use then. */
bool agent_view_round(AgentView *view, const MawKnown *known);
/* MAW's day begins: what was said yesterday is forgotten, its votes and deaths are history. */
void agent_view_day(AgentView *view, const MawKnown *known);
/* A line of village or hideout; others are left out. More than 2,000 a day are not kept. */
void agent_view_line(AgentView *view, const MawNews *news);
/* The result of a phase; to be told while `known` still has its votes. */
void agent_view_result(AgentView *view, const MawKnown *known, const MawNews *news);
/* What the Seer was answered; it stands in the view of the day that agent_view_day begins next. */
void agent_view_divined(AgentView *view, Str name, Str role);
/* Takes over who lives and who votes for whom. Before anything is asked or told. */
void agent_view_look(AgentView *view, const MawKnown *known);
/* The round is over: all roles are known. */
void agent_view_end(AgentView *view, const MawKnown *known);

/* Day 0 at least was begun. */
const View *agent_view(const AgentView *view);
/* The player's name at the MAW table; empty for a seat that is none. */
Str agent_view_name(const AgentView *view, SeatNo seat);
/* SEAT_NONE: nobody of this name. */
SeatNo agent_view_seat(const AgentView *view, Str name);

/* Appends a line of the room with Agent[NN] in place of each player's name that stands there as a
 * word of its own; of two names the longer one. */
void agent_text_in(const AgentView *view, Str text, Buf *out);
/* Appends an agent's utterance with names in place of Agent[NN]; other numbers stay. */
void agent_text_out(const AgentView *view, Str text, Buf *out);

#endif
