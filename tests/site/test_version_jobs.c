/* A version from its file to its verdict, over the spool, with what is told and what is in the
 * ledger. */
#include "site_places.h"

#include "disk/folder.h"
#include "show/version_report.h"
#include "site/account.h"
#include "site/contest.h"
#include "site/notice.h"
#include "site/site_ledger.h"
#include "site/team.h"
#include "site/version_jobs.h"

#define NOW    ((int64_t)1800000000000)
#define DIGEST "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

static const char contest_file[] = "contest: cup\n"
                                   "title: {en: Cup}\n"
                                   "division: protocol\n"
                                   "submit: {languages: [python], tree_bytes: 1000000}\n"
                                   "check: {games: 3, name: refuse}\n"
                                   "stages:\n"
                                   "  - {name: final, players: 5, sets: 1}\n";

static const JobHandler handlers[] = {{"unpack", version_job_unpacked},
                                      {"build", version_job_built},
                                      {"check", version_job_checked},
                                      {0}};

typedef struct Site {
    Db *db;
    Spool *spool;
    char data[48];
    int64_t contest, teams[2];
    SiteRules rules;
} Site;

static void one_text(Db *db, const char *sql, Buf *out)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;

    buf_clear(out);
    assert_int_equal(db_query(db, sql, &query, NULL), 0);
    assert_int_equal(db_step(query, NULL), 1);
    buf_add(out, db_text(query, 0));
}

static void good(int rc, const Err *err)
{
    if (rc)
        fail_msg("%s", err->msg);
}

static int begin_ledger(Db *db, void *user, Err *err)
{
    const Site *site = user;
    const ContestHome home = {site->contest, STR("cup"), site->data};

    return site_ledger_begin(db, &home, STR("example.org/warg/cup"), err);
}

static void open_site(void **state, Site *site)
{
    static const char *const names[] = {"alice", "bob"};
    const ContestActor actor = {.now_ms = NOW};
    Err err = {0};

    *site = (Site){.db = site_place_open(state)};
    snprintf(site->data, sizeof(site->data), "/tmp/warg-version-XXXXXX");
    assert_non_null(mkdtemp(site->data));
    good(spool_open(site->data, &site->spool, &err), &err);
    good(contest_rules_read(str_of(contest_file), site->data, &site->rules, &err), &err);
    good(contest_make(site->db, str_of(contest_file), site->data, &actor, &site->contest, &err),
         &err);
    good(db_exec(site->db, "UPDATE contest SET state = 'OPEN'", &err), &err);
    for (int i = 0; i < 2; i++) {
        AccountSetup account = {.login = str_of(names[i]), .language = STR("en")};
        TeamSetup team = {.contest = site->contest, .name = str_of(names[i])};
        good(account_make(site->db, &account, NOW, &team.captain, &err), &err);
        good(team_found(site->db, &team, NOW, &site->teams[i], &err), &err);
    }
    good(db_transaction(site->db, begin_ledger, site, &err), &err);
}

static void close_site(Site *site)
{
    contest_rules_done(&site->rules);
    spool_close(site->spool);
    folder_remove(site->data, NULL);
    db_close(site->db);
}

static int64_t hand_in(Site *site, int team)
{
    const VersionSetup setup = {
        .team = site->teams[team], .language = STR("python"), .entry = STR("start.py")};
    char languages[VERSION_LANGUAGES_BYTES];
    VersionRules rules;
    int64_t id = 0, number = 0;
    Err err = {0};

    version_rules_submit(&site->rules, languages, &rules);
    good(version_receive(site->db, &setup, &rules, NOW, &id, &number, &err), &err);
    const VersionFile file = {
        .id = id, .sha256 = STR(DIGEST), .bytes = 3, .rules = &site->rules, .require = CELL_STRICT};
    good(version_take_file(site->db, &file, NOW, NULL, &err), &err);
    return id;
}

/* The server and the runner in short: the next job, of this kind, ends so. Its text in `text`. */
static void job_ends(Site *site, const char *kind, const char *result, Buf *text)
{
    SpoolJob job = SPOOL_JOB_NONE;
    bool there = false;
    uint32_t count = 0;
    Err err = {0};

    good(jobs_flush(site->db, site->spool, &err), &err);
    good(spool_take(site->spool, SPOOL_ANY, &job, &there, &err), &err);
    if (!there)
        fail_msg("no job waits, expected '%s'", kind);
    assert_string_equal(job.head.kind, kind);
    if (text) {
        buf_clear(text);
        buf_add(text, buf_str(&job.text));
    }
    good(spool_finish(site->spool, &job, str_of(result), &err), &err);
    spool_job_done(&job);
    good(jobs_collect(site->db, site->spool, handlers, NULL, NOW + 1, &count, &err), &err);
    assert_int_equal(count, 1);
}

static VersionState state_of(Site *site, int64_t id)
{
    CLEANUP(version_done) Version version = {0};

    assert_int_equal(version_find(site->db, id, &version, NULL), 0);
    return version.state;
}

static void no_job_waits(Site *site)
{
    JobsOpen open = {.waiting = 7};

    assert_int_equal(jobs_open_count(site->db, site->contest, NULL, &open, NULL), 0);
    assert_int_equal(open.waiting, 0);
}

static int64_t notices(Site *site, const char *kind)
{
    char sql[160];

    snprintf(sql, sizeof(sql), "SELECT count(*) FROM notice WHERE channel = 'site' AND kind = '%s'",
             kind);
    return site_number(site->db, sql);
}

#define UNPACKED "{\"ok\":true,\"tree\":\"" DIGEST "\",\"steps\":\"{A}\",\"warnings\":\"w\\n\"}"

static void a_version_goes_from_its_file_to_active(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    Site site;

    open_site(state, &site);
    const int64_t id = hand_in(&site, 0);
    assert_int_equal(notices(&site, "version-received"), 1);
    job_ends(&site, "unpack", UNPACKED, &text);
    assert_non_null(strstr(buf_cstr(&text), "\"blob\":\"" DIGEST "\""));
    assert_non_null(strstr(buf_cstr(&text), "\"tree_bytes\":1000000"));
    assert_non_null(strstr(buf_cstr(&text), "\"games\":3"));
    assert_non_null(strstr(buf_cstr(&text), "\"name_refuses\":true"));
    assert_int_equal(state_of(&site, id), VERSION_UNPACKED);
    job_ends(&site, "build", "{\"ok\":true,\"tree\":\"cc\",\"steps\":\"{A},{B}\"}", &text);
    assert_non_null(strstr(buf_cstr(&text), "\"tree\":\"" DIGEST "\""));
    assert_non_null(strstr(buf_cstr(&text), "\"steps\":\"{A}\""));
    assert_non_null(strstr(buf_cstr(&text), "\"warnings\":\"w\\n\""));
    assert_int_equal(state_of(&site, id), VERSION_CHECKING);
    job_ends(&site, "check", "{\"ok\":true,\"report\":\"{R}\"}", &text);
    assert_non_null(strstr(buf_cstr(&text), "\"tree\":\"cc\""));
    assert_non_null(strstr(buf_cstr(&text), "\"steps\":\"{A},{B}\""));
    assert_int_equal(state_of(&site, id), VERSION_ACTIVE);
    no_job_waits(&site);
    assert_int_equal(notices(&site, "version-passed"), 1);
    assert_int_equal(notices(&site, "version-refused"), 0);
    one_text(site.db, "SELECT line FROM ledger WHERE line LIKE '%\"type\":\"version\"%'", &text);
    assert_non_null(strstr(buf_cstr(&text), "\"number\":1,"));
    assert_non_null(strstr(buf_cstr(&text), "\"team\":\"alice\""));
    assert_non_null(strstr(buf_cstr(&text), "\"tree\":\"cc\""));
    assert_non_null(strstr(buf_cstr(&text), "\"verdict\":\"passed\""));
    one_text(site.db, "SELECT report FROM version", &text);
    assert_string_equal(buf_cstr(&text), "{R}");
    close_site(&site);
}

/* The notice's text in this language ends so. */
static void is_mailed(Str kind, Str body, bool japanese, const char *end)
{
    CLEANUP(buf_done) Buf subject = {0};
    CLEANUP(buf_done) Buf text = {0};

    assert_int_equal(notice_text(kind, body, japanese, &subject, &text, NULL), 0);
    if (text.len < strlen(end) || strcmp(buf_cstr(&text) + text.len - strlen(end), end) != 0)
        fail_msg("'%s' does not end with '%s'", buf_cstr(&text), end);
}

static void steps_of_a_check_have_their_words_in_mails(void **state)
{
    CLEANUP(buf_done) Buf text = {0};

    (void)state;
    version_report_say_why(STR("check: name set"), true, &text);
    assert_string_equal(buf_cstr(&text), "チェックで不合格になった項目: 名前、セット");
    buf_clear(&text);
    version_report_say_why(STR("check: name set"), false, &text);
    assert_string_equal(buf_cstr(&text), "check: name set");
}

static void what_is_refused_is_told_with_its_reason_at_every_step(void **state)
{
    static const char *const kinds[] = {"unpack", "build", "check"};
    CLEANUP(buf_done) Buf text = {0};
    Site site;

    open_site(state, &site);
    for (int at = 0; at < 3; at++) {
        const int64_t id = hand_in(&site, 0);
        for (int i = 0; i < at; i++)
            job_ends(&site, kinds[i], UNPACKED, NULL);
        job_ends(&site, kinds[at],
                 "{\"ok\":true,\"refused\":\"entry 'a': is a link\",\"report\":\"{R}\"}", NULL);
        assert_int_equal(state_of(&site, id), VERSION_REFUSED);
        no_job_waits(&site);
        assert_int_equal(notices(&site, "version-refused"), at + 1);
    }
    one_text(site.db, "SELECT why FROM version WHERE number = 3", &text);
    assert_string_equal(buf_cstr(&text), "entry 'a': is a link");
    one_text(site.db, "SELECT body FROM notice WHERE kind = 'version-refused'", &text);
    assert_non_null(strstr(buf_cstr(&text), "entry 'a': is a link"));
    is_mailed(STR("version-refused"), buf_str(&text), false, ": entry 'a': is a link\n");
    is_mailed(STR("version-refused"), buf_str(&text), true, ": 「a」: リンクです\n");
    assert_int_equal(
        site_number(site.db, "SELECT count(*) FROM ledger WHERE line LIKE '%\"refused\"%'"), 3);
    close_site(&site);
}

static void our_faults_are_tried_again_and_refuse_nobody(void **state)
{
    Site site;

    open_site(state, &site);
    const int64_t id = hand_in(&site, 0);
    job_ends(&site, "unpack", UNPACKED, NULL);
    job_ends(&site, "build", "{\"ok\":false,\"ours\":true,\"why\":\"the disk is full\"}", NULL);
    assert_int_equal(state_of(&site, id), VERSION_UNPACKED);
    job_ends(&site, "build", UNPACKED, NULL);
    for (int i = 0; i < VERSION_JOB_TRIES; i++) {
        assert_int_equal(notices(&site, "job-failed"), 0);
        job_ends(&site, "check", "{\"ok\":false,\"ours\":true,\"why\":\"no cell\"}", NULL);
        assert_int_equal(state_of(&site, id), VERSION_CHECKING);
    }
    no_job_waits(&site);
    assert_int_equal(notices(&site, "version-refused"), 0);
    /* an organiser tries once more */
    CLEANUP(buf_done) Buf job = {0};
    char again[ID_ULID_BYTES];
    one_text(site.db, "SELECT max(id) FROM job WHERE state = 'FAILED' AND kind = 'check'", &job);
    assert_int_equal(job_retry(site.db, buf_str(&job), NOW, again, NULL), 0);
    job_ends(&site, "check", "{\"ok\":true,\"report\":\"{R}\"}", NULL);
    assert_int_equal(state_of(&site, id), VERSION_ACTIVE);
    close_site(&site);
}

static void organisers_hear_of_equal_trees(void **state)
{
    CLEANUP(buf_done) Buf body = {0};
    Site site;
    Err err = {0};

    open_site(state, &site);
    good(db_exec(site.db,
                 "INSERT INTO role(account, contest, role)"
                 " SELECT min(account.id), min(contest.id), 'organiser' FROM account, contest",
                 &err),
         &err);
    hand_in(&site, 0);
    job_ends(&site, "unpack", UNPACKED, NULL);
    assert_int_equal(notices(&site, "same-tree"), 0);
    job_ends(&site, "build", "{\"ok\":true,\"refused\":\"x\"}", NULL);
    hand_in(&site, 1);
    job_ends(&site, "unpack", UNPACKED, NULL);
    assert_int_equal(notices(&site, "same-tree"), 1);
    one_text(site.db, "SELECT body FROM notice WHERE kind = 'same-tree'", &body);
    assert_non_null(strstr(buf_cstr(&body), "alice"));
    close_site(&site);
}

/* A frozen contest is not changed by a check that comes late. */
static void a_check_that_ends_behind_the_freeze_changes_nothing_that_plays(void **state)
{
    Site site;

    open_site(state, &site);
    const int64_t first = hand_in(&site, 0);
    job_ends(&site, "unpack", UNPACKED, NULL);
    job_ends(&site, "build", UNPACKED, NULL);
    job_ends(&site, "check", "{\"ok\":true}", NULL);
    const int64_t late = hand_in(&site, 0);
    job_ends(&site, "unpack", UNPACKED, NULL);
    job_ends(&site, "build", UNPACKED, NULL);
    db_exec(site.db, "UPDATE contest SET state = 'FROZEN'", NULL);
    job_ends(&site, "check", "{\"ok\":true}", NULL);
    assert_int_equal(state_of(&site, late), VERSION_PASSED);
    assert_int_equal(state_of(&site, first), VERSION_ACTIVE);
    close_site(&site);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(a_version_goes_from_its_file_to_active),
        ON_BOTH(what_is_refused_is_told_with_its_reason_at_every_step),
        cmocka_unit_test(steps_of_a_check_have_their_words_in_mails),
        ON_BOTH(our_faults_are_tried_again_and_refuse_nobody),
        ON_BOTH(organisers_hear_of_equal_trees),
        ON_BOTH(a_check_that_ends_behind_the_freeze_changes_nothing_that_plays),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
