#include "contest/contest_rounds.h"

#include "contest/contest_stage.h"

#include <inttypes.h>

/* A stage that goes on in rounds, while it is played. */
typedef struct RoundsPlay {
    ContestPlay *contest;
    StageRun *stage;
    const Rounds *rounds;
    const Draw *draws; /* of each size */
    const PlanStage *plan;
} RoundsPlay;

/* Whether anything of it is in the journal, as it was read. */
static bool is_round_begun(const RoundsPlay *play, uint64_t round)
{
    const Played *played = &play->contest->folder.played[play->stage->stage];
    const uint64_t first = round * play->rounds->round_sets;

    for (uint64_t set = first; set < first + play->rounds->round_sets; set++) {
        const PlayedSet *there = played_set(played, set);
        if (there && (there->seated || there->games))
            return true;
    }
    return false;
}

static bool is_round_whole(const RoundsPlay *play, uint64_t round)
{
    const Played *played = &play->contest->folder.played[play->stage->stage];
    const uint64_t first = round * play->rounds->round_games;
    uint64_t games = 0;

    while (games < play->rounds->round_games && played_has_game(played, first + games))
        games++;
    return games == play->rounds->round_games;
}

static int play_sizes(const RoundsPlay *play, uint64_t round, Err *err)
{
    ContestPlay *contest = play->contest;
    int rc = 0;

    contest->stage_games = (round + 1) * play->rounds->round_games;
    for (uint32_t part = 0; part < play->rounds->parts && rc == 0; part++) {
        if (contest->stopped || contest->late)
            break;
        play->stage->draw = play->draws[part];
        rounds_place(play->rounds, round, part, play->stage);
        rc = (contest->run->only ? contest_stage_play_only
                                 : contest_stage_play_part)(contest, play->stage, err);
    }
    return rc;
}

/* When its last game ended, of those that there are. */
static int64_t round_ended(const RoundsPlay *play, uint64_t round)
{
    const Played *played = &play->contest->folder.played[play->stage->stage];
    const uint64_t first = round * play->rounds->round_sets;
    int64_t ended = 0;

    for (uint64_t set = first; set < first + play->rounds->round_sets; set++) {
        const PlayedSet *there = played_set(played, set);
        if (there && there->ended_ms > ended)
            ended = there->ended_ms;
    }
    return ended;
}

/* What was begun of a round that does not count. */
static int void_round(const RoundsPlay *play, uint64_t round, int64_t at_ms, Err *err)
{
    const OutFolder *folder = &play->contest->folder;
    const uint64_t first = round * play->rounds->round_sets;
    int rc = 0;

    for (uint64_t set = first; set < first + play->rounds->round_sets && rc == 0; set++) {
        const PlayedSet *there = played_set(&folder->played[play->stage->stage], set);
        const OperatorAct act = {.kind = ACT_VOID,
                                 .target = ACT_OF_SET,
                                 .number = set,
                                 .stage = play->stage->stage,
                                 .by = STR(ACT_BY_RUNNER),
                                 .why =
                                     STR("its round was not over an hour behind the stage's date"),
                                 .at_ms = at_ms};
        if (there && (there->seated || there->games) && !there->is_void)
            rc = journal_add_act(folder->journal, &act, err);
    }
    return rc;
}

/* The stage is over behind `round` rounds. What counts is read again from what is on disk: the last
 * game of a further round may have ended in time while somebody looked whether it had. */
static int stop_rounds(const RoundsPlay *play, uint64_t round, Err *err)
{
    ContestPlay *contest = play->contest;
    OutFolder *folder = &contest->folder;
    JournalStop stop = {.stage = play->stage->stage,
                        .rounds = round,
                        .date_ms = play->plan->stop_at_ms,
                        .at_ms = contest->run->date()};

    if (!folder->journal) /* then it has no date, and nothing came too late */
        return 0;
    int rc = journal_wait(folder->journal, err);
    if (rc == 0)
        rc = out_folder_reread(folder, contest->run->plan, err);
    if (rc == 0 && is_round_whole(play, round) &&
        rounds_in_time(play->rounds, round, stop.date_ms, round_ended(play, round)))
        stop.rounds = ++round;
    if (rc == 0)
        rc = void_round(play, round, stop.at_ms, err);
    if (rc == 0)
        rc = journal_add_stop(folder->journal, &stop, err);
    if (rc == 0)
        rc = journal_wait(folder->journal, err);
    if (rc == 0)
        rc = out_folder_reread(folder, contest->run->plan, err);
    if (rc)
        return rc;
    standings_done(contest->standings);
    *contest->standings = (Standings){0};
    return standings_merge(contest->standings, &folder->standings[play->stage->stage], err);
}

static int play_round_of(const RoundsPlay *play, uint64_t round, bool begun, bool *ret_over,
                         Err *err)
{
    ContestPlay *contest = play->contest;
    const int64_t stop_at = play->plan->stop_at_ms;
    int rc = 0;

    *ret_over = false;
    contest->late_at = round >= play->rounds->least && stop_at ? stop_at + ROUND_LATE_MS : 0;
    contest->late = begun && contest->late_at && !is_round_whole(play, round) &&
                    contest->run->date() > contest->late_at;
    if (!contest->late && !(begun && is_round_whole(play, round)))
        rc = play_sizes(play, round, err);
    contest->late_at = 0;
    if (rc || contest->stopped)
        return rc;
    *ret_over = contest->late ||
                (!is_round_begun(play, round + 1) &&
                 !rounds_in_time(play->rounds, round, stop_at, atomic_load(&contest->ended)));
    return *ret_over ? stop_rounds(play, round, err) : 0;
}

static int play_all_rounds(const RoundsPlay *play, Err *err)
{
    ContestPlay *contest = play->contest;
    bool over = false;
    int rc = 0;

    for (uint64_t round = 0; rc == 0 && !over && !contest->stopped; round++) {
        const bool begun = is_round_begun(play, round);
        if (!begun &&
            !rounds_go_on(play->rounds, round, play->plan->stop_at_ms, contest->run->date()))
            return stop_rounds(play, round, err);
        rc = play_round_of(play, round, begun, &over, err);
    }
    return rc;
}

/* What is wrong with the round that does not count, if there is something of one. */
static void write_late_contradiction(const RoundsPlay *play, const JournalStop *stop, Buf *out)
{
    const uint64_t round = stop->rounds;

    if (!is_round_begun(play, round))
        return;
    if (!stop->date_ms)
        buf_printf(out, "it has no date, and round %" PRIu64 " does not count", round + 1);
    else if (is_round_begun(play, round + 1))
        buf_printf(out, "round %" PRIu64 " does not count, and another one was begun behind it",
                   round + 1);
    else if (is_round_whole(play, round) &&
             rounds_in_time(play->rounds, round, stop->date_ms, round_ended(play, round)))
        buf_printf(out, "round %" PRIu64 " was over in time, and does not count", round + 1);
    else if (stop->at_ms <= stop->date_ms + ROUND_LATE_MS)
        buf_printf(out,
                   "round %" PRIu64 " does not count, and was given up before an hour behind the "
                   "date was over",
                   round + 1);
}

/* What is wrong with where a stage has stopped. */
static void write_contradiction(const RoundsPlay *play, const JournalStop *stop, Buf *out)
{
    const OutFolder *folder = &play->contest->folder;
    const int64_t ended = folder->last_ended[play->stage->stage];

    if (stop->rounds < play->rounds->least)
        buf_printf(out, "it stops behind %" PRIu64 " rounds, but min_games needs %" PRIu64,
                   stop->rounds, play->rounds->least);
    else if (stop->rounds > play->rounds->least && !stop->date_ms)
        buf_printf(out, "it has no date and needs %" PRIu64 " rounds, but %" PRIu64 " count",
                   play->rounds->least, stop->rounds);
    else if (stop->rounds > play->rounds->least && ended > stop->date_ms + ROUND_LATE_MS)
        buf_add(out, STR("its last round counts, but ended over an hour behind its date"));
    else if (stop->date_ms && stop->at_ms < stop->date_ms)
        buf_add(out, STR("it stops before its date"));
    if (!out->len)
        write_late_contradiction(play, stop, out);
}

/* All rounds of which there is something. */
static int check_rounds(const RoundsPlay *play, Err *err)
{
    ContestPlay *contest = play->contest;
    const ContestCheck *check = contest->run->check;
    const uint32_t stage = play->stage->stage;
    const OutFolder *folder = &contest->folder;
    const uint64_t end = folder->stopped[stage] ? folder->stops[stage].rounds : UINT64_MAX;
    CLEANUP(buf_done) Buf wrong = {0};
    int rc = 0;

    for (uint64_t round = 0;
         rc == 0 && (is_round_begun(play, round) || (folder->stopped[stage] && round < end));
         round++) {
        play->stage->uncounted = round >= end;
        rc = play_sizes(play, round, err);
    }
    play->stage->uncounted = false;
    if (!folder->stopped[stage]) {
        contest->stopped = true; /* it is still played */
        return rc;
    }
    write_contradiction(play, &folder->stops[stage], &wrong);
    if (buf_failed(&wrong))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    return rc || !check->stop ? rc : check->stop(check->user, stage, buf_str(&wrong), err);
}

/* The round of the game that is wanted alone. */
static int play_one_of_rounds(const RoundsPlay *play, Err *err)
{
    return play_sizes(play, rounds_of_game(play->rounds, play->contest->run->only->game), err);
}

/* Games that came to the journal in this stage. */
static uint64_t count_new(const ContestPlay *contest)
{
    return contest->folder.journal
               ? journal_games_written(contest->folder.journal) - contest->handed
               : contest->standings->games - contest->standings_before;
}

int contest_rounds_play(ContestPlay *contest, StageRun *stage, const Rounds *rounds,
                        const Draw *draws, Standings *standings, ContestResult *result, Err *err)
{
    const ContestRun *run = contest->run;
    const RoundsPlay play = {contest, stage, rounds, draws, &run->plan->stages[stage->stage]};
    bool here = true;

    if (play.plan->stop_at_ms && !run->out && !run->only)
        return err_set(err, ERR_USAGE, "stage %s goes on until a date: give --out",
                       play.plan->name);
    int rc = contest_stage_begin(contest, stage,
                                 run->only ? STAGE_GAMES_MAX : rounds->least * rounds->round_games,
                                 standings, &here, err);
    if (rc == 0 && here && run->only)
        rc = play_one_of_rounds(&play, err);
    else if (rc == 0 && here && run->check)
        rc = check_rounds(&play, err);
    else if (rc == 0 && here && !contest->folder.stopped[stage->stage])
        rc = play_all_rounds(&play, err);
    contest->late = false;
    if (rc == 0 && contest->folder.journal)
        rc = journal_wait(contest->folder.journal, err);
    if (rc == 0)
        contest_stage_end(contest, here, count_new(contest), standings, result);
    return rc;
}
