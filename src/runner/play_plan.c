#include "runner/play_plan.h"

#include "base/mem.h"
#include "contest/contest_file.h"
#include "contest/version_form.h"
#include "contest/version_terms.h"
#include "disk/log_file.h"
#include "disk/tree_digest.h"
#include "match/draw_chance.h"
#include "spool/spool_head.h"
#include "wire/json_read.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A plan in the making. */
typedef struct Making {
    const char *data;
    const json_t *job;
    Plan *plan;
    VersionTerms terms;
    Str contest;
    bool testing;
} Making;

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "play: out of memory");
}

uint32_t play_plan_stage(const json_t *job)
{
    const int64_t number = json_number(job, "number");

    return number > 0 && number < STAGES_MAX ? (uint32_t)number : 0;
}

/* ---- the contest's file ---- */

static int load_file(const Making *making, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    const Str base = json_text(making->job, "base");
    const char *folder = plan_text(making->plan, base);

    buf_printf(&path, "%s/contests/%.*s/contest.yml", making->data, STR_ARG(making->contest));
    if (buf_failed(&path) || !folder)
        return no_memory(err);
    int rc = log_file_read(buf_cstr(&path), CONTEST_BYTES_MAX, &text, err);
    if (rc == 0)
        rc = contest_text_load(buf_str(&text), base.len ? folder : NULL, making->plan, err);
    if (rc == 0)
        rc = plan_name(making->plan->name, "contest", making->contest, err);
    return rc;
}

/* A stage of the site: rounds, unless the file says how much is played; its lots come late. */
static void shape_stages(const Making *making)
{
    Plan *plan = making->plan;

    for (uint32_t i = 0; i < plan->stage_count; i++) {
        plan->stages[i].rounds = !plan->stages[i].sets && !plan->stages[i].games;
        plan->stages[i].late_lots = true;
    }
    PlanStage *stage = &plan->stages[play_plan_stage(making->job)];
    if (stage->rounds)
        stage->stop_at_ms = json_number(making->job, "stop_at");
}

/* How often everybody sits at tables of a size: one number for all, or one of each. */
static uint64_t sets_each_of(const json_t *sets_each, size_t part)
{
    int64_t sets = 1;

    if (!json_as_int(sets_each, &sets))
        json_as_int(json_at(sets_each, part), &sets);
    return sets > 0 ? (uint64_t)sets : 1;
}

/* One stage: everybody sits `sets_each` times at tables of each size, or once more. */
static int make_testing(const Making *making, Err *err)
{
    Plan *plan = making->plan;
    JsonReader reader = {.err = err};
    const json_t *parts = json_get_list(&reader, making->job, "parts");
    PlanStage stage = plan_default_stage(plan);
    const json_t *sets_each = json_get(making->job, "sets_each");
    int64_t players = 0;

    if (reader.rc)
        return reader.rc;
    if (plan->stage_count) /* as long as sets that count */
        stage.games_per_set = plan->stages[0].games_per_set;
    plan->stage_count = 0;
    int rc = plan_name(stage.name, "stage", STR(SPOOL_STAGE_TRY), err);
    for (size_t i = 0; i < json_count(parts) && i < PLAN_SIZES_MAX && rc == 0; i++) {
        if (!json_as_int(json_at(parts, i), &players) || players < 1 || players > SEAT_MAX)
            return err_set(err, ERR_SYNTAX, "play: 'parts' are sizes of tables");
        *(i ? &stage.more_players[i - 1] : &stage.players) = (int32_t)players;
        *(i ? &stage.more_min_games[i - 1] : &stage.min_games) =
            sets_each_of(sets_each, i) * (uint64_t)stage.games_per_set;
    }
    return rc ? rc : plan_add_stage(plan, &stage, err);
}

/* ---- who plays ---- */

/* The files are those that were checked: a disk, or somebody, may have changed them since. */
static int check_tree(const char *folder, Str digest, Err *err)
{
    Key wanted, found;
    int rc = key_from_hex(digest, &wanted) ? tree_digest(folder, &found, err)
                                           : err_set(err, ERR_SYNTAX, "play: a tree is 64 digits");

    if (rc == 0 && memcmp(&wanted, &found, sizeof(found)) != 0)
        rc = err_set(err, ERR_RULE, "the files of '%s' are not those of their digest", folder);
    return rc;
}

static int make_program(const Making *making, const json_t *item, PlanAgent *agent, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    const Str tree = json_text(item, "tree");
    const VersionPlatform platform = version_terms_platform(&making->terms);
    VersionForm form = {.team = json_text(item, "team"),
                        .language = json_text(item, "language"),
                        .entry = json_text(item, "entry"),
                        .platform = &platform};

    buf_printf(&folder, "%s/trees/%.*s", making->data, STR_ARG(tree));
    if (buf_failed(&folder))
        return no_memory(err);
    int rc = check_tree(buf_cstr(&folder), tree, err);
    form.tree = plan_text(making->plan, buf_str(&folder));
    if (rc == 0 && !form.tree)
        rc = no_memory(err);
    if (rc == 0)
        rc = version_form_agent(&form, making->plan, agent, err);
    if (rc == 0)
        rc = version_form_show(&platform, form.language, making->plan, err);
    agent->tree = rc ? NULL : plan_text(making->plan, tree);
    return rc;
}

static int add_agent(const Making *making, const json_t *item, Err *err)
{
    PlanAgent agent = {0};
    int rc = 0;

    if (json_text(item, "tree").len)
        rc = make_program(making, item, &agent, err);
    else
        agent.bot = bot_kind(STR("sample"));
    if (rc == 0)
        rc = plan_agent_name(&agent, json_text(item, "team"), err);
    agent.version = true;
    return rc ? rc : plan_add_agent(making->plan, &agent, err);
}

static uint32_t largest_table(const PlanStage *stage)
{
    uint32_t players = 0;

    for (uint32_t part = 0; part < plan_stage_parts(stage); part++) {
        const uint32_t own = (uint32_t)plan_stage_part(stage, part).players;
        players = own > players ? own : players;
    }
    return players;
}

/* Until the largest table is full. */
static int fill_up(const Making *making, Err *err)
{
    Plan *plan = making->plan;
    int rc = 0;

    for (uint32_t i = 1; rc == 0 && plan->agent_count < largest_table(&plan->stages[0]); i++) {
        CLEANUP(buf_done) Buf name = {0};
        PlanAgent agent = {.bot = bot_kind(STR("sample"))};
        buf_printf(&name, PLAY_FILL "%u", (unsigned)i);
        rc = plan_agent_name(&agent, buf_str(&name), err);
        if (rc == 0)
            rc = plan_add_agent(plan, &agent, err);
    }
    return rc;
}

static int add_agents(const Making *making, Err *err)
{
    JsonReader reader = {.err = err};
    const json_t *agents = json_get_list(&reader, making->job, "agents");
    int rc = reader.rc;

    for (size_t i = 0; i < json_count(agents) && rc == 0; i++)
        rc = add_agent(making, json_at(agents, i), err);
    return rc == 0 && making->testing ? fill_up(making, err) : rc;
}

/* ---- chance ---- */

/* 32 bytes as they are. */
static int read_secret(const Making *making, const char *stage, Key *ret_secret, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/secrets/%.*s/%s", making->data, STR_ARG(making->contest), stage);
    if (buf_failed(&path))
        return no_memory(err);
    int fd = open(buf_cstr(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return err_set(err, ERR_IO, "the secret of stage %s: %s", stage, strerror(errno));
    const ssize_t bytes = read(fd, ret_secret, sizeof(*ret_secret));
    close(fd);
    return bytes == (ssize_t)sizeof(*ret_secret)
               ? 0
               : err_set(err, ERR_IO, "the secret of stage %s is no secret", stage);
}

static int use_secrets(const Making *making, Err *err)
{
    Plan *plan = making->plan;
    int rc = 0;

    for (uint32_t stage = 0; stage < plan->stage_count && rc == 0; stage++) {
        Key secret;
        rc = read_secret(making, plan->stages[stage].name, &secret, err);
        if (rc == 0 && making->testing) { /* of this round; it leads to no other one */
            const KeyRoot root = key_root(&secret);
            secret =
                key_derive_number(&root, STR("round"), (uint64_t)json_number(making->job, "round"));
        }
        if (rc == 0)
            plan_use_secret(plan, stage, &secret);
    }
    return rc;
}

static int read_lot(Plan *plan, const json_t *item, PlanLot *ret_lot, Err *err)
{
    const char *name = plan_text(plan, json_text(item, "team"));
    const Str lot = json_text(item, "lot");

    *ret_lot = (PlanLot){.value = {.name = str_of(name ? name : "")}};
    if (!name)
        return no_memory(err);
    if (!key_from_hex(json_text(item, "entry"), &ret_lot->entry) ||
        (lot.len && !key_from_hex(lot, &ret_lot->value.key)))
        return err_set(err, ERR_SYNTAX, "play: a lot is 64 digits");
    ret_lot->value.there = lot.len > 0;
    return 0;
}

/* What was settled of the stage before it was put into the spool. */
static int use_lots(const Making *making, Err *err)
{
    Plan *plan = making->plan;
    PlanStage *stage = &plan->stages[play_plan_stage(making->job)];
    JsonReader reader = {.err = err};
    const json_t *list = json_get_list(&reader, making->job, "lots");
    const uint32_t count = (uint32_t)json_count(list);
    CLEANUP(mem_freep) PlanLot *lots = mem_new((count + (size_t)1) * sizeof(*lots));
    const Str beacon = json_text(making->job, "beacon");
    int rc = reader.rc;

    if (!lots)
        return no_memory(err);
    for (uint32_t i = 0; i < count && rc == 0; i++)
        rc = read_lot(plan, json_at(list, i), &lots[i], err);
    if (rc == 0 && count)
        rc = plan_stage_lots(plan, stage, lots, count, err);
    stage->lots_closed = true;
    if (beacon.len)
        stage->beacon = plan_text(plan, beacon);
    return rc;
}

/* ---- the whole ---- */

static int make_all(Making *making, Err *err)
{
    Plan *plan = making->plan;
    const json_t *terms = json_get(making->job, "terms");
    int rc = terms ? version_terms_read(terms, &making->terms, err) : 0;

    if (rc == 0)
        rc = load_file(making, err);
    if (rc)
        return rc;
    plan->cell = making->terms.cell;
    if (making->testing)
        rc = make_testing(making, err);
    else
        shape_stages(making);
    if (rc == 0)
        rc = add_agents(making, err);
    if (rc == 0)
        rc = use_secrets(making, err);
    if (rc == 0 && !making->testing)
        rc = use_lots(making, err);
    return rc ? rc : plan_check(plan, err);
}

int play_plan_make(const char *data, const json_t *job, Plan *plan, Err *err)
{
    Making making = {.data = data,
                     .job = job,
                     .plan = plan,
                     .contest = json_text(job, "contest"),
                     .testing = str_eq(json_text(job, "stage"), STR(SPOOL_STAGE_TRY))};

    version_terms_init(&making.terms);
    int rc = make_all(&making, err);
    version_terms_done(&making.terms);
    return rc;
}
