/* fuzz_starter_file.c - any bytes give a plan or an error, and no command has an open quote. Zero
 * bytes part the input into a starter's file, a settings file and a player file. */
#include "contest/starter_file.h"
#include "contest/starter_settings.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Outside of single quotes nothing means anything to the shell but our three placeholders. */
static void check_command(const char *command)
{
    bool quoted = false;

    for (const char *c = command; *c; c++) {
        if (*c == '\'')
            quoted = !quoted;
        else if (!quoted && *c == '\\')
            assert(*++c == '\'');
        else if (!quoted)
            assert(!strchr("\"$`;&|<>()*?[]#~\n", *c));
    }
    assert(!quoted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(plan_done) Plan plan = {0};
    StarterSettings settings;
    Ruleset rules;
    Str players = {(const char *)data, size};
    Str starter = str_cut(&players, '\0');
    Str game = str_cut(&players, '\0');
    Err err = {0};

    if (plan_init(&plan, NULL))
        return 0;
    int rc = starter_settings_load(game, &rules, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    if (rc == 0) {
        rc = ruleset_check(&rules, &err);
        assert(rc == 0);
    }
    err = (Err){0};
    rc = starter_text_load(starter, size % 2 ? "" : "some where", &plan, &settings, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    if (rc == 0 && settings.kind == STARTER_PLAYERS)
        rc = starter_players_load(players, "", &settings, &plan, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    for (uint32_t i = 0; i < plan.agent_count; i++)
        if (plan.agents[i].command)
            check_command(plan.agents[i].command);
    if (rc == 0)
        plan_check(&plan, NULL);
    return 0;
}
