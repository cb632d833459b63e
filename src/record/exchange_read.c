/* exchange_read.c - the reading side of exchange.h: a line is read, written again, and has to be
 * what it was. */
#include "base/utf8.h"
#include "record/exchange_line.h"
#include "wire/aiwolf_answer.h"
#include "wire/json_read.h"

#define ASK_NUMBER_MAX UINT32_MAX
#define MS_MAX         (INT64_MAX / 1000 / 1000)

static int syntax(const ExchangeReader *reader, Err *err, const char *what)
{
    return err_set_at(err, ERR_SYNTAX, reader->line, 0, "exchange record: %s", what);
}

/* The next line with its end; false when nothing is left, or only a torn line. */
static bool next_line(ExchangeReader *reader, Str *ret_line)
{
    const char *end = reader->rest.len ? memchr(reader->rest.bytes, '\n', reader->rest.len) : NULL;

    reader->line++;
    if (!end)
        return false;
    *ret_line = str_part(reader->rest, 0, (size_t)(end - reader->rest.bytes) + 1);
    reader->rest = str_part(reader->rest, ret_line->len, reader->rest.len);
    return true;
}

static int check_again(ExchangeReader *reader, Str line, Err *err)
{
    if (buf_failed(&reader->again) || buf_failed(&reader->text))
        return err_set(err, ERR_MEMORY, "exchange record: out of memory");
    return str_eq(buf_str(&reader->again), line)
               ? 0
               : syntax(reader, err, "this is not how such a line is written");
}

/* ---- the header ---- */

static void take_names(ExchangeReader *reader, const json_t *agents)
{
    ExchangeHeader *header = &reader->header;
    Str names[SEAT_MAX + 1] = {{0}};

    header->seat_count = (SeatNo)json_count(agents);
    for (SeatNo seat = 1; seat <= header->seat_count; seat++) {
        json_as_str(json_at(agents, seat - 1u), &names[seat]);
        buf_add(&reader->names, names[seat]);
    }
    const char *at = buf_cstr(&reader->names); /* it does not grow any more */
    for (SeatNo seat = 1; seat <= header->seat_count; seat++) {
        header->names[seat] = (Str){at, names[seat].len};
        at += names[seat].len;
    }
}

static void take_seats(ExchangeHeader *header, const json_t *bots, const json_t *fixed)
{
    for (size_t i = 0; i < json_count(bots); i++) {
        int64_t seat = 0;
        if (json_as_int(json_at(bots, i), &seat) && seat >= 1 && seat <= header->seat_count)
            header->bots |= seat_bit((SeatNo)seat);
    }
    for (SeatNo seat = 1; seat <= header->seat_count; seat++) {
        Str role = {0};
        const json_t *value = json_at(fixed, seat - 1u);
        header->fixed[seat] = value && json_as_str(value, &role) ? role_of(role) : ROLE_NONE;
    }
}

static void take_word(char *ret_word, size_t room, Str word)
{
    if (word.len < room && !(word.len && memchr(word.bytes, '\0', word.len)))
        memcpy(ret_word, word.bytes ? word.bytes : "", word.len);
}

/* What is no header, or not in its form, is found when it is written again. */
static int read_header(ExchangeReader *reader, Str line, Err *err)
{
    ExchangeHeader *header = &reader->header;
    JsonReader get = {0};
    json_t *json = NULL;

    if (json_read(line, EXCHANGE_LINE_MAX, &json, NULL))
        return syntax(reader, err, "no header: not JSON");
    const json_t *agents = json_get(json, "agents");
    const bool fits = json_is_map(json) && json_is_list(agents) && json_count(agents) <= SEAT_MAX;
    if (fits) {
        header->stage = (uint32_t)json_get_int(&get, json, "stage", 0, UINT32_MAX, 0);
        header->part = (uint32_t)json_get_int(&get, json, "part", 0, UINT32_MAX, 0);
        header->number = (uint64_t)json_get_int(&get, json, "number", 0, INT64_MAX, 0);
        if (json_get(json, "deal"))
            header->deal = 1 + (uint64_t)json_get_int(&get, json, "deal", 0, INT64_MAX - 1, 0);
        header->set = (uint64_t)json_get_int(&get, json, "set", 0, INT64_MAX, 0);
        header->game = (uint64_t)json_get_int(&get, json, "game", 0, INT64_MAX, 0);
        header->told_seed = json_get_int(&get, json, "told_seed", INT64_MIN, INT64_MAX, 0);
        take_word(header->ruleset, sizeof(header->ruleset), json_text(json, "ruleset"));
        take_word(header->rules, sizeof(header->rules), json_text(json, "rules"));
        take_names(reader, agents);
        take_seats(header, json_get(json, "bots"), json_get(json, "fixed"));
    }
    json_done(json);
    if (!fits || header->seat_count == 0)
        return syntax(reader, err, "no header of a game's exchange record");
    exchange_write_header(header, &reader->again);
    return check_again(reader, line, err);
}

int exchange_open(Str text, ExchangeReader *reader, Err *err)
{
    Str line;

    reader->rest = text;
    if (text.len > EXCHANGE_TEXT_MAX)
        return err_set(err, ERR_LIMIT, "exchange record: %zu bytes; at most %zu are read", text.len,
                       EXCHANGE_TEXT_MAX);
    if (!next_line(reader, &line))
        return syntax(reader, err, "it is empty");
    return read_header(reader, line, err);
}

/* ---- entries ---- */

static bool pass(Str *rest, Str word)
{
    if (!str_starts(*rest, word))
        return false;
    *rest = str_part(*rest, word.len, rest->len);
    return true;
}

static bool pass_number(Str *rest, uint64_t max, uint64_t *ret_number)
{
    size_t digits = 0;

    while (digits < rest->len && rest->bytes[digits] >= '0' && rest->bytes[digits] <= '9')
        digits++;
    const bool fits = str_to_uint(str_part(*rest, 0, digits), max, ret_number);
    *rest = str_part(*rest, digits, rest->len);
    return fits;
}

/* Up to the next quote. */
static bool pass_word(Str *rest, Str *ret_word)
{
    const char *end = rest->len ? memchr(rest->bytes, '"', rest->len) : NULL;

    if (!end)
        return false;
    *ret_word = str_part(*rest, 0, (size_t)(end - rest->bytes));
    *rest = str_part(*rest, ret_word->len + 1, rest->len);
    return true;
}

/* "12.31": how many places there have to be is found when it is written again. */
static bool pass_ms(Str *rest, unsigned unit, int64_t *ret_us)
{
    uint64_t whole = 0, part = 0;

    if (!pass_number(rest, (uint64_t)MS_MAX, &whole) || !pass(rest, STR(".")) ||
        !pass_number(rest, 99, &part))
        return false;
    *ret_us = (int64_t)(whole * 1000 + part * unit);
    return true;
}

static bool pass_hex(Str *rest, unsigned *ret_code)
{
    static const char digits[] = "0123456789abcdef";

    *ret_code = 0;
    for (size_t i = 0; i < 4; i++) {
        const char *at = i < rest->len && rest->bytes[i] ? strchr(digits, rest->bytes[i]) : NULL;
        if (!at)
            return false;
        *ret_code = *ret_code << 4 | (unsigned)(at - digits);
    }
    *rest = str_part(*rest, 4, rest->len);
    return true;
}

/* One escape, behind its backslash. Above U+00A0 nothing is escaped. */
static bool pass_escape(Str *rest, Buf *out)
{
    static const char from[] = "\"\\bfnrt";
    static const char to[] = "\"\\\b\f\n\r\t";
    const char first = rest->len ? rest->bytes[0] : '\0';
    const char *at = first ? strchr(from, first) : NULL;
    unsigned code;

    *rest = str_part(*rest, 1, rest->len);
    if (at) {
        buf_add_char(out, to[at - from]);
        return true;
    }
    if (first != 'u' || !pass_hex(rest, &code) || code > 0x9F)
        return false;
    if (code >= 0x80)
        buf_add_char(out, (char)0xC2);
    buf_add_char(out, (char)code);
    return true;
}

/* A text up to its quote: as it stands there, or unescaped in `storage`. */
static bool pass_text(Str *rest, Buf *storage, Str *ret_text)
{
    size_t plain = 0;

    while (plain < rest->len && rest->bytes[plain] != '"' && rest->bytes[plain] != '\\')
        plain++;
    if (plain < rest->len && rest->bytes[plain] == '"')
        return pass_word(rest, ret_text);
    while (rest->len && rest->bytes[0] != '"') {
        size_t run = 0;
        while (run < rest->len && rest->bytes[run] != '"' && rest->bytes[run] != '\\')
            run++;
        buf_add(storage, str_part(*rest, 0, run));
        *rest = str_part(*rest, run, rest->len);
        if (pass(rest, STR("\\")) && !pass_escape(rest, storage))
            return false;
    }
    *ret_text = buf_str(storage);
    return pass(rest, STR("\""));
}

static bool kind_of(Str word, AskKind *ret_kind)
{
    for (AskKind kind = 0; kind < ASK_COUNT; kind++)
        if (str_eq(word, str_of(exchange_kind_name(kind)))) {
            *ret_kind = kind;
            return true;
        }
    return false;
}

static bool lapse_of(Str word, ExchangeEntry *entry)
{
    static const ExchangeLapse lapses[] = {EXCHANGE_OUT, EXCHANGE_NOTHING, EXCHANGE_ENDED};

    entry->lapse = EXCHANGE_FAULT;
    entry->fault = fault_kind_of(word);
    if (entry->fault != FAULT_COUNT)
        return true;
    for (size_t i = 0; i < sizeof(lapses) / sizeof(lapses[0]); i++) {
        entry->lapse = lapses[i];
        if (str_eq(word, str_of(exchange_lapse_name(entry))))
            return true;
    }
    return false;
}

static bool pass_lapse(Str *rest, ExchangeEntry *entry)
{
    Str word;

    if (pass(rest, STR(",\"l\":\"")) && (!pass_word(rest, &word) || !lapse_of(word, entry)))
        return false;
    if (entry->lapse != EXCHANGE_ENDED || !pass(rest, STR(",\"f\":\"")))
        return true;
    if (!pass_word(rest, &word))
        return false;
    entry->fault = fault_kind_of(word);
    return entry->fault != FAULT_COUNT;
}

static bool pass_bytes(Str *rest, ExchangeReader *reader, ExchangeEntry *entry)
{
    Str word;

    if (pass(rest, STR(",\"r\":\"")))
        return pass_text(rest, &reader->text, &entry->text);
    if (!pass(rest, STR(",\"b\":\"")))
        return true;
    if (!pass_word(rest, &word) || base64_decode(word, false, &reader->text, NULL))
        return false;
    entry->text = buf_str(&reader->text);
    return true;
}

static bool pass_entry(Str rest, ExchangeReader *reader, ExchangeEntry *entry)
{
    uint64_t ask = 0, seat = 0;
    Str word;

    *entry = (ExchangeEntry){.fault = FAULT_COUNT};
    if (!pass(&rest, STR("{\"a\":")) || !pass_number(&rest, ASK_NUMBER_MAX, &ask) ||
        !pass(&rest, STR(",\"s\":")) || !pass_number(&rest, reader->header.seat_count, &seat) ||
        !pass(&rest, STR(",\"k\":\"")) || !pass_word(&rest, &word) || !kind_of(word, &entry->kind))
        return false;
    entry->ask = (uint32_t)ask;
    entry->seat = (SeatNo)seat;
    entry->timed = pass(&rest, STR(",\"t\":"));
    if (entry->timed &&
        (!pass_ms(&rest, EXCHANGE_T_US, &entry->elapsed_us) || !pass(&rest, STR(",\"w\":")) ||
         !pass_ms(&rest, EXCHANGE_W_US, &entry->waited_us)))
        return false;
    return seat > 0 && pass_lapse(&rest, entry) && pass_bytes(&rest, reader, entry);
}

static int read_end(ExchangeReader *reader, Str line, Err *err)
{
    Str rest = str_part(line, sizeof("{\"end\":\"") - 1, line.len), word;

    if (!pass_word(&rest, &word) || !end_reason_of(word, &reader->reason))
        return syntax(reader, err, "its end is of a kind that is not known");
    exchange_write_end(reader->reason, reader->asks, &reader->again);
    int rc = check_again(reader, line, err);
    if (rc == 0 && reader->rest.len) {
        reader->line++;
        rc = syntax(reader, err, "there is more behind its end");
    }
    reader->over = rc == 0;
    return rc;
}

int exchange_next(ExchangeReader *reader, ExchangeEntry *ret_entry, Err *err)
{
    Str line;

    if (reader->over)
        return 0;
    buf_clear(&reader->again);
    buf_clear(&reader->text);
    if (!next_line(reader, &line))
        return syntax(reader, err, "it ends before its last line, {\"end\":...}");
    if (line.len > EXCHANGE_LINE_MAX)
        return err_set_at(err, ERR_LIMIT, reader->line, 0,
                          "exchange record: a line of more than %zu bytes", EXCHANGE_LINE_MAX);
    if (str_starts(line, STR("{\"end\":\"")))
        return read_end(reader, line, err);
    if (!pass_entry(line, reader, ret_entry))
        return syntax(reader, err, "not an ask with its answer");
    reader->asks++;
    exchange_write_entry(ret_entry, &reader->again);
    int rc = check_again(reader, line, err);
    return rc ? rc : 1;
}

void exchange_close(ExchangeReader *reader)
{
    buf_done(&reader->names);
    buf_done(&reader->text);
    buf_done(&reader->again);
}

void exchange_read_answer(const ExchangeEntry *entry, Buf *storage, Answer *ret_answer)
{
    if (entry->lapse == EXCHANGE_ANSWERED)
        aiwolf_answer_read(entry->kind, entry->text, storage, ret_answer);
    else
        *ret_answer = (Answer){.kind = entry->kind, .lapse = true};
}
