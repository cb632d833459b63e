#include "record/game_recorder.h"

static void add_to_record(GameRecorder *recorder, const Event *event)
{
    GameResult *result = &recorder->record.result;

    switch (event->kind) {
    case EVENT_VOTE:
        if (event->round > 0 && recorder->last_revote_day != event->day) {
            recorder->last_revote_day = event->day;
            result->revote_days++;
        }
        if (recorder->last_vote_day != event->day) {
            recorder->last_vote_day = event->day;
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
        recorder->record.reason = event->reason;
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
        break;
    }
}

static void on_event(void *user, const Event *event)
{
    GameRecorder *recorder = user;

    add_to_record(recorder, event);
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
    recorder->record.reason = END_ABORTED;
    recorder->record.log[0] = '\0';
    recorder->last_vote_day = recorder->last_revote_day = UINT16_MAX;
    recorder->wants_log = wants_log;
    buf_clear(&recorder->log);
    if (wants_log)
        aiwolf_log_begin(&recorder->writer, seat_count, result->names);
}

void game_recorder_done(GameRecorder *recorder)
{
    buf_done(&recorder->log);
}
