#include "record/key_file.h"

#include <errno.h>
#include <sys/random.h>

int key_draw(Key *ret_key, Err *err)
{
    size_t have = 0;

    while (have < KEY_BYTES) {
        ssize_t n = getrandom(ret_key->bytes + have, KEY_BYTES - have, 0);
        if (n < 0 && errno != EINTR)
            return err_set(err, ERR_IO, "random bytes from the kernel: %s", strerror(errno));
        have += n > 0 ? (size_t)n : 0;
    }
    return 0;
}
