#include "api/api_routes.h"

#include "api/api_handlers.h"

#define GET    "GET"
#define POST   "POST"
#define PUT    "PUT"
#define PATCH  "PATCH"
#define DELETE "DELETE"
#define C      "contests/:"
#define T      "contests/:/teams/:"

static const ApiRoute routes[] = {
    {GET, "health", VERB_SEE_CONTEST, OBJECT_SITE, 0, api_state_health},
    {GET, "ready", VERB_SEE_CONTEST, OBJECT_SITE, 0, api_state_ready},
    {GET, "metrics", VERB_SEE_METRICS, OBJECT_SITE, 0, api_state_metrics},

    {POST, "account", VERB_REGISTER, OBJECT_SITE, 0, api_account_make},
    {GET, "account", VERB_SEE_ACCOUNT, OBJECT_SELF, 0, api_account_see},
    {PATCH, "account", VERB_CHANGE_ACCOUNT, OBJECT_SELF, 0, api_account_change},
    {DELETE, "account", VERB_CHANGE_ACCOUNT, OBJECT_SELF, 0, api_account_erase},
    {GET, "account/all", VERB_SEE_ACCOUNT, OBJECT_SELF, 0, api_account_write},
    {GET, "account/logins", VERB_SEE_ACCOUNT, OBJECT_SELF, 0, api_logins_list},
    {DELETE, "account/logins/:", VERB_CHANGE_ACCOUNT, OBJECT_SELF, 0, api_logins_end},
    {GET, "account/tokens", VERB_SEE_ACCOUNT, OBJECT_SELF, 0, api_tokens_list},
    {POST, "account/tokens", VERB_CHANGE_ACCOUNT, OBJECT_SELF, 0, api_tokens_make},
    {DELETE, "account/tokens/:", VERB_CHANGE_ACCOUNT, OBJECT_SELF, 0, api_tokens_end},
    {POST, "login", VERB_LOG_IN, OBJECT_SITE, 0, api_log_in},
    {POST, "logout", VERB_LOG_IN, OBJECT_SITE, 0, api_log_out},
    {POST, "reset", VERB_LOG_IN, OBJECT_SITE, 0, api_reset},
    {POST, "invite", VERB_CHANGE_ACCOUNT, OBJECT_SELF, 0, api_invite_use},
    {GET, "accounts", VERB_LIST_ACCOUNTS, OBJECT_SITE, 0, api_accounts_list},
    {POST, "accounts", VERB_LIST_ACCOUNTS, OBJECT_SITE, 0, api_accounts_make},
    {POST, "backup", VERB_BACK_UP, OBJECT_SITE, 0, api_backup},
    {PATCH, "accounts/:", VERB_LIST_ACCOUNTS, OBJECT_SITE, 0, api_accounts_change},
    {POST, "accounts/:/reset", VERB_RESET_ACCOUNT, OBJECT_SITE, 0, api_accounts_reset},

    {GET, "contests", VERB_SEE_CONTEST, OBJECT_SITE, 0, api_contests_list},
    {POST, "contests", VERB_CREATE_CONTEST, OBJECT_SITE, ROUTE_LARGE | ROUTE_UNTOLD,
     api_contest_make},
    {GET, C, VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_contest_see},
    {GET, C "/teams", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_contest_teams},
    {GET, C "/standings", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_contest_standings},
    {GET, C "/games", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_games_list},
    {GET, C "/games/:", VERB_SEE_CONTEST, OBJECT_GAME, 0, api_game_see},
    {GET, C "/games/:/log", VERB_SEE_CONTEST, OBJECT_GAME, 0, api_game_log},
    {GET, C "/games/:/doc", VERB_SEE_CONTEST, OBJECT_GAME, 0, api_game_doc},
    {GET, C "/games/:/exchange", VERB_SEE_CONTEST, OBJECT_GAME, 0, api_game_exchange},
    {GET, C "/games/:/output", VERB_SEE_OUTPUT, OBJECT_GAME, 0, api_game_output},
    {GET, C "/ledger", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_ledger_lines},
    {GET, C "/checkpoint", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_ledger_checkpoint},
    {GET, C "/key", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_ledger_key},
    {GET, C "/proof", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_ledger_proof},
    {GET, C "/consistency", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_ledger_consistency},
    {GET, C "/bundle", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_bundle},
    {GET, C "/environment", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_environment},
    {GET, C "/events", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_events_open},

    {POST, C "/teams", VERB_FOUND_TEAM, OBJECT_CONTEST, ROUTE_REGISTERS, api_team_found},
    {GET, T, VERB_SEE_TEAM, OBJECT_TEAM, 0, api_team_see},
    {PATCH, T, VERB_CHANGE_TEAM, OBJECT_TEAM, 0, api_team_change},
    {POST, T "/invite", VERB_CHANGE_TEAM, OBJECT_TEAM, 0, api_team_invite},
    {POST, T "/withdraw", VERB_CHANGE_TEAM, OBJECT_TEAM, 0, api_team_withdraw},
    {DELETE, T "/members/:", VERB_LEAVE_TEAM, OBJECT_TEAM, 0, api_team_drop_member},
    {PATCH, T "/members/:", VERB_CHANGE_TEAM, OBJECT_TEAM, 0, api_team_set_captain},
    {PUT, T "/lots/:", VERB_CHANGE_TEAM, OBJECT_TEAM, 0, api_team_lot},
    {POST, T "/token", VERB_CHANGE_TEAM, OBJECT_TEAM, 0, api_team_token},
    {POST, T "/versions", VERB_SUBMIT, OBJECT_TEAM, 0, api_version_make},
    {PUT, T "/documents/:", VERB_SUBMIT, OBJECT_TEAM, ROUTE_FILE, api_document_file},
    {GET, T "/findings", VERB_SEE_TEAM, OBJECT_TEAM, 0, api_findings_list},
    {POST, T "/appeals", VERB_APPEAL, OBJECT_TEAM, 0, api_appeal_make},
    {GET, T "/logs.zip", VERB_SEE_TEAM, OBJECT_TEAM, 0, api_team_logs},
    {PUT, T "/tracks/:", VERB_CHANGE_TEAM, OBJECT_TEAM, 0, api_track_enter},
    {GET, C "/tracks/:/waiting", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_track_waiting},
    {POST, T "/approve", VERB_CHANGE_STATE, OBJECT_TEAM, 0, api_team_approve},
    {POST, T "/refuse", VERB_CHANGE_STATE, OBJECT_TEAM, 0, api_team_refuse},
    {GET, C "/versions/:", VERB_SEE_TEAM, OBJECT_VERSION, 0, api_version_see},
    {PUT, C "/versions/:/file", VERB_SUBMIT, OBJECT_VERSION, ROUTE_FILE, api_version_file},
    {GET, C "/versions/:/report", VERB_SEE_TEAM, OBJECT_VERSION, 0, api_version_report},
    {POST, C "/versions/:/activate", VERB_SUBMIT, OBJECT_VERSION, 0, api_version_activate},
    {POST, C "/findings/:/answer", VERB_ANSWER_FINDING, OBJECT_FINDING, 0, api_finding_answer},

    {POST, C "/state", VERB_CHANGE_STATE, OBJECT_CONTEST, ROUTE_OWN, api_state_ask},
    {POST, C "/pause", VERB_CHANGE_STATE, OBJECT_CONTEST, ROUTE_UNTOLD, api_pause},
    {POST, C "/rounds", VERB_CHANGE_STATE, OBJECT_CONTEST, 0, api_rounds},
    {POST, C "/amend", VERB_AMEND, OBJECT_CONTEST, ROUTE_LARGE | ROUTE_UNTOLD, api_amend},
    {PATCH, C "/dates", VERB_AMEND, OBJECT_CONTEST, ROUTE_UNTOLD, api_dates},
    {POST, C "/announcements", VERB_ANNOUNCE, OBJECT_CONTEST, ROUTE_UNTOLD, api_announce},
    {POST, C "/rulings", VERB_RULE, OBJECT_CONTEST, 0, api_rule},
    {GET, C "/findings", VERB_SEE_JOBS, OBJECT_CONTEST, 0, api_findings_list},
    {GET, C "/appeals", VERB_SEE_JOBS, OBJECT_CONTEST, 0, api_appeals_list},
    {GET, C "/roles", VERB_SEE_JOBS, OBJECT_CONTEST, 0, api_roles_list},
    {POST, C "/roles", VERB_APPOINT, OBJECT_CONTEST, 0, api_roles_give},
    {DELETE, C "/roles", VERB_APPOINT, OBJECT_CONTEST, 0, api_roles_take},
    {GET, C "/jobs", VERB_SEE_JOBS, OBJECT_CONTEST, 0, api_jobs_list},
    {POST, C "/jobs/:/stop", VERB_CHANGE_STATE, OBJECT_JOB, 0, api_job_stop},
    {POST, C "/jobs/:/retry", VERB_CHANGE_STATE, OBJECT_JOB, 0, api_job_retry},
    {GET, C "/trail", VERB_SEE_TRAIL, OBJECT_CONTEST, 0, api_trail},

    {GET, C "/sheets", VERB_SEE_SHEET, OBJECT_CONTEST, 0, api_sheets_list},
    {POST, C "/sheets", VERB_APPOINT, OBJECT_CONTEST, ROUTE_LARGE, api_sheets_read},
    {GET, C "/sheets/:", VERB_SEE_SHEET, OBJECT_SHEET, 0, api_sheet_see},
    {PUT, C "/sheets/:", VERB_RATE, OBJECT_SHEET, ROUTE_LARGE, api_sheet_rate},
    {POST, C "/sheets/:/submit", VERB_RATE, OBJECT_SHEET, 0, api_sheet_submit},
    {GET, C "/scores", VERB_SEE_CONTEST, OBJECT_CONTEST, 0, api_scores},
};

const ApiRoute *api_routes(size_t *ret_count)
{
    *ret_count = sizeof(routes) / sizeof(routes[0]);
    return routes;
}

/* Whether a path is of this form: ":" is any one segment that is not empty. */
static bool path_matches(const char *form, Str path, Str words[static API_WORDS_MAX])
{
    Str rest = str_of(form);
    unsigned count = 0;

    while (rest.len && path.len) {
        Str want = str_cut(&rest, '/'), have = str_cut(&path, '/');
        if (!have.len)
            return false;
        if (!str_eq(want, STR(":")) && !str_eq(want, have))
            return false;
        if (str_eq(want, STR(":")))
            words[count++] = have;
    }
    return !rest.len && !path.len;
}

const ApiRoute *api_route_find(Str method, Str path, Str ret_words[static API_WORDS_MAX],
                               Buf *ret_methods)
{
    const ApiRoute *found = NULL;

    for (unsigned i = 0; i < API_WORDS_MAX; i++)
        ret_words[i] = (Str){"", 0};
    if (path.len && path.bytes[path.len - 1] == '/') /* str_cut would not see it */
        return NULL;
    for (size_t i = 0; !found && i < sizeof(routes) / sizeof(routes[0]); i++) {
        Str words[API_WORDS_MAX] = {{"", 0}, {"", 0}, {"", 0}};
        if (!path_matches(routes[i].path, path, words))
            continue;
        if (str_eq(method, str_of(routes[i].method))) {
            memcpy(ret_words, words, sizeof(words));
            found = &routes[i];
        } else if (ret_methods) {
            buf_printf(ret_methods, "%s%s", ret_methods->len ? ", " : "", routes[i].method);
        }
    }
    return found;
}
