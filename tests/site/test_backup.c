/* test_backup.c - a site is copied while it is written, and restored elsewhere; what is not as it
 * was is refused.
 *
 * Source: docs/spec/contest-operations.md 16.3, O42. */
#include "proof_place.h"

#include "disk_faults.h"

#include "disk/log_file.h"
#include "site/backup.h"
#include "site/lot.h"
#include "site/secret.h"
#include "store/db_row.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Site {
    ProofPlace p;
    const char *store; /* of the site */
    char folder[96];   /* of the backup */
    char place[200];   /* of the restored store */
    char data[96];     /* and its data */
    SiteLedger *ledger;
} Site;

/* With $a and $b as these. */
static void shell(const char *command, const char *a, const char *b)
{
    setenv("a", a, 1);
    setenv("b", b, 1);
    assert_int_equal(system(command), 0);
}

static void open_site(void **state, Site *site)
{
    const Str stages[] = {STR("final")};
    SitePlace *place = *state;

    proof_place_open(state, &site->p);
    site->store = place->path;
    snprintf(site->folder, sizeof(site->folder), "%s-backup", site->p.data);
    snprintf(site->data, sizeof(site->data), "%s-restored", site->p.data);
    snprintf(site->place, sizeof(site->place), "%s/site.db", site->data);
    if (place->server)
        snprintf(site->place, sizeof(site->place), "%s", place->path);
    assert_int_equal(site_ledger_open(site->p.db, site->p.data, &site->ledger, NULL), 0);
    assert_int_equal(site_secret_commit(site->p.db, &site->p.place, stages, 1, PROOF_NOW, NULL), 0);
    assert_int_equal(site_ledger_flush(site->ledger, site->p.db, PROOF_NOW, NULL), 0);
    shell("cd $a && mkdir -p blobs/ab trees/t1 contests/cup2027/play/logs incoming spool/new && "
          "echo blob >blobs/ab/abc && printf '#!/bin/sh\n' >trees/t1/run && chmod 555 trees/t1/run"
          " && echo '{}' >contests/cup2027/play/journal.jsonl && echo log "
          ">contests/cup2027/play/logs/1.log && echo x >incoming/half && echo y "
          ">contests/cup2027/play/logs/2.log.tmp && mkdir -p contests/logs/tracks/t/main/logs && "
          "echo '{}' >contests/logs/tracks/t/main/logs/journal.jsonl && echo x "
          ">contests/logs/contest.yml",
          site->p.data, "");
    assert_int_equal(db_exec(site->p.db,
                             "INSERT INTO job(id, kind, spec, state, created) VALUES('J1', 'play',"
                             " '{}', 'PUT', 1)",
                             NULL),
                     0);
}

static void close_site(Site *site)
{
    if (site->p.db)
        assert_int_equal(site_ledger_close(site->ledger, site->p.db, PROOF_NOW, NULL), 0);
    shell("rm -rf $a $b", site->folder, site->data);
    proof_place_close(&site->p);
}

static int back_up(const Site *site, Err *err)
{
    return site_backup(&(BackupSetup){.store = site->store,
                                      .data = site->p.data,
                                      .folder = site->folder,
                                      .now_ms = PROOF_NOW},
                       err);
}

static int restore(const Site *site, Err *err)
{
    return site_restore(
        &(BackupSetup){
            .store = site->place, .data = site->data, .folder = site->folder, .now_ms = PROOF_NOW},
        err);
}

/* What a server's database has stays where it is: the restored site is another one. */
static void lose_store(Site *site, const SitePlace *place)
{
    assert_int_equal(site_ledger_close(site->ledger, site->p.db, PROOF_NOW, NULL), 0);
    if (place->server)
        assert_int_equal(
            db_exec(site->p.db, "DROP SCHEMA public CASCADE; CREATE SCHEMA public", NULL), 0);
    site->p.db = db_close(site->p.db);
}

static struct stat about(const char *folder, const char *name)
{
    char path[300];
    struct stat file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (lstat(path, &file))
        fail_msg("%s is not there", path);
    return file;
}

static bool is_there(const char *folder, const char *name)
{
    char path[300];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void what_grows_behind_a_backup_is_not_in_it(void **state)
{
    static const char *const growing[] = {"contests/cup2027/play/journal.jsonl",
                                          "contests/logs/tracks/t/main/logs/journal.jsonl",
                                          "contests/logs/contest.yml"};
    Site site;
    Err err = {0};

    open_site(state, &site);
    assert_int_equal(back_up(&site, &err), 0);
    for (size_t i = 0; i < sizeof(growing) / sizeof(growing[0]); i++)
        assert_false(about(site.folder, growing[i]).st_ino ==
                     about(site.p.data, growing[i]).st_ino);
    assert_true(about(site.folder, "contests/cup2027/play/logs/1.log").st_ino ==
                about(site.p.data, "contests/cup2027/play/logs/1.log").st_ino);
    shell("for f in $(find $a/contests -name '*.jsonl' -o -name '*.yml'); do echo more >>$f; done",
          site.p.data, "");
    lose_store(&site, *state);
    if (restore(&site, &err))
        fail_msg("%s", err.msg);
    close_site(&site);
}

static void a_backup_is_private_whole_and_restored(void **state)
{
    Site site;
    Db *db = NULL;
    SiteLedger *ledger = NULL;
    uint64_t size = 0;
    int64_t noted = 0;
    Err err = {0};

    open_site(state, &site);
    if (back_up(&site, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(db_ask(site.p.db, 0, &noted, &err,
                            "SELECT CAST(value AS BIGINT) FROM meta"
                            " WHERE key = 'backup'",
                            ""),
                     0);
    assert_true(noted == PROOF_NOW);                   /* for `warg contest status` */
    assert_int_equal(back_up(&site, NULL), ERR_USAGE); /* it is there */
    assert_int_equal(about(site.folder, "").st_mode & 0777, 0700);
    assert_int_equal(about(site.folder, "site.db").st_mode & 0077, 0);
    assert_int_equal(about(site.folder, "secrets/cup2027/final").st_mode & 0777, 0600);
    assert_int_equal(about(site.folder, "contests/cup2027/secret/ledger").st_mode & 0777, 0600);
    assert_true(about(site.folder, "blobs/ab/abc").st_ino ==
                about(site.p.data, "blobs/ab/abc").st_ino);
    assert_true(about(site.folder, "contests/cup2027/play/journal.jsonl").st_ino !=
                about(site.p.data, "contests/cup2027/play/journal.jsonl").st_ino);
    assert_false(is_there(site.folder, "incoming") || is_there(site.folder, "spool") ||
                 is_there(site.folder, "contests/cup2027/play/logs/2.log.tmp"));
    assert_false(is_there(site.folder, "site.db-wal"));
    /* The site goes on; its backup is of before. */
    assert_int_equal(
        site_ledger_add_texts(site.p.db, site.p.place.id, PROOF_NOW, "later", NULL, NULL), 0);
    lose_store(&site, *state);
    if (restore(&site, &err))
        fail_msg("%s", err.msg);
    if (site_store_open(site.place, &db, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(proof_id(db, "SELECT COUNT(*) FROM account WHERE login = 'olga'"), 1);
    assert_int_equal(proof_id(db, "SELECT COUNT(*) FROM job WHERE state = 'NEW'"), 1);
    assert_int_equal(site_ledger_size(db, site.p.place.id, &size, NULL), 0);
    assert_true(size == 3);
    assert_true(is_there(site.data, "trees/t1/run"));
    assert_int_equal(about(site.data, "trees/t1/run").st_mode & 0111, 0111);
    /* It goes on, numbers of rows too. */
    assert_int_equal(site_ledger_open(db, site.data, &ledger, &err), 0);
    assert_int_equal(site_ledger_add_texts(db, site.p.place.id, PROOF_NOW, "on", NULL, NULL), 0);
    assert_int_equal(site_ledger_close(ledger, db, PROOF_NOW, &err), 0);
    assert_true(proof_id(db, "INSERT INTO account(login, created) VALUES('pia', 1) RETURNING id") >
                1);
    assert_int_equal(restore(&site, NULL), ERR_USAGE); /* not into what holds something */
    db_close(db);
    close_site(&site);
}

/* What the server does meanwhile, in the middle of a tree: once, at the next call to the disk. */
static struct {
    char from[300], to[300];
    char begun[300]; /* of the backup: then */
    int why;         /* what that call hears, 0 = nothing */
} leaving;

static bool make_leave(void)
{
    if (access(leaving.begun, F_OK))
        return false;
    faulty_disk.also = NULL;
    if (rename(leaving.from, leaving.to))
        fail_msg("%s: %s", leaving.from, strerror(errno));
    errno = leaving.why;
    return leaving.why != 0;
}

static void backup_without_tree(Site *site, int why)
{
    Err err = {0};

    disk_fault_set((DiskFault){0});
    leaving.why = why;
    faulty_disk.also = make_leave;
    if (back_up(site, &err))
        fail_msg("%s", err.msg);
    assert_null(faulty_disk.also); /* it has left in the middle */
    assert_false(is_there(site->folder, "trees/t1"));
    assert_true(is_there(site->folder, "trees/t2/run"));
    assert_false(is_there(site->folder, "trees/gone"));
    shell("rm -rf $a && mv $b/trees/gone $b/trees/t1", site->folder, site->p.data);
}

static void a_tree_that_leaves_meanwhile_is_in_it_whole_or_not_at_all(void **state)
{
    Site site;

    open_site(state, &site);
    shell(
        "cd $a/trees && mkdir -p t1/a t1/b t2 && cp t1/run t2 && echo x >t1/a/x && echo x >t1/b/x",
        site.p.data, "");
    snprintf(leaving.from, sizeof(leaving.from), "%s/trees/t1", site.p.data);
    snprintf(leaving.to, sizeof(leaving.to), "%s/trees/gone", site.p.data);
    snprintf(leaving.begun, sizeof(leaving.begun), "%s.tmp/trees/t1", site.folder);
    backup_without_tree(&site, 0);
    backup_without_tree(&site, ENOENT);
    close_site(&site);
}

/* What agents printed leaves file by file: what is not there any more is not in it. */
static void outputs_that_leave_meanwhile_are_missed_by_nobody(void **state)
{
    static const char *const places[] = {"contests/cup2027/play/agents/wits",
                                         "contests/cup2027/testing/000001/agents/wits"};

    Site site;
    Err err = {0};

    open_site(state, &site);
    for (int i = 0; i < 4; i++) { /* each place: a file, then the folder */
        const char *const place = places[i / 2];
        shell("cd $a && rm -rf gone && mkdir -p $b/x && echo o >$b/1.txt && echo o >$b/x/2.txt",
              site.p.data, place);
        snprintf(leaving.from, sizeof(leaving.from), "%s/%s%s", site.p.data, place,
                 i % 2 ? "" : "/1.txt");
        snprintf(leaving.to, sizeof(leaving.to), "%s/gone", site.p.data);
        snprintf(leaving.begun, sizeof(leaving.begun), "%s.tmp/%s", site.folder, place);
        disk_fault_set((DiskFault){0});
        leaving.why = ENOENT;
        faulty_disk.also = make_leave;
        if (back_up(&site, &err))
            fail_msg("%s", err.msg);
        assert_null(faulty_disk.also); /* it has left in the middle */
        assert_true(is_there(site.folder, "contests/cup2027/play/journal.jsonl"));
        shell("rm -rf $a", site.folder, "");
    }
    close_site(&site);
}

/* Who left before: a server that was killed had begun to remove it. */
static void what_is_being_removed_is_not_in_it(void **state)
{
    Site site;

    open_site(state, &site);
    shell("mv $a/trees/t1 $a/trees/gone", site.p.data, "");
    assert_int_equal(back_up(&site, NULL), 0);
    assert_true(is_there(site.folder, "trees"));
    assert_false(is_there(site.folder, "trees/gone"));
    close_site(&site);
}

/* Whoever changes a backup, and even its list of digests. */
static void a_changed_backup_is_refused(void **state)
{
    Site site;
    Err err = {0};

    open_site(state, &site);
    assert_int_equal(
        site_ledger_add_texts(site.p.db, site.p.place.id, PROOF_NOW, "more", NULL, NULL), 0);
    assert_int_equal(site_ledger_flush(site.ledger, site.p.db, PROOF_NOW, NULL), 0);
    assert_int_equal(back_up(&site, &err), 0);
    lose_store(&site, *state);
    shell("cp -r $a $a.whole", site.folder, "");
    shell("cd $a && cp blobs/ab/abc x && echo other >x && mv x blobs/ab/abc", site.folder, "");
    assert_int_equal(restore(&site, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "is not as it was"));
    assert_false(is_there(site.data, ""));
    shell("rm -rf $a && mv $a.whole $a", site.folder, "");
    shell("cd $a && sed -i '$d' contests/cup2027/ledger.jsonl && rm manifest.json", site.folder,
          "");
    assert_int_equal(restore(&site, &err), ERR_USAGE); /* no list at all */
    shell("cd $a && python3 - <<'END'\n"
          "import hashlib, json, os\n"
          "files = []\n"
          "for root, _, names in os.walk('.'):\n"
          "    for name in names:\n"
          "        path = os.path.join(root, name)[2:]\n"
          "        text = open(path, 'rb').read()\n"
          "        files.append((path.encode(), '{\"path\":%s,\"bytes\":%d,\"sha256\":\"%s\"}' %\n"
          "            (json.dumps(path), len(text), hashlib.sha256(text).hexdigest())))\n"
          "lines = ',\\n'.join(line for _, line in sorted(files))\n"
          "open('manifest.json', 'w').write('{\"bundle\":1,\"contest\":\"backup\",\"files\":[\\n'\n"
          "    + lines + ']}\\n')\n"
          "END",
          site.folder, "");
    err = (Err){0};
    assert_int_equal(restore(&site, &err), ERR_RULE);
    if (!strstr(err.msg, "lines were cut off"))
        fail_msg("%s", err.msg);
    assert_false(is_there(site.data, ""));
    close_site(&site);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(a_backup_is_private_whole_and_restored),
        ON_BOTH(what_grows_behind_a_backup_is_not_in_it),
        ON_BOTH(a_changed_backup_is_refused),
        ON_BOTH(a_tree_that_leaves_meanwhile_is_in_it_whole_or_not_at_all),
        ON_BOTH(what_is_being_removed_is_not_in_it),
        ON_SQLITE(outputs_that_leave_meanwhile_are_missed_by_nobody),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
