#include "api/api_account_json.h"

#include "api/api_relations.h"
#include "base/mem.h"
#include "site/account.h"
#include "site/notice.h"
#include "site/role.h"
#include "site/team.h"
#include "store/db_row.h"

#define COOKIE_LIFE_S (LOGIN_DAYS * 24 * 3600)

static int write_teams(ApiVisit *visit, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query_with(visit->site->db, &query, err,
                      "SELECT contest.name, team.name, member.captain FROM member JOIN team ON "
                      "team.id = member.team JOIN contest ON contest.id = team.contest WHERE "
                      "member.account = ?1 ORDER BY contest.name",
                      "i", visit->account);

    json_key(json, STR("teams"));
    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        json_open(json, '{');
        json_add_str(json, "contest", db_text(query, 0));
        json_add_str(json, "team", db_text(query, 1));
        json_add_bool(json, "captain", db_int(query, 2) != 0);
        json_close(json);
    }
    json_close(json);
    return rc;
}

static int write_roles(ApiVisit *visit, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(visit->site->db, &query, err,
                           "SELECT contest.name, role.role FROM role JOIN contest ON contest.id = "
                           "role.contest WHERE role.account = ?1 ORDER BY contest.name, role.role",
                           "i", visit->account);

    json_key(json, STR("roles"));
    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        rc = 0;
        json_open(json, '{');
        json_add_str(json, "contest", db_text(query, 0));
        json_add_str(json, "role", db_text(query, 1));
        json_close(json);
    }
    json_close(json);
    return rc;
}

int api_account_write_own(ApiVisit *visit, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    Json json = json_over(&visit->out);
    char csrf[CSRF_TEXT_BYTES] = "";
    int rc = account_get(visit->site->db, visit->account, &account, err);

    login_csrf(buf_str(&visit->cookie), csrf);
    json_open(&json, '{');
    api_add_id(&json, "id", account.id);
    json_add_str(&json, "login", buf_str(&account.login));
    json_add_str(&json, "name", buf_str(&account.name));
    json_add_str(&json, "mail", buf_str(&account.mail));
    json_add_bool(&json, "mail_ok", account.mail_ok);
    json_add_str(&json, "language", account.language.len ? buf_str(&account.language) : STR("en"));
    json_add_bool(&json, "admin", visit->relations & IS_ADMIN);
    json_add_str(&json, "csrf", str_of(csrf));
    if (rc == 0)
        rc = write_teams(visit, &json, err);
    if (rc == 0)
        rc = write_roles(visit, &json, err);
    json_close(&json);
    return rc;
}

/* ---- logins ---- */

int api_account_begin_login(ApiVisit *visit, Err *err)
{
    char cookie[SECRET_TEXT_BYTES];
    int rc = login_begin(visit->site->db, visit->account, str_of(visit->address), visit->now_ms,
                         cookie, err);

    if (rc)
        return rc;
    buf_clear(&visit->cookie);
    buf_add(&visit->cookie, str_of(cookie));
    buf_clear(&visit->set_cookie);
    buf_printf(&visit->set_cookie,
               "__Host-warg=%s; Path=/; Max-Age=%d; Secure; HttpOnly; SameSite=Lax", cookie,
               COOKIE_LIFE_S);
    return api_relations_of_site(visit, err);
}

void api_account_forget_cookie(ApiVisit *visit)
{
    buf_clear(&visit->set_cookie);
    buf_add(&visit->set_cookie,
            STR("__Host-warg=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax"));
}

/* ---- making one ---- */

int api_account_may_make(ApiVisit *visit, Str invite, Str login, Str password, Err *err)
{
    const ApiSite *site = visit->site;

    if (site->settings->signup != API_SIGNUP_OPEN && !invite.len && !visit->local)
        return api_refuse(visit, REFUSE_SIGNUP, NULL, NULL);
    Err why = {0};
    if (password_judge(password, &login, 1, &why))
        return api_refuse(visit, REFUSE_FIELD, "password", why.msg);
    TimeUs wait =
        visit->local ? 0 : api_rates_account(site->rates, str_of(visit->address), visit->now);
    if (wait) {
        visit->retry_s = (uint32_t)((wait + 999999) / 1000000);
        return api_refuse(visit, REFUSE_TOO_MANY, NULL, NULL);
    }
    (void)err;
    return 0;
}

static int read_setup(ApiVisit *visit, AccountSetup *setup, Str *invite, Err *err)
{
    int rc = api_body_need(visit, "login", &setup->login, err);

    if (rc == 0)
        rc = api_body_text(visit, "name", &setup->name, err);
    if (rc == 0)
        rc = api_body_text(visit, "mail", &setup->mail, err);
    if (rc == 0)
        rc = api_body_text(visit, "language", &setup->language, err);
    if (rc == 0)
        rc = api_body_text(visit, "invite", invite, err);
    if (!setup->language.len)
        setup->language = visit->japanese ? STR("ja") : STR("en");
    return rc;
}

int api_account_make_now(ApiVisit *visit, Err *err)
{
    AccountSetup setup = {.hash = str_of(visit->password.hash)};
    Str invite = {"", 0};
    int rc = read_setup(visit, &setup, &invite, err);

    /* Of a team that is made with it the name is the team's. */
    if (rc == 0 && visit->route->object == OBJECT_CONTEST)
        setup.name = setup.login;
    if (rc == 0)
        rc = account_make(visit->site->db, &setup, visit->now_ms, &visit->account, err);
    if (rc == 0 && invite.len)
        rc = api_account_use_link(visit, invite, err);
    if (rc == 0)
        rc = api_account_ask_mail(visit, err);
    return rc == 0 ? api_account_begin_login(visit, err) : rc;
}

/* ---- links ---- */

int api_account_ask_mail(ApiVisit *visit, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    CLEANUP(buf_done) Buf link = {0};
    Db *db = visit->site->db;
    char secret[SECRET_TEXT_BYTES];
    int rc = account_get(db, visit->account, &account, err);

    if (rc == 0)
        rc = once_end_all(db, ONCE_MAIL, visit->account, err);
    if (rc || !account.mail.len || account.mail_ok)
        return rc;
    rc = once_make(db, ONCE_MAIL, account.id, buf_str(&account.mail), visit->now_ms, secret, err);
    if (rc)
        return rc;
    buf_printf(&link, "%.*s/invite/%s?confirm", STR_ARG(visit->site->settings->public_url), secret);
    if (buf_failed(&link))
        return err_set(err, ERR_MEMORY, "mail: out of memory");
    const NoticeWord word = {"link", buf_str(&link)};
    const Notice notice = {
        .kind = NOTICE_MAIL, .to = TO_ACCOUNT, .id = account.id, .words = &word, .word_count = 1};
    return notice_put(db, &notice, visit->now_ms, err);
}

/* `mail`: the address to which the link was sent. */
static int confirm_mail(ApiVisit *visit, int64_t account, Str mail, Err *err)
{
    bool confirmed = false;
    int rc = account == visit->account
                 ? account_confirm_mail(visit->site->db, account, mail, &confirmed, err)
                 : 0;

    return rc || confirmed ? rc : api_refuse(visit, REFUSE_LINK, "secret", NULL);
}

/* "by 17": a link works while who made it could make it. Without it the server's admin did, at its
 * command line. */
static int check_maker(ApiVisit *visit, bool team, int64_t id, Str made, Err *err)
{
    CLEANUP(account_done) Account maker = {0};
    Db *db = visit->site->db;
    unsigned relations = 0;
    int64_t account = ACCOUNT_NONE;

    if (!str_eq(str_cut(&made, ' '), STR("by")) || !str_to_int(made, 1, INT64_MAX, &account))
        return 0;
    int rc = account_get(db, account, &maker, err);
    if (rc == 0)
        rc = team ? team_relations(db, id, account, &relations, err)
                  : site_role_relations(db, account, id, &relations, err);
    if (rc)
        return rc;
    bool may = relations & (unsigned)(team ? IS_CAPTAIN : IS_ORGANISER | IS_ADMIN);
    return may && maker.id && !maker.disabled ? 0 : api_refuse(visit, REFUSE_LINK, "secret", NULL);
}

/* "team 12 10 by 17", "judge 3 by 17", "organiser 3": as api_team.c and api_organise.c write it. */
static int follow_link(ApiVisit *visit, Str data, Err *err)
{
    Str what = str_cut(&data, ' ');
    Str number = str_cut(&data, ' ');
    int64_t id = 0;
    uint64_t members = 0;

    if (!str_to_int(number, 1, INT64_MAX, &id))
        return api_refuse(visit, REFUSE_LINK, NULL, NULL);
    bool team = str_eq(what, STR("team"));
    if (team && !str_to_uint(str_cut(&data, ' '), UINT32_MAX, &members))
        members = UINT32_MAX;
    int rc = check_maker(visit, team, id, data, err);
    if (rc)
        return rc;
    if (!team)
        return site_role_give(visit->site->db, visit->account, id, site_role_of(what), err);
    return team_join(visit->site->db, id, visit->account, (uint32_t)members, err);
}

int api_account_use_link(ApiVisit *visit, Str secret, Err *err)
{
    CLEANUP(buf_done) Buf data = {0};
    Db *db = visit->site->db;
    int64_t account = ACCOUNT_NONE;
    bool used = false;
    int rc = once_use(db, ONCE_ADMIN, secret, visit->now_ms, &used, &account, &data, err);

    if (rc == 0 && used)
        return site_role_give(db, visit->account, ROLE_SERVER, ROLE_ADMIN, err);
    if (rc == 0)
        rc = once_use(db, ONCE_MAIL, secret, visit->now_ms, &used, &account, &data, err);
    if (rc == 0 && used)
        return confirm_mail(visit, account, buf_str(&data), err);
    if (rc == 0)
        rc = once_use(db, ONCE_INVITE, secret, visit->now_ms, &used, &account, &data, err);
    if (rc == 0 && !used)
        rc = api_refuse(visit, REFUSE_LINK, "secret", NULL);
    if (rc == 0 && account != ACCOUNT_NONE && account != visit->account)
        rc = api_refuse(visit, REFUSE_LINK, "secret", NULL); /* of somebody else */
    return rc == 0 ? follow_link(visit, buf_str(&data), err) : rc;
}
