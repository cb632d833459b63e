/* What `-a` prints: the schedule's role counts by team, and the results in the game logs. */
#include "nlp/history_state.h"

#include "base/json.h"
#include "base/utf8.h"
#include "disk/log_file.h"
#include "nlp/log_results.h"

#include <inttypes.h>

#define GAME_LOG_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define NAME_WIDTH         30
/* "planned/played" of the largest contests that were held, and the longest name of a role. */
#define CELL_WIDTH 11

/* [team * ROLE_COUNT + role]; [.. + ROLE_NONE]: all roles together. */
typedef struct Counts {
    uint32_t *planned;
    uint32_t *played;
} Counts;

/* What was found in the logs, and what is to be said about them. */
typedef struct Scan {
    LogResults results;
    Err trouble; /* the directory, or a file of it, could not be read */
    uint32_t unreadable;
} Scan;

/* ---- counting ---- */

static void count_match(uint32_t *counts, const HistoryMatch *match)
{
    for (unsigned i = 0; i < match->count; i++) {
        uint32_t *of_team = &counts[(size_t)match->teams[i] * ROLE_COUNT];
        of_team[match->roles[i]]++;
        of_team[ROLE_NONE]++;
    }
}

static void count_all(const History *history, Counts *counts)
{
    for (uint32_t i = 0; i < history->ended_count; i++) {
        count_match(counts->played, &history->ended[i]);
        count_match(counts->planned, &history->ended[i]);
    }
    for (uint32_t i = 0; i < history->scheduled_count; i++)
        count_match(counts->planned, &history->scheduled[i].match);
}

/* A contest that has just begun has no logs yet, and a log may be written or moved just now: that
 * is said, and the rest is shown. */
static int scan_logs(const char *dir, Scan *scan, Err *err)
{
    CLEANUP(log_list_done) LogList list = {0};
    CLEANUP(buf_done) Buf text = {0};
    Err *trouble = &scan->trouble;
    int rc = log_list_add(&list, dir, trouble);

    if (rc == ERR_IO)
        return 0;
    if (rc)
        return err_set(err, trouble->code, "%s", trouble->msg);
    for (size_t i = 0; rc == 0 && i < list.count; i++) {
        buf_clear(&text);
        rc = log_file_read(list.paths[i], GAME_LOG_BYTES_MAX, &text, trouble);
        if (rc == ERR_MEMORY)
            return err_set(err, ERR_MEMORY, "%s", trouble->msg);
        if (rc)
            scan->unreadable++;
        rc = rc ? 0 : log_results_add(&scan->results, buf_str(&text), err);
    }
    return rc;
}

/* ---- words ---- */

static bool has_role(const History *history, unsigned role)
{
    return history->plan.role_counts[role] > 0;
}

static void add_cell(Buf *out, const char *text)
{
    buf_printf(out, "  %*s", CELL_WIDTH, text);
}

static void add_number(Buf *out, uint32_t number)
{
    buf_printf(out, "  %*" PRIu32, CELL_WIDTH, number);
}

static void add_blanks(Buf *out, size_t have, size_t want)
{
    for (; have < want; have++)
        buf_add_char(out, ' ');
}

static void add_name(Buf *out, Str name)
{
    size_t before = out->len;

    utf8_add_printable(name, NAME_WIDTH, out);
    add_blanks(out, utf8_width(str_part(buf_str(out), before, out->len)), NAME_WIDTH);
}

static void add_team_name(Buf *out, const History *history, uint32_t team)
{
    char number[24];
    Str name = history_team_name(history, team);

    snprintf(number, sizeof(number), "(team %" PRIu32 ")", team);
    add_name(out, name.bytes ? name : str_of(number));
}

static void add_counts(Buf *out, uint32_t planned, uint32_t played)
{
    char cell[32];

    snprintf(cell, sizeof(cell), "%" PRIu32 "/%" PRIu32, planned, played);
    add_cell(out, cell);
}

static void schedule_words(const History *history, const Counts *counts, Buf *out)
{
    buf_printf(out,
               "%" PRIu32 " matches: %" PRIu32 " ended, %" PRIu32
               " scheduled. Games planned/played by team and role:\n\n",
               history->ended_count + history->scheduled_count, history->ended_count,
               history->scheduled_count);
    add_name(out, STR("team"));
    for (unsigned role = 1; role < ROLE_COUNT; role++)
        if (has_role(history, role))
            add_cell(out, role_name((Role)role));
    add_cell(out, "all");
    buf_add_char(out, '\n');
    for (uint32_t team = 0; team < history->plan.team_count; team++) {
        size_t at = (size_t)team * ROLE_COUNT;
        add_team_name(out, history, team);
        for (unsigned role = 1; role < ROLE_COUNT; role++)
            if (has_role(history, role))
                add_counts(out, counts->planned[at + role], counts->played[at + role]);
        add_counts(out, counts->planned[at], counts->played[at]);
        buf_add_char(out, '\n');
    }
}

static void role_words(Str team, const char *role, const RoleResults *results, Buf *out)
{
    add_name(out, team);
    add_cell(out, role);
    add_number(out, results->games);
    add_number(out, results->wins);
    add_number(out, results->losses);
    add_number(out, results->no_result);
    add_number(out, results->errors);
    buf_add_char(out, '\n');
}

static void team_words(const TeamResults *team, Buf *out)
{
    Str name = {team->name, team->name_len};

    for (unsigned role = 1; role < ROLE_COUNT; role++)
        if (team->roles[role].games)
            role_words(name, role_name((Role)role), &team->roles[role], out);
    role_words(name, "all", &team->roles[ROLE_NONE], out);
}

static void results_words(const Scan *scan, Buf *out)
{
    static const char *const columns[] = {"role", "games", "wins", "losses", "no result", "errors"};

    buf_printf(out, "\n%" PRIu32 " game logs", scan->results.games);
    if (scan->results.skipped)
        buf_printf(out, ", %" PRIu32 " more without seats", scan->results.skipped);
    if (scan->unreadable)
        buf_printf(out, ", %" PRIu32 " more unreadable", scan->unreadable);
    if (scan->trouble.msg[0])
        buf_printf(out, " (%s)", scan->trouble.msg);
    buf_add(out, STR(".\n"));
    if (!scan->results.count)
        return;
    buf_add_char(out, '\n');
    add_name(out, STR("team"));
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        add_cell(out, columns[i]);
    buf_add_char(out, '\n');
    for (uint32_t i = 0; i < scan->results.count; i++)
        team_words(&scan->results.teams[i], out);
}

/* ---- JSON ---- */

static void schedule_json(const History *history, const Counts *counts, Json *json)
{
    json_add_uint(json, "planned", history->ended_count + history->scheduled_count);
    json_add_uint(json, "ended", history->ended_count);
    json_add_uint(json, "scheduled", history->scheduled_count);
    json_key(json, STR("teams"));
    json_open(json, '[');
    for (uint32_t team = 0; team < history->plan.team_count; team++) {
        Str name = history_team_name(history, team);
        json_open(json, '{');
        json_add_uint(json, "index", team);
        json_key(json, STR("team"));
        if (name.bytes)
            json_put_str(json, name);
        else
            json_put_null(json);
        json_key(json, STR("roles"));
        json_open(json, '{');
        for (unsigned role = 1; role < ROLE_COUNT; role++) {
            size_t at = (size_t)team * ROLE_COUNT + role;
            if (!has_role(history, role))
                continue;
            json_key(json, str_of(role_name((Role)role)));
            json_open(json, '{');
            json_add_uint(json, "planned", counts->planned[at]);
            json_add_uint(json, "played", counts->played[at]);
            json_close(json);
        }
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void team_json(const TeamResults *team, Json *json)
{
    json_open(json, '{');
    json_add_str(json, "team", (Str){team->name, team->name_len});
    json_key(json, STR("roles"));
    json_open(json, '{');
    for (unsigned role = 1; role < ROLE_COUNT; role++) {
        const RoleResults *results = &team->roles[role];
        if (!results->games)
            continue;
        json_key(json, str_of(role_name((Role)role)));
        json_open(json, '{');
        json_add_uint(json, "games", results->games);
        json_add_uint(json, "wins", results->wins);
        json_add_uint(json, "losses", results->losses);
        json_add_uint(json, "no_result", results->no_result);
        json_add_uint(json, "errors", results->errors);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}

static void results_json(const Scan *scan, Json *json)
{
    json_add_uint(json, "logs", scan->results.games);
    json_add_uint(json, "logs_skipped", scan->results.skipped);
    json_add_uint(json, "logs_unreadable", scan->unreadable);
    json_key(json, STR("trouble"));
    if (scan->trouble.msg[0])
        json_put_str(json, str_of(scan->trouble.msg));
    else
        json_put_null(json);
    json_key(json, STR("results"));
    json_open(json, '[');
    for (uint32_t i = 0; i < scan->results.count; i++)
        team_json(&scan->results.teams[i], json);
    json_close(json);
}

/* ---- both ---- */

static void write_json(const History *history, const Counts *counts, const Scan *scan, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    schedule_json(history, counts, &json);
    if (scan)
        results_json(scan, &json);
    json_close(&json);
    buf_add_char(out, '\n');
}

int history_analyse(const History *history, const char *log_dir, bool json, Buf *out, Err *err)
{
    size_t bytes = (size_t)history->plan.team_count * ROLE_COUNT * sizeof(uint32_t);
    CLEANUP(mem_freep) uint32_t *planned = mem_new(bytes);
    CLEANUP(mem_freep) uint32_t *played = mem_new(bytes);
    Counts counts = {.planned = planned, .played = played};
    Scan scan = {0};

    if (!planned || !played)
        return err_set(err, ERR_MEMORY, "analysis: out of memory");
    count_all(history, &counts);
    int rc = log_dir ? scan_logs(log_dir, &scan, err) : 0;
    if (rc == 0 && json)
        write_json(history, &counts, log_dir ? &scan : NULL, out);
    if (rc == 0 && !json)
        schedule_words(history, &counts, out);
    if (rc == 0 && !json && log_dir)
        results_words(&scan, out);
    log_results_done(&scan.results);
    return rc == 0 && buf_failed(out) ? err_set(err, ERR_MEMORY, "analysis: out of memory") : rc;
}
