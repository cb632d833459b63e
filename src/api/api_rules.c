#include "api/api_rules.h"

#include "base/mem.h"
#include "site/contest.h"
#include "site/team.h"

#define KEPT 16 /* contests; a seventeenth takes the place of the one that was read first */

typedef struct KeptRules {
    int64_t contest; /* 0 = free */
    Buf digest;
    SiteRules rules;
} KeptRules;

struct ApiRules {
    KeptRules kept[KEPT];
    unsigned next;
};

ApiRules *api_rules_new(void)
{
    return mem_new(sizeof(ApiRules));
}

static void forget_rules(KeptRules *kept)
{
    if (kept->contest)
        contest_rules_done(&kept->rules);
    buf_done(&kept->digest);
    *kept = (KeptRules){0};
}

ApiRules *api_rules_free(ApiRules *rules)
{
    for (unsigned i = 0; rules && i < KEPT; i++)
        forget_rules(&rules->kept[i]);
    return mem_free(rules);
}

int api_rules_get(ApiSite *site, int64_t contest, const SiteRules **ret_rules, Err *err)
{
    CLEANUP(contest_done) Contest row = {0};
    ApiRules *rules = site->rules;
    KeptRules *place = NULL;
    int rc = contest_get(site->db, contest, &row, err);

    for (unsigned i = 0; rc == 0 && i < KEPT; i++) {
        KeptRules *kept = &rules->kept[i];
        if (kept->contest == contest && str_eq(buf_str(&kept->digest), buf_str(&row.digest))) {
            *ret_rules = &kept->rules;
            return 0;
        }
        if (kept->contest == contest)
            place = kept;
    }
    if (rc)
        return rc;
    if (!place)
        place = &rules->kept[rules->next++ % KEPT];
    forget_rules(place);
    rc = contest_rules_read(buf_str(&row.file), site->settings->folder, &place->rules, err);
    if (rc)
        return rc;
    place->contest = contest;
    buf_add(&place->digest, buf_str(&row.digest));
    *ret_rules = &place->rules;
    return 0;
}

int api_rules_of(ApiVisit *visit, const SiteRules **ret_rules, Err *err)
{
    return api_rules_get(visit->site, visit->contest, ret_rules, err);
}

const char *api_rules_division(const SiteRules *rules)
{
    return rules->natural_language ? "nlp" : "protocol";
}

ContestHome api_home(const ApiVisit *visit)
{
    return (ContestHome){visit->contest, buf_str(&visit->contest_name),
                         visit->site->settings->data};
}

/* ---- what is shown ---- */

bool api_is_organiser(const ApiVisit *visit)
{
    return api_may(visit, VERB_SEE_TRAIL);
}

bool api_is_published(const ApiVisit *visit)
{
    return visit->state == LIFE_PUBLISHED || visit->state == LIFE_ARCHIVED;
}

bool api_shows_standings(const ApiVisit *visit, const SiteRules *rules)
{
    return rules->publish.live != LIVE_NONE || visit->state == LIFE_APPEALS ||
           api_is_published(visit) || api_is_organiser(visit);
}

/* As long as people judge: who can look up a game knows whose sheets he fills in. */
static bool are_games_judged(const ApiVisit *visit, const SiteRules *rules)
{
    return rules->evaluation.given && visit->state <= LIFE_JUDGING;
}

bool api_shows_games(const ApiVisit *visit, const SiteRules *rules)
{
    if (api_is_published(visit) || api_is_organiser(visit))
        return true;
    return rules->publish.live == LIVE_GAMES && !are_games_judged(visit, rules);
}

bool api_shows_log(const ApiVisit *visit, const SiteRules *rules)
{
    if (api_is_organiser(visit))
        return true;
    if (rules->publish.logs == PUBLISH_LOGS_NONE)
        return api_is_published(visit);
    if (visit->team != TEAM_NONE && visit->relations & IS_MEMBER)
        return true;
    return api_is_published(visit) ||
           (rules->publish.logs == PUBLISH_LOGS_ALL && !are_games_judged(visit, rules));
}
