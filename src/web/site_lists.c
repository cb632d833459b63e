/* What is here: home, lists of games, sessions. */
#include "base/mem.h"
#include "web/log_peek.h"
#include "web/site_own.h"

#define HOME_GAMES  50
#define LIMIT_USUAL 100
#define LIMIT_MAX   500

/* What a list is asked for. Without pointers into the request: the answer may come later. */
typedef struct ListAsk {
    bool home;
    bool results; /* winners and lengths are told */
    bool operators;
    TimeUs now; /* when it is answered */
    size_t limit;
    Buf contest;
    Buf team;
    Buf after;
    Role role; /* ROLE_NONE = any */
    bool has_winner;
    Side winner;
    bool faults;
    uint16_t days_from, days_to; /* 0 = no end */
} ListAsk;

static void list_ask_done(ListAsk *ask)
{
    buf_done(&ask->contest);
    buf_done(&ask->team);
    buf_done(&ask->after);
}

/* ---- rows ---- */

/* What is known of a game that is listed. */
typedef struct Row {
    const CatalogueGame *game;
    const LogPeek *peek; /* of one that no journal tells of; NULL: nobody has read it */
} Row;

static const char *winner_word(Side side)
{
    return side == SIDE_OTHERS ? "FOX" : side_name(side);
}

static const char *division_word(const Row *row)
{
    if (!row->game->told)
        return row->peek && row->peek->nlp ? "nlp" : "protocol";
    switch (row->game->division) {
    case DIVISION_NLP:
        return "nlp";
    case DIVISION_MAW:
        return "maw";
    case DIVISION_AIWOLF:
    case DIVISION_COUNT:
    default:
        return "protocol";
    }
}

static const char *status_word(const Row *row)
{
    if (row->game->told)
        return row->game->reason == END_ABORTED ? "aborted" : "finished";
    if (!row->peek || !row->peek->is_log)
        return "unknown";
    return row->peek->is_over ? "finished" : "truncated";
}

static void put_result(const Row *row, Json *json)
{
    bool told = row->game->told;
    bool over = told || (row->peek && row->peek->is_over);

    if (!over || (told && row->game->reason == END_ABORTED))
        return;
    json_add_str(json, "winner", str_of(winner_word(told ? row->game->winner : row->peek->winner)));
    json_add_uint(json, "days", told ? row->game->last_day : row->peek->last_day);
}

/* Teams, or agents where there are none, each once. */
static void put_teams(const WebSite *site, const Row *row, Json *json)
{
    const Catalogue *catalogue = site->shared->catalogue;
    const CatalogueGame *game = row->game;
    uint32_t told[SEAT_MAX + 1];
    unsigned count = 0;

    json_key(json, STR("teams"));
    json_open(json, '[');
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        CatalogueSeat own = catalogue_seat(catalogue, game, seat);
        uint32_t name = own.team ? own.team : own.agent;
        bool before = false;
        for (unsigned i = 0; i < count; i++)
            before |= told[i] == name;
        if (before)
            continue;
        told[count++] = name;
        json_put_str(json, catalogue_text(catalogue, name));
    }
    json_close(json);
}

static void put_row(const WebSite *site, const ListAsk *ask, const Row *row, Json *json)
{
    const Catalogue *catalogue = site->shared->catalogue;
    const CatalogueGame *game = row->game;
    Str rules = catalogue_text(catalogue, game->ruleset);

    json_open(json, '{');
    json_add_str(json, "id", game->id);
    json_add_str(json, "name", game->name);
    json_add_str(json, "division", str_of(division_word(row)));
    json_add_str(json, "rules", rules.len ? rules : str_of(division_word(row)));
    json_add_uint(json, "players",
                  game->told  ? game->seat_count
                  : row->peek ? row->peek->seat_count
                              : 0);
    if (game->began_ms)
        json_add_int(json, "began_ms", game->began_ms);
    json_add_int(json, "at_ms", game->at_ms);
    json_add_str(json, "status", str_of(status_word(row)));
    if (game->contest != CATALOGUE_NONE && game->session == CATALOGUE_NONE) {
        json_add_str(json, "contest", catalogue_contest(catalogue, game->contest)->id);
        json_add_uint(json, "stage", game->stage);
        json_add_uint(json, "set", game->set);
        json_add_uint(json, "game", game->game);
    }
    if (game->session != CATALOGUE_NONE) {
        json_add_str(json, "session", catalogue_session(catalogue, game->session)->id);
        json_add_uint(json, "round", (uint64_t)game->round + 1);
    }
    if (game->is_void)
        json_add_bool(json, "void", true);
    if (game->told && game->faults)
        json_add_uint(json, "faults", game->faults);
    if (ask->results)
        put_result(row, json);
    if (game->told && game->seat_count && (!site_hides_seats(site) || ask->operators))
        put_teams(site, row, json);
    json_close(json);
}

/* ---- filters ---- */

static bool seat_fits(const WebSite *site, const ListAsk *ask, const CatalogueGame *game)
{
    const Catalogue *catalogue = site->shared->catalogue;
    Str team = buf_str(&ask->team);

    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        CatalogueSeat own = catalogue_seat(catalogue, game, seat);
        bool named = !team.len || str_eq(catalogue_text(catalogue, own.team), team) ||
                     str_eq(catalogue_text(catalogue, own.agent), team);
        if (named && (ask->role == ROLE_NONE || own.role == ask->role))
            return true;
    }
    return false;
}

/* Whether the game is one of those that are asked for. What is not told of it fits no filter. */
static bool game_fits(const WebSite *site, const ListAsk *ask, const CatalogueGame *game)
{
    Str contest = buf_str(&ask->contest);
    bool by_seat = ask->team.len || ask->role != ROLE_NONE;

    if (contest.len &&
        (game->contest == CATALOGUE_NONE ||
         !str_eq(catalogue_contest(site->shared->catalogue, game->contest)->id, contest)))
        return false;
    if (by_seat && !seat_fits(site, ask, game))
        return false;
    if (ask->faults && !(game->told && game->faults))
        return false;
    if (ask->has_winner && !(game->told && game->winner == ask->winner))
        return false;
    return (!ask->days_from || (game->told && game->last_day >= ask->days_from)) &&
           (!ask->days_to || (game->told && game->last_day <= ask->days_to));
}

/* Its end is told to everybody later. */
static bool is_withheld(const WebSite *site, const ListAsk *ask, const CatalogueGame *game)
{
    return site_withholds(site, ask->operators, game, ask->now);
}

/* The rows that are asked for: how many, and whether there are more. */
static size_t choose_rows(const WebSite *site, const ListAsk *ask, Row *rows, bool *ret_more)
{
    const Catalogue *catalogue = site->shared->catalogue;
    const CatalogueGame *after =
        ask->after.len ? catalogue_find(catalogue, buf_str(&ask->after)) : NULL;
    size_t count = 0, i = 0;

    *ret_more = false;
    if (after && is_withheld(site, ask, after)) /* as one that is none */
        after = NULL;
    while (after && i < catalogue_count(catalogue) && catalogue_game(catalogue, i) != after)
        i++;
    for (i += after != NULL; i < catalogue_count(catalogue); i++) {
        const CatalogueGame *game = catalogue_game(catalogue, i);
        if (!game_fits(site, ask, game) || is_withheld(site, ask, game))
            continue;
        if (count == ask->limit) {
            *ret_more = true;
            break;
        }
        rows[count++] =
            (Row){game, game->told ? NULL : log_peeks_find(site->peeks, catalogue, game)};
    }
    return count;
}

/* ---- answers ---- */

/* How many games of a contest, or of a session, are told later. They are the newest. */
static uint64_t count_withheld(const WebSite *site, const ListAsk *ask, uint32_t contest,
                               uint32_t session)
{
    const Catalogue *catalogue = site->shared->catalogue;
    const int64_t until = ask->operators ? INT64_MAX : site_told_until(site, ask->now);
    uint64_t count = 0;

    for (size_t i = 0; i < catalogue_count(catalogue); i++) {
        const CatalogueGame *game = catalogue_game(catalogue, i);
        if (game->at_ms <= until)
            break;
        count += contest != CATALOGUE_NONE ? game->contest == contest && !game->is_void
                                           : game->session == session;
    }
    return count;
}

/* How many games it is to have, and when they will have been played. Of games that are told later
 * their pace would tell. */
static void put_plan(const WebSite *site, const ListAsk *ask, const CatalogueContest *contest,
                     uint64_t later, Json *json)
{
    if (!contest->planned)
        return;
    json_add_uint(json, "planned", contest->planned);
    const int64_t left =
        later ? -1 : catalogue_time_left(contest, contest->games, site->setup.date_of(ask->now));
    if (left >= 0)
        json_add_int(json, "eta_ms", left);
}

static void put_contests(const WebSite *site, const ListAsk *ask, Json *json)
{
    const int64_t until = ask->operators ? INT64_MAX : site_told_until(site, ask->now);
    const Catalogue *catalogue = site->shared->catalogue;

    json_key(json, STR("contests"));
    json_open(json, '[');
    for (size_t i = 0; i < catalogue_contest_count(catalogue); i++) {
        const CatalogueContest *contest = catalogue_contest(catalogue, i);
        Row row = {.game = &(CatalogueGame){.told = true, .division = contest->division}};
        if (contest->division == DIVISION_MAW) /* it is told as its session */
            continue;
        json_open(json, '{');
        json_add_str(json, "id", contest->id);
        json_add_str(json, "name", contest->name);
        json_add_str(json, "division", str_of(division_word(&row)));
        const uint64_t later = count_withheld(site, ask, (uint32_t)i, CATALOGUE_NONE);
        json_add_uint(json, "played", contest->games > later ? contest->games - later : 0);
        json_add_bool(json, "complete", contest->complete && later == 0);
        put_plan(site, ask, contest, later, json);
        if (contest->ended_ms && contest->ended_ms <= until)
            json_add_int(json, "at_ms", contest->ended_ms);
        if (contest->trouble.len)
            json_add_str(json, "trouble", contest->trouble);
        json_close(json);
    }
    json_close(json);
}

static void put_sessions(const WebSite *site, const ListAsk *ask, Json *json)
{
    const int64_t until = ask->operators ? INT64_MAX : site_told_until(site, ask->now);
    const Catalogue *catalogue = site->shared->catalogue;

    json_key(json, STR("sessions"));
    json_open(json, '[');
    for (size_t i = 0; i < catalogue_session_count(catalogue); i++) {
        const CatalogueSession *session = catalogue_session(catalogue, i);
        json_open(json, '{');
        json_add_str(json, "id", session->id);
        json_add_str(json, "name", session->name);
        const uint64_t later = count_withheld(site, ask, CATALOGUE_NONE, (uint32_t)i);
        json_add_uint(json, "rounds", session->rounds > later ? session->rounds - later : 0);
        json_add_int(json, "at_ms", session->at_ms <= until ? session->at_ms : 0);
        json_close(json);
    }
    json_close(json);
}

static void put_home(WebSite *site, const WebVisit *visit, const ListAsk *ask, int64_t now_ms,
                     Json *json)
{
    bool opens = visit->is_operator || (visit->loopback && !site->setup.public_host_count);

    json_add_int(json, "now_ms", now_ms);
    json_add_bool(json, "operator", visit->is_operator);
    json_add_bool(json, "open", opens);
    if (site->live.home)
        site->live.home(site->live.user, visit, json);
    put_contests(site, ask, json);
    put_sessions(site, ask, json);
    uint64_t left_out = catalogue_left_out(site->shared->catalogue);
    if (left_out)
        json_add_uint(json, "left_out", left_out);
}

static void answer_list(WebSite *site, const WebVisit *visit, const ListAsk *ask, const Row *rows,
                        size_t count, bool more, int64_t now_ms)
{
    buf_clear(&site->body);
    Json json = json_over(&site->body);

    json_open(&json, '{');
    if (ask->home)
        put_home(site, visit, ask, now_ms, &json);
    json_key(&json, STR("games"));
    json_open(&json, '[');
    for (size_t i = 0; i < count; i++)
        put_row(site, ask, &rows[i], &json);
    json_close(&json);
    if (more && count)
        json_add_str(&json, "next", rows[count - 1].game->id);
    json_close(&json);
    /* The time makes home another each moment. */
    visit_json(visit, &site->body, ask->home || ask->operators ? VISIT_NEVER : VISIT_ASKS);
}

/* ---- logs that have to be read first ---- */

typedef struct PeekJob {
    WorkJob job;
    WebSite *site;
    SharedCatalogue *shared;
    WebVisit visit; /* its request is gone */
    ListAsk ask;
    const CatalogueGame **games;
    LogPeek *peeks;
    size_t count;
} PeekJob;

static void run_peeks(WorkJob *job)
{
    PeekJob *own = (PeekJob *)job;

    for (size_t i = 0; i < own->count; i++)
        log_peek_read(own->shared->catalogue, own->games[i], &own->peeks[i]);
}

static void peek_job_free(PeekJob *own)
{
    for (size_t i = 0; own->peeks && i < own->count; i++)
        log_peek_done(&own->peeks[i]);
    mem_free(own->peeks);
    mem_free(own->games);
    list_ask_done(&own->ask);
    shared_catalogue_leave(own->shared);
    mem_free(own);
}

static void choose_and_answer(WebSite *site, const WebVisit *visit, ListAsk *ask, TimeUs now,
                              bool may_read);

static void on_peeks_done(WorkJob *job, TimeUs now)
{
    PeekJob *own = (PeekJob *)job;

    for (size_t i = 0; i < own->count; i++)
        log_peeks_keep(own->site->peeks, own->shared->catalogue, own->games[i], &own->peeks[i]);
    choose_and_answer(own->site, &own->visit, &own->ask, now, false);
    peek_job_free(own);
}

static void on_peeks_drop(WorkJob *job)
{
    peek_job_free((PeekJob *)job);
}

/* Has the logs read of which nothing is known, and answers then. False when that can't be; `ask` is
 * taken otherwise. */
static bool read_first(WebSite *site, const WebVisit *visit, ListAsk *ask, const Row *rows,
                       size_t count)
{
    PeekJob *own = mem_new(sizeof(*own));

    if (!own)
        return false;
    own->job = (WorkJob){.run = run_peeks, .done = on_peeks_done, .drop = on_peeks_drop};
    own->site = site;
    own->shared = shared_catalogue_use(site->shared);
    own->visit = *visit;
    own->visit.request = NULL;
    own->games = mem_new((count + 1) * sizeof(const CatalogueGame *));
    own->peeks = mem_new((count + 1) * sizeof(*own->peeks));
    if (own->games && own->peeks) {
        for (size_t i = 0; i < count; i++)
            if (!rows[i].game->told && !rows[i].peek)
                own->games[own->count++] = rows[i].game;
        if (work_add(site->work, &own->job)) {
            own->ask = *ask;
            *ask = (ListAsk){0};
            return true;
        }
    }
    peek_job_free(own);
    return false;
}

static void choose_and_answer(WebSite *site, const WebVisit *visit, ListAsk *ask, TimeUs now,
                              bool may_read)
{
    CLEANUP(mem_freep) Row *rows = mem_new((ask->limit + 1) * sizeof(*rows));
    bool more = false, unread = false;

    if (!rows) {
        visit_error(visit, 503, "memory", "The server has no memory for this list.");
        return;
    }
    ask->now = now;
    size_t count = choose_rows(site, ask, rows, &more);
    for (size_t i = 0; i < count; i++)
        unread |= !rows[i].game->told && !rows[i].peek;
    if (!unread || !may_read || !read_first(site, visit, ask, rows, count))
        answer_list(site, visit, ask, rows, count, more, site->setup.date_of(now));
}

/* ---- what is asked ---- */

static void read_text(const WebVisit *visit, const char *name, Buf *out)
{
    web_query(visit->request, name, out);
}

static bool read_winner(const WebVisit *visit, ListAsk *ask)
{
    CLEANUP(buf_done) Buf value = {0};
    Str word = web_query(visit->request, "winner", &value);

    if (!word.len)
        return true;
    for (Side side = SIDE_NONE; side <= SIDE_OTHERS; side++)
        if (str_eq(word, str_of(winner_word(side)))) {
            ask->winner = side;
            ask->has_winner = true;
        }
    /* Who asks for winners is told them: without `results` nothing tells. */
    return ask->has_winner && ask->results;
}

/* "3" or "2-5". */
static bool read_days(const WebVisit *visit, ListAsk *ask)
{
    CLEANUP(buf_done) Buf value = {0};
    Str text = web_query(visit->request, "days", &value);
    uint64_t from, to;

    if (!text.len)
        return true;
    Str first = str_cut(&text, '-');
    if (!str_to_uint(first, UINT16_MAX, &from))
        return false;
    to = from;
    if (text.len && !str_to_uint(text, UINT16_MAX, &to))
        return false;
    ask->days_from = (uint16_t)from;
    ask->days_to = (uint16_t)to;
    return ask->results;
}

static bool read_role(const WebVisit *visit, ListAsk *ask)
{
    CLEANUP(buf_done) Buf value = {0};
    Str word = web_query(visit->request, "role", &value);

    ask->role = word.len ? role_of(word) : ROLE_NONE;
    return !word.len || ask->role != ROLE_NONE;
}

static void drop_ask(void *data)
{
    list_ask_done(data);
    mem_free(data);
}

static void answer_fresh(WebSite *site, const WebVisit *visit, void *data, TimeUs now)
{
    choose_and_answer(site, visit, data, now, true);
    drop_ask(data);
}

/* At once, or where games are over since the last look, when they are found. Empties the ask. */
static void answer_list_soon(WebSite *site, const WebVisit *visit, ListAsk *ask, TimeUs now)
{
    const bool waits = site_look_again(site, now) && site_is_stale(site);
    ListAsk *kept = waits ? mem_new(sizeof(*kept)) : NULL;

    if (kept && site_wait_for_list(site, visit, answer_fresh, drop_ask, kept)) {
        *kept = *ask;
        *ask = (ListAsk){0};
        return;
    }
    mem_free(kept);
    choose_and_answer(site, visit, ask, now, true);
}

void site_games(void *user, const WebVisit *visit)
{
    WebSite *site = user;
    CLEANUP(list_ask_done) ListAsk ask = {0};

    ask.results = visit_query_is(visit, "results", "1");
    ask.operators = visit->is_operator;
    ask.faults = visit_query_is(visit, "fault", "1") || visit_query_is(visit, "fault", "any");
    ask.limit = (size_t)visit_number(visit, "limit", LIMIT_MAX, LIMIT_USUAL);
    read_text(visit, "contest", &ask.contest);
    read_text(visit, "team", &ask.team);
    read_text(visit, "after", &ask.after);
    if (!read_role(visit, &ask) || !read_winner(visit, &ask) || !read_days(visit, &ask))
        visit_error(visit, 400, "filter",
                    "role is a role's name; winner (VILLAGER, WEREWOLF, FOX, NONE) and days (3 or "
                    "2-5) need results=1.");
    else if (ask.team.len && site_hides_seats(site) && !visit->is_operator)
        visit_error(visit, 403, "names", "The names of teams are hidden here.");
    else
        answer_list_soon(site, visit, &ask, visit->request->now);
}

void site_home(void *user, const WebVisit *visit)
{
    WebSite *site = user;
    CLEANUP(list_ask_done)
    ListAsk ask = {.home = true, .limit = HOME_GAMES, .operators = visit->is_operator};

    ask.results = visit_query_is(visit, "results", "1");
    answer_list_soon(site, visit, &ask, visit->request->now);
}

/* ---- sessions ---- */

typedef struct Player {
    uint32_t name;
    int64_t total;
} Player;

/* Players of a session with their points in each round. */
static void put_players(const Catalogue *catalogue, const CatalogueGame *const *rounds,
                        size_t count, Json *json)
{
    uint32_t told[256];
    size_t players = 0;

    json_key(json, STR("seats"));
    json_open(json, '[');
    for (size_t i = 0; i < count; i++) {
        for (SeatNo seat = 1; seat <= rounds[i]->seat_count; seat++) {
            uint32_t name = catalogue_seat(catalogue, rounds[i], seat).agent;
            bool before = players == sizeof(told) / sizeof(told[0]);
            for (size_t j = 0; j < players; j++)
                before |= told[j] == name;
            if (before)
                continue;
            told[players++] = name;
            int64_t total = 0;
            json_open(json, '{');
            json_add_str(json, "name", catalogue_text(catalogue, name));
            json_key(json, STR("points"));
            json_open(json, '[');
            for (size_t j = 0; j < count; j++) {
                bool sat = false;
                for (SeatNo own = 1; !sat && own <= rounds[j]->seat_count; own++) {
                    CatalogueSeat at = catalogue_seat(catalogue, rounds[j], own);
                    sat = at.agent == name;
                    if (sat) {
                        json_put_int(json, at.points);
                        total += at.points;
                    }
                }
                if (!sat)
                    json_put_null(json);
            }
            json_close(json);
            json_add_int(json, "total", total);
            json_close(json);
        }
    }
    json_close(json);
}

static void put_session(const WebSite *site, const WebVisit *visit, uint32_t index, Json *json)
{
    const Catalogue *catalogue = site->shared->catalogue;
    const CatalogueSession *session = catalogue_session(catalogue, index);
    const CatalogueGame *rounds[LIMIT_MAX];
    const ListAsk ask = {.results = visit_query_is(visit, "results", "1") ||
                                    !visit_query_is(visit, "results", "0"),
                         .operators = visit->is_operator,
                         .now = visit->request->now};
    size_t count = 0;

    for (size_t i = catalogue_count(catalogue); i > 0 && count < LIMIT_MAX; i--) {
        const CatalogueGame *game = catalogue_game(catalogue, i - 1);
        if (game->session == index && !is_withheld(site, &ask, game))
            rounds[count++] = game;
    }
    json_open(json, '{');
    json_add_str(json, "id", session->id);
    json_add_str(json, "name", session->name);
    json_key(json, STR("rounds"));
    json_open(json, '[');
    for (size_t i = 0; i < count; i++) {
        Row row = {.game = rounds[i]};
        json_open(json, '{');
        json_add_uint(json, "round", (uint64_t)rounds[i]->round + 1);
        json_add_str(json, "game", rounds[i]->id);
        json_add_str(json, "status", str_of(status_word(&row)));
        json_add_uint(json, "players", rounds[i]->seat_count);
        if (ask.results)
            put_result(&row, json);
        json_close(json);
    }
    json_close(json);
    if (ask.results)
        put_players(catalogue, rounds, count, json);
    json_close(json);
}

void site_session(void *user, const WebVisit *visit)
{
    WebSite *site = user;
    size_t index;

    (void)site_look_again(site, visit->request->now);
    if (!catalogue_find_session(site->shared->catalogue, visit->parts[0], &index)) {
        visit_error(visit, 404, "no-session", "No such session is here.");
        return;
    }
    buf_clear(&site->body);
    Json json = json_over(&site->body);
    put_session(site, visit, (uint32_t)index, &json);
    visit_json(visit, &site->body, VISIT_ASKS);
}
