#include "base/json.h"
#include "cli/contest_site.h"
#include "contest/contest_file.h"
#include "disk/log_file.h"
#include "show/text_table.h"
#include "site/contest.h"

#include <stdio.h>
#include <sys/stat.h>

/* ---- small pieces ---- */

/* What comes of a call, its answer let go. */
static int ask(SiteCall *call, const char *method, const char *path, const Buf *body,
               ApiReply *reply, Err *err)
{
    if (buf_failed(body))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    return site_call_ask(call, method, path, buf_str(body), reply, err);
}

static int find_path(SiteCall *call, const char *behind, char *path, size_t room, Str *ret_name,
                     Err *err)
{
    int rc = site_call_argument(call, 0, "the contest's name", ret_name, err);

    if (rc == 0)
        rc = contest_judge_name(*ret_name, err);
    if (rc == 0)
        snprintf(path, room, "contests/%.*s%s", STR_ARG(*ret_name), behind);
    return rc;
}

static Str reason_of(const SiteCall *call)
{
    return str_trim(str_of(options_text(call->given, SITE_REASON)));
}

static int read_text(const char *path, Buf *text, Err *err)
{
    return log_file_read(path, CONTEST_BYTES_MAX, text, err);
}

/* ---- new, amend ---- */

/* Jars come without the platform, which everybody's need. */
static bool lacks_java(const SiteRules *rules)
{
    return !rules->natural_language && rules->submit.languages & 1u << SUBMIT_JAVA &&
           !rules->runtimes.java_lib;
}

int site_do_new(SiteCall *call, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    Str path;
    int rc = site_call_argument(call, 0, "the contest file", &path, err);

    if (rc == 0)
        rc = read_text(call->given->arguments[0], &text, err);
    if (rc == 0 && contest_rules_read(buf_str(&text), call->folder, &rules, err))
        rc = err_wrap(err, "'%.*s': ", STR_ARG(path));
    if (rc)
        return rc;
    json_open(&json, '{');
    json_add_str(&json, "text", buf_str(&text));
    json_close(&json);
    rc = ask(call, "POST", "contests", &body, &reply, err);
    if (rc == 0)
        printf("%s: a draft; open it with `warg contest open %s`\n", rules.name, rules.name);
    if (rc == 0 && lacks_java(&rules))
        printf(
            "note: java is one of submit.languages, and runtimes has no java: {lib: FOLDER}: a jar "
            "has to bring org.aiwolf.common.bin.ClientStarter itself, else its check fails\n");
    return rc;
}

int site_do_amend(SiteCall *call, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    char path[96];
    Str name, file;
    int rc = find_path(call, "/amend", path, sizeof(path), &name, err);

    if (rc == 0)
        rc = site_call_argument(call, 1, "the contest file", &file, err);
    if (rc == 0)
        rc = read_text(call->given->arguments[1], &text, err);
    if (rc)
        return rc;
    json_open(&json, '{');
    json_add_str(&json, "text", buf_str(&text));
    json_add_str(&json, "reason", reason_of(call));
    json_close(&json);
    rc = ask(call, "POST", path, &body, &reply, err);
    if (rc == 0)
        printf("%.*s: amended\n", STR_ARG(name));
    return rc;
}

/* ---- states ---- */

/* What the rules of its life say that comes next, and what was before. */
static int find_states(SiteCall *call, Str name, LifeState *ret_now, LifeState *ret_next,
                       bool *ret_has_before, LifeState *ret_before, Err *err)
{
    CLEANUP(contest_done) Contest contest = {0};
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    const LifeFacts facts = {0};
    LifePlan plan;
    int rc = site_call_store(call, err);

    if (rc == 0)
        rc = contest_find(call->db, name, &contest, err);
    if (rc == 0 && !contest.id)
        rc = err_set(err, ERR_RULE, "there is no contest '%.*s'", STR_ARG(name));
    if (rc == 0)
        rc = contest_rules_read(buf_str(&contest.file), call->folder, &rules, err);
    if (rc)
        return rc;
    contest_rules_life(&rules, &plan);
    *ret_now = contest.state;
    *ret_next = life_step(contest.state, &plan, &facts, call->now_ms).to;
    *ret_has_before = life_back(contest.state, &plan, ret_before);
    return 0;
}

static int ask_state(SiteCall *call, Str name, LifeState to, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    char path[96];
    Str said;

    snprintf(path, sizeof(path), "contests/%.*s/state", STR_ARG(name));
    json_open(&json, '{');
    json_add_str(&json, "to", str_of(life_state_name(to)));
    json_add_str(&json, "reason", reason_of(call));
    json_close(&json);
    int rc = ask(call, "POST", path, &body, &reply, err);
    if (rc)
        return rc;
    said = json_text(reply.json, "sentence");
    printf("%.*s: %s%s%.*s\n", STR_ARG(name), life_state_name(to), said.len ? "; " : "",
           STR_ARG(said));
    return 0;
}

static int go_to(SiteCall *call, LifeState to, Err *err)
{
    char path[96];
    Str name;
    int rc = find_path(call, "", path, sizeof(path), &name, err);

    return rc ? rc : ask_state(call, name, to, err);
}

int site_do_open(SiteCall *call, Err *err)
{
    return go_to(call, LIFE_OPEN, err);
}

int site_do_freeze(SiteCall *call, Err *err)
{
    return go_to(call, LIFE_FROZEN, err);
}

int site_do_cancel(SiteCall *call, Err *err)
{
    return go_to(call, LIFE_CANCELLED, err);
}

int site_do_next(SiteCall *call, Err *err)
{
    LifeState now, next = LIFE_DRAFT, before;
    bool has_before;
    char path[96];
    Str name;
    int rc = find_path(call, "", path, sizeof(path), &name, err);

    if (rc == 0)
        rc = find_states(call, name, &now, &next, &has_before, &before, err);
    if (rc == 0 && now == next)
        rc = err_set(err, ERR_RULE, "nothing follows %s", life_state_name(now));
    return rc ? rc : ask_state(call, name, next, err);
}

/* A stage: the first, or the final. */
int site_do_start(SiteCall *call, Err *err)
{
    LifeState now, next = LIFE_DRAFT, before;
    bool has_before;
    char path[96];
    Str name;
    int rc = find_path(call, "", path, sizeof(path), &name, err);

    if (rc == 0)
        rc = find_states(call, name, &now, &next, &has_before, &before, err);
    if (rc == 0 && now != LIFE_FROZEN && now != LIFE_REVISION)
        rc = err_set(err, ERR_RULE, "a stage starts behind FROZEN or REVISION, and this is %s",
                     life_state_name(now));
    return rc ? rc : ask_state(call, name, next, err);
}

int site_do_back(SiteCall *call, Err *err)
{
    LifeState now, next, before = LIFE_DRAFT;
    bool has_before = false;
    char path[96];
    Str name;
    int rc = find_path(call, "", path, sizeof(path), &name, err);

    if (rc == 0)
        rc = find_states(call, name, &now, &next, &has_before, &before, err);
    if (rc == 0 && !has_before)
        rc = err_set(err, ERR_RULE, "there is no way back from %s", life_state_name(now));
    return rc ? rc : ask_state(call, name, before, err);
}

static int set_paused(SiteCall *call, bool paused, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    char path[96];
    Str name;
    int rc = find_path(call, "/pause", path, sizeof(path), &name, err);

    if (rc)
        return rc;
    json_open(&json, '{');
    json_add_bool(&json, "paused", paused);
    json_add_str(&json, "reason", reason_of(call));
    json_close(&json);
    rc = ask(call, "POST", path, &body, &reply, err);
    if (rc == 0)
        printf("%.*s: %s\n", STR_ARG(name), paused ? "paused" : "goes on");
    return rc;
}

int site_do_pause(SiteCall *call, Err *err)
{
    return set_paused(call, true, err);
}

int site_do_resume(SiteCall *call, Err *err)
{
    return set_paused(call, false, err);
}

int site_do_round(SiteCall *call, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf body = {0};
    char path[96];
    Str name;
    int rc = find_path(call, "/rounds", path, sizeof(path), &name, err);

    buf_add(&body, STR("{}"));
    if (rc == 0)
        rc = ask(call, "POST", path, &body, &reply, err);
    if (rc == 0)
        printf("%.*s: a testing round begins\n", STR_ARG(name));
    return rc;
}

/* ---- teams ---- */

static int list_teams(SiteCall *call, Str name, Err *err)
{
    static const char *const columns[] = {"team", "state", "version", NULL};
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf out = {0};
    TextTable table = {.columns = columns};
    char path[96];

    snprintf(path, sizeof(path), "contests/%.*s/teams", STR_ARG(name));
    int rc = site_call_ask(call, "GET", path, STR(""), &reply, err);
    const json_t *items = rc ? NULL : json_get(reply.json, "items");
    for (size_t i = 0; i < json_count(items); i++) {
        const json_t *team = json_at(items, i);
        text_table_text(&table, json_text(team, "name"));
        text_table_text(&table, json_text(team, "state"));
        if (json_get(team, "version"))
            text_table_int(&table, json_number(team, "version"));
        else
            text_table_none(&table);
    }
    text_table_write(&table, TABLE_ALIGNED, &out);
    if (rc == 0)
        fwrite(buf_cstr(&out), 1, out.len, stdout);
    text_table_done(&table);
    return rc;
}

int site_do_team(SiteCall *call, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf body = {0};
    char path[160];
    Str name, what, team;
    int rc = find_path(call, "", path, sizeof(path), &name, err);

    if (rc == 0)
        rc = site_call_argument(call, 1, "list, approve or withdraw", &what, err);
    if (rc == 0 && str_eq(what, STR("list")))
        return list_teams(call, name, err);
    if (rc == 0 && !str_eq(what, STR("approve")) && !str_eq(what, STR("withdraw")))
        rc = err_set(err, ERR_USAGE, "contest team: '%.*s' is none of list, approve, withdraw",
                     STR_ARG(what));
    if (rc == 0)
        rc = site_call_argument(call, 2, "the team", &team, err);
    if (rc)
        return rc;
    snprintf(path, sizeof(path), "contests/%.*s/teams/%.*s/%.*s", STR_ARG(name),
             STR_ARG(str_part(team, 0, 64)), STR_ARG(what));
    buf_add(&body, STR("{}"));
    rc = ask(call, "POST", path, &body, &reply, err);
    if (rc == 0)
        printf("%.*s: %s\n", STR_ARG(team),
               str_eq(what, STR("approve")) ? "approved" : "withdrawn");
    return rc;
}

int site_do_announce(SiteCall *call, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    const char *japanese = options_text(call->given, 1);
    char path[96];
    Str name, text;
    int rc = find_path(call, "/announcements", path, sizeof(path), &name, err);

    if (rc == 0)
        rc = site_call_argument(call, 1, "the text", &text, err);
    if (rc)
        return rc;
    json_open(&json, '{');
    json_key(&json, STR("text"));
    json_open(&json, '{');
    json_add_str(&json, "en", text);
    if (japanese)
        json_add_str(&json, "ja", str_of(japanese));
    json_close(&json);
    json_close(&json);
    rc = ask(call, "POST", path, &body, &reply, err);
    if (rc == 0)
        printf("%.*s: told to all teams\n", STR_ARG(name));
    return rc;
}
