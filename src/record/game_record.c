#include "record/game_record.h"

#include "base/words.h"

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
    return (GameDivision)words_find(divisions, DIVISION_COUNT, name);
}

const char *seat_kind_name(SeatKind kind)
{
    return kind < SEAT_KIND_COUNT ? kinds[kind] : "";
}

SeatKind seat_kind_of(Str name)
{
    return (SeatKind)words_find(kinds, SEAT_KIND_COUNT, name);
}

const char *end_reason_name(EndReason reason)
{
    return reason < END_REASON_COUNT ? reasons[reason] : "";
}

bool end_reason_of(Str name, EndReason *ret_reason)
{
    unsigned reason = words_find(reasons, END_REASON_COUNT, name);

    if (reason == END_REASON_COUNT)
        return false;
    *ret_reason = (EndReason)reason;
    return true;
}
