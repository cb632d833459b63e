/* What browsers send to the feed: any bytes, one message a line, while a game is told. */
#include "web/feed.h"

#include <stdlib.h>

typedef struct FuzzLine {
    FeedReader *reader;
    size_t queued;
} FuzzLine;

static void line_send(void *conn, Str text)
{
    ((FuzzLine *)conn)->queued += text.len;
}

static void line_close(void *conn, uint16_t code, const char *reason)
{
    (void)code, (void)reason;
    ((FuzzLine *)conn)->reader = NULL;
}

static size_t line_queued(const void *conn)
{
    return ((const FuzzLine *)conn)->queued > 4096;
}

static TimeUs line_stuck(const void *conn)
{
    (void)conn;
    return TIME_US_NEVER;
}

static bool is_operator(void *user, Str secret, TimeUs now)
{
    (void)user, (void)now;
    return str_eq(secret, STR("s"));
}

static const FeedOut out = {
    .send = line_send, .close = line_close, .queued = line_queued, .stuck_since = line_stuck};

static void begin_game(const LiveSink *sink)
{
    static const DocSeat seats[6] = {{.name = {"", 0}}, {.name = {"Ann", 3}}, {.name = {"Bo", 2}}};
    Ruleset rules;

    ruleset_preset(STR("nlp-turn"), &rules, NULL);
    sink->begins(sink->user,
                 &(DocHead){.id = STR("g"),
                            .division = DOC_NLP,
                            .language = "en",
                            .rules = &rules,
                            .seat_count = 5,
                            .seats = seats,
                            .form = "live",
                            .source_name = STR("g")},
                 0);
    sink->heard(sink->user, STR("g"),
                &(Event){.kind = EVENT_DAY, .day = 1, .known_to = seat_all(5)}, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str rest = {(const char *)data, size};
    LiveTables *tables = NULL;
    Feed *feed = NULL;
    FuzzLine line = {0};
    TimeUs now = 0;

    if (live_tables_new(&(LiveTablesSetup){.delay = size % 2 ? 100000 : 0}, &tables, NULL) ||
        feed_new(&(FeedSetup){.tables = tables, .hooks = {.is_operator = is_operator}}, &feed,
                 NULL))
        abort();
    const LiveSink sink = live_tables_sink(tables);
    begin_game(&sink);
    line.reader = feed_open_socket(feed, &out, &line, STR("a"), false, now);
    while (rest.len && line.reader) {
        now += 60000;
        feed_message(line.reader, str_cut(&rest, '\n'), now);
        sink.notice(sink.user, STR("g"), STR("n"), now);
        line.queued /= 2;
        feed_tick(feed, now);
    }
    feed_free(feed);
    live_tables_free(tables);
    return 0;
}
