/* Teams over the API: founded, seen, changed, joined, left. docs/contest-api.md */
#include "api/api_account_json.h"
#include "api/api_handlers.h"
#include "api/api_password.h"
#include "api/api_rules.h"
#include "api/api_shared.h"
#include "api/api_team_json.h"
#include "api/api_track_json.h"
#include "base/key.h"
#include "base/mem.h"
#include "disk/key_file.h"
#include "site/account.h"
#include "site/lot.h"
#include "site/notice.h"
#include "site/notice_mail.h"
#include "site/site_ledger.h"
#include "site/team.h"
#include "store/db_row.h"

#define AFFILIATION_BYTES 200
#define CONSENT_BYTES     2000
#define TOKEN_DAYS        180
#define DAY_MS            ((int64_t)24 * 3600 * 1000)

/* ---- founding ---- */

static int refuse_not_open(ApiVisit *visit)
{
    return api_refuse(visit, REFUSE_RULE, NULL,
                      visit->state == LIFE_DRAFT ? "registration has not begun yet"
                                                 : "registration is over");
}

static int read_affiliation(ApiVisit *visit, Str *ret_text, Err *err)
{
    int rc = api_body_text(visit, "affiliation", ret_text, err);

    if (rc == 0 && (ret_text->len > AFFILIATION_BYTES || !account_is_plain(*ret_text)))
        rc = api_refuse(visit, REFUSE_FIELD, "affiliation",
                        "affiliation: at most 200 bytes of text in one line");
    return rc;
}

int api_team_enter(ApiVisit *visit, const char *type, int64_t team, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    int rc = db_ask_text(visit->site->db, &name, NULL, err, "SELECT name FROM team WHERE id = ?1",
                         "i", team);

    if (rc == 0)
        rc = site_ledger_begun(visit->site->db, visit->contest, err);
    return rc > 0 ? site_ledger_add_texts(visit->site->db, visit->contest, visit->now_ms, type, err,
                                          "team", buf_str(&name), NULL)
                  : rc;
}

static int tell_team_waits(ApiVisit *visit, Str name, Err *err)
{
    const NoticeWord word = {"team", name};
    const Notice notice = {.kind = NOTICE_TEAM_WAITS,
                           .to = TO_ORGANISERS,
                           .contest = visit->contest,
                           .words = &word,
                           .word_count = 1};

    return notice_put(visit->site->db, &notice, visit->now_ms, err);
}

static int found_team(ApiVisit *visit, Err *err)
{
    const SiteRules *rules;
    TeamSetup setup = {.contest = visit->contest, .captain = visit->account};
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = api_body_need(visit, "name", &setup.name, err);
    if (rc == 0)
        rc = read_affiliation(visit, &setup.affiliation, err);
    if (rc)
        return rc;
    setup.natural_language = rules->natural_language;
    setup.approve = rules->registration.approve;
    rc = team_found(visit->site->db, &setup, visit->now_ms, &visit->team, err);
    if (rc == 0)
        rc = setup.approve ? tell_team_waits(visit, setup.name, err)
                           : api_team_enter(visit, "team", visit->team, err);
    visit->relations |= IS_MEMBER | IS_CAPTAIN;
    visit->status = 201;
    return rc == 0 ? api_team_write(visit, rules, err) : rc;
}

/* With an account that is made by the same form. */
static int found_with_account(ApiVisit *visit, Err *err)
{
    int rc = api_account_make_now(visit, err);

    return rc == 0 ? found_team(visit, err) : rc;
}

int api_team_found(ApiVisit *visit, Err *err)
{
    Str login, password, name;

    if (visit->state != LIFE_OPEN)
        return refuse_not_open(visit);
    if (visit->account != ACCOUNT_NONE)
        return found_team(visit, err);
    if (visit->local)
        return api_refuse(visit, REFUSE_LOGIN, NULL, NULL);
    int rc = api_body_need(visit, "name", &name, err);
    if (rc == 0)
        rc = api_body_need(visit, "login", &login, err);
    if (rc == 0)
        rc = api_body_need(visit, "password", &password, err);
    if (rc == 0)
        rc = api_account_may_make(visit, (Str){"", 0}, login, password, err);
    return rc == 0 ? api_password_make(visit, password, found_with_account, err) : rc;
}

/* ---- seeing ---- */

int api_team_see(ApiVisit *visit, Err *err)
{
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    return rc == 0 ? api_team_write(visit, rules, err) : rc;
}

/* ---- changing ---- */

/* An object whose members are booleans: what may be shown of a team. */
static int read_consent(ApiVisit *visit, Buf *out)
{
    const json_t *consent = visit->body ? json_get(visit->body, "consent") : NULL;
    Json json = json_over(out);

    if (!consent)
        return 0;
    if (!json_is_map(consent))
        return api_refuse(visit, REFUSE_FIELD, "consent", NULL);
    json_open(&json, '{');
    for (void *member = json_member(consent, NULL); member; member = json_member(consent, member)) {
        bool yes;
        if (!json_as_bool(json_member_value(member), &yes))
            return api_refuse(visit, REFUSE_FIELD, "consent", NULL);
        json_add_bool(&json, json_member_key(member), yes);
    }
    json_close(&json);
    return out->len <= CONSENT_BYTES ? 0 : api_refuse(visit, REFUSE_FIELD, "consent", NULL);
}

/* A secret of the team's signs what is sent there; it is told once. */
static int set_webhook(ApiVisit *visit, Str url, Json *json, Err *err)
{
    char hex[KEY_HEX_BYTES] = "";
    Key key;

    if (url.len && (!str_starts(url, STR("https://")) || notice_hook_judge(url, NULL)))
        return api_refuse(visit, REFUSE_FIELD, "webhook",
                          "webhook: a URL as https://hooks.example.org/x, without a login in it");
    int rc = url.len ? key_draw(&key, err) : 0;
    if (rc == 0 && url.len)
        key_to_hex(&key, hex);
    if (rc == 0)
        rc = db_run(visit->site->db, err,
                    "UPDATE team SET webhook = ?2, hook_secret = ?3 WHERE id = ?1", "iTT",
                    visit->team, url, str_of(hex));
    api_add_some(json, "hook_secret", str_of(hex));
    return rc;
}

/* Which notices a captain does not want: the kinds that may be switched off. */
static int read_quiet(ApiVisit *visit, Buf *out, bool *ret_given)
{
    const json_t *list = visit->body ? json_get(visit->body, "quiet") : NULL;

    *ret_given = list;
    for (size_t i = 0; list && i < json_count(list); i++) {
        Str word;
        NoticeKind kind;
        if (!json_as_str(json_at(list, i), &word) || !notice_kind_of(word, &kind) ||
            !notice_may_be_off(kind))
            return api_refuse(visit, REFUSE_FIELD, "quiet", NULL);
        buf_printf(out, "%s%.*s", out->len ? " " : "", STR_ARG(word));
    }
    return 0;
}

int api_team_change(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf consent = {0};
    CLEANUP(buf_done) Buf quiet = {0};
    Json json = json_over(&visit->out);
    Db *db = visit->site->db;
    Str affiliation, webhook;
    bool has_quiet = false;
    int rc = read_affiliation(visit, &affiliation, err);

    if (rc == 0)
        rc = read_consent(visit, &consent);
    if (rc == 0)
        rc = read_quiet(visit, &quiet, &has_quiet);
    if (rc == 0)
        rc = api_body_text(visit, "webhook", &webhook, err);
    if (rc)
        return rc;
    json_open(&json, '{');
    if (visit->body && json_get(visit->body, "affiliation"))
        rc = db_run(db, err, "UPDATE team SET affiliation = ?2 WHERE id = ?1", "iT", visit->team,
                    affiliation);
    if (rc == 0 && consent.len)
        rc = db_run(db, err, "UPDATE team SET consent = ?2 WHERE id = ?1", "it", visit->team,
                    buf_str(&consent));
    if (rc == 0 && has_quiet)
        rc = db_run(db, err, "UPDATE team SET quiet = ?2 WHERE id = ?1", "iT", visit->team,
                    buf_str(&quiet));
    if (rc == 0 && visit->body && json_get(visit->body, "webhook"))
        rc = set_webhook(visit, webhook, &json, err);
    json_close(&json);
    return rc;
}

/* ---- members ---- */

int api_team_invite(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf data = {0};
    CLEANUP(buf_done) Buf link = {0};
    Json json = json_over(&visit->out);
    char secret[SECRET_TEXT_BYTES];
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    if (rc)
        return rc;
    buf_printf(&data, "team %lld %u by %lld", (long long)visit->team, rules->registration.members,
               (long long)visit->account);
    rc = once_make(visit->site->db, ONCE_INVITE, ACCOUNT_NONE, buf_str(&data), visit->now_ms,
                   secret, err);
    if (rc)
        return rc;
    buf_printf(&link, "%.*s/invite/%s", STR_ARG(visit->site->settings->public_url), secret);
    visit->status = 201;
    json_open(&json, '{');
    json_add_str(&json, "link", buf_str(&link));
    json_close(&json);
    return 0;
}

int api_team_withdraw(ApiVisit *visit, Err *err)
{
    bool changed = false;
    Db *db = visit->site->db;
    int rc = team_move(db, visit->team, TEAM_IN, TEAM_WITHDRAWN, &changed, err);

    if (rc == 0 && changed)
        rc = api_team_enter(visit, "withdraw", visit->team, err);
    if (rc == 0 && !changed)
        rc = team_move(db, visit->team, TEAM_WAITING, TEAM_WITHDRAWN, &changed, err);
    if (rc == 0 && !changed)
        rc = api_refuse(visit, REFUSE_RULE, NULL, "the team is out, or has withdrawn already");
    return rc;
}

int api_team_drop_member(ApiVisit *visit, Err *err)
{
    int64_t account = 0;

    if (!str_to_int(visit->words[2], 1, INT64_MAX, &account))
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    /* Whoever is in a team may leave it; others are its captains' to remove. */
    if (account != visit->account && !api_may(visit, VERB_CHANGE_TEAM))
        return api_refuse(visit, REFUSE_FORBIDDEN, NULL, NULL);
    return team_leave(visit->site->db, visit->team, account, err);
}

/* Another captain, or one less. */
int api_team_set_captain(ApiVisit *visit, Err *err)
{
    const json_t *value = visit->body ? json_get(visit->body, "captain") : NULL;
    int64_t account = 0;
    bool captain = false;

    if (!str_to_int(visit->words[2], 1, INT64_MAX, &account))
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    if (!value || !json_as_bool(value, &captain))
        return api_refuse(visit, REFUSE_MISSING, "captain", NULL);
    return team_set_captain(visit->site->db, visit->team, account, captain, err);
}

/* ---- lots and tokens ---- */

int api_team_lot(ApiVisit *visit, Err *err)
{
    Str entry, lot;
    Key key;
    int rc = api_body_text(visit, "entry", &entry, err);

    if (rc == 0)
        rc = api_body_text(visit, "lot", &lot, err);
    if (rc)
        return rc;
    const char *field = lot.len ? "lot" : "entry";
    if (!key_from_hex(lot.len ? lot : entry, &key))
        return api_refuse(visit, REFUSE_FIELD, field, "64 hexadecimal digits are expected");
    return lot.len
               ? lot_open(visit->site->db, visit->team, visit->words[2], &key, visit->now_ms, err)
               : lot_enter(visit->site->db, visit->team, visit->words[2], &key, visit->now_ms, err);
}

/* A token of scripts that may hand in for who asks, and no more. */
int api_team_token(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf label = {0};
    Json json = json_over(&visit->out);
    char token[SECRET_TEXT_BYTES];
    Str track;

    if (api_body_text(visit, "track", &track, err) == 0 && track.len)
        return api_track_make_token(visit, track, err);
    if (visit->account == ACCOUNT_NONE)
        return api_refuse(visit, REFUSE_LOGIN, NULL, NULL);
    buf_printf(&label, "%.*s, %.*s", STR_ARG(visit->words[0]), STR_ARG(visit->words[1]));
    const ApiTokenSetup setup = {.account = visit->account,
                                 .label = buf_str(&label),
                                 .scopes = SCOPE_READ | SCOPE_SUBMIT,
                                 .now_ms = visit->now_ms,
                                 .ends_ms = visit->now_ms + TOKEN_DAYS * DAY_MS};
    int rc = api_token_make(visit->site->db, &setup, token, err);
    if (rc)
        return rc;
    visit->status = 201;
    json_open(&json, '{');
    json_add_str(&json, "token", str_of(token));
    api_add_date(&json, "ends", setup.ends_ms);
    json_close(&json);
    return 0;
}
