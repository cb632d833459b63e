/* fuzz_publish.c - any bytes as lines of a journal, each with its CRC made right: what is published
 * of a line is one line or nothing, can be read, and is what is published of itself. */
#include "base/mem.h"
#include "contest/journal_publish.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void publish(Str line, unsigned number, GameRecord *scratch)
{
    const JournalListener nobody = {0};
    CLEANUP(buf_done) Buf once = {0};
    CLEANUP(buf_done) Buf twice = {0};
    Err err = {0};
    int rc = journal_publish_line(line, number, scratch, &once, &err);

    assert(rc == 0 || (err.code == (ErrCode)rc && err.msg[0]));
    if (rc || !once.len)
        return;
    const Str whole = str_part(buf_str(&once), 0, once.len - 1);
    assert(once.bytes[once.len - 1] == '\n' && !memchr(whole.bytes, '\n', whole.len));
    assert(journal_line_intact(whole));
    assert(journal_line_hear(whole, number, &nobody, scratch, NULL) == 0);
    assert(journal_publish_line(whole, number, scratch, &twice, NULL) == 0);
    assert(str_eq(buf_str(&once), buf_str(&twice)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Str text = {(const char *)data, size};
    CLEANUP(mem_freep) GameRecord *scratch = mem_new(sizeof(*scratch));
    const size_t crc = 18;

    for (unsigned number = 1; scratch && text.len; number++) {
        CLEANUP(buf_done) Buf sealed = {0};
        Str line = str_cut(&text, '\n');
        if (journal_line_intact(line)) /* a corpus is made of journals */
            line = str_part(line, 0, line.len - crc);
        buf_add(&sealed, line);
        if (journal_line_seal(&sealed, NULL) == 0)
            publish(str_part(buf_str(&sealed), 0, sealed.len - 1), number, scratch);
    }
    return 0;
}
