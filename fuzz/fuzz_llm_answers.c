/* fuzz_llm_answers.c - any bytes as answers that were kept, as the clock of their session, and as
 * what came into their hall: they are read, or refused with a line; what was read is given to its
 * end. */
#include "llm/answers.h"
#include "maw/maw_clock.h"
#include "nlp/hall_moves.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_all(LlmAnswers *answers)
{
    const LlmAnswer *answer = NULL;

    for (uint32_t question = 1; question < 100; question++)
        while (llm_answers_has(answers, question) &&
               llm_answers_take(answers, question, STR("vote"), &answer, NULL) == 0)
            assert(!answer || answer->outcome <= LLM_SPENT);
    llm_answers_compare(answers, STR("{\"task\":\"vote\",\"target\":\"Ann\"}"));
    llm_answers_end(answers, NULL);
}

static void replay_all(HallMoves *moves)
{
    HallMove move;
    TimeUs latest = 0;

    assert(hall_moves_ids(moves).len % 26 == 0);
    while (hall_moves_next(moves, &move)) {
        assert(move.at >= latest && move.line > 1);
        assert(move.kind < GUEST_HEARS || move.guest);
        assert(!move.address.len || move.address.bytes[move.address.len] == '\0');
        latest = move.at;
    }
}

static void move_all(MawClock *clock)
{
    MawMove move;
    TimeUs latest = 0;

    while (maw_clock_next(clock, &move)) {
        assert(move.at >= latest && move.line > 1);
        assert((move.kind == MOVE_SEAT || move.kind == MOVE_STOP) == (move.text.len > 0));
        latest = move.at;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Str text = {(const char *)data, size};
    LlmAnswers *answers = NULL;
    MawClock *clock = NULL;
    HallMoves *moves = NULL;
    Err err = {0};

    if (llm_answers_read(text, "answers", &answers, &err) == 0)
        take_all(answers);
    else
        assert(err.code && err.msg[0]);
    err = (Err){0};
    if (maw_clock_read(text, "clock", &clock, &err) == 0)
        move_all(clock);
    else
        assert(err.code && err.msg[0]);
    err = (Err){0};
    if (hall_moves_read(text, "hall", &moves, &err) == 0)
        replay_all(moves);
    else
        assert(err.code && err.msg[0]);
    llm_answers_free(answers);
    maw_clock_free(clock);
    hall_moves_free(moves);
    return 0;
}
