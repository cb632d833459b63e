/* may.h - who may do what: one table, and one function that reads it.
 *
 * For:    every route and every verb of a contest site; nothing else decides about rights.
 * Memory: constant tables.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 4 (roles, scopes of tokens), 13.2 (routes).
 *
 * What somebody is to an object is found out elsewhere (the account itself, a member of its team, a
 * judge of its contest ...); an organiser of another contest is nobody here.
 */
#ifndef WARG_SITE_MAY_H
#define WARG_SITE_MAY_H

#include "base/str.h"

/* What somebody is to the object of a verb; several at once. */
typedef enum SiteRelation {
    IS_ANYBODY = 1 << 0, /* always */
    IS_LOGGED_IN = 1 << 1,
    IS_SELF = 1 << 2, /* the account is the object, or what it owns */
    IS_MEMBER = 1 << 3,
    IS_CAPTAIN = 1 << 4, /* a member, too */
    IS_JUDGE = 1 << 5,   /* of the contest; of a sheet: its own judge */
    IS_ORGANISER = 1 << 6,
    IS_ADMIN = 1 << 7, /* of the server */
} SiteRelation;

typedef enum SiteScope {
    SCOPE_READ = 1 << 0,
    SCOPE_SUBMIT = 1 << 1,
    SCOPE_JUDGE = 1 << 2,
    SCOPE_ORGANISE = 1 << 3,
    SCOPE_ALL = (1 << 4) - 1, /* a login with a password */
} SiteScope;

typedef enum SiteVerb {
    /* the server */
    VERB_REGISTER,
    VERB_LOG_IN,
    VERB_SEE_ACCOUNT,
    VERB_CHANGE_ACCOUNT, /* password, mail, tokens, erasing */
    VERB_LIST_ACCOUNTS,
    VERB_RESET_ACCOUNT, /* a link by which somebody gets a new password */
    VERB_CREATE_CONTEST,
    VERB_BACK_UP,
    VERB_SEE_METRICS,
    /* a contest */
    VERB_SEE_CONTEST, /* as its state and `publish` allow */
    VERB_FOUND_TEAM,
    VERB_CHANGE_STATE,
    VERB_AMEND,
    VERB_RULE,
    VERB_SEE_JOBS,
    VERB_SEE_TRAIL,
    VERB_ANNOUNCE,
    VERB_APPOINT, /* judges and organisers */
    /* a team */
    VERB_SEE_TEAM, /* versions, reports, findings, own logs */
    VERB_SEE_OUTPUT,
    VERB_SUBMIT,
    VERB_CHANGE_TEAM, /* invite, withdraw, lots, tokens */
    VERB_LEAVE_TEAM,
    VERB_APPEAL,
    VERB_ANSWER_FINDING,
    /* a sheet */
    VERB_SEE_SHEET,
    VERB_RATE,
    SITE_VERBS,
} SiteVerb;

/* Whether `relations` (SiteRelation, or-ed) may, with a token of these `scopes` (SCOPE_ALL for a
 * login). */
bool site_may(SiteVerb verb, unsigned relations, unsigned scopes);

/* "change-state", as the trail of what was done has it; "" for SITE_VERBS. */
const char *site_verb_name(SiteVerb verb);

#endif
