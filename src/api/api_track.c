/* Natural-language tracks over the API: who enters, who is connected, with which token.
 * docs/contest-api.md */
#include "api/api_handlers.h"
#include "api/api_track_json.h"
#include "base/date_text.h"
#include "base/mem.h"
#include "site/contest.h"
#include "site/track_door.h"
#include "site/track_entrant.h"
#include "site/track_view.h"
#include "store/db_row.h"

#define TOKEN_DAYS 60
#define DAY_MS     ((int64_t)24 * 3600 * 1000)

/* "contest.example.org" of the public URL: where agents come from outside. */
static Str public_host(const ApiVisit *visit)
{
    Str url = visit->site->settings->public_url;
    size_t at;

    if (str_find(url, STR("://"), &at))
        url = str_part(url, at + 3, SIZE_MAX);
    Str host = str_cut(&url, '/');
    return host.len && host.bytes[0] == '[' ? host : str_cut(&host, ':');
}

static TrackTurn turn_of(const ApiVisit *visit, const SiteRules *rules)
{
    return (TrackTurn){.db = visit->site->db,
                       .home = api_home(visit),
                       .rules = rules,
                       .state = visit->state,
                       .paused = visit->paused,
                       .host = visit->site->settings->listen_host,
                       .port = visit->site->settings->listen_port,
                       .now_ms = visit->now_ms};
}

int api_track_put_team(ApiVisit *visit, const SiteRules *rules, Json *json, Err *err)
{
    const TrackTurn turn = turn_of(visit, rules);

    return rules->natural_language ? track_team_write(&turn, visit->team, public_host(visit),
                                                      visit->japanese, json, err)
                                   : 0;
}

/* The track of a word of the path; refused when there is none. */
static int find_track(ApiVisit *visit, const SiteRules *rules, Str name, uint32_t *ret_track)
{
    const RulesTrack *track = contest_rules_track(rules, name);

    if (!track)
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    *ret_track = (uint32_t)(track - rules->tracks);
    return 0;
}

int api_track_waiting(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);
    const SiteRules *rules;
    uint32_t track;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = find_track(visit, rules, visit->words[1], &track);
    if (rc)
        return rc;
    const TrackTurn turn = turn_of(visit, rules);
    json_open(&json, '{');
    rc = track_waiting_write(&turn, visit->words[1], &json, err);
    json_close(&json);
    return rc;
}

/* ---- a team's ---- */

/* Moments of "away": {"from","to"}, RFC 3339; both missing: none any more. */
static int read_away(ApiVisit *visit, const json_t *away, int64_t *ret_from, int64_t *ret_to)
{
    Str from = json_text(away, "from"), to = json_text(away, "to");

    *ret_from = *ret_to = 0;
    if (!from.len && !to.len)
        return 0;
    return date_text_read(from, ret_from) && date_text_read(to, ret_to)
               ? 0
               : api_refuse(visit, REFUSE_FIELD, "away", "away: from and to as RFC 3339");
}

int api_track_enter(ApiVisit *visit, Err *err)
{
    const json_t *away = visit->body ? json_get(visit->body, "away") : NULL;
    const json_t *entered = visit->body ? json_get(visit->body, "entered") : NULL;
    Str track = visit->words[2];
    const SiteRules *rules;
    int64_t from = 0, to = 0;
    bool enters = true, open = visit->state == LIFE_OPEN;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0 && entered && !json_as_bool(entered, &enters))
        rc = api_refuse(visit, REFUSE_FIELD, "entered", NULL);
    if (rc == 0 && entered)
        rc = enters
                 ? track_enter(visit->site->db, rules, visit->team, track, open, visit->now_ms, err)
                 : track_leave(visit->site->db, visit->team, track, open, err);
    if (rc == 0 && away)
        rc = read_away(visit, away, &from, &to);
    return rc == 0 && away ? track_set_away(visit->site->db, visit->team, track, from, to, err)
                           : rc;
}

int api_track_make_token(ApiVisit *visit, Str track, Err *err)
{
    CLEANUP(buf_done) Buf token = {0};
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf url = {0};
    Json json = json_over(&visit->out);
    const ContestHome home = api_home(visit);
    int64_t ends = visit->now_ms + TOKEN_DAYS * DAY_MS;
    const SiteRules *rules;
    uint32_t number = 0;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = find_track(visit, rules, track, &number);
    if (rc == 0)
        rc = db_ask_text(visit->site->db, &name, NULL, err, "SELECT name FROM team WHERE id = ?1",
                         "i", visit->team);
    if (rc == 0)
        rc = track_token(&home, track, buf_str(&name), visit->now_ms, ends, &token, err);
    if (rc)
        return rc;
    const TrackTurn turn = turn_of(visit, rules);
    const Str host = public_host(visit);
    buf_printf(&url, "ws://%.*s:%u/ws", STR_ARG(host), track_port(&turn, number));
    visit->status = 201;
    json_open(&json, '{');
    json_add_str(&json, "token", buf_str(&token));
    if (track_port(&turn, number))
        json_add_str(&json, "url", buf_str(&url));
    api_add_date(&json, "ends", ends);
    json_close(&json);
    return 0;
}
