#include "match/stage_run.h"

#include <inttypes.h>
#include <stdio.h>

/* Digits of a log's number: three, as the starters of the contests name logs, or what the last
 * game needs; a server that plays without end begins with six. */
static int log_digits(const StageRun *run)
{
    int digits = 3;

    if (draw_games(&run->draw) == STAGE_GAMES_MAX)
        return 6;
    for (uint64_t n = draw_games(&run->draw); n > 1000; n = (n + 9) / 10)
        digits++;
    return digits;
}

void stage_run_begin_game(const StageRun *run, uint64_t game, GameSetup *setup, GameRecord *record)
{
    uint8_t roles[SEAT_MAX + 1] = {0};

    draw_roles(&run->draw, run->agents, game, roles);
    for (SeatNo seat = 1; seat <= run->draw.stage->players; seat++)
        setup->fixed[seat] = (Role)roles[seat];
    record->stage = run->stage;
    record->game = run->game_base + game;
    record->set = run->set_base + draw_set_of(&run->draw, game);
    record->deal = run->draw.stage->blocks ? 1 + draw_deal_of(&run->draw, game) : 0;
    record->log[0] = '\0';
    record->division = DIVISION_AIWOLF;
    memcpy(record->ruleset, run->plan->rules.name, sizeof(record->ruleset));
    record->began_at_ms = run->date();
    if (!run->logs)
        return;
    /* A contest of several stages has a folder for each. */
    if (run->plan->stage_count > 1)
        snprintf(record->log, sizeof(record->log), "logs/%" PRIu32 "/%0*" PRIu64 ".log%s",
                 run->stage, log_digits(run), record->game, run->gzip ? ".gz" : "");
    else
        snprintf(record->log, sizeof(record->log), "logs/%0*" PRIu64 ".log%s", log_digits(run),
                 record->game, run->gzip ? ".gz" : "");
}

void stage_run_name_game(const StageRun *run, uint64_t number, Buf *out)
{
    if (run->plan->stage_count > 1)
        buf_printf(out, "%" PRIu32 ".", run->stage);
    buf_printf(out, "%0*" PRIu64, log_digits(run), number);
}

void stage_run_end_game(const StageRun *run, GameRecord *record)
{
    record->ended_at_ms = run->date();
}

uint64_t stage_run_end_set(const StageRun *run)
{
    uint64_t sets = draw_sets(&run->draw);

    return run->end_set && run->end_set < sets ? run->end_set : sets;
}

uint64_t stage_run_games_end(const StageRun *run)
{
    uint64_t games = draw_games(&run->draw);
    uint64_t end = stage_run_end_set(run) * (uint64_t)run->draw.stage->games_per_set;

    return end < games ? end : games;
}

uint64_t stage_run_games_left(const StageRun *run)
{
    uint64_t left = 0, end = stage_run_games_end(run);

    for (uint64_t game = run->first_set * (uint64_t)run->draw.stage->games_per_set; game < end;
         game++)
        left += !run->played || !played_has_game(run->played, game);
    return left;
}
