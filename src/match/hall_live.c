/* Games of a hall, for who watches them (record/live_sink.h). */
#include "match/hall_state.h"

#include <stdio.h>

static const LiveSink *sink_of(const HallTable *at)
{
    return at->hall->plan->live;
}

/* The name of the folder of results; empty without one. */
static Str folder_name(const char *out)
{
    Str folder = str_of(out);
    size_t slash;

    while (folder.len > 1 && folder.bytes[folder.len - 1] == '/')
        folder.len--;
    return str_find_last(folder, '/', &slash) ? str_part(folder, slash + 1, folder.len) : folder;
}

/* Letters and digits that IDs of pages have as they are. */
static bool is_plain(Str name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

    for (size_t i = 0; i < name.len; i++)
        if (!memchr(plain, name.bytes[i], sizeof(plain) - 1))
            return false;
    return name.len > 0 && name.len <= 100 && name.bytes[0] != '.';
}

/* As its log is called where the folder is shown: FOLDER.LOG. What that is in IDs is the log's own
 * name, when the folder's has other letters. */
static void name_game(HallTable *at, uint64_t game, Buf *log)
{
    const Str folder = folder_name(at->hall->plan->out);

    if (folder.len)
        buf_printf(log, "%.*s.", STR_ARG(folder));
    stage_run_name_game(at->hall->run, game, log);
    buf_clear(&at->live);
    if (is_plain(folder))
        buf_add(&at->live, buf_str(log));
    else
        stage_run_name_game(at->hall->run, game, &at->live);
}

void hall_live_begins(HallTable *at, uint64_t game, TimeUs now)
{
    const LiveSink *live = sink_of(at);
    const SeatNo count = set_table_seat_count(at->table);
    CLEANUP(buf_done) Buf log = {0};
    char names[SEAT_MAX + 1][16];
    DocSeat seats[SEAT_MAX + 1];

    if (!live)
        return;
    name_game(at, game, &log);
    if (buf_failed(&at->live) || buf_failed(&log)) {
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
                            .source_name = buf_str(&log),
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

    if (live && live->fault && at->live.len)
        live->fault(live->user, buf_str(&at->live), fault, now);
}

void hall_live_asked(const HallTable *at, SeatNo seat, TimeUs now)
{
    const LiveSink *live = sink_of(at);

    if (live && live->asked && at->live.len)
        live->asked(live->user, buf_str(&at->live), seat, now);
}

void hall_live_ends(HallTable *at, bool aborted, TimeUs now)
{
    const LiveSink *live = sink_of(at);

    if (live && at->live.len)
        live->ends(live->user, buf_str(&at->live), aborted, now);
    buf_done(&at->live);
}
