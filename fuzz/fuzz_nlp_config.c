/* fuzz_nlp_config.c - any bytes give a configuration that can be played or an error; the same bytes
 * as a file of environment variables, and as a duration. */
#include "game/game.h"
#include "nlp/config.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void warn(void *user, unsigned line, const char *text)
{
    (void)user;
    (void)line;
    assert(text[0]);
}

/* What others rely on. */
static void check(const Config *config)
{
    Game *game = NULL;

    assert(config->agent_count >= PLAYERS_MIN && config->agent_count <= SEAT_MAX);
    assert(config->abort_at >= 1);
    assert(config->rules.players == config->agent_count);
    assert(!config->authentication || config->secret_key.len);
    assert(!config->profiles_enable || config->dynamic.enable ||
           config->profile_count >= (uint32_t)config->agent_count);
    assert(!config->profiles_enable || !config->dynamic.enable ||
           config->dynamic.avatar_count >= (uint32_t)config->agent_count);
    assert(config->name_ms >= 0 && config->rejoin_ms >= 0 && config->silence_ms >= 0);
    for (uint32_t i = 0; i < config->profile_count; i++)
        assert(config->profiles[i].name.len && config->profiles[i].voice_id >= -1);
    assert(config->host && config->json_logger.output_dir && config->speech.temp_dir);
    assert(game_new(&config->rules, config->agent_count, &game, NULL) == 0);
    game_free(game);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(config_freep) Config *config = NULL;
    Str input = {(const char *)data, size};
    DotEnv *env = NULL;
    Err err = {0};
    int64_t ms = -1;

    int rc = dotenv_read(input, &env, &err);
    assert(err.code == (ErrCode)rc && (rc == 0) == (env != NULL));
    err = (Err){0};
    rc = config_read("fuzz.yml", input, dotenv_get, warn, env, &config, &err);
    assert(err.code == (ErrCode)rc && (rc == 0) == (config != NULL) && (rc == 0 || err.msg[0]));
    if (config)
        check(config);
    dotenv_free(env);
    rc = config_duration(input, &ms, NULL);
    assert((rc == 0) == (ms >= 0));
    return 0;
}
