#include "journal/journal_line.h"

#include "base/date_text.h"
#include "base/json.h"
#include "base/utf8.h"

#include <jansson.h>
#include <zlib.h>

/* What is written. 1: games of the protocol division only, without `division`, `ruleset`, `began`
 * and what kind of player a seat has. */
#define VERSION     2
#define VERSION_MIN 1

/* What stands behind the bytes that the CRC is of: ,"crc":"01234567"} */
#define CRC_HEAD  ",\"crc\":\""
#define CRC_BYTES (sizeof(CRC_HEAD) - 1 + 8 + 2)

/* Of all versions equally long: the plan stands behind it. */
#define PLAN_HEAD     "{\"record\":\"plan\",\"version\":2,\"plan\":"
#define PLAN_HEAD_OLD "{\"record\":\"plan\",\"version\":1,\"plan\":"

/* ---- what may be written ---- */

/* The reader gets back exactly what was written, so nothing may be written that it refuses. */
static int check_name(SeatNo seat, Str name, Err *err)
{
    if (name.len == 0 || name.len > AGENT_NAME_MAX)
        return err_set(err, ERR_RULE, "seat %u: the name has %zu bytes; 1 to %d are kept", seat,
                       name.len, AGENT_NAME_MAX);
    if (!utf8_valid(name) || memchr(name.bytes, '\0', name.len))
        return err_set(err, ERR_RULE, "seat %u: the name is not UTF-8 text", seat);
    return 0;
}

/* A path inside the folder: neither absolute nor with a part "..". */
static bool is_inside(Str path)
{
    if (path.len == 0 || path.bytes[0] == '/' || !utf8_valid(path) ||
        memchr(path.bytes, '\0', path.len))
        return false;
    while (path.len) {
        Str part = str_cut(&path, '/');
        if (str_eq(part, STR("..")))
            return false;
    }
    return true;
}

static int check_figure(const char *what, uint64_t number, Err *err)
{
    return number > SEAT_FIGURE_MAX
               ? err_set(err, ERR_LIMIT, "%s %llu is too large", what, (unsigned long long)number)
               : 0;
}

static int check_number(const char *what, uint64_t number, Err *err)
{
    return number > INT64_MAX
               ? err_set(err, ERR_LIMIT, "%s %llu is too large", what, (unsigned long long)number)
               : 0;
}

/* A member of a record that is UTF-8 and ends within its room. */
static bool is_text(const char *text, size_t room)
{
    return memchr(text, '\0', room) && utf8_valid(str_of(text));
}

/* Who plays there, beside the agent's name. */
static int check_player(SeatNo seat, const SeatRecord *own, Err *err)
{
    int rc = own->team.len ? check_name(seat, own->team, err) : 0;

    if (rc == 0 && (own->model.len > MODEL_NAME_MAX || !utf8_valid(own->model) ||
                    (own->model.len && memchr(own->model.bytes, '\0', own->model.len))))
        rc = err_set(err, ERR_RULE, "seat %u: the model's name has more than %d bytes, or no text",
                     seat, MODEL_NAME_MAX);
    if (rc == 0 && own->kind >= SEAT_KIND_COUNT)
        rc = err_set(err, ERR_RULE, "seat %u: who decides for it is not known", seat);
    if (rc == 0 && own->own > own->decisions)
        rc = err_set(err, ERR_RULE, "seat %u: more decisions of its own than decisions", seat);
    if (rc == 0)
        rc = check_figure("a number of decisions of", own->decisions, err);
    if (rc == 0)
        rc = check_figure("a number of tokens of", own->prompt_tokens, err);
    if (rc == 0)
        rc = check_figure("a number of tokens of", own->answer_tokens, err);
    return rc;
}

static int check_game(const GameRecord *record, Err *err)
{
    const GameResult *result = &record->result;
    int rc = check_number("set", record->set, err);

    if (rc == 0)
        rc = check_number("game", record->game, err);
    if (rc)
        return rc;
    if (record->ended_at_ms < 0 || record->ended_at_ms > DATE_MAX_MS)
        return err_set(err, ERR_LIMIT, "a game can't end at %lld ms",
                       (long long)record->ended_at_ms);
    if (record->began_at_ms < 0 || record->began_at_ms > DATE_MAX_MS)
        return err_set(err, ERR_LIMIT, "a game can't begin at %lld ms",
                       (long long)record->began_at_ms);
    if (!is_text(record->ruleset, sizeof(record->ruleset)) ||
        !is_text(record->id, sizeof(record->id)))
        return err_set(err, ERR_RULE, "the ruleset or the id of a game is not UTF-8 text");
    if (result->seat_count < 1 || result->seat_count > SEAT_MAX)
        return err_set(err, ERR_RULE, "a game of %u players", result->seat_count);
    if (memchr(record->log, '\0', sizeof(record->log)) == NULL ||
        (record->log[0] && !is_inside(str_of(record->log))))
        return err_set(err, ERR_RULE, "the log's path leads out of the folder");
    for (SeatNo seat = 1; seat <= result->seat_count && rc == 0; seat++) {
        rc = check_name(seat, result->names[seat], err);
        if (rc == 0 && (result->roles[seat] <= ROLE_NONE || result->roles[seat] >= ROLE_COUNT))
            rc = err_set(err, ERR_RULE, "seat %u has no role", seat);
        if (rc == 0)
            rc = check_player(seat, &record->seats[seat], err);
    }
    return rc;
}

/* ---- writing ---- */

/* Opens the line: {"record":"KIND" */
static Json begin_line(Buf *out, const char *kind)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "record", str_of(kind));
    return json;
}

int journal_line_plan(Str plan, Buf *out, Err *err)
{
    json_error_t error;
    json_t *root =
        plan.len ? json_loadb(plan.bytes, plan.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error)
                 : NULL;
    bool fits = json_is_object(root) && memchr(plan.bytes, '\n', plan.len) == NULL;

    json_decref(root);
    if (!fits)
        return err_set(err, ERR_RULE, "the plan of a journal must be a JSON object on one line");
    buf_add(out, STR(PLAN_HEAD));
    buf_add(out, plan);
    return 0;
}

int journal_line_set(uint32_t stage, uint64_t set, SeatNo count, const Str *names, Buf *out,
                     Err *err)
{
    int rc = check_number("set", set, err);

    if (rc == 0 && (count < 1 || count > SEAT_MAX))
        rc = err_set(err, ERR_RULE, "a set of %u agents", count);
    for (SeatNo seat = 1; rc == 0 && seat <= count; seat++)
        rc = check_name(seat, names[seat], err);
    if (rc)
        return rc;
    Json json = begin_line(out, "set");
    json_add_uint(&json, "stage", stage);
    json_add_uint(&json, "set", set);
    json_key(&json, STR("agents"));
    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= count; seat++)
        json_put_str(&json, names[seat]);
    json_close(&json);
    return 0;
}

/* Of a model: how it came to its decisions. */
static void put_decisions(Json *json, const SeatRecord *own)
{
    if (own->model.len)
        json_add_str(json, "model", own->model);
    if (own->decisions) {
        json_add_uint(json, "decisions", own->decisions);
        json_add_uint(json, "own", own->own);
    }
    if (own->prompt_tokens)
        json_add_uint(json, "prompt_tokens", own->prompt_tokens);
    if (own->answer_tokens)
        json_add_uint(json, "answer_tokens", own->answer_tokens);
}

/* Members that say nothing are left out: most seats of most games have no faults. */
static void put_seat(Json *json, const GameRecord *record, SeatNo seat)
{
    CLEANUP(buf_done) Buf times = {0};
    const SeatRecord *own = &record->seats[seat];

    json_open(json, '{');
    json_add_str(json, "agent", record->result.names[seat]);
    if (own->team.len)
        json_add_str(json, "team", own->team);
    json_add_str(json, "kind", str_of(seat_kind_name(own->kind)));
    json_add_str(json, "role", str_of(role_name(record->result.roles[seat])));
    if (record->result.points[seat]) {
        json_add_int(json, "points", record->result.points[seat]);
    }
    if (own->outside) {
        json_add_bool(json, "outside", true);
    }
    if (own->failed) {
        json_add_bool(json, "failed", true);
    }
    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        if (own->faults[kind])
            json_add_uint(json, fault_kind_name((FaultKind)kind), own->faults[kind]);
    if (own->excesses)
        json_add_uint(json, "excesses", own->excesses);
    if (own->excused)
        json_add_uint(json, "excused", own->excused);
    if (own->waited_ms)
        json_add_uint(json, "waited_ms", own->waited_ms);
    durations_print(&own->times, &times);
    if (times.len)
        json_add_str(json, "times", buf_str(&times));
    put_decisions(json, own);
    if (buf_failed(&times))
        buf_fail(json->out);
    json_close(json);
}

int journal_line_game(const GameRecord *record, Buf *out, Err *err)
{
    const GameResult *result = &record->result;
    char time[DATE_TEXT_ROOM];
    int rc = check_game(record, err);

    if (rc)
        return rc;
    Json json = begin_line(out, "game");
    json_add_uint(&json, "stage", record->stage);
    json_add_uint(&json, "set", record->set);
    json_add_uint(&json, "game", record->game);
    json_add_str(&json, "division", str_of(game_division_name(record->division)));
    if (record->ruleset[0])
        json_add_str(&json, "ruleset", str_of(record->ruleset));
    if (record->id[0])
        json_add_str(&json, "id", str_of(record->id));
    if (record->began_at_ms)
        json_add_str(&json, "began", date_text_write(record->began_at_ms, time));
    json_add_str(&json, "ended", date_text_write(record->ended_at_ms, time));
    if (record->is_void)
        json_add_bool(&json, "void", true);
    json_add_str(&json, "winner", str_of(side_name(result->winner)));
    json_add_str(&json, "reason", str_of(end_reason_name(record->reason)));
    json_add_uint(&json, "last_day", result->last_day);
    json_add_uint(&json, "revote_days", result->revote_days);
    json_add_uint(&json, "execution_days", result->execution_days);
    json_add_uint(&json, "attacks", result->attacks);
    json_add_uint(&json, "attack_kills", result->attack_kills);
    if (record->log[0])
        json_add_str(&json, "log", str_of(record->log));
    if (record->log_sha256[0])
        json_add_str(&json, "log_sha256", str_of(record->log_sha256));
    if (record->exchange_sha256[0])
        json_add_str(&json, "exchange_sha256", str_of(record->exchange_sha256));
    json_key(&json, STR("seats"));
    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= result->seat_count; seat++)
        put_seat(&json, record, seat);
    json_close(&json);
    return 0;
}

void journal_line_note(Str text, Buf *out)
{
    Json json = begin_line(out, "note");

    json_add_str(&json, "text", text);
}

int journal_line_end(uint64_t games, Buf *out, Err *err)
{
    int rc = check_number("a number of games of", games, err);

    if (rc)
        return rc;
    Json json = begin_line(out, "end");
    json_add_uint(&json, "games", games);
    return 0;
}

int journal_line_key(const JournalKey *key, Buf *out, Err *err)
{
    char hex[KEY_HEX_BYTES];
    int rc = check_number("a part of", key->part, err);

    if (rc)
        return rc;
    Json json = begin_line(out, "key");
    key_to_hex(&key->value, hex);
    json_add_uint(&json, "part", key->part);
    if (key->stage)
        json_add_uint(&json, "stage", key->stage);
    json_add_str(&json, key->published ? "key" : "commitment", str_of(hex));
    return 0;
}

static const char *const ruling_names[] = {"dismiss", "warn", "eliminate"};

const char *ruling_name(RulingDecision decision)
{
    return decision < RULING_COUNT ? ruling_names[decision] : "";
}

RulingDecision ruling_of(Str name)
{
    RulingDecision decision = RULING_DISMISS;

    while (decision < RULING_COUNT && !str_eq(name, str_of(ruling_names[decision])))
        decision++;
    return decision;
}

int journal_line_ruling(const JournalRuling *ruling, Buf *out, Err *err)
{
    char time[DATE_TEXT_ROOM];
    int rc = check_name(0, ruling->agent, err);

    if (rc == 0 && !utf8_valid(ruling->reason))
        rc = err_set(err, ERR_RULE, "the reason of a ruling is no UTF-8");
    if (rc)
        return rc;
    Json json = begin_line(out, "ruling");
    json_add_uint(&json, "stage", ruling->stage);
    json_add_str(&json, "agent", ruling->agent);
    json_add_str(&json, "rule", ruling->rule);
    json_add_str(&json, "decision", str_of(ruling_name(ruling->decision)));
    json_add_str(&json, "reason", ruling->reason);
    json_add_str(&json, "at", date_text_write(ruling->at_ms, time));
    return 0;
}

void journal_line_lots(const JournalLots *lots, Buf *out)
{
    Json json = begin_line(out, lots->frozen ? "freeze" : "lots");
    char hex[KEY_HEX_BYTES];

    json_add_uint(&json, "stage", lots->stage);
    json_key(&json, lots->frozen ? STR("programs") : STR("lots"));
    json_open(&json, '{');
    for (size_t i = 0; i < lots->count; i++) {
        json_key(&json, lots->items[i].name);
        key_to_hex(&lots->items[i].key, hex);
        if (lots->items[i].there)
            json_put_str(&json, str_of(hex));
        else
            json_put_null(&json);
    }
    json_close(&json);
    if (lots->beacon.len)
        json_add_str(&json, "beacon", lots->beacon);
}

void journal_line_faults_bytes(Buf *line, uint64_t bytes)
{
    buf_add(line, STR(",\"faults_bytes\":"));
    buf_add_uint(line, bytes);
}

uint32_t journal_crc_add(uint32_t crc, Str bytes)
{
    return (uint32_t)crc32_z(crc, (const unsigned char *)bytes.bytes, bytes.len);
}

int journal_line_seal(Buf *line, Err *err)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t crc = journal_crc_add(0, buf_str(line));
    char hex[8];

    for (size_t i = 0; i < 8; i++)
        hex[i] = digits[crc >> (28 - 4 * i) & 0xF];
    buf_add(line, STR(CRC_HEAD));
    buf_add(line, (Str){hex, sizeof(hex)});
    buf_add(line, STR("\"}\n"));
    if (buf_failed(line))
        return err_set(err, ERR_MEMORY, "journal: out of memory");
    if (line->len > JOURNAL_LINE_MAX)
        return err_set(err, ERR_LIMIT, "journal: a line of %zu bytes; at most %zu fit", line->len,
                       JOURNAL_LINE_MAX);
    return 0;
}

/* Text as it is, except what no terminal or eye should meet raw: a backslash is doubled, control
 * characters and bytes that are no UTF-8 become \xHH. */
static void add_escaped(Str bytes, Buf *out)
{
    while (bytes.len) {
        Str rest = bytes;
        uint32_t code = utf8_next(&rest);
        Str taken = str_part(bytes, 0, bytes.len - rest.len);
        bool bad = code == UTF8_INVALID || code < 0x20 || (code >= 0x7F && code < 0xA0);
        if (code == '\\')
            buf_add(out, STR("\\\\"));
        else if (!bad)
            buf_add(out, taken);
        for (size_t i = 0; bad && i < taken.len; i++)
            buf_printf(out, "\\x%02x", (unsigned)(unsigned char)taken.bytes[i]);
        bytes = rest;
    }
}

void journal_line_fault(int64_t at_ms, uint32_t stage, uint64_t set, uint64_t game, Str agent,
                        const Fault *fault, Buf *out)
{
    CLEANUP(buf_done) Buf bytes = {0};
    Json json = json_over(out);
    char time[DATE_TEXT_ROOM];

    add_escaped(str_part(fault->bytes, 0, FAULT_BYTES_MAX), &bytes);
    json_open(&json, '{');
    json_add_str(&json, "at", date_text_write(at_ms, time));
    json_add_uint(&json, "stage", stage);
    json_add_uint(&json, "set", set);
    json_add_uint(&json, "game", game);
    json_add_str(&json, "agent", agent);
    json_add_uint(&json, "seat", fault->seat);
    json_add_uint(&json, "day", fault->day);
    json_add_str(&json, "request", str_of(fault->request));
    json_add_str(&json, "kind", str_of(fault_kind_name(fault->kind)));
    json_add_bool(&json, "fatal", fault->fatal);
    json_key(&json, STR("elapsed_ms"));
    json_put_real(&json, (double)fault->elapsed_us / 1000.0, 1);
    if (fault->waited_us) {
        json_key(&json, STR("waited_ms"));
        json_put_real(&json, (double)fault->waited_us / 1000.0, 1);
    }
    json_add_str(&json, "bytes", buf_str(&bytes));
    json_close(&json);
    buf_add_char(out, '\n');
    if (buf_failed(&bytes))
        buf_fail(out);
}

/* ---- reading: the frame ---- */

bool journal_line_intact(Str line)
{
    if (line.len < CRC_BYTES)
        return false;
    Str body = str_part(line, 0, line.len - CRC_BYTES);
    Str tail = str_part(line, body.len, CRC_BYTES);
    if (!str_starts(tail, STR(CRC_HEAD)) || !str_eq(str_part(tail, CRC_BYTES - 2, 2), STR("\"}")))
        return false;
    uint32_t crc = 0;
    for (size_t i = sizeof(CRC_HEAD) - 1; i < CRC_BYTES - 2; i++) {
        char c = tail.bytes[i];
        if ((c < '0' || c > '9') && (c < 'a' || c > 'f'))
            return false;
        crc = crc << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return crc == journal_crc_add(0, body);
}

bool journal_line_get_faults_bytes(Str line, uint64_t *ret_bytes)
{
    size_t end = line.len < CRC_BYTES ? 0 : line.len - CRC_BYTES, start = end;

    if (!str_starts(line, STR("{\"record\":\"game\"")))
        return false;
    while (start > 0 && line.bytes[start - 1] >= '0' && line.bytes[start - 1] <= '9')
        start--;
    Str key = STR(",\"faults_bytes\":");
    return start >= key.len && str_eq(str_part(line, start - key.len, key.len), key) &&
           str_to_uint(str_part(line, start, end - start), INT64_MAX, ret_bytes);
}

/* ---- reading: members ---- */

/* One object of a line, and what was wrong with it first. */
typedef struct Object {
    json_t *json;
    unsigned line;
    Err *err;
    int rc;
} Object;

static void member_wrong(Object *object, const char *key, const char *what)
{
    if (object->rc == 0)
        object->rc = err_set_at(object->err, ERR_SYNTAX, object->line, 0, "'%s' %s", key, what);
}

/* Refuses members that are not among `known`, which ends with NULL. */
static void members_only(Object *object, const char *const *known)
{
    const char *key;
    json_t *value;

    json_object_foreach (object->json, key, value) {
        size_t i = 0;
        while (known[i] && strcmp(known[i], key) != 0)
            i++;
        if (!known[i])
            member_wrong(object, key, "is not known here");
    }
}

static json_t *member(Object *object, const char *key, bool needed)
{
    json_t *value = json_object_get(object->json, key);

    if (!value && needed)
        member_wrong(object, key, "is missing");
    return value;
}

/* A whole number min..max; 0 when it may be missing and is. */
static int64_t get_int(Object *object, const char *key, bool needed, int64_t min, int64_t max)
{
    json_t *value = member(object, key, needed);

    if (!value)
        return 0;
    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max) {
        member_wrong(object, key, "is not a number that fits");
        return 0;
    }
    return json_integer_value(value);
}

static uint64_t get_uint(Object *object, const char *key, uint64_t max)
{
    return (uint64_t)get_int(object, key, true, 0, max > INT64_MAX ? INT64_MAX : (int64_t)max);
}

static Str get_str(Object *object, const char *key, bool needed)
{
    json_t *value = member(object, key, needed);

    if (!value)
        return (Str){0};
    if (!json_is_string(value)) {
        member_wrong(object, key, "is not a text");
        return (Str){0};
    }
    return (Str){json_string_value(value), json_string_length(value)};
}

/* A flag stands there only when it is true. */
static bool get_flag(Object *object, const char *key)
{
    json_t *value = member(object, key, false);

    if (value && !json_is_true(value))
        member_wrong(object, key, "can only be true");
    return value != NULL;
}

static json_t *get_array(Object *object, const char *key, size_t max)
{
    json_t *value = member(object, key, true);

    if (value &&
        (!json_is_array(value) || json_array_size(value) < 1 || json_array_size(value) > max)) {
        member_wrong(object, key, "is not a list of a length that fits");
        return NULL;
    }
    return value;
}

/* Borrows the name from the JSON tree. */
static Str name_of(Object *object, SeatNo seat, json_t *value)
{
    Str name = {json_string_value(value), value ? json_string_length(value) : 0};

    if (object->rc == 0) {
        object->rc = check_name(seat, name, NULL);
        if (object->rc)
            object->rc = err_set_at(object->err, ERR_SYNTAX, object->line, 0,
                                    "seat %u has no usable name", seat);
    }
    return name;
}

/* ---- reading: records ---- */

/* Borrows from the JSON tree, as name_of. */
static void read_player(Object *object, SeatNo seat, SeatRecord *own)
{
    json_t *team = member(object, "team", false);
    Str kind = get_str(object, "kind", false);

    if (team)
        own->team = name_of(object, seat, team);
    own->kind = kind.bytes ? seat_kind_of(kind) : own->outside ? SEAT_AGENT : SEAT_BOT;
    if (own->kind == SEAT_KIND_COUNT)
        member_wrong(object, "kind", "is none of bot, agent, model, person");
    own->model = get_str(object, "model", false);
    own->decisions = (uint64_t)get_int(object, "decisions", false, 0, SEAT_FIGURE_MAX);
    own->own = (uint64_t)get_int(object, "own", false, 0, (int64_t)own->decisions);
    own->prompt_tokens = (uint64_t)get_int(object, "prompt_tokens", false, 0, SEAT_FIGURE_MAX);
    own->answer_tokens = (uint64_t)get_int(object, "answer_tokens", false, 0, SEAT_FIGURE_MAX);
    if (object->rc == 0 && check_player(seat, own, NULL))
        member_wrong(object, "model", "is no name");
}

static void read_seat(Object *object, SeatNo seat, GameRecord *ret)
{
    static const char *const known[] = {
        "agent",    "team",          "kind",          "role",      "points", "outside",
        "failed",   "timeout",       "disconnect",    "malformed", "early",  "violation",
        "excesses", "excused",       "waited_ms",     "times",     "model",  "decisions",
        "own",      "prompt_tokens", "answer_tokens", NULL};
    SeatRecord *own = &ret->seats[seat];

    members_only(object, known);
    ret->result.names[seat] = name_of(object, seat, member(object, "agent", true));
    ret->result.roles[seat] = role_of(get_str(object, "role", true));
    if (ret->result.roles[seat] == ROLE_NONE)
        member_wrong(object, "role", "is no role");
    ret->result.points[seat] = (int32_t)get_int(object, "points", false, INT32_MIN, INT32_MAX);
    own->outside = get_flag(object, "outside");
    own->failed = get_flag(object, "failed");
    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        own->faults[kind] =
            (uint32_t)get_int(object, fault_kind_name((FaultKind)kind), false, 0, UINT32_MAX);
    own->excesses = (uint32_t)get_int(object, "excesses", false, 0, UINT32_MAX);
    own->excused = (uint32_t)get_int(object, "excused", false, 0, UINT32_MAX);
    own->waited_ms = (uint32_t)get_int(object, "waited_ms", false, 0, UINT32_MAX);
    read_player(object, seat, own);
    Str times = get_str(object, "times", false);
    if (times.bytes && durations_read(times, &own->times, NULL))
        member_wrong(object, "times", "can't be read");
}

static void read_seats(Object *object, GameRecord *ret)
{
    json_t *seats = get_array(object, "seats", SEAT_MAX);

    ret->result.seat_count = (SeatNo)json_array_size(seats);
    for (SeatNo seat = 1; seat <= ret->result.seat_count && object->rc == 0; seat++) {
        Object one = {json_array_get(seats, seat - 1u), object->line, object->err, 0};
        if (!json_is_object(one.json))
            member_wrong(&one, "seats", "holds something that is no object");
        else
            read_seat(&one, seat, ret);
        object->rc = one.rc;
    }
}

/* A text that may be missing, into a member of `room` bytes, which is zeroed. */
static void get_text(Object *object, const char *key, char *ret_text, size_t room)
{
    Str text = get_str(object, key, false);

    if (!text.bytes)
        return;
    if (text.len == 0 || text.len >= room || memchr(text.bytes, '\0', text.len))
        member_wrong(object, key, "is not a text that fits");
    else
        memcpy(ret_text, text.bytes, text.len);
}

static void get_digest(Object *object, const char *key, char ret_hex[static SHA256_HEX_BYTES])
{
    Key digest;

    get_text(object, key, ret_hex, SHA256_HEX_BYTES);
    if (ret_hex[0] && !key_from_hex(str_of(ret_hex), &digest))
        member_wrong(object, key, "is not 64 hexadecimal digits");
}

/* Games of version 1 do not say which game it was, and are all of the protocol division. */
static void read_identity(Object *object, GameRecord *ret)
{
    Str division = get_str(object, "division", false);
    Str began = get_str(object, "began", false);

    ret->division = division.bytes ? game_division_of(division) : DIVISION_AIWOLF;
    if (ret->division == DIVISION_COUNT)
        member_wrong(object, "division", "is none of aiwolf, nlp, maw");
    get_text(object, "ruleset", ret->ruleset, sizeof(ret->ruleset));
    get_text(object, "id", ret->id, sizeof(ret->id));
    if (began.bytes && (!date_text_read(began, &ret->began_at_ms) || ret->began_at_ms == 0))
        member_wrong(object, "began", "is no time like 2026-01-31T12:00:00.000Z");
    ret->is_void = get_flag(object, "void");
}

static int hear_game(Object *object, const JournalListener *listener, GameRecord *ret)
{
    static const char *const known[] = {"record",     "stage",           "set",
                                        "game",       "division",        "ruleset",
                                        "id",         "began",           "void",
                                        "ended",      "winner",          "reason",
                                        "last_day",   "revote_days",     "execution_days",
                                        "attacks",    "attack_kills",    "log",
                                        "seats",      "faults_bytes",    "crc",
                                        "log_sha256", "exchange_sha256", NULL};
    GameResult *result = &ret->result;

    memset(ret, 0, sizeof(*ret));
    members_only(object, known);
    ret->stage = (uint32_t)get_uint(object, "stage", UINT32_MAX);
    ret->set = get_uint(object, "set", INT64_MAX);
    ret->game = get_uint(object, "game", INT64_MAX);
    read_identity(object, ret);
    get_digest(object, "log_sha256", ret->log_sha256);
    get_digest(object, "exchange_sha256", ret->exchange_sha256);
    if (!date_text_read(get_str(object, "ended", true), &ret->ended_at_ms))
        member_wrong(object, "ended", "is no time like 2026-01-31T12:00:00.000Z");
    Str winner = get_str(object, "winner", true);
    result->winner = side_of(winner);
    if (!str_eq(winner, str_of(side_name(result->winner))))
        member_wrong(object, "winner", "is no side");
    if (!end_reason_of(get_str(object, "reason", true), &ret->reason))
        member_wrong(object, "reason", "is no reason");
    result->last_day = (uint16_t)get_uint(object, "last_day", UINT16_MAX);
    result->revote_days = (uint16_t)get_uint(object, "revote_days", UINT16_MAX);
    result->execution_days = (uint16_t)get_uint(object, "execution_days", UINT16_MAX);
    result->attacks = (uint16_t)get_uint(object, "attacks", UINT16_MAX);
    result->attack_kills = (uint16_t)get_uint(object, "attack_kills", UINT16_MAX);
    Str log = get_str(object, "log", false);
    if (log.bytes && (log.len >= sizeof(ret->log) || !is_inside(log)))
        member_wrong(object, "log", "is no path inside the folder");
    else if (log.bytes)
        memcpy(ret->log, log.bytes, log.len);
    get_uint(object, "faults_bytes", INT64_MAX);
    read_seats(object, ret);
    if (object->rc == 0 && listener->game)
        object->rc = listener->game(listener->user, ret, object->err);
    return object->rc;
}

static int hear_set(Object *object, const JournalListener *listener)
{
    static const char *const known[] = {"record", "stage", "set", "agents", "crc", NULL};
    Str names[SEAT_MAX + 1] = {0};

    members_only(object, known);
    uint32_t stage = (uint32_t)get_uint(object, "stage", UINT32_MAX);
    uint64_t set = get_uint(object, "set", INT64_MAX);
    json_t *agents = get_array(object, "agents", SEAT_MAX);
    SeatNo count = (SeatNo)json_array_size(agents);
    for (SeatNo seat = 1; seat <= count; seat++)
        names[seat] = name_of(object, seat, json_array_get(agents, seat - 1u));
    if (object->rc == 0 && listener->set)
        object->rc = listener->set(listener->user, stage, set, count, names, object->err);
    return object->rc;
}

/* The plan goes out byte for byte, so that two can be compared. */
static int hear_plan(Object *object, Str line, const JournalListener *listener)
{
    static const char *const known[] = {"record", "version", "plan", "crc", NULL};

    members_only(object, known);
    uint64_t version = get_uint(object, "version", INT64_MAX);
    if (object->rc == 0 && (version < VERSION_MIN || version > VERSION))
        member_wrong(object, "version",
                     "is not 1 or 2: this journal is of another version of warg");
    json_t *plan = member(object, "plan", true);
    if (object->rc == 0 && (!json_is_object(plan) || (!str_starts(line, STR(PLAN_HEAD)) &&
                                                      !str_starts(line, STR(PLAN_HEAD_OLD)))))
        member_wrong(object, "plan", "is not where a plan stands");
    if (object->rc == 0 && listener->plan) {
        size_t head = sizeof(PLAN_HEAD) - 1;
        object->rc = listener->plan(listener->user,
                                    str_part(line, head, line.len - head - CRC_BYTES), object->err);
    }
    return object->rc;
}

static int hear_note(Object *object, const JournalListener *listener)
{
    static const char *const known[] = {"record", "text", "crc", NULL};

    members_only(object, known);
    Str text = get_str(object, "text", true);
    if (object->rc == 0 && listener->note)
        object->rc = listener->note(listener->user, text, object->err);
    return object->rc;
}

static int hear_key(Object *object, const JournalListener *listener)
{
    static const char *const known[] = {"record",     "part", "stage", "key",
                                        "commitment", "crc",  NULL};
    JournalKey told = {.part = (uint32_t)get_uint(object, "part", UINT32_MAX)};

    members_only(object, known);
    told.stage = (uint32_t)get_int(object, "stage", false, 0, STAGES_MAX - 1);
    Str key = get_str(object, "key", false);
    Str commitment = get_str(object, "commitment", !key.len);
    told.published = key.len > 0;
    if (object->rc == 0 && !key_from_hex(key.len ? key : commitment, &told.value))
        member_wrong(object, key.len ? "key" : "commitment", "is not 64 hexadecimal digits");
    if (object->rc == 0 && listener->key)
        object->rc = listener->key(listener->user, &told, object->err);
    return object->rc;
}

/* The members of a map of agents in their order; null: one that has no value. */
static size_t get_items(Object *object, json_t *map, NamedKey *ret_items)
{
    const char *name;
    json_t *value;
    size_t count = 0;

    json_object_foreach (map, name, value) {
        NamedKey *item = &ret_items[count++];
        *item = (NamedKey){.name = str_of(name), .there = !json_is_null(value)};
        if (item->there &&
            (!json_is_string(value) ||
             !key_from_hex((Str){json_string_value(value), json_string_length(value)}, &item->key)))
            member_wrong(object, name, "is not 64 hexadecimal digits");
    }
    return count;
}

static int hear_lots(Object *object, const JournalListener *listener, bool frozen)
{
    static const char *const known[] = {"record", "stage", "programs", "lots",
                                        "beacon", "crc",   NULL};
    JournalLots lots = {.frozen = frozen};

    members_only(object, known);
    lots.stage = (uint32_t)get_uint(object, "stage", STAGES_MAX - 1);
    lots.beacon = get_str(object, "beacon", false);
    json_t *map = member(object, frozen ? "programs" : "lots", true);
    if (object->rc == 0 && !json_is_object(map))
        member_wrong(object, frozen ? "programs" : "lots", "is not an object");
    if (object->rc)
        return object->rc;
    CLEANUP(mem_freep) NamedKey *items = mem_new((json_object_size(map) + 1) * sizeof(*items));
    if (!items)
        return object->rc = err_set_at(object->err, ERR_MEMORY, object->line, 0, "out of memory");
    lots.count = get_items(object, map, items);
    lots.items = items;
    if (object->rc == 0 && listener->lots)
        object->rc = listener->lots(listener->user, &lots, object->err);
    return object->rc;
}

static int hear_ruling(Object *object, const JournalListener *listener)
{
    static const char *const known[] = {"record", "stage", "agent", "rule", "decision",
                                        "reason", "at",    "crc",   NULL};
    JournalRuling ruling = {0};

    members_only(object, known);
    ruling.stage = (uint32_t)get_uint(object, "stage", STAGES_MAX - 1);
    ruling.agent = get_str(object, "agent", true);
    ruling.rule = get_str(object, "rule", true);
    ruling.decision = ruling_of(get_str(object, "decision", true));
    ruling.reason = get_str(object, "reason", true);
    if (!date_text_read(get_str(object, "at", true), &ruling.at_ms))
        member_wrong(object, "at", "is no date");
    if (object->rc == 0 && ruling.decision == RULING_COUNT)
        member_wrong(object, "decision", "is no decision");
    if (object->rc == 0 && check_name(0, ruling.agent, NULL))
        member_wrong(object, "agent", "is no usable name");
    if (object->rc == 0 && listener->ruling)
        object->rc = listener->ruling(listener->user, &ruling, object->err);
    return object->rc;
}

static int hear_end(Object *object, const JournalListener *listener)
{
    static const char *const known[] = {"record", "games", "crc", NULL};

    members_only(object, known);
    uint64_t games = get_uint(object, "games", INT64_MAX);
    if (object->rc == 0 && listener->end)
        object->rc = listener->end(listener->user, games, object->err);
    return object->rc;
}

static int hear_line(Object *object, Str line, const JournalListener *listener, GameRecord *scratch)
{
    Str kind = get_str(object, "record", true);
    bool plan = str_eq(kind, STR("plan"));

    if (object->rc == 0 && plan != (object->line == 1))
        return err_set_at(object->err, ERR_SYNTAX, object->line, 0,
                          plan ? "a second plan" : "a journal begins with its plan");
    if (plan)
        return hear_plan(object, line, listener);
    if (str_eq(kind, STR("game")))
        return hear_game(object, listener, scratch);
    if (str_eq(kind, STR("set")))
        return hear_set(object, listener);
    if (str_eq(kind, STR("note")))
        return hear_note(object, listener);
    if (str_eq(kind, STR("end")))
        return hear_end(object, listener);
    if (str_eq(kind, STR("key")))
        return hear_key(object, listener);
    if (str_eq(kind, STR("freeze")) || str_eq(kind, STR("lots")))
        return hear_lots(object, listener, str_eq(kind, STR("freeze")));
    if (str_eq(kind, STR("ruling")))
        return hear_ruling(object, listener);
    member_wrong(object, "record", "is of a kind that is not known");
    return object->rc;
}

int journal_line_hear(Str line, unsigned number, const JournalListener *listener,
                      GameRecord *scratch, Err *err)
{
    json_error_t error;

    if (line.len >= JOURNAL_LINE_MAX) /* with its newline */
        return err_set_at(err, ERR_LIMIT, number, 0, "a line of more than %zu bytes",
                          JOURNAL_LINE_MAX);
    if (!journal_line_intact(line))
        return err_set_at(err, ERR_SYNTAX, number, 0, "the line is damaged: its CRC is another");
    json_t *root =
        json_loadb(line.bytes, line.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!root && json_error_code(&error) == json_error_out_of_memory)
        return err_set_at(err, ERR_MEMORY, number, 0, "out of memory");
    if (!root)
        return err_set_at(err, ERR_SYNTAX, number, (unsigned)error.column, "%s", error.text);
    Object object = {root, number, err, 0};
    int rc = json_is_object(root) ? hear_line(&object, line, listener, scratch)
                                  : err_set_at(err, ERR_SYNTAX, number, 0, "not an object");
    json_decref(root);
    return rc;
}
