#include "site/server_file.h"

#include "base/key_table.h"
#include "base/size_text.h"
#include "disk/log_file.h"
#include "disk/secret.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX   ((size_t)64 * 1024)
#define NODE_BYTES  128 /* of the tree, for a byte of text, at most: see ruleset_text.c */
#define URL_MAX     2000
#define MAIL_MAX    254
#define RESERVE_MAX 90

/* What is read besides, for the end: names of files with secrets. */
typedef struct ServerSource {
    ServerFile file;
    Buf store_file, hook_url_file, hook_secret_file;
} ServerSource;

const char server_file_example[] =
    "# A contest site. Names of files are seen from this file's folder.\n"
    "data: data                        # one folder for everything, 0700\n"
    "listen: 127.0.0.1:8088            # behind a proxy; or with tls, below\n"
    "public_url: http://127.0.0.1:8088 # what browsers see\n"
    "trust_proxy: []                   # addresses of proxies, as [127.0.0.1]\n"
    "# tls: {certificate: tls/fullchain.pem, key: tls/privkey.pem}\n"
    "store: sqlite                     # or postgresql: then store_file names a file with the\n"
    "                                  # connection string, or the environment has WARG_STORE\n"
    "# store_file: secret/store\n"
    "runner: inside                    # outside: `warg contest runner` is a unit of its own\n"
    "# mail: {command: /usr/sbin/sendmail, from: contest@example.org}\n"
    "# hook: {url_file: secret/hook-url, secret_file: secret/hook-secret}\n"
    "cell: {require: namespaces}       # what programs of strangers need: warg contest probe\n"
    "signup: open                      # open, invite, closed\n"
    "disk_reserve: 5%                  # or a size, as 20GiB\n";

void server_file_done(ServerFile *file)
{
    Buf *const texts[] = {&file->folder,      &file->data,         &file->host,
                          &file->certificate, &file->key,          &file->public_url,
                          &file->store,       &file->mail_command, &file->mail_from,
                          &file->hook_url,    &file->hook_secret};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        buf_done(texts[i]);
    for (size_t i = 0; i < SERVER_PROXIES_MAX; i++)
        buf_done(&file->proxies[i]);
}

static void source_done(ServerSource *source)
{
    server_file_done(&source->file);
    buf_done(&source->store_file);
    buf_done(&source->hook_url_file);
    buf_done(&source->hook_secret_file);
}

/* ---- values ---- */

static int take_text(const YamlNode *node, size_t max, Buf *out, Err *err)
{
    Str text;
    int rc = yaml_str(node, &text, err);

    if (rc)
        return rc;
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.bytes[i] < ' ')
            return yaml_mismatch(node, "a text in one line", err);
    if (!text.len || text.len > max)
        return yaml_mismatch(node, "a text", err);
    buf_clear(out);
    buf_add(out, text);
    return 0;
}

/* As seen from the file's folder. */
static int read_path(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    const ServerSource *source = reading->target;
    CLEANUP(buf_done) Buf name = {0};
    Buf *out = key_place(reading, key);
    int rc = take_text(node, URL_MAX, &name, err);

    if (rc)
        return rc;
    buf_clear(out);
    if (name.bytes[0] != '/' && source->file.folder.len)
        buf_printf(out, "%s/", buf_cstr(&source->file.folder));
    buf_add(out, buf_str(&name));
    return 0;
}

/* "127.0.0.1:8088", "[::1]:8088" */
static int read_listen(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    ServerFile *file = reading->target;
    Str text = node->kind == YAML_SCALAR ? node->text : STR("");
    uint64_t port = 0;
    size_t colon = 0;

    (void)key;
    if (!str_find_last(text, ':', &colon) || colon == 0 ||
        !str_to_uint(str_part(text, colon + 1, text.len), UINT16_MAX, &port))
        return key_mismatch(reading, node, "an address and a port, as 127.0.0.1:8088", err);
    Str host = str_part(text, 0, colon);
    if (host.bytes[0] == '[' && host.len > 2 && host.bytes[host.len - 1] == ']')
        host = str_part(host, 1, host.len - 2);
    buf_clear(&file->host);
    buf_add(&file->host, host);
    file->port = (uint16_t)port;
    return 0;
}

/* http or https, a host, no path that ends in a slash, nothing that a header could not hold. */
static int read_url(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    Buf *out = key_place(reading, key);
    int rc = take_text(node, URL_MAX, out, err);
    Str url = buf_str(out);

    if (rc)
        return rc;
    for (size_t i = 0; i < url.len; i++)
        if (strchr(" \"'<>\\?#@", url.bytes[i]) || (unsigned char)url.bytes[i] >= 0x7f)
            return key_mismatch(reading, node, "a URL as https://contest.example.org", err);
    if (!str_starts(url, STR("https://")) && !str_starts(url, STR("http://")))
        return key_mismatch(reading, node, "a URL as https://contest.example.org", err);
    while (out->len && out->bytes[out->len - 1] == '/')
        buf_cut(out, out->len - 1);
    return out->len > strlen("https:/")
               ? 0
               : key_mismatch(reading, node, "a URL as https://contest.example.org", err);
}

static int read_proxies(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                        Err *err)
{
    ServerFile *file = reading->target;
    const bool many = node->kind == YAML_LIST;
    int rc = 0;

    (void)key;
    file->proxy_count = 0;
    for (const YamlNode *one = many ? node->first : node; one && rc == 0;
         one = many ? one->next : NULL) {
        if (file->proxy_count == SERVER_PROXIES_MAX)
            return err_set_at(err, ERR_LIMIT, one->line, one->column, "more than %d proxies",
                              SERVER_PROXIES_MAX);
        rc = take_text(one, 64, &file->proxies[file->proxy_count++], err);
    }
    return rc;
}

static int read_mail(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    Buf *out = key_place(reading, key);
    int rc = take_text(node, MAIL_MAX, out, err);
    Str mail = buf_str(out);
    size_t at = 0;

    if (rc)
        return rc;
    bool good =
        str_find(mail, STR("@"), &at) && at > 0 && at + 1 < mail.len && mail.bytes[0] != '-';
    for (size_t i = 0; good && i < mail.len; i++)
        good = !strchr(" ,;:<>()[]\"\\", mail.bytes[i]) && (unsigned char)mail.bytes[i] < 0x7f;
    return good ? 0 : key_mismatch(reading, node, "an address as contest@example.org", err);
}

/* "5%", or a size. */
static int read_reserve(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                        Err *err)
{
    ServerFile *file = reading->target;
    Str text = node->kind == YAML_SCALAR ? node->text : STR("");
    uint64_t number;

    (void)key;
    if (text.len > 1 && text.bytes[text.len - 1] == '%' &&
        str_to_uint(str_part(text, 0, text.len - 1), RESERVE_MAX, &number)) {
        file->reserve_percent = (uint32_t)number;
        file->reserve_bytes = 0;
        return 0;
    }
    if (!text.len || !size_text_read(text, &number))
        return key_mismatch(reading, node, "a part as 5%, or a size as 20GiB", err);
    file->reserve_bytes = number;
    file->reserve_percent = 0;
    return 0;
}

static const char *const store_words[] = {"sqlite", "postgresql", NULL};
static const char *const runner_words[] = {"inside", "outside", NULL};
static const char *const signup_words[] = {"open", "invite", "closed", NULL};
static const char *const level_words[] = {"namespaces", "filter", "strict", NULL};

static const char *const hook_words[] = {"public", "any", NULL};

static int read_hooks(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    int32_t word = 0;
    int rc = key_read_word(reading, key, node, &word, err);

    ((ServerFile *)reading->target)->any_hook = word == 1;
    return rc;
}

static int read_store(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    int32_t word = 0;
    int rc = key_read_word(reading, key, node, &word, err);

    ((ServerFile *)reading->target)->postgresql = word == 1;
    return rc;
}

static int read_level(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err)
{
    static const CellLevel levels[] = {CELL_NAMESPACES, CELL_FILTER, CELL_STRICT};
    int32_t word = 0;
    int rc = key_read_word(reading, key, node, &word, err);

    if (rc == 0)
        ((ServerFile *)reading->target)->cell_require = levels[word];
    return rc;
}

/* A table reads as a table. */
/* clang-format off */
#define FILES(name, member) {.path = name, KEY_AT(ServerSource, member), .read = read_path}
#define WORD(name, member, list)                                                                   \
    {.path = name, .kind = KEY_WORD, KEY_AT(ServerSource, member), .words = list}
/* clang-format on */

static const KeyRow server_keys[] = {
    FILES("data", file.data),
    {.path = "listen", .read = read_listen},
    FILES("tls.certificate", file.certificate),
    FILES("tls.key", file.key),
    {.path = "public_url", KEY_AT(ServerSource, file.public_url), .read = read_url},
    {.path = "trust_proxy", .read = read_proxies},
    {.path = "store", .words = store_words, .read = read_store},
    FILES("store_file", store_file),
    WORD("runner", file.runner, runner_words),
    FILES("mail.command", file.mail_command),
    {.path = "mail.from", KEY_AT(ServerSource, file.mail_from), .read = read_mail},
    FILES("hook.url_file", hook_url_file),
    FILES("hook.secret_file", hook_secret_file),
    {.path = "hook.teams", .words = hook_words, .read = read_hooks},
    {.path = "cell.require", .words = level_words, .read = read_level},
    WORD("signup", file.signup, signup_words),
    {.path = "disk_reserve", .read = read_reserve},
};
static const KeyTable server_table = KEY_TABLE(server_keys, NULL);

static void set_defaults(ServerFile *file)
{
    buf_printf(&file->data, "%s%sdata", buf_cstr(&file->folder), file->folder.len ? "/" : "");
    buf_add(&file->host, STR("127.0.0.1"));
    file->port = 8088;
    file->cell_require = CELL_NAMESPACES;
    file->reserve_percent = 5;
}

static int check_whole(ServerFile *file, Err *err)
{
    if ((file->certificate.len == 0) != (file->key.len == 0))
        return err_set(err, ERR_RULE, "tls: needs a certificate and a key");
    if ((file->mail_command.len == 0) != (file->mail_from.len == 0))
        return err_set(err, ERR_RULE, "mail: needs a command and a sender, `from`");
    if (!file->public_url.len)
        buf_printf(&file->public_url, "http%s://%s:%u", file->certificate.len ? "s" : "",
                   buf_cstr(&file->host), (unsigned)file->port);
    if (!file->postgresql)
        buf_printf(&file->store, "%s/site.db", buf_cstr(&file->data));
    return buf_failed(&file->store) || buf_failed(&file->public_url) || buf_failed(&file->data)
               ? err_set(err, ERR_MEMORY, "server.yml: out of memory")
               : 0;
}

static int read_source(Str text, const char *folder, ServerSource *source, Err *err)
{
    const YamlNode *root;

    buf_add(&source->file.folder, str_of(folder));
    set_defaults(&source->file);
    if (text.len > BYTES_MAX)
        return err_set(err, ERR_LIMIT, "server.yml has at most %zu bytes", BYTES_MAX);
    CLEANUP(arena_done) Arena arena = arena_new((text.len + 1024) * NODE_BYTES);
    if (!arena.block)
        return err_set(err, ERR_MEMORY, "server.yml: out of memory");
    int rc = yaml_read(text, &arena, &root, err);
    if (rc == 0)
        rc = key_table_read(&(KeyReading){.table = &server_table, .target = source}, root, err);
    return rc ? rc : check_whole(&source->file, err);
}

int server_file_read(Str text, const char *folder, ServerFile *ret_file, Err *err)
{
    CLEANUP(source_done) ServerSource source = {0};
    int rc = read_source(text, folder, &source, err);

    if (rc)
        return rc;
    *ret_file = source.file;
    source.file = (ServerFile){0};
    return 0;
}

/* ---- secrets ---- */

/* The file's, else the environment's; `must` when the site can't do without. */
static int find_secret(const Buf *path, const char *variable, const char *what, bool must,
                       Buf *secret, Err *err)
{
    const bool there = path->len || getenv(variable);

    if (!there && !must)
        return 0;
    return secret_find(path->len ? buf_cstr(path) : NULL, variable, what, "a key `..._file`",
                       secret, err);
}

DiskRoom server_file_room(const ServerFile *file)
{
    return (DiskRoom){.data = buf_cstr(&file->data),
                      .reserve_bytes = file->reserve_bytes,
                      .reserve_permil = file->reserve_percent * 10};
}

int server_file_load(const char *folder, ServerFile *ret_file, Err *err)
{
    CLEANUP(source_done) ServerSource source = {0};
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    char whole[PATH_MAX];

    /* Programs in cells, and jobs, are somewhere else: names are whole. */
    if (!realpath(folder[0] ? folder : ".", whole))
        return err_set(err, ERR_IO, "'%s': %s", folder, strerror(errno));
    buf_printf(&path, "%s/" SERVER_FILE_NAME, whole);
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "server.yml: out of memory");
    int rc = log_file_read(buf_cstr(&path), BYTES_MAX, &text, err);
    if (rc)
        return rc;
    rc = read_source(buf_str(&text), whole, &source, err);
    if (rc)
        return err_wrap(err, "'%s': ", buf_cstr(&path)), rc;
    if (source.file.postgresql)
        rc = find_secret(&source.store_file, SERVER_STORE_ENV, "the store's connection", true,
                         &source.file.store, err);
    if (rc == 0)
        rc = find_secret(&source.hook_url_file, SERVER_HOOK_ENV, "the webhook's URL", false,
                         &source.file.hook_url, err);
    if (rc == 0)
        rc = find_secret(&source.hook_secret_file, SERVER_HOOK_SECRET_ENV, "the webhook's secret",
                         false, &source.file.hook_secret, err);
    if (rc)
        return rc;
    *ret_file = source.file;
    source.file = (ServerFile){0};
    return 0;
}
