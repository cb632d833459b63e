/* fuzz_nlp_history.c - any bytes as a history file: refused with a word, or read; then what is
 * written is read as the same file, and a contest over it keeps every match in one place. */
#include "nlp/history.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define GAMES_MAX 40

static void write_and_read_again(const History *history)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    CLEANUP(history_freep) History *again = NULL;

    history_write(history, &first);
    assert(history_read(buf_str(&first), &again, NULL) == 0);
    history_write(again, &second);
    assert(str_eq(buf_str(&first), buf_str(&second)));
}

static void play(History *history, const bool *present, Rng *rng)
{
    uint32_t all = history_scheduled_count(history) + history_ended_count(history);

    for (unsigned game = 0; game < GAMES_MAX; game++) {
        int64_t index = history_choose(history, present, NULL, NULL);
        if (index < 0)
            break;
        HistoryMatch match = *history_scheduled(history, (uint32_t)index);
        history_begin(history, (uint32_t)index);
        if (rng_below(rng, 2))
            history_end(history, &match);
        else
            history_abort(history, &match, 0.5);
    }
    assert(history_scheduled_count(history) + history_ended_count(history) == all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(history_freep) History *history = NULL;
    CLEANUP(buf_done) Buf words = {0};
    bool present[HISTORY_TEAMS_MAX];
    Rng rng = rng_new(size);
    bool is_new;
    Err err = {0};
    int rc = history_read((Str){(const char *)data, size}, &history, &err);

    assert(rc == 0 || (err.code == (ErrCode)rc && err.msg[0] && !history));
    if (rc)
        return 0;
    memset(present, 1, sizeof(present));
    write_and_read_again(history);
    assert(history_analyse(history, NULL, size % 2, &words, NULL) == 0);
    history_team(history, STR("somebody"), &is_new);
    if (history_plan(history)->game_count < 1000) /* a large schedule takes long, and is tested */
        history_extend(history, &rng);
    play(history, present, &rng);
    write_and_read_again(history);
    return 0;
}
