#include "results/results_sessions.h"

#include <stdlib.h>

void session_table_done(SessionTable *table)
{
    for (size_t i = 0; i < table->count; i++) {
        mem_free(table->sessions[i].rounds);
        mem_free(table->sessions[i].players);
    }
    mem_free(table->sessions);
    *table = (SessionTable){0};
}

uint64_t session_won(const ResultsSession *session, Side side)
{
    uint64_t won = 0;

    for (size_t i = 0; i < session->round_count; i++)
        won += session->rounds[i].winner == side;
    return won;
}

/* Room for one thing more at the end of an array; NULL without memory, and the old one stays. */
static void *grown_array(void *array, size_t count, size_t *room, size_t each)
{
    if (count < *room)
        return array;
    size_t want = *room ? 2 * *room : 8;
    void *more = mem_resize(array, want, each);
    *room = more ? want : *room;
    return more;
}

static ResultsSession *add_session(SessionTable *table, Str id)
{
    ResultsSession *all =
        grown_array(table->sessions, table->count, &table->room, sizeof(*table->sessions));

    if (!all)
        return NULL;
    table->sessions = all;
    ResultsSession *session = &all[table->count++];
    *session = (ResultsSession){0};
    if (id.len)
        memcpy(session->id, id.bytes, id.len);
    return session;
}

static SessionPlayer *player_of(ResultsSession *session, Str name)
{
    for (size_t i = 0; i < session->player_count; i++)
        if (str_eq(str_of(session->players[i].name), name))
            return &session->players[i];
    SessionPlayer *all = grown_array(session->players, session->player_count, &session->player_room,
                                     sizeof(*session->players));
    if (!all)
        return NULL;
    session->players = all;
    SessionPlayer *player = &all[session->player_count++];
    *player = (SessionPlayer){0};
    memcpy(player->name, name.bytes, name.len);
    return player;
}

/* Columns of rounds_sql. */
enum { GAME, NAME, BEGAN, ENDED, WINNER, DAY, AGENT, KIND, MODEL, WON, POINTS, DECISIONS, OWN };

static const char rounds_sql[] =
    "SELECT id, game.name, began_ms, ended_ms, winner, last_day, agent, kind, model, won, points,"
    " decisions, own FROM game JOIN seat ON game_id = id"
    " WHERE division = 'maw' AND counts AND (?1 < 0 OR stage = ?1) ORDER BY id, seat";

/* "SESSION-12": the session, and 12; 0 for any other id, which is a session for itself. */
static Str cut_number(Str name, uint32_t *ret_number)
{
    size_t digits = name.len;
    uint64_t number = 0;

    *ret_number = 0;
    while (digits > 0 && name.bytes[digits - 1] >= '0' && name.bytes[digits - 1] <= '9')
        digits--;
    if (digits == 0 || name.bytes[digits - 1] != '-' ||
        !str_to_uint(str_part(name, digits, name.len), UINT32_MAX, &number))
        return name;
    *ret_number = (uint32_t)number;
    return str_part(name, 0, digits - 1);
}

/* Goes on with the last session, or begins one. Returns NULL without memory. */
static ResultsSession *session_of(SessionTable *table, Str id, uint32_t number)
{
    ResultsSession *last = table->count ? &table->sessions[table->count - 1] : NULL;

    if (last && str_eq(str_of(last->id), id) && last->rounds[last->round_count - 1].number < number)
        return last;
    return add_session(table, id);
}

static int add_round(SessionTable *table, const DbQuery *row, Err *err)
{
    uint32_t number = 0;
    Str id = cut_number(str_part(db_text(row, NAME), 0, GAME_ID_MAX), &number);
    int64_t began = db_int(row, BEGAN), day = db_int(row, DAY);
    ResultsSession *session = session_of(table, id, number);
    SessionRound *rounds = session ? grown_array(session->rounds, session->round_count,
                                                 &session->round_room, sizeof(*session->rounds))
                                   : NULL;

    if (!rounds)
        return err_set(err, ERR_MEMORY, "results: out of memory");
    session->rounds = rounds;
    session->began_ms = session->round_count ? session->began_ms : began;
    session->ended_ms = db_int(row, ENDED);
    rounds[session->round_count++] = (SessionRound){
        number, side_of(db_text(row, WINNER)), (uint16_t)(day < 0 || day > UINT16_MAX ? 0 : day)};
    return 0;
}

/* The last that is told of a player stands: a seat may be taken over. */
static int add_player(ResultsSession *session, const DbQuery *row, Err *err)
{
    Str name = db_text(row, AGENT), model = str_part(db_text(row, MODEL), 0, MODEL_NAME_MAX);
    SeatKind kind = seat_kind_of(db_text(row, KIND));

    if (name.len == 0 || name.len > AGENT_NAME_MAX || memchr(name.bytes, '\0', name.len) ||
        kind == SEAT_KIND_COUNT || db_int(row, DECISIONS) < 0 || db_int(row, OWN) < 0)
        return results_damaged(err);
    SessionPlayer *player = player_of(session, name);
    if (!player)
        return err_set(err, ERR_MEMORY, "results: out of memory");
    player->kind = kind;
    snprintf(player->model, sizeof(player->model), "%.*s", STR_ARG(model));
    player->rounds++;
    player->wins += db_int(row, WON) != 0;
    player->points += db_int(row, POINTS);
    player->decisions += (uint64_t)db_int(row, DECISIONS);
    player->own += (uint64_t)db_int(row, OWN);
    return 0;
}

static int better_player(const void *left, const void *right)
{
    const SessionPlayer *a = left, *b = right;
    int order = (a->points < b->points) - (a->points > b->points);

    return order ? order : strcmp(a->name, b->name);
}

int results_sessions(Db *db, int64_t stage, SessionTable *ret_table, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(session_table_done) SessionTable table = {0};
    int64_t game = 0;
    int rc = db_query(db, rounds_sql, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, stage);
    while ((rc = db_step(query, err)) > 0) {
        rc = db_int(query, GAME) != game ? add_round(&table, query, err) : 0;
        game = db_int(query, GAME);
        if (rc == 0 && table.count)
            rc = add_player(&table.sessions[table.count - 1], query, err);
        if (rc)
            return rc;
    }
    if (rc)
        return rc;
    for (size_t i = 0; i < table.count; i++)
        qsort(table.sessions[i].players, table.sessions[i].player_count,
              sizeof(*table.sessions[i].players), better_player);
    *ret_table = table;
    table = (SessionTable){0};
    return 0;
}
