#include "site/track_server.h"

#include "base/json.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "nlp/track_config.h"
#include "site/job.h"
#include "site/track_door.h"
#include "site/track_entrant.h"
#include "store/db_row.h"

#include <unistd.h>

#define FILE_BYTES ((size_t)8 * 1024 * 1024)

/* ---- the job ---- */

void track_job_done(TrackJobRow *row)
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

static void take_row(const DbQuery *query, TrackJobRow *row)
{
    const Str state = db_text(query, 2);

    row->there = true;
    row->open = str_eq(state, STR("NEW")) || str_eq(state, STR("PUT"));
    row->failed = str_eq(state, STR("FAILED"));
    row->stopped = str_eq(state, STR("STOPPED"));
    buf_add(&row->id, db_text(query, 0));
    take_result(db_text(query, 3), row);
}

int track_job_last(const TrackTurn *turn, Str track, TrackJobRow *row, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(turn->db, &query, err,
                           "SELECT id, spec, state, coalesce(result, '') FROM job"
                           " WHERE contest = ?1 AND kind = 'nlp'"
                           " ORDER BY created DESC, id DESC",
                           "i", turn->home.id);

    while (rc == 0 && !row->there && (rc = db_step(query, err)) == 1) {
        rc = 0;
        if (is_of_track(db_text(query, 1), track, &row->main))
            take_row(query, row);
    }
    return rc;
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

int track_job_put(const TrackTurn *turn, uint32_t number, bool main, Err *err)
{
    CLEANUP(entrants_done) Entrants entrants = {NULL, 0, 0};
    CLEANUP(buf_done) Buf spec = {0};
    const RulesTrack *track = &turn->rules->tracks[number];
    Json json = json_over(&spec);
    char id[ID_ULID_BYTES];
    Key tokens;
    int rc = track_tokens_key(&turn->home, &tokens, err); /* the job reads it */

    if (rc == 0)
        rc = entrants_read(turn, str_of(track->name), STR("QUALIFIED"), &entrants, err);
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

static bool is_planned(const TrackTurn *turn, const char *track)
{
    CLEANUP(buf_done) Buf sub = {0};
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&sub, "tracks/%s/main/schedule.json", track);
    return contest_home_path(&turn->home, buf_cstr(&sub), &path, NULL) == 0 &&
           access(buf_cstr(&path), F_OK) == 0;
}

int track_server_lacks(const TrackTurn *turn, const RulesTrack *track, TrackLack *ret_lack,
                       Err *err)
{
    CLEANUP(entrants_done) Entrants entrants = {NULL, 0, 0};
    CLEANUP(config_freep) Config *config = NULL;
    int rc = entrants_read(turn, str_of(track->name), STR("QUALIFIED"), &entrants, err);

    *ret_lack = (TrackLack){.teams = (uint32_t)entrants.count};
    if (rc || is_planned(turn, track->name) || track_config_load(track->config, &config, NULL))
        return rc;
    if (entrants.count < (size_t)config->agent_count)
        ret_lack->seats = (uint32_t)config->agent_count;
    return 0;
}

/* ---- its files ---- */

int track_server_tell_away(const TrackTurn *turn, const RulesTrack *track, bool *ret_any, Err *err)
{
    CLEANUP(entrants_done) Entrants entrants = {NULL, 0, 0};
    CLEANUP(buf_done) Buf sub = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf old = {0};
    Json json = json_over(&text);
    int rc = entrants_read(turn, str_of(track->name), STR("QUALIFIED"), &entrants, err);

    *ret_any = false;
    json_open(&json, '[');
    for (size_t i = 0; i < entrants.count; i++)
        if (entrant_is_away(&entrants.list[i], turn->now_ms)) {
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

json_t *track_server_status(const TrackTurn *turn, Str track, bool main)
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
