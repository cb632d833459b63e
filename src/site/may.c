#include "site/may.h"

#define ORGANISERS (IS_ORGANISER | IS_ADMIN)

/* Who has one of `relations`, with a token that has one of `scopes`. A scope of 0: by a login
 * alone. An admin runs the server: of a contest's inside that is what an organiser sees, and no
 * team's secrets. */
static const struct {
    const char *name;
    unsigned relations;
    unsigned scopes;
} may[SITE_VERBS] = {
    [VERB_REGISTER] = {"register", IS_ANYBODY, SCOPE_ALL},
    [VERB_LOG_IN] = {"log-in", IS_ANYBODY, SCOPE_ALL},
    [VERB_SEE_ACCOUNT] = {"see-account", IS_SELF | IS_ADMIN, SCOPE_READ},
    [VERB_CHANGE_ACCOUNT] = {"change-account", IS_SELF, 0},
    [VERB_LIST_ACCOUNTS] = {"list-accounts", IS_ADMIN, SCOPE_ORGANISE},
    [VERB_RESET_ACCOUNT] = {"reset-account", IS_ADMIN, 0},
    [VERB_CREATE_CONTEST] = {"create-contest", IS_ADMIN, SCOPE_ORGANISE},
    [VERB_BACK_UP] = {"back-up", IS_ADMIN, SCOPE_ORGANISE},
    [VERB_SEE_METRICS] = {"see-metrics", IS_ADMIN, SCOPE_ORGANISE},
    [VERB_SEE_CONTEST] = {"see-contest", IS_ANYBODY, SCOPE_ALL},
    [VERB_FOUND_TEAM] = {"found-team", IS_LOGGED_IN, 0},
    [VERB_CHANGE_STATE] = {"change-state", ORGANISERS, SCOPE_ORGANISE},
    [VERB_AMEND] = {"amend", ORGANISERS, SCOPE_ORGANISE},
    [VERB_RULE] = {"rule", IS_ORGANISER, SCOPE_ORGANISE},
    [VERB_SEE_JOBS] = {"see-jobs", ORGANISERS, SCOPE_ORGANISE},
    [VERB_SEE_TRAIL] = {"see-trail", ORGANISERS, SCOPE_ORGANISE},
    [VERB_ANNOUNCE] = {"announce", ORGANISERS, SCOPE_ORGANISE},
    [VERB_APPOINT] = {"appoint", ORGANISERS, 0},
    [VERB_SEE_TEAM] = {"see-team", IS_MEMBER | IS_ORGANISER, SCOPE_READ | SCOPE_SUBMIT},
    [VERB_SEE_OUTPUT] = {"see-output", IS_MEMBER, SCOPE_READ | SCOPE_SUBMIT},
    [VERB_SUBMIT] = {"submit", IS_MEMBER, SCOPE_SUBMIT},
    [VERB_CHANGE_TEAM] = {"change-team", IS_CAPTAIN, 0},
    [VERB_LEAVE_TEAM] = {"leave-team", IS_MEMBER, 0},
    [VERB_APPEAL] = {"appeal", IS_CAPTAIN, SCOPE_SUBMIT},
    [VERB_ANSWER_FINDING] = {"answer-finding", IS_MEMBER, SCOPE_SUBMIT},
    [VERB_SEE_SHEET] = {"see-sheet", IS_JUDGE, SCOPE_JUDGE},
    [VERB_RATE] = {"rate", IS_JUDGE, SCOPE_JUDGE},
};

bool site_may(SiteVerb verb, unsigned relations, unsigned scopes)
{
    if (verb >= SITE_VERBS || !((relations | IS_ANYBODY) & may[verb].relations))
        return false;
    if (scopes == SCOPE_ALL || may[verb].relations & IS_ANYBODY)
        return true;
    return scopes & may[verb].scopes;
}

const char *site_verb_name(SiteVerb verb)
{
    return verb < SITE_VERBS ? may[verb].name : "";
}
