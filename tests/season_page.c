#include "season_page.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

SeasonPage *season_page(void)
{
    static SeasonPage *page;
    static bool looked;
    const char *path = looked ? NULL : getenv("WARG_SEASON_PAGE");

    looked = true;
    if (!path)
        return page;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *found =
        fd >= 0 ? mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    page = found == MAP_FAILED ? NULL : found;
    return page;
}

/* SplitMix64: the same numbers for the same seed. */
static uint64_t mixed_number(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

bool season_page_fails(bool store)
{
    static const int reasons[] = {EIO, ENOSPC, EIO, ENOSPC, EDQUOT, EROFS};
    SeasonPage *page = season_page();
    const uint32_t rate = !page ? 0 : store ? page->store_rate : page->disk_rate;

    if (!page)
        return false;
    const uint64_t number = atomic_fetch_add(store ? &page->store_calls : &page->disk_calls, 1) +
                            (store ? 1u << 31 : 0);
    const uint64_t drawn = mixed_number(page->seed ^ number);
    if (!rate || drawn % rate || atomic_fetch_sub(&page->left, 1) <= 0)
        return false;
    atomic_fetch_add(store ? &page->store_failed : &page->disk_failed, 1);
    if (page->kill_rate && (drawn >> 40) % page->kill_rate == 0) {
        atomic_fetch_add(&page->killed, 1);
        raise(SIGKILL);
    }
    errno = reasons[(drawn >> 32) % (sizeof(reasons) / sizeof(reasons[0]))];
    return true;
}
