#include "match/threads.h"

#include "match/draw_chance.h"
#include "net/timed_wait.h"
#include "referee/referee.h"

#include <pthread.h>
#include <stdatomic.h>

#define LOOK_US ((TimeUs)100 * 1000) /* between two looks at how far they are */

/* What the workers share: the next game, and whether to go on. */
typedef struct Shared {
    const StageRun *run;
    uint64_t end; /* behind the last game */
    _Atomic uint64_t next;
    _Atomic uint64_t done;
    _Atomic bool stop;
    pthread_mutex_t mutex; /* of `working` */
    pthread_cond_t ended;  /* a worker has stopped */
    uint32_t working;
} Shared;

/* One thread's own things. */
typedef struct Worker {
    Shared *shared;
    pthread_t thread;
    Referee *referee;
    Standings standings;
    GameRecorder recorder;
    GameSetup setup;
    uint64_t seated; /* the set whose seats are taken, plus 1; 0 = none yet */
    Err err;
} Worker;

/* ---- one game ---- */

/* The agents take the seats that they have in this game's set. */
static void take_seats(Worker *worker, uint64_t game)
{
    const StageRun *run = worker->shared->run;
    uint64_t set = draw_set_of(&run->draw, game);
    uint32_t agents[SEAT_MAX + 1];

    if (worker->seated == set + 1)
        return;
    worker->seated = set + 1;
    draw_seats(&run->draw, set, agents);
    for (SeatNo seat = 1; seat <= run->draw.stage->players; seat++) {
        const PlanAgent *agent = &run->agents[agents[seat]];
        worker->recorder.record.result.names[seat] = str_of(agent->name);
        referee_seat(worker->referee, seat, agent->bot);
    }
}

static int play_game(Worker *worker, uint64_t game)
{
    const StageRun *run = worker->shared->run;
    GameRecord *record = &worker->recorder.record;
    const Recorder listener = game_recorder_listener(&worker->recorder);

    take_seats(worker, game);
    game_recorder_begin(&worker->recorder, (SeatNo)run->draw.stage->players, run->logs);
    stage_run_begin_game(run, game, &worker->setup, record);
    const GameKey key = draw_game_key(&run->draw, game);
    int rc = referee_play(worker->referee, &worker->setup, &key, &listener, &worker->err);
    stage_run_end_game(run, record);
    if (rc == 0 && buf_failed(&worker->recorder.log))
        rc = err_set(&worker->err, ERR_MEMORY, "log: out of memory");
    if (rc == 0 && run->finished)
        rc = run->finished(run->user, record, buf_str(&worker->recorder.log), &worker->err);
    if (rc == 0) /* its log is on disk or on its way: now it counts */
        rc = standings_add_game(&worker->standings, &record->result, &worker->err);
    if (rc)
        err_wrap(&worker->err, "game %llu: ", (unsigned long long)game);
    return rc;
}

/* ---- threads ---- */

static void *work_thread(void *argument)
{
    Worker *worker = argument;
    Shared *shared = worker->shared;

    while (!atomic_load(&shared->stop)) {
        uint64_t game = atomic_fetch_add(&shared->next, 1);
        if (game >= shared->end)
            break;
        if (shared->run->played && played_has_game(shared->run->played, game))
            continue;
        if (play_game(worker, game)) {
            atomic_store(&shared->stop, true);
            break;
        }
        atomic_fetch_add(&shared->done, 1);
    }
    pthread_mutex_lock(&shared->mutex);
    shared->working--;
    pthread_cond_signal(&shared->ended);
    pthread_mutex_unlock(&shared->mutex);
    return NULL;
}

static int worker_init(Worker *worker, Shared *shared, Err *err)
{
    const StageRun *run = shared->run;
    const BotKind *kinds[SEAT_MAX + 1] = {0};

    worker->shared = shared;
    for (int32_t seat = 1; seat <= run->draw.stage->players; seat++)
        kinds[seat] = run->agents[0].bot;
    return referee_new(&run->plan->rules, run->draw.stage->players, kinds, &worker->referee, err);
}

static void worker_done(Worker *worker)
{
    referee_free(worker->referee);
    standings_done(&worker->standings);
    game_recorder_done(&worker->recorder);
}

/* Until every worker has stopped: shows how far they are, and hears whether to go on. */
static void watch_progress(Shared *shared)
{
    const StageRun *run = shared->run;

    pthread_mutex_lock(&shared->mutex);
    while (shared->working > 0) {
        TimeUs now = timed_wait(&shared->ended, &shared->mutex, LOOK_US);
        if (run->progress && !run->progress(run->user, atomic_load(&shared->done), now))
            atomic_store(&shared->stop, true);
    }
    pthread_mutex_unlock(&shared->mutex);
}

static int run_workers(Worker *workers, uint32_t count, Shared *shared, Err *err)
{
    uint32_t started = 0;
    int rc = 0;

    for (uint32_t i = 0; i < count && rc == 0; i++)
        rc = worker_init(&workers[i], shared, err);
    pthread_mutex_lock(&shared->mutex);
    while (started < count && rc == 0) {
        if (pthread_create(&workers[started].thread, NULL, work_thread, &workers[started]))
            break; /* fewer threads play the same games */
        shared->working = ++started;
    }
    pthread_mutex_unlock(&shared->mutex);
    if (rc == 0 && started == 0)
        return err_set(err, ERR_MEMORY, "no thread could be started");
    watch_progress(shared);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (uint32_t i = 0; i < started && rc == 0; i++)
        if (workers[i].err.code) {
            rc = workers[i].err.code;
            *err = workers[i].err;
        }
    return rc;
}

int threads_play(const StageRun *run, uint32_t jobs, Standings *standings, Err *err)
{
    uint64_t first = run->first_set * (uint64_t)run->draw.stage->games_per_set;
    Shared shared = {.run = run,
                     .end = stage_run_games_end(run),
                     .next = first,
                     .mutex = PTHREAD_MUTEX_INITIALIZER,
                     .ended = PTHREAD_COND_INITIALIZER};
    Err own = {0};
    uint32_t count = jobs < 1 ? 1 : jobs;

    if (count > JOBS_MAX)
        count = JOBS_MAX;
    uint64_t games = shared.end > first ? shared.end - first : 0;
    if (count > games)
        count = games ? (uint32_t)games : 1;
    Worker *workers = mem_new(count * sizeof(*workers));
    if (!workers)
        return err_set(err, ERR_MEMORY, "play games: out of memory");
    int rc = run_workers(workers, count, &shared, &own);
    for (uint32_t i = 0; i < count; i++) {
        /* Also after an error: what was played was played. */
        int merged = standings_merge(standings, &workers[i].standings, rc ? NULL : &own);
        rc = rc ? rc : merged;
        worker_done(&workers[i]);
    }
    mem_free(workers);
    if (rc && err)
        *err = own;
    return rc;
}
