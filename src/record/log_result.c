#include "record/log_result.h"

#include "record/play_meter.h"
#include "wire/nlp_packet.h"

/* The votes and the attack of one day. */
static void add_line(const LogLine *line, SeatSet *voted, bool *revote, GameResult *result)
{
    switch ((LogLineKind)line->kind) {
    case LOG_STATUS:
        *voted = 0;
        *revote = false;
        break;
    case LOG_VOTE:
        if (*voted == 0)
            result->execution_days++;
        /* A revote shows only in somebody's voting again. */
        if (seat_in(*voted, line->seat) && !*revote) {
            *revote = true;
            result->revote_days++;
        }
        *voted |= seat_bit(line->seat);
        break;
    case LOG_ATTACK:
        result->attacks++;
        result->attack_kills += line->killed;
        break;
    case LOG_TALK:
    case LOG_WHISPER:
    case LOG_EXECUTE:
    case LOG_DIVINE:
    case LOG_GUARD:
    case LOG_ATTACK_VOTE:
    case LOG_RESULT:
    case LOG_KIND_COUNT:
        break;
    }
}

/* How seats play. A line of a seat's state tells of deaths that no other line does. */
static void add_play(PlayMeter *meter, const LogLine *line)
{
    switch ((LogLineKind)line->kind) {
    case LOG_STATUS:
        if (line->seat == 1)
            play_meter_turn(meter);
        if (!line->alive)
            play_meter_death(meter, line->seat);
        break;
    case LOG_TALK:
        play_meter_say(meter, line->seat, line->text, false);
        break;
    case LOG_VOTE:
        play_meter_vote(meter, line->seat, line->target);
        break;
    case LOG_EXECUTE:
        play_meter_execute(meter, line->seat);
        break;
    case LOG_ATTACK:
        if (line->killed)
            play_meter_death(meter, line->target);
        break;
    case LOG_RESULT:
        play_meter_turn(meter);
        break;
    case LOG_WHISPER:
    case LOG_DIVINE:
    case LOG_GUARD:
    case LOG_ATTACK_VOTE:
    case LOG_KIND_COUNT:
        break;
    }
}

static void count_play(const LogGame *log, GameResult *result)
{
    PlayMeter meter = {0};

    for (SeatNo seat = 1; seat <= log->seat_count; seat++)
        play_meter_role(&meter, seat, log->roles[seat]);
    for (size_t i = 0; i < log->count; i++)
        add_play(&meter, &log->lines[i]);
    play_meter_end(&meter, result);
}

/* The agents of a team are called like it, with a number behind it. */
static Str team_of(Str name)
{
    Str team = nlp_team_of(name);

    return team.len > 0 ? team : name;
}

int log_result(const LogGame *log, GameResult *ret, Err *err)
{
    GameResult result = {.seat_count = log->seat_count};
    SeatSet voted = 0;
    bool revote = false;

    if (log->broken.code)
        return err_set_at(err, log->broken.code, log->broken.line, log->broken.column,
                          "line %u: %s", log->broken.line, log->broken.msg);
    const LogLine *last = &log->lines[log->count - 1];
    if (last->kind != LOG_RESULT)
        return err_set_at(err, ERR_SYNTAX, last->number, 0,
                          "the log does not end in a result line");
    if (log->form == LOG_FORM_NLP && last->winner == SIDE_NONE)
        return err_set_at(err, ERR_RULE, last->number, 0, "the game ended without a winner");
    for (size_t i = 0; i < log->count; i++)
        add_line(&log->lines[i], &voted, &revote, &result);
    for (SeatNo seat = 1; seat <= log->seat_count; seat++) {
        result.roles[seat] = log->roles[seat];
        result.names[seat] =
            log->form == LOG_FORM_NLP ? team_of(log->names[seat]) : log->names[seat];
    }
    result.winner = (Side)last->winner;
    result.last_day = last->day;
    count_play(log, &result);
    *ret = result;
    return 0;
}
