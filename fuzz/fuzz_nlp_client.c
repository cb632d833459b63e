/* fuzz_nlp_client.c - whatever a server sends, the client stays whole, and what it knows can be
 * written as packets that another client accepts. */
#include "base/json.h"
#include "base/utf8.h"
#include "wire/nlp_client.h"

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
        assert(utf8_valid(talk->text));
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
    assert(view->executed <= view->seat_count && view->executed_today <= view->seat_count);
    assert(view->last_dead_count <= 1 && view->last_dead[0] <= view->seat_count);
    assert(view->divined.target <= view->seat_count);
    assert(view->identified.target <= view->seat_count);
    assert((view->whisper_left != NULL) == (view->role == ROLE_WEREWOLF));
    for (SeatNo seat = 1; seat <= view->seat_count; seat++) {
        assert(view->names[seat].len > 0 && utf8_valid(view->names[seat]));
        assert(nlp_reply_target(view->names[seat], view->names, view->seat_count) == seat);
    }
    check_talk(view, view->talk);
    check_talk(view, view->whisper);
    check_votes(view, view->votes);
    check_votes(view, view->attack_votes);
}

/* One packet, taken by the other client. A text of escapes may grow beyond the limit. */
static void pass_on(NlpClient *other, NlpRequest request, const View *view, NlpGameText *text)
{
    CLEANUP(buf_done) Buf packet = {0};
    NlpCursor cursor = {0};
    NlpRequest read;
    Err err = {0};

    nlp_packet_write(request, view, text, &cursor, NULL, &packet);
    int rc = nlp_client_packet(other, buf_str(&packet), &read, &err);
    assert(rc == ERR_LIMIT || (rc == 0 && read == request));
}

static void check_written(const View *view, NlpClient **other)
{
    static const bool named[ROLE_COUNT] = {[ROLE_SEER] = true};
    CLEANUP(buf_done) Buf setting = {0};
    NlpGameText text = {.game_id = STR("01JZ0000000000000000000000"), .profile = STR("age: 17")};

    if (!*other)
        assert(nlp_client_new(other, NULL) == 0);
    nlp_setting_write(view->rules, view->seat_count, named, 1000, 1000, &setting);
    text.setting = buf_str(&setting);
    pass_on(*other, NLP_INITIALIZE, view, &text);
    pass_on(*other, NLP_DAILY_FINISH, view, &text);
    const View *told = nlp_client_view(*other);
    assert(told && told->seat_count == view->seat_count && told->day == view->day);
    assert(told->role == view->role);
    assert(seat_count_of(told->alive) == seat_count_of(view->alive));
    assert(told->talk->count == view->talk->count || told->talk->count == 0);
}

/* Each line is a packet. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    NlpClient *client = NULL, *other = NULL;
    Str rest = {(const char *)data, size};

    assert(nlp_client_new(&client, NULL) == 0);
    while (rest.len) {
        NlpRequest request;
        Ask ask;
        Err err = {0};
        int rc = nlp_client_packet(client, str_cut(&rest, '\n'), &request, &err);
        assert(rc == 0 || (rc == err.code && err.msg[0]));
        const View *view = nlp_client_view(client);
        if (nlp_client_ask(client, &ask))
            assert(view && ask.seat == view->seat && ask.kind < ASK_COUNT);
        if (view)
            check_view(view);
        if (view && rc == 0 && (request == NLP_DAILY_FINISH || request == NLP_FINISH))
            check_written(view, &other);
    }
    nlp_client_free(client);
    nlp_client_free(other);
    return 0;
}
