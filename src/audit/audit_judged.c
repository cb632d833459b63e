#include "audit/audit_judging_own.h"
#include "audit/audit_verdict.h"
#include "base/mem.h"
#include "proof/ledger.h"

#include <stdlib.h>

static int find_team(JudgedTrack *track, Str name, uint16_t *ret_team, Err *err)
{
    uint32_t i = 0;

    name = str_part(name, 0, AGENT_NAME_MAX);
    while (i < track->team_count && !str_eq(str_of(track->teams[i]), name))
        i++;
    *ret_team = (uint16_t)i;
    if (i < track->team_count)
        return 0;
    if (i == PICK_TEAMS_MAX)
        return err_set(err, ERR_LIMIT, "more than %d teams", PICK_TEAMS_MAX);
    TeamName *teams = mem_resize(track->teams, (size_t)i + 1, sizeof(*teams));
    if (!teams)
        return judging_no_memory(err);
    track->teams = teams;
    memset(teams[i], 0, sizeof(teams[i]));
    memcpy(teams[i], name.bytes, name.len);
    track->team_count++;
    return 0;
}

bool judged_counts(const JudgedGame *game, uint64_t moment)
{
    return moment <= game->void_from;
}

static bool has_game(const JudgedTrack *track, uint64_t number)
{
    for (uint32_t i = 0; i < track->game_count; i++)
        if (track->games[i].number == number)
            return true;
    return false;
}

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    JudgingAudit *audit = user;
    JudgedTrack *track = &audit->tracks[audit->track];
    const uint32_t last = track->game_count;
    int rc = 0;

    /* A game that was ended has no winner; one that was made void behind its end has. */
    if (record->result.winner == SIDE_NONE || has_game(track, record->game))
        return 0;
    JudgedGame *games = mem_resize(track->games, (size_t)last + 1, sizeof(*games));
    if (!games)
        return judging_no_memory(err);
    track->games = games;
    games[last] = (JudgedGame){.number = record->game,
                               .winner = record->result.winner,
                               .void_from = JUDGING_NEVER,
                               .seats = {.seat_count = record->result.seat_count}};
    snprintf(games[last].log, sizeof(games[last].log), "%s", record->log);
    for (SeatNo seat = 1; seat <= record->result.seat_count && rc == 0; seat++) {
        games[last].seats.roles[seat] = record->result.roles[seat];
        rc = find_team(track, game_record_counted(record, seat), &games[last].seats.teams[seat],
                       err);
    }
    track->game_count += rc == 0;
    return rc;
}

static int compare_games(const void *a, const void *b)
{
    const JudgedGame *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static JudgedGame *find_game(JudgedTrack *track, uint64_t number)
{
    for (uint32_t i = 0; i < track->game_count; i++)
        if (track->games[i].number == number)
            return &track->games[i];
    return NULL;
}

/* As the ledger heard of it when it was over. */
static void check_game_entry(JudgingAudit *audit, const JudgedGame *game, const json_t *entry)
{
    const JudgedTrack *track = &audit->tracks[audit->track];
    CLEANUP(buf_done) Buf teams = {0};

    for (SeatNo seat = 1; seat <= game->seats.seat_count; seat++)
        buf_printf(&teams, "%s%s", seat > 1 ? " " : "", track->teams[game->seats.teams[seat]]);
    if (!str_eq(buf_str(&teams), json_text(entry, "teams")) ||
        !str_eq(str_of(side_name(game->winner)), json_text(entry, "winner")))
        audit_contradict(audit->verdict, LEDGER_FILE, judging_entry_line(entry),
                         "the journal of track %.*s tells game %llu otherwise",
                         STR_ARG(track->name), (unsigned long long)game->number);
}

/* An entry of a game of the track: it is over, or it is void from here on. */
static void hear_entry(JudgingAudit *audit, const json_t *entry)
{
    JudgedTrack *track = &audit->tracks[audit->track];
    const bool is_act = str_eq(json_text(entry, "type"), STR("act"));
    uint64_t number = 0;

    if (!str_eq(json_text(entry, "track"), track->name) ||
        !str_to_uint(json_text(entry, "number"), UINT64_MAX, &number))
        return;
    JudgedGame *game = find_game(track, number);
    if (!game)
        return;
    if (str_eq(json_text(entry, "type"), STR("game")))
        check_game_entry(audit, game, entry);
    else if (is_act && str_eq(json_text(entry, "decision"), STR("void")) &&
             game->void_from == JUDGING_NEVER)
        game->void_from = judging_entry_number(entry);
}

/* ---- what sheets are drawn from ---- */

/* Teams are numbered as they are met in those games. */
static int pick_games(JudgedTrack *track, uint64_t drawn, Err *err)
{
    CLEANUP(mem_freep)
    uint16_t *numbers = mem_new(((size_t)track->team_count + 1) * sizeof(*numbers));

    track->picks = mem_new(((size_t)track->game_count + 1) * sizeof(*track->picks));
    track->picked = mem_new(((size_t)track->game_count + 1) * sizeof(*track->picked));
    if (!track->picks || !track->picked || !numbers)
        return judging_no_memory(err);
    for (uint32_t i = 0; i < track->game_count; i++) {
        if (!judged_counts(&track->games[i], drawn))
            continue;
        PickGame *pick = &track->picks[track->pick_count];
        track->picked[track->pick_count++] = i;
        *pick = track->games[i].seats;
        for (SeatNo seat = 1; seat <= pick->seat_count; seat++) {
            uint16_t *number = &numbers[pick->teams[seat]];
            if (!*number) /* 0: not met yet */
                *number = (uint16_t)++track->pick_teams;
            pick->teams[seat] = (uint16_t)(*number - 1);
        }
    }
    return 0;
}

int judged_read_games(JudgingAudit *audit, uint64_t drawn, Err *err)
{
    JudgedTrack *track = &audit->tracks[audit->track];
    CLEANUP(buf_done) Buf path = {0};
    const JournalListener listener = {.game = hear_game, .user = audit};
    Err own = {0};

    buf_printf(&path, "%s/tracks/%.*s/main/logs", audit->dir, STR_ARG(track->name));
    int rc = buf_failed(&path) ? ERR_MEMORY : journal_read(buf_cstr(&path), &listener, NULL, &own);
    if (rc == ERR_MEMORY)
        return judging_no_memory(err);
    if (rc && rc != ERR_IO) /* a track in which nobody played has none */
        audit_contradict(audit->verdict, "tracks", own.line, "track %.*s: %s", STR_ARG(track->name),
                         own.msg);
    if (track->game_count)
        qsort(track->games, track->game_count, sizeof(*track->games), compare_games);
    for (size_t i = 0; i < audit->entry_count; i++)
        hear_entry(audit, audit->entries[i]);
    return pick_games(track, drawn, err);
}
