/* The schedule of a hall and its file: how it is begun or continued, what is counted in it, when it
 * is complete. */
#include "nlp/hall_state.h"
#include "nlp/history_recover.h"

#include <errno.h>
#include <unistd.h>

/* While the schedule can't be written no further game begins, and it is tried again: a server that
 * ended now would play the match twice. */
void hall_save_history(NlpHall *hall, TimeUs now)
{
    CLEANUP(buf_done) Buf line = {0};
    Err err = {0};

    hall->unsaved =
        history_save(hall->history, hall->setup.config->matching.output_path, &err) != 0;
    if (!hall->unsaved)
        return;
    hall->hold_until = now + HALL_HOLD_US;
    buf_printf(&line, "history-failed: %s", err.msg);
    hall_note(hall, buf_str(&line));
}

void hall_tell_complete(NlpHall *hall)
{
    CLEANUP(buf_done) Buf line = {0};

    if (!nlp_hall_complete(hall) || hall->told_complete)
        return;
    hall->told_complete = true;
    if (!hall->history) /* --games: its server says so */
        return;
    const uint32_t skipped = history_skipped_count(hall->history);
    buf_printf(&line, "tournament complete: all %u scheduled matches have ended",
               history_ended_count(hall->history));
    if (skipped)
        buf_printf(&line, ", but for %u that are skipped, since a team of theirs is left out",
                   skipped);
    hall_note(hall, buf_str(&line));
    hall_notice(hall, NOTICE_MILESTONE, buf_str(&line));
}

/* The schedule goes on disk before anybody is told of the result. */
void hall_record_match(NlpHall *hall, const Running *running, TimeUs now)
{
    const ConfigMatching *matching = &hall->setup.config->matching;

    NlpGame game;

    if (!hall->history || !running->scheduled)
        return;
    nlp_table_look(running->table, &game);
    history_drop_game(hall->history, game.stem);
    if (game.aborted) /* its teams have no part in it when an operator has ended it */
        history_abort(hall->history, &running->match,
                      running->ended_by_operator ? 1 : matching->abort_weight_factor);
    else
        history_end(hall->history, &running->match);
    hall_save_history(hall, now);
}

/* Where the logs are that are evidence of a game. */
HistoryLogs hall_logs(const Config *config)
{
    return (HistoryLogs){.game = config->game_logger.enable ? config->game_logger.output_dir : NULL,
                         .json =
                             config->json_logger.enable ? config->json_logger.output_dir : NULL};
}

/* Games that were begun and count. */
static uint64_t decided_count(const NlpHall *hall)
{
    return hall->counts.games_begun - hall->counts.games_aborted - hall->counts.games_void;
}

bool nlp_hall_complete(const NlpHall *hall)
{
    if (hall->counts.games || hall->unsaved)
        return false;
    if (hall->setup.games)
        return decided_count(hall) >= hall->setup.games;
    return hall->history && !history_plan(hall->history)->infinite_loop &&
           history_scheduled_count(hall->history) == history_skipped_count(hall->history);
}

bool nlp_hall_ending(const NlpHall *hall)
{
    uint32_t over = 0, decided = 0;

    for (const Running *running = hall->unwritten; running; running = running->next_unwritten) {
        over++;
        decided += !nlp_table_aborted(running->table) && !nlp_table_log_failed(running->table);
    }
    if (over == 0 || over < hall->counts.games)
        return false;
    if (hall->draining)
        return true;
    if (operator_acts_held(hall->acts))
        return false;
    if (hall->setup.games)
        return decided_count(hall) - (over - decided) >= hall->setup.games;
    return hall->history && !history_plan(hall->history)->infinite_loop &&
           history_scheduled_count(hall->history) - history_skipped_count(hall->history) == decided;
}

/* One that is there and can't be read (no right, no descriptor left) is not written over. */
static bool file_is_there(const char *path)
{
    return access(path, F_OK) == 0 || errno != ENOENT;
}

/* The roles of a schedule that is continued win over the configuration's (2.5). */
static int take_roles_of_schedule(NlpHall *hall, Err *err)
{
    const Config *config = hall->setup.config;
    const uint8_t *roles = history_plan(hall->history)->role_counts;
    uint8_t counts[ROLE_COUNT];
    uint32_t seats = 0;

    int rc = ruleset_roles(&config->rules, config->agent_count, counts, err);
    if (rc || memcmp(counts, roles, sizeof(counts)) == 0)
        return rc;
    hall->own_config = *config;
    for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
        seats += roles[role];
        hall->own_config.rules.roles.counts[config->agent_count][role] = roles[role];
        hall->own_config.role_named[role] |= roles[role] > 0;
    }
    if (seats != (uint32_t)config->agent_count)
        return err_set(err, ERR_RULE,
                       "schedule '%s' is of games with %u seats; agent_count is %d: move one away",
                       config->matching.output_path, seats, (int)config->agent_count);
    hall->setup.config = &hall->own_config;
    hall_note(hall, STR("the schedule has other roles than logic.roles; those of the schedule are "
                        "played"));
    return 0;
}

/* ---- what operators did to it ---- */

void hall_skip_matches(NlpHall *hall)
{
    if (!hall->history)
        return;
    for (uint32_t team = 0; team < history_plan(hall->history)->team_count; team++) {
        Str name = history_team_name(hall->history, team);
        history_leave_out(hall->history, team,
                          name.bytes && operator_acts_is_out(hall->acts, name));
    }
}

/* The teams of a record may be cut. */
static Str whole_name(const History *history, Str cut)
{
    for (uint32_t team = 0; team < history_plan(history)->team_count; team++) {
        Str name = history_team_name(history, team);
        if (name.bytes && str_eq(game_record_name(name), cut))
            return name;
    }
    return cut;
}

static bool match_of(const History *history, const GameRecord *record, HistoryMatch *ret_match)
{
    const GameResult *result = &record->result;
    Str teams[SEAT_MAX + 1] = {{0}};

    for (SeatNo seat = 1; seat <= result->seat_count; seat++)
        teams[seat] = whole_name(history, record->seats[seat].team);
    return history_match_of(history, result->seat_count, teams, result->roles, ret_match);
}

/* They would be counted by who reads the folder without its journal. */
static void set_logs_aside(const NlpHall *hall, const GameRecord *record)
{
    const HistoryLogs logs = hall_logs(hall->setup.config);
    CLEANUP(buf_done) Buf stem = {0};
    CLEANUP(buf_done) Buf trouble = {0};
    Str log = str_of(record->log);
    size_t at;

    if (str_find_last(log, '/', &at) || !str_find_last(log, '.', &at))
        return;
    buf_add(&stem, str_part(log, 0, at));
    if (!buf_failed(&stem))
        history_void_decided(&logs, buf_cstr(&stem), &trouble);
    if (trouble.len)
        hall_note(hall, buf_str(&trouble));
}

void hall_replay_match(NlpHall *hall, const GameRecord *record, bool *ret_again)
{
    HistoryMatch match;
    Err err = {0};

    *ret_again = false;
    set_logs_aside(hall, record);
    if (!hall->history || history_is_replayed(hall->history, record->game) ||
        !match_of(hall->history, record, &match))
        return;
    if (history_replay(hall->history, &match, record->game, ret_again, &err))
        hall_note(hall, str_of(err.msg));
    hall->told_complete &= !*ret_again;
}

/* A game that was made void, of which the schedule may not know yet. */
static int hear_void(void *user, const GameRecord *record, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    bool again;

    (void)err;
    hall_replay_match(user, record, &again);
    buf_printf(&line, "void game=%s: made void by an operator%s", record->id,
               again ? ", its match is played again" : "");
    hall_note(user, buf_str(&line));
    return 0;
}

/* Killed between the act and the schedule's file: true when that has to be saved. */
static bool recover_voids(NlpHall *hall)
{
    OperatorAct act;
    Err err = {0};
    bool found = false;

    for (uint32_t i = 0; operator_acts_at(hall->acts, i, &act); i++) {
        if (act.kind != ACT_VOID || act.target != ACT_OF_GAME ||
            history_is_replayed(hall->history, act.number))
            continue;
        found = true;
        if (result_journal_game(hall->setup.results, act.id, hear_void, hall, &err))
            hall_note(hall, str_of(err.msg));
    }
    return found;
}

static void note_recovered(void *user, Str line)
{
    hall_note(user, line);
}

/* A schedule that is continued: what a killed server had not settled is settled first. */
static int continue_history(NlpHall *hall, Err *err)
{
    const Config *config = hall->setup.config;
    const char *path = config->matching.output_path;
    HistoryLogs logs = hall_logs(config);
    logs.realtime = config->realtime.enable ? config->realtime.output_dir : NULL;
    logs.results = hall->setup.results;
    int rc = history_load(path, &hall->history, err);

    if (rc)
        return rc;
    bool changed = history_recover(hall->history, &logs, note_recovered, hall) > 0;
    changed |= hall->setup.results && recover_voids(hall);
    hall_skip_matches(hall);
    if (changed)
        rc = history_save(hall->history, path, err);
    return rc ? rc : take_roles_of_schedule(hall, err);
}

int hall_open_history(NlpHall *hall, Err *err)
{
    const Config *config = hall->setup.config;
    const ConfigMatching *matching = &config->matching;
    HistoryPlan plan = {.team_count = (uint32_t)matching->team_count,
                        .game_count = (uint32_t)matching->game_count,
                        .infinite_loop = matching->infinite_loop};
    int rc = 0;

    if (!matching->is_optimize)
        return 0;
    rc = history_lock(matching->output_path, &hall->history_lock, err);
    if (rc)
        return rc;
    if (file_is_there(matching->output_path))
        return continue_history(hall, err);
    rc = ruleset_roles(&config->rules, config->agent_count, plan.role_counts, err);
    if (rc == 0) {
        Rng rng = hall_chance_schedule(&hall->chance);
        rc = history_new(&plan, &rng, &hall->history, err);
    }
    return rc ? rc : history_save(hall->history, matching->output_path, err);
}
