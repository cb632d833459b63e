/* contest_site.h - the verbs of `warg contest` that work on a site.
 *
 * For:    src/cmd/cmd_contest.c, which has their rows.
 * Memory: none is kept.
 * Thread: main thread.
 * Source: docs/spec/contest-operations.md 14.
 *
 * To add a verb: a function below, a row in contest_site.c, a row in cmd_contest.c, a part of
 * man/warg-contest.1.scd.
 */
#ifndef WARG_CLI_CONTEST_SITE_H
#define WARG_CLI_CONTEST_SITE_H

#include "cli/contest_call.h"

/* contest_admin.c */
SiteVerbDo site_do_init, site_do_migrate, site_do_doctor, site_do_probe, site_do_invite,
    site_do_reset;
/* contest_organise.c */
SiteVerbDo site_do_new, site_do_amend, site_do_open, site_do_freeze, site_do_start, site_do_next,
    site_do_back, site_do_pause, site_do_resume, site_do_cancel, site_do_round, site_do_team,
    site_do_announce, site_do_findings, site_do_rule;
/* contest_proof.c */
SiteVerbDo site_do_backup, site_do_restore, site_do_bundle;
/* contest_judging.c */
SiteVerbDo site_do_sheets, site_do_judge, site_do_scores;
/* contest_status.c */
SiteVerbDo site_do_list, site_do_status;

/* Runs the verb argv[0] of `usages`. */
int contest_site_run(const Usage *usages, int argc, char **argv, DateMs *date, const char *own_verb,
                     Err *err);

#endif
