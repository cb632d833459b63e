#include "api/api_events.h"

#include "api/api_handlers.h"
#include "base/mem.h"
#include "store/db_row.h"

#define BEAT_US ((TimeUs)15 * 1000000)

typedef struct Stream {
    struct Stream *next;
    ApiEvents *events;
    WebConn *conn;
    int64_t contest;
    char address[RATE_ADDRESS_BYTES];
} Stream;

/* What was told of a contest. */
typedef struct Told {
    int64_t contest;
    char state[24];
    bool paused;
    int64_t games, notice;
} Told;

struct ApiEvents {
    Stream *streams;
    unsigned count;
    Told *told;
    size_t told_count;
    TimeUs beat;
};

ApiEvents *api_events_new(void)
{
    return mem_new(sizeof(ApiEvents));
}

ApiEvents *api_events_free(ApiEvents *events)
{
    while (events && events->streams) {
        Stream *stream = events->streams;
        events->streams = stream->next;
        web_stream_end(stream->conn);
        mem_free(stream);
    }
    if (events)
        mem_free(events->told);
    return mem_free(events);
}

unsigned api_events_count(const ApiEvents *events)
{
    return events->count;
}

static void on_closed(void *user, WebEnd how, uint16_t code, TimeUs now)
{
    Stream *stream = user;
    Stream **at = &stream->events->streams;

    (void)how, (void)code, (void)now;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    stream->events->count--;
    mem_free(stream);
}

static const WebEvents stream_events = {.closed = on_closed};

/* ---- what there is to tell ---- */

static int look_at(Db *db, int64_t contest, Told *told, Err *err)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    int rc = db_query_with(
        db, &query, err,
        "SELECT state, paused, (SELECT coalesce(sum(games), 0) FROM run WHERE contest = ?1),"
        " (SELECT coalesce(max(id), 0) FROM event WHERE contest = ?1 AND verb = 'announce')"
        " FROM contest WHERE id = ?1",
        "i", contest);

    *told = (Told){.contest = contest};
    if (rc == 0)
        rc = db_step(query, err);
    if (rc <= 0)
        return rc;
    snprintf(told->state, sizeof(told->state), "%.*s", STR_ARG(db_text(query, 0)));
    told->paused = db_int(query, 1) != 0;
    told->games = db_int(query, 2);
    told->notice = db_int(query, 3);
    return 0;
}

/* What differs; all of it with `before` NULL. */
static void write_news(const Told *before, const Told *now, Buf *out)
{
    if (!before || strcmp(before->state, now->state) != 0 || before->paused != now->paused)
        buf_printf(out, "event: state\ndata: {\"state\":\"%s\",\"paused\":%s}\n\n", now->state,
                   now->paused ? "true" : "false");
    if (!before || before->games != now->games)
        buf_printf(out, "event: round\ndata: {\"games\":%lld}\n\n", (long long)now->games);
    if (before && before->notice != now->notice)
        buf_printf(out, "event: notice\ndata: {\"id\":\"%lld\"}\n\n", (long long)now->notice);
}

static void send_to(const ApiEvents *events, int64_t contest, Str text)
{
    for (Stream *stream = events->streams; stream; stream = stream->next)
        if (contest == 0 || stream->contest == contest)
            web_stream_send(stream->conn, text);
}

static int look_again(ApiEvents *events, Db *db, Told *told, Err *err)
{
    CLEANUP(buf_done) Buf news = {0};
    Told now;
    int rc = look_at(db, told->contest, &now, err);

    if (rc)
        return rc;
    write_news(told, &now, &news);
    *told = now;
    if (news.len)
        send_to(events, now.contest, buf_str(&news));
    return 0;
}

int api_events_look(ApiEvents *events, Db *db, TimeUs now, Err *err)
{
    int rc = 0;

    if (!events->streams) { /* who comes next is told anew */
        events->told_count = 0;
        return 0;
    }
    for (size_t i = 0; rc == 0 && i < events->told_count; i++)
        rc = look_again(events, db, &events->told[i], err);
    if (now - events->beat >= BEAT_US) {
        events->beat = now;
        send_to(events, 0, STR(": \n\n"));
    }
    return rc;
}

/* ---- streams ---- */

static bool is_told(const ApiEvents *events, int64_t contest)
{
    for (size_t i = 0; i < events->told_count; i++)
        if (events->told[i].contest == contest)
            return true;
    return false;
}

static int remember(ApiEvents *events, const Told *told, Err *err)
{
    if (is_told(events, told->contest))
        return 0;
    Told *grown = mem_resize(events->told, events->told_count + 1, sizeof(*grown));
    if (!grown)
        return err_set(err, ERR_MEMORY, "events: out of memory");
    events->told = grown;
    events->told[events->told_count++] = *told;
    return 0;
}

static unsigned count_of(const ApiEvents *events, const char *address)
{
    unsigned count = 0;

    for (const Stream *stream = events->streams; stream; stream = stream->next)
        count += strcmp(stream->address, address) == 0;
    return count;
}

int api_events_open(ApiVisit *visit, Err *err)
{
    CLEANUP(buf_done) Buf first = {0};
    ApiEvents *events = visit->site->events;
    Told now;

    if (events->count >= API_STREAMS_MAX || count_of(events, visit->address) >= API_STREAMS_EACH)
        return api_refuse(visit, REFUSE_UNAVAILABLE, NULL, NULL);
    int rc = look_at(visit->site->db, visit->contest, &now, err);
    if (rc == 0)
        rc = remember(events, &now, err);
    if (rc)
        return rc;
    Stream *stream = mem_new(sizeof(*stream));
    if (!stream)
        return err_set(err, ERR_MEMORY, "events: out of memory");
    *stream = (Stream){
        .next = events->streams, .events = events, .conn = visit->conn, .contest = visit->contest};
    memcpy(stream->address, visit->address, sizeof(stream->address));
    events->streams = stream;
    events->count++;
    write_news(NULL, &now, &first);
    visit->answered = true;
    web_stream_begin(visit->conn, "text/event-stream", stream);
    web_heard_by(visit->conn, &stream_events);
    web_stream_send(visit->conn, buf_str(&first));
    return 0;
}
