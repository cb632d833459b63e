#include "cell/strict_order.h"

#include "base/banned.h"

#include <errno.h>
#include <inttypes.h>

#define WORD_BYTES 4200 /* a path, and the name of its option */

typedef enum OrderType {
    ORDER_TEXT,
    ORDER_LIST,
    ORDER_NUMBER, /* 64 bits */
    ORDER_SHORT,  /* 32 bits */
    ORDER_FLAG,
} OrderType;

/* A member of the order. */
typedef struct OrderRow {
    const char *name;
    OrderType type;
    size_t at;
    size_t count; /* LIST: where its count is */
    size_t most;
} OrderRow;

#define AT(member) offsetof(StrictOrder, member)

static const OrderRow rows[] = {
    {"folder", ORDER_TEXT, AT(folder), 0, 0},
    {"root", ORDER_TEXT, AT(root), 0, 0},
    {"memory-group", ORDER_TEXT, AT(memory_group), 0, 0},
    {"process-group", ORDER_TEXT, AT(process_group), 0, 0},
    {"one-group", ORDER_FLAG, AT(one_group), 0, 0},
    {"memory", ORDER_NUMBER, AT(memory_bytes), 0, 0},
    {"writable", ORDER_NUMBER, AT(writable_bytes), 0, 0},
    {"threads", ORDER_SHORT, AT(threads), 0, 0},
    {"files", ORDER_SHORT, AT(files), 0, 0},
    {"cpu", ORDER_SHORT, AT(cpu_seconds), 0, 0},
    {"forbid-threads", ORDER_FLAG, AT(forbid_threads), 0, 0},
    {"one-thread", ORDER_FLAG, AT(one_thread), 0, 0},
    {"write", ORDER_TEXT, AT(write), 0, 0},
    {"write-bytes", ORDER_NUMBER, AT(write_bytes), 0, 0},
    {"read", ORDER_LIST, AT(read), AT(read_count), CELL_READ_MAX},
    {"noise", ORDER_LIST, AT(noise), AT(noise_count), ORDER_LISTED_MAX},
    {"usual", ORDER_LIST, AT(usual), AT(usual_count), ORDER_LISTED_MAX},
    {"probe", ORDER_FLAG, AT(probe), 0, 0},
};

static const char strict[] = "--strict=";

/* ---- reading ---- */

/* Where a member is. */
static void *place_of(StrictOrder *order, size_t at)
{
    return (char *)order + at;
}

static bool read_number(const char *text, uint64_t most, uint64_t *ret)
{
    char *end = NULL;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *ret = strtoull(text, &end, 10);
    return !*end && !errno && *ret <= most;
}

static bool read_value(const OrderRow *row, const char *value, StrictOrder *order)
{
    uint64_t number = 0;

    if (row->type == ORDER_FLAG) {
        *(bool *)place_of(order, row->at) = true;
        return !value;
    }
    if (!value)
        return false;
    switch (row->type) {
    case ORDER_FLAG: /* above */
        return false;
    case ORDER_TEXT:
        *(const char **)place_of(order, row->at) = value;
        return value[0] != '\0';
    case ORDER_LIST: {
        size_t *count = place_of(order, row->count);
        if (*count == row->most)
            return false;
        ((const char **)place_of(order, row->at))[(*count)++] = value;
        return true;
    }
    case ORDER_NUMBER:
        return read_number(value, UINT64_MAX, place_of(order, row->at));
    case ORDER_SHORT:
        if (!read_number(value, UINT32_MAX, &number))
            return false;
        *(uint32_t *)place_of(order, row->at) = (uint32_t)number;
        return true;
    }
    return false;
}

static bool read_word(const char *word, StrictOrder *order)
{
    uint64_t port = 0;

    if (strncmp(word, "--", 2) != 0)
        return false;
    const char *name = word + 2;
    const size_t bytes = strcspn(name, "=");
    const char *value = name[bytes] ? name + bytes + 1 : NULL;
    if (bytes == 4 && strncmp(name, "port", 4) == 0) {
        if (!value || !read_number(value, UINT16_MAX, &port))
            return false;
        order->port = (uint16_t)port;
        return true;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strlen(rows[i].name) == bytes && strncmp(rows[i].name, name, bytes) == 0)
            return read_value(&rows[i], value, order);
    return false;
}

bool strict_order_is(char *const *words)
{
    return words[0] && strncmp(words[0], strict, strlen(strict)) == 0;
}

bool strict_order_read(char **words, StrictOrder *ret_order)
{
    StrictOrder order = {.port = ORDER_PORT};

    if (!strict_order_is(words))
        return false;
    const char *level = words[0] + strlen(strict);
    order.filter = strcmp(level, cell_level_name(CELL_FILTER)) == 0;
    if (!order.filter && strcmp(level, cell_level_name(CELL_NAMESPACES)) != 0)
        return false;
    for (words++; *words && strcmp(*words, "--") != 0; words++)
        if (!read_word(*words, &order))
            return false;
    if (*words && words[1])
        order.program = words + 1;
    *ret_order = order;
    return order.folder && (order.probe ? !order.program : order.program != NULL);
}

/* ---- writing ---- */

/* Who gets the words. */
typedef struct OrderEars {
    void (*word)(void *user, const char *text);
    void *user;
} OrderEars;

static void write_text(const OrderEars *ears, const char *name, const char *value)
{
    char word[WORD_BYTES];

    snprintf(word, sizeof(word), "--%s=%s", name, value);
    ears->word(ears->user, word);
}

static void write_number(const OrderEars *ears, const char *name, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, value);
    write_text(ears, name, text);
}

/* Where a member is, to be read. */
static const void *member_of(const StrictOrder *order, size_t at)
{
    return (const char *)order + at;
}

static void write_flag(const OrderEars *ears, const char *name)
{
    char word[64];

    snprintf(word, sizeof(word), "--%s", name);
    ears->word(ears->user, word);
}

static void write_row(const StrictOrder *order, const OrderRow *row, const OrderEars *ears)
{
    const void *at = member_of(order, row->at);

    switch (row->type) {
    case ORDER_FLAG:
        if (*(const bool *)at)
            write_flag(ears, row->name);
        break;
    case ORDER_TEXT:
        if (*(const char *const *)at)
            write_text(ears, row->name, *(const char *const *)at);
        break;
    case ORDER_LIST:
        for (size_t i = 0; i < *(const size_t *)member_of(order, row->count); i++)
            write_text(ears, row->name, ((const char *const *)at)[i]);
        break;
    case ORDER_NUMBER:
        write_number(ears, row->name, *(const uint64_t *)at);
        break;
    case ORDER_SHORT:
        write_number(ears, row->name, *(const uint32_t *)at);
        break;
    }
}

void strict_order_write(const StrictOrder *order, void (*word)(void *user, const char *text),
                        void *user)
{
    const OrderEars ears = {word, user};

    write_text(&ears, "strict", cell_level_name(order->filter ? CELL_FILTER : CELL_NAMESPACES));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        write_row(order, &rows[i], &ears);
    write_number(&ears, "port", order->port);
    if (!order->probe)
        word(user, "--");
}
