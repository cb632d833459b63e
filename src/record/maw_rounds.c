#include "record/maw_rounds.h"

#include "base/date_text.h"
#include "base/mem.h"
#include "record/play_meter.h"
#include "wire/json_read.h"

#include <inttypes.h>
#include <stdio.h>

#define PLAYERS_KNOWN                                                                              \
    ((size_t)256) /* of whom a seat event told; of more, kind and model are lost */

/* Who a player is, as the table has told. */
typedef struct Player {
    char name[AGENT_NAME_MAX + 1];
    char model[MODEL_NAME_MAX + 1];
    SeatKind kind;
} Player;

typedef struct Walk {
    MawRoundFn *hear;
    void *user;
    char session[GAME_ID_MAX + 1];
    int64_t began_ms; /* of the session; -1 = not told. In simulated time it is 0 */
    Player *players;
    size_t count;
    GameRecord round;                 /* the counts of the round that is played */
    const char *seated[SEAT_MAX + 1]; /* names of who plays it, kept in `names` */
    SeatNo seat_count;
    Buf names;
    PlayMeter meter;
    bool revoted; /* today */
    uint64_t rounds;
} Walk;

bool maw_record_is(Str text)
{
    return str_starts(text, STR("{\"seq\":"));
}

static void copy_text(Str text, size_t max, char *out)
{
    text = str_part(text, 0, max);
    snprintf(out, max + 1, "%.*s", STR_ARG(text));
}

/* "bot:random", "agent:NAME", "model", "model:demo", "player": as maw/maw_seats.c writes them;
 * older records have "llm:…" and "person". */
static SeatKind kind_of(const json_t *event)
{
    Str kind = json_text(event, "kind");

    if (json_text(event, "model").len || str_starts(kind, STR("model")))
        return SEAT_MODEL;
    if (str_starts(kind, STR("bot")))
        return SEAT_BOT;
    if (str_eq(kind, STR("player")) || str_starts(kind, STR("person")) ||
        str_starts(kind, STR("human")))
        return SEAT_PERSON;
    return str_starts(kind, STR("llm")) ? SEAT_MODEL : SEAT_AGENT;
}

static Player *player_of(Walk *walk, Str name)
{
    for (size_t i = 0; i < walk->count; i++)
        if (str_eq(str_of(walk->players[i].name), name))
            return &walk->players[i];
    return NULL;
}

static void on_seat(Walk *walk, const json_t *event)
{
    Str name = json_text(event, "name");
    Player *player = player_of(walk, name);

    if (!player) {
        if (walk->count == PLAYERS_KNOWN || name.len == 0 || name.len > AGENT_NAME_MAX)
            return;
        player = &walk->players[walk->count++];
        copy_text(name, AGENT_NAME_MAX, player->name);
    }
    player->kind = kind_of(event);
    Str model = json_text(event, "model");
    if (model.len == 0 && str_eq(json_text(event, "kind"), STR("model:demo")))
        model = STR("demo");
    copy_text(model, MODEL_NAME_MAX, player->model);
}

/* When an event of the session was; 0 = not told. */
static int64_t moment_of(const Walk *walk, const json_t *event)
{
    int64_t passed = json_number(event, "t_ms");

    return walk->began_ms >= 0 && passed >= 0 && passed <= DATE_MAX_MS - walk->began_ms
               ? walk->began_ms + passed
               : 0;
}

/* ---- how seats play ---- */

/* The game's words for roles are capitals. */
static Role role_of_word(Str word)
{
    char capitals[16];

    if (word.len >= sizeof(capitals))
        return ROLE_NONE;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.bytes[i];
        capitals[i] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    return role_of((Str){capitals, word.len});
}

/* The seat of a name in the round; SEAT_NONE: of nobody. */
static SeatNo seat_of(const Walk *walk, Str name)
{
    for (SeatNo seat = 1; name.len && seat <= walk->seat_count; seat++)
        if (str_eq(str_of(walk->seated[seat]), name))
            return seat;
    return SEAT_NONE;
}

/* Names are kept in one text; where they stand in it is known when it does not grow any more. */
static void on_start(Walk *walk, const json_t *event)
{
    const json_t *players = json_get(event, "players");
    const size_t count = json_count(players) <= SEAT_MAX ? json_count(players) : 0;
    size_t at = 0;

    walk->round = (GameRecord){.began_at_ms = moment_of(walk, event)};
    walk->meter = (PlayMeter){0};
    walk->seat_count = 0;
    buf_clear(&walk->names);
    for (size_t i = 0; i < count; i++) {
        buf_add(&walk->names, json_text(json_at(players, i), "name"));
        buf_add_char(&walk->names, '\0');
    }
    if (buf_failed(&walk->names))
        return;
    for (size_t i = 0; i < count; i++) {
        const json_t *player = json_at(players, i);
        const SeatNo seat = (SeatNo)(i + 1);
        walk->seated[seat] = walk->names.bytes + at;
        at += json_text(player, "name").len + 1;
        play_meter_role(&walk->meter, seat, role_of_word(json_text(player, "role")));
    }
    walk->seat_count = (SeatNo)count;
}

static void vote_by_day(Walk *walk, const json_t *event)
{
    const json_t *votes = json_get(event, "votes");

    for (SeatNo seat = 1; seat <= walk->seat_count; seat++) {
        const SeatNo target = seat_of(walk, json_text(votes, walk->seated[seat]));
        if (target != SEAT_NONE)
            play_meter_vote(&walk->meter, seat, target);
    }
}

static void play_phase_end(Walk *walk, const json_t *event)
{
    const SeatNo target = seat_of(walk, json_text(event, "target"));

    if (str_eq(json_text(event, "phase"), STR("night"))) {
        if (target != SEAT_NONE)
            play_meter_death(&walk->meter, target);
        return;
    }
    vote_by_day(walk, event);
    play_meter_execute(&walk->meter, target);
}

static void on_left(Walk *walk, const json_t *event)
{
    const SeatNo seat = seat_of(walk, json_text(event, "name"));

    if (seat != SEAT_NONE)
        play_meter_death(&walk->meter, seat);
}

static void on_line(Walk *walk, const json_t *event)
{
    const SeatNo seat = seat_of(walk, json_text(event, "name"));

    if (seat != SEAT_NONE && str_eq(json_text(event, "room"), STR("Village")))
        play_meter_say(&walk->meter, seat, json_text(event, "text"), false);
}

static void on_phase_end(Walk *walk, const json_t *event)
{
    GameResult *result = &walk->round.result;
    bool someone = json_text(event, "target").len > 0;

    play_phase_end(walk, event);
    if (str_eq(json_text(event, "phase"), STR("night"))) {
        result->attacks++;
        result->attack_kills += someone;
    } else {
        result->execution_days++;
        result->revote_days += walk->revoted;
    }
    walk->revoted = false;
}

static int take_seat(Walk *walk, SeatNo seat, const json_t *told, Err *err)
{
    GameResult *result = &walk->round.result;
    const Player *player = player_of(walk, json_text(told, "name"));

    result->names[seat] = json_text(told, "name");
    result->roles[seat] = role_of_word(json_text(told, "role"));
    result->points[seat] = (int32_t)json_number(told, "points");
    if (result->names[seat].len == 0 || result->roles[seat] == ROLE_NONE)
        return err_set(err, ERR_SYNTAX, "a player of the round's end has no name, or no role");
    walk->round.seats[seat].kind = player ? player->kind : SEAT_AGENT;
    if (player && player->model[0])
        walk->round.seats[seat].model = str_of(player->model);
    return 0;
}

static int on_end(Walk *walk, const json_t *event, Err *err)
{
    const json_t *players = json_get(event, "players");
    GameRecord *round = &walk->round;
    size_t count = json_count(players);
    int rc = 0;

    if (count == 0 || count > SEAT_MAX)
        return err_set(err, ERR_SYNTAX, "a round of %zu players; 1 to %d are expected", count,
                       SEAT_MAX);
    round->division = DIVISION_MAW;
    snprintf(round->ruleset, sizeof(round->ruleset), "maw");
    snprintf(round->id, sizeof(round->id), "%.60s-%" PRIu64, walk->session, walk->rounds + 1);
    round->game = walk->rounds++;
    round->ended_at_ms = moment_of(walk, event);
    round->result.seat_count = (SeatNo)count;
    round->result.winner = side_of(json_text(event, "winner"));
    round->result.last_day = (uint16_t)json_number(event, "days");
    if (!end_reason_of(json_text(event, "reason"), &round->reason))
        return err_set(err, ERR_SYNTAX, "a round ended for a reason that is not known");
    for (SeatNo seat = 1; rc == 0 && seat <= count; seat++)
        rc = take_seat(walk, seat, json_at(players, seat - 1u), err);
    if (rc == 0 && walk->seat_count == count)
        play_meter_end(&walk->meter, &round->result);
    return rc ? rc : walk->hear(walk->user, round, err);
}

static void on_session(Walk *walk, const json_t *event)
{
    copy_text(json_text(event, "id"), GAME_ID_MAX, walk->session);
    if (!date_text_read(json_text(event, "began"), &walk->began_ms))
        walk->began_ms = -1;
}

static int on_event(Walk *walk, const json_t *event, Err *err)
{
    Str what = json_text(event, "event");

    if (str_eq(what, STR("session")))
        on_session(walk, event);
    else if (str_eq(what, STR("seat")))
        on_seat(walk, event);
    else if (str_eq(what, STR("start_game")))
        on_start(walk, event);
    else if (str_eq(what, STR("left")))
        on_left(walk, event);
    else if (str_eq(what, STR("line")))
        on_line(walk, event);
    else if (str_eq(what, STR("revote")))
        walk->revoted = true;
    else if (str_eq(what, STR("phase_end")))
        on_phase_end(walk, event);
    else if (str_eq(what, STR("end_game")))
        return on_end(walk, event, err);
    return 0;
}

/* Whether a line is of an event that says something here: most are messages. A quotation mark in a
 * text is escaped, so that no text can look like this. */
static bool is_wanted(Str line)
{
    static const char *const events[] = {"session", "seat",   "start_game", "left",
                                         "line",    "revote", "phase_end",  "end_game"};
    const Str key = STR("\"event\":\"");

    for (size_t at = 0; at + key.len < line.len && at < 120; at++) {
        if (!str_starts(str_part(line, at, line.len), key))
            continue;
        line = str_part(line, at + key.len, line.len);
        Str word = str_cut(&line, '"');
        for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
            if (str_eq(word, str_of(events[i])))
                return true;
        return false;
    }
    return false;
}

static int read_line(Walk *walk, Str line, unsigned number, Err *err)
{
    json_t *event = NULL;
    Err wrong = {0};
    int rc = json_read(line, MAW_RECORD_LINE_MAX, &event, &wrong);

    if (rc == 0)
        rc = on_event(walk, event, &wrong);
    json_done(event);
    if (rc)
        rc = err_set_at(err, (ErrCode)rc, number, 0, "line %u: %s", number, wrong.msg);
    return rc;
}

int maw_rounds_read(Str text, MawRoundFn *hear, void *user, Err *err)
{
    CLEANUP(mem_freep) Walk *walk = mem_new(sizeof(*walk));
    CLEANUP(mem_freep) Player *players = mem_new(PLAYERS_KNOWN * sizeof(*players));
    unsigned number = 0;
    int rc = 0;

    if (!walk || !players)
        return err_set(err, ERR_MEMORY, "read a MAW record: out of memory");
    *walk = (Walk){.hear = hear, .user = user, .players = players, .began_ms = -1};
    while (rc == 0 && text.len) {
        Str line = str_cut(&text, '\n');
        number++;
        if (is_wanted(line))
            rc = read_line(walk, line, number, err);
    }
    buf_done(&walk->names);
    return rc;
}
