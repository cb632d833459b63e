#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk/folder.h"
#include "results/html_check.h"
#include "results/results.h"
#include "web/contest_folder.h"
#include "web/contest_pages.h"
#include "wire/json_read.h"

#include <fcntl.h>
#include <unistd.h>

#define PAGE_BYTES_MAX 300000

typedef struct Fixture {
    char dir[40];
    ContestFigures *figures;
} Fixture;

static int make(void **state)
{
    Fixture *fixture = test_calloc(1, sizeof(*fixture));
    Err err = {0};

    snprintf(fixture->dir, sizeof(fixture->dir), "warg-contest-pages-XXXXXX");
    contest_folder_make(fixture->dir, 200);
    if (contest_figures_read(fixture->dir, NULL, &fixture->figures, &err))
        fail_msg("%s", err.msg);
    *state = fixture;
    return 0;
}

static int clear(void **state)
{
    Fixture *fixture = *state;

    contest_figures_free(fixture->figures);
    contest_folder_remove(fixture->dir);
    test_free(fixture);
    return 0;
}

/* ---- asking ---- */

static ContestAsk ask_of(ContestPage page, ContestForm form, const char *query)
{
    WebRequest request = {.query = str_of(query)};
    ContestAsk ask;

    contest_ask_read(&request, &ask);
    snprintf(ask.id, sizeof(ask.id), "cup");
    ask.page = page;
    if (form != CONTEST_HTML)
        ask.form = form;
    ask.now_ms = FOLDER_BEGAN + 1000000000;
    if (page == CONTEST_TEAM && !ask.team[0])
        snprintf(ask.team, sizeof(ask.team), "alice");
    return ask;
}

static void write_answer(const ContestFigures *figures, const ContestAsk *ask,
                         ContestAnswer *answer)
{
    Err err = {0};

    if (contest_pages_write(figures, ask, answer, &err))
        fail_msg("%s", err.msg);
}

/* Reads an answer in JSON; the caller gives it back. */
static json_t *read_json(const ContestAnswer *answer)
{
    json_t *json = NULL;
    Err err = {0};

    if (json_read(buf_str(&answer->body), answer->body.len, &json, &err))
        fail_msg("%s in %.300s", err.msg, answer->body.bytes);
    return json;
}

static json_t *ask_json(const ContestFigures *figures, ContestPage page, const char *query)
{
    CLEANUP(contest_answer_done) ContestAnswer answer = {0};
    const ContestAsk ask = ask_of(page, CONTEST_JSON, query);

    write_answer(figures, &ask, &answer);
    assert_int_equal(answer.status, 200);
    return read_json(&answer);
}

static bool has(const Buf *text, const char *part)
{
    return strstr(buf_cstr(text), part) != NULL;
}

/* ---- all pages ---- */

static void check_page(const Fixture *fixture, const ContestAsk *ask)
{
    CLEANUP(contest_answer_done) ContestAnswer answer = {0};

    write_answer(fixture->figures, ask, &answer);
    assert_int_equal(answer.status, 200);
    assert_true(answer.body.len < PAGE_BYTES_MAX);
    if (ask->form == CONTEST_JSON) {
        json_t *json = read_json(&answer);
        assert_true(json_is_list(json_get(json, "items")));
        json_done(json);
        return;
    }
    assert_null(strstr(buf_cstr(&answer.body), "nan"));
    if (ask->form == CONTEST_CSV)
        return;
    assert_html_balanced(buf_str(&answer.body));
    assert_false(has(&answer.body, "<script"));
    assert_false(has(&answer.body, " style=")); /* the policy forbids it */
    assert_false(has(&answer.body, "\xE2\x80\xAE"));
    assert_true(
        has(&answer.body, ask->language == REPORT_JAPANESE ? "lang=\"ja\"" : "lang=\"en\""));
}

static void every_page_is_whole_in_each_form_and_language(void **state)
{
    static const char *const queries[] = {"lang=en", "lang=ja&stage=0&results=1",
                                          "lang=en&results=1&sort=-rate&from=3"};

    for (ContestPage page = CONTEST_OVERVIEW; page < CONTEST_PAGES; page++)
        for (ContestForm form = CONTEST_HTML; form <= CONTEST_CSV; form++)
            for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
                const ContestAsk ask = ask_of(page, form, queries[i]);
                check_page(*state, &ask);
            }
}

static void every_agent_has_a_page(void **state)
{
    const Fixture *fixture = *state;
    const ContestStage *stage = contest_figures_stage(fixture->figures, -1);

    for (uint32_t i = 0; i < stage->data.agent_count; i++) {
        ContestAsk ask = ask_of(CONTEST_TEAM, CONTEST_HTML, "");
        snprintf(ask.team, sizeof(ask.team), "%s", stage->data.agents[i].name);
        check_page(fixture, &ask);
    }
}

/* An empty folder is left of what programs printed. */
static void output_that_is_no_longer_kept_is_told(void **state)
{
    static const char gone[] = "It is no longer kept.";
    const Fixture *fixture = *state;
    CLEANUP(contest_answer_done) ContestAnswer none = {0};
    CLEANUP(contest_answer_done) ContestAnswer kept = {0};
    CLEANUP(contest_answer_done) ContestAnswer swept = {0};
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf file = {0};
    const ContestAsk ask = ask_of(CONTEST_TEAM, CONTEST_HTML, "lang=en");

    write_answer(fixture->figures, &ask, &none);
    assert_false(has(&none.body, "What its program printed"));
    buf_printf(&folder, "%s/agents/alice", fixture->dir);
    buf_printf(&file, "%s/0-0001-01.txt", buf_cstr(&folder));
    assert_int_equal(folder_make(buf_str(&folder), NULL), 0);
    close(open(buf_cstr(&file), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    write_answer(fixture->figures, &ask, &kept);
    assert_true(has(&kept.body, "What its program printed"));
    assert_false(has(&kept.body, gone));
    assert_int_equal(folder_remove(buf_cstr(&folder), NULL), 0);
    write_answer(fixture->figures, &ask, &swept);
    assert_true(has(&swept.body, "What its program printed"));
    assert_true(has(&swept.body, gone));
}

static void what_is_not_there_is_told(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(contest_answer_done) ContestAnswer answer = {0};
    ContestAsk ask = ask_of(CONTEST_STANDINGS, CONTEST_HTML, "stage=5");

    write_answer(fixture->figures, &ask, &answer);
    assert_int_equal(answer.status, 404);
    assert_html_balanced(buf_str(&answer.body));
    ask = ask_of(CONTEST_STANDINGS, CONTEST_HTML, "stage=x");
    write_answer(fixture->figures, &ask, &answer);
    assert_int_equal(answer.status, 404);
    ask = ask_of(CONTEST_TEAM, CONTEST_JSON, "team=<nobody>");
    write_answer(fixture->figures, &ask, &answer);
    assert_int_equal(answer.status, 404);
    json_t *json = read_json(&answer);
    const json_t *error = json_get(json, "error");
    assert_true(str_eq(json_text(error, "code"), STR("no_team")));
    json_done(json);
}

/* ---- addresses ---- */

/* What is left of an ask behind its link. */
static ContestAsk through_link(const ContestAsk *ask)
{
    CLEANUP(buf_done) Buf link = {0};

    contest_ask_link(ask, "&", &link);
    Str rest = buf_str(&link);
    str_cut(&rest, '?');
    WebRequest request = {.query = rest};
    ContestAsk again;
    contest_ask_read(&request, &again);
    return again;
}

static void a_link_asks_the_same(void **state)
{
    static const char *const queries[] = {
        "",
        "lang=ja&stage=1&sort=-days&from=200&results=1",
        "team=%3Cscript%3E&against=a%2Fb%3Fc%3Dd%26e%23f&role=SEER",
        "winner=NONE&results=1&days=2-4&faults=failed&set=17",
        "days=3&faults=violation&winner=WEREWOLF",
        "days=-4",
        "days=5-",
        "refresh=30&faults=any",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        ContestAsk ask = ask_of(CONTEST_GAMES, CONTEST_HTML, queries[i]);
        ContestAsk again = through_link(&ask);
        memcpy(again.id, ask.id, sizeof(again.id));
        again.page = ask.page;
        again.now_ms = ask.now_ms;
        CLEANUP(buf_done) Buf first = {0};
        CLEANUP(buf_done) Buf second = {0};
        contest_ask_link(&ask, "&", &first);
        contest_ask_link(&again, "&", &second);
        assert_string_equal(buf_cstr(&first), buf_cstr(&second));
        assert_string_equal(ask.team, again.team);
        assert_int_equal(ask.days_from, again.days_from);
        assert_int_equal(ask.days_to, again.days_to);
        assert_int_equal(ask.faults, again.faults);
        assert_int_equal(ask.refresh, again.refresh);
        assert_int_equal(ask.has_winner, again.has_winner);
        assert_int_equal(ask.stage, again.stage);
    }
}

static void the_language_is_that_which_is_wanted_most(void **state)
{
    static const struct {
        const char *accepted;
        ReportLanguage language;
    } cases[] = {
        {"", REPORT_ENGLISH},
        {"ja", REPORT_JAPANESE},
        {"ja-JP,ja;q=0.9,en-US;q=0.8", REPORT_JAPANESE},
        {"en-GB,en;q=0.9,ja;q=0.8", REPORT_ENGLISH},
        {"de, JA;q=0.3", REPORT_JAPANESE},
        {"fr;q=1, en;q=0.2, ja;q=0.25", REPORT_JAPANESE},
        {"ja;q=0, en;q=0.1", REPORT_ENGLISH},
        {"jav, english", REPORT_ENGLISH},
        {"en, ja", REPORT_ENGLISH},
        {"ja, en", REPORT_JAPANESE},
        {"ja;q=", REPORT_ENGLISH},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (contest_language_of(str_of(cases[i].accepted)) != cases[i].language)
            fail_msg("'%s'", cases[i].accepted);
}

/* ---- games ---- */

/* Numbers of the games that a query of the page finds, through all its parts, newest first. */
static size_t page_games(const ContestFigures *figures, const char *query, int64_t *ret,
                         size_t room)
{
    CLEANUP(buf_done) Buf part = {0};
    size_t count = 0;

    for (uint32_t from = 0;; from += CONTEST_ROWS) {
        buf_clear(&part);
        buf_printf(&part, "%s%sfrom=%u", query, query[0] ? "&" : "", from);
        json_t *json = ask_json(figures, CONTEST_GAMES, buf_cstr(&part));
        const json_t *items = json_get(json, "items");
        for (size_t i = 0; i < json_count(items) && count < room; i++)
            ret[count++] = json_number(json_at(items, i), "game");
        bool more = json_get(json, "next") != NULL;
        assert_int_equal(more, count < (size_t)json_number(json, "total"));
        json_done(json);
        if (!more)
            return count;
    }
}

/* What SQL of its own finds. */
static size_t sql_games(const char *dir, const char *condition, int64_t *ret, size_t room)
{
    CLEANUP(buf_done) Buf sql = {0};
    CLEANUP(db_closep) Db *db = NULL;
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Err err = {0};
    size_t count = 0;

    buf_printf(&sql, "SELECT game FROM game AS g WHERE counts AND (%s) ORDER BY game DESC",
               condition);
    if (results_open(dir, &db, &err) || db_query(db, buf_cstr(&sql), &query, &err))
        fail_msg("%s", err.msg);
    while (count < room && db_step(query, &err) > 0)
        ret[count++] = db_int(query, 0);
    return count;
}

static void filters_find_what_sql_finds(void **state)
{
#define SEAT_OF(more) "EXISTS (SELECT 1 FROM seat AS s WHERE s.game_id = g.id AND " more ")"
#define SIDE(seat)    "(CASE WHEN " seat ".role IN ('WEREWOLF', 'POSSESSED') THEN 1 ELSE 0 END)"
    static const struct {
        const char *query;
        const char *condition;
    } cases[] = {
        {"stage=0", "stage = 0"},
        {"", "stage = 1"},
        {"stage=0&team=alice", "stage = 0 AND " SEAT_OF("s.agent = 'alice'")},
        {"stage=0&team=alice&role=WEREWOLF",
         "stage = 0 AND " SEAT_OF("s.agent = 'alice' AND s.role = 'WEREWOLF'")},
        {"stage=0&team=%3D1%2B1%2C%22x%22&results=1&winner=WEREWOLF",
         "stage = 0 AND winner = 'WEREWOLF' AND " SEAT_OF("s.agent = '=1+1,\"x\"'")},
        {"stage=0&results=1&winner=NONE", "stage = 0 AND winner = 'NONE'"},
        {"stage=0&results=1&days=3", "stage = 0 AND last_day = 3"},
        {"stage=0&results=1&days=2-4", "stage = 0 AND last_day BETWEEN 2 AND 4"},
        {"stage=0&results=1&days=5-", "stage = 0 AND last_day >= 5"},
        {"stage=0&results=1&days=-2", "stage = 0 AND last_day <= 2"},
        {"stage=0&faults=failed", "stage = 0 AND " SEAT_OF("s.failed")},
        {"stage=0&faults=any",
         "stage = 0 AND " SEAT_OF("s.failed + s.timeout + s.disconnect + s.malformed + s.early + "
                                  "s.violation > 0")},
        {"stage=0&faults=violation", "stage = 0 AND " SEAT_OF("s.violation > 0")},
        {"stage=0&set=7", "stage = 0 AND set_number = 7"},
        {"stage=0&team=nobody", "0"},
        {"stage=0&team=alice&against=bob",
         "stage = 0 AND EXISTS (SELECT 1 FROM seat AS a, seat AS b WHERE a.game_id = g.id AND "
         "b.game_id = g.id AND a.agent = 'alice' AND b.agent = 'bob' AND " SIDE("a") " <> " SIDE(
             "b") ")"},
        {"stage=0&team=alice&role=SEER&against=bob&results=1&winner=VILLAGER&days=2-",
         "stage = 0 AND winner = 'VILLAGER' AND last_day >= 2 AND EXISTS (SELECT 1 FROM seat AS a, "
         "seat AS b WHERE a.game_id = g.id AND b.game_id = g.id AND a.agent = 'alice' AND a.role = "
         "'SEER' AND b.agent = 'bob' AND " SIDE("a") " <> " SIDE("b") ")"},
        /* Without results these two tell nothing. */
        {"stage=0&winner=WEREWOLF&days=3", "stage = 0"},
    };
    const Fixture *fixture = *state;
    int64_t found[1000], wanted[1000];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t count = page_games(fixture->figures, cases[i].query, found, 1000);
        size_t all = sql_games(fixture->dir, cases[i].condition, wanted, 1000);
        if (count != all || memcmp(found, wanted, count * sizeof(found[0])) != 0)
            fail_msg("'%s' finds %zu games, SQL %zu", cases[i].query, count, all);
        if (i != 14 && count == 0)
            fail_msg("'%s' tests nothing", cases[i].query);
    }
}

static void games_are_sorted_by_link(void **state)
{
    const Fixture *fixture = *state;
    json_t *json = ask_json(fixture->figures, CONTEST_GAMES, "stage=0&results=1&sort=-days");
    const json_t *items = json_get(json, "items");

    assert_int_equal(json_count(items), CONTEST_ROWS);
    for (size_t i = 1; i < json_count(items); i++)
        assert_true(json_number(json_at(items, i - 1), "days") >=
                    json_number(json_at(items, i), "days"));
    json_done(json);
    json = ask_json(fixture->figures, CONTEST_GAMES, "stage=0&sort=game");
    assert_int_equal(json_number(json_at(json_get(json, "items"), 0), "game"), 0);
    json_done(json);
}

/* Everything that says how a game went, as it might have gone otherwise. */
static void change_results(ContestFigures *figures)
{
    for (uint32_t i = 0; i < figures->stage_count; i++) {
        ReportData *data = &figures->stages[i].data;
        for (uint32_t g = 0; g < data->game_count; g++) {
            ReportGame *game = &data->games[g];
            game->winner = game->winner == SIDE_VILLAGER ? SIDE_WEREWOLF : SIDE_VILLAGER;
            game->last_day = (uint16_t)(game->last_day * 7 % 11 + 1);
            snprintf(game->reason, sizeof(game->reason), "max_day");
            game->ended_ms += (int64_t)g * 17;
            for (uint32_t s = 0; s < game->seat_count; s++)
                data->seats[game->first_seat + s].won = !data->seats[game->first_seat + s].won;
        }
    }
}

static void without_results_no_byte_of_the_list_tells_how_a_game_went(void **state)
{
    static const char *const queries[] = {
        "stage=0",
        "stage=0&sort=-days",
        "stage=0&sort=winner",
        "stage=0&sort=ended",
        "stage=0&winner=VILLAGER&days=2",
        "stage=0&team=alice&faults=any",
    };
    const Fixture *fixture = *state;
    ContestFigures *other = NULL;

    assert_int_equal(contest_figures_read(fixture->dir, NULL, &other, NULL), 0);
    change_results(other);
    for (size_t i = 0; i < 3 * sizeof(queries) / sizeof(queries[0]); i++) {
        CLEANUP(contest_answer_done) ContestAnswer first = {0};
        CLEANUP(contest_answer_done) ContestAnswer second = {0};
        const ContestAsk ask = ask_of(CONTEST_GAMES, (ContestForm)(i % 3), queries[i / 3]);
        write_answer(fixture->figures, &ask, &first);
        write_answer(other, &ask, &second);
        assert_int_equal(first.body.len, second.body.len);
        assert_memory_equal(first.body.bytes, second.body.bytes, first.body.len);
    }
    /* ... and with them it does. */
    CLEANUP(contest_answer_done) ContestAnswer first = {0};
    CLEANUP(contest_answer_done) ContestAnswer second = {0};
    const ContestAsk ask = ask_of(CONTEST_GAMES, CONTEST_CSV, "stage=0&results=1");
    write_answer(fixture->figures, &ask, &first);
    write_answer(other, &ask, &second);
    assert_string_not_equal(buf_cstr(&first.body), buf_cstr(&second.body));
    contest_figures_free(other);
}

/* ---- names ---- */

static void hidden_names_are_nowhere(void **state)
{
    static const char *const queries[] = {"stage=0", "results=1"};
    const Fixture *fixture = *state;

    for (ContestPage page = CONTEST_OVERVIEW; page < CONTEST_PAGES; page++)
        for (unsigned i = 0; i < 6; i++) {
            CLEANUP(contest_answer_done) ContestAnswer answer = {0};
            ContestAsk ask = ask_of(page, (ContestForm)(i / 2), queries[i % 2]);
            ask.names_hidden = true;
            snprintf(ask.team, sizeof(ask.team), page == CONTEST_TEAM ? "Team 2" : "");
            write_answer(fixture->figures, &ask, &answer);
            assert_int_equal(answer.status, 200);
            assert_true(page == CONTEST_OVERVIEW || page >= CONTEST_SCHEDULE ||
                        has(&answer.body, "Team "));
            for (size_t a = 0; a < FOLDER_AGENTS; a++)
                if (a != 7 && has(&answer.body, folder_agents[a]))
                    fail_msg("%s tells of %s", contest_page_word(page), folder_agents[a]);
            assert_false(has(&answer.body, "script"));
            ask.is_operator = true;
            if (page == CONTEST_STANDINGS) {
                write_answer(fixture->figures, &ask, &answer);
                assert_true(has(&answer.body, "alice"));
            }
        }
}

static void a_hidden_agent_has_one_number_in_all_stages(void **state)
{
    const Fixture *fixture = *state;
    uint32_t numbers[FOLDER_AGENTS] = {0};

    for (size_t a = 0; a < FOLDER_AGENTS; a++) {
        numbers[a] = contest_figures_number(fixture->figures, str_of(folder_agents[a]));
        assert_in_range(numbers[a], 1, FOLDER_AGENTS);
        for (size_t b = 0; b < a; b++)
            assert_int_not_equal(numbers[a], numbers[b]);
    }
    assert_int_equal(contest_figures_number(fixture->figures, STR("nobody")), 0);
}

static void a_formula_stays_a_text_in_csv(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(contest_answer_done) ContestAnswer answer = {0};
    const ContestAsk ask = ask_of(CONTEST_STANDINGS, CONTEST_CSV, "stage=0");

    write_answer(fixture->figures, &ask, &answer);
    assert_true(has(&answer.body, "\"'=1+1,\"\"x\"\"\""));
    assert_true(
        str_starts(buf_str(&answer.body), STR("rank,agent,groups_first,groups_last,games,")));
}

/* ---- figures ---- */

static void standings_are_those_of_the_report(void **state)
{
    const Fixture *fixture = *state;
    const ContestStage *stage = contest_figures_stage(fixture->figures, 0);
    json_t *json = ask_json(fixture->figures, CONTEST_STANDINGS, "stage=0");
    const json_t *items = json_get(json, "items");

    assert_int_equal(json_count(items), stage->order.count);
    for (size_t i = 0; i < json_count(items); i++) {
        const ReportScore *score = &stage->order.scores[i];
        const json_t *row = json_at(items, i);
        assert_true(str_eq(json_text(row, "agent"), str_of(stage->data.agents[score->agent].name)));
        assert_int_equal(json_number(row, "games"), score->all.games);
        assert_int_equal(json_number(row, "wins"), score->all.wins);
    }
    json_done(json);
}

/* Of games that somebody won; under the names that the page shows. */
static void roles_have_measures_of_play(void **state)
{
    const Fixture *fixture = *state;
    json_t *json = ask_json(fixture->figures, CONTEST_ROLES, "stage=0");
    const json_t *measures = json_get(json, "measures");

    assert_int_equal(json_count(measures), json_count(json_get(json, "items")));
    for (size_t i = 0; i < json_count(measures); i++) {
        const json_t *row = json_at(measures, i);
        double rate = -1;
        assert_true(json_as_real(json_get(row, "village_votes"), &rate) && rate == 0.5);
        assert_true(json_as_real(json_get(row, "survival"), &rate) && rate == 1);
        assert_false(json_as_real(json_get(row, "hits"), &rate)); /* of nothing */
        assert_true(str_eq(json_text(row, "measured_agent"),
                           json_text(json_at(json_get(json, "items"), i), "agent")));
    }
    json_done(json);
}

/* Two share a group just when their intervals overlap. */
static void agents_share_a_group_when_they_cannot_be_told_apart(void **state)
{
    const Fixture *fixture = *state;
    json_t *json = ask_json(fixture->figures, CONTEST_STANDINGS, "stage=0");
    const json_t *items = json_get(json, "items");
    size_t pairs = 0;

    for (size_t i = 0; i < json_count(items); i++)
        for (size_t j = i + 1; j < json_count(items); j++) {
            const json_t *a = json_at(items, i), *b = json_at(items, j);
            const json_t *of_a = json_get(a, "groups"), *of_b = json_get(b, "groups");
            double low = 0, high = 1;
            int64_t a_last = -1, b_first = INT64_MAX;
            json_as_real(json_at(json_get(a, "interval"), 0), &low);
            json_as_real(json_at(json_get(b, "interval"), 1), &high);
            if (json_count(of_a) == 2 && json_count(of_b) == 2) {
                json_as_int(json_at(of_a, 1), &a_last);
                json_as_int(json_at(of_b, 0), &b_first);
            }
            assert_int_equal(b_first <= a_last, low <= high);
            pairs += low <= high;
        }
    assert_true(pairs > 0);
    json_done(json);
}

static void faults_have_the_anchor_of_their_moment(void **state)
{
    const Fixture *fixture = *state;
    const ContestStage *stage = contest_figures_stage(fixture->figures, 0);
    CLEANUP(contest_answer_done) ContestAnswer answer = {0};
    const ContestAsk ask = ask_of(CONTEST_FAULTS, CONTEST_HTML, "stage=0&sort=game");
    uint64_t counted = 0;

    assert_true(stage->fault_count > 100);
    for (uint32_t i = 0; i < stage->fault_count; i++) {
        const ContestFault *fault = &stage->faults[i];
        char anchor[CONTEST_ANCHOR_MAX], before[CONTEST_ANCHOR_MAX];
        bool hidden = false;
        contest_fault_anchor(stage, fault, anchor, &hidden);
        assert_false(hidden); /* all are at asks of the day */
        bool follows = i > 0 && fault[-1].game == fault->game && fault[-1].day == fault->day;
        snprintf(before, sizeof(before), "d%uf%u", fault->day, follows ? fault[-1].number + 1 : 1);
        assert_string_equal(anchor, before);
    }
    for (uint32_t i = 0; i < stage->data.agent_count; i++)
        for (size_t kind = 0; kind < FAULT_COUNT; kind++)
            counted += stage->data.agents[i].faults[kind];
    assert_int_equal(stage->fault_count, counted);
    write_answer(fixture->figures, &ask, &answer);
    CLEANUP(buf_done) Buf link = {0};
    buf_printf(&link, "href=\"/web/g/cup.0.%03u#at=d%uf%u\"",
               (unsigned)stage->data.games[stage->faults[0].game].number, stage->faults[0].day,
               stage->faults[0].number);
    assert_true(has(&answer.body, buf_cstr(&link)));
    assert_true(has(&answer.body, "&lt;i&gt;&quot;no&quot;&lt;/i&gt; by bob"));
}

static void a_game_that_ended_later_is_not_there(void **state)
{
    const Fixture *fixture = *state;
    ContestFigures *early = NULL;
    Err err = {0};

    /* Game 99 of the first stage is the last one that has ended. */
    const FiguresPart part = {.until_ms = FOLDER_BEGAN + 99000};
    if (contest_figures_read(fixture->dir, &part, &early, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(early->stage_count, 1);
    assert_int_equal(early->stages[0].data.game_count, 100);
    assert_true(early->stages[0].fault_count > 0);
    for (uint32_t i = 0; i < early->stages[0].fault_count; i++)
        assert_true(early->stages[0].faults[i].game < 100);
    contest_figures_free(early);
}

static void a_set_that_has_begun_is_running(void **state)
{
    char dir[] = "warg-contest-sets-XXXXXX";
    ContestFigures *figures = NULL;
    Err err = {0};

    (void)state;
    contest_folder_make(dir, 75);
    if (contest_figures_read(dir, NULL, &figures, &err))
        fail_msg("%s", err.msg);
    json_t *json = ask_json(figures, CONTEST_SCHEDULE, "");
    assert_int_equal(json_number(json, "done"), 7);
    assert_int_equal(json_number(json, "running"), 1);
    assert_int_equal(json_number(json, "to_come"), 12);
    assert_true(str_eq(json_text(json_at(json_get(json, "items"), 0), "state"), STR("running")));
    json_done(json);
    json = ask_json(figures, CONTEST_OVERVIEW, "");
    assert_int_equal(json_number(json, "left_ms"), 125000);
    json_done(json);
    contest_figures_free(figures);
    contest_folder_remove(dir);
}

/* It tells that those before it are over. */
static void with_a_delay_no_set_is_told_of_before_its_games(void **state)
{
    char dir[] = "warg-contest-later-XXXXXX";
    const FiguresPart part = {.until_ms = FOLDER_BEGAN + 99000};
    ContestFigures *early = NULL;
    Err err = {0};

    (void)state;
    contest_folder_make(dir, 75);
    if (contest_figures_read(dir, &part, &early, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(early->stage_count, 1);
    assert_int_equal(early->stages[0].set_count, 10);
    contest_figures_free(early);
    contest_folder_remove(dir);
}

/* The same set twice, with 3 and with 7 of its 10 games: what is told must not differ. */
static void of_a_set_that_goes_on_nothing_is_told_where_seats_are_secret(void **state)
{
    const FiguresPart part = {.until_ms = INT64_MAX, .whole_sets = true};
    ContestAnswer answers[2][CONTEST_PAGES * 2] = {0};
    Err err = {0};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char dir[] = "warg-contest-whole-XXXXXX";
        ContestFigures *figures = NULL;
        contest_folder_make(dir, i ? 77 : 73);
        if (contest_figures_read(dir, &part, &figures, &err))
            fail_msg("%s", err.msg);
        assert_int_equal(figures->stages[0].data.game_count, 600);
        assert_int_equal(figures->stages[1].data.game_count, 70);
        for (unsigned page = 0; page < CONTEST_PAGES * 2; page++) {
            ContestAsk ask = ask_of((ContestPage)(page / 2), page % 2 ? CONTEST_JSON : CONTEST_HTML,
                                    "results=1&stage=1");
            ask.seats_hidden = true;
            write_answer(figures, &ask, &answers[i][page]);
            assert_int_equal(answers[i][page].status, 200);
        }
        contest_figures_free(figures);
        contest_folder_remove(dir);
    }
    for (unsigned page = 0; page < CONTEST_PAGES * 2; page++) {
        assert_string_equal(buf_cstr(&answers[0][page].body), buf_cstr(&answers[1][page].body));
        contest_answer_done(&answers[0][page]);
        contest_answer_done(&answers[1][page]);
    }
}

/* With a script there is a place for it, and a button; search needs none. */
static void the_frame_is_that_of_all_pages(void **state)
{
    const Fixture *fixture = *state;
    ContestAsk ask = ask_of(CONTEST_SCHEDULE, CONTEST_HTML, "lang=en");
    CLEANUP(contest_answer_done) ContestAnswer without = {0}, with = {0}, held = {0}, over = {0};
    char dir[] = "warg-contest-frame-XXXXXX", played[80];
    ContestFigures *figures = NULL;
    Err err = {0};

    contest_folder_make(dir, 75);
    if (contest_figures_read(dir, NULL, &figures, &err))
        fail_msg("%s", err.msg);

    write_answer(figures, &ask, &without);
    assert_html_balanced(buf_str(&without.body));
    assert_true(has(&without.body, "<svg class=\"mark\""));
    assert_true(has(&without.body, "action=\"/web/search\""));
    assert_true(has(&without.body, "name=\"contest\" value=\"cup\""));
    assert_false(has(&without.body, "id=\"theme\""));
    assert_false(has(&without.body, "id=\"fresh\""));
    snprintf(ask.frame.script, sizeof(ask.frame.script), "contest.1f2e3d4c.js");
    ask.frame.has_feed = true;
    write_answer(figures, &ask, &with);
    assert_html_balanced(buf_str(&with.body));
    assert_true(has(&with.body, "<script src=\"/web/assets/contest.1f2e3d4c.js\"></script>"));
    assert_true(has(&with.body, "id=\"theme\" hidden=\"hidden\""));
    snprintf(played, sizeof(played), "id=\"fresh\" hidden=\"hidden\" data-played=\"%llu\"",
             (unsigned long long)contest_figures_stage(figures, -1)->data.games_of_all);
    assert_true(has(&with.body, played));
    assert_true(has(&with.body, "data-feed="));
    assert_true(has(&with.body, "data-figures=\"/web/api/contests/cup"));
    ask.refresh = 30; /* it loads itself again */
    write_answer(figures, &ask, &held);
    assert_false(has(&held.body, "id=\"fresh\""));
    ask.refresh = 0; /* nothing will come */
    write_answer(fixture->figures, &ask, &over);
    assert_false(has(&over.body, "id=\"fresh\""));
    contest_figures_free(figures);
    contest_folder_remove(dir);
}

static void the_schedule_says_what_its_numbers_are(void **state)
{
    const Fixture *fixture = *state;
    const ContestAsk ask = ask_of(CONTEST_SCHEDULE, CONTEST_HTML, "lang=en");
    CLEANUP(contest_answer_done) ContestAnswer answer = {0};

    write_answer(fixture->figures, &ask, &answer);
    assert_true(has(&answer.body, "Games in a set, at most"));
    assert_true(has(&answer.body, "Games planned"));
    assert_true(has(&answer.body, "Games played"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_page_is_whole_in_each_form_and_language),
        cmocka_unit_test(every_agent_has_a_page),
        cmocka_unit_test(output_that_is_no_longer_kept_is_told),
        cmocka_unit_test(what_is_not_there_is_told),
        cmocka_unit_test(a_link_asks_the_same),
        cmocka_unit_test(the_language_is_that_which_is_wanted_most),
        cmocka_unit_test(filters_find_what_sql_finds),
        cmocka_unit_test(games_are_sorted_by_link),
        cmocka_unit_test(without_results_no_byte_of_the_list_tells_how_a_game_went),
        cmocka_unit_test(hidden_names_are_nowhere),
        cmocka_unit_test(a_hidden_agent_has_one_number_in_all_stages),
        cmocka_unit_test(a_formula_stays_a_text_in_csv),
        cmocka_unit_test(standings_are_those_of_the_report),
        cmocka_unit_test(roles_have_measures_of_play),
        cmocka_unit_test(agents_share_a_group_when_they_cannot_be_told_apart),
        cmocka_unit_test(faults_have_the_anchor_of_their_moment),
        cmocka_unit_test(a_game_that_ended_later_is_not_there),
        cmocka_unit_test(a_set_that_has_begun_is_running),
        cmocka_unit_test(with_a_delay_no_set_is_told_of_before_its_games),
        cmocka_unit_test(the_frame_is_that_of_all_pages),
        cmocka_unit_test(the_schedule_says_what_its_numbers_are),
        cmocka_unit_test(of_a_set_that_goes_on_nothing_is_told_where_seats_are_secret),
    };

    return cmocka_run_group_tests(tests, make, clear);
}
