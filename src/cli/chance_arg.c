#include "cli/chance_arg.h"

#include "disk/key_file.h"
#include "match/draw_chance.h"

#include <inttypes.h>
#include <stdio.h>

static void use_number(Plan *plan, PlanChance chance, uint64_t seed)
{
    plan->chance = chance;
    plan->seed = seed;
    plan->seed_given = true;
}

/* A key for each stage, commas between. */
static bool use_keys(Plan *plan, Str text)
{
    Key keys[STAGES_MAX];
    uint32_t count = 0;

    while (text.len && count < plan->stage_count)
        if (!key_from_hex(str_cut(&text, ','), &keys[count++]))
            return false;
    if (text.len || count < plan->stage_count)
        return false;
    for (uint32_t stage = 0; stage < count; stage++)
        plan_use_secret(plan, stage, &keys[stage]);
    return true;
}

/* "123", "old:123", 64 hexadecimal digits once or for each stage; anything else is a folder. */
static int use_replay(Plan *plan, const char *text, OutFolder *folder, Err *err)
{
    Str rest = str_of(text);
    bool old = str_starts(rest, STR("old:"));
    uint64_t number = 0;
    Key key;

    if (str_to_uint(old ? str_part(rest, 4, rest.len) : rest, UINT64_MAX, &number)) {
        use_number(plan, old ? PLAN_CHANCE_OLD_SEED : PLAN_CHANCE_SEED, number);
        return 0;
    }
    const bool one = key_from_hex(rest, &key);
    if (one)
        plan_use_key(plan, &key);
    if (one || use_keys(plan, rest)) {
        plan->seed_given = true;
        return 0;
    }
    if (!journal_exists(text))
        return err_set(
            err, ERR_USAGE,
            "--replay '%s': expected a seed, a key of 64 hexadecimal digits or one for each "
            "stage with commas between, old:SEED for a seed of an earlier build, or a folder of "
            "--out",
            text);
    plan->seed_given = false;
    return out_folder_read(folder, text, plan, err);
}

static int use_drawn(Plan *plan, Err *err)
{
    int rc = 0;

    for (uint32_t stage = 0; stage < plan->stage_count && rc == 0; stage++) {
        Key secret;
        rc = key_draw(&secret, err);
        if (rc == 0)
            plan_use_secret(plan, stage, &secret);
    }
    return rc;
}

int chance_arg(const ChanceArg *given, Plan *plan, OutFolder *ret_folder, Err *err)
{
    if (given->seed_given && given->replay)
        return err_set(err, ERR_USAGE, "--seed and --replay mean the same; give one of them");
    if (given->commit && given->replay)
        return err_set(err, ERR_USAGE,
                       "--commit-seed commits to a key that is drawn now, --replay plays with one "
                       "that is known; leave one of them out");
    if (given->seed_given)
        use_number(plan, PLAN_CHANCE_SEED, given->seed);
    if (given->replay) {
        int rc = use_replay(plan, given->replay, ret_folder, err);
        if (rc)
            return rc;
    } else if (given->commit && plan->seed_given) {
        return err_set(err, ERR_USAGE,
                       "--commit-seed commits to a drawn key: a number that somebody chose can be "
                       "guessed from its hash; leave the seed out");
    }
    return given->replay || plan->seed_given ? 0 : use_drawn(plan, err);
}

static uint32_t chance_keys(const Plan *plan)
{
    return plan->one_key ? 1 : plan->stage_count;
}

void chance_print_commitment(FILE *stream, const Plan *plan)
{
    const Str contest = plan_contest_name(plan);

    for (uint32_t stage = 0; stage < chance_keys(plan); stage++)
        fprintf(stream,
                "commitment, SHA-256 of \"warg-commit-v1\", the contest \"%.*s\", its stage \"%s\" "
                "and the key, with a zero byte behind each but the last:\n%s\n",
                STR_ARG(contest), plan->stages[stage].name, plan->stages[stage].commitment);
    fflush(stream);
}

static void print_keys(FILE *stream, const Plan *plan)
{
    char key[KEY_HEX_BYTES];

    for (uint32_t stage = 0; stage < chance_keys(plan); stage++) {
        key_to_hex(&plan->stages[stage].secret, key);
        if (chance_keys(plan) > 1)
            fprintf(stream, "key of stage %s: %s\n", plan->stages[stage].name, key);
        else
            fprintf(stream, "key: %s\n", key);
    }
    fprintf(stream, "the same games again: the same options and --replay ");
    for (uint32_t stage = 0; stage < chance_keys(plan); stage++) {
        key_to_hex(&plan->stages[stage].secret, key);
        fprintf(stream, "%s%s", stage ? "," : "", key);
    }
    fputc('\n', stream);
}

void chance_print_again(FILE *stream, const Plan *plan)
{
    const char *old = plan->chance == PLAN_CHANCE_OLD_SEED ? "old:" : "";

    if (plan->chance == PLAN_CHANCE_KEY) {
        print_keys(stream, plan);
        return;
    }
    fprintf(stream,
            "seed: %" PRIu64 "\nthe same games again: the same options and --replay %s%" PRIu64
            "\n",
            plan->seed, old, plan->seed);
}

void chance_warn_of_guess(const Plan *plan)
{
    if (plan->chance != PLAN_CHANCE_KEY)
        fprintf(stderr,
                "note: seed %" PRIu64 " is for trials: who guesses the number knows every role of "
                "every game; leave it out where that matters, and a key is drawn\n",
                plan->seed);
}
