/* A room's game of MAW: a table of its own, a session of one or more rounds. */
#include "llm/llm_arg.h"
#include "maw/maw_config.h"
#include "maw/maw_table.h"
#include "serve/maw_chair.h"
#include "serve/room_games_own.h"

#define ID_BYTES 64

typedef struct MawRoom MawRoom;

typedef struct MawRoomChair {
    MawRoom *room;
    uint32_t number;
    MawChair *web;
} MawRoomChair;

struct MawRoom {
    RoomGame base;
    RoomGameEvents events;
    const RoomGamesSetup *setup;
    MawConfig config;
    MawTable *table;
    LlmModels *models; /* NULL: bots */
    LlmSpec spec;
    MawRoomChair chairs[ROOM_PLAYERS_MAX];
    uint32_t people;
    uint32_t round; /* that is played; 0 = none */
    char id[ID_BYTES];
    Alarm end;
    bool over, stopped;
    Err failed;
};

/* ---- what chairs tell ---- */

static void on_tell(void *user, Str json)
{
    const MawRoomChair *chair = user;

    chair->room->events.tell(chair->room->events.user, chair->number, json);
}

static void on_acted(void *user)
{
    const MawRoomChair *chair = user;

    maw_table_stir(chair->room->table);
}

static void on_silent(void *user, TimeUs now)
{
    const MawRoomChair *chair = user;

    chair->room->events.silent(chair->room->events.user, chair->number, now);
}

static void on_news(void *user, const MawNews *news, TimeUs now)
{
    const MawRoomChair *chair = user;

    maw_chair_news(chair->web, news, now);
}

/* ---- what the table tells ---- */

static void on_note(void *user, Str line)
{
    const MawRoom *room = user;

    if (room->setup->note)
        room->setup->note(room->setup->user, line);
}

/* "room-K7MPQR-1.2" */
static Str round_id(const MawRoom *room, char text[static ID_BYTES + 16])
{
    int n = snprintf(text, ID_BYTES + 16, "%s.%u", room->id, room->round);

    return (Str){text, n > 0 ? (size_t)n : 0};
}

static void tell_watchers(MawRoom *room, Str id, SeatNo count, const Str *jids, const Str *names,
                          TimeUs now)
{
    const LiveSink *live = room->setup->live;
    DocSeat seats[SEAT_MAX + 1];

    seats[0] = (DocSeat){0};
    for (SeatNo seat = 1; seat <= count; seat++)
        seats[seat] =
            (DocSeat){.name = names[seat], .kind = str_of(maw_table_kind(room->table, jids[seat]))};
    const DocHead head = {.id = id,
                          .division = DOC_MAW,
                          .language = room->config.options.language == LLM_JAPANESE ? "ja" : "en",
                          .rules = &room->config.rules,
                          .seat_count = count,
                          .seats = seats,
                          .began_unix_ms = room->setup->date ? room->setup->date() : 0,
                          .form = "live",
                          .source_name = id};
    live->begins(live->user, &head, now);
}

static void on_round_begins(void *user, uint32_t round, SeatNo count, const Str *jids,
                            const Str *names, TimeUs now)
{
    MawRoom *room = user;
    char text[ID_BYTES + 16];

    room->round = round;
    Str id = round_id(room, text);
    if (room->setup->live)
        tell_watchers(room, id, count, jids, names, now);
    room->events.begun(room->events.user, id, now);
    for (uint32_t i = 0; i < room->people; i++) {
        SeatNo seat = maw_chair_round(room->chairs[i].web, id, count, jids, names);
        room->events.seated(room->events.user, i, seat);
    }
}

static void on_round_heard(void *user, uint32_t round, const Event *event, TimeUs now)
{
    const MawRoom *room = user;
    const LiveSink *live = room->setup->live;
    char text[ID_BYTES + 16];

    (void)round;
    if (live)
        live->heard(live->user, round_id(room, text), event, now);
}

static void on_round_said(void *user, uint32_t round, const DocSaid *said, TimeUs now)
{
    const MawRoom *room = user;
    const LiveSink *live = room->setup->live;
    char text[ID_BYTES + 16];

    (void)round;
    if (live && live->said)
        live->said(live->user, round_id(room, text), said, now);
}

static void on_round_clock(void *user, uint32_t round, Action action, TimeUs until, bool paused,
                           TimeUs now)
{
    const MawRoom *room = user;
    const LiveSink *live = room->setup->live;
    char text[ID_BYTES + 16];

    (void)round;
    if (live && live->clock)
        live->clock(live->user, round_id(room, text), action, until, paused, now);
}

static void on_round_fault(void *user, uint32_t round, const Fault *fault, TimeUs now)
{
    const MawRoom *room = user;
    const LiveSink *live = room->setup->live;
    char text[ID_BYTES + 16];

    (void)round;
    if (live && live->fault)
        live->fault(live->user, round_id(room, text), fault, now);
}

static void on_round_notice(void *user, uint32_t round, Str text, TimeUs now)
{
    const MawRoom *room = user;
    const LiveSink *live = room->setup->live;
    char id[ID_BYTES + 16];

    (void)round;
    if (live && live->notice)
        live->notice(live->user, round_id(room, id), text, now);
}

static void end_round(MawRoom *room, bool aborted, TimeUs now)
{
    const LiveSink *live = room->setup->live;
    char text[ID_BYTES + 16];

    if (live && room->round)
        live->ends(live->user, round_id(room, text), aborted, now);
    room->round = 0;
}

static void on_round_over(void *user, uint32_t round, TimeUs now)
{
    (void)round;
    end_round(user, false, now);
}

static void on_table_over(void *user, TimeUs now)
{
    MawRoom *room = user;
    Err err = {0};

    end_round(room, true, now);
    if (maw_table_end(room->table, &err) && !room->stopped)
        room->failed = err;
    room->over = true;
    alarm_soon(&room->end);
}

static void on_end(void *user, TimeUs now)
{
    MawRoom *room = user;

    room->events.over(room->events.user,
                      room->failed.code ? str_of(room->failed.msg)
                      : room->stopped   ? STR("the game was ended by the operator")
                                        : STR(""),
                      now);
}

/* ---- the table ---- */

static int make_config(const RoomOptions *options, MawConfig *config, Err *err)
{
    maw_config_default(config);
    config->options.players = (uint32_t)options->players;
    config->options.rounds = (uint32_t)options->rounds;
    config->options.language = options->japanese ? LLM_JAPANESE : LLM_ENGLISH;
    if (options->talk_ms) {
        config->rules.talk.duration_ms = (int32_t)options->talk_ms;
        config->rules.whisper.duration_ms = (int32_t)(options->talk_ms / 2 + 1000);
    }
    return maw_config_check(config, err);
}

static int maw_check(const RoomGames *games, const RoomOptions *options, Err *err)
{
    MawConfig config;

    (void)games;
    return make_config(options, &config, err);
}

static MawBot bot_of(const RoomOptions *options)
{
    return str_eq(str_of(options->fill), STR("bot:random")) ? MAW_BOT_RANDOM : MAW_BOT_TALKER;
}

static RoomGame *maw_free(RoomGame *game)
{
    MawRoom *room = (MawRoom *)game;

    alarm_stop(&room->end);
    for (uint32_t i = 0; i < room->people; i++)
        maw_chair_free(room->chairs[i].web);
    maw_table_free(room->table);
    llm_models_free(room->models);
    return mem_free(room);
}

static int seat_person(MawRoom *room, uint32_t number, const RoomGamePlan *plan,
                       const MawPace *pace, uint64_t seed, Err *err)
{
    MawRoomChair *chair = &room->chairs[number];
    const MawChairSetup setup = {.whispers = room->config.options.whispers != WHISPERS_OFF,
                                 .always = room->config.options.whispers == WHISPERS_ALWAYS,
                                 .bot = bot_of(plan->options),
                                 .asked_before = plan->number * ROOM_GAME_ASKS,
                                 .language = room->config.options.language,
                                 .pace = *pace,
                                 .seed = seed,
                                 .tell = on_tell,
                                 .acted = on_acted,
                                 .silent = on_silent,
                                 .user = chair};
    MawPlayer *player = NULL;

    *chair = (MawRoomChair){.room = room, .number = number};
    int rc = maw_chair_new(room->setup->alarms, &setup, &chair->web, err);
    if (rc)
        return rc;
    /* A name of the list, as all others have. */
    rc = maw_table_add_player(room->table, STR(""), on_news, chair, &player, err);
    if (rc == 0)
        maw_chair_take(chair->web, player);
    return rc;
}

/* Who the others are: models of this endpoint, or bots. */
static int find_models(MawRoom *room, const RoomOptions *options, LlmEndpoint **ret_endpoint,
                       Err *err)
{
    int rc;

    if (str_starts(str_of(options->fill), STR("bot:")) || !room->setup->loop)
        return 0;
    rc = llm_spec_read(str_of(options->fill), &room->spec, err);
    if (rc == 0)
        rc = llm_models_new(room->setup->loop, &room->models, err);
    return rc ? rc : llm_models_endpoint(room->models, &room->spec, ret_endpoint, err);
}

/* In a shuffled order, for seats in the game are those in which they came: where somebody sits must
 * not tell who is a person. */
static int take_seats(MawRoom *room, const RoomGamePlan *plan, const MawPace *pace,
                      const KeyRoot *root, Err *err)
{
    const RoomOptions *options = plan->options;
    const Key order = key_derive(root, STR("order"));
    Rng rng = key_rng(&order);
    MawModel model = {.language = room->config.options.language};
    uint32_t people = plan->people, left = (uint32_t)options->players;
    int rc = find_models(room, options, &model.endpoint, err);

    model.persona = str_of(room->spec.persona);
    model.manner = room->spec.manner;

    for (; left > 0 && rc == 0; left--) {
        if (rng_below(&rng, left) < people) {
            const Key seed = key_derive_number(root, STR("chair"), --people);
            rc = seat_person(room, people, plan, pace, key_seed(&seed), err);
        } else if (room->models) {
            rc = maw_table_add_model(room->table, &model, err);
        } else {
            rc = maw_table_add_bot(room->table, bot_of(options), err);
        }
    }
    return rc;
}

static int open_table(MawRoom *room, const RoomGamePlan *plan, const Key *key, TimeUs now, Err *err)
{
    const MawPace pace = maw_pace(&room->config.rules, true);
    const KeyRoot root = key_root(key);
    const Key table = key_derive(&root, STR("table"));
    const MawTableSetup setup = {.rules = &room->config.rules,
                                 .options = room->config.options,
                                 .id = str_of(room->id),
                                 .domain = STR("maw.localhost"),
                                 .chance = maw_chance_of_key(&table),
                                 .pace = pace,
                                 .fill = bot_of(plan->options),
                                 .alarms = room->setup->alarms,
                                 .now = now,
                                 .unix_ms = room->setup->date ? room->setup->date() : 0,
                                 .watcher = {.begins = on_round_begins,
                                             .heard = on_round_heard,
                                             .learnt = on_round_heard,
                                             .said = on_round_said,
                                             .clock = on_round_clock,
                                             .fault = on_round_fault,
                                             .notice = on_round_notice,
                                             .over = on_round_over,
                                             .user = room},
                                 .note = on_note,
                                 .user = room};
    int rc = maw_table_new(&setup, &room->table, err);

    if (rc == 0)
        rc = take_seats(room, plan, &pace, &root, err);
    if (rc == 0)
        maw_table_begin(room->table, on_table_over, room);
    return rc;
}

static int maw_begin(RoomGames *games, const RoomGamePlan *plan, const Key *key, TimeUs now,
                     RoomGame **ret_game, Err *err)
{
    MawRoom *room = mem_new(sizeof(*room));

    if (!room)
        return err_set(err, ERR_MEMORY, "room: out of memory");
    room->base.kind = &room_maw_kind;
    room->events = plan->events;
    room->setup = &games->setup;
    room->people = plan->people;
    snprintf(room->id, sizeof(room->id), "room-%s-%u", plan->code, plan->number);
    alarm_init(&room->end, games->setup.alarms, on_end, room);
    int rc = make_config(plan->options, &room->config, err);
    if (rc == 0)
        rc = open_table(room, plan, key, now, err);
    if (rc) {
        maw_free(&room->base);
        return rc;
    }
    *ret_game = &room->base;
    return 0;
}

static void maw_hear(RoomGame *game, uint32_t chair, const json_t *message, TimeUs now, Buf *reply)
{
    const MawRoom *room = (MawRoom *)game;

    if (chair < room->people)
        maw_chair_hear(room->chairs[chair].web, message, now, reply);
}

static void maw_greet(RoomGame *game, uint32_t chair, TimeUs now, void (*say)(void *user, Str json),
                      void *user)
{
    const MawRoom *room = (MawRoom *)game;

    if (chair < room->people)
        maw_chair_greet(room->chairs[chair].web, now, say, user);
}

static void maw_set_away(RoomGame *game, uint32_t chair, bool away, TimeUs now)
{
    const MawRoom *room = (MawRoom *)game;

    if (chair < room->people)
        maw_chair_set_away(room->chairs[chair].web, away, now);
}

static void maw_stop(RoomGame *game, TimeUs now)
{
    MawRoom *room = (MawRoom *)game;

    if (room->over)
        return;
    room->stopped = true;
    maw_table_stop(room->table, "the operator has ended it", now);
}

const RoomGameKind room_maw_kind = {.check = maw_check,
                                    .begin = maw_begin,
                                    .hear = maw_hear,
                                    .greet = maw_greet,
                                    .set_away = maw_set_away,
                                    .stop = maw_stop,
                                    .free = maw_free};
