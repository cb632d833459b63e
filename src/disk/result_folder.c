#include "disk/result_folder.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define PRIVATE_MASK 077

unsigned result_folder_begin(bool open)
{
    const mode_t before = umask(PRIVATE_MASK);

    if (open)
        umask(before);
    return before;
}

/* Empty, or one of ours. */
static bool may_close(DIR *folder)
{
    const struct dirent *entry;
    bool empty = true;

    while ((entry = readdir(folder))) {
        Str name = str_of(entry->d_name);
        if (str_eq(name, STR("journal.jsonl")))
            return true;
        empty &= str_eq(name, STR(".")) || str_eq(name, STR(".."));
    }
    return empty;
}

void result_folder_close(const char *dir)
{
    DIR *folder = dir ? opendir(dir) : NULL;

    if (!folder)
        return;
    if (may_close(folder))
        (void)fchmod(dirfd(folder), 0700); /* of another owner: as it is */
    closedir(folder);
}
