#include "cli/contest_site.h"

#include "cli/contest_call.h"
#include "cli/rehearsal.h"

#include <stdlib.h>

static const struct {
    const char *verb;
    SiteVerbDo *act;
    bool finds; /* server.yml is there, and the server is looked for */
} verbs[] = {
    {"init", site_do_init, false},        {"migrate", site_do_migrate, false},
    {"doctor", site_do_doctor, false},    {"probe", site_do_probe, true},
    {"invite", site_do_invite, true},     {"reset", site_do_reset, true},
    {"new", site_do_new, true},           {"amend", site_do_amend, true},
    {"list", site_do_list, true},         {"status", site_do_status, true},
    {"open", site_do_open, true},         {"freeze", site_do_freeze, true},
    {"start", site_do_start, true},       {"next", site_do_next, true},
    {"back", site_do_back, true},         {"pause", site_do_pause, true},
    {"resume", site_do_resume, true},     {"cancel", site_do_cancel, true},
    {"round", site_do_round, true},       {"team", site_do_team, true},
    {"announce", site_do_announce, true}, {"findings", site_do_findings, false},
    {"rule", site_do_rule, false},        {"backup", site_do_backup, false},
    {"restore", site_do_restore, false},  {"bundle", site_do_bundle, true},
    {"sheets", site_do_sheets, true},     {"judge", site_do_judge, true},
    {"scores", site_do_scores, true},
};

int contest_site_run(const Usage *usages, int argc, char **argv, DateMs *date, const char *own_verb,
                     Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(site_call_done) SiteCall call = {.given = &given, .own_verb = own_verb};
    size_t at = 0;
    int go = options_parse(options_usage(usages, argv[0]), argc, argv, &given, err);

    if (go <= 0)
        return go;
    while (strcmp(verbs[at].verb, argv[0]) != 0)
        at++;
    const char *clock = getenv(SITE_CLOCK_ENV);
    if (!clock || !rehearsal_read(clock, &call.now_ms))
        call.now_ms = date();
    int rc = verbs[at].finds ? site_call_find(&call, NULL, err) : 0;
    if (rc == 0 && verbs[at].finds)
        rc = site_call_client(&call, false, err);
    return rc ? rc : verbs[at].act(&call, err);
}
