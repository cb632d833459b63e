#include "journal/journal_line_parts.h"

#include "base/date_text.h"
#include "base/json.h"
#include "base/utf8.h"

/* ---- what may be written ---- */

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
        (record->log[0] && !journal_line_is_inside(str_of(record->log))))
        return err_set(err, ERR_RULE, "the log's path leads out of the folder");
    for (SeatNo seat = 1; seat <= result->seat_count && rc == 0; seat++) {
        rc = journal_line_check_name(seat, result->names[seat], err);
        if (rc == 0 && (result->roles[seat] <= ROLE_NONE || result->roles[seat] >= ROLE_COUNT))
            rc = err_set(err, ERR_RULE, "seat %u has no role", seat);
        if (rc == 0)
            rc = journal_line_check_player(seat, &record->seats[seat], err);
        if (rc == 0 && result->has_play && !seat_play_possible(&result->play[seat]))
            rc = err_set(err, ERR_RULE, "seat %u can't have played like that", seat);
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
    if (!journal_line_is_object(plan))
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
        rc = journal_line_check_name(seat, names[seat], err);
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
    for (ModelFigure figure = FIGURE_REQUESTS; figure < FIGURE_COUNT; figure++)
        if (own->figures.of[figure])
            json_add_uint(json, model_figure_name(figure), own->figures.of[figure]);
}

/* What its program was found at, by rules. */
static void put_findings(Json *json, const SeatRecord *own)
{
    bool open = false;

    for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++) {
        if (!own->findings[rule])
            continue;
        if (!open) {
            json_key(json, STR("findings"));
            json_open(json, '{');
        }
        open = true;
        json_add_uint(json, finding_rule_name(rule), own->findings[rule]);
    }
    if (open)
        json_close(json);
}

/* How it played, by the order of PlayCount. */
static void put_play(Json *json, const SeatPlay *play)
{
    json_key(json, STR("play"));
    json_open(json, '[');
    for (PlayCount count = 0; count < PLAY_COUNTS; count++)
        json_put_uint(json, play->of[count]);
    json_close(json);
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
    put_findings(json, own);
    durations_print(&own->times, &times);
    if (times.len)
        json_add_str(json, "times", buf_str(&times));
    put_decisions(json, own);
    if (record->result.has_play)
        put_play(json, &record->result.play[seat]);
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
    if (record->deal)
        json_add_uint(&json, "deal", record->deal - 1);
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

int journal_line_ruling(const JournalRuling *ruling, Buf *out, Err *err)
{
    char time[DATE_TEXT_ROOM];
    int rc = journal_line_check_name(0, ruling->agent, err);

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

int journal_line_act(const OperatorAct *act, Buf *out, Err *err)
{
    char time[DATE_TEXT_ROOM];
    int rc = operator_act_check(act, err);

    if (rc == 0 && (act->at_ms < 0 || act->at_ms > DATE_MAX_MS))
        rc = err_set(err, ERR_LIMIT, "no act can be at %lld ms", (long long)act->at_ms);
    if (rc)
        return rc;
    Json json = begin_line(out, "act");
    json_add_str(&json, "act", str_of(operator_act_name(act->kind)));
    if (act->target)
        json_add_uint(&json, act->target == ACT_OF_SET ? "set" : "game", act->number);
    if (act->stage)
        json_add_uint(&json, "stage", act->stage);
    if (act->id.len)
        json_add_str(&json, "id", act->id);
    if (act->team.bytes)
        json_add_str(&json, "team", act->team);
    if (act->agent.bytes)
        json_add_str(&json, "agent", act->agent);
    json_add_str(&json, "by", act->by);
    if (act->why.len)
        json_add_str(&json, "why", act->why);
    json_add_str(&json, "at", date_text_write(act->at_ms, time));
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

int journal_line_cell(const JournalCell *cell, Buf *out, Err *err)
{
    if (!cell->level.len || !utf8_valid(cell->level) || !utf8_valid(cell->layers))
        return err_set(err, ERR_RULE, "a cell without a level, or whose layers are no UTF-8");
    Json json = begin_line(out, "cell");
    json_add_str(&json, "level", cell->level);
    if (cell->layers.len)
        json_add_str(&json, "layers", cell->layers);
    return 0;
}

int journal_line_trial(const JournalTrial *trial, Buf *out, Err *err)
{
    CLEANUP(buf_done) Buf test = {0};
    int rc = journal_line_check_name(0, str_of(trial->challenger), err);

    if (rc == 0)
        rc = check_number("sets", trial->sets, err);
    sprt_write(&trial->test, &test);
    if (rc == 0 && buf_failed(&test))
        rc = err_set(err, ERR_MEMORY, "journal: out of memory");
    if (rc)
        return rc;
    Json json = begin_line(out, "trial");
    json_add_str(&json, "challenger", str_of(trial->challenger));
    json_add_str(&json, "test", buf_str(&test));
    json_add_uint(&json, "sets", trial->sets);
    return 0;
}

int journal_line_stop(const JournalStop *stop, Buf *out, Err *err)
{
    char time[DATE_TEXT_ROOM];
    int rc = check_number("rounds", stop->rounds, err);

    if (rc == 0 && (stop->at_ms < 0 || stop->at_ms > DATE_MAX_MS || stop->date_ms < 0 ||
                    stop->date_ms > DATE_MAX_MS || stop->stage >= STAGES_MAX))
        rc = err_set(err, ERR_LIMIT, "no stage can stop at %lld ms", (long long)stop->at_ms);
    if (rc)
        return rc;
    Json json = begin_line(out, "stop");
    json_add_uint(&json, "stage", stop->stage);
    json_add_uint(&json, "rounds", stop->rounds);
    if (stop->date_ms)
        json_add_str(&json, "date", date_text_write(stop->date_ms, time));
    json_add_str(&json, "at", date_text_write(stop->at_ms, time));
    return 0;
}

void journal_line_findings(const JournalFindings *findings, Buf *out)
{
    Json json = begin_line(out, "findings");

    json_add_uint(&json, "stage", findings->stage);
    json_add_uint(&json, "set", findings->set);
    json_add_str(&json, "sha256", str_of(findings->sha256));
    json_add_uint(&json, "findings_bytes", findings->bytes);
}

void journal_line_findings_bytes(Buf *line, uint64_t bytes)
{
    buf_add(line, STR(",\"findings_bytes\":"));
    buf_add_uint(line, bytes);
}

void journal_line_faults_bytes(Buf *line, uint64_t bytes)
{
    buf_add(line, STR(",\"faults_bytes\":"));
    buf_add_uint(line, bytes);
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
