#include "web/feed_own.h"

/* ---- who may see what ---- */

/* Operators and seats see games as they are. */
LiveTable *feed_find(const Feed *feed, Str game, DocViewKind kind, bool is_operator)
{
    const bool prompt = is_operator || kind == DOC_VIEW_SEAT;

    return live_views_find(live_tables_views(feed->setup.tables, prompt), game);
}

bool feed_knows(const Feed *feed, Str game)
{
    const LiveTables *tables = feed->setup.tables;

    return live_tables_withholds(tables, game) ||
           live_views_find(live_tables_views(tables, true), game) ||
           live_views_find(live_tables_views(tables, false), game);
}

/* A game that is over is everybody's, once everybody knows that. */
bool feed_may_see(const Feed *feed, const LiveTable *table, DocViewKind kind, bool is_operator,
                  bool sits)
{
    if (is_operator || (kind == DOC_VIEW_SEAT && sits))
        return true;
    if (feed->setup.closed || kind == DOC_VIEW_PUBLIC)
        return !feed->setup.closed;
    return live_table_over(table) && !live_table_secret(table) &&
           !live_tables_withholds(feed->setup.tables, live_table_id(table));
}

/* ---- streams ---- */

bool feed_keeps(const Feed *feed, Str game, bool is_operator, TimeUs now)
{
    const FeedHooks *hooks = &feed->setup.hooks;

    return !feed_knows(feed, game) && hooks->keeps &&
           hooks->keeps(hooks->user, game, is_operator, now);
}

FeedCan feed_can_stream(const Feed *feed, const FeedStream *stream, bool is_operator, bool sits,
                        TimeUs now)
{
    LiveTable *table = feed_find(feed, stream->game, stream->kind, is_operator);
    uint64_t count;

    if (!table)
        return feed_keeps(feed, stream->game, is_operator, now) ? FEED_FINISHED : FEED_NOTHING;
    if (!feed_may_see(feed, table, stream->kind, is_operator, sits))
        return FEED_FORBIDDEN;
    if (!live_table_over(table))
        return FEED_GOES;
    const LiveList *list = live_table_list(table, stream->kind, stream->seat);
    /* who was cut off shortly before the end */
    return list && stream->after.len && live_list_read_id(list, stream->after, &count) &&
                   count < live_list_count(list)
               ? FEED_GOES
               : FEED_FINISHED;
}

FeedReader *feed_open_stream(Feed *feed, const FeedOut *out, void *conn, Str address,
                             const FeedStream *stream, bool is_operator, TimeUs now)
{
    LiveTable *table = feed_find(feed, stream->game, stream->kind, is_operator);
    LiveList *list = table ? live_table_list(table, stream->kind, stream->seat) : NULL;
    FeedReader *reader = list ? feed_open_reader(feed, out, conn, address, now) : NULL;
    uint64_t count = 0;

    if (!reader)
        return NULL;
    reader->is_operator = is_operator;
    reader->is_stream = true;
    reader->is_new = true;
    reader->lost = stream->after.len && !live_list_read_id(list, stream->after, &count);
    Watch *watch = feed_add_watch(reader, list, count);
    if (!watch) {
        feed_free_reader(reader);
        return NULL;
    }
    /* not from here: its connection is no stream yet */
    reader->is_behind = true;
    feed->has_behind = true;
    feed->retry_at = now;
    feed_is_due(feed);
    return reader;
}

/* ---- what the tables tell ---- */

static void on_changed(void *user, LiveList *list, TimeUs now)
{
    Feed *feed = user;
    Audience *audience = *live_list_readers(list);

    if (!audience || audience->is_due)
        return;
    audience->is_due = true;
    audience->due_at = now + FEED_COLLECT_US;
    audience->next_due = NULL;
    *(feed->due ? &feed->last_due->next_due : &feed->due) = audience;
    feed->last_due = audience;
    feed_is_due(feed);
}

static void on_gone(void *user, LiveList *list, bool again)
{
    Audience *audience = *live_list_readers(list);
    const Str game = live_table_id(live_list_table(list));

    (void)user;
    while (audience) {
        Watch *watch = audience->first;
        FeedReader *reader = watch->reader;
        if (again)
            feed_send_again(reader, list, reader->sent_at);
        else
            feed_send_plain(reader, "gone", game, "why", STR("the game is not kept here any more"),
                            reader->sent_at);
        if (reader->is_stream)
            feed_end_soon(reader);
        feed_free_watch(watch); /* with the last one the audience goes */
        audience = *live_list_readers(list);
    }
}

static void on_listed(void *user, bool prompt, TimeUs now)
{
    Feed *feed = user;
    const bool one =
        live_tables_views(feed->setup.tables, true) == live_tables_views(feed->setup.tables, false);

    feed->home[prompt]++;
    if (one)
        feed->home[!prompt]++;
    if (feed->home_at != TIME_US_NEVER)
        return;
    feed->home_at = now > feed->home_told + SECOND_US ? now : feed->home_told + SECOND_US;
    feed_is_due(feed);
}

static void on_due(void *user)
{
    feed_is_due(user);
}

/* ---- time ---- */

static void tell_audience(Audience *audience, TimeUs now)
{
    for (Watch *watch = audience->first, *next; watch; watch = next) {
        next = watch->next;
        const bool is_last = !next;
        feed_tell_watch(watch, now);
        if (is_last) /* the audience may be gone */
            return;
    }
}

static void tell_audiences(Feed *feed, TimeUs now)
{
    while (feed->due && feed->due->due_at <= now) {
        Audience *audience = feed->due;
        feed_drop_due(audience);
        tell_audience(audience, now);
    }
}

static void end_streams(Feed *feed)
{
    feed->has_ended = false;
    for (FeedReader *reader = feed->first, *next; reader; reader = next) {
        next = reader->next;
        if (reader->ends)
            feed_close_reader(reader, 0, "the game is over");
    }
}

static void tell_behind(Feed *feed, TimeUs now)
{
    feed->has_behind = false;
    for (FeedReader *reader = feed->first; reader; reader = reader->next)
        if (reader->is_behind)
            feed_tell_reader(reader, now);
}

static void tell_homes(Feed *feed, TimeUs now)
{
    feed->home_at = TIME_US_NEVER;
    feed->home_told = now;
    for (FeedReader *reader = feed->first; reader; reader = reader->next)
        feed_tell_home(reader, now);
}

static bool is_stuck(const FeedReader *reader, TimeUs now)
{
    const TimeUs since = reader->out->stuck_since(reader->conn);

    return since != TIME_US_NEVER && now - since >= FEED_STUCK_US;
}

static void look_after(Feed *feed, TimeUs now)
{
    feed->chores_at = now + CHORES_US;
    for (FeedReader *reader = feed->first, *next; reader; reader = next) {
        next = reader->next;
        if (is_stuck(reader, now)) {
            feed_close_reader(reader, CLOSE_TRY_LATER, "try again later");
        } else if (reader->is_stream && now - reader->sent_at >= QUIET_US &&
                   !reader->out->queued(reader->conn)) {
            feed_send_text(reader, STR(": nothing new\n\n"));
            reader->sent_at = now;
        }
    }
}

void feed_tick(Feed *feed, TimeUs now)
{
    live_tables_tick(feed->setup.tables, now);
    tell_audiences(feed, now);
    if (feed->has_behind && feed->retry_at <= now)
        tell_behind(feed, now);
    if (feed->home_at <= now)
        tell_homes(feed, now);
    if (feed->has_ended)
        end_streams(feed);
    if (feed->count && feed->chores_at <= now)
        look_after(feed, now);
}

TimeUs feed_deadline(const Feed *feed)
{
    TimeUs first = live_tables_deadline(feed->setup.tables);

    if (feed->has_ended)
        return TIME_US_PAST;
    if (feed->due && feed->due->due_at < first)
        first = feed->due->due_at;
    if (feed->has_behind && feed->retry_at < first)
        first = feed->retry_at;
    if (feed->home_at < first)
        first = feed->home_at;
    if (feed->count && feed->chores_at < first)
        first = feed->chores_at;
    return first;
}

/* ---- life ---- */

int feed_new(const FeedSetup *setup, Feed **ret_feed, Err *err)
{
    Feed *feed = mem_new(sizeof(*feed));

    if (!feed)
        return err_set(err, ERR_MEMORY, "feed: out of memory");
    feed->setup = *setup;
    feed->home[0] = feed->home[1] = 1;
    feed->home_at = TIME_US_NEVER;
    live_tables_read_by(setup->tables, &(LiveReaders){.changed = on_changed,
                                                      .gone = on_gone,
                                                      .listed = on_listed,
                                                      .due = on_due,
                                                      .user = feed});
    *ret_feed = feed;
    return 0;
}

Feed *feed_free(Feed *feed)
{
    if (!feed)
        return NULL;
    live_tables_read_by(feed->setup.tables, &(LiveReaders){0});
    while (feed->first)
        feed_free_reader(feed->first);
    buf_done(&feed->text);
    return mem_free(feed);
}
