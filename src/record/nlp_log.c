#include "record/nlp_log.h"

#include "base/json.h"
#include "record/aiwolf_log.h"
#include "record/log_text.h"

void nlp_log_begin(NlpLogWriter *writer, Str game_id, const NlpSeat *seats, SeatNo seat_count,
                   int64_t began_unix_ms)
{
    *writer = (NlpLogWriter){
        .game_id = game_id,
        .seats = seats,
        .seat_count = seat_count,
        .began_unix_ms = began_unix_ms,
        .talk_time = true,
        .alive = seat_all(seat_count),
    };
}

void nlp_log_done(NlpLogWriter *writer)
{
    buf_done(&writer->agents);
}

void nlp_log_follow(NlpLogWriter *writer, const Event *event)
{
    switch (event->kind) {
    case EVENT_ROLE:
    case EVENT_REVEAL:
        writer->roles[event->seat] = (uint8_t)event->role;
        buf_clear(&writer->agents);
        break;
    case EVENT_DAY:
        writer->night = false;
        break;
    case EVENT_NIGHT:
        writer->night = true;
        break;
    case EVENT_EXECUTE: /* SEAT_NONE is in no set */
    case EVENT_DEATH:
        writer->alive &= ~seat_bit(event->seat);
        break;
    case EVENT_ATTACK: /* dead at once here; EVENT_DEATH says it at dawn */
        writer->attacked = writer->masked;
        writer->attack_day = event->day;
        if (event->killed && !writer->masked)
            writer->alive &= ~seat_bit(event->target);
        break;
    case EVENT_PHASE:
    case EVENT_PHASE_END:
    case EVENT_TALK:
    case EVENT_WHISPER:
    case EVENT_STANDING:
    case EVENT_VOTE:
    case EVENT_DIVINE:
    case EVENT_GUARD:
    case EVENT_ATTACK_VOTE:
    case EVENT_IDENTIFY:
    case EVENT_END:
    case EVENT_SCORE:
    case EVENT_BID:
        break;
    }
}

static int64_t unix_seconds(const NlpLogWriter *writer, TimeMs time)
{
    return (writer->began_unix_ms + time) / 1000;
}

/* ---- the game log ---- */

/* "3,vote," */
static void add_head(Buf *out, uint16_t day, LogLineKind kind)
{
    buf_add_uint(out, day);
    buf_add_char(out, ',');
    buf_add(out, str_of(aiwolf_log_kind_name(kind)));
    buf_add_char(out, ',');
}

static void add_seat(Buf *out, SeatNo seat, char end)
{
    buf_add_uint(out, seat);
    buf_add_char(out, end);
}

static void add_word(Buf *out, const char *word, char end)
{
    buf_add(out, str_of(word));
    buf_add_char(out, end);
}

/* A line end inside a field would make two lines of one: it is written as a blank. */
static void add_text(Buf *out, Str text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out, text.bytes[i] == '\n' || text.bytes[i] == '\r' ? ' ' : text.bytes[i]);
}

/* A name as one field: a comma in it would shift the others (2.1, target). */
static void add_name(Buf *out, Str name)
{
    size_t start = out->len;

    add_text(out, name);
    if (!memchr(buf_cstr(out) + start, ',', out->len - start))
        return;
    out->len = start;
    for (size_t i = 0; i < name.len; i++)
        if (name.bytes[i] == ',')
            buf_add(out, STR("%2C"));
        else
            add_text(out, str_part(name, i, 1));
}

/* Whom the logs call alive; with errored_empty they call an errored seat neither alive nor dead. */
static SeatSet shown_alive(const NlpLogWriter *writer)
{
    return writer->errored_empty ? writer->alive & ~writer->errored : writer->alive;
}

static void add_status(const NlpLogWriter *writer, uint16_t day, Buf *out)
{
    for (SeatNo seat = 1; seat <= writer->seat_count; seat++) {
        const NlpSeat *who = &writer->seats[seat];
        bool empty = writer->errored_empty && seat_in(writer->errored, seat);

        add_head(out, day, LOG_STATUS);
        add_seat(out, seat, ',');
        add_word(out, role_name((Role)writer->roles[seat]), ',');
        add_word(out, empty ? "" : seat_in(writer->alive, seat) ? "ALIVE" : "DEAD", ',');
        add_name(out, who->original);
        buf_add_char(out, ',');
        add_name(out, who->name);
        buf_add_char(out, '\n');
    }
}

static void add_talk(const NlpLogWriter *writer, const Event *event, LogLineKind kind, Buf *out)
{
    const Talk *talk = event->talk;

    add_head(out, event->day, kind);
    buf_add_uint(out, talk->idx);
    buf_add_char(out, ',');
    buf_add_uint(out, talk->turn);
    buf_add_char(out, ',');
    add_seat(out, talk->seat, ',');
    log_text_write(out, talk->text);
    if (writer->talk_time) {
        buf_add_char(out, ',');
        buf_add_int(out, unix_seconds(writer, talk->time));
    }
    buf_add_char(out, '\n');
}

static void add_pair(const Event *event, LogLineKind kind, char end, Buf *out)
{
    add_head(out, event->day, kind);
    add_seat(out, event->seat, ',');
    add_seat(out, event->target, end);
}

/* 8.2: an attack on nobody is "-1,true", unlike in the protocol division. */
static void add_attack(const Event *event, Buf *out)
{
    add_head(out, event->day, LOG_ATTACK);
    if (event->target == SEAT_NONE)
        buf_add(out, STR("-1,"));
    else
        add_seat(out, event->target, ',');
    add_word(out, event->killed || event->target == SEAT_NONE ? "true" : "false", '\n');
}

static void add_result(const Event *event, Buf *out)
{
    add_head(out, event->day, LOG_RESULT);
    add_seat(out, event->humans, ',');
    add_seat(out, event->wolves, ',');
    add_word(out, side_name(event->winner), '\n');
}

void nlp_log_event(const NlpLogWriter *writer, const Event *event, Buf *out)
{
    switch (event->kind) {
    case EVENT_DAY:
        add_status(writer, event->day, out);
        break;
    case EVENT_TALK:
        add_talk(writer, event, LOG_TALK, out);
        break;
    case EVENT_WHISPER:
        add_talk(writer, event, LOG_WHISPER, out);
        break;
    case EVENT_VOTE:
        add_pair(event, LOG_VOTE, '\n', out);
        break;
    case EVENT_EXECUTE:
        if (event->seat == SEAT_NONE)
            break;
        add_head(out, event->day, LOG_EXECUTE);
        add_seat(out, event->seat, ',');
        add_word(out, role_name((Role)writer->roles[event->seat]), '\n');
        break;
    case EVENT_DIVINE:
        add_pair(event, LOG_DIVINE, ',', out);
        add_word(out, species_name(event->species), '\n');
        break;
    case EVENT_GUARD:
        add_pair(event, LOG_GUARD, ',', out);
        add_word(out, role_name((Role)writer->roles[event->target]), '\n');
        break;
    case EVENT_ATTACK_VOTE:
        add_pair(event, LOG_ATTACK_VOTE, '\n', out);
        break;
    case EVENT_ATTACK:
        add_attack(event, out);
        break;
    case EVENT_END:
        add_status(writer, event->day, out);
        add_result(event, out);
        break;
    case EVENT_ROLE:
    case EVENT_PHASE:
    case EVENT_PHASE_END:
    case EVENT_STANDING:
    case EVENT_NIGHT:
    case EVENT_IDENTIFY:
    case EVENT_DEATH:
    case EVENT_REVEAL:
    case EVENT_SCORE:
    case EVENT_BID:
        break;
    }
}

/* ---- broadcast packets ---- */

/* What a packet has behind `agents`: 8.4, the table of events. */
typedef struct Notice {
    Str event;
    Str message;
    bool has_message;
    int from; /* 0 = the key is left out */
    int to;
    int bubble;
} Notice;

static Notice speech(Str event, const Talk *talk)
{
    return (Notice){
        .event = event, .message = talk->text, .has_message = true, .bubble = talk->seat};
}

static Notice deed(Str event, int from, int to)
{
    return (Notice){.event = event, .from = from, .to = to};
}

static Notice attack(const Event *event)
{
    bool guarded = event->target != SEAT_NONE && !event->killed;

    return deed(STR("襲撃"), guarded ? -1 : 0, event->target);
}

/* At dawn the village is told of each who died, and not by what; or that nobody did, and not why. A
 * curse kills without an attack, or beside it. */
static bool dawn_of(const NlpLogWriter *writer, const Event *event, Notice *ret)
{
    bool death = event->kind == EVENT_DEATH;

    *ret = deed(STR("襲撃"), 0, death ? event->seat : 0);
    return writer->masked && (writer->attacked || (death && writer->night));
}

static bool notice_of(const NlpLogWriter *writer, const Event *event, Notice *ret)
{
    bool masked = writer->masked;

    switch (event->kind) {
    case EVENT_DAY: /* the first packet of all */
        if (writer->broadcasts)
            return dawn_of(writer, event, ret);
        *ret = (Notice){
            .event = STR("開始"), .message = STR("ゲームが開始されました"), .has_message = true};
        return true;
    case EVENT_TALK:
        *ret = speech(STR("トーク"), event->talk);
        return true;
    case EVENT_WHISPER:
        *ret = speech(STR("囁き"), event->talk);
        return !masked;
    case EVENT_VOTE: /* known to nobody where votes are hidden */
        *ret = deed(STR("投票"), event->seat, event->target);
        return !masked || event->known_to != 0;
    case EVENT_EXECUTE:
        *ret = deed(STR("追放"), 0, event->seat);
        return true;
    case EVENT_DIVINE:
        *ret = deed(STR("占い"), event->seat, event->target);
        return !masked;
    case EVENT_GUARD:
        *ret = deed(STR("護衛"), event->seat, event->target);
        return !masked;
    case EVENT_ATTACK_VOTE:
        *ret = deed(STR("襲撃投票"), event->seat, event->target);
        return !masked;
    case EVENT_ATTACK:
        *ret = attack(event);
        return !masked;
    case EVENT_DEATH:
        return dawn_of(writer, event, ret);
    case EVENT_END:
        *ret = (Notice){
            .event = STR("終了"), .message = str_of(side_name(event->winner)), .has_message = true};
        return true;
    case EVENT_ROLE:
    case EVENT_PHASE:
    case EVENT_PHASE_END:
    case EVENT_STANDING:
    case EVENT_NIGHT:
    case EVENT_IDENTIFY:
    case EVENT_REVEAL:
    case EVENT_SCORE:
    case EVENT_BID:
        break;
    }
    return false;
}

static void put_agent(const NlpLogWriter *writer, SeatNo seat, Json *json)
{
    const NlpSeat *who = &writer->seats[seat];

    json_open(json, '{');
    json_add_int(json, "idx", seat);
    json_add_str(json, "team", writer->masked ? STR("") : who->team);
    json_add_str(json, "name", who->name);
    if (who->profile.len > 0)
        json_add_str(json, "profile", who->profile);
    if (who->avatar.len > 0)
        json_add_str(json, "avatar", who->avatar);
    if (!writer->masked)
        json_add_str(json, "role", str_of(role_name((Role)writer->roles[seat])));
    json_add_bool(json, "is_alive", seat_in(shown_alive(writer), seat));
    json_close(json);
}

/* Nine tenths of a packet are this list, and it changes when somebody dies. */
static Str agents(NlpLogWriter *writer)
{
    SeatSet alive = shown_alive(writer);

    if (writer->agents.len > 0 && writer->agents_alive == alive)
        return buf_str(&writer->agents);
    buf_clear(&writer->agents);
    writer->agents_alive = alive;
    Json json = json_over(&writer->agents);
    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= writer->seat_count; seat++)
        put_agent(writer, seat, &json);
    json_close(&json);
    return buf_str(&writer->agents);
}

bool nlp_broadcast_event(NlpLogWriter *writer, const Event *event, Buf *out)
{
    Json json = json_over(out);
    Notice notice;

    if (!notice_of(writer, event, &notice))
        return false;
    bool new_day = writer->attacked && event->kind == EVENT_DAY;
    bool dawn = new_day || event->kind == EVENT_DEATH;
    writer->attacked = writer->attacked && !dawn;
    writer->broadcasts++;
    json_open(&json, '{');
    json_add_str(&json, "id", writer->game_id);
    json_add_int(&json, "idx", writer->broadcasts);
    json_add_int(&json, "day", new_day ? writer->attack_day : event->day);
    json_add_bool(&json, "is_day", !writer->night && !dawn);
    json_key(&json, STR("agents"));
    json_put_raw(&json, agents(writer));
    json_add_str(&json, "event", notice.event);
    if (notice.has_message)
        json_add_str(&json, "message", notice.message);
    if (notice.from)
        json_add_int(&json, "from_idx", notice.from);
    if (notice.to)
        json_add_int(&json, "to_idx", notice.to);
    if (notice.bubble)
        json_add_int(&json, "bubble_idx", notice.bubble);
    json_add_int(&json, "timestamp", unix_seconds(writer, event->time));
    json_close(&json);
    if (buf_failed(&writer->agents))
        buf_fail(out);
    return true;
}
