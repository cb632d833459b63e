/* test_finding.c - a journal becomes entries and findings; answers, rulings, appeals; what of them
 * the journal gets.
 *
 * Source: docs/spec/contest-operations.md 8.5, 8.6, O26, O27. */
#include "proof_place.h"

#include "base/rng.h"
#include "contest/contest_file.h"
#include "contest/ledger_follow.h"
#include "contest/rulings.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "site/appeal.h"
#include "site/finding.h"
#include "site/import.h"
#include "site/play_follow.h"
#include "site/ruling.h"
#include "site/table.h"

#include <jansson.h>

#define TEXT_WITH(confirm, late)                                                                   \
    "contest: cup2027\n"                                                                           \
    "agents: [{bot: sample, name: ann, copies: 1}, {bot: sample, name: bob, copies: 1},"           \
    " {bot: sample, name: eve, copies: 1}, {bot: sample, name: cat, copies: 2}]\n"                 \
    "conduct: {strikes: 3, confirm: " confirm                                                      \
    ", crash: eliminate, network: strike, sentence: {after: "                                      \
    "100, action: strike}, late: " late "}\n"                                                      \
    "stages:\n"                                                                                    \
    "  - {name: preliminary, players: 5, games_per_set: 2, sets: 5}\n"                             \
    "  - {name: final, players: 5, games_per_set: 2, sets: 5}\n"

#define TEXT_OF(late) TEXT_WITH("true", late)
#define TEXT          TEXT_OF("note")

typedef struct Play {
    ProofPlace p;
    Plan plan;
    int64_t ann, bob, eve;
    char dir[128];
} Play;

static void open_play_of(void **state, const char *text, Play *play)
{
    CLEANUP(buf_done) Buf json = {0};
    Journal *journal = NULL;
    Err err = {0};

    proof_place_open(state, &play->p);
    play->ann = proof_team(&play->p, "ann");
    play->bob = proof_team(&play->p, "bob");
    play->eve = proof_team(&play->p, "eve");
    assert_int_equal(plan_init(&play->plan, NULL), 0);
    if (contest_text_load(str_of(text), ".", &play->plan, &err))
        fail_msg("%s", err.msg);
    snprintf(play->dir, sizeof(play->dir), "%s/contests/cup2027/play", play->p.data);
    plan_json(&play->plan, &json);
    if (journal_begin(play->dir, buf_str(&json), &journal, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(journal_close(journal, NULL), 0);
}

static void open_play(void **state, Play *play)
{
    open_play_of(state, TEXT, play);
}

/* For another round in the same store. */
static void clear_store(Play *play)
{
    assert_int_equal(db_exec(play->p.db,
                             "DELETE FROM notice; DELETE FROM checkpoint; DELETE FROM ledger;"
                             "DELETE FROM follow; DELETE FROM conduct; DELETE FROM seat;"
                             "DELETE FROM score; DELETE FROM game; DELETE FROM run;"
                             "DELETE FROM imported; DELETE FROM kept_line;"
                             "DELETE FROM ruling; DELETE FROM appeal; DELETE FROM finding;"
                             "DELETE FROM team; DELETE FROM contest; DELETE FROM account",
                             NULL),
                     0);
}

static void close_play(Play *play)
{
    plan_done(&play->plan);
    proof_place_close(&play->p);
}

/* A game in which bob did this, and nobody else anything. */
typedef struct Deed {
    uint32_t crashes, violations, network, late;
} Deed;

static void add_games(Play *play, uint32_t stage, uint64_t from, uint64_t to, Deed deed)
{
    static const Role roles[] = {ROLE_NONE,     ROLE_SEER,      ROLE_VILLAGER,
                                 ROLE_VILLAGER, ROLE_POSSESSED, ROLE_WEREWOLF};
    static const char *const names[] = {"", "ann", "bob", "eve", "cat1", "cat2"};
    Journal *journal = NULL;

    assert_int_equal(journal_continue(play->dir, &journal, NULL), 0);
    for (uint64_t number = from; number < to; number++) {
        CLEANUP(mem_freep) GameRecord *game = mem_new(sizeof(*game));
        game->stage = stage;
        game->set = number / 2;
        game->game = number;
        game->began_at_ms = game->ended_at_ms = PROOF_NOW;
        game->reason = END_WIN;
        game->result.winner = SIDE_VILLAGER;
        game->result.seat_count = 5;
        game->result.last_day = 2;
        for (SeatNo seat = 1; seat <= 5; seat++) {
            game->result.names[seat] = str_of(names[seat]);
            game->result.roles[seat] = roles[seat];
            game->seats[seat].outside = seat <= 3;
        }
        game->seats[2].faults[FAULT_DISCONNECT] = deed.crashes;
        game->seats[2].faults[FAULT_VIOLATION] = deed.violations;
        game->seats[2].faults[FAULT_TIMEOUT] = deed.late;
        game->seats[2].waited_ms = 7 * deed.late;
        game->seats[2].findings[FINDING_NETWORK] = deed.network;
        if (deed.network) {
            const FindingNote note = {.finding = {FINDING_NETWORK, STR("connect 8.8.8.8:53"), 1},
                                      .agent = STR("bob"),
                                      .stage = stage,
                                      .set = number / 2,
                                      .game = number,
                                      .seat = 2,
                                      .day = 1,
                                      .in_game = true,
                                      .listed = true};
            assert_int_equal(journal_add_finding(journal, PROOF_NOW, &note, NULL), 0);
        }
        assert_int_equal(journal_add_game(journal, game, STR(""), NULL), 0);
    }
    assert_int_equal(journal_close(journal, NULL), 0);
}

static void import(Play *play)
{
    const ImportFolder folder = {.home = play->p.place, .folder = STAGE_FOLDER};
    Err err = {0};

    if (import_all(play->p.db, &folder, &err))
        fail_msg("%s", err.msg);
}

static void follow(Play *play, uint32_t limit)
{
    bool more = true;
    Err err = {0};

    import(play);
    while (more)
        if (play_follow(play->p.db, &play->p.place, &play->plan, limit, PROOF_NOW, &more, &err))
            fail_msg("%s", err.msg);
}

static void apply(Play *play)
{
    uint32_t waiting = 1;
    Err err = {0};

    import(play);
    if (rulings_apply(play->p.db, &play->p.place, PROOF_NOW, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(rulings_waiting(play->p.db, play->p.place.id, &waiting, NULL), 0);
    assert_int_equal(waiting, 0);
}

static int64_t number(Play *play, const char *sql)
{
    return proof_id(play->p.db, sql);
}

static void assert_text(Play *play, const char *sql, const char *expected)
{
    CLEANUP(buf_done) Buf text = {0};

    assert_int_equal(db_ask_text(play->p.db, &text, NULL, NULL, sql, ""), 0);
    assert_string_equal(buf_cstr(&text), expected);
}

/* The ledger's step of `warg audit` reads what is beside the journal. */
static void assert_ledger_matches(Play *play)
{
    SiteLedger *ledger = NULL;
    LedgerMatch match = {0};
    char command[400];
    Err err = {0};

    assert_int_equal(site_ledger_open(play->p.db, play->p.data, &ledger, NULL), 0);
    assert_int_equal(site_ledger_close(ledger, play->p.db, PROOF_NOW, NULL), 0);
    snprintf(command, sizeof(command), "cd %s/contests/cup2027 && cp ledger.jsonl checkpoint play/",
             play->p.data);
    assert_int_equal(system(command), 0);
    if (ledger_match(play->dir, &match, &err))
        fail_msg("%s", err.msg);
    assert_true(match.there && !match.differs && match.followed == match.lines && match.lines > 1);
}

static void a_journal_becomes_entries_once(void **state)
{
    Play play;
    char *first = NULL;

    /* In pieces of any size the same. */
    for (uint32_t limit = 1; limit <= 100; limit += 33) {
        CLEANUP(buf_done) Buf lines = {0};
        open_play(state, &play);
        add_games(&play, 0, 0, 3, (Deed){.late = 1});
        follow(&play, limit);
        add_games(&play, 0, 3, 7, (Deed){.crashes = 0});
        follow(&play, limit);
        follow(&play, limit);
        assert_true(proof_entries(&play.p) == 1 + 7 + 1); /* plan, games, finding */
        assert_int_equal(number(&play, "SELECT COUNT(*) FROM finding"), 1);
        assert_text(&play, "SELECT state FROM finding", "NOTED");
        assert_int_equal(number(&play, "SELECT count FROM finding"), 3);
        assert_int_equal(number(&play, "SELECT games FROM conduct WHERE agent = 'ann'"), 7);
        assert_ledger_matches(&play);
        assert_int_equal(
            site_ledger_lines(play.p.db, play.p.place.id, 0, 100, 1 << 20, &lines, NULL), 0);
        if (!first && limit == 34)
            first = strdup(buf_cstr(&lines));
        clear_store(&play);
        close_play(&play);
    }
    assert_non_null(strstr(first, "\"teams\":[\"ann\",\"bob\",\"eve\",\"cat1\",\"cat2\"]"));
    assert_non_null(strstr(first, "\"winner\":\"VILLAGER\""));
    assert_null(strstr(first, "SEER"));
    free(first);
}

static void findings_grow_and_are_proposed(void **state)
{
    Play play;
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);
    uint32_t waiting;
    int64_t oldest;

    open_play(state, &play);
    add_games(&play, 0, 0, 2, (Deed){.network = 1});
    follow(&play, 100);
    assert_text(&play, "SELECT state FROM finding", "STRIKE");
    assert_text(&play, "SELECT text FROM finding", "connect 8.8.8.8:53");
    assert_last_line(&play.p, "\"action\":\"strike\"");
    assert_int_equal(findings_waiting(play.p.db, play.p.place.id, &waiting, &oldest, NULL), 0);
    assert_int_equal(waiting, 0);
    add_games(&play, 0, 2, 3, (Deed){.network = 1}); /* the third strike */
    follow(&play, 100);
    assert_text(&play, "SELECT state FROM finding", "PROPOSED");
    assert_last_line(&play.p, "\"action\":\"eliminate\",\"at\":\"2027-02-02T00:00:00.000Z\","
                              "\"count\":3,\"evidence\":[\"");
    assert_int_equal(findings_waiting(play.p.db, play.p.place.id, &waiting, &oldest, NULL), 0);
    assert_int_equal(waiting, 1);
    assert_true(oldest == PROOF_NOW);
    const uint64_t entries = proof_entries(&play.p);
    add_games(&play, 0, 3, 4, (Deed){.network = 1}); /* nothing new of it */
    follow(&play, 100);
    assert_true(proof_entries(&play.p) == entries + 1);
    assert_int_equal(findings_write(play.p.db, play.p.place.id, play.bob, &json, NULL), 0);
    json_t *list = json_loadb(text.bytes, text.len, 0, NULL);
    json_t *found = json_array_get(list, 0);
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_integer_value(json_object_get(found, "count")), 4);
    json_t *evidence = json_object_get(found, "evidence");
    assert_int_equal(json_array_size(evidence), 3);
    assert_string_equal(json_string_value(json_object_get(json_array_get(evidence, 0), "file")),
                        "findings.jsonl");
    json_decref(list);
    buf_clear(&text);
    json = json_over(&text);
    assert_int_equal(findings_write(play.p.db, play.p.place.id, play.ann, &json, NULL), 0);
    assert_string_equal(buf_cstr(&text), "[]"); /* nothing of others */
    close_play(&play);
}

static int count_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    unsigned *rulings = user;

    (void)ruling;
    (void)err;
    (*rulings)++;
    return 0;
}

/* O26: proposed, answered, then each decision. */
static void each_decision_reaches_the_journal(void **state)
{
    for (RulingDecision decision = RULING_DISMISS; decision < RULING_COUNT; decision++) {
        CLEANUP(ruling_folder_done) RulingFolder folder = {.dir = NULL};
        ConductFinding found;
        Play play;
        uint32_t waiting;
        open_play(state, &play);
        add_games(&play, 0, 0, 1, (Deed){.crashes = 1, .late = 1});
        follow(&play, 100);
        const int64_t late = number(&play, "SELECT id FROM finding WHERE rule = 'late'");
        const int64_t crash = number(&play, "SELECT id FROM finding WHERE rule = 'crash'");
        assert_int_equal(finding_answer(play.p.db, crash, STR("  "), PROOF_NOW, NULL), ERR_RULE);
        assert_int_equal(finding_answer(play.p.db, crash, STR("a bad cable"), PROOF_NOW, NULL), 0);
        assert_text(&play, "SELECT state FROM finding WHERE rule = 'crash'", "ANSWERED");
        assert_last_line(&play.p, "\"action\":\"answer\",\"answer\":\"");
        assert_int_equal(
            finding_rule(play.p.db, late, 0, decision, STR("x"), play.p.account, PROOF_NOW, NULL),
            ERR_RULE); /* only noted */
        assert_int_equal(
            finding_rule(play.p.db, crash, 0, decision, STR(""), play.p.account, PROOF_NOW, NULL),
            ERR_RULE); /* no reason */
        assert_int_equal(finding_rule(play.p.db, crash, 0, decision, STR("seen\nby all"),
                                      play.p.account, PROOF_NOW, NULL),
                         0);
        assert_text(&play, "SELECT state FROM finding WHERE rule = 'crash'", "RULED");
        assert_last_line(&play.p, "\"reason\":\"seen\\nby all\",\"rule\":\"crash\",\"stage\":"
                                  "\"preliminary\",\"team\":\"bob\",\"type\":\"ruling\"");
        assert_int_equal(finding_answer(play.p.db, crash, STR("late"), PROOF_NOW, NULL), ERR_RULE);
        assert_int_equal(rulings_waiting(play.p.db, play.p.place.id, &waiting, NULL), 0);
        assert_int_equal(waiting, 1);
        apply(&play);
        /* A crash before it was noted: not twice. */
        assert_int_equal(db_exec(play.p.db, "UPDATE ruling SET applied = NULL", NULL), 0);
        apply(&play);
        assert_int_equal(rulings_waiting(play.p.db, play.p.place.id, &waiting, NULL), 0);
        assert_int_equal(waiting, 0);
        unsigned rulings = 0;
        const JournalListener listener = {.ruling = count_ruling, .user = &rulings};
        assert_int_equal(journal_read(play.dir, &listener, NULL, NULL), 0);
        assert_int_equal(rulings, 1);
        assert_int_equal(ruling_folder_open(&folder, play.dir, NULL), 0);
        assert_true(conducts_finding(&folder.conducts, &folder.plan.conduct, 0, &found));
        assert_int_equal(found.ruled, decision);
        follow(&play, 100);
        assert_last_line(&play.p, "{\"at\":\"2027-02-02T00:00:00.000Z\",\"line\":\"");
        assert_ledger_matches(&play);
        /* Behind the beginning of the next stage nothing changes any more. */
        add_games(&play, 1, 0, 1, (Deed){.late = 0});
        follow(&play, 100);
        assert_int_equal(finding_rule(play.p.db, crash, 0, RULING_DISMISS, STR("x"), play.p.account,
                                      PROOF_NOW, NULL),
                         ERR_RULE);
        clear_store(&play);
        close_play(&play);
    }
}

static unsigned count_rulings(const Play *play)
{
    unsigned rulings = 0;
    const JournalListener listener = {.ruling = count_ruling, .user = &rulings};

    assert_int_equal(journal_read(play->dir, &listener, NULL, NULL), 0);
    return rulings;
}

static int add_decision(void *user, const JournalRuling *ruling, Err *err)
{
    (void)err;
    buf_printf(user, "%s ", ruling_name(ruling->decision));
    return 0;
}

/* Of the journal, in its order. */
static void assert_decisions(const Play *play, const char *expected)
{
    CLEANUP(buf_done) Buf decisions = {0};
    const JournalListener listener = {.ruling = add_decision, .user = &decisions};

    assert_int_equal(journal_read(play->dir, &listener, NULL, NULL), 0);
    assert_string_equal(buf_cstr(&decisions), expected);
}

static void rule(Play *play, int64_t finding, RulingDecision decision, const char *reason)
{
    Err err = {0};

    if (finding_rule(play->p.db, finding, 0, decision, str_of(reason), play->p.account, PROOF_NOW,
                     &err))
        fail_msg("%s", err.msg);
}

/* Games without a fault follow, and the rate falls below what the rule allows: what was proposed is
 * ruled all the same. */
static void a_ruling_outlives_its_rate(void **state)
{
    Play play;

    open_play_of(state, TEXT_OF("{after: 20, action: strike}"), &play);
    add_games(&play, 0, 0, 1, (Deed){.late = 3});
    follow(&play, 100);
    assert_text(&play, "SELECT state FROM finding", "PROPOSED");
    add_games(&play, 0, 1, 41, (Deed){.late = 0});
    follow(&play, 100);
    assert_text(&play, "SELECT state FROM finding", "PROPOSED");
    rule(&play, number(&play, "SELECT id FROM finding"), RULING_DISMISS, "a slip");
    apply(&play);
    assert_int_equal(count_rulings(&play), 1);
    follow(&play, 100);
    assert_ledger_matches(&play);
    close_play(&play);
}

/* What is said twice changes nothing, and stands in the journal as often as in the ledger. */
static void each_ruling_has_its_line(void **state)
{
    Play play;

    open_play(state, &play);
    add_games(&play, 0, 0, 1, (Deed){.crashes = 1});
    follow(&play, 100);
    const int64_t crash = number(&play, "SELECT id FROM finding");
    rule(&play, crash, RULING_WARN, "seen");
    const uint64_t entries = proof_entries(&play.p);
    for (int i = 0; i < 2; i++) { /* an answer was lost, and it is asked for again */
        assert_int_equal(finding_rule(play.p.db, crash, 0, RULING_WARN, STR("seen"), play.p.account,
                                      PROOF_NOW, NULL),
                         ERR_RULE);
        apply(&play);
    }
    assert_true(proof_entries(&play.p) == entries);
    assert_int_equal(count_rulings(&play), 1);
    rule(&play, crash, RULING_WARN, "seen by all"); /* another reason */
    rule(&play, crash, RULING_DISMISS, "not so");
    rule(&play, crash, RULING_WARN, "seen by all"); /* and back, in the same millisecond */
    rule(&play, crash, RULING_ELIMINATE, "once more");
    apply(&play);
    assert_int_equal(count_rulings(&play), 5);
    assert_decisions(&play, "warn warn dismiss warn eliminate "); /* the last holds */
    assert_true(proof_entries(&play.p) == entries + 4);
    /* A crash before it was noted: none is written again. */
    assert_int_equal(db_exec(play.p.db,
                             "UPDATE ruling SET applied = NULL WHERE id ="
                             " (SELECT MAX(id) FROM ruling)",
                             NULL),
                     0);
    apply(&play);
    assert_int_equal(count_rulings(&play), 5);
    follow(&play, 100);
    assert_ledger_matches(&play);
    close_play(&play);
}

static int64_t appeal_on(Play *play, int64_t team, AppealAbout about, int64_t object)
{
    int64_t appeal = 0;
    Err err = {0};

    if (appeal_make(play->p.db, team, about, object, STR("no"), PROOF_NOW, &appeal, &err))
        fail_msg("%s", err.msg);
    return appeal;
}

static void grant(Play *play, int64_t appeal, bool whole_set)
{
    Err err = {0};

    if (appeal_close(play->p.db, appeal, true, whole_set, STR("our disk"), play->p.account,
                     PROOF_NOW, &err))
        fail_msg("%s", err.msg);
}

/* As a stage's end does it by itself. */
static void rule_by_the_rules(const Play *play, int64_t at_ms)
{
    Journal *journal = NULL;
    const JournalRuling ruling = {.agent = STR("bob"),
                                  .rule = STR("crash"),
                                  .decision = RULING_ELIMINATE,
                                  .reason = STR("by the rules"),
                                  .at_ms = at_ms};

    assert_int_equal(journal_continue(play->dir, &journal, NULL), 0);
    assert_int_equal(journal_add_ruling(journal, &ruling, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
}

/* What a page shows of standings, findings, and what waits. */
static void show_all(Play *play, Buf *out)
{
    Json json = json_over(out);
    uint32_t waiting = 9;
    int64_t oldest;

    assert_int_equal(
        site_standings(play->p.db, play->p.place.id, &play->plan, STR("preliminary"), &json, NULL),
        0);
    assert_int_equal(findings_write(play->p.db, play->p.place.id, 0, &json, NULL), 0);
    assert_int_equal(findings_waiting(play->p.db, play->p.place.id, &waiting, &oldest, NULL), 0);
    assert_int_equal(waiting, 0);
    assert_int_equal(rulings_waiting(play->p.db, play->p.place.id, &waiting, NULL), 0);
    assert_int_equal(waiting, 0);
}

/* `confirm: false`: nobody rules, and what follows is what follows from a ruling. */
static void an_elimination_by_the_rules_is_one(void **state)
{
    CLEANUP(buf_done) Buf confirmed = {0};

    for (uint32_t limit = 0; limit <= 100; limit += limit ? 33 : 1) {
        CLEANUP(buf_done) Buf shown = {0};
        Play play;
        open_play_of(state, limit ? TEXT_WITH("false", "note") : TEXT, &play);
        for (int team = 0; team < 2; team++)
            db_run(play.p.db, NULL,
                   "INSERT INTO score(contest, stage, number, players, team, role, games, wins,"
                   " failed, faults, excesses, excused)"
                   " VALUES(?1, 'preliminary', 0, 5, ?2, 'VILLAGER', 9, 3, 0, 0, 0, 0)",
                   "ii", play.p.place.id, team ? play.bob : play.ann);
        add_games(&play, 0, 0, 1, (Deed){.crashes = 1});
        if (limit) {
            rule_by_the_rules(&play, PROOF_NOW);
        } else {
            follow(&play, 100);
            rule(&play, number(&play, "SELECT id FROM finding"), RULING_ELIMINATE, "by the rules");
            apply(&play);
        }
        follow(&play, limit ? limit : 100);
        follow(&play, 100);
        assert_int_equal(number(&play, "SELECT COUNT(*) FROM ruling WHERE applied IS NOT NULL"), 1);
        assert_last_line(&play.p, "\"type\":\"ruling\"");
        show_all(&play, &shown);
        assert_non_null(strstr(buf_cstr(&shown), "\"rank\":null,\"team\":\"bob\""));
        assert_non_null(strstr(buf_cstr(&shown), "\"decision\":\"eliminate\""));
        for (char *id = strstr(buf_cstr(&shown), "\"id\":\""); id && id[6] != '"'; id++)
            id[6] = id[7] == '"' ? '"' : '0';
        if (!limit)
            buf_add(&confirmed, buf_str(&shown));
        assert_string_equal(buf_cstr(&shown), buf_cstr(&confirmed));
        assert_ledger_matches(&play);
        /* An appeal takes it back, as any. */
        if (limit) {
            grant(
                &play,
                appeal_on(&play, play.bob, APPEAL_FINDING, number(&play, "SELECT id FROM finding")),
                false);
            apply(&play);
            follow(&play, 100);
            buf_clear(&shown);
            show_all(&play, &shown);
            assert_null(strstr(buf_cstr(&shown), "\"rank\":null"));
            assert_int_equal(number(&play, "SELECT COUNT(*) FROM ruling"), 2);
        }
        clear_store(&play);
        close_play(&play);
    }
}

/* Journals have none; whoever asks for one hears of it at once. */
static void a_reason_has_no_control_characters(void **state)
{
    Play play;

    open_play(state, &play);
    add_games(&play, 0, 0, 1, (Deed){.crashes = 1});
    follow(&play, 100);
    const int64_t crash = number(&play, "SELECT id FROM finding");
    const Str refused[] = {STR(""),
                           STR(" \n "),
                           {"a\0b", 3},
                           STR("a\x1b[31m"),
                           STR("a\xC2\x85"
                               "b"),
                           STR("\xff")};
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        assert_int_equal(finding_rule(play.p.db, crash, 0, RULING_WARN, refused[i], play.p.account,
                                      PROOF_NOW, NULL),
                         ERR_RULE);
    rule(&play, crash, RULING_WARN, "two\r\n\tlines, \xE3\x81\xAF\xE3\x81\x84");
    apply(&play);
    assert_int_equal(count_rulings(&play), 1);
    close_play(&play);
}

static int64_t failed_ruling(Play *play)
{
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);
    uint32_t failed = 0;

    assert_int_equal(rulings_failed(play->p.db, play->p.place.id, &failed, NULL), 0);
    assert_int_equal(failed, 1);
    assert_int_equal(rulings_write_failed(play->p.db, play->p.place.id, &json, NULL), 0);
    assert_non_null(strstr(buf_cstr(&text), "\"team\":\"bob\",\"about\":\"finding\""));
    assert_non_null(strstr(buf_cstr(&text), "\"decision\":\"eliminate\",\"reason\":\"seen\""));
    assert_non_null(strstr(buf_cstr(&text), "which is no rule of conduct"));
    return number(play, "SELECT id FROM ruling WHERE failed IS NOT NULL");
}

/* A journal can't have it: organisers hear of it, what is ruled behind it is carried out, and
 * nothing follows from it, until one of them closes it. */
static void what_no_journal_can_have_is_closed(void **state)
{
    CLEANUP(buf_done) Buf shown = {0};
    Play play;
    uint32_t failed = 9, waiting = 0;
    int64_t oldest;

    open_play(state, &play);
    db_run(play.p.db, NULL,
           "INSERT INTO score(contest, stage, number, players, team, role, games, wins, failed,"
           " faults, excesses, excused)"
           " VALUES(?1, 'preliminary', 0, 5, ?2, 'VILLAGER', 9, 3, 0, 0, 0, 0)",
           "ii", play.p.place.id, play.bob);
    add_games(&play, 0, 0, 1, (Deed){.crashes = 1, .network = 1});
    follow(&play, 100);
    const int64_t crash = number(&play, "SELECT id FROM finding WHERE rule = 'crash'");
    assert_int_equal(finding_answer(play.p.db, crash, STR("a bad cable"), PROOF_NOW, NULL), 0);
    rule(&play, crash, RULING_ELIMINATE, "seen");
    rule(&play, number(&play, "SELECT id FROM finding WHERE rule = 'network'"), RULING_WARN, "so");
    assert_int_equal(db_exec(play.p.db,
                             "UPDATE ruling SET rule = 'judge' WHERE rule = 'crash';"
                             "INSERT INTO role(account, contest, role)"
                             " SELECT account.id, contest.id, 'organiser' FROM account, contest",
                             NULL),
                     0);
    apply(&play);
    assert_int_equal(count_rulings(&play), 1);
    assert_true(number(&play, "SELECT COUNT(*) FROM notice WHERE kind = 'job-failed'") > 0);
    show_all(&play, &shown);
    assert_null(strstr(buf_cstr(&shown), "\"rank\":null,\"team\":\"bob\"")); /* nothing of it */
    assert_non_null(strstr(buf_cstr(&shown), "\"team\":\"bob\",\"games\":"));
    const int64_t ruling = failed_ruling(&play);
    /* Not without a reason, nor that of another contest, nor one that was carried out. */
    assert_int_equal(ruling_close(play.p.db, play.p.place.id, ruling, STR(" "), PROOF_NOW, NULL),
                     ERR_RULE);
    assert_int_equal(
        ruling_close(play.p.db, play.p.place.id + 1, ruling, STR("x"), PROOF_NOW, NULL), ERR_RULE);
    assert_int_equal(ruling_close(play.p.db, play.p.place.id,
                                  number(&play, "SELECT id FROM ruling WHERE failed IS NULL"),
                                  STR("x"), PROOF_NOW, NULL),
                     ERR_RULE);
    assert_int_equal(failed_ruling(&play), ruling);
    assert_int_equal(
        ruling_close(play.p.db, play.p.place.id, ruling, STR("its rule is none"), PROOF_NOW, NULL),
        0);
    assert_last_line(&play.p, "{\"about\":\"ruling\",\"at\":\"2027-02-02T00:00:00.000Z\","
                              "\"decision\":\"eliminate\",\"n\":");
    assert_last_line(&play.p, "\"of\":\"finding\",\"reason\":\"its rule is none\",\"rule\":"
                              "\"judge\",\"stage\":\"preliminary\",\"team\":\"bob\",");
    assert_int_equal(ruling_close(play.p.db, play.p.place.id, ruling, STR("x"), PROOF_NOW, NULL),
                     ERR_RULE);
    assert_int_equal(rulings_failed(play.p.db, play.p.place.id, &failed, NULL), 0);
    assert_int_equal(failed, 0);
    /* What it was about waits for a ruling again, which may say the same. */
    assert_text(&play, "SELECT state FROM finding WHERE rule = 'crash'", "ANSWERED");
    assert_int_equal(findings_waiting(play.p.db, play.p.place.id, &waiting, &oldest, NULL), 0);
    assert_int_equal(waiting, 1);
    rule(&play, crash, RULING_ELIMINATE, "seen");
    apply(&play);
    assert_int_equal(count_rulings(&play), 2);
    buf_clear(&shown);
    show_all(&play, &shown);
    assert_non_null(strstr(buf_cstr(&shown), "\"rank\":null,\"team\":\"bob\""));
    close_play(&play);
}

/* Who plays there holds the journal: it is not written beside it. */
static void a_journal_under_way_is_left_alone(void **state)
{
    Play play;
    Journal *journal = NULL;
    uint32_t waiting;

    open_play(state, &play);
    add_games(&play, 0, 0, 1, (Deed){.crashes = 1});
    follow(&play, 100);
    const int64_t crash = number(&play, "SELECT id FROM finding");
    assert_int_equal(
        finding_rule(play.p.db, crash, 0, RULING_WARN, STR("x"), play.p.account, PROOF_NOW, NULL),
        0);
    assert_int_equal(journal_continue(play.dir, &journal, NULL), 0);
    assert_int_equal(rulings_apply(play.p.db, &play.p.place, PROOF_NOW, NULL), ERR_USAGE);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_int_equal(rulings_waiting(play.p.db, play.p.place.id, &waiting, NULL), 0);
    assert_int_equal(waiting, 1);
    close_play(&play);
}

/* ---- appeals ---- */

static int count_game(void *user, const GameRecord *record, Err *err)
{
    uint32_t *counts = user;

    (void)err;
    counts[record->is_void ? 1 : 0]++;
    return 0;
}

static int64_t game_of(Play *play, int64_t game)
{
    int64_t id = 0;

    import(play);
    assert_int_equal(db_ask(play->p.db, 0, &id, NULL,
                            "SELECT game.id FROM game JOIN run ON run.id = game.run"
                            " WHERE run.stage = 'preliminary' AND game.game = ?1",
                            "i", game),
                     0);
    assert_true(id);
    return id;
}

static void an_appeal_makes_a_game_or_a_set_void(void **state)
{
    Play play;
    uint32_t open, counts[2] = {0, 0};
    int64_t appeal = 0, again = 0;
    const JournalListener listener = {.game = count_game, .user = counts};
    Err err = {0};

    open_play(state, &play);
    add_games(&play, 0, 0, 8, (Deed){.late = 1});
    follow(&play, 100);
    const int64_t three = game_of(&play, 3), six = game_of(&play, 6);
    const int64_t zoe = proof_team(&play.p, "zoe");
    assert_int_equal(
        appeal_make(play.p.db, zoe, APPEAL_GAME, three, STR("no"), PROOF_NOW, &appeal, NULL),
        ERR_RULE); /* not in it */
    assert_int_equal(appeal_make(play.p.db, play.bob, APPEAL_GAME, three, STR("your disk was full"),
                                 PROOF_NOW, &appeal, NULL),
                     0);
    assert_int_equal(
        appeal_make(play.p.db, play.bob, APPEAL_GAME, three, STR("twice"), PROOF_NOW, &again, NULL),
        ERR_RULE);
    assert_int_equal(appeals_open(play.p.db, play.p.place.id, &open, NULL), 0);
    assert_int_equal(open, 1);
    assert_int_equal(appeal_next_to_gather(play.p.db, play.p.place.id, &again, NULL), 0);
    assert_true(again == appeal);
    if (appeal_gather(play.p.db, &play.p.place, appeal, &err))
        fail_msg("%s", err.msg);
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);
    assert_int_equal(appeals_write(play.p.db, play.p.place.id, play.bob, &json, NULL), 0);
    assert_non_null(strstr(buf_cstr(&text), "\"replay\":\"not replayed: "));
    assert_non_null(strstr(buf_cstr(&text), "\"waited_ms\":7"));
    assert_int_equal(
        appeal_close(play.p.db, appeal, true, false, STR("true"), play.p.account, PROOF_NOW, NULL),
        0);
    assert_int_equal(
        appeal_close(play.p.db, appeal, false, false, STR("no"), play.p.account, PROOF_NOW, NULL),
        ERR_RULE); /* closed */
    assert_last_line(&play.p, "\"decision\":\"grant\"");
    apply(&play);
    assert_int_equal(journal_read(play.dir, &listener, NULL, NULL), 0);
    assert_int_equal(counts[1], 1);
    /* A whole set of two games. */
    assert_int_equal(appeal_make(play.p.db, play.bob, APPEAL_GAME, six, STR("and there"), PROOF_NOW,
                                 &appeal, NULL),
                     0);
    assert_int_equal(
        appeal_close(play.p.db, appeal, true, true, STR("yes"), play.p.account, PROOF_NOW, NULL),
        0);
    apply(&play);
    assert_int_equal(db_exec(play.p.db, "UPDATE ruling SET applied = NULL", NULL), 0);
    apply(&play);
    counts[0] = counts[1] = 0;
    assert_int_equal(journal_read(play.dir, &listener, NULL, NULL), 0);
    assert_int_equal(counts[0], 5);
    assert_int_equal(counts[1], 3);
    assert_int_equal(number(&play, "SELECT count FROM finding"), 8);
    follow(&play, 1);
    /* Void games count for nobody, here too. */
    assert_int_equal(number(&play, "SELECT count FROM finding"), 5);
    assert_int_equal(number(&play, "SELECT games FROM conduct WHERE agent = 'ann'"), 5);
    assert_ledger_matches(&play);
    /* Nor one of a testing round, or of a round among who is tied: it would be another's number. */
    for (int round = 1; round < 3; round++) {
        assert_int_equal(db_run(play.p.db, NULL, "UPDATE run SET round = ?1", "i", (int64_t)round),
                         0);
        appeal = appeal_on(&play, play.bob, APPEAL_GAME, three);
        assert_int_equal(appeal_close(play.p.db, appeal, true, round == 1, STR("yes"),
                                      play.p.account, PROOF_NOW, &err),
                         ERR_RULE);
        assert_non_null(strstr(err.msg, "is in no ranking"));
        err = (Err){0};
        assert_int_equal(appeal_close(play.p.db, appeal, false, false, STR("no"), play.p.account,
                                      PROOF_NOW, NULL),
                         0);
    }
    assert_int_equal(db_run(play.p.db, NULL, "UPDATE run SET round = 0", ""), 0);
    /* Of a stage from which another followed none is made void. */
    assert_int_equal(db_run(play.p.db, NULL,
                            "INSERT INTO run(contest, stage, part, round, folder, games, counted)"
                            " VALUES(?1, 'final', 0, 0, 'play', 1, 1)",
                            "i", play.p.place.id),
                     0);
    assert_int_equal(
        appeal_make(play.p.db, play.bob, APPEAL_GAME, six, STR("again"), PROOF_NOW, &appeal, NULL),
        0);
    assert_int_equal(
        appeal_close(play.p.db, appeal, true, false, STR("yes"), play.p.account, PROOF_NOW, NULL),
        ERR_RULE);
    assert_int_equal(appeal_close(play.p.db, appeal, false, false, STR("too late"), play.p.account,
                                  PROOF_NOW, NULL),
                     0);
    close_play(&play);
}

/* All lines of games but the one of this number can't be read any more. */
static void damage_games(const Play *play, uint64_t but)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf own = {0};

    buf_printf(&path, "%s/" JOURNAL_FILE, play->dir);
    buf_printf(&own, "\"game\":%llu,", (unsigned long long)but);
    assert_int_equal(log_file_read(buf_cstr(&path), 1 << 24, &text, NULL), 0);
    FILE *file = fopen(buf_cstr(&path), "w");
    assert_non_null(file);
    for (Str rest = buf_str(&text); rest.len;) {
        const Str line = str_cut(&rest, '\n');
        size_t at;
        const bool bad =
            str_starts(line, STR("{\"record\":\"game\"")) && !str_find(line, buf_str(&own), &at);
        fprintf(file, "%s%.*s\n", bad ? "#" : "", STR_ARG(str_part(line, bad, line.len)));
    }
    assert_int_equal(fclose(file), 0);
}

/* However long the journal is: evidence, a ruling and what it makes void are about lines of their
 * own. Whoever reads another finds it damaged. */
static void of_a_long_journal_one_line_is_read(void **state)
{
    CLEANUP(buf_done) Buf evidence = {0};
    Play play;
    Err err = {0};

    open_play(state, &play);
    add_games(&play, 0, 0, 60, (Deed){.late = 1});
    follow(&play, 7);
    const int64_t game = game_of(&play, 41);
    damage_games(&play, 41);
    assert_true(journal_read(play.dir, &(JournalListener){.user = NULL}, NULL, NULL) == ERR_SYNTAX);
    /* As if it had a record: its line is read for it. */
    assert_int_equal(
        db_exec(play.p.db, "UPDATE game SET exchange_digest = 'x' WHERE game = 41", NULL), 0);
    const int64_t appeal = appeal_on(&play, play.bob, APPEAL_GAME, game);
    if (appeal_gather(play.p.db, &play.p.place, appeal, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(
        db_ask_text(play.p.db, &evidence, NULL, NULL, "SELECT evidence FROM appeal", ""), 0);
    assert_non_null(strstr(buf_cstr(&evidence), "the journal has another game in its place"));
    grant(&play, appeal, false);
    apply(&play);
    follow(&play, 1);
    assert_int_equal(number(&play, "SELECT count FROM finding"), 59);
    assert_int_equal(number(&play, "SELECT games FROM conduct WHERE agent = 'ann'"), 59);
    assert_int_equal(number(&play, "SELECT COUNT(*) FROM game WHERE counted = 1"), 59);
    close_play(&play);
}

/* What the store counts is what the journal says, whatever becomes void when and in pieces of
 * whatever size it is read; also games of a set that was void before they were played. */
static void counts_are_the_journals(void **state)
{
    Play play;

    for (uint64_t seed = 1; seed <= 4; seed++) {
        CLEANUP(ruling_folder_done) RulingFolder folder = {.dir = NULL};
        Rng rng = rng_new(seed);
        uint64_t game = 0;
        open_play(state, &play);
        for (int step = 0; step < 25; step++) {
            const uint64_t what = rng_next(&rng) % 4, of = rng_next(&rng) % (game + 3);
            const OperatorAct act = {.kind = ACT_VOID,
                                     .target = what == 2 ? ACT_OF_SET : ACT_OF_GAME,
                                     .number = what == 2 ? of / 2 : of,
                                     .by = STR("organiser"),
                                     .why = STR("x"),
                                     .at_ms = PROOF_NOW + step};
            Journal *journal = NULL;
            if (what < 2) {
                const uint64_t more = 1 + rng_next(&rng) % 3;
                add_games(&play, 0, game, game + more, (Deed){.late = 1 + (uint32_t)what});
                game += more;
            } else {
                assert_int_equal(journal_continue(play.dir, &journal, NULL), 0);
                assert_int_equal(journal_add_act(journal, &act, NULL), 0);
                assert_int_equal(journal_close(journal, NULL), 0);
            }
            if (rng_next(&rng) % 3 == 0)
                follow(&play, 1 + (uint32_t)(rng_next(&rng) % 5));
        }
        follow(&play, 3);
        assert_int_equal(ruling_folder_open(&folder, play.dir, NULL), 0);
        const AgentConduct *bob = conducts_of(&folder.conducts, 0, STR("bob"));
        const int64_t games = number(&play, "SELECT games FROM conduct WHERE agent = 'bob'");
        const int64_t late = number(&play, "SELECT count FROM finding WHERE rule = 'late'");
        assert_true(game > 10);
        assert_int_equal(games, bob->games);
        assert_int_equal(late, bob->counts[CONDUCT_LATE]);
        assert_int_equal(number(&play, "SELECT COUNT(*) FROM game WHERE counted = 1"), games);
        assert_int_equal(number(&play, "SELECT CAST(SUM(games) AS BIGINT) FROM score"), 3 * games);
        db_exec(play.p.db,
                "DELETE FROM notice; DELETE FROM checkpoint; DELETE FROM ledger;"
                "DELETE FROM follow; DELETE FROM seat; DELETE FROM score; DELETE FROM game;"
                "DELETE FROM run; DELETE FROM imported; DELETE FROM kept_line;"
                "DELETE FROM conduct; DELETE FROM finding; DELETE FROM team;"
                "DELETE FROM contest; DELETE FROM account",
                NULL);
        close_play(&play);
    }
}

/* An act is followed when the rows are there that it is about; a ruling is written when all of the
 * journal is taken over, so that a line that no transaction has noted is not written twice. */
static void what_needs_the_import_waits_for_it(void **state)
{
    Play play;
    uint32_t waiting = 0;
    bool more = false;

    open_play(state, &play);
    add_games(&play, 0, 0, 8, (Deed){.late = 1});
    follow(&play, 100);
    grant(&play, appeal_on(&play, play.bob, APPEAL_GAME, game_of(&play, 3)), false);
    apply(&play);
    assert_int_equal(db_exec(play.p.db, "UPDATE ruling SET applied = NULL", NULL), 0);
    assert_int_equal(rulings_apply(play.p.db, &play.p.place, PROOF_NOW, NULL), 0);
    assert_int_equal(rulings_waiting(play.p.db, play.p.place.id, &waiting, NULL), 0);
    assert_int_equal(waiting, 1);
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(
            play_follow(play.p.db, &play.p.place, &play.plan, 100, PROOF_NOW, &more, NULL), 0);
        assert_true(more);
    }
    assert_int_equal(number(&play, "SELECT count FROM finding"), 8);
    apply(&play); /* the import comes first there */
    follow(&play, 100);
    assert_int_equal(number(&play, "SELECT count FROM finding"), 7);
    assert_ledger_matches(&play);
    close_play(&play);
}

static void add_void_set(const Play *play, uint64_t set)
{
    const OperatorAct act = {.kind = ACT_VOID,
                             .target = ACT_OF_SET,
                             .number = set,
                             .by = STR("organiser"),
                             .why = STR("x"),
                             .at_ms = PROOF_NOW};
    Journal *journal = NULL;

    assert_int_equal(journal_continue(play->dir, &journal, NULL), 0);
    assert_int_equal(journal_add_act(journal, &act, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
}

/* Each game of a set is read again: acts of one turn have no more of them than it has lines. */
static void acts_are_followed_in_turns(void **state)
{
    Play play;
    bool more = true;
    int turns = 0;

    open_play(state, &play);
    add_games(&play, 0, 0, 8, (Deed){.late = 1});
    follow(&play, 100);
    for (uint64_t set = 0; set < 4; set++)
        add_void_set(&play, set);
    import(&play);
    for (; more; turns++)
        assert_int_equal(
            play_follow(play.p.db, &play.p.place, &play.plan, 3, PROOF_NOW, &more, NULL), 0);
    assert_in_range(turns, 4, 5); /* an act and its two games in each; the last may be empty */
    assert_int_equal(number(&play, "SELECT games FROM conduct WHERE agent = 'ann'"), 0);
    close_play(&play);
}

/* An older program followed them without a row of their own: they come when the journal is read
 * once more. */
static void rulings_of_an_earlier_program_get_rows(void **state)
{
    Play play;

    open_play_of(state, TEXT_WITH("false", "note"), &play);
    add_games(&play, 0, 0, 1, (Deed){.crashes = 1});
    rule_by_the_rules(&play, PROOF_NOW);
    follow(&play, 100);
    const uint64_t entries = proof_entries(&play.p);
    for (int old = 1; old >= 0; old--) { /* twice changes nothing */
        if (old)
            db_exec(play.p.db, "DELETE FROM ruling; UPDATE finding SET state = 'PROPOSED'", NULL);
        db_exec(play.p.db, "UPDATE imported SET bytes = 0, lines = 0", NULL);
        follow(&play, 100);
        assert_int_equal(number(&play, "SELECT COUNT(*) FROM ruling WHERE applied IS NOT NULL"), 1);
        assert_text(&play, "SELECT decision FROM ruling", "eliminate");
        assert_text(&play, "SELECT state FROM finding", "RULED");
    }
    assert_true(proof_entries(&play.p) == entries);
    close_play(&play);
}

/* While a store reads its journal once more no appeal is told that there is no record. */
static void evidence_waits_for_the_import(void **state)
{
    CLEANUP(buf_done) Buf evidence = {0};
    Play play;
    int64_t next = 0;

    open_play(state, &play);
    add_games(&play, 0, 0, 4, (Deed){.late = 1});
    follow(&play, 100);
    const int64_t appeal = appeal_on(&play, play.bob, APPEAL_GAME, game_of(&play, 3));
    db_exec(play.p.db,
            "UPDATE game SET exchange_digest = 'x', place = NULL;"
            "UPDATE imported SET bytes = 0, lines = 0",
            NULL);
    for (int known = 0; known < 2; known++) {
        assert_int_equal(appeal_gather(play.p.db, &play.p.place, appeal, NULL), 0);
        assert_int_equal(appeal_next_to_gather(play.p.db, play.p.place.id, &next, NULL), 0);
        assert_true(next == (known ? 0 : appeal));
        import(&play);
    }
    assert_int_equal(
        db_ask_text(play.p.db, &evidence, NULL, NULL, "SELECT evidence FROM appeal", ""), 0);
    assert_non_null(strstr(buf_cstr(&evidence), "the journal has another game in its place"));
    close_play(&play);
}

/* The runner was killed in the middle of a line: what waits for the journal's end does not wait for
 * that of the line. */
static void a_torn_line_holds_up_no_ruling(void **state)
{
    Play play;
    CLEANUP(buf_done) Buf path = {0};

    open_play(state, &play);
    add_games(&play, 0, 0, 1, (Deed){.crashes = 1});
    follow(&play, 100);
    buf_printf(&path, "%s/" JOURNAL_FILE, play.dir);
    FILE *file = fopen(buf_cstr(&path), "a");
    assert_non_null(file);
    fputs("{\"record\":\"game\",\"sta", file);
    assert_int_equal(fclose(file), 0);
    rule(&play, number(&play, "SELECT id FROM finding"), RULING_WARN, "seen");
    apply(&play);
    assert_int_equal(count_rulings(&play), 1);
    follow(&play, 100);
    assert_ledger_matches(&play);
    close_play(&play);
}

/* All teams of a game appeal while rulings wait: it becomes void once. */
static void a_game_becomes_void_once(void **state)
{
    Play play;
    uint32_t counts[2] = {0, 0};
    const JournalListener listener = {.game = count_game, .user = counts};

    open_play(state, &play);
    add_games(&play, 0, 0, 8, (Deed){.late = 1});
    follow(&play, 100);
    const int64_t three = game_of(&play, 3), two = game_of(&play, 2);
    const int64_t of_bob = appeal_on(&play, play.bob, APPEAL_GAME, three);
    const int64_t of_ann = appeal_on(&play, play.ann, APPEAL_GAME, three);
    grant(&play, of_bob, false);
    const uint64_t entries = proof_entries(&play.p);
    grant(&play, of_ann, false);
    assert_true(proof_entries(&play.p) == entries + 1); /* that it is granted */
    assert_last_line(&play.p, "\"decision\":\"grant\"");
    assert_int_equal(number(&play, "SELECT COUNT(*) FROM ruling"), 1);
    apply(&play);
    /* Its set, too, by two of its games. */
    grant(&play, appeal_on(&play, play.bob, APPEAL_GAME, two), true);
    grant(&play, appeal_on(&play, play.ann, APPEAL_GAME, three), true);
    assert_int_equal(number(&play, "SELECT COUNT(*) FROM ruling"), 2);
    apply(&play);
    assert_int_equal(journal_read(play.dir, &listener, NULL, NULL), 0);
    assert_int_equal(counts[1], 2);
    follow(&play, 100);
    assert_ledger_matches(&play);
    close_play(&play);
}

/* The game that a finding came from becomes void, and then somebody rules on it. */
static void a_ruling_outlives_its_game(void **state)
{
    Play play;

    open_play(state, &play);
    add_games(&play, 0, 0, 1, (Deed){.crashes = 1});
    follow(&play, 100);
    const int64_t crash = number(&play, "SELECT id FROM finding"), game = game_of(&play, 0);
    grant(&play, appeal_on(&play, play.bob, APPEAL_GAME, game), false);
    rule(&play, crash, RULING_DISMISS, "our disk");
    /* Dismissed again by an appeal on it, in the same words. */
    grant(&play, appeal_on(&play, play.bob, APPEAL_FINDING, crash), false);
    apply(&play);
    assert_int_equal(count_rulings(&play), 2);
    follow(&play, 100);
    assert_ledger_matches(&play);
    close_play(&play);
}

static void a_granted_finding_is_dismissed(void **state)
{
    Play play;
    int64_t appeal = 0, contest, team;
    uint32_t open;

    open_play(state, &play);
    add_games(&play, 0, 0, 1, (Deed){.crashes = 1});
    follow(&play, 100);
    const int64_t crash = number(&play, "SELECT id FROM finding");
    assert_int_equal(
        appeal_make(play.p.db, play.ann, APPEAL_FINDING, crash, STR("x"), PROOF_NOW, &appeal, NULL),
        ERR_RULE);
    assert_int_equal(
        appeal_make(play.p.db, play.bob, APPEAL_FINDING, crash, STR("x"), PROOF_NOW, &appeal, NULL),
        0);
    assert_int_equal(appeal_gather(play.p.db, &play.p.place, appeal, NULL), 0);
    assert_int_equal(appeal_owner(play.p.db, appeal, &contest, &team, NULL), 0);
    assert_true(contest == play.p.place.id && team == play.bob);
    assert_int_equal(appeal_close(play.p.db, appeal, true, false, STR("our host fell"),
                                  play.p.account, PROOF_NOW, NULL),
                     0);
    assert_text(&play, "SELECT decision FROM ruling", "dismiss");
    assert_int_equal(number(&play, "SELECT appeal FROM ruling"), appeal);
    assert_int_equal(appeals_open(play.p.db, play.p.place.id, &open, NULL), 0);
    assert_int_equal(open, 0);
    /* A rank has nothing of its own to change: only words. */
    assert_int_equal(
        appeal_make(play.p.db, play.bob, APPEAL_RANK, 99, STR("I won"), PROOF_NOW, &appeal, NULL),
        0);
    assert_int_equal(appeal_gather(play.p.db, &play.p.place, appeal, NULL), 0);
    assert_int_equal(appeal_close(play.p.db, appeal, true, false, STR("looked at again"),
                                  play.p.account, PROOF_NOW, NULL),
                     0);
    assert_int_equal(number(&play, "SELECT COUNT(*) FROM ruling"), 1);
    close_play(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(a_journal_becomes_entries_once),
        ON_BOTH(findings_grow_and_are_proposed),
        ON_BOTH(each_decision_reaches_the_journal),
        ON_BOTH(a_journal_under_way_is_left_alone),
        ON_BOTH(an_appeal_makes_a_game_or_a_set_void),
        ON_BOTH(a_granted_finding_is_dismissed),
        ON_BOTH(a_ruling_outlives_its_rate),
        ON_BOTH(each_ruling_has_its_line),
        ON_BOTH(an_elimination_by_the_rules_is_one),
        ON_BOTH(a_reason_has_no_control_characters),
        ON_BOTH(a_game_becomes_void_once),
        ON_BOTH(a_ruling_outlives_its_game),
        ON_BOTH(what_no_journal_can_have_is_closed),
        ON_BOTH(of_a_long_journal_one_line_is_read),
        ON_BOTH(counts_are_the_journals),
        ON_BOTH(what_needs_the_import_waits_for_it),
        ON_BOTH(acts_are_followed_in_turns),
        ON_BOTH(rulings_of_an_earlier_program_get_rows),
        ON_BOTH(evidence_waits_for_the_import),
        ON_SQLITE(a_torn_line_holds_up_no_ruling),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
