#include "maw/session_replay.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "maw/session.h"
#include "wire/json_read.h"

#define T_MS_MAX     ((int64_t)100 * 366 * 86400 * 1000)
#define BODY_MOST    ((int64_t)1024 * 1024) /* of one that was refused for its length */
#define VALUE_CHARS  60
#define WOLF         "\xF0\x9F\x90\xBA" /* a character of four bytes */
#define THIS_PROGRAM "warg " WARG_VERSION

struct MawReplay {
    MawReplayVerdict verdict;
    MawRecordHead head;
    MawSession *session; /* of maw_record_replay */
    TimeUs zero;         /* the beginning of the session that does it once more */
    bool differs;        /* the verdict has a line */
    /* What the new session has written stands in the record up to here. */
    Str expected;
    unsigned expected_line;
    bool began;
    bool ran_ahead;    /* it has written more than stands there */
    bool last_has_end; /* the record's last line */
    /* What is done once more: the line behind `rest` is the next. */
    Str rest;
    unsigned line;
    Buf text;
};

typedef struct MawReplay Replay;

/* ---- lines ---- */

/* Lines that the table has added, and numbers of dropped messages: the others begin with their
 * number. */
static bool is_tables(Str line)
{
    return str_starts(line, STR("{\"t_ms\":"));
}

/* The next line that the session must write; false behind the last. */
static bool next_expected(Replay *replay, Str *ret_line)
{
    while (replay->expected.len) {
        Str line = str_cut(&replay->expected, '\n');
        replay->expected_line++;
        if (is_tables(line))
            continue;
        *ret_line = line;
        return true;
    }
    return false;
}

static void differ_at(Replay *replay, unsigned line, Str reason)
{
    CLEANUP(buf_done) Buf safe = {0};
    MawReplayVerdict *verdict = &replay->verdict;

    if (replay->differs)
        return;
    replay->differs = true;
    verdict->line = line;
    utf8_add_printable(reason, sizeof(verdict->reason) / 2, &safe);
    snprintf(verdict->reason, sizeof(verdict->reason), "%s", buf_cstr(&safe));
}

/* What the reader of JSON says, which calls everything a packet. */
static const char *plain_error(const Err *err)
{
    Str said = str_of(err->msg), word = STR("packet: ");

    return str_starts(said, word) ? err->msg + word.len : err->msg;
}

/* ---- what is different ---- */

static void add_value(const json_t *value, Buf *out)
{
    int64_t number;
    bool flag;
    Str text;

    if (json_as_str(value, &text)) {
        buf_add_char(out, '\'');
        utf8_add_printable(text, VALUE_CHARS, out);
        buf_add_char(out, '\'');
    } else if (json_as_int(value, &number)) {
        buf_add_int(out, number);
    } else if (json_as_bool(value, &flag)) {
        buf_add(out, flag ? STR("true") : STR("false"));
    } else if (json_is_map(value) || json_is_list(value)) {
        buf_printf(out, "another %s", json_is_map(value) ? "object" : "list");
    } else {
        buf_add(out, STR("nothing"));
    }
}

static bool same_value(const json_t *a, const json_t *b)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    Str text_a, text_b;

    if (json_as_str(a, &text_a) && json_as_str(b, &text_b))
        return str_eq(text_a, text_b);
    add_value(a, &first);
    add_value(b, &second);
    return str_eq(buf_str(&first), buf_str(&second));
}

/* The first key, in the order in which the session writes them, whose value is another one. */
static const char *differing_key(const json_t *found, const json_t *played)
{
    const char *odd = NULL;

    for (void *member = json_member(played, NULL); member; member = json_member(played, member)) {
        const char *key = json_member_key(member);
        const json_t *value = json_member_value(member);
        if (json_is_map(value) || json_is_list(value)) {
            odd = odd ? odd : key; /* unless there is a plainer one */
            continue;
        }
        if (!same_value(json_get(found, key), value))
            return key;
    }
    return odd;
}

static void describe_difference(const json_t *found, const json_t *played, Buf *out)
{
    const char *key = differing_key(found, played);

    if (!str_eq(json_text(found, "event"), json_text(played, "event")))
        key = "event";
    if (!key) {
        buf_add(out, STR("played again, the line is written in another way"));
        return;
    }
    buf_printf(out, "'%s' is ", key);
    add_value(json_get(found, key), out);
    buf_add(out, STR("; played again it is "));
    add_value(json_get(played, key), out);
}

static void tell_difference(Replay *replay, Str found, Str played)
{
    CLEANUP(buf_done) Buf reason = {0};
    json_t *a = NULL, *b = NULL;
    Err err = {0};

    if (json_read(found, MAW_RECORD_LINE_MAX, &a, &err))
        buf_printf(&reason, "not an event: %s", plain_error(&err));
    else if (!json_is_map(a))
        buf_add(&reason, STR("not an event: expected an object"));
    else if (json_read(played, MAW_RECORD_LINE_MAX, &b, NULL) == 0)
        describe_difference(a, b, &reason);
    json_done(a);
    json_done(b);
    differ_at(replay, replay->expected_line, buf_str(&reason));
}

/* ---- what the new session writes ---- */

static bool find_last(Str text, Str word, size_t *ret_at)
{
    for (size_t at = text.len; at >= word.len; at--)
        if (memcmp(text.bytes + at - word.len, word.bytes, word.len) == 0) {
            *ret_at = at - word.len;
            return true;
        }
    return false;
}

/* The first line names the program that writes it, which may be another version now. */
static Str by_its_program(Replay *replay, Str json)
{
    Str own = STR("\"program\":\"" THIS_PROGRAM "\"");
    Buf *out = &replay->text;

    replay->verdict.other_program = !str_eq(str_of(replay->head.program), STR(THIS_PROGRAM));
    for (size_t at = 0; at + own.len <= json.len; at++) {
        if (!str_eq(str_part(json, at, own.len), own))
            continue;
        buf_clear(out);
        buf_add(out, str_part(json, 0, at));
        buf_add(out, STR("\"program\":"));
        json_quote(out, str_of(replay->head.program), false);
        buf_add(out, str_part(json, at + own.len, json.len));
        return buf_str(out);
    }
    return json;
}

/* And its rules, as that program wrote them: the session was made of them, and a later version has
 * keys that they don't name. They are the line's end. */
static Str with_its_rules(Replay *replay, Str json, Str line)
{
    CLEANUP(buf_done) Buf all = {0};
    Str key = STR(",\"rules\":");
    size_t own, found;

    if (!find_last(json, key, &own) || !find_last(line, key, &found))
        return json;
    buf_add(&all, str_part(json, 0, own));
    buf_add(&all, str_part(line, found, line.len));
    buf_clear(&replay->text);
    buf_add(&replay->text, buf_str(&all));
    return buf_str(&replay->text);
}

bool maw_replay_heard(MawReplay *replay, Str json)
{
    bool first = !replay->began;
    Str line;

    if (replay->differs)
        return true;
    if (first)
        json = by_its_program(replay, json);
    replay->began = true;
    bool there = next_expected(replay, &line);
    if (first && there)
        json = with_its_rules(replay, json, line);
    if (!there)
        replay->ran_ahead = true;
    else if (replay->expected.len == 0 && !replay->last_has_end && str_starts(json, line))
        replay->ran_ahead = line.len < json.len; /* the beginning of it is there */
    else if (!str_eq(line, json))
        tell_difference(replay, line, json);
    return there;
}

static void on_record(void *user, Str json)
{
    maw_replay_heard(user, json);
}

static void on_send(void *user, const MawStanza *stanza)
{
    (void)user;
    (void)stanza;
}

/* Those who came to fill the seats joined by messages, which are in the record. */
static void on_fill(void *user, unsigned missing)
{
    (void)user;
    (void)missing;
}

/* ---- what was done, once more ---- */

static MawAct act_named(Str name)
{
    for (MawAct act = ACT_NONE; act < ACT_OTHER; act++)
        if (str_eq(name, str_of(maw_act_name(act))))
            return act;
    return ACT_OTHER;
}

/* The body; of one that was too long to be kept whole, one of the same length that is cut at the
 * same place. */
static Str body_of(Replay *replay, const json_t *event)
{
    Str body = json_text(event, "body");
    Buf *out = &replay->text;
    int64_t bytes = 0;

    if (!json_as_int(json_get(event, "body_bytes"), &bytes) || bytes <= (int64_t)body.len ||
        bytes > BODY_MOST)
        return body;
    buf_clear(out);
    buf_add(out, body);
    /* The place where it was cut is not in the middle of a character. */
    while ((int64_t)out->len + 4 <= bytes && !buf_failed(out))
        buf_add(out, STR(WOLF));
    while ((int64_t)out->len < bytes && !buf_failed(out))
        buf_add_char(out, ' ');
    return buf_str(out);
}

static void receive_event(Replay *replay, MawSession *session, const json_t *event, bool bounce,
                          TimeUs now)
{
    Str protocol = json_text(event, "protocol");
    MawStanza stanza = {.from = json_text(event, "from"),
                        .to = json_text(event, "to"),
                        .id = json_text(event, "id"),
                        .type = bounce ? STANZA_ERROR : STANZA_CHAT,
                        .act = act_named(json_text(event, "act")),
                        .reply_with = json_text(event, "reply_with"),
                        .conversation_id = json_text(event, "conversation_id"),
                        .thread = json_text(event, "thread"),
                        .error_condition = json_text(event, "condition"),
                        .has_body = !bounce};

    if (!bounce)
        stanza.body = body_of(replay, event);
    if (protocol.len) {
        stanza.other[0].key = STR("protocol");
        stanza.other[0].value = protocol;
        stanza.other_count = 1;
    }
    maw_session_receive(session, &stanza, now);
}

/* The reason stands in the event that follows. */
static void stop_replay(const Replay *replay, MawSession *session, TimeUs now)
{
    CLEANUP(buf_done) Buf why = {0};
    Str rest = replay->rest;
    json_t *end = NULL;

    while (rest.len) {
        Str line = str_cut(&rest, '\n');
        if (is_tables(line))
            continue;
        if (json_read(line, MAW_RECORD_LINE_MAX, &end, NULL) == 0)
            buf_add(&why, json_text(end, "why"));
        json_done(end);
        break;
    }
    maw_session_stop(session, buf_cstr(&why), now);
}

static void go_on(MawSession *session, const json_t *event, TimeUs now)
{
    int64_t unix_ms = -1;

    maw_record_date(json_text(event, "at"), &unix_ms);
    maw_session_continue(session, unix_ms, json_number(event, "wait_ms"), now);
}

static void redo_event(Replay *replay, MawSession *session, const json_t *event, TimeUs now)
{
    Str kind = json_text(event, "event"), state = json_text(event, "state");
    bool by_operator = str_eq(kind, STR("operator")), link = str_eq(kind, STR("link"));
    Str act = json_text(event, "act");

    if (str_eq(kind, STR("message")))
        receive_event(replay, session, event, false, now);
    else if (str_eq(kind, STR("bounce")))
        receive_event(replay, session, event, true, now);
    else if (str_eq(kind, STR("kick")))
        maw_session_kick(session, json_text(event, "name"), now);
    else if (by_operator && str_eq(act, STR("end_phase")))
        maw_session_end_phase(session, now);
    else if (by_operator && str_eq(act, STR("pause")))
        maw_session_pause(session, now);
    else if (by_operator && str_eq(act, STR("resume")))
        maw_session_resume(session, now);
    else if (by_operator && str_eq(act, STR("extend")))
        maw_session_extend(session, json_number(event, "ms"), now);
    else if (by_operator && str_eq(act, STR("drain")))
        maw_session_drain(session, now);
    else if (by_operator && str_eq(act, STR("stop")))
        stop_replay(replay, session, now);
    else if (str_eq(kind, STR("resumed")))
        go_on(session, event, now);
    else if (link && str_eq(state, STR("down")))
        maw_session_link(session, false, now);
    else if (link && str_eq(state, STR("up")))
        maw_session_link(session, true, now);
    else
        maw_session_tick(session, now);
}

static void check_tables(Replay *replay, const json_t *event)
{
    static const char *const known[] = {"seat",    "decision", "opinion",
                                        "figures", "fault",    "dropped"};
    Str kind = json_text(event, "event");
    bool is_known = false;
    int64_t at;

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        is_known = is_known || str_eq(kind, str_of(known[i]));
    if (!json_as_int(json_get(event, "t_ms"), &at) || at < 0)
        differ_at(replay, replay->line, STR("'t_ms' is not a time"));
    else if (!is_known)
        differ_at(
            replay, replay->line,
            STR("expected one of the events seat, decision, opinion, figures, fault, dropped"));
}

static void take_line(Replay *replay, MawSession *session, Str line)
{
    CLEANUP(buf_done) Buf reason = {0};
    json_t *event = NULL;
    Err wrong = {0};
    int64_t at = -1;

    if (json_read(line, MAW_RECORD_LINE_MAX, &event, &wrong)) {
        buf_printf(&reason, "not an event: %s", plain_error(&wrong));
        differ_at(replay, replay->line, buf_str(&reason));
        return;
    }
    if (!json_is_map(event))
        differ_at(replay, replay->line, STR("not an event: expected an object"));
    else if (is_tables(line))
        check_tables(replay, event);
    else if (!json_as_int(json_get(event, "t_ms"), &at) || at < 0 || at > T_MS_MAX)
        differ_at(replay, replay->line, STR("'t_ms' is not a time"));
    else
        redo_event(replay, session, event, replay->zero + at * 1000);
    json_done(event);
}

/* A last line without its end is taken when it is whole but for that. */
static bool is_whole(Str line)
{
    json_t *event = NULL;
    bool whole = json_read(line, MAW_RECORD_LINE_MAX, &event, NULL) == 0;

    json_done(event);
    return whole;
}

/* ---- the whole ---- */

static int open_session(Replay *replay, Err *err)
{
    const MawRecordHead *head = &replay->head;
    MawSessionSetup setup = {
        .rules = &head->rules,
        .options = head->options,
        .id = str_of(head->id),
        .domain = str_of(head->domain),
        .suffix = str_of(head->suffix),
        .chance = head->chance,
        .unix_ms = head->unix_ms,
        .out = {.send = on_send, .record = on_record, .fill = on_fill, .user = replay},
    };

    return maw_session_new(&setup, &replay->session, err);
}

static void record_truncated(Replay *replay, unsigned line, const char *reason)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "truncated: line %u %s", line, reason);
    differ_at(replay, line, buf_str(&text));
    replay->verdict.truncated = true;
}

/* All lines, until one differs. */
static void play_again(Replay *replay)
{
    while (replay->rest.len && !replay->differs) {
        Str line = str_cut(&replay->rest, '\n');
        replay->line++;
        if (replay->rest.len == 0 && !replay->last_has_end && !is_whole(line)) {
            record_truncated(replay, replay->line, "is cut off; what stands before it replays");
            return;
        }
        take_line(replay, replay->session, line);
    }
}

/* What is left when all was done once more. */
static void conclude_replay(Replay *replay)
{
    Str line;

    if (!replay->differs && next_expected(replay, &line))
        differ_at(replay, replay->expected_line, STR("played again, this does not happen"));
    if (!replay->differs && !maw_session_over(replay->session))
        record_truncated(replay, replay->line,
                         "is the last, and the session is not over; it replays");
    if (!replay->differs && replay->ran_ahead)
        record_truncated(replay, replay->line, "is the last, but more follows from it; it replays");
    replay->verdict.ok = !replay->differs;
    replay->verdict.rounds = maw_session_round(replay->session);
}

/* The first line; 0 with a verdict when no session can be made of it. */
static int begin_replay(Replay *replay, Str text, Err *err)
{
    Str rest = text, first = str_cut(&rest, '\n');
    Err wrong = {0};

    replay->expected = replay->rest = text;
    if (rest.len == 0 && !is_whole(first)) {
        record_truncated(replay, 1, "is cut off, and there is no other");
        return 0;
    }
    int rc = maw_record_head(first, &replay->head, &wrong);
    if (rc == 0)
        rc = open_session(replay, &wrong);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "%s", wrong.msg);
    if (rc)
        differ_at(replay, 1, str_of(plain_error(&wrong)));
    return 0;
}

static int check_size(Str text, Err *err)
{
    if (text.len <= MAW_RECORD_BYTES_MAX)
        return 0;
    return err_set(err, ERR_LIMIT, "a session's record has at most %zu bytes",
                   MAW_RECORD_BYTES_MAX);
}

int maw_record_replay(Str text, MawReplayVerdict *ret, Err *err)
{
    Replay replay = {.last_has_end = text.len > 0 && text.bytes[text.len - 1] == '\n'};
    int rc = check_size(text, err);

    if (rc)
        return rc;
    rc = begin_replay(&replay, text, err);
    if (replay.session) {
        play_again(&replay);
        conclude_replay(&replay);
    }
    maw_session_free(replay.session);
    buf_done(&replay.text);
    if (rc == 0)
        *ret = replay.verdict;
    return rc;
}

/* ---- by a session of somebody else's ---- */

int maw_replay_new(Str text, MawReplay **ret_replay, Err *err)
{
    Str rest = text;
    MawReplay *replay = mem_new(sizeof(*replay));
    int rc = replay ? check_size(text, err) : err_set(err, ERR_MEMORY, "replay: out of memory");

    if (rc == 0)
        rc = maw_record_head(str_cut(&rest, '\n'), &replay->head, err);
    if (rc) {
        maw_replay_free(replay);
        return rc;
    }
    replay->expected = replay->rest = text;
    replay->last_has_end = true;
    *ret_replay = replay;
    return 0;
}

MawReplay *maw_replay_free(MawReplay *replay)
{
    if (!replay)
        return NULL;
    buf_done(&replay->text);
    return mem_free(replay);
}

const MawRecordHead *maw_replay_head(const MawReplay *replay)
{
    return &replay->head;
}

/* From the last line forwards: lines of the table have no round. */
void maw_replay_end(const MawReplay *replay, TimeMs *ret_last, uint32_t *ret_round)
{
    *ret_last = 0;
    *ret_round = 0;
    for (Str rest = replay->rest; rest.len;) {
        json_t *event = NULL;
        if (json_read(str_cut(&rest, '\n'), MAW_RECORD_LINE_MAX, &event, NULL))
            continue;
        TimeMs at = json_number(event, "t_ms");
        int64_t round = json_number(event, "round");
        *ret_last = at > *ret_last && at <= T_MS_MAX ? at : *ret_last;
        *ret_round = round > *ret_round && round <= UINT32_MAX ? (uint32_t)round : *ret_round;
        json_done(event);
    }
}

bool maw_replay_step(MawReplay *replay, MawSession *session, TimeUs began, Str *ret_table)
{
    *ret_table = (Str){0};
    replay->zero = began;
    if (replay->rest.len == 0 || replay->differs)
        return false;
    Str line = str_cut(&replay->rest, '\n');
    replay->line++;
    take_line(replay, session, line);
    if (is_tables(line))
        *ret_table = line;
    return true;
}

int maw_replay_check(const MawReplay *replay, Err *err)
{
    Str line;
    MawReplay rest = *replay;

    if (replay->differs)
        return err_set(err, ERR_SYNTAX, "line %u: %s", replay->verdict.line,
                       replay->verdict.reason);
    if (next_expected(&rest, &line))
        return err_set(err, ERR_SYNTAX, "line %u: played again, this does not happen",
                       rest.expected_line);
    return 0;
}
