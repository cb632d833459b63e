#include "site/team.h"

#include "base/mem.h"
#include "site/may.h"
#include "store/db_row.h"

static const char *const state_names[TEAM_STATES] = {
    [TEAM_WAITING] = "WAITING",
    [TEAM_IN] = "IN",
    [TEAM_WITHDRAWN] = "WITHDRAWN",
    [TEAM_OUT] = "OUT",
};

const char *team_state_name(TeamState state)
{
    return state < TEAM_STATES ? state_names[state] : "";
}

/* ---- names ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* What occurs in names of contests, and neither a path nor a pattern nor a line of a file can begin
 * with or be ended by. */
static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           (c && strchr("_-.+%", c));
}

int team_judge_name(Str name, bool natural_language, Err *err)
{
    bool good = name.len >= 1 && name.len <= TEAM_NAME_BYTES && name.bytes[0] != '.' &&
                name.bytes[0] != '-';

    for (size_t i = 0; good && i < name.len; i++)
        good = is_name_char(name.bytes[i]);
    if (!good)
        return err_set(
            err, ERR_RULE,
            "name: 1 to %d letters, digits and _ - . + %%, not '.' or '-' at the beginning",
            TEAM_NAME_BYTES);
    if (natural_language && is_digit(name.bytes[name.len - 1]))
        return err_set(err, ERR_RULE,
                       "name: no digit at its end: the agents of a team are NAME1, NAME2 ...");
    return 0;
}

/* ---- look-ups ---- */

int team_find(Db *db, int64_t contest, Str name, int64_t *ret_team, Err *err)
{
    return db_ask(db, TEAM_NONE, ret_team, err,
                  "SELECT id FROM team WHERE contest = ?1 AND name = ?2", "it", contest, name);
}

int team_of_account(Db *db, int64_t contest, int64_t account, int64_t *ret_team, Err *err)
{
    return db_ask(db, TEAM_NONE, ret_team, err,
                  "SELECT team.id FROM member JOIN team ON team.id = member.team"
                  " WHERE team.contest = ?1 AND member.account = ?2",
                  "ii", contest, account);
}

int team_relations(Db *db, int64_t team, int64_t account, unsigned *ret_relations, Err *err)
{
    int64_t captain;
    int rc =
        db_ask(db, -1, &captain, err, "SELECT captain FROM member WHERE team = ?1 AND account = ?2",
               "ii", team, account);

    *ret_relations = captain < 0 ? 0 : IS_MEMBER | (captain ? (unsigned)IS_CAPTAIN : 0);
    return rc;
}

/* ---- founding ---- */

static int name_is_taken(Db *db, const TeamSetup *setup, bool *ret_taken, Err *err)
{
    int64_t taken = 0;
    int rc = db_ask(db, 0, &taken, err,
                    "SELECT 1 FROM team WHERE contest = ?1 AND lower(name) = lower(?2)", "it",
                    setup->contest, setup->name);

    *ret_taken = taken;
    return rc;
}

static int insert_team(Db *db, const TeamSetup *setup, int64_t now_ms, int64_t *ret_team, Err *err)
{
    return db_ask(db, TEAM_NONE, ret_team, err,
                  "INSERT INTO team(contest, name, affiliation, state, created)"
                  " VALUES(?1, ?2, ?3, ?4, ?5) RETURNING id",
                  "ittti", setup->contest, setup->name, setup->affiliation,
                  str_of(state_names[setup->approve ? TEAM_WAITING : TEAM_IN]), now_ms);
}

typedef struct Founding {
    const TeamSetup *setup;
    int64_t now_ms, team;
} Founding;

static int found_in_transaction(Db *db, void *user, Err *err)
{
    Founding *founding = user;
    const TeamSetup *setup = founding->setup;
    int64_t other = TEAM_NONE;
    bool taken = false;
    int rc = name_is_taken(db, setup, &taken, err);

    if (rc == 0)
        rc = team_of_account(db, setup->contest, setup->captain, &other, err);
    if (rc == 0 && taken)
        rc = err_set(err, ERR_RULE, "name: '%.*s' is taken", STR_ARG(setup->name));
    if (rc == 0 && other != TEAM_NONE)
        rc = err_set(err, ERR_RULE, "you are in a team of this contest already");
    if (rc == 0)
        rc = insert_team(db, setup, founding->now_ms, &founding->team, err);
    if (rc)
        return rc;
    return db_run(db, err, "INSERT INTO member(team, account, captain) VALUES(?1, ?2, 1)", "ii",
                  founding->team, setup->captain);
}

int team_found(Db *db, const TeamSetup *setup, int64_t now_ms, int64_t *ret_team, Err *err)
{
    Founding founding = {.setup = setup, .now_ms = now_ms};
    int rc = team_judge_name(setup->name, setup->natural_language, err);

    if (rc == 0)
        rc = db_transaction(db, found_in_transaction, &founding, err);
    if (rc == 0)
        *ret_team = founding.team;
    return rc;
}

/* ---- members ---- */

typedef struct Membership {
    int64_t team, account;
    uint32_t members_max;
    bool captain;
} Membership;

static int join_in_transaction(Db *db, void *user, Err *err)
{
    const Membership *join = user;
    int64_t contest, members, sheets = 0, other = TEAM_NONE;
    int rc = db_ask(db, 0, &contest, err,
                    "SELECT contest FROM team WHERE id = ?1 AND state IN ('WAITING', 'IN')", "i",
                    join->team);

    if (rc == 0 && !contest)
        rc = err_set(err, ERR_RULE, "there is no such team, or it does not play any more");
    if (rc == 0)
        rc = team_of_account(db, contest, join->account, &other, err);
    if (rc == 0 && other != TEAM_NONE)
        rc = err_set(err, ERR_RULE, "you are in a team of this contest already");
    if (rc == 0)
        rc = db_ask(db, 0, &sheets, err,
                    "SELECT count(*) FROM sheet WHERE contest = ?1 AND judge = ?2", "ii", contest,
                    join->account);
    if (rc == 0 && sheets)
        rc = err_set(err, ERR_RULE, "you judge games of this contest");
    if (rc == 0)
        rc = db_ask(db, 0, &members, err, "SELECT count(*) FROM member WHERE team = ?1", "i",
                    join->team);
    if (rc == 0 && members >= join->members_max)
        rc = err_set(err, ERR_RULE, "the team has %u members, and no more may join",
                     (unsigned)join->members_max);
    if (rc)
        return rc;
    return db_run(db, err, "INSERT INTO member(team, account, captain) VALUES(?1, ?2, 0)", "ii",
                  join->team, join->account);
}

int team_join(Db *db, int64_t team, int64_t account, uint32_t members_max, Err *err)
{
    Membership join = {.team = team, .account = account, .members_max = members_max};

    return db_transaction(db, join_in_transaction, &join, err);
}

/* Whether a team keeps a captain without this one. */
static int check_captains(Db *db, int64_t team, int64_t account, int64_t *ret_others, Err *err)
{
    int64_t captains;
    int rc = db_ask(db, 0, ret_others, err,
                    "SELECT count(*) FROM member WHERE team = ?1 AND account <> ?2", "ii", team,
                    account);

    if (rc == 0)
        rc = db_ask(db, 0, &captains, err,
                    "SELECT count(*) FROM member WHERE team = ?1 AND account <> ?2 AND captain = 1",
                    "ii", team, account);
    if (rc == 0 && *ret_others > 0 && captains == 0)
        rc = err_set(err, ERR_RULE, "the team needs a captain: make another member one before");
    return rc;
}

static int must_be_member(Db *db, int64_t team, int64_t account, Err *err)
{
    unsigned relations;
    int rc = team_relations(db, team, account, &relations, err);

    if (rc == 0 && !(relations & IS_MEMBER))
        rc = err_set(err, ERR_RULE, "no member of this team");
    return rc;
}

static int leave_in_transaction(Db *db, void *user, Err *err)
{
    const Membership *leave = user;
    int64_t others = 0;
    int rc = must_be_member(db, leave->team, leave->account, err);

    if (rc == 0)
        rc = check_captains(db, leave->team, leave->account, &others, err);
    if (rc == 0)
        rc = db_run(db, err, "DELETE FROM member WHERE team = ?1 AND account = ?2", "ii",
                    leave->team, leave->account);
    if (rc == 0 && others == 0)
        rc = db_run(
            db, err,
            "UPDATE team SET state = 'WITHDRAWN' WHERE id = ?1 AND state IN ('WAITING', 'IN')", "i",
            leave->team);
    return rc;
}

int team_leave(Db *db, int64_t team, int64_t account, Err *err)
{
    Membership leave = {.team = team, .account = account};

    return db_transaction(db, leave_in_transaction, &leave, err);
}

static int captain_in_transaction(Db *db, void *user, Err *err)
{
    const Membership *change = user;
    int64_t others;
    int rc = must_be_member(db, change->team, change->account, err);

    if (rc == 0 && !change->captain) {
        rc = check_captains(db, change->team, change->account, &others, err);
        if (rc == 0 && others == 0)
            rc = err_set(err, ERR_RULE, "the only member of a team is its captain");
    }
    if (rc)
        return rc;
    return db_run(db, err,
                  change->captain
                      ? "UPDATE member SET captain = 1 WHERE team = ?1 AND account = ?2"
                      : "UPDATE member SET captain = 0 WHERE team = ?1 AND account = ?2",
                  "ii", change->team, change->account);
}

int team_set_captain(Db *db, int64_t team, int64_t account, bool captain, Err *err)
{
    Membership change = {.team = team, .account = account, .captain = captain};

    return db_transaction(db, captain_in_transaction, &change, err);
}

int team_move(Db *db, int64_t team, TeamState from, TeamState to, bool *ret_changed, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "UPDATE team SET state = ?3 WHERE id = ?1 AND state = ?2", &query, err);

    *ret_changed = false;
    if (rc)
        return rc;
    db_bind_int(query, 1, team);
    db_bind_text(query, 2, str_of(state_names[from]));
    db_bind_text(query, 3, str_of(state_names[to]));
    rc = db_step(query, err);
    if (rc == 0)
        *ret_changed = db_changes(db) == 1;
    return rc;
}

int team_is_finalist(Db *db, int64_t team, bool *ret_finalist, Err *err)
{
    int64_t finalist;
    int rc = db_ask(db, 0, &finalist, err, "SELECT finalist FROM team WHERE id = ?1", "i", team);

    *ret_finalist = finalist != 0;
    return rc;
}

int team_set_finalist(Db *db, int64_t team, bool finalist, Err *err)
{
    return db_run(db, err, "UPDATE team SET finalist = ?2 WHERE id = ?1", "ii", team,
                  (int64_t)finalist);
}
