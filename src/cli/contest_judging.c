#include "base/mem.h"
#include "cli/contest_site.h"
#include "disk/log_file.h"
#include "judging/sheet_csv.h"
#include "judging/track_rates.h"
#include "show/text_table.h"
#include "site/contest.h"
#include "site/judging_turn.h"
#include "wire/json_read.h"

#include <stdio.h>

#define CSV_BYTES ((size_t)16 * 1024 * 1024)

const Option site_sheets_options[3] = {
    [SITE_FOLDER] = {"site", 0, OPTION_TEXT, "DIR",
                     "the folder of server.yml; else $" SITE_FOLDER_ENV ", else the current one",
                     NULL, 0, 0},
    [1] = {"csv", 0, OPTION_FLAG, NULL, "print the open sheets of people, to be filled in", NULL, 0,
           0},
    [2] = {"read", 0, OPTION_TEXT, "FILE", "hand in the sheets that are filled in in this file",
           NULL, 0, 0},
};
enum { SHEETS_CSV = 1, SHEETS_READ };

const Option site_scores_options[4] = {
    [SITE_FOLDER] = {"site", 0, OPTION_TEXT, "DIR",
                     "the folder of server.yml; else $" SITE_FOLDER_ENV ", else the current one",
                     NULL, 0, 0},
    [SITE_JSON] = {"json", 0, OPTION_FLAG, NULL, "print all of it as JSON", NULL, 0, 0},
    [2] = {"csv", 0, OPTION_FLAG, NULL, "print win rates in the columns of earlier contests", NULL,
           0, 0},
    [3] = {"track", 't', OPTION_TEXT, "NAME", "of this track; else of the first", NULL, 0, 0},
};
enum { SCORES_CSV = 2, SCORES_TRACK };

/* What these verbs look at. */
typedef struct Judged {
    Contest contest;
    SiteRules rules;
    Buf home;
    JudgingTurn turn;
} Judged;

static void judged_done(Judged *judged)
{
    contest_done(&judged->contest);
    contest_rules_done(&judged->rules);
    buf_done(&judged->home);
}

static int open_judged(SiteCall *call, Judged *judged, Err *err)
{
    Str name;
    int rc = site_call_argument(call, 0, "the contest", &name, err);

    if (rc == 0)
        rc = site_call_store(call, err);
    if (rc == 0)
        rc = contest_find(call->db, name, &judged->contest, err);
    if (rc == 0 && judged->contest.id == CONTEST_NONE)
        rc = err_set(err, ERR_USAGE, "there is no contest '%.*s'", STR_ARG(name));
    if (rc == 0)
        rc = contest_rules_read(buf_str(&judged->contest.file), call->folder, &judged->rules, err);
    if (rc == 0 && !judged->rules.natural_language)
        rc = err_set(err, ERR_USAGE, "'%.*s' is no natural-language contest", STR_ARG(name));
    judged->turn = (JudgingTurn){
        .db = call->db,
        .home = {judged->contest.id, buf_str(&judged->contest.name), buf_cstr(&call->file.data)},
        .rules = &judged->rules,
        .now_ms = call->now_ms};
    return rc ? rc : contest_home_path(&judged->turn.home, "", &judged->home, err);
}

static int print_out(const Buf *out, Err *err)
{
    if (buf_failed(out))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    fputs(buf_cstr(out), stdout);
    return 0;
}

/* ---- sheets ---- */

static int list_sheets(const SiteCall *call, const Judged *judged, Err *err)
{
    static const char *const columns[] = {"judge", "track", "handed in", "open", "empty", NULL};
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(text_table_done) TextTable table = {.columns = columns};
    CLEANUP(buf_done) Buf out = {0};
    int rc = db_query(call->db,
                      "SELECT coalesce(account.login, sheet.model), sheet.track,"
                      " sum(CASE WHEN sheet.state = 'DONE' THEN 1 ELSE 0 END),"
                      " sum(CASE WHEN sheet.state IN ('NEW', 'DRAFT') THEN 1 ELSE 0 END),"
                      " sum(CASE WHEN sheet.state = 'EMPTY' THEN 1 ELSE 0 END)"
                      " FROM sheet LEFT JOIN account ON account.id = sheet.judge"
                      " WHERE sheet.contest = ?1 GROUP BY 1, 2 ORDER BY 1, 2",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, judged->contest.id);
    while ((rc = db_step(query, err)) == 1) {
        text_table_text(&table, db_text(query, 0));
        text_table_text(&table, db_text(query, 1));
        for (int i = 2; i < 5; i++)
            text_table_int(&table, db_int(query, i));
    }
    text_table_write(&table, TABLE_ALIGNED, &out);
    return rc ? rc : print_out(&out, err);
}

static SheetScale scale_of(const Judged *judged)
{
    return judged->rules.evaluation.scale == SCALE_SCORE ? SHEET_SCORES : SHEET_RANKS;
}

/* By the server, where one runs. */
static int hand_in(SiteCall *call, const Judged *judged, Str text, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    char path[96];
    uint32_t taken = 0;
    int rc;

    if (!call->client) {
        rc = sheet_csv_read(call->db, judged->contest.id, buf_cstr(&judged->home), scale_of(judged),
                            text, call->now_ms, &taken, err);
        if (rc == 0)
            printf("%u sheet%s handed in\n", taken, taken == 1 ? "" : "s");
        return rc;
    }
    json_open(&json, '{');
    json_add_str(&json, "csv", text);
    json_close(&json);
    snprintf(path, sizeof(path), "contests/%s/sheets", buf_cstr(&judged->contest.name));
    rc = site_call_ask(call, "POST", path, buf_str(&body), &reply, err);
    if (rc == 0)
        printf("%lld sheet%s handed in\n", (long long)json_number(reply.json, "taken"),
               json_number(reply.json, "taken") == 1 ? "" : "s");
    return rc;
}

int site_do_sheets(SiteCall *call, Err *err)
{
    CLEANUP(judged_done) Judged judged = {.contest = {.id = CONTEST_NONE}};
    CLEANUP(buf_done) Buf text = {0};
    const char *file = options_text(call->given, SHEETS_READ);
    int rc = open_judged(call, &judged, err);

    if (rc == 0 && file) {
        rc = log_file_read(file, CSV_BYTES, &text, err);
        return rc ? rc : hand_in(call, &judged, buf_str(&text), err);
    }
    if (rc == 0 && options_has(call->given, SHEETS_CSV)) {
        rc = sheet_csv_write(call->db, judged.contest.id, buf_cstr(&judged.home), &text, err);
        return rc ? rc : print_out(&text, err);
    }
    return rc ? rc : list_sheets(call, &judged, err);
}

/* ---- scores ---- */

static int read_scores(const Judged *judged, Buf *text, json_t **ret_json, Err *err)
{
    Json json = json_over(text);
    int rc = judging_scores(&judged->turn, &json, err);

    if (rc == 0 && buf_failed(text))
        rc = err_set(err, ERR_MEMORY, "scores: out of memory");
    return rc ? rc : json_read(buf_str(text), SIZE_MAX, ret_json, err);
}

static Str chosen_track(const SiteCall *call, const Judged *judged)
{
    const char *given = options_text(call->given, SCORES_TRACK);

    return str_of(given ? given : judged->rules.tracks[0].name);
}

static void put_number(TextTable *table, const json_t *object, const char *key, double times,
                       int decimals)
{
    double value = 0;

    if (json_get(object, key) && json_as_real(json_get(object, key), &value))
        text_table_real(table, times * value, decimals);
    else
        text_table_none(table);
}

static const json_t *row_of(const json_t *list, Str team)
{
    for (size_t i = 0; i < json_count(list); i++)
        if (str_eq(json_text(json_at(list, i), "team"), team))
            return json_at(list, i);
    return NULL;
}

static void put_rates(const json_t *track, const char *key, TextTable *table)
{
    const json_t *rates = json_get(track, key);
    const json_t *total = json_get(json_get(track, "totals"), "people");

    for (size_t i = 0; i < json_count(rates); i++) {
        const json_t *row = json_at(rates, i);
        text_table_text(table, json_text(row, "team"));
        text_table_int(table, json_number(row, "games"));
        put_number(table, row, "overall", 100, 2);
        put_number(table, row, "role_mean", 100, 2);
        put_number(table, row, "role_weighted", 100, 2);
        put_number(table, row_of(total, json_text(row, "team")), "total", 1, 2);
    }
}

static int print_scores(const json_t *track, Err *err)
{
    static const char *const columns[] = {
        "team", "games", "Macro %", "Micro %", "Weighted Micro %", "judges' total", NULL};
    CLEANUP(buf_done) Buf out = {0};

    for (int together = 0; together < 2; together++) {
        CLEANUP(text_table_done) TextTable table = {.columns = columns};
        put_rates(track, together ? "together" : "rates", &table);
        buf_add(&out, together ? STR("\nAgents A and B together\n") : STR(""));
        text_table_write(&table, TABLE_ALIGNED, &out);
    }
    buf_add(&out, STR("\nMacro: wins / games (overall). Micro: the mean over roles that were "
                      "played. Weighted Micro: the same,\neach role as often as it has seats. "
                      "Machine learning calls the first two the other way round.\n"));
    return print_out(&out, err);
}

static int print_csv(const SiteCall *call, const Judged *judged, Err *err)
{
    CLEANUP(track_rates_done) TrackRates rates = {NULL, 0};
    CLEANUP(buf_done) Buf out = {0};
    int rc = track_rates_read(call->db, judged->contest.id, chosen_track(call, judged), false,
                              &rates, err);

    track_rates_csv(&rates, &out);
    return rc ? rc : print_out(&out, err);
}

int site_do_scores(SiteCall *call, Err *err)
{
    CLEANUP(judged_done) Judged judged = {.contest = {.id = CONTEST_NONE}};
    CLEANUP(buf_done) Buf text = {0};
    json_t *json = NULL;
    int rc = open_judged(call, &judged, err);

    if (rc == 0 && options_has(call->given, SCORES_CSV))
        return print_csv(call, &judged, err);
    if (rc == 0)
        rc = read_scores(&judged, &text, &json, err);
    if (rc == 0 && options_has(call->given, SITE_JSON)) {
        buf_add_char(&text, '\n');
        rc = print_out(&text, err);
    } else if (rc == 0) {
        char track[64];
        snprintf(track, sizeof(track), "%.*s",
                 STR_ARG(str_part(chosen_track(call, &judged), 0, 63)));
        const json_t *own = json_get(json_get(json, "tracks"), track);
        rc = own ? print_scores(own, err)
                 : err_set(err, ERR_USAGE, "the contest has no track '%s'", track);
    }
    json_done(json);
    return rc;
}

/* ---- models ---- */

static void put_models(const char *track, const json_t *criteria, TextTable *table)
{
    for (unsigned i = 0; i < CRITERION_COUNT; i++) {
        const char *letter = criterion_letter((Criterion)i);
        const json_t *models = json_get(json_get(criteria, letter), "models");
        for (size_t k = 0; k < json_count(models); k++) {
            const json_t *row = json_at(models, k);
            bool out = false;
            text_table_text(table, json_text(row, "model"));
            text_table_text(table, str_of(track));
            text_table_text(table, str_of(letter));
            put_number(table, row, "tau", 1, 3);
            put_number(table, row, "tau_low", 1, 3);
            put_number(table, row, "tau_high", 1, 3);
            put_number(table, row, "repeat_w", 1, 3);
            put_number(table, row, "position", 1, 3);
            json_as_bool(json_get(row, "kept_out"), &out);
            text_table_text(table, out ? STR("yes") : STR("no"));
        }
    }
}

int site_do_judge(SiteCall *call, Err *err)
{
    static const char *const columns[] = {"model", "track",      "criterion", "tau-b",    "from",
                                          "to",    "repeats' W", "position",  "kept out", NULL};
    CLEANUP(judged_done) Judged judged = {.contest = {.id = CONTEST_NONE}};
    CLEANUP(text_table_done) TextTable table = {.columns = columns};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf out = {0};
    json_t *json = NULL;
    int rc = open_judged(call, &judged, err);

    if (rc == 0)
        rc = read_scores(&judged, &text, &json, err);
    for (uint32_t i = 0; i < judged.rules.track_count && rc == 0; i++) {
        const char *track = judged.rules.tracks[i].name;
        put_models(track, json_get(json_get(json_get(json, "tracks"), track), "criteria"), &table);
    }
    json_done(json);
    text_table_write(&table, TABLE_ALIGNED, &out);
    return rc ? rc : print_out(&out, err);
}
