/* fuzz_journal.c - any bytes as a journal: reading must end in peace, as it is and with every
 * line's CRC made right (or nothing behind it would ever be reached); a record that was read, of
 * any kind, is written as a line that is read as the same one. */
#include "journal/journal_line.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The line of a record as it was heard, and how often one was. */
typedef struct Echo {
    Buf line;
    unsigned records;
} Echo;

/* What was read can be written. */
static int end_line(Echo *echo, int rc)
{
    assert(rc == 0);
    assert(journal_line_seal(&echo->line, NULL) == 0);
    echo->records++;
    return 0;
}

static Buf *begin_line(Echo *echo)
{
    buf_clear(&echo->line);
    return &echo->line;
}

static int write_plan(void *user, Str plan, Err *err)
{
    (void)err;
    return end_line(user, journal_line_plan(plan, begin_line(user), NULL));
}

static int write_set(void *user, uint32_t stage, uint64_t set, SeatNo count, const Str *names,
                     Err *err)
{
    (void)err;
    return end_line(user, journal_line_set(stage, set, count, names, begin_line(user), NULL));
}

static int write_game(void *user, const GameRecord *record, Err *err)
{
    Echo *echo = user;

    (void)err;
    int rc = journal_line_game(record, begin_line(echo), NULL);
    journal_line_faults_bytes(&echo->line, 0);
    return end_line(echo, rc);
}

static int write_note(void *user, Str text, Err *err)
{
    (void)err;
    journal_line_note(text, begin_line(user));
    return end_line(user, 0);
}

static int write_end(void *user, uint64_t games, Err *err)
{
    (void)err;
    return end_line(user, journal_line_end(games, begin_line(user), NULL));
}

static int write_key(void *user, const JournalKey *key, Err *err)
{
    (void)err;
    return end_line(user, journal_line_key(key, begin_line(user), NULL));
}

static int write_lots(void *user, const JournalLots *lots, Err *err)
{
    (void)err;
    journal_line_lots(lots, begin_line(user));
    return end_line(user, 0);
}

static int write_ruling(void *user, const JournalRuling *ruling, Err *err)
{
    (void)err;
    return end_line(user, journal_line_ruling(ruling, begin_line(user), NULL));
}

static int write_findings(void *user, const JournalFindings *findings, Err *err)
{
    (void)err;
    journal_line_findings(findings, begin_line(user));
    return end_line(user, 0);
}

static int write_cell(void *user, const JournalCell *cell, Err *err)
{
    (void)err;
    return end_line(user, journal_line_cell(cell, begin_line(user), NULL));
}

static int write_stop(void *user, const JournalStop *stop, Err *err)
{
    (void)err;
    return end_line(user, journal_line_stop(stop, begin_line(user), NULL));
}

static int write_act(void *user, const OperatorAct *act, Err *err)
{
    (void)err;
    return end_line(user, journal_line_act(act, begin_line(user), NULL));
}

static JournalListener listener_of(Echo *echo)
{
    return (JournalListener){.plan = write_plan,
                             .set = write_set,
                             .game = write_game,
                             .note = write_note,
                             .end = write_end,
                             .key = write_key,
                             .lots = write_lots,
                             .ruling = write_ruling,
                             .findings = write_findings,
                             .cell = write_cell,
                             .act = write_act,
                             .stop = write_stop,
                             .user = echo};
}

/* A line that was written is read again, and gives the same line once more. */
static void read_again(Str line, unsigned number, GameRecord *scratch)
{
    Echo echo = {0};
    const JournalListener listener = listener_of(&echo);
    Str bare = str_part(line, 0, line.len - 1);

    assert(journal_line_hear(bare, number, &listener, scratch, NULL) == 0);
    assert(echo.records == 1 && str_eq(buf_str(&echo.line), line));
    buf_done(&echo.line);
}

static void read_sealed(Str line, unsigned number, GameRecord *scratch)
{
    CLEANUP(buf_done) Buf sealed = {0};
    Echo echo = {0};
    const JournalListener listener = listener_of(&echo);

    buf_add(&sealed, line);
    if (journal_line_seal(&sealed, NULL) == 0) {
        Err err = {0};
        assert(journal_line_intact(str_part(buf_str(&sealed), 0, sealed.len - 1)));
        int rc = journal_line_hear(str_part(buf_str(&sealed), 0, sealed.len - 1), number, &listener,
                                   scratch, &err);
        assert(rc == 0 || (err.code == (ErrCode)rc && err.line == number && err.msg[0]));
        if (echo.records)
            read_again(buf_str(&echo.line), number, scratch);
    }
    buf_done(&echo.line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str text = {(const char *)data, size};
    Echo echo = {0};
    const JournalListener listener = listener_of(&echo);
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    JournalEnd end = {0};

    if (!scratch)
        return 0;
    if (journal_read_text(text, &listener, &end, NULL) == 0)
        assert(end.bytes <= size && end.torn == (end.bytes < size));
    buf_done(&echo.line);
    for (unsigned number = 1; text.len; number++) {
        Str line = str_cut(&text, '\n');
        size_t crc = 18; /* an old one is taken off: a corpus is made of journals */
        if (journal_line_intact(line))
            line = str_part(line, 0, line.len - crc);
        read_sealed(line, number, scratch);
    }
    return 0;
}
