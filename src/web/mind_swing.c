#include "web/mind_swing.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "web/game_file.h"
#include "web/mind_files.h"
#include "wire/json_read.h"

#include <stdlib.h>
#include <unistd.h>

#define MINDS_BYTES_MAX ((size_t)256 * 1024 * 1024)

void mind_swings_done(MindSwings *swings)
{
    mem_free(swings->rows);
    *swings = (MindSwings){0};
}

/* ---- one game ---- */

/* Its lines, its opinions, and who sat there. */
typedef struct SwingGame {
    json_t *document, *minds;
    SeatNo *speakers;
    uint32_t line_count;
    SwingOpinion *opinions;
    size_t opinion_count;
    SeatSet wolves;
} SwingGame;

static void swing_game_done(SwingGame *game)
{
    json_done(game->document);
    json_done(game->minds);
    mem_free(game->speakers);
    mem_free(game->opinions);
}

static bool is_over(const json_t *document)
{
    const Str status = json_text(document, "status");

    return str_eq(status, STR("finished")) || str_eq(status, STR("aborted"));
}

/* SEAT_NONE: of nobody. */
static SeatNo seat_in_json(const json_t *object, const char *key)
{
    const int64_t seat = json_number(object, key);

    return seat >= 1 && seat <= SEAT_MAX ? (SeatNo)seat : SEAT_NONE;
}

/* What everybody hears, and who listens counts: no whispers, no Skip, no Over. */
static int take_lines(SwingGame *game, Err *err)
{
    const json_t *events = json_get(game->document, "events");

    game->speakers = mem_new((json_count(events) + 1) * sizeof(*game->speakers));
    if (!game->speakers)
        return err_set(err, ERR_MEMORY, "lines of a game: out of memory");
    for (size_t i = 0; i < json_count(events); i++) {
        const json_t *event = json_at(events, i);
        if (str_eq(json_text(event, "kind"), STR("talk")) && !json_get(event, "quiet"))
            game->speakers[game->line_count++] = seat_in_json(event, "seat");
    }
    return 0;
}

static void take_wolves(SwingGame *game)
{
    const json_t *seats = json_get(game->document, "seats");

    for (size_t i = 0; i < json_count(seats); i++) {
        const SeatNo seat = seat_in_json(json_at(seats, i), "seat");
        if (seat != SEAT_NONE && role_of(json_text(json_at(seats, i), "role")) == ROLE_WEREWOLF)
            game->wolves |= seat_bit(seat);
    }
}

static int take_opinions(SwingGame *game, Err *err)
{
    const json_t *opinions = json_get(game->minds, "opinions");

    game->opinions = mem_new((json_count(opinions) + 1) * sizeof(*game->opinions));
    if (!game->opinions)
        return err_set(err, ERR_MEMORY, "opinions of a game: out of memory");
    for (size_t i = 0; i < json_count(opinions); i++) {
        const json_t *opinion = json_at(opinions, i);
        const SeatNo seat = seat_in_json(opinion, "seat");
        const int64_t lines = json_number(opinion, "lines");
        if (seat != SEAT_NONE && !seat_in(game->wolves, seat) && lines >= 0 && lines < UINT32_MAX)
            game->opinions[game->opinion_count++] =
                (SwingOpinion){seat, seat_in_json(opinion, "target"), (uint32_t)lines};
    }
    return 0;
}

/* ---- rows ---- */

static const json_t *seat_of_list(const json_t *seats, SeatNo number)
{
    for (size_t i = 0; i < json_count(seats); i++)
        if (seat_in_json(json_at(seats, i), "seat") == number)
            return json_at(seats, i);
    return NULL;
}

static Str agent_of(const SwingGame *game, SeatNo number)
{
    const json_t *seat = seat_of_list(json_get(game->document, "seats"), number);
    const json_t *mind = seat_of_list(json_get(game->minds, "seats"), number);
    const Str names[] = {json_text(seat, "agent"), json_text(mind, "model"),
                         json_text(seat, "kind"), json_text(seat, "name")};
    size_t i = 0;

    while (i < sizeof(names) / sizeof(names[0]) - 1 && !names[i].len)
        i++;
    return str_part(names[i], 0, AGENT_NAME_MAX);
}

static SwingRow *row_of(MindSwings *swings, Str agent, Role role)
{
    for (size_t i = 0; i < swings->count; i++)
        if (swings->rows[i].role == role && str_eq(str_of(swings->rows[i].agent), agent))
            return &swings->rows[i];
    if (swings->count == swings->room) {
        const size_t room = swings->room ? 2 * swings->room : 16;
        SwingRow *grown = mem_resize(swings->rows, room, sizeof(*grown));
        if (!grown)
            return NULL;
        swings->rows = grown;
        swings->room = room;
    }
    SwingRow *row = &swings->rows[swings->count++];
    *row = (SwingRow){.role = role};
    memcpy(row->agent, agent.bytes, agent.len);
    return row;
}

static int add_seat(MindSwings *swings, const SwingGame *game, SeatNo number,
                    const VoteSwing *swing, Err *err)
{
    const json_t *seat = seat_of_list(json_get(game->document, "seats"), number);

    if (!swing->pairs || !seat)
        return 0;
    SwingRow *row = row_of(swings, agent_of(game, number), role_of(json_text(seat, "role")));
    if (!row)
        return err_set(err, ERR_MEMORY, "vote swing: out of memory");
    row->swing.pairs += swing->pairs;
    row->swing.swung += swing->swung;
    row->swing.to_wolf += swing->to_wolf;
    row->swing.from_wolf += swing->from_wolf;
    row->swing.to_speaker += swing->to_speaker;
    return 0;
}

static int by_agent(const void *a, const void *b)
{
    const SwingRow *left = a, *right = b;
    const int order = strcmp(left->agent, right->agent);

    return order ? order : (left->role > right->role) - (left->role < right->role);
}

static int add_rows(MindSwings *swings, const SwingGame *game, Err *err)
{
    VoteSwing of[SEAT_MAX + 1] = {0};
    int rc = 0;

    vote_swing_add(game->speakers, game->line_count, game->opinions, game->opinion_count,
                   game->wolves, of);
    for (SeatNo seat = 1; seat <= SEAT_MAX && rc == 0; seat++)
        rc = add_seat(swings, game, seat, &of[seat], err);
    if (swings->count)
        qsort(swings->rows, swings->count, sizeof(swings->rows[0]), by_agent);
    return rc;
}

int mind_swing_add(MindSwings *swings, Str document, Str minds, Err *err)
{
    CLEANUP(swing_game_done) SwingGame game = {0};
    int rc = json_read(document, GAME_DOC_BYTES_MAX, &game.document, err);

    if (rc == 0)
        rc = json_read(minds, MINDS_BYTES_MAX, &game.minds, err);
    if (rc || !is_over(game.document))
        return rc;
    take_wolves(&game);
    rc = take_lines(&game, err);
    if (rc == 0)
        rc = take_opinions(&game, err);
    return rc ? rc : add_rows(swings, &game, err);
}

/* ---- all games ---- */

static bool has_minds(const MindFiles *files)
{
    const CatalogueGame *game = files->game;

    return game->has_log && (game->session != CATALOGUE_NONE ||
                             (game->contest != CATALOGUE_NONE && mind_files_any(files)));
}

/* `record`: the log, or the session's record. */
static int add_documents(MindSwings *swings, MindFiles *files, Str record, Err *err)
{
    const CatalogueGame *game = files->game;
    const DocView view = {.kind = DOC_VIEW_ALL, .names = true};
    CLEANUP(game_doc_freep) GameDoc *doc = NULL;
    CLEANUP(buf_done) Buf document = {0};
    CLEANUP(buf_done) Buf minds = {0};
    int rc = game_doc_read(record, game->name, game->round, &doc, err);

    if (rc == 0 && game_doc_status(doc) != DOC_FINISHED && game_doc_status(doc) != DOC_ABORTED)
        return 0;
    if (rc == 0)
        rc = game_file_write(doc, &view, &document, err);
    if (rc)
        return rc;
    MindSource source = {.record = record, .round = game->round};
    if (game->session == CATALOGUE_NONE)
        source = mind_files_source(files);
    source.document = buf_str(&document);
    rc = mind_doc_write(&source, &minds, err);
    return rc ? rc : mind_swing_add(swings, buf_str(&document), buf_str(&minds), err);
}

static int add_game(MindSwings *swings, MindFiles *files, Err *err)
{
    const CatalogueGame *game = files->game;
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf name = {0};
    int file = -1;

    if (!has_minds(files))
        return 0;
    int rc = catalogue_open(files->catalogue, game->root, game->path, &file, err);
    if (rc)
        return rc;
    buf_add(&name, game->name);
    rc = game_file_text(file, buf_cstr(&name), &record, err);
    close(file);
    return rc ? rc : add_documents(swings, files, buf_str(&record), err);
}

static void leave_out(MindSwings *swings, const CatalogueGame *game, const Err *wrong)
{
    CLEANUP(buf_done) Buf why = {0};

    swings->left_out++;
    buf_printf(&why, "%.*s: %s", STR_ARG(game->name), wrong->msg);
    if (swings->on_left_out && !buf_failed(&why))
        swings->on_left_out(swings->user, buf_str(&why));
}

int mind_swing_collect(MindSwings *swings, const CatalogueSetup *paths, int64_t now_ms, Err *err)
{
    Catalogue *catalogue = NULL;
    int rc = catalogue_check(paths, err);

    if (rc == 0)
        rc = catalogue_scan(paths, NULL, now_ms, &catalogue, err);
    for (size_t i = 0; rc == 0 && i < catalogue_count(catalogue); i++) {
        MindFiles files = {catalogue, catalogue_game(catalogue, i)};
        Err wrong = {0};
        rc = add_game(swings, &files, &wrong);
        if (rc == ERR_MEMORY) {
            rc = err_set(err, ERR_MEMORY, "%s", wrong.msg);
        } else if (rc) {
            leave_out(swings, files.game, &wrong);
            rc = 0;
        }
    }
    catalogue_free(catalogue);
    return rc;
}

void mind_swing_write(const MindSwings *swings, TableForm form, Buf *out)
{
    static const char *const columns[] = {"agent",   "role",      "pairs",      "swung", "swing",
                                          "to_wolf", "from_wolf", "to_speaker", NULL};
    CLEANUP(text_table_done) TextTable table = {.columns = columns};

    for (size_t i = 0; i < swings->count; i++) {
        const SwingRow *row = &swings->rows[i];
        CLEANUP(buf_done) Buf agent = {0};
        utf8_add_printable(str_of(row->agent), AGENT_NAME_MAX, &agent);
        table.failed |= buf_failed(&agent);
        text_table_text(&table, buf_str(&agent));
        text_table_text(&table, str_of(role_name(row->role)));
        text_table_uint(&table, row->swing.pairs);
        text_table_uint(&table, row->swing.swung);
        text_table_real(&table, vote_swing_share(&row->swing), 3);
        text_table_uint(&table, row->swing.to_wolf);
        text_table_uint(&table, row->swing.from_wolf);
        text_table_uint(&table, row->swing.to_speaker);
    }
    text_table_write(&table, form, out);
}
