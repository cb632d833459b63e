#include "cell/profile.h"

#include "base/mem.h"

#include <inttypes.h>

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const nothing[] = {NULL};

static const CellProfile profiles[] = {
    {
        .name = "java",
        .programs = LIST("java"),
        .command = "java -XX:+UseSerialGC -XX:CICompilerCount=2 "
                   "-XX:-UseDynamicNumberOfCompilerThreads -XX:-UsePerfData -cp {classpath} "
                   "org.aiwolf.common.bin.ClientStarter -h {host} -p {port} -c {entry} -n {name}",
        /* An -Xmx of the command counts for more. */
        .environment = LIST("JAVA_TOOL_OPTIONS=-Xmx{heap}m"),
        .noise = LIST(
            /* a JVM keeps its shared memory out of core dumps */
            "open for writing /proc/self/coredump_filter",
            /* counters for jps and jstat, where -XX:-UsePerfData is missing */
            "open for writing /tmp/hsperfdata_*", "mkdir /tmp/hsperfdata_*",
            "unlink /tmp/hsperfdata_*",
            /* its last words when it ends for want of memory, in the working folder or in /tmp */
            "open for writing */hs_err_pid*", "open for writing */replay_pid*"),
        .usual =
            LIST("java", "main", "VM Thread", "VM Periodic*", "GC Thread*", "G1 *", "Shenandoah *",
                 "Reference Handl", "Finalizer", "Signal Dispatch", "Service Thread",
                 "Monitor Deflati", "C1 CompilerThre", "C2 CompilerThre", "Sweeper thread",
                 "Common-Cleaner", "Notification Th", "DestroyJavaVM", "Cleaner-0",
                 /* the platform's own client reads its socket on a thread of this name */
                 "Thread-0"),
    },
    {
        .name = "python",
        .programs = LIST("python3", "python", "python3.9", "python3.10", "python3.11", "python3.12",
                         "python3.13", "pypy3"),
        .command = "python3 -B -X utf8 {entry} -h {host} -p {port} -n {name}",
        .environment = LIST("PYTHONUNBUFFERED=1", "PYTHONDONTWRITEBYTECODE=1"),
        .noise = LIST(/* modules that were not compiled before, where -B is missing */
                      "mkdir *__pycache__", "open for writing *.pyc.*"),
        .usual = nothing,
        .one_thread = true,
    },
    {
        .name = "mono",
        .programs = LIST("mono"),
        .command = "mono {entry} -h {host} -p {port} -n {name}",
        .environment = LIST("MONO_DEBUG=no-gdb-backtrace"),
        .noise = LIST(/* asks the kernel for the addresses of its network, by NETLINK_ROUTE alone */
                      "send to an address of family 16",
                      /* looks whether names of files differ by case */
                      "open for writing /tmp/CASESENSITIVETEST*",
                      /* its counters, for programs that look at it */
                      "open for writing /dev/shm/mono.*",
                      /* its own settings, for what of its libraries has some */
                      "mkdir /agent/.mono*", "mkdir /agent/.config*"),
        .usual = LIST("*"),
        .asks_routes = true, /* TcpClient(host, port) looks whether there is IPv4 */
    },
    {
        .name = "dotnet",
        .programs = LIST("dotnet"),
        .command = "dotnet {entry} -h {host} -p {port} -n {name}",
        .environment = LIST("DOTNET_EnableDiagnostics=0", "DOTNET_EnableWriteXorExecute=0",
                            "DOTNET_CLI_TELEMETRY_OPTOUT=1", "DOTNET_GCHeapHardLimit={heap_hex}"),
        .noise = LIST("open for writing /tmp/*", "mkdir /tmp/.dotnet*"),
        .usual = LIST("*"),
    },
    {
        .name = "native",
        .programs = nothing,
        .command = "./{entry} -h {host} -p {port} -n {name}",
        .environment = nothing,
        .noise = nothing,
        .usual = nothing,
        .one_thread = true,
    },
};

#define PROFILES (sizeof(profiles) / sizeof(profiles[0]))

const CellProfile *cell_profile(Str name)
{
    for (size_t i = 0; i < PROFILES; i++)
        if (str_eq(name, str_of(profiles[i].name)))
            return &profiles[i];
    return NULL;
}

static bool has_ending(Str word, Str ending)
{
    return word.len >= ending.len &&
           str_eq(str_part(word, word.len - ending.len, ending.len), ending);
}

/* Whether a word stands before the program's own: "exec", "env", LANG=C. */
static bool stands_before(Str word)
{
    size_t at;

    if (str_eq(word, STR("exec")) || str_eq(word, STR("env")) || str_eq(word, STR("/usr/bin/env")))
        return true;
    return str_find(word, STR("="), &at) && at > 0 && word.bytes[0] != '-' &&
           word.bytes[0] != '.' && word.bytes[0] != '/';
}

/* The name of the program that a command starts, without its folder. */
static Str program_of(Str command)
{
    Str rest = str_trim(command), word = str_cut(&rest, ' ');
    size_t slash;

    while (rest.len && stands_before(word)) {
        rest = str_trim(rest);
        word = str_cut(&rest, ' ');
    }
    return str_find_last(word, '/', &slash) ? str_part(word, slash + 1, word.len) : word;
}

const CellProfile *cell_profile_of_command(Str command)
{
    const Str program = program_of(command);

    for (size_t i = 0; i < PROFILES; i++)
        for (const char *const *known = profiles[i].programs; *known; known++)
            if (str_eq(program, str_of(*known)))
                return &profiles[i];
    return cell_profile(has_ending(program, STR(".py")) ? STR("python") : STR("native"));
}

bool cell_profile_is_hidden(Str command)
{
    const Str program = program_of(command);

    return str_eq(program, STR("sh")) || str_eq(program, STR("bash")) ||
           str_eq(program, STR("dash")) || has_ending(program, STR(".sh"));
}

void cell_profile_names(Buf *out)
{
    for (size_t i = 0; i < PROFILES; i++)
        buf_printf(out, "%s%s", i ? ", " : "", profiles[i].name);
}

void cell_profile_word(const char *text, Buf *out)
{
    buf_add_char(out, '\'');
    for (; *text; text++)
        if (*text == '\'')
            buf_add(out, STR("'\\''"));
        else
            buf_add_char(out, *text);
    buf_add_char(out, '\'');
}

void cell_profile_command_with(const CellProfile *profile, const char *entry,
                               const char *class_path, Buf *out)
{
    static const Str at_entry = {"{entry}", 7}, at_classes = {"{classpath}", 11};
    Str rest = str_of(profile->command);

    while (rest.len) {
        size_t taken = 1;
        if (str_starts(rest, at_entry)) {
            cell_profile_word(entry, out);
            taken = at_entry.len;
        } else if (str_starts(rest, at_classes)) {
            cell_profile_word(class_path, out);
            taken = at_classes.len;
        } else {
            buf_add_char(out, rest.bytes[0]);
        }
        rest = str_part(rest, taken, rest.len);
    }
}

void cell_profile_command(const CellProfile *profile, const char *entry, Buf *out)
{
    cell_profile_command_with(profile, entry, "*:.", out);
}

#define VALUE_BYTES 96

/* A variable with the heap's size filled in. */
static void fill_heap(const char *variable, uint64_t memory_bytes,
                      char ret_text[static VALUE_BYTES])
{
    const uint64_t heap = memory_bytes / 4 * 3;
    const char *brace = strchr(variable, '{');
    const size_t before = brace ? (size_t)(brace - variable) : strlen(variable);

    if (!brace)
        snprintf(ret_text, VALUE_BYTES, "%s", variable);
    else if (strncmp(brace, "{heap}", strlen("{heap}")) == 0)
        snprintf(ret_text, VALUE_BYTES, "%.*s%" PRIu64 "%s", (int)before, variable, heap >> 20,
                 brace + strlen("{heap}"));
    else
        snprintf(ret_text, VALUE_BYTES, "%.*s%" PRIX64, (int)before, variable, heap);
}

const char **cell_profile_environment(const CellProfile *profile, uint64_t memory_bytes)
{
    size_t count = 0;

    while (profile->environment[count])
        count++;
    const char **list = mem_new((count + 1) * sizeof(*list) + count * VALUE_BYTES);
    if (!list)
        return NULL;
    char *text = (char *)(list + count + 1);
    for (size_t i = 0; i < count; i++, text += VALUE_BYTES) {
        fill_heap(profile->environment[i], memory_bytes, text);
        list[i] = text;
    }
    return list;
}
