/* fuzz_aiwolf_client.c - whatever a server sends, the client stays whole, and bots can live with
 * what it makes of it. */
#include "bot/bot.h"
#include "lang/lang.h"
#include "wire/aiwolf_answer.h"
#include "wire/aiwolf_client.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_talk(const View *view, const TalkLog *log)
{
    for (uint32_t i = 0; i < log->count; i++) {
        const Talk *talk = &log->items[i];
        assert(talk->seat >= 1 && talk->seat <= view->seat_count && talk->day == view->day);
        assert(i == 0 || talk->idx > log->items[i - 1].idx);
        assert(!talk->skip || str_eq(talk->text, STR("Skip")));
        assert(!talk->over || str_eq(talk->text, STR("Over")));
        if (talk->sentence)
            lang_write(talk->sentence, NULL, 0);
    }
}

static void check_votes(const View *view, const VoteLog *votes)
{
    assert(votes->count <= SEAT_MAX);
    for (uint8_t i = 0; i < votes->count; i++) {
        assert(votes->items[i].voter >= 1 && votes->items[i].voter <= view->seat_count);
        assert(votes->items[i].target >= 1 && votes->items[i].target <= view->seat_count);
    }
}

static void check_view(const View *view)
{
    assert(view->seat_count >= PLAYERS_MIN && view->seat_count <= SEAT_MAX);
    assert(view->seat >= 1 && view->seat <= view->seat_count);
    assert((view->alive & ~seat_all(view->seat_count)) == 0);
    assert((view->alive_at_dawn & ~seat_all(view->seat_count)) == 0);
    assert(view->role < ROLE_COUNT && view->role == view->roles[view->seat]);
    assert(view->last_dead_count <= 2);
    assert(view->executed <= view->seat_count && view->executed_today <= view->seat_count);
    check_talk(view, view->talk);
    check_talk(view, view->whisper);
    check_votes(view, view->latest_votes);
    check_votes(view, view->votes);
    check_votes(view, view->latest_attack_votes);
    check_votes(view, view->attack_votes);
}

/* What is written of a view is a packet that gives the same view. */
static void check_written(const View *view, AiwolfClient **other)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    AiwolfRequest request;
    AiwolfCursor cursor = {0};

    aiwolf_packet_write(AIWOLF_INITIALIZE, false, view, &cursor, &first);
    assert(*other || aiwolf_client_new(other, NULL) == 0);
    if (aiwolf_client_packet(*other, buf_str(&first), &request, NULL) == 0) {
        aiwolf_packet_write(AIWOLF_INITIALIZE, false, aiwolf_client_view(*other), &cursor, &second);
        if (!view->over)
            assert(str_eq(buf_str(&first), buf_str(&second)));
    } else {
        assert(first.len > AIWOLF_PACKET_BYTES_MAX);
    }
}

typedef struct Seated {
    Bot *bots[8];
} Seated;

/* Every kind of bot answers. */
static void let_bots_answer(Seated *seated, const AiwolfClient *client, AiwolfRequest request)
{
    CLEANUP(buf_done) Buf line = {0};
    const View *view = aiwolf_client_view(client);
    const BotKind *kind;
    Ask ask;
    bool asked = aiwolf_client_ask(client, &ask);

    for (size_t i = 0; i < 8 && (kind = bot_kind_at(i)); i++) {
        if (!seated->bots[i])
            seated->bots[i] = mem_new(kind->bytes);
        if (request == AIWOLF_INITIALIZE)
            kind->start(seated->bots[i], view, 1);
        if (!asked || ask.kind == ASK_ROLE || !view)
            continue;
        Answer answer = {.kind = ask.kind};
        kind->answer(seated->bots[i], &ask, view, &answer);
        answer.kind = ask.kind;
        aiwolf_answer_write(&answer, &line);
    }
}

/* Each line is a packet. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AiwolfClient *client = NULL, *other = NULL;
    Str rest = {(const char *)data, size};
    Seated seated = {0};

    assert(aiwolf_client_new(&client, NULL) == 0);
    while (rest.len) {
        AiwolfRequest request;
        Err err = {0};
        int rc = aiwolf_client_packet(client, str_cut(&rest, '\n'), &request, &err);
        assert(rc == 0 || (rc == err.code && err.msg[0]));
        const View *view = aiwolf_client_view(client);
        if (view)
            check_view(view);
        if (rc)
            continue;
        let_bots_answer(&seated, client, request);
        if (view && request == AIWOLF_DAILY_INITIALIZE)
            check_written(view, &other);
    }
    for (size_t i = 0; i < 8; i++)
        mem_free(seated.bots[i]);
    aiwolf_client_free(client);
    aiwolf_client_free(other);
    return 0;
}
