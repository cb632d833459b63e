/* fuzz_contest_rules.c - any bytes give the rules of a whole contest, or an error with its place;
 * another date leaves the rest as it was. */
#include "site/contest_rules.h"
#include "site/server_file.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void change_date(Str text, const SiteRules *rules)
{
    CLEANUP(contest_rules_done) SiteRules again = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf keys = {0};
    const Str key = STR("retention_ends");

    if (contest_rules_set_date(text, key, STR("2999-12-31T00:00:00Z"), &out, NULL))
        return;
    if (contest_rules_read(buf_str(&out), NULL, &again, NULL))
        return; /* a file may say things that no splice can be put into */
    assert(strcmp(again.name, rules->name) == 0);
    assert(contest_rules_differ(text, buf_str(&out), &keys, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    CLEANUP(server_file_done) ServerFile server = {0};
    const Str text = {(const char *)data, size};
    LifePlan life;
    Err err = {0};

    int rc = server_file_read(text, "site", &server, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    err = (Err){0};
    rc = contest_rules_read(text, NULL, &rules, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    if (rc)
        return 0;
    assert(contest_judge_name(str_of(rules.name), NULL) == 0);
    assert(rules.testing.at_count <= RULES_TIMES_MAX && rules.track_count <= RULES_TRACKS_MAX);
    for (uint32_t i = 1; i < rules.testing.at_count; i++)
        assert(rules.testing.at[i - 1] <= rules.testing.at[i]);
    for (uint32_t i = 0; i < rules.window_count; i++)
        assert(rules.windows[i].track < rules.track_count &&
               rules.windows[i].from_ms < rules.windows[i].to_ms);
    contest_rules_life(&rules, &life);
    contest_rules_check(&rules, NULL);
    assert(contest_rules_teams_needed(&rules) >= 1);
    contest_rules_testing_moment(&rules, INT64_C(1800000000000));
    change_date(text, &rules);
    return 0;
}
