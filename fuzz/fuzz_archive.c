/* fuzz_archive.c - any bytes, unpacked into a folder: beside it nothing comes into being, and what
 * is in it settles. */
#include "archive/tree_writer.h"

#include "base/mem.h"
#include "disk/folder.h"

#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count_names(const char *path)
{
    size_t count = 0;
    DIR *folder = opendir(path);

    assert(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static void write_bytes(const char *path, Str bytes)
{
    FILE *file = fopen(path, "we");

    assert(file && fwrite(bytes.bytes, 1, bytes.len, file) == bytes.len);
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ArchiveLimits limits = {.entries = 200, .bytes = UINT64_C(4) << 20, .tar = true};
    CLEANUP(archive_report_done) ArchiveReport report = {0};
    CLEANUP(archive_report_done) ArchiveReport again = {0};
    char place[] = "/tmp/warg-fuzz-archive-XXXXXX", archive[80], tree[80];
    Err err = {0};

    assert(mkdtemp(place));
    snprintf(archive, sizeof(archive), "%s/archive", place);
    snprintf(tree, sizeof(tree), "%s/tree", place);
    assert(mkdir(tree, 0700) == 0);
    write_bytes(archive, (Str){(const char *)data, size});
    const int rc = tree_unpack(archive, tree, &limits, &report, &err);
    assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
    assert(count_names(place) == 2);
    if (rc == 0) {
        assert(tree_settle(tree, &limits, &again, &err) == 0);
        assert(report.files == again.files && report.bytes == again.bytes);
    }
    folder_remove(place, NULL);
    return 0;
}
