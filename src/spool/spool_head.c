#include "spool/spool_head.h"

#include "wire/json_read.h"

bool spool_id_is(Str id)
{
    if (id.len == 0 || id.len > SPOOL_ID_MAX)
        return false;
    for (size_t i = 0; i < id.len; i++) {
        const char c = str_lower_char(id.bytes[i]);
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-'))
            return false;
    }
    return true;
}

static SpoolClass class_of(const SpoolHead *head)
{
    static const struct {
        const char *kind;
        SpoolClass turn;
    } kinds[] = {{"nlp", SPOOL_NLP},
                 {"play", SPOOL_STAGE},
                 {"unpack", SPOOL_CHECK},
                 {"build", SPOOL_CHECK},
                 {"check", SPOOL_CHECK}};

    if (strcmp(head->kind, "play") == 0 && strcmp(head->stage, SPOOL_STAGE_TRY) == 0)
        return SPOOL_TESTING;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(head->kind, kinds[i].kind) == 0)
            return kinds[i].turn;
    return SPOOL_REST;
}

/* Copies a word; false when it has no room or holds a NUL. */
static bool copy_word(Str word, size_t max, char *ret_word)
{
    if (word.len > max || (word.len && memchr(word.bytes, '\0', word.len)))
        return false;
    if (word.len)
        memcpy(ret_word, word.bytes, word.len);
    ret_word[word.len] = '\0';
    return true;
}

static int take_words(const json_t *json, SpoolHead *head, Err *err)
{
    JsonReader reader = {.err = err};
    const Str job = json_get_str(&reader, json, "job"), kind = json_get_str(&reader, json, "kind");
    const Str contest = json_get_str(&reader, json, "contest");
    const Str stage = json_get_str(&reader, json, "stage");

    if (reader.rc)
        return reader.rc;
    if (!spool_id_is(job))
        return err_set(err, ERR_SYNTAX, "job: 'job' is no id");
    if (!kind.len || !copy_word(job, SPOOL_ID_MAX, head->job) ||
        !copy_word(kind, SPOOL_WORD_MAX, head->kind) ||
        !copy_word(contest, SPOOL_WORD_MAX, head->contest) ||
        !copy_word(stage, SPOOL_WORD_MAX, head->stage))
        return err_set(err, ERR_SYNTAX,
                       "job: 'kind', 'contest' or 'stage' is missing or no short word");
    head->turn = class_of(head);
    return 0;
}

int spool_head_read(Str job_json, SpoolHead *ret_head, Err *err)
{
    json_t *json = NULL;

    *ret_head = (SpoolHead){0};
    int rc = json_read(job_json, SPOOL_JOB_MAX, &json, err);
    if (rc == 0 && !json_is_map(json))
        rc = err_set(err, ERR_SYNTAX, "job: it is no object");
    if (rc == 0)
        rc = take_words(json, ret_head, err);
    json_done(json);
    return rc;
}
