#include "audit/audit_index.h"

#include "base/mem.h"
#include "contest/out_folder.h"
#include "disk/regular_file.h"
#include "journal/journal_line.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* The reading of one journal. */
typedef struct Indexing {
    AuditIndex *index;
    GameRecord *scratch;
    uint64_t at; /* of the line */
    uint64_t faults_bytes;
    uint32_t bytes;
    unsigned line;
} Indexing;

static int add_line(AuditLines *lines, const AuditLine *line, Err *err)
{
    if (lines->count == lines->room) {
        size_t room = lines->room ? lines->room * 2 : 256;
        AuditLine *more = mem_resize(lines->items, room, sizeof(*more));
        if (!more)
            return err_set(err, ERR_MEMORY, "audit: out of memory");
        lines->items = more;
        lines->room = room;
    }
    lines->items[lines->count++] = *line;
    return 0;
}

static AuditLine line_of(const Indexing *reading, uint32_t stage, uint64_t number)
{
    return (AuditLine){.stage = stage,
                       .number = number,
                       .line = reading->line,
                       .bytes = reading->bytes,
                       .part = reading->index->part_count - 1,
                       .at = reading->at,
                       .faults_bytes = reading->faults_bytes};
}

/* ---- what the journal tells ---- */

static int on_plan(void *user, Str plan, Err *err)
{
    Indexing *reading = user;

    buf_add(&reading->index->plan, plan);
    return buf_failed(&reading->index->plan) ? err_set(err, ERR_MEMORY, "audit: out of memory") : 0;
}

static int on_set(void *user, uint32_t stage, uint64_t set, SeatNo count, const Str *names,
                  Err *err)
{
    const Indexing *reading = user;
    const AuditLine line = line_of(reading, stage, set);

    (void)count;
    (void)names;
    return add_line(&reading->index->sets, &line, err);
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    const Indexing *reading = user;
    AuditIndex *index = reading->index;
    const AuditLine line = line_of(reading, record->stage, record->game);
    uint32_t stage = stage_of_number(record->stage);

    if (!index->first_game[stage])
        index->first_game[stage] = reading->line;
    index->last_game[stage] = reading->line;
    return add_line(&index->games, &line, err);
}

/* Who goes on behind a stage is one note; which stage it is stands in the plan, that comes first.
 */
static int on_note(void *user, Str text, Err *err)
{
    const Indexing *reading = user;
    uint32_t stage = 0;

    if (!str_starts(text, STR("cut behind stage ")))
        return 0;
    while (stage < STAGES_MAX - 1 && reading->index->cut[stage])
        stage++;
    reading->index->cut[stage] = reading->line;
    buf_add(&reading->index->cuts[stage], text);
    return buf_failed(&reading->index->cuts[stage])
               ? err_set(err, ERR_MEMORY, "audit: out of memory")
               : 0;
}

static int on_end(void *user, uint64_t games, Err *err)
{
    const Indexing *reading = user;

    (void)games;
    (void)err;
    reading->index->end = reading->line;
    return 0;
}

static int add_part(AuditIndex *index, const JournalKey *key, unsigned line, Err *err)
{
    if (key->part != index->part_count || index->part_count == AUDIT_PARTS_MAX)
        return err_set_at(err, ERR_SYNTAX, line, 0, "a key of part %u behind %u parts",
                          (unsigned)key->part, (unsigned)index->part_count);
    AuditPart *more = mem_resize(index->parts, index->part_count + (size_t)1, sizeof(*more));
    if (!more)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    index->parts = more;
    more[index->part_count++] = (AuditPart){.commitment = key->value, .begun = line};
    return 0;
}

static int on_key(void *user, const JournalKey *key, Err *err)
{
    const Indexing *reading = user;

    if (!key->published)
        return add_part(reading->index, key, reading->line, err);
    if (key->part >= reading->index->part_count)
        return err_set_at(err, ERR_SYNTAX, reading->line, 0,
                          "a key of part %u, which was not begun", (unsigned)key->part);
    if (key->stage == 0) {
        reading->index->parts[key->part].key = key->value;
        reading->index->parts[key->part].published = reading->line;
    }
    reading->index->published[key->stage] = reading->line;
    reading->index->keys[key->stage] = *key;
    return 0;
}

static int on_lots(void *user, const JournalLots *lots, Err *err)
{
    const Indexing *reading = user;
    unsigned *line = &(lots->frozen ? reading->index->frozen : reading->index->told)[lots->stage];

    if (*line)
        return err_set_at(err, ERR_SYNTAX, reading->line, 0,
                          "what line %u says of the stage is said again", *line);
    *line = reading->line;
    return 0;
}

static int on_trial(void *user, const JournalTrial *trial, Err *err)
{
    const Indexing *reading = user;

    (void)err;
    reading->index->trial = *trial;
    reading->index->trial_line = reading->line;
    return 0;
}

static int on_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    const Indexing *reading = user;
    AuditIndex *index = reading->index;

    if (index->ruling_count == AUDIT_RULINGS_MAX)
        return err_set_at(err, ERR_LIMIT, reading->line, 0, "more than %d rulings",
                          AUDIT_RULINGS_MAX);
    AuditRuling *kept = &index->rulings[index->ruling_count++];
    *kept =
        (AuditRuling){.line = reading->line, .stage = ruling->stage, .decision = ruling->decision};
    buf_add(&index->ruled, ruling->agent);
    buf_add_char(&index->ruled, '\n');
    buf_add(&index->ruled, ruling->rule);
    buf_add_char(&index->ruled, '\n');
    return buf_failed(&index->ruled) ? err_set(err, ERR_MEMORY, "audit: out of memory") : 0;
}

static int on_stop(void *user, const JournalStop *stop, Err *err)
{
    const Indexing *reading = user;
    unsigned *line = &reading->index->stop[stop->stage];

    if (*line)
        return err_set_at(err, ERR_SYNTAX, reading->line, 0,
                          "the stage has stopped before, in line %u", *line);
    *line = reading->line;
    return 0;
}

/* Of a set, wherever its lines stand. */
static int on_act(void *user, const OperatorAct *act, Err *err)
{
    const Indexing *reading = user;

    return journal_voids_add(&reading->index->voids, act, err);
}

static int on_line(void *user, Str line, unsigned number, Err *err)
{
    static const JournalListener heard = {.plan = on_plan,
                                          .set = on_set,
                                          .game = on_game,
                                          .note = on_note,
                                          .end = on_end,
                                          .key = on_key,
                                          .lots = on_lots,
                                          .ruling = on_ruling,
                                          .trial = on_trial,
                                          .act = on_act,
                                          .stop = on_stop};
    Indexing *reading = user;
    JournalListener listener = heard;

    listener.user = reading;
    reading->line = number;
    reading->bytes = (uint32_t)line.len;
    reading->faults_bytes = 0;
    journal_line_get_faults_bytes(line, &reading->faults_bytes);
    int rc = journal_line_hear(line, number, &listener, reading->scratch, err);
    reading->at += line.len + 1;
    reading->index->lines = number;
    return rc;
}

/* ---- public ---- */

static int compare_lines(const void *a, const void *b)
{
    const AuditLine *x = a, *y = b;

    if (x->stage != y->stage)
        return x->stage < y->stage ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void sort_lines(AuditLines *lines)
{
    if (lines->count)
        qsort(lines->items, lines->count, sizeof(*lines->items), compare_lines);
}

int audit_index_read(const char *dir, AuditIndex *ret_index, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    Indexing reading = {.index = ret_index, .scratch = scratch};
    JournalEnd end = {0};

    *ret_index = (AuditIndex){.file = -1};
    buf_printf(&path, "%s/" JOURNAL_FILE, dir);
    ret_index->parts = mem_new(sizeof(*ret_index->parts));
    ret_index->part_count = 1;
    if (!scratch || !ret_index->parts || buf_failed(&path))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    int rc = regular_file_open(buf_cstr(&path), &ret_index->file, err);
    if (rc == 0)
        rc = journal_lines_of(ret_index->file, on_line, &reading, &end, err);
    ret_index->torn = end.torn;
    sort_lines(&ret_index->sets);
    sort_lines(&ret_index->games);
    journal_voids_sort(&ret_index->voids);
    return rc;
}

void audit_index_done(AuditIndex *index)
{
    if (index->file >= 0)
        close(index->file);
    index->file = -1;
    buf_done(&index->plan);
    buf_done(&index->ruled);
    journal_voids_done(&index->voids);
    index->parts = mem_free(index->parts);
    for (uint32_t stage = 0; stage < STAGES_MAX; stage++)
        buf_done(&index->cuts[stage]);
    index->sets.items = mem_free(index->sets.items);
    index->games.items = mem_free(index->games.items);
}

size_t audit_index_from(const AuditLines *lines, uint32_t stage, uint64_t number)
{
    size_t low = 0, high = lines->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const AuditLine *at = &lines->items[middle];
        if (at->stage < stage || (at->stage == stage && at->number < number))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

AuditLine *audit_index_find(const AuditLines *lines, uint32_t stage, uint64_t number)
{
    const size_t at = audit_index_from(lines, stage, number);

    if (at == lines->count || lines->items[at].stage != stage || lines->items[at].number != number)
        return NULL;
    return &lines->items[at];
}

int audit_index_hear(const AuditIndex *index, const AuditLine *line, Buf *text,
                     const JournalListener *listener, GameRecord *scratch, Err *err)
{
    size_t have = 0;

    buf_clear(text);
    if (!buf_reserve(text, line->bytes))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    char *bytes = text->bytes;
    while (have < line->bytes) {
        ssize_t n = pread(index->file, bytes + have, line->bytes - have, (off_t)(line->at + have));
        if (n == 0 || (n < 0 && errno != EINTR))
            return err_set(err, ERR_IO, "read the journal: %s",
                           n ? strerror(errno) : "it became shorter");
        have += n > 0 ? (size_t)n : 0;
    }
    return journal_line_hear((Str){bytes, have}, line->line, listener, scratch, err);
}

/* Who hears a game, once it is known whether it is void. */
typedef struct Marking {
    const AuditIndex *index;
    GameRecord *scratch;
    int (*hear)(void *user, const GameRecord *record, Err *err);
    void *user;
} Marking;

static int mark_game(void *user, const GameRecord *record, Err *err)
{
    const Marking *marking = user;

    (void)record; /* it is the scratch */
    journal_voids_mark(&marking->index->voids, marking->scratch);
    return marking->hear(marking->user, marking->scratch, err);
}

int audit_index_game(const AuditIndex *index, const AuditLine *line, Buf *text,
                     int (*hear)(void *user, const GameRecord *record, Err *err), void *user,
                     GameRecord *scratch, Err *err)
{
    Marking marking = {index, scratch, hear, user};
    const JournalListener listener = {.game = mark_game, .user = &marking};

    return audit_index_hear(index, line, text, &listener, scratch, err);
}
