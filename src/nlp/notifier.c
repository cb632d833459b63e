#include "nlp/notifier.h"

#include "base/json.h"
#include "base/utf8.h"
#include "nlp/notice_rule.h"

#define ANSWER_BYTES 4096 /* "ok", or why not */
#define WHY_CHARS    100

struct Notifier {
    HttpClient *http;
    const ConfigNotifier *config;
    bool active;
    NoticeRule rule;
    Alarm send_time;
    Alarm stall_time;
    Alarm flush_time;
    HttpCall *call; /* one at a time */
    Buf queue[NOTIFIER_QUEUE_MAX];
    size_t first;
    size_t count;
    uint64_t dropped_untold;
    NotifierCounts counts;
    Buf waiting; /* for the notice of a stall */
    Buf totals;  /* likewise */
    uint64_t decided;
    bool flushing;
    void (*flushed)(void *user);
    void *flushed_user;
    void (*note)(void *user, Str line);
    void *user;
};

/* ---- sending ---- */

/* Slack reads "<!channel>" and links in a text; the names of teams are strangers' (Slack API,
 * "Escaping text"). */
static void add_escaped(Buf *out, Str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];

        if (c == '&')
            buf_add(out, STR("&amp;"));
        else if (c == '<')
            buf_add(out, STR("&lt;"));
        else if (c == '>')
            buf_add(out, STR("&gt;"));
        else
            buf_add_char(out, c);
    }
}

static void write_body(const Notifier *notifier, Str text, Buf *out)
{
    CLEANUP(buf_done) Buf escaped = {0};
    Json json = json_over(out);

    add_escaped(&escaped, text);
    if (notifier->dropped_untold)
        buf_printf(&escaped, "\n(%llu earlier notices were dropped)",
                   (unsigned long long)notifier->dropped_untold);
    json_open(&json, '{');
    json_add_str(&json, "text", buf_str(&escaped));
    if (notifier->config->username.len) {
        json_add_str(&json, "username", notifier->config->username);
    }
    if (notifier->config->icon_emoji.len) {
        json_add_str(&json, "icon_emoji", notifier->config->icon_emoji);
    }
    json_close(&json);
    if (buf_failed(&escaped))
        buf_fail(out);
}

static void notice_failed(Notifier *notifier, unsigned status, Str why)
{
    CLEANUP(buf_done) Buf line = {0};

    notifier->counts.failed++;
    if (!notifier->note)
        return;
    buf_add(&line, STR("notice not sent: "));
    if (status)
        buf_printf(&line, "status %u: ", status);
    utf8_add_printable(str_trim(why), WHY_CHARS, &line);
    notifier->note(notifier->user, buf_str(&line));
}

static void go_on(Notifier *notifier, TimeUs now);

static void on_answer(void *user, const HttpAnswer *answer)
{
    Notifier *notifier = user;

    notifier->call = NULL;
    if (answer->status >= 200 && answer->status < 300)
        notifier->counts.sent++;
    else
        notice_failed(notifier, answer->status, answer->status ? answer->body : answer->why);
    go_on(notifier, answer->at);
}

static uint32_t timeout_of(const ConfigNotifier *config)
{
    int64_t ms = config->timeout_ms;

    return ms < 1 ? 1 : ms > UINT32_MAX ? UINT32_MAX : (uint32_t)ms;
}

static void send_one(Notifier *notifier, TimeUs now)
{
    static const char *const headers[] = {"Content-Type: application/json", NULL};
    CLEANUP(buf_done) Buf body = {0};
    Err err = {0};

    write_body(notifier, buf_str(&notifier->queue[notifier->first]), &body);
    buf_done(&notifier->queue[notifier->first]);
    notifier->first = (notifier->first + 1) % NOTIFIER_QUEUE_MAX;
    notifier->count--;
    notifier->dropped_untold = 0;
    notice_sent(&notifier->rule, now);

    HttpAsk ask = {
        .method = "POST",
        .url = notifier->config->webhook_url,
        .headers = headers,
        .body = buf_str(&body),
        .timeout_ms = timeout_of(notifier->config),
        .answer_bytes = ANSWER_BYTES,
    };
    if (buf_failed(&body))
        notice_failed(notifier, 0, STR("out of memory"));
    else if (http_call(notifier->http, &ask, on_answer, notifier, &notifier->call, &err))
        notice_failed(notifier, 0, str_of(err.msg));
}

/* Sends what may be sent now, or sets the alarm for it. */
static void go_on(Notifier *notifier, TimeUs now)
{
    while (notifier->count && !notifier->call) {
        TimeUs at = notifier->flushing ? now : notice_free_at(&notifier->rule);

        if (at > now) {
            alarm_at(&notifier->send_time, at, false);
            return;
        }
        send_one(notifier, now);
    }
    if (notifier->flushing && !notifier->count && !notifier->call)
        alarm_soon(&notifier->flush_time);
}

static void on_send_time(void *user, TimeUs now)
{
    go_on(user, now);
}

static Str cut_text(Str text)
{
    size_t len = NOTIFIER_TEXT_MAX;

    if (text.len <= len)
        return text;
    while (len && ((unsigned char)text.bytes[len] & 0xC0) == 0x80)
        len--; /* not in the middle of a character */
    return str_part(text, 0, len);
}

static void enqueue_notice(Notifier *notifier, Str text, TimeUs now)
{
    if (notifier->count == NOTIFIER_QUEUE_MAX) {
        notifier->counts.dropped++;
        notifier->dropped_untold++;
        return;
    }
    Buf *slot = &notifier->queue[(notifier->first + notifier->count) % NOTIFIER_QUEUE_MAX];
    buf_add(slot, cut_text(text));
    notifier->count++;
    go_on(notifier, now);
}

void notifier_say(Notifier *notifier, ConfigNotice kind, Str text, TimeUs now)
{
    if (notifier->active && notice_wanted(&notifier->rule, kind))
        enqueue_notice(notifier, text, now);
}

/* ---- stalls and milestones ---- */

static void on_stall_time(void *user, TimeUs now)
{
    Notifier *notifier = user;
    CLEANUP(buf_done) Buf text = {0};

    if (!notice_stall_due(&notifier->rule, now))
        return;
    buf_printf(&text, "No game is running and none has begun for %lld s; %llu decided so far",
               (long long)((now - notifier->rule.idle_since) / 1000000),
               (unsigned long long)notifier->decided);
    buf_add(&text, buf_str(&notifier->totals));
    buf_add(&text, STR(". "));
    buf_add(&text, buf_str(&notifier->waiting));
    enqueue_notice(notifier, buf_str(&text), now);
}

void notifier_progress(Notifier *notifier, uint64_t decided, uint32_t running, Str totals,
                       Str waiting, TimeUs now)
{
    CLEANUP(buf_done) Buf text = {0};

    if (!notifier->active)
        return;
    uint64_t milestone =
        notice_progress(&notifier->rule, decided, running, waiting.bytes != NULL, now);
    notifier->decided = decided;
    buf_clear(&notifier->waiting);
    buf_add(&notifier->waiting, cut_text(waiting));
    buf_clear(&notifier->totals);
    buf_add(&notifier->totals, totals);
    if (milestone) {
        buf_printf(&text, "%llu games are decided, %u running", (unsigned long long)milestone,
                   running);
        buf_add(&text, totals);
        buf_add_char(&text, '.');
        enqueue_notice(notifier, buf_str(&text), now);
    }
    alarm_at(&notifier->stall_time, notice_stall_at(&notifier->rule), false);
}

/* ---- beginning and end ---- */

static void on_flush_time(void *user, TimeUs now)
{
    Notifier *notifier = user;

    (void)now;
    if (notifier->call) {
        http_call_cancel(notifier->call);
        notifier->call = NULL;
        notifier->counts.dropped++;
    }
    notifier->counts.dropped += notifier->count;
    for (; notifier->count; notifier->count--) {
        buf_done(&notifier->queue[notifier->first]);
        notifier->first = (notifier->first + 1) % NOTIFIER_QUEUE_MAX;
    }
    notifier->active = false;
    notifier->flushing = false;
    alarm_stop(&notifier->send_time);
    alarm_stop(&notifier->stall_time);
    notifier->flushed(notifier->flushed_user); /* may free the notifier */
}

void notifier_flush(Notifier *notifier, uint32_t limit_ms, void (*flushed)(void *user), void *user,
                    TimeUs now)
{
    notifier->flushing = true;
    notifier->flushed = flushed;
    notifier->flushed_user = user;
    alarm_at(&notifier->flush_time, now + (TimeUs)limit_ms * 1000, false);
    go_on(notifier, now);
}

Notifier *notifier_free(Notifier *notifier)
{
    if (!notifier)
        return NULL;
    if (notifier->call)
        http_call_cancel(notifier->call);
    for (size_t i = 0; i < NOTIFIER_QUEUE_MAX; i++)
        buf_done(&notifier->queue[i]);
    buf_done(&notifier->waiting);
    buf_done(&notifier->totals);
    alarm_stop(&notifier->send_time);
    alarm_stop(&notifier->stall_time);
    alarm_stop(&notifier->flush_time);
    return mem_free(notifier);
}

int notifier_new(Alarms *alarms, HttpClient *http, const ConfigNotifier *config,
                 void (*note)(void *user, Str line), void *user, Notifier **ret_notifier, Err *err)
{
    Notifier *notifier = mem_new(sizeof(*notifier));

    if (!notifier)
        return err_set(err, ERR_MEMORY, "notifier: out of memory");
    notifier->http = http;
    notifier->config = config;
    notifier->active = config->enable && config->webhook_url && config->webhook_url[0];
    notifier->rule = notice_rule_new(config);
    notifier->note = note;
    notifier->user = user;

    alarm_init(&notifier->send_time, alarms, on_send_time, notifier);
    alarm_init(&notifier->stall_time, alarms, on_stall_time, notifier);
    alarm_init(&notifier->flush_time, alarms, on_flush_time, notifier);
    *ret_notifier = notifier;
    return 0;
}

NotifierCounts notifier_counts(const Notifier *notifier)
{
    return notifier->counts;
}
