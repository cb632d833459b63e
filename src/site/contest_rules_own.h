/* contest_rules_own.h - the parts of a contest file's reader that natural language needs.
 *
 * For:    site/contest_rules.c alone.
 * Memory: texts are the plan's.
 * Thread: any.
 * Source: docs/spec/contest-operations.md 9, 10.
 */
#ifndef WARG_SITE_CONTEST_RULES_OWN_H
#define WARG_SITE_CONTEST_RULES_OWN_H

#include "base/key_table.h"
#include "site/contest_rules.h"

/* Of the target, a SiteRules; windows need the tracks, and the zone, above them. */
KeyRead contest_tracks_read;
KeyRead contest_windows_read;
KeyRead contest_evaluation_read;

/* A track's configuration as seen from `folder`. Errors: ERR_LIMIT. */
int contest_track_path(Plan *plan, const char *folder, RulesTrack *track, Err *err);

#endif
