#include "audit/audit_file.h"

#include "audit/audit_verdict.h"
#include "base/digest.h"
#include "disk/log_file.h"

#define FILE_BYTES_MAX ((size_t)16 * 1024 * 1024)

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "audit: out of memory");
}

/* *ret_same: DIR/NAME is there, and has the digest. */
static int read_same(const char *dir, const char *name, Str digest, Buf *text, bool *ret_same,
                     Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    char hex[SHA256_HEX_BYTES];

    buf_clear(text);
    buf_printf(&path, "%s/%s", dir, name);
    int rc =
        buf_failed(&path) ? ERR_MEMORY : log_file_read(buf_cstr(&path), FILE_BYTES_MAX, text, NULL);
    *ret_same = false;
    if (rc == ERR_MEMORY)
        return no_memory(err);
    if (rc)
        return 0;
    rc = sha256_hex(buf_str(text), hex, err);
    *ret_same = rc == 0 && str_eq(str_of(hex), digest);
    return rc;
}

int audit_file_read(const char *dir, Str digest, Buf *text, Buf *name, AuditVerdict *verdict,
                    Err *err)
{
    bool same = false;
    Key key;

    if (!key_from_hex(digest, &key)) {
        audit_contradict(verdict, BUNDLE_CONTEST, 0, "the ledger does not say which file held");
        return 0;
    }
    int rc = read_same(dir, BUNDLE_CONTEST, digest, text, &same, err);

    buf_add(name, STR(BUNDLE_CONTEST));
    if (rc || same)
        return rc;
    buf_clear(name);
    buf_printf(name, BUNDLE_AMENDED "/%.*s.yml", STR_ARG(digest));
    if (buf_failed(name))
        return no_memory(err);
    rc = read_same(dir, buf_cstr(name), digest, text, &same, err);
    if (rc == 0 && !same)
        audit_contradict(verdict, BUNDLE_CONTEST, 0,
                         "neither it nor one in " BUNDLE_AMENDED
                         "/ is the file that held, of digest %.*s",
                         STR_ARG(digest));
    return rc;
}
