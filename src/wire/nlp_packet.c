/* A packet is written straight into the caller's buffer, key by key in alphabetical order: a server
 * writes one for every ask, so nothing is collected or looked up on the way. Texts are escaped as
 * the recorded servers escape them, so that packets can be compared as bytes. */
#include "wire/nlp_packet.h"

#include "base/utf8.h"

#include <assert.h>

static const char *const request_names[NLP_REQUEST_COUNT] = {
    [NLP_NAME] = "NAME",
    [NLP_INITIALIZE] = "INITIALIZE",
    [NLP_DAILY_INITIALIZE] = "DAILY_INITIALIZE",
    [NLP_TALK] = "TALK",
    [NLP_WHISPER] = "WHISPER",
    [NLP_VOTE] = "VOTE",
    [NLP_DIVINE] = "DIVINE",
    [NLP_GUARD] = "GUARD",
    [NLP_ATTACK] = "ATTACK",
    [NLP_DAILY_FINISH] = "DAILY_FINISH",
    [NLP_FINISH] = "FINISH",
    [NLP_TALK_PHASE_START] = "TALK_PHASE_START",
    [NLP_TALK_PHASE_END] = "TALK_PHASE_END",
    [NLP_TALK_BROADCAST] = "TALK_BROADCAST",
    [NLP_WHISPER_PHASE_START] = "WHISPER_PHASE_START",
    [NLP_WHISPER_PHASE_END] = "WHISPER_PHASE_END",
    [NLP_WHISPER_BROADCAST] = "WHISPER_BROADCAST",
    [NLP_BID] = "BID",
};

/* ---- requests ---- */

const char *nlp_request_name(NlpRequest request)
{
    assert(request < NLP_REQUEST_COUNT);
    return request_names[request];
}

NlpRequest nlp_request_of(Str name)
{
    for (NlpRequest request = 0; request < NLP_REQUEST_COUNT; request++)
        if (str_eq(name, str_of(request_names[request])))
            return request;
    return NLP_REQUEST_COUNT;
}

NlpRequest nlp_request_for(AskKind kind)
{
    switch (kind) {
    case ASK_TALK:
        return NLP_TALK;
    case ASK_WHISPER:
        return NLP_WHISPER;
    case ASK_VOTE:
        return NLP_VOTE;
    case ASK_DIVINE:
        return NLP_DIVINE;
    case ASK_GUARD:
        return NLP_GUARD;
    case ASK_ATTACK:
        return NLP_ATTACK;
    case ASK_BID:
        return NLP_BID;
    case ASK_ROLE:
    case ASK_COUNT:
        break;
    }
    return NLP_REQUEST_COUNT;
}

bool nlp_request_has_reply(NlpRequest request)
{
    return request == NLP_NAME || request == NLP_BID ||
           (request >= NLP_TALK && request <= NLP_ATTACK);
}

/* What a packet is about. */
static bool is_talk_session(NlpRequest request)
{
    return request == NLP_TALK || request == NLP_TALK_PHASE_START ||
           request == NLP_TALK_PHASE_END || request == NLP_TALK_BROADCAST;
}

static bool is_whisper_session(NlpRequest request)
{
    return request == NLP_WHISPER || request == NLP_WHISPER_PHASE_START ||
           request == NLP_WHISPER_PHASE_END || request == NLP_WHISPER_BROADCAST;
}

/* ---- texts ---- */

/* A character that JSON or the recorded servers write as an escape. */
static void add_escape(Buf *out, uint32_t code)
{
    static const char hex[] = "0123456789abcdef";
    static const char from[] = "\"\\\b\f\n\r\t";
    static const char to[] = "\"\\bfnrt";
    const char *at = code && code < 0x80 ? strchr(from, (int)code) : NULL;

    if (at) {
        buf_add(out, (Str){(char[]){'\\', to[at - from]}, 2});
        return;
    }
    char text[] = {
        '\\', 'u', hex[code >> 12 & 15], hex[code >> 8 & 15], hex[code >> 4 & 15], hex[code & 15]};
    buf_add(out, (Str){text, sizeof(text)});
}

/* Bytes at the front that stand for themselves: 0 = the first one does not. Three-byte characters,
 * which most talk consists of, are known here by their form; all others go through utf8_next. */
static size_t plain_bytes(Str text)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    size_t n = 0;

    while (n < text.len) {
        unsigned char c = bytes[n];
        if (c >= 0x20 && c < 0x80) {
            if (c == '"' || c == '\\' || c == '<' || c == '>' || c == '&')
                break;
            n++;
        } else if (c >= 0xE3 && c <= 0xEC && text.len - n >= 3 && (bytes[n + 1] & 0xC0) == 0x80 &&
                   (bytes[n + 2] & 0xC0) == 0x80) {
            n += 3;
        } else {
            break;
        }
    }
    return n;
}

/* As recorded: '<', '>', '&', U+2028 and U+2029 are escaped, all else above U+001F is as it is
 * (3.6). What is not UTF-8 becomes U+FFFD. */
static void add_text(Buf *out, Str text)
{
    while (text.len) {
        size_t plain = plain_bytes(text);
        buf_add(out, (Str){text.bytes, plain});
        text = (Str){text.bytes + plain, text.len - plain};
        if (text.len == 0)
            break;

        Str rest = text;
        uint32_t code = utf8_next(&rest);
        if (code < 0x80 || code == 0x2028 || code == 0x2029)
            add_escape(out, code);
        else if (code == UTF8_INVALID)
            buf_add(out, STR("\xEF\xBF\xBD"));
        else
            buf_add(out, (Str){text.bytes, text.len - rest.len});
        text = rest;
    }
}

/* `key` is all between what came before and the text: ,"agent":" */
static void add_string(Buf *out, Str key, Str text)
{
    buf_add(out, key);
    add_text(out, text);
    buf_add_char(out, '"');
}

static void add_uint(Buf *out, Str key, uint64_t value)
{
    buf_add(out, key);
    buf_add_uint(out, value);
}

static void add_int(Buf *out, Str key, int64_t value)
{
    buf_add(out, key);
    buf_add_int(out, value);
}

/* ---- lists ---- */

static void add_talk(const Talk *talk, const View *view, const NlpGameText *text, Buf *out)
{
    add_string(out, STR("{\"agent\":\""), view->names[talk->seat]);
    add_uint(out, STR(",\"day\":"), talk->day);
    add_uint(out, STR(",\"idx\":"), talk->idx);
    buf_add(out, talk->over ? STR(",\"over\":true") : STR(",\"over\":false"));
    buf_add(out, talk->skip ? STR(",\"skip\":true") : STR(",\"skip\":false"));
    add_string(out, STR(",\"text\":\""), talk->text);
    add_int(out, STR(",\"time\":"), text->began_unix_ms + talk->time);
    add_uint(out, STR(",\"turn\":"), talk->turn);
    buf_add_char(out, '}');
}

/* What lies behind the cursor, which moves to the end. */
static void add_history(const TalkLog *log, const View *view, const NlpGameText *text,
                        uint32_t *cursor, Buf *out)
{
    buf_add_char(out, '[');
    for (uint32_t i = *cursor; i < log->count; i++) {
        if (i > *cursor)
            buf_add_char(out, ',');
        add_talk(&log->items[i], view, text, out);
    }
    buf_add_char(out, ']');
    *cursor = log->count;
}

static void add_votes(Buf *out, Str key, const VoteLog *votes, const View *view)
{
    if (votes->count == 0 || !view->rules->vote.visible)
        return;
    buf_add(out, key);
    for (uint8_t i = 0; i < votes->count; i++) {
        if (i > 0)
            buf_add_char(out, ',');
        add_string(out, STR("{\"agent\":\""), view->names[votes->items[i].voter]);
        add_uint(out, STR(",\"day\":"), votes->day);
        add_string(out, STR(",\"target\":\""), view->names[votes->items[i].target]);
        buf_add_char(out, '}');
    }
    buf_add_char(out, ']');
}

/* `agent` is who looked, but a medium's result names the executed twice (3.4). Its day is the one
 * on which it was made, the view's the one on which it is learnt. */
static void add_judge(Buf *out, Str key, const Judge *judge, SeatNo agent, const View *view)
{
    if (judge->target == SEAT_NONE)
        return;
    buf_add(out, key);
    add_string(out, STR("{\"agent\":\""), view->names[agent]);
    add_uint(out, STR(",\"day\":"), judge->day > 0 ? judge->day - 1u : 0);
    add_string(out, STR(",\"result\":\""), str_of(species_name(judge->result)));
    add_string(out, STR(",\"target\":\""), view->names[judge->target]);
    buf_add_char(out, '}');
}

/* ---- maps by name ---- */

/* The seats with their names in ascending order of bytes. The first eight bytes, as one number,
 * decide nearly always. */
static void sort_seats(const View *view, SeatNo ret_seats[static SEAT_MAX])
{
    uint64_t heads[SEAT_MAX];

    for (SeatNo seat = 1; seat <= view->seat_count; seat++) {
        Str name = view->names[seat];
        uint64_t head = 0;
        for (size_t i = 0; i < 8; i++)
            head = head << 8 | (i < name.len ? (unsigned char)name.bytes[i] : 0);
        size_t at = seat - 1u;
        for (; at > 0 && heads[at - 1] >= head; at--) {
            Str before = view->names[ret_seats[at - 1]];
            size_t common = before.len < name.len ? before.len : name.len;
            int order = common ? memcmp(before.bytes, name.bytes, common) : 0;
            if (order < 0 || (order == 0 && before.len <= name.len))
                break;
            heads[at] = heads[at - 1];
            ret_seats[at] = ret_seats[at - 1];
        }
        heads[at] = head;
        ret_seats[at] = seat;
    }
}

static void add_maps(const View *view, Buf *out)
{
    SeatNo seats[SEAT_MAX];
    bool first = true;

    sort_seats(view, seats);
    buf_add(out, STR(",\"role_map\":{"));
    for (SeatNo i = 0; i < view->seat_count; i++) {
        if (view->roles[seats[i]] == ROLE_NONE)
            continue;
        add_string(out, first ? STR("\"") : STR(",\""), view->names[seats[i]]);
        add_string(out, STR(":\""), str_of(role_name((Role)view->roles[seats[i]])));
        first = false;
    }
    buf_add(out, STR("},\"status_map\":{"));
    for (SeatNo i = 0; i < view->seat_count; i++) {
        add_string(out, i == 0 ? STR("\"") : STR(",\""), view->names[seats[i]]);
        buf_add(out, seat_in(view->alive, seats[i]) ? STR(":\"ALIVE\"") : STR(":\"DEAD\""));
    }
    buf_add_char(out, '}');
}

/* ---- info ---- */

/* What the receiver has left in this session; nobody who may not know is told. */
static void add_remains(const TalkRules *rules, SeatNo seat, const uint16_t *left,
                        const int32_t *length, const uint16_t *skips, Buf *out)
{
    if (!left || !length || !skips)
        return;
    add_uint(out, STR(",\"remain_count\":"), left[seat]);
    if (rules->length.per_agent != LIMIT_NONE)
        add_int(out, STR(",\"remain_length\":"), length[seat]);
    int32_t skip = skips[seat];
    if (rules->skip_rule != SKIP_BUDGET)
        skip = skip < rules->max_skip ? rules->max_skip - skip : 0;
    add_int(out, STR(",\"remain_skip\":"), skip);
}

static void add_session(NlpRequest request, const View *view, Buf *out)
{
    if (is_talk_session(request))
        add_remains(&view->rules->talk, view->seat, view->talk_left, view->talk_length,
                    view->talk_skips, out);
    else if (is_whisper_session(request))
        add_remains(&view->rules->whisper, view->seat, view->whisper_left, view->whisper_length,
                    view->whisper_skips, out);
}

static void add_info(NlpRequest request, const View *view, const NlpGameText *text, Buf *out)
{
    const Str *names = view->names;

    add_string(out, STR("{\"info\":{\"agent\":\""), names[view->seat]);
    if (view->role == ROLE_WEREWOLF)
        add_votes(out, STR(",\"attack_vote_list\":["), view->attack_votes, view);
    /* No curse in these rules: who died last night was attacked. */
    if (view->last_dead_count > 0)
        add_string(out, STR(",\"attacked_agent\":\""),
                   names[view->last_dead[view->last_dead_count - 1]]);
    add_uint(out, STR(",\"day\":"), view->day);
    add_judge(out, STR(",\"divine_result\":"), &view->divined, view->divined.agent, view);
    if (view->executed != SEAT_NONE)
        add_string(out, STR(",\"executed_agent\":\""), names[view->executed]);
    add_string(out, STR(",\"game_id\":\""), text->game_id);
    add_judge(out, STR(",\"medium_result\":"), &view->identified, view->identified.target, view);
    if (request == NLP_INITIALIZE && text->profile.len)
        add_string(out, STR(",\"profile\":\""), text->profile);
    add_session(request, view, out);
    add_maps(view, out);
    add_votes(out, STR(",\"vote_list\":["), view->votes, view);
    buf_add_char(out, '}');
}

/* ---- packets: the table of 3.2 ---- */

void nlp_packet_write(NlpRequest request, const View *view, const NlpGameText *text,
                      NlpCursor *cursor, const Talk *news, Buf *out)
{
    NlpCursor start = {0};
    bool begins = request == NLP_INITIALIZE || request == NLP_DAILY_INITIALIZE;

    if (request == NLP_NAME) {
        buf_add(out, STR("{\"request\":\"NAME\"}"));
        return;
    }
    if (!cursor)
        cursor = &start;
    if (begins)
        *cursor = start;
    add_info(request, view, text, out);
    if (request == NLP_TALK_BROADCAST || request == NLP_WHISPER_BROADCAST) {
        assert(news);
        buf_add(out,
                request == NLP_TALK_BROADCAST ? STR(",\"new_talk\":") : STR(",\"new_whisper\":"));
        add_talk(news, view, text, out);
    }
    add_string(out, STR(",\"request\":\""), str_of(nlp_request_name(request)));
    if (begins) {
        buf_add(out, STR(",\"setting\":"));
        buf_add(out, text->setting);
    }
    if (request == NLP_TALK || request == NLP_BID || request == NLP_DAILY_FINISH) {
        buf_add(out, STR(",\"talk_history\":"));
        add_history(view->talk, view, text, &cursor->talk, out);
    }
    if (request == NLP_WHISPER || request == NLP_ATTACK ||
        (request == NLP_DAILY_FINISH && view->role == ROLE_WEREWOLF)) {
        buf_add(out, STR(",\"whisper_history\":"));
        add_history(view->whisper, view, text, &cursor->whisper, out);
    }
    buf_add_char(out, '}');
}
