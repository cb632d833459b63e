#include "stats/team_metrics.h"

#include "base/mem.h"
#include "base/metric_text.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>

/* How the seats of a team ended. */
typedef enum SeatEnd { SEAT_WON, SEAT_LOST, SEAT_NONE_WON, SEAT_VOID, SEAT_ENDS } SeatEnd;

static const char *const end_names[SEAT_ENDS] = {"won", "lost", "none", "void"};
static const char *const ask_names[ASK_COUNT] = {
    [ASK_ROLE] = "ROLE",     [ASK_TALK] = "TALK",   [ASK_WHISPER] = "WHISPER", [ASK_VOTE] = "VOTE",
    [ASK_DIVINE] = "DIVINE", [ASK_GUARD] = "GUARD", [ASK_ATTACK] = "ATTACK",   [ASK_BID] = "BID"};

typedef struct TeamRow {
    char name[AGENT_NAME_MAX + 1];
    uint64_t games;
    uint64_t ends[SEAT_ENDS]; /* of its seats */
    uint64_t failed;          /* seats that a substitute had from some moment on */
    uint64_t faults[FAULT_COUNT];
    AnswerTimes answers[ASK_COUNT];
} TeamRow;

struct TeamMetrics {
    TeamRow *rows[TEAM_METRICS_MAX + 1]; /* the first: the others */
    uint32_t count;
};

/* ---- life ---- */

static TeamRow *add_row(TeamMetrics *metrics, Str name)
{
    TeamRow *row = mem_new(sizeof(*row));

    if (!row)
        return NULL;
    name = str_part(name, 0, AGENT_NAME_MAX);
    if (name.len)
        memcpy(row->name, name.bytes, name.len);
    metrics->rows[metrics->count++] = row;
    return row;
}

TeamMetrics *team_metrics_new(void)
{
    TeamMetrics *metrics = mem_new(sizeof(*metrics));

    if (metrics && !add_row(metrics, STR(TEAM_METRICS_OTHERS)))
        return mem_free(metrics);
    return metrics;
}

TeamMetrics *team_metrics_free(TeamMetrics *metrics)
{
    if (!metrics)
        return NULL;
    for (uint32_t i = 0; i < metrics->count; i++)
        mem_free(metrics->rows[i]);
    return mem_free(metrics);
}

/* ---- games ---- */

static TeamRow *row_of(TeamMetrics *metrics, Str name)
{
    name = str_part(name, 0, AGENT_NAME_MAX);
    for (uint32_t i = 0; i < metrics->count; i++)
        if (str_eq(str_of(metrics->rows[i]->name), name))
            return metrics->rows[i];
    TeamRow *row = metrics->count <= TEAM_METRICS_MAX ? add_row(metrics, name) : NULL;
    return row ? row : metrics->rows[0];
}

static SeatEnd end_of(const GameRecord *record, SeatNo seat)
{
    if (record->is_void)
        return SEAT_VOID;
    if (record->result.winner == SIDE_NONE)
        return SEAT_NONE_WON;
    return role_side(record->result.roles[seat]) == record->result.winner ? SEAT_WON : SEAT_LOST;
}

static void add_seat(TeamRow *row, const GameRecord *record, SeatNo seat)
{
    const SeatRecord *own = &record->seats[seat];

    row->ends[end_of(record, seat)]++;
    row->failed += own->failed;
    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        row->faults[kind] += own->faults[kind];
    for (unsigned kind = 0; kind < ASK_COUNT; kind++)
        answer_times_merge(&row->answers[kind], &own->answers[kind]);
}

void team_metrics_add(TeamMetrics *metrics, const GameRecord *record)
{
    TeamRow *played[SEAT_MAX + 1] = {NULL};

    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        if (!record->seats[seat].outside)
            continue;
        TeamRow *row = row_of(metrics, game_record_counted(record, seat));
        assert(row); /* the others' is there */
        bool first = true;
        for (SeatNo before = 1; before < seat; before++)
            first &= played[before] != row;
        played[seat] = row;
        row->games += first;
        add_seat(row, record, seat);
    }
}

/* ---- printing ---- */

void team_metrics_escape(Str text, Buf *out)
{
    while (text.len) {
        Str rest = text;
        const uint32_t code = utf8_next(&rest);
        Str taken = str_part(text, 0, text.len - rest.len);
        if (code == '\\')
            buf_add(out, STR("\\\\"));
        else if (code == '"')
            buf_add(out, STR("\\\""));
        else if (code == '\n')
            buf_add(out, STR("\\n"));
        else if (code == UTF8_INVALID || code < 0x20 || (code >= 0x7F && code < 0xA0))
            buf_add(out, STR("\xEF\xBF\xBD"));
        else
            buf_add(out, taken);
        text = rest;
    }
}

/* What all lines of a metric have. */
typedef struct Series {
    const char *prefix;
    const char *name;
    Buf *out;
} Series;

static Series begin_series(const char *prefix, const char *name, MetricKind kind, const char *help,
                           Buf *out)
{
    metric_head(out, &(Metric){prefix, name, kind, help});
    return (Series){prefix, name, out};
}

static void begin_line(const Series *series, const char *suffix, const TeamRow *row)
{
    buf_printf(series->out, "%s%s%s{team=\"", series->prefix, series->name, suffix);
    team_metrics_escape(str_of(row->name), series->out);
    buf_add_char(series->out, '"');
}

/* With one label more, if `key` is one. */
static void put_count(const Series *series, const TeamRow *row, const char *key, const char *value,
                      uint64_t count)
{
    begin_line(series, "", row);
    if (key)
        buf_printf(series->out, ",%s=\"%s\"", key, value);
    buf_printf(series->out, "} %" PRIu64 "\n", count);
}

static void put_times(const Series *series, const TeamRow *row, const char *request,
                      const AnswerTimes *times)
{
    uint64_t count = 0;

    for (size_t step = 0; step <= ANSWER_STEPS; step++) {
        count += times->counts[step];
        begin_line(series, "_bucket", row);
        buf_printf(series->out, ",request=\"%s\",le=\"", request);
        if (step < ANSWER_STEPS)
            buf_printf(series->out, "%g", answer_step_ms[step] / 1000.0);
        else
            buf_add(series->out, STR("+Inf"));
        buf_printf(series->out, "\"} %" PRIu64 "\n", count);
    }
    begin_line(series, "_sum", row);
    buf_printf(series->out, ",request=\"%s\"} %" PRIu64 ".%06" PRIu64 "\n", request,
               times->sum_us / 1000000, times->sum_us % 1000000);
    begin_line(series, "_count", row);
    buf_printf(series->out, ",request=\"%s\"} %" PRIu64 "\n", request, count);
}

/* The others have a row only when there are any. */
static bool is_shown(const TeamMetrics *metrics, uint32_t index)
{
    return metrics->rows[index]->games > 0;
}

static void print_games(const TeamMetrics *metrics, const char *prefix, Buf *out)
{
    const Series games = begin_series(prefix, "team_games_total", METRIC_COUNTER,
                                      "Games that are over, by team.", out);

    for (uint32_t i = 0; i < metrics->count; i++)
        if (is_shown(metrics, i))
            put_count(&games, metrics->rows[i], NULL, NULL, metrics->rows[i]->games);
    const Series seats =
        begin_series(prefix, "team_seats_total", METRIC_COUNTER,
                     "Seats in games that are over, by team and how they ended for it; void: the "
                     "game had no result.",
                     out);
    for (uint32_t i = 0; i < metrics->count; i++)
        for (unsigned end = 0; end < SEAT_ENDS && is_shown(metrics, i); end++)
            put_count(&seats, metrics->rows[i], "result", end_names[end],
                      metrics->rows[i]->ends[end]);
}

static void print_faults(const TeamMetrics *metrics, const char *prefix, Buf *out)
{
    const Series failed =
        begin_series(prefix, "team_failed_seats_total", METRIC_COUNTER,
                     "Seats that a substitute had from some moment on, by team.", out);

    for (uint32_t i = 0; i < metrics->count; i++)
        if (is_shown(metrics, i))
            put_count(&failed, metrics->rows[i], NULL, NULL, metrics->rows[i]->failed);
    const Series faults = begin_series(prefix, "team_faults_total", METRIC_COUNTER,
                                       "Faults in games that are over, by team and kind.", out);
    for (uint32_t i = 0; i < metrics->count; i++)
        for (unsigned kind = 0; kind < FAULT_COUNT && is_shown(metrics, i); kind++)
            put_count(&faults, metrics->rows[i], "kind", fault_kind_name((FaultKind)kind),
                      metrics->rows[i]->faults[kind]);
}

/* What nobody was asked has no lines. */
static void print_answers(const TeamMetrics *metrics, const char *prefix, Buf *out)
{
    const Series answers =
        begin_series(prefix, "team_answer_seconds", METRIC_HISTOGRAM,
                     "How long answers took in games that are over, by team and request.", out);

    for (uint32_t i = 0; i < metrics->count; i++)
        for (unsigned kind = 0; kind < ASK_COUNT; kind++)
            if (answer_times_count(&metrics->rows[i]->answers[kind]))
                put_times(&answers, metrics->rows[i], ask_names[kind],
                          &metrics->rows[i]->answers[kind]);
}

void team_metrics_print(const TeamMetrics *metrics, const char *prefix, Buf *out)
{
    print_games(metrics, prefix, out);
    print_faults(metrics, prefix, out);
    print_answers(metrics, prefix, out);
}
