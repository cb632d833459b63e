#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "disk/log_file.h"
#include "judging/blind_text.h"
#include "judging/scores_public.h"
#include "judging/sheet_view.h"
#include "wire/json_read.h"

static Buf data_path(const char *name)
{
    Buf path = {0};

    buf_printf(&path, "%s/%s", getenv("WARG_TEST_DATA"), name);
    return path;
}

static const SeatNo upward[SEAT_MAX] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30};

static void read_game(Str log, Str json, JudgeGame *game)
{
    Err err = {0};

    if (judge_game_read(log, json, game, &err))
        fail_msg("%s", err.msg);
}

/* The sheet of a game, appended as JSON. */
static void write_sheet(const JudgeGame *game, Criterion criterion, const SeatNo *order,
                        bool japanese, Buf *out)
{
    CLEANUP(sheet_view_done) SheetView view = {0};
    Json json = json_over(out);
    Err err = {0};

    if (sheet_view_make(game, criterion, order, &view, &err))
        fail_msg("%s", err.msg);
    json_open(&json, '{');
    sheet_view_write(&view, japanese, &json);
    json_close(&json);
    assert_false(buf_failed(out));
}

static bool has(Str text, const char *part)
{
    size_t at;

    return str_find(text, str_of(part), &at);
}

/* ---- a small game by hand ---- */

static const char small_log[] = "0,status,1,SEER,ALIVE,alpha1,Mio\n"
                                "0,status,2,MEDIUM,ALIVE,beta1,Ken\n"
                                "0,status,3,WEREWOLF,ALIVE,gamma_x1,May\n"
                                "0,status,4,POSSESSED,ALIVE,delta1,Ryu\n"
                                "0,status,5,VILLAGER,ALIVE,eps1,Asu\n"
                                "0,divine,1,2,HUMAN\n"
                                "1,status,1,SEER,ALIVE,alpha1,Mio\n"
                                "1,status,2,MEDIUM,ALIVE,beta1,Ken\n"
                                "1,status,3,WEREWOLF,ALIVE,gamma_x1,May\n"
                                "1,status,4,POSSESSED,ALIVE,delta1,Ryu\n"
                                "1,status,5,VILLAGER,ALIVE,eps1,Asu\n"
                                "1,talk,0,0,3,Good morning from Gamma_x1.,1778646866\n"
                                "1,talk,1,0,4,Over,1778646871\n"
                                "1,whisper,0,0,3,I take Asu.,1778646880\n"
                                "1,vote,1,4\n"
                                "1,vote,3,4\n"
                                "1,execute,4,POSSESSED\n"
                                "1,divine,1,3,WEREWOLF\n"
                                "1,attackVote,3,5\n"
                                "1,attack,5,true\n"
                                "2,status,1,SEER,ALIVE,alpha1,Mio\n"
                                "2,status,2,MEDIUM,ALIVE,beta1,Ken\n"
                                "2,status,3,WEREWOLF,ALIVE,gamma_x1,May\n"
                                "2,status,4,POSSESSED,DEAD,delta1,Ryu\n"
                                "2,status,5,VILLAGER,DEAD,eps1,Asu\n"
                                "2,talk,0,0,1,May is a wolf.,1778646966\n"
                                "2,vote,1,3\n"
                                "2,execute,3,WEREWOLF\n"
                                "3,status,1,SEER,ALIVE,alpha1,Mio\n"
                                "3,status,2,MEDIUM,ALIVE,beta1,Ken\n"
                                "3,status,3,WEREWOLF,DEAD,gamma_x1,May\n"
                                "3,status,4,POSSESSED,DEAD,delta1,Ryu\n"
                                "3,status,5,VILLAGER,DEAD,eps1,Asu\n"
                                "3,result,2,0,VILLAGER\n";

/* "day kind speaker>target=species;..." */
static void list_lines(const SheetView *view, Buf *out)
{
    for (size_t i = 0; i < view->count; i++) {
        const SheetLine *line = &view->lines[i];
        assert_int_equal(line->number, i + 1);
        buf_printf(out, "%u %s %.*s", line->day, sheet_line_kind(line->kind),
                   STR_ARG(view->game->name[line->seat]));
        if (line->target)
            buf_printf(out, ">%.*s", STR_ARG(view->game->name[line->target]));
        if (line->species)
            buf_printf(out, "=%s", species_name(line->species));
        if (line->len)
            buf_printf(out, " '%.*s'", STR_ARG(sheet_line_text(view, line)));
        buf_add(out, STR(";"));
    }
}

static void each_criterion_shows_what_is_its(void **state)
{
    static const char *const expected[CRITERION_COUNT] = {
        [CRITERION_A] = "1 talk May 'Good morning from [...].';1 talk Ryu 'Over';2 gone Asu;2 gone "
                        "Ryu;2 talk Mio 'May is a wolf.';",
        [CRITERION_B] = "1 talk May 'Good morning from [...].';1 talk Ryu 'Over';2 gone Asu;2 gone "
                        "Ryu;2 talk Mio 'May is a wolf.';",
        [CRITERION_C] =
            "0 divine Mio>Ken=HUMAN;1 talk May 'Good morning from [...].';1 talk Ryu 'Over';"
            "1 divine Mio>May=WEREWOLF;2 gone Asu;2 gone Ryu;2 medium Ken>Ryu=HUMAN;"
            "2 talk Mio 'May is a wolf.';",
        [CRITERION_D] =
            "0 divine Mio>Ken=HUMAN;1 talk May 'Good morning from [...].';1 talk Ryu 'Over';"
            "1 vote Mio>Ryu;1 vote May>Ryu;1 divine Mio>May=WEREWOLF;1 attack May>Asu;"
            "2 talk Mio 'May is a wolf.';2 vote Mio>May;",
        [CRITERION_E] = "1 talk May 'Good morning from [...].';1 talk Ryu 'Over';2 talk Mio 'May "
                        "is a wolf.';",
        [CRITERION_F] =
            "0 divine Mio>Ken=HUMAN;1 talk May 'Good morning from [...].';1 talk Ryu 'Over';"
            "1 whisper May 'I take Asu.';1 divine Mio>May=WEREWOLF;1 attack May>Asu;"
            "2 talk Mio 'May is a wolf.';",
    };
    static const SeatNo order[] = {5, 4, 3, 2, 1};
    CLEANUP(judge_game_done) JudgeGame game = {0};
    (void)state;

    read_game(str_of(small_log), STR(""), &game);
    assert_int_equal(game.winner, SIDE_VILLAGER);
    for (unsigned i = 0; i < CRITERION_COUNT; i++) {
        CLEANUP(sheet_view_done) SheetView view = {0};
        CLEANUP(buf_done) Buf lines = {0};
        Err err = {0};
        assert_int_equal(sheet_view_make(&game, (Criterion)i, order, &view, &err), 0);
        list_lines(&view, &lines);
        assert_string_equal(buf_cstr(&lines), expected[i]);
    }
}

static void an_order_is_of_each_seat_once(void **state)
{
    static const SeatNo twice[] = {5, 4, 3, 3, 1}, beyond[] = {6, 4, 3, 2, 1};
    CLEANUP(judge_game_done) JudgeGame game = {0};
    CLEANUP(sheet_view_done) SheetView view = {0};
    Err err = {0};
    (void)state;

    read_game(str_of(small_log), STR(""), &game);
    assert_int_equal(sheet_view_make(&game, CRITERION_A, twice, &view, &err), ERR_RULE);
    assert_int_equal(sheet_view_make(&game, CRITERION_A, beyond, &view, &err), ERR_RULE);
}

static void a_log_without_characters_makes_no_sheet(void **state)
{
    static const char log[] = "0,status,1,SEER,ALIVE,alpha1\n0,status,2,VILLAGER,ALIVE,beta1\n"
                              "0,status,3,WEREWOLF,ALIVE,eps1\n1,talk,0,0,1,hello there.\n";
    CLEANUP(judge_game_done) JudgeGame game = {0};
    CLEANUP(sheet_view_done) SheetView view = {0};
    Err err = {0};
    (void)state;

    read_game(str_of(log), STR(""), &game);
    assert_int_equal(sheet_view_make(&game, CRITERION_A, upward, &view, &err), ERR_RULE);
}

static void roles_stand_beside_names_where_they_are_shown(void **state)
{
    CLEANUP(judge_game_done) JudgeGame game = {0};
    CLEANUP(buf_done) Buf a = {0};
    CLEANUP(buf_done) Buf c = {0};
    (void)state;

    read_game(str_of(small_log), STR(""), &game);
    write_sheet(&game, CRITERION_A, upward, false, &a);
    write_sheet(&game, CRITERION_C, upward, false, &c);
    assert_false(has(buf_str(&a), "Seer"));
    assert_true(has(buf_str(&c), "\"Mio\":[\"Seer\","));
}

static void names_of_teams_are_taken_out_of_what_is_said(void **state)
{
    static const struct {
        const char *said, *shown;
    } cases[] = {
        {"alpha", "[...]"},
        {"I am Alpha1!", "I am [...]!"},
        {"GAMMA_X123 speaks", "[...] speaks"},
        {"alphabet, alpha-team, _alpha", "alphabet, [...]-team, _[...]"},
        {"私はalphaのエージェント", "私は[...]のエージェント"},
        {"eps1eps", "eps1eps"},
        {"epsilon beta beta1", "epsilon [...] [...]"},
        {"", ""},
    };
    CLEANUP(judge_game_done) JudgeGame game = {0};
    (void)state;

    read_game(str_of(small_log), STR(""), &game);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        blind_text(&game, str_of(cases[i].said), &out);
        assert_string_equal(buf_cstr(&out), cases[i].shown);
    }
}

/* What is read as the name, though its bytes are others. */
static void names_of_teams_in_other_letters_are_taken_out_too(void **state)
{
    static const char log[] = "0,status,1,SEER,ALIVE,wool-A1,Mio\n0,status,2,VILLAGER,ALIVE,"
                              "s_IL1,Ken\n0,status,3,WEREWOLF,ALIVE,+x1,May\n1,talk,0,0,1,hello "
                              "there,1778646866\n";
    static const struct {
        const char *said, *shown;
    } cases[] = {
        {"ｗｏｏｌ－Ａ１です", "[...]です"},
        {"WOOL_a, wool\u2010A, wool\u2212A", "[...], [...], [...]"},
        {"we of wool, wool!", "we of [...], [...]!"}, /* the team of A and B */
        {"wo\u200bol-A and \ufeffs\u00ad-il1", "[...] and \ufeff[...]"},
        {"S-IL", "[...]"},
        {"a+x", "a[...]"},
        {"woollen, Ｗｏｏｌｌｅｎ, ｘwool", "woollen, Ｗｏｏｌｌｅｎ, ｘwool"},
        {"wool-A1b wool-B", "[...]-A1b [...]-B"},
        {"\xff wool \xe3\x81", "\xff [...] \xe3\x81"},
    };
    CLEANUP(judge_game_done) JudgeGame game = {0};
    (void)state;

    read_game(str_of(log), STR(""), &game);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(buf_done) Buf out = {0};
        blind_text(&game, str_of(cases[i].said), &out);
        assert_string_equal(buf_cstr(&out), cases[i].shown);
    }
}

/* 64 KiB that nobody sees: what is read of them is counted by the time of a plain line as long. */
static void a_line_that_nobody_sees_costs_no_more_than_another(void **state)
{
    CLEANUP(judge_game_done) JudgeGame game = {0};
    CLEANUP(buf_done) Buf plain = {0};
    CLEANUP(buf_done) Buf unseen = {0};
    CLEANUP(buf_done) Buf out = {0};
    clock_t times[2];
    (void)state;

    read_game(str_of(small_log), STR(""), &game);
    for (int i = 0; i < 21845; i++) {
        buf_add(&plain, STR("\u3042"));
        buf_add(&unseen, STR("\u200b"));
    }
    for (int turn = 0; turn < 2; turn++) {
        const clock_t begin = clock();
        for (int i = 0; i < 20; i++) {
            buf_clear(&out);
            blind_text(&game, buf_str(turn ? &unseen : &plain), &out);
        }
        times[turn] = clock() - begin;
    }
    assert_string_equal(buf_cstr(&out), buf_cstr(&unseen));
    assert_true(times[1] <= 10 * (times[0] + CLOCKS_PER_SEC / 100));
}

static void of_a_model_everybody_reads_its_name(void **state)
{
    static const char scores[] =
        "{\"a\":[{\"model\":\"http://10.0.0.5/v1,model=m,key-file=/k\",\"tau\":1},"
        "{\"model\":\"demo\"},{\"model\":\"https://x.example/v1,key-env=A\"}],\"b\":["
        "{\"model\":\"https://y.example,header=X: \\\"s\\\",model=m\"},"
        "{\"model\":\"http://10.0.0.5/v1,model=m,key-file=/k\"}],\"c\":\"model\"}\n";
    CLEANUP(buf_done) Buf out = {0};
    (void)state;

    scores_public(str_of(scores), &out);
    assert_string_equal(buf_cstr(&out), "{\"a\":[{\"model\":\"m\",\"tau\":1},{\"model\":\"demo\"},"
                                        "{\"model\":\"model\"}],\"b\":[{\"model\":\"m (2)\"},"
                                        "{\"model\":\"m\"}],\"c\":\"model\"}\n");
    buf_clear(&out);
    scores_public(STR("{\"model\":\"http://10.0.0.5"), &out); /* a file that was cut off */
    assert_string_equal(buf_cstr(&out), "{\"model\":\"model");
}

static void a_word_of_the_game_stays_though_a_team_is_called_so(void **state)
{
    static const char log[] = "0,status,1,SEER,ALIVE,May1,Mio\n0,status,2,VILLAGER,ALIVE,villager,"
                              "May\n0,status,3,WEREWOLF,ALIVE,Over,Ken\n1,talk,0,0,1,hello "
                              "there,1778646866\n";
    CLEANUP(judge_game_done) JudgeGame game = {0};
    CLEANUP(buf_done) Buf out = {0};
    (void)state;

    read_game(str_of(log), STR(""), &game);
    blind_text(&game, STR("May is a villager. Over"), &out);
    assert_string_equal(buf_cstr(&out), "May is a villager. Over");
}

/* ---- attack: 100 games, not a byte tells ---- */

static Str without_time(Str text)
{
    uint64_t time;
    size_t at;

    return str_find_last(text, ',', &at) && text.len - at > 9 &&
                   str_to_uint(str_part(text, at + 1, text.len), UINT64_MAX, &time)
               ? str_part(text, 0, at)
               : text;
}

/* A game log with other teams, number `number` among the attacks; everybody tells its team each
 * time it speaks. With `said` NULL what was said stays, else this stands in its place. */
static void disguise_log(Str log, int number, const char *said, Buf *out)
{
    Str line;

    while (aiwolf_log_cut_line(&log, &line)) {
        Str rest = line, field[6] = {{0}};
        if (!aiwolf_log_begins_record(line)) /* more of what was said */
            continue;
        for (int i = 0; i < 5; i++)
            field[i] = str_cut(&rest, ',');
        field[5] = rest;
        if (str_eq(field[1], STR("status"))) {
            str_cut(&rest, ',');
            buf_printf(out, "%.*s,status,%.*s,%.*s,%.*s,Zq%dteam%c%.*s,%.*s\n", STR_ARG(field[0]),
                       STR_ARG(field[2]), STR_ARG(field[3]), STR_ARG(field[4]), number,
                       'a' + field[2].bytes[0] - '0', STR_ARG(field[2]), STR_ARG(rest));
        } else if (str_eq(field[1], STR("talk")) || str_eq(field[1], STR("whisper")))
            buf_printf(out, "%.*s,%.*s,%.*s,%.*s,%.*s,%.*s zq%dTEAM%c%.*s!,1778646866\n",
                       STR_ARG(field[0]), STR_ARG(field[1]), STR_ARG(field[2]), STR_ARG(field[3]),
                       STR_ARG(field[4]), STR_ARG(said ? str_of(said) : without_time(field[5])),
                       number, 'A' + field[4].bytes[0] - '0', STR_ARG(field[4]));
        else
            buf_printf(out, "%.*s\n", STR_ARG(line));
    }
}

static bool has_folded(Str text, const char *part)
{
    size_t len = strlen(part);

    for (size_t at = 0; at + len <= text.len; at++) {
        size_t same = 0;
        while (same < len && str_lower_char(text.bytes[at + same]) == part[same])
            same++;
        if (same == len)
            return true;
    }
    return false;
}

static bool has_long_number(Str text)
{
    size_t digits = 0;

    for (size_t i = 0; i < text.len && digits < 9; i++)
        digits = text.bytes[i] >= '0' && text.bytes[i] <= '9' ? digits + 1 : 0;
    return digits >= 9;
}

/* Words of what A, B and E hide, none of which is said. */
static const char *const hidden[] = {
    "seer",   "medium", "bodyguard", "possessed", "villager", "werewolf", "human", "vote\"",
    "divine", "guard",  "attack",    "\"whisper", "execute",  "result",   "win",   "占い",
    "霊",     "狩人",   "騎士",      "裏切り",    "狂人",     "村人",
};

static void look_for_traces(const JudgeGame *game, bool silent, int number)
{
    static const Criterion criteria[] = {CRITERION_A, CRITERION_B, CRITERION_E};
    char team[24];

    snprintf(team, sizeof(team), "zq%dteam", number);
    for (size_t i = 0; i < sizeof(criteria) / sizeof(criteria[0]); i++)
        for (int japanese = 0; japanese < 2; japanese++) {
            CLEANUP(buf_done) Buf out = {0};
            write_sheet(game, criteria[i], upward, japanese, &out);
            Str sheet = buf_str(&out);
            size_t behind; /* the question's own words may name what is no ground */
            assert_true(str_find(sheet, STR("\"names\""), &behind));
            if (has_folded(sheet, team) || has_long_number(sheet))
                fail_msg("game %d: its team, or a time", number);
            sheet = str_part(sheet, behind, sheet.len);
            for (size_t k = 0; silent && k < sizeof(hidden) / sizeof(hidden[0]); k++)
                if (has_folded(sheet, hidden[k]))
                    fail_msg("game %d: '%s'", number, hidden[k]);
        }
}

static void attack_game(const char *path, bool silent, int number)
{
    CLEANUP(buf_done) Buf log = {0};
    CLEANUP(buf_done) Buf disguised = {0};
    CLEANUP(judge_game_done) JudgeGame game = {0};
    Err err = {0};

    assert_int_equal(log_file_read(path, LOG_TEXT_BYTES_MAX, &log, &err), 0);
    disguise_log(buf_str(&log), number, silent ? "hello" : NULL, &disguised);
    read_game(buf_str(&disguised), STR(""), &game);
    look_for_traces(&game, silent, number);
}

static void no_sheet_has_a_trace_of_team_role_or_result(void **state)
{
    CLEANUP(buf_done) Buf logs = data_path("nlp-logs");
    CLEANUP(buf_done) Buf wire = data_path("nlp-wire");
    CLEANUP(log_list_done) LogList list = {0};
    Err err = {0};
    int games = 0;
    size_t at;
    (void)state;

    assert_int_equal(log_list_add(&list, buf_cstr(&logs), &err), 0);
    assert_int_equal(log_list_add(&list, buf_cstr(&wire), &err), 0);
    for (size_t i = 0; i < list.count; i++)
        if (!str_find(str_of(list.paths[i]), STR("nlp2025_"), &at)) { /* without characters */
            attack_game(list.paths[i], true, games++);
            attack_game(list.paths[i], false, games++);
        }
    assert_true(games >= 100);
}

static void the_outcome_changes_no_byte(void **state)
{
    CLEANUP(judge_game_done) JudgeGame won = {0};
    CLEANUP(judge_game_done) JudgeGame lost = {0};
    CLEANUP(buf_done) Buf other = {0};
    size_t at;
    (void)state;

    /* the last night and the result are others: somebody else dies, the wolves win */
    assert_true(str_find(str_of(small_log), STR("2,execute,3"), &at));
    buf_add(&other, str_part(str_of(small_log), 0, at));
    buf_add(&other, STR("2,execute,2,MEDIUM\n2,attack,1,true\n3,status,1,SEER,DEAD,alpha1,Mio\n"
                        "3,status,2,MEDIUM,DEAD,beta1,Ken\n3,status,3,WEREWOLF,ALIVE,gamma_x1,May\n"
                        "3,status,4,POSSESSED,DEAD,delta1,Ryu\n3,status,5,VILLAGER,DEAD,eps1,Asu\n"
                        "3,result,0,1,WEREWOLF\n"));
    read_game(str_of(small_log), STR(""), &won);
    read_game(buf_str(&other), STR(""), &lost);
    assert_int_not_equal(won.winner, lost.winner);
    for (unsigned i = 0; i < CRITERION_COUNT; i++) {
        CLEANUP(buf_done) Buf a = {0};
        CLEANUP(buf_done) Buf b = {0};
        write_sheet(&won, (Criterion)i, upward, false, &a);
        write_sheet(&lost, (Criterion)i, upward, false, &b);
        assert_string_equal(buf_cstr(&a), buf_cstr(&b));
    }
}

/* ---- the JSON log ---- */

static void profiles_come_from_the_json_log(void **state)
{
    CLEANUP(buf_done) Buf log = data_path("nlp-wire/09p-plain-01.game.log.gz");
    CLEANUP(buf_done) Buf json = data_path("nlp-wire/09p-plain-01.log.json.gz");
    CLEANUP(judge_game_done) JudgeGame game = {0};
    CLEANUP(buf_done) Buf e = {0};
    CLEANUP(buf_done) Buf b = {0};
    Err err = {0};
    (void)state;

    if (judge_game_load(buf_cstr(&log), buf_cstr(&json), &game, &err))
        fail_msg("%s", err.msg);
    for (SeatNo seat = 1; seat <= game.seat_count; seat++)
        assert_true(game.profile[seat].len > 10);
    write_sheet(&game, CRITERION_E, upward, true, &e);
    write_sheet(&game, CRITERION_B, upward, true, &b);
    assert_true(has(buf_str(&e), "年齢"));
    assert_false(has(buf_str(&b), "年齢"));
}

static void every_sheet_is_json_that_can_be_read(void **state)
{
    CLEANUP(buf_done) Buf logs = data_path("nlp-logs");
    CLEANUP(log_list_done) LogList list = {0};
    Err err = {0};
    (void)state;

    assert_int_equal(log_list_add(&list, buf_cstr(&logs), &err), 0);
    for (size_t i = 0; i < list.count; i++) {
        CLEANUP(judge_game_done) JudgeGame game = {0};
        assert_int_equal(judge_game_load(list.paths[i], NULL, &game, &err), 0);
        if (game.log.lines[0].in_game.len == 0)
            continue;
        for (unsigned k = 0; k < CRITERION_COUNT; k++) {
            CLEANUP(buf_done) Buf out = {0};
            json_t *json = NULL;
            write_sheet(&game, (Criterion)k, upward, false, &out);
            if (json_read(buf_str(&out), out.len, &json, &err))
                fail_msg("%s: %s", list.paths[i], err.msg);
            assert_int_equal(json_count(json_get(json, "names")), game.seat_count);
            json_done(json);
        }
    }
}

static void teamwork_is_for_games_with_several_wolves(void **state)
{
    (void)state;
    assert_false(criterion_fits(CRITERION_F, 5));
    assert_true(criterion_fits(CRITERION_F, 9));
    assert_true(criterion_fits(CRITERION_A, 5));
    for (unsigned i = 0; i < CRITERION_COUNT; i++) /* what hides roles comes before what has them */
        for (unsigned k = 0; k < CRITERION_COUNT; k++)
            if (!(criterion_shows((Criterion)i) & SHOWS_ROLES) &&
                (criterion_shows((Criterion)k) & SHOWS_ROLES))
                assert_true(criterion_place((Criterion)i) < criterion_place((Criterion)k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_criterion_shows_what_is_its),
        cmocka_unit_test(an_order_is_of_each_seat_once),
        cmocka_unit_test(a_log_without_characters_makes_no_sheet),
        cmocka_unit_test(roles_stand_beside_names_where_they_are_shown),
        cmocka_unit_test(names_of_teams_are_taken_out_of_what_is_said),
        cmocka_unit_test(names_of_teams_in_other_letters_are_taken_out_too),
        cmocka_unit_test(a_line_that_nobody_sees_costs_no_more_than_another),
        cmocka_unit_test(of_a_model_everybody_reads_its_name),
        cmocka_unit_test(a_word_of_the_game_stays_though_a_team_is_called_so),
        cmocka_unit_test(no_sheet_has_a_trace_of_team_role_or_result),
        cmocka_unit_test(the_outcome_changes_no_byte),
        cmocka_unit_test(profiles_come_from_the_json_log),
        cmocka_unit_test(every_sheet_is_json_that_can_be_read),
        cmocka_unit_test(teamwork_is_for_games_with_several_wolves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
