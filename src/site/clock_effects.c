#include "site/clock_effects.h"

#include "base/digest.h"
#include "site/clock_final.h"
#include "site/clock_nlp.h"
#include "site/clock_play.h"
#include "site/lot.h"
#include "site/notice.h"
#include "site/publication.h"
#include "site/secret.h"
#include "site/team.h"
#include "site/version.h"

#include <stdlib.h>

#define BIT(state) (1u << (state))
#define ANY_STATE  ((1u << LIFE_STATES) - 1)

typedef int ClockEffect(const ClockTurn *turn, LifeState to, Err *err);

/* ---- DRAFT-OPEN ---- */

static int rules_digest(const ClockTurn *turn, char ret_hex[static SHA256_HEX_BYTES], Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    ruleset_print(&turn->rules->plan.rules, &text);
    return buf_failed(&text) ? err_set(err, ERR_MEMORY, "rules: out of memory")
                             : sha256_hex(buf_str(&text), ret_hex, err);
}

/* Its ledger, and what that begins with; its key stands in the first entry by itself. */
static int open_ledger(const ClockTurn *turn, LifeState to, Err *err)
{
    const ContestHome home = clock_home(turn);
    Db *db = turn->setup->db;
    CLEANUP(buf_done) Buf origin = {0};
    CLEANUP(buf_done) Buf stops = {0};
    char rules[SHA256_HEX_BYTES];

    (void)to;
    int rc = site_ledger_begun(db, home.id, err);
    if (rc)
        return rc < 0 ? rc : 0;
    buf_printf(&origin, "%.*s/warg/%.*s",
               STR_ARG(turn->setup->host.len ? turn->setup->host : STR("localhost")),
               STR_ARG(home.name));
    contest_rules_stops(turn->rules, &stops);
    if (buf_failed(&origin) || buf_failed(&stops))
        return err_set(err, ERR_MEMORY, "ledger: out of memory");
    rc = site_ledger_begin(db, &home, buf_str(&origin), err);
    if (rc == 0)
        rc = rules_digest(turn, rules, err);
    if (rc)
        return rc;
    return site_ledger_add_texts(db, home.id, turn->now_ms, "contest", err, "name", home.name,
                                 "file", buf_str(&turn->contest->digest), "rules", str_of(rules),
                                 "stops", buf_str(&stops), "version", STR(WARG_VERSION), NULL);
}

static int commit_secrets(const ClockTurn *turn, LifeState to, Err *err)
{
    const ContestHome home = clock_home(turn);
    Str stages[STAGES_MAX];
    uint32_t count = turn->rules->natural_language ? 0 : turn->rules->plan.stage_count;

    (void)to;
    for (uint32_t i = 0; i < count; i++)
        stages[i] = clock_stage_name(turn, i);
    return site_secret_commit(turn->setup->db, &home, stages, count, turn->now_ms, err);
}

/* ---- versions ---- */

/* What plays: names with trees. */
typedef struct FrozenTeam {
    char name[TEAM_NAME_BYTES + 1];
    char tree[SHA256_HEX_BYTES];
    int64_t number;
} FrozenTeam;

typedef struct FrozenTeams {
    FrozenTeam *teams;
    size_t count;
    Str stage;
} FrozenTeams;

static void frozen_teams_done(FrozenTeams *frozen)
{
    mem_free(frozen->teams);
}

static int compare_frozen(const void *a, const void *b)
{
    return strcmp(((const FrozenTeam *)a)->name, ((const FrozenTeam *)b)->name);
}

static int read_frozen(const ClockTurn *turn, bool finalists, FrozenTeams *frozen, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->setup->db,
                      finalists ? "SELECT team.name, version.number, version.tree FROM version"
                                  " JOIN team ON team.id = version.team WHERE team.contest = ?1 AND"
                                  " team.state = 'IN' AND team.finalist = 1 AND"
                                  " version.state = 'ACTIVE'"
                                : "SELECT team.name, version.number, version.tree FROM version"
                                  " JOIN team ON team.id = version.team WHERE team.contest = ?1 AND"
                                  " team.state = 'IN' AND version.state = 'ACTIVE'",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    while ((rc = db_step(query, err)) == 1) {
        FrozenTeam *more = mem_resize(frozen->teams, frozen->count + 1, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "freeze: out of memory");
        frozen->teams = more;
        FrozenTeam *team = &more[frozen->count++];
        snprintf(team->name, sizeof(team->name), "%.*s", STR_ARG(db_text(query, 0)));
        snprintf(team->tree, sizeof(team->tree), "%.*s", STR_ARG(db_text(query, 2)));
        team->number = db_int(query, 1);
    }
    if (rc == 0 && frozen->count)
        qsort(frozen->teams, frozen->count, sizeof(*frozen->teams), compare_frozen);
    return rc;
}

static void put_frozen(void *user, Canonical *entry)
{
    const FrozenTeams *frozen = user;

    canonical_key(entry, STR("stage"));
    canonical_put_text(entry, frozen->stage);
    canonical_key(entry, STR("teams"));
    canonical_open(entry, '[');
    for (size_t i = 0; i < frozen->count; i++) {
        canonical_open(entry, '{');
        canonical_key(entry, STR("team"));
        canonical_put_text(entry, str_of(frozen->teams[i].name));
        canonical_key(entry, STR("tree"));
        canonical_put_text(entry, str_of(frozen->teams[i].tree));
        canonical_key(entry, STR("version"));
        canonical_put_number(entry, frozen->teams[i].number);
        canonical_close(entry);
    }
    canonical_close(entry);
}

static int add_freeze(const ClockTurn *turn, uint32_t stage, bool finalists, Err *err)
{
    CLEANUP(frozen_teams_done) FrozenTeams frozen = {.stage = clock_stage_name(turn, stage)};
    int rc = read_frozen(turn, finalists, &frozen, err);

    return rc ? rc
              : site_ledger_add(turn->setup->db, turn->contest->id, turn->now_ms, "freeze",
                                put_frozen, &frozen, err);
}

static int tell_without(const ClockTurn *turn, Str team, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->setup->db, "SELECT id FROM team WHERE contest = ?1 AND name = ?2",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    db_bind_text(query, 2, team);
    rc = db_step(query, err);
    if (rc != 1)
        return rc;
    const NoticeWord words[] = {{"team", team},
                                {"why", STR("no version of it passed its check")},
                                {"why_ja", STR("チェックに合格した版がありません")}};
    const Notice notice = {.kind = NOTICE_OUT,
                           .to = TO_TEAM,
                           .id = db_int(query, 0),
                           .contest = turn->contest->id,
                           .words = words,
                           .word_count = sizeof(words) / sizeof(words[0])};
    return notice_put(turn->setup->db, &notice, turn->now_ms, err);
}

static int freeze_versions(const ClockTurn *turn, LifeState to, Err *err)
{
    VersionFreeze freeze = {0};
    int rc = turn->rules->natural_language
                 ? 0
                 : version_freeze(turn->setup->db, turn->contest->id, true, &freeze, err);
    Str rest = buf_str(&freeze.without);

    (void)to;
    while (rc == 0 && rest.len)
        rc = tell_without(turn, str_cut(&rest, '\n'), err);
    if (rc == 0 && !turn->rules->natural_language)
        rc = add_freeze(turn, 0, false, err);
    version_freeze_done(&freeze);
    return rc;
}

static int freeze_finalists(const ClockTurn *turn, LifeState to, Err *err)
{
    VersionFreeze freeze = {0};
    int rc = version_freeze(turn->setup->db, turn->contest->id, false, &freeze, err);

    (void)to;
    version_freeze_done(&freeze);
    return rc ? rc : add_freeze(turn, 1, true, err);
}

/* ---- lots ---- */

static int close_lots(const ClockTurn *turn, Str stage, Str beacon, Err *err)
{
    return lots_close(turn->setup->db, turn->contest->id, stage, beacon, turn->rules->lot_window_ms,
                      turn->now_ms, err);
}

static int close_stage_lots(const ClockTurn *turn, uint32_t number, Err *err)
{
    const PlanStage *stage = &turn->rules->plan.stages[number];

    if (turn->rules->natural_language)
        return 0;
    return close_lots(turn, str_of(stage->name),
                      str_of(stage->beacon_what ? stage->beacon_what : ""), err);
}

static int close_first_lots(const ClockTurn *turn, LifeState to, Err *err)
{
    (void)to;
    return close_stage_lots(turn, 0, err);
}

static int close_final_lots(const ClockTurn *turn, LifeState to, Err *err)
{
    (void)to;
    return close_stage_lots(turn, turn->rules->plan.stage_count - 1, err);
}

static int close_judging_lots(const ClockTurn *turn, LifeState to, Err *err)
{
    (void)to;
    return close_lots(turn, STR(SECRET_EVALUATION), STR(""), err);
}

/* ---- what is told behind a stage ---- */

static int reveal_secret(const ClockTurn *turn, Str stage, Err *err)
{
    const ContestHome home = clock_home(turn);

    return site_secret_reveal(turn->setup->db, &home, stage, turn->now_ms, err);
}

static int reveal_stage(const ClockTurn *turn, LifeState to, Err *err)
{
    (void)to;
    return turn->rules->natural_language
               ? 0
               : reveal_secret(turn, clock_stage_name(turn, clock_stage(turn)), err);
}

static int reveal_evaluation(const ClockTurn *turn, LifeState to, Err *err)
{
    (void)to;
    return reveal_secret(turn, STR(SECRET_EVALUATION), err);
}

/* Before the bundle: testing rounds are over, and what they were drawn by goes into it. */
static int reveal_testing(const ClockTurn *turn, LifeState to, Err *err)
{
    (void)to;
    return reveal_secret(turn, STR(SECRET_TESTING), err);
}

static int end_ledger(const ClockTurn *turn, LifeState to, Err *err)
{
    (void)to;
    return publication_end(turn->setup->db, turn->contest->id, turn->now_ms, err);
}

/* ---- PUBLISHED-ARCHIVED ---- */

static int run_for_contest(const ClockTurn *turn, const char *sql, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(turn->setup->db, sql, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, turn->contest->id);
    rc = db_step(query, err);
    return rc < 0 ? rc : 0;
}

/* What of a contest is personal; accounts are their owners' and stay. */
static int forget_people(const ClockTurn *turn, LifeState to, Err *err)
{
    static const char *const statements[] = {
        "UPDATE team SET affiliation = NULL, consent = NULL, webhook = NULL, hook_secret = NULL"
        " WHERE contest = ?1",
        "DELETE FROM member WHERE team IN (SELECT id FROM team WHERE contest = ?1)",
        "DELETE FROM role WHERE contest = ?1",
        "DELETE FROM notice WHERE contest = ?1",
        "UPDATE event SET address = NULL WHERE contest = ?1",
        "UPDATE version SET note = NULL, account = NULL WHERE team IN"
        " (SELECT id FROM team WHERE contest = ?1)",
    };
    int rc = 0;

    (void)to;
    for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]) && rc == 0; i++)
        rc = run_for_contest(turn, statements[i], err);
    return rc;
}

/* ---- the table ---- */

static const struct {
    unsigned from, to; /* bits of states */
    ClockEffect *act;
} effects[] = {
    {BIT(LIFE_DRAFT), BIT(LIFE_OPEN), open_ledger},
    {BIT(LIFE_DRAFT), BIT(LIFE_OPEN), commit_secrets},
    {BIT(LIFE_OPEN), BIT(LIFE_FROZEN), freeze_versions},
    {BIT(LIFE_OPEN), BIT(LIFE_FROZEN), close_first_lots},
    {BIT(LIFE_OPEN), BIT(LIFE_FROZEN), clock_nlp_freeze},
    {BIT(LIFE_FROZEN), BIT(LIFE_PRELIMINARY) | BIT(LIFE_FINAL), clock_play_begin},
    {BIT(LIFE_PRELIMINARY), BIT(LIFE_REVISION), clock_final_rank},
    {BIT(LIFE_PRELIMINARY), BIT(LIFE_REVISION), reveal_stage},
    {BIT(LIFE_REVISION), BIT(LIFE_FINAL), clock_final_enforce},
    {BIT(LIFE_REVISION), BIT(LIFE_FINAL), freeze_finalists},
    {BIT(LIFE_REVISION), BIT(LIFE_FINAL), close_final_lots},
    {BIT(LIFE_REVISION), BIT(LIFE_FINAL), clock_play_begin},
    {BIT(LIFE_FINAL), ANY_STATE, clock_final_rank},
    {BIT(LIFE_FINAL), ANY_STATE, reveal_stage},
    {BIT(LIFE_FINAL), BIT(LIFE_JUDGING), close_judging_lots},
    {BIT(LIFE_JUDGING), BIT(LIFE_APPEALS), reveal_evaluation},
    {BIT(LIFE_FINAL) | BIT(LIFE_JUDGING), BIT(LIFE_APPEALS), clock_nlp_publish},
    {BIT(LIFE_FINAL) | BIT(LIFE_JUDGING), BIT(LIFE_APPEALS), reveal_testing},
    {BIT(LIFE_APPEALS), BIT(LIFE_PUBLISHED), end_ledger},
    {BIT(LIFE_PUBLISHED), BIT(LIFE_ARCHIVED), forget_people},
};

int clock_effects(const ClockTurn *turn, LifeState to, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < sizeof(effects) / sizeof(effects[0]) && rc == 0; i++)
        if ((effects[i].from & BIT(turn->contest->state)) && (effects[i].to & BIT(to)))
            rc = effects[i].act(turn, to, err);
    return rc;
}
