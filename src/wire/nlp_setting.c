/* What of nlp_packet.h is done once a game or with replies: `setting`, and texts that come in. */
#include "base/json.h"
#include "wire/nlp_packet.h"

/* ---- setting: 3.4 ---- */

static void open_object(Json *json, Str key)
{
    json_key(json, key);
    json_open(json, '{');
}

static void put_length(Json *json, const LengthRules *length)
{
    bool talk = length->per_talk != LIMIT_NONE;
    bool agent = length->per_agent != LIMIT_NONE;
    bool base = length->base_length != LIMIT_NONE;

    open_object(json, STR("max_length"));
    if (base)
        json_add_int(json, "base_length", length->base_length);
    if (talk || agent || base) {
        json_add_bool(json, "count_in_word", length->count_in_word);
        json_add_bool(json, "count_spaces", length->count_spaces);
    }
    if (agent || base)
        json_add_int(json, "mention_length", length->mention_length);
    if (agent)
        json_add_int(json, "per_agent", length->per_agent);
    if (talk)
        json_add_int(json, "per_talk", length->per_talk);
    json_close(json);
}

static void put_talk(Json *json, Str key, const TalkRules *rules)
{
    open_object(json, key);
    if (rules->exchange == EXCHANGE_ANYTIME)
        json_add_int(json, "duration", rules->duration_ms);
    open_object(json, STR("max_count"));
    json_add_int(json, "per_agent", rules->max_per_agent);
    json_add_int(json, "per_day", rules->max_turns);
    json_close(json);
    put_length(json, &rules->length);
    json_add_int(json, "max_skip", rules->max_skip);
    json_close(json);
}

/* Only the roles that clients know (3.5), in alphabetical order. */
static void put_roles(Json *json, const uint8_t counts[static ROLE_COUNT],
                      const bool named[static ROLE_COUNT])
{
    static const Role roles[] = {ROLE_BODYGUARD, ROLE_MEDIUM,   ROLE_POSSESSED,
                                 ROLE_SEER,      ROLE_VILLAGER, ROLE_WEREWOLF};

    open_object(json, STR("role_num_map"));
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
        if (named[roles[i]] || counts[roles[i]] > 0)
            json_add_int(json, role_name(roles[i]), counts[roles[i]]);
    json_close(json);
}

void nlp_setting_write(const Ruleset *rules, int32_t players,
                       const bool role_named[static ROLE_COUNT], int32_t action_ms,
                       int32_t response_ms, Buf *out)
{
    uint8_t counts[ROLE_COUNT] = {0};
    Json json = json_over(out);

    ruleset_roles(rules, players, counts, NULL); /* a table that can't be has no roles */
    json_open(&json, '{');
    json_add_int(&json, "agent_count", players);
    open_object(&json, STR("attack_vote"));
    json_add_bool(&json, "allow_no_target", rules->attack.tie == TIE_NOBODY);
    json_add_bool(&json, "allow_self_vote", rules->attack.self_vote);
    json_add_int(&json, "max_count", rules->attack.rounds);
    json_close(&json);
    if (rules->end.max_day != LIMIT_NONE)
        json_add_int(&json, "max_day", rules->end.max_day);
    put_roles(&json, counts, role_named);
    put_talk(&json, STR("talk"), &rules->talk);
    open_object(&json, STR("timeout"));
    json_add_int(&json, "action", action_ms);
    json_add_int(&json, "response", response_ms);
    json_close(&json);
    open_object(&json, STR("vote"));
    json_add_bool(&json, "allow_self_vote", rules->vote.self_vote);
    json_add_int(&json, "max_count", rules->vote.rounds);
    json_close(&json);
    json_add_bool(&json, "vote_visibility", rules->vote.visible);
    put_talk(&json, STR("whisper"), &rules->whisper);
    json_close(&json);
}

/* ---- replies: 1.4, 2.1 ---- */

void nlp_reply_text(Str reply, Buf *out)
{
    buf_clear(out);
    while (reply.len)
        buf_add(out, str_cut(&reply, '\n'));
}

Str nlp_name_text(Str reply)
{
    while (reply.len && reply.bytes[reply.len - 1] == '\n')
        reply.len--;
    return reply;
}

SeatNo nlp_reply_target(Str text, const Str *names, SeatNo seat_count)
{
    for (SeatNo seat = 1; seat <= seat_count; seat++)
        if (str_eq(text, names[seat]))
            return seat;
    return SEAT_NONE;
}

Str nlp_team_of(Str name)
{
    while (name.len && name.bytes[name.len - 1] >= '0' && name.bytes[name.len - 1] <= '9')
        name.len--;
    return name;
}
