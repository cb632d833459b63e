#include "site/password.h"

#include "base/digest.h"
#include "base/mem.h"

#include <crypt.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/random.h>

#define YESCRYPT      "$y$"
#define YESCRYPT_COST 5
#define SALT_BYTES    32

static atomic_uint_fast64_t hashes;

static bool is_same_name(Str password, Str name)
{
    if (password.len != name.len || !name.len)
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (str_lower_char(password.bytes[i]) != str_lower_char(name.bytes[i]))
            return false;
    return true;
}

int password_judge(Str password, const Str *names, size_t count, Err *err)
{
    if (password.len < PASSWORD_BYTES_MIN)
        return err_set(err, ERR_RULE, "the password is too short: at least %d bytes",
                       PASSWORD_BYTES_MIN);
    if (password.len > PASSWORD_BYTES_MAX)
        return err_set(err, ERR_RULE, "the password is too long: at most %d bytes",
                       PASSWORD_BYTES_MAX);
    if (memchr(password.bytes, '\0', password.len))
        return err_set(err, ERR_RULE, "the password has a NUL in it");
    for (size_t i = 0; i < count; i++)
        if (is_same_name(password, names[i]))
            return err_set(err, ERR_RULE, "the password is a name that others know");
    return 0;
}

/* crypt_rn wants a text with an end, and overwrites what it needed. */
static int crypt_password(Str password, const char *setting,
                          char ret_hash[static PASSWORD_HASH_BYTES], Err *err)
{
    struct crypt_data *data = mem_new(sizeof(*data));
    char phrase[PASSWORD_BYTES_MAX + 1];
    int rc = 0;

    if (!data)
        return err_set(err, ERR_MEMORY, "a password: out of memory");
    memcpy(phrase, password.bytes, password.len);
    phrase[password.len] = '\0';
    atomic_fetch_add(&hashes, 1);
    const char *hash = crypt_rn(phrase, setting, data, (int)sizeof(*data));
    if (!hash || hash[0] == '*' || strlen(hash) >= PASSWORD_HASH_BYTES)
        rc = err_set(err, errno == ENOMEM ? ERR_MEMORY : ERR_IO, "a password: %s", strerror(errno));
    else
        memcpy(ret_hash, hash, strlen(hash) + 1);
    explicit_bzero(phrase, sizeof(phrase));
    explicit_bzero(data, sizeof(*data));
    mem_free(data);
    return rc;
}

static bool is_hashable(Str password)
{
    return password.len >= 1 && password.len <= PASSWORD_BYTES_MAX &&
           !memchr(password.bytes, '\0', password.len);
}

/* A setting of this salt, of the cost that new hashes have. */
static int write_setting(const char salt[static SALT_BYTES],
                         char ret_setting[static CRYPT_GENSALT_OUTPUT_SIZE], Err *err)
{
    if (!crypt_gensalt_rn(YESCRYPT, YESCRYPT_COST, salt, SALT_BYTES, ret_setting,
                          CRYPT_GENSALT_OUTPUT_SIZE))
        return err_set(err, ERR_IO, "a password: crypt_gensalt: %s", strerror(errno));
    return 0;
}

int password_hash(Str password, char ret_hash[static PASSWORD_HASH_BYTES], Err *err)
{
    char salt[SALT_BYTES], setting[CRYPT_GENSALT_OUTPUT_SIZE];

    if (!is_hashable(password) || password.len < PASSWORD_BYTES_MIN)
        return err_set(err, ERR_LIMIT, "a password of %d to %d bytes without NUL is expected",
                       PASSWORD_BYTES_MIN, PASSWORD_BYTES_MAX);
    if (getrandom(salt, sizeof(salt), 0) != (ssize_t)sizeof(salt))
        return err_set(err, ERR_IO, "a password: getrandom: %s", strerror(errno));
    int rc = write_setting(salt, setting, err);
    return rc ? rc : crypt_password(password, setting, ret_hash, err);
}

bool password_matches(Str password, Str hash)
{
    static const char no_salt[SALT_BYTES];
    char given[PASSWORD_HASH_BYTES], kept[PASSWORD_HASH_BYTES] = {0};
    char no_account[CRYPT_GENSALT_OUTPUT_SIZE];
    bool known = hash.len > 0 && hash.len < sizeof(kept);
    Str phrase = is_hashable(password) ? password : STR("no password");

    if (known)
        memcpy(kept, hash.bytes, hash.len);
    else if (write_setting(no_salt, no_account, NULL))
        return false;
    if (crypt_password(phrase, known ? kept : no_account, given, NULL))
        return false;
    return digest_equal(str_of(given), str_of(kept)) && known && is_hashable(password);
}

uint64_t password_hash_count(void)
{
    return atomic_load(&hashes);
}
