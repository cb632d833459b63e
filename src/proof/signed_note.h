/* signed_note.h - a text with signatures below it, and the checkpoint of a ledger in that form.
 *
 * For:    a ledger's root goes through many hands; each can check who signed it.
 * Memory: what is read is borrowed from the text that was given.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 11.3, B.3; C2SP signed-note and tlog-checkpoint. Ed25519
 *         (RFC 8032) by libcrypto.
 *
 *     example.org/warg/cup2027           origin
 *     3                                  entries
 *     NmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=
 *                                        more lines may follow, then an empty one
 *     [em dash] NAME BASE64(id4 signature)     one or more; those of others are kept
 */
#ifndef WARG_PROOF_SIGNED_NOTE_H
#define WARG_PROOF_SIGNED_NOTE_H

#include "base/key.h"
#include "proof/merkle.h"

#define NOTE_BYTES_MAX      ((size_t)64 * 1024)
#define NOTE_SIGNATURES_MAX 100
#define NOTE_NAME_MAX       255 /* bytes */

/* Whose signatures are looked for. */
typedef struct NoteVerifier {
    char name[NOTE_NAME_MAX + 1];
    unsigned char id[4];
    unsigned char key[ED25519_KEY_BYTES];
} NoteVerifier;

/* Of the public key of `seed`. Errors: ERR_RULE for a name that is empty, too long, no UTF-8, or
 * has blanks, control characters or a plus; ERR_MEMORY. */
int note_verifier_make(Str name, const Key *seed, NoteVerifier *ret_verifier, Err *err);

/* NAME+8 hexadecimal digits+base64(01 key), both ways. Errors: ERR_SYNTAX for what is no key of
 * this form, and for one whose digits are not those of its name and key. */
int note_verifier_read(Str text, NoteVerifier *ret_verifier, Err *err);
void note_verifier_write(const NoteVerifier *verifier, Buf *out);

/* Appends the note: the text, which ends with a newline, and one signature. `seed` is that of the
 * verifier. Errors: ERR_RULE for a text that is none, ERR_LIMIT, ERR_MEMORY. */
int note_sign(Str text, const NoteVerifier *verifier, const Key *seed, Buf *out, Err *err);

typedef struct SignedNote {
    Str text;       /* with its last newline */
    Str signatures; /* their lines */
    unsigned count;
} SignedNote;

/* Errors: ERR_SYNTAX, ERR_LIMIT. */
int note_read(Str note, SignedNote *ret_note, Err *err);

/* Whether the verifier's key signed the text; lines of other keys say nothing.
 * Errors: ERR_RULE when no line is of this key, or one is and doesn't hold. */
int note_verify(const SignedNote *note, const NoteVerifier *verifier, Err *err);

/* ---- what a note says of a ledger ---- */

typedef struct Checkpoint {
    Str origin;
    uint64_t size;
    MerkleHash root;
    Str more; /* lines behind the root, with their newlines */
} Checkpoint;

void checkpoint_write(Str origin, uint64_t size, const MerkleHash *root, Buf *out);
/* Of a note's text. Errors: ERR_SYNTAX. */
int checkpoint_read(Str text, Checkpoint *ret_checkpoint, Err *err);

#endif
