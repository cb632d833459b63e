#include "seat/chair.h"

#include "base/rng.h"
#include "seat/aiwolf_manner.h"
#include "seat/nlp_manner.h"
#include "seat/peer.h"

#define GAMES 1000
#define ASKS  40 /* of a chair in one game of random faults */

/* The protocol division: no probe, nobody comes back. */
static const Patience protocol_patience = {
    .answer = 100 * MS, .grace = 50 * MS, .startup = 100 * MS, .forgives = true};
static const Patience speech_patience = {
    .answer = 100 * MS, .grace = 50 * MS, .probe = 20 * MS, .back = 1000 * MS, .returns = 2};

/* A chair without a socket, asked what seat 1 of a real game is asked. */
typedef struct Desk {
    Chair chair;
    AiwolfSpeaker aiwolf;
    NlpSpeaker nlp;
    Peer peer;
    Game *game;
    Buf scratch;
    Buf request;
    Buf said;
    ChairReport report;
    TimeUs now;
} Desk;

static void desk_open(Desk *desk, const Manner *manner)
{
    bool speech = manner == &nlp_manner;

    *desk = (Desk){.now = (TimeUs)1000 * MS, .peer.turn = 1};
    desk->game = begun_game("aiwolf-2021");
    desk->nlp = (NlpSpeaker){.text = {.game_id = STR("01JZ"), .setting = STR("{}")},
                             .original = STR("team1"),
                             .names = game_view(desk->game, 1)->names,
                             .count = 5,
                             .said = &desk->said};
    desk->chair = (Chair){.manner = manner,
                          .self = speech ? (void *)&desk->nlp : (void *)&desk->aiwolf,
                          .patience = speech ? &speech_patience : &protocol_patience,
                          .request = &desk->request,
                          .scratch = &desk->scratch};
    chair_seat(&desk->chair, (Link){&local_peer, &desk->peer});
    chair_begin_game(&desk->chair);
    chair_check(&desk->chair);
}

static void desk_done(Desk *desk)
{
    chair_close(&desk->chair);
    peer_done(&desk->peer);
    game_free(desk->game);
    aiwolf_speaker_done(&desk->aiwolf);
    buf_done(&desk->scratch);
    buf_done(&desk->request);
    buf_done(&desk->said);
}

static void desk_ask(Desk *desk, AskKind kind)
{
    const Ask ask = {.seat = 1, .kind = kind};

    chair_ask(&desk->chair, &ask, game_view(desk->game, 1), desk->now);
    chair_check(&desk->chair);
}

static ChairCame desk_say(Desk *desk, Str text)
{
    desk->peer.turn++;
    ChairCame came = chair_hear(&desk->chair, text, desk->now, desk->now, &desk->report);

    chair_check(&desk->chair);
    return came;
}

static ChairCame desk_lose(Desk *desk)
{
    ChairCame came =
        chair_lose(&desk->chair, FAULT_DISCONNECT, STR("gone"), desk->now, &desk->report);

    chair_check(&desk->chair);
    return came;
}

/* Time passes, in which all happens that is due in time, up to the first that comes to something.
 */
static ChairCame desk_wait(Desk *desk, int ms)
{
    TimeUs end = desk->now + (TimeUs)ms * MS;
    ChairCame came = CAME_NOTHING;

    while (came == CAME_NOTHING && chair_deadline(&desk->chair) <= end) {
        if (desk->now < chair_deadline(&desk->chair))
            desk->now = chair_deadline(&desk->chair);
        came = chair_due(&desk->chair, desk->now, &desk->report);
        chair_check(&desk->chair);
    }
    if (came == CAME_NOTHING)
        desk->now = end;
    return came;
}

static void desk_return(Desk *desk)
{
    chair_return(&desk->chair);
    desk->peer.closed = false;
    chair_seat(&desk->chair, (Link){&local_peer, &desk->peer});
    chair_check(&desk->chair);
}

/* ---- every division ---- */

static const Manner *const manners[] = {&aiwolf_manner, &nlp_manner};
#define EACH_MANNER(manner)                                                                        \
    for (size_t at_ = 0; at_ < 2; at_++)                                                           \
        for (const Manner *manner = manners[at_]; manner; manner = NULL)

static void a_request_goes_out_and_its_answer_is_read_and_timed(void **state)
{
    (void)state;
    EACH_MANNER(manner)
    {
        Desk desk;

        desk_open(&desk, manner);
        desk_ask(&desk, ASK_TALK);
        assert_non_null(strstr(buf_cstr(&desk.peer.sent), "TALK"));
        assert_int_equal(desk_wait(&desk, 70), CAME_NOTHING);
        assert_int_equal(desk_say(&desk, STR("Over")), CAME_ANSWER);
        assert_true(str_eq(desk.report.answer.text, STR("Over")));
        assert_true(desk.report.asked && !desk.report.at_fault);
        assert_int_equal(desk.chair.state, CHAIR_IDLE);
        assert_int_equal(durations_max(&desk.chair.times), 70 * MS);
        assert_int_equal(desk.chair.counts.excesses, 0);
        desk_done(&desk);
    }
}

static void an_answer_within_the_grace_is_an_excess(void **state)
{
    (void)state;
    EACH_MANNER(manner)
    {
        Desk desk;

        desk_open(&desk, manner);
        desk_ask(&desk, ASK_TALK);
        assert_int_equal(desk_wait(&desk, 140), CAME_NOTHING);
        assert_int_equal(desk_say(&desk, STR("Over")), CAME_ANSWER);
        assert_int_equal(desk.chair.counts.excesses, 1);
        assert_int_equal(desk.chair.counts.excused, 0);
        assert_int_equal(desk.chair.counts.faults[FAULT_TIMEOUT], 0);
        desk_done(&desk);
    }
}

static void who_is_gone_while_it_is_asked_leaves_a_lapse_and_a_fault(void **state)
{
    (void)state;
    EACH_MANNER(manner)
    {
        Desk desk;

        desk_open(&desk, manner);
        desk_ask(&desk, ASK_VOTE);
        desk.now += 3 * MS;
        assert_int_equal(desk_lose(&desk), manner->probes ? CAME_AWAY : CAME_OUT);
        assert_true(desk.peer.closed);
        assert_true(desk.report.asked && desk.report.answer.lapse);
        assert_int_equal(desk.report.answer.kind, ASK_VOTE);
        assert_int_equal(desk.report.fault.kind, FAULT_DISCONNECT);
        assert_string_equal(desk.report.fault.request, "VOTE");
        assert_int_equal(desk.report.fault.elapsed_us, 3 * MS);
        assert_int_equal(desk.report.fault.fatal, !manner->probes);
        assert_int_equal(desk.chair.counts.failures, 1);
        assert_int_equal(desk_lose(&desk), CAME_NOTHING);
        desk_done(&desk);
    }
}

static void a_record_has_what_a_chair_did_in_its_game(void **state)
{
    (void)state;
    EACH_MANNER(manner)
    {
        SeatRecord record = {.outside = true};
        Desk desk;

        desk_open(&desk, manner);
        desk_ask(&desk, ASK_TALK);
        desk_wait(&desk, 140);
        desk_say(&desk, STR("Over"));
        desk_lose(&desk);
        chair_record(&desk.chair, &record);
        assert_int_equal(record.failed, !manner->probes);
        assert_int_equal(record.faults[FAULT_DISCONNECT], 1);
        assert_int_equal(record.excesses, 1);
        assert_int_equal(durations_count(&record.times), 1);
        assert_true(record.outside);

        chair_forget(&desk.chair);
        chair_record(&desk.chair, &record);
        assert_int_equal(record.failed, !manner->probes);
        assert_int_equal(record.faults[FAULT_DISCONNECT], 0);
        assert_int_equal(record.excesses, 0);
        assert_int_equal(durations_count(&record.times), 0);
        desk_done(&desk);
    }
}

static void who_never_comes_is_out_with_its_fault(void **state)
{
    Chair chair = {.manner = &aiwolf_manner, .patience = &protocol_patience};
    SeatRecord record = {0};

    (void)state;
    chair_give_up(&chair, FAULT_TIMEOUT);
    chair_check(&chair);
    chair_record(&chair, &record);
    assert_true(record.failed);
    assert_int_equal(record.faults[FAULT_TIMEOUT], 1);
    assert_true(chair_deadline(&chair) == TIME_US_NEVER);
}

static void who_takes_a_chair_brings_its_state_and_leaves_what_the_chair_has_counted(void **state)
{
    Desk desk;
    Chair seat = {.counts.faults[FAULT_DISCONNECT] = 1, .state = CHAIR_OUT};

    (void)state;
    desk_open(&desk, &aiwolf_manner);
    desk_ask(&desk, ASK_TALK);
    desk_say(&desk, STR("Skip"));
    chair_take(&seat, &desk.chair);
    chair_check(&seat);
    chair_check(&desk.chair);
    assert_int_equal(seat.state, CHAIR_IDLE);
    assert_int_equal(seat.counts.faults[FAULT_DISCONNECT], 1);
    assert_int_equal(durations_count(&seat.times), 0);
    assert_true(seat.awake);
    assert_int_equal(desk.chair.state, CHAIR_OUT);
    chair_close(&seat);
    desk_done(&desk);
}

/* ---- probe = 0, back = 0: the protocol division ---- */

static void a_stranger_is_asked_for_its_name_first(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, &aiwolf_manner);
    chair_open(&desk.chair, desk.chair.link, desk.now);
    assert_int_equal(desk.chair.state, CHAIR_PROBED);
    assert_non_null(strstr(buf_cstr(&desk.peer.sent), "NAME"));
    assert_int_equal(desk_say(&desk, STR("anybody")), CAME_NAME);
    assert_int_equal(desk.chair.state, CHAIR_IDLE);

    chair_open(&desk.chair, desk.chair.link, desk.now);
    assert_int_equal(desk_wait(&desk, 100), CAME_OUT);
    assert_string_equal(desk.report.fault.request, "NAME");
    assert_false(desk.report.asked);
    desk_done(&desk);
}

static void without_a_probe_who_says_nothing_is_out(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, &aiwolf_manner);
    desk_ask(&desk, ASK_TALK);
    assert_int_equal(desk_wait(&desk, 149), CAME_NOTHING);
    assert_int_equal(desk_wait(&desk, 1), CAME_OUT);
    assert_int_equal(desk.report.fault.kind, FAULT_TIMEOUT);
    assert_true(desk.report.fault.fatal && desk.report.asked);
    assert_int_equal(desk.chair.counts.excesses, 0); /* nothing was taken */
    chair_return(&desk.chair);
    assert_int_equal(desk.chair.state, CHAIR_OUT);
    desk_done(&desk);
}

static void a_stray_is_a_fault_where_strays_are(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, &aiwolf_manner);
    assert_int_equal(desk_say(&desk, STR("hello")), CAME_OUT);
    assert_int_equal(desk.report.fault.kind, FAULT_EARLY);
    assert_string_equal(desk.report.fault.request, "");
    desk_done(&desk);
}

/* ---- probe and back: natural language ---- */

static void a_stray_is_the_tables_affair_where_it_is_no_fault(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, &nlp_manner);
    assert_int_equal(desk_say(&desk, STR("hello")), CAME_STRAY);
    assert_int_equal(desk.chair.state, CHAIR_IDLE);
    assert_int_equal(desk.chair.counts.faults[FAULT_EARLY], 0);
    desk_done(&desk);
}

static void who_says_nothing_is_asked_for_its_name_and_plays_on(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, &nlp_manner);
    desk_ask(&desk, ASK_TALK);
    assert_int_equal(desk_wait(&desk, 150), CAME_NOTHING);
    assert_int_equal(desk.chair.state, CHAIR_PROBED);
    assert_string_equal(buf_cstr(&desk.peer.sent), "{\"request\":\"NAME\"}");
    assert_int_equal(desk_say(&desk, STR("a late word")), CAME_STRAY);
    assert_int_equal(desk_say(&desk, STR("team1\n")), CAME_LAPSE);
    assert_int_equal(desk.chair.state, CHAIR_IDLE);
    assert_true(desk.report.asked && desk.report.answer.lapse);
    assert_false(desk.report.fault.fatal);
    assert_string_equal(desk.report.fault.request, "TALK");
    assert_int_equal(desk.chair.counts.faults[FAULT_TIMEOUT], 1);
    assert_int_equal(desk.chair.counts.excesses, 1);
    assert_int_equal(durations_count(&desk.chair.times), 0);
    desk_done(&desk);
}

static void who_does_not_say_its_name_is_away_and_out_when_nobody_waits_any_more(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, &nlp_manner);
    desk_ask(&desk, ASK_TALK);
    assert_int_equal(desk_wait(&desk, 169), CAME_NOTHING);
    assert_int_equal(desk_wait(&desk, 1), CAME_AWAY);
    assert_int_equal(desk.report.fault.kind, FAULT_TIMEOUT);
    assert_true(desk.peer.closed);
    desk_ask(&desk, ASK_TALK); /* not asked */
    assert_int_equal(desk.chair.state, CHAIR_AWAY);
    assert_int_equal(desk_wait(&desk, 999), CAME_NOTHING);
    assert_int_equal(desk_wait(&desk, 1), CAME_OUT);
    assert_false(desk.report.at_fault);
    assert_int_equal(desk_lose(&desk), CAME_NOTHING);
    desk_done(&desk);
}

static void who_comes_back_in_time_is_asked_again(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, &nlp_manner);
    assert_int_equal(desk_lose(&desk), CAME_AWAY);
    assert_int_equal(desk_wait(&desk, 500), CAME_NOTHING);
    desk_return(&desk);
    assert_int_equal(desk.chair.counts.returned, 1);
    desk_ask(&desk, ASK_TALK);
    assert_int_equal(desk_say(&desk, STR("here again")), CAME_ANSWER);
    desk_done(&desk);
}

static void who_only_comes_and_goes_is_out(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, &nlp_manner);
    for (uint32_t i = 0; i < speech_patience.returns; i++) {
        assert_int_equal(desk_lose(&desk), CAME_AWAY);
        desk_return(&desk);
    }
    desk_say(&desk, STR("a word")); /* that counts anew */
    for (uint32_t i = 0; i < speech_patience.returns; i++) {
        assert_int_equal(desk_lose(&desk), CAME_AWAY);
        desk_return(&desk);
    }
    assert_int_equal(desk_lose(&desk), CAME_OUT);
    assert_true(desk.report.fault.fatal);
    desk_done(&desk);
}

static void a_name_that_nobody_bears_is_a_stray_where_sessions_are_timed(void **state)
{
    Desk desk;

    (void)state;
    desk_open(&desk, &nlp_manner);
    desk_ask(&desk, ASK_VOTE);
    desk.nlp.timed = true;
    assert_int_equal(desk_say(&desk, STR("what I was saying")), CAME_STRAY);
    assert_int_equal(desk.chair.state, CHAIR_ASKED);
    desk.nlp.timed = false;
    assert_int_equal(desk_say(&desk, STR("what I was saying")), CAME_ANSWER);
    assert_int_equal(desk.report.answer.target, SEAT_NONE);
    desk_done(&desk);
}

/* ---- games of random faults ---- */

/* What comes of one request, by chance. */
static ChairCame random_end(Desk *desk, Rng *rng)
{
    ChairCame came = CAME_NOTHING;

    switch (rng_below(rng, 8)) {
    case 0: /* nobody answers */
        return desk_wait(desk, 100000);
    case 1:
        return desk_lose(desk);
    case 2: /* late, but it may be there */
        came = desk_wait(desk, 100 + (int)rng_below(rng, 69));
        return came == CAME_NOTHING ? desk_say(desk, STR("team1")) : came;
    case 3: /* its side has ended */
        came = chair_shut(&desk->chair, desk->now, &desk->report);
        chair_check(&desk->chair);
        return came;
    default:
        desk_wait(desk, (int)rng_below(rng, 100));
        return desk_say(desk, STR("Skip"));
    }
}

static void play_random(Desk *desk, Rng *rng)
{
    uint32_t faults = 0;
    uint32_t ends = 0;
    SeatRecord record = {0};

    for (int i = 0; i < ASKS && desk->chair.state != CHAIR_OUT; i++) {
        if (desk->chair.state == CHAIR_AWAY) {
            if (rng_below(rng, 4) == 0) {
                assert_int_equal(desk_wait(desk, 1000), CAME_OUT);
                break;
            }
            desk_return(desk);
        }
        desk_ask(desk, rng_below(rng, 2) ? ASK_TALK : ASK_VOTE);
        ChairCame came = random_end(desk, rng);
        assert_true(came != CAME_NOTHING && came != CAME_STRAY && came != CAME_NAME);
        faults += desk->report.at_fault;
        ends += desk->report.asked;
    }
    chair_record(&desk->chair, &record);
    for (FaultKind kind = 0; kind < FAULT_COUNT; kind++)
        faults -= record.faults[kind];
    assert_int_equal(faults, 0);
    assert_int_equal(ends, desk->chair.counts.requests);
    assert_int_equal(desk->chair.counts.answers, durations_count(&record.times));
    assert_int_equal(desk->chair.counts.answers + desk->chair.counts.failures, ends);
    assert_int_equal(record.failed, desk->chair.state == CHAIR_OUT);
}

static void every_request_of_a_thousand_games_with_random_faults_ends_once(void **state)
{
    Rng rng = rng_new(20261123);

    (void)state;
    EACH_MANNER(manner)
    {
        for (int game = 0; game < GAMES; game++) {
            Desk desk;

            desk_open(&desk, manner);
            play_random(&desk, &rng);
            desk_done(&desk);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_goes_out_and_its_answer_is_read_and_timed),
        cmocka_unit_test(an_answer_within_the_grace_is_an_excess),
        cmocka_unit_test(who_is_gone_while_it_is_asked_leaves_a_lapse_and_a_fault),
        cmocka_unit_test(a_record_has_what_a_chair_did_in_its_game),
        cmocka_unit_test(who_never_comes_is_out_with_its_fault),
        cmocka_unit_test(who_takes_a_chair_brings_its_state_and_leaves_what_the_chair_has_counted),
        cmocka_unit_test(a_stranger_is_asked_for_its_name_first),
        cmocka_unit_test(without_a_probe_who_says_nothing_is_out),
        cmocka_unit_test(a_stray_is_a_fault_where_strays_are),
        cmocka_unit_test(a_stray_is_the_tables_affair_where_it_is_no_fault),
        cmocka_unit_test(who_says_nothing_is_asked_for_its_name_and_plays_on),
        cmocka_unit_test(who_does_not_say_its_name_is_away_and_out_when_nobody_waits_any_more),
        cmocka_unit_test(who_comes_back_in_time_is_asked_again),
        cmocka_unit_test(who_only_comes_and_goes_is_out),
        cmocka_unit_test(a_name_that_nobody_bears_is_a_stray_where_sessions_are_timed),
        cmocka_unit_test(every_request_of_a_thousand_games_with_random_faults_ends_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
