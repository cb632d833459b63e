#include "audit/audit_faults.h"

#include "audit/audit_verdict.h"
#include "base/mem.h"
#include "disk/regular_file.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#define FAULTS_BYTES_MAX ((uint64_t)64 * 1024 * 1024) /* of one game */

/* Games in the order in which they came to disk, one after the other. */
typedef struct FaultsLook {
    int file; /* -1 = there is none */
    uint64_t at;
    unsigned line; /* read so far */
    AuditVerdict *verdict;
    Buf text;    /* the faults of a game */
    Buf journal; /* its line */
    const AuditLine *game;
    uint32_t listed[SEAT_MAX + 1][FAULT_COUNT];
    uint64_t listed_count;
} FaultsLook;

static void faults_look_done(FaultsLook *look)
{
    if (look->file >= 0)
        close(look->file);
    buf_done(&look->text);
    buf_done(&look->journal);
}

/* A game by its place in the file. */
typedef struct GamePlace {
    const AuditLine *game;
} GamePlace;

static int compare_places(const void *a, const void *b)
{
    const AuditLine *x = ((const GamePlace *)a)->game, *y = ((const GamePlace *)b)->game;

    return x->line < y->line ? -1 : x->line > y->line;
}

/* The bytes of the file that belong to the game. */
static int read_faults(FaultsLook *look, Err *err)
{
    const uint64_t end = look->game->faults_bytes;
    uint64_t have = 0;

    buf_clear(&look->text);
    if (end < look->at || end - look->at > FAULTS_BYTES_MAX) {
        audit_contradict(look->verdict, JOURNAL_FILE, look->game->line,
                         "'faults_bytes' goes from %" PRIu64 " to %" PRIu64, look->at, end);
        return 0;
    }
    if (!buf_reserve(&look->text, (size_t)(end - look->at)))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    while (have < end - look->at) {
        ssize_t n = pread(look->file, look->text.bytes + have, (size_t)(end - look->at - have),
                          (off_t)(look->at + have));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            audit_contradict(look->verdict, JOURNAL_FAULTS_FILE, look->line + 1,
                             "line %u of " JOURNAL_FILE " says that it is longer",
                             look->game->line);
            return 0;
        }
        have += (uint64_t)n;
    }
    look->text.len = (size_t)have;
    look->at = end;
    return 0;
}

/* One line; false when it is none of this game. */
static bool take_fault(FaultsLook *look, Str line)
{
    json_t *fault = json_loadb(line.bytes, line.len, JSON_REJECT_DUPLICATES, NULL);
    const json_int_t seat = json_integer_value(json_object_get(fault, "seat"));
    const char *kind = json_string_value(json_object_get(fault, "kind"));
    const FaultKind of = fault_kind_of(str_of(kind ? kind : ""));
    const bool good =
        json_integer_value(json_object_get(fault, "stage")) == look->game->stage &&
        json_integer_value(json_object_get(fault, "game")) == (json_int_t)look->game->number &&
        seat >= 1 && seat <= SEAT_MAX && of < FAULT_COUNT;

    if (good) {
        look->listed[seat][of]++;
        look->listed_count++;
    }
    json_decref(fault);
    return good;
}

static int compare_counts(void *user, const GameRecord *record, Err *err)
{
    FaultsLook *look = user;

    (void)err;
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        for (unsigned kind = 0; kind < FAULT_COUNT; kind++) {
            const uint32_t counted =
                seat <= record->result.seat_count ? record->seats[seat].faults[kind] : 0;
            const uint32_t listed = look->listed[seat][kind];
            if (listed > counted || (listed < counted && look->listed_count < JOURNAL_FAULTS_MAX))
                audit_contradict(look->verdict, JOURNAL_FILE, look->game->line,
                                 "seat %u: %" PRIu32 " times %s are counted, " JOURNAL_FAULTS_FILE
                                 " lists %" PRIu32,
                                 seat, counted, fault_kind_name((FaultKind)kind), listed);
        }
    look->verdict->count += look->listed_count;
    return 0;
}

static int check_game(FaultsLook *look, const AuditIndex *index, GameRecord *scratch, Err *err)
{
    Err own = {0};
    int rc = read_faults(look, err);

    if (rc || look->verdict->state == AUDIT_CONTRADICTED)
        return rc;
    memset(look->listed, 0, sizeof(look->listed));
    look->listed_count = 0;
    for (Str rest = buf_str(&look->text); rest.len;) {
        look->line++;
        if (!take_fault(look, str_cut(&rest, '\n'))) {
            audit_contradict(look->verdict, JOURNAL_FAULTS_FILE, look->line,
                             "no fault of the game in line %u of " JOURNAL_FILE, look->game->line);
            return 0;
        }
    }
    rc = audit_index_game(index, look->game, &look->journal, compare_counts, look, scratch, &own);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (rc)
        audit_contradict(look->verdict, JOURNAL_FILE, own.line, "%s", own.msg);
    return 0;
}

static int open_faults(const char *dir, FaultsLook *look, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/" JOURNAL_FAULTS_FILE, dir);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (regular_file_open(buf_cstr(&path), &look->file, NULL))
        look->file = -1; /* whoever needs it finds that */
    return 0;
}

int audit_faults_check(const char *dir, const AuditIndex *index, AuditVerdict *verdict, Err *err)
{
    CLEANUP(faults_look_done) FaultsLook look = {.file = -1, .verdict = verdict};
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    CLEANUP(mem_freep) GamePlace *games = mem_new((index->games.count + 1) * sizeof(*games));
    int rc = scratch && games ? open_faults(dir, &look, err)
                              : err_set(err, ERR_MEMORY, "audit: out of memory");

    if (rc)
        return rc;
    for (size_t i = 0; i < index->games.count; i++)
        games[i].game = &index->games.items[i];
    qsort(games, index->games.count, sizeof(*games), compare_places);
    for (size_t i = 0; i < index->games.count && rc == 0 && verdict->state != AUDIT_CONTRADICTED;
         i++) {
        look.game = games[i].game;
        rc = check_game(&look, index, scratch, err);
    }
    const off_t end = look.file >= 0 ? lseek(look.file, 0, SEEK_END) : 0;
    if (rc == 0 && index->end && (uint64_t)end != look.at)
        audit_contradict(verdict, JOURNAL_FAULTS_FILE, look.line + 1,
                         "it goes on behind the faults of the last game");
    return rc;
}
