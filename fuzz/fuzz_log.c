/* fuzz_log.c - any bytes as a game log: reading, checking and showing must end, and in peace. */
#include "record/log_check.h"
#include "record/log_known.h"
#include "record/log_result.h"
#include "show/log_show.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void show(const LogGame *log)
{
    CLEANUP(mem_freep) SeatSet *known = mem_new((log->count + 1) * sizeof(*known));
    CLEANUP(buf_done) Buf out = {0};
    ShowOptions options = {.seat = log->seat_count, .reveal = true, .color = true};

    if (!known)
        return;
    log_known_guess(log, known);
    log_show(log, known, &options, &out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str text = {(const char *)data, size};
    CLEANUP(log_game_done) LogGame log = {0};
    CLEANUP(buf_done) Buf printed = {0};
    GameResult result;
    LogVerdict verdict;
    Err err = {0};

    if (log_game_read(text, &log, NULL) == 0) {
        log_result(&log, &result, NULL);
        show(&log);
    }
    if (log_check(text, NULL, &verdict, &err))
        __builtin_trap(); /* whatever is wrong with a log is a verdict */
    if (!verdict.ok && (verdict.line == 0 || !verdict.reason[0]))
        __builtin_trap();
    log_verdict_print(&verdict, &printed);
    return 0;
}
