#include "cmd/chance_arg.h"

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

/* "123", "old:123", 64 hexadecimal digits; anything else is a folder. */
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
    if (key_from_hex(rest, &key)) {
        plan_use_key(plan, &key);
        plan->seed_given = true;
        return 0;
    }
    if (!journal_exists(text))
        return err_set(
            err, ERR_USAGE,
            "--replay '%s': expected a seed, a key of 64 hexadecimal digits, old:SEED for "
            "a seed of an earlier build, or a folder of --out",
            text);
    plan->seed_given = false;
    return out_folder_read(folder, text, plan, err);
}

static int use_drawn(Plan *plan, Err *err)
{
    Key key;
    int rc = key_draw(&key, err);

    if (rc == 0)
        plan_use_key(plan, &key);
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

void chance_print_commitment(FILE *stream, const Plan *plan)
{
    const Str contest = plan_contest_name(plan);

    fprintf(stream,
            "commitment, SHA-256 of \"warg-commit-v1\", the contest \"%.*s\", its stage \"%s\" and "
            "the key, with a zero byte behind each but the last:\n%s\n",
            STR_ARG(contest), plan->stages[0].name, plan->commitment);
    fflush(stream);
}

void chance_print_again(FILE *stream, const Plan *plan)
{
    char key[KEY_HEX_BYTES];
    const char *old = plan->chance == PLAN_CHANCE_OLD_SEED ? "old:" : "";

    if (plan->chance == PLAN_CHANCE_KEY) {
        key_to_hex(&plan->key, key);
        fprintf(stream, "key: %s\nthe same games again: the same options and --replay %s\n", key,
                key);
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
