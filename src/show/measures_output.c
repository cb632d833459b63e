#include "show/measures_output.h"

#include "base/utf8.h"
#include "results/report_words.h"
#include "show/groups_output.h"
#include "show/text_table.h"

/* A measure in the table by role: the survival of key roles is there by roles. */
static const char *const brief_words[MEASURE_COUNT][2] = {
    [MEASURE_VILLAGE_VOTES] = {"votes %", "投票 %"},
    [MEASURE_HITS] = {"hits %", "的中 %"},
    [MEASURE_EXECUTIONS] = {"executions %", "処刑 %"},
    [MEASURE_FIRST_EXECUTIONS] = {"first %", "初回 %"},
    [MEASURE_WOLVES_VOTES] = {"mates %", "仲間 %"},
    [MEASURE_SURVIVAL] = {"survival %", "生存 %"},
    [MEASURE_TRUE_CLAIMS] = {"true %", "真 %"},
    [MEASURE_FALSE_CLAIMS] = {"false %", "騙り %"},
};

static Interval rate_of(MeasureShare share)
{
    return wilson_interval(share.count, share.of, Z_95);
}

static void put_name(TextTable *rows, const ResultsGroup *group)
{
    CLEANUP(buf_done) Buf name = {0};

    utf8_add_printable(str_of(group->name), MODEL_NAME_MAX, &name);
    text_table_text(rows, buf_str(&name));
}

/* ---- for programs ---- */

static void put_row(TextTable *rows, const ResultsGroup *group, Role role, Measure measure)
{
    const MeasureShare share = measure_share(&group->play, measure, role);
    const Interval rate = rate_of(share);

    if (share.of == 0)
        return;
    put_name(rows, group);
    text_table_text(rows, role == ROLE_NONE ? STR("all") : str_of(role_name(role)));
    text_table_text(rows, str_of(measure_name(measure)));
    text_table_uint(rows, share.count);
    text_table_uint(rows, share.of);
    text_table_real(rows, rate.rate, 6);
    text_table_real(rows, rate.low, 6);
    text_table_real(rows, rate.high, 6);
}

static void write_programs(const GroupTable *table, GroupBy by, TableForm form, Buf *out)
{
    const char *const columns[] = {
        groups_name(by, false), "role", "measure", "count", "of", "rate", "low", "high", NULL};
    CLEANUP(text_table_done) TextTable rows = {.columns = columns};

    for (size_t i = 0; i < table->count; i++)
        for (Role role = ROLE_NONE; role < ROLE_COUNT; role++)
            for (Measure measure = 0; measure < MEASURE_COUNT; measure++)
                put_row(&rows, &table->groups[i], role, measure);
    text_table_write(&rows, form, out);
}

/* ---- for people ---- */

/* Its name stands in the first line of a measure. */
static void put_measure(TextTable *rows, const GroupTable *table, Measure measure, bool japanese)
{
    Str name = str_of(report_measure(japanese ? REPORT_JAPANESE : REPORT_ENGLISH, measure));

    for (size_t i = 0; i < table->count; i++) {
        const MeasureShare share = measure_share(&table->groups[i].play, measure, ROLE_NONE);
        const Interval rate = rate_of(share);
        if (share.of == 0)
            continue;
        text_table_text(rows, name);
        name = STR("");
        put_name(rows, &table->groups[i]);
        text_table_uint(rows, share.count);
        text_table_uint(rows, share.of);
        text_table_real(rows, 100 * rate.rate, 1);
        text_table_real(rows, 100 * rate.low, 1);
        text_table_real(rows, 100 * rate.high, 1);
    }
}

static void write_all_roles(const GroupTable *table, GroupBy by, bool japanese, Buf *out)
{
    const char *const columns[2][8] = {
        {"measure", groups_name(by, false), "count", "of", "rate %", "low", "high", NULL},
        {"指標", groups_name(by, true), "回数", "全体", "割合 %", "下限", "上限", NULL}};
    CLEANUP(text_table_done) TextTable rows = {.columns = columns[japanese]};

    for (Measure measure = 0; measure < MEASURE_COUNT; measure++)
        put_measure(&rows, table, measure, japanese);
    text_table_write(&rows, TABLE_ALIGNED, out);
}

static void put_role(TextTable *rows, const ResultsGroup *group, Role role, bool japanese)
{
    if (group->play.seats[role] == 0)
        return;
    put_name(rows, group);
    text_table_text(rows, str_of(role_word(role, japanese)));
    text_table_uint(rows, group->play.seats[role]);
    for (Measure measure = 0; measure < MEASURE_COUNT; measure++) {
        const MeasureShare share = measure_share(&group->play, measure, role);
        if (brief_words[measure][0] && share.of)
            text_table_real(rows, 100 * rate_of(share).rate, 1);
        else if (brief_words[measure][0])
            text_table_none(rows);
    }
}

static void write_by_role(const GroupTable *table, GroupBy by, bool japanese, Buf *out)
{
    const char *columns[MEASURE_COUNT + 4] = {groups_name(by, japanese), japanese ? "役職" : "role",
                                              japanese ? "ゲーム" : "games"};
    CLEANUP(text_table_done) TextTable rows = {.columns = columns};
    size_t count = 3;

    for (Measure measure = 0; measure < MEASURE_COUNT; measure++)
        if (brief_words[measure][japanese])
            columns[count++] = brief_words[measure][japanese];
    for (size_t i = 0; i < table->count; i++)
        for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
            put_role(&rows, &table->groups[i], role, japanese);
    text_table_write(&rows, TABLE_ALIGNED, out);
}

static bool has_play(const GroupTable *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (measure_share(&table->groups[i].play, MEASURE_SURVIVAL, ROLE_NONE).of)
            return true;
    return false;
}

void measures_write(const GroupTable *table, GroupBy by, const StandingsView *view, Buf *out)
{
    if (view->form != STANDINGS_TABLE) {
        write_programs(table, by, (TableForm)view->form, out);
        return;
    }
    if (!has_play(table)) {
        buf_add(out, view->japanese
                         ? STR("指標のあるゲームはありません。勝者のあるゲームだけが数えられ、"
                               "古い記録には指標がありません(ログのフォルダを指定してください)。\n")
                         : STR("no game has measures of play: only games that somebody won do, and "
                               "journals of older\nversions have none (give the folder of their "
                               "logs)\n"));
        return;
    }
    write_all_roles(table, by, view->japanese, out);
    buf_add_char(out, '\n');
    write_by_role(table, by, view->japanese, out);
}
