#include "show/log_verdict.h"

#include "base/json.h"
#include "disk/log_file.h"
#include "maw/session_replay.h"
#include "record/nlp_exchange.h"

#include <sys/stat.h>

#include <stdio.h>

int log_verdict_read(const char *path, Buf *text, Err *err)
{
    size_t length = strlen(path), ending = strlen(".jsonl");
    bool record = length >= ending && strcmp(path + length - ending, ".jsonl") == 0;

    return log_file_read(path, record ? MAW_RECORD_BYTES_MAX : LOG_TEXT_BYTES_MAX, text, err);
}

/* A session's record is ok by the rules in it alone, or not. */
static int judge_record(Str text, LogVerdict *ret, Err *err)
{
    MawReplayVerdict replay;
    int rc = maw_record_replay(text, &replay, err);

    if (rc)
        return rc;
    *ret = (LogVerdict){.ok = replay.ok, .truncated = replay.truncated, .line = replay.line};
    if (replay.ok)
        snprintf(ret->rules, sizeof(ret->rules), "maw");
    else
        snprintf(ret->reason, sizeof(ret->reason), "%.400s%s", replay.reason,
                 replay.other_program ? " (another version of warg wrote it)" : "");
    return 0;
}

/* "log/json/X.json" of "log/game/X.log", where a server of the natural-language division writes
 * them by default; false when no such file is there. */
static bool find_json(const char *path, Buf *ret_path)
{
    const Str whole = str_of(path);
    struct stat about;
    size_t slash, above;

    if (!str_find_last(whole, '/', &slash) || whole.len - slash < 6 ||
        !str_eq(str_part(whole, whole.len - 4, 4), STR(".log")) ||
        !str_find_last(str_part(whole, 0, slash), '/', &above) ||
        !str_eq(str_part(whole, above, slash - above), STR("/game")))
        return false;
    buf_printf(ret_path, "%.*s/json%.*s.json", (int)above, path, (int)(whole.len - 4 - slash),
               path + slash);
    return !buf_failed(ret_path) && stat(buf_cstr(ret_path), &about) == 0;
}

/* A legal game of natural language: its JSON log, when there is one, has to tell the same. */
static int judge_json(const char *path, Str log, LogVerdict *ret, Err *err)
{
    CLEANUP(buf_done) Buf json_path = {0};
    CLEANUP(buf_done) Buf json = {0};
    LogFinding finding;

    if (!ret->ok || ret->form != LOG_FORM_NLP || !find_json(path, &json_path))
        return 0;
    int rc = log_file_read(buf_cstr(&json_path), LOG_TEXT_BYTES_MAX, &json, err);
    if (rc == 0)
        rc = nlp_exchange_check(buf_str(&json), log, &finding, err);
    if (rc || finding.ok)
        return rc;
    ret->ok = false;
    ret->line = finding.line;
    snprintf(ret->reason, sizeof(ret->reason), "%s", finding.reason);
    return 0;
}

int log_verdict_of(const char *path, const LogCheckOptions *options, Buf *text, LogVerdict *ret,
                   Err *err)
{
    Err unreadable = {0};

    buf_clear(text);
    int rc = log_verdict_read(path, text, &unreadable);
    if (rc == ERR_SYNTAX || rc == ERR_LIMIT) { /* the file is there, but is no log */
        *ret = (LogVerdict){.line = 1};
        snprintf(ret->reason, sizeof(ret->reason), "%s", unreadable.msg);
        return 0;
    }
    if (rc)
        return err_set(err, (ErrCode)rc, "%s", unreadable.msg);
    rc = maw_record_is(buf_str(text)) ? judge_record(buf_str(text), ret, err)
                                      : log_check(buf_str(text), options, ret, err);
    if (rc == 0)
        rc = judge_json(path, buf_str(text), ret, err);
    if (rc)
        err_wrap(err, "%s: ", path);
    return rc;
}

static void put_words(Json *json, const char *key, unsigned set, const char *(*name)(size_t))
{
    json_key(json, str_of(key));
    json_open(json, '[');
    for (size_t i = 0; name(i); i++)
        if (set & 1u << i)
            json_put_str(json, str_of(name(i)));
    json_close(json);
}

void log_verdict_json(const char *path, const LogVerdict *verdict, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "path", str_of(path));
    json_add_bool(&json, "ok", verdict->ok);
    if (verdict->ok) {
        if (verdict->rules[0]) {
            json_key(&json, STR("rules"));
            json_open(&json, '[');
            json_put_str(&json, str_of(verdict->rules));
            json_close(&json);
        } else {
            put_words(&json, "rules", verdict->presets, ruleset_preset_name);
        }
        json_key(&json, STR("server"));
        if (verdict->server[0])
            json_put_str(&json, str_of(verdict->server));
        else
            json_put_null(&json);
        put_words(&json, "differences", verdict->differences, log_difference_name);
        if (log_verdict_division(verdict)) {
            json_add_str(&json, "division", str_of(log_verdict_division(verdict)));
        }
    } else {
        json_add_bool(&json, "truncated", verdict->truncated);
        json_add_uint(&json, "line", verdict->line);
        json_add_str(&json, "reason", str_of(verdict->reason));
    }
    json_close(&json);
    buf_add_char(out, '\n');
}
