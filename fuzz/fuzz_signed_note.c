/* fuzz_signed_note.c - any bytes as a signed note, a checkpoint and a verifier key: what is read is
 * written as the same bytes, and no note is of a key that didn't sign it. */
#include "proof/signed_note.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_key(Str text)
{
    CLEANUP(buf_done) Buf again = {0};
    NoteVerifier verifier;

    if (note_verifier_read(text, &verifier, NULL))
        return;
    note_verifier_write(&verifier, &again);
    assert(str_eq(buf_str(&again), text));
}

static void read_checkpoint(Str text)
{
    CLEANUP(buf_done) Buf again = {0};
    Checkpoint checkpoint;

    if (checkpoint_read(text, &checkpoint, NULL))
        return;
    checkpoint_write(checkpoint.origin, checkpoint.size, &checkpoint.root, &again);
    buf_add(&again, checkpoint.more);
    assert(str_starts(buf_str(&again), text));
}

/* Signed by us it is ours, with the lines of the others below. */
static void sign_again(const SignedNote *note)
{
    CLEANUP(buf_done) Buf again = {0};
    NoteVerifier verifier;
    const Key seed = {{1}};
    SignedNote read;

    assert(note_verifier_make(STR("fuzz"), &seed, &verifier, NULL) == 0);
    assert(note_verify(note, &verifier, NULL) == ERR_RULE);
    if (note_sign(note->text, &verifier, &seed, &again, NULL))
        return;
    buf_add(&again, note->signatures);
    if (note_read(buf_str(&again), &read, NULL))
        return; /* too much by our line */
    assert(read.count == note->count + 1 && str_eq(read.text, note->text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str text = {(const char *)data, size};
    SignedNote note;

    read_key(text);
    read_checkpoint(text);
    if (note_read(text, &note, NULL) == 0) {
        assert(note.text.len + 1 + note.signatures.len == size);
        read_checkpoint(note.text);
        sign_again(&note);
    }
    return 0;
}
