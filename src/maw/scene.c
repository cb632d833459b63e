#include "maw/driver.h"

#define LINE_CHARS_OWN 300 /* A35: our own seats keep their lines shorter than the rules allow */
#define SECOND         ((TimeUs)1000 * 1000)

static int32_t seconds_left(const MawKnown *known, TimeUs now)
{
    if (known->phase_ends == TIME_US_NEVER)
        return -1;
    TimeUs left = (known->phase_ends - now) / SECOND;

    return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int32_t)left;
}

void maw_scene(const MawPlayer *player, LlmLanguage language, TimeUs now, LlmScene *ret_scene)
{
    const MawKnown *known = maw_player_known(player);
    LlmScene *scene = ret_scene;
    Str targets[MAW_LIST_MAX];

    *scene = (LlmScene){
        .language = language,
        .task = TASK_ROOM,
        .me = known->me,
        .role = known->role,
        .side = known->wolf ? SIDE_WEREWOLF : SIDE_VILLAGER,
        .maw = true,
        .wolves = known->wolves,
        .day = known->day,
        .night = known->night,
        .seconds_left = seconds_left(known, now),
        .my_vote = known->my_vote,
        .max_chars = known->max_chars < LINE_CHARS_OWN ? known->max_chars : LINE_CHARS_OWN,
    };
    for (uint32_t i = 0; i < known->player_count && i < LLM_SEATS_MAX; i++) {
        const MawKnownPlayer *person = &known->players[i];
        scene->seats[scene->seat_count++] = (LlmSeatSeen){
            .name = person->name,
            .alive = person->alive,
            .mate = person->mate,
            .cause = person->cause,
            .role = person->role,
            .votes_for = person->votes_for,
            .votes = person->votes < 0 ? 0 : (uint32_t)person->votes,
        };
    }
    scene->target_count = maw_player_targets(player, targets);
    for (uint32_t i = 0; i < scene->target_count && i < LLM_SEATS_MAX; i++)
        scene->targets[i] = targets[i];
}
