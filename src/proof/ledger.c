#include "proof/ledger.h"

#include "base/date_text.h"
#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "disk/key_file.h"
#include "disk/log_file.h"
#include "disk/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct Ledger {
    Buf path;            /* of the lines */
    Buf checkpoint_path; /* of the checkpoint */
    int fd;
    uint64_t bytes; /* of whole lines */
    MerkleTree tree;
    uint64_t signed_size;
    int64_t last_at_ms;
    Key seed;
    NoteVerifier verifier;
    Canonical entry;
    Err failed; /* what stopped it */
};

static int path_in(const char *dir, const char *name, Buf *ret_path, Err *err)
{
    buf_printf(ret_path, "%s/%s", dir, name);
    return buf_failed(ret_path) ? err_set(err, ERR_MEMORY, "ledger: out of memory") : 0;
}

/* ---- reading ---- */

void ledger_look_done(LedgerLook *look)
{
    ledger_reader_done(&look->reader);
    buf_done(&look->text);
}

static int read_lines(int fd, const char *path, LedgerReader *reader, Err *err)
{
    CLEANUP(buf_done) Buf room = {0};
    const size_t bytes = (size_t)64 * 1024;
    ssize_t n = 0;
    int rc = 0;

    if (!buf_reserve(&room, bytes))
        return err_set(err, ERR_MEMORY, "ledger: out of memory");
    while (rc == 0 && (n = read(fd, room.bytes, bytes)) != 0) {
        if (n < 0 && errno != EINTR)
            return disk_error(err, "read", path);
        if (n > 0)
            rc = ledger_reader_feed(reader, (Str){room.bytes, (size_t)n}, err);
    }
    return rc;
}

int ledger_look_checkpoint(const char *dir, LedgerLook *look, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Err own = {0};
    int rc = path_in(dir, LEDGER_CHECKPOINT_FILE, &path, err);

    if (rc == 0)
        rc = log_file_read(buf_cstr(&path), NOTE_BYTES_MAX, &look->text, err);
    if (rc)
        return rc;
    rc = note_read(buf_str(&look->text), &look->note, &own);
    if (rc == 0)
        rc = checkpoint_read(look->note.text, &look->checkpoint, &own);
    return rc ? err_set_at(err, (ErrCode)rc, own.line, 0, "'%s': %s", buf_cstr(&path), own.msg) : 0;
}

int ledger_look(const char *dir, LedgerLook *look, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int fd = -1;
    Err own = {0};
    int rc = ledger_look_checkpoint(dir, look, err);

    if (rc == 0)
        rc = path_in(dir, LEDGER_FILE, &path, err);
    if (rc == 0)
        rc = regular_file_open(buf_cstr(&path), &fd, err);
    if (rc)
        return rc;
    look->reader.mark = look->checkpoint.size;
    rc = read_lines(fd, buf_cstr(&path), &look->reader, &own);
    close(fd);
    if (rc == 0)
        rc = ledger_reader_compare(&look->reader, &look->checkpoint, &own);
    if (rc == 0 && look->reader.tree.size)
        rc = note_verify(&look->note, &look->reader.verifier, &own);
    return rc ? err_set_at(err, (ErrCode)rc, own.line, own.column, "'%s': %s", buf_cstr(&path),
                           own.msg)
              : 0;
}

/* ---- opening ---- */

void ledger_free(Ledger *ledger)
{
    if (!ledger)
        return;
    if (ledger->fd >= 0)
        close(ledger->fd); /* gives the lock back, too */
    canonical_done(&ledger->entry);
    buf_done(&ledger->path);
    buf_done(&ledger->checkpoint_path);
    mem_free(ledger);
}

static void ledger_freep(Ledger **ledger)
{
    ledger_free(*ledger);
}

/* Opens DIR/ledger.jsonl to append, and locks it. No link is followed, nor is a FIFO waited for. */
static int open_lines(Ledger *ledger, int more_flags, Err *err)
{
    const char *path = buf_cstr(&ledger->path);
    struct stat about;

    ledger->fd = disk_open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | more_flags, 0666);
    if (ledger->fd < 0)
        return disk_error(err, "open", path);
    if (fstat(ledger->fd, &about) || !S_ISREG(about.st_mode))
        return err_set(err, ERR_IO, "'%s' is no file", path);
    if (flock(ledger->fd, LOCK_EX | LOCK_NB))
        return errno == EWOULDBLOCK
                   ? err_set(err, ERR_USAGE, "'%s' is being written by another process", path)
                   : disk_error(err, "lock", path);
    ledger->bytes = (uint64_t)about.st_size;
    return 0;
}

static int ledger_new(const char *dir, Ledger **ret_ledger, Err *err)
{
    CLEANUP(ledger_freep) Ledger *ledger = mem_new(sizeof(*ledger));

    if (!ledger)
        return err_set(err, ERR_MEMORY, "ledger: out of memory");
    ledger->fd = -1;
    int rc = path_in(dir, LEDGER_FILE, &ledger->path, err);
    if (rc == 0)
        rc = path_in(dir, LEDGER_CHECKPOINT_FILE, &ledger->checkpoint_path, err);
    if (rc == 0)
        *ret_ledger = TAKE(ledger);
    return rc;
}

/* The key of the folder; one is drawn when there is no file. */
static int find_key(const char *dir, Key *ret_key, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    int rc = path_in(dir, KEY_FOLDER "/" LEDGER_KEY_NAME, &path, err);

    if (rc)
        return rc;
    if (access(buf_cstr(&path), F_OK) == 0)
        return key_file_read_as(dir, LEDGER_KEY_NAME, ret_key, err);
    rc = key_draw(ret_key, err);
    return rc ? rc : key_file_write_as(dir, LEDGER_KEY_NAME, ret_key, err);
}

/* Signs what there is, and puts the checkpoint in its place. */
static int write_checkpoint(Ledger *ledger, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf note = {0};
    const MerkleHash root = merkle_root(&ledger->tree);

    checkpoint_write(str_of(ledger->verifier.name), ledger->tree.size, &root, &text);
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "ledger: out of memory");
    int rc = note_sign(buf_str(&text), &ledger->verifier, &ledger->seed, &note, err);
    if (rc == 0)
        rc = file_replace(buf_cstr(&ledger->checkpoint_path), buf_str(&note), true, err);
    if (rc == 0)
        ledger->signed_size = ledger->tree.size;
    return rc;
}

int ledger_create(const char *dir, Str origin, Ledger **ret_ledger, Err *err)
{
    CLEANUP(ledger_freep) Ledger *ledger = NULL;
    const Key any = {{0}};
    NoteVerifier verifier;
    int rc = note_verifier_make(origin, &any, &verifier, err);

    if (rc == 0)
        rc = ledger_new(dir, &ledger, err);
    if (rc == 0)
        rc = folder_make(str_of(dir), err);
    if (rc == 0)
        rc = open_lines(ledger, O_CREAT, err);
    if (rc == 0 && (ledger->bytes || access(buf_cstr(&ledger->checkpoint_path), F_OK) == 0))
        rc = err_set(err, ERR_USAGE, "'%s' holds a ledger already; give a new folder, or resume",
                     dir);
    if (rc == 0)
        rc = find_key(dir, &ledger->seed, err);
    if (rc == 0)
        rc = note_verifier_make(origin, &ledger->seed, &ledger->verifier, err);
    if (rc == 0)
        rc = disk_sync_path(dir, err);
    if (rc == 0)
        rc = write_checkpoint(ledger, err);
    if (rc == 0)
        *ret_ledger = TAKE(ledger);
    return rc;
}

int ledger_find(const char *dir, bool *ret_there, Err *err)
{
    CLEANUP(buf_done) Buf lines = {0};
    CLEANUP(buf_done) Buf checkpoint = {0};
    struct stat about = {0};
    int rc = path_in(dir, LEDGER_FILE, &lines, err);

    if (rc == 0)
        rc = path_in(dir, LEDGER_CHECKPOINT_FILE, &checkpoint, err);
    if (rc)
        return rc;
    *ret_there = lstat(buf_cstr(&lines), &about) == 0 &&
                 !(S_ISREG(about.st_mode) && about.st_size == 0 &&
                   access(buf_cstr(&checkpoint), F_OK) && errno == ENOENT);
    return 0;
}

/* The key of the folder is the one that signed, and that the first entry names. */
static int check_key(Ledger *ledger, const char *dir, const LedgerLook *look, Err *err)
{
    int rc = key_file_read_as(dir, LEDGER_KEY_NAME, &ledger->seed, err);

    if (rc == 0)
        rc = note_verifier_make(look->checkpoint.origin, &ledger->seed, &ledger->verifier, err);
    if (rc == 0)
        rc = note_verify(&look->note, &ledger->verifier, err);
    if (rc == 0 && look->reader.tree.size &&
        memcmp(ledger->verifier.key, look->reader.verifier.key, ED25519_KEY_BYTES) != 0)
        rc = err_set(err, ERR_RULE,
                     "the key in '%s/" KEY_FOLDER "/" LEDGER_KEY_NAME
                     "' is not the one that the ledger began with",
                     dir);
    return rc;
}

/* All that stands behind `ledger->bytes`. */
static int cut_rest(const Ledger *ledger, Err *err)
{
    if (!disk_cut(ledger->fd, (off_t)ledger->bytes) && !disk_sync(ledger->fd))
        return 0;
    return disk_error(err, "cut", buf_cstr(&ledger->path));
}

static int open_ledger(const char *dir, bool only_signed, Ledger **ret_ledger, Err *err)
{
    CLEANUP(ledger_look_done) LedgerLook look = {0};
    CLEANUP(ledger_freep) Ledger *ledger = NULL;
    int rc = ledger_new(dir, &ledger, err);

    if (rc == 0)
        rc = open_lines(ledger, 0, err); /* the lock comes before the reading */
    if (rc == 0)
        rc = ledger_look(dir, &look, err);
    if (rc == 0)
        rc = check_key(ledger, dir, &look, err);
    if (rc)
        return rc;
    const LedgerExtent all = {look.reader.tree, look.reader.bytes, look.reader.last_at_ms};
    const LedgerExtent kept = only_signed ? look.reader.marked : all;
    ledger->bytes = kept.bytes;
    ledger->tree = kept.tree;
    ledger->last_at_ms = kept.last_at_ms;
    ledger->signed_size = look.checkpoint.size;
    if (look.reader.part.len || kept.bytes < all.bytes)
        rc = cut_rest(ledger, err);
    if (rc == 0)
        *ret_ledger = TAKE(ledger);
    return rc;
}

int ledger_open(const char *dir, Ledger **ret_ledger, Err *err)
{
    return open_ledger(dir, false, ret_ledger, err);
}

int ledger_open_signed(const char *dir, Ledger **ret_ledger, Err *err)
{
    return open_ledger(dir, true, ret_ledger, err);
}

/* ---- an entry ---- */

void ledger_begin(Ledger *ledger, const char *type)
{
    canonical_clear(&ledger->entry);
    canonical_open(&ledger->entry, '{');
    ledger_text(ledger, "type", str_of(type));
}

void ledger_text(Ledger *ledger, const char *name, Str text)
{
    canonical_key(&ledger->entry, str_of(name));
    canonical_put_text(&ledger->entry, text);
}

void ledger_number(Ledger *ledger, const char *name, int64_t number)
{
    canonical_key(&ledger->entry, str_of(name));
    canonical_put_number(&ledger->entry, number);
}

void ledger_bool(Ledger *ledger, const char *name, bool value)
{
    canonical_key(&ledger->entry, str_of(name));
    canonical_put_bool(&ledger->entry, value);
}

Canonical *ledger_members(Ledger *ledger)
{
    return &ledger->entry;
}

static int told_failure(const Ledger *ledger, Err *err)
{
    return ledger->failed.code ? err_set(err, ledger->failed.code, "%s", ledger->failed.msg) : 0;
}

/* Whatever comes after an error of the disk gives the same error. */
static int stop_ledger(Ledger *ledger, const char *what, Err *err)
{
    disk_error(&ledger->failed, what, buf_cstr(&ledger->path));
    return told_failure(ledger, err);
}

static int append_line(Ledger *ledger, Str line, const MerkleHash *leaf, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_add(&text, line);
    buf_add_char(&text, '\n');
    if (buf_failed(&text))
        return err_set(err, ERR_MEMORY, "ledger: out of memory");
    if (disk_write(ledger->fd, buf_str(&text))) {
        int rc = stop_ledger(ledger, "write", err);
        if (disk_cut(ledger->fd, (off_t)ledger->bytes)) {
            /* A torn line stays; ledger_open cuts it. */
        }
        return rc;
    }
    merkle_add(&ledger->tree, leaf);
    ledger->bytes += text.len;
    return 0;
}

int ledger_end(Ledger *ledger, int64_t at_ms, Err *err)
{
    CLEANUP(buf_done) Buf key = {0};
    char date[DATE_TEXT_ROOM];
    Str line;
    int rc = told_failure(ledger, err);

    if (rc)
        return rc;
    at_ms = at_ms < ledger->last_at_ms ? ledger->last_at_ms : at_ms;
    if (at_ms > DATE_MAX_MS)
        return err_set(err, ERR_LIMIT, "ledger: a date behind the year 9999");
    ledger_number(ledger, "n", (int64_t)ledger->tree.size);
    ledger_text(ledger, "at", date_text_write(at_ms, date));
    if (ledger->tree.size == 0) {
        note_verifier_write(&ledger->verifier, &key);
        ledger_text(ledger, "key", buf_str(&key));
    }
    canonical_close(&ledger->entry);
    rc = canonical_end(&ledger->entry, &line, err);
    if (rc == 0 && line.len > LEDGER_LINE_MAX)
        rc = err_set(err, ERR_LIMIT, "ledger: an entry has more than %zu bytes", LEDGER_LINE_MAX);
    if (rc)
        return rc;
    const MerkleHash leaf = merkle_leaf(line);
    rc = append_line(ledger, line, &leaf, err);
    if (rc == 0)
        ledger->last_at_ms = at_ms;
    return rc;
}

int ledger_append(Ledger *ledger, Str line, Err *err)
{
    const LedgerReader before = {.tree = ledger->tree, .last_at_ms = ledger->last_at_ms};
    NoteVerifier verifier = ledger->verifier;
    LedgerEntry entry;
    int rc = told_failure(ledger, err);

    if (rc == 0)
        rc = ledger_reader_judge(&before, line, &entry, &verifier, err);
    if (rc == 0 && (strcmp(verifier.name, ledger->verifier.name) != 0 ||
                    memcmp(verifier.key, ledger->verifier.key, ED25519_KEY_BYTES) != 0))
        rc = err_set(err, ERR_RULE, "ledger: its first entry names another key than '%s' has",
                     buf_cstr(&ledger->path));
    if (rc == 0)
        rc = append_line(ledger, line, &entry.leaf, err);
    if (rc == 0)
        ledger->last_at_ms = entry.at_ms;
    return rc;
}

int ledger_checkpoint(Ledger *ledger, Err *err)
{
    Err own = {0};
    int rc = told_failure(ledger, err);

    if (rc)
        return rc;
    if (disk_sync(ledger->fd))
        return stop_ledger(ledger, "write to disk", err);
    rc = write_checkpoint(ledger, &own);
    if (rc == 0)
        return 0;
    if (rc == ERR_IO)
        ledger->failed = own;
    return err_set(err, (ErrCode)rc, "%s", own.msg);
}

uint64_t ledger_size(const Ledger *ledger)
{
    return ledger->tree.size;
}

MerkleHash ledger_root(const Ledger *ledger)
{
    return merkle_root(&ledger->tree);
}

const NoteVerifier *ledger_verifier(const Ledger *ledger)
{
    return &ledger->verifier;
}

uint64_t ledger_signed_size(const Ledger *ledger)
{
    return ledger->signed_size;
}

int ledger_close(Ledger *ledger, Err *err)
{
    int rc = 0;

    if (ledger)
        rc = ledger->signed_size < ledger->tree.size ? ledger_checkpoint(ledger, err)
                                                     : told_failure(ledger, err);
    ledger_free(ledger);
    return rc;
}
