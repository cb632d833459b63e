#include "audit/audit_output.h"
#include "audit/bundle.h"
#include "base/exit_status.h"
#include "cli/contest_site.h"
#include "disk/key_file.h"
#include "site/backup.h"
#include "site/contest.h"
#include "site/publication.h"

#include <stdio.h>
#include <unistd.h>

static BackupSetup setup_of(const SiteCall *call, const char *folder)
{
    return (BackupSetup){.store = buf_cstr(&call->file.store),
                         .data = buf_cstr(&call->file.data),
                         .folder = folder,
                         .now_ms = call->now_ms};
}

/* With two arguments the first is the site's folder, else --site says it. */
static int find_both(SiteCall *call, const char *what, Str *ret_folder, Err *err)
{
    const bool both = call->given->argument_count == 2;
    int rc = site_call_argument(call, both ? 1 : 0, what, ret_folder, err);

    if (rc == 0)
        rc = site_call_find(call, both ? call->given->arguments[0] : NULL, err);
    return rc ? rc : site_call_client(call, false, err);
}

/* A server may run: the store is copied as it is at one moment. */
int site_do_backup(SiteCall *call, Err *err)
{
    Str folder;
    int rc = find_both(call, "the folder to make", &folder, err);

    if (rc)
        return rc;
    const BackupSetup setup = setup_of(call, folder.bytes);
    rc = site_backup(&setup, err);
    if (rc == 0)
        printf("%s is made. It holds all secrets and keys of the site: keep it for yourself.\n",
               setup.folder);
    return rc;
}

int site_do_restore(SiteCall *call, Err *err)
{
    Str folder;
    int rc = find_both(call, "the folder of a backup", &folder, err);

    if (rc)
        return rc;
    if (call->client)
        return err_set(err, ERR_RULE, "a server runs over this site: stop that first");
    const BackupSetup setup = setup_of(call, folder.bytes);
    rc = site_restore(&setup, err);
    if (rc == 0)
        printf("%s is restored, and every ledger is what its checkpoint signs.\n", setup.data);
    return rc;
}

/* ---- bundle ---- */

/* What of the store goes into it; a server that runs has its own hand on that. */
static int prepare(const SiteCall *call, const Contest *contest, const ContestHome *home, Err *err)
{
    CLEANUP(contest_rules_done) SiteRules rules = {.natural_language = false};
    int rc;

    if (call->client)
        return 0;
    rc = contest_rules_read(buf_str(&contest->file), call->folder, &rules, err);
    return rc ? rc : publication_prepare(call->db, home, &rules, err);
}

static int audit_bundle(const char *dir, Err *err)
{
    CLEANUP(buf_done) Buf out = {0};
    AuditReport report;
    Key pick;
    int rc = key_draw(&pick, err);

    if (rc == 0)
        rc = audit_run(&(AuditSetup){.dir = dir, .pick = &pick}, &report, err);
    if (rc)
        return rc;
    audit_write(&report, false, &out);
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    printf("%s is made; what a check of it says:\n\n%s", dir, buf_cstr(&out));
    return audit_holds(&report) ? 0 : EXIT_DISAGREE;
}

static int write_bundle(const ContestHome *home, const char *out, Err *err)
{
    CLEANUP(buf_done) Buf site = {0};
    CLEANUP(buf_done) Buf play = {0};
    CLEANUP(buf_done) Buf journal = {0};
    int rc = contest_home_path(home, "", &site, err);

    if (rc == 0)
        rc = contest_home_path(home, "play", &play, err);
    if (rc == 0)
        rc = contest_home_path(home, "play/journal.jsonl", &journal, err);
    const bool played = rc == 0 && access(buf_cstr(&journal), F_OK) == 0;
    if (rc == 0)
        rc = bundle_write(&(BundleSetup){.dir = played ? buf_cstr(&play) : NULL,
                                         .site = buf_cstr(&site),
                                         .out = out},
                          err);
    return rc ? rc : audit_bundle(out, err);
}

int site_do_bundle(SiteCall *call, Err *err)
{
    CLEANUP(contest_done) Contest contest = {.id = CONTEST_NONE};
    CLEANUP(buf_done) Buf out = {0};
    Str name;
    int rc = site_call_argument(call, 0, "the contest", &name, err);

    if (rc == 0)
        rc = site_call_store(call, err);
    if (rc == 0)
        rc = contest_find(call->db, name, &contest, err);
    if (rc == 0 && contest.id == CONTEST_NONE)
        rc = err_set(err, ERR_USAGE, "there is no contest '%.*s'", STR_ARG(name));
    if (rc)
        return rc;
    if (contest.state < LIFE_APPEALS)
        return err_set(
            err, ERR_RULE,
            "%s is %s: a bundle is made when its games and its judging are over (APPEALS); "
            "before, secrets are kept and nothing could be checked. `warg contest status %s` "
            "says what it waits for",
            buf_cstr(&contest.name), life_state_name(contest.state), buf_cstr(&contest.name));
    const ContestHome home = {contest.id, buf_str(&contest.name), buf_cstr(&call->file.data)};
    if (options_text(call->given, 1))
        buf_add(&out, str_of(options_text(call->given, 1)));
    else
        buf_printf(&out, "%.*s-bundle", STR_ARG(name));
    if (buf_failed(&out))
        return err_set(err, ERR_MEMORY, "bundle: out of memory");
    rc = prepare(call, &contest, &home, err);
    return rc ? rc : write_bundle(&home, buf_cstr(&out), err);
}
