#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* pread */
#endif
#include "web/log_peek.h"

#include "base/mem.h"
#include "disk/gzip.h"
#include "record/log_result.h"
#include "web/game_file.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#define LISTS      1024
#define TAIL_BYTES ((size_t)32768) /* behind a session's end come the figures of its models */

void log_peek_done(LogPeek *peek)
{
    buf_done(&peek->names);
}

/* The winner of a JSON log, which the log made of it does not always say, is in its result. */
static void take_log(const LogGame *log, LogPeek *peek)
{
    GameResult result = {0};

    peek->is_log = true;
    peek->nlp = log->form == LOG_FORM_NLP;
    peek->seat_count = log->seat_count;
    for (SeatNo seat = 1; seat <= log->seat_count; seat++) {
        peek->roles[seat] = log->roles[seat];
        buf_add(&peek->names, log->names[seat]);
        buf_add_char(&peek->names, '\n');
    }
    if (log_result(log, &result, NULL) == 0) {
        peek->is_over = true;
        peek->winner = result.winner;
        peek->last_day = result.last_day;
    }
}

void log_peek_read(const Catalogue *catalogue, const CatalogueGame *game, LogPeek *ret_peek)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(log_game_done) LogGame log = {0};
    int file = -1;

    *ret_peek = (LogPeek){0};
    if (!game->has_log || catalogue_open(catalogue, game->root, game->path, &file, NULL))
        return;
    if (game_file_text(file, "a log", &text, NULL) == 0 &&
        log_game_read(buf_str(&text), &log, NULL) == 0)
        take_log(&log, ret_peek);
    close(file);
    if (buf_failed(&ret_peek->names))
        *ret_peek = (LogPeek){0};
}

static bool has_text(Str text, const char *part)
{
    size_t at;

    return str_find(text, str_of(part), &at);
}

/* The line of a game's result: "9,result,3,0,VILLAGER". Only a line is one; what somebody says may
 * hold all of it. `whole`: the text begins with a line. */
static bool has_result(Str text, bool whole)
{
    if (!whole)
        (void)str_cut(&text, '\n');
    while (text.len) {
        Str line = str_cut(&text, '\n');
        uint64_t day;
        if (str_to_uint(str_cut(&line, ','), UINT32_MAX, &day) &&
            str_eq(str_cut(&line, ','), STR("result")))
            return true;
    }
    return false;
}

bool log_peek_is_over(int file, const CatalogueGame *game)
{
    char tail[TAIL_BYTES];
    struct stat about;

    if (fstat(file, &about))
        return false;
    off_t at = about.st_size > (off_t)sizeof(tail) ? about.st_size - (off_t)sizeof(tail) : 0;
    ssize_t n = pread(file, tail, 2, 0);
    if (n == 2 && gzip_is((Str){tail, 2})) /* it is written whole, at the end */
        return true;
    n = pread(file, tail, sizeof(tail), at);
    Str text = {tail, n > 0 ? (size_t)n : 0};
    if (game->session != CATALOGUE_NONE)
        return has_text(text, "\"event\":\"session_end\"");
    if (str_find(game->name, STR(".json"), &(size_t){0}))
        return has_text(text, "\"win_side\":\"VILLAGER\"") ||
               has_text(text, "\"win_side\":\"WEREWOLF\"") ||
               has_text(text, "\"win_side\": \"VILLAGER\"") ||
               has_text(text, "\"win_side\": \"WEREWOLF\"");
    return has_result(text, at == 0);
}

/* ---- what was read ---- */

typedef struct KeptPeek {
    struct KeptPeek *next;
    Buf key;
    LogPeek peek;
} KeptPeek;

struct LogPeeks {
    KeptPeek *lists[LISTS];
    size_t count;
};

LogPeeks *log_peeks_new(void)
{
    return mem_new(sizeof(LogPeeks));
}

static void forget_all(LogPeeks *peeks)
{
    for (size_t i = 0; i < LISTS; i++) {
        while (peeks->lists[i]) {
            KeptPeek *kept = peeks->lists[i];
            peeks->lists[i] = kept->next;
            buf_done(&kept->key);
            log_peek_done(&kept->peek);
            mem_free(kept);
        }
    }
    peeks->count = 0;
}

LogPeeks *log_peeks_free(LogPeeks *peeks)
{
    if (peeks)
        forget_all(peeks);
    return mem_free(peeks);
}

static void write_key(const Catalogue *catalogue, const CatalogueGame *game, Buf *out)
{
    buf_printf(out, "%" PRId64 " %s/%.*s", game->at_ms, catalogue_root(catalogue, game->root),
               STR_ARG(game->path));
}

const LogPeek *log_peeks_find(const LogPeeks *peeks, const Catalogue *catalogue,
                              const CatalogueGame *game)
{
    CLEANUP(buf_done) Buf key = {0};

    write_key(catalogue, game, &key);
    const KeptPeek *kept = peeks->lists[str_hash(buf_str(&key)) % LISTS];
    while (kept && !str_eq(buf_str(&kept->key), buf_str(&key)))
        kept = kept->next;
    return kept ? &kept->peek : NULL;
}

void log_peeks_keep(LogPeeks *peeks, const Catalogue *catalogue, const CatalogueGame *game,
                    LogPeek *take_peek)
{
    KeptPeek *kept = mem_new(sizeof(*kept));

    if (!kept) {
        log_peek_done(take_peek);
        return;
    }
    if (peeks->count >= LOG_PEEKS_MAX)
        forget_all(peeks);
    write_key(catalogue, game, &kept->key);
    kept->peek = *take_peek;
    *take_peek = (LogPeek){0};
    KeptPeek **list = &peeks->lists[str_hash(buf_str(&kept->key)) % LISTS];
    kept->next = *list;
    *list = kept;
    peeks->count++;
}
