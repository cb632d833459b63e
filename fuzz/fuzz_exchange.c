/* fuzz_exchange.c - any bytes are an exchange record that is written just so, or an error with its
 * line; what can be played again gives a log that the record is in agreement with. */
#include "record/exchange_replay.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_all(Str text, Buf *texts, Err *err)
{
    CLEANUP(exchange_close) ExchangeReader reader = {0};
    CLEANUP(buf_done) Buf storage = {0};
    ExchangeEntry entry;
    int rc = exchange_open(text, &reader, err);

    while (rc == 0 && (rc = exchange_next(&reader, &entry, err)) == 1) {
        Answer answer;
        exchange_read_answer(&entry, &storage, &answer);
        assert(entry.seat >= 1 && entry.seat <= reader.header.seat_count);
        assert(answer.lapse == (entry.lapse != EXCHANGE_ANSWERED));
        buf_add(texts, entry.text);
        rc = 0;
    }
    assert(rc <= 0);
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const GameKey key = {.key = key_of_seed(7)};
    const Str text = {(const char *)data, size};
    CLEANUP(buf_done) Buf texts = {0};
    CLEANUP(buf_done) Buf log = {0};
    ExchangeFinding finding;
    Ruleset rules;
    Err err = {0};
    int rc = read_all(text, &texts, &err);

    assert(rc == 0 || (err.code == (ErrCode)rc && err.msg[0] && err.line > 0));
    assert(ruleset_preset(STR("aiwolf-2021"), &rules, NULL) == 0);
    assert(exchange_replay(text, &rules, &key, NULL, &log, &finding, NULL) == 0);
    assert(finding.ok ? rc == 0 : finding.line > 0 && finding.reason[0]);
    if (!finding.ok)
        return 0;
    assert(exchange_check(text, buf_str(&log), &rules, &key, &finding, NULL) == 0 && finding.ok);
    log.bytes[0] ^= 1;
    assert(exchange_check(text, buf_str(&log), &rules, &key, &finding, NULL) == 0);
    assert(finding.file == EXCHANGE_FILE_LOG && finding.line == 1);
    return 0;
}
