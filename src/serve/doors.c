#include "serve/doors.h"

#include "base/mem.h"
#include "disk/folder.h"

#include <inttypes.h>
#include <signal.h>
#include <sys/stat.h>

/* Of a door at most: its logs, the same as JSON, realtime files. */
#define FOLDERS_MAX (3 * 3 * DOORS_MAX)

struct Doors {
    Loop *loop;
    DateMs *date;
    DateOf *date_of;
    NlpDoor *nlp[DOORS_MAX];
    size_t nlp_count;
    /* Beside the logs that tell them; doors that log into one folder share its journal. */
    ResultJournal *results[DOORS_MAX];
    const char *results_in[DOORS_MAX];
    size_t results_count;
    AiwolfDoor *aiwolf[DOORS_MAX];
    size_t aiwolf_count;
    MawDoor *maw[DOORS_MAX];
    size_t maw_count;
    const char *folders[FOLDERS_MAX + 1]; /* of all doors: hidden from every agent */
    size_t folder_count;
    unsigned signals; /* that came */
    bool stay;
};

/* ---- the end ---- */

static bool all_over(const Doors *doors)
{
    for (size_t i = 0; i < doors->nlp_count; i++)
        if (!nlp_door_over(doors->nlp[i]))
            return false;
    for (size_t i = 0; i < doors->aiwolf_count; i++)
        if (!aiwolf_door_over(doors->aiwolf[i]))
            return false;
    for (size_t i = 0; i < doors->maw_count; i++)
        if (!maw_door_over(doors->maw[i]))
            return false;
    return true;
}

static void stop_when_over(Doors *doors)
{
    if (all_over(doors) && (!doors->stay || doors->signals))
        loop_stop(doors->loop);
}

static void on_nlp_over(void *user)
{
    stop_when_over(user);
}

static bool any_game_begun(const Doors *doors)
{
    for (size_t i = 0; i < doors->nlp_count; i++)
        if (nlp_door_counts(doors->nlp[i]).games_begun)
            return true;
    for (size_t i = 0; i < doors->aiwolf_count; i++)
        if (aiwolf_door_has_begun(doors->aiwolf[i]))
            return true;
    for (size_t i = 0; i < doors->maw_count; i++)
        if (maw_door_has_begun(doors->maw[i]))
            return true;
    return false;
}

static bool any_failed(const Doors *doors)
{
    for (size_t i = 0; i < doors->aiwolf_count; i++)
        if (aiwolf_door_over(doors->aiwolf[i]) && aiwolf_door_result(doors->aiwolf[i], NULL) < 0)
            return true;
    for (size_t i = 0; i < doors->maw_count; i++)
        if (maw_door_over(doors->maw[i]) && maw_door_result(doors->maw[i], NULL) < 0)
            return true;
    return false;
}

/* A door that fails before any game is a failed start of all; a contest that goes on is not stopped
 * for it. */
static void on_door_over(void *user)
{
    Doors *doors = user;

    if (any_failed(doors) && !any_game_begun(doors))
        loop_stop(doors->loop);
    else
        stop_when_over(doors);
}

/* ---- signals ---- */

static void on_signal(void *user, int signal_number, TimeUs now)
{
    Doors *doors = user;

    (void)signal_number;
    doors->signals++;
    for (size_t i = 0; i < doors->aiwolf_count; i++)
        aiwolf_door_stop(doors->aiwolf[i]);
    for (size_t i = 0; i < doors->nlp_count; i++) {
        if (doors->signals == 1)
            nlp_door_drain(doors->nlp[i], now);
        else
            nlp_door_abort(doors->nlp[i], now);
    }
    for (size_t i = 0; i < doors->maw_count; i++) {
        if (doors->signals == 1)
            maw_door_drain(doors->maw[i], now);
        else
            maw_door_stop(doors->maw[i], "interrupted", now);
    }
    stop_when_over(doors);
}

static int watch_signals(Doors *doors, Err *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    int rc = 0;

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]) && rc == 0; i++) {
        struct sigaction before;
        sigaction(signals[i], NULL, &before);
        if (signals[i] != SIGHUP || before.sa_handler != SIG_IGN) /* nohup has asked for it */
            rc = loop_signal(doors->loop, signals[i], on_signal, doors, err);
    }
    return rc;
}

/* ---- results ---- */

/* On a journal's thread. */
static void wake_doors(void *user)
{
    const Doors *doors = user;

    loop_wake(doors->loop);
}

static void on_results(void *user, TimeUs now)
{
    Doors *doors = user;

    for (size_t i = 0; i < doors->nlp_count; i++)
        nlp_door_written(doors->nlp[i], now);
}

/* ---- life ---- */

int doors_new(bool stay, DateMs *date, DateOf *date_of, Doors **ret_doors, Err *err)
{
    Doors *doors = mem_new(sizeof(*doors));

    if (!doors)
        return err_set(err, ERR_MEMORY, "serve: out of memory");
    doors->stay = stay;
    doors->date = date;
    doors->date_of = date_of;
    mem_keep_freed();
    int rc = loop_new(&doors->loop, err);
    if (rc == 0)
        rc = watch_signals(doors, err);
    if (rc) {
        doors_free(doors);
        return rc;
    }
    *ret_doors = doors;
    return 0;
}

Doors *doors_free(Doors *doors)
{
    if (!doors)
        return NULL;
    for (size_t i = 0; i < doors->aiwolf_count; i++)
        aiwolf_door_free(doors->aiwolf[i]);
    for (size_t i = 0; i < doors->nlp_count; i++)
        nlp_door_free(doors->nlp[i]);
    for (size_t i = 0; i < doors->maw_count; i++)
        maw_door_free(doors->maw[i]);
    for (size_t i = 0; i < doors->results_count; i++)
        result_journal_free(doors->results[i]);
    loop_free(doors->loop);
    return mem_free(doors);
}

void doors_freep(Doors **doors)
{
    *doors = doors_free(*doors);
}

static void keep_folder(Doors *doors, const char *folder)
{
    if (folder && folder[0])
        doors->folders[doors->folder_count++] = folder;
}

static void keep_folders_of(Doors *doors, const Config *config)
{
    keep_folder(doors, config->game_logger.enable ? config->game_logger.output_dir : NULL);
    keep_folder(doors, config->json_logger.enable ? config->json_logger.output_dir : NULL);
    keep_folder(doors, config->realtime.enable ? config->realtime.output_dir : NULL);
}

static const char *results_folder(const Config *config)
{
    return config->game_logger.enable   ? config->game_logger.output_dir
           : config->json_logger.enable ? config->json_logger.output_dir
                                        : NULL;
}

/* However it is spelled. The first was made when its journal was. */
static bool is_same_folder(const char *a, const char *b)
{
    struct stat of_a, of_b;

    return strcmp(a, b) == 0 || (stat(a, &of_a) == 0 && stat(b, &of_b) == 0 &&
                                 of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino);
}

static int open_results(void *user, const Config *config, ResultJournal **ret_results, Err *err)
{
    Doors *doors = user;
    const char *dir = results_folder(config);
    size_t at = 0;

    if (!dir)
        return 0;
    while (at < doors->results_count && !is_same_folder(doors->results_in[at], dir))
        at++;
    if (at == doors->results_count) {
        int rc = result_journal_open(dir, &config->rules, doors->date, &doors->results[at], err);
        if (rc)
            return rc;
        result_journal_on_written(doors->results[at], wake_doors, doors);
        loop_on_wake(doors->loop, on_results, doors);
        doors->results_in[at] = dir;
        doors->results_count++;
    }
    *ret_results = doors->results[at];
    return 0;
}

int doors_add_nlp(Doors *doors, const NlpDoorSetup *setup, Err *err)
{
    NlpDoorSetup own = *setup;

    if (doors->nlp_count == DOORS_MAX)
        return err_set(err, ERR_LIMIT, "at most %d configurations", DOORS_MAX);
    own.date = doors->date;
    own.date_of = doors->date_of;
    own.over = on_nlp_over;
    own.user = doors;
    own.results = open_results;
    int rc = nlp_door_open(doors->loop, &own, &doors->nlp[doors->nlp_count], err);
    doors->nlp_count += rc == 0;
    if (rc == 0)
        keep_folders_of(doors, setup->config);
    return rc;
}

int doors_add_aiwolf(Doors *doors, const AiwolfDoorSetup *setup, Err *err)
{
    AiwolfDoorSetup own = *setup;

    if (doors->aiwolf_count == DOORS_MAX)
        return err_set(err, ERR_LIMIT, "at most %d lines of 'aiwolf'", DOORS_MAX);
    own.date = doors->date;
    own.date_of = doors->date_of;
    own.over = on_door_over;
    own.user = doors;
    int rc = aiwolf_door_new(doors->loop, &own, &doors->aiwolf[doors->aiwolf_count], err);
    doors->aiwolf_count += rc == 0;
    if (rc == 0) {
        keep_folder(doors, setup->out);
        keep_folder(doors, setup->live.realtime);
    }
    return rc;
}

int doors_add_maw(Doors *doors, const MawDoorSetup *setup, MawDoor **ret_door, Err *err)
{
    MawDoorSetup own = *setup;

    if (doors->maw_count == DOORS_MAX)
        return err_set(err, ERR_LIMIT, "at most %d lines of 'maw'", DOORS_MAX);
    own.date_of = doors->date_of;
    own.over = on_door_over;
    own.user = doors;
    int rc = maw_door_new(doors->loop, &own, &doors->maw[doors->maw_count], err);
    if (rc)
        return rc;
    *ret_door = doors->maw[doors->maw_count++];
    keep_folder(doors, setup->out);
    keep_folder(doors, setup->live.realtime);
    return 0;
}

static bool any_starts(const Doors *doors)
{
    for (size_t i = 0; i < doors->aiwolf_count; i++)
        if (aiwolf_door_starts(doors->aiwolf[i]))
            return true;
    for (size_t i = 0; i < doors->maw_count; i++)
        if (maw_door_starts(doors->maw[i]))
            return true;
    return false;
}

/* An agent of one door may play at another: it must read no door's folder. What is hidden has to be
 * there. */
static int enclose_agents(Doors *doors, Err *err)
{
    int rc = 0;

    if (!any_starts(doors))
        return 0;
    for (size_t i = 0; i < doors->folder_count && rc == 0; i++)
        rc = folder_make(str_of(doors->folders[i]), err);
    for (size_t i = 0; i < doors->aiwolf_count && rc == 0; i++)
        rc = aiwolf_door_enclose(doors->aiwolf[i], doors->folders, err);
    for (size_t i = 0; i < doors->maw_count; i++)
        maw_door_hide(doors->maw[i], doors->folders);
    return rc;
}

int doors_prepare(Doors *doors, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < doors->aiwolf_count && rc == 0; i++)
        rc = aiwolf_door_prepare(doors->aiwolf[i], err);
    return rc ? rc : enclose_agents(doors, err);
}

static int begin_all(Doors *doors, TimeUs now, Err *err)
{
    int rc = 0;

    for (size_t i = 0; i < doors->aiwolf_count && rc == 0; i++)
        rc = aiwolf_door_begin(doors->aiwolf[i], now, err);
    for (size_t i = 0; i < doors->maw_count && rc == 0; i++)
        rc = maw_door_begin(doors->maw[i], now, err);
    return rc;
}

/* A door's error hides no other's. */
static void add_trouble(Err *all, const Err *one)
{
    Err both = {0};

    if (!one->code)
        return;
    if (!all->code) {
        *all = *one;
        return;
    }
    err_set(&both, all->code, "%s; and %s", all->msg, one->msg);
    *all = both;
}

static void find_trouble(const Doors *doors, Err *all)
{
    for (size_t i = 0; i < doors->aiwolf_count; i++) {
        Err own = {0};
        aiwolf_door_result(doors->aiwolf[i], &own);
        add_trouble(all, &own);
    }
    for (size_t i = 0; i < doors->maw_count; i++) {
        Err own = {0};
        if (maw_door_result(doors->maw[i], &own) == ERR_INTERRUPTED)
            continue;
        if (own.code)
            err_wrap(&own, "maw at %.*s: ", STR_ARG(maw_door_name(doors->maw[i])));
        add_trouble(all, &own);
    }
    for (size_t i = 0; i < doors->nlp_count; i++) {
        Err own = {0};
        if (!nlp_door_unsaved(doors->nlp[i]))
            continue;
        err_set(&own, ERR_IO,
                "config '%s': the schedule could not be saved, see 'history-failed'; with "
                "room on its disk, start the server again: it reads in the game logs "
                "what the schedule misses",
                nlp_door_path(doors->nlp[i]));
        add_trouble(all, &own);
    }
}

/* What a signal left undone: a game of the natural-language division or of MAW is lost by the
 * second one only, a set of the protocol division by the first. Where nothing else is played, that
 * is always so: there is no other end. */
static int find_interruption(const Doors *doors, Err *err)
{
    bool cut = doors->signals && !doors->nlp_count && !doors->maw_count;
    uint64_t games = 0;

    for (size_t i = 0; i < doors->nlp_count; i++)
        if (nlp_door_has_aborted(doors->nlp[i]))
            return err_set(err, ERR_INTERRUPTED, "aborted by a second signal; logs are complete");
    for (size_t i = 0; i < doors->maw_count; i++)
        if (maw_door_result(doors->maw[i], NULL) == ERR_INTERRUPTED)
            return maw_door_result(doors->maw[i], err);
    for (size_t i = 0; i < doors->aiwolf_count; i++) {
        games += aiwolf_door_games(doors->aiwolf[i]);
        cut |= aiwolf_door_was_cut(doors->aiwolf[i]);
    }
    return cut ? err_set(err, ERR_INTERRUPTED, "ended; %" PRIu64 " games were played", games) : 0;
}

static Exit status_of_all(const Doors *doors)
{
    Exit status = EXIT_OK;

    for (size_t i = 0; i < doors->aiwolf_count; i++)
        status = exit_status_of_both(status, (Exit)aiwolf_door_result(doors->aiwolf[i], NULL));
    for (size_t i = 0; i < doors->nlp_count; i++)
        status = exit_status_of_both(status, nlp_door_status(doors->nlp[i]));
    for (size_t i = 0; i < doors->maw_count; i++)
        status = exit_status_of_both(status, (Exit)maw_door_result(doors->maw[i], NULL));
    return status;
}

int doors_run(Doors *doors, TimeUs now, Err *err)
{
    Err trouble = {0};
    int rc = begin_all(doors, now, err);

    if (rc)
        return rc;
    loop_run(doors->loop);
    find_trouble(doors, &trouble);
    if (trouble.code)
        return err_set(err, trouble.code, "%s", trouble.msg);
    rc = find_interruption(doors, err);
    return rc ? rc : (int)status_of_all(doors);
}
