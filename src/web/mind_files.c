#include "web/mind_files.h"

#include "disk/log_file.h"
#include "seat/agent_command.h"

#include <unistd.h>

#define TEXT_BYTES_MAX ((size_t)256 * 1024 * 1024)

static Str agent_of(const MindFiles *files, SeatNo seat)
{
    return catalogue_text(files->catalogue,
                          catalogue_seat(files->catalogue, files->game, seat).agent);
}

/* "FOLDER/minds/AGENT" or with `outside` that of the folder above. */
static void add_place(const MindFiles *files, SeatNo seat, bool outside, bool prompts, Buf *out)
{
    const CatalogueContest *contest = catalogue_contest(files->catalogue, files->game->contest);
    CLEANUP(buf_done) Buf agent = {0};
    Str folder = contest->folder;
    size_t slash = 0;

    if (outside)
        folder = str_find_last(folder, '/', &slash) ? str_part(folder, 0, slash) : STR("");
    buf_add(&agent, agent_of(files, seat));
    buf_printf(out, "%.*s%sminds/%s", STR_ARG(folder), folder.len ? "/" : "",
               prompts ? "prompts/" : "");
    agent_command_add_file_name(buf_cstr(&agent), out);
    out->failed |= buf_failed(&agent);
}

static int open_file(const MindFiles *files, SeatNo seat, bool prompts, int *ret_file)
{
    const CatalogueGame *game = files->game;
    const bool is_nlp = game->division == DIVISION_NLP;
    const CatalogueContest *contest = catalogue_contest(files->catalogue, game->contest);

    for (int outside = 0; outside < (is_nlp && contest->folder.len ? 2 : 1); outside++) {
        CLEANUP(buf_done) Buf path = {0};
        add_place(files, seat, outside == 1, prompts, &path);
        if (!is_nlp)
            buf_printf(&path, "/%u-%04llu-%02u", game->stage, (unsigned long long)game->set, seat);
        buf_add(&path, STR(".jsonl"));
        if (!buf_failed(&path) &&
            catalogue_open(files->catalogue, game->root, buf_str(&path), ret_file, NULL) == 0)
            return 0;
    }
    return -1;
}

bool mind_files_any(const MindFiles *files)
{
    int file = -1;

    for (SeatNo seat = 1; files->game->told && seat <= files->game->seat_count; seat++)
        if (open_file(files, seat, false, &file) == 0) {
            close(file);
            return true;
        }
    return false;
}

void mind_files_read(const MindFiles *files, SeatNo seat, bool prompts, Buf *out)
{
    const size_t before = out->len;
    int file = -1;

    /* A set's file has its requests in it. */
    if ((prompts && files->game->division != DIVISION_NLP) ||
        open_file(files, seat, prompts, &file))
        return;
    if (log_file_read_from(file, "minds", TEXT_BYTES_MAX, out, NULL))
        buf_cut(out, before);
    close(file);
}

uint64_t mind_files_part(const MindFiles *files)
{
    const CatalogueGame *game = files->game;
    uint64_t before = 0;

    for (size_t i = 0; i < catalogue_count(files->catalogue); i++) {
        const CatalogueGame *other = catalogue_game(files->catalogue, i);
        before += other->contest == game->contest && other->told && other->game < game->game &&
                  other->stage == game->stage && other->set == game->set;
    }
    return before + 1;
}

static void read_seat(void *user, SeatNo seat, bool prompts, Buf *out)
{
    mind_files_read(user, seat, prompts, out);
}

static uint64_t part_of_seat(void *user, SeatNo seat)
{
    (void)seat;
    return mind_files_part(user);
}

/* Anybody may call an agent as another one is called, and games in natural language go side by
 * side: which lines are whose only the game's id says. */
MindSource mind_files_source(MindFiles *files)
{
    const CatalogueGame *game = files->game;

    return (MindSource){.game = game->division == DIVISION_NLP ? game->id : (Str){0},
                        .file = read_seat,
                        .part = part_of_seat,
                        .user = files};
}
