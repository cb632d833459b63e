#include "web/contest_output.h"

#include "seat/agent_command.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void output_list_done(OutputList *list)
{
    mem_free(list->files);
    *list = (OutputList){0};
}

/* "0-0012-03.txt" */
static bool is_output_name(const char *name)
{
    size_t len = strlen(name);

    if (len < 5 || len > CONTEST_OUTPUT_NAME || strcmp(name + len - 4, ".txt") != 0)
        return false;
    for (size_t i = 0; i < len - 4; i++)
        if (name[i] != '-' && (name[i] < '0' || name[i] > '9'))
            return false;
    return true;
}

/* The folder of an agent; -1 = there is none. */
static int open_folder(const char *dir, const char *agent)
{
    CLEANUP(buf_done) Buf name = {0};
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/agents", dir);
    agent_command_add_file_name(agent, &name);
    if (buf_failed(&path) || buf_failed(&name))
        return -1;
    int parent = open(buf_cstr(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (parent < 0)
        return -1;
    int folder = openat(parent, buf_cstr(&name), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    close(parent);
    return folder;
}

static bool add_file(OutputList *list, const char *name, uint64_t bytes)
{
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 64;
        OutputFile *files = mem_resize(list->files, room, sizeof(*files));
        if (!files)
            return false;
        list->files = files;
        list->room = room;
    }
    OutputFile *file = &list->files[list->count++];
    *file = (OutputFile){.bytes = bytes};
    memcpy(file->name, name, strlen(name) + 1); /* is_output_name has seen how long it is */
    return true;
}

static int last_first(const void *left, const void *right)
{
    const OutputFile *a = left, *b = right;

    return strcmp(b->name, a->name);
}

bool output_list_read(const char *dir, const char *agent, OutputList *ret_list)
{
    int fd = open_folder(dir, agent);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    bool ok = true;

    if (!folder) {
        if (fd >= 0)
            close(fd);
        return true;
    }
    while (ok && (entry = readdir(folder))) {
        struct stat about;
        if (is_output_name(entry->d_name) &&
            fstatat(dirfd(folder), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode))
            ok = add_file(ret_list, entry->d_name, (uint64_t)about.st_size);
    }
    closedir(folder);
    if (ret_list->count)
        qsort(ret_list->files, ret_list->count, sizeof(*ret_list->files), last_first);
    if (ret_list->count > CONTEST_OUTPUT_FILES)
        ret_list->count = CONTEST_OUTPUT_FILES;
    return ok;
}

bool output_list_is_gone(const char *dir)
{
    CLEANUP(buf_done) Buf path = {0};
    const struct dirent *entry;
    bool empty = true;

    buf_printf(&path, "%s/agents", dir);
    int fd = buf_failed(&path)
                 ? -1
                 : open(buf_cstr(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (!folder) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    while (empty && (entry = readdir(folder)))
        empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    closedir(folder);
    return empty;
}

static void read_tail(int fd, off_t size, Buf *out)
{
    off_t at = size > CONTEST_OUTPUT_TAIL ? size - CONTEST_OUTPUT_TAIL : 0;
    bool cut = at > 0;

    if (!buf_reserve(out, CONTEST_OUTPUT_TAIL))
        return;
    ssize_t n = pread(fd, out->bytes + out->len, CONTEST_OUTPUT_TAIL, at);
    Str text = {out->bytes + out->len, n > 0 ? (size_t)n : 0};
    const char *line = cut && text.len ? memchr(text.bytes, '\n', text.len) : NULL;
    size_t skip = line ? (size_t)(line - text.bytes) + 1 : 0;
    memmove(out->bytes + out->len, out->bytes + out->len + skip, text.len - skip);
    out->len += text.len - skip;
    out->bytes[out->len] = '\0';
}

bool output_read_tail(const char *dir, const char *agent, const char *name, Buf *out)
{
    struct stat about;

    if (!is_output_name(name))
        return false;
    int folder = open_folder(dir, agent);
    int fd =
        folder >= 0 ? openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    if (folder >= 0)
        close(folder);
    if (fd < 0)
        return false;
    bool ok = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    if (ok)
        read_tail(fd, about.st_size, out);
    close(fd);
    return ok;
}
