#include "record/nlp_exchange.h"

#include "base/utf8.h"

#include <stdio.h>

#define SHOWN_MAX 100 /* bytes of a line in a reason */

/* Lines of one kind and day, in both. */
typedef struct Pair {
    const LogGame *json;
    const LogGame *log;
    LogFinding *finding;
} Pair;

/* ---- what is wrong ---- */

static bool differ(const Pair *pair, unsigned line, const Buf *reason)
{
    *pair->finding = (LogFinding){.line = line};
    snprintf(pair->finding->reason, sizeof(pair->finding->reason), "%s", buf_cstr(reason));
    return false;
}

static void add_shown(Buf *out, Str line)
{
    buf_add_char(out, '\'');
    utf8_add_printable(line, SHOWN_MAX, out);
    buf_add_char(out, '\'');
}

/* `json`: what the JSON log has here; NULL = nothing. */
static bool differ_at(const Pair *pair, const LogLine *line, size_t index, const Str *json)
{
    CLEANUP(buf_done) Buf reason = {0};

    add_shown(&reason, pair->log->raws[index]);
    if (json) {
        buf_add(&reason, STR(", but by the JSON log it is "));
        add_shown(&reason, *json);
    } else {
        buf_add(&reason, STR(", of which the JSON log says nothing"));
    }
    return differ(pair, line->number, &reason);
}

static bool is_missing(const Pair *pair, size_t json_index)
{
    CLEANUP(buf_done) Buf reason = {0};
    const size_t count = pair->log->count;

    add_shown(&reason, pair->json->raws[json_index]);
    buf_add(&reason, STR(", which follows from the JSON log, does not stand in the log"));
    return differ(pair, count ? pair->log->lines[count - 1].number : 1, &reason);
}

/* ---- lines ---- */

static bool same_status(const LogLine *a, const LogLine *b)
{
    /* Errored seats have no word; the JSON log does not know of them. */
    return a->seat == b->seat && a->role == b->role && str_eq(a->text, b->text) &&
           (!a->in_game.len || !b->in_game.len || str_eq(a->in_game, b->in_game)) &&
           (a->errored || b->errored || a->alive == b->alive);
}

/* A line end inside an utterance stands in the log as it was said, or as a blank. */
static bool same_text(Str a, Str b)
{
    bool same = a.len == b.len;

    for (size_t i = 0; same && i < a.len; i++) {
        const char x = a.bytes[i] == '\n' || a.bytes[i] == '\r' ? ' ' : a.bytes[i];
        const char y = b.bytes[i] == '\n' || b.bytes[i] == '\r' ? ' ' : b.bytes[i];
        same = x == y;
    }
    return same;
}

/* Of an attack of which nobody died it is only concluded whom it was for. */
static bool kills(const LogLine *attack)
{
    return attack->killed && attack->target != SEAT_NONE;
}

static bool same_line(const LogLine *a, const LogLine *b)
{
    switch ((LogLineKind)a->kind) {
    case LOG_STATUS:
        return same_status(a, b);
    case LOG_TALK:
    case LOG_WHISPER:
        return a->idx == b->idx && a->turn == b->turn && a->seat == b->seat &&
               same_text(a->text, b->text);
    case LOG_EXECUTE:
        return a->seat == b->seat && a->role == b->role;
    case LOG_RESULT:
        return a->humans == b->humans && a->wolves == b->wolves && a->winner == b->winner;
    case LOG_ATTACK:
        return kills(a) == kills(b) && (!kills(a) || a->target == b->target);
    case LOG_VOTE:
    case LOG_DIVINE:
    case LOG_GUARD:
    case LOG_ATTACK_VOTE:
    case LOG_KIND_COUNT:
        break;
    }
    return a->seat == b->seat && a->target == b->target && a->species == b->species &&
           a->role == b->role;
}

/* The next line of this kind and day, from `at` on; log->count when there is none. */
static size_t next_of(const LogGame *log, size_t at, uint16_t day, uint8_t kind)
{
    while (at < log->count && log->lines[at].day < day)
        at++;
    while (at < log->count && log->lines[at].day == day && log->lines[at].kind != kind)
        at++;
    return at < log->count && log->lines[at].day == day ? at : log->count;
}

/* Whether the JSON log may lack a line behind all of its kind and day that it has: whispers of
 * which no packet tells before the day is over, talk before an abort, an attack of nobody who was
 * asked. */
static bool may_be_untold(const Pair *pair, const LogLine *line)
{
    const uint16_t last = pair->log->lines[pair->log->count - 1].day;

    return line->kind == LOG_WHISPER || (line->kind == LOG_TALK && line->day == last) ||
           (line->kind == LOG_ATTACK && !kills(line));
}

/* Errored by the next morning, or executed today: as a target of a vote, or of the night behind it,
 * it leaves no line (docs/spec/nlp-division.md 4.5), and of one that has replied too late none
 * either. */
static bool is_gone(const Pair *pair, const LogLine *reply, SeatNo seat)
{
    const bool night = reply->kind != LOG_VOTE;

    for (size_t i = 0; i < pair->log->count; i++) {
        const LogLine *line = &pair->log->lines[i];
        if (line->day > reply->day + 1)
            break;
        if (line->seat == seat && ((line->kind == LOG_STATUS && line->errored) ||
                                   (night && line->kind == LOG_EXECUTE && line->day == reply->day)))
            return true;
    }
    return false;
}

/* Whether the log may lack what follows from a reply; for oneself one may vote or not. */
static bool may_be_invalid(const Pair *pair, const LogLine *reply)
{
    switch ((LogLineKind)reply->kind) {
    case LOG_VOTE:
    case LOG_DIVINE:
    case LOG_GUARD:
    case LOG_ATTACK_VOTE:
        return reply->seat == reply->target || is_gone(pair, reply, reply->target) ||
               is_gone(pair, reply, reply->seat);
    case LOG_STATUS:
    case LOG_TALK:
    case LOG_WHISPER:
    case LOG_EXECUTE:
    case LOG_ATTACK:
    case LOG_RESULT:
    case LOG_KIND_COUNT:
        break;
    }
    return false;
}

/* From `told` on, the reply that `line` comes from; invalid ones before it are passed. */
static size_t pass_invalid(const Pair *pair, size_t told, const LogLine *line)
{
    size_t at = told;

    while (at < pair->json->count && !(line && same_line(line, &pair->json->lines[at])) &&
           may_be_invalid(pair, &pair->json->lines[at]))
        at = next_of(pair->json, at + 1, pair->json->lines[at].day, pair->json->lines[at].kind);
    return at;
}

static bool compare_kind(const Pair *pair, uint16_t day, uint8_t kind)
{
    const LogGame *log = pair->log, *json = pair->json;
    size_t at = next_of(log, 0, day, kind), told = next_of(json, 0, day, kind);
    size_t untold = log->count; /* the first of a session */

    for (; at < log->count; at = next_of(log, at + 1, day, kind)) {
        const LogLine *line = &log->lines[at];
        told = pass_invalid(pair, told, line);
        const Str *other = told < json->count ? &json->raws[told] : NULL;
        if (other && same_line(line, &json->lines[told])) {
            /* What was told behind it is of a later session. */
            if (untold < log->count && line->idx > log->lines[untold].idx &&
                line->turn >= log->lines[untold].turn)
                return differ_at(pair, &log->lines[untold], untold, other);
            untold = log->count;
            told = next_of(json, told + 1, day, kind);
        } else if (!may_be_untold(pair, line))
            return differ_at(pair, line, at, other);
        else if (untold == log->count)
            untold = at;
    }
    told = pass_invalid(pair, told, NULL);
    if (told < json->count && untold < log->count)
        return differ_at(pair, &log->lines[untold], untold, &json->raws[told]);
    return told == json->count || is_missing(pair, told);
}

/* ---- the whole ---- */

static bool compare_seats(const Pair *pair)
{
    CLEANUP(buf_done) Buf reason = {0};
    const LogGame *json = pair->json, *log = pair->log;

    if (json->seat_count == log->seat_count)
        return true;
    buf_printf(&reason, "the log has %u seats, the JSON log %u", log->seat_count, json->seat_count);
    return differ(pair, 1, &reason);
}

static bool compare_logs(const Pair *pair)
{
    uint16_t days = 0;

    if (!compare_seats(pair))
        return false;
    for (size_t i = 0; i < pair->log->count; i++)
        days = pair->log->lines[i].day > days ? pair->log->lines[i].day : days;
    for (size_t i = 0; i < pair->json->count; i++)
        days = pair->json->lines[i].day > days ? pair->json->lines[i].day : days;
    for (uint16_t day = 0; day <= days; day++)
        for (uint8_t kind = 0; kind < LOG_KIND_COUNT; kind++)
            if (!compare_kind(pair, day, kind))
                return false;
    return true;
}

static int can_not_read(LogFinding *ret, const char *which, const Err *why, Err *err)
{
    if (why->code == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "%s", why->msg);
    *ret = (LogFinding){.line = why->line ? why->line : 1};
    snprintf(ret->reason, sizeof(ret->reason), "%s%.400s", which, why->msg);
    return 0;
}

int nlp_exchange_check(Str json, Str log, LogFinding *ret, Err *err)
{
    CLEANUP(log_game_done) LogGame told = {0};
    CLEANUP(log_game_done) LogGame game = {0};
    const Pair pair = {&told, &game, ret};
    Err why = {0};

    *ret = (LogFinding){0};
    if (log_game_read(json, &told, &why))
        return can_not_read(ret, "the JSON log: ", &why, err);
    if (log_game_read(log, &game, &why))
        return can_not_read(ret, "", &why, err);
    if (game.broken.code)
        return can_not_read(ret, "", &game.broken, err);
    ret->ok = compare_logs(&pair);
    return 0;
}
