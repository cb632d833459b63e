#include "record/nlp_realtime.h"

#include "record/aiwolf_log.h"
#include "record/log_text.h"
#include "wire/json_read.h"

typedef struct Walk {
    Buf *out;
    SeatNo seat_count;
    Role roles[SEAT_MAX + 1];
    SeatSet alive;
    bool begun;
    bool night;
    bool ended;
    int64_t day;
    uint32_t idx[2];                  /* of today's next talk, whisper */
    uint32_t spoken[2][SEAT_MAX + 1]; /* in this session */
} Walk;

/* ---- packets ---- */

/* Cuts the next object off; packets stand one a line, but for those that two threads of an old
 * server wrote at once. False when no whole one is left. */
static bool cut_object(Str *rest, Str *ret_object)
{
    bool quoted = false;
    size_t depth = 0, i = 0;

    *rest = str_trim(*rest);
    for (; i < rest->len; i++) {
        char c = rest->bytes[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            depth++;
        else if (!quoted && (c == '}' || c == ']') && (depth == 0 || --depth == 0))
            break;
    }
    if (i >= rest->len || depth > 0 || rest->bytes[0] != '{')
        return false;
    *ret_object = str_part(*rest, 0, i + 1);
    *rest = str_part(*rest, i + 1, rest->len);
    return true;
}

bool nlp_realtime_is(Str text)
{
    json_t *packet = NULL;
    Str first;
    size_t at;

    if (!str_starts(text, STR("{")) || !str_find(str_part(text, 0, 8192), STR("\"agents\""), &at) ||
        !cut_object(&text, &first) || json_read(first, LOG_LINE_BYTES_MAX, &packet, NULL))
        return false;
    bool is = json_text(packet, "event").len > 0 && json_is_list(json_get(packet, "agents")) &&
              json_get(packet, "idx");
    json_done(packet);
    return is;
}

static SeatNo seat_of(const Walk *walk, const json_t *packet, const char *key)
{
    int64_t number = json_number(packet, key);

    return number >= 1 && number <= walk->seat_count ? (SeatNo)number : SEAT_NONE;
}

/* ---- lines ---- */

/* One field of a line. */
static void add_field(Buf *out, Str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];
        buf_add_char(out, c == '\n' || c == '\r' || c == ',' ? ' ' : c);
    }
}

static void add_statuses(Walk *walk, const json_t *agents)
{
    for (SeatNo seat = 1; seat <= walk->seat_count; seat++) {
        const json_t *agent = json_at(agents, seat - 1u);
        buf_printf(walk->out, "%lld,status,%u,%s,%s,", (long long)walk->day, seat,
                   role_name(walk->roles[seat]), seat_in(walk->alive, seat) ? "ALIVE" : "DEAD");
        add_field(walk->out, json_text(agent, "team"));
        buf_add_char(walk->out, ',');
        add_field(walk->out, json_text(agent, "name"));
        buf_add_char(walk->out, '\n');
    }
}

static int take_agents(Walk *walk, const json_t *agents, Err *err)
{
    size_t count = json_count(agents);

    if (count == 0 || count > SEAT_MAX)
        return err_set(err, ERR_SYNTAX, "'agents' lists %zu agents; 1 to %d are expected", count,
                       SEAT_MAX);
    walk->seat_count = (SeatNo)count;
    walk->alive = seat_all(walk->seat_count);
    for (SeatNo seat = 1; seat <= walk->seat_count; seat++) {
        const json_t *agent = json_at(agents, seat - 1u);
        walk->roles[seat] = role_of(json_text(agent, "role"));
        if (json_number(agent, "idx") != seat || walk->roles[seat] == ROLE_NONE)
            return err_set(err, ERR_SYNTAX,
                           "agent %u has no idx, or no role: packets for the public are no log",
                           seat);
    }
    return 0;
}

static void add_utterance(Walk *walk, const json_t *packet, bool whisper)
{
    SeatNo seat = seat_of(walk, packet, "bubble_idx");
    int64_t time = json_number(packet, "timestamp");

    if (seat == SEAT_NONE)
        return;
    buf_printf(walk->out, "%lld,%s,%u,%u,%u,", (long long)walk->day,
               aiwolf_log_kind_name(whisper ? LOG_WHISPER : LOG_TALK), walk->idx[whisper]++,
               walk->spoken[whisper][seat]++, seat);
    log_text_write(walk->out, json_text(packet, "message"));
    if (time > 0)
        buf_printf(walk->out, ",%lld", (long long)time);
    buf_add_char(walk->out, '\n');
}

static void add_deed(Walk *walk, const json_t *packet, LogLineKind kind)
{
    SeatNo from = seat_of(walk, packet, "from_idx"), to = seat_of(walk, packet, "to_idx");

    if (from == SEAT_NONE || to == SEAT_NONE)
        return;
    buf_printf(walk->out, "%lld,%s,%u,%u", (long long)walk->day, aiwolf_log_kind_name(kind), from,
               to);
    if (kind == LOG_DIVINE)
        buf_printf(walk->out, ",%s", species_name(role_species(walk->roles[to])));
    if (kind == LOG_GUARD)
        buf_printf(walk->out, ",%s", role_name(walk->roles[to]));
    buf_add_char(walk->out, '\n');
}

static void add_execution(Walk *walk, const json_t *packet)
{
    SeatNo seat = seat_of(walk, packet, "to_idx");

    if (seat == SEAT_NONE)
        return;
    walk->alive &= ~seat_bit(seat);
    buf_printf(walk->out, "%lld,execute,%u,%s\n", (long long)walk->day, seat,
               role_name(walk->roles[seat]));
}

static void add_attack(Walk *walk, const json_t *packet)
{
    SeatNo seat = seat_of(walk, packet, "to_idx");
    bool guarded = json_number(packet, "from_idx") < 0;

    if (seat == SEAT_NONE) {
        buf_printf(walk->out, "%lld,attack,-1,true\n", (long long)walk->day);
        return;
    }
    if (!guarded)
        walk->alive &= ~seat_bit(seat);
    buf_printf(walk->out, "%lld,attack,%u,%s\n", (long long)walk->day, seat,
               guarded ? "false" : "true");
}

static void add_result(Walk *walk, const json_t *packet)
{
    unsigned humans = 0, wolves = 0;

    for (SeatSet left = walk->alive; left; left &= left - 1)
        if (walk->roles[seat_first(left)] == ROLE_WEREWOLF)
            wolves++;
        else
            humans++;
    buf_printf(walk->out, "%lld,result,%u,%u,%s\n", (long long)walk->day, humans, wolves,
               side_name(side_of(json_text(packet, "message"))));
    walk->ended = true;
}

/* ---- the whole ---- */

/* What each event of 8.4 comes to. */
static void take_event(Walk *walk, const json_t *packet)
{
    static const struct {
        const char *event;
        LogLineKind kind;
    } deeds[] = {{"投票", LOG_VOTE},
                 {"占い", LOG_DIVINE},
                 {"護衛", LOG_GUARD},
                 {"襲撃投票", LOG_ATTACK_VOTE}};
    Str event = json_text(packet, "event");

    if (str_eq(event, STR("トーク")) || str_eq(event, STR("囁き")))
        add_utterance(walk, packet, str_eq(event, STR("囁き")));
    else if (str_eq(event, STR("追放")))
        add_execution(walk, packet);
    else if (str_eq(event, STR("襲撃")))
        add_attack(walk, packet);
    else if (str_eq(event, STR("終了")))
        add_result(walk, packet);
    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
        if (str_eq(event, str_of(deeds[i].event)))
            add_deed(walk, packet, deeds[i].kind);
}

static int take_packet(Walk *walk, const json_t *packet, Err *err)
{
    const json_t *agents = json_get(packet, "agents");
    int64_t day = json_number(packet, "day");
    bool night = !json_as_bool(json_get(packet, "is_day"), &night) || !night;
    bool end = str_eq(json_text(packet, "event"), STR("終了"));
    int rc = walk->begun ? 0 : take_agents(walk, agents, err);

    if (rc || walk->ended || day < 0 || day > LOG_DAY_MAX)
        return rc;
    if (!walk->begun || day > walk->day || end) {
        if (!walk->begun || day > walk->day)
            memset(walk->idx, 0, sizeof(walk->idx));
        walk->begun = true;
        walk->day = day;
        add_statuses(walk, agents);
        memset(walk->spoken, 0, sizeof(walk->spoken));
    }
    if (night != walk->night)
        memset(walk->spoken, 0, sizeof(walk->spoken));
    walk->night = night;
    take_event(walk, packet);
    return 0;
}

int nlp_realtime_to_log(Str text, Buf *out, Err *err)
{
    Walk walk = {.out = out};
    Str object;
    Err wrong = {0};
    int rc = 0;

    while (rc == 0 && cut_object(&text, &object)) {
        json_t *packet = NULL;
        rc = json_read(object, LOG_LINE_BYTES_MAX, &packet, &wrong);
        if (rc == 0)
            rc = take_packet(&walk, packet, &wrong);
        json_done(packet);
    }
    if (rc)
        return err_set(err, (ErrCode)rc, "broadcast packets: %s", wrong.msg);
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "read broadcast packets: out of memory") : 0;
}
