/* fuzz_web_seat.c - whatever a browser sends to a seat: nothing is answered that the game does not
 * ask, texts are one line of UTF-8, and what is said back is JSON.
 *
 * The input: a first byte that chooses division and ask, then messages, a line each.
 */
#include "base/utf8.h"
#include "game/ask_targets.h"
#include "seat/web_seat.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Fuzzed {
    WebSeat *seat;
    Game *game;
    Ask ask;
    unsigned answers;
} Fuzzed;

static void check_json(Str text)
{
    json_t *json = NULL;

    assert(json_read(text, 1 << 20, &json, NULL) == 0);
    assert(json_is_map(json));
    json_done(json);
}

static void on_tell(void *user, Str json)
{
    (void)user;
    check_json(json);
}

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    Fuzzed *fuzzed = user;
    const View *view = game_view(fuzzed->game, 1);

    assert(ask->number == fuzzed->ask.number && ask->kind == fuzzed->ask.kind);
    assert(fuzzed->answers++ == 0 || ask->standing);
    assert(!answer->lapse);
    if (!ask_is_speech(ask->kind)) {
        assert(seat_in(ask_targets(view, ask->kind), answer->target));
        return;
    }
    assert(answer->text.len > 0 && utf8_valid(answer->text));
    for (size_t i = 0; i < answer->text.len; i++)
        assert((unsigned char)answer->text.bytes[i] >= 0x20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const presets[] = {"nlp-turn", "nlp-anytime", "aiwolf-2021", "nlp-turn"};
    static const AskKind kinds[] = {ASK_TALK, ASK_VOTE, ASK_DIVINE, ASK_WHISPER};
    CLEANUP(buf_done) Buf reply = {0};
    Alarms alarms = {0};
    Fuzzed fuzzed = {0};
    Ruleset rules;
    Event event;

    if (size < 1)
        return 0;
    if (ruleset_preset(str_of(presets[data[0] & 3]), &rules, NULL))
        return 0;
    rules.talk.length = (LengthRules){.per_talk = 40,
                                      .base_length = 10,
                                      .mention_length = 10,
                                      .per_agent = data[0] & 64 ? 30 : LIMIT_NONE};
    assert(game_new(&rules, 5, &fuzzed.game, NULL) == 0);
    assert(game_start(fuzzed.game, NULL, chance_from_seed(1), NULL) == 0);
    while (game_next_event(fuzzed.game, &event))
        ;
    const WebSeatSetup setup = {.protocol = (data[0] & 3) == 2,
                                .bot = bot_kind(STR("random")),
                                .tell = on_tell,
                                .answer = on_answer,
                                .user = &fuzzed};
    assert(web_seat_new(&alarms, &setup, &fuzzed.seat, NULL) == 0);
    web_seat_thinker()->begin(fuzzed.seat, game_view(fuzzed.game, 1));
    fuzzed.ask = (Ask){.seat = 1,
                       .kind = kinds[(data[0] >> 2) & 3],
                       .number = 7,
                       .standing = (data[0] & 16) && kinds[(data[0] >> 2) & 3] == ASK_TALK};
    web_seat_thinker()->ask(fuzzed.seat, &fuzzed.ask, game_view(fuzzed.game, 1), 0);
    TimeUs now = 0;
    for (Str rest = {(const char *)data + 1, size - 1}; rest.len; now += 300000) {
        json_t *message = NULL;
        if (json_read(str_cut(&rest, '\n'), 4096, &message, NULL))
            continue;
        web_seat_hear(fuzzed.seat, message, now, &reply);
        if (reply.len)
            check_json(buf_str(&reply));
        json_done(message);
    }
    web_seat_free(fuzzed.seat);
    game_free(fuzzed.game);
    return 0;
}
