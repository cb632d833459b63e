#include "api/api_routes.h"

#include "api/api_handlers.h"

#define GET    "GET"
#define POST   "POST"
#define PUT    "PUT"
#define PATCH  "PATCH"
#define DELETE "DELETE"

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
    {PATCH, "accounts/:", VERB_LIST_ACCOUNTS, OBJECT_SITE, 0, api_accounts_change},
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
