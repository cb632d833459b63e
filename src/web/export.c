#include "web/export.h"

#include "base/digest.h"
#include "base/mem.h"
#include "disk/file_replace.h"
#include "disk/folder.h"
#include "results/html_text.h"
#include "results/report.h"
#include "results/results.h"
#include "web/game_file.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#define STYLE_PLACE     "/*STYLE*/"
#define SCRIPT_PLACE    "/*SCRIPT*/"
#define DOCUMENTS_PLACE "<!--DOCUMENTS-->"
#define HTML_BEGIN      "<html lang=\"en\">"

/* ---- one page ---- */

/* The page's policy has the digest of what stands in it: who builds them apart would get a page
 * that does nothing. */
static int check_digest(Str template, Str text, const char *what, Err *err)
{
    CLEANUP(buf_done) Buf word = {0};
    unsigned char digest[SHA256_BYTES];
    size_t at;

    sha256_texts(&text, 1, digest);
    buf_add(&word, STR("'sha256-"));
    base64_encode((Str){(const char *)digest, sizeof(digest)}, false, &word);
    buf_add_char(&word, '\'');
    if (buf_failed(&word))
        return err_set(err, ERR_MEMORY, "export: out of memory");
    if (str_find(template, buf_str(&word), &at))
        return 0;
    return err_set(err, ERR_SYNTAX,
                   "export.html and %s are not of one build: './dev web' makes "
                   "them anew",
                   what);
}

/* JSON inside HTML: no tag, and no end of one, can begin in it. */
static void add_document(Str json, Buf *out)
{
    buf_add(out, STR("<script type=\"application/json\">"));
    while (json.len) {
        bool more = memchr(json.bytes, '<', json.len) != NULL;
        buf_add(out, str_cut(&json, '<'));
        if (more)
            buf_add(out, STR("\\u003c"));
    }
    buf_add(out, STR("</script>\n"));
}

/* What stands in front of a place; `rest` goes on behind it. */
static int take_before(Str *rest, const char *place, Str *ret_before, Err *err)
{
    size_t at;

    if (!str_find(*rest, str_of(place), &at))
        return err_set(err, ERR_SYNTAX, "export.html has no %s", place);
    *ret_before = str_part(*rest, 0, at);
    *rest = str_part(*rest, at + strlen(place), rest->len);
    return 0;
}

static void add_language(ExportLanguage language, Buf *out)
{
    static const char *const tags[] = {
        [EXPORT_ENGLISH] = "<html lang=\"en\" data-lang=\"en\">",
        [EXPORT_JAPANESE] = "<html lang=\"ja\" data-lang=\"ja\">",
        [EXPORT_BOTH] = HTML_BEGIN,
    };

    buf_add(out, str_of(tags[language]));
}

int export_page(const ExportSetup *setup, const Str *documents, size_t count, Buf *out, Err *err)
{
    Asset template, style, script;
    Str before = STR("");

    if (!assets_file(setup->assets, STR("export.html"), &template) ||
        !assets_file(setup->assets, STR("app.css"), &style) ||
        !assets_file(setup->assets, STR("app.js"), &script))
        return err_set(err, ERR_SYNTAX,
                       "this program was built without web/dist, so it has no pages");
    Str rest = template.plain;
    int rc = check_digest(rest, style.plain, "app.css", err);
    if (rc == 0)
        rc = check_digest(rest, script.plain, "app.js", err);
    if (rc == 0)
        rc = take_before(&rest, HTML_BEGIN, &before, err);
    if (rc)
        return rc;
    buf_add(out, before);
    add_language(setup->language, out);
    rc = take_before(&rest, STYLE_PLACE, &before, err);
    buf_add(out, before);
    buf_add(out, style.plain);
    if (rc == 0)
        rc = take_before(&rest, DOCUMENTS_PLACE, &before, err);
    buf_add(out, before);
    for (size_t i = 0; i < count; i++)
        add_document(documents[i], out);
    if (rc == 0)
        rc = take_before(&rest, SCRIPT_PLACE, &before, err);
    buf_add(out, before);
    buf_add(out, script.plain);
    buf_add(out, rest);
    return rc == 0 && buf_failed(out) ? err_set(err, ERR_MEMORY, "export: out of memory") : rc;
}

/* ---- games ---- */

static int write_document(const ExportSetup *setup, const CatalogueGame *game, Buf *out, Err *err)
{
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    int file = -1;

    if (!game->has_log)
        return err_set(err, ERR_IO, "%.*s: its log is not there", STR_ARG(game->id));
    int rc = catalogue_open(setup->catalogue, game->root, game->path, &file, err);
    if (rc)
        return rc;
    rc = game_file_read(setup->catalogue, game, file, &doc, err);
    close(file);
    if (rc == 0 && setup->view.kind == DOC_VIEW_SEAT && setup->view.seat > game_doc_seats(doc))
        rc = err_set(err, ERR_RULE, "%.*s has the seats 1 to %u", STR_ARG(game->name),
                     game_doc_seats(doc));
    return rc ? rc : game_file_write(doc, &setup->view, out, err);
}

int export_game(const ExportSetup *setup, const CatalogueGame *game, Buf *out, Err *err)
{
    CLEANUP(buf_done) Buf json = {0};
    int rc = write_document(setup, game, &json, err);

    if (rc)
        return rc;
    Str document = buf_str(&json);
    return export_page(setup, &document, 1, out, err);
}

/* Its rounds in their order; NULL without memory. */
static const CatalogueGame **rounds_of(const Catalogue *catalogue, uint32_t session,
                                       size_t *ret_count)
{
    size_t count = 0;
    const CatalogueGame **rounds =
        mem_new((catalogue_count(catalogue) + 1) * sizeof(const CatalogueGame *));

    for (size_t i = catalogue_count(catalogue); rounds && i > 0; i--) {
        const CatalogueGame *game = catalogue_game(catalogue, i - 1);
        if (game->session == session)
            rounds[count++] = game;
    }
    *ret_count = count;
    return rounds;
}

int export_session(const ExportSetup *setup, uint32_t session, Buf *out, Err *err)
{
    size_t count = 0;
    const CatalogueGame **rounds = rounds_of(setup->catalogue, session, &count);
    Buf *jsons = mem_new((count + 1) * sizeof(*jsons));
    Str *documents = mem_new((count + 1) * sizeof(*documents));
    int rc = rounds && jsons && documents ? 0 : err_set(err, ERR_MEMORY, "export: out of memory");

    if (rc == 0 && count == 0)
        rc = err_set(err, ERR_RULE, "the session has no round that was played to its end");
    for (size_t i = 0; rc == 0 && i < count; i++) {
        rc = write_document(setup, rounds[i], &jsons[i], err);
        documents[i] = buf_str(&jsons[i]);
    }
    if (rc == 0)
        rc = export_page(setup, documents, count, out, err);
    for (size_t i = 0; jsons && i < count; i++)
        buf_done(&jsons[i]);
    mem_free(rounds);
    mem_free(jsons);
    mem_free(documents);
    return rc;
}

/* ---- folders ---- */

/* What a folder is written from. */
typedef struct Folder {
    const ExportSetup *setup;
    const char *path; /* of what is exported */
    const char *dir;
    Buf list; /* rows of the list of games */
    uint64_t games, left_out;
} Folder;

static int write_inside(const Folder *folder, Str name, Str text, Err *err)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/%.*s", folder->dir, STR_ARG(name));
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "export: out of memory");
    return file_replace(buf_cstr(&path), text, false, err);
}

/* The page of a game, as the report links it: by its log's name in the contest. */
static void name_page(const Catalogue *catalogue, const CatalogueGame *game, Buf *out)
{
    const CatalogueContest *contest =
        game->contest == CATALOGUE_NONE ? NULL : catalogue_contest(catalogue, game->contest);
    Str path = game->path;

    buf_add(out, STR("games/"));
    if (contest && game->session == CATALOGUE_NONE) {
        if (contest->folder.len)
            path = str_part(path, contest->folder.len + 1, path.len);
        report_game_stem(path, out);
    } else {
        buf_add(out, game->id);
    }
    buf_add(out, STR(".html"));
}

static void tell_left_out(Folder *folder, const CatalogueGame *game, const Err *why)
{
    CLEANUP(buf_done) Buf line = {0};

    folder->left_out++;
    if (!folder->setup->left_out)
        return;
    buf_printf(&line, "%.*s: ", STR_ARG(game->name));
    if (why->line && !strstr(why->msg, "line "))
        buf_printf(&line, "line %u: ", why->line);
    buf_printf(&line, "%s", why->msg);
    folder->setup->left_out(folder->setup->user, buf_str(&line));
}

/* `text` is reused. */
static int write_game_page(Folder *folder, const CatalogueGame *game, Buf *text, Err *err)
{
    CLEANUP(buf_done) Buf name = {0};
    Err own = {0};

    buf_clear(text);
    name_page(folder->setup->catalogue, game, &name);
    int rc = export_game(folder->setup, game, text, &own);
    if (rc == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "%s", own.msg);
    if (rc) {
        tell_left_out(folder, game, &own);
        return 0;
    }
    rc = write_inside(folder, buf_str(&name), buf_str(text), err);
    if (rc)
        return rc;
    folder->games++;
    buf_add(&folder->list, STR("<li><a href=\""));
    for (size_t i = 0; i < name.len; i++) { /* "%" of a name is one of the address */
        if (name.bytes[i] == '%')
            buf_add(&folder->list, STR("%25"));
        else
            buf_add_char(&folder->list, name.bytes[i]);
    }
    buf_add(&folder->list, STR("\">"));
    html_text(game->name, &folder->list);
    buf_add(&folder->list, STR("</a></li>\n"));
    return 0;
}

static int write_games(Folder *folder, Err *err)
{
    const Catalogue *catalogue = folder->setup->catalogue;
    CLEANUP(buf_done) Buf text = {0};
    int rc = 0;

    for (size_t i = catalogue_count(catalogue); rc == 0 && i > 0; i--)
        rc = write_game_page(folder, catalogue_game(catalogue, i - 1), &text, err);
    return rc;
}

/* A page with nothing but the games. */
static int write_list(const Folder *folder, Str title, const char *name, Err *err)
{
    CLEANUP(buf_done) Buf html = {0};
    bool japanese = folder->setup->language == EXPORT_JAPANESE;

    buf_printf(&html,
               "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
               "base-uri 'none'; form-action 'none'\">\n"
               "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
               japanese ? "ja" : "en");
    html_text(title, &html);
    buf_add(&html, STR("</title>\n</head>\n<body>\n<main>\n<h1>"));
    html_text(title, &html);
    buf_add(&html, STR("</h1>\n<ul>\n"));
    buf_add(&html, buf_str(&folder->list));
    buf_add(&html, STR("</ul>\n</main>\n</body>\n</html>\n"));
    if (buf_failed(&html))
        return err_set(err, ERR_MEMORY, "export: out of memory");
    return write_inside(folder, str_of(name), buf_str(&html), err);
}

static int write_report(const Folder *folder, const ReportData *data, ReportLanguage language,
                        const char *name, Err *err)
{
    CLEANUP(buf_done) Buf html = {0};
    const ReportOptions options = {.language = language, .title = STR(""), .game_pages = "games/"};
    int rc = report_write(data, &options, &html, err);

    return rc ? rc : write_inside(folder, str_of(name), buf_str(&html), err);
}

static int write_reports(const Folder *folder, Err *err)
{
    CLEANUP(db_closep) Db *db = NULL;
    CLEANUP(report_data_done) ReportData data = {0};
    ExportLanguage language = folder->setup->language;
    int rc = results_look(folder->path, &db, err);

    if (rc == 0)
        rc = report_data_read_all(db, &data, err);
    if (rc == 0)
        rc = write_report(folder, &data,
                          language == EXPORT_JAPANESE ? REPORT_JAPANESE : REPORT_ENGLISH,
                          "index.html", err);
    if (rc == 0 && language == EXPORT_BOTH)
        rc = write_report(folder, &data, REPORT_JAPANESE, "index.ja.html", err);
    return rc;
}

int export_folder(const ExportSetup *setup, const char *path, const char *dir, uint64_t *ret_games,
                  uint64_t *ret_left_out, Err *err)
{
    Folder folder = {.setup = setup, .path = path, .dir = dir};
    CLEANUP(buf_done) Buf games = {0};
    const Catalogue *catalogue = setup->catalogue;
    bool contest = catalogue_contest_count(catalogue) == 1 &&
                   catalogue_contest(catalogue, 0)->folder.len == 0 && setup->view.names;

    buf_printf(&games, "%s/games", dir);
    if (buf_failed(&games))
        return err_set(err, ERR_MEMORY, "export: out of memory");
    int rc = folder_make(buf_str(&games), err);
    if (rc == 0)
        rc = write_games(&folder, err);
    Str title = str_of(path);
    size_t slash;
    while (title.len > 1 && title.bytes[title.len - 1] == '/')
        title.len--;
    if (str_find_last(title, '/', &slash))
        title = str_part(title, slash + 1, title.len);
    if (rc == 0)
        rc = write_list(&folder, title, contest ? "games.html" : "index.html", err);
    if (rc == 0 && contest)
        rc = write_reports(&folder, err);
    *ret_games = folder.games;
    *ret_left_out = folder.left_out;
    buf_done(&folder.list);
    return rc;
}

/* ---- commands ---- */

static int export_file(const ExportSetup *setup, const char *output, Buf *ret_what, Err *err)
{
    const Catalogue *catalogue = setup->catalogue;
    CLEANUP(buf_done) Buf html = {0};
    CLEANUP(buf_done) Buf path = {0};
    bool session = catalogue_session_count(catalogue) > 0;

    if (catalogue_count(catalogue) == 0)
        return err_set(err, ERR_SYNTAX, "this record has no round that was played to its end");
    int rc = session ? export_session(setup, 0, &html, err)
                     : export_game(setup, catalogue_game(catalogue, 0), &html, err);
    if (rc)
        return rc;
    if (output)
        buf_printf(&path, "%s", output);
    else
        buf_printf(&path, "%.*s.html",
                   STR_ARG(session ? catalogue_session(catalogue, 0)->id
                                   : catalogue_game(catalogue, 0)->id));
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "export: out of memory");
    buf_printf(ret_what, "%s\n", buf_cstr(&path));
    return file_replace(buf_cstr(&path), buf_str(&html), false, err);
}

static int export_all(const ExportSetup *setup, const char *path, const char *output, Buf *ret_what,
                      Err *err)
{
    uint64_t games = 0, left_out = 0;
    struct stat about;

    bool session = catalogue_session_count(setup->catalogue) == 1 &&
                   str_eq(catalogue_session(setup->catalogue, 0)->path, STR("session.jsonl"));
    if (session || (stat(path, &about) == 0 && !S_ISDIR(about.st_mode)))
        return export_file(setup, output, ret_what, err);
    if (!output)
        return err_set(err, ERR_USAGE,
                       "export: of a folder nobody knows where the files go: name a folder with "
                       "--output");
    if (catalogue_count(setup->catalogue) == 0)
        return err_set(err, ERR_IO, "'%s' holds no games", path);
    int rc = export_folder(setup, path, output, &games, &left_out, err);
    if (rc)
        return rc;
    buf_printf(ret_what, "%s/index.html: %" PRIu64 " games\n", output, games);
    return left_out ? 1 : 0;
}

int export_path(const ExportSetup *setup, const char *path, const char *output, int64_t now_ms,
                Buf *ret_what, Err *err)
{
    CLEANUP(assets_freep) Assets *assets = NULL;
    const CatalogueSetup paths = {&path, 1};
    Catalogue *catalogue = NULL;
    ExportSetup own = *setup;
    int rc = catalogue_check(&paths, err);

    if (rc == 0)
        rc = assets_open(NULL, &assets, err);
    if (rc == 0)
        rc = catalogue_scan(&paths, NULL, now_ms, &catalogue, err);
    if (rc)
        return rc;
    own.catalogue = catalogue;
    own.assets = assets;
    rc = export_all(&own, path, output, ret_what, err);
    catalogue_free(catalogue);
    return rc;
}
