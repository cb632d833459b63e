#include "seat/web_desk.h"

#include "base/json.h"
#include "base/utf8.h"
#include "game/length.h"

#define TEXT_BYTES_MAX 4096
#define SECOND_US      1000000

/* What a kind of ask needs. */
static const struct {
    const char *name;
    bool target, text; /* text: must not be empty */
} kinds[WEB_ASK_COUNT] = {
    [WEB_TALK] = {"talk", false, true},
    [WEB_WHISPER] = {"whisper", false, true},
    [WEB_VOTE] = {"vote", true, false},
    [WEB_DIVINE] = {"divine", true, false},
    [WEB_GUARD] = {"guard", true, false},
    [WEB_ATTACK] = {"attack", true, false},
    [WEB_ROLE_WISH] = {"role_wish", false, true},
    [WEB_QUERY_ROLE] = {"query_role", true, false},
    [WEB_WHISPER_TO] = {"whisper_to", true, true},
};

const char *web_ask_name(WebAskKind kind)
{
    return kinds[kind].name;
}

void web_desk_done(WebDesk *desk)
{
    for (size_t i = 0; i < WEB_KEYS_MAX; i++)
        buf_done(&desk->keys[i].reply);
    buf_done(&desk->text);
    buf_done(&desk->scratch);
}

/* ---- messages that go out ---- */

static void begin_message(const WebDesk *desk, const char *type, uint32_t ask, Buf *out, Json *json)
{
    buf_clear(out);
    *json = json_over(out);
    json_open(json, '{');
    json_add_str(json, "type", str_of(type));
    if (desk->game[0])
        json_add_str(json, "game", str_of(desk->game));
    json_add_uint(json, "ask", ask);
}

static void write_targets(Json *json, SeatSet targets)
{
    json_key(json, STR("targets"));
    json_open(json, '[');
    for (; targets; targets &= targets - 1)
        json_put_uint(json, seat_first(targets));
    json_close(json);
}

static void write_limit(Json *json, const char *key, int32_t limit)
{
    if (limit >= 0)
        json_add_int(json, key, limit);
}

static void write_length(Json *json, const WebAsk *ask)
{
    static const char *const rules[] = {
        [MENTION_LONGEST] = "longest", [MENTION_SEAT] = "seat", [MENTION_LOWEST] = "lowest"};
    const LengthRules *length = ask->length;

    json_key(json, STR("length"));
    json_open(json, '{');
    json_add_str(json, "unit", length->count_in_word ? STR("words") : STR("chars"));
    json_add_bool(json, "spaces", length->count_spaces);
    write_limit(json, "per_talk", length->per_talk);
    write_limit(json, "base", length->base_length);
    write_limit(json, "mention", length->mention_length);
    json_add_str(json, "rule", str_of(rules[length->mention]));
    if (length->per_agent >= 0)
        json_add_int(json, "left", ask->length_left);
    json_close(json);
}

static void write_may(Json *json, const WebAsk *ask)
{
    json_key(json, STR("may"));
    json_open(json, '[');
    if (ask->may_skip)
        json_put_str(json, STR("skip"));
    if (ask->may_over)
        json_put_str(json, STR("over"));
    json_close(json);
}

static TimeUs left_of(TimeUs until, TimeUs now)
{
    return until > now ? until - now : 0;
}

static void write_ask(const WebDesk *desk, const WebOpenAsk *open, TimeUs now, Buf *out)
{
    const WebAsk *ask = &open->ask;
    Json json;

    begin_message(desk, "ask", open->number, out, &json);
    json_add_str(&json, "kind", str_of(kinds[ask->kind].name));
    if (ask->standing)
        json_add_bool(&json, "standing", true);
    if (kinds[ask->kind].target)
        write_targets(&json, ask->targets);
    if (ask->kind == WEB_VOTE || ask->kind == WEB_ATTACK)
        json_add_bool(&json, "revote", ask->revote);
    if (ask->may_withdraw)
        json_add_bool(&json, "withdraw", true);
    if (ask->until != TIME_US_NEVER)
        json_add_int(&json, "left_ms", left_of(ask->until, now) / 1000);
    if (ask->may_skip || ask->may_over)
        write_may(&json, ask);
    if (open->has_length)
        write_length(&json, ask);
    write_limit(&json, "max_chars", ask->max_chars);
    write_limit(&json, "turns_left", ask->turns_left);
    write_limit(&json, "skips_left", ask->skips_left);
    json_close(&json);
}

static void tell_desk(const WebDesk *desk, const Buf *message)
{
    if (!buf_failed(message))
        desk->out.tell(desk->out.user, buf_str(message));
}

/* ---- asks ---- */

static WebOpenAsk *find_open(WebDesk *desk, uint32_t number)
{
    for (size_t i = 0; i < WEB_ASKS_MAX && number; i++)
        if (desk->asks[i].number == number)
            return &desk->asks[i];
    return NULL;
}

const WebOpenAsk *web_desk_open(const WebDesk *desk, uint32_t number)
{
    for (size_t i = 0; i < WEB_ASKS_MAX && number; i++)
        if (desk->asks[i].number == number)
            return &desk->asks[i];
    return NULL;
}

static void put_ask(WebDesk *desk, WebOpenAsk *open, const WebAsk *ask, TimeUs now)
{
    open->ask = *ask;
    open->has_length = ask->length && length_is_limited(ask->length);
    if (open->has_length)
        open->length = *ask->length;
    open->ask.length = open->has_length ? &open->length : NULL;
    write_ask(desk, open, now, &desk->text);
    tell_desk(desk, &desk->text);
}

uint32_t web_desk_ask(WebDesk *desk, const WebAsk *ask, TimeUs now)
{
    WebOpenAsk *open = NULL;

    for (size_t i = 0; i < WEB_ASKS_MAX && !open; i++)
        if (!desk->asks[i].number)
            open = &desk->asks[i];
    if (!open)
        return 0;
    *open = (WebOpenAsk){.number = ++desk->last};
    put_ask(desk, open, ask, now);
    return open->number;
}

void web_desk_change(WebDesk *desk, uint32_t number, const WebAsk *ask, TimeUs now)
{
    WebOpenAsk *open = find_open(desk, number);

    if (open)
        put_ask(desk, open, ask, now);
}

void web_desk_unask(WebDesk *desk, uint32_t number)
{
    WebOpenAsk *open = find_open(desk, number);
    Json json;

    if (!open)
        return;
    if (!open->answered && !open->ask.standing)
        desk->unheeded++;
    open->number = 0;
    begin_message(desk, "unask", number, &desk->text, &json);
    json_close(&json);
    tell_desk(desk, &desk->text);
}

void web_desk_unask_all(WebDesk *desk)
{
    for (size_t i = 0; i < WEB_ASKS_MAX; i++)
        web_desk_unask(desk, desk->asks[i].number);
}

void web_desk_game(WebDesk *desk, Str id)
{
    web_desk_unask_all(desk);
    snprintf(desk->game, sizeof(desk->game), "%.*s", STR_ARG(id));
}

/* The open ask behind this number; NULL. */
static const WebOpenAsk *next_open(const WebDesk *desk, uint32_t number)
{
    const WebOpenAsk *next = NULL;

    for (size_t i = 0; i < WEB_ASKS_MAX; i++) {
        const WebOpenAsk *open = &desk->asks[i];
        if (open->number > number && (!next || open->number < next->number))
            next = open;
    }
    return next;
}

void web_desk_greet(const WebDesk *desk, TimeUs now, void (*say)(void *user, Str json), void *user)
{
    CLEANUP(buf_done) Buf message = {0};
    const WebOpenAsk *open = NULL;

    while ((open = next_open(desk, open ? open->number : 0))) {
        write_ask(desk, open, now, &message);
        if (!buf_failed(&message))
            say(user, buf_str(&message));
    }
}

/* ---- keys ---- */

static const WebKey *find_key(const WebDesk *desk, Str key, uint32_t ask)
{
    for (size_t i = 0; i < WEB_KEYS_MAX && key.len; i++)
        if (desk->keys[i].reply.len && desk->keys[i].ask == ask &&
            str_eq(str_of(desk->keys[i].key), key))
            return &desk->keys[i];
    return NULL;
}

static void keep_key(WebDesk *desk, Str key, uint32_t ask, Str reply)
{
    WebKey *kept = &desk->keys[desk->next_key];

    if (!key.len)
        return;
    desk->next_key = (desk->next_key + 1) % WEB_KEYS_MAX;
    snprintf(kept->key, sizeof(kept->key), "%.*s", STR_ARG(key));
    kept->ask = ask;
    buf_clear(&kept->reply);
    buf_add(&kept->reply, reply);
}

/* ---- answers that come in ---- */

typedef struct Heard {
    SeatAnswer answer;
    Str key;
} Heard;

static void refuse_answer(const WebDesk *desk, const Heard *heard, const char *code,
                          const char *error, Buf *reply)
{
    const WebOpenAsk *open = web_desk_open(desk, heard->answer.ask);
    Json json;

    begin_message(desk, "refused", heard->answer.ask, reply, &json);
    if (heard->key.len)
        json_add_str(&json, "key", heard->key);
    json_add_str(&json, "code", str_of(code));
    json_add_str(&json, "error", str_of(error));
    if (open && kinds[open->ask.kind].target)
        write_targets(&json, open->ask.targets);
    json_close(&json);
}

static void tell_taken(WebDesk *desk, const Heard *heard, const Buf *recorded)
{
    Json json;

    begin_message(desk, "taken", heard->answer.ask, &desk->text, &json);
    json_add_str(&json, "kind", str_of(kinds[heard->answer.kind].name));
    if (heard->key.len)
        json_add_str(&json, "key", heard->key);
    if (kinds[heard->answer.kind].target)
        json_add_uint(&json, "target", heard->answer.target);
    if (recorded->len || kinds[heard->answer.kind].text)
        json_add_str(&json, "text", buf_str(recorded));
    json_close(&json);
    if (buf_failed(&desk->text))
        return;
    keep_key(desk, heard->key, heard->answer.ask, buf_str(&desk->text));
    tell_desk(desk, &desk->text);
}

/* A line end or another control character in an utterance is a blank: to a division that reads
 * lines the rest would be another answer. */
static Str one_line(Str text, Buf *out)
{
    buf_clear(out);
    while (text.len) {
        Str before = text;
        uint32_t c = utf8_next(&text);
        if (c == UTF8_INVALID)
            buf_add(out, STR("\xEF\xBF\xBD"));
        else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029)
            buf_add_char(out, ' ');
        else
            buf_add(out, str_part(before, 0, before.len - text.len));
    }
    return length_strip(buf_str(out));
}

static bool read_kind(Str name, WebAskKind *ret_kind)
{
    for (int kind = 0; kind < WEB_ASK_COUNT; kind++)
        if (str_eq(name, str_of(kinds[kind].name))) {
            *ret_kind = (WebAskKind)kind;
            return true;
        }
    return false;
}

/* Errors: what is wrong with a message that is no answer at all. */
static int read_answer(WebDesk *desk, const json_t *message, Heard *ret_heard, Err *err)
{
    JsonReader reader = {.err = err, .seat_count = SEAT_MAX};
    SeatAnswer *answer = &ret_heard->answer;

    answer->ask = (uint32_t)json_get_int(&reader, message, "ask", 0, UINT32_MAX, 0);
    Str kind = json_get_str(&reader, message, "kind");
    answer->target = (SeatNo)json_get_int(&reader, message, "target", 0, SEAT_MAX, 0);
    Str text = json_get_str(&reader, message, "text");
    Str key = json_get_str(&reader, message, "key");
    if (reader.rc)
        return reader.rc;
    if (key.len > WEB_KEY_BYTES || (key.len && memchr(key.bytes, 0, key.len)))
        return err_set(err, ERR_LIMIT, "'key' is longer than %d bytes", WEB_KEY_BYTES);
    ret_heard->key = key;
    if (text.len > TEXT_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "'text' is longer than %d bytes", TEXT_BYTES_MAX);
    if (!read_kind(kind, &answer->kind))
        return err_set(err, ERR_SYNTAX, "'kind' is none of the kinds of asks");
    answer->text = one_line(text, &desk->scratch);
    return buf_failed(&desk->scratch) ? err_set(err, ERR_MEMORY, "out of memory") : 0;
}

/* Five a second, and as many at once. */
static bool is_allowed(WebDesk *desk, TimeUs now)
{
    if (now - desk->counted_at >= SECOND_US) {
        desk->counted_at = now;
        desk->counted = 0;
    }
    return desk->counted++ < WEB_ANSWER_RATE;
}

/* Why it does not fit what is asked; NULL when it does. */
static const char *misfit_of(const WebOpenAsk *open, const SeatAnswer *answer, const char **ret_why)
{
    const WebAsk *ask = &open->ask;
    bool withdraws = ask->may_withdraw && answer->target == SEAT_NONE;

    if (answer->kind != ask->kind) {
        *ret_why = "something else is asked";
        return "bad-kind";
    }
    if (kinds[ask->kind].target && !withdraws && !seat_in(ask->targets, answer->target)) {
        *ret_why = "this one can't be named now";
        return "dead-target";
    }
    if (kinds[ask->kind].text && !answer->text.len) {
        *ret_why = "there is no text";
        return "no-text";
    }
    if (ask->max_chars >= 0 && utf8_count(answer->text) > (size_t)ask->max_chars) {
        *ret_why = "the text is too long";
        return "too-long";
    }
    return NULL;
}

static void take_answer(WebDesk *desk, WebOpenAsk *open, const Heard *heard, TimeUs now, Buf *reply)
{
    WebVerdict verdict = {0};

    desk->out.judge(desk->out.user, &heard->answer, now, &verdict);
    if (verdict.code) {
        refuse_answer(desk, heard, verdict.code, verdict.error, reply);
    } else {
        desk->unheeded = 0;
        open->answered = true;
        if (!open->ask.standing || verdict.ends)
            open->number = 0;
        tell_taken(desk, heard, &verdict.text);
        if (desk->out.take)
            desk->out.take(desk->out.user, &heard->answer, now);
    }
    buf_done(&verdict.text);
}

void web_desk_hear(WebDesk *desk, const json_t *message, TimeUs now, Buf *reply)
{
    Heard heard = {0};
    Err err = {0};
    const char *why = "";

    buf_clear(reply);
    if (!is_allowed(desk, now)) {
        heard.answer.ask = (uint32_t)json_number(message, "ask");
        heard.key = str_part(json_text(message, "key"), 0, WEB_KEY_BYTES);
        refuse_answer(desk, &heard, "rate", "so many answers at a time are not taken", reply);
        return;
    }
    if (read_answer(desk, message, &heard, &err)) {
        refuse_answer(desk, &heard, "bad", err.msg, reply);
        return;
    }
    const WebKey *known = find_key(desk, heard.key, heard.answer.ask);
    WebOpenAsk *open = find_open(desk, heard.answer.ask);
    if (known) {
        buf_add(reply, buf_str(&known->reply));
        return;
    }
    if (!open) {
        refuse_answer(desk, &heard, "stale", "this is not asked any more", reply);
        return;
    }
    const char *code = misfit_of(open, &heard.answer, &why);
    if (code)
        refuse_answer(desk, &heard, code, why, reply);
    else
        take_answer(desk, open, &heard, now, reply);
}
