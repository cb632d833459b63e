#include "api/api_page.h"

#include "base/mem.h"

#define ASSETS_PREFIX "/web/assets/"
#define PARTS_MAX     5
#define POLICY                                                                                     \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src "     \
    "'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "    \
    "require-trusted-types-for 'script'; trusted-types 'none'"

/* ---- which paths are pages ---- */

static bool is_contest_name(Str name)
{
    bool good = name.len >= 2 && name.len <= 32;

    for (size_t i = 0; good && i < name.len; i++)
        good = (name.bytes[i] >= 'a' && name.bytes[i] <= 'z') ||
               (name.bytes[i] >= '0' && name.bytes[i] <= '9') || name.bytes[i] == '-';
    return good;
}

static bool is_one_of(Str word, const char *const *words)
{
    while (*words && !str_eq(word, str_of(*words)))
        words++;
    return *words;
}

static size_t split_path(Str path, Str ret_parts[static PARTS_MAX])
{
    size_t count = 0;

    while (path.len && count < PARTS_MAX) {
        Str part = str_cut(&path, '/');
        if (part.len)
            ret_parts[count++] = part;
    }
    return count;
}

/* One of a contest's games at its table: the page of games draws it. */
static bool is_game_page(Str path)
{
    Str parts[PARTS_MAX];

    return split_path(path, parts) == 4 && is_contest_name(parts[0]) &&
           str_eq(parts[1], STR("games")) && str_eq(parts[3], STR("watch"));
}

bool api_page_is(Str path)
{
    static const char *const alone[] = {"login", "register", "account", "admin", NULL};
    static const char *const with_secret[] = {"reset", "invite", NULL};
    static const char *const inside[] = {"teams",    "standings", "games", "ledger",
                                         "organise", "judge",     NULL};
    static const char *const with_name[] = {"team", "judge", "games", NULL};
    Str parts[PARTS_MAX];
    size_t count = split_path(path, parts);

    if (count == 0)
        return true;
    if (is_one_of(parts[0], alone))
        return count == 1;
    if (is_one_of(parts[0], with_secret))
        return count <= 2;
    return is_contest_name(parts[0]) &&
           (count == 1 || (count == 2 && is_one_of(parts[1], inside)) ||
            (count == 3 && is_one_of(parts[1], with_name)) || is_game_page(path));
}

/* ---- answers ---- */

static void answer_asset(const Assets *assets, WebConn *conn, const WebRequest *request)
{
    const WebHeader keeps[] = {
        {STR("Cache-Control"), STR("public, max-age=31536000, immutable")},
        {STR("Vary"), STR("Accept-Encoding")},
        {STR("Content-Encoding"), STR("gzip")},
    };
    Asset asset;

    if (!assets_find(assets, str_part(request->path, sizeof(ASSETS_PREFIX) - 1, SIZE_MAX),
                     &asset)) {
        web_reply(conn, 404, "text/plain; charset=utf-8",
                  STR("No such file: load the page again.\n"));
        return;
    }
    bool packed = asset.packed.len && web_takes_gzip(request);
    const WebAnswer answer = {.status = 200,
                              .type = asset.type,
                              .body = packed ? asset.packed : asset.plain,
                              .headers = keeps,
                              .header_count = packed ? 3 : 2};
    web_reply_with(conn, &answer);
}

static void add_link(const Assets *assets, const char *file, const char *before, const char *behind,
                     Buf *out)
{
    Asset asset;

    if (assets_file(assets, str_of(file), &asset))
        buf_printf(out, "%s" ASSETS_PREFIX "%.*s%s\n", before, STR_ARG(asset.name), behind);
}

static void write_shell(const Assets *assets, Buf *out)
{
    Asset script;

    buf_add(out, STR("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta name=\"referrer\" content=\"same-origin\">\n<title>warg</title>\n"));
    add_link(assets, "icon.svg", "<link rel=\"icon\" href=\"", "\">", out);
    add_link(assets, "site.css", "<link rel=\"stylesheet\" href=\"", "\">", out);
    add_link(assets, "site.js", "<script type=\"module\" src=\"", "\"></script>", out);
    buf_add(out, STR("</head>\n<body>\n<div id=\"site\"></div>\n<noscript>These pages are drawn by "
                     "script; the API is below /api/v1/. / "
                     "このページの表示にはスクリプトが必要です。</noscript>\n"));
    if (!assets_file(assets, STR("site.js"), &script))
        buf_add(out, STR("<p>This program was built without web/dist: it has no pages. Its API is "
                         "below /api/v1/.</p>\n"));
    buf_add(out, STR("</body>\n</html>\n"));
}

void api_page_answer(const Assets *assets, WebConn *conn, const WebRequest *request)
{
    const WebHeader headers[] = {
        {STR("Cache-Control"), STR("no-cache")},
        {STR("Content-Security-Policy"), STR(POLICY)},
        {STR("Referrer-Policy"), STR("same-origin")},
    };
    CLEANUP(buf_done) Buf page = {0};

    if (!str_eq(request->method, STR("GET")) && !str_eq(request->method, STR("HEAD"))) {
        web_reply(conn, 405, NULL, (Str){"", 0});
        return;
    }
    if (str_starts(request->path, STR(ASSETS_PREFIX))) {
        answer_asset(assets, conn, request);
        return;
    }
    if (is_game_page(request->path))
        assets_write_page(assets, "en", &page);
    else
        write_shell(assets, &page);
    const WebAnswer answer = {.status = api_page_is(request->path) ? 200 : 404,
                              .type = "text/html; charset=utf-8",
                              .body = buf_str(&page),
                              .headers = headers,
                              .header_count = 3};
    web_reply_with(conn, &answer);
}
