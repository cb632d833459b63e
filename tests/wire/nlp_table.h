/* nlp_table.h - plays random games and writes every packet that a server would send.
 *
 * For:    tests of this folder. The tester looks at each packet with the view it came from.
 * Memory: table_done gives back what table_play took; a Table may play again and again.
 * Thread: the test's.
 */
#ifndef WARG_TESTS_WIRE_NLP_TABLE_H
#define WARG_TESTS_WIRE_NLP_TABLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game/drive.h"
#include "wire/nlp_packet.h"

typedef struct Sent {
    NlpRequest request;
    const View *view;
    const Talk *news;
    Str packet;
} Sent;

typedef struct Table {
    void (*look)(void *user, const Sent *sent);
    void *user;
    Drive drive;
    NlpGameText text;
    NlpCursor cursors[SEAT_MAX + 1];
    Buf setting;
    Buf packet;
    bool begun;
    bool anytime[2]; /* talk, whisper */
    uint32_t asked;  /* the number of the asks that were put */
    size_t packets[NLP_REQUEST_COUNT];
} Table;

static inline void table_send(Table *table, NlpRequest request, SeatNo seat, const Talk *news)
{
    Sent sent = {.request = request, .view = game_view(table->drive.game, seat), .news = news};

    table->text.profile = seat % 2 ? STR("age: 17\n<\"&\">") : STR("");
    buf_clear(&table->packet);
    nlp_packet_write(request, sent.view, &table->text, &table->cursors[seat], news, &table->packet);
    assert_false(buf_failed(&table->packet));
    sent.packet = buf_str(&table->packet);
    table->packets[request]++;
    table->look(table->user, &sent);
}

static inline void table_send_all(Table *table, NlpRequest request, SeatSet seats, const Talk *news)
{
    for (SeatSet left = seats; left; left &= left - 1)
        table_send(table, request, seat_first(left), news);
}

static inline SeatSet table_wolves(const Table *table)
{
    SeatSet wolves = 0;

    for (SeatNo seat = 1; seat <= game_seat_count(table->drive.game); seat++)
        if (game_role(table->drive.game, seat) == ROLE_WEREWOLF)
            wolves |= seat_bit(seat);
    return wolves;
}

static inline void table_event(Table *table, const Event *event)
{
    SeatSet all = seat_all(game_seat_count(table->drive.game));
    SeatSet living = game_alive(table->drive.game), wolves = living & table_wolves(table);
    bool talk = event->action == ACTION_TALK;

    switch ((int)event->kind) {
    case EVENT_DAY:
        if (!table->begun)
            table_send_all(table, NLP_INITIALIZE, all, NULL);
        table->begun = true;
        table_send_all(table, NLP_DAILY_INITIALIZE, all, NULL);
        break;
    case EVENT_PHASE:
        if (talk && table->anytime[0])
            table_send_all(table, NLP_TALK_PHASE_START, living, NULL);
        if (event->action == ACTION_WHISPER && table->anytime[1])
            table_send_all(table, NLP_WHISPER_PHASE_START, wolves, NULL);
        break;
    case EVENT_PHASE_END:
        if (talk && table->anytime[0])
            table_send_all(table, NLP_TALK_PHASE_END, living, NULL);
        if (event->action == ACTION_WHISPER && table->anytime[1])
            table_send_all(table, NLP_WHISPER_PHASE_END, wolves, NULL);
        break;
    case EVENT_TALK:
        if (table->anytime[0])
            table_send_all(table, NLP_TALK_BROADCAST, living, event->talk);
        break;
    case EVENT_WHISPER:
        if (table->anytime[1])
            table_send_all(table, NLP_WHISPER_BROADCAST, wolves, event->talk);
        break;
    case EVENT_NIGHT:
        table_send_all(table, NLP_DAILY_FINISH, all, NULL);
        break;
    case EVENT_END:
        table_send_all(table, NLP_FINISH, all, NULL);
        break;
    default:
        break;
    }
}

/* Puts the asks that are new. */
static inline void table_ask(Table *table)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(table->drive.game, asks);
    uint32_t newest = table->asked;

    for (size_t i = 0; i < count; i++) {
        if (asks[i].number <= table->asked || asks[i].standing)
            continue;
        table_send(table, nlp_request_for(asks[i].kind), asks[i].seat, NULL);
        newest = asks[i].number;
    }
    table->asked = newest;
}

/* A game of random answers; `names` may be NULL. */
static inline void table_play(Table *table, const Ruleset *rules, SeatNo players,
                              const char *const *names, uint64_t seed)
{
    static const bool named[ROLE_COUNT] = {[ROLE_BODYGUARD] = true, [ROLE_MEDIUM] = true};
    GameSetup setup = {0};
    Event event;
    Err err = {0};

    for (SeatNo seat = 1; names && seat <= players; seat++)
        setup.names[seat] = str_of(names[seat]);
    table->drive = (Drive){.rng = rng_new(seed), .talkative = 80};
    table->begun = false;
    table->asked = 0;
    table->anytime[0] = rules->talk.exchange == EXCHANGE_ANYTIME;
    table->anytime[1] = rules->whisper.exchange == EXCHANGE_ANYTIME;
    memset(table->cursors, 0xFF, sizeof(table->cursors)); /* INITIALIZE has to clear them */
    buf_clear(&table->setting);
    nlp_setting_write(rules, players, named, 60000, 120000, &table->setting);
    table->text = (NlpGameText){.game_id = STR("01JZ0000000000000000000000"),
                                .setting = buf_str(&table->setting),
                                .began_unix_ms = 1778646860000};
    if (game_new(rules, players, &table->drive.game, &err) ||
        game_start(table->drive.game, &setup, chance_from_seed(seed), &err))
        fail_msg("%s", err.msg);
    for (int i = 0; i < 100000 && !game_over(table->drive.game); i++) {
        while (game_next_event(table->drive.game, &event))
            table_event(table, &event);
        table_ask(table);
        drive_step(&table->drive);
    }
    while (game_next_event(table->drive.game, &event))
        table_event(table, &event);
    assert_true(game_over(table->drive.game));
    table->drive.game = game_free(table->drive.game);
}

static inline void table_done(Table *table)
{
    buf_done(&table->setting);
    buf_done(&table->packet);
}

#endif
