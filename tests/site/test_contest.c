#include "site_places.h"

#include "faulty_db.h"

#include "site/account.h"
#include "site/contest.h"
#include "site/login.h"
#include "site/notice.h"
#include "site/team.h"
#include "site/trail.h"
#include "store/db_row.h"

#include "disk/log_file.h"

#define NOW ((int64_t)1800000000000) /* 2027-01-15 */

static const char cup[] = "contest: cup\n"
                          "title: Cup\n"
                          "dates: {opens: 2027-04-01 09:00, submission_closes: 2027-07-21 24:00,"
                          " preliminary: 2027-07-22, preliminary_stops: 2027-08-04}\n"
                          "stages:\n"
                          "  - {name: preliminary, players: 5, advance: 5}\n"
                          "  - {name: final, players: 5}\n";

static int64_t person(Db *db, const char *login, const char *mail)
{
    AccountSetup setup = {.login = str_of(login), .mail = str_of(mail), .language = STR("en")};
    int64_t id = 0;

    assert_int_equal(account_make(db, &setup, NOW, &id, NULL), 0);
    return id;
}

static ContestActor actor(const char *reason)
{
    return (ContestActor){.reason = str_of(reason), .now_ms = NOW};
}

static int64_t make_cup(Db *db)
{
    const ContestActor by = actor("");
    int64_t id = 0;
    Err err = {0};

    if (contest_make(db, str_of(cup), "", &by, &id, &err))
        fail_msg("%s", err.msg);
    return id;
}

static int amend(Db *db, int64_t id, const char *from, const char *to, const char *reason, Err *err)
{
    const ContestActor by = actor(reason);
    CLEANUP(buf_done) Buf text = {0};
    size_t at = 0;

    assert_true(str_find(str_of(cup), str_of(from), &at));
    buf_add(&text, str_part(str_of(cup), 0, at));
    buf_add(&text, str_of(to));
    buf_add(&text, str_part(str_of(cup), at + strlen(from), sizeof(cup)));
    *err = (Err){0};
    return contest_amend(db, id, buf_str(&text), "", &by, err);
}

static void a_contest_is_made_of_its_file_once(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(contest_done) Contest contest = {0};
    CLEANUP(contest_done) Contest none = {0};
    const ContestActor by = actor("");
    int64_t id = make_cup(db), other = 0;
    Err err = {0};

    assert_int_equal(contest_make(db, str_of(cup), "", &by, &other, &err), ERR_RULE);
    assert_string_equal(err.msg, "contest: 'cup' is taken");
    assert_int_equal(contest_find(db, STR("cup"), &contest, NULL), 0);
    assert_true(contest.id == id && contest.state == LIFE_DRAFT && !contest.paused);
    assert_string_equal(buf_cstr(&contest.file), cup);
    assert_int_equal(contest.digest.len, 64);
    assert_int_equal(contest_find(db, STR("cap"), &none, NULL), 0);
    assert_true(none.id == CONTEST_NONE);
    assert_int_equal(site_number(db, "SELECT count(*) FROM event WHERE verb = 'create-contest'"),
                     1);
}

static int move(Db *db, int64_t id, LifeState from, LifeState to, bool *moved)
{
    const ContestActor by = actor("");
    const ContestMove step = {id, from, to, &by};

    return contest_move(db, &step, moved, NULL);
}

static void what_may_change_depends_on_the_state(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db);
    bool moved = false;
    Err err = {0};

    assert_int_equal(amend(db, id, "name: final", "name: last", "", &err), 0); /* a draft */
    assert_int_equal(amend(db, id, "contest: cup", "contest: cap", "", &err), ERR_RULE);
    assert_int_equal(amend(db, id, "name: final", "name: final", "", &err), 0);
    assert_int_equal(move(db, id, LIFE_DRAFT, LIFE_OPEN, &moved), 0);
    assert_true(moved);
    assert_int_equal(amend(db, id, "title: Cup", "title: The cup", "", &err), 0);
    assert_int_equal(
        amend(db, id, "preliminary_stops: 2027-08-04", "preliminary_stops: 2027-08-05", "", &err),
        0);
    assert_int_equal(amend(db, id, "name: final", "name: last", "why", &err), ERR_RULE);
    assert_string_equal(err.msg, "stages: an open contest keeps their names and their number");
    assert_int_equal(amend(db, id, "advance: 5", "advance: 6", "", &err), ERR_RULE);
    assert_string_equal(err.msg, "reason: say why 'stages' changes; all teams are told");
    assert_int_equal(amend(db, id, "advance: 5", "advance: 6", "a mistake", &err), 0);
    assert_int_equal(amend(db, id, "opens: 2027-04-01 09:00", "opens: 2027-01-01", "", &err),
                     ERR_RULE);
    assert_string_equal(err.msg, "dates: opens would be over already");
    assert_int_equal(db_exec(db,
                             "INSERT INTO run(contest, stage, part, round, folder, games, counted)"
                             " VALUES(1, 'preliminary', 0, 0, 'play', 100, 100)",
                             NULL),
                     0);
    assert_int_equal(
        amend(db, id, "preliminary_stops: 2027-08-04", "preliminary_stops: 2027-08-09", "", &err),
        ERR_RULE);
    assert_int_equal(amend(db, id, "advance: 5", "advance: 7", "why", &err), ERR_RULE);
    assert_string_equal(err.msg, "stages: games that count have been played by them");
}

/* Who is told: each member with an address by mail, the team in the site, its webhook. */
static void all_teams_are_told_of_what_was_amended(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db), ann = person(db, "ann", "ann@example.org"),
            bo = person(db, "bo", "");
    const TeamSetup setups[] = {
        {.contest = id, .name = STR("wits"), .captain = ann},
        {.contest = id, .name = STR("owls"), .captain = bo},
    };
    int64_t teams[2];
    bool moved = false;
    Err err = {0};

    assert_int_equal(team_found(db, &setups[0], NOW, &teams[0], NULL), 0);
    assert_int_equal(team_found(db, &setups[1], NOW, &teams[1], NULL), 0);
    assert_int_equal(
        db_exec(db, "UPDATE team SET webhook = 'https://h.example/x' WHERE id = 2", NULL), 0);
    assert_int_equal(move(db, id, LIFE_DRAFT, LIFE_OPEN, &moved), 0);
    assert_int_equal(amend(db, id, "advance: 5", "advance: 6", "a mistake", &err), 0);
    /* What held before stays, for who looks later what followed from it. */
    assert_int_equal(site_number(db, "SELECT count(*) FROM amended WHERE file LIKE '%advance: 5%'"),
                     1);
    assert_int_equal(site_number(db, "SELECT count(*) FROM amended JOIN contest"
                                     " ON contest.digest = amended.digest"),
                     0);
    assert_int_equal(
        site_number(db, "SELECT count(*) FROM notice WHERE kind = 'amended' AND channel = 'site'"),
        2);
    assert_int_equal(
        site_number(db, "SELECT account FROM notice WHERE kind = 'amended' AND channel = 'mail'"),
        ann);
    assert_int_equal(
        site_number(db, "SELECT team FROM notice WHERE kind = 'amended' AND channel = 'hook'"),
        teams[1]);
}

static void a_move_happens_once(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(contest_done) Contest contest = {0};
    int64_t id = make_cup(db);
    bool moved = false, asked = false;

    assert_int_equal(contest_ask(db, id, LIFE_DRAFT, NULL), 0);
    assert_int_equal(contest_asked(db, id, LIFE_DRAFT, &asked, NULL), 0);
    assert_true(asked);
    assert_int_equal(move(db, id, LIFE_DRAFT, LIFE_OPEN, &moved), 0);
    assert_true(moved);
    assert_int_equal(contest_asked(db, id, LIFE_DRAFT, &asked, NULL), 0);
    assert_false(asked);
    assert_int_equal(move(db, id, LIFE_DRAFT, LIFE_OPEN, &moved), 0);
    assert_false(moved);
    assert_int_equal(contest_get(db, id, &contest, NULL), 0);
    assert_int_equal(contest.state, LIFE_OPEN);
    assert_true(contest.changed_ms == NOW);
    assert_int_equal(site_number(db, "SELECT count(*) FROM event WHERE verb = 'move'"), 1);
}

static void a_pause_needs_a_reason_and_a_state(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db);
    const ContestActor silent = actor(""), by = actor("the hall burns");
    bool moved = false;
    Err err = {0};

    assert_int_equal(contest_set_paused(db, id, true, &silent, &err), ERR_RULE);
    err = (Err){0};
    assert_int_equal(contest_set_paused(db, id, true, &by, &err), ERR_RULE);
    assert_string_equal(err.msg, "a contest that is DRAFT can't be paused");
    assert_int_equal(move(db, id, LIFE_DRAFT, LIFE_OPEN, &moved), 0);
    assert_int_equal(contest_set_paused(db, id, true, &by, NULL), 0);
    assert_int_equal(contest_set_paused(db, id, true, &by, NULL), 0);
    assert_int_equal(site_number(db, "SELECT count(*) FROM event WHERE verb = 'pause'"), 1);
    assert_int_equal(contest_set_paused(db, id, false, &silent, NULL), 0);
    assert_int_equal(site_number(db, "SELECT paused FROM contest"), 0);
}

static int move_in_transaction(Db *db, void *user, Err *err)
{
    const ContestActor by = actor("");
    const ContestMove step = {*(int64_t *)user, LIFE_OPEN, LIFE_FROZEN, &by};
    bool moved = false;

    return contest_move(db, &step, &moved, err);
}

/* A ledger that can't be asked for is not one that there is not: nothing is done without its entry.
 */
static void what_has_no_entry_has_not_happened(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    const ContestActor by = actor("why");
    bool moved = false;
    Err err = {0};
    int64_t id = make_cup(db);

    assert_int_equal(move(db, id, LIFE_DRAFT, LIFE_OPEN, &moved), 0);
    faulty_db_begin(db, "public_key IS NOT NULL");
    assert_true(amend(db, id, "advance: 5", "advance: 6", "a mistake", &err) < 0);
    assert_true(contest_set_paused(db, id, true, &by, &err) < 0);
    assert_true(db_transaction(db, move_in_transaction, &id, &err) < 0);
    assert_int_equal(faulty_db_failed, 3);
    faulty_db_end(db);
    assert_int_equal(site_number(db,
                                 "SELECT count(*) FROM contest WHERE file LIKE '%advance: 5%' AND"
                                 " paused = 0 AND state = 'OPEN'"),
                     1);
    assert_int_equal(contest_set_paused(db, id, true, &by, &err), 0);
}

static void its_file_is_copied_for_the_runner(void **state)
{
    SitePlace *place = *state;
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(contest_done) Contest contest = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    int64_t id = make_cup(db);

    assert_int_equal(contest_get(db, id, &contest, NULL), 0);
    buf_printf(&path, "%s/contests/cup/contest.yml", place->folder);
    for (int i = 0; i < 2; i++)
        assert_int_equal(contest_write_file(place->folder, &contest, NULL), 0);
    assert_int_equal(log_file_read(buf_cstr(&path), 100000, &text, NULL), 0);
    assert_string_equal(buf_cstr(&text), cup);
}

static void what_is_marked_is_told_once(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db), ann = person(db, "ann", "ann@example.org");
    Notice notice = {.kind = NOTICE_WAITS, .to = TO_ACCOUNT, .id = ann, .contest = id, .mark = "x"};

    for (int i = 0; i < 3; i++)
        assert_int_equal(notice_put(db, &notice, NOW, NULL), 0);
    assert_int_equal(site_number(db, "SELECT count(*) FROM notice"), 2); /* site and mail */
    notice.mark = NULL;
    assert_int_equal(notice_put(db, &notice, NOW, NULL), 0);
    assert_int_equal(notice_put(db, &notice, NOW, NULL), 0);
    assert_int_equal(site_number(db, "SELECT count(*) FROM notice"), 6);
}

static void a_captain_can_not_switch_off_conduct(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db), ann = person(db, "ann", "ann@example.org"), team;
    const TeamSetup setup = {.contest = id, .name = STR("wits"), .captain = ann};

    assert_int_equal(team_found(db, &setup, NOW, &team, NULL), 0);
    assert_int_equal(db_exec(db, "UPDATE team SET quiet = 'round strike announcement'", NULL), 0);
    for (NoticeKind kind = 0; kind < NOTICE_KINDS; kind++) {
        const Notice notice = {.kind = kind, .to = TO_TEAM, .id = team, .contest = id};
        assert_int_equal(notice_put(db, &notice, NOW, NULL), 0);
    }
    assert_int_equal(site_number(db, "SELECT count(*) FROM notice WHERE channel = 'mail'"),
                     NOTICE_KINDS - 1);
    assert_int_equal(
        site_number(db, "SELECT count(*) FROM notice WHERE channel = 'mail' AND kind = 'round'"),
        0);
}

static void the_trail_forgets_where_from(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    static const char *const from[] = {"192.0.2.77", "2001:db8:1:2::3", "2001:db8::7", "::1"};
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    static const char *const kept[] = {"192.0.2.0", "2001:db8:1::", "2001:db8::", "::"};
    int64_t changed = 0;

    for (size_t i = 0; i < 4; i++) {
        const TrailEntry entry = {.verb = STR("amend"), .address = str_of(from[i]), .at_ms = NOW};
        assert_int_equal(trail_note(db, &entry, NULL), 0);
    }
    assert_int_equal(trail_forget(db, NOW + INT64_C(29) * 86400000, 100, &changed, NULL), 0);
    assert_true(changed == 0);
    assert_int_equal(trail_forget(db, NOW + INT64_C(31) * 86400000, 100, &changed, NULL), 0);
    assert_true(changed == 4);
    assert_int_equal(trail_forget(db, NOW + INT64_C(31) * 86400000, 100, &changed, NULL), 0);
    assert_true(changed == 0);
    assert_int_equal(db_query(db, "SELECT address FROM event ORDER BY id", &query, NULL), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(db_step(query, NULL), 1);
        assert_true(str_eq(db_text(query, 0), str_of(kept[i])));
    }
}

/* Addresses of logins, too; a login is over long before its row is gone. */
static void rows_of_logins_are_gone_after_90_days(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    const int64_t day = INT64_C(86400000);
    char cookie[SECRET_TEXT_BYTES];
    int64_t account = 0, changed = 0;

    assert_int_equal(db_ask(db, 0, &account, NULL,
                            "INSERT INTO account(login, created) VALUES('ann', 1) RETURNING id",
                            ""),
                     0);
    assert_int_equal(login_begin(db, account, STR("192.0.2.77"), NOW, cookie, NULL), 0);
    assert_int_equal(trail_forget(db, NOW + 31 * day, 100, &changed, NULL), 0);
    assert_int_equal(site_number(db, "SELECT count(*) FROM login WHERE address = '192.0.2.0'"), 1);
    assert_int_equal(trail_forget(db, NOW + 90 * day, 100, &changed, NULL), 0);
    assert_int_equal(site_number(db, "SELECT count(*) FROM login"), 1);
    assert_int_equal(trail_forget(db, NOW + 90 * day + 1, 100, &changed, NULL), 0);
    assert_int_equal(site_number(db, "SELECT count(*) FROM login"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(a_contest_is_made_of_its_file_once),
        ON_BOTH(what_may_change_depends_on_the_state),
        ON_BOTH(all_teams_are_told_of_what_was_amended),
        ON_BOTH(a_move_happens_once),
        ON_BOTH(a_pause_needs_a_reason_and_a_state),
        ON_BOTH(what_has_no_entry_has_not_happened),
        ON_SQLITE(its_file_is_copied_for_the_runner),
        ON_BOTH(what_is_marked_is_told_once),
        ON_BOTH(a_captain_can_not_switch_off_conduct),
        ON_BOTH(the_trail_forgets_where_from),
        ON_BOTH(rows_of_logins_are_gone_after_90_days),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
