#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* qsort_r, O_PATH */
#endif
#include "contest/version_form.h"

#include "archive/remark.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cell/profile.h"
#include "disk/file_inside.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LISTED_MAX 12  /* names that an error lists */
#define SHOWN_MAX  60  /* characters of one */
#define JARS_MAX   500 /* in a folder */

/* ---- names in a folder ---- */

typedef struct FolderNames {
    Buf text; /* each with its NUL */
    size_t places[JARS_MAX];
    size_t count;
    bool more;
} FolderNames;

static int compare_places(const void *a, const void *b, void *text)
{
    return strcmp((const char *)text + *(const size_t *)a, (const char *)text + *(const size_t *)b);
}

static bool has_ending(Str name, Str ending)
{
    return name.len > ending.len &&
           str_eq(str_part(name, name.len - ending.len, ending.len), ending);
}

static void add_name(FolderNames *names, const char *name, bool folder)
{
    if (names->count == JARS_MAX) {
        names->more = true;
        return;
    }
    names->places[names->count++] = names->text.len;
    buf_printf(&names->text, "%s%s", name, folder ? "/" : "");
    buf_add_char(&names->text, '\0');
}

/* Those of a folder that end so, in the order of their bytes; folders have a '/' behind them. A
 * folder that is not there has none. Errors: ERR_MEMORY. */
static int read_names(const char *path, Str ending, FolderNames *names, Err *err)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;

    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (!ending.len || has_ending(str_of(entry->d_name), ending)))
            add_name(names, entry->d_name, entry->d_type == DT_DIR);
    if (folder)
        closedir(folder);
    if (buf_failed(&names->text))
        return err_set(err, ERR_MEMORY, "version: out of memory");
    if (names->count)
        qsort_r(names->places, names->count, sizeof(names->places[0]), compare_places,
                names->text.bytes);
    return 0;
}

/* NULL without memory. */
static FolderNames *new_names(void)
{
    return mem_new(sizeof(FolderNames));
}

static void free_names(FolderNames **names)
{
    if (*names)
        buf_done(&(*names)->text);
    mem_free(*names);
}

/* ---- what is missing ---- */

/* "a.py, model/, … (+3)" of one folder of the tree, in any language. */
static void list_names(const char *tree, const char *below, Buf *out)
{
    CLEANUP(free_names) FolderNames *names = new_names();
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s%s%s", tree, *below ? "/" : "", below);
    if (!names || read_names(buf_cstr(&path), (Str){0}, names, NULL))
        return;
    for (size_t i = 0; i < names->count && i < LISTED_MAX; i++) {
        buf_printf(out, "%s%s%s", i ? ", " : "", below, *below ? "/" : "");
        utf8_add_printable(str_of(names->text.bytes + names->places[i]), SHOWN_MAX, out);
    }
    if (names->count > LISTED_MAX)
        buf_printf(out, ", … (+%zu)", names->count - LISTED_MAX);
}

/* What is there instead of what was not found; "-" when nothing is. */
static void list_there(const VersionForm *form, Buf *ret_there)
{
    CLEANUP(buf_done) Buf team = {0};
    Buf *there = ret_there;

    list_names(form->tree, "", there);
    buf_add(&team, form->team);
    const size_t before = there->len;
    if (there->len)
        buf_add(there, STR("; "));
    list_names(form->tree, buf_cstr(&team), there);
    if (there->len == before + 2)
        buf_cut(there, before);
    if (!there->len)
        buf_add_char(there, '-');
}

/* ---- files of the tree ---- */

static void join(Buf *path, Str folder, Str name)
{
    buf_clear(path);
    if (folder.len) {
        buf_add(path, folder);
        buf_add_char(path, '/');
    }
    buf_add(path, name);
}

static bool is_there(const VersionForm *form, const char *path)
{
    int fd = -1;
    const bool there = file_inside_open(form->tree, path, &fd, NULL) == 0;

    if (there)
        close(fd);
    return there;
}

/* Looks for the entry at the root and in the team's folder, `team_first` there before. Its path in
 * `ret_path`. Errors: ERR_RULE. */
static int find_entry(const VersionForm *form, bool team_first, Buf *ret_path, Err *err)
{
    CLEANUP(buf_done) Buf there = {0};

    for (int i = 0; i < 2; i++) {
        join(ret_path, (i == 0) == team_first ? form->team : (Str){0}, form->entry);
        if (buf_failed(ret_path))
            return err_set(err, ERR_MEMORY, "version: out of memory");
        if (is_there(form, buf_cstr(ret_path)))
            return 0;
    }
    list_there(form, &there);
    return remark_set(err, ERR_RULE, REMARK_ENTRY_MISSING, form->entry, form->team,
                      buf_str(&there));
}

static int take_command(Plan *plan, PlanAgent *agent, const Buf *command, Err *err)
{
    char number[REMARK_NUMBER];

    agent->command = buf_failed(command) ? NULL : plan_text(plan, buf_str(command));
    return agent->command ? 0
                          : remark_set(err, ERR_LIMIT, REMARK_COMMAND_LONG,
                                       remark_number(PLAN_TEXT_MAX, number));
}

/* ---- java ---- */

bool version_form_is_platform_jar(Str name)
{
    static const char *const begins[] = {"aiwolf-client", "aiwolf-server", "aiwolf-common",
                                         "aiwolf-viewer", "jsonic-"};
    size_t slash;

    if (str_find_last(name, '/', &slash))
        name = str_part(name, slash + 1, name.len);
    if (!has_ending(name, STR(".jar")))
        return false;
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (str_starts(name, str_of(begins[i])))
            return true;
    return false;
}

/* Appends the jars of a folder, with ':' behind each. */
static int add_jars(const char *folder, const char *shown, Buf *out, Err *err)
{
    CLEANUP(free_names) FolderNames *names = new_names();
    char number[REMARK_NUMBER];
    int rc = names ? read_names(folder, STR(".jar"), names, err)
                   : err_set(err, ERR_MEMORY, "version: out of memory");

    if (rc == 0 && names->more)
        return remark_set(err, ERR_RULE, REMARK_JARS, remark_number(JARS_MAX, number));
    for (size_t i = 0; rc == 0 && i < names->count; i++)
        buf_printf(out, "%s/%s:", shown, names->text.bytes + names->places[i]);
    return rc;
}

/* Platform's jars first: a class of theirs is theirs, whatever the version brings along. */
static int make_java(const VersionForm *form, Plan *plan, PlanAgent *agent, Err *err)
{
    CLEANUP(buf_done) Buf classes = {0};
    CLEANUP(buf_done) Buf libraries = {0};
    CLEANUP(buf_done) Buf entry = {0};
    CLEANUP(buf_done) Buf command = {0};
    CLEANUP(buf_done) Buf there = {0};
    const char *platform = form->platform->java_lib;
    int rc = 0;

    if (!is_there(form, VERSION_JAR)) {
        list_there(form, &there);
        return remark_set(err, ERR_RULE, REMARK_JAR_MISSING, buf_str(&there));
    }
    if (platform)
        rc = add_jars(platform, platform, &classes, err);
    buf_add(&classes, STR(VERSION_JAR ":"));
    buf_printf(&libraries, "%s/" VERSION_LIBRARIES, form->tree);
    if (rc == 0)
        rc = add_jars(buf_cstr(&libraries), VERSION_LIBRARIES, &classes, err);
    if (rc)
        return rc;
    buf_cut(&classes, classes.len ? classes.len - 1 : 0);
    buf_add(&entry, form->entry);
    agent->profile = cell_profile(STR("java"))->name;
    cell_profile_command_with(cell_profile(STR("java")), buf_cstr(&entry), buf_cstr(&classes),
                              &command);
    return take_command(plan, agent, &command, err);
}

/* ---- .NET ---- */

/* By the starter: {starter} {dll}. */
static int make_library(const VersionForm *form, const char *dll, Plan *plan, PlanAgent *agent,
                        Err *err)
{
    CLEANUP(buf_done) Buf command = {0};
    const char *starter = form->platform->dotnet_starter;

    if (!starter)
        return remark_set(err, ERR_RULE, REMARK_NO_STARTER, (Str){0});
    const bool mono = has_ending(str_of(starter), STR(".exe"));
    agent->profile = cell_profile(mono ? STR("mono") : STR("dotnet"))->name;
    buf_printf(&command, "%s ", agent->profile);
    cell_profile_word(starter, &command);
    buf_add_char(&command, ' ');
    cell_profile_word(dll, &command);
    buf_add(&command, STR(" -h {host} -p {port} -n {name}"));
    return take_command(plan, agent, &command, err);
}

static bool has_execute_bit(const VersionForm *form, const char *path)
{
    struct stat info = {0};
    int fd = -1;

    if (file_inside_open(form->tree, path, &fd, NULL))
        return false;
    const bool may = fstat(fd, &info) == 0 && info.st_mode & 0111;
    close(fd);
    return may;
}

static int make_own_program(const char *path, const char *profile, Plan *plan, PlanAgent *agent,
                            Err *err)
{
    CLEANUP(buf_done) Buf command = {0};
    CLEANUP(buf_done) Buf word = {0};

    agent->profile = cell_profile(str_of(profile))->name;
    buf_printf(&word, "./%s", path);
    cell_profile_word(buf_cstr(&word), &command);
    buf_add(&command, STR(" -h {host} -p {port} -n {name}"));
    return take_command(plan, agent, &command, err);
}

static int make_dotnet(const VersionForm *form, Plan *plan, PlanAgent *agent, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    if (form->entry.len && !has_ending(form->entry, STR(".dll"))) {
        int rc = find_entry(form, false, &path, err);
        if (rc == 0 && !has_execute_bit(form, buf_cstr(&path)))
            rc = remark_set(err, ERR_RULE, REMARK_NO_PROGRAM, buf_str(&path));
        return rc ? rc : make_own_program(buf_cstr(&path), "dotnet", plan, agent, err);
    }
    if (form->entry.len)
        buf_add(&path, form->entry);
    else
        buf_printf(&path, "%.*s.dll", STR_ARG(form->team));
    if (!is_there(form, buf_cstr(&path))) {
        CLEANUP(buf_done) Buf there = {0};
        list_there(form, &there);
        return remark_set(err, ERR_RULE, REMARK_LIBRARY_MISSING, buf_str(&path), buf_str(&there));
    }
    return make_library(form, buf_cstr(&path), plan, agent, err);
}

/* ---- Python ---- */

static bool has_deps(const VersionForm *form)
{
    int fd = -1;
    const bool there = folder_inside_open(form->tree, VERSION_DEPS, &fd, NULL) == 0;

    if (there)
        close(fd);
    return there;
}

/* In the script's own folder, where it finds its files. */
static int make_python(const VersionForm *form, Plan *plan, PlanAgent *agent, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf entry = {0};
    CLEANUP(buf_done) Buf team = {0};
    CLEANUP(buf_done) Buf command = {0};
    int rc = find_entry(form, true, &path, err);

    if (rc)
        return rc;
    const bool in_folder = path.len > form->entry.len;
    const bool deps = has_deps(form);
    agent->profile = cell_profile(STR("python"))->name;
    buf_add(&team, form->team);
    if (in_folder) {
        buf_add(&command, STR("cd "));
        cell_profile_word(buf_cstr(&team), &command);
        buf_add(&command, STR(" && "));
    }
    if (deps)
        buf_printf(&command, "PYTHONPATH=%s" VERSION_DEPS " ", in_folder ? "../" : "");
    if (in_folder || deps)
        buf_add(&command, STR("exec "));
    buf_add(&entry, form->entry);
    cell_profile_command(cell_profile(STR("python")), buf_cstr(&entry), &command);
    return take_command(plan, agent, &command, err);
}

/* ---- native ---- */

static unsigned own_machine(void)
{
#if defined(__x86_64__)
    return EM_X86_64;
#elif defined(__aarch64__)
    return EM_AARCH64;
#elif defined(__riscv)
    return EM_RISCV;
#else
    return EM_NONE;
#endif
}

/* Errors: ERR_RULE. */
static int judge_program(const VersionForm *form, const char *path, Err *err)
{
    Elf64_Ehdr head = {0};
    char number[REMARK_NUMBER];
    int fd = -1;

    if (file_inside_open(form->tree, path, &fd, NULL))
        return remark_set(err, ERR_RULE, REMARK_UNREADABLE, str_of(path));
    const ssize_t n = read(fd, &head, sizeof(head));
    close(fd);
    if (n >= 2 && memcmp(head.e_ident, "#!", 2) == 0)
        return 0;
    if (n < (ssize_t)sizeof(head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return remark_set(err, ERR_RULE, REMARK_NO_ELF, str_of(path));
    if (head.e_ident[EI_CLASS] != ELFCLASS64 ||
        (own_machine() != EM_NONE && head.e_machine != own_machine()))
        return remark_set(err, ERR_RULE, REMARK_OTHER_KIND, str_of(path),
                          remark_number(head.e_machine, number),
                          head.e_ident[EI_CLASS] == ELFCLASS64 ? STR("64") : STR("32"));
    return 0;
}

static int make_native(const VersionForm *form, Plan *plan, PlanAgent *agent, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = find_entry(form, false, &path, err);

    if (rc == 0)
        rc = judge_program(form, buf_cstr(&path), err);
    return rc ? rc : make_own_program(buf_cstr(&path), "native", plan, agent, err);
}

/* ---- public ---- */

static const struct {
    const char *language;
    int (*make)(const VersionForm *form, Plan *plan, PlanAgent *agent, Err *err);
} languages[] = {
    {"java", make_java},
    {"dotnet", make_dotnet},
    {"python", make_python},
    {"native", make_native},
};

int version_form_agent(const VersionForm *form, Plan *plan, PlanAgent *ret_agent, Err *err)
{
    PlanAgent agent = {.own_folder = true};
    int rc = plan_agent_name(&agent, form->team, err);

    if (rc)
        return rc;
    agent.folder = plan_text(plan, str_of(form->tree));
    if (!agent.folder)
        return err_set(err, ERR_LIMIT, "its folder has more than %d bytes", PLAN_TEXT_MAX);
    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++) {
        if (!str_eq(form->language, str_of(languages[i].language)))
            continue;
        rc = languages[i].make(form, plan, &agent, err);
        if (rc == 0)
            *ret_agent = agent;
        return rc;
    }
    return remark_set(err, ERR_RULE, REMARK_LANGUAGE, str_part(form->language, 0, 32));
}

/* Where a starter lies: its libraries are beside it. */
static const char *folder_of(const char *path, Plan *plan)
{
    size_t slash = 0;

    return str_find_last(str_of(path), '/', &slash) && slash > 0
               ? plan_text(plan, str_part(str_of(path), 0, slash))
               : NULL;
}

int version_form_show(const VersionPlatform *platform, Str language, Plan *plan, Err *err)
{
    CellWish *wish = &plan->cell;
    const char *shown = NULL;

    if (str_eq(language, STR("java")) && platform->java_lib)
        shown = plan_text(plan, str_of(platform->java_lib));
    else if (str_eq(language, STR("dotnet")) && platform->dotnet_starter)
        shown = folder_of(platform->dotnet_starter, plan);
    if (!shown)
        return 0;
    for (uint32_t i = 0; i < wish->read_count; i++)
        if (strcmp(wish->read[i], shown) == 0)
            return 0;
    if (wish->read_count == CELL_READ_MAX)
        return err_set(err, ERR_LIMIT, "cell: more than %d further folders", CELL_READ_MAX);
    wish->read[wish->read_count++] = shown;
    return 0;
}
