#include "nlp/history_recover.h"

#include "disk/disk_call.h"
#include "disk/log_file.h"
#include "nlp/history_state.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#define LOG_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define VOID_TRIES    1000

/* ---- games under way ---- */

int history_note_game(History *history, const HistoryMatch *match, Str stem, Err *err)
{
    if (history->game_count == history->game_room) {
        uint32_t room = history->game_room ? 2 * history->game_room : 16;
        HistoryGame *games = mem_resize(history->games, room, sizeof(*games));
        if (!games)
            return err_set(err, ERR_MEMORY, "history: out of memory");
        history->games = games;
        history->game_room = room;
    }
    char *copy = mem_new(stem.len + 1);
    if (!copy)
        return err_set(err, ERR_MEMORY, "history: out of memory");
    if (stem.len)
        memcpy(copy, stem.bytes, stem.len);
    history->games[history->game_count++] = (HistoryGame){*match, copy};
    return 0;
}

void history_drop_game(History *history, Str stem)
{
    for (uint32_t i = 0; i < history->game_count; i++)
        if (str_eq(str_of(history->games[i].stem), stem)) {
            mem_free(history->games[i].stem);
            history->games[i] = history->games[--history->game_count];
            return;
        }
}

uint32_t history_game_count(const History *history)
{
    return history->game_count;
}

Str history_game_stem(const History *history, uint32_t index)
{
    assert(index < history->game_count);
    return str_of(history->games[index].stem);
}

const HistoryMatch *history_game_match(const History *history, uint32_t index)
{
    assert(index < history->game_count);
    return &history->games[index].match;
}

/* ---- was it decided? ---- */

/* Of a game log: its last line is a whole one and names the winner. What agents said stands in
 * lines of other kinds. */
static Side winner_of_log(Str log)
{
    Str fields[6];
    unsigned count = 0;

    if (log.len == 0 || log.bytes[log.len - 1] != '\n')
        return SIDE_NONE; /* cut off */
    log.len--;
    size_t start = log.len;
    while (start > 0 && log.bytes[start - 1] != '\n')
        start--;
    Str line = str_part(log, start, log.len);
    while (line.len && count < 6)
        fields[count++] = str_cut(&line, ',');
    return count == 5 && str_eq(fields[1], STR("result")) ? side_of(fields[4]) : SIDE_NONE;
}

/* Of a JSON log: it ends with its winner (nlp_files.h). */
static Side winner_of_json(Str json)
{
    static const Side sides[] = {SIDE_VILLAGER, SIDE_WEREWOLF, SIDE_OTHERS};
    char end[48];

    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
        snprintf(end, sizeof(end), ",\"win_side\":\"%s\"}", side_name(sides[i]));
        Str want = str_of(end);
        if (json.len >= want.len && str_eq(str_part(json, json.len - want.len, want.len), want))
            return sides[i];
    }
    return SIDE_NONE;
}

/* The journal decides where there is one. Else the log: the game log is written last, so where
 * there is one it does. */
static bool was_decided(const HistoryLogs *logs, const char *stem)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    bool log = logs->game != NULL;

    if (!log && !logs->json)
        return false;
    buf_printf(&path, "%s%s", stem, log ? ".log" : ".json");
    const ResultKnown known = logs->results && !buf_failed(&path)
                                  ? result_journal_knows(logs->results, buf_str(&path))
                                  : RESULT_UNKNOWN;
    if (known != RESULT_UNKNOWN)
        return known == RESULT_KEPT;
    buf_clear(&path);
    buf_printf(&path, "%s/%s%s", log ? logs->game : logs->json, stem, log ? ".log" : ".json");
    if (buf_failed(&path) || log_file_read(buf_cstr(&path), LOG_BYTES_MAX, &text, NULL))
        return false;
    Str all = buf_str(&text);
    return (log ? winner_of_log(all) : winner_of_json(all)) != SIDE_NONE;
}

/* ---- void ---- */

/* Under a name that is free: a game of the same teams may have been void in the same second. */
static int set_aside(const char *path)
{
    for (unsigned number = 1; number <= VOID_TRIES; number++) {
        CLEANUP(buf_done) Buf to = {0};
        struct stat info;

        buf_printf(&to, number == 1 ? "%s.void" : "%s.void_%u", path, number);
        if (buf_failed(&to))
            return -1;
        if (lstat(buf_cstr(&to), &info) == 0) /* a link that leads nowhere is there too */
            continue;
        return disk_rename(path, buf_cstr(&to)) == 0 || errno == ENOENT ? 0 : -1;
    }
    return -1;
}

static void void_file(const char *dir, const char *within, const char *stem, const char *suffix,
                      Buf *trouble)
{
    CLEANUP(buf_done) Buf path = {0};

    if (!dir)
        return;
    buf_printf(&path, "%s/%s%s%s", dir, within, stem, suffix);
    if (buf_failed(&path) || set_aside(buf_cstr(&path)))
        buf_printf(trouble, "; '%s' could not be renamed: %s, move it away", buf_cstr(&path),
                   strerror(errno));
}

static void void_game(const HistoryLogs *logs, const char *stem, Buf *trouble)
{
    void_file(logs->game, "", stem, ".log", trouble);
    void_file(logs->json, "", stem, ".json", trouble);
    void_file(logs->realtime, "", stem, ".jsonl", trouble);
    void_file(logs->realtime, "masked/", stem, ".jsonl", trouble);
}

void history_void_decided(const HistoryLogs *logs, const char *stem, Buf *trouble)
{
    if (was_decided(logs, stem))
        void_game(logs, stem, trouble);
}

/* ---- all of them ---- */

/* False when the schedule has no such match any more: somebody has changed it. */
static bool end_match(History *history, const HistoryMatch *match)
{
    for (uint32_t i = 0; i < history->scheduled_count; i++)
        if (history_match_compare(&history->scheduled[i].match, match) == 0) {
            history_begin(history, i);
            history_end(history, match);
            return true;
        }
    return false;
}

/* The schedule's file may have been changed by somebody. */
static bool stays_in_folder(const char *stem)
{
    return stem[0] && !strchr(stem, '/');
}

static void recover_game(History *history, const HistoryGame *game, const HistoryLogs *logs,
                         Buf *line)
{
    if (!stays_in_folder(game->stem)) {
        buf_printf(line,
                   "void game-files=%s: no name of a file; no file is touched, and its match "
                   "is played again",
                   game->stem);
        return;
    }
    bool decided = was_decided(logs, game->stem);

    if (decided && end_match(history, &game->match)) {
        buf_printf(
            line, "recovered game-files=%s: decided before the server was killed; the match counts",
            game->stem);
        return;
    }
    buf_printf(line, "void game-files=%s: %s; the files end in .void now", game->stem,
               decided ? "its match is not in the schedule any more"
                       : "not decided when the server was killed, its match is played again");
    void_game(logs, game->stem, line);
}

uint32_t history_recover(History *history, const HistoryLogs *logs,
                         void (*note)(void *user, Str line), void *user)
{
    uint32_t count = history->game_count;

    for (uint32_t i = 0; i < count; i++) {
        CLEANUP(buf_done) Buf line = {0};

        recover_game(history, &history->games[i], logs, &line);
        mem_free(history->games[i].stem);
        note(user, buf_str(&line));
    }
    history->game_count = 0;
    return count;
}
