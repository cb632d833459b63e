/* nlp_village.h - one game of the natural-language division as a server plays it: packets go out,
 *                 replies come in; no clock, no connection.
 *
 * For:    test_nlp_bot.c (bots fed by hand), test_nlp_call.c (bots behind WebSockets).
 * Memory: village_done gives back what village_begin took.
 * Thread: the test's.
 */
#ifndef WARG_TESTS_SEAT_NLP_VILLAGE_H
#define WARG_TESTS_SEAT_NLP_VILLAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wire/nlp_packet.h"

typedef struct Village {
    void (*send)(void *user, SeatNo seat, NlpRequest request, Str packet);
    void *user;
    Game *game;
    NlpGameText text;
    NlpCursor cursors[SEAT_MAX + 1];
    Buf setting;
    Buf packet;
    bool begun;
    bool over;       /* FINISH is sent */
    bool anytime[2]; /* talk, whisper */
    uint32_t asked;  /* the number of the asks that were put */
    uint32_t texts;  /* utterances, Over left out */
    uint32_t bad_targets;
} Village;

static const char *const village_names[] = {NULL,     "タクミ", "ミナト", "セルヴァス",
                                            "ケンジ", "ミヅキ", "アスカ", "シュンイチ",
                                            "リン",   "メイ"};

static inline void village_tell(Village *village, NlpRequest request, SeatSet seats,
                                const Talk *news)
{
    for (SeatSet left = seats; left; left &= left - 1) {
        SeatNo seat = seat_first(left);
        buf_clear(&village->packet);
        nlp_packet_write(request, game_view(village->game, seat), &village->text,
                         &village->cursors[seat], news, &village->packet);
        assert_false(buf_failed(&village->packet));
        village->send(village->user, seat, request, buf_str(&village->packet));
    }
}

static inline SeatSet village_wolves(const Village *village)
{
    SeatSet wolves = 0;

    for (SeatNo seat = 1; seat <= game_seat_count(village->game); seat++)
        if (game_role(village->game, seat) == ROLE_WEREWOLF)
            wolves |= seat_bit(seat);
    return wolves & game_alive(village->game);
}

static inline void village_session(Village *village, const Event *event, NlpRequest talk,
                                   NlpRequest whisper)
{
    if (event->action == ACTION_TALK && village->anytime[0])
        village_tell(village, talk, game_alive(village->game), NULL);
    if (event->action == ACTION_WHISPER && village->anytime[1])
        village_tell(village, whisper, village_wolves(village), NULL);
}

static inline void village_event(Village *village, const Event *event)
{
    SeatSet all = seat_all(game_seat_count(village->game));

    switch ((int)event->kind) {
    case EVENT_DAY:
        if (!village->begun)
            village_tell(village, NLP_INITIALIZE, all, NULL);
        village->begun = true;
        village_tell(village, NLP_DAILY_INITIALIZE, all, NULL);
        break;
    case EVENT_PHASE:
        village_session(village, event, NLP_TALK_PHASE_START, NLP_WHISPER_PHASE_START);
        break;
    case EVENT_PHASE_END:
        village_session(village, event, NLP_TALK_PHASE_END, NLP_WHISPER_PHASE_END);
        break;
    case EVENT_TALK:
        village->texts += !event->talk->over;
        if (village->anytime[0])
            village_tell(village, NLP_TALK_BROADCAST, game_alive(village->game), event->talk);
        break;
    case EVENT_WHISPER:
        if (village->anytime[1])
            village_tell(village, NLP_WHISPER_BROADCAST, village_wolves(village), event->talk);
        break;
    case EVENT_NIGHT:
        village_tell(village, NLP_DAILY_FINISH, all, NULL);
        break;
    case EVENT_END:
        village_tell(village, NLP_FINISH, all, NULL);
        village->over = true;
        break;
    default:
        break;
    }
}

/* Sends what there is to be sent. */
static inline void village_go(Village *village)
{
    Ask asks[2 * SEAT_MAX];
    Event event;

    while (game_next_event(village->game, &event))
        village_event(village, &event);
    size_t count = game_asks(village->game, asks);
    uint32_t newest = village->asked;
    for (size_t i = 0; i < count; i++) {
        if (asks[i].number <= village->asked || asks[i].standing)
            continue;
        village_tell(village, nlp_request_for(asks[i].kind), seat_bit(asks[i].seat), NULL);
        newest = asks[i].number;
    }
    village->asked = newest;
}

/* A reply, or an utterance of an open session; false when it was not asked for. */
static inline bool village_reply(Village *village, SeatNo seat, Str text)
{
    CLEANUP(buf_done) Buf reply = {0};
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(village->game, asks);

    nlp_reply_text(text, &reply);
    for (size_t i = 0; i < count; i++) {
        if (asks[i].seat != seat)
            continue;
        const View *view = game_view(village->game, seat);
        Answer answer = {.kind = asks[i].kind, .text = buf_str(&reply)};
        if (asks[i].kind != ASK_TALK && asks[i].kind != ASK_WHISPER) {
            answer.target = nlp_reply_target(answer.text, view->names, view->seat_count);
            village->bad_targets += answer.target == SEAT_NONE;
        }
        int rc = game_answer(village->game, seat, &answer, NULL);
        village_go(village);
        return rc == 0;
    }
    return false;
}

static inline void village_begin(Village *village, const char *ruleset, SeatNo players,
                                 bool japanese, uint64_t seed)
{
    static const bool named[ROLE_COUNT] = {[ROLE_BODYGUARD] = true, [ROLE_MEDIUM] = true};
    GameSetup setup = {0};
    Ruleset rules;

    for (SeatNo seat = 1; japanese && seat <= players; seat++)
        setup.names[seat] = str_of(village_names[seat]);
    assert_int_equal(ruleset_preset(str_of(ruleset), &rules, NULL), 0);
    village->anytime[0] = rules.talk.exchange == EXCHANGE_ANYTIME;
    village->anytime[1] = rules.whisper.exchange == EXCHANGE_ANYTIME;
    village->begun = village->over = false;
    village->asked = village->texts = village->bad_targets = 0;
    buf_clear(&village->setting);
    nlp_setting_write(&rules, players, named, 60000, 120000, &village->setting);
    village->text = (NlpGameText){.game_id = STR("01JZ0000000000000000000000"),
                                  .setting = buf_str(&village->setting),
                                  .began_unix_ms = 1778646860000};
    village->game = game_free(village->game);
    assert_int_equal(game_new(&rules, players, &village->game, NULL), 0);
    assert_int_equal(game_start(village->game, &setup, chance_from_seed(seed), NULL), 0);
    village_go(village);
}

static inline void village_done(Village *village)
{
    village->game = game_free(village->game);
    buf_done(&village->setting);
    buf_done(&village->packet);
}

#endif
