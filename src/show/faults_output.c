#include "show/faults_output.h"

#include "base/utf8.h"
#include "results/report_words.h"

#define COLUMNS_ALWAYS 13
#define COLUMNS_MAX    (COLUMNS_ALWAYS + 2 + FINDING_RULES + 1)

static const char *const found_headings[FINDING_RULES] = {
    [FINDING_NETWORK] = "found_network", [FINDING_WRITE] = "found_write",
    [FINDING_PROCESS] = "found_process", [FINDING_THREAD] = "found_thread",
    [FINDING_MEMORY] = "found_memory",   [FINDING_OUTPUT] = "found_output",
    [FINDING_NAME] = "found_name"};

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

/* Which rules of findings have a column: in tables those of which there is something, for programs
 * all or none. */
static void find_rules(const FaultTable *faults, TableForm form, bool ret_shown[FINDING_RULES])
{
    bool any = false;

    for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++) {
        ret_shown[rule] = false;
        for (size_t i = 0; i < faults->count; i++)
            ret_shown[rule] |= faults->agents[i].findings[rule] > 0;
        any |= ret_shown[rule];
    }
    for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES && form != TABLE_ALIGNED; rule++)
        ret_shown[rule] = any;
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
    bool shown[FINDING_RULES];
    const char *columns[COLUMNS_MAX] = {
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
    };
    size_t used = COLUMNS_ALWAYS;
    find_rules(faults, form, shown);
    if (waits) {
        columns[used++] = fault_heading(ja, "excused", "猶予");
        columns[used++] = fault_heading(ja, "waited_ms", "待ちms");
    }
    for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++)
        if (shown[rule])
            columns[used++] = ja ? report_finding(REPORT_JAPANESE, rule) : found_headings[rule];
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
        for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++)
            if (shown[rule])
                text_table_uint(&table, agent->findings[rule]);
    }
    text_table_write(&table, form, out);
}
