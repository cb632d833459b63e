/* Records are played again: whole ones agree, damaged and changed ones are found out. */
#include "table.h"

#include "maw/driver.h"
#include "maw/house.h"
#include "maw/session_replay.h"

#define BOTS 6

/* ---- sessions among bots ---- */

typedef struct Hall Hall;

typedef struct Chair {
    Hall *hall;
    MawPlayer *player;
    MawDriver *driver;
    char jid[64];
} Chair;

struct Hall {
    MawHouse *house;
    MawSession *session;
    Chair chairs[BOTS];
    Buf record;
};

static void hall_post(void *user, const MawStanza *stanza)
{
    maw_house_post(((Hall *)user)->house, stanza);
}

static void chair_post(void *user, const MawStanza *stanza)
{
    hall_post(((Chair *)user)->hall, stanza);
}

static void chair_hears(void *user, const MawStanza *stanza, TimeUs now)
{
    maw_player_receive(((Chair *)user)->player, stanza, now);
}

static void chair_news(void *user, const MawNews *news, TimeUs now)
{
    maw_driver_news(((Chair *)user)->driver, news, now);
}

static void hall_hears(void *user, const MawStanza *stanza, TimeUs now)
{
    maw_session_receive(((Hall *)user)->session, stanza, now);
}

static void hall_records(void *user, Str json)
{
    Hall *hall = user;

    buf_add(&hall->record, json);
    buf_add_char(&hall->record, '\n');
}

static void seat_bot(Hall *hall, int at, uint64_t seed)
{
    const MawPace pace = {.min_us = 2000000, .max_us = 8000000, .last_call_us = 20000000};
    Chair *chair = &hall->chairs[at];
    MawPlayerSetup setup = {.jid = str_of(jid_of(at, chair->jid)),
                            .game_master = STR(MASTER),
                            .name = str_of(name_of(at)),
                            .client = STR("test"),
                            .poll_us = 1000000,
                            .out = {.send = chair_post, .news = chair_news, .user = chair}};

    chair->hall = hall;
    assert_int_equal(maw_bot_driver_new(at % 2 ? MAW_BOT_TALKER : MAW_BOT_RANDOM, LLM_ENGLISH,
                                        &pace, rng_derive(seed, (uint64_t)at), &chair->driver,
                                        NULL),
                     0);
    assert_int_equal(maw_player_new(&setup, &chair->player, NULL), 0);
    assert_int_equal(maw_house_add(hall->house, setup.jid, chair_hears, chair, NULL), 0);
    maw_driver_take(chair->driver, chair->player);
}

static void hall_open(Hall *hall, const Ruleset *rules, const MawOptions *options, uint64_t seed)
{
    static const char *const addresses[] = {MASTER, LOBBY, VILLAGE, HIDEOUT, GRAVEYARD};
    MawSessionSetup setup = {.rules = rules,
                             .options = *options,
                             .id = STR("h"),
                             .domain = STR("maw.test"),
                             .chance = maw_chance_of_seed(seed),
                             .unix_ms = 1700000000123,
                             .out = {.send = hall_post, .record = hall_records, .user = hall}};

    assert_int_equal(maw_house_new(&hall->house, NULL), 0);
    assert_int_equal(maw_session_new(&setup, &hall->session, NULL), 0);
    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
        assert_int_equal(maw_house_add(hall->house, str_of(addresses[i]), hall_hears, hall, NULL),
                         0);
    for (int i = 0; i < BOTS; i++)
        seat_bot(hall, i, seed);
}

static void hall_play(Hall *hall)
{
    TimeUs now = 0;

    while (!maw_session_over(hall->session)) {
        TimeUs next = maw_session_deadline(hall->session);
        maw_session_tick(hall->session, now);
        uint64_t delivered = maw_house_deliver(hall->house, now);
        for (int i = 0; i < BOTS; i++) {
            maw_player_tick(hall->chairs[i].player, now);
            maw_driver_tick(hall->chairs[i].driver, now);
            delivered += maw_house_deliver(hall->house, now);
        }
        for (int i = 0; i < BOTS; i++) {
            TimeUs player = maw_player_deadline(hall->chairs[i].player);
            TimeUs driver = maw_driver_deadline(hall->chairs[i].driver);
            next = player < next ? player : next;
            next = driver < next ? driver : next;
        }
        if (delivered == 0)
            now = next > now ? next : now + 1000;
    }
}

static void hall_close(Hall *hall)
{
    for (int i = 0; i < BOTS; i++) {
        maw_driver_free(hall->chairs[i].driver);
        maw_player_free(hall->chairs[i].player);
    }
    maw_session_free(hall->session);
    maw_house_free(hall->house);
    buf_done(&hall->record);
}

/* A record of `rounds` rounds among bots, into `out`. */
static void bots_record(uint64_t seed, uint32_t rounds, Buf *out)
{
    Ruleset rules;
    Hall hall = {0};
    MawOptions options = maw_options_default();

    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    options.players = BOTS;
    options.rounds = rounds;
    options.graveyard = seed % 2;
    options.language = seed % 4 == 3 ? LLM_JAPANESE : LLM_ENGLISH;
    options.night_min_ms = seed % 3 ? 0 : 20000;
    rules.vote.self_vote = seed % 2;
    hall_open(&hall, &rules, &options, seed);
    hall_play(&hall);
    buf_add(out, buf_str(&hall.record));
    hall_close(&hall);
}

/* ---- asking ---- */

static MawReplayVerdict judge(Str text)
{
    MawReplayVerdict verdict;
    Err err = {0};

    if (maw_record_replay(text, &verdict, &err))
        fail_msg("%s", err.msg);
    return verdict;
}

static void assert_replays(Str text)
{
    MawReplayVerdict verdict = judge(text);

    if (!verdict.ok)
        fail_msg("line %u: %s", verdict.line, verdict.reason);
    assert_int_equal(verdict.line, 0);
    assert_false(verdict.truncated);
}

static void assert_differs(Str text, unsigned line, const char *reason)
{
    MawReplayVerdict verdict = judge(text);

    assert_false(verdict.ok);
    assert_false(verdict.truncated);
    assert_string_equal(verdict.reason, reason);
    assert_int_equal(verdict.line, line);
}

/* Where `part` begins in a text; NULL. */
static const char *place_of(Str text, const char *part)
{
    size_t len = strlen(part);

    for (size_t at = 0; at + len <= text.len; at++)
        if (memcmp(text.bytes + at, part, len) == 0)
            return text.bytes + at;
    return NULL;
}

/* The first line, from 1, that has `part`, into *ret_line. */
static unsigned find(const Buf *record, const char *part, Str *ret_line)
{
    unsigned number = 1;

    for (Str rest = buf_str(record); rest.len; number++) {
        Str line = str_cut(&rest, '\n');
        if (!place_of(line, part))
            continue;
        *ret_line = line;
        return number;
    }
    fail_msg("no line has '%s'", part);
    return 0;
}

/* The record with the first `from` behind the beginning of `line` replaced by `to`. */
static void replace(const Buf *record, Str line, const char *from, const char *to, Buf *out)
{
    const char *found = place_of(line, from);

    assert_non_null(found);
    size_t at = (size_t)(found - record->bytes);
    buf_clear(out);
    buf_add(out, str_part(buf_str(record), 0, at));
    buf_add(out, str_of(to));
    buf_add(out, str_part(buf_str(record), at + strlen(from), record->len));
}

/* ---- tests ---- */

static void sessions_of_bots_replay(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        CLEANUP(buf_done) Buf record = {0};
        bots_record(seed, 1 + (uint32_t)seed % 3, &record);
        assert_true(maw_record_is(buf_str(&record)));
        assert_replays(buf_str(&record));
        assert_int_equal(judge(buf_str(&record)).rounds, 1 + seed % 3);
    }
}

static void what_an_operator_does_replays(void **state)
{
    Table *table = *state;

    table->options.rounds = 3;
    table->options.whispers = WHISPERS_ALWAYS;
    begin(table, 6);
    say(table, 0, VILLAGE, "Good \\\"morning\\\".");
    sendf(table, 1, MASTER, "{\"type\":\"whisper\",\"to\":\"Ann\",\"message\":\"It is you.\"}");
    pass(table, 1234);
    maw_session_link(table->session, false, table->now);
    wait_ms(table, 9000);
    vote(table, 3, 4); /* refused: nobody can act */
    maw_session_link(table->session, true, table->now);
    pass(table, 700);
    assert_true(maw_session_pause(table->session, table->now));
    pass(table, 8000);
    maw_session_link(table->session, false, table->now);
    wait_ms(table, 7000);
    assert_true(maw_session_resume(table->session, table->now));
    pass(table, 3000);
    maw_session_link(table->session, true, table->now);
    assert_true(maw_session_extend(table->session, 45000, table->now));
    bounce_player(table, 2);
    pass(table, 500);
    say(table, 2, VILLAGE, "Here I am again.");
    maw_session_end_phase(table->session, table->now);
    wait_ms(table, 1500);
    maw_session_kick(table->session, STR("Dan"), table->now);
    send_from(table, "stranger@else.test", MASTER, "{\"type\":\"chat\",\"message\":\"Hello?\"}");
    sendf(table, 4, MASTER, "{\"type\":\"leave\"}");
    wait_ms(table, 100000);
    maw_session_stop(table->session, "That is all, \"folks\".", table->now);
    assert_replays(buf_str(&table->record));
    assert_has(buf_cstr(&table->record), "\"event\":\"kick\"");
    assert_has(buf_cstr(&table->record), "\"state\":\"paused\"");
    assert_has(buf_cstr(&table->record), "\"act\":\"extend\"");
}

static void long_bodies_replay(void **state)
{
    Table *table = *state;
    CLEANUP(buf_done) Buf body = {0};

    begin(table, 3);
    /* Taken, though it is long: its last byte counts. */
    buf_add(&body, STR("{\"type\":\"chat\",\"more\":\""));
    while (body.len < 100000)
        buf_add(&body, STR("\xE7\x8B\xBC"));
    buf_add(&body, STR("\",\"message\":\"Howl.\"}"));
    send(table, 0, VILLAGE, buf_cstr(&body));
    assert_has(buf_cstr(&table->record), "\"text\":\"Howl.\"");
    assert_has_not(buf_cstr(&table->record), "body_bytes");
    /* Refused for its length, cut off in the middle of a character. */
    for (size_t shift = 0; shift < 4; shift++) {
        buf_clear(&body);
        buf_add(&body, str_part(STR("abcd"), 0, shift));
        while (body.len <= MAW_BODY_BYTES_MAX)
            buf_add(&body, STR("\xF0\x9F\x90\xBA"));
        pass(table, 5000); /* so much counts as a flood */
        send(table, 1, VILLAGE, buf_cstr(&body));
    }
    assert_has(buf_cstr(&table->record), "\"body_bytes\":131076");
    maw_session_stop(table->session, "Enough.", table->now);
    assert_replays(buf_str(&table->record));
}

static void a_changed_line_is_found(void **state)
{
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf changed = {0};
    Str line;

    (void)state;
    bots_record(5, 2, &record);
    unsigned number = find(&record, "\"event\":\"end_game\"", &line);
    replace(&record, line, "\"reason\":\"win\"", "\"reason\":\"idle\"", &changed);
    assert_differs(buf_str(&changed), number, "'reason' is 'idle'; played again it is 'win'");
    replace(&record, line, "\"points\":", "\"points\":9", &changed);
    assert_differs(buf_str(&changed), number,
                   "'players' is another list; played again it is another list");

    number = find(&record, "\"event\":\"vote\"", &line);
    replace(&record, line, "\"event\":\"vote\"", "\"event\":\"veto\"", &changed);
    assert_differs(buf_str(&changed), number, "'event' is 'veto'; played again it is 'vote'");

    number = find(&record, "\"event\":\"phase\"", &line);
    replace(&record, line, "\"t_ms\":", "\"t_ms\":1", &changed);
    assert_false(judge(buf_str(&changed)).ok);
    assert_int_equal(judge(buf_str(&changed)).line, number);
    replace(&record, line, "{", "[", &changed);
    assert_int_equal(judge(buf_str(&changed)).line, number);
    replace(&record, line, "\"day\":1", "\"day\": 1", &changed);
    assert_differs(buf_str(&changed), number, "played again, the line is written in another way");
}

static void another_seed_deals_other_roles(void **state)
{
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf changed = {0};
    Str line;

    (void)state;
    bots_record(5, 1, &record);
    find(&record, "\"event\":\"session\"", &line);
    replace(&record, line, "\"seed\":\"5\"", "\"seed\":\"7\"", &changed);
    unsigned number = find(&record, "\"event\":\"start_game\"", &line);
    assert_differs(buf_str(&changed), number,
                   "'players' is another list; played again it is another list");
}

static void lines_that_were_added_or_taken_away_are_found(void **state)
{
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf changed = {0};
    Str line;

    (void)state;
    bots_record(3, 1, &record);
    unsigned number = find(&record, "\"event\":\"phase_end\"", &line);
    size_t at = (size_t)(line.bytes - record.bytes);
    buf_add(&changed, str_part(buf_str(&record), 0, at));
    buf_add(&changed, str_part(buf_str(&record), at + line.len + 1, record.len));
    assert_int_equal(judge(buf_str(&changed)).line, number);

    buf_clear(&changed);
    buf_add(&changed, str_part(buf_str(&record), 0, at));
    buf_add(&changed, line);
    buf_add_char(&changed, '\n');
    buf_add(&changed, str_part(buf_str(&record), at, record.len));
    assert_int_equal(judge(buf_str(&changed)).line, number + 1);

    buf_clear(&changed);
    buf_add(&changed, buf_str(&record));
    buf_add(&changed, STR("{\"seq\":99999,\"t_ms\":99999999,\"event\":\"line\"}\n"));
    MawReplayVerdict verdict = judge(buf_str(&changed));
    assert_false(verdict.ok);
    assert_string_equal(verdict.reason, "played again, this does not happen");
}

static void a_record_that_stops_is_truncated(void **state)
{
    CLEANUP(buf_done) Buf record = {0};
    size_t cuts = 0;

    (void)state;
    bots_record(4, 1, &record);
    /* What comes in after the session's end may lack. */
    const char *last = place_of(buf_str(&record), "\"session_end\"");
    assert_non_null(last);
    size_t end = (size_t)(last - record.bytes);
    /* Every place is too many: those around line ends, and some between. */
    for (size_t len = 1; len < end; len++) {
        if (len % 997 != 0 && record.bytes[len] != '\n' && record.bytes[len - 1] != '\n')
            continue;
        if (cuts++ % 23 != 0)
            continue;
        MawReplayVerdict verdict = judge(str_part(buf_str(&record), 0, len));
        assert_false(verdict.ok);
        if (!verdict.truncated)
            fail_msg("cut at %zu: line %u: %s", len, verdict.line, verdict.reason);
        assert_has(verdict.reason, "truncated: line ");
    }
    assert_true(cuts > 200);
    /* A line end alone is no loss. */
    assert_replays(str_part(buf_str(&record), 0, record.len - 1));
}

static void lines_of_the_table_are_not_compared_but_read(void **state)
{
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf changed = {0};
    Str line = {0};

    (void)state;
    bots_record(6, 1, &record);
    unsigned number = find(&record, "\"event\":\"joined\"", &line);
    replace(&record, line, "{\"seq\"",
            "{\"t_ms\":3,\"event\":\"seat\",\"jid\":\"p\",\"name\":\"Ann\",\"kind\":\"bot\"}\n"
            "{\"t_ms\":3,\"event\":\"decision\",\"name\":\"Ann\",\"decision\":{}}\n"
            "{\"t_ms\":3,\"event\":\"fault\",\"name\":\"Ann\",\"fault\":\"timeout\"}\n{\"seq\"",
            &changed);
    assert_replays(buf_str(&changed));
    replace(&record, line, "{\"seq\"", "{\"t_ms\":3,\"event\":\"kick\"}\n{\"seq\"", &changed);
    assert_differs(buf_str(&changed), number,
                   "expected one of the events seat, decision, opinion, figures, fault, dropped");
    replace(&record, line, "{\"seq\"", "{\"t_ms\":3,\"event\n{\"seq\"", &changed);
    assert_int_equal(judge(buf_str(&changed)).line, number);
}

static void another_version_may_have_written_it(void **state)
{
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf changed = {0};

    (void)state;
    bots_record(2, 1, &record);
    assert_false(judge(buf_str(&record)).other_program);
    replace(&record, buf_str(&record), "warg " WARG_VERSION, "warg 0.0.1-\\\"old\\\"", &changed);
    assert_replays(buf_str(&changed));
    assert_true(judge(buf_str(&changed)).other_program);
}

static void bad_beginnings_say_what_is_wrong(void **state)
{
    static const struct {
        const char *from, *to, *reason;
    } rows[] = {
        {"\"event\":\"session\"", "\"event\":\"seat\"",
         "expected the event 'session', which begins a record"},
        {"\"players\":6", "\"players\":600", "'players' is 600; expected 3 to 30"},
        {"\"players\":6", "\"players\":\"x\"", "'players' is not a whole number"},
        {"\"fill\":\"none\"", "\"fill\":\"all\"", "'fill' is not one of its words"},
        {"\"master\":\"gm@maw.test\"", "\"master\":\"boss@maw.test\"", "'master' is not gm@DOMAIN"},
        {"\"seed\":\"2\"", "\"seed\":2", "'seed' is not a text"},
        {"\"began\":\"2023", "\"began\":\"20x3",
         "'began' is not a time as 2026-05-01T18:00:00.000Z"},
        {"\"id\":\"h\"", "\"id\":\"\"", "'id' is not a name"},
    };
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf changed = {0};

    (void)state;
    bots_record(2, 1, &record);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        replace(&record, buf_str(&record), rows[i].from, rows[i].to, &changed);
        assert_differs(buf_str(&changed), 1, rows[i].reason);
    }
    replace(&record, buf_str(&record), "players: 6", "players: -6", &changed);
    MawReplayVerdict verdict = judge(buf_str(&changed));
    assert_int_equal(verdict.line, 1);
    assert_has(verdict.reason, "its rules, line ");
    assert_false(maw_record_is(STR("")));
    assert_false(maw_record_is(STR("0,status,1,SEER,ALIVE,x\n")));
    assert_true(judge(STR("")).truncated);
    assert_true(judge(STR("{\"seq\":0,\"t_ms\":0")).truncated);
    assert_false(judge(STR("\n\n")).ok);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sessions_of_bots_replay),
        table_test(what_an_operator_does_replays),
        table_test(long_bodies_replay),
        cmocka_unit_test(a_changed_line_is_found),
        cmocka_unit_test(another_seed_deals_other_roles),
        cmocka_unit_test(lines_that_were_added_or_taken_away_are_found),
        cmocka_unit_test(a_record_that_stops_is_truncated),
        cmocka_unit_test(lines_of_the_table_are_not_compared_but_read),
        cmocka_unit_test(another_version_may_have_written_it),
        cmocka_unit_test(bad_beginnings_say_what_is_wrong),
    };

    return cmocka_run_group_tests_name("records played again", tests, NULL, NULL);
}
