/* contest_pages_schedule.c - what was played, is being played and is to come: sets of the protocol
 * division, matches of the natural-language division. */
#include "web/contest_pages_own.h"

/* ---- sets ---- */

static const ContestStagePlan *plan_of(const ContestSheet *sheet)
{
    const ReportData *data = sheet->data;
    int64_t number = data->stage_count ? data->stages[data->stage].number : 0;

    return number >= 0 && number < (int64_t)sheet->figures->plan_count
               ? &sheet->figures->plans[number]
               : NULL;
}

/* A set is done when it has its games, or the contest has ended. */
static bool is_done(const ContestSheet *sheet, const ContestSet *set)
{
    const ContestStagePlan *plan = plan_of(sheet);

    return sheet->data->plan.complete ||
           (plan && plan->games_per_set && set->games >= plan->games_per_set);
}

static int by_label(const void *left, const void *right)
{
    const AgentLabel *a = left, *b = right;

    return strcmp(a->text, b->text);
}

/* What an agent of a set is called here; it may not have played yet. */
static void label_of(const ContestSheet *sheet, Str name, AgentLabel *ret_label)
{
    uint32_t agent = contest_stage_agent(sheet->stage, name);
    AgentLabel room;
    Str label = agent != UINT32_MAX        ? sheet_agent(sheet, agent, &room)
                : sheet_hides_names(sheet) ? STR("\xE2\x80\xA6")
                                           : name;

    snprintf(ret_label->text, sizeof(ret_label->text), "%.*s", STR_ARG(label));
}

/* Its agents in the order of their seats; where that is secret while it goes on, by their names. */
static void put_seats(const ContestSheet *sheet, const ContestSet *set, ContestTable *table)
{
    CLEANUP(buf_done) Buf text = {0};
    Str names = str_part(buf_str(&sheet->stage->texts), set->agents, set->agents_len);
    AgentLabel labels[SEAT_MAX];
    unsigned count = 0;

    while (names.len && count < SEAT_MAX)
        label_of(sheet, str_cut(&names, '\n'), &labels[count++]);
    if (sheet->ask->seats_hidden && !sheet->ask->is_operator && !is_done(sheet, set))
        qsort(labels, count, sizeof(labels[0]), by_label);
    for (unsigned i = 0; i < count; i++)
        buf_printf(&text, "%s%s", i ? ", " : "", labels[i].text);
    contest_table_text(table, buf_str(&text));
}

static void put_set(const ContestSheet *sheet, const ContestSet *set, ContestTable *table)
{
    ContestAsk games = sheet_ask(sheet, CONTEST_GAMES);
    bool done = is_done(sheet, set);

    games.set = set->number;
    contest_table_row(table);
    contest_table_count(table, set->number < 0 ? 0 : (uint64_t)set->number);
    if (set->games)
        contest_table_link(table, &games);
    if (sheet_is_html(sheet))
        contest_table_text(table, str_of(sheet_word(sheet, done ? CONTEST_WORD_STATE_DONE
                                                                : CONTEST_WORD_STATE_RUNNING)));
    else
        contest_table_text(table, done ? STR("done") : STR("running"));
    contest_table_count(table, set->games);
    put_seats(sheet, set, table);
}

static int write_sets(ContestSheet *sheet, Err *err)
{
    const ContestStage *stage = sheet->stage;
    const ContestStagePlan *plan = plan_of(sheet);
    const ContestColumn columns[] = {
        {"set", sheet_report_word(sheet, WORD_SET), COLUMN_PLACE, false, 0},
        {"state", sheet_word(sheet, CONTEST_WORD_STATE), COLUMN_TEXT, false, 0},
        {"games", sheet_report_word(sheet, WORD_GAMES), COLUMN_COUNT, false, 0},
        {"seats", sheet_word(sheet, CONTEST_WORD_SEATS), COLUMN_LONG, true, 0},
    };
    ContestTable table = {0};
    uint64_t done = 0, begun = stage->set_count;
    PageNumber rooms[3];

    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = stage->set_count; i-- > 0;) { /* what runs stands in front */
        done += is_done(sheet, &stage->sets[i]);
        put_set(sheet, &stage->sets[i], &table);
    }
    uint64_t planned =
        plan && plan->sets > begun && !sheet->data->plan.complete ? plan->sets - begun : 0;
    if (sheet->ask->form == CONTEST_JSON) {
        json_add_uint(&sheet->json, "done", done);
        json_add_uint(&sheet->json, "running", begun - done);
        json_add_uint(&sheet->json, "to_come", planned);
    }
    sheet_section_open(sheet, "sets", sheet_word(sheet, CONTEST_WORD_SETS));
    sheet_say(sheet, CONTEST_WORD_SETS_TEXT,
              (Str[]){page_number(&rooms[0], done), page_number(&rooms[1], begun - done),
                      page_number(&rooms[2], planned)},
              3);
    int rc = sheet_table(sheet, &table, "sets", sheet_word(sheet, CONTEST_WORD_SETS), true, err);
    sheet_section_close(sheet);
    return rc;
}

/* ---- stages ---- */

static int write_plans(ContestSheet *sheet, Err *err)
{
    const ContestFigures *figures = sheet->figures;
    const ContestColumn columns[] = {
        {"name", sheet_word(sheet, CONTEST_WORD_STAGE_HEAD), COLUMN_NAME, true, 0},
        {"stage_sets", sheet_word(sheet, CONTEST_WORD_SETS), COLUMN_COUNT, true, 0},
        {"games_per_set", sheet_word(sheet, CONTEST_WORD_PER_SET), COLUMN_COUNT, true, 0},
        {"planned", sheet_word(sheet, CONTEST_WORD_GAMES_PLANNED), COLUMN_COUNT, true, 0},
        {"played", sheet_word(sheet, CONTEST_WORD_GAMES_PLAYED), COLUMN_COUNT, true, 0},
    };
    ContestTable table = {0};

    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < figures->plan_count; i++) {
        const ContestStagePlan *plan = &figures->plans[i];
        const ContestStage *stage = contest_figures_stage(figures, i);
        PageNumber number;
        contest_table_row(&table);
        contest_table_text(&table,
                           plan->name[0] ? str_of(plan->name) : page_number(&number, i + 1));
        contest_table_count(&table, plan->sets);
        /* People are told what will be; programs what is the rule. */
        bool fewer = sheet_is_html(sheet) && plan->games && plan->games < plan->games_per_set;
        contest_table_count(&table, fewer ? plan->games : plan->games_per_set);
        contest_table_count(&table, plan->games);
        contest_table_count(&table, stage ? stage->data.game_count : 0);
    }
    if (table.row_count == 0 && sheet_is_html(sheet)) {
        contest_table_done(&table);
        return 0;
    }
    return sheet_table(sheet, &table, "stages", sheet_word(sheet, CONTEST_WORD_STAGE_ROWS), false,
                       err);
}

/* ---- natural language ---- */

/* How often each team is to play each role, and has. [team * ROLE_COUNT + role]; ROLE_NONE: all. */
typedef struct Counts {
    uint32_t *planned;
    uint32_t *played;
} Counts;

static void counts_done(Counts *counts)
{
    mem_free(counts->planned);
    mem_free(counts->played);
}

static void count_match(const HistoryMatch *match, uint32_t *counts)
{
    for (unsigned i = 0; i < match->count; i++) {
        counts[(size_t)match->teams[i] * ROLE_COUNT + match->roles[i]]++;
        counts[(size_t)match->teams[i] * ROLE_COUNT + ROLE_NONE]++;
    }
}

static int count_schedule(const History *history, Counts *counts, Err *err)
{
    size_t cells = ((size_t)history_plan(history)->team_count + 1) * ROLE_COUNT;

    counts->planned = mem_new(cells * sizeof(*counts->planned));
    counts->played = mem_new(cells * sizeof(*counts->played));
    if (!counts->planned || !counts->played)
        return page_no_memory(err);
    for (uint32_t i = 0; i < history_ended_count(history); i++) {
        count_match(history_ended(history, i), counts->planned);
        count_match(history_ended(history, i), counts->played);
    }
    for (uint32_t i = 0; i < history_scheduled_count(history); i++)
        count_match(history_scheduled(history, i), counts->planned);
    return 0;
}

static void put_team_name(const ContestSheet *sheet, const History *history, uint32_t team,
                          ContestTable *table)
{
    Str name = history_team_name(history, team);
    uint32_t agent = name.bytes ? contest_stage_agent(sheet->stage, name) : UINT32_MAX;

    if (agent != UINT32_MAX) {
        sheet_agent_cell(sheet, agent, table);
    } else if (name.bytes && !sheet_hides_names(sheet)) {
        contest_table_text(table, name);
    } else {
        CLEANUP(buf_done) Buf text = {0};
        contest_say_count(sheet->ask->language, CONTEST_WORD_NOT_KNOWN_YET, team, &text);
        contest_table_text(table, buf_str(&text));
    }
}

static void put_played(uint32_t played, uint32_t planned, ContestTable *table)
{
    char text[32];

    snprintf(text, sizeof(text), "%u / %u", played, planned);
    contest_table_text(table, str_of(text));
}

static size_t team_columns(const ContestSheet *sheet,
                           ContestColumn ret_columns[static CONTEST_COLUMNS_MAX])
{
    const HistoryPlan *plan = history_plan(sheet->figures->schedule);
    size_t count = 0;

    ret_columns[count++] =
        (ContestColumn){"team", sheet_report_word(sheet, WORD_AGENT), COLUMN_NAME, false, 0};
    for (size_t i = 0; i < REPORT_ROLES; i++) {
        Role role = report_role_order[i];
        if (plan->role_counts[role])
            ret_columns[count++] = (ContestColumn){
                role_name(role), report_role(sheet->ask->language, role), COLUMN_TEXT, true, 0};
    }
    ret_columns[count++] =
        (ContestColumn){"all", sheet_word(sheet, CONTEST_WORD_ALL_ROLES), COLUMN_TEXT, true, 0};
    ret_columns[count++] =
        (ContestColumn){"left", sheet_word(sheet, CONTEST_WORD_LEFT), COLUMN_COUNT, false, 0};
    return count;
}

static int write_teams(ContestSheet *sheet, Err *err)
{
    const History *history = sheet->figures->schedule;
    const HistoryPlan *plan = history_plan(history);
    CLEANUP(counts_done) Counts counts = {0};
    ContestColumn columns[CONTEST_COLUMNS_MAX];
    ContestTable table = {0};
    int rc = count_schedule(history, &counts, err);

    if (rc)
        return rc;
    contest_table_begin(&table, columns, team_columns(sheet, columns));
    for (uint32_t team = 0; team < plan->team_count; team++) {
        size_t at = (size_t)team * ROLE_COUNT;
        contest_table_row(&table);
        put_team_name(sheet, history, team, &table);
        for (size_t i = 0; i < REPORT_ROLES; i++)
            if (plan->role_counts[report_role_order[i]])
                put_played(counts.played[at + report_role_order[i]],
                           counts.planned[at + report_role_order[i]], &table);
        put_played(counts.played[at], counts.planned[at], &table);
        contest_table_count(&table, counts.planned[at] - counts.played[at]);
    }
    return sheet_table(sheet, &table, "teams", sheet_word(sheet, CONTEST_WORD_NLP_SCHEDULE), true,
                       err);
}

/* Games that are under way: who plays is told to nobody else while they run (docs/spec/web.md 4.2,
 * rule 5), and their names have teams in them. */
static int write_running(ContestSheet *sheet, Err *err)
{
    const History *history = sheet->figures->schedule;
    const ContestColumn columns[] = {
        {"running_game", sheet_word(sheet, CONTEST_WORD_GAME), COLUMN_NAME, true, 0},
        {"running_teams", sheet_report_word(sheet, WORD_AGENTS), COLUMN_LONG, true, 0},
    };
    ContestTable table = {0};

    if (history_game_count(history) == 0 && sheet_is_html(sheet))
        return 0;
    contest_table_begin(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < history_game_count(history); i++) {
        const HistoryMatch *match = history_game_match(history, i);
        CLEANUP(buf_done) Buf names = {0};
        contest_table_row(&table);
        contest_table_text(&table, history_game_stem(history, i));
        /* By number, not by role, in which order they stand: that would tell the roles. */
        for (uint32_t team = 0; team < history_plan(history)->team_count; team++)
            for (unsigned seat = 0; seat < match->count; seat++)
                if (match->teams[seat] == team && !sheet_hides_names(sheet))
                    buf_printf(&names, "%s%.*s", names.len ? ", " : "",
                               STR_ARG(history_team_name(history, team)));
        contest_table_text(&table, buf_str(&names));
    }
    sheet_section_open(sheet, "running", sheet_word(sheet, CONTEST_WORD_RUNNING_NOW));
    int rc = sheet_table(sheet, &table, "running", sheet_word(sheet, CONTEST_WORD_RUNNING_NOW),
                         false, err);
    sheet_section_close(sheet);
    return rc;
}

static int write_matches(ContestSheet *sheet, Err *err)
{
    const History *history = sheet->figures->schedule;
    uint32_t running = history_game_count(history), waiting = history_scheduled_count(history);
    PageNumber rooms[3];

    waiting -= running < waiting ? running : waiting;
    if (sheet->ask->form == CONTEST_JSON) {
        json_add_uint(&sheet->json, "ended", history_ended_count(history));
        json_add_uint(&sheet->json, "being_played", running);
        json_add_uint(&sheet->json, "waiting", waiting);
    }
    sheet_say(sheet, CONTEST_WORD_NLP_TEXT,
              (Str[]){page_number(&rooms[0], history_ended_count(history)),
                      page_number(&rooms[1], running), page_number(&rooms[2], waiting)},
              3);
    int rc = write_teams(sheet, err);
    return rc || !sheet->ask->is_operator ? rc : write_running(sheet, err);
}

int contest_page_schedule(ContestSheet *sheet, Err *err)
{
    if (sheet->figures->schedule)
        return write_matches(sheet, err);
    int rc = write_plans(sheet, err);
    return rc ? rc : write_sets(sheet, err);
}
