#include "audit/audit_judging.h"

#include "audit/audit_verdict.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/yaml.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "judging/judging_files.h"
#include "judging/judging_store.h"
#include "judging/sheets_plan.h"
#include "proof/ledger.h"
#include "wire/json_read.h"

#include <math.h>
#include <stdlib.h>

#define FILE_BYTES_MAX ((size_t)256 * 1024 * 1024)
#define LINE_BYTES_MAX ((size_t)64 * 1024)
#define CONFIG_ARENA   ((size_t)8 * 1024 * 1024)
#define TRACKS_MAX     16
#define SHEETS_FILE    "judging/sheets.jsonl"
#define RATINGS_FILE   "judging/ratings.jsonl"
#define SCORES_FILE    "judging/scores.json"
#define RULES_FILE     "contest.yml"
#define EVALUATION     "evaluation"

/* A decided game of a track. */
typedef struct JudgedGame {
    uint64_t number;
    char log[GAME_LOG_MAX + 1];
    PickGame seats; /* teams: in JudgedTrack.teams */
    Side winner;
} JudgedGame;

typedef char TeamName[AGENT_NAME_MAX + 1];

typedef struct JudgedTrack {
    Str name; /* of the contest's file */
    JudgedGame *games;
    PickGame *picks; /* of each */
    uint32_t game_count;
    TeamName *teams; /* as they were met first */
    uint32_t team_count;
} JudgedTrack;

/* A line of sheets.jsonl that is as it has to be, with its ratings. */
typedef struct JudgedSheet {
    int64_t id;
    uint32_t track, game;
    uint32_t judge; /* number of J1, J2, ...; 0: a model */
    Str model;      /* of the contest's file */
    bool done;
    bool calibration;
    ScoreSheet score; /* criterion, repeat, order, ranks */
    SeatNo seat_count, rated;
} JudgedSheet;

typedef struct JudgingAudit {
    const char *dir;
    AuditVerdict *verdict;
    json_t **entries;
    size_t entry_count;
    Arena arena; /* of the contest's file */
    Buf rules;
    SheetsPlan plan; /* but for the track */
    Str models[SHEETS_MODELS_MAX];
    double min_tau;
    JudgedTrack tracks[TRACKS_MAX];
    uint32_t track_count, track; /* that is looked at */
    Key key;
    JudgedSheet *sheets;
    size_t sheet_count;
    Buf text; /* of sheets.jsonl */
    Str rest;
    unsigned line;
    uint32_t *people; /* of the track's judges by their order: the n in Jn */
    uint32_t judge_count;
    uint32_t named; /* judges that have a sheet, so far */
    uint32_t planned;
} JudgingAudit;

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "audit: out of memory");
}

static void judging_done(JudgingAudit *audit)
{
    for (size_t i = 0; i < audit->entry_count; i++)
        json_done(audit->entries[i]);
    mem_free(audit->entries);
    for (uint32_t i = 0; i < audit->track_count; i++) {
        mem_free(audit->tracks[i].games);
        mem_free(audit->tracks[i].picks);
        mem_free(audit->tracks[i].teams);
    }
    arena_done(&audit->arena);
    buf_done(&audit->rules);
    mem_free(audit->sheets);
    mem_free(audit->people);
    buf_done(&audit->text);
}

static int compare_bytes(Str a, Str b)
{
    const int order = memcmp(a.bytes, b.bytes, a.len < b.len ? a.len : b.len);

    return order ? order : (a.len > b.len) - (a.len < b.len);
}

static bool is_contradicted(const JudgingAudit *audit)
{
    return audit->verdict->state == AUDIT_CONTRADICTED;
}

/* DIR/NAME; what can't be read is a contradiction. */
static int read_file(JudgingAudit *audit, const char *name, Buf *text, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Err own = {0};

    buf_printf(&path, "%s/%s", audit->dir, name);
    int rc =
        buf_failed(&path) ? ERR_MEMORY : log_file_read(buf_cstr(&path), FILE_BYTES_MAX, text, &own);
    if (rc == ERR_MEMORY)
        return no_memory(err);
    if (rc)
        audit_contradict(audit->verdict, name, 0, "it is needed, and can't be read");
    return 0;
}

/* ---- the ledger ---- */

static int hear_entry(void *user, const LedgerEntry *entry, Err *err)
{
    JudgingAudit *audit = user;
    json_t *json = NULL;
    int rc = json_read(entry->line, FILE_BYTES_MAX, &json, err);

    if (rc)
        return rc;
    json_t **more = (audit->entry_count & (audit->entry_count + 1)) == 0
                        ? mem_resize(audit->entries, 2 * audit->entry_count + 2, sizeof(json_t *))
                        : audit->entries;
    if (!more) {
        json_done(json);
        return no_memory(err);
    }
    audit->entries = more;
    more[audit->entry_count++] = json;
    return 0;
}

/* The last entry of this type that says so; NULL = none. */
static const json_t *find_entry(const JudgingAudit *audit, const char *type, const char *member,
                                Str value)
{
    for (size_t i = audit->entry_count; i > 0; i--) {
        const json_t *entry = audit->entries[i - 1];
        if (str_eq(json_text(entry, "type"), str_of(type)) &&
            (!member || str_eq(json_text(entry, member), value)))
            return entry;
    }
    return NULL;
}

static unsigned line_of(const json_t *entry)
{
    return (unsigned)json_number(entry, "n") + 1;
}

/* ---- the key ---- */

static int compare_lots(const void *a, const void *b)
{
    return compare_bytes(((const NamedKey *)a)->name, ((const NamedKey *)b)->name);
}

static int lots_key(const json_t *list, Key *ret_key, Err *err)
{
    /* The iterator takes no const. */
    const union {
        const json_t *read;
        json_t *walk;
    } found = {.read = json_get(list, "lots")};
    json_t *const lots = found.walk;
    size_t count = 0;

    for (void *m = json_member(lots, NULL); m; m = json_member(lots, m))
        count++;
    CLEANUP(mem_freep) NamedKey *items = mem_new((count + 1) * sizeof(*items));
    if (!items)
        return no_memory(err);
    count = 0;
    for (void *m = json_member(lots, NULL); m; m = json_member(lots, m)) {
        NamedKey *item = &items[count++];
        Str hex;
        item->name = str_of(json_member_key(m));
        item->there = json_as_str(json_member_value(m), &hex) && key_from_hex(hex, &item->key);
    }
    if (count)
        qsort(items, count, sizeof(*items), compare_lots);
    *ret_key = key_of_lots(items, count);
    return 0;
}

/* Whether secret and lots are those that were committed to is the step `site`. */
static int find_key(JudgingAudit *audit, Err *err)
{
    const json_t *reveal = find_entry(audit, "reveal", "stage", STR(EVALUATION));
    const json_t *lots = find_entry(audit, "lots", "stage", STR(EVALUATION));
    const json_t *beacon = find_entry(audit, "beacon", "stage", STR(EVALUATION));
    const json_t *contest = find_entry(audit, "contest", NULL, STR(""));
    Key secret, all;

    if (!reveal || !key_from_hex(json_text(reveal, "value"), &secret)) {
        audit_contradict(audit->verdict, LEDGER_FILE, reveal ? line_of(reveal) : 0,
                         "sheets were rated, and the secret of stage " EVALUATION " was not told");
        return 0;
    }
    int rc = lots_key(lots, &all, err);
    if (rc == 0)
        audit->key = key_of_stage_with(&secret, json_text(contest, "name"), STR(EVALUATION), &all,
                                       json_text(beacon, "value"));
    audit->plan.evaluation = &audit->key;
    return rc;
}

/* ---- the contest's file ---- */

static void read_number(const YamlNode *map, const char *key, uint32_t *number)
{
    const YamlNode *node = yaml_get(map, key);
    int64_t value = 0;

    if (node && yaml_int(node, 0, UINT32_MAX, &value, NULL) == 0)
        *number = (uint32_t)value;
}

static void read_evaluation(JudgingAudit *audit, const YamlNode *map)
{
    const YamlNode *llm = yaml_get(map, "llm"), *list = yaml_get(map, "criteria");
    const YamlNode *models = yaml_get(llm, "models"), *tau = yaml_get(llm, "min_tau");
    SheetsPlan *plan = &audit->plan;
    Criterion criterion;

    for (const YamlNode *node = list ? list->first : NULL; node; node = node->next)
        if (criterion_of(node->text, &criterion))
            plan->criteria |= 1u << criterion;
    plan->sheets = SHEETS_GAMES_DEFAULT;
    plan->raters = SHEETS_RATERS_DEFAULT;
    plan->repeats = SHEETS_REPEATS_DEFAULT;
    read_number(map, "sheets", &plan->sheets);
    read_number(map, "raters", &plan->raters);
    read_number(llm, "repeats", &plan->repeats);
    for (const YamlNode *node = models ? models->first : NULL;
         node && plan->model_count < SHEETS_MODELS_MAX; node = node->next)
        audit->models[plan->model_count++] = node->text;
    plan->models = audit->models;
    audit->min_tau = (double)NAN;
    if (tau && tau->text.len && tau->text.len < 8) {
        char text[8] = "";
        memcpy(text, tau->text.bytes, tau->text.len);
        audit->min_tau = strtod(text, NULL);
    }
}

static int read_rules(JudgingAudit *audit, Err *err)
{
    const YamlNode *root = NULL, *tracks;
    Err own = {0};
    int rc = read_file(audit, RULES_FILE, &audit->rules, err);

    if (rc || is_contradicted(audit))
        return rc;
    rc = yaml_read(buf_str(&audit->rules), &audit->arena, &root, &own);
    if (rc) {
        audit_contradict(audit->verdict, RULES_FILE, own.line, "%s", own.msg);
        return 0;
    }
    read_evaluation(audit, yaml_get(root, "evaluation"));
    tracks = yaml_get(root, "tracks");
    for (const YamlNode *node = tracks ? tracks->first : NULL; node; node = node->next) {
        const YamlNode *name = yaml_get(node, "name");
        if (audit->track_count == TRACKS_MAX || !name) {
            audit_contradict(audit->verdict, RULES_FILE, node->line, "a track that can't be");
            return 0;
        }
        audit->tracks[audit->track_count++].name = name->text;
    }
    return 0;
}

/* ---- games ---- */

static int find_team(JudgedTrack *track, Str name, uint16_t *ret_team, Err *err)
{
    uint32_t i = 0;

    name = str_part(name, 0, AGENT_NAME_MAX);
    while (i < track->team_count && !str_eq(str_of(track->teams[i]), name))
        i++;
    *ret_team = (uint16_t)i;
    if (i < track->team_count)
        return 0;
    if (i == PICK_TEAMS_MAX)
        return err_set(err, ERR_LIMIT, "more than %d teams", PICK_TEAMS_MAX);
    TeamName *teams = mem_resize(track->teams, (size_t)i + 1, sizeof(*teams));
    if (!teams)
        return no_memory(err);
    track->teams = teams;
    memset(teams[i], 0, sizeof(teams[i]));
    memcpy(teams[i], name.bytes, name.len);
    track->team_count++;
    return 0;
}

static bool has_game(const JudgedTrack *track, uint64_t number)
{
    for (uint32_t i = 0; i < track->game_count; i++)
        if (track->games[i].number == number)
            return true;
    return false;
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    JudgingAudit *audit = user;
    JudgedTrack *track = &audit->tracks[audit->track];
    const uint32_t last = track->game_count;
    int rc = 0;

    if (!game_record_counts(record) || record->result.winner == SIDE_NONE ||
        has_game(track, record->game))
        return 0;
    JudgedGame *games = mem_resize(track->games, (size_t)last + 1, sizeof(*games));
    if (!games)
        return no_memory(err);
    track->games = games;
    games[last] = (JudgedGame){.number = record->game,
                               .winner = record->result.winner,
                               .seats = {.seat_count = record->result.seat_count}};
    snprintf(games[last].log, sizeof(games[last].log), "%s", record->log);
    for (SeatNo seat = 1; seat <= record->result.seat_count && rc == 0; seat++) {
        games[last].seats.roles[seat] = record->result.roles[seat];
        rc = find_team(track, game_record_counted(record, seat), &games[last].seats.teams[seat],
                       err);
    }
    track->game_count += rc == 0;
    return rc;
}

static int compare_games(const void *a, const void *b)
{
    const JudgedGame *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

/* As the ledger heard of it when it was over. */
static void check_game_entry(JudgingAudit *audit, const json_t *entry)
{
    const JudgedTrack *track = &audit->tracks[audit->track];
    CLEANUP(buf_done) Buf teams = {0};
    uint64_t number = 0;

    if (!str_eq(json_text(entry, "type"), STR("game")) ||
        !str_eq(json_text(entry, "track"), track->name) ||
        !str_to_uint(json_text(entry, "number"), UINT64_MAX, &number))
        return;
    for (uint32_t i = 0; i < track->game_count; i++) {
        const JudgedGame *game = &track->games[i];
        if (game->number != number)
            continue;
        for (SeatNo seat = 1; seat <= game->seats.seat_count; seat++)
            buf_printf(&teams, "%s%s", seat > 1 ? " " : "", track->teams[game->seats.teams[seat]]);
        if (!str_eq(buf_str(&teams), json_text(entry, "teams")) ||
            !str_eq(str_of(side_name(game->winner)), json_text(entry, "winner")))
            audit_contradict(audit->verdict, LEDGER_FILE, line_of(entry),
                             "the journal of track %.*s tells game %llu otherwise",
                             STR_ARG(track->name), (unsigned long long)number);
        return;
    }
}

static int read_games(JudgingAudit *audit, Err *err)
{
    JudgedTrack *track = &audit->tracks[audit->track];
    CLEANUP(buf_done) Buf path = {0};
    const JournalListener listener = {.game = hear_game, .user = audit};
    Err own = {0};

    buf_printf(&path, "%s/tracks/%.*s/main/logs", audit->dir, STR_ARG(track->name));
    int rc = buf_failed(&path) ? ERR_MEMORY : journal_read(buf_cstr(&path), &listener, NULL, &own);
    if (rc == ERR_MEMORY)
        return no_memory(err);
    if (rc && rc != ERR_IO) /* a track in which nobody played has none */
        audit_contradict(audit->verdict, "tracks", own.line, "track %.*s: %s", STR_ARG(track->name),
                         own.msg);
    if (track->game_count)
        qsort(track->games, track->game_count, sizeof(*track->games), compare_games);
    for (size_t i = 0; i < audit->entry_count; i++)
        check_game_entry(audit, audit->entries[i]);
    track->picks = mem_new(((size_t)track->game_count + 1) * sizeof(*track->picks));
    if (!track->picks)
        return no_memory(err);
    for (uint32_t i = 0; i < track->game_count; i++)
        track->picks[i] = track->games[i].seats;
    return 0;
}

/* ---- sheets ---- */

/* The next line of sheets.jsonl; NULL behind the last, or when it is none. */
static int next_line(JudgingAudit *audit, json_t **ret_json, Err *err)
{
    Err own = {0};

    *ret_json = NULL;
    if (!audit->rest.len) {
        audit_contradict(audit->verdict, SHEETS_FILE, audit->line,
                         "more sheets follow from the key than are here");
        return 0;
    }
    audit->line++;
    int rc = json_read(str_cut(&audit->rest, '\n'), LINE_BYTES_MAX, ret_json, &own);
    if (rc == ERR_MEMORY)
        return no_memory(err);
    if (rc)
        audit_contradict(audit->verdict, SHEETS_FILE, audit->line, "%s", own.msg);
    return 0;
}

static bool same_order(const PlannedSheet *sheet, const json_t *order)
{
    int64_t seat;

    if (json_count(order) != sheet->seat_count)
        return false;
    for (SeatNo i = 0; i < sheet->seat_count; i++)
        if (!json_as_int(json_at(order, i), &seat) || seat != sheet->order[i])
            return false;
    return true;
}

/* What of the line is not as it was planned; NULL: nothing. */
static const char *difference(const JudgingAudit *audit, const PlannedSheet *sheet, Str judge,
                              const json_t *line)
{
    const JudgedTrack *track = &audit->tracks[audit->track];
    bool calibration = false;

    if (!str_eq(json_text(line, "track"), track->name) ||
        !str_eq(json_text(line, "log"), str_of(track->games[sheet->game].log)))
        return "another game was picked than the key picks";
    if (!str_eq(json_text(line, "judge"), judge))
        return "another judge has it than the key assigns";
    if (!str_eq(json_text(line, "criterion"), str_of(criterion_letter(sheet->criterion))) ||
        json_number(line, "repeat") != sheet->repeat ||
        !json_as_bool(json_get(line, "calibration"), &calibration) ||
        calibration != sheet->calibration)
        return "another sheet stands here than follows from the key";
    return same_order(sheet, json_get(line, "order"))
               ? NULL
               : "it shows the seats in another order than the key";
}

static int keep_sheet(JudgingAudit *audit, const PlannedSheet *sheet, uint32_t judge,
                      const json_t *line, Err *err)
{
    const size_t at = audit->sheet_count;
    JudgedSheet *sheets = (at & (at + 1)) == 0
                              ? mem_resize(audit->sheets, 2 * at + 2, sizeof(*sheets))
                              : audit->sheets;

    if (!sheets)
        return no_memory(err);
    audit->sheets = sheets;
    sheets[at] = (JudgedSheet){.id = json_number(line, "sheet"),
                               .track = audit->track,
                               .game = sheet->game,
                               .judge = judge,
                               .model = sheet->model,
                               .done = str_eq(json_text(line, "state"), STR("DONE")),
                               .calibration = sheet->calibration,
                               .score = {.criterion = sheet->criterion, .repeat = sheet->repeat},
                               .seat_count = sheet->seat_count};
    memcpy(sheets[at].score.order, sheet->order, sizeof(sheet->order));
    audit->sheet_count++;
    return 0;
}

static int hear_planned(void *user, const PlannedSheet *sheet, Err *err)
{
    JudgingAudit *audit = user;
    const bool person = sheet->judge < audit->judge_count;
    char name[24] = "";
    json_t *line = NULL;

    if (is_contradicted(audit))
        return 0;
    audit->planned++;
    if (person && !audit->people[sheet->judge])
        audit->people[sheet->judge] = ++audit->named;
    if (person)
        snprintf(name, sizeof(name), "J%u", audit->people[sheet->judge]);
    int rc = next_line(audit, &line, err);
    if (rc || !line)
        return rc;
    const char *why = difference(audit, sheet, person ? str_of(name) : sheet->model, line);
    if (why)
        audit_contradict(audit->verdict, SHEETS_FILE, audit->line, "%s", why);
    else
        rc = keep_sheet(audit, sheet, person ? audit->people[sheet->judge] : 0, line, err);
    json_done(line);
    return rc;
}

/* ---- who judges ---- */

static bool sits_in(const JudgedTrack *track, const PickGame *game, Str family)
{
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        if (str_eq(track_rates_family(str_of(track->teams[game->teams[seat]])), family))
            return true;
    return false;
}

static uint32_t count_words(Str words)
{
    uint32_t count = 0;

    for (; words.len; count++)
        str_cut(&words, ' ');
    return count;
}

/* The words of the ledger's entry, one a judge: its own team, "-". */
static int plan_sheets(JudgingAudit *audit, Str judges, Err *err)
{
    const JudgedTrack *track = &audit->tracks[audit->track];
    const uint32_t count = count_words(judges), games = track->game_count;
    CLEANUP(mem_freep) bool *barred = mem_new((size_t)count * games + 1);

    if (audit->track == 0) {
        audit->judge_count = count;
        audit->people = mem_new(((size_t)count + 1) * sizeof(*audit->people));
    }
    if (!barred || !audit->people)
        return no_memory(err);
    for (uint32_t judge = 0; judge < count; judge++) {
        const Str family = str_cut(&judges, ' ');
        for (uint32_t i = 0; i < games; i++)
            barred[(size_t)judge * games + i] = sits_in(track, &track->picks[i], family);
    }
    const SheetsPlace place = {.games = track->picks,
                               .game_count = games,
                               .team_count = track->team_count,
                               .judge_count = count,
                               .barred = barred};
    audit->plan.track = track->name;
    audit->plan.calibration = audit->track == 0 ? SHEETS_CALIBRATION : 0;
    audit->planned = 0;
    return sheets_plan(&audit->plan, &place, hear_planned, audit, err);
}

static int check_track(JudgingAudit *audit, Err *err)
{
    const JudgedTrack *track = &audit->tracks[audit->track];
    const json_t *entry = find_entry(audit, "sheets", "track", track->name);
    CLEANUP(buf_done) Buf count = {0};
    Str judges;
    Err own = {0};
    int rc = read_games(audit, err);

    if (rc || is_contradicted(audit))
        return rc;
    if (!entry || !json_as_str(json_get(entry, "judges"), &judges) ||
        (audit->track && count_words(judges) != audit->judge_count)) {
        audit_contradict(audit->verdict, LEDGER_FILE, entry ? line_of(entry) : 0,
                         "it does not say who judges track %.*s", STR_ARG(track->name));
        return 0;
    }
    rc = plan_sheets(audit, judges, &own);
    if (rc == ERR_MEMORY)
        return no_memory(err);
    if (rc)
        audit_contradict(audit->verdict, LEDGER_FILE, line_of(entry), "%s", own.msg);
    buf_add_uint(&count, audit->planned);
    if (!str_eq(buf_str(&count), json_text(entry, "sheets")))
        audit_contradict(audit->verdict, LEDGER_FILE, line_of(entry),
                         "track %.*s has %u sheets by its key, not as many as this entry says",
                         STR_ARG(track->name), audit->planned);
    return 0;
}

static int check_sheets(JudgingAudit *audit, Err *err)
{
    int rc = read_file(audit, SHEETS_FILE, &audit->text, err);

    audit->rest = buf_str(&audit->text);
    for (audit->track = 0; rc == 0 && audit->track < audit->track_count && !is_contradicted(audit);
         audit->track++)
        rc = check_track(audit, err);
    if (rc == 0 && audit->rest.len)
        audit_contradict(audit->verdict, SHEETS_FILE, audit->line + 1,
                         "a sheet that does not follow from the key");
    return rc;
}

/* ---- ratings ---- */

/* Takes one; what is wrong with it, or NULL. */
static const char *take_rating(JudgedSheet *sheet, const json_t *line)
{
    const int64_t seat = json_number(line, "seat"), rank = json_number(line, "rank");
    const int64_t score = json_number(line, "score");
    ScoreSheet *own = &sheet->score;

    if (!sheet->done)
        return "a rating of a sheet that was not handed in";
    if (seat != sheet->rated + 1 || seat > sheet->seat_count)
        return "its seats are not each rated once";
    if (rank < 0 || rank > sheet->seat_count || score < 0 || score > JUDGE_SCORE_MAX)
        return "a rank or score that can't be";
    for (SeatNo i = 1; i < seat && rank; i++)
        if (own->rank[i] == (uint32_t)rank)
            return "a rank is given twice";
    if (seat > 1 && (own->rank[1] != 0) != (rank != 0))
        return "ranks of some seats only";
    if (!rank && !score)
        return "neither rank nor score";
    own->rank[seat] = (uint32_t)rank;
    own->score[seat] = (uint32_t)score;
    sheet->rated++;
    return NULL;
}

static int check_ratings(JudgingAudit *audit, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t at = 0;
    unsigned number = 0;
    int rc = read_file(audit, RATINGS_FILE, &text, err);
    Str rest = buf_str(&text);

    while (rc == 0 && rest.len && !is_contradicted(audit)) {
        json_t *line = NULL;
        Err own = {0};
        number++;
        rc = json_read(str_cut(&rest, '\n'), LINE_BYTES_MAX, &line, &own);
        if (rc == ERR_MEMORY)
            return no_memory(err);
        while (line && at < audit->sheet_count &&
               audit->sheets[at].id != json_number(line, "sheet"))
            at++;
        const char *why = rc                         ? own.msg
                          : at == audit->sheet_count ? "a rating of no sheet, or not in order"
                                                     : take_rating(&audit->sheets[at], line);
        if (why)
            audit_contradict(audit->verdict, RATINGS_FILE, number, "%s", why);
        json_done(line);
        rc = 0;
    }
    for (size_t i = 0; i < audit->sheet_count && rc == 0; i++)
        if (audit->sheets[i].done && audit->sheets[i].rated != audit->sheets[i].seat_count)
            audit_contradict(audit->verdict, SHEETS_FILE, (unsigned)i + 1,
                             "it was handed in, and seats of it have no rating");
    return rc;
}

/* ---- scores ---- */

/* What scores of a track are made of. */
typedef struct TrackScores {
    ScoreGame *games;
    uint32_t *numbers; /* of each: in JudgedTrack.games */
    ScoreRater *raters;
    char (*names)[24]; /* of people */
    ScoreSheet *sheets;
    Str *teams;
    ScoreInput input;
} TrackScores;

static void track_scores_done(TrackScores *scores)
{
    mem_free(scores->games);
    mem_free(scores->numbers);
    mem_free(scores->raters);
    mem_free(scores->names);
    mem_free(scores->sheets);
    mem_free(scores->teams);
}

static int compare_names(const void *a, const void *b)
{
    return compare_bytes(*(const Str *)a, *(const Str *)b);
}

static uint32_t score_game(TrackScores *scores, const JudgedTrack *track, const JudgedSheet *sheet)
{
    uint32_t i = 0;

    while (i < scores->input.game_count && scores->numbers[i] != sheet->game)
        i++;
    if (i < scores->input.game_count)
        return i;
    const PickGame *seats = &track->games[sheet->game].seats;
    scores->numbers[i] = sheet->game;
    scores->games[i] =
        (ScoreGame){.seat_count = seats->seat_count, .calibration = sheet->calibration};
    for (SeatNo seat = 1; seat <= seats->seat_count; seat++)
        for (uint32_t team = 0; team < track->team_count; team++)
            if (str_eq(scores->teams[team], str_of(track->teams[seats->teams[seat]])))
                scores->games[i].team[seat] = team;
    scores->input.game_count++;
    return i;
}

static uint32_t score_rater(TrackScores *scores, const JudgedSheet *sheet)
{
    char name[24];
    uint32_t i = 0;

    snprintf(name, sizeof(name), "J%u", sheet->judge);
    const Str wanted = sheet->judge ? str_of(name) : sheet->model;
    while (i < scores->input.rater_count &&
           !(scores->raters[i].model == !sheet->judge && str_eq(scores->raters[i].name, wanted)))
        i++;
    if (i < scores->input.rater_count)
        return i;
    memcpy(scores->names[i], name, sizeof(name));
    scores->raters[i] =
        (ScoreRater){sheet->judge ? str_of(scores->names[i]) : sheet->model, !sheet->judge};
    scores->input.rater_count++;
    return i;
}

static int make_input(const JudgingAudit *audit, uint32_t number, TrackScores *scores, Err *err)
{
    const JudgedTrack *track = &audit->tracks[number];
    const size_t sheets = audit->sheet_count + 1;

    *scores = (TrackScores){.games = mem_new(sheets * sizeof(*scores->games)),
                            .numbers = mem_new(sheets * sizeof(*scores->numbers)),
                            .raters = mem_new(sheets * sizeof(*scores->raters)),
                            .names = mem_new(sheets * sizeof(*scores->names)),
                            .sheets = mem_new(sheets * sizeof(*scores->sheets)),
                            .teams = mem_new(((size_t)track->team_count + 1) * sizeof(Str))};
    if (!scores->games || !scores->numbers || !scores->raters || !scores->names ||
        !scores->sheets || !scores->teams)
        return no_memory(err);
    for (uint32_t i = 0; i < track->team_count; i++)
        scores->teams[i] = str_of(track->teams[i]);
    if (track->team_count)
        qsort(scores->teams, track->team_count, sizeof(Str), compare_names);
    for (size_t i = 0; i < audit->sheet_count; i++) {
        const JudgedSheet *sheet = &audit->sheets[i];
        if (sheet->track != number)
            continue;
        const uint32_t rater = score_rater(scores, sheet);
        if (!sheet->done)
            continue;
        ScoreSheet *own = &scores->sheets[scores->input.sheet_count++];
        *own = sheet->score;
        own->rater = rater;
        own->game = score_game(scores, track, sheet);
    }
    scores->input.games = scores->games;
    scores->input.raters = scores->raters;
    scores->input.sheets = scores->sheets;
    scores->input.teams = scores->teams;
    scores->input.team_count = track->team_count;
    scores->input.min_tau = audit->min_tau;
    return 0;
}

static int make_rates(const JudgedTrack *track, bool together, TrackRates *rates, Err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < track->game_count; i++) {
        const JudgedGame *game = &track->games[i];
        for (SeatNo seat = 1; seat <= game->seats.seat_count && rc == 0; seat++) {
            const Role role = game->seats.roles[seat];
            rc = track_rates_add(rates, str_of(track->teams[game->seats.teams[seat]]), role,
                                 (Tally){1, role_side(role) == game->winner}, together, err);
        }
    }
    return rc ? rc : track_rates_work_out(rates, err);
}

static int check_csv(JudgingAudit *audit, const JudgedTrack *track, const TrackRates *rates,
                     const char *suffix, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf own = {0};

    buf_printf(&name, "judging/rates-%.*s%s.csv", STR_ARG(track->name), suffix);
    track_rates_csv(rates, &own);
    if (buf_failed(&name) || buf_failed(&own))
        return no_memory(err);
    int rc = read_file(audit, buf_cstr(&name), &text, err);
    if (rc == 0 && !str_eq(buf_str(&text), buf_str(&own)))
        audit_contradict(audit->verdict, buf_cstr(&name), 0,
                         "the track's games give other win rates");
    return rc;
}

static int score_track(JudgingAudit *audit, uint32_t number, Json *json, Err *err)
{
    const JudgedTrack *track = &audit->tracks[number];
    CLEANUP(track_scores_done) TrackScores scores = {.games = NULL};
    CLEANUP(track_rates_done) TrackRates rates = {NULL, 0};
    CLEANUP(track_rates_done) TrackRates together = {NULL, 0};
    int rc = make_input(audit, number, &scores, err);

    if (rc == 0)
        rc = make_rates(track, false, &rates, err);
    if (rc == 0)
        rc = make_rates(track, true, &together, err);
    if (rc == 0)
        rc = check_csv(audit, track, &rates, "", err);
    if (rc == 0)
        rc = check_csv(audit, track, &together, "-together", err);
    json_key(json, track->name);
    return rc ? rc : judging_track_write(&scores.input, &rates, &together, json, err);
}

/* Scores, places, alpha, W, tau: the same bytes. */
static int check_scores(JudgingAudit *audit, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf own = {0};
    Json json = json_over(&own);
    int rc = read_file(audit, SCORES_FILE, &text, err);

    json_open(&json, '{');
    json_key(&json, STR("tracks"));
    json_open(&json, '{');
    for (uint32_t i = 0; i < audit->track_count && rc == 0; i++)
        rc = score_track(audit, i, &json, err);
    json_close(&json);
    json_close(&json);
    buf_add_char(&own, '\n');
    if (rc == 0 && buf_failed(&own))
        rc = no_memory(err);
    if (rc == 0 && !str_eq(buf_str(&text), buf_str(&own)))
        audit_contradict(audit->verdict, SCORES_FILE, 1, "the ratings and games give other scores");
    return rc;
}

/* ---- digests ---- */

static int check_digest(JudgingAudit *audit, const json_t *entry, const char *member,
                        const char *name, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    char hex[SHA256_HEX_BYTES];
    int rc = read_file(audit, name, &text, err);

    if (rc == 0)
        rc = sha256_hex(buf_str(&text), hex, err);
    if (rc == 0 && !str_eq(json_text(entry, member), str_of(hex)))
        audit_contradict(audit->verdict, LEDGER_FILE, line_of(entry),
                         "%s is not the file whose digest this entry has", name);
    return rc;
}

static int check_digests(JudgingAudit *audit, const json_t *entry, Err *err)
{
    int rc = check_digest(audit, entry, "sheets", SHEETS_FILE, err);

    if (rc == 0)
        rc = check_digest(audit, entry, "ratings", RATINGS_FILE, err);
    return rc ? rc : check_digest(audit, entry, "scores", SCORES_FILE, err);
}

/* ---- all of it ---- */

static int check_all(JudgingAudit *audit, const json_t *rating, Err *err)
{
    static int (*const checks[])(JudgingAudit * audit, Err * err) = {
        find_key, read_rules, check_sheets, check_ratings, check_scores};
    int rc = 0;

    for (size_t i = 0; i < sizeof(checks) / sizeof(*checks) && rc == 0 && !is_contradicted(audit);
         i++)
        rc = checks[i](audit, err);
    audit->verdict->count = audit->sheet_count;
    return rc ? rc : check_digests(audit, rating, err);
}

int audit_judging_check(const char *dir, AuditVerdict *verdict, Err *err)
{
    CLEANUP(judging_done) JudgingAudit audit = {.dir = dir, .verdict = verdict};
    CLEANUP(ledger_look_done)
    LedgerLook look = {.reader = {.hear = hear_entry, .user = &audit}};
    int rc = ledger_look(dir, &look, NULL); /* what is wrong with it is told by its own step */

    audit.arena = arena_new(CONFIG_ARENA);
    if (rc == ERR_MEMORY)
        return no_memory(err);
    const json_t *rating = rc ? NULL : find_entry(&audit, "rating", NULL, STR(""));
    if (rating)
        return check_all(&audit, rating, err);
    verdict->state = AUDIT_ABSENT;
    snprintf(verdict->text, sizeof(verdict->text), "%s", "no ratings were published");
    return 0;
}
