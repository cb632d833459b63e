/* A live game's document, which is written when somebody looks. */
#include "web/live_view_own.h"

TimeMs live_table_time(const LiveTable *table, TimeUs now)
{
    return (now - table->began) / 1000;
}

static void doc_heard(void *user, Str id, const Event *event, TimeUs now)
{
    LiveTable *table = user;

    (void)id, (void)now;
    game_doc_heard(table->doc, event);
}

static void doc_said(void *user, Str id, const DocSaid *said, TimeUs now)
{
    LiveTable *table = user;

    (void)id;
    game_doc_said(table->doc, said, live_table_time(table, now));
}

static void doc_fault(void *user, Str id, const Fault *fault, TimeUs now)
{
    LiveTable *table = user;

    (void)id;
    game_doc_fault(table->doc, fault, live_table_time(table, now));
}

static void doc_notice(void *user, Str id, Str text, TimeUs now)
{
    LiveTable *table = user;

    (void)id;
    game_doc_notice(table->doc, text, live_table_time(table, now));
}

static void doc_ends(void *user, Str id, bool aborted, TimeUs now)
{
    LiveTable *table = user;

    (void)id;
    game_doc_close(table->doc, aborted ? DOC_ABORTED : DOC_FINISHED, live_table_time(table, now));
}

static LiveSink sink_of_doc(LiveTable *table)
{
    return (LiveSink){.heard = doc_heard,
                      .said = doc_said,
                      .fault = doc_fault,
                      .notice = doc_notice,
                      .ends = doc_ends,
                      .user = table};
}

LiveSink live_table_sink(LiveTable *table)
{
    return table->lists ? sink_of_doc(table) : live_letter_sink(&table->waiting);
}

bool live_table_catch_up(LiveTable *table)
{
    const LiveSink doc = sink_of_doc(table);
    Str rest = buf_str(&table->waiting.bytes);

    while (live_letter_tell(&rest, &doc, 0))
        ;
    buf_done(&table->waiting.bytes);
    return !game_doc_failed(table->doc);
}
