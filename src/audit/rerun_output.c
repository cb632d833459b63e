#include "audit/rerun_output.h"

#include <inttypes.h>

static const char advice[2][220] = {
    "what a program takes from chance, from the time or from its machine is another each time; one "
    "that is to be checked takes its chance from what it is sent",
    "乱数、時刻、機械の状態による返答は毎回変わります。検査を受けるプログラムは、乱数を受け取った"
    "情報だけから作ってください",
};

static void write_counts(const RerunVerdict *verdict, bool japanese, Buf *out)
{
    if (japanese)
        buf_printf(out,
                   "%" PRIu64 " セット、%" PRIu64 " ゲームの返答 %" PRIu64 " 件を再現、すべて同じ",
                   verdict->sets, verdict->games, verdict->answers);
    else
        buf_printf(out,
                   "%" PRIu64 " answer%s of %" PRIu64 " set%s in %" PRIu64
                   " game%s given again, all the same",
                   verdict->answers, verdict->answers == 1 ? "" : "s", verdict->sets,
                   verdict->sets == 1 ? "" : "s", verdict->games, verdict->games == 1 ? "" : "s");
    if (verdict->anew && japanese)
        buf_printf(out, "(うち %" PRIu64 " 回は、その場で起動しなおしたときだけ。--resume と同じ)",
                   verdict->anew);
    else if (verdict->anew)
        buf_printf(out,
                   "; %" PRIu64 " time%s only by a program that was started anew there, as "
                   "--resume does",
                   verdict->anew, verdict->anew == 1 ? "" : "s");
}

static void write_place(const RerunVerdict *verdict, bool japanese, Buf *out)
{
    const RerunDifference *difference = &verdict->difference;

    buf_printf(out,
               japanese ? "%s:%u: セット %" PRIu64 "、ゲーム %" PRIu64 "、%u 日目、%s: "
                        : "%s:%u: set %" PRIu64 ", game %" PRIu64 ", day %u, %s: ",
               verdict->file, difference->line, verdict->set, verdict->game, difference->day,
               exchange_kind_name(difference->kind));
    buf_printf(out, japanese ? "記録は '%s'、" : "recorded '%s', ", difference->recorded);
    if (difference->lapse)
        buf_printf(out, japanese ? "今回は返答なし: %s" : "given nothing: %s", difference->given);
    else
        buf_printf(out, japanese ? "今回は '%s'" : "given '%s'", difference->given);
}

static void write_below(const char *text, Buf *out)
{
    for (Str rest = str_of(text); rest.len;) {
        const Str line = str_cut(&rest, '\n');
        buf_printf(out, "\n          %.*s", STR_ARG(line));
    }
}

static void write_difference(const RerunVerdict *verdict, bool japanese, Buf *out)
{
    const RerunDifference *difference = &verdict->difference;

    buf_add(out, japanese ? STR("相違: ") : STR("DIFFERENT: "));
    if (difference->came)
        write_place(verdict, japanese, out);
    else
        buf_add(out, str_of(difference->given));
    write_below(difference->end, out);
    if (difference->came)
        write_below(advice[japanese], out);
}

void rerun_write(const RerunVerdict verdicts[], uint32_t count, bool japanese, Buf *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const RerunVerdict *verdict = &verdicts[i];
        buf_printf(out, japanese ? "再実行  %s: " : "rerun     %s: ", verdict->name);
        switch (verdict->state) {
        case RERUN_SAME:
            write_counts(verdict, japanese, out);
            break;
        case RERUN_DIFFERS:
            write_difference(verdict, japanese, out);
            break;
        case RERUN_BROKEN:
            buf_printf(out, japanese ? "矛盾: %s:%u: %s" : "CONTRADICTION: %s:%u: %s",
                       verdict->file, verdict->difference.line, verdict->text);
            break;
        case RERUN_NOTHING:
            buf_printf(out, "- %s", verdict->text);
            break;
        }
        buf_add_char(out, '\n');
    }
}

static void add_difference(const RerunVerdict *verdict, Json *json)
{
    const RerunDifference *difference = &verdict->difference;

    if (difference->came) {
        json_add_str(json, "file", str_of(verdict->file));
        json_add_uint(json, "line", difference->line);
        json_add_uint(json, "set", verdict->set);
        json_add_uint(json, "game", verdict->game);
        json_add_uint(json, "day", difference->day);
        json_add_str(json, "request", str_of(exchange_kind_name(difference->kind)));
        json_add_str(json, "recorded", str_of(difference->recorded));
    }
    if (difference->came && !difference->lapse)
        json_add_str(json, "given", str_of(difference->given));
    else
        json_add_str(json, "text", str_of(difference->given));
    if (difference->end[0])
        json_add_str(json, "end", str_of(difference->end));
    if (difference->came)
        json_add_str(json, "advice", str_of(advice[0]));
}

void rerun_write_json(const RerunVerdict verdicts[], uint32_t count, Json *json)
{
    static const char *const states[] = {[RERUN_NOTHING] = "nothing",
                                         [RERUN_SAME] = "same",
                                         [RERUN_DIFFERS] = "differs",
                                         [RERUN_BROKEN] = "contradicted"};

    json_open(json, '[');
    for (uint32_t i = 0; i < count; i++) {
        const RerunVerdict *verdict = &verdicts[i];
        json_open(json, '{');
        json_add_str(json, "agent", str_of(verdict->name));
        json_add_str(json, "state", str_of(states[verdict->state]));
        json_add_uint(json, "answers", verdict->answers);
        json_add_uint(json, "sets", verdict->sets);
        json_add_uint(json, "games", verdict->games);
        json_add_uint(json, "anew", verdict->anew);
        if (verdict->state == RERUN_DIFFERS)
            add_difference(verdict, json);
        if (verdict->state == RERUN_BROKEN) {
            json_add_str(json, "file", str_of(verdict->file));
            json_add_uint(json, "line", verdict->difference.line);
        }
        if (verdict->text[0])
            json_add_str(json, "text", str_of(verdict->text));
        json_close(json);
    }
    json_close(json);
}
