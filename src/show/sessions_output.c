#include "show/sessions_output.h"

#include "base/date_text.h"
#include "base/json.h"
#include "base/utf8.h"
#include "show/text_table.h"

/* "2026-08-01T12:34:56.789Z"; "" for a moment that is not told. */
static Str moment(int64_t ms, char room[static DATE_TEXT_ROOM])
{
    return ms > 0 && ms <= DATE_MAX_MS ? date_text_write(ms, room) : STR("");
}

static void put_printable(TextTable *rows, const char *text)
{
    CLEANUP(buf_done) Buf printable = {0};

    utf8_add_printable(str_of(text), SIZE_MAX, &printable);
    text_table_text(rows, buf_str(&printable));
}

/* ---- for people ---- */

static const char *winner_word(Side winner, bool japanese)
{
    static const char *const words[][2] = {[SIDE_NONE] = {"nobody", "勝者なし"},
                                           [SIDE_VILLAGER] = {"villagers", "村人"},
                                           [SIDE_WEREWOLF] = {"werewolves", "人狼"},
                                           [SIDE_OTHERS] = {"fox", "妖狐"}};

    return words[winner][japanese];
}

static void write_rounds(const ResultsSession *session, bool japanese, Buf *out)
{
    for (size_t i = 0; i < session->round_count; i++) {
        const SessionRound *round = &session->rounds[i];
        buf_printf(out, japanese ? "  ラウンド %u: %s(%u 日目)\n" : "  round %u: %s, day %u\n",
                   round->number, winner_word(round->winner, japanese), round->last_day);
    }
}

static void put_player(TextTable *rows, const SessionPlayer *player)
{
    put_printable(rows, player->name);
    text_table_text(rows, str_of(seat_kind_name(player->kind)));
    put_printable(rows, player->model);
    text_table_uint(rows, player->rounds);
    text_table_uint(rows, player->wins);
    text_table_int(rows, player->points);
    if (player->decisions)
        text_table_real(rows, 100 * (double)player->own / (double)player->decisions, 1);
    else
        text_table_none(rows);
}

static void write_session(const ResultsSession *session, bool japanese, Buf *out)
{
    static const char *const columns[2][8] = {
        {"player", "kind", "model", "rounds", "wins", "points", "own %", NULL},
        {"プレイヤー", "種類", "モデル", "ラウンド", "勝利", "得点", "自身 %", NULL}};
    CLEANUP(text_table_done) TextTable rows = {.columns = columns[japanese]};
    char room[DATE_TEXT_ROOM];

    buf_add(out, japanese ? STR("セッション ") : STR("session "));
    utf8_add_printable(str_of(session->id[0] ? session->id : "-"), GAME_ID_MAX, out);
    buf_printf(out, "  %.*s\n", STR_ARG(moment(session->began_ms, room)));
    write_rounds(session, japanese, out);
    for (size_t i = 0; i < session->player_count; i++)
        put_player(&rows, &session->players[i]);
    text_table_write(&rows, TABLE_ALIGNED, out);
}

static void write_people(const SessionTable *table, bool japanese, Buf *out)
{
    if (table->count == 0)
        buf_add(out, japanese ? STR("MAW のセッションはありません。\n")
                              : STR("no round of a MAW session\n"));
    for (size_t i = 0; i < table->count; i++) {
        buf_add(out, i ? STR("\n") : (Str){0});
        write_session(&table->sessions[i], japanese, out);
    }
}

/* ---- for programs ---- */

static void put_json_player(Json *json, const SessionPlayer *player)
{
    json_open(json, '{');
    json_add_str(json, "player", str_of(player->name));
    json_add_str(json, "kind", str_of(seat_kind_name(player->kind)));
    if (player->model[0])
        json_add_str(json, "model", str_of(player->model));
    json_add_uint(json, "rounds", player->rounds);
    json_add_uint(json, "wins", player->wins);
    json_add_int(json, "points", player->points);
    json_add_uint(json, "decisions", player->decisions);
    json_add_uint(json, "own_decisions", player->own);
    json_close(json);
}

static void put_json_session(Json *json, const ResultsSession *session)
{
    char room[DATE_TEXT_ROOM];

    json_open(json, '{');
    json_add_str(json, "session", str_of(session->id));
    json_add_str(json, "began", moment(session->began_ms, room));
    json_add_str(json, "ended", moment(session->ended_ms, room));
    json_key(json, STR("rounds"));
    json_open(json, '[');
    for (size_t i = 0; i < session->round_count; i++) {
        const SessionRound *round = &session->rounds[i];
        json_open(json, '{');
        json_add_uint(json, "round", round->number);
        json_add_str(json, "winner", str_of(side_name(round->winner)));
        json_add_uint(json, "last_day", round->last_day);
        json_close(json);
    }
    json_close(json);
    json_key(json, STR("players"));
    json_open(json, '[');
    for (size_t i = 0; i < session->player_count; i++)
        put_json_player(json, &session->players[i]);
    json_close(json);
    json_close(json);
}

static void write_json(const SessionTable *table, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '[');
    for (size_t i = 0; i < table->count; i++)
        put_json_session(&json, &table->sessions[i]);
    json_close(&json);
    buf_add_char(out, '\n');
}

static void write_csv(const SessionTable *table, Buf *out)
{
    static const char *const columns[] = {
        "session",   "began",  "rounds",    "village_wins",  "werewolf_wins",
        "no_winner", "player", "kind",      "model",         "played",
        "wins",      "points", "decisions", "own_decisions", NULL};
    CLEANUP(text_table_done) TextTable rows = {.columns = columns};
    char room[DATE_TEXT_ROOM];

    for (size_t s = 0; s < table->count; s++)
        for (size_t i = 0; i < table->sessions[s].player_count; i++) {
            const ResultsSession *session = &table->sessions[s];
            const SessionPlayer *player = &session->players[i];
            put_printable(&rows, session->id);
            text_table_text(&rows, moment(session->began_ms, room));
            text_table_uint(&rows, session->round_count);
            text_table_uint(&rows, session_won(session, SIDE_VILLAGER));
            text_table_uint(&rows, session_won(session, SIDE_WEREWOLF));
            text_table_uint(&rows, session_won(session, SIDE_NONE));
            put_printable(&rows, player->name);
            text_table_text(&rows, str_of(seat_kind_name(player->kind)));
            put_printable(&rows, player->model);
            text_table_uint(&rows, player->rounds);
            text_table_uint(&rows, player->wins);
            text_table_int(&rows, player->points);
            text_table_uint(&rows, player->decisions);
            text_table_uint(&rows, player->own);
        }
    text_table_write(&rows, TABLE_CSV, out);
}

void sessions_write(const SessionTable *table, const StandingsView *view, Buf *out)
{
    switch (view->form) {
    case STANDINGS_TABLE:
        write_people(table, view->japanese, out);
        break;
    case STANDINGS_JSON:
        write_json(table, out);
        break;
    case STANDINGS_CSV:
        write_csv(table, out);
        break;
    }
}
