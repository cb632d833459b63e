#include "audit/audit_kept.h"

#include "audit/audit_verdict.h"
#include "base/mem.h"
#include "disk/log_file.h"
#include "disk/tree_digest.h"
#include "proof/ledger.h"

#include <inttypes.h>
#include <unistd.h>

typedef struct Kept {
    const AuditSetup *setup;
    AuditVerdict *verdict;
    LedgerLook look;
    MerkleHash *leaves;
    uint64_t count, room;
} Kept;

static void kept_done(Kept *kept)
{
    ledger_look_done(&kept->look);
    mem_free(kept->leaves);
}

static int no_memory(Err *err)
{
    return err_set(err, ERR_MEMORY, "audit: out of memory");
}

static int hear_leaf(void *user, const LedgerEntry *entry, Err *err)
{
    Kept *kept = user;

    if (kept->count == kept->room) {
        const uint64_t room = kept->room ? kept->room * 2 : 1024;
        MerkleHash *leaves = mem_resize(kept->leaves, room, sizeof(*leaves));
        if (!leaves)
            return no_memory(err);
        kept->leaves = leaves;
        kept->room = room;
    }
    kept->leaves[kept->count++] = entry->leaf;
    return 0;
}

/* Whether the ledger begins as the checkpoint says. Errors say what is wrong with it. */
static int compare_checkpoint(const Kept *kept, Str text, Err *err)
{
    SignedNote note;
    Checkpoint told = {0};
    int rc = note_read(text, &note, err);

    if (rc == 0)
        rc = note_verify(&note, &kept->look.reader.verifier, err);
    if (rc == 0)
        rc = checkpoint_read(note.text, &told, err);
    if (rc)
        return rc;
    if (!str_eq(told.origin, kept->look.checkpoint.origin))
        return err_set(err, ERR_RULE, "it is of another ledger, '%.*s'",
                       STR_ARG(str_part(told.origin, 0, 200)));
    if (told.size > kept->count)
        return err_set(err, ERR_RULE,
                       "it signs %" PRIu64 " entries, the ledger has %" PRIu64
                       ": entries were taken away",
                       told.size, kept->count);
    const MerkleHash root = merkle_root_of(kept->leaves, told.size);
    if (!merkle_equal(&root, &told.root))
        return err_set(err, ERR_RULE, "the first %" PRIu64 " entries are not those that it signs",
                       told.size);
    return 0;
}

static int check_file(const Kept *kept, const char *path, const char *shown, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    Err own = {0};
    int rc = log_file_read(path, NOTE_BYTES_MAX, &text, &own);

    if (rc == 0)
        rc = compare_checkpoint(kept, buf_str(&text), &own);
    if (rc == ERR_MEMORY)
        return no_memory(err);
    if (rc)
        audit_contradict(kept->verdict, shown, 0, "%s", own.msg);
    return 0;
}

static int check_own_file(void *user, const TreeFile *file, Err *err)
{
    const Kept *kept = user;
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf shown = {0};

    buf_printf(&shown, CHECKPOINTS_FOLDER "/%s", file->path);
    buf_printf(&path, "%s/%s", kept->setup->dir, buf_cstr(&shown));
    return buf_failed(&path) || buf_failed(&shown)
               ? no_memory(err)
               : check_file(kept, buf_cstr(&path), buf_cstr(&shown), err);
}

static int check_own_files(Kept *kept, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    Err own = {0};

    buf_printf(&path, "%s/" CHECKPOINTS_FOLDER, kept->setup->dir);
    if (buf_failed(&path))
        return no_memory(err);
    if (access(buf_cstr(&path), F_OK))
        return 0;
    int rc = tree_files(buf_cstr(&path), check_own_file, kept, &own);
    if (rc == ERR_MEMORY)
        return no_memory(err);
    if (rc)
        audit_contradict(kept->verdict, CHECKPOINTS_FOLDER, 0, "%s", own.msg);
    return 0;
}

static int check_key(const Kept *kept, Err *err)
{
    CLEANUP(buf_done) Buf key = {0};

    note_verifier_write(&kept->look.reader.verifier, &key);
    if (buf_failed(&key))
        return no_memory(err);
    if (kept->setup->key && strcmp(kept->setup->key, buf_cstr(&key)) != 0)
        audit_contradict(kept->verdict, LEDGER_FILE, 1, "it is signed by another key, %s",
                         buf_cstr(&key));
    return 0;
}

int audit_kept_check(const AuditSetup *setup, AuditVerdict *verdict, Err *err)
{
    CLEANUP(kept_done) Kept kept = {.setup = setup, .verdict = verdict};

    kept.look.reader.hear = hear_leaf;
    kept.look.reader.user = &kept;
    int rc = ledger_look(setup->dir, &kept.look, NULL);
    if (rc) /* its own step has said what is wrong */
        return rc == ERR_MEMORY ? no_memory(err) : 0;
    rc = check_key(&kept, err);
    for (size_t i = 0; i < setup->checkpoint_count && rc == 0; i++)
        rc = check_file(&kept, setup->checkpoints[i], setup->checkpoints[i], err);
    return rc ? rc : check_own_files(&kept, err);
}
