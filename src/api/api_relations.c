#include "api/api_relations.h"

#include "base/mem.h"
#include "site/role.h"
#include "site/team.h"
#include "store/db_row.h"

int api_relations_of_site(ApiVisit *visit, Err *err)
{
    unsigned roles = 0;

    visit->relations = IS_ANYBODY;
    if (visit->local) { /* whoever owns the files of the server can do all of it anyway */
        visit->relations |= IS_LOGGED_IN | IS_ADMIN | IS_ORGANISER | IS_MEMBER | IS_CAPTAIN;
        return 0;
    }
    if (visit->account == ACCOUNT_NONE)
        return 0;
    visit->relations |= IS_LOGGED_IN;
    int rc = site_role_relations(visit->site->db, visit->account, visit->contest, &roles, err);
    visit->relations |= roles;
    return rc;
}

/* The contest of the first word. */
static int find_contest(ApiVisit *visit, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(visit->site->db, &query, err,
                           "SELECT id, name, state, paused FROM contest WHERE name = ?1", "t",
                           visit->words[0]);

    if (rc == 0)
        rc = db_step(query, err);
    if (rc < 0)
        return rc;
    if (rc == 0)
        return api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    visit->contest = db_int(query, 0);
    buf_add(&visit->contest_name, db_text(query, 1));
    if (!life_state_of(db_text(query, 2), &visit->state))
        return err_set(err, ERR_IO, "contest: the store has a state that is none");
    visit->paused = db_int(query, 3) != 0;
    return 0;
}

static int add_team_relations(ApiVisit *visit, Err *err)
{
    unsigned relations = 0;
    int rc = 0;

    if (visit->team != TEAM_NONE && visit->account != ACCOUNT_NONE)
        rc = team_relations(visit->site->db, visit->team, visit->account, &relations, err);
    visit->relations |= relations;
    return rc;
}

/* Things that only some may know of: whoever owns them, and who sees them to organise or judge. */
static bool is_known(const ApiVisit *visit)
{
    switch (visit->route->object) {
    case OBJECT_VERSION:
        return site_may(VERB_SEE_TEAM, visit->relations, SCOPE_ALL);
    case OBJECT_FINDING:
    case OBJECT_APPEAL:
        return site_may(VERB_SEE_TEAM, visit->relations, SCOPE_ALL) ||
               site_may(VERB_SEE_JOBS, visit->relations, SCOPE_ALL);
    case OBJECT_SHEET:
        return site_may(VERB_SEE_SHEET, visit->relations, SCOPE_ALL);
    case OBJECT_SITE:
    case OBJECT_SELF:
    case OBJECT_CONTEST:
    case OBJECT_TEAM:
    case OBJECT_GAME:
    case OBJECT_JOB:
    default:
        return true;
    }
}

bool api_relations_hide(const ApiVisit *visit)
{
    return (visit->account != ACCOUNT_NONE || visit->local) && !is_known(visit);
}

/* A row of `sql`, whose parameters are the contest and the second word: its number, its team (0 =
 * none), its judge (0 = none). */
static int find_row(ApiVisit *visit, const char *sql, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(visit->site->db, &query, err, sql, "ii", visit->contest,
                           api_word_number(visit, 1));

    if (rc == 0)
        rc = db_step(query, err);
    if (rc < 0)
        return rc;
    if (rc == 0) /* without a login: what is said of one that is there */
        return api_refuse(visit,
                          visit->account == ACCOUNT_NONE && !visit->local && !is_known(visit)
                              ? REFUSE_LOGIN
                              : REFUSE_NOT_FOUND,
                          NULL, NULL);
    visit->object = db_int(query, 0);
    visit->team = db_int(query, 1);
    if (visit->route->object == OBJECT_SHEET && db_int(query, 2) != visit->account)
        visit->relations &= ~(unsigned)IS_JUDGE; /* of a sheet: its own judge */
    return 0;
}

static int find_team(ApiVisit *visit, Err *err)
{
    int rc = team_find(visit->site->db, visit->contest, visit->words[1], &visit->team, err);

    if (rc == 0 && visit->team == TEAM_NONE)
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    return rc;
}

static int find_inside(ApiVisit *visit, Err *err)
{
    switch (visit->route->object) {
    case OBJECT_TEAM:
        return find_team(visit, err);
    case OBJECT_VERSION:
        return find_row(visit,
                        "SELECT version.id, version.team, 0 FROM version JOIN team ON team.id = "
                        "version.team WHERE team.contest = ?1 AND version.id = ?2",
                        err);
    case OBJECT_FINDING:
        return find_row(visit, "SELECT id, team, 0 FROM finding WHERE contest = ?1 AND id = ?2",
                        err);
    case OBJECT_APPEAL:
        return find_row(visit,
                        "SELECT appeal.id, appeal.team, 0 FROM appeal JOIN team ON team.id = "
                        "appeal.team WHERE team.contest = ?1 AND appeal.id = ?2",
                        err);
    case OBJECT_SHEET:
        return find_row(visit, "SELECT id, 0, judge FROM sheet WHERE contest = ?1 AND id = ?2",
                        err);
    case OBJECT_GAME:
        return find_row(visit,
                        "SELECT game.id, 0, 0 FROM game JOIN run ON run.id = game.run WHERE "
                        "run.contest = ?1 AND game.id = ?2",
                        err);
    case OBJECT_SITE:
    case OBJECT_SELF:
    case OBJECT_CONTEST:
    case OBJECT_JOB:
    default:
        return 0;
    }
}

/* Of a game somebody is a member of whose team sat in it. */
static int find_own_seat(ApiVisit *visit, Err *err)
{
    return db_ask(visit->site->db, TEAM_NONE, &visit->team, err,
                  "SELECT seat.team FROM seat JOIN member ON member.team = seat.team"
                  " WHERE seat.game = ?1 AND member.account = ?2",
                  "ii", visit->object, visit->account);
}

int api_relations_find(ApiVisit *visit, Err *err)
{
    bool inside = visit->route->object != OBJECT_SITE && visit->route->object != OBJECT_SELF;
    int rc = inside ? find_contest(visit, err) : 0;

    if (rc == 0)
        rc = api_relations_of_site(visit, err);
    /* What is being drafted is there for its organisers alone. */
    if (rc == 0 && inside && visit->state == LIFE_DRAFT && !api_may(visit, VERB_SEE_TRAIL))
        rc = api_refuse(visit, REFUSE_NOT_FOUND, NULL, NULL);
    if (rc == 0 && visit->route->object == OBJECT_SELF && visit->account != ACCOUNT_NONE)
        visit->relations |= IS_SELF;
    if (rc == 0 && inside)
        rc = find_inside(visit, err);
    if (rc == 0 && visit->route->object == OBJECT_GAME && visit->account != ACCOUNT_NONE)
        rc = find_own_seat(visit, err);
    return rc == 0 ? add_team_relations(visit, err) : rc;
}
