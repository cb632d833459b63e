#include "record/game_recorder.h"

#include "record/play_meter.h"

/* How seats play. */
static void hear_play(PlayMeter *meter, const Event *event)
{
    switch (event->kind) {
    case EVENT_ROLE:
        play_meter_role(meter, event->seat, event->role);
        break;
    case EVENT_DAY:
    case EVENT_END:
        play_meter_turn(meter);
        break;
    case EVENT_TALK:
        play_meter_say(meter, event->seat, event->talk->text, event->talk->sentence);
        break;
    case EVENT_VOTE:
        play_meter_vote(meter, event->seat, event->target);
        break;
    case EVENT_EXECUTE:
        play_meter_execute(meter, event->seat);
        break;
    case EVENT_ATTACK:
        if (event->killed)
            play_meter_death(meter, event->target);
        break;
    case EVENT_DEATH:
        play_meter_death(meter, event->seat);
        break;
    case EVENT_PHASE:
    case EVENT_PHASE_END:
    case EVENT_WHISPER:
    case EVENT_STANDING:
    case EVENT_NIGHT:
    case EVENT_DIVINE:
    case EVENT_GUARD:
    case EVENT_ATTACK_VOTE:
    case EVENT_IDENTIFY:
    case EVENT_REVEAL:
    case EVENT_SCORE:
    case EVENT_BID:
        break;
    }
}

void game_result_hear(GameResult *result, EndReason *reason, ResultDays *days, const Event *event)
{
    hear_play(&days->meter, event);
    switch (event->kind) {
    case EVENT_VOTE:
        if (event->round > 0 && days->last_revote_day != event->day) {
            days->last_revote_day = event->day;
            result->revote_days++;
        }
        if (days->last_vote_day != event->day) {
            days->last_vote_day = event->day;
            result->execution_days++;
        }
        break;
    case EVENT_ATTACK:
        result->attacks++;
        result->attack_kills += event->killed;
        break;
    case EVENT_END:
        result->winner = event->winner;
        result->last_day = event->day;
        *reason = event->reason;
        play_meter_end(&days->meter, result);
        break;
    case EVENT_REVEAL:
        result->roles[event->seat] = event->role;
        break;
    case EVENT_SCORE:
        result->points[event->seat] = event->points;
        break;
    case EVENT_ROLE:
    case EVENT_DAY:
    case EVENT_PHASE:
    case EVENT_PHASE_END:
    case EVENT_TALK:
    case EVENT_WHISPER:
    case EVENT_STANDING:
    case EVENT_EXECUTE:
    case EVENT_NIGHT:
    case EVENT_DIVINE:
    case EVENT_GUARD:
    case EVENT_ATTACK_VOTE:
    case EVENT_IDENTIFY:
    case EVENT_DEATH:
    case EVENT_BID:
        break;
    }
}

static void on_event(void *user, const Event *event)
{
    GameRecorder *recorder = user;

    game_result_hear(&recorder->record.result, &recorder->record.reason, &recorder->days, event);
    if (recorder->wants_log)
        aiwolf_log_event(&recorder->writer, event, &recorder->log);
}

Recorder game_recorder_listener(GameRecorder *recorder)
{
    return (Recorder){on_event, recorder};
}

void game_recorder_begin(GameRecorder *recorder, SeatNo seat_count, bool wants_log)
{
    GameResult *result = &recorder->record.result;

    result->seat_count = seat_count;
    result->winner = SIDE_NONE;
    result->last_day = result->revote_days = result->execution_days = 0;
    result->attacks = result->attack_kills = 0;
    memset(result->points, 0, sizeof(result->points));
    result->has_play = false;
    recorder->record.reason = END_ABORTED;
    recorder->record.log[0] = '\0';
    recorder->days = RESULT_DAYS_NONE;
    recorder->wants_log = wants_log;
    buf_clear(&recorder->log);
    if (wants_log)
        aiwolf_log_begin(&recorder->writer, seat_count, result->names);
}

void game_recorder_done(GameRecorder *recorder)
{
    buf_done(&recorder->log);
}
