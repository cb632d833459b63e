#include "runner/judge_records.h"

#include "base/digest.h"
#include "disk/disk_call.h"
#include "disk/log_file.h"
#include "wire/json_read.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define RECORDS_BYTES ((size_t)1024 * 1024 * 1024)

struct JudgeRecords {
    int fd;
    JudgeKnown *known;
    size_t count, room;
    uint64_t tokens;
};

JudgeKnown *judge_records_of(JudgeRecords *records, int64_t sheet)
{
    for (size_t i = 0; i < records->count; i++)
        if (records->known[i].sheet == sheet)
            return &records->known[i];
    if (records->count == records->room) {
        size_t room = records->room ? 2 * records->room : 64;
        JudgeKnown *more = mem_resize(records->known, room, sizeof(*more));
        if (!more)
            return NULL;
        records->known = more;
        records->room = room;
    }
    records->known[records->count] = (JudgeKnown){.sheet = sheet};
    return &records->known[records->count++];
}

static int note_answer(JudgeRecords *records, int64_t sheet, Str answer, bool good, Str why,
                       Err *err)
{
    JudgeKnown *known = judge_records_of(records, sheet);

    if (!known)
        return err_set(err, ERR_MEMORY, "judges' answers: out of memory");
    known->asked++;
    known->good = good;
    buf_clear(&known->answer);
    buf_add(&known->answer, answer);
    buf_clear(&known->why);
    buf_add(&known->why, why);
    return buf_failed(&known->answer) || buf_failed(&known->why)
               ? err_set(err, ERR_MEMORY, "judges' answers: out of memory")
               : 0;
}

static int take_line(JudgeRecords *records, Str line, Err *err)
{
    json_t *json = NULL;
    int64_t tokens = 0;
    int rc = json_read(line, RECORDS_BYTES, &json, err);

    if (rc)
        return rc;
    for (size_t i = 0; i < 2; i++)
        if (json_as_int(json_at(json_get(json, "tokens"), i), &tokens) && tokens > 0)
            records->tokens += (uint64_t)tokens;
    rc = note_answer(records, json_number(json, "sheet"), json_text(json, "answer"),
                     json_get_bool(&(JsonReader){0}, json, "good", false), json_text(json, "why"),
                     err);
    json_done(json);
    return rc;
}

/* `ret_whole`: bytes of whole lines. */
static int take_lines(JudgeRecords *records, Str text, size_t *ret_whole, Err *err)
{
    size_t at;
    int rc = 0;

    *ret_whole = 0;
    while (rc == 0 && str_find(text, STR("\n"), &at)) {
        rc = take_line(records, str_part(text, 0, at), err);
        *ret_whole += at + 1;
        text = str_part(text, at + 1, text.len);
    }
    return rc;
}

static int open_file(JudgeRecords *records, const char *path, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t whole = 0;
    int rc = 0;

    if (access(path, F_OK) == 0)
        rc = log_file_read(path, RECORDS_BYTES, &text, err);
    if (rc == 0)
        rc = take_lines(records, buf_str(&text), &whole, err);
    if (rc)
        return rc;
    records->fd = disk_open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (records->fd < 0 || disk_cut(records->fd, (off_t)whole) != 0)
        return disk_error(err, "open", path);
    return 0;
}

int judge_records_open(const char *path, JudgeRecords **ret_records, Err *err)
{
    JudgeRecords *records = mem_new(sizeof(*records));

    if (!records)
        return err_set(err, ERR_MEMORY, "judges' answers: out of memory");
    records->fd = -1;
    int rc = open_file(records, path, err);
    if (rc) {
        judge_records_free(records);
        return rc;
    }
    *ret_records = records;
    return 0;
}

JudgeRecords *judge_records_free(JudgeRecords *records)
{
    if (!records)
        return NULL;
    for (size_t i = 0; i < records->count; i++) {
        buf_done(&records->known[i].answer);
        buf_done(&records->known[i].why);
    }
    mem_free(records->known);
    if (records->fd >= 0)
        disk_close(records->fd);
    return mem_free(records);
}

static int put_digest(Json *json, const char *key, Str text, Err *err)
{
    char hex[SHA256_HEX_BYTES];
    int rc = sha256_hex(text, hex, err);

    if (rc == 0)
        json_add_str(json, key, str_of(hex));
    return rc;
}

static int write_record(const JudgeRecord *record, uint32_t asked, Buf *out, Err *err)
{
    const SheetRow *row = record->row;
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_int(&json, "sheet", row->id);
    json_add_str(&json, "track", buf_str(&row->track));
    json_add_str(&json, "criterion", str_of(criterion_letter(row->criterion)));
    json_add_str(&json, "model", buf_str(&row->model));
    json_add_uint(&json, "repeat", row->repeat);
    json_key(&json, STR("order"));
    json_open(&json, '[');
    for (SeatNo i = 0; i < row->seat_count; i++)
        json_put_uint(&json, row->order[i]);
    json_close(&json);
    json_add_uint(&json, "ask", asked);
    int rc = put_digest(&json, "system", record->system, err);
    if (rc == 0)
        rc = put_digest(&json, "prompt", record->prompt, err);
    json_add_str(&json, "served", record->served);
    json_add_str(&json, "answer", record->answer);
    json_key(&json, STR("tokens"));
    json_open(&json, '[');
    json_put_uint(&json, record->prompt_tokens);
    json_put_uint(&json, record->answer_tokens);
    json_close(&json);
    json_add_bool(&json, "good", record->good);
    json_add_str(&json, "why", record->why);
    json_close(&json);
    buf_add_char(out, '\n');
    return rc;
}

int judge_records_add(JudgeRecords *records, const JudgeRecord *record, Err *err)
{
    CLEANUP(buf_done) Buf line = {0};
    const JudgeKnown *known = judge_records_of(records, record->row->id);
    int rc = known ? write_record(record, known->asked, &line, err) : ERR_MEMORY;

    if (!known || buf_failed(&line))
        return err_set(err, ERR_MEMORY, "judges' answers: out of memory");
    if (rc)
        return rc;
    if (disk_write(records->fd, buf_str(&line)) != 0 || disk_sync_data(records->fd) != 0)
        return err_set(err, ERR_IO, "write judges' answers: %s", strerror(errno));
    records->tokens += (uint64_t)record->prompt_tokens + record->answer_tokens;
    return note_answer(records, record->row->id, record->answer, record->good, record->why, err);
}

uint64_t judge_records_tokens(const JudgeRecords *records)
{
    return records->tokens;
}
