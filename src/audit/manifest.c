#include "audit/manifest.h"

#include "audit/audit_kept.h"
#include "audit/audit_verdict.h"
#include "base/digest.h"
#include "base/json.h"
#include "base/mem.h"
#include "disk/log_file.h"
#include "disk/tree_digest.h"
#include "proof/ledger.h"

#include <inttypes.h>
#include <unistd.h>

#define MANIFEST_BYTES_MAX ((size_t)64 * 1024 * 1024)

/* A manifest that is made. */
typedef struct Making {
    ManifestForm form;
    Buf *out;
} Making;

static void write_head(ManifestForm form, Str contest, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_uint(&json, "bundle", form);
    json_add_str(&json, "contest", contest);
    buf_add(out, STR(",\"files\":["));
}

/* What proves itself. */
static bool is_signed_list(const char *path)
{
    return strcmp(path, LEDGER_FILE) == 0 || strcmp(path, LEDGER_CHECKPOINT_FILE) == 0 ||
           str_starts(str_of(path), STR(CHECKPOINTS_FOLDER "/"));
}

static int add_file(void *user, const TreeFile *file, Err *err)
{
    const Making *making = user;
    Buf *out = making->out;
    Json json = json_over(out);
    char hex[KEY_HEX_BYTES];

    if (strcmp(file->path, MANIFEST_FILE) == 0 ||
        (making->form == MANIFEST_SITE && is_signed_list(file->path)))
        return 0;
    if (file->link)
        return err_set(err, ERR_RULE, "'%s' is a link", file->path);
    key_to_hex(&file->sha256, hex);
    buf_add(out, out->bytes[out->len - 1] == '[' ? STR("\n") : STR(",\n"));
    json_open(&json, '{');
    json_add_str(&json, "path", str_of(file->path));
    json_add_uint(&json, "bytes", file->bytes);
    json_add_str(&json, "sha256", str_of(hex));
    json_close(&json);
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "manifest: out of memory") : 0;
}

int manifest_write(const char *dir, ManifestForm form, Str contest, Buf *out, Err *err)
{
    Making making = {form, out};

    write_head(form, contest, out);
    if (buf_failed(out))
        return err_set(err, ERR_MEMORY, "manifest: out of memory");
    int rc = tree_files(dir, add_file, &making, err);
    buf_add(out, STR("]}\n"));
    return rc == 0 && buf_failed(out) ? err_set(err, ERR_MEMORY, "manifest: out of memory") : rc;
}

/* The name of the contest that the text begins with; it is written in one way only. */
bool manifest_contest(Str text, ManifestForm *ret_form, Str *ret_contest)
{
    static const Str heads[] = {{"{\"bundle\":1,\"contest\":\"", 23},
                                {"{\"bundle\":2,\"contest\":\"", 23}};
    size_t end;

    *ret_form = str_starts(text, heads[1]) ? MANIFEST_SITE : MANIFEST_ALL;
    if (!str_starts(text, heads[*ret_form - 1]))
        return false;
    const Str rest = str_part(text, heads[0].len, text.len);
    if (!str_find(rest, STR("\",\"files\":["), &end))
        return false;
    *ret_contest = str_part(rest, 0, end);
    return true;
}

/* Says which file it is about, from the lines that differ: the manifest lists them in order. */
void manifest_compare(Str told, Str now, AuditVerdict *verdict)
{
    unsigned line = 0;

    while (told.len || now.len) {
        const Str a = str_cut(&told, '\n'), b = str_cut(&now, '\n');
        line++;
        if (str_eq(a, b))
            continue;
        audit_contradict(verdict, MANIFEST_FILE, line, "told: %.*s; the folder has: %.*s",
                         STR_ARG(str_part(a, 0, 180)), STR_ARG(str_part(b, 0, 180)));
        return;
    }
}

int manifest_check(const char *dir, AuditVerdict *verdict, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf told = {0};
    CLEANUP(buf_done) Buf now = {0};
    Str contest = {0};
    Err own = {0};

    buf_printf(&path, "%s/" MANIFEST_FILE, dir);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (access(buf_cstr(&path), F_OK)) {
        verdict->state = AUDIT_ABSENT;
        snprintf(verdict->text, sizeof(verdict->text),
                 "no " MANIFEST_FILE ": a folder of --out, not a bundle");
        return 0;
    }
    int rc = log_file_read(buf_cstr(&path), MANIFEST_BYTES_MAX, &told, &own);
    Making making = {MANIFEST_ALL, &now};
    if (rc == 0 && !manifest_contest(buf_str(&told), &making.form, &contest))
        rc = err_set(&own, ERR_SYNTAX, "does not begin as a manifest does");
    if (rc == 0) { /* the name as it stands there, which needs no writing */
        buf_printf(&now, "{\"bundle\":%d,\"contest\":\"%.*s\",\"files\":[", (int)making.form,
                   STR_ARG(contest));
        rc = tree_files(dir, add_file, &making, &own);
        buf_add(&now, STR("]}\n"));
    }
    if (rc == ERR_MEMORY || buf_failed(&now))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (rc)
        audit_contradict(verdict, MANIFEST_FILE, own.line, "%s", own.msg);
    manifest_compare(buf_str(&told), buf_str(&now), verdict);
    if (verdict->state == AUDIT_NOT_REACHED)
        verdict->state = AUDIT_HOLDS;
    for (size_t i = 0; i < told.len; i++)
        verdict->count += told.bytes[i] == '\n';
    verdict->count -= verdict->count ? 1 : 0;
    return 0;
}
