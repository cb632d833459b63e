/* The end of a game: its record, the schedule, who is told, and the seats are free. */
#include "nlp/hall_state.h"
#include "nlp/history_recover.h"

static void count_game(NlpHall *hall, const Running *running)
{
    const NlpTable *table = running->table;

    for (SeatNo seat = 1; seat <= running->count; seat++) {
        const ChairCounts *done = &nlp_table_chair(table, seat)->counts;
        hall->counts.requests += done->sent;
        hall->counts.replies += done->answers;
        hall->counts.request_errors += done->failures;
        hall->counts.late_replies += done->strays;
    }
    if (nlp_table_aborted(table))
        hall->counts.games_aborted++;
    else
        hall->counts.games_won[game_winner(nlp_table_game(table))]++;
}

static void record_health(NlpHall *hall, const Running *running, TimeUs now)
{
    NlpGame game;

    nlp_table_look(running->table, &game);
    for (SeatNo seat = 1; seat <= game.seat_count; seat++) {
        Str team = game.seats[seat].team;
        TeamGame sum = {.aborted = game.aborted && !running->ended_by_operator};
        bool first = true;
        for (SeatNo other = 1; other <= game.seat_count; other++) {
            if (!str_eq(game.seats[other].team, team))
                continue;
            first &= other >= seat;
            sum.requests += nlp_table_chair(running->table, other)->counts.requests;
            sum.request_errors += nlp_table_chair(running->table, other)->counts.failures;
            sum.fatal |= nlp_table_chair(running->table, other)->state == CHAIR_OUT;
        }
        if (first && running->tokens[seat] &&
            team_health_end(hall->health, team, &sum, hall_unix_ms(hall, now))) {
            CLEANUP(buf_done) Buf line = {0};
            buf_printf(&line, "team %.*s is quarantined: too many of its requests or games failed",
                       STR_ARG(team));
            hall_notice(hall, NOTICE_QUARANTINE, buf_str(&line));
        }
    }
}

static const char *winner_name(Side side)
{
    return side == SIDE_VILLAGER ? "VILLAGER" : side == SIDE_WEREWOLF ? "WEREWOLF" : "NONE";
}

static void tell_over(NlpHall *hall, const Running *running)
{
    CLEANUP(buf_done) Buf line = {0};
    NlpGame game;

    nlp_table_look(running->table, &game);
    buf_printf(&line, "game-over game=%.*s number=%u winner=%s day=%u%s", STR_ARG(game.id),
               running->number, winner_name(game.winner), game.day, game.aborted ? " aborted" : "");
    for (SeatNo seat = 1; seat <= game.seat_count; seat++)
        if (game.seats[seat].errored)
            buf_printf(&line, " errored=%.*s", STR_ARG(game.seats[seat].original));
        else if (nlp_table_away_seat(running->table, game.seats[seat].original) == seat)
            buf_printf(&line, " away=%.*s", STR_ARG(game.seats[seat].original));
    if (hall->history)
        buf_printf(&line, " matches=%u/%u", history_ended_count(hall->history),
                   history_ended_count(hall->history) + history_scheduled_count(hall->history));
    hall_note(hall, buf_str(&line));
    if (game.aborted)
        hall_notice(hall, NOTICE_ABORT, buf_str(&line));
}

/* Of agents that come by themselves nothing is known but their names. */
static void know_seats(const NlpHall *hall, const Running *running, GameRecord *record)
{
    NlpGame game;

    if (!hall->setup.out.seat)
        return;
    nlp_table_look(running->table, &game);
    for (SeatNo seat = 1; seat <= game.seat_count; seat++)
        if (record->seats[seat].outside)
            hall->setup.out.seat(hall->setup.out.user, &game, seat, &record->seats[seat]);
}

/* Without its record a game is no more evidence than without its log. False: nothing to wait for.
 */
static bool add_result(const NlpHall *hall, Running *running, TimeUs now)
{
    CLEANUP(mem_freep) GameRecord *record = mem_new(sizeof(*record));
    Err err = {0};

    if (!hall->setup.results || nlp_table_log_failed(running->table))
        return false;
    int rc = record ? 0 : err_set(&err, ERR_MEMORY, "results: out of memory");
    if (rc == 0) {
        nlp_table_record(running->table, record);
        know_seats(hall, running, record);
        record->set = record->game = running->result;
        record->ended_at_ms = hall_unix_ms(hall, now);
        rc = result_journal_add(hall->setup.results, record, &running->ticket, &err);
    }
    if (rc)
        nlp_table_lose_record(running->table, &err);
    return rc == 0;
}

/* Its logs may be whole all the same: they would be counted beside the game that is played anew. */
static void void_lost_game(const NlpHall *hall, const Running *running)
{
    const HistoryLogs logs = hall_logs(hall->setup.config);
    CLEANUP(buf_done) Buf stem = {0};
    CLEANUP(buf_done) Buf trouble = {0};
    NlpGame game;

    nlp_table_look(running->table, &game);
    buf_add(&stem, game.stem);
    if (buf_failed(&stem) || stem.len == 0)
        return;
    history_void_decided(&logs, buf_cstr(&stem), &trouble);
    if (trouble.len)
        hall_note(hall, buf_str(&trouble));
}

/* Who was on the way to this game waits for another one. */
static void turn_around(NlpHall *hall, const Running *running, TimeUs now)
{
    for (NlpAgent *agent = hall->returning.first, *next; agent; agent = next) {
        next = agent->next;
        if (agent->running != running)
            continue;
        agent_list_drop(&hall->returning, agent);
        hall_readmit(hall, agent, now);
    }
}

static void tell_record(const NlpHall *hall, const Running *running)
{
    CLEANUP(mem_freep)
    GameRecord *record = hall->setup.out.record ? mem_new(sizeof(*record)) : NULL;

    if (!record)
        return;
    nlp_table_record(running->table, record);
    hall->setup.out.record(hall->setup.out.user, record);
}

/* What a game leaves behind once it is on disk, or is known not to come there. */
static void settle_game(NlpHall *hall, Running *running, TimeUs now)
{
    *(running->prev ? &running->prev->next : &hall->running) = running->next;
    if (running->next)
        running->next->prev = running->prev;
    hall->counts.games--;
    if (nlp_table_log_failed(running->table)) {
        hall->hold_until = now + HALL_HOLD_US;
        void_lost_game(hall, running);
    }
    count_game(hall, running);
    tell_record(hall, running);
    hall_record_match(hall, running, now);
    record_health(hall, running, now);
    hall_remember(hall, running, hall_unix_ms(hall, now));
    tell_over(hall, running);
    if (hall->setup.out.game)
        hall->setup.out.game(hall->setup.out.user, str_of(running->id), true);
    if (hall->setup.live)
        hall->setup.live->ends(hall->setup.live->user, str_of(running->id),
                               nlp_table_aborted(running->table), now);
    for (SeatNo seat = 1; seat <= running->count; seat++) {
        NlpAgent *agent = nlp_table_peer(running->table, seat);
        if (!agent)
            continue;
        hall->counts.open--;
        hall->setup.out.close(agent->peer, CLOSE_NORMAL, "game over");
        hall_free_agent(agent);
    }
    turn_around(hall, running, now);
    running_free(running);
    hall_tell_complete(hall);
    hall_match(hall, now);
}

/* Whether the game waits for the disk; one that can't come there has a log that is not whole. */
static bool result_waits(const NlpHall *hall, const Running *running)
{
    Err err = {0};
    ResultState state = result_journal_state(hall->setup.results, running->ticket, &err);

    if (state == RESULT_LOST)
        nlp_table_lose_record(running->table, &err);
    return state == RESULT_WAITS;
}

void nlp_hall_written(NlpHall *hall, TimeUs now)
{
    hall_follow_acts(hall, now);
    while (hall->unwritten && !result_waits(hall, hall->unwritten)) {
        Running *running = hall->unwritten;
        hall->unwritten = running->next_unwritten;
        settle_game(hall, running, now);
    }
}

/* The journal has the game before anybody is told of its result, and before the schedule counts it.
 * Until then it is nowhere: no bench plays it, and its agents stay as they are. No other game ends
 * here: who calls may be on the way through all of them. */
void hall_end_game(NlpHall *hall, Running *running, TimeUs now)
{
    Running **last = &hall->unwritten;

    running->moving = false;
    if (!add_result(hall, running, now) || (!hall->unwritten && !result_waits(hall, running))) {
        settle_game(hall, running, now);
        return;
    }
    while (*last)
        last = &(*last)->next_unwritten;
    *last = running;
}
