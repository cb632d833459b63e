#include "journal/finding_line.h"

#include "base/date_text.h"
#include "base/json.h"
#include "disk/regular_file.h"
#include "journal/journal_line.h"
#include "record/finding_text.h"

#include <jansson.h>
#include <unistd.h>

/* ---- writing ---- */

static Json begin_line(int64_t at_ms, uint32_t stage, uint64_t set, Buf *out)
{
    Json json = json_over(out);
    char time[DATE_TEXT_ROOM];

    json_open(&json, '{');
    json_add_str(&json, "at", date_text_write(at_ms, time));
    json_add_uint(&json, "stage", stage);
    json_add_uint(&json, "set", set);
    return json;
}

void finding_line_write(int64_t at_ms, const FindingNote *note, Buf *out)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = begin_line(at_ms, note->stage, note->set, out);

    finding_add_text(note->finding.text, &text);
    if (note->in_game) {
        json_add_uint(&json, "game", note->game);
        json_add_uint(&json, "day", note->day);
    }
    json_add_str(&json, "agent", note->agent);
    json_add_uint(&json, "seat", note->seat);
    json_add_str(&json, "rule", str_of(finding_rule_name(note->finding.rule)));
    if (note->finding.count != 1)
        json_add_uint(&json, "count", note->finding.count);
    json_add_str(&json, "text", buf_str(&text));
    json_close(&json);
    buf_add_char(out, '\n');
    if (buf_failed(&text))
        buf_fail(out);
}

void finding_line_write_total(int64_t at_ms, uint32_t stage, uint64_t set,
                              const FindingTotal *total, Buf *out)
{
    Json json = begin_line(at_ms, stage, set, out);

    json_add_str(&json, "agent", total->agent);
    json_add_str(&json, "rule", str_of(finding_rule_name(total->rule)));
    json_add_uint(&json, "total", total->seen);
    json_close(&json);
    buf_add_char(out, '\n');
}

/* ---- reading ---- */

/* One line, and whether something was wrong with it. */
typedef struct Reader {
    const json_t *json;
    size_t members; /* that were asked for and are there */
    bool bad;
} Reader;

static const json_t *take(Reader *reader, const char *key)
{
    const json_t *value = json_object_get(reader->json, key);

    reader->members += value != NULL;
    return value;
}

static uint64_t take_uint(Reader *reader, const char *key, uint64_t min, uint64_t max)
{
    const json_t *value = take(reader, key);
    const json_int_t number = json_integer_value(value);

    reader->bad |=
        !json_is_integer(value) || number < 0 || (uint64_t)number < min || (uint64_t)number > max;
    return reader->bad ? 0 : (uint64_t)number;
}

static Str take_text(Reader *reader, const char *key, size_t max)
{
    const json_t *value = take(reader, key);
    const Str text = {json_string_value(value), json_string_length(value)};

    reader->bad |= !json_is_string(value) || text.len > max;
    return reader->bad ? STR("") : text;
}

static void read_found(Reader *reader, FindingNote *note)
{
    note->in_game = json_object_get(reader->json, "game") != NULL;
    note->listed = true;
    if (note->in_game) {
        note->game = take_uint(reader, "game", 0, INT64_MAX);
        note->day = (uint16_t)take_uint(reader, "day", 0, UINT16_MAX);
    }
    note->seat = (SeatNo)take_uint(reader, "seat", 1, SEAT_MAX);
    note->finding.count = 1;
    if (json_object_get(reader->json, "count"))
        note->finding.count = (uint32_t)take_uint(reader, "count", 1, UINT32_MAX);
    note->finding.text = take_text(reader, "text", FINDING_TEXT_MAX);
}

static bool read_line(const json_t *json, FindingLine *ret)
{
    Reader reader = {.json = json};
    FindingNote *note = &ret->note;
    const Str at = take_text(&reader, "at", DATE_TEXT_ROOM);

    reader.bad |= !date_text_read(at, &ret->at_ms);
    note->stage = (uint32_t)take_uint(&reader, "stage", 0, STAGE_NUMBERS_MAX - 1);
    note->set = take_uint(&reader, "set", 0, INT64_MAX);
    note->agent = take_text(&reader, "agent", AGENT_NAME_MAX);
    note->finding.rule = finding_rule_of(take_text(&reader, "rule", AGENT_NAME_MAX));
    reader.bad |= note->agent.len == 0 || note->finding.rule == FINDING_RULES;
    if (json_object_get(json, "total"))
        ret->total = take_uint(&reader, "total", 1, INT64_MAX);
    else
        read_found(&reader, note);
    return !reader.bad && reader.members == json_object_size(json);
}

int finding_line_hear(Str line, unsigned number, FindingLineFn *hear, void *user, Err *err)
{
    json_error_t error;
    FindingLine read = {.number = number};
    json_t *root = json_loadb(line.bytes, line.len, JSON_REJECT_DUPLICATES, &error);
    int rc = 0;

    if (!root && json_error_code(&error) == json_error_out_of_memory)
        rc = err_set_at(err, ERR_MEMORY, number, 0, "out of memory");
    else if (!json_is_object(root) || !read_line(root, &read))
        rc = err_set_at(err, ERR_SYNTAX, number, 0, "the line is no finding");
    if (rc == 0)
        rc = hear(user, &read, err);
    json_decref(root);
    return rc;
}

/* Who hears the lines of a file. */
typedef struct Hearing {
    FindingLineFn *hear;
    void *user;
} Hearing;

static int on_line(void *user, Str line, unsigned number, Err *err)
{
    const Hearing *hearing = user;

    return finding_line_hear(line, number, hearing->hear, hearing->user, err);
}

int finding_lines_read(const char *dir, FindingLineFn *hear, void *user, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Hearing hearing = {hear, user};
    Err own = {0};
    int fd = -1;

    buf_printf(&path, "%s/" FINDINGS_FILE, dir);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "findings: out of memory");
    if (access(buf_cstr(&path), F_OK) != 0)
        return 0;
    int rc = regular_file_open(buf_cstr(&path), &fd, err);
    if (rc)
        return rc;
    rc = journal_lines_of(fd, on_line, &hearing, NULL, &own);
    close(fd);
    if (rc == 0)
        return 0;
    err_wrap(&own, "'%s': ", buf_cstr(&path));
    return err_set_at(err, (ErrCode)rc, own.line, own.column, "%s", own.msg);
}
