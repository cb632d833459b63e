#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* CPU_COUNT */
#endif
#include "match/table_room.h"

#include "base/mem.h"
#include "net/process_tree.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <unistd.h>

#define PRESSURE_MAX 20 /* percent; spec 6.7 */
#define SPARE_PART   8  /* of free memory so much stays free */
#define FILE_ROOM    4096
#define PIDS_MAX     4096

int table_room_read(Str text, uint32_t *ret_tables, Err *err)
{
    uint64_t number = 0;

    if (str_eq(text, STR("auto"))) {
        *ret_tables = PLAN_TABLES_AUTO;
        return 0;
    }
    if (!str_to_uint(text, PLAN_TABLES_MAX, &number) || number == 0)
        return err_set(err, ERR_USAGE,
                       "tables: expected a number from 1 to %d, or auto, found '%.*s'",
                       PLAN_TABLES_MAX, STR_ARG(str_part(text, 0, 40)));
    *ret_tables = (uint32_t)number;
    return 0;
}

static uint32_t processors(void)
{
    cpu_set_t usable;

    if (sched_getaffinity(0, sizeof(usable), &usable) == 0)
        return (uint32_t)CPU_COUNT(&usable);
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

uint32_t table_room_most(uint32_t tables)
{
    uint32_t count = processors();

    if (tables != PLAN_TABLES_AUTO)
        return tables ? tables : 1;
    if (count < 2)
        return 1;
    return count - 1 < PLAN_TABLES_MAX ? count - 1 : PLAN_TABLES_MAX;
}

/* ---- looks ---- */

/* The start of a small file; empty when it can't be read. */
static Str start_of(const char *path, char room[static FILE_ROOM])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = fd < 0 ? 0 : read(fd, room, FILE_ROOM);

    if (fd >= 0)
        close(fd);
    return (Str){room, bytes > 0 ? (size_t)bytes : 0};
}

int table_room_pressure(Str text)
{
    const Str before = STR("some avg10=");
    uint64_t percent = 0;

    if (!str_starts(text, before))
        return -1;
    text = str_part(text, before.len, SIZE_MAX);
    return str_to_uint(str_cut(&text, '.'), 100, &percent) ? (int)percent : -1;
}

uint64_t table_room_free_bytes(Str text)
{
    const Str before = STR("MemAvailable:");
    uint64_t kib = 0;

    while (text.len) {
        Str line = str_cut(&text, '\n');
        if (!str_starts(line, before))
            continue;
        Str number = str_trim(str_part(line, before.len, SIZE_MAX));
        return str_to_uint(str_cut(&number, ' '), UINT64_MAX / 1024, &kib) ? kib * 1024 : 0;
    }
    return 0;
}

/* The memory of one process: the second number of /proc/PID/statm, in pages. */
static uint64_t process_bytes(int pid)
{
    char path[48], room[FILE_ROOM];
    uint64_t pages = 0;
    long page = sysconf(_SC_PAGESIZE);

    snprintf(path, sizeof(path), "/proc/%d/statm", pid);
    Str text = start_of(path, room);
    str_cut(&text, ' ');
    bool is = str_to_uint(str_cut(&text, ' '), UINT32_MAX, &pages);
    return is && page > 0 ? pages * (uint64_t)page : 0;
}

/* Of all that this process has started. */
static uint64_t programs_bytes(void)
{
    int *pids = mem_new(PIDS_MAX * sizeof(*pids));
    size_t count = pids ? process_tree_read(getpid(), pids, PIDS_MAX) : 0;
    uint64_t bytes = 0;

    for (size_t i = 1; i < count && i < PIDS_MAX; i++) /* [0] is this one */
        bytes += process_bytes(pids[i]);
    mem_free(pids);
    return bytes;
}

TableRoomLook table_room_look(uint32_t open)
{
    char room[FILE_ROOM];
    TableRoomLook look = {.pressure = table_room_pressure(start_of("/proc/pressure/cpu", room)),
                          .free_bytes = table_room_free_bytes(start_of("/proc/meminfo", room))};

    look.table_bytes = open ? programs_bytes() / open : 0;
    return look;
}

void table_room_write(Buf *out)
{
    const uint32_t tables = table_room_most(PLAN_TABLES_AUTO), count = processors();
    const uint64_t bytes = table_room_look(0).free_bytes;

    buf_printf(out, "%s%" PRIu32 " table%s at a time (%" PRIu32 " processor%s",
               tables > 1 ? "up to " : "", tables, tables == 1 ? "" : "s", count,
               count == 1 ? "" : "s");
    if (bytes)
        buf_printf(out, ", %.1f GB free", (double)bytes / 1e9);
    buf_printf(out, ")");
}

bool table_room_has(const TableRoomLook *look)
{
    if (look->pressure > PRESSURE_MAX)
        return false;
    return !look->free_bytes ||
           look->table_bytes <= look->free_bytes - look->free_bytes / SPARE_PART;
}
