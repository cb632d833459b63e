#include "api/api_environment.h"

#include "api/api_handlers.h"
#include "api/api_rules.h"
#include "base/key.h"
#include "base/mem.h"
#include "disk/tree_digest.h"
#include "net/child.h"
#include "site/version_rules.h"
#include "spool/spool_status.h"

#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#define LINE_BYTES 200

static const struct {
    const char *program;
    const char *words[4];
} programs[] = {
    {"java", {"java", "-version", NULL}},
    {"dotnet", {"dotnet", "--version", NULL}},
    {"mono", {"mono", "--version", NULL}},
    {"python3", {"python3", "--version", NULL}},
};
#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))

typedef struct Runtime {
    Child *child; /* while it is asked */
    char version[LINE_BYTES];
} Runtime;

struct ApiRuntimes {
    Runtime of[PROGRAMS];
};

ApiRuntimes *api_runtimes_free(ApiRuntimes *runtimes)
{
    for (size_t i = 0; runtimes && i < PROGRAMS; i++)
        child_free(runtimes->of[i].child);
    return mem_free(runtimes);
}

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    Runtime *runtime = user;
    Str lines = child_last_lines(runtime->child);
    Str first = str_trim(str_cut(&lines, '\n'));

    (void)now;
    if (how.status == 0 && how.signal_number == 0)
        snprintf(runtime->version, sizeof(runtime->version), "%.*s", STR_ARG(first));
    runtime->child = child_free(runtime->child);
}

int api_runtimes_ask(Loop *loop, ApiRuntimes **ret_runtimes, Err *err)
{
    ApiRuntimes *runtimes = mem_new(sizeof(*runtimes));

    if (!runtimes)
        return err_set(err, ERR_MEMORY, "server: out of memory");
    for (size_t i = 0; i < PROGRAMS; i++) {
        const ChildPlan plan = {.arguments = programs[i].words};
        if (child_start(loop, &plan, on_ended, &runtimes->of[i], &runtimes->of[i].child, NULL))
            runtimes->of[i].child = NULL; /* it is not here */
    }
    *ret_runtimes = runtimes;
    return 0;
}

void api_runtimes_put(const ApiRuntimes *runtimes, Json *json)
{
    json_open(json, '[');
    for (size_t i = 0; i < PROGRAMS; i++) {
        if (!runtimes->of[i].version[0])
            continue;
        json_open(json, '{');
        json_add_str(json, "program", str_of(programs[i].program));
        json_add_str(json, "version", str_of(runtimes->of[i].version));
        json_close(json);
    }
    json_close(json);
}

/* ---- the route ---- */

static void write_machine(Json *json)
{
    struct utsname name;
    long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES),
         page = sysconf(_SC_PAGESIZE);

    json_add_str(json, "warg", STR(WARG_VERSION));
    if (uname(&name) == 0) {
        json_add_str(json, "kernel", str_of(name.release));
        json_add_str(json, "machine", str_of(name.machine));
    }
    json_add_int(json, "cores", cores);
    json_add_int(json, "memory", (int64_t)pages * page);
}

static void write_limits(const CellWish *cell, uint64_t output, Json *json)
{
    json_key(json, STR("limits"));
    json_open(json, '{');
    json_add_uint(json, "memory", cell->memory_bytes);
    json_add_uint(json, "writable", cell->writable_bytes);
    json_add_uint(json, "threads", cell->threads);
    json_add_uint(json, "files", cell->files);
    json_add_uint(json, "cpu_seconds", cell->cpu_seconds);
    json_add_uint(json, "output", output);
    json_close(json);
}

static int write_file(void *user, const TreeFile *file, Err *err)
{
    Json *json = user;
    char hex[KEY_HEX_BYTES];

    (void)err;
    key_to_hex(&file->sha256, hex);
    json_open(json, '{');
    json_add_str(json, "file", str_of(file->path));
    json_add_str(json, "sha256", str_of(hex));
    json_close(json);
    return 0;
}

/* What stands in front of all agents of a language: the platform's jars, the wheels there are. */
static void write_folder(Json *json, const char *key, const char *folder)
{
    CLEANUP(buf_done) Buf files = {0};
    Json list = json_over(&files);

    if (!folder)
        return;
    json_open(&list, '[');
    if (tree_files(folder, write_file, &list, NULL))
        return; /* a folder that is not there is told by the contest's check */
    json_close(&list);
    json_key(json, str_of(key));
    json_put_raw(json, buf_str(&files));
}

/* What `warg contest check --contest URL` tries versions by. */
static void write_terms(const SiteRules *rules, CellLevel require, Json *json)
{
    CLEANUP(version_terms_done) VersionTerms terms = {0};

    if (version_rules_terms(rules, require, &terms, NULL))
        return; /* as above */
    json_key(json, STR("terms"));
    version_terms_write_public(&terms, json);
}

int api_environment(ApiVisit *visit, Err *err)
{
    Json json = json_over(&visit->out);
    SpoolRunner runner = {0};
    SpoolWatch watch = {0};
    const SiteRules *rules;
    int rc = api_rules_of(visit, &rules, err);

    if (rc == 0)
        rc = spool_runner_look(&watch, visit->site->settings->data, visit->now_ms, &runner, err);
    if (rc)
        return rc;
    json_open(&json, '{');
    write_machine(&json);
    json_key(&json, STR("cell"));
    json_open(&json, '{');
    json_add_str(&json, "level", buf_str(&runner.level));
    json_add_str(&json, "layers", buf_str(&runner.layers));
    json_close(&json);
    write_limits(&rules->plan.cell, rules->plan.limits.output_bytes, &json);
    json_key(&json, STR("runtimes"));
    api_runtimes_put(visit->site->runtimes, &json);
    write_folder(&json, "java_lib", rules->runtimes.java_lib);
    write_folder(&json, "python_wheels", rules->runtimes.python_wheels);
    write_terms(rules, visit->site->settings->cell_require, &json);
    json_close(&json);
    spool_runner_done(&runner);
    return 0;
}
