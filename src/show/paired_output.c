#include "show/paired_output.h"

#include "base/utf8.h"
#include "show/text_table.h"

#include <math.h>

static const char *const columns_for[3][10] = {
    {"a", "b", "side", "deals", "a_rate", "b_rate", "difference", "low", "high", NULL},
    {"a", "b", "side", "deals", "a %", "b %", "a - b", "from", "to", NULL},
    {"a", "b", "陣営", "配役", "a %", "b %", "a - b", "下限", "上限", NULL},
};

static const char *const parts[3][PAIRED_PARTS] = {
    {"all", "village", "werewolf"},
    {"all", "village", "wolves"},
    {"全体", "村人側", "人狼側"},
};

static void put_name(TextTable *rows, const char *name)
{
    CLEANUP(buf_done) Buf printable = {0};

    utf8_add_printable(str_of(name), AGENT_NAME_MAX, &printable);
    text_table_text(rows, buf_str(&printable));
}

/* Percent for people; a share for programs. */
static void put_rate(TextTable *rows, double rate, bool people)
{
    const double shown = people ? round(1000 * rate) / 10 : rate;

    text_table_real(rows, shown + 0.0, people ? 1 : 6); /* no -0.0 */
}

static void put_part(TextTable *rows, const PairTable *table, const ResultsPair *pair,
                     PairedPart part, const StandingsView *view)
{
    const bool people = view->form == STANDINGS_TABLE;
    const PairedSum *sum = &pair->parts[part];
    const Interval interval = paired_interval(sum);
    const bool known = interval.low > -1 || interval.high < 1;

    put_name(rows, table->names[pair->a]);
    put_name(rows, table->names[pair->b]);
    text_table_text(rows, str_of(parts[people ? 1 + view->japanese : 0][part]));
    text_table_uint(rows, sum->deals);
    put_rate(rows, sum->rate_a / (double)sum->deals, people);
    put_rate(rows, sum->rate_b / (double)sum->deals, people);
    put_rate(rows, interval.rate, people);
    if (known) {
        put_rate(rows, interval.low, people);
        put_rate(rows, interval.high, people);
    } else {
        text_table_none(rows);
        text_table_none(rows);
    }
}

void paired_write(const PairTable *table, const StandingsView *view, Buf *out)
{
    const bool people = view->form == STANDINGS_TABLE;
    CLEANUP(text_table_done)
    TextTable rows = {.columns = columns_for[people ? 1 + view->japanese : 0]};

    if (table->count == 0 && people) {
        buf_add(out,
                view->japanese
                    ? STR("同じ配役を複数のエージェントがプレイしたゲームはありません: ステージに "
                          "blocks: true を指定してください。\n")
                    : STR("no deal was played by two agents: give the stage blocks: true\n"));
        return;
    }
    for (size_t i = 0; i < table->count; i++)
        for (PairedPart part = PAIRED_ALL; part < PAIRED_PARTS; part++)
            if (table->pairs[i].parts[part].deals)
                put_part(&rows, table, &table->pairs[i], part, view);
    text_table_write(&rows, (TableForm)view->form, out);
    if (people)
        buf_add(
            out,
            view->japanese
                ? STR("同じ役職、同じ席、同じ偶然でのゲームの勝率の差(ポイント)と 95 % 区間。\n")
                : STR("points of winning rate over the same roles, seats and chance; from - "
                      "to: 95 %\n"));
}
