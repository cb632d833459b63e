#include "wire/nlp_client_state.h"

/* ---- names ---- */

static SeatNo seat_of(const NlpState *state, Str name)
{
    return nlp_reply_target(name, state->names, state->view.seat_count);
}

SeatNo nlp_state_seat(JsonReader *reader, const json_t *object, const char *key,
                      const NlpState *state)
{
    Str name = json_get_str(reader, object, key);
    SeatNo seat = name.len ? seat_of(state, name) : SEAT_NONE;

    if (name.len && seat == SEAT_NONE)
        json_refuse(reader, key, "a name of this game");
    return seat;
}

/* The seat that the key of a map names. */
static SeatNo member_seat(JsonReader *reader, void *member, const NlpState *state)
{
    SeatNo seat = seat_of(state, str_of(json_member_key(member)));

    if (seat == SEAT_NONE)
        json_refuse(reader, json_member_key(member), "a name of this game");
    return seat;
}

static void read_names(JsonReader *reader, json_t *statuses, NlpState *state)
{
    SeatNo count = 0;

    for (void *at = json_member(statuses, NULL); at && !reader->rc;
         at = json_member(statuses, at)) {
        Str name = str_of(json_member_key(at));
        if (count >= SEAT_MAX || name.len >= NLP_NAME_BYTES || name.len == 0) {
            reader->rc =
                err_set(reader->err, ERR_LIMIT,
                        "packet: more than %d players, or a name that is not of 1 to %d bytes",
                        SEAT_MAX, NLP_NAME_BYTES - 1);
            return;
        }
        count++;
        memcpy(state->name_texts[count], name.bytes, name.len);
        state->names[count] = (Str){state->name_texts[count], name.len};
    }
    if (count < PLAYERS_MIN && !reader->rc)
        reader->rc = err_set(reader->err, ERR_LIMIT, "packet: %u players; expected %d to %d", count,
                             PLAYERS_MIN, SEAT_MAX);
    reader->seat_count = state->view.seat_count = reader->rc ? 0 : count;
}

/* ---- setting: 3.4 ---- */

static int32_t get_number(JsonReader *reader, const json_t *object, const char *key,
                          int32_t otherwise)
{
    return (int32_t)json_get_int(reader, object, key, INT32_MIN, INT32_MAX, otherwise);
}

static void read_length(JsonReader *reader, const json_t *limits, LengthRules *length)
{
    if (!limits)
        return;
    length->count_in_word = json_get_bool(reader, limits, "count_in_word", false);
    length->count_spaces = json_get_bool(reader, limits, "count_spaces", false);
    length->per_talk = get_number(reader, limits, "per_talk", LIMIT_NONE);
    length->per_agent = get_number(reader, limits, "per_agent", LIMIT_NONE);
    length->base_length = get_number(reader, limits, "base_length", LIMIT_NONE);
    length->mention_length = get_number(reader, limits, "mention_length", LIMIT_NONE);
}

static void read_talk_rules(JsonReader *reader, const json_t *setting, TalkRules *rules)
{
    const json_t *count = json_get_object(reader, setting, "max_count");

    if (!setting)
        return;
    rules->max_per_agent = get_number(reader, count, "per_agent", rules->max_per_agent);
    rules->max_turns = get_number(reader, count, "per_day", rules->max_turns);
    rules->max_skip = json_get_amount(reader, setting, "max_skip", rules->max_skip);
    rules->duration_ms = get_number(reader, setting, "duration", 0);
    rules->exchange = rules->duration_ms > 0 ? EXCHANGE_ANYTIME : EXCHANGE_SEQUENTIAL;
    read_length(reader, json_get_object(reader, setting, "max_length"), &rules->length);
}

static void read_role_counts(JsonReader *reader, const json_t *map, NlpState *state)
{
    const SeatNo players = state->view.seat_count;

    for (int role = ROLE_NONE + 1; map && role < ROLE_COUNT; role++)
        state->role_counts[role] =
            (uint8_t)json_get_int(reader, map, role_name((Role)role), 0, SEAT_MAX, 0);
    state->rules.players = players;
    state->rules.roles.present[players] = true;
    memcpy(state->rules.roles.counts[players], state->role_counts, sizeof(state->role_counts));
}

void nlp_state_setting(JsonReader *reader, const json_t *setting, NlpState *state)
{
    Ruleset *rules = &state->rules;
    const json_t *vote = json_get_object(reader, setting, "vote");
    const json_t *attack = json_get_object(reader, setting, "attack_vote");
    const json_t *timeout = json_get_object(reader, setting, "timeout");

    read_role_counts(reader, json_get_object(reader, setting, "role_num_map"), state);
    rules->end.max_day = get_number(reader, setting, "max_day", LIMIT_NONE);
    rules->vote.visible = json_get_bool(reader, setting, "vote_visibility", rules->vote.visible);
    rules->vote.rounds = json_get_amount(reader, vote, "max_count", rules->vote.rounds);
    rules->vote.self_vote = json_get_bool(reader, vote, "allow_self_vote", rules->vote.self_vote);
    rules->attack.rounds = json_get_amount(reader, attack, "max_count", rules->attack.rounds);
    rules->attack.self_vote =
        json_get_bool(reader, attack, "allow_self_vote", rules->attack.self_vote);
    if (json_get_bool(reader, attack, "allow_no_target", rules->attack.tie == TIE_NOBODY))
        rules->attack.tie = TIE_NOBODY;
    else
        rules->attack.tie = TIE_RANDOM;
    rules->contest.time_limit_told_ms =
        get_number(reader, timeout, "action", rules->contest.time_limit_told_ms);
    read_talk_rules(reader, json_get_object(reader, setting, "talk"), &rules->talk);
    read_talk_rules(reader, json_get_object(reader, setting, "whisper"), &rules->whisper);
}

/* ---- info: 3.3 ---- */

/* Like all results of yesterday it is in every packet of the day: absent means none. */
static void read_votes(JsonReader *reader, const json_t *info, const char *key, VoteLog *votes,
                       const NlpState *state)
{
    const json_t *list = json_get_list(reader, info, key);

    *votes = (VoteLog){0};
    if (json_count(list) > SEAT_MAX && !reader->rc)
        reader->rc =
            err_set(reader->err, ERR_LIMIT, "packet: more than %d votes in '%s'", SEAT_MAX, key);
    for (size_t i = 0; i < json_count(list) && !reader->rc; i++) {
        const json_t *item = json_at(list, i);
        Vote vote = {nlp_state_seat(reader, item, "agent", state),
                     nlp_state_seat(reader, item, "target", state)};
        if (vote.voter == SEAT_NONE || vote.target == SEAT_NONE)
            json_refuse(reader, key, "a list of votes");
        votes->day = (uint16_t)json_get_int(reader, item, "day", 0, NLP_DAY_MAX, votes->day);
        votes->items[votes->count++] = vote;
    }
}

/* The view has the day on which it is learnt, and who looked: this agent. */
static void read_judge(JsonReader *reader, const json_t *info, const char *key, Judge *judge,
                       const NlpState *state)
{
    const json_t *item = json_get_object(reader, info, key);

    *judge = (Judge){0};
    if (!item)
        return;
    *judge = (Judge){.day = (uint16_t)(1 + json_get_int(reader, item, "day", 0, NLP_DAY_MAX, 0)),
                     .agent = state->view.seat,
                     .target = nlp_state_seat(reader, item, "target", state),
                     .result = species_of(json_get_str(reader, item, "result"))};
}

/* Roles become known and stay known. */
static void read_roles(JsonReader *reader, const json_t *info, NlpState *state)
{
    const json_t *map = json_get_object(reader, info, "role_map");
    View *view = &state->view;
    Str name;

    for (void *at = json_member(map, NULL); at; at = json_member(map, at)) {
        SeatNo seat = member_seat(reader, at, state);
        bool text = json_as_str(json_member_value(at), &name);
        if (!text)
            json_refuse(reader, "role_map", "a map of roles");
        if (text && seat != SEAT_NONE && role_of(name) != ROLE_NONE)
            view->roles[seat] = (uint8_t)role_of(name);
    }
    view->role = (Role)view->roles[view->seat];
}

static void read_statuses(JsonReader *reader, const json_t *info, NlpState *state)
{
    const json_t *map = json_get_object(reader, info, "status_map");
    SeatSet alive = 0;
    Str status;

    if (!map)
        return;
    for (void *at = json_member(map, NULL); at; at = json_member(map, at)) {
        SeatNo seat = member_seat(reader, at, state);
        bool text = json_as_str(json_member_value(at), &status);
        if (!text)
            json_refuse(reader, "status_map", "a map of statuses");
        if (text && seat != SEAT_NONE && str_eq(status, STR("ALIVE")))
            alive |= seat_bit(seat);
    }
    state->view.alive = alive;
}

static void fill_allowance(const TalkRules *rules, SeatSet seats, NlpAllowance *allowance)
{
    int32_t left = rules->max_per_agent;

    *allowance = (NlpAllowance){0};
    if (left < 0 || left > UINT16_MAX)
        left = UINT16_MAX;
    for (; seats; seats &= seats - 1) {
        SeatNo seat = seat_first(seats);
        allowance->left[seat] = (uint16_t)left;
        allowance->length[seat] = rules->length.per_agent;
        allowance->skips[seat] = (uint16_t)rules->max_skip;
    }
}

static SeatSet known_wolves(const View *view)
{
    SeatSet wolves = 0;

    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (view->roles[seat] == ROLE_WEREWOLF)
            wolves |= seat_bit(seat);
    return wolves & view->alive;
}

/* What only holds today is forgotten. */
static void begin_day(NlpState *state, uint16_t day)
{
    View *view = &state->view;

    state->days++;
    view->day = day;
    view->alive_at_dawn = view->alive;
    view->executed_today = SEAT_NONE;
    state->talk.count = state->whisper.count = 0;
    state->broadcast[0] = state->broadcast[1] = false;
    state->voted = state->attacked = false;
    fill_allowance(&state->rules.talk, view->alive, &state->talking);
    fill_allowance(&state->rules.whisper, known_wolves(view), &state->whispering);
}

/* Of the running session, and of this agent alone. Generation A has deducted the utterance that it
 * asks for. */
static void read_remains(JsonReader *reader, const json_t *info, const View *view,
                         NlpAllowance *allowance)
{
    SeatNo me = view->seat;

    allowance->left[me] =
        (uint16_t)json_get_amount(reader, info, "remain_count", allowance->left[me]);
    allowance->length[me] = get_number(reader, info, "remain_length", allowance->length[me]);
    allowance->skips[me] =
        (uint16_t)json_get_amount(reader, info, "remain_skip", allowance->skips[me]);
}

int nlp_state_kind(NlpRequest request)
{
    Str name = str_of(nlp_request_name(request));

    return str_starts(name, STR("TALK")) ? 0 : str_starts(name, STR("WHISPER")) ? 1 : -1;
}

void nlp_state_info(JsonReader *reader, const json_t *info, NlpState *state)
{
    View *view = &state->view;
    SeatSet before = view->alive;
    int kind = nlp_state_kind(state->request);

    /* The day's beginning asks who lives and who is a wolf. */
    read_roles(reader, info, state);
    read_statuses(reader, info, state);
    uint16_t day = (uint16_t)json_get_int(reader, info, "day", 0, NLP_DAY_MAX, view->day);
    if (day != view->day || state->request == NLP_DAILY_INITIALIZE)
        begin_day(state, day);
    else if (seat_count_of(before & ~view->alive) == 1) /* only an execution is told by day */
        view->executed_today = seat_first(before & ~view->alive);
    view->executed = nlp_state_seat(reader, info, "executed_agent", state);
    view->last_dead[0] = nlp_state_seat(reader, info, "attacked_agent", state);
    view->last_dead_count = view->last_dead[0] != SEAT_NONE;
    read_judge(reader, info, "divine_result", &view->divined, state);
    read_judge(reader, info, "medium_result", &view->identified, state);
    read_votes(reader, info, "vote_list", &state->votes, state);
    read_votes(reader, info, "attack_vote_list", &state->attack_votes, state);
    if (state->request == NLP_TALK_PHASE_START)
        fill_allowance(&state->rules.talk, view->alive, &state->talking);
    if (state->request == NLP_WHISPER_PHASE_START || state->request == NLP_DAILY_FINISH)
        fill_allowance(&state->rules.whisper, known_wolves(view), &state->whispering);
    if (kind >= 0)
        read_remains(reader, info, view, kind ? &state->whispering : &state->talking);
}

/* ---- the beginning of a game ---- */

void nlp_state_begin(JsonReader *reader, const json_t *info, const json_t *setting, NlpState *state)
{
    json_t *statuses = json_get_object(reader, info, "status_map");
    View *view = &state->view;

    *state = (NlpState){.started = true,
                        .request = state->request,
                        .days = state->days,
                        .asks = state->asks,
                        .winner = state->winner};
    if (!statuses)
        json_refuse(reader, "status_map", "in the INITIALIZE");
    if (reader->rc)
        return;
    ruleset_preset(STR("nlp-turn"), &state->rules, NULL);
    read_names(reader, statuses, state);
    if (reader->rc)
        return;
    ruleset_roles(&state->rules, view->seat_count, state->role_counts, NULL);
    view->seat = nlp_state_seat(reader, info, "agent", state);
    if (view->seat == SEAT_NONE)
        json_refuse(reader, "agent", "a name of this game");
    nlp_state_setting(reader, setting, state);
    view->alive = seat_all(view->seat_count);
    read_roles(reader, info, state);
    read_statuses(reader, info, state);
    begin_day(state, 0);
}
