#include "stats/measures.h"

#include "stats/standings.h"

/* Whose measure it is. */
typedef enum MeasureOf { OF_VILLAGE, OF_WOLVES, OF_KEY_ROLES, OF_ALL } MeasureOf;

#define SEATS PLAY_COUNTS /* as a denominator: how many seats there were */

static const struct {
    const char *name;
    PlayCount count;
    PlayCount of;
    MeasureOf whose;
} measures[MEASURE_COUNT] = {
    [MEASURE_VILLAGE_VOTES] = {"village_votes", PLAY_WOLF_VOTES, PLAY_VOTES, OF_VILLAGE},
    [MEASURE_HITS] = {"hits", PLAY_HITS, PLAY_WOLF_DAYS, OF_VILLAGE},
    [MEASURE_EXECUTIONS] = {"executions", PLAY_WOLF_EXECUTIONS, PLAY_EXECUTIONS, OF_VILLAGE},
    [MEASURE_FIRST_EXECUTIONS] = {"first_executions", PLAY_WOLF_FIRSTS, PLAY_FIRSTS, OF_VILLAGE},
    [MEASURE_WOLVES_VOTES] = {"wolves_votes", PLAY_WOLF_VOTES, PLAY_MATE_VOTES, OF_WOLVES},
    [MEASURE_SURVIVAL] = {"survival", PLAY_SURVIVED, SEATS, OF_ALL},
    [MEASURE_KEY_SURVIVAL] = {"key_survival", PLAY_SURVIVED, SEATS, OF_KEY_ROLES},
    [MEASURE_TRUE_CLAIMS] = {"true_claims", PLAY_TRUE_CLAIMS, SEATS, OF_ALL},
    [MEASURE_FALSE_CLAIMS] = {"false_claims", PLAY_FALSE_CLAIMS, SEATS, OF_ALL},
};

static bool is_measured(MeasureOf whose, Role role)
{
    switch (whose) {
    case OF_VILLAGE:
        return role_side(role) == SIDE_VILLAGER;
    case OF_WOLVES:
        return role == ROLE_WEREWOLF;
    case OF_KEY_ROLES:
        return role == ROLE_SEER || role == ROLE_MEDIUM || role == ROLE_BODYGUARD;
    case OF_ALL:
        break;
    }
    return true;
}

void play_sums_add(PlaySums *sums, Role role, const SeatPlay *play)
{
    sums->seats[role]++;
    for (PlayCount count = 0; count < PLAY_COUNTS; count++)
        sums->of[role][count] += play->of[count];
}

MeasureShare measure_share(const PlaySums *sums, Measure measure, Role role)
{
    MeasureShare share = {0};

    for (Role own = ROLE_NONE + 1; own < ROLE_COUNT; own++) {
        if ((role != ROLE_NONE && own != role) || !is_measured(measures[measure].whose, own))
            continue;
        share.count += sums->of[own][measures[measure].count];
        share.of +=
            measures[measure].of == SEATS ? sums->seats[own] : sums->of[own][measures[measure].of];
    }
    return share;
}

void measures_put_json(const PlaySums *sums, Json *json)
{
    if (measure_share(sums, MEASURE_SURVIVAL, ROLE_NONE).of == 0)
        return;
    json_key(json, STR("measures"));
    json_open(json, '{');
    for (Measure measure = 0; measure < MEASURE_COUNT; measure++) {
        const MeasureShare share = measure_share(sums, measure, ROLE_NONE);
        const Interval rate = wilson_interval(share.count, share.of, Z_95);
        if (share.of == 0)
            continue;
        json_key(json, str_of(measure_name(measure)));
        json_open(json, '{');
        json_add_uint(json, "count", share.count);
        json_add_uint(json, "of", share.of);
        json_add_real(json, "rate", rate.rate, 6);
        json_add_real(json, "low", rate.low, 6);
        json_add_real(json, "high", rate.high, 6);
        json_close(json);
    }
    json_close(json);
}

const char *measure_name(Measure measure)
{
    return measure < MEASURE_COUNT ? measures[measure].name : "";
}
