/* contest_pages_games.c - the list of games with its filters. Without "results" it tells neither
 * who won nor how long a game was, and no filter, order or mark does. */
#include "web/contest_pages_own.h"

#include "results/html_text.h"

#include <ctype.h>

#define LINE_UP_BYTES 24 /* of a name in the line-up, for people */

/* ---- which ---- */

/* What is asked for, with names looked up. */
typedef struct Choice {
    const ContestAsk *ask;
    uint32_t team; /* UINT32_MAX = any */
    uint32_t against;
    bool nobody; /* a name that nobody has: no game fits */
} Choice;

static Choice choice_of(const ContestSheet *sheet)
{
    const ContestAsk *ask = sheet->ask;
    Choice choice = {ask, UINT32_MAX, UINT32_MAX, false};

    if (ask->team[0]) {
        choice.team = sheet_find_agent(sheet, str_of(ask->team));
        choice.nobody = choice.team == UINT32_MAX;
    }
    if (ask->against[0]) {
        choice.against = sheet_find_agent(sheet, str_of(ask->against));
        choice.nobody = choice.nobody || choice.against == UINT32_MAX;
    }
    return choice;
}

static bool fits_faults(const ReportData *data, const ReportGame *game, const ContestAsk *ask)
{
    switch (ask->faults) {
    case FAULTS_ALL_GAMES:
        return true;
    case FAULTS_ANY:
        return game->mark_count > 0;
    case FAULTS_FAILED:
        return game->failed;
    case FAULTS_OF_A_KIND:
        break;
    }
    for (uint32_t i = 0; i < game->mark_count; i++)
        if (data->marks[game->first_mark + i].faults[ask->kind])
            return true;
    return false;
}

static bool fits_result(const ReportGame *game, const ContestAsk *ask)
{
    if (!ask->results)
        return true;
    return (!ask->has_winner || game->winner == ask->winner) && game->last_day >= ask->days_from &&
           (ask->days_to == 0 || game->last_day <= ask->days_to);
}

/* A seat of the team, in the role, with the other on another side. */
static bool fits_seats(const ReportData *data, const ReportGame *game, const Choice *choice)
{
    const ReportSeat *seats = &data->seats[game->first_seat];

    if (choice->team == UINT32_MAX && choice->against == UINT32_MAX)
        return true;
    for (uint32_t i = 0; i < game->seat_count; i++) {
        if (choice->team != UINT32_MAX && seats[i].agent != choice->team)
            continue;
        if (choice->team != UINT32_MAX && choice->ask->role != ROLE_NONE &&
            seats[i].role != choice->ask->role)
            continue;
        if (choice->against == UINT32_MAX)
            return true;
        for (uint32_t j = 0; j < game->seat_count; j++)
            if (j != i && seats[j].agent == choice->against &&
                (choice->team == UINT32_MAX || seats[j].side != seats[i].side))
                return true;
    }
    return false;
}

static bool fits(const ReportData *data, const ReportGame *game, const Choice *choice)
{
    return !choice->nobody && (choice->ask->set < 0 || game->set == choice->ask->set) &&
           fits_result(game, choice->ask) && fits_faults(data, game, choice->ask) &&
           fits_seats(data, game, choice);
}

/* ---- order ---- */

typedef enum SortKey { BY_GAME, BY_SET, BY_FAULTS, BY_WINNER, BY_DAYS, BY_ENDED } SortKey;

/* A game and what it is sorted by. */
typedef struct SortedGame {
    int64_t value;
    uint32_t game;
} SortedGame;

static int by_value(const void *left, const void *right)
{
    const SortedGame *a = left, *b = right;

    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->game > b->game) - (a->game < b->game);
}

static SortKey sort_key(const ContestAsk *ask)
{
    static const struct {
        const char *word;
        SortKey key;
        bool result;
    } keys[] = {{"set", BY_SET, false},
                {"faults", BY_FAULTS, false},
                {"winner", BY_WINNER, true},
                {"days", BY_DAYS, true},
                {"ended", BY_ENDED, true}};
    const char *word = ask->sort[0] == '-' ? ask->sort + 1 : ask->sort;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (strcmp(word, keys[i].word) == 0 && (ask->results || !keys[i].result))
            return keys[i].key;
    return BY_GAME;
}

static uint64_t faults_of(const ReportData *data, const ReportGame *game)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < game->mark_count; i++)
        for (int kind = 0; kind < FAULT_COUNT; kind++)
            count += data->marks[game->first_mark + i].faults[kind];
    return count;
}

static int64_t sort_value(const ReportData *data, const ReportGame *game, SortKey key)
{
    switch (key) {
    case BY_SET:
        return game->set;
    case BY_FAULTS:
        return (int64_t)faults_of(data, game);
    case BY_WINNER:
        return game->winner;
    case BY_DAYS:
        return game->last_day;
    case BY_ENDED:
        return game->ended_ms;
    case BY_GAME:
        break;
    }
    return game->number;
}

/* Those that fit, in order: newest first when no order is asked for. */
static int choose_games(const ContestSheet *sheet, SortedGame **ret_games, uint32_t *ret_count,
                        Err *err)
{
    const ReportData *data = sheet->data;
    const Choice choice = choice_of(sheet);
    CLEANUP(mem_freep)
    SortedGame *games = mem_new(((size_t)data->game_count + 1) * sizeof(*games));
    SortKey key = sort_key(sheet->ask);
    uint32_t count = 0;

    if (!games)
        return page_no_memory(err);
    for (uint32_t i = 0; i < data->game_count; i++)
        if (fits(data, &data->games[i], &choice))
            games[count++] = (SortedGame){sort_value(data, &data->games[i], key), i};
    qsort(games, count, sizeof(*games), by_value);
    if (sheet->ask->sort[0] == '-' || sheet->ask->sort[0] == '\0')
        for (uint32_t i = 0; i < count / 2; i++) {
            const SortedGame other = games[i];
            games[i] = games[count - 1 - i];
            games[count - 1 - i] = other;
        }
    *ret_games = TAKE(games);
    *ret_count = count;
    return 0;
}

/* ---- the table ---- */

static size_t game_columns(const ContestSheet *sheet, bool sorts,
                           ContestColumn ret_columns[static CONTEST_COLUMNS_MAX])
{
    const bool html = sheet_is_html(sheet), results = sheet->ask->results;
    const struct {
        const char *key;
        const char *title;
        ColumnKind kind;
        bool there, sorts;
    } all[] = {
        {"id", "", COLUMN_TEXT, !html, false},
        {"game", sheet_word(sheet, CONTEST_WORD_GAME), COLUMN_PLACE, true, true},
        {"set", sheet_report_word(sheet, WORD_SET), COLUMN_PLACE, true, true},
        {"winner", sheet_report_word(sheet, WORD_WINNER), COLUMN_TEXT, results, true},
        {"days", sheet_report_word(sheet, WORD_LAST_DAY), COLUMN_COUNT, results, true},
        {"ended", sheet_report_word(sheet, WORD_ENDED), COLUMN_DATE, results, true},
        {"remarks", sheet_word(sheet, CONTEST_WORD_WHY), COLUMN_TEXT, results, false},
        {"faults", sheet_word(sheet, CONTEST_WORD_FAULT_COUNT), COLUMN_COUNT, true, true},
        {"seats", sheet_word(sheet, CONTEST_WORD_LINE_UP), COLUMN_LONG, true, false},
    };
    size_t count = 0;

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (all[i].there)
            ret_columns[count++] =
                (ContestColumn){all[i].key, all[i].title, all[i].kind, !sorts || !all[i].sorts, 0};
    return count;
}

/* At most so many bytes, whole characters. */
static Str cut_name(Str name)
{
    size_t len = LINE_UP_BYTES;

    if (name.len <= len)
        return name;
    while (len > 0 && ((unsigned char)name.bytes[len] & 0xC0) == 0x80)
        len--;
    return str_part(name, 0, len);
}

static void put_line_up(const ContestSheet *sheet, const ReportGame *game, ContestTable *table)
{
    CLEANUP(buf_done) Buf text = {0};
    AgentLabel room;

    for (uint32_t i = 0; i < game->seat_count; i++) {
        Str name = sheet_agent(sheet, sheet->data->seats[game->first_seat + i].agent, &room);
        Str shown = sheet_is_html(sheet) ? cut_name(name) : name;
        buf_printf(&text, "%s%.*s%s", i ? ", " : "", STR_ARG(shown),
                   shown.len < name.len ? "\xE2\x80\xA6" : "");
    }
    contest_table_text(table, buf_str(&text));
}

/* Why a game ended that nobody won by the rules. */
static const char *reason_of(const ContestSheet *sheet, const ReportGame *game)
{
    if (strcmp(game->reason, "max_day") == 0)
        return sheet_report_word(sheet, WORD_MARK_REASON_MAX_DAY);
    if (strcmp(game->reason, "idle") == 0)
        return sheet_report_word(sheet, WORD_MARK_REASON_IDLE);
    if (strcmp(game->reason, "aborted") == 0)
        return sheet_report_word(sheet, WORD_MARK_REASON_ABORTED);
    return "";
}

static void put_result(const ContestSheet *sheet, const ReportGame *game, ContestTable *table)
{
    bool html = sheet_is_html(sheet);

    contest_table_text(table, str_of(html ? report_side(sheet->ask->language, game->winner)
                                          : side_name(game->winner)));
    contest_table_count(table, game->last_day);
    contest_table_date(table, game->ended_ms);
    contest_table_text(table, str_of(html ? reason_of(sheet, game) : game->reason));
}

static void put_game(const ContestSheet *sheet, const ReportGame *game, ContestTable *table)
{
    ContestAsk set = sheet_ask(sheet, CONTEST_GAMES);

    set.set = game->set;
    contest_table_row(table);
    if (!sheet_is_html(sheet)) {
        CLEANUP(buf_done) Buf id = {0};
        sheet_game_id(sheet, game, &id);
        contest_table_text(table, buf_str(&id));
    }
    sheet_game_cell(sheet, game, "", false, table);
    contest_table_count(table, game->set < 0 ? 0 : (uint64_t)game->set);
    contest_table_link(table, &set);
    if (sheet->ask->results)
        put_result(sheet, game, table);
    contest_table_count(table, faults_of(sheet->data, game));
    put_line_up(sheet, game, table);
}

/* CSV has thousands, in pieces, so that no table of all of them is made. */
static void write_csv(ContestSheet *sheet, ContestTable *table, const SortedGame *games,
                      uint32_t count)
{
    bool heading = true;

    for (uint32_t at = sheet->ask->from;
         (at < count && at < contest_csv_end(sheet->ask)) || heading; at += CONTEST_ROWS) {
        contest_table_clear(table);
        for (uint32_t i = at; i < count && i - at < CONTEST_ROWS; i++)
            put_game(sheet, &sheet->data->games[games[i].game], table);
        contest_table_csv(table, sheet->ask, heading, sheet->out);
        heading = false;
    }
    if (contest_table_failed(table))
        buf_fail(sheet->out);
    contest_table_done(table);
}

static int write_games(ContestSheet *sheet, const SortedGame *games, uint32_t count, Err *err)
{
    ContestColumn columns[CONTEST_COLUMNS_MAX];
    ContestTable table = {.is_part = true, .total = count};

    contest_table_begin(&table, columns, game_columns(sheet, true, columns));
    if (sheet->ask->form == CONTEST_CSV) {
        write_csv(sheet, &table, games, count);
        return 0;
    }
    for (uint32_t i = sheet->ask->from; i < count && i - sheet->ask->from < CONTEST_ROWS; i++)
        put_game(sheet, &sheet->data->games[games[i].game], &table);
    return sheet_table(sheet, &table, "games", sheet_word(sheet, CONTEST_WORD_GAMES), true, err);
}

int contest_games_last(ContestSheet *sheet, uint32_t count, const char *id, const char *caption,
                       Err *err)
{
    CLEANUP(mem_freep) SortedGame *games = NULL;
    ContestColumn columns[CONTEST_COLUMNS_MAX];
    ContestAsk plain = *sheet->ask;
    ContestTable table = {0};
    uint32_t found = 0;

    plain.sort[0] = '\0';
    plain.set = -1;
    plain.faults = FAULTS_ALL_GAMES;
    plain.has_winner = false;
    plain.days_from = plain.days_to = 0;
    plain.role = ROLE_NONE;
    plain.against[0] = '\0';
    if (plain.page != CONTEST_TEAM)
        plain.team[0] = '\0';
    ContestSheet all = *sheet;
    all.ask = &plain;
    int rc = choose_games(&all, &games, &found, err);
    if (rc)
        return rc;
    contest_table_begin(&table, columns, game_columns(sheet, false, columns));
    for (uint32_t i = 0; i < found && i < count; i++)
        put_game(sheet, &sheet->data->games[games[i].game], &table);
    return sheet_table(sheet, &table, id, caption, false, err);
}

/* ---- the form ---- */

static void open_field(const ContestSheet *sheet, const char *name, const char *label)
{
    buf_printf(sheet->out, "<p><label for=\"f-%s\">%s</label>", name, label);
}

static void close_field(const ContestSheet *sheet)
{
    buf_add(sheet->out, STR("</p>\n"));
}

static void open_select(const ContestSheet *sheet, const char *name, const char *label)
{
    open_field(sheet, name, label);
    buf_printf(sheet->out, "<select id=\"f-%s\" name=\"%s\"><option value=\"\">%s</option>", name,
               name, sheet_word(sheet, CONTEST_WORD_ANY));
}

static void write_option(const ContestSheet *sheet, Str value, Str label, bool chosen)
{
    buf_add(sheet->out, STR("<option value=\""));
    html_text(value, sheet->out);
    buf_printf(sheet->out, "\"%s>", chosen ? " selected=\"selected\"" : "");
    html_text_cut(label, 32, sheet->out);
    buf_add(sheet->out, STR("</option>"));
}

static void close_select(const ContestSheet *sheet)
{
    buf_add(sheet->out, STR("</select>"));
    close_field(sheet);
}

static void write_hidden(const ContestSheet *sheet, const char *name, Str value)
{
    buf_printf(sheet->out, "<input type=\"hidden\" name=\"%s\" value=\"", name);
    html_text(value, sheet->out);
    buf_add(sheet->out, STR("\"/>"));
}

static int by_label(const void *left, const void *right)
{
    const AgentLabel *a = left, *b = right;

    return strcmp(a->text, b->text);
}

/* Names in the order of their bytes, as a list to choose from: a page for some hundreds. */
static void write_agents(const ContestSheet *sheet, const AgentLabel *labels, uint32_t count,
                         const char *name, const char *label, const char *chosen)
{
    open_select(sheet, name, label);
    for (uint32_t i = 0; i < count; i++)
        write_option(sheet, str_of(labels[i].text), str_of(labels[i].text),
                     strcmp(labels[i].text, chosen) == 0);
    close_select(sheet);
}

#define FORM_AGENTS_MAX 300

/* Of more agents a name is typed. */
static void write_agent_text(const ContestSheet *sheet, const char *name, const char *label,
                             const char *chosen)
{
    open_field(sheet, name, label);
    buf_printf(sheet->out, "<input id=\"f-%s\" name=\"%s\" maxlength=\"%d\" value=\"", name, name,
               AGENT_NAME_MAX);
    html_text(str_of(chosen), sheet->out);
    buf_add(sheet->out, STR("\"/>"));
    close_field(sheet);
}

static int write_agent_fields(const ContestSheet *sheet, Err *err)
{
    const char *team = sheet_word(sheet, CONTEST_WORD_FILTER_TEAM);
    const char *against = sheet_word(sheet, CONTEST_WORD_FILTER_AGAINST);
    uint32_t count = sheet->data->agent_count;
    CLEANUP(mem_freep) AgentLabel *labels = mem_new(((size_t)count + 1) * sizeof(*labels));

    if (!labels)
        return page_no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        AgentLabel room;
        Str label = sheet_agent(sheet, i, &room);
        memcpy(labels[i].text, label.bytes, label.len);
    }
    qsort(labels, count, sizeof(*labels), by_label);
    if (count > FORM_AGENTS_MAX) {
        write_agent_text(sheet, "team", team, sheet->ask->team);
        write_agent_text(sheet, "against", against, sheet->ask->against);
    } else {
        write_agents(sheet, labels, count, "team", team, sheet->ask->team);
        write_agents(sheet, labels, count, "against", against, sheet->ask->against);
    }
    return 0;
}

static void write_role_field(const ContestSheet *sheet)
{
    open_select(sheet, "role", sheet_word(sheet, CONTEST_WORD_FILTER_ROLE));
    for (size_t i = 0; i < REPORT_ROLES; i++) {
        Role role = report_role_order[i];
        if (sheet->order->roles[role].games)
            write_option(sheet, str_of(role_name(role)),
                         str_of(report_role(sheet->ask->language, role)), sheet->ask->role == role);
    }
    close_select(sheet);
}

static void write_fault_field(const ContestSheet *sheet)
{
    const ContestAsk *ask = sheet->ask;

    open_select(sheet, "faults", sheet_word(sheet, CONTEST_WORD_FILTER_FAULTS));
    write_option(sheet, STR("any"), str_of(sheet_word(sheet, CONTEST_WORD_FAULTS_ANY)),
                 ask->faults == FAULTS_ANY);
    write_option(sheet, STR("failed"), str_of(sheet_word(sheet, CONTEST_WORD_FAULTS_FAILED)),
                 ask->faults == FAULTS_FAILED);
    for (FaultKind kind = FAULT_TIMEOUT; kind < FAULT_COUNT; kind++)
        write_option(sheet, str_of(fault_kind_name(kind)),
                     str_of(report_fault(ask->language, kind)),
                     ask->faults == FAULTS_OF_A_KIND && ask->kind == kind);
    close_select(sheet);
}

static void write_result_fields(const ContestSheet *sheet)
{
    static const Side sides[] = {SIDE_VILLAGER, SIDE_WEREWOLF, SIDE_OTHERS};
    const ContestAsk *ask = sheet->ask;

    open_select(sheet, "winner", sheet_report_word(sheet, WORD_WINNER));
    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++)
        if (sides[i] != SIDE_OTHERS || sheet->order->roles[ROLE_FOX].games)
            write_option(sheet, str_of(side_name(sides[i])),
                         str_of(report_side(ask->language, sides[i])),
                         ask->has_winner && ask->winner == sides[i]);
    write_option(sheet, STR("NONE"), str_of(sheet_report_word(sheet, WORD_NO_WINNER)),
                 ask->has_winner && ask->winner == SIDE_NONE);
    close_select(sheet);
    open_field(sheet, "days", sheet_word(sheet, CONTEST_WORD_FILTER_DAYS));
    buf_add(sheet->out, STR("<input id=\"f-days\" name=\"days\" size=\"5\" value=\""));
    if (ask->days_from || ask->days_to != ask->days_from) {
        buf_add_uint(sheet->out, ask->days_from);
        if (ask->days_to != ask->days_from)
            buf_add_char(sheet->out, '-');
        if (ask->days_to && ask->days_to != ask->days_from)
            buf_add_uint(sheet->out, ask->days_to);
    }
    buf_add(sheet->out, STR("\"/>"));
    close_field(sheet);
}

static void write_set_field(const ContestSheet *sheet)
{
    open_field(sheet, "set", sheet_word(sheet, CONTEST_WORD_FILTER_SET));
    buf_add(sheet->out,
            STR("<input id=\"f-set\" name=\"set\" size=\"5\" inputmode=\"numeric\" value=\""));
    if (sheet->ask->set >= 0)
        buf_add_int(sheet->out, sheet->ask->set);
    buf_add(sheet->out, STR("\"/>"));
    close_field(sheet);
}

/* What the form keeps of the address. */
static void write_kept(const ContestSheet *sheet)
{
    const ContestAsk *ask = sheet->ask;
    char number[24];

    buf_add(sheet->out, STR("<p class=\"send\">"));
    if (ask->stage >= 0) {
        snprintf(number, sizeof(number), "%lld", (long long)ask->stage);
        write_hidden(sheet, "stage", str_of(number));
    }
    if (ask->sort[0])
        write_hidden(sheet, "sort", str_of(ask->sort));
    if (ask->results)
        write_hidden(sheet, "results", STR("1"));
    if (ask->language_chosen)
        write_hidden(sheet, "lang", ask->language == REPORT_JAPANESE ? STR("ja") : STR("en"));
    buf_printf(sheet->out, "<button>%s</button> ", sheet_word(sheet, CONTEST_WORD_APPLY));
}

static void write_anchor(const ContestSheet *sheet, const ContestAsk *ask, ContestWord word)
{
    buf_add(sheet->out, STR("<a href=\""));
    contest_ask_link(ask, "&amp;", sheet->out);
    buf_printf(sheet->out, "\">%s</a>", sheet_word(sheet, word));
}

static int write_form(const ContestSheet *sheet, Err *err)
{
    ContestAsk action = sheet_ask(sheet, CONTEST_GAMES), clear = action;

    action.stage = -1;
    action.results = action.language_chosen = false;
    buf_add(sheet->out, STR("<form class=\"filter\" method=\"get\" action=\""));
    contest_ask_link(&action, "&amp;", sheet->out);
    buf_printf(sheet->out, "\">\n<fieldset><legend>%s</legend>\n",
               sheet_word(sheet, CONTEST_WORD_FILTER));
    int rc = write_agent_fields(sheet, err);
    write_role_field(sheet);
    write_fault_field(sheet);
    write_set_field(sheet);
    if (sheet->ask->results)
        write_result_fields(sheet);
    write_kept(sheet);
    write_anchor(sheet, &clear, CONTEST_WORD_CLEAR);
    buf_add(sheet->out, STR("</p>\n</fieldset></form>\n"));
    return rc;
}

/* How many were found, and whether their results show. */
static void write_switch(const ContestSheet *sheet, uint32_t count)
{
    ContestAsk other = *sheet->ask;

    other.results = !other.results;
    other.from = 0;
    if (!other.results) {
        other.has_winner = false;
        other.days_from = other.days_to = 0;
        if (sort_key(sheet->ask) >= BY_WINNER)
            other.sort[0] = '\0';
    }
    buf_add(sheet->out, STR("<p class=\"found\">"));
    contest_say_count(sheet->ask->language, CONTEST_WORD_FOUND, count, sheet->out);
    buf_add_char(sheet->out, ' ');
    if (!sheet->ask->results) {
        buf_add(sheet->out, str_of(sheet_word(sheet, CONTEST_WORD_HIDDEN_TEXT)));
        buf_add_char(sheet->out, ' ');
    }
    write_anchor(sheet, &other,
                 sheet->ask->results ? CONTEST_WORD_HIDE_RESULTS : CONTEST_WORD_SHOW_RESULTS);
    buf_add(sheet->out, STR("</p>\n"));
}

int contest_page_games(ContestSheet *sheet, Err *err)
{
    CLEANUP(mem_freep) SortedGame *games = NULL;
    uint32_t count = 0;
    int rc = choose_games(sheet, &games, &count, err);

    if (rc)
        return rc;
    if (sheet_is_html(sheet)) {
        rc = write_form(sheet, err);
        write_switch(sheet, count);
    }
    if (sheet->ask->form == CONTEST_JSON)
        json_add_uint(&sheet->json, "total", count);
    return rc ? rc : write_games(sheet, games, count, err);
}
