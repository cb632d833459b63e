/* Written by hand and not through base/json.h: a server sends hundreds of these for a game, and all
 * of a packet but numbers and texts is constant. Keys stand in the order of their letters, as the
 * reference server writes them (docs/spec/protocol-division.md 2.1). */
#include "wire/aiwolf_packet.h"

#include "base/utf8.h"

#include <assert.h>

/* ---- names ---- */

static const char *const request_names[AIWOLF_REQUEST_COUNT] = {
    "NAME", "ROLE",   "INITIALIZE", "DAILY_INITIALIZE", "DAILY_FINISH", "TALK", "WHISPER",
    "VOTE", "DIVINE", "GUARD",      "ATTACK",           "FINISH",       "BID",
};

const char *aiwolf_request_name(AiwolfRequest request)
{
    return (unsigned)request < AIWOLF_REQUEST_COUNT ? request_names[request] : "";
}

bool aiwolf_request_of(Str name, AiwolfRequest *ret_request)
{
    for (int i = 0; i < AIWOLF_REQUEST_COUNT; i++)
        if (str_eq(name, str_of(request_names[i]))) {
            *ret_request = (AiwolfRequest)i;
            return true;
        }
    return false;
}

AiwolfRequest aiwolf_request_of_ask(AskKind kind)
{
    static const AiwolfRequest requests[ASK_COUNT] = {
        AIWOLF_ROLE,   AIWOLF_TALK,  AIWOLF_WHISPER, AIWOLF_VOTE,
        AIWOLF_DIVINE, AIWOLF_GUARD, AIWOLF_ATTACK,  AIWOLF_BID,
    };

    assert(kind < ASK_COUNT);
    return requests[kind];
}

bool aiwolf_request_wants_answer(AiwolfRequest request)
{
    return request != AIWOLF_INITIALIZE && request != AIWOLF_DAILY_INITIALIZE &&
           request != AIWOLF_DAILY_FINISH && request != AIWOLF_FINISH;
}

/* ---- pieces ---- */

static void add_escape(Buf *out, uint32_t unit)
{
    static const char hex[] = "0123456789ABCDEF";
    const char escape[] = {
        '\\', 'u', hex[unit >> 12 & 15], hex[unit >> 8 & 15], hex[unit >> 4 & 15], hex[unit & 15]};

    buf_add(out, (Str){escape, sizeof(escape)});
}

/* Printable ASCII that the reference server does not escape. */
static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '<' && c != '>';
}

static void add_odd(Buf *out, uint32_t code)
{
    static const char from[] = "\"\\\b\f\n\r\t";
    static const char to[] = "\"\\bfnrt";
    const char *at = code > 0 && code < 0x7F ? strchr(from, (int)code) : NULL;

    if (at) {
        buf_add_char(out, '\\');
        buf_add_char(out, to[at - from]);
    } else if (code == UTF8_INVALID) {
        add_escape(out, UTF8_REPLACEMENT);
    } else if (code >= 0x10000) {
        add_escape(out, 0xD800u + ((code - 0x10000) >> 10));
        add_escape(out, 0xDC00u + ((code - 0x10000) & 0x3FFu));
    } else {
        add_escape(out, code);
    }
}

/* The inside of a string. */
static void add_text(Buf *out, Str text)
{
    while (text.len) {
        size_t plain = 0;
        while (plain < text.len && is_plain(text.bytes[plain]))
            plain++;
        buf_add(out, (Str){text.bytes, plain});
        text = str_part(text, plain, text.len);
        if (text.len)
            add_odd(out, utf8_next(&text));
    }
}

static void add_bool(Buf *out, bool value)
{
    buf_add(out, value ? STR("true") : STR("false"));
}

/* "Nobody" is -1 in what the server says. */
static void add_agent(Buf *out, SeatNo seat)
{
    if (seat == SEAT_NONE)
        buf_add(out, STR("-1"));
    else
        buf_add_uint(out, seat);
}

/* With a comma in front. */
static void add_talk(Buf *out, const Talk *talk)
{
    buf_add(out, STR(",{\"agent\":"));
    buf_add_uint(out, talk->seat);
    buf_add(out, STR(",\"day\":"));
    buf_add_uint(out, talk->day);
    buf_add(out, STR(",\"idx\":"));
    buf_add_uint(out, talk->idx);
    buf_add(out, STR(",\"text\":\""));
    add_text(out, talk->text);
    buf_add(out, STR("\",\"turn\":"));
    buf_add_uint(out, talk->turn);
    buf_add_char(out, '}');
}

/* Where utterance number `i` begins. */
static uint32_t text_start(const AiwolfTalkText *text, uint32_t i)
{
    uint32_t start = 0;

    if (i > 0)
        memcpy(&start, text->ends.bytes + (i - 1) * sizeof(start), sizeof(start));
    return start;
}

/* Writes what has been said since. False when there is no memory. */
static bool catch_up(AiwolfTalkText *text, const TalkLog *log)
{
    for (; text->count < log->count; text->count++) {
        add_talk(&text->bytes, &log->items[text->count]);
        uint32_t end = (uint32_t)text->bytes.len;
        buf_add(&text->ends, (Str){(const char *)&end, sizeof(end)});
    }
    return !buf_failed(&text->bytes) && !buf_failed(&text->ends);
}

static void text_clear(AiwolfTalkText *text)
{
    buf_clear(&text->bytes);
    buf_clear(&text->ends);
    text->count = 0;
}

/* Utterances from number `from` on. `text` may be NULL. */
static void add_talks(Buf *out, AiwolfTalkText *text, const TalkLog *log, uint32_t from)
{
    size_t first = out->len;

    if (from >= log->count) {
        buf_add(out, STR("[]"));
        return;
    }
    if (text && catch_up(text, log)) {
        uint32_t start = text_start(text, from);
        uint32_t end = text_start(text, log->count);
        buf_add(out, str_part(buf_str(&text->bytes), start, end - start));
    } else {
        for (uint32_t i = from; i < log->count; i++)
            add_talk(out, &log->items[i]);
    }
    if (!buf_failed(out))
        out->bytes[first] = '['; /* in place of the first comma */
    buf_add_char(out, ']');
}

static void add_votes(Buf *out, const VoteLog *votes)
{
    buf_add_char(out, '[');
    for (uint32_t i = 0; i < votes->count; i++) {
        buf_add(out, i ? STR(",{\"agent\":") : STR("{\"agent\":"));
        buf_add_uint(out, votes->items[i].voter);
        buf_add(out, STR(",\"day\":"));
        buf_add_uint(out, votes->day);
        buf_add(out, STR(",\"target\":"));
        buf_add_uint(out, votes->items[i].target);
        buf_add_char(out, '}');
    }
    buf_add_char(out, ']');
}

static void add_judge(Buf *out, const Judge *judge)
{
    if (judge->target == SEAT_NONE) {
        buf_add(out, STR("null"));
        return;
    }
    buf_add(out, STR("{\"agent\":"));
    buf_add_uint(out, judge->agent);
    buf_add(out, STR(",\"day\":"));
    buf_add_uint(out, judge->day);
    buf_add(out, STR(",\"result\":\""));
    buf_add(out, str_of(species_name(judge->result)));
    buf_add(out, STR("\",\"target\":"));
    buf_add_uint(out, judge->target);
    buf_add_char(out, '}');
}

/* The key of a map by agent, with what must stand in front of it. */
static void add_seat_key(Buf *out, SeatNo seat, bool first)
{
    buf_add(out, first ? STR("\"") : STR(",\""));
    buf_add_uint(out, seat);
    buf_add(out, STR("\":"));
}

/* ---- gameInfo ---- */

static void add_roles_present(Buf *out, const View *view)
{
    static const Role by_name[] = {ROLE_BODYGUARD, ROLE_FOX,  ROLE_FREEMASON, ROLE_MEDIUM,
                                   ROLE_POSSESSED, ROLE_SEER, ROLE_VILLAGER,  ROLE_WEREWOLF};
    bool first = true;

    buf_add_char(out, '[');
    for (size_t i = 0; i < sizeof(by_name) / sizeof(by_name[0]); i++) {
        if (!view->role_counts[by_name[i]])
            continue;
        buf_add(out, first ? STR("\"") : STR(",\""));
        buf_add(out, str_of(role_name(by_name[i])));
        buf_add_char(out, '"');
        first = false;
    }
    buf_add_char(out, ']');
}

static void add_last_dead(Buf *out, const View *view)
{
    buf_add_char(out, '[');
    for (uint32_t i = 0; i < view->last_dead_count; i++) {
        if (i)
            buf_add_char(out, ',');
        buf_add_uint(out, view->last_dead[i]);
    }
    buf_add_char(out, ']');
}

/* Utterances left, of these agents; NULL for who may not know. */
static void add_left(Buf *out, const uint16_t *left, SeatSet seats)
{
    buf_add_char(out, '{');
    for (SeatSet rest = left ? seats : 0; rest; rest &= rest - 1) {
        add_seat_key(out, seat_first(rest), rest == seats);
        buf_add_uint(out, left[seat_first(rest)]);
    }
    buf_add_char(out, '}');
}

static SeatSet seats_with(const View *view, Role role)
{
    SeatSet seats = 0;

    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (view->roles[seat] == role)
            seats |= seat_bit(seat);
    return seats;
}

static void add_role(Buf *out, SeatNo seat, uint8_t role, bool first)
{
    add_seat_key(out, seat, first);
    buf_add_char(out, '"');
    buf_add(out, str_of(role_name((Role)role)));
    buf_add_char(out, '"');
}

/* Its own role first, then the others ascending; in the end, when all are known, just ascending. */
static void add_known_roles(Buf *out, const View *view)
{
    bool own_first = !view->over && view->roles[view->seat] != ROLE_NONE;
    bool first = !own_first;

    buf_add_char(out, '{');
    if (own_first)
        add_role(out, view->seat, view->roles[view->seat], true);
    for (SeatNo seat = 1; seat <= view->seat_count; seat++) {
        if (view->roles[seat] == ROLE_NONE || (own_first && seat == view->seat))
            continue;
        add_role(out, seat, view->roles[seat], first);
        first = false;
    }
    buf_add_char(out, '}');
}

static void add_statuses(Buf *out, const View *view)
{
    buf_add_char(out, '{');
    for (SeatNo seat = 1; seat <= view->seat_count; seat++) {
        add_seat_key(out, seat, seat == 1);
        buf_add(out, seat_in(view->alive, seat) ? STR("\"ALIVE\"") : STR("\"DEAD\""));
    }
    buf_add_char(out, '}');
}

/* 2.5. All keys, always; what this seat may not know is not in its view. */
static void add_info(Buf *out, AiwolfDayText *text, const View *view)
{
    buf_add(out, STR("{\"agent\":"));
    buf_add_uint(out, view->seat);
    buf_add(out, STR(",\"attackVoteList\":"));
    add_votes(out, view->attack_votes);
    buf_add(out, STR(",\"attackedAgent\":"));
    add_agent(out, view->attacked);
    buf_add(out, STR(",\"cursedFox\":-1,\"day\":"));
    buf_add_uint(out, view->day);
    buf_add(out, STR(",\"divineResult\":"));
    add_judge(out, &view->divined);
    buf_add(out, STR(",\"executedAgent\":"));
    add_agent(out, view->executed);
    buf_add(out, STR(",\"existingRoleList\":"));
    add_roles_present(out, view);
    buf_add(out, STR(",\"guardedAgent\":"));
    add_agent(out, view->guarded);
    buf_add(out, STR(",\"lastDeadAgentList\":"));
    add_last_dead(out, view);
    buf_add(out, STR(",\"latestAttackVoteList\":"));
    add_votes(out, view->latest_attack_votes);
    buf_add(out, STR(",\"latestExecutedAgent\":"));
    add_agent(out, view->executed_today);
    buf_add(out, STR(",\"latestVoteList\":"));
    add_votes(out, view->latest_votes);
    buf_add(out, STR(",\"mediumResult\":"));
    add_judge(out, &view->identified);
    buf_add(out, STR(",\"remainTalkMap\":"));
    add_left(out, view->talk_left, view->alive_at_dawn);
    buf_add(out, STR(",\"remainWhisperMap\":"));
    add_left(out, view->whisper_left, view->alive_at_dawn & seats_with(view, ROLE_WEREWOLF));
    buf_add(out, STR(",\"roleMap\":"));
    add_known_roles(out, view);
    buf_add(out, STR(",\"statusMap\":"));
    add_statuses(out, view);
    buf_add(out, STR(",\"talkList\":"));
    add_talks(out, text ? &text->talk : NULL, view->talk, 0);
    buf_add(out, STR(",\"voteList\":"));
    add_votes(out, view->votes);
    buf_add(out, STR(",\"whisperList\":"));
    add_talks(out, text ? &text->whisper : NULL, view->whisper, 0);
    buf_add_char(out, '}');
}

/* ---- gameSetting ---- */

/* Whether any phase of the day or the night does this on day 0. */
static bool on_first_day(const Ruleset *rules, Action action)
{
    for (int half = 0; half < 2; half++) {
        const Section *section = half ? &rules->night : &rules->day;
        for (uint32_t p = 0; p < section->count; p++) {
            const Phase *phase = &section->phases[p];
            if (phase->except_day == 0 || (phase->only_day != DAY_ANY && phase->only_day != 0))
                continue;
            for (uint32_t a = 0; a < phase->action_count; a++)
                if (phase->actions[a] == action)
                    return true;
        }
    }
    return false;
}

/* Who may speak as often as there are turns is told the number of turns. */
static int32_t most_of(const TalkRules *rules)
{
    return rules->max_per_agent == LIMIT_NONE ? rules->max_turns : rules->max_per_agent;
}

static void add_number(Buf *out, Str key, int32_t value)
{
    buf_add(out, key);
    buf_add_int(out, value);
}

static void add_flag(Buf *out, Str key, bool value)
{
    buf_add(out, key);
    add_bool(out, value);
}

/* The order that a running reference server was seen to use. */
static void add_role_counts(Buf *out, const View *view)
{
    buf_add(out, STR(",\"roleNumMap\":{\"FREEMASON\":"));
    buf_add_uint(out, view->role_counts[ROLE_FREEMASON]);
    add_number(out, STR(",\"SEER\":"), view->role_counts[ROLE_SEER]);
    add_number(out, STR(",\"VILLAGER\":"), view->role_counts[ROLE_VILLAGER]);
    add_number(out, STR(",\"POSSESSED\":"), view->role_counts[ROLE_POSSESSED]);
    add_number(out, STR(",\"ANY\":0,\"FOX\":"), view->role_counts[ROLE_FOX]);
    add_number(out, STR(",\"BODYGUARD\":"), view->role_counts[ROLE_BODYGUARD]);
    add_number(out, STR(",\"MEDIUM\":"), view->role_counts[ROLE_MEDIUM]);
    add_number(out, STR(",\"WEREWOLF\":"), view->role_counts[ROLE_WEREWOLF]);
    buf_add_char(out, '}');
}

/* 2.6. */
static void add_setting(Buf *out, const View *view, int64_t told_seed)
{
    const Ruleset *rules = view->rules;

    add_flag(out, STR("{\"enableNoAttack\":"), rules->attack.tie == TIE_NOBODY);
    add_flag(out, STR(",\"enableNoExecution\":"), rules->vote.tie == TIE_NOBODY);
    add_flag(out, STR(",\"enableRoleRequest\":"), rules->contest.role_request);
    add_number(out, STR(",\"maxAttackRevote\":"),
               rules->attack.rounds > 0 ? rules->attack.rounds - 1 : 0);
    add_number(out, STR(",\"maxRevote\":"), rules->vote.rounds > 0 ? rules->vote.rounds - 1 : 0);
    add_number(out, STR(",\"maxSkip\":"), rules->talk.max_skip);
    add_number(out, STR(",\"maxTalk\":"), most_of(&rules->talk));
    add_number(out, STR(",\"maxTalkTurn\":"), rules->talk.max_turns);
    add_number(out, STR(",\"maxWhisper\":"), most_of(&rules->whisper));
    add_number(out, STR(",\"maxWhisperTurn\":"), rules->whisper.max_turns);
    add_number(out, STR(",\"playerNum\":"), view->seat_count);
    buf_add(out, STR(",\"randomSeed\":"));
    buf_add_int(out, told_seed);
    add_role_counts(out, view);
    add_flag(out, STR(",\"talkOnFirstDay\":"), on_first_day(rules, ACTION_TALK));
    add_number(out, STR(",\"timeLimit\":"), rules->contest.time_limit_told_ms);
    add_flag(out, STR(",\"validateUtterance\":"), rules->talk.validate);
    add_flag(out, STR(",\"votableInFirstDay\":"), on_first_day(rules, ACTION_EXECUTION));
    add_flag(out, STR(",\"voteVisible\":"), rules->vote.visible);
    add_flag(out, STR(",\"whisperBeforeRevote\":"), rules->attack.whisper_before_revote);
    buf_add_char(out, '}');
}

/* ---- the packet ---- */

/* 2.3. A ballot that left no vote behind is not told: the next one looks like the first. */
static bool carries_info(AiwolfRequest request, bool revote, const View *view)
{
    switch (request) {
    case AIWOLF_INITIALIZE:
    case AIWOLF_DAILY_INITIALIZE:
    case AIWOLF_FINISH:
        return true;
    case AIWOLF_VOTE:
        return revote && (view->latest_votes->count > 0 || !view->rules->vote.visible);
    case AIWOLF_ATTACK:
        return view->executed_today != SEAT_NONE ||
               (revote && view->latest_attack_votes->count > 0);
    case AIWOLF_WHISPER:
    case AIWOLF_DIVINE:
    case AIWOLF_GUARD:
        return view->executed_today != SEAT_NONE;
    case AIWOLF_NAME:
    case AIWOLF_ROLE:
    case AIWOLF_DAILY_FINISH:
    case AIWOLF_TALK:
    case AIWOLF_BID:
    case AIWOLF_REQUEST_COUNT:
        break;
    }
    return false;
}

static void add_new_talks(Buf *out, AiwolfTalkText *text, const TalkLog *log, uint32_t *cursor)
{
    add_talks(out, text, log, *cursor <= log->count ? *cursor : 0);
    *cursor = log->count;
}

void aiwolf_day_text_done(AiwolfDayText *text)
{
    buf_done(&text->talk.bytes);
    buf_done(&text->talk.ends);
    buf_done(&text->whisper.bytes);
    buf_done(&text->whisper.ends);
    *text = (AiwolfDayText){0};
}

void aiwolf_packet_write(AiwolfRequest request, bool revote, const View *view, AiwolfCursor *cursor,
                         Buf *out)
{
    bool bare = request == AIWOLF_NAME || request == AIWOLF_ROLE;
    bool info = carries_info(request, revote, view);
    AiwolfDayText *text = cursor ? cursor->day_text : NULL;

    assert((unsigned)request < AIWOLF_REQUEST_COUNT);
    assert(bare || (view && cursor));
    if (text && (request == AIWOLF_INITIALIZE || request == AIWOLF_DAILY_INITIALIZE)) {
        text_clear(&text->talk);
        text_clear(&text->whisper);
    }
    buf_add(out, STR("{\"gameInfo\":"));
    if (info)
        add_info(out, text, view);
    else
        buf_add(out, STR("null"));
    buf_add(out, STR(",\"gameSetting\":"));
    if (request == AIWOLF_INITIALIZE)
        add_setting(out, view, cursor->told_seed);
    else
        buf_add(out, STR("null"));
    buf_add(out, STR(",\"request\":\""));
    buf_add(out, str_of(request_names[request]));
    if (request == AIWOLF_INITIALIZE || request == AIWOLF_DAILY_INITIALIZE)
        cursor->talk = cursor->whisper = 0;
    if (bare || info) {
        buf_add(out, STR("\",\"talkHistory\":null,\"whisperHistory\":null}\n"));
        return;
    }
    buf_add(out, STR("\",\"talkHistory\":"));
    add_new_talks(out, text ? &text->talk : NULL, view->talk, &cursor->talk);
    buf_add(out, STR(",\"whisperHistory\":"));
    add_new_talks(out, text ? &text->whisper : NULL, view->whisper, &cursor->whisper);
    buf_add(out, STR("}\n"));
}
