#include "stats/trial.h"

#include "base/mem.h"

/* Agents as the test sees them. */
enum { OTHERS = 0, CHALLENGER = 1 };

void trial_init(Trial *trial, const SprtTest *test, Str challenger)
{
    Str name = str_part(challenger, 0, AGENT_NAME_MAX);

    *trial = (Trial){.sorted = true};
    if (name.len)
        memcpy(trial->challenger, name.bytes, name.len);
    sprt_init(&trial->sprt, test, CHALLENGER);
    pthread_mutex_init(&trial->mutex, NULL);
}

void trial_done(Trial *trial)
{
    mem_free(trial->games);
    trial->games = NULL;
    trial->count = trial->room = trial->judged = 0;
}

/* ---- games that come ---- */

static int make_room(Trial *trial, Err *err)
{
    if (trial->count < trial->room)
        return 0;
    size_t room = trial->room ? trial->room * 2 : 512;
    TrialGame *games = mem_resize(trial->games, room, sizeof(*games));
    if (!games)
        return err_set(err, ERR_MEMORY, "sprt: out of memory");
    trial->games = games;
    trial->room = room;
    return 0;
}

static TrialGame game_of(const Trial *trial, const GameRecord *record)
{
    const GameResult *result = &record->result;
    TrialGame game = {.game = record->game,
                      .set = record->set,
                      .seat_count = result->seat_count,
                      .winner = result->winner};

    for (SeatNo seat = 1; seat <= result->seat_count && seat <= SEAT_MAX; seat++) {
        game.roles[seat] = result->roles[seat];
        if (str_eq(result->names[seat], str_of(trial->challenger)))
            game.challenger |= seat_bit(seat);
    }
    return game;
}

int trial_add_game(Trial *trial, const GameRecord *record, Err *err)
{
    TrialGame game = game_of(trial, record);

    pthread_mutex_lock(&trial->mutex);
    int rc = make_room(trial, err);
    if (rc == 0) {
        trial->games[trial->count++] = game;
        trial->sorted = false;
    }
    pthread_mutex_unlock(&trial->mutex);
    return rc;
}

/* ---- judging ---- */

static int by_number(const void *left, const void *right)
{
    const TrialGame *a = left, *b = right;

    return (a->game > b->game) - (a->game < b->game);
}

static void sort_waiting(Trial *trial)
{
    if (!trial->sorted)
        qsort(trial->games + trial->judged, trial->count - trial->judged, sizeof(*trial->games),
              by_number);
    trial->sorted = true;
}

static int judge_game(Trial *trial, const TrialGame *game, Err *err)
{
    Outcome outcome = {.set = game->set, .seat_count = game->seat_count, .winner = game->winner};

    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        outcome.roles[seat] = game->roles[seat];
        outcome.agents[seat] = seat_in(game->challenger, seat) ? CHALLENGER : OTHERS;
    }
    return sprt_add_game(&trial->sprt, &outcome, err);
}

int trial_judge(Trial *trial, uint64_t end_set, Err *err)
{
    int rc = 0;

    pthread_mutex_lock(&trial->mutex);
    sort_waiting(trial);
    while (rc == 0 && trial->judged < trial->count && trial->games[trial->judged].set < end_set)
        rc = judge_game(trial, &trial->games[trial->judged++], err);
    if (trial->judged == trial->count)
        trial->judged = trial->count = 0;
    pthread_mutex_unlock(&trial->mutex);
    if (rc == 0)
        sprt_end_set(&trial->sprt);
    return rc;
}
