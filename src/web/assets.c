#include "web/assets.h"

#include "base/digest.h"
#include "base/mem.h"
#include "disk/gzip.h"
#include "disk/log_file.h"

#include <dirent.h>
#include <errno.h>

/* What src/web/embed.sh has written. */
typedef struct DistRow {
    uint64_t name, name_bytes;
    uint64_t digest, digest_bytes;
    uint64_t packed, packed_bytes;
    uint64_t bytes;
} DistRow;
extern const uint64_t warg_dist_count;
extern const DistRow warg_dist_table[];
extern const char warg_dist_bytes[];

/* One file. */
typedef struct Held {
    Buf file;
    Buf name;
    Buf plain;
    Str packed; /* in the program */
    char digest[SHA256_HEX_BYTES];
} Held;

typedef struct HeldFiles {
    Held items[ASSETS_FILES_MAX];
    size_t count;
} HeldFiles;

struct Assets {
    Buf dir; /* empty = in the program */
    HeldFiles *files;
};

static const struct {
    const char *ending;
    const char *type;
    bool is_sent;
} types[] = {
    {".js", "text/javascript; charset=utf-8", true},
    {".css", "text/css; charset=utf-8", true},
    {".svg", "image/svg+xml", true},
    {".html", "text/html; charset=utf-8", false},
};

static bool file_ends(Str file, const char *ending)
{
    Str end = str_of(ending);

    return file.len > end.len && str_eq(str_part(file, file.len - end.len, end.len), end);
}

/* Its row in `types`, or -1. */
static int type_of_file(Str file)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (file_ends(file, types[i].ending))
            return (int)i;
    return -1;
}

static HeldFiles *held_free(HeldFiles *files)
{
    for (size_t i = 0; files && i < files->count; i++) {
        buf_done(&files->items[i].file);
        buf_done(&files->items[i].name);
        buf_done(&files->items[i].plain);
    }
    return mem_free(files);
}

/* Its plain bytes are there: the rest follows from them. */
static int held_finish(Held *held, Str file, Err *err)
{
    size_t dot = 0;

    if (sha256_hex(buf_str(&held->plain), held->digest, err))
        return ERR_MEMORY;
    buf_add(&held->file, file);
    if (!str_find_last(file, '.', &dot))
        dot = file.len;
    buf_printf(&held->name, "%.*s.%.8s%.*s", STR_ARG(str_part(file, 0, dot)), held->digest,
               STR_ARG(str_part(file, dot, file.len)));
    return buf_failed(&held->file) || buf_failed(&held->name)
               ? err_set(err, ERR_MEMORY, "the pages' files: out of memory")
               : 0;
}

/* ---- in the program ---- */

static int read_program(HeldFiles *files, Err *err)
{
    int rc = 0;

    for (uint64_t i = 0; rc == 0 && i < warg_dist_count && i < ASSETS_FILES_MAX; i++) {
        const DistRow *row = &warg_dist_table[i];
        Held *held = &files->items[files->count++];
        Str file = {warg_dist_bytes + row->name, (size_t)row->name_bytes};
        held->packed = (Str){warg_dist_bytes + row->packed, (size_t)row->packed_bytes};
        rc = gunzip_text(held->packed, "the pages' files in this program", (size_t)row->bytes,
                         &held->plain, err);
        if (rc == 0)
            rc = held_finish(held, file, err);
        Str digest = {warg_dist_bytes + row->digest, (size_t)row->digest_bytes};
        if (rc == 0 && !str_eq(digest, str_of(held->digest)))
            rc = err_set(err, ERR_SYNTAX, "this program is damaged: its file %.*s is another",
                         STR_ARG(file));
    }
    return rc;
}

/* ---- of a folder ---- */

static int file_wanted(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && type_of_file(str_of(entry->d_name)) >= 0;
}

static int name_order(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_folder_file(HeldFiles *files, const char *dir, const char *file, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    if (files->count == ASSETS_FILES_MAX)
        return err_set(err, ERR_LIMIT, "'%s': more than %d files", dir, ASSETS_FILES_MAX);
    Held *held = &files->items[files->count++];
    buf_printf(&path, "%s/%s", dir, file);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "the pages' files: out of memory");
    int rc = log_file_read(buf_cstr(&path), ASSETS_BYTES_MAX, &held->plain, err);
    return rc ? rc : held_finish(held, str_of(file), err);
}

static int read_folder(HeldFiles *files, const char *dir, Err *err)
{
    struct dirent **entries = NULL;
    int count = scandir(dir, &entries, file_wanted, name_order);
    int rc =
        count < 0 ? err_set(err, ERR_IO, "the pages' files: '%s': %s", dir, strerror(errno)) : 0;

    for (int i = 0; i < count; i++) {
        if (rc == 0)
            rc = read_folder_file(files, dir, entries[i]->d_name, err);
        mem_free(entries[i]);
    }
    mem_free(entries);
    return rc;
}

/* ---- outside ---- */

int assets_look(Assets *assets, Err *err)
{
    bool in_program = assets->dir.len == 0;

    if (in_program && assets->files)
        return 0;
    HeldFiles *files = mem_new(sizeof(*files));
    if (!files)
        return err_set(err, ERR_MEMORY, "the pages' files: out of memory");
    int rc =
        in_program ? read_program(files, err) : read_folder(files, buf_cstr(&assets->dir), err);
    if (rc) {
        held_free(files);
        return rc;
    }
    held_free(assets->files);
    assets->files = files;
    return 0;
}

int assets_open(const char *dir, Assets **ret_assets, Err *err)
{
    Assets *assets = mem_new(sizeof(*assets));

    if (!assets)
        return err_set(err, ERR_MEMORY, "the pages' files: out of memory");
    if (dir)
        buf_add(&assets->dir, dir[0] ? str_of(dir) : STR("."));
    int rc = assets_look(assets, err);
    if (rc) {
        assets_free(assets);
        return rc;
    }
    *ret_assets = assets;
    return 0;
}

Assets *assets_free(Assets *assets)
{
    if (!assets)
        return NULL;
    held_free(assets->files);
    buf_done(&assets->dir);
    return mem_free(assets);
}

void assets_freep(Assets **assets)
{
    *assets = assets_free(*assets);
}

bool assets_may_change(const Assets *assets)
{
    return assets->dir.len > 0;
}

static Asset asset_of(const Held *held)
{
    int type = type_of_file(buf_str(&held->file));

    return (Asset){.file = buf_str(&held->file),
                   .name = buf_str(&held->name),
                   .type = type < 0 ? "application/octet-stream" : types[type].type,
                   .plain = buf_str(&held->plain),
                   .packed = held->packed,
                   .digest = str_of(held->digest),
                   .is_sent = type >= 0 && types[type].is_sent};
}

bool assets_find(const Assets *assets, Str name, Asset *ret_asset)
{
    for (size_t i = 0; i < assets->files->count; i++) {
        *ret_asset = asset_of(&assets->files->items[i]);
        if (ret_asset->is_sent && str_eq(ret_asset->name, name))
            return true;
    }
    return false;
}

bool assets_file(const Assets *assets, Str file, Asset *ret_asset)
{
    for (size_t i = 0; i < assets->files->count; i++) {
        *ret_asset = asset_of(&assets->files->items[i]);
        if (str_eq(ret_asset->file, file))
            return true;
    }
    return false;
}

/* ---- the page ---- */

static void add_link(const Assets *assets, const char *file, const char *before, const char *behind,
                     Buf *out)
{
    Asset asset;

    if (assets_file(assets, str_of(file), &asset))
        buf_printf(out, "%s/web/assets/%.*s%s\n", before, STR_ARG(asset.name), behind);
}

void assets_write_page(const Assets *assets, const char *language, Buf *out)
{
    Asset script;
    bool whole = assets_file(assets, STR("app.js"), &script);

    buf_printf(out,
               "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"color-scheme\" content=\"light dark\">\n<title>warg</title>\n",
               language);
    add_link(assets, "icon.svg", "<link rel=\"icon\" href=\"", "\">", out);
    add_link(assets, "app.css", "<link rel=\"stylesheet\" href=\"", "\">", out);
    add_link(assets, "app.js", "<script type=\"module\" src=\"", "\"></script>", out);
    buf_add(out, STR("</head>\n<body>\n<div id=\"app\"></div>\n<noscript>"));
    buf_add(out, STR("This page draws games of Werewolf by script. / "
                     "このページの表示にはスクリプトが必要です。</noscript>\n"));
    if (!whole)
        buf_add(out, STR("<p>This program was built without web/dist: it has no pages. Its data "
                         "is below /web/api/.</p>\n"));
    buf_add(out, STR("</body>\n</html>\n"));
}
