#include "site/track.h"

#include "base/date_text.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/key_file.h"
#include "disk/log_file.h"
#include "nlp/track_key.h"
#include "site/job.h"
#include "site/notice.h"
#include "site/team.h"
#include "site/track_import.h"
#include "site/track_notice.h"
#include "wire/json_read.h"
#include "wire/jwt.h"

#include <unistd.h>

#define FILE_BYTES   ((size_t)8 * 1024 * 1024)
#define PORTS_EACH   RULES_TRACKS_MAX
#define PORTS_AT_ALL 4096

/* ---- queries ---- */

typedef struct TrackBind {
    int64_t number; /* used unless `text` is there */
    Str text;
} TrackBind;

static int bind_query(Db *db, const char *sql, const TrackBind *binds, int count,
                      DbQuery **ret_query, Err *err)
{
    int rc = db_query(db, sql, ret_query, err);

    for (int i = 0; i < count && rc == 0; i++)
        if (binds[i].text.bytes)
            db_bind_text(*ret_query, i + 1, binds[i].text);
        else
            db_bind_int(*ret_query, i + 1, binds[i].number);
    return rc;
}

#define NUMBER(value)                                                                              \
    {                                                                                              \
        .number = (value)                                                                          \
    }
#define TEXT(value)                                                                                \
    {                                                                                              \
        .text = (value)                                                                            \
    }

/* Runs a statement; the first number of its first row, if there is one. */
static int run_query(Db *db, const char *sql, const TrackBind *binds, int count, int64_t *ret_value,
                     Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = bind_query(db, sql, binds, count, &query, err);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc == 1 && ret_value)
        *ret_value = db_int(query, 0);
    return rc < 0 ? rc : 0;
}

static const RulesTrack *find_track(const SiteRules *rules, Str name)
{
    for (uint32_t i = 0; i < rules->track_count; i++)
        if (str_eq(name, str_of(rules->tracks[i].name)))
            return &rules->tracks[i];
    return NULL;
}

/* ---- teams ---- */

static int check_track(const SiteRules *rules, Str track, bool open, Err *err)
{
    if (!find_track(rules, track))
        return err_set(err, ERR_RULE, "track: the contest has none called '%.*s'", STR_ARG(track));
    return open ? 0 : err_set(err, ERR_RULE, "track: teams can't change their tracks any more");
}

int track_enter(Db *db, const SiteRules *rules, int64_t team, Str track, bool open, int64_t now_ms,
                Err *err)
{
    const TrackBind binds[] = {NUMBER(team), TEXT(track), NUMBER(now_ms)};
    int rc = check_track(rules, track, open, err);

    return rc ? rc
              : run_query(db,
                          "INSERT INTO entrant(team, track, state, at) VALUES(?1, ?2, 'IN', ?3)"
                          " ON CONFLICT(team, track) DO NOTHING",
                          binds, 3, NULL, err);
}

int track_leave(Db *db, int64_t team, Str track, bool open, Err *err)
{
    const TrackBind binds[] = {NUMBER(team), TEXT(track)};

    if (!open)
        return err_set(err, ERR_RULE, "track: teams can't change their tracks any more");
    return run_query(db, "DELETE FROM entrant WHERE team = ?1 AND track = ?2", binds, 2, NULL, err);
}

int track_set_away(Db *db, int64_t team, Str track, int64_t from_ms, int64_t to_ms, Err *err)
{
    const TrackBind binds[] = {NUMBER(team), TEXT(track), NUMBER(from_ms), NUMBER(to_ms)};
    int64_t changed = 0;

    if (from_ms >= to_ms && (from_ms || to_ms))
        return err_set(err, ERR_RULE, "away: `from` is not before `to`");
    int rc = run_query(db,
                       "UPDATE entrant SET away_from = ?3, away_to = ?4"
                       " WHERE team = ?1 AND track = ?2 RETURNING 1",
                       binds, 4, &changed, err);
    if (rc == 0 && !changed)
        rc = err_set(err, ERR_RULE, "away: the team is not in track '%.*s'", STR_ARG(track));
    return rc;
}

/* The key of all tracks' keys; drawn when there is none. */
static int tokens_key(const ContestHome *home, Key *ret_key, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf file = {0};
    int rc = contest_home_path(home, "", &path, err);

    buf_printf(&file, "%s/secret/" TRACK_TOKENS_NAME, buf_cstr(&path));
    if (rc || access(buf_cstr(&file), F_OK) == 0)
        return rc ? rc : key_file_read_as(buf_cstr(&path), TRACK_TOKENS_NAME, ret_key, err);
    rc = folder_make(buf_str(&path), err);
    if (rc == 0)
        rc = key_draw(ret_key, err);
    return rc ? rc : key_file_write_as(buf_cstr(&path), TRACK_TOKENS_NAME, ret_key, err);
}

int track_token(const ContestHome *home, Str track, Str team, int64_t now_ms, int64_t ends_ms,
                Buf *token, Err *err)
{
    JwtClaims claims = {.role = "PLAYER", .expires = ends_ms / 1000};
    char secret[KEY_HEX_BYTES];
    Key tokens;
    int rc = tokens_key(home, &tokens, err);

    if (rc)
        return rc;
    if (team.len == 0 || team.len >= sizeof(claims.team))
        return err_set(err, ERR_RULE, "token: the team's name is too long");
    memcpy(claims.team, team.bytes, team.len);
    track_key(&tokens, track, secret);
    return jwt_make(&claims, now_ms / 1000, str_of(secret), token, err);
}

uint16_t track_port(const TrackTurn *turn, uint32_t track)
{
    const uint64_t place = ((uint64_t)(turn->home.id - 1) * PORTS_EACH + track) % PORTS_AT_ALL;

    return turn->port ? (uint16_t)(turn->port + 1 + place) : 0;
}

/* ---- who has qualified ---- */

/* Decided self matches of a team without a seat in error. */
static int count_self_matches(const TrackTurn *turn, int64_t team, Str track, int64_t *ret_count,
                              Err *err)
{
    const TrackBind binds[] = {NUMBER(turn->home.id), TEXT(track), NUMBER(team)};

    *ret_count = 0;
    return run_query(turn->db,
                     "SELECT count(*) FROM run JOIN game ON game.run = run.id"
                     " WHERE run.contest = ?1 AND run.stage = ?2 AND run.part = 0"
                     " AND game.winner IN ('VILLAGER', 'WEREWOLF') AND game.void_by IS NULL"
                     " AND EXISTS (SELECT 1 FROM seat WHERE seat.game = game.id)"
                     " AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.game = game.id AND"
                     " (seat.team IS NULL OR seat.team <> ?3 OR seat.failed <> 0))",
                     binds, 3, ret_count, err);
}

/* An entrant of one track. */
typedef struct Entrant {
    int64_t team;
    char name[TEAM_NAME_BYTES + 1];
    int64_t away_from, away_to;
} Entrant;

typedef struct Entrants {
    Entrant *list;
    size_t count, room;
} Entrants;

static void entrants_done(Entrants *entrants)
{
    entrants->list = mem_free(entrants->list);
}

static int add_entrant(Entrants *entrants, const DbQuery *query, Err *err)
{
    if (entrants->count == entrants->room) {
        size_t room = entrants->room ? 2 * entrants->room : 32;
        Entrant *more = mem_resize(entrants->list, room, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "tracks: out of memory");
        entrants->list = more;
        entrants->room = room;
    }
    Entrant *own = &entrants->list[entrants->count++];
    Str name = str_part(db_text(query, 1), 0, TEAM_NAME_BYTES);
    *own = (Entrant){
        .team = db_int(query, 0), .away_from = db_int(query, 2), .away_to = db_int(query, 3)};
    memcpy(own->name, name.bytes, name.len);
    return 0;
}

/* Those of a track in this state whose team is in the contest, by name. */
static int read_entrants(const TrackTurn *turn, Str track, Str state, Entrants *entrants, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    const TrackBind binds[] = {NUMBER(turn->home.id), TEXT(track), TEXT(state)};
    int rc = bind_query(turn->db,
                        "SELECT team.id, team.name, entrant.away_from, entrant.away_to FROM entrant"
                        " JOIN team ON team.id = entrant.team WHERE team.contest = ?1"
                        " AND entrant.track = ?2 AND entrant.state = ?3 AND team.state = 'IN'"
                        " ORDER BY team.name",
                        binds, 3, &query, err);

    while (rc == 0 && (rc = db_step(query, err)) == 1)
        rc = add_entrant(entrants, query, err);
    return rc;
}

static int set_state(const TrackTurn *turn, int64_t team, Str track, Str state, Err *err)
{
    const TrackBind binds[] = {NUMBER(team), TEXT(track), TEXT(state), NUMBER(turn->now_ms)};

    return run_query(turn->db,
                     "UPDATE entrant SET state = ?3, at = ?4 WHERE team = ?1 AND track = ?2", binds,
                     4, NULL, err);
}

static int tell_out(const TrackTurn *turn, const Entrant *entrant, const RulesTrack *track,
                    int64_t played, Err *err)
{
    CLEANUP(buf_done) Buf why = {0};

    buf_printf(&why, "track %s: %lld of %u self matches were played to the end without an error",
               track->name, (long long)played, track->self_matches);
    const NoticeWord words[] = {
        {"contest", turn->home.name}, {"team", str_of(entrant->name)}, {"why", buf_str(&why)}};
    const Notice notice = {.kind = NOTICE_OUT,
                           .to = TO_TEAM,
                           .id = entrant->team,
                           .contest = turn->home.id,
                           .words = words,
                           .word_count = 3};
    return notice_put(turn->db, &notice, turn->now_ms, err);
}

static int qualify_track(const TrackTurn *turn, const RulesTrack *track, Err *err)
{
    CLEANUP(entrants_done) Entrants entrants = {NULL, 0, 0};
    const Str name = str_of(track->name);
    bool more = true;
    int rc = 0;

    while (rc == 0 && more) /* all that was played counts */
        rc = track_import(turn->db, &turn->home, name, TRACK_CHECK, turn->now_ms, &more, err);
    if (rc == 0)
        rc = read_entrants(turn, name, STR("IN"), &entrants, err);
    for (size_t i = 0; i < entrants.count && rc == 0; i++) {
        int64_t played = 0;
        rc = count_self_matches(turn, entrants.list[i].team, name, &played, err);
        const bool in = played >= track->self_matches;
        if (rc == 0)
            rc = set_state(turn, entrants.list[i].team, name, in ? STR("QUALIFIED") : STR("OUT"),
                           err);
        if (rc == 0 && !in)
            rc = tell_out(turn, &entrants.list[i], track, played, err);
    }
    return rc;
}

int track_qualify(const TrackTurn *turn, Err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < turn->rules->track_count && rc == 0; i++)
        rc = qualify_track(turn, &turn->rules->tracks[i], err);
    return rc;
}

static int count_ready(const TrackTurn *turn, const RulesTrack *track, uint32_t *ret_count,
                       Err *err)
{
    CLEANUP(entrants_done) Entrants entrants = {NULL, 0, 0};
    int rc = read_entrants(turn, str_of(track->name), STR("QUALIFIED"), &entrants, err);

    *ret_count = (uint32_t)entrants.count;
    if (rc || turn->state > LIFE_OPEN)
        return rc;
    rc = read_entrants(turn, str_of(track->name), STR("IN"), &entrants, err);
    for (size_t i = *ret_count; i < entrants.count && rc == 0; i++) {
        int64_t played = 0;
        rc = count_self_matches(turn, entrants.list[i].team, str_of(track->name), &played, err);
        *ret_count += played >= track->self_matches;
    }
    return rc;
}

/* The track with the fewest decides: each has to be played. */
int track_ready(const TrackTurn *turn, uint32_t *ret_teams, Err *err)
{
    uint32_t least = turn->rules->track_count ? UINT32_MAX : 0;
    int rc = 0;

    for (uint32_t i = 0; i < turn->rules->track_count && rc == 0; i++) {
        uint32_t count = 0;
        rc = count_ready(turn, &turn->rules->tracks[i], &count, err);
        least = count < least ? count : least;
    }
    *ret_teams = least;
    return rc;
}

/* ---- jobs ---- */

/* The last job of a track. */
typedef struct TrackJobRow {
    bool there, open, main, complete, failed, stopped;
    Buf id;
    int64_t ended_ms;
} TrackJobRow;

static void track_job_done(TrackJobRow *row)
{
    buf_done(&row->id);
}

static bool is_of_track(Str spec, Str track, bool *ret_main)
{
    json_t *json = NULL;
    bool is = false;

    if (json_read(spec, FILE_BYTES, &json, NULL))
        return false;
    is = str_eq(json_text(json, "track"), track);
    *ret_main = json_get_bool(&(JsonReader){0}, json, "main", false);
    json_done(json);
    return is;
}

static void take_result(Str result, TrackJobRow *row)
{
    json_t *json = NULL;

    if (json_read(result, FILE_BYTES, &json, NULL))
        return;
    row->complete = json_get_bool(&(JsonReader){0}, json, "complete", false);
    json_done(json);
}

/* Of main matches only, with `main`: the last of the check says nothing of them. */
static int last_job(const TrackTurn *turn, Str track, TrackJobRow *row, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    const TrackBind binds[] = {NUMBER(turn->home.id)};
    int rc = bind_query(turn->db,
                        "SELECT id, spec, state, coalesce(ended, 0), coalesce(result, '') FROM job"
                        " WHERE contest = ?1 AND kind = 'nlp' ORDER BY created DESC, id DESC",
                        binds, 1, &query, err);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        rc = 0;
        if (!is_of_track(db_text(query, 1), track, &row->main))
            continue;
        Str state = db_text(query, 2);
        row->there = true;
        row->open = str_eq(state, STR("NEW")) || str_eq(state, STR("PUT"));
        row->failed = str_eq(state, STR("FAILED"));
        row->stopped = str_eq(state, STR("STOPPED"));
        row->ended_ms = db_int(query, 3);
        buf_add(&row->id, db_text(query, 0));
        take_result(db_text(query, 4), row);
        db_reset(query);
        return 0;
    }
    return rc;
}

/* The window of the track that is open now; NULL. */
static const RulesWindow *open_window(const TrackTurn *turn, uint32_t track)
{
    for (uint32_t i = 0; i < turn->rules->window_count; i++) {
        const RulesWindow *window = &turn->rules->windows[i];
        if (window->track == track && window->from_ms <= turn->now_ms &&
            turn->now_ms < window->to_ms)
            return window;
    }
    return NULL;
}

static void write_matches(const RulesTrack *track, const Entrants *entrants, Json *json)
{
    json_key(json, STR("matches"));
    json_open(json, '[');
    json_put_uint(json, track->matches_min);
    json_put_uint(json, track->matches_max);
    json_close(json);
    json_key(json, STR("teams"));
    json_open(json, '[');
    for (size_t i = 0; i < entrants->count; i++)
        json_put_str(json, str_of(entrants->list[i].name));
    json_close(json);
}

static int put_job(const TrackTurn *turn, uint32_t number, bool main, Err *err)
{
    CLEANUP(entrants_done) Entrants entrants = {NULL, 0, 0};
    CLEANUP(buf_done) Buf spec = {0};
    const RulesTrack *track = &turn->rules->tracks[number];
    Json json = json_over(&spec);
    char id[ID_ULID_BYTES];
    Key tokens;
    int rc = tokens_key(&turn->home, &tokens, err); /* the job reads it */

    if (rc == 0)
        rc = read_entrants(turn, str_of(track->name), STR("QUALIFIED"), &entrants, err);
    if (rc)
        return rc;
    json_open(&json, '{');
    json_add_str(&json, "track", str_of(track->name));
    json_add_bool(&json, "main", main);
    json_add_str(&json, "config", str_of(track->config));
    json_add_str(&json, "host", turn->host.len ? turn->host : STR("127.0.0.1"));
    json_add_uint(&json, "port", track_port(turn, number));
    if (main)
        write_matches(track, &entrants, &json);
    else
        json_add_uint(&json, "self_per_hour", track->self_per_hour);
    json_close(&json);
    return job_put(turn->db, turn->home.id, "nlp", buf_str(&spec), turn->now_ms, id, err);
}

/* ---- away ---- */

static bool is_away(const TrackTurn *turn, const Entrant *entrant)
{
    return entrant->away_from < entrant->away_to && entrant->away_from <= turn->now_ms &&
           turn->now_ms < entrant->away_to;
}

/* Writes away.json where it says something else; `ret_any`: somebody is. */
static int tell_away(const TrackTurn *turn, const RulesTrack *track, bool *ret_any, Err *err)
{
    CLEANUP(entrants_done) Entrants entrants = {NULL, 0, 0};
    CLEANUP(buf_done) Buf sub = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf old = {0};
    Json json = json_over(&text);
    int rc = read_entrants(turn, str_of(track->name), STR("QUALIFIED"), &entrants, err);

    *ret_any = false;
    json_open(&json, '[');
    for (size_t i = 0; i < entrants.count; i++)
        if (is_away(turn, &entrants.list[i])) {
            json_put_str(&json, str_of(entrants.list[i].name));
            *ret_any = true;
        }
    json_close(&json);
    buf_printf(&sub, "tracks/%s", track->name);
    if (rc == 0)
        rc = contest_home_path(&turn->home, buf_cstr(&sub), &path, err);
    if (rc == 0)
        rc = folder_make(buf_str(&path), err);
    buf_printf(&path, "/away.json");
    if (rc || (access(buf_cstr(&path), F_OK) == 0 &&
               log_file_read(buf_cstr(&path), FILE_BYTES, &old, NULL) == 0 &&
               str_eq(buf_str(&old), buf_str(&text))))
        return rc;
    return file_replace(buf_cstr(&path), buf_str(&text), false, err);
}

/* ---- notices ---- */

static int announce_window(const TrackTurn *turn, const RulesTrack *track,
                           const RulesWindow *window, bool opens, Err *err)
{
    CLEANUP(buf_done) Buf english = {0};
    CLEANUP(buf_done) Buf japanese = {0};
    CLEANUP(buf_done) Buf mark = {0};
    char room[DATE_TEXT_ROOM];
    const Str until = date_text_write(window->to_ms, room);

    buf_printf(&english,
               opens ? "The window of track %s is open, until %.*s."
                     : "The window of track %s, until %.*s, is over.",
               track->name, STR_ARG(until));
    buf_printf(&japanese,
               opens ? "トラック%sの対戦が始まりました（%.*sまで）。"
                     : "トラック%sの対戦（%.*sまで）は終わりました。",
               track->name, STR_ARG(until));
    buf_printf(&mark, "window:%lld:%s:%lld:%d", (long long)turn->home.id, track->name,
               (long long)window->from_ms, opens);
    const NoticeWord words[] = {
        {"contest", turn->home.name}, {"text", buf_str(&english)}, {"text_ja", buf_str(&japanese)}};
    Notice notice = {.kind = NOTICE_ANNOUNCEMENT,
                     .to = TO_TEAMS,
                     .contest = turn->home.id,
                     .words = words,
                     .word_count = 3,
                     .mark = buf_cstr(&mark)};
    int rc = notice_put(turn->db, &notice, turn->now_ms, err);
    if (rc)
        return rc;
    buf_printf(&mark, ":o");
    notice.mark = buf_cstr(&mark);
    notice.to = TO_ORGANISERS;
    return notice_put(turn->db, &notice, turn->now_ms, err);
}

/* ---- status.json ---- */

/* What a server that runs says of itself; NULL when none does. */
static json_t *read_status(const TrackTurn *turn, Str track, bool main)
{
    CLEANUP(buf_done) Buf sub = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    json_t *json = NULL;

    buf_printf(&sub, "tracks/%.*s/%s/status.json", STR_ARG(track), main ? "main" : "check");
    if (contest_home_path(&turn->home, buf_cstr(&sub), &path, NULL) ||
        access(buf_cstr(&path), F_OK) != 0 ||
        log_file_read(buf_cstr(&path), FILE_BYTES, &text, NULL) ||
        json_read(buf_str(&text), FILE_BYTES, &json, NULL))
        return NULL;
    return json;
}

static int find_team(const TrackTurn *turn, Str name, int64_t *ret_id, Err *err)
{
    const TrackBind binds[] = {NUMBER(turn->home.id), TEXT(name)};

    *ret_id = 0;
    return run_query(turn->db, "SELECT id FROM team WHERE contest = ?1 AND name = ?2", binds, 2,
                     ret_id, err);
}

/* Of one that its server has put behind the others, once each time: it, and the organisers. */
static int tell_quarantined(const TrackTurn *turn, const RulesTrack *track, const json_t *status,
                            Err *err)
{
    const json_t *list = json_get(status, "quarantined");
    char room[DATE_TEXT_ROOM];
    int rc = 0;

    for (size_t i = 0; i < json_count(list) && rc == 0; i++) {
        CLEANUP(buf_done) Buf mark = {0};
        CLEANUP(buf_done) Buf text = {0};
        CLEANUP(buf_done) Buf japanese = {0};
        const Str name = json_text(json_at(list, i), "team");
        const int64_t until = json_number(json_at(list, i), "until");
        int64_t team = 0;
        rc = find_team(turn, name, &team, err);
        if (rc || !team)
            continue;
        const Str date = date_text_write(until * 1000, room);
        buf_printf(&mark, "quarantine:%lld:%s:%.*s:%lld", (long long)turn->home.id, track->name,
                   STR_ARG(name), (long long)until);
        buf_printf(
            &text,
            "track %s: too many of its requests or games have failed; until %.*s its matches "
            "come behind those of the others",
            track->name, STR_ARG(date));
        buf_printf(
            &japanese,
            "トラック%s: %.*sへの依頼か試合で失敗が多すぎました。%.*sまで、ほかのチームより後"
            "に対戦します。",
            track->name, STR_ARG(name), STR_ARG(date));
        const TrackWord word = {NOTICE_FAILING,     team,          name, buf_str(&text),
                                buf_str(&japanese), buf_str(&mark)};
        rc = track_tell(turn->db, &turn->home, &word, turn->now_ms, err);
    }
    return rc;
}

/* Teams that are waited for are told, once a window; organisers too. */
static int tell_awaited(const TrackTurn *turn, const RulesTrack *track, const RulesWindow *window,
                        const json_t *status, Err *err)
{
    const json_t *awaited = json_get(status, "awaited");
    int rc = 0;

    for (size_t i = 0; i < json_count(awaited) && rc == 0; i++) {
        CLEANUP(buf_done) Buf mark = {0};
        CLEANUP(buf_done) Buf text = {0};
        Str team;
        int64_t id = 0;
        if (!json_as_str(json_at(awaited, i), &team))
            continue;
        rc = find_team(turn, team, &id, err);
        buf_printf(&mark, "awaited:%lld:%s:%lld:%.*s", (long long)turn->home.id, track->name,
                   (long long)window->from_ms, STR_ARG(team));
        buf_printf(&text, "track %s waits for %.*s", track->name, STR_ARG(team));
        const NoticeWord words[] = {
            {"contest", turn->home.name}, {"text", buf_str(&text)}, {"team", team}};
        Notice notice = {.kind = NOTICE_MISSING,
                         .to = TO_TEAM,
                         .id = id,
                         .contest = turn->home.id,
                         .words = words,
                         .word_count = 3,
                         .mark = buf_cstr(&mark)};
        if (rc == 0 && id)
            rc = notice_put(turn->db, &notice, turn->now_ms, err);
        buf_printf(&mark, ":o");
        notice.mark = buf_cstr(&mark);
        notice.kind = NOTICE_AWAITED;
        notice.to = TO_ORGANISERS;
        if (rc == 0)
            rc = notice_put(turn->db, &notice, turn->now_ms, err);
    }
    return rc;
}

static int tell_status(const TrackTurn *turn, const RulesTrack *track, const RulesWindow *window,
                       Err *err)
{
    json_t *status = read_status(turn, str_of(track->name), true);
    int rc = tell_awaited(turn, track, window, status, err);

    if (rc == 0)
        rc = tell_quarantined(turn, track, status, err);
    json_done(status);
    return rc;
}

/* ---- as time goes on ---- */

/* A window that is over, and was open before. */
static int tell_closed(const TrackTurn *turn, uint32_t number, Err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < turn->rules->window_count && rc == 0; i++) {
        const RulesWindow *window = &turn->rules->windows[i];
        if (window->track == number && turn->now_ms >= window->to_ms)
            rc = announce_window(turn, &turn->rules->tracks[number], window, false, err);
    }
    return rc;
}

/* Whether a job is put now: not while one is open, or has just failed; not when all is played, nor
 * when the last one ended since nobody but those who are away has matches left. */
static bool is_due(const TrackTurn *turn, const TrackJobRow *last, bool main, bool anybody_away)
{
    if (!last->there || last->main != main)
        return true;
    if (last->open || (last->failed && retry_waits(turn->waits, buf_str(&last->id), RETRY_MINUTE)))
        return false;
    if (!main || last->failed || last->stopped)
        return true;
    return !last->complete && !anybody_away;
}

static int follow_track(const TrackTurn *turn, uint32_t number, Err *err)
{
    CLEANUP(track_job_done) TrackJobRow last = {0};
    const RulesTrack *track = &turn->rules->tracks[number];
    const RulesWindow *window = turn->state == LIFE_FINAL ? open_window(turn, number) : NULL;
    const bool wanted = !turn->paused && (turn->state == LIFE_OPEN || window);
    bool anybody_away = false, more = false;
    int rc = tell_away(turn, track, &anybody_away, err);

    for (int part = TRACK_CHECK; part <= TRACK_MAIN && rc == 0; part++)
        rc = track_import(turn->db, &turn->home, str_of(track->name), part, turn->now_ms, &more,
                          err);
    if (rc == 0)
        rc = last_job(turn, str_of(track->name), &last, err);
    if (rc == 0 && last.open && (!wanted || last.main != (window != NULL)) && turn->spool)
        rc = job_stop(turn->db, turn->spool, buf_str(&last.id), err);
    if (rc == 0 && wanted && !last.open && is_due(turn, &last, window != NULL, anybody_away))
        rc = put_job(turn, number, window != NULL, err);
    if (rc == 0 && window)
        rc = announce_window(turn, track, window, true, err);
    if (rc == 0 && window)
        rc = tell_status(turn, track, window, err);
    return rc == 0 && turn->state == LIFE_FINAL ? tell_closed(turn, number, err) : rc;
}

static int follow_all(Db *db, void *user, Err *err)
{
    const TrackTurn *turn = user;
    int rc = 0;

    (void)db;
    for (uint32_t i = 0; i < turn->rules->track_count && rc == 0; i++)
        rc = follow_track(turn, i, err);
    return rc;
}

int track_follow(const TrackTurn *turn, Err *err)
{
    TrackTurn copy = *turn;

    return db_transaction(turn->db, follow_all, &copy, err);
}

static bool has_later_window(const TrackTurn *turn, uint32_t track)
{
    for (uint32_t i = 0; i < turn->rules->window_count; i++)
        if (turn->rules->windows[i].track == track && turn->now_ms < turn->rules->windows[i].to_ms)
            return true;
    return false;
}

int track_over(const TrackTurn *turn, bool *ret_over, Err *err)
{
    bool over = true;
    int rc = 0;

    for (uint32_t i = 0; i < turn->rules->track_count && rc == 0; i++) {
        CLEANUP(track_job_done) TrackJobRow last = {0};
        rc = last_job(turn, str_of(turn->rules->tracks[i].name), &last, err);
        over = over && !last.open &&
               ((last.there && last.main && last.complete) || !has_later_window(turn, i));
    }
    *ret_over = over;
    return rc;
}

/* ---- looking ---- */

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
    json_t *status = read_status(turn, own->track, turn->state >= LIFE_FINAL);
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
    const TrackBind binds[] = {NUMBER(team)};
    int rc = bind_query(turn->db,
                        "SELECT team.name, entrant.track, entrant.state, entrant.away_from,"
                        " entrant.away_to FROM entrant JOIN team ON team.id = entrant.team"
                        " WHERE team.id = ?1 ORDER BY entrant.track",
                        binds, 1, &query, err);

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
        const RulesTrack *track = find_track(turn->rules, own.track);
        rc = track ? count_self_matches(turn, team, own.track, &own.played, err) : 0;
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
    if (!find_track(turn->rules, track))
        return err_set(err, ERR_RULE, "the contest has no track '%.*s'", STR_ARG(track));
    json_t *status = read_status(turn, track, turn->state >= LIFE_FINAL);
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
