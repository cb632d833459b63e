/* fuzz_strict_order.c - any words are an order of a strict cell that is written to words of the
 * same meaning, or none. Input: words, a NUL or a line end behind each. */
#include "cell/strict_order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS_MAX 300
#define WORD_MAX  4000 /* longer ones no kernel takes as a path */

typedef struct Words {
    char *words[WORDS_MAX + 1];
    size_t count;
} Words;

static void add_word(void *user, const char *text)
{
    Words *words = user;

    assert(words->count < WORDS_MAX);
    words->words[words->count] = strdup(text);
    assert(words->words[words->count]);
    words->words[++words->count] = NULL;
}

static void free_words(Words *words)
{
    while (words->count > 0)
        free(words->words[--words->count]);
}

/* False for more or longer ones than there is room for. */
static bool split_words(const uint8_t *data, size_t size, Words *ret_words)
{
    char word[WORD_MAX + 1];
    size_t bytes = 0;

    for (size_t i = 0; i < size; i++) {
        if (data[i] && data[i] != '\n') {
            if (bytes == WORD_MAX)
                return false;
            word[bytes++] = (char)data[i];
            continue;
        }
        word[bytes] = '\0';
        bytes = 0;
        if (ret_words->count == WORDS_MAX)
            return false;
        add_word(ret_words, word);
    }
    return true;
}

static bool texts_are_equal(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void check_equal(const StrictOrder *a, const StrictOrder *b)
{
    assert(a->filter == b->filter && a->probe == b->probe && a->port == b->port);
    assert(texts_are_equal(a->folder, b->folder) && texts_are_equal(a->root, b->root));
    assert(texts_are_equal(a->memory_group, b->memory_group));
    assert(texts_are_equal(a->process_group, b->process_group) && a->one_group == b->one_group);
    assert(a->memory_bytes == b->memory_bytes && a->writable_bytes == b->writable_bytes);
    assert(texts_are_equal(a->write, b->write) && a->write_bytes == b->write_bytes);
    assert(a->threads == b->threads && a->files == b->files && a->cpu_seconds == b->cpu_seconds);
    assert(a->forbid_threads == b->forbid_threads && a->one_thread == b->one_thread);
    assert(a->read_count == b->read_count && a->noise_count == b->noise_count);
    assert(a->usual_count == b->usual_count);
    for (size_t i = 0; i < a->read_count; i++)
        assert(texts_are_equal(a->read[i], b->read[i]));
    for (size_t i = 0; i < a->noise_count; i++)
        assert(texts_are_equal(a->noise[i], b->noise[i]));
    for (size_t i = 0; i < a->usual_count; i++)
        assert(texts_are_equal(a->usual[i], b->usual[i]));
}

static void check_again(const StrictOrder *order)
{
    Words words = {.count = 0};
    StrictOrder again;

    strict_order_write(order, add_word, &words);
    for (char **word = order->program; word && *word && words.count < WORDS_MAX; word++)
        add_word(&words, *word);
    assert(strict_order_is(words.words) && strict_order_read(words.words, &again));
    check_equal(order, &again);
    free_words(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Words words = {.count = 0};
    StrictOrder order;

    if (split_words(data, size, &words) && strict_order_read(words.words, &order)) {
        assert(order.folder && order.folder[0]);
        assert(order.probe ? !order.program : order.program && order.program[0]);
        assert(order.read_count <= CELL_READ_MAX && order.noise_count <= ORDER_LISTED_MAX &&
               order.usual_count <= ORDER_LISTED_MAX);
        check_again(&order);
    }
    free_words(&words);
    return 0;
}
