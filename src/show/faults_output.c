#include "show/faults_output.h"

#include "base/utf8.h"
#include "results/report_words.h"

static void put_ms(TextTable *table, uint64_t us)
{
    text_table_real(table, (double)us / 1000.0, 2);
}

static void put_times(TextTable *table, const Durations *times)
{
    if (durations_count(times) == 0) {
        for (int i = 0; i < 4; i++)
            text_table_none(table);
        return;
    }
    put_ms(table, durations_min(times));
    put_ms(table, durations_quantile(times, 500));
    put_ms(table, durations_quantile(times, 990));
    put_ms(table, durations_max(times));
}

static bool any_excused(const FaultTable *faults)
{
    for (size_t i = 0; i < faults->count; i++)
        if (faults->agents[i].excused)
            return true;
    return false;
}

/* English or Japanese headings; those that programs read are English. */
static const char *fault_heading(bool japanese, const char *english, const char *word)
{
    return japanese ? word : english;
}

void faults_write(const FaultTable *faults, TableForm form, bool japanese, Buf *out)
{
    const bool ja = japanese && form == TABLE_ALIGNED;
    const bool waits = any_excused(faults);
    const char *const columns[] = {
        fault_heading(ja, "agent", "エージェント"),
        fault_heading(ja, "games", "ゲーム"),
        fault_heading(ja, "failed_games", "脱落したゲーム"),
        fault_heading(ja, "timeouts", report_fault_word(FAULT_TIMEOUT, true)),
        fault_heading(ja, "disconnects", report_fault_word(FAULT_DISCONNECT, true)),
        fault_heading(ja, "malformed", report_fault_word(FAULT_MALFORMED, true)),
        fault_heading(ja, "early", report_fault_word(FAULT_EARLY, true)),
        fault_heading(ja, "violations", report_fault_word(FAULT_VIOLATION, true)),
        fault_heading(ja, "excesses", "制限超過"),
        fault_heading(ja, "min_ms", "最小ms"),
        fault_heading(ja, "median_ms", "中央値ms"),
        fault_heading(ja, "p99_ms", "99%点ms"),
        fault_heading(ja, "max_ms", "最大ms"),
        waits ? fault_heading(ja, "excused", "猶予") : NULL,
        fault_heading(ja, "waited_ms", "待ちms"),
        NULL,
    };
    CLEANUP(text_table_done) TextTable table = {.columns = columns};

    for (size_t i = 0; i < faults->count; i++) {
        CLEANUP(buf_done) Buf name = {0};
        const AgentFaults *agent = &faults->agents[i];
        utf8_add_printable(str_of(agent->name), AGENT_NAME_MAX, &name);
        text_table_text(&table, buf_str(&name));
        text_table_uint(&table, agent->games);
        text_table_uint(&table, agent->failed);
        for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
            text_table_uint(&table, agent->faults[kind]);
        text_table_uint(&table, agent->excesses);
        put_times(&table, &agent->times);
        if (waits) {
            text_table_uint(&table, agent->excused);
            text_table_uint(&table, agent->waited_ms);
        }
    }
    text_table_write(&table, form, out);
}
