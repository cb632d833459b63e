#include "cli/seed_arg.h"

#include <errno.h>
#include <sys/random.h>

int seed_arg(bool given, uint64_t value, uint64_t *ret_seed, Err *err)
{
    uint64_t drawn = value;

    if (!given && getrandom(&drawn, sizeof(drawn), 0) != (ssize_t)sizeof(drawn))
        return err_set(err, ERR_IO, "can't get a random seed: %s", strerror(errno));
    *ret_seed = drawn;
    return 0;
}
