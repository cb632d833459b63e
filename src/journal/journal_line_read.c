/* The reading half of journal_line.h. */
#include "journal/journal_line_parts.h"

#include "base/date_text.h"

#include <jansson.h>

bool journal_line_is_object(Str text)
{
    json_error_t error;
    json_t *root =
        text.len ? json_loadb(text.bytes, text.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error)
                 : NULL;
    const bool is = json_is_object(root) && memchr(text.bytes, '\n', text.len) == NULL;

    json_decref(root);
    return is;
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

/* Takes a number and its key off the end of what the CRC is of. */
static bool take_last(Str *body, Str key, uint64_t *ret_number)
{
    size_t start = body->len;

    while (start > 0 && body->bytes[start - 1] >= '0' && body->bytes[start - 1] <= '9')
        start--;
    if (start < key.len || !str_eq(str_part(*body, start - key.len, key.len), key) ||
        !str_to_uint(str_part(*body, start, body->len - start), INT64_MAX, ret_number))
        return false;
    body->len = start - key.len;
    return true;
}

static Str body_of(Str line)
{
    return str_part(line, 0, line.len < CRC_BYTES ? 0 : line.len - CRC_BYTES);
}

bool journal_line_get_faults_bytes(Str line, uint64_t *ret_bytes)
{
    Str body = body_of(line);

    return str_starts(line, STR("{\"record\":\"game\"")) &&
           take_last(&body, STR(",\"faults_bytes\":"), ret_bytes);
}

bool journal_line_get_findings_bytes(Str line, uint64_t *ret_bytes, bool *ret_ends)
{
    const bool ends = str_starts(line, STR("{\"record\":\"findings\""));
    Str body = body_of(line);
    uint64_t faults;

    if (!ends && (!str_starts(line, STR("{\"record\":\"game\"")) ||
                  !take_last(&body, STR(",\"faults_bytes\":"), &faults)))
        return false;
    if (!take_last(&body, STR(",\"findings_bytes\":"), ret_bytes))
        return false;
    if (ret_ends)
        *ret_ends = ends;
    return true;
}

void journal_line_get_lengths(Str line, JournalLengths *lengths)
{
    bool ends = false;

    journal_line_get_faults_bytes(line, &lengths->faults);
    if (journal_line_get_findings_bytes(line, &lengths->findings, &ends) && ends)
        lengths->ended = lengths->findings;
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
static bool is_one_of(const char *key, const char *const *known)
{
    while (*known && strcmp(*known, key) != 0)
        known++;
    return *known != NULL;
}

static void members_only(Object *object, const char *const *known)
{
    const char *key;
    json_t *value;

    json_object_foreach (object->json, key, value)
        if (!is_one_of(key, known))
            member_wrong(object, key, "is not known here");
}

/* Beside those known what a model's decisions took. */
static void members_or_figures(Object *object, const char *const *known)
{
    const char *key;
    json_t *value;

    json_object_foreach (object->json, key, value)
        if (!is_one_of(key, known) && model_figure_of(str_of(key)) == FIGURE_COUNT)
            member_wrong(object, key, "is not known here");
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
        object->rc = journal_line_check_name(seat, name, NULL);
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
    for (ModelFigure figure = FIGURE_REQUESTS; figure < FIGURE_COUNT; figure++)
        own->figures.of[figure] =
            (uint64_t)get_int(object, model_figure_name(figure), false, 0, SEAT_FIGURE_MAX);
    if (object->rc == 0 && journal_line_check_player(seat, own, NULL))
        member_wrong(object, "model", "is no name");
}

/* Counts by rules; those that are not there are 0. */
static void read_findings(Object *object, SeatRecord *own)
{
    json_t *map = member(object, "findings", false);
    Object counts = {map, object->line, object->err, object->rc};
    const char *key;
    json_t *value;

    if (!map)
        return;
    if (!json_is_object(map)) {
        member_wrong(object, "findings", "is not an object");
        return;
    }
    json_object_foreach (map, key, value) {
        const FindingRule rule = finding_rule_of(str_of(key));
        (void)value;
        if (rule == FINDING_RULES)
            member_wrong(&counts, key, "is no rule of findings");
        else
            own->findings[rule] = (uint32_t)get_int(&counts, key, true, 1, UINT32_MAX);
    }
    object->rc = counts.rc;
}

/* How it played; false: it is not told. Later versions may know more counts. */
static bool read_play(Object *object, SeatPlay *ret)
{
    json_t *list = member(object, "play", false);

    if (!list)
        return false;
    if (!json_is_array(list) || json_array_size(list) < PLAY_COUNTS) {
        member_wrong(object, "play", "is not a list of a length that fits");
        return false;
    }
    for (PlayCount count = 0; count < PLAY_COUNTS; count++) {
        json_t *item = json_array_get(list, count);
        if (!json_is_integer(item) || json_integer_value(item) < 0 ||
            json_integer_value(item) > PLAY_COUNT_MAX)
            member_wrong(object, "play", "holds something that is no count");
        else
            ret->of[count] = (uint16_t)json_integer_value(item);
    }
    if (object->rc == 0 && !seat_play_possible(ret))
        member_wrong(object, "play", "can't be");
    return true;
}

static void read_seat(Object *object, SeatNo seat, GameRecord *ret)
{
    static const char *const known[] = {
        "agent",    "team",     "kind",       "role",      "points", "outside",
        "failed",   "timeout",  "disconnect", "malformed", "early",  "violation",
        "excesses", "excused",  "waited_ms",  "times",     "model",  "decisions",
        "own",      "findings", "play",       NULL};
    SeatRecord *own = &ret->seats[seat];

    members_or_figures(object, known);
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
    read_findings(object, own);
    read_player(object, seat, own);
    Str times = get_str(object, "times", false);
    if (times.bytes && durations_read(times, &own->times, NULL))
        member_wrong(object, "times", "can't be read");
    const bool played = read_play(object, &ret->result.play[seat]);
    if (seat == 1)
        ret->result.has_play = played;
    else if (played != ret->result.has_play)
        member_wrong(object, "play", "is told of some seats only");
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
    static const char *const known[] = {"record",
                                        "stage",
                                        "set",
                                        "game",
                                        "division",
                                        "ruleset",
                                        "id",
                                        "began",
                                        "void",
                                        "ended",
                                        "winner",
                                        "reason",
                                        "last_day",
                                        "revote_days",
                                        "execution_days",
                                        "attacks",
                                        "attack_kills",
                                        "log",
                                        "seats",
                                        "faults_bytes",
                                        "crc",
                                        "log_sha256",
                                        "exchange_sha256",
                                        "findings_bytes",
                                        "deal",
                                        NULL};
    GameResult *result = &ret->result;

    memset(ret, 0, sizeof(*ret));
    members_only(object, known);
    ret->stage = (uint32_t)get_uint(object, "stage", UINT32_MAX);
    ret->set = get_uint(object, "set", INT64_MAX);
    ret->game = get_uint(object, "game", INT64_MAX);
    if (member(object, "deal", false))
        ret->deal = 1 + get_uint(object, "deal", INT64_MAX - 1);
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
    if (log.bytes && (log.len >= sizeof(ret->log) || !journal_line_is_inside(log)))
        member_wrong(object, "log", "is no path inside the folder");
    else if (log.bytes)
        memcpy(ret->log, log.bytes, log.len);
    get_int(object, "findings_bytes", false, 1, INT64_MAX);
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
    if (object->rc == 0 && journal_line_check_name(0, ruling.agent, NULL))
        member_wrong(object, "agent", "is no usable name");
    if (object->rc == 0 && listener->ruling)
        object->rc = listener->ruling(listener->user, &ruling, object->err);
    return object->rc;
}

/* What a game or a set has for a number; false when there is none. */
static bool get_target(Object *object, const char *key, OperatorAct *ret)
{
    if (!json_object_get(object->json, key))
        return false;
    ret->number = get_uint(object, key, INT64_MAX);
    ret->target = strcmp(key, "set") == 0 ? ACT_OF_SET : ACT_OF_GAME;
    return true;
}

static int hear_act(Object *object, const JournalListener *listener)
{
    static const char *const known[] = {"record", "act", "game", "set", "stage", "id", "team",
                                        "agent",  "by",  "why",  "at",  "crc",   NULL};
    OperatorAct act = {0};

    members_only(object, known);
    act.kind = operator_act_of(get_str(object, "act", true));
    act.id = get_str(object, "id", false);
    act.team = get_str(object, "team", false);
    act.agent = get_str(object, "agent", false);
    act.by = get_str(object, "by", true);
    if (json_object_get(object->json, "stage"))
        act.stage = (uint32_t)get_uint(object, "stage", STAGE_NUMBERS_MAX - 1);
    act.why = get_str(object, "why", false);
    const bool of_game = get_target(object, "game", &act);
    if (get_target(object, "set", &act) && of_game)
        member_wrong(object, "set", "stands beside a game");
    if (!date_text_read(get_str(object, "at", true), &act.at_ms))
        member_wrong(object, "at", "is no date");
    if (object->rc == 0 && operator_act_check(&act, NULL))
        member_wrong(object, "act", "can't be read");
    if (object->rc == 0 && listener->act)
        object->rc = listener->act(listener->user, &act, object->err);
    return object->rc;
}

static int hear_cell(Object *object, const JournalListener *listener)
{
    static const char *const known[] = {"record", "level", "layers", "crc", NULL};

    members_only(object, known);
    const JournalCell cell = {.level = get_str(object, "level", true),
                              .layers = get_str(object, "layers", false)};
    if (object->rc == 0 && !cell.level.len)
        member_wrong(object, "level", "is empty");
    if (object->rc == 0 && listener->cell)
        object->rc = listener->cell(listener->user, &cell, object->err);
    return object->rc;
}

static int hear_trial(Object *object, const JournalListener *listener)
{
    static const char *const known[] = {"record", "challenger", "test", "sets", "crc", NULL};
    JournalTrial trial = {0};

    members_only(object, known);
    get_text(object, "challenger", trial.challenger, sizeof(trial.challenger));
    const Str test = get_str(object, "test", true);
    trial.sets = (uint64_t)get_int(object, "sets", true, 1, INT64_MAX);
    if (object->rc == 0 && journal_line_check_name(0, str_of(trial.challenger), NULL))
        member_wrong(object, "challenger", "is no usable name");
    if (object->rc == 0 && sprt_parse(test, &trial.test, NULL))
        member_wrong(object, "test", "is no test");
    if (object->rc == 0 && listener->trial)
        object->rc = listener->trial(listener->user, &trial, object->err);
    return object->rc;
}

static int hear_stop(Object *object, const JournalListener *listener)
{
    static const char *const known[] = {"record", "stage", "rounds", "date", "at", "crc", NULL};
    JournalStop stop = {0};

    members_only(object, known);
    stop.stage = (uint32_t)get_uint(object, "stage", STAGES_MAX - 1);
    stop.rounds = get_uint(object, "rounds", INT64_MAX);
    const Str date = get_str(object, "date", false);
    if (date.bytes && (!date_text_read(date, &stop.date_ms) || stop.date_ms == 0))
        member_wrong(object, "date", "is no date");
    if (!date_text_read(get_str(object, "at", true), &stop.at_ms))
        member_wrong(object, "at", "is no date");
    if (object->rc == 0 && listener->stop)
        object->rc = listener->stop(listener->user, &stop, object->err);
    return object->rc;
}

static int hear_findings(Object *object, const JournalListener *listener)
{
    static const char *const known[] = {"record",         "stage", "set", "sha256",
                                        "findings_bytes", "crc",   NULL};
    JournalFindings findings = {0};

    members_only(object, known);
    findings.stage = (uint32_t)get_uint(object, "stage", STAGE_NUMBERS_MAX - 1);
    findings.set = get_uint(object, "set", INT64_MAX);
    findings.bytes = get_uint(object, "findings_bytes", INT64_MAX);
    get_digest(object, "sha256", findings.sha256);
    if (object->rc == 0 && !findings.sha256[0])
        member_wrong(object, "sha256", "is missing");
    if (object->rc == 0 && listener->findings)
        object->rc = listener->findings(listener->user, &findings, object->err);
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
    if (str_eq(kind, STR("findings")))
        return hear_findings(object, listener);
    if (str_eq(kind, STR("cell")))
        return hear_cell(object, listener);
    if (str_eq(kind, STR("trial")))
        return hear_trial(object, listener);
    if (str_eq(kind, STR("stop")))
        return hear_stop(object, listener);
    if (str_eq(kind, STR("ruling")))
        return hear_ruling(object, listener);
    if (str_eq(kind, STR("act")))
        return hear_act(object, listener);
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
    if (rc == 0 && listener->line)
        rc = listener->line(listener->user, line, err);
    json_decref(root);
    return rc;
}
