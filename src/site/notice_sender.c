#include "site/notice_sender.h"

#include "disk/disk_call.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "net/child.h"
#include "site/notice_mail.h"

#define HOUR_MS    INT64_C(3600000)
#define MAIL_MS    60000
#define HOOK_MS    10000
#define MAILS_MAX  4 /* programs at once */
#define HOOKS_MAX  32
#define PLACES     (MAILS_MAX + HOOKS_MAX)
#define TARGETS    64    /* looked at in one tick */
#define DIGEST_MAX 200   /* notices in one mail */
#define REST_MS    60000 /* of a target that has failed */
#define HOOK_BYTES 65536 /* of an answer */
#define KILL_MS    2000
#define NONE       0 /* in place of an account or a team */

/* One mail, or one call, under way; the first MAILS_MAX places are for mails. */
typedef struct Delivery {
    NoticeSender *sender;
    int64_t target; /* an account, or a team; NONE: the server's webhook */
    int64_t ids[DIGEST_MAX];
    size_t count; /* 0: the place is free */
    Child *child;
    HttpCall *call;
    Timer *late;
    bool was_late;
    Buf path; /* of the mail */
} Delivery;

struct NoticeSender {
    NoticeSenderSetup setup;
    int64_t now_ms; /* of the last tick */
    Delivery places[PLACES];
    NoticeSenderCounts counts;
};

static bool is_mail(const Delivery *delivery)
{
    return delivery < delivery->sender->places + MAILS_MAX;
}

/* ---- what became of it ---- */

/* Minutes until the next try: all of them make 23 h 21 min. */
static int64_t next_try_ms(int64_t tries)
{
    static const int16_t minutes[NOTICE_TRIES] = {1, 5, 15, 60, 180, 360, 780, 0};

    return (tries < NOTICE_TRIES ? minutes[tries] : 0) * INT64_C(60000);
}

typedef struct Outcome {
    const Delivery *delivery;
    bool good;
    Str why;
} Outcome;

/* What holds a secret is not kept behind its sending. */
static int write_row(Db *db, const Outcome *outcome, int64_t id, int64_t tries, bool secret,
                     Err *err)
{
    const bool over = outcome->good || tries + 1 >= NOTICE_TRIES;
    const int64_t now_ms = outcome->delivery->sender->now_ms;
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(db,
                 secret && over ? "UPDATE notice SET tries = ?2, sent = ?3, error = ?4, due = ?5,"
                                  " body = '{}' WHERE id = ?1"
                                : "UPDATE notice SET tries = ?2, sent = ?3, error = ?4, due = ?5"
                                  " WHERE id = ?1",
                 &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    db_bind_int(query, 2, tries + 1);
    if (outcome->good)
        db_bind_int(query, 3, now_ms);
    else
        db_bind_null(query, 3);
    if (outcome->good)
        db_bind_null(query, 4);
    else
        db_bind_text(query, 4, str_part(outcome->why, 0, 200));
    db_bind_int(query, 5, now_ms + (outcome->good ? 0 : next_try_ms(tries)));
    rc = db_step(query, err);
    return rc < 0 ? rc : 0;
}

static int note_row(Db *db, const Outcome *outcome, int64_t id, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    NoticeKind kind = NOTICE_KINDS;
    int rc = db_query(db, "SELECT tries, kind FROM notice WHERE id = ?1", &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    rc = db_step(query, err);
    if (rc != 1)
        return rc;
    const bool secret = notice_kind_of(db_text(query, 1), &kind) && notice_is_secret(kind);
    return write_row(db, outcome, id, db_int(query, 0), secret, err);
}

/* Others of the same target need not find out the same at once. */
static int let_rest(Db *db, const Outcome *outcome, Err *err)
{
    const Delivery *delivery = outcome->delivery;
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      is_mail(delivery)
                          ? "UPDATE notice SET due = ?2 WHERE sent IS NULL AND due < ?2 AND"
                            " channel = 'mail' AND account = ?1"
                          : "UPDATE notice SET due = ?2 WHERE sent IS NULL AND due < ?2 AND"
                            " channel = 'hook' AND coalesce(team, 0) = ?1",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, delivery->target);
    db_bind_int(query, 2, delivery->sender->now_ms + REST_MS);
    rc = db_step(query, err);
    return rc < 0 ? rc : 0;
}

static int note_outcome(Db *db, void *user, Err *err)
{
    const Outcome *outcome = user;
    int rc = 0;

    for (size_t i = 0; i < outcome->delivery->count && rc == 0; i++)
        rc = note_row(db, outcome, outcome->delivery->ids[i], err);
    return rc || outcome->good ? rc : let_rest(db, outcome, err);
}

/* When the store can't take it down the notice is sent again: at least once. */
static void end_delivery(Delivery *delivery, bool good, Str why)
{
    NoticeSender *sender = delivery->sender;
    Outcome outcome = {delivery, good, why};

    db_transaction(sender->setup.db, note_outcome, &outcome, NULL);
    *(good ? &sender->counts.sent : &sender->counts.failed) += 1;
    sender->counts.under_way--;
    timer_stop(delivery->late);
    if (delivery->path.len)
        disk_remove(buf_cstr(&delivery->path));
    buf_clear(&delivery->path);
    delivery->count = 0;
    delivery->child = child_free(delivery->child);
    delivery->call = NULL;
}

static void on_child_end(void *user, ChildEnd how, TimeUs now)
{
    Delivery *delivery = user;
    CLEANUP(buf_done) Buf why = {0};
    const bool good = !delivery->was_late && how.status == 0 && how.signal_number == 0;

    (void)now;
    buf_add(&why, STR("mail command: "));
    if (delivery->was_late)
        buf_add(&why, STR("no end within its time"));
    else
        child_end_print(how, &why);
    end_delivery(delivery, good, buf_str(&why));
}

static void on_answer(void *user, const HttpAnswer *answer)
{
    CLEANUP(buf_done) Buf why = {0};

    if (answer->status)
        buf_printf(&why, "webhook: status %u", answer->status);
    else
        buf_printf(&why, "webhook: %.*s", STR_ARG(answer->why));
    end_delivery(user, answer->status >= 200 && answer->status < 300, buf_str(&why));
}

static void on_late(void *user, TimeUs now)
{
    Delivery *delivery = user;

    (void)now;
    delivery->was_late = true;
    if (delivery->child)
        child_stop(delivery->child, KILL_MS);
}

/* ---- what is sent ---- */

/* A row, its text made. */
typedef struct SentNotice {
    Buf kind, contest, body, subject, text;
    int64_t contest_id;
} SentNotice;

static void sent_notice_done(SentNotice *notice)
{
    buf_done(&notice->kind);
    buf_done(&notice->contest);
    buf_done(&notice->body);
    buf_done(&notice->subject);
    buf_done(&notice->text);
}

static int load_notice(Db *db, int64_t id, bool japanese, SentNotice *notice, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db,
                      "SELECT notice.kind, notice.body, contest.id, contest.name FROM notice"
                      " LEFT JOIN contest ON contest.id = notice.contest WHERE notice.id = ?1",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, id);
    rc = db_step(query, err);
    if (rc != 1)
        return rc < 0 ? rc : err_set(err, ERR_RULE, "the notice is gone");
    buf_add(&notice->kind, db_text(query, 0));
    buf_add(&notice->body, db_text(query, 1));
    notice->contest_id = db_int(query, 2);
    buf_add(&notice->contest, db_text(query, 3));
    return notice_text(buf_str(&notice->kind), buf_str(&notice->body), japanese, &notice->subject,
                       &notice->text, err);
}

/* Many hands hold what was signed. */
static int add_checkpoint(Db *db, int64_t contest, Buf *out, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(db, "SELECT note FROM checkpoint WHERE contest = ?1 ORDER BY size DESC LIMIT 1",
                 &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, contest);
    rc = db_step(query, err);
    if (rc == 1)
        buf_add(out, db_text(query, 0));
    return rc < 0 ? rc : 0;
}

/* ---- mails ---- */

static int list_due(NoticeSender *sender, int64_t account, int64_t *ids, size_t *ret_count,
                    Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    size_t count = 0;
    int rc = db_query(sender->setup.db,
                      "SELECT id FROM notice WHERE sent IS NULL AND channel = 'mail' AND"
                      " account = ?1 AND due <= ?2 AND tries < ?3 ORDER BY id LIMIT ?4",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, account);
    db_bind_int(query, 2, sender->now_ms);
    db_bind_int(query, 3, NOTICE_TRIES);
    db_bind_int(query, 4, DIGEST_MAX);
    while ((rc = db_step(query, err)) == 1)
        ids[count++] = db_int(query, 0);
    *ret_count = count;
    return rc;
}

/* Mails of the last hour: those of one moment were one. */
static int count_mails(NoticeSender *sender, int64_t account, int64_t *ret_count, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(sender->setup.db,
                      "SELECT count(*) FROM (SELECT DISTINCT sent FROM notice WHERE account = ?1"
                      " AND channel = 'mail' AND sent > ?2 AND sent <= ?3) AS mails",
                      &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, account);
    db_bind_int(query, 2, sender->now_ms - HOUR_MS);
    db_bind_int(query, 3, sender->now_ms);
    rc = db_step(query, err);
    *ret_count = rc == 1 ? db_int(query, 0) : 0;
    return rc < 0 ? rc : 0;
}

typedef struct MailReader {
    Buf mail;
    bool japanese;
} MailReader;

static int find_reader(Db *db, int64_t account, MailReader *reader, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(db, "SELECT mail, language FROM account WHERE id = ?1", &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, account);
    rc = db_step(query, err);
    if (rc == 1)
        buf_add(&reader->mail, db_text(query, 0));
    reader->japanese = rc == 1 && str_eq(db_text(query, 1), STR("ja"));
    return rc < 0 ? rc : 0;
}

/* One notice as it is, several below each other. */
static int write_mail(Delivery *delivery, const MailReader *reader, Buf *out, Err *err)
{
    static const char *const many[2] = {"Notices of the contest site", "大会サイトからのお知らせ"};
    NoticeSender *sender = delivery->sender;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf subject = {0};
    int64_t contest = 0;
    int rc = 0;

    for (size_t i = 0; i < delivery->count && rc == 0; i++) {
        CLEANUP(sent_notice_done) SentNotice notice = {0};
        rc = load_notice(sender->setup.db, delivery->ids[i], reader->japanese, &notice, err);
        if (delivery->count > 1)
            buf_printf(&text, "%s\n", buf_cstr(&notice.subject));
        buf_printf(&text, "%s%s", buf_cstr(&notice.text), delivery->count > 1 ? "\n" : "");
        if (i == 0)
            buf_add(&subject, buf_str(&notice.subject));
        contest = notice.contest_id ? notice.contest_id : contest;
    }
    if (rc == 0)
        buf_add(&text, STR("\n"));
    if (rc == 0)
        rc = add_checkpoint(sender->setup.db, contest, &text, err);
    const NoticeMail mail = {.id = delivery->ids[0],
                             .host = sender->setup.host,
                             .from = str_of(sender->setup.mail_from),
                             .to = buf_str(&reader->mail),
                             .subject = delivery->count > 1 ? str_of(many[reader->japanese])
                                                            : buf_str(&subject),
                             .text = buf_str(&text),
                             .at_ms = sender->now_ms};
    return rc ? rc : notice_mail_write(&mail, out, err);
}

static int start_command(Delivery *delivery, Err *err)
{
    static const char *const environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL};
    NoticeSender *sender = delivery->sender;
    const char *const words[] = {sender->setup.mail_command, "-t", "-i", NULL};
    const ChildPlan plan = {
        .arguments = words, .input_path = buf_cstr(&delivery->path), .environment = environment};

    return child_start(sender->setup.loop, &plan, on_child_end, delivery, &delivery->child, err);
}

static int start_mail(Delivery *delivery, Err *err)
{
    NoticeSender *sender = delivery->sender;
    MailReader reader = {0};
    CLEANUP(buf_done) Buf text = {0};
    int rc = find_reader(sender->setup.db, delivery->target, &reader, err);

    if (rc == 0 && !reader.mail.len)
        rc = err_set(err, ERR_RULE, "there is no address any more");
    if (rc == 0)
        rc = write_mail(delivery, &reader, &text, err);
    buf_done(&reader.mail);
    if (rc)
        return rc;
    buf_printf(&delivery->path, "%s/outgoing/%lld", sender->setup.data,
               (long long)delivery->ids[0]);
    rc = folder_make_for(buf_cstr(&delivery->path), err);
    if (rc == 0)
        rc = file_replace(buf_cstr(&delivery->path), buf_str(&text), false, err);
    return rc ? rc : start_command(delivery, err);
}

/* Which notices go into the next mail to an account; none while it has had enough. */
static int choose_mail(Delivery *delivery, Err *err)
{
    int64_t mails = 0;
    int rc = count_mails(delivery->sender, delivery->target, &mails, err);

    if (rc || mails >= NOTICE_MAILS_PER_HOUR)
        return rc;
    rc = list_due(delivery->sender, delivery->target, delivery->ids, &delivery->count, err);
    if (delivery->count > 1 && mails < NOTICE_MAILS_PER_HOUR - 1)
        delivery->count = 1;
    return rc;
}

/* ---- webhooks ---- */

static int find_hook(const Delivery *delivery, Buf *url, Buf *secret, Err *err)
{
    const NoticeSenderSetup *setup = &delivery->sender->setup;
    CLEANUP(db_query_freep) DbQuery *query = NULL;

    if (delivery->target == NONE) {
        buf_add(url, str_of(setup->hook_url));
        buf_add(secret, str_of(setup->hook_secret));
        return 0;
    }
    int rc =
        db_query(setup->db, "SELECT webhook, hook_secret FROM team WHERE id = ?1", &query, err);
    if (rc)
        return rc;
    db_bind_int(query, 1, delivery->target);
    rc = db_step(query, err);
    if (rc == 1) {
        buf_add(url, db_text(query, 0));
        buf_add(secret, db_text(query, 1));
    }
    return rc < 0 ? rc : 0;
}

static int write_hook(const Delivery *delivery, Buf *body, Err *err)
{
    const NoticeSender *sender = delivery->sender;
    CLEANUP(sent_notice_done) SentNotice notice = {0};
    CLEANUP(buf_done) Buf checkpoint = {0};
    int rc = load_notice(sender->setup.db, delivery->ids[0], false, &notice, err);

    if (rc == 0)
        rc = add_checkpoint(sender->setup.db, notice.contest_id, &checkpoint, err);
    const NoticeHook hook = {.id = delivery->ids[0],
                             .kind = buf_str(&notice.kind),
                             .contest = buf_str(&notice.contest),
                             .subject = buf_str(&notice.subject),
                             .text = buf_str(&notice.text),
                             .words = buf_str(&notice.body),
                             .checkpoint = buf_str(&checkpoint),
                             .at_ms = sender->now_ms};
    return rc ? rc : notice_hook_write(&hook, body, err);
}

static int start_hook(Delivery *delivery, Err *err)
{
    const NoticeSenderSetup *setup = &delivery->sender->setup;
    CLEANUP(buf_done) Buf url = {0};
    CLEANUP(buf_done) Buf secret = {0};
    CLEANUP(buf_done) Buf body = {0};
    char signature[NOTICE_SIGNATURE_BYTES];
    int rc = find_hook(delivery, &url, &secret, err);

    if (rc == 0 && !url.len)
        rc = err_set(err, ERR_RULE, "there is no webhook any more");
    if (rc == 0)
        rc = write_hook(delivery, &body, err);
    if (rc == 0)
        rc = notice_hook_sign(buf_str(&secret), buf_str(&body), signature, err);
    if (rc)
        return rc;
    const char *const headers[] = {"Content-Type: application/json", "User-Agent: warg", signature,
                                   NULL};
    const HttpAsk ask = {.method = "POST",
                         .url = buf_cstr(&url),
                         .headers = headers,
                         .body = buf_str(&body),
                         .timeout_ms = setup->hook_ms ? setup->hook_ms : HOOK_MS,
                         .public_only = delivery->target != NONE && !setup->any_hook,
                         .answer_bytes = HOOK_BYTES};
    return http_call(setup->http, &ask, on_answer, delivery, &delivery->call, err);
}

/* ---- beginning ---- */

static Delivery *free_place(NoticeSender *sender, bool mail, int64_t target)
{
    const size_t first = mail ? 0 : MAILS_MAX, end = mail ? MAILS_MAX : PLACES;
    Delivery *place = NULL;

    for (size_t i = first; i < end; i++) {
        if (!sender->places[i].count)
            place = place ? place : &sender->places[i];
        else if (sender->places[i].target == target)
            return NULL; /* one after the other */
    }
    return place;
}

static int begin_delivery(NoticeSender *sender, bool mail, int64_t id, int64_t target, Err *err)
{
    const uint32_t wait_ms = sender->setup.mail_ms ? sender->setup.mail_ms : MAIL_MS;
    Delivery *delivery = free_place(sender, mail, target);
    Err why = {0};
    int rc = 0;

    if (!delivery)
        return 0;
    delivery->target = target;
    delivery->was_late = false;
    delivery->ids[0] = id;
    if (mail)
        rc = choose_mail(delivery, err);
    else
        delivery->count = 1;
    if (rc || !delivery->count) {
        delivery->count = 0;
        return rc;
    }
    sender->counts.under_way++;
    rc = mail ? start_mail(delivery, &why) : start_hook(delivery, &why);
    if (rc)
        end_delivery(delivery, false, str_of(why.msg));
    else if (mail)
        timer_in(delivery->late, (TimeUs)wait_ms * 1000);
    return 0;
}

/* A target and its first notice. */
typedef struct DueTarget {
    int64_t id, target;
} DueTarget;

static int list_targets(NoticeSender *sender, bool mail, DueTarget targets[static TARGETS],
                        size_t *ret_count, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query(sender->setup.db,
                      mail ? "SELECT min(id), account FROM notice WHERE sent IS NULL AND due <= ?1"
                             " AND channel = 'mail' AND tries < ?2 GROUP BY account"
                             " ORDER BY min(id) LIMIT ?3"
                           : "SELECT min(id), coalesce(team, 0) FROM notice WHERE sent IS NULL AND"
                             " due <= ?1 AND channel = 'hook' AND tries < ?2"
                             " GROUP BY coalesce(team, 0) ORDER BY min(id) LIMIT ?3",
                      &query, err);

    *ret_count = 0;
    if (rc)
        return rc;
    db_bind_int(query, 1, sender->now_ms);
    db_bind_int(query, 2, NOTICE_TRIES);
    db_bind_int(query, 3, TARGETS);
    while ((rc = db_step(query, err)) == 1)
        targets[(*ret_count)++] = (DueTarget){db_int(query, 0), db_int(query, 1)};
    return rc;
}

static int begin_due(NoticeSender *sender, bool mail, Err *err)
{
    DueTarget targets[TARGETS];
    size_t count = 0;
    int rc = list_targets(sender, mail, targets, &count, err);

    for (size_t i = 0; i < count && rc == 0; i++)
        rc = begin_delivery(sender, mail, targets[i].id, targets[i].target, err);
    return rc;
}

/* Where no mail is sent, none waits. */
static int drop_mails(NoticeSender *sender, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc =
        db_query(sender->setup.db,
                 "UPDATE notice SET tries = ?1, error = '" NOTICE_NO_MAIL "',"
                 " body = CASE WHEN kind IN ('reset', 'invite', 'mail') THEN '{}' ELSE body END"
                 " WHERE channel = 'mail' AND sent IS NULL AND tries < ?1",
                 &query, err);

    if (rc)
        return rc;
    db_bind_int(query, 1, NOTICE_TRIES);
    rc = db_step(query, err);
    return rc < 0 ? rc : 0;
}

int notice_sender_tick(NoticeSender *sender, int64_t now_ms, Err *err)
{
    sender->now_ms = now_ms;
    int rc = sender->setup.mail_command[0] ? begin_due(sender, true, err) : drop_mails(sender, err);

    return rc ? rc : begin_due(sender, false, err);
}

NoticeSenderCounts notice_sender_counts(const NoticeSender *sender)
{
    return sender->counts;
}

/* ---- its life ---- */

/* For who writes notices: the organisers have a webhook, or none. */
static int note_hook(const NoticeSenderSetup *setup, Err *err)
{
    return db_exec(setup->db,
                   setup->hook_url[0] ? "INSERT INTO meta(key, value) VALUES('hook', 'yes')"
                                        " ON CONFLICT(key) DO NOTHING"
                                      : "DELETE FROM meta WHERE key = 'hook'",
                   err);
}

int notice_sender_new(const NoticeSenderSetup *setup, NoticeSender **ret_sender, Err *err)
{
    NoticeSender *sender = mem_new(sizeof(*sender));
    int rc = sender ? 0 : err_set(err, ERR_MEMORY, "notices: out of memory");

    if (rc)
        return rc;
    sender->setup = *setup;
    for (size_t i = 0; i < PLACES && rc == 0; i++) {
        sender->places[i].sender = sender;
        rc = timer_new(setup->loop, on_late, &sender->places[i], &sender->places[i].late, err);
    }
    if (rc == 0)
        rc = note_hook(setup, err);
    if (rc)
        notice_sender_free(sender);
    else
        *ret_sender = sender;
    return rc;
}

NoticeSender *notice_sender_free(NoticeSender *sender)
{
    if (!sender)
        return NULL;
    for (size_t i = 0; i < PLACES; i++) {
        Delivery *delivery = &sender->places[i];
        if (delivery->count && delivery->call)
            http_call_cancel(delivery->call);
        child_free(delivery->child);
        timer_free(delivery->late);
        buf_done(&delivery->path);
    }
    return mem_free(sender);
}
