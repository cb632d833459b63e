/* test_audit_site.c - a contest with lots and a void game is played by the program itself, told as
 * a site tells it, and audited; then its ledger is changed by somebody who holds the key that
 * signs.
 *
 * Source: docs/spec/contest-operations.md 11.5, O39. */
#include "proof_place.h"

#include "audit/audit.h"
#include "audit/bundle.h"
#include "contest/contest_file.h"
#include "disk/key_file.h"
#include "disk/log_file.h"
#include "runner/job_bundle.h"
#include "site/appeal.h"
#include "site/finding.h"
#include "site/import.h"
#include "site/lot.h"
#include "site/play_follow.h"
#include "site/publication.h"
#include "site/ruling.h"
#include "site/secret.h"

#include <fcntl.h>
#include <jansson.h>
#include <unistd.h>

#define LINES_MAX 200

static ProofPlace p;
static char play[128];
static char *lines[LINES_MAX]; /* as the site has told them */
static size_t line_count;

/* ---- the contest ---- */

static void write_text(const char *path, Str text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fwrite(text.bytes, 1, text.len, file) == text.len);
    fclose(file);
}

static int run(const char *more)
{
    char command[512];

    snprintf(command, sizeof(command), "'%s' run %s/cup.yml --out %s -q %s >%s/run.out 2>&1",
             getenv("WARG"), p.data, play, more, p.data);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_cup(const char *path, const char *entry, const char *opened, const char *closed)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(
        &text,
        "contest: cup2027\n"
        "limits: {time_limit: 30s, startup: 60s}\n"
        "conduct: {sentence: strike, confirm: false, strikes: 1000}\n"
        "agents: [{bot: sample, name: ann}, {bot: sample, name: bob}, {bot: sample, name: eve},"
        " {bot: random, name: cat}, {name: dan, folder: dan, command: \"python3"
        " checked_agent.py -h {host} -p {port} -n {name} --do sentence\"}]\n"
        "stages:\n"
        "  - {name: preliminary, players: 5, games_per_set: 2, sets: 2, lots: {ann: {entry: %s%s},"
        " eve: {entry: e93e2ca2bdba43297f9d3d7fb537877d597228e4953e4aedb3dd737fb46f42d7}}%s}\n"
        "  - {name: final, players: 5, games_per_set: 2, sets: 1}\n",
        entry, opened, closed);
    write_text(path, buf_str(&text));
}

static int take_key(void *user, const JournalKey *key, Err *err)
{
    Key *keys = user;

    (void)err;
    if (key->published)
        keys[key->stage] = key->value;
    return 0;
}

static void play_contest(Plan *plan)
{
    char path[500], entry_hex[KEY_HEX_BYTES], opened[100];
    Key lot;
    Err err = {0};

    memset(lot.bytes, 0x11, sizeof(lot.bytes));
    const Key entry = key_of_lot_entry(STR("ann"), &lot);
    key_to_hex(&entry, entry_hex);
    snprintf(path, sizeof(path), "mkdir %s/dan && cp %s/tests/e2e/agents/checked_agent.py %s/dan",
             p.data, getenv("WARG_SOURCE"), p.data);
    assert_int_equal(system(path), 0);
    snprintf(path, sizeof(path), "%s/cup.yml", p.data);
    snprintf(opened, sizeof(opened), ", lot: \"");
    key_to_hex(&lot, opened + strlen(opened));
    snprintf(opened + strlen(opened), sizeof(opened) - strlen(opened), "\"");
    /* Its programs are fixed first; then lots may be opened. */
    write_cup(path, entry_hex, "", "");
    assert_int_not_equal(run(""), 0);
    write_cup(path, entry_hex, opened, ", lots_closed: true");
    assert_int_equal(run("--resume"), 0);
    CLEANUP(buf_done) Buf text = {0};
    assert_int_equal(log_file_read(path, 1 << 20, &text, NULL), 0);
    assert_int_equal(plan_init(plan, NULL), 0);
    if (contest_text_load(buf_str(&text), p.data, plan, &err))
        fail_msg("%s", err.msg);
}

/* What a site would have told meanwhile, in its order. */
static void tell_contest(Plan *plan)
{
    const Str stages[] = {STR("preliminary"), STR("final")};
    const int64_t ann = proof_team(&p, "ann"), eve = proof_team(&p, "eve");
    proof_team(&p, "dan");
    Key keys[2], lot;
    const JournalListener listener = {.key = take_key, .user = keys};
    char folder[128];
    bool more = true, settled = false;
    Err err = {0};

    assert_int_equal(journal_read(play, &listener, NULL, NULL), 0);
    snprintf(folder, sizeof(folder), "mkdir -p %s/secrets", p.data);
    assert_int_equal(system(folder), 0);
    snprintf(folder, sizeof(folder), "%s/secrets/cup2027", p.data);
    for (int i = 0; i < 2; i++)
        assert_int_equal(key_bytes_write(folder, stages[i].bytes, &keys[i], NULL), 0);
    assert_int_equal(site_ledger_add_texts(p.db, p.place.id, PROOF_NOW, "contest", NULL, "name",
                                           STR("cup2027"), NULL),
                     0);
    assert_int_equal(site_secret_commit(p.db, &p.place, stages, 2, PROOF_NOW, NULL), 0);
    memset(lot.bytes, 0, sizeof(lot.bytes));
    const Key of_eve = {{0xe9, 0x3e, 0x2c, 0xa2, 0xbd, 0xba, 0x43, 0x29, 0x7f, 0x9d, 0x3d,
                         0x7f, 0xb5, 0x37, 0x87, 0x7d, 0x59, 0x72, 0x28, 0xe4, 0x95, 0x3e,
                         0x4a, 0xed, 0xb3, 0xdd, 0x73, 0x7f, 0xb4, 0x6f, 0x42, 0xd7}};
    assert_int_equal(lot_enter(p.db, eve, stages[0], &of_eve, PROOF_NOW, NULL), 0);
    memset(lot.bytes, 0x11, sizeof(lot.bytes));
    const Key of_ann = key_of_lot_entry(STR("ann"), &lot);
    assert_int_equal(lot_enter(p.db, ann, stages[0], &of_ann, PROOF_NOW, NULL), 0);
    assert_int_equal(site_ledger_add_texts(p.db, p.place.id, PROOF_NOW, "freeze", NULL, "stage",
                                           stages[0], NULL),
                     0);
    assert_int_equal(lots_close(p.db, p.place.id, stages[0], STR(""), 1, PROOF_NOW, NULL), 0);
    assert_int_equal(lot_open(p.db, ann, stages[0], &lot, PROOF_NOW, NULL), 0);
    assert_int_equal(lots_settle(p.db, p.place.id, stages[0], PROOF_NOW + 2, &settled, NULL), 0);
    assert_true(settled);
    const ImportFolder games = {.home = p.place, .folder = STAGE_FOLDER};
    if (import_all(p.db, &games, &err))
        fail_msg("%s", err.msg);
    while (more)
        if (play_follow(p.db, &p.place, plan, 10, PROOF_NOW + 2, &more, &err))
            fail_msg("%s", err.msg);
    /* For a strike in the last stage somebody is eliminated, which is dismissed behind that, and
     * dismissed once more. */
    const int64_t strike = proof_id(p.db, "SELECT id FROM finding WHERE rule = 'sentence' AND"
                                          " stage_name = 'final' AND state = 'STRIKE'");
    if (finding_rule(p.db, strike, 0, RULING_ELIMINATE, STR("out"), p.account, PROOF_NOW, &err) ||
        finding_rule(p.db, strike, 0, RULING_DISMISS, STR("a slip of ours"), p.account, PROOF_NOW,
                     &err) ||
        finding_rule(p.db, strike, 0, RULING_DISMISS, STR("so it was"), p.account, PROOF_NOW, &err))
        fail_msg("strike %lld: %s", (long long)strike, err.msg);
    /* A game of the last stage is void. */
    assert_int_equal(db_run(p.db, NULL,
                            "INSERT INTO ruling(team, decision, reason, at, contest, stage_name,"
                            " rule, game) VALUES(?1, 'void', 'a full disk', ?2, ?3, 'final',"
                            " 'game', 1)",
                            "iii", ann, PROOF_NOW, p.place.id),
                     0);
    assert_int_equal(site_ledger_add_texts(p.db, p.place.id, PROOF_NOW + 2, "ruling", NULL, "about",
                                           STR("game"), "stage", STR("final"), "number", STR("1"),
                                           "decision", STR("void"), "reason", STR("a full disk"),
                                           NULL),
                     0);
    if (rulings_apply(p.db, &p.place, PROOF_NOW, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(import_all(p.db, &games, NULL), 0);
    assert_int_equal(play_follow(p.db, &p.place, plan, 100, PROOF_NOW + 2, &more, NULL), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(site_secret_reveal(p.db, &p.place, stages[i], PROOF_NOW + 2, NULL), 0);
    assert_int_equal(site_secret_reveal(p.db, &p.place, STR("evaluation"), PROOF_NOW + 2, NULL), 0);
}

static void keep_lines(void)
{
    CLEANUP(buf_done) Buf text = {0};

    assert_int_equal(site_ledger_lines(p.db, p.place.id, 0, LINES_MAX, 1 << 20, &text, NULL), 0);
    for (Str rest = buf_str(&text); rest.len; line_count++) {
        const Str line = str_cut(&rest, '\n');
        lines[line_count] = strndup(line.bytes, line.len);
    }
}

static int set_up(void **state)
{
    Plan plan;

    if (site_place_set_up(state))
        return -1;
    proof_place_open(state, &p);
    snprintf(play, sizeof(play), "%s/contests/cup2027/play", p.data);
    play_contest(&plan);
    tell_contest(&plan);
    keep_lines();
    plan_done(&plan);
    return 0;
}

static int tear_down(void **state)
{
    for (size_t i = 0; i < line_count; i++)
        free(lines[i]);
    proof_place_close(&p);
    return site_place_tear_down(state);
}

/* ---- whoever holds the key ---- */

typedef struct Told {
    char *lines[LINES_MAX + 10];
    size_t count;
} Told;

static Told copy_told(void)
{
    Told told = {.count = line_count};

    for (size_t i = 0; i < line_count; i++)
        told.lines[i] = strdup(lines[i]);
    return told;
}

/* The first line with both words, at or behind `from`. */
static size_t find(const Told *told, size_t from, const char *a, const char *b)
{
    for (size_t i = from; i < told->count; i++)
        if (strstr(told->lines[i], a) && strstr(told->lines[i], b))
            return i;
    fail_msg("no line has %s and %s", a, b);
    return 0;
}

static void take_out(Told *told, size_t at)
{
    free(told->lines[at]);
    told->count--;
    memmove(&told->lines[at], &told->lines[at + 1], (told->count - at) * sizeof(told->lines[0]));
}

static void put_in(Told *told, size_t at, const char *line)
{
    memmove(&told->lines[at + 1], &told->lines[at], (told->count - at) * sizeof(told->lines[0]));
    told->lines[at] = strdup(line);
    told->count++;
}

static void move(Told *told, size_t from, size_t to)
{
    char *line = strdup(told->lines[from]);

    take_out(told, from);
    put_in(told, to, line);
    free(line);
}

static void change(Told *told, size_t at, const char *from, const char *to)
{
    CLEANUP(buf_done) Buf line = {0};
    const char *found = strstr(told->lines[at], from);

    assert_non_null(found);
    buf_add(&line, (Str){told->lines[at], (size_t)(found - told->lines[at])});
    buf_add(&line, str_of(to));
    buf_add(&line, str_of(found + strlen(from)));
    free(told->lines[at]);
    told->lines[at] = strdup(buf_cstr(&line));
}

/* The same line with its place as its number, and one moment for all. */
static void renumber(const char *line, size_t n, Buf *out)
{
    const char *at = strstr(line, "\"n\":"), *date = strstr(line, "\"at\":\"");

    assert_non_null(at);
    assert_non_null(date);
    date += 6;
    buf_add(out, (Str){line, (size_t)(date - line)});
    buf_add(out, STR("2027-02-02T00:00:00.000Z"));
    date += 24;
    buf_add(out, (Str){date, (size_t)(at + 4 - date)});
    buf_add_uint(out, n);
    at += 4;
    while (*at >= '0' && *at <= '9')
        at++;
    buf_add(out, str_of(at));
}

/* Signs what is told in place of what was, into the folder that is audited. */
static void sign(Told *told)
{
    CLEANUP(buf_done) Buf path = {0};
    Ledger *ledger = NULL;
    Key key;
    char home[128];
    Err err = {0};

    snprintf(home, sizeof(home), "%s/contests/cup2027", p.data);
    assert_int_equal(key_file_read_as(home, LEDGER_KEY_NAME, &key, NULL), 0);
    buf_printf(&path, "rm -f %s/ledger.jsonl %s/checkpoint", play, play);
    assert_int_equal(system(buf_cstr(&path)), 0);
    assert_int_equal(key_file_write_as(play, LEDGER_KEY_NAME, &key, NULL), 0);
    assert_int_equal(ledger_create(play, STR(PROOF_ORIGIN), &ledger, NULL), 0);
    for (size_t i = 0; i < told->count; i++) {
        CLEANUP(buf_done) Buf line = {0};
        renumber(told->lines[i], i, &line);
        if (ledger_append(ledger, buf_str(&line), &err))
            fail_msg("%s: %s", buf_cstr(&line), err.msg);
        free(told->lines[i]);
    }
    assert_int_equal(ledger_close(ledger, NULL), 0);
}

static AuditReport audit_as(const AuditSetup *more)
{
    AuditSetup setup = *more;
    AuditReport report;
    Err err = {0};

    setup.dir = play;
    if (audit_run(&setup, &report, &err))
        fail_msg("%s", err.msg);
    return report;
}

static AuditReport audit(void)
{
    return audit_as(&(AuditSetup){.games = 0});
}

static void assert_found(Told *told, AuditStep step, const char *why)
{
    sign(told);
    const AuditReport report = audit();
    if (report.steps[step].state != AUDIT_CONTRADICTED || !strstr(report.steps[step].text, why))
        fail_msg("step %s: expected '%s', got %d '%s'", audit_step_name(step), why,
                 (int)report.steps[step].state, report.steps[step].text);
}

static void what_was_told_holds(void **state)
{
    Told told = copy_told();

    (void)state;
    sign(&told);
    const AuditReport report = audit();
    for (AuditStep step = AUDIT_FILES; step < AUDIT_STEPS; step++)
        if (report.steps[step].state == AUDIT_CONTRADICTED)
            fail_msg("%s: %s:%u %s", audit_step_name(step), report.steps[step].file,
                     report.steps[step].line, report.steps[step].text);
    assert_int_equal(report.steps[AUDIT_SITE].state, AUDIT_HOLDS);
    assert_true(report.steps[AUDIT_SITE].count >= 10);
    assert_int_equal(report.steps[AUDIT_LEDGER].state, AUDIT_HOLDS);
}

/* An appeal's evidence: by lots, keys and its own line, which the import has kept, a game's
 * exchange record gives its log; by a log that was changed it does not. */
static void an_appeal_plays_its_game_again(void **state)
{
    CLEANUP(buf_done) Buf evidence = {0};
    int given = 0;
    const int64_t games =
        proof_id(p.db, "SELECT COUNT(*) FROM game WHERE exchange_digest <> '' AND place > 0");
    char command[600];
    Err err = {0};

    (void)state;
    assert_true(games >= 4);
    for (int64_t i = 0; i < 2 * games; i++) {
        int64_t game = 0, appeal = 0;
        if (i == games) { /* each log is another's */
            snprintf(command, sizeof(command),
                     "cd %s && cp -r logs kept && last=$(find kept -type f | sort | tail -1) &&"
                     " find logs -type f -exec cp $last '{}' ';'",
                     play);
            assert_int_equal(system(command), 0);
        }
        assert_int_equal(db_ask(p.db, 0, &game, &err,
                                "SELECT id FROM game WHERE exchange_digest <> '' ORDER BY id"
                                " LIMIT 1 OFFSET ?1",
                                "i", i % games),
                         0);
        assert_int_equal(db_ask(p.db, 0, &appeal, &err,
                                "INSERT INTO appeal(team, about, object, text, state, opened)"
                                " SELECT MIN(team), 'game', ?1, 'x', 'OPEN', 1 FROM seat"
                                " WHERE game = ?1 RETURNING id",
                                "i", game),
                         0);
        if (appeal_gather(p.db, &p.place, appeal, &err))
            fail_msg("%s", err.msg);
        buf_clear(&evidence);
        assert_int_equal(db_ask_text(p.db, &evidence, NULL, &err,
                                     "SELECT evidence FROM appeal WHERE id = ?1", "i", appeal),
                         0);
        const bool gives = strstr(buf_cstr(&evidence), "gives the log, byte for byte") != NULL;
        if (i < games && !gives)
            fail_msg("%s", buf_cstr(&evidence));
        given += gives && i >= games;
    }
    assert_true(given <= 1); /* the last one */
    snprintf(command, sizeof(command), "rm -r %s/logs && mv %s/kept %s/logs", play, play, play);
    assert_int_equal(system(command), 0);
}

#define COMMIT "\"type\":\"commit\""
#define LOT    "\"type\":\"lot\""
#define REVEAL "\"type\":\"reveal\""
#define FREEZE "\"type\":\"freeze\""
#define OF(s)  "\"stage\":\"" s "\""

static void each_change_of_secrets_is_found(void **state)
{
    (void)state;
    Told told = copy_told();
    take_out(&told, find(&told, 0, COMMIT, OF("final")));
    assert_found(&told, AUDIT_SITE, "which was not committed to");
    told = copy_told();
    take_out(&told, find(&told, 0, COMMIT, OF("final")));
    take_out(&told, find(&told, 0, REVEAL, OF("final")));
    assert_found(&told, AUDIT_SITE, "no commitment to stage final");
    told = copy_told();
    size_t at = find(&told, 0, COMMIT, OF("final"));
    change(&told, at, "\"value\":\"", "\"value\":\"0");
    assert_found(&told, AUDIT_SITE, "is not the one that line");
    told = copy_told(); /* both, so that they agree, and the journal says another */
    at = find(&told, 0, REVEAL, OF("final"));
    take_out(&told, at);
    Key secret = {{5}};
    char hex[KEY_HEX_BYTES], line[400];
    key_to_hex(&secret, hex);
    snprintf(line, sizeof(line),
             "{\"at\":\"2027-02-02T00:00:00.000Z\",\"n\":0,\"stage\":\"final\",\"type\":\"reveal\","
             "\"value\":\"%s\"}",
             hex);
    put_in(&told, at, line);
    const Key commitment = key_commitment(&secret, STR("cup2027"), STR("final"));
    key_to_hex(&commitment, hex);
    at = find(&told, 0, COMMIT, OF("final"));
    snprintf(line, sizeof(line),
             "{\"at\":\"2027-02-02T00:00:00.000Z\",\"n\":0,\"stage\":\"final\",\"type\":\"commit\","
             "\"value\":\"%s\"}",
             hex);
    take_out(&told, at);
    put_in(&told, at, line);
    assert_found(&told, AUDIT_SITE, "was played by another secret");
    told = copy_told();
    at = find(&told, 0, COMMIT, OF("final"));
    put_in(&told, at + 1, told.lines[at]);
    assert_found(&told, AUDIT_SITE, "was committed to before");
    told = copy_told();
    move(&told, find(&told, 0, COMMIT, OF("final")), find(&told, 0, FREEZE, ""));
    assert_found(&told, AUDIT_SITE, "behind the programs were fixed");
    told = copy_told();
    take_out(&told, find(&told, 0, REVEAL, OF("preliminary")));
    assert_found(&told, AUDIT_SITE, "the secret of stage preliminary was not told");
    told = copy_told();
    move(&told, find(&told, 0, REVEAL, OF("final")), find(&told, 0, "\"type\":\"game\"", ""));
    assert_found(&told, AUDIT_SITE, "a game of stage final behind its secret was told");
}

static void each_change_of_lots_is_found(void **state)
{
    (void)state;
    Told told = copy_told();
    const size_t entered = find(&told, 0, LOT, "\"team\":\"ann\"");
    const size_t opened = find(&told, entered + 1, LOT, "\"team\":\"ann\"");
    const size_t frozen = find(&told, 0, FREEZE, "");
    move(&told, entered, frozen);
    assert_found(&told, AUDIT_SITE, "was entered behind its stage was closed");
    told = copy_told();
    move(&told, opened, frozen);
    assert_found(&told, AUDIT_SITE, "was opened before the programs");
    told = copy_told();
    change(&told, opened, "\"lot\":\"1", "\"lot\":\"2");
    assert_found(&told, AUDIT_SITE, "is not the one that was entered");
    told = copy_told();
    take_out(&told, entered);
    assert_found(&told, AUDIT_SITE, "is not the one that was entered");
    told = copy_told();
    size_t list = find(&told, 0, "\"type\":\"lots\"", "\"eve\":null");
    change(&told, list, ",\"eve\":null", "");
    assert_found(&told, AUDIT_SITE, "the lot of eve is not as it was opened in time");
    told = copy_told();
    change(&told, list, "\"ann\":\"1", "\"ann\":\"2");
    assert_found(&told, AUDIT_SITE, "the lot of ann is not as it was opened in time");
    told = copy_told();
    change(&told, list, "\"eve\":null", "\"eve\":null,\"zoe\":null");
    assert_found(&told, AUDIT_SITE, "a lot of zoe, which entered none");
    told = copy_told();
    move(&told, list, frozen);
    assert_found(&told, AUDIT_SITE, "were told before its programs were fixed");
    told = copy_told(); /* as if it had not come in time */
    take_out(&told, opened);
    list = find(&told, 0, "\"type\":\"lots\"", "\"eve\":null");
    char *value = strstr(told.lines[list], "\"ann\":\"");
    assert_non_null(value);
    char whole[80];
    snprintf(whole, sizeof(whole), "%.*s", 7 + 64 + 1, value);
    change(&told, list, whole, "\"ann\":null");
    assert_found(&told, AUDIT_SITE, "was played with another lot of ann");
    told = copy_told();
    take_out(&told, find(&told, 0, FREEZE, ""));
    assert_found(&told, AUDIT_SITE, "was opened before the programs");
}

static void each_change_of_games_and_rulings_is_found(void **state)
{
    (void)state;
    Told told = copy_told();
    const size_t game = find(&told, 0, "\"type\":\"game\"", "\"winner\":");
    const bool village = strstr(told.lines[game], "VILLAGER") != NULL;
    change(&told, game, village ? "\"winner\":\"VILLAGER\"" : "\"winner\":\"WEREWOLF\"",
           village ? "\"winner\":\"WEREWOLF\"" : "\"winner\":\"VILLAGER\"");
    assert_found(&told, AUDIT_SITE, "says something else than its line");
    told = copy_told();
    change(&told, game, "\"ann\"", "\"amy\"");
    assert_found(&told, AUDIT_SITE, "says something else than its line");
    told = copy_told();
    take_out(&told, game);
    assert_found(&told, AUDIT_LEDGER, "this entry is about another line");
    told = copy_told();
    move(&told, game, game + 1);
    assert_found(&told, AUDIT_LEDGER, "this entry is about another line");
    told = copy_told();
    const size_t ruling = find(&told, 0, "\"type\":\"ruling\"", "\"about\":\"game\"");
    take_out(&told, ruling);
    assert_found(&told, AUDIT_SITE, "game 1 of stage 1 is void, of which the ledger has no entry");
    told = copy_told();
    change(&told, ruling, "a full disk", "a whim");
    assert_found(&told, AUDIT_SITE, "is void, of which the ledger has no entry");
    told = copy_told();
    put_in(&told, ruling, told.lines[ruling]);
    assert_found(&told, AUDIT_SITE, "a ruling that was not carried out");
}

/* "By warg" is no word by which whoever writes the journal makes void what he likes. */
static void a_void_set_without_cause_is_found(void **state)
{
    Told told = copy_told();
    char forged[160], command[400];
    Journal *journal = NULL;
    AuditReport report;
    const OperatorAct act = {.kind = ACT_VOID,
                             .target = ACT_OF_SET,
                             .stage = 1,
                             .by = STR("warg"),
                             .why = STR("its round was not over an hour behind the stage's date"),
                             .at_ms = PROOF_NOW};

    (void)state;
    sign(&told);
    snprintf(forged, sizeof(forged), "%s/forged", p.data);
    snprintf(command, sizeof(command), "cp -r %s %s", play, forged);
    assert_int_equal(system(command), 0);
    assert_int_equal(journal_continue(forged, &journal, NULL), 0);
    assert_int_equal(journal_add_act(journal, &act, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_int_equal(audit_run(&(AuditSetup){.dir = forged}, &report, NULL), 0);
    assert_int_equal(report.steps[AUDIT_SITE].state, AUDIT_CONTRADICTED);
    if (!strstr(report.steps[AUDIT_SITE].text, "set 0 of stage 1 is void as one of a round that "
                                               "came too late, and the stage has no rounds"))
        fail_msg("%s", report.steps[AUDIT_SITE].text);
}

/* "confirm: false" is no word by which whoever writes the journal is rid of whom he likes: dan has
 * strikes, and not so many. */
static void an_elimination_that_the_rules_do_not_give_is_found(void **state)
{
    Told told = copy_told();
    char forged[160], command[400];
    Journal *journal = NULL;
    AuditReport report;
    const JournalRuling ruling = {.stage = 1,
                                  .agent = STR("dan"),
                                  .rule = STR("sentence"),
                                  .decision = RULING_ELIMINATE,
                                  .reason =
                                      STR("by the rules of the contest, without confirmation"),
                                  .at_ms = PROOF_NOW};

    (void)state;
    sign(&told);
    snprintf(forged, sizeof(forged), "%s/forged-ruling", p.data);
    snprintf(command, sizeof(command), "cp -r %s %s", play, forged);
    assert_int_equal(system(command), 0);
    assert_int_equal(journal_continue(forged, &journal, NULL), 0);
    assert_int_equal(journal_add_ruling(journal, &ruling, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_int_equal(audit_run(&(AuditSetup){.dir = forged}, &report, NULL), 0);
    assert_int_equal(report.steps[AUDIT_SITE].state, AUDIT_CONTRADICTED);
    if (!strstr(report.steps[AUDIT_SITE].text,
                "dan is eliminated for 'sentence' by nobody, and the rules don't do so"))
        fail_msg("%s", report.steps[AUDIT_SITE].text);
}

#define CLOSED                                                                                     \
    "{\"about\":\"ruling\",\"at\":\"2027-02-02T00:00:00.000Z\",\"decision\":\"void\",\"n\":0,"     \
    "\"number\":\"1\",\"of\":\"game\",\"reason\":\"a "                                             \
    "slip\",\"stage\":\"final\",\"type\":\"ruling\","                                              \
    "\"why\":\"its journal can't have it\"}"

/* What was not carried out is closed, and shown; what was carried out can't be. */
static void a_ruling_is_closed(void **state)
{
    Told told = copy_told();
    const size_t ruling = find(&told, 0, "\"type\":\"ruling\"", "\"about\":\"game\"");

    (void)state;
    put_in(&told, ruling, told.lines[ruling]);
    put_in(&told, ruling + 2, CLOSED);
    sign(&told);
    AuditReport report = audit();
    assert_int_equal(report.steps[AUDIT_SITE].state, AUDIT_HOLDS);
    assert_non_null(strstr(report.steps[AUDIT_SITE].text, "1 ruling was not carried out, and "));
    told = copy_told();
    put_in(&told, ruling + 1, CLOSED);
    assert_found(&told, AUDIT_SITE, "a ruling is closed that was carried out, or is none");
    told = copy_told(); /* before there is one */
    put_in(&told, ruling, told.lines[ruling]);
    put_in(&told, ruling, CLOSED);
    assert_found(&told, AUDIT_SITE, "a ruling that was not carried out");
}

#define DIGEST(d) d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d

/* The file that held is that of the entry before. */
static void an_amendment_of_another_file_is_found(void **state)
{
    (void)state;
    for (int other = 0; other < 2; other++) {
        Told told = copy_told();
        const size_t contest = find(&told, 0, "\"type\":\"contest\"", "");
        change(&told, contest, "\"key\":", "\"file\":\"" DIGEST("aa") "\",\"key\":");
        put_in(&told, contest + 1,
               other ? "{\"at\":\"2027-02-02T00:00:00.000Z\",\"before\":\"" DIGEST(
                           "cc") "\",\"file\":\"" DIGEST("bb") "\",\"n\":0,\"type\":\"amend\"}"
                     : "{\"at\":\"2027-02-02T00:00:00.000Z\",\"before\":\"" DIGEST(
                           "aa") "\",\"file\":\"" DIGEST("bb") "\",\"n\":0,\"type\":"
                                                               "\"amend\"}");
        if (other) {
            assert_found(&told, AUDIT_SITE, "an amendment of another file than line 1 is about");
            continue;
        }
        sign(&told);
        assert_int_equal(audit().steps[AUDIT_SITE].state, AUDIT_HOLDS);
    }
}

/* A strike, and what was ruled on it. */
static void each_change_of_strikes_is_found(void **state)
{
    (void)state;
    Told told = copy_told();
    const size_t strike = find(&told, 0, "\"type\":\"finding\"", "\"stage\":\"final\"");
    take_out(&told, strike);
    assert_found(&told, AUDIT_SITE,
                 "a strike of dan, 'sentence' in stage final, of which the ledger has no entry");
    told = copy_told();
    change(&told, strike, "\"action\":\"strike\"", "\"action\":\"note\"");
    assert_found(&told, AUDIT_SITE, "a strike of dan, 'sentence' in stage final");
    told = copy_told();
    change(&told, strike, "\"team\":\"dan\"", "\"team\":\"ann\"");
    assert_found(&told, AUDIT_SITE, "a finding of ann, 'sentence', of which the games show less");
    told = copy_told();
    change(&told, strike, "\"count\":", "\"count\":9");
    assert_found(&told, AUDIT_SITE, "a finding of dan, 'sentence', of which the games show less");
    told = copy_told();
    const size_t ruling = find(&told, 0, "\"type\":\"ruling\"", "\"decision\":\"dismiss\"");
    take_out(&told, ruling);
    assert_found(&told, AUDIT_SITE,
                 "a ruling on dan, 'sentence', of which the ledger has no entry");
    told = copy_told();
    change(&told, ruling, "\"decision\":\"dismiss\"", "\"decision\":\"warn\"");
    assert_found(&told, AUDIT_SITE,
                 "a ruling on dan, 'sentence', of which the ledger has no entry");
    told = copy_told();
    change(&told, ruling, "\"team\":\"dan\"", "\"team\":\"ann\"");
    assert_found(&told, AUDIT_SITE,
                 "a ruling on dan, 'sentence', of which the ledger has no entry");
    /* In the journal alone: its entry is about another line. */
    told = copy_told();
    const size_t line = find(&told, ruling + 1, "\"type\":\"ruling\"", "\"line\":");
    take_out(&told, line);
    assert_found(&told, AUDIT_LEDGER, "this entry is about another line");
    told = copy_told(); /* said twice, carried out once */
    put_in(&told, ruling, told.lines[ruling]);
    assert_found(&told, AUDIT_SITE, "a ruling that was not carried out");
}

/* Who kept something finds what even the holder of the key can't mend. */
static void what_others_keep_is_compared(void **state)
{
    Told told = copy_told();
    char kept[160], command[600];
    const char *const files[] = {kept};

    (void)state;
    sign(&told);
    snprintf(kept, sizeof(kept), "%s/kept", p.data);
    snprintf(command, sizeof(command), "cp %s/checkpoint %s", play, kept);
    assert_int_equal(system(command), 0);
    const AuditSetup with_kept = {.checkpoints = files, .checkpoint_count = 1};
    assert_int_equal(audit_as(&with_kept).steps[AUDIT_LEDGER].state, AUDIT_HOLDS);
    CLEANUP(buf_done) Buf key = {0};
    assert_int_equal(site_ledger_key(p.db, p.place.id, &key, NULL), 0);
    assert_int_equal(audit_as(&(AuditSetup){.key = buf_cstr(&key)}).steps[AUDIT_LEDGER].state,
                     AUDIT_HOLDS);
    key.bytes[key.len - 2] = key.bytes[key.len - 2] == 'A' ? 'B' : 'A';
    AuditReport report = audit_as(&(AuditSetup){.key = buf_cstr(&key)});
    assert_int_equal(report.steps[AUDIT_LEDGER].state, AUDIT_CONTRADICTED);
    assert_non_null(strstr(report.steps[AUDIT_LEDGER].text, "signed by another key"));
    /* The same entries in another order, and fewer. */
    told = copy_told();
    move(&told, find(&told, 0, REVEAL, OF("final")), find(&told, 0, REVEAL, OF("preliminary")));
    sign(&told);
    assert_int_equal(audit().steps[AUDIT_LEDGER].state, AUDIT_HOLDS);
    report = audit_as(&with_kept);
    assert_int_equal(report.steps[AUDIT_LEDGER].state, AUDIT_CONTRADICTED);
    assert_non_null(strstr(report.steps[AUDIT_LEDGER].text, "are not those that it signs"));
    told = copy_told();
    take_out(&told, told.count - 1);
    sign(&told);
    report = audit_as(&with_kept);
    assert_non_null(strstr(report.steps[AUDIT_LEDGER].text, "entries were taken away"));
    /* Those that a bundle brings along. */
    snprintf(command, sizeof(command), "mkdir %s/checkpoints && cp %s %s/checkpoints/5", play, kept,
             play);
    assert_int_equal(system(command), 0);
    report = audit();
    assert_int_equal(report.steps[AUDIT_LEDGER].state, AUDIT_CONTRADICTED);
    assert_string_equal(report.steps[AUDIT_LEDGER].file, "checkpoints/5");
    snprintf(command, sizeof(command), "rm -r %s/checkpoints", play);
    assert_int_equal(system(command), 0);
}

/* ---- published ---- */

static void digest_of(const char *path, char ret_hex[static SHA256_HEX_BYTES])
{
    CLEANUP(buf_done) Buf text = {0};
    const int fd = open(path, O_RDONLY);
    char piece[4096];
    ssize_t n;

    assert_true(fd >= 0);
    while ((n = read(fd, piece, sizeof(piece))) > 0)
        buf_add(&text, (Str){piece, (size_t)n});
    close(fd);
    assert_int_equal(sha256_hex(buf_str(&text), ret_hex, NULL), 0);
}

static void make_bundle(const char *name, char ret_hex[static SHA256_HEX_BYTES])
{
    char site[128], out[160], command[400], archive[200];
    Err err = {0};

    snprintf(site, sizeof(site), "%s/contests/cup2027", p.data);
    snprintf(out, sizeof(out), "%s/%s/cup2027", p.data, name);
    snprintf(command, sizeof(command), "mkdir -p %s/%s", p.data, name);
    assert_int_equal(system(command), 0);
    if (bundle_write(&(BundleSetup){.dir = play, .site = site, .out = out}, &err))
        fail_msg("%s", err.msg);
    snprintf(archive, sizeof(archive), "%s.tar.gz", out);
    digest_of(archive, ret_hex);
}

static void put_source(const char *team, const char *consent)
{
    char folder[200], blob[260], command[600];

    snprintf(folder, sizeof(folder), "%s/blobs/3f", p.data);
    snprintf(blob, sizeof(blob), "%s/3f%s", folder, team);
    snprintf(command, sizeof(command), "mkdir -p %s && echo %s >%s", folder, team, blob);
    assert_int_equal(system(command), 0);
    assert_int_equal(db_run(p.db, NULL,
                            "UPDATE team SET finalist = 1, consent = ?2 WHERE name = ?1", "tt",
                            str_of(team), str_of(consent)),
                     0);
    snprintf(blob, sizeof(blob), "3f%s", team);
    assert_int_equal(db_run(p.db, NULL,
                            "INSERT INTO document(team, kind, number, blob, media, licence, at)"
                            " SELECT id, 'source', 1, ?2, 'application/zip', 'MIT', 1 FROM team"
                            " WHERE name = ?1",
                            "tt", str_of(team), str_of(blob)),
                     0);
}

static bool is_there(const char *bundle, const char *name)
{
    char path[300];

    snprintf(path, sizeof(path), "%s/%s/cup2027/%s", p.data, bundle, name);
    return access(path, F_OK) == 0;
}

static void a_bundle_holds_and_is_the_same_bytes_each_time(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(contest_rules_done) SiteRules rules = {.natural_language = false};
    SiteLedger *ledger = NULL;
    char path[200], first[SHA256_HEX_BYTES], second[SHA256_HEX_BYTES];
    bool proven = true;
    AuditReport report;
    Err err = {0};

    (void)state;
    snprintf(path, sizeof(path), "%s/cup.yml", p.data);
    assert_int_equal(log_file_read(path, 1 << 20, &text, NULL), 0);
    if (contest_rules_read(buf_str(&text), ".", &rules, &err))
        fail_msg("%s", err.msg);
    put_source("ann", "{\"source\":true}");
    put_source("eve", "{\"source\":false}"); /* stays its own */
    assert_int_equal(site_ledger_open(p.db, p.data, &ledger, &err), 0);
    assert_int_equal(site_ledger_flush(ledger, p.db, PROOF_NOW, NULL), 0);
    if (publication_ask(p.db, &p.place, &rules, NULL, PROOF_NOW, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(proof_id(p.db, "SELECT COUNT(*) FROM job WHERE kind = 'bundle'"), 1);
    assert_int_equal(publication_ask(p.db, &p.place, &rules, NULL, PROOF_NOW, NULL), 0); /* once */
    assert_int_equal(proof_id(p.db, "SELECT COUNT(*) FROM job WHERE kind = 'bundle'"), 1);
    make_bundle("one", first);
    assert_int_equal(system("sleep 1.1"), 0); /* times of files differ */
    make_bundle("two", second);
    assert_string_equal(first, second);
    assert_true(is_there("one", "ledger.jsonl") && is_there("one", "checkpoint") &&
                is_there("one", "contest.yml") && is_there("one", "rules/rules.yml") &&
                is_there("one", "results.json") && is_there("one", "ranking.csv") &&
                is_there("one", "sources.json") && is_there("one", "sources/ann/source.zip"));
    assert_false(is_there("one", "sources/eve/source.zip"));
    assert_false(is_there("one", "secret"));
    snprintf(path, sizeof(path), "%s/one/cup2027", p.data);
    assert_int_equal(audit_run(&(AuditSetup){.dir = path}, &report, &err), 0);
    for (AuditStep step = AUDIT_FILES; step < AUDIT_STEPS; step++)
        if (report.steps[step].state == AUDIT_CONTRADICTED)
            fail_msg("%s: %s:%u %s", audit_step_name(step), report.steps[step].file,
                     report.steps[step].line, report.steps[step].text);
    assert_int_equal(report.steps[AUDIT_FILES].state, AUDIT_HOLDS);
    assert_int_equal(report.steps[AUDIT_SITE].state, AUDIT_HOLDS);
    /* The runner's job makes the same, and audits it. */
    CLEANUP(buf_done) Buf told = {0};
    Json json = json_over(&told);
    json_t *asked = json_pack("{s:s}", "contest", "cup2027");
    const JobPlace place = {.data = p.data, .id = "J", .folder = p.data, .out = p.data};
    json_open(&json, '{');
    if (job_bundle(&place, asked, &json, &err))
        fail_msg("%s", err.msg);
    json_close(&json);
    json_decref(asked);
    json_t *made = json_loadb(told.bytes, told.len, 0, NULL);
    assert_true(json_is_true(json_object_get(made, "holds")));
    assert_string_equal(json_string_value(json_object_get(made, "archive")), first);
    assert_int_equal(strlen(json_string_value(json_object_get(made, "manifest"))), 64);
    json_decref(made);
    asked = json_pack("{s:s}", "contest", "../x");
    assert_int_equal(job_bundle(&place, asked, &json, NULL), ERR_SYNTAX);
    json_decref(asked);
    /* What came of it; another entry, and it says nothing any more. */
    assert_int_equal(publication_proven(p.db, p.place.id, &proven, NULL), 0);
    assert_false(proven);
    JobRow job = {.contest = p.place.id};
    assert_int_equal(
        db_ask_text(p.db, &job.id, NULL, NULL, "SELECT id FROM job WHERE kind = 'bundle'", ""), 0);
    /* It fails, and so does one that took its place: that one is waited for. */
    const JobOutcome failed = {.state = JOB_FAILED, .why = STR("no room")};
    JobRow retried = {.contest = p.place.id};
    buf_add(&retried.id, STR("01RETRIED"));
    assert_int_equal(publication_take(p.db, &job, &failed, PROOF_NOW, NULL, NULL), 0);
    assert_int_equal(publication_take(p.db, &retried, &failed, PROOF_NOW, NULL, NULL), 0);
    assert_int_equal(proof_id(p.db,
                              "SELECT COUNT(*) FROM publication WHERE state = 'FAILED' AND job ="
                              " '01RETRIED'"),
                     1);
    buf_done(&retried.id);
    json_t *result = json_pack("{s:s, s:b}", "manifest", first, "holds", 1);
    const JobOutcome outcome = {.state = JOB_DONE, .result = result};
    assert_int_equal(publication_take(p.db, &job, &outcome, PROOF_NOW, NULL, NULL), 0);
    json_decref(result);
    assert_int_equal(publication_proven(p.db, p.place.id, &proven, NULL), 0);
    assert_true(proven);
    assert_int_equal(publication_end(p.db, p.place.id, PROOF_NOW, NULL), 0);
    assert_last_line(&p, "\"type\":\"end\"");
    assert_int_equal(publication_proven(p.db, p.place.id, &proven, NULL), 0);
    assert_false(proven);
    buf_done(&job.id);
    assert_int_equal(site_ledger_close(ledger, p.db, PROOF_NOW, NULL), 0);
}

int main(void)
{
    /* One contest for all; the store says nothing here. */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_told_holds),
        cmocka_unit_test(an_appeal_plays_its_game_again),
        cmocka_unit_test(each_change_of_secrets_is_found),
        cmocka_unit_test(each_change_of_lots_is_found),
        cmocka_unit_test(each_change_of_games_and_rulings_is_found),
        cmocka_unit_test(a_void_set_without_cause_is_found),
        cmocka_unit_test(an_elimination_that_the_rules_do_not_give_is_found),
        cmocka_unit_test(a_ruling_is_closed),
        cmocka_unit_test(an_amendment_of_another_file_is_found),
        cmocka_unit_test(each_change_of_strikes_is_found),
        cmocka_unit_test(what_others_keep_is_compared),
        cmocka_unit_test(a_bundle_holds_and_is_the_same_bytes_each_time),
    };
    static SitePlace *place = &site_places[0];
    static void *state = NULL;

    state = place;
    if (set_up(&state))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tear_down(&state) || failed ? 1 : 0;
}
