#include "site/secret.h"

#include "disk/folder.h"
#include "disk/key_file.h"
#include "site/site_ledger.h"
#include "store/db_row.h"

#include <errno.h>
#include <unistd.h>

/* ---- files ---- */

/* What is no file's name, or would hide, is refused, whatever a contest file calls its stages. */
static int check_stage_name(Str stage, Err *err)
{
    bool good = stage.len && stage.len <= 64 && stage.bytes[0] != '.';

    for (size_t i = 0; good && i < stage.len; i++)
        good = (unsigned char)stage.bytes[i] > ' ' && stage.bytes[i] != '/';
    return good ? 0
                : err_set(err, ERR_RULE,
                          "stage '%.*s': the secret of a stage is a file of its name: 1 to 64 "
                          "bytes without blanks and '/', no '.' in front",
                          STR_ARG(str_part(stage, 0, 80)));
}

static int paths_of_secret(const char *data, Str contest, Str stage, Buf *ret_folder, Buf *ret_name,
                           Err *err)
{
    int rc = check_stage_name(stage, err);

    buf_printf(ret_folder, "%s/secrets/%.*s", data, STR_ARG(contest));
    buf_add(ret_name, stage);
    if (rc == 0 && (buf_failed(ret_folder) || buf_failed(ret_name)))
        rc = err_set(err, ERR_MEMORY, "secret: out of memory");
    return rc;
}

int site_secret_read(const char *data, Str contest, Str stage, Key *ret_secret, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf name = {0};
    int rc = paths_of_secret(data, contest, stage, &folder, &name, err);

    return rc ? rc : key_bytes_read(buf_cstr(&folder), buf_cstr(&name), ret_secret, err);
}

/* DATA/secrets is ours alone as well as the folders in it. */
static int draw_secret(const char *data, const char *folder, const char *name, Key *ret_secret,
                       Err *err)
{
    CLEANUP(buf_done) Buf above = {0};
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&above, "%s/secrets", data);
    buf_printf(&path, "%s/%s", folder, name);
    if (buf_failed(&above) || buf_failed(&path))
        return err_set(err, ERR_MEMORY, "secret: out of memory");
    /* One that was drawn before its transaction failed is taken: nobody has been told of it. */
    if (access(buf_cstr(&path), F_OK) == 0)
        return key_bytes_read(folder, name, ret_secret, err);
    int rc = folder_make(buf_str(&above), err);
    if (rc == 0)
        rc = key_draw(ret_secret, err);
    return rc ? rc : key_bytes_write(folder, name, ret_secret, err);
}

/* ---- entries ---- */

/* The value that an entry of this type and stage has in the ledger, as hexadecimal digits. */
static int find_entry(Db *db, int64_t contest, const char *type, Str stage, Key *ret_value,
                      bool *ret_there, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf pattern = {0};
    int rc;

    *ret_there = false;
    /* Members are sorted: stage, type, value. What is asked for is looked at again below. */
    buf_printf(&pattern, "%%\"type\":\"%s\",\"value\":\"%%", type);
    if (buf_failed(&pattern))
        return err_set(err, ERR_MEMORY, "secret: out of memory");
    rc = db_query_with(db, &query, err,
                       "SELECT line FROM ledger WHERE contest = ?1 AND line LIKE ?2 ORDER BY n",
                       "it", contest, buf_str(&pattern));
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        CLEANUP(buf_done) Buf text = {0};
        Str member, value;
        const Str line = db_text(query, 0);
        rc = 0;
        if (!canonical_member(line, STR("stage"), &member) || !canonical_text(member, &text) ||
            !str_eq(buf_str(&text), stage) || !canonical_member(line, STR("value"), &value) ||
            value.len < 2)
            continue;
        *ret_there = key_from_hex(str_part(value, 1, value.len - 2), ret_value);
    }
    return rc;
}

static bool has_entry(Db *db, int64_t contest, const char *type, Str stage)
{
    Key value;
    bool there = false;

    return find_entry(db, contest, type, stage, &value, &there, NULL) == 0 && there;
}

bool site_secret_is_committed(Db *db, int64_t contest, Str stage)
{
    return has_entry(db, contest, "commit", stage);
}

bool site_secret_is_revealed(Db *db, int64_t contest, Str stage)
{
    return has_entry(db, contest, "reveal", stage);
}

static int commit_stage(Db *db, const ContestHome *place, Str stage, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf name = {0};
    char hex[KEY_HEX_BYTES];
    Key secret, before;
    bool there = false;
    int rc = paths_of_secret(place->data, place->name, stage, &folder, &name, err);

    if (rc == 0)
        rc = find_entry(db, place->id, "commit", stage, &before, &there, err);
    if (rc || there)
        return rc;
    rc = draw_secret(place->data, buf_cstr(&folder), buf_cstr(&name), &secret, err);
    if (rc)
        return rc;
    const Key commitment = key_commitment(&secret, place->name, stage);
    key_to_hex(&commitment, hex);
    return site_ledger_add_texts(db, place->id, now_ms, "commit", err, "stage", stage, "value",
                                 str_of(hex), NULL);
}

int site_secret_commit(Db *db, const ContestHome *place, const Str *stages, size_t count,
                       int64_t now_ms, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < count && rc == 0; i++)
        rc = commit_stage(db, place, stages[i], now_ms, err);
    if (rc == 0)
        rc = commit_stage(db, place, STR(SECRET_TESTING), now_ms, err);
    return rc ? rc : commit_stage(db, place, STR(SECRET_EVALUATION), now_ms, err);
}

int site_secret_reveal(Db *db, const ContestHome *place, Str stage, int64_t now_ms, Err *err)
{
    char hex[KEY_HEX_BYTES];
    Key secret, committed;
    bool there = false;

    if (site_secret_is_revealed(db, place->id, stage))
        return 0;
    int rc = site_secret_read(place->data, place->name, stage, &secret, err);
    if (rc == 0)
        rc = find_entry(db, place->id, "commit", stage, &committed, &there, err);
    if (rc)
        return rc;
    const Key commitment = key_commitment(&secret, place->name, stage);
    if (!there || memcmp(&commitment, &committed, sizeof(commitment)) != 0)
        return err_set(err, ERR_RULE,
                       "the secret of stage %.*s is not the one that was committed to when the "
                       "contest opened; put the file back from a backup",
                       STR_ARG(stage));
    key_to_hex(&secret, hex);
    return site_ledger_add_texts(db, place->id, now_ms, "reveal", err, "stage", stage, "value",
                                 str_of(hex), NULL);
}

Key site_secret_of_round(const Key *testing, uint64_t round)
{
    const KeyRoot root = key_root(testing);

    return key_derive_number(&root, STR("round"), round);
}
