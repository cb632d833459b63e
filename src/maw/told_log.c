#include "maw/told_log.h"

#include "base/mem.h"

#define SECOND     ((TimeUs)1000 * 1000)
#define FRAME_MOST ((size_t)4 * 1024) /* what stands around a body, at most */

struct ToldEntry {
    ToldEntry *next;
    int64_t index;
    TimeUs at;
    MawType type;
    MawAct act;
    Str from, thread, body; /* in `texts` */
    size_t bytes;
    char texts[];
};

static Str keep_text(char **to, Str text)
{
    Str kept = {*to, text.len};

    if (text.len)
        memcpy(*to, text.bytes, text.len);
    *to += text.len;
    return kept;
}

/* ---- what goes ---- */

static void drop_entry(ToldLog *log, ToldEntry **at)
{
    ToldEntry *gone = *at;

    *at = gone->next;
    log->bytes -= gone->bytes;
    log->count--;
    mem_free(gone);
    if (*at)
        return;
    log->last = NULL;
    for (ToldEntry *entry = log->first; entry; entry = entry->next)
        log->last = entry;
}

void told_log_done(ToldLog *log)
{
    while (log->first)
        drop_entry(log, &log->first);
}

/* A round begins. Its role may have come just before its start. */
static void drop_old_round(ToldLog *log)
{
    const ToldEntry *joined = NULL;

    for (const ToldEntry *entry = log->first; entry; entry = entry->next)
        if (entry->type == MAW_JOIN_CONFIRMED)
            joined = entry;
    for (ToldEntry **at = &log->first; *at;) {
        bool role = (*at)->type == MAW_ASSIGN_ROLE && !(*at)->next;
        if (*at == joined || role)
            at = &(*at)->next;
        else
            drop_entry(log, at);
    }
}

static void make_room(ToldLog *log, size_t bytes)
{
    for (ToldEntry **at = &log->first;
         *at && (log->bytes + bytes > TOLD_BYTES_MAX || log->count >= TOLD_COUNT_MAX);)
        if ((*at)->type == MAW_NEW_MESSAGES)
            drop_entry(log, at);
        else
            at = &(*at)->next;
    while (log->first && (log->bytes + bytes > TOLD_BYTES_MAX || log->count >= TOLD_COUNT_MAX))
        drop_entry(log, &log->first);
}

/* ---- interface ---- */

int64_t told_log_add(ToldLog *log, const MawStanza *stanza, MawType type, TimeUs now)
{
    size_t bytes = stanza->from.len + stanza->thread.len + stanza->body.len;

    if (bytes + FRAME_MOST > MAW_BODY_BYTES_MAX)
        return -1;
    if (type == MAW_START_GAME)
        drop_old_round(log);
    make_room(log, bytes);
    ToldEntry *entry = mem_new(sizeof(*entry) + bytes);
    if (!entry)
        return -1;
    char *to = entry->texts;
    entry->from = keep_text(&to, stanza->from);
    entry->thread = keep_text(&to, stanza->thread);
    entry->body = keep_text(&to, stanza->body);
    entry->bytes = bytes;
    entry->index = log->next++;
    entry->at = now;
    entry->type = type;
    entry->act = stanza->act;
    if (log->last)
        log->last->next = entry;
    else
        log->first = entry;
    log->last = entry;
    log->bytes += bytes;
    log->count++;
    return entry->index;
}

bool told_log_write(const ToldLog *log, int64_t *index, TimeUs now, Buf *out)
{
    const ToldEntry *entry = log->first;
    MawMessage message = maw_message(MAW_TOLD);

    while (entry && entry->index < *index)
        entry = entry->next;
    if (!entry)
        return false;
    message.index = entry->index;
    if (entry->index > *index)
        message.first = *index; /* those between are gone */
    message.from = entry->from;
    message.act = str_of(maw_act_name(entry->act));
    if (entry->thread.len)
        message.thread = entry->thread;
    if (now - entry->at >= SECOND)
        message.seconds = (now - entry->at) / SECOND;
    message.completions = entry->body;
    maw_message_write(&message, out);
    *index = entry->index + 1;
    return true;
}
