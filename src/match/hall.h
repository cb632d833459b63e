/* hall.h - where agents come in and are brought to tables: plays a stage with outside agents.
 *
 * For:    `warg run` with commands, which the hall starts itself, and `warg serve`, where agents
 *         come by themselves; match/hall_door.h puts both on a loop. Any number of tables. No
 *         socket, no process, no clock: who comes, messages and time come in, bytes go out by
 *         links, programs are started behind a door.
 * Memory: a Hall owns all it opens; hall_free leaves no program behind. The plan is borrowed.
 * Thread: one at a time: that of the alarms.
 * Source: docs/spec/protocol-division.md 1.1, 1.3, 8.1.
 *
 *   NEW --hall_open--> OPEN --all is played, hall_stop, progress() says no, an error--> OVER
 *
 *   NEW:  nobody can come yet.
 *   OVER: `over` was called from an alarm; hall_free may be called there.
 *
 * An agent that the hall starts gets a port of its own, so that who connects there is known
 * without trusting a name. Agents that come by themselves share one port; whoever has given its
 * name waits until there are enough for a table.
 */
#ifndef WARG_MATCH_HALL_H
#define WARG_MATCH_HALL_H

#include "base/alarms.h"
#include "journal/operator_act.h"
#include "match/stage_run.h"
#include "record/live_sink.h"
#include "seat/program.h"
#include "stats/decision_sheet.h"

typedef struct Hall Hall;

typedef struct HallPlan {
    const StageRun *run; /* what it points to may be filled until hall_open */
    uint32_t tables;     /* played at once, as in a plan */
    const char *out;     /* folder for what agents print; NULL = dropped */
    const char *answers; /* such a folder, whose models' answers are given again; NULL = none */
    bool prompts;        /* with `out`: what models are sent is kept there, too */

    /* serve: sets are opened as agents come, until `sets` of them were played (0 = no end).
     * Of run->agents nothing is known (NULL); at every table sit these built-in bots, and agents
     * with a command, which the hall starts for each set. */
    bool serve;
    uint64_t sets;
    const PlanAgent *bots;
    uint32_t bot_count;
    /* serve: what operators did, which the hall goes by; borrowed. NULL = nothing. */
    const OperatorActs *acts;
    /* serve: agents may come. May be NULL. */
    void (*listening)(void *user);

    /* A set has its agents, by seat, and begins. */
    int (*set_begins)(void *user, uint64_t set, SeatNo count, const Str *names, Err *err);
    /* Its last game was handed to `finished`, and what its model players told to `decided`. */
    void (*set_over)(void *user, uint64_t set);
    void (*fault)(void *user, uint64_t set, uint64_t game, Str agent, const Fault *fault);
    /* For who watches: a game begins, with its agents by seat, each of its events, and its end,
     * behind `finished`; one that is given up has none. Each may be NULL. */
    void (*game_begins)(void *user, uint64_t game, SeatNo count, const Str *names, TimeUs now);
    void (*heard)(void *user, uint64_t game, const Event *event, TimeUs now);
    void (*game_ends)(void *user, const GameRecord *record, TimeUs now);
    const LiveSink *live; /* the same for live tables, by the name of `out` and of the log
                             (stage_run_name_game); here also those that are given up end. NULL =
                             nobody watches */
    /* An agent that the hall has started has said its name, which is `said`. May be NULL. */
    void (*named)(void *user, uint64_t set, Str agent, Str said, TimeUs now);
    /* For who judges answers, as of tables (match/table.h). May be NULL. */
    void (*answered)(void *user, uint64_t game, Str agent, const Answer *answer, const View *view);
    /* A program that the hall has started was found at something: note->stage is that of the run.
     * May be NULL. */
    void (*finding)(void *user, const FindingNote *note, TimeUs now);
    /* Behind set_over, when findings of the set were told: none of its programs runs any more. Of
     * whom there were more than are kept one by one, `totals` say how many. May be NULL. */
    void (*findings_over)(void *user, uint64_t set, const FindingTotal *totals, size_t count);
    /* A model player has ended and tells of its decisions in this set: `whole`, and what of them
     * records of games have not told. May be NULL. */
    void (*decided)(void *user, uint64_t set, Str agent, const DecisionSheet *whole,
                    const DecisionSheet *rest);
    /* Something an organiser wants to read: a process that ended, with its last lines. */
    void (*note)(void *user, Str text);
    /* Nothing will follow: hall_result has how it ended. */
    void (*over)(void *user, TimeUs now);
    void *user;
} HallPlan;

/* By what it waits and where it starts programs. What these point to is borrowed for its life. */
typedef struct HallDoors {
    Alarms *alarms;
    ProgramDoor programs;
} HallDoors;

/* A hall that plays nothing yet. Errors: ERR_MEMORY. */
int hall_new(const HallPlan *plan, const HallDoors *doors, Hall **ret_hall, Err *err);

/* Plays what is left of the stage's sets, as its alarms ring. Errors: those of the callbacks; later
 * ones are in hall_result. */
int hall_open(Hall *hall, TimeUs now, Err *err);

/* Somebody who has come by itself. */
typedef struct HallCaller {
    /* Opens its link, of which `ears` hear from now on, with `agent`. Errors: it is gone. */
    int (*open)(void *user, const LinkEars *ears, AiwolfAgent *agent, Link *ret_link);
    void *user;
} HallCaller;

/* It is asked for its name. What comes of it, messages and its end, comes by the link. Errors:
 * ERR_MEMORY, those of `open`: it is no guest, and a link that was opened is closed. */
int hall_opened(Hall *hall, const HallCaller *caller, TimeUs now);

/* serve: whether the act can be done now, and what will come of it, as a sentence in `would`. VOID
 * and END name a set. Errors: ERR_USAGE when there is no such set or agent, ERR_RULE when it can't
 * be done as things are; ERR_MEMORY. */
int hall_act_check(const Hall *hall, const OperatorAct *act, Buf *would, Err *err);
/* It takes effect; the acts of the plan have it already. */
void hall_act(Hall *hall, const OperatorAct *act, TimeUs now);

/* For who acts: the sets that are played, or wait for programs, with their agents by seat; who
 * waits for a set, in the order in which they came. False beyond the last; borrowed until the hall
 * is told something. */
bool hall_set_at(const Hall *hall, uint32_t index, uint64_t *ret_set, SeatNo *ret_count,
                 Str ret_names[static SEAT_MAX + 1]);
bool hall_waiting_at(const Hall *hall, uint32_t index, Str *ret_name);

/* Games under way are given up and do not count: it is OVER soon. */
void hall_stop(Hall *hall);

/* Once OVER: 0, also when it was ended early, else the first error, as hall_open's; *ret_asks (may
 * be NULL): how many asks were answered. */
int hall_result(const Hall *hall, uint64_t *ret_asks, Err *err);

/* Sets that are over are told before, as far as that was waited with. Takes NULL, returns NULL. */
Hall *hall_free(Hall *hall);

#endif
