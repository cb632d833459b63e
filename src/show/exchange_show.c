#include "show/exchange_show.h"

#include "base/json.h"
#include "base/utf8.h"
#include "disk/log_file.h"

#include <inttypes.h>

enum { ENGLISH, JAPANESE, LANGUAGES };

static const char *const columns[LANGUAGES][8] = {
    {"ask", "seat", "agent", "request", "ms", "waited", "answer", NULL},
    {"番号", "席", "エージェント", "要求", "ms", "待ち", "返答", NULL},
};

/* What became of an ask without an answer. */
static const char *const lapses[][LANGUAGES] = {
    [EXCHANGE_OUT] = {"(failed before: the rules answer)", "(すでに失格: 規則が代わる)"},
    [EXCHANGE_NOTHING] = {"(nothing)", "(なし)"},
    [EXCHANGE_ENDED] = {"(the game is over first)", "(その前にゲームが終わった)"},
};

static const char *const faults[FAULT_COUNT][LANGUAGES] = {
    [FAULT_TIMEOUT] = {"timeout", "時間切れ"},     [FAULT_DISCONNECT] = {"disconnect", "切断"},
    [FAULT_MALFORMED] = {"malformed", "形式違反"}, [FAULT_EARLY] = {"early", "要求の前"},
    [FAULT_VIOLATION] = {"violation", "規則違反"},
};

/* ---- text ---- */

static void add_bytes(Buf *out, Str bytes)
{
    utf8_add_printable(bytes, SIZE_MAX, out);
}

static void add_answer(const ExchangeShow *show, const ExchangeEntry *entry, Buf *out)
{
    if (entry->lapse == EXCHANGE_ANSWERED) {
        add_bytes(out, entry->text);
        return;
    }
    if (entry->lapse == EXCHANGE_FAULT)
        buf_printf(out, "(%s)", faults[entry->fault][show->japanese]);
    else
        buf_printf(out, "%s", lapses[entry->lapse][show->japanese]);
    if (entry->lapse == EXCHANGE_ENDED && entry->fault != FAULT_COUNT)
        buf_printf(out, " (%s)", faults[entry->fault][show->japanese]);
    if (entry->text.len) {
        buf_add_char(out, ' ');
        add_bytes(out, entry->text);
    }
}

static void add_row(ExchangeShow *show, const ExchangeHeader *header, const ExchangeEntry *entry)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf answer = {0};
    TextTable *table = &show->table;

    add_bytes(&name, header->names[entry->seat]);
    add_answer(show, entry, &answer);
    text_table_uint(table, entry->ask);
    text_table_uint(table, entry->seat);
    text_table_text(table, buf_str(&name));
    text_table_text(table, str_of(exchange_kind_name(entry->kind)));
    if (entry->timed) {
        text_table_real(table, (double)entry->elapsed_us / 1e3, 2);
        text_table_real(table, (double)entry->waited_us / 1e3, 1);
    } else {
        text_table_none(table);
        text_table_none(table);
    }
    text_table_text(table, buf_str(&answer));
}

/* "TALK, ask 17: 12.31 ms", then what was sent and what came. */
static void add_exchange(ExchangeShow *show, const ExchangeEntry *entry, Str request)
{
    buf_printf(&show->out, show->japanese ? "%s (%" PRIu32 "番)" : "%s, ask %" PRIu32,
               exchange_kind_name(entry->kind), entry->ask);
    if (entry->timed)
        buf_printf(&show->out, ": %.2f ms", (double)entry->elapsed_us / 1e3);
    if (entry->waited_us)
        buf_printf(&show->out, show->japanese ? "、うち待ち %.1f ms" : ", of these %.1f ms waited",
                   (double)entry->waited_us / 1e3);
    buf_add_char(&show->out, '\n');
    if (request.len) {
        buf_add(&show->out, STR("  > "));
        add_bytes(&show->out, request);
        buf_add_char(&show->out, '\n');
    }
    buf_add(&show->out, STR("  < "));
    add_answer(show, entry, &show->out);
    buf_add(&show->out, STR("\n\n"));
}

/* ---- JSON ---- */

static void add_text(Json *json, const ExchangeEntry *entry)
{
    CLEANUP(buf_done) Buf coded = {0};
    const bool plain = utf8_valid(entry->text);

    if (entry->lapse != EXCHANGE_ANSWERED && !entry->text.len)
        return;
    if (!plain)
        base64_encode(entry->text, false, &coded);
    json_add_str(json,
                 entry->lapse == EXCHANGE_ANSWERED ? plain ? "answer" : "answer_base64"
                 : plain                           ? "came"
                                                   : "came_base64",
                 plain ? entry->text : buf_str(&coded));
}

static void add_json(ExchangeShow *show, const ExchangeHeader *header, const ExchangeEntry *entry,
                     Str request)
{
    Json json = json_over(&show->out);

    json_open(&json, '{');
    json_add_uint(&json, "ask", entry->ask);
    json_add_uint(&json, "seat", entry->seat);
    json_add_str(&json, "agent", header->names[entry->seat]);
    json_add_str(&json, "request", str_of(exchange_kind_name(entry->kind)));
    if (entry->timed) {
        json_add_real(&json, "ms", (double)entry->elapsed_us / 1e3, 2);
        json_add_real(&json, "waited_ms", (double)entry->waited_us / 1e3, 1);
    }
    if (entry->lapse != EXCHANGE_ANSWERED)
        json_add_str(&json, "lapse", str_of(exchange_lapse_name(entry)));
    if (entry->lapse == EXCHANGE_ENDED && entry->fault != FAULT_COUNT)
        json_add_str(&json, "fault", str_of(fault_kind_name(entry->fault)));
    add_text(&json, entry);
    if (request.len) {
        json_key(&json, STR("packet"));
        json_put_raw(&json, request);
    }
    json_close(&json);
    buf_add_char(&show->out, '\n');
}

/* ---- the whole ---- */

static void add_seats(ExchangeShow *show, const ExchangeHeader *header)
{
    buf_printf(&show->out,
               show->japanese ? "ゲーム %" PRIu64 "、セット %" PRIu64 "、%s"
                              : "game %" PRIu64 ", set %" PRIu64 ", %s",
               header->game, header->set, header->ruleset);
    for (SeatNo seat = 1; seat <= header->seat_count; seat++) {
        if (show->seat && seat != show->seat)
            continue;
        buf_printf(&show->out, "\n  %u  ", seat);
        add_bytes(&show->out, header->names[seat]);
        if (seat_in(header->bots, seat))
            buf_printf(&show->out, "%s", show->japanese ? "(組み込み)" : " (built-in)");
    }
    buf_add(&show->out, STR("\n\n"));
}

static void show_begin(ExchangeShow *show, const ExchangeHeader *header)
{
    show->table.columns = columns[show->japanese];
    if (!show->json)
        add_seats(show, header);
}

static void show_entry(void *user, const ExchangeAsked *asked)
{
    ExchangeShow *show = user;

    if (show->seat && asked->entry->seat != show->seat)
        return;
    if (show->json)
        add_json(show, asked->header, asked->entry, asked->request);
    else if (show->seat)
        add_exchange(show, asked->entry, asked->request);
    else
        add_row(show, asked->header, asked->entry);
}

static void show_end(ExchangeShow *show)
{
    if (!show->json && !show->seat && show->table.cell_count)
        text_table_write(&show->table, TABLE_ALIGNED, &show->out);
}

static int show_plain(ExchangeShow *show, ExchangeReader *reader, Err *err)
{
    ExchangeEntry entry;
    int rc;

    while ((rc = exchange_next(reader, &entry, err)) == 1)
        show_entry(show, &(ExchangeAsked){.header = &reader->header, .entry = &entry});
    return rc;
}

/* Of a record whose header was read. */
static int show_record(ExchangeShow *show, Str text, ExchangeReader *reader,
                       const ExchangeFolder *folder, bool *ret_played, ExchangeFinding *ret,
                       Err *err)
{
    CLEANUP(buf_done) Buf log = {0};
    const ExchangeListener listener = {.entry = show_entry, .only = show->seat, .user = show};
    GameKey key;
    int rc;

    if (show->seat > reader->header.seat_count)
        return err_set(err, ERR_USAGE, "--seat %u: the game has the seats 1 to %u", show->seat,
                       reader->header.seat_count);
    *ret_played = folder->has_plan && exchange_folder_key(folder, &reader->header, &key);
    show_begin(show, &reader->header);
    if (*ret_played)
        rc = exchange_replay(text, &folder->plan.rules, &key, &listener, &log, ret, err);
    else
        rc = show_plain(show, reader, err);
    show_end(show);
    return rc;
}

int exchange_show_read(ExchangeShow *show, const char *what, bool *ret_played, ExchangeFinding *ret,
                       Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf dir = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(exchange_folder_done) ExchangeFolder folder = {0};
    CLEANUP(exchange_close) ExchangeReader reader = {0};
    int rc = exchange_folder_find(what, &path, &dir, err);

    if (rc == 0)
        rc = log_file_read(buf_cstr(&path), EXCHANGE_TEXT_MAX, &text, err);
    if (rc)
        return rc;
    rc = exchange_open(buf_str(&text), &reader, err);
    if (rc == 0 && dir.len)
        rc = exchange_folder_open(&folder, buf_cstr(&dir), err);
    if (rc == 0)
        rc = show_record(show, buf_str(&text), &reader, &folder, ret_played, ret, err);
    return rc == ERR_SYNTAX && err ? err_wrap(err, "%s: line %u: ", buf_cstr(&path), err->line)
                                   : rc;
}

void exchange_show_done(ExchangeShow *show)
{
    text_table_done(&show->table);
    buf_done(&show->out);
}

/* ---- findings ---- */

void exchange_finding_write(const char *dir, const char *path, const ExchangeFinding *finding,
                            bool json, Buf *out)
{
    CLEANUP(buf_done) Buf whole = {0};
    Json line = json_over(out);

    buf_printf(&whole, "%s/%s", dir, path);
    if (json) {
        json_open(&line, '{');
        json_add_str(&line, "path", buf_str(&whole));
        json_add_bool(&line, "ok", finding->ok);
        if (!finding->ok) {
            json_add_uint(&line, "line", finding->line);
            json_add_str(&line, "reason", str_of(finding->reason));
        }
        json_close(&line);
    } else {
        utf8_add_printable(buf_str(&whole), SIZE_MAX, out);
        buf_add(out, finding->ok ? STR(": ok") : STR(": "));
        if (finding->line)
            buf_printf(out, "line %u: ", finding->line);
        buf_printf(out, "%s", finding->reason);
    }
    buf_add_char(out, '\n');
}

void exchange_counts_write(const ExchangeCounts *counts, Buf *out)
{
    buf_printf(out, "%" PRIu64 " exchange records: %" PRIu64 " give their logs, %" PRIu64 " not",
               counts->ok + counts->bad + counts->secret, counts->ok, counts->bad);
    if (counts->secret)
        buf_printf(out, ", %" PRIu64 " not checked, because their key is not published",
                   counts->secret);
    if (counts->without)
        buf_printf(out, "; %" PRIu64 " games of programs have none", counts->without);
    buf_add_char(out, '\n');
}
