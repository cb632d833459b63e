#include "site/play_follow.h"

#include "base/date_text.h"
#include "base/digest.h"
#include "base/mem.h"
#include "contest/conducts.h"
#include "contest/journal_publish.h"
#include "disk/disk_call.h"
#include "journal/finding_firsts.h"
#include "site/finding.h"
#include "site/import_place.h"
#include "site/kept_lines.h"
#include "site/site_ledger.h"
#include "store/db_row.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <unistd.h>

/* Lines that are followed in one transaction. */
typedef struct Follow {
    Db *db;
    const ContestHome *home;
    const Plan *plan;
    const char *dir;
    int64_t now_ms;
    uint32_t left; /* an act also takes a line for each game that it makes void */
    bool stopped;  /* at `left`, or before an act that games are not taken over up to */
    int64_t bytes, lines;
    uint64_t imported; /* bytes of the journal whose games have rows */
    Conducts conducts;
    JournalVoids voids; /* by acts before */
    bool has_conducts;  /* they, and voids, were read from the store */
    json_t *noticed;    /* "STAGE RULE AGENT": evidence of this transaction */
    GameRecord *scratch;
    GameRecord *old; /* of a game that becomes void */
    Buf line;        /* as it is published */
    char digest[SHA256_HEX_BYTES];
    FindingFirsts firsts;
    bool has_firsts;
    Conducts voided; /* what games that became void had counted */
} Follow;

static void follow_done(Follow *follow)
{
    conducts_done(&follow->conducts);
    conducts_done(&follow->voided);
    journal_voids_done(&follow->voids);
    finding_firsts_done(&follow->firsts);
    json_decref(follow->noticed);
    follow->noticed = NULL;
    mem_free(follow->scratch);
    mem_free(follow->old);
    buf_done(&follow->line);
}

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "journal: out of memory");
}

static Str stage_name(const Follow *follow, uint32_t number)
{
    const uint32_t stage = stage_of_number(number);

    return stage < follow->plan->stage_count ? str_of(follow->plan->stages[stage].name) : STR("");
}

/* ---- what is counted, in the store ---- */

/* "late=3 crash=1": by names, so that a new rule changes nothing. */
static void write_counts(const AgentConduct *conduct, Buf *out)
{
    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++)
        if (conduct->counts[rule])
            buf_printf(out, "%s%s=%" PRIu64, out->len ? " " : "", conduct_rule_name(rule),
                       conduct->counts[rule]);
}

static void read_counts(Str text, AgentConduct *conduct)
{
    while (text.len) {
        Str value = str_cut(&text, ' ');
        const Str name = str_cut(&value, '=');
        const ConductRule rule = conduct_rule_of(name);
        if (rule < CONDUCT_RULES)
            str_to_uint(value, UINT32_MAX, &conduct->counts[rule]);
    }
}

static int load_counts(Follow *follow, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(follow->db, &query, err,
                           "SELECT stage, agent, games, counts FROM conduct WHERE contest = ?1",
                           "i", follow->home->id);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        AgentConduct *conduct =
            conducts_of(&follow->conducts, (uint32_t)db_int(query, 0), db_text(query, 1));
        if (!conduct)
            return no_memory(err);
        conduct->games = (uint64_t)db_int(query, 2);
        read_counts(db_text(query, 3), conduct);
        rc = 0;
    }
    return rc;
}

/* Dismissed strikes are none. */
static int load_rulings(Follow *follow, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(
        follow->db, &query, err,
        "SELECT ruling.stage, team.name, ruling.rule, ruling.decision FROM ruling"
        " JOIN team ON team.id = ruling.team WHERE ruling.contest = ?1"
        " AND ruling.finding IS NOT NULL AND ruling.failed IS NULL ORDER BY ruling.id",
        "i", follow->home->id);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        const JournalRuling ruling = {.stage = (uint32_t)db_int(query, 0),
                                      .agent = db_text(query, 1),
                                      .rule = db_text(query, 2),
                                      .decision = ruling_of(db_text(query, 3))};
        rc = conducts_add_ruling(&follow->conducts, &ruling, err);
    }
    return rc;
}

static int load_conducts(Follow *follow, Err *err)
{
    if (follow->has_conducts)
        return 0;
    follow->has_conducts = true;
    int rc = load_counts(follow, err);
    if (rc == 0)
        rc = load_rulings(follow, err);
    return rc ? rc
              : kept_lines_voids(follow->db, follow->home->id, STR(STAGE_FOLDER),
                                 (uint64_t)follow->bytes, &follow->voids, err);
}

static int save_conducts(const Follow *follow, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < follow->conducts.count && rc == 0; i++) {
        CLEANUP(buf_done) Buf counts = {0};
        const AgentConduct *conduct = &follow->conducts.items[i];
        write_counts(conduct, &counts);
        rc = buf_failed(&counts)
                 ? no_memory(err)
                 : db_run(follow->db, err,
                          "INSERT INTO conduct(contest, stage, agent, games, counts)"
                          " VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(contest, stage, agent)"
                          " DO UPDATE SET games = ?4, counts = ?5",
                          "iitit", follow->home->id, (int64_t)conduct->stage,
                          str_of(conduct->agent), (int64_t)conduct->games, buf_str(&counts));
    }
    return rc;
}

/* ---- games ---- */

static void key_of_notice(uint32_t stage, ConductRule rule, const char *agent, Buf *out)
{
    buf_printf(out, "%" PRIu32 " %d %s", stage, (int)rule, agent);
}

/* The line of the game, in which the agent's faults stand. */
static int notice_game(Follow *follow, const AgentConduct *conduct, ConductRule rule,
                       const GameRecord *record, Err *err)
{
    CLEANUP(buf_done) Buf key = {0};
    char at[DATE_TEXT_ROOM];
    const Str date = date_text_write(record->ended_at_ms, at);

    key_of_notice(conduct->stage, rule, conduct->agent, &key);
    if (buf_failed(&key))
        return no_memory(err);
    if (!follow->noticed)
        follow->noticed = json_object();
    json_t *list = json_object_get(follow->noticed, buf_cstr(&key));
    if (!list) {
        list = json_array();
        json_object_set_new(follow->noticed, buf_cstr(&key), list);
    }
    if (json_array_size(list) >= FINDING_EVIDENCE_MAX)
        return 0;
    json_array_append_new(list,
                          json_pack("{s:s, s:I, s:s, s:s%, s:I, s:I, s:s}", "file", JOURNAL_FILE,
                                    "line", (json_int_t)follow->lines + 1, "sha256", follow->digest,
                                    "at", date.bytes, date.len, "set", (json_int_t)record->set,
                                    "game", (json_int_t)record->game, "log", record->log));
    return 0;
}

static int count_game(Follow *follow, const GameRecord *record, Err *err)
{
    CLEANUP(conducts_done) Conducts one = {0};
    int rc = conducts_add_game(&one, record, err);

    for (size_t i = 0; i < one.count && rc == 0; i++)
        for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES && rc == 0; rule++)
            if (one.items[i].counts[rule])
                rc = notice_game(follow, &one.items[i], rule, record, err);
    return rc ? rc : conducts_add_game(&follow->conducts, record, err);
}

static uint32_t faults_of(const GameRecord *record)
{
    uint32_t faults = 0;

    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
            faults += record->seats[seat].faults[kind];
    return faults;
}

/* What an entry of a game has. */
typedef struct GameEntry {
    const Follow *follow;
    const GameRecord *record;
} GameEntry;

static void put_text(Canonical *entry, const char *key, Str text)
{
    canonical_key(entry, str_of(key));
    canonical_put_text(entry, text);
}

static void put_number(Canonical *entry, const char *key, uint64_t number)
{
    canonical_key(entry, str_of(key));
    canonical_put_number(entry, (int64_t)number);
}

static void write_game(void *user, Canonical *entry)
{
    const GameEntry *of = user;
    const GameRecord *record = of->record;

    put_text(entry, "line", str_of(of->follow->digest));
    put_text(entry, "stage", stage_name(of->follow, record->stage));
    if (round_of_number(record->stage))
        put_number(entry, "round", round_of_number(record->stage));
    put_number(entry, "set", record->set);
    put_number(entry, "game", record->game);
    put_text(entry, "winner", str_of(side_name(record->result.winner)));
    put_number(entry, "faults", faults_of(record));
    if (record->log_sha256[0])
        put_text(entry, "log", str_of(record->log_sha256));
    if (record->exchange_sha256[0])
        put_text(entry, "exchange", str_of(record->exchange_sha256));
    canonical_key(entry, STR("teams"));
    canonical_open(entry, '[');
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        canonical_put_text(entry, record->result.names[seat]);
    canonical_close(entry);
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Follow *follow = user;
    GameEntry entry = {follow, record};
    int rc = load_conducts(follow, err);

    journal_voids_mark(&follow->voids, follow->scratch); /* it is the record */
    if (rc == 0)
        rc = count_game(follow, record, err);
    return rc ? rc
              : site_ledger_add(follow->db, follow->home->id, follow->now_ms, "game", write_game,
                                &entry, err);
}

/* ---- findings ---- */

/* In the words of what saw it, in place of the game's line. */
static int find_words(Follow *follow, const AgentConduct *conduct, ConductRule rule, json_t **list,
                      Buf *text, Err *err)
{
    const FindingRule of = conduct_finding_rule(rule);
    int rc = 0;

    if (of == FINDING_RULES)
        return 0;
    if (!follow->has_firsts)
        rc = finding_firsts_read(follow->dir, &follow->firsts, err);
    follow->has_firsts = true;
    const FindingFirst *first =
        rc ? NULL : finding_firsts_of(&follow->firsts, conduct->stage, str_of(conduct->agent), of);
    if (!first)
        return rc;
    buf_add(text, str_of(first->text));
    json_t *words = json_array();
    for (; first; first = finding_firsts_next(&follow->firsts, first)) {
        char at[DATE_TEXT_ROOM], digest[SHA256_HEX_BYTES];
        const Str date = date_text_write(first->at_ms, at);
        rc = sha256_hex(str_of(first->text), digest, err);
        if (rc)
            break;
        json_t *item = json_pack("{s:s, s:I, s:s, s:s%, s:I, s:s}", "file", FINDINGS_FILE, "line",
                                 (json_int_t)first->line, "sha256", digest, "at", date.bytes,
                                 date.len, "set", (json_int_t)first->set, "text", first->text);
        if (first->in_game) {
            json_object_set_new(item, "game", json_integer((json_int_t)first->game));
            json_object_set_new(item, "day", json_integer(first->day));
        }
        json_array_append_new(words, item);
    }
    *list = words;
    return rc;
}

static int note_finding(Follow *follow, const AgentConduct *conduct, ConductRule rule,
                        const json_t *evidence, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    json_t *words = NULL;
    int rc = find_words(follow, conduct, rule, &words, &text, err);
    const FindingCount count = {.contest = follow->home->id,
                                .team = str_of(conduct->agent),
                                .stage = conduct->stage,
                                .stage_name = stage_name(follow, conduct->stage),
                                .rule = str_of(conduct_rule_name(rule)),
                                .action = conduct_action(conduct, &follow->plan->conduct, rule),
                                .count = conduct->counts[rule],
                                .games = conduct->games,
                                .text = buf_str(&text),
                                .evidence = words ? words : evidence};

    if (rc == 0)
        rc = finding_count(follow->db, &count, follow->now_ms, err);
    json_decref(words);
    return rc;
}

static bool was_noticed(const Follow *follow, const AgentConduct *conduct, ConductRule rule,
                        const json_t **ret_evidence)
{
    CLEANUP(buf_done) Buf key = {0};

    key_of_notice(conduct->stage, rule, conduct->agent, &key);
    *ret_evidence = buf_failed(&key) ? NULL : json_object_get(follow->noticed, buf_cstr(&key));
    return *ret_evidence != NULL;
}

/* All rules of whoever was noticed: strikes together lead further than each. */
static int note_agent(Follow *follow, const AgentConduct *conduct, Err *err)
{
    const json_t *evidence = NULL;
    bool any = false;
    int rc = 0;

    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES; rule++)
        any |= was_noticed(follow, conduct, rule, &evidence);
    for (ConductRule rule = CONDUCT_LATE; any && rule < CONDUCT_RULES && rc == 0; rule++)
        if (conduct->counts[rule]) {
            was_noticed(follow, conduct, rule, &evidence);
            rc = note_finding(follow, conduct, rule, evidence, err);
        }
    return rc;
}

static int note_findings(Follow *follow, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < follow->conducts.count && follow->noticed && rc == 0; i++)
        rc = note_agent(follow, &follow->conducts.items[i], err);
    json_decref(follow->noticed);
    follow->noticed = NULL;
    return rc;
}

/* What it is about is a finding first, however many lines are followed at once. Where rules carry
 * themselves out, the journal rules and nobody else. */
static int on_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    Follow *follow = user;
    int rc = load_conducts(follow, err);

    if (rc == 0)
        rc = note_findings(follow, err);
    if (rc == 0)
        rc = conducts_add_ruling(&follow->conducts, ruling, err);
    if (rc == 0)
        rc = finding_ruled(follow->db, follow->home->id, ruling, follow->now_ms, err);
    return rc ? rc
              : site_ledger_add_texts(follow->db, follow->home->id, follow->now_ms, "ruling", err,
                                      "line", str_of(follow->digest), NULL);
}

/* ---- games that become void ---- */

/* One that did not count before has nothing to take out. */
static int take_out_game(void *user, const GameRecord *record, Err *err)
{
    Follow *follow = user;

    journal_voids_mark(&follow->voids, follow->old); /* it is the record */
    int rc = conducts_add_game(&follow->voided, record, err);
    return rc ? rc : conducts_take_out_game(&follow->conducts, record, err);
}

/* Each from its line of the journal: whoever reads all of that keeps the server waiting. */
static int take_out_games(Follow *follow, const OperatorAct *act, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    const JournalListener listener = {.game = take_out_game, .user = follow};
    int rc =
        db_query_with(follow->db, &query, err,
                      act->target == ACT_OF_SET
                          ? "SELECT game.place FROM game JOIN run ON run.id = game.run"
                            " WHERE run.contest = ?1 AND run.folder = ?2 AND run.stage = ?3"
                            " AND run.round = ?4 AND game.set_number = ?5 AND game.place < ?6"
                          : "SELECT game.place FROM game JOIN run ON run.id = game.run"
                            " WHERE run.contest = ?1 AND run.folder = ?2 AND run.stage = ?3"
                            " AND run.round = ?4 AND game.game = ?5 AND game.place < ?6",
                      "ittiii", follow->home->id, STR(STAGE_FOLDER), stage_name(follow, act->stage),
                      (int64_t)round_of_number(act->stage), (int64_t)act->number, follow->bytes);

    if (rc == 0 && !follow->old)
        follow->old = mem_new(sizeof(*follow->old));
    if (rc == 0 && !follow->old)
        rc = no_memory(err);
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        follow->left -= follow->left > 0;
        rc = kept_lines_hear_game(follow->home, STR(STAGE_FOLDER), (uint64_t)db_int(query, 0),
                                  &listener, follow->old, err);
    }
    return rc;
}

static int on_act(void *user, const OperatorAct *act, Err *err)
{
    Follow *follow = user;
    int rc = load_conducts(follow, err);

    if (rc == 0 && journal_voids_by(act))
        rc = take_out_games(follow, act, err);
    if (rc == 0)
        rc = journal_voids_add(&follow->voids, act, err);
    journal_voids_sort(&follow->voids);
    return rc ? rc
              : site_ledger_add_texts(follow->db, follow->home->id, follow->now_ms, "act", err,
                                      "line", str_of(follow->digest), NULL);
}

/* Findings of whoever played in them. */
static int recount_findings(const Follow *follow, const AgentConduct *conduct, Err *err)
{
    int rc = 0;

    for (ConductRule rule = CONDUCT_LATE; rule < CONDUCT_RULES && rc == 0; rule++) {
        const FindingCount count = {.contest = follow->home->id,
                                    .team = str_of(conduct->agent),
                                    .stage = conduct->stage,
                                    .rule = str_of(conduct_rule_name(rule)),
                                    .action = conduct_action(conduct, &follow->plan->conduct, rule),
                                    .count = conduct->counts[rule],
                                    .games = conduct->games};
        rc = finding_recount(follow->db, &count, err);
    }
    return rc;
}

static int recount_voided(Follow *follow, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < follow->voided.count && rc == 0; i++) {
        const AgentConduct *out = &follow->voided.items[i];
        const AgentConduct *conduct =
            conducts_of(&follow->conducts, out->stage, str_of(out->agent));
        rc = conduct ? recount_findings(follow, conduct, err) : no_memory(err);
    }
    return rc;
}

/* ---- lines ---- */

static Str kind_of(Str line)
{
    static const Str head = {"{\"record\":\"", 11};
    Str rest = str_part(line, head.len, line.len);

    return str_cut(&rest, '"');
}

static int add_entry(Follow *follow, Str public, unsigned number, Err *err)
{
    static const JournalListener heard = {.game = on_game, .ruling = on_ruling, .act = on_act};
    CLEANUP(buf_done) Buf type = {0};
    JournalListener listener = heard;
    const Str kind = kind_of(public);

    listener.user = follow;
    if (str_eq(kind, STR("game")) || str_eq(kind, STR("ruling")) || str_eq(kind, STR("act")))
        return journal_line_hear(public, number, &listener, follow->scratch, err);
    buf_add(&type, kind);
    return buf_failed(&type)
               ? no_memory(err)
               : site_ledger_add_texts(follow->db, follow->home->id, follow->now_ms,
                                       buf_cstr(&type), err, "line", str_of(follow->digest), NULL);
}

/* What an act makes void is found by rows of games. */
static bool is_too_early(const Follow *follow, Str line)
{
    return str_eq(kind_of(line), STR("act")) && follow->imported <= (uint64_t)follow->bytes;
}

static int follow_line(void *user, Str line, unsigned number, Err *err)
{
    Follow *follow = user;

    (void)number; /* from where this transaction began */
    follow->stopped = follow->left == 0 || is_too_early(follow, line);
    if (follow->stopped)
        return ERR_INTERRUPTED;
    follow->left--;
    const unsigned place = (unsigned)follow->lines + 1;
    buf_clear(&follow->line);
    int rc = journal_publish_line(line, place, follow->scratch, &follow->line, err);
    const Str public =
        str_part(buf_str(&follow->line), 0, follow->line.len ? follow->line.len - 1 : 0);
    if (rc == 0 && public.len)
        rc = sha256_hex(public, follow->digest, err);
    if (rc == 0 && public.len)
        rc = add_entry(follow, public, place, err);
    follow->bytes += (int64_t)line.len + 1;
    follow->lines++;
    return rc;
}

/* ---- the whole ---- */

static int read_place(Follow *follow, Err *err)
{
    const ImportFolder folder = {.home = *follow->home, .folder = STAGE_FOLDER};
    JournalPlace imported;
    int rc = import_place(follow->db, &folder, &imported, err);

    follow->imported = imported.bytes;
    if (rc == 0)
        rc = db_ask(follow->db, 0, &follow->bytes, err,
                    "SELECT bytes FROM follow WHERE contest = ?1", "i", follow->home->id);
    return rc ? rc
              : db_ask(follow->db, 0, &follow->lines, err,
                       "SELECT lines FROM follow WHERE contest = ?1", "i", follow->home->id);
}

static int keep_place(const Follow *follow, Err *err)
{
    return db_run(follow->db, err,
                  "INSERT INTO follow(contest, bytes, lines) VALUES(?1, ?2, ?3)"
                  " ON CONFLICT(contest) DO UPDATE SET bytes = ?2, lines = ?3",
                  "iii", follow->home->id, follow->bytes, follow->lines);
}

/* What is told must be on disk, whoever has written it. */
static int read_lines(Follow *follow, int fd, Err *err)
{
    Err own = {0};

    if (disk_sync(fd))
        return err_set(err, ERR_IO, "write '%s/" JOURNAL_FILE "' to disk: %s", follow->dir,
                       strerror(errno));
    if (lseek(fd, (off_t)follow->bytes, SEEK_SET) < 0)
        return err_set(err, ERR_IO, "read '%s/" JOURNAL_FILE "': %s", follow->dir, strerror(errno));
    int rc = journal_lines_of(fd, follow_line, follow, NULL, &own);
    if (rc == ERR_INTERRUPTED && follow->stopped)
        return 0;
    return rc ? err_set_at(err, (ErrCode)rc, own.line, 0, "'%s/" JOURNAL_FILE "': %s", follow->dir,
                           own.msg)
              : 0;
}

static int follow_some(Db *db, void *user, Err *err)
{
    Follow *follow = user;
    CLEANUP(buf_done) Buf path = {0};
    int rc = read_place(follow, err);
    const int64_t before = follow->bytes;

    (void)db;
    buf_printf(&path, "%s/" JOURNAL_FILE, follow->dir);
    if (rc == 0 && buf_failed(&path))
        rc = no_memory(err);
    int fd = rc ? -1 : disk_open(buf_cstr(&path), O_RDONLY, 0);
    if (rc == 0 && fd < 0)
        return errno == ENOENT ? 0 : disk_error(err, "open", buf_cstr(&path));
    if (rc == 0)
        rc = read_lines(follow, fd, err);
    if (fd >= 0)
        close(fd);
    if (rc || follow->bytes == before)
        return rc;
    if (follow->has_conducts)
        rc = save_conducts(follow, err);
    if (rc == 0)
        rc = recount_voided(follow, err);
    if (rc == 0)
        rc = note_findings(follow, err);
    return rc ? rc : keep_place(follow, err);
}

int play_follow(Db *db, const ContestHome *home, const Plan *plan, uint32_t limit, int64_t now_ms,
                bool *ret_more, Err *err)
{
    CLEANUP(buf_done) Buf dir = {0};
    CLEANUP(follow_done)
    Follow follow = {.db = db, .home = home, .plan = plan, .now_ms = now_ms, .left = limit};
    int rc = contest_home_path(home, STAGE_FOLDER, &dir, err);

    *ret_more = false;
    follow.dir = buf_cstr(&dir);
    follow.scratch = mem_new(sizeof(*follow.scratch));
    if (rc == 0 && !follow.scratch)
        rc = no_memory(err);
    if (rc == 0)
        rc = db_transaction(db, follow_some, &follow, err);
    *ret_more = rc == 0 && follow.stopped;
    return rc;
}
