#include "web/live_view_own.h"

#include <errno.h>
#include <sys/random.h>

/* ---- tables ---- */

static LiveTable **bucket_of(LiveViews *views, Str id)
{
    return &views->buckets[str_hash(id) % TABLE_BUCKETS];
}

static void free_table(LiveTable *table)
{
    while (table->lists) {
        LiveList *list = table->lists;
        table->lists = list->next;
        live_list_free(list);
    }
    game_doc_free(table->doc);
    buf_done(&table->waiting.bytes);
    buf_done(&table->id);
    buf_done(&table->language);
    buf_done(&table->rules);
    mem_free(table);
}

static void list_changes(const LiveViews *views, TimeUs now)
{
    if (views->setup.listed)
        views->setup.listed(views->setup.user, now);
}

static void drop_table(LiveTable *table, bool again)
{
    LiveViews *views = table->views;
    LiveTable **at = bucket_of(views, buf_str(&table->id));

    live_lists_drop(table, again);
    while (*at != table)
        at = &(*at)->chained;
    *at = table->chained;
    *(table->before ? &table->before->next : &views->first) = table->next;
    *(table->next ? &table->next->before : &views->last) = table->before;
    views->over_count -= table->over;
    free_table(table);
}

/* Of those that are over one that nobody reads, or else the oldest. */
static void drop_one_over(LiveViews *views)
{
    LiveTable *oldest = NULL;

    for (LiveTable *table = views->last; table; table = table->before) {
        if (!table->over)
            continue;
        if (!live_lists_read(table)) {
            drop_table(table, false);
            return;
        }
        if (!oldest)
            oldest = table;
    }
    if (oldest)
        drop_table(oldest, false);
}

static uint32_t draw_boot(LiveViews *views)
{
    uint32_t boot = 0;

    if (views->setup.draw)
        return views->setup.draw(views->setup.user);
    while (getrandom(&boot, sizeof(boot), 0) != (ssize_t)sizeof(boot) && errno == EINTR)
        ;
    return boot;
}

static void link_table(LiveViews *views, LiveTable *table)
{
    LiveTable **bucket = bucket_of(views, buf_str(&table->id));

    table->chained = *bucket;
    *bucket = table;
    table->next = views->first;
    *(views->first ? &views->first->before : &views->last) = table;
    views->first = table;
}

/* Without memory the game is not shown. */
static void views_begins(void *user, const DocHead *head, TimeUs now)
{
    LiveViews *views = user;
    LiveTable *known = live_views_find(views, head->id);

    if (known)
        drop_table(known, true);
    LiveTable *table = mem_new(sizeof(*table));
    if (!table)
        return;
    table->views = views;
    table->division = head->division;
    table->seat_count = head->seat_count;
    table->began_unix_ms = head->began_unix_ms;
    table->began = now;
    table->seats_stay = head->seats_stay;
    table->boot = draw_boot(views);
    table->clock = table->told_clock = (Clock){.action = ACTION_COUNT, .until = TIME_US_NEVER};
    buf_add(&table->id, head->id);
    buf_add(&table->language, str_of(head->language));
    buf_add(&table->rules, str_of(head->rules->name));
    if (buf_failed(&table->id) || buf_failed(&table->language) || buf_failed(&table->rules) ||
        game_doc_new(head, &table->doc, NULL)) {
        free_table(table);
        return;
    }
    link_table(views, table);
    list_changes(views, now);
}

/* ---- clocks ---- */

static bool clock_differs(const Clock *clock, Action action, TimeUs until, bool paused)
{
    return !clock->told || clock->action != action || clock->until != until ||
           clock->paused != paused;
}

static void set_clock(Clock *clock, Action action, TimeUs until, bool paused, TimeUs now)
{
    if (clock_differs(clock, action, until, paused))
        *clock = (Clock){
            .action = action, .until = until, .paused = paused, .at = now, .told = clock->told + 1};
}

/* The night is one clock without an action. In MAW it has one time; in the other divisions its
 * parts would tell who is still there to act. */
static void change_clock(LiveTable *table, Action action, TimeUs until, bool paused, TimeUs now)
{
    const bool told_until = !table->night || table->division == DOC_MAW;

    set_clock(&table->clock, until == TIME_US_NEVER ? ACTION_COUNT : action, until, paused, now);
    set_clock(&table->told_clock, table->night || until == TIME_US_NEVER ? ACTION_COUNT : action,
              told_until ? until : TIME_US_NEVER, paused, now);
    live_lists_tell(table, now);
}

/* A phase with a time tells it itself. */
static void hear_phase(LiveTable *table, const Event *event, TimeUs now)
{
    const bool begins = event->kind == EVENT_PHASE;

    table->talks = begins && event->action == ACTION_TALK && event->until == TIME_NEVER;
    if (begins && event->until != TIME_NEVER)
        change_clock(table, event->action, now + 1000 * (event->until - event->time), false, now);
    else if (table->clock.until != TIME_US_NEVER)
        change_clock(table, ACTION_COUNT, TIME_US_NEVER, false, now);
}

/* ---- events ---- */

static void hear_day(LiveTable *table, const Event *event, TimeUs now)
{
    table->day = event->day;
    table->night = event->kind == EVENT_NIGHT;
    table->talks = false;
    if (table->clock.until != TIME_US_NEVER || table->clock.paused)
        change_clock(table, ACTION_COUNT, TIME_US_NEVER, false, now);
    list_changes(table->views, now);
}

static bool changes_seats(EventKind kind)
{
    return kind == EVENT_ROLE || kind == EVENT_DAY || kind == EVENT_END || kind == EVENT_REVEAL ||
           kind == EVENT_SCORE;
}

/* The document lacks something: nobody is to be told of it. */
static bool drop_failed(LiveTable *table)
{
    if (!game_doc_failed(table->doc) && !buf_failed(&table->waiting.bytes))
        return false;
    drop_table(table, false);
    return true;
}

static LiveTable *find_running(const LiveViews *views, Str id)
{
    LiveTable *table = live_views_find(views, id);

    return table && !table->over ? table : NULL;
}

static void views_heard(void *user, Str id, const Event *event, TimeUs now)
{
    LiveTable *table = find_running(user, id);

    if (!table)
        return;
    Event timed = *event;
    /* The protocol's engine knows no clock; that of MAW stands still now and then. */
    if (table->division != DOC_NLP)
        timed.time = live_table_time(table, now);
    const LiveSink doc = live_table_sink(table);
    doc.heard(doc.user, STR(""), &timed, now);
    if (drop_failed(table))
        return;
    if (event->kind == EVENT_TALK && event->seat == table->asked)
        table->asked = SEAT_NONE;
    live_lists_extend(table, changes_seats(event->kind), now);
    if (event->kind == EVENT_PHASE || event->kind == EVENT_PHASE_END)
        hear_phase(table, event, now);
    else if (event->kind == EVENT_DAY || event->kind == EVENT_NIGHT)
        hear_day(table, event, now);
}

static void views_said(void *user, Str id, const DocSaid *said, TimeUs now)
{
    LiveTable *table = find_running(user, id);

    if (!table)
        return;
    const LiveSink doc = live_table_sink(table);
    doc.said(doc.user, STR(""), said, now);
    if (!drop_failed(table))
        live_lists_extend(table, false, now);
}

static void views_fault(void *user, Str id, const Fault *fault, TimeUs now)
{
    LiveTable *table = find_running(user, id);

    if (!table)
        return;
    const LiveSink doc = live_table_sink(table);
    doc.fault(doc.user, STR(""), fault, now);
    if (!drop_failed(table))
        live_lists_extend(table, true, now);
}

static void views_notice(void *user, Str id, Str text, TimeUs now)
{
    LiveTable *table = find_running(user, id);

    if (!table)
        return;
    const LiveSink doc = live_table_sink(table);
    doc.notice(doc.user, STR(""), text, now);
    if (!drop_failed(table))
        live_lists_extend(table, false, now);
}

static void views_clock(void *user, Str id, Action action, TimeUs until, bool paused, TimeUs now)
{
    LiveTable *table = find_running(user, id);

    if (table)
        change_clock(table, action, until, paused, now);
}

static void views_asked(void *user, Str id, SeatNo seat, TimeUs now)
{
    LiveTable *table = find_running(user, id);

    if (!table || !table->talks || table->night)
        return;
    table->asked = seat;
    table->typing++;
    live_lists_tell(table, now);
}

static void views_ends(void *user, Str id, bool aborted, TimeUs now)
{
    LiveViews *views = user;
    LiveTable *table = find_running(views, id);

    if (!table)
        return;
    const LiveSink doc = live_table_sink(table);
    doc.ends(doc.user, STR(""), aborted, now);
    table->over = true;
    table->aborted = aborted;
    table->over_at = now;
    views->over_count++;
    if (drop_failed(table))
        return;
    live_lists_extend(table, true, now);
    live_lists_tell(table, now);
    list_changes(views, now);
    while (views->over_count > LIVE_OVER_MAX)
        drop_one_over(views);
}

static void views_left(void *user, Str id, SeatNo seat)
{
    LiveTable *table = find_running(user, id);

    if (table)
        live_lists_drop_seat(table, seat);
}

LiveSink live_views_sink(LiveViews *views)
{
    return (LiveSink){.begins = views_begins,
                      .heard = views_heard,
                      .said = views_said,
                      .fault = views_fault,
                      .clock = views_clock,
                      .asked = views_asked,
                      .notice = views_notice,
                      .ends = views_ends,
                      .left = views_left,
                      .user = views};
}

/* ---- life ---- */

int live_views_new(const LiveViewsSetup *setup, LiveViews **ret_views, Err *err)
{
    LiveViews *views = mem_new(sizeof(*views));

    if (!views)
        return err_set(err, ERR_MEMORY, "live tables: out of memory");
    views->setup = *setup;
    *ret_views = views;
    return 0;
}

LiveViews *live_views_free(LiveViews *views)
{
    if (!views)
        return NULL;
    while (views->first) {
        LiveTable *table = views->first;
        views->first = table->next;
        free_table(table);
    }
    return mem_free(views);
}

/* Those that are over are few. */
static LiveTable *find_oldest_over(const LiveViews *views)
{
    LiveTable *oldest = NULL;

    for (LiveTable *table = views->over_count ? views->first : NULL; table; table = table->next)
        if (table->over && (!oldest || table->over_at < oldest->over_at))
            oldest = table;
    return oldest;
}

void live_views_tick(LiveViews *views, TimeUs now)
{
    LiveTable *table;

    while ((table = find_oldest_over(views)) && table->over_at + LIVE_STAYS_US <= now) {
        drop_table(table, false);
        list_changes(views, now);
    }
}

TimeUs live_views_deadline(const LiveViews *views)
{
    const LiveTable *table = find_oldest_over(views);

    return table ? table->over_at + LIVE_STAYS_US : TIME_US_NEVER;
}

/* ---- looking ---- */

LiveTable *live_views_find(const LiveViews *views, Str id)
{
    LiveTable *table = views->buckets[str_hash(id) % TABLE_BUCKETS];

    while (table && !str_eq(buf_str(&table->id), id))
        table = table->chained;
    return table;
}

LiveTable *live_views_first(const LiveViews *views)
{
    return views->first;
}

LiveTable *live_table_next(const LiveTable *table)
{
    return table->next;
}

Str live_table_id(const LiveTable *table)
{
    return buf_str(&table->id);
}

bool live_table_over(const LiveTable *table)
{
    return table->over;
}

bool live_table_secret(const LiveTable *table)
{
    return table_is_secret(table);
}

SeatNo live_table_seat_count(const LiveTable *table)
{
    return table->seat_count;
}

void live_table_put(const LiveTable *table, Json *json)
{
    static const char *const divisions[] = {
        [DOC_PROTOCOL] = "protocol", [DOC_NLP] = "nlp", [DOC_MAW] = "maw"};

    json_open(json, '{');
    json_add_str(json, "id", buf_str(&table->id));
    json_add_str(json, "division", str_of(divisions[table->division]));
    json_add_str(json, "lang", buf_str(&table->language));
    json_add_str(json, "rules", buf_str(&table->rules));
    json_add_uint(json, "players", table->seat_count);
    json_add_uint(json, "day", table->day);
    json_add_bool(json, "night", table->night);
    if (table->began_unix_ms)
        json_add_int(json, "began_ms", table->began_unix_ms);
    json_add_bool(json, "over", table->over);
    json_close(json);
}

bool live_view_of(Str text, DocViewKind *ret_kind, SeatNo *ret_seat)
{
    const Str seat = STR("seat:");
    uint64_t number;

    *ret_seat = SEAT_NONE;
    if (str_eq(text, STR("public"))) {
        *ret_kind = DOC_VIEW_PUBLIC;
    } else if (str_eq(text, STR("all"))) {
        *ret_kind = DOC_VIEW_ALL;
    } else {
        if (!str_starts(text, seat) ||
            !str_to_uint(str_part(text, seat.len, text.len), SEAT_MAX, &number) || number == 0)
            return false;
        *ret_kind = DOC_VIEW_SEAT;
        *ret_seat = (SeatNo)number;
    }
    return true;
}

void live_views_drop_all(LiveViews *views)
{
    while (views->first)
        drop_table(views->first, false);
}

size_t live_views_bytes(const LiveViews *views)
{
    size_t bytes = 0;

    for (const LiveTable *table = views->first; table; table = table->next)
        bytes += live_lists_bytes(table);
    return bytes;
}
