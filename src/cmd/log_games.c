#include "cmd/log_games.h"

#include "base/json.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "cmd/results_arg.h"
#include "journal/journal.h"
#include "results/log_folder.h"
#include "results/report_words.h"
#include "results/results.h"
#include "show/text_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

enum { AGENT, ROLE, WON, LOST, FAULTS, JSON, LANGUAGE };
const Option log_games_options[LOG_GAMES_OPTION_COUNT] = {
    [AGENT] = {"agent", 'a', OPTION_TEXT, "NAME", "only games in which this agent played", NULL, 0,
               0},
    [ROLE] = {"role", 'r', OPTION_CHOICE,
              "VILLAGER|SEER|MEDIUM|BODYGUARD|WEREWOLF|POSSESSED|FREEMASON|FOX",
              "with --agent: only games in which it had this role", NULL, 0, 0},
    [WON] = {"won", 0, OPTION_FLAG, NULL, "with --agent: only games that it won", NULL, 0, 0},
    [LOST] = {"lost", 0, OPTION_FLAG, NULL, "with --agent: only games that it did not win", NULL, 0,
              0},
    [FAULTS] = {"faults", 0, OPTION_FLAG, NULL,
                "only games in which an agent, or that of --agent, did something wrong or a "
                "substitute played on for it",
                NULL, 0, 0},
    [JSON] = {"json", 0, OPTION_FLAG, NULL, "one JSON object a line", NULL, 0, 0},
    [LANGUAGE] = {"language", 0, OPTION_CHOICE, "en|ja", "of the table", "en", 0, 0},
};

/* ---- words ---- */

typedef enum Word {
    WORD_SUBSTITUTE,
    WORD_WON,
    WORD_LOST,
    WORD_NONE_MATCHES,
    WORD_COUNT,
} Word;

static const char *const words[WORD_COUNT][2] = {
    [WORD_SUBSTITUTE] = {"substitute", "代役"},
    [WORD_WON] = {"won", "勝ち"},
    [WORD_LOST] = {"lost", "負け"},
    [WORD_NONE_MATCHES] = {"no such game; games in the folder: ", "該当なし。フォルダのゲーム数: "},
};

/* Without an agent that is asked for, no row has a role and a result. */
static const char *const columns[2][2][10] = {
    {{"stage", "set", "game", "winner", "days", "faults", "log", NULL},
     {"stage", "set", "game", "winner", "days", "role", "result", "faults", "log", NULL}},
    {{"ステージ", "セット", "ゲーム", "勝者", "日数", "違反", "ログ", NULL},
     {"ステージ", "セット", "ゲーム", "勝者", "日数", "役職", "結果", "違反", "ログ", NULL}},
};

static const char *const sides[SIDE_OTHERS + 1][2] = {
    [SIDE_NONE] = {"nobody", "勝者なし"},
    [SIDE_VILLAGER] = {"villagers", "村人陣営"},
    [SIDE_WEREWOLF] = {"werewolves", "人狼陣営"},
    [SIDE_OTHERS] = {"fox", "妖狐"},
};

/* ---- which games ---- */

/* What is asked for, and what came of it. */
typedef struct Search {
    Str agent; /* empty = any */
    Role role; /* ROLE_NONE = any */
    bool won, lost, faults, json, japanese;
    const char *dir;   /* whose games are heard */
    uint64_t left_out; /* logs */
    TextTable table;
    Buf out; /* JSON */
    Suggest near;
    Buf best;     /* the nearest name; the journal's are borrowed for a call */
    bool known;   /* the agent played somewhere */
    bool several; /* folders */
    uint64_t games;
    uint64_t shown;
    LogPrints prints;
    Buf ids; /* of natural-language games that were heard, each with a newline on both sides */
} Search;

static void search_done(Search *search)
{
    text_table_done(&search->table);
    buf_done(&search->out);
    buf_done(&search->best);
    log_prints_done(&search->prints);
    buf_done(&search->ids);
}

static const char *word_of(const Search *search, Word word)
{
    return words[word][search->japanese];
}

static bool is_faulty(const SeatRecord *seat)
{
    uint32_t faults = 0;

    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        faults += seat->faults[kind];
    return seat->failed || faults;
}

static bool has_won(const GameResult *result, SeatNo seat)
{
    return result->winner != SIDE_NONE && role_side(result->roles[seat]) == result->winner;
}

/* Whether the game is asked for because of what happened on this seat. */
static bool seat_matches(const Search *search, const GameRecord *record, SeatNo seat)
{
    bool won = has_won(&record->result, seat);

    if (search->agent.len && !str_eq(search->agent, record->result.names[seat]) &&
        !str_eq(search->agent, record->seats[seat].team))
        return false;
    if (search->role != ROLE_NONE && search->role != record->result.roles[seat])
        return false;
    return (!search->won || won) && (!search->lost || !won) &&
           (!search->faults || is_faulty(&record->seats[seat]));
}

static void look_at_name(Search *search, Str name)
{
    Suggest before = search->near;

    search->known |= str_eq(search->agent, name);
    suggest_offer(&search->near, name);
    if (search->near.best.bytes == before.best.bytes)
        return;
    buf_clear(&search->best);
    buf_add(&search->best, suggest_best(&search->near));
    search->near.best = buf_str(&search->best);
}

/* Notes that the agent or team played, or the name that is nearest to what was typed. */
static void look_at_names(Search *search, const GameRecord *record)
{
    for (SeatNo seat = 1; seat <= record->result.seat_count && search->agent.len; seat++) {
        look_at_name(search, record->result.names[seat]);
        if (record->seats[seat].team.len)
            look_at_name(search, record->seats[seat].team);
    }
}

/* ---- printing ---- */

/* "alice: timeout 2, substitute", one agent after the other; with --agent without the name. */
static void add_faults(const Search *search, const GameRecord *record, SeatNo only, Buf *out)
{
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        const SeatRecord *what = &record->seats[seat];
        const char *comma = "";
        if (!is_faulty(what) || (only && only != seat))
            continue;
        buf_add(out, out->len ? STR("; ") : STR(""));
        if (!only) {
            utf8_add_printable(record->result.names[seat], AGENT_NAME_MAX, out);
            buf_add(out, STR(": "));
        }
        for (unsigned kind = 0; kind < FAULT_COUNT; kind++) {
            if (!what->faults[kind])
                continue;
            buf_printf(out, "%s%s %" PRIu32, comma,
                       report_fault_word((FaultKind)kind, search->japanese), what->faults[kind]);
            comma = ", ";
        }
        if (what->failed)
            buf_printf(out, "%s%s", comma, word_of(search, WORD_SUBSTITUTE));
    }
}

static void put_text(TextTable *table, const char *text)
{
    text_table_text(table, str_of(text));
}

/* One row; `seat` is the agent's that is asked for, SEAT_NONE without --agent. */
static void add_row(Search *search, const GameRecord *record, SeatNo seat)
{
    CLEANUP(buf_done) Buf faults = {0};
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf path = {0};
    TextTable *table = &search->table;

    add_faults(search, record, seat, &faults);
    if (record->log[0])
        buf_printf(&path, "%s/%s", search->dir, record->log);
    utf8_add_printable(buf_str(&path), SIZE_MAX, &log);
    text_table_uint(table, record->stage);
    text_table_uint(table, record->set);
    text_table_uint(table, record->game);
    put_text(table, sides[record->result.winner][search->japanese]);
    text_table_uint(table, record->result.last_day);
    if (seat) {
        put_text(table, role_word(record->result.roles[seat], search->japanese));
        put_text(table, word_of(search, has_won(&record->result, seat) ? WORD_WON : WORD_LOST));
    }
    text_table_text(table, faults.len ? buf_str(&faults) : STR("-"));
    text_table_text(table, log.len ? buf_str(&log) : STR("-"));
}

static void add_seat_json(const GameRecord *record, SeatNo seat, Json *json)
{
    const SeatRecord *what = &record->seats[seat];

    json_open(json, '{');
    json_add_uint(json, "seat", seat);
    json_add_str(json, "agent", record->result.names[seat]);
    json_add_str(json, "role", str_of(role_name(record->result.roles[seat])));
    json_add_bool(json, "won", has_won(&record->result, seat));
    json_add_bool(json, "substitute", what->failed);
    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        if (what->faults[kind])
            json_add_uint(json, fault_kind_name((FaultKind)kind), what->faults[kind]);
    json_close(json);
}

static void add_json(Search *search, const GameRecord *record)
{
    CLEANUP(buf_done) Buf log = {0};
    Json json = json_over(&search->out);

    json_open(&json, '{');
    json_add_uint(&json, "stage", record->stage);
    json_add_uint(&json, "set", record->set);
    json_add_uint(&json, "game", record->game);
    json_add_str(&json, "winner", str_of(side_name(record->result.winner)));
    json_add_str(&json, "reason", str_of(end_reason_name(record->reason)));
    json_add_uint(&json, "days", record->result.last_day);
    if (record->log[0]) {
        buf_printf(&log, "%s/%s", search->dir, record->log);
        json_add_str(&json, "log", buf_str(&log));
    }
    json_key(&json, STR("seats"));
    json_open(&json, '[');
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        add_seat_json(record, seat, &json);
    json_close(&json);
    json_close(&json);
    buf_add_char(&search->out, '\n');
}

/* A natural-language game has logs in two folders: of one id it is listed once. */
static bool was_heard(Search *search, const GameRecord *record)
{
    CLEANUP(buf_done) Buf id = {0};

    if (!search->several || record->division != DIVISION_NLP || !record->id[0])
        return false;
    buf_printf(&id, "\n%s\n", record->id);
    if (search->ids.len && strstr(buf_cstr(&search->ids), buf_cstr(&id)))
        return true;
    buf_add(&search->ids, buf_str(&id));
    return false;
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Search *search = user;
    SeatNo seat = 1;

    if (was_heard(search, record))
        return 0;
    search->games++;
    look_at_names(search, record);
    while (seat <= record->result.seat_count && !seat_matches(search, record, seat))
        seat++;
    if (seat > record->result.seat_count)
        return 0;
    search->shown++;
    if (search->json)
        add_json(search, record);
    else
        add_row(search, record, search->agent.len ? seat : SEAT_NONE);
    return buf_failed(&search->out) || search->table.failed
               ? err_set(err, ERR_MEMORY, "log list: out of memory")
               : 0;
}

/* ---- what is asked for ---- */

static int read_search(const Options *given, Search *search, Err *err)
{
    static const int of_an_agent[] = {ROLE, WON, LOST};

    if (given->argument_count == 0)
        return err_set(err, ERR_USAGE, "log list: name a folder, that of 'warg run --out'");
    for (size_t i = 0; i < sizeof(of_an_agent) / sizeof(of_an_agent[0]); i++)
        if (options_has(given, (size_t)of_an_agent[i]) && !options_has(given, AGENT))
            return err_set(err, ERR_USAGE, "--%s is about one agent: name it with --agent",
                           log_games_options[of_an_agent[i]].name);
    if (options_has(given, WON) && options_has(given, LOST))
        return err_set(err, ERR_USAGE, "no game is both --won and --lost");
    search->agent = str_of(options_text(given, AGENT));
    search->near.word = search->agent;
    if (options_has(given, ROLE))
        search->role = role_of(str_of(options_text(given, ROLE)));
    search->won = options_has(given, WON);
    search->lost = options_has(given, LOST);
    search->faults = options_has(given, FAULTS);
    search->json = options_has(given, JSON);
    search->japanese = options_number(given, LANGUAGE) == 1;
    search->table.columns = columns[search->japanese][search->agent.len > 0];
    return 0;
}

static int check_agent(const Search *search, Err *err)
{
    bool near = search->best.len;

    if (!search->agent.len || search->known || search->games == 0)
        return 0;
    return err_set(err, ERR_USAGE, "no agent is called '%.*s' in '%s'%s%.*s%s",
                   STR_ARG(str_part(search->agent, 0, AGENT_NAME_MAX)), search->dir,
                   near ? "; did you mean '" : "", STR_ARG(buf_str(&search->best)),
                   near ? "'?" : "");
}

/* ---- folders ---- */

static int on_log(void *user, const char *path, const GameRecord *record, Err *err)
{
    (void)path;
    return on_game(user, record, err);
}

static void on_left_out(void *user, Str why)
{
    Search *search = user;

    search->left_out++;
    results_arg_left_out(why);
}

/* Whether both lead to the same folder. */
static bool same_folder(const char *a, const char *b)
{
    struct stat one, other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static int hear_folder(Search *search, const char *dir, Err *err)
{
    const JournalListener listener = {.game = on_game, .user = search};
    const LogFolderListener logs = {on_log, on_left_out, search, &search->prints};
    struct stat about;
    uint64_t games;

    search->dir = dir;
    if (journal_exists(dir))
        return journal_read(dir, &listener, NULL, err);
    if (stat(dir, &about) == 0 && S_ISDIR(about.st_mode) &&
        log_folder_read(dir, &logs, &games, NULL) == 0)
        return 0;
    return err_set(err, ERR_USAGE,
                   "'%s' holds no " JOURNAL_FILE
                   ", which tells who played, and no logs; the folder "
                   "of 'warg run --out' does",
                   dir);
}

/* The folder of a journal or a database that was named itself; the path is cut there. */
static char *folder_of(char *path)
{
    char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    if (strcmp(name, JOURNAL_FILE) != 0 && strcmp(name, RESULTS_FILE) != 0)
        return path;
    if (!slash)
        path[0] = '.';
    path[!slash || slash == path ? 1 : slash - path] = '\0';
    return path;
}

/* A folder that was named before adds nothing. */
static int hear_folders(Search *search, const Options *given, Err *err)
{
    int rc = 0;

    search->several = given->argument_count > 1;
    for (int i = 0; rc == 0 && i < given->argument_count; i++) {
        bool before = false;
        given->arguments[i] = folder_of(given->arguments[i]);
        for (int k = 0; k < i; k++)
            before = before || same_folder(given->arguments[k], given->arguments[i]);
        if (!before)
            rc = hear_folder(search, given->arguments[i], err);
    }
    return rc;
}

/* ---- the verb ---- */

int log_games(const Usage *usage, int argc, char **argv, Err *err)
{
    CLEANUP(options_done) Options given = {0};
    CLEANUP(search_done) Search search = {0};
    int rc = options_parse(usage, argc, argv, &given, err);

    if (rc <= 0)
        return rc;
    rc = read_search(&given, &search, err);
    if (rc)
        return rc;
    rc = hear_folders(&search, &given, err);
    if (rc == 0)
        rc = check_agent(&search, err);
    if (rc)
        return rc;
    if (!search.json && search.shown)
        text_table_write(&search.table, TABLE_ALIGNED, &search.out);
    else if (!search.json)
        buf_printf(&search.out, "%s%" PRIu64 "\n", word_of(&search, WORD_NONE_MATCHES),
                   search.games);
    if (buf_failed(&search.out))
        return err_set(err, ERR_MEMORY, "log list: out of memory");
    fwrite(buf_cstr(&search.out), 1, search.out.len, stdout);
    return search.left_out ? EXIT_DISAGREE : EXIT_OK;
}
