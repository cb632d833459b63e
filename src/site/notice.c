#include "site/notice.h"

#include "base/date_text.h"
#include "site/notice_terms.h"
#include "site/notice_words.h"
#include "store/db_row.h"
#include "wire/json_read.h"

/* ---- the body ---- */

static int contest_name(Db *db, int64_t contest, Buf *out, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = contest ? db_query(db, "SELECT name FROM contest WHERE id = ?1", &query, err) : 0;

    if (rc || !contest)
        return rc;
    db_bind_int(query, 1, contest);
    rc = db_step(query, err);
    if (rc == 1)
        buf_add(out, db_text(query, 0));
    return rc < 0 ? rc : 0;
}

static int write_body(Db *db, const Notice *notice, Buf *body, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    Json json = json_over(body);
    int rc = contest_name(db, notice->contest, &name, err);

    if (rc)
        return rc;
    json_open(&json, '{');
    json_add_str(&json, "contest", buf_str(&name));
    for (size_t i = 0; i < notice->word_count; i++)
        json_add_str(&json, notice->words[i].name, notice->words[i].value);
    json_close(&json);
    if (buf_failed(body) || buf_failed(&name))
        return err_set(err, ERR_MEMORY, "notice: out of memory");
    return body->len <= NOTICE_BODY_BYTES
               ? 0
               : err_set(err, ERR_LIMIT, "notice: longer than %d bytes", NOTICE_BODY_BYTES);
}

/* ---- who is told ---- */

/* One notice on its way into the table. */
typedef struct NoticeRows {
    Db *db;
    const Notice *notice;
    Str body;
    int64_t now_ms;
} NoticeRows;

static void bind_number_or_null(DbQuery *query, int number, int64_t value)
{
    if (value)
        db_bind_int(query, number, value);
    else
        db_bind_null(query, number);
}

/* What is shown in the site needs no sending. */
static int add_row(const NoticeRows *rows, const char *channel, int64_t account, int64_t team,
                   Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    CLEANUP(buf_done) Buf mark = {0};
    const bool shown = strcmp(channel, "site") == 0;
    int rc = db_query(rows->db,
                      "INSERT INTO notice(contest, account, team, channel, kind, body, due, sent,"
                      " mark) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
                      " ON CONFLICT(mark) DO NOTHING",
                      &query, err);

    if (rc)
        return rc;
    bind_number_or_null(query, 1, rows->notice->contest);
    bind_number_or_null(query, 2, account);
    bind_number_or_null(query, 3, team);
    db_bind_text(query, 4, str_of(channel));
    db_bind_text(query, 5, str_of(notice_kind_name(rows->notice->kind)));
    db_bind_text(query, 6, rows->body);
    db_bind_int(query, 7, rows->now_ms);
    bind_number_or_null(query, 8, shown ? rows->now_ms : 0);
    if (rows->notice->mark)
        buf_printf(&mark, "%lld/%s/%s/%lld/%lld", (long long)rows->notice->contest,
                   rows->notice->mark, channel, (long long)account, (long long)team);
    if (rows->notice->mark)
        db_bind_text(query, 9, buf_str(&mark));
    else
        db_bind_null(query, 9);
    if (buf_failed(&mark))
        return err_set(err, ERR_MEMORY, "notice: out of memory");
    return db_step(query, err);
}

/* The numbers that a statement gives, each to `hear`. */
static int each_number(const NoticeRows *rows, const char *sql, int64_t id,
                       int (*hear)(const NoticeRows *rows, int64_t number, int64_t user, Err *err),
                       int64_t user, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(rows->db, sql, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    while ((rc = db_step(query, err)) == 1)
        if ((rc = hear(rows, db_int(query, 0), user, err)))
            return rc;
    return rc;
}

static int mail_account(const NoticeRows *rows, int64_t account, int64_t team, Err *err)
{
    return add_row(rows, "mail", account, team, err);
}

/* Secrets are nowhere to be read but in the mail. */
static int tell_account(const NoticeRows *rows, int64_t account, int64_t unused, Err *err)
{
    int rc = notice_is_secret(rows->notice->kind) ? 0 : add_row(rows, "site", account, 0, err);

    (void)unused;
    return rc ? rc
              : each_number(rows,
                            "SELECT id FROM account WHERE id = ?1 AND mail IS NOT NULL"
                            " AND erased IS NULL",
                            account, mail_account, 0, err);
}

/* A list of kinds with blanks between. */
static bool list_has(Str list, const char *kind)
{
    while (list.len)
        if (str_eq(str_cut(&list, ' '), str_of(kind)))
            return true;
    return false;
}

static int look_at_team(const NoticeRows *rows, int64_t team, bool *ret_off, bool *ret_hook,
                        Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(rows->db, "SELECT webhook, quiet FROM team WHERE id = ?1", &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, team);
    rc = db_step(query, err);
    *ret_hook = rc == 1 && db_text(query, 0).len > 0;
    *ret_off = rc == 1 && notice_may_be_off(rows->notice->kind) &&
               list_has(db_text(query, 1), notice_kind_name(rows->notice->kind));
    return rc < 0 ? rc : 0;
}

static int tell_team(const NoticeRows *rows, int64_t team, int64_t unused, Err *err)
{
    bool off = false, hook = false;
    int rc = look_at_team(rows, team, &off, &hook, err);

    (void)unused;
    if (rc == 0)
        rc = add_row(rows, "site", 0, team, err);
    if (rc == 0 && hook && !off)
        rc = add_row(rows, "hook", 0, team, err);
    if (rc || off)
        return rc;
    return each_number(rows,
                       "SELECT account.id FROM member JOIN account ON account.id = member.account"
                       " WHERE member.team = ?1 AND account.mail IS NOT NULL ORDER BY account.id",
                       team, mail_account, team, err);
}

static int count_numbers(const NoticeRows *rows, const char *sql, int64_t id, int64_t *ret_count,
                         Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(rows->db, sql, &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    rc = db_step(query, err);
    *ret_count = rc == 1 ? db_int(query, 0) : 0;
    return rc < 0 ? rc : 0;
}

static int tell_organisers(const NoticeRows *rows, Err *err)
{
    const int64_t contest = rows->notice->contest;
    int64_t organisers = 0, hooks = 0;
    int rc =
        count_numbers(rows, "SELECT count(*) FROM role WHERE contest = ?1 AND role = 'organiser'",
                      contest, &organisers, err);

    if (rc == 0)
        rc = each_number(rows,
                         organisers && contest ? "SELECT account FROM role WHERE contest = ?1"
                                                 " AND role = 'organiser' ORDER BY account"
                                               : "SELECT account FROM role WHERE contest = 0 AND"
                                                 " role = 'admin' AND ?1 >= 0 ORDER BY account",
                         contest, tell_account, 0, err);
    if (rc == 0)
        rc = count_numbers(rows, "SELECT count(*) FROM meta WHERE key = 'hook' AND ?1 >= 0",
                           contest, &hooks, err);
    return rc || !hooks ? rc : add_row(rows, "hook", 0, 0, err);
}

int notice_put(Db *db, const Notice *notice, int64_t now_ms, Err *err)
{
    CLEANUP(buf_done) Buf body = {0};
    int rc = write_body(db, notice, &body, err);
    const NoticeRows rows = {db, notice, buf_str(&body), now_ms};

    if (rc)
        return rc;
    switch (notice->to) {
    case TO_ACCOUNT:
        return tell_account(&rows, notice->id, 0, err);
    case TO_TEAM:
        return tell_team(&rows, notice->id, 0, err);
    case TO_TEAMS:
        return each_number(&rows,
                           "SELECT id FROM team WHERE contest = ?1 AND state IN ('WAITING', 'IN')"
                           " ORDER BY id",
                           notice->contest, tell_team, 0, err);
    case TO_ORGANISERS:
        return tell_organisers(&rows, err);
    }
    return 0;
}

int notice_job_failed(Db *db, const FailedJob *failed, int64_t now_ms, Err *err)
{
    const NoticeWord words[] = {{"job", failed->job}, {"what", failed->what}, {"why", failed->why}};
    const Notice notice = {.kind = NOTICE_JOB_FAILED,
                           .to = TO_ORGANISERS,
                           .contest = failed->contest,
                           .words = words,
                           .word_count = sizeof(words) / sizeof(words[0]),
                           .mark = failed->mark};

    return notice_put(db, &notice, now_ms, err);
}

int notices_unsent_count(Db *db, int64_t contest, NoticesUnsent *ret_unsent, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(db, &query, err,
                           "SELECT sum(CASE WHEN tries < ?2 THEN 1 ELSE 0 END),"
                           " sum(CASE WHEN tries >= ?2 THEN 1 ELSE 0 END) FROM notice"
                           " WHERE sent IS NULL AND (?1 = 0 OR contest = ?1)"
                           " AND (error IS NULL OR error <> '" NOTICE_NO_MAIL "')",
                           "ii", contest, (int64_t)NOTICE_TRIES);

    *ret_unsent = (NoticesUnsent){0};
    if (rc == 0)
        rc = db_step(query, err);
    if (rc == 1)
        *ret_unsent = (NoticesUnsent){(uint32_t)db_int(query, 0), (uint32_t)db_int(query, 1)};
    return rc < 0 ? rc : 0;
}

/* ---- as texts ---- */

/* What a word of the pattern stands for; empty when the body has none. {why} is why_ja where the
 * reader is Japanese and the body has one. */
static Str word_value(const json_t *body, Str name, bool japanese)
{
    char key[32];

    snprintf(key, sizeof(key), "%.*s_ja", STR_ARG(name));
    if (japanese && json_text(body, key).len)
        return json_text(body, key);
    snprintf(key, sizeof(key), "%.*s", STR_ARG(name));
    return notice_term(name, json_text(body, key), japanese);
}

/* "{team}: version {version}" with the words of the body. */
static void fill_pattern(const char *pattern, const json_t *body, bool japanese, Buf *out)
{
    Str rest = str_of(pattern);
    size_t open, close;

    while (str_find(rest, STR("{"), &open) && str_find(rest, STR("}"), &close) && open < close) {
        buf_add(out, str_part(rest, 0, open));
        buf_add(out, word_value(body, str_part(rest, open + 1, close - open - 1), japanese));
        rest = str_part(rest, close + 1, rest.len);
    }
    buf_add(out, rest);
}

int notice_text(Str kind, Str body, bool japanese, Buf *subject, Buf *text, Err *err)
{
    NoticeKind known = NOTICE_KINDS;
    json_t *json = NULL;
    int rc = json_read(body, NOTICE_BODY_BYTES, &json, NULL);

    if (rc)
        json = NULL;
    if (notice_kind_of(kind, &known)) {
        const NoticeWords *words = notice_words(known);
        const bool own_words = japanese && json_text(json, "text_ja").len > 0;
        fill_pattern(words->subject[japanese], json, japanese, subject);
        fill_pattern(own_words ? "{text_ja}\n" : words->text[japanese], json, japanese, text);
    } else {
        buf_add(subject, kind);
        buf_add(text, kind);
    }
    json_done(json);
    return buf_failed(subject) || buf_failed(text)
               ? err_set(err, ERR_MEMORY, "notice: out of memory")
               : 0;
}

static int put_notice(Json *json, const DbQuery *row, bool japanese, Err *err)
{
    CLEANUP(buf_done) Buf subject = {0};
    CLEANUP(buf_done) Buf text = {0};
    char id[24], room[DATE_TEXT_ROOM];
    int rc = notice_text(db_text(row, 2), db_text(row, 3), japanese, &subject, &text, err);

    if (rc)
        return rc;
    snprintf(id, sizeof(id), "%lld", (long long)db_int(row, 0));
    json_open(json, '{');
    json_add_str(json, "id", str_of(id));
    json_add_str(json, "at", date_text_write(db_int(row, 1), room));
    json_add_str(json, "kind", db_text(row, 2));
    json_add_str(json, "contest", db_text(row, 4));
    json_add_str(json, "subject", buf_str(&subject));
    json_add_str(json, "text", buf_str(&text));
    json_close(json);
    return 0;
}

int notice_write(Db *db, int64_t team, int64_t account, uint32_t limit, bool japanese, Json *json,
                 Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(db,
                 team ? "SELECT notice.id, due, kind, body, contest.name FROM notice"
                        " LEFT JOIN contest ON contest.id = notice.contest"
                        " WHERE team = ?1 AND channel = 'site' ORDER BY notice.id DESC LIMIT ?2"
                      : "SELECT notice.id, due, kind, body, contest.name FROM notice"
                        " LEFT JOIN contest ON contest.id = notice.contest"
                        " WHERE account = ?1 AND channel = 'site'"
                        " ORDER BY notice.id DESC LIMIT ?2",
                 &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, team ? team : account);
    db_bind_int(query, 2, limit);
    json_open(json, '[');
    while ((rc = db_step(query, err)) == 1)
        if ((rc = put_notice(json, query, japanese, err)))
            return rc;
    json_close(json);
    return rc;
}
