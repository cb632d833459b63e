/* What the models of a game thought: who may see it, and the files that it is made of. */
#include "web/site_own.h"

#include "base/mem.h"
#include "disk/log_file.h"
#include "web/game_file.h"
#include "web/mind_doc.h"
#include "web/mind_files.h"

#include <unistd.h>

#define PROMPTS_MAX ((size_t)64 * 1024 * 1024)

/* Where the prompts of a record lie. */
typedef struct Prompts {
    const Catalogue *catalogue;
    const CatalogueGame *game;
    Buf text; /* of one seat */
} Prompts;

/* ---- on a thread ---- */

/* prompts/pNN.jsonl beside the record. A player's name is the game's own: digits behind a p. */
static Str prompts_of(void *user, Str player)
{
    Prompts *prompts = user;
    CLEANUP(buf_done) Buf path = {0};
    const CatalogueGame *game = prompts->game;
    Str folder = game->path;
    size_t slash;
    int file = -1;

    buf_clear(&prompts->text);
    for (size_t i = 0; i < player.len; i++)
        if (player.bytes[i] == '/' || player.bytes[i] == '.')
            return (Str){0};
    folder = str_find_last(folder, '/', &slash) ? str_part(folder, 0, slash + 1) : STR("");
    buf_printf(&path, "%.*sprompts/%.*s.jsonl", STR_ARG(folder), STR_ARG(player));
    if (!game->path.len || buf_failed(&path) ||
        catalogue_open(prompts->catalogue, game->root, buf_str(&path), &file, NULL))
        return (Str){0};
    int rc = log_file_read_from(file, "prompts", PROMPTS_MAX, &prompts->text, NULL);
    close(file);
    return rc ? (Str){0} : buf_str(&prompts->text);
}

static bool is_for_operators(Str record)
{
    Str first = str_cut(&record, '\n');
    size_t at;

    return str_find(first, STR("\"minds\":\"operator\""), &at);
}

static int write_mind(const WebSite *site, const Catalogue *catalogue, const CatalogueGame *game,
                      Str record, Buf *out, Err *err)
{
    CLEANUP(buf_done) Buf document = {0};
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    Prompts prompts = {.catalogue = catalogue, .game = game};
    const DocView view = {.kind = DOC_VIEW_ALL};
    int rc = game_doc_read(record, game->name, game->round, &doc, err);

    if (rc)
        return rc;
    game_doc_set_id(doc, game->id);
    rc = game_file_write(doc, &view, &document, err);
    const MindSource source = {.record = record,
                               .round = game->round,
                               .document = buf_str(&document),
                               .prices = site->setup.prices,
                               .prompts = prompts_of,
                               .user = &prompts};
    if (rc == 0)
        rc = mind_doc_write(&source, out, err);
    buf_done(&prompts.text);
    return rc;
}

/* Of an AIWolf division. */
static int write_agents(const WebSite *site, const Catalogue *catalogue, const CatalogueGame *game,
                        int file, Buf *out, Err *err)
{
    CLEANUP(buf_done) Buf document = {0};
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    MindFiles files = {catalogue, game};
    const DocView view = {.kind = DOC_VIEW_ALL};
    int rc = game_file_read(catalogue, game, file, &doc, err);

    if (rc == 0)
        rc = game_file_write(doc, &view, &document, err);
    MindSource source = mind_files_source(&files);
    source.document = buf_str(&document);
    source.prices = site->setup.prices;
    return rc ? rc : mind_doc_write(&source, out, err);
}

/* A set's agents play on: what one of them thought tells others of its next games. Games of the
 * natural-language division have theirs to themselves. */
static bool may_see_agents(const WebSite *site, const Catalogue *catalogue,
                           const CatalogueGame *game, bool is_operator)
{
    const bool is_over = game->told && (game->division == DIVISION_NLP ||
                                        catalogue_contest(catalogue, game->contest)->complete);

    return is_operator || (is_over && !site->setup.names_hidden);
}

/* While a session goes on, who sits where would tell of its next rounds. */
static int make_mind(const void *user, const Catalogue *catalogue, const CatalogueGame *game,
                     int file, bool is_operator, Buf *out, bool *ret_shown, Err *err)
{
    CLEANUP(buf_done) Buf record = {0};
    const WebSite *site = user;

    if (game->session == CATALOGUE_NONE) {
        *ret_shown = may_see_agents(site, catalogue, game, is_operator);
        return *ret_shown ? write_agents(site, catalogue, game, file, out, err) : 0;
    }
    int rc = game_file_text(file, "the session's record", &record, err);

    *ret_shown =
        rc == 0 && (is_operator || (!site->setup.names_hidden && log_peek_is_over(file, game) &&
                                    !is_for_operators(buf_str(&record))));
    return *ret_shown ? write_mind(site, catalogue, game, buf_str(&record), out, err) : rc;
}

/* ---- on the loop ---- */

/* The newest round of a session that may be told of; NULL. */
static const CatalogueGame *newest_round(const WebSite *site, const WebVisit *visit, size_t session)
{
    const Catalogue *catalogue = site->shared->catalogue;
    const CatalogueGame *newest = NULL;

    for (size_t i = 0; i < catalogue_count(catalogue); i++) {
        const CatalogueGame *game = catalogue_game(catalogue, i);
        bool told = site->live.delay <= 0 ||
                    !site_withholds(site, visit->is_operator, game, visit->request->now);
        if (game->session == session && told && (!newest || game->round > newest->round))
            newest = game;
    }
    return newest;
}

static bool has_minds(const Catalogue *catalogue, const CatalogueGame *game)
{
    const MindFiles files = {catalogue, game};

    return game->session != CATALOGUE_NONE ||
           (game->contest != CATALOGUE_NONE && mind_files_any(&files));
}

void site_mind(void *user, const WebVisit *visit)
{
    WebSite *site = user;
    const Catalogue *catalogue = site->shared->catalogue;
    const CatalogueGame *game = catalogue_find(catalogue, visit->parts[0]);
    size_t session;

    if (game && site->live.delay > 0 &&
        site_withholds(site, visit->is_operator, game, visit->request->now))
        game = NULL;
    else if (!game && catalogue_find_session(catalogue, visit->parts[0], &session))
        game = newest_round(site, visit, session);
    if (!game) {
        (void)site_look_again(site, visit->request->now);
        visit_error(visit, 404, "no-game", SITE_NO_GAME);
    } else if (!has_minds(catalogue, game)) {
        visit_error(visit, 404, "no-minds", "Nothing is kept of what models thought in this game.");
    } else if (game->session == CATALOGUE_NONE &&
               !may_see_agents(site, catalogue, game, visit->is_operator)) {
        visit_error(visit, 403, site->minds.hidden, site->minds.hidden_text);
    } else {
        doc_shelf_answer_made(site->shelf, visit, site->shared, game, &site->minds);
    }
}

void site_mind_begin(WebSite *site)
{
    site->minds = (DocMaker){
        .make = make_mind,
        .user = site,
        .trouble = "not-a-record",
        .hidden = "minds",
        .hidden_text = "What models thought is for operators, at least until the session is over."};
}
