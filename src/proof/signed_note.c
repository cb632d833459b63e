#include "proof/signed_note.h"

#include "base/utf8.h"

#define EM_DASH      "\xe2\x80\x94"
#define KIND_ED25519 1

/* ---- keys ---- */

/* What separates words in any script, as Go's unicode.IsSpace says. */
static bool is_blank(uint32_t code)
{
    return code <= 0x20 || code == 0x7f || (code >= 0x80 && code <= 0xa0) || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 ||
           code == 0x202f || code == 0x205f || code == 0x3000;
}

static bool is_name(Str name)
{
    if (name.len == 0 || name.len > NOTE_NAME_MAX)
        return false;
    while (name.len) {
        uint32_t code = utf8_next(&name);
        if (code == UTF8_INVALID || code == '+' || is_blank(code))
            return false;
    }
    return true;
}

/* The name and the first 4 bytes of SHA-256(name LF 01 key). */
static void name_verifier(NoteVerifier *verifier, Str name)
{
    const Str parts[] = {name, STR("\n\1"), {(const char *)verifier->key, ED25519_KEY_BYTES}};
    unsigned char digest[SHA256_BYTES];

    sha256_texts(parts, 3, digest);
    memcpy(verifier->id, digest, sizeof(verifier->id));
    memcpy(verifier->name, name.bytes, name.len);
    verifier->name[name.len] = '\0';
}

int note_verifier_make(Str name, const Key *seed, NoteVerifier *ret_verifier, Err *err)
{
    NoteVerifier made = {0};

    if (!is_name(name))
        return err_set(err, ERR_RULE,
                       "'%.*s' can't be the name of a key: expected 1 to %d bytes without blanks "
                       "and '+', such as example.org/warg/cup2027",
                       STR_ARG(str_part(name, 0, 100)), NOTE_NAME_MAX);
    int rc = ed25519_public(seed->bytes, made.key, err);
    if (rc)
        return rc;
    name_verifier(&made, name);
    *ret_verifier = made;
    return 0;
}

void note_verifier_write(const NoteVerifier *verifier, Buf *out)
{
    char key[1 + ED25519_KEY_BYTES] = {KIND_ED25519};

    memcpy(key + 1, verifier->key, ED25519_KEY_BYTES);
    buf_printf(out, "%s+%02x%02x%02x%02x+", verifier->name, verifier->id[0], verifier->id[1],
               verifier->id[2], verifier->id[3]);
    base64_encode((Str){key, sizeof(key)}, false, out);
}

int note_verifier_read(Str text, NoteVerifier *ret_verifier, Err *err)
{
    CLEANUP(buf_done) Buf key = {0};
    NoteVerifier made = {0};
    Str rest = text, name = str_cut(&rest, '+'), id = str_cut(&rest, '+');
    char digits[9];

    if (!is_name(name) || id.len != 8 || base64_decode(rest, false, &key, NULL) ||
        key.len != 1 + ED25519_KEY_BYTES || key.bytes[0] != KIND_ED25519)
        return err_set(err, ERR_SYNTAX,
                       "'%.*s' is no verifier key: expected NAME+8 hexadecimal digits+base64",
                       STR_ARG(str_part(text, 0, 200)));
    memcpy(made.key, key.bytes + 1, ED25519_KEY_BYTES);
    name_verifier(&made, name);
    snprintf(digits, sizeof(digits), "%02x%02x%02x%02x", made.id[0], made.id[1], made.id[2],
             made.id[3]);
    if (!str_eq(id, str_of(digits)))
        return err_set(
            err, ERR_SYNTAX,
            "the verifier key of '%s' is damaged: its digits are %.*s, those of its name "
            "and key %s",
            made.name, STR_ARG(id), digits);
    *ret_verifier = made;
    return 0;
}

/* ---- notes ---- */

/* UTF-8 in lines, without other control characters. */
static bool is_text(Str text)
{
    if (text.len == 0 || text.bytes[text.len - 1] != '\n')
        return false;
    while (text.len) {
        uint32_t code = utf8_next(&text);
        if (code == UTF8_INVALID || (code < 0x20 && code != '\n'))
            return false;
    }
    return true;
}

int note_sign(Str text, const NoteVerifier *verifier, const Key *seed, Buf *out, Err *err)
{
    char signature[sizeof(verifier->id) + ED25519_SIGNATURE_BYTES];

    if (!is_text(text))
        return err_set(err, ERR_RULE, "what is signed must be lines of UTF-8");
    if (text.len > NOTE_BYTES_MAX / 2)
        return err_set(err, ERR_LIMIT, "what is signed has more than %zu bytes",
                       NOTE_BYTES_MAX / 2);
    memcpy(signature, verifier->id, sizeof(verifier->id));
    int rc =
        ed25519_sign(seed->bytes, text, (unsigned char *)signature + sizeof(verifier->id), err);
    if (rc)
        return rc;
    buf_add(out, text);
    buf_printf(out, "\n" EM_DASH " %s ", verifier->name);
    base64_encode((Str){signature, sizeof(signature)}, false, out);
    buf_add_char(out, '\n');
    return buf_failed(out) ? err_set(err, ERR_MEMORY, "signed note: out of memory") : 0;
}

/* One line of a signature: its name, and in `bytes` the four of its key and what is signed. */
static bool read_signature(Str line, Str *ret_name, Buf *bytes)
{
    const Str mark = STR(EM_DASH " ");

    if (!str_starts(line, mark))
        return false;
    line = str_part(line, mark.len, line.len);
    *ret_name = str_cut(&line, ' ');
    buf_clear(bytes);
    return is_name(*ret_name) && base64_decode(line, false, bytes, NULL) == 0 && bytes->len > 4;
}

/* Where the last empty line is: what is before it is the text. */
static bool find_end(Str note, size_t *ret_at)
{
    for (size_t at = note.len; at >= 2; at--)
        if (note.bytes[at - 1] == '\n' && note.bytes[at - 2] == '\n') {
            *ret_at = at - 1;
            return true;
        }
    return false;
}

int note_read(Str note, SignedNote *ret_note, Err *err)
{
    CLEANUP(buf_done) Buf bytes = {0};
    SignedNote read = {0};
    size_t end;

    if (note.len > NOTE_BYTES_MAX)
        return err_set(err, ERR_LIMIT, "a signed note has at most %zu bytes", NOTE_BYTES_MAX);
    if (!is_text(note) || !find_end(note, &end))
        return err_set(err, ERR_SYNTAX,
                       "this is no signed note: expected lines of UTF-8, an empty one, signatures");
    read.text = str_part(note, 0, end);
    read.signatures = str_part(note, end + 1, note.len);
    for (Str rest = read.signatures; rest.len;) {
        Str name, line = str_cut(&rest, '\n');
        if (!read_signature(line, &name, &bytes))
            return err_set(err, ERR_SYNTAX, "signature %u of the note is none", read.count + 1);
        if (++read.count > NOTE_SIGNATURES_MAX)
            return err_set(err, ERR_LIMIT, "a signed note has at most %d signatures",
                           NOTE_SIGNATURES_MAX);
    }
    if (read.count == 0)
        return err_set(err, ERR_SYNTAX, "the note has no signature");
    *ret_note = read;
    return 0;
}

int note_verify(const SignedNote *note, const NoteVerifier *verifier, Err *err)
{
    CLEANUP(buf_done) Buf bytes = {0};
    bool found = false;

    for (Str rest = note->signatures; rest.len;) {
        Str name, line = str_cut(&rest, '\n');
        if (!read_signature(line, &name, &bytes) || !str_eq(name, str_of(verifier->name)) ||
            memcmp(bytes.bytes, verifier->id, sizeof(verifier->id)) != 0)
            continue;
        if (!ed25519_holds(verifier->key, note->text,
                           str_part(buf_str(&bytes), sizeof(verifier->id), bytes.len)))
            return err_set(err, ERR_RULE,
                           "the signature of '%s' does not hold: the note was changed, or is "
                           "another's",
                           verifier->name);
        found = true;
    }
    return found ? 0 : err_set(err, ERR_RULE, "no signature is of the key '%s'", verifier->name);
}

/* ---- what a note says of a ledger ---- */

void checkpoint_write(Str origin, uint64_t size, const MerkleHash *root, Buf *out)
{
    buf_add(out, origin);
    buf_add_char(out, '\n');
    buf_add_uint(out, size);
    buf_add_char(out, '\n');
    base64_encode((Str){(const char *)root->bytes, sizeof(root->bytes)}, false, out);
    buf_add_char(out, '\n');
}

int checkpoint_read(Str text, Checkpoint *ret_checkpoint, Err *err)
{
    CLEANUP(buf_done) Buf root = {0};
    Checkpoint read = {.more = text};
    Str origin = str_cut(&read.more, '\n'), size = str_cut(&read.more, '\n');
    Str hash = str_cut(&read.more, '\n');

    read.origin = origin;
    if (origin.len == 0)
        return err_set_at(err, ERR_SYNTAX, 1, 0, "a checkpoint begins with its origin");
    if (!str_to_uint(size, INT64_MAX, &read.size) || (size.len > 1 && size.bytes[0] == '0'))
        return err_set_at(err, ERR_SYNTAX, 2, 0, "expected the number of entries");
    if (base64_decode(hash, false, &root, NULL) || root.len != SHA256_BYTES)
        return err_set_at(err, ERR_SYNTAX, 3, 0, "expected a root of 32 bytes in base64");
    for (Str rest = read.more; rest.len;)
        if (str_cut(&rest, '\n').len == 0)
            return err_set_at(err, ERR_SYNTAX, 4, 0, "a checkpoint has no empty line");
    memcpy(read.root.bytes, root.bytes, SHA256_BYTES);
    *ret_checkpoint = read;
    return 0;
}
