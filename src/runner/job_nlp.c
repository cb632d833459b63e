#include "runner/job_nlp.h"

#include "base/date_text.h"
#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/key_file.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "nlp/history.h"
#include "nlp/result_journal.h"
#include "nlp/track_config.h"
#include "nlp/track_key.h"
#include "runner/nlp_process.h"
#include "runner/track_desk.h"
#include "runner/track_schedule.h"
#include "serve/operator_token.h"
#include "wire/json_read.h"
#include "wire/nlp_packet.h"

#include <poll.h>
#include <unistd.h>

#define LOOK_MS    1000
#define NAP_MS     100
#define DRAIN_MS   (60 * 60 * 1000) /* games under way may last so long */
#define CLOSED_MAX 64
#define AWAY_MAX   HISTORY_TEAMS_MAX
#define FILE_BYTES ((size_t)1024 * 1024)
#define WHY_BYTES  200

/* Why somebody's connection was closed, the last of its team. */
typedef struct TrackClosed {
    char team[64];
    int code;
    char why[WHY_BYTES];
    int64_t at_ms;
} TrackClosed;

/* A track while its server runs. */
typedef struct TrackJob {
    const JobPlace *place;
    Str contest, track, host;
    bool main;
    uint16_t port;
    Str teams[HISTORY_TEAMS_MAX];
    uint32_t team_count;
    uint32_t matches_min, matches_max;
    uint32_t self_per_hour;
    Buf home; /* contests/NAME */
    Buf track_folder;
    Buf folder; /* of this run */
    Config *config;
    char secret[KEY_HEX_BYTES];
    Buf token;
    NlpProcess *process;
    TrackDesk *desk;
    TrackClosed closed[CLOSED_MAX];
    uint32_t closed_count;
    uint64_t ended; /* games, as the server told last */
    bool draining;
    int64_t drained_ms, looked_ms;
} TrackJob;

/* ---- what is asked ---- */

static bool is_folder_name(Str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.bytes[i] == '/' || name.bytes[i] == '\0')
            return false;
    return name.len > 0 && name.len < 64 && name.bytes[0] != '.';
}

static int read_teams(TrackJob *own, const json_t *job, Err *err)
{
    const json_t *teams = json_get(job, "teams");

    if (json_count(teams) > HISTORY_TEAMS_MAX)
        return err_set(err, ERR_LIMIT, "job: more than %d teams", HISTORY_TEAMS_MAX);
    for (size_t i = 0; i < json_count(teams); i++)
        if (!json_as_str(json_at(teams, i), &own->teams[own->team_count++]))
            return err_set(err, ERR_SYNTAX, "job: a team is no text");
    return 0;
}

static int read_job(TrackJob *own, const json_t *job, Err *err)
{
    JsonReader reader = {.err = err};
    const json_t *matches = json_get(job, "matches");
    int64_t most = 0, least = 0;

    own->contest = json_get_str(&reader, job, "contest");
    own->track = json_get_str(&reader, job, "track");
    own->host = json_get_str(&reader, job, "host");
    own->main = json_get_bool(&reader, job, "main", false);
    own->port = (uint16_t)json_get_int(&reader, job, "port", 0, UINT16_MAX, 0);
    own->self_per_hour = (uint32_t)json_get_int(&reader, job, "self_per_hour", 0, UINT32_MAX, 0);
    if (reader.rc)
        return reader.rc;
    if (!is_folder_name(own->contest) || !is_folder_name(own->track))
        return err_set(err, ERR_SYNTAX, "job: expected `contest` and `track`");
    if (own->main &&
        (!json_as_int(json_at(matches, 0), &least) || !json_as_int(json_at(matches, 1), &most) ||
         least < 1 || most < least || most > HISTORY_MATCHES_MAX))
        return err_set(err, ERR_SYNTAX, "job: expected `matches`, two numbers");
    own->matches_min = (uint32_t)least;
    own->matches_max = (uint32_t)most;
    return read_teams(own, job, err);
}

static int find_folders(TrackJob *own, Err *err)
{
    buf_printf(&own->home, "%s/contests/%.*s", own->place->data, STR_ARG(own->contest));
    buf_printf(&own->track_folder, "%s/tracks/%.*s", buf_cstr(&own->home), STR_ARG(own->track));
    buf_printf(&own->folder, "%s/%s", buf_cstr(&own->track_folder), own->main ? "main" : "check");
    if (buf_failed(&own->home) || buf_failed(&own->track_folder) || buf_failed(&own->folder))
        return err_set(err, ERR_MEMORY, "a track's job: out of memory");
    return folder_make(buf_str(&own->folder), err);
}

static int find_secrets(TrackJob *own, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Key tokens;
    int rc = key_file_read_as(buf_cstr(&own->home), TRACK_TOKENS_NAME, &tokens, err);

    if (rc)
        return rc;
    track_key(&tokens, own->track, own->secret);
    buf_printf(&path, "%s/operator", buf_cstr(&own->track_folder));
    return operator_token(buf_cstr(&path), &own->token, err);
}

static int read_config(TrackJob *own, const json_t *job, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_add(&path, json_text(job, "config"));
    return track_config_load(buf_cstr(&path), &own->config, err);
}

static int make_schedule(const TrackJob *own, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Key key;
    int rc = key_draw(&key, err);
    const TrackSchedule schedule = {.config = own->config,
                                    .teams = own->teams,
                                    .team_count = own->team_count,
                                    .matches_min = own->matches_min,
                                    .matches_max = own->matches_max,
                                    .seed = rc == 0 ? key_seed(&key) : 0};

    buf_printf(&path, "%s/schedule.json", buf_cstr(&own->folder));
    return rc ? rc : track_schedule_make(&schedule, buf_cstr(&path), err);
}

/* ---- what the server says ---- */

static TrackClosed *closed_slot(TrackJob *own, Str team)
{
    for (uint32_t i = 0; i < own->closed_count; i++)
        if (str_eq(str_of(own->closed[i].team), team))
            return &own->closed[i];
    if (own->closed_count == CLOSED_MAX) { /* the oldest gives way */
        memmove(&own->closed[0], &own->closed[1], (CLOSED_MAX - 1) * sizeof(own->closed[0]));
        own->closed_count--;
    }
    return &own->closed[own->closed_count++];
}

/* "refused name=ann1 address=... code=1008: token: ..." */
static void hear_line(void *user, Str line)
{
    TrackJob *own = user;
    size_t name_at, code_at, colon;
    uint64_t code;

    if (!str_find(line, STR("refused name="), &name_at) || !str_find(line, STR(" code="), &code_at))
        return;
    Str name = str_part(line, name_at + strlen("refused name="), line.len);
    Str rest = str_part(line, code_at + strlen(" code="), line.len);
    if (!str_find(rest, STR(": "), &colon) || !str_to_uint(str_part(rest, 0, colon), 9999, &code))
        return;
    Str team = nlp_team_of(str_cut(&name, ' '));
    if (team.len == 0 || team.len >= sizeof(own->closed[0].team))
        return;
    TrackClosed *slot = closed_slot(own, team);
    *slot = (TrackClosed){.code = (int)code, .at_ms = own->place->date()};
    memcpy(slot->team, team.bytes, team.len);
    rest = str_part(rest, colon + 2, sizeof(slot->why) - 1);
    memcpy(slot->why, rest.bytes, rest.len);
}

/* ---- status.json ---- */

static void put_date(Json *json, const char *key, int64_t ms)
{
    char room[DATE_TEXT_ROOM];

    json_add_str(json, key, date_text_write(ms, room));
}

/* A member of an answer, as text. */
static void copy_waiting(const json_t *answer, Json *json)
{
    const json_t *waiting = json_get(answer, "waiting"), *awaited = json_get(answer, "awaited");

    json_key(json, STR("waiting"));
    json_open(json, '[');
    for (size_t i = 0; i < json_count(waiting); i++) {
        const json_t *agent = json_at(waiting, i);
        json_open(json, '{'); /* whose address it is nobody need know */
        json_add_str(json, "name", json_text(agent, "name"));
        json_add_str(json, "team", json_text(agent, "team"));
        json_add_int(json, "since", json_number(agent, "since"));
        json_close(json);
    }
    json_close(json);
    json_key(json, STR("awaited"));
    json_open(json, '[');
    for (size_t i = 0; i < json_count(awaited); i++) {
        Str team;
        if (json_as_str(json_at(awaited, i), &team))
            json_put_str(json, team);
    }
    json_close(json);
}

static void copy_closed(const TrackJob *own, Json *json)
{
    json_key(json, STR("closed"));
    json_open(json, '[');
    for (uint32_t i = 0; i < own->closed_count; i++) {
        json_open(json, '{');
        json_add_str(json, "team", str_of(own->closed[i].team));
        json_add_int(json, "code", own->closed[i].code);
        json_add_str(json, "why", str_of(own->closed[i].why));
        put_date(json, "at", own->closed[i].at_ms);
        json_close(json);
    }
    json_close(json);
}

/* Teams that play behind the others for a while: nothing where the configuration has it off. */
static void copy_quarantined(const TrackJob *own, Json *json)
{
    CLEANUP(buf_done) Buf answer = {0};
    json_t *teams = NULL;

    json_key(json, STR("quarantined"));
    json_open(json, '[');
    if (own->main && own->config->health.enable &&
        track_desk_get(own->desk, "/api/v1/teams", &answer, NULL) == 0)
        json_read(buf_str(&answer), FILE_BYTES, &teams, NULL);
    const json_t *list = json_get(teams, "teams");
    for (size_t i = 0; i < json_count(list); i++) {
        const json_t *team = json_at(list, i);
        if (!json_get_bool(&(JsonReader){0}, team, "quarantined", false))
            continue;
        json_open(json, '{');
        json_add_str(json, "team", json_text(team, "team"));
        json_add_int(json, "until", json_number(team, "quarantined_until"));
        json_close(json);
    }
    json_close(json);
    json_done(teams);
}

static int write_status(const TrackJob *own, const json_t *waiting, Str progress, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);

    json_open(&json, '{');
    put_date(&json, "at", own->place->date());
    json_add_uint(&json, "port", nlp_process_port(own->process));
    copy_waiting(waiting, &json);
    copy_closed(own, &json);
    copy_quarantined(own, &json);
    json_key(&json, STR("progress"));
    json_put_raw(&json, progress);
    json_close(&json);
    buf_printf(&path, "%s/status.json", buf_cstr(&own->folder));
    return buf_failed(&text) ? err_set(err, ERR_MEMORY, "a track's status: out of memory")
                             : file_replace(buf_cstr(&path), buf_str(&text), false, err);
}

/* ---- teams that are away ---- */

static bool is_listed(Str team, const Str *teams, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (str_eq(teams[i], team))
            return true;
    return false;
}

static uint32_t read_names(const json_t *list, Str *ret_names)
{
    uint32_t count = 0;

    for (size_t i = 0; i < json_count(list) && count < AWAY_MAX; i++)
        count += json_as_str(json_at(list, i), &ret_names[count]);
    return count;
}

/* away.json, if it is there; its names are borrowed from it. */
static bool read_away(const TrackJob *own, json_t **ret_away)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&path, "%s/away.json", buf_cstr(&own->track_folder));
    return access(buf_cstr(&path), F_OK) == 0 &&
           log_file_read(buf_cstr(&path), FILE_BYTES, &text, NULL) == 0 &&
           json_read(buf_str(&text), FILE_BYTES, ret_away, NULL) == 0;
}

/* What away.json says is so at the server, too; what the server says no to is tried again. */
static void follow_away(TrackJob *own)
{
    CLEANUP(buf_done) Buf acts = {0};
    CLEANUP(mem_freep) Str *names = mem_new(2 * AWAY_MAX * sizeof(*names));
    json_t *away = NULL, *out = NULL;

    if (!names || !read_away(own, &away))
        return;
    if (track_desk_get(own->desk, "/api/v1/operator/acts", &acts, NULL) == 0 &&
        json_read(buf_str(&acts), FILE_BYTES, &out, NULL) == 0) {
        Str *left_out = names + AWAY_MAX;
        uint32_t count = read_names(away, names);
        uint32_t left_count = read_names(json_get(out, "left_out"), left_out);
        for (uint32_t i = 0; i < count; i++)
            if (!is_listed(names[i], left_out, left_count))
                track_desk_leave_out(own->desk, names[i], true, "away", NULL);
        for (uint32_t i = 0; i < left_count; i++)
            if (!is_listed(left_out[i], names, count))
                track_desk_leave_out(own->desk, left_out[i], false, "back", NULL);
    }
    json_done(away);
    json_done(out);
}

static int put_act(const TrackJob *own, ResultJournal *journal, Str team, bool out, Err *err)
{
    const OperatorAct act = {.kind = out ? ACT_LEAVE_OUT : ACT_LET_IN,
                             .team = team,
                             .by = STR("contest"),
                             .why = out ? STR("away") : STR("back"),
                             .at_ms = own->place->date()};

    return result_journal_act(journal, &act, err);
}

static int put_acts(const TrackJob *own, ResultJournal *journal, Err *err)
{
    CLEANUP(mem_freep) Str *names = mem_new(AWAY_MAX * sizeof(*names));
    const OperatorActs *acts = result_journal_acts(journal);
    json_t *away = NULL;
    const uint32_t count = names && read_away(own, &away) ? read_names(away, names) : 0;
    int rc = names ? 0 : err_set(err, ERR_MEMORY, "a track's job: out of memory");

    for (uint32_t i = 0; i < own->team_count && rc == 0; i++) {
        const bool is = is_listed(own->teams[i], names, count);
        if (is != operator_acts_is_out(acts, own->teams[i]))
            rc = put_act(own, journal, own->teams[i], is, err);
    }
    json_done(away);
    return rc;
}

static bool is_anybody_away(const TrackJob *own)
{
    json_t *away = NULL;
    const bool is = read_away(own, &away) && json_count(away) > 0;

    json_done(away);
    return is;
}

/* The same before the server is there: no match of who is away begins before the first look at it;
 * and with a team that was left out when it ended it would find that nothing is to be played, and
 * end again. */
static int begin_away(const TrackJob *own, Err *err)
{
    CLEANUP(buf_done) Buf logs = {0};
    ResultJournal *journal = NULL;

    buf_printf(&logs, "%s/logs", buf_cstr(&own->folder));
    if (!journal_exists(buf_cstr(&logs)) && !is_anybody_away(own))
        return 0;
    int rc = folder_make(buf_str(&logs), err);
    if (rc == 0)
        rc = result_journal_open(buf_cstr(&logs), &own->config->rules, own->place->date, &journal,
                                 err);
    if (rc == 0)
        rc = put_acts(own, journal, err);
    result_journal_free(journal);
    return rc;
}

/* ---- while it runs ---- */

static void note_progress(TrackJob *own, Str progress)
{
    static const char *const outcomes[] = {"VILLAGER", "WEREWOLF", "NONE", "aborted"};
    json_t *json = NULL;
    uint64_t ended = 0;

    if (json_read(progress, FILE_BYTES, &json, NULL))
        return;
    for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++)
        ended += (uint64_t)json_number(json_get(json, "ended"), outcomes[i]);
    json_done(json);
    if (ended > own->ended)
        job_place_got_on(own->place);
    own->ended = ended;
}

/* A server that does not answer now is asked again. */
static void look_at_server(TrackJob *own)
{
    CLEANUP(buf_done) Buf waiting = {0};
    CLEANUP(buf_done) Buf progress = {0};
    json_t *json = NULL;
    const uint16_t port = nlp_process_port(own->process);

    if (port == 0 || (!own->desk && track_desk_new(port, buf_str(&own->token), &own->desk, NULL)))
        return;
    if (own->main)
        follow_away(own);
    if (track_desk_get(own->desk, "/api/v1/waiting", &waiting, NULL) == 0 &&
        track_desk_get(own->desk, "/api/v1/progress", &progress, NULL) == 0 &&
        json_read(buf_str(&waiting), FILE_BYTES, &json, NULL) == 0) {
        note_progress(own, buf_str(&progress));
        write_status(own, json, str_trim(buf_str(&progress)), NULL);
    }
    json_done(json);
}

static void stop_if_asked(TrackJob *own, int64_t now_ms)
{
    if (own->draining ? now_ms - own->drained_ms > DRAIN_MS : job_place_stopped(own->place)) {
        nlp_process_drain(own->process);
        own->draining = true;
        own->drained_ms = now_ms;
    }
}

/* Until the server has ended. */
static int follow_server(TrackJob *own, Err *err)
{
    int status = 0;

    for (;;) {
        const bool ended = nlp_process_ended(own->process, &status);
        const int64_t now_ms = own->place->now() / 1000;
        nlp_process_listen(own->process, hear_line, own);
        if (ended)
            break;
        stop_if_asked(own, now_ms);
        if (now_ms - own->looked_ms >= LOOK_MS) {
            look_at_server(own);
            own->looked_ms = now_ms;
        }
        poll(NULL, 0, NAP_MS);
    }
    if (status && !own->draining)
        return err_set(err, ERR_IO, "the server of track '%.*s' ended with status %d; see %s/%s",
                       STR_ARG(own->track), status, buf_cstr(&own->folder), "server.log");
    return 0;
}

/* Whether the schedule has nothing left but matches of teams that are left out. */
static int find_complete(const TrackJob *own, bool *ret_complete, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(history_freep) History *history = NULL;

    buf_printf(&path, "%s/schedule.json", buf_cstr(&own->folder));
    int rc = history_load(buf_cstr(&path), &history, err);
    if (rc == 0)
        *ret_complete = history_scheduled_count(history) == 0;
    return rc;
}

static int serve_track(TrackJob *own, Err *err)
{
    CLEANUP(buf_done) Buf host = {0};

    buf_add(&host, own->host.len ? own->host : STR("127.0.0.1"));
    const NlpProcessSetup setup = {.config = own->config,
                                   .folder = buf_cstr(&own->folder),
                                   .host = buf_cstr(&host),
                                   .port = own->port,
                                   .secret = str_of(own->secret),
                                   .operator_token = buf_str(&own->token),
                                   .self_per_hour = own->self_per_hour,
                                   .main = own->main,
                                   .now = own->place->now};
    int rc = nlp_process_start(&setup, &own->process, err);
    return rc ? rc : follow_server(own, err);
}

static void remove_status(const TrackJob *own)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/status.json", buf_cstr(&own->folder));
    disk_remove(buf_cstr(&path));
}

static int do_track(TrackJob *own, const json_t *job, Json *result, Err *err)
{
    bool complete = false;
    int rc = read_job(own, job, err);

    if (rc == 0)
        rc = find_folders(own, err);
    if (rc == 0)
        rc = find_secrets(own, err);
    if (rc == 0)
        rc = read_config(own, job, err);
    if (rc == 0 && own->main)
        rc = make_schedule(own, err);
    if (rc == 0 && own->main)
        rc = begin_away(own, err);
    if (rc == 0)
        rc = serve_track(own, err);
    remove_status(own);
    if (rc == 0 && own->main)
        rc = find_complete(own, &complete, err);
    if (rc)
        return rc;
    json_add_bool(result, "complete", complete);
    if (own->draining)
        json_add_bool(result, "stopped", true);
    return 0;
}

int job_nlp(const JobPlace *place, const json_t *job, Json *result, Err *err)
{
    TrackJob *own = mem_new(sizeof(*own));

    if (!own)
        return err_set(err, ERR_MEMORY, "a track's job: out of memory");
    own->place = place;
    int rc = do_track(own, job, result, err);
    nlp_process_free(own->process);
    track_desk_free(own->desk);
    config_free(own->config);
    buf_done(&own->home);
    buf_done(&own->track_folder);
    buf_done(&own->folder);
    buf_done(&own->token);
    mem_free(own);
    return rc;
}
