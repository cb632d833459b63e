#include "match/set.h"

#include "record/aiwolf_log.h"
#include "referee/referee.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* What the workers share: the next game, and whether to go on. */
typedef struct SetShared {
    const SetPlan *plan;
    _Atomic uint64_t next;
    _Atomic uint64_t done;
    _Atomic bool stop;
    pthread_mutex_t mutex; /* of `working` */
    pthread_cond_t ended;  /* a worker has stopped */
    uint32_t working;
} SetShared;

/* One thread's own things. */
typedef struct Worker {
    SetShared *shared;
    pthread_t thread;
    Referee *referee;
    Standings standings;
    AiwolfLogWriter writer;
    Buf log;
    GameSetup setup;
    uint64_t seated; /* the set whose seats are taken, plus 1; 0 = none yet */
    GameResult result;
    uint16_t last_vote_day;
    uint16_t last_revote_day;
    Err err;
} Worker;

uint64_t set_game_seed(const SetPlan *plan, uint64_t game)
{
    return rng_derive(plan->seed, game + 1);
}

void set_seats(const SetPlan *plan, uint64_t game, uint8_t ret_agents[static SEAT_MAX + 1])
{
    uint64_t set = game / (uint64_t)plan->rules.contest.games_per_set;
    Rng rng = rng_new(rng_derive(rng_derive(plan->seed, 0), set));

    for (int32_t i = 0; i < plan->players; i++)
        ret_agents[i + 1] = (uint8_t)i;
    if (plan->rules.contest.agent_index == AGENT_INDEX_CONNECTION)
        return;
    for (uint32_t i = (uint32_t)plan->players; i > 1; i--) {
        uint32_t j = 1 + rng_below(&rng, i);
        uint8_t agent = ret_agents[i];
        ret_agents[i] = ret_agents[j];
        ret_agents[j] = agent;
    }
}

/* ---- one game ---- */

static void add_to_result(Worker *worker, const Event *event)
{
    GameResult *result = &worker->result;

    switch (event->kind) {
    case EVENT_VOTE:
        if (event->round > 0 && worker->last_revote_day != event->day) {
            worker->last_revote_day = event->day;
            result->revote_days++;
        }
        if (worker->last_vote_day != event->day) {
            worker->last_vote_day = event->day;
            result->execution_days++;
        }
        break;
    case EVENT_ATTACK:
        result->attacks++;
        result->attack_kills += event->killed;
        break;
    case EVENT_END:
        result->winner = event->winner;
        result->last_day = event->day;
        break;
    case EVENT_REVEAL:
        result->roles[event->seat] = event->role;
        break;
    case EVENT_SCORE:
        result->points[event->seat] = event->points;
        break;
    case EVENT_ROLE:
    case EVENT_DAY:
    case EVENT_PHASE:
    case EVENT_PHASE_END:
    case EVENT_TALK:
    case EVENT_WHISPER:
    case EVENT_STANDING:
    case EVENT_EXECUTE:
    case EVENT_NIGHT:
    case EVENT_DIVINE:
    case EVENT_GUARD:
    case EVENT_ATTACK_VOTE:
    case EVENT_IDENTIFY:
    case EVENT_DEATH:
        break;
    }
}

static void on_event(void *user, const Event *event)
{
    Worker *worker = user;

    add_to_result(worker, event);
    if (worker->shared->plan->logs)
        aiwolf_log_event(&worker->writer, event, &worker->log);
}

/* The agents take the seats that they have in this game's set. */
static void take_seats(Worker *worker, uint64_t game)
{
    const SetPlan *plan = worker->shared->plan;
    uint64_t set = game / (uint64_t)plan->rules.contest.games_per_set;
    uint8_t agents[SEAT_MAX + 1];

    if (worker->seated == set + 1)
        return;
    worker->seated = set + 1;
    set_seats(plan, game, agents);
    for (SeatNo seat = 1; seat <= plan->players; seat++) {
        const SetAgent *agent = &plan->agents[agents[seat]];
        worker->setup.fixed[seat] = agent->fixed;
        worker->result.names[seat] = str_of(agent->name);
        referee_seat(worker->referee, seat, agent->kind);
    }
}

/* What the last game left, but for the names. */
static void clear_result(Worker *worker)
{
    GameResult *result = &worker->result;

    result->seat_count = (SeatNo)worker->shared->plan->players;
    result->winner = SIDE_NONE;
    result->last_day = result->revote_days = result->execution_days = 0;
    result->attacks = result->attack_kills = 0;
    memset(result->points, 0, sizeof(result->points));
    worker->last_vote_day = worker->last_revote_day = UINT16_MAX;
    buf_clear(&worker->log);
}

static int play_game(Worker *worker, uint64_t game)
{
    const SetPlan *plan = worker->shared->plan;
    const Recorder recorder = {on_event, worker};

    take_seats(worker, game);
    clear_result(worker);
    if (plan->logs)
        aiwolf_log_begin(&worker->writer, (SeatNo)plan->players, worker->result.names);
    int rc = referee_play(worker->referee, &worker->setup, set_game_seed(plan, game), &recorder,
                          &worker->err);
    if (rc == 0 && buf_failed(&worker->log))
        rc = err_set(&worker->err, ERR_MEMORY, "log: out of memory");
    if (rc == 0 && plan->finished)
        rc = plan->finished(plan->user, game, buf_str(&worker->log), &worker->err);
    if (rc == 0) /* its log is on disk: now it counts */
        rc = standings_add_game(&worker->standings, &worker->result, &worker->err);
    if (rc)
        err_wrap(&worker->err, "game %llu: ", (unsigned long long)game);
    return rc;
}

/* ---- threads ---- */

static void *work(void *argument)
{
    Worker *worker = argument;
    SetShared *shared = worker->shared;

    while (!atomic_load(&shared->stop)) {
        uint64_t game = atomic_fetch_add(&shared->next, 1);
        if (game >= shared->plan->games)
            break;
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

static int worker_init(Worker *worker, SetShared *shared, Err *err)
{
    const SetPlan *plan = shared->plan;
    const BotKind *kinds[SEAT_MAX + 1] = {0};

    worker->shared = shared;
    for (int32_t i = 0; i < plan->players; i++)
        kinds[i + 1] = plan->agents[i].kind;
    return referee_new(&plan->rules, plan->players, kinds, &worker->referee, err);
}

static void worker_done(Worker *worker)
{
    referee_free(worker->referee);
    standings_done(&worker->standings);
    buf_done(&worker->log);
}

/* A tenth of a second from now. */
static struct timespec soon(void)
{
    struct timespec at;

    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += 100000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

/* Until every worker has stopped: shows how far they are, and hears whether to go on. */
static void watch(SetShared *shared)
{
    const SetPlan *plan = shared->plan;

    pthread_mutex_lock(&shared->mutex);
    while (shared->working > 0) {
        struct timespec until = soon();
        pthread_cond_timedwait(&shared->ended, &shared->mutex, &until);
        if (plan->progress && !plan->progress(plan->user, atomic_load(&shared->done)))
            atomic_store(&shared->stop, true);
    }
    pthread_mutex_unlock(&shared->mutex);
}

static int run_workers(Worker *workers, uint32_t count, SetShared *shared, Err *err)
{
    uint32_t started = 0;
    int rc = 0;

    for (uint32_t i = 0; i < count && rc == 0; i++)
        rc = worker_init(&workers[i], shared, err);
    pthread_mutex_lock(&shared->mutex);
    while (started < count && rc == 0) {
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]))
            break; /* fewer threads play the same games */
        shared->working = ++started;
    }
    pthread_mutex_unlock(&shared->mutex);
    if (rc == 0 && started == 0)
        return err_set(err, ERR_MEMORY, "no thread could be started");
    watch(shared);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (uint32_t i = 0; i < started && rc == 0; i++)
        if (workers[i].err.code) {
            rc = workers[i].err.code;
            *err = workers[i].err;
        }
    return rc;
}

int set_play(const SetPlan *plan, Standings *standings, Err *err)
{
    SetShared shared = {
        .plan = plan, .mutex = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
    Err own = {0};
    uint32_t count = plan->jobs < 1 ? 1 : plan->jobs;

    if (count > SET_JOBS_MAX)
        count = SET_JOBS_MAX;
    if (count > plan->games)
        count = plan->games ? (uint32_t)plan->games : 1;
    Worker *workers = mem_new(count * sizeof(*workers));
    if (!workers)
        return err_set(err, ERR_MEMORY, "play set: out of memory");
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
