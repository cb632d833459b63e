/* fuzz_audit.c - any bytes as the files of a contest that somebody published: the audit comes to an
 * end, with a verdict for each step or an error. CRCs and digests in the journal are made right, or
 * nothing behind them would ever be reached.
 *
 * Parts with a NUL between: journal, ledger, checkpoint, faults, ranking, manifest, the log of game
 * 0, its exchange record, findings. An empty part is no file. */
#include "audit/audit.h"
#include "base/buf.h"
#include "base/digest.h"
#include "base/mem.h"
#include "journal/journal_line.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[256];

static const char *const names[] = {"journal.jsonl", "ledger.jsonl",          "checkpoint",
                                    "faults.jsonl",  "ranking.csv",           "manifest.json",
                                    "logs/000.log",  "exchange/000.jsonl.gz", "findings.jsonl"};
enum { PARTS = sizeof(names) / sizeof(names[0]), LOG = 6, EXCHANGE = 7 };

static const char *path_of(const char *name, char room[static 512])
{
    snprintf(room, 512, "%s/%s", folder, name);
    return room;
}

static void remove_folder(void)
{
    char path[512];

    for (unsigned i = 0; i < PARTS; i++)
        unlink(path_of(names[i], path));
    rmdir(path_of("logs", path));
    rmdir(path_of("exchange", path));
    rmdir(folder);
}

static void make_folder(void)
{
    const char *above = getenv("TMPDIR");
    char path[512];

    snprintf(folder, sizeof(folder), "%s/fuzz_audit.XXXXXX", above ? above : "/tmp");
    if (!mkdtemp(folder) || mkdir(path_of("logs", path), 0700) ||
        mkdir(path_of("exchange", path), 0700))
        abort();
    atexit(remove_folder);
}

static void put_file(const char *name, Str text)
{
    char path[512];

    if (!text.len) {
        unlink(path_of(name, path));
        return;
    }
    int fd = open(path_of(name, path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, text.bytes, text.len) != (ssize_t)text.len)
        abort();
    close(fd);
}

/* The digest in a game's line becomes that of this text. */
static void mend_digest(Buf *line, Str member, Str text)
{
    char hex[SHA256_HEX_BYTES];
    size_t at;

    if (str_find(buf_str(line), member, &at) && line->len - at > member.len + 64 &&
        sha256_hex(text, hex, NULL) == 0)
        memcpy(line->bytes + at + member.len, hex, 64);
}

static void mend_journal(const Str parts[PARTS], Buf *out)
{
    const size_t crc = 18;

    for (Str rest = parts[0]; rest.len;) {
        CLEANUP(buf_done) Buf sealed = {0};
        Str line = str_cut(&rest, '\n');
        if (journal_line_intact(line))
            line = str_part(line, 0, line.len - crc);
        buf_add(&sealed, line);
        mend_digest(&sealed, STR("\"log_sha256\":\""), parts[LOG]);
        mend_digest(&sealed, STR("\"exchange_sha256\":\""), parts[EXCHANGE]);
        if (journal_line_seal(&sealed, NULL) == 0)
            buf_add(out, buf_str(&sealed));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf journal = {0};
    Str rest = {(const char *)data, size}, parts[PARTS];
    const Key pick = {{1}};
    AuditReport report;
    Err err = {0};

    if (!folder[0])
        make_folder();
    for (unsigned i = 0; i < PARTS; i++)
        parts[i] = str_cut(&rest, '\0');
    mend_journal(parts, &journal);
    put_file(names[0], buf_str(&journal));
    for (unsigned i = 1; i < PARTS; i++)
        put_file(names[i], parts[i]);
    const AuditSetup setup = {.dir = folder, .pick = &pick};
    int rc = audit_run(&setup, &report, &err);
    assert(rc == 0 || (err.code == (ErrCode)rc && err.msg[0]));
    for (AuditStep step = 0; rc == 0 && step < AUDIT_STEPS; step++) {
        const AuditVerdict *verdict = &report.steps[step];
        assert((verdict->state == AUDIT_CONTRADICTED) <= (verdict->text[0] != '\0'));
    }
    return 0;
}
