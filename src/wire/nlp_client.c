/* A packet is read in three steps, so that a bad one changes nothing: its JSON; all of its numbers
 * and names into a copy of the state, and its utterances checked; then, when nothing can fail any
 * more, the utterances are taken over and the copy becomes the state. */
#include "wire/nlp_client.h"

#include "base/arena.h"
#include "wire/json_read.h"
#include "wire/nlp_client_state.h"

/* Of a day: 16 utterances of 16 KiB from each of 16 agents. An anytime session of the presets has
 * 2,000 lines at most. */
#define TEXT_BYTES (4u << 20)
#define TALKS_MAX  4096u /* of one list */
#define IDX_MAX    1000000

#define PROFILE_BYTES_MAX 4096
#define GAME_BYTES_MAX    64

struct NlpClient {
    NlpState state;
    Talk talks[TALKS_MAX];
    Talk whispers[TALKS_MAX];
    Arena texts; /* of today */
    Buf profile; /* its own; of this game */
    Buf game;    /* its id */
};

static const VoteLog no_votes = {0};

/* ---- the end of a game ---- */

/* No packet says who has won: 4.4. */
static Side winner_of(const View *view)
{
    unsigned humans = 0, wolves = 0;

    for (SeatSet left = view->alive; left; left &= left - 1) {
        Role role = (Role)view->roles[seat_first(left)];
        if (role == ROLE_NONE)
            return SIDE_NONE;
        humans += role != ROLE_WEREWOLF;
        wolves += role == ROLE_WEREWOLF;
    }
    if (humans <= wolves)
        return SIDE_WEREWOLF;
    return wolves == 0 ? SIDE_VILLAGER : SIDE_NONE;
}

/* ---- utterances ---- */

/* What of one list a packet brings. */
typedef struct Heard {
    const json_t *list; /* a history */
    const json_t *item; /* or a broadcast */
    bool told_left;     /* info says what this agent has left: its own are counted already */
} Heard;

static size_t heard_count(const Heard *heard)
{
    return heard->item ? 1 : json_count(heard->list);
}

static const json_t *heard_at(const Heard *heard, size_t i)
{
    return heard->item ? heard->item : json_at(heard->list, i);
}

static void read_heard(JsonReader *reader, const json_t *packet, NlpRequest request,
                       Heard ret_heard[static 2])
{
    int kind = nlp_state_kind(request);

    ret_heard[0] = (Heard){.list = json_get_list(reader, packet, "talk_history"),
                           .item = json_get_object(reader, packet, "new_talk"),
                           .told_left = kind == 0};
    ret_heard[1] = (Heard){.list = json_get_list(reader, packet, "whisper_history"),
                           .item = json_get_object(reader, packet, "new_whisper"),
                           .told_left = kind == 1};
}

/* One that is new; the text belongs to the JSON. `last` is the idx of the last one, or -1. After
 * broadcasts a history repeats them (3.7); without, it never does, and an idx that is not larger
 * is that of generation A, where every session counts from 0. */
static bool read_talk(JsonReader *reader, const json_t *item, const NlpState *state, bool repeats,
                      int64_t last, Talk *ret_talk)
{
    Str text = json_get_str(reader, item, "text");
    uint16_t today = state->view.day;
    int64_t idx = json_get_int(reader, item, "idx", 0, IDX_MAX, last + 1);

    *ret_talk = (Talk){
        .text = text,
        .time = json_get_int(reader, item, "time", 0, INT64_MAX, 0),
        .turn = (uint32_t)json_get_int(reader, item, "turn", 0, IDX_MAX, 0),
        .day = (uint16_t)json_get_int(reader, item, "day", 0, NLP_DAY_MAX, today),
        .seat = nlp_state_seat(reader, item, "agent", state),
        .skip = str_eq(text, STR("Skip")),
        .over = str_eq(text, STR("Over")),
    };
    if (!json_is_map(item) || ret_talk->seat == SEAT_NONE)
        json_refuse(reader, "talk", "an utterance of an agent");
    if (reader->rc || ret_talk->day != today || (repeats && idx <= last))
        return false;
    ret_talk->idx = (uint32_t)(idx > last ? idx : last + 1);
    return true;
}

static int64_t last_idx(const TalkLog *log)
{
    return log->count ? (int64_t)log->items[log->count - 1].idx : -1;
}

/* Checks that all utterances can be read and have room; nothing is changed. */
static void check_heard(JsonReader *reader, const Heard heard[static 2], const NlpState *state,
                        size_t bytes)
{
    for (int kind = 0; kind < 2; kind++) {
        const TalkLog *log = kind ? &state->whisper : &state->talk;
        const Heard *one = &heard[kind];
        int64_t last = last_idx(log);
        size_t count = log->count;
        Talk talk;
        for (size_t i = 0; i < heard_count(one) && !reader->rc; i++) {
            bool repeats = state->broadcast[kind] && !one->item;
            if (!read_talk(reader, heard_at(one, i), state, repeats, last, &talk))
                continue;
            last = talk.idx;
            count++;
            bytes += talk.text.len + _Alignof(max_align_t);
        }
        if ((count > TALKS_MAX || bytes > TEXT_BYTES) && !reader->rc)
            reader->rc = err_set(reader->err, ERR_LIMIT, "packet: more talk than a day can have");
    }
}

static void charge_talk(const Talk *talk, const Heard *heard, const View *view,
                        NlpAllowance *allowance)
{
    uint16_t *left = &allowance->left[talk->seat];

    if (talk->seat == view->seat && heard->told_left)
        return;
    if (talk->over)
        *left = 0;
    else if (*left > 0 && *left < UINT16_MAX)
        --*left;
}

/* There is room for all: check_heard saw to that. */
static void take_heard(NlpClient *client, const Heard *heard, int kind)
{
    NlpState *state = &client->state;
    TalkLog *log = kind ? &state->whisper : &state->talk;
    Talk *items = kind ? client->whispers : client->talks;
    JsonReader reader = {.seat_count = state->view.seat_count};
    Talk talk;

    for (size_t i = 0; i < heard_count(heard); i++) {
        bool repeats = state->broadcast[kind] && !heard->item;
        if (!read_talk(&reader, heard_at(heard, i), state, repeats, last_idx(log), &talk))
            continue;
        char *text = arena_take(&client->texts, talk.text.len);
        if (talk.text.len)
            memcpy(text, talk.text.bytes, talk.text.len);
        talk.text.bytes = text;
        items[log->count++] = talk;
        charge_talk(&talk, heard, &state->view, kind ? &state->whispering : &state->talking);
    }
    if (heard->item)
        state->broadcast[kind] = true;
}

/* ---- packets ---- */

static void read_request(JsonReader *reader, const json_t *packet, NlpState *state)
{
    Str name = json_get_str(reader, packet, "request");
    NlpRequest request = nlp_request_of(name);

    if (reader->rc)
        return;
    if (request == NLP_REQUEST_COUNT)
        reader->rc = err_set(reader->err, ERR_SYNTAX, "packet: no request is called '%.*s'",
                             STR_ARG(str_part(name, 0, 32)));
    else if (request > NLP_INITIALIZE && !state->started)
        reader->rc = err_set(reader->err, ERR_SYNTAX, "packet: %s before any INITIALIZE",
                             nlp_request_name(request));
    else
        state->request = request;
}

/* What the request itself tells. */
static void follow_request(NlpState *state)
{
    NlpRequest request = state->request;
    bool opens = request == NLP_TALK_PHASE_START || request == NLP_WHISPER_PHASE_START;
    bool goes_on = request == NLP_TALK_BROADCAST || request == NLP_WHISPER_BROADCAST;

    if (opens)
        state->session = nlp_state_kind(request) ? NLP_WHISPER : NLP_TALK;
    else if (!goes_on)
        state->session = NLP_NAME;
    if (opens || nlp_request_has_reply(request))
        state->asks++;
    state->revote =
        (request == NLP_VOTE && state->voted) || (request == NLP_ATTACK && state->attacked);
    state->voted |= request == NLP_VOTE;
    state->attacked |= request == NLP_ATTACK;
    if (request == NLP_FINISH) {
        state->view.over = true;
        state->view.winner = state->winner = winner_of(&state->view);
    }
}

/* The whole packet, but for the utterances, into `state`. */
static void read_packet(JsonReader *reader, const json_t *packet, NlpState *state,
                        Heard ret_heard[static 2])
{
    const json_t *info = json_get_object(reader, packet, "info");
    const json_t *setting = json_get_object(reader, packet, "setting");

    if (!json_is_map(packet))
        json_refuse(reader, "request", "in an object");
    read_request(reader, packet, state);
    if (reader->rc || state->request == NLP_NAME)
        return;
    if (state->request == NLP_INITIALIZE)
        nlp_state_begin(reader, info, setting, state);
    else if (setting) /* DAILY_INITIALIZE repeats it */
        nlp_state_setting(reader, setting, state);
    if (info && !reader->rc)
        nlp_state_info(reader, info, state);
    if (!reader->rc)
        read_heard(reader, packet, state->request, ret_heard);
    follow_request(state);
}

/* The view's pointers lead into the client, wherever its values came from. */
static void tie_view(NlpClient *client)
{
    NlpState *state = &client->state;
    View *view = &state->view;
    bool wolf = view->role == ROLE_WEREWOLF;

    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        state->names[seat].bytes = state->name_texts[seat];
    state->talk.items = client->talks;
    state->whisper.items = client->whispers;
    view->rules = &state->rules;
    view->role_counts = state->role_counts;
    view->names = state->names;
    view->talk = &state->talk;
    view->whisper = &state->whisper;
    view->talk_left = state->talking.left;
    view->talk_length = state->talking.length;
    view->talk_skips = state->talking.skips;
    view->whisper_left = wolf ? state->whispering.left : NULL;
    view->whisper_length = wolf ? state->whispering.length : NULL;
    view->whisper_skips = wolf ? state->whispering.skips : NULL;
    view->votes = &state->votes;
    view->attack_votes = &state->attack_votes;
    view->latest_votes = view->latest_attack_votes = &no_votes; /* nobody is told */
}

/* A profile that is no text, or too long, is none: a game can be played without. */
static void take_profile(NlpClient *client, const json_t *packet)
{
    JsonReader reader = {.seat_count = client->state.view.seat_count};
    const json_t *info = json_get_object(&reader, packet, "info");
    Str text = json_get_str(&reader, info, "profile");

    buf_clear(&client->profile);
    if (!reader.rc && text.len <= PROFILE_BYTES_MAX)
        buf_add(&client->profile, text);
}

/* Likewise: who keeps nothing needs no id. */
static void take_game(NlpClient *client, const json_t *packet)
{
    const Str id = json_text(json_get(packet, "info"), "game_id");

    buf_clear(&client->game);
    if (id.len <= GAME_BYTES_MAX)
        buf_add(&client->game, id);
}

static int take_packet(NlpClient *client, const json_t *packet, Err *err)
{
    NlpState next = client->state;
    JsonReader reader = {.err = err, .seat_count = next.view.seat_count};
    Heard heard[2] = {0};

    read_packet(&reader, packet, &next, heard);
    bool new_day = next.days != client->state.days;
    check_heard(&reader, heard, &next, new_day ? 0 : client->texts.used);
    if (reader.rc)
        return reader.rc;
    client->state = next;
    tie_view(client);
    if (new_day)
        arena_clear(&client->texts);
    take_heard(client, &heard[0], 0);
    take_heard(client, &heard[1], 1);
    if (next.request == NLP_INITIALIZE) {
        take_profile(client, packet);
        take_game(client, packet);
    }
    return 0;
}

int nlp_client_packet(NlpClient *client, Str packet, NlpRequest *ret_request, Err *err)
{
    json_t *json;
    int rc = json_read(packet, NLP_PACKET_BYTES_MAX, &json, err);

    if (rc)
        return rc;
    rc = take_packet(client, json, err);
    json_done(json);
    if (rc == 0)
        *ret_request = client->state.request;
    return rc;
}

/* ---- the rest ---- */

int nlp_client_new(NlpClient **ret_client, Err *err)
{
    CLEANUP(nlp_client_freep) NlpClient *client = mem_new(sizeof(*client));

    if (!client)
        return err_set(err, ERR_MEMORY, "new client: out of memory");
    client->texts = arena_new(TEXT_BYTES);
    if (!client->texts.block)
        return err_set(err, ERR_MEMORY, "new client: out of memory");
    tie_view(client);
    *ret_client = TAKE(client);
    return 0;
}

NlpClient *nlp_client_free(NlpClient *client)
{
    if (!client)
        return NULL;
    arena_done(&client->texts);
    buf_done(&client->profile);
    buf_done(&client->game);
    return mem_free(client);
}

void nlp_client_freep(NlpClient **client)
{
    *client = nlp_client_free(*client);
}

const View *nlp_client_view(const NlpClient *client)
{
    return client->state.started ? &client->state.view : NULL;
}

bool nlp_client_ask(const NlpClient *client, Ask *ret_ask)
{
    const NlpState *state = &client->state;
    bool standing = state->session != NLP_NAME;
    NlpRequest asked = standing ? state->session : state->request;
    const NlpAllowance *left = asked == NLP_WHISPER ? &state->whispering : &state->talking;

    if (standing && left->left[state->view.seat] == 0)
        return false;
    for (int kind = 0; kind < ASK_COUNT && state->started; kind++)
        if (nlp_request_for((AskKind)kind) == asked) {
            *ret_ask = (Ask){.seat = state->view.seat,
                             .kind = (AskKind)kind,
                             .standing = standing,
                             .revote = state->revote,
                             .number = state->asks};
            return true;
        }
    return false;
}

Str nlp_client_profile(const NlpClient *client)
{
    return buf_str(&client->profile);
}

Str nlp_client_game(const NlpClient *client)
{
    return buf_str(&client->game);
}

Side nlp_client_winner(const NlpClient *client)
{
    return client->state.winner;
}
