/* O8 and O10: every route of the table, by everybody, in a contest of theirs and in another one. */
#include "api_cup.h"

#include "api/api_routes.h"

typedef struct Actor {
    const char *name;
    unsigned server;            /* what it is to the whole server */
    unsigned cup;               /* to the contest `cup` */
    unsigned team;              /* to its team `wits` and what that owns */
    unsigned sheet;             /* to sheet 1 of the contest `cup` */
    unsigned other, other_team; /* to the contest `other`, its team `aces` */
    char cookie[SECRET_TEXT_BYTES];
    char token[4][SECRET_TEXT_BYTES];
    int64_t id;
} Actor;

enum {
    NOBODY,
    STRANGER,
    MEMBER,
    CAPTAIN,
    JUDGE,
    JUDGE_2,
    ORGANISER,
    ADMIN,
    OTHER_ORGANISER,
    OTHER_CAPTAIN,
    ALL,
    ACTORS
};

static Actor actors[ACTORS] = {
    [NOBODY] = {.name = "nobody"},
    [STRANGER] = {.name = "stranger"},
    [MEMBER] = {.name = "member", .team = IS_MEMBER},
    [CAPTAIN] = {.name = "captain", .team = IS_MEMBER | IS_CAPTAIN},
    [JUDGE] = {.name = "judge", .cup = IS_JUDGE, .sheet = IS_JUDGE},
    [JUDGE_2] = {.name = "judge2", .cup = IS_JUDGE},
    [ORGANISER] = {.name = "organiser", .cup = IS_ORGANISER},
    [ADMIN] = {.name = "admin", .server = IS_ADMIN},
    [OTHER_ORGANISER] = {.name = "organiser2", .other = IS_ORGANISER},
    [OTHER_CAPTAIN] = {.name = "captain2", .other_team = IS_MEMBER | IS_CAPTAIN},
    [ALL] = {.name = "everything",
             .server = IS_ADMIN,
             .cup = IS_ORGANISER | IS_JUDGE,
             .other = IS_ORGANISER | IS_JUDGE,
             .team = IS_MEMBER | IS_CAPTAIN},
};

/* What a path's words stand for, in `cup` and in `other`. */
typedef struct Things {
    char team[24], version[24], finding[24], sheet[24], game[24], job[40], account[24];
} Things;

typedef struct Stage {
    Host *host;
    Things own, other;
} Stage;

/* ---- the stage ---- */

static void fill_things(const Host *host, const char *contest, const char *team, int64_t judge,
                        Things *things)
{
    char sql[500];
    long long c, t;

    snprintf(sql, sizeof(sql), "SELECT id FROM contest WHERE name = '%s'", contest);
    c = host_number(host, sql);
    snprintf(sql, sizeof(sql), "SELECT id FROM team WHERE name = '%s'", team);
    t = host_number(host, sql);
    snprintf(sql, sizeof(sql),
             "INSERT INTO version(team, number, language, entry, state, at) VALUES(%lld, 1, "
             "'python', 'a.py', 'RECEIVED', 1)",
             t);
    must_sql(host, sql);
    snprintf(things->version, sizeof(things->version), "%lld",
             (long long)host_number(host, "SELECT max(id) FROM version"));
    snprintf(
        sql, sizeof(sql),
        "INSERT INTO finding(contest, team, rule, at, state, text) VALUES(%lld, %lld, 'write', "
        "1, 'STRIKE', 'x')",
        c, t);
    must_sql(host, sql);
    snprintf(things->finding, sizeof(things->finding), "%lld",
             (long long)host_number(host, "SELECT max(id) FROM finding"));
    snprintf(sql, sizeof(sql),
             "INSERT INTO run(contest, stage, part, round, folder, games, counted) VALUES(%lld, "
             "'preliminary', 0, 0, 'play', 1, 1)",
             c);
    must_sql(host, sql);
    must_sql(host, "INSERT INTO game(run, set_number, game, ended, winner, counted, log) SELECT "
                   "max(id), 0, 0, 5, 'VILLAGER', 1, 'logs/0.log' FROM run");
    snprintf(things->game, sizeof(things->game), "%lld",
             (long long)host_number(host, "SELECT max(id) FROM game"));
    snprintf(sql, sizeof(sql),
             "INSERT INTO sheet(contest, track, game, criteria, judge, seats, state, at) "
             "VALUES(%lld, 't', %s, 'A', %lld, '1 2 3 4 5', 'NEW', 1)",
             c, things->game, (long long)judge);
    must_sql(host, sql);
    snprintf(things->sheet, sizeof(things->sheet), "%lld",
             (long long)host_number(host, "SELECT max(id) FROM sheet"));
    snprintf(things->job, sizeof(things->job), "01J%s", contest);
    snprintf(sql, sizeof(sql),
             "INSERT INTO job(id, contest, kind, spec, state, created) VALUES('%s', %lld, 'audit', "
             "'{}', 'DONE', 1)",
             things->job, c);
    must_sql(host, sql);
    snprintf(things->team, sizeof(things->team), "%s", team);
    snprintf(things->account, sizeof(things->account), "%lld", (long long)judge);
}

static void give_roles(const Host *host, const Actor *actor)
{
    static const struct {
        unsigned relation;
        SiteRole role;
    } roles[] = {{IS_ORGANISER, ROLE_ORGANISER}, {IS_JUDGE, ROLE_JUDGE}};
    int64_t cup = host_number(host, "SELECT id FROM contest WHERE name = 'cup'");
    int64_t other = host_number(host, "SELECT id FROM contest WHERE name = 'other'");

    for (size_t i = 0; i < 2; i++) {
        if (actor->cup & roles[i].relation)
            assert_int_equal(site_role_give(host->db, actor->id, cup, roles[i].role, NULL), 0);
        if (actor->other & roles[i].relation)
            assert_int_equal(site_role_give(host->db, actor->id, other, roles[i].role, NULL), 0);
    }
    if (actor->server & IS_ADMIN)
        assert_int_equal(site_role_give(host->db, actor->id, ROLE_SERVER, ROLE_ADMIN, NULL), 0);
}

/* Logins end with a new role: they begin behind it. */
static void begin_logins(const Host *host, Actor *actor)
{
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(
            api_token_make(host->db, &(ApiTokenSetup){actor->id, STR("t"), 1U << i, 0, INT64_MAX},
                           actor->token[i], NULL),
            0);
    assert_int_equal(
        login_begin(host->db, actor->id, STR("192.0.2.1"), loop_date_ms(), actor->cookie, NULL), 0);
}

static void stage_set_up(Stage *stage, Host *host)
{
    int64_t wits, aces;

    stage->host = host;
    host_start(host);
    cup_make(host, "cup");
    cup_make(host, "other");
    cup_open(host, "cup");
    cup_open(host, "other");
    for (int i = STRANGER; i < ACTORS; i++)
        actors[i].id = host_account(host, actors[i].name, actors[i].cookie);
    cup_team(host, "cup", "wits", actors[CAPTAIN].cookie);
    cup_team(host, "other", "aces", actors[OTHER_CAPTAIN].cookie);
    wits = host_number(host, "SELECT id FROM team WHERE name = 'wits'");
    aces = host_number(host, "SELECT id FROM team WHERE name = 'aces'");
    (void)aces;
    assert_int_equal(team_join(host->db, wits, actors[MEMBER].id, 9, NULL), 0);
    assert_int_equal(team_join(host->db, wits, actors[ALL].id, 9, NULL), 0);
    assert_int_equal(team_set_captain(host->db, wits, actors[ALL].id, true, NULL), 0);
    fill_things(host, "cup", "wits", actors[JUDGE].id, &stage->own);
    fill_things(host, "other", "aces", actors[JUDGE].id, &stage->other);
    for (int i = STRANGER; i < ACTORS; i++) {
        give_roles(host, &actors[i]);
        begin_logins(host, &actors[i]);
    }
}

/* ---- paths ---- */

static const char *word_of(const ApiRoute *route, const Things *things)
{
    switch (route->object) {
    case OBJECT_TEAM:
        return things->team;
    case OBJECT_VERSION:
        return things->version;
    case OBJECT_FINDING:
    case OBJECT_APPEAL:
        return things->finding;
    case OBJECT_SHEET:
        return things->sheet;
    case OBJECT_GAME:
        return things->game;
    case OBJECT_JOB:
        return things->job;
    case OBJECT_SITE:
    case OBJECT_SELF:
    case OBJECT_CONTEST:
    default:
        return things->account;
    }
}

static void fill_path(const ApiRoute *route, const char *contest, const Things *things, Buf *path)
{
    Str form = str_of(route->path);
    unsigned words = 0;
    bool inside = route->object != OBJECT_SITE && route->object != OBJECT_SELF;

    while (form.len) {
        Str part = str_cut(&form, '/');
        if (path->len)
            buf_add_char(path, '/');
        if (!str_eq(part, STR(":")))
            buf_add(path, part);
        else if (inside && words++ == 0)
            buf_add(path, str_of(contest));
        else if (words <= 2)
            buf_add(path, str_of(words++ == 2 || !inside ? word_of(route, things)
                                                         : word_of(route, things)));
        else
            buf_add(path, STR("1"));
    }
}

static unsigned relations_of(const Actor *actor, const ApiRoute *route, bool own)
{
    unsigned relations = IS_ANYBODY | actor->server;

    if (actor->id)
        relations |= IS_LOGGED_IN;
    if (actor->id && route->object == OBJECT_SELF)
        relations |= IS_SELF;
    if (route->object == OBJECT_SITE || route->object == OBJECT_SELF)
        return relations;
    relations |= own ? actor->cup : actor->other;
    if (route->object == OBJECT_SHEET)
        relations = (relations & ~(unsigned)IS_JUDGE) | (own ? actor->sheet : 0);
    if (route->object == OBJECT_TEAM || route->object == OBJECT_VERSION ||
        route->object == OBJECT_FINDING || route->object == OBJECT_APPEAL)
        relations |= own ? actor->team : actor->other_team;
    return relations;
}

/* What is decided by `publish`, not by who asks alone. */
static bool is_published(const ApiRoute *route)
{
    return strcmp(route->path, "contests/:/games/:/log") == 0 ||
           strcmp(route->path, "contests/:/games/:/doc") == 0 ||
           strcmp(route->path, "contests/:/games/:/exchange") == 0;
}

static bool is_stream(const ApiRoute *route)
{
    return strcmp(route->path, "contests/:/events") == 0;
}

/* ---- O10 ---- */

/* A body that is no object: whoever may is told so, and nothing happens. */
static void ask_route(const Stage *stage, const ApiRoute *route, const char *path,
                      const Asker *asker, Reply *answer)
{
    CLEANUP(buf_done) Buf file = {0};
    Asker who = *asker;

    if (route->flags & ROUTE_FILE) {
        who.type = "application/octet-stream";
        for (int i = 0; i < 100001; i++)
            buf_add_char(&file, 'x');
        host_ask_with(stage->host, route->method, path, &who, buf_str(&file), answer);
    } else {
        host_ask(stage->host, route->method, path, &who, strcmp(route->method, "GET") ? "[]" : "",
                 answer);
    }
}

/* Things of others that somebody may not know of. */
static bool is_hidden(const ApiRoute *route, unsigned relations)
{
    if (route->object == OBJECT_VERSION)
        return !(relations & (IS_MEMBER | IS_ORGANISER));
    if (route->object == OBJECT_FINDING || route->object == OBJECT_APPEAL)
        return !(relations & (IS_MEMBER | IS_ORGANISER | IS_ADMIN));
    return route->object == OBJECT_SHEET && !(relations & IS_JUDGE);
}

/* The answer is that of a number which nothing has. */
static void check_hidden(const Stage *stage, const ApiRoute *route, const char *contest,
                         const Asker *asker, const Reply *answer)
{
    static const Things none = {.version = "999999", .finding = "999999", .sheet = "999999"};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(answer_done) Reply other = {0};

    fill_path(route, contest, &none, &path);
    ask_route(stage, route, buf_cstr(&path), asker, &other);
    if (answer->status != other.status || !str_eq(buf_str(&answer->body), buf_str(&other.body)))
        fail_msg("%s %s: %u where there is none, else %u: %s", route->method, buf_cstr(&path),
                 other.status, answer->status, buf_cstr(&answer->body));
}

static void check_route(const Stage *stage, const ApiRoute *route, const Actor *actor, bool own,
                        const Asker *asker, unsigned scopes)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(answer_done) Reply answer = {0};
    bool may = site_may(route->verb, relations_of(actor, route, own), scopes);

    if (!actor->id && route->flags & ROUTE_REGISTERS)
        may = true;
    fill_path(route, own ? "cup" : "other", own ? &stage->own : &stage->other, &path);
    ask_route(stage, route, buf_cstr(&path), asker, &answer);
    bool hidden = is_hidden(route, relations_of(actor, route, own));
    bool was = answer.status != 401 && answer.status != 403 && !(hidden && answer.status == 404);
    if (hidden)
        check_hidden(stage, route, own ? "cup" : "other", asker, &answer);
    bool broke = answer.status >= 500 && strcmp(route->path, "ready") != 0; /* no runner is here */
    if (was != may || broke)
        fail_msg("%s, scopes %x: %s %s: %u, expected that it %s: %s", actor->name, scopes,
                 route->method, buf_cstr(&path), answer.status, may ? "may" : "may not",
                 buf_cstr(&answer.body));
}

static void everybody_may_what_the_table_says_and_no_more(void **state)
{
    Stage stage;
    size_t count;
    const ApiRoute *routes = api_routes(&count);

    stage_set_up(&stage, *state);
    for (size_t r = 0; r < count; r++) {
        const ApiRoute *route = &routes[r];
        if (is_published(route) || is_stream(route))
            continue;
        for (int i = 0; i < ACTORS; i++) {
            Asker asker = {.cookie = actors[i].cookie};
            for (int own = 0; own < 2; own++)
                check_route(&stage, route, &actors[i], own, &asker, SCOPE_ALL);
        }
    }
    host_end(stage.host);
}

/* What a body or a path names is of the contest of the path, or it is not there. */
static void an_organiser_acts_in_one_contest_alone(void **state)
{
    Stage stage;
    CLEANUP(answer_done) Reply answer = {0};
    char bodies[3][120], paths[2][100];

    stage_set_up(&stage, *state);
    must_sql(stage.host, "INSERT INTO appeal(team, about, text, state, opened) SELECT id, 'rank', "
                         "'x', 'OPEN', 1 FROM team WHERE name = 'wits'");
    must_sql(stage.host, "UPDATE version SET state = 'ACTIVE'");
    must_sql(stage.host, "UPDATE job SET state = 'FAILED'");
    const Asker other = {.cookie = actors[OTHER_ORGANISER].cookie};
    const Asker own = {.cookie = actors[ORGANISER].cookie};
    snprintf(bodies[0], sizeof(bodies[0]),
             "{\"finding\":\"%s\",\"decision\":\"eliminate\",\"reason\":\"x\"}", stage.own.finding);
    snprintf(bodies[1], sizeof(bodies[1]),
             "{\"appeal\":\"%lld\",\"decision\":\"dismiss\",\"reason\":\"x\"}",
             (long long)host_number(stage.host, "SELECT max(id) FROM appeal"));
    snprintf(bodies[2], sizeof(bodies[2]),
             "{\"version\":\"%s\",\"decision\":\"suspend\",\"reason\":\"x\"}", stage.own.version);
    for (size_t i = 0; i < 3; i++)
        host_must(stage.host, 404, "POST", "contests/other/rulings", &other, bodies[i], &answer);
    for (size_t i = 0; i < 2; i++) {
        snprintf(paths[i], sizeof(paths[i]), "contests/other/jobs/%s/%s", stage.own.job,
                 i ? "stop" : "retry");
        host_must(stage.host, 404, "POST", paths[i], &other, "{}", &answer);
    }
    assert_int_equal(host_number(stage.host, "SELECT count(*) FROM ruling"), 0);
    assert_int_equal(
        host_number(stage.host, "SELECT count(*) FROM version WHERE state <> 'ACTIVE'"), 0);
    assert_int_equal(host_number(stage.host, "SELECT count(*) FROM job WHERE state <> 'FAILED'"),
                     0);
    /* The same, by the right one. */
    host_must(stage.host, 200, "POST", "contests/cup/rulings", &own, bodies[2], &answer);
    host_end(stage.host);
}

static void a_token_may_what_its_scope_says(void **state)
{
    static const int who[] = {CAPTAIN, JUDGE, ORGANISER, ADMIN, ALL};
    Stage stage;
    size_t count;
    const ApiRoute *routes = api_routes(&count);

    stage_set_up(&stage, *state);
    for (size_t r = 0; r < count; r++) {
        if (is_published(&routes[r]) || is_stream(&routes[r]))
            continue;
        for (size_t i = 0; i < sizeof(who) / sizeof(who[0]); i++)
            for (unsigned scope = 0; scope < 4; scope++) {
                Asker asker = {.token = actors[who[i]].token[scope], .origin = ""};
                check_route(&stage, &routes[r], &actors[who[i]], true, &asker, 1U << scope);
            }
    }
    host_end(stage.host);
}

/* ---- O8 ---- */

static void no_change_comes_from_a_page_of_others(void **state)
{
    static const struct {
        const char *what, *csrf, *origin, *type;
    } tries[] = {
        {"without a token", "", NULL, NULL},
        {"with another one's token",
         "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", NULL, NULL},
        {"of a foreign page", NULL, "https://evil.example.org", NULL},
        {"of a page that hides", NULL, "null", NULL},
        {"of a page below ours", NULL, HOST_URL ".evil.example.org", NULL},
        {"without an origin", NULL, "", NULL},
        {"as a form", NULL, NULL, "application/x-www-form-urlencoded"},
        {"as a form with files", NULL, NULL, "multipart/form-data; boundary=x"},
        {"as plain text", NULL, NULL, "text/plain"},
    };
    char before[SHA256_HEX_BYTES], after[SHA256_HEX_BYTES];
    Stage stage;
    size_t count;
    const ApiRoute *routes = api_routes(&count);

    stage_set_up(&stage, *state);
    host_settle(stage.host, before);
    for (size_t r = 0; r < count; r++) {
        const ApiRoute *route = &routes[r];
        CLEANUP(buf_done) Buf path = {0};
        fill_path(route, "cup", &stage.own, &path);
        for (size_t i = 0; strcmp(route->method, "GET") && i < sizeof(tries) / sizeof(tries[0]);
             i++) {
            CLEANUP(answer_done) Reply answer = {0};
            Asker asker = {.cookie = actors[ALL].cookie,
                           .csrf = tries[i].csrf,
                           .origin = tries[i].origin,
                           .type = tries[i].type               ? tries[i].type
                                   : route->flags & ROUTE_FILE ? "application/octet-stream"
                                                               : NULL};
            host_ask(stage.host, route->method, buf_cstr(&path), &asker,
                     "{\"paused\":true,\"reason\":\"x\",\"to\":\"CANCELLED\",\"password\":"
                     "\"" HOST_PASSWORD "\"}",
                     &answer);
            if (answer.status != 403)
                fail_msg("%s %s %s: %u", route->method, buf_cstr(&path), tries[i].what,
                         answer.status);
        }
    }
    host_digest(stage.host, after);
    assert_string_equal(before, after);
    for (size_t r = 0; r < count; r++) { /* and what only reads changes nothing */
        CLEANUP(buf_done) Buf path = {0};
        CLEANUP(answer_done) Reply answer = {0};
        Asker asker = {.cookie = actors[ALL].cookie};
        if (strcmp(routes[r].method, "GET") != 0 || is_stream(&routes[r]))
            continue;
        fill_path(&routes[r], "cup", &stage.own, &path);
        host_ask(stage.host, "GET", buf_cstr(&path), &asker, "", &answer);
    }
    host_digest(stage.host, after);
    assert_string_equal(before, after);
    host_end(stage.host);
}

/* ---- O45 ---- */

/* Every secret that the site has, a line each: as it is, and as hexadecimal digits. */
static void list_secrets(const Stage *stage, Buf *out)
{
    char command[300], line[256];

    for (int i = STRANGER; i < ACTORS; i++) {
        buf_printf(out, "%s\n", actors[i].cookie);
        for (int j = 0; j < 4; j++)
            buf_printf(out, "%s\n", actors[i].token[j] + 4);
    }
    buf_printf(out, "$y$\n" HOST_PASSWORD "\nplanted-hook-secret\nplanted-reset-link\n");
    snprintf(command, sizeof(command),
             "find '%s/secrets' '%s/contests' -path '*secret*' -type f -exec sh -c 'od -An -v -tx1 "
             "\"$1\" | tr -d \" \"; grep -aE \"^[0-9a-f]{64}\" \"$1\"' x {} \\;",
             stage->host->data, stage->host->data);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    unsigned lines = 0;
    while (fgets(line, sizeof(line), pipe)) {
        buf_add(out, str_of(line));
        lines += strlen(line) > 32;
    }
    pclose(pipe);
    assert_true(lines >= 8); /* two for each of two stages, of testing and of judging */
}

static void plant_secrets(const Stage *stage)
{
    must_sql(stage->host, "UPDATE team SET hook_secret = 'planted-hook-secret', webhook = "
                          "'https://hooks.example.org/x' WHERE name = 'wits'");
    must_sql(stage->host,
             "INSERT INTO notice(account, channel, kind, body, due) SELECT id, 'mail', "
             "'reset', '{\"link\":\"https://x/reset/planted-reset-link\"}', 1 FROM account");
    must_sql(stage->host, "UPDATE account SET hash = '$y$j9T$planted'");
}

static void ask_for_secrets(const Stage *stage, const ApiRoute *route, const Actor *actor,
                            Str secrets)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(answer_done) Reply answer = {0};
    const Asker asker = {.cookie = actor->cookie, .local = !actor->id};

    if (is_stream(route))
        return;
    fill_path(route, "cup", &stage->own, &path);
    ask_route(stage, route, buf_cstr(&path), &asker, &answer);
    while (secrets.len) {
        CLEANUP(buf_done) Buf secret = {0};
        buf_add(&secret, str_cut(&secrets, '\n'));
        if ((secret.len > 16 || secret.bytes[0] == '$') &&
            strstr(buf_cstr(&answer.body), buf_cstr(&secret)))
            fail_msg("%s %s tells %s: %s", route->method, buf_cstr(&path), buf_cstr(&secret),
                     buf_cstr(&answer.body));
    }
}

static void no_answer_has_a_secret(void **state)
{
    CLEANUP(buf_done) Buf secrets = {0};
    Stage stage;
    size_t count;
    const ApiRoute *routes = api_routes(&count);

    stage_set_up(&stage, *state);
    plant_secrets(&stage);
    list_secrets(&stage, &secrets);
    for (size_t r = 0; r < count; r++)
        for (int i = 0; i < ACTORS; i++)
            ask_for_secrets(&stage, &routes[r], &actors[i], buf_str(&secrets));
    host_end(stage.host);
}

/* Of a stage that is not over yet: what is drawn for it is nobody's, whatever the state. */
static void no_state_tells_the_secret_of_a_stage_to_come(void **state)
{
    static const char *const states[] = {"PRELIMINARY", "FINAL", "JUDGING"};
    static const int who[] = {NOBODY, CAPTAIN, ORGANISER};
    CLEANUP(buf_done) Buf secrets = {0};
    Stage stage;
    size_t count;
    const ApiRoute *routes = api_routes(&count);

    stage_set_up(&stage, *state);
    plant_secrets(&stage);
    list_secrets(&stage, &secrets);
    for (size_t s = 0; s < sizeof(states) / sizeof(states[0]); s++) {
        char sql[100];
        /* paused: the clock leaves it where it is */
        snprintf(sql, sizeof(sql), "UPDATE contest SET paused = 1, state = '%s'", states[s]);
        must_sql(stage.host, sql);
        for (size_t r = 0; r < count; r++)
            for (size_t i = 0; i < sizeof(who) / sizeof(who[0]); i++)
                if (routes[r].object != OBJECT_SITE && routes[r].object != OBJECT_SELF &&
                    strcmp(routes[r].method, "GET") == 0)
                    ask_for_secrets(&stage, &routes[r], &actors[who[i]], buf_str(&secrets));
    }
    host_end(stage.host);
}

/* ---- the document ---- */

/* A row of the document, "| `GET contests/C/teams/T` | ...", with ":" in place of single capitals.
 */
static bool read_row(Str line, Buf *row)
{
    Str rest = line, method, path;

    if (!str_starts(line, STR("| `")))
        return false;
    rest = str_part(rest, 3, SIZE_MAX);
    path = str_cut(&rest, '`');
    method = str_cut(&path, ' ');
    if (!path.len)
        return false;
    buf_clear(row);
    buf_printf(row, "%.*s ", STR_ARG(method));
    for (bool first = true; path.len; first = false) {
        Str part = str_cut(&path, '/');
        bool is_word = part.len == 1 && part.bytes[0] >= 'A' && part.bytes[0] <= 'Z';
        buf_printf(row, "%s%.*s", first ? "" : "/", STR_ARG(is_word ? STR(":") : part));
    }
    return true;
}

static void the_document_has_every_route_and_no_other(void **state)
{
    size_t count, found = 0;
    const ApiRoute *routes = api_routes(&count);
    const char *source = getenv("WARG_SOURCE");
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf row = {0};
    char line[8192];

    (void)state;
    assert_non_null(source);
    buf_printf(&path, "%s/docs/contest-api.md", source);
    FILE *file = fopen(buf_cstr(&path), "re");
    assert_non_null(file);
    bool *seen = mem_new(count * sizeof(*seen));
    while (fgets(line, sizeof(line), file)) {
        if (!read_row(str_of(line), &row))
            continue;
        size_t i = 0;
        for (; i < count; i++) {
            CLEANUP(buf_done) Buf own = {0};
            buf_printf(&own, "%s %s", routes[i].method, routes[i].path);
            if (str_eq(buf_str(&own), buf_str(&row)))
                break;
        }
        if (i == count)
            fail_msg("docs/contest-api.md: there is no route %s", buf_cstr(&row));
        found += !seen[i];
        seen[i] = true;
    }
    fclose(file);
    for (size_t i = 0; i < count; i++)
        if (!seen[i])
            fprintf(stderr, "docs/contest-api.md: no row for %s %s\n", routes[i].method,
                    routes[i].path);
    mem_free(seen);
    assert_int_equal(found, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(everybody_may_what_the_table_says_and_no_more),
        CASE(an_organiser_acts_in_one_contest_alone),
        CASE(a_token_may_what_its_scope_says),
        CASE(no_change_comes_from_a_page_of_others),
        CASE(no_state_tells_the_secret_of_a_stage_to_come),
        CASE(no_answer_has_a_secret),
        CASE(the_document_has_every_route_and_no_other),
    };

    return HOST_RUN(tests, true);
}
