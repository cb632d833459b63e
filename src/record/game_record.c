#include "record/game_record.h"

static const char *const reasons[END_REASON_COUNT] = {
    [END_WIN] = "win",
    [END_MAX_DAY] = "max_day",
    [END_IDLE] = "idle",
    [END_ABORTED] = "aborted",
};

static const char *const divisions[DIVISION_COUNT] = {
    [DIVISION_AIWOLF] = "aiwolf",
    [DIVISION_NLP] = "nlp",
    [DIVISION_MAW] = "maw",
};

static const char *const kinds[SEAT_KIND_COUNT] = {
    [SEAT_BOT] = "bot",
    [SEAT_AGENT] = "agent",
    [SEAT_MODEL] = "model",
    [SEAT_PERSON] = "person",
};

const char *game_division_name(GameDivision division)
{
    return division < DIVISION_COUNT ? divisions[division] : "";
}

GameDivision game_division_of(Str name)
{
    unsigned division = 0;

    while (division < DIVISION_COUNT && !str_eq(name, str_of(divisions[division])))
        division++;
    return (GameDivision)division;
}

const char *seat_kind_name(SeatKind kind)
{
    return kind < SEAT_KIND_COUNT ? kinds[kind] : "";
}

SeatKind seat_kind_of(Str name)
{
    unsigned kind = 0;

    while (kind < SEAT_KIND_COUNT && !str_eq(name, str_of(kinds[kind])))
        kind++;
    return (SeatKind)kind;
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
