#include "serve/api.h"

#include "base/metric_text.h"

/* ---- small things ---- */

void api_error(Buf *out, const char *what)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "error", str_of(what));
    json_close(&json);
}

bool api_games_of(Str word, ApiGames *ret_which)
{
    if (word.len == 0 || str_eq(word, STR("running")))
        *ret_which = API_RUNNING;
    else if (str_eq(word, STR("finished")))
        *ret_which = API_FINISHED;
    else if (str_eq(word, STR("all")))
        *ret_which = API_ALL;
    else
        return false;
    return true;
}

/* ---- the server ---- */

void api_health(Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "status", STR("ok"));
    json_add_str(&json, "version", STR(WARG_VERSION));
    json_close(&json);
}

unsigned api_ready(const Api *api, Buf *out)
{
    bool draining = nlp_hall_draining(api->hall);
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "status", draining ? STR("draining") : STR("ready"));
    if (nlp_hall_complete(api->hall) && !api->late)
        json_add_bool(&json, "complete", true);
    json_close(&json);
    return draining ? 503 : 200;
}

void api_ruleset(const Api *api, Buf *out)
{
    const Config *config = api->config;
    const RoleTable *roles = &config->rules.roles;
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_int(&json, "agent_count", config->agent_count);
    json_add_int(&json, "max_day", config->rules.end.max_day);
    json_add_bool(&json, "vote_visibility", config->rules.vote.visible);
    json_add_bool(&json, "is_optimize", config->matching.is_optimize);
    json_add_bool(&json, "self_match", config->matching.self_match);
    json_key(&json, STR("roles"));
    json_open(&json, '{');
    for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
        if (config->role_named[role])
            json_add_uint(&json, role_name(role), roles->counts[config->agent_count][role]);
    json_close(&json);
    json_close(&json);
}

/* ---- teams ---- */

static void put_team(Json *json, const TeamStatus *team)
{
    json_open(json, '{');
    json_add_str(json, "team", team->name);
    json_add_uint(json, "games", team->games);
    json_add_uint(json, "requests", team->requests);
    json_add_uint(json, "request_errors", team->request_errors);
    json_add_uint(json, "fatal_games", team->fatal_games);
    json_add_uint(json, "aborted_games", team->aborted_games);
    json_add_real(json, "failure_rate", team->failure_rate, 4);
    json_add_real(json, "weight", team->weight, 4);
    json_add_bool(json, "quarantined", team->quarantined);
    if (team->quarantined)
        json_add_int(json, "quarantined_until", team->quarantined_until_ms / 1000);
    json_add_uint(json, "quarantine_count", team->quarantine_count);
    json_add_uint(json, "active_games", team->active_games);
    if (team->last_seen_ms)
        json_add_int(json, "last_seen", team->last_seen_ms / 1000);
    json_close(json);
}

/* The reference's: how many matches of the schedule are decided. */
static void put_schedule(Json *json, const NlpCounts *counts)
{
    json_open(json, '{');
    json_add_uint(json, "done", counts->ended);
    json_add_uint(json, "total", counts->planned);
    json_close(json);
}

static unsigned no_health(Buf *out)
{
    api_error(out, "team_health is off in the configuration");
    return 404;
}

unsigned api_teams(const Api *api, Buf *out)
{
    const TeamHealth *health = nlp_hall_health(api->hall);
    TeamStatus team;

    if (!api->config->health.enable || !health)
        return no_health(out);
    Json json = json_over(out);
    json_open(&json, '{');
    json_key(&json, STR("teams"));
    json_open(&json, '[');
    for (uint32_t i = 0; team_health_at(health, i, api->now_ms, &team); i++)
        put_team(&json, &team);
    json_close(&json);
    if (nlp_hall_history(api->hall)) {
        NlpCounts counts = nlp_hall_counts(api->hall);
        json_key(&json, STR("progress"));
        put_schedule(&json, &counts);
    }
    json_close(&json);
    return 200;
}

unsigned api_team(const Api *api, Str name, Buf *out)
{
    const TeamHealth *health = nlp_hall_health(api->hall);
    TeamStatus team;

    if (!api->config->health.enable || !health)
        return no_health(out);
    if (!team_health_find(health, name, api->now_ms, &team)) {
        api_error(out, "no such team was here");
        return 404;
    }
    Json json = json_over(out);
    put_team(&json, &team);
    return 200;
}

/* ---- games ---- */

static void put_seats(Json *json, const NlpGame *game, bool masked)
{
    json_key(json, STR("agents"));
    json_open(json, '[');
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        const NlpSeatStatus *agent = &game->seats[seat];
        json_open(json, '{');
        json_add_uint(json, "idx", seat);
        if (!masked) {
            json_add_str(json, "team_name", agent->team);
            json_add_str(json, "original_name", agent->original);
        }
        json_add_str(json, "game_name", agent->name);
        if (!masked)
            json_add_str(json, "role", str_of(role_name(agent->role)));
        json_add_bool(json, "alive", masked ? agent->told_alive : agent->alive);
        if (!masked) /* who fails in the night has something to do there */
            json_add_bool(json, "errored", agent->errored);
        json_close(json);
    }
    json_close(json);
    json_key(json, STR("status_by_agent"));
    json_open(json, '{');
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        char key[4];
        snprintf(key, sizeof(key), "%u", seat);
        bool alive = masked ? game->seats[seat].told_alive : game->seats[seat].alive;
        json_add_str(json, key, alive ? STR("ALIVE") : STR("DEAD"));
    }
    json_close(json);
}

static void put_link(Json *json, const NlpGame *game, const char *what)
{
    char link[96];

    snprintf(link, sizeof(link), "/api/v1/games/%.*s/%s", STR_ARG(str_part(game->id, 0, 32)), what);
    json_add_str(json, what, str_of(link));
}

void api_put_game(Json *json, const ApiGame *shown)
{
    const NlpGame *game = shown->game;
    bool masked = shown->masked;

    json_open(json, '{');
    json_add_str(json, "id", game->id);
    json_add_uint(json, "day", game->day);
    json_add_bool(json, "finished", game->finished);
    json_add_str(json, "win_side", str_of(side_name(masked ? SIDE_NONE : game->winner)));
    put_seats(json, game, masked);
    json_add_uint(json, "number", game->number);
    json_add_bool(json, "aborted", game->aborted);
    if (game->made_void)
        json_add_bool(json, "void", true);
    json_add_int(json, "began", game->began_unix_ms / 1000);
    if (game->finished)
        json_add_int(json, "ended", game->ended_unix_ms / 1000);
    if (!masked) /* a stem has the teams in it */
        json_add_str(json, "filename", game->stem);
    if (!masked && shown->game_log)
        put_link(json, game, "log");
    if (!masked && shown->json_log)
        put_link(json, game, "json");
    json_close(json);
}

static void put_game(Json *json, const Api *api, const NlpGame *game)
{
    const ApiGame shown = {.game = game,
                           .masked = !api->full && !game->finished,
                           .game_log = api->config->game_logger.enable,
                           .json_log = api->config->json_logger.enable};

    api_put_game(json, &shown);
}

void api_games(const Api *api, ApiGames which, Buf *out)
{
    Json json = json_over(out);
    NlpGame game;

    json_open(&json, '{');
    json_key(&json, STR("games"));
    json_open(&json, '[');
    for (uint32_t i = 0; nlp_hall_game_at(api->hall, i, &game); i++) {
        if (which == API_RUNNING && game.finished)
            break; /* the running ones come first */
        if (which != API_FINISHED || game.finished)
            put_game(&json, api, &game);
    }
    json_close(&json);
    json_close(&json);
}

unsigned api_game(const Api *api, Str id, Buf *out)
{
    NlpGame game;

    if (!nlp_hall_game_find(api->hall, id, &game)) {
        api_error(out, "no such game is running, or was played of late");
        return 404;
    }
    Json json = json_over(out);
    put_game(&json, api, &game);
    return 200;
}

/* ---- who is here, how far it is ---- */

void api_waiting(const Api *api, Buf *out)
{
    Json json = json_over(out);
    NlpWaiting agent;
    Str team;

    json_open(&json, '{');
    json_key(&json, STR("waiting"));
    json_open(&json, '[');
    for (uint32_t i = 0; nlp_hall_waiting_at(api->hall, i, &agent); i++) {
        json_open(&json, '{');
        json_add_str(&json, "name", agent.name);
        json_add_str(&json, "team", agent.team);
        json_add_str(&json, "address", str_of(agent.address));
        json_add_int(&json, "since", agent.since_unix_ms / 1000);
        if (agent.left_out)
            json_add_bool(&json, "left_out", true);
        json_close(&json);
    }
    json_close(&json);
    json_key(&json, STR("awaited"));
    json_open(&json, '[');
    for (uint32_t i = 0; nlp_hall_awaited_at(api->hall, i, &team); i++)
        json_put_str(&json, team);
    json_close(&json);
    const History *history = nlp_hall_history(api->hall);
    if (history) /* teams that never came have no name yet */
        json_add_int(&json, "unnamed",
                     (int64_t)history_plan(history)->team_count - history_team_known(history));
    json_close(&json);
}

void api_progress(const Api *api, Buf *out)
{
    NlpCounts counts = nlp_hall_counts(api->hall);
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_bool(&json, "complete", nlp_hall_complete(api->hall));
    json_add_bool(&json, "draining", nlp_hall_draining(api->hall));
    if (operator_acts_held(nlp_hall_acts(api->hall)))
        json_add_bool(&json, "held", true);
    if (counts.skipped)
        json_add_uint(&json, "skipped", counts.skipped);
    if (nlp_hall_history(api->hall)) {
        json_key(&json, STR("schedule"));
        put_schedule(&json, &counts);
    }
    json_add_uint(&json, "connected", counts.open);
    json_add_uint(&json, "waiting", counts.waiting);
    json_add_uint(&json, "running", counts.games);
    json_add_uint(&json, "begun", counts.games_begun);
    json_key(&json, STR("ended"));
    json_open(&json, '{');
    json_add_uint(&json, "VILLAGER", counts.games_won[SIDE_VILLAGER]);
    json_add_uint(&json, "WEREWOLF", counts.games_won[SIDE_WEREWOLF]);
    json_add_uint(&json, "NONE", counts.games_won[SIDE_NONE]);
    json_add_uint(&json, "aborted", counts.games_aborted);
    json_close(&json);
    json_close(&json);
}

/* ---- metrics ---- */

#define PREFIX "warg_nlp_"

static void add_metric(Buf *out, const char *name, MetricKind kind, const char *help,
                       uint64_t value)
{
    metric_put(out, &(Metric){PREFIX, name, kind, help}, value);
}

static void add_games_ended(Buf *out, const NlpCounts *counts)
{
    const Metric ended = {
        PREFIX, "games_ended_total", METRIC_COUNTER,
        "Games that are over, by winner; NONE: the day limit; ABORTED: for errors."};

    metric_head(out, &ended);
    metric_value(out, &ended, "winner", "VILLAGER", counts->games_won[SIDE_VILLAGER]);
    metric_value(out, &ended, "winner", "WEREWOLF", counts->games_won[SIDE_WEREWOLF]);
    metric_value(out, &ended, "winner", "NONE", counts->games_won[SIDE_NONE]);
    metric_value(out, &ended, "winner", "ABORTED", counts->games_aborted);
}

void api_metrics(const Api *api, Buf *out)
{
    NlpCounts counts = nlp_hall_counts_ended(api->hall);
    const Metric info = {PREFIX, "info", METRIC_GAUGE, "The server; always 1."};

    metric_head(out, &info);
    metric_value(out, &info, "version", WARG_VERSION, 1);
    add_metric(out, "start_time_seconds", METRIC_GAUGE, "When the server started, in unix seconds.",
               (uint64_t)(api->began_ms / 1000));
    add_metric(out, "connections_total", METRIC_COUNTER, "Agents that have connected.",
               counts.connections);
    add_metric(out, "agents_open", METRIC_GAUGE, "Agents connected now.", counts.open);
    add_metric(out, "agents_waiting", METRIC_GAUGE, "Agents in the waiting room now.",
               counts.waiting);
    add_metric(out, "http_connections_open", METRIC_GAUGE,
               "HTTP connections now, WebSockets included.", api->http_open);
    add_metric(out, "event_streams_open", METRIC_GAUGE, "Event streams now.", api->streams_open);
    add_metric(out, "requests_total", METRIC_COUNTER, "Packets sent to agents.", counts.requests);
    add_metric(out, "replies_total", METRIC_COUNTER, "Replies of agents in time.", counts.replies);
    add_metric(out, "request_errors_total", METRIC_COUNTER, "Requests without a usable reply.",
               counts.request_errors);
    add_metric(out, "late_replies_total", METRIC_COUNTER,
               "Replies that came too late, thrown away.", counts.late_replies);
    add_metric(out, "rejoins_total", METRIC_COUNTER, "Participants that took their seats back.",
               counts.rejoined);
    add_metric(out, "games_begun_total", METRIC_COUNTER, "Games that have begun.",
               counts.games_begun);
    add_metric(out, "games_running", METRIC_GAUGE, "Games under way now.", counts.games);
    add_games_ended(out, &counts);
    add_metric(out, "matches_planned", METRIC_GAUGE, "Matches of the schedule.", counts.planned);
    add_metric(out, "matches_ended", METRIC_GAUGE, "Matches of the schedule that are decided.",
               counts.ended);
    add_metric(out, "matches_left", METRIC_GAUGE, "Matches of the schedule still to play.",
               counts.scheduled);
    add_metric(out, "complete", METRIC_GAUGE, "1 when all scheduled matches have ended.",
               nlp_hall_complete(api->hall));
    add_metric(out, "matches_skipped", METRIC_GAUGE,
               "Matches still to play with a team that an operator has left out.", counts.skipped);
    add_metric(out, "games_void_total", METRIC_COUNTER,
               "Games that an operator made void when they were over.", counts.games_void);
    add_metric(out, "schedule_unsaved", METRIC_GAUGE,
               "1 while the schedule could not be written: no further game begins.",
               counts.unsaved);
    add_metric(out, "held", METRIC_GAUGE, "1 while an operator holds: no further game begins.",
               operator_acts_held(nlp_hall_acts(api->hall)));
    add_metric(out, "draining", METRIC_GAUGE, "1 while no further game begins.",
               nlp_hall_draining(api->hall));
}
