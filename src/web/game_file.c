#include "web/game_file.h"

#include "web/mind_files.h"

#include "disk/log_file.h"
#include "journal/journal.h"
#include "record/aiwolf_log.h"
#include "record/maw_rounds.h"
#include "web/game_faults.h"

#include <unistd.h>

int game_file_text(int file, const char *name, Buf *ret_text, Err *err)
{
    size_t start = ret_text->len;
    int rc = log_file_read_from(file, name, MAW_RECORD_BYTES_MAX, ret_text, err);

    if (rc)
        return rc;
    size_t bytes = ret_text->len - start;
    if (bytes > LOG_TEXT_BYTES_MAX && !maw_record_is(str_part(buf_str(ret_text), start, bytes)))
        return err_set(err, ERR_LIMIT, "read '%s': more than %zu bytes", name, LOG_TEXT_BYTES_MAX);
    return 0;
}

/* A folder without the file had no faults. */
static int add_faults(const Catalogue *catalogue, const CatalogueGame *game, GameDoc *doc, Err *err)
{
    const CatalogueContest *contest = catalogue_contest(catalogue, game->contest);
    CLEANUP(buf_done) Buf path = {0};
    int file = -1;

    buf_printf(&path, "%.*s%s" JOURNAL_FAULTS_FILE, STR_ARG(contest->folder),
               contest->folder.len ? "/" : "");
    if (buf_failed(&path))
        return err_set(err, ERR_MEMORY, "a game's faults: out of memory");
    if (catalogue_open(catalogue, game->root, buf_str(&path), &file, NULL))
        return 0;
    int rc = game_faults_add(file, game->stage, game->game, doc, err);
    close(file);
    return rc;
}

static int add_contest(const Catalogue *catalogue, const CatalogueGame *game, GameDoc *doc,
                       Err *err)
{
    const CatalogueContest *contest = catalogue_contest(catalogue, game->contest);
    const MindFiles minds = {catalogue, game};
    const DocContest own = {.id = contest->id,
                            .stage = game->stage,
                            .set = (uint32_t)game->set,
                            .game = game->game,
                            .minds = game->division != DIVISION_MAW && mind_files_any(&minds)};

    game_doc_set_contest(doc, &own);
    /* Of MAW the record has them itself. */
    return game->faults && game->division != DIVISION_MAW ? add_faults(catalogue, game, doc, err)
                                                          : 0;
}

int game_file_read(const Catalogue *catalogue, const CatalogueGame *game, int file,
                   GameDoc **ret_doc, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    CLEANUP(buf_done) Buf name = {0};

    buf_add(&name, game->name);
    int rc = game_file_text(file, buf_cstr(&name), &text, err);
    if (rc == 0)
        rc = game_doc_read(buf_str(&text), game->name, game->round, &doc, err);
    if (rc)
        return rc;
    game_doc_set_id(doc, game->id);
    if (game->contest != CATALOGUE_NONE)
        rc = add_contest(catalogue, game, doc, err);
    if (rc == 0 && game_doc_failed(doc))
        rc = err_set(err, ERR_MEMORY, "a game's document: out of memory");
    if (rc == 0)
        *ret_doc = TAKE(doc);
    return rc;
}

int game_file_write(const GameDoc *doc, const DocView *view, Buf *out, Err *err)
{
    size_t start = out->len;

    game_doc_write(doc, view, out);
    if (buf_failed(out))
        return err_set(err, ERR_MEMORY, "a game's document: out of memory");
    if (out->len - start > GAME_DOC_BYTES_MAX)
        return err_set(err, ERR_LIMIT,
                       "this game's document would have more than %zu MiB, which no page can "
                       "show; its log can be downloaded",
                       GAME_DOC_BYTES_MAX >> 20);
    return 0;
}
