#include "audit/audit_site.h"

#include "audit/audit_closed.h"
#include "audit/audit_entry.h"
#include "audit/audit_site_chance.h"
#include "audit/audit_site_file.h"
#include "audit/audit_strikes.h"
#include "audit/audit_tracks.h"
#include "audit/audit_verdict.h"
#include "audit/manifest.h"
#include "base/date_text.h"
#include "base/digest.h"
#include "base/mem.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "match/rounds.h"
#include "proof/ledger.h"

#include <inttypes.h>
#include <jansson.h>
#include <unistd.h>

#define MANIFEST_BYTES_MAX ((size_t)64 * 1024 * 1024)

#define TEAM_ROOM 256 /* more than any name has */

/* What an entry of a game says besides its line, as one digest. */
typedef struct GameSaid {
    uint64_t n;
    unsigned char digest[SHA256_BYTES];
} GameSaid;

/* A set that is void without anybody's ruling. */
typedef struct LateSet {
    uint32_t stage;
    uint64_t set;
} LateSet;

/* A ledger that is looked at. */
typedef struct SiteAudit {
    const char *dir;
    const Plan *plan;
    bool over;
    AuditVerdict *verdict;
    json_t *entries; /* those about no line: objects, in order */
    GameSaid *games; /* of entries that are about a game's line */
    size_t game_count, game_room, game_at;
    AuditStrikes strikes;
    LateSet *late; /* void because their round came too late */
    size_t late_count;
    JournalStop stops[STAGES_MAX]; /* where stages of rounds stopped */
    bool stopped[STAGES_MAX];
    int64_t first_game[STAGES_MAX]; /* the entry of each stage's first; 0: none */
    Buf seated[STAGES_MAX];      /* who sits in its sets, each with a line end before and behind */
    uint32_t agents[STAGES_MAX]; /* ... and how many these are */
} SiteAudit;

static void site_audit_done(SiteAudit *audit)
{
    json_decref(audit->entries);
    mem_free(audit->games);
    mem_free(audit->late);
    for (size_t i = 0; i < STAGES_MAX; i++)
        buf_done(&audit->seated[i]);
    audit_strikes_done(&audit->strikes);
}

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "audit: out of memory");
}

/* ---- reading ---- */

static void add_part(Buf *text, Str part)
{
    buf_add(text, part);
    buf_add_char(text, '\n');
}

static void add_number(Buf *text, uint64_t number)
{
    buf_add_uint(text, number);
    buf_add_char(text, '\n');
}

static int keep_game(SiteAudit *audit, uint64_t n, const Buf *text, Err *err)
{
    const Str said = buf_str(text);

    if (buf_failed(text))
        return no_memory(err);
    if (audit->game_count == audit->game_room) {
        const size_t room = audit->game_room ? audit->game_room * 2 : 1024;
        GameSaid *games = mem_resize(audit->games, room, sizeof(*games));
        if (!games)
            return no_memory(err);
        audit->games = games;
        audit->game_room = room;
    }
    GameSaid *game = &audit->games[audit->game_count++];
    game->n = n;
    sha256_texts(&said, 1, game->digest);
    return 0;
}

static void note_first_game(SiteAudit *audit, const json_t *entry)
{
    for (uint32_t stage = 0; stage < audit->plan->stage_count; stage++)
        if (audit_entry_says(entry, "stage", str_of(audit->plan->stages[stage].name)) &&
            !audit->first_game[stage])
            audit->first_game[stage] = audit_entry_number(entry);
}

/* The same text is made of the journal's line. */
static int hear_game_entry(SiteAudit *audit, const json_t *entry, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    const json_t *teams = json_object_get(entry, "teams");

    note_first_game(audit, entry);
    add_part(&text, str_of(audit_entry_text(entry, "stage")));
    add_number(&text, (uint64_t)json_integer_value(json_object_get(entry, "round")));
    add_number(&text, (uint64_t)json_integer_value(json_object_get(entry, "set")));
    add_number(&text, (uint64_t)json_integer_value(json_object_get(entry, "game")));
    add_part(&text, str_of(audit_entry_text(entry, "winner")));
    add_part(&text, str_of(audit_entry_text(entry, "log")));
    add_part(&text, str_of(audit_entry_text(entry, "exchange")));
    add_number(&text, (uint64_t)json_integer_value(json_object_get(entry, "faults")));
    for (size_t i = 0; i < json_array_size(teams); i++) {
        const char *name = json_string_value(json_array_get(teams, i));
        add_part(&text, str_of(name ? name : ""));
    }
    return keep_game(audit, (uint64_t)audit_entry_number(entry), &text, err);
}

static int hear_entry(void *user, const LedgerEntry *entry, Err *err)
{
    SiteAudit *audit = user;
    json_t *object = json_loadb(entry->line.bytes, entry->line.len, 0, NULL);
    int rc = 0;

    if (!object)
        return no_memory(err);
    if (!json_object_get(object, "line"))
        return json_array_append_new(audit->entries, object) ? no_memory(err) : 0;
    /* One of a ledger that follows a journal alone says no more. */
    if (audit_entry_is(object, "game") && json_object_get(object, "teams"))
        rc = hear_game_entry(audit, object, err);
    json_decref(object);
    return rc;
}

/* ---- the journal beside it ---- */

static Str stage_name(const SiteAudit *audit, uint32_t stage)
{
    return str_of(audit->plan->stages[stage].name);
}

static const char *kind_of(const JournalLots *lots)
{
    return lots->frozen ? "freeze" : "lots";
}

static void compare_programs(SiteAudit *audit, const JournalLots *told, const json_t *freeze)
{
    const json_t *teams = json_object_get(freeze, "teams");

    for (size_t i = 0; i < told->count; i++)
        for (size_t j = 0; j < json_array_size(teams); j++) {
            const json_t *team = json_array_get(teams, j);
            char hex[KEY_HEX_BYTES];
            key_to_hex(&told->items[i].key, hex);
            if (told->items[i].there && audit_entry_says(team, "team", told->items[i].name) &&
                !audit_entry_says(team, "tree", str_of(hex)))
                audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(freeze),
                                 "another program of %.*s played than the one that was fixed",
                                 STR_ARG(told->items[i].name));
        }
}

static void compare_lots(SiteAudit *audit, const JournalLots *told, const json_t *list)
{
    const json_t *lots = json_object_get(list, "lots");

    for (size_t i = 0; i < told->count; i++) {
        const NamedKey *item = &told->items[i];
        char name[TEAM_ROOM], hex[KEY_HEX_BYTES];
        snprintf(name, sizeof(name), "%.*s", STR_ARG(item->name));
        const json_t *value = json_object_get(lots, name);
        key_to_hex(&item->key, hex);
        if (!value ||
            (item->there ? !json_is_string(value) || strcmp(json_string_value(value), hex) != 0
                         : !json_is_null(value)))
            audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(list),
                             "the stage was played with another lot of %s", name);
    }
    if (told->count != json_object_size(lots))
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(list),
                         "the stage was played with %zu lots, not %zu", told->count,
                         json_object_size(lots));
}

static int hear_lots(void *user, const JournalLots *told, Err *err)
{
    SiteAudit *audit = user;

    (void)err;
    if (told->stage >= audit->plan->stage_count)
        return 0;
    const json_t *entry =
        audit_entry_of_stage(audit->entries, kind_of(told), stage_name(audit, told->stage));
    if (!entry) {
        audit_contradict(audit->verdict, LEDGER_FILE, 1, "no entry '%s' of stage %s", kind_of(told),
                         audit->plan->stages[told->stage].name);
        return 0;
    }
    if (told->frozen)
        compare_programs(audit, told, entry);
    else
        compare_lots(audit, told, entry);
    audit->verdict->count++;
    return 0;
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    SiteAudit *audit = user;
    CLEANUP(buf_done) Buf text = {0};
    const uint32_t stage = stage_of_number(record->stage);
    unsigned char digest[SHA256_BYTES];
    uint32_t faults = 0;

    int rc = audit_strikes_add(&audit->strikes, record, err);
    if (rc)
        return rc;
    if (audit->game_at == audit->game_count)
        return 0; /* whether all have an entry is the ledger's step */
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
            faults += record->seats[seat].faults[kind];
    add_part(&text, stage < audit->plan->stage_count ? stage_name(audit, stage) : STR(""));
    add_number(&text, round_of_number(record->stage));
    add_number(&text, record->set);
    add_number(&text, record->game);
    add_part(&text, str_of(side_name(record->result.winner)));
    add_part(&text, str_of(record->log_sha256));
    add_part(&text, str_of(record->exchange_sha256));
    add_number(&text, faults);
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        add_part(&text, record->result.names[seat]);
    if (buf_failed(&text))
        return no_memory(err);
    const Str said = buf_str(&text);
    sha256_texts(&said, 1, digest);
    const GameSaid *game = &audit->games[audit->game_at++];
    if (memcmp(game->digest, digest, sizeof(digest)) != 0)
        audit_contradict(audit->verdict, LEDGER_FILE, (unsigned)game->n + 1,
                         "the entry of game %" PRIu64 " says something else than its line",
                         record->game);
    return 0;
}

/* As journals have a reason: on one line. */
static bool same_reason(const char *reason, Str line)
{
    if (strlen(reason) != line.len)
        return false;
    for (size_t i = 0; i < line.len; i++) {
        const char c = (unsigned char)reason[i] < ' ' || reason[i] == 0x7F ? ' ' : reason[i];
        if (c != line.bytes[i])
            return false;
    }
    return true;
}

/* Marks the first ruling that says this and is not taken yet; false = none. */
static bool take_ruling(SiteAudit *audit, Str about, Str stage, Str team, Str rule, Str decision,
                        Str reason)
{
    for (size_t i = 0; i < json_array_size(audit->entries); i++) {
        json_t *entry = json_array_get(audit->entries, i);
        if (!audit_entry_is(entry, "ruling") || json_object_get(entry, " taken") ||
            !audit_entry_says(entry, "about", about) || !audit_entry_says(entry, "stage", stage) ||
            !audit_entry_says(entry, "decision", decision) ||
            !same_reason(audit_entry_text(entry, "reason"), reason))
            continue;
        if (team.len
                ? audit_entry_says(entry, "team", team) && audit_entry_says(entry, "rule", rule)
                : audit_entry_says(entry, "number", rule)) {
            json_object_set_new(entry, " taken", json_true());
            return true;
        }
    }
    return false;
}

static int take_leaving(SiteAudit *audit, Str team)
{
    for (size_t i = 0; i < json_array_size(audit->entries); i++) {
        const json_t *entry = json_array_get(audit->entries, i);
        if ((audit_entry_is(entry, "withdraw") || audit_entry_is(entry, "out")) &&
            audit_entry_says(entry, "team", team))
            return 0;
    }
    audit_contradict(audit->verdict, JOURNAL_FILE, 0,
                     "%.*s is out, of which the ledger has no entry", STR_ARG(team));
    return 0;
}

/* Rules that carry themselves out need nobody, where they say so. */
static void check_unsaid(SiteAudit *audit, const JournalRuling *ruling)
{
    if (audit->plan->conduct.confirm || ruling->decision != RULING_ELIMINATE)
        audit_contradict(audit->verdict, JOURNAL_FILE, 0,
                         "a ruling on %.*s, '%.*s', of which the ledger has no entry",
                         STR_ARG(ruling->agent), STR_ARG(ruling->rule));
    else if (!audit_strikes_eliminate(&audit->strikes, audit->plan, ruling))
        audit_contradict(audit->verdict, JOURNAL_FILE, 0,
                         "%.*s is eliminated for '%.*s' by nobody, and the rules don't do so",
                         STR_ARG(ruling->agent), STR_ARG(ruling->rule));
}

static int hear_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    SiteAudit *audit = user;

    audit->verdict->count++;
    /* A team that leaves or lacks what it had to hand in is told of by its own entry. */
    if (str_eq(ruling->rule, STR("withdraw")))
        return take_leaving(audit, ruling->agent);
    if (!(ruling->stage < audit->plan->stage_count &&
          take_ruling(audit, STR("finding"), stage_name(audit, ruling->stage), ruling->agent,
                      ruling->rule, str_of(ruling_name(ruling->decision)), ruling->reason)))
        check_unsaid(audit, ruling);
    return audit_strikes_rule(&audit->strikes, ruling, err);
}

static int keep_late(SiteAudit *audit, uint32_t stage, uint64_t set, Err *err)
{
    LateSet *more = mem_resize(audit->late, audit->late_count + 1, sizeof(*more));

    if (!more)
        return no_memory(err);
    audit->late = more;
    more[audit->late_count++] = (LateSet){stage, set};
    return 0;
}

static int hear_stop(void *user, const JournalStop *stop, Err *err)
{
    SiteAudit *audit = user;

    (void)err;
    if (stop->stage < audit->plan->stage_count) {
        audit->stopped[stop->stage] = true;
        audit->stops[stop->stage] = *stop;
    }
    return 0;
}

/* Who plays in a stage: more than have a program that was fixed, for a bot sits for who is out. */
static int hear_set(void *user, uint32_t stage, uint64_t set, SeatNo count, const Str *names,
                    Err *err)
{
    SiteAudit *audit = user;
    size_t at;

    (void)set;
    for (SeatNo seat = 1; seat <= count && stage < audit->plan->stage_count; seat++) {
        CLEANUP(buf_done) Buf line = {0};
        Buf *seated = &audit->seated[stage];
        buf_printf(&line, "\n%.*s\n", STR_ARG(names[seat]));
        if (!buf_failed(&line) && str_find(buf_str(seated), buf_str(&line), &at))
            continue;
        buf_add(seated, buf_str(&line));
        audit->agents[stage]++;
        if (buf_failed(&line) || buf_failed(seated))
            return no_memory(err);
    }
    return 0;
}

/* Why a set may not be void without a ruling, wherever its line stands; NULL: it may. Only a round
 * that does not count has such sets, or somebody had chosen what counts. That it came too late is
 * the ranking's step. */
static const char *late_mistake(const SiteAudit *audit, const LateSet *late)
{
    const PlanStage *stage = &audit->plan->stages[late->stage];

    if (!stage->rounds)
        return "the stage has no rounds";
    if (!audit->stopped[late->stage])
        return audit->over ? "no line says where the stage has stopped" : NULL;
    if (!audit->agents[late->stage])
        return NULL;
    const Rounds rounds = rounds_of_stage(stage, audit->agents[late->stage]);
    return rounds_of_set(&rounds, late->set) < audit->stops[late->stage].rounds ? "its round counts"
                                                                                : NULL;
}

static void check_late(SiteAudit *audit)
{
    for (size_t i = 0; i < audit->late_count; i++) {
        const LateSet *late = &audit->late[i];
        const char *mistake = late_mistake(audit, late);
        if (mistake)
            audit_contradict(audit->verdict, JOURNAL_FILE, 0,
                             "set %" PRIu64 " of stage %u is void as one of a round that came too "
                             "late, and %s",
                             late->set, late->stage, mistake);
    }
}

static int hear_act(void *user, const OperatorAct *act, Err *err)
{
    SiteAudit *audit = user;
    char number[24];
    const uint32_t stage = stage_of_number(act->stage);

    snprintf(number, sizeof(number), "%" PRIu64, act->number);
    if (act->kind != ACT_VOID)
        return 0;
    audit->verdict->count++;
    if (stage < audit->plan->stage_count && operator_act_is_late(act))
        return keep_late(audit, stage, act->number, err);
    if (stage >= audit->plan->stage_count ||
        !take_ruling(audit, act->target == ACT_OF_SET ? STR("set") : STR("game"),
                     stage_name(audit, stage), STR(""), str_of(number), STR("void"), act->why))
        audit_contradict(audit->verdict, JOURNAL_FILE, 0,
                         "%s %s of stage %u is void, of which the ledger has no entry",
                         act->target == ACT_OF_SET ? "set" : "game", number, stage);
    return 0;
}

static void check_stop_dates(SiteAudit *audit)
{
    for (uint32_t stage = 0; stage < audit->plan->stage_count; stage++) {
        const SiteStop stop = {stage, stage_name(audit, stage), audit->first_game[stage],
                               audit->stops[stage].date_ms};
        if (audit->stopped[stage] && stop.first_game)
            audit_site_file_check_stop(audit->entries, &stop, audit->verdict);
    }
}

/* Without a journal that has an end the last entry says so. */
static bool is_published(const SiteAudit *audit)
{
    for (size_t i = 0; i < json_array_size(audit->entries); i++)
        if (audit_entry_is(json_array_get(audit->entries, i), "end"))
            return true;
    return false;
}

static int check_journal(SiteAudit *audit, Err *err)
{
    const JournalListener listener = {.set = hear_set,
                                      .game = hear_game,
                                      .lots = hear_lots,
                                      .ruling = hear_ruling,
                                      .act = hear_act,
                                      .stop = hear_stop,
                                      .user = audit};
    Err own = {0};

    if (!audit->plan->stage_count) { /* natural language */
        if (audit->game_count)
            audit_contradict(audit->verdict, JOURNAL_FILE, 0,
                             "it is not there, and the ledger is about its games");
        return audit_tracks_check(audit->dir, audit->entries, is_published(audit), audit->verdict,
                                  err);
    }
    if (!str_eq(audit_entry_contest(audit->entries, audit->plan->name), str_of(audit->plan->name)))
        audit_contradict(audit->verdict, JOURNAL_FILE, 1, "the ledger is that of contest %.*s",
                         STR_ARG(audit_entry_contest(audit->entries, audit->plan->name)));
    int rc = journal_read(audit->dir, &listener, NULL, &own);

    if (rc == ERR_MEMORY)
        return no_memory(err);
    if (rc) /* the journal's own step says so, too */
        audit_contradict(audit->verdict, JOURNAL_FILE, own.line, "%s", own.msg);
    if (audit->game_count) /* else it is told of no game, and of no finding */
        audit_strikes_check(&audit->strikes, audit->plan, audit->entries, audit->over,
                            audit->verdict);
    check_late(audit);
    check_stop_dates(audit);
    for (size_t i = 0; i < json_array_size(audit->entries); i++) {
        const json_t *entry = json_array_get(audit->entries, i);
        if (audit_entry_is(entry, "ruling") && !audit_closed_is(entry) &&
            !json_object_get(entry, " taken") && !audit_closed_take(audit->entries, i) &&
            audit->over)
            audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                             "a ruling that was not carried out: the journal has no such line");
    }
    audit_closed_check(audit->entries, audit->verdict);
    return 0;
}

/* ---- published ---- */

/* What was published is what the last entry says. A folder that is no bundle has no manifest. */
static int check_end(SiteAudit *audit, const json_t *entry, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    char hex[SHA256_HEX_BYTES];

    buf_printf(&path, "%s/" MANIFEST_FILE, audit->dir);
    if (buf_failed(&path))
        return no_memory(err);
    if (log_file_read(buf_cstr(&path), MANIFEST_BYTES_MAX, &text, NULL))
        return 0;
    int rc = sha256_hex(buf_str(&text), hex, err);
    if (rc == 0 && !audit_entry_says(entry, "manifest", str_of(hex)))
        audit_contradict(audit->verdict, LEDGER_FILE, audit_entry_line(entry),
                         "another bundle was published than this: " MANIFEST_FILE
                         " is not the one");
    audit->verdict->count++;
    return rc;
}

static int check_ends(SiteAudit *audit, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < json_array_size(audit->entries) && rc == 0; i++) {
        const json_t *entry = json_array_get(audit->entries, i);
        if (audit_entry_is(entry, "end"))
            rc = check_end(audit, entry, err);
    }
    return rc;
}

/* ---- the whole ---- */

/* Behind its reveal nothing is played by a secret. */
static int check_games_before_reveal(void *user, const LedgerEntry *entry, Err *err)
{
    SiteAudit *audit = user;
    CLEANUP(buf_done) Buf stage = {0};
    Str member;

    if (!str_eq(entry->type, STR("\"game\"")) ||
        !canonical_member(entry->line, STR("stage"), &member) || !canonical_text(member, &stage))
        return buf_failed(&stage) ? no_memory(err) : 0;
    const json_t *reveal = audit_entry_of_stage(audit->entries, "reveal", buf_str(&stage));
    if (reveal && (int64_t)entry->n > audit_entry_number(reveal))
        audit_contradict(audit->verdict, LEDGER_FILE, (unsigned)entry->n + 1,
                         "a game of stage %s behind its secret was told, in line %u",
                         buf_cstr(&stage), audit_entry_line(reveal));
    return 0;
}

/* What is wrong with the ledger itself is told by its own step. */
static int read_ledger(SiteAudit *audit, LedgerEntryFn *hear, bool *ret_there, Err *err)
{
    CLEANUP(ledger_look_done) LedgerLook look = {.reader = {.hear = hear, .user = audit}};
    int rc = ledger_find(audit->dir, ret_there, err);

    if (rc || !*ret_there)
        return rc;
    rc = ledger_look(audit->dir, &look, NULL);
    *ret_there = rc == 0;
    return rc == ERR_MEMORY ? no_memory(err) : 0;
}

int audit_site_check(const char *dir, const Plan *plan, bool over, AuditVerdict *verdict, Err *err)
{
    CLEANUP(site_audit_done)
    SiteAudit audit = {
        .dir = dir, .plan = plan, .over = over, .verdict = verdict, .entries = json_array()};
    bool there = false;
    int rc = audit.entries ? read_ledger(&audit, hear_entry, &there, err) : no_memory(err);

    if (rc)
        return rc;
    if (!there || !json_array_size(audit.entries)) {
        verdict->state = AUDIT_ABSENT;
        snprintf(verdict->text, sizeof(verdict->text), "%s", "no contest site's ledger");
        return 0;
    }
    audit_site_chance_check(audit.entries, plan, over, verdict);
    rc = check_ends(&audit, err);
    if (rc == 0)
        rc = audit_site_file_check(dir, audit.entries, verdict, err);
    if (rc == 0)
        rc = check_journal(&audit, err);
    if (rc == 0)
        rc = read_ledger(&audit, check_games_before_reveal, &there, err);
    return rc;
}
