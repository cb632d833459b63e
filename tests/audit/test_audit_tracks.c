/* What a ledger says of void games of a track, against the track's journal: each thing that
 * somebody who holds the key could leave out or add.
 *
 * Source: docs/spec/contest-operations.md 11.5 (9), O39. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit/audit_tracks.h"
#include "disk/folder.h"
#include "journal/journal.h"

#include <jansson.h>
#include <stdlib.h>

static char dir[48];

static void add_act(Journal *journal, uint64_t game, const char *by)
{
    const OperatorAct act = {.kind = ACT_VOID,
                             .target = ACT_OF_GAME,
                             .number = game,
                             .by = str_of(by),
                             .why = STR("a full disk"),
                             .at_ms = 1};

    assert_int_equal(journal_add_act(journal, &act, NULL), 0);
}

/* Game 3 is void by an organiser, game 5 by whoever ran the server. */
static int set_up(void **state)
{
    Journal *journal = NULL;
    char logs[96];

    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/warg-tracks-XXXXXX");
    assert_non_null(mkdtemp(dir));
    snprintf(logs, sizeof(logs), "%s/tracks/turn5/main/logs/x", dir);
    assert_int_equal(folder_make_for(logs, NULL), 0);
    snprintf(logs, sizeof(logs), "%s/tracks/turn5/main/logs", dir);
    assert_int_equal(journal_begin(logs, STR("{\"division\":\"nlp\"}"), &journal, NULL), 0);
    add_act(journal, 3, "organiser");
    add_act(journal, 5, "desk");
    return journal_close(journal, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    return folder_remove(dir, NULL);
}

#define GAME "{\"n\":0,\"type\":\"game\",\"track\":\"turn5\",\"number\":\"3\"}"
#define RULING                                                                                     \
    "{\"n\":1,\"type\":\"ruling\",\"about\":\"game\",\"stage\":\"turn5\",\"number\":\"3\","        \
    "\"decision\":\"void\",\"reason\":\"a full disk\"}"
#define ACT_OF(n, number, by)                                                                      \
    "{\"n\":" #n ",\"type\":\"act\",\"track\":\"turn5\",\"about\":\"game\",\"number\":\"" #number  \
    "\",\"decision\":\"void\",\"by\":\"" by "\",\"reason\":\"a full disk\"}"

/* What the audit of these entries says; empty: it holds. */
static void assert_says(const char *entries, const char *words)
{
    AuditVerdict verdict = {.state = AUDIT_NOT_REACHED};
    json_t *list = json_loads(entries, 0, NULL);

    assert_non_null(list);
    assert_int_equal(audit_tracks_check(dir, list, true, &verdict, NULL), 0);
    if (*words ? verdict.state != AUDIT_CONTRADICTED || !strstr(verdict.text, words)
               : verdict.state == AUDIT_CONTRADICTED)
        fail_msg("expected '%s', got '%s'", words, verdict.text);
    json_decref(list);
}

static void test_void_games(void **state)
{
    (void)state;
    assert_says("[" GAME "," RULING "," ACT_OF(2, 3, "organiser") "," ACT_OF(3, 5, "desk") "]", "");
    /* An act is left out, is about another game, or somebody else's. */
    assert_says("[" GAME "," RULING "," ACT_OF(3, 5, "desk") "]",
                "game 3 of track turn5 is void, of which the ledger has no entry");
    assert_says("[" GAME "," RULING "," ACT_OF(2, 4, "organiser") "," ACT_OF(3, 5, "desk") "]",
                "game 3 of track turn5 is void, of which the ledger has no entry");
    assert_says("[" GAME "," RULING "," ACT_OF(2, 3, "organiser") "," ACT_OF(3, 5, "nobody") "]",
                "game 5 of track turn5 is void, of which the ledger has no entry");
    /* The journal knows nothing of one. */
    assert_says("[" GAME "," RULING
                "," ACT_OF(2, 3, "organiser") "," ACT_OF(3, 5, "desk") "," ACT_OF(4, 6, "desk") "]",
                "game 6 of track turn5 is said to be void, and its journal has no such act");
    /* The ruling is left out, comes behind, or was not carried out. */
    assert_says("[" GAME "," ACT_OF(1, 3, "organiser") "," ACT_OF(2, 5, "desk") "]",
                "of which the ledger has no ruling");
    assert_says("[" GAME "," ACT_OF(1, 3, "organiser") "," ACT_OF(2, 5, "desk") "," RULING "]",
                "of which the ledger has no ruling");
    assert_says("[" GAME "," RULING "," ACT_OF(2, 3, "organiser") "," ACT_OF(
                    3, 5, "desk") ",{\"n\":4,\"type\":\"ruling\",\"about\":\"game\",\"stage\":"
                                  "\"turn5\",\"number\":\"7\",\"decision\":\"void\"}]",
                "a ruling that was not carried out: game 7 of track turn5 is not void");
}

#define RULING_ON(n, game)                                                                         \
    "{\"n\":" #n ",\"type\":\"ruling\",\"about\":\"game\",\"stage\":\"turn5\",\"number\":\"" #game \
    "\",\"decision\":\"void\"}"
#define CLOSED(n, game)                                                                            \
    "{\"n\":" #n ",\"type\":\"ruling\",\"about\":\"ruling\",\"of\":\"game\",\"stage\":\"turn5\","  \
    "\"number\":\"" #game "\",\"decision\":\"void\",\"why\":\"x\",\"reason\":\"y\"}"
#define CARRIED_OUT GAME "," RULING "," ACT_OF(2, 3, "organiser") "," ACT_OF(3, 5, "desk")

static void a_ruling_is_closed_once(void **state)
{
    (void)state;
    assert_says("[" CARRIED_OUT "," RULING_ON(4, 7) "," CLOSED(5, 7) "]", "");
    assert_says("[" CARRIED_OUT "," RULING_ON(4, 7) "," CLOSED(5, 8) "]",
                "a ruling that was not carried out: game 7");
    assert_says("[" CARRIED_OUT "," CLOSED(4, 7) "," RULING_ON(5, 7) "]",
                "a ruling that was not carried out: game 7");
    assert_says("[" CARRIED_OUT "," RULING_ON(4, 7) "," RULING_ON(5, 7) "," CLOSED(6, 7) "]",
                "a ruling that was not carried out: game 7");
    assert_says("[" CARRIED_OUT "," RULING_ON(4, 7) "," CLOSED(5, 7) "," CLOSED(6, 7) "]",
                "a ruling is closed that was carried out, or is none");
    assert_says("[" CARRIED_OUT "," CLOSED(4, 3) "]",
                "a ruling is closed that was carried out, or is none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_void_games, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_ruling_is_closed_once, set_up, tear_down)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
