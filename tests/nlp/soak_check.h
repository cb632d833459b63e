/* soak_check.h - what must hold in the soak, at every moment and at the end.
 *
 * For:    test_soak.c.
 * Memory: none of its own.
 * Thread: the test's.
 * Source: docs/spec/nlp-division.md 2, 6, 8.
 */
#ifndef WARG_TESTS_NLP_SOAK_CHECK_H
#define WARG_TESTS_NLP_SOAK_CHECK_H

#include <jansson.h>
#include <malloc.h>

#include "journal/journal.h"
#include "nlp/soak.h"
#include "record/log_check.h"

/* ---- files ---- */

static inline bool read_whole(const char *path, Buf *out)
{
    FILE *file = fopen(path, "re");
    char bytes[65536];
    size_t n;

    buf_clear(out);
    if (!file)
        return false;
    while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
        buf_add(out, (Str){bytes, n});
    fclose(file);
    return true;
}

static inline void game_path(const Soak *soak, const NlpGame *game, const char *kind, Buf *out)
{
    buf_clear(out);
    buf_printf(out, "%s/%s/%.*s.%s", soak->folder, kind, STR_ARG(game->stem),
               kind[0] == 'g' ? "log" : "json");
}

static inline Str last_line(Str text)
{
    size_t at;

    if (text.len && text.bytes[text.len - 1] == '\n')
        text.len--;
    return str_find_last(text, '\n', &at) ? str_part(text, at + 1, text.len) : text;
}

/* Of a game that the journal could not take the logs are gone, too: it is played again. */
static inline bool is_lost(const Soak *soak, const NlpGame *game)
{
    return game->aborted && soak->now <= soak->room_at;
}

static inline void check_game_log(Soak *soak, const NlpGame *game, bool over)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    LogVerdict verdict;
    Err err = {0};

    game_path(soak, game, "game", &path);
    if (!read_whole(buf_cstr(&path), &text)) {
        soak_check(soak, soak->logs_blocked || is_lost(soak, game), "no game log %s",
                   buf_cstr(&path));
        return;
    }
    soak_check(soak, text.len == 0 || text.bytes[text.len - 1] == '\n', "%s: half a line",
               buf_cstr(&path));
    if (log_check(buf_str(&text), NULL, &verdict, &err))
        soak_fail(soak, "%s: %s", buf_cstr(&path), err.msg);
    if (!verdict.ok && (over || !verdict.truncated)) {
        if (getenv("SOAK_KEEP"))
            printf("%s\n", buf_cstr(&text));
        soak_fail(soak, "%s: line %u: %s", buf_cstr(&path), verdict.line, verdict.reason);
    }
    if (!over)
        return;
    soak_check(soak, verdict.form == LOG_FORM_NLP && verdict.winner == game->winner,
               "%s: another winner", buf_cstr(&path));
    Str line = last_line(buf_str(&text));
    str_cut(&line, ',');
    soak_check(soak, str_eq(str_cut(&line, ','), STR("result")), "%s: no result line",
               buf_cstr(&path));
    unlink(buf_cstr(&path));
}

static inline void check_json_log(Soak *soak, const NlpGame *game, bool over)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    json_error_t error;

    game_path(soak, game, "json", &path);
    if (!read_whole(buf_cstr(&path), &text)) {
        soak_check(soak, soak->logs_blocked || is_lost(soak, game), "no JSON log %s",
                   buf_cstr(&path));
        return;
    }
    json_t *json = json_loadb(text.bytes, text.len, JSON_ALLOW_NUL, &error);
    soak_check(soak, json != NULL, "%s, line %d, byte %d: %s", buf_cstr(&path), error.line,
               error.position, error.text);
    const char *winner = json_string_value(json_object_get(json, "win_side"));
    Side expected = over ? game->winner : SIDE_NONE;
    soak_check(soak, winner && strcmp(winner, side_name(expected)) == 0, "%s: winner %s, not %s",
               buf_cstr(&path), winner ? winner : "(none)", side_name(expected));
    soak_check(soak, json_array_size(json_object_get(json, "agents")) == game->seat_count,
               "%s: not all agents", buf_cstr(&path));
    json_decref(json);
    if (over)
        unlink(buf_cstr(&path));
}

/* What is left when the server is killed now: a JSON log whole at any moment, whole lines. */
static inline void check_running_logs(Soak *soak)
{
    NlpGame game;

    for (uint32_t i = 0; nlp_hall_game_at(soak->hall, i, &game) && !game.finished; i++) {
        check_game_log(soak, &game, false);
        check_json_log(soak, &game, false);
    }
}

/* ---- the schedule ---- */

static inline int by_match(const void *a, const void *b)
{
    const HistoryMatch *x = a, *y = b;

    for (unsigned i = 0; i < x->count; i++) {
        if (x->roles[i] != y->roles[i])
            return x->roles[i] < y->roles[i] ? -1 : 1;
        if (x->teams[i] != y->teams[i])
            return x->teams[i] < y->teams[i] ? -1 : 1;
    }
    return 0;
}

/* All matches, decided or not, in an order of their own. */
static inline HistoryMatch *all_matches(const History *history, uint32_t *ret_count)
{
    uint32_t scheduled = history_scheduled_count(history);
    uint32_t ended = history_ended_count(history);
    HistoryMatch *all = mem_new((scheduled + ended + 1) * sizeof(*all));

    for (uint32_t i = 0; i < scheduled; i++)
        all[i] = *history_scheduled(history, i);
    for (uint32_t i = 0; i < ended; i++)
        all[scheduled + i] = *history_ended(history, i);
    qsort(all, scheduled + ended, sizeof(*all), by_match);
    *ret_count = scheduled + ended;
    return all;
}

/* Nothing lost, nothing counted twice. */
static inline void check_schedule(Soak *soak)
{
    const History *history = nlp_hall_history(soak->hall);
    uint32_t count;

    if (!history)
        return;
    HistoryMatch *all = all_matches(history, &count);
    if (!soak->planned) {
        soak->planned = TAKE(all);
        soak->planned_count = count;
        soak_check(soak, count == soak->games, "%u matches are scheduled", count);
        return;
    }
    soak_check(soak, count == soak->planned_count, "%u matches; %u were planned", count,
               soak->planned_count);
    for (uint32_t i = 0; i < count; i++)
        soak_check(soak, by_match(&all[i], &soak->planned[i]) == 0,
                   "the schedule is another one than at first");
    mem_free(all);
}

/* Which match a game was, by who sat where. */
static inline HistoryMatch match_of(const Soak *soak, const NlpGame *game)
{
    const History *history = nlp_hall_history(soak->hall);
    HistoryMatch match = {.count = game->seat_count};

    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        uint32_t team = 0;
        unsigned at = seat - 1u;
        while (!str_eq(history_team_name(history, team), game->seats[seat].team))
            team++;
        uint8_t role = (uint8_t)game->seats[seat].role;
        for (; at > 0 && (match.roles[at - 1] > role ||
                          (match.roles[at - 1] == role && match.teams[at - 1] > team));
             at--) {
            match.roles[at] = match.roles[at - 1];
            match.teams[at] = match.teams[at - 1];
        }
        match.roles[at] = role;
        match.teams[at] = (uint16_t)team;
    }
    return match;
}

/* The file is the hall's view at any moment. */
static inline void check_history_file(Soak *soak)
{
    CLEANUP(buf_done) Buf view = {0};
    const History *history = nlp_hall_history(soak->hall);

    if (!history)
        return;
    history_write(history, &view);
    soak_check(soak, read_whole(soak->history_path, &soak->text), "no history file");
    soak_check(soak, str_eq(buf_str(&view), buf_str(&soak->text)),
               "the history file is not what the hall knows");
    soak_check(soak, history_ended_count(history) == soak->decided,
               "%u matches have ended; %" PRIu64 " games were decided",
               history_ended_count(history), soak->decided);
    if (rng_below(&soak->rng, 8))
        return;
    CLEANUP(history_freep) History *again = NULL;
    Err err = {0};
    if (history_read(buf_str(&soak->text), &again, &err))
        soak_fail(soak, "the history file can't be read: %s", err.msg);
}

/* ---- the journal ---- */

typedef struct Kept {
    Soak *soak;
    uint64_t decided;
    uint64_t voided;
    Buf ids;
} Kept;

static inline const Client *client_named(const Soak *soak, Str name)
{
    for (unsigned i = 0; i < soak->client_count; i++)
        if (str_eq(str_of(soak->clients[i].name), name))
            return &soak->clients[i];
    return NULL;
}

static inline int check_kept_game(void *user, const GameRecord *record, Err *err)
{
    Kept *kept = user;

    (void)err;
    soak_check(kept->soak, !strstr(buf_cstr(&kept->ids), record->id), "game %s is kept twice",
               record->id);
    buf_printf(&kept->ids, "%s\n", record->id);
    *(record->is_void ? &kept->voided : &kept->decided) += 1;
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++) {
        const Client *client = client_named(kept->soak, record->result.names[seat]);
        if (!client || !client->honest)
            continue;
        soak_check(kept->soak, !record->seats[seat].failed, "game %s: %s is said to have failed",
                   record->id, client->name);
        for (FaultKind kind = 0; kind < FAULT_COUNT; kind++)
            soak_check(kept->soak, record->seats[seat].faults[kind] == 0,
                       "game %s: %s is blamed for %s, and did nothing wrong", record->id,
                       client->name, fault_kind_name(kind));
    }
    return 0;
}

/* Every decided game once, whatever was killed or full; and nobody is blamed for what others, or
 * the server, did. */
static inline void check_journal(Soak *soak)
{
    Kept kept = {.soak = soak};
    const JournalListener listener = {.game = check_kept_game, .user = &kept};
    CLEANUP(buf_done) Buf folder = {0};
    Err err = {0};

    buf_printf(&folder, "%s/results", soak->folder);
    if (journal_read(buf_cstr(&folder), &listener, NULL, &err))
        soak_fail(soak, "the journal can't be read: %s", err.msg);
    buf_done(&kept.ids);
    soak_check(soak, kept.decided == soak->decided,
               "the journal has %" PRIu64 " games; %" PRIu64 " were decided", kept.decided,
               soak->decided);
    soak_check(soak, kept.voided <= soak->aborted,
               "the journal has %" PRIu64 " aborted games; there were %" PRIu64, kept.voided,
               soak->aborted);
}

/* ---- who waits ---- */

static inline unsigned waiting_of(const Soak *soak, Str team)
{
    unsigned count = 0;
    NlpWaiting waiting;

    for (uint32_t i = 0; nlp_hall_waiting_at(soak->hall, i, &waiting); i++)
        count += str_eq(waiting.team, team);
    return count;
}

/* A scheduled match of which nobody plays one equal to it, and whose teams are all there. */
static inline bool schedule_could_play(const Soak *soak)
{
    const History *history = nlp_hall_history(soak->hall);
    bool present[HISTORY_TEAMS_MAX] = {false};
    HistoryMatch playing[RUNNING_MAX];
    unsigned playing_count = 0;
    NlpGame game;

    for (uint32_t team = 0; team < history_team_known(history); team++)
        present[team] = waiting_of(soak, history_team_name(history, team)) > 0;
    for (uint32_t i = 0; nlp_hall_game_at(soak->hall, i, &game) && !game.finished; i++)
        playing[playing_count++] = match_of(soak, &game);
    for (uint32_t i = 0; i < history_scheduled_count(history); i++) {
        const HistoryMatch *match = history_scheduled(history, i);
        bool all = true;
        for (unsigned k = 0; k < match->count; k++)
            all &= present[match->teams[k]];
        for (unsigned k = 0; all && k < playing_count; k++)
            all = by_match(match, &playing[k]) != 0;
        if (all)
            return true;
    }
    return false;
}

/* Nobody waits for a game that could begin. */
static inline void check_nobody_waits_in_vain(Soak *soak)
{
    unsigned teams = 0;
    NlpWaiting waiting;

    if (nlp_hall_draining(soak->hall) || nlp_hall_complete(soak->hall) ||
        soak->logs_back_at + 15 * SECOND_US > soak->now ||
        soak->room_at + 15 * SECOND_US > soak->now)
        return;
    if (soak->plan.mode == MODE_SCHEDULE) {
        soak_check(soak, !schedule_could_play(soak), "a match could be played, and is not");
        return;
    }
    NlpCounts counts = nlp_hall_counts(soak->hall);
    if (counts.games_begun - counts.games_aborted >= soak->setup.games)
        return;
    for (uint32_t i = 0; nlp_hall_waiting_at(soak->hall, i, &waiting); i++) {
        NlpWaiting earlier;
        bool first = true;
        for (uint32_t k = 0; k < i && nlp_hall_waiting_at(soak->hall, k, &earlier); k++)
            first &= !str_eq(earlier.team, waiting.team);
        teams += first;
        soak_check(
            soak, soak->plan.mode != MODE_SELF || waiting_of(soak, waiting.team) < soak->plan.seats,
            "a team could play against itself, and does not");
        soak_check(soak,
                   !soak->plan.fill || soak->now - (waiting.since_unix_ms - ZERO_UNIX_MS) * 1000 <
                                           soak->setup.fill_after + SECOND_US,
                   "somebody waits although bots fill the seats");
    }
    soak_check(soak, soak->plan.mode != MODE_FREE || teams < soak->plan.seats,
               "%u teams wait, and no game begins", teams);
}

/* ---- after every call of the hall ---- */

static inline void count_over(Soak *soak, const NlpGame *game)
{
    const History *history = nlp_hall_history(soak->hall);

    if (game->aborted) {
        soak->aborted++;
        return;
    }
    soak->decided++;
    soak->totals->drawn += game->winner == SIDE_NONE;
    if (!history)
        return;
    soak_check(soak, soak->decided <= history_ended_count(history),
               "a game was decided, and its match has not ended");
    HistoryMatch match = match_of(soak, game);
    soak_check(soak, by_match(&match, history_ended(history, (uint32_t)soak->decided - 1)) == 0,
               "the game that ended is not the match that ended");
}

static inline void check_durations(const Soak *soak)
{
    for (unsigned i = 0; i < soak->begun_count; i++)
        soak_check(soak, soak->now - soak->begun[i].at <= soak->game_bound, "game %s does not end",
                   soak->begun[i].id);
}

static inline void take_overs(Soak *soak)
{
    for (unsigned i = 0; i < soak->over_count; i++) {
        NlpGame game;
        const Begun *over = &soak->overs[i];
        soak_check(soak, nlp_hall_game_find(soak->hall, str_of(over->id), &game) && game.finished,
                   "game %s is forgotten", over->id);
        soak_check(soak, soak->now - over->at <= soak->game_bound, "game %s took %.0f s", over->id,
                   (double)(soak->now - over->at) / 1e6);
        count_over(soak, &game);
        check_game_log(soak, &game, true);
        check_json_log(soak, &game, true);
    }
    soak->over_count = 0;
}

static inline void check_counts(Soak *soak)
{
    NlpCounts counts = nlp_hall_counts(soak->hall);
    uint64_t over = counts.games_won[0] + counts.games_won[1] + counts.games_won[2];

    soak_check(soak, counts.games_begun == over + counts.games_aborted + counts.games,
               "%" PRIu64 " games have begun; %" PRIu64 " decided, %" PRIu64 " aborted, %u run",
               counts.games_begun, over, counts.games_aborted, counts.games);
    soak_check(soak, counts.games == soak->begun_count, "%u games run, not %u", counts.games,
               soak->begun_count);
    soak_check(soak, counts.open == soak->expected_open, "%u connections are open, not %u",
               counts.open, soak->expected_open);
    soak_check(soak, counts.replies + counts.request_errors <= counts.requests,
               "more replies than requests");
}

static inline void check_hall(Soak *soak)
{
    if (soak->begun_count)
        soak_check(soak, nlp_hall_deadline(soak->hall) != TIME_US_NEVER,
                   "games run, and no time is set");
    if (soak->over_count) {
        take_overs(soak);
        check_history_file(soak);
        check_counts(soak);
    }
    if (soak->settled++ % 512 == 0) {
        check_durations(soak);
        check_counts(soak);
        check_nobody_waits_in_vain(soak);
    }
}

#endif
