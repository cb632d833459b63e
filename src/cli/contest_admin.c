#include "base/json.h"
#include "base/size_text.h"
#include "cell/cell.h"
#include "cli/contest_site.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "show/cell_output.h"
#include "site/account.h"
#include "site/contest.h"
#include "site/disk_state.h"
#include "site/login.h"
#include "site/role.h"
#include "site/site_ledger.h"
#include "site/site_store.h"
#include "spool/spool_status.h"
#include "store/db_row.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- init ---- */

static void print_link(const SiteCall *call, const char *way, const char *secret)
{
    printf("%s/%s/%s\n", buf_cstr(&call->file.public_url), way, secret);
}

/* A link for somebody who becomes the admin. */
static int print_admin_link(SiteCall *call, Err *err)
{
    char secret[SECRET_TEXT_BYTES];
    int rc = once_make(call->db, ONCE_ADMIN, ACCOUNT_NONE, STR("admin"), call->now_ms, secret, err);

    if (rc)
        return rc;
    printf("Whoever opens this link first, within a day, makes the admin's account:\n");
    print_link(call, "invite", secret);
    return 0;
}

/* server.yml of the folder: the one that is there, else an example. */
static int find_server_file(Str folder, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%.*s/" SERVER_FILE_NAME, STR_ARG(folder));
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "contest: out of memory");
    const bool there = access(buf_cstr(&path), F_OK) == 0;
    int rc = there ? 0 : folder_make(folder, err);
    if (rc == 0 && !there)
        rc = file_replace(buf_cstr(&path), str_of(server_file_example), true, err);
    if (rc == 0)
        printf("%s %s: read it, then `warg contest serve %.*s`.\n", buf_cstr(&path),
               there ? "is taken as it is" : "is written", STR_ARG(folder));
    return rc;
}

/* Who has an account, or a link to make one, has begun already. */
static int check_store_is_new(const SiteCall *call, Str folder, Err *err)
{
    int64_t begun = 0;
    int rc =
        db_ask(call->db, 0, &begun, err,
               "SELECT 1 WHERE EXISTS(SELECT 1 FROM account) OR EXISTS(SELECT 1 FROM once)", "");

    if (rc == 0 && begun)
        rc = err_set(err, ERR_RULE,
                     "'%.*s' is a site already; `warg contest invite admin` makes another link",
                     STR_ARG(folder));
    return rc;
}

int site_do_init(SiteCall *call, Err *err)
{
    Str folder;
    int rc = site_call_argument(call, 0, "the folder", &folder, err);

    if (rc == 0)
        rc = find_server_file(folder, err);
    if (rc == 0)
        rc = site_call_find(call, call->given->arguments[0], err);
    if (rc == 0)
        rc = folder_make_private(buf_cstr(&call->file.data), err);
    if (rc == 0)
        rc = site_call_store(call, err);
    if (rc == 0)
        rc = check_store_is_new(call, folder, err);
    return rc ? rc : print_admin_link(call, err);
}

/* ---- links ---- */

/* "organiser" or "judge" of a contest, or an admin of the server. */
static int invite_to_contest(SiteCall *call, Str name, Str role, Err *err)
{
    CLEANUP(contest_done) Contest contest = {0};
    CLEANUP(buf_done) Buf data = {0};
    char secret[SECRET_TEXT_BYTES];
    const SiteRole what = site_role_of(role);

    if (what != ROLE_ORGANISER && what != ROLE_JUDGE)
        return err_set(err, ERR_USAGE, "contest invite: '%.*s' is none of organiser, judge",
                       STR_ARG(role));
    int rc = contest_find(call->db, name, &contest, err);
    if (rc == 0 && !contest.id)
        rc = err_set(err, ERR_RULE, "there is no contest '%.*s'", STR_ARG(name));
    if (rc)
        return rc;
    buf_printf(&data, "%s %lld", site_role_name(what), (long long)contest.id);
    rc = once_make(call->db, ONCE_INVITE, ACCOUNT_NONE, buf_str(&data), call->now_ms, secret, err);
    if (rc == 0)
        print_link(call, "invite", secret);
    return rc;
}

/* With a server: who is the one that writes. */
static int ask_invite(SiteCall *call, Str name, Str role, Err *err)
{
    CLEANUP(api_reply_done) ApiReply reply = {0};
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    char path[96];

    snprintf(path, sizeof(path), "contests/%.*s/roles", STR_ARG(str_part(name, 0, 64)));
    json_open(&json, '{');
    json_add_str(&json, "role", role);
    json_close(&json);
    int rc = site_call_ask(call, "POST", path, buf_str(&body), &reply, err);
    if (rc == 0)
        printf("%.*s\n", STR_ARG(json_text(reply.json, "link")));
    return rc;
}

/* SQLite and PostgreSQL let a second process write between the server's transactions; one row of
 * its own is all that is written here. */
static int open_to_write(SiteCall *call, Err *err)
{
    if (call->file.postgresql)
        return db_open_server(buf_cstr(&call->file.store), &call->db, err);
    return db_open(buf_cstr(&call->file.store), true, &call->db, err);
}

int site_do_invite(SiteCall *call, Err *err)
{
    Str name, role = STR("");
    int rc = site_call_argument(call, 0, "the contest, or admin", &name, err);
    const bool admin = rc == 0 && str_eq(name, STR("admin"));

    if (rc == 0 && !admin)
        rc = site_call_argument(call, 1, "organiser or judge", &role, err);
    if (rc)
        return rc;
    if (call->client && !admin)
        return ask_invite(call, name, role, err);
    rc = call->client ? open_to_write(call, err) : site_call_store(call, err);
    if (rc)
        return rc;
    return admin ? print_admin_link(call, err) : invite_to_contest(call, name, role, err);
}

int site_do_reset(SiteCall *call, Err *err)
{
    CLEANUP(account_done) Account account = {0};
    char secret[SECRET_TEXT_BYTES];
    Str login;
    int rc = site_call_argument(call, 0, "the login", &login, err);

    if (rc == 0)
        rc = call->client ? open_to_write(call, err) : site_call_store(call, err);
    if (rc == 0)
        rc = account_find(call->db, login, &account, err);
    if (rc == 0 && !account.id)
        rc = err_set(err, ERR_RULE, "there is no account '%.*s'", STR_ARG(login));
    if (rc == 0)
        rc = once_make(call->db, ONCE_RESET, account.id, STR(""), call->now_ms, secret, err);
    if (rc)
        return rc;
    printf("Whoever opens this link within 30 minutes sets a new password:\n");
    print_link(call, "reset", secret);
    return 0;
}

/* ---- migrate ---- */

static int find_site_argument(SiteCall *call, Err *err)
{
    const char *folder = call->given->argument_count ? call->given->arguments[0] : NULL;
    int rc = site_call_find(call, folder, err);

    return rc ? rc : site_call_client(call, false, err);
}

static int open_unchanged(SiteCall *call, Err *err)
{
    if (call->file.postgresql)
        return db_open_server(buf_cstr(&call->file.store), &call->db, err);
    return db_open(buf_cstr(&call->file.store), false, &call->db, err);
}

int site_do_migrate(SiteCall *call, Err *err)
{
    int has = 0, knows = 0;
    int rc = find_site_argument(call, err);

    if (rc == 0)
        rc = open_unchanged(call, err);
    if (rc == 0)
        rc = site_store_check(call->db, &has, &knows, err);
    if (rc)
        return rc;
    if (has >= knows) {
        printf("the store has %d steps, this program knows %d: %s\n", has, knows,
               has == knows ? "up to date" : "it is of a newer program");
        return has == knows ? 0 : 1;
    }
    printf("the store has %d steps of %d\n", has, knows);
    if (options_has(call->given, 1))
        return 1;
    if (call->client)
        return err_set(err, ERR_RULE, "a server runs over it: stop that first");
    call->db = db_close(call->db);
    rc = site_store_open(buf_cstr(&call->file.store), &call->db, err);
    if (rc == 0)
        printf("brought up to date\n");
    return rc;
}

/* ---- probe ---- */

int site_do_probe(SiteCall *call, Err *err)
{
    CLEANUP(buf_done) Buf out = {0};
    CellProbe probe = {0};
    int rc = cell_try_levels(call->own_verb, &probe, err);

    if (rc)
        return rc;
    if (options_has(call->given, SITE_JSON))
        cell_output_json(&probe, &out);
    else
        cell_output_text(&probe, options_number(call->given, SITE_LANGUAGE) == 1, &out);
    fwrite(buf_cstr(&out), 1, out.len, stdout);
    return cell_probe_has(&probe, call->file.cell_require, NULL) ? 0 : 1;
}

/* ---- doctor ---- */

typedef struct Doctor {
    SiteCall *call;
    bool bad;
} Doctor;

static void say(Doctor *doctor, bool good, const char *what, const char *more)
{
    printf("%-4s %-12s %s\n", good ? "ok" : "BAD", what, more);
    doctor->bad = doctor->bad || !good;
}

static void look_at_folder(Doctor *doctor)
{
    const char *data = buf_cstr(&doctor->call->file.data);
    struct stat about;
    const bool there = stat(data, &about) == 0 && S_ISDIR(about.st_mode);

    if (!there)
        say(doctor, false, "data", "the folder is missing: warg contest init");
    else if ((about.st_mode & 077) != 0)
        say(doctor, false, "data", "others can look into it: chmod 700");
    else
        say(doctor, true, "data", data);
}

static void look_at_store(Doctor *doctor)
{
    SiteCall *call = doctor->call;
    char text[96];
    int has = 0, knows = 0;
    Err why = {0};

    if (open_unchanged(call, &why) || site_store_check(call->db, &has, &knows, &why)) {
        say(doctor, false, "store", why.msg);
        return;
    }
    snprintf(text, sizeof(text), "%s, step %d of %d",
             call->file.postgresql ? "PostgreSQL" : "SQLite", has, knows);
    say(doctor, has == knows, "store", text);
}

/* Where a server runs its own comparison at start has been made. */
static void look_at_ledgers(Doctor *doctor)
{
    SiteCall *call = doctor->call;
    SiteLedger *ledger = NULL;
    Err why = {0};

    if (!call->db)
        return;
    if (call->client) {
        say(doctor, true, "ledger", "a server has compared files and store");
        return;
    }
    const bool good = site_ledger_open(call->db, buf_cstr(&call->file.data), &ledger, &why) == 0;
    say(doctor, good, "ledger", good ? "files and store agree" : why.msg);
    if (ledger)
        site_ledger_close(ledger, call->db, call->now_ms, NULL);
}

static int look_at_contest(void *user, const Contest *contest, Err *err)
{
    Doctor *doctor = user;
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    char text[ERR_TEXT_MAX + 64];
    Err why = {0};
    const bool good =
        contest_rules_read(buf_str(&contest->file), doctor->call->folder, &rules, &why) == 0 &&
        contest_rules_check(&rules, &why) == 0 && contest_rules_find_runtimes(&rules, &why) == 0;

    (void)err;
    snprintf(text, sizeof(text), "%s: %s", buf_cstr(&contest->name),
             good ? "can be played" : why.msg);
    say(doctor, good || contest->state == LIFE_DRAFT, "contest", text);
    return 0;
}

static void look_at_disk(Doctor *doctor)
{
    DiskRoom room = server_file_room(&doctor->call->file);
    Err why = {0};
    char text[160];

    if (disk_state_look(doctor->call->db, &room, &why)) {
        say(doctor, false, "disk", why.msg);
        return;
    }
    snprintf(text, sizeof(text), "%llu MiB are free, %llu are to be kept%s",
             (unsigned long long)(room.free >> 20), (unsigned long long)(room.reserve >> 20),
             room.low
                 ? ": uploads are refused and contests stand still until twice as many are free"
                 : "");
    say(doctor, !room.low, "disk", text);
}

static void look_at_cells(Doctor *doctor)
{
    SiteCall *call = doctor->call;
    CellProbe probe = {0};
    Err why = {0};
    CellLevel level = CELL_NONE;

    if (cell_try_levels(call->own_verb, &probe, &why))
        say(doctor, false, "cells", why.msg);
    else if (!cell_probe_has(&probe, call->file.cell_require, &level))
        say(doctor, false, "cells", "not what cell.require says: warg contest probe");
    else
        say(doctor, true, "cells", cell_level_name(level));
}

static void look_at_mail(Doctor *doctor)
{
    const ServerFile *file = &doctor->call->file;

    if (!file->mail_command.len)
        say(doctor, true, "mail", "none is sent: notices are shown in the site alone");
    else
        say(doctor, access(buf_cstr(&file->mail_command), X_OK) == 0, "mail",
            buf_cstr(&file->mail_command));
}

static void look_at_url(Doctor *doctor)
{
    const Str url = buf_str(&doctor->call->file.public_url);
    const bool secure = str_starts(url, STR("https://"));
    const bool here =
        str_starts(url, STR("http://127.")) || str_starts(url, STR("http://localhost"));

    say(doctor, secure || here, "public_url",
        secure ? "https"
        : here ? "this machine alone"
               : "no https: browsers refuse the cookie");
}

static void look_at_processes(Doctor *doctor)
{
    SiteCall *call = doctor->call;
    SpoolRunner runner = {0};
    SpoolWatch watch = {0};
    Err why = {0};

    say(doctor, true, "server", call->client ? "runs" : "does not run");
    if (spool_runner_look(&watch, buf_cstr(&call->file.data), call->now_ms, &runner, &why))
        say(doctor, false, "runner", why.msg);
    else
        say(doctor, runner.alive || !call->client, "runner",
            runner.alive ? "runs" : "does not run");
    spool_runner_done(&runner);
}

int site_do_doctor(SiteCall *call, Err *err)
{
    Doctor doctor = {.call = call};
    int rc = find_site_argument(call, err);

    if (rc)
        return rc;
    say(&doctor, true, "server.yml", call->folder);
    look_at_folder(&doctor);
    look_at_store(&doctor);
    look_at_ledgers(&doctor);
    if (call->db)
        contest_each(call->db, look_at_contest, &doctor, NULL);
    look_at_disk(&doctor);
    look_at_cells(&doctor);
    look_at_mail(&doctor);
    look_at_url(&doctor);
    look_at_processes(&doctor);
    return doctor.bad ? 1 : 0;
}
