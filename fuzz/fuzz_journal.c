/* fuzz_journal.c - any bytes as a journal: reading must end in peace, as it is and with every
 * line's CRC made right (or nothing behind it would ever be reached); a game that was read is
 * written as a line that is read as the same game. */
#include "journal/journal_line.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The line of a game as it was heard, and how often one was. */
typedef struct Echo {
    Buf line;
    unsigned games;
} Echo;

static int write_game(void *user, const GameRecord *record, Err *err)
{
    Echo *echo = user;
    Err own = {0};

    (void)err;
    echo->games++;
    buf_clear(&echo->line);
    assert(journal_line_game(record, &echo->line, &own) == 0);
    journal_line_faults_bytes(&echo->line, 0);
    assert(journal_line_seal(&echo->line, &own) == 0);
    return 0;
}

/* A line that was written is read again, and gives the same line once more. */
static void read_again(Str line, GameRecord *scratch)
{
    Echo echo = {0};
    JournalListener listener = {.game = write_game, .user = &echo};
    Str bare = str_part(line, 0, line.len - 1);

    assert(journal_line_hear(bare, 2, &listener, scratch, NULL) == 0);
    assert(echo.games == 1 && str_eq(buf_str(&echo.line), line));
    buf_done(&echo.line);
}

static void read_sealed(Str line, unsigned number, GameRecord *scratch)
{
    CLEANUP(buf_done) Buf sealed = {0};
    Echo echo = {0};
    JournalListener listener = {.game = write_game, .user = &echo};

    buf_add(&sealed, line);
    if (journal_line_seal(&sealed, NULL) == 0) {
        Err err = {0};
        assert(journal_line_intact(str_part(buf_str(&sealed), 0, sealed.len - 1)));
        int rc = journal_line_hear(str_part(buf_str(&sealed), 0, sealed.len - 1), number, &listener,
                                   scratch, &err);
        assert(rc == 0 || (err.code == (ErrCode)rc && err.line == number && err.msg[0]));
        if (echo.games)
            read_again(buf_str(&echo.line), scratch);
    }
    buf_done(&echo.line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str text = {(const char *)data, size};
    Echo echo = {0};
    JournalListener listener = {.game = write_game, .user = &echo};
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
