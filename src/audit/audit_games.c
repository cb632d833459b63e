#include "audit/audit_games.h"

#include "audit/audit_verdict.h"
#include "base/digest.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "match/draw_chance.h"
#include "record/exchange_replay.h"
#include "record/log_result.h"

#include <stdio.h>

#define LOG_BYTES_MAX ((size_t)64 * 1024 * 1024)

/* One game that is looked at. */
typedef struct GameLook {
    AuditGames *games;
    const GameRecord *record; /* of the journal */
    GameSetup setup;
    GameKey key;
    unsigned line; /* of the journal */
    AuditVerdict *verdict;
} GameLook;

/* ---- files ---- */

/* A file that can't be read is a contradiction, unless it is for lack of memory. */
static int read_file(const GameLook *look, const char *name, Buf *out, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Err own = {0};

    buf_clear(out);
    buf_printf(&path, "%s/%s", look->games->dir, name);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    int rc = log_file_read(buf_cstr(&path), LOG_BYTES_MAX, out, &own);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (rc)
        audit_contradict(look->verdict, name, own.line, "can't be read: %s", own.msg);
    return 0;
}

static int compare_digest(const GameLook *look, const char *name, Str text, const char *digest,
                          Err *err)
{
    char hex[SHA256_HEX_BYTES];
    int rc = digest[0] ? sha256_hex(text, hex, err) : 0;

    if (rc == 0 && digest[0] && strcmp(hex, digest) != 0)
        audit_contradict(look->verdict, name, 0,
                         "its SHA-256 is not that of line %u of " JOURNAL_FILE, look->line);
    return rc;
}

/* ---- playing again ---- */

static unsigned first_difference(Str a, Str b)
{
    unsigned line = 1;

    for (size_t i = 0; i < a.len && i < b.len && a.bytes[i] == b.bytes[i]; i++)
        line += a.bytes[i] == '\n';
    return line;
}

/* Bots alone: their answers follow from the key. */
static int play_bots(const GameLook *look, Err *err)
{
    AuditGames *games = look->games;
    const StageRun *stage = games->stage;
    GameRecorder *recorder = &games->recorder;
    const Recorder listener = game_recorder_listener(recorder);
    uint32_t agents[SEAT_MAX + 1] = {0};
    Err own = {0};

    if (!stage->agents) {
        audit_contradict(look->verdict, JOURNAL_FILE, look->line,
                         "bots alone, at a table that waits for agents");
        return 0;
    }
    draw_seats(&stage->draw, look->record->set - stage->set_base, agents);
    for (SeatNo seat = 1; seat <= stage->draw.stage->players; seat++) {
        const PlanAgent *agent = &stage->agents[agents[seat]];
        const BotKind *bot = agent->version ? bot_kind(STR("sample")) : agent->bot;
        if (!bot) {
            audit_contradict(look->verdict, JOURNAL_FILE, look->line,
                             "seat %u is agent %s, which is no bot, but its line says that a bot "
                             "played",
                             seat, agent->name);
            return 0;
        }
        recorder->record.result.names[seat] = str_of(agent->name);
        referee_seat(games->referee, seat, bot);
    }
    game_recorder_begin(recorder, (SeatNo)stage->draw.stage->players, true);
    if (referee_play(games->referee, &look->setup, &look->key, &listener, &own))
        audit_contradict(look->verdict, JOURNAL_FILE, look->line, "%s", own.msg);
    if (buf_failed(&recorder->log))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    const Str log = buf_str(&games->log), again = buf_str(&recorder->log);
    if (!str_eq(log, again))
        audit_contradict(look->verdict, look->record->log, first_difference(log, again),
                         "the game that the key gives goes on otherwise here");
    return 0;
}

/* Its header says of which game it is. */
static void compare_header(const GameLook *look, const char *name, const ExchangeHeader *header)
{
    const GameRecord *record = look->record;

    if (header->stage != record->stage || header->set != record->set ||
        header->game != record->game || header->deal != record->deal ||
        header->seat_count != record->result.seat_count)
        audit_contradict(look->verdict, name, 1, "is the record of another game");
    for (SeatNo seat = 1; seat <= header->seat_count; seat++) {
        if (!str_eq(header->names[seat], record->result.names[seat]))
            audit_contradict(look->verdict, name, 1, "seat %u is %.*s, in the journal %.*s", seat,
                             STR_ARG(header->names[seat]), STR_ARG(record->result.names[seat]));
        if (header->fixed[seat] != look->setup.fixed[seat])
            audit_contradict(look->verdict, name, 1, "seat %u has another role than the draw gives",
                             seat);
        if (((header->bots & seat_bit(seat)) == 0) != record->seats[seat].outside)
            audit_contradict(look->verdict, name, 1,
                             "whether a bot has seat %u is told otherwise in the journal", seat);
    }
}

static bool has_faults(const SeatRecord *seat)
{
    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        if (seat->faults[kind] && kind != FAULT_VIOLATION)
            return true;
    return false;
}

/* Faults that ended an ask are counted in the journal; who is out in the middle of a game has one.
 */
static int compare_lapses(const GameLook *look, const char *name, ExchangeReader *reader, Err *err)
{
    uint32_t faults[SEAT_MAX + 1][FAULT_COUNT] = {{0}};
    SeatSet answered = 0;
    ExchangeEntry entry;
    int more;

    while ((more = exchange_next(reader, &entry, err)) > 0) {
        const SeatRecord *seat = &look->record->seats[entry.seat];
        if (entry.fault < FAULT_COUNT &&
            ++faults[entry.seat][entry.fault] > seat->faults[entry.fault])
            audit_contradict(look->verdict, name, reader->line,
                             "a %s that the journal does not count", fault_kind_name(entry.fault));
        if (entry.lapse == EXCHANGE_OUT && !seat->failed)
            audit_contradict(look->verdict, name, reader->line,
                             "a substitute for seat %u, of which the journal does not say that it "
                             "failed",
                             entry.seat);
        if (entry.lapse == EXCHANGE_OUT && answered & seat_bit(entry.seat) && !has_faults(seat))
            audit_contradict(look->verdict, name, reader->line,
                             "seat %u answered before in this game, and no fault of it is counted",
                             entry.seat);
        answered |= entry.lapse == EXCHANGE_ANSWERED ? seat_bit(entry.seat) : 0;
    }
    if (more == 0 && reader->reason != look->record->reason)
        audit_contradict(look->verdict, name, reader->line, "it ends otherwise in the journal");
    return more;
}

static int check_record(const GameLook *look, const char *name, Err *err)
{
    CLEANUP(exchange_close) ExchangeReader reader = {0};
    Err own = {0};
    int rc = exchange_open(buf_str(&look->games->exchange), &reader, &own);

    if (rc == 0) {
        compare_header(look, name, &reader.header);
        rc = compare_lapses(look, name, &reader, &own);
    }
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (rc)
        audit_contradict(look->verdict, name, own.line, "%s", own.msg);
    return 0;
}

static int replay_record(const GameLook *look, Err *err)
{
    AuditGames *games = look->games;
    char name[GAME_LOG_MAX + 1];
    ExchangeFinding found = {0};

    if (!games->stage->agents && !look->record->exchange_sha256[0]) {
        games->unrecorded++;
        return 0;
    }
    if (!exchange_path(look->record->log, name) || !look->record->exchange_sha256[0]) {
        audit_contradict(
            look->verdict, JOURNAL_FILE, look->line,
            "agents played, and there is no exchange record: nothing says that the log "
            "is what was played");
        return 0;
    }
    int rc = read_file(look, name, &games->exchange, err);
    if (rc || look->verdict->state == AUDIT_CONTRADICTED)
        return rc;
    rc = compare_digest(look, name, buf_str(&games->exchange), look->record->exchange_sha256, err);
    if (rc == 0)
        rc = check_record(look, name, err);
    if (rc == 0)
        rc = exchange_check(buf_str(&games->exchange), buf_str(&games->log),
                            &games->stage->plan->rules, &look->key, &found, err);
    if (rc == 0 && !found.ok)
        audit_contradict(look->verdict, found.file == EXCHANGE_FILE_LOG ? look->record->log : name,
                         found.line, "%s", found.reason);
    return rc;
}

/* At a table of a server the first of who is drawn are those of the plan; who the others are is
 * nothing that follows. */
static const PlanAgent *drawn_agent(const StageRun *stage, uint32_t agent)
{
    if (stage->agents)
        return &stage->agents[agent];
    return agent < stage->plan->agent_count ? &stage->plan->agents[agent] : NULL;
}

/* Who sits there is drawn. */
static void compare_seats(const GameLook *look)
{
    const StageRun *stage = look->games->stage;
    const GameResult *result = &look->record->result;
    const SeatNo players = (SeatNo)stage->draw.stage->players;
    uint32_t agents[SEAT_MAX + 1] = {0};

    if (result->seat_count != players) {
        audit_contradict(look->verdict, JOURNAL_FILE, look->line, "%u seats, but the plan has %u",
                         result->seat_count, players);
        return;
    }
    draw_seats(&stage->draw, look->record->set - stage->set_base, agents);
    for (SeatNo seat = 1; seat <= players; seat++) {
        const PlanAgent *drawn = drawn_agent(stage, agents[seat]);
        if (drawn && !str_eq(result->names[seat], str_of(drawn->name)))
            audit_contradict(look->verdict, JOURNAL_FILE, look->line, "seat %u: the key draws %s",
                             seat, drawn->name);
        if (!stage->agents && look->record->seats[seat].outside == (drawn && drawn->bot))
            audit_contradict(look->verdict, JOURNAL_FILE, look->line, "seat %u: the key draws %s",
                             seat, drawn && drawn->bot ? "a bot" : "an agent that came");
    }
}

/* ---- the result ---- */

static const char *result_difference(const GameResult *a, const GameResult *b)
{
    if (a->seat_count != b->seat_count || a->winner != b->winner)
        return "winner";
    if (a->last_day != b->last_day)
        return "days";
    if (a->revote_days != b->revote_days || a->execution_days != b->execution_days ||
        a->attacks != b->attacks || a->attack_kills != b->attack_kills)
        return "figures of its days";
    for (SeatNo seat = 1; seat <= a->seat_count; seat++) {
        if (a->roles[seat] != b->roles[seat])
            return "roles";
        if (!str_eq(a->names[seat], b->names[seat]))
            return "agents";
        if (a->has_play && memcmp(&a->play[seat], &b->play[seat], sizeof(a->play[seat])) != 0)
            return "measures of play";
    }
    return NULL;
}

/* The log is what the key and the answers give; so is what follows from it. */
static int compare_result(const GameLook *look, Err *err)
{
    CLEANUP(log_game_done) LogGame log = {0};
    GameResult result = {0};
    Err own = {0};
    int rc = log_game_read_of(LOG_FORM_PROTOCOL, buf_str(&look->games->log), &log, &own);

    if (rc == 0)
        rc = log_result(&log, &result, &own);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (rc && look->record->reason == END_ABORTED) /* it has no last line */
        return 0;
    if (rc) {
        audit_contradict(look->verdict, look->record->log, own.line, "%s", own.msg);
        return 0;
    }
    const char *what = result_difference(&look->record->result, &result);
    if (what)
        audit_contradict(look->verdict, JOURNAL_FILE, look->line,
                         "the %s of game %llu are not those of %s", what,
                         (unsigned long long)look->record->game, look->record->log);
    return 0;
}

/* ---- public ---- */

int audit_games_begin(AuditGames *games, const StageRun *stage, Err *err)
{
    const BotKind *kinds[SEAT_MAX + 1] = {0};

    games->stage = stage;
    games->referee = referee_free(games->referee);
    for (int32_t seat = 1; seat <= stage->draw.stage->players; seat++)
        kinds[seat] = bot_kind_at(0);
    return referee_new(&stage->plan->rules, stage->draw.stage->players, kinds, &games->referee,
                       err);
}

void audit_games_done(AuditGames *games)
{
    games->referee = referee_free(games->referee);
    game_recorder_done(&games->recorder);
    buf_done(&games->log);
    buf_done(&games->exchange);
}

int audit_games_check(AuditGames *games, uint64_t game, const GameRecord *record, unsigned line,
                      AuditVerdict *verdict, Err *err)
{
    GameLook look = {.games = games,
                     .record = record,
                     .key = draw_game_key(&games->stage->draw, game),
                     .line = line,
                     .verdict = verdict};
    GameRecord *fresh = &games->recorder.record;

    stage_run_begin_game(games->stage, game, &look.setup, fresh);
    if (record->set != fresh->set)
        audit_contradict(verdict, JOURNAL_FILE, line, "game %llu belongs to set %llu, not to %llu",
                         (unsigned long long)record->game, (unsigned long long)fresh->set,
                         (unsigned long long)record->set);
    if (record->deal != fresh->deal)
        audit_contradict(verdict, JOURNAL_FILE, line,
                         "game %llu is not of the deal that its line says",
                         (unsigned long long)record->game);
    compare_seats(&look);
    if (!record->log[0])
        audit_contradict(verdict, JOURNAL_FILE, line, "game %llu has no log",
                         (unsigned long long)record->game);
    if (verdict->state == AUDIT_CONTRADICTED)
        return 0;
    int rc = read_file(&look, record->log, &games->log, err);
    if (rc || verdict->state == AUDIT_CONTRADICTED)
        return rc;
    rc = compare_digest(&look, record->log, buf_str(&games->log), record->log_sha256, err);
    if (rc == 0 && verdict->state != AUDIT_CONTRADICTED)
        rc = game_record_has_outside(record) ? replay_record(&look, err) : play_bots(&look, err);
    if (rc == 0 && verdict->state != AUDIT_CONTRADICTED)
        rc = compare_result(&look, err);
    return rc;
}
