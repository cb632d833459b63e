/* Tests of a built-in bot as an agent of the natural-language division, fed by hand. */
#include "seat/nlp_village.h"

#include "seat/nlp_bot.h"

/* ---- bots and what was sent to them ---- */

typedef struct Mail {
    SeatNo seat;
    NlpRequest request;
    Buf packet;
} Mail;

#define MAILS_MAX 4096

typedef struct Post {
    Village village;
    NlpBot *bots[SEAT_MAX + 1];
    SeatNo players;
    Mail mails[MAILS_MAX];
    uint32_t first;
    uint32_t last;
    uint32_t requests;
    uint32_t unasked; /* replies that the village did not take */
    bool ticked;
} Post;

static void post(void *user, SeatNo seat, NlpRequest request, Str packet)
{
    Post *self = user;
    Mail *mail = &self->mails[self->last++ % MAILS_MAX];

    assert_true(self->last - self->first <= MAILS_MAX);
    mail->seat = seat;
    mail->request = request;
    buf_clear(&mail->packet);
    buf_add(&mail->packet, packet);
}

static Post *post_new(SeatNo players, const char *kind)
{
    Post *self = mem_new(sizeof(*self));

    assert_non_null(self);
    self->players = players;
    self->village = (Village){.send = post, .user = self};
    for (SeatNo seat = 1; seat <= players; seat++) {
        NlpBotPlan plan = {.kind = bot_kind(str_of(kind)), .name = "warg1", .seed = seat};
        assert_int_equal(nlp_bot_new(&plan, &self->bots[seat], NULL), 0);
        nlp_bot_connected(self->bots[seat]);
    }
    return self;
}

static void post_free(Post *self)
{
    for (SeatNo seat = 1; seat <= self->players; seat++)
        nlp_bot_free(self->bots[seat]);
    for (uint32_t i = 0; i < MAILS_MAX; i++)
        buf_done(&self->mails[i].packet);
    village_done(&self->village);
    mem_free(self);
}

static void deliver(Post *self)
{
    Mail *mail = &self->mails[self->first++ % MAILS_MAX];
    Err err = {0};
    Str reply;

    if (nlp_bot_packet(self->bots[mail->seat], buf_str(&mail->packet), 0, &reply, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(reply.len > 0, nlp_request_has_reply(mail->request));
    if (reply.len == 0)
        return;
    self->requests++;
    self->unasked += !village_reply(&self->village, mail->seat, reply);
}

/* Everybody gets the chance to speak once; false when nobody did. */
static bool let_speak(Post *self)
{
    bool spoke = false;

    for (SeatNo seat = 1; seat <= self->players; seat++) {
        Str text = nlp_bot_speak(self->bots[seat]);
        if (text.len)
            village_reply(&self->village, seat, text);
        spoke |= text.len > 0;
        while (self->first != self->last)
            deliver(self);
    }
    return spoke;
}

static Side post_play(Post *self, const char *ruleset, bool japanese, uint64_t seed)
{
    unsigned silent = 0;

    self->ticked = false;
    village_begin(&self->village, ruleset, self->players, japanese, seed);
    while (!self->village.over) {
        if (self->first != self->last) {
            deliver(self);
            silent = 0;
        } else if (!let_speak(self) && silent++ > 50) {
            self->ticked = true;
            game_tick(self->village.game, game_deadline(self->village.game));
            village_go(&self->village);
        }
    }
    while (self->first != self->last)
        deliver(self);
    return game_winner(self->village.game);
}

static void bots_play_whole_games_over_packets(void **state)
{
    static const char *const tracks[] = {"nlp-turn", "nlp-anytime"};

    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        SeatNo players = i / 2 % 2 ? 9 : 5;
        Post *self = post_new(players, "talker");
        uint64_t wins[SEAT_MAX + 1] = {0};

        for (uint64_t game = 1; game <= 10; game++) {
            Side winner = post_play(self, tracks[i % 2], i / 4, 100 * i + game);
            assert_false(self->ticked);
            assert_true(self->village.texts > players * 4u);
            assert_int_equal(self->village.bad_targets, 0);
            for (SeatNo seat = 1; seat <= players; seat++) {
                wins[seat] += role_side(game_role(self->village.game, seat)) == winner;
                assert_int_equal(nlp_bot_games(self->bots[seat]), game);
                assert_int_equal(nlp_bot_decided(self->bots[seat]), game);
                assert_int_equal(nlp_bot_wins(self->bots[seat]), wins[seat]);
                assert_int_equal(nlp_bot_last(self->bots[seat]), NLP_FINISH);
            }
        }
        assert_int_equal(self->unasked, 0);
        post_free(self);
    }
}

static void every_kind_of_bot_can_play(void **state)
{
    (void)state;
    for (size_t i = 0; bot_kind_at(i); i++) {
        Post *self = post_new(5, bot_kind_at(i)->name);
        post_play(self, "nlp-turn", false, i);
        post_play(self, "nlp-anytime", false, i);
        post_free(self);
    }
}

/* ---- single packets ---- */

static Str reply_to(NlpBot *bot, const char *packet)
{
    Str reply = STR("nothing");

    assert_int_equal(nlp_bot_packet(bot, str_of(packet), 0, &reply, NULL), 0);
    return reply;
}

static int error_of(NlpBot *bot, const char *packet)
{
    Str reply;
    Err err = {0};

    return nlp_bot_packet(bot, str_of(packet), 0, &reply, &err);
}

static NlpBot *single_bot(const char *kind)
{
    NlpBotPlan plan = {.kind = bot_kind(str_of(kind)), .name = "warg7", .seed = 3};
    NlpBot *bot;

    assert_int_equal(nlp_bot_new(&plan, &bot, NULL), 0);
    nlp_bot_connected(bot);
    return bot;
}

#define INITIALIZE                                                                                 \
    "{\"request\":\"INITIALIZE\",\"info\":{\"agent\":\"Ann\",\"day\":0,\"status_map\":{\"Ann\":"   \
    "\"ALIVE\",\"Bob\":\"ALIVE\",\"Cid\":\"ALIVE\"},\"role_map\":{\"Ann\":\"VILLAGER\"}}}"

static void health_checks_are_answered_whenever_they_come(void **state)
{
    NlpBot *bot = single_bot("talker");

    (void)state;
    assert_true(str_eq(reply_to(bot, "{\"request\":\"NAME\"}"), STR("warg7")));
    assert_int_equal(reply_to(bot, INITIALIZE).len, 0);
    assert_int_equal(reply_to(bot, "{\"request\":\"DAILY_INITIALIZE\"}").len, 0);
    assert_true(str_eq(reply_to(bot, "{\"request\":\"NAME\"}"), STR("warg7")));
    assert_true(reply_to(bot, "{\"request\":\"TALK\"}").len > 0);
    Str vote = reply_to(bot, "{\"request\":\"VOTE\"}");
    assert_true(str_eq(vote, STR("Bob")) || str_eq(vote, STR("Cid")));
    nlp_bot_free(bot);
}

static void what_is_no_packet_is_an_error_and_changes_nothing(void **state)
{
    NlpBot *bot = single_bot("talker");

    (void)state;
    assert_int_equal(error_of(bot, ""), ERR_SYNTAX);
    assert_int_equal(error_of(bot, "{"), ERR_SYNTAX);
    assert_int_equal(error_of(bot, "[]"), ERR_SYNTAX);
    assert_int_equal(error_of(bot, "{\"request\":\"DANCE\"}"), ERR_SYNTAX);
    assert_int_equal(error_of(bot, "{\"request\":\"TALK\"}"), ERR_SYNTAX);
    assert_int_equal(nlp_bot_last(bot), NLP_REQUEST_COUNT);
    assert_int_equal(reply_to(bot, INITIALIZE).len, 0);
    assert_true(reply_to(bot, "{\"request\":\"TALK\"}").len > 0);
    nlp_bot_free(bot);
}

static void a_new_connection_knows_no_game_of_the_one_before(void **state)
{
    NlpBot *bot = single_bot("talker");

    (void)state;
    assert_int_equal(reply_to(bot, INITIALIZE).len, 0);
    nlp_bot_connected(bot);
    assert_int_equal(error_of(bot, "{\"request\":\"VOTE\"}"), ERR_SYNTAX);
    assert_false(nlp_bot_may_speak(bot));
    assert_int_equal(nlp_bot_games(bot), 0);
    nlp_bot_free(bot);
}

static void it_speaks_only_in_an_open_session_and_not_after_over(void **state)
{
    NlpBot *bot = single_bot("random"); /* which says Over at once */

    (void)state;
    assert_int_equal(nlp_bot_speak(bot).len, 0);
    reply_to(bot, INITIALIZE);
    assert_int_equal(nlp_bot_speak(bot).len, 0);
    reply_to(bot, "{\"request\":\"TALK_PHASE_START\",\"info\":{\"remain_count\":4}}");
    assert_true(nlp_bot_may_speak(bot));
    assert_true(str_eq(nlp_bot_speak(bot), STR("Over")));
    assert_false(nlp_bot_may_speak(bot));
    assert_int_equal(nlp_bot_speak(bot).len, 0);
    reply_to(bot, "{\"request\":\"TALK_PHASE_END\"}");
    assert_false(nlp_bot_may_speak(bot));
    nlp_bot_free(bot);
}

static void it_waits_until_its_own_words_come_back_but_not_for_ever(void **state)
{
    NlpBot *bot = single_bot("talker");
    unsigned asks = 0;

    (void)state;
    reply_to(bot, INITIALIZE);
    reply_to(bot, "{\"request\":\"TALK_PHASE_START\",\"info\":{\"remain_count\":4}}");
    assert_true(nlp_bot_speak(bot).len > 0);
    while (nlp_bot_speak(bot).len == 0)
        asks++;
    assert_in_range(asks, 20, 100);
    nlp_bot_free(bot);
}

static void the_same_seed_and_packets_give_the_same_replies(void **state)
{
    NlpBot *one = single_bot("talker"), *two = single_bot("talker");
    char said[512];

    (void)state;
    reply_to(one, INITIALIZE);
    reply_to(two, INITIALIZE);
    for (unsigned i = 0; i < 4; i++) {
        Str first = reply_to(one, "{\"request\":\"TALK\"}");
        assert_true(first.len < sizeof(said));
        memcpy(said, first.bytes, first.len);
        assert_true(str_eq((Str){said, first.len}, reply_to(two, "{\"request\":\"TALK\"}")));
    }
    nlp_bot_free(one);
    nlp_bot_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bots_play_whole_games_over_packets),
        cmocka_unit_test(every_kind_of_bot_can_play),
        cmocka_unit_test(health_checks_are_answered_whenever_they_come),
        cmocka_unit_test(what_is_no_packet_is_an_error_and_changes_nothing),
        cmocka_unit_test(a_new_connection_knows_no_game_of_the_one_before),
        cmocka_unit_test(it_speaks_only_in_an_open_session_and_not_after_over),
        cmocka_unit_test(it_waits_until_its_own_words_come_back_but_not_for_ever),
        cmocka_unit_test(the_same_seed_and_packets_give_the_same_replies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
