#define _GNU_SOURCE /* memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>

#include "record/log_text.h"
#include "record/logs.h"
#include "record/nlp_log.h"

/* ---- a recorded game as events: what happened is in the broadcast packets ---- */

typedef struct Replay {
    NlpLogWriter writer;
    NlpSeat seats[SEAT_MAX + 1];
    Str lines;    /* of the recorded game log, those still to come */
    bool stamped; /* packets have a time */
    uint16_t day;
    bool night;
    const char *name;
    json_t *first; /* holds the seats' texts */
} Replay;

static Str text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return value ? (Str){json_string_value(value), json_string_length(value)} : (Str){0};
}

static int number_of(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static json_t *parse(Str text)
{
    json_t *json = json_loadb(text.bytes, text.len, JSON_ALLOW_NUL, NULL);

    assert_non_null(json);
    return json;
}

/* The same values under the same keys in the same order. */
static void assert_same_json(const json_t *expected, const json_t *got)
{
    char *a = json_dumps(expected, JSON_COMPACT);
    char *b = json_dumps(got, JSON_COMPACT);

    assert_string_equal(b, a);
    free(a);
    free(b);
}

static void sit(Replay *replay, const json_t *packet)
{
    const json_t *agents = json_object_get(packet, "agents");
    Str log = replay->lines, line;

    for (size_t i = 0; i < json_array_size(agents); i++) {
        const json_t *agent = json_array_get(agents, i);
        assert_true(aiwolf_log_cut_line(&log, &line));
        for (int field = 0; field < 5; field++)
            str_cut(&line, ',');
        replay->seats[i + 1] = (NlpSeat){.original = str_cut(&line, ','),
                                         .team = text_of(agent, "team"),
                                         .name = text_of(agent, "name"),
                                         .profile = text_of(agent, "profile"),
                                         .avatar = text_of(agent, "avatar")};
    }
    nlp_log_begin(&replay->writer, text_of(packet, "id"), replay->seats,
                  (SeatNo)json_array_size(agents), 0);
    replay->stamped = json_object_get(packet, "timestamp") != NULL;
    replay->writer.talk_time = replay->stamped;
    replay->writer.errored_empty = true;
    for (size_t i = 0; i < json_array_size(agents); i++) {
        Role role = role_of(text_of(json_array_get(agents, i), "role"));
        Event event = {.kind = EVENT_ROLE, .seat = (SeatNo)(i + 1), .role = role};
        nlp_log_follow(&replay->writer, &event);
    }
}

/* Whether the recorded log goes on with `ours`; a line end that it has inside an utterance is a
 * blank in ours. */
static bool goes_on_with(const Replay *replay, Str ours)
{
    if (replay->lines.len < ours.len)
        return false;
    for (size_t i = 0; i < ours.len; i++) {
        char c = replay->lines.bytes[i];
        if (ours.bytes[i] != (c == '\n' || c == '\r' ? ' ' : c))
            return false;
    }
    return true;
}

/* Hands an event to the writer and compares the lines it makes. */
static void tell(Replay *replay, const Event *event)
{
    CLEANUP(buf_done) Buf out = {0};
    Str ours;

    nlp_log_follow(&replay->writer, event);
    nlp_log_event(&replay->writer, event, &out);
    for (Str rest = buf_str(&out); aiwolf_log_cut_line(&rest, &ours);) {
        CLEANUP(buf_done) Buf said = {0};
        log_text_read(&said, ours); /* the reference escapes nothing */
        ours = buf_str(&said);
        if (!goes_on_with(replay, ours))
            fail_msg("%s: '%.*s' instead of '%.*s'", replay->name, STR_ARG(ours),
                     STR_ARG(str_part(replay->lines, 0, ours.len)));
        replay->lines = str_part(replay->lines, ours.len + 1, replay->lines.len);
    }
}

/* Seats without a status in the block that is to come. */
static void look_ahead_for_errored(Replay *replay)
{
    Str rest = replay->lines, line;

    for (SeatNo seat = 1; seat <= replay->writer.seat_count; seat++) {
        assert_true(aiwolf_log_cut_line(&rest, &line));
        for (int field = 0; field < 4; field++)
            str_cut(&line, ',');
        if (str_cut(&line, ',').len == 0)
            replay->writer.errored |= seat_bit(seat);
    }
}

/* The evening and the morning that lie between two packets. */
static void pass_time(Replay *replay, const json_t *packet)
{
    bool end = str_eq(text_of(packet, "event"), STR("終了"));
    bool night = !json_is_true(json_object_get(packet, "is_day"));
    uint16_t day = (uint16_t)number_of(packet, "day");

    if (day > replay->day && !replay->night)
        tell(replay, &(Event){.kind = EVENT_NIGHT, .day = replay->day});
    if (day > replay->day || replay->writer.broadcasts == 0)
        look_ahead_for_errored(replay);
    if (day > replay->day && !end) {
        tell(replay, &(Event){.kind = EVENT_DAY, .day = day});
        replay->night = false;
    }
    if (night && !replay->night)
        tell(replay, &(Event){.kind = EVENT_NIGHT, .day = day});
    replay->day = day;
    replay->night = night;
}

static EventKind kind_of(Str name)
{
    static const struct {
        const char *name;
        EventKind kind;
    } kinds[] = {
        {"開始", EVENT_DAY},   {"トーク", EVENT_TALK},          {"囁き", EVENT_WHISPER},
        {"投票", EVENT_VOTE},  {"追放", EVENT_EXECUTE},         {"占い", EVENT_DIVINE},
        {"護衛", EVENT_GUARD}, {"襲撃投票", EVENT_ATTACK_VOTE}, {"襲撃", EVENT_ATTACK},
        {"終了", EVENT_END},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (str_eq(name, str_of(kinds[i].name)))
            return kinds[i].kind;
    fail_msg("event '%.*s'", STR_ARG(name));
    return EVENT_SCORE;
}

static uint32_t next_number(Str *line)
{
    uint64_t value = 0;

    assert_true(str_to_uint(str_cut(line, ','), UINT32_MAX, &value));
    return (uint32_t)value;
}

/* The time of an utterance, which may be of another second than its packet's. */
static TimeMs time_of_record(const Replay *replay, const Talk *talk)
{
    CLEANUP(buf_done) Buf ending = {0};

    for (int64_t second = talk->time / 1000 - 1; replay->stamped && second <= talk->time / 1000;
         second++) {
        buf_clear(&ending);
        buf_printf(&ending, ",%lld", (long long)second);
        const char *at =
            memmem(replay->lines.bytes, replay->lines.len, talk->text.bytes, talk->text.len);
        if (at && strncmp(at + talk->text.len, buf_cstr(&ending), ending.len) == 0)
            return second * 1000;
    }
    return talk->time;
}

/* Numbers that only the log has. */
static void take_from_line(const Replay *replay, Event *event, Talk *talk)
{
    Str rest = replay->lines, line;

    if (event->kind == EVENT_END)
        for (SeatNo seat = 1; seat <= replay->writer.seat_count; seat++)
            aiwolf_log_cut_line(&rest, &line);
    assert_true(aiwolf_log_cut_line(&rest, &line));
    str_cut(&line, ',');
    str_cut(&line, ',');
    if (event->kind == EVENT_END) {
        event->humans = (uint8_t)next_number(&line);
        event->wolves = (uint8_t)next_number(&line);
    } else {
        talk->idx = next_number(&line);
        talk->turn = next_number(&line);
        talk->time = time_of_record(replay, talk);
    }
}

static void happen(Replay *replay, const json_t *packet)
{
    SeatNo from = (SeatNo)(number_of(packet, "from_idx") > 0 ? number_of(packet, "from_idx") : 0);
    SeatNo to = (SeatNo)number_of(packet, "to_idx");
    Talk talk = {.seat = (SeatNo)number_of(packet, "bubble_idx"),
                 .text = text_of(packet, "message"),
                 .time = (TimeMs)number_of(packet, "timestamp") * 1000};
    Event event = {.kind = kind_of(text_of(packet, "event")),
                   .day = (uint16_t)number_of(packet, "day"),
                   .seat = from,
                   .target = to,
                   .time = talk.time,
                   .talk = &talk};

    if (event.kind == EVENT_EXECUTE)
        event.seat = to;
    event.killed = event.kind == EVENT_ATTACK && to != 0 && number_of(packet, "from_idx") == 0;
    event.species = role_species((Role)replay->writer.roles[to]);
    event.winner = side_of(talk.text);
    if (event.kind == EVENT_TALK || event.kind == EVENT_WHISPER || event.kind == EVENT_END)
        take_from_line(replay, &event, &talk);
    tell(replay, &event);

    const json_t *agents = json_object_get(packet, "agents");
    for (SeatNo seat = 1; seat <= replay->writer.seat_count; seat++)
        if (seat_in(replay->writer.alive, seat) &&
            !json_is_true(json_object_get(json_array_get(agents, seat - 1u), "is_alive")))
            replay->writer.errored |= seat_bit(seat);
    CLEANUP(buf_done) Buf out = {0};
    assert_true(nlp_broadcast_event(&replay->writer, &event, &out));
    json_t *ours = parse(buf_str(&out));
    if (!replay->stamped)
        json_object_del(ours, "timestamp");
    assert_same_json(packet, ours);
    json_decref(ours);
}

static void replay_game(const char *path, Str packets, Str log)
{
    Replay replay = {.lines = log, .name = path};
    Str line;

    while (aiwolf_log_cut_line(&packets, &line)) {
        json_t *packet = parse(line);
        if (!replay.first) {
            replay.first = json_incref(packet);
            sit(&replay, packet);
        }
        pass_time(&replay, packet);
        happen(&replay, packet);
        json_decref(packet);
    }
    assert_int_equal(replay.lines.len, 0);
    nlp_log_done(&replay.writer);
    json_decref(replay.first);
}

static void recorded_games_come_out_as_the_reference_wrote_them(void **state)
{
    CLEANUP(log_list_done) LogList list = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf packets = {0};
    size_t games = 0;

    (void)state;
    assert_int_equal(logs_list(&list, "nlp-wire", NULL), 0);
    for (size_t i = 0; i < list.count; i++) {
        Str stem = str_of(list.paths[i]);
        Str ending = STR(".game.log.gz");
        if (stem.len < ending.len || !str_eq(str_part(stem, stem.len - ending.len, 99), ending))
            continue;
        buf_clear(&path);
        buf_clear(&log);
        buf_clear(&packets);
        buf_add(&path, str_part(stem, 0, stem.len - ending.len));
        buf_add(&path, STR(".realtime.jsonl.gz"));
        assert_int_equal(log_file_read(list.paths[i], SIZE_MAX / 2, &log, NULL), 0);
        assert_int_equal(log_file_read(buf_cstr(&path), SIZE_MAX / 2, &packets, NULL), 0);
        replay_game(list.paths[i], buf_str(&packets), buf_str(&log));
        games++;
    }
    assert_int_equal(games, 64);
}

/* ---- what no recording has ---- */

static const NlpSeat three[] = {
    {.team = {"", 0}},
    {.original = {"a\n1", 3}, .team = {"a", 1}, .name = {"Mio", 3}},
    {.original = {"b1", 2}, .team = {"b", 1}, .name = {"May", 3}},
    {.original = {"c1", 2}, .team = {"c", 1}, .name = {"Ken", 3}, .profile = {"age: 3", 6}},
};

static NlpLogWriter writer_of_three(void)
{
    static const Role roles[] = {ROLE_NONE, ROLE_SEER, ROLE_WEREWOLF, ROLE_BODYGUARD};
    NlpLogWriter writer;

    nlp_log_begin(&writer, STR("G"), three, 3, 1000500);
    for (SeatNo seat = 1; seat <= 3; seat++)
        nlp_log_follow(&writer, &(Event){.kind = EVENT_ROLE, .seat = seat, .role = roles[seat]});
    return writer;
}

static void assert_lines(const NlpLogWriter *writer, const Event *event, const char *expected)
{
    CLEANUP(buf_done) Buf out = {0};

    nlp_log_event(writer, event, &out);
    assert_string_equal(buf_cstr(&out), expected);
}

static void a_line_end_inside_a_field_becomes_a_blank(void **state)
{
    CLEANUP(nlp_log_done) NlpLogWriter writer = writer_of_three();
    Talk talk = {.text = STR("a\r\nb,\"c\""), .seat = 2, .idx = 7, .turn = 1, .time = 1499};

    (void)state;
    assert_lines(&writer, &(Event){.kind = EVENT_TALK, .day = 1, .talk = &talk},
                 "1,talk,7,1,2,a  b,\"c\",1001\n");
    writer.talk_time = false;
    assert_lines(&writer, &(Event){.kind = EVENT_WHISPER, .day = 1, .talk = &talk},
                 "1,whisper,7,1,2,a  b,\"c\"\n");
    assert_lines(&writer, &(Event){.kind = EVENT_DAY, .day = 0},
                 "0,status,1,SEER,ALIVE,a 1,Mio\n0,status,2,WEREWOLF,ALIVE,b1,May\n"
                 "0,status,3,BODYGUARD,ALIVE,c1,Ken\n");
}

static void a_comma_in_a_name_does_not_shift_the_fields(void **state)
{
    const NlpSeat seats[2] = {[1] = {.original = STR("x,y,"), .name = STR("Mio")}};
    CLEANUP(nlp_log_done) NlpLogWriter writer = {0};

    (void)state;
    nlp_log_begin(&writer, STR("G"), seats, 1, 0);
    nlp_log_follow(&writer, &(Event){.kind = EVENT_ROLE, .seat = 1, .role = ROLE_SEER});
    assert_lines(&writer, &(Event){.kind = EVENT_DAY, .day = 0},
                 "0,status,1,SEER,ALIVE,x%2Cy%2C,Mio\n");
}

static void an_errored_seat_is_alive_unless_the_reference_is_followed(void **state)
{
    CLEANUP(nlp_log_done) NlpLogWriter writer = writer_of_three();
    Event day = {.kind = EVENT_DAY, .day = 2};

    (void)state;
    writer.errored = seat_bit(2);
    assert_lines(&writer, &day,
                 "2,status,1,SEER,ALIVE,a 1,Mio\n2,status,2,WEREWOLF,ALIVE,b1,May\n"
                 "2,status,3,BODYGUARD,ALIVE,c1,Ken\n");
    writer.errored_empty = true;
    nlp_log_follow(&writer, &(Event){.kind = EVENT_DEATH, .seat = 3});
    assert_lines(&writer, &day,
                 "2,status,1,SEER,ALIVE,a 1,Mio\n2,status,2,WEREWOLF,,b1,May\n"
                 "2,status,3,BODYGUARD,DEAD,c1,Ken\n");
}

static void nobody_executed_has_no_line_and_nobody_attacked_has_one(void **state)
{
    CLEANUP(nlp_log_done) NlpLogWriter writer = writer_of_three();

    (void)state;
    assert_lines(&writer, &(Event){.kind = EVENT_EXECUTE, .day = 1}, "");
    assert_lines(&writer, &(Event){.kind = EVENT_ATTACK, .day = 1}, "1,attack,-1,true\n");
    assert_lines(&writer, &(Event){.kind = EVENT_ATTACK, .day = 1, .target = 3},
                 "1,attack,3,false\n");
    assert_lines(&writer, &(Event){.kind = EVENT_GUARD, .day = 1, .seat = 3, .target = 2},
                 "1,guard,3,2,WEREWOLF\n");
}

static void assert_masked(NlpLogWriter *writer, const Event *event, const char *expected)
{
    CLEANUP(buf_done) Buf out = {0};

    nlp_log_follow(writer, event);
    assert_int_equal(nlp_broadcast_event(writer, event, &out), expected != NULL);
    assert_string_equal(buf_cstr(&out), expected ? expected : "");
}

#define SEATS_MASKED(third)                                                                        \
    "\"agents\":[{\"idx\":1,\"team\":\"\",\"name\":\"Mio\",\"is_alive\":true},"                    \
    "{\"idx\":2,\"team\":\"\",\"name\":\"May\",\"is_alive\":true},"                                \
    "{\"idx\":3,\"team\":\"\",\"name\":\"Ken\",\"profile\":\"age: 3\",\"is_alive\":" third "}],"

static void a_masked_packet_tells_no_role_no_team_and_no_secret(void **state)
{
    CLEANUP(nlp_log_done) NlpLogWriter writer = writer_of_three();
    Talk talk = {.text = STR("I am \"the\" seer"), .seat = 1, .time = 500};

    (void)state;
    writer.masked = true;
    assert_masked(&writer, &(Event){.kind = EVENT_DAY, .day = 0},
                  "{\"id\":\"G\",\"idx\":1,\"day\":0,\"is_day\":true," SEATS_MASKED(
                      "true") "\"event\":\"開始\",\"message\":\"ゲームが開始されました\","
                              "\"timestamp\":1000}");
    assert_masked(&writer, &(Event){.kind = EVENT_WHISPER, .talk = &talk}, NULL);
    assert_masked(&writer, &(Event){.kind = EVENT_DIVINE, .seat = 1, .target = 2}, NULL);
    assert_masked(&writer, &(Event){.kind = EVENT_GUARD, .seat = 3, .target = 2}, NULL);
    assert_masked(&writer, &(Event){.kind = EVENT_ATTACK_VOTE, .seat = 2, .target = 1}, NULL);
    assert_masked(&writer, &(Event){.kind = EVENT_VOTE, .seat = 2, .target = 1}, NULL);
    assert_masked(
        &writer, &(Event){.kind = EVENT_TALK, .talk = &talk, .time = 500},
        "{\"id\":\"G\",\"idx\":2,\"day\":0,\"is_day\":true," SEATS_MASKED(
            "true") "\"event\":\"トーク\",\"message\":\"I am \\\"the\\\" seer\",\"bubble_idx\":1,"
                    "\"timestamp\":1001}");
}

static void a_masked_attack_tells_at_dawn_who_died_and_not_who_was_saved(void **state)
{
    CLEANUP(nlp_log_done) NlpLogWriter writer = writer_of_three();
    Talk talk = {.text = STR("Skip"), .seat = 1, .skip = true};

    (void)state;
    writer.masked = true;
    writer.broadcasts = 1; /* the game has begun */
    nlp_log_follow(&writer, &(Event){.kind = EVENT_NIGHT});
    assert_masked(&writer, &(Event){.kind = EVENT_ATTACK, .day = 1, .target = 3}, NULL);
    assert_masked(&writer, &(Event){.kind = EVENT_DAY, .day = 2},
                  "{\"id\":\"G\",\"idx\":2,\"day\":1,\"is_day\":false," SEATS_MASKED(
                      "true") "\"event\":\"襲撃\",\"timestamp\":1000}");
    assert_masked(&writer, &(Event){.kind = EVENT_DAY, .day = 3}, NULL);
    nlp_log_follow(&writer, &(Event){.kind = EVENT_NIGHT});
    assert_masked(&writer, &(Event){.kind = EVENT_ATTACK, .day = 3, .target = 3, .killed = true},
                  NULL);
    assert_masked(&writer, &(Event){.kind = EVENT_TALK, .day = 3, .talk = &talk},
                  "{\"id\":\"G\",\"idx\":3,\"day\":3,\"is_day\":false," SEATS_MASKED(
                      "true") "\"event\":\"トーク\",\"message\":\"Skip\",\"bubble_idx\":1,"
                              "\"timestamp\":1000}");
    assert_masked(&writer, &(Event){.kind = EVENT_DEATH, .day = 3, .seat = 3},
                  "{\"id\":\"G\",\"idx\":4,\"day\":3,\"is_day\":false," SEATS_MASKED(
                      "false") "\"event\":\"襲撃\",\"to_idx\":3,\"timestamp\":1000}");
    assert_masked(&writer, &(Event){.kind = EVENT_DAY, .day = 4}, NULL);
}

/* Which of the two the wolves have killed nobody knows; nor that they had none. */
static void a_masked_dawn_tells_of_each_who_died_whatever_it_was(void **state)
{
    CLEANUP(nlp_log_done) NlpLogWriter writer = writer_of_three();

    (void)state;
    writer.masked = true;
    writer.broadcasts = 1;
    nlp_log_follow(&writer, &(Event){.kind = EVENT_NIGHT});
    assert_masked(&writer, &(Event){.kind = EVENT_DEATH, .day = 1, .seat = 3},
                  "{\"id\":\"G\",\"idx\":2,\"day\":1,\"is_day\":false," SEATS_MASKED(
                      "false") "\"event\":\"襲撃\",\"to_idx\":3,\"timestamp\":1000}");
    assert_masked(&writer, &(Event){.kind = EVENT_DAY, .day = 2}, NULL);
    nlp_log_follow(&writer, &(Event){.kind = EVENT_NIGHT});
    assert_masked(&writer, &(Event){.kind = EVENT_ATTACK, .day = 2, .target = 1, .killed = true},
                  NULL);
    assert_masked(&writer, &(Event){.kind = EVENT_DEATH, .day = 2, .seat = 3},
                  "{\"id\":\"G\",\"idx\":3,\"day\":2,\"is_day\":false," SEATS_MASKED(
                      "false") "\"event\":\"襲撃\",\"to_idx\":3,\"timestamp\":1000}");
    assert_masked(&writer, &(Event){.kind = EVENT_DEATH, .day = 2, .seat = 3},
                  "{\"id\":\"G\",\"idx\":4,\"day\":2,\"is_day\":false," SEATS_MASKED(
                      "false") "\"event\":\"襲撃\",\"to_idx\":3,\"timestamp\":1000}");
    assert_masked(&writer, &(Event){.kind = EVENT_DAY, .day = 3}, NULL);
    /* by day somebody leaves: the next packet shows it */
    assert_masked(&writer, &(Event){.kind = EVENT_DEATH, .day = 3, .seat = 3}, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_games_come_out_as_the_reference_wrote_them),
        cmocka_unit_test(a_line_end_inside_a_field_becomes_a_blank),
        cmocka_unit_test(a_comma_in_a_name_does_not_shift_the_fields),
        cmocka_unit_test(an_errored_seat_is_alive_unless_the_reference_is_followed),
        cmocka_unit_test(nobody_executed_has_no_line_and_nobody_attacked_has_one),
        cmocka_unit_test(a_masked_packet_tells_no_role_no_team_and_no_secret),
        cmocka_unit_test(a_masked_attack_tells_at_dawn_who_died_and_not_who_was_saved),
        cmocka_unit_test(a_masked_dawn_tells_of_each_who_died_whatever_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
