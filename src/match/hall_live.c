/* Games of a hall, for who watches them (record/live_sink.h). */
#include "match/hall_state.h"

#include <stdio.h>

static const LiveSink *sink_of(const HallTable *at)
{
    return at->hall->plan->live;
}

void hall_live_begins(HallTable *at, uint64_t game, TimeUs now)
{
    const LiveSink *live = sink_of(at);
    const SeatNo count = set_table_seat_count(at->table);
    char names[SEAT_MAX + 1][16];
    DocSeat seats[SEAT_MAX + 1];

    if (!live)
        return;
    buf_clear(&at->live);
    stage_run_name_game(at->hall->run, game, &at->live);
    if (buf_failed(&at->live)) {
        buf_done(&at->live);
        return;
    }
    seats[0] = (DocSeat){0};
    for (SeatNo seat = 1; seat <= count; seat++) {
        snprintf(names[seat], sizeof(names[seat]), "Agent[%02u]", seat);
        seats[seat] = (DocSeat){.name = str_of(names[seat]),
                                .agent = set_table_name(at->table, seat),
                                .kind = str_of(at->places[seat].plan.bot ? "bot" : "agent")};
    }
    live->begins(live->user,
                 &(DocHead){.id = buf_str(&at->live),
                            .division = DOC_PROTOCOL,
                            .language = "aiwolf",
                            .rules = &at->hall->run->plan->rules,
                            .seat_count = count,
                            .seats = seats,
                            .began_unix_ms = at->hall->run->date(),
                            .form = "live",
                            .source_name = buf_str(&at->live),
                            .seats_stay = at->hall->run->draw.stage->games_per_set > 1},
                 now);
}

void hall_live_heard(const HallTable *at, const Event *event, TimeUs now)
{
    const LiveSink *live = sink_of(at);

    if (live && at->live.len)
        live->heard(live->user, buf_str(&at->live), event, now);
}

void hall_live_fault(const HallTable *at, const Fault *fault, TimeUs now)
{
    const LiveSink *live = sink_of(at);

    if (live && at->live.len)
        live->fault(live->user, buf_str(&at->live), fault, now);
}

void hall_live_asked(const HallTable *at, SeatNo seat, TimeUs now)
{
    const LiveSink *live = sink_of(at);

    if (live && at->live.len)
        live->asked(live->user, buf_str(&at->live), seat, now);
}

void hall_live_ends(HallTable *at, bool aborted, TimeUs now)
{
    const LiveSink *live = sink_of(at);

    if (live && at->live.len)
        live->ends(live->user, buf_str(&at->live), aborted, now);
    buf_done(&at->live);
}
