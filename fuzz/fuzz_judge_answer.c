/* fuzz_judge_answer.c - any bytes are a model judge's answer, which is a whole ranking or has a
 * reason why not; and a table of sheets, which is cut into fields to its end. */
#include "judging/judge_answer.h"
#include "judging/sheet_csv.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char log_text[] = "0,status,1,SEER,ALIVE,alpha1,Mio\n"
                               "0,status,2,VILLAGER,ALIVE,beta1,Ken\n"
                               "0,status,3,WEREWOLF,ALIVE,gamma1,May\n"
                               "1,talk,0,0,3,Good morning.,1778646866\n"
                               "1,talk,1,0,1,Hello May.,1778646867\n";

static void check_answer(Str text)
{
    static const SeatNo order[] = {1, 2, 3};
    CLEANUP(judge_game_done) JudgeGame game = {.winner = SIDE_NONE};
    CLEANUP(sheet_view_done) SheetView view = {.game = NULL};
    CLEANUP(judge_answer_done) JudgeAnswer answer = {.reasons = {0}};
    uint32_t seen = 0;
    Err err = {0};

    assert(judge_game_read(str_of(log_text), STR(""), &game, NULL) == 0);
    assert(sheet_view_make(&game, CRITERION_A, order, &view, NULL) == 0);
    int rc = judge_answer_read(text, &view, &answer, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    for (SeatNo seat = 1; seat <= 3 && rc == 0; seat++) {
        assert(answer.rank[seat] >= 1 && answer.rank[seat] <= 3 && answer.score[seat] <= 5);
        seen |= 1u << answer.rank[seat];
    }
    assert(rc || seen == 14);
}

static void check_table(Str text)
{
    CLEANUP(buf_done) Buf field = {0};
    bool last = false;

    while (text.len) {
        const size_t before = text.len;
        if (!csv_cut_field(&text, &field, &last))
            return;
        assert(text.len < before && field.len <= before);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Str input = {(const char *)data, size};

    check_answer(input);
    check_table(input);
    return 0;
}
