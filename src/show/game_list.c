/* The games of folders, filtered and printed: a row or a line of JSON each. */
#include "show/game_list.h"

#include "base/json.h"
#include "base/utf8.h"
#include "results/report_words.h"

#include <inttypes.h>

/* ---- words ---- */

typedef enum Word {
    WORD_SUBSTITUTE,
    WORD_WON,
    WORD_LOST,
    WORD_VOID,
    WORD_NONE_MATCHES,
    WORD_COUNT,
} Word;

static const char *const words[WORD_COUNT][2] = {
    [WORD_SUBSTITUTE] = {"substitute", "代役"},
    [WORD_WON] = {"won", "勝ち"},
    [WORD_LOST] = {"lost", "負け"},
    [WORD_VOID] = {"void", "無効"},
    [WORD_NONE_MATCHES] = {"no such game; games in the folder: ", "該当なし。フォルダのゲーム数: "},
};

/* Without an agent that is asked for, no row has a role and a result. */
static const char *const columns[2][2][10] = {
    {{"stage", "set", "game", "winner", "days", "faults", "log", NULL},
     {"stage", "set", "game", "winner", "days", "role", "result", "faults", "log", NULL}},
    {{"ステージ", "セット", "ゲーム", "勝者", "日数", "違反", "ログ", NULL},
     {"ステージ", "セット", "ゲーム", "勝者", "日数", "役職", "結果", "違反", "ログ", NULL}},
};

static const char *const sides[SIDE_OTHERS + 1][2] = {
    [SIDE_NONE] = {"nobody", "勝者なし"},
    [SIDE_VILLAGER] = {"villagers", "村人陣営"},
    [SIDE_WEREWOLF] = {"werewolves", "人狼陣営"},
    [SIDE_OTHERS] = {"fox", "妖狐"},
};

/* ---- which games ---- */

void game_list_done(GameList *list)
{
    text_table_done(&list->table);
    buf_done(&list->out);
    buf_done(&list->best);
    log_prints_done(&list->prints);
    buf_done(&list->ids);
}

static const char *word_of(const GameList *list, Word word)
{
    return words[word][list->japanese];
}

static bool is_faulty(const SeatRecord *seat)
{
    uint32_t faults = 0;

    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        faults += seat->faults[kind];
    return seat->failed || faults;
}

static bool has_won(const GameResult *result, SeatNo seat)
{
    return result->winner != SIDE_NONE && role_side(result->roles[seat]) == result->winner;
}

/* Whether the game is asked for because of what happened on this seat. */
static bool seat_matches(const GameList *list, const GameRecord *record, SeatNo seat)
{
    bool won = has_won(&record->result, seat);

    if (list->agent.len && !str_eq(list->agent, record->result.names[seat]) &&
        !str_eq(list->agent, record->seats[seat].team))
        return false;
    if (list->role != ROLE_NONE && list->role != record->result.roles[seat])
        return false;
    return (!list->won || (won && !record->is_void)) &&
           (!list->lost || (!won && !record->is_void)) &&
           (!list->faults || is_faulty(&record->seats[seat]));
}

static void look_at_name(GameList *list, Str name)
{
    Suggest before = list->near;

    list->known |= str_eq(list->agent, name);
    suggest_offer(&list->near, name);
    if (list->near.best.bytes == before.best.bytes)
        return;
    buf_clear(&list->best);
    buf_add(&list->best, suggest_best(&list->near));
    list->near.best = buf_str(&list->best);
}

/* Notes that the agent or team played, or the name that is nearest to what was typed. */
static void look_at_names(GameList *list, const GameRecord *record)
{
    for (SeatNo seat = 1; seat <= record->result.seat_count && list->agent.len; seat++) {
        look_at_name(list, record->result.names[seat]);
        if (record->seats[seat].team.len)
            look_at_name(list, record->seats[seat].team);
    }
}

/* ---- printing ---- */

/* "alice: timeout 2, substitute", one agent after the other; with --agent without the name. */
static void add_faults(const GameList *list, const GameRecord *record, SeatNo only, Buf *out)
{
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        const SeatRecord *what = &record->seats[seat];
        const char *comma = "";
        if (!is_faulty(what) || (only && only != seat))
            continue;
        buf_add(out, out->len ? STR("; ") : STR(""));
        if (!only) {
            utf8_add_printable(record->result.names[seat], AGENT_NAME_MAX, out);
            buf_add(out, STR(": "));
        }
        for (unsigned kind = 0; kind < FAULT_COUNT; kind++) {
            if (!what->faults[kind])
                continue;
            buf_printf(out, "%s%s %" PRIu32, comma,
                       report_fault_word((FaultKind)kind, list->japanese), what->faults[kind]);
            comma = ", ";
        }
        if (what->failed)
            buf_printf(out, "%s%s", comma, word_of(list, WORD_SUBSTITUTE));
    }
}

static void put_text(TextTable *table, const char *text)
{
    text_table_text(table, str_of(text));
}

/* One row; `seat` is the agent's that is asked for, SEAT_NONE without --agent. */
static void add_row(GameList *list, const GameRecord *record, SeatNo seat)
{
    CLEANUP(buf_done) Buf faults = {0};
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf path = {0};
    TextTable *table = &list->table;

    add_faults(list, record, seat, &faults);
    if (record->log[0])
        buf_printf(&path, "%s/%s", list->dir, record->log);
    utf8_add_printable(buf_str(&path), SIZE_MAX, &log);
    text_table_uint(table, record->stage);
    text_table_uint(table, record->set);
    text_table_uint(table, record->game);
    put_text(table, record->is_void ? word_of(list, WORD_VOID)
                                    : sides[record->result.winner][list->japanese]);
    text_table_uint(table, record->result.last_day);
    if (seat) {
        put_text(table, role_word(record->result.roles[seat], list->japanese));
        put_text(table, word_of(list, record->is_void                  ? WORD_VOID
                                      : has_won(&record->result, seat) ? WORD_WON
                                                                       : WORD_LOST));
    }
    text_table_text(table, faults.len ? buf_str(&faults) : STR("-"));
    text_table_text(table, log.len ? buf_str(&log) : STR("-"));
}

static void add_seat_json(const GameRecord *record, SeatNo seat, Json *json)
{
    const SeatRecord *what = &record->seats[seat];

    json_open(json, '{');
    json_add_uint(json, "seat", seat);
    json_add_str(json, "agent", record->result.names[seat]);
    json_add_str(json, "role", str_of(role_name(record->result.roles[seat])));
    json_add_bool(json, "won", has_won(&record->result, seat));
    json_add_bool(json, "substitute", what->failed);
    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        if (what->faults[kind])
            json_add_uint(json, fault_kind_name((FaultKind)kind), what->faults[kind]);
    json_close(json);
}

static void add_json(GameList *list, const GameRecord *record)
{
    CLEANUP(buf_done) Buf log = {0};
    Json json = json_over(&list->out);

    json_open(&json, '{');
    json_add_uint(&json, "stage", record->stage);
    json_add_uint(&json, "set", record->set);
    json_add_uint(&json, "game", record->game);
    json_add_str(&json, "winner", str_of(side_name(record->result.winner)));
    json_add_str(&json, "reason", str_of(end_reason_name(record->reason)));
    json_add_uint(&json, "days", record->result.last_day);
    if (record->is_void)
        json_add_bool(&json, "void", true);
    if (record->log[0]) {
        buf_printf(&log, "%s/%s", list->dir, record->log);
        json_add_str(&json, "log", buf_str(&log));
    }
    json_key(&json, STR("seats"));
    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        add_seat_json(record, seat, &json);
    json_close(&json);
    json_close(&json);
    buf_add_char(&list->out, '\n');
}

/* A natural-language game has logs in two folders: of one id it is listed once. */
static bool was_heard(GameList *list, const GameRecord *record)
{
    CLEANUP(buf_done) Buf id = {0};

    if (!list->several || record->division != DIVISION_NLP || !record->id[0])
        return false;
    buf_printf(&id, "\n%s\n", record->id);
    if (list->ids.len && strstr(buf_cstr(&list->ids), buf_cstr(&id)))
        return true;
    buf_add(&list->ids, buf_str(&id));
    return false;
}

int game_list_add(GameList *list, const GameRecord *record, Err *err)
{
    SeatNo seat = 1;

    if (was_heard(list, record))
        return 0;
    list->games++;
    look_at_names(list, record);
    while (seat <= record->result.seat_count && !seat_matches(list, record, seat))
        seat++;
    if (seat > record->result.seat_count)
        return 0;
    list->shown++;
    if (list->json)
        add_json(list, record);
    else
        add_row(list, record, list->agent.len ? seat : SEAT_NONE);
    return buf_failed(&list->out) || list->table.failed
               ? err_set(err, ERR_MEMORY, "log list: out of memory")
               : 0;
}

/* ---- the whole ---- */

void game_list_begin(GameList *list)
{
    list->near.word = list->agent;
    list->table.columns = columns[list->japanese][list->agent.len > 0];
}

int game_list_check_agent(const GameList *list, Err *err)
{
    bool near = list->best.len;

    if (!list->agent.len || list->known || list->games == 0)
        return 0;
    return err_set(err, ERR_USAGE, "no agent is called '%.*s' in '%s'%s%.*s%s",
                   STR_ARG(str_part(list->agent, 0, AGENT_NAME_MAX)), list->dir,
                   near ? "; did you mean '" : "", STR_ARG(buf_str(&list->best)), near ? "'?" : "");
}

int game_list_write(GameList *list, Err *err)
{
    if (!list->json && list->shown)
        text_table_write(&list->table, TABLE_ALIGNED, &list->out);
    else if (!list->json)
        buf_printf(&list->out, "%s%" PRIu64 "\n", word_of(list, WORD_NONE_MATCHES), list->games);
    return buf_failed(&list->out) ? err_set(err, ERR_MEMORY, "log list: out of memory") : 0;
}
