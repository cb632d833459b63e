#include "web/live_tables.h"

#include "base/mem.h"
#include "record/live_letter.h"
#include "web/catalogue.h"

#define WITHHELD_BUCKETS 256

/* A game that nobody but operators may see to its end. */
typedef struct Withheld {
    struct Withheld *next;
    Buf id;
    Buf log;        /* its other name, which is withheld too; empty = none */
    uint32_t begun; /* an ID may begin again before its first end is told */
} Withheld;

struct LiveTables {
    LiveTablesSetup setup;
    LiveReaders readers;
    LiveViews *prompt;
    LiveViews *later; /* the same without a delay */
    LiveSink prompt_sink;
    LiveSink later_sink;
    LiveLetter waiting;
    size_t told; /* bytes of it that were told */
    Withheld *withheld[WITHHELD_BUCKETS];
    bool withholds_all; /* which games is not known */
};

/* ---- withheld games ---- */

static Withheld *find_withheld(const LiveTables *tables, Str id)
{
    Withheld *game = tables->withheld[str_hash(id) % WITHHELD_BUCKETS];

    while (game && !str_eq(buf_str(&game->id), id))
        game = game->next;
    return game;
}

static Withheld *free_withheld(Withheld *game)
{
    if (!game)
        return NULL;
    buf_done(&game->id);
    buf_done(&game->log);
    return mem_free(game);
}

static Withheld *new_withheld(LiveTables *tables, Str id, Str log)
{
    Withheld **bucket = &tables->withheld[str_hash(id) % WITHHELD_BUCKETS];
    Withheld *game = mem_new(sizeof(*game));

    if (!game)
        return NULL;
    buf_add(&game->id, id);
    buf_add(&game->log, log);
    if (buf_failed(&game->id) || buf_failed(&game->log))
        return free_withheld(game);
    game->next = *bucket;
    *bucket = game;
    return game;
}

static void withhold(LiveTables *tables, Str id, Str log)
{
    Withheld *game = find_withheld(tables, id);

    if (!game)
        game = new_withheld(tables, id, log);
    if (!game) {
        tables->withholds_all = true;
        return;
    }
    game->begun++;
    if (log.len)
        withhold(tables, log, STR(""));
}

static void release(LiveTables *tables, Str id)
{
    Withheld **at = &tables->withheld[str_hash(id) % WITHHELD_BUCKETS];
    Withheld *game = find_withheld(tables, id);

    if (!game)
        return;
    if (game->log.len)
        release(tables, buf_str(&game->log));
    if (--game->begun)
        return;
    while (*at != game)
        at = &(*at)->next;
    *at = game->next;
    free_withheld(game);
}

bool live_tables_withholds(const LiveTables *tables, Str id)
{
    return tables->withholds_all || find_withheld(tables, id) != NULL;
}

/* ---- what waits ---- */

static Str waiting_rest(const LiveTables *tables)
{
    return str_part(buf_str(&tables->waiting.bytes), tables->told, tables->waiting.bytes.len);
}

static TimeUs waiting_due(const LiveTables *tables)
{
    const Str rest = waiting_rest(tables);

    return rest.len ? live_letter_first(rest).at + tables->setup.delay : TIME_US_NEVER;
}

/* What was told goes, once it is half of all. */
static void drop_told(LiveTables *tables)
{
    Buf *bytes = &tables->waiting.bytes;

    if (tables->told == bytes->len) {
        buf_done(bytes);
    } else if (tables->told >= 65536 && tables->told >= bytes->len / 2) {
        memmove(bytes->bytes, bytes->bytes + tables->told, bytes->len - tables->told);
        buf_cut(bytes, bytes->len - tables->told);
    } else {
        return;
    }
    tables->told = 0;
}

static void tell_due(LiveTables *tables, TimeUs now)
{
    while (waiting_due(tables) <= now) {
        Str rest = waiting_rest(tables);
        const LiveFirst first = live_letter_first(rest);
        if (first.ends)
            release(tables, first.id);
        live_letter_tell(&rest, &tables->later_sink, tables->setup.delay);
        tables->told += first.bytes;
    }
    drop_told(tables);
}

/* A letter that lacks something would show games that are not as they were. They stay withheld. */
static void was_written(LiveTables *tables)
{
    if (buf_failed(&tables->waiting.bytes)) {
        buf_done(&tables->waiting.bytes);
        tables->told = 0;
        live_views_drop_all(tables->later);
    }
    if (tables->setup.delay && tables->readers.due)
        tables->readers.due(tables->readers.user);
}

/* ---- what is told ---- */

static LiveSink letters_of(LiveTables *tables)
{
    return live_letter_sink(&tables->waiting);
}

static bool has_delay(const LiveTables *tables)
{
    return tables->setup.delay > 0;
}

static void tables_begins(void *user, const DocHead *head, TimeUs now)
{
    LiveTables *tables = user;
    CLEANUP(buf_done) Buf log = {0};
    DocHead shown = *head;

    shown.source_name = head->id; /* the log's may tell who plays */
    if (!str_eq(head->source_name, head->id))
        catalogue_id_encode(head->source_name, &log);
    tables->withholds_all |= buf_failed(&log);
    withhold(tables, head->id, buf_str(&log));
    tables->prompt_sink.begins(tables->prompt, &shown, now);
    if (has_delay(tables))
        letters_of(tables).begins(&tables->waiting, &shown, now);
    was_written(tables);
}

static void tables_heard(void *user, Str id, const Event *event, TimeUs now)
{
    LiveTables *tables = user;

    tables->prompt_sink.heard(tables->prompt, id, event, now);
    if (has_delay(tables))
        letters_of(tables).heard(&tables->waiting, id, event, now);
    was_written(tables);
}

static void tables_said(void *user, Str id, const DocSaid *said, TimeUs now)
{
    LiveTables *tables = user;

    tables->prompt_sink.said(tables->prompt, id, said, now);
    if (has_delay(tables))
        letters_of(tables).said(&tables->waiting, id, said, now);
    was_written(tables);
}

static void tables_fault(void *user, Str id, const Fault *fault, TimeUs now)
{
    LiveTables *tables = user;

    tables->prompt_sink.fault(tables->prompt, id, fault, now);
    if (has_delay(tables))
        letters_of(tables).fault(&tables->waiting, id, fault, now);
    was_written(tables);
}

static void tables_clock(void *user, Str id, Action action, TimeUs until, bool paused, TimeUs now)
{
    LiveTables *tables = user;

    tables->prompt_sink.clock(tables->prompt, id, action, until, paused, now);
    if (has_delay(tables))
        letters_of(tables).clock(&tables->waiting, id, action, until, paused, now);
    was_written(tables);
}

static void tables_asked(void *user, Str id, SeatNo seat, TimeUs now)
{
    LiveTables *tables = user;

    tables->prompt_sink.asked(tables->prompt, id, seat, now);
    if (has_delay(tables))
        letters_of(tables).asked(&tables->waiting, id, seat, now);
    was_written(tables);
}

static void tables_notice(void *user, Str id, Str text, TimeUs now)
{
    LiveTables *tables = user;

    tables->prompt_sink.notice(tables->prompt, id, text, now);
    if (has_delay(tables))
        letters_of(tables).notice(&tables->waiting, id, text, now);
    was_written(tables);
}

static void tables_ends(void *user, Str id, bool aborted, TimeUs now)
{
    LiveTables *tables = user;

    if (has_delay(tables))
        letters_of(tables).ends(&tables->waiting, id, aborted, now);
    else
        release(tables, id);
    tables->prompt_sink.ends(tables->prompt, id, aborted, now);
    was_written(tables);
    if (tables->setup.over)
        tables->setup.over(tables->setup.over_user);
}

/* Views of seats are never delayed. */
static void tables_left(void *user, Str id, SeatNo seat)
{
    const LiveTables *tables = user;

    tables->prompt_sink.left(tables->prompt, id, seat);
}

LiveSink live_tables_sink(LiveTables *tables)
{
    return (LiveSink){.begins = tables_begins,
                      .heard = tables_heard,
                      .said = tables_said,
                      .fault = tables_fault,
                      .clock = tables_clock,
                      .asked = tables_asked,
                      .notice = tables_notice,
                      .ends = tables_ends,
                      .left = tables_left,
                      .user = tables};
}

/* ---- what readers are told ---- */

static void on_changed(void *user, LiveList *list, TimeUs now)
{
    const LiveTables *tables = user;

    if (tables->readers.changed)
        tables->readers.changed(tables->readers.user, list, now);
}

static void on_gone(void *user, LiveList *list, bool again)
{
    const LiveTables *tables = user;

    if (tables->readers.gone)
        tables->readers.gone(tables->readers.user, list, again);
}

static void on_listed_prompt(void *user, TimeUs now)
{
    const LiveTables *tables = user;

    if (tables->readers.listed)
        tables->readers.listed(tables->readers.user, true, now);
}

static void on_listed_later(void *user, TimeUs now)
{
    const LiveTables *tables = user;

    if (tables->readers.listed)
        tables->readers.listed(tables->readers.user, false, now);
}

static uint32_t draw(void *user)
{
    const LiveTables *tables = user;

    return tables->setup.draw(tables->setup.draw_user);
}

/* ---- life ---- */

static int open_views(LiveTables *tables, Err *err)
{
    LiveViewsSetup setup = {.names = tables->setup.names,
                            .list_bytes = tables->setup.list_bytes,
                            .draw = tables->setup.draw ? draw : NULL,
                            .changed = on_changed,
                            .gone = on_gone,
                            .listed = on_listed_prompt,
                            .user = tables};
    int rc = live_views_new(&setup, &tables->prompt, err);

    tables->later = tables->prompt;
    setup.listed = on_listed_later;
    if (rc == 0 && has_delay(tables)) {
        tables->later = NULL;
        rc = live_views_new(&setup, &tables->later, err);
    }
    return rc;
}

int live_tables_new(const LiveTablesSetup *setup, LiveTables **ret_tables, Err *err)
{
    LiveTables *tables = mem_new(sizeof(*tables));

    if (!tables)
        return err_set(err, ERR_MEMORY, "live tables: out of memory");
    tables->setup = *setup;
    int rc = open_views(tables, err);
    if (rc) {
        live_tables_free(tables);
        return rc;
    }
    tables->prompt_sink = live_views_sink(tables->prompt);
    tables->later_sink = live_views_sink(tables->later);
    *ret_tables = tables;
    return 0;
}

LiveTables *live_tables_free(LiveTables *tables)
{
    if (!tables)
        return NULL;
    if (tables->later != tables->prompt)
        live_views_free(tables->later);
    live_views_free(tables->prompt);
    buf_done(&tables->waiting.bytes);
    for (size_t i = 0; i < WITHHELD_BUCKETS; i++)
        while (tables->withheld[i]) {
            Withheld *game = tables->withheld[i];
            tables->withheld[i] = game->next;
            free_withheld(game);
        }
    return mem_free(tables);
}

void live_tables_read_by(LiveTables *tables, const LiveReaders *readers)
{
    tables->readers = *readers;
}

void live_tables_tick(LiveTables *tables, TimeUs now)
{
    if (has_delay(tables))
        tell_due(tables, now);
    live_views_tick(tables->prompt, now);
    if (tables->later != tables->prompt)
        live_views_tick(tables->later, now);
}

TimeUs live_tables_deadline(const LiveTables *tables)
{
    TimeUs due = has_delay(tables) ? waiting_due(tables) : TIME_US_NEVER;
    const TimeUs prompt = live_views_deadline(tables->prompt);
    const TimeUs later = live_views_deadline(tables->later);

    due = prompt < due ? prompt : due;
    return later < due ? later : due;
}

LiveViews *live_tables_views(const LiveTables *tables, bool prompt)
{
    return prompt ? tables->prompt : tables->later;
}

void live_tables_put(const LiveTables *tables, bool prompt, Json *json)
{
    json_open(json, '[');
    for (const LiveTable *table = live_views_first(live_tables_views(tables, prompt)); table;
         table = live_table_next(table))
        live_table_put(table, json);
    json_close(json);
}
