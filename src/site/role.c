#include "site/role.h"

#include "base/mem.h"
#include "base/words.h"
#include "site/login.h"
#include "store/db_row.h"

static const char *const names[SITE_ROLES] = {
    [ROLE_ADMIN] = "admin",
    [ROLE_ORGANISER] = "organiser",
    [ROLE_JUDGE] = "judge",
};

static const unsigned relations_of[SITE_ROLES] = {
    [ROLE_ADMIN] = IS_ADMIN,
    [ROLE_ORGANISER] = IS_ORGANISER,
    [ROLE_JUDGE] = IS_JUDGE,
};

const char *site_role_name(SiteRole role)
{
    return role < SITE_ROLES ? names[role] : "";
}

SiteRole site_role_of(Str name)
{
    return (SiteRole)words_find(names, SITE_ROLES, name);
}

int site_role_give(Db *db, int64_t account, int64_t contest, SiteRole role, Err *err)
{
    if (role >= SITE_ROLES || (role == ROLE_ADMIN) != (contest == ROLE_SERVER))
        return err_set(err, ERR_RULE,
                       "role: an admin is one of the server, the others of a contest");
    int rc = db_run(db, err,
                    "INSERT INTO role(account, contest, role) VALUES(?1, ?2, ?3)"
                    " ON CONFLICT DO NOTHING",
                    "iit", account, contest, str_of(names[role]));
    if (rc == 0 && db_changes(db) > 0)
        rc = login_end_all(db, account, STR(""), err);
    return rc;
}

int site_role_take(Db *db, int64_t account, int64_t contest, SiteRole role, Err *err)
{
    return db_run(db, err, "DELETE FROM role WHERE account = ?1 AND contest = ?2 AND role = ?3",
                  "iit", account, contest, str_of(site_role_name(role)));
}

int site_role_relations(Db *db, int64_t account, int64_t contest, unsigned *ret_relations, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(
        db, &query, err, "SELECT role, contest FROM role WHERE account = ?1 AND contest IN (0, ?2)",
        "ii", account, contest);

    *ret_relations = 0;
    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        SiteRole role = site_role_of(db_text(query, 0));
        rc = 0;
        if (role < SITE_ROLES && (role == ROLE_ADMIN) == (db_int(query, 1) == ROLE_SERVER))
            *ret_relations |= relations_of[role];
    }
    return rc;
}
