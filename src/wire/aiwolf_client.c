/* A packet is read in three steps, so that a bad one changes nothing: its JSON; all of its numbers
 * and names into a copy of the state, and its utterances checked; then, when nothing can fail any
 * more, the utterances are taken over and the copy becomes the state. */
#include "wire/aiwolf_client.h"

#include "base/arena.h"
#include "lang/lang.h"
#include "wire/json_read.h"

#include <jansson.h>

#define DAY_MAX   1000    /* as many as any game of ours has */
#define TALKS_MAX 2048u   /* of one list of a day; 18 players in 20 turns make 360 */
#define IDX_MAX   1000000 /* idx, turn */

/* Of a day. What other agents say must not be able to stop this one: 18 of them with 10 utterances
 * and 10 whispers of 8 KiB fill three quarters of the texts. When sentences find no room (only
 * hostile or absurd talk is so large), the later ones stay unparsed. */
#define TEXT_BYTES     (4u << 20)
#define SENTENCE_BYTES (4u << 20)

/* What a packet changes. */
typedef struct State {
    bool started;  /* there was an INITIALIZE */
    uint32_t days; /* that began, in all games */
    View view;
    Ruleset rules;
    uint8_t role_counts[ROLE_COUNT];
    uint16_t talk_left[SEAT_MAX + 1];
    uint16_t whisper_left[SEAT_MAX + 1];
    VoteLog latest_votes;
    VoteLog votes;
    VoteLog latest_attack_votes;
    VoteLog attack_votes;
    TalkLog talk;
    TalkLog whisper;
    bool attack_asked; /* since the last WHISPER of today */
    AiwolfRequest request;
    bool revote;
    uint32_t asks;
    Side winner; /* of the last game that was finished */
} State;

struct AiwolfClient {
    State state;
    Str names[SEAT_MAX + 1];
    char name_texts[SEAT_MAX + 1][12];
    Talk talks[TALKS_MAX];
    Talk whispers[TALKS_MAX];
    Arena texts; /* of today */
    Arena sentences;
};

/* ---- gameSetting ---- */

/* On day 0 the wolves whisper in the day and before the talk, not in the evening
 * (docs/spec/protocol-division.md 3.1). The preset's first phase of the night is that whisper. */
static void set_talk_on_first_day(Ruleset *rules)
{
    Phase whisper = rules->night.phases[0], talk = rules->day.phases[0];

    memmove(rules->night.phases, rules->night.phases + 1, --rules->night.count * sizeof(Phase));
    talk.except_day = DAY_ANY;
    rules->day.phases[0] = whisper;
    rules->day.phases[1] = talk;
    rules->day.count = 2;
}

static void read_talk_rules(JsonReader *reader, const json_t *setting, Ruleset *rules)
{
    TalkRules *talk = &rules->talk, *whisper = &rules->whisper;

    talk->max_per_agent = json_get_amount(reader, setting, "maxTalk", talk->max_per_agent);
    talk->max_turns = json_get_amount(reader, setting, "maxTalkTurn", talk->max_turns);
    whisper->max_per_agent = json_get_amount(reader, setting, "maxWhisper", whisper->max_per_agent);
    whisper->max_turns = json_get_amount(reader, setting, "maxWhisperTurn", whisper->max_turns);
    talk->max_skip = whisper->max_skip =
        json_get_amount(reader, setting, "maxSkip", talk->max_skip);
    talk->validate = whisper->validate =
        json_get_bool(reader, setting, "validateUtterance", talk->validate);
}

static void read_role_counts(JsonReader *reader, json_t *setting, State *state)
{
    json_t *map = json_get_object(reader, setting, "roleNumMap");

    for (int role = ROLE_NONE + 1; map && role < ROLE_COUNT; role++)
        state->role_counts[role] =
            (uint8_t)json_get_int(reader, map, role_name((Role)role), 0, SEAT_MAX, 0);
}

/* 2.6; votableInFirstDay means nothing. */
static void read_setting(JsonReader *reader, json_t *setting, State *state)
{
    Ruleset *rules = &state->rules;

    ruleset_preset(STR("aiwolf-2021"), rules, NULL);
    ruleset_roles(rules, reader->seat_count, state->role_counts, NULL);
    read_role_counts(reader, setting, state);
    rules->players = reader->seat_count;
    rules->roles.present[reader->seat_count] = true;
    memcpy(rules->roles.counts[reader->seat_count], state->role_counts, sizeof(state->role_counts));
    read_talk_rules(reader, setting, rules);
    rules->vote.rounds = 1 + json_get_amount(reader, setting, "maxRevote", rules->vote.rounds - 1);
    rules->vote.visible = json_get_bool(reader, setting, "voteVisible", rules->vote.visible);
    if (json_get_bool(reader, setting, "enableNoExecution", false))
        rules->vote.tie = TIE_NOBODY;
    rules->attack.rounds =
        1 + json_get_amount(reader, setting, "maxAttackRevote", rules->attack.rounds - 1);
    rules->attack.whisper_before_revote =
        json_get_bool(reader, setting, "whisperBeforeRevote", false);
    if (json_get_bool(reader, setting, "enableNoAttack", false)) {
        rules->attack.tie = TIE_NOBODY;
        rules->attack.no_vote = NO_VOTE_NOBODY;
    }
    if (json_get_bool(reader, setting, "talkOnFirstDay", false))
        set_talk_on_first_day(rules);
    rules->contest.role_request =
        json_get_bool(reader, setting, "enableRoleRequest", rules->contest.role_request);
    rules->contest.time_limit_told_ms =
        (int32_t)json_get_int(reader, setting, "timeLimit", INT32_MIN, INT32_MAX, -1);
}

/* ---- gameInfo ---- */

static void read_votes(JsonReader *reader, const json_t *info, const char *key, VoteLog *votes)
{
    const json_t *list = json_get_list(reader, info, key), *item;
    size_t i;

    if (!list)
        return;
    if (json_array_size(list) > SEAT_MAX && !reader->rc)
        reader->rc =
            err_set(reader->err, ERR_LIMIT, "packet: more than %d votes in '%s'", SEAT_MAX, key);
    votes->count = 0;
    json_array_foreach (list, i, item) {
        Vote vote = {json_get_seat(reader, item, "agent", SEAT_NONE),
                     json_get_seat(reader, item, "target", SEAT_NONE)};
        if (reader->rc || vote.voter == SEAT_NONE || vote.target == SEAT_NONE)
            continue;
        votes->day = (uint16_t)json_get_int(reader, item, "day", 0, DAY_MAX, votes->day);
        votes->items[votes->count++] = vote;
    }
}

static void read_judge(JsonReader *reader, json_t *info, const char *key, Judge *judge)
{
    json_t *item = json_get_object(reader, info, key);

    if (json_object_get(info, key))
        *judge = (Judge){0};
    if (!item)
        return;
    *judge = (Judge){.day = (uint16_t)json_get_int(reader, item, "day", 0, DAY_MAX, 0),
                     .agent = json_get_seat(reader, item, "agent", SEAT_NONE),
                     .target = json_get_seat(reader, item, "target", SEAT_NONE),
                     .result = species_of(json_get_str(reader, item, "result"))};
}

/* Who stands in a map by agent, and how many utterances they have left. */
static void read_left(JsonReader *reader, json_t *info, const char *key,
                      uint16_t left[static SEAT_MAX + 1], SeatSet *seats)
{
    json_t *map = json_get_object(reader, info, key), *value;
    const char *name;

    if (!map)
        return;
    memset(left, 0, (SEAT_MAX + 1) * sizeof(*left));
    *seats = 0;
    json_object_foreach (map, name, value) {
        SeatNo seat = json_key_seat(reader, name);
        if (seat == SEAT_NONE)
            continue;
        left[seat] = (uint16_t)json_get_amount(reader, map, name, 0);
        *seats |= seat_bit(seat);
    }
}

/* Roles become known and stay known. */
static void read_roles(JsonReader *reader, json_t *info, View *view)
{
    json_t *map = json_get_object(reader, info, "roleMap"), *value;
    const char *name;

    json_object_foreach (map, name, value) {
        SeatNo seat = json_key_seat(reader, name);
        Role role = role_of(json_get_str(reader, map, name));
        if (seat != SEAT_NONE && role != ROLE_NONE)
            view->roles[seat] = (uint8_t)role;
    }
    view->role = (Role)view->roles[view->seat];
}

static void read_statuses(JsonReader *reader, json_t *info, View *view)
{
    json_t *map = json_get_object(reader, info, "statusMap"), *value;
    const char *name;

    if (map)
        view->alive = 0;
    json_object_foreach (map, name, value) {
        SeatNo seat = json_key_seat(reader, name);
        if (seat != SEAT_NONE && str_eq(json_get_str(reader, map, name), STR("ALIVE")))
            view->alive |= seat_bit(seat);
    }
}

static void read_last_dead(JsonReader *reader, const json_t *info, View *view)
{
    const json_t *list = json_get_list(reader, info, "lastDeadAgentList"), *item;
    const uint8_t room = sizeof(view->last_dead) / sizeof(view->last_dead[0]);
    size_t i;

    if (list)
        view->last_dead_count = 0;
    json_array_foreach (list, i, item) {
        int64_t seat = json_is_integer(item) ? json_integer_value(item) : 0;
        if (seat < 1 || seat > reader->seat_count)
            json_refuse(reader, "lastDeadAgentList", "a list of agents");
        else if (view->last_dead_count < room)
            view->last_dead[view->last_dead_count++] = (SeatNo)seat;
    }
}

static void fill_whispers_left(State *state)
{
    for (SeatNo seat = 1; seat <= state->view.seat_count; seat++) {
        bool wolf = state->view.roles[seat] == ROLE_WEREWOLF;
        state->whisper_left[seat] = wolf && seat_in(state->view.alive, seat)
                                        ? (uint16_t)state->rules.whisper.max_per_agent
                                        : 0;
    }
}

/* What only holds today is forgotten. */
static void begin_day(State *state, uint16_t day)
{
    View *view = &state->view;

    state->days++;
    view->day = day;
    view->alive_at_dawn = view->alive;
    view->executed = view->executed_today = view->attacked = view->guarded = SEAT_NONE;
    view->last_dead_count = 0;
    view->divined = view->identified = (Judge){0};
    state->latest_votes.count = state->votes.count = 0;
    state->latest_attack_votes.count = state->attack_votes.count = 0;
    state->talk.count = state->whisper.count = 0;
    state->attack_asked = false;
    fill_whispers_left(state);
    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        state->talk_left[seat] =
            seat_in(view->alive, seat) ? (uint16_t)state->rules.talk.max_per_agent : 0;
}

static void read_info(JsonReader *reader, json_t *info, State *state)
{
    View *view = &state->view;
    SeatSet wolves = 0;

    /* The day's beginning asks who lives and who is a wolf. */
    read_roles(reader, info, view);
    read_statuses(reader, info, view);
    uint16_t day = (uint16_t)json_get_int(reader, info, "day", 0, DAY_MAX, view->day);
    if (day != view->day)
        begin_day(state, day);
    read_left(reader, info, "remainTalkMap", state->talk_left, &view->alive_at_dawn);
    read_left(reader, info, "remainWhisperMap", state->whisper_left, &wolves);
    read_last_dead(reader, info, view);
    read_votes(reader, info, "latestVoteList", &state->latest_votes);
    read_votes(reader, info, "voteList", &state->votes);
    read_votes(reader, info, "latestAttackVoteList", &state->latest_attack_votes);
    read_votes(reader, info, "attackVoteList", &state->attack_votes);
    view->executed_today = json_get_seat(reader, info, "latestExecutedAgent", view->executed_today);
    view->executed = json_get_seat(reader, info, "executedAgent", view->executed);
    view->attacked = json_get_seat(reader, info, "attackedAgent", view->attacked);
    view->guarded = json_get_seat(reader, info, "guardedAgent", view->guarded);
    read_judge(reader, info, "divineResult", &view->divined);
    read_judge(reader, info, "mediumResult", &view->identified);
}

/* ---- the beginning and the end ---- */

/* How many play: by the statuses, or by the setting. */
static SeatNo read_seat_count(JsonReader *reader, json_t *info, json_t *setting)
{
    json_t *statuses = json_get_object(reader, info, "statusMap");
    size_t count = statuses ? json_object_size(statuses)
                            : (size_t)json_get_amount(reader, setting, "playerNum", 0);

    if ((count < PLAYERS_MIN || count > SEAT_MAX) && !reader->rc)
        reader->rc = err_set(reader->err, ERR_LIMIT, "packet: %zu players; expected %d to %d",
                             count, PLAYERS_MIN, SEAT_MAX);
    return reader->rc ? PLAYERS_MIN : (SeatNo)count;
}

static void begin_game(JsonReader *reader, json_t *info, json_t *setting, State *state)
{
    View *view = &state->view;

    *state = (State){.started = true,
                     .request = state->request,
                     .days = state->days,
                     .asks = state->asks,
                     .winner = state->winner};
    if (!info)
        json_refuse(reader, "gameInfo", "an object");
    reader->seat_count = view->seat_count = read_seat_count(reader, info, setting);
    view->seat = json_get_seat(reader, info, "agent", SEAT_NONE);
    if (view->seat == SEAT_NONE)
        json_refuse(reader, "agent", "an agent of this game");
    view->alive = seat_all(view->seat_count);
    read_setting(reader, setting, state);
    read_roles(reader, info, view);
    read_statuses(reader, info, view);
    begin_day(state, 0);
}

/* No packet says who has won: docs/spec/protocol-division.md 3.7. */
static Side winner_of(const View *view)
{
    unsigned humans = 0, wolves = 0, foxes = 0;

    for (SeatSet left = view->alive; left; left &= left - 1) {
        Role role = (Role)view->roles[seat_first(left)];
        if (role == ROLE_NONE)
            return SIDE_NONE;
        humans += role != ROLE_WEREWOLF;
        wolves += role == ROLE_WEREWOLF;
        foxes += role == ROLE_FOX;
    }
    if (wolves > 0 && humans > wolves)
        return SIDE_NONE;
    if (foxes > 0)
        return SIDE_OTHERS;
    return wolves > 0 ? SIDE_WEREWOLF : SIDE_VILLAGER;
}

/* ---- utterances ---- */

/* One that says who and which; the text belongs to the JSON. False: nothing to take over. */
static bool read_talk(JsonReader *reader, const json_t *item, uint16_t today, Talk *ret_talk)
{
    Str text = json_get_str(reader, item, "text");

    *ret_talk = (Talk){
        .text = text,
        .day = (uint16_t)json_get_int(reader, item, "day", 0, DAY_MAX, today),
        .idx = (uint32_t)json_get_int(reader, item, "idx", 0, IDX_MAX, UINT32_MAX),
        .turn = (uint32_t)json_get_int(reader, item, "turn", 0, IDX_MAX, 0),
        .seat = json_get_seat(reader, item, "agent", SEAT_NONE),
        .skip = str_eq(text, STR("Skip")),
        .over = str_eq(text, STR("Over")),
    };
    return !reader->rc && ret_talk->seat != SEAT_NONE && ret_talk->idx != UINT32_MAX;
}

/* The four lists that a packet may have. Lists of one kind are merged by idx. */
typedef struct Heard {
    const json_t *lists[2][2]; /* talk, whisper: of gameInfo, of the history */
    bool told_left[2];         /* gameInfo says how many are left: these are counted already */
} Heard;

static Heard read_heard(JsonReader *reader, json_t *packet, json_t *info)
{
    return (Heard){
        .lists = {{json_get_list(reader, info, "talkList"),
                   json_get_list(reader, packet, "talkHistory")},
                  {json_get_list(reader, info, "whisperList"),
                   json_get_list(reader, packet, "whisperHistory")}},
        .told_left = {json_get(info, "remainTalkMap") != NULL,
                      json_get(info, "remainWhisperMap") != NULL},
    };
}

/* A history may tell of a day that no gameInfo announced. */
static void follow_history(JsonReader *reader, const Heard *heard, State *state)
{
    Talk talk;

    for (int kind = 0; kind < 2; kind++) {
        const json_t *list = heard->lists[kind][1], *item;
        size_t i;
        json_array_foreach (list, i, item)
            if (read_talk(reader, item, state->view.day, &talk) && talk.day > state->view.day)
                begin_day(state, talk.day);
    }
}

/* Whether this one is new: of today, and behind the last one of its list. */
static bool is_new(const State *state, const Talk *talk, int64_t last)
{
    return talk->day == state->view.day && (int64_t)talk->idx > last;
}

static int64_t last_idx(const TalkLog *log)
{
    return log->count ? (int64_t)log->items[log->count - 1].idx : -1;
}

/* Checks that all utterances can be read and have room; nothing is changed. */
static void check_heard(JsonReader *reader, const Heard *heard, const State *state, size_t bytes)
{
    for (int kind = 0; kind < 2; kind++) {
        const TalkLog *log = kind ? &state->whisper : &state->talk;
        int64_t last = last_idx(log);
        size_t count = log->count;
        for (int from = 0; from < 2; from++) {
            const json_t *list = heard->lists[kind][from], *item;
            size_t i;
            json_array_foreach (list, i, item) {
                Talk talk;
                if (!json_is_object(item))
                    json_refuse(reader, "talk", "an object");
                if (!read_talk(reader, item, state->view.day, &talk) || !is_new(state, &talk, last))
                    continue;
                last = talk.idx;
                count++;
                bytes += talk.text.len + _Alignof(max_align_t);
            }
        }
        if ((count > TALKS_MAX || bytes > TEXT_BYTES) && !reader->rc)
            reader->rc = err_set(reader->err, ERR_LIMIT, "packet: more talk than a day can have");
    }
}

static const struct Sentence *sentence_of(Arena *arena, const Talk *talk)
{
    const Sentence *sentence;

    if (talk->skip || talk->over)
        return talk->skip ? lang_skip() : lang_over();
    return lang_parse(talk->text, arena, &sentence, NULL) ? NULL : sentence;
}

/* There is room for all: check_heard saw to that. */
static void take_heard(AiwolfClient *client, const Heard *heard, int kind)
{
    State *state = &client->state;
    TalkLog *log = kind ? &state->whisper : &state->talk;
    Talk *items = kind ? client->whispers : client->talks;
    uint16_t *left = kind ? state->whisper_left : state->talk_left;
    JsonReader reader = {.seat_count = state->view.seat_count};

    for (int from = 0; from < 2; from++) {
        const json_t *list = heard->lists[kind][from], *item;
        size_t i;
        json_array_foreach (list, i, item) {
            Talk talk;
            if (!read_talk(&reader, item, state->view.day, &talk) ||
                !is_new(state, &talk, last_idx(log)))
                continue;
            char *text = arena_take(&client->texts, talk.text.len);
            memcpy(text, talk.text.bytes, talk.text.len);
            talk.text.bytes = text;
            talk.sentence = sentence_of(&client->sentences, &talk);
            items[log->count++] = talk;
            if (!talk.skip && !talk.over && !heard->told_left[kind] && left[talk.seat] > 0)
                left[talk.seat]--;
        }
    }
}

/* ---- packets ---- */

static void read_request(JsonReader *reader, json_t *packet, State *state)
{
    Str name = json_get_str(reader, packet, "request");

    if (!reader->rc && !aiwolf_request_of(name, &state->request))
        reader->rc = err_set(reader->err, ERR_SYNTAX, "packet: no request is called '%.*s'",
                             STR_ARG(str_part(name, 0, 32)));
    if (state->request > AIWOLF_INITIALIZE && !state->started && !reader->rc)
        reader->rc = err_set(reader->err, ERR_SYNTAX, "packet: %s before any INITIALIZE",
                             aiwolf_request_name(state->request));
}

/* What the request itself tells. A vote with gameInfo is a revote even where votes are hidden; an
 * attack without it says that the ballot before, if there was one, left no vote behind (2.3). */
static void follow_request(State *state, bool info)
{
    AiwolfRequest request = state->request;

    if (aiwolf_request_wants_answer(request))
        state->asks++;
    if (request == AIWOLF_ATTACK && !info)
        state->latest_attack_votes.count = 0;
    state->revote = (request == AIWOLF_VOTE && info) ||
                    (request == AIWOLF_ATTACK && state->latest_attack_votes.count > 0);
    if (request == AIWOLF_WHISPER && state->attack_asked && !info)
        fill_whispers_left(state); /* whispers before an attack revote are a session of their own */
    if (request == AIWOLF_WHISPER || request == AIWOLF_ATTACK)
        state->attack_asked = request == AIWOLF_ATTACK;
    if (request == AIWOLF_FINISH) {
        state->view.over = true;
        state->view.winner = state->winner = winner_of(&state->view);
    }
}

/* The whole packet, but for the utterances, into `state`. */
static void read_packet(JsonReader *reader, json_t *packet, State *state, Heard *ret_heard)
{
    json_t *info = json_get_object(reader, packet, "gameInfo");
    json_t *setting = json_get_object(reader, packet, "gameSetting");

    read_request(reader, packet, state);
    if (reader->rc || state->request < AIWOLF_INITIALIZE)
        return;
    if (state->request == AIWOLF_INITIALIZE)
        begin_game(reader, info, setting, state);
    else if (setting) /* old servers repeat it every day */
        read_setting(reader, setting, state);
    if (info)
        read_info(reader, info, state);
    *ret_heard = read_heard(reader, packet, info);
    if (!info)
        follow_history(reader, ret_heard, state);
    follow_request(state, info != NULL);
}

/* The view's pointers lead into the client, wherever its values came from. */
static void tie_view(AiwolfClient *client)
{
    State *state = &client->state;
    View *view = &state->view;

    state->talk.items = client->talks;
    state->whisper.items = client->whispers;
    view->rules = &state->rules;
    view->role_counts = state->role_counts;
    view->names = client->names;
    view->talk = &state->talk;
    view->whisper = &state->whisper;
    view->talk_left = state->talk_left;
    view->whisper_left = view->role == ROLE_WEREWOLF ? state->whisper_left : NULL;
    view->latest_votes = &state->latest_votes;
    view->votes = &state->votes;
    view->latest_attack_votes = &state->latest_attack_votes;
    view->attack_votes = &state->attack_votes;
}

static int take_packet(AiwolfClient *client, json_t *packet, Err *err)
{
    State next = client->state;
    JsonReader reader = {.err = err, .seat_count = next.view.seat_count};
    Heard heard = {0};

    read_packet(&reader, packet, &next, &heard);
    bool new_day = next.days != client->state.days;
    check_heard(&reader, &heard, &next, new_day ? 0 : client->texts.used);
    if (reader.rc)
        return reader.rc;
    client->state = next;
    tie_view(client);
    if (new_day) {
        arena_clear(&client->texts);
        arena_clear(&client->sentences);
    }
    take_heard(client, &heard, 0);
    take_heard(client, &heard, 1);
    return 0;
}

int aiwolf_client_packet(AiwolfClient *client, Str line, AiwolfRequest *ret_request, Err *err)
{
    json_t *packet;
    int rc = json_read(line, AIWOLF_PACKET_BYTES_MAX, &packet, err);

    if (rc)
        return rc;
    rc = take_packet(client, packet, err);
    json_decref(packet);
    if (rc == 0)
        *ret_request = client->state.request;
    return rc;
}

/* ---- the rest ---- */

int aiwolf_client_new(AiwolfClient **ret_client, Err *err)
{
    CLEANUP(aiwolf_client_freep) AiwolfClient *client = mem_new(sizeof(*client));

    if (!client)
        return err_set(err, ERR_MEMORY, "new client: out of memory");
    client->texts = arena_new(TEXT_BYTES);
    client->sentences = arena_new(SENTENCE_BYTES);
    if (!client->texts.block || !client->sentences.block)
        return err_set(err, ERR_MEMORY, "new client: out of memory");
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++) {
        snprintf(client->name_texts[seat], sizeof(client->name_texts[seat]), "Agent[%02u]",
                 seat % 100u);
        client->names[seat] = str_of(client->name_texts[seat]);
    }
    tie_view(client);
    *ret_client = TAKE(client);
    return 0;
}

AiwolfClient *aiwolf_client_free(AiwolfClient *client)
{
    if (!client)
        return NULL;
    arena_done(&client->texts);
    arena_done(&client->sentences);
    return mem_free(client);
}

void aiwolf_client_freep(AiwolfClient **client)
{
    *client = aiwolf_client_free(*client);
}

const View *aiwolf_client_view(const AiwolfClient *client)
{
    return client->state.started ? &client->state.view : NULL;
}

bool aiwolf_client_ask(const AiwolfClient *client, Ask *ret_ask)
{
    const State *state = &client->state;

    for (int kind = 0; kind < ASK_COUNT; kind++)
        if (aiwolf_request_of_ask((AskKind)kind) == state->request) {
            *ret_ask = (Ask){.seat = state->view.seat,
                             .kind = (AskKind)kind,
                             .revote = state->revote,
                             .number = state->asks};
            return true;
        }
    return false;
}

Side aiwolf_client_winner(const AiwolfClient *client)
{
    return client->state.winner;
}
