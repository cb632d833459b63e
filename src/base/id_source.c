#include "base/id_source.h"

#include <errno.h>
#include <sys/random.h>

#define DRAWN_BYTES_MAX 10

IdSource id_source_of_test(uint64_t number)
{
    return (IdSource){.of_test = true, .rng = rng_new(number)};
}

static int draw_bytes(IdSource *ids, size_t n, unsigned char *ret_bytes, Err *err)
{
    /* So few bytes come whole, and no signal interrupts them. */
    if (!ids->of_test && getrandom(ret_bytes, n, 0) != (ssize_t)n)
        return err_set(err, ERR_IO, "can't draw an id: %s", strerror(errno));
    for (size_t i = 0; ids->of_test && i < n; i++)
        ret_bytes[i] = (unsigned char)(rng_next(&ids->rng) >> 56);
    return 0;
}

int id_source_hex(IdSource *ids, char ret_id[static ID_HEX_BYTES], Err *err)
{
    unsigned char bytes[DRAWN_BYTES_MAX];
    int rc = draw_bytes(ids, (ID_HEX_BYTES - 1) / 2, bytes, err);

    for (size_t i = 0; rc == 0 && i < (ID_HEX_BYTES - 1) / 2; i++)
        snprintf(ret_id + 2 * i, 3, "%02x", bytes[i]);
    return rc;
}

int id_source_ulid(IdSource *ids, uint64_t unix_ms, char ret_id[static ID_ULID_BYTES], Err *err)
{
    static const char letters[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    unsigned char bytes[DRAWN_BYTES_MAX];

    if (ids->told.len >= ID_ULID_BYTES - 1) {
        memcpy(ret_id, ids->told.bytes, ID_ULID_BYTES - 1);
        ret_id[ID_ULID_BYTES - 1] = '\0';
        ids->told = str_part(ids->told, ID_ULID_BYTES - 1, ids->told.len);
        return 0;
    }
    int rc = draw_bytes(ids, 10, bytes, err);
    if (rc)
        return rc;
    for (int i = 9; i >= 0; i--, unix_ms >>= 5)
        ret_id[i] = letters[unix_ms & 31];
    /* Five bytes are eight letters. */
    for (size_t half = 0; half < 2; half++) {
        uint64_t bits = 0;
        for (size_t i = 0; i < 5; i++)
            bits = bits << 8 | bytes[5 * half + i];
        for (size_t i = 8; i > 0; i--, bits >>= 5)
            ret_id[10 + 8 * half + i - 1] = letters[bits & 31];
    }
    ret_id[ID_ULID_BYTES - 1] = '\0';
    return 0;
}
