#include "site/document.h"

#include "base/date_text.h"
#include "base/mem.h"
#include "base/time_zone.h"
#include "base/utf8.h"
#include "site/blob.h"
#include "site/notice.h"
#include "site/site_ledger.h"
#include "site/team.h"
#include "store/db_row.h"

#include <string.h>

static const char *const kind_names[DOCUMENT_KINDS] = {
    [DOCUMENT_SOURCE] = "source",
    [DOCUMENT_DESCRIPTION] = "description",
};

DocumentKind document_kind_of(Str word)
{
    DocumentKind kind = DOCUMENT_SOURCE;

    while (kind < DOCUMENT_KINDS && !str_eq(word, str_of(kind_names[kind])))
        kind++;
    return kind;
}

/* ---- handed in ---- */

/* What people read is one of these; an archive is never opened here. */
static const char *const description_media[] = {"application/pdf", "text/markdown", "text/plain"};

static bool is_description(Str media)
{
    const Str type = str_trim(str_cut(&media, ';'));

    for (size_t i = 0; i < sizeof(description_media) / sizeof(description_media[0]); i++)
        if (str_eq(type, str_of(description_media[i])))
            return true;
    return false;
}

static bool is_short_text(Str text, size_t most)
{
    bool good = text.len <= most && utf8_valid(text);

    for (size_t i = 0; good && i < text.len; i++)
        good = (unsigned char)text.bytes[i] >= ' ' && text.bytes[i] != 0x7F;
    return good;
}

static int check_document(const DocumentSetup *setup, Err *err)
{
    if (setup->kind >= DOCUMENT_KINDS)
        return err_set(err, ERR_RULE, "kind: expected source or description");
    if (!is_short_text(setup->media, 100))
        return err_set(err, ERR_RULE, "media: no media type");
    if (setup->kind == DOCUMENT_DESCRIPTION && !is_description(setup->media))
        return err_set(err, ERR_RULE,
                       "media: a description is application/pdf, text/markdown or text/plain");
    if (setup->kind == DOCUMENT_DESCRIPTION && setup->bytes > DOCUMENT_DESCRIPTION_BYTES)
        return err_set(err, ERR_RULE, "file: a description has at most 20 MiB");
    if (!is_short_text(setup->licence, 100))
        return err_set(err, ERR_RULE, "licence: at most 100 bytes on one line");
    return 0;
}

/* The files of those whose number is `number` or less, and then the rows. */
static int drop_documents(Db *db, int64_t team, Str kind, int64_t number, Buf *ret_drops, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf blobs = {0};
    int rc = db_query_with(db, &query, err,
                           "DELETE FROM document WHERE team = ?1 AND kind = ?2 AND number <= ?3"
                           " RETURNING blob",
                           "iti", team, kind, number);

    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        rc = 0;
        buf_add(&blobs, db_text(query, 0));
        buf_add_char(&blobs, '\n');
    }
    return rc ? rc : blob_list_unused(db, buf_str(&blobs), ret_drops, err);
}

int document_put(Db *db, const DocumentSetup *setup, int64_t now_ms, int64_t *ret_number,
                 Buf *ret_drops, Err *err)
{
    const Str kind = str_of(setup->kind < DOCUMENT_KINDS ? kind_names[setup->kind] : "");
    int64_t last = 0;
    int rc = check_document(setup, err);

    if (rc == 0)
        rc = db_ask(db, 0, &last, err,
                    "SELECT MAX(number) FROM document WHERE team = ?1 AND kind = ?2", "it",
                    setup->team, kind);
    *ret_number = last + 1;
    if (rc == 0)
        rc = db_run(db, err,
                    "INSERT INTO document(team, kind, number, blob, media, licence, at)"
                    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    "itittTi", setup->team, kind, last + 1, setup->blob, setup->media,
                    setup->licence, now_ms);
    return rc ? rc
              : drop_documents(db, setup->team, kind, last + 1 - DOCUMENT_KEEP, ret_drops, err);
}

/* ---- what is missing ---- */

int documents_missing(Db *db, int64_t team, unsigned required, unsigned *ret_missing, Err *err)
{
    int rc = 0;

    *ret_missing = 0;
    for (DocumentKind kind = DOCUMENT_SOURCE; kind < DOCUMENT_KINDS && rc == 0; kind++) {
        int64_t there = 0;
        if (!(required & 1u << kind))
            continue;
        rc = db_ask(db, 0, &there, err, "SELECT 1 FROM document WHERE team = ?1 AND kind = ?2",
                    "it", team, str_of(kind_names[kind]));
        if (!there)
            *ret_missing |= 1u << kind;
    }
    return rc;
}

static Str words_of(unsigned missing)
{
    if (missing == 1u << DOCUMENT_SOURCE)
        return STR("source");
    return missing == 1u << DOCUMENT_DESCRIPTION ? STR("description") : STR("source, description");
}

static const char *japanese_words_of(unsigned missing)
{
    if (missing == 1u << DOCUMENT_SOURCE)
        return "ソースコード";
    return missing == 1u << DOCUMENT_DESCRIPTION ? "解説" : "ソースコードと解説";
}

/* ---- reminders ---- */

/* Each is told once; a server that was away tells the nearest alone. */
typedef struct Reminder {
    int64_t before_ms;
    const char *rest;
} Reminder;

static const Reminder reminders[] = {
    {INT64_C(3600) * 1000, "1 h"},
    {INT64_C(24) * 3600 * 1000, "1 d"},
    {INT64_C(7) * 24 * 3600 * 1000, "7 d"},
};

static const Reminder *reminder_now(int64_t deadline_ms, int64_t now_ms)
{
    for (size_t i = 0; i < sizeof(reminders) / sizeof(reminders[0]); i++)
        if (now_ms < deadline_ms && deadline_ms - now_ms <= reminders[i].before_ms)
            return &reminders[i];
    return NULL;
}

static int remind_team(Db *db, int64_t contest, int64_t team, unsigned missing,
                       const Reminder *reminder, int64_t deadline_ms, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf when = {0};
    const TimeZone utc = {0};
    char mark[96];

    time_zone_print(&utc, deadline_ms, &when);
    buf_add(&when, STR(" (UTC)"));
    if (buf_failed(&when))
        return err_set(err, ERR_MEMORY, "reminder: out of memory");
    const NoticeWord words[] = {
        {"what", words_of(missing)}, {"rest", str_of(reminder->rest)}, {"date", buf_str(&when)}};
    const Notice notice = {.kind = NOTICE_DEADLINE,
                           .to = TO_TEAM,
                           .id = team,
                           .contest = contest,
                           .words = words,
                           .word_count = sizeof(words) / sizeof(words[0]),
                           .mark = mark};

    snprintf(mark, sizeof(mark), "documents %lld %lld %s", (long long)team, (long long)deadline_ms,
             reminder->rest);
    return notice_put(db, &notice, now_ms, err);
}

int documents_remind(Db *db, int64_t contest, const int64_t *teams, size_t count, unsigned required,
                     int64_t deadline_ms, int64_t now_ms, Err *err)
{
    const Reminder *reminder = reminder_now(deadline_ms, now_ms);
    int rc = 0;

    for (size_t i = 0; reminder && i < count && rc == 0; i++) {
        unsigned missing = 0;
        rc = documents_missing(db, teams[i], required, &missing, err);
        if (rc == 0 && missing)
            rc = remind_team(db, contest, teams[i], missing, reminder, deadline_ms, now_ms, err);
    }
    return rc;
}

static int tell_out(Db *db, int64_t contest, int64_t team, Str name, unsigned missing,
                    int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf why = {0};
    CLEANUP(buf_done) Buf japanese = {0};

    buf_printf(&why, "not handed in: %.*s", STR_ARG(words_of(missing)));
    buf_printf(&japanese, "%sが提出されていません", japanese_words_of(missing));
    const NoticeWord words[] = {
        {"team", name}, {"why", buf_str(&why)}, {"why_ja", buf_str(&japanese)}};
    const Notice notice = {.kind = NOTICE_OUT,
                           .to = TO_TEAM,
                           .id = team,
                           .contest = contest,
                           .words = words,
                           .word_count = sizeof(words) / sizeof(words[0])};

    return notice_put(db, &notice, now_ms, err);
}

int documents_enforce(Db *db, int64_t contest, const int64_t *teams, size_t count,
                      unsigned required, int64_t now_ms, uint32_t *ret_out, Err *err)
{
    int rc = 0;

    *ret_out = 0;
    for (size_t i = 0; i < count && rc == 0; i++) {
        CLEANUP(buf_done) Buf name = {0};
        unsigned missing = 0;
        bool moved = false;
        rc = documents_missing(db, teams[i], required, &missing, err);
        if (rc || !missing)
            continue;
        rc = team_move(db, teams[i], TEAM_IN, TEAM_OUT, &moved, err);
        if (rc || !moved)
            continue;
        rc =
            db_ask_text(db, &name, NULL, err, "SELECT name FROM team WHERE id = ?1", "i", teams[i]);
        if (rc == 0)
            rc = site_ledger_add_texts(db, contest, now_ms, "out", err, "team", buf_str(&name),
                                       "missing", words_of(missing), NULL);
        if (rc == 0)
            rc = tell_out(db, contest, teams[i], buf_str(&name), missing, now_ms, err);
        *ret_out += 1;
    }
    return rc;
}

int documents_write(Db *db, int64_t team, Json *json, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT kind, number, blob, media, licence, at FROM document"
                           " WHERE team = ?1 ORDER BY kind, number",
                           "i", team);

    json_open(json, '[');
    while (rc == 0 && (rc = db_step(query, err)) == 1) {
        char room[DATE_TEXT_ROOM];
        json_open(json, '{');
        json_add_str(json, "kind", db_text(query, 0));
        json_add_int(json, "number", db_int(query, 1));
        json_add_str(json, "blob", db_text(query, 2));
        json_add_str(json, "media", db_text(query, 3));
        json_add_str(json, "licence", db_text(query, 4));
        json_add_str(json, "at", date_text_write(db_int(query, 5), room));
        json_close(json);
        rc = 0;
    }
    json_close(json);
    return rc;
}
