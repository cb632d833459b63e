#include "match/game_record.h"

static const char *const reasons[END_REASON_COUNT] = {
    [END_WIN] = "win",
    [END_MAX_DAY] = "max_day",
    [END_IDLE] = "idle",
    [END_ABORTED] = "aborted",
};

static Conduct conduct_of(const SeatRecord *seat)
{
    Conduct conduct = {.substituted = seat->failed, .violations = seat->faults[FAULT_VIOLATION]};

    for (size_t kind = 0; kind < FAULT_COUNT; kind++)
        if (kind != FAULT_VIOLATION)
            conduct.faults += seat->faults[kind];
    return conduct;
}

int game_record_add_to(const GameRecord *record, Standings *standings, Err *err)
{
    int rc = standings_add_game(standings, &record->result, err);

    for (SeatNo seat = 1; rc == 0 && seat <= record->result.seat_count; seat++) {
        const Conduct conduct = conduct_of(&record->seats[seat]);
        rc = standings_add_conduct(standings, record->result.names[seat], &conduct, err);
    }
    return rc;
}

const char *end_reason_name(EndReason reason)
{
    return reason < END_REASON_COUNT ? reasons[reason] : "";
}

bool end_reason_of(Str name, EndReason *ret_reason)
{
    for (unsigned reason = 0; reason < END_REASON_COUNT; reason++)
        if (str_eq(name, str_of(reasons[reason]))) {
            *ret_reason = (EndReason)reason;
            return true;
        }
    return false;
}
