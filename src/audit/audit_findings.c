#include "audit/audit_findings.h"

#include "audit/audit_verdict.h"
#include "base/mem.h"
#include "disk/regular_file.h"
#include "journal/finding_line.h"
#include "journal/journal_line.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#define PIECE_BYTES_MAX ((uint64_t)256 * 1024 * 1024) /* of the file, between two lines */

/* How many lines an agent has of a rule in a set. */
typedef struct SetLines {
    uint32_t stage;
    uint64_t set;
    FindingRule rule;
    char agent[AGENT_NAME_MAX + 1];
    uint64_t lines;
    uint64_t missing; /* counted in games, and not listed */
    unsigned line;    /* of the journal, where that was first so */
} SetLines;

/* The journal from its beginning, with the file beside it. */
typedef struct FindingsLook {
    AuditVerdict *verdict;
    int file; /* -1 = there is none */
    uint64_t at;
    unsigned line;       /* of the file, read so far */
    unsigned ended_line; /* ... when the end of a set was told */
    unsigned journal_line;
    Sha256 *hash;           /* of what came since then; NULL = nothing */
    Buf text;               /* what belongs to a line of the journal */
    const GameRecord *game; /* whose findings are read; NULL: those at the end of a set */
    const JournalFindings *end;
    uint64_t listed[SEAT_MAX + 1][FINDING_RULES];
    SetLines *sets;
    size_t count;
    size_t room;
    GameRecord *scratch;
    bool over; /* something was contradicted */
} FindingsLook;

static void findings_look_done(FindingsLook *look)
{
    char hex[SHA256_HEX_BYTES];

    if (look->file >= 0)
        close(look->file);
    if (look->hash)
        sha256_end(look->hash, hex);
    buf_done(&look->text);
    mem_free(look->sets);
    mem_free(look->scratch);
}

/* ---- what a set has ---- */

/* NULL without memory. The sets that are played at once are few, and the last ones. */
static SetLines *lines_of(FindingsLook *look, uint32_t stage, uint64_t set, Str agent,
                          FindingRule rule)
{
    for (size_t i = look->count; i > 0; i--) {
        SetLines *own = &look->sets[i - 1];
        if (own->stage == stage && own->set == set && own->rule == rule &&
            str_eq(str_of(own->agent), agent))
            return own;
    }
    if (look->count == look->room) {
        size_t room = look->room ? 2 * look->room : 64;
        SetLines *more = mem_resize(look->sets, room, sizeof(*more));
        if (!more)
            return NULL;
        look->sets = more;
        look->room = room;
    }
    SetLines *own = &look->sets[look->count++];
    *own = (SetLines){.stage = stage, .set = set, .rule = rule};
    memcpy(own->agent, agent.bytes, agent.len);
    return own;
}

/* Where fewer are listed than were counted, the list must be as long as it may become. */
static void judge_set(FindingsLook *look, const SetLines *own)
{
    if (own->missing && own->lines < FINDINGS_KEPT)
        audit_contradict(look->verdict, JOURNAL_FILE, own->line,
                         "agent %s: %" PRIu64 " times %s are counted that " FINDINGS_FILE
                         " does not list, and it lists only %" PRIu64 " of the set",
                         own->agent, own->missing, finding_rule_name(own->rule), own->lines);
}

/* A set is over: what is known of it is judged and forgotten. */
static void close_set(FindingsLook *look, uint32_t stage, uint64_t set)
{
    size_t left = 0;

    for (size_t i = 0; i < look->count; i++)
        if (look->sets[i].stage == stage && look->sets[i].set == set)
            judge_set(look, &look->sets[i]);
        else
            look->sets[left++] = look->sets[i];
    look->count = left;
}

/* ---- the file ---- */

static int read_piece(FindingsLook *look, uint64_t end, Err *err)
{
    uint64_t have = 0;

    buf_clear(&look->text);
    if (end < look->at || end - look->at > PIECE_BYTES_MAX) {
        audit_contradict(look->verdict, JOURNAL_FILE, look->journal_line,
                         "'findings_bytes' goes from %" PRIu64 " to %" PRIu64, look->at, end);
        look->over = true;
        return 0;
    }
    if (!buf_reserve(&look->text, (size_t)(end - look->at)))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    while (have < end - look->at) {
        ssize_t n = look->file < 0
                        ? 0
                        : pread(look->file, look->text.bytes + have,
                                (size_t)(end - look->at - have), (off_t)(look->at + have));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            audit_contradict(look->verdict, FINDINGS_FILE, look->line + 1,
                             "line %u of " JOURNAL_FILE " says that it is longer",
                             look->journal_line);
            look->over = true;
            return 0;
        }
        have += (uint64_t)n;
    }
    look->text.len = (size_t)have;
    look->at = end;
    if (have && !look->hash)
        look->hash = sha256_new();
    if (have && !look->hash)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (have)
        sha256_add(look->hash, buf_str(&look->text));
    return 0;
}

/* Whether the line is one of the game's seats, or of the set that ends. */
static bool is_here(const FindingsLook *look, const FindingLine *line)
{
    const FindingNote *note = &line->note;
    const GameRecord *game = look->game;

    if (!game)
        return !note->in_game && note->stage == look->end->stage && note->set == look->end->set;
    return line->total == 0 && note->in_game && note->stage == game->stage &&
           note->game == game->game && note->set == game->set &&
           note->seat <= game->result.seat_count &&
           str_eq(note->agent, game->result.names[note->seat]);
}

static int on_line(void *user, const FindingLine *line, Err *err)
{
    FindingsLook *look = user;
    const FindingNote *note = &line->note;

    if (!is_here(look, line))
        return err_set_at(err, ERR_SYNTAX, line->number, 0, "no finding of the %s in line %u of %s",
                          look->game ? "game" : "set", look->journal_line, JOURNAL_FILE);
    look->verdict->count++;
    if (line->total)
        return 0;
    SetLines *own = lines_of(look, note->stage, note->set, note->agent, note->finding.rule);
    if (!own)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    own->lines++;
    if (look->game)
        look->listed[note->seat][note->finding.rule] += note->finding.count;
    return 0;
}

/* What belongs to the line of the journal. */
static int take_piece(FindingsLook *look, uint64_t end, Err *err)
{
    int rc = read_piece(look, end, err);

    for (Str rest = buf_str(&look->text); rest.len && rc == 0 && !look->over;) {
        Err own = {0};
        const Str line = str_cut(&rest, '\n');
        rc = finding_line_hear(line, ++look->line, on_line, look, &own);
        if (rc == ERR_MEMORY)
            return err_set(err, ERR_MEMORY, "audit: out of memory");
        if (rc)
            audit_contradict(look->verdict, FINDINGS_FILE, own.line, "%s", own.msg);
        look->over = rc != 0;
        rc = 0;
    }
    return rc;
}

/* ---- the journal ---- */

static int compare_seat(FindingsLook *look, const GameRecord *record, SeatNo seat, FindingRule rule,
                        Err *err)
{
    const uint64_t counted = record->seats[seat].findings[rule], listed = look->listed[seat][rule];

    if (listed > counted)
        audit_contradict(look->verdict, JOURNAL_FILE, look->journal_line,
                         "seat %u: %" PRIu64 " times %s are counted, " FINDINGS_FILE
                         " lists %" PRIu64 ", up to its line %u",
                         seat, counted, finding_rule_name(rule), listed, look->line);
    if (listed >= counted)
        return 0;
    SetLines *own = lines_of(look, record->stage, record->set, record->result.names[seat], rule);
    if (!own)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    own->line = own->missing ? own->line : look->journal_line;
    own->missing += counted - listed;
    return 0;
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    FindingsLook *look = user;
    uint64_t bytes = look->at;
    int rc = 0;

    memset(look->listed, 0, sizeof(look->listed));
    look->game = record;
    if (journal_line_get_findings_bytes(buf_str(&look->text), &bytes, NULL))
        rc = take_piece(look, bytes, err);
    look->game = NULL;
    for (SeatNo seat = 1; seat <= record->result.seat_count && rc == 0 && !look->over; seat++)
        for (FindingRule rule = FINDING_NETWORK; rule < FINDING_RULES && rc == 0; rule++)
            rc = compare_seat(look, record, seat, rule, err);
    return rc;
}

static int on_findings(void *user, const JournalFindings *findings, Err *err)
{
    FindingsLook *look = user;
    char hex[SHA256_HEX_BYTES] = "";
    const unsigned first = look->ended_line + 1;

    look->end = findings;
    int rc = take_piece(look, findings->bytes, err);
    look->end = NULL;
    if (rc || look->over)
        return rc;
    if (look->hash)
        sha256_end(TAKE(look->hash), hex);
    if (strcmp(hex, findings->sha256) != 0)
        audit_contradict(look->verdict, FINDINGS_FILE, first,
                         "what stands from here to line %u is not what line %u of " JOURNAL_FILE
                         " is about",
                         look->line, look->journal_line);
    look->ended_line = look->line;
    close_set(look, findings->stage, findings->set);
    return 0;
}

static int on_journal_line(void *user, Str line, unsigned number, Err *err)
{
    FindingsLook *look = user;
    const JournalListener listener = {.game = on_game, .findings = on_findings, .user = look};

    look->journal_line = number;
    if (look->over || look->verdict->state == AUDIT_CONTRADICTED ||
        (!str_starts(line, STR("{\"record\":\"game\"")) &&
         !str_starts(line, STR("{\"record\":\"findings\""))))
        return 0;
    buf_clear(&look->text);
    buf_add(&look->text, line); /* for findings_bytes, which a record does not have */
    if (buf_failed(&look->text))
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    return journal_line_hear(line, number, &listener, look->scratch, err);
}

static int open_findings(const char *dir, FindingsLook *look, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/" FINDINGS_FILE, dir);
    look->scratch = mem_new(sizeof(*look->scratch));
    if (buf_failed(&path) || !look->scratch)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (regular_file_open(buf_cstr(&path), &look->file, NULL))
        look->file = -1; /* whoever needs it finds that */
    return 0;
}

int audit_findings_check(const char *dir, const AuditIndex *index, AuditVerdict *verdict, Err *err)
{
    CLEANUP(findings_look_done) FindingsLook look = {.file = -1, .verdict = verdict};
    Err own = {0};
    int rc = open_findings(dir, &look, err);

    if (rc == 0 && lseek(index->file, 0, SEEK_SET) < 0)
        rc = err_set(err, ERR_IO, "read the journal: %s", strerror(errno));
    if (rc)
        return rc;
    rc = journal_lines_of(index->file, on_journal_line, &look, NULL, &own);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "audit: out of memory");
    if (rc)
        audit_contradict(verdict, JOURNAL_FILE, own.line, "%s", own.msg);
    for (size_t i = 0; i < look.count && index->end; i++)
        judge_set(&look, &look.sets[i]);
    const off_t end = look.file >= 0 ? lseek(look.file, 0, SEEK_END) : 0;
    if (verdict->state != AUDIT_CONTRADICTED && index->end && (uint64_t)end != look.at)
        audit_contradict(verdict, FINDINGS_FILE, look.line + 1,
                         "it goes on behind the findings of the last game");
    return 0;
}
