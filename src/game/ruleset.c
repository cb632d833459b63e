#include "game/ruleset.h"

static const char *const action_names[ACTION_COUNT] = {"talk",  "whisper", "execution", "divine",
                                                       "guard", "attack",  "village",   "hideout"};

const char *action_name(Action action)
{
    return (unsigned)action < ACTION_COUNT ? action_names[action] : "none";
}

/* ---- roles ---- */

static int32_t third_of(WolfCount rule, int32_t players)
{
    int32_t wolves = players / 3;

    if (rule == WOLVES_CEIL)
        wolves = (players + 2) / 3;
    else if (rule == WOLVES_NEAREST)
        wolves = (players + 1) / 3; /* x.33 down, x.67 up; a third never ends in a half */
    return wolves > 0 ? wolves : 1;
}

static void list_rows(const Ruleset *rules, char *list, size_t room)
{
    size_t used = 0;

    list[0] = '\0';
    for (int32_t players = 1; players <= SEAT_MAX && used + 4 < room; players++)
        if (rules->roles.present[players])
            used += (size_t)snprintf(list + used, room - used, " %d", (int)players);
}

int ruleset_roles(const Ruleset *rules, int32_t players, uint8_t ret_counts[static ROLE_COUNT],
                  Err *err)
{
    if (rules->wolves == WOLVES_TABLE) {
        char list[4 * SEAT_MAX + 1];
        if (players >= PLAYERS_MIN && players <= SEAT_MAX && rules->roles.present[players]) {
            memcpy(ret_counts, rules->roles.counts[players], ROLE_COUNT);
            return 0;
        }
        list_rows(rules, list, sizeof(list));
        return err_set(err, ERR_RULE,
                       "ruleset '%s' has no roles for %d players; it has rows for:%s", rules->name,
                       (int)players, list);
    }
    if (players < PLAYERS_MIN || players > SEAT_MAX)
        return err_set(err, ERR_RULE, "ruleset '%s' is for %d to %d players, not %d", rules->name,
                       PLAYERS_MIN, SEAT_MAX, (int)players);
    int32_t wolves = third_of((WolfCount)rules->wolves, players);
    memset(ret_counts, 0, ROLE_COUNT);
    ret_counts[ROLE_WEREWOLF] = (uint8_t)wolves;
    ret_counts[ROLE_SEER] = (uint8_t)rules->seers;
    ret_counts[ROLE_VILLAGER] = (uint8_t)(players - wolves - rules->seers);
    return 0;
}

/* ---- checking ---- */

static int check_talk(const Ruleset *rules, const char *which, const TalkRules *talk, Err *err)
{
    if (talk->length.count_in_word && talk->length.count_spaces)
        return err_set(err, ERR_RULE,
                       "ruleset '%s': %s.count_in_word and %s.count_spaces can't both be true",
                       rules->name, which, which);
    if (talk->exchange == EXCHANGE_ANYTIME && talk->duration_ms <= 0)
        return err_set(err, ERR_RULE,
                       "ruleset '%s': %s.exchange is anytime, so %s.duration_ms "
                       "must be more than 0",
                       rules->name, which, which);
    if (talk->order == ORDER_BIDS && (talk->exchange != EXCHANGE_SEQUENTIAL ||
                                      talk->whisper_after_turn || talk == &rules->whisper))
        return err_set(err, ERR_RULE,
                       "ruleset '%s': %s.order: bids is for talk.exchange: sequential without "
                       "talk.whisper_after_turn",
                       rules->name, which);
    if (talk->exchange == EXCHANGE_ANYTIME && talk->max_per_agent == LIMIT_NONE &&
        talk->max_lines <= 0)
        return err_set(err, ERR_RULE,
                       "ruleset '%s': %s.max_lines must be more than 0 where "
                       "%s.max_per_agent is -1",
                       rules->name, which, which);
    return 0;
}

static bool has_action(const Ruleset *rules, Action wanted)
{
    for (int half = 0; half < 2; half++) {
        const Section *section = half ? &rules->night : &rules->day;
        for (uint32_t p = 0; p < section->count; p++)
            for (uint32_t a = 0; a < section->phases[p].action_count; a++)
                if (section->phases[p].actions[a] == wanted)
                    return true;
    }
    return false;
}

static int check_rows(const Ruleset *rules, Err *err)
{
    bool any = false;

    for (int32_t players = 0; players <= SEAT_MAX; players++) {
        unsigned sum = 0;
        if (!rules->roles.present[players])
            continue;
        any = true;
        for (int role = 0; role < ROLE_COUNT; role++)
            sum += rules->roles.counts[players][role];
        if ((int32_t)sum != players || rules->roles.counts[players][ROLE_NONE])
            return err_set(err, ERR_RULE, "ruleset '%s': roles for %d players add up to %u",
                           rules->name, (int)players, sum);
    }
    if (!any && rules->wolves == WOLVES_TABLE)
        return err_set(err, ERR_RULE, "ruleset '%s' has no roles for any number of players",
                       rules->name);
    return 0;
}

int ruleset_check(const Ruleset *rules, Err *err)
{
    int rc = check_rows(rules, err);

    if (rc == 0)
        rc = check_talk(rules, "talk", &rules->talk, err);
    if (rc == 0)
        rc = check_talk(rules, "whisper", &rules->whisper, err);
    if (rc)
        return rc;
    if (rules->day.count > PHASE_MAX || rules->night.count > PHASE_MAX)
        return err_set(err, ERR_RULE, "ruleset '%s': more than %d phases", rules->name, PHASE_MAX);
    if (has_action(rules, ACTION_VILLAGE) && rules->talk.exchange != EXCHANGE_ANYTIME)
        return err_set(err, ERR_RULE, "ruleset '%s': a village needs talk.exchange: anytime",
                       rules->name);
    if (has_action(rules, ACTION_HIDEOUT) && rules->whisper.exchange != EXCHANGE_ANYTIME)
        return err_set(err, ERR_RULE, "ruleset '%s': a hideout needs whisper.exchange: anytime",
                       rules->name);
    if ((rules->talk.whisper_after_turn && rules->whisper.exchange == EXCHANGE_ANYTIME) ||
        rules->whisper.whisper_after_turn)
        return err_set(err, ERR_RULE,
                       "ruleset '%s': talk.whisper_after_turn needs whispers in turns, and "
                       "whispers have no such rule",
                       rules->name);
    if (rules->vote.effect == EFFECT_ATTACK && rules->attack.rounds > 1)
        return err_set(err, ERR_RULE, "ruleset '%s': vote.effect: attack needs attack.rounds: 1",
                       rules->name);
    if (rules->attack.whisper_before_revote && rules->whisper.exchange == EXCHANGE_ANYTIME)
        return err_set(err, ERR_RULE,
                       "ruleset '%s': attack.whisper_before_revote needs whispers "
                       "in turns, not whisper.exchange: anytime",
                       rules->name);
    return 0;
}

static bool has_room(const Section *section)
{
    for (uint32_t p = 0; p < section->count; p++)
        for (uint32_t a = 0; a < section->phases[p].action_count; a++)
            if (section->phases[p].actions[a] == ACTION_VILLAGE ||
                section->phases[p].actions[a] == ACTION_HIDEOUT)
                return true;
    return false;
}

bool ruleset_is_timed(const Ruleset *rules)
{
    return rules->talk.exchange == EXCHANGE_ANYTIME ||
           rules->whisper.exchange == EXCHANGE_ANYTIME || has_room(&rules->day) ||
           has_room(&rules->night);
}
