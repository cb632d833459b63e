/* Lists of live views: the frames of one view of a game, and what is made of them for readers. */
#include "web/live_view_own.h"

#include <inttypes.h>

#define BOOT_DIGITS 8

/* ---- lists ---- */

void live_list_free(LiveList *list)
{
    buf_done(&list->events.bytes);
    buf_done(&list->phases.bytes);
    buf_done(&list->seats);
    buf_done(&list->message);
    buf_done(&list->doc);
    mem_free(list->frames);
    mem_free(list);
}

static size_t list_bytes(const LiveList *list)
{
    return sizeof(*list) + list->events.bytes.room + list->phases.bytes.room +
           list->frame_room * sizeof(Frame);
}

size_t live_lists_bytes(const LiveTable *table)
{
    size_t bytes = 0;

    for (const LiveList *list = table->lists; list; list = list->next)
        bytes += list_bytes(list);
    return bytes;
}

/* The list leaves, and who reads it is told so. */
static void drop_list(LiveTable *table, LiveList *list, bool again)
{
    const LiveViewsSetup *setup = &table->views->setup;
    LiveList **at = &table->lists;

    while (*at != list)
        at = &(*at)->next;
    *at = list->next;
    if (list->readers && setup->gone)
        setup->gone(setup->user, list, again);
    live_list_free(list);
}

static bool may_have_names(const LiveTable *table, DocViewKind kind)
{
    const LiveNames names = table->views->setup.names;

    if (table->over && names == LIVE_NAMES_AT_END)
        return !table->seats_stay && !table_is_secret(table);
    if (table->over)
        return names == LIVE_NAMES_SHOWN;
    return kind == DOC_VIEW_ALL || names == LIVE_NAMES_SHOWN;
}

static bool add_frame(LiveList *list)
{
    if (list->frame_count == list->frame_room) {
        const size_t room = list->frame_room ? 2 * list->frame_room : 16;
        Frame *frames = mem_resize(list->frames, room, sizeof(*frames));
        if (!frames)
            return false;
        list->frames = frames;
        list->frame_room = room;
    }
    list->frames[list->frame_count++] =
        (Frame){.events = list->events.cut + list->events.bytes.len,
                .phases = list->phases.cut + list->phases.bytes.len};
    return true;
}

/* What the document has behind the list's last entry. */
static void write_frames(LiveList *list)
{
    const GameDoc *doc = list->table->doc;
    Buf *events = &list->events.bytes, *phases = &list->phases.bytes;

    for (const size_t end = game_doc_count(doc); list->entry < end; list->entry++) {
        const size_t phases_before = phases->len;
        Json event = json_over(events), phase = json_over(phases);
        if (!doc_writer_event(&list->writer, doc, list->entry, &event, &phase))
            continue;
        buf_add_char(events, ',');
        if (phases->len > phases_before)
            buf_add_char(phases, ',');
        if (buf_failed(events) || buf_failed(phases) || !add_frame(list)) {
            list->failed = true;
            return;
        }
    }
}

static void write_seats(LiveList *list)
{
    CLEANUP(buf_done) Buf seats = {0};
    Json json = json_over(&seats);

    list->writer.view.names = may_have_names(list->table, list->writer.view.kind);
    game_doc_write_seats(list->table->doc, &list->writer.view, &json);
    if (buf_failed(&seats))
        list->failed = true;
    if (list->seats_told && str_eq(buf_str(&seats), buf_str(&list->seats)))
        return;
    buf_clear(&list->seats);
    buf_add(&list->seats, buf_str(&seats));
    list->failed |= buf_failed(&list->seats);
    list->seats_told++;
}

static void cut_strip(Strip *strip, uint64_t to)
{
    const size_t n = (size_t)(to - strip->cut);
    Buf *bytes = &strip->bytes;
    Buf rest = {0};

    buf_add(&rest, str_part(buf_str(bytes), n, bytes->len));
    if (buf_failed(&rest)) { /* then nothing is gained */
        buf_done(&rest);
        memmove(bytes->bytes, bytes->bytes + n, bytes->len - n);
        bytes->len -= n;
    } else {
        buf_done(bytes);
        *bytes = rest;
    }
    strip->cut = to;
}

/* The older half of its frames goes. */
static void halve_list(LiveList *list)
{
    const size_t n = (list->frame_count + 1) / 2;

    if (n == 0)
        return;
    cut_strip(&list->events, list->frames[n - 1].events);
    cut_strip(&list->phases, list->frames[n - 1].phases);
    memmove(list->frames, list->frames + n, (list->frame_count - n) * sizeof(Frame));
    list->frame_count -= n;
    list->base += n;
    if (list->frame_count) {
        Frame *frames = mem_resize(list->frames, list->frame_count, sizeof(*frames));
        if (frames) {
            list->frames = frames;
            list->frame_room = list->frame_count;
        }
    }
}

static LiveList *find_unread(const LiveTable *table, const LiveList *keep)
{
    LiveList *list = table->lists;

    while (list && (list->readers || list == keep))
        list = list->next;
    return list;
}

static LiveList *find_largest(const LiveTable *table)
{
    LiveList *largest = NULL;

    for (LiveList *list = table->lists; list; list = list->next)
        if (list->frame_count && (!largest || list_bytes(list) > list_bytes(largest)))
            largest = list;
    return largest;
}

/* What nobody reads goes first, it comes back when it is asked for; then the oldest frames. */
static void keep_small(LiveTable *table, const LiveList *keep)
{
    const size_t most =
        table->views->setup.list_bytes ? table->views->setup.list_bytes : LIVE_LIST_BYTES;

    while (live_lists_bytes(table) > most) {
        LiveList *list = find_unread(table, keep);
        if (list) {
            drop_list(table, list, true);
            continue;
        }
        list = find_largest(table);
        if (!list)
            return;
        halve_list(list);
    }
}

/* What was made for readers is old. */
static void forget_made(LiveList *list)
{
    list->message_is_whole = false;
    buf_done(&list->doc);
}

/* Something is new: `seats` when that may be theirs. */
void live_lists_extend(LiveTable *table, bool seats, TimeUs now)
{
    const LiveViewsSetup *setup = &table->views->setup;

    for (LiveList *list = table->lists; list; list = list->next) {
        const size_t frames = list->frame_count;
        const uint32_t seats_told = list->seats_told;
        forget_made(list);
        write_frames(list);
        if (seats)
            write_seats(list);
        if (list->readers && (list->frame_count > frames || list->seats_told != seats_told))
            setup->changed(setup->user, list, now);
    }
    for (LiveList *list = table->lists, *next; list; list = next) {
        next = list->next;
        if (list->failed)
            drop_list(table, list, true);
    }
    keep_small(table, NULL);
}

/* Clock or asks have changed: every view may have another one. */
void live_lists_tell(const LiveTable *table, TimeUs now)
{
    const LiveViewsSetup *setup = &table->views->setup;

    for (LiveList *list = table->lists; list; list = list->next)
        if (list->readers)
            setup->changed(setup->user, list, now);
}

bool live_lists_read(const LiveTable *table)
{
    const LiveList *list = table->lists;

    while (list && !list->readers)
        list = list->next;
    return list != NULL;
}

void live_lists_drop(LiveTable *table, bool again)
{
    while (table->lists)
        drop_list(table, table->lists, again);
}

void live_lists_drop_seat(LiveTable *table, SeatNo seat)
{
    LiveList *list = table->lists;

    while (list && (list->writer.view.kind != DOC_VIEW_SEAT || list->writer.view.seat != seat))
        list = list->next;
    if (list)
        drop_list(table, list, true);
}

/* ---- lists, for who reads ---- */

static void name_view(LiveList *list)
{
    const DocView *view = &list->writer.view;

    if (view->kind == DOC_VIEW_SEAT)
        snprintf(list->view, sizeof(list->view), "seat:%u", view->seat);
    else
        snprintf(list->view, sizeof(list->view), "%s",
                 view->kind == DOC_VIEW_ALL ? "all" : "public");
}

static LiveList *make_list(LiveTable *table, DocViewKind kind, SeatNo seat)
{
    LiveList *list = mem_new(sizeof(*list));

    if (!list)
        return NULL;
    list->table = table;
    list->writer.view = (DocView){.kind = kind, .seat = seat, .names = may_have_names(table, kind)};
    name_view(list);
    write_frames(list);
    write_seats(list);
    if (list->failed) {
        live_list_free(list);
        return NULL;
    }
    list->next = table->lists;
    table->lists = list;
    keep_small(table, list);
    return list;
}

LiveList *live_table_list(LiveTable *table, DocViewKind kind, SeatNo seat)
{
    LiveList *list = table->lists;

    if (kind != DOC_VIEW_SEAT)
        seat = SEAT_NONE;
    else if (seat == SEAT_NONE || seat > table->seat_count)
        return NULL;
    while (list && (list->writer.view.kind != kind || list->writer.view.seat != seat))
        list = list->next;
    if (list)
        return list;
    return live_table_catch_up(table) ? make_list(table, kind, seat) : NULL;
}

LiveTable *live_list_table(const LiveList *list)
{
    return list->table;
}

Str live_list_view(const LiveList *list)
{
    return str_of(list->view);
}

uint64_t live_list_count(const LiveList *list)
{
    return list->base + list->frame_count;
}

uint64_t live_list_base(const LiveList *list)
{
    return list->base;
}

uint32_t live_list_seats(const LiveList *list)
{
    return list->seats_told;
}

void live_list_write_id(const LiveList *list, uint64_t count, Buf *out)
{
    buf_printf(out, "%08" PRIx32 ".%" PRIu64, list->table->boot, count);
}

bool live_list_read_id(const LiveList *list, Str text, uint64_t *ret_count)
{
    char boot[BOOT_DIGITS + 2];

    snprintf(boot, sizeof(boot), "%08" PRIx32 ".", list->table->boot);
    return str_starts(text, str_of(boot)) &&
           str_to_uint(str_part(text, BOOT_DIGITS + 1, text.len), live_list_count(list), ret_count);
}

Str live_list_doc(LiveList *list)
{
    if (list->doc.len == 0)
        game_doc_write(list->table->doc, &list->writer.view, &list->doc);
    if (buf_failed(&list->doc))
        buf_done(&list->doc);
    return buf_str(&list->doc);
}

/* Where frame number `count` ends. */
static Frame frame_end(const LiveList *list, uint64_t count)
{
    return count > list->base ? list->frames[count - list->base - 1]
                              : (Frame){.events = list->events.cut, .phases = list->phases.cut};
}

/* How far a message goes that begins behind `from` frames. */
static uint64_t message_end(const LiveList *list, uint64_t from)
{
    const uint64_t begin = frame_end(list, from).events;
    uint64_t low = from, high = live_list_count(list); /* low fits */

    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (frame_end(list, middle).events - begin <= LIVE_MESSAGE_BYTES)
            low = middle;
        else
            high = middle - 1;
    }
    return low == from && from < live_list_count(list) ? from + 1 : low;
}

/* Without the comma behind the last. */
static void put_strip(Json *json, const char *key, const Strip *strip, uint64_t from, uint64_t to)
{
    const Str whole = buf_str(&strip->bytes);
    Str part = str_part(whole, (size_t)(from - strip->cut), (size_t)(to - from));

    json_key(json, str_of(key));
    json_open(json, '[');
    if (part.len)
        json_put_raw(json, str_part(part, 0, part.len - 1));
    json_close(json);
}

static void put_game(const LiveList *list, const char *type, Json *json)
{
    json_open(json, '{');
    json_add_str(json, "type", str_of(type));
    json_add_str(json, "game", buf_str(&list->table->id));
    json_add_str(json, "view", str_of(list->view));
}

static void write_message(LiveList *list, uint64_t from, uint64_t to, bool seats)
{
    CLEANUP(buf_done) Buf id = {0};
    const Frame begin = frame_end(list, from), end = frame_end(list, to);
    Json json = json_over(&list->message);

    buf_clear(&list->message);
    list->message.failed = false;
    live_list_write_id(list, to, &id);
    put_game(list, "events", &json);
    json_add_str(&json, "id", buf_str(&id));
    put_strip(&json, "events", &list->events, begin.events, end.events);
    if (end.phases > begin.phases)
        put_strip(&json, "phases", &list->phases, begin.phases, end.phases);
    if (seats) {
        json_key(&json, STR("seats"));
        json_put_raw(&json, buf_str(&list->seats));
    }
    json_close(&json);
    list->message_is_whole = !buf_failed(&list->message) && !buf_failed(&id);
    list->message_has_seats = seats;
    list->from = from;
    list->to = to;
}

Str live_list_message(LiveList *list, uint64_t from, uint32_t seats, uint64_t *ret_count)
{
    const uint64_t to = message_end(list, from);
    const bool with_seats = seats != list->seats_told && to == live_list_count(list);

    if (!list->message_is_whole || list->from != from || list->to != to ||
        list->message_has_seats != with_seats)
        write_message(list, from, to, with_seats);
    if (!list->message_is_whole)
        return STR("");
    *ret_count = to;
    return buf_str(&list->message);
}

/* ---- clock, asks ---- */

static const Clock *clock_of(const LiveList *list)
{
    const LiveTable *table = list->table;

    return list->writer.view.kind == DOC_VIEW_ALL ? &table->clock : &table->told_clock;
}

uint32_t live_list_clock(const LiveList *list)
{
    return clock_of(list)->told;
}

void live_list_write_clock(const LiveList *list, TimeUs now, Buf *out)
{
    static const char *const actions[ACTION_COUNT] = {
        [ACTION_TALK] = "talk",     [ACTION_WHISPER] = "whisper", [ACTION_EXECUTION] = "vote",
        [ACTION_DIVINE] = "divine", [ACTION_GUARD] = "guard",     [ACTION_ATTACK] = "attack",
        [ACTION_VILLAGE] = "room",  [ACTION_HIDEOUT] = "room",
    };
    const Clock *clock = clock_of(list);
    Json json = json_over(out);

    put_game(list, "clock", &json);
    if (clock->action < ACTION_COUNT)
        json_add_str(&json, "action", str_of(actions[clock->action]));
    const TimeUs at = clock->paused ? clock->at : now; /* it stands still */
    if (clock->until != TIME_US_NEVER)
        json_add_int(&json, "left_ms", clock->until > at ? (clock->until - at) / 1000 : 0);
    json_add_bool(&json, "paused", clock->paused);
    json_close(&json);
}

uint32_t live_list_typing(const LiveList *list)
{
    return list->table->typing;
}

void live_list_write_typing(const LiveList *list, Buf *out)
{
    Json json = json_over(out);

    if (list->table->asked == SEAT_NONE)
        return;
    put_game(list, "typing", &json);
    json_add_uint(&json, "seat", list->table->asked);
    json_close(&json);
}

void **live_list_readers(LiveList *list)
{
    return &list->readers;
}
