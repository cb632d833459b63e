/* fuzz_maw_record.c - any bytes as a session's record: a verdict with a line, or ok; and a
 * transcript, or an error; and rounds that can be counted. */
#include "maw/session_replay.h"
#include "show/maw_show.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int check_round(void *user, const GameRecord *round, Err *err)
{
    (void)user;
    (void)err;
    assert(round->result.seat_count >= 1 && round->result.seat_count <= SEAT_MAX);
    for (SeatNo seat = 1; seat <= round->result.seat_count; seat++)
        assert(round->result.roles[seat] != ROLE_NONE && round->result.names[seat].len &&
               seat_play_possible(&round->result.play[seat]));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf out = {0};
    Str record = {(const char *)data, size};
    MawShowOptions options = {.seat = size % 2 ? STR("Ann") : (Str){0}};
    MawReplayVerdict verdict;
    Err err = {0};

    assert(maw_record_replay(record, &verdict, &err) == 0);
    assert(verdict.ok == (verdict.line == 0));
    assert(verdict.ok == !verdict.reason[0]);
    assert(!verdict.ok || !verdict.truncated);
    if (maw_rounds_read(record, check_round, NULL, &err))
        assert(err.msg[0]);
    err = (Err){0};
    if (maw_show(record, &options, &out, &err))
        assert(err.msg[0]);
    return 0;
}
