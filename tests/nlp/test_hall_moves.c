/* What came into a hall is kept and read again as it was; no token is in the file, and only its
 * owner can read it. */
#include "nlp/hall_moves.h"

#include "disk/log_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD                                                                                       \
    "{\"format\":\"warg-hall\",\"version\":1,"                                                     \
    "\"key\":\"0000000000000000000000000000000000000000000000000000000000000000\","                \
    "\"began_us\":5}\n"
#define ID "01ARZ3NDEKTSV4RRFFQ69G5FAV"

typedef struct Place {
    char folder[64];
    char path[96];
} Place;

static int make_place(void **state)
{
    static Place place;

    memset(&place, 0, sizeof(place));
    snprintf(place.folder, sizeof(place.folder), "/tmp/warg-moves-XXXXXX");
    if (!mkdtemp(place.folder))
        return -1;
    snprintf(place.path, sizeof(place.path), "%s/hall.jsonl", place.folder);
    *state = &place;
    return 0;
}

static int remove_place(void **state)
{
    const Place *place = *state;

    unlink(place->path);
    return rmdir(place->folder);
}

static const HallMove rows[] = {
    {.kind = HALL_CLOCK, .at = 1000, .unix_ms = 1795372145658},
    {.kind = HALL_CAME,
     .at = 1000,
     .of = 1,
     .bids = true,
     .address = {"192.0.2.1:9", 11},
     .token = {"header.claims.signature", 23}},
    {.kind = HALL_SAID, .at = 1001, .of = 1, .text = {"kanolab\"1\0\n", 11}, .refused = true},
    {.kind = HALL_CAME, .at = 1002, .of = 2, .guest = 1},
    {.kind = HALL_SAID, .at = 1003, .of = 2, .guest = 1},
    {.kind = HALL_GAME, .at = 1003, .text = {ID, 26}},
    {.kind = GUEST_HEARS, .at = 1004, .guest = 1},
    {.kind = GUEST_THINKS, .at = 1005, .guest = 1},
    {.kind = GUEST_DECIDES, .at = 1006, .guest = 1},
    {.kind = HALL_TICK, .at = 2000},
    {.kind = HALL_GONE, .at = 2001, .of = 1},
    {.kind = GUEST_LEAVES, .at = 2002, .guest = 1},
    {.kind = HALL_DRAIN, .at = 2003},
    {.kind = HALL_ABORT, .at = 2004},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void assert_same(const HallMove *a, const HallMove *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->at, b->at);
    assert_int_equal(a->of, b->of);
    assert_int_equal(a->guest, b->guest);
    assert_int_equal(a->bids, b->bids);
    assert_int_equal(a->refused, b->refused);
    assert_int_equal(a->unix_ms, b->unix_ms);
    assert_true(str_eq(a->text, b->text));
    assert_true(str_eq(a->address, b->address));
}

static void test_what_is_kept_is_read(void **state)
{
    const Place *place = *state;
    const HallMovesHead head = {
        .key = {{1, 2, 3}}, .began = 1000, .fill = true, .fill_after = 7, .games = 2};
    HallMoves *moves = NULL;
    HallMove move;
    CLEANUP(buf_done) Buf text = {0};
    struct stat info;

    assert_int_equal(hall_moves_keep(place->path, &head, &moves, NULL), 0);
    for (size_t i = 0; i < ROWS; i++)
        hall_moves_add(moves, &rows[i]);
    hall_moves_free(moves);
    assert_int_equal(stat(place->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(hall_moves_keep(place->path, &head, &moves, NULL), ERR_IO); /* not again */
    assert_int_equal(log_file_read(place->path, 1 << 20, &text, NULL), 0);
    assert_null(strstr(buf_cstr(&text), "signature"));

    assert_int_equal(hall_moves_load(place->path, &moves, NULL), 0);
    assert_memory_equal(&hall_moves_head(moves)->key, &head.key, sizeof(head.key));
    assert_int_equal(hall_moves_head(moves)->games, 2);
    assert_true(str_eq(hall_moves_ids(moves), STR(ID)));
    assert_false(hall_moves_others(moves));
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(hall_moves_next(moves, &move));
        assert_same(&move, &rows[i]);
        assert_int_equal(move.line, i + 2);
        assert_int_equal(move.token.len, rows[i].token.len ? 64 : 0);
    }
    assert_false(hall_moves_next(moves, &move));
    hall_moves_free(moves);
    hall_moves_add(NULL, &rows[0]);
}

static void test_damaged(void **state)
{
    static const struct {
        const char *text;
        const char *expected;
    } bad[] = {
        {"", "hall.jsonl:1: "},
        {"{\"format\":\"warg-clock\",\"version\":1}\n", "hall.jsonl:1: expected \"format\""},
        {"{\"format\":\"warg-hall\",\"version\":1,\"key\":\"12\"}\n", "'key' is not"},
        {HEAD "{\"t_us\":1,\"does\":\"tick\"}", "hall.jsonl:2: the line is cut off"},
        {HEAD "[]\n", "hall.jsonl:2: expected an object"},
        {HEAD "{\"does\":\"tick\"}\n", "'t_us' is not there"},
        {HEAD "{\"t_us\":1,\"does\":\"dance\"}\n", "'does' is not one of its words"},
        {HEAD "{\"t_us\":1,\"does\":\"said\"}\n", "'of' is not there"},
        {HEAD "{\"t_us\":1,\"does\":\"hears\"}\n", "'guest' is not there"},
        {HEAD "{\"t_us\":1,\"does\":\"game\",\"id\":\"1\"}\n", "'id' is not the id of a game"},
        {HEAD "{\"t_us\":1,\"does\":\"came\",\"of\":1,\"address\":\"a\\u0000\"}\n",
         "'address' is not an address"},
        {HEAD "{\"t_us\":2,\"does\":\"tick\"}\n{\"t_us\":1,\"does\":\"tick\"}\n",
         "hall.jsonl:3: its time is before that of the line above"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        HallMoves *moves = NULL;
        Err err = {0};
        assert_int_equal(hall_moves_read(str_of(bad[i].text), "hall.jsonl", &moves, &err),
                         ERR_SYNTAX);
        assert_non_null(strstr(err.msg, bad[i].expected));
        assert_null(moves);
    }
}

static void test_others(void **state)
{
    HallMoves *moves = NULL;

    (void)state;
    assert_int_equal(
        hall_moves_read(STR(HEAD "{\"t_us\":1,\"does\":\"other\"}\n"), "hall.jsonl", &moves, NULL),
        0);
    assert_true(hall_moves_others(moves));
    hall_moves_free(moves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_kept_is_read, make_place, remove_place),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
