/* A room's game of the natural-language division: a hall of its own, whose peers are in this
 * process. */
#include "nlp/hall.h"
#include "seat/nlp_bot.h"
#include "serve/room_chairs.h"
#include "serve/room_games_own.h"

#define GRACE_MS 1000

typedef struct NlpRoom NlpRoom;

typedef struct NlpPeer {
    NlpRoom *room;
    NlpBot *bot;
    NlpAgent *agent; /* NULL: it has gone */
} NlpPeer;

/* A packet on its way, or a reply. */
typedef struct NlpLetter {
    struct NlpLetter *next;
    NlpPeer *peer;
    bool to_hall;
    size_t bytes;
    char text[];
} NlpLetter;

#define NAME_COUNT 18

struct NlpRoom {
    RoomGame base;
    RoomChairs chairs;
    RoomGameEvents events;
    Config config; /* borrows texts of the server's */
    ConfigProfile profiles[NAME_COUNT];
    NlpHall *hall;
    NlpPeer peers[ROOM_PLAYERS_MAX]; /* by chair */
    NlpLetter *first, **last;
    Alarm alarm; /* of the hall, and of the end */
    TimeUs now;
    bool over, stopped;
    bool no_memory;
    void (*note)(void *user, Str line);
    void *note_user;
};

/* ---- packets ---- */

static void post_letter(NlpPeer *peer, Str text, bool to_hall)
{
    NlpRoom *room = peer->room;
    NlpLetter *letter = mem_new(sizeof(*letter) + text.len);

    if (!letter) {
        room->no_memory = true;
        return;
    }
    letter->peer = peer;
    letter->to_hall = to_hall;
    letter->bytes = text.len;
    memcpy(letter->text, text.bytes, text.len);
    *room->last = letter;
    room->last = &letter->next;
}

static void on_send(void *user, Str text)
{
    post_letter(user, text, false);
}

static void on_close(void *user, NlpClose code, const char *reason)
{
    NlpPeer *peer = user;

    (void)code;
    (void)reason;
    peer->agent = NULL;
}

static NlpLetter *take_letter(NlpRoom *room)
{
    NlpLetter *letter = room->first;

    if (!letter)
        return NULL;
    room->first = letter->next;
    if (!room->first)
        room->last = &room->first;
    return letter;
}

static void deliver_letter(NlpRoom *room, const NlpLetter *letter)
{
    NlpPeer *peer = letter->peer;
    Str text = {letter->text, letter->bytes}, reply = text;
    Err err = {0};

    if (!letter->to_hall && nlp_bot_packet(peer->bot, text, room->now, &reply, &err)) {
        if (room->note)
            room->note(room->note_user, str_of(err.msg));
        return;
    }
    if (reply.len && peer->agent)
        nlp_hall_message(room->hall, peer->agent, reply, room->now);
}

/* All that is on its way, and what comes of it. */
static void carry_letters(NlpRoom *room)
{
    NlpLetter *letter;

    while ((letter = take_letter(room))) {
        deliver_letter(room, letter);
        mem_free(letter);
    }
}

/* ---- what the hall tells ---- */

static void on_note(void *user, Str line)
{
    const NlpRoom *room = user;

    if (room->note)
        room->note(room->note_user, line);
}

static void on_broadcast(void *user, Str game_id, Str packet, Str masked)
{
    (void)user;
    (void)game_id;
    (void)packet;
    (void)masked;
}

static void on_notice(void *user, ConfigNotice what, Str text)
{
    (void)what;
    on_note(user, text);
}

static void on_game(void *user, Str game_id, bool over)
{
    NlpRoom *room = user;

    if (over)
        room->over = true;
    else
        room_chairs_begin(&room->chairs, game_id, room->now);
}

/* From a browser's message, or an alarm: the hall gets it when it is told the time. */
static void on_answer(void *user, uint32_t chair, const Ask *ask, const Answer *answer)
{
    NlpRoom *room = user;
    NlpPeer *peer = &room->peers[chair];

    post_letter(peer, nlp_bot_reply(peer->bot, ask, answer), true);
    alarm_soon(&room->alarm);
}

static void on_alarm(void *user, TimeUs now)
{
    NlpRoom *room = user;

    room->now = now;
    carry_letters(room); /* what has come was in time */
    if (!room->over) {
        nlp_hall_tick(room->hall, now);
        carry_letters(room);
    }
    if (!room->over) {
        alarm_at(&room->alarm, nlp_hall_deadline(room->hall), false);
        return;
    }
    room->events.over(room->events.user,
                      room->no_memory ? STR("out of memory")
                      : room->stopped ? STR("the game was ended by the operator")
                                      : STR(""),
                      now);
}

/* ---- the configuration ---- */

/* Names of characters for servers whose configuration has none. */
static const char *const names_en[NAME_COUNT] = {
    "Ben",  "Cara", "David", "Emma", "Frank", "Grace", "Henry", "Iris", "Jack",
    "Kate", "Liam", "Mia",   "Noah", "Olive", "Paul",  "Rose",  "Sam",  "Tina"};
static const char *const names_ja[NAME_COUNT] = {
    "タクミ", "ミナト", "ケンジ", "ミヅキ", "アスカ", "リン",   "メイ",   "ハルト", "ユイ",
    "ソラ",   "レン",   "アオイ", "ヒナ",   "カイト", "サクラ", "ツバサ", "ナギ",   "マコト"};

static const ConfigProfile *usual_profiles(bool japanese, ConfigProfile *profiles)
{
    for (size_t i = 0; i < NAME_COUNT; i++)
        profiles[i] = (ConfigProfile){.name = str_of(japanese ? names_ja[i] : names_en[i]),
                                      .avatar_url = STR(""),
                                      .voice_id = -1,
                                      .text = STR("")};
    return profiles;
}

static int own_config(const RoomOptions *options, ConfigProfile *profiles, Config *config, Err *err)
{
    *config = (Config){.path = "room",
                       .host = "127.0.0.1",
                       .secret_key = STR(""),
                       .response_ms = 10000,
                       .abort_at = options->players,
                       .profiles_enable = true,
                       .profiles = usual_profiles(options->japanese, profiles),
                       .profile_count = NAME_COUNT,
                       .name_ms = 10000,
                       .message_bytes = 65536,
                       .talk_time = true};
    for (int role = 0; role < ROLE_COUNT; role++)
        config->role_named[role] = role != ROLE_NONE && role != ROLE_FOX && role != ROLE_FREEMASON;
    return room_options_rules(options, &config->rules, err);
}

/* The server's configuration, or one of ours, as the room's options have it. */
static int make_config(const RoomGames *games, const RoomOptions *options, ConfigProfile *profiles,
                       Config *config, Err *err)
{
    const Config *given = games->setup.nlp;
    uint8_t counts[ROLE_COUNT];
    int rc = 0;

    if (given && !options->rules_given)
        *config = *given;
    else
        rc = own_config(options, profiles, config, err);
    if (rc)
        return rc;
    if (given && options->rules_given) {
        config->json_logger = given->json_logger;
        config->game_logger = given->game_logger;
    }
    config->agent_count = options->players;
    config->action_ms = (int32_t)options->answer_ms;
    config->acceptable_ms = GRACE_MS;
    config->abort_at = options->players;
    config->authentication = false;
    config->matching = (ConfigMatching){.output_path = ""};
    config->health.enable = config->notifier.enable = config->speech.enable = false;
    config->dynamic.enable = config->realtime.enable = false;
    config->rejoin_ms = 0;
    if (!options->publish)
        config->json_logger.enable = config->game_logger.enable = false;
    config->rules.contest.time_limit_ms = config->rules.contest.time_limit_told_ms =
        config->action_ms;
    if (options->talk_ms && config->rules.talk.exchange == EXCHANGE_ANYTIME)
        config->rules.talk.duration_ms = (int32_t)options->talk_ms;
    if (config->profiles_enable && config->profile_count < (uint32_t)options->players)
        config->profiles_enable = false;
    return ruleset_roles(&config->rules, options->players, counts, err);
}

static int nlp_check(const RoomGames *games, const RoomOptions *options, Err *err)
{
    ConfigProfile profiles[NAME_COUNT];
    Config config;

    return make_config(games, options, profiles, &config, err);
}

/* ---- the game ---- */

static RoomGame *nlp_free(RoomGame *game)
{
    NlpRoom *room = (NlpRoom *)game;
    NlpLetter *letter;

    alarm_stop(&room->alarm);
    nlp_hall_free(room->hall);
    room_chairs_done(&room->chairs);
    for (size_t i = 0; i < ROOM_PLAYERS_MAX; i++)
        nlp_bot_free(room->peers[i].bot);
    while ((letter = take_letter(room)))
        mem_free(letter);
    return mem_free(room);
}

static int open_hall(NlpRoom *room, const RoomGames *games, const Key *key, Err *err)
{
    const KeyRoot root = key_root(key);
    const NlpHallSetup setup = {.config = &room->config,
                                .out = {.send = on_send,
                                        .close = on_close,
                                        .note = on_note,
                                        .broadcast = on_broadcast,
                                        .game = on_game,
                                        .notice = on_notice,
                                        .user = room},
                                .unix_ms_at_zero = games->setup.unix_ms_at_zero,
                                .live = games->setup.live,
                                .seats_by_name = true,
                                .key = key_derive(&root, STR("hall"))};

    return nlp_hall_new(&setup, &room->hall, err);
}

static int open_peer(NlpRoom *room, uint32_t number, Err *err)
{
    NlpPeer *peer = &room->peers[number];
    NlpBotPlan plan = {.name = room->chairs.items[number].name};
    char address[32];

    peer->room = room;
    plan.thinker = room_chair_thinker(&room->chairs.items[number], &plan.thinker_user);
    int rc = nlp_bot_new(&plan, &peer->bot, err);
    if (rc)
        return rc;
    nlp_bot_connected(peer->bot);
    snprintf(address, sizeof(address), "room");
    return nlp_hall_opened(room->hall, peer, STR(""), address, room->now, &peer->agent, err);
}

static int nlp_begin(RoomGames *games, const RoomGamePlan *plan, const Key *key, TimeUs now,
                     RoomGame **ret_game, Err *err)
{
    NlpRoom *room = mem_new(sizeof(*room));

    if (!room)
        return err_set(err, ERR_MEMORY, "room: out of memory");
    room->base.kind = &room_nlp_kind;
    room->events = plan->events;
    room->last = &room->first;
    room->now = now;
    room->note = games->setup.note;
    room->note_user = games->setup.user;
    room->chairs.answer = on_answer;
    room->chairs.user = room;
    alarm_init(&room->alarm, games->setup.alarms, on_alarm, room);
    int rc = make_config(games, plan->options, room->profiles, &room->config, err);
    if (rc == 0)
        rc = room_chairs_make(&room->chairs, &games->setup, plan, key, err);
    if (rc == 0)
        rc = open_hall(room, games, key, err);
    for (uint32_t i = 0; i < room->chairs.count && rc == 0; i++)
        rc = open_peer(room, room->chairs.order[i], err);
    if (rc) {
        nlp_free(&room->base);
        return rc;
    }
    *ret_game = &room->base;
    alarm_soon(&room->alarm); /* what was sent is carried from there */
    return 0;
}

static void nlp_hear(RoomGame *game, uint32_t chair, const json_t *message, TimeUs now, Buf *reply)
{
    NlpRoom *room = (NlpRoom *)game;

    room->now = now;
    room_chairs_hear(&room->chairs, chair, message, now, reply);
}

static void nlp_greet(RoomGame *game, uint32_t chair, TimeUs now, void (*say)(void *user, Str json),
                      void *user)
{
    room_chairs_greet(&((NlpRoom *)game)->chairs, chair, now, say, user);
}

static void nlp_set_away(RoomGame *game, uint32_t chair, bool away, TimeUs now)
{
    room_chairs_set_away(&((NlpRoom *)game)->chairs, chair, away, now);
}

static void nlp_stop(RoomGame *game, TimeUs now)
{
    NlpRoom *room = (NlpRoom *)game;

    if (room->over)
        return;
    room->stopped = true;
    room->now = now;
    nlp_hall_abort(room->hall, now);
    room->over = true; /* also when no game had begun */
    alarm_soon(&room->alarm);
}

const RoomGameKind room_nlp_kind = {.check = nlp_check,
                                    .begin = nlp_begin,
                                    .hear = nlp_hear,
                                    .greet = nlp_greet,
                                    .set_away = nlp_set_away,
                                    .stop = nlp_stop,
                                    .free = nlp_free};
