#include "maw/maw_setup.h"

MawOptions maw_options_default(void)
{
    return (MawOptions){
        .players = 6,
        .rounds = 1,
        .wait_told_ms = 5000,
        .scores_ms = 5000,
        .rejoin_ms = 60000,
        .absent_after_ms = 300000,
        .pause_after_ms = 5000,
        .fill = FILL_NONE,
        .reveal_village = REVEAL_NONE,
        .reveal_hideout = REVEAL_ROLE,
        .whispers = WHISPERS_OFF,
        .whispers_public = true,
        .score_dead = true,
        .push = true,
        .line_rate_ms = 1000,
        .line_burst = 3,
    };
}
