#include "show/minds_show.h"

#include "base/utf8.h"
#include "disk/log_file.h"
#include "wire/json_read.h"

#include <inttypes.h>
#include <limits.h>

#define FILE_BYTES_MAX ((size_t)1024 * 1024 * 1024)
#define LINE_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define HEAD_BYTES     200 /* the kind of a line stands so near its beginning */
#define SHORT_BYTES    300 /* of a text, but with `all` */

/* ---- one decision ---- */

/* `what` may be of the file, too. */
static void put_text(const MindsShow *show, const char *what, Str text, Buf *out)
{
    if (!text.len)
        return;
    buf_add(out, STR("      "));
    utf8_add_printable(str_of(what), 40, out);
    buf_add(out, STR(": "));
    utf8_add_printable(text, show->all ? text.len : SHORT_BYTES, out);
    buf_add_char(out, '\n');
}

static void put_tokens(const json_t *decision, Buf *out)
{
    const json_t *tokens = json_get(decision, "tokens");
    const int64_t cached = json_number(tokens, "cached"),
                  thought = json_number(tokens, "reasoning");

    if (!json_is_map(tokens))
        return;
    buf_printf(out, "  %" PRId64 " ms", json_number(decision, "latency_ms"));
    if (json_number(decision, "tries") > 1)
        buf_printf(out, ", %" PRId64 " tries", json_number(decision, "tries"));
    buf_printf(out, ", tokens %" PRId64, json_number(tokens, "prompt"));
    if (cached)
        buf_printf(out, " (%" PRId64 " cached)", cached);
    buf_printf(out, " + %" PRId64, json_number(tokens, "answer"));
    if (thought)
        buf_printf(out, " (%" PRId64 " thought)", thought);
}

static bool is_opinion(const json_t *decision)
{
    return str_eq(json_text(decision, "task"), STR("opinion"));
}

static void put_head(const json_t *decision, Buf *out)
{
    const Str action = json_text(decision, "action"), source = json_text(decision, "source");

    buf_printf(out, "  %" PRId64 ".%" PRId64 "  ", json_number(decision, "round"),
               json_number(decision, "phase_no"));
    utf8_add_printable(json_text(decision, "name"), 60, out);
    buf_add(out, STR("  "));
    utf8_add_printable(json_text(decision, "task"), 20, out);
    buf_add(out, STR(": "));
    if (is_opinion(decision) && !json_get(decision, "sure"))
        buf_add(out, STR("none"));
    else if (str_eq(action, STR("vote")))
        utf8_add_printable(json_text(decision, "target"), 100, out);
    else
        utf8_add_printable(action, 20, out);
    if (json_get(decision, "sure"))
        buf_printf(out, ", %" PRId64 " %% sure", json_number(decision, "sure"));
    if (!str_eq(source, STR("fallback")) || !is_opinion(decision)) { /* no rule has one instead */
        buf_add(out, STR("  "));
        utf8_add_printable(str_eq(source, STR("fallback")) ? STR("by rule") : source, 20, out);
    }
    put_tokens(decision, out);
    buf_add_char(out, '\n');
}

static void put_decision(const MindsShow *show, const json_t *decision, Buf *out)
{
    const json_t *first = json_get(decision, "first");
    CLEANUP(buf_done) Buf held = {0};

    put_head(decision, out);
    put_text(show, "says", json_text(decision, "message"), out);
    if (!is_opinion(decision)) /* its reason is how sure it is */
        put_text(show, "reason", json_text(decision, "reason"), out);
    buf_printf(&held, "held back (%.*s)",
               STR_ARG(str_part(json_text(decision, "suppressed"), 0, 20)));
    if (json_text(decision, "suppressed").len)
        put_text(show, buf_cstr(&held), json_text(decision, "line"), out);
    put_text(show, "told only", json_text(decision, "flagged"), out);
    put_text(show, "why", json_text(decision, "why"), out);
    put_text(show, "mended", json_text(first, "wrong"), out);
    put_text(show, "thought", json_text(decision, "thought"), out);
    if (!show->all)
        return;
    put_text(show, "reasoning", json_text(decision, "reasoning"), out);
    put_text(show, "answer", json_text(decision, "answer"), out);
    put_text(show, "first answer", json_text(first, "answer"), out);
    put_text(show, "finish", json_text(decision, "finish"), out);
}

/* ---- lines ---- */

/* The decision in a line; NULL: there is none. */
static const json_t *decision_in(const json_t *line)
{
    const Str event = json_text(line, "event");

    if (str_eq(json_text(line, "type"), STR("decision")))
        return line;
    return str_eq(event, STR("decision")) || str_eq(event, STR("opinion"))
               ? json_get(line, "decision")
               : NULL;
}

static bool is_in_path(const MindsShow *show, const char *path)
{
    size_t at = 0;

    return !show->name || str_find(str_of(path), str_of(show->name), &at);
}

static bool is_wanted(const MindsShow *show, const char *path, const json_t *decision)
{
    if (show->game && (uint64_t)json_number(decision, "round") != show->game)
        return false;
    return is_in_path(show, path) || str_eq(json_text(decision, "name"), str_of(show->name));
}

static void put_file(const MindsShow *show, const char *path, Buf *out)
{
    if (!show->json) {
        buf_add(out, out->len || show->decisions ? STR("\n") : STR(""));
        utf8_add_printable(str_of(path), PATH_MAX, out);
        buf_add_char(out, '\n');
    }
}

static void put_seat(const json_t *seat, Buf *out)
{
    const Str model = json_text(seat, "model"), server = json_text(seat, "server"),
              persona = json_text(seat, "persona");

    buf_add(out, STR("  "));
    utf8_add_printable(model.len ? model : STR("demo"), 200, out);
    if (server.len)
        buf_add(out, STR(" at "));
    utf8_add_printable(server, 300, out);
    if (persona.len)
        buf_add(out, STR(", "));
    utf8_add_printable(persona, 300, out);
    buf_add_char(out, '\n');
}

static int show_line(MindsShow *show, const char *path, Str line, bool *named, Err *err)
{
    json_t *json = NULL;
    int rc = json_read(line, LINE_BYTES_MAX, &json, err);
    const json_t *decision = rc ? NULL : decision_in(json);

    if (rc == 0 && str_eq(json_text(json, "type"), STR("seat")) && !show->json && !*named &&
        is_in_path(show, path)) {
        put_file(show, path, &show->out);
        put_seat(json, &show->out);
        *named = true;
    }
    if (json_is_map(decision) && is_wanted(show, path, decision)) {
        if (!*named)
            put_file(show, path, &show->out);
        *named = true;
        show->decisions++;
        if (show->json)
            buf_printf(&show->out, "%.*s\n", STR_ARG(line));
        else
            put_decision(show, decision, &show->out);
    }
    json_done(json);
    return rc;
}

/* Most lines of a record are something else. */
static bool may_show(Str line)
{
    const Str head = str_part(line, 0, HEAD_BYTES);
    size_t at = 0;

    return str_find(head, STR("\"decision\""), &at) ||
           str_find(head, STR("\"type\":\"seat\""), &at);
}

int minds_show_file(MindsShow *show, const char *path, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    bool named = false;
    int rc = log_file_read(path, FILE_BYTES_MAX, &text, err);
    Str rest = buf_str(&text);

    for (unsigned number = 1; rest.len && rc == 0; number++) {
        const bool is_whole = memchr(rest.bytes, '\n', rest.len) != NULL;
        const Str line = str_cut(&rest, '\n');
        Err wrong = {0};
        if (!is_whole || !may_show(line)) /* half a line: its writer is at it, or was stopped */
            continue;
        rc = show_line(show, path, line, &named, &wrong);
        if (rc)
            err_set(err, rc, "%s:%u: %s", path, number, wrong.msg);
    }
    return rc == 0 && buf_failed(&show->out) ? err_set(err, ERR_MEMORY, "out of memory") : rc;
}
