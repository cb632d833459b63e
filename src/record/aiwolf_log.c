#include "record/aiwolf_log.h"

#include "record/log_text.h"

static const char *const kind_names[LOG_KIND_COUNT] = {
    [LOG_STATUS] = "status",   [LOG_TALK] = "talk",
    [LOG_WHISPER] = "whisper", [LOG_VOTE] = "vote",
    [LOG_EXECUTE] = "execute", [LOG_DIVINE] = "divine",
    [LOG_GUARD] = "guard",     [LOG_ATTACK_VOTE] = "attackVote",
    [LOG_ATTACK] = "attack",   [LOG_RESULT] = "result",
};

const char *aiwolf_log_kind_name(LogLineKind kind)
{
    return (unsigned)kind < LOG_KIND_COUNT ? kind_names[kind] : "?";
}

/* ---- writing ---- */

void aiwolf_log_begin(AiwolfLogWriter *writer, SeatNo seat_count, const Str *names)
{
    *writer = (AiwolfLogWriter){
        .seat_count = seat_count, .alive = seat_all(seat_count), .turn_column = true};
    if (names)
        for (SeatNo seat = 1; seat <= seat_count; seat++)
            writer->names[seat] = names[seat];
}

/* "3,vote," */
static void add_head(Buf *out, uint16_t day, LogLineKind kind)
{
    buf_add_uint(out, day);
    buf_add_char(out, ',');
    buf_add(out, str_of(kind_names[kind]));
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

static void add_status(const AiwolfLogWriter *writer, uint16_t day, Buf *out)
{
    for (SeatNo seat = 1; seat <= writer->seat_count; seat++) {
        add_head(out, day, LOG_STATUS);
        add_seat(out, seat, ',');
        add_word(out, role_name((Role)writer->roles[seat]), ',');
        add_word(out, seat_in(writer->alive, seat) ? "ALIVE" : "DEAD", ',');
        if (writer->names[seat].len > 0) {
            buf_add(out, writer->names[seat]);
        } else {
            buf_add(out, seat < 10 ? STR("Agent[0") : STR("Agent["));
            add_seat(out, seat, ']');
        }
        buf_add_char(out, '\n');
    }
}

static void add_talk(const AiwolfLogWriter *writer, const Event *event, LogLineKind kind, Buf *out)
{
    const Talk *talk = event->talk;

    add_head(out, event->day, kind);
    buf_add_uint(out, talk->idx);
    buf_add_char(out, ',');
    if (writer->turn_column) {
        buf_add_uint(out, talk->turn);
        buf_add_char(out, ',');
    }
    add_seat(out, talk->seat, ',');
    log_text_write(out, talk->text);
    buf_add_char(out, '\n');
}

/* "1,vote,3,9" and the beginning of "1,guard,5,9,MEDIUM". */
static void add_pair(const Event *event, LogLineKind kind, char end, Buf *out)
{
    add_head(out, event->day, kind);
    add_seat(out, event->seat, ',');
    add_seat(out, event->target, end);
}

static void add_attack(const Event *event, Buf *out)
{
    add_head(out, event->day, LOG_ATTACK);
    if (event->target == SEAT_NONE)
        buf_add(out, STR("-1,false\n"));
    else {
        add_seat(out, event->target, ',');
        add_word(out, event->killed ? "true" : "false", '\n');
    }
}

static void add_result(const Event *event, Buf *out)
{
    add_head(out, event->day, LOG_RESULT);
    add_seat(out, event->humans, ',');
    add_seat(out, event->wolves, ',');
    add_word(out, side_name(event->winner), '\n');
}

void aiwolf_log_event(AiwolfLogWriter *writer, const Event *event, Buf *out)
{
    switch (event->kind) {
    case EVENT_ROLE:
        writer->roles[event->seat] = (uint8_t)event->role;
        break;
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
        writer->alive &= ~seat_bit(event->seat);
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
    case EVENT_DEATH:
        writer->alive &= ~seat_bit(event->seat);
        break;
    case EVENT_END:
        add_status(writer, event->day, out);
        add_result(event, out);
        break;
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
}

/* ---- reading ---- */

/* A line that is being read: what is left of it, and where the field at hand began. */
typedef struct Fields {
    Str line;
    Str rest;
    bool more; /* a comma stood before `rest` */
    LogForm form;
    Err *err;
} Fields;

static unsigned column_of(const Fields *fields, Str at)
{
    return (unsigned)(at.bytes - fields->line.bytes) + 1;
}

static int fail_field(const Fields *fields, Str at, const char *expected)
{
    Str shown = str_part(at, 0, 40);

    return err_set_at(fields->err, ERR_SYNTAX, 0, column_of(fields, at),
                      "%s expected, found '%.*s'%s", expected, STR_ARG(shown),
                      shown.len < at.len ? "..." : "");
}

/* The next field, which must be there. */
static int cut_field(Fields *fields, const char *expected, Str *ret)
{
    if (!fields->more)
        return err_set_at(fields->err, ERR_SYNTAX, 0, (unsigned)fields->line.len + 1,
                          "the line ends where %s is expected", expected);
    size_t before = fields->rest.len;
    Str field = str_cut(&fields->rest, ',');
    fields->more = field.len < before;
    *ret = field;
    return 0;
}

static int cut_uint(Fields *fields, const char *expected, uint64_t min, uint64_t max, uint64_t *ret)
{
    Str field;
    int rc = cut_field(fields, expected, &field);

    if (rc)
        return rc;
    /* "007" would be read as 7 and written as another line */
    if (!str_to_uint(field, max, ret) || *ret < min || (field.len > 1 && field.bytes[0] == '0'))
        return fail_field(fields, field, expected);
    return 0;
}

static int cut_seat(Fields *fields, const char *expected, SeatNo *ret)
{
    uint64_t value;
    int rc = cut_uint(fields, expected, 1, SEAT_MAX, &value);

    if (rc == 0)
        *ret = (SeatNo)value;
    return rc;
}

static int cut_role(Fields *fields, uint8_t *ret)
{
    Str field;
    int rc = cut_field(fields, "a role in capitals", &field);

    if (rc)
        return rc;
    *ret = (uint8_t)role_of(field);
    return *ret == ROLE_NONE ? fail_field(fields, field, "a role in capitals") : 0;
}

/* One of two words. */
static int cut_choice(Fields *fields, const char *expected, Str yes, Str no, bool *ret)
{
    Str field;
    int rc = cut_field(fields, expected, &field);

    if (rc)
        return rc;
    if (!str_eq(field, yes) && !str_eq(field, no))
        return fail_field(fields, field, expected);
    *ret = str_eq(field, yes);
    return 0;
}

/* "ORIGINAL,GAME", or what all of 2024 had, "ORIGINAL". */
static void cut_names(LogLine *line)
{
    size_t comma;

    if (str_find_last(line->text, ',', &comma)) {
        line->in_game = str_part(line->text, comma + 1, line->text.len);
        line->text.len = comma;
    }
}

static int read_status(Fields *fields, LogLine *line)
{
    int rc = cut_seat(fields, "an agent number 1..30", &line->seat);

    if (rc == 0)
        rc = cut_role(fields, &line->role);
    if (rc == 0 && fields->form == LOG_FORM_NLP && str_starts(fields->rest, STR(","))) {
        str_cut(&fields->rest, ',');
        line->errored = true;
    } else if (rc == 0)
        rc = cut_choice(fields, "ALIVE or DEAD", STR("ALIVE"), STR("DEAD"), &line->alive);
    if (rc == 0 && !fields->more)
        return err_set_at(fields->err, ERR_SYNTAX, 0, (unsigned)fields->line.len + 1,
                          "the line ends where a name is expected");
    if (rc == 0) {
        line->text = fields->rest;
        fields->more = false;
        if (fields->form == LOG_FORM_NLP)
            cut_names(line);
    }
    return rc;
}

/* IDX,TURN,AGENT,TEXT or, in 2016, IDX,AGENT,TEXT. The third number tells them apart: no sentence
 * is a number, and a sentence of 2016 holds no comma. */
static int read_talk(Fields *fields, LogLine *line)
{
    uint64_t first, second, agent;
    int rc = cut_uint(fields, "the number of the utterance", 0, UINT32_MAX, &first);

    if (rc == 0)
        rc = cut_uint(fields, "a turn or an agent number", 0, UINT32_MAX, &second);
    if (rc)
        return rc;
    line->idx = (uint32_t)first;

    Fields ahead = *fields;
    Str field;
    ahead.err = NULL;
    bool third =
        fields->form == LOG_FORM_NLP ||
        (cut_field(&ahead, "", &field) == 0 && ahead.more && str_to_uint(field, SEAT_MAX, &agent));
    if (third) {
        line->turn = (uint32_t)second;
        rc = cut_seat(fields, "an agent number 1..30", &line->seat);
    } else if (second >= 1 && second <= SEAT_MAX) {
        line->turnless = true;
        line->seat = (SeatNo)second;
    } else {
        rc = cut_field(fields, "an agent number 1..30", &field);
        if (rc == 0)
            rc = fail_field(fields, field, "an agent number 1..30");
    }
    if (rc == 0 && !fields->more)
        return err_set_at(fields->err, ERR_SYNTAX, 0, (unsigned)fields->line.len + 1,
                          "the line ends where a text is expected");
    if (rc == 0) {
        line->text = fields->rest;
        fields->more = false;
    }
    return rc;
}

static int read_pair(Fields *fields, LogLine *line)
{
    int rc = cut_seat(fields, "an agent number 1..30", &line->seat);

    return rc ? rc : cut_seat(fields, "the number of the target, 1..30", &line->target);
}

static int read_divine(Fields *fields, LogLine *line)
{
    bool wolf = false;
    int rc = read_pair(fields, line);

    if (rc == 0)
        rc = cut_choice(fields, "HUMAN or WEREWOLF", STR("WEREWOLF"), STR("HUMAN"), &wolf);
    line->species = wolf ? SPECIES_WEREWOLF : SPECIES_HUMAN;
    return rc;
}

static int read_attack(Fields *fields, LogLine *line)
{
    Fields ahead = *fields;
    Str field;
    int rc = 0;

    if (cut_field(&ahead, "", &field) == 0 && str_eq(field, STR("-1")))
        *fields = ahead;
    else
        rc = cut_seat(fields, "an agent number 1..30 or -1", &line->target);
    return rc ? rc : cut_choice(fields, "true or false", STR("true"), STR("false"), &line->killed);
}

static int read_result(Fields *fields, LogLine *line)
{
    uint64_t humans = 0, wolves = 0;
    Str field;
    int rc = cut_uint(fields, "the number of living humans", 0, SEAT_MAX, &humans);

    if (rc == 0)
        rc = cut_uint(fields, "the number of living wolves", 0, SEAT_MAX, &wolves);
    if (rc == 0)
        rc = cut_field(fields, "the winner", &field);
    if (rc)
        return rc;
    line->humans = (uint8_t)humans;
    line->wolves = (uint8_t)wolves;
    line->winner = (uint8_t)side_of(field);
    if (line->winner == SIDE_NONE && !str_eq(field, STR("NONE")))
        return fail_field(fields, field, "VILLAGER, WEREWOLF or OTHERS");
    return 0;
}

static int read_kind(Fields *fields, LogLine *line)
{
    Str field;
    int rc = cut_field(fields, "the kind of line", &field);

    if (rc)
        return rc;
    for (uint8_t kind = 0; kind < LOG_KIND_COUNT; kind++)
        if (str_eq(field, str_of(kind_names[kind]))) {
            line->kind = kind;
            return 0;
        }
    return fail_field(fields, field, "the kind of line (status, talk, vote, ...)");
}

static int read_rest(Fields *fields, LogLine *line)
{
    switch ((LogLineKind)line->kind) {
    case LOG_STATUS:
        return read_status(fields, line);
    case LOG_TALK:
    case LOG_WHISPER:
        return read_talk(fields, line);
    case LOG_VOTE:
    case LOG_ATTACK_VOTE:
        return read_pair(fields, line);
    case LOG_EXECUTE: {
        int rc = cut_seat(fields, "an agent number 1..30", &line->seat);
        return rc ? rc : cut_role(fields, &line->role);
    }
    case LOG_DIVINE:
        return read_divine(fields, line);
    case LOG_GUARD: {
        int rc = read_pair(fields, line);
        return rc ? rc : cut_role(fields, &line->role);
    }
    case LOG_ATTACK:
        return read_attack(fields, line);
    case LOG_RESULT:
        return read_result(fields, line);
    case LOG_KIND_COUNT:
        break;
    }
    return ERR_SYNTAX;
}

bool aiwolf_log_begins_record(Str line)
{
    uint64_t day;

    if (!str_to_uint(str_cut(&line, ','), LOG_DAY_MAX, &day))
        return false;
    Str kind = str_cut(&line, ',');
    for (uint8_t i = 0; i < LOG_KIND_COUNT; i++)
        if (str_eq(kind, str_of(kind_names[i])))
            return true;
    return false;
}

int aiwolf_log_read_line(Str line, LogLine *ret, Err *err)
{
    return aiwolf_log_read_line_of(LOG_FORM_PROTOCOL, line, ret, err);
}

int aiwolf_log_read_line_of(LogForm form, Str line, LogLine *ret, Err *err)
{
    if (line.len > 0 && line.bytes[line.len - 1] == '\n')
        line.len--;
    if (line.len > 0 && line.bytes[line.len - 1] == '\r')
        line.len--;
    if (line.len > LOG_LINE_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "the line has %zu bytes; at most %zu are read", line.len,
                       LOG_LINE_BYTES_MAX);
    if (line.len == 0)
        return err_set_at(err, ERR_SYNTAX, 0, 1, "the line is empty");

    Fields fields = {.line = line, .rest = line, .more = true, .form = form, .err = err};
    LogLine read = {0};
    uint64_t day = 0;
    int rc = cut_uint(&fields, "the number of the day", 0, LOG_DAY_MAX, &day);

    read.day = (uint16_t)day;
    if (rc == 0)
        rc = read_kind(&fields, &read);
    if (rc == 0)
        rc = read_rest(&fields, &read);
    if (rc == 0 && fields.more)
        return fail_field(&fields, fields.rest, "the end of the line");
    if (rc == 0)
        *ret = read;
    return rc;
}

bool aiwolf_log_cut_line(Str *rest, Str *ret_line)
{
    if (rest->len == 0)
        return false;
    *ret_line = str_cut(rest, '\n');
    if (ret_line->len > 0 && ret_line->bytes[ret_line->len - 1] == '\r')
        ret_line->len--;
    return true;
}
