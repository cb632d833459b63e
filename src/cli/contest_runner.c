#include "cli/contest_runner.h"

#include "base/mem.h"
#include "cli/rehearsal.h"
#include "disk/log_file.h"
#include "disk/result_folder.h"
#include "match/table_room.h"
#include "net/interrupt.h"
#include "net/loop.h"
#include "runner/runner.h"
#include "site/server_file.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#define JOB_WORDS 5

enum { CLOCK, TABLES, SERVER };

const Option contest_runner_options[CONTEST_RUNNER_OPTIONS] = {
    [CLOCK] = {"clock", 0, OPTION_TEXT, "FILE",
               "a file that holds the date, for rehearsals: that of the server", NULL, 0, 0},
    [TABLES] = {"tables", 0, OPTION_TEXT, "N|auto",
                "games at once of each job; auto = one less than processors, while the machine has "
                "room",
                "auto", 0, 0},
    [SERVER] =
        {"server", 0, OPTION_UINT, "PROCESS",
         "it is the child of that server: it outlives it until its jobs are done or the next "
         "server starts",
         NULL, 0, INT32_MAX},
};

const char contest_runner_text[] =
    "Does what the server of DIR/server.yml asks for: unpacks, builds and checks versions, plays\n"
    "stages and testing rounds, each job in a process of its own, programs in strict cells. It\n"
    "reads and writes files only, so it may be another unit, or root. With SIGINT or SIGTERM jobs\n"
    "under way are left as they are, and the next runner goes on with them; so does the next one\n"
    "after a power cut.";

const char contest_runner_examples[] = "warg contest runner site\n";

/* ---- the date ---- */

/* A DateMs has no user. Set before anything else begins. */
static const char *clock_file;
static _Atomic int64_t clock_ms;

/* A rehearsal's date only goes on. */
static int64_t file_date(void)
{
    int64_t now_ms, before = atomic_load(&clock_ms);

    if (rehearsal_read(clock_file, &now_ms))
        while (now_ms > before && !atomic_compare_exchange_weak(&clock_ms, &before, now_ms))
            continue;
    return atomic_load(&clock_ms);
}

static DateMs *date_of(const char *file)
{
    clock_file = file;
    return file && file[0] ? file_date : loop_date_ms;
}

/* ---- the runner ---- */

/* The program that runs, as a word of a command; also when it was replaced meanwhile. */
#define OWN_PROGRAM "/proc/self/exe"

int contest_runner(const Options *given, const char *own_verb, Err *err)
{
    CLEANUP(server_file_done) ServerFile file = {0};
    const char *clock = options_text(given, CLOCK), *tables = options_text(given, TABLES);
    const char *const words[] = {OWN_PROGRAM, "contest",          CONTEST_JOB,
                                 tables,      clock ? clock : "", NULL};
    RunnerSetup setup = {.start = words,
                         .own_verb = own_verb,
                         .date = date_of(clock),
                         .server = (int32_t)options_number(given, SERVER)};

    if (given->argument_count != 1)
        return err_set(err, ERR_USAGE, "contest runner: name the site's folder");
    int rc = table_room_read(str_of(tables), &setup.tables, err);
    if (rc == 0)
        rc = server_file_load(given->arguments[0], &file, err);
    if (rc)
        return rc;
    setup.data = buf_cstr(&file.data);
    (void)result_folder_begin(false);
    printf("runner of %s\n", setup.data);
    fflush(stdout);
    return runner_run(&setup, err);
}

/* ---- a job ---- */

/* Whoever started us is gone: nobody would take over what we do. */
static int die_with_parent(int parent, Err *err)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent ? 0 : err_set(err, ERR_INTERRUPTED, "the runner is gone");
}

static int read_job(const char *folder, Buf *text, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/job.json", folder);
    return buf_failed(&path) ? err_set(err, ERR_MEMORY, "job: out of memory")
                             : log_file_read(buf_cstr(&path), SPOOL_JOB_MAX, text, err);
}

int contest_job(int argc, char **argv, const char *own_verb, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf text = {0};
    Interrupt interrupt;
    int rc = die_with_parent(getppid(), err);

    if (argc != JOB_WORDS)
        return err_set(err, ERR_USAGE, "contest: only the runner starts jobs");
    JobPlace place = {.data = argv[3], .id = argv[4], .own_verb = own_verb, .now = loop_now};
    place.date = date_of(argv[2]);
    place.umask = result_folder_begin(false);
    buf_printf(&folder, "%s/spool/run/%s", place.data, place.id);
    buf_printf(&out, "%s/out", buf_cstr(&folder));
    if (rc == 0 && (buf_failed(&folder) || buf_failed(&out)))
        rc = err_set(err, ERR_MEMORY, "job: out of memory");
    if (rc == 0)
        rc = table_room_read(str_of(argv[1]), &place.tables, err);
    place.folder = buf_cstr(&folder);
    place.out = buf_cstr(&out);
    if (rc == 0)
        rc = read_job(place.folder, &text, err);
    if (rc)
        return rc;
    interrupt_watch(&interrupt);
    rc = runner_do_job(&place, buf_str(&text), err);
    if (rc == RUNNER_DISK_FULL && err)
        fprintf(stderr, "warg: %s\n", err->msg); /* the job's log */
    interrupt_done(&interrupt);
    return rc;
}
