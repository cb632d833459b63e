/* scenes.h - scenes for the tests of this room: a village, a hideout, a table of AIWolf. */
#ifndef WARG_TESTS_LLM_SCENES_H
#define WARG_TESTS_LLM_SCENES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "llm/scene.h"

static inline LlmSeatSeen *scene_seat(LlmScene *scene, Str name, bool alive)
{
    LlmSeatSeen *seat = &scene->seats[scene->seat_count++];

    *seat = (LlmSeatSeen){.name = name, .alive = alive};
    if (!alive)
        seat->cause = STR("executed");
    return seat;
}

static inline void scene_targets(LlmScene *scene)
{
    scene->target_count = 0;
    for (uint32_t i = 0; i < scene->seat_count; i++) {
        const LlmSeatSeen *seat = &scene->seats[i];
        bool hunted = !(scene->night && seat->mate);
        if (seat->alive && hunted && !str_eq(seat->name, scene->me))
            scene->targets[scene->target_count++] = seat->name;
    }
}

/* Ann, a villager; Dee is dead. */
static inline LlmScene village(void)
{
    LlmScene scene = {.me = STR("Ann"),
                      .role = STR("Villager"),
                      .side = SIDE_VILLAGER,
                      .maw = true,
                      .wolves = 2,
                      .day = 2,
                      .seconds_left = 90,
                      .seed = 7};

    scene_seat(&scene, STR("Ann"), true);
    scene_seat(&scene, STR("Bo"), true);
    scene_seat(&scene, STR("Cyril"), true);
    scene_seat(&scene, STR("Dee"), false);
    scene_seat(&scene, STR("Minato"), true);
    scene_seat(&scene, STR("Mina"), true);
    scene_seat(&scene, STR("ケイ"), true);
    scene_targets(&scene);
    return scene;
}

/* Ann, a wolf with Bo, by night. */
static inline LlmScene hideout(void)
{
    LlmScene scene = village();

    scene.role = STR("Werewolf");
    scene.side = SIDE_WEREWOLF;
    scene.night = true;
    scene.seats[0].mate = scene.seats[1].mate = true;
    scene_targets(&scene);
    return scene;
}

/* Agent[01], the seer, of five; Agent[04] is dead. */
static inline LlmScene table(LlmTask task)
{
    LlmScene scene = {.task = task,
                      .speech = SPEECH_PROTOCOL,
                      .me = STR("Agent[01]"),
                      .role = STR("SEER"),
                      .side = SIDE_VILLAGER,
                      .day = 2,
                      .seconds_left = -1,
                      .seed = 11};

    scene_seat(&scene, STR("Agent[01]"), true);
    scene_seat(&scene, STR("Agent[02]"), true);
    scene_seat(&scene, STR("Agent[03]"), true);
    scene_seat(&scene, STR("Agent[04]"), false);
    scene_seat(&scene, STR("Agent[05]"), true);
    scene_targets(&scene);
    return scene;
}

#endif
