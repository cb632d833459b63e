#include "web/contest_figures.h"

#include "base/date_text.h"
#include "disk/regular_file.h"
#include "journal/journal_line.h"
#include "results/results.h"
#include "results/results_build.h"
#include "wire/json_read.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#define NUMBER_TEXT(macro)  NUMBER_TEXT2(macro)
#define NUMBER_TEXT2(value) #value

#define SCHEDULE_FILE "history.json"
#define FAULTS_ROOM_MAX                                                                            \
    ((size_t)256 * 1024 * 1024) /* of faults.jsonl; what is behind is left out */

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "contest pages: out of memory");
}

/* ---- the folder ---- */

static bool mark_file(const char *dir, const char *name, ContestMark *ret_mark)
{
    CLEANUP(buf_done) Buf path = {0};
    struct stat about;

    if (results_path(dir, name, &path, NULL) || stat(buf_cstr(&path), &about) != 0)
        return false;
    *ret_mark = (ContestMark){about.st_size,
                              (int64_t)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec,
                              (uint64_t)about.st_ino};
    return true;
}

ContestMark contest_mark_of(const char *dir)
{
    ContestMark mark = {0};

    if (!mark_file(dir, JOURNAL_FILE, &mark))
        mark_file(dir, RESULTS_FILE, &mark);
    return mark;
}

bool contest_mark_same(ContestMark a, ContestMark b)
{
    return a.bytes == b.bytes && a.changed_ns == b.changed_ns && a.file == b.file;
}

/* ---- memory ---- */

static void free_stage(ContestStage *stage)
{
    report_data_done(&stage->data);
    report_order_done(&stage->order);
    mem_free(stage->faults);
    mem_free(stage->sets);
    buf_done(&stage->texts);
}

ContestFigures *contest_figures_free(ContestFigures *figures)
{
    if (!figures)
        return NULL;
    for (uint32_t i = 0; i < figures->stage_count; i++)
        free_stage(&figures->stages[i]);
    mem_free(figures->stages);
    history_free(figures->schedule);
    buf_done(&figures->dir);
    return mem_free(figures);
}

void contest_figures_freep(ContestFigures **figures)
{
    contest_figures_free(*figures);
}

/* Room for one more thing of an array; NULL = no memory. */
static void *more_room(void *array, uint32_t count, uint32_t *room, size_t each)
{
    if (count < *room)
        return array;
    uint32_t want = *room ? *room * 2 : 64;
    void *more = mem_resize(array, want, each);
    if (more)
        *room = want;
    return more;
}

/* ---- the plan ---- */

static const char plans_sql[] =
    "SELECT s.key, s.value ->> '$.name', s.value ->> '$.sets', s.value ->> '$.games_per_set',"
    " s.value ->> '$.games', iif(json_type(s.value, '$.players') = 'array',"
    " json_array_length(s.value, '$.players'), 1)"
    " FROM meta, json_each(iif(meta.key = 'plan' AND json_valid(meta.value), meta.value, '{}'),"
    " '$.stages') AS s WHERE meta.key = 'plan' AND s.type = 'object'";

static uint64_t amount_of(const DbQuery *row, int column)
{
    int64_t value = db_int(row, column);

    return value > 0 ? (uint64_t)value : 0;
}

static int read_plans(Db *db, ContestFigures *figures, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, plans_sql, &query, err);

    while (rc == 0 && (rc = db_step(query, err)) > 0) {
        int64_t number = db_int(query, 0);
        rc = 0;
        if (number < 0 || number >= STAGES_MAX)
            continue;
        ContestStagePlan *plan = &figures->plans[number];
        Str name = str_part(db_text(query, 1), 0, REPORT_TEXT_MAX);
        uint64_t parts = amount_of(query, 5);
        if (name.len)
            memcpy(plan->name, name.bytes, name.len);
        plan->sets = amount_of(query, 2) * parts;
        plan->games_per_set = amount_of(query, 3);
        plan->games = amount_of(query, 4) * parts;
        if (plan->games == 0)
            plan->games = plan->sets * plan->games_per_set;
        if ((uint32_t)number >= figures->plan_count)
            figures->plan_count = (uint32_t)number + 1;
    }
    return rc;
}

/* ---- sets ---- */

static int by_set_number(const void *left, const void *right)
{
    const ContestSet *a = left, *b = right;

    return (a->number > b->number) - (a->number < b->number);
}

static ContestSet *find_set(const ContestStage *stage, int64_t number)
{
    const ContestSet key = {.number = number};

    return stage->set_count
               ? bsearch(&key, stage->sets, stage->set_count, sizeof(key), by_set_number)
               : NULL;
}

static int add_set(ContestStage *stage, int64_t number, Err *err)
{
    ContestSet *sets =
        more_room(stage->sets, stage->set_count, &stage->set_room, sizeof(*stage->sets));

    if (!sets)
        return no_memory(err);
    stage->sets = sets;
    sets[stage->set_count++] = (ContestSet){.number = number, .first_game = UINT32_MAX};
    return 0;
}

/* Who sat there, from its first game. */
static void name_set(ContestStage *stage, ContestSet *set)
{
    const ReportGame *game = &stage->data.games[set->first_game];

    set->agents = (uint32_t)stage->texts.len;
    for (uint32_t i = 0; i < game->seat_count; i++) {
        const ReportSeat *seat = &stage->data.seats[game->first_seat + i];
        buf_printf(&stage->texts, "%s\n", stage->data.agents[seat->agent].name);
    }
    set->agents_len = (uint32_t)stage->texts.len - set->agents;
}

/* Games are in the order of their numbers, so those of a set mostly follow each other. */
static int collect_sets(ContestStage *stage, Err *err)
{
    int rc = 0;
    ContestSet *set = NULL;

    for (uint32_t i = 0; i < stage->data.game_count && rc == 0; i++)
        if (i == 0 || stage->data.games[i].set != stage->data.games[i - 1].set)
            rc = add_set(stage, stage->data.games[i].set, err);
    if (rc || !stage->set_count)
        return rc;
    qsort(stage->sets, stage->set_count, sizeof(*stage->sets), by_set_number);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < stage->set_count; i++)
        if (stage->sets[i].number != stage->sets[kept - 1].number)
            stage->sets[kept++] = stage->sets[i];
    stage->set_count = kept;
    for (uint32_t i = 0; i < stage->data.game_count; i++) {
        if (!set || set->number != stage->data.games[i].set)
            set = find_set(stage, stage->data.games[i].set);
        if (set && set->games++ == 0)
            set->first_game = i;
    }
    for (uint32_t i = 0; i < stage->set_count; i++)
        name_set(stage, &stage->sets[i]);
    return 0;
}

/* A set of the journal: one that has no game yet has begun all the same. */
static int hear_set(void *user, uint32_t number, uint64_t set, SeatNo count, const Str *names,
                    Err *err)
{
    ContestFigures *figures = user;

    for (uint32_t i = 0; i < figures->stage_count; i++) {
        ContestStage *stage = &figures->stages[i];
        const ReportData *data = &stage->data;
        int64_t own = data->stage_count ? data->stages[data->stage].number : 0;
        if (own != (int64_t)number || find_set(stage, (int64_t)set))
            continue;
        int rc = add_set(stage, (int64_t)set, err);
        if (rc)
            return rc;
        ContestSet *added = &stage->sets[stage->set_count - 1];
        added->agents = (uint32_t)stage->texts.len;
        for (SeatNo seat = 1; seat <= count; seat++)
            buf_printf(&stage->texts, "%.*s\n", STR_ARG(names[seat]));
        added->agents_len = (uint32_t)stage->texts.len - added->agents;
        qsort(stage->sets, stage->set_count, sizeof(*stage->sets), by_set_number);
    }
    return 0;
}

/* What journal_lines_of reads for. */
typedef struct SetReader {
    JournalListener listener;
    GameRecord *scratch;
} SetReader;

/* Lines of games are many and long, and are passed over unread. */
static int hear_line(void *user, Str line, unsigned number, Err *err)
{
    SetReader *reader = user;

    if (!str_starts(line, STR("{\"record\":\"set\"")))
        return 0;
    return journal_line_hear(line, number, &reader->listener, reader->scratch, err);
}

static int read_journal_sets(ContestFigures *figures, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    SetReader reader = {{.set = hear_set, .user = figures}, scratch};
    JournalEnd end;
    int fd = -1;

    if (!scratch)
        return no_memory(err);
    int rc = results_path(buf_cstr(&figures->dir), JOURNAL_FILE, &path, err);
    if (rc || regular_file_open(buf_cstr(&path), &fd, NULL) != 0)
        return rc;
    rc = journal_lines_of(fd, hear_line, &reader, &end, err);
    close(fd);
    return rc;
}

/* ---- faults ---- */

static int64_t stage_number_of(const ContestStage *stage)
{
    const ReportData *data = &stage->data;

    return data->stage_count ? data->stages[data->stage].number : -1;
}

/* The game of this number; games are in the order of theirs. UINT32_MAX = there is none. */
static uint32_t find_game(const ReportData *data, int64_t number)
{
    uint32_t low = 0, high = data->game_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (data->games[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < data->game_count && data->games[low].number == number ? low : UINT32_MAX;
}

uint32_t contest_stage_agent(const ContestStage *stage, Str name)
{
    for (uint32_t i = 0; i < stage->data.agent_count; i++)
        if (str_eq(str_of(stage->data.agents[i].name), name))
            return i;
    return UINT32_MAX;
}

/* As record/game_doc_event.c has them. */
#define FAULTS_TOLD 100 /* of one seat a day */

static Str request_of(const ContestStage *stage, const ContestFault *fault)
{
    return str_part(buf_str(&stage->texts), fault->request, fault->request_len);
}

/* Asks of the day, which everybody knows of. */
static bool ask_is_public(Str request)
{
    return str_eq(request, STR("TALK")) || str_eq(request, STR("VOTE"));
}

/* Faults of one game follow each other: those of one day, and at other asks of one seat, are
 * counted from there back. */
static uint16_t next_number(const ContestStage *stage, uint32_t game, uint16_t day, Str request,
                            SeatNo seat)
{
    bool open = ask_is_public(request);

    for (uint32_t i = stage->fault_count; i > 0; i--) {
        const ContestFault *before = &stage->faults[i - 1];
        if (before->game != game)
            break;
        if (before->day == day && ask_is_public(request_of(stage, before)) == open &&
            (open || before->seat == seat))
            return (uint16_t)(before->number + (before->number < UINT16_MAX));
    }
    return 1;
}

void contest_fault_anchor(const ContestStage *stage, const ContestFault *fault,
                          char ret_anchor[static CONTEST_ANCHOR_MAX], bool *ret_hidden)
{
    bool open = ask_is_public(request_of(stage, fault));

    *ret_hidden = !open;
    if (fault->number > (open ? FAULTS_TOLD * SEAT_MAX : FAULTS_TOLD))
        snprintf(ret_anchor, CONTEST_ANCHOR_MAX, "d%u", fault->day);
    else if (open)
        snprintf(ret_anchor, CONTEST_ANCHOR_MAX, "d%uf%u", fault->day, fault->number);
    else
        snprintf(ret_anchor, CONTEST_ANCHOR_MAX, "d%uf.%u.%u", fault->day, fault->seat,
                 fault->number);
}

static int add_fault(ContestStage *stage, const json_t *line, Err *err)
{
    const ReportData *data = &stage->data;
    uint32_t game = find_game(data, json_number(line, "game"));
    int64_t seat = json_number(line, "seat");
    FaultKind kind = fault_kind_of(json_text(line, "kind"));
    Str request = str_part(json_text(line, "request"), 0, UINT8_MAX);
    Str bytes = str_part(json_text(line, "bytes"), 0, UINT16_MAX);
    double elapsed_ms = 0;
    bool fatal = false;
    const json_t *member;

    if (game == UINT32_MAX || kind == FAULT_COUNT || seat < 1 ||
        seat > data->games[game].seat_count)
        return 0;
    if (stage->fault_count >= CONTEST_FAULTS_KEPT) {
        stage->faults_left_out++;
        return 0;
    }
    ContestFault *faults =
        more_room(stage->faults, stage->fault_count, &stage->fault_room, sizeof(*stage->faults));
    if (!faults)
        return no_memory(err);
    stage->faults = faults;
    if ((member = json_get(line, "elapsed_ms")))
        json_as_real(member, &elapsed_ms);
    if ((member = json_get(line, "fatal")))
        json_as_bool(member, &fatal);
    int64_t day = json_number(line, "day"), at_ms = 0;
    day = day < 0 ? 0 : day > UINT16_MAX ? UINT16_MAX : day;
    date_text_read(json_text(line, "at"), &at_ms);
    elapsed_ms = elapsed_ms >= 0 && elapsed_ms < 1e12 ? elapsed_ms : 0;
    ContestFault fault = {
        .at_ms = at_ms,
        .elapsed_us = (int64_t)(elapsed_ms * 1000 + 0.5),
        .game = game,
        .request = (uint32_t)stage->texts.len,
        .request_len = (uint8_t)request.len,
        .bytes = (uint32_t)(stage->texts.len + request.len),
        .bytes_len = (uint16_t)bytes.len,
        .agent = data->seats[data->games[game].first_seat + (uint32_t)seat - 1].agent,
        .seat = (SeatNo)seat,
        .day = (uint16_t)day,
        .number = next_number(stage, game, (uint16_t)day, request, (SeatNo)seat),
        .kind = kind,
        .fatal = fatal,
    };
    buf_add(&stage->texts, request);
    buf_add(&stage->texts, bytes);
    stage->faults[stage->fault_count++] = fault;
    return buf_failed(&stage->texts) ? no_memory(err) : 0;
}

/* A line that can't be read tells nothing: the file is evidence, what counts is the journal. */
static int hear_fault(void *user, Str text, unsigned number, Err *err)
{
    ContestFigures *figures = user;
    json_t *line = NULL;
    int rc = 0;

    (void)number;
    if (json_read(text, text.len, &line, NULL) != 0)
        return 0;
    int64_t stage = json_number(line, "stage");
    for (uint32_t i = 0; i < figures->stage_count && rc == 0; i++)
        if (stage_number_of(&figures->stages[i]) == stage)
            rc = add_fault(&figures->stages[i], line, err);
    json_done(line);
    return rc;
}

static int read_faults(ContestFigures *figures, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    JournalEnd end;
    struct stat about;
    int fd = -1;
    int rc = results_path(buf_cstr(&figures->dir), JOURNAL_FAULTS_FILE, &path, err);

    if (rc || regular_file_open(buf_cstr(&path), &fd, NULL) != 0)
        return rc;
    if (fstat(fd, &about) == 0 && (size_t)about.st_size <= FAULTS_ROOM_MAX)
        rc = journal_lines_of(fd, hear_fault, figures, &end, err);
    close(fd);
    return rc;
}

/* ---- all ---- */

static int read_stage(Db *db, int64_t number, ContestStage *stage, Err *err)
{
    int rc = report_data_read(db, number, &stage->data, err);

    if (rc == 0)
        rc = report_order_make(&stage->data, &stage->order, err);
    if (rc == 0)
        rc = collect_sets(stage, err);
    return rc == 0 && buf_failed(&stage->texts) ? no_memory(err) : rc;
}

static int read_stages(Db *db, ContestFigures *figures, Err *err)
{
    ResultsStage found[STAGE_NUMBERS_MAX];
    uint32_t count = 0;
    int rc = results_stages(db, found, &count, err);

    if (rc)
        return rc;
    figures->stages = mem_new((size_t)(count ? count : 1) * sizeof(*figures->stages));
    if (!figures->stages)
        return no_memory(err);
    figures->stage_count = count ? count : 1;
    for (uint32_t i = 0; i < figures->stage_count && rc == 0; i++)
        rc = read_stage(db, count ? found[i].number : -1, &figures->stages[i], err);
    for (uint32_t i = 0; i < figures->stage_count; i++)
        for (uint32_t g = 0; g < figures->stages[i].data.game_count; g++)
            if (figures->stages[i].data.games[g].ended_ms > figures->last_ended_ms)
                figures->last_ended_ms = figures->stages[i].data.games[g].ended_ms;
    return rc;
}

/* Sets that have all their games, by the plan. */
static const char whole_sql[] =
    "CREATE TEMP TABLE whole(stage INTEGER, set_number INTEGER, PRIMARY KEY(stage, set_number))"
    " WITHOUT ROWID;"
    "INSERT INTO whole SELECT g.stage, g.set_number FROM main.game AS g LEFT JOIN"
    " (SELECT s.key AS stage, s.value ->> '$.games_per_set' AS games FROM meta, json_each(iif("
    "meta.key = 'plan' AND json_valid(meta.value), meta.value, '{}'), '$.stages') AS s"
    " WHERE meta.key = 'plan' AND s.type = 'object') AS p ON p.stage = g.stage % " NUMBER_TEXT(
        STAGES_MAX) " GROUP BY g.stage, g.set_number HAVING count(*) >= max(p.games) OR"
                    " EXISTS (SELECT 1 FROM meta WHERE key = 'complete' AND value = '1');";

/* The others are not there: views of the same names stand before the tables. */
static int hide_others(Db *db, const FiguresPart *part, Err *err)
{
    CLEANUP(buf_done) Buf sql = {0};
    CLEANUP(buf_done) Buf condition = {0};

    buf_printf(&condition, "ended_ms <= %" PRId64 "%s", part->until_ms,
               part->whole_sets
                   ? " AND (stage, set_number) IN (SELECT stage, set_number FROM temp.whole)"
                   : "");
    if (part->whole_sets)
        buf_add(&sql, str_of(whole_sql));
    buf_printf(&sql,
               "CREATE TEMP VIEW game AS SELECT * FROM main.game WHERE %s;"
               "CREATE TEMP VIEW seat AS SELECT * FROM main.seat WHERE game_id IN"
               " (SELECT id FROM main.game WHERE %s);",
               buf_cstr(&condition), buf_cstr(&condition));
    return buf_failed(&sql) || buf_failed(&condition) ? no_memory(err)
                                                      : db_exec(db, buf_cstr(&sql), err);
}

/* A schedule that can't be read is none: the server that plays it tells why. */
static void read_schedule(ContestFigures *figures)
{
    static const char *const places[] = {SCHEDULE_FILE, "../" SCHEDULE_FILE};
    CLEANUP(buf_done) Buf path = {0};

    for (size_t i = 0; i < 2 && !figures->schedule; i++)
        if (results_path(buf_cstr(&figures->dir), places[i], &path, NULL) == 0 &&
            regular_file_check(buf_cstr(&path), NULL) == 0)
            history_load(buf_cstr(&path), &figures->schedule, NULL);
}

int contest_figures_read(const char *dir, const FiguresPart *part, ContestFigures **ret_figures,
                         Err *err)
{
    CLEANUP(contest_figures_freep) ContestFigures *figures = mem_new(sizeof(*figures));
    CLEANUP(db_closep) Db *db = NULL;

    if (!figures)
        return no_memory(err);
    buf_add(&figures->dir, str_of(dir));
    if (buf_failed(&figures->dir))
        return no_memory(err);
    int rc = results_look(dir, &db, err);
    if (rc == 0 && part && (part->until_ms < INT64_MAX || part->whole_sets))
        rc = hide_others(db, part, err);
    if (rc == 0)
        rc = read_plans(db, figures, err);
    if (rc == 0)
        rc = read_stages(db, figures, err);
    if (rc == 0)
        rc = read_faults(figures, err);
    /* A set that has begun tells that those before it are over, a schedule how many games are: with
     * a delay only games tell. */
    const bool prompt = !part || part->until_ms == INT64_MAX;
    if (rc == 0 && prompt)
        rc = read_journal_sets(figures, err);
    if (rc)
        return rc;
    if (prompt)
        read_schedule(figures);
    *ret_figures = TAKE(figures);
    return 0;
}

const ContestStage *contest_figures_stage(const ContestFigures *figures, int64_t number)
{
    if (number < 0)
        return &figures->stages[figures->stage_count - 1];
    for (uint32_t i = 0; i < figures->stage_count; i++)
        if (stage_number_of(&figures->stages[i]) == number)
            return &figures->stages[i];
    return NULL;
}

/* Whether one of the first `count` stages has the agent. */
static bool has_agent(const ContestFigures *figures, uint32_t count, Str name)
{
    for (uint32_t i = 0; i < count; i++)
        if (contest_stage_agent(&figures->stages[i], name) != UINT32_MAX)
            return true;
    return false;
}

uint32_t contest_figures_number(const ContestFigures *figures, Str name)
{
    uint32_t number = 0;

    for (uint32_t i = 0; i < figures->stage_count; i++) {
        const ReportData *data = &figures->stages[i].data;
        for (uint32_t a = 0; a < data->agent_count; a++) {
            Str own = str_of(data->agents[a].name);
            if (i > 0 && has_agent(figures, i, own))
                continue;
            number++;
            if (str_eq(own, name))
                return number;
        }
    }
    return 0;
}

bool contest_figures_published(const ContestFigures *figures)
{
    const ReportPlan *plan = &figures->stages[0].data.plan;

    return plan->complete && plan->seed[0];
}
