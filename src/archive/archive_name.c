#include "archive/archive_name.h"

#include "base/mem.h"
#include "base/utf8.h"

#define SHOWN_CHARS 120
#define CLASHES_MAX 20

void archive_name_show(Str name, Buf *out)
{
    utf8_add_printable(name, SHOWN_CHARS, out);
}

int archive_name_refuse(Str name, ErrCode code, RemarkCode remark, Str more, Err *err)
{
    CLEANUP(buf_done) Buf shown = {0};

    archive_name_show(name, &shown);
    return remark_set(err, code, remark, buf_str(&shown), more);
}

static int refuse_name(Str name, RemarkCode remark, Err *err)
{
    return archive_name_refuse(name, ERR_RULE, remark, (Str){0}, err);
}

static int refuse_long(Str name, RemarkCode remark, uint64_t limit, Err *err)
{
    char number[REMARK_NUMBER];

    return archive_name_refuse(name, ERR_LIMIT, remark, remark_number(limit, number), err);
}

static bool has_control(Str name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.bytes[i] < 0x20 || name.bytes[i] == 0x7f)
            return true;
    return false;
}

static int judge_parts(Str name, Err *err)
{
    Str rest = name;
    unsigned depth = 0;

    while (true) {
        size_t slash = 0;
        const bool more = str_find(rest, STR("/"), &slash);
        const Str part = more ? str_part(rest, 0, slash) : rest;
        if (part.len == 0)
            return refuse_name(name, REMARK_PART_EMPTY, err);
        if (str_eq(part, STR("..")) || str_eq(part, STR(".")))
            return refuse_name(name, part.len == 2 ? REMARK_PART_UP : REMARK_PART_DOT, err);
        if (part.len > ARCHIVE_PART_BYTES)
            return refuse_long(name, REMARK_PART_LONG, ARCHIVE_PART_BYTES, err);
        if (++depth > ARCHIVE_DEPTH)
            return refuse_long(name, REMARK_DEEP, ARCHIVE_DEPTH, err);
        if (!more)
            return 0;
        rest = str_part(rest, slash + 1, rest.len);
    }
}

int archive_name_judge(Str name, Err *err)
{
    if (name.len == 0)
        return remark_set(err, ERR_RULE, REMARK_NAME_NONE, (Str){0});
    if (!utf8_valid(name))
        return refuse_name(name, REMARK_NAME_UTF8, err);
    if (has_control(name))
        return refuse_name(name, REMARK_NAME_CONTROL, err);
    if (memchr(name.bytes, '\\', name.len))
        return refuse_name(name, REMARK_NAME_BACKSLASH, err);
    if (name.bytes[0] == '/')
        return refuse_name(name, REMARK_NAME_ABSOLUTE, err);
    if (name.len > ARCHIVE_PATH_BYTES)
        return refuse_long(name, REMARK_NAME_LONG, ARCHIVE_PATH_BYTES, err);
    return judge_parts(name, err);
}

bool archive_name_is_cache(Str name)
{
    while (name.len)
        if (str_eq(str_cut(&name, '/'), STR("__pycache__")))
            return true;
    return false;
}

/* ---- all names ---- */

typedef struct ArchivePath {
    size_t at; /* in `names` */
    uint32_t bytes;
    bool folder;
    bool said; /* by an entry of its own, and not only as a part of a path */
} ArchivePath;

void archive_paths_done(ArchivePaths *paths)
{
    buf_done(&paths->names);
    buf_done(&paths->clashes);
    mem_free(paths->paths);
    mem_free(paths->slots);
    *paths = (ArchivePaths){0};
}

static Str path_name(const ArchivePaths *paths, const ArchivePath *path)
{
    return str_part(buf_str(&paths->names), path->at, path->bytes);
}

/* Names that differ by case only hash alike, so that they are found together. */
static uint32_t hash_name(Str name)
{
    uint32_t hash = 2166136261U;

    for (size_t i = 0; i < name.len; i++)
        hash = (hash ^ (unsigned char)str_lower_char(name.bytes[i])) * 16777619U;
    return hash;
}

static bool is_same_but_for_case(Str a, Str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (str_lower_char(a.bytes[i]) != str_lower_char(b.bytes[i]))
            return false;
    return true;
}

static void put_slot(ArchivePaths *paths, size_t number)
{
    size_t at = hash_name(path_name(paths, &paths->paths[number])) & (paths->slot_count - 1);

    while (paths->slots[at])
        at = (at + 1) & (paths->slot_count - 1);
    paths->slots[at] = (uint32_t)number + 1;
}

static int grow_slots(ArchivePaths *paths, Err *err)
{
    const size_t count = paths->slot_count ? paths->slot_count * 2 : 256;
    uint32_t *slots = mem_new(count * sizeof(*slots));

    if (!slots)
        return err_set(err, ERR_MEMORY, "archive: out of memory");
    mem_free(paths->slots);
    paths->slots = slots;
    paths->slot_count = count;
    for (size_t i = 0; i < paths->count; i++)
        put_slot(paths, i);
    return 0;
}

/* The path of this name; NULL = it is new. `ret_like` is one that differs by case, or NULL. */
static ArchivePath *find_path(const ArchivePaths *paths, Str name, const ArchivePath **ret_like)
{
    *ret_like = NULL;
    if (!paths->slot_count)
        return NULL;
    for (size_t at = hash_name(name) & (paths->slot_count - 1); paths->slots[at];
         at = (at + 1) & (paths->slot_count - 1)) {
        ArchivePath *path = &paths->paths[paths->slots[at] - 1];
        const Str other = path_name(paths, path);
        if (str_eq(other, name))
            return path;
        if (is_same_but_for_case(other, name))
            *ret_like = path;
    }
    return NULL;
}

static void note_clash(ArchivePaths *paths, Str name, const ArchivePath *like)
{
    if (paths->clash_count++ >= CLASHES_MAX)
        return;
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    archive_name_show(path_name(paths, like), &first);
    archive_name_show(name, &second);
    const Str values[REMARK_VALUES] = {buf_str(&first), buf_str(&second)};
    remark_write(REMARK_CASE, values, &paths->clashes);
    buf_add_char(&paths->clashes, '\n');
}

static int new_path(ArchivePaths *paths, Str name, bool folder, bool said, Err *err)
{
    if (paths->count == paths->room) {
        const size_t room = paths->room ? paths->room * 2 : 64;
        ArchivePath *more = mem_resize(paths->paths, room, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "archive: out of memory");
        paths->paths = more;
        paths->room = room;
    }
    if ((paths->count + 1) * 2 > paths->slot_count) {
        int rc = grow_slots(paths, err);
        if (rc)
            return rc;
    }
    paths->paths[paths->count] = (ArchivePath){
        .at = paths->names.len, .bytes = (uint32_t)name.len, .folder = folder, .said = said};
    buf_add(&paths->names, name);
    buf_add_char(&paths->names, '\0');
    if (buf_failed(&paths->names))
        return err_set(err, ERR_MEMORY, "archive: out of memory");
    put_slot(paths, paths->count++);
    return 0;
}

/* The name of an entry, or (`!said`) of a folder on its path. */
static int add_path(ArchivePaths *paths, Str name, bool folder, bool said, Err *err)
{
    const ArchivePath *like = NULL;
    ArchivePath *path = find_path(paths, name, &like);

    if (!path) {
        if (like)
            note_clash(paths, name, like);
        return new_path(paths, name, folder, said, err);
    }
    if (said && path->said && path->folder == folder)
        return refuse_name(name, REMARK_TWICE, err);
    if (!folder || !path->folder)
        return refuse_name(name, REMARK_FILE_AND_FOLDER, err);
    path->said |= said;
    return 0;
}

int archive_paths_add(ArchivePaths *paths, Str name, bool folder, Err *err)
{
    for (size_t i = 0; i < name.len; i++) {
        int rc = name.bytes[i] == '/' ? add_path(paths, str_part(name, 0, i), true, false, err) : 0;
        if (rc)
            return rc;
    }
    return add_path(paths, name, folder, true, err);
}
