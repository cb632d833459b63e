/* round.h - one table whose participants live in memory and whose time is an argument.
 *
 * For:    test_table.c. A table is written as one letter a seat ("VVSPW"); seat 3 is "kano3".
 * Memory: round_new and round_free, for cmocka's setup and teardown.
 */
#ifndef WARG_TESTS_NLP_ROUND_H
#define WARG_TESTS_NLP_ROUND_H

#include <jansson.h>

#include "nlp/nlp_config.h"
#include "nlp/table.h"
#include "wire/nlp_packet.h"

#define SECOND   ((TimeUs)1000000)
#define BEGAN_MS 1795296000000

typedef struct Peer {
    json_t *packets;  /* all that were sent */
    const char *owes; /* the request that waits for a reply, or NULL */
    bool dropped;
    NlpClose code;
} Peer;

typedef struct Round {
    Config *config;
    NlpTable *table;
    TableScratch scratch;
    Peer peers[SEAT_MAX + 1];
    SeatNo count;
    TimeUs now;
    char folder[64];
    Buf setting;
    Buf notes;
    Buf broadcasts;
    Buf masked;
    unsigned utterances;
    uint32_t faults[FAULT_COUNT];
    bool hold;   /* every utterance is spoken aloud */
    bool paused; /* as those who watch were told */
    SeatSet bots;
} Round;

/* ---- what a table tells ---- */

static inline const char *request_of(const json_t *packet)
{
    return json_string_value(json_object_get(packet, "request"));
}

static inline void round_send(void *user, Str text)
{
    Peer *peer = user;
    json_t *packet = json_loadb(text.bytes, text.len, 0, NULL);

    assert_non_null(packet);
    assert_false(peer->dropped);
    json_array_append_new(peer->packets, packet);
    if (nlp_request_has_reply(nlp_request_of(str_of(request_of(packet)))))
        peer->owes = request_of(packet);
}

static inline void round_drop(void *user, NlpClose code, const char *reason)
{
    Peer *peer = user;

    assert_true(reason[0] != '\0');
    peer->dropped = true;
    peer->code = code;
    peer->owes = NULL;
}

static inline void round_note(void *user, Str line)
{
    Round *round = user;

    assert_null(memchr(line.bytes, '\n', line.len));
    buf_add(&round->notes, line);
    buf_add_char(&round->notes, '\n');
}

static inline void round_broadcast(void *user, NlpTable *table, Str packet, Str masked)
{
    Round *round = user;

    (void)table;
    if (packet.len) {
        buf_add(&round->broadcasts, packet);
        buf_add_char(&round->broadcasts, '\n');
    }
    if (masked.len) {
        buf_add(&round->masked, masked);
        buf_add_char(&round->masked, '\n');
    }
}

static inline void round_paused(void *user, bool paused, Action action, TimeUs until, TimeUs now)
{
    Round *round = user;

    (void)action;
    (void)now;
    assert_true(paused != round->paused);
    assert_true(until == TIME_US_NEVER || until >= now);
    round->paused = paused;
}

static inline bool round_utterance(void *user, NlpTable *table, SeatNo seat, Str text)
{
    Round *round = user;

    (void)table;
    assert_true(seat != SEAT_NONE && text.len > 0);
    round->utterances++;
    return round->hold;
}

static inline void round_fault(void *user, NlpTable *table, const Fault *fault)
{
    Round *round = user;

    (void)table;
    assert_true(fault->seat >= 1 && fault->seat <= round->count);
    round->faults[fault->kind]++;
}

/* ---- beginning and end ---- */

static inline int round_new(void **state)
{
    Round *round = mem_new(sizeof(*round));

    make_folder(round->folder);
    *state = round;
    return 0;
}

static inline void round_clear(Round *round)
{
    for (SeatNo seat = 1; seat <= round->count; seat++)
        json_decref(round->peers[seat].packets);
    memset(round->peers, 0, sizeof(round->peers));
    memset(round->faults, 0, sizeof(round->faults));
    round->table = nlp_table_free(round->table);
    nlp_table_scratch_done(&round->scratch);
    round->now = 0;
    buf_clear(&round->setting);
    buf_clear(&round->notes);
    buf_clear(&round->broadcasts);
    buf_clear(&round->masked);
}

static inline int round_free(void **state)
{
    Round *round = *state;

    round_clear(round);
    config_free(round->config);
    buf_done(&round->setting);
    buf_done(&round->notes);
    buf_done(&round->broadcasts);
    buf_done(&round->masked);
    remove_folder(round->folder);
    mem_free(round);
    return 0;
}

/* The configuration to be changed before sit(). */
static inline Config *rules_for(Round *round, const char *name, const char *extra)
{
    round->config = (config_free(round->config), shipped_config(name, extra, round->folder));
    return round->config;
}

/* Sits down and begins; `letters` in capitals, small ones are bots' seats. */
static inline void sit(Round *round, const char *letters)
{
    static const char known[] = "-BXMPSVWF"; /* in the order of Role */
    TableSeat seats[SEAT_MAX + 1] = {0};
    char names[SEAT_MAX + 1][16];
    Config *config = round->config;
    Err err = {0};

    round->paused = false;
    round_clear(round);
    round->bots = 0;
    round->count = (SeatNo)strlen(letters);
    for (SeatNo seat = 1; seat <= round->count; seat++) {
        char letter = letters[seat - 1];
        bool bot = letter >= 'a';
        snprintf(names[seat], sizeof(names[seat]), "kano%u", seat);
        round->peers[seat].packets = json_array();
        round->bots |= bot ? seat_bit(seat) : 0;
        seats[seat] =
            (TableSeat){.peer = bot ? NULL : &round->peers[seat],
                        .bot = bot ? bot_kind(STR("talker")) : NULL,
                        .original = str_of(names[seat]),
                        .role = (Role)(strchr(known, bot ? letter - 'a' + 'A' : letter) - known)};
    }
    nlp_setting_write(&config->rules, round->count, config->role_named, config->action_ms,
                      config->response_ms, &round->setting);
    TableSetup setup = {.config = config,
                        .setting = buf_str(&round->setting),
                        .seats = seats,
                        .count = round->count,
                        .id = STR("01JZ0000000000000000000000"),
                        .chance = chance_from_seed(7),
                        .bots = key_of_seed(7),
                        .unix_ms = BEGAN_MS,
                        .out = {.send = round_send,
                                .drop = round_drop,
                                .note = round_note,
                                .broadcast = round_broadcast,
                                .utterance = round_utterance,
                                .paused = round_paused,
                                .fault = round_fault,
                                .user = round},
                        .scratch = &round->scratch};
    if (nlp_table_new(&setup, &round->table, &err))
        fail_msg("%s", err.msg);
    nlp_table_begin(round->table, 0);
}

/* ---- packets ---- */

static inline size_t sent_count(const Round *round, SeatNo seat)
{
    return json_array_size(round->peers[seat].packets);
}

static inline const json_t *packet_at(const Round *round, SeatNo seat, size_t at)
{
    const json_t *packet = json_array_get(round->peers[seat].packets, at);

    assert_non_null(packet);
    return packet;
}

static inline const json_t *last_packet(const Round *round, SeatNo seat)
{
    return packet_at(round, seat, sent_count(round, seat) - 1);
}

static inline unsigned count_sent(const Round *round, SeatNo seat, const char *request)
{
    unsigned n = 0;

    for (size_t i = 0; i < sent_count(round, seat); i++)
        n += strcmp(request_of(packet_at(round, seat, i)), request) == 0;
    return n;
}

/* The names of the packets from the nth on: "INITIALIZE DAILY_INITIALIZE". */
static inline const char *sent_from(const Round *round, SeatNo seat, size_t at, Buf *out)
{
    buf_clear(out);
    for (; at < sent_count(round, seat); at++)
        buf_printf(out, "%s%s", out->len ? " " : "", request_of(packet_at(round, seat, at)));
    return buf_cstr(out);
}

static inline json_t *info_of(const json_t *packet, const char *key)
{
    return json_object_get(json_object_get(packet, "info"), key);
}

static inline long info_int(const json_t *packet, const char *key)
{
    const json_t *value = info_of(packet, key);

    assert_true(json_is_integer(value));
    return (long)json_integer_value(value);
}

/* Who owes a reply to this request: "1235". */
static inline const char *owing(const Round *round, const char *request, char line[static 34])
{
    size_t n = 0;

    for (SeatNo seat = 1; seat <= round->count; seat++)
        if (round->peers[seat].owes && strcmp(round->peers[seat].owes, request) == 0)
            line[n++] = (char)('0' + seat);
    line[n] = '\0';
    return line;
}

static inline bool owes(const Round *round, SeatNo seat, const char *request)
{
    return round->peers[seat].owes && strcmp(round->peers[seat].owes, request) == 0;
}

/* ---- what participants do ---- */

static inline void reply(Round *round, SeatNo seat, const char *text)
{
    round->peers[seat].owes = NULL;
    nlp_table_message(round->table, seat, str_of(text), round->now);
}

static inline bool lives(const Round *round, SeatNo seat)
{
    return seat_in(game_alive(nlp_table_game(round->table)), seat);
}

/* The reply that a participant without ideas gives: Over, or the first who may be meant. */
static inline void reply_any(Round *round, SeatNo seat)
{
    const char *request = round->peers[seat].owes;
    char name[16];

    if (strcmp(request, "NAME") == 0) {
        snprintf(name, sizeof(name), "kano%u\n", seat);
        reply(round, seat, name);
        return;
    }
    if (strcmp(request, "TALK") == 0 || strcmp(request, "WHISPER") == 0) {
        reply(round, seat, "Over");
        return;
    }
    SeatNo target = 1;
    while (!lives(round, target) || target == seat ||
           (request[0] == 'A' && game_role(nlp_table_game(round->table), target) == ROLE_WEREWOLF))
        target++;
    snprintf(name, sizeof(name), "Agent[%02u]", target);
    reply(round, seat, name);
}

/* Time goes on to `seconds`, deadline by deadline; none may be in the past. */
static inline void go_to(Round *round, double seconds)
{
    TimeUs end = (TimeUs)(seconds * 1e6 + 0.5);
    TimeUs deadline;

    while ((deadline = nlp_table_deadline(round->table)) <= end) {
        assert_true(deadline >= round->now);
        round->now = deadline;
        nlp_table_tick(round->table, deadline);
        assert_true(nlp_table_deadline(round->table) > deadline);
    }
    round->now = end;
    nlp_table_tick(round->table, end);
}

static inline void wait_s(Round *round, double seconds)
{
    go_to(round, (double)round->now / 1e6 + seconds);
}

/* Everybody answers but `silent`, time goes on when nobody owes, until one (of `seats`) owes this
 * request or the game is over. */
static inline bool until_owed(Round *round, const char *request, SeatSet silent)
{
    for (int steps = 0; steps < 5000 && !nlp_table_over(round->table); steps++) {
        SeatNo next = SEAT_NONE;
        for (SeatNo seat = 1; seat <= round->count; seat++) {
            if (owes(round, seat, request))
                return true;
            if (round->peers[seat].owes && !seat_in(silent, seat) && !next)
                next = seat;
        }
        if (next) {
            reply_any(round, next);
            continue;
        }
        assert_true(nlp_table_deadline(round->table) != TIME_US_NEVER);
        go_to(round, (double)nlp_table_deadline(round->table) / 1e6);
    }
    return false;
}

static inline void to_the_end(Round *round)
{
    until_owed(round, "", 0);
    assert_true(nlp_table_over(round->table));
}

static inline void vanish(Round *round, SeatNo seat)
{
    round->peers[seat].owes = NULL;
    nlp_table_gone(round->table, seat, round->now);
}

/* ---- logs ---- */

/* A game's logs are a tenth of a second behind it. */
static inline void read_log(Round *round, const char *suffix, Buf *out)
{
    char path[256];
    NlpGame game;

    if (!nlp_table_over(round->table))
        wait_s(round, 0.1);
    nlp_table_look(round->table, &game);
    snprintf(path, sizeof(path), "%s/%.*s%s", round->folder, STR_ARG(game.stem), suffix);
    buf_clear(out);
    text_of_file(path, out);
}

static inline bool has(const Buf *text, const char *part)
{
    Str rest = buf_str(text);
    size_t n = strlen(part);

    for (; rest.len >= n; rest = str_part(rest, 1, SIZE_MAX))
        if (memcmp(rest.bytes, part, n) == 0)
            return true;
    return false;
}

#endif
