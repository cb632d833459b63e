#include "contest/version_terms.h"

#include "base/mem.h"
#include "wire/json_read.h"

#define MIB (UINT64_C(1) << 20)

/* A number of the terms and its key. */
typedef struct TermRow {
    const char *key;
    size_t at;
    bool is_short; /* 32 bits; else 64 */
    int64_t min, max;
} TermRow;

#define LONG_TERM(key, member, min, max)                                                           \
    {                                                                                              \
        key, offsetof(VersionTerms, member), false, min, max                                       \
    }
#define SHORT_TERM(key, member, min, max)                                                          \
    {                                                                                              \
        key, offsetof(VersionTerms, member), true, min, max                                        \
    }

static const TermRow rows[] = {
    LONG_TERM("file_bytes", file_bytes, 1, INT64_MAX),
    LONG_TERM("tree_bytes", tree_bytes, 1, INT64_MAX),
    LONG_TERM("entries", entries, 1, 1000000),
    LONG_TERM("memory", cell.memory_bytes, 1, INT64_MAX),
    LONG_TERM("writable", cell.writable_bytes, 0, INT64_MAX),
    SHORT_TERM("threads", cell.threads, 1, 100000),
    SHORT_TERM("files", cell.files, 4, 100000),
    SHORT_TERM("cpu_seconds", cell.cpu_seconds, 1, UINT32_MAX),
    LONG_TERM("output_bytes", output_bytes, 0, INT64_MAX),
    SHORT_TERM("games", games, 1, 1000),
    SHORT_TERM("startup_ms", startup_ms, 1, 3600000),
    SHORT_TERM("answer_ms", answer_ms, 0, 3600000),
};

#define TERM_ROWS (sizeof(rows) / sizeof(rows[0]))

void version_terms_init(VersionTerms *terms)
{
    *terms = (VersionTerms){.file_bytes = 256 * MIB,
                            .tree_bytes = 1024 * MIB,
                            .entries = 20000,
                            .cell = cell_wish_default(),
                            .output_bytes = MIB,
                            .games = 20,
                            .startup_ms = 5000};
    terms->cell.level = CELL_STRICT;
}

void version_terms_done(VersionTerms *terms)
{
    buf_done(&terms->java_lib);
    buf_done(&terms->dotnet_starter);
    buf_done(&terms->python_wheels);
}

static void put_values(const VersionTerms *terms, Json *json)
{
    for (size_t i = 0; i < TERM_ROWS; i++) {
        const char *at = (const char *)terms + rows[i].at;
        json_add_uint(json, rows[i].key,
                      rows[i].is_short ? *(const uint32_t *)(const void *)at
                                       : *(const uint64_t *)(const void *)at);
    }
    json_add_str(json, "level", str_of(cell_level_name(terms->cell.level)));
    json_add_bool(json, "forbid_threads", terms->cell.forbid_threads);
    json_add_bool(json, "name_refuses", terms->name_refuses);
    json_add_bool(json, "japanese", terms->japanese);
}

void version_terms_write_public(const VersionTerms *terms, Json *json)
{
    json_open(json, '{');
    put_values(terms, json);
    json_close(json);
}

void version_terms_write(const VersionTerms *terms, Json *json)
{
    json_open(json, '{');
    put_values(terms, json);
    if (terms->java_lib.len)
        json_add_str(json, "java_lib", buf_str(&terms->java_lib));
    if (terms->dotnet_starter.len)
        json_add_str(json, "dotnet_starter", buf_str(&terms->dotnet_starter));
    if (terms->python_wheels.len)
        json_add_str(json, "python_wheels", buf_str(&terms->python_wheels));
    json_close(json);
}

static void read_number(JsonReader *reader, const json_t *object, const TermRow *row,
                        VersionTerms *terms)
{
    char *at = (char *)terms + row->at;

    if (row->is_short) {
        uint32_t *value = (uint32_t *)(void *)at;
        *value = (uint32_t)json_get_int(reader, object, row->key, row->min, row->max, *value);
    } else {
        uint64_t *value = (uint64_t *)(void *)at;
        *value =
            (uint64_t)json_get_int(reader, object, row->key, row->min, row->max, (int64_t)*value);
    }
}

/* Only strict ones are for programs of strangers. */
static void read_level(JsonReader *reader, const json_t *object, VersionTerms *terms)
{
    const Str name = json_get_str(reader, object, "level");

    for (CellLevel level = 0; name.len && level < CELL_LEVELS; level++)
        if (cell_level_is_strict(level) && str_eq(name, str_of(cell_level_name(level)))) {
            terms->cell.level = level;
            return;
        }
    if (name.len)
        json_refuse(reader, "level", "strict, namespaces or filter");
}

int version_terms_read(const json_t *object, VersionTerms *ret_terms, Err *err)
{
    JsonReader reader = {.err = err};
    VersionTerms terms;

    version_terms_init(&terms);
    if (!json_is_map(object))
        json_refuse(&reader, "terms", "an object");
    for (size_t i = 0; i < TERM_ROWS; i++)
        read_number(&reader, object, &rows[i], &terms);
    read_level(&reader, object, &terms);
    terms.cell.forbid_threads = json_get_bool(&reader, object, "forbid_threads", false);
    terms.name_refuses = json_get_bool(&reader, object, "name_refuses", false);
    terms.japanese = json_get_bool(&reader, object, "japanese", false);
    buf_add(&terms.java_lib, json_get_str(&reader, object, "java_lib"));
    buf_add(&terms.dotnet_starter, json_get_str(&reader, object, "dotnet_starter"));
    buf_add(&terms.python_wheels, json_get_str(&reader, object, "python_wheels"));
    if (reader.rc == 0 && (buf_failed(&terms.java_lib) || buf_failed(&terms.dotnet_starter) ||
                           buf_failed(&terms.python_wheels)))
        reader.rc = err_set(err, ERR_MEMORY, "version: out of memory");
    if (reader.rc) {
        version_terms_done(&terms);
        return reader.rc;
    }
    version_terms_done(ret_terms);
    *ret_terms = terms;
    return 0;
}

static const char *path_or_none(const Buf *path)
{
    return path->len ? buf_cstr(path) : NULL;
}

VersionPlatform version_terms_platform(const VersionTerms *terms)
{
    return (VersionPlatform){path_or_none(&terms->java_lib), path_or_none(&terms->dotnet_starter),
                             path_or_none(&terms->python_wheels)};
}

ArchiveLimits version_terms_limits(const VersionTerms *terms)
{
    return (ArchiveLimits){.entries = terms->entries, .bytes = terms->tree_bytes};
}
