/* replay.h - plays recorded sessions again: our engine, our packets, the recorded answers.
 *
 * For:    tests of this folder. What chance decided (roles, speaking order, random votes, ties) is
 *         taken from the recording and its game log; all else must come out by itself. Every
 *         packet that we would send is held against the one that the reference server sent to
 *         the same agent at the same place.
 * Memory: a Replay is the test's; replay_done frees what it holds.
 * Thread: the test's.
 *
 * Packets go out as a referee sends them: when a day begins INITIALIZE (first day only) and
 * DAILY_INITIALIZE to all, when night falls DAILY_FINISH to all, asks as they open, FINISH when
 * the game is over.
 */
#ifndef WARG_TESTS_WIRE_REPLAY_H
#define WARG_TESTS_WIRE_REPLAY_H

#include "recording.h"

#include "base/utf8.h"
#include "lang/lang.h"
#include "wire/aiwolf_answer.h"
#include "wire/aiwolf_packet.h"

#define REPLAY_DAYS  40
#define REPLAY_TALKS 1000

/* What came of one packet. */
typedef void (*ReplayHook)(void *user, SeatNo seat, const Message *recorded, const View *view,
                           const Ask *ask);

typedef struct Replay {
    const Recording *recording;
    Log log;
    Ruleset rules;
    Game *game;
    SeatNo players;
    uint8_t roles[SEAT_MAX + 1];
    unsigned wish_place[SEAT_MAX + 1]; /* in the order of asking */
    SeatNo speakers[2][REPLAY_DAYS][REPLAY_TALKS];

    size_t next_packet[SEAT_MAX + 1]; /* where to look on in the recording */
    size_t next_answer[SEAT_MAX + 1];
    AiwolfCursor cursors[SEAT_MAX + 1];
    AiwolfDayText day_text;
    unsigned round; /* of today's execution vote, that is open or was held */
    uint32_t vote_number;
    unsigned vote_day;
    Arena sentence;
    Buf packet;
    Buf storage;

    char last_of_1[64]; /* what came of the last answer of seat 1 before that */
    bool lost;          /* the reference server gave up: nothing is left to compare with */
    size_t compared;    /* packets */
    size_t malformed;   /* target lines without a target */
    size_t skip_reply;  /* this many-th answer of seat 1 was lost on its way; 0: none */
    SeatSet deaf;       /* what was sent to these could not be taken down to the end */
    bool spaces_void;   /* an object with white space is no target, as the reference has it */
    ReplayHook hook;
    void *user;
} Replay;

/* ---- reading the recording ---- */

static inline long long replay_number(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);

    if (json_is_boolean(value))
        return json_is_true(value);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

/* The rules that a gameSetting describes. */
static inline void replay_rules(json_t *setting, Ruleset *rules)
{
    int32_t players = (int32_t)replay_number(setting, "playerNum");
    json_t *count;
    const char *role;

    assert_int_equal(ruleset_preset(STR("aiwolf-server"), rules, NULL), 0);
    rules->players = players;
    rules->roles.present[players] = true;
    json_object_foreach (json_object_get(setting, "roleNumMap"), role, count)
        rules->roles.counts[players][role_of(str_of(role))] = (uint8_t)json_integer_value(count);
    rules->roles.counts[players][ROLE_NONE] = 0;
    rules->talk.max_per_agent = (int32_t)replay_number(setting, "maxTalk");
    rules->talk.max_turns = (int32_t)replay_number(setting, "maxTalkTurn");
    rules->whisper.max_per_agent = (int32_t)replay_number(setting, "maxWhisper");
    rules->whisper.max_turns = (int32_t)replay_number(setting, "maxWhisperTurn");
    rules->talk.max_skip = rules->whisper.max_skip = (int32_t)replay_number(setting, "maxSkip");
    rules->talk.validate = rules->whisper.validate = replay_number(setting, "validateUtterance");
    rules->vote.rounds = 1 + (int32_t)replay_number(setting, "maxRevote");
    rules->vote.visible = replay_number(setting, "voteVisible");
    rules->attack.rounds = 1 + (int32_t)replay_number(setting, "maxAttackRevote");
    rules->attack.whisper_before_revote = replay_number(setting, "whisperBeforeRevote");
    rules->contest.role_request = replay_number(setting, "enableRoleRequest");
    rules->contest.time_limit_told_ms = (int32_t)replay_number(setting, "timeLimit");
    if (replay_number(setting, "enableNoExecution"))
        rules->vote.tie = TIE_NOBODY;
    if (replay_number(setting, "enableNoAttack")) {
        rules->attack.tie = TIE_NOBODY;
        rules->attack.no_vote = NO_VOTE_NOBODY;
    }
    if (replay_number(setting, "talkOnFirstDay")) {
        /* On day 0 the wolves whisper in the day and before the talk, not in the evening. */
        Phase whisper = rules->night.phases[0];
        memmove(rules->night.phases, rules->night.phases + 1, --rules->night.count * sizeof(Phase));
        rules->day.phases[1] = rules->day.phases[0];
        rules->day.phases[1].except_day = DAY_ANY;
        rules->day.phases[0] = whisper;
        rules->day.count = 2;
    }
}

static inline const char *replay_request(const Message *message)
{
    return recording_text(message->packet, "request").bytes;
}

static inline bool replay_is(const Message *message, const char *request)
{
    return message->packet && strcmp(replay_request(message), request) == 0;
}

static inline void replay_note_talks(Replay *replay, json_t *list, int whisper, SeatNo seat,
                                     uint32_t heard[2][SEAT_MAX + 1])
{
    json_t *talk;
    size_t i;

    json_array_foreach (list, i, talk) {
        size_t day = (size_t)replay_number(talk, "day"), idx = (size_t)replay_number(talk, "idx");
        assert_true(day < REPLAY_DAYS && idx < REPLAY_TALKS);
        replay->speakers[whisper][day][idx] = (SeatNo)replay_number(talk, "agent");
        if (idx + 1 > heard[whisper][seat])
            heard[whisper][seat] = (uint32_t)idx + 1;
    }
}

/* Who spoke when, from what agents were told, and from whom was asked behind how much. */
static inline void replay_note_packet(Replay *replay, const Message *message, size_t day[],
                                      uint32_t heard[2][SEAT_MAX + 1])
{
    json_t *info = json_object_get(message->packet, "gameInfo");
    SeatNo seat = message->agent;
    int whisper = replay_is(message, "WHISPER");

    if (json_is_object(info)) {
        size_t today = (size_t)replay_number(info, "day");
        if (today != day[seat])
            heard[0][seat] = heard[1][seat] = 0;
        day[seat] = today;
        replay_note_talks(replay, json_object_get(info, "talkList"), 0, seat, heard);
        replay_note_talks(replay, json_object_get(info, "whisperList"), 1, seat, heard);
    }
    replay_note_talks(replay, json_object_get(message->packet, "talkHistory"), 0, seat, heard);
    replay_note_talks(replay, json_object_get(message->packet, "whisperHistory"), 1, seat, heard);
    if (whisper || replay_is(message, "TALK"))
        replay->speakers[whisper][day[seat]][heard[whisper][seat]] = seat;
}

/* Everything about the next game: roles, order of wishes, order of speaking. */
static inline void replay_note_game(Replay *replay)
{
    size_t day[SEAT_MAX + 1] = {0};
    uint32_t heard[2][SEAT_MAX + 1] = {0};
    unsigned place = 0;

    memset(replay->roles, 0, sizeof(replay->roles));
    memset(replay->wish_place, 0, sizeof(replay->wish_place));
    memset(replay->speakers, 0, sizeof(replay->speakers));
    SeatSet finished = 0;
    for (size_t i = 0; i < replay->recording->count; i++) {
        const Message *message = &replay->recording->items[i];
        SeatNo seat = message->agent;
        if (!message->packet || i < replay->next_packet[seat] || seat_in(finished, seat))
            continue;
        if (replay_is(message, "ROLE"))
            replay->wish_place[seat] = ++place;
        if (replay_is(message, "INITIALIZE")) {
            char key[12];
            json_t *info = json_object_get(message->packet, "gameInfo");
            snprintf(key, sizeof(key), "%u", seat);
            replay->roles[seat] =
                (uint8_t)role_of(recording_text(json_object_get(info, "roleMap"), key));
            replay_rules(json_object_get(message->packet, "gameSetting"), &replay->rules);
        }
        if (replay_is(message, "FINISH"))
            finished |= seat_bit(seat);
        else
            replay_note_packet(replay, message, day, heard);
    }
}

/* ---- chance, as it was recorded ---- */

static inline uint32_t replay_pick(const ChanceQuestion *question, int wanted)
{
    for (uint32_t i = 0; i < question->count; i++)
        if (question->candidates[i] == wanted)
            return i;
    return 0;
}

static inline uint32_t replay_first_wisher(const Replay *replay, const ChanceQuestion *question)
{
    uint32_t first = 0;

    for (uint32_t i = 1; i < question->count; i++)
        if (replay->wish_place[question->candidates[i]] <
            replay->wish_place[question->candidates[first]])
            first = i;
    return first;
}

static inline uint32_t replay_count(const Replay *replay, bool whisper)
{
    uint32_t count = 0;

    for (SeatNo seat = 1; seat <= replay->players; seat++) {
        const View *view = game_view(replay->game, seat);
        if ((whisper ? view->whisper : view->talk)->count > count)
            count = (whisper ? view->whisper : view->talk)->count;
    }
    return count;
}

static inline uint32_t replay_chance(void *user, const ChanceQuestion *question)
{
    const Replay *replay = user;
    const LogLine *line = NULL;

    switch (question->kind) {
    case CHANCE_DEAL:
        return replay_pick(question, replay->roles[question->seat]);
    case CHANCE_WISHER:
        return replay_first_wisher(replay, question);
    case CHANCE_TALK_NEXT:
    case CHANCE_WHISPER_NEXT: {
        bool whisper = question->kind == CHANCE_WHISPER_NEXT;
        uint32_t idx = replay_count(replay, whisper);
        if (question->day >= REPLAY_DAYS || idx >= REPLAY_TALKS)
            return 0;
        return replay_pick(question, replay->speakers[whisper][question->day][idx]);
    }
    case CHANCE_VOTE:
        line = log_find(&replay->log, question->day, "vote", question->seat, replay->round);
        return line ? replay_pick(question, line->second) : 0;
    case CHANCE_EXECUTE:
        line = log_find(&replay->log, question->day, "execute", -2, 0);
        return line ? replay_pick(question, line->first) : 0;
    case CHANCE_ATTACK:
        line = log_find(&replay->log, question->day, "attack", -2, 0);
        return line ? replay_pick(question, line->first) : 0;
    }
    return 0;
}

/* ---- comparing ---- */

/* What stands in the brackets behind `key`, or in the number, is taken out. */
static inline void replay_take_out(Buf *line, const char *key, const char *end)
{
    char *at = strstr(line->bytes, key);

    if (!at)
        return;
    at += strlen(key);
    size_t n = strcspn(at, end);
    memmove(at, at + n, strlen(at + n) + 1);
    line->len -= n;
}

/* The line as our server writes it: ASCII only; without the seed and the order of roleNumMap. */
static inline void replay_normal(Str line, Buf *out)
{
    buf_clear(out);
    while (line.len) {
        Str before = line;
        uint32_t code = utf8_next(&line);
        if (code < 0x80)
            buf_add(out, str_part(before, 0, 1));
        else if (code >= 0x10000)
            buf_printf(out, "\\u%04X\\u%04X", 0xD800u + ((code - 0x10000) >> 10),
                       0xDC00u + ((code - 0x10000) & 0x3FFu));
        else
            buf_printf(out, "\\u%04X", code);
    }
    replay_take_out(out, "\"roleNumMap\":{", "}");
    replay_take_out(out, "\"randomSeed\":", ",");
}

static inline json_t *replay_without_seed(json_t *packet)
{
    json_object_del(json_object_get(packet, "gameSetting"), "randomSeed");
    return packet;
}

/* Equal as JSON. */
static inline bool replay_same_json(const Message *recorded, Str ours)
{
    json_error_t error;
    json_t *packet = json_loadb(ours.bytes, ours.len, 0, &error);

    if (!packet)
        fail_msg("not JSON (%s): %.*s", error.text, STR_ARG(ours));
    bool equal = json_equal(replay_without_seed(recorded->packet), replay_without_seed(packet));
    json_decref(packet);
    return equal;
}

/* Equal as JSON, and equal byte for byte. With a hook only the latter: reading the JSON takes long,
 * and the packets were compared without a hook elsewhere. */
static inline void replay_compare(const Replay *replay, const Message *recorded, Str ours)
{
    CLEANUP(buf_done) Buf a = {0};
    CLEANUP(buf_done) Buf b = {0};
    size_t same = 0;

    assert_true(ours.len > 0 && ours.bytes[ours.len - 1] == '\n');
    ours.len--;
    bool equal = replay->hook || replay_same_json(recorded, ours);
    replay_normal(recorded->line, &a);
    replay_normal(ours, &b);
    while (same < a.len && a.bytes[same] == b.bytes[same])
        same++;
    if (!equal || same < a.len || same < b.len)
        fail_msg("after %.160s ... %.*s\nrecorded: %.200s\nours:     %.200s", buf_cstr(&a),
                 same > 40 ? 40 : 0, a.bytes + (same > 40 ? same - 40 : 0), a.bytes + same,
                 b.bytes + same);
}

/* ---- one packet, one answer ---- */

static inline const Message *replay_next(const Replay *replay, size_t *at, SeatNo seat,
                                         const char *dir)
{
    while (*at < replay->recording->count) {
        const Message *message = &replay->recording->items[(*at)++];
        if (message->agent == seat && strcmp(message->dir, dir) == 0 && !message->ended)
            return message;
    }
    return NULL;
}

static inline bool replay_any_left(const Replay *replay)
{
    for (SeatNo seat = 1; seat <= replay->players; seat++) {
        size_t at = replay->next_packet[seat];
        if (replay_next(replay, &at, seat, "s2c"))
            return true;
    }
    return false;
}

/* The packet that is due for this seat, and the one that was recorded there. */
static inline void replay_send(Replay *replay, SeatNo seat, AiwolfRequest request, const Ask *ask)
{
    bool bare = request == AIWOLF_NAME || request == AIWOLF_ROLE;
    const View *view = bare ? NULL : game_view(replay->game, seat);

    buf_clear(&replay->packet);
    replay->cursors[seat].day_text = &replay->day_text;
    aiwolf_packet_write(request, ask && ask->revote, view, bare ? NULL : &replay->cursors[seat],
                        &replay->packet);
    const Message *recorded =
        replay->lost ? NULL : replay_next(replay, &replay->next_packet[seat], seat, "s2c");
    if (!recorded) {
        replay->lost = !seat_in(replay->deaf, seat) || !replay_any_left(replay);
        return;
    }
    replay_compare(replay, recorded, buf_str(&replay->packet));
    replay->compared++;
    if (replay->hook)
        replay->hook(replay->user, seat, recorded, view, ask);
}

static inline void replay_send_all(Replay *replay, AiwolfRequest request)
{
    for (SeatNo seat = 1; seat <= replay->players; seat++)
        replay_send(replay, seat, request, NULL);
}

/* The line that the server took as the answer; false: it read nothing. */
static inline bool replay_line(Replay *replay, SeatNo seat, Str *ret_line)
{
    const Message *message =
        replay->lost ? NULL : replay_next(replay, &replay->next_answer[seat], seat, "c2s");

    if (message && seat == 1 && replay->skip_reply > 0 && --replay->skip_reply == 0)
        message = replay_next(replay, &replay->next_answer[seat], seat, "c2s");
    if (!message)
        return false;
    Str line = message->line;
    *ret_line = str_cut(&line, '\n'); /* two lines at once: the second is lost */
    return true;
}

static inline Answer replay_answer(Replay *replay, const Ask *ask)
{
    Answer answer = {.kind = ask->kind, .lapse = true};
    const Sentence *sentence = NULL;
    Str line;

    if (!replay_line(replay, ask->seat, &line))
        return answer;
    bool blank = line.len > 12 && memchr(line.bytes, ' ', line.len) != NULL;
    if (!aiwolf_answer_read(ask->kind, line, &replay->storage, &answer))
        replay->malformed++;
    if (replay->spaces_void && blank && ask->kind == ASK_VOTE)
        answer.target = SEAT_NONE;
    if (answer.text.len) {
        arena_clear(&replay->sentence);
        answer.in_language = lang_parse(answer.text, &replay->sentence, &sentence, NULL) == 0;
    }
    return answer;
}

/* ---- a game, a set ---- */

static inline void replay_listen(Replay *replay, bool *started)
{
    Event event;

    while (game_next_event(replay->game, &event)) {
        if (event.kind == EVENT_DAY && !*started)
            replay_send_all(replay, AIWOLF_INITIALIZE);
        if (event.kind == EVENT_DAY) {
            *started = true;
            replay_send_all(replay, AIWOLF_DAILY_INITIALIZE);
        }
        if (event.kind == EVENT_NIGHT)
            replay_send_all(replay, AIWOLF_DAILY_FINISH);
    }
}

static inline void replay_note_answer(Replay *replay, const Answer *answer)
{
    const TalkLog *talk = game_view(replay->game, 1)->talk;
    Str text =
        answer->kind == ASK_TALK && talk->count ? talk->items[talk->count - 1].text : STR("");

    if (answer->kind == ASK_TALK)
        snprintf(replay->last_of_1, sizeof(replay->last_of_1), "%.*s", STR_ARG(text));
    else
        snprintf(replay->last_of_1, sizeof(replay->last_of_1), "target %u", answer->target);
}

static inline void replay_ask(Replay *replay, const Ask *ask)
{
    if (ask->kind == ASK_VOTE && ask->number != replay->vote_number) {
        unsigned day = game_day(replay->game);
        replay->round = replay->vote_day == day ? replay->round + 1 : 0;
        replay->vote_number = ask->number;
        replay->vote_day = day;
    }
    bool was_lost = replay->lost;
    replay_send(replay, ask->seat, aiwolf_request_of_ask(ask->kind), ask);
    Answer answer = replay_answer(replay, ask);
    assert_int_equal(game_answer(replay->game, ask->seat, &answer, NULL), 0);
    if (ask->seat == 1 && !was_lost)
        replay_note_answer(replay, &answer);
}

/* One game, from where the recording stands. */
static inline void replay_game(Replay *replay)
{
    bool started = false;
    Ask ask;

    replay_note_game(replay);
    replay->players = (SeatNo)replay->rules.players;
    replay->vote_number = 0;
    replay->vote_day = UINT32_MAX;
    assert_int_equal(game_new(&replay->rules, replay->players, &replay->game, NULL), 0);
    assert_int_equal(
        game_start(replay->game, NULL, chance_from_script(replay_chance, replay), NULL), 0);
    while (true) {
        replay_listen(replay, &started);
        if (!game_first_ask(replay->game, &ask))
            break;
        replay_ask(replay, &ask);
    }
    assert_true(game_over(replay->game));
    assert_false(game_script_failed(replay->game));
    replay_send_all(replay, AIWOLF_FINISH);
    if (!replay->lost)
        for (SeatNo seat = 1; seat <= replay->players; seat++)
            assert_int_equal(game_role(replay->game, seat), replay->roles[seat]);
    replay->game = game_free(replay->game);
}

static inline void replay_start(Replay *replay, const Recording *recording)
{
    *replay =
        (Replay){.recording = recording, .sentence = arena_new(LANG_ARENA_BYTES(LANG_BYTES_MAX))};
    assert_non_null(replay->sentence.block);
}

static inline void replay_done(Replay *replay)
{
    arena_done(&replay->sentence);
    buf_done(&replay->packet);
    aiwolf_day_text_done(&replay->day_text);
    buf_done(&replay->storage);
    game_free(replay->game);
}

/* NAME is asked once for all games. */
static inline void replay_names(Replay *replay, SeatNo players)
{
    Str name;

    for (SeatNo seat = 1; seat <= players; seat++) {
        replay_send(replay, seat, AIWOLF_NAME, NULL);
        assert_true(replay_line(replay, seat, &name));
    }
}

/* Every packet that was recorded must have had its turn. */
static inline void replay_all_seen(Replay *replay)
{
    assert_false(replay_any_left(replay));
}

/* The log of the next game. */
static inline void replay_log(Replay *replay, const char *name)
{
    CLEANUP(buf_done) Buf text = {0};

    recording_unpack("aiwolf-logs/wire", name, &text);
    replay->log.count = 0;
    for (Str rest = buf_str(&text); rest.len;)
        log_add(&replay->log, str_cut(&rest, '\n'));
}

#endif
