#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "disk/log_file.h"
#include "journal/journal_line.h"
#include "prop.h"

#define PLAN STR("{\"games\":3,\"rules\":\"aiwolf-2021\"}")

/* ---- a folder for each test ---- */

typedef struct Place {
    char dir[64];
    char path[160];
} Place;

static int set_up(void **state)
{
    Place *place = mem_new(sizeof(*place));

    snprintf(place->dir, sizeof(place->dir), "/tmp/warg-journal-XXXXXX");
    *state = place;
    return mkdtemp(place->dir) ? 0 : -1;
}

static void remove_files(const char *dir)
{
    char path[512];
    DIR *listing = opendir(dir);
    struct dirent *entry;

    while (listing && (entry = readdir(listing))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
        if (unlink(path) != 0) {
            remove_files(path);
            rmdir(path);
        }
    }
    if (listing)
        closedir(listing);
}

static int tear_down(void **state)
{
    Place *place = *state;

    remove_files(place->dir);
    assert_int_equal(rmdir(place->dir), 0);
    mem_free(place);
    return 0;
}

static const char *in_place(Place *place, const char *name)
{
    snprintf(place->path, sizeof(place->path), "%s/%s", place->dir, name);
    return place->path;
}

static void read_file(Place *place, const char *name, Buf *ret_text)
{
    Err err = {0};

    buf_clear(ret_text);
    if (log_file_read(in_place(place, name), 1u << 30, ret_text, &err))
        fail_msg("%s", err.msg);
}

static void write_file(Place *place, const char *name, Str text)
{
    assert_int_equal(log_file_write(in_place(place, name), text, NULL), 0);
}

/* ---- records ---- */

static const Str names[] = {
    {"ann", 3}, {"bob", 3}, {"\xE4\xBA\xBA\xE7\x8B\xBC", 6}, {"a \"b\"\\c", 7}, {"\t", 1}};
enum { NAME_COUNT = sizeof(names) / sizeof(names[0]) };

static uint32_t sometimes(Rng *rng, uint32_t below)
{
    return rng_below(rng, 3) ? 0 : rng_below(rng, below);
}

static void random_seat(Rng *rng, SeatNo seat, GameRecord *ret)
{
    SeatRecord *own = &ret->seats[seat];

    ret->result.names[seat] = names[rng_below(rng, NAME_COUNT)];
    ret->result.roles[seat] = (Role)(1 + rng_below(rng, ROLE_COUNT - 1));
    ret->result.points[seat] = (int32_t)sometimes(rng, UINT32_MAX);
    own->outside = rng_below(rng, 2);
    own->kind = (SeatKind)rng_below(rng, SEAT_KIND_COUNT);
    own->team = rng_below(rng, 2) ? names[rng_below(rng, NAME_COUNT)] : (Str){0};
    own->model = rng_below(rng, 2) ? STR("llama3.1:8b") : (Str){0};
    own->own = sometimes(rng, UINT32_MAX);
    own->decisions = own->own + sometimes(rng, UINT32_MAX);
    for (ModelFigure figure = FIGURE_REQUESTS; figure < FIGURE_COUNT; figure++)
        own->figures.of[figure] = sometimes(rng, UINT32_MAX);
    own->failed = rng_below(rng, 2);
    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        own->faults[kind] = sometimes(rng, UINT32_MAX);
    own->excesses = sometimes(rng, 100);
    own->excused = sometimes(rng, 100);
    own->waited_ms = sometimes(rng, UINT32_MAX);
    for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES; rule++)
        own->findings[rule] = sometimes(rng, UINT32_MAX);
    for (uint32_t i = sometimes(rng, 200); i > 0; i--)
        durations_add(&own->times, rng_next(rng) >> (20 + rng_below(rng, 44)));
}

/* Counts that one game can give. */
static void random_play(Rng *rng, SeatPlay *ret)
{
    do {
        for (PlayCount count = 0; count < PLAY_COUNTS; count++)
            ret->of[count] = (uint16_t)rng_below(rng, count < PLAY_FIRSTS ? 5 - count / 2 : 2);
    } while (!seat_play_possible(ret));
}

static void random_game(Rng *rng, uint64_t number, GameRecord *ret)
{
    GameResult *result = &ret->result;

    memset(ret, 0, sizeof(*ret));
    ret->division = (GameDivision)rng_below(rng, DIVISION_COUNT);
    snprintf(ret->ruleset, sizeof(ret->ruleset), "%s", rng_below(rng, 2) ? "nlp-turn" : "");
    snprintf(ret->id, sizeof(ret->id), "%s", rng_below(rng, 2) ? "01KDE" : "");
    ret->is_void = rng_below(rng, 2);
    ret->began_at_ms = (int64_t)sometimes(rng, UINT32_MAX);
    ret->stage = rng_below(rng, 3);
    ret->set = rng_next(rng) >> (1 + rng_below(rng, 63));
    ret->game = number;
    ret->ended_at_ms = (int64_t)(rng_next(rng) % 253402300800000u);
    ret->reason = (EndReason)rng_below(rng, 4);
    result->seat_count = (SeatNo)(1 + rng_below(rng, SEAT_MAX));
    result->winner = (Side)rng_below(rng, SIDE_OTHERS + 1);
    result->last_day = (uint16_t)rng_below(rng, 65536);
    result->revote_days = (uint16_t)sometimes(rng, 65536);
    result->execution_days = (uint16_t)sometimes(rng, 65536);
    result->attacks = (uint16_t)sometimes(rng, 65536);
    result->attack_kills = (uint16_t)sometimes(rng, 65536);
    if (rng_below(rng, 2))
        snprintf(ret->log, sizeof(ret->log), "logs/%llu.log", (unsigned long long)number);
    if (ret->log[0] && rng_below(rng, 2)) {
        ret->exchange = STR("{}\n");
        sha256_hex(STR("log\n"), ret->log_sha256, NULL);
        sha256_hex(ret->exchange, ret->exchange_sha256, NULL);
    }
    for (SeatNo seat = 1; seat <= result->seat_count; seat++)
        random_seat(rng, seat, ret);
    result->has_play = rng_below(rng, 2);
    for (SeatNo seat = 1; result->has_play && seat <= result->seat_count; seat++)
        random_play(rng, &result->play[seat]);
}

static bool same_seat(const GameRecord *a, const GameRecord *b, SeatNo seat)
{
    const SeatRecord *left = &a->seats[seat], *right = &b->seats[seat];

    return str_eq(a->result.names[seat], b->result.names[seat]) &&
           a->result.roles[seat] == b->result.roles[seat] &&
           a->result.points[seat] == b->result.points[seat] && left->outside == right->outside &&
           left->failed == right->failed && left->excesses == right->excesses &&
           left->excused == right->excused && left->waited_ms == right->waited_ms &&
           left->kind == right->kind && str_eq(left->team, right->team) &&
           str_eq(left->model, right->model) && left->decisions == right->decisions &&
           left->own == right->own && a->result.has_play == b->result.has_play &&
           memcmp(&a->result.play[seat], &b->result.play[seat], sizeof(SeatPlay)) == 0 &&
           memcmp(&left->figures, &right->figures, sizeof(left->figures)) == 0 &&
           memcmp(left->faults, right->faults, sizeof(left->faults)) == 0 &&
           memcmp(left->findings, right->findings, sizeof(left->findings)) == 0 &&
           memcmp(&left->times, &right->times, sizeof(left->times)) == 0;
}

static bool same_game(const GameRecord *a, const GameRecord *b)
{
    const GameResult *left = &a->result, *right = &b->result;
    bool same = a->stage == b->stage && a->set == b->set && a->game == b->game &&
                a->division == b->division && strcmp(a->ruleset, b->ruleset) == 0 &&
                strcmp(a->id, b->id) == 0 && strcmp(a->log_sha256, b->log_sha256) == 0 &&
                strcmp(a->exchange_sha256, b->exchange_sha256) == 0 && a->is_void == b->is_void &&
                a->began_at_ms == b->began_at_ms && a->ended_at_ms == b->ended_at_ms &&
                a->reason == b->reason && strcmp(a->log, b->log) == 0 &&
                left->seat_count == right->seat_count && left->winner == right->winner &&
                left->last_day == right->last_day && left->revote_days == right->revote_days &&
                left->execution_days == right->execution_days && left->attacks == right->attacks &&
                left->attack_kills == right->attack_kills;

    for (SeatNo seat = 1; same && seat <= left->seat_count; seat++)
        same = same_seat(a, b, seat);
    return same;
}

/* A plain game of three. */
static GameRecord *small_game(uint64_t number, const char *log)
{
    GameRecord *game = mem_new(sizeof(*game));

    game->game = number;
    game->ended_at_ms = INT64_C(1785542400000) + (int64_t)number;
    game->result = (GameResult){
        .seat_count = 3,
        .winner = SIDE_VILLAGER,
        .last_day = 2,
        .roles = {0, ROLE_WEREWOLF, ROLE_SEER, ROLE_VILLAGER},
        .names = {{0}, STR("ann"), STR("bob"), STR("cat")},
    };
    snprintf(game->log, sizeof(game->log), "%s", log);
    return game;
}

static int add_small(Journal *journal, uint64_t number, const char *log, Str text, Err *err)
{
    CLEANUP(mem_freep) GameRecord *game = small_game(number, log);

    return journal_add_game(journal, game, text, err);
}

/* ---- hearing ---- */

#define HEARD_MAX 4096

typedef struct Heard {
    uint64_t plans, sets, games, notes, ends, keys, lots, rulings, findings, cells, trials, stops;
    uint64_t numbers[HEARD_MAX]; /* of the games, in their order */
    GameRecord *expected;        /* when set: game number n must be expected[n] */
    bool differs;
    Buf plan;
} Heard;

static void heard_done(Heard *heard)
{
    buf_done(&heard->plan);
}

static int hear_plan(void *user, Str plan, Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->plans++;
    buf_clear(&heard->plan);
    buf_add(&heard->plan, plan);
    return 0;
}

static int hear_set(void *user, uint32_t stage, uint64_t set, SeatNo count, const Str *agents,
                    Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->sets++;
    heard->differs |= stage != 1 || set != 7 || count != NAME_COUNT;
    for (SeatNo seat = 1; seat <= count; seat++)
        heard->differs |= !str_eq(agents[seat], names[seat - 1]);
    return 0;
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    Heard *heard = user;

    (void)err;
    if (heard->expected)
        heard->differs |= !same_game(record, &heard->expected[record->game]);
    if (heard->games < 4096)
        heard->numbers[heard->games] = record->game;
    heard->games++;
    return 0;
}

static int hear_note(void *user, Str text, Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->notes++;
    heard->differs |= text.len == 0;
    return 0;
}

static int hear_end(void *user, uint64_t games, Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->ends += games > 0;
    return 0;
}

static int hear_key(void *user, const JournalKey *key, Err *err)
{
    Heard *heard = user;
    const Key expected = key_of_seed(key->part);

    (void)err;
    heard->keys++;
    heard->differs |= key->published != (key->part == 7) || key->stage != (key->part == 7 ? 15 : 0);
    heard->differs |= memcmp(&key->value, &expected, sizeof(expected)) != 0;
    return 0;
}

static int hear_lots(void *user, const JournalLots *lots, Err *err)
{
    Heard *heard = user;
    const Key expected = key_of_seed(5);

    (void)err;
    heard->lots++;
    heard->differs |=
        lots->stage != 3 || lots->count != 2 || !str_eq(lots->items[0].name, STR("b"));
    heard->differs |= !lots->items[0].there || lots->items[1].there;
    heard->differs |= memcmp(&lots->items[0].key, &expected, sizeof(expected)) != 0;
    heard->differs |= !str_eq(lots->beacon, lots->frozen ? (Str){0} : STR("12 \xE3\x81\x82"));
    return 0;
}

static int hear_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->rulings++;
    heard->differs |= ruling->stage != 2 || !str_eq(ruling->agent, STR("b")) ||
                      !str_eq(ruling->rule, STR("crash")) || ruling->at_ms != 1234567 ||
                      ruling->decision != RULING_ELIMINATE ||
                      !str_eq(ruling->reason, STR("it \"ended\""));
    return 0;
}

static int hear_findings(void *user, const JournalFindings *findings, Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->findings++;
    heard->differs |= findings->stage != 2 || findings->set != 7 || findings->bytes == 0 ||
                      strlen(findings->sha256) != 64;
    return 0;
}

static int hear_trial(void *user, const JournalTrial *trial, Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->trials++;
    heard->differs |= strcmp(trial->challenger, "b \xE3\x81\x82") != 0 ||
                      trial->test.elo0 != -12.5 || trial->test.elo1 != 0.000001 ||
                      trial->test.alpha != 0.05 || trial->test.beta != 0.000001 ||
                      trial->sets != 40;
    return 0;
}

static int hear_stop(void *user, const JournalStop *stop, Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->stops++;
    heard->differs |= stop->stage != 3 || stop->rounds != 31 || stop->date_ms != 1234000 ||
                      stop->at_ms != 1234567;
    return 0;
}

static int hear_cell(void *user, const JournalCell *cell, Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->cells++;
    heard->differs |= !str_eq(cell->level, STR("namespaces")) ||
                      !str_eq(cell->layers, STR("memory v1, \"more\""));
    return 0;
}

static JournalListener listener_of(Heard *heard)
{
    return (JournalListener){.plan = hear_plan,
                             .set = hear_set,
                             .game = hear_game,
                             .note = hear_note,
                             .end = hear_end,
                             .key = hear_key,
                             .lots = hear_lots,
                             .ruling = hear_ruling,
                             .findings = hear_findings,
                             .cell = hear_cell,
                             .trial = hear_trial,
                             .stop = hear_stop,
                             .user = heard};
}

/* ---- records survive ---- */

static bool random_records_come_back(Rng *rng, unsigned size)
{
    char dir[] = "/tmp/warg-journal-XXXXXX";
    CLEANUP(mem_freep) GameRecord *games = mem_new(size * sizeof(*games));
    CLEANUP(heard_done) Heard heard = {.expected = games};
    JournalListener listener = listener_of(&heard);
    JournalEnd end = {0};
    Journal *journal = NULL;
    Str agents[SEAT_MAX + 1] = {0};
    Err err = {0};

    memcpy(agents + 1, names, sizeof(names));
    bool ok = mkdtemp(dir) && journal_begin(dir, PLAN, &journal, &err) == 0;
    ok = ok && journal_add_set(journal, 1, 7, NAME_COUNT, agents, &err) == 0;
    for (unsigned i = 0; i < size && ok; i++) {
        random_game(rng, i, &games[i]);
        ok = journal_add_game(journal, &games[i], STR("log\n"), &err) == 0;
    }
    ok = ok && journal_add_note(journal, (Str){"a\0b\xFF\n", 5}, &err) == 0;
    const JournalKey published = {7, 15, true, key_of_seed(7)},
                     committed = {8, 0, false, key_of_seed(8)};
    ok = ok && journal_add_key(journal, &published, &err) == 0;
    ok = ok && journal_add_key(journal, &committed, &err) == 0;
    const NamedKey items[] = {{STR("b"), key_of_seed(5), true}, {.name = STR("a")}};
    JournalLots lots = {.stage = 3, .frozen = true, .items = items, .count = 2};
    ok = ok && journal_add_lots(journal, &lots, &err) == 0;
    lots.frozen = false;
    lots.beacon = STR("12 \xE3\x81\x82");
    ok = ok && journal_add_lots(journal, &lots, &err) == 0;
    const JournalRuling ruling = {
        2, STR("b"), STR("crash"), RULING_ELIMINATE, STR("it \"ended\""), 1234567};
    ok = ok && journal_add_ruling(journal, &ruling, &err) == 0;
    const JournalCell cell = {STR("namespaces"), STR("memory v1, \"more\"")};
    ok = ok && journal_add_cell(journal, &cell, &err) == 0;
    const JournalTrial trial = {"b \xE3\x81\x82", {-12.5, 0.000001, 0.05, 0.000001}, 40};
    ok = ok && journal_add_trial(journal, &trial, &err) == 0;
    const JournalStop stop = {3, 31, 1234000, 1234567};
    ok = ok && journal_add_stop(journal, &stop, &err) == 0;
    const FindingTotal total = {FINDING_WRITE, STR("b"), 101};
    ok = ok && journal_end_findings(journal, 0, 2, 7, &total, 1, &err) == 0;
    ok = ok && journal_end_findings(journal, 0, 2, 7, NULL, 0, &err) == 0; /* nothing new */
    ok = ok && journal_add_end(journal, size, &err) == 0;
    ok = journal_close(journal, &err) == 0 && ok;
    ok = ok && journal_read(dir, &listener, &end, &err) == 0;
    remove_files(dir);
    rmdir(dir);
    if (err.code)
        print_message("%s\n", err.msg);
    return ok && !heard.differs && heard.plans == 1 && heard.sets == 1 && heard.games == size &&
           heard.notes == 1 && heard.keys == 2 && heard.lots == 2 && heard.rulings == 1 &&
           heard.ends == 1 && heard.findings == 1 && heard.cells == 1 && heard.trials == 1 &&
           heard.stops == 1 && !end.torn && end.lines == size + 13 &&
           str_eq(buf_str(&heard.plan), PLAN);
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    prop_check(random_records_come_back, 40, 12);
}

static void times_are_those_of_the_calendar(void **state)
{
    static const struct {
        int64_t ms;
        const char *text;
    } times[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {951782399999, "2000-02-28T23:59:59.999Z"},
        {951782400000, "2000-02-29T00:00:00.000Z"},
        {951868800000, "2000-03-01T00:00:00.000Z"},
        {4107542400000, "2100-03-01T00:00:00.000Z"},
        {1785542400123, "2026-08-01T00:00:00.123Z"},
        {253402300799999, "9999-12-31T23:59:59.999Z"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        CLEANUP(mem_freep) GameRecord *game = small_game(1, "");
        CLEANUP(buf_done) Buf line = {0};
        char member[64];
        game->ended_at_ms = times[i].ms;
        assert_int_equal(journal_line_game(game, &line, NULL), 0);
        snprintf(member, sizeof(member), "\"ended\":\"%s\"", times[i].text);
        if (!strstr(buf_cstr(&line), member))
            fail_msg("%s is not in %s", member, buf_cstr(&line));
    }
}

static void assert_not_written(Journal *journal, const GameRecord *game, int code, const char *says)
{
    Err err = {0};

    assert_int_equal(journal_add_game(journal, game, STR(""), &err), code);
    if (!strstr(err.msg, says))
        fail_msg("'%s' does not say '%s'", err.msg, says);
}

static void what_could_not_be_read_back_is_not_written(void **state)
{
    Place *place = *state;
    CLEANUP(mem_freep) GameRecord *game = small_game(0, "");
    Journal *journal = NULL;
    Err err = {0};

    assert_int_equal(journal_begin(place->dir, STR("[1]"), &journal, &err), ERR_RULE);
    assert_string_equal(err.msg, "the plan of a journal must be a JSON object on one line");
    assert_int_equal(journal_begin(place->dir, STR("{\n}"), &journal, NULL), ERR_RULE);
    assert_int_equal(journal_begin(place->dir, STR(""), &journal, NULL), ERR_RULE);
    assert_int_equal(access(in_place(place, JOURNAL_FILE), F_OK), -1);
    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    game->result.names[2] = STR("");
    assert_not_written(journal, game, ERR_RULE, "seat 2: the name has 0 bytes; 1 to ");
    game->result.names[2] = STR("\xFF");
    assert_not_written(journal, game, ERR_RULE, "seat 2: the name is not UTF-8 text");
    game->result.names[2] = STR("b");
    game->result.roles[2] = ROLE_NONE;
    assert_not_written(journal, game, ERR_RULE, "seat 2 has no role");
    game->result.roles[2] = ROLE_SEER;
    game->ended_at_ms = -1;
    assert_not_written(journal, game, ERR_LIMIT, "a game can't end at -1 ms");
    game->ended_at_ms = 0;
    game->began_at_ms = -1;
    assert_not_written(journal, game, ERR_LIMIT, "a game can't begin at -1 ms");
    game->began_at_ms = 0;
    snprintf(game->id, sizeof(game->id), "\xFF");
    assert_not_written(journal, game, ERR_RULE,
                       "the ruleset or the id of a game is not UTF-8 text");
    game->id[0] = '\0';
    game->result.seat_count = 0;
    assert_not_written(journal, game, ERR_RULE, "a game of 0 players");
    game->result.seat_count = 3;
    snprintf(game->log, sizeof(game->log), "logs/../../x.log");
    assert_not_written(journal, game, ERR_RULE, "the log's path leads out of the folder");
    snprintf(game->log, sizeof(game->log), "/x.log");
    assert_int_equal(journal_add_game(journal, game, STR(""), NULL), ERR_RULE);
    game->log[0] = '\0';
    assert_int_equal(journal_add_game(journal, game, STR(""), NULL), 0);
    err = (Err){0};
    assert_int_equal(journal_add_end(journal, UINT64_MAX, &err), ERR_LIMIT);
    assert_non_null(strstr(err.msg, " 18446744073709551615 is too large"));
    CLEANUP(buf_done) Buf note = {0};
    for (size_t i = 0; i < JOURNAL_LINE_MAX; i++)
        buf_add_char(&note, 'x');
    err = (Err){0};
    assert_int_equal(journal_add_note(journal, buf_str(&note), &err), ERR_LIMIT);
    assert_non_null(strstr(err.msg, "journal: a line of "));
    assert_int_equal(journal_close(journal, NULL), 0);
    JournalEnd end;
    JournalListener deaf = {0};
    assert_int_equal(journal_read(place->dir, &deaf, &end, NULL), 0);
    assert_int_equal(end.lines, 2);
}

static void logs_are_on_disk_when_their_game_is(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf text = {0};
    Journal *journal = NULL;

    /* What a run that was killed may have left. */
    assert_int_equal(mkdir(in_place(place, "logs"), 0777), 0);
    write_file(place, "logs/1.log.gz", STR("half"));
    write_file(place, "logs/1.log.gz.tmp", STR("quarter"));
    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    assert_int_equal(add_small(journal, 0, "0.log", STR("zero\n"), NULL), 0);
    assert_int_equal(add_small(journal, 1, "logs/1.log.gz", STR("one\n"), NULL), 0);
    assert_int_equal(add_small(journal, 2, "more/2.log", STR("two\n"), NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    read_file(place, "0.log", &text);
    assert_string_equal(buf_cstr(&text), "zero\n");
    read_file(place, "logs/1.log.gz", &text);
    assert_string_equal(buf_cstr(&text), "one\n");
    read_file(place, "more/2.log", &text);
    assert_string_equal(buf_cstr(&text), "two\n");
    assert_int_equal(access(in_place(place, "logs/1.log.gz.tmp"), F_OK), -1);
}

static void the_exchange_record_is_on_disk_with_the_log(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(mem_freep) GameRecord *game = small_game(7, "logs/2/007.log");
    Journal *journal = NULL;
    Err err = {0};

    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    game->exchange = STR("{\"exchange\":1}\n");
    assert_int_equal(journal_add_game(journal, game, STR("log\n"), NULL), 0);
    assert_int_equal(journal_wait(journal, NULL), 0);
    assert_int_equal(
        log_file_read(in_place(place, "exchange/2/007.jsonl.gz"), SIZE_MAX, &text, NULL), 0);
    assert_string_equal(buf_cstr(&text), "{\"exchange\":1}\n");
    snprintf(game->log, sizeof(game->log), "elsewhere/7.log");
    assert_int_equal(journal_add_game(journal, game, STR("log\n"), &err), ERR_RULE);
    assert_int_equal(journal_games_written(journal), 1);
    assert_int_equal(journal_close(journal, NULL), 0);
}

/* ---- findings ---- */

static FindingNote note_of(uint64_t game, const char *text)
{
    return (FindingNote){.finding = {FINDING_NETWORK, str_of(text), 1},
                         .agent = STR("ann"),
                         .set = 1,
                         .game = game,
                         .seat = 1,
                         .day = 2,
                         .in_game = true,
                         .listed = true};
}

static void findings_stand_before_the_line_of_their_game(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf found = {0};
    Journal *journal = NULL;
    FindingNote note = note_of(1, "connect 8.8.8.8:53");

    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    assert_int_equal(add_small(journal, 0, "", STR(""), NULL), 0);
    assert_int_equal(journal_wait(journal, NULL), 0);
    assert_int_equal(access(in_place(place, FINDINGS_FILE), F_OK), -1); /* nobody did anything */
    assert_int_equal(journal_add_finding(journal, 1785542400123, &note, NULL), 0);
    note = note_of(2, "of a game that is given up");
    assert_int_equal(journal_add_finding(journal, 0, &note, NULL), 0);
    note = note_of(1, "one too many");
    note.listed = false;
    assert_int_equal(journal_add_finding(journal, 0, &note, NULL), 0);
    assert_int_equal(add_small(journal, 1, "", STR(""), NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    read_file(place, FINDINGS_FILE, &found);
    assert_string_equal(buf_cstr(&found),
                        "{\"at\":\"2026-08-01T00:00:00.123Z\",\"stage\":0,\"set\":1,\"game\":1,"
                        "\"day\":2,\"agent\":\"ann\",\"seat\":1,\"rule\":\"network\",\"text\":"
                        "\"connect 8.8.8.8:53\"}\n");
    read_file(place, JOURNAL_FILE, &text);
    char member[64];
    snprintf(member, sizeof(member), ",\"findings_bytes\":%zu,\"faults_bytes\":0,\"crc\"",
             found.len);
    assert_non_null(strstr(buf_cstr(&text), member));
    assert_ptr_equal(strstr(strstr(buf_cstr(&text), "findings_bytes") + 1, "findings_bytes"), NULL);
}

static void what_belongs_to_no_game_that_counts_is_cut_and_the_digest_goes_on(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf before = {0};
    CLEANUP(buf_done) Buf after = {0};
    CLEANUP(buf_done) Buf text = {0};
    Journal *journal = NULL;
    FindingNote note = note_of(0, "first");
    const FindingTotal total = {FINDING_NETWORK, STR("ann"), 5321};
    char digest[SHA256_HEX_BYTES], member[160];

    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    assert_int_equal(journal_add_finding(journal, 0, &note, NULL), 0);
    assert_int_equal(add_small(journal, 0, "", STR(""), NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    read_file(place, FINDINGS_FILE, &before);
    buf_add(&before, STR("{\"of\":\"a game that was not played\"}\n{"));
    write_file(place, FINDINGS_FILE, buf_str(&before));
    assert_int_equal(journal_continue(place->dir, &journal, NULL), 0);
    note.in_game = false;
    note.finding.text = STR("behind the last");
    note.finding.count = 3;
    assert_int_equal(journal_add_finding(journal, 0, &note, NULL), 0);
    assert_int_equal(journal_end_findings(journal, 0, 0, 1, &total, 1, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    read_file(place, FINDINGS_FILE, &after);
    assert_int_equal(strstr(buf_cstr(&after), "not played") != NULL, 0);
    assert_non_null(strstr(buf_cstr(&after), "\"set\":1,\"agent\":\"ann\",\"seat\":1,\"rule\":"
                                             "\"network\",\"count\":3,\"text\":\"behind"));
    assert_non_null(strstr(buf_cstr(&after), "\"rule\":\"network\",\"total\":5321}\n"));
    assert_int_equal(sha256_hex(buf_str(&after), digest, NULL), 0);
    snprintf(member, sizeof(member), "\"set\":1,\"sha256\":\"%s\",\"findings_bytes\":%zu,\"crc\"",
             digest, after.len);
    read_file(place, JOURNAL_FILE, &text);
    assert_non_null(strstr(buf_cstr(&text), member));
    /* The next set's digest is of what comes then. */
    assert_int_equal(journal_continue(place->dir, &journal, NULL), 0);
    note.set = 2;
    assert_int_equal(journal_add_finding(journal, 0, &note, NULL), 0);
    assert_int_equal(journal_end_findings(journal, 0, 0, 2, NULL, 0, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    read_file(place, FINDINGS_FILE, &text);
    Str more = str_part(buf_str(&text), after.len, text.len - after.len);
    assert_int_equal(sha256_hex(more, digest, NULL), 0);
    read_file(place, JOURNAL_FILE, &text);
    assert_non_null(strstr(buf_cstr(&text), digest));
}

static void a_file_of_findings_that_is_too_short_stops_the_journal(void **state)
{
    Place *place = *state;
    Journal *journal = NULL;
    FindingNote note = note_of(0, "first");
    Err err = {0};

    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    assert_int_equal(journal_add_finding(journal, 0, &note, NULL), 0);
    assert_int_equal(add_small(journal, 0, "", STR(""), NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    write_file(place, FINDINGS_FILE, STR("{}\n"));
    assert_int_equal(journal_continue(place->dir, &journal, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "findings.jsonl has 3 bytes; the journal says"));
    remove(in_place(place, JOURNAL_FILE));
    remove(in_place(place, JOURNAL_FAULTS_FILE));
    err = (Err){0};
    assert_int_equal(journal_begin(place->dir, PLAN, &journal, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "holds findings of other games"));
}

/* ---- damage ---- */

/* A journal of a plan and `games` games; its bytes in `ret_text`. */
static void make_journal(Place *place, unsigned games, Buf *ret_text)
{
    Journal *journal = NULL;
    Err err = {0};

    if (journal_begin(place->dir, PLAN, &journal, &err))
        fail_msg("%s", err.msg);
    for (unsigned i = 0; i < games; i++)
        assert_int_equal(add_small(journal, i, "", STR(""), NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    read_file(place, JOURNAL_FILE, ret_text);
}

static void every_cut_gives_the_whole_lines_before_it(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    unsigned lines = 0;

    make_journal(*state, 4, &text);
    for (size_t bytes = 0; bytes <= text.len; bytes++) {
        Heard heard = {0};
        JournalListener listener = listener_of(&heard);
        JournalEnd end = {0};
        Err err = {0};
        if (bytes && text.bytes[bytes - 1] == '\n')
            lines++;
        if (journal_read_text(str_part(buf_str(&text), 0, bytes), &listener, &end, &err))
            fail_msg("cut at %zu: %s", bytes, err.msg);
        assert_int_equal(heard.plans + heard.games, lines);
        assert_int_equal(end.lines, lines);
        assert_int_equal(end.torn, bytes && text.bytes[bytes - 1] != '\n');
        heard_done(&heard);
    }
    assert_int_equal(lines, 5);
}

static void every_flipped_bit_is_an_error_with_its_line(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    JournalListener deaf = {0};
    unsigned line = 1;

    make_journal(*state, 3, &text);
    for (size_t at = 0; at + 1 < text.len; at++) {
        bool last = text.bytes[at] == '\n';
        for (unsigned bit = 0; bit < 8; bit++) {
            Err err = {0};
            text.bytes[at] = (char)(text.bytes[at] ^ 1 << bit);
            int rc = journal_read_text(buf_str(&text), &deaf, NULL, &err);
            text.bytes[at] = (char)(text.bytes[at] ^ 1 << bit);
            if (rc != ERR_SYNTAX || err.line != line)
                fail_msg("byte %zu, bit %u: code %d, line %u instead of %u", at, bit, rc, err.line,
                         line);
        }
        line += last;
    }
}

#define GAME_HEAD                                                                                  \
    "{\"record\":\"game\",\"stage\":0,\"set\":0,\"game\":0,\"ended\":\"2026-08-01T00:00:00."       \
    "000Z\","                                                                                      \
    "\"winner\":\"VILLAGER\",\"reason\":\"win\",\"last_day\":2,\"revote_days\":0,\"execution_"     \
    "days\":1,"                                                                                    \
    "\"attacks\":1,\"attack_kills\":1,\"faults_bytes\":0,\"seats\":[{\"agent\":\"a\",\"role\":"    \
    "\"SEER\""

/* Lines that are whole but mean nothing, or too much. */
static void odd_records_are_refused_with_their_line(void **state)
{
    static const struct {
        const char *line; /* before the CRC */
        const char *says;
    } odd[] = {
        {"{\"record\":\"gmae\"", "'record' is of a kind that is not known"},
        {"{\"record\":7", "'record' is not a text"},
        {"{\"x\":1", "'record' is missing"},
        {"{\"record\":\"note\"", "'text' is missing"},
        {"{\"record\":\"note\",\"text\":\"a\",\"more\":1", "'more' is not known here"},
        {"{\"record\":\"note\",\"text\":\"a\",\"text\":\"b\"", "duplicate object key"},
        {"{\"record\":\"end\",\"games\":-1", "'games' is not a number that fits"},
        {"{\"record\":\"end\",\"games\":1.0", "'games' is not a number that fits"},
        {"{\"record\":\"set\",\"stage\":0,\"set\":0,\"agents\":[]",
         "'agents' is not a list of a length that fits"},
        {"{\"record\":\"set\",\"stage\":0,\"set\":0,\"agents\":[7]", "seat 1 has no usable name"},
        {"{\"record\":\"set\",\"stage\":4294967296,\"set\":0,\"agents\":[\"a\"]",
         "'stage' is not a number that fits"},
        {"{\"record\":\"plan\",\"version\":1,\"plan\":{}", "a second plan"},
        {"{\"record\":\"set\",\"stage\":0,\"set\":0,\"agents\":{}",
         "'agents' is not a list of a length that fits"},
        {"{\"record\":\"end\",\"games\":9223372036854775808", "too big integer"},
        {"{\"record\":\"key\",\"part\":0,\"key\":\"00\"", "'key' is not 64 hexadecimal digits"},
        {"{\"record\":\"lots\",\"stage\":0,\"lots\":{\"a\":\"00\"}",
         "'a' is not 64 hexadecimal digits"},
        {"{\"record\":\"freeze\",\"stage\":0,\"programs\":[]", "'programs' is not an object"},
        {"{\"record\":\"lots\",\"stage\":0", "'lots' is missing"},
        {"{\"record\":\"ruling\",\"stage\":0,\"agent\":\"a\",\"rule\":\"late\",\"decision\":"
         "\"shoot\","
         "\"reason\":\"\",\"at\":\"2026-01-01T00:00:00.000Z\"",
         "'decision' is no decision"},
        {"{\"record\":\"key\",\"part\":0,\"commitment\":\"x\"",
         "'commitment' is not 64 hexadecimal digits"},
        {"{\"record\":\"key\",\"part\":0,\"stage\":16,\"key\":\"00\"",
         "'stage' is not a number that fits"},
        {"{\"record\":\"game\",\"stage\":0,\"set\":0,\"game\":0,\"log_sha256\":\"0\"",
         "'log_sha256' is not 64 hexadecimal digits"},
        {"{\"record\":\"cell\",\"layers\":\"x\"", "'level' is missing"},
        {"{\"record\":\"trial\",\"challenger\":\"x\",\"test\":\"elo0=0\"", "'sets' is missing"},
        {"{\"record\":\"trial\",\"challenger\":\"x\",\"test\":\"elo0=30\",\"sets\":4",
         "'test' is no test"},
        {"{\"record\":\"findings\",\"stage\":0,\"set\":0,\"sha256\":\"00\",\"findings_bytes\":1",
         "'sha256' is not 64 hexadecimal digits"},
        {"{\"record\":\"findings\",\"stage\":0,\"set\":0,\"findings_bytes\":1",
         "'sha256' is missing"},
        {GAME_HEAD ",\"findings\":{\"netwrok\":1}}]", "'netwrok' is no rule of findings"},
        {GAME_HEAD ",\"findings\":{\"network\":0}}]", "'network' is not a number that fits"},
        {GAME_HEAD ",\"findings\":[1]}]", "'findings' is not an object"},
        {"[1", "']' expected"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        CLEANUP(buf_done) Buf text = {0};
        CLEANUP(buf_done) Buf line = {0};
        JournalListener deaf = {0};
        Err err = {0};
        assert_int_equal(journal_line_plan(PLAN, &text, NULL), 0);
        assert_int_equal(journal_line_seal(&text, NULL), 0);
        buf_add(&line, str_of(odd[i].line));
        assert_int_equal(journal_line_seal(&line, NULL), 0);
        buf_add(&text, buf_str(&line));
        assert_int_equal(journal_read_text(buf_str(&text), &deaf, NULL, &err), ERR_SYNTAX);
        assert_int_equal(err.line, 2);
        if (!strstr(err.msg, odd[i].says))
            fail_msg("'%s' does not say '%s'", err.msg, odd[i].says);
    }
}

static void a_journal_begins_with_a_plan_of_this_version(void **state)
{
    static const char *const first[] = {
        "{\"record\":\"note\",\"text\":\"a\"",
        "{\"record\":\"plan\",\"version\":0,\"plan\":{}",
        "{\"record\":\"plan\",\"version\":3,\"plan\":{}",
        "{\"record\":\"plan\",\"version\":1,\"plan\":[]",
        "{\"record\":\"plan\",\"plan\":{},\"version\":1",
    };
    (void)state;

    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
        CLEANUP(buf_done) Buf line = {0};
        JournalListener deaf = {0};
        Err err = {0};
        buf_add(&line, str_of(first[i]));
        assert_int_equal(journal_line_seal(&line, NULL), 0);
        assert_int_equal(journal_read_text(buf_str(&line), &deaf, NULL, &err), ERR_SYNTAX);
        assert_int_equal(err.line, 1);
    }
}

/* A game as version 1 wrote it says less: it is of the protocol division. */
static int hear_old_game(void *user, const GameRecord *record, Err *err)
{
    unsigned *heard = user;

    (void)err;
    assert_int_equal(record->division, DIVISION_AIWOLF);
    assert_int_equal(record->began_at_ms, 0);
    assert_string_equal(record->ruleset, "");
    assert_false(record->is_void);
    assert_int_equal(record->seats[1].kind, SEAT_AGENT);
    assert_int_equal(record->seats[2].kind, SEAT_BOT);
    assert_true(str_eq(game_record_counted(record, 1), STR("a")));
    (*heard)++;
    return 0;
}

static void a_journal_of_version_1_is_read(void **state)
{
    static const char *const lines[] = {
        "{\"record\":\"plan\",\"version\":1,\"plan\":{}",
        "{\"record\":\"game\",\"stage\":0,\"set\":0,\"game\":0,\"ended\":\"2026-08-01T00:00:00."
        "000Z\","
        "\"winner\":\"VILLAGER\",\"reason\":\"win\",\"last_day\":2,\"revote_days\":0,"
        "\"execution_days\":1,\"attacks\":1,\"attack_kills\":1,\"seats\":[{\"agent\":\"a\","
        "\"role\":"
        "\"SEER\",\"outside\":true},{\"agent\":\"b\",\"role\":\"WEREWOLF\"}],\"faults_bytes\":0",
    };
    CLEANUP(buf_done) Buf text = {0};
    unsigned heard = 0;
    const JournalListener listener = {.game = hear_old_game, .user = &heard};
    (void)state;

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        CLEANUP(buf_done) Buf line = {0};
        buf_add(&line, str_of(lines[i]));
        assert_int_equal(journal_line_seal(&line, NULL), 0);
        buf_add(&text, buf_str(&line));
    }
    assert_int_equal(journal_read_text(buf_str(&text), &listener, NULL, NULL), 0);
    assert_int_equal(heard, 1);
}

static void who_plays_a_seat_is_refused_when_it_could_not_be_read_again(void **state)
{
    CLEANUP(mem_freep) GameRecord *game = small_game(0, "");
    CLEANUP(buf_done) Buf line = {0};
    (void)state;

    game->seats[2] = (SeatRecord){.decisions = 1, .own = 2};
    assert_int_equal(journal_line_game(game, &line, NULL), ERR_RULE);
    game->seats[2] = (SeatRecord){.team = STR("\xff")};
    assert_int_equal(journal_line_game(game, &line, NULL), ERR_RULE);
    game->seats[2] = (SeatRecord){.model = STR("a\0b")};
    assert_int_equal(journal_line_game(game, &line, NULL), ERR_RULE);
    game->seats[2] = (SeatRecord){.kind = SEAT_KIND_COUNT};
    assert_int_equal(journal_line_game(game, &line, NULL), ERR_RULE);
    assert_int_equal(line.len, 0);
    game->seats[2] = (SeatRecord){.kind = SEAT_MODEL, .decisions = 2, .own = 2};
    assert_int_equal(journal_line_game(game, &line, NULL), 0);
}

static void play_that_cant_be_is_refused_both_ways(void **state)
{
    static const char *const bad[] = {
        "[1,2,0,0,0,0,0,0,0,0,0,0]", /* more votes for wolves than votes */
        "[1,1,0,0,0,0,0,0,0,2,0,0]", /* survived twice */
        "[1,1,0,0,0,0,0,0,0,1,0]",   /* too short */
        "[-1,0,0,0,0,0,0,0,0,0,0,0]", "[99999,0,0,0,0,0,0,0,0,0,0,0]", "{}",
    };
    CLEANUP(mem_freep) GameRecord *game = small_game(0, "");
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    const JournalListener deaf = {0};
    (void)state;

    game->result.has_play = true;
    game->result.play[1] = (SeatPlay){.of = {1, 2}};
    CLEANUP(buf_done) Buf none = {0};
    assert_int_equal(journal_line_game(game, &none, NULL), ERR_RULE);
    game->result.play[1] = (SeatPlay){.of = {1, 1}};
    for (size_t i = 0; i <= sizeof(bad) / sizeof(bad[0]); i++) {
        CLEANUP(buf_done) Buf line = {0};
        CLEANUP(buf_done) Buf text = {0};
        const char *good = "[1,1,0,0,0,0,0,0,0,0,0,0]";
        assert_int_equal(journal_line_game(game, &line, NULL), 0);
        journal_line_faults_bytes(&line, 0);
        const char *at = strstr(buf_cstr(&line), good);
        assert_non_null(at);
        buf_add(&text, (Str){line.bytes, (size_t)(at - line.bytes)});
        buf_add(&text, str_of(i ? bad[i - 1] : good));
        buf_add(&text, str_of(at + strlen(good)));
        assert_int_equal(journal_line_seal(&text, NULL), 0);
        assert_int_equal(
            journal_line_hear((Str){text.bytes, text.len - 1}, 2, &deaf, scratch, NULL),
            i ? ERR_SYNTAX : 0);
    }
}

static void a_line_over_the_limit_is_refused_without_being_kept(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf text = {0};
    JournalListener deaf = {0};
    Err err = {0};

    for (size_t i = 0; i < 3 * JOURNAL_LINE_MAX; i++)
        buf_add_char(&text, 'x');
    assert_int_equal(journal_read_text(buf_str(&text), &deaf, NULL, &err), ERR_LIMIT);
    assert_int_equal(err.line, 1);
    write_file(place, JOURNAL_FILE, buf_str(&text));
    assert_int_equal(journal_read(place->dir, &deaf, NULL, NULL), ERR_LIMIT);
}

static void the_listener_can_end_the_reading(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    JournalListener deaf = {0};
    Place *place = *state;
    Err err = {0};

    make_journal(place, 1, &text);
    assert_int_equal(journal_read(in_place(place, "none"), &deaf, NULL, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "none': No such file"));
    err = (Err){0};
    text.bytes[text.len - 3] = 'x';
    write_file(place, JOURNAL_FILE, buf_str(&text));
    assert_int_equal(journal_read(place->dir, &deaf, NULL, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "/journal.jsonl': the line is damaged"));
    assert_int_equal(err.line, 2);
}

/* ---- going on ---- */

static int try_fault(Journal *journal, uint64_t game, const char *bytes, Err *err)
{
    Fault fault = {FAULT_TIMEOUT, true, 3, 1, "TALK", 201449, 0, str_of(bytes)};

    return journal_add_fault(journal, 0, 0, 0, game, STR("ann"), &fault, err);
}

static void add_fault(Journal *journal, uint64_t game, const char *bytes)
{
    assert_int_equal(try_fault(journal, game, bytes, NULL), 0);
}

static unsigned lines_of(Str text)
{
    unsigned lines = 0;

    for (size_t i = 0; i < text.len; i++)
        lines += text.bytes[i] == '\n';
    return lines;
}

/* Wherever the process dies, going on counts every game once and every fault once. */
static void going_on_after_any_cut_loses_and_doubles_nothing(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf faults = {0};
    CLEANUP(buf_done) Buf again = {0};
    Journal *journal = NULL;

    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    for (uint64_t game = 0; game < 3; game++) {
        add_fault(journal, game, "first");
        add_fault(journal, game + 1, "early"); /* of a game that is over later */
        assert_int_equal(add_small(journal, game, "", STR(""), NULL), 0);
    }
    assert_int_equal(journal_close(journal, NULL), 0);
    read_file(place, JOURNAL_FILE, &text);
    read_file(place, JOURNAL_FAULTS_FILE, &faults);
    assert_int_equal(lines_of(buf_str(&faults)), 5); /* the game of one was never added */

    Str first = buf_str(&text);
    str_cut(&first, '\n');
    for (size_t bytes = text.len - first.len; bytes <= text.len; bytes += 7) {
        CLEANUP(heard_done) Heard heard = {0};
        JournalListener listener = listener_of(&heard);
        JournalEnd end = {0};
        write_file(place, JOURNAL_FILE, str_part(buf_str(&text), 0, bytes));
        write_file(place, JOURNAL_FAULTS_FILE, buf_str(&faults));
        assert_int_equal(journal_read(place->dir, &listener, &end, NULL), 0);
        uint64_t games = heard.games;
        assert_int_equal(journal_continue(place->dir, &journal, NULL), 0);
        for (uint64_t game = games; game < 3; game++) {
            add_fault(journal, game, "second");
            assert_int_equal(add_small(journal, game, "", STR(""), NULL), 0);
        }
        assert_int_equal(journal_close(journal, NULL), 0);
        heard_done(&heard);
        heard = (Heard){0};
        assert_int_equal(journal_read(place->dir, &listener, &end, NULL), 0);
        assert_false(end.torn);
        assert_int_equal(heard.games, 3);
        for (uint64_t game = 0; game < 3; game++)
            assert_int_equal(heard.numbers[game], game);
        read_file(place, JOURNAL_FAULTS_FILE, &again);
        unsigned kept = games == 0 ? 0 : (unsigned)(2 * games - 1);
        assert_int_equal(lines_of(buf_str(&again)), kept + 3 - games);
    }
}

static void a_damaged_journal_is_not_gone_on_with(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf text = {0};
    Journal *journal = NULL;
    Err err = {0};

    assert_int_equal(journal_continue(place->dir, &journal, &err), ERR_USAGE);
    assert_false(journal_exists(place->dir));
    make_journal(place, 3, &text);
    assert_true(journal_exists(place->dir));
    text.bytes[text.len / 2] ^= 1;
    write_file(place, JOURNAL_FILE, buf_str(&text));
    err = (Err){0};
    assert_int_equal(journal_continue(place->dir, &journal, &err), ERR_SYNTAX);
    assert_true(err.line == 2 || err.line == 3);
    text.bytes[text.len / 2] ^= 1;
    write_file(place, JOURNAL_FILE, str_part(buf_str(&text), 0, 20));
    err = (Err){0};
    assert_int_equal(journal_continue(place->dir, &journal, &err), ERR_USAGE);
    /* Nothing of it is whole: a new one may take its place. */
    assert_false(journal_exists(place->dir));
    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
}

static void faults_that_are_missing_are_noticed(void **state)
{
    Place *place = *state;
    Journal *journal = NULL;
    Err err = {0};

    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    add_fault(journal, 0, "x");
    assert_int_equal(add_small(journal, 0, "", STR(""), NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    unlink(in_place(place, JOURNAL_FAULTS_FILE));
    assert_int_equal(journal_continue(place->dir, &journal, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "faults.jsonl has 0 bytes"));
}

static void a_journal_is_begun_once_and_written_by_one(void **state)
{
    Place *place = *state;
    Journal *journal = NULL, *second = NULL;
    Err err = {0};

    assert_int_equal(journal_begin(in_place(place, "new"), PLAN, &journal, NULL), 0);
    /* A lock is of the open file, so one process can play both. */
    assert_int_equal(journal_continue(in_place(place, "new"), &second, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "by another process"));
    assert_int_equal(journal_close(journal, NULL), 0);
    err = (Err){0};
    assert_int_equal(journal_begin(in_place(place, "new"), PLAN, &second, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "--resume"));
    assert_int_equal(journal_continue(in_place(place, "new"), &second, NULL), 0);
    assert_int_equal(journal_close(second, NULL), 0);
    assert_int_equal(journal_close(NULL, NULL), 0);
    assert_int_equal(journal_begin(in_place(place, "a/b"), PLAN, &journal, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0); /* folders above it are made */
    assert_int_equal(journal_begin(in_place(place, "a/b/" JOURNAL_FILE "/c"), PLAN, &journal, NULL),
                     ERR_IO);
}

static void faults_are_lines_that_can_be_shown(void **state)
{
    CLEANUP(buf_done) Buf line = {0};
    Fault fault = {FAULT_EARLY, false, 3, 1, "", 0, 0, {"a\\\x1b[2J\xFF\x00\xE7\x8B\xBC\"", 12}};
    (void)state;

    journal_line_fault(1785542400123, 1, 2, 3, STR("ann"), &fault, &line);
    assert_string_equal(
        buf_cstr(&line),
        "{\"at\":\"2026-08-01T00:00:00.123Z\",\"stage\":1,\"set\":2,\"game\":3,"
        "\"agent\":\"ann\",\"seat\":3,\"day\":1,\"request\":\"\",\"kind\":\"early\","
        "\"fatal\":false,\"elapsed_ms\":0.0,"
        "\"bytes\":\"a\\\\\\\\\\\\x1b[2J\\\\xff\\\\x00\xE7\x8B\xBC\\\"\"}\n");
}

static void names_of_faults_lead_back_to_them(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < FAULT_COUNT; kind++)
        assert_int_equal(fault_kind_of(str_of(fault_kind_name((FaultKind)kind))), kind);
    assert_int_equal(fault_kind_of(STR("Timeout")), FAULT_COUNT);
    assert_string_equal(fault_kind_name(FAULT_COUNT), "");
}

/* ---- threads ---- */

typedef struct Adder {
    Journal *journal;
    uint64_t first;
    int rc;
} Adder;

enum { ADDERS = 4, EACH = 200 };

static void *add_many(void *argument)
{
    Adder *adder = argument;

    for (uint64_t i = 0; i < EACH && adder->rc == 0; i++) {
        char log[32];
        uint64_t number = adder->first + i;
        Fault fault = {FAULT_VIOLATION, false, 1, 1, "TALK", 5, 0, STR("?")};
        snprintf(log, sizeof(log), "logs/%llu.log", (unsigned long long)number);
        adder->rc = journal_add_fault(adder->journal, 0, 0, 0, number, STR("ann"), &fault, NULL);
        if (adder->rc == 0)
            adder->rc = add_small(adder->journal, number, i % 10 ? "" : log, STR("text\n"), NULL);
    }
    return NULL;
}

static void note_written(void *user)
{
    atomic_fetch_add((_Atomic unsigned *)user, 1);
}

static void many_threads_may_add(void **state)
{
    Place *place = *state;
    CLEANUP(heard_done) Heard heard = {0};
    CLEANUP(buf_done) Buf faults = {0};
    JournalListener listener = listener_of(&heard);
    pthread_t threads[ADDERS];
    Adder adders[ADDERS];
    Journal *journal = NULL;
    _Atomic unsigned calls = 0;
    bool seen[ADDERS * EACH] = {false};

    assert_int_equal(journal_begin(place->dir, PLAN, &journal, NULL), 0);
    journal_on_written(journal, note_written, &calls);
    for (uint64_t i = 0; i < ADDERS; i++) {
        adders[i] = (Adder){journal, i * EACH, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, &adders[i]), 0);
    }
    for (size_t i = 0; i < ADDERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(adders[i].rc, 0);
    }
    assert_int_equal(journal_failed(journal, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_true(calls > 0 && calls <= ADDERS * EACH);
    assert_int_equal(journal_read(place->dir, &listener, NULL, NULL), 0);
    assert_int_equal(heard.games, ADDERS * EACH);
    for (size_t i = 0; i < heard.games; i++) {
        assert_false(seen[heard.numbers[i]]);
        seen[heard.numbers[i]] = true;
    }
    read_file(place, JOURNAL_FAULTS_FILE, &faults);
    assert_int_equal(lines_of(buf_str(&faults)), ADDERS * EACH);
}

/* ---- disks that end, processes that are killed ---- */

/* So many that the thread which writes hits an error long before, however busy the machine is. */
#define REPORTS_MAX 400000

/* Adds `most` games, or until it fails or is killed; after each, writes to `report` how many are on
 * disk. */
static void add_and_report(const char *dir, bool logs, uint64_t most, int report)
{
    Journal *journal = NULL;
    Err err = {0};

    if (journal_begin(dir, PLAN, &journal, &err))
        _exit(2);
    for (uint64_t number = 0; number < most; number++) {
        char log[32];
        snprintf(log, sizeof(log), "logs/%llu.log", (unsigned long long)number);
        int rc = try_fault(journal, number, "x", &err);
        if (rc == 0)
            rc = add_small(journal, number, logs ? log : "", STR("a log\n"), &err);
        if (rc == 0 && number % 64 == 63) /* or the writing thread may never have run */
            rc = journal_wait(journal, &err);
        uint64_t written = journal_games_written(journal);
        if (write(report, &written, sizeof(written)) != (ssize_t)sizeof(written) || rc)
            break;
    }
    int rc = journal_close(journal, &err);
    _exit(rc == ERR_IO && err.code == ERR_IO ? 1 : 0);
}

/* The last whole number in the pipe. */
static uint64_t last_report(int fd, uint64_t *ret_count)
{
    uint64_t last = 0, number;

    *ret_count = 0;
    while (read(fd, &number, sizeof(number)) == (ssize_t)sizeof(number)) {
        last = number;
        ++*ret_count;
    }
    return last;
}

/* The journal holds what was reported, in order, with its logs; and it can be gone on with. */
static void holds_what_was_reported(Place *place, uint64_t reported, bool logs)
{
    CLEANUP(heard_done) Heard heard = {0};
    CLEANUP(buf_done) Buf text = {0};
    JournalListener listener = listener_of(&heard);
    Journal *journal = NULL;
    Err err = {0};

    if (journal_read(place->dir, &listener, NULL, &err))
        fail_msg("%s", err.msg);
    assert_true(heard.games >= reported);
    for (uint64_t i = 0; i < heard.games; i++) {
        char log[32];
        assert_int_equal(heard.numbers[i], i);
        snprintf(log, sizeof(log), "logs/%llu.log", (unsigned long long)i);
        if (logs) {
            read_file(place, log, &text);
            assert_string_equal(buf_cstr(&text), "a log\n");
        }
    }
    if (journal_continue(place->dir, &journal, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(journal_games_written(journal), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    read_file(place, JOURNAL_FAULTS_FILE, &text);
    assert_int_equal(lines_of(buf_str(&text)), heard.games);
}

static void a_full_disk_is_an_error_and_loses_nothing_reported(void **state)
{
    Place *place = *state;
    uint64_t count;
    int ends[2], status;

    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {30000, 30000};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        close(ends[0]);
        add_and_report(place->dir, false, REPORTS_MAX, ends[1]);
    }
    close(ends[1]);
    uint64_t reported = last_report(ends[0], &count);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_true(count < REPORTS_MAX);
    holds_what_was_reported(place, reported, false);
}

static void a_journal_that_was_removed_while_it_is_written_is_told_of(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf path = {0};
    Journal *journal = NULL;
    GameRecord *first = small_game(0, ""), *second = small_game(1, "");
    Err err = {0};

    assert_int_equal(journal_begin(place->dir, STR("{}"), &journal, NULL), 0);
    assert_int_equal(journal_add_game(journal, first, (Str){0}, NULL), 0);
    assert_int_equal(journal_wait(journal, NULL), 0);
    buf_printf(&path, "%s/" JOURNAL_FILE, place->dir);
    assert_int_equal(unlink(buf_cstr(&path)), 0);
    assert_int_equal(journal_add_game(journal, second, (Str){0}, NULL), 0);
    assert_int_equal(journal_wait(journal, &err), ERR_IO);
    assert_non_null(strstr(err.msg, JOURNAL_FILE "' was removed or replaced"));
    assert_int_equal(journal_games_written(journal), 1);
    assert_int_equal(journal_close(journal, NULL), ERR_IO);
    mem_free(first);
    mem_free(second);
}

/* What the child reports first; when games are wanted, the first report of some. */
static uint64_t first_report(int fd, bool games)
{
    uint64_t number = 0;

    do {
        if (read(fd, &number, sizeof(number)) != (ssize_t)sizeof(number))
            fail_msg("the child ended and had reported no %s", games ? "game" : "number");
    } while (games && number == 0);
    return number;
}

/* Every other pair of children is killed as early as it comes, the rest when games are on disk. On
 * a busy machine one may have added all its games before that. */
static void a_killed_process_loses_nothing_it_reported(void **state)
{
    Place *place = *state;
    Rng rng = rng_new(prop_env("WARG_PROP_SEED", 1));

    for (unsigned round = 0; round < 20 * prop_env("WARG_PROP_TIMES", 1); round++) {
        struct timespec wait = {0, 100000 + (long)rng_below(&rng, 15000000)};
        bool with_games = round / 2 % 2;
        int ends[2], status;
        uint64_t count;

        remove_files(place->dir);
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(ends[0]);
            add_and_report(place->dir, round % 2, HEARD_MAX, ends[1]);
        }
        close(ends[1]);
        uint64_t first = first_report(ends[0], with_games);
        nanosleep(&wait, NULL);
        kill(child, SIGKILL);
        uint64_t last = last_report(ends[0], &count);
        close(ends[0]);
        assert_int_equal(waitpid(child, &status, 0), child);
        holds_what_was_reported(place, last > first ? last : first, round % 2);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(times_are_those_of_the_calendar),
        TEST(what_could_not_be_read_back_is_not_written),
        TEST(logs_are_on_disk_when_their_game_is),
        TEST(the_exchange_record_is_on_disk_with_the_log),
        TEST(findings_stand_before_the_line_of_their_game),
        TEST(what_belongs_to_no_game_that_counts_is_cut_and_the_digest_goes_on),
        TEST(a_file_of_findings_that_is_too_short_stops_the_journal),
        TEST(every_cut_gives_the_whole_lines_before_it),
        TEST(every_flipped_bit_is_an_error_with_its_line),
        cmocka_unit_test(odd_records_are_refused_with_their_line),
        cmocka_unit_test(a_journal_begins_with_a_plan_of_this_version),
        cmocka_unit_test(a_journal_of_version_1_is_read),
        cmocka_unit_test(play_that_cant_be_is_refused_both_ways),
        cmocka_unit_test(who_plays_a_seat_is_refused_when_it_could_not_be_read_again),
        TEST(a_line_over_the_limit_is_refused_without_being_kept),
        TEST(the_listener_can_end_the_reading),
        TEST(going_on_after_any_cut_loses_and_doubles_nothing),
        TEST(a_damaged_journal_is_not_gone_on_with),
        TEST(faults_that_are_missing_are_noticed),
        TEST(a_journal_is_begun_once_and_written_by_one),
        cmocka_unit_test(faults_are_lines_that_can_be_shown),
        cmocka_unit_test(names_of_faults_lead_back_to_them),
        TEST(many_threads_may_add),
        TEST(a_full_disk_is_an_error_and_loses_nothing_reported),
        TEST(a_journal_that_was_removed_while_it_is_written_is_told_of),
        TEST(a_killed_process_loses_nothing_it_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
