#include "site/track_view.h"

#include "base/date_text.h"
#include "site/track_door.h"
#include "site/track_qualify.h"
#include "site/track_server.h"
#include "store/db_row.h"

const char *track_close_words(int code, bool japanese)
{
    static const struct {
        int code;
        const char *words[2];
    } rows[] = {
        {1000, {"the game was over", "ゲームが終わった"}},
        {1001,
         {"the server was ending; connect again later", "サーバーが終了中。あとで接続し直す"}},
        {1008,
         {"the token is missing, over, or of another team or track; take the one of this page",
          "トークンがない、期限切れ、または別のチームかトラックのもの。このページのものを使う"}},
        {1013,
         {"the team has played as many self matches as it may in an hour; wait, or stop agents "
          "that connect again and again",
          "1時間に行える自己対戦の上限に達した。時間をおくか、再接続を繰り返すエージェントを止め"
          "る"}},
        {4001,
         {"the schedule has no such team: the agent's name has to be the team's, with a number "
          "behind it",
          "このチームは予定にない。エージェント名はチーム名に番号を付けたものにする"}},
        {4002,
         {"another connection has come with the same name: number the agents, NAME1, NAME2 ...",
          "同じ名前の接続が後から来た。エージェントにはNAME1、NAME2と番号を付ける"}},
        {4003,
         {"no answer to NAME came in time, or none that is a name",
          "NAMEへの返事が間に合わなかったか、名前として使えなかった"}},
        {4004,
         {"the agent did not answer when it was asked whether it is there",
          "生存確認に返事がなかった"}},
        {4005, {"an organiser has closed it", "運営が切断した"}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].code == code)
            return rows[i].words[japanese];
    return japanese ? "接続が切れた" : "the connection was lost";
}

static void write_connected(const json_t *status, Str team, Json *json)
{
    const json_t *waiting = json_get(status, "waiting");

    json_key(json, STR("connected"));
    json_open(json, '[');
    for (size_t i = 0; i < json_count(waiting); i++)
        if (str_eq(json_text(json_at(waiting, i), "team"), team))
            json_put_str(json, json_text(json_at(waiting, i), "name"));
    json_close(json);
}

static void write_closed(const json_t *status, Str team, bool japanese, Json *json)
{
    const json_t *closed = json_get(status, "closed");

    for (size_t i = 0; i < json_count(closed); i++) {
        const json_t *row = json_at(closed, i);
        const int code = (int)json_number(row, "code");
        if (!str_eq(json_text(row, "team"), team))
            continue;
        json_key(json, STR("closed"));
        json_open(json, '{');
        json_add_int(json, "code", code);
        json_add_str(json, "words", str_of(track_close_words(code, japanese)));
        json_add_str(json, "why", json_text(row, "why"));
        json_add_str(json, "at", json_text(row, "at"));
        json_close(json);
    }
}

static void write_away(int64_t from_ms, int64_t to_ms, Json *json)
{
    char room[DATE_TEXT_ROOM];

    if (from_ms >= to_ms)
        return;
    json_key(json, STR("away"));
    json_open(json, '{');
    json_add_str(json, "from", date_text_write(from_ms, room));
    json_add_str(json, "to", date_text_write(to_ms, room));
    json_close(json);
}

/* A row of the team's entrants. */
typedef struct TeamTrack {
    Str team, track, state, public_host;
    int64_t away_from, away_to, played;
    bool japanese;
} TeamTrack;

static void write_team_track(const TrackTurn *turn, const TeamTrack *own, uint32_t number,
                             Json *json)
{
    CLEANUP(buf_done) Buf url = {0};
    json_t *status = track_server_status(turn, own->track, turn->state >= LIFE_FINAL);
    uint64_t port = (uint64_t)json_number(status, "port");

    if (!port)
        port = track_port(turn, number);
    buf_printf(&url, "ws://%.*s:%llu/ws",
               STR_ARG(own->public_host.len ? own->public_host : STR("127.0.0.1")),
               (unsigned long long)port);
    json_open(json, '{');
    json_add_str(json, "track", own->track);
    json_add_str(json, "state", own->state);
    json_add_int(json, "qualified", own->played);
    json_add_uint(json, "needed", turn->rules->tracks[number].self_matches);
    json_add_str(json, "url", buf_str(&url));
    json_add_bool(json, "open", status != NULL);
    write_connected(status, own->team, json);
    write_closed(status, own->team, own->japanese, json);
    write_away(own->away_from, own->away_to, json);
    json_close(json);
    json_done(status);
}

int track_team_write(const TrackTurn *turn, int64_t team, Str public_host, bool japanese,
                     Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(turn->db, &query, err,
                           "SELECT team.name, entrant.track, entrant.state, entrant.away_from,"
                           " entrant.away_to FROM entrant JOIN team ON team.id = entrant.team"
                           " WHERE team.id = ?1 ORDER BY entrant.track",
                           "i", team);

    json_key(json, STR("tracks"));
    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        TeamTrack own = {.team = db_text(query, 0),
                         .track = db_text(query, 1),
                         .state = db_text(query, 2),
                         .public_host = public_host,
                         .away_from = db_int(query, 3),
                         .away_to = db_int(query, 4),
                         .japanese = japanese};
        const RulesTrack *track = contest_rules_track(turn->rules, own.track);
        rc = track ? track_self_matches(turn, team, own.track, &own.played, err) : 0;
        if (rc == 0 && track)
            write_team_track(turn, &own, (uint32_t)(track - turn->rules->tracks), json);
    }
    json_close(json);
    return rc;
}

/* Each team once, in its order. */
static void write_waiting(const json_t *waiting, Json *json)
{
    json_key(json, STR("waiting"));
    json_open(json, '[');
    for (size_t i = 0; i < json_count(waiting); i++) {
        Str team = json_text(json_at(waiting, i), "team");
        bool seen = false;
        for (size_t k = 0; k < i; k++)
            seen = seen || str_eq(team, json_text(json_at(waiting, k), "team"));
        if (!seen)
            json_put_str(json, team);
    }
    json_close(json);
}

int track_waiting_write(const TrackTurn *turn, Str track, Json *json, Err *err)
{
    if (!contest_rules_track(turn->rules, track))
        return err_set(err, ERR_RULE, "the contest has no track '%.*s'", STR_ARG(track));
    json_t *status = track_server_status(turn, track, turn->state >= LIFE_FINAL);
    const json_t *awaited = json_get(status, "awaited"),
                 *schedule = json_get(json_get(status, "progress"), "schedule");
    json_add_str(json, "track", track);
    json_add_bool(json, "open", status != NULL);
    write_waiting(json_get(status, "waiting"), json);
    json_key(json, STR("awaited"));
    json_open(json, '[');
    for (size_t i = 0; i < json_count(awaited); i++) {
        Str team;
        if (json_as_str(json_at(awaited, i), &team))
            json_put_str(json, team);
    }
    json_close(json);
    json_add_int(json, "done", json_number(schedule, "done"));
    json_add_int(json, "total", json_number(schedule, "total"));
    json_done(status);
    return 0;
}
