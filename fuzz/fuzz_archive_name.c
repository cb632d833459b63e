/* fuzz_archive_name.c - any names: what is taken leads nowhere but down, and no two that are taken
 * are in each other's way. */
#include "archive/archive_name.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_name(Str name)
{
    unsigned depth = 1;

    assert(name.len > 0 && name.len <= ARCHIVE_PATH_BYTES && utf8_valid(name));
    assert(name.bytes[0] != '/' && name.bytes[name.len - 1] != '/');
    for (size_t i = 0; i < name.len; i++) {
        assert((unsigned char)name.bytes[i] >= 0x20 && name.bytes[i] != '\\');
        depth += name.bytes[i] == '/';
    }
    assert(depth <= ARCHIVE_DEPTH);
    while (name.len) {
        const Str part = str_cut(&name, '/');
        assert(part.len > 0 && part.len <= ARCHIVE_PART_BYTES);
        assert(!str_eq(part, STR(".")) && !str_eq(part, STR("..")));
    }
}

/* Names with a line end between; a '+' in front is a folder. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(archive_paths_done) ArchivePaths paths = {0};
    Str rest = {(const char *)data, size};

    while (rest.len) {
        Str name = str_cut(&rest, '\n');
        const bool folder = str_starts(name, STR("+"));
        Err err = {0};
        name = str_part(name, folder, name.len);
        int rc = archive_name_judge(name, &err);
        assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
        if (rc)
            continue;
        check_name(name);
        rc = archive_paths_add(&paths, name, folder, &err);
        assert(err.code == (ErrCode)rc && (rc == 0 || err.msg[0]));
        if (rc == 0 && !folder) {
            assert(archive_paths_add(&paths, name, false, NULL) == ERR_RULE);
            assert(archive_paths_add(&paths, name, true, NULL) == ERR_RULE);
        }
    }
    return 0;
}
