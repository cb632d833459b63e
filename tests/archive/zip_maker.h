/* zip_maker.h - archives as nobody makes them by accident, byte by byte.
 *
 * For:    tests of archive/archive_reader.h and of what is behind it.
 * Memory: appends to the caller's Buf.
 * Thread: any.
 * Source: PKWARE's APPNOTE 6.3.
 */
#ifndef WARG_TESTS_ZIP_MAKER_H
#define WARG_TESTS_ZIP_MAKER_H

#include "base/buf.h"

#include <zlib.h>

#define ZIP_FILE 0100644U
#define ZIP_LINK 0120777U

typedef struct ZipEntry {
    Str name;
    Str data;
    unsigned mode;    /* of Unix; 0 = ZIP_FILE */
    unsigned flags;   /* 1 = encrypted, 0x800 = UTF-8 */
    bool packed;      /* by deflate */
    Str central_name; /* in the directory at the end; empty = `name` */
    int same_as;      /* its local header is that of entry same_as - 1; 0 = its own */
} ZipEntry;

static inline void zip_number(Buf *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buf_add_char(out, (char)(value >> (8 * i) & 0xff));
}

static inline void zip_pack(Str data, Buf *out)
{
    z_stream stream = {0};
    unsigned char *room = mem_new(compressBound((uLong)data.len) + 64);

    if (deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    stream.next_in = (unsigned char *)(uintptr_t)data.bytes;
    stream.avail_in = (uInt)data.len;
    stream.next_out = room;
    stream.avail_out = (uInt)(compressBound((uLong)data.len) + 64);
    deflate(&stream, Z_FINISH);
    buf_add(out, (Str){(const char *)room, stream.total_out});
    deflateEnd(&stream);
    mem_free(room);
}

/* What both headers have alike. */
static inline void zip_facts(const ZipEntry *entry, size_t packed, size_t name_bytes, Buf *out)
{
    zip_number(out, entry->flags, 2);
    zip_number(out, entry->packed ? 8 : 0, 2);
    zip_number(out, 0, 2);
    zip_number(out, 0x21, 2); /* 1980-01-01 */
    zip_number(out, crc32(0, (const unsigned char *)entry->data.bytes, (uInt)entry->data.len), 4);
    zip_number(out, packed, 4);
    zip_number(out, entry->data.len, 4);
    zip_number(out, name_bytes, 2);
    zip_number(out, 0, 2);
}

/* A whole zip file, appended; at most 1,000 entries. */
static inline void zip_make(const ZipEntry *entries, size_t count, Buf *out)
{
    size_t places[1000] = {0}, sizes[1000] = {0};
    CLEANUP(buf_done) Buf packed = {0};

    for (size_t i = 0; i < count; i++) {
        const ZipEntry *entry = &entries[i];
        if (entry->same_as) {
            places[i] = places[entry->same_as - 1];
            sizes[i] = sizes[entry->same_as - 1];
            continue;
        }
        buf_clear(&packed);
        if (entry->packed)
            zip_pack(entry->data, &packed);
        else
            buf_add(&packed, entry->data);
        places[i] = out->len;
        sizes[i] = packed.len;
        buf_add(out, STR("PK\3\4"));
        zip_number(out, 20, 2);
        zip_facts(entry, packed.len, entry->name.len, out);
        buf_add(out, entry->name);
        buf_add(out, buf_str(&packed));
    }
    const size_t start = out->len;
    for (size_t i = 0; i < count; i++) {
        const ZipEntry *entry = &entries[i];
        const Str name = entry->central_name.len ? entry->central_name : entry->name;
        buf_add(out, STR("PK\1\2"));
        zip_number(out, 3 << 8 | 20, 2); /* Unix */
        zip_number(out, 20, 2);
        zip_facts(entry, sizes[i], name.len, out);
        zip_number(out, 0, 6);
        zip_number(out, (uint64_t)(entry->mode ? entry->mode : ZIP_FILE) << 16, 4);
        zip_number(out, places[i], 4);
        buf_add(out, name);
    }
    const size_t bytes = out->len - start;
    buf_add(out, STR("PK\5\6"));
    zip_number(out, 0, 4);
    zip_number(out, count, 2);
    zip_number(out, count, 2);
    zip_number(out, bytes, 4);
    zip_number(out, start, 4);
    zip_number(out, 0, 2);
}

/* One entry of a tar file, appended: `kind` as ustar has it ('0' file, '1' hard link, '2' link, '3'
 * device, '5' folder, '6' pipe). Two blocks of zeros end it: tar_end. */
static inline void tar_entry(const char *name, char kind, const char *link, Str data, Buf *out)
{
    char head[512] = {0};
    unsigned sum = 0;

    snprintf(head, 100, "%s", name);
    snprintf(head + 100, 8, "%07o", 0644);
    snprintf(head + 108, 8, "%07o", 0);
    snprintf(head + 116, 8, "%07o", 0);
    snprintf(head + 124, 12, "%011o", (unsigned)data.len);
    snprintf(head + 136, 12, "%011o", 0);
    memset(head + 148, ' ', 8);
    head[156] = kind;
    snprintf(head + 157, 100, "%s", link);
    memcpy(head + 257, "ustar\00000", 8);
    for (size_t i = 0; i < sizeof(head); i++)
        sum += (unsigned char)head[i];
    snprintf(head + 148, 8, "%06o", sum);
    buf_add(out, (Str){head, sizeof(head)});
    buf_add(out, data);
    while (out->len % 512)
        buf_add_char(out, '\0');
}

static inline void tar_end(Buf *out)
{
    zip_number(out, 0, 8);
    for (int i = 0; i < 1016; i++)
        buf_add_char(out, '\0');
}

#endif
