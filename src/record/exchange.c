#include "record/exchange.h"

#include "base/json.h"
#include "base/utf8.h"
#include "record/exchange_line.h"
#include "wire/aiwolf_answer.h"
#include "wire/aiwolf_packet.h"

/* An entry that waits to be written: its own answer is not there, or that of one before it. */
typedef struct Waiting {
    ExchangeEntry entry;
    size_t text_at; /* in the texts */
    bool open;
} Waiting;

/* ---- words ---- */

const char *exchange_kind_name(AskKind kind)
{
    return aiwolf_request_name(aiwolf_request_of_ask(kind));
}

const char *exchange_lapse_name(const ExchangeEntry *entry)
{
    switch (entry->lapse) {
    case EXCHANGE_FAULT:
        return fault_kind_name(entry->fault);
    case EXCHANGE_OUT:
        return "out";
    case EXCHANGE_NOTHING:
        return "none";
    case EXCHANGE_ENDED:
        return "end";
    case EXCHANGE_ANSWERED:
        break;
    }
    return "";
}

bool exchange_path(const char *log, char ret_path[static GAME_LOG_MAX + 1])
{
    const Str path = str_of(log);
    size_t end;

    if (!str_starts(path, STR("logs/")) || !str_find(path, STR(".log"), &end))
        return false;
    const Str name = str_part(path, 5, end - 5);
    const int length =
        snprintf(ret_path, GAME_LOG_MAX + 1, "exchange/%.*s.jsonl.gz", STR_ARG(name));
    return length > 0 && length <= GAME_LOG_MAX;
}

int exchange_rules_digest(const Ruleset *rules, char ret_hex[static SHA256_HEX_BYTES], Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    ruleset_print(rules, &text);
    return buf_failed(&text) ? err_set(err, ERR_MEMORY, "rules: out of memory")
                             : sha256_hex(buf_str(&text), ret_hex, err);
}

/* ---- lines ---- */

void exchange_write_header(const ExchangeHeader *header, Buf *out)
{
    Json json = json_over(out);
    SeatSet fixed = 0;

    json_open(&json, '{');
    json_add_uint(&json, "exchange", 1);
    json_add_uint(&json, "stage", header->stage);
    json_add_uint(&json, "part", header->part);
    json_add_uint(&json, "number", header->number);
    if (header->deal)
        json_add_uint(&json, "deal", header->deal - 1);
    json_add_uint(&json, "set", header->set);
    json_add_uint(&json, "game", header->game);
    json_add_str(&json, "ruleset", str_of(header->ruleset));
    json_add_str(&json, "rules", str_of(header->rules));
    json_add_int(&json, "told_seed", header->told_seed);
    json_key(&json, STR("agents"));
    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= header->seat_count; seat++) {
        json_put_str(&json, header->names[seat]);
        fixed |= header->fixed[seat] == ROLE_NONE ? 0 : seat_bit(seat);
    }
    json_close(&json);
    json_key(&json, STR("bots"));
    json_open(&json, '[');
    for (SeatSet left = header->bots; left; left &= left - 1)
        json_put_uint(&json, seat_first(left));
    json_close(&json);
    json_key(&json, STR("fixed"));
    json_open(&json, '[');
    for (SeatNo seat = 1; fixed && seat <= header->seat_count; seat++)
        if (seat_in(fixed, seat))
            json_put_str(&json, str_of(role_name(header->fixed[seat])));
        else
            json_put_null(&json);
    json_close(&json);
    json_close(&json);
    buf_add_char(out, '\n');
}

/* Milliseconds with a point in them, of `unit` microseconds in the last place. */
static void add_ms(Buf *out, int64_t us, unsigned unit)
{
    const uint64_t units = us > 0 ? (uint64_t)us / unit : 0;
    const unsigned in_ms = 1000 / unit, part = (unsigned)(units % in_ms);

    buf_add_uint(out, units / in_ms);
    buf_add_char(out, '.');
    if (in_ms == 100)
        buf_add_char(out, (char)('0' + part / 10));
    buf_add_char(out, (char)('0' + part % 10));
}

static void add_text(Buf *out, Str text)
{
    const bool plain =
        utf8_valid(text) && !(text.len && memchr(text.bytes, '\0', text.len) != NULL);

    buf_add(out, plain ? STR(",\"r\":") : STR(",\"b\":\""));
    if (plain) {
        json_quote(out, text, false);
        return;
    }
    base64_encode(text, false, out);
    buf_add_char(out, '"');
}

void exchange_write_entry(const ExchangeEntry *entry, Buf *out)
{
    buf_add(out, STR("{\"a\":"));
    buf_add_uint(out, entry->ask);
    buf_add(out, STR(",\"s\":"));
    buf_add_uint(out, entry->seat);
    buf_add(out, STR(",\"k\":\""));
    buf_add(out, str_of(exchange_kind_name(entry->kind)));
    buf_add_char(out, '"');
    if (entry->timed) {
        buf_add(out, STR(",\"t\":"));
        add_ms(out, entry->elapsed_us, EXCHANGE_T_US);
        buf_add(out, STR(",\"w\":"));
        add_ms(out, entry->waited_us, EXCHANGE_W_US);
    }
    if (entry->lapse != EXCHANGE_ANSWERED) {
        buf_add(out, STR(",\"l\":\""));
        buf_add(out, str_of(exchange_lapse_name(entry)));
        buf_add_char(out, '"');
    }
    if (entry->lapse == EXCHANGE_ENDED && entry->fault != FAULT_COUNT) {
        buf_add(out, STR(",\"f\":\""));
        buf_add(out, str_of(fault_kind_name(entry->fault)));
        buf_add_char(out, '"');
    }
    if (entry->lapse == EXCHANGE_ANSWERED || entry->text.len)
        add_text(out, entry->text);
    buf_add(out, STR("}\n"));
}

void exchange_write_end(EndReason reason, uint64_t asks, Buf *out)
{
    buf_add(out, STR("{\"end\":\""));
    buf_add(out, str_of(end_reason_name(reason)));
    buf_add(out, STR("\",\"asks\":"));
    buf_add_uint(out, asks);
    buf_add(out, STR("}\n"));
}

/* ---- writing ---- */

static size_t waiting_count(const ExchangeWriter *writer)
{
    return writer->waiting.len / sizeof(Waiting);
}

static Waiting *waiting_at(ExchangeWriter *writer, size_t index)
{
    return (Waiting *)(void *)writer->waiting.bytes + index;
}

/* The open ask of a seat; NULL when it has none. */
static Waiting *open_of(ExchangeWriter *writer, SeatNo seat)
{
    for (size_t i = waiting_count(writer); i > 0; i--) {
        Waiting *waiting = waiting_at(writer, i - 1);
        if (waiting->open && waiting->entry.seat == seat)
            return waiting;
    }
    return NULL;
}

static void keep_text(ExchangeWriter *writer, Waiting *waiting, Str text)
{
    waiting->text_at = writer->texts.len;
    waiting->entry.text = (Str){NULL, text.len};
    buf_add(&writer->texts, text);
}

/* When nothing is open, all that waits is written. */
static void flush_waiting(ExchangeWriter *writer)
{
    if (buf_failed(&writer->texts) || buf_failed(&writer->waiting))
        buf_fail(&writer->out);
    for (size_t i = 0; i < waiting_count(writer) && !buf_failed(&writer->out); i++) {
        Waiting *waiting = waiting_at(writer, i);
        waiting->entry.text =
            str_part(buf_str(&writer->texts), waiting->text_at, waiting->entry.text.len);
        exchange_write_entry(&waiting->entry, &writer->out);
    }
    buf_clear(&writer->waiting);
    buf_clear(&writer->texts);
}

static void close_entry(ExchangeWriter *writer, Waiting *waiting, ExchangeLapse lapse)
{
    waiting->entry.lapse = lapse;
    waiting->open = false;
    writer->open--;
    if (writer->open == 0)
        flush_waiting(writer);
}

void exchange_begin(ExchangeWriter *writer, const ExchangeHeader *header)
{
    buf_clear(&writer->out);
    buf_clear(&writer->waiting);
    buf_clear(&writer->texts);
    writer->asks = 0;
    writer->open = 0;
    exchange_write_header(header, &writer->out);
}

void exchange_ask(ExchangeWriter *writer, const Ask *ask)
{
    const Waiting waiting = {
        .entry = {.ask = ask->number, .seat = ask->seat, .kind = ask->kind, .fault = FAULT_COUNT},
        .open = true};

    buf_add(&writer->waiting, (Str){(const char *)&waiting, sizeof(waiting)});
    writer->asks++;
    writer->open++;
}

void exchange_answer(ExchangeWriter *writer, SeatNo seat, Str line, int64_t elapsed_us,
                     int64_t waited_us)
{
    Waiting *waiting = open_of(writer, seat);

    if (!waiting)
        return;
    waiting->entry.timed = true;
    waiting->entry.elapsed_us = elapsed_us;
    waiting->entry.waited_us = waited_us;
    keep_text(writer, waiting, line);
    close_entry(writer, waiting, EXCHANGE_ANSWERED);
}

void exchange_bot(ExchangeWriter *writer, SeatNo seat, const Answer *answer)
{
    CLEANUP(buf_done) Buf line = {0};
    Waiting *waiting = open_of(writer, seat);
    const bool speaks = answer->kind == ASK_TALK || answer->kind == ASK_WHISPER;

    if (!waiting)
        return;
    if (!answer->lapse && !speaks) {
        aiwolf_answer_write(answer, &line);
        if (buf_failed(&line))
            buf_fail(&writer->texts);
    }
    if (!answer->lapse)
        keep_text(writer, waiting, speaks ? answer->text : str_trim(buf_str(&line)));
    close_entry(writer, waiting, answer->lapse ? EXCHANGE_NOTHING : EXCHANGE_ANSWERED);
}

void exchange_fault(ExchangeWriter *writer, SeatNo seat, const Fault *fault)
{
    Waiting *waiting = open_of(writer, seat);

    if (!waiting)
        return;
    waiting->entry.timed = true;
    waiting->entry.fault = fault->kind;
    waiting->entry.elapsed_us = fault->elapsed_us;
    waiting->entry.waited_us = fault->waited_us;
    keep_text(writer, waiting, str_part(fault->bytes, 0, FAULT_BYTES_MAX));
}

void exchange_lapse(ExchangeWriter *writer, SeatNo seat)
{
    Waiting *waiting = open_of(writer, seat);

    if (waiting)
        close_entry(writer, waiting,
                    waiting->entry.fault == FAULT_COUNT ? EXCHANGE_OUT : EXCHANGE_FAULT);
}

void exchange_end(ExchangeWriter *writer, EndReason reason)
{
    for (size_t i = 0; i < waiting_count(writer) && writer->open; i++)
        if (waiting_at(writer, i)->open)
            close_entry(writer, waiting_at(writer, i), EXCHANGE_ENDED);
    exchange_write_end(reason, writer->asks, &writer->out);
}

void exchange_done(ExchangeWriter *writer)
{
    buf_done(&writer->out);
    buf_done(&writer->waiting);
    buf_done(&writer->texts);
}
