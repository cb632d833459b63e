/* test_play_meter.c - how seats play is the same from a game's events and from its log, whatever
 * division has written it. */
#include "prop.h"
#include "sanitized.h"

#include "bot/kinds.h"
#include "record/game_recorder.h"
#include "record/log_result.h"
#include "record/nlp_log.h"
#include "referee/referee.h"

/* A game heard by the recorder, and written as a log of the natural-language division. */
typedef struct Both {
    GameRecorder recorder;
    NlpLogWriter writer;
    Buf log;
} Both;

static void both_done(Both *both)
{
    game_recorder_done(&both->recorder);
    nlp_log_done(&both->writer);
    buf_done(&both->log);
}

static void hear_both(void *user, const Event *event)
{
    Both *both = user;
    const Recorder listener = game_recorder_listener(&both->recorder);

    listener.event(listener.user, event);
    nlp_log_follow(&both->writer, event);
    nlp_log_event(&both->writer, event, &both->log);
}

static bool same_play(const GameResult *heard, LogForm form, Str text)
{
    CLEANUP(log_game_done) LogGame log = {0};
    GameResult read = {0};

    if (heard->winner == SIDE_NONE)
        return !heard->has_play;
    if (log_game_read_of(form, text, &log, NULL) || log_result(&log, &read, NULL))
        return false;
    for (SeatNo seat = 1; seat <= heard->seat_count; seat++)
        if (!seat_play_possible(&heard->play[seat]) ||
            memcmp(&heard->play[seat], &read.play[seat], sizeof(SeatPlay)) != 0)
            return false;
    return heard->has_play && read.has_play;
}

/* Sums over the seats are what the game had. */
static bool sums_add_up(const GameResult *result)
{
    unsigned firsts = 0, wolf_firsts = 0, survived = 0, wolves = 0;

    for (SeatNo seat = 1; seat <= result->seat_count; seat++) {
        const uint16_t *of = result->play[seat].of;
        firsts += of[PLAY_FIRSTS];
        wolf_firsts += of[PLAY_WOLF_FIRSTS];
        survived += of[PLAY_SURVIVED];
        wolves += of[PLAY_SURVIVED] && result->roles[seat] == ROLE_WEREWOLF;
    }
    return (wolf_firsts == 0 || wolf_firsts == firsts) && survived < result->seat_count &&
           (result->winner != SIDE_VILLAGER || wolves == 0) &&
           (result->winner != SIDE_WEREWOLF || wolves > 0);
}

/* Of any preset that a referee can play: in turns. */
static bool logs_tell_what_events_tell(Rng *rng, unsigned size)
{
    static const char *const presets[] = {"aiwolf-2019", "aiwolf-2021", "aiwolf-server",
                                          "nlp-turn"};
    static const Str names[SEAT_MAX + 1] = {{0}};
    CLEANUP(both_done) Both both = {0};
    CLEANUP(referee_freep) Referee *referee = NULL;
    const BotKind *kinds[SEAT_MAX + 1] = {NULL};
    NlpSeat seats[SEAT_MAX + 1];
    char seat_names[SEAT_MAX + 1][16];
    const Recorder listener = {hear_both, &both};
    const int32_t players = 5 + (int32_t)(size % 11);
    Ruleset rules;

    if (ruleset_preset(str_of(presets[rng_below(rng, 4)]), &rules, NULL))
        return false;
    for (SeatNo seat = 1; seat <= players; seat++) {
        kinds[seat] = rng_below(rng, 2) ? &bot_sample : &bot_random;
        snprintf(seat_names[seat], sizeof(seat_names[seat]), "Name%u", seat);
        seats[seat] = (NlpSeat){
            .original = STR("team1"), .team = STR("team"), .name = str_of(seat_names[seat])};
    }
    if (referee_new(&rules, players, kinds, &referee, NULL))
        return true; /* these rules have no such table */
    memcpy(both.recorder.record.result.names, names, sizeof(names));
    game_recorder_begin(&both.recorder, (SeatNo)players, true);
    nlp_log_begin(&both.writer, STR("game"), seats, (SeatNo)players, 1795296000000);
    if (referee_play(referee, NULL, &(GameKey){.key = key_of_seed(rng_next(rng))}, &listener, NULL))
        return false;
    const GameResult *result = &both.recorder.record.result;
    return same_play(result, LOG_FORM_PROTOCOL, buf_str(&both.recorder.log)) &&
           same_play(result, LOG_FORM_NLP, buf_str(&both.log)) &&
           (!result->has_play || sums_add_up(result));
}

static void a_log_gives_what_its_game_gave(void **state)
{
    (void)state;
    prop_check(logs_tell_what_events_tell, SANITIZED ? 100 : 600, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_gives_what_its_game_gave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
