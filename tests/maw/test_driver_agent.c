#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/driver_agent.h"
#include "maw/house.h"
#include "wire/aiwolf_client.h"

#define PLAYERS 6
#define SECOND  ((TimeUs)1000 * 1000)

typedef struct Hall Hall;
typedef struct Seat Seat;

/* What an agent says to an ask; false: never. `view` is what it has been told over the wire. */
typedef bool (*Script)(Seat *seat, const Ask *ask, const View *view, Answer *ret_answer);

/* A player with an agent that is told packets, and has read them when it answers. */
struct Seat {
    Hall *hall;
    unsigned number;
    char jid[32];
    MawPlayer *player;
    MawDriver *driver;
    AiwolfClient *client;
    AiwolfCursor cursor;
    Script script;
    TimeUs delay;
    bool asked;
    bool answers;
    TimeUs answer_at;
    Answer answer;
    char text[200];
    unsigned words; /* it has said today */
    unsigned asks;
    AiwolfRequest last;
    Buf requests; /* "INITIALIZE DAILY_INITIALIZE ..." of all that it was sent */
};

struct Hall {
    MawSession *session;
    MawHouse *house;
    Seat seats[PLAYERS];
    TimeUs now;
    Buf record;
    Buf packets; /* all that were sent */
    unsigned finished;
    unsigned divined; /* results that stood in a morning's packet */
};

/* ---- the session ---- */

static void on_send(void *user, const MawStanza *stanza)
{
    maw_house_post(((Hall *)user)->house, stanza);
}

static void on_record(void *user, Str json)
{
    buf_add(&((Hall *)user)->record, json);
    buf_add_char(&((Hall *)user)->record, '\n');
}

static void on_session_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    maw_session_receive(((Hall *)user)->session, stanza, now);
}

static void on_seat_stanza(void *user, const MawStanza *stanza, TimeUs now)
{
    maw_player_receive(((Seat *)user)->player, stanza, now);
}

static void on_seat_send(void *user, const MawStanza *stanza)
{
    maw_house_post(((Seat *)user)->hall->house, stanza);
}

static void on_seat_news(void *user, const MawNews *news, TimeUs now)
{
    maw_driver_news(((Seat *)user)->driver, news, now);
}

static void open_session(Hall *hall, uint64_t seed, uint32_t rounds, int32_t seers)
{
    static const char *const nodes[] = {"gm", "lobby", "village", "hideout"};
    Ruleset rules;
    MawOptions options = maw_options_default();

    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    rules.seers = seers;
    options.players = PLAYERS;
    options.rounds = rounds;
    MawSessionSetup setup = {
        .rules = &rules,
        .options = options,
        .id = STR("test"),
        .domain = STR("maw.test"),
        .chance = maw_chance_of_seed(seed),
        .out = {.send = on_send, .record = on_record, .user = hall},
    };
    assert_int_equal(maw_house_new(&hall->house, NULL), 0);
    assert_int_equal(maw_session_new(&setup, &hall->session, NULL), 0);
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
        char jid[32];
        snprintf(jid, sizeof(jid), "%s@maw.test", nodes[i]);
        assert_int_equal(maw_house_add(hall->house, str_of(jid), on_session_stanza, hall, NULL), 0);
    }
}

/* ---- the wire ---- */

/* What an agent is sent, and when. */
static void check_request(Seat *seat, AiwolfRequest request, const View *view)
{
    const MawKnown *known = maw_player_known(seat->player);
    bool wolf = view->role == ROLE_WEREWOLF;

    if (aiwolf_request_wants_answer(request) && request != AIWOLF_DIVINE) {
        assert_true(known->alive);
        assert_true(known->room_open);
    }
    if (request == AIWOLF_TALK || request == AIWOLF_VOTE)
        assert_false(known->night);
    if (request == AIWOLF_WHISPER || request == AIWOLF_ATTACK)
        assert_true(known->night && wolf);
    if (request == AIWOLF_DIVINE)
        assert_true(view->role == ROLE_SEER && known->alive);
    assert_true(request != AIWOLF_GUARD && request != AIWOLF_ROLE);
    if (request == AIWOLF_FINISH) {
        seat->hall->finished++;
        for (SeatNo other = 1; other <= PLAYERS; other++)
            assert_int_not_equal(view->roles[other], ROLE_NONE);
    }
    if (request == AIWOLF_TALK) /* the day was begun for it, and talking goes on */
        assert_true(seat->last == AIWOLF_DAILY_INITIALIZE || seat->last == AIWOLF_TALK);
    if (request == AIWOLF_DAILY_INITIALIZE && view->divined.target != SEAT_NONE)
        seat->hall->divined++;
}

static void send_packet(Seat *seat, AiwolfRequest request, bool revote, const View *view)
{
    Buf *packets = &seat->hall->packets;
    size_t from = packets->len;
    AiwolfRequest read;
    Err err = {0};

    check_request(seat, request, view);
    aiwolf_packet_write(request, revote, view, &seat->cursor, packets);
    assert_false(buf_failed(packets));
    Str line = str_part(buf_str(packets), from, packets->len - from - 1);
    if (aiwolf_client_packet(seat->client, line, &read, &err))
        fail_msg("%s: %.*s", err.msg, STR_ARG(line));
    assert_int_equal(read, request);
    seat->last = request;
    buf_printf(&seat->requests, "%s ", aiwolf_request_name(request));
    if (request == AIWOLF_DAILY_INITIALIZE)
        seat->words = 0;
}

static void on_tell(void *user, AiwolfRequest request, const View *view)
{
    assert_false(aiwolf_request_wants_answer(request));
    send_packet(user, request, false, view);
}

static void on_ask(void *user, const Ask *ask, const View *view, TimeUs now)
{
    Seat *seat = user;

    (void)now;
    assert_false(seat->asked); /* one at a time */
    send_packet(seat, aiwolf_request_of_ask(ask->kind), ask->revote, view);
    seat->asks++;
    seat->asked = true;
    seat->answer = (Answer){.kind = ask->kind};
    seat->answers = seat->script(seat, ask, aiwolf_client_view(seat->client), &seat->answer);
    seat->answer_at = seat->answers ? seat->hall->now + seat->delay : TIME_US_NEVER;
}

static void open_seat(Hall *hall, unsigned number, Script script)
{
    static const char *const names[PLAYERS] = {"Ann", "Bo", "Cy", "Di", "Ed", "Flo"};
    Seat *seat = &hall->seats[number];
    Ruleset rules;

    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    *seat = (Seat){.hall = hall, .number = number, .script = script, .delay = SECOND / 5};
    snprintf(seat->jid, sizeof(seat->jid), "p%02u@maw.test", number + 1);
    MawPlayerSetup player = {
        .jid = str_of(seat->jid),
        .game_master = STR("gm@maw.test"),
        .name = str_of(names[number]),
        .out = {.send = on_seat_send, .news = on_seat_news, .user = seat},
    };
    const MawAgentSetup agent = {
        .link = {.ask = on_ask, .tell = on_tell, .user = seat},
        .rules = &rules,
        .limit_ms = 1000,
        .pace = {.min_us = 2 * SECOND, .max_us = 8 * SECOND, .last_call_us = 20 * SECOND},
        .seed = number,
    };
    assert_int_equal(aiwolf_client_new(&seat->client, NULL), 0);
    assert_int_equal(maw_player_new(&player, &seat->player, NULL), 0);
    assert_int_equal(maw_agent_driver_new(&agent, &seat->driver, NULL), 0);
    maw_driver_take(seat->driver, seat->player);
    assert_int_equal(maw_house_add(hall->house, str_of(seat->jid), on_seat_stanza, seat, NULL), 0);
}

/* ---- scripts ---- */

static SeatNo first_of(SeatSet set)
{
    return set ? seat_first(set) : SEAT_NONE;
}

static SeatSet wolves_known(const View *view)
{
    SeatSet wolves = 0;

    for (SeatNo seat = 1; seat <= view->seat_count; seat++)
        if (view->roles[seat] == ROLE_WEREWOLF)
            wolves |= seat_bit(seat);
    return wolves;
}

static bool say(Seat *seat, const char *text, Answer *answer)
{
    snprintf(seat->text, sizeof(seat->text), "%s", text);
    answer->text = str_of(seat->text);
    return true;
}

/* Says two things, then Over; chooses the first whom it may. */
static bool plain(Seat *seat, const Ask *ask, const View *view, Answer *answer)
{
    SeatSet others = view->alive & ~seat_bit(view->seat);
    char text[100];

    assert_int_equal(ask->seat, view->seat);
    if (ask->kind == ASK_TALK || ask->kind == ASK_WHISPER) {
        if (seat->words++ >= 2)
            return say(seat, "Over", answer);
        snprintf(text, sizeof(text), "ESTIMATE Agent[%02u] WEREWOLF", first_of(others));
        return say(seat, text, answer);
    }
    if (ask->kind == ASK_ATTACK)
        others &= ~wolves_known(view);
    answer->target = first_of(others);
    return true;
}

static bool silent(Seat *seat, const Ask *ask, const View *view, Answer *answer)
{
    if (ask->kind == ASK_TALK || ask->kind == ASK_WHISPER)
        return say(seat, "Skip", answer);
    return plain(seat, ask, view, answer);
}

/* Everybody insists on somebody else. */
static bool stubborn(Seat *seat, const Ask *ask, const View *view, Answer *answer)
{
    SeatSet others = view->alive & ~seat_bit(view->seat) & ~wolves_known(view);

    if (ask->kind != ASK_ATTACK)
        return silent(seat, ask, view, answer);
    answer->target = seat_nth(others, view->seat % seat_count_of(others));
    return true;
}

/* Votes for itself, for no seat, for its mates. */
static bool odd(Seat *seat, const Ask *ask, const View *view, Answer *answer)
{
    if (ask->kind == ASK_TALK || ask->kind == ASK_WHISPER)
        return say(seat, "Agent[99] \x01 Agent[", answer);
    answer->target = seat->asks % 2 ? view->seat : (SeatNo)29;
    return true;
}

static bool nobody(Seat *seat, const Ask *ask, const View *view, Answer *answer)
{
    (void)view;
    if (ask->kind == ASK_TALK || ask->kind == ASK_WHISPER)
        return say(seat, "", answer);
    answer->lapse = seat->number % 2;
    return true;
}

static bool dumb(Seat *seat, const Ask *ask, const View *view, Answer *answer)
{
    (void)seat;
    (void)ask;
    (void)view;
    (void)answer;
    return false;
}

static bool wordy(Seat *seat, const Ask *ask, const View *view, Answer *answer)
{
    if (ask->kind == ASK_TALK || ask->kind == ASK_WHISPER)
        return say(seat, "REQUEST ANY (VOTE Agent[01])", answer);
    return plain(seat, ask, view, answer);
}

/* ---- playing ---- */

static TimeUs earlier(TimeUs a, TimeUs b)
{
    return a < b ? a : b;
}

static void answer_when_due(Seat *seat)
{
    if (!seat->asked || seat->hall->now < seat->answer_at)
        return;
    const Answer answer = seat->answer;
    seat->asked = false;
    seat->answer_at = TIME_US_NEVER;
    maw_agent_driver_answer(seat->driver, &answer, seat->hall->now);
}

static TimeUs settle(Hall *hall)
{
    TimeUs next;

    do {
        maw_session_tick(hall->session, hall->now);
        maw_house_deliver(hall->house, hall->now);
        for (unsigned i = 0; i < PLAYERS; i++) {
            answer_when_due(&hall->seats[i]);
            maw_player_tick(hall->seats[i].player, hall->now);
            maw_driver_tick(hall->seats[i].driver, hall->now);
            maw_house_deliver(hall->house, hall->now);
        }
        next = maw_session_deadline(hall->session);
        for (unsigned i = 0; i < PLAYERS; i++) {
            next = earlier(next, maw_player_deadline(hall->seats[i].player));
            next = earlier(next, maw_driver_deadline(hall->seats[i].driver));
            if (hall->seats[i].asked)
                next = earlier(next, hall->seats[i].answer_at);
        }
    } while (next <= hall->now && !maw_session_over(hall->session));
    return next;
}

static Hall *open_hall(uint64_t seed, uint32_t rounds, int32_t seers, Script script)
{
    Hall *hall = calloc(1, sizeof(*hall));

    assert_non_null(hall);
    open_session(hall, seed, rounds, seers);
    for (unsigned i = 0; i < PLAYERS; i++)
        open_seat(hall, i, script);
    return hall;
}

/* Until the session is over, or it is `until`. */
static void play(Hall *hall, TimeUs until)
{
    for (unsigned step = 0; !maw_session_over(hall->session); step++) {
        TimeUs next = settle(hall);
        assert_true(step < 100000);
        if (maw_session_over(hall->session) || next > until)
            break;
        assert_true(next > hall->now && next != TIME_US_NEVER);
        hall->now = next;
    }
    maw_house_deliver(hall->house, hall->now);
    assert_false(buf_failed(&hall->record));
}

static void hall_free(Hall *hall)
{
    for (unsigned i = 0; i < PLAYERS; i++) {
        maw_driver_free(hall->seats[i].driver);
        maw_player_free(hall->seats[i].player);
        aiwolf_client_free(hall->seats[i].client);
        buf_done(&hall->seats[i].requests);
    }
    maw_session_free(hall->session);
    maw_house_free(hall->house);
    buf_done(&hall->record);
    buf_done(&hall->packets);
    free(hall);
}

static unsigned count_in(Buf *text, const char *what)
{
    unsigned count = 0;

    for (const char *at = buf_cstr(text); (at = strstr(at, what)); at++)
        count++;
    return count;
}

/* ---- tests ---- */

static void six_agents_play_two_rounds(void **state)
{
    Hall *hall = open_hall(3, 2, 0, plain);

    (void)state;
    play(hall, TIME_US_NEVER);
    assert_true(maw_session_over(hall->session));
    assert_int_equal(count_in(&hall->record, "\"event\":\"end_game\""), 2);
    assert_int_equal(hall->finished, 2 * PLAYERS); /* the dead, too */
    /* Names in the room, numbers on the wire. */
    assert_int_equal(count_in(&hall->record, "Agent["), 0);
    assert_true(count_in(&hall->record, "ESTIMATE Ann WEREWOLF") > 0);
    assert_true(count_in(&hall->packets, "\"text\":\"ESTIMATE Agent[01] WEREWOLF\"") > 0);
    assert_int_equal(count_in(&hall->packets, "Ann"), 0);
    assert_true(count_in(&hall->record, "\"status\":\"murdered\"") > 0);
    /* A day goes as they know it. */
    const char *usual = "INITIALIZE DAILY_INITIALIZE DAILY_FINISH DAILY_INITIALIZE TALK TALK TALK ";
    assert_true(str_starts(buf_str(&hall->seats[0].requests), str_of(usual)));
    assert_non_null(strstr(buf_cstr(&hall->seats[0].requests), "TALK DAILY_FINISH VOTE "));
    for (unsigned i = 0; i < PLAYERS; i++) {
        MawAgentFigures figures = maw_agent_driver_figures(hall->seats[i].driver);
        assert_int_equal(figures.asks, hall->seats[i].asks);
        assert_int_equal(figures.rules, 0);
        assert_int_equal(figures.odd, 0);
        assert_true(figures.lines > 0 && figures.votes > 0);
    }
    hall_free(hall);
}

static void the_silent_say_nothing_and_vote(void **state)
{
    Hall *hall = open_hall(4, 1, 0, silent);
    unsigned votes = 0;

    (void)state;
    play(hall, 60 * SECOND); /* nobody waits for the end of a silent day */
    assert_true(count_in(&hall->record, "\"event\":\"vote\"") > 0);
    play(hall, TIME_US_NEVER);
    for (unsigned i = 0; i < PLAYERS; i++) {
        assert_int_equal(maw_agent_driver_figures(hall->seats[i].driver).lines, 0);
        votes += maw_agent_driver_figures(hall->seats[i].driver).votes;
    }
    assert_true(votes >= PLAYERS);
    hall_free(hall);
}

static void nobody_says_more_than_it_may(void **state)
{
    Hall *hall = open_hall(3, 1, 0, wordy);

    (void)state;
    play(hall, 290 * SECOND);
    for (unsigned i = 0; i < PLAYERS; i++)
        assert_in_range(maw_agent_driver_figures(hall->seats[i].driver).lines, 1, 30);
    play(hall, TIME_US_NEVER);
    assert_int_equal(count_in(&hall->record, "\"event\":\"end_game\""), 1);
    hall_free(hall);
}

static void wolves_who_insist_take_the_choice_of_the_first(void **state)
{
    unsigned settled = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        Hall *hall = open_hall(seed, 1, 0, stubborn);
        play(hall, TIME_US_NEVER);
        assert_true(count_in(&hall->record, "\"status\":\"murdered\"") > 0);
        for (unsigned i = 0; i < PLAYERS; i++)
            settled += maw_agent_driver_figures(hall->seats[i].driver).settled;
        hall_free(hall);
    }
    assert_true(settled > 0);
}

static void the_seer_asks_in_the_morning_whom_it_chose_at_night(void **state)
{
    Hall *hall = open_hall(6, 1, 1, plain);
    unsigned seers = 0;

    (void)state;
    play(hall, TIME_US_NEVER);
    assert_true(hall->divined > 0);
    assert_true(count_in(&hall->record, "query_role") > 0);
    for (unsigned i = 0; i < PLAYERS; i++) {
        const char *requests = buf_cstr(&hall->seats[i].requests);
        bool seer = strstr(requests, "DIVINE ") != NULL;
        seers += seer;
        if (seer)
            assert_true(strncmp(requests,
                                "INITIALIZE DAILY_INITIALIZE DAILY_FINISH DIVINE "
                                "DAILY_INITIALIZE TALK ",
                                strlen("INITIALIZE DAILY_INITIALIZE DAILY_FINISH DIVINE "
                                       "DAILY_INITIALIZE TALK ")) == 0);
    }
    assert_int_equal(seers, 1);
    hall_free(hall);
}

static void a_seer_that_never_chooses_gets_its_morning_all_the_same(void **state)
{
    Hall *hall = open_hall(6, 1, 1, nobody);

    (void)state;
    play(hall, 250 * SECOND);
    assert_int_equal(hall->divined, 0);
    for (unsigned i = 0; i < PLAYERS; i++)
        assert_non_null(strstr(buf_cstr(&hall->seats[i].requests), "DAILY_INITIALIZE TALK"));
    hall_free(hall);
}

static void for_odd_targets_a_rule_votes(void **state)
{
    Hall *hall = open_hall(7, 1, 0, odd);
    unsigned count = 0;

    (void)state;
    play(hall, TIME_US_NEVER);
    for (unsigned i = 0; i < PLAYERS; i++)
        count += maw_agent_driver_figures(hall->seats[i].driver).odd;
    assert_true(count > 0);
    assert_true(count_in(&hall->record, "\"event\":\"vote\"") > 0);
    assert_int_equal(count_in(&hall->record, "\"event\":\"end_game\""), 1);
    hall_free(hall);
}

static void who_votes_for_nobody_votes_for_nobody(void **state)
{
    Hall *hall = open_hall(8, 1, 0, nobody);

    (void)state;
    play(hall, TIME_US_NEVER);
    assert_int_equal(count_in(&hall->record, "\"event\":\"vote\""), 0);
    assert_int_equal(count_in(&hall->record, "\"event\":\"end_game\""), 1); /* a draw */
    hall_free(hall);
}

static void late_answers_change_nothing(void **state)
{
    Hall *hall = open_hall(9, 1, 0, plain);
    unsigned late = 0;

    (void)state;
    for (unsigned i = 0; i < PLAYERS; i++)
        hall->seats[i].delay = 130 * SECOND;
    play(hall, TIME_US_NEVER);
    for (unsigned i = 0; i < PLAYERS; i++)
        late += maw_agent_driver_figures(hall->seats[i].driver).late;
    assert_true(late > 0);
    assert_int_equal(count_in(&hall->record, "\"event\":\"end_game\""), 1);
    hall_free(hall);
}

static void who_never_answers_hurts_only_itself(void **state)
{
    Hall *hall = open_hall(10, 1, 0, plain);

    (void)state;
    hall->seats[2].script = dumb;
    play(hall, TIME_US_NEVER);
    assert_int_equal(count_in(&hall->record, "\"event\":\"end_game\""), 1);
    assert_int_equal(hall->seats[2].asks, 1);
    for (unsigned i = 0; i < PLAYERS; i++)
        if (i != 2)
            assert_true(maw_agent_driver_figures(hall->seats[i].driver).votes > 0);
    hall_free(hall);
}

static void for_who_has_failed_a_rule_plays_on(void **state)
{
    Hall *hall = open_hall(11, 2, 0, plain);

    (void)state;
    play(hall, 3 * SECOND); /* in the midst of its first words */
    for (unsigned i = 0; i < PLAYERS; i++) {
        hall->seats[i].asked = false;
        maw_agent_driver_fail(hall->seats[i].driver);
    }
    unsigned asks = hall->seats[0].asks;
    Answer answer = {.kind = ASK_VOTE, .target = 1};
    maw_agent_driver_answer(hall->seats[0].driver, &answer, hall->now); /* nobody listens */
    play(hall, TIME_US_NEVER);
    assert_int_equal(hall->seats[0].asks, asks);
    assert_int_equal(count_in(&hall->record, "\"event\":\"end_game\""), 2);
    assert_true(count_in(&hall->record, "\"status\":\"murdered\"") > 0);
    assert_true(count_in(&hall->record, "\"event\":\"vote\"") > 0);
    assert_true(maw_agent_driver_figures(hall->seats[0].driver).rules > 0);
    assert_int_equal(hall->finished, 0);
    hall_free(hall);
}

/* A vote that is open when it fails is given by the rule, before the day is over. */
static void a_failure_at_the_last_call_still_leaves_a_vote(void **state)
{
    Hall *hall = open_hall(12, 1, 0, dumb);

    (void)state;
    play(hall, 285 * SECOND);
    assert_int_equal(count_in(&hall->record, "\"event\":\"vote\""), 0);
    for (unsigned i = 0; i < PLAYERS; i++)
        maw_agent_driver_fail(hall->seats[i].driver);
    play(hall, 299 * SECOND);
    assert_true(count_in(&hall->record, "\"event\":\"vote\"") > 0);
    hall_free(hall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_agents_play_two_rounds),
        cmocka_unit_test(the_silent_say_nothing_and_vote),
        cmocka_unit_test(nobody_says_more_than_it_may),
        cmocka_unit_test(wolves_who_insist_take_the_choice_of_the_first),
        cmocka_unit_test(the_seer_asks_in_the_morning_whom_it_chose_at_night),
        cmocka_unit_test(a_seer_that_never_chooses_gets_its_morning_all_the_same),
        cmocka_unit_test(for_odd_targets_a_rule_votes),
        cmocka_unit_test(who_votes_for_nobody_votes_for_nobody),
        cmocka_unit_test(late_answers_change_nothing),
        cmocka_unit_test(who_never_answers_hurts_only_itself),
        cmocka_unit_test(for_who_has_failed_a_rule_plays_on),
        cmocka_unit_test(a_failure_at_the_last_call_still_leaves_a_vote),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
