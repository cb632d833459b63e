#include "serve/room_games_own.h"

#include "disk/key_file.h"

int room_games_new(const RoomGamesSetup *setup, RoomGames **ret_games, Err *err)
{
    RoomGames *games = mem_new(sizeof(*games));

    if (!games)
        return err_set(err, ERR_MEMORY, "rooms: out of memory");
    games->setup = *setup;
    *ret_games = games;
    return 0;
}

RoomGames *room_games_free(RoomGames *games)
{
    return mem_free(games);
}

static const RoomGameKind *kind_of(const RoomOptions *options)
{
    static const RoomGameKind *const kinds[] = {
        [DOC_PROTOCOL] = &room_aiwolf_kind, [DOC_NLP] = &room_nlp_kind, [DOC_MAW] = &room_maw_kind};

    return kinds[options->division];
}

/* A request from outside can't have the server ask other servers. */
static int check_fill(const RoomGames *games, const RoomOptions *options, Err *err)
{
    Str fill = str_of(options->fill);

    if (str_starts(fill, STR("bot:")))
        return 0;
    if (games->setup.model && str_eq(fill, str_of(games->setup.model)))
        return 0;
    return err_set(err, ERR_RULE, "fill is bot:KIND%s%s", games->setup.model ? ", or " : "",
                   games->setup.model ? games->setup.model : "");
}

static int stage_check(void *user, const RoomOptions *options, Err *err)
{
    RoomGames *games = user;
    int rc = check_fill(games, options, err);

    if (rc == 0 && options->delay_ms && options->delay_ms != games->setup.delay_ms)
        rc = err_set(err, ERR_RULE, "the delay is that of the server: %lld s",
                     (long long)(games->setup.delay_ms / 1000));
    return rc ? rc : kind_of(options)->check(games, options, err);
}

static int stage_begin(void *user, const RoomGamePlan *plan, TimeUs now, RoomGame **ret_game,
                       Err *err)
{
    RoomGames *games = user;
    Key key;
    int rc = key_draw(&key, err);

    return rc ? rc : kind_of(plan->options)->begin(games, plan, &key, now, ret_game, err);
}

static void stage_hear(RoomGame *game, uint32_t chair, const json_t *message, TimeUs now,
                       Buf *reply)
{
    game->kind->hear(game, chair, message, now, reply);
}

static void stage_greet(RoomGame *game, uint32_t chair, TimeUs now,
                        void (*say)(void *user, Str json), void *user)
{
    game->kind->greet(game, chair, now, say, user);
}

static void stage_set_away(RoomGame *game, uint32_t chair, bool away, TimeUs now)
{
    game->kind->set_away(game, chair, away, now);
}

static void stage_stop(RoomGame *game, TimeUs now)
{
    game->kind->stop(game, now);
}

static RoomGame *stage_free(RoomGame *game)
{
    return game ? game->kind->free(game) : NULL;
}

RoomStage room_games_stage(RoomGames *games)
{
    return (RoomStage){.check = stage_check,
                       .begin = stage_begin,
                       .hear = stage_hear,
                       .greet = stage_greet,
                       .set_away = stage_set_away,
                       .stop = stage_stop,
                       .free = stage_free,
                       .user = games};
}
