/* fuzz_maw_message.c - any body is understood or refused with a sentence; what was understood, when
 * it is written and read again, is the same. */
#include "base/utf8.h"
#include "wire/maw_message.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(Str text)
{
    assert(text.len == 0 || text.bytes);
    assert(utf8_valid(text) && (text.len == 0 || !memchr(text.bytes, 0, text.len)));
}

static void check(const MawMessage *message)
{
    assert(message->type > MAW_NO_TYPE && message->type < MAW_TYPE_COUNT);
    assert(message->player_count <= MAW_LIST_MAX && message->list_count <= MAW_LIST_MAX);
    assert(message->pair_count <= MAW_LIST_MAX && message->score_count <= MAW_LIST_MAX);
    assert(message->line_count <= MAW_ENTRIES_MAX && (message->lines || !message->line_count));
    assert(message->index >= 0 || message->index == MAW_ABSENT);
    assert(message->seconds >= 0 || message->seconds == MAW_ABSENT);
    check_text(message->player_name);
    check_text(message->message);
    check_text(message->target);
    check_text(message->completions);
    for (uint32_t i = 0; i < message->list_count; i++)
        check_text(message->list[i]);
    for (uint32_t i = 0; i < message->pair_count; i++)
        check_text(message->pairs[i].key);
    for (uint32_t i = 0; i < message->line_count; i++) {
        check_text(message->lines[i].name);
        check_text(message->lines[i].text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    MawMessage message;
    MawRefusal why = {0};

    if (!maw_message_read((Str){(const char *)data, size}, &message, &why)) {
        assert(why.act == ACT_NOT_UNDERSTOOD && why.code && why.text[0]);
        assert(utf8_valid(str_of(why.text)) && !message.tree);
        return 0;
    }
    check(&message);
    maw_message_write(&message, &first);
    maw_message_done(&message);
    if (first.len > MAW_BODY_BYTES_MAX)
        return 0; /* lines are written twice, numbers with a point longer */
    bool understood = maw_message_read(buf_str(&first), &message, &why);
    assert(understood);
    check(&message);
    maw_message_write(&message, &second);
    maw_message_done(&message);
    assert(str_eq(buf_str(&first), buf_str(&second)));
    return 0;
}
