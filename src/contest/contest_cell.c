#include "contest/contest_cell.h"

#include "base/duration_text.h"
#include "base/key_table.h"
#include "base/size_text.h"

#define MIB               (INT64_C(1) << 20)
#define MEMORY_MIN        (16 * MIB)
#define SIZE_MAX_BYTES    (INT64_C(1) << 44) /* 16 TiB */
#define OUTPUT_MAX        INT64_C(1000000000000)
#define THREADS_MAX       100000
#define FILES_MIN         16
#define FILES_MAX         1000000
#define CPU_SECONDS_MAX   (366 * 24 * 3600)
#define STRICT_KEYS_START 2 /* in the table: behind level and output */

/* In the order of CellLevel. */
static const char *const level_words[] = {"light", "none", "strict", "namespaces", "filter", NULL};

/* What is read, and from where. */
typedef struct CellSource {
    Plan *plan;
    const char *folder;
} CellSource;

/* ---- values ---- */

static int read_size(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    CLEANUP(buf_done) Buf expected = {0};
    uint64_t bytes;

    if (node->kind == YAML_SCALAR && size_text_read(node->text, &bytes) &&
        bytes >= (uint64_t)key->min && bytes <= (uint64_t)key->max) {
        memcpy(key_place(reading, key), &bytes, sizeof(bytes));
        return 0;
    }
    buf_add(&expected, STR("a size such as 512MiB or 1GiB, from "));
    size_text_write((uint64_t)key->min, &expected);
    buf_add(&expected, STR(" to "));
    size_text_write((uint64_t)key->max, &expected);
    return key_mismatch(reading, node, buf_cstr(&expected), err);
}

static int read_output(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    const CellSource *source = reading->user;
    KeyReading at = *reading;

    at.target = source->plan;
    return read_size(&at, key, node, err);
}

/* Whole seconds. */
static int read_cpu(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    uint32_t *seconds = key_place(reading, key);
    uint64_t ms;

    if (node->kind != YAML_SCALAR || !duration_text_read(node->text, &ms) || ms < 1000 ||
        ms > (uint64_t)key->max * 1000)
        return key_mismatch(reading, node, "a duration such as 90s, 30m or 2h, from 1s to 8784h",
                            err);
    *seconds = (uint32_t)(ms / 1000);
    return 0;
}

/* As seen from the folder of the file. */
static int read_folder(const CellSource *source, const YamlNode *node, const char **ret_text,
                       Err *err)
{
    const Str from = str_of(source->folder ? source->folder : "");
    CLEANUP(buf_done) Buf path = {0};
    Str text;
    int rc = yaml_str(node, &text, err);

    if (rc)
        return rc;
    if (!text.len || memchr(text.bytes, '\0', text.len))
        return yaml_mismatch(node, "a folder", err);
    if (from.len && text.bytes[0] != '/') {
        buf_add(&path, from);
        buf_add_char(&path, '/');
    }
    buf_add(&path, text);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "cell: out of memory");
    *ret_text = plan_text(source->plan, buf_str(&path));
    return *ret_text ? 0
                     : err_set_at(err, ERR_LIMIT, node->line, node->column,
                                  "cell: a folder has at most %d bytes", PLAN_TEXT_MAX);
}

static int read_root(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    return read_folder(reading->user, node, key_place(reading, key), err);
}

/* One folder, or a list of several. */
static int read_read(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    CellWish *cell = reading->target;
    const bool many = node->kind == YAML_LIST;
    int rc = 0;

    (void)key;
    cell->read_count = 0;
    for (const YamlNode *one = many ? node->first : node; one && rc == 0;
         one = many ? one->next : NULL) {
        if (cell->read_count == CELL_READ_MAX)
            return err_set_at(err, ERR_LIMIT, one->line, one->column,
                              "key 'read': more than %d folders", CELL_READ_MAX);
        rc = read_folder(reading->user, one, &cell->read[cell->read_count++], err);
    }
    return rc;
}

/* ---- the key ---- */

/* A table reads as a table. */
/* clang-format off */
#define COUNT(name, member, low, high)                                                             \
    {.path = name, .kind = KEY_NUMBER, KEY_AT(CellWish, member), .min = low, .max = high}
#define BYTES(name, member, low, high)                                                             \
    {.path = name, KEY_AT(CellWish, member), .min = low, .max = high, .read = read_size}
/* clang-format on */

static const KeyRow cell_keys[] = {
    {.path = "level", .kind = KEY_WORD, KEY_AT(CellWish, level), .words = level_words},
    {.path = "output", KEY_AT(Plan, limits.output_bytes), .max = OUTPUT_MAX, .read = read_output},
    BYTES("memory", memory_bytes, MEMORY_MIN, SIZE_MAX_BYTES),
    BYTES("writable", writable_bytes, 0, SIZE_MAX_BYTES),
    COUNT("threads", threads, 1, THREADS_MAX),
    COUNT("files", files, FILES_MIN, FILES_MAX),
    {.path = "cpu", KEY_AT(CellWish, cpu_seconds), .max = CPU_SECONDS_MAX, .read = read_cpu},
    {.path = "forbid_threads", .kind = KEY_FLAG, KEY_AT(CellWish, forbid_threads)},
    {.path = "root", KEY_AT(CellWish, root), .read = read_root},
    {.path = "read", .read = read_read},
};
static const KeyTable cell_table = KEY_TABLE(cell_keys, NULL);

/* A limit that holds nowhere must not look as if it did. */
static int check_level(const CellWish *cell, const YamlNode *map, Err *err)
{
    if (cell_level_is_strict(cell->level))
        return 0;
    for (size_t i = STRICT_KEYS_START; i < cell_table.count; i++) {
        const YamlNode *node = yaml_get(map, cell_keys[i].path);
        if (node)
            return err_set_at(err, ERR_SYNTAX, node->key_line, node->key_column,
                              "key '%s' holds in strict cells only, and the level is %s",
                              cell_keys[i].path, cell_level_name(cell->level));
    }
    return 0;
}

int contest_cell_read(const YamlNode *node, const char *folder, Plan *plan, Err *err)
{
    CellSource source = {plan, folder};
    CellWish cell = plan->cell;
    const KeyReading reading = {.table = &cell_table, .target = &cell, .user = &source};
    int rc = 0;

    if (node->kind == YAML_SCALAR) {
        KeyRow row = cell_keys[0];
        int32_t word = 0;
        row.path = "cell";
        rc = key_read_word(&reading, &row, node, &word, err);
        cell.level = (CellLevel)word;
    } else {
        cell.level = CELL_STRICT;
        rc = key_table_read(&reading, node, err);
        if (rc == 0)
            rc = check_level(&cell, node, err);
    }
    if (rc == 0)
        plan->cell = cell;
    return rc;
}
