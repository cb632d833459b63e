/* contest_folder.h - a small contest on disk for tests of its pages: two stages, agents with
 * strange names, faults.
 *
 * For:    test_contest_pages.c, test_contest_desk.c. Include <cmocka.h> before.
 * Memory: the folder is removed by contest_folder_remove.
 * Thread: test's own.
 * Source: journal/journal.h.
 */
#ifndef WARG_TESTS_CONTEST_FOLDER_H
#define WARG_TESTS_CONTEST_FOLDER_H

#include "base/mem.h"
#include "base/rng.h"
#include "disk/folder.h"
#include "journal/journal.h"

#include <stdlib.h>
#include <unistd.h>

#define FOLDER_AGENTS  9
#define FOLDER_PLAYERS 5
#define FOLDER_SET     10 /* games of a set */
#define FOLDER_BEGAN   INT64_C(1790000000000)

#define FOLDER_PLAN                                                                                \
    "{\"contest\":\"cup <b>&\",\"seed\":\"7\",\"derivation\":\"hmac-sha256\",\"rules\":"           \
    "{\"ruleset\":\"aiwolf-2021\"},\"stages\":[{\"name\":\"first\",\"sets\":60,"                   \
    "\"games_per_set\":10,\"games\":600},{\"name\":\"final\",\"sets\":20,\"games_per_set\":10,"    \
    "\"games\":200}]}"

static const char *const folder_agents[FOLDER_AGENTS] = {
    "alice",
    "bob",
    "<script>alert('x')</script>",
    "\xE4\xBA\xBA\xE7\x8B\xBC\xE7\x9F\xA5\xE8\x83\xBD",
    "=1+1,\"x\"",
    "a/b?c=d&e#f",
    "\xE2\x80\xAEhidden",
    "Team 1",
    "A-very-long-name-that-has-no-blank-in-it-and-goes-on-to-64-bytes",
};

static inline void folder_faults(Journal *journal, Rng *rng, GameRecord *record, int64_t at_ms)
{
    SeatNo seat = (SeatNo)(1 + rng_below(rng, FOLDER_PLAYERS));
    unsigned count = rng_below(rng, 4) ? 0 : 1 + rng_below(rng, 3);

    for (unsigned i = 0; i < count; i++) {
        Fault fault = {.kind = (FaultKind)rng_below(rng, FAULT_COUNT),
                       .seat = seat,
                       .day = (uint16_t)(1 + i / 2),
                       .request = i ? "TALK" : "VOTE",
                       .elapsed_us = (int64_t)rng_below(rng, 900000),
                       .bytes = i ? STR("<i>\"no\"</i> by bob") : STR("")};
        fault.fatal = i + 1 == count && rng_below(rng, 3) == 0;
        record->seats[seat].outside = true;
        record->seats[seat].faults[fault.kind]++;
        record->seats[seat].failed = record->seats[seat].failed || fault.fatal;
        assert_int_equal(journal_add_fault(journal, at_ms, record->stage, record->set, record->game,
                                           record->result.names[seat], &fault, NULL),
                         0);
    }
}

/* Game `number` of a stage, among the agents of its set. */
static inline void folder_game(Journal *journal, Rng *rng, uint32_t stage, uint64_t number,
                               const unsigned seats[static FOLDER_PLAYERS])
{
    static const Role roles[FOLDER_PLAYERS] = {ROLE_VILLAGER, ROLE_VILLAGER, ROLE_SEER,
                                               ROLE_POSSESSED, ROLE_WEREWOLF};
    static const Side winners[] = {SIDE_VILLAGER, SIDE_WEREWOLF, SIDE_WEREWOLF, SIDE_NONE};
    CLEANUP(mem_freep) GameRecord *record = mem_new(sizeof(*record));
    unsigned shift = rng_below(rng, FOLDER_PLAYERS);

    assert_non_null(record);
    record->stage = stage;
    record->set = number / FOLDER_SET;
    record->game = number;
    record->ended_at_ms = FOLDER_BEGAN + (int64_t)(stage * 100000 + number) * 1000;
    snprintf(record->ruleset, sizeof(record->ruleset), "aiwolf-2021");
    record->result.seat_count = FOLDER_PLAYERS;
    record->result.winner = winners[rng_below(rng, rng_below(rng, 20) ? 3 : 4)];
    record->reason = record->result.winner == SIDE_NONE ? END_ABORTED : END_WIN;
    record->result.last_day = (uint16_t)(1 + rng_below(rng, 6));
    for (SeatNo seat = 1; seat <= FOLDER_PLAYERS; seat++) {
        record->result.names[seat] = str_of(folder_agents[seats[seat - 1]]);
        record->result.roles[seat] = roles[(seat + shift) % FOLDER_PLAYERS];
        record->seats[seat].kind = SEAT_BOT;
        record->result.has_play = record->result.winner != SIDE_NONE;
        if (record->result.has_play) /* a vote of two for a wolf; alive at the end */
            record->result.play[seat] = (SeatPlay){.of = {2, 1, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0}};
        if (seats[seat - 1] < 3) {
            record->seats[seat].outside = true;
            record->seats[seat].kind = SEAT_AGENT;
            durations_add(&record->seats[seat].times, 1000 + rng_below(rng, 500000));
        }
    }
    folder_faults(journal, rng, record, record->ended_at_ms);
    snprintf(record->log, sizeof(record->log), "logs/%u/%03u.log.gz", stage, (unsigned)number);
    assert_int_equal(journal_add_game(journal, record, STR(""), NULL), 0);
}

static inline void folder_stage(Journal *journal, Rng *rng, uint32_t stage, uint64_t games)
{
    unsigned all[FOLDER_AGENTS];

    for (unsigned i = 0; i < FOLDER_AGENTS; i++)
        all[i] = i;
    for (uint64_t game = 0; game < games; game++) {
        if (game % FOLDER_SET == 0) {
            Str names[FOLDER_PLAYERS + 1];
            for (unsigned i = 0; i < FOLDER_PLAYERS; i++) {
                unsigned other = i + rng_below(rng, FOLDER_AGENTS - i), own = all[i];
                all[i] = all[other];
                all[other] = own;
                names[i + 1] = str_of(folder_agents[all[i]]);
            }
            assert_int_equal(
                journal_add_set(journal, stage, game / FOLDER_SET, FOLDER_PLAYERS, names, NULL), 0);
        }
        folder_game(journal, rng, stage, game, all);
    }
}

/* Makes the folder `dir` ("name-XXXXXX"), with 600 games in the first stage and `finals` in the
 * last.
 */
static inline void contest_folder_make(char *dir, uint64_t finals)
{
    Rng rng = rng_new(14);
    Journal *journal = NULL;
    Err err = {0};

    assert_non_null(mkdtemp(dir));
    rmdir(dir);
    if (journal_begin(dir, STR(FOLDER_PLAN), &journal, &err))
        fail_msg("%s", err.msg);
    folder_stage(journal, &rng, 0, 600);
    folder_stage(journal, &rng, 1, finals);
    if (finals == 200)
        assert_int_equal(journal_add_end(journal, 800, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
}

static inline void contest_folder_remove(const char *dir)
{
    folder_remove(dir, NULL);
}

#endif
