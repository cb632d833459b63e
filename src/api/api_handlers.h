/* api_handlers.h - what each route does; the table of routes names them.
 *
 * For:    api_routes.c.
 * Memory: see api_visit.h.
 * Thread: the loop's.
 * Source: docs/contest-api.md says for each what it takes and answers.
 */
#ifndef WARG_API_API_HANDLERS_H
#define WARG_API_API_HANDLERS_H

#include "api/api_visit.h"

/* ---- the server: api_state.c, api_metrics.c ---- */
ApiHandler api_state_health, api_state_ready;
ApiHandler api_state_metrics;

/* ---- accounts: api_account.c, api_account_secret.c ---- */
ApiHandler api_account_make, api_account_see, api_account_change, api_account_erase,
    api_account_write;
ApiHandler api_log_in, api_log_out, api_reset;
ApiHandler api_tokens_list, api_tokens_make, api_tokens_end, api_logins_list, api_logins_end;
ApiHandler api_invite_use;
ApiHandler api_accounts_list, api_accounts_make, api_accounts_change, api_accounts_reset;
ApiHandler api_backup; /* api_backup.c */

/* ---- contests: api_contest.c, api_game.c, api_proof.c, api_events.c ---- */
ApiHandler api_contests_list, api_contest_see, api_contest_make, api_contest_teams,
    api_contest_standings;
ApiHandler api_games_list, api_game_see, api_game_log, api_game_doc, api_game_exchange,
    api_game_output;
ApiHandler api_ledger_lines, api_ledger_checkpoint, api_ledger_key, api_ledger_proof,
    api_ledger_consistency, api_bundle;
ApiHandler api_events_open, api_environment;

/* ---- teams: api_team.c, api_version.c ---- */
ApiHandler api_team_found, api_team_see, api_team_change, api_team_invite, api_team_withdraw,
    api_team_drop_member, api_team_set_captain, api_team_lot, api_team_token;
ApiHandler api_version_make, api_version_file, api_version_see, api_version_report,
    api_version_activate, api_document_file;
ApiHandler api_finding_answer, api_appeal_make;
ApiHandler api_team_logs; /* api_logs.c */

/* ---- tracks: api_track.c ---- */
ApiHandler api_track_waiting, api_track_enter;

/* ---- organisers: api_organise.c ---- */
ApiHandler api_rounds;
ApiHandler api_state_ask, api_pause, api_amend, api_dates, api_announce, api_rule;
ApiHandler api_findings_list, api_appeals_list, api_team_approve, api_team_refuse;
ApiHandler api_roles_list, api_roles_give, api_roles_take;
ApiHandler api_jobs_list, api_job_stop, api_job_retry, api_trail;

/* ---- judges: api_judge.c ---- */
ApiHandler api_sheets_list, api_sheets_read, api_sheet_see, api_sheet_rate, api_sheet_submit,
    api_scores;

#endif
